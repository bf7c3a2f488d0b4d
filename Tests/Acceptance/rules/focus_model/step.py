"""The shared part of a sequence's steps: they wait, ask some instance, and compare its answers."""

import dataclasses

from time_model.comparing import Difference, expect, matches

from . import shown
from .drawing import Wait
from .values import Refusal


@dataclasses.dataclass(frozen=True)
class Step:
    wait: Wait
    instance: int

    def run(self, desk, session):
        now = self.wait.until(desk, session.now())
        session.set(now)
        self.do(desk, session)

    def do(self, desk, session):
        """Asks, and compares."""
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class Command(Step):
    """A step that the timer's table has a row for."""

    # The version that the request names: the present one, or another.
    condition: str | None

    def do(self, desk, session):
        now = session.now()
        time = desk.pass_to(now)
        path, body, act = self.request(desk, session, time)
        fields, is_met = self.fields(desk, session)
        answer = session.ask("POST", path, body, fields, self.instance)
        if not is_met and not self.is_wrong(desk, body):
            expect_refusal(answer, Refusal(412, "precondition_failed"))
            expect_shown(answer.json["current"], shown.timer(desk, time), "the present timer", answer)
            return
        try:
            result = act(time)
        except Refusal as refusal:
            expect_refusal(answer, refusal)
            if refusal.status == 409:
                expect_shown(answer.json["timer"], shown.timer(desk, time), "the timer in the way", answer)
            return
        self.compare(desk, session, time, answer, result)

    def request(self, desk, session, time):
        """The path, the body, and the model's outcome."""
        raise NotImplementedError

    def is_wrong(self, desk, body):
        """Whether it would be refused for any timer."""
        return False

    def compare(self, desk, session, time, answer, result):
        desk.command(session.now())
        expect(answer.status == 200, "the model answers 200", answer)
        expect_outcome(desk, time, answer.json, result, answer)

    def fields(self, desk, session):
        """The header fields, and whether their condition holds."""
        version = session.version(desk)
        if version is None or self.condition is None:
            return [], True
        stale = self.condition == "stale"
        return [("If-Match", f'"{version - 1 if stale else version}"')], not stale


def expect_refusal(answer, refusal):
    expect((answer.status, answer.code) == (refusal.status, refusal.code), f"the model answers {refusal}", answer)


def expect_shown(got, wanted, what, answer):
    if not matches(wanted, got):
        raise Difference(f"{what} differs: {differences(wanted, got)}\n    the model has {wanted}\n    {answer}")


def expect_outcome(desk, time, got, session, answer):
    """A timer and a session, as an answer has both."""
    expect_shown(got["timer"], shown.timer(desk, time), "the timer", answer)
    expect_shown(got["session"], shown.session(session), "the session", answer)


def differences(wanted, got):
    """The members that differ, for the reader of a failure."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return {
            name: (value, got.get(name))
            for name, value in wanted.items()
            if name not in got or not matches(value, got[name])
        }
    return wanted, got
