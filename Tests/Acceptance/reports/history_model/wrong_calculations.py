"""The calculation with one rule wrong each.

A comparison that cannot distinguish each of them from the right one proves nothing.
"""

import collections
import dataclasses
import datetime

from report_model import zones
from report_model.sections import Section
from report_model.zones import ONE_DAY

from .calculation import Calculation


class UTC(Calculation):
    """The dates of UTC."""

    def stretches(self, start, end):
        return zones.stretches(start, end, "UTC")

    def date_of(self, instant):
        return zones.local_date(instant, "UTC")


class DaysOf24Hours(Calculation):
    """The first midnight from the calendar, and every later one 24 h after it."""

    def stretches(self, start, end):
        found = super().stretches(start, end)
        if len(found) == 1:
            return found
        begin, date = found[0][1], found[0][2]
        found = found[:1]
        while begin < end:
            date += ONE_DAY
            found.append((begin, min(end, begin + zones.DAY), date))
            begin += zones.DAY
        return found


class OrganizationsZone(Calculation):
    """The organization's zone for a member who has another."""

    def zone_of_dates(self):
        return self.query.zone or self.known.zone


class EachSegmentCut(Calculation):
    """Each section is cut by itself, so that seconds are lost."""

    def seconds(self, before, after):
        return (after - before) // 1_000


class EachSegmentRounded(Calculation):
    """Each section is rounded by itself, so that seconds are invented."""

    def seconds(self, before, after):
        return (after - before + 500) // 1_000


class BoundariesRounded(Calculation):
    """Boundaries are rounded, not cut."""

    def seconds(self, before, after):
        return (after + 500) // 1_000 - (before + 500) // 1_000


class FloorsOfTheWholeEntry(Calculation):
    """The floors run on over midnight."""

    def counter(self, section, date):
        return None


class FloorsOfTheClock(Calculation):
    """Boundaries are cut on the clock, not from the beginning."""

    def shares_of(self, sections):
        found = []
        for section in sections:
            for share, (start, stop, _) in zip(super().shares_of([section]), self.pieces(section)):
                seconds = stop // 1_000 - start // 1_000
                found.append(dataclasses.replace(share, seconds=seconds))
        return found


class NothingForNothing(Calculation):
    """Time without a project is in no row."""

    def is_in_rows(self, share):
        return super().is_in_rows(share) and share.section.segment is not None


class BreaksInRows(Calculation):
    """Breaks are time without a project."""

    def is_in_rows(self, share):
        return True


class PaidBreaksInRows(Calculation):
    """Paid breaks are time without a project."""

    def is_in_rows(self, share):
        return not self.is_unpaid(share)


class AllBreaksUnpaid(Calculation):
    """Paid breaks are not paid."""

    def is_unpaid(self, share):
        return self.is_break(share)


class NothingDeducted(Calculation):
    """Breaks that are missing are paid."""

    def deducted(self):
        return 0


class DeductedFromEverybody(Calculation):
    """Others' missing breaks are deducted too."""

    def report_query(self):
        return dataclasses.replace(super().report_query(), member=None)


class DeductedBySplit(Calculation):
    """Deductions are of the dates on which they were worked."""

    def report_query(self):
        return dataclasses.replace(super().report_query(), attribution="split")


class ShareOfAllTime(Calculation):
    """Shares are of the time with its breaks, rounded."""

    def ten_thousandths(self, sums, total):
        worked = sum(share.seconds for share in self.shares() if self.is_in_period(share.entry_date)) or total
        return {one: (seconds * 20_000 + worked) // (2 * worked) for one, seconds in sums.items()}


class RoundedShares(Calculation):
    """Each share is rounded, so that they are not one together."""

    def ten_thousandths(self, sums, total):
        return {one: (seconds * 20_000 + total) // (2 * total) for one, seconds in sums.items()}


class RestToTheLargestRow(Calculation):
    """The remainder of rounding goes to the row with the most seconds."""

    def ten_thousandths(self, sums, total):
        shares = {one: seconds * 10_000 // total for one, seconds in sums.items()}
        shares[min(sums, key=lambda one: (-sums[one], self.tie(one)))] += 10_000 - sum(shares.values())
        return shares


class TiesBackwards(Calculation):
    """Of rows with equal rests the last ones get the remainder."""

    def ten_thousandths(self, sums, total):
        rests = {one: seconds * 10_000 % total for one, seconds in sums.items()}
        shares = {one: seconds * 10_000 // total for one, seconds in sums.items()}
        last_first = sorted(sums, key=self.tie, reverse=True)
        for one in sorted(last_first, key=lambda one: -rests[one])[: 10_000 - sum(shares.values())]:
            shares[one] += 1
        return shares


class RowsByName(Calculation):
    """Rows stand by their names."""

    def order(self, row):
        return self.tie(row[0])


class NullFirst(Calculation):
    """Time without a project is the first row."""

    def order(self, row):
        return (0,) if row[0] is None else (1, *super().order(row)[1:])


class OneRowForAName(Calculation):
    """Projects of one name are one."""

    def project(self, share):
        found = super().project(share)
        return found and min(
            (one.project for one in self.known.segments if one.project and one.project.name == found.name),
            key=lambda one: one.id,
        )


class OutsideInRows(Calculation):
    """Work without an entry is work."""

    def shares(self):
        yield from super().shares()
        for one in self.known.segments:
            if one.entry is None and self.is_known(one.member):
                yield from self.shares_of([Section(one.start, self.end(one), one)])


class OutsideOnlyFromStart(Calculation):
    """Work without an entry that began before the period is not in it."""

    def cut_outside(self, shares):
        return super().cut_outside(shares) if self.is_in_period(self.date_of(shares[0].section.start)) else 0


class NothingOpen(Calculation):
    """Open time counts for nothing."""

    def segments_of(self, entry):
        return [one for one in super().segments_of(entry) if one.end is not None]


class ToNow(Calculation):
    """Ended time is cut at `asOf`, too."""

    def end(self, one):
        return min(super().end(one), self.query.as_of)


class LostBeforePeriod(Calculation):
    """A segment that began before the period is not in it."""

    def project(self, share):
        segment = share.section.segment
        return super().project(share) if segment and self.is_in_period(self.date_of(segment.start)) else None


class WeeksFromMonday(Calculation):
    """Every week begins on Monday."""

    def week_start(self, date):
        return 0


class MonthOf30Days(Calculation):
    """A month is the thirty days from the date on."""

    def dates(self):
        if self.query.period != "month":
            return super().dates()
        return self.query.date, self.query.date + datetime.timedelta(days=29)


class NeverWhole(Calculation):
    """Everything is cut at midnight, under either attribution."""

    def __init__(self, known, query):
        super().__init__(known, dataclasses.replace(query, attribution="split"))

    def answer(self):
        return super().answer() | {"attribution": "start"}


class SegmentsWithTheirEntry(Calculation):
    """A segment counts for the date on which its entry began."""

    def row_date(self, share):
        return share.entry_date


class BreaksByTheirStart(Calculation):
    """A break counts for the date on which it began itself."""

    def break_date(self, share):
        return share.date


class NothingByItsStart(Calculation):
    """Time between segments counts for the date on which it began itself."""

    def row_date(self, share):
        return share.date


class EmptyRows(Calculation):
    """A row of no seconds is shown."""

    def is_shown(self, seconds):
        return True


class LastMember(Calculation):
    """The time of everyone is that of one member."""

    def is_known(self, member):
        return super().is_known(member) and member == self.known.entries[-1].member.id


class TaskForProject(Calculation):
    """A task of no project has the rows of one that has."""

    def task(self, share):
        found = super().task(share)
        return found if found and self.project(share) else None


ALL = Calculation.__subclasses__()
assert len(collections.Counter(kind.__doc__ for kind in ALL)) == len(ALL)
