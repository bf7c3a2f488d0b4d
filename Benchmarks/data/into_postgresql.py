"""Writes generated rows into a PostgreSQL database that the service has made, with COPY through psql."""

import subprocess

from kit import postgresql

# What takes longer to keep than to make again; the primary key stays, which says where rows lie.
CONSTRAINTS = """
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = 'time_entries'::regclass AND contype IN ('f', 'x') ORDER BY conname"""
INDEXES = """
    SELECT i.relname, pg_get_indexdef(i.oid) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    WHERE x.indrelid = 'time_entries'::regclass AND NOT x.indisprimary AND NOT x.indisexclusion ORDER BY i.relname"""
SCHEMA = f"({CONSTRAINTS}) UNION ALL ({INDEXES})"


class IntoPostgreSQL:
    """Use it in a `with`. Rows that were written stay if it fails: whoever generates begins anew."""

    def __init__(self, location):
        # Row-level security takes no COPY.
        self.location = postgresql.as_administrator(location)
        self.program = f"{postgresql.programs()}/psql"
        self.copy = None
        self.target = None

    def __enter__(self):
        self.before = self._query(SCHEMA)
        constraints = [line.split("|", 1) for line in self._query(CONSTRAINTS)]
        indexes = [line.split("|", 1) for line in self._query(INDEXES)]
        self.statements = [sql for _, sql in indexes]
        self.statements += [f"ALTER TABLE time_entries ADD CONSTRAINT {name} {sql}" for name, sql in constraints]
        for name, _ in constraints:
            self._query(f"ALTER TABLE time_entries DROP CONSTRAINT {name}")
        for name, _ in indexes:
            self._query(f"DROP INDEX {name}")
        return self

    def __exit__(self, *_):
        self._end_copy()

    def insert(self, table, columns, rows):
        """Further rows of one table go on in one COPY."""
        if self.target != table:
            self._end_copy()
            self.target = table
            self.copy = subprocess.Popen(
                [
                    self.program,
                    "-X",
                    "-q",
                    "-v",
                    "ON_ERROR_STOP=1",
                    "-c",
                    f"COPY {table} ({', '.join(columns)}) FROM STDIN",
                    self.location,
                ],
                stdin=subprocess.PIPE,
                text=True,
            )
        binary = {columns.index(name) for name in columns if name == "digest"}
        identifiers = {columns.index(name) for name in columns if name == "id"}
        write = self.copy.stdin.write
        for row in rows:
            fields = list(row)
            for place in binary:
                fields[place] = "\\\\x" + fields[place].hex()
            for place in identifiers:
                fields[place] = fields[place].hex()
            # No text that is generated holds a character that COPY would read otherwise.
            write("\t".join(["\\N" if field is None else str(field) for field in fields]) + "\n")

    def finish(self, _):
        """Makes the indexes, and leaves the schema as it was found and the numbering after the last rows."""
        self._end_copy()
        for statement in self.statements:
            self._query(f"SET maintenance_work_mem = '1GB'; SET synchronous_commit = off; {statement}")
        if self._query(SCHEMA) != self.before:
            raise SystemExit("the schema is not what it was")
        for table, column in (
            ("organizations", "organization_id"),
            ("users", "user_id"),
            ("members", "member_number"),
            ("tokens", "token_id"),
            ("sessions", "session_id"),
            ("time_entries", "entry_number"),
        ):
            self._query(f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}")
        self._query("VACUUM (FREEZE, ANALYZE)")

    def _end_copy(self):
        if self.copy:
            self.copy.stdin.close()
            if self.copy.wait() != 0:
                raise SystemExit(f"COPY into {self.target} failed")
        self.copy = None

    def _query(self, sql):
        answer = subprocess.run(
            [self.program, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, self.location],
            check=True,
            capture_output=True,
            text=True,
        )
        return answer.stdout.splitlines()
