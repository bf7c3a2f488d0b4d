"""The dates that a member's time counts for, written from the design alone; every rule is a method of its own."""

from report_model import zones
from report_model.zones import MINUTE, ONE_DAY

from . import offsets

# How long after its end a date is over for all instances of the service.
MARGIN = 5 * MINUTE


class Dating:
    def __init__(self, known, as_of):
        self.known = known
        self.as_of = as_of

    def row(self, person, date):
        """The row in force; None before the first one."""
        found = None
        for row in person.rows:
            if row.start <= date:
                found = row
        return found

    def zone(self, row):
        return self.known.zone if row is None or row.zone is None else row.zone

    def workday_start(self, row):
        return 0 if row is None else row.workday_start

    def day_start(self, person, date):
        row = self.row(person, date)
        return offsets.first_showing(self.zone(row), date, self.workday_start(row))

    def date_of(self, person, instant):
        """The date that an instant counts for."""
        date = zones.local_date(instant, self.known.zone) - 3 * ONE_DAY
        while self.day_start(person, date + ONE_DAY) <= instant:
            date += ONE_DAY
        return date

    def stretches(self, person, start, end):
        """The pieces of `start ..< end` with one date each, in their order: start, end, date."""
        found, date = [], self.date_of(person, start)
        while start < end:
            stop = min(end, self.day_start(person, date + ONE_DAY))
            if start < stop:
                found.append((start, stop, date))
            start, date = stop, date + ONE_DAY
        return found

    def yesterday(self, person):
        """The last date that is over."""
        return self.date_of(person, self.as_of - self.margin()) - ONE_DAY

    def margin(self):
        return MARGIN


def turns_back(zone, rows):
    """Whether the first date of a row would begin before the date before it, so that the service refuses the rows."""
    clocks = [(zone, 0), *((row.zone or zone, row.workday_start) for row in rows)]
    for (old_zone, old_start), (new_zone, new_start), row in zip(clocks, clocks[1:], rows):
        before = offsets.first_showing(old_zone, row.start - ONE_DAY, old_start)
        if before > offsets.first_showing(new_zone, row.start, new_start):
            return True
    return False
