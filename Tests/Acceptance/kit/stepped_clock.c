// Holds a program's wall clock still (LD_PRELOAD): CLOCK_REALTIME is the time in the file STEPPED_CLOCK, until that
// changes. So is the time since the machine was started (sysinfo(2)), by which the service judges whether its clock has
// jumped.
//
// The file holds one 64-bit number, milliseconds since 1970, and is mapped, so that writing it steps the clock of a
// running program. All other clocks run on.
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

static _Atomic int64_t *milliseconds;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void map(void) {
  const char *path = getenv("STEPPED_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *milliseconds, PROT_READ, MAP_SHARED, file, 0);
  // A program that does not see the stepped clock must not seem to.
  if (mapped == MAP_FAILED) abort();
  milliseconds = mapped;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return syscall(SYS_clock_gettime, clock, time);
  pthread_once(&once, map);
  int64_t now = atomic_load(milliseconds);
  *time = (struct timespec){now / 1000, now % 1000 * 1000000};
  return 0;
}

int sysinfo(struct sysinfo *info) {
  int result = syscall(SYS_sysinfo, info);
  pthread_once(&once, map);
  if (!result) info->uptime = atomic_load(milliseconds) / 1000;
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
