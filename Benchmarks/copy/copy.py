#!/usr/bin/env python3
"""How fast `timeclock copy` moves a million time entries each way, and the memory it takes.

Usage: copy.py [entries]. Takes the static release build, or the one of TIMECLOCK_BINARY.
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time

from kit import postgresql, service

BINARY = service.built_binary()
ENTRIES = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
MEMBERS = 500
DAY = 86_400_000


def fill(path):
    """Entries of eight hours with a note each, a day apart, in ids that grow as the service's do."""
    subprocess.run(
        [
            BINARY,
            "organization",
            "create",
            "--database",
            f"sqlite:{path}",
            "--name",
            "Large",
            "--time-zone",
            "UTC",
            "--admin-email",
            "admin@example.com",
            "--admin-name",
            "Admin",
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    with database:
        for number in range(2, MEMBERS + 1):
            mail = f"m{number}@example.com"
            database.execute(
                "INSERT INTO users VALUES (?, ?, ?, ?, 'Member', NULL, 0)", (number, os.urandom(16), mail, mail)
            )
            database.execute(
                "INSERT INTO members VALUES (1, ?, ?, 'Member', 'member', NULL, 1, 1, 1, 0, 0, NULL, ?)",
                (number, 10_000 + number, mail),
            )
        database.executemany(
            "INSERT INTO time_entries VALUES (1, ?, ?, ?, ?, ?, ?, ?, 'Europe/Berlin', 3600, NULL, ?, 'api', 0, 2, ?)",
            entries(),
        )
    database.close()


def entries():
    for number in range(ENTRIES):
        day, member = divmod(number, MEMBERS)
        begin = (10_000 + day) * DAY + 25_200_000 + member
        identifier = begin.to_bytes(6, "big") + os.urandom(10)
        note = f"Shift {number}, counter and storeroom"
        yield (
            member + 1,
            10_000 + day,
            begin,
            20_000 + number,
            identifier,
            begin,
            begin + 28_800_000,
            note,
            begin + 28_800_000,
        )


def measure(name, source, target):
    begin = time.monotonic()
    process = subprocess.Popen([BINARY, "copy", "--from", source, "--to", target], stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - begin
    if process.returncode != 0:
        sys.exit(f"{name}: the copy failed")
    rows = sum(json.loads(output)["rows"].values())
    print(
        f"{name}: {rows} rows in {seconds:.1f} s, {rows / seconds:,.0f} rows/s, "
        f"{usage.ru_utime + usage.ru_stime:.1f} s of CPU, {usage.ru_maxrss / 1024:.0f} MB resident at most",
        flush=True,
    )
    return output


def main():
    with (
        tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder,
        postgresql.Cluster() as cluster,
    ):
        source = f"sqlite:{folder}/source.db"
        fill(f"{folder}/source.db")
        first, second = cluster.make_database("first"), cluster.make_database("second")
        results = {
            measure("SQLite to PostgreSQL", source, first),
            measure("PostgreSQL to SQLite", first, f"sqlite:{folder}/back.db"),
            measure("PostgreSQL to PostgreSQL", first, second),
            measure("SQLite to SQLite", source, f"sqlite:{folder}/other.db"),
        }
        if len(results) != 1:
            sys.exit(f"different checksums: {results}")


main()
