"""All that is known about a round: what was asked, what was answered, and what is there afterwards."""

import dataclasses
import datetime

MARKS = ("submitted", "approved", "locked")
# The weakest mark that binds a role.
BINDING = {"member": MARKS, "manager": MARKS[1:], "admin": MARKS[1:]}
FIGURES = [f"{name}Seconds" for name in "planned holiday absence credited target paid adjustment balance".split()]


@dataclasses.dataclass
class Request:
    """Something that is asked in a race, and its answer."""

    operation: str
    method: str
    path: str
    body: dict | None
    # Of the one who asks, and the member whose token it is or whom it is about.
    role: str
    member: int
    # The answer: its status, the problem's code, its content.
    status: int = 0
    code: str | None = None
    content: dict | None = None

    @property
    def is_done(self):
        return 200 <= self.status < 300

    def __str__(self):
        return f"{self.operation} of the {self.role} with {self.body or self.path}, answered {self.status} {self.code}"


@dataclasses.dataclass
class Write(Request):
    """A write of one record, which no other request of the round touches."""

    # The first date that it changes; None for a write that no mark binds.
    first: datetime.date | None = None
    # If only an end changes, the date of the earlier one: a mark before it does not bind.
    end: datetime.date | None = None
    # Members whose marks bind it.
    members: tuple = ()
    # The id of the record, and of a holiday its date; the id of a new one is in the answer.
    record: str | None = None
    date: datetime.date | None = None
    # The record before and after the round, None if there is none, and what it has to have if it was done.
    before: dict | None = None
    after: dict | None = None
    wanted: dict | None = None
    # How records of its kind are called in paths.
    folder: str = ""

    def is_bound(self, through):
        """Whether a mark through a date binds it."""
        if self.first is None or through is None or self.first > through:
            return False
        return self.end is None or self.end <= through

    def mark(self, states):
        """The strongest mark that binds it, as a problem has it, if the members' marks are these; None if none does."""
        for kind in reversed(BINDING[self.role]):
            if self.folder == "holidays":
                approved = [states[one] for one in self.members if self.is_bound(states[one]["approved"])]
                ends = [state[kind] for state in approved if self.is_bound(state[kind])]
            else:
                ends = [states[one][kind] for one in self.members if self.is_bound(states[one][kind])]
            if ends:
                return {"kind": kind, "through": max(ends).isoformat()}
        return None


@dataclasses.dataclass
class Approval:
    """The totals that were kept, and the report of the same dates now."""

    member: int
    start: datetime.date
    through: datetime.date
    kept: dict
    now: dict
    # Whether a report of its dates lists `differs_from_approved`.
    is_told: bool = False

    def __str__(self):
        return f"from {self.start} through {self.through}, of member {self.member + 1}"


@dataclasses.dataclass
class Facts:
    writes: list
    moves: list
    # The members' marks before and after the round.
    before: list
    after: list
    # Changes of the round, as they were committed.
    log: list
    approvals: list
    # The ids of the members.
    users: list
    # The first date of their time.
    beginning: datetime.date


def marks_of(period):
    """The dates of a member's marks."""
    return {kind: date(period[f"{kind}Through"]) for kind in MARKS}


def date(text):
    return text and datetime.date.fromisoformat(text)
