"""The SQL for a month's report by project on SQLite, through Python's sqlite3, which fetches eleven rows."""

import sqlite3
import statistics
import time

import spans

CLIPPED = "(min(coalesce({0}, :as_of), :end) - max({1}, :start))"
OF_SEGMENTS = "sum(" + CLIPPED.format("s.end_time", "s.start_time") + ")"
OF_ENTRIES = "sum(" + CLIPPED.format("e.clock_out", "e.clock_in") + ")"
IN_SPAN = "coalesce(s.end_time, :as_of) > :start"
# Milliseconds by project, and of all.
STATEMENTS = {
    "segments: by member": f"""
        SELECT s.project_id, {OF_SEGMENTS} FROM members m CROSS JOIN segments s INDEXED BY segments_by_start
          ON s.organization_id = m.organization_id AND s.user_id = m.user_id
          AND s.start_time >= :start - 86400000 AND s.start_time < :end
        WHERE m.organization_id = :organization AND {IN_SPAN} GROUP BY s.project_id""",
    "segments: by time": f"""
        SELECT s.project_id, {OF_SEGMENTS} FROM segments s INDEXED BY segments_by_time
        WHERE s.organization_id = :organization AND s.start_time >= :start - 86400000 AND s.start_time < :end
          AND {IN_SPAN} GROUP BY s.project_id""",
    "segments: by project": f"""
        SELECT s.project_id, {OF_SEGMENTS} FROM projects p CROSS JOIN segments s INDEXED BY segments_of_project
          ON s.organization_id = p.organization_id AND s.project_id = p.project_id
          AND s.start_time >= :start - 86400000 AND s.start_time < :end
        WHERE p.organization_id = :organization AND {IN_SPAN} GROUP BY s.project_id""",
    "entries: by member": f"""
        SELECT NULL, {OF_ENTRIES} FROM members m CROSS JOIN time_entries e NOT INDEXED
          ON e.organization_id = m.organization_id AND e.user_id = m.user_id
          AND e.date BETWEEN :start / 86400000 - 2 AND :end / 86400000 + 1
        WHERE m.organization_id = :organization AND e.clock_in < :end AND coalesce(e.clock_out, :as_of) > :start""",
}


class Statements:
    """Use it in a `with`."""

    names = list(STATEMENTS)

    def __init__(self, location, months):
        self.path = location.removeprefix("sqlite:")
        self.months = months

    def __enter__(self):
        spans.read_through(self.path)
        self.connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        return self

    def __exit__(self, *_):
        self.connection.close()

    def milliseconds(self, name, month):
        return sum(row[1] for row in self.connection.execute(STATEMENTS[name], month.values()))

    def measure(self, name):
        """The median of each month's fastest execution of three, in microseconds."""
        times = []
        for values in [month.values() for month in self.months]:
            runs = []
            for _ in range(3):
                begin = time.perf_counter_ns()
                self.connection.execute(STATEMENTS[name], values).fetchall()
                runs.append(time.perf_counter_ns() - begin)
            times.append(min(runs) / 1_000)
        return statistics.median(times)
