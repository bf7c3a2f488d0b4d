#!/usr/bin/env python3
"""A server whose database turns out to be damaged ends by itself, with 70, though slow clients are connected."""

import pathlib
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import service  # noqa: E402

# Less than the time that clients get on SIGTERM, with which the server must not be content here.
LIMIT_SECONDS = 8


def damage(path):
    """Overwrites everything but the first page, on which the open connections have agreed."""
    with open(path, "r+b") as file:
        size = file.seek(0, 2)
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


def main():
    with tempfile.TemporaryDirectory() as folder:
        server = service.Service(service.built_binary(), folder)
        token = server.create_organization()["token"]
        server.start()
        slow = []
        for head in ["GET / HTTP/1.1\r\nHost:", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf"]:
            client = socket.create_connection(("127.0.0.1", server.port))
            client.sendall(head.encode())
            slow.append(client)
        damage(server.folder / "timeclock.db")
        request = urllib.request.Request(
            f"http://127.0.0.1:{server.port}/v1/me", headers={"Authorization": f"Bearer {token}"})
        try:
            urllib.request.urlopen(request)
            sys.exit("the damage was not noticed")
        except urllib.error.HTTPError as error:
            if error.code != 503:
                sys.exit(f"expected a 503, not {error.code}")
        try:
            code = server.process.wait(timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            sys.exit("the server waited for its slow clients")
        if code != 70:
            sys.exit(f"expected the exit code 70, not {code}")
        log = (server.folder / "server.log").read_text()
        if "stopping reason=the database failed" not in log or "stopped" not in log.splitlines()[-1]:
            sys.exit(f"the log does not tell what happened:\n{log}")
        for client in slow:
            client.close()
    print("a damaged database: 503, and the server ended with 70")


if __name__ == "__main__":
    main()
