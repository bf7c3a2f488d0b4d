"""The balances of a member second by second, to check the calculation with: small years only.

No beginning of a date is searched for here: time goes by, and a date begins as soon as the clocks of its row show it.
Every second of a plan is given out by itself, to a holiday, to an absence or to the target.
"""

import collections
import datetime
import fractions
import itertools
import math
import zoneinfo

from report_model import facts, second_by_second, zones
from report_model.zones import MINUTE, ONE_DAY

BY_RANK = [("sick",), ("training", "special", "other"), ("vacation",), ("unpaid", "parental")]


class Walk:
    """A member's dates as time goes by, minute by minute: clocks show whole minutes then, and dates begin with one."""

    def __init__(self, known, person):
        self.known = known
        self.person = person
        self.instant = None
        self.date = None

    def date_at(self, instant, _=None):
        """The date of an instant; soon found if instants are asked for in their order."""
        if self.instant is None or instant < self.instant:
            # Some days earlier, at no clock's change of the date.
            self.instant = instant // MINUTE * MINUTE - 3 * zones.DAY
            self.date = zones.utc(self.instant).date() - 3 * ONE_DAY
            self.go_on()
        while self.instant + MINUTE <= instant:
            self.instant += MINUTE
            self.go_on()
        return self.date

    def go_on(self):
        while self.shows(self.date + ONE_DAY):
            self.date += ONE_DAY

    def shows(self, date):
        rows = [row for row in self.person.rows if row.start <= date]
        zone = (rows[-1].zone if rows else None) or self.known.zone
        hour, minute = divmod(rows[-1].workday_start if rows else 0, 60)
        clock = datetime.datetime.fromtimestamp(self.instant // 1_000, zoneinfo.ZoneInfo(zone)).replace(tzinfo=None)
        return clock >= datetime.datetime.combine(date, datetime.time(hour, minute))


def paid_by_date(known, person, as_of):
    entries = sorted(person.entries, key=lambda one: one.start)
    query = facts.Query(datetime.date(1900, 1, 1), datetime.date.max, known.zone, as_of)
    found = collections.Counter()
    of_person = facts.Facts(tuple(entries), known.policy, person.segments)
    for _, date, cell in second_by_second.paid(of_person, query, Walk(known, person).date_at):
        found[date] += cell.paid
    return found


def last_over(known, person, as_of):
    """The last date that was over five minutes ago."""
    return Walk(known, person).date_at(as_of - 5 * MINUTE) - ONE_DAY


def plans(person, last):
    """Each date from the first row on, with its row and its planned seconds: the weeks of a plan go round."""
    found = []
    for row, following in itertools.pairwise([*person.rows, None]):
        date = row.start
        while date.weekday():
            date -= ONE_DAY
        for planned in itertools.cycle(row.seconds):
            if date > last or (following and date >= following.start):
                break
            if date >= row.start:
                found.append((date, row, planned))
            date += ONE_DAY
    return found


def give_out(planned, percent, absences):
    """By kind, the seconds of a plan that are its holiday's, its absences' and its target's."""
    found = collections.Counter()
    seconds = list(range(planned))
    while seconds and (found["holiday"] + 1) * 100 <= planned * percent:
        found["holiday"] += 1
        seconds.pop()
    lower = [number for number in range(1, len(seconds) + 1) if 2 * number <= len(seconds)]
    halves = [len(lower), len(seconds) - len(lower)]
    for absence in absences:
        asked = {"day": len(seconds), "half": halves[0], "seconds": absence.seconds}[absence.portion]
        if absence.portion == "half":
            halves = halves[1:] or [0]
        while asked and seconds:
            seconds.pop()
            asked -= 1
            found[absence.kind] += 1
    found["target"] = len(seconds)
    return found


def counting(absences, date):
    """The absences that count on a date, by rank."""
    there = [one for one in absences if one.start <= date <= one.end and one.state == "approved"]
    return [one for kinds in BY_RANK for one in there if one.kind in kinds]


def used(planned, taken):
    """In ten-thousandths, to the nearest, half of one up."""
    return math.floor(fractions.Fraction(taken * 10_000, planned) + fractions.Fraction(1, 2)) if planned else 0


def days(known, person, as_of):
    """Of every counted date: date, figures of the plan, paid, adjustment, balance, account, days used."""
    if not person.rows:
        return []
    paid, balances, found = paid_by_date(known, person, as_of), [], []
    for date, row, planned in plans(person, last_over(known, person, as_of)):
        holidays = {} if row.calendar is None or row.works_on_holidays else known.calendars[row.calendar]
        parts = give_out(planned, holidays.get(date, 0), counting(person.absences, date))
        absence = sum(parts[kind] for kinds in BY_RANK for kind in kinds)
        credited = parts["holiday"] + absence - parts["unpaid"] - parts["parental"]
        adjusted = sum(one.seconds for one in person.adjustments if one.date == date)
        balances.append(paid[date] - parts["target"] + adjusted)
        plan = (planned, parts["holiday"], absence, credited, parts["target"])
        found.append((date, plan, paid[date], adjusted, balances[-1], sum(balances), used(planned, parts["vacation"])))
    return found
