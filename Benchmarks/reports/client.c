// One client on one keep-alive connection: sends a request, waits for the answer, sends the next.
//
//   client PORT REQUESTS PASSES
//
// REQUESTS has a path and a bearer token in each line, or a path and `-`. One pass warms up, then PASSES are measured. An
// answer of any other status than 200 ends the run with 1. Prints one line: how many requests, the mean, the median and
// the 99 % latency in microseconds, and the mean size of an answer in bytes. Connects to 127.0.0.1 only.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { request_limit = 20000, sample_limit = 4 * 1000 * 1000, answer_limit = 16 * 1024 * 1024 };

static char *requests[request_limit];
static size_t lengths[request_limit];
static float *samples;
static char *answer;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

// Whether `length` bytes hold a whole answer. `head` is the length of its head, 0 while that is not known.
static int is_whole(size_t length, size_t *head) {
  answer[length] = 0;
  if (!*head) {
    char *end = memmem(answer, length, "\r\n\r\n", 4);
    if (!end) return 0;
    *head = end + 4 - answer;
  }
  char *field = strcasestr(answer, "\r\ncontent-length:");
  if (field && field < answer + *head) return length >= *head + strtoul(field + 17, NULL, 10);
  // In chunks, of which the last one is empty.
  return length >= *head + 5 && memcmp(answer + length - 5, "0\r\n\r\n", 5) == 0;
}

static size_t exchange(int descriptor, int number) {
  if (send(descriptor, requests[number], lengths[number], MSG_NOSIGNAL) != (ssize_t)lengths[number]) fail("send");
  size_t length = 0, head = 0;
  do {
    ssize_t count = recv(descriptor, answer + length, answer_limit - 1 - length, 0);
    if (count <= 0) fail("recv");
    length += count;
  } while (!is_whole(length, &head));
  if (memcmp(answer + 9, "200", 3) != 0) {
    fprintf(stderr, "%.*s\n%s\n", (int)lengths[number], requests[number], answer);
    exit(1);
  }
  return length;
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: client PORT REQUESTS PASSES\n"), 64;
  FILE *file = fopen(argv[2], "r");
  if (!file) fail(argv[2]);
  char path[2048], token[128], field[192];
  int count = 0;
  while (count < request_limit && fscanf(file, "%2047s %127s", path, token) == 2) {
    snprintf(field, sizeof field, token[0] == '-' ? "" : "Authorization: Bearer %s\r\n", token);
    int length = asprintf(&requests[count], "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", path, field);
    lengths[count++] = length;
  }
  if (count == 0) return fprintf(stderr, "no requests\n"), 64;
  samples = malloc(sample_limit * sizeof *samples);
  answer = malloc(answer_limit);
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail("connect");
  int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct timeval patience = {.tv_sec = 30};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  for (int number = 0; number < count; number++) exchange(descriptor, number);
  size_t done = 0;
  double sum = 0, bytes = 0;
  for (int pass = 0; pass < atoi(argv[3]); pass++) {
    for (int number = 0; number < count && done < sample_limit; number++) {
      double began = now();
      bytes += exchange(descriptor, number);
      samples[done] = now() - began;
      sum += samples[done++];
    }
  }
  close(descriptor);
  if (done == 0) return fprintf(stderr, "no passes\n"), 64;
  qsort(samples, done, sizeof *samples, compare);
  printf("%zu %.1f %.1f %.1f %.0f\n", done, sum / done, samples[done / 2], samples[done * 99 / 100], bytes / done);
}
