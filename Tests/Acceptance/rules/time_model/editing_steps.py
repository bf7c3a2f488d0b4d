"""Changing and deleting entries."""

import dataclasses
import math

from . import rules
from .comparing import expect, expect_answer, is_refused
from .drawing import Moment, Span, Words, chance, draw_zone
from .step import CONDITIONS, EntryStep, condition, kept, query, stated, update_time


@dataclasses.dataclass(frozen=True)
class UpdateEntry(EntryStep):
    condition: str | None
    start: Moment | None
    end: Moment | None
    # With a start, in place of an end.
    span: Span | None
    zone: str | None
    # None leaves them; Words(None) takes them away.
    notes: Words | None
    reason: Words

    @classmethod
    def draw(cls, random, actor):
        start = end = span = None
        roll = random.random()
        if roll < 0.2:
            start = Moment.draw(random)
        elif roll < 0.4:
            end = Moment.draw(random)
        elif roll < 0.7:
            span = Span.draw(random)
        notes = Words.draw(random) if chance(random, 0.4) else None
        reason = Words.draw(random) if chance(random, 0.3) else Words("asked by mail")
        return cls(
            actor,
            *cls.draw_entry(random),
            random.choice(CONDITIONS),
            start,
            end,
            span,
            draw_zone(random),
            notes,
            reason,
        )

    def run(self, office, session):
        actor = office.people[self.actor]
        entry, identifier = self.entry(office)
        fields, demanded = condition(self.condition, entry.version if entry else 1)
        start, end = self.times(office, entry.user if entry else actor, session.now())
        notes = self.notes and self.notes.at(office.policy["notesMaximumCharacters"])
        reason = self.reason.at(rules.REASON_LIMIT)
        body = stated(
            clockInTime=start and rules.written(start),
            clockOutTime=end and rules.written(end),
            timeZone=self.zone,
            reason=reason,
        )
        if self.notes:
            body["notes"] = notes
        answer, window = session.ask(actor, "PATCH", f"/timeEntries/{identifier}", body, fields)

        def refusals(now):
            found = office.change_refusals(actor, entry, demanded, reason, now)
            if entry is None or (actor is not entry.user and actor.role == "member"):
                return found
            found += office.zone_refusals(self.zone) + (office.notes_refusals(notes) if self.notes else [])
            if entry.is_open:
                if end:
                    return [*found, rules.Refusal(409, "entry_active")]
                if start and start != entry.start:
                    found += office.backdating_refusals(start, now, actor.role == "member")
                    found += office.overlap_refusals(entry.user, rules.counted(start, now), math.inf, entry.id)
                return found
            new_start, new_end = start or entry.start, end or entry.end
            if (new_start, new_end) != (entry.start, entry.end):
                # Times that stay are not judged again.
                found += office.manual_refusals(new_start, new_end, now)
                new_end = rules.counted(new_end, now)
                if new_start < new_end:
                    found += office.overlap_refusals(entry.user, new_start, new_end, entry.id)
            return found

        if is_refused(answer, window, refusals):
            return
        before = dataclasses.replace(entry)
        if start:
            entry.start, _ = kept(start, "clockInTime", answer, window)
        if end:
            entry.end, _ = kept(end, "clockOutTime", answer, window)
        entry.zone = self.zone or entry.zone
        if self.notes:
            entry.notes = office.sanitized(notes)
        if (entry.start, entry.end) != (before.start, before.end):
            entry.flags -= {"under_minimum", "over_maximum"}
            if entry.end != before.end:
                entry.flags -= {"auto_closed"}
        if entry != before:
            entry.version += 1
            entry.updated = update_time(answer, window)
            office.keep("updated", entry)
        expect_answer(answer, 200, entry, window, entry.version)

    def times(self, office, subject, now):
        if self.span:
            return self.span.at(office, subject, now)
        return [moment and moment.at(office, subject, now) for moment in (self.start, self.end)]


@dataclasses.dataclass(frozen=True)
class DeleteEntry(EntryStep):
    condition: str | None
    reason: Words

    @classmethod
    def draw(cls, random, actor):
        return cls(
            actor,
            *cls.draw_entry(random),
            random.choice(CONDITIONS),
            Words.draw(random) if chance(random, 0.3) else Words("entered twice"),
        )

    def run(self, office, session):
        actor = office.people[self.actor]
        entry, identifier = self.entry(office)
        fields, demanded = condition(self.condition, entry.version if entry else 1)
        reason = self.reason.at(rules.REASON_LIMIT)
        answer, window = session.ask(actor, "DELETE", f"/timeEntries/{identifier}{query(reason=reason)}", None, fields)

        def refusals(now):
            found = office.change_refusals(actor, entry, demanded, reason, now)
            return found + office.undoing_refusals(actor, entry, now)

        if is_refused(answer, window, refusals):
            return
        expect(answer.status == 204 and not answer.body, "the model answers 204", answer)
        office.entries.remove(entry)
        office.deleted.append(entry.id)
        office.keep("deleted", entry)
