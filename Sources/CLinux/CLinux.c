#define _GNU_SOURCE
#include "CLinux.h"

#include <pthread.h>

void linux_name_current_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}

int linux_accept_nonblocking(int socket, struct sockaddr_storage *address, socklen_t *length) {
  return accept4(socket, (struct sockaddr *)address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
