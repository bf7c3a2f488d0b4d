#!/usr/bin/env python3
"""The service behind real nginx and HAProxy, with the configurations of deploy/ and connections kept open to the server.

Ordinary traffic of every kind gets through, and the log knows clients by their own addresses, not by their claims. Then
the cases of http_cases/ that could make a proxy and the server disagree on where a request ends go through the proxies:
behind each comes a request on the same connection, and others come on other connections. Nobody gets an answer to a
request that is not theirs, and nothing is executed without an answer to its sender.

`behind_proxies.py [--all] [--self-check]`; `--all` sends all cases, `--self-check` shows that a careless proxy is found out.
"""

import argparse
import itertools
import json
import pathlib
import re
import tempfile
import time

import careless_proxy
import http_case
import http_conformance
from kit import client, proxies, raw_http, service

SUSPICIOUS = ("03", "04", "05", "06", "07", "08", "09", "13")
# Enough for a proxy that knows no chunks.
SELF_CHECK = ("06", "08")
CLIENT, ATTACKER, VICTIM = "127.0.0.5", "127.0.0.6", "127.0.0.7"
# How long an answer is waited for behind a case, which need not come; one that is late is read in the end.
PATIENCE_SECONDS = 0.4
ENTRIES = 500
TITLE = re.compile("poison-[a-z]+-[0-9]{7}")


class Wrong(Exception):
    """The bytes through the proxy are not as they have to be."""


def expect(condition, what):
    if not condition:
        raise Wrong(what)


class Traffic:
    """Ordinary requests over one connection through a proxy."""

    def __init__(self, proxy, world, number):
        self.world = world
        self.number = number
        self.connection = proxy.connection(CLIENT)

    def request(self, method, path, body=None, fields=(), raw=None):
        self.connection.send(raw or self.written(method, path, body, fields))
        answer = self.connection.answer(method)
        while answer is not None and answer.is_interim:
            answer = self.connection.answer(method)
        expect(answer is not None, f"no answer to {method} {path}")
        return answer

    def written(self, method, path, body=None, fields=()):
        return client.written(method, path, self.world.token, body, fields)

    def session(self, title):
        return {"date": "2026-11-21", "title": f"{title} {self.number}"}

    def run(self):
        self.each_kind()
        self.chunked_upload()
        self.expectation()
        self.pipelined()
        self.export()
        self.too_long()
        return "HEAD, 204, chunks, Expect, pipelining, an export, 413"

    def each_kind(self):
        path = self.world.path + "/sessions"
        created = self.request("POST", path, self.session("kept"))
        expect(created.status == 201, created)
        location = created.value("location")
        get = self.request("GET", location)
        expect(get.status == 200 and get.body == created.body, get)
        expect(get.value("strict-transport-security") is not None, "no Strict-Transport-Security")
        for name in ("cache-control", "x-content-type-options", "content-security-policy", "etag"):
            expect(get.value(name) is not None, f"no {name}")
        head = self.request("HEAD", location)
        expect(head.status == 200 and head.value("etag") == get.value("etag"), head)
        gone = self.request("DELETE", location, fields=[("If-Match", get.value("etag"))])
        expect(gone.status == 204 and gone.body == b"", gone)
        expect(self.request("GET", location).status == 404, "it is still there")

    def chunked_upload(self):
        body = json.dumps(self.session("in chunks")).encode()
        head = self.written("POST", self.world.path + "/sessions").replace(
            b"Content-Length: 0\r\n", b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        )
        chunks = b"".join(
            b"%x\r\n%s\r\n" % (len(body[at : at + 7]), body[at : at + 7]) for at in range(0, len(body), 7)
        )
        answer = self.request("POST", "in chunks", raw=head + chunks + b"0\r\n\r\n")
        expect(answer.status == 201 and b"in chunks" in answer.body, answer)

    def expectation(self):
        data = self.written(
            "POST", self.world.path + "/sessions", self.session("expected"), [("Expect", "100-continue")]
        )
        head, _, body = data.partition(b"\r\n\r\n")
        self.connection.send(head + b"\r\n\r\n")
        interim = self.connection.answer("POST")
        expect(interim is not None and interim.status == 100, interim)
        answer = self.request("POST", "expected", raw=body)
        expect(answer.status == 201, answer)

    def pipelined(self):
        titles = [f"pipelined {index}" for index in range(5)]
        self.connection.send(
            b"".join(self.written("POST", self.world.path + "/sessions", self.session(title)) for title in titles)
        )
        for title in titles:
            answer = self.connection.answer("POST")
            expect(answer is not None and answer.status == 201 and title.encode() in answer.body, answer)

    def export(self):
        answer = self.request("GET", self.world.path + "/timeEntries/export?format=ndjson")
        lines = answer.body.count(b"\n")
        expect(answer.status == 200 and lines == ENTRIES, f"{lines} lines: {answer}")

    def too_long(self):
        answer = self.request("POST", self.world.path + "/sessions", b" " * 300_000)
        expect(answer.status == 413, answer)
        expect(b'"code":"body_too_large"' in answer.body, f"not the server's own: {answer}")


class Attack:
    """Sends cases through a proxy, and watches the outcome of the requests behind and beside them."""

    # Given to each case that is sent, by whichever proxy.
    numbers = itertools.count()

    def __init__(self, proxy, world, victims):
        self.proxy = proxy
        self.world = world
        # Tokens, and the id of each one's owner.
        self.victims = victims
        # The titles in answers to their senders.
        self.told = set()
        # Connections on which an answer may still come, with their cases and numbers.
        self.waiting = []
        # The cases, by the number that their requests carry.
        self.sent = {}
        self.answers = 0

    def run(self, cases):
        return {case: found for case in cases if (found := self.failure(case))}

    def failure(self, case):
        number = f"{next(self.numbers):07}"
        self.sent[number] = case
        connection = self.proxy.connection(ATTACKER, PATIENCE_SECONDS)
        try:
            self.send(connection, case, number)
            self.read_answers(connection, case, number)
            for token, member in self.victims:
                self.ask_as(token, member)
        except Wrong as error:
            return str(error)
        return None

    def send(self, connection, case, number):
        """Sends a case, and a request behind it that is the connection's last."""
        inner = self.world.poison(f"poison-within-{number}")
        behind = self.world.poison(f"poison-behind-{number}").replace("Host: a", "Host: a\r\nConnection: close", 1)
        try:
            for data in [self.world.bytes(text, inner) for text, _ in case.steps] + [behind.encode()]:
                if not connection.send(data):
                    break
        except OSError:
            # The proxy does not take all of it.
            pass

    def read_answers(self, connection, case, number):
        """Takes all answers to the sender of a case."""
        final = 0
        rest = b""
        try:
            while (answer := connection.answer(case.method(final))) is not None:
                self.answers += 1
                final += not answer.is_interim
                self.hear(answer.body, number)
            connection.socket.close()
        except TimeoutError:
            self.waiting.append((connection, case, number))
        except (OSError, raw_http.Malformed):
            # Nothing more comes, or not all of it. Executed requests are looked for in the end.
            rest = bytes(connection.received)
            connection.socket.close()
        self.hear(rest, number)

    def hear(self, content, number):
        for title in TITLE.findall(content.decode("latin-1")):
            expect(title.endswith(number), f"an answer to another request: {content[:300]}")
            self.told.add(title)

    def ask_as(self, token, member):
        """Asks for a person's own account, on another connection, and gets that."""
        with self.proxy.connection(VICTIM, PATIENCE_SECONDS * 25) as connection:
            for _ in range(2):
                connection.send(client.written("GET", "/v1/me", token))
                try:
                    answer = connection.answer()
                except (OSError, raw_http.Malformed) as error:
                    raise Wrong(f"somebody else's request failed: {type(error).__name__} {error}") from None
                expect(answer is not None, "somebody else's request is not answered")
                expect(
                    answer.status == 200 and member.encode() in answer.body,
                    f"somebody else's request is answered {answer}",
                )

    def hear_the_late(self):
        """Reads the bytes on connections whose answers were not waited for."""
        waiting, self.waiting = self.waiting, []
        for connection, case, number in waiting:
            self.read_answers(connection, case, number)
        for connection, _, _ in self.waiting:
            connection.socket.close()

    def untold(self, executed):
        """Titles executed more often than their sender's answers say, by the case that they came with."""
        found = {}
        for title, count in executed.items():
            if count > 1 or title not in self.told:
                found[self.sent[title[-7:]]] = f"{title[:-8]} executed {count} times, told {int(title in self.told)}"
        return found


def make_world(clock):
    """An organization with entries to export, and the people who are asked about beside the attacks."""
    organization = clock.create_organization()
    clock.start()
    world = http_case.World(organization)
    one = client.Client(clock.port)
    victims = []
    for number in range(2):
        member = {"email": f"victim{number}@example.com", "name": "Victim", "role": "member"}
        created = one.request("POST", world.path + "/members", world.token, member)
        assert created.status == 201, created
        token = {"name": "test", "userId": created.json["userId"]}
        granted = one.request("POST", world.path + "/apiTokens", world.token, token)
        victims.append((granted.json["token"], created.json["userId"]))
    entries = [
        {
            "clockInTime": f"{2000 + number // 250}-{1 + number // 25 % 10:02}-{1 + number % 25:02}T08:00:00Z",
            "clockOutTime": f"{2000 + number // 250}-{1 + number // 25 % 10:02}-{1 + number % 25:02}T16:00:00Z",
        }
        for number in range(ENTRIES)
    ]
    made = one.request(
        "POST", world.path + "/timeEntries/bulk", world.token, {"mode": "atomic", "timeEntries": entries}
    )
    assert made.status < 300, made
    one.close()
    return world, victims


def server_connections(port):
    """The ports from which there are connections to the server's, or were within the last minute."""
    ends = [line.split()[1:3] for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ports = [[int(end.rpartition(":")[2], 16) for end in pair] for pair in ends]
    return {other for pair in ports for one, other in (pair, pair[::-1]) if one == port and other}


def ordinary(proxy, world, clock):
    """The traffic of a few clients; then the log and the connections to the server are looked at."""
    log = clock.folder / "server.log"
    before = len(log.read_text())
    connections = server_connections(clock.port)
    for number in range(10):
        kinds = Traffic(proxy, world, f"{proxy.name} {number}").run()
    used = len(server_connections(clock.port) - connections)
    # Of about 150 requests, ten end their connection (413).
    expect(used <= 40, f"{used} connections to the server: they are not kept open")
    forged = Traffic(proxy, world, "forged")
    for name, value in [("X-Forwarded-For", "6.6.6.6"), ("Forwarded", "for=6.6.6.6"), ("x-forwarded-for", "127.0.0.1")]:
        expect(forged.request("GET", "/v1/me", fields=[(name, value), (name, value)]).status == 200, name)
    named = forged.request("GET", "/v1/me", fields=[("X-Request-Id", "forged-name")])
    name = named.value("x-request-id") or ""
    expect(re.fullmatch("[0-9a-f-]{32,36}", name), f"the proxy names a request, not its client: {name}")
    time.sleep(0.2)
    expect(f" request={name} " in log.read_text(), f"{name} is not in the log")
    lines = [line for line in log.read_text()[before:].splitlines() if " request operation=" in line]
    addresses = {re.search(r" from=(\S+)", line)[1] for line in lines if "operation=getReadiness" not in line}
    expect(addresses == {CLIENT}, f"the log knows the clients as {addresses}")
    print(f"{proxy.name}: {kinds}; {len(lines)} requests in the log, all from {CLIENT}", flush=True)


def attacked(proxy, world, victims, clock, cases):
    before = http_conformance.executed_titles(clock.port, world)
    attack = Attack(proxy, world, victims)
    failures = attack.run(cases)
    attack.hear_the_late()
    failures |= attack.untold(http_conformance.executed_titles(clock.port, world) - before)
    print(
        f"{proxy.name}: {len(cases)} cases, {attack.answers} answers to those who sent them, {len(failures)} failures",
        flush=True,
    )
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    files = SELF_CHECK if wanted.self_check else SUSPICIOUS
    cases = [case for case in http_case.load() if wanted.all or case.file[:2] in files]
    kinds = [careless_proxy.CarelessProxy] if wanted.self_check else [proxies.Nginx, proxies.HAProxy]
    with tempfile.TemporaryDirectory(prefix="timeclock-proxies-") as folder:
        clock = service.Service(
            service.built_binary(),
            folder,
            options=["--trusted-proxy", proxies.ADDRESS, "--event-loops", "2", "--log-level", "info"],
        )
        world, victims = make_world(clock)
        failures = {}
        for kind in kinds:
            with kind(pathlib.Path(folder, kind.name), clock.port) as proxy:
                if not wanted.self_check:
                    ordinary(proxy, world, clock)
                failures[proxy.name] = attacked(proxy, world, victims, clock, cases)
        clock.stop()
    if wanted.self_check:
        found = failures[careless_proxy.CarelessProxy.name]
        for needed in ("somebody else", "executed"):
            if not any(needed in what for what in found.values()):
                raise SystemExit(f"behind a careless proxy nothing is found of {needed!r}")
        print(f"behind proxies: a careless proxy is found out by {len(found)} of {len(cases)} cases")
        return
    for name, found in failures.items():
        for case, what in found.items():
            print(f"{name}: {case}\n    {what}")
    if any(failures.values()):
        raise SystemExit("behind proxies: somebody got what was not theirs")
    print(f"behind proxies: {len(cases)} cases through nginx and HAProxy, nothing mismatched, executed twice or untold")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        raise SystemExit(f"behind proxies: {wrong}") from None
