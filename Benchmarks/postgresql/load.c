// A closed-loop load on the HTTP API: one epoll thread, some keep-alive connections.
//
//   load PORT ORGANIZATION TOKENS pair|current SECONDS CONNECTIONS
//
// TOKENS is a file with a member's token on each line; each connection has a share of them, which it goes round.
// `pair`: it clocks a member in and out. `current`: it reads a member's active entry. An answer of any other status than 201, 200 ends the run with 1.
// Prints one line: operations a second (a pair is one) and the latency of a request, median and 99 %, in
// microseconds. Connects to 127.0.0.1 only.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { connection_limit = 4096, token_limit = 65536, answer_limit = 64 * 1024, sample_limit = 4 * 1000 * 1000 };

struct connection {
  int descriptor;
  int token;
  int step;
  double began;
  size_t length;
  char *answer;
};

static struct connection connections[connection_limit];
static char tokens[token_limit][65];
static int token_count, connection_count;
static const char *organization;
static int pairs;
static float *samples;
static size_t sample_count;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void send_request(struct connection *connection) {
  char request[512];
  snprintf(request, sizeof request,
           "%s /v1/organizations/%s/timeEntries/%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\n",
           pairs ? "POST" : "GET", organization, pairs ? connection->step ? "clockOut" : "clockIn" : "current",
           tokens[connection->token], pairs ? "Content-Length: 0\r\n" : "");
  connection->began = now();
  connection->length = 0;
  if (send(connection->descriptor, request, strlen(request), MSG_NOSIGNAL) != (ssize_t)strlen(request)) fail("send");
}

// Goes on to the clock-out, or to the next member.
static void advance(struct connection *connection) {
  connection->step = pairs && !connection->step;
  if (connection->step) return;
  connection->token += connection_count;
  if (connection->token >= token_count) connection->token %= connection_count;
}

// The status of a whole answer, 0 while there is more to come.
static int receive_answer(struct connection *connection) {
  ssize_t count = recv(connection->descriptor, connection->answer + connection->length,
                       answer_limit - 1 - connection->length, 0);
  if (count <= 0) fail("the server closed a connection");
  connection->length += count;
  connection->answer[connection->length] = 0;
  char *end = strstr(connection->answer, "\r\n\r\n");
  if (!end) return 0;
  char *field = strcasestr(connection->answer, "\r\ncontent-length:");
  size_t content = field && field < end ? strtoul(field + 17, NULL, 10) : 0;
  if (connection->length < (size_t)(end + 4 - connection->answer) + content) return 0;
  return atoi(connection->answer + 9);
}

static int connect_to(int port) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail("connect");
  int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

static int compare(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc != 7)
    return fprintf(stderr, "usage: load PORT ORGANIZATION TOKENS pair|current SECONDS CONNECTIONS\n"), 64;
  organization = argv[2];
  pairs = strcmp(argv[4], "pair") == 0;
  FILE *file = fopen(argv[3], "r");
  if (!file) fail(argv[3]);
  while (token_count < token_limit && fscanf(file, "%64s", tokens[token_count]) == 1) token_count++;
  connection_count = atoi(argv[6]);
  if (connection_count < 1 || connection_count > connection_limit || token_count < connection_count)
    return fprintf(stderr, "%d connections need as many tokens at least\n", connection_count), 64;
  samples = malloc(sample_limit * sizeof *samples);
  int poller = epoll_create1(0);
  for (int i = 0; i < connection_count; i++) {
    struct connection *connection = &connections[i];
    connection->descriptor = connect_to(atoi(argv[1]));
    connection->answer = malloc(answer_limit);
    connection->token = i;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(poller, EPOLL_CTL_ADD, connection->descriptor, &event);
  }
  double began = now(), end = began + atof(argv[5]);
  for (int i = 0; i < connection_count; i++) send_request(&connections[i]);
  size_t done = 0;
  int open = connection_count;
  struct epoll_event events[256];
  while (open > 0) {
    int ready = epoll_wait(poller, events, 256, 15000);
    if (ready <= 0) return fprintf(stderr, "no answer within 15 seconds\n"), 1;
    for (int i = 0; i < ready; i++) {
      struct connection *connection = events[i].data.ptr;
      int status = receive_answer(connection);
      if (!status) continue;
      if (status != (pairs && connection->step == 0 ? 201 : 200))
        return fprintf(stderr, "status %d:\n%s\n", status, connection->answer), 1;
      double time = now();
      if (sample_count < sample_limit) samples[sample_count++] = (time - connection->began) * 1e6;
      if (time < end) done++;
      advance(connection);
      // Everyone is clocked out at the end, so that the next run begins as this one did.
      if (time >= end && connection->step == 0) {
        epoll_ctl(poller, EPOLL_CTL_DEL, connection->descriptor, NULL);
        close(connection->descriptor);
        open--;
      } else {
        send_request(connection);
      }
    }
  }
  qsort(samples, sample_count, sizeof *samples, compare);
  printf("%.1f %.0f %.0f\n", done / (end - began) / (pairs ? 2 : 1), samples[sample_count / 2],
         samples[sample_count * 99 / 100]);
}
