"""A plan made in an organization of its own, over HTTP, and the facts that the service then has of it."""

import itertools

from kit import client

from . import facts, zones
from .office_segments import Segments
from .plan import member_id, session_id

# So that everything that is drawn can be entered.
OPEN_POLICY = {"minimumSeconds": 0, "maximumSeconds": 604_800, "lookBackHours": 8_760}
# How many entries one request may make.
BULK = 500


class PlannedOffice:
    numbers = itertools.count()

    def __init__(self, connection, operator, plan):
        self.connection = connection
        self.plan = plan
        # The id of the entry that is entered to be deleted.
        self.deleted = None
        number = next(self.numbers)
        made = self.ask(
            201,
            "POST",
            "/v1/organizations",
            {
                "name": f"Office {number}",
                "timeZone": plan.zone,
                "admin": {"email": f"owner{number}@example.com", "name": "Owner"},
            },
            operator,
        )
        self.base = f"/v1/organizations/{made['organization']['id']}"
        self.token = made["token"]
        self.members = [
            self.make(
                "/members",
                {"email": f"member{place}.{number}@example.com", "name": name, "role": "member", "timeZone": zone},
            )["userId"]
            for place, (name, zone) in enumerate(zip(plan.members, plan.zones))
        ]
        self.sessions = [
            self.make("/sessions", {"date": "2026-06-10", "title": title})["id"] for title in plan.sessions
        ]
        self.purposes = Segments(self)
        # The first member, who is never deactivated, enters some times alone and asks for reports, too.
        self.own_token = self.make("/apiTokens", {"name": "phone", "userId": self.members[0]})["token"]
        # From made-up ids to those of the service.
        self.ids = {member_id(place): one for place, one in enumerate(self.members)}
        self.ids |= {session_id(place): one for place, one in enumerate(self.sessions)}
        self.ids |= self.purposes.ids
        self.enter()
        entries = self.read_entries()
        self.facts = facts.Facts(entries, plan.policy, self.purposes.read(entries))

    def ask(self, status, method, path, body=None, token=None, fields=()):
        answer = self.connection.request(method, path, token or self.token, body, fields)
        if answer.status != status:
            raise SystemExit(f"{method} {path} {body} is answered {answer}, not {status}")
        return answer.json if answer.body else None

    def make(self, path, body):
        return self.ask(201, "POST", self.base + path, body)

    def enter(self):
        """Everything of the plan, in the order in which the rules allow it."""
        self.set_policy(OPEN_POLICY)
        self.enter_by_hand()
        policy = self.plan.policy
        self.set_policy(
            {
                "minimumSeconds": 60,
                "maximumSeconds": policy.maximum,
                "dailyOvertimeAfter": policy.daily_overtime_after,
                "weeklyOvertimeAfter": policy.weekly_overtime_after,
                "weekStart": policy.week_start,
                **break_limits(policy),
            }
        )
        for first, rules in policy.dated[::-1]:
            self.make("/payRules", {"from": first.isoformat(), **rules_from_a_date(rules)})
        for one in self.plan.entries:
            if self.is_clocked(one):
                self.clock(one)
        self.purposes.enter()
        self.delete()
        for place in self.plan.deactivated:
            self.ask(204, "DELETE", f"{self.base}/members/{self.members[place]}", fields=[("If-Match", "*")])
        for place in self.plan.anonymous:
            self.ask(200, "POST", f"{self.base}/members/{self.members[place]}/anonymize", {})
        self.purposes.change()

    def set_policy(self, limits):
        self.ask(200, "PATCH", self.base, {"policy": limits}, fields=[("If-Match", "*")])

    @staticmethod
    def is_clocked(one):
        return one.is_clocked or one.end is None

    def enter_by_hand(self):
        """In bulk: the first member's without a session in their own name, and the manager's."""
        mine, others = [], []
        for place, one in enumerate(self.plan.entries):
            if not self.is_clocked(one):
                body = {
                    "clockInTime": zones.written(one.start),
                    "clockOutTime": zones.written(one.end),
                    "userId": self.members[one.member],
                } | self.session(one)
                (mine if one.member == 0 and one.session is None else others).append((place, body))
        for bodies, token in [(mine, self.own_token), (others, self.token)]:
            for start in range(0, len(bodies), BULK):
                self.enter_in_bulk(bodies[start : start + BULK], token)

    def enter_in_bulk(self, bodies, token):
        stated = {"mode": "atomic", "timeEntries": [body for _, body in bodies]}
        outcome = self.ask(200, "POST", f"{self.base}/timeEntries/bulk", stated, token)
        for (place, _), result in zip(bodies, outcome["results"]):
            if place == self.plan.deleted:
                self.deleted = result["timeEntry"]["id"]

    def delete(self):
        """Once it has its segments, which go with it."""
        if self.deleted:
            self.ask(204, "DELETE", f"{self.base}/timeEntries/{self.deleted}?reason=twice", fields=[("If-Match", "*")])

    def session(self, one):
        return {} if one.session is None else {"sessionId": self.sessions[one.session]}

    def clock(self, one):
        """In, and out unless it stays active; the service flags spans too short or too long."""
        path = f"{self.base}/timeEntries"
        who = {"userId": self.members[one.member]}
        self.ask(201, "POST", f"{path}/clockIn", who | self.session(one) | {"clockInTime": zones.written(one.start)})
        if one.end is not None:
            self.ask(200, "POST", f"{path}/clockOut", who | {"clockOutTime": zones.written(one.end)})

    def read_entries(self):
        """As the service lists them; their times have to be the plan's."""
        listed = client.elements(
            lambda path: self.ask(200, "GET", path), f"{self.base}/timeEntries?limit=1000", "timeEntries"
        )
        members = {
            identifier: facts.Member(identifier, self.plan.name(place), place not in self.plan.deactivated)
            for place, identifier in enumerate(self.members)
        }
        sessions = {
            identifier: facts.Session(identifier, title) for identifier, title in zip(self.sessions, self.plan.sessions)
        }
        entries = tuple(
            facts.Entry(
                one["id"],
                members[one["userId"]],
                zones.read(one["clockInTime"]),
                one["clockOutTime"] and zones.read(one["clockOutTime"]),
                one["timeZone"],
                sessions.get(one["sessionId"]),
                one["source"],
                tuple(one["flags"]),
            )
            for one in listed
        )
        self.compare_times(entries)
        return entries

    def compare_times(self, entries):
        planned = [
            (self.members[one.member], one.start, one.end, one.session is not None and self.sessions[one.session])
            for place, one in enumerate(self.plan.entries)
            if place != self.plan.deleted
        ]
        gone = {self.members[place] for place in self.plan.deactivated}
        # An entry closed by a deactivation ended at that unknown time.
        got = [
            (
                one.member.id,
                one.start,
                None if "auto_closed" in one.flags and one.member.id in gone else one.end,
                one.session is not None and one.session.id,
            )
            for one in entries
        ]
        if sorted(got, key=str) != sorted(planned, key=str):
            raise SystemExit(f"the service lists {got}, and was given {planned}")


def rules_from_a_date(policy):
    """Members that have the default are left out, if weeks begin on Monday."""
    stated = {
        "dailyOvertimeAfter": policy.daily_overtime_after,
        "weeklyOvertimeAfter": policy.weekly_overtime_after,
        "weekStart": policy.week_start,
        **break_limits(policy),
    }
    if policy.week_start == "monday":
        return {name: value for name, value in stated.items() if value is not None and name != "weekStart"}
    return stated


def break_limits(policy):
    """The settings of a policy that differ from the defaults."""
    rules = [{"afterSeconds": rule.after, "breakSeconds": rule.length} for rule in policy.break_rules]
    stated = {}
    if rules:
        stated["breakRules"] = rules
    if policy.break_minimum != facts.Policy().break_minimum:
        stated["breakMinimumSeconds"] = policy.break_minimum
    return stated
