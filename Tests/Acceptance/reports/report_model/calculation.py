"""The hours of a report, entry by entry and interval by interval, written from the contract alone.

Every rule is a method of its own, so that `wrong_calculations.py` can make one wrong at a time.
"""

import collections
import dataclasses
import datetime
import functools

from . import facts, zones

ONE_DAY = datetime.timedelta(days=1)


@dataclasses.dataclass(frozen=True)
class Part:
    """What an entry gives to a date: where it begins and ends there, and its milliseconds between."""

    entry: facts.Entry
    date: datetime.date
    start: int
    end: int
    milliseconds: int
    is_running: bool


@dataclasses.dataclass(frozen=True)
class Hours:
    """A part's seconds, and what they are paid as."""

    part: Part
    regular: int
    daily: int
    weekly: int


class Calculation:
    """As the contract says."""

    def __init__(self, known, query):
        self.known = known
        self.query = query
        self.policy = known.policy

    # Cutting.

    def end(self, entry):
        return self.query.as_of if entry.end is None else entry.end

    def stretches(self, entry, end):
        return zones.stretches(entry.start, end, self.query.zone)

    def date_of(self, entry, instant):
        return zones.local_date(instant, self.query.zone)

    def last_date(self, entry, end):
        """An end at midnight belongs to the day that begins."""
        return self.date_of(entry, end)

    def parts(self, entry):
        """Everything that an entry gives, to whichever dates."""
        end = self.end(entry)
        if end <= entry.start:
            return []
        if self.query.attribution == "split":
            return self.split(entry, end)
        date = self.date_of(entry, entry.start) if self.query.attribution == "start" else self.last_date(entry, end)
        return [Part(entry, date, entry.start, end, end - entry.start, entry.end is None)]

    def split(self, entry, end):
        """One part for each date, also for one that comes back."""
        by_date = {}
        for start, stop, date in self.stretches(entry, end):
            by_date.setdefault(date, []).append((start, stop))
        return [self.part_of(entry, date, pieces, end) for date, pieces in by_date.items()]

    @staticmethod
    def part_of(entry, date, pieces, end):
        milliseconds = sum(stop - start for start, stop in pieces)
        return Part(entry, date, pieces[0][0], pieces[-1][1], milliseconds, entry.end is None and pieces[-1][1] == end)

    def seconds(self, milliseconds):
        return milliseconds // 1_000

    # Choosing.

    def is_known(self, entry):
        return self.query.member in (None, entry.member.id)

    def is_wanted(self, entry):
        return self.query.session is None or (entry.session and entry.session.id == self.query.session)

    def is_in_range(self, date):
        return self.query.start_date <= date <= self.query.end_date

    @functools.cached_property
    def hours(self):
        """The parts of the report with what they are paid as, each member's in their order."""
        of_members = collections.defaultdict(list)
        for entry in self.known.entries:
            if self.is_known(entry):
                of_members[entry.member.id] += self.parts(entry)
        return [
            hours
            for parts in of_members.values()
            for hours in self.paid(sorted(parts, key=self.order))
            if self.is_in_range(hours.part.date) and self.is_wanted(hours.part.entry)
        ]

    def order(self, part):
        return part.start

    # Overtime.

    def week_of(self, date):
        """The first date of the week that weekly overtime is counted in."""
        return date - ONE_DAY * ((date.weekday() - facts.WEEKDAYS.index(self.policy.week_start)) % 7)

    def counts(self, date):
        """Whether a date counts towards the thresholds: also the days of the first week before the range do."""
        return date >= self.week_of(self.query.start_date)

    def paid(self, parts):
        """One member's parts in their order, with overtime."""
        of_day, of_week = collections.Counter(), collections.Counter()
        paid = []
        for part in parts:
            if not self.counts(part.date):
                continue
            seconds = self.seconds(part.milliseconds)
            daily = beyond(self.policy.daily_overtime_after, of_day[part.date], seconds)
            of_day[part.date] += seconds
            week = self.week_of(part.date)
            weekly = beyond(self.policy.weekly_overtime_after, of_week[week], seconds - daily)
            of_week[week] += self.towards_week(seconds, daily)
            paid.append(Hours(part, seconds - daily - weekly, daily, weekly))
        return paid

    def towards_week(self, seconds, daily):
        """Daily overtime is not counted a second time."""
        return seconds - daily

    # Rows.

    def values(self, dimension, part):
        """What a row shows of a dimension."""
        entry = part.entry
        if dimension == "user":
            return {"userId": entry.member.id, "userName": entry.member.name}
        if dimension == "session":
            return {
                "sessionId": entry.session and entry.session.id,
                "sessionTitle": entry.session and entry.session.title,
            }
        if dimension == "week":
            return {"week": self.iso_week(part.date)}
        if dimension == "month":
            return {"month": part.date.isoformat()[:7]}
        return {dimension: part.date.isoformat() if dimension == "day" else getattr(entry, dimension)}

    def iso_week(self, date):
        year, week, _ = date.isocalendar()
        return f"{year:04}-W{week:02}"

    def rank(self, dimension, part):
        """Where a row stands."""
        entry = part.entry
        if dimension == "user":
            return entry.member.name, entry.member.id
        if dimension == "session":
            return (0, entry.session.title, entry.session.id) if entry.session else (1,)
        return tuple(self.values(dimension, part).values())

    def rows(self):
        groups = {}
        for hours in self.hours:
            rank = tuple(self.rank(dimension, hours.part) for dimension in self.query.group_by)
            groups.setdefault(rank, []).append(hours)
        return [self.row(groups[rank]) for rank in sorted(groups)]

    def row(self, group):
        row = {}
        for dimension in self.query.group_by:
            row |= self.values(dimension, group[0].part)
        return row | self.sums(group)

    def sums(self, group):
        return seconds_of(group) | {
            "entries": self.entries(group),
            "daysWorked": self.days_worked(group),
            "firstIn": zones.written(min((hours.part.start for hours in group), default=None)),
            "lastOut": zones.written(self.last_out(group)),
        }

    def entries(self, group):
        return len({hours.part.entry.id for hours in group})

    def days_worked(self, group):
        return len({(hours.part.entry.member.id, hours.part.date) for hours in group})

    def last_out(self, group):
        """The latest end; None where that is the running end of an active entry, or there is nothing."""
        last = max((hours.part.end for hours in group), default=None)
        running = any(hours.part.is_running and hours.part.end == last for hours in group)
        return None if running else last

    # Anomalies.

    def anomalies(self):
        seen = {}
        for hours in self.hours:
            seen.setdefault(hours.part.entry, []).append(hours)
        found = []
        for entry in sorted(seen, key=lambda entry: (entry.start, entry.id)):
            if codes := self.codes(entry):
                found.append(
                    {
                        "timeEntryId": entry.id,
                        "userId": entry.member.id,
                        "userName": entry.member.name,
                        "clockInTime": zones.written(entry.start),
                        "clockOutTime": zones.written(entry.end),
                        "seconds": self.seconds(self.end(entry) - entry.start),
                        "codes": codes,
                    }
                )
        return found

    def codes(self, entry):
        too_long = entry.end is None and self.end(entry) - entry.start > self.policy.maximum * 1_000
        return ["open_too_long"] * too_long + list(entry.flags)

    def answer(self):
        """All that `reportHours` answers."""
        query = self.query
        return {
            "startDate": query.start_date.isoformat(),
            "endDate": query.end_date.isoformat(),
            "timeZone": query.zone,
            "attribution": query.attribution,
            "asOf": zones.written(query.as_of),
            "groupBy": list(query.group_by),
            "rows": self.rows(),
            "totals": self.sums(self.hours),
            "anomalies": self.anomalies(),
        }


def beyond(threshold, before, seconds):
    """How many of `seconds` lie beyond a threshold towards which `before` count already."""
    return 0 if threshold is None else max(0, before + seconds - max(threshold, before))


def seconds_of(group):
    """What the hours of a group are paid as, and all of them."""
    regular, daily, weekly = (sum(getattr(hours, kind) for hours in group) for kind in ("regular", "daily", "weekly"))
    return {
        "seconds": regular + daily + weekly,
        "regularSeconds": regular,
        "dailyOvertimeSeconds": daily,
        "weeklyOvertimeSeconds": weekly,
    }
