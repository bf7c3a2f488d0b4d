"""Random absences that meet on dates as far as the rules allow, adjustments and entitlements."""

import datetime

from report_model.drawing import chance

from . import facts
from .drawing_schedules import near, within
from .summing import dates

# The most halves of a date that illness takes, and that all other kinds together take.
HALVES = 2


def draw_absences(random, places):
    """About a few dates, so that they meet; in the order in which they are made."""
    found = []
    for _ in range(random.randrange(16)):
        absence = draw_absence(random, places)
        if has_room(absence, found):
            found.append(absence)
    return tuple(found)


def draw_absence(random, places):
    kind = random.choice(list(facts.RANKS))
    start = near(random, random.choice(places), 3)
    end = start + datetime.timedelta(days=random.choice([0, 0, 0, 1, 4, 9, 24]))
    portion = random.choice(["day", "day", "half", "half", "seconds"])
    seconds = random.choice([1, 3_600, 14_400, 86_400, random.randrange(1, 30_000)]) if portion == "seconds" else None
    return facts.Absence(kind, start, end, portion, seconds, draw_state(random, kind))


def draw_state(random, kind):
    """Illness needs no approval."""
    if kind == "sick":
        return random.choice(["approved"] * 6 + ["canceled"])
    return random.choice(["approved"] * 6 + ["requested", "requested", "refused", "canceled"])


def has_room(absence, others):
    """Whether it may be made after these; those that were refused or canceled take no room."""
    rivals = [
        one
        for one in others
        if one.state in ("approved", "requested") and (one.kind == "sick") == (absence.kind == "sick")
    ]
    return all(
        absence.weight + sum(one.weight for one in rivals if one.start <= date <= one.end) <= HALVES
        for date in dates(absence.start, absence.end)
        if absence.weight
    )


def draw_adjustments(random, rows, last):
    """On dates with a row, some of them several."""
    if not rows:
        return ()
    first = rows[0].start
    dates_of_all = [within(random, first, max(first, last)) for _ in range(random.randrange(5))]
    return tuple(
        facts.Adjustment(
            random.choice(dates_of_all),
            random.choice([1, -1, 3_600, -28_800, 36_000_000, -random.randrange(1, 100_000)]),
            random.choice(["opening", "payout", "correction"]),
        )
        for _ in dates_of_all
    )


def draw_entitlements(random, first, last, absences):
    """Of most years. Days carried over expire at the end of March, on a date of vacation, on any, or never."""
    found = []
    vacation = [date for one in absences if one.kind == "vacation" for date in (one.start, one.end)]
    for year in range(first.year, last.year + 1):
        if chance(random, 0.8):
            ends = [datetime.date(year, 3, 31), within(random, first, last), *vacation]
            expires = random.choice([None, *[date for date in ends if date.year == year]])
            days = random.choice([300_000, 255_000, 123_456, 2_500, 0])
            carried = random.choice([0, 50_000, 35_000, 12_345, 5_000, -20_000])
            found.append(facts.Entitlement(year, days, carried, expires))
    return tuple(found)
