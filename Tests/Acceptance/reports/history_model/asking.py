"""Questions to the service about a plan with segments, and faults of its answers."""

import dataclasses
import random
import time
import urllib.parse

from report_model import zones
from report_model.asking import SHOWN, differences
from report_model.office import PlannedOffice

from . import checks, drawing
from .calculation import Calculation


class HistoryOffice:
    """The office of a report's plan, with the facts that a history is calculated from."""

    def __init__(self, connection, operator, drawn):
        self.office = PlannedOffice(connection, operator, drawn)
        self.facts = drawing.facts_of(drawn, self.office.facts, self.office.members)


@dataclasses.dataclass(frozen=True)
class Question:
    """A query, asked as the first member if that is the one it is about and `is_own` says so."""

    query: object
    is_own: bool = False

    def difference(self, office):
        """The service's deviations from the calculation; None if it agrees."""
        base = office.office
        member = base.ids.get(self.query.member)
        is_own = self.is_own and member == base.members[0]
        path = self.path(base, None if is_own else member)
        earliest = time.time_ns() // 1_000_000
        answer = base.connection.request("GET", path, base.own_token if is_own else base.token)
        latest = time.time_ns() // 1_000_000
        if answer.status != 200:
            return f"{path} is answered {answer}"
        as_of = zones.read(answer.json["asOf"])
        if self.query.as_of is None and not earliest <= as_of <= latest:
            return f"{path}: asOf is {answer.json['asOf']}, and not the time of the request"
        query = dataclasses.replace(
            self.query, member=member, as_of=as_of if self.query.as_of is None else self.query.as_of
        )
        expected = Calculation(office.facts, query).answer()
        found = list(differences(expected, answer.json)) + checks.unsound(answer.json)
        return "\n".join([path, *found[:SHOWN]]) if found else None

    def path(self, base, member):
        query = self.query
        # On every second date members with a default are left out.
        is_terse = query.date.day % 2 == 0
        stated = {
            "period": None if is_terse and query.period == "day" else query.period,
            "date": query.date,
            "attribution": None if is_terse and query.attribution == "split" else query.attribution,
            "timeZone": query.zone,
            "userId": member,
            "asOf": zones.written(query.as_of),
        }
        known = {name: value for name, value in stated.items() if value is not None}
        return f"{base.base}/reports/history?{urllib.parse.urlencode(known)}"


def draw(seed, queries):
    """A plan, and questions about it."""
    chances = random.Random(seed)
    now = time.time_ns() // 1_000_000
    # Otherwise one seed would not always draw the same.
    today = now - now % zones.DAY
    drawn = drawing.draw_plan(chances, today)
    asked = [drawing.draw_query(chances, drawn, today) for _ in range(queries)]
    return drawn, [Question(query, drawing.chance(chances, 0.5)) for query in asked]
