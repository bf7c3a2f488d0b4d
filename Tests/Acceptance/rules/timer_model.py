#!/usr/bin/env python3
"""Random sequences of commands to a timer get the answers that a plain model of the rules gives, under a stepped clock.

The clock of the service stands still between the steps and is set to the millisecond, mostly to just before, at and
just after an instant at which something changes: an end, a session's next whole minute, the dismissal of a finished
timer, a pause in the background, a pause of a day, the end of a streak. Starts, pauses, adjustments, settings,
routines, queues of telephones that come late and again, instances that are killed, and times in which nobody is there:
after every step the timer and the sessions are the model's, at each instance in turn, on SQLite and on three instances
with PostgreSQL. In the end timers end while nobody asks, and each has left one session within a second. A failure
prints the seed that repeats it and the fewest steps that still fail for another member.

`timer_model.py [--sequences N] [--steps N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With
`--self-check` the rules of the model are made wrong, one at a time, and each has to be found out.
"""

from focus_model import rules, stage, statistics, steps, themes, unwatched, wrong_rules
from focus_model.session import Session
from focus_model.step import expect_shown
from time_model import running
from time_model.comparing import expect

SEQUENCES = 40
STEPS = 40


class Sequence(running.Sequence):
    """Steps of one member."""

    session = Session
    # There is one clock.
    threads = 1

    def draw(self, chances, length):
        self.grouping = chances.choice(statistics.GROUPINGS)
        theme = chances.choice(themes.ALL)
        return steps.begin(chances, theme) + [steps.draw(chances, theme) for _ in range(length)]

    def begin(self, session, kind):
        session.begin()
        return kind()

    def look(self, desk, session):
        session.look(desk)

    def finish(self, desk, session):
        session.look_at_sessions(desk)
        answer = session.ask("GET", f"/timers/statistics?groupBy={self.grouping}")
        expect(answer.status == 200, "the model answers 200", answer)
        wanted = statistics.of(desk.sessions, self.grouping, session.now())
        expect_shown(answer.json, wanted, "the statistics", answer)


running.main("timer model", Sequence, rules.Desk, wrong_rules.ALL, SEQUENCES, STEPS, stage.each, unwatched.check)
