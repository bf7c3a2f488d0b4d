// The reachable limit on SQLite: C, one epoll thread, libsqlite3. All writes that are ready at once go into one transaction
// (synchronous=FULL), and their answers are sent once it is committed; another thread checkpoints. There are no tokens, no checks,
// no log of changes: a yardstick, not a service.
//
//   limit DATABASE PORT
//
// POST /clock-in, POST /clock-out, GET /current, GET /entries?from=DATE&to=DATE, with X-Org-Id and X-User-Id. compare.py makes the
// table.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { event_count = 256, request_capacity = 8192, column_count = 11, list_capacity = 256 * 1024 };

struct connection {
  int descriptor;
  size_t length;
  char request[request_capacity];
  char *answer;
  size_t answer_length;
};

static const char *path;
static sqlite3 *database;
static sqlite3_stmt *clock_in, *clock_out, *current, *list, *begin, *commit;

static sqlite3_stmt *prepared(const char *text) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(database, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(database));
    exit(1);
  }
  return statement;
}

static void *checkpoint(void *unused) {
  sqlite3 *connection;
  sqlite3_open(path, &connection);
  sqlite3_exec(connection, "PRAGMA synchronous=FULL; PRAGMA busy_timeout=2000", NULL, NULL, NULL);
  for (;;) {
    int frames = 0, moved = 0;
    usleep(50000);
    sqlite3_wal_checkpoint_v2(connection, NULL, SQLITE_CHECKPOINT_PASSIVE, &frames, &moved);
    if (frames > 20000) sqlite3_wal_checkpoint_v2(connection, NULL, SQLITE_CHECKPOINT_RESTART, &frames, &moved);
  }
  return unused;
}

// The row that the statement stands at, as JSON.
static size_t write_row(char *out, sqlite3_stmt *statement) {
  static const char *const names[] = {"id",     "organization_id", "user_id", "clock_in",   "clock_out", "date",
                                      "status", "session_id",      "notes",   "created_at", "updated_at"};
  size_t length = 0;
  for (int column = 0; column < column_count; column++) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    length += sprintf(out + length, "%c\"%s\":", column ? ',' : '{', names[column]);
    if (!text) {
      length += sprintf(out + length, "null");
    } else if (column == 1 || column == 2) {
      length += sprintf(out + length, "%s", text);
    } else {
      out[length++] = '"';
      for (; *text; text++) {
        if (*text == '"' || *text == '\\') out[length++] = '\\';
        out[length++] = *text;
      }
      out[length++] = '"';
    }
  }
  out[length++] = '}';
  return length;
}

static void answer(struct connection *connection, int status, const char *content, size_t length) {
  connection->answer = malloc(length + 200);
  connection->answer_length = sprintf(connection->answer,
                                      "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", status,
                                      length);
  memcpy(connection->answer + connection->answer_length, content, length);
  connection->answer_length += length;
}

static void answer_row(struct connection *connection, sqlite3_stmt *statement, int status, int otherwise) {
  char row[4096];
  if (sqlite3_step(statement) == SQLITE_ROW) {
    answer(connection, status, row, write_row(row, statement));
  } else {
    answer(connection, otherwise, "{}", 2);
  }
  sqlite3_reset(statement);
}

static void answer_list(struct connection *connection) {
  static char content[list_capacity];
  size_t length = sprintf(content, "{\"entries\":[");
  int count = 0;
  while (sqlite3_step(list) == SQLITE_ROW) {
    if (count++) content[length++] = ',';
    length += write_row(content + length, list);
  }
  sqlite3_reset(list);
  length += sprintf(content + length, "],\"count\":%d}", count);
  answer(connection, 200, content, length);
}

static long number(const char *request, const char *field) {
  const char *place = strcasestr(request, field);
  return place ? atol(place + strlen(field)) : -1;
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
  sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

// Handles a whole request; `is_writing` says whether a transaction is open, and is set by the first write.
static void handle(struct connection *connection, const char *content, int *is_writing) {
  const char *request = connection->request;
  long organization = number(request, "x-org-id:"), user = number(request, "x-user-id:");
  char now[40], notes[500] = "";
  struct timespec time;
  struct tm parts;
  clock_gettime(CLOCK_REALTIME, &time);
  gmtime_r(&time.tv_sec, &parts);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S", &parts);
  sprintf(now + 19, ".%03ldZ", time.tv_nsec / 1000000);
  int comes = strncmp(request, "POST /clock-in ", 15) == 0, leaves = strncmp(request, "POST /clock-out ", 16) == 0;
  if (comes || leaves) {
    if (!*is_writing) sqlite3_step(begin), sqlite3_reset(begin);
    *is_writing = 1;
  }
  sqlite3_stmt *statement = comes ? clock_in : leaves ? clock_out : strncmp(request, "GET /entries", 12) ? current : list;
  sqlite3_bind_int64(statement, 1, organization);
  sqlite3_bind_int64(statement, 2, user);
  if (comes) {
    unsigned char random[16];
    char id[40];
    getrandom(random, sizeof random, 0);
    for (int i = 0; i < 16; i++) sprintf(id + 2 * i, "%02x", random[i]);
    const char *place = strstr(content, "\"notes\":\"");
    if (place) sscanf(place + 9, "%499[^\"]", notes);
    bind_text(statement, 3, now, -1);
    bind_text(statement, 4, now, 10);
    bind_text(statement, 5, notes, -1);
    bind_text(statement, 6, id, 32);
    answer_row(connection, statement, 201, 409);
  } else if (leaves) {
    bind_text(statement, 3, now, -1);
    answer_row(connection, statement, 200, 409);
  } else if (statement == list) {
    const char *from = strstr(request, "from="), *to = strstr(request, "to=");
    bind_text(statement, 3, from ? from + 5 : "0000", from ? 10 : 4);
    bind_text(statement, 4, to ? to + 3 : "9999", to ? 10 : 4);
    answer_list(connection);
  } else {
    answer_row(connection, statement, 200, 404);
  }
}

static void open_database(void) {
  sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  sqlite3_exec(database,
               "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA busy_timeout=5000;"
               "PRAGMA cache_size=-65536",
               NULL, NULL, NULL);
  clock_in = prepared(
      "INSERT INTO time_entries (id, organization_id, user_id, clock_in, date, status, notes, created_at, updated_at)"
      " VALUES (?6, ?1, ?2, ?3, ?4, 'clocked-in', ?5, ?3, ?3) ON CONFLICT DO NOTHING RETURNING *");
  clock_out = prepared(
      "UPDATE time_entries SET clock_out = ?3, status = 'clocked-out', updated_at = ?3"
      " WHERE organization_id = ?1 AND user_id = ?2 AND status = 'clocked-in' RETURNING *");
  current =
      prepared("SELECT * FROM time_entries WHERE organization_id = ?1 AND user_id = ?2 AND status = 'clocked-in'");
  list = prepared(
      "SELECT * FROM time_entries WHERE organization_id = ?1 AND user_id = ?2 AND date BETWEEN ?3 AND ?4"
      " ORDER BY date DESC LIMIT 100");
  begin = prepared("BEGIN IMMEDIATE");
  commit = prepared("COMMIT");
}

static int listening(int port) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) || listen(descriptor, 1024)) perror("bind"), exit(1);
  return descriptor;
}

static void watch(int poller, int descriptor, void *connection) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
}

static void accept_one(int poller, int listener) {
  int descriptor = accept(listener, NULL, NULL), on = 1;
  if (descriptor < 0) return;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct connection *connection = calloc(1, sizeof *connection);
  connection->descriptor = descriptor;
  watch(poller, descriptor, connection);
}

// Reads waiting bytes; the content of a request that is whole, else NULL. A closed connection goes.
static const char *receive(struct connection *connection) {
  ssize_t count = recv(connection->descriptor, connection->request + connection->length,
                       request_capacity - 1 - connection->length, 0);
  if (count <= 0) {
    close(connection->descriptor);
    free(connection);
    return NULL;
  }
  connection->length += count;
  connection->request[connection->length] = 0;
  const char *end = strstr(connection->request, "\r\n\r\n");
  if (!end) return NULL;
  long content = number(connection->request, "content-length:");
  size_t whole = end + 4 - connection->request + (content > 0 ? content : 0);
  return connection->length < whole ? NULL : end + 4;
}

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: limit DATABASE PORT\n"), 64;
  path = argv[1];
  open_database();
  pthread_t thread;
  pthread_create(&thread, NULL, checkpoint, NULL);
  int listener = listening(atoi(argv[2])), poller = epoll_create1(0);
  watch(poller, listener, NULL);
  struct epoll_event events[event_count];
  struct connection *done[event_count];
  for (;;) {
    int ready = epoll_wait(poller, events, event_count, -1), count = 0, is_writing = 0;
    for (int i = 0; i < ready; i++) {
      struct connection *connection = events[i].data.ptr;
      if (!connection) {
        accept_one(poller, listener);
        continue;
      }
      const char *content = receive(connection);
      if (!content) continue;
      handle(connection, content, &is_writing);
      connection->length = 0;
      done[count++] = connection;
    }
    if (is_writing && sqlite3_step(commit) != SQLITE_DONE) {
      fprintf(stderr, "%s\n", sqlite3_errmsg(database));
      return 1;
    }
    sqlite3_reset(commit);
    for (int i = 0; i < count; i++) {
      send(done[i]->descriptor, done[i]->answer, done[i]->answer_length, MSG_NOSIGNAL);
      free(done[i]->answer);
    }
  }
}
