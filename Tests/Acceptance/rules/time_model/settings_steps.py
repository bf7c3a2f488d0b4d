"""Changing the organization's policy and its members."""

import dataclasses

from . import rules
from .comparing import expect, expect_answer, is_refused
from .drawing import NOBODY, chance, draw_zone, maybe
from .step import CONDITIONS, Step, close, condition, stated


@dataclasses.dataclass(frozen=True)
class ChangePolicy(Step):
    condition: str | None
    limits: tuple
    zone: str | None

    @classmethod
    def draw(cls, random, actor):
        good = {
            "minimumSeconds": [0, 1, 60, 60, 300],
            "maximumSeconds": [57_600, 57_600, 3_600, 604_800],
            "editWindowDays": [0, 0, 30, 3_650],
            "lookBackHours": [72, 72, 1, 0, 8_760],
            "notesMaximumCharacters": [500, 10, 0, 10_000],
        }
        bad = {name: [low - 1, high + 1] for name, (low, high) in rules.POLICY_BOUNDS.items()}
        limits = [
            (name, random.choice(bad[name] if chance(random, 0.04) else values))
            for name, values in good.items()
            if chance(random, 0.3)
        ]
        # Mostly by someone who may.
        actor = actor if chance(random, 0.2) else "owner"
        return cls(actor, random.choice(CONDITIONS), tuple(limits), draw_zone(random))

    def run(self, office, session):
        actor = office.people[self.actor]
        fields, demanded = condition(self.condition, office.version)
        limits = dict(self.limits)
        answer, window = session.ask(actor, "PATCH", "", stated(timeZone=self.zone, policy=limits), fields)
        refusals = admin_refusals(actor) or (
            office.condition_refusals(demanded, office)
            + office.policy_refusals(limits)
            + office.zone_refusals(self.zone)
        )
        if is_refused(answer, window, lambda _: refusals):
            return
        before = (office.zone, dict(office.policy))
        office.policy.update(limits)
        office.zone = self.zone or office.zone
        office.version += (office.zone, office.policy) != before
        expect_answer(answer, 200, office, window, office.version)


@dataclasses.dataclass(frozen=True)
class ChangeMember(Step):
    user: str
    condition: str | None
    role: str | None
    zone: str | None
    is_active: bool | None

    @classmethod
    def draw(cls, random, actor):
        # The owner is never changed: somebody has to be left who may.
        user = random.choice(["manager", "ana", "bo", NOBODY] if chance(random, 0.1) else ["manager", "ana", "bo"])
        is_active = maybe(random, 0.5, [False, True])
        return cls(
            actor if chance(random, 0.2) else "owner",
            user,
            random.choice(CONDITIONS),
            maybe(random, 0.3, ["member", "member", "manager"]),
            draw_zone(random),
            is_active,
        )

    def run(self, office, session):
        actor = office.people[self.actor]
        person, user_id = self.subject(office)
        fields, demanded = condition(self.condition, person.version if person else 1)
        body = stated(role=self.role, timeZone=self.zone, active=self.is_active)
        answer, window = session.ask(actor, "PATCH", f"/members/{user_id}", body, fields)
        if is_refused(answer, window, lambda _: self.refusals(office, actor, person, demanded)):
            return
        before = dataclasses.replace(person)
        person.role = self.role or person.role
        person.zone = self.zone or person.zone
        person.is_active = person.is_active if self.is_active is None else self.is_active
        person.version += person != before
        expect_answer(answer, 200, person, window, person.version)
        if before.is_active and not person.is_active:
            self.close_active(office, session, person, window)
        if person.is_active and not before.is_active:
            # The person's tokens are revoked for good.
            person.token = session.make_token(person)

    def refusals(self, office, actor, person, demanded):
        found = admin_refusals(actor)
        if found:
            return found
        if person is None:
            return (
                [rules.Refusal(404, "member_not_found")]
                + office.zone_refusals(self.zone)
                + ([rules.Refusal(428, "precondition_required")] if demanded is False else [])
            )
        return office.condition_refusals(demanded, person) + office.zone_refusals(self.zone)

    @staticmethod
    def close_active(office, session, person, window):
        """The entry of somebody who has gone ends at that moment, and says so."""
        entry = office.active(person)
        if entry is None:
            return
        answer, seen = session.ask(office.people["owner"], "GET", f"/timeEntries/{entry.id}")
        expect(answer.status == 200, "the model answers 200", answer)
        close(office, entry, None, answer, window)
        entry.flags |= {"auto_closed"}
        expect_answer(answer, 200, entry, seen, entry.version)
        office.keep("updated", entry)


def admin_refusals(actor):
    return [] if actor.role == "admin" else [rules.Refusal(403, "forbidden")]
