"""The service's view of a model's timer."""

import datetime

from .values import FOCUS, SECOND


def instant(milliseconds):
    whole = datetime.datetime.fromtimestamp(milliseconds // SECOND, datetime.UTC)
    return f"{whole:%Y-%m-%dT%H:%M:%S}.{milliseconds % SECOND:03}Z"


def maybe_instant(milliseconds):
    return None if milliseconds is None else instant(milliseconds)


class Near:
    """A number that is rounded somehow to four digits."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, int | float) and abs(self.value - other) <= 0.000_1

    def __repr__(self):
        return f"about {self.value}"


def routine(one):
    return one and {
        "name": one.name,
        "startTime": instant(one.start),
        "currentItem": one.item,
        "currentSet": one.set,
        "totalSets": one.sets,
        "itemsCompleted": one.done,
        "totalItems": one.items,
    }


def session(one):
    return one and {
        "type": one.kind,
        "startTime": instant(one.start),
        "endTime": instant(one.end),
        "durationMinutes": one.minutes,
        "interruptionsMinutes": one.interruptions,
        "seconds": one.seconds,
        "isWork": one.kind == FOCUS,
        "label": one.about.label,
        "projectId": one.about.project,
        "taskId": one.about.task,
        "outcome": one.outcome,
        "notes": None,
        "isArchived": False,
    }


def timer(desk, now):
    """The timer of a desk, as it is at an instant at which nothing is left to happen; None if there is none."""
    one = desk.timer
    if not one:
        return None
    stands = one.finished_at if one.state == "finished" else now if one.paused_at is None else one.paused_at
    left = max(0, one.end - stands) if one.is_countdown else None
    return {
        "type": one.kind,
        "state": one.state,
        "isCountdown": one.is_countdown,
        "startTime": instant(one.start),
        "endTime": maybe_instant(one.end if one.finished_at is None else one.finished_at),
        "lastStartTime": instant(one.last_start),
        "lastPauseTime": maybe_instant(one.paused_at),
        "timeSpentPausedSeconds": one.paused // SECOND,
        "elapsedSeconds": max(0, stands - one.start - one.paused) // SECOND,
        "remainingSeconds": None if left is None else -(-left // SECOND),
        "originalDurationSeconds": one.original,
        "adjustedSeconds": one.adjusted,
        "wasAdjusted": one.was_adjusted,
        "progress": None if left is None else Near(min(1, left / SECOND / one.original)),
        "streak": desk.streak,
        "sessionsBeforeLongBreak": desk.settings.sessionsBeforeLongBreak,
        "autoStarted": one.is_automatic,
        "pendingAction": desk.pending(),
        "projectId": one.about.project,
        "taskId": one.about.task,
        "label": one.about.label,
        "subject": one.subject,
        "routine": routine(desk.routine),
        "updatedAt": instant(desk.updated),
    }


def current(desk, now):
    return {
        "state": desk.timer.state if desk.timer else "reset",
        "timer": timer(desk, now),
        "routine": routine(desk.routine),
        "lastSession": session(max(desk.sessions, key=lambda one: one.start, default=None)),
        "serverTime": instant(now),
    }


def sessions(desk):
    return [session(one) for one in sorted(desk.sessions, key=lambda one: -one.start)]
