"""Organizations with callers at work, who write a ledger, and the people and records of one that moves."""

import collections
import secrets
import uuid

import ledger as ledgers
import moving
import workload
from kit import client
from kit.expecting import expect, expect_equal
from kit.office import Office

from . import reading

CALLERS = 3
# The longest that a caller waits between two requests, in seconds: while its organization moves, and else.
BUSY_PAUSE, CALM_PAUSE = 0.06, 1.5
TIMEOUT = 20
# Many organizations wait for a PostgreSQL at once, and the processor is better used by its recovery.
workload.UNAVAILABLE_PAUSE = 0.15


class World(workload.World):
    """Its members' addresses are of one domain: people of all organizations of a cell, who have one account there."""

    def __init__(self, cell, created):
        self.domain = f"{cell.name}.example"
        super().__init__(cell.ports[0], created, members=CALLERS)

    def _make(self, name):
        user = self._post("/members", {"email": f"{name}@{self.domain}", "name": name, "role": "member"})["userId"]
        return workload.Member(user, self._post("/apiTokens", {"name": name, "userId": user})["token"])


class Party:
    """An organization whose callers work from `start` to `stop`."""

    def __init__(self, name, cell, seed, created):
        """`created` is the answer of `Service.create_organization`."""
        self.name = name
        self.id = created["organizationID"]
        admin = Office(cell.ports[0], created)
        # The token that comes with an organization is a log-in, which stays behind.
        self.token = admin.token_of(created["userId"])
        admin.close()
        self.created = {**created, "token": self.token}
        self.home = cell
        self.journey = moving.Journey()
        self.ledger = ledgers.Ledger(cell.folder)
        self.has_started = False
        self.load = workload.Workload(
            cell.ports,
            World(cell, created),
            self.ledger,
            f"{seed}-{name}",
            CALLERS,
            timeout=TIMEOUT,
            pause=CALM_PAUSE,
            kind_of_client=self.journey.client,
        )

    def start(self):
        self.has_started = True
        self.load.__enter__()

    def stop(self):
        """Returns when nothing is under way any more, and every request with a key is answered."""
        self.load.pause()
        self.load.settle()

    def close(self):
        if self.has_started:
            self.load.__exit__()
        self.ledger.remove()

    def hurry(self):
        self.load.pause_seconds = BUSY_PAUSE

    def calm(self):
        self.load.pause_seconds = CALM_PAUSE

    @property
    def times(self):
        """When a request was sent, its port, and how long its success took."""
        return list(self.journey.times)

    def office(self, port):
        """Its admin, at an instance."""
        return Office(port, self.created)


class MovingParty(Party):
    """Beside its callers it has Mia, who is clocked in, a webhook, an invitation, and a reader of its feed."""

    def __init__(self, name, cell, seed, created, receiver, logs_in):
        """Mia has a timer only if she logs in, which takes a processor's time."""
        super().__init__(name, cell, seed, created)
        self.receiver = receiver
        self.log_in = self.timer = None
        office = self.office(cell.ports[0])
        self._make_webhook(office)
        self._make_people(office)
        if logs_in:
            self._log_in(office)
        office.close()
        self.reader = reading.Reader(self)

    def start(self):
        super().start()
        self.reader.start()

    def close(self):
        self.reader.end()
        super().close()

    def _make_webhook(self, office):
        self.path = f"/{self.name}"
        made = office.ask("POST", "/webhooks", {"url": self.receiver.url(self.path)}, 201)
        newest = office.ask("GET", f"/auditLog?limit=1&resource=webhook&resourceId={made['id']}")["changes"][0]
        self.first_message = newest["sequence"]

    def _make_people(self, office):
        self.email = f"mia@{self.name}.example"
        self.user = office.add_member(self.email, "Mia")
        self.mia = office.token_of(self.user)
        ask = office.ask
        self.entry = ask("POST", "/timeEntries/clockIn", {}, 201, token=self.mia)
        span = {"clockInTime": "2026-01-05T08:00:00Z", "clockOutTime": "2026-01-05T16:00:00Z"}
        self.keyed = "/timeEntries", span, [("Idempotency-Key", str(uuid.UUID(bytes=secrets.token_bytes(16))))]
        path, body, fields = self.keyed
        self.answered = ask("POST", path, body, 201, fields, self.mia)
        guest = office.add_member(f"guest@{self.name}.example", "Guest")
        self.invitation = ask("POST", "/invitations", {"userId": guest}, 201)["token"]

    def _log_in(self, office):
        """Starts Mia's timer, and replaces her API token, which ends with a new password."""
        self.log_in = office.log_in(self.user)
        self.mia = office.token_of(self.user)
        timer = {"type": "focus", "durationSeconds": 7200}
        self.timer = office.ask("POST", "/timers", timer, 201, token=self.log_in)["timer"]

    def expect_moved(self, source, target, accepts):
        """The source sends everybody to the target, where everything goes on; `accepts` takes the invitation too."""
        for port in source.ports:
            self.expect_sent_away(port, target)
        there = self.office(target.ports[0])
        self.expect_going_on(there)
        if self.log_in:
            self.expect_log_in_again(there)
        if accepts:
            accepted = {"token": self.invitation, "password": "a guest's long password"}
            answer = there.client.request("POST", "/v1/auth/invitation", None, accepted)
            expect(answer.status == 200, "an invitation is accepted at the new address", answer)
        there.close()

    def expect_sent_away(self, port, target):
        """Whatever is asked for at the source is answered 421."""
        here = self.office(port)
        entries, span, key = self.keyed
        new_key = [("Idempotency-Key", str(uuid.UUID(bytes=secrets.token_bytes(16))))]
        for method, path, body, fields, token in (
            ("GET", "", None, [], self.token),
            ("GET", "/timeEntries?limit=1", None, [], self.token),
            ("GET", "/timeEntries/current", None, [], self.mia),
            ("GET", "/changes?limit=1", None, [], self.token),
            ("GET", "/members?limit=1", None, [], self.token),
            ("GET", "/events?seconds=0", None, [], self.mia),
            ("POST", entries, span, new_key, self.mia),
            ("POST", "/timeEntries/clockOut", {}, [], self.mia),
            ("POST", "/timeEntries/clockIn", {}, [], self.token),
            ("DELETE", f"/timeEntries/{self.entry['id']}", None, [("If-Match", "*")], self.mia),
            ("POST", "/projects", {"name": "Late"}, [], self.token),
            *([("GET", "/timers/current", None, [], self.log_in)] if self.log_in else []),
        ):
            answer = here.request(method, path, body, fields, token)
            what = f"{method} {path} of {self.name} after the move"
            expect((answer.status, answer.code) == moving.MOVED, what, answer)
            expect_equal(answer.json["address"], f"http://127.0.0.1:{target.ports[0]}", what)
            expect("content-location" not in answer.fields, what, answer)
        again = here.request("POST", entries, span, key, self.mia)
        # An answer under a key may be given again: nothing is done by that.
        expect(again.status == 421 or again.json == self.answered, "a key from before the move, at the source", again)
        here.close()

    def expect_log_in_again(self, there):
        """A log-in of the source is none at the target; the password is the same."""
        refused = there.request("GET", "/timers/current", token=self.log_in)
        expect(refused.status == 401, "a log-in stays behind", refused)
        stated = {"email": self.email, "password": f"a password of {self.user}"}
        answer = there.client.request("POST", "/v1/auth/token", None, stated)
        expect(answer.status == 200, "the password is the same at the new address", answer)
        timer = there.ask("GET", "/timers/current", token=answer.json["token"])["timer"]
        kept = {name: timer[name] for name in ("id", "state", "startTime", "endTime", "version")}
        expect_equal(kept, {name: self.timer[name] for name in kept}, "the timer that runs")

    def expect_going_on(self, there):
        current = there.ask("GET", "/timeEntries/current", token=self.mia)["timeEntry"]
        expect_equal(without_moment(current), without_moment(self.entry), "the entry that runs")
        path, body, fields = self.keyed
        again = there.request("POST", path, body, fields, self.mia)
        expect(again.status == 201, "a key from before the move", again)
        expect("idempotency-replayed" in again.fields, "a key from before the move is known", again)
        expect_equal(again.json, self.answered, "the answer under a key from before the move")

    def has_worked_at(self, cell):
        """How many requests have succeeded there so far."""
        return collections.Counter(port in cell.ports for _, port, _ in self.times)[True]


class Guest:
    """A person with one account in two organizations of a cell."""

    EMAIL = "both@example.com"

    def __init__(self, moving, staying, cell):
        self.moving, self.staying = moving, staying
        first, second = (party.office(cell.ports[0]) for party in (moving, staying))
        user = first.add_member(self.EMAIL, "Both")
        log_in = first.log_in(user)
        expect_equal(second.add_member(self.EMAIL, "Both"), user, "one account in two organizations")
        self.password = "one password for both of them"
        changed = {"newPassword": self.password, "currentPassword": f"a password of {user}"}
        changed["apiToken"] = second.token_of(user)
        answer = first.client.request("PUT", "/v1/me/password", log_in, changed)
        expect(answer.status == 204, "the second organization is accepted", answer)
        self.log_in = self._log_in(cell)
        for office in (first, second):
            self._work(office, self.log_in)
            office.close()

    def expect_in_both(self, source, target):
        """Works in the organization that stayed, and in the one that moved, with one password."""
        here, there = self.staying.office(source.ports[0]), self.moving.office(target.ports[0])
        self._work(here, self.log_in)
        self._work(here, self._log_in(source))
        # This looks at all organizations of the person. Whatever its answer is, nobody else meets it.
        renamed = here.client.request("PATCH", "/v1/me", self.log_in, {"name": "Both of them"})
        expect(renamed.status in (200, 421), "somebody with an organization that has moved is renamed", renamed)
        for _ in range(10):
            here.ask("GET", "/members?limit=1")
        self._work(here, self.log_in)
        refused = there.request("GET", "/timeEntries/current", token=self.log_in)
        expect(refused.status == 401, "a log-in stays behind", refused)
        again = self._log_in(target)
        self._work(there, again)
        me = there.client.request("GET", "/v1/me", again).json
        expect_equal(
            [one["organizationID"] for one in me["memberships"]], [self.moving.id], "memberships at the new address"
        )
        for office in (here, there):
            office.close()

    def _log_in(self, cell):
        asking = client.Client(cell.ports[0])
        answer = asking.request("POST", "/v1/auth/token", None, {"email": self.EMAIL, "password": self.password})
        asking.close()
        expect(answer.status == 200, f"a log-in in the cell {cell.name}", answer)
        return answer.json["token"]

    def _work(self, office, log_in):
        for path, status in (("clockIn", 201), ("clockOut", 200)):
            office.ask("POST", f"/timeEntries/{path}", {}, status, token=log_in)


def without_moment(entry):
    return {name: value for name, value in entry.items() if name != "durationSeconds"}
