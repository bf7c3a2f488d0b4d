"""The sources that the steps of a sequence are drawn from: people, zones, texts and moments.

Nothing here is known of ids or of the time at which a step will run.
"""

import dataclasses
import math

from . import rules
from .rules import HOUR, MINUTE, SECOND

# The owner makes everybody else and stays; the others come and go.
CAST = {"owner": "admin", "manager": "manager", "ana": "member", "bo": "member"}
ACTORS = ["owner", "manager", "manager", "ana", "ana", "ana", "bo", "bo"]
NOBODY = "nobody"
ABSENT_ID = "019aa0f1-0000-7000-8000-000000000001"
# Some change their clocks at midnight, by half an hour, or twice around Ramadan.
CHANGING_ZONES = [
    "Europe/Berlin",
    "America/St_Johns",
    "America/Havana",
    "Africa/Casablanca",
    "Asia/Beirut",
    "America/Santiago",
    "Australia/Lord_Howe",
]
ZONES = CHANGING_ZONES + ["Asia/Kathmandu", "Pacific/Kiritimati", "Etc/GMT+12", "UTC"]
NO_ZONES = ["Mars/Base", "europe/berlin", ""]
NOTES = [None, "", " \n\u2003", "opening", "  <b>&amp;</b> ", "tab\tand\nline", "\x85e\u0301 👩‍🍳\u00a0", "&lt;"]
NO_NOTES = ["nul\0", "bell\a!", "\u202eevil", "a\u2066b"]


def chance(random, probability):
    return random.random() < probability


def maybe(random, probability, values):
    return random.choice(values) if chance(random, probability) else None


def draw_subject(random, actor):
    """The member; None leaves it out of the request, which means the actor's own."""
    if chance(random, 0.1 if CAST[actor] == "member" else 0.6):
        return random.choice(["ana", "ana", "ana", "bo", "bo", "bo", "manager", "owner", NOBODY])
    return maybe(random, 0.2, [actor])


def draw_zone(random):
    return maybe(random, 0.15, NO_ZONES if chance(random, 0.2) else ZONES)


@dataclasses.dataclass(frozen=True)
class Words:
    """Notes or a reason: a text, or one about as long as the policy allows."""

    text: str | None
    surplus: int | None = None

    @classmethod
    def draw(cls, random):
        roll = random.random()
        if roll < 0.1:
            return cls(random.choice(["x", "😀", "<"]), random.choice([-1, 0, 0, 1]))
        return cls(random.choice(NO_NOTES if roll < 0.15 else NOTES))

    def at(self, limit):
        if self.surplus is None:
            return self.text
        # White space around it does not count.
        return f" {self.text * (limit + self.surplus)}\n"


@dataclasses.dataclass(frozen=True)
class Moment:
    """An instant as a sequence states it: `offset` milliseconds from something that is known when it is run."""

    kind: str
    offset: int
    choice: float = 0

    @classmethod
    def draw(cls, random):
        roll = random.random()
        quarter = 15 * MINUTE
        if roll < 0.35:
            return cls("edge", random.choice([0, 0, 0, 0, -1, 1, -quarter, quarter]), random.random())
        if roll < 0.42:
            return cls("transition", quarter * random.randrange(-8, 9), random.random())
        if roll < 0.6:
            return cls("start", -random.randrange(72 * HOUR))
        return cls("start", -quarter * random.randrange(random.choice([16, 32, 96, 1_000])))

    @classmethod
    def draw_backdated(cls, random):
        """A time for a clock-in or clock-out, at times about the limits; they move, so it keeps away from them."""
        roll = random.random()
        if roll < 0.15:
            return cls("now", random.choice([-20 * SECOND, 20 * SECOND]))
        if roll < 0.3:
            return cls("look-back", random.choice([-20 * SECOND, 20 * SECOND]))
        return cls.draw(random)

    def at(self, office, subject, now):
        if self.kind == "edge":
            own = [entry for entry in office.entries if entry.user is subject]
            edges = sorted(edge for entry in own for edge in (entry.start, entry.end) if edge < math.inf)
            return chosen(edges, self.choice, office.base - 2 * HOUR) + self.offset
        if self.kind == "transition":
            return office.transition(subject.zone or office.zone, self.choice) + self.offset
        bases = {"start": office.base, "now": now, "look-back": now - office.policy["lookBackHours"] * HOUR}
        return bases[self.kind] + self.offset


def chosen(values, choice, otherwise):
    return values[int(choice * len(values))] if values else otherwise


@dataclasses.dataclass(frozen=True)
class Span:
    """A start and a length, which stands about one of the policy's limits if `limit` names it."""

    start: Moment
    length: int
    limit: str | None = None
    is_up_to_now: bool = False

    @classmethod
    def draw(cls, random):
        start = Moment.draw(random)
        roll = random.random()
        if roll < 0.1:
            return cls(start, random.choice([-1, 0, 0, 1]), random.choice(["minimumSeconds", "maximumSeconds"]))
        if roll < 0.18:
            # An end some seconds from the limit that clients' clocks may run ahead.
            return cls(start, rules.CLOCK_SKEW + random.choice([-20, 20]) * SECOND, None, True)
        if roll < 0.24:
            return cls(start, random.choice([0, -1, -HOUR, 1, 20 * HOUR]))
        length = 15 * MINUTE * random.choice([1, 2, 4, 4, 8, 16, 32])
        if start.kind == "start":
            # Ends before the sequence began.
            start = dataclasses.replace(start, offset=start.offset - length)
        return cls(start, length)

    def at(self, office, subject, now):
        if self.is_up_to_now:
            return now + self.length - HOUR, now + self.length
        start = self.start.at(office, subject, now)
        return start, start + self.length + (office.policy[self.limit] * SECOND if self.limit else 0)
