"""Random calendars, and schedules whose plan, calendar, zone and start of the day change on some dates."""

import datetime

from report_model import zones
from report_model.drawing import DISTANT, ZONES, chance

from . import facts
from .dating import turns_back

PERCENTS = [100, 100, 50, 50, 33, 1, 99, 67]
# Of a day; the odd ones show which way something is rounded.
SECONDS = [0, 0, 14_400, 28_800, 28_800, 27_721, 1, 86_400, 36_001]
# In minutes: 02:30 is skipped on the night on which clocks go forward.
WORKDAY_STARTS = [0, 0, 0, 1, 150, 300, 360, 1_320, 1_439]
FULL_TIME = (28_800,) * 5 + (0, 0)


def near(random, date, days):
    return date + datetime.timedelta(days=random.randrange(-days, days + 1))


def within(random, first, last):
    return first + datetime.timedelta(days=random.randrange((last - first).days + 1))


def draw_calendars(random, first, last, anchor):
    """Some holidays each, a few about the anchor."""
    found = []
    for _ in range(random.randrange(1, 4)):
        dates = [near(random, anchor, 4) for _ in range(random.randrange(4))]
        dates += [within(random, first, last) for _ in range(random.randrange(3, 25))]
        found.append({date: random.choice(PERCENTS) for date in sorted(set(dates))})
    return tuple(found)


def draw_rows(random, zone, starts, calendars):
    """One row from each date on, of which none turns the dates back; no row at all for a few."""
    if chance(random, 0.06):
        return ()
    while turns_back(zone, rows := [draw_row(random, start, zone, calendars) for start in starts]):
        pass
    return tuple(rows)


def draw_starts(random, first, last, anchor):
    """The first dates of rows: at the anchor, on the first of a month, or in the middle of one."""
    begin = first + datetime.timedelta(days=random.randrange((last - first).days // 3))
    others = [near(random, anchor, 2), anchor.replace(day=1), within(random, begin, last), within(random, begin, last)]
    chosen = random.sample(others, random.choice([0, 1, 1, 2, 3]))
    return sorted({begin, *(date for date in chosen if date > begin)})


def draw_row(random, start, zone, calendars):
    stated = draw_statement(random) if chance(random, 0.25) else None
    return facts.Row(
        start,
        facts.spread(*stated) if stated else draw_seconds(random),
        random.choice([None, *range(len(calendars)), *range(len(calendars))]),
        chance(random, 0.25),
        random.choice([*ZONES, *DISTANT, "UTC"]) if chance(random, 0.4) else None,
        random.choice(WORKDAY_STARTS),
        stated,
    )


def draw_seconds(random):
    """The plan of one week or of several, which differ."""
    if chance(random, 0.2):
        return FULL_TIME
    weeks = random.choice([1, 1, 1, 2, 2, 3, 8])
    return tuple(random.choice(SECONDS) for _ in range(7 * weeks))


def draw_statement(random):
    days = sorted(random.sample(range(7), random.randrange(1, 8)))
    weekly = random.choice([138_600, 100_001, 86_399, random.randrange(1, 86_400)])
    return min(weekly, 86_400 * len(days)), tuple(days)


def clock_changes(zone, first, last):
    """The dates of a span on which the clocks of a zone were changed."""
    return [date for date in zones.transitions(zone, first.year, last.year) if first <= date <= last]
