"""The rules of time in memory, written from the contract alone: nothing here is shared with the service.

`../model.py` compares the service with it. Instants are whole milliseconds since 1970; an active entry ends at infinity.
"""

import collections
import dataclasses
import datetime
import functools
import math
import zoneinfo

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# Later than any present time.
FAR = 1 << 50
# How far a client's clock may run ahead: until then its times count as now.
CLOCK_SKEW = 2 * MINUTE
# For how long a member may undo a clock-in.
UNDO_TIME = 2 * MINUTE
# How far an unstated clock-in is moved, at most, to begin where the member's last entry ends.
CLOCK_IN_MOVE = SECOND
OVERLAPS_SHOWN = 20
REASON_LIMIT = 500
STANDARD_POLICY = {
    "minimumSeconds": 60,
    "maximumSeconds": 57_600,
    "editWindowDays": 30,
    "lookBackHours": 72,
    "notesMaximumCharacters": 500,
}
POLICY_BOUNDS = {
    "minimumSeconds": (0, 86_400),
    "maximumSeconds": (60, 604_800),
    "editWindowDays": (0, 3_650),
    "lookBackHours": (0, 8_760),
    "notesMaximumCharacters": (0, 10_000),
}
# Unicode's white space (PropList.txt, White_Space).
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def utc(instant):
    return EPOCH + datetime.timedelta(milliseconds=instant)


def written(instant):
    return None if instant == math.inf else utc(instant).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read(text):
    return (datetime.datetime.fromisoformat(text) - EPOCH) // datetime.timedelta(milliseconds=1)


@functools.cache
def is_zone(name):
    return name in zoneinfo.available_timezones()


def local_date(instant, zone):
    return utc(instant).astimezone(zoneinfo.ZoneInfo(zone)).date()


@functools.cache
def start_of_day(date, zone):
    """The first instant of a local date, whether the day before it has 23, 24, 24.5 or 25 hours."""
    noon = (date - EPOCH.date()).days * DAY + DAY // 2
    return first_instant(noon - 2 * DAY, noon + 2 * DAY, lambda instant: local_date(instant, zone) >= date)


def first_instant(low, high, holds):
    """The first instant after `low` at which something holds that holds at `high`."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


@functools.cache
def transitions(zone, last_day):
    """When the clocks of a zone were changed in the 400 days before a date."""

    def offset(instant):
        return utc(instant).astimezone(zoneinfo.ZoneInfo(zone)).utcoffset()

    end = (last_day - EPOCH.date()).days * DAY
    return [
        first_instant(day, day + DAY, lambda instant: offset(instant) == offset(day + DAY))
        for day in range(end - 400 * DAY, end, DAY)
        if offset(day) != offset(day + DAY)
    ]


class Between:
    """A number that depends on when the service looked at its clock."""

    def __init__(self, low, high):
        self.low = low
        self.high = high

    def __eq__(self, other):
        return self.low <= other <= self.high

    def __repr__(self):
        return f"{self.low}…{self.high}"


class Window(collections.namedtuple("Window", "earliest latest")):
    """From sending a request to having its answer: somewhere in it is the service's present time."""


class Refusal(collections.namedtuple("Refusal", "status code detail members", defaults=(None, {}))):
    """`detail` is None if the rules leave the words open; `members` are the problem's own."""

    def __repr__(self):
        return f"{self.status} {self.code}"


@dataclasses.dataclass
class Person:
    name: str
    id: str
    role: str
    token: str
    zone: str | None = None
    is_active: bool = True
    version: int = 1

    def shown(self, _):
        return {"userId": self.id, "role": self.role, "timeZone": self.zone, "active": self.is_active}


@dataclasses.dataclass
class Entry:
    id: str
    user: Person
    start: int
    end: float
    zone: str
    notes: str | None
    source: str
    created: int
    updated: int
    flags: frozenset = frozenset()
    version: int = 1

    @property
    def is_open(self):
        return self.end == math.inf

    @property
    def date(self):
        return local_date(self.start, self.zone)

    def shown(self, window):
        """The contract's TimeEntry; an active one's duration is that of the service's present time."""
        ends = [max(0, end - self.start) // SECOND for end in (window if self.is_open else (self.end, self.end))]
        return {
            "id": self.id,
            "userId": self.user.id,
            "clockInTime": written(self.start),
            "clockOutTime": written(self.end),
            "date": self.date.isoformat(),
            "status": "clocked-in" if self.is_open else "clocked-out",
            "sessionId": None,
            "notes": self.notes,
            "createdAt": written(self.created),
            "updatedAt": written(self.updated),
            "timeZone": self.zone,
            "durationSeconds": Between(*ends),
            "source": self.source,
            "flags": [flag for flag in ("under_minimum", "over_maximum", "auto_closed") if flag in self.flags],
        }


class Office:
    """An organization: its content, and the refusals by its rules.

    Each refusal is one small function, so that a test of the test can plant a wrong one.
    """

    def __init__(self, identifier, zone, people, base):
        """`base` is the instant before which most of the sequence's times lie."""
        self.id = identifier
        self.zone = zone
        self.people = {person.name: person for person in people}
        self.base = base
        self.policy = dict(STANDARD_POLICY)
        self.version = 1
        self.entries = []
        self.deleted = []
        # The expected feed of changes about entries: the kind, the id, and the entry afterwards.
        self.log = []

    def shown(self, _):
        return {"id": self.id, "timeZone": self.zone, "policy": self.policy}

    def transition(self, zone, choice):
        """One of the moments of the 400 days before the base at which the clocks of a zone were changed, if any."""
        found = transitions(zone, utc(self.base).date())
        return found[int(choice * len(found))] if found else self.base - 2 * HOUR

    def move_to_transition(self, choice):
        """Has the sequence's times lie about a day of 23, 24.5 or 25 hours."""
        date = local_date(self.transition(self.zone, choice), self.zone)
        self.base = start_of_day(date + datetime.timedelta(days=1), self.zone) + 3 * HOUR

    # Existing records.

    def active(self, user):
        return next((entry for entry in self.entries if entry.user is user and entry.is_open), None)

    def overlapping(self, user, start, end, but=None):
        """The entries that share a moment with a span, oldest first."""
        found = [
            entry
            for entry in self.entries
            if entry.user is user and entry.id != but and self.do_overlap(start, end, entry.start, entry.end)
        ]
        return sorted(found, key=lambda entry: entry.start)

    def listed(self, user, first, last, match, status):
        """The entries of a list, newest date first, within a date newest first; `user` None means everyone's."""
        found = [
            entry
            for entry in self.entries
            if user in (None, entry.user)
            and status in (None, "clocked-in" if entry.is_open else "clocked-out")
            and self.is_in_range(entry, first, last, match)
        ]
        return sorted(found, key=lambda entry: (entry.date, entry.created), reverse=True)

    def is_in_range(self, entry, first, last, match):
        if match == "overlap":
            one_day = datetime.timedelta(days=1)
            start = -math.inf if first is None else start_of_day(first, self.zone)
            end = math.inf if last is None else start_of_day(last + one_day, self.zone)
            return entry.start < end and entry.end > start
        return (first is None or entry.date >= first) and (last is None or entry.date <= last)

    def keep(self, kind, entry):
        """Writes a change of an entry down."""
        after = None if kind == "deleted" else dataclasses.replace(entry)
        self.log.append((kind, entry.id, after))

    # The rules.

    def do_overlap(self, start, end, other_start, other_end):
        """Half-open spans: touching is no overlap."""
        return start < other_end and other_start < end

    def default(self, name, detail):
        """The rules' own words, which name the standard limit."""
        return detail if self.policy[name] == STANDARD_POLICY[name] else None

    def length_refusals(self, start, end):
        if end <= start:
            return [Refusal(422, "end_not_after_start", "End time must be after start time")]
        if end - start > self.policy["maximumSeconds"] * SECOND:
            detail = self.default("maximumSeconds", "Time entry cannot exceed 16 hours")
            return [Refusal(422, "too_long", detail)]
        if end - start < self.policy["minimumSeconds"] * SECOND:
            detail = self.default("minimumSeconds", "Time entry must be at least 1 minute long")
            return [Refusal(422, "too_short", detail)]
        return []

    def manual_refusals(self, start, end, now):
        future = [Refusal(422, "in_future", "Cannot create time entries for future dates")]
        return (future if end > now + CLOCK_SKEW else []) + self.length_refusals(start, counted(end, now))

    def backdating_refusals(self, instant, now, is_limited=True):
        if instant > now + CLOCK_SKEW:
            return [Refusal(422, "in_future")]
        if is_limited and now - instant > self.policy["lookBackHours"] * HOUR:
            return [Refusal(422, "too_far_back")]
        return []

    def overlap_refusals(self, user, start, end, but=None):
        found = self.overlapping(user, start, end, but)
        return (
            [Refusal(409, "overlap", members={"count": len(found), "overlaps": found[:OVERLAPS_SHOWN]})]
            if found
            else []
        )

    def text_length(self, trimmed):
        return len(trimmed)

    def sanitized(self, text):
        trimmed = (text or "").strip(WHITE_SPACE)
        return trimmed.replace("<", "&lt;").replace(">", "&gt;") or None

    def text_refusals(self, text, limit, too_long, invalid):
        trimmed = (text or "").strip(WHITE_SPACE)
        if self.text_length(trimmed) > limit:
            return [too_long]
        return [invalid] if any(is_forbidden(ord(character)) for character in trimmed) else []

    def notes_refusals(self, notes):
        detail = self.default("notesMaximumCharacters", "Notes cannot exceed 500 characters")
        return self.text_refusals(
            notes,
            self.policy["notesMaximumCharacters"],
            Refusal(422, "notes_too_long", detail),
            Refusal(422, "notes_invalid"),
        )

    def zone_refusals(self, zone):
        return [] if zone is None or is_zone(zone) else [Refusal(422, "unknown_time_zone")]

    def subject_refusals(self, actor, subject):
        """For another's entries one has to be a manager; `subject` None is nobody in the organization."""
        if subject is None:
            return [Refusal(404, "member_not_found")]
        return [Refusal(403, "forbidden")] if subject is not actor and actor.role == "member" else []

    def deactivation_refusals(self, subject):
        return [] if subject.is_active else [Refusal(409, "member_deactivated")]

    def condition_refusals(self, condition, resource):
        """For a request whose `If-Match` names this version: None is any, False is no condition at all."""
        if condition is False:
            return [Refusal(428, "precondition_required")]
        return (
            []
            if condition in (None, resource.version)
            else [Refusal(412, "precondition_failed", members={"current": resource})]
        )

    def reason_refusals(self, actor, entry, reason):
        invalid = Refusal(422, "reason_invalid")
        if actor is not entry.user and self.sanitized(reason) is None:
            return [Refusal(422, "reason_required")]
        return self.text_refusals(reason, REASON_LIMIT, invalid, invalid)

    def window_refusals(self, actor, entry, now):
        """The days in which members change their own entries, from the end of these on; a running entry has none
        yet."""
        if actor.role == "member" and now - entry.end > self.policy["editWindowDays"] * DAY:
            return [Refusal(403, "edit_window_closed")]
        return []

    def change_refusals(self, actor, entry, condition, reason, now):
        """The shared part of a change and a deletion of an entry; `entry` None is none of the organization's."""
        if entry is None:
            return [Refusal(404, "time_entry_not_found")] + (
                [Refusal(428, "precondition_required")] if condition is False else []
            )
        if actor is not entry.user and actor.role == "member":
            # Nothing about the entry may be revealed, not even that the condition does not hold.
            return [Refusal(403, "forbidden")] + ([Refusal(428, "precondition_required")] if condition is False else [])
        return (
            self.condition_refusals(condition, entry)
            + self.reason_refusals(actor, entry, reason)
            + self.window_refusals(actor, entry, now)
        )

    def undoing_refusals(self, actor, entry, now):
        """The minutes in which members undo a clock-in."""
        is_late = entry and entry.is_open and actor.role == "member" and now - entry.created > UNDO_TIME
        return [Refusal(409, "entry_active")] if is_late else []

    def policy_refusals(self, changes):
        policy = {**self.policy, **changes}
        is_valid = all(low <= policy[name] <= high for name, (low, high) in POLICY_BOUNDS.items())
        return (
            [] if is_valid and policy["minimumSeconds"] < policy["maximumSeconds"] else [Refusal(422, "invalid_policy")]
        )

    def judgment(self, start, end):
        """The flags of an entry that was clocked, not entered."""
        if end - start > self.policy["maximumSeconds"] * SECOND:
            return {"over_maximum"}
        return {"under_minimum"} if end - start < self.policy["minimumSeconds"] * SECOND else set()


def counted(time, now):
    """The instant that a stated one counts as."""
    return min(time, now) if time <= now + CLOCK_SKEW else time


def is_forbidden(point):
    """Control characters other than new line and tab, and characters that turn the direction of writing."""
    return (
        (point < 0x20 and point not in (0x09, 0x0A))
        or 0x7F <= point < 0xA0
        or 0x202A <= point <= 0x202E
        or 0x2066 <= point <= 0x2069
    )
