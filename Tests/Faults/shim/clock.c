// Moves a program's wall clock (LD_PRELOAD): CLOCK_REALTIME is off by as many seconds as the file SHIM_CLOCK says.
//
// The file holds one 64-bit number and is mapped, so that writing it moves the clock of a running program. All other
// clocks stay: it is wrong. With SHIM_TIME_PASSES the time since the machine was started (sysinfo(2)), by which the
// service judges its clock, moves along: that much time has passed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t none;
static _Atomic int64_t *offset = &none;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void map(void) {
  const char *path = getenv("SHIM_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) offset = mapped;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  pthread_once(&once, map);
  int result = syscall(SYS_clock_gettime, clock, time);
  if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += atomic_load(offset);
  return result;
}

int sysinfo(struct sysinfo *info) {
  pthread_once(&once, map);
  int result = syscall(SYS_sysinfo, info);
  if (!result && getenv("SHIM_TIME_PASSES")) info->uptime += atomic_load(offset);
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
