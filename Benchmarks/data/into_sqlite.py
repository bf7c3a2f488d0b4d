"""Writes generated rows into an SQLite file that the service has made and does not have open."""

import sqlite3


class IntoSQLite:
    """Use it in a `with`. Not safe against a crash: generate from the start again."""

    def __init__(self, location):
        self.path = location.removeprefix("sqlite:")

    def __enter__(self):
        self.connection = sqlite3.connect(self.path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = OFF")
        self.connection.execute("PRAGMA synchronous = OFF")
        # In KiB: all places if members' entries go on, and most of the rest.
        self.connection.execute("PRAGMA cache_size = -2000000")
        self.before = self._schema()
        # Made again at the end, which takes a fraction of the time of keeping them.
        self.left_out = [
            (kind, name, sql)
            for kind, name, table, sql in self.before
            if table in ("time_entries", "segments") and kind in ("index", "trigger") and sql
        ]
        for kind, name, _ in self.left_out:
            self.connection.execute(f"DROP {kind} {name}")
        self.connection.execute("BEGIN")
        return self

    def __exit__(self, *_):
        self.connection.close()

    def insert(self, table, columns, rows):
        places = ", ".join("?" * len(columns))
        self.connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)

    def finish(self, last_number):
        """Makes the indexes, and leaves the schema as it was found."""
        self.connection.execute("UPDATE row_numbers SET last_number = ?", (last_number,))
        self.connection.execute("COMMIT")
        for _, _, sql in self.left_out:
            self.connection.execute(sql)
        if self._schema() != self.before:
            raise SystemExit("the schema is not what it was")
        self.connection.execute("PRAGMA journal_mode = WAL")

    def _schema(self):
        return sorted(self.connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema"))
