"""Cases whose answers were found by hand, with a pencil and a calendar: `cases.json`."""

import datetime
import json
import pathlib

from report_model import zones
from report_model.facts import WEEKDAYS, BreakRule, Policy
from report_model.plan import Plan, PlannedEntry, member_id

from . import facts
from .calculation import PLAN, Balances
from .plan import PlannedPerson, Years

# When all of them are over.
NOW = zones.read("2028-12-31T12:00:00Z")


class Case:
    """One member's. An answer holds only values found by hand; `usedDays` are ten-thousandths of the first year's."""

    def __init__(self, stated):
        self.title = stated["title"]
        self.stated = stated
        self.years = years(stated)

    def query(self, as_of, member=None):
        """By day, with dates to come."""
        first, last = date(self.stated["startDate"]), date(self.stated["endDate"])
        return facts.Query(first, last, as_of, "user,day", member, has_future=True)

    def differences(self, answer, used):
        """Deviations of an answer and of the used days, None if nobody has asked for them; what is to come has a plan."""
        is_over = all(row["balanceSeconds"] is not None for row in answer["rows"])
        wanted = self.stated["totals"]
        if not is_over:
            wanted = {name: value for name, value in wanted.items() if name in PLAN}
        found = unlike("totals", answer["totals"], wanted)
        rows = {row["day"]: row for row in answer["rows"]}
        for day, values in self.stated.get("days", {}).items():
            found += unlike(day, rows.get(day, {}), values)
        if used != self.stated.get("usedDays", used):
            found.append(f"{used} ten-thousandths of a day used, not {self.stated['usedDays']}")
        return found

    def calculated(self):
        """The differences of the calculation, when all is over."""
        known = self.years.known(NOW)
        balances = Balances(known, NOW)
        used = [balances.year(person, one)["usedDays"] for person in known.people for one in person.entitlements]
        return self.differences(balances.answer(self.query(NOW, member_id(0))), used[0])


def unlike(place, got, wanted):
    return [
        f"{place}: {name} is {got.get(name)}, not {value}" for name, value in wanted.items() if got.get(name) != value
    ]


def years(stated):
    first, last = date(stated["startDate"]), date(stated["endDate"])
    entries = tuple(
        PlannedEntry(0, zones.read(one["clockInTime"]), zones.read(one["clockOutTime"]), None)
        for one in stated.get("entries", [])
    )
    dated = tuple((date(one["from"]), rules(one)) for one in stated.get("payRules", []))
    times = Plan("Europe/Berlin", None, ("Ana",), (None,), (), entries, Policy(dated=dated))
    calendar = {date(day): percent for day, percent in stated.get("holidays", {}).items()}
    absences = tuple(
        facts.Absence(one["kind"], date(one["startDate"]), date(one["endDate"]), one["portion"])
        for one in stated.get("absences", [])
    )
    entitlements = (facts.Entitlement(first.year, 300_000),)
    person = PlannedPerson(tuple(map(row, stated["schedule"])), absences, (), entitlements)
    return Years(times, (calendar,), (person,), first, last)


def rules(stated):
    return Policy(
        break_rules=tuple(BreakRule(one["afterSeconds"], one["breakSeconds"]) for one in stated["breakRules"])
    )


def row(stated):
    work = (stated["weeklySeconds"], tuple(map(WEEKDAYS.index, stated["workDays"]))) if "workDays" in stated else None
    seconds = facts.spread(*work) if work else tuple(stated["secondsByWeekday"])
    hour, minute = stated.get("workdayStart", "00:00").split(":")
    return facts.Row(date(stated["from"]), seconds, 0, workday_start=int(hour) * 60 + int(minute), stated=work)


def date(text):
    return datetime.date.fromisoformat(text)


def read():
    return [Case(stated) for stated in json.loads((pathlib.Path(__file__).parent / "cases.json").read_text())]
