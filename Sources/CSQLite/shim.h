#include <sqlite3.h>

// sqlite3_db_config() takes a variable argument list, which Swift cannot call.
static inline int sqlite_no_checkpoint_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
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

// sqlite3_config() takes a variable argument list too. Has no effect once SQLite is in use.
static inline void sqlite_configure_without_memory_status(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
