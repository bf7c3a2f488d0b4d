#!/usr/bin/env python3
"""A call of the service on its files fails: once or always, with EIO or ENOSPC, while it runs, stops or starts.

Each kind is a call (fsync, write, truncate, read, open), a file (the database, its log, its index, its lock, the
folder), an error, how often, and when. Afterwards nothing that was acknowledged is missing: a service that continues
answers 503 or 507 meanwhile and is healthy when calls succeed again; one that does not continue ends within five
seconds, not with 0; and the next start has everything. With `--self-check` writes to the log are answered with success
and not done, and the loss has to be missed. `--only TEXT` runs the kinds whose name holds the text.
"""

import dataclasses
import errno
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import compare
import harness
import ledger as ledgers
import shims
import workload
from kit import client, service

# Another database after this many kinds: comparing takes as long as the ledger is.
KINDS_OF_A_DATABASE = 12
# The time in which the service must be healthy again, or end, in seconds; a busy machine takes longer.
LIMIT, LIMIT_SHORT = 5, 20
RUNNING, STOPPING, STARTING = "running", "stopping", "starting"


@dataclasses.dataclass(frozen=True)
class Kind:
    call: str
    file: str
    effect: str
    how: str
    moment: str

    def __str__(self):
        return f"{self.moment}: {self.call} of {self.file}, {self.effect} {self.how}"

    @property
    def calls(self):
        """The number of such calls that are certain."""
        if self.call == "open" and self.file in ("wal", "database"):
            return 2
        return 4 if self.moment == RUNNING and (self.call in ("read", "write") or self.file == "wal") else 1

    def rule(self, chances):
        # Which of them fails: the first if there may be one only.
        number = chances.randint(1, self.calls) if self.how == "once" else 1
        effect = self.effect if self.effect == "swallow" else getattr(errno, self.effect)
        return f"{self.call}:{self.file}:{effect}:{number}:{self.how}"


# Which calls there are on which files, at which moments.
PLACES = {
    ("fsync", "EIO ENOSPC"): {RUNNING: "wal database", STOPPING: "wal database", STARTING: "wal database folder"},
    ("write", "EIO ENOSPC"): {RUNNING: "wal database", STOPPING: "database", STARTING: "wal database shm"},
    ("truncate", "EIO"): {RUNNING: "database", STOPPING: "wal database", STARTING: "shm"},
    ("read", "EIO"): {RUNNING: "wal database", STOPPING: "wal", STARTING: "wal database"},
    ("open", "EIO ENOSPC"): {STARTING: "wal database shm lock folder"},
}
KINDS = [
    Kind(call, file, effect, how, moment)
    for (call, effects), moments in PLACES.items()
    for moment, files in moments.items()
    for file, effect, how in itertools.product(files.split(), effects.split(), ("once", "always"))
]
SWALLOWED = Kind("write", "wal", "swallow", "always", RUNNING)


class OfficeWithFailingCalls:
    """A database whose server is made to meet one kind after the other."""

    def __init__(self, folder, seed, limit):
        self.folder = pathlib.Path(folder)
        self.random = random.Random(seed)
        self.seed = seed
        self.limit = limit
        self.gate, self.hits = self.folder / "gate", self.folder / "hits"
        self.server = service.Service(harness.binary(), self.folder / "data")
        self.server.folder.mkdir()
        organization = self.server.create_organization()
        self.server.start()
        self.world = workload.World(self.server.port, organization)
        self.server.stop()
        self.ledger = ledgers.Ledger(self.folder)
        self.database = compare.SQLiteDatabase(self.server.folder / "timeclock.db")

    def meet(self, kind):
        """Whether the call was made, its outcome, and the faults."""
        self.hits.write_bytes(b"")
        self.gate.unlink(missing_ok=True)
        faults = []
        with workload.Workload([self.server.port], self.world, self.ledger, self.random.random(), callers=8) as load:
            load.pause()
            self._start(kind if kind.moment != STARTING else None)
            self._work(load, 0.15)
            meet = {RUNNING: self._run, STOPPING: self._stop, STARTING: self._start_anew}[kind.moment]
            came, fault = meet(kind, load)
            load.pause()
            faults += [fault] if fault else []
            if self.server.process.poll() is None:
                self.server.kill()
            self.gate.unlink(missing_ok=True)
            try:
                self._start(None)
            except SystemExit as error:
                return True, came, faults + [f"the next start: {error}: {self._log()}"]
            load.settle()
            faults += self.database.faults(self.ledger.operations()) + load.faults
            load.resume()
        self.server.kill()
        return self.hits.stat().st_size > 0, came, faults

    def _start(self, kind):
        self.server.environment = {}
        if kind:
            self.server.environment = shims.files(
                self.server.folder, fails=kind.rule(self.random), gate=self.gate, hits=self.hits
            )
        self.server.start()

    def _work(self, load, seconds):
        """Two rounds, each with a pause in which the log is moved into the database."""
        for _ in range(2):
            load.resume()
            time.sleep(seconds / 2)
            load.pause()
            time.sleep(0.04)

    def _run(self, kind, load):
        self._grow_log(load)
        self.gate.touch()
        self._work(load, 0.3)
        self.gate.unlink()
        return self._becomes_healthy(kind, load)

    def _stop(self, kind, load):
        self.gate.touch()
        self.server.process.terminate()
        try:
            return f"ended with {self.server.process.wait(self.limit + 15)}", None
        except subprocess.TimeoutExpired:
            return "goes on", "SIGTERM does not end it"

    def _start_anew(self, kind, load):
        """After a kill, so that there is a log to read."""
        load.resume()
        time.sleep(0.1)
        self.server.kill()
        load.pause()
        self.gate.touch()
        try:
            began = time.monotonic()
            self._start(kind)
        except SystemExit:
            return self._ended(began)
        self._work(load, 0.1)
        self.gate.unlink()
        came, fault = self._becomes_healthy(kind, load)
        return f"started, {came}", fault

    def _grow_log(self, load):
        """Until a quiet moment will be used to move it, so that this is done while calls fail."""
        load.resume()
        log = pathlib.Path(f"{self.database.path}-wal")
        deadline = time.monotonic() + 10
        while log.stat().st_size < 4_200_000 and time.monotonic() < deadline:
            time.sleep(0.02)

    def _becomes_healthy(self, kind, load):
        """It writes again, and says that it is ready.

        A read that fails looks like damage, which readiness keeps reporting for a minute.
        """
        load.resume()
        began, written = time.monotonic(), load.written()
        while time.monotonic() < began + self.limit:
            if self.server.process.poll() is not None:
                return self._ended(began)
            if load.written() > written and (kind.call == "read" or self._is_ready()):
                return "healthy", None
            time.sleep(0.02)
        return "goes on", f"neither healthy nor ended after {self.limit} s: {self._log()}"

    def _is_ready(self):
        visitor = client.Client(self.server.port, timeout=self.limit)
        try:
            return visitor.request("GET", "/health/ready").status == 200
        except OSError:
            return False
        finally:
            visitor.close()

    def _ended(self, began):
        code, took = self.server.process.poll(), time.monotonic() - began
        came = f"ended with {code}"
        if code is None:
            return came, f"neither ready nor ended after {took:.1f} s"
        if code <= 0:
            return came, f"ended with {code}: {self._log()}"
        return came, f"ended after {took:.1f} s" if took > self.limit else None

    def _log(self):
        return (self.server.folder / "server.log").read_text(errors="replace")[-300:]


def run(kinds, seed, limit, is_long=False):
    """The faults, and the number of kinds with each outcome."""
    faults, outcomes, place = [], {}, 0
    while place < len(kinds) and len(faults) < 50:
        with tempfile.TemporaryDirectory(prefix="timeclock-calls-") as folder:
            office = OfficeWithFailingCalls(folder, seed + place, limit)
            for kind in kinds[place : place + KINDS_OF_A_DATABASE]:
                place += 1
                was_met, came, found = office.meet(kind)
                if was_met:
                    outcomes[kind] = came
                if is_long:
                    print(f"{kind}: {came if was_met else 'not met'}", file=sys.stderr, flush=True)
                if found:
                    faults.append(f"{kind}, seed {office.seed}: {len(found)} faults, such as {found[0]}; {found[-1]}")
                    # The next kinds would fail in the same way.
                    break
            office.ledger.remove()
    return faults, outcomes


def main():
    options = harness.options(
        __doc__,
        short=12,
        long=len(KINDS),
        count="kinds",
        add=lambda parser: parser.add_argument("--only", default="", help="kinds whose name holds this text"),
    )
    if options.self_check:
        faults, _ = run([SWALLOWED], options.seed, LIMIT)
        faults = [fault for fault in faults if "lost" in fault]
        harness.conclude(faults, f"failing calls, seed {options.seed}", is_self_check=True)
    kinds = [kind for kind in KINDS if options.only in str(kind)]
    random.Random(options.seed).shuffle(kinds)
    is_long = options.form == "long"
    faults, outcomes = run(kinds[: options.count], options.seed, LIMIT if is_long else LIMIT_SHORT, is_long)
    healthy = sum(came.endswith("healthy") for came in outcomes.values())
    harness.conclude(
        faults,
        f"failing calls, seed {options.seed}: {len(outcomes)} kinds, after {healthy} the service went on, after "
        f"{len(outcomes) - healthy} it ended and was started again",
    )


if __name__ == "__main__":
    main()
