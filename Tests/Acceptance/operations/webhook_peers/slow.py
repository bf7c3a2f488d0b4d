"""Receivers that take their time: each is given fifteen seconds, and the same message again. Of an answer without end some is
read."""

from kit.expecting import expect, expect_equal

from . import judge, receiver, shims
from .course import ALLOW
from .office import Office

LIMIT_MILLISECONDS = 15_000
SLOW = {"/silent": receiver.silent, "/trickling": receiver.trickle}


class Slow:
    def __init__(self, folder, peer):
        self.server = shims.make(folder, "slow", None, ALLOW)
        created = self.server.create_organization()
        others = self.server.create_organization("Others", email="others@example.com")
        self.server.start(shims.START_SECONDS)
        self.office, self.others = Office(self.server, created, peer), Office(self.server, others, peer)
        self.office.hire(1)
        self.others.hire(0)

    def run(self):
        """How many receivers were slow."""
        quick = self.office.webhook("/quick", ["breakType"])
        neighbor = self.others.webhook("/neighbor", ["breakType"])
        endless = self.office.webhook("/endless", ["breakType"])
        endless.mailbox.answers = [receiver.endless]
        slow = []
        for path, answer in SLOW.items():
            webhook = self.office.webhook(path, ["breakType"])
            webhook.mailbox.answers = [answer]
            slow.append(webhook)
        self.office.change()
        for webhook in slow:
            receiver.wait(lambda: webhook.mailbox.arrivals, f"a message to {webhook.path}")
        # They take the two places of their organization, and no other one's.
        self.office.change()
        self.others.change()
        self.others.wait_for(neighbor, 5)
        feed = self.office.feed()
        for webhook in [*slow, quick, endless]:
            self.office.wait_for(webhook, 40)
            judge.expect_signed(webhook)
            judge.expect_one_at_a_time(webhook)
            judge.expect_in_order(webhook, self.office.id, feed)
        for webhook in slow:
            first = self.office.deliveries(webhook)[-1]
            took = first["durationMilliseconds"]
            expect_equal((first["status"], first["error"] is None), (None, False), f"the delivery to {webhook.path}")
            expect(abs(took - LIMIT_MILLISECONDS) < 2_000, f"the wait for {webhook.path}", took)
        first = self.office.deliveries(endless)[-1]
        expect_equal((first["status"], first["error"]), (200, None), "the delivery to /endless")
        expect(first["durationMilliseconds"] < LIMIT_MILLISECONDS / 2, "the reading of an answer without end", first)
        self.others.close()
        self.office.close()
        self.server.stop()
        return len(slow) + 1
