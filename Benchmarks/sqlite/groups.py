"""Members of 200 organizations who clock in together, later out, in groups that share one commit."""

import datetime
import pathlib
import random
import sqlite3
import struct
import subprocess
import sys
import time

from kit import service
from loading import HERE, add_member_tokens
from loading.counting import Connection

GENERATE = HERE.parent / "data/generate.py"
SIZE = 16


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


class Log:
    """The state of the log by its index: https://sqlite.org/walformat.html, section 2.1."""

    def __init__(self, path):
        self.file = open(f"{path}-shm", "rb", buffering=0)
        self.last = self.read()

    def read(self):
        """The counter of commits, the number of frames, and the salts, which differ once the log has restarted."""
        self.file.seek(0)
        header = self.file.read(48)
        return struct.unpack_from("=I", header, 8)[0], struct.unpack_from("=I", header, 16)[0], header[32:40]

    def added(self):
        """The commits and the frames since the last call, which are right for one commit."""
        before, self.last = self.last, self.read()
        commits, frames, salts = self.last
        return commits - before[0], frames - (before[1] if salts == before[2] else 0)


class Groups:
    """The requests of a group, which a lock of the database holds back until all of them wait.

    `bodies` has the content of requests, by token and operation.
    """

    def __init__(self, clock, path, members, bodies=None):
        self.bodies = bodies or {}
        self.threads = pathlib.Path(f"/proc/{clock.process.pid}/task")
        self.connections = [Connection(clock.port) for _ in range(SIZE)]
        self.first = Connection(clock.port)
        self.lock = sqlite3.connect(path, isolation_level=None)
        self.lock.execute("PRAGMA wal_autocheckpoint = 0")
        self.members = members

    def run(self, operation, group):
        """Has the members of a group do the operation of that path, such as `timeEntries/clockIn`; with None, nobody."""
        self.lock.execute("BEGIN IMMEDIATE")
        # A write of nothing waits for the lock, so that the others come together behind it.
        self.first.send("GET", "/health/ready")
        self._wait_until_all_wait()
        used = self.connections if operation else []
        for index, connection in enumerate(used):
            organization, token = self.members[(group * SIZE + index) % len(self.members)]
            body = self.bodies.get((token, operation), "")
            connection.send("POST", f"/v1/organizations/{organization}/{operation.partition('#')[0]}", token, body)
        self._wait_until_all_wait()
        self.lock.execute("ROLLBACK")
        for connection in (self.first, *used):
            connection.expect_success()

    def _wait_until_all_wait(self):
        """Returns when no thread of the service has had anything to do for 3 ms."""
        quiet = 0
        while quiet < 3:
            time.sleep(0.001)
            try:
                states = [(thread / "stat").read_text().rpartition(") ")[2][0] for thread in self.threads.iterdir()]
            except (FileNotFoundError, ProcessLookupError):
                continue  # A thread ended.
            quiet = quiet + 1 if all(state == "S" for state in states) else 0

    def close(self):
        self.lock.close()
