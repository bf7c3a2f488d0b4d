"""Instants and local dates: Python's zoneinfo on the system's zone data, and nothing shared with the service.

Instants are whole milliseconds since 1970 in UTC.
"""

import datetime
import functools
import itertools
import zoneinfo

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
ONE_DAY = datetime.timedelta(days=1)
# How much of the calendar is searched for changes of the date at a time.
BLOCK = 10 * DAY
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def utc(instant):
    return EPOCH + datetime.timedelta(milliseconds=instant)


def written(instant):
    """As the service writes it; None stays None."""
    return None if instant is None else utc(instant).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read(text):
    return (datetime.datetime.fromisoformat(text) - EPOCH) // datetime.timedelta(milliseconds=1)


def noon(date):
    """Noon of a date in UTC; in every zone but those at the edge of the date line it is on the same date."""
    return (date - EPOCH.date()).days * DAY + DAY // 2


def local(instant, zone):
    return utc(instant).astimezone(zoneinfo.ZoneInfo(zone))


def local_date(instant, zone):
    return local(instant, zone).date()


def offset(instant, zone):
    return local(instant, zone).utcoffset()


def first_instant(low, high, holds):
    """The first instant after `low` at which something holds that holds at `high`."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def offset_change(low, high, zone):
    """The instant at which the offset from UTC changes after `low`, up to `high`; None if it is the same at both."""
    new = offset(high, zone)
    if offset(low, zone) == new:
        return None
    return first_instant(low, high, lambda instant: offset(instant, zone) == new)


@functools.cache
def date_changes(zone, block):
    """Every instant in a block of the calendar at which a date begins or comes back, with that date.

    Looks at every hour. Between two changes of the offset clocks only go forward, so that a bisection finds midnight;
    where the offset changes the date may jump, also backwards.
    """
    found = []
    for low in range(block * BLOCK, (block + 1) * BLOCK, HOUR):
        change = offset_change(low, low + HOUR, zone)
        edges = [low, low + HOUR] if change in (None, low + HOUR) else [low, change, low + HOUR]
        for start, end in itertools.pairwise(edges):
            last = local_date(end - 1, zone)
            if local_date(start, zone) != last:
                found.append((first_instant(start, end - 1, lambda instant: local_date(instant, zone) == last), last))
            if local_date(end, zone) != last:
                found.append((end, local_date(end, zone)))
    return found


def stretches(start, end, zone):
    """The pieces of `start ..< end` with one local date each, in their order: start, end, date."""
    found = []
    date = local_date(start, zone)
    for block in range(start // BLOCK, end // BLOCK + 1):
        for instant, new in date_changes(zone, block):
            if start < instant < end:
                found.append((start, instant, date))
                start, date = instant, new
    return found + [(start, end, date)]


@functools.cache
def transitions(zone, first_year, last_year):
    """The dates on which the clocks of a zone were changed."""
    day = datetime.date(first_year, 1, 1)
    found = []
    while day.year <= last_year:
        if change := offset_change(noon(day) - DAY, noon(day), zone):
            found.append(local_date(change, zone))
        day += datetime.timedelta(days=1)
    return found
