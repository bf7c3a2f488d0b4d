#!/usr/bin/env python3
"""Measures a month's report by project against the best SQL for it, on SQLite, among many entries with two segments each.

usage: projects.py --folder FOLDER [--organizations N] [--members N] [--days N] [--rounds N]

FOLDER holds the data set (sqlite.db and sqlite.json): without one it is generated, in the scale that the other options say
(200 x 50 x 1,000 by default, which takes 20 minutes and 10 GB), and stays for the next run.

A month is 30 days from a random date on, of a random organization. The report may take 3 times as long as the best of
several forms of SQL that add up the same seconds, through Python's sqlite3, which fetches eleven rows: of the segments, and
of the entries for the time without one. All requests are one client's on one connection; what the client costs by itself is
not taken off. The cores are kept awake meanwhile (awake.py).

Needs a C compiler. Talks to loopback only. Takes the static release build, or what TIMECLOCK_BINARY names.
"""

import argparse
import json
import pathlib
import sqlite3
import statistics
import sys
import tempfile
import time
import urllib.request

import awake
import data_sets
import spans
from kit import service

COUNT = 60
CLIPPED = "(min(coalesce({0}, :asOf), :end) - max({1}, :start))"
OF_SEGMENTS = "sum(" + CLIPPED.format("s.end_time", "s.start_time") + ")"
OF_ENTRIES = "sum(" + CLIPPED.format("e.clock_out", "e.clock_in") + ")"
IN_SPAN = "coalesce(s.end_time, :asOf) > :start"
# Milliseconds by project.
SEGMENTS = {
    "by member": f"""
        SELECT s.project_id, {OF_SEGMENTS} FROM members m CROSS JOIN segments s INDEXED BY segments_by_start
          ON s.organization_id = m.organization_id AND s.user_id = m.user_id
          AND s.start_time >= :start - 86400000 AND s.start_time < :end
        WHERE m.organization_id = :organization AND {IN_SPAN} GROUP BY s.project_id""",
    "by time": f"""
        SELECT s.project_id, {OF_SEGMENTS} FROM segments s INDEXED BY segments_by_time
        WHERE s.organization_id = :organization AND s.start_time >= :start - 86400000 AND s.start_time < :end
          AND {IN_SPAN} GROUP BY s.project_id""",
    "by project": f"""
        SELECT s.project_id, {OF_SEGMENTS} FROM projects p CROSS JOIN segments s INDEXED BY segments_of_project
          ON s.organization_id = p.organization_id AND s.project_id = p.project_id
          AND s.start_time >= :start - 86400000 AND s.start_time < :end
        WHERE p.organization_id = :organization AND {IN_SPAN} GROUP BY s.project_id""",
}
ENTRIES = f"""
    SELECT {OF_ENTRIES} FROM members m CROSS JOIN time_entries e NOT INDEXED
      ON e.organization_id = m.organization_id AND e.user_id = m.user_id
      AND e.date BETWEEN :start / 86400000 - 2 AND :end / 86400000 + 1
    WHERE m.organization_id = :organization AND e.clock_in < :end AND coalesce(e.clock_out, :asOf) > :start"""


def values(span):
    words = [int(word) for word in span.line().split()]
    return {"organization": words[0], "asOf": words[1], "start": words[5], "end": words[-1]}


def path(span, dimension):
    return span.path().replace("groupBy=user", f"groupBy={dimension}")


def median(connection, statement, months):
    """The median of each month's fastest execution of three, in microseconds."""
    times = []
    for month in months:
        runs = []
        for _ in range(3):
            begin = time.perf_counter_ns()
            connection.execute(statement, month).fetchall()
            runs.append(time.perf_counter_ns() - begin)
        times.append(min(runs) / 1_000)
    return statistics.median(times)


def compare(connection, clock, months):
    """Stops the run where the service and SQL differ by more than what cutting each part takes."""
    span = months[0]
    request = urllib.request.Request(
        f"http://127.0.0.1:{clock.port}{path(span, 'project')}",
        headers={"Authorization": f"Bearer {span.organization['token']}"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        rows = json.load(answer)["rows"]
    ours = sum(row["seconds"] for row in rows if row["projectId"])
    theirs = sum(row[1] for row in connection.execute(SEGMENTS["by member"], values(span))) // 1_000
    if not rows or not 0 <= theirs - ours + 5_000 <= 10_000:
        raise SystemExit(f"the service's report has {ours} seconds of projects, SQL {theirs}")


def measure(location, content, tools, rounds):
    months = spans.months(content)[:COUNT]
    database = location.removeprefix("sqlite:")
    clock = service.Service(service.built_binary(), tools.folder, location)
    clock.start(patience=1_800)
    spans.read_through(database)
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    compare(connection, clock, months)
    requests = {
        dimension: tools.write(dimension, [f"{path(span, dimension)} {span.organization['token']}" for span in months])
        for dimension in ("user", "project", "client,kind")
    }
    figures = {}
    for _ in range(rounds):
        for dimension, file in requests.items():
            figures.setdefault(f"http: {dimension}", []).append(tools.client(clock.port, file, 4))
        for name, statement in (*SEGMENTS.items(), ("entries", ENTRIES)):
            of_months = [values(span) for span in months]
            figures.setdefault(f"sql: {name}", []).append(median(connection, statement, of_months))
    clock.stop()
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    for name in ("organizations", "members", "days"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    given = [(f"--{name}", getattr(options, name)) for name in ("organizations", "members", "days")]
    scale = ["--segments", *(word for option in given if option[1] for word in option)]
    options.folder.mkdir(parents=True, exist_ok=True)
    location, content = data_sets.sqlite(options.folder, scale)
    with tempfile.TemporaryDirectory() as folder, awake.cores():
        figures = measure(location, content, spans.Tools(pathlib.Path(folder)), options.rounds)
    print("a request's or statement's median in µs, of it the rounds' median (all rounds)")
    for name, rounds in figures.items():
        print(f"  {name:24}{statistics.median(rounds):10.1f}   ({', '.join(f'{figure:.0f}' for figure in rounds)})")
    middle = {name: statistics.median(rounds) for name, rounds in figures.items()}
    best = min(middle[f"sql: {name}"] for name in SEGMENTS) + middle["sql: entries"]
    ratio = middle["http: project"] / best
    print(f"by project: {ratio:.2f} times the best SQL, allowed 3: {'met' if ratio <= 3 else 'MISSED'}")
    sys.exit(0 if ratio <= 3 else 1)


main()
