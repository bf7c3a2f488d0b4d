#!/usr/bin/env python3
"""Sixty-four clock-ins of one member at once, over sixty-four open connections, two hundred rounds.

The last byte of every request is held back and then sent on all connections together. Each round must end
with one 201 and sixty-three 409 that carry the active entry.
"""

import tempfile

from kit import client, service

CONNECTIONS = 64
ROUNDS = 200


def race(ports, organization, rounds=ROUNDS):
    """Runs the rounds, with the connections spread over the servers at these ports."""
    base = f"/v1/organizations/{organization['organizationID']}/timeEntries"
    clients = [client.Client(ports[number % len(ports)]) for number in range(CONNECTIONS)]
    clock_in = client.written("POST", f"{base}/clockIn", organization["token"])
    for number in range(rounds):
        answers = client.at_once(clients, [clock_in] * CONNECTIONS)
        created = [answer.json for answer in answers if answer.status == 201]
        refused = [answer for answer in answers if answer.status == 409]
        assert len(created) == 1, f"round {number}: {len(created)} clock-ins succeeded"
        assert len(refused) == CONNECTIONS - 1, f"round {number}: {[answer.status for answer in answers]}"
        for answer in refused:
            assert answer.code == "already_clocked_in", answer
            assert answer.json["activeTimeEntry"]["id"] == created[0]["id"], answer
        # Another server each round, so that none of them knows more than the database.
        ender = clients[number % CONNECTIONS]
        ended = ender.request("POST", f"{base}/clockOut", organization["token"])
        assert ended.status == 200 and ended.json["id"] == created[0]["id"], ended
    for one in clients:
        one.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder)
        organization = clock.create_organization()
        clock.start()
        race([clock.port], organization)
        clock.verify()
        clock.stop()
    print(f"simultaneous clock-ins: {ROUNDS} rounds of one 201 and {CONNECTIONS - 1} × 409")


if __name__ == "__main__":
    main()
