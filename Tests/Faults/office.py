"""Two servers on one PostgreSQL with callers at work, and the conditions that hold after each fault."""

import contextlib
import dataclasses
import pathlib
import tempfile
import time

import compare
import harness
import ledger as ledgers
import workload
from kit import client, service

INSTANCES = 2
CALLERS = 8
# The longest that a caller waits between two requests, and that faults make others wait, in seconds: longer than an
# answer may take from the database, shorter than one to a client.
PAUSE = 0.01
LONGEST_STOP = 8
# No request takes longer, and when a fault is over the service is as before after so long. In seconds.
ANSWER_LIMIT = 10
RETURN_LIMIT = 5
# The longest wait for a service that is late, and for an answer that may have been asked for too early.
PATIENCE = 30
PROBE_LIMIT = 1
# The audit log is verified after this many rounds: that takes as long as the log is.
AUDIT_ROUNDS = 5


@dataclasses.dataclass(frozen=True)
class Fault:
    """`play(office, chance)` does it and ends it. When it returns, everything broken is back."""

    name: str
    play: object


class OfficeOfTwoServers:
    """Use it in a `with`; it begins at once."""

    def __init__(self, seed, location, database, cluster, longest_stop=LONGEST_STOP):
        """`location` is the servers' database; `database` of `cluster` is the comparison's.

        `longest_stop` is the time that a fault may take that makes others wait, in seconds.
        """
        self.seed = seed
        self.location = location
        self.database = database
        self.cluster = cluster
        self.longest_stop = longest_stop
        self.faults = []
        self.longest_return = 0
        self.rounds = self.acknowledged = self.unknown = 0

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="timeclock-office-")))
            self.instances = []
            for number in range(INSTANCES):
                place = folder / str(number)
                place.mkdir()
                self.instances.append(service.Service(harness.binary(), place, database=self.location))
            self.organization = self.instances[0].create_organization()
            for instance in self.instances:
                instance.start()
                stack.callback(instance.kill)
            ports = [instance.port for instance in self.instances]
            world = workload.World(ports[0], self.organization)
            self.ledger = ledgers.Ledger(folder)
            stack.callback(self.ledger.remove)
            self.load = stack.enter_context(
                workload.Workload(ports, world, self.ledger, self.seed, CALLERS, timeout=ANSWER_LIMIT + 5, pause=PAUSE)
            )
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def play(self, rounds, chance, faults):
        """Rounds under load: the first faults in their order, others at random. The first finding ends it."""
        for number in range(1, rounds + 1):
            fault = faults[number - 1] if number <= len(faults) else chance.choice(faults)
            time.sleep(chance.uniform(0.1, 0.5))
            fault.play(self, chance)
            self.expect_back()
            time.sleep(chance.uniform(0.1, 0.3))
            self.check(f"round {number}, {fault.name}", audit=number % AUDIT_ROUNDS == 0 or number == rounds)
            self.rounds = number
            print(f"round {number}, {fault.name}: {self.acknowledged} acknowledged", flush=True)
            if self.faults:
                break

    def check(self, what, audit):
        """Compares the ledger with the database, while nothing is under way."""
        self.load.pause()
        self.load.settle()
        operations = self.ledger.operations()
        self.acknowledged, self.unknown = (
            sum(operation.outcome == outcome for operation in operations) for outcome in (ledgers.OK, ledgers.UNKNOWN)
        )
        found = compare.PostgreSQLDatabase(self.cluster, self.database).faults(operations, audit)
        found += self.load.faults
        if self.load.slowest > ANSWER_LIMIT:
            found.append(f"a request took {self.load.slowest:.1f} s")
        self.faults += [f"{what}: {fault}" for fault in found]
        self.load.resume()

    def expect_back(self, since=None, limit=RETURN_LIMIT):
        """Waits until every server writes again: within the limit, or that is a fault."""
        since = since or time.monotonic()
        for instance in self.instances:
            while not self._is_back(instance):
                if time.monotonic() - since > limit + PATIENCE:
                    raise SystemExit(f"the server of {instance.folder} is not back after {limit + PATIENCE} s")
                time.sleep(0.02)
        took = time.monotonic() - since
        self.longest_return = max(self.longest_return, took)
        if took > limit:
            self.faults.append(f"the service was back after {took:.1f} s only")

    def _is_back(self, instance):
        """Whether it is ready and writes: its admin is clocked in by that, or already was."""
        connection = client.Client(instance.port, PROBE_LIMIT)
        entries = f"/v1/organizations/{self.organization['organizationID']}/timeEntries"
        try:
            if connection.request("GET", "/health/ready").status != 200:
                return False
            written = connection.request("POST", entries + "/clockIn", self.organization["token"])
            return written.status in (201, 409)
        except OSError:
            return False
        finally:
            connection.close()

    def summary(self):
        statuses = ", ".join(
            f"{count} × {status or 'none'}"
            for status, count in sorted(self.load.statuses.items(), key=lambda item: item[0] or 0)
        )
        return (
            f"{self.rounds} rounds, {self.acknowledged} acknowledged operations, {self.unknown} unknown "
            f"(answers {statuses}), the slowest after {self.load.slowest:.1f} s, "
            f"back after {self.longest_return:.1f} s at most"
        )
