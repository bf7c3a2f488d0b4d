"""The facts that balances are calculated from."""

import dataclasses
import datetime

from report_model import facts

STATES = ["approved", "requested", "refused", "canceled"]
# By rank: a kind takes its part of a date before those behind it.
RANKS = {"sick": 1, "training": 2, "special": 2, "other": 2, "vacation": 3, "unpaid": 4, "parental": 4, "flextime": 5}
CREDITED = {"sick", "training", "special", "other", "vacation"}
PORTIONS = ["day", "half", "seconds"]
GROUPINGS = ["user", "user,month", "user,week", "user,day"]
# Parts of a day of entitlement.
DAY_PARTS = 10_000


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of a schedule, in force from `start` on. `seconds` begin with the Monday of the week of `start`.

    `calendar` is a place in the calendars, `zone` None for the organization's; `workday_start` in minutes. `stated`
    are weekly seconds and work days (0 is Monday), if the plan is stated so.
    """

    start: datetime.date
    seconds: tuple
    calendar: int | None = None
    works_on_holidays: bool = False
    zone: str | None = None
    workday_start: int = 0
    stated: tuple | None = None


def spread(weekly, work_days):
    """Weekly seconds over work days: each the same, the first ones a second more."""
    each, more = divmod(weekly, len(work_days))
    seconds = [0] * 7
    for place, day in enumerate(sorted(work_days)):
        seconds[day] = each + (place < more)
    return tuple(seconds)


@dataclasses.dataclass(frozen=True)
class Absence:
    """`start` and `end` are its first and last date; `seconds` belong to the portion `seconds`."""

    kind: str
    start: datetime.date
    end: datetime.date
    portion: str = "day"
    seconds: int | None = None
    state: str = "approved"

    @property
    def weight(self):
        """Halves of a date."""
        return {"day": 2, "half": 1, "seconds": 0}[self.portion]


@dataclasses.dataclass(frozen=True)
class Adjustment:
    date: datetime.date
    seconds: int
    kind: str = "correction"


@dataclasses.dataclass(frozen=True)
class Entitlement:
    """Days of vacation of a year, in ten-thousandths; `expires` is the last date of those carried over, or None."""

    year: int
    days: int
    carried: int = 0
    expires: datetime.date | None = None


@dataclasses.dataclass(frozen=True)
class Person:
    """`rows` by `start`; `absences` in the order in which they were made."""

    member: facts.Member
    rows: tuple
    absences: tuple = ()
    adjustments: tuple = ()
    entitlements: tuple = ()
    entries: tuple = ()
    segments: tuple = ()


@dataclasses.dataclass(frozen=True)
class Known:
    """An organization: a calendar is the percent of each of its holidays by date.

    Its owner is one more member, who has nothing.
    """

    zone: str
    policy: facts.Policy
    calendars: tuple
    people: tuple
    has_owner: bool = False


@dataclasses.dataclass(frozen=True)
class Query:
    """Dates are inclusive; `member` is an id, None for everybody."""

    start_date: datetime.date
    end_date: datetime.date
    as_of: int
    group_by: str = "user"
    member: str | None = None
    has_future: bool = False
