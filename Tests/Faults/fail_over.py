#!/usr/bin/env python3
"""The primary is lost under load, its standby is promoted, and the service goes on there.

    fail_over.py [short|long] [--count FAIL-OVERS] [--seed S] [--self-check]

The servers' location names both hosts, and the standby is a synchronous one. The primary is killed, shut down at once,
ended as its administrator would, or frozen; the standby is promoted; writes are back within twenty seconds, and nothing
that was acknowledged is missing. Then the old primary becomes the standby of the new one, and the next round begins.
Now and then the standby is away for some seconds before, when commits wait. With `--self-check` the standby is an
asynchronous one that hears nothing of the last commits, and the loss has to be found.
"""

import contextlib
import functools
import random
import signal
import time

import harness
import office
import replication
from kit import postgresql
from kit.stopped import Stopped

DATABASE = "clock"
SHORT_ROUNDS, LONG_ROUNDS = 2, 20
# From the loss of the primary to the first write, in seconds. If it is silent, connections wait as long as a statement
# may take, and the first new ones for `connect_timeout`; further ones begin at the host that has answered. That makes
# eight; the rest is the promotion, and other work of a busy machine.
LIMIT = 20
# The time that the control's standby hears nothing.
DEAF_SECONDS = 1


class Pair:
    """A primary and its future standby; use it in a `with`."""

    def __init__(self):
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.primary = stack.enter_context(postgresql.Cluster())
            self.primary.make_database(DATABASE)
            self.standby = stack.enter_context(replication.Follower())
            self.hosts = f"{self.primary.folder},{self.standby.folder}"
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    @property
    def location(self):
        return f"host={self.hosts} user=timeclock dbname={DATABASE}"

    def replicate(self):
        """Makes the standby a copy of the primary, whose commits wait for it from now on."""
        replication.follow(self.standby, self.primary)
        replication.wait_for_standby(self.primary)

    def change_places(self):
        """Makes the standby the primary. The old one is to run no more before it is a copy."""
        replication.promote(self.standby)
        self.primary, self.standby = self.standby, self.primary


def fail_over(place, chance, pair, lose):
    """Adds a standby again, loses the primary as `lose` does, and continues with the standby."""
    pair.replicate()
    time.sleep(chance.uniform(0.2, 0.7))
    lose_primary(place, chance, pair, lose)


def lose_primary(place, chance, pair, lose):
    lost = time.monotonic()
    with lose(pair.primary, chance):
        pair.change_places()
        place.cluster = pair.primary
        place.expect_back(since=lost, limit=LIMIT)


@contextlib.contextmanager
def killed(primary, _):
    """All its processes at once, as when its machine loses its power."""
    replication.kill(primary, replication.processes(primary))
    yield


@contextlib.contextmanager
def shut_down_immediately(primary, _):
    primary.process.send_signal(signal.SIGQUIT)
    primary.process.wait()
    yield


@contextlib.contextmanager
def stopped(primary, _):
    """As its administrator would before changing places."""
    primary.stop()
    yield


@contextlib.contextmanager
def frozen(primary, _):
    """It accepts connections and says nothing, and is killed only when the service is back elsewhere."""
    processes = replication.processes(primary)
    with Stopped(processes):
        yield
        replication.kill(primary, processes)


@contextlib.contextmanager
def killed_unheard(primary, chance):
    """Its standby has heard nothing for a while, and commits have waited for it."""
    processes = replication.processes(primary)
    with Stopped(replication.senders(primary)):
        time.sleep(chance.uniform(0.2, 2))
        replication.kill(primary, processes)
    yield


LOSSES = [killed, frozen, killed_unheard, stopped, shut_down_immediately]


def fail_over_of_asynchronous(place, chance, pair):
    """The control: nobody waits for the standby."""
    pair.replicate()
    replication.wait_for_standby(pair.primary, names="", state="async")
    time.sleep(DEAF_SECONDS)
    lose_primary(place, chance, pair, killed_unheard)


def run(rounds, seed, plays):
    """The office after `rounds` fail-overs, the first in their order and the further ones at random."""
    chance = random.Random(seed)
    with Pair() as pair:
        with office.OfficeOfTwoServers(seed, pair.location, DATABASE, pair.primary) as place:
            place.play(rounds, chance, [office.Fault(name, functools.partial(play, pair=pair)) for name, play in plays])
            return place


def main():
    chosen = harness.options(__doc__, SHORT_ROUNDS, LONG_ROUNDS, "fail-overs")
    if chosen.self_check:
        place = run(1, chosen.seed, [("asynchronous", fail_over_of_asynchronous)])
    else:
        place = run(
            chosen.count,
            chosen.seed,
            [(lose.__name__.replace("_", " "), functools.partial(fail_over, lose=lose)) for lose in LOSSES],
        )
    harness.conclude(place.faults, f"fail-over, seed {chosen.seed}: {place.summary()}", chosen.self_check)


if __name__ == "__main__":
    main()
