"""Two cells with organizations at work, of which some move, one after the other, each with another disturbance."""

import collections
import concurrent.futures
import contextlib
import random
import time

from kit.expecting import expect, expect_equal
from kit.latency import percentile
from kit.office import Office

from . import events, judging
from .cells import OPEN, Cell, Mover
from .parties import Guest, MovingParty, Party
from .reading import Receiver

SOURCE_INSTANCES, TARGET_INSTANCES = 2, 1
# An address with an account in each cell, made without the other's knowledge.
CONFLICT = "twice@example.com"
# One in this many of the organizations that move has somebody with a log-in.
LOG_INS = 3
# How long an organization's callers hurry before it moves, at least and at most, in seconds.
HURRY_SECONDS = 0.4, 0.8
# How long all work before anything moves, in seconds.
CALM_SECONDS = 2
# The number of requests of an organization's callers that have to succeed at the target behind its move.
WORKS_ON = 5


class Place:
    """Use it in a `with`."""

    def __init__(self, folder, seed, plan):
        """`plan` is the events, each for an organization of its own."""
        self.folder = folder
        self.seed = seed
        self.chance = random.Random(seed)
        self.plan = plan
        # How long a move takes that nobody disturbs, in seconds.
        self.length = 1
        # How often a command was killed at each stage, and how commands ended that lost a PostgreSQL.
        self.stages = collections.Counter()
        self.losses = collections.Counter()
        # When a PostgreSQL was lost, from and to.
        self.lost = []
        self.acknowledged = self.messages = self.again = 0

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.receiver = stack.enter_context(Receiver())
            self.source = stack.enter_context(Cell("source", self.folder, SOURCE_INSTANCES))
            self.target = stack.enter_context(Cell("target", self.folder, TARGET_INSTANCES))
            self._make_organizations(stack)
            self.mover = Mover(self.source, self.target)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def _make_organizations(self, stack):
        names = [f"mover{number}" for number in range(len(self.plan))]
        self.homes = dict.fromkeys([*names, "stays", "conflict"], self.source) | {"native": self.target}
        self.created = {
            name: cell.create_organization(name, f"admin@{name}.example") for name, cell in self.homes.items()
        }
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(Cell.start, (self.source, self.target)))
            self.staying = self._party(stack, Party, "stays")
            self.moving = list(pool.map(lambda number: self._mover(stack, names, number), range(len(names))))
        self.guest = Guest(self.moving[0], self.staying, self.source)
        self.native = self._party(stack, Party, "native")
        self.parties = [self.staying, self.native, *self.moving]
        for name in ("conflict", "native"):
            office = Office(self.homes[name].ports[0], self.created[name])
            office.add_member(CONFLICT, "Twice")
            office.close()

    def _party(self, stack, kind, name, *more):
        party = kind(name, self.homes[name], self.seed, self.created[name], *more)
        stack.callback(party.close)
        return party

    def _mover(self, stack, names, number):
        return self._party(stack, MovingParty, names[number], self.receiver, number % LOG_INS == 0)

    def disturbances_of(self, party):
        """When something could have had a message to its webhook sent again."""
        return [*party.disturbances, *(instant for span in self.lost for instant in span)]

    def play(self):
        """Everything, from the directory before to the comparison of all at the end."""
        self.expect_directory()
        for party in self.parties:
            party.start()
        self.refuse_conflict()
        time.sleep(CALM_SECONDS)
        for number, (party, event) in enumerate(zip(self.moving, self.plan)):
            self.move(number, party, event)
        self.finish()

    def move(self, number, party, event):
        """Moves one organization with this event, by its name or its id."""
        party.hurry()
        time.sleep(self.chance.uniform(*HURRY_SECONDS))
        began = time.monotonic()
        event(self, party, party.id if number % 2 else party.name)
        took = time.monotonic() - began
        party.disturbances = [began, time.monotonic()]
        count = party.has_worked_at(self.target)
        judging.wait_until(
            f"callers of {party.name} work at the target", lambda: party.has_worked_at(self.target) >= count + WORKS_ON
        )
        party.calm()
        print(f"{party.name}, {event.__name__.replace('_', ' ')}: moved after {took:.1f} s", flush=True)

    @contextlib.contextmanager
    def disturbed(self):
        """A PostgreSQL is away meanwhile."""
        began = time.monotonic()
        yield
        self.lost.append((began, time.monotonic()))

    def expect_directory(self, gone=()):
        """Each organization is listed once, where it is, in both forms; `gone` are those that have moved."""
        homes = {
            self.created[name]["organizationID"]: self.target if name in gone else cell
            for name, cell in self.homes.items()
        }
        for form, end in (((), ""), (("--form", "plain"), ""), (("--form", "nginx"), ";")):
            wanted = [f"{organization} {homes[organization].name}{end}" for organization in sorted(homes)]
            expect_equal(self.mover.directory(*form), wanted, f"the directory {' '.join(form)}")
        for email, cells in (
            (CONFLICT, {"source", "target"}),
            ("admin@stays.example", {"source"}),
            ("admin@native.example", {"target"}),
            ("nobody@example.com", set()),
            (Guest.EMAIL, {"source", "target"} if gone else {"source"}),
        ):
            expect_equal(set(self.mover.directory("--email", email)), cells, f"the cells of {email}")
        for party in (self.moving[0], self.moving[-1]):
            found = self.mover.directory("--email", party.email)
            if party.name in gone:
                # Rows that the source has left may name it too.
                expect("target" in found, f"the cells of {party.email}", found)
            else:
                expect_equal(found, ["source"], f"the cells of {party.email}")

    def refuse_conflict(self):
        """Nothing is closed if somebody has two accounts, and the refusal names the address."""
        created = self.created["conflict"]
        ended, _ = self.mover.run("conflict")
        expect(ended.code == 1, "a move is refused if somebody has another account there", ended)
        expect(CONFLICT in ended.errors + ended.output, "the refusal names the address", ended)
        expect_equal(self.mover.stage(created["organizationID"]), OPEN, "the stage after a refusal")
        for port in self.source.ports:
            office = Office(port, created)
            office.ask("POST", "/projects", {"name": f"Open {port}"}, 201)
            office.close()

    def finish(self):
        """Everybody stops, and everything is compared."""
        for party in self.parties:
            party.stop()
        self.expect_directory([party.name for party in self.moving])
        self.guest.expect_in_both(self.source, self.target)
        for number, party in enumerate(self.moving):
            party.expect_moved(self.source, self.target, accepts=number == 0)
            self.acknowledged += judging.expect_kept(party, self.target)
            expect(party.journey.followed, f"callers of {party.name} were sent to the target")
            feed, epoch = judging.expect_one_log(party, self.target)
            self.again += judging.expect_messages(party, feed, epoch, self.disturbances_of(party))
            self.messages += len(feed)
        for party in (self.staying, self.native):
            self.acknowledged += judging.expect_kept(party, party.home)
        for party in (self.moving[0], self.moving[-1]):
            events.finish(self, party, party.name)
            events.refuse_to_abandon(self, party, party.id)
        for cell in (self.source, self.target):
            cell.instances[0].verify()

    def stop(self):
        """Ends all instances, and expects them to end well."""
        for cell in (self.source, self.target):
            for instance in cell.instances:
                instance.stop()

    def times(self, party):
        """The 99th percentile of a party's times while something moves, and else, in ms, with no PostgreSQL lost."""
        moving, calm = [], []
        for began, _, seconds in party.times:
            ended = began + seconds
            if any(first <= ended and began <= last for first, last in self.lost):
                continue
            is_moving = any(first <= ended and began <= last for first, last in self.mover.spans)
            (moving if is_moving else calm).append(seconds * 1000)
        return [percentile(sorted(times), 0.99) if times else float("nan") for times in (moving, calm)]

    def summary(self):
        told = [
            f"{party.home.name} {moving:.0f} ms with a move and {calm:.0f} without"
            for party in (self.staying, self.native)
            for moving, calm in [self.times(party)]
        ]
        kills = ", ".join(f"{count} {stage}" for stage, count in sorted(self.stages.items()))
        waits = sum(party.journey.waits for party in self.moving)
        follows = sum(len(party.journey.followed) for party in self.moving)
        return (
            f"{len(self.moving)} organizations under load, killed {kills}; with a PostgreSQL lost "
            f"{', '.join(f'{count} {how}' for how, count in sorted(self.losses.items()))}; {self.acknowledged} "
            f"acknowledged requests, each kept once, {waits} told to wait, {follows} to go on; {self.messages} changes, "
            f"{self.again} messages again; a move of {self.length:.1f} s; p99 of others at the {' and at the '.join(told)}"
        )
