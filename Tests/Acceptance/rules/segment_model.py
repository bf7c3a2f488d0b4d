#!/usr/bin/env python3
"""Random sequences of segments get the answers that a plain model of the rules gives, on SQLite and on PostgreSQL.

Each sequence has an organization of its own: starts and stops, breaks and the work they return to, clock-ins and
clock-outs, plain and in the past, segments by hand, changes and deletions of segments, of their entries and of their
projects, by members, and by a manager for them. Status, code and resource are compared after every step, and so are all
clocks, all segments and entries, and the rows of the database: segments that lie outside of their entry, overlap, are
open twice, or add up to more. A failure prints the seed that repeats it and the fewest steps that still fail in another
organization.

`segment_model.py [--sequences N] [--steps N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With
`--self-check` the rules of the model are made wrong, one at a time, and each has to be found out.
"""

import argparse
import random
import tempfile

from kit import segment_rows, served
from purpose_model import comparing, project_steps, rules, steps, wrong_rules
from time_model import drawing, running

SEQUENCES = 40
STEPS = 40
ZONES = ["Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "UTC"]


class Session(running.Session):
    """A conversation that also reads the database."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.rows = segment_rows.Rows(self.clock.database)
        # By the member's id, the tag of a clock and the state that it was of.
        self.tags = {}
        # Of the last request.
        self.window = None

    def close(self):
        self.rows.close()

    def ask(self, *arguments):
        answer, self.window = super().ask(*arguments)
        return answer, self.window


class Sequence(running.Sequence):
    """Steps about segments, and about the entries and projects they follow."""

    session = Session

    def draw(self, chances, length):
        self.zones = [chances.choice(ZONES)] + [drawing.maybe(chances, 0.5, ZONES) for _ in list(drawing.CAST)[1:]]
        self.policy = {"editWindowDays": 0} if drawing.chance(chances, 0.15) else {}
        return steps.begin(chances) + [steps.draw(chances) for _ in range(length)]

    def begin(self, session, kind):
        office = session.make_office(kind, self.zones)
        project_steps.furnish(office, session)
        if self.policy:
            project_steps.set_flag(session, "", {"policy": self.policy})
            office.policy.update(self.policy)
        return office

    def look(self, office, session):
        comparing.look(office, session)

    def finish(self, office, session):
        comparing.look_at_all_clocks(office, session)


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
                f"segment model, wrong on purpose: {len(lengths)} wrong rules were found out, in {max(lengths)} steps "
                f"at most; seed {wanted.seed}"
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
        f"segment model: {wanted.sequences} sequences of {wanted.steps} steps on "
        f"{' and '.join(one[0] for one in reports)}, no difference; seed {wanted.seed}"
    )


main()
