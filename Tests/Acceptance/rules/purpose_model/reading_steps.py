"""Looking at segments."""

import dataclasses
import datetime

from time_model import rules
from time_model.comparing import expect_answer, is_refused, pages
from time_model.drawing import chance, chosen, maybe
from time_model.rules import Refusal
from time_model.step import Step, query

from .comparing import expect_segments
from .drawing import Span, draw_subject
from .step import SegmentStep


@dataclasses.dataclass(frozen=True)
class GetSegment(SegmentStep):
    @classmethod
    def draw(cls, random, actor):
        return cls(actor, *cls.draw_segment(random, actor))

    def run(self, office, session):
        actor = office.people[self.actor]
        segment, identifier = self.segment(office)
        answer, window = session.ask(actor, "GET", f"/segments/{identifier}")
        refusals = (
            [Refusal(404, "segment_not_found")] if segment is None else office.subject_refusals(actor, segment.user)
        )
        if not is_refused(answer, window, lambda _: refusals):
            expect_answer(answer, 200, segment, window, segment.version)


@dataclasses.dataclass(frozen=True)
class CheckSegmentOverlap(Step):
    user: str | None
    span: Span
    exclusion: float | None

    @classmethod
    def draw(cls, random, actor):
        exclusion = random.random() if chance(random, 0.4) else None
        return cls(actor, draw_subject(random, actor), Span.draw(random), exclusion)

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        start, end = self.span.at(office, subject or actor, session.now())
        excluded = self.exclusion and chosen(office.segments, self.exclusion, None)
        path = "/segments/overlaps" + query(
            userId=user_id,
            startTime=rules.written(start),
            endTime=rules.written(end),
            excludeSegmentId=excluded and excluded.id,
        )
        answer, window = session.ask(actor, "GET", path)
        refusals = office.subject_refusals(actor, subject) or (
            [] if start < end else [Refusal(422, "end_not_after_start")]
        )
        if is_refused(answer, window, lambda _: refusals):
            return
        ids = [one.id for one in office.in_the_way(subject, start, end, excluded)]
        expected = {"overlaps": bool(ids), "count": len(ids), "segmentIds": ids[: rules.OVERLAPS_SHOWN]}
        expect_answer(answer, 200, expected, window)


@dataclasses.dataclass(frozen=True)
class ListSegments(Step):
    user: str | None
    # In days from that of the office's base.
    first: int | None
    last: int | None
    project: float | None
    task: float | None
    kind: str | None
    tag: str | None
    limit: int

    @classmethod
    def draw(cls, random, actor):
        last = random.choice([-2, -1, 0, 0, 1]) if chance(random, 0.4) else None
        first = (last or 0) - random.choice([-1, 0, 0, 1, 1, 2]) if chance(random, 0.4) else None
        return cls(
            actor,
            draw_subject(random, actor),
            first,
            last,
            random.random() if chance(random, 0.2) else None,
            random.random() if chance(random, 0.2) else None,
            maybe(random, 0.3, ["work", "break"]),
            maybe(random, 0.1, ["garden", "quarter", "absent"]),
            random.choice([1, 2, 3, 100]),
        )

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        today = rules.local_date(office.base, office.zone)
        first, last = [
            None if days is None else today + datetime.timedelta(days=days) for days in (self.first, self.last)
        ]
        project = None if self.project is None else chosen(office.projects, self.project, None)
        task = None if self.task is None else chosen(office.tasks, self.task, None)
        path = "/segments" + query(
            userId=user_id,
            startDate=first,
            endDate=last,
            projectId=project and project.id,
            taskId=task and task.id,
            kind=self.kind,
            tag=self.tag,
            limit=self.limit,
        )
        answer, window = session.ask(actor, "GET", path)
        refusals = office.subject_refusals(actor, subject)
        if not refusals and None not in (first, last) and first > last:
            refusals = [Refusal(422, "invalid_date_range")]
        for one, code in ((project, "project_not_found"), (task, "task_not_found")):
            if one is not None and one.owner not in (None, actor) and actor.role == "member":
                refusals = [*refusals, Refusal(404, code)]
        if is_refused(answer, window, lambda _: refusals):
            return
        # Left out, it is everyone for managers.
        user = None if self.user is None and actor.role != "member" else subject
        zone = (user and user.zone) or office.zone
        expected = [
            one
            for one in office.segments
            if user in (None, one.user)
            and (first is None or rules.local_date(one.start, zone) >= first)
            and (last is None or rules.local_date(one.start, zone) <= last)
            and project in (None, one.purpose.project)
            and task in (None, one.purpose.task)
            and self.kind in (None, one.purpose.kind)
            and (self.tag is None or self.tag in one.tags)
        ]
        expect_segments(expected, *pages(actor, session, path, answer, window, "segments", self.limit))
