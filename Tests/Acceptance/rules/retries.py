#!/usr/bin/env python3
"""Requests that come again under their Idempotency-Key, from clients that lose answers.

Usage: retries.py [OPERATIONS]      on SQLite and on PostgreSQL, 1,000 operations each if not said otherwise

Eight clients enter spans, clock in and out. Three of ten requests are repeated, some while the first is under way, and of
three of ten the connection is cut behind the last byte of the request. At the end there is one effect for
each key that was answered with one, none is there twice, and all answers under one key are the same bytes.
"""

import collections
import datetime
import random
import sys
import tempfile
import threading
import uuid

from kit import client, postgresql, service
from kit.office import Office

CLIENTS = 8
REPEATED = 0.3
LOST = 0.3
START = datetime.datetime(2015, 1, 1, tzinfo=datetime.UTC)


class Request:
    def __init__(self, path, body):
        self.key = str(uuid.uuid4())
        self.path = path
        self.body = body
        # Every answer that arrived, but for those that say to try again.
        self.answers = []


class Member:
    """One client, and the one person whose entries it makes."""

    def __init__(self, port, organization, token, operations, seed):
        self.random = random.Random(seed)
        self.clients = [client.Client(port), client.Client(port)]
        self.entries = f"/v1/organizations/{organization}/timeEntries"
        self.token = token
        self.operations = operations
        self.requests = []
        self.error = None

    def run(self):
        try:
            count = 0
            while count < self.operations:
                request = self.next_request()
                self.requests.append(request)
                count += self.attempt(request)
                # Nothing stays unanswered: a client goes on when it knows.
                while not request.answers:
                    self.send(self.clients[0], request, lost=False)
                if self.random.random() < REPEATED:
                    self.send(self.clients[0], self.random.choice(self.requests[-40:]), lost=False)
                    count += 1
        except BaseException as error:
            self.error = error

    def attempt(self, request):
        """Sends a request as a client on a bad line does; how often."""
        if self.random.random() >= LOST:
            self.send(self.clients[0], request, lost=False)
            return 1
        self.send(self.clients[0], request, lost=True)
        if self.random.random() < 0.5:
            # At once, while the first may still be under way.
            self.send(self.clients[1], request, lost=False)
            return 2
        return 1

    def send(self, caller, request, lost):
        fields = [("Idempotency-Key", request.key)]
        caller.send("POST", self.entries + request.path, self.token, request.body, fields)
        if lost:
            caller.close()
            return
        answer = caller.receive("POST")
        if answer.status in (503, 507) or answer.code == "request_in_progress":
            return
        request.answers.append(answer)

    def next_request(self):
        kind = self.random.random()
        if kind < 0.4:
            begin = START + datetime.timedelta(minutes=10 * self.random.randrange(100_000))
            end = begin + datetime.timedelta(minutes=self.random.randint(1, 25))
            return Request("", {"clockInTime": begin.isoformat(), "clockOutTime": end.isoformat()})
        return Request("/clockIn" if kind < 0.7 else "/clockOut", {"notes": str(self.random.randrange(1000))})

    def everything(self, office):
        """Their entries as they are now."""

        def page(path):
            return office.ask("GET", path, token=self.token)

        return list(client.elements(page, "/timeEntries?limit=1000", "timeEntries"))

    def check(self, everything):
        """Compares the answers with the stored records."""
        effects = collections.Counter()
        for request in self.requests:
            first = request.answers[0]
            for answer in request.answers:
                if answer.status >= 500:
                    sys.exit(f"{request.path}: {answer}")
                if (answer.status, answer.body, answer.fields.get("etag")) != (
                    first.status,
                    first.body,
                    first.fields.get("etag"),
                ):
                    sys.exit(f"one key, two answers: {first} and {answer}")
            unmarked = sum("idempotency-replayed" not in answer.fields for answer in request.answers)
            if unmarked > 1:
                sys.exit(f"one key, done {unmarked} times: {request.path} {request.body}")
            if first.status in (200, 201):
                effects[(first.json["id"], request.path)] += 1
        if effects and max(effects.values()) > 1:
            sys.exit("two keys have one effect")
        begun = {entry for entry, path in effects if path != "/clockOut"}
        there = {entry["id"]: entry["status"] for entry in everything}
        if begun != set(there):
            sys.exit(f"{len(begun)} entries were answered, {len(there)} are there")
        closed = {entry for entry, path in effects if path == "/clockOut"}
        spans = {entry for entry, path in effects if path == ""}
        ended = {entry for entry, status in there.items() if status == "clocked-out"} - spans
        if closed != ended:
            sys.exit(f"{len(closed)} clock-outs were answered, {len(ended)} entries have ended")
        return len(effects)


def run(name, database, operations):
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder, database=database)
        organization = clock.create_organization()
        clock.start()
        office = Office(clock.port, organization)
        members = []
        for number in range(CLIENTS):
            token = office.token_of(office.add_member(f"m{number}@example.com", f"M {number}"))
            members.append(Member(clock.port, office.id, token, operations // CLIENTS, number))
        threads = [threading.Thread(target=member.run) for member in members]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        effects = 0
        for member in members:
            if member.error:
                raise member.error
            effects += member.check(member.everything(office))
        requests = sum(len(member.requests) for member in members)
        answers = sum(len(request.answers) for member in members for request in member.requests)
        clock.verify()
        clock.stop()
    print(f"{name}: {requests} keys, {answers} answers, {effects} effects, each once, and every replay the same bytes")


def main():
    operations = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    run("SQLite", None, operations)
    with postgresql.Cluster() as cluster:
        run("PostgreSQL", cluster.make_database("clock"), operations)


main()
