#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The numbers of curl/curl.h, which libcurl never changes (curl.se/libcurl/abi.html).
enum {
  opt_ca_info = 10065,
  opt_error_buffer = 10010,
  opt_header_data = 10029,
  opt_header_function = 20079,
  opt_http_header = 10023,
  opt_http_version = 84,
  opt_no_progress = 43,
  opt_no_signal = 99,
  opt_open_socket_data = 10164,
  opt_open_socket_function = 20163,
  opt_post_field_size = 60,
  opt_post_fields = 10015,
  opt_progress_data = 10057,
  opt_progress_function = 20219,
  opt_protocols = 181,
  opt_quick_exit = 322,
  opt_proxy = 10004,
  opt_timeout_ms = 155,
  opt_connect_timeout_ms = 156,
  opt_url = 10002,
  opt_write_data = 10001,
  opt_write_function = 20011,
  info_http_version = 0x20002e,
  info_response_code = 0x200002,
  protocols_http_https = 3,
  protocols_https = 2,
  // CURL_HTTP_VERSION_2TLS: HTTP/2 if the peer agrees to it in the handshake.
  version_2_over_tls = 4,
  version_2 = 3,
  global_all = 3,
};

// struct curl_sockaddr of curl/curl.h.
struct curl_socket_address {
  int family;
  int type;
  int protocol;
  unsigned int length;
  struct sockaddr address;
};

static struct {
  int (*global_init)(long);
  void *(*easy_init)(void);
  void (*easy_reset)(void *);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_perform)(void *);
  int (*easy_getinfo)(void *, int, ...);
  const char *(*easy_strerror)(int);
  void *(*slist_append)(void *, const char *);
  void (*slist_free_all)(void *);
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
static _Thread_local void *handle;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  *(void **)&curl.global_init = dlsym(library, "curl_global_init");
  *(void **)&curl.easy_init = dlsym(library, "curl_easy_init");
  *(void **)&curl.easy_reset = dlsym(library, "curl_easy_reset");
  *(void **)&curl.easy_setopt = dlsym(library, "curl_easy_setopt");
  *(void **)&curl.easy_perform = dlsym(library, "curl_easy_perform");
  *(void **)&curl.easy_getinfo = dlsym(library, "curl_easy_getinfo");
  *(void **)&curl.easy_strerror = dlsym(library, "curl_easy_strerror");
  *(void **)&curl.slist_append = dlsym(library, "curl_slist_append");
  *(void **)&curl.slist_free_all = dlsym(library, "curl_slist_free_all");
  is_loaded = curl.global_init && curl.easy_init && curl.easy_reset && curl.easy_setopt && curl.easy_perform &&
              curl.easy_getinfo && curl.easy_strerror && curl.slist_append && curl.slist_free_all &&
              curl.global_init(global_all) == 0;
}

static int open_socket(void *data, int purpose, struct curl_socket_address *address) {
  (void)purpose;
  const ccurl_request *request = data;
  if (request->may_connect && !request->may_connect(request->context, &address->address)) return -1;
  return socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
}

// The bytes of an answer that are read; behind them the connection is ended.
enum { answer_limit = 65536 };

static size_t take_body(char *bytes, size_t size, size_t count, void *data) {
  (void)size;
  ccurl_result *result = data;
  size_t room = sizeof result->body - result->body_length;
  size_t taken = count < room ? count : room;
  memcpy(result->body + result->body_length, bytes, taken);
  result->body_length += taken;
  result->received += count;
  return result->received > answer_limit ? 0 : count;
}

// A line of the answer's head, with its end of line.
static size_t take_field(char *bytes, size_t size, size_t count, void *data) {
  (void)size;
  static const char name[] = "retry-after:";
  ccurl_result *result = data;
  if (count > sizeof name - 1 && strncasecmp(bytes, name, sizeof name - 1) == 0) {
    char text[16] = {0};
    size_t length = count - (sizeof name - 1);
    memcpy(text, bytes + sizeof name - 1, length < sizeof text - 1 ? length : sizeof text - 1);
    char *end = text;
    long seconds = strtol(text, &end, 10);
    if (end != text && seconds >= 0) result->retry_after = seconds;
  }
  return count;
}

static int progress(void *data, long long a, long long b, long long c, long long d) {
  (void)a, (void)b, (void)c, (void)d;
  const ccurl_request *request = data;
  return request->is_over(request->context);
}

static void fail(ccurl_result *result, int code, const char *text) {
  result->code = code;
  if (!result->error[0]) strncpy(result->error, text, sizeof result->error - 1);
}

void ccurl_post(const ccurl_request *request, ccurl_result *result) {
  memset(result, 0, sizeof *result);
  result->retry_after = -1;
  pthread_once(&once, load);
  if (!is_loaded) {
    fail(result, -1, "libcurl.so.4 is not on this machine; on Debian the package libcurl4 has it");
    return;
  }
  if (handle) {
    curl.easy_reset(handle);
  } else {
    handle = curl.easy_init();
  }
  void *headers = NULL;
  for (size_t index = 0; handle && index < request->header_count; index++) {
    void *longer = curl.slist_append(headers, request->headers[index]);
    if (!longer) break;
    headers = longer;
  }
  if (!handle || !headers) {
    curl.slist_free_all(headers);
    fail(result, -1, "there is no memory for a request");
    return;
  }
  char error[256] = {0};
  int code = 0;
#define SET(option, value) (code = code ? code : curl.easy_setopt(handle, option, value))
  SET(opt_error_buffer, error);
  SET(opt_no_signal, 1L);
  SET(opt_protocols, (long)(request->needs_http_2 ? protocols_https : protocols_http_https));
  if (request->needs_http_2) SET(opt_http_version, (long)version_2_over_tls);
  if (request->certificates) SET(opt_ca_info, request->certificates);
  // No proxy, even if the environment names one.
  SET(opt_proxy, "");
  SET(opt_url, request->url);
  SET(opt_http_header, headers);
  SET(opt_post_field_size, (long)request->body_length);
  SET(opt_post_fields, request->body);
  SET(opt_connect_timeout_ms, request->connect_milliseconds);
  SET(opt_timeout_ms, request->total_milliseconds);
  SET(opt_write_function, take_body);
  SET(opt_write_data, result);
  SET(opt_header_function, take_field);
  SET(opt_header_data, result);
  SET(opt_open_socket_function, open_socket);
  SET(opt_open_socket_data, request);
  SET(opt_progress_function, progress);
  SET(opt_progress_data, request);
  SET(opt_no_progress, 0L);
#undef SET
  // Else a name server that does not answer is waited for beyond the time that a request has. Only libcurl 7.87 and later knows
  // it.
  curl.easy_setopt(handle, opt_quick_exit, 1L);
  if (code == 0) code = curl.easy_perform(handle);
  // Its status had come before the answer grew too long.
  if (result->received > answer_limit) code = 0;
  long version = version_2;
  if (code == 0 && request->needs_http_2) curl.easy_getinfo(handle, info_http_version, &version);
  if (code == 0 && version != version_2) {
    fail(result, -1, "the peer does not speak HTTP/2");
  } else if (code == 0) {
    curl.easy_getinfo(handle, info_response_code, &result->status);
  } else {
    strncpy(result->error, error, sizeof result->error - 1);
    fail(result, code, curl.easy_strerror(code));
  }
  // The handle outlives the memory it points to.
  curl.easy_reset(handle);
  curl.slist_free_all(headers);
}
