"""Questions to the service, and the differences between its answers and the calculation's."""

import dataclasses
import decimal
import time
import urllib.parse

from report_model import zones
from report_model.asking import SHOWN, differences

from . import facts, truths
from .calculation import Balances
from .describing import described, differing
from .tables import table_differences


@dataclasses.dataclass(frozen=True)
class Question:
    """A query, with how it is asked: as the first member, as a table besides."""

    query: facts.Query
    is_own: bool = False
    # The durations of the table; None without one.
    durations: str | None = None

    def difference(self, office, balances, days):
        """The service's deviations; None if it agrees. `days` are its own rows of every date before the time asked."""
        answer = self.ask(office)
        if answer.status != 200:
            return f"{self.path(office)} is answered {answer}"
        query = self.known(office)
        got, expected = answer.json, balances.answer(query)
        found = list(differences(expected, got)) or order_differences(expected, got) or untruths(got, query, days)
        if self.durations and not found:
            table = self.ask(office, f"&format=csv{self.stated_durations()}")
            found = table_differences(table, expected, query.group_by.partition(",")[2], self.durations)
        if not found:
            return None
        facts_of_member = described(balances.known, differing(expected, got))
        return "\n".join([self.path(office), *found[:SHOWN], *facts_of_member])

    def ask(self, office, ending=""):
        token = office.own_token if self.is_own else office.token
        return office.connection.request("GET", self.path(office) + ending, token)

    def stated_durations(self):
        """Seconds are what a table has if nothing is stated."""
        return "" if self.durations == "seconds" else f"&durations={self.durations}"

    def known(self, office):
        """The query with the ids of the service."""
        member = office.members[0] if self.is_own else office.ids.get(self.query.member)
        return dataclasses.replace(self.query, member=member)

    def path(self, office):
        """With defaults left out on every second date."""
        query = self.query
        is_terse = query.start_date.day % 2 == 0 and query.group_by == "user"
        return office_path(
            office,
            "/reports/balance",
            startDate=query.start_date,
            endDate=query.end_date,
            groupBy=None if is_terse else query.group_by,
            userId=None if self.is_own else office.ids.get(query.member),
            asOf=zones.written(query.as_of),
            future="true" if query.has_future else None,
        )


def untruths(got, query, days):
    try:
        truths.check(got, query, days)
    except truths.Untrue as untrue:
        return [str(untrue)]
    return []


def office_path(office, path, **parameters):
    stated = {name: value for name, value in parameters.items() if value is not None}
    # A plus in a query is a plus to the service, and no space.
    return f"{office.base}{path}?{urllib.parse.urlencode(stated, quote_via=urllib.parse.quote)}".rstrip("?")


def order_differences(expected, got):
    """The place where the names of an answer, its totals or its rows come in another order."""
    pairs = [("the answer", expected, got), ("totals", expected["totals"], got["totals"])]
    pairs += [("a row", *rows) for rows in zip(expected["rows"], got["rows"])]
    return [
        f"{place} has {list(other)}, and {list(one)} by the calculation"
        for place, one, other in pairs
        if list(one) != list(other)
    ]


# Entitlements and accounts.


def entitlement_differences(office, known, year):
    """The report of a year, now: of everybody with an entitlement, and nobody with one is missing."""
    path = office_path(office, "/reports/entitlements", year=year)
    answer = office.connection.request("GET", path, office.token)
    if answer.status != 200:
        return f"{path} is answered {answer}"
    rows = {row["userId"]: row for row in answer.json["rows"]}
    balances = Balances(known, now())
    found = []
    for person in known.people:
        for one in [one for one in person.entitlements if one.year == year]:
            row = rows.get(person.member.id, {})
            expected = balances.year(person, one)
            got = {name: parts(row.get(name)) for name in expected}
            found += differences(expected, got, person.member.id)
    return "\n".join([path, *found[:SHOWN]]) if found else None


def parts(value):
    """A number of JSON in ten-thousandths, which it is exactly; None if it is no number."""
    if value is None:
        return None
    exact = decimal.Decimal(repr(value)) * facts.DAY_PARTS
    return int(exact) if exact == int(exact) else exact


def account_differences(office, known, person, as_of=None):
    """A member's account, at an instant or now."""
    stated = None if as_of is None else zones.written(as_of)
    path = office_path(office, f"/members/{person.member.id}/account", asOf=stated)
    only = dataclasses.replace(known, people=(person,))
    earliest = as_of or now()
    answer = office.connection.request("GET", path, office.token)
    latest = as_of or now()
    if answer.status != 200:
        return f"{path} is answered {answer}"
    # Whatever was right while the service was at it.
    expected = [Balances(only, instant).account(person) for instant in (earliest, latest)]
    got = {name: answer.json.get(name) for name in expected[0]}
    found = [] if got in expected else list(differences(expected[0], got))
    return "\n".join([path, *found, *described(known, person.member.id)]) if found else None


def now():
    return time.time_ns() // 1_000_000


def years_of(known):
    """Every year that somebody has an entitlement of."""
    return sorted({one.year for person in known.people for one in person.entitlements})
