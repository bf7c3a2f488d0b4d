#!/usr/bin/env python3
"""One organization floods the service on forty connections; another one's clock-ins and log-ins go on as before.

    neighbors.py [short|long] [--storage sqlite|postgresql] [--flood NAME]... [--count SECONDS] [--self-check]

Each flood of floods.py runs for some seconds, after as long a time of quiet. Meanwhile somebody of another
organization clocks in and out, somebody logs in, and somebody exports. In the long form clock-ins take less than ten
times their quiet median and less than 250 ms at p99, none is answered 503, log-ins succeed within three seconds, and
exports are answered. The short form runs some of the floods for a moment, and is content with times that a busy
machine keeps. `--self-check` plants faults that each of these checks must find.
"""

import collections
import contextlib
import dataclasses
import itertools
import math
import statistics
import tempfile
import threading
import time

import floods
import harness
from kit import client, latency, postgresql, service, stopped

PASSWORD = "harbour battery 79"
SHORT_SECONDS, LONG_SECONDS = 1, 12
# The numbers of people with entries in the flooding organization, and of days.
SMALL, LARGE = (2, 40), (4, floods.DAYS_OF_A_FILE)
# Between two requests of the clocking member, and between two log-ins or exports.
CLOCKING_PAUSE, PAUSE = 0.005, 1
# The people who log in, one after the other: a right password may be used once every ten seconds on average.
PEOPLE = 12
# The time after a flood until the service must be as quick as before.
SETTLING = 60


@dataclasses.dataclass(frozen=True)
class Bars:
    """In seconds, except for the ratio of a median to the quiet one. None is no bar."""

    ratio: float | None
    p99: float
    log_in: float


LONG = Bars(ratio=10, p99=0.25, log_in=3)
# The bars on a busy machine.
SHORT = Bars(ratio=None, p99=2, log_in=10)
SHORT_FLOODS = {"sqlite": ["import again", "keyed API tokens"], "postgresql": ["bulk", "changes"]}


@dataclasses.dataclass
class Measured:
    """The answers that the neighbors got. Times are in seconds and in order."""

    clocking: list[float] = dataclasses.field(default_factory=list)
    reading: list[float] = dataclasses.field(default_factory=list)
    # From the first attempt to the one that succeeded, infinite if none did; None if nobody logged in.
    log_ins: list[float] | None = None
    # Of clocking, reading, log-ins and exports: how often which status was answered, 0 for no answer.
    statuses: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(collections.Counter))

    @property
    def worst_log_in(self):
        return None if self.log_ins is None else max(self.log_ins, default=math.inf)

    def refused(self, what):
        """The number of failed answers."""
        return sum(count for status, count in self.statuses[what].items() if not 200 <= status < 300)

    def faults(self, quiet, bars):
        """The deviations from the bars, each in a sentence."""
        found = []
        if refused := self.refused("clocking") + self.refused("reading"):
            found.append(f"{refused} requests were refused: {dict(self.statuses['clocking'])}")
        median, p99 = statistics.median(self.clocking), latency.percentile(self.clocking, 0.99)
        if quiet and bars.ratio and median > bars.ratio * statistics.median(quiet.clocking):
            found.append(f"a clock-in takes {median / statistics.median(quiet.clocking):.0f} times its quiet median")
        if p99 > bars.p99:
            found.append(f"a clock-in takes {p99 * 1000:.0f} ms at p99")
        if self.log_ins is not None and self.worst_log_in > bars.log_in:
            found.append(f"a log-in takes {self.worst_log_in:.1f} s, answers {dict(self.statuses['log-ins'])}")
        if refused := self.refused("exports"):
            found.append(f"{refused} exports were refused")
        return found


class Neighbors:
    """Three threads of another organization: one clocks in and out, one exports, and one logs people in."""

    def __init__(self, port, created):
        self.port = port
        base = f"/v1/organizations/{created['organizationID']}"
        self.entries = base + "/timeEntries"
        self.token = created["token"]
        self._people = itertools.cycle(f"good{number}@neighbor.test" for number in range(PEOPLE))
        admin = client.Client(port)
        for email in itertools.islice(self._people, PEOPLE):
            answer = admin.request(
                "POST",
                base + "/members",
                self.token,
                {"email": email, "name": "Good", "role": "member", "password": PASSWORD},
            )
            assert answer.status == 201, answer

    def measure(self, seconds, log_in_limit=None):
        """Returns after `seconds` seconds, or when a log-in that was begun in them has succeeded or come to its limit.

        Without a limit nobody logs in.
        """
        measured, end = Measured(), time.monotonic() + seconds
        works = [self._clock, self._export]
        if log_in_limit:
            measured.log_ins = []
            works.append(self._log_in)
        threads = [threading.Thread(target=work, args=(measured, end, log_in_limit), daemon=True) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        measured.clocking.sort()
        measured.reading.sort()
        return measured

    def wait_until_quick(self, usual):
        """Until clock-ins take no more than five times the usual, or next to nothing."""
        deadline = time.monotonic() + SETTLING
        while True:
            measured = Measured()
            self._clock(measured, time.monotonic() + 0.5, 0)
            if not measured.refused("clocking") and max(measured.clocking) < max(5 * usual, 0.2):
                return
            if time.monotonic() > deadline:
                raise SystemExit(f"{SETTLING} s after a flood a clock-in takes {max(measured.clocking):.3f} s")

    def _ask(self, connection, statuses, *request):
        """The time it took, and the status: 0 if there was no answer."""
        began = time.monotonic()
        try:
            status = connection.request(*request).status
        except OSError:
            status = 0
        statuses[status] += 1
        return time.monotonic() - began, status

    def _clock(self, measured, end, _):
        connection = client.Client(self.port, timeout=60)
        while time.monotonic() < end:
            for times, what, method, path in (
                (measured.clocking, "clocking", "POST", "/clockIn"),
                (measured.reading, "reading", "GET", "/current"),
                (measured.clocking, "clocking", "POST", "/clockOut"),
            ):
                times.append(self._ask(connection, measured.statuses[what], method, self.entries + path, self.token)[0])
                time.sleep(CLOCKING_PAUSE)
        connection.close()

    def _log_in(self, measured, end, limit):
        connection = client.Client(self.port, timeout=limit + 1)
        while time.monotonic() < end:
            body = {"email": next(self._people), "password": PASSWORD}
            began, status = time.monotonic(), None
            while status != 200 and time.monotonic() < began + limit:
                if status is not None:
                    time.sleep(0.2)
                status = self._ask(connection, measured.statuses["log-ins"], "POST", "/v1/auth/token", None, body)[1]
            measured.log_ins.append(time.monotonic() - began if status == 200 else math.inf)
            time.sleep(PAUSE)
        connection.close()

    def _export(self, measured, end, _):
        connection = client.Client(self.port, timeout=60)
        while time.monotonic() < end:
            self._ask(connection, measured.statuses["exports"], "GET", self.entries + "/export?format=csv", self.token)
            time.sleep(PAUSE)
        connection.close()


class Street:
    """A server with both organizations; use it in a `with`."""

    def __init__(self, storage, people, days):
        self.storage = storage
        self._size = (people, days)
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            self.cluster = None
            database = None
            if self.storage == "postgresql":
                self.cluster = stack.enter_context(postgresql.Cluster())
                database = self.cluster.make_database("clock")
            self.server = service.Service(harness.binary(), folder, database=database)
            crowd, other = [
                self.server.create_organization(name, email=f"admin@{name}.test") for name in ("crowd", "neighbor")
            ]
            self.server.start()
            stack.callback(self.server.kill)
            self.crowd = floods.Crowd(self.server.port, crowd, *self._size)
            self.neighbors = Neighbors(self.server.port, other)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()


class Table:
    """Rows under their names, printed as they come."""

    COLUMNS = (
        "storage",
        "flood",
        "quiet median",
        "median",
        "p99",
        "slowest",
        "refused",
        "read p99",
        "log-in worst",
        "log-ins refused",
        "exports refused",
        "the flood's answers",
    )

    def __init__(self):
        self._print(self.COLUMNS)
        self._print(["---"] * len(self.COLUMNS))

    def add(self, storage, name, quiet, measured, answers):
        def milliseconds(value):
            return f"{value * 1000:.1f} ms"

        worst = measured.worst_log_in
        flood = ", ".join(f"{count} × {status}" for status, count in sorted(answers.items()))
        self._print(
            [
                storage,
                name,
                milliseconds(statistics.median(quiet.clocking)) if quiet else "",
                milliseconds(statistics.median(measured.clocking)),
                milliseconds(latency.percentile(measured.clocking, 0.99)),
                milliseconds(measured.clocking[-1]),
                f"{measured.refused('clocking')} of {len(measured.clocking)}",
                milliseconds(latency.percentile(measured.reading, 0.99)),
                "" if worst is None else "none" if worst == math.inf else f"{worst:.1f} s",
                measured.refused("log-ins"),
                measured.refused("exports"),
                flood,
            ]
        )

    def _print(self, cells):
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def run(storage, names, seconds, bars, size):
    """The faults of all floods, each with its name."""
    found, table = [], Table()
    with Street(storage, *size) as street:
        for name in names:
            flood = floods.FLOODS[name]
            log_in_limit = bars.log_in if bars.ratio or flood.hashes else None
            quiet = street.neighbors.measure(seconds, log_in_limit) if bars.ratio else None
            with floods.Flooding(flood, street.crowd) as flooding:
                time.sleep(min(1, seconds / 2))
                measured = street.neighbors.measure(seconds, log_in_limit)
            table.add(storage, name, quiet, measured, flooding.answers)
            found += [f"{storage}, {name}: {fault}" for fault in measured.faults(quiet, bars)]
            if not any(status for status in flooding.answers):
                found.append(f"{storage}, {name}: nothing of it was answered")
            street.neighbors.wait_until_quick(statistics.median(quiet.clocking) if quiet else 0)
    return found


@contextlib.contextmanager
def in_the_background(work):
    """Does `work(ended)` on a thread until the block ends."""
    ended = threading.Event()
    thread = threading.Thread(target=work, args=(ended,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def stopping(process):
    """Stops a process for most of the time, so that others wait: the fault of a server that is not fair."""

    def work(ended):
        while not ended.wait(0.002):
            with stopped.Stopped([process]):
                time.sleep(0.4)

    return work


def holding(cluster):
    """Holds the table of entries for longer than a statement waits: the fault of one that answers 503."""

    def work(ended):
        with cluster.session("clock") as session:
            while not ended.wait(0.1):
                session.stdin.write("BEGIN; LOCK TABLE time_entries; SELECT pg_sleep(4); COMMIT;\n")
                session.stdin.flush()
                session.stdout.readline()

    return work


def self_check():
    """The planted faults; none if one of the checks has not found the one that is planted for it."""
    found, missed = [], []

    def expect(word, measured, bars):
        faults = [fault for fault in measured.faults(quiet, bars) if word in fault]
        found.extend(faults)
        if not faults:
            missed.append(f"not found: {word}")

    with Street("postgresql", people=1, days=20) as street:
        quiet = street.neighbors.measure(1)
        missed += [f"found without any flood: {fault}" for fault in quiet.faults(quiet, SHORT)]
        with in_the_background(stopping(street.server.process.pid)):
            measured = street.neighbors.measure(2, LONG.log_in)
        for word in ("ms at p99", "quiet median", "a log-in takes"):
            expect(word, measured, LONG)
        with in_the_background(holding(street.cluster)):
            measured = street.neighbors.measure(5)
        expect("requests were refused", measured, SHORT)
        # The slow exports are the neighbor's own, who so has no place left.
        # Much more than sockets hold, so that the places stay taken.
        for person in range(4):
            floods.bring_in(
                street.server.port,
                street.neighbors.entries,
                street.neighbors.token,
                f"p{person}@c.test",
                floods.DAYS_OF_A_FILE,
            )
        street.crowd.managers = [street.neighbors.token] * floods.EXPORTERS
        street.crowd.entries = street.neighbors.entries
        with floods.Flooding(floods.FLOODS["slow exports"], street.crowd):
            time.sleep(1)
            measured = street.neighbors.measure(2)
        expect("exports were refused", measured, SHORT)
    print("".join(f"{line}\n" for line in missed), end="")
    return [] if missed else found


def main():
    def add(parser):
        parser.add_argument("--storage", choices=["sqlite", "postgresql"])
        parser.add_argument("--flood", choices=list(floods.FLOODS), action="append")

    chosen = harness.options(
        __doc__, SHORT_SECONDS, LONG_SECONDS, "seconds of each flood, and of the quiet before it", add
    )
    if chosen.self_check:
        return harness.conclude(self_check(), "neighbors: each of its checks", is_self_check=True)
    is_long = chosen.form == "long"
    found, count = [], 0
    for storage in [chosen.storage] if chosen.storage else ["sqlite", "postgresql"]:
        names = chosen.flood or (list(floods.FLOODS) if is_long else SHORT_FLOODS[storage])
        found += run(storage, names, chosen.count, LONG if is_long else SHORT, LARGE if is_long else SMALL)
        count += len(names)
    harness.conclude(found, f"neighbors: {count} floods on {floods.CONNECTIONS} connections each")


if __name__ == "__main__":
    main()
