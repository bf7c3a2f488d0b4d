"""The rows of a report second by second, to check the calculation with: small sets only.

Nothing is cut at a midnight here. Every second of every entry is looked up on the calendar and put into its rows by
itself, and every second that counts is given out by itself as regular hours or overtime.
"""

import collections
import datetime
import zoneinfo

from . import facts
from .zones import written


class Cell:
    """What an entry has on one date."""

    def __init__(self):
        self.milliseconds = 0
        self.first = None
        self.last = None
        self.is_running = False

    def add(self, start, end, is_running):
        self.milliseconds += end - start
        self.first = start if self.first is None else self.first
        self.last, self.is_running = end, is_running


def date_at(instant, zone):
    """Clocks change at whole seconds, so that all of a second has one date."""
    return datetime.datetime.fromtimestamp(instant // 1_000, zoneinfo.ZoneInfo(zone)).date()


def cells(entry, query):
    """By date, in the order in which an entry comes to them."""
    found = {}
    end = query.as_of if entry.end is None else entry.end
    if end <= entry.start:
        return found
    whole = (
        None
        if query.attribution == "split"
        else date_at(entry.start if query.attribution == "start" else end, query.zone)
    )
    second = entry.start
    while second < end:
        following = min(end, second // 1_000 * 1_000 + 1_000)
        date = whole or date_at(second, query.zone)
        found.setdefault(date, Cell()).add(second, following, entry.end is None and following == end)
        second = following
    return found


def monday_week(date):
    """ISO 8601: a week belongs to the year that its Thursday lies in."""
    thursday = date.toordinal() - date.weekday() + 3
    year = datetime.date.fromordinal(thursday).year
    return f"{year:04}-W{(thursday - datetime.date(year, 1, 1).toordinal()) // 7 + 1:02}"


def week_number(date, week_start):
    """A number that all dates of one week have; 1970-01-01 was a Thursday."""
    days = date.toordinal() - datetime.date(1970, 1, 1).toordinal()
    return (days + 3 - facts.WEEKDAYS.index(week_start)) // 7


def paid(known, query):
    """Every cell of the range, as (entry, date, cell, kinds): how many of its seconds are paid as what."""
    policy = known.policy
    first_week = week_number(query.start_date, policy.week_start)
    of_day, of_week = collections.Counter(), collections.Counter()
    found = []
    for entry in sorted(known.entries, key=lambda entry: entry.start):
        for date, cell in cells(entry, query).items():
            week = week_number(date, policy.week_start)
            if week < first_week or date > query.end_date:
                continue
            kinds = collections.Counter()
            for _ in range(cell.milliseconds // 1_000):
                kinds[kind(of_day, of_week, (entry.member.id, date), (entry.member.id, week), policy)] += 1
            is_wanted = query.session is None or (entry.session is not None and entry.session.id == query.session)
            if date >= query.start_date and query.member in (None, entry.member.id) and is_wanted:
                found.append((entry, date, cell, kinds))
    return found


def kind(of_day, of_week, day, week, policy):
    """What the next second is paid as."""
    of_day[day] += 1
    if policy.daily_overtime_after is not None and of_day[day] > policy.daily_overtime_after:
        return "dailyOvertimeSeconds"
    of_week[week] += 1
    if policy.weekly_overtime_after is not None and of_week[week] > policy.weekly_overtime_after:
        return "weeklyOvertimeSeconds"
    return "regularSeconds"


def key(dimension, entry, date):
    none = "\U0010ffff"
    return {
        "user": (entry.member.name, entry.member.id),
        "day": f"{date}",
        "week": monday_week(date),
        "month": f"{date:%Y-%m}",
        "session": (entry.session.title, entry.session.id) if entry.session else (none, none),
        "status": "clocked-in" if entry.end is None else "clocked-out",
        "source": entry.source,
    }[dimension]


def shown(dimension, value):
    if dimension == "user":
        return {"userName": value[0], "userId": value[1]}
    if dimension == "session":
        title, identifier = (None, None) if value[0] == "\U0010ffff" else value
        return {"sessionTitle": title, "sessionId": identifier}
    return {dimension: value}


def sums(found):
    total = collections.Counter()
    for _, _, _, kinds in found:
        total += kinds
    last = max((cell for _, _, cell, _ in found), key=lambda cell: cell.last, default=None)
    return {
        "seconds": total.total(),
        **{name: total[name] for name in ("regularSeconds", "dailyOvertimeSeconds", "weeklyOvertimeSeconds")},
        "entries": len({entry.id for entry, *_ in found}),
        "daysWorked": len({(entry.member.id, date) for entry, date, *_ in found}),
        "firstIn": written(min((cell.first for _, _, cell, _ in found), default=None)),
        "lastOut": None if last is None or last.is_running else written(last.last),
    }


def rows_and_totals(known, query):
    """What `Calculation` calculates."""
    groups = collections.defaultdict(list)
    found = paid(known, query)
    for one in found:
        groups[tuple(key(dimension, *one[:2]) for dimension in query.group_by)].append(one)
    rows = []
    for values in sorted(groups):
        row = {}
        for dimension, value in zip(query.group_by, values):
            row |= shown(dimension, value)
        rows.append(row | sums(groups[values]))
    return rows, sums(found)
