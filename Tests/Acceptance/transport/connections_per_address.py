#!/usr/bin/env python3
"""One address has its limit of connections at once, one more is refused with an answer, and many more are reset; others
are served.

Loopback addresses, which every other test comes from, do not count. So this one runs in a network namespace of its own
(unshare(1), by an ordinary user in a user namespace), whose loopback interface has addresses of RFC 5737 and RFC 3849
too: nothing leaves it.
"""

import fcntl
import json
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

from kit import raw_http, service

LIMIT = 3
# Connections beyond the limit that get an answer at once (Sources/SocketHTTPServer/ConnectionsByAddress.swift).
TOLD = 16
FLOOD = 100
# All of 192.0.2.0/24 is this machine's then, as all of 127.0.0.0/8 is.
SERVER_IPV4 = "192.0.2.1"
SERVER_IPV6 = "2001:db8::1"
OTHER_IPV6 = ["2001:db8::2", "2001:db8:0:1::1"]
# All clients behind it have its address.
PROXY = "192.0.2.9"
ALIVE = b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
# linux/sockios.h, net/if.h
SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8914, 0x8916, 0x1


def make_network():
    """Gives the loopback interface of this namespace its addresses: netdevice(7)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
        address = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(SERVER_IPV4))
        fcntl.ioctl(control, SIOCSIFADDR, struct.pack("16s16s", b"lo:1", address))
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as control:
        for text in [SERVER_IPV6, *OTHER_IPV6]:
            address = socket.inet_pton(socket.AF_INET6, text)
            fcntl.ioctl(control, SIOCSIFADDR, struct.pack("16sIi", address, 64, socket.if_nametoindex("lo")))


def connected(clock, host, source, count=1):
    return [raw_http.RawConnection(clock.port, host=host, source=source) for _ in range(count)]


def check_served(connections):
    for connection in connections:
        assert connection.send(ALIVE) and connection.answer().status == 200, (
            "a connection within the limit is not served"
        )


def check_told(connection):
    connection.send(ALIVE)
    answer = connection.answer()
    assert answer and answer.status == 503 and not raw_http.faults(answer, "GET"), answer
    assert answer.value("connection") == "close" and json.loads(answer.body)["code"] == "unavailable", answer
    assert connection.answer() is None and not connection.was_reset, "no end in order"
    connection.socket.close()


def flooded(clock, host, source):
    """How many of many connections at once are reset."""
    reset, connections = 0, []
    for _ in range(FLOOD):
        try:
            connections += connected(clock, host, source)
        except ConnectionResetError:
            # Before it was known here that it was accepted.
            reset += 1
    for connection in connections:
        reset += connection.answer() is None and connection.was_reset
        connection.socket.close()
    return reset


def check_limit(clock, host, source, same, other):
    """`same` counts together with `source`, `other` does not."""
    held = connected(clock, host, source, LIMIT - 1) + connected(clock, host, same)
    check_served(held)
    check_told(connected(clock, host, same)[0])
    elsewhere = connected(clock, host, other)
    check_served(elsewhere)
    # A flood: connections that get an answer and stay, and those that are reset. Served clients do not notice. One
    # fewer than get answers, because the one above may not be forgotten yet.
    told = connected(clock, host, source, TOLD - 1)
    for connection in told:
        assert connection.answer().status == 503
    reset = flooded(clock, host, source)
    # All but a few, in whose place the server has given up one that it had answered.
    assert reset >= FLOOD - 2 * TOLD, f"{reset} of {FLOOD} connections too many are reset"
    check_served(held + elsewhere)
    for connection in [*told, held.pop()]:
        connection.socket.close()
    deadline = time.monotonic() + 20
    while True:
        connection = connected(clock, host, source)[0]
        connection.send(ALIVE)
        answer = connection.answer()
        if answer and answer.status == 200:
            break
        connection.socket.close()
        assert time.monotonic() < deadline, "the address is not served although connections have gone"
        time.sleep(0.02)
    for one in [*held, *elsewhere, connection]:
        one.socket.close()


def main():
    if len(sys.argv) < 2:
        user = [] if os.geteuid() == 0 else ["--map-root-user"]
        namespace = ["unshare", "--net", *user, "--"]
        if subprocess.run([*namespace, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            # A container may not have one. AddressLimitTests.swift has the same rules inside the server.
            print("connections of one address: NOT TRIED, this machine lets nobody have a network namespace")
            return
        os.execvp("unshare", [*namespace, sys.executable, __file__, "inside"])
    make_network()
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(
            service.built_binary(),
            folder,
            options=["--host", "::", "--max-connections-per-address", str(LIMIT), "--trusted-proxy", PROXY],
        )
        clock.create_organization()
        clock.start()
        check_limit(clock, SERVER_IPV4, "192.0.2.7", "192.0.2.7", "192.0.2.8")
        check_limit(clock, SERVER_IPV6, SERVER_IPV6, *OTHER_IPV6)
        for host, source in (("127.0.0.1", None), ("::1", None), (SERVER_IPV4, PROXY)):
            held = connected(clock, host, source, 5 * LIMIT)
            check_served(held)
        # The last lines may be written when it ends.
        clock.stop()
        log = (clock.folder / "server.log").read_text()
        for address in ("192.0.2.7", OTHER_IPV6[0]):
            line = rf"request refused status=503 code=unavailable id=\S+ from={re.escape(address)}\n"
            assert re.search(line, log), log
    print(f"connections of one address: {LIMIT} served, the next told so, a flood reset, others not concerned")


main()
