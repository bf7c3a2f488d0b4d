"""Queues of commands that telephones send later, and send again."""

import dataclasses
import uuid

from time_model.comparing import expect

from . import shown
from .drawing import Adjustment, Order, Wait, chance
from .rules import Stale
from .step import Step, expect_shown
from .values import AHEAD_AT_MOST, LOOK_BACK, MINUTE, SECOND, Refusal

KINDS = ["start", "start", "pause", "resume", "adjust", "skip", "next", "stop"]
# How far back the first command of a queue is; beside the last ones are limits.
BACK = [0, SECOND, 50 * SECOND, 5 * MINUTE, 26 * MINUTE, 61 * MINUTE, 5 * 60 * MINUTE, 40 * 60 * MINUTE]
LIMITS = [LOOK_BACK, LOOK_BACK + 1, -AHEAD_AT_MOST, -AHEAD_AT_MOST - 1, -1]
STEPS = [0, 1, SECOND, 49_999, 50_000, MINUTE, 5 * MINUTE, 25 * MINUTE, 30 * MINUTE, 30 * MINUTE + 1]


@dataclasses.dataclass(frozen=True)
class Queued:
    """A command of a telephone; `back` is how long before the sending it was given."""

    kind: str
    back: int
    order: Order
    adjustment: Adjustment

    @classmethod
    def draw(cls, random, theme, kind, back):
        return cls(kind, back, Order.draw(random, theme), Adjustment.draw(random))


@dataclasses.dataclass(frozen=True)
class Sent:
    """A command with its id and its instant, which stay when it is sent again."""

    id: str
    at: int
    queued: Queued
    seconds: int | None

    def body(self, stage):
        more = {}
        if self.queued.kind == "start":
            more = {"timer": self.queued.order.body(stage)}
        elif self.queued.kind == "adjust":
            more = {"seconds": self.seconds}
        return {"id": self.id, "type": self.queued.kind, "at": shown.instant(self.at), **more}

    def check(self, desk):
        if self.queued.kind == "start":
            desk.check_start(self.queued.order.kind, self.queued.order.seconds, self.queued.order.is_countdown)
        elif self.queued.kind == "adjust":
            desk.check_adjustment(self.seconds)

    def take(self, desk, stage, now):
        return desk.take(self.at, now, lambda: self.check(desk), lambda time: self.act(desk, stage, time))

    def act(self, desk, stage, time):
        """The session that the command leaves, and why it does nothing."""
        order = self.queued.order
        if self.queued.kind == "start":
            about = order.about(stage)
            return desk.start(
                time, order.kind, order.seconds, order.is_countdown, about, order.subject, order.automatic
            )
        if self.queued.kind == "adjust":
            return desk.adjust(time, self.seconds), None
        return getattr(desk, self.queued.kind)(time), None


def send(desk, session, commands, instance):
    """Sends a queue, whose commands are judged one by one."""
    now = session.now()
    desk.pass_to(now)
    # The scheduler has noticed all changes until now: a telephone is never quicker.
    session.ask("GET", "/timers/current", None, (), instance)
    answer = session.ask(
        "POST", "/timers/commands", {"commands": [one.body(session.stage) for one in commands]}, (), instance
    )
    expect(answer.status == 200, "the model answers 200", answer)
    results = answer.json["results"]
    expect([one["id"] for one in results] == [one.id for one in commands], "one result for each command", answer)
    for one, result in zip(commands, results):
        judge(desk, session, one, result, now, answer)


def judge(desk, session, one, result, now, answer):
    what = f"the model answers {one} with"
    if one.id in session.answers:
        expect(result == session.answers[one.id], f"{what} {session.answers[one.id]}, as before", answer)
        return
    session.answers[one.id] = result
    try:
        left, time = one.take(desk, session.stage, now)
    except Stale:
        expect(result["status"] == "stale", f"{what} stale", answer)
        expect(result["problem"] is None and result["session"] is None, f"{what} nothing else", answer)
        return
    except Refusal as refusal:
        code = result["problem"] and result["problem"]["code"]
        expect((result["status"], code) == (str(refusal.status), refusal.code), f"{what} {refusal}", answer)
        return
    expect(result["status"] == "applied", f"{what} applied", answer)
    expect_shown(result["session"], shown.session(left), "the session of a queued command", answer)
    expect_shown(result["timer"], shown.timer(desk, time), "the timer of a queued command", answer)


@dataclasses.dataclass(frozen=True)
class Queue(Step):
    commands: tuple

    @classmethod
    def draw(cls, random, theme, wait, instance):
        back = random.choice(LIMITS if chance(random, 0.1) else BACK)
        commands = []
        for number in range(random.choice([1, 1, 2, 3, 5, 9])):
            kind = "start" if number == 0 and chance(random, 0.6) else random.choice(KINDS)
            commands.append(Queued.draw(random, theme, kind, back))
            back = back - random.choice(STEPS)
            if back < 0 and chance(random, 0.7):
                back = random.choice([0, 1, SECOND])
            if chance(random, 0.06):
                back += 10 * MINUTE
        return cls(wait, instance, tuple(commands))

    def do(self, desk, session):
        now = session.now()
        desk.pass_to(now)
        session.sent = [
            Sent(str(uuid.uuid4()), now - one.back, one, one.adjustment.at(desk, now)) for one in self.commands
        ]
        send(desk, session, session.sent, self.instance)


@dataclasses.dataclass(frozen=True)
class Resend(Step):
    """The last queue once more, or its beginning, or its end."""

    part: str

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(Wait(None, 0, wait.length), instance, random.choice(["whole", "whole", "begin", "end"]))

    def do(self, desk, session):
        half = (len(session.sent) + 1) // 2
        part = {"whole": session.sent, "begin": session.sent[:half], "end": session.sent[-half:]}[self.part]
        if part:
            send(desk, session, part, self.instance)
