#!/usr/bin/env python3
"""Counts the pages that a clock-in and a clock-out leave in SQLite's write-ahead log, with the real server.

200 organizations of 50 members; 16 members of any of them clock in together, later out: a group that shares one commit. Pages
are counted after as many unmeasured ones, when the pages of the generated rows have split. For each group, a lock holds the
writer until all 16 requests wait. Counts do not swing as times do, so one run of each binary tells.

usage: frames.py [--groups N] [--days N] [BINARY ...]

Each BINARY makes a database of its own. Without any, that of the static release build, or of TIMECLOCK_BINARY.
Talks to loopback only.
"""

import argparse
import datetime
import pathlib
import random
import re
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

from kit import service
from loading import add_member_tokens

GENERATE = pathlib.Path(__file__).resolve().parent.parent / "data/generate.py"
SIZE = 16


class Log:
    """What the log's index says of the log: https://sqlite.org/walformat.html, section 2.1."""

    def __init__(self, path):
        self.file = open(f"{path}-shm", "rb", buffering=0)
        self.last = self.read()

    def read(self):
        """The counter of commits, the number of frames, and the salts, which are others when the log has begun anew."""
        self.file.seek(0)
        header = self.file.read(48)
        return struct.unpack_from("=I", header, 8)[0], struct.unpack_from("=I", header, 16)[0], header[32:40]

    def added(self):
        """The commits and the frames since the last call, which are right for one commit."""
        before, self.last = self.last, self.read()
        commits, frames, salts = self.last
        return commits - before[0], frames - (before[1] if salts == before[2] else 0)


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))

    def send(self, method, path, token=None):
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
        authorization = f"Authorization: Bearer {token}\r\n" if token else ""
        self.socket.sendall(f"{head}{authorization}\r\n".encode())

    def expect_success(self):
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.socket.recv(65536)
        head, _, content = answer.partition(b"\r\n\r\n")
        length = int((re.search(rb"\r\ncontent-length: *(\d+)", head.lower()) or [0, 0])[1])
        while len(content) < length:
            content += self.socket.recv(65536)
        if not head.startswith(b"HTTP/1.1 2"):
            sys.exit(f"{head.decode()}\n{content.decode()}")


def generate(binary, path, days):
    """Fills a database; the organization's id and a token of each member that is out, in no order."""
    last_day = datetime.date.today() - datetime.timedelta(days=8)
    subprocess.run(
        [sys.executable, GENERATE, "--days", str(days), "--last-day", str(last_day), f"sqlite:{path}"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**service.own_environment(), "TIMECLOCK_BINARY": binary},
    )
    people = add_member_tokens(path)
    database = sqlite3.connect(path)
    active = {user for (user,) in database.execute("SELECT user_id FROM time_entries WHERE clock_out IS NULL")}
    database.close()
    members = [person for user, person in enumerate(people, 1) if user not in active]
    random.Random(1).shuffle(members)
    return members


def count(clock, path, members, groups):
    """For clock-ins and for clock-outs: frames a write, and writes a commit."""
    connections = [Connection(clock.port) for _ in range(SIZE)]
    first = Connection(clock.port)
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("PRAGMA wal_autocheckpoint = 0")
    log = Log(path)
    result = {}
    for _ in ("not measured", "measured"):
        for operation in ("clockIn", "clockOut"):
            commits, frames = 0, 0
            for group in range(groups):
                lock.execute("BEGIN IMMEDIATE")
                # A write of nothing waits for the lock, so that the others come together behind it.
                first.send("GET", "/health/ready")
                time.sleep(0.002)
                for index, connection in enumerate(connections):
                    organization, token = members[(group * SIZE + index) % len(members)]
                    entries = f"/v1/organizations/{organization}/timeEntries"
                    connection.send("POST", f"{entries}/{operation}", token)
                time.sleep(0.006)
                lock.execute("ROLLBACK")
                for connection in (first, *connections):
                    connection.expect_success()
                added = log.added()
                commits, frames = commits + added[0], frames + added[1]
            result[operation] = frames / (groups * SIZE), groups * SIZE / commits
    lock.close()
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
