#!/usr/bin/env python3
"""Measures a month's report by project against the best SQL for it, among many entries with two segments each.

usage: projects.py --folder FOLDER [--postgresql] [--organizations N] [--members N] [--days N] [--rounds N]

FOLDER holds the data set (sqlite.db and sqlite.json, or pg and pg.json): without one it is generated, in the scale
that the other options say (200 x 50 x 1,000 by default, which takes 20 minutes and 10 GB on SQLite, half an hour and
20 GB on PostgreSQL), and stays for the next run.

A month is 30 days from a random date on, of a random organization. The report may take 3 times as long as the best of
several forms of SQL that add up the same seconds (projects_on_sqlite.py, projects_on_postgresql.py): of the segments,
and of the entries for the time without one. On PostgreSQL pgbench takes the same months in random order. All requests
are one client's on one connection; the client's own cost is not taken off. On SQLite the cores are kept awake meanwhile
(awake.py).

Needs a C compiler, and pgbench for PostgreSQL. Talks to loopback and a Unix socket only. Takes the static release
build, or the one of TIMECLOCK_BINARY.
"""

import contextlib
import json
import pathlib
import statistics
import sys
import tempfile
import urllib.request

import awake
import data_sets
import projects_on_postgresql
import projects_on_sqlite
import spans
from kit import service

COUNT = 60
COMPARED = 5


def path(span, dimension):
    return span.path().replace("groupBy=user", f"groupBy={dimension}")


def compare(sql, clock, months):
    """Stops the run if the service and SQL differ by more than rounding, or forms of SQL at all."""
    for month in months:
        request = urllib.request.Request(
            f"http://127.0.0.1:{clock.port}{path(month, 'project')}",
            headers={"Authorization": f"Bearer {month.organization['token']}"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            report = json.load(answer)
        in_projects = sum(row["seconds"] for row in report["rows"] if row["projectId"])
        for kind, ours in ("segments", in_projects), ("entries", report["totals"]["seconds"]):
            sums = {name: sql.milliseconds(name, month) for name in sql.names if name.startswith(kind)}
            theirs = next(iter(sums.values()))
            if len(set(sums.values())) != 1:
                raise SystemExit(f"the forms of SQL do not agree: {sums}")
            if not ours or not 0 <= theirs // 1_000 - ours + 5_000 <= 10_000:
                raise SystemExit(f"the service's report has {ours} seconds of {kind}, SQL {theirs // 1_000}")


def measure(sql, clock, tools, months, rounds):
    """The rounds of each kind of request and form, in microseconds."""
    compare(sql, clock, months[:COMPARED])
    requests = {
        dimension: tools.write(
            dimension, [f"{path(month, dimension)} {month.organization['token']}" for month in months]
        )
        for dimension in ("user", "project", "client,kind")
    }
    figures = {}
    for _ in range(rounds):
        for dimension, file in requests.items():
            figures.setdefault(f"http: {dimension}", []).append(tools.client(clock.port, file, 4))
        for name in sql.names:
            figures.setdefault(name, []).append(sql.measure(name))
    return figures


def against(middle, statements, what):
    """Prints and returns the ratio to the best of the statements."""
    best = [
        min((name for name in statements if name.startswith(kind)), key=statements.get)
        for kind in ("segments", "entries")
    ]
    ratio = middle["http: project"] / sum(statements[name] for name in best)
    print(f"by project: {ratio:.2f} times the best SQL{what} ({' + '.join(best)})")
    return ratio


def show(figures):
    """Prints the rounds and the ratio; whether that is allowed."""
    print("a request's or statement's median in µs, of it the rounds' median (all rounds)")
    middle = {name: statistics.median(rounds) for name, rounds in figures.items()}
    for name, rounds in figures.items():
        print(f"  {name:30}{middle[name]:10.1f}   ({', '.join(f'{figure:.0f}' for figure in rounds)})")
    own = {name: time for name, time in middle.items() if "covering" not in name}
    ratio = against(middle, middle, "")
    if len(own) < len(middle):
        against(middle, own, ", without an index for it alone")
    print(f"allowed 3: {'met' if ratio <= 3 else 'MISSED'}")
    return ratio <= 3


def main():
    parser = data_sets.parser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        tools = spans.Tools(pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())))
        data = stack.enter_context(data_sets.with_segments(options))
        months = spans.months(data.content)[:COUNT]
        if data.cluster:
            sql = projects_on_postgresql.Statements(data.cluster, data.location, months, tools.folder)
        else:
            sql = projects_on_sqlite.Statements(data.location, months)
            # On PostgreSQL a request is the work of three processes, and two cores are busy enough.
            stack.enter_context(awake.cores())
        stack.enter_context(sql)
        clock = service.Service(service.built_binary(), tools.folder, data.location)
        # A newer service than the data set's makes its indexes first.
        clock.start(patience=1_800)
        figures = measure(sql, clock, tools, months, options.rounds)
        clock.stop()
    sys.exit(0 if show(figures) else 1)


main()
