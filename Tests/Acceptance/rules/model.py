#!/usr/bin/env python3
"""Random sequences of steps get the answers that a plain model of the rules gives, on SQLite and on PostgreSQL.

Each sequence has an organization of its own: clock-ins and clock-outs, plain and backdated, manual entries, changes and
deletions under entity tags of every kind, lists, overlap checks, policies and members that change, by people of
every role. Status, code, words and resource are compared after every step, the whole list and the feed of changes at
the end. A failure prints the seed that repeats it and the fewest steps that still fail in another organization.

`model.py [--sequences N] [--steps N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With
`--self-check` the rules of the model are made wrong, one at a time, and each has to be found out.
"""

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


running.main("model", Sequence, rules.Office, wrong_rules.ALL, SEQUENCES, STEPS)
