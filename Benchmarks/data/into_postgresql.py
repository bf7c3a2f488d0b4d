"""Writes generated rows into a PostgreSQL database that the service has made, with COPY through psql."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

from kit import postgresql

# Tables with many rows, each before those that refer to it. Maintaining their keys and indexes takes longer than making
# them again.
LARGE = ("time_entries", "segments")
# Foreign keys last: they need the others.
CONSTRAINTS = """
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = '{0}'::regclass AND contype IN ('f', 'p') ORDER BY contype = 'f', conname"""
# Constraints against overlaps stay, and nothing is written to their indexes meanwhile, as if CREATE INDEX CONCURRENTLY
# had just begun them. VACUUM FULL fills them and looks for no overlaps (finish_heap_swap in commands/cluster.c), which
# takes ALTER TABLE two thirds of its time.
EXCLUSIONS = """
    UPDATE pg_index SET indisready = {1}, indisvalid = {1} WHERE indrelid = '{0}'::regclass AND indisexclusion"""
INDEXES = """
    SELECT i.relname, pg_get_indexdef(i.oid) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    WHERE x.indrelid = '{0}'::regclass AND NOT x.indisprimary AND NOT x.indisexclusion ORDER BY i.relname"""
# Emptied in the transaction that fills them: so rows may be frozen at once, and do not go through the log if
# `wal_level` is minimal (postgresql.org/docs/current/populate.html).
BEGIN = ["-c", "BEGIN", "-c", "TRUNCATE {0}"]
ENVIRONMENT = {
    # No trigger runs on generated rows. The foreign keys of LARGE are checked when they are made again.
    "PGOPTIONS": "-c session_replication_role=replica -c maintenance_work_mem=1GB -c synchronous_commit=off"
}


class IntoPostgreSQL:
    """Use it in a `with`. Written rows stay if it fails: generate from the start again."""

    def __init__(self, location):
        # Row-level security takes no COPY.
        self.location = postgresql.as_administrator(location)
        self.program = f"{postgresql.programs()}/psql"
        # By table. Both large ones are filled at once.
        self.copies = {}

    def __enter__(self):
        self.before = self._schema()
        self.keys, self.references = [], []
        for table in LARGE:
            indexes, constraints = self._lines(INDEXES, table), self._lines(CONSTRAINTS, table)
            added = [f"ALTER TABLE {table} ADD CONSTRAINT {name} {sql}" for name, sql in constraints]
            self.keys.append([f"VACUUM FULL {table}", EXCLUSIONS.format(table, True)])
            self.keys[-1] += [sql for _, sql in indexes] + [sql for sql in added if "FOREIGN KEY" not in sql]
            self.references += [sql for sql in added if "FOREIGN KEY" in sql]
        # The referring table goes first.
        for table in reversed(LARGE):
            for name, _ in reversed(self._lines(CONSTRAINTS, table)):
                self._query(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
            for name, _ in self._lines(INDEXES, table):
                self._query(f"DROP INDEX {name}")
            self._query(EXCLUSIONS.format(table, False))
        return self

    def __exit__(self, *_):
        self._end_copies()

    def insert(self, table, columns, rows):
        """Further rows of one table go on in one COPY."""
        if table not in self.copies:
            self.copies[table] = self._copy(table, columns)
        binary = {columns.index(name) for name in columns if name == "digest"}
        identifiers = {columns.index(name) for name in columns if name in ("id", "time_entry_id")}
        write = self.copies[table].stdin.write
        for row in rows:
            fields = list(row)
            for place in binary:
                fields[place] = "\\\\x" + fields[place].hex()
            for place in identifiers:
                fields[place] = fields[place].hex()
            # No text that is generated holds a character that COPY would read otherwise.
            write("\t".join(["\\N" if field is None else str(field) for field in fields]) + "\n")
        if table not in LARGE:
            self._end_copies()

    def finish(self, _):
        """Makes the indexes, and leaves the schema as it was found and the numbering after the last rows."""
        self._end_copies()
        # One table's beside the other's.
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda statements: [self._query(sql) for sql in statements], self.keys))
        for sql in self.references:
            self._query(sql)
        if self._schema() != self.before:
            raise SystemExit("the schema is not what it was")
        for table, column in (
            ("organizations", "organization_id"),
            ("users", "user_id"),
            ("members", "member_number"),
            ("tokens", "token_id"),
            ("sessions", "session_id"),
            ("time_entries", "entry_number"),
            ("projects", "project_id"),
            ("segments", "segment_id"),
        ):
            self._query(f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}")
        self._query("VACUUM (FREEZE, ANALYZE)")

    def _copy(self, table, columns):
        is_large = table in LARGE
        begin, end = ([word.format(table) for word in BEGIN], ["-c", "COMMIT"]) if is_large else ([], [])
        options = " (FREEZE)" if is_large else ""
        copy = f"COPY {table} ({', '.join(columns)}) FROM STDIN{options}"
        return subprocess.Popen(
            [self.program, "-X", "-q", "-v", "ON_ERROR_STOP=1", *begin, "-c", copy, *end, self.location],
            stdin=subprocess.PIPE,
            text=True,
            env={**os.environ, **ENVIRONMENT},
        )

    def _end_copies(self):
        for table, copy in self.copies.items():
            copy.stdin.close()
            if copy.wait() != 0:
                raise SystemExit(f"COPY into {table} failed")
        self.copies = {}

    def _schema(self):
        return [self._lines(sql, table) for table in LARGE for sql in (CONSTRAINTS, INDEXES)]

    def _lines(self, sql, table):
        return [line.split("|", 1) for line in self._query(sql.format(table))]

    def _query(self, sql):
        answer = subprocess.run(
            [self.program, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, self.location],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, **ENVIRONMENT},
        )
        return answer.stdout.splitlines()
