"""The entries to make, before anybody has an id.

A plan knows members and sessions by their place, so that it can be made in an organization and calculated from alike.
"""

import dataclasses
import datetime

from . import facts, subjects


@dataclasses.dataclass(frozen=True)
class PlannedSegment:
    """Work on a project, a task or both, or else a break: places in `subjects.py`. `end` is None while it is open."""

    start: int
    end: int | None
    project: int | None = None
    task: int | None = None
    break_type: int | None = None
    tags: tuple = ()
    # The billability stated afterwards, against the project's.
    stated_billable: bool | None = None

    @property
    def kind(self):
        """As its kind of break was when it was written."""
        if self.break_type is None:
            return "work"
        return "paid" if subjects.BREAKS[self.break_type].is_paid else "unpaid"

    @property
    def is_billable(self):
        if self.stated_billable is not None:
            return self.stated_billable
        return self.project is not None and subjects.PROJECTS[self.project].is_billable


@dataclasses.dataclass(frozen=True)
class PlannedEntry:
    """`session` is a place in the plan's sessions or None; `is_clocked` is for one with flags; `end` None if active."""

    member: int
    start: int
    end: int | None
    session: int | None
    is_clocked: bool = False
    # In the order of time; only the last one may be open.
    segments: tuple = ()


@dataclasses.dataclass(frozen=True)
class Plan:
    zone: str
    # The date that it is about; None if that is nobody's matter.
    anchor: datetime.date | None
    members: tuple
    # Each member's own zone, which entries are entered in, or None.
    zones: tuple
    sessions: tuple
    entries: tuple
    policy: facts.Policy
    # Places of the members who are deactivated at the end, which closes their open time.
    deactivated: frozenset = frozenset()
    # Those of them who are made anonymous.
    anonymous: frozenset = frozenset()
    # The place of an entry that is deleted again.
    deleted: int | None = None
    # Segments that are kept without an entry, each with its member's place.
    outside: tuple = ()

    def name(self, place):
        """A member's name in the end."""
        return "Anonymous" if place in self.anonymous else self.members[place]

    def facts(self, now):
        """The facts that a report is calculated from, with made-up ids."""
        members = [
            facts.Member(member_id(place), self.name(place), place not in self.deactivated)
            for place in range(len(self.members))
        ]
        sessions = [facts.Session(session_id(place), title) for place, title in enumerate(self.sessions)]
        kept = [(place, one) for place, one in enumerate(self.entries) if place != self.deleted]
        return facts.Facts(
            tuple(
                facts.Entry(
                    entry_id(place),
                    members[one.member],
                    one.start,
                    self.end(one.member, one.end, now),
                    self.zones[one.member] or self.zone,
                    None if one.session is None else sessions[one.session],
                    "admin" if place % 3 else "api",
                    ("over_maximum",) if one.is_clocked and place % 2 else (),
                )
                for place, one in kept
            ),
            self.policy,
            self.segments(subjects.made_up(), [member.id for member in members], kept, now),
        )

    def end(self, member, end, now):
        """Deactivation closes open time."""
        return now if end is None and member in self.deactivated else end

    def segments(self, known, members, kept, now):
        """All segments, with the ids of these members and of the entries that were kept."""
        found = [(one.member, entry_id(place), segment) for place, one in kept for segment in one.segments]
        found += [(member, None, segment) for member, segment in self.outside]
        return tuple(
            known.segment(segment, members[member], entry, self.end(member, segment.end, now), member in self.anonymous)
            for member, entry, segment in found
        )


def entry_id(place):
    return f"entry-{place:03}"


def member_id(place):
    return f"member-{place}"


def session_id(place):
    return f"session-{place}"
