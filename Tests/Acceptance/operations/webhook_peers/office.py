"""An organization that works, and has webhooks."""

import dataclasses

from kit import office
from kit.expecting import expect

from . import receiver


@dataclasses.dataclass
class Webhook:
    id: str
    path: str
    secret: str
    # None for all.
    resources: list | None
    mailbox: receiver.Mailbox
    # The sequence number of the change that made it.
    begin: int
    is_on_postgresql: bool

    def takes(self, change):
        return change["sequence"] >= self.begin and (self.resources is None or change["resource"] in self.resources)


class Office(office.Office):
    """Members who clock in and out, and the webhooks that report it."""

    def __init__(self, server, created, peer):
        super().__init__(server.port, created)
        self.peer = peer
        self.is_on_postgresql = not server.database.startswith("sqlite:")
        # The token of each, and whether they are clocked in.
        self.workers = {}
        self.names = 0
        self.break_type = None

    def hire(self, count):
        for number in range(count):
            user = self.add_member(f"worker{number}@example.com", f"Worker {number}")
            self.workers[self.token_of(user)] = False
        self.break_type = self.ask("POST", "/breakTypes", {"name": "Lunch", "isPaid": False}, 201)["id"]

    def look(self):
        """Asks who is clocked in, if answers were lost."""
        for token in self.workers:
            current = self.ask("GET", "/timeEntries/current", token=token)
            self.workers[token] = current["timeEntry"] is not None

    def webhook(self, path, resources=None, secret=None, at=None):
        """A new webhook to the receiver, or to another one."""
        to = at or self.peer
        body = {"url": to.url(path)}
        body |= {"resources": resources} if resources else {}
        body |= {"secret": secret} if secret else {}
        made = self.ask("POST", "/webhooks", body, 201)
        expect(secret in (None, made["secret"]), "a secret that was stated", made)
        newest = self.ask("GET", f"/auditLog?limit=1&resource=webhook&resourceId={made['id']}")["changes"][0]
        return Webhook(
            made["id"],
            path,
            made["secret"],
            resources,
            to.mailbox(path),
            begin=newest["sequence"],
            is_on_postgresql=self.is_on_postgresql,
        )

    def work(self, rounds=1):
        """Everybody clocks in, or out again; an admin changes something of another kind."""
        for _ in range(rounds):
            for token, is_in in self.workers.items():
                path, status = ("/timeEntries/clockOut", 200) if is_in else ("/timeEntries/clockIn", 201)
                self.ask("POST", path, {"notes": f"ümlaut {self.names}"}, status, token=token)
                self.workers[token] = not is_in
            self.change()

    def change(self):
        """One change, of a break type."""
        self.names += 1
        path = f"/breakTypes/{self.break_type}"
        self.ask("PATCH", path, {"name": f"Break {self.names}"}, fields=[("If-Match", "*")])

    def feed(self):
        """All that `listChanges` answers."""
        changes, after = [], 0
        while True:
            page = self.ask("GET", f"/changes?limit=1000&after={after}")
            changes += page["changes"]
            if page["nextAfter"] == after:
                return changes
            after = page["nextAfter"]

    def update(self, webhook, status=200, **changes):
        return self.ask("PATCH", f"/webhooks/{webhook.id}", changes, status, [("If-Match", "*")])

    def is_enabled(self, webhook):
        return self.ask("GET", f"/webhooks/{webhook.id}")["enabled"]

    def ping(self, webhook):
        return self.ask("POST", f"/webhooks/{webhook.id}/ping")

    def deliveries(self, webhook):
        """Newest first."""
        return self.listed(f"/webhooks/{webhook.id}/deliveries?limit=50", "deliveries")

    def wait_for(self, webhook, seconds=20):
        """Returns when the last change that is for the webhook was taken."""
        wanted = [one["sequence"] for one in self.feed() if webhook.takes(one)]
        if wanted:
            receiver.wait(
                lambda: wanted[-1] in webhook.mailbox.taken, f"change {wanted[-1]} at {webhook.path}", seconds
            )
