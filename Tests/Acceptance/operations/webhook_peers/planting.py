"""Faults that are planted, each of which has to be found: in the database of a service, and between it and the receiver."""

import sys
import time

from kit import postgresql

from . import judge, network, receiver, shims
from .course import ALLOW
from .office import Office

HOLD_SECONDS = 2.5


class Plants:
    """A service on PostgreSQL whose rows are changed under its hands."""

    def __init__(self, folder, peer):
        self.folder = folder
        self.peer = peer
        self.found = 0

    def run(self):
        """How many faults were planted, and found."""
        with postgresql.Cluster(["fsync=off"]) as cluster:
            self.cluster = cluster
            self.server = shims.make(self.folder, "planted", cluster.make_database("planted"), ALLOW)
            created = self.server.create_organization()
            self.server.start(shims.START_SECONDS)
            self.office = Office(self.server, created, self.peer)
            self.office.hire(2)
            for name in ("cursor_before_delivery", "retried_at_once", "two_senders", "dropped", "swapped"):
                self.expect_found(name)
            for name in ("changed_byte", "another_id", "secret_in_the_log"):
                self.expect_found(name)
            self.office.close()
            self.server.stop()
        self.expect_found("private_address")
        return self.found

    def expect_found(self, name):
        look = getattr(self, name)()
        try:
            look()
        except SystemExit as found:
            print(f"{name}: found: {str(found)[:100]}", flush=True)
            self.found += 1
            return
        sys.exit(f"webhook_peer: {name} was not found")

    def webhook(self, name, *answers):
        made = self.office.webhook(f"/{name}", ["breakType"])
        made.mailbox.answers = list(answers)
        return made

    def move(self, webhook, what):
        rows = f"webhook_id = (SELECT webhook_id FROM webhooks WHERE id = '{webhook.id}')"
        self.cluster.execute(f"UPDATE webhook_cursors SET {what} WHERE {rows}", "planted")

    def in_order(self, webhook):
        return lambda: judge.expect_in_order(webhook, self.office.id, self.office.feed())

    def cursor_before_delivery(self):
        webhook = self.webhook("lost", 500)
        self.office.change()
        receiver.wait(lambda: self.office.deliveries(webhook), "the first attempt")
        self.move(webhook, f"position = {webhook.mailbox.sequences[0]}")
        self.office.change()
        self.office.wait_for(webhook)
        return self.in_order(webhook)

    def retried_at_once(self):
        webhook = self.webhook("early", 500)
        self.office.change()
        receiver.wait(lambda: self.office.deliveries(webhook), "the first attempt")
        self.move(webhook, "due_at = 0")
        receiver.wait(lambda: len(self.office.deliveries(webhook)) == 2, "the second attempt")
        return lambda: judge.expect_pauses(self.office.deliveries(webhook), [5])

    def two_senders(self):
        def hold(exchange):
            time.sleep(HOLD_SECONDS)
            exchange.arrival.end = time.monotonic()
            exchange.answer(204)

        webhook = self.webhook("twice", hold)
        self.office.change()
        receiver.wait(lambda: webhook.mailbox.arrivals, "the first attempt")
        self.move(webhook, "due_at = 0")
        receiver.wait(lambda: len(webhook.mailbox.arrivals) == 2 and webhook.mailbox.arrivals[0].end, "both attempts")
        return lambda: judge.expect_one_at_a_time(webhook)

    def spoiled(self, name, spoil):
        """A webhook with three messages, of which something between it and the receiver spoils the second."""
        webhook = self.webhook(name)
        kept = []

        def relay(arrival):
            kept.append(arrival)
            return spoil(kept) if len(kept) in (2, 3) else [arrival]

        webhook.mailbox.spoil = relay
        for _ in range(3):
            self.office.change()
        receiver.wait(lambda: len(kept) == 3, "three messages")
        return webhook

    def dropped(self):
        return self.in_order(self.spoiled("dropped", lambda kept: kept[2:]))

    def swapped(self):
        return self.in_order(self.spoiled("swapped", lambda kept: kept[:0:-1] if len(kept) == 3 else []))

    def changed_byte(self):
        def change(kept):
            kept[-1].body = kept[-1].body.replace(b"Break", b"break")
            return kept[-1:]

        webhook = self.spoiled("changed", change)
        return lambda: judge.expect_signed(webhook)

    def another_id(self):
        def rename(kept):
            kept[-1].fields["webhook-id"] += "0"
            return kept[-1:]

        return self.in_order(self.spoiled("renamed", rename))

    def secret_in_the_log(self):
        webhook = self.webhook("secret")
        log = self.server.folder / "server.log"
        with open(log, "a") as file:
            file.write(f"secret={webhook.secret}\n")
        return lambda: judge.expect_no_secret(log.read_text(), [webhook])

    def private_address(self):
        lenient = network.Network(self.folder, self.peer, ["--webhook-allow", "127.0.0.0/8"])
        return lambda: lenient.is_refused("127.0.0.1")
