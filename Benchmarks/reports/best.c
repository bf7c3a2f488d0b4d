// The best that SQL by hand does through SQLite's C library: a month by person, and a list of 100 rows.
//
//   best DATABASE SPANS LISTS [COVERING]
//
// SPANS has a line for each month: organization, an active entry's end, the first and the last date as days since 1970,
// how many days, and the instants at which these days begin and the last one ends, in milliseconds. LISTS has an
// organization and a user in each line. COVERING is a database with copies of the table that hold nothing else than a
// month's report needs.
//
// Prints for each form its name, the mean and the median in microseconds, and the sum of all seconds or the count of
// all rows, which shows whether forms agree. `split` cuts entries at local midnight, so as a report does; the others
// clip them to the month only, which is less work.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { span_limit = 10000, day_limit = 64, user_limit = 1 << 20 };

struct span {
  long long organization, as_of, first, last;
  int days;
  long long bounds[day_limit + 1];
};

struct list {
  long long organization, user;
};

static struct span spans[span_limit];
static struct list lists[span_limit];
static int span_count, list_count;
static double samples[span_limit];
static long long seconds_of[user_limit];

static void fail(sqlite3 *database, const char *what) {
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(database));
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const char *name, int count, long long check) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += samples[i];
  qsort(samples, count, sizeof *samples, compare);
  printf("%s %.1f %.1f %lld\n", name, sum / count, samples[count / 2], check);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)) fail(database, sql);
  return statement;
}

static void bind(sqlite3_stmt *statement, const struct span *span) {
  sqlite3_bind_int64(statement, 1, span->organization);
  sqlite3_bind_int64(statement, 2, span->first - 1);
  sqlite3_bind_int64(statement, 3, span->last + 1);
  sqlite3_bind_int64(statement, 4, span->bounds[0]);
  sqlite3_bind_int64(statement, 5, span->bounds[span->days]);
  sqlite3_bind_int64(statement, 6, span->as_of);
}

// Columns: user, seconds, entries.
static void measure_sums(sqlite3 *database, const char *name, const char *sql) {
  sqlite3_stmt *statement = prepare(database, sql);
  long long check = 0;
  for (int pass = 0; pass < 2; pass++) {
    check = 0;
    for (int i = 0; i < span_count; i++) {
      double began = now();
      bind(statement, &spans[i]);
      int code;
      while ((code = sqlite3_step(statement)) == SQLITE_ROW) check += sqlite3_column_int64(statement, 1);
      if (code != SQLITE_DONE) fail(database, name);
      sqlite3_reset(statement);
      samples[i] = now() - began;
    }
  }
  sqlite3_finalize(statement);
  report(name, span_count, check);
}

// Columns: user, clock-in, clock-out or null. Cut at each midnight, whole seconds for each entry and day.
static void measure_split(sqlite3 *database, const char *name, const char *sql) {
  sqlite3_stmt *statement = prepare(database, sql);
  long long check = 0;
  for (int pass = 0; pass < 2; pass++) {
    check = 0;
    for (int i = 0; i < span_count; i++) {
      const struct span *span = &spans[i];
      double began = now();
      bind(statement, span);
      // A member's own zone may be half a day behind the organization's, and a shift goes on for most of a day.
      sqlite3_bind_int64(statement, 2, span->first - 2);
      int code, day = 0;
      long long last = -1;
      while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        long long user = sqlite3_column_int64(statement, 0), begins = sqlite3_column_int64(statement, 1);
        long long ends = sqlite3_column_type(statement, 2) == SQLITE_NULL ? span->as_of
                                                                          : sqlite3_column_int64(statement, 2);
        if (user < 0 || user >= user_limit) fail(database, "a user's number");
        // Rows of one user are in the order of time.
        if (user != last) day = 0, seconds_of[user] = 0, last = user;
        while (day > 0 && span->bounds[day] > begins) day--;
        while (day < span->days && span->bounds[day + 1] <= begins) day++;
        for (int d = day; d < span->days && span->bounds[d] < ends; d++) {
          long long from = begins > span->bounds[d] ? begins : span->bounds[d];
          long long to = ends < span->bounds[d + 1] ? ends : span->bounds[d + 1];
          if (to > from) seconds_of[user] += (to - from) / 1000, check += (to - from) / 1000;
        }
      }
      if (code != SQLITE_DONE) fail(database, name);
      sqlite3_reset(statement);
      samples[i] = now() - began;
    }
  }
  sqlite3_finalize(statement);
  report(name, span_count, check);
}

static void measure_lists(sqlite3 *database) {
  sqlite3_stmt *statement = prepare(
      database,
      "SELECT organization_id, user_id, date, created_at, entry_number, id, clock_in, clock_out, time_zone,"
      " offset_seconds, session_id, notes, source, flags, version, updated_at FROM time_entries NOT INDEXED"
      " WHERE organization_id = ?1 AND user_id = ?2 ORDER BY date DESC, created_at DESC, entry_number DESC LIMIT 100");
  long long rows = 0;
  volatile long long sink = 0;
  for (int pass = 0; pass < 2; pass++) {
    rows = 0;
    for (int i = 0; i < list_count; i++) {
      double began = now();
      sqlite3_bind_int64(statement, 1, lists[i].organization);
      sqlite3_bind_int64(statement, 2, lists[i].user);
      int code;
      while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        rows++;
        for (int column = 0; column < 16; column++) {
          switch (sqlite3_column_type(statement, column)) {
            case SQLITE_INTEGER: sink += sqlite3_column_int64(statement, column); break;
            case SQLITE_TEXT:
              sink += sqlite3_column_text(statement, column)[0] + sqlite3_column_bytes(statement, column);
              break;
            case SQLITE_BLOB:
              sink += ((const char *)sqlite3_column_blob(statement, column))[0] +
                      sqlite3_column_bytes(statement, column);
              break;
          }
        }
      }
      if (code != SQLITE_DONE) fail(database, "list");
      sqlite3_reset(statement);
      samples[i] = now() - began;
    }
  }
  sqlite3_finalize(statement);
  report("list", list_count, rows);
}

static void read_files(const char *span_path, const char *list_path) {
  FILE *file = fopen(span_path, "r");
  if (!file) perror(span_path), exit(1);
  struct span span;
  while (span_count < span_limit && fscanf(file, "%lld %lld %lld %lld %d", &span.organization, &span.as_of, &span.first,
                                           &span.last, &span.days) == 5) {
    if (span.days < 1 || span.days > day_limit) fprintf(stderr, "%d days\n", span.days), exit(64);
    for (int day = 0; day <= span.days; day++)
      if (fscanf(file, "%lld", &span.bounds[day]) != 1) fprintf(stderr, "a day's begin is missing\n"), exit(64);
    spans[span_count++] = span;
  }
  fclose(file);
  file = fopen(list_path, "r");
  if (!file) perror(list_path), exit(1);
  while (list_count < span_limit &&
         fscanf(file, "%lld %lld", &lists[list_count].organization, &lists[list_count].user) == 2)
    list_count++;
  fclose(file);
}

#define SECONDS "sum((min(coalesce(e.clock_out, ?6), ?5) - max(e.clock_in, ?4)) / 1000), count(*)"
#define IN_SPAN "e.clock_in < ?5 AND coalesce(e.clock_out, ?6) > ?4"

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: best DATABASE SPANS LISTS [COVERING]\n"), 64;
  read_files(argv[2], argv[3]);
  sqlite3 *database;
  if (sqlite3_open_v2(argv[1], &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL)) fail(database, argv[1]);
  // As much cache as one of the service's readers has. One snapshot for all: none pays for its own.
  sqlite3_exec(database, "PRAGMA mmap_size = 0; PRAGMA cache_size = -2048; BEGIN", NULL, NULL, NULL);
  measure_sums(database, "descents",
               "SELECT e.user_id, " SECONDS " FROM members m CROSS JOIN time_entries e NOT INDEXED"
               " WHERE m.organization_id = ?1 AND e.organization_id = ?1 AND e.user_id = m.user_id"
               " AND e.date BETWEEN ?2 AND ?3 AND " IN_SPAN " GROUP BY m.user_id");
  measure_sums(database, "dates",
               "SELECT e.user_id, " SECONDS " FROM time_entries e INDEXED BY time_entries_by_date"
               " WHERE e.organization_id = ?1 AND e.date BETWEEN ?2 AND ?3 AND " IN_SPAN " GROUP BY e.user_id");
  measure_split(database, "split",
                "SELECT e.user_id, e.clock_in, e.clock_out FROM members m CROSS JOIN time_entries e NOT INDEXED"
                " WHERE m.organization_id = ?1 AND e.organization_id = ?1 AND e.user_id = m.user_id"
                " AND e.date BETWEEN ?2 AND ?3 AND " IN_SPAN);
  measure_lists(database);
  if (argc > 4) {
    sqlite3 *covering;
    if (sqlite3_open_v2(argv[4], &covering, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL)) fail(covering, argv[4]);
    sqlite3_exec(covering, "PRAGMA mmap_size = 0; PRAGMA cache_size = -2048; BEGIN", NULL, NULL, NULL);
    measure_sums(covering, "covering-by-date",
                 "SELECT e.user_id, " SECONDS " FROM by_date e"
                 " WHERE e.organization_id = ?1 AND e.date BETWEEN ?2 AND ?3 AND " IN_SPAN " GROUP BY e.user_id");
    measure_split(covering, "covering-split",
                  "SELECT e.user_id, e.clock_in, e.clock_out FROM members m CROSS JOIN by_member e"
                  " WHERE m.organization_id = ?1 AND e.organization_id = ?1 AND e.user_id = m.user_id"
                  " AND e.date BETWEEN ?2 AND ?3 AND " IN_SPAN);
    measure_sums(covering, "covering-descents",
                 "SELECT e.user_id, " SECONDS " FROM members m CROSS JOIN by_member e"
                 " WHERE m.organization_id = ?1 AND e.organization_id = ?1 AND e.user_id = m.user_id"
                 " AND e.date BETWEEN ?2 AND ?3 AND " IN_SPAN " GROUP BY m.user_id");
    sqlite3_close(covering);
  }
  sqlite3_close(database);
}
