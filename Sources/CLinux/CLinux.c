#define _GNU_SOURCE
#include "CLinux.h"

#include <linux/sockios.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

void linux_name_current_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}

void linux_set_current_thread_niceness(int niceness) {
  setpriority(PRIO_PROCESS, 0, niceness);
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
