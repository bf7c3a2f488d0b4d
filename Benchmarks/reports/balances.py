#!/usr/bin/env python3
"""Measures a year's balances by member and month against the SQL that sums the same entries by member and date.

usage: balances.py --folder FOLDER [--postgresql] [--members N] [--days N] [--rounds N]

FOLDER holds a data set of its own (sqlite.db and sqlite.json, or pg and pg.json): without one it is generated, one
organization of 1,000 members with 250 entries each, and stays for the next run. Every member has a work schedule.

The report may take 3 times as long as the best of the forms of SQL, which give the database's own answer as one row, so
that fetching costs nothing. On PostgreSQL pgbench runs it. All requests are one client's on one connection.

Needs pgbench for PostgreSQL. Talks to loopback and a Unix socket only. Takes the static release build, or the one of
TIMECLOCK_BINARY.
"""

import argparse
import contextlib
import datetime
import json
import pathlib
import sqlite3
import statistics
import sys
import tempfile
import time
import urllib.error
import urllib.request

import awake
import data_sets
import on_postgresql
import spans
from kit import service

YEAR = 365
BULK = 500
WEEK = [28_800] * 5 + [0, 0]
# Of the days that entries are stored with; the dates are numbers since 1970.
SUMS = "SELECT count(*), sum(seconds) FROM ({} GROUP BY e.user_id, e.date) sums"
STATEMENTS = {
    "by member": SUMS.format(
        "SELECT e.user_id, e.date, sum(e.clock_out - e.clock_in) AS seconds FROM members m {joined} "
        "WHERE m.organization_id = 1"
    ),
    "by date": SUMS.format(
        "SELECT e.user_id, e.date, sum(e.clock_out - e.clock_in) AS seconds FROM time_entries e "
        "WHERE e.organization_id = 1 AND e.date BETWEEN {first} AND {last}"
    ),
}
ON_SQLITE = (
    "CROSS JOIN time_entries e NOT INDEXED ON e.organization_id = 1 AND e.user_id = m.user_id "
    "AND e.date BETWEEN {first} AND {last}"
)
ON_POSTGRESQL = (
    "CROSS JOIN LATERAL (SELECT * FROM time_entries e WHERE e.organization_id = 1 AND e.user_id = m.user_id "
    "AND e.date BETWEEN {first} AND {last} OFFSET 0) e"
)


class Client:
    def __init__(self, port, organization):
        self.base = f"http://127.0.0.1:{port}/v1/organizations/{organization['organizationID']}"
        self.token = organization["token"]

    def ask(self, path, body=None):
        request = urllib.request.Request(
            self.base + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path}: {error.code} {error.read()[:500]}") from error

    def everything(self, name):
        found, cursor = [], ""
        while cursor is not None:
            page = self.ask(f"/{name}?limit=200{cursor}")
            found += page[name]
            cursor = page.get("nextCursor") and f"&cursor={page['nextCursor']}"
        return found


def make_schedules(client, first):
    """Gives each member a schedule, unless an earlier run has."""
    if client.ask("/workSchedules?limit=1")["workSchedules"]:
        return
    people = [member["userId"] for member in client.everything("members")]
    rows = [{"userId": person, "from": first.isoformat(), "secondsByWeekday": WEEK} for person in people]
    for start in range(0, len(rows), BULK):
        client.ask("/workSchedules/bulk", {"mode": "atomic", "rows": rows[start : start + BULK]})


def on_sqlite(location, statements):
    """A function that measures a statement in microseconds."""
    spans.read_through(location.removeprefix("sqlite:"))
    connection = sqlite3.connect(f"file:{location.removeprefix('sqlite:')}?mode=ro", uri=True)

    def measure(name):
        begin = time.perf_counter_ns()
        connection.execute(statements[name]).fetchall()
        return (time.perf_counter_ns() - begin) / 1_000

    return measure


def through_pgbench(cluster, location, folder, statements):
    def measure(name):
        script = folder / "statement.sql"
        script.write_text(statements[name] + ";\n")
        return on_postgresql.pgbench(cluster, folder, location, script, 5)

    return measure


def show(figures):
    """Prints the rounds and the ratio; whether that is allowed."""
    middle = {name: statistics.median(rounds) for name, rounds in figures.items()}
    print("milliseconds, the rounds' median (all rounds)")
    for name, rounds in figures.items():
        print(f"  {name:12}{middle[name] / 1_000:9.1f}   ({', '.join(f'{figure / 1_000:.0f}' for figure in rounds)})")
    best = min((name for name in middle if name != "report"), key=middle.get)
    ratio = middle["report"] / middle[best]
    print(
        f"a year by member and month: {ratio:.2f} times the SQL ({best}); allowed 3: {'met' if ratio <= 3 else 'MISSED'}"
    )
    return ratio <= 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--members", default="1000")
    parser.add_argument("--days", default="250")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    scale = ["--organizations", "1", "--members", options.members, "--days", options.days]
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if options.postgresql:
            cluster, described = data_sets.in_cluster(options.folder, scale)
            stack.enter_context(cluster)
            location, content = described()
            cluster.execute("VACUUM ANALYZE", data_sets.DATABASE)
        else:
            location, content = data_sets.sqlite(options.folder, scale)
            stack.enter_context(awake.cores())
        last = datetime.date.fromisoformat(content["lastDay"])
        first = last - datetime.timedelta(days=YEAR - 1)
        clock = service.Service(service.built_binary(), folder, location)
        clock.start(patience=1_800)
        client = Client(clock.port, content["organizations"][0])
        make_schedules(client, first)
        bounds = {"first": (first - spans.EPOCH).days, "last": (last - spans.EPOCH).days}
        joined = ON_POSTGRESQL if options.postgresql else ON_SQLITE
        statements = {name: text.replace("{joined}", joined).format(**bounds) for name, text in STATEMENTS.items()}
        measure = (
            through_pgbench(cluster, location, folder, statements)
            if options.postgresql
            else on_sqlite(location, statements)
        )
        report = f"/reports/balance?startDate={first}&endDate={last}&groupBy=user,month"
        figures = {name: [] for name in ("report", *statements)}
        for turn in range(options.rounds + 1):
            begin = time.perf_counter_ns()
            rows = client.ask(report)["rows"]
            took = (time.perf_counter_ns() - begin) / 1_000
            if len(rows) < 12 * int(options.members):
                raise SystemExit(f"the report has {len(rows)} rows")
            times = {"report": took, **{name: measure(name) for name in statements}}
            # The first turn warms up.
            for name in figures if turn else ():
                figures[name].append(times[name])
        clock.stop()
    sys.exit(0 if show(figures) else 1)


main()
