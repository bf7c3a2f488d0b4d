// Files as SQLite sees them, of which the write-ahead log is written in one piece for each commit.
#ifndef C_LOG_WRITING_H
#define C_LOG_WRITING_H

// The name of the file system that `log_writing_register` adds to SQLite's, for sqlite3_open_v2.
//
// SQLite writes the log with two calls for each page, of 24 bytes and of the page, which costs more than the copying.
// Here they are gathered during a commit, and written when SQLite syncs the log, reads it, changes its size or asks for
// it, or writes elsewhere in it than at the end of what is gathered. Bytes left when the commit is over are dropped: it
// has failed. A connection must have `synchronous` at FULL (sqlite.org/pragma.html#pragma_synchronous), at which each
// commit syncs the log before it becomes visible, and not at NORMAL or OFF. A write that fails is reported by the call
// that caused it.
extern const char *const log_writing_files;

// Adds it, once for the process; an error code of SQLite.
int log_writing_register(void);

// Says that the calling thread's COMMIT begins, and that it is over, well or not. Only between them anything is
// gathered: earlier writes of a transaction may be rolled back, and must not be written once its lock is gone.
void log_writing_begin_commit(void);
void log_writing_end_commit(void);

#endif
