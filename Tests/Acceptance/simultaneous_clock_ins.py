#!/usr/bin/env python3
"""Sixty-four clock-ins of one member at once, over sixty-four open connections, two hundred rounds.

The last byte of every request is held back and then sent on all connections together. Each round must end
with one 201 and sixty-three 409 that carry the active entry.
"""

import json
import pathlib
import socket
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import service  # noqa: E402

CONNECTIONS = 64
ROUNDS = 200


def read_response(stream):
    status = int(stream.readline().split()[1])
    length = 0
    while (line := stream.readline()) != b"\r\n":
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return status, json.loads(stream.read(length))


def main():
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder)
        organization = clock.create_organization()
        clock.start()
        base = f"/v1/organizations/{organization['organizationID']}/timeEntries"
        head = f"Host: localhost\r\nAuthorization: Bearer {organization['token']}\r\n"

        def request(verb):
            return f"POST {base}/{verb} HTTP/1.1\r\n{head}Content-Length: 0\r\n\r\n".encode()

        sockets = [socket.create_connection(("127.0.0.1", clock.port)) for _ in range(CONNECTIONS)]
        streams = [connection.makefile("rb") for connection in sockets]
        for connection in sockets:
            connection.settimeout(30)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        clock_in, clock_out = request("clockIn"), request("clockOut")
        for number in range(ROUNDS):
            for connection in sockets:
                connection.sendall(clock_in[:-1])
            for connection in sockets:
                connection.sendall(clock_in[-1:])
            answers = [read_response(stream) for stream in streams]
            created = [body for status, body in answers if status == 201]
            refused = [body for status, body in answers if status == 409]
            assert len(created) == 1, f"round {number}: {len(created)} clock-ins succeeded"
            assert len(refused) == CONNECTIONS - 1, f"round {number}: {[status for status, _ in answers]}"
            for body in refused:
                assert body["code"] == "already_clocked_in", body
                assert body["activeTimeEntry"]["id"] == created[0]["id"], body
            sockets[0].sendall(clock_out)
            status, body = read_response(streams[0])
            assert status == 200 and body["id"] == created[0]["id"], body
        clock.stop()
    print(f"simultaneous clock-ins: {ROUNDS} rounds of one 201 and {CONNECTIONS - 1} × 409")


main()
