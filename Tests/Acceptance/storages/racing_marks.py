#!/usr/bin/env python3
"""What was approved stays as it was approved, though writes of all kinds race with the marks.

In each round two members have a week of the past, in which ten writes of entries, breaks, absences, schedules, holidays
and adjustments, by members, a manager and an admin, are asked at once with five moves of marks that submit, approve,
lock, reopen and unlock. They go to three servers on PostgreSQL, and to one on SQLite. Afterwards
- each approval that stands has the figures that the reports have for its dates now, and they say nothing else of it;
- a write that was answered as done is there, once in the log, and came before the marks that bind it; one that was refused
  has changed nothing, and names the strongest mark that bound it at some moment of the round;
- every answer is one that the contract has for its operation.
In the end `timeclock verify` finds every row as the log has it. With enough rounds each kind of write must have come
both before a mark of its round and behind one.

`racing_marks.py [--rounds N] [--first N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With
`--self-check` made-up facts, a row that is changed by SQL alone and, on PostgreSQL, marks that are read as they were 0.3
seconds ago have to be noticed. A difference prints the command that draws the same round again.
"""

import argparse
import contextlib
import functools
import random
import sys
import tempfile
import time

from kit import served
from kit.expecting import expect
from marks_race import controls, writes
from marks_race.rounds import MOVES, WRITES, Races

ROUNDS = 30
# From as many on, each kind of write has come before a mark and behind one.
MANY_ROUNDS = 300
# On PostgreSQL some transactions go on for some milliseconds behind what they have changed, so that others meet them.
LINGERING = """
CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_sleep(greatest(0, random() - 0.7) / 30);
  RETURN NULL;
END $$;
CREATE TRIGGER linger AFTER INSERT ON unsealed_changes FOR EACH ROW EXECUTE FUNCTION linger()
"""


@contextlib.contextmanager
def servers(kind, folder):
    """The servers of a storage, whose transactions linger on PostgreSQL, and a function that runs SQL in their database."""
    with served.together(kind, folder) as (instances, execute):
        if execute:
            execute(LINGERING)
        yield instances, execute or functools.partial(controls.execute, instances[0].database)


def race(kind, folder, wanted):
    rounds = wanted.rounds or ROUNDS
    with servers(kind, folder) as (instances, _):
        begin = time.monotonic()
        with contextlib.closing(Races(instances, wanted.seed)) as races:
            found = races.run(range(wanted.first, wanted.first + rounds))
            if found:
                number, faults = found
                again = f"racing_marks.py --seed {wanted.seed} --first {number} --rounds 1 --database {kind}"
                sys.exit(f"racing marks: round {number}, drawn again by {again}:\n  " + "\n  ".join(faults))
        instances[0].verify()
        seconds = time.monotonic() - begin
    tell(kind, rounds, seconds, races)


def tell(kind, rounds, seconds, races):
    rows = {name: [races.outcomes[name, came] for came in ("before", "behind", "let in")] for name in writes.DRAWN}
    print(
        f"racing marks: {rounds} rounds of {WRITES} writes and {MOVES} moves over {served.INSTANCES[kind]} on "
        f"{served.NAMES[kind]} in {seconds:.0f} s, {races.approvals} approvals stand as they were kept; "
        "writes before a mark, behind one, and let in by one that was taken back: "
        + ", ".join(f"{name} {before}/{behind}/{opened}" for name, (before, behind, opened) in rows.items())
        + "; moves: "
        + ", ".join(f"{count} × {name} {fate}" for (name, fate), count in sorted(races.moves.items())),
        flush=True,
    )
    expect(races.approvals > 0, "an approval stands")
    if rounds >= MANY_ROUNDS:
        missing = [name for name, (before, behind, _) in rows.items() if not before or not behind]
        expect(not missing, f"in {rounds} rounds each kind of write comes before a mark and behind one", missing)


def check_itself(folder, seed):
    for kind in served.NAMES:
        with servers(kind, folder) as (instances, execute):
            with contextlib.closing(Races(instances, seed)) as races:
                print(f"racing marks on {served.NAMES[kind]}: {controls.planted(races)}", flush=True)
                print(f"racing marks on {served.NAMES[kind]}: {controls.beside(races, execute)}", flush=True)
                if kind == "postgresql":
                    print(f"racing marks on {served.NAMES[kind]}: {controls.too_late(races, execute)}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    served.add_option(parser)
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        if wanted.self_check:
            check_itself(folder, wanted.seed)
            return
        for kind in served.NAMES:
            if wanted.database in (kind, "both"):
                race(kind, folder, wanted)


main()
