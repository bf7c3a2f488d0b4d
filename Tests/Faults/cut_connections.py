#!/usr/bin/env python3
"""The connections to PostgreSQL are cut, delayed and silenced at chosen moments of their protocol, under load.

    cut_connections.py [short|long] [--count ROUNDS] [--seed S] [--self-check]

Two servers reach their database through relay.py. Each round has another fault, some times over: a connection is cut
after a number of bytes, before COMMIT, behind it and at its answer; it falls silent behind COMMIT; all are silent, slow
or refused for seconds. After it the ledger is compared with the database: 0 lost, 0 doubled, 0 overlaps; no request
takes longer than ten seconds, and the service is back five seconds after its database at most. With `--self-check` the
relay answers COMMIT by itself and has the transactions rolled back, and the loss has to be found.
"""

import functools
import random
import time

import harness
import office
import relay
from kit import postgresql

DATABASE = "clock"
SHORT_ROUNDS, LONG_ROUNDS = 6, 40
SHORT_STOP = 1
# The number of times that a fault meets one connection in a round, and the most bytes before a cut.
TIMES = 8
MOST_BYTES = 20_000
# The delay added each way, in seconds: unnoticed at first, and in the end too much for a statement.
LONGEST_DELAY = 4


def once(place, chance, network, behavior):
    for _ in range(TIMES):
        network.once(behavior, chance.randint(1, MOST_BYTES))


def for_a_while(place, chance, network, behavior):
    network.behave(behavior, chance.uniform(0.01, min(place.longest_stop / 2, LONGEST_DELAY)))
    time.sleep(chance.uniform(place.longest_stop / 2, place.longest_stop))
    network.behave()


def silence_one(place, chance, network):
    """Some connections in turn, which then are silent together."""
    once(place, chance, network, relay.SILENT_BEHIND_COMMIT)
    time.sleep(chance.uniform(0, place.longest_stop))
    network.behave()


def lie(place, chance, network):
    network.behave(relay.LYING)
    time.sleep(1)
    network.behave()


PLAYS = [
    *(
        (behavior, functools.partial(once, behavior=behavior))
        for behavior in (relay.CUT_BEHIND_COMMIT, relay.CUT_AT_BYTES, relay.CUT_BEFORE_COMMIT, relay.CUT_AT_ANSWER)
    ),
    *(
        (behavior, functools.partial(for_a_while, behavior=behavior))
        for behavior in (relay.CLOSED, relay.DELAYED, relay.SILENT)
    ),
    (relay.SILENT_BEHIND_COMMIT, silence_one),
]


def run(rounds, seed, plays, longest_stop):
    """The office after `rounds` rounds, the first in their order and the further ones at random."""
    chance = random.Random(seed)
    with postgresql.Cluster() as cluster, relay.Relay(cluster) as network:
        location = network.location(cluster.make_database(DATABASE))
        with office.OfficeOfTwoServers(seed, location, DATABASE, cluster, longest_stop) as place:
            place.play(
                rounds, chance, [office.Fault(name, functools.partial(play, network=network)) for name, play in plays]
            )
            return place


def main():
    chosen = harness.options(__doc__, SHORT_ROUNDS, LONG_ROUNDS)
    plays, longest_stop = PLAYS, office.LONGEST_STOP if chosen.form == "long" else SHORT_STOP
    if chosen.self_check:
        chosen.count, plays = 1, [(relay.LYING, lie)]
    place = run(chosen.count, chosen.seed, plays, longest_stop)
    harness.conclude(place.faults, f"cut connections, seed {chosen.seed}: {place.summary()}", chosen.self_check)


if __name__ == "__main__":
    main()
