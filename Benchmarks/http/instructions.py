#!/usr/bin/env python3
"""Counts the program's instructions for a request, which do not swing as times do.

One connection, one request after another, in callgrind; the kernel's instructions are not counted, and SHA-256 takes
more of them than on a processor that has instructions of its own for it. What callgrind saw of the last request stays in
the folder that is printed, for callgrind_annotate. Needs valgrind and binutils. Talks to loopback only.

usage: instructions.py [requests]
"""

import pathlib
import re
import socket
import subprocess
import sys
import tempfile

from kit import service

TOP = pathlib.Path(__file__).resolve().parent.parent.parent


def wrapper(folder):
    """A program that runs the service in callgrind, which does not read the debugging information it is built with."""
    stripped = folder / "timeclock"
    subprocess.run(["strip", "-g", "-o", stripped, service.built_binary()], check=True)
    path = folder / "counted"
    path.write_text(
        "#!/bin/sh\n"
        f'[ "$1" = serve ] || exec {stripped} "$@"\n'
        "exec valgrind --tool=callgrind --instr-atstart=no"
        f' --callgrind-out-file={folder}/counts --log-file={folder}/valgrind.log {stripped} "$@"\n'
    )
    path.chmod(0o755)
    return path


def ask(connection, method, path, token):
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
    connection.sendall((head + ("Content-Length: 0\r\n" if method == "POST" else "") + "\r\n").encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65536)
    head, _, content = answer.partition(b"\r\n\r\n")
    length = int(re.search(rb"\r\ncontent-length: *(\d+)", head.lower())[1])
    while len(content) < length:
        content += connection.recv(65536)
    if not head.startswith(b"HTTP/1.1 2"):
        sys.exit(f"{path} did not answer well: {head.decode()}")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-instructions-"))
    clock = service.Service(wrapper(folder), folder)
    organization = clock.create_organization()
    clock.start(patience=60)
    connection = socket.create_connection(("127.0.0.1", clock.port))
    token = organization["token"]
    entries = f"/v1/organizations/{organization['organizationID']}/timeEntries"
    ask(connection, "POST", f"{entries}/clockIn", token)

    def control(*arguments):
        subprocess.run(["callgrind_control", *arguments, str(clock.process.pid)], check=True, capture_output=True)

    for number, (name, path) in enumerate(
        [("getLiveness", "/health/live"), ("getCurrentTimeEntry", f"{entries}/current")], 1
    ):
        for _ in range(300):
            ask(connection, "GET", path, token)
        control("-i", "on")
        ask(connection, "GET", path, token)
        control("-z")
        for _ in range(count):
            ask(connection, "GET", path, token)
        control("-d")
        control("-i", "off")
        total = re.search(r"^(?:totals|summary): (\d+)", (folder / f"counts.{number}").read_text(), re.M)
        print(f"{name:<20} {int(total[1]) / count:10,.0f} instructions a request")
    connection.close()
    clock.stop()
    print(f"callgrind_annotate {folder}/counts.2")


if __name__ == "__main__":
    main()
