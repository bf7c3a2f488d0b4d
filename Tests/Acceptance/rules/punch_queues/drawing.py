"""Random queues of punches, as devices note them, with the entries and segments that the plain ones leave.

All times are milliseconds before the instant at which the queue was drawn, so that it is the same queue whenever it is sent.
"""

import dataclasses
import datetime
import uuid

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# How far back a clock-in may be stated by the policy that the queues are drawn for, and be entered by hand.
LOOK_BACK = 72 * HOUR
MEMORY = 90 * DAY


@dataclasses.dataclass
class Noted:
    """A punch without an id: its kind, its time, and its other members; or nonsense in its place."""

    type: str
    time: int
    more: dict = dataclasses.field(default_factory=dict)
    # Which, of the things' nonsense.
    nonsense: int | None = None


@dataclasses.dataclass
class Truth:
    """An entry that a queue leaves, and its segments: purpose, start and end."""

    start: int
    end: int
    segments: list
    notes: str | None = None


class Queue:
    """The notes of a device in a few days. `truths` is None if only agreement is known."""

    def __init__(self, chance, things):
        self.chance = chance
        self.things = things
        self.truths = []
        self.noted = []
        # The member's state before the queue is sent: out, in since an hour, or was in for an hour, hours ago.
        self.later = chance.choice([None, None, "open", "closed"])
        # The place of the first day: within the look-back, across it, beyond it, beyond the memory of punches, or
        # absurd.
        age = chance.choices(["recent", "across", "old", "ancient", "absurd"], [8, 2, 6, 1, 1])[0]
        time = -{
            "recent": chance.randrange(30 * HOUR, 64 * HOUR),
            "across": LOOK_BACK + HOUR + chance.randrange(HOUR),
            "old": chance.randrange(5 * DAY, 40 * DAY),
            "ancient": MEMORY + chance.randrange(DAY),
            "absurd": chance.choice([200 * DAY, 56 * 365 * DAY]),
        }[age]
        for _ in range(chance.randrange(1, 4)):
            time = self.day(time)
            if time is None:
                break
        self.spoil()
        self.noted = [one for _, one in sorted(enumerate(self.noted), key=lambda pair: (pair[1].time, pair[0]))]

    @classmethod
    def draw(cls, chance, things):
        """A queue whose times are all clear of the limits, which move while it is sent."""
        while True:
            queue = cls(chance, things)
            times = [one.time for one in queue.noted]
            if times and all(abs(time + limit) > 15 * MINUTE for time in times for limit in (LOOK_BACK, MEMORY)):
                return queue

    def day(self, begin):
        """Notes a day, and says when the next one may begin; None if it would be too late."""
        chance, things = self.chance, self.things
        begin += chance.randrange(2 * HOUR)
        kind = chance.choices(["plain", "short", "long", "no end", "no begin"], [12, 1, 1, 1, 1])[0]
        length = {"short": chance.randrange(SECOND, 50 * SECOND), "long": chance.randrange(17 * HOUR, 20 * HOUR)}.get(
            kind, chance.randrange(HOUR, 11 * HOUR)
        )
        end = begin + length
        # Before later acts, and before now.
        if end > -4 * HOUR:
            return None
        inner = self.inner(begin, end) if kind == "plain" else []
        first = self.beginning(begin, inner)
        last = Noted("clockOut", end)
        if chance.random() < 0.2:
            last.more["notes"] = chance.choice(["Done", "  Done ", "x" * 501, "a\u202eb"])
        self.noted += [first] * (kind != "no begin") + inner + [last] * (kind != "no end")
        if kind != "plain" or begin < -MEMORY < end:
            self.truths = None
        elif self.truths is not None and begin > -MEMORY:
            self.truths.append(Truth(begin, end, things.segments(first, inner, end), things.notes(first, last)))
        return end + chance.randrange(3 * HOUR, 14 * HOUR)

    def beginning(self, begin, inner):
        chance, things = self.chance, self.things
        if inner and chance.random() < 0.15:
            # Work that clocks in.
            return Noted("startSegment", begin, dict(things.purpose(chance)))
        first = Noted("clockIn", begin)
        if chance.random() < 0.35:
            first.more.update(things.purpose(chance))
        if chance.random() < 0.2:
            first.more["notes"] = chance.choice(["Opening", "y" * 501, "c\u0007d"])
        if chance.random() < 0.15:
            first.more["sessionId"] = chance.choice(things.sessions)
        if chance.random() < 0.1:
            first.more["timeZone"] = chance.choice(["Asia/Kathmandu", "Mars/Base"])
        return first

    def inner(self, begin, end):
        """Breaks and changes of work, each a minute or more from the next."""
        chance, things = self.chance, self.things
        minutes = sorted(chance.sample(range(1, (end - begin) // MINUTE - 1), chance.choice([0, 0, 1, 2, 3, 5])))
        found = []
        for minute in minutes:
            kind = chance.choice(["start", "start", "break", "stop"])
            one = Noted("stopSegment" if kind == "stop" else "startSegment", begin + minute * MINUTE)
            if kind != "stop":
                one.more.update(things.rest(chance) if kind == "break" else things.purpose(chance))
                if chance.random() < 0.2:
                    one.more["name"] = chance.choice(["Trees", " Trees ", " ", "z" * 201])
            found.append(one)
        return found

    def spoil(self):
        """Adds accidents of fingers and clocks. A second tap, nonsense and 1970 change nothing."""
        chance = self.chance
        for one in list(self.noted):
            if chance.random() < 0.15 and one.type in ("clockIn", "clockOut"):
                self.noted.append(Noted(one.type, one.time + chance.randrange(1, 50 * SECOND), dict(one.more)))
        if chance.random() < 0.15:
            self.noted.append(Noted("clockIn", -chance.choice([56 * 365, 30 * 365]) * DAY))
        if self.noted and chance.random() < 0.2:
            time = chance.choice(self.noted).time + chance.randrange(MINUTE)
            self.noted.append(Noted("clockIn", time, nonsense=chance.randrange(len(self.things.nonsense))))
        if chance.random() < 0.15 and self.later != "open":
            # A clock that is fast, by less than counts as now, or more.
            self.noted.append(Noted(chance.choice(["clockIn", "clockOut"]), chance.choice([100 * SECOND, 10 * MINUTE])))
            self.truths = None

    def bodies(self, now):
        """The punches as they are sent, each with an id of its own."""
        found = []
        for one in self.noted:
            known = {"id": str(uuid.UUID(int=self.chance.getrandbits(128)))}
            if one.nonsense is None:
                found.append({**known, "type": one.type, "at": written(now + one.time), **one.more})
                continue
            body = self.things.nonsense[one.nonsense]
            found.append({**known, **body} if isinstance(body, dict) else body)
        return found


def written(milliseconds):
    """RFC 3339, also of times before 1970."""
    time = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(milliseconds=milliseconds)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
