"""The sums of a history second by second, to check the calculation with: small sets only.

Nothing is cut at a midnight here, and no part of a second is given to anybody. The time of every entry goes by on the
calendar; whenever a whole second of it has gone by on a date, that second is of the activity just then.
"""

import collections

from report_model import facts as report_facts
from report_model.second_by_second import date_at, rows_and_totals


class Sums:
    """A history's figures, in seconds."""

    def __init__(self):
        self.worked = collections.Counter()
        self.projects = collections.Counter()
        self.tasks = collections.Counter()
        self.kinds = collections.Counter()
        self.outside = 0


def doing(segments, instant, as_of):
    """The segment in which an instant ends something; None between two."""
    for one in segments:
        if one.start < instant <= (as_of if one.end is None else one.end):
            return one
    return None


def whole_seconds(start, end, zone, edges, is_cut):
    """Every whole second that goes by, with its date and the instant at which it is whole."""
    gone = collections.Counter()
    instant = start
    edges = sorted({edge for edge in edges if start < edge < end})
    while instant < end:
        # Clocks change at whole seconds.
        following = min([end, instant // 1_000 * 1_000 + 1_000, *edges[:1]])
        if edges[:1] == [following]:
            edges = edges[1:]
        date = date_at(instant, zone) if is_cut else None
        before = gone[date]
        gone[date] += following - instant
        if before // 1_000 < gone[date] // 1_000:
            yield date, instant + (gone[date] // 1_000 * 1_000 - before)
        instant = following


def sums(calculation):
    """The sums of `Calculation`, for the same period."""
    known, query = calculation.known, calculation.query
    zone, found = calculation.zone, Sums()
    is_cut = query.attribution == "split"

    def is_wanted(member):
        return query.member is None or query.member == member

    def is_shown(date):
        return calculation.first <= date <= calculation.last

    for entry in known.entries:
        end = query.as_of if entry.end is None else entry.end
        if not is_wanted(entry.member.id) or end <= entry.start:
            continue
        segments = [one for one in known.segments if one.entry == entry.id]
        edges = [edge for one in segments for edge in (one.start, one.end) if edge is not None]
        for date, instant in whole_seconds(entry.start, end, zone, edges, is_cut):
            segment = doing(segments, instant, end)
            of_entry = date or date_at(entry.start, zone)
            if is_shown(of_entry):
                found.worked[of_entry] += 1
            if segment is not None and segment.kind != "work":
                found.kinds[segment.kind] += is_shown(of_entry)
                continue
            of_row = date or (of_entry if segment is None else date_at(segment.start, zone))
            if is_shown(of_row):
                found.projects[of_row, segment and segment.project] += 1
                found.tasks[segment and segment.task] += 1
    for one in known.segments:
        end = query.as_of if one.end is None else one.end
        if one.entry is None and is_wanted(one.member) and one.start < end:
            for date, _ in whole_seconds(one.start, end, zone, [], is_cut):
                found.outside += is_shown(date or date_at(one.start, zone))
    return found


def deducted(calculation):
    """The breaks by a report, second by second."""
    known = calculation.known
    facts = report_facts.Facts(known.entries, known.policy, known.segments)
    return rows_and_totals(facts, calculation.report_query())[1]["deductedBreakSeconds"]


def differences(calculation, answer):
    """The places where an answer's seconds are not these."""
    found = sums(calculation)

    def ids(rows, name):
        return {row[name]: row["seconds"] for row in rows}

    def of(subject):
        return subject and subject.id

    expected = {
        "worked": {f"{date}": seconds for date, seconds in found.worked.items()},
        "projects": {
            (f"{date}", of(project)): seconds for (date, project), seconds in found.projects.items() if seconds
        },
        "tasks": {of(task): seconds for task, seconds in found.tasks.items() if seconds},
        "breaks": (found.kinds.total(), found.kinds["unpaid"]),
        "deducted": deducted(calculation),
        "outside": found.outside,
    }
    got = {
        "worked": {day["date"]: day["workSeconds"] for day in answer["days"] if day["workSeconds"]},
        "projects": {
            (day["date"], project): seconds
            for day in answer["days"]
            for project, seconds in ids(day["projects"], "projectId").items()
        },
        "tasks": ids(answer["tasks"], "taskId"),
        "breaks": (answer["breakSeconds"], answer["unpaidBreakSeconds"]),
        "deducted": answer["deductedBreakSeconds"],
        "outside": answer["outsideSeconds"],
    }
    return [
        f"{name} are {got[name]}, and {expected[name]} second by second" for name in got if got[name] != expected[name]
    ]
