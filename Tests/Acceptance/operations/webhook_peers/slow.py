"""Receivers that take their time: each is given fifteen seconds, and the same message again."""

from kit.expecting import expect, expect_equal

from . import judge, receiver, shims
from .course import ALLOW
from .office import Office

LIMIT_MILLISECONDS = 15_000
SLOW = {"/silent": receiver.silent, "/trickling": receiver.trickle, "/endless": receiver.endless}


class Slow:
    def __init__(self, folder, peer):
        self.server = shims.make(folder, "slow", None, ALLOW)
        created = self.server.create_organization()
        self.server.start(shims.START_SECONDS)
        self.office = Office(self.server, created, peer)
        self.office.hire(1)

    def run(self):
        """How many receivers were slow."""
        quick = self.office.webhook("/quick", ["breakType"])
        slow = []
        for path, answer in SLOW.items():
            webhook = self.office.webhook(path, ["breakType"])
            webhook.mailbox.answers = [answer]
            slow.append(webhook)
        self.office.change()
        for webhook in slow:
            receiver.wait(lambda: webhook.mailbox.arrivals, f"a message to {webhook.path}")
        # The others are not held up by it.
        self.office.change()
        self.office.wait_for(quick, 5)
        feed = self.office.feed()
        for webhook in [*slow, quick]:
            self.office.wait_for(webhook, 40)
            judge.expect_signed(webhook)
            judge.expect_one_at_a_time(webhook)
            judge.expect_in_order(webhook, self.office.id, feed)
        for webhook in slow:
            first = self.office.deliveries(webhook)[-1]
            took = first["durationMilliseconds"]
            expect_equal((first["status"], first["error"] is None), (None, False), f"the delivery to {webhook.path}")
            expect(abs(took - LIMIT_MILLISECONDS) < 2_000, f"the wait for {webhook.path}", took)
        self.office.close()
        self.server.stop()
        return len(slow)
