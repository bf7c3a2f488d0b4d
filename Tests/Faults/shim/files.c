// Stands between a program and the files of one folder (LD_PRELOAD): records writes to them, and lets calls fail.
//
// SHIM_FOLDER  the folder; files below it, and the folder itself, are watched, all but those that end with "-shm" in records
// SHIM_TRACE   a file that records are appended to, one for each call that changes anything, by all processes (recording.py
//              reads them)
// SHIM_FAIL    CALL:FILE:EFFECT:NTH:HOW, what is to fail (failing_calls.py has the words):
//              CALL    fsync, write, truncate, read, open
//              FILE    database, wal, shm, lock, folder, other, any
//              EFFECT  an errno, or "swallow": success is answered, and nothing is done
//              NTH     from the NTH such call on
//              HOW     once, always
// SHIM_GATE    calls fail only while this file exists
// SHIM_HITS    a file that grows by a byte with each call that was made to fail
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { MAXIMUM_FILES = 65536, MAXIMUM_PATH = 4096 };
enum effect { NOTHING = 0, SWALLOW = -1 };  // Else an errno.

struct record {
  char operation;  // W write, S sync, T truncate, C create, U unlink, R rename, D sync of the folder
  char failed;
  uint16_t name_length;
  uint32_t process;
  uint64_t nanoseconds;  // CLOCK_MONOTONIC, when the call had ended.
  uint64_t inode;
  int64_t offset;
  uint64_t length;
};

static struct watched {
  char *name;  // Below the folder, "" for the folder itself; null if not watched.
  uint64_t inode;
} files[MAXIMUM_FILES];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char folder[MAXIMUM_PATH];
static size_t folder_length;
static int trace = -1, hits = -1;
static const char *gate;
static char failing_call[16], failing_file[16];
static int failing_effect;
static long failing_number, failing_count;
static int is_always;

#define REAL(result, name, ...) static result (*real_##name)(__VA_ARGS__)
REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
REAL(ssize_t, write, int, const void *, size_t);
REAL(ssize_t, pread64, int, void *, size_t, off64_t);
REAL(ssize_t, read, int, void *, size_t);
REAL(int, fsync, int);
REAL(int, fdatasync, int);
REAL(int, sync_file_range, int, off64_t, off64_t, unsigned);
REAL(int, ftruncate64, int, off64_t);
REAL(int, open64, const char *, int, ...);
REAL(int, close, int);
REAL(int, unlink, const char *);
REAL(int, rename, const char *, const char *);

static void load(void) {
#define LOAD(name) real_##name = dlsym(RTLD_NEXT, #name)
  LOAD(pwrite64); LOAD(write); LOAD(pread64); LOAD(read); LOAD(fsync); LOAD(fdatasync); LOAD(ftruncate64);
  LOAD(sync_file_range);
  LOAD(open64); LOAD(close); LOAD(unlink); LOAD(rename);
  const char *named = getenv("SHIM_FOLDER");
  // An opened file is named by its path without links.
  if (named && realpath(named, folder)) folder_length = strlen(folder);
  gate = getenv("SHIM_GATE");
  const char *path = getenv("SHIM_TRACE");
  if (path) trace = real_open64(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *hit = getenv("SHIM_HITS");
  if (hit) hits = real_open64(hit, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *failing = getenv("SHIM_FAIL");
  char effect[16], how[16];
  if (failing && sscanf(failing, "%15[^:]:%15[^:]:%15[^:]:%ld:%15s", failing_call, failing_file, effect,
                        &failing_number, how) == 5) {
    failing_effect = strcmp(effect, "swallow") ? atoi(effect) : SWALLOW;
    is_always = !strcmp(how, "always");
  }
}

static void begin(void) { pthread_once(&once, load); }

/// The name below the folder, "" for the folder itself; null for any other file.
static const char *below_folder(const char *path) {
  if (!folder_length || strncmp(path, folder, folder_length)) return NULL;
  const char *rest = path + folder_length;
  if (!*rest || !strcmp(rest, "/")) return "";
  return *rest == '/' ? rest + 1 : NULL;
}

static int ends_with(const char *name, const char *end) {
  size_t length = strlen(name), end_length = strlen(end);
  return length >= end_length && !strcmp(name + length - end_length, end);
}

static const char *role(const char *name) {
  if (!*name) return "folder";
  if (ends_with(name, "-wal")) return "wal";
  if (ends_with(name, "-shm")) return "shm";
  if (ends_with(name, ".lock")) return "lock";
  return ends_with(name, ".db") ? "database" : "other";
}

static struct watched *watched(int file) {
  begin();
  return file >= 0 && file < MAXIMUM_FILES && files[file].name ? &files[file] : NULL;
}

/// The effect on this call. Holds the mutex.
static int effect_of(const char *call, const char *name) {
  if (!failing_effect || strcmp(call, failing_call)) return NOTHING;
  if (strcmp(failing_file, "any") && strcmp(failing_file, role(name))) return NOTHING;
  if (gate && access(gate, F_OK)) return NOTHING;
  long count = ++failing_count;
  if (count < failing_number || (count > failing_number && !is_always)) return NOTHING;
  if (hits >= 0 && real_write(hits, ".", 1) < 0) abort();
  return failing_effect;
}

/// Appends a record. Holds the mutex.
static void note(char operation, int failed, const char *name, uint64_t inode, int64_t offset, const void *data,
                 uint64_t length) {
  if (trace < 0 || ends_with(name, "-shm")) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct record record = {operation, failed, strlen(name), getpid(), now.tv_sec * 1000000000ull + now.tv_nsec, inode,
                          offset, length};
  struct iovec parts[] = {{&record, sizeof record}, {(char *)name, record.name_length}, {(char *)data, data ? length : 0}};
  // One call, so that records of several processes do not mix.
  if (writev(trace, parts, 3) < 0) abort();
}

#define LOCKED(body) do { pthread_mutex_lock(&mutex); body; pthread_mutex_unlock(&mutex); } while (0)

static int open_watched(const char *path, int flags, mode_t mode) {
  begin();
  const char *name = path[0] == '/' ? below_folder(path) : NULL;
  if (!name) {
    int file = real_open64(path, flags, mode);
    if (file >= 0 && file < MAXIMUM_FILES) files[file].name = NULL;
    return file;
  }
  int file, error = 0;
  LOCKED({
    int effect = effect_of("open", name);
    int was_there = !access(path, F_OK);
    file = effect > 0 ? -1 : real_open64(path, flags, mode);
    error = effect > 0 ? effect : errno;
    struct stat status;
    if (file >= 0 && file < MAXIMUM_FILES && !fstat(file, &status)) {
      files[file].name = strdup(name);
      files[file].inode = status.st_ino;
      if (!was_there && (flags & O_CREAT)) note('C', 0, name, status.st_ino, 0, NULL, 0);
      if (flags & O_TRUNC) note('T', 0, name, status.st_ino, 0, NULL, 0);
    }
  });
  errno = error;
  return file;
}

#define OPEN(name, ...)                                        \
  int name(const char *path, int flags, ...) {                 \
    va_list arguments;                                         \
    va_start(arguments, flags);                                \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments);                                         \
    return open_watched(path, flags, mode);                    \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  begin();
  if (file >= 0 && file < MAXIMUM_FILES && files[file].name) {
    LOCKED({ free(files[file].name); files[file].name = NULL; });
  }
  return real_close(file);
}

/// `offset` is -1 for the file's own position.
static ssize_t write_watched(int file, const void *data, size_t length, off64_t offset) {
  struct watched *it = watched(file);
  if (!it) return offset < 0 ? real_write(file, data, length) : real_pwrite64(file, data, length, offset);
  ssize_t written;
  int error;
  LOCKED({
    off64_t place = offset < 0 ? lseek(file, 0, fcntl(file, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR) : offset;
    int effect = effect_of("write", it->name);
    if (effect == SWALLOW) {
      written = length;
    } else if (effect > 0) {
      // A full disk takes the part that fits, and fails at the next call.
      if (effect == ENOSPC && length > 512) {
        ssize_t part = real_pwrite64(file, data, length / 2, place);
        if (part > 0) note('W', 0, it->name, it->inode, place, data, part);
      }
      written = -1;
    } else {
      written = offset < 0 ? real_write(file, data, length) : real_pwrite64(file, data, length, offset);
      if (written > 0) note('W', 0, it->name, it->inode, place, data, written);
    }
    error = effect > 0 ? effect : errno;
  });
  errno = error;
  return written;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) { return write_watched(file, data, length, offset); }
ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) { return write_watched(file, data, length, offset); }
ssize_t write(int file, const void *data, size_t length) { return write_watched(file, data, length, -1); }

static int sync_watched(int file, int (*real)(int)) {
  struct watched *it = watched(file);
  if (!it) return real(file);
  int result, error;
  LOCKED({
    int effect = effect_of("fsync", it->name);
    result = effect == SWALLOW ? 0 : effect > 0 ? -1 : real(file);
    error = effect > 0 ? effect : errno;
    // One that was swallowed has never been.
    if (effect != SWALLOW) note(*it->name ? 'S' : 'D', result != 0, it->name, it->inode, 0, NULL, 0);
  });
  errno = error;
  return result;
}

int fsync(int file) { begin(); return sync_watched(file, real_fsync); }
int fdatasync(int file) { begin(); return sync_watched(file, real_fdatasync); }

// It fails as fsync does, and is none: its writes may still be lost with the power.
int sync_file_range(int file, off64_t offset, off64_t length, unsigned flags) {
  begin();
  struct watched *it = watched(file);
  if (!it) return real_sync_file_range(file, offset, length, flags);
  int result, error;
  LOCKED({
    int effect = effect_of("fsync", it->name);
    result = effect == SWALLOW ? 0 : effect > 0 ? -1 : real_sync_file_range(file, offset, length, flags);
    error = effect > 0 ? effect : errno;
  });
  errno = error;
  return result;
}

static int truncate_watched(int file, off64_t length) {
  struct watched *it = watched(file);
  if (!it) return real_ftruncate64(file, length);
  int result, error;
  LOCKED({
    int effect = effect_of("truncate", it->name);
    result = effect == SWALLOW ? 0 : effect > 0 ? -1 : real_ftruncate64(file, length);
    error = effect > 0 ? effect : errno;
    if (effect == NOTHING) note('T', result != 0, it->name, it->inode, length, NULL, 0);
  });
  errno = error;
  return result;
}

int ftruncate(int file, off_t length) { return truncate_watched(file, length); }
int ftruncate64(int file, off64_t length) { return truncate_watched(file, length); }

/// Whether the call is to fail; sets errno.
static int read_fails(int file) {
  struct watched *it = watched(file);
  int effect = NOTHING;
  if (it) LOCKED({ effect = effect_of("read", it->name); });
  if (effect > 0) errno = effect;
  return effect > 0;
}

static ssize_t read_watched(int file, void *data, size_t length, off64_t offset) {
  return read_fails(file) ? -1 : real_pread64(file, data, length, offset);
}

ssize_t pread(int file, void *data, size_t length, off_t offset) { return read_watched(file, data, length, offset); }
ssize_t pread64(int file, void *data, size_t length, off64_t offset) { return read_watched(file, data, length, offset); }
ssize_t read(int file, void *data, size_t length) { return read_fails(file) ? -1 : real_read(file, data, length); }

int unlink(const char *path) {
  begin();
  const char *name = path[0] == '/' ? below_folder(path) : NULL;
  if (!name) return real_unlink(path);
  int result;
  LOCKED({
    result = real_unlink(path);
    note('U', result != 0, name, 0, 0, NULL, 0);
  });
  return result;
}

int rename(const char *from, const char *to) {
  begin();
  const char *old = from[0] == '/' ? below_folder(from) : NULL, *name = to[0] == '/' ? below_folder(to) : NULL;
  if (!old || !name) return real_rename(from, to);
  int result;
  LOCKED({
    result = real_rename(from, to);
    note('R', result != 0, old, 0, 0, name, strlen(name));
  });
  return result;
}
