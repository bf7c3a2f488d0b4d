#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <sys/socket.h>

// One request by libcurl (curl.se/libcurl/c), which is loaded when the first is made and never linked: a service that sends
// nothing needs no libcurl, and has none in memory.

typedef struct {
  const char *url;
  // Lines such as `name: value`, without an end of line.
  const char *const *headers;
  size_t header_count;
  const void *body;
  size_t body_length;
  long connect_milliseconds;
  long total_milliseconds;
  // Whether the answer has to come by HTTP/2 over TLS.
  int needs_http_2;
  // A file of the certificates that are trusted; NULL for those of the system.
  const char *certificates;
  // Whether to connect to the address, which is asked for each that is tried, behind the resolving of the name; NULL for any.
  int (*may_connect)(void *context, const struct sockaddr *address);
  // Whether the request is to be given up; asked about once a second.
  int (*is_over)(void *context);
  void *context;
} ccurl_request;

typedef struct {
  // 0 if an answer came, a CURLcode if none did, -1 if there is no libcurl.
  int code;
  long status;
  char error[256];
  // The seconds of the answer's `retry-after`; -1 if there is none.
  long retry_after;
  // The beginning of the answer's body.
  char body[512];
  size_t body_length;
  // The bytes of the body that came, 64 KiB and a piece at most.
  size_t received;
} ccurl_result;

// Posts the body and reads the answer, of whose body the beginning is kept. Follows no redirect and knows no proxy. Blocks; a
// thread's connections stay open for its next request.
void ccurl_post(const ccurl_request *request, ccurl_result *result);

#endif
