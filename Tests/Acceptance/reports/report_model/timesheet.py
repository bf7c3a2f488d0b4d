"""The timesheet: a member in each row, a date of the pay period in each column."""

import dataclasses
import datetime

from . import facts
from .calculation import ONE_DAY, seconds_of

FIRST_DAY = datetime.date(1970, 1, 1)


def bounds(period, date, week_start):
    """The first and the last date of the pay period that a date lies in."""
    first = {"half-monthly": date.replace(day=1 if date.day <= 15 else 16), "monthly": date.replace(day=1)}.get(period)
    if first is None:
        length = {"weekly": 7, "two-weekly": 14}[period]
        epoch = FIRST_DAY
        while facts.WEEKDAYS[epoch.weekday()] != week_start:
            epoch += ONE_DAY
        first = date - ONE_DAY * ((date - epoch).days % length)
        return first, first + ONE_DAY * (length - 1)
    last = first
    while (last + ONE_DAY).month == first.month and not (period == "half-monthly" and last.day == 15):
        last += ONE_DAY
    return first, last


def days(query):
    """Every date of the calendar in the period, also one that a zone has left out."""
    return [query.start_date + ONE_DAY * number for number in range((query.end_date - query.start_date).days + 1)]


def answer(calculation, period):
    """All that `getTimesheet` answers; the calculation's query has the period's bounds."""
    query = calculation.query
    dates = days(query)
    of_members = {}
    for hours in calculation.hours:
        of_members.setdefault(hours.part.entry.member, []).append(hours)
    members = sorted(of_members, key=lambda member: (member.name, member.id))
    report = calculation.answer()
    return {
        "period": period,
        **{name: report[name] for name in ("startDate", "endDate", "timeZone", "attribution", "asOf")},
        "days": [date.isoformat() for date in dates],
        "rows": [
            {"userId": member.id, "userName": member.name} | columns(of_members[member], dates) for member in members
        ],
        "totals": columns(calculation.hours, dates),
        "anomalies": report["anomalies"],
    }


def columns(group, dates):
    sums = seconds_of(group)
    return {
        "seconds": [seconds_of([hours for hours in group if hours.part.date == date])["seconds"] for date in dates],
        "totalSeconds": sums.pop("seconds"),
        **sums,
    }


def query_of(period, date, policy, query):
    """A query with the bounds of the pay period that a date lies in."""
    first, last = bounds(period, date, policy.week_start)
    return dataclasses.replace(query, start_date=first, end_date=last)
