"""Segments by hand: entering, changing and deleting them."""

import dataclasses
import math

from time_model import rules
from time_model.comparing import expect, expect_answer, is_refused
from time_model.drawing import ABSENT_ID, chance, maybe
from time_model.rules import Refusal
from time_model.step import CONDITIONS, Step, condition, query, stated

from .drawing import For, Moment, Span, Words, draw_reason, draw_subject, members
from .rules import Purpose, change
from .step import SegmentStep, expect_time, new_segment


def draw_condition(random):
    return random.choice(CONDITIONS) if chance(random, 0.2) else "present"


@dataclasses.dataclass(frozen=True)
class CreateSegment(Step):
    user: str | None
    span: Span
    purpose: For
    words: Words
    # Into which entry: None is left out, which means `attach`.
    place: str | None
    reason: str | None

    @classmethod
    def draw(cls, random, actor):
        return cls(
            actor,
            draw_subject(random, actor),
            Span.draw(random),
            For.draw(random),
            Words.draw(random),
            random.choice([None, "attach", "create", "create", "none"]),
            draw_reason(random),
        )

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        start, end = self.span.at(office, subject or actor, session.now())
        named = self.purpose.at(office)
        answer, window = session.ask(
            actor,
            "POST",
            "/segments",
            stated(
                userId=user_id,
                startTime=rules.written(start),
                endTime=rules.written(end),
                timeEntry=self.place,
                reason=self.reason,
                **members(named, ABSENT_ID),
                **self.words.stated,
            ),
        )
        if is_refused(answer, window, lambda now: self.refusals(office, actor, subject, start, end, named, now)):
            return
        expect(answer.status == 201, "the model answers 201", answer)
        end = expect_time(end, answer.json["endTime"], window, answer)
        entry = None
        if self.place == "create":
            entry = self.new_entry(office, session, actor, subject, start, end, answer.json["timeEntryId"])
        elif self.place != "none":
            entry = office.containing(subject, start, end)
        purpose = office.resolved(named)
        segment = new_segment(office, actor, subject, answer.json, start, end, entry, purpose, self.words, window)
        expect_answer(answer, 201, segment, window, 1)
        location = f"/v1/organizations/{office.id}/segments/{segment.id}"
        expect(answer.fields.get("location") == location, "Location is where it is", answer.fields)

    @staticmethod
    def new_entry(office, session, actor, subject, start, end, id):
        made = session.window
        answer, window = session.ask(office.people["owner"], "GET", f"/timeEntries/{id}")
        expect(answer.status == 200, "an entry is made", answer)
        created = rules.read(answer.json["createdAt"])
        expect(made.earliest <= created <= made.latest, f"it was created between {made}", answer)
        zone, source = subject.zone or office.zone, "api" if actor is subject else "admin"
        entry = rules.Entry(id, subject, start, end, zone, None, source, created, created)
        expect_answer(answer, 200, entry, window, 1)
        office.entries.append(entry)
        return entry

    def refusals(self, office, actor, subject, start, end, named, now):
        form = [one for one in office.purpose_refusals(named, subject) if one.status == 400]
        if self.place == "none" and "break_type" in named:
            form.append(Refusal(400, "invalid_body"))
        found = office.subject_refusals(actor, subject)
        if found or form:
            return found + form
        found = office.purpose_refusals(named, subject) + self.words.refusals
        if actor is not subject and not self.reason:
            found.append(Refusal(422, "reason_required"))
        if self.place == "create":
            found += office.manual_refusals(start, end, now)
        else:
            found += office.hand_refusals(start, end, now)
        end = rules.counted(end, now)
        if start >= end:
            return found
        if self.place == "create":
            found += office.overlap_refusals(subject, start, end)
        elif self.place != "none":
            entry = office.containing(subject, start, end)
            found += office.window_refusals(actor, entry, now) if entry else [Refusal(422, "outside_time_entry")]
        return found + office.segment_overlap_refusals(subject, start, end)


@dataclasses.dataclass(frozen=True)
class UpdateSegment(SegmentStep):
    condition: str | None
    start: Moment | None
    end: Moment | None
    purpose: For | None
    # The members to remove: `project`, `task`.
    nulls: tuple
    words: Words
    is_billable: bool | None
    reason: str | None

    @classmethod
    def draw(cls, random, actor):
        roll = random.random()
        start = Moment.draw_stated(random) if roll < 0.45 else None
        end = Moment.draw_stated(random) if 0.3 < roll < 0.65 else None
        purpose, nulls = None, ()
        if roll > 0.55:
            purpose = For.draw(random)
        elif chance(random, 0.15):
            nulls = random.choice([("project",), ("task",), ("project", "task")])
        return cls(
            actor,
            *cls.draw_segment(random, actor),
            draw_condition(random),
            start,
            end,
            purpose,
            nulls,
            Words.draw(random),
            maybe(random, 0.15, [True, False]),
            draw_reason(random),
        )

    def run(self, office, session):
        actor = office.people[self.actor]
        segment, identifier = self.segment(office)
        fields, demanded = condition(self.condition, segment.version if segment else 1)
        person = segment.user if segment else actor
        start, end = [time and time.at(office, person, session.now()) for time in (self.start, self.end)]
        named = self.purpose.at(office) if self.purpose else {}
        body = stated(
            startTime=start and rules.written(start),
            endTime=end and rules.written(end),
            billable=self.is_billable,
            reason=self.reason,
            **members(named, ABSENT_ID),
            **self.words.stated,
        )
        body |= {f"{name}Id": None for name in self.nulls}
        answer, window = session.ask(actor, "PATCH", f"/segments/{identifier}", body, fields)

        def refusals(now):
            found = office.change_segment_refusals(actor, segment, demanded, self.reason, now)
            if "break_type" in named and len(named) > 1:
                found = [*found, Refusal(400, "invalid_body")]
            if segment is None or (actor is not segment.user and actor.role == "member"):
                return found
            return found + self.refusals(office, actor, segment, start, end, named, now, answer)

        if is_refused(answer, window, refusals):
            return
        before = dataclasses.replace(segment)
        if start:
            segment.start = expect_time(start, answer.json["startTime"], window, answer)
        if end:
            segment.end = expect_time(end, answer.json["endTime"], window, answer)
        purpose = self.changed_purpose(office, segment, named)
        if office.is_billable_as_project(segment.purpose, purpose):
            segment.is_billable = purpose.is_billable
        if purpose != segment.purpose:
            segment.is_paid = purpose.is_paid
        segment.purpose = purpose
        if self.is_billable is not None:
            segment.is_billable = self.is_billable
        segment.name = self.words.kept_name(segment.name, purpose)
        if self.words.tags is not None:
            segment.tags = self.words.kept_tags
        if vars(segment) != vars(before):
            change(segment, window)
        expect_answer(answer, 200, segment, window, segment.version)

    def changed_purpose(self, office, segment, named):
        """The final purpose. Missing things are not asked for here."""
        if "break_type" in named:
            return Purpose(break_type=named["break_type"])
        named = {**named, **dict.fromkeys(self.nulls)}
        before = segment.purpose
        project, task = before.project, before.task
        if "project" in named:
            project = named["project"]
            task = task if office.is_purpose_kept(segment, project) else None
        if "task" in named:
            task = named["task"]
            project = task.project if task and "project" not in named else project
        purpose = Purpose(project, task)
        # A break has neither to take off.
        return before if purpose == Purpose() and before.break_type else purpose

    def refusals(self, office, actor, segment, start, end, named, now, answer):
        found = list(self.words.refusals)
        found += office.window_refusals(actor, segment.entry or segment, now)
        found += self.purpose_refusals(office, segment, named, answer)
        if segment.is_open:
            return found + self.open_refusals(office, actor, segment, start, end, now)
        new_start, new_end = start or segment.start, end or segment.end
        if (new_start, new_end) == (segment.start, segment.end):
            return found
        found += office.hand_refusals(new_start, new_end, now)
        new_end = rules.counted(new_end, now)
        return found + (self.place_refusals(office, segment, new_start, new_end) if new_start < new_end else [])

    def purpose_refusals(self, office, segment, named, answer):
        before = segment.purpose
        things = {name: thing for name, thing in named.items() if thing is not getattr(before, name) or thing is None}
        found = office.purpose_refusals(named, segment.user) if things else []
        if not found and named.get("break_type") and segment.entry is None:
            found = [Refusal(422, "outside_time_entry")]
        if answer.status >= 300:
            # It is left open whether unchanged members are judged again if another changes.
            purpose = self.changed_purpose(office, segment, named)
            found = found + [Refusal(422, "project_archived")] * bool(purpose.project and purpose.project.is_archived)
            found = found + [Refusal(422, "task_hidden")] * bool(purpose.task and purpose.task.is_hidden)
        return found

    @staticmethod
    def open_refusals(office, actor, segment, start, end, now):
        found = [Refusal(409, "segment_active")] if end else []
        if start and start != segment.start:
            # As for the start of an active entry, managers are not bound to the look-back.
            found += office.backdating_refusals(start, now, actor.role == "member")
            found += UpdateSegment.place_refusals(office, segment, rules.counted(start, now), math.inf)
        return found

    @staticmethod
    def place_refusals(office, segment, start, end):
        found = office.segment_overlap_refusals(segment.user, start, end, segment)
        entry = segment.entry
        if entry and not office.does_contain(entry.start, entry.end, start, end):
            found.append(Refusal(422, "outside_time_entry"))
        return found


@dataclasses.dataclass(frozen=True)
class DeleteSegment(SegmentStep):
    condition: str | None
    reason: str | None

    @classmethod
    def draw(cls, random, actor):
        return cls(actor, *cls.draw_segment(random, actor), draw_condition(random), draw_reason(random))

    def run(self, office, session):
        actor = office.people[self.actor]
        segment, identifier = self.segment(office)
        fields, demanded = condition(self.condition, segment.version if segment else 1)
        path = f"/segments/{identifier}{query(reason=self.reason)}"
        answer, window = session.ask(actor, "DELETE", path, None, fields)

        def refusals(now):
            found = office.change_segment_refusals(actor, segment, demanded, self.reason, now)
            if segment is None or actor is not segment.user:
                return found
            return found + office.window_refusals(actor, segment.entry or segment, now)

        if is_refused(answer, window, refusals):
            return
        expect(answer.status == 204 and not answer.body, "the model answers 204", answer)
        office.remove(segment)
