"""Which steps a sequence has, and how often. A new kind is one more class with `draw` and `do`, in `WEIGHTS`."""

import dataclasses

from time_model.comparing import expect

from . import shown
from .drawing import Adjustment, Order, Wait, chance, draw_settings, maybe
from .queue_steps import Queue, Resend
from .step import Command, Step, expect_outcome, expect_refusal, expect_shown
from .themes import chosen
from .values import SECOND, Refusal, Routine, Settings


def draw_condition(random):
    return maybe(random, 0.2, ["present", "present", "stale"])


@dataclasses.dataclass(frozen=True)
class Look(Step):
    """Nobody does anything; the effects of time are looked at after each step."""

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance)

    def do(self, desk, session):
        pass


@dataclasses.dataclass(frozen=True)
class Start(Command):
    order: Order

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance, None, Order.draw(random, theme))

    def request(self, desk, session, time):
        order = self.order

        def act(at):
            return desk.start(
                at,
                order.kind,
                order.seconds,
                order.is_countdown,
                order.about(session.stage),
                order.subject,
                order.automatic,
            )

        return "/timers", order.body(session.stage), act

    def compare(self, desk, session, time, answer, result):
        left, reason = result
        expect(answer.status == (200 if reason else 201), f"the model starts it, unless for {reason}", answer)
        expect((answer.json["started"], answer.json["reason"]) == (not reason, reason), f"because {reason}", answer)
        expect_outcome(desk, time, answer.json, left, answer)
        if not reason:
            desk.command(session.now())


@dataclasses.dataclass(frozen=True)
class Plain(Command):
    """A command without a body."""

    name: str

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance, draw_condition(random), cls.__name__.lower())

    def request(self, desk, session, time):
        return f"/timers/current/{self.name}", None, lambda at: getattr(desk, self.name)(at)


class Pause(Plain):
    pass


class Resume(Plain):
    pass


class Skip(Plain):
    pass


class Stop(Plain):
    pass


class Next(Plain):
    pass


@dataclasses.dataclass(frozen=True)
class Adjust(Command):
    adjustment: Adjustment

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance, draw_condition(random), Adjustment.draw(random))

    def request(self, desk, session, time):
        seconds = self.adjustment.at(desk, time)
        return "/timers/current/adjust", {"seconds": seconds}, lambda at: desk.adjust(at, seconds)

    def is_wrong(self, desk, body):
        try:
            desk.check_adjustment(body["seconds"])
        except Refusal:
            return True
        return False


@dataclasses.dataclass(frozen=True)
class Presence(Step):
    state: str

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance, random.choice(["background", "background", "foreground"]))

    def do(self, desk, session):
        time = desk.pass_to(session.now())
        answer = session.ask("POST", "/timers/current/presence", {"state": self.state}, (), self.instance)
        try:
            desk.show(self.state, time)
        except Refusal as refusal:
            expect_refusal(answer, refusal)
            return
        expect(answer.status == 200, "the model answers 200", answer)
        expect_outcome(desk, time, answer.json, None, answer)


@dataclasses.dataclass(frozen=True)
class PutSettings(Step):
    settings: Settings

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance, draw_settings(random, theme))

    def do(self, desk, session):
        desk.pass_to(session.now())
        # One who has stated none may rely on there being none: only deviations from the defaults are stated.
        stated = {name: value for name, value in self.settings.json.items() if value != Settings().json[name]}
        answer = session.ask("PUT", "/timers/settings", stated, [("If-Match", "*")], self.instance)
        expect(answer.status == 200, "the model answers 200", answer)
        desk.settings = self.settings
        expect_shown(answer.json, self.settings.json, "the settings", answer)


@dataclasses.dataclass(frozen=True)
class PutRoutine(Step):
    set: int
    sets: int

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance, random.choice([0, 1, 1, 2, 2, 999]), random.choice([0, 1, 2, 2, 3, 999]))

    def do(self, desk, session):
        now = session.now()
        desk.pass_to(now)
        one = Routine("Legs", now // SECOND * SECOND, "Squats", self.set, self.sets, 0, 4)
        answer = session.ask("PUT", "/timers/current/routine", shown.routine(one), (), self.instance)
        expect(answer.status == 200, "the model answers 200", answer)
        desk.put_routine(one)
        expect_shown(answer.json, shown.routine(one), "the routine", answer)


@dataclasses.dataclass(frozen=True)
class DeleteRoutine(Step):
    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance)

    def do(self, desk, session):
        desk.pass_to(session.now())
        answer = session.ask("DELETE", "/timers/current/routine", None, (), self.instance)
        expect(answer.status == 204, "the model answers 204", answer)
        desk.put_routine(None)


@dataclasses.dataclass(frozen=True)
class DeleteSession(Step):
    choice: float

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance, random.random())

    def do(self, desk, session):
        desk.pass_to(session.now())
        if not desk.sessions:
            return
        one = desk.sessions[int(self.choice * len(desk.sessions))]
        rows = session.ask("GET", "/timerSessions?limit=1000", None, (), self.instance).json["timerSessions"]
        found = [row["id"] for row in rows if (row["startTime"], row["type"]) == (shown.instant(one.start), one.kind)]
        expect(len(found) == 1, f"there is one {one}", rows)
        answer = session.ask("DELETE", f"/timerSessions/{found[0]}", None, (), self.instance)
        expect(answer.status == 204, "the model answers 204", answer)
        desk.sessions.remove(one)


@dataclasses.dataclass(frozen=True)
class Restart(Step):
    """One instance ends and begins again, while the clock stands still."""

    is_killed: bool

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance, chance(random, 0.7))

    def do(self, desk, session):
        # Any instance that is left may notice.
        desk.pass_to(session.now())
        session.stage.restart(self.instance, self.is_killed)


@dataclasses.dataclass(frozen=True)
class Outage(Step):
    """Nobody notices anything for as long as the step waits."""

    @classmethod
    def draw(cls, random, theme, wait, instance):
        return cls(wait, instance)

    def run(self, desk, session):
        with session.stage.outage():
            session.set(self.wait.until(desk, session.now()))
        desk.pass_to(session.now())

    def do(self, desk, session):
        pass


WEIGHTS = {
    Start: 16,
    Pause: 13,
    Resume: 12,
    Adjust: 12,
    Skip: 9,
    Stop: 5,
    Next: 14,
    Presence: 8,
    PutSettings: 6,
    PutRoutine: 4,
    DeleteRoutine: 1,
    DeleteSession: 1,
    Queue: 9,
    Resend: 3,
    Look: 8,
    Restart: 0.3,
    Outage: 0.3,
}


def begin(random, theme):
    """The first steps of a sequence, so that there is something to continue with."""
    at_once = Wait(None, 0, 0)
    return [
        PutSettings(at_once, 0, draw_settings(random, theme)),
        Start.draw(random, theme, at_once, random.randrange(3)),
    ]


def draw(random, theme):
    kind = chosen(random, {kind: theme.steps.get(kind.__name__, weight) for kind, weight in WEIGHTS.items()})
    return kind.draw(random, theme, Wait.draw(random, theme), random.randrange(3))
