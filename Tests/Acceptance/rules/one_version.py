#!/usr/bin/env python3
"""Sixty-four clients change one time entry at once, all with the entity tag they have read, on both databases.

Each round must end with one 200 and sixty-three 412 that carry the entry as the one has made it. Afterwards the
entry has as many versions as there were rounds, and the feed of changes as many changes. `one_version.py
ROUNDS` plays as many on each database.
"""

import sys
import tempfile

from kit import client, postgresql, service

CONNECTIONS = 64
ROUNDS = 50


def check(clock, rounds):
    organization = clock.create_organization()
    token = organization["token"]
    base = f"/v1/organizations/{organization['organizationID']}"
    clock.start()
    clients = [client.Client(clock.port) for _ in range(CONNECTIONS)]
    made = clients[0].request(
        "POST",
        f"{base}/timeEntries",
        token,
        {"clockInTime": "2026-11-16T09:00:00Z", "clockOutTime": "2026-11-16T10:00:00Z"},
    )
    assert made.status == 201, made
    path, tag = made.fields["location"], made.fields["etag"]
    for number in range(rounds):
        answers = client.at_once(
            clients,
            [
                client.written("PATCH", path, token, {"notes": f"round {number}, client {one}"}, [("If-Match", tag)])
                for one in range(CONNECTIONS)
            ],
        )
        won = [one for one, answer in enumerate(answers) if answer.status == 200]
        assert len(won) == 1, f"round {number}: {len(won)} changes succeeded: {[one.status for one in answers]}"
        winner = answers[won[0]]
        assert winner.json["notes"] == f"round {number}, client {won[0]}", winner
        for one, answer in enumerate(answers):
            if one != won[0]:
                assert (answer.status, answer.code) == (412, "precondition_failed"), f"round {number}: {answer}"
                assert answer.json["current"] == winner.json, f"round {number}: {answer}"
                assert answer.fields["etag"] == winner.fields["etag"] != tag, answer.fields
        tag = winner.fields["etag"]
    found = clients[0].request("GET", path, token)
    assert found.fields["etag"] == tag and found.json == winner.json, found
    assert count_of_changes(clients[0], base, token, found.json["id"]) == rounds
    for one in clients:
        one.close()
    clock.stop()


def count_of_changes(one, base, token, entry):
    """How often the feed says that the entry was changed."""
    count = after = 0
    while True:
        page = one.request("GET", f"{base}/changes?after={after}&limit=1000", token).json
        count += sum(change["resourceId"] == entry and change["kind"] == "updated" for change in page["changes"])
        if page["nextAfter"] == after:
            return count
        after = page["nextAfter"]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    binary = service.built_binary()
    with tempfile.TemporaryDirectory() as folder:
        check(service.Service(binary, folder), rounds)
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster() as cluster:
        check(service.Service(binary, folder, cluster.make_database("clock")), rounds)
    print(f"one version: {rounds} rounds of one 200 and {CONNECTIONS - 1} × 412, on both databases")


main()
