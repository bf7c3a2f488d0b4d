#!/usr/bin/env python3
"""PostgreSQL is killed under load and started again, and nothing that was acknowledged is missing or there twice.

In turn its postmaster is killed, and one of its other processes, at which the postmaster ends all the others
and recovers. While it is away the service says so and goes on living; when it is back, so is the service. The
cluster's own setting allows commits to be acknowledged before they are on disk: the service has to insist.
`postgresql_crash.py ROUNDS` kills as often.
"""

import os
import signal
import sys
import tempfile
import time

from kit import client, load, postgresql, service

ROUNDS = 4
# How long a request may take, and how long the service may take to be back, in seconds.
ANSWER_LIMIT = 10
RETURN_LIMIT = 5


class Outside:
    """Somebody who looks at the service and is clocked in throughout."""

    def __init__(self, clock, organization):
        self.client = client.Client(clock.port)
        self.base = f"/v1/organizations/{organization['organizationID']}/timeEntries"
        self.token = organization["token"]

    def ask(self, method, path, token=None):
        began = time.monotonic()
        answer = self.client.request(method, path, token)
        took = time.monotonic() - began
        assert took <= ANSWER_LIMIT, f"{path} took {took:.1f} s"
        return answer

    def expect_away(self):
        """The database is away: the service says so, at once or after waiting for it."""
        for method, path in [
            ("GET", "/health/ready"),
            ("POST", self.base + "/clockIn"),
            ("GET", self.base + "/current"),
            ("GET", "/v1/me"),
        ]:
            answer = self.ask(method, path, self.token)
            assert answer.status == 503 and answer.code == "unavailable", answer
            assert int(answer.fields["retry-after"]) >= 1, answer.fields
        answer = self.ask("GET", "/health/live")
        assert answer.status == 200, answer

    def wait_until_back(self):
        """How long it takes until everything works, in seconds."""
        began = time.monotonic()
        while True:
            answers = [self.ask("GET", "/health/ready"), self.ask("POST", self.base + "/clockIn", self.token)]
            took = time.monotonic() - began
            # Clocked in already, which the database alone knows.
            if answers[0].status == 200 and answers[1].status == 409:
                return took
            assert took <= RETURN_LIMIT, f"not back after {took:.1f} s: {answers}"
            time.sleep(0.02)


def crash_postmaster(cluster, outside):
    cluster.kill()
    # All earlier requests are over now; from here on every answer is of a service without a database.
    outside.expect_away()
    time.sleep(1)
    outside.expect_away()
    cluster.start()


def crash_backend(cluster, _):
    os.kill(cluster.clients("clock")[0], signal.SIGKILL)
    # The cluster is back when it accepts a connection made after the crash.
    time.sleep(0.1)
    deadline = time.monotonic() + 30
    while not cluster.is_accepting():
        assert time.monotonic() < deadline, "PostgreSQL does not recover"
        time.sleep(0.02)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster(["synchronous_commit=off"]) as cluster:
        clock = service.Service(service.built_binary(), folder, database=cluster.make_database("clock"))
        organization = clock.create_organization()
        clock.start()
        outside = Outside(clock, organization)
        assert outside.ask("POST", outside.base + "/clockIn", outside.token).status == 201
        longest = 0
        with load.Load([clock], organization) as members:
            for number in range(rounds):
                time.sleep(0.8)
                [crash_postmaster, crash_backend][number % 2](cluster, outside)
                longest = max(longest, outside.wait_until_back())
            time.sleep(0.8)
        members.check(slowest=ANSWER_LIMIT)
        clock.verify()
        clock.stop()
    print(
        f"PostgreSQL's crash: {members.acknowledged()} acknowledged entries, all there after {rounds} crashes; "
        f"answers {members.answers()}, the slowest after {members.slowest():.1f} s, "
        f"back {longest:.1f} s after PostgreSQL at most"
    )


main()
