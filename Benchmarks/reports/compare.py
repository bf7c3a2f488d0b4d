#!/usr/bin/env python3
"""Measures a month's report and a list of 100 entries against the best SQL for them, among many entries.

usage: compare.py [--folder FOLDER] [--organizations N] [--members N] [--days N] [--rounds N] [--only sqlite|postgresql]

FOLDER holds the data sets: those that are missing are generated, in the scale that the other options say (200 x 50 x
1,000 by default), and stay for the next run. Without FOLDER they are thrown away.

A month is 30 days from a random date on, of a random organization, by person. On SQLite the report may take 3 times as
long as the best of several forms through the C library, and a member's newest 100 entries 3 times as long as the same
rows column by column plus a GET /health/live. On PostgreSQL the report may take twice as long as pgbench with the best
of several statements. All requests are one client's on one connection; the client's own cost, against a responder that
only sends bytes, is taken off the service's times. On SQLite the cores are kept awake meanwhile (awake.py).

Needs a C compiler, libsqlite3's header and pgbench. Talks to loopback and a Unix socket only. Takes the static release
build, or the one of TIMECLOCK_BINARY.
"""

import contextlib
import pathlib
import statistics
import sys
import tempfile

import awake
import data_sets
import on_postgresql
import on_sqlite
import spans


def median(figures, *names):
    """The median of the rounds, of the first of these that was measured."""
    for name in names:
        if name in figures:
            return statistics.median(figures[name])
    return None


def show(title, figures):
    print(f"\n{title}: a request's median in µs, of it the rounds' median (all rounds)")
    for name, rounds in figures.items():
        print(f"  {name:24}{statistics.median(rounds):10.1f}   ({', '.join(f'{figure:.0f}' for figure in rounds)})")


def judge(what, ours, allowed):
    """Prints the ratio to the target; `allowed` is in the unit of `ours`, with its text."""
    limit, text = allowed
    print(f"  {what}: {ours:.0f} µs, allowed {limit:.0f} µs ({text}): {'met' if ours <= limit else 'MISSED'}")
    return ours <= limit


def sqlite_results(figures):
    show("SQLite", figures)
    client = median(figures, "client")
    best_name, best = min(
        ((name, median(figures, name)) for name in on_sqlite.MONTHS if name in figures), key=lambda pair: pair[1]
    )
    rows, list_time = median(figures, "c: list"), median(figures, "http: list") - client
    live = median(figures, "http: live") - client
    allowed = (3 * rows + live, f"3 x {rows:.0f} of the rows + {live:.0f} of /health/live")
    met = [judge("list of 100", list_time, allowed)]
    report = median(figures, "http: report")
    if report is None:
        print("  report: not measured, the service has no reportHours")
    else:
        report -= client
        split = median(figures, "c: split")
        met.append(judge("report", report, (3 * best, f"3 x {best:.0f} of {best_name}, {report / best:.2f} x")))
        print(f"  report / the best that cuts at midnight in the service's own layout: {report / split:.2f}")
    return met


def postgresql_results(figures):
    show("PostgreSQL", figures)
    client = median(figures, "client")
    best_name, best = min(
        ((name, median(figures, name)) for name in figures if name.startswith("pgbench: ")), key=lambda pair: pair[1]
    )
    report = median(figures, "http: report")
    if report is None:
        print("  report: not measured, the service has no reportHours")
        return []
    report -= client
    return [judge("report", report, (2 * best, f"2 x {best:.0f} of {best_name}, {report / best:.2f} x"))]


def main():
    parser = data_sets.parser()
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    options = parser.parse_args()
    scale = data_sets.scale(options)
    met = []
    with contextlib.ExitStack() as stack:
        # PostgreSQL's own account has to reach the folder's content.
        folder = options.folder or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        folder.mkdir(parents=True, exist_ok=True)
        if not options.folder:
            folder.chmod(0o755)
        tools = spans.Tools(pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())))
        if options.only != "postgresql":
            location, content = data_sets.sqlite(folder, scale)
            # On PostgreSQL a request is the work of three processes, and two cores are busy enough.
            with awake.cores():
                met += sqlite_results(on_sqlite.measure(location, content, tools, options.rounds))
        if options.only != "sqlite":
            cluster, described = data_sets.in_cluster(folder, scale)
            with cluster:
                location, content = described()
                met += postgresql_results(on_postgresql.measure(cluster, location, content, tools, options.rounds))
    sys.exit(0 if all(met) else 1)


main()
