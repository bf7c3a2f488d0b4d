"""The years to make, before anybody has an id: members, calendars and the like are known by their places."""

import collections
import dataclasses
import datetime

from report_model.facts import Member
from report_model.plan import Plan, member_id

from . import facts


@dataclasses.dataclass(frozen=True)
class PlannedPerson:
    """All but the entries of a member; those are in the plan's `times`."""

    rows: tuple
    absences: tuple = ()
    adjustments: tuple = ()
    entitlements: tuple = ()


@dataclasses.dataclass(frozen=True)
class Years:
    """An organization's; `times` has its members, entries, segments and policy. All of it lies in `first` to `last`."""

    times: Plan
    calendars: tuple
    people: tuple
    first: datetime.date
    last: datetime.date

    def known(self, now):
        """The facts with made-up ids."""
        members = [Member(member_id(place), name) for place, name in enumerate(self.times.members)]
        return known(self, self.times.facts(now), members)


def known(years, times, members):
    """The facts of an organization, with these entries and segments: the service's, or a plan's."""
    entries, segments = collections.defaultdict(list), collections.defaultdict(list)
    for entry in times.entries:
        entries[entry.member.id].append(entry)
    for segment in times.segments:
        segments[segment.member].append(segment)
    people = tuple(
        facts.Person(
            member,
            person.rows,
            person.absences,
            person.adjustments,
            person.entitlements,
            tuple(entries[member.id]),
            tuple(segments[member.id]),
        )
        for person, member in zip(years.people, members)
    )
    return facts.Known(years.times.zone, years.times.policy, years.calendars, people)
