"""The SQL for a month's report by project on PostgreSQL, through pgbench, without row-level security.

Two indexes cover the columns that the forms named `covering` read: for pgbench alone, as in on_postgresql.py.
"""

import re

import on_postgresql

CLIPPED = "sum((least(coalesce({0}, :as_of::bigint), :end::bigint) - greatest({1}, :start::bigint))::int)"
OF_SEGMENTS = CLIPPED.format("s.end_time", "s.start_time")
OF_ENTRIES = CLIPPED.format("e.clock_out", "e.clock_in")
BEGIN = (
    "s.organization_id = :organization AND s.start_time >= :start::bigint - 86400000 AND s.start_time < :end::bigint"
)
IN_SPAN = "coalesce(s.end_time, :as_of::bigint) > :start::bigint"
# OFFSET 0 keeps the planner from any other way than one descent for each member or project.
BY_OTHERS = f"""
    SELECT s.project_id, {OF_SEGMENTS} FROM {{0}} o CROSS JOIN LATERAL (
      SELECT s.project_id, s.start_time, s.end_time FROM segments s WHERE {BEGIN} AND s.{{1}} = o.{{1}} OFFSET 0) s
    WHERE o.organization_id = :organization AND {IN_SPAN} GROUP BY s.project_id"""
BY_TIME = f"SELECT s.project_id, {OF_SEGMENTS} FROM segments s WHERE {BEGIN} AND {IN_SPAN} GROUP BY s.project_id"
ENTRIES_BY_START = f"""
    SELECT NULL, {OF_ENTRIES} FROM time_entries e
    WHERE e.organization_id = :organization AND e.clock_in >= :start::bigint - 172800000 AND e.clock_in < :end::bigint
      AND coalesce(e.clock_out, :as_of::bigint) > :start::bigint"""
# Milliseconds by project, and of all.
STATEMENTS = {
    "segments: by member": BY_OTHERS.format("members", "user_id"),
    "segments: by time": BY_TIME,
    "segments: by project": BY_OTHERS.format("projects", "project_id"),
    "segments: by time, covering": BY_TIME,
    "entries: by member": f"""
        SELECT NULL, {OF_ENTRIES} FROM members m CROSS JOIN LATERAL (
          SELECT e.clock_in, e.clock_out FROM time_entries e
          WHERE e.organization_id = :organization AND e.user_id = m.user_id
            AND e.date BETWEEN :start::bigint / 86400000 - 2 AND :end::bigint / 86400000 + 1 OFFSET 0) e
        WHERE m.organization_id = :organization AND e.clock_in < :end::bigint
          AND coalesce(e.clock_out, :as_of::bigint) > :start::bigint""",
    "entries: by start": ENTRIES_BY_START,
    "entries: by start, covering": ENTRIES_BY_START,
}
COVERING = {
    "benchmark_segments": "segments (organization_id, start_time) INCLUDE (project_id, end_time)",
    "benchmark_entries": "time_entries (organization_id, clock_in) INCLUDE (clock_out)",
}
SECONDS = 3


def chosen(values, first=0):
    """An expression of pgbench for the one of these that :month has the number of."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    before, after = chosen(values[:half], first), chosen(values[half:], first + half)
    return f"CASE WHEN :month < {first + half} THEN {before} ELSE {after} END"


class Statements:
    """Use it in a `with`."""

    names = list(STATEMENTS)

    def __init__(self, cluster, location, months, folder):
        self.cluster, self.location, self.folder = cluster, location, folder
        self.database = re.search(r"dbname=(\S+)", location)[1]
        values = [month.values() for month in months]
        self.choice = f"\\set month random(0, {len(months) - 1})\n" + "".join(
            f"\\set {name} {chosen([value[name] for value in values])}\n" for name in values[0]
        )

    def __enter__(self):
        self._drop()
        for name, columns in COVERING.items():
            self.cluster.execute(f"CREATE INDEX {name} ON {columns}", self.database)
        self._use_covering(False)
        for name in self.names:
            self.measure(name)
        return self

    def __exit__(self, *_):
        self._drop()

    def milliseconds(self, name, month):
        values = month.values()
        sql = re.sub(r"(?<!:):(\w+)", lambda found: str(values[found[1]]), STATEMENTS[name])
        return sum(int(line.split("|")[1]) for line in self.cluster.execute(sql, self.database))

    def measure(self, name):
        """The median of a transaction in microseconds."""
        script = self.folder / "statement.sql"
        one_line = " ".join(STATEMENTS[name].split())
        script.write_text(f"{self.choice}{one_line};\n")
        is_covered = "covering" in name
        if is_covered:
            self._use_covering(True)
        median = on_postgresql.pgbench(self.cluster, self.folder, self.location, script, SECONDS)
        if is_covered:
            self._use_covering(False)
        return median

    def _use_covering(self, is_valid):
        for name in COVERING:
            on_postgresql.use_index(self.cluster, self.database, name, is_valid)

    def _drop(self):
        # An interrupted run has left them, too.
        for name in COVERING:
            self.cluster.execute(f"DROP INDEX IF EXISTS {name}", self.database)
