"""Cases whose answers were found by hand, with a pencil and a calendar: `cases.json`."""

import datetime
import json
import pathlib

from . import calculation, facts, second_by_second, subjects, timesheet, zones
from .plan import Plan, PlannedEntry, PlannedSegment


class Case:
    """Everybody and every session has a name of its own here. An answer holds only values found by hand."""

    def __init__(self, stated):
        self.title = stated["title"]
        self.stated = stated
        self.plan = plan(stated)

    def is_over(self, now):
        """Whether all of it can be entered by hand: nothing is active, nothing lies in the future."""
        return all(one.end is not None and one.end <= now for one in self.plan.entries)

    def query(self, known, now):
        """The question, with the ids that the facts have."""
        asked = self.stated.get("query", {})
        as_of = zones.read(asked["asOf"]) if "asOf" in asked else now
        sessions = {entry.session.title: entry.session.id for entry in known.entries if entry.session}
        query = facts.Query(
            *(datetime.date.fromisoformat((asked or self.stated)[name]) for name in ("startDate", "endDate")),
            asked.get("timeZone", self.plan.zone),
            as_of,
            tuple(asked.get("groupBy", ["user"])),
            asked.get("attribution", "split"),
            None,
            sessions[asked["session"]] if "session" in asked else None,
            rounding=rounding(asked.get("rounding")),
        )
        if period := self.stated.get("timesheet"):
            return timesheet.query_of(
                period["period"], datetime.date.fromisoformat(period["date"]), known.policy, query
            )
        return query

    def differences(self, answer):
        """Deviations of an answer."""
        found = [
            f"{name}: {answer[name]}, not {self.stated[name]}"
            for name in ("startDate", "endDate")
            if answer[name] != self.stated.get(name, answer[name])
        ]
        rows, expected = answer["rows"], self.stated["rows"]
        if len(rows) != len(expected):
            return found + [f"{len(rows)} rows, not {len(expected)}"]
        for got, wanted in [*zip(rows, expected), (answer["totals"], self.stated["totals"])]:
            found += [
                f"{name}: {got[name]}, not {value}, in {got}" for name, value in wanted.items() if got[name] != value
            ]
        return found

    def calculated(self, now):
        """The answers of the calculation, and of the pass through every second, each with its name."""
        known = self.plan.facts(now)
        query = self.query(known, now)
        by_interval = calculation.Calculation(known, query)
        if "timesheet" in self.stated:
            return [("by interval", timesheet.answer(by_interval, self.stated["timesheet"]["period"]))]
        rows, totals = second_by_second.rows_and_totals(known, query)
        return [
            ("by interval", by_interval.answer()),
            ("second by second", by_interval.answer() | {"rows": rows, "totals": totals}),
        ]


def rounding(text):
    if text is None:
        return None
    _, unit, direction = text.split(":")
    return facts.Rounding(int(unit), direction)


def segment(stated):
    """For a project or a break of `subjects.py`, by its name; of two projects the first one."""
    places = {
        kind: [one.name for one in known].index(stated[kind])
        for kind, known in (("project", subjects.PROJECTS), ("task", subjects.TASKS), ("break", subjects.BREAKS))
        if kind in stated
    }
    if "task" in places and subjects.TASKS[places["task"]].project != places.get("project"):
        raise ValueError(f"{stated} is for a task of another project")
    return PlannedSegment(
        zones.read(stated["startTime"]),
        zones.read(stated["endTime"]),
        places.get("project"),
        places.get("task"),
        places.get("break"),
        tuple(stated.get("tags", [])),
    )


def plan(stated):
    # Each once, in the order in which they come.
    names = list(dict.fromkeys(one["user"] for one in stated["entries"]))
    titles = list(dict.fromkeys(one["session"] for one in stated["entries"] if "session" in one))
    entries = tuple(
        PlannedEntry(
            names.index(one["user"]),
            zones.read(one["clockInTime"]),
            one["clockOutTime"] and zones.read(one["clockOutTime"]),
            titles.index(one["session"]) if "session" in one else None,
            segments=tuple(segment(part) for part in one.get("segments", [])),
        )
        for one in stated["entries"]
    )
    limits = stated.get("policy", {})
    policy = facts.Policy(
        limits.get("dailyOvertimeAfter"),
        limits.get("weeklyOvertimeAfter"),
        limits.get("weekStart", "monday"),
        break_rules=tuple(
            facts.BreakRule(rule["afterSeconds"], rule["breakSeconds"]) for rule in limits.get("breakRules", [])
        ),
        break_minimum=limits.get("breakMinimumSeconds", 900),
    )
    return Plan(stated["zone"], None, tuple(names), (None,) * len(names), tuple(titles), entries, policy)


def read():
    return [Case(stated) for stated in json.loads((pathlib.Path(__file__).parent / "cases.json").read_text())]
