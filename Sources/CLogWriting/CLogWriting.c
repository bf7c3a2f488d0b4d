#include "CLogWriting.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

const char *const log_writing_files = "timeclock-log";

// The most that is gathered: 29 pages of 4 KiB. Larger pieces are hardly cheaper, and SQLite's own files take no piece of
// 128 KiB or more: no page is as long (os_unix.c, seekAndWriteFd).
enum { capacity = 120 * 1024 };

// An open log; the system's own file follows it in the memory that SQLite has for both.
struct log_file {
  sqlite3_file base;
  char *bytes;
  int count;
  sqlite3_int64 offset;
  // The commit that gathers.
  unsigned commit;
};

// The thread's commit that is under way, 0 for none, and its last one.
static _Thread_local unsigned commit, last_commit;

void log_writing_begin_commit(void) {
  last_commit += last_commit + 1 == 0 ? 2 : 1;
  commit = last_commit;
}

void log_writing_end_commit(void) { commit = 0; }

static sqlite3_vfs *system_files;
static sqlite3_vfs files;

static sqlite3_file *system_file(struct log_file *log) { return (sqlite3_file *)(log + 1); }

static struct log_file *log_file(sqlite3_file *file) { return (struct log_file *)file; }

static int flush(struct log_file *log) {
  int count = log->count;
  log->count = 0;
  // The rest of a commit has failed with it, and by now other connections may have written there.
  if (count == 0 || log->commit != commit) return SQLITE_OK;
  sqlite3_file *file = system_file(log);
  return file->pMethods->xWrite(file, log->bytes, count, log->offset);
}

static int write_log(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  struct log_file *log = log_file(base);
  int is_next = commit != 0 && log->commit == commit && offset == log->offset + log->count;
  if (log->count > 0 && (!is_next || count > capacity - log->count)) {
    int code = flush(log);
    if (code != SQLITE_OK) return code;
  }
  sqlite3_file *file = system_file(log);
  if (commit != 0 && !log->bytes) log->bytes = malloc(capacity);
  if (commit == 0 || !log->bytes || count > capacity) return file->pMethods->xWrite(file, bytes, count, offset);
  if (log->count == 0) {
    log->offset = offset;
    log->commit = commit;
  }
  memcpy(log->bytes + log->count, bytes, count);
  log->count += count;
  return SQLITE_OK;
}

// The system's file, once all is written; nothing, with the error, if that fails.
static sqlite3_file *written(sqlite3_file *base, int *code) {
  struct log_file *log = log_file(base);
  *code = flush(log);
  return *code == SQLITE_OK ? system_file(log) : NULL;
}

static int close_log(sqlite3_file *base) {
  struct log_file *log = log_file(base);
  int code = flush(log);
  sqlite3_file *file = system_file(log);
  int closing = file->pMethods ? file->pMethods->xClose(file) : SQLITE_OK;
  free(log->bytes);
  log->bytes = NULL;
  return code == SQLITE_OK ? closing : code;
}

static int read_log(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  int code;
  sqlite3_file *file = written(base, &code);
  return file ? file->pMethods->xRead(file, bytes, count, offset) : code;
}

static int truncate_log(sqlite3_file *base, sqlite3_int64 size) {
  int code;
  sqlite3_file *file = written(base, &code);
  return file ? file->pMethods->xTruncate(file, size) : code;
}

static int sync_log(sqlite3_file *base, int flags) {
  int code;
  sqlite3_file *file = written(base, &code);
  return file ? file->pMethods->xSync(file, flags) : code;
}

static int log_size(sqlite3_file *base, sqlite3_int64 *size) {
  int code;
  sqlite3_file *file = written(base, &code);
  return file ? file->pMethods->xFileSize(file, size) : code;
}

static int control_log(sqlite3_file *base, int operation, void *argument) {
  int code;
  sqlite3_file *file = written(base, &code);
  return file ? file->pMethods->xFileControl(file, operation, argument) : code;
}

static int lock_log(sqlite3_file *base, int lock) {
  sqlite3_file *file = system_file(log_file(base));
  return file->pMethods->xLock(file, lock);
}

static int unlock_log(sqlite3_file *base, int lock) {
  sqlite3_file *file = system_file(log_file(base));
  return file->pMethods->xUnlock(file, lock);
}

static int is_log_reserved(sqlite3_file *base, int *is_reserved) {
  sqlite3_file *file = system_file(log_file(base));
  return file->pMethods->xCheckReservedLock(file, is_reserved);
}

static int log_sector_size(sqlite3_file *base) {
  sqlite3_file *file = system_file(log_file(base));
  return file->pMethods->xSectorSize(file);
}

static int log_characteristics(sqlite3_file *base) {
  sqlite3_file *file = system_file(log_file(base));
  return file->pMethods->xDeviceCharacteristics(file);
}

// Without shared memory and without mapping, which SQLite has for the database itself (sqlite.org/c3ref/io_methods.html).
static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = close_log,
    .xRead = read_log,
    .xWrite = write_log,
    .xTruncate = truncate_log,
    .xSync = sync_log,
    .xFileSize = log_size,
    .xLock = lock_log,
    .xUnlock = unlock_log,
    .xCheckReservedLock = is_log_reserved,
    .xFileControl = control_log,
    .xSectorSize = log_sector_size,
    .xDeviceCharacteristics = log_characteristics,
};

static int open_file(sqlite3_vfs *unused, sqlite3_filename name, sqlite3_file *file, int flags, int *opened) {
  (void)unused;
  if (!(flags & SQLITE_OPEN_WAL)) return system_files->xOpen(system_files, name, file, flags, opened);
  struct log_file *log = log_file(file);
  memset(log, 0, sizeof *log);
  int code = system_files->xOpen(system_files, name, system_file(log), flags, opened);
  // SQLite closes a file with methods, even if opening has failed.
  if (system_file(log)->pMethods) log->base.pMethods = &log_methods;
  return code;
}

static int outcome;

static void add_files(void) {
  system_files = sqlite3_vfs_find(NULL);
  if (!system_files) {
    outcome = SQLITE_ERROR;
    return;
  }
  // All other calls, such as deleting a file, go to the system's.
  files = *system_files;
  files.pNext = NULL;
  files.zName = log_writing_files;
  files.szOsFile = (int)sizeof(struct log_file) + system_files->szOsFile;
  files.xOpen = open_file;
  outcome = sqlite3_vfs_register(&files, 0);
}

int log_writing_register(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, add_files);
  return outcome;
}
