#!/usr/bin/env python3
"""The power goes: the service's writes are recorded, and the disk rebuilt as it may be at many points of it.

Callers work while everything that the service does to its files is recorded; it is killed and started again in the
midst of it. In two of three recordings one sync fails with EIO before that, of the log or of the database, after which
the service may end by itself. At each point every write acknowledged until then has to be on the rebuilt disk, intact,
and at some of them the service is started on it. With `--self-check` no sync ever takes place, which has to be noticed.
"""

import pathlib
import random
import sys
import tempfile
import time

import compare
import harness
import ledger as ledgers
import recording
import shims
import workload
from kit import service

POINTS_OF_A_RUN = 20
# The number of points at which the service is started.
STARTS = 8
PARTS = [0, 0.2, 0.5, 0.8, 1]
EIO = 5
# The number of records that are soon after a failed sync: the next start, and the commits until the log is moved.
SOON = 3_000
# The failure in a run. Of the first syncs of the log one is of its header, if it has just been moved.
FAILURES = [
    lambda chances: f"fsync:wal:{EIO}:{chances.randint(1, 4)}:once",
    lambda chances: None,
    lambda chances: f"fsync:database:{EIO}:1:once",
]
NO_SYNC = "fsync:any:swallow:1:always"


class Run:
    """One recording, and the points at which its power is cut."""

    def __init__(self, seed, folder, failure=None):
        self.seed = seed
        self.random = random.Random(seed)
        self.folder = pathlib.Path(folder)
        self.failure = failure
        self.server = service.Service(harness.binary(), self.folder / "data")
        self.server.folder.mkdir()
        self.ledger = ledgers.Ledger(self.folder)
        self.gate = self.folder / "gate"
        self.starts = self.points = 0
        self.ends = []
        self.faults = []

    def record(self, seconds):
        trace, server = self.folder / "trace", self.server
        organization = server.create_organization()
        server.start()
        world = workload.World(server.port, organization)
        server.stop()
        self.disk = recording.Disk(server.folder)
        server.environment = shims.files(server.folder, trace, self.failure, self.gate)
        server.start()
        with workload.Workload([server.port], world, self.ledger, self.seed) as load:
            self._work(load, seconds / 2)
            if self.failure:
                self.gate.touch()
                self._work(load, seconds / 4)
                # A service that has noticed ends by itself; one that can go on goes on.
                self.ends.append(server.process.poll())
                if self.failure != NO_SYNC:
                    self.gate.unlink()
            server.kill()
            load.pause()
            server.start()
            # Replayed requests were committed by the process that is gone.
            load.settle()
            load.resume()
            self._work(load, seconds / 2)
            load.pause()
        self.faults += load.faults
        server.kill()
        self.records = recording.read(trace)

    def _work(self, load, seconds):
        """With pauses in which the log is moved into the database."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(min(0.3, seconds))
            load.pause()
            time.sleep(0.06)
            load.resume()

    def cut(self, points, parts=PARTS):
        operations = self.ledger.operations()
        done = 0
        for point in sorted(self._choose(points)):
            for record in self.records[done : point + 1]:
                self.disk.apply(record)
            done = point + 1
            record = self.records[point]
            part = self.random.choice(parts)
            with tempfile.TemporaryDirectory(prefix="after-cut-", dir=self.folder) as folder:
                for name, content in self.disk.after_cut(self.random, part).items():
                    (pathlib.Path(folder) / name).write_bytes(content)
                known = [known for operation in operations if (known := operation.until(record.at))]
                try:
                    found = self._faults(folder, known)
                except Exception as error:  # A file that cannot be read at all.
                    found = [repr(error)]
            if found:
                self.faults.append(
                    f"seed {self.seed}, {self.failure or 'no failure'}, record {point} of {len(self.records)} "
                    f"({record.operation} of {record.name}), {part} kept: {len(found)} differences, such as {found[0]}"
                )
        self.ledger.remove()

    def _choose(self, count):
        """Points of three kinds in turn.

        Anywhere; where the log is moved, or restarts, or something is synced; and soon after a sync that failed.
        """
        everywhere = range(len(self.records))
        special = [
            number
            for number in everywhere
            if self.records[number].operation != "W" or self.records[number].name.endswith(".db")
        ]
        failed = [number for number in everywhere if self.records[number].failed]
        soon = everywhere[failed[0] : failed[0] + SOON] if failed else everywhere
        return [self.random.choice((everywhere, special, soon)[number % 3]) for number in range(count)]

    def _faults(self, folder, operations):
        database = compare.SQLiteDatabase(pathlib.Path(folder) / "timeclock.db")
        found = database.faults(operations, audit=False)
        self.points += 1
        if self.points % STARTS == 0 and not found:
            self.starts += 1
            server = service.Service(harness.binary(), folder)
            try:
                server.start()
                server.stop()
            except SystemExit as error:
                return [f"{error}: {(server.folder / 'server.log').read_text()[-500:]}"]
            found = database.faults(operations)
        return found


def main():
    options = harness.options(__doc__, short=40, long=480, count="points")
    seconds = 4 if options.form == "long" else 1.2
    faults, points, starts, records, ends = [], 0, 0, 0, []
    if options.self_check:
        with tempfile.TemporaryDirectory(prefix="timeclock-power-") as folder:
            run = Run(options.seed, folder, NO_SYNC)
            run.gate.touch()
            run.record(seconds)
            run.cut(4, parts=[0])
            lost = [fault for fault in run.faults if "lost" in fault]
            harness.conclude(lost, f"power cuts, seed {options.seed}", is_self_check=True)
    while points < options.count and len(faults) < 50:
        failure = FAILURES[points // POINTS_OF_A_RUN % len(FAILURES)]
        with tempfile.TemporaryDirectory(prefix="timeclock-power-") as folder:
            seed = options.seed + points
            run = Run(seed, folder, failure(random.Random(seed)))
            run.record(seconds)
            run.cut(min(POINTS_OF_A_RUN, options.count - points))
        points += min(POINTS_OF_A_RUN, options.count - points)
        faults += run.faults
        starts += run.starts
        records += len(run.records)
        ends += run.ends
        if options.form == "long":
            print(f"{points} points, {len(faults)} faults", file=sys.stderr, flush=True)
    harness.conclude(
        faults,
        f"power cuts, seed {options.seed}: {points} points of {records} recorded calls, {starts} with a start of "
        f"the service, {len(ends)} failed syncs (ended with {ends})",
    )


if __name__ == "__main__":
    main()
