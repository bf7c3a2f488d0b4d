// Stands between a program and the network (LD_PRELOAD): names have the addresses that a file says, and no connection leaves
// the machine.
//
// SHIM_NAMES   lines such as `hooks.internal 9.9.9.9 ::1`, read at each lookup. A name with several lines is answered by one
//              after the other, and by the last of them from then on. `+N` among the addresses lets the lookup take N seconds.
//              Nobody listens at the addresses of the line `closed`. Names that are not in the file are unknown.
// SHIM_TRACE   a file that gets a line for each `lookup NAME` and each `connect ADDRESS PORT`
// SHIM_TRUST   certificates that are read when the system's are asked for
//
// A connection to an address beyond this machine is one to the same port of 127.0.0.1.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAXIMUM_LINE = 512, MAXIMUM_NAMES = 64 };

static struct lookups {
  char name[128];
  int count;
} known[MAXIMUM_NAMES];

/// Appends a line, in one call, so that those of several threads do not mix.
static void trace(const char *what, const char *subject, int port) {
  const char *path = getenv("SHIM_TRACE");
  int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  char line[MAXIMUM_LINE];
  int length = snprintf(line, sizeof line, port < 0 ? "%s %s\n" : "%s %s %d\n", what, subject, port);
  if (write(file, line, length) != length) abort();
  close(file);
}

/// The number of lookups of the name before this one.
static int lookups(const char *name) {
  for (int index = 0; index < MAXIMUM_NAMES; index++) {
    if (!known[index].name[0]) snprintf(known[index].name, sizeof known[index].name, "%s", name);
    if (!strcmp(known[index].name, name)) return __atomic_fetch_add(&known[index].count, 1, __ATOMIC_RELAXED);
  }
  return 0;
}

/// Reads the file for lines that begin with a word: the one of this number, or the last.
static int line_of(const char *word, int number, char found[MAXIMUM_LINE]) {
  const char *path = getenv("SHIM_NAMES");
  FILE *file = path ? fopen(path, "re") : NULL;
  if (!file) return 0;
  char line[MAXIMUM_LINE];
  size_t length = strlen(word);
  int count = 0;
  while (count <= number && fgets(line, sizeof line, file)) {
    if (strncmp(line, word, length) || line[length] != ' ') continue;
    snprintf(found, MAXIMUM_LINE, "%s", line + length);
    count++;
  }
  fclose(file);
  return count > 0;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
  struct addrinfo wanted = hints ? *hints : (struct addrinfo){0};
  wanted.ai_flags = (wanted.ai_flags | AI_NUMERICHOST) & ~AI_ADDRCONFIG;
  char line[MAXIMUM_LINE];
  if (name) trace("lookup", name, -1);
  if (!name || !line_of(name, lookups(name), line)) return real(name, service, &wanted, result);
  struct addrinfo *first = NULL, **next = &first;
  char *rest = NULL;
  for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
    if (*word == '+') {
      sleep(atoi(word + 1));
    } else if (!real(word, service, &wanted, next)) {
      while (*next) next = &(*next)->ai_next;
    }
  }
  *result = first;
  return first ? 0 : EAI_NONAME;
}

int connect(int file, const struct sockaddr *address, socklen_t length) {
  int (*real)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
  if (address->sa_family != AF_INET && address->sa_family != AF_INET6) return real(file, address, length);
  char text[INET6_ADDRSTRLEN] = "", closed[MAXIMUM_LINE];
  struct sockaddr_in6 target = {0};
  memcpy(&target, address, length < sizeof target ? length : sizeof target);
  struct sockaddr_in *target4 = (struct sockaddr_in *)&target;
  int is_loopback;
  if (address->sa_family == AF_INET) {
    inet_ntop(AF_INET, &target4->sin_addr, text, sizeof text);
    is_loopback = !strncmp(text, "127.", 4);
    if (!is_loopback) target4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  } else {
    inet_ntop(AF_INET6, &target.sin6_addr, text, sizeof text);
    is_loopback = !strcmp(text, "::1") || !strncmp(text, "::ffff:127.", 11);
    if (!is_loopback) inet_pton(AF_INET6, "::ffff:127.0.0.1", &target.sin6_addr);
  }
  trace("connect", text, ntohs(target.sin6_port));
  char *rest = NULL;
  if (line_of("closed", 0, closed)) {
    for (char *word = strtok_r(closed, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
      if (strcmp(word, text)) continue;
      errno = ECONNREFUSED;
      return -1;
    }
  }
  return real(file, (struct sockaddr *)&target, length);
}

static const char *trusted(const char *path) {
  const char *other = getenv("SHIM_TRUST");
  return other && !strcmp(path, "/etc/ssl/certs/ca-certificates.crt") ? other : path;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
  FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
  return real(trusted(path), mode);
}

FILE *fopen64(const char *restrict path, const char *restrict mode) {
  FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen64");
  return real(trusted(path), mode);
}
