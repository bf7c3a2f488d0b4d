#!/usr/bin/env python3
"""The settings of the edge take effect, by variables and by flags, which win: proxies, rate limits, web pages' origins."""

import contextlib
import os
import pathlib
import re
import socket
import tempfile
from unittest import mock

from kit import client, service
from kit.expecting import expect

BINARY = service.built_binary()
VARIABLES = {
    "TIMECLOCK_TRUSTED_PROXIES": "10.0.0.0/8, 127.0.0.1",
    "TIMECLOCK_FORWARDED_FIELD": "forwarded",
    "TIMECLOCK_RATE_LIMIT": "3",
    "TIMECLOCK_CORS_ORIGINS": "https://a.example,https://b.example",
}
FLAGS = [
    "--trusted-proxy",
    "127.0.0.2",
    "--trusted-proxy",
    "127.0.0.1",
    "--forwarded-field",
    "x-forwarded-for",
    "--rate-limit",
    "2",
    "--cors-origin",
    "https://c.example",
    "--cors-origin",
    "https://d.example",
]


@contextlib.contextmanager
def served(folder, variables, flags):
    with mock.patch.dict(os.environ, variables):
        clock = service.Service(BINARY, folder, options=flags)
        clock.start()
    one = client.Client(clock.port)
    yield one
    one.close()
    clock.stop()


def ask(one, *fields):
    return one.request("GET", "/openapi.yaml", fields=fields)


def uses_up(one, limit, *fields):
    """`limit` requests are granted, each with one less left, and the next is refused."""
    for left in reversed(range(limit)):
        answer = ask(one, *fields)
        expect(answer.status == 200, f"one of {limit}", answer)
        expect(answer.fields.get("ratelimit-remaining") == str(left), f"{left} left of {limit}", answer)
    answer = ask(one, *fields)
    expect(answer.status == 429 and answer.code == "rate_limited", f"one more than {limit}", answer)
    expect(1 <= int(answer.fields["retry-after"]) <= 60, "Retry-After", answer)


def allows(one, origin, is_allowed):
    preflight = one.request("OPTIONS", "/v1/me", fields=[("Origin", origin), ("Access-Control-Request-Method", "GET")])
    expect(preflight.status == (204 if is_allowed else 405), f"a preflight request of {origin}", preflight)
    answer = one.request("GET", "/health/live", fields=[("Origin", origin)])
    told = answer.fields.get("access-control-allow-origin")
    expect(told == (origin if is_allowed else None), f"a page of {origin}", answer)


def by_default(one):
    for _ in range(5):
        answer = ask(one, ("X-Forwarded-For", "192.0.2.1"), ("Origin", "https://a.example"))
        expect(answer.status == 200, "without settings", answer)
        expect(not {"ratelimit-limit", "vary", "access-control-allow-origin"} & answer.fields.keys(), "fields", answer)
    allows(one, "https://a.example", False)


def by_variables(one):
    uses_up(one, 3, ("Forwarded", "for=192.0.2.1"))
    # Another client behind the same proxy, with any value in the other field.
    uses_up(one, 3, ("Forwarded", 'for="[2001:db8::1]:4711"'), ("X-Forwarded-For", "192.0.2.3"))
    expect(ask(one, ("Forwarded", "for=192.0.2.1, for=10.0.0.9")).status == 429, "through two proxies", ask(one))
    expect(ask(one, ("Forwarded", "for=192.0.2.4, for=192.0.2.1")).status == 429, "a forged address", ask(one))
    for origin, is_allowed in [("https://a.example", True), ("https://b.example", True), ("https://c.example", False)]:
        allows(one, origin, is_allowed)


def by_flags(one):
    uses_up(one, 2, ("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.2"))
    uses_up(one, 2, ("X-Forwarded-For", "192.0.2.1, 10.0.0.9"))
    for origin, is_allowed in [("https://a.example", False), ("https://c.example", True), ("https://d.example", True)]:
        allows(one, origin, is_allowed)


TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def names_requests(folder, is_trusted):
    """A trusted proxy names a request; the trace of anybody is in the log, and nothing else that a client wrote."""
    place = pathlib.Path(folder, f"names-{is_trusted}")
    place.mkdir()
    flags = ["--trusted-proxy", "127.0.0.1"] if is_trusted else []
    with served(place, {}, flags) as one:
        answers = [
            ask(one, ("X-Request-Id", name), ("traceparent", f"00-{TRACE}-00f067aa0ba902b7-01"))
            for name in ("req-17.a", "not a\tname")
        ]
        answers.append(one.request("GET", "/nothing"))
        told = [answer.fields["x-request-id"] for answer in answers]
        with socket.create_connection(("127.0.0.1", one.port)) as peer:
            peer.sendall(b"nonsense\r\n\r\n")
            refusal = peer.recv(2_000).decode()
        told.append(re.search(r"X-Request-Id: (\S+)", refusal)[1])
    log = (place / "server.log").read_text()
    expect((told[0] == "req-17.a") == is_trusted, "the proxy's name", told)
    own = told[1:] if is_trusted else told
    expect(all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", name) for name in own), "own ids", told)
    expect(len(set(told)) == 4, "each its own", told)
    expect(all(f" id={name}" in log for name in own), "each is in the log", log)
    expect((" request=req-17.a" in log) == is_trusted and "not a" not in log, "the name in the log", log)
    expect(log.count(f" trace={TRACE}") == 2, "the trace in the log", log)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for is_trusted in (False, True):
            names_requests(folder, is_trusted)
        for number, (variables, flags, check) in enumerate(
            [({}, [], by_default), (VARIABLES, [], by_variables), (VARIABLES, FLAGS, by_flags)]
        ):
            place = pathlib.Path(folder, str(number))
            place.mkdir()
            with served(place, variables, flags) as one:
                check(one)
    print("edge settings: proxies, rate limits and origins are as variables and flags say, and off without them")


main()
