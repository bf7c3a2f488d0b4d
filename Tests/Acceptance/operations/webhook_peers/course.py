"""One instance: the messages to each receiver, their refusals, and the effect of a kill."""

import itertools
import pathlib
import random
import subprocess
import threading
import time

from kit.expecting import expect, expect_equal

from . import judge, receiver, shims
from .office import Office

ALLOW = ("--webhook-allow", "127.0.0.1")
STATED = "whsec_" + "C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
# A program that was killed keeps its place for so long.
CLAIM_SECONDS = 31
FIRST_PAUSE = 5
PINGED = 2


def maps(process):
    return pathlib.Path(f"/proc/{process.pid}/maps").read_text()


class Course:
    def __init__(self, folder, database, peer, grumpy, seed, kills):
        """`grumpy` is a receiver too, of those who take nothing at first."""
        self.random = random.Random(seed)
        self.folder = folder
        self.peer = peer
        self.grumpy = grumpy
        self.kills = kills
        self.clock = shims.Clock(folder)
        self.server = shims.make(folder, "server", database, ALLOW, self.clock)
        created = self.server.create_organization()
        self.server.start(shims.START_SECONDS)
        self.office = Office(self.server, created, peer)
        self.office.hire(3)
        self.admin = created["userId"]

    def run(self):
        """How many messages came, and how many of them again though they had been taken."""
        expect("libcurl" not in maps(self.server.process), "libcurl is loaded before a message was sent")
        kinds = {"/all": None, "/entries": ["timeEntry"], "/breaks": ["breakType", "webhook"]}
        self.webhooks = [self.office.webhook(path, kinds[path], STATED if kinds[path] else None) for path in kinds]
        self.everything, self.entries, _ = self.webhooks
        self.troubles()
        self.ping()
        self.killed()
        self.gone()
        for webhook in self.webhooks:
            self.office.wait_for(webhook)
        repeats = self.judged()
        expect(repeats or self.kills < 2, "no kill came between an answer and its commit")
        self.keeps_secrets()
        self.stops()
        self.copy()
        return sum(len(webhook.mailbox.arrivals) for webhook in self.webhooks), repeats

    def judged(self):
        feed = self.office.feed()
        repeats = 0
        for webhook in self.webhooks:
            judge.expect_signed(webhook)
            judge.expect_one_at_a_time(webhook)
            repeats += judge.expect_in_order(webhook, self.office.id, feed)
        return repeats

    def troubles(self):
        """Receivers that do not take a message get the same again, after five seconds and not before."""
        wanted = {"/refusing": 500, "/closing": None, "/resetting": None, "/redirecting": 307}
        answers = [receiver.refuse, receiver.close, receiver.reset, receiver.redirect]
        made = []
        for path, answer in zip(wanted, answers):
            # A connection that was good before, and ends without an answer, is retried at once. Here there is none.
            self.grumpy.mailbox(path).answers = [answer]
            made.append(self.office.webhook(path, ["timeEntry"], at=self.grumpy))
        self.webhooks += made
        self.office.work(2)
        for webhook in (self.everything, self.entries):
            self.office.wait_for(webhook)
        for webhook in made:
            receiver.wait(lambda: self.office.deliveries(webhook), f"a delivery to {webhook.path}")
        expect("/elsewhere" not in self.grumpy.mailboxes, "a redirect was followed")
        self.clock.advance(FIRST_PAUSE)
        for webhook in made:
            self.office.wait_for(webhook)
            receiver.wait(
                lambda: len(self.office.deliveries(webhook)) == len(webhook.mailbox.arrivals),
                f"deliveries of {webhook.path}",
            )
            deliveries = self.office.deliveries(webhook)
            told = [(one["sequence"], one["status"], one["error"] is None) for one in reversed(deliveries)]
            first, again, *_ = webhook.mailbox.sequences
            taken = [(number, 204, True) for number in webhook.mailbox.taken]
            expect_equal(told, [(first, wanted[webhook.path], False), *taken], f"deliveries of {webhook.path}")
            expect_equal(again, first, f"what came again to {webhook.path}")
            judge.expect_pauses(deliveries, [FIRST_PAUSE])

    def ping(self):
        """A ping is answered with the outcome, and is none of the changes."""
        webhook = self.webhooks[3]
        self.office.update(webhook, enabled=False)
        webhook.mailbox.answers = [204, 503]
        outcomes = [self.office.ping(webhook) for _ in range(PINGED)]
        expect_equal([one["status"] for one in outcomes], [204, 503], "what pings were answered")
        expect(outcomes[0]["error"] is None and "503" in outcomes[1]["error"], "the errors of pings", outcomes)
        expect_equal(self.office.deliveries(webhook)[:PINGED], outcomes[::-1], "the deliveries of pings")
        for arrival in webhook.mailbox.arrivals[-PINGED:]:
            told = {name: arrival.json[name] for name in ("operation", "organizationID", "webhookId")}
            wanted = {"operation": "pingWebhook", "organizationID": self.office.id, "webhookId": webhook.id}
            expect_equal(told, wanted, "what a ping tells")
        self.office.work()
        self.office.wait_for(self.entries)
        expect(webhook.mailbox.arrivals[-1].sequence == 0, "a webhook that is off was sent a change")
        self.office.update(webhook, enabled=True)
        self.office.wait_for(webhook)

    def killed(self):
        """Killed before the receiver has answered, just behind that, or at any time later."""
        delays = itertools.cycle([0, 0.001, 0, 0.003, 0.01])
        killed = threading.Event()

        def before(exchange):
            self.server.kill()
            killed.set()

        def behind(exchange):
            exchange.arrival.end = time.monotonic()
            exchange.answer(204)
            time.sleep(next(delays))
            self.server.kill()
            killed.set()

        def whenever(exchange):
            exchange.arrival.end = time.monotonic()
            exchange.answer(204)
            threading.Timer(self.random.random() * 0.05, before, [exchange]).start()

        for number in range(self.kills):
            killed.clear()
            webhook = self.random.choice(self.webhooks[:3])
            webhook.mailbox.answers = [204] * self.random.randrange(3) + [[before, behind, whenever][number % 3]]
            try:
                self.office.work()
                while not killed.wait(0.1):
                    self.office.work()
            except OSError:
                # It was killed before it answered.
                killed.wait(20)
            self.office.close()
            webhook.mailbox.answers = []
            self.clock.advance(CLAIM_SECONDS)
            self.server.start(shims.START_SECONDS)
            self.office.look()
            self.office.wait_for(webhook)

    def gone(self):
        """A receiver that wants no more is sent no more, others hear of that, and it goes on where it was."""
        webhook = self.webhooks[4]
        webhook.mailbox.answers = [410]
        self.office.work()
        receiver.wait(lambda: not self.office.is_enabled(webhook), "a webhook that is gone is off")
        last = next(one for one in reversed(self.office.feed()) if one["resourceId"] == webhook.id)
        expect_equal((last["operation"], last["data"]["enabled"]), ("disableWebhook", False), "the log's change")
        self.office.wait_for(self.everything)
        count = len(webhook.mailbox.arrivals)
        self.office.work()
        self.office.wait_for(self.entries)
        expect_equal(len(webhook.mailbox.arrivals), count, "messages to a webhook that is off")
        self.office.update(webhook, enabled=True)
        self.office.wait_for(webhook)
        expect_equal(webhook.mailbox.sequences[count], webhook.mailbox.sequences[count - 1], "where it goes on")

    def keeps_secrets(self):
        """No list, no log and no export shows a secret."""
        shown = [self.office.ask("GET", path) for path in ("/webhooks", "/changes?limit=1000", "/auditLog?limit=1000")]
        shown += [self.office.ask("GET", f"/webhooks/{one.id}") for one in self.webhooks]
        shown.append(self.office.request("GET", f"/members/{self.admin}/personalData").body)
        shown.append((self.server.folder / "server.log").read_text())
        judge.expect_no_secret(shown, self.webhooks)

    def stops(self):
        """A stop waits for no receiver, and loses nothing."""
        held = threading.Event()

        def hold(exchange):
            held.set()
            receiver.silent(exchange)

        self.entries.mailbox.answers = [hold]
        self.office.work()
        expect(held.wait(20), "nothing came before the stop")
        self.office.close()
        begin = time.monotonic()
        self.server.stop()
        took = time.monotonic() - begin
        expect(took < 5, f"a stop took {took:.1f} s while a receiver was silent")
        self.server.verify()
        self.server.start(shims.START_SECONDS)
        self.office.wait_for(self.entries)
        judge.expect_in_order(self.entries, self.office.id, self.office.feed())

    def copy(self):
        """In a copy of the database all webhooks are off, and start afresh when enabled."""
        self.office.close()
        self.server.stop()
        target = shims.make(self.folder, "copy", None, ALLOW, self.clock)
        subprocess.run(
            [target.binary, "copy", "--from", self.server.database, "--to", target.database],
            check=True,
            capture_output=True,
        )
        target.start(shims.START_SECONDS)
        copied = Office(target, {"organizationID": self.office.id, "token": self.office.token}, self.peer)
        copied.workers, copied.break_type = self.office.workers, self.office.break_type
        listed = copied.listed("/webhooks?limit=20", "webhooks")
        expect_equal([one["enabled"] for one in listed], [False] * len(self.webhooks), "the webhooks of a copy")
        counts = [len(one.mailbox.arrivals) for one in self.webhooks]
        copied.work()
        copied.update(self.entries, enabled=True)
        begin = copied.feed()[-1]["sequence"]
        copied.work()
        receiver.wait(lambda: self.entries.mailbox.sequences[-1] > begin, "a message of the copy")
        time.sleep(0.5)
        new = [len(one.mailbox.arrivals) - count for one, count in zip(self.webhooks, counts)]
        expect(sum(new) == new[1], "a copy sends by itself", new)
        expect(self.entries.mailbox.sequences[counts[1]] > begin, "a copy sends what was before", begin)
        expect(judge.is_signed(self.entries.secret, self.entries.mailbox.arrivals[-1]), "a copy has another secret")
        epochs = [self.entries.mailbox.arrivals[place].epoch for place in (0, -1)]
        expect(epochs[0] != epochs[1], "a copy sends under the epoch of what it was copied from", epochs)
        copied.close()
        target.stop()
