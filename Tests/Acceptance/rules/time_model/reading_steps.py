"""Looking at entries."""

import dataclasses
import datetime

from . import rules
from .comparing import expect, expect_answer, expect_list, is_refused, pages
from .drawing import ABSENT_ID, Span, chance, chosen, draw_subject, maybe
from .step import EntryStep, Step, query


@dataclasses.dataclass(frozen=True)
class GetEntry(EntryStep):
    @classmethod
    def draw(cls, random, actor):
        return cls(actor, *cls.draw_entry(random))

    def run(self, office, session):
        actor = office.people[self.actor]
        entry, identifier = self.entry(office)
        answer, window = session.ask(actor, "GET", f"/timeEntries/{identifier}")
        refusals = (
            [rules.Refusal(404, "time_entry_not_found")]
            if entry is None
            else office.subject_refusals(actor, entry.user)
        )
        if not is_refused(answer, window, lambda _: refusals):
            expect_answer(answer, 200, entry, window, entry.version)


@dataclasses.dataclass(frozen=True)
class CheckOverlap(Step):
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
        excluded = None
        if self.exclusion is not None:
            excluded = chosen([entry.id for entry in office.entries], self.exclusion, ABSENT_ID)
        answer, window = session.ask(
            actor,
            "GET",
            "/timeEntries/overlaps"
            + query(
                userId=user_id, startTime=rules.written(start), endTime=rules.written(end), excludeEntryId=excluded
            ),
        )
        refusals = office.subject_refusals(actor, subject) or (
            [] if start < end else [rules.Refusal(422, "end_not_after_start", "End time must be after start time")]
        )
        if not is_refused(answer, window, lambda _: refusals):
            found = office.overlapping(subject, start, end, excluded)
            expect_answer(
                answer,
                200,
                {
                    "overlaps": bool(found),
                    "count": len(found),
                    "timeEntryIds": [entry.id for entry in found[: rules.OVERLAPS_SHOWN]],
                },
                window,
            )


@dataclasses.dataclass(frozen=True)
class ListEntries(Step):
    user: str | None
    # In days from that of the office's base.
    first: int | None
    last: int | None
    match: str | None
    status: str | None
    limit: int

    @classmethod
    def draw(cls, random, actor):
        last = random.choice([-2, -1, -1, -1, 0, 1]) if chance(random, 0.7) else None
        first = (last or -1) - random.choice([-1, 0, 0, 0, 1, 1, 2, 30]) if chance(random, 0.7) else None
        return cls(
            actor,
            draw_subject(random, actor),
            first,
            last,
            maybe(random, 0.8, ["overlap", "overlap", "overlap", "start"]),
            maybe(random, 0.2, ["clocked-in", "clocked-out"]),
            random.choice([1, 2, 3, 100, 1_000]),
        )

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        today = rules.local_date(office.base, office.zone)
        first, last = [
            None if days is None else today + datetime.timedelta(days=days) for days in (self.first, self.last)
        ]
        path = "/timeEntries" + query(
            userId=user_id, startDate=first, endDate=last, match=self.match, status=self.status, limit=self.limit
        )
        answer, window = session.ask(actor, "GET", path)
        refusals = office.subject_refusals(actor, subject)
        if not refusals and None not in (first, last) and first > last:
            refusals = [rules.Refusal(422, "invalid_date_range")]
        if is_refused(answer, window, lambda _: refusals):
            return
        # Left out, it is everyone for managers.
        user = None if self.user is None and actor.role != "member" else subject
        expected = office.listed(user, first, last, self.match, self.status)
        expect_list(expected, *pages(actor, session, path, answer, window, "timeEntries", self.limit))


@dataclasses.dataclass(frozen=True)
class Current(Step):
    user: str | None

    @classmethod
    def draw(cls, random, actor):
        return cls(actor, draw_subject(random, actor))

    def run(self, office, session):
        actor = office.people[self.actor]
        subject, user_id = self.subject(office)
        answer, window = session.ask(actor, "GET", "/timeEntries/current" + query(userId=user_id))
        if is_refused(answer, window, lambda _: office.subject_refusals(actor, subject)):
            return
        active = office.active(subject)
        expect_answer(answer, 200, {"status": "clocked-in" if active else "clocked-out", "timeEntry": active}, window)
        expect(
            window.earliest <= rules.read(answer.json["serverTime"]) <= window.latest,
            f"the service's time is between {window}",
            answer,
        )
