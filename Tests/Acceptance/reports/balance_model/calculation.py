"""Balances, accounts and entitlements of an organization; every rule is a method of its own, to be made wrong alone."""

import dataclasses
import datetime
import functools

from report_model.facts import WEEKDAYS, Member
from report_model.zones import ONE_DAY

from . import facts
from .entitling import Entitling
from .summing import Sums, dates
from .working import Worked

# The figures of a row in their order, without the account; the last two are of dates that are over.
PLAN = ["plannedSeconds", "holidaySeconds", "absenceSeconds", "creditedSeconds", "targetSeconds"]
SUMMED = [*PLAN, "paidSeconds", "adjustmentSeconds", "balanceSeconds"]

# Somebody without a schedule.
OWNER = facts.Person(Member("owner", "Owner"), ())


@dataclasses.dataclass(frozen=True)
class Day:
    """A date of a member; `account` is the balance of all dates through it. A date to come has its plan alone."""

    date: datetime.date
    sums: Sums
    paid: int | None = None
    adjustment: int | None = None
    balance: int | None = None
    account: int | None = None

    def figures(self):
        sums = self.sums
        plan = (sums.planned, sums.holiday, sums.absence, sums.credited, sums.target)
        return dict(zip(SUMMED, (*plan, self.paid, self.adjustment, self.balance)))


class Balances(Entitling):
    """As the design says, at an instant."""

    # Dates.

    @functools.cached_property
    def all_days(self):
        """By member, every counted date from the first row on."""
        return {person.member.id: self.counted(person) for person in self.known.people}

    def counted(self, person):
        if not person.rows:
            return []
        worked, account, found = self.worked(person), 0, []
        for date in dates(self.first(person), self.last(person)):
            sums = self.sums(person, date)
            paid, adjustment = worked[date], self.adjustment(person, date)
            balance = self.balance(sums, paid, adjustment)
            account += self.towards_account(balance, adjustment)
            found.append(Day(date, sums, paid, adjustment, balance, account))
        return found

    def worked(self, person):
        """Paid seconds by date."""
        return Worked(self, person).by_date()

    def first(self, person):
        return person.rows[0].start

    def last(self, person):
        return self.yesterday(person)

    def adjustment(self, person, date):
        return sum(one.seconds for one in person.adjustments if one.date == date)

    def balance(self, sums, paid, adjustment):
        return paid - sums.target + adjustment

    def towards_account(self, balance, adjustment):
        return balance

    def shown(self, person, query):
        """The dates of a range, with those to come if they are asked for."""
        found = self.carried(query, self.all_days[person.member.id])
        found = [day for day in found if query.start_date <= day.date <= query.end_date]
        if query.has_future and person.rows:
            begin = max(query.start_date, self.first(person), self.yesterday(person) + ONE_DAY)
            found += [Day(date, self.sums(person, date)) for date in dates(begin, query.end_date)]
        return found

    def carried(self, query, days):
        """The days with the account that rows of a report carry: from the first row on, wherever the report begins."""
        return days

    # Rows.

    def asked(self, query):
        chosen = [one for one in self.known.people if query.member in (None, one.member.id)]
        return sorted(chosen, key=lambda one: (one.member.name, one.member.id))

    def answer(self, query):
        people = self.asked(query)
        all_shown = {person.member.id: self.shown(person, query) for person in people}
        return {
            "countedThrough": self.counted_through(people, query).isoformat(),
            "rows": [row for person in people for row in self.rows(person, all_shown[person.member.id], query)],
            "totals": self.summed([day for days in all_shown.values() for day in days]),
        }

    def counted_through(self, people, query):
        """The latest of all members who are asked about."""
        found = [self.yesterday(person) for person in people]
        if self.known.has_owner and query.member is None:
            found.append(self.yesterday(OWNER))
        return max(found)

    def rows(self, person, days, query):
        groups = {}
        for day in days:
            groups.setdefault(self.key(query.group_by, day.date), []).append(day)
        for key in sorted(groups):
            member = {"userId": person.member.id, "userName": person.member.name}
            named = {} if key is None else {query.group_by.partition(",")[2]: key}
            yield member | named | self.row_figures(groups[key])

    def key(self, group_by, date):
        """The value of a grouping's second dimension; None without one."""
        if group_by == "user,day":
            return date.isoformat()
        if group_by == "user,month":
            return f"{date:%Y-%m}"
        if group_by == "user,week":
            year, week, _ = date.isocalendar()
            return f"{year:04}-W{week:02}"
        return None

    def row_figures(self, days):
        """Dates to come stand alone in their rows."""
        if days[0].account is None:
            return days[0].figures() | {"carriedSeconds": None}
        return self.summed(days) | {"carriedSeconds": days[-1].account}

    def summed(self, days):
        figures = [day.figures() for day in days]
        return {name: sum(one[name] or 0 for one in figures) for name in SUMMED}

    # One member.

    def account(self, person):
        """The account, and this week's paid and owed seconds."""
        days = self.all_days[person.member.id]
        return {
            "countedThrough": self.yesterday(person).isoformat(),
            "balanceSeconds": days[-1].account if days else 0,
            **self.week(person),
        }

    def week(self, person):
        today = self.date_of(person, self.as_of)
        begin = today - ONE_DAY * ((today.weekday() - self.week_start(today)) % 7)
        worked = self.worked(person)
        # Weeks that come to begin on another day cut this one short.
        week = [date for date in dates(begin, begin + 6 * ONE_DAY) if self.week_start(date) == self.week_start(today)]
        return {
            "weekPaidSeconds": sum(worked[date] for date in week),
            "weekTargetSeconds": sum(self.sums(person, date).target for date in week if self.row(person, date)),
        }

    def week_start(self, date):
        return WEEKDAYS.index(self.known.policy.on(date).week_start)
