"""Random years about the dates on which balances go wrong."""

import dataclasses
import datetime

from report_model import drawing, drawing_segments, plan, zones
from report_model.drawing import Days, chance
from report_model.plan import PlannedEntry
from report_model.zones import DAY, HOUR, MINUTE, SECOND

from . import offsets
from .drawing_absences import draw_absences, draw_adjustments, draw_entitlements
from .drawing_schedules import clock_changes, draw_calendars, draw_rows, draw_starts, within
from .plan import PlannedPerson, Years

# Clocks with odd seconds are no matter of today's balances.
EARLIEST_YEAR = 1980


class MembersDays(Days):
    """A member's entries about a date, often to the edge of a date of that member's."""

    def __init__(self, random, zone, rows, center, grain, break_minimum):
        super().__init__(random, zone, center, grain, break_minimum)
        for number in range(-3, 4):
            date = center + datetime.timedelta(days=number)
            if row := next((row for row in reversed(rows) if row.start <= date), None):
                self.edges.append(offsets.first_showing(row.zone or zone, date, row.workday_start))


def draw_anchor(random, now):
    while True:
        zone, anchor = drawing.draw_anchor(random, now)
        if anchor.year >= EARLIEST_YEAR:
            return "UTC" if chance(random, 0.12) else zone, anchor


def draw_span(random, anchor, is_small):
    """The first and last date that anything is about."""
    before, after = (8, 4) if is_small else (random.randrange(20, 320), random.randrange(10, 160))
    return anchor - datetime.timedelta(days=before), anchor + datetime.timedelta(days=after)


def draw_years(random, now, members, is_small=False):
    """An organization with this many members."""
    zone, anchor = draw_anchor(random, now)
    first, last = draw_span(random, anchor, is_small)
    calendars = draw_calendars(random, first, last, anchor)
    policy = drawing.draw_dated(random, drawing.draw_policy(random), anchor)
    grain = 1 if anchor in drawing.REMARKABLE.get(zone, []) else random.choice([15 * MINUTE, SECOND, 1])
    people, entries = [], []
    for member in range(members):
        rows = draw_rows(random, zone, draw_starts(random, first, last, anchor), calendars)
        people.append(draw_person(random, rows, first, last, anchor))
        centers = [anchor] if is_small else draw_centers(random, zone, rows, first, last, anchor, now)
        spans = draw_spans(random, zone, rows, centers, grain, policy.break_minimum, is_small)
        entries += draw_entries(random, member, spans, now)
    times = plan.Plan(
        zone,
        anchor,
        tuple(random.choice(drawing.NAMES) for _ in range(members)),
        tuple(random.choice(drawing.ZONES + drawing.DISTANT) if chance(random, 0.3) else None for _ in range(members)),
        (),
        tuple(entries),
        policy,
    )
    if chance(random, 0.5):
        times = drawing_segments.with_segments(random, times, now)
    return Years(times, calendars, tuple(people), first, last)


def draw_person(random, rows, first, last, anchor):
    absences = draw_absences(random, [anchor, *(row.start for row in rows), within(random, first, last)])
    adjustments = draw_adjustments(random, rows, last)
    return PlannedPerson(rows, absences, adjustments, draw_entitlements(random, first, last, absences))


def draw_centers(random, zone, rows, first, last, anchor, now):
    """The dates about which a member works: the anchor, changes of rows and of clocks, and any."""
    changes = [date for row in rows for date in clock_changes(row.zone or zone, first, last)]
    found = [anchor, within(random, first, last), *random.sample([row.start for row in rows], min(2, len(rows)))]
    if changes:
        found.append(random.choice(changes))
    return sorted({date for date in found if zones.noon(date) < now - 13 * DAY})


def draw_spans(random, zone, rows, centers, grain, break_minimum, is_small):
    """Starts and ends of a member's entries, one after the other."""
    reached, found = 0, []
    for center in centers:
        days = MembersDays(random, zone, rows, center, grain, break_minimum)
        begin = zones.noon(center) - random.randrange(HOUR, (1 if is_small else 4) * DAY)
        end = zones.noon(center) + random.randrange(HOUR, (1 if is_small else 3) * DAY)
        for start, stop in days.draw(begin // grain * grain, end):
            if start >= reached and not (is_small and stop - start > 2 * DAY):
                found.append((start, stop))
                reached = stop
    return found


def draw_entries(random, member, spans, now):
    """The entries of a member; the last ones may be clocked, and the very last one be active."""
    found = [PlannedEntry(member, *span, None) for span in spans]
    if found and is_recent(found[-3:], now) and chance(random, 0.6):
        found[-3:] = [drawing.clocked(random, one) for one in found[-3:]]
        if chance(random, 0.6):
            found[-1] = dataclasses.replace(found[-1], end=None)
    return found


def is_recent(entries, now):
    return all(now - drawing.LOOK_BACK + 12 * DAY < one.start for one in entries)
