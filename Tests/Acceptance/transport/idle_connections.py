#!/usr/bin/env python3
"""Idle connections cost little memory, and nothing of the time that requests take on others.

`idle_connections.py [--full]`: 500 idle connections, with `--full` 9,000, for which the server (a release build, in
that form) has less than 100 MiB resident and answers 100 active connections at most 1.5 times as slowly at p99 as a
server that has no others, asked in turn. Each form shows that its measure of memory is one: connections whose requests
wait for their end take more.
"""

import argparse
import pathlib
import re
import resource
import tempfile
import time

from kit import client, latency, raw_http, service

SHORT_COUNT = 500
FULL_COUNT = 9_000
ACTIVE = 100
FULL_RESIDENT = 100 * 1024
FULL_RATIO = 1.5
# The memory of one in the short form, in kilobytes: the hundred mebibytes of the nine thousand, and some that is taken
# in pieces.
SHORT_EACH = 16
# Content of a request that is not complete, in bytes, of as many clients as in the short form.
HELD = 60_000
ALIVE = b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"


def resident(clock):
    """Kilobytes, proc(5)."""
    return int(re.search(r"VmRSS:\s+(\d+) kB", pathlib.Path(f"/proc/{clock.process.pid}/status").read_text())[1])


def started(binary, folder):
    folder = pathlib.Path(folder)
    folder.mkdir()
    clock = service.Service(binary, folder, options=["--idle-timeout", "3600", "--body-timeout", "3600"])
    organization = clock.create_organization()
    clock.start()
    path = f"/v1/organizations/{organization['organizationID']}/timeEntries/current"
    active = [client.Client(clock.port) for _ in range(ACTIVE)]
    ask = latency.asker(active, path, organization["token"])
    # The pages that only the start needed are given back soon after it (StartupMemory), and those that requests need
    # come back: later measurements include neither.
    for pause in (1, 0):
        for _ in active:
            ask()
        time.sleep(pause)
    return clock, ask


def connected(clock, count, request, has_answer):
    connections = []
    for _ in range(count):
        connection = raw_http.RawConnection(clock.port)
        assert connection.send(request)
        if has_answer:
            assert connection.answer().status == 200
        connections.append(connection)
    return connections


def close(connections):
    for connection in connections:
        connection.socket.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true", help="9,000 connections, and the bars on memory and time")
    is_full = parser.parse_args().full
    count = FULL_COUNT if is_full else SHORT_COUNT
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    binary = service.built_binary()
    with tempfile.TemporaryDirectory() as folder:
        strained, ask_strained = started(binary, f"{folder}/strained")
        quiet, ask_quiet = started(binary, f"{folder}/quiet")
        before = resident(strained)
        idle = connected(strained, count, ALIVE, has_answer=True)
        comparison = latency.Comparison()
        for _ in range(5):
            comparison.add(*latency.in_turn([ask_strained, ask_quiet], 6 if is_full else 0.3))
        after = resident(strained)
        each = (after - before) / count
        print(f"{count} idle connections: {after / 1024:.1f} MiB resident, {each:.1f} KiB for each")
        print(f"a request on one of {ACTIVE} others: {comparison}")
        if is_full:
            assert after < FULL_RESIDENT, f"{after} kB resident"
            assert comparison.ratio <= FULL_RATIO, f"{comparison.ratio:.2f} times as long at p99"
        assert each <= SHORT_EACH, f"{each:.1f} KiB for each idle connection"
        # All of them are still there.
        for connection in idle[:: count // 100]:
            assert connection.send(ALIVE) and connection.answer().status == 200
        close(idle)

        head = b"POST /health/live HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n"
        held = connected(quiet, SHORT_COUNT, head + b"b" * HELD, has_answer=False)
        deadline = time.monotonic() + 20
        while (resident(quiet) - before) / SHORT_COUNT <= SHORT_EACH:
            assert time.monotonic() < deadline, (
                f"{HELD} bytes held for each of {SHORT_COUNT} connections are not noticed"
            )
            time.sleep(0.1)
        close(held)
        strained.stop()
        quiet.stop()
    print(f"idle connections: {count} of them, {each:.1f} KiB each")


main()
