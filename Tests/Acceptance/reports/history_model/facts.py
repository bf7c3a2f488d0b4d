"""What a history is calculated from, beside the entries and the policy of a report."""

import dataclasses
import datetime

PERIODS = ["day", "week", "month"]
ATTRIBUTIONS = ["split", "start"]


@dataclasses.dataclass(frozen=True)
class Subject:
    """A project or a task; a task has no color."""

    id: str
    name: str
    color: str | None = None


@dataclasses.dataclass(frozen=True)
class Segment:
    """`end` is None while it is open, `entry` where it is kept without one; `kind` is work, paid or unpaid."""

    member: str
    entry: str | None
    start: int
    end: int | None
    kind: str = "work"
    project: Subject | None = None
    task: Subject | None = None


@dataclasses.dataclass(frozen=True)
class Facts:
    """`zones` has the zone of every member."""

    entries: tuple
    segments: tuple
    week_start: str
    zone: str
    zones: dict


@dataclasses.dataclass(frozen=True)
class Query:
    """Nothing stated for a zone is the member's, for a member everyone; `as_of` is None only where a request leaves it."""

    period: str
    date: datetime.date
    as_of: int | None
    attribution: str = "split"
    zone: str | None = None
    member: str | None = None
