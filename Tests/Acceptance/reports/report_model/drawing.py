"""Random plans about the days on which reports go wrong elsewhere."""

import dataclasses
import datetime
import itertools

from . import facts, zones
from .plan import Plan, PlannedEntry
from .zones import DAY, HOUR, MINUTE, SECOND

ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Africa/Casablanca",
]
# Until November 2011 the clocks of St. John's went back at 00:01; Morocco has gone back for Ramadan since 2012;
# Kathmandu's were changed for the last time at the start of 1986.
YEARS = {"America/St_Johns": (2005, 2011), "Africa/Casablanca": (2012, 2026), "Asia/Kathmandu": (1985, 1986)}
# Until 1920 clocks showed local mean time in Kathmandu, until 1935 in St. John's: offsets from UTC with odd seconds.
LEAP_DAYS = [datetime.date(year, 2, 29) for year in (1912, 1928, 2000, 2008, 2012, 2016, 2020, 2024)]
# In the middle of the 53rd ISO weeks.
WEEKS_53 = [datetime.date(year, 12, 31) for year in (2009, 2015, 2020, 2026)]
# A date that is missing, and Saturdays that come back for most of an hour after a minute of Sunday.
REMARKABLE = {
    "Pacific/Apia": [datetime.date(2011, 12, 30)],
    "America/St_Johns": [
        datetime.date(*date)
        for date in ((2005, 10, 29), (2006, 10, 28), (2007, 11, 3), (2008, 11, 1), (2009, 10, 31), (2010, 11, 6))
    ],
}
NEW_YEARS = [datetime.date(year, 1, 1) for year in range(2006, 2027)]
# Names that differ in case, in script, or not at all, and one that CSV has to quote.
NAMES = ["Ana", "Bo", "bo", "Émile", "Zoë", "Ana", "李", 'O"Hara, Zoë']
TITLES = ["Harbour", "Airport", "Harbour", "=night()"]
# As far apart as zones can be: 26 hours.
DISTANT = ["Pacific/Kiritimati", "Etc/GMT+12"]
# The most distance of clocked times from now, by the policy with the longest look-back.
LOOK_BACK = 350 * DAY


def chance(random, probability):
    return random.random() < probability


def draw_anchor(random, now):
    """A zone, and a date in it about which everything happens and is over by now."""
    # One of them twice as often: a date that comes back is the rarest case to be seen.
    zone = random.choice(ZONES + ["America/St_Johns"])
    roll = random.random()
    last = zones.utc(now - 13 * DAY).date()
    if roll < 0.35:
        # Recent enough for clock-ins.
        recent = [
            date
            for date in zones.transitions(zone, last.year - 1, last.year)
            if now - LOOK_BACK + 12 * DAY < zones.noon(date) and date <= last
        ]
        dates = recent or [last - datetime.timedelta(days=random.randrange(60))]
    elif roll < 0.7:
        dates = zones.transitions(zone, *YEARS.get(zone, (2005, last.year)))
    else:
        dates = random.choice([LEAP_DAYS, WEEKS_53, NEW_YEARS])
    if zone in REMARKABLE and chance(random, 0.5):
        dates = REMARKABLE[zone]
    return zone, random.choice([date for date in dates if date <= last])


def draw_policy(random):
    """Often low enough to matter in a few days."""
    return facts.Policy(
        random.choice([None, 8 * 3_600, 8 * 3_600, 4 * 3_600 + 1, 36_000, 3_600, 0]),
        random.choice([None, 40 * 3_600, 20 * 3_600, 12 * 3_600 + 7, 3 * 3_600]),
        random.choice(["monday", "monday", "sunday", "saturday", "wednesday"]),
        random.choice([57_600, 28_800]),
        draw_break_rules(random),
        random.choice([900, 900, 1, 600, 1_800]),
    )


def draw_dated(random, policy, anchor):
    """The policy, seldom with other rules from dates on that are near, each from a date on which its weeks begin."""
    days = sorted(random.sample(range(-7, 8), random.choice([0, 0, 0, 1, 1, 2])))
    dates = [anchor + datetime.timedelta(days=number) for number in days]
    rules = [dataclasses.replace(draw_policy(random), week_start=facts.WEEKDAYS[date.weekday()]) for date in dates]
    return dataclasses.replace(policy, dated=tuple(zip(dates, rules, strict=True)))


def draw_break_rules(random):
    """None, those of a law, or odd ones; the second one does not have to ask for more."""
    count = random.choice([0, 0, 1, 1, 2, 2, 5])
    if count == 2 and chance(random, 0.4):
        return facts.BreakRule(6 * 3_600, 1_800), facts.BreakRule(9 * 3_600, 2_700)
    after = sorted(random.sample([0, 1, 900, 3_600, 2 * 3_600 + 1, 4 * 3_600, 6 * 3_600, 9 * 3_600, 12 * 3_600], count))
    return tuple(facts.BreakRule(one, random.choice([1, 600, 900, 1_800, 2_700, 3_601, 4 * 3_600])) for one in after)


class Days:
    """A member's entries, one after the other."""

    def __init__(self, random, zone, anchor, grain, break_minimum=facts.Policy.break_minimum):
        self.random = random
        self.grain = grain
        self.break_minimum = break_minimum
        start, end = zones.noon(anchor) - 12 * DAY, zones.noon(anchor) + 8 * DAY
        stretches = zones.stretches(start, end, zone)
        # Dates that come back.
        self.backwards = [after[0] for before, after in itertools.pairwise(stretches) if after[2] < before[2]]
        # The edges that an entry has to be cut at in the right place.
        self.edges = [instant for _, instant, _ in stretches[:-1]] + [
            change for day in range(start, end, DAY) if (change := zones.offset_change(day, day + DAY, zone))
        ]

    def snapped(self, instant):
        """The instant, or one exactly at or next to a midnight or a change of the clocks that is near."""
        near = [edge for edge in self.edges if abs(edge - instant) < 3 * HOUR]
        if near and chance(self.random, 0.35):
            return self.random.choice(near) + self.random.choice([0, 0, 0, 1, -1, SECOND, -SECOND, 300, -700])
        return instant // self.grain * self.grain

    def draw_return(self, stop):
        """When somebody who is out comes in again: at once, after lunch or a short break, or on another day."""
        roll = self.random.random()
        if roll < 0.15:
            return stop
        if roll < 0.4:
            # As long as a break may have to be, or apart as two shifts are.
            edges = [self.break_minimum * SECOND, self.break_minimum * SECOND // 2, 30 * MINUTE, 8 * HOUR]
            return stop + max(1, self.random.choice(edges) + self.random.choice([0, 0, 0, -1, 1, -SECOND, SECOND]))
        gap = self.random.choice([MINUTE, HOUR, 5 * HOUR, 7 * HOUR, 11 * HOUR, 14 * HOUR, 30 * HOUR])
        return max(stop, self.snapped(stop + gap + self.random.randrange(HOUR)))

    def draw(self, start, end):
        """Starts and ends from `start` on, at most as long as the policy's highest maximum."""
        if self.backwards and chance(self.random, 0.4):
            # Both stretches of the date, with milliseconds of each.
            return [
                (
                    self.backwards[0] - MINUTE - self.random.randrange(3 * HOUR),
                    self.backwards[0] + self.random.randrange(59 * MINUTE),
                )
            ]
        found = []
        while start < end:
            length = self.random.choice(
                [HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR, 9 * HOUR, 13 * HOUR]
            ) + self.random.randrange(HOUR)
            roll = self.random.random()
            if roll < 0.04:
                length = self.random.choice([1, 999, 1_000, 1_001, 59_999])
            elif roll < 0.08:
                length = self.random.choice([DAY - 1, DAY, DAY + 1, self.random.randrange(DAY, 7 * DAY)])
            stop = min(self.snapped(start + length), start + 7 * DAY)
            if stop <= start:
                stop = start + length
            found.append((start, stop))
            start = self.draw_return(stop)
        return found


def draw_plan(random, now):
    zone, anchor = draw_anchor(random, now)
    names = random.sample(NAMES, random.randrange(2, 5))
    titles = random.sample(TITLES, random.randrange(0, 4))
    policy = draw_dated(random, draw_policy(random), anchor)
    grain = 1 if anchor in REMARKABLE.get(zone, []) else random.choice([15 * MINUTE, SECOND, 1])
    days = Days(random, zone, anchor, grain, policy.break_minimum)
    entries = []
    for member in range(len(names)):
        start = zones.noon(anchor) - random.randrange(2 * DAY, 9 * DAY)
        times = days.draw(start // days.grain * days.grain, zones.noon(anchor) + random.randrange(1, 5) * DAY)
        sessions = [None, *range(len(titles))]
        of_member = [PlannedEntry(member, *time, random.choice(sessions)) for time in times]
        if zones.noon(anchor) > now - LOOK_BACK + 12 * DAY and chance(random, 0.7):
            # The last ones are clocked: too short, too long, or still open.
            of_member[-3:] = [clocked(random, one) for one in of_member[-3:]]
            if chance(random, 0.7):
                of_member[-1] = dataclasses.replace(of_member[-1], end=None)
        entries += of_member
    deactivated = frozenset(member for member in range(1, len(names)) if chance(random, 0.2))
    anonymous = frozenset(member for member in deactivated if chance(random, 0.3))
    deletable = [place for place, one in enumerate(entries) if one.end is not None and not one.is_clocked]
    own_zones = tuple(random.choice(ZONES + DISTANT) if chance(random, 0.3) else None for _ in names)
    return Plan(
        zone,
        anchor,
        tuple(names),
        own_zones,
        tuple(titles),
        tuple(entries),
        policy,
        deactivated,
        anonymous,
        random.choice(deletable) if deletable and chance(random, 0.5) else None,
    )


def clocked(random, one):
    """The same in and out, not entered by hand, and sometimes out at once."""
    end = min(one.end, one.start + random.randrange(1, MINUTE)) if chance(random, 0.3) else one.end
    return dataclasses.replace(one, is_clocked=True, end=end)


def draw_small_plan(random, now):
    """Few and short enough to go through second by second, all about one change of the clocks or of the date."""
    zone, anchor = draw_anchor(random, now)
    names = random.sample(NAMES, 2)
    days = Days(random, zone, anchor, random.choice([SECOND, 1]))
    near = [edge for edge in days.edges if abs(edge - zones.noon(anchor)) < 36 * HOUR]
    entries = []
    for member in range(len(names)):
        start = random.choice(near) - random.randrange(9 * HOUR)
        for _ in range(random.randrange(1, 4)):
            stop = max(start + 1, days.snapped(start + random.randrange(10 * HOUR)))
            entries.append(PlannedEntry(member, start, stop, random.choice([None, 0]), chance(random, 0.2)))
            start = stop + random.choice([0, MINUTE, 15 * MINUTE, 5 * HOUR, 8 * HOUR])
        if chance(random, 0.4):
            entries[-1] = dataclasses.replace(entries[-1], end=None)
    policy = facts.Policy(
        random.choice([None, 3_600, 20_000]),
        random.choice([None, 10_000, 40_000]),
        random.choice(facts.WEEKDAYS),
        break_rules=draw_break_rules(random),
        break_minimum=random.choice([900, 1, 1_800]),
    )
    policy = draw_dated(random, policy, anchor)
    return Plan(zone, anchor, tuple(names), (None, None), ("Harbour",), tuple(entries), policy)
