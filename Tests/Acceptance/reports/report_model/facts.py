"""The facts that a report is calculated from."""

import dataclasses
import datetime

DIMENSIONS = [*("user", "day", "week", "month", "session", "status", "source"), *("project", "task", "client", "kind")]
# Those by which rows of a timesheet may be split, besides the member.
PURPOSES = ["project", "task", "client", "kind"]
KINDS = ["break", "none", "work"]
ATTRIBUTIONS = ["split", "start", "end"]
PERIODS = ["weekly", "two-weekly", "half-monthly", "monthly"]
CODES = [
    "open_too_long",
    "break_missing",
    "break_too_long",
    "under_minimum",
    "over_maximum",
    "auto_closed",
    "objected",
    "differs_from_approved",
]
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@dataclasses.dataclass(frozen=True)
class Member:
    id: str
    name: str
    is_active: bool = True


@dataclasses.dataclass(frozen=True)
class Session:
    id: str
    title: str


@dataclasses.dataclass(frozen=True)
class Entry:
    """`end` is None while it is active."""

    id: str
    member: Member
    start: int
    end: int | None
    zone: str
    session: Session | None = None
    source: str = "admin"
    flags: tuple = ()

    @property
    def status(self):
        return "clocked-in" if self.end is None else "clocked-out"


@dataclasses.dataclass(frozen=True)
class Project:
    """As it is now."""

    id: str
    name: str
    color: str
    client: str | None = None


@dataclasses.dataclass(frozen=True)
class Task:
    id: str
    name: str


@dataclasses.dataclass(frozen=True)
class BreakType:
    """As it is now, which may not be as it was when a break was written; `expected` is in seconds or None."""

    id: str
    is_paid: bool
    expected: int | None


@dataclasses.dataclass(frozen=True)
class Segment:
    """`end` is None while it is open, `entry` if it is kept without one; `kind` is work, paid or unpaid."""

    member: str
    entry: str | None
    start: int
    end: int | None
    kind: str = "work"
    project: Project | None = None
    task: Task | None = None
    break_type: BreakType | None = None
    tags: tuple = ()
    is_billable: bool = False


@dataclasses.dataclass(frozen=True)
class BreakRule:
    """After more than `after` seconds of work in a shift, `length` seconds of unpaid breaks are due."""

    after: int
    length: int


@dataclasses.dataclass(frozen=True)
class Policy:
    """Lengths in seconds; None turns an overtime off."""

    daily_overtime_after: int | None = None
    weekly_overtime_after: int | None = None
    week_start: str = "monday"
    maximum: int = 57_600
    # In the order of `after`.
    break_rules: tuple = ()
    break_minimum: int = 900
    # Rules from later dates on, in their order: each a first date, and a policy without any.
    dated: tuple = ()

    def on(self, date):
        """The rules of a date."""
        found = self
        for first, rules in self.dated:
            if first <= date:
                found = rules
        return found


@dataclasses.dataclass(frozen=True)
class Facts:
    entries: tuple
    policy: Policy
    segments: tuple = ()


@dataclasses.dataclass(frozen=True)
class Rounding:
    """To multiples of `unit` seconds: nearest, up or down."""

    unit: int
    direction: str

    def __str__(self):
        return f"part:{self.unit}:{self.direction}"


@dataclasses.dataclass(frozen=True)
class Query:
    """Dates are inclusive; `member`, `session`, `project` and `task` are ids.

    `as_of` is None only if a request leaves it out; every other None chooses everything.
    """

    start_date: datetime.date
    end_date: datetime.date
    zone: str
    as_of: int | None
    group_by: tuple = ("user",)
    attribution: str = "split"
    member: str | None = None
    session: str | None = None
    project: str | None = None
    task: str | None = None
    client: str | None = None
    tag: str | None = None
    is_billable: bool | None = None
    kind: str | None = None
    rounding: Rounding | None = None
    # The anomalies to list; None lists all.
    codes: tuple | None = None
