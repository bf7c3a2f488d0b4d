"""The shared part of a sequence's steps: the actor, the member or entry acted on, and the entity tag."""

import dataclasses
import urllib.parse

from . import rules
from .comparing import expect
from .drawing import ABSENT_ID, chance, chosen


@dataclasses.dataclass(frozen=True)
class Step:
    actor: str

    def subject(self, office):
        """The person spoken of, None for nobody; and their id as the request states it, None to leave it out."""
        if self.user is None:
            return office.people[self.actor], None
        person = office.people.get(self.user)
        return person, person.id if person else ABSENT_ID


@dataclasses.dataclass(frozen=True)
class EntryStep(Step):
    """A step about one entry: mostly one that is there, else one that was, or none at all."""

    choice: float
    existence: float
    # Whether it is one of the actor's own.
    is_own: bool

    @classmethod
    def draw_entry(cls, random):
        return random.random(), random.random(), chance(random, 0.6)

    def entry(self, office):
        """The entry, None if there is none; and its id."""
        deleted = office.deleted if self.existence < 0.05 else []
        own = [entry for entry in office.entries if entry.user is office.people[self.actor]]
        entries = own if self.is_own and own else office.entries
        if not entries or deleted or self.existence < 0.02:
            return None, chosen(deleted, self.choice, ABSENT_ID)
        entry = chosen(entries, self.choice, None)
        return entry, entry.id


def stated(**members):
    return {name: value for name, value in members.items() if value is not None}


def query(**parameters):
    return "?" + urllib.parse.urlencode(stated(**parameters), quote_via=urllib.parse.quote)


# How a request names the version it means.
CONDITIONS = ["present"] * 12 + ["any", "any", "list", "stale", "stale", "weak", "unknown", None]


def condition(kind, version):
    """The header field, and the version it demands: None is any, False is no condition at all, -1 never holds."""
    if kind is None:
        return [], False
    value, demanded = {
        "present": (f'"{version}"', version),
        "any": ("*", None),
        "list": (f'"0", "{version}"', version),
        "stale": (f'"{version - 1}"', -1),
        "weak": (f'W/"{version}"', -1),
        "unknown": ('"x"', -1),
    }[kind]
    return [("If-Match", value)], demanded


def update_time(answer, window):
    updated = rules.read(answer.json["updatedAt"])
    expect(window.earliest <= updated <= window.latest, f"it was changed between {window}", answer)
    return updated


def kept(time, name, answer, window):
    """The stated time as the answer shows it, and whether it counts as now because it was ahead."""
    read = rules.read(answer.json[name])
    if time is None:
        return read, True
    if time == read:
        expect(time <= window.latest, f"it is no later than {window}", answer)
        return read, False
    ahead = answer.json.get("clockAheadMilliseconds", 0)
    expect(time > window.earliest and read + ahead == time, "a time that is ahead counts as now", answer)
    return read, True


def close(office, entry, time, answer, window):
    """Ends an active entry at a stated time, or at the service's present one, as its answer shows it."""
    end, is_now = kept(time, "clockOutTime", answer, window)
    if is_now:
        # Never before it began, and never stuck.
        expect(
            max(window.earliest, entry.start + 1) <= end <= max(window.latest, entry.start + 1),
            f"it ends between {window}",
            answer,
        )
    entry.end = end
    entry.flags = frozenset(office.judgment(entry.start, end))
    entry.version += 1
    entry.updated = update_time(answer, window)
