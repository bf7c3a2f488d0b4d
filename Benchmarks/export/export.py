#!/usr/bin/env python3
"""Entries a second of an export, and how much memory it takes.

`export.py [--entries N] [--postgresql] [--rounds R]`: fills a database, starts the release build (or TIMECLOCK_BINARY), and
has curl take the whole export, in turns as CSV and NDJSON. Prints entries a second of the clock and of the server's CPU,
how long clocking in takes alone and beside such exports, and by how much the largest resident memory has grown.
"""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time

from kit import client, many_entries, postgresql, service


def processor_seconds(process):
    """User and system time, proc(5)."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def kilobytes(process, name):
    return int(re.search(name + r":\s+(\d+) kB", pathlib.Path(f"/proc/{process}/status").read_text())[1])


def take(clock, organization, form):
    """Takes the export; the bytes, the seconds, and the server's seconds of CPU."""
    path = f"/v1/organizations/{organization['organizationID']}/timeEntries/export?format={form}"
    before = processor_seconds(clock.process.pid)
    start = time.monotonic()
    taken = subprocess.run(
        [
            "curl",
            "-sS",
            "--fail",
            "-o",
            "/dev/null",
            "-w",
            "%{size_download}",
            "-H",
            f"Authorization: Bearer {organization['token']}",
            f"http://127.0.0.1:{clock.port}{path}",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    return int(taken.stdout), time.monotonic() - start, processor_seconds(clock.process.pid) - before


def milliseconds(clock, organization, count=300):
    """Median and 99th percentile of clocking in or out, one after the other."""
    asker = client.Client(clock.port)
    base = f"/v1/organizations/{organization['organizationID']}/timeEntries"
    taken = []
    for _ in range(count // 2):
        for path in ("clockIn", "clockOut"):
            start = time.monotonic()
            answer = asker.request("POST", f"{base}/{path}", organization["token"])
            taken.append(1_000 * (time.monotonic() - start))
            assert answer.status in (200, 201), answer
    taken.sort()
    return f"median {taken[count // 2]:.1f} ms, 99th percentile {taken[count * 99 // 100]:.1f} ms"


def measure_beside(clock, organization):
    print(f"clocking in, alone: {milliseconds(clock, organization)}")
    for number in (1, 2):
        stop = threading.Event()

        def export():
            while not stop.is_set():
                take(clock, organization, "csv")

        exports = [threading.Thread(target=export) for _ in range(number)]
        for one in exports:
            one.start()
        print(f"clocking in, beside {number} exports without end: {milliseconds(clock, organization)}", flush=True)
        stop.set()
        for one in exports:
            one.join()


def measure(clock, organization, wanted):
    clock.start()
    take(clock, organization, "csv&endDate=1970-01-10")
    resident = kilobytes(clock.process.pid, "VmRSS")
    print(f"{'':8}{'entries/s':>12}{'of CPU':>12}{'MB/s':>8}")
    for _ in range(wanted.rounds):
        for form in ("csv", "ndjson"):
            size, seconds, processor = take(clock, organization, form)
            print(
                f"{form:8}{wanted.entries / seconds:12,.0f}{wanted.entries / processor:12,.0f}"
                f"{size / seconds / 1e6:8.0f}",
                flush=True,
            )
    measure_beside(clock, organization)
    growth = kilobytes(clock.process.pid, "VmHWM") - resident
    print(f"resident memory: {resident / 1024:.1f} MB before, grown by {growth / 1024:.1f} MB at most")
    clock.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="timeclock-export-") as folder:
        if wanted.postgresql:
            with postgresql.Cluster(["fsync=off"]) as cluster:
                clock = service.Service(service.built_binary(), folder, database=cluster.make_database("clock"))
                organization = clock.create_organization()
                many_entries.fill_postgresql(cluster, "clock", wanted.entries)
                measure(clock, organization, wanted)
        else:
            clock = service.Service(service.built_binary(), folder)
            organization = clock.create_organization()
            many_entries.fill_sqlite(pathlib.Path(folder, "timeclock.db"), wanted.entries)
            measure(clock, organization, wanted)


main()
