"""The sources that the steps of a sequence are drawn from: moments, and purposes of time.

Nothing here is known of ids or of the time at which a step will run.
"""

import dataclasses
import math

from time_model import rules
from time_model.drawing import CAST, chance, chosen, maybe
from time_model.rules import HOUR, MINUTE, SECOND

ACTORS = ["owner", "manager", "manager", "ana", "ana", "ana", "bo", "bo"]
# The members to clock in: few, so that much happens to each.
SUBJECTS = ["ana", "ana", "ana", "bo", "bo", "manager"]
QUARTER = 15 * MINUTE
NAMES = [None, None, None, "Picking", "  Pressing ", "", "Ä" * 200]
NO_NAMES = ["x" * 201, "bell\a"]
TAGS = [None, None, None, [], ["garden"], [" garden ", "quarter", "garden"]]
NO_TAGS = [[str(number) for number in range(11)], [" "], ["x" * 51]]
REASON = "asked by mail"


def draw_subject(random, actor):
    """The member; None leaves it out of the request, which means the actor's own."""
    if chance(random, 0.03 if CAST[actor] == "member" else 0.85):
        return random.choice(["nobody"] if chance(random, 0.02) else SUBJECTS)
    return maybe(random, 0.2, [actor])


def draw_reason(random):
    return None if chance(random, 0.07) else REASON


@dataclasses.dataclass(frozen=True)
class Moment:
    """An instant as a sequence states it: `offset` milliseconds from something that is known when it is run."""

    kind: str
    offset: int
    choice: float = 0

    @classmethod
    def draw(cls, random):
        roll = random.random()
        if roll < 0.4:
            return cls("after", random.choice([0, 1, 10 * MINUTE, QUARTER, QUARTER, HOUR]))
        if roll < 0.8:
            return cls("edge", random.choice([0, 0, 0, -1, 1, -QUARTER, QUARTER]), random.random())
        return cls("start", -QUARTER * random.randrange(96))

    @classmethod
    def draw_stated(cls, random, unstated=0.25):
        """A time for something that begins or ends now, None if it is left out."""
        roll = random.random()
        if roll < unstated:
            return None
        if roll < unstated + 0.06:
            # Near the limit that clients' clocks may run ahead, and near the look-back; both move, so it keeps away
            # from them.
            return cls(random.choice(["now", "look-back"]), random.choice([-20, 20, 100, 140]) * SECOND)
        return cls.draw(random)

    @classmethod
    def draw_clock_in(cls, random):
        """Mostly some hours ago, so that there is room for later steps."""
        if chance(random, 0.75):
            return cls("start", -QUARTER * random.randrange(8, 56))
        return cls.draw_stated(random)

    def at(self, office, subject, now):
        bases = {"start": office.base, "now": now, "look-back": now - office.policy["lookBackHours"] * HOUR}
        if self.kind in bases:
            return bases[self.kind] + self.offset
        spans = [one for one in office.entries + office.segments if one.user is subject]
        edges = sorted(edge for one in spans for edge in (one.start, one.end) if edge < math.inf)
        if self.kind == "edge":
            return chosen(edges, self.choice, office.base - 2 * HOUR) + self.offset
        # Not yet in the future, if the sequence has come as far as now.
        return min(edges[-1] + self.offset if edges else office.base - 8 * HOUR, now - 5 * SECOND)


@dataclasses.dataclass(frozen=True)
class Span:
    """A start and a length, or two edges."""

    start: Moment
    length: int | None
    end: Moment | None = None

    @classmethod
    def draw(cls, random):
        roll = random.random()
        start = Moment.draw(random)
        if roll < 0.45:
            return cls(start, None, dataclasses.replace(start, kind="edge", choice=random.random()))
        if roll < 0.53:
            return cls(start, random.choice([0, -1, 1, MINUTE - 1, MINUTE, 16 * HOUR, 16 * HOUR + 1]))
        if roll < 0.6:
            return cls(Moment("now", -QUARTER), None, Moment("now", random.choice([-20, 100, 140]) * SECOND))
        if roll < 0.72:
            # Another day.
            day = random.choice([24, 25, 26, 48, 100]) * HOUR
            return cls(Moment("start", -day - QUARTER * random.randrange(8)), QUARTER * random.randrange(1, 16))
        return cls(start, QUARTER * random.choice([1, 1, 2, 4, 8]))

    def at(self, office, subject, now):
        start = self.start.at(office, subject, now)
        if self.end is None:
            return start, start + self.length
        end = self.end.at(office, subject, now)
        return min(start, end), max(start, end)


@dataclasses.dataclass(frozen=True)
class For:
    """The purpose stated by a request: of each kind a choice among the existing ones, or None."""

    project: float | None = None
    task: float | None = None
    break_type: float | None = None

    @classmethod
    def draw(cls, random):
        roll = random.random()
        # Few, so that the same comes again.
        choice = random.choice([0, 0.2, 0.3, random.random()])
        if roll < 0.42:
            return cls(project=choice)
        if roll < 0.58:
            return cls(task=choice)
        if roll < 0.68:
            return cls(project=choice, task=random.random())
        if roll < 0.98:
            return cls(break_type=random.choice([0, 0, 0.4, random.random()]))
        return cls(break_type=choice, project=choice) if chance(random, 0.5) else cls()

    def at(self, office):
        """Of each kind that is stated the thing, None for a missing one."""
        named = [("project", office.projects), ("task", office.tasks), ("break_type", office.break_types)]
        choices = [(name, things, getattr(self, name)) for name, things in named]
        # The last of each is none.
        return {name: chosen([*things, None], choice, None) for name, things, choice in choices if choice is not None}


def members(stated, absent):
    """The members of a body that name the purpose."""
    names = {"project": "projectId", "task": "taskId", "break_type": "breakTypeId"}
    return {names[name]: thing.id if thing else absent for name, thing in stated.items()}


@dataclasses.dataclass(frozen=True)
class Words:
    """A name and tags, as a request states them."""

    name: str | None
    tags: tuple | None

    @classmethod
    def draw(cls, random):
        name = random.choice(NO_NAMES if chance(random, 0.02) else NAMES)
        tags = random.choice(NO_TAGS if chance(random, 0.02) else TAGS)
        return cls(name, None if tags is None else tuple(tags))

    @property
    def refusals(self):
        found = [rules.Refusal(422, "invalid_name")] if self.name in NO_NAMES else []
        # More than may be is no such body, and an empty one no tag.
        if self.tags is not None and list(self.tags) in NO_TAGS:
            found += [rules.Refusal(422, "invalid_tags"), rules.Refusal(400, "invalid_body")]
        return found

    @property
    def kept_tags(self):
        return list(dict.fromkeys(tag.strip() for tag in self.tags or ()))

    def kept_name(self, otherwise, purpose):
        return otherwise if self.name is None else self.name.strip() or purpose.standard_name

    @property
    def stated(self):
        stated = {"name": self.name, "tags": None if self.tags is None else list(self.tags)}
        return {name: value for name, value in stated.items() if value is not None}
