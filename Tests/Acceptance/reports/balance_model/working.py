"""A member's paid seconds by counting dates: entries cut, and breaks deducted, as the calculation of reports does it."""

import collections
import datetime

from report_model import facts
from report_model.calculation import Calculation

# Before every date of an entry: a report from here on leaves out nothing.
EARLIEST = datetime.date(1900, 1, 1)


class Worked(Calculation):
    """The report of one member by the dates that this member's time counts for."""

    def __init__(self, dating, person):
        self.dating = dating
        self.person = person
        known = facts.Facts(person.entries, dating.known.policy, person.segments)
        super().__init__(known, facts.Query(EARLIEST, datetime.date.max, dating.known.zone, dating.as_of))

    def stretches(self, entry, end):
        return self.dating.stretches(self.person, entry.start, end)

    def date_of(self, entry, instant):
        return self.dating.date_of(self.person, instant)

    def by_date(self):
        found = collections.Counter()
        for hours in self.hours:
            found[hours.part.date] += hours.paid
        return found
