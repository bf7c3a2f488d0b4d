"""The facts of a history, beside the entries and the policy of a report."""

import dataclasses
import datetime

from report_model import facts as report_facts

PERIODS = ["day", "week", "month"]
ATTRIBUTIONS = ["split", "start"]


@dataclasses.dataclass(frozen=True)
class Facts:
    """Entries and segments are those of a report; `zones` has the zone of every member."""

    entries: tuple
    segments: tuple
    policy: report_facts.Policy
    zone: str
    zones: dict


@dataclasses.dataclass(frozen=True)
class Query:
    """Nothing stated for a zone is the member's, for a member everyone; `as_of` is None only if a request leaves it."""

    period: str
    date: datetime.date
    as_of: int | None
    attribution: str = "split"
    zone: str | None = None
    member: str | None = None
