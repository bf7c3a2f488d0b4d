"""The sources that the steps of a sequence are drawn from: lengths, settings, and the instants about which something
changes.

Nothing here is known of ids or of the time at which a step will run.
"""

import dataclasses
import math

from .values import (
    BACKGROUND_AT_MOST,
    DAY,
    FOCUS,
    LONGEST_SECONDS,
    MINUTE,
    PATIENCE,
    PAUSED_AT_MOST,
    REST,
    SECOND,
    STREAK_GAP,
    WIGGLE,
    About,
    Settings,
)

LABELS = [None, "Reading", "Reading", "Ünïcode 🍅"]
SUBJECTS = [None, {"id": "squats", "name": "Squats"}, {"id": "bench", "name": "Bench press"}]
# Lengths at which something changes stand beside each other.
SECONDS = [1, 49, 50, 59, 60, 61, 90, 299, 300, 301, 1_500, 1_799, 1_800, 1_801, 28_799, LONGEST_SECONDS]
NO_SECONDS = [0, -1, LONGEST_SECONDS + 1]
ADJUSTMENTS = [60, 60, 15, -15, -60, 1, -1, 300, -300, LONGEST_SECONDS, -LONGEST_SECONDS]
NO_ADJUSTMENTS = [0, LONGEST_SECONDS + 1, -LONGEST_SECONDS - 1]
OFFSETS = [-SECOND, -1, -1, 0, 0, 0, 1, 1, SECOND]


def chance(random, probability):
    return random.random() < probability


def maybe(random, probability, values):
    return random.choice(values) if chance(random, probability) else None


def draw_settings(random, theme):
    seconds = [1, 50, 60, 120, 300, 900, 1_500, 1_799, 1_800, 1_801]
    drawn = Settings(
        focusSeconds=random.choice(seconds),
        shortBreakSeconds=random.choice(seconds),
        longBreakSeconds=random.choice(seconds),
        sessionsBeforeLongBreak=random.choice([1, 2, 2, 3, 4]),
        isCountdown=chance(random, 0.75),
        breaksEnabled=chance(random, 0.85),
        longBreaksEnabled=chance(random, 0.85),
        autoStartFocus=chance(random, 0.5),
        autoStartBreak=chance(random, 0.5),
        autoStartMaximum=random.choice([0, 1, 2, 3, 8, 24]),
        countUpLimitSeconds=random.choice([60, 61, 300, 1_800, 28_800, 54_000]),
        restEnabled=chance(random, 0.8),
        restSeconds=random.choice(seconds),
        restBySubject=(("squats", random.choice(seconds)),) if chance(random, 0.5) else (),
        pauseInBackground=chance(random, 0.5),
    )
    return dataclasses.replace(drawn, **theme.settings) if chance(random, 0.8) else drawn


def end(desk):
    return desk.end(desk.timer) if desk.timer and desk.timer.state == "running" else None


def dismissal(desk):
    timer = desk.timer
    over = timer and (timer.finished_at if timer.state == "finished" else end(desk))
    return over and over + PATIENCE


def whole_minute(desk, now):
    """When a session that ends then is a minute longer."""
    timer = desk.timer
    if not timer or timer.state == "finished" or (timer.is_work and timer.state == "paused"):
        return None
    start = timer.start + (timer.paused if timer.is_work else 0)
    return start + -(-(now - start + WIGGLE) // MINUTE) * MINUTE - WIGGLE


def interruption(desk):
    timer = desk.timer
    return timer.paused_at + MINUTE - timer.paused % MINUTE if timer and timer.state == "paused" else None


def pause_end(desk):
    return desk.timer.paused_at + PAUSED_AT_MOST if desk.timer and desk.timer.state == "paused" else None


def background_pause(desk):
    timer = desk.timer
    return timer.background_at + BACKGROUND_AT_MOST if timer and timer.background_at is not None else None


def streak_end(desk):
    settings = desk.settings
    window = (settings.focusSeconds + settings.longBreakSeconds) * SECOND + STREAK_GAP
    return desk.last_focus_end and desk.last_focus_end + window


# By their names, the instants about which something changes; None if it cannot.
TARGETS = {
    "end": lambda desk, now: end(desk),
    "dismissal": lambda desk, now: dismissal(desk),
    "minute": whole_minute,
    "interruption": lambda desk, now: interruption(desk),
    "pause end": lambda desk, now: pause_end(desk),
    "background pause": lambda desk, now: background_pause(desk),
    "streak end": lambda desk, now: streak_end(desk),
}


@dataclasses.dataclass(frozen=True)
class Wait:
    """Until shortly before or after something changes, or for a while if it cannot."""

    target: str | None
    offset: int
    length: int

    @classmethod
    def draw(cls, random, theme):
        target = theme.draw_target(random) if chance(random, 0.55) else None
        length = 0 if chance(random, 0.15) else round(math.exp(random.uniform(0, math.log(2_400 * SECOND))))
        # A clock that is set back.
        length = -length // 60 if chance(random, 0.03) else length
        return cls(target, random.choice(OFFSETS), length)

    def until(self, desk, now):
        instant = TARGETS[self.target](desk, now) if self.target else None
        # A sequence does not last longer than tokens do.
        if instant is None or not now <= instant + self.offset <= now + 2 * DAY:
            return now + self.length
        return instant + self.offset


@dataclasses.dataclass(frozen=True)
class Order:
    """A start."""

    kind: str
    seconds: int | None
    is_countdown: bool | None
    label: str | None
    # Of the stage: the project, its task, or none.
    purpose: str | None
    subject: dict | None
    automatic: bool

    @classmethod
    def draw(cls, random, theme):
        kind = theme.draw_kind(random)
        is_countdown = maybe(random, 0.35 if kind == FOCUS else 0.08, [True, False])
        seconds = maybe(random, 0.5, NO_SECONDS if chance(random, 0.06) else SECONDS)
        return cls(
            kind,
            seconds,
            is_countdown,
            random.choice(LABELS),
            random.choice([None, None, "project", "task"]),
            random.choice(SUBJECTS) if kind == REST or chance(random, 0.2) else None,
            kind == REST and chance(random, 0.4),
        )

    def about(self, stage):
        return About(
            self.label, stage.project if self.purpose else None, stage.task if self.purpose == "task" else None
        )

    def body(self, stage):
        members = {
            "durationSeconds": self.seconds,
            "isCountdown": self.is_countdown,
            "label": self.label,
            "projectId": stage.project if self.purpose == "project" else None,
            "taskId": stage.task if self.purpose == "task" else None,
            "subject": self.subject,
        }
        stated = {name: value for name, value in members.items() if value is not None}
        return {"type": self.kind, **stated, **({"automatic": True} if self.automatic else {})}


@dataclasses.dataclass(frozen=True)
class Adjustment:
    """By a number of seconds, or near the remaining or the addable time."""

    about: str | None
    seconds: int

    @classmethod
    def draw(cls, random):
        about = random.choice([None, None, "left", "most"])
        if about:
            return cls(about, random.choice([-1, 0, 0, 1]))
        return cls(None, random.choice(NO_ADJUSTMENTS if chance(random, 0.08) else ADJUSTMENTS))

    def at(self, desk, time):
        timer = desk.timer
        if not self.about or not timer or not timer.is_countdown:
            return self.seconds if not self.about else 60
        if self.about == "left":
            return self.seconds - desk.left(timer, time) // SECOND
        return self.seconds + LONGEST_SECONDS - (timer.end - timer.start - timer.paused) // SECOND
