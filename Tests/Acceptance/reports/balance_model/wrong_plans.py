"""The calculation with one rule about plans, holidays or absences wrong each."""

import dataclasses

from .calculation import Balances


class WeekFromRow(Balances):
    """A plan begins with the first date of its row, and not with that week's Monday."""

    def first_date(self, row):
        return row.start


class OneWeek(Balances):
    """The first week of a plan is repeated, whatever further weeks it has."""

    def planned(self, row, date):
        return row.seconds[date.weekday()]


class WeeksOfTheCalendar(Balances):
    """Weeks of a plan take turns by the calendar's number of the week."""

    def planned(self, row, date):
        weeks = len(row.seconds) // 7
        return row.seconds[date.isocalendar().week % weeks * 7 + date.weekday()]


class RowFromTheNextDate(Balances):
    """A row is in force from the date after its first one."""

    def row(self, person, date):
        earlier = [row for row in person.rows if row.start < date]
        return earlier[-1] if earlier else super().row(person, date)


class FirstCalendar(Balances):
    """The holidays of the first calendar, whatever the row's is."""

    def percent(self, row, date):
        return 0 if row.calendar is None or self.works(row) else self.known.calendars[0].get(date, 0)


class HolidaysForAll(Balances):
    """Holidays count as well for those who work on them."""

    def works(self, row):
        return False


class WholeHolidays(Balances):
    """A holiday is a whole one, whatever its percent."""

    def holiday(self, planned, percent):
        return planned if percent else 0


class HolidaysRoundedUp(Balances):
    """The part of a second goes to the holiday."""

    def holiday(self, planned, percent):
        return -(-planned * percent // 100)


class HolidaysToTheNearest(Balances):
    """The holiday has the nearest second."""

    def holiday(self, planned, percent):
        return (2 * planned * percent + 100) // 200


class PercentOfTheTarget(Balances):
    """Absences come first, and a holiday has its percent of what they leave."""

    def sums(self, person, date, with_requests=False):
        row = self.row(person, date)
        person = dataclasses.replace(person, rows=(dataclasses.replace(row, calendar=None),))
        found = super().sums(person, date, with_requests)
        holiday = self.holiday(found.target, self.percent(row, date))
        return dataclasses.replace(
            found, holiday=holiday, credited=found.credited + holiday, target=found.target - holiday
        )


class HalfOfThePlan(Balances):
    """A half is half of the plan, and not of what the holiday leaves."""

    def share_of(self, planned, whole):
        return planned


class LowerHalves(Balances):
    """Both halves are rounded down."""

    def half(self, whole, halves):
        return whole // 2


class UpperHalfFirst(Balances):
    """The first half is the greater one."""

    def half(self, whole, halves):
        return super().half(whole, 1 - min(halves, 1))


class HalvesOfEachKind(Balances):
    """Halves are counted by kind."""

    def halves_before(self, absence, before):
        return super().halves_before(absence, [one for one in before if one.kind == absence.kind])


class RanksReversed(Balances):
    """The kind of the last rank takes first."""

    def rank(self, kind):
        return -super().rank(kind)


class AsTheyWereMade(Balances):
    """Absences take in the order in which they were made."""

    def ordered(self, absences):
        return absences


class DayOfSeconds(Balances):
    """An absence of some seconds takes the whole date."""

    def part(self, absence, whole, left, halves):
        return left if absence.portion == "seconds" else super().part(absence, whole, left, halves)


class MoreThanIsLeft(Balances):
    """An absence takes its seconds although there are fewer."""

    def part(self, absence, whole, left, halves):
        return absence.seconds if absence.portion == "seconds" else super().part(absence, whole, left, halves)


class LastDateExcluded(Balances):
    """The last date of an absence is worked again."""

    def counts(self, absence, date, with_requests):
        return date < absence.end and super().counts(absence, date, with_requests)


class FlextimeIsFree(Balances):
    """Flextime reduces the target."""

    def reduces(self, kind):
        return True


class NothingForIllness(Balances):
    """Illness is not credited."""

    def is_credited(self, kind):
        return kind != "sick" and super().is_credited(kind)


class CreditsForAll(Balances):
    """Unpaid time is credited."""

    def is_credited(self, kind):
        return True


class UnpaidIsOwed(Balances):
    """Only kinds that are credited reduce the target."""

    def reduces(self, kind):
        return self.is_credited(kind)


class RequestsCount(Balances):
    """A request reduces the target."""

    def is_valid(self, absence, with_requests):
        return absence.state == "requested" or super().is_valid(absence, with_requests)


class CanceledOnesCount(Balances):
    """A canceled absence stays."""

    def is_valid(self, absence, with_requests):
        return absence.state == "canceled" or super().is_valid(absence, with_requests)


class RefusedOnesCount(Balances):
    """A refused absence stays."""

    def is_valid(self, absence, with_requests):
        return absence.state == "refused" or super().is_valid(absence, with_requests)
