// Put before the C library's functions: SQLite's writer times its commits by a clock that goes a thousand times as slowly, so
// that in callgrind, where all takes a hundred times as long, it puts as many writes into a commit as otherwise.
#define _GNU_SOURCE
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int is_writer(void) {
  static __thread int known;
  if (!known) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    known = strcmp(name, "sqlite-writer") == 0 ? 1 : -1;
  }
  return known == 1;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  long code = syscall(SYS_clock_gettime, clock, time);
  if (code == 0 && clock == CLOCK_BOOTTIME && is_writer()) {
    long long slow = (time->tv_sec * 1000000000LL + time->tv_nsec) / 1000;
    time->tv_sec = slow / 1000000000;
    time->tv_nsec = slow % 1000000000;
  }
  return code;
}
