// What Glibc's module map leaves out: epoll, eventfd, and the GNU extensions that need _GNU_SOURCE.
#ifndef C_LINUX_H
#define C_LINUX_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Names the calling thread: pthread_setname_np(3). At most 15 bytes and a NUL.
void linux_name_current_thread(const char *name);

// accept4(2) with SOCK_NONBLOCK | SOCK_CLOEXEC.
int linux_accept_nonblocking(int socket, struct sockaddr_storage *address, socklen_t *length);

#endif
