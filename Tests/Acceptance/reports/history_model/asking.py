"""A plan with segments made in an organization of its own, and the service's answers about it."""

import dataclasses
import random
import time
import urllib.parse

from report_model import zones
from report_model.asking import SHOWN, differences
from report_model.office import PlannedOffice

from . import checks, drawing, facts
from .calculation import Calculation


class HistoryOffice:
    """The office of a report's plan, with projects, tasks, and all segments of the plan."""

    def __init__(self, connection, operator, drawn):
        self.drawn = drawn
        self.office = PlannedOffice(connection, operator, drawn.plan)
        make = self.office.make
        projects = [make("/projects", {"name": name, "color": color})["id"] for name, color in drawing.PROJECTS]
        tasks = [
            make("/tasks", {"name": name, "projectId": None if project is None else projects[project]})["id"]
            for name, project in drawing.TASKS
        ]
        self.projects, self.tasks = drawing.subjects(projects, tasks)
        self.breaks = {
            kind: make("/breakTypes", {"name": kind, "isPaid": kind == "paid"})["id"] for kind in ("paid", "unpaid")
        }
        # Those that are open come last, for one ends what is open before it.
        for one in sorted(drawn.segments, key=lambda one: one.end is None):
            self.enter(one)
        self.facts = self.read_facts()

    def enter(self, one):
        """By hand, or started where it stays open."""
        if one.kind == "work" and one.task is None:
            purpose = {"projectId": self.projects[one.project].id}
        elif one.kind == "work":
            purpose = {"taskId": self.tasks[one.task].id}
        else:
            purpose = {"breakTypeId": self.breaks[one.kind]}
        body = purpose | {"userId": self.office.members[one.member], "startTime": zones.written(one.start)}
        if one.end is None:
            self.office.make("/segments/start", body)
            return
        place = "none" if one.entry is None else "attach"
        more = {"endTime": zones.written(one.end), "timeEntry": place, "reason": "told"}
        self.office.make("/segments", body | more)

    def read_segments(self):
        found, cursor = [], ""
        while cursor is not None:
            path = f"{self.office.base}/segments?limit=1000{cursor}"
            page = self.office.ask(200, "GET", path)
            found += page["segments"]
            cursor = page["nextCursor"] and "&cursor=" + urllib.parse.quote(page["nextCursor"])
        return found

    def read_facts(self):
        """As the service lists them; their times have to be the plan's."""
        projects = {one.id: one for one in self.projects}
        tasks = {one.id: one for one in self.tasks}
        segments = tuple(
            facts.Segment(
                one["userId"],
                one["timeEntryId"],
                zones.read(one["startTime"]),
                one["endTime"] and zones.read(one["endTime"]),
                "work" if one["kind"] == "work" else "paid" if one["isPaid"] else "unpaid",
                projects.get(one["projectId"]),
                tasks.get(one["taskId"]),
            )
            for one in self.read_segments()
        )
        planned = sorted(
            (self.office.members[one.member], one.start, one.end or 0, one.kind) for one in self.drawn.segments
        )
        listed = sorted((one.member, one.start, one.end or 0, one.kind) for one in segments)
        if listed != planned:
            raise SystemExit(f"the service lists the segments {listed}, and was given {planned}")
        known, plan = self.office.facts, self.drawn.plan
        own = {member: zone or plan.zone for member, zone in zip(self.office.members, plan.zones)}
        return facts.Facts(known.entries, segments, known.policy.week_start, plan.zone, own)


@dataclasses.dataclass(frozen=True)
class Question:
    """A query, asked as the first member where that is the one it is about and `is_own` says so."""

    query: object
    is_own: bool = False

    def difference(self, office):
        """What the service answers other than the calculation; None where it agrees."""
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
        # On every second date what has a default is left out.
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
