#!/usr/bin/env python3
"""Every limit of a request is exact: one less and the limit itself pass, one more is refused, and the refusal can be read.

At the defaults of `timeclock serve --help`, and at others that are set by flags and by variables; numbers out of range
are refused in one line. Files to import are long_files.py's, which is run from here. Time-outs are slow_peers.py's.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time

import long_files
from kit import raw_http, service

BINARY = service.built_binary()
# The least and the most that each setting can be.
RANGES = {
    "max-connections": (1, 1_000_000),
    "max-connections-per-address": (1, 1_000_000),
    "max-request-line": (1_024, 1_048_576),
    "max-head": (1_024, 1_048_576),
    "max-fields": (10, 1_000),
    "max-body": (1_024, 67_108_864),
    "max-buffered-bodies": (1_048_576, 17_179_869_184),
    "head-timeout": (1, 3_600),
    "body-timeout": (1, 3_600),
    "write-timeout": (1, 3_600),
    "idle-timeout": (1, 3_600),
    "shutdown-timeout": (1, 3_600),
}
CONFIGURED = {
    "max-request-line": 2_000,
    "max-head": 5_000,
    "max-fields": 20,
    "max-body": 70_000,
    "max-buffered-bodies": 1_048_576,
    "max-connections": 40,
}
# The extremes, but for those that make another one useless.
LEAST = dict({name: least for name, (least, _) in RANGES.items()}, **{"max-head": 1_100, "max-connections": 2})
MOST = dict({name: most for name, (_, most) in RANGES.items()}, **{"max-request-line": 1_000_000})
# The part of each request's body that is not counted in the memory of all.
UNCOUNTED = 4_096
ALIVE = b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST /health/live HTTP/1.1\r\nHost: a\r\n"


def variable(name):
    return "TIMECLOCK_" + name.upper().replace("-", "_")


def defaults():
    """The text of each setting in `--help`."""
    shown = subprocess.run([BINARY, "serve", "--help"], check=True, capture_output=True, text=True).stdout
    told = {
        name: int(number)
        for number, name in re.findall(r"\(default:\s+([0-9]+);\s+(TIMECLOCK_[A-Z_]+)\)", " ".join(shown.split()))
    }
    for name in RANGES:
        assert variable(name) in told and re.search(rf"--{name} <", shown), f"--help does not tell of --{name}"
    ranges = {
        name: (int(least), int(most))
        for name, words in re.findall(r"--((?:max-[a-z-]+)|(?:[a-z]+-timeout)) <(.*?TIMECLOCK_[A-Z_]+)\)", shown, re.S)
        for least, most in re.findall(r"From ([0-9]+) to ([0-9]+)\.", " ".join(words.split()))
    }
    assert ranges == RANGES, f"--help tells of other ranges than those tried here: {ranges.items() ^ RANGES.items()}"
    return {name: told[variable(name)] for name in RANGES}


def check_documents(standard):
    """The documents name every setting with its variable and its default."""
    manual = (service.TOP / "docs/operating.md").read_text()
    settings = (service.TOP / "deploy/timeclock.env").read_text()
    for name, number in standard.items():
        assert f"| `--{name}` | `{variable(name)}` | {number} |" in manual, f"docs/operating.md: --{name}, {number}"
        assert f"\n#{variable(name)}={number}\n" in settings, f"deploy/timeclock.env: {variable(name)}={number}"


# Requests of exactly this many bytes, or fields, and the answer to those that are within the limit.


def with_request_line(count):
    target = b"/" + b"a" * (count - len(b"GET / HTTP/1.1"))
    return b"GET " + target + b" HTTP/1.1\r\nHost: a\r\n\r\n"


def with_head(count):
    rest = ALIVE[:-2] + b"A: \r\n\r\n"
    return rest[:-4] + b"b" * (count - len(rest)) + rest[-4:]


def with_fields(count):
    return ALIVE[:-2] + b"A: b\r\n" * (count - 1) + b"\r\n"


def with_body(count):
    return POST + f"Content-Length: {count}\r\n\r\n".encode() + b"b" * count


def with_chunks(count):
    return (
        POST
        + f"Transfer-Encoding: chunked\r\n\r\n1\r\nb\r\n{count - 1:x}\r\n".encode()
        + b"b" * (count - 1)
        + b"\r\n0\r\n\r\n"
    )


EDGES = [
    ("max-request-line", with_request_line, 404, 414),
    ("max-head", with_head, 200, 431),
    ("max-fields", with_fields, 200, 431),
    ("max-body", with_body, 405, 413),
    ("max-body", with_chunks, 405, 413),
]


def check_edges(port, limits):
    for name, request, within, beyond in EDGES:
        for count in (limits[name] - 1, limits[name], limits[name] + 1):
            what = f"--{name} {limits[name]}, {request.__name__} {count}"
            with raw_http.RawConnection(port) as connection:
                status = within if count <= limits[name] else beyond
                # Of a request that is refused the server reads sixteen megabytes at most.
                connection.send(request(count)[: None if status == within else 8_000_000])
                answer = connection.answer()
                assert answer and answer.status == status, f"{what}: {answer}, and not {status}"
                faults = raw_http.faults(answer, "GET")
                assert not faults, f"{what}: {faults}"
                if status == beyond:
                    assert answer.value("connection") == "close", f"{what}: the connection stays open"
                    assert connection.answer() is None and not connection.was_reset, f"{what}: no end in order"
                else:
                    connection.send(ALIVE)
                    assert connection.answer().status == 200, f"{what}: the connection does not go on"


def check_refusals_under_way(port, limits):
    """A client that is still sending can read that it is too much."""
    size = limits["max-body"] * 100
    cases = [
        (POST + f"Content-Length: {size}\r\n\r\n".encode(), 413),
        (POST + f"Transfer-Encoding: chunked\r\n\r\n{size:x}\r\n".encode(), 413),
        (b"GET /", 414),
        (ALIVE[:-2] + b"A: ", 431),
    ]
    for beginning, status in cases:
        with raw_http.RawConnection(port) as connection:
            connection.send(beginning)
            is_read = threading.Event()
            # Sent behind the answer too, until it has been read: the server still takes it.
            sent = []

            def send():
                while not is_read.is_set() and len(sent) < 10_000:
                    sent.append(connection.send(b"b" * 20_000))
                    time.sleep(0.002)

            sender = threading.Thread(target=send)
            sender.start()
            try:
                answer = connection.answer()
                while len(sent) < 20 and sender.is_alive():
                    time.sleep(0.002)
            finally:
                is_read.set()
                sender.join()
            assert answer and answer.status == status, f"{answer} where {status} was due"
            assert all(sent[:20]), f"{status}: the server does not take what is sent any more"
            assert connection.answer() is None and not connection.was_reset, f"{status}: a reset"


def check_buffered_bodies(port, limits):
    """Bodies on their way take this many bytes at most; the body that is one too much is refused."""
    held = []
    room = limits["max-buffered-bodies"]
    while room > limits["max-body"]:
        connection = raw_http.RawConnection(port)
        connection.send(with_body(limits["max-body"])[:-1])
        held.append(connection)
        room -= limits["max-body"] - 1 - UNCOUNTED
    last = room + UNCOUNTED
    assert last < limits["max-body"], "the last body is refused for itself"

    def status(count):
        with raw_http.RawConnection(port) as connection:
            connection.send(with_body(count))
            answer = connection.answer()
            assert answer.status != 503 or not raw_http.faults(answer, "POST"), answer
            return answer.status

    # Until the server has read the held bytes.
    deadline = time.monotonic() + 20
    while status(last + 1) != 503:
        assert time.monotonic() < deadline, f"a body of {last + 1} bytes beside {len(held)} others is taken"
    assert status(last) == 405, f"a body of {last} bytes beside {len(held)} others is not taken"
    for connection in held:
        connection.send(b"b")
        assert connection.answer().status == 405, "a body that was held is not taken"
        connection.socket.close()


def check_connections(port, limits):
    """Beyond the limit, connections wait, and are served when others go."""
    held = [raw_http.RawConnection(port) for _ in range(limits["max-connections"])]
    for connection in held:
        connection.send(ALIVE)
        assert connection.answer().status == 200
    further = raw_http.RawConnection(port)
    further.send(ALIVE)
    further.socket.settimeout(0.5)
    try:
        raise AssertionError(f"one connection too many is served: {further.answer()}")
    except TimeoutError:
        pass
    further.socket.settimeout(raw_http.TIMEOUT_SECONDS)
    held[0].socket.close()
    assert further.answer().status == 200, "a waiting client is not served"
    for connection in [further, *held]:
        connection.socket.close()


def check_loopback(port):
    """A proxy on this machine may have any number of connections, beyond an address's limit."""
    held = [raw_http.RawConnection(port) for _ in range(10)]
    for connection in held:
        connection.send(ALIVE)
        assert connection.answer().status == 200
        connection.socket.close()


def refused(folder, options, environment=None):
    """The output of a refused start: one line, and nothing is left behind."""
    result = subprocess.run(
        [BINARY, "serve", "--port", "0", *options],
        cwd=folder,
        env=service.own_environment() | (environment or {}),
        capture_output=True,
        text=True,
        timeout=60,
    )
    said = f"{options} {environment}: exit code {result.returncode}, {result.stderr!r}"
    assert result.returncode != 0 and result.stdout == "", said
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("Error: "), said
    assert not list(pathlib.Path(folder).iterdir()), f"{said} leaves files"
    return result.stderr


def check_refused_settings(folder):
    for name, (least, most) in RANGES.items():
        allowed = f"must be from {least} to {most}"
        for said, number in [
            (refused(folder, [f"--{name}", str(least - 1)]), least - 1),
            (refused(folder, [], {variable(name): str(most + 1)}), most + 1),
        ]:
            assert f"--{name} ({variable(name)}) {allowed}" in said and f"not {number}." in said, said
        assert variable(name) in refused(folder, [], {variable(name): "12x"})
    said = refused(folder, ["--max-request-line", "9000", "--max-head", "9003"])
    assert "--max-head must be more than --max-request-line" in said, said
    said = refused(folder, ["--max-body", "1048577", "--max-buffered-bodies", "1048576"])
    assert "--max-buffered-bodies must not be less than --max-body" in said, said


class Running:
    """A server with these settings, by flags or by variables."""

    def __init__(self, flags=None, variables=None):
        self.flags = [option for name, number in (flags or {}).items() for option in (f"--{name}", str(number))]
        self.variables = {variable(name): str(number) for name, number in (variables or {}).items()}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.clock = service.Service(BINARY, self.folder.name, options=["--event-loops", "1", *self.flags])
        self.clock.create_organization()
        os.environ.update(self.variables)
        try:
            self.clock.start()
        finally:
            for name in self.variables:
                del os.environ[name]
        return self.clock

    def __exit__(self, error, *_):
        self.clock.kill() if error else self.clock.stop()
        self.folder.cleanup()


def main():
    standard = defaults()
    check_documents(standard)
    with tempfile.TemporaryDirectory() as folder:
        check_refused_settings(folder)
    with Running() as clock:
        check_edges(clock.port, standard)
        check_refusals_under_way(clock.port, standard)
        check_loopback(clock.port)
    with Running(flags=CONFIGURED) as clock:
        check_edges(clock.port, CONFIGURED)
        check_buffered_bodies(clock.port, CONFIGURED)
        check_connections(clock.port, CONFIGURED)
        log = (clock.folder / "server.log").read_text()
        assert f"port={clock.port} connections={CONFIGURED['max-connections']}\n" in log, log
    # A flag wins over a variable.
    with Running(variables=CONFIGURED, flags={"max-fields": 30}) as clock:
        limits = dict(CONFIGURED, **{"max-fields": 30})
        check_edges(clock.port, limits)
        check_refusals_under_way(clock.port, limits)
        check_connections(clock.port, limits)
    for limits in (LEAST, MOST):
        with Running(flags=limits) as clock:
            check_edges(clock.port, limits)
    with tempfile.TemporaryDirectory() as folder:
        seen = long_files.check(BINARY, folder)
    print(f"limits: {len(RANGES)} settings, exact at the defaults, as set, at the least and at the most; {seen}")


main()
