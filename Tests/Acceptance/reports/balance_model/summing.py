"""The sums of a date, in the order in which the design writes them; every rule is a method of its own."""

import dataclasses
import datetime

from report_model.zones import ONE_DAY

from . import facts
from .dating import Dating


@dataclasses.dataclass(frozen=True)
class Sums:
    """Seconds of a plan; `vacation` is the part of `absence` that uses entitlement."""

    planned: int
    holiday: int
    absence: int
    credited: int
    target: int
    vacation: int


class Summing(Dating):
    def sums(self, person, date, with_requests=False):
        """The sums of a date with a row; also as if all requests that use entitlement were approved."""
        row = self.row(person, date)
        planned = self.planned(row, date)
        holiday = self.holiday(planned, self.percent(row, date))
        left = whole = planned - holiday
        ordered = self.ordered([one for one in person.absences if self.counts(one, date, with_requests)])
        taken = []
        for place, absence in enumerate(ordered):
            halves = self.halves_before(absence, ordered[:place])
            part = self.part(absence, self.share_of(planned, whole), left, halves)
            taken.append((absence.kind, part))
            left -= part
        return Sums(
            planned,
            holiday,
            sum(part for _, part in taken),
            holiday + sum(part for kind, part in taken if self.is_credited(kind)),
            left,
            sum(part for kind, part in taken if self.uses_entitlement(kind)),
        )

    # The plan.

    def first_date(self, row):
        """The date that the first seconds of a plan belong to."""
        return row.start - ONE_DAY * row.start.weekday()

    def planned(self, row, date):
        return row.seconds[(date - self.first_date(row)).days % len(row.seconds)]

    def percent(self, row, date):
        """The hundredths of a plan that are free as a holiday."""
        if row.calendar is None or self.works(row):
            return 0
        return self.known.calendars[row.calendar].get(date, 0)

    def works(self, row):
        return row.works_on_holidays

    def holiday(self, planned, percent):
        return planned * percent // 100

    # Absences.

    def counts(self, absence, date, with_requests):
        is_there = absence.start <= date <= absence.end
        return is_there and self.reduces(absence.kind) and self.is_valid(absence, with_requests)

    def is_valid(self, absence, with_requests):
        is_request = absence.state == "requested" and self.uses_entitlement(absence.kind)
        return absence.state == "approved" or (with_requests and is_request)

    def uses_entitlement(self, kind):
        return kind == "vacation"

    def reduces(self, kind):
        """Whether less is owed; flextime costs the balance."""
        return kind != "flextime"

    def is_credited(self, kind):
        return kind in facts.CREDITED

    def ordered(self, absences):
        """By rank, then in the order in which they were made."""
        return sorted(absences, key=lambda one: self.rank(one.kind))

    def rank(self, kind):
        return facts.RANKS[kind]

    def share_of(self, planned, whole):
        """The seconds that halves are halves of."""
        return whole

    def halves_before(self, absence, before):
        """How many halves of the date are taken already, of whatever kind."""
        return sum(one.portion == "half" for one in before)

    def part(self, absence, whole, left, halves):
        """The seconds that an absence takes, of which this many halves are taken already."""
        if absence.portion == "day":
            return left
        if absence.portion == "seconds":
            return min(absence.seconds, left)
        return min(self.half(whole, halves), left)

    def half(self, whole, halves):
        """The first half is the smaller one."""
        return whole // 2 if halves == 0 else whole - whole // 2

    # Entitlement.

    def used(self, sums):
        """The days used on one date, in ten-thousandths, to the nearest, half of one up."""
        if sums.planned == 0:
            return 0
        return (2 * sums.vacation * facts.DAY_PARTS + sums.planned) // (2 * sums.planned)


def dates(first, last):
    """Every date from the first through the last; none if that is earlier."""
    return [first + datetime.timedelta(days=number) for number in range((last - first).days + 1)]
