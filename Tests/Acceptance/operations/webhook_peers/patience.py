"""A receiver that never takes anything: pauses that grow, and the end after five days."""

from kit.expecting import expect, expect_equal

from . import judge, receiver, shims
from .course import ALLOW
from .office import Office

MINUTE = 60
HOUR = 60 * MINUTE
# Ten attempts, fewer of which are not taken for the end.
PAUSES = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 12 * HOUR, 12 * HOUR]
# The clock is put forward to so long before the next attempt.
EARLY = 2
DAYS = 5 * 24 * HOUR


class Patience:
    def __init__(self, folder, peer):
        self.clock = shims.Clock(folder)
        self.server = shims.make(folder, "patience", None, ALLOW, self.clock)
        created = self.server.create_organization()
        self.server.start(shims.START_SECONDS)
        self.office = Office(self.server, created, peer)
        self.office.hire(1)

    def run(self):
        """How often the one that takes nothing was tried."""
        witness = self.office.webhook("/witness", ["webhook"])
        never = self.office.webhook("/never", ["breakType"])
        never.mailbox.answers = [500] * 1_000
        self.office.change()
        for number, pause in enumerate(PAUSES):
            self.wait_for_attempt(never, number + 1)
            self.clock.advance(pause - EARLY)
        self.wait_for_attempt(never, len(PAUSES) + 1)
        expect(self.office.is_enabled(never), "disabled before five days")
        judge.expect_pauses(self.office.deliveries(never), PAUSES)
        self.clock.advance(DAYS)
        receiver.wait(lambda: not self.office.is_enabled(never), "the end after five days")
        expect_equal(len(set(never.mailbox.sequences)), 1, "messages that were tried")
        never.mailbox.answers = []
        self.office.update(never, enabled=True)
        feed = self.office.feed()
        for webhook in (never, witness):
            self.office.wait_for(webhook)
            judge.expect_signed(webhook)
            judge.expect_in_order(webhook, self.office.id, feed)
        told = [one.json["operation"] for one in witness.mailbox.arrivals]
        expect_equal(told[-2:], ["disableWebhook", "updateWebhook"], "what others hear of that")
        self.office.close()
        self.server.stop()
        return len(PAUSES) + 2

    def wait_for_attempt(self, webhook, number):
        receiver.wait(lambda: len(self.office.deliveries(webhook)) == number, f"attempt {number}")
