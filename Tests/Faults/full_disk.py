#!/usr/bin/env python3
"""The database's file system is full: a small tmpfs, which this mounts, and so it runs as root.

Each round something else takes the room left, all of it or all but some pages. Then writes are refused with 503 or 507,
unless the log has room of its own from before, and reads go on; when there is room again, writes succeed without a
restart. In every fourth round the service is also killed and started while the disk is full: it is ready, or ends with
an error, and the next start has everything. With `--self-check` writes that do not fit are reported as done, and have
to be missed.
"""

import collections
import contextlib
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

import compare
import harness
import ledger as ledgers
import shims
import workload
from kit import client, service

# More than the log takes before it is moved under load, 64 MB.
SIZE = 100 << 20
PAGE = 4096
ROUNDS_OF_A_DATABASE = 6
# The time until writes succeed again, in seconds.
LIMIT, LIMIT_SHORT = 5, 20
LIE = "write:any:swallow:1:always"


@contextlib.contextmanager
def small_disk():
    """A folder with a file system of its own. It fails if mounting is not permitted."""
    with tempfile.TemporaryDirectory(prefix="timeclock-disk-") as folder:
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], capture_output=True, text=True
        )
        if made.returncode != 0:
            raise SystemExit(f"mounting a tmpfs is not permitted here; run this as root: {made.stderr.strip()}")
        try:
            yield pathlib.Path(folder)
        finally:
            # A process killed a moment ago may still hold a file.
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(rest, spare):
    """Leaves `spare` bytes."""
    with open(rest, "ab", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(bytes(1 << 20))
        file.truncate(max(0, file.tell() - spare))


class Reader(threading.Thread):
    """Somebody who only looks, all the time."""

    def __init__(self, port, world):
        super().__init__(daemon=True)
        self.client = client.Client(port)
        self.paths = [world.entries + "/current", world.entries + "?limit=5", "/v1/me"]
        self.token = world.members[0].token
        self.ended = threading.Event()
        self.refused = []
        self.count = 0

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()

    def run(self):
        while not self.ended.wait(0.005):
            path = self.paths[self.count % len(self.paths)]
            self.count += 1
            try:
                answer = self.client.request("GET", path, self.token)
            except OSError as error:
                answer = error
                self.client.close()
            if getattr(answer, "status", None) != 200:
                self.refused.append(f"GET {path}: {answer}")


class OfficeOnFullDisk:
    def __init__(self, disk, seed, limit, lies=False):
        self.disk, self.seed, self.limit, self.lies = disk, seed, limit, lies
        self.random = random.Random(seed)
        self.rest = disk / "rest"
        self.gate = disk / "gate"
        self.server = service.Service(harness.binary(), disk / "data")
        self.server.folder.mkdir()
        organization = self.server.create_organization()
        if lies:
            self.server.environment = shims.files(self.server.folder, fails=LIE, gate=self.gate)
        self.server.start()
        self.world = workload.World(self.server.port, organization)
        self.ledger = ledgers.Ledger(disk)
        self.database = compare.SQLiteDatabase(self.server.folder / "timeclock.db")
        self.refused = self.reads = 0

    def round(self, number, load):
        faults = []
        load.resume()
        time.sleep(0.2)
        before = load.statuses.copy()
        if self.lies:
            self.gate.touch()
        fill(self.rest, self.random.choice([0, 0, 3, 40]) * PAGE)
        with Reader(self.server.port, self.world) as reader:
            time.sleep(0.6)
        self.reads += reader.count
        faults += reader.refused[:3] if not self.lies else []
        met = load.statuses - before
        self.refused += met[503] + met[507]
        if number % 4 == 3:
            self._start_when_full(load, faults)
        self.rest.unlink()
        # A server that lies has nothing in memory that others could see: it is restarted.
        if self.server.process.poll() is not None or self.lies:
            self.gate.unlink(missing_ok=True)
            self.server.kill()
            self.server.start()
        faults += self._writes_again(load)
        load.pause()
        load.settle()
        return [
            f"seed {self.seed}, round {number + 1}: {fault}"
            for fault in faults + self.database.faults(self.ledger.operations()) + load.faults
        ]

    def _start_when_full(self, load, faults):
        load.pause()
        self.server.kill()
        try:
            self.server.start(self.limit)
        except SystemExit:
            if self.server.process.poll() in (None, 0):
                faults.append(f"a start on the full disk: exit code {self.server.process.poll()}")
                self.server.kill()
        load.resume()

    def _writes_again(self, load):
        before, deadline = load.written(), time.monotonic() + self.limit
        while time.monotonic() < deadline:
            if load.written() > before:
                return []
            time.sleep(0.02)
        return [f"nothing was written for {self.limit} s though there is room"]


def log_with_room():
    """A log that is long from before has room on the full disk, and its index is new: a failure undoes its commit.

    The service ended there, because the outcome of a commit without room in the index was unknown.
    """
    with small_disk() as disk:
        folder = disk / "data"
        folder.mkdir()
        server = service.Service(harness.binary(), folder)
        created = server.create_organization()
        server.start()
        entries = f"/v1/organizations/{created['organizationID']}/timeEntries"

        def pairs(count):
            asker, statuses = client.Client(server.port), collections.Counter()
            for path in ["/clockIn", "/clockOut"] * count:
                try:
                    statuses[asker.request("POST", entries + path, created["token"]).status] += 1
                except OSError:
                    statuses[0] += 1
                    break
                if statuses[503] + statuses[507] > 5:
                    break
            return statuses

        # More pages than one part of the index has numbers for; then the log is moved, and restarts in the room it has.
        pairs(500)
        time.sleep(0.5)
        pairs(1)
        server.kill()
        server.start()
        pairs(5)
        rest = disk / "rest"
        fill(rest, 0)
        met = pairs(1_500)
        faults = []
        if met[0]:
            faults.append(f"a log with room: the service ended with {server.process.wait(10)}, {dict(met)}")
        elif not met[503] + met[507]:
            faults.append(f"a log with room: nothing was refused, so the disk was not full: {dict(met)}")
        else:
            rest.unlink()
            time.sleep(0.2)
            again = pairs(5)
            if not again[200] or again[0]:
                faults.append(f"a log with room: nothing was written though there is room: {dict(again)}")
        server.kill()
        return faults


def run(seed, rounds, limit, lies=False):
    faults = []
    with small_disk() as disk:
        office = OfficeOnFullDisk(disk, seed, limit, lies)
        with workload.Workload([office.server.port], office.world, office.ledger, seed, callers=8) as load:
            for number in range(rounds):
                faults += office.round(number, load)
                if faults:
                    break
            load.pause()
        acknowledged = sum(operation.outcome == ledgers.OK for operation in office.ledger.operations())
        office.server.kill()
        office.ledger.remove()
    return faults, acknowledged, office.refused, office.reads


def main():
    options = harness.options(__doc__, short=4, long=60)
    if options.self_check:
        faults, *_ = run(options.seed, 1, LIMIT_SHORT, lies=True)
        faults = [fault for fault in faults if "lost" in fault]
        harness.conclude(faults, f"full disk, seed {options.seed}", is_self_check=True)
    limit = LIMIT if options.form == "long" else LIMIT_SHORT
    faults, done, counts = log_with_room(), 0, [0, 0, 0]
    while done < options.count and len(faults) < 20:
        rounds = min(ROUNDS_OF_A_DATABASE, options.count - done)
        found, *more = run(options.seed + done, rounds, limit)
        faults += found
        done += rounds
        counts = [sum(pair) for pair in zip(counts, more)]
        if not more[1]:
            faults.append(f"seed {options.seed + done - rounds}: nothing was refused, so the disk was not full")
        if options.form == "long":
            print(f"{done} rounds, {len(faults)} faults", file=sys.stderr, flush=True)
    harness.conclude(
        faults,
        f"full disk, seed {options.seed}: {done} rounds, {counts[0]} acknowledged operations, {counts[1]} writes "
        f"refused, {counts[2]} reads",
    )


if __name__ == "__main__":
    main()
