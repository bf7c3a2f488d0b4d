"""The use of entitlements of a year; every rule is a method of its own."""

import datetime

from .summing import Summing, dates


class Entitling(Summing):
    def year(self, person, entitlement):
        """The figures of a member's entitlement, in ten-thousandths of a day."""
        used = self.used_by_date(person, entitlement.year)
        with_requested = self.used_by_date(person, entitlement.year, with_requests=True)
        carried = max(0, entitlement.carried)
        for date in sorted(used):
            if self.is_usable(entitlement, date):
                carried -= min(carried, used[date])
        expired = carried if self.is_expired(person, entitlement) else 0
        used = sum(used.values())
        return {
            "days": entitlement.days,
            "carriedDays": entitlement.carried,
            "usedDays": used,
            "requestedDays": sum(with_requested.values()) - used,
            "expiredDays": expired,
            "remainingDays": entitlement.days + entitlement.carried - used - expired,
        }

    def used_by_date(self, person, year, with_requests=False):
        """The days used on each date of a year that has a row, those to come included."""
        return {
            date: self.used(self.sums(person, date, with_requests))
            for date in dates(datetime.date(year, 1, 1), datetime.date(year, 12, 31))
            if self.row(person, date) is not None
        }

    def is_usable(self, entitlement, date):
        """Whether days carried over may be used on a date."""
        return entitlement.expires is None or date <= entitlement.expires

    def is_expired(self, person, entitlement):
        """Whether the last date of those carried over has passed."""
        return entitlement.expires is not None and entitlement.expires < self.date_of(person, self.as_of)
