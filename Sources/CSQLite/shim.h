#include <sqlite3.h>

// Calls that Swift lacks: functions with variable argument lists, and callbacks that need C's calling rules.

// Leaves out the counters of allocated memory, whose lock every allocation of every connection would take
// (sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus). Before any other call.
static inline int sqlite_without_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Up to `bytes` bytes of pages that a savepoint may have to restore stay in memory; more go into a temporary file
// (sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigstmtjrnlspill). By default it is 64 KiB, which one
// write in fifty exceeds, and with it all others of its commit. It must be less than 128 KiB: memory is written to the
// file in pieces of that size, and SQLite's files take no longer ones (os_unix.c, seekAndWriteFd). Before any other
// call.
static inline int sqlite_keep_savepoints_in_memory(int bytes) {
  return sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, bytes);
}

static inline int sqlite_no_checkpoint_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Text in double quotes is an error instead of a string (sqlite.org/quirks.html).
static inline int sqlite_no_double_quoted_strings(sqlite3 *database) {
  int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  return code == SQLITE_OK ? sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0) : code;
}

// Keeps, in *pages, how many pages the write-ahead log has after each commit of the connection.
static inline int sqlite_count_wal_page(void *pages, sqlite3 *database, const char *name, int count) {
  (void)database;
  (void)name;
  *(int *)pages = count;
  return SQLITE_OK;
}

static inline void sqlite_count_wal_pages(sqlite3 *database, int *pages) {
  sqlite3_wal_hook(database, sqlite_count_wal_page, pages);
}
