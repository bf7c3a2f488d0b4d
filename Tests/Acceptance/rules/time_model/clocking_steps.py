"""Clocking in, clocking out, and entering time by hand."""

import dataclasses
import math

from . import rules
from .comparing import expect, expect_answer, is_refused
from .drawing import Moment, Span, Words, chance, draw_subject, draw_zone
from .step import Step, close, kept, stated


@dataclasses.dataclass(frozen=True)
class ClockIn(Step):
    user: str | None
    time: Moment | None
    zone: str | None
    notes: Words

    @classmethod
    def draw(cls, random, actor):
        time = Moment.draw_backdated(random) if chance(random, 0.4) else None
        return cls(actor, draw_subject(random, actor), time, draw_zone(random), Words.draw(random))

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        time = self.time and self.time.at(office, subject or actor, session.now())
        notes = self.notes.at(office.policy["notesMaximumCharacters"])
        answer, window = session.ask(
            actor,
            "POST",
            "/timeEntries/clockIn",
            stated(userId=user_id, clockInTime=time and rules.written(time), timeZone=self.zone, notes=notes),
        )
        if is_refused(answer, window, lambda now: self.refusals(office, actor, subject, time, notes, now)):
            return
        start, is_now = kept(time, "clockInTime", answer, window)
        if is_now and not window.earliest <= start <= window.latest:
            # Moved behind the last entry, which ends in a moment.
            ends = [entry.end for entry in office.entries if entry.user is subject]
            expect(
                ends and start == max(ends) and window.earliest < start <= window.latest + rules.CLOCK_IN_MOVE,
                f"it begins between {window}, or where the last entry ends",
                answer,
            )
        expect(not office.overlapping(subject, start, math.inf), "nothing is in the way of the entry", answer)
        new_entry(office, actor, subject, start, math.inf, self.zone, notes, answer, window)

    def refusals(self, office, actor, subject, time, notes, now):
        found = office.subject_refusals(actor, subject)
        if found:
            return found
        found = office.notes_refusals(notes) + office.zone_refusals(self.zone) + office.deactivation_refusals(subject)
        if time is not None:
            found += office.backdating_refusals(time, now)
        if active := office.active(subject):
            return found + [
                rules.Refusal(
                    409,
                    "already_clocked_in",
                    "You already have an active time entry. Please clock out first.",
                    {"activeTimeEntry": active},
                )
            ]
        # An unstated time is moved behind entries that end in a moment.
        is_now = time is None or time > now
        begin = now + rules.CLOCK_IN_MOVE if is_now else time
        return found + (
            office.overlap_refusals(subject, now if is_now else time, math.inf)
            if office.overlapping(subject, begin, math.inf)
            else []
        )


@dataclasses.dataclass(frozen=True)
class ClockOut(Step):
    user: str | None
    time: Moment | None
    notes: Words

    @classmethod
    def draw(cls, random, actor):
        time = Moment.draw_backdated(random) if chance(random, 0.4) else None
        return cls(actor, draw_subject(random, actor), time, Words.draw(random))

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        time = self.time and self.time.at(office, subject or actor, session.now())
        notes = self.notes.at(office.policy["notesMaximumCharacters"])
        answer, window = session.ask(
            actor,
            "POST",
            "/timeEntries/clockOut",
            stated(userId=user_id, clockOutTime=time and rules.written(time), notes=notes),
        )
        if is_refused(answer, window, lambda now: self.refusals(office, actor, subject, time, notes, now)):
            return
        entry = office.active(subject)
        close(office, entry, time, answer, window)
        entry.notes = office.sanitized(notes) or entry.notes
        expect_answer(answer, 200, entry, window, entry.version)
        office.keep("updated", entry)

    def refusals(self, office, actor, subject, time, notes, now):
        found = office.subject_refusals(actor, subject)
        if found:
            return found
        found = office.notes_refusals(notes)
        if time is not None:
            found += office.backdating_refusals(time, now, actor.role == "member")
        active = office.active(subject)
        if not active:
            return found + [rules.Refusal(409, "not_clocked_in", "No active time entry found. Please clock in first.")]
        if time is not None and time <= min(now, active.start):
            found += [rules.Refusal(422, "end_not_after_start", "End time must be after start time")]
        return found


@dataclasses.dataclass(frozen=True)
class CreateEntry(Step):
    user: str | None
    span: Span
    zone: str | None
    notes: Words

    @classmethod
    def draw(cls, random, actor):
        return cls(actor, draw_subject(random, actor), Span.draw(random), draw_zone(random), Words.draw(random))

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        start, end = self.span.at(office, subject or actor, session.now())
        notes = self.notes.at(office.policy["notesMaximumCharacters"])
        answer, window = session.ask(
            actor,
            "POST",
            "/timeEntries",
            stated(
                userId=user_id,
                clockInTime=rules.written(start),
                clockOutTime=rules.written(end),
                timeZone=self.zone,
                notes=notes,
            ),
        )
        if is_refused(answer, window, lambda now: self.refusals(office, actor, subject, start, end, notes, now)):
            return
        end, is_now = kept(end, "clockOutTime", answer, window)
        expect(not is_now or window.earliest <= end <= window.latest, f"it ends between {window}", answer)
        new_entry(office, actor, subject, start, end, self.zone, notes, answer, window)

    def refusals(self, office, actor, subject, start, end, notes, now):
        found = office.subject_refusals(actor, subject)
        if found:
            return found
        found = (
            office.manual_refusals(start, end, now)
            + office.notes_refusals(notes)
            + office.zone_refusals(self.zone)
            + office.deactivation_refusals(subject)
        )
        end = rules.counted(end, now)
        return found + (office.overlap_refusals(subject, start, end) if start < end else [])


def new_entry(office, actor, subject, start, end, zone, notes, answer, window):
    """Takes the service's id and clock over from its answer, once they are found to be possible."""
    made = answer.json
    created = rules.read(made["createdAt"])
    expect(window.earliest <= created <= window.latest, f"it was created between {window}", made)
    expect(made["id"] not in [entry.id for entry in office.entries] + office.deleted, "ids are new", made)
    entry = rules.Entry(
        id=made["id"],
        user=subject,
        start=start,
        end=end,
        zone=zone or subject.zone or office.zone,
        notes=office.sanitized(notes),
        source="api" if actor is subject else "admin",
        created=created,
        updated=created,
    )
    expect_answer(answer, 201, entry, window, 1)
    location = f"/v1/organizations/{office.id}/timeEntries/{entry.id}"
    expect(answer.fields.get("location") == location, "Location is where it is", answer.fields)
    office.entries.append(entry)
    office.keep("created", entry)
