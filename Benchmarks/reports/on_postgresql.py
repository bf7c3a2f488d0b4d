"""The service on PostgreSQL, and pgbench on the same database."""

import re
import statistics
import subprocess

import spans
from kit import postgresql

COVERING = """
    CREATE INDEX benchmark_covering ON time_entries (organization_id, date) INCLUDE (user_id, clock_in, clock_out)"""


def month_variables(content):
    """Of month.sql and month_by_member.sql."""
    first, last = spans.first_dates(content)
    return {
        "organizations": len(content["organizations"]),
        "first": (first - spans.EPOCH).days,
        "last": (last - spans.EPOCH).days,
        "as_of": round(spans.Span.AS_OF.timestamp() * 1000),
    }


def pgbench(cluster, folder, location, script, seconds, variables=()):
    """The median of a transaction in microseconds, by one client."""
    definitions = [f"--define={name}={value}" for name, value in dict(variables).items()]
    prefix = folder / "pgbench"
    command = [f"{cluster.programs}/pgbench", "-n", "-M", "prepared", "-c", "1", "-T", str(seconds)]
    command += ["--log", f"--log-prefix={prefix}", *definitions, "-f", script, postgresql.as_administrator(location)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"pgbench: {result.stderr}")
    (log,) = folder.glob("pgbench.*")
    # Client, transaction, microseconds, ... (postgresql.org/docs/current/pgbench.html, per-transaction logging).
    latencies = [int(line.split()[2]) for line in log.read_text().splitlines()]
    log.unlink()
    return statistics.median(latencies)


def use_index(cluster, database, name, is_valid):
    """Lets plans use an index, or none: it counts as not valid then."""
    cluster.execute(f"UPDATE pg_index SET indisvalid = {is_valid} WHERE indexrelid = '{name}'::regclass", database)


def measure(cluster, location, content, tools, rounds):
    """The rounds of each kind of request and statement, in microseconds.

    The covering index is there for pgbench alone: while the service is measured it counts as not valid, and no plan
    uses it.
    """
    database = re.search(r"dbname=(\S+)", location)[1]

    def use_covering(is_valid):
        use_index(cluster, database, "benchmark_covering", is_valid)

    def execute(script, seconds):
        return pgbench(cluster, tools.folder, location, spans.HERE / f"{script}.sql", seconds, month_variables(content))

    def run(name, script):
        figures.setdefault(f"pgbench: {name}", []).append(execute(script, 3))

    figures = {}
    # Left by an interrupted run.
    cluster.execute("DROP INDEX IF EXISTS benchmark_covering", database)
    cluster.execute(COVERING, database)
    try:
        cluster.execute("VACUUM ANALYZE time_entries", database)
        execute("month", 5)
        use_covering(False)
        with spans.Subject(tools, location, content) as subject:
            execute("month_by_member", 5)
            for _ in range(rounds):
                subject.measure(figures)
                run("month", "month")
                run("month_by_member", "month_by_member")
                use_covering(True)
                run("month, covering", "month")
                use_covering(False)
    finally:
        cluster.execute("DROP INDEX benchmark_covering", database)
    return figures
