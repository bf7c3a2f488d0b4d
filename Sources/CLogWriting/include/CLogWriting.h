// Files as SQLite sees them, of which the write-ahead log is written in one piece for each commit.
#ifndef C_LOG_WRITING_H
#define C_LOG_WRITING_H

// The name of the file system that `log_writing_register` adds to SQLite's, for sqlite3_open_v2.
//
// SQLite writes the log with two calls for each page, of 24 bytes and of the page, which costs more than the copying. Here they
// are gathered, and written when SQLite syncs the log, reads it, changes its size or asks for it, writes elsewhere in it than at
// the end of what is gathered, or closes it. So whatever SQLite has made durable or looks at is in the file. What it has not
// synced may be written later than with the system's own files, and is lost with the process: a connection must have
// `synchronous` at FULL (sqlite.org/pragma.html#pragma_synchronous), where each commit syncs the log before others are told of
// it, and not at NORMAL or OFF. A write that fails is reported by the call that caused it, and what was gathered is dropped: it
// belongs to a transaction that fails with that call.
extern const char *const log_writing_files;

// Adds it, once for the process; an error code of SQLite.
int log_writing_register(void);

#endif
