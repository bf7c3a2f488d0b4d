"""What is entered, before anybody has an id.

A plan knows members and sessions by their place, so that it can be made in an organization and calculated from alike.
"""

import dataclasses
import datetime

from . import facts


@dataclasses.dataclass(frozen=True)
class PlannedEntry:
    """`session` is a place in the plan's sessions or None; `is_clocked` is for one with flags; `end` None if active."""

    member: int
    start: int
    end: int | None
    session: int | None
    is_clocked: bool = False


@dataclasses.dataclass(frozen=True)
class Plan:
    zone: str
    # The date that it is about; None where that is nobody's matter.
    anchor: datetime.date | None
    members: tuple
    # Each member's own zone, which entries are entered in, or None.
    zones: tuple
    sessions: tuple
    entries: tuple
    policy: facts.Policy
    # Places of the members who are deactivated at the end, which closes what they have open.
    deactivated: frozenset = frozenset()
    # Those of them who are made anonymous.
    anonymous: frozenset = frozenset()
    # The place of an entry that is deleted again.
    deleted: int | None = None

    def name(self, place):
        """What a member is called in the end."""
        return "Anonymous" if place in self.anonymous else self.members[place]

    def facts(self, now):
        """What a report is calculated from, with made-up ids."""
        members = [
            facts.Member(member_id(place), self.name(place), place not in self.deactivated)
            for place in range(len(self.members))
        ]
        sessions = [facts.Session(session_id(place), title) for place, title in enumerate(self.sessions)]
        return facts.Facts(
            tuple(
                facts.Entry(
                    f"entry-{place:03}",
                    members[one.member],
                    one.start,
                    now if one.end is None and one.member in self.deactivated else one.end,
                    self.zones[one.member] or self.zone,
                    None if one.session is None else sessions[one.session],
                    "admin" if place % 3 else "api",
                    ("over_maximum",) if one.is_clocked and place % 2 else (),
                )
                for place, one in enumerate(self.entries)
                if place != self.deleted
            ),
            self.policy,
        )


def member_id(place):
    return f"member-{place}"


def session_id(place):
    return f"session-{place}"
