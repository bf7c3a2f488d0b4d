"""The calculation with one rule about dates wrong each."""

from report_model import zones
from report_model.zones import DAY, ONE_DAY

from . import offsets
from .calculation import Balances
from .working import Worked


class OrganizationsZone(Balances):
    """Dates of the organization's zone, whatever the row's is."""

    def zone(self, row):
        return self.known.zone


class FromMidnight(Balances):
    """Every date begins at midnight."""

    def workday_start(self, row):
        return 0


class LastRowsClock(Balances):
    """Every date begins by the clock of the last row."""

    def day_start(self, person, date):
        row = person.rows[-1] if person.rows else None
        return offsets.first_showing(self.zone(row), date, self.workday_start(row))


class RowOfTheDateBefore(Balances):
    """A date begins by the clock of the row that the date before it has."""

    def day_start(self, person, date):
        row = self.row(person, date - ONE_DAY)
        return offsets.first_showing(self.zone(row), date, self.workday_start(row))


class AfterMidnight(Balances):
    """A date begins as long after its midnight as the clock says, also if the clocks change between the two."""

    def day_start(self, person, date):
        row = self.row(person, date)
        midnight = offsets.first_showing(self.zone(row), date, 0)
        return midnight + self.workday_start(row) * zones.MINUTE


class DatesOf24Hours(Balances):
    """A date ends 24 hours after it has begun."""

    def day_start(self, person, date):
        return super().day_start(person, date - ONE_DAY) + DAY


class EntrysZone(Balances):
    """Work is cut at the midnights of the zone that it was entered in."""

    def worked(self, person):
        return InEntrysZone(self, person).by_date()


class InEntrysZone(Worked):
    def stretches(self, entry, end):
        return zones.stretches(entry.start, end, entry.zone)


class DateOfStart(Balances):
    """Work counts for the date that it began on."""

    def worked(self, person):
        return OnFirstDate(self, person).by_date()


class OnFirstDate(Worked):
    def stretches(self, entry, end):
        return [(entry.start, end, self.dating.date_of(self.person, entry.start))]


class ReportsZone(Balances):
    """Work is cut at the midnights of the organization's zone."""

    def worked(self, person):
        return InOrganizationsZone(self, person).by_date()


class InOrganizationsZone(Worked):
    def stretches(self, entry, end):
        return zones.stretches(entry.start, end, self.dating.known.zone)


class OverAtOnce(Balances):
    """A date is over when it ends, and not five minutes later."""

    def margin(self):
        return 0


class ThroughToday(Balances):
    """The date that goes on is counted."""

    def last(self, person):
        return self.yesterday(person) + ONE_DAY


class ThroughOrganizationsYesterday(Balances):
    """Everybody's dates count through the one that is over in the organization's zone."""

    def last(self, person):
        return zones.local_date(self.as_of - self.margin(), self.known.zone) - ONE_DAY
