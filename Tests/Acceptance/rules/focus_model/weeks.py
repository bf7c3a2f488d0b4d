"""A week of one member's timer, noted by two telephones without a connection, and the expected result in the
service."""

import types
import uuid

from . import shown
from .drawing import Adjustment, Order
from .queue_steps import Queued, Sent
from .rules import Desk, Stale
from .values import DAY, FOCUS, HOUR, LONGEST_SECONDS, MINUTE, REST, SECOND, Refusal

DAYS = 7
LOOK_BACK = (DAYS + 1) * DAY
# Nothing is for a project here.
STAGE = types.SimpleNamespace(project=None, task=None)
# The next act of a person, by the state of the timer.
NEXT = {
    "reset": ["start"],
    "running": ["pause", "pause", "pause", "adjust", "adjust", "skip", "stop", "start", "wait", "wait", "wait"],
    "paused": ["resume", "resume", "resume", "resume", "stop", "skip"],
    "finished": ["next", "next", "next", "skip", "stop", "start"],
}


class Week:
    def __init__(self, chance, now):
        self.chance = chance
        self.desk = Desk(LOOK_BACK)
        self.phone = 0
        # Commands with the telephone that noted each, in the order of their instants.
        self.noted = []
        for day in range(DAYS, 0, -1):
            time = now - day * DAY + chance.randrange(6 * HOUR)
            for _ in range(chance.randrange(5, 12)):
                time = self.note(time)
        self.add("start", now - HOUR, Order(FOCUS, LONGEST_SECONDS, True, "Last", None, None, False), 0)

    def note(self, time):
        """Notes an act at an instant; a later one."""
        self.desk.pass_to(time)
        timer = self.desk.timer
        kind = self.chance.choice(NEXT[timer.state if timer else "reset"])
        if kind == "wait":
            return max(time, self.desk.end(timer)) + self.chance.choice([0, 1, SECOND, 20 * MINUTE])
        seconds = self.chance.choice([60, 300, 1_500])
        kinds = [FOCUS, FOCUS, FOCUS, REST]
        order = Order(self.chance.choice(kinds), seconds, None, self.chance.choice([None, "Thesis"]), None, None, False)
        self.add(kind, time, order, self.chance.choice([60, 60, 15, -15]))
        return time + self.chance.choice([1, SECOND, 49_999, 50 * SECOND, MINUTE, 4 * MINUTE, 11 * MINUTE])

    def add(self, kind, time, order, seconds):
        id = str(uuid.UUID(int=self.chance.getrandbits(128)))
        one = Sent(id, time, Queued(kind, 0, order, Adjustment(None, seconds)), seconds)
        # A telephone offers nothing that would be refused.
        if take(self.desk, one, time) == "applied":
            self.phone = self.phone if self.chance.random() < 0.7 else 1 - self.phone
            self.noted.append((self.phone, one))

    def parts(self):
        """Each telephone's requests after it has noted commands, cut anywhere, in the order of the notes."""
        parts = []
        for phone, one in self.noted:
            if parts and parts[-1][0] == phone and len(parts[-1][1]) < 100 and self.chance.random() < 0.8:
                parts[-1][1].append(one)
            else:
                parts.append((phone, [one]))
        return [part for _, part in parts]


def take(desk, one, now):
    """The outcome of a queued command at a desk: the status of the result."""
    try:
        one.take(desk, STAGE, now)
        return "applied"
    except Stale:
        return "stale"
    except Refusal as refusal:
        return str(refusal.status)


def body(part):
    return {"commands": [one.body(STAGE) for one in part]}


def state(current):
    """The answer of `getCurrentTimer`, without running values or another's matter."""
    timer = current["timer"]
    running = {"elapsedSeconds", "remainingSeconds", "progress"}
    return {
        "state": current["state"],
        "timer": timer and {name: value for name, value in timer.items() if name not in running},
        "lastSession": current["lastSession"],
    }


def expected(desk, now):
    return state(shown.current(desk, desk.pass_to(now)))
