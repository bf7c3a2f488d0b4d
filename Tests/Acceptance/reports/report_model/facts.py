"""What a report is calculated from."""

import dataclasses
import datetime

DIMENSIONS = ["user", "day", "week", "month", "session", "status", "source"]
ATTRIBUTIONS = ["split", "start", "end"]
PERIODS = ["weekly", "two-weekly", "half-monthly", "monthly"]
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
class Policy:
    """Lengths in seconds; None turns an overtime off."""

    daily_overtime_after: int | None = None
    weekly_overtime_after: int | None = None
    week_start: str = "monday"
    maximum: int = 57_600


@dataclasses.dataclass(frozen=True)
class Facts:
    entries: tuple
    policy: Policy


@dataclasses.dataclass(frozen=True)
class Query:
    """Dates are inclusive; `member` and `session` are ids; `as_of` is None only where a request leaves it out."""

    start_date: datetime.date
    end_date: datetime.date
    zone: str
    as_of: int | None
    group_by: tuple = ("user",)
    attribution: str = "split"
    member: str | None = None
    session: str | None = None
