"""The rules of purposes of time, in memory, written from the contract: nothing here is shared with the service.

`../segment_model.py` compares the service with it. Entries are those of `time_model`; an open segment ends at infinity.
"""

import dataclasses
import math

from time_model import rules
from time_model.rules import Refusal, Window, written


class Within:
    """An instant that is some time during a request."""

    def __init__(self, window):
        self.window = window

    def __eq__(self, other):
        return isinstance(other, str) and self.window.earliest <= rules.read(other) <= self.window.latest

    def __repr__(self):
        return f"{written(self.window.earliest)}…{written(self.window.latest)}"


class Anything:
    """A value that the rules leave open."""

    def __eq__(self, other):
        return True

    def __repr__(self):
        return "anything"


@dataclasses.dataclass(eq=False)
class Project:
    id: str
    owner: rules.Person | None
    is_billable: bool
    is_archived: bool = False
    version: int = 1

    def shown(self, _):
        return {"id": self.id, "archived": self.is_archived, "version": self.version}


@dataclasses.dataclass(eq=False)
class Task:
    id: str
    owner: rules.Person | None
    project: Project | None
    is_hidden: bool = False


@dataclasses.dataclass(eq=False)
class BreakType:
    id: str
    is_paid: bool
    is_archived: bool = False


@dataclasses.dataclass(frozen=True)
class Purpose:
    """The purpose of a segment."""

    project: Project | None = None
    task: Task | None = None
    break_type: BreakType | None = None

    @property
    def kind(self):
        return "break" if self.break_type else "work"

    @property
    def standard_name(self):
        return "Break" if self.break_type else "Time entry"

    @property
    def is_paid(self):
        return self.break_type is None or self.break_type.is_paid

    @property
    def is_billable(self):
        return self.project is not None and self.project.is_billable


@dataclasses.dataclass(eq=False)
class Segment:
    id: str
    user: rules.Person
    entry: rules.Entry | None
    purpose: Purpose
    is_paid: bool
    is_billable: bool
    name: str
    tags: list
    start: int
    end: float
    zone: str
    source: object
    created: int
    # An instant, or the time of the request that has changed it.
    updated: object
    # The segment to resume after a break.
    resumes: object = None
    version: int = 1

    @property
    def is_open(self):
        return self.end == math.inf

    def length(self, now):
        """Whole seconds up to now."""
        return max(0, min(self.end, max(now, self.start)) - self.start) // rules.SECOND

    def shown(self, window):
        """The contract's Segment."""
        ids = [one and one.id for one in (self.purpose.project, self.purpose.task, self.purpose.break_type)]
        return {
            "id": self.id,
            "userId": self.user.id,
            "timeEntryId": self.entry and self.entry.id,
            "kind": self.purpose.kind,
            "projectId": ids[0],
            "taskId": ids[1],
            "breakTypeId": ids[2],
            "isPaid": self.is_paid,
            "billable": self.is_billable,
            "name": self.name,
            "tags": self.tags,
            "startTime": written(self.start),
            "endTime": written(self.end),
            "durationSeconds": rules.Between(*map(self.length, window)),
            "timeZone": self.zone,
            "source": self.source,
            "createdAt": written(self.created),
            "updatedAt": written(self.updated) if isinstance(self.updated, int) else Within(self.updated),
            "version": self.version,
        }


class Office(rules.Office):
    """An organization with the purposes of its time, and the refusals by its rules.

    Each decision is one small function, so that a test of the test can plant a wrong one.
    """

    def __init__(self, identifier, zone, people, base):
        super().__init__(identifier, zone, people, base)
        self.segments = []
        self.gone_segments = []
        self.projects = []
        self.tasks = []
        self.break_types = []

    # Existing records.

    def open_segment(self, user):
        return next((one for one in self.segments if one.user is user and one.is_open), None)

    def segments_of(self, user):
        return sorted((one for one in self.segments if one.user is user), key=lambda one: one.start)

    def in_the_way(self, user, start, end, but=None):
        """The segments that share a moment with a span, oldest first."""
        return [
            one
            for one in self.segments_of(user)
            if one is not but and self.do_segments_overlap(start, end, one.start, one.end)
        ]

    def containing(self, user, start, end):
        """The entry that wholly contains a span."""
        return next(
            (
                entry
                for entry in self.entries
                if entry.user is user and self.does_contain(entry.start, entry.end, start, end)
            ),
            None,
        )

    def of_project(self, project):
        """The segments of a project and of its tasks."""
        return [
            one
            for one in self.segments
            if one.purpose.project is project or (one.purpose.task and one.purpose.task.project is project)
        ]

    def remove(self, segment):
        self.segments.remove(segment)
        self.gone_segments.append(segment.id)

    # The rules.

    def do_segments_overlap(self, start, end, other_start, other_end):
        """Half-open spans: touching is no overlap."""
        return start < other_end and other_start < end

    def does_contain(self, start, end, other_start, other_end):
        return start <= other_start and other_end <= end

    def is_kept(self, start, end):
        """Empty segments are not."""
        return start < end

    def does_clock_in(self, purpose, is_wanted):
        """Whether a start by somebody who is out begins an entry."""
        return is_wanted and purpose.kind == "work"

    def is_same(self, segment, purpose):
        """Whether a start has the purpose of the running segment."""
        return segment.purpose.kind == "work" and segment.purpose == purpose

    def remembered(self, segment):
        """The work to resume after a break that ends the running segment."""
        return segment.resumes if segment and segment.purpose.kind == "break" else segment

    def resumed(self, segment):
        """The work that goes on after a segment."""
        work = segment.resumes
        # It may be gone by then, or be for nothing any more.
        is_there = work in self.segments and (work.purpose.project or work.purpose.task)
        return work if segment.purpose.kind == "break" and is_there else None

    def is_purpose_kept(self, segment, project):
        """Whether a segment goes with its task if another project is stated for it."""
        return segment.purpose.project is project

    def is_billable_as_project(self, before, after):
        """Whether another purpose resets whether it is billable: if the project is another."""
        return after.project is not before.project or after.kind != before.kind

    def cut(self, segment):
        """The span of a segment as its entry lets it be."""
        return max(segment.start, segment.entry.start), min(segment.end, segment.entry.end)

    def does_follow(self, segment):
        """Whether a segment goes with its entry."""
        return segment.entry is not None and segment.entry not in self.entries

    def is_detached(self, segment, project):
        return segment.purpose.project is project

    def segment_overlap_refusals(self, user, start, end, but=None):
        found = self.in_the_way(user, start, end, but)
        return [self.segment_overlap(found)] if found else []

    def segment_overlap(self, found):
        members = {"count": len(found), "overlappingSegments": found[: rules.OVERLAPS_SHOWN]}
        return Refusal(409, "segment_overlap", members=members)

    def purpose_refusals(self, stated, subject):
        """`stated` is the purpose named by a request: of each kind a thing, None for a missing one, or nothing."""
        found = []
        project, task, break_type = (stated.get(name) for name in ("project", "task", "break_type"))
        if ("break_type" in stated and len(stated) > 1) or not stated:
            return [Refusal(400, "invalid_body")]
        if "project" in stated:
            found += self.project_refusals(project, subject)
        if "task" in stated:
            if task is None or task.owner not in (None, subject):
                found.append(Refusal(422, "task_not_found"))
            else:
                found += [Refusal(422, "task_hidden")] if task.is_hidden else []
                if "project" in stated and task.project is not project:
                    found.append(Refusal(422, "task_not_in_project"))
                if "project" not in stated and task.project and task.project.is_archived:
                    found.append(Refusal(422, "project_archived"))
        if "break_type" in stated:
            if break_type is None:
                found.append(Refusal(422, "break_type_not_found"))
            elif break_type.is_archived:
                found.append(Refusal(422, "break_type_archived"))
        return found

    def project_refusals(self, project, subject):
        if project is None or project.owner not in (None, subject):
            return [Refusal(422, "project_not_found")]
        return [Refusal(422, "project_archived")] if project.is_archived else []

    def resolved(self, stated):
        """The purpose of an accepted request: a task brings its project."""
        task = stated.get("task")
        return Purpose(task.project if task else stated.get("project"), task, stated.get("break_type"))

    def stop_refusals(self, actor, segment, time, is_clocking_out, now):
        found = []
        if time is not None:
            found += self.backdating_refusals(time, now, actor.role == "member")
            if time < segment.start and time <= now:
                found.append(Refusal(422, "end_not_after_start"))
            if is_clocking_out and time <= min(now, segment.entry.start):
                found.append(Refusal(422, "end_not_after_start"))
        return found

    def hand_refusals(self, start, end, now):
        """A segment by hand has no shortest and no longest length."""
        future = [Refusal(422, "in_future")] if end > now + rules.CLOCK_SKEW else []
        return future + ([Refusal(422, "end_not_after_start")] if rules.counted(end, now) <= start else [])

    def change_segment_refusals(self, actor, segment, condition, reason, now):
        """The shared part of a change and a deletion of a segment; `segment` None is none of the organization's."""
        unconditional = [Refusal(428, "precondition_required")] if condition is False else []
        if segment is None:
            return [Refusal(404, "segment_not_found"), *unconditional]
        if actor is not segment.user and actor.role == "member":
            return [Refusal(403, "forbidden"), *unconditional]
        return self.condition_refusals(condition, segment) + self.reason_refusals(actor, segment, reason)

    def project_deletion_refusals(self, actor, project, condition, mode, reason):
        if project.owner not in (None, actor) and actor.role == "member":
            return [Refusal(404, "project_not_found")]
        if project.owner is not actor and actor.role == "member":
            return [Refusal(403, "forbidden")]
        found = self.condition_refusals(condition, project)
        segments = self.of_project(project)
        if mode is None and segments:
            found = [*found, Refusal(409, "project_in_use", members={"count": len(segments)})]
        if mode == "delete" and not reason and any(one.user is not actor for one in segments):
            found = [*found, Refusal(422, "reason_required")]
        return found

    # A clock's figures.

    def is_counted(self, segment, running):
        """Whether time for a segment counts with that of the running one."""
        one, other = segment.purpose, running.purpose
        if one.break_type is not other.break_type or one.project is not other.project:
            return False
        return one.project is not None or one.task is other.task

    def clock(self, user, now):
        """The numbers of a clock, at an instant."""
        zone = user.zone or self.zone
        today = rules.local_date(now, zone)
        active, running = self.active(user), self.open_segment(user)
        numbers = dict.fromkeys(
            ["sessionSeconds", "breakSeconds", "dailySeconds", "segmentSeconds", "segmentDailySeconds"], 0
        )
        own = [entry for entry in self.entries if entry.user is user and rules.local_date(entry.start, zone) == today]
        numbers["dailySeconds"] = sum(seconds(entry, now) for entry in own)
        if active:
            numbers["sessionSeconds"] = seconds(active, now)
            numbers["breakSeconds"] = sum(
                one.length(now) for one in self.segments if one.entry is active and one.purpose.kind == "break"
            )
        if running:
            numbers["segmentSeconds"] = running.length(now)
            numbers["segmentDailySeconds"] = sum(
                one.length(now)
                for one in self.segments_of(user)
                if rules.local_date(one.start, zone) == today and self.is_counted(one, running)
            )
        return numbers

    def status(self, user):
        running = self.open_segment(user)
        if not self.active(user):
            return "clocked-out"
        return "on-break" if running and running.purpose.kind == "break" else "clocked-in"

    # Derived effects.

    def settle(self, window):
        """Has the segments follow their entries, after these have changed."""
        for segment in list(self.segments):
            if self.does_follow(segment):
                self.remove(segment)
            elif segment.entry in self.entries:
                start, end = self.cut(segment)
                if not self.is_kept(start, end):
                    self.remove(segment)
                elif (start, end) != (segment.start, segment.end):
                    segment.start, segment.end = start, end
                    change(segment, window)


def seconds(entry, now):
    """Whole seconds of an entry up to now."""
    return max(0, min(entry.end, max(now, entry.start)) - entry.start) // rules.SECOND


def change(segment, window):
    segment.version += 1
    segment.updated = Window(*window)
