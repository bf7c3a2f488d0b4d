#!/usr/bin/env python3
"""Fills a database with the entries of many organizations over years: 200 x 50 members x 1,000 days by default.

usage: generate.py [--organizations N] [--members N] [--days N] [--last-day YYYY-MM-DD] [--seed N] [--segments] LOCATION

LOCATION is that of a new database, as `serve --database` takes it: `sqlite:FILE`, or `host=... dbname=...` for an
empty PostgreSQL database. The binary makes the schema; the rows are written past it, day by day, so that they lie on
disk as a service would have left them. Every member has one entry a day, of five kinds of shifts: through midnight,
through clock changes, some with a session, some flagged, some still active. The log of changes stays empty. With
--segments each entry was for two of ten projects, one after the other.

The same arguments give the same rows. Prints the organizations as JSON, each with an admin's API token. Takes the
static release build, or the one of TIMECLOCK_BINARY.
"""

import argparse
import datetime
import json
import sys
import tempfile

from into_postgresql import IntoPostgreSQL
from into_sqlite import IntoSQLite
from kit import service
from rows import Rows


def make_schema(location):
    """Lets the service make its tables, by starting and stopping it."""
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder, location)
        clock.start()
        clock.stop()


def show(done, days):
    """A bar on a terminal, a line now and then elsewhere."""
    if sys.stderr.isatty():
        filled = 40 * done // days
        print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done:,} of {days:,} days", end="", file=sys.stderr, flush=True)
    elif done * 10 // days > (done - 1) * 10 // days:
        print(f"{done:,} of {days:,} days", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--organizations", type=int, default=200)
    parser.add_argument("--members", type=int, default=50)
    parser.add_argument("--days", type=int, default=1_000)
    parser.add_argument("--last-day", type=datetime.date.fromisoformat, default=datetime.date(2026, 11, 15))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--segments", action="store_true")
    parser.add_argument("location")
    options = parser.parse_args()
    rows = Rows(options.organizations, options.members, options.days, options.last_day, options.seed)
    make_schema(options.location)
    with (IntoSQLite if options.location.startswith("sqlite:") else IntoPostgreSQL)(options.location) as database:
        for table in ("organizations", "users", "members", "tokens", "sessions", "session_assignees"):
            database.insert(table, rows.columns[table], getattr(rows, table)())
        if options.segments:
            database.insert("projects", rows.columns["projects"], rows.projects())
        for day in range(options.days):
            entries = rows.time_entries(day)
            database.insert("time_entries", rows.columns["time_entries"], entries)
            if options.segments:
                database.insert("segments", rows.columns["segments"], rows.segments(day, entries))
            show(day + 1, options.days)
        print("\nindexes" if sys.stderr.isatty() else "indexes", file=sys.stderr, flush=True)
        database.finish(rows.last_number)
    print(json.dumps(rows.summary(), indent=1))


main()
