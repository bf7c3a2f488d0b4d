"""The calculation with one rule wrong each, in the ways in which reports are wrong elsewhere.

A comparison that cannot distinguish each of them from the right one proves nothing.
"""

import dataclasses
import datetime

from . import facts, zones
from .calculation import Calculation
from .cutting import Part
from .zones import ONE_DAY


def of_module(name):
    """The mistakes of a module."""
    return [kind for kind in Calculation.__subclasses__() if kind.__module__ == name]


class TodaysOffset(Calculation):
    """The offset of today for every instant."""

    def stretches(self, entry, end):
        shift = zones.offset(self.query.as_of, self.query.zone) // datetime.timedelta(milliseconds=1)
        return [
            (start - shift, stop - shift, date)
            for start, stop, date in zones.stretches(entry.start + shift, end + shift, "UTC")
        ]


class EntrysZone(Calculation):
    """Dates of the zone that an entry was made in, not of the report's."""

    def stretches(self, entry, end):
        return zones.stretches(entry.start, end, entry.zone)

    def date_of(self, entry, instant):
        return zones.local_date(instant, entry.zone)


class DaysOf24Hours(Calculation):
    """The first midnight from the calendar, and every later one 24 h after it."""

    def stretches(self, entry, end):
        found = super().stretches(entry, end)
        if len(found) == 1:
            return found
        start, date = found[0][1], found[0][2]
        found = found[:1]
        while start < end:
            date += ONE_DAY
            found.append((start, min(end, start + zones.DAY), date))
            start += zones.DAY
        return found


class NoDateComesBack(Calculation):
    """Time after a new date has begun belongs to that, even if the clocks go back over midnight."""

    def stretches(self, entry, end):
        found, latest = [], datetime.date.min
        for start, stop, date in super().stretches(entry, end):
            latest = max(latest, date)
            found.append((start, stop, latest))
        return found


class DateOfStart(Calculation):
    """Everything on the date that it began on."""

    def split(self, entry, end):
        return [Part(entry, self.date_of(entry, entry.start), ((entry.start, end),))]


class LostBeforeRange(Calculation):
    """An entry that began before the range is not in it."""

    def parts(self, entry):
        parts = super().parts(entry)
        return parts if parts and self.is_in_range(self.date_of(entry, entry.start)) else []


class ClippedStart(Calculation):
    """An entry on the date of its start or end gives only the time on that date."""

    def parts(self, entry):
        found = super().parts(entry)
        if self.query.attribution == "split":
            return found
        return [one for one in self.split(entry, self.end(entry)) if found and one.date == found[0].date]


class MidnightOfYesterday(Calculation):
    """An end at midnight belongs to the day that ends."""

    def last_date(self, entry, end):
        return self.date_of(entry, end - 1)


class Rounded(Calculation):
    """Seconds are rounded, not cut."""

    def seconds(self, before, after):
        return (after + 500) // 1_000 - (before + 500) // 1_000


class CutTwice(Calculation):
    """Both stretches of a date that comes back are cut to seconds."""

    def slices(self, part):
        pieces = [dataclasses.replace(part, pieces=(piece,)) for piece in part.pieces]
        return [dataclasses.replace(one, part=part) for piece in pieces for one in super(CutTwice, self).slices(piece)]


class ToNow(Calculation):
    """A closed entry is cut at `asOf`, too."""

    def end(self, one):
        return min(super().end(one), self.query.as_of)


class NoActive(Calculation):
    """Active entries count for nothing."""

    def parts(self, entry):
        return super().parts(entry) if entry.end is not None else []


class NoDeactivated(Calculation):
    """The hours of somebody who has gone are gone."""

    def is_known(self, entry):
        return super().is_known(entry) and entry.member.is_active


class OvertimeFromRange(Calculation):
    """The days of the first week before the range do not count towards the week."""

    def counts(self, date):
        return date >= self.query.start_date


class OvertimeOfRangesWeeks(Calculation):
    """Weeks are counted from the first date of the range."""

    def week_of(self, date):
        return self.query.start_date + ONE_DAY * ((date - self.query.start_date).days // 7 * 7)


class OvertimeFromMonday(Calculation):
    """Every week begins on Monday."""

    def week_of(self, date):
        return date - ONE_DAY * date.weekday()


class OvertimeOfPolicy(Calculation):
    """Overtime is by the policy on all dates."""

    def __init__(self, known, query):
        super().__init__(known, query)
        first = self.policy.on(query.start_date)
        rules = [
            (date, dataclasses.replace(one, daily_overtime_after=first.daily_overtime_after))
            for date, one in self.policy.dated
        ]
        self.policy = dataclasses.replace(self.policy, dated=tuple(rules))


class OvertimeOfWholeWeeks(Calculation):
    """A new beginning of weeks does not cut the week before it short: its dates count towards it."""

    def week_of(self, date):
        rules = [one for first, one in self.policy.dated if first <= date + 6 * ONE_DAY] or [self.policy]
        return date - ONE_DAY * ((date.weekday() - facts.WEEKDAYS.index(rules[-1].week_start)) % 7)


class OvertimeOfSession(Calculation):
    """Only the session that is asked for counts towards overtime."""

    def is_known(self, entry):
        return super().is_known(entry) and self.is_of_session(entry)


class OvertimeOfDayTwice(Calculation):
    """Daily overtime counts towards the week as well."""

    def towards_week(self, seconds, daily):
        return seconds


class OvertimeBackwards(Calculation):
    """The last hours of a day are regular, and the first are overtime."""

    def order(self, part):
        return -part.start


class OvertimeByEntry(Calculation):
    """Each entry has a day of its own."""

    def day(self, part):
        return part.date, part.entry.id


class CalendarWeek(Calculation):
    """A week is of the year that the date lies in."""

    def iso_week(self, date):
        return f"{date.year:04}-W{date.isocalendar().week:02}"


class EntriesByPart(Calculation):
    """An entry counts once for each date that it is on."""

    def entries(self, group):
        return len({(hours.part.entry.id, hours.part.date) for hours in group})


class DatesWorked(Calculation):
    """Two people on a date have worked one day."""

    def days_worked(self, group):
        return len({hours.part.date for hours in group})


class NeverRunning(Calculation):
    """The end of an active entry is shown as if somebody had clocked out."""

    def last_out(self, group):
        return max((hours.slice.end for hours in group), default=None)


class AlwaysRunning(Calculation):
    """A midnight within an active entry is shown as no end."""

    def last_out(self, group):
        last = max(group, key=lambda hours: hours.slice.end, default=None)
        return None if last is None or last.part.entry.end is None else last.slice.end


class ById(Calculation):
    """People stand in the order in which they were made."""

    def rank(self, dimension, one):
        return (one.part.entry.member.id,) if dimension == "user" else super().rank(dimension, one)


class NoSessionFirst(Calculation):
    """Time for no session stands on top."""

    def rank(self, dimension, one):
        rank = super().rank(dimension, one)
        return (-rank[0], *rank[1:]) if dimension == "session" else rank


class NeverTooLong(Calculation):
    """An entry open for too long is no anomaly."""

    def codes(self, entry, shown):
        return [code for code in super().codes(entry, shown) if code != "open_too_long"]


class CountsOfListed(Calculation):
    """Only the anomalies that are listed are counted."""

    def listed(self, anomalies):
        listed = super().listed(anomalies)["anomalies"]
        return {"anomalyCounts": self.count_codes(listed), "anomalies": listed}


class EveryCodeAskedFor(Calculation):
    """An anomaly is listed if it has all the codes that are asked for."""

    def is_listed(self, codes):
        return {*(self.query.codes or [])} <= {*codes}


class CodesAskedFor(Calculation):
    """An anomaly is listed with the codes that are asked for alone."""

    def listed(self, anomalies):
        found = super().listed(anomalies)
        wanted = self.query.codes or facts.CODES
        shown = [one | {"codes": [code for code in one["codes"] if code in wanted]} for one in found["anomalies"]]
        return found | {"anomalies": shown}


ALL = of_module(__name__)
