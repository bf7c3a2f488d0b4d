#!/usr/bin/env python3
"""A damaged page refuses the reads that touch it and no others. A server that meets damage as it writes ends, with 70,
though slow clients are connected, and the next start reports the damage instead of trying again and again."""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from kit import client, service
from kit.expecting import expect

# Less than the time that clients get on SIGTERM, with which the server must not be content here.
LIMIT_SECONDS = 8
NOTES = "w" * 100


def call(server, method, path, token, body=None):
    """The status and the content of an answer."""
    one = client.Client(server.port, timeout=10)
    answer = one.request(method, path, token, body)
    one.close()
    return answer.status, answer.body


def entries(organization):
    return f"/v1/organizations/{organization['organizationID']}/timeEntries"


def fill(server, organization):
    """600 entries: more than one page holds."""
    for day in range(1, 31):
        times = [
            {
                "clockInTime": f"2025-06-{day:02d}T{hour:02d}:00:00Z",
                "clockOutTime": f"2025-06-{day:02d}T{hour:02d}:30:00Z",
                "notes": NOTES,
            }
            for hour in range(20)
        ]
        status, content = call(
            server,
            "POST",
            entries(organization) + "/bulk",
            organization["token"],
            {"mode": "atomic", "timeEntries": times},
        )
        expect(status == 200 or status == 201, "entries are kept", content)


def damage_entries(path):
    """Empties a page in the middle of the first organization's entries."""
    data = bytearray(path.read_bytes())
    pages = [at for at in range(0, len(data), 4096) if data[at : at + 4096].count(NOTES.encode()) > 8]
    expect(len(pages) > 4, "pages of entries", len(pages))
    at = pages[len(pages) // 2]
    data[at : at + 200] = bytes(200)
    path.write_bytes(data)


def damage_all(path):
    """Overwrites everything but the first page, on which the open connections have agreed."""
    with open(path, "r+b") as file:
        size = file.seek(0, 2)
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


def one_page(folder):
    server = service.Service(service.built_binary(), folder)
    first = server.create_organization()
    second = server.create_organization(name="Second", email="second@example.com")
    server.start()
    fill(server, first)
    server.stop()
    damage_entries(folder / "timeclock.db")
    server.start()
    for _ in range(20):
        status, content = call(server, "GET", entries(first) + "?limit=1000", first["token"])
        expect(status == 503, "a read that meets damage", content)
    for path in [entries(second), entries(second) + "/current"]:
        status, content = call(server, "GET", path, second["token"])
        expect(status == 200, "the others are served", content)
    expect(call(server, "POST", entries(second) + "/clockIn", second["token"], {})[0] == 201, "the others write")
    expect(call(server, "GET", "/health/ready", second["token"])[0] == 503, "readiness tells")
    expect(call(server, "GET", "/health/live", second["token"])[0] == 200, "it lives")
    expect(server.process.poll() is None, "it goes on")
    server.stop()
    log = (folder / "server.log").read_text()
    expect(log.count(" critical database: A read met damage") == 1, "one line tells", log)


def everything(folder):
    server = service.Service(service.built_binary(), folder)
    organization = server.create_organization()
    server.start()
    shutil.copy(folder / "timeclock.db", folder / "sound")
    slow = []
    for head in ["GET / HTTP/1.1\r\nHost:", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf"]:
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(head.encode())
        slow.append(client)
    damage_all(folder / "timeclock.db")
    status, content = call(server, "GET", "/v1/me", organization["token"])
    expect(status == 503, "a read", content)
    # Nobody is let in without a read, so the service's own jobs write first, within a few seconds.
    began = time.monotonic()
    try:
        code = server.process.wait(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        sys.exit("the server waited for its slow clients")
    expect(code == 70, f"the exit code after {time.monotonic() - began:.1f} s", code)
    log = (folder / "server.log").read_text()
    expect("critical database: The database is damaged" in log, "the log tells what happened", log)
    expect("stopping reason=the database failed" in log and "stopped" in log.splitlines()[-1], "the log tells", log)
    for client in slow:
        client.close()
    # Only a person can help.
    for _ in range(2):
        again = subprocess.run(
            [server.binary, "serve", "--port", "0", "--database", server.database],
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
        )
        expect(again.returncode == 65, "the start is refused", again)
        expect("is damaged" in again.stderr and "restore a back-up" in again.stderr, "with words", again.stderr)
    # The note in the lock asks for a look at all of the file: it is sound again, and so the server starts.
    os.remove(folder / "timeclock.db-wal")
    os.remove(folder / "timeclock.db-shm")
    shutil.copy(folder / "sound", folder / "timeclock.db")
    server.start()
    server.stop()


def main():
    for check in (one_page, everything):
        with tempfile.TemporaryDirectory() as folder:
            check(pathlib.Path(folder))
    print(
        "a damaged database: reads that meet it get 503, a write ends the server with 70, and the next start is refused"
    )


if __name__ == "__main__":
    main()
