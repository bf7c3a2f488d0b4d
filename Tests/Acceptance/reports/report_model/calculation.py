"""The hours of a report, entry by entry and slice by slice, written from the contract alone.

Every rule is a method of its own, so that `wrong_calculations.py` and others can make one wrong at a time.
"""

import collections
import functools

from . import facts, zones
from .paying import Paying


class Calculation(Paying):
    """As the contract says."""

    # Choosing.

    def is_known(self, entry):
        return self.query.member in (None, entry.member.id)

    def is_of_session(self, entry):
        return self.query.session is None or (entry.session and entry.session.id == self.query.session)

    def is_in_range(self, date):
        return self.query.start_date <= date <= self.query.end_date

    def is_wanted(self, one):
        """Whether the filters keep a slice."""
        return self.is_of_session(one.part.entry) and all(self.matches(one))

    def matches(self, one):
        """Of each filter of slices, whether it holds."""
        query, project, task = self.query, self.project(one), self.task(one)
        if query.project is not None:
            yield project is not None and project.id == query.project
        if query.task is not None:
            yield task is not None and task.id == query.task
        if query.client is not None:
            yield self.has_client(self.client(one))
        if query.tag is not None:
            yield self.has_tag(self.tags(one))
        if query.is_billable is not None:
            yield self.is_billable(one) == query.is_billable
        if query.kind is not None:
            yield one.kind == query.kind

    def project(self, one):
        return one.segment.project if one.kind == "work" else None

    def task(self, one):
        return one.segment.task if one.kind == "work" else None

    def client(self, one):
        """As the project's is now."""
        project = self.project(one)
        return project and project.client

    def tags(self, one):
        """Breaks have tags too."""
        return () if one.segment is None else one.segment.tags

    def is_billable(self, one):
        return one.kind == "work" and one.segment.is_billable

    def has_client(self, client):
        return client == self.query.client

    def has_tag(self, tags):
        return self.query.tag in tags

    @functools.cached_property
    def all_hours(self):
        """All hours that count, each member's in order."""
        of_members = collections.defaultdict(list)
        for entry in self.known.entries:
            if self.is_known(entry):
                of_members[entry.member.id].append(entry)
        found = []
        for entries in of_members.values():
            parts = [part for entry in entries for part in self.parts(entry)]
            found += self.paid(sorted(parts, key=self.order), entries)
        return found

    @functools.cached_property
    def hours(self):
        """The hours that the report shows."""
        return [hours for hours in self.all_hours if self.is_in_range(hours.part.date) and self.is_wanted(hours.slice)]

    def order(self, part):
        return part.start

    # Rows.

    def values(self, dimension, one):
        """A row's value of a dimension, for a slice."""
        part, entry = one.part, one.part.entry
        if dimension == "project":
            project = self.project(one)
            return {
                "projectId": project and project.id,
                "projectName": project and project.name,
                "color": project and project.color,
            }
        if dimension == "task":
            task = self.task(one)
            return {"taskId": task and task.id, "taskName": task and task.name}
        if dimension == "client":
            return {"client": self.client(one)}
        if dimension == "kind":
            return {"kind": one.kind}
        if dimension == "user":
            return {"userId": entry.member.id, "userName": entry.member.name}
        if dimension == "session":
            return {
                "sessionId": entry.session and entry.session.id,
                "sessionTitle": entry.session and entry.session.title,
            }
        if dimension == "week":
            return {"week": self.iso_week(part.date)}
        if dimension == "month":
            return {"month": part.date.isoformat()[:7]}
        return {dimension: part.date.isoformat() if dimension == "day" else getattr(entry, dimension)}

    def iso_week(self, date):
        year, week, _ = date.isocalendar()
        return f"{year:04}-W{week:02}"

    def rank(self, dimension, one):
        """The place of a row, for a slice; a row without a value stands last."""
        entry = one.part.entry
        if dimension in ("project", "task"):
            subject = getattr(self, dimension)(one)
            return (0, subject.name, subject.id) if subject else (1,)
        if dimension == "client":
            client = self.client(one)
            return (1,) if client is None else (0, client)
        if dimension == "user":
            return entry.member.name, entry.member.id
        if dimension == "session":
            return (0, entry.session.title, entry.session.id) if entry.session else (1,)
        return tuple(self.values(dimension, one).values())

    def in_row(self, hours):
        return True

    def groups(self, dimensions):
        """The hours of each row with its dimensions, in the order of the rows."""
        groups = {}
        for hours in filter(self.in_row, self.hours):
            rank = tuple(self.rank(dimension, hours.slice) for dimension in dimensions)
            groups.setdefault(rank, []).append(hours)
        for rank in sorted(groups):
            shown = {}
            for dimension in dimensions:
                shown |= self.values(dimension, groups[rank][0].slice)
            yield shown, groups[rank]

    def rows(self):
        return [shown | self.sums(group) for shown, group in self.groups(self.query.group_by)]

    def figures(self, group):
        """The seconds of hours, and their kinds of pay."""
        seconds = self.worked(group)
        unpaid = sum(hours.slice.seconds for hours in group if self.is_unpaid(hours.slice))
        deducted = sum(hours.deducted for hours in group)
        return {
            "seconds": seconds,
            "breakSeconds": sum(hours.slice.seconds for hours in group if hours.slice.kind == "break"),
            "unpaidBreakSeconds": unpaid,
            "deductedBreakSeconds": deducted,
            "paidSeconds": seconds - unpaid - deducted,
            **({} if self.query.rounding is None else {"roundedSeconds": self.rounded(group)}),
            "regularSeconds": sum(hours.regular for hours in group),
            "dailyOvertimeSeconds": sum(hours.daily for hours in group),
            "weeklyOvertimeSeconds": sum(hours.weekly for hours in group),
        }

    def deducted_seconds(self):
        """Of all that is shown."""
        return sum(hours.deducted for hours in self.hours)

    def worked(self, group):
        """All of it, with breaks."""
        return sum(hours.slice.seconds for hours in group)

    def rounded(self, group):
        return sum(hours.rounded for hours in group)

    def sums(self, group):
        return self.figures(group) | {
            "entries": self.entries(group),
            "daysWorked": self.days_worked(group),
            "firstIn": zones.written(min((hours.slice.start for hours in group), default=None)),
            "lastOut": zones.written(self.last_out(group)),
        }

    def entries(self, group):
        return len({hours.part.entry.id for hours in group})

    def days_worked(self, group):
        return len({(hours.part.entry.member.id, hours.part.date) for hours in group})

    def last_out(self, group):
        """The latest end; None if that is the running end of an active entry, or there is nothing."""
        last = max((hours.slice.end for hours in group), default=None)
        running = any(hours.slice.is_running and hours.slice.end == last for hours in group)
        return None if running else last

    # Anomalies.

    def anomalies(self):
        seen = {}
        for hours in self.hours:
            seen.setdefault(hours.part.entry, []).append(hours)
        found = []
        for entry in sorted(seen, key=lambda entry: (entry.start, entry.id)):
            if codes := self.codes(entry, seen[entry]):
                found.append(
                    {
                        "timeEntryId": entry.id,
                        "userId": entry.member.id,
                        "userName": entry.member.name,
                        "clockInTime": zones.written(entry.start),
                        "clockOutTime": zones.written(entry.end),
                        "from": None,
                        "through": None,
                        "seconds": self.seconds(0, self.end(entry) - entry.start),
                        "codes": codes,
                    }
                )
        return found

    def count_codes(self, anomalies):
        """How many have each code that occurs."""
        found = collections.Counter(code for one in anomalies for code in one["codes"])
        return [{"code": code, "entries": found[code]} for code in facts.CODES if code in found]

    def is_listed(self, codes):
        return self.query.codes is None or bool({*codes} & {*self.query.codes})

    def listed(self, anomalies):
        """The anomalies counted, and those listed."""
        listed = [one for one in anomalies if self.is_listed(one["codes"])]
        return {"anomalyCounts": self.count_codes(anomalies), "anomalies": listed}

    def codes(self, entry, shown):
        too_long = entry.end is None and self.end(entry) - entry.start > self.policy.maximum * 1_000
        codes = {
            "open_too_long": too_long,
            "break_missing": self.misses_break(entry, shown),
            "break_too_long": any(self.is_too_long(one) for one in self.begun_segments(entry)),
        }
        return [code for code, holds in codes.items() if holds] + list(entry.flags)

    def begun_segments(self, entry):
        """Segments that begin after the counted part of an active entry are ignored."""
        return [one for one in self.segments(entry) if one.start < self.end(entry)]

    def misses_break(self, entry, shown):
        """Whether something was deducted from a part of which anything is shown."""
        dates = {hours.part.date for hours in shown}
        return any(
            hours.deducted > 0 and hours.part.date in dates for hours in self.all_hours if hours.part.entry is entry
        )

    def is_too_long(self, segment):
        """A break that lasts longer than its kind expects now."""
        if segment.break_type is None or segment.break_type.expected is None:
            return False
        return self.end(segment) - segment.start > segment.break_type.expected * 1_000

    def answer(self):
        """All that `reportHours` answers."""
        query = self.query
        return {
            "startDate": query.start_date.isoformat(),
            "endDate": query.end_date.isoformat(),
            "timeZone": query.zone,
            "attribution": query.attribution,
            "asOf": zones.written(query.as_of),
            **({} if query.rounding is None else {"rounding": str(query.rounding)}),
            "groupBy": list(query.group_by),
            "rows": self.rows(),
            "totals": self.sums(self.hours),
            **self.listed(self.anomalies()),
        }
