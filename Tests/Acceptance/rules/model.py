#!/usr/bin/env python3
"""Random sequences of steps get the answers that a plain model of the rules gives, on SQLite and on PostgreSQL.

Each sequence has an organization of its own: clock-ins and clock-outs, plain and backdated, manual entries, changes and
deletions under entity tags of every kind, lists, overlap checks, policies and members that change, by people of
every role. Status, code, words and resource are compared after every step, the whole list and the feed of changes at
the end. A failure prints the seed that repeats it and the fewest steps that still fail in another organization.

`model.py [--sequences N] [--steps N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With
`--self-check` the rules of the model are made wrong, one at a time, and each has to be found out.
"""

import argparse
import random
import tempfile

from kit import served
from time_model import drawing, rules, running, steps, wrong_rules

SEQUENCES = 150
STEPS = 40


class Sequence(running.Sequence):
    """Steps about entries, policies and members."""

    def draw(self, chances, length):
        # Half of them play about the end of a day on which the clocks were changed.
        self.transition = chances.random() if drawing.chance(chances, 0.5) else None
        zone = chances.choice(drawing.ZONES if self.transition is None else drawing.CHANGING_ZONES)
        self.zones = [zone] + [drawing.maybe(chances, 0.5, drawing.ZONES) for _ in list(drawing.CAST)[1:]]
        return [steps.draw(chances) for _ in range(length)]

    def begin(self, session, kind):
        office = session.make_office(kind, self.zones)
        if self.transition is not None:
            office.move_to_transition(self.transition)
        return office

    def finish(self, office, session):
        steps.compare_everything(office, session)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sequences", type=int, default=SEQUENCES)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    served.add_option(parser)
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        if wanted.self_check:
            with served.on("sqlite", folder) as (clock, operator):
                lengths = [running.find_out(clock, operator, wanted, Sequence, kind) for kind in wrong_rules.ALL]
            print(
                f"model, wrong on purpose: {len(lengths)} wrong rules were found out, in {max(lengths)} steps at "
                f"most; seed {wanted.seed}"
            )
            return
        reports = [
            (served.NAMES[kind], *running.check(kind, clock, operator, wanted, Sequence, rules.Office))
            for kind, clock, operator in served.each(folder, wanted.database)
        ]
    for name, counts, seconds in reports:
        print(
            f"{name}: {sum(counts.values())} answers in {seconds:.0f} s: "
            + ", ".join(f"{count} × {code}" for code, count in counts.most_common())
        )
    print(
        f"model: {wanted.sequences} sequences of {wanted.steps} steps on {' and '.join(one[0] for one in reports)}, "
        f"no difference; seed {wanted.seed}"
    )


main()
