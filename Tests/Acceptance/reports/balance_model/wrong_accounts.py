"""The calculation with one rule about balances, accounts or entitlements wrong each."""

import dataclasses

from report_model.zones import ONE_DAY

from .calculation import Balances
from .working import Worked


class CreditsOnTop(Balances):
    """Credited seconds are added to a balance that they are in."""

    def balance(self, sums, paid, adjustment):
        return super().balance(sums, paid, adjustment) + sums.credited


class OfThePlan(Balances):
    """The whole plan is owed."""

    def balance(self, sums, paid, adjustment):
        return paid - sums.planned + adjustment


class NothingIsAdjusted(Balances):
    """Adjustments are shown and not counted."""

    def balance(self, sums, paid, adjustment):
        return paid - sums.target


class AdjustedTwice(Balances):
    """An adjustment is in the balance, and is added to the account once more."""

    def towards_account(self, balance, adjustment):
        return balance + adjustment


class OneAdjustment(Balances):
    """Of several adjustments of a date the last one counts."""

    def adjustment(self, person, date):
        return ([0] + [one.seconds for one in person.adjustments if one.date == date])[-1]


class NoDebt(Balances):
    """Dates with too little work count 0."""

    def towards_account(self, balance, adjustment):
        return max(0, balance)


class FromTheRange(Balances):
    """The account begins with the report."""

    def carried(self, query, days):
        before = [day.account for day in days if day.date < query.start_date]
        return [dataclasses.replace(day, account=day.account - (before or [0])[-1]) for day in days]


class FromTheYear(Balances):
    """The account begins with the year."""

    def carried(self, query, days):
        found, account = [], 0
        for day in days:
            account = day.balance + (account if (day.date.month, day.date.day) != (1, 1) else 0)
            found.append(dataclasses.replace(day, account=account))
        return found


class FromTheLastRow(Balances):
    """The account begins with the row in force."""

    def first(self, person):
        begun = [row.start for row in person.rows if row.start <= self.last(person)]
        return begun[-1] if begun else super().first(person)


class BeforeTheDate(Balances):
    """A row carries what the account was before its last date."""

    def carried(self, query, days):
        return [dataclasses.replace(day, account=day.account - day.balance) for day in days]


class BreaksArePaid(Balances):
    """Unpaid breaks are paid."""

    def worked(self, person):
        return PaidBreaks(self, person).by_date()


class PaidBreaks(Worked):
    def is_unpaid(self, one):
        return False


class NothingIsDeducted(Balances):
    """Missing breaks are not deducted."""

    def worked(self, person):
        return WithoutDeductions(self, person).by_date()


class WithoutDeductions(Worked):
    def due(self, of_shift):
        return 0


class WeekFromMonday(Balances):
    """The week of an account begins on Monday."""

    def week_start(self, date):
        return 0


class CarriedAfterExpiry(Balances):
    """Days carried over are used after their last date."""

    def is_usable(self, entitlement, date):
        return True


class CarriedBeforeLastDate(Balances):
    """Days carried over are not used on their last date."""

    def is_usable(self, entitlement, date):
        return entitlement.expires is None or date < entitlement.expires


class NothingExpires(Balances):
    """Days carried over stay."""

    def is_expired(self, person, entitlement):
        return False


class ExpiredBeforehand(Balances):
    """Days carried over are gone before their last date has passed."""

    def is_expired(self, person, entitlement):
        return entitlement.expires is not None


class PartsCut(Balances):
    """The days used on a date are rounded down."""

    def used(self, sums):
        return 0 if sums.planned == 0 else sums.vacation * 10_000 // sums.planned


class WholeDays(Balances):
    """A date with vacation uses a whole day."""

    def used(self, sums):
        return 10_000 if sums.vacation else 0


class PartsOfWhatIsOpen(Balances):
    """The days used are parts of the plan without its holiday."""

    def used(self, sums):
        return super().used(dataclasses.replace(sums, planned=sums.planned - sums.holiday))


class AllKindsUseDays(Balances):
    """Every absence uses entitlement."""

    def used(self, sums):
        return super().used(dataclasses.replace(sums, vacation=sums.absence))


class DaysUsedByNow(Balances):
    """Vacation to come uses nothing yet."""

    def used_by_date(self, person, year, with_requests=False):
        found = super().used_by_date(person, year, with_requests)
        today = self.yesterday(person) + ONE_DAY
        return {date: used for date, used in found.items() if date <= today}


class NothingIsRequested(Balances):
    """Requests are not shown."""

    def used_by_date(self, person, year, with_requests=False):
        return super().used_by_date(person, year)
