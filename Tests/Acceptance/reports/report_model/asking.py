"""Questions to the service, and the differences between its answers and the calculation's."""

import csv
import dataclasses
import datetime
import io
import time
import urllib.parse
import zoneinfo

from . import timesheet, zones
from .calculation import Calculation

# First characters of a CSV cell that a spreadsheet would take for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
# The columns of the dimensions that have several.
COLUMNS = {
    "user": ["userId", "userName"],
    "session": ["sessionId", "sessionTitle"],
    "project": ["projectId", "projectName", "color"],
    "task": ["taskId", "taskName"],
}
# How many of an answer's differences are shown.
SHOWN = 12


@dataclasses.dataclass(frozen=True)
class Question:
    """A query, with how it is asked: as the first member, as a timesheet, as CSV besides."""

    query: object
    is_own: bool = False
    period: str | None = None
    has_csv: bool = False

    def difference(self, office):
        """The service's deviations from the calculation; None if it agrees."""
        earliest = time.time_ns() // 1_000_000
        answer = office.connection.request("GET", self.path(office), self.token(office))
        latest = time.time_ns() // 1_000_000
        if answer.status != 200:
            return f"{self.path(office)} is answered {answer}"
        got = answer.json
        as_of = zones.read(got["asOf"])
        if self.query.as_of is None and not earliest <= as_of <= latest:
            return f"asOf is {got['asOf']}, and not the time of the request"
        query = self.known(office, as_of if self.query.as_of is None else self.query.as_of)
        calculation = Calculation(office.facts, query)
        expected = calculation.answer() if self.period is None else timesheet.answer(calculation, self.period)
        found = list(differences(expected, got)) or order_differences(expected, got)
        if self.has_csv and not found:
            found = csv_differences(self.csv(office, as_of), expected, self.period, query.group_by)
        return "\n".join([self.path(office, as_of), *found[:SHOWN]]) if found else None

    def csv(self, office, as_of):
        """The same as CSV, asked for in either way."""
        ending, fields = ("", [("Accept", "text/csv")]) if self.is_terse else ("&format=csv", [])
        return office.connection.request("GET", self.path(office, as_of) + ending, self.token(office), fields=fields)

    @property
    def is_terse(self):
        """Whether members with a default are left out, on every second date."""
        return self.query.start_date.day % 2 == 0

    def known(self, office, as_of):
        """The query with the ids of the service."""
        member = office.members[0] if self.is_own else office.ids.get(self.query.member)
        ids = {name: office.ids.get(getattr(self.query, name)) for name in ("session", "project", "task")}
        query = dataclasses.replace(self.query, member=member, as_of=as_of, **ids)
        return timesheet.query_of(self.period, query.start_date, office.plan.policy, query) if self.period else query

    def token(self, office):
        return office.own_token if self.is_own else office.token

    def path(self, office, as_of=None):
        query = self.query
        if self.period is None:
            parameters = {
                "startDate": query.start_date,
                "endDate": query.end_date,
                "groupBy": unless(self.is_terse and query.group_by == ("user",), ",".join(query.group_by)),
                "sessionId": office.ids.get(query.session),
            }
        else:
            parameters = {"period": self.period, "date": query.start_date, "groupBy": ",".join(query.group_by) or None}
        parameters |= {
            "attribution": unless(self.is_terse and query.attribution == "split", query.attribution),
            "timeZone": unless(self.is_terse and query.zone == office.plan.zone, query.zone),
            "userId": None if self.is_own else office.ids.get(query.member),
            "asOf": zones.written(query.as_of if as_of is None else as_of),
            "projectId": office.ids.get(query.project),
            "taskId": office.ids.get(query.task),
            "client": query.client,
            "tag": query.tag,
            "billable": None if query.is_billable is None else str(query.is_billable).lower(),
            "kind": query.kind,
            "rounding": query.rounding,
            "anomalies": query.codes and ",".join(query.codes),
        }
        stated = {name: value for name, value in parameters.items() if value is not None}
        operation = "hours" if self.period is None else "timesheet"
        # A plus in a query is a plus to the service, and no space.
        return f"{office.base}/reports/{operation}?{urllib.parse.urlencode(stated, quote_via=urllib.parse.quote)}"


def unless(is_left_out, value):
    return None if is_left_out else value


def differences(expected, got, place=""):
    """The place where two JSON values differ, and how."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for name in expected | got:
            if name not in got or name not in expected:
                yield f"{place}/{name} is {'missing' if name in expected else 'unknown'}"
            else:
                yield from differences(expected[name], got[name], f"{place}/{name}")
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for number, (one, other) in enumerate(zip(expected, got)):
            yield from differences(one, other, f"{place}/{number}")
    elif expected != got or type(expected) is not type(got):
        yield f"{place} is {got!r}, and {expected!r} by the calculation"


def order_differences(expected, got):
    """The place where the names of an answer, its totals or its rows come in another order."""
    pairs = [("the answer", expected, got), ("totals", expected["totals"], got["totals"])]
    pairs += [("a row", *rows) for rows in zip(expected["rows"], got["rows"])]
    return [
        f"{place} has {list(other)}, and {list(one)} by the calculation"
        for place, one, other in pairs
        if list(one) != list(other)
    ]


def cell(value):
    text = "" if value is None else str(value)
    return "'" + text if text.startswith(FORMULA) else text


def csv_differences(answer, expected, period, purposes):
    """The rows once more, as CSV: a header, CR LF at every end, nothing else."""
    is_csv = answer.fields.get("content-type", "").startswith("text/csv")
    if answer.status != 200 or not is_csv or not answer.body.endswith(b"\r\n"):
        return [f"the CSV is {answer}"]
    text = answer.body.decode()
    lines = list(csv.reader(io.StringIO(text, newline="")))
    if text.count("\n") != text.count("\r\n"):
        return ["a line of the CSV ends without CR"]
    wanted = timesheet_cells(expected, purposes) if period else report_cells(expected)
    more = payroll_cells(expected, period)
    width = len(wanted[0])
    found = list(differences(wanted, [line[:width] for line in lines], "csv"))
    found += differences(more, [line[width : width + len(more[0])] for line in lines], "csv behind JSON's columns")
    people = [line[width + len(more[0]) :] for line in lines]
    has_people = period or "user" in expected["groupBy"]
    names = ["userEmail", "personnelNumber"] if has_people else []
    if people[0] != names or any(len(one) != len(names) or (has_people and "@" not in one[0]) for one in people[1:]):
        found.append(f"the last columns of the CSV are {people[:3]}")
    return found


def payroll_cells(expected, period):
    """The local time at each row's first start and last end; a timesheet has none."""
    if period:
        return [[] for _ in range(1 + len(expected["rows"]))]
    zone = zoneinfo.ZoneInfo(expected["timeZone"])

    def wall(instant):
        if instant is None:
            return ""
        return f"{datetime.datetime.fromisoformat(instant).astimezone(zone):%Y-%m-%d %H:%M:%S}"

    rows = [[wall(row["firstIn"]), wall(row["lastOut"])] for row in expected["rows"]]
    return [["firstInWallTime", "lastOutWallTime"], *rows]


def report_cells(expected):
    """The dimensions and the numbers, named as in JSON."""
    names = [name for dimension in expected["groupBy"] for name in COLUMNS.get(dimension, [dimension])]
    names += expected["totals"]
    return [names] + [[cell(row[name]) for name in names] for row in expected["rows"]]


def timesheet_cells(expected, purposes):
    """The columns that distinguish rows, a column for each date, and then the sums."""
    sums = [name for name in expected["totals"] if name != "seconds"]
    names = [*COLUMNS["user"], *[name for one in purposes for name in COLUMNS.get(one, [one])]]
    return [[*names, *expected["days"], *sums]] + [
        [*[cell(row[name]) for name in names], *map(str, row["seconds"]), *[str(row[name]) for name in sums]]
        for row in expected["rows"]
    ]
