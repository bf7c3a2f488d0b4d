#!/usr/bin/env python3
"""The service is killed at random moments under load, now and then while it starts, and started again.

After each kill the ledger is compared with the file: 0 lost, 0 doubled, 0 overlaps, and the service is ready again within
two seconds. With `--self-check` the last transactions are cut off the log after a kill, as if their answers had come before
their commits, and have to be missed.
"""

import random
import sys
import tempfile
import time

import compare
import harness
import ledger as ledgers
import workload
import write_ahead_log
from kit import service

# Another database after this many kills: comparing takes as long as the ledger is.
KILLS_OF_A_DATABASE = 40
CALLERS = 16
# In seconds. A build for debugging on a busy machine takes longer to start than the bar of the long form.
READY, READY_SHORT = 2, 10
# The number of transactions that the control cuts off, the last one unanswered, and how often it may be lucky.
LOST_COMMITS, CONTROL_KILLS = 4, 20


class Series:
    """Kills of one database's server."""

    def __init__(self, seed, is_self_check=False):
        self.seed = seed
        self.random = random.Random(seed)
        self.is_self_check = is_self_check
        self.slowest_start = 0
        self.acknowledged = 0

    def run(self, kills):
        """The faults."""
        faults = []
        with tempfile.TemporaryDirectory(prefix="timeclock-kills-") as folder:
            server = service.Service(harness.binary(), folder)
            organization = server.create_organization()
            server.start()
            world = workload.World(server.port, organization)
            ledger = ledgers.Ledger(folder)
            database = compare.SQLiteDatabase(server.folder / "timeclock.db")
            with workload.Workload([server.port], world, ledger, self.seed, CALLERS) as load:
                for number in range(kills):
                    time.sleep(self.random.uniform(0.02, 0.2))
                    server.kill()
                    load.pause()
                    if self.is_self_check:
                        write_ahead_log.drop_last_commits(f"{database.path}-wal", LOST_COMMITS)
                    self._start(server)
                    load.settle()
                    is_last = number + 1 == kills
                    faults += [
                        f"kill {number + 1} of seed {self.seed}: {fault}"
                        for fault in database.faults(ledger.operations(), audit=is_last or number % 10 == 0)
                    ]
                    if faults:
                        break
                    load.resume()
                load.pause()
            server.kill()
            self.acknowledged = sum(operation.outcome == ledgers.OK for operation in ledger.operations())
            ledger.remove()
            return faults + load.faults

    def _start(self, server):
        if self.random.random() < 0.2:
            server.launch()
            time.sleep(self.random.uniform(0, 0.05))
            server.kill()
        began = time.monotonic()
        server.start()
        self.slowest_start = max(self.slowest_start, time.monotonic() - began)


def main():
    options = harness.options(__doc__, short=20, long=1_000, count="kills")
    limit = READY if options.form == "long" else READY_SHORT
    if options.self_check:
        series = Series(options.seed, is_self_check=True)
        lost = [fault for fault in series.run(CONTROL_KILLS) if "lost" in fault]
        harness.conclude(lost, f"kills, seed {options.seed}", is_self_check=True)
    faults, acknowledged, slowest, done = [], 0, 0, 0
    while done < options.count and len(faults) < 20:
        series = Series(options.seed + done)
        kills = min(KILLS_OF_A_DATABASE, options.count - done)
        faults += series.run(kills)
        done += kills
        acknowledged += series.acknowledged
        slowest = max(slowest, series.slowest_start)
        if options.form == "long":
            print(f"{done} kills, {acknowledged} acknowledged, {len(faults)} faults", file=sys.stderr, flush=True)
    if slowest > limit:
        faults.append(f"a start took {slowest:.1f} s")
    harness.conclude(
        faults,
        f"kills, seed {options.seed}: {done} kills, {acknowledged} acknowledged operations, "
        f"ready again within {slowest:.2f} s",
    )


if __name__ == "__main__":
    main()
