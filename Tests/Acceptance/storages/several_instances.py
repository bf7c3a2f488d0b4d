#!/usr/bin/env python3
"""Three servers on one PostgreSQL are one service.

They start at once on an empty database; sixty-four clock-ins of one member at once, spread over them, end two
hundred times with one 201 and sixty-three 409; a token revoked, a manager made a member and a member deactivated at one
of them are refused by all within a second. `several_instances.py ROUNDS` races as often.
"""

import concurrent.futures
import pathlib
import sys
import tempfile
import threading
import time

import simultaneous_clock_ins
from kit import client, postgresql, service

INSTANCES = 3
EMPTY_STARTS = 4
REVOCATIONS = 5
# In which a revocation has to hold everywhere.
LIMIT_SECONDS = 1


def make_instances(folder, binary, database):
    instances = []
    for number in range(INSTANCES):
        place = pathlib.Path(folder, f"{database.split('=')[-1]}-{number}")
        place.mkdir()
        instances.append(service.Service(binary, place, database=database))
    return instances


def start_together(instances):
    """Starts them at once, which takes a busy machine a while: one of them makes the schema, and the others wait for it."""
    with concurrent.futures.ThreadPoolExecutor(INSTANCES) as pool:
        for start in [pool.submit(instance.start, 30) for instance in instances]:
            start.result()


def starts_on_an_empty_database(folder, binary, cluster):
    """The second process waits for the first, and finds the schema made, once."""
    for number in range(EMPTY_STARTS):
        name = f"empty{number}"
        instances = make_instances(folder, binary, cluster.make_database(name))
        start_together(instances)
        applied = cluster.execute("SELECT count(*), count(DISTINCT number) FROM schema_migrations", name)
        assert len(applied) == 1 and len(set(applied[0].split("|"))) == 1, applied
        for instance in instances:
            log = (instance.folder / "server.log").read_text()
            assert " error " not in log.lower(), log
            instance.stop()


class Refusals:
    """Asks every server again and again, until each has refused, and notes when."""

    def __init__(self, instances, path, token, refusal):
        self.instances = instances
        self.path = path
        self.token = token
        self.refusal = refusal
        # By server: the first answer that was no success, and when it was asked for.
        self.answers = [None] * len(instances)
        self.deadline = time.monotonic() + 20
        # Every server has let the token in, and is in the midst of it, when it is revoked.
        self.warm = threading.Barrier(len(instances) + 1)
        self.threads = [threading.Thread(target=self.ask, args=(number,)) for number in range(len(instances))]
        for thread in self.threads:
            thread.start()

    def ask(self, number):
        one = client.Client(self.instances[number].port)
        for turn in range(1_000_000):
            if turn == 20:
                self.warm.wait(30)
            asked = time.monotonic()
            answer = one.request("GET", self.path, self.token)
            if answer.status != 200 or asked > self.deadline:
                self.answers[number] = (answer, asked)
                break
        one.close()

    def check(self, acknowledged, what):
        """The longest time from the acknowledgment to the first question that was refused, in seconds."""
        for thread in self.threads:
            thread.join()
        for answer, _ in self.answers:
            assert (answer.status, answer.code) == self.refusal, f"{what}: {answer}"
        longest = max(0, max(asked for _, asked in self.answers) - acknowledged)
        assert longest <= LIMIT_SECONDS, f"{what} was refused only after {longest:.2f} s"
        return longest


def ends_access_everywhere(instances, organization):
    """The longest time that anything took to hold everywhere, in seconds."""
    base = f"/v1/organizations/{organization['organizationID']}"
    longest = 0

    def call(method, path, body=None, fields=()):
        answer = admin.request(method, base + path, organization["token"], body, fields)
        assert answer.status in (200, 201, 204), answer
        return answer

    def hold(what, path, token, refusal, *change):
        refusals = Refusals(instances, base + path, token, refusal)
        refusals.warm.wait(30)
        call(*change)
        return refusals.check(time.monotonic(), what)

    for number in range(REVOCATIONS):
        # At another server each time.
        admin = client.Client(instances[number % INSTANCES].port)
        person = call(
            "POST", "/members", {"email": f"gone{number}@example.com", "name": "Gone", "role": "manager"}
        ).json["userId"]
        first, second = [call("POST", "/apiTokens", {"name": "phone", "userId": person}).json for _ in range(2)]
        any_version = [("If-Match", "*")]
        longest = max(
            longest,
            hold(
                "a revoked token",
                "/timeEntries/current",
                first["token"],
                (401, "invalid_token"),
                "DELETE",
                f"/apiTokens/{first['id']}",
            ),
            hold(
                "a former manager",
                "/members?limit=1",
                second["token"],
                (403, "forbidden"),
                "PATCH",
                f"/members/{person}",
                {"role": "member"},
                any_version,
            ),
            # Deactivating revokes the member's API tokens.
            hold(
                "a deactivated member",
                "/timeEntries/current",
                second["token"],
                (401, "invalid_token"),
                "DELETE",
                f"/members/{person}",
                None,
                any_version,
            ),
        )
        admin.close()
    return longest


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else simultaneous_clock_ins.ROUNDS
    binary = service.built_binary()
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster() as cluster:
        starts_on_an_empty_database(folder, binary, cluster)
        instances = make_instances(folder, binary, cluster.make_database("clock"))
        start_together(instances)
        # The command is one more process on the same database.
        organization = instances[0].create_organization()
        simultaneous_clock_ins.race([instance.port for instance in instances], organization, rounds)
        longest = ends_access_everywhere(instances, organization)
        instances[0].verify()
        for instance in instances:
            instance.stop()
    print(
        f"several instances: {rounds} rounds of one 201 and {simultaneous_clock_ins.CONNECTIONS - 1} × 409; "
        f"revoked everywhere after {longest * 1000:.0f} ms at most"
    )


if __name__ == "__main__":
    main()
