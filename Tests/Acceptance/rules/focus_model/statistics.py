"""The sums of a model's sessions."""

import datetime

from .values import FOCUS, SECOND

GROUPINGS = ["day", "week", "month", "project", "task", "type", "label"]


def date(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds // SECOND, datetime.UTC).date()


def key(session, grouping):
    day = date(session.start)
    week = day.isocalendar()
    return {
        "day": day.isoformat(),
        "week": f"{week.year}-W{week.week:02}",
        "month": f"{day:%Y-%m}",
        "project": session.about.project,
        "task": session.about.task,
        "type": session.kind,
        "label": session.about.label,
    }[grouping]


def summed(sessions):
    return {
        "minutes": sum(one.minutes for one in sessions),
        "interruptionsMinutes": sum(one.interruptions for one in sessions),
        "sessions": len(sessions),
    }


def days_in_a_row(sessions, now):
    """How many days had a focus, up to today, or to yesterday if today has none."""
    days = {date(one.start) for one in sessions if one.kind == FOCUS}
    one_day = datetime.timedelta(days=1)
    day = date(now)
    if day not in days:
        day -= one_day
    count = 0
    while day in days:
        count += 1
        day -= one_day
    return count


def of(sessions, grouping, now):
    """The whole answer, with the rows by their keys; that without a key is last."""
    keys = sorted({key(one, grouping) for one in sessions}, key=lambda one: (one is None, (one or "").encode()))
    return {
        "groupBy": grouping,
        **summed(sessions),
        "streak": days_in_a_row(sessions, now),
        "rows": [{"key": one, **summed([it for it in sessions if key(it, grouping) == one])} for one in keys],
    }
