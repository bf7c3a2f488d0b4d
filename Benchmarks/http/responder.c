// The least an HTTP server can do: one epoll thread that answers everything that looks like the end of a request head
// with the same bytes. It checks nothing, so it is no server, but a yardstick: the rest of a request's cost is the
// system's.
//
// usage: responder PORT [FILE], FILE holding the whole response, head and content
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { response_capacity = 64 * 1024, input_capacity = 64 * 1024, event_count = 256 };

static char response[response_capacity] =
    "HTTP/1.1 200 OK\r\n"
    "Date: Sat, 21 Nov 2026 04:50:09 GMT\r\n"
    "Content-Type: application/json\r\n"
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Content-Length: 180\r\n"
    "\r\n"
    "{\"status\":\"ok\",\"padding\":\""
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "\"}";
static size_t response_length;

static void fail(const char *call) {
  perror(call);
  exit(1);
}

static void load_response(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path);
  response_length = fread(response, 1, response_capacity, file);
  fclose(file);
}

static int listen_on(uint16_t port) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0) fail("socket");
  int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
  if (listen(listener, 1024) < 0) fail("listen");
  return listener;
}

static void watch(int poller, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) < 0) fail("epoll_ctl");
}

static void accept_all(int poller, int listener) {
  for (;;) {
    int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client < 0) return;
    int on = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(poller, client);
  }
}

static void answer(int client) {
  static char input[input_capacity];
  ssize_t count = recv(client, input, sizeof input, 0);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
    close(client);
    return;
  }
  const char *rest = input;
  const char *end = input + (count > 0 ? count : 0);
  while ((rest = memmem(rest, (size_t)(end - rest), "\r\n\r\n", 4))) {
    rest += 4;
    if (send(client, response, response_length, MSG_NOSIGNAL) != (ssize_t)response_length) {
      close(client);
      return;
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s PORT [FILE]\n", argv[0]);
    return 2;
  }
  response_length = strlen(response);
  if (argc > 2) load_response(argv[2]);
  int listener = listen_on((uint16_t)atoi(argv[1]));
  int poller = epoll_create1(EPOLL_CLOEXEC);
  if (poller < 0) fail("epoll_create1");
  watch(poller, listener);
  struct epoll_event events[event_count];
  for (;;) {
    int count = epoll_wait(poller, events, event_count, -1);
    for (int index = 0; index < count; index++) {
      if (events[index].data.fd == listener) {
        accept_all(poller, listener);
      } else {
        answer(events[index].data.fd);
      }
    }
  }
}
