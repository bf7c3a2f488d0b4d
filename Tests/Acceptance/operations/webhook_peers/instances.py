"""Two instances on one PostgreSQL: one of them sends at a time, and the other one takes over if it is killed."""

import pathlib
import threading
import time

from kit import open_files
from kit.expecting import expect, expect_equal

from . import judge, shims
from .course import ALLOW, CLAIM_SECONDS
from .office import Office

# So that two senders would meet.
ANSWER_SECONDS = 0.02


def owner(port, processes):
    """The process that has a connection from this port of loopback."""
    address = f"0100007F:{port:04X}"
    lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inodes = {line[9] for line in lines if line[1] == address}
    for process in processes:
        if process.poll() is not None:
            continue
        if not inodes.isdisjoint(open_files.sockets(process.pid)):
            return process
    raise SystemExit(f"webhook_peer: nobody has the connection from port {port}, inodes {inodes}")


class Instances:
    def __init__(self, folder, database, peer, kills):
        self.kills = kills
        self.clock = shims.Clock(folder)
        self.servers = [shims.make(folder, f"instance{number}", database, ALLOW, self.clock) for number in range(2)]
        created = self.servers[0].create_organization()
        for server in self.servers:
            server.start(shims.START_SECONDS)
        self.offices = [Office(server, created, peer) for server in self.servers]
        self.offices[0].hire(3)
        self.offices[1].workers, self.offices[1].break_type = self.offices[0].workers, self.offices[0].break_type
        self.webhooks = [self.offices[number].webhook(f"/shared{number}") for number in range(2)]
        # By their ports.
        self.senders = {}

    def run(self):
        """How many messages came."""
        for webhook in self.webhooks:
            webhook.mailbox.answers = [self.noting] * 1_000
        for number in range(6):
            self.offices[number % 2].work()
            time.sleep(0.3)
        self.wait()
        self.judged()
        for webhook in self.webhooks:
            sequences = webhook.mailbox.sequences
            expect_equal(
                len(sequences), len(set(sequences)), "messages, of which some came twice though nobody was killed"
            )
        for _ in range(self.kills):
            self.take_over()
        self.judged()
        for office, server in zip(self.offices, self.servers):
            office.close()
            server.stop()
        self.servers[0].verify()
        return sum(len(webhook.mailbox.arrivals) for webhook in self.webhooks)

    def noting(self, exchange):
        self.senders[exchange.arrival.port] = owner(exchange.arrival.port, [server.process for server in self.servers])
        time.sleep(ANSWER_SECONDS)
        exchange.arrival.end = time.monotonic()
        exchange.answer(204)

    def wait(self, office=0):
        for webhook in self.webhooks:
            self.offices[office].wait_for(webhook)

    def judged(self):
        feed = self.offices[0].feed()
        for webhook in self.webhooks:
            judge.expect_signed(webhook)
            judge.expect_one_at_a_time(webhook)
            judge.expect_in_order(webhook, self.offices[0].id, feed)

    def take_over(self):
        """The one that sends is killed before it has its answer."""
        webhook = self.webhooks[0]
        killed = threading.Event()
        found = []

        def kill(exchange):
            process = owner(exchange.arrival.port, [server.process for server in self.servers])
            found.append(next(number for number, server in enumerate(self.servers) if server.process is process))
            self.servers[found[0]].kill()
            killed.set()

        webhook.mailbox.answers = [kill] + [self.noting] * 1_000
        self.offices[0].change()
        expect(killed.wait(20), "nothing came to be killed by")
        other = 1 - found[0]
        self.offices[found[0]].close()
        count = len(webhook.mailbox.arrivals)
        self.offices[other].work()
        self.clock.advance(CLAIM_SECONDS)
        self.wait(other)
        again = webhook.mailbox.arrivals[count]
        expect_equal(again.id, webhook.mailbox.arrivals[count - 1].id, "what the other instance begins with")
        expect(
            self.senders[again.port] is self.servers[other].process, "another sender than the one that is left", again
        )
        self.servers[found[0]].start(shims.START_SECONDS)
