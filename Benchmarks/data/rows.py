"""The rows of a large database, the same for the same arguments."""

import datetime
import hashlib
import random
import uuid
import zoneinfo

DAY = 86_400_000
EPOCH = datetime.date(1970, 1, 1)
ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Africa/Casablanca",
    "UTC",
]
# The first minute of the day and the shortest length, both in minutes; each shift begins within two hours of the one
# and is up to two hours longer than the other. Even one that is flagged ends hours before the next begins.
SHIFTS = [(7 * 60, 6 * 60), (9 * 60, 7 * 60), (13 * 60, 7 * 60), (21 * 60 + 30, 7 * 60), (1 * 60, 5 * 60)]
COLUMNS = {
    "organizations": "organization_id id name time_zone minimum_seconds maximum_seconds edit_window_days "
    "look_back_hours notes_maximum_characters version created_at updated_at",
    "users": "user_id id email email_key name created_at",
    "members": "organization_id user_id member_number name role time_zone active accepted version created_at "
    "updated_at email",
    "tokens": "token_id user_id digest created_at expires_at organization_id id name",
    "sessions": "session_id organization_id id date title version created_at updated_at",
    "session_assignees": "organization_id session_id user_id",
    "time_entries": "organization_id user_id date created_at entry_number id clock_in clock_out time_zone "
    "offset_seconds session_id notes source flags version updated_at",
    "projects": "project_id organization_id id name client color archived billable version created_at updated_at",
    "segments": "segment_id organization_id user_id id start_time end_time time_entry_id project_id is_paid billable name "
    "time_zone source version created_at updated_at",
}
# Of each organization.
PROJECTS = 10


class Member:
    def __init__(self, organization, number, index, zone):
        self.organization = organization
        self.number = number
        # Within the organization, from 0 on; the first one is its admin.
        self.index = index
        self.zone = zone
        self.begin, self.length = SHIFTS[index % len(SHIFTS)]
        # One in ten works for sessions.
        self.has_sessions = index % 10 == 3
        # Two of fifty have not clocked out of their last entry.
        self.stays_in = index % 25 == 24
        self.source = ("api", "api", "web", "kiosk")[index % 4]


class Rows:
    """Rows as tuples, in the order of `columns`: ids are 16 bytes, truths are bools."""

    def __init__(self, organizations, members, days, last_day, seed):
        self.columns = {table: names.split() for table, names in COLUMNS.items()}
        self.days = days
        self.first_date = (last_day - EPOCH).days - days + 1
        self.seed = seed
        self.random = random.Random(seed)
        self.made_at = (self.first_date - 30) * DAY
        # The last number that was given out.
        self.last_number = 0
        self.offsets = Offsets(self.first_date, days)
        self.organization_ids = [self._id(self.made_at) for _ in range(organizations)]
        self.members_of = [
            [
                Member(number + 1, number * members + index + 1, index, self._zone(number, index))
                for index in range(members)
            ]
            for number in range(organizations)
        ]
        self.members_list = [member for group in self.members_of for member in group]
        self.user_ids = [self._id(self.made_at) for _ in self.members_list]
        self.weeks = (days + 6) // 7

    def organizations(self):
        for index, identifier in enumerate(self.organization_ids):
            yield (
                index + 1,
                identifier,
                f"Organization {index + 1}",
                self._zone(index, 0),
                60,
                57_600,
                30,
                72,
                500,
                1,
                self.made_at,
                self.made_at,
            )

    def users(self):
        for member, identifier in zip(self.members_list, self.user_ids):
            email = f"m{member.number}@example.com"
            yield member.number, identifier, email, email, f"Member {member.number}", self.made_at

    def members(self):
        for member in self.members_list:
            role = "admin" if member.index == 0 else "manager" if member.index == 1 else "member"
            own_zone = None if member.zone == self._zone(member.organization - 1, 0) else member.zone
            yield (
                member.organization,
                member.number,
                self._number(),
                f"Member {member.number}",
                role,
                own_zone,
                True,
                True,
                1,
                self.made_at,
                self.made_at,
                f"m{member.number}@example.com",
            )

    def tokens(self):
        """An API token for each organization's admin, good for a hundred years."""
        for index, group in enumerate(self.members_of):
            digest = hashlib.sha256(self.token(index).encode()).digest()
            yield (
                self._number(),
                group[0].number,
                digest,
                self.made_at,
                self.made_at + 36_525 * DAY,
                index + 1,
                self._id(self.made_at),
                "benchmark",
            )

    def sessions(self):
        """One a week for each organization."""
        for index in range(len(self.members_of)):
            for week in range(self.weeks):
                at = (self.first_date + 7 * week) * DAY
                yield (
                    self._session(index + 1, week),
                    index + 1,
                    self._id(at),
                    self.first_date + 7 * week,
                    f"Week {week + 1}",
                    1,
                    at,
                    at,
                )

    def session_assignees(self):
        for group in self.members_of:
            for week in range(self.weeks):
                for member in group:
                    if member.has_sessions:
                        yield member.organization, self._session(member.organization, week), member.number

    def time_entries(self, day):
        """Everyone's entries of one day, in the order in which they were made."""
        date = self.first_date + day
        midnight = date * DAY
        is_last = day == self.days - 1
        bits = self.random.getrandbits
        offsets = self.offsets.of_day(day)
        rows = []
        for member in self.members_list:
            chance = bits(64)
            # To the millisecond, as people are.
            wall = midnight + member.begin * 60_000 + (chance & 0xFFFFFF) % 7_200_000
            offset = offsets[member.zone]
            if offset is None:
                clock_in, offset = self.offsets.instant(wall, member.zone)
            else:
                clock_in = wall - offset * 1000
            length = member.length * 60_000 + (chance >> 24 & 0xFFFFFF) % 7_200_000
            flags = 0
            kind = chance >> 48 & 0x3FF
            if kind == 0:
                length, flags = 57_600_000 + 1 + length % 3_600_000, 2
            elif kind == 1:
                length, flags = 1_000 + length % 59_000, 1
            elif kind == 2:
                length, flags = 57_600_000 + 60_000, 6
            clock_out, updated_at, version = clock_in + length, clock_in + length + 3, 2
            if is_last and member.stays_in:
                clock_out, updated_at, version, flags = None, clock_in + 3, 1, 0
            created_at = clock_in + 3
            identifier = created_at << 80 | 0x7 << 76 | bits(12) << 64 | 0x2 << 62 | bits(62)
            rows.append(
                [
                    member.organization,
                    member.number,
                    (clock_in + offset * 1000) // DAY,
                    created_at,
                    0,
                    identifier.to_bytes(16, "big"),
                    clock_in,
                    clock_out,
                    member.zone,
                    offset,
                    self._session(member.organization, day // 7) if member.has_sessions else None,
                    f"Shift {day + 1}, counter and storeroom" if chance >> 60 < 4 else None,
                    member.source,
                    flags,
                    version,
                    updated_at,
                ]
            )
        rows.sort(key=lambda row: row[3])
        for row in rows:
            row[4] = self._number()
        return rows

    def projects(self):
        for index in range(len(self.members_of)):
            for number in range(PROJECTS):
                yield (
                    self._project(index + 1, number),
                    index + 1,
                    self._id(self.made_at),
                    f"Project {number + 1}",
                    f"Client {number // 3 + 1}",
                    "#007AFF",
                    False,
                    number % 2 == 0,
                    1,
                    self.made_at,
                    self.made_at,
                )

    def segments(self, day, entries):
        """Two of each of the day's entries: a morning and an afternoon, which ends ten minutes before the entry does."""
        bits = self.random.getrandbits
        for entry in entries:
            organization, user, identifier, clock_in, clock_out, zone = *entry[:2], *entry[5:9]
            length = 8 * 3_600_000 if clock_out is None else clock_out - clock_in
            if length < 3_600_000:
                continue
            middle = clock_in + length // 4 + bits(21)
            for start, end, number in (
                (clock_in, middle, day + user),
                (middle, clock_out and clock_out - 600_000, day + user + 1 + bits(3)),
            ):
                yield (
                    self._number(),
                    organization,
                    user,
                    self._id(start),
                    start,
                    end,
                    identifier,
                    self._project(organization, number % PROJECTS),
                    True,
                    number % 2 == 0,
                    "Time entry",
                    zone,
                    "api",
                    1,
                    start + 3,
                    start + 3,
                )

    def token(self, index):
        """The text of an admin's API token."""
        return hashlib.sha256(f"token {self.seed} {index}".encode()).hexdigest()

    def summary(self):
        def day(date):
            return (EPOCH + datetime.timedelta(days=date)).isoformat()

        return {
            "seed": self.seed,
            "firstDay": day(self.first_date),
            "lastDay": day(self.first_date + self.days - 1),
            "entries": len(self.members_list) * self.days,
            "organizations": [
                {
                    "number": index + 1,
                    "organizationID": str(uuid.UUID(bytes=identifier)),
                    "token": self.token(index),
                    "timeZone": self._zone(index, 0),
                    "firstUser": group[0].number,
                    "members": len(group),
                }
                for index, (identifier, group) in enumerate(zip(self.organization_ids, self.members_of))
            ],
        }

    def _zone(self, organization, index):
        """The organization's zone; one member in ten lives in the next one."""
        return ZONES[(organization + (index % 10 == 9)) % len(ZONES)]

    @staticmethod
    def _project(organization, number):
        return (organization - 1) * PROJECTS + number + 1

    def _session(self, organization, week):
        return (organization - 1) * self.weeks + week + 1

    def _number(self):
        self.last_number += 1
        return self.last_number

    def _id(self, milliseconds):
        """A UUID of version 7."""
        high = milliseconds << 16 | 0x7000 | self.random.getrandbits(12)
        return (high << 64 | 0x2 << 62 | self.random.getrandbits(62)).to_bytes(16, "big")


class Offsets:
    """Seconds east of UTC, looked up once a day; on days with a clock change, for each instant."""

    def __init__(self, first_date, days):
        self.zones = {name: zoneinfo.ZoneInfo(name) for name in ZONES}
        self.by_day = [self._of_date(first_date + day) for day in range(days)]

    def of_day(self, day):
        """The offset of each zone, None if it changes."""
        return self.by_day[day]

    def instant(self, wall, zone):
        """Milliseconds in UTC of a wall clock's reading, and the offset at that instant."""
        seconds, milliseconds = divmod(wall, 1000)
        local = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
        instant = int(local.replace(tzinfo=self.zones[zone]).timestamp())
        offset = datetime.datetime.fromtimestamp(instant, self.zones[zone]).utcoffset()
        return instant * 1000 + milliseconds, int(offset.total_seconds())

    def _of_date(self, date):
        """The same offset an hour before the day and after it: nothing changes within."""
        midnight = datetime.datetime(1970, 1, 1) + datetime.timedelta(days=date)
        offsets = {}
        for name, zone in self.zones.items():
            ends = {(midnight + datetime.timedelta(hours=hours)).replace(tzinfo=zone).utcoffset() for hours in (-1, 25)}
            offsets[name] = int(ends.pop().total_seconds()) if len(ends) == 1 else None
        return offsets
