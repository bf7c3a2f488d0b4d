"""The segments of a plan and their purposes, made in an organization over HTTP."""

import dataclasses
import urllib.parse

from . import facts, subjects, zones
from .plan import entry_id
from .subjects import BREAKS, PROJECTS, TASKS, project_id, task_id


class Segments:
    """Of an office: `PlannedOffice`."""

    def __init__(self, office):
        self.office = office
        self.has_any = bool(self.planned())
        # A plan without purposes makes none.
        projects, tasks, breaks = self.make() if self.has_any else ([], [], [])
        self.known = subjects.Subjects(projects, tasks, breaks)
        # From made-up ids to those of the service.
        self.ids = {project_id(place): one for place, one in enumerate(projects)}
        self.ids |= {task_id(place): one for place, one in enumerate(tasks)}

    def make(self):
        """The ids of all projects, tasks and kinds of breaks."""
        make = self.office.make
        projects = [
            make(
                "/projects", {"name": one.name, "color": one.color, "client": one.client, "billable": one.is_billable}
            )["id"]
            for one in PROJECTS
        ]
        tasks = [
            make("/tasks", {"name": one.name, "projectId": None if one.project is None else projects[one.project]})[
                "id"
            ]
            for one in TASKS
        ]
        breaks = [
            make("/breakTypes", {"name": one.name, "isPaid": one.is_paid, "expectedSeconds": one.expected})["id"]
            for one in BREAKS
        ]
        return projects, tasks, breaks

    def planned(self):
        """All segments, each with its member's place and whether it is kept without an entry."""
        plan = self.office.plan
        found = [(one.member, segment, False) for one in plan.entries for segment in one.segments]
        return found + [(member, segment, True) for member, segment in plan.outside]

    def enter(self):
        """By hand, or started if they stay open: these come last, for one ends the open one before it."""
        for member, one, is_outside in sorted(self.planned(), key=lambda planned: planned[1].end is None):
            made = self.enter_one(member, one, is_outside)
            if one.stated_billable is not None:
                path = f"{self.office.base}/segments/{made['id']}"
                body = {"billable": one.stated_billable, "reason": "told"}
                self.office.ask(200, "PATCH", path, body, fields=[("If-Match", "*")])

    def enter_one(self, member, one, is_outside):
        body = {"userId": self.office.members[member], "startTime": zones.written(one.start), "tags": list(one.tags)}
        if one.break_type is not None:
            body["breakTypeId"] = self.known.breaks[one.break_type].id
        elif one.task is not None:
            # Which says its project.
            body["taskId"] = self.known.tasks[one.task].id
        else:
            body["projectId"] = self.known.projects[one.project].id
        if one.end is None:
            return self.office.make("/segments/start", body)["segment"]
        place = "none" if is_outside else "attach"
        more = {"endTime": zones.written(one.end), "timeEntry": place, "reason": "told"}
        return self.office.make("/segments", body | more)

    def change(self):
        """The last values of projects and kinds of breaks; no segment follows."""
        for one, planned in zip(self.known.projects, PROJECTS):
            self.patch(
                f"/projects/{one.id}",
                {"name": one.name, "client": planned.last_client, "billable": not planned.is_billable},
            )
        for one in self.known.breaks:
            self.patch(f"/breakTypes/{one.id}", {"isPaid": one.is_paid, "expectedSeconds": one.expected})

    def patch(self, path, body):
        self.office.ask(200, "PATCH", self.office.base + path, body, fields=[("If-Match", "*")])

    def listed(self):
        found, cursor = [], ""
        while cursor is not None:
            page = self.office.ask(200, "GET", f"{self.office.base}/segments?limit=1000{cursor}")
            found += page["segments"]
            cursor = page["nextCursor"] and "&cursor=" + urllib.parse.quote(page["nextCursor"])
        return found

    def read(self, entries):
        """As the service lists them; they have to be the plan's."""
        listed = [self.fact(one) for one in self.listed()]
        gone = {self.office.members[place] for place in self.office.plan.deactivated}
        # A segment closed by a deactivation ended at that unknown time.
        ends = {(one.member, one.start): one.end for one in listed}
        planned = [
            dataclasses.replace(one, end=ends.get((one.member, one.start)))
            if one.end is None and one.member in gone
            else one
            for one in self.expected(entries)
        ]
        for one in [*(set(planned) - set(listed)), *(set(listed) - set(planned))]:
            where = "was given" if one in planned else "lists"
            raise SystemExit(f"not everything that is listed was given, or not as it is: the service {where} {one}")
        return tuple(listed)

    def fact(self, one):
        known = {subject.id: subject for subject in self.known.all()}
        return facts.Segment(
            one["userId"],
            one["timeEntryId"],
            zones.read(one["startTime"]),
            one["endTime"] and zones.read(one["endTime"]),
            "work" if one["kind"] == "work" else "paid" if one["isPaid"] else "unpaid",
            known.get(one["projectId"]),
            known.get(one["taskId"]),
            known.get(one["breakTypeId"]),
            tuple(sorted(one["tags"])),
            one["billable"],
        )

    def expected(self, entries):
        """The plan's segments with the service's ids; an entry is known by its member and its start."""
        plan, members = self.office.plan, self.office.members
        ids = {(one.member.id, one.start): one.id for one in entries}
        kept = [(place, one) for place, one in enumerate(plan.entries) if place != plan.deleted]
        of_places = {entry_id(place): ids[members[one.member], one.start] for place, one in kept}
        return [
            dataclasses.replace(one, entry=of_places.get(one.entry))
            for one in plan.segments(self.known, members, kept, None)
        ]
