"""The database's own rows of segments, read beside the service that writes them."""

import contextlib
import os
import sqlite3
import subprocess

from kit import postgresql

# The segments of one organization, whose id takes the place of ORGANIZATION.
OWN = """
WITH own AS (
  SELECT s.* FROM segments s JOIN organizations o ON o.organization_id = s.organization_id
  WHERE o.id = ORGANIZATION)
"""
# Forbidden states, and a count of each.
FAULTS = {
    "outside of its entry": """
SELECT count(*) FROM own s WHERE s.time_entry_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM time_entries e
  WHERE e.organization_id = s.organization_id AND e.id = s.time_entry_id AND e.user_id = s.user_id
    AND e.clock_in <= s.start_time
    AND (e.clock_out IS NULL OR (s.end_time IS NOT NULL AND s.end_time <= e.clock_out)))""",
    "open beside another": """
SELECT count(*) FROM (SELECT user_id FROM own WHERE end_time IS NULL GROUP BY user_id HAVING count(*) > 1) x""",
    "open without an entry": """
SELECT count(*) FROM own WHERE end_time IS NULL AND time_entry_id IS NULL""",
    # A segment that overlaps any other overlaps the next one.
    "overlapping": """
SELECT count(*) FROM (
  SELECT end_time, lead(start_time) OVER (PARTITION BY user_id ORDER BY start_time, segment_id) AS next FROM own) x
WHERE next IS NOT NULL AND (end_time IS NULL OR end_time > next)""",
    "empty": "SELECT count(*) FROM own WHERE end_time <= start_time",
    "adding up to more than its entry": """
SELECT count(*) FROM (
  SELECT s.time_entry_id FROM own s
  JOIN time_entries e ON e.organization_id = s.organization_id AND e.id = s.time_entry_id
  WHERE e.clock_out IS NOT NULL
  GROUP BY s.time_entry_id, e.clock_in, e.clock_out
  HAVING sum(s.end_time - s.start_time) > e.clock_out - e.clock_in) x""",
}
LENGTH = "SELECT coalesce(sum(end_time - start_time), 0) FROM own"


class Rows:
    """Reads the database of a service; use it in a `with`, or close it."""

    def __init__(self, location):
        """`location` is the `--database` of the service."""
        if location.startswith("sqlite:"):
            path = location.removeprefix("sqlite:")
            self.file = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)
            self.psql = None
            return
        self.file = None
        self.psql = subprocess.Popen(
            [f"{postgresql.programs()}/psql", "-X", "-q", "-A", "-t", postgresql.as_administrator(location)],
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(os.environ),
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.file:
            self.file.close()
        else:
            with contextlib.suppress(OSError):
                self.psql.stdin.close()
            self.psql.wait()
            self.psql.stdout.close()

    def read(self, sql):
        """The rows, each a list of texts; an empty one is none."""
        if self.file:
            rows = [["" if value is None else str(value) for value in row] for row in self.file.execute(sql)]
            # The next reading sees writes until then.
            self.file.rollback()
            return rows
        self.psql.stdin.write(f"{sql};\n\\echo end of rows\n")
        self.psql.stdin.flush()
        rows = []
        while (line := self.psql.stdout.readline()) != "end of rows\n":
            if not line:
                raise OSError("psql has ended")
            rows.append(line.removesuffix("\n").split("|"))
        return rows

    def of(self, organization, sql):
        """The rows of a query of `own`, the segments of an organization."""
        digits = organization.replace("-", "")
        return self.read(OWN.replace("ORGANIZATION", f"x'{digits}'" if self.file else f"'{organization}'") + sql)

    def faults(self, organization):
        """Forbidden states with their counts, nothing if all is well; and the milliseconds of all that has ended."""
        columns = ", ".join(f"({sql})" for sql in [*FAULTS.values(), LENGTH])
        *counts, length = map(int, self.of(organization, f"SELECT {columns}")[0])
        return {name: count for name, count in zip(FAULTS, counts) if count}, length

    def spans(self, organization):
        """By id: start, end (None if it is open), and the entry's id (None if there is none)."""
        text = "lower(hex({}))" if self.file else "replace({}::text, '-', '')"
        rows = self.of(
            organization, f"SELECT {text.format('id')}, start_time, end_time, {text.format('time_entry_id')} FROM own"
        )
        return {id: (int(start), int(end) if end else None, entry or None) for id, start, end, entry in rows}
