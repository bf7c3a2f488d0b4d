"""Two cells on one etcd with the service on them, and people at work, whose pauses are measured.

In the first cell two instances behind HAProxy write to the primary, and one with `--read-only` reads from a standby; the
second, of one node and one instance, has only to notice nothing, and takes organizations that move there.
"""

import contextlib
import itertools
import pathlib
import tempfile
import threading
import time

import cells
import harness
import ledger as ledgers
import moving
import workload
from kit import client, office, proxies, service
from kit.expecting import expect, expect_equal

DATABASE = "clock"
NODES, INSTANCES, CALLERS = 3, 2, 5
# Callers of an organization that moves to the second cell, and how many of their requests have to succeed on each side.
MOVING_CALLERS, WORKS_ON = 2, 10
# The longest that a caller waits between two requests, in seconds: about thirty requests a second of all of them.
PAUSE = 0.25
# The longest without an acknowledged write: the primary's lease, the promotion, connections that hang until they are given up,
# and a busy machine. In seconds.
PAUSE_LIMIT = 60
# No request takes longer, in seconds.
ANSWER_LIMIT = 15
# How often the second cell and the instance that reads are asked, in seconds.
TICK = 0.25


class TimedLedger(ledgers.Ledger):
    """Knows when writes were acknowledged."""

    def __init__(self, folder):
        super().__init__(folder)
        self.times = []

    def conclude(self, *arguments):
        outcome = super().conclude(*arguments)
        if outcome == ledgers.OK:
            self.times.append(time.monotonic())
        return outcome


class Ticking(threading.Thread):
    """Does something again and again, and knows when it succeeded; use it in a `with`."""

    def __init__(self, act):
        """`act` returns whether it succeeded; an OSError says that it did not."""
        super().__init__(daemon=True)
        self.act = act
        self.times = []
        self.failures = 0
        self._is_over = threading.Event()

    def run(self):
        while not self._is_over.wait(TICK):
            with contextlib.suppress(OSError):
                if self.act():
                    self.times.append(time.monotonic())
                    continue
            self.failures += 1

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self.join()


def longest_gap(times, begin, end):
    """The longest time between two of the instants, in seconds; the begin and the end count as such."""
    inside = [begin, *(one for one in list(times) if begin < one < end), end]
    return max(later - earlier for earlier, later in itertools.pairwise(inside))


class Rehearsal:
    """Use it in a `with`; it begins at once."""

    def __init__(self, seed, is_asynchronous):
        self.seed = seed
        self.is_asynchronous = is_asynchronous
        # Deviations, and the marks of writes that were acknowledged and are gone; the latter are no deviation if
        # nobody waits for a standby.
        self.faults = []
        self.undone = set()
        self.longest_pause = 0
        self.acknowledged = self.unknown = 0
        # Organizations that have moved to the second cell, and the longest time that a move took, in seconds.
        self.moved = []
        self.longest_move = 0

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.cell, self.other = stack.enter_context(cells.together(NODES, 1))
            self.other.settle_without_standbys()
            if self.is_asynchronous:
                self.cell.settle_without_standbys()
            for cell in (self.cell, self.other):
                cell.wait_until_whole()
                cell.make_database(DATABASE)
            self._folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="timeclock-rehearsal-")))
            self._start_instances(stack)
            self._start_work(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def _start_instances(self, stack):
        writing = [self._instance(f"writing{number}", self.cell) for number in range(INSTANCES)]
        elsewhere = self._instance("elsewhere", self.other)
        reading = self._instance("reading", self.cell, ["--read-only"])
        self.organization = writing[0].create_organization(email="admin@one.example")
        self.office_elsewhere = elsewhere.create_organization(email="admin@two.example")
        # It makes no schema, and waits for none.
        self.cell.caught_up()
        for instance in (*writing, elsewhere, reading):
            instance.start(patience=60)
            stack.callback(instance.kill)
        self.writing, self.elsewhere, self.reading = writing, elsewhere, reading
        self.proxy = stack.enter_context(
            proxies.HAProxy(self._folder / "proxy", *(instance.port for instance in writing))
        )

    def _instance(self, name, cell, options=()):
        place = self._folder / name
        place.mkdir()
        made = service.Service(harness.binary(), place, cell.location(DATABASE), options)
        # As deploy/haproxy.cfg asks for.
        made.environment = {"TIMECLOCK_TRUSTED_PROXIES": "127.0.0.1"}
        return made

    def _start_work(self, stack):
        world = workload.World(self.writing[0].port, self.organization, members=CALLERS)
        self.log_in_alone()
        self.cell.caught_up()
        self.ledger = TimedLedger(self._folder)
        stack.callback(self.ledger.remove)
        self.load = stack.enter_context(
            workload.Workload(
                [self.proxy.port],
                world,
                self.ledger,
                self.seed,
                CALLERS,
                timeout=ANSWER_LIMIT + 5,
                pause=PAUSE,
                kind_of_client=proxies.EncryptedClient,
            )
        )
        self.reads = stack.enter_context(Ticking(self._reader(client.Client(self.reading.port, 5))))
        self.ticks = stack.enter_context(Ticking(self._ticker(client.Client(self.elsewhere.port, 5))))

    def _reader(self, asking):
        path = f"/v1/organizations/{self.organization['organizationID']}/timeEntries?limit=1"
        return lambda: asking.request("GET", path, self.organization["token"]).status == 200

    def _ticker(self, asking):
        """Its admin clocks in and out in turn."""
        base = f"/v1/organizations/{self.office_elsewhere['organizationID']}/timeEntries"
        paths = itertools.cycle([f"{base}/clockIn", f"{base}/clockOut"])
        token = self.office_elsewhere["token"]
        return lambda: asking.request("POST", next(paths), token, {}).status in (200, 201)

    def log_in_alone(self):
        """Each cell lets its own people in, and knows none of the other's."""
        for instance, created, stranger in (
            (self.writing[0], self.organization, "admin@two.example"),
            (self.elsewhere, self.office_elsewhere, "admin@one.example"),
        ):
            place = office.Office(instance.port, created)
            user = place.add_member("mia@example.com", "Mia")
            expect(place.log_in(user), "a log-in")
            stated = {"email": stranger, "password": f"a password of {user}"}
            refused = place.client.request("POST", "/v1/auth/token", None, stated)
            expect_equal(refused.status, 401, "a log-in of somebody of the other cell")
            place.close()

    def play(self, name, event):
        """One event under load, until everything is whole again; then a comparison while nobody works."""
        before = self.cell.leader().name
        began = time.monotonic()
        try:
            event(self)
            self.cell.wait_until_whole()
            self.wait_for_writes()
        except SystemExit as error:
            # A write that is lost by then is a finding too.
            self.faults.append(f"{name}: {error}")
        ended = time.monotonic()
        pause = longest_gap(self.ledger.times, began, ended)
        self.longest_pause = max(self.longest_pause, pause)
        undone = len(self.undone)
        self.check(name, audit=False)
        if pause > PAUSE_LIMIT:
            self.faults.append(f"{name}: {pause:.1f} s without an acknowledged write")
        leader = self.cell.leader()
        print(
            f"{name} ({before}, then {leader.name if leader else 'nobody'}): {pause:.1f} s without an acknowledged write, "
            f"whole after {ended - began:.0f} s; reads {longest_gap(self.reads.times, began, ended):.1f} s, the other cell "
            f"{longest_gap(self.ticks.times, began, ended):.1f} s; {self.acknowledged} acknowledged"
            + (f", {len(self.undone) - undone} of them undone" if self.is_asynchronous else ""),
            flush=True,
        )

    def move_organization(self):
        """An organization of the first cell moves to the second, and its callers go on there, until the end of all."""
        number = len(self.moved) + 1
        created = self.writing[0].create_organization(f"Moves {number}", email=f"admin@moves{number}.example")
        one = moving.MovingOrganization(
            self._folder,
            self.writing[0],
            self.proxy.port,
            created,
            self.seed,
            MOVING_CALLERS,
            PAUSE,
            proxies.EncryptedClient,
        )
        self._stack.enter_context(one)
        cells.wait_until("it works in the first cell", lambda: one.works_at(self.proxy.port) >= WORKS_ON)
        took = one.move(self.cell.location(DATABASE), self.other.location(DATABASE), self.elsewhere.port)
        self.moved.append(one)
        self.longest_move = max(self.longest_move, took)
        cells.wait_until("it works in the second cell", lambda: one.works_at(self.elsewhere.port) >= WORKS_ON)

    def wait_for_writes(self):
        """Returns when some more have been acknowledged, of any instance."""
        count = len(self.ledger.times)
        cells.wait_until("writes are acknowledged", lambda: len(self.ledger.times) > count + CALLERS)

    def check(self, what, audit):
        """Compares the ledger with the database, while nothing is under way."""
        self.load.pause()
        self.load.settle(patience=60)
        operations = self.ledger.operations()
        self.acknowledged, self.unknown = (
            sum(operation.outcome == outcome for operation in operations) for outcome in (ledgers.OK, ledgers.UNKNOWN)
        )
        organization = self.organization["organizationID"]
        found = moving.OrganizationDatabase(self.cell, DATABASE, organization).faults(operations, audit)
        found += [fault for one in self.moved for fault in one.faults(self.other, DATABASE)]
        if self.is_asynchronous:
            undone = {fault for fault in found if fault.endswith(", ok: lost")}
            self.undone |= undone
            found = [fault for fault in found if fault not in undone]
        if self.load.slowest > ANSWER_LIMIT:
            found.append(f"a request took {self.load.slowest:.1f} s")
        self.faults += [f"{what}: {fault}" for fault in [*found, *self.load.faults]]
        self.load.faults.clear()
        self.load.resume()

    def finish(self):
        """Everybody stops working; everything is compared, verified, ready, and the same for those who read."""
        self.check("at the end", audit=True)
        self.load.pause()
        for instance in (self.writing[0], self.elsewhere):
            instance.verify()
        for instance in (*self.writing, self.reading, self.elsewhere):
            cells.wait_until(f"{instance.folder.name} is ready", lambda one=instance: is_ready(one))
        self.cell.caught_up()
        for one, instance in itertools.product(self.moved, (*self.writing, self.reading)):
            refused = client.Client(instance.port).request(
                "GET", f"/v1/organizations/{one.id}/timeEntries?limit=1", one.created["token"]
            )
            if (refused.status, refused.code) != moving.MOVED:
                self.faults.append(f"{instance.folder.name} answers about an organization that has moved: {refused}")
        lists = [self._everything(instance) for instance in (*self.writing, self.reading)]
        expect(lists[0], "no entry is there")
        for instance, found in zip((*self.writing, self.reading), lists):
            if found != lists[0]:
                different = [pair for pair in itertools.zip_longest(found, lists[0]) if pair[0] != pair[1]]
                self.faults.append(f"{instance.folder.name} answers different entries: {different[0]}")

    def _everything(self, instance):
        """All entries as an instance lists them, without what depends on the moment."""
        place = office.Office(instance.port, self.organization)
        try:
            found = place.listed("/timeEntries?limit=200", "timeEntries")
        finally:
            place.close()
        return [{name: value for name, value in entry.items() if name != "durationSeconds"} for entry in found]

    def summary(self):
        statuses = ", ".join(
            f"{count} × {status or 'none'}"
            for status, count in sorted(self.load.statuses.items(), key=lambda item: item[0] or 0)
        )
        reads = len(self.reads.times)
        return (
            f"{self.acknowledged} acknowledged operations, {self.unknown} unknown (answers {statuses}), "
            f"{len(self.undone)} undone, the slowest answer after {self.load.slowest:.1f} s, the longest pause "
            f"{self.longest_pause:.1f} s; {len(self.moved)} organizations moved, in {self.longest_move:.1f} s at most; "
            f"{reads} of {reads + self.reads.failures} reads answered on a standby; the other cell's longest pause "
            f"{longest_gap(self.ticks.times, self.ticks.times[0], self.ticks.times[-1]):.1f} s of {len(self.ticks.times)} "
            f"writes, {self.ticks.failures} failed"
        )


def is_ready(instance):
    with contextlib.closing(client.Client(instance.port, 5)) as asking, contextlib.suppress(OSError):
        return asking.request("GET", "/health/ready").status == 200
    return False
