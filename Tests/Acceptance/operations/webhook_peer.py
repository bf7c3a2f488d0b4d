#!/usr/bin/env python3
"""A receiver of webhooks that knows the library of Standard Webhooks, and nothing of Timeclock, gets every change of the log.

On both databases: each change is taken at least once, signed, in order, never beside another one, under the same id
each time, while receivers refuse, close, redirect, are silent, slow or want no more, and while the service is killed
before and behind an answer. On PostgreSQL the one of two instances that sends is killed. Private addresses are not
connected to, however they are spelled and however a name's addresses change from one moment to the next. Pauses grow,
and end after five days. No list, log or export shows a secret, and a copy of the database sends nothing by itself.

`webhook_peer.py [--seed S] [--kills N] [--self-check]`: the self-check plants faults, such as a cursor that moves before the
delivery, and each has to be found.
"""

import argparse
import concurrent.futures
import contextlib
import pathlib
import random
import tempfile

from kit import python_packages

python_packages.enter()

from kit import postgresql
from webhook_peers import course, instances, network, patience, planting, receiver, slow

KILLS = 3


def stages(folder, cluster, peers, wanted):
    """The courses run side by side, mostly waiting: the function of each, and the text for its result."""
    for number, (kind, database) in enumerate([("sqlite", None), ("postgresql", cluster.make_database("course"))]):
        arguments = (folder / kind, database, *peers[2 * number : 2 * number + 2], wanted.seed, wanted.kills)
        told = f"{{0[0]}} messages on {kind}, {{0[1]}} of them again though taken, after {wanted.kills} kills"
        yield told, course.Course, arguments
    shared = cluster.make_database("shared")
    yield "{0} of two instances", instances.Instances, (folder / "instances", shared, peers[4], wanted.kills // 2 or 1)
    yield "{0} private addresses refused", network.Network, (folder / "network", peers[5])
    yield "{0} attempts in five days", patience.Patience, (folder / "patience", peers[6])
    yield "{0} slow receivers", slow.Slow, (folder / "slow", peers[7])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        peers = [stack.enter_context(receiver.Receiver()) for _ in range(8)]
        if wanted.self_check:
            print(f"webhook peer: {planting.Plants(folder, peers[0]).run()} planted faults were found")
            return
        cluster = stack.enter_context(postgresql.Cluster(["fsync=off"]))
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(8))
        all_of_it = list(stages(folder, cluster, peers, wanted))
        begun = [pool.submit(lambda make, arguments: make(*arguments).run(), *rest) for _, *rest in all_of_it]
        said = [told.format(one.result()) for (told, *_), one in zip(all_of_it, begun)]
    print(f"webhook peer: {'; '.join(said)}; seed {wanted.seed}")


main()
