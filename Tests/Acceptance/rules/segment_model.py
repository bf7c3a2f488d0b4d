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

from kit import segment_rows
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


running.main("segment model", Sequence, rules.Office, wrong_rules.ALL, SEQUENCES, STEPS)
