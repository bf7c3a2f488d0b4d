"""Starting and stopping, clocking in and out."""

import dataclasses
import math

from time_model import clocking_steps, rules
from time_model.comparing import expect, expect_answer, is_refused, shown
from time_model.drawing import ABSENT_ID, CAST, chance, chosen
from time_model.drawing import Words as Notes
from time_model.rules import Refusal
from time_model.step import Step, stated

from .drawing import QUARTER, For, Moment, Words, draw_subject, members
from .rules import Anything
from .step import end_segment, expect_time, new_segment


class ClockIn(clocking_steps.ClockIn):
    @classmethod
    def draw(cls, random, actor):
        return cls(actor, draw_subject(random, actor), Moment.draw_clock_in(random), None, Notes(None))

    @classmethod
    def in_the_morning(cls, random, actor):
        """One that succeeds, before anything else has happened."""
        return cls(actor, None, Moment("start", -QUARTER * random.randrange(16, 48)), None, Notes(None))


class ClockOut(clocking_steps.ClockOut):
    @classmethod
    def draw(cls, random, actor):
        return cls(actor, draw_subject(random, actor), Moment.draw_stated(random, 0.12), Notes(None))

    def run(self, office, session):
        super().run(office, session)
        office.settle(session.window)


@dataclasses.dataclass(frozen=True)
class StartSegment(Step):
    user: str | None
    time: Moment | None
    purpose: For
    words: Words
    does_clock_in: bool

    @classmethod
    def draw(cls, random, actor):
        return cls(
            actor,
            draw_subject(random, actor),
            Moment.draw_stated(random),
            For.draw(random),
            Words.draw(random),
            chance(random, 0.85),
        )

    @classmethod
    def in_the_morning(cls, random, actor):
        """One that succeeds, on work, after a clock-in."""
        return cls(actor, None, Moment("after", QUARTER), For(project=0.3), Words(None, None), True)

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        time = self.time and self.time.at(office, subject or actor, session.now())
        named = self.purpose.at(office)
        answer, window = session.ask(
            actor,
            "POST",
            "/segments/start",
            stated(
                userId=user_id,
                startTime=time and rules.written(time),
                clockIn=None if self.does_clock_in else False,
                **members(named, ABSENT_ID),
                **self.words.stated,
            ),
        )
        if is_refused(answer, window, lambda now: self.refusals(office, actor, subject, time, named, now, answer)):
            return
        purpose, active, running = office.resolved(named), office.active(subject), office.open_segment(subject)
        if running and office.is_same(running, purpose):
            name = self.words.kept_name(running.name, purpose)
            if name != running.name:
                running.name = name
                running.version += 1
                running.updated = window
            expected = {"segment": running, "stopped": None, "timeEntry": active, "clockedIn": False}
            expect_answer(answer, 200, expected, window)
            return
        expect(answer.status == 201, "the model answers 201", answer)
        made = answer.json
        floor = running.start if running else active.start if active else 0
        start = expect_time(time, made["segment"]["startTime"], window, answer, floor)
        is_clocking_in = active is None
        if is_clocking_in:
            active = self.new_entry(office, actor, subject, start, made["timeEntry"], window)
        remembered = office.remembered(running) if purpose.kind == "break" else None
        if running:
            end_segment(office, running, start, window)
        segment = new_segment(
            office, actor, subject, made["segment"], start, math.inf, active, purpose, self.words, window
        )
        segment.resumes = remembered
        expected = {"segment": segment, "stopped": running, "timeEntry": active, "clockedIn": is_clocking_in}
        expect_answer(answer, 201, expected, window)
        location = f"/v1/organizations/{office.id}/segments/{segment.id}"
        expect(answer.fields.get("location") == location, "Location is where it is", answer.fields)

    @staticmethod
    def new_entry(office, actor, subject, start, made, window):
        created = rules.read(made["createdAt"])
        expect(window.earliest <= created <= window.latest, f"it was created between {window}", made)
        zone, source = subject.zone or office.zone, "api" if actor is subject else "admin"
        entry = rules.Entry(made["id"], subject, start, math.inf, zone, None, source, created, created)
        office.entries.append(entry)
        return entry

    def refusals(self, office, actor, subject, time, named, now, answer):
        found = office.purpose_refusals(named, subject)
        if subject is None or office.subject_refusals(actor, subject):
            return office.subject_refusals(actor, subject) + [one for one in found if one.status == 400]
        found = found + self.words.refusals
        if time is not None:
            found += office.backdating_refusals(time, now)
        if found:
            return found
        purpose, active, running = office.resolved(named), office.active(subject), office.open_segment(subject)
        if running and office.is_same(running, purpose):
            # Whether another start counts if nothing else changes is left open.
            is_earlier = time is not None and time < running.start and answer.status >= 300
            return [office.segment_overlap([running])] if is_earlier else []
        if active is None and not office.does_clock_in(purpose, self.does_clock_in):
            return [Refusal(409, "not_clocked_in")]
        is_now = time is None or time > now
        if active is None:
            begin = now + rules.CLOCK_IN_MOVE if is_now else time
            if office.overlapping(subject, begin, math.inf):
                found += office.overlap_refusals(subject, now if is_now else time, math.inf)
        elif not is_now and time < active.start:
            found.append(Refusal(422, "outside_time_entry"))
        if running and not is_now and time < running.start:
            return [*found, office.segment_overlap([running])]
        begin = max(now, active.start if active else 0) if is_now else time
        return found + office.segment_overlap_refusals(subject, begin, math.inf, running)


@dataclasses.dataclass(frozen=True)
class StopSegment(Step):
    user: str | None
    time: Moment | None
    does_resume: bool
    does_clock_out: bool
    # A manager's is mostly for a member with a running segment.
    choice: float | None

    @classmethod
    def draw(cls, random, actor):
        return cls(
            actor,
            draw_subject(random, actor),
            Moment.draw_stated(random),
            chance(random, 0.75),
            chance(random, 0.2),
            random.random() if CAST[actor] != "member" and chance(random, 0.8) else None,
        )

    def subject(self, office):
        running = [one.user for one in office.segments if one.is_open]
        if self.choice is None or not running:
            return super().subject(office)
        person = chosen(running, self.choice, None)
        return person, person.id

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        time = self.time and self.time.at(office, subject or actor, session.now())
        answer, window = session.ask(
            actor,
            "POST",
            "/segments/stop",
            stated(
                userId=user_id,
                endTime=time and rules.written(time),
                resume=None if self.does_resume else False,
                clockOut=self.does_clock_out or None,
            ),
        )
        if is_refused(answer, window, lambda now: self.refusals(office, actor, subject, time, now)):
            return
        made = answer.json
        running, entry = office.open_segment(subject), office.active(subject)
        expect(made["segment"]["endTime"] is not None, "it has an end", answer)
        end = expect_time(time, made["segment"]["endTime"], window, answer, running.start)
        work = office.resumed(running) if self.does_resume and not self.does_clock_out else None
        end_segment(office, running, end, window)
        resumed = None
        if work:
            expect(made["resumed"] is not None, f"the model goes back to {shown(work, window)}", answer)
            words = Words(work.name, tuple(work.tags))
            resumed = new_segment(
                office,
                actor,
                subject,
                made["resumed"],
                end,
                math.inf,
                entry,
                work.purpose,
                words,
                window,
                source=Anything(),
            )
            resumed.is_billable = work.is_billable
        if self.does_clock_out:
            self.clock_out(office, entry, end, made["timeEntry"], window, answer)
        expect_answer(answer, 200, {"segment": running, "resumed": resumed, "timeEntry": entry}, window)

    @staticmethod
    def clock_out(office, entry, end, made, window, answer):
        # Never before it began, and never stuck.
        entry.end = rules.read(made["clockOutTime"] or rules.written(0))
        expect(entry.end == max(end, entry.start + 1), "the entry ends with the segment", answer)
        entry.flags = frozenset(office.judgment(entry.start, entry.end))
        entry.version += 1
        entry.updated = rules.read(made["updatedAt"])
        expect(window.earliest <= entry.updated <= window.latest, f"it was changed between {window}", answer)
        office.settle(window)

    def refusals(self, office, actor, subject, time, now):
        found = office.subject_refusals(actor, subject)
        if found:
            return found
        running = office.open_segment(subject)
        if running is None:
            early = office.backdating_refusals(time, now, actor.role == "member") if time is not None else []
            return [*early, Refusal(409, "no_active_segment")]
        return office.stop_refusals(actor, running, time, self.does_clock_out, now)
