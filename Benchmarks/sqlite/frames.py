#!/usr/bin/env python3
"""Counts the pages that a clock-in and a clock-out leave in SQLite's write-ahead log, with the real server.

200 organizations of 50 members; 16 members of any of them clock in together, later out: a group that shares one commit.
Pages are counted after as many unmeasured ones, when the pages of the generated rows have split. For each group, a lock
holds the writer until all 16 requests wait. Counts do not swing as times do, so one run of each binary suffices.

usage: frames.py [--groups N] [--days N] [BINARY ...]

Each BINARY makes a database of its own. Without any, that of the static release build, or of TIMECLOCK_BINARY.
Talks to loopback only.
"""

import argparse
import pathlib
import tempfile

from groups import SIZE, Groups, Log, generate
from kit import service


def count(clock, path, members, groups):
    """For clock-ins and for clock-outs: frames a write, and writes a commit."""
    together = Groups(clock, path, members)
    log = Log(path)
    result = {}
    for _ in ("not measured", "measured"):
        for operation in ("clockIn", "clockOut"):
            commits, frames = 0, 0
            for group in range(groups):
                together.run(f"timeEntries/{operation}", group)
                added = log.added()
                commits, frames = commits + added[0], frames + added[1]
            result[operation] = frames / (groups * SIZE), groups * SIZE / commits
    together.close()
    return result


def measure(binary, groups, days):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "timeclock.db")
        members = generate(binary, path, days)
        clock = service.Service(binary, folder)
        clock.start(patience=60)
        result = count(clock, path, members, min(groups, len(members) // SIZE))
        clock.stop()
    return result


def main():
    parser = argparse.ArgumentParser(usage="frames.py [--groups N] [--days N] [BINARY ...]")
    parser.add_argument("--groups", type=int, default=400)
    parser.add_argument("--days", type=int, default=20)
    parser.add_argument("binaries", nargs="*")
    options = parser.parse_args()
    for binary in options.binaries or [service.built_binary()]:
        result = measure(binary, options.groups, options.days)
        print(f"{binary}:", flush=True)
        for operation, (frames, writes) in result.items():
            print(f"  {operation:<8} {frames:5.1f} pages, {writes:.1f} writes a commit", flush=True)


main()
