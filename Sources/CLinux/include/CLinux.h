// Calls that Glibc's module map leaves out: epoll, eventfd, addresses of local sockets, and the GNU extensions that
// need _GNU_SOURCE.
#ifndef C_LINUX_H
#define C_LINUX_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Names the calling thread: pthread_setname_np(3). At most 15 bytes and a NUL.
void linux_name_current_thread(const char *name);

// Has the calling thread run behind others: setpriority(2), which on Linux is of one thread. 0 as by default, 19 last.
void linux_set_current_thread_niceness(int niceness);

// Has the calling thread take a processor soon after it wakes, by a short slice: sched_setattr(2), the runtime of a
// thread of the usual policy, since Linux 6.12. A thread that wakes takes the place of one with a longer slice and does
// not wait for its end. It gets no greater share of the time. Without effect on older kernels, and if that call is
// forbidden.
void linux_set_current_thread_prompt(void);

// accept4(2) with SOCK_NONBLOCK | SOCK_CLOEXEC.
int linux_accept_nonblocking(int socket, struct sockaddr_storage *address, socklen_t *length);

// socket(2) for TCP with SOCK_NONBLOCK | SOCK_CLOEXEC.
int linux_nonblocking_stream_socket(int family);

// The number of bytes sent on a TCP socket that the peer has not acknowledged: SIOCOUTQ of tcp(7). 0 on an error.
int linux_unacknowledged_byte_count(int socket);

// eventfd(2) with EFD_NONBLOCK | EFD_CLOEXEC.
int linux_nonblocking_eventfd(void);

// open(2) with O_TMPFILE: a file in the folder that has no name and can get none, for reading and writing, with
// O_CLOEXEC. -1 with errno, which is EOPNOTSUPP or EISDIR if the file system or the kernel knows no such files.
int linux_open_unnamed_file(const char *folder);

// sync_file_range(2): writes the changed pages of a part of a file to disk and waits for them, but neither for the
// metadata that locates them nor for the disk's cache. -1 with errno.
int linux_write_back(int file, int64_t offset, int64_t length);

// epoll_ctl(2) with the events and the descriptor itself as the event's data.
int linux_epoll_control(int epoll, int operation, int descriptor, uint32_t events);

// A number of the calling thread, from 0 on in the order in which threads first ask.
unsigned linux_thread_number(void);

// The pointer that the calling thread was marked with, NULL on any other thread.
void *linux_thread_mark(void);

// Marks the calling thread with a pointer, which is compared and never followed.
void linux_set_thread_mark(void *mark);

// Gives the memory that the allocator does not use back to the system, if it is more than `unused` bytes:
// malloc_trim(3).
void linux_give_memory_back(size_t unused);

// Lets the allocator keep up to `unused` bytes at the end of each arena (mallopt(3)), until linux_give_memory_back. By
// default it gives back all over 128 KiB as soon as they are free: a loop that frees 10 MB stands still for a
// millisecond.
void linux_keep_memory(int unused);

// The seconds since the machine was started, suspensions included: sysinfo(2). The clocks that Swift sleeps by are others, so that a
// test can move this one together with the wall clock.
int64_t linux_uptime(void);

// Sends a datagram to a local socket: at a path, or at the abstract address behind an `@` (unix(7)). -1 with errno.
int linux_send_local_datagram(const char *address, const char *text, unsigned length);

#endif
