#define _GNU_SOURCE
#include <malloc.h>
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

void linux_name_current_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}

void linux_set_current_thread_niceness(int niceness) {
  setpriority(PRIO_PROCESS, 0, niceness);
}

void linux_set_current_thread_prompt(void) {
  // The first of sched_attr's versions; glibc has declared it since 2.41.
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } attributes = {0};
  if (syscall(SYS_sched_getattr, 0, &attributes, (unsigned)sizeof attributes, 0U) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  // The least that the kernel takes, in nanoseconds.
  attributes.runtime = 100000;
  syscall(SYS_sched_setattr, 0, &attributes, 0U);
}

int linux_accept_nonblocking(int socket, struct sockaddr_storage *address, socklen_t *length) {
  return accept4(socket, (struct sockaddr *)address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int linux_nonblocking_stream_socket(int family) {
  return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

int linux_unacknowledged_byte_count(int socket) {
  int count = 0;
  return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : 0;
}

int linux_nonblocking_eventfd(void) {
  return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

int linux_open_unnamed_file(const char *folder) {
  return open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
}

int linux_write_back(int file, int64_t offset, int64_t length) {
  return sync_file_range(file, offset, length,
                         SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

int linux_epoll_control(int epoll, int operation, int descriptor, uint32_t events) {
  struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

static _Thread_local void *thread_mark;

void *linux_thread_mark(void) {
  return thread_mark;
}

void linux_set_thread_mark(void *mark) {
  thread_mark = mark;
}

unsigned linux_thread_number(void) {
  static atomic_uint next;
  static _Thread_local unsigned number;
  if (number == 0) number = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) + 1;
  return number - 1;
}

int linux_send_local_datagram(const char *address, const char *text, unsigned length) {
  struct sockaddr_un local = {.sun_family = AF_UNIX};
  size_t size = strlen(address);
  if (size < 2 || size >= sizeof local.sun_path) {
    errno = EINVAL;
    return -1;
  }
  memcpy(local.sun_path, address, size);
  // An abstract address begins with a NUL, and has none at its end.
  if (address[0] == '@') local.sun_path[0] = 0;
  socklen_t local_size = offsetof(struct sockaddr_un, sun_path) + size + (address[0] == '@' ? 0 : 1);
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  struct timeval patience = {.tv_sec = 1};
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  ssize_t sent = sendto(descriptor, text, length, MSG_NOSIGNAL, (struct sockaddr *)&local, local_size);
  int code = errno;
  close(descriptor);
  errno = code;
  return sent == (ssize_t)length ? 0 : -1;
}

int64_t linux_uptime(void) {
  struct sysinfo info;
  return sysinfo(&info) == 0 ? info.uptime : 0;
}

void linux_keep_memory(int unused) {
  mallopt(M_TRIM_THRESHOLD, unused);
  // Without this, setting the other would have blocks of 128 KiB and more mapped and unmapped one by one for ever.
  mallopt(M_MMAP_THRESHOLD, 4 * 1024 * 1024);
}

void linux_give_memory_back(size_t unused) {
  // mallinfo2(3) has been in glibc since 2.33.
  if (mallinfo2().fordblks > unused) malloc_trim(0);
}
