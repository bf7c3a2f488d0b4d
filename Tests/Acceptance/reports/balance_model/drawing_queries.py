"""Random questions about years."""

import datetime

from report_model import zones
from report_model.drawing import chance
from report_model.plan import member_id
from report_model.zones import DAY, HOUR, SECOND

from . import facts
from .dating import MARGIN, Dating
from .drawing_schedules import near, within


def is_recent(years, now):
    """Whether all dates through now are few enough to ask for."""
    return zones.noon(years.last) > now - 400 * DAY


def draw_times(random, years, now):
    """The instants to ask about: one of long ago, or now and one before."""
    past = draw_as_of(random, years, now)
    return [now, past] if is_recent(years, now) else [past]


def draw_as_of(random, years, now):
    """An instant in the years before now, mostly just about the one at which a date is over."""
    known = years.known(now)
    person = random.choice(known.people)
    last = min(years.last, zones.utc(now).date() - datetime.timedelta(days=3))
    dates = [years.times.anchor, years.times.anchor + datetime.timedelta(days=1), years.last, years.last]
    date = min(last, random.choice([*dates, within(random, years.first, years.last)]))
    over = Dating(known, now).day_start(person, date) + MARGIN
    return over + random.choice([0, 0, -1, 1, -MARGIN, -SECOND, random.randrange(-24 * HOUR, 24 * HOUR)])


def draw_range(random, years):
    """Dates: months, weeks, the whole of it, or any."""
    anchor = years.times.anchor
    roll = random.random()
    if roll < 0.15:
        return anchor, anchor
    if roll < 0.35:
        first = within(random, years.first, years.last).replace(day=1)
        return first, (first + datetime.timedelta(days=40)).replace(day=1) - datetime.timedelta(days=1)
    if roll < 0.5:
        return anchor.replace(day=1, month=1), anchor.replace(day=31, month=12)
    if roll < 0.6:
        return years.first - datetime.timedelta(days=50), years.last + datetime.timedelta(days=50)
    first = near(random, anchor, 20)
    return first, first + datetime.timedelta(days=random.randrange(60))


def draw_query(random, years, as_of, group_by):
    member = member_id(random.randrange(len(years.people))) if chance(random, 0.25) else None
    has_future = group_by == "user,day" and chance(random, 0.3)
    return facts.Query(*draw_range(random, years), as_of, group_by, member, has_future)


def draw_queries(random, years, as_of, count):
    """The groupings in turn."""
    groupings = random.sample(facts.GROUPINGS, len(facts.GROUPINGS))
    return [draw_query(random, years, as_of, groupings[number % len(groupings)]) for number in range(count)]


def whole(years, as_of):
    """Every date of every member that is over, from the first row on; None without any."""
    starts = [row.start for person in years.people for row in person.rows]
    last = zones.utc(as_of).date() + datetime.timedelta(days=2)
    return facts.Query(min(starts), last, as_of, "user,day") if starts and min(starts) <= last else None
