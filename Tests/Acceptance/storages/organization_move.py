#!/usr/bin/env python3
"""Organizations move to another cell under load, and nothing that was acknowledged is missing, or there twice.

Each of them has callers who clock in and out and write entries by hand, a reader of its feed, a webhook, a running timer
and a running entry, and moves while the command is killed at moments of chance, the PostgreSQL of either cell is lost,
or `--abandon` comes before, within and behind the commit. Callers who are told `organization_moving` try again, and those
who are told `organization_moved` go on at the address. In the end
- every acknowledged write is in the target alone, and the source answers 421 to everybody;
- feeds, webhooks, keys, timers, tokens, passwords and invitations go on as if nothing had happened;
- those who stayed, and those who are in two organizations, work as before;
- `timeclock directory` names the cell of each, and `timeclock verify` finds both cells whole.

`organization_move.py [--kills N] [--seed S] [--self-check]` kills the command as often, each time with another organization.
With `--self-check` faults are planted behind a move, and each has to be found.
"""

import argparse
import pathlib
import random
import tempfile

from moves import controls, events
from moves.place import Place

KILLS = 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    plan = [events.abandoned, *[events.killed] * wanted.kills, *events.OTHERS]
    if wanted.self_check:
        plan = [events.abandoned]
    with tempfile.TemporaryDirectory() as folder, Place(pathlib.Path(folder), wanted.seed, plan) as place:
        place.play()
        if wanted.self_check:
            print(f"organization move: {controls.planted(place)} planted faults were found")
            return
        place.stop()
    print(f"organization move: {place.summary()}; seed {wanted.seed}")


main()
