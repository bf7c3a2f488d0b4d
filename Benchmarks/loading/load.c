// A closed-loop load on an HTTP service: one epoll thread, some keep-alive connections.
//
//   load PORT REQUESTS STEPS SECONDS CONNECTIONS
//
// REQUESTS is a file of requests, each as a line "STATUS LENGTH" and LENGTH bytes: the bytes to send, and the expected
// status. STEPS of them in turn are those of one member (a pair of clock-in and clock-out has two). Each connection has
// a share of the members, which it goes round, a request at a time. Any other status, and a connection that the service
// closes, end the run with 1. Members whose steps have begun go through them at the end.
//
// Prints one line: requests a second, and a request's time in microseconds: median, 99 %, longest. Connects to
// 127.0.0.1 only.
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

enum { connection_limit = 4096, answer_limit = 256 * 1024, sample_limit = 8 * 1000 * 1000 };

struct request {
  int status;
  size_t length;
  const char *bytes;
};

struct connection {
  int descriptor;
  int member;
  int step;
  double began;
  size_t length;
  char *answer;
};

static struct connection connections[connection_limit];
static struct request *requests;
static int member_count, step_count, connection_count;
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

static void read_requests(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  int count = 0, capacity = 0, status;
  size_t length;
  while (fscanf(file, "%d %zu", &status, &length) == 2) {
    fgetc(file);
    if (count == capacity) requests = realloc(requests, (capacity = 2 * capacity + 1024) * sizeof *requests);
    char *bytes = malloc(length);
    if (fread(bytes, 1, length, file) != length) fail(path);
    requests[count++] = (struct request){status, length, bytes};
  }
  fclose(file);
  member_count = count / step_count;
}

static const struct request *request_of(const struct connection *connection) {
  return &requests[connection->member * step_count + connection->step];
}

static void send_request(struct connection *connection) {
  const struct request *request = request_of(connection);
  connection->began = now();
  connection->length = 0;
  if (send(connection->descriptor, request->bytes, request->length, MSG_NOSIGNAL) != (ssize_t)request->length) fail("send");
}

// Goes on to the member's next step, or to the first of the next member.
static void advance(struct connection *connection) {
  connection->step = (connection->step + 1) % step_count;
  if (connection->step) return;
  connection->member += connection_count;
  if (connection->member >= member_count) connection->member %= connection_count;
}

// The status of a whole answer, 0 while there is more to come.
static int receive_answer(struct connection *connection) {
  if (connection->length == answer_limit - 1) return fprintf(stderr, "an answer is too long\n"), exit(1), 0;
  ssize_t count = recv(connection->descriptor, connection->answer + connection->length,
                       answer_limit - 1 - connection->length, 0);
  if (count <= 0) fail("the service closed a connection");
  connection->length += count;
  connection->answer[connection->length] = 0;
  char *end = strstr(connection->answer, "\r\n\r\n");
  if (!end) return 0;
  char *field = strcasestr(connection->answer, "\r\ncontent-length:");
  if (!field || field > end) return fprintf(stderr, "an answer has no Content-Length\n"), exit(1), 0;
  size_t content = strtoul(field + 17, NULL, 10);
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
  if (argc != 6) return fprintf(stderr, "usage: load PORT REQUESTS STEPS SECONDS CONNECTIONS\n"), 64;
  step_count = atoi(argv[3]);
  read_requests(argv[2]);
  connection_count = atoi(argv[5]);
  if (connection_count < 1 || connection_count > connection_limit || member_count < connection_count)
    return fprintf(stderr, "%d connections need as many members at least\n", connection_count), 64;
  samples = malloc(sample_limit * sizeof *samples);
  int poller = epoll_create1(0);
  for (int i = 0; i < connection_count; i++) {
    struct connection *connection = &connections[i];
    connection->descriptor = connect_to(atoi(argv[1]));
    connection->answer = malloc(answer_limit);
    connection->member = i;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(poller, EPOLL_CTL_ADD, connection->descriptor, &event);
    // The service has a moment to accept them: to wait in its queue is no part of an answer's time.
    if (i % 100 == 99 || i + 1 == connection_count) usleep(20000);
  }
  double began = now(), end = began + atof(argv[4]);
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
      if (status != request_of(connection)->status)
        return fprintf(stderr, "status %d:\n%.2000s\n", status, connection->answer), 1;
      double time = now();
      if (sample_count < sample_limit) samples[sample_count++] = (time - connection->began) * 1e6;
      if (time < end) done++;
      advance(connection);
      // Everyone is where they began, so that the next run begins as this one did.
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
  printf("%.1f %.0f %.0f %.0f\n", done / (end - began), samples[sample_count / 2], samples[sample_count * 99 / 100],
         samples[sample_count - 1]);
}
