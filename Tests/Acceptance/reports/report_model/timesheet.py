"""The timesheet: a member in each row, or one's purposes, a date of the pay period in each column."""

import collections
import dataclasses
import datetime

from . import facts
from .zones import ONE_DAY

# The first members of a report, too.
HEAD = ("startDate", "endDate", "timeZone", "attribution", "asOf", "rounding")
FIRST_DAY = datetime.date(1970, 1, 1)


def bounds(period, date, policy):
    """The first and the last date of the pay period that a date lies in, cut where weeks begin on another day."""
    week_start = policy.on(date).week_start
    first = {"half-monthly": date.replace(day=1 if date.day <= 15 else 16), "monthly": date.replace(day=1)}.get(period)
    if first is None:
        length = {"weekly": 7, "two-weekly": 14}[period]
        epoch = FIRST_DAY
        while facts.WEEKDAYS[epoch.weekday()] != week_start:
            epoch += ONE_DAY
        first = date - ONE_DAY * ((date - epoch).days % length)
        last = first + ONE_DAY * (length - 1)
        start = end = date
        while start > first and policy.on(start - ONE_DAY).week_start == week_start:
            start -= ONE_DAY
        while end < last and policy.on(end + ONE_DAY).week_start == week_start:
            end += ONE_DAY
        return start, end
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
    report = calculation.answer()
    return {
        "period": period,
        **{name: report[name] for name in HEAD if name in report},
        "days": [date.isoformat() for date in dates],
        "rows": [
            shown | columns(calculation, group, dates) for shown, group in calculation.groups(("user", *query.group_by))
        ],
        "totals": columns(calculation, calculation.hours, dates),
        "anomalyCounts": report["anomalyCounts"],
        "anomalies": report["anomalies"],
    }


def columns(calculation, group, dates):
    figures = calculation.figures(group)
    of_dates = collections.Counter()
    for hours in group:
        of_dates[hours.part.date] += hours.slice.seconds
    return {"seconds": [of_dates[date] for date in dates], "totalSeconds": figures.pop("seconds"), **figures}


def query_of(period, date, policy, query):
    """A query with the bounds of the pay period that a date lies in; rows are by member and by one purpose at most."""
    first, last = bounds(period, date, policy)
    purposes = tuple(dimension for dimension in query.group_by if dimension in facts.PURPOSES)[:1]
    return dataclasses.replace(query, start_date=first, end_date=last, group_by=purposes)
