"""Random operations, valid and invalid, on a service that two sides run: an id or a token differs between the sides,
and stands in a request as a pair."""

import collections
import datetime
import time
import urllib.parse

import random_timers

# Every member's role; the first is the one who makes the others.
ROLES = ["admin", "manager", "member", "member", "manager", "admin"]
ZONES = [
    "Europe/Berlin",
    "Asia/Kathmandu",
    "America/St_Johns",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Etc/GMT+12",
    "Australia/Lord_Howe",
    "Asia/Calcutta",
    "EST5EDT",
    "UTC",
]
NO_ZONES = ["Mars/Base", "../UTC", "", "europe/berlin", "posixrules", "Europe/Berlin ", "Zürich"]
NAMES = ["Ana", 'Küche "5"', "李雷", "👩‍🍳 Nina", "e\u0301", "\u00e9", "x" * 200, "  Bo  ", "O'Hara; --", "\u212aelvin"]
NO_NAMES = ["", "   ", "a\nb", "x" * 201, "\u202eevil", "nul\0"]
EMAILS = [f"p{number}@example.com" for number in range(12)] + [
    "P3@Example.COM",
    "kelvin@example.com",
    "\u212aelvin@example.com",
    "ä@example.com",
    "a+b@sub.example.org",
]
NO_EMAILS = ["nobody", "@example.com", "a@", "a b@example.com", "x" * 250 + "@example.com", "", "a@b@c"]
NOTES = [
    None,
    "",
    "  ",
    "opening",
    "<b>bold</b>",
    "😀" * 500,
    "x" * 500,
    "tab\tand\nline",
    "e\u0301\u00e9",
    "\u00a0pad\u00a0",
    "&lt;",
    "'); DROP TABLE time_entries; --",
    '\\ " / \u2028',
]
NO_NOTES = ["x" * 501, "😀" * 501, "nul\0", "\u202eevil", "bell\a", "x" * 10_001]
PASSWORDS = ["correct horse", "staple battery"]
NO_PASSWORDS = ["short", "", "x" * 1_025]
MALFORMED = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b'{"notes":"a","notes":"b"}',
    b'{"notes":"\xff"}',
    b'{"notes":"\\ud800"}',
    b'{"notes":"\\u0000"}',
    b"[" * 600,
    b'{"a":' * 300 + b"1" + b"}" * 300,
    b'{"notes":1e999}',
    b"{'notes':1}",
    b'{"notes":"a",}',
    b"\xef\xbb\xbf{}",
    b'{"name":01}',
    b"{} {}",
]
BAD_TOKENS = ["0" * 64, "f" * 63, "F" * 64, "", "zz", "a" * 64 + " ", "\u00e9" * 64]
CONDITIONS = ["*", '"1"', '"1", "2", "3"', 'W/"1"', '"x"', "1", '"01"', '"99999999999999999999"', "", '"a" "b"']
MINUTE = datetime.timedelta(minutes=1)
# Hashing passwords is slow on purpose.
PASSWORD_LIMIT = 3


class Pair(collections.namedtuple("Pair", "first second")):
    """The differences between the sides."""


def rendered(value, side):
    """A value as one side has it."""
    if isinstance(value, Pair):
        return value[side]
    if isinstance(value, dict):
        return {name: rendered(part, side) for name, part in value.items()}
    if isinstance(value, list):
        return [rendered(part, side) for part in value]
    return value


class Operation:
    def __init__(self, name, method, path, token=None, body=None, fields=()):
        """`path` is a list of its parts; a `body` of bytes is sent as it is."""
        self.name = name
        self.method = method
        self.path = path
        self.token = token
        self.body = body
        self.fields = list(fields)

    def request(self, side):
        """The arguments of `Client.send`."""
        return (
            self.method,
            "".join(rendered(self.path, side)),
            rendered(self.token, side),
            rendered(self.body, side),
            [tuple(rendered(list(field), side)) for field in self.fields],
        )


class Organization:
    def __init__(self, identifier):
        self.id = identifier
        self.base = ["/v1/organizations/", identifier]
        # Pairs of the users' ids, and their tokens.
        self.members = []
        self.gone = []
        self.tokens = []
        self.api_tokens = []
        self.invitations = []
        self.entries = []
        self.sessions = []
        self.break_types = []
        self.webhooks = []
        self.projects = []
        self.tasks = []
        # Those that segments are of: they are never deleted.
        self.worked_on = []
        self.segments = []
        # The owners, and the ids.
        self.timer_sessions = []
        self.push_targets = []
        self.cursors = []
        self.etag = '"1"'
        self.etags = {}


class World(random_timers.Timers):
    """The records made so far, and the requests about them."""

    def __init__(self, random, ask, operator, start):
        self.random = random
        self.send = ask
        self.operator = operator
        self.start = start
        self.organizations = []
        self.log_ins = []
        self.old_tokens = []
        self.invitation_tokens = []
        self.foreign_ids = [Pair(*["019aa0f1-0000-7000-8000-000000000001"] * 2)]
        self.password_count = 0
        self.steps = [
            (self.clock_in, 14),
            (self.clock_out, 13),
            (self.create_entry, 14),
            (self.create_entries, 4),
            (self.import_entries, 5),
            (self.current, 5),
            (self.presence, 4),
            (self.list_entries, 14),
            (self.export_entries, 5),
            (self.calendar, 2),
            (self.get_entry, 5),
            (self.get_organization, 2),
            (self.update_organization, 4),
            (self.list_members, 3),
            (self.create_member, 4),
            (self.create_members, 2),
            (self.get_member, 3),
            (self.update_member, 6),
            (self.deactivate_member, 2),
            (self.list_api_tokens, 3),
            (self.create_api_token, 4),
            (self.delete_api_token, 2),
            (self.list_invitations, 1),
            (self.create_invitation, 2),
            (self.delete_invitation, 1),
            (self.accept_invitation, 1),
            (self.get_me, 3),
            (self.update_me, 2),
            (self.log_in, 1),
            (self.log_out, 1),
            (self.update_entry, 8),
            (self.delete_entry, 4),
            (self.check_overlap, 3),
            (self.list_changes, 2),
            (self.create_session, 5),
            (self.list_sessions, 5),
            (self.get_session, 3),
            (self.update_session, 5),
            (self.delete_session, 3),
            (self.create_webhook, 1),
            (self.change_webhook, 1),
            (self.create_break_type, 2),
            (self.list_break_types, 2),
            (self.get_break_type, 2),
            (self.update_break_type, 3),
            (self.create_project, 3),
            (self.list_projects, 3),
            (self.get_project, 2),
            (self.update_project, 3),
            (self.delete_project, 2),
            (self.create_task, 4),
            (self.list_tasks, 3),
            (self.get_task, 2),
            (self.update_task, 4),
            (self.delete_task, 2),
            (self.clock, 4),
            (self.start_segment, 9),
            (self.stop_segment, 5),
            (self.list_segments, 4),
            (self.create_segment, 5),
            (self.get_segment, 3),
            (self.update_segment, 5),
            (self.delete_segment, 2),
            (self.check_segment_overlap, 3),
            (self.reset_history, 1),
            (self.list_audit_log, 2),
            (self.report_hours, 5),
            (self.timesheet, 3),
            (self.history, 3),
            (self.export_personal_data, 2),
            (self.anonymize_member, 1),
            (self.change_password, 1),
            (self.create_organization, 1),
            (self.service, 2),
            *self.timer_steps(),
        ]
        for number in range(2):
            self.make_organization(number)
        self.make_account()

    def step(self):
        step = self.random.choices([step for step, _ in self.steps], [weight for _, weight in self.steps])[0]
        step()

    def ask(self, *arguments, **named):
        """The answers of both sides, each as JSON if it succeeded, else None; and the first one whole."""
        operation = Operation(*arguments, **named)
        answers = self.send(operation)
        if answers[0].status == 401 or answers[0].code == "member_deactivated":
            self.retire(operation.token)
        if answers[0].status >= 300 or not answers[0].body or answers[0].fields["content-type"] != "application/json":
            return None, answers[0]
        return [answer.json for answer in answers], answers[0]

    def retire(self, token):
        """A token that is good for nothing is tried again now and then only."""
        for tokens in [self.log_ins, *[organization.tokens for organization in self.organizations]]:
            if token in tokens:
                tokens.remove(token)
                self.old_tokens.append(token)

    def pair(self, values):
        return Pair(*values)

    # Chances.

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, good, bad=(), badness=0.12):
        return self.random.choice(bad if bad and self.chance(badness) else good)

    def organization(self):
        """One of the latest to which somebody has a token."""
        while not (open_ones := [one for one in self.organizations if one.tokens][-5:]):
            self.create_organization()
        return self.pick(open_ones)

    def token(self, organization):
        """Mostly one of the organization's."""
        if self.chance(0.03):
            return self.pick(BAD_TOKENS + [None, self.operator])
        if self.chance(0.05):
            return self.pick(self.organization().tokens)
        if self.old_tokens and self.chance(0.03):
            return self.pick(self.old_tokens)
        if self.log_ins and self.chance(0.1):
            return self.pick(self.log_ins)
        return self.pick(organization.tokens)

    def member(self, organization):
        return self.reference(organization.members, [one for other in self.organizations for one in other.members])

    def reference(self, own, others):
        """Mostly something of the organization's own, else of another one's, or nothing at all."""
        if own and self.chance(0.9):
            return self.pick(own[-40:])
        return (
            self.pick(others[-40:] + self.foreign_ids)
            if self.chance(0.7)
            else self.pick(
                ["no-id", "%20", "019AA0F1-0000-7000-8000-000000000001", "%00", "019aa0f1-0000-7000-8000-00000000000g"]
            )
        )

    def body(self, members):
        """The members that are stated, at times spoiled."""
        members = {name: value for name, value in members.items() if value is not ...}
        if self.chance(0.05):
            return self.pick(MALFORMED)
        if self.chance(0.05):
            members[self.pick(["unknown", "userid", "", "größe"])] = self.pick([None, 1, "x"])
        if members and self.chance(0.07):
            members[self.pick(sorted(members))] = self.pick([None, 7, -1, 1.5, True, [], {}, "x", "", 10**30])
        if members and self.chance(0.03):
            del members[self.pick(sorted(members))]
        return members

    def fields(self):
        """Mostly no more header fields."""
        fields = []
        if self.chance(0.02):
            fields.append(
                ("Content-Type", self.pick(["text/plain", "application/json; charset=utf-8", "application/JSON", ""]))
            )
        if self.chance(0.2):
            # Few keys, so that most come again, with the same body now and then.
            fields.append(
                ("Idempotency-Key", self.pick([f"key-{number}" for number in range(30)], ["", "a b", "k" * 256]))
            )
        return fields

    def instant(self, day_span=20):
        """A stated time, minutes away from the present one and from whole hours before it."""
        if self.chance(0.04):
            return self.pick(
                [
                    "2026-02-30T10:00:00Z",
                    "2026-01-01T10:00:00",
                    "2026-01-01",
                    "yesterday",
                    "",
                    "1899-12-31T23:59:59Z",
                    "9999-12-31T23:59:59.999Z",
                    "1900-01-01T00:00:00Z",
                    "2026-01-01T24:00:00Z",
                    "2026-01-01T10:00:60Z",
                    "2026-01-01T10:00:00+24:00",
                    "2026-01-01 10:00:00Z",
                    "10000-01-01T00:00:00Z",
                    "2026-01-01T10:00:00.Z",
                ]
            )
        return self.written(self.start - 2.5 * MINUTE - 5 * MINUTE * self.random.randrange(day_span * 288))

    def written(self, instant):
        """One of the many ways to write it."""
        instant = instant.replace(microsecond=instant.microsecond // 1000 * 1000)
        offset = self.pick([0, 0, 0, 345, -210, 720, -720, 60, 840])
        text = (instant + offset * MINUTE).strftime("%Y-%m-%dT%H:%M:%S")
        milliseconds = f"{instant.microsecond // 1000:03d}"
        text += "." + milliseconds + self.pick(["", "", "0", "000000"])
        if offset == 0:
            return text + self.pick(["Z", "Z", "z", "+00:00", "-00:00"])
        return text + f"{'-' if offset < 0 else '+'}{abs(offset) // 60:02d}:{abs(offset) % 60:02d}"

    def date(self):
        day = self.start.date() + datetime.timedelta(days=self.random.randrange(-20, 3))
        return self.pick(
            [day.isoformat()], ["2026-02-30", "today", "", "2026-1-1", "1899-12-31", "9999-12-31", "٢٠٢٦-01-01"], 0.06
        )

    def query(self, choices, probability=0.35):
        """Some of the parameters."""
        stated = [(name, choose()) for name, choose in choices.items() if self.chance(probability)]
        if self.chance(0.03):
            stated.append((self.pick(["unknown", "limit", "USERID", "größe"]), self.pick(["1", "x", ""])))
        return stated

    def with_query(self, path, stated):
        parts = list(path)
        for number, (name, value) in enumerate(stated):
            text = value if isinstance(value, Pair) else urllib.parse.quote(str(value))
            parts += ["&" if number else "?", urllib.parse.quote(name), "=", text]
        if self.chance(0.01):
            parts.append(self.pick(["&&", "&x=%zz", "&%ff=1"]) if stated else "?")
        return parts

    def limit(self):
        return self.pick([1, 2, 3, 5, 100, 1000], [0, 1001, -1, "x", "", "１", "+5", "05", 10**20], 0.08)

    def password(self):
        """A password, while there is time to hash one."""
        if self.password_count >= PASSWORD_LIMIT or self.chance(0.7):
            return self.pick([..., None], NO_PASSWORDS, 0.05)
        self.password_count += 1
        return self.pick(PASSWORDS)

    def condition(self, etag):
        condition = self.pick([etag, etag, "*"], [*CONDITIONS, None], 0.2)
        return [] if condition is None else [("If-Match", condition)]

    # Lists.

    def list(self, name, organization, path, stated, key):
        """A page, and the cursor of the next one; or the next page of a list seen before."""
        token = self.token(organization)
        if organization.cursors and self.chance(0.4):
            kind, other_path, other_stated, other_token, cursor = self.pick(organization.cursors[-30:])
            if kind == name and self.chance(0.9):
                path, stated, token = other_path, other_stated, other_token
            stated = [(one, value) for one, value in stated if one != "cursor"] + [("cursor", cursor)]
        elif self.chance(0.03):
            stated = [*stated, ("cursor", self.pick(["", "abc", "MTIz", "LTEuMS4xLjE", "x" * 200, "=", "%00"]))]
        pages, _ = self.ask(name, "GET", self.with_query(path, stated), token)
        if pages:
            cursor = Pair(*[page["nextCursor"] for page in pages])
            if cursor.first:
                organization.cursors.append((name, path, stated, token, cursor))
            return [Pair(*rows) for rows in zip(*[page[key] for page in pages])]
        return []

    # Organizations.

    def make_organization(self, number):
        made = self.create_organization(
            {
                "name": f"Shop {number}",
                "timeZone": ZONES[number],
                "admin": {"email": f"admin{number}@example.com", "name": "Admin"},
            }
        )
        for index, role in enumerate(ROLES[1:]):
            person, _ = self.ask(
                "createMember",
                "POST",
                [*made.base, "/members"],
                made.tokens[0],
                {"email": f"m{number}{index}@example.com", "name": f"M {index}", "role": role},
            )
            user = Pair(*[one["userId"] for one in person])
            made.members.append(user)
            token, _ = self.ask(
                "createApiToken", "POST", [*made.base, "/apiTokens"], made.tokens[0], {"name": "T", "userId": user}
            )
            made.tokens.append(Pair(*[one["token"] for one in token]))
        return made

    def make_account(self):
        """A person who logs in to both organizations, with a password of the person's own."""
        first, second = self.organizations
        email = "account@example.com"

        def log_in(password):
            granted, _ = self.ask(
                "createToken", "POST", ["/v1/auth/token"], None, {"email": email, "password": password}
            )
            return Pair(*[one["token"] for one in granted])

        for organization, password in [(first, PASSWORDS[0]), (second, None)]:
            person, _ = self.ask(
                "createMember",
                "POST",
                [*organization.base, "/members"],
                organization.tokens[0],
                {"email": email, "name": "Both", "role": "manager", "password": password},
            )
            organization.members.append(Pair(*[one["userId"] for one in person]))
        token, _ = self.ask(
            "createApiToken",
            "POST",
            [*second.base, "/apiTokens"],
            second.tokens[0],
            {"name": "T", "userId": second.members[-1]},
        )
        self.ask(
            "changePassword",
            "PUT",
            ["/v1/me/password"],
            log_in(PASSWORDS[0]),
            {
                "currentPassword": PASSWORDS[0],
                "newPassword": PASSWORDS[1],
                "apiToken": Pair(*[one["token"] for one in token]),
            },
        )
        self.log_ins.append(log_in(PASSWORDS[1]))

    def create_organization(self, body=None):
        token = self.operator
        if body is None:
            token = self.pick([self.operator], self.old_tokens)
            body = self.body(
                {
                    "name": self.pick(NAMES, NO_NAMES),
                    "timeZone": self.pick(ZONES, NO_ZONES),
                    "admin": {"email": self.pick(EMAILS, NO_EMAILS), "name": self.pick(NAMES, NO_NAMES)},
                }
            )
        made, _ = self.ask("createOrganization", "POST", ["/v1/organizations"], token, body)
        if made is None:
            return None
        organization = Organization(Pair(*[one["organization"]["id"] for one in made]))
        organization.members.append(Pair(*[one["user"]["id"] for one in made]))
        organization.tokens.append(Pair(*[one["token"] for one in made]))
        self.organizations.append(organization)
        return organization

    def get_organization(self):
        one = self.organization()
        base = one.base if self.chance(0.9) else ["/v1/organizations/", self.reference([], self.foreign_ids)]
        _, answer = self.ask("getOrganization", self.pick(["GET", "GET", "HEAD"]), base, self.token(one))
        one.etag = answer.fields.get("etag", one.etag)

    def update_organization(self):
        one = self.organization()
        policy = {
            "minimumSeconds": self.pick([0, 1, 60, 300], [-1, 86_401, 1.0, 57_600]),
            "maximumSeconds": self.pick([57_600, 36_000, 604_800], [59, 604_801, 10**18, 30]),
            "editWindowDays": self.pick([0, 30, 3_650], [-1, 3_651]),
            "lookBackHours": self.pick([72, 1, 240, 8_760], [-1, 8_761]),
            "notesMaximumCharacters": self.pick([500, 10, 10_000], [-1, 10_001]),
            # Far longer than any of the entries: the service's own clock-outs come at their own time.
            "autoClockOutAfter": self.pick([None, 1_209_600, 1_209_599], [59, 0, 1_209_601]),
            "dailyOvertimeAfter": self.pick([None, 28_800, 1_000], [-1, 86_401]),
            "weeklyOvertimeAfter": self.pick([None, 144_000, 5_000], [-1, 604_801]),
            "weekStart": self.pick(["monday", "sunday", "friday"], ["Monday", ""]),
            "membersMayCreateProjects": self.pick([True, True, False], ["no"]),
            "breakRules": self.pick(
                [
                    [],
                    [{"afterSeconds": 21_600, "breakSeconds": 1_800}, {"afterSeconds": 32_400, "breakSeconds": 2_700}],
                ],
                [[{"afterSeconds": 5}], [{"afterSeconds": 5, "breakSeconds": 1}] * 2],
            ),
            "breakMinimumSeconds": self.pick([900, 0], [-1, 86_401]),
            "projectRequired": self.pick([False, False, True], [1]),
            "membersMayEnterTimes": self.pick([True, True, False], ["no"]),
            # Far longer than any of the entries, for reminders come at their own time too.
            "remindAfter": self.pick([None, 604_800, 604_799], [299, 0, 604_801]),
            "timerSessionDays": self.pick([730, 2, 3_650], [0, 3_651]),
        }
        body = self.body(
            {
                "name": self.pick([..., ..., *NAMES], NO_NAMES),
                "timeZone": self.pick([..., *ZONES], NO_ZONES),
                "policy": {name: value for name, value in policy.items() if self.chance(0.3)},
            }
        )
        _, answer = self.ask(
            "updateOrganization", "PATCH", one.base, self.token(one), body, [*self.condition(one.etag), *self.fields()]
        )
        one.etag = answer.fields.get("etag", one.etag)

    # Members.

    def list_members(self):
        one = self.organization()
        stated = self.query(
            {
                "limit": self.limit,
                "search": lambda: self.pick(["a", "M", "ö", "example COM", "%", "7"], ["", " ", "a" * 201]),
                "active": lambda: self.pick(["true", "false"], ["True", ""]),
                "role": lambda: self.pick(["member", "manager", "admin"], ["owner", ""]),
            }
        )
        self.list("listMembers", one, [*one.base, "/members"], stated, "members")

    def personnel_number(self):
        return self.pick([..., ..., None, "7", "007", " Ä 1 ", "=7"], ["", "\n", "1" * 65])

    def create_members(self):
        one = self.organization()
        people = [
            {
                "email": self.pick(EMAILS, NO_EMAILS, 0.04),
                "name": self.pick(NAMES, NO_NAMES, 0.04),
                "role": "member",
                "personnelNumber": self.pick([None, None, None, "8", str(number)]),
            }
            for number in range(self.pick([1, 1, 2, 5]))
        ]
        body = self.body({"members": people, "dryRun": self.pick([..., None, False, True])})
        path = [*one.base, "/members/bulk"]
        fields = self.fields()
        if self.chance(0.3):
            path = [*path, self.pick(["", "?dryRun=true"], ["?dryRun=maybe"])]
            rows = [",".join(str(value or "") for value in person.values()) for person in people]
            head = self.pick(["email,name,role,personnelNumber"], ["email,name,role,shoe"])
            body = "\n".join([head, *rows]).encode()
            fields = [*(field for field in fields if field[0] != "Content-Type"), ("Content-Type", "text/csv")]
        self.ask("createMembers", "POST", path, self.token(one), body, fields)

    def create_member(self):
        one = self.organization()
        body = self.body(
            {
                "email": self.pick(EMAILS, NO_EMAILS),
                "name": self.pick(NAMES, NO_NAMES),
                "role": self.pick(["member", "manager", "admin"], ["owner", "Member", ""]),
                "timeZone": self.pick([..., None, *ZONES], NO_ZONES),
                "password": self.password(),
                "mustChangePassword": self.pick([..., ..., ..., None, False, True], ["yes"]),
                "personnelNumber": self.personnel_number(),
            }
        )
        made, answer = self.ask("createMember", "POST", [*one.base, "/members"], self.token(one), body, self.fields())
        if made:
            user = Pair(*[member["userId"] for member in made])
            one.members.append(user)
            one.etags[user] = answer.fields["etag"]

    def get_member(self):
        one = self.organization()
        user = self.member(one)
        _, answer = self.ask("getMember", "GET", [*one.base, "/members/", user], self.token(one))
        if "etag" in answer.fields:
            one.etags[user] = answer.fields["etag"]

    def update_member(self):
        one = self.organization()
        user = self.member(one)
        # Not too often, lest nobody be left.
        active = self.pick([..., ..., ..., True, None, False])
        body = self.body(
            {
                "name": self.pick([..., *NAMES], NO_NAMES),
                "role": self.pick([..., ..., ..., "member", "manager", "admin", "admin"], ["owner"]),
                "timeZone": self.pick([..., None, *ZONES], NO_ZONES),
                "language": self.pick([..., None, "en", "de", "es", "fr"], ["", "DE", "xx"]),
                "active": active,
                "email": self.pick([..., ..., ..., None, *EMAILS], NO_EMAILS),
                "personnelNumber": self.personnel_number(),
                "password": self.password(),
                "mustChangePassword": self.pick([..., ..., ..., None, False, True], ["yes"]),
            }
        )
        _, answer = self.ask(
            "updateMember",
            "PATCH",
            [*one.base, "/members/", user],
            self.token(one),
            body,
            [*self.condition(one.etags.get(user, '"1"')), *self.fields()],
        )
        if "etag" in answer.fields:
            one.etags[user] = answer.fields["etag"]

    def deactivate_member(self):
        one = self.organization()
        user = self.member(one)
        _, answer = self.ask(
            "deactivateMember",
            "DELETE",
            [*one.base, "/members/", user],
            self.token(one),
            None,
            self.condition(one.etags.get(user, '"1"')),
        )
        if answer.status == 204:
            one.gone.append(user)

    def export_personal_data(self):
        one = self.organization()
        self.ask(
            "exportPersonalData",
            self.pick(["GET", "GET", "HEAD"]),
            [*one.base, "/members/", self.member(one), "/personalData"],
            self.token(one),
        )

    def anonymize_member(self):
        """Mostly somebody who has left; others are active, and refused."""
        one = self.organization()
        user = self.pick(one.gone) if one.gone and self.chance(0.7) else self.member(one)
        body = None if self.chance(0.3) else self.body({"reason": self.reason()})
        self.ask(
            "anonymizeMember",
            "POST",
            [*one.base, "/members/", user, "/anonymize"],
            self.token(one),
            body,
            self.fields(),
        )

    # Tokens.

    def list_api_tokens(self):
        one = self.organization()
        self.list("listApiTokens", one, [*one.base, "/apiTokens"], self.query({"limit": self.limit}), "apiTokens")

    def create_api_token(self):
        one = self.organization()
        body = self.body(
            {
                "name": self.pick(NAMES, NO_NAMES),
                "userId": self.member(one),
                "scope": self.pick([..., ..., ..., None, "full", "read"], ["write", ""]),
                "expiresAt": self.pick([..., ..., None, "2099-01-01T00:00:00+05:45"], [self.instant()]),
            }
        )
        made, _ = self.ask("createApiToken", "POST", [*one.base, "/apiTokens"], self.token(one), body, self.fields())
        if made:
            one.api_tokens.append(Pair(*[token["id"] for token in made]))
            one.tokens.append(Pair(*[token["token"] for token in made]))

    def delete_api_token(self):
        one = self.organization()
        others = [token for other in self.organizations for token in other.api_tokens]
        identifier = self.reference(one.api_tokens, others)
        self.ask("deleteApiToken", "DELETE", [*one.base, "/apiTokens/", identifier], self.token(one))

    def list_invitations(self):
        one = self.organization()
        stated = self.query({"limit": self.limit})
        self.list("listInvitations", one, [*one.base, "/invitations"], stated, "invitations")

    def create_invitation(self):
        one = self.organization()
        body = self.body(
            {
                "userId": self.member(one),
                "expiresAt": self.pick([..., ..., None], [self.instant(), "2099-01-01T00:00:00+05:45"]),
            }
        )
        path = [*one.base, "/invitations"]
        made, _ = self.ask("createInvitation", "POST", path, self.token(one), body, self.fields())
        if made:
            one.invitations.append(Pair(*[invitation["id"] for invitation in made]))
            self.invitation_tokens.append(Pair(*[invitation["token"] for invitation in made]))

    def delete_invitation(self):
        one = self.organization()
        others = [invitation for other in self.organizations for invitation in other.invitations]
        identifier = self.reference(one.invitations, others)
        self.ask("deleteInvitation", "DELETE", [*one.base, "/invitations/", identifier], self.token(one))

    def accept_invitation(self):
        if self.password_count >= PASSWORD_LIMIT:
            return
        self.password_count += 2
        body = self.body(
            {
                "token": self.pick(self.invitation_tokens[-5:] or BAD_TOKENS, BAD_TOKENS),
                "password": self.pick(PASSWORDS, NO_PASSWORDS),
                "currentPassword": self.pick([..., ..., None, *PASSWORDS]),
                "client": self.pick([..., None, "web"], ["", "Web", "kiosk"]),
            }
        )
        granted, _ = self.ask("acceptInvitation", "POST", ["/v1/auth/invitation"], None, body)
        if granted:
            self.log_ins.append(Pair(*[one["token"] for one in granted]))

    def get_me(self):
        self.ask("getMe", "GET", ["/v1/me"], self.token(self.organization()))

    def update_me(self):
        token = self.pick(self.log_ins) if self.log_ins and self.chance(0.8) else self.token(self.organization())
        body = self.body(
            {
                "name": self.pick([..., *NAMES], NO_NAMES),
                "timeZone": self.pick([..., None, *ZONES], NO_ZONES),
                "language": self.pick([..., None, "en", "de", "es", "fr"], ["", "DE", "xx"]),
            }
        )
        self.ask("updateMe", "PATCH", ["/v1/me"], token, body)

    def log_in(self):
        if self.password_count >= PASSWORD_LIMIT:
            return
        self.password_count += 1
        body = self.body(
            {
                "email": self.pick(EMAILS, NO_EMAILS),
                "password": self.pick(PASSWORDS, NO_PASSWORDS),
                "client": self.pick([..., None, "web"], ["", "Web", "kiosk"]),
            }
        )
        granted, _ = self.ask("createToken", "POST", ["/v1/auth/token"], None, body, self.fields())
        if granted:
            self.log_ins.append(Pair(*[one["token"] for one in granted]))

    def log_out(self):
        token = self.pick(self.log_ins) if self.log_ins and self.chance(0.3) else self.pick(BAD_TOKENS)
        self.ask("deleteToken", "DELETE", ["/v1/auth/token"], token)
        if isinstance(token, Pair):
            self.old_tokens.append(token)

    def change_password(self):
        if self.password_count >= PASSWORD_LIMIT:
            return
        self.password_count += 2
        token = self.pick(self.log_ins) if self.log_ins else self.token(self.organization())
        self.ask(
            "changePassword",
            "PUT",
            ["/v1/me/password"],
            token,
            self.body(
                {
                    "currentPassword": self.pick(PASSWORDS),
                    "newPassword": self.pick(PASSWORDS, NO_PASSWORDS),
                    "apiToken": self.pick([..., ..., ..., None, self.pick(self.organization().tokens)]),
                }
            ),
        )

    # Time entries.

    def keep(self, organization, made, answer):
        if made and answer.status == 201:
            organization.entries.append(Pair(*[entry["id"] for entry in made]))

    def somebody(self, organization):
        return self.pick([..., ..., ..., None]) if self.chance(0.6) else self.member(organization)

    def session(self, organization):
        return self.pick(
            [..., ..., ..., None, *organization.sessions[-3:]],
            [self.pick(self.foreign_ids), "no-id", self.known_session(organization)],
            0.1,
        )

    def clock_in(self):
        one = self.organization()
        body = (
            None
            if self.chance(0.3)
            else self.body(
                {
                    "notes": self.pick([..., *NOTES], NO_NOTES),
                    "userId": self.somebody(one),
                    "sessionId": self.session(one),
                    "clockInTime": self.pick([..., ..., ..., self.instant(5)]),
                    "timeZone": self.pick([..., *ZONES], NO_ZONES),
                    "projectId": self.pick([..., ..., None, self.known_project(one)]),
                }
            )
        )
        made, answer = self.ask(
            "clockIn", "POST", [*one.base, "/timeEntries/clockIn"], self.token(one), body, self.fields()
        )
        self.keep(one, made, answer)

    def clock_out(self):
        one = self.organization()
        body = (
            None
            if self.chance(0.3)
            else self.body(
                {
                    "notes": self.pick([..., *NOTES], NO_NOTES),
                    "userId": self.somebody(one),
                    "clockOutTime": self.pick([..., ..., ..., self.instant(5)]),
                }
            )
        )
        self.ask("clockOut", "POST", [*one.base, "/timeEntries/clockOut"], self.token(one), body, self.fields())

    def manual_entry(self, organization):
        """The times of a span entered by hand."""
        start = self.start - 2.5 * MINUTE - 5 * MINUTE * self.random.randrange(20 * 288)
        length = self.pick(
            [5 * MINUTE, 30 * MINUTE, 60 * MINUTE, 480 * MINUTE],
            [
                MINUTE,
                960 * MINUTE,
                960 * MINUTE + MINUTE / 60_000,
                MINUTE - MINUTE / 60_000,
                0 * MINUTE,
                -5 * MINUTE,
                10_000 * MINUTE,
            ],
            0.3,
        )
        stated = {"clockInTime": self.written(start), "clockOutTime": self.written(start + length)}
        if self.chance(0.1):
            stated[self.pick(["clockInTime", "clockOutTime"])] = self.instant()
        return {
            **stated,
            "notes": self.pick([..., *NOTES], NO_NOTES),
            "userId": self.somebody(organization),
            "sessionId": self.session(organization),
            "timeZone": self.pick([..., *ZONES], NO_ZONES),
        }

    def create_entry(self):
        one = self.organization()
        made, answer = self.ask(
            "createTimeEntry",
            "POST",
            [*one.base, "/timeEntries"],
            self.token(one),
            self.body(self.manual_entry(one)),
            self.fields(),
        )
        self.keep(one, made, answer)

    def create_entries(self):
        """Some at once, now and then one of a form that spoils all."""
        one = self.organization()
        entries = [
            {name: value for name, value in self.manual_entry(one).items() if value is not ...}
            for _ in range(self.pick([1, 2, 5, 12]))
        ]
        if self.chance(0.05):
            entries[-1] = self.pick([self.body(entries[-1]), None, [], "x"])
            if isinstance(entries[-1], bytes):
                entries[-1] = {}
        body = self.body(
            {
                "mode": self.pick(["partial", "partial", "atomic"], ["all", ""], 0.05),
                "timeEntries": self.pick([entries], [[], entries * 200], 0.03),
            }
        )
        made, _ = self.ask(
            "createTimeEntries", "POST", [*one.base, "/timeEntries/bulk"], self.token(one), body, self.fields()
        )
        for results in zip(*[one["results"] for one in made or []]):
            if "timeEntry" in results[0]:
                one.entries.append(Pair(*[result["timeEntry"]["id"] for result in results]))

    def import_entries(self):
        """A file of the generic form, by an admin mostly; some rows and now and then the file are spoiled."""
        one = self.organization()
        rows = [",".join(self.imported_row()) for _ in range(self.pick([1, 2, 5, 12]))]
        text = "\r\n".join(["email,name,clockInTime,clockOutTime,notes,timeZone", *rows]).encode()
        text = self.pick(
            [text], [b"", b"\xef\xbb\xbf" + text, text + b'\n"', text.replace(b",", b";"), b"a,b\n1,2"], 0.1
        )
        stated = [("format", self.pick(["generic"], ["toggl", "timetagger", "csv", ""], 0.05))] + self.query(
            {
                "dryRun": lambda: self.pick(["true", "false"], ["yes", ""]),
                "timeZone": lambda: self.pick(ZONES, NO_ZONES),
                "dateOrder": lambda: self.pick(["dmy", "mdy"], ["ymd"]),
                "projects": lambda: self.pick(["notes", "create"], ["none", ""]),
                "userId": lambda: self.member(one),
            },
            0.25,
        )
        fields = [
            (
                "Content-Type",
                self.pick(["text/csv", "text/csv; charset=utf-8"], ["text/plain", "application/json"], 0.05),
            ),
            *[field for field in self.fields() if field[0] != "Content-Type"],
        ]
        made, _ = self.ask(
            "importTimeEntries",
            "POST",
            self.with_query([*one.base, "/timeEntries/import"], stated),
            one.tokens[0] if self.chance(0.7) else self.token(one),
            text,
            fields,
        )
        for members in zip(*[each["membersCreated"] for each in made or [] if not each["dryRun"]]):
            one.members.append(Pair(*[member["userId"] for member in members]))
            one.gone.append(one.members[-1])

    def imported_row(self):
        """The fields of a row; most have an offset or a zone, some are local times."""
        start = self.start - 2.5 * MINUTE - 5 * MINUTE * self.random.randrange(20 * 288)
        end = start + self.pick(
            [5 * MINUTE, 60 * MINUTE, 480 * MINUTE], [0 * MINUTE, -5 * MINUTE, 10_000 * MINUTE], 0.2
        )
        if self.chance(0.4):
            times = [each.strftime(self.pick(["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"])) for each in (start, end)]
        else:
            times = [self.written(start), self.written(end)]
        if self.chance(0.1):
            times[self.pick([0, 1])] = self.pick(["", "yesterday", "2026-03-29 02:30", "2026-02-30 10:00"])
        notes = self.pick([note or "" for note in NOTES], NO_NOTES)
        fields = [
            self.pick([*EMAILS, "m00@example.com", "admin0@example.com"], [*NO_EMAILS, ""]),
            self.pick(["", *NAMES], NO_NAMES),
            *times,
            notes,
            self.pick(["", "", *ZONES], NO_ZONES),
        ]
        quoted = ['"' + field.replace('"', '""') + '"' for field in fields]
        return quoted if self.chance(0.97) else quoted[:-1] + ['"x"y']

    def current(self):
        one = self.organization()
        stated = self.query({"userId": lambda: self.member(one)})
        self.ask(
            "getCurrentTimeEntry",
            self.pick(["GET", "GET", "GET", "HEAD"]),
            self.with_query([*one.base, "/timeEntries/current"], stated),
            self.token(one),
        )

    def presence(self):
        one = self.organization()
        stated = self.query(
            {"overMaximum": lambda: self.pick(["true", "false"], ["", "True", "1", "yes"]), "limit": self.limit}
        )
        self.list("getPresence", one, [*one.base, "/presence"], stated, "presence")

    def sometimes_range(self):
        # Seldom, because it is refused beside the other dates.
        return {"range": self.range} if self.chance(0.1) else {}

    def range(self):
        weeks_and_months = ["week", "month", "thisWeek", "lastWeek", "thisMonth", "lastMonth"]
        return self.pick(["today", "yesterday", *weeks_and_months], ["year", ""])

    def members_stated(self, organization):
        stated = [self.member(organization) for _ in range(self.pick([1, 1, 2, 3]))]
        return Pair(*(",".join(map(urllib.parse.quote, rendered(stated, side))) for side in (0, 1)))

    def sometimes_filtered(self):
        if self.chance(0.6):
            return {}
        return {
            "flags": lambda: self.pick(
                ["under_minimum", "over_maximum", "auto_closed", "over_maximum,under_minimum"], ["long", ""]
            ),
            "source": lambda: self.pick(["api", "kiosk", "import,admin", "web,auto"], ["phone", "api,api", ""]),
            "updatedSince": lambda: self.instant(3),
        }

    def dialect(self):
        if self.chance(0.6):
            return {}
        return {
            "dialect": lambda: self.pick(["rfc4180", "excel"], ["Excel", ""]),
            "separator": lambda: self.pick(["comma", "semicolon", "tab"], [";", ""]),
            "decimal": lambda: self.pick(["point", "comma"], [",", ""]),
            "bom": lambda: self.pick(["true", "false"], ["1", ""]),
        }

    def list_entries(self):
        one = self.organization()
        stated = self.query(
            {
                "userId": lambda: self.members_stated(one),
                "startDate": self.date,
                "endDate": self.date,
                **self.sometimes_range(),
                **self.sometimes_filtered(),
                "limit": self.limit,
                "status": lambda: self.pick(["clocked-in", "clocked-out"], ["active", ""]),
                "match": lambda: self.pick(["start", "overlap"], ["end"]),
            }
        )
        if self.chance(0.1):
            stated.append(("sessionId", self.known_session(one)))
        self.list("listTimeEntries", one, [*one.base, "/timeEntries"], stated, "timeEntries")

    def export_entries(self):
        one = self.organization()
        stated = self.query(
            {
                "userId": lambda: self.members_stated(one),
                "startDate": self.date,
                "endDate": self.date,
                **self.sometimes_range(),
                **self.sometimes_filtered(),
                **self.dialect(),
                "status": lambda: self.pick(["clocked-in", "clocked-out"], ["active", ""]),
                "match": lambda: self.pick(["start", "overlap"], ["end"]),
                "format": lambda: self.pick(["csv", "ndjson"], ["xlsx", "CSV", ""]),
                "durations": self.durations,
            }
        )
        if self.chance(0.1):
            stated.append(("sessionId", self.known_session(one)))
        accepted = self.pick(
            [None, None, "*/*", "text/csv", "application/x-ndjson", "text/csv;q=0.5, application/*"],
            ["application/json", "text/csv;q=0", "nonsense", ""],
        )
        self.ask(
            "exportTimeEntries",
            self.pick(["GET", "GET", "GET", "HEAD"]),
            self.with_query([*one.base, "/timeEntries/export"], stated),
            self.token(one),
            None,
            [] if accepted is None else [("Accept", accepted)],
        )

    def calendar(self):
        one = self.organization()
        self.ask(
            "getCalendar",
            "GET",
            self.with_query(
                [*one.base, "/timeEntries/calendar"],
                self.query({"startDate": self.date, "endDate": self.date, **self.sometimes_range()}),
            ),
            self.token(one),
        )

    def get_entry(self):
        one = self.organization()
        entry = self.reference(one.entries, [entry for other in self.organizations for entry in other.entries])
        self.ask(
            "getTimeEntry",
            self.pick(["GET", "GET", "HEAD"]),
            [*one.base, "/timeEntries/", entry],
            self.token(one),
            None if self.chance(0.95) else b"{}",
        )

    def known_entry(self, organization):
        return self.reference(organization.entries, [entry for other in self.organizations for entry in other.entries])

    def reason(self):
        return self.pick([..., "asked by mail", " 😀 <why> ", *NOTES], ["", "x" * 501, "\u202e"])

    def update_entry(self):
        one = self.organization()
        entry = self.known_entry(one)
        body = self.body(
            {
                "clockInTime": self.pick([..., ..., self.instant(5)]),
                "clockOutTime": self.pick([..., ..., self.instant(5)]),
                "notes": self.pick([..., None, *NOTES], NO_NOTES),
                "sessionId": self.session(one),
                "timeZone": self.pick([..., ..., *ZONES], NO_ZONES),
                "reason": self.reason(),
            }
        )
        _, answer = self.ask(
            "updateTimeEntry",
            "PATCH",
            [*one.base, "/timeEntries/", entry],
            self.token(one),
            body,
            [*self.condition(one.etags.get(entry, '"1"')), *self.fields()],
        )
        if "etag" in answer.fields:
            one.etags[entry] = answer.fields["etag"]

    def delete_entry(self):
        one = self.organization()
        entry = self.known_entry(one)
        reason = self.reason()
        stated = [] if reason is ... else [("reason", reason)]
        self.ask(
            "deleteTimeEntry",
            "DELETE",
            self.with_query([*one.base, "/timeEntries/", entry], stated),
            self.token(one),
            None,
            self.condition(one.etags.get(entry, '"1"')),
        )

    def check_overlap(self):
        one = self.organization()
        stated = self.query(
            {
                "startTime": lambda: self.instant(),
                "endTime": lambda: self.instant(),
                "excludeEntryId": lambda: self.known_entry(one),
                "userId": lambda: self.member(one),
            },
            0.7,
        )
        self.ask("checkOverlap", "GET", self.with_query([*one.base, "/timeEntries/overlaps"], stated), self.token(one))

    # Sessions.

    def known_session(self, organization):
        return self.reference(
            organization.sessions, [session for other in self.organizations for session in other.sessions]
        )

    def assignees(self, organization):
        """Some members, in one of the three forms, at times in two of them or one twice."""
        people = [
            {"id": self.member(organization), "name": self.pick(["x", None, ""], [7])}
            for _ in range(self.random.randrange(4))
        ]
        people += [{"id": one} for one in organization.members[:1] if self.chance(0.5)]
        forms = {"assignees": people, "photographers": people, "photographer": people[0] if people else None}
        stated = [form for form in forms if self.chance(0.05)] + [self.pick(["assignees", "assignees", *forms])]
        return {form: forms[form] for form in stated if self.chance(0.8)}

    def session_members(self, organization):
        return {
            "startTime": self.pick([..., ..., None, self.instant()]),
            "endTime": self.pick([..., ..., None, self.instant()]),
            "location": self.pick([..., None, "", *NAMES], NO_NAMES),
            **self.assignees(organization),
        }

    def create_session(self):
        one = self.organization()
        body = self.body({"date": self.date(), "title": self.pick(NAMES, NO_NAMES), **self.session_members(one)})
        made, answer = self.ask("createSession", "POST", [*one.base, "/sessions"], self.token(one), body, self.fields())
        if made:
            session = Pair(*[each["id"] for each in made])
            one.sessions.append(session)
            one.etags[session] = answer.fields["etag"]

    def list_sessions(self):
        one = self.organization()
        stated = self.query(
            {
                "assignedTo": lambda: self.pick(["me", self.member(one)], ["ME", ""]),
                "startDate": self.date,
                "endDate": self.date,
                **self.sometimes_range(),
                "limit": self.limit,
            },
            0.3,
        )
        if self.chance(0.2):
            stated.append(("date", self.date()))
        self.list("listSessions", one, [*one.base, "/sessions"], stated, "sessions")

    def get_session(self):
        one = self.organization()
        session = self.known_session(one)
        _, answer = self.ask(
            "getSession", self.pick(["GET", "GET", "HEAD"]), [*one.base, "/sessions/", session], self.token(one)
        )
        if "etag" in answer.fields:
            one.etags[session] = answer.fields["etag"]

    def update_session(self):
        one = self.organization()
        session = self.known_session(one)
        body = self.body(
            {
                "date": self.pick([..., None, self.date()]),
                "title": self.pick([..., None, *NAMES], NO_NAMES),
                **self.session_members(one),
            }
        )
        _, answer = self.ask(
            "updateSession",
            "PATCH",
            [*one.base, "/sessions/", session],
            self.token(one),
            body,
            [*self.condition(one.etags.get(session, '"1"')), *self.fields()],
        )
        if "etag" in answer.fields:
            one.etags[session] = answer.fields["etag"]

    def delete_session(self):
        one = self.organization()
        session = self.known_session(one)
        stated = self.query({"detach": lambda: self.pick(["true", "false"], ["yes", ""])}, 0.5)
        self.ask(
            "deleteSession",
            "DELETE",
            self.with_query([*one.base, "/sessions/", session], stated),
            self.token(one),
            None,
            self.condition(one.etags.get(session, '"1"')),
        )

    # Break types.

    def known_break_type(self, organization):
        return self.reference(
            organization.break_types, [one for other in self.organizations for one in other.break_types]
        )

    def break_type(self, *others):
        return {
            "isPaid": self.pick([True, False, *others], [1, "true"]),
            "expectedSeconds": self.pick([..., None, 1, 1800, 86400], [0, -1, 86401, "60"]),
        }

    def create_break_type(self):
        one = self.organization()
        body = self.body({"name": self.pick(NAMES, NO_NAMES), **self.break_type()})
        made, answer = self.ask(
            "createBreakType", "POST", [*one.base, "/breakTypes"], self.token(one), body, self.fields()
        )
        if made:
            break_type = Pair(*[each["id"] for each in made])
            one.break_types.append(break_type)
            one.etags[break_type] = answer.fields["etag"]

    def list_break_types(self):
        one = self.organization()
        stated = self.query({"archived": lambda: self.pick(["true", "false"], ["yes", ""]), "limit": self.limit}, 0.4)
        self.list("listBreakTypes", one, [*one.base, "/breakTypes"], stated, "breakTypes")

    def get_break_type(self):
        one = self.organization()
        path = [*one.base, "/breakTypes/", self.known_break_type(one)]
        self.ask("getBreakType", self.pick(["GET", "GET", "HEAD"]), path, self.token(one))

    def update_break_type(self):
        one = self.organization()
        break_type = self.known_break_type(one)
        stated = {
            "name": self.pick([..., None, *NAMES], NO_NAMES),
            "archived": self.pick([..., None, True, False], ["no"]),
            **self.break_type(..., None),
        }
        _, answer = self.ask(
            "updateBreakType",
            "PATCH",
            [*one.base, "/breakTypes/", break_type],
            self.token(one),
            self.body(stated),
            [*self.condition(one.etags.get(break_type, '"1"')), *self.fields()],
        )
        if "etag" in answer.fields:
            one.etags[break_type] = answer.fields["etag"]

    # Webhooks, to reserved names, which nobody looks up.

    def known_webhook(self, organization):
        return self.reference(organization.webhooks, [one for other in self.organizations for one in other.webhooks])

    def webhook(self):
        return {
            "url": self.pick(
                ["https://a.example/x", "http://b.example:81?c=d"], ["ftp://a.example", "", "https://u@a.example"]
            ),
            "resources": self.pick([..., None, ["timeEntry"], ["segment", "member"]], [[], ["x"], "member"]),
        }

    def create_webhook(self):
        one = self.organization()
        # Stated, because each service would make another.
        secret = self.pick(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], ["whsec_", "x"])
        made, answer = self.ask(
            "createWebhook",
            "POST",
            [*one.base, "/webhooks"],
            self.token(one),
            self.body({**self.webhook(), "secret": secret}),
            self.fields(),
        )
        if made:
            webhook = Pair(*[each["id"] for each in made])
            one.webhooks.append(webhook)
            one.etags[webhook] = answer.fields["etag"]

    def change_webhook(self):
        one = self.organization()
        webhook = self.known_webhook(one)
        path = [*one.base, "/webhooks/", webhook]
        seen = one.etags.get(webhook, '"1"')
        kind = self.pick(["list", "get", "update", "update", "delete"])
        if kind == "list":
            self.list("listWebhooks", one, [*one.base, "/webhooks"], self.query({"limit": self.limit}, 0.4), "webhooks")
        elif kind == "get":
            self.ask("getWebhook", self.pick(["GET", "HEAD"]), path, self.token(one))
        elif kind == "delete":
            self.ask("deleteWebhook", "DELETE", path, self.token(one), None, self.condition(seen))
        else:
            stated = {**self.webhook(), "enabled": self.pick([..., None, True, False], ["no"])}
            fields = [*self.condition(seen), *self.fields()]
            _, answer = self.ask("updateWebhook", "PATCH", path, self.token(one), self.body(stated), fields)
            if "etag" in answer.fields:
                one.etags[webhook] = answer.fields["etag"]

    # Projects.

    def known_project(self, organization):
        return self.reference(organization.projects, [one for other in self.organizations for one in other.projects])

    def project(self):
        return {
            "client": self.pick([..., None, *NAMES], [1]),
            "color": self.pick([..., None, "#007AFF", "#34c7aF"], ["", "red", "#12345", 7]),
            "billable": self.pick([..., None, True, False], ["no"]),
        }

    def create_project(self):
        one = self.organization()
        stated = {
            "name": self.pick(NAMES, NO_NAMES),
            "ownerId": self.pick([..., None, self.member(one)]),
            **self.project(),
        }
        made, answer = self.ask(
            "createProject", "POST", [*one.base, "/projects"], self.token(one), self.body(stated), self.fields()
        )
        if made:
            project = Pair(*[each["id"] for each in made])
            one.projects.append(project)
            one.etags[project] = answer.fields["etag"]

    def list_projects(self):
        one = self.organization()
        stated = self.query(
            {
                "archived": lambda: self.pick(["true", "false"], ["yes", ""]),
                "owner": lambda: self.pick(["me", "none"], ["all", ""]),
                "limit": self.limit,
            },
            0.4,
        )
        self.list("listProjects", one, [*one.base, "/projects"], stated, "projects")

    def get_project(self):
        one = self.organization()
        path = [*one.base, "/projects/", self.known_project(one)]
        self.ask("getProject", self.pick(["GET", "GET", "HEAD"]), path, self.token(one))

    def update_project(self):
        one = self.organization()
        project = self.known_project(one)
        stated = {
            "name": self.pick([..., None, *NAMES], NO_NAMES),
            "archived": self.pick([..., None, True, False], ["no"]),
            **self.project(),
        }
        _, answer = self.ask(
            "updateProject",
            "PATCH",
            [*one.base, "/projects/", project],
            self.token(one),
            self.body(stated),
            [*self.condition(one.etags.get(project, '"1"')), *self.fields()],
        )
        if "etag" in answer.fields:
            one.etags[project] = answer.fields["etag"]

    def delete_project(self):
        one = self.organization()
        project = self.known_project(one)
        stated = self.query({"segments": lambda: self.pick(["detach", "delete"], ["keep", ""])}, 0.5)
        self.ask(
            "deleteProject",
            "DELETE",
            self.with_query([*one.base, "/projects/", project], stated),
            self.token(one),
            None,
            self.condition(one.etags.get(project, '"1"')),
        )

    # Tasks.

    def known_task(self, organization):
        return self.reference(organization.tasks, [one for other in self.organizations for one in other.tasks])

    def create_task(self):
        one = self.organization()
        stated = {
            "name": self.pick(NAMES, NO_NAMES),
            "projectId": self.pick([..., None, self.known_project(one), self.known_project(one)]),
            "ownerId": self.pick([..., ..., None, self.member(one)]),
        }
        made, answer = self.ask(
            "createTask", "POST", [*one.base, "/tasks"], self.token(one), self.body(stated), self.fields()
        )
        if made:
            task = Pair(*[each["id"] for each in made])
            one.tasks.append(task)
            one.etags[task] = answer.fields["etag"]

    def list_tasks(self):
        one = self.organization()
        stated = self.query(
            {
                "hidden": lambda: self.pick(["true", "false"], ["yes", ""]),
                "projectId": lambda: self.known_project(one),
                "owner": lambda: self.pick(["me", "none"], ["all", ""]),
                "limit": self.limit,
            },
            0.4,
        )
        self.list("listTasks", one, [*one.base, "/tasks"], stated, "tasks")

    def get_task(self):
        one = self.organization()
        path = [*one.base, "/tasks/", self.known_task(one)]
        self.ask("getTask", self.pick(["GET", "GET", "HEAD"]), path, self.token(one))

    def update_task(self):
        one = self.organization()
        task = self.known_task(one)
        stated = {
            "name": self.pick([..., None, *NAMES], NO_NAMES),
            "hidden": self.pick([..., None, True, False], ["no"]),
            "projectId": self.pick([..., None, self.known_project(one), self.known_project(one)]),
        }
        _, answer = self.ask(
            "updateTask",
            "PATCH",
            [*one.base, "/tasks/", task],
            self.token(one),
            self.body(stated),
            [*self.condition(one.etags.get(task, '"1"')), *self.fields()],
        )
        if "etag" in answer.fields:
            one.etags[task] = answer.fields["etag"]

    def delete_task(self):
        one = self.organization()
        task = self.known_task(one)
        self.ask(
            "deleteTask",
            "DELETE",
            [*one.base, "/tasks/", task],
            self.token(one),
            None,
            self.condition(one.etags.get(task, '"1"')),
        )

    # Segments.

    def known_segment(self, organization):
        return self.reference(organization.segments, [one for other in self.organizations for one in other.segments])

    def project_to_work_on(self, organization):
        if len(organization.worked_on) < 3:
            made, _ = self.ask(
                "createProject", "POST", [*organization.base, "/projects"], organization.tokens[0], {"name": "Work"}
            )
            if made:
                organization.worked_on.append(Pair(*[each["id"] for each in made]))
        return self.reference(organization.worked_on, self.foreign_ids)

    def purpose(self, organization, missing=()):
        """Mostly work on a project or a break, at times neither, both, or a task that nobody has."""
        project = self.project_to_work_on(organization)
        rest = self.known_break_type(organization)
        stated = self.pick([{"projectId": project}] * 6 + [{"breakTypeId": rest}] * 4 + list(missing))
        if self.chance(0.04):
            stated = self.pick(
                [{}, {"projectId": project, "breakTypeId": rest}, {"taskId": self.pick(self.foreign_ids)}]
            )
        return {
            **stated,
            "name": self.pick([..., ..., None, "", *NAMES], ["a\nb", "x" * 201]),
            "tags": self.pick([..., ..., None, [], ["a"], [" b ", "a", "a"]], [["x" * 51], [""], "a", [7]]),
        }

    def started(self, one, made, key):
        if made:
            one.segments += [Pair(*[each[key]["id"] for each in made])] if made[0][key] else []
        # On neither side does the next one end what has begun in the same millisecond.
        time.sleep(0.003)

    def start_segment(self):
        one = self.organization()
        stated = {
            **self.purpose(one),
            "startTime": self.pick([..., ..., ..., ..., self.instant(2)]),
            "clockIn": self.pick([..., ..., True, False, None], ["no"]),
            "timeZone": self.pick([..., ..., *ZONES], NO_ZONES),
            "userId": self.somebody(one),
        }
        made, _ = self.ask(
            "startSegment", "POST", [*one.base, "/segments/start"], self.token(one), self.body(stated), self.fields()
        )
        self.started(one, made, "segment")

    def stop_segment(self):
        one = self.organization()
        stated = {
            "endTime": self.pick([..., ..., ..., self.instant(2)]),
            "resume": self.pick([..., True, False, None], ["no"]),
            "clockOut": self.pick([..., ..., True, False, None], [1]),
            "userId": self.somebody(one),
        }
        body = None if self.chance(0.3) else self.body(stated)
        made, _ = self.ask("stopSegment", "POST", [*one.base, "/segments/stop"], self.token(one), body, self.fields())
        self.started(one, made, "resumed")

    def create_segment(self):
        one = self.organization()
        start = self.random.randrange(5_000)
        begin = self.start - 3 * MINUTE - start * MINUTE
        stated = {
            **self.purpose(one),
            "startTime": self.pick([self.written(begin)], [..., self.instant()]),
            "endTime": self.pick(
                [self.written(begin + MINUTE * self.random.randrange(1, 90))],
                [self.written(begin), ..., self.instant()],
            ),
            "timeEntry": self.pick([..., "attach", "create", "create", "none", "none"], ["all", ""]),
            "timeZone": self.pick([..., ..., *ZONES], NO_ZONES),
            "userId": self.somebody(one),
            "reason": self.reason(),
        }
        made, answer = self.ask(
            "createSegment", "POST", [*one.base, "/segments"], self.token(one), self.body(stated), self.fields()
        )
        if made:
            segment = Pair(*[each["id"] for each in made])
            one.segments.append(segment)
            one.etags[segment] = answer.fields["etag"]

    def list_segments(self):
        one = self.organization()
        stated = self.query(
            {
                "userId": lambda: self.member(one),
                "projectId": lambda: self.project_to_work_on(one),
                "taskId": lambda: self.pick(self.foreign_ids),
                "kind": lambda: self.pick(["work", "break"], ["rest", ""]),
                "tag": lambda: self.pick(["a", " b "], ["", "x" * 51]),
                "match": lambda: self.pick(["overlap", "start"], ["end", ""]),
                "startDate": self.date,
                "endDate": self.date,
                "limit": self.limit,
                **self.sometimes_range(),
            },
            0.2,
        )
        self.list("listSegments", one, [*one.base, "/segments"], stated, "segments")

    def get_segment(self):
        one = self.organization()
        path = [*one.base, "/segments/", self.known_segment(one)]
        self.ask("getSegment", self.pick(["GET", "GET", "HEAD"]), path, self.token(one))

    def update_segment(self):
        one = self.organization()
        segment = self.known_segment(one)
        stated = {
            **self.purpose(one, [{}] * 10 + [{"projectId": None}, {"taskId": None}]),
            "startTime": self.pick([..., ..., ..., self.instant(4)]),
            "endTime": self.pick([..., ..., ..., self.instant(4)]),
            "billable": self.pick([..., ..., True, False, None], ["no"]),
            "reason": self.reason(),
        }
        _, answer = self.ask(
            "updateSegment",
            "PATCH",
            [*one.base, "/segments/", segment],
            self.token(one),
            self.body(stated),
            [*self.condition(one.etags.get(segment, '"1"')), *self.fields()],
        )
        if "etag" in answer.fields:
            one.etags[segment] = answer.fields["etag"]
        time.sleep(0.003)

    def delete_segment(self):
        one = self.organization()
        segment = self.known_segment(one)
        stated = self.query({"reason": lambda: self.pick(["wrong", "asked to"], ["x" * 501])}, 0.6)
        self.ask(
            "deleteSegment",
            "DELETE",
            self.with_query([*one.base, "/segments/", segment], stated),
            self.token(one),
            None,
            self.condition(one.etags.get(segment, '"1"')),
        )

    def reset_history(self):
        """At times of somebody who has none, or without a subject."""
        one = self.organization()
        stated = {
            "scope": self.pick(
                [["segments"], ["projects"], ["segments", "projects"], ["timerSessions"]],
                [..., [], ["timers"], "segments"],
            ),
            "before": self.pick([..., self.instant(), None], ["today"]),
            "reason": self.reason(),
        }
        self.ask(
            "resetHistory",
            "POST",
            [*one.base, "/members/", self.member(one), "/resetHistory"],
            self.token(one),
            self.body(stated),
            self.fields(),
        )

    def check_segment_overlap(self):
        one = self.organization()
        stated = self.query(
            {
                "startTime": lambda: self.instant(),
                "endTime": lambda: self.instant(),
                "excludeSegmentId": lambda: self.known_segment(one),
                "userId": lambda: self.member(one),
            },
            0.7,
        )
        path = self.with_query([*one.base, "/segments/overlaps"], stated)
        self.ask("checkSegmentOverlap", "GET", path, self.token(one))

    def clock(self):
        one = self.organization()
        stated = self.query({"userId": lambda: self.member(one)})
        path = self.with_query([*one.base, "/clock"], stated)
        self.ask("getClock", self.pick(["GET", "GET", "HEAD"]), path, self.token(one))

    # The log of changes.

    def list_changes(self):
        one = self.organization()
        after = self.pick([0, 5, 20, 100, 300], [-1, "x", "", 10**17, "05"])
        stated = [("after", after)] if self.chance(0.7) else []
        self.ask(
            "listChanges",
            "GET",
            self.with_query([*one.base, "/changes"], stated + self.query({"limit": self.limit})),
            self.token(one),
        )

    def list_audit_log(self):
        one = self.organization()
        stated = self.query(
            {
                "limit": self.limit,
                "userId": lambda: self.member(one),
                "resourceId": lambda: self.known_entry(one),
                "resource": lambda: self.pick(
                    [
                        *["member", "timeEntry", "apiToken", "organization", "session", "breakType"],
                        *["project", "task", "segment"],
                    ],
                    ["token", ""],
                ),
                "operation": lambda: self.pick(["clockIn", "updateMember", "deleteProject"], ["nothing", "getMe", ""]),
            },
            0.2,
        )
        self.list("listAuditLog", one, [*one.base, "/auditLog"], stated, "changes")

    # Reports.

    def report_query(self, organization):
        """Never to the present: a member who clocked in within this millisecond would be in one side's report only."""
        return [
            ("asOf", self.instant(3)),
            *self.query(
                {
                    "attribution": lambda: self.pick(["split", "start", "end"], ["both", ""]),
                    "timeZone": lambda: self.pick(ZONES, NO_ZONES),
                    "userId": lambda: self.member(organization),
                    "durations": self.durations,
                    "anomalies": lambda: self.pick(["break_missing,over_maximum", "auto_closed"], ["late", ""]),
                },
                0.3,
            ),
        ]

    def durations(self):
        return self.pick(["seconds", "decimal", "hh:mm", "hh:mm:ss"], ["hours", ""])

    def report_hours(self):
        one = self.organization()
        dimensions = ["user", "day", "week", "month", "session", "status", "source"]
        grouping = ",".join(self.random.sample(dimensions, self.random.randrange(1, 4)))
        days = sorted([self.date(), self.date()])
        stated = [("startDate", days[0]), ("endDate", days[1])][self.pick([0, 0, 0], [1]) :]
        if self.chance(0.2):
            stated = [("range", self.range()), *self.pick([[]], [stated])]
        if self.chance(0.7):
            stated.append(("groupBy", self.pick([grouping], ["user,user", "", "year"])))
        if self.chance(0.2):
            stated.append(("sessionId", self.known_session(one)))
        self.ask(
            "reportHours",
            "GET",
            self.with_query([*one.base, "/reports/hours"], stated + self.report_query(one)),
            self.token(one),
        )

    def timesheet(self):
        one = self.organization()
        stated = [("period", self.pick(["weekly", "two-weekly", "half-monthly", "monthly"], ["yearly", ""]))]
        self.ask(
            "getTimesheet",
            "GET",
            self.with_query(
                [*one.base, "/reports/timesheet"], stated + self.query({"date": self.date}) + self.report_query(one)
            ),
            self.token(one),
        )

    def history(self):
        """Never to the present either."""
        one = self.organization()
        stated = {
            "period": lambda: self.pick(["day", "week", "month"], ["year", ""]),
            "date": lambda: self.pick(["today", self.date()], ["tomorrow", ""]),
            "attribution": lambda: self.pick(["split", "start"], ["end", ""]),
            "timeZone": lambda: self.pick(ZONES, NO_ZONES),
            "userId": lambda: self.member(one),
        }
        path = self.with_query([*one.base, "/reports/history"], [("asOf", self.instant(3)), *self.query(stated, 0.6)])
        self.ask("getHistory", "GET", path, self.token(one))

    # The rest.

    def service(self):
        one = self.organization()
        name, method, path = self.pick(
            [
                ("getLiveness", "GET", ["/health/live"]),
                ("getReadiness", "GET", ["/health/ready"]),
                ("getReadiness", "HEAD", ["/health/ready"]),
                ("getOpenAPIDocument", "GET", ["/openapi.yaml"]),
                ("getService", "GET", ["/"]),
                ("getVersion", "GET", ["/v1/version"]),
                ("none", "GET", ["/v1/nothing"]),
                ("none", "PUT", one.base),
                ("none", "POST", [*one.base, "/members/x"]),
                ("none", "BREW", ["/v1/me"]),
                ("none", "GET", [*one.base, "/timeEntries/"]),
                ("none", "DELETE", ["/"]),
            ]
        )
        self.ask(name, method, path, self.token(one))

    def leave(self):
        """Rare cases among random operations, once as they are meant: somebody comes, logs in and out, and is
        forgotten."""
        one = self.make_organization(2)
        admin = one.tokens[0]
        stated = {"email": "leaver@example.com", "password": PASSWORDS[0]}
        made, answer = self.ask(
            "createMember", "POST", [*one.base, "/members"], admin, {**stated, "name": "Leaver", "role": "member"}
        )
        person = [*one.base, "/members/", Pair(*[member["userId"] for member in made])]
        seen = [("If-Match", answer.fields["etag"])]
        _, answer = self.ask("updateMember", "PATCH", person, admin, {"name": "Parting"}, seen)
        made, seen = self.ask(
            "createBreakType", "POST", [*one.base, "/breakTypes"], admin, {"name": "Tea", "isPaid": True}
        )
        break_type = [*one.base, "/breakTypes/", Pair(*[each["id"] for each in made])]
        seen = [("If-Match", seen.fields["etag"])]
        self.ask("updateBreakType", "PATCH", break_type, admin, {"name": "Coffee"}, seen)
        # Of a kind that does not change before it is off.
        hook = {
            "url": "https://a.example",
            "resources": ["invitation"],
            "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        }
        made, seen = self.ask("createWebhook", "POST", [*one.base, "/webhooks"], admin, hook)
        webhook = [*one.base, "/webhooks/", Pair(*[each["id"] for each in made])]
        seen = [("If-Match", seen.fields["etag"])]
        _, seen = self.ask("updateWebhook", "PATCH", webhook, admin, {"enabled": False}, seen)
        self.ask("getWebhook", "GET", webhook, admin)
        self.ask("listWebhooks", "GET", [*one.base, "/webhooks"], admin)
        self.ask("pingWebhook", "POST", [*webhook, "/ping"], admin)
        self.ask("listWebhookDeliveries", "GET", [*webhook, "/deliveries"], admin)
        self.ask("deleteWebhook", "DELETE", webhook, admin, None, [("If-Match", seen.fields["etag"])])
        made, seen = self.ask("createProject", "POST", [*one.base, "/projects"], admin, {"name": "Harvest"})
        project = [*one.base, "/projects/", Pair(*[each["id"] for each in made])]
        seen = [("If-Match", seen.fields["etag"])]
        _, seen = self.ask("updateProject", "PATCH", project, admin, {"color": "#000000"}, seen)
        stated_task = {"name": "Pick", "projectId": project[-1]}
        made, task_seen = self.ask("createTask", "POST", [*one.base, "/tasks"], admin, stated_task)
        task = [*one.base, "/tasks/", Pair(*[each["id"] for each in made])]
        task_seen = [("If-Match", task_seen.fields["etag"])]
        _, task_seen = self.ask("updateTask", "PATCH", task, admin, {"projectId": None}, task_seen)
        self.ask("deleteTask", "DELETE", task, admin, None, [("If-Match", task_seen.fields["etag"])])
        self.ask("deleteProject", "DELETE", project, admin, None, [("If-Match", seen.fields["etag"])])
        made, seen = self.ask(
            "createSession", "POST", [*one.base, "/sessions"], admin, {"date": "2026-03-28", "title": "Late"}
        )
        session = [*one.base, "/sessions/", Pair(*[each["id"] for each in made])]
        self.ask("updateSession", "PATCH", session, admin, {"title": "Later"}, [("If-Match", seen.fields["etag"])])
        made, _ = self.ask("createProject", "POST", [*one.base, "/projects"], admin, {"name": "Work"})
        work = {"projectId": Pair(*[each["id"] for each in made])}
        span = {"startTime": "2026-03-28T20:00:00Z", "endTime": "2026-03-28T21:00:00Z", "timeEntry": "create"}
        made, seen = self.ask("createSegment", "POST", [*one.base, "/segments"], admin, {**work, **span})
        segment = [*one.base, "/segments/", Pair(*[each["id"] for each in made])]
        seen = [("If-Match", seen.fields["etag"])]
        _, seen = self.ask("updateSegment", "PATCH", segment, admin, {"tags": ["late"]}, seen)
        self.ask("getSegment", "GET", segment, admin)
        self.ask("deleteSegment", "DELETE", segment, admin, None, [("If-Match", seen.fields["etag"])])
        self.ask("startSegment", "POST", [*one.base, "/segments/start"], admin, work)
        self.ask("getClock", "GET", [*one.base, "/clock"], admin)
        time.sleep(0.003)
        self.ask("stopSegment", "POST", [*one.base, "/segments/stop"], admin, {"clockOut": True})
        reset = {"scope": ["segments", "projects"], "reason": "Asked to"}
        self.ask("resetHistory", "POST", [*person, "/resetHistory"], admin, reset)
        granted, _ = self.ask("createToken", "POST", ["/v1/auth/token"], None, stated)
        token = Pair(*[grant["token"] for grant in granted])
        for name, path in [("getOpenAPIDocument", "/openapi.yaml"), ("getService", "/"), ("getVersion", "/v1/version")]:
            self.ask(name, "GET", [path], None)
        noted = (self.start.date() - datetime.timedelta(days=30)).isoformat()
        punches = [
            {"id": "019aa0f2-3c00-7a10-8b20-00000000000" + str(number), "type": kind, "at": f"{noted}T0{number}:00:00Z"}
            for number, kind in ((1, "clockIn"), (2, "stopSegment"), (3, "clockOut"))
        ]
        for _ in range(2):
            path = [*one.base, "/timeEntries/punches"]
            self.ask("applyPunches", "POST", path, token, {"punches": punches})
        now = datetime.datetime.now(datetime.UTC).isoformat()
        pressed = {"id": "019aa0f2-3c00-7a10-8b20-000000000004", "type": "clockIn", "at": now}
        self.ask("applyPunches", "POST", path, token, {"punches": [pressed]})
        for _ in range(2):
            self.ask("undoPunch", "POST", [*path, "/", pressed["id"], "/undo"], token)
        self.use_a_focus_timer(one.base, token)
        path = [*one.base, "/pushTargets"]
        phone = {"kind": "alert", "token": "0123456789abcdef" * 4, "topic": "com.example.app"}
        made, _ = self.ask("createPushTarget", "POST", path, token, phone)
        for target in [Pair(*[target["id"] for target in made])] if made else []:
            self.ask("deletePushTarget", "DELETE", [*path, "/", target], token)
        self.use_a_timer_app(stated)
        log_ins, _ = self.ask("listLogIns", "GET", ["/v1/me/logIns"], token)
        log_in = Pair(*[listed["logIns"][0]["id"] for listed in log_ins])
        self.ask("deleteLogIn", "DELETE", ["/v1/me/logIns/", log_in], token)
        granted, _ = self.ask("createToken", "POST", ["/v1/auth/token"], None, stated)
        last = Pair(*[grant["token"] for grant in granted])
        self.ask("deleteOtherLogIns", "DELETE", ["/v1/me/logIns"], last)
        granted, _ = self.ask("createToken", "POST", ["/v1/auth/token"], None, stated)
        self.ask("deleteToken", "DELETE", ["/v1/auth/token"], Pair(*[grant["token"] for grant in granted]))
        self.ask("deactivateMember", "DELETE", person, admin, None, [("If-Match", answer.fields["etag"])])
        self.ask("anonymizeMember", "POST", [*person, "/anonymize"], admin)
        made, _ = self.ask(
            "createMember",
            "POST",
            [*one.base, "/members"],
            admin,
            {"email": "guest@example.com", "name": "Guest", "role": "member"},
        )
        path = [*one.base, "/invitations"]
        guest = {"userId": Pair(*[member["userId"] for member in made])}
        invited, _ = self.ask("createInvitation", "POST", path, admin, guest)
        self.ask("listInvitations", "GET", path, admin)
        token = Pair(*[invitation["token"] for invitation in invited])
        stated = {"token": token, "password": PASSWORDS[0]}
        self.ask("acceptInvitation", "POST", ["/v1/auth/invitation"], None, stated)
        self.ask("acceptInvitation", "POST", ["/v1/auth/invitation"], None, stated)
        invited, _ = self.ask("createInvitation", "POST", path, admin, guest)
        invitation = Pair(*[invitation["id"] for invitation in invited])
        self.ask("deleteInvitation", "DELETE", [*path, "/", invitation], admin)
        self.ask(
            "importTimeEntries",
            "POST",
            [*one.base, "/timeEntries/import?format=timetagger&userId=", one.members[0]],
            admin,
            b"start,stop\n2026-03-28T22:00:00Z,2026-03-29T06:00:00Z\n",
            [("Content-Type", "text/csv")],
        )
        made, answer = self.ask(
            "createSession", "POST", [*one.base, "/sessions"], admin, {"date": "2026-03-29", "title": "Wedding"}
        )
        self.ask(
            "deleteSession",
            "DELETE",
            [*one.base, "/sessions/", Pair(*[session["id"] for session in made])],
            admin,
            None,
            [("If-Match", answer.fields["etag"])],
        )

    def use_a_timer_app(self, person):
        """Somebody's day with a timer app, with times that are stated: those of the moment differ from side to side."""
        granted, _ = self.ask("taskTimerCreateToken", "POST", ["/api/auth/token"], None, {**person, "device": "phone"})
        token = Pair(*[grant["token"] for grant in granted])
        made, _ = self.ask("taskTimerCreateTask", "POST", ["/api/tasks"], token, {"name": "Pick"})
        task = Pair(*[each["id"] for each in made])
        self.ask("taskTimerGetTask", "GET", ["/api/tasks/", task], token)
        self.ask("taskTimerUpdateTask", "PUT", ["/api/tasks/", task], token, {"name": "Picking", "events": []})
        # Within the days in which members change ended entries.
        day = (self.start.date() - datetime.timedelta(days=20)).isoformat()
        event = {"taskId": task, "duration": 5_400_000, "createdAt": f"{day}T00:30:00.000Z"}
        made, _ = self.ask("taskTimerCreateEvent", "POST", ["/api/events"], token, event)
        self.ask("taskTimerCreateEvent", "POST", ["/api/events"], token, event)
        path = ["/api/events/", Pair(*[each["id"] for each in made])]
        self.ask("taskTimerUpdateEvent", "PUT", path, token, {"duration": 7_200_000, "name": "Rows"})
        self.ask(
            "taskTimerValidateStart", "POST", ["/api/timer/validate-start"], token, {"newStartTime": f"{day}T01:00:00Z"}
        )
        late = {"newStartTime": f"{day}T12:00:00Z"}
        self.ask("taskTimerValidateStart", "POST", ["/api/timer/validate-start"], token, late)
        for name, place in [
            ("taskTimerListTasks", "tasks"),
            ("taskTimerListEvents", "events"),
            ("taskTimerGetStats", "stats"),
        ]:
            self.ask(name, "GET", [f"/api/{place}"], token)
        self.ask("taskTimerDeleteEvent", "DELETE", path, token)
        self.ask("taskTimerHideTask", "DELETE", ["/api/tasks/", task], token)
        self.ask("taskTimerListTasks", "GET", ["/api/tasks?hidden=true"], token)
        self.ask("taskTimerDeleteToken", "DELETE", ["/api/auth/token"], token)

    def look_at_everything(self):
        """All lists, whole, by everybody."""
        for one in self.organizations:
            for token in one.tokens:
                for name, path in [
                    ("listMembers", "/members"),
                    ("listApiTokens", "/apiTokens"),
                    ("listInvitations", "/invitations"),
                    ("listTimeEntries", "/timeEntries"),
                    ("listSessions", "/sessions"),
                    ("listBreakTypes", "/breakTypes"),
                    ("listWebhooks", "/webhooks"),
                    ("listReminders", "/reminders"),
                    ("listProjects", "/projects"),
                    ("listTasks", "/tasks"),
                    ("listSegments", "/segments"),
                    ("listTimerSessions", "/timerSessions"),
                    ("listChanges", "/changes"),
                    ("listAuditLog", "/auditLog"),
                    ("getOrganization", ""),
                ]:
                    self.ask(name, "GET", [*one.base, path, "?limit=1000" if path else ""], token)
                for name, path in [
                    ("getCurrentTimer", "current"),
                    ("getTimerSettings", "settings"),
                    ("getTimerStatistics", "statistics?groupBy=label"),
                ]:
                    self.ask(name, "GET", [*one.base, "/timers/", path], token)
                for form in ("csv", "ndjson"):
                    self.ask("exportTimeEntries", "GET", [*one.base, f"/timeEntries/export?format={form}"], token)
                # Before today, where nothing goes on.
                past = "/segments/export?format=ndjson&endDate=2026-10-31"
                self.ask("exportSegments", "GET", [*one.base, past], token)
                self.ask("streamEvents", "GET", [*one.base, "/events?after=0&seconds=0"], token)
                self.ask("getCalendar", "GET", [*one.base, "/timeEntries/calendar?startDate=1900-01-01"], token)
