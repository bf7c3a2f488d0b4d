#!/usr/bin/env python3
"""The primary is lost under load, its standby is promoted, and the service goes on there.

    fail_over.py [short|long] [--count FAIL-OVERS] [--seed S] [--self-check]

The servers' location names both hosts, and the standby is a synchronous one. The primary is killed, shut down at
once, ended as its administrator would, or frozen; the standby is promoted; writes are back within ten seconds, and
nothing that was acknowledged is missing. Then the old primary becomes the standby of the new one, and the next round
begins. Now and then the standby is away for some seconds before, when commits wait. With `--self-check` the standby
is an asynchronous one that hears nothing of the last commits, and what is lost by that has to be found.
"""

import contextlib
import functools
import random
import signal
import time

import harness
import office
import replication

DATABASE = "clock"
SHORT_ROUNDS, LONG_ROUNDS = 2, 20
# From the loss of the primary to the first write, in seconds.
WRITES_LIMIT = 10
# How long the control's standby hears nothing.
DEAF_SECONDS = 1


class Pair:
    """A primary and a standby; use it in a `with`."""

    def __init__(self):
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.primary = stack.enter_context(harness.postgresql.Cluster())
            self.primary.make_database(DATABASE)
            self.standby = stack.enter_context(replication.Standby(self.primary))
            self.hosts = f"{self.primary.folder},{self.standby.folder}"
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    @property
    def location(self):
        return f"host={self.hosts} user=timeclock dbname={DATABASE}"

    def change_places(self):
        self.primary, self.standby = self.standby, self.primary


def fail_over(place, chance, pair, lose):
    """Loses the primary as `lose` does, goes on with the standby, and makes the old primary the new standby."""
    primary, standby = pair.primary, pair.standby
    lost = time.monotonic()
    with lose(primary, chance):
        replication.promote(standby)
        place.cluster = standby
        place.expect_back(since=lost, limit=WRITES_LIMIT)
    time.sleep(chance.uniform(0, 0.5))
    replication.follow(primary, standby)
    replication.wait_for_standby(standby)
    pair.change_places()


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
    with harness.stopped.Stopped(processes):
        yield
        replication.kill(primary, processes)


@contextlib.contextmanager
def killed_unheard(primary, chance):
    """Its standby has heard nothing for a while, and commits have waited for it."""
    processes = replication.processes(primary)
    with harness.stopped.Stopped(replication.senders(primary)):
        time.sleep(chance.uniform(0.2, 2))
        replication.kill(primary, processes)
    yield


LOSSES = (killed, killed_unheard, frozen, stopped, shut_down_immediately)


def fail_over_of_asynchronous(place, chance, pair):
    """The control: nobody waits for the standby."""
    replication.wait_for_standby(pair.primary, names="", state="async")
    time.sleep(DEAF_SECONDS)
    fail_over(place, chance, pair, killed_unheard)


def run(rounds, seed, plays):
    """The office after so many fail-overs, the first in their order and the further ones at random."""
    chance = random.Random(seed)
    with Pair() as pair:
        replication.wait_for_standby(pair.primary)
        with office.Office(seed, pair.location, DATABASE, pair.primary) as place:
            place.play(rounds, chance, [office.Fault(name, functools.partial(play, pair=pair)) for name, play in plays])
            return place


def main():
    chosen = harness.options(__doc__, SHORT_ROUNDS, LONG_ROUNDS, "fail-overs")
    if chosen.self_check:
        chosen.count = 1
        place = run(1, chosen.seed, [("asynchronous", fail_over_of_asynchronous)])
    else:
        place = run(chosen.count, chosen.seed, [
            (lose.__name__.replace("_", " "), functools.partial(fail_over, lose=lose)) for lose in LOSSES])
    harness.conclude(
        place.faults, f"fail-over, seed {chosen.seed}: {chosen.count} fail-overs, {place.summary()}", chosen.self_check)


if __name__ == "__main__":
    main()
