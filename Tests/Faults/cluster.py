#!/usr/bin/env python3
"""A rehearsal of a cluster: Patroni, etcd, HAProxy and PostgreSQL with the configurations of deploy/, on loopback.

    cluster.py [short|long] [--count EVENTS] [--seed S] [--asynchronous] [--self-check]

Three nodes, two instances behind HAProxy, one that only reads, and a second cell on the same etcd. Under load, one at a time,
the primary's machine is killed and frozen, its agent is frozen, the primary is switched over and back, standbys are killed and
frozen, and an organization moves to the second cell. After each the cell is whole again, and the ledgers are compared with the
databases. Commits wait for a standby, so nothing that was acknowledged is lost, undone or doubled. With `--asynchronous` they
wait for none, and the writes that kills of the primary's machine undo are counted; with `--self-check` too, and there have to
be some.
"""

import random
import subprocess
import time

import harness
import rehearsal
from cells import wait_until
from kit import service
from kit.stopped import Stopped

SHORT_EVENTS, LONG_EVENTS = 4, 20
# How long a frozen machine or agent stays so once another has taken its place, in seconds, at least and at most.
FROZEN_SECONDS = 1, 8
# For how long the standbys hear nothing before the primary of an asynchronous cell is lost, in seconds: their lag.
DEAF_SECONDS = 0.2, 1


def replaced(place, node):
    """Returns when another node leads, and writes are acknowledged there."""
    wait_until("another node leads", lambda: place.cell.leader() not in (None, node))
    place.wait_for_writes()


def machine_killed(place, _):
    """The primary's machine loses its power, its member of etcd included."""
    node = place.cell.leader()
    node.kill()
    replaced(place, node)
    node.start()


def machine_frozen(place, chance):
    """The primary's machine stands still, with all its connections, and goes on when another one is the primary."""
    node = place.cell.leader()
    with Stopped(node.processes()):
        replaced(place, node)
        time.sleep(chance.uniform(*FROZEN_SECONDS))


def agent_frozen(place, chance):
    """Patroni stands still, and its PostgreSQL goes on as a primary until Patroni does."""
    node = place.cell.leader()
    with Stopped(node.agents()):
        wait_until("another node leads", lambda: place.cell.leader() not in (None, node))
        time.sleep(chance.uniform(*FROZEN_SECONDS))


def standby_killed(place, _):
    """The machine of the standby that commits wait for loses its power."""
    node = place.cell.having("sync_standby")
    node.kill()
    wait_until("commits wait for another one", lambda: place.cell.having("sync_standby") not in (None, node))
    place.wait_for_writes()
    node.start()


def standby_frozen(place, chance):
    """The machine of the standby that commits wait for stands still."""
    node = place.cell.having("sync_standby")
    with Stopped(node.processes()):
        wait_until("commits wait for another one", lambda: place.cell.having("sync_standby") not in (None, node))
        place.wait_for_writes()
        time.sleep(chance.uniform(*FROZEN_SECONDS))


def switched_over(place, _):
    """As an administrator would before work on the primary's machine."""
    cell = place.cell
    leader, candidate = cell.leader().name, cell.having("sync_standby").name
    cell.control("switchover", cell.scope, "--leader", leader, "--candidate", candidate, "--force")
    wait_until("the candidate leads", lambda: (node := cell.leader()) and node.name == candidate)


def failed_back(place, chance):
    """To the first node, or away from it and back. Only the synchronous standby can be next, so it may take two."""
    first = place.cell.nodes[0]
    if place.cell.leader() is first:
        switched_over(place, chance)
        place.cell.wait_until_whole()
    while place.cell.leader() is not first:
        switched_over(place, chance)
        place.cell.wait_until_whole()


def organization_moved(place, _):
    """An organization moves to the second cell under load, and its callers go on there."""
    place.move_organization()


EVENTS = [
    machine_frozen,
    organization_moved,
    standby_killed,
    switched_over,
    machine_killed,
    standby_frozen,
    agent_frozen,
    failed_back,
]


def machine_killed_behind(place, chance):
    """The standbys have heard nothing for a moment when the primary's machine loses its power."""
    senders = [int(line) for line in place.cell.execute("SELECT pid FROM pg_stat_replication")]
    with Stopped(senders):
        time.sleep(chance.uniform(*DEAF_SECONDS))
        machine_killed(place, chance)


ASYNCHRONOUS = [machine_killed, machine_killed_behind]


def order(count, chance):
    """The short form's events in their order; of a longer one each kind equally often, in an order of chance."""
    if count <= SHORT_EVENTS:
        return EVENTS[:count]
    chosen = []
    while len(chosen) < count:
        chosen += chance.sample(EVENTS, len(EVENTS))
    return chosen[:count]


def run(chosen, chance):
    is_asynchronous = chosen.asynchronous or chosen.self_check
    if chosen.self_check:
        events = [machine_killed_behind]
    elif chosen.asynchronous:
        events = [ASYNCHRONOUS[number % len(ASYNCHRONOUS)] for number in range(chosen.count)]
    else:
        events = order(chosen.count, chance)
    began = time.monotonic()
    with rehearsal.Rehearsal(chosen.seed, is_asynchronous) as place:
        print(f"two cells are whole after {time.monotonic() - began:.0f} s", flush=True)
        for number, event in enumerate(events, start=1):
            time.sleep(chance.uniform(0.5, 2))
            name = f"event {number}, {event.__name__.replace('_', ' ')}"
            place.play(name, lambda one, event=event: event(one, chance))
            if place.faults:
                break
        else:
            place.finish()
        return place, number


def main():
    chosen = harness.options(__doc__, SHORT_EVENTS, LONG_EVENTS, "events", add=more_options)
    subprocess.run([service.TOP / "scripts/install-packages", "cluster"], check=True)
    place, number = run(chosen, random.Random(chosen.seed))
    kind = "asynchronous" if place.is_asynchronous else "strictly synchronous"
    summary = f"cluster, {kind}, seed {chosen.seed}: {number} events, {place.summary()}"
    harness.conclude(
        place.faults or sorted(place.undone) if chosen.self_check else place.faults, summary, chosen.self_check
    )


def more_options(parser):
    parser.add_argument("--asynchronous", action="store_true", help="no commit waits for a standby")
    parser.add_argument("--events", dest="count", type=int, help="as --count")


if __name__ == "__main__":
    main()
