#!/usr/bin/env python3
"""Engine.IO 4 and the WebSockets below it, in the bytes of the protocols' documents and of RFC 6455.

Handshakes and their refusals, polling, two requests at once, namespaces, frames in pieces and frames that are against
the rules, origins; the limits of a client before it has authenticated, and the rate limit.

`--full` also waits for heartbeats, and has 10,000 sockets that say nothing, which are gone at their limit.

`engine_io.py [--full] [--self-check]`: the self-check changes a few bytes of the service's output, one kind of fault at
a time, and each has to be found.
"""

import argparse
import json
import resource
import socket
import struct
import sys
import tempfile
import time

from kit import client, office, service
from kit.expecting import expect, expect_equal

PATH = "/socket.io/?EIO=4&transport="
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
PATIENCE = 20
# The limit for clients that do not identify themselves, and the second in which it is checked.
SILENCE_SECONDS = 10
PING_SECONDS = 25
PONG_SECONDS = 20
# The number of unidentified connections of an address, and the packets and bytes of such a client.
PLACES = 20
PACKETS = 20
BYTES = 4_096
RATE_LIMIT = 30
# Changes on the way, for the self-check.
FAULTS = [
    (b'"upgrades":["websocket"]', b'"upgrades":[]'),
    (b'{"code":5', b'{"code":3'),
    (b'{"code":1', b'{"code":3'),
    (b"Invalid namespace", b"Unknown namespace"),
    (ACCEPT.encode(), ACCEPT[::-1].encode()),
    (b"\x88\x02\x03\xea", b"\x88\x02\x03\xe8"),
    (b"\x88\x02\x03\xef", b"\x88\x02\x03\xea"),
    (b"\x8a\x02hi", b"\x8a\x02ho"),
    (b"3probe", b"3probf"),
    (b"403 Forbidden", b"101 Forbidden"),
]


class Altered:
    """A stream in which some bytes are others."""

    def __init__(self, stream, fault):
        self.stream = stream
        self.fault = fault

    def change(self, data):
        return data.replace(*self.fault) if self.fault else data

    def readline(self):
        return self.change(self.stream.readline())

    def read(self, count):
        return self.change(self.stream.read(count))

    def close(self):
        self.stream.close()


class Checks:
    def __init__(self, port, fault=None, source="127.0.0.1"):
        """Connects from the address `source`, whose places for strangers nobody else takes."""
        self.port = port
        self.fault = fault
        self.source = source

    def connection(self):
        one = client.Client(self.port, timeout=PATIENCE, source=self.source)
        one.connect()
        one.stream = Altered(one.stream, self.fault)
        return one

    def ask(self, method, path, body=None, fields=()):
        one = self.connection()
        fields = [*fields, *([("Content-Type", "text/plain")] if body is not None else [])]
        answer = one.request(method, path, None, body, fields)
        one.close()
        return answer

    def open(self):
        answer = self.ask("GET", PATH + "polling")
        expect(answer.status == 200 and answer.body[:1] == b"0", "a connection is opened", answer)
        return json.loads(answer.body[1:])

    def handshakes(self):
        for path in (PATH, PATH.replace("/?", "?")):
            answer = self.ask("GET", path + "polling&t=abc")
            opened = json.loads(answer.body[1:])
            expect_equal(
                {name: opened[name] for name in opened if name != "sid"},
                {"upgrades": ["websocket"], "pingInterval": 25_000, "pingTimeout": 20_000, "maxPayload": 100_000},
                "the handshake",
            )
            expect_equal(len(opened["sid"]), 20, "the length of a sid")
        refusals = [
            ("GET", "/socket.io/?EIO=3&transport=polling", 5),
            ("GET", "/socket.io/?transport=polling", 5),
            ("GET", "/socket.io/?EIO=4&transport=flash", 0),
            ("GET", "/socket.io/?EIO=4", 0),
            ("GET", PATH + "polling&sid=nothing", 1),
            ("POST", PATH + "polling", 2),
            ("PUT", PATH + "polling", 2),
            ("GET", PATH + "websocket", 3),
        ]
        for method, path, code in refusals:
            answer = self.ask(method, path, b"" if method != "GET" else None)
            expect_equal((answer.status, answer.json["code"]), (400, code), f"{method} {path}")

    def polling(self):
        path = f"{PATH}polling&sid={self.open()['sid']}"
        answer = self.ask("POST", path, b"40/admin,\x1e40")
        expect_equal((answer.status, answer.body), (200, b"ok"), "packets are taken")
        first, second = self.ask("GET", path).body.split(b"\x1e")
        expect_equal(first, b'44/admin,{"message":"Invalid namespace"}', "another namespace")
        expect(second.startswith(b'40{"sid":"'), "the main namespace", second)
        # A second request that waits ends the connection.
        waiting, other = self.connection(), self.connection()
        waiting.send("GET", path)
        time.sleep(0.2)
        other.send("GET", path)
        expect_equal(other.receive().status, 400, "a second request")
        expect_equal(waiting.receive().body, b"1", "the first request")
        expect_equal(self.ask("GET", path).json["code"], 1, "a connection that has ended")
        # A client that ends the connection while its request waits.
        path = f"{PATH}polling&sid={self.open()['sid']}"
        waiting = self.connection()
        waiting.send("GET", path)
        time.sleep(0.2)
        expect_equal(self.ask("POST", path, b"1").body, b"ok", "a client's end")
        expect_equal(waiting.receive().body, b"6", "a request that waits at the end")
        expect_equal(self.ask("GET", path).json["code"], 1, "a connection that its client has ended")
        for wrong in (b"x", b"", b"4\x1e", b"bAAEC", b"2"):
            path = f"{PATH}polling&sid={self.open()['sid']}"
            self.ask("POST", path, wrong)
            left = self.ask("GET", path)
            expect(left.status == 400 or left.body == b"1", f"a connection goes on after {wrong}", left)

    def socket(self, query="websocket", fields=(), **changed):
        """The status of an opening handshake, and its connection."""
        stated = {
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": KEY,
        }
        stated |= changed
        one = self.connection()
        lines = [f"GET {PATH}{query} HTTP/1.1", "Host: localhost"]
        lines += [f"{name}: {value}" for name, value in [*stated.items(), *fields] if value is not None]
        one.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        line = one.stream.readline()
        found = {}
        while (field := one.stream.readline()).strip():
            name, _, value = field.decode().partition(":")
            found[name.lower()] = value.strip()
        return int(line.split()[1]), found, one

    def opening(self):
        status, fields, one = self.socket()
        expect_equal((status, fields["sec-websocket-accept"]), (101, ACCEPT), "the answer of RFC 6455, section 1.3")
        expect("sec-websocket-extensions" not in fields, "an extension nobody has asked for", fields)
        one.close()
        wrong = [
            ({"Sec-WebSocket-Version": "12"}, 426),
            ({"Sec-WebSocket-Key": "short"}, 400),
            ({"Sec-WebSocket-Key": None}, 400),
            ({"Connection": "keep-alive"}, 426),
            ({"Upgrade": "h2c"}, 426),
            ({"Origin": "https://stranger.example"}, 403),
            ({"Origin": "ws://stranger.example"}, 403),
            ({"Origin": "http://localhost"}, 101),
            # The library of Trackify's own client, and one that names the port.
            ({"Origin": "ws://localhost"}, 101),
            ({"Origin": "wss://localhost:443"}, 101),
            ({"Origin": "ws://localhost:443"}, 403),
        ]
        for changed, wanted in wrong:
            status, fields, one = self.socket(**changed)
            expect_equal(status, wanted, f"an opening handshake with {changed}")
            one.close()

    def frames(self):
        for pieces in (False, True):
            one = self.opened()
            data = frame(0x01, b"4") + frame(0x89, b"hi") + frame(0x80, b"0")
            for piece in [data[n : n + 1] for n in range(len(data))] if pieces else [data]:
                one.socket.sendall(piece)
            got = [read_frame(one), read_frame(one)]
            expect((0x8A, b"hi") in got, "a Pong", got)
            expect(any(kind == 0x81 and text.startswith(b'40{"sid"') for kind, text in got), "a text in fragments", got)
            one.socket.sendall(frame(0x88, struct.pack(">H", 1000)))
            expect_equal(read_frame(one), (0x88, struct.pack(">H", 1000)), "the answer to a Close")
            expect_equal(one.stream.read(1), b"", "the end behind a Close")
            one.close()
        for wrong, code in [
            (b"\x81\x0140", 1002),
            (frame(0xC1, b"40"), 1002),
            (frame(0x83, b""), 1002),
            (frame(0x80, b"40"), 1002),
            (frame(0x81, b"4\xff"), 1007),
            (b"\x81\xff" + struct.pack(">Q", 200_000) + bytes(4), 1009),
            (frame(0x88, b"\x03"), 1002),
        ]:
            one = self.opened()
            one.socket.sendall(wrong)
            expect_equal(read_frame(one), (0x88, struct.pack(">H", code)), f"the answer to {wrong[:8]}")
            one.close()

    def opened(self):
        one = self.socket()[2]
        kind, text = read_frame(one)
        expect(kind == 0x81 and json.loads(text[1:])["upgrades"] == [], "the handshake in a frame", text)
        return one

    def moving(self):
        """A connection by polling becomes one by WebSocket, and loses nothing."""
        sid = self.open()["sid"]
        waiting = self.connection()
        waiting.send("GET", f"{PATH}polling&sid={sid}")
        status, _, one = self.socket(f"websocket&sid={sid}")
        expect_equal(status, 101, "the other transport")
        one.socket.sendall(frame(0x81, b"2probe"))
        expect_equal(read_frame(one), (0x81, b"3probe"), "the answer to a probe")
        expect_equal(waiting.receive().body, b"6", "a request that waits")
        self.ask("POST", f"{PATH}polling&sid={sid}", b"40")
        one.socket.sendall(frame(0x81, b"5"))
        expect(read_frame(one)[1].startswith(b'40{"sid"'), "what came by polling is answered here")
        expect_equal(self.ask("POST", f"{PATH}polling&sid={sid}", b"40").status, 400, "polling afterwards")
        one.close()
        # One that comes to nothing leaves the connection as it was.
        sid = self.open()["sid"]
        one = self.socket(f"websocket&sid={sid}")[2]
        one.socket.sendall(frame(0x81, b"4nothing"))
        expect_equal(one.stream.read(1), b"", "a WebSocket that has sent something else than a probe")
        one.close()
        expect_equal(self.ask("POST", f"{PATH}polling&sid={sid}", b"40").body, b"ok", "the connection without it")
        stranger = [("Origin", "https://stranger.example")]
        expect_equal(self.ask("GET", PATH + "polling", None, stranger).status, 403, "a stranger's page")

    def all(self):
        for check in (self.handshakes, self.polling, self.opening, self.frames, self.moving):
            check()


def frame(first, content, mask=b"\x11\x22\x33\x44"):
    length = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + struct.pack(">H", len(content))
    return bytes([first]) + length + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(content))


def read_frame(one):
    """The first byte and the content of a frame of the server, which has to be without a mask."""
    head = client.read_exactly(one.stream, 2)
    length = head[1]
    if length == 126:
        length = struct.unpack(">H", client.read_exactly(one.stream, 2))[0]
    expect(length < 127, "a frame is longer than anything here, or has a mask", head)
    content = client.read_exactly(one.stream, length)
    # Control frames come whole, so that a change on the way in one of them is seen here.
    whole = one.stream.change(head + content)
    return whole[0], whole[2:]


def last_words(checks):
    """A client that polls hears why its connection has ended."""
    path = f"{PATH}polling&sid={checks.open()['sid']}"
    wrong = b'40\x1e42["authenticate",{"token":"' + b"0" * 64 + b'"}]'
    expect_equal(checks.ask("POST", path, wrong).body, b"ok", "an attempt is taken")
    packets = checks.ask("GET", path).body.split(b"\x1e")
    expect(packets[0].startswith(b'40{"sid"'), "the namespace", packets)
    expect(packets[1].startswith(b'42["auth:error"'), "the error of a wrong token", packets)
    expect_equal(packets[2:], [b"41", b"1"], "the end behind it")
    expect_equal(checks.ask("GET", path).json["code"], 1, "a connection whose end was heard of")


def strangers(checks, created):
    """An unauthenticated client may send little, and is ended if it sends more; others are served meanwhile."""
    desk = office.Office(checks.port, created)
    worker = desk.token_of(desk.add_member("worker@example.com", "Worker"))
    attempt = b'42["authenticate",{"token":"x"}]'
    floods = {
        "acknowledgments": frame(0x81, b'421["x"]') * 4_000,
        "long events": frame(0x81, b'42["x","' + b"y" * 110 + b'"]') * 400,
        "questions": frame(0x89, b"hi") * (PACKETS + 5),
        "packets": frame(0x81, b"4") * (PACKETS + 5),
        "attempts": frame(0x81, attempt) * 2,
        "one long packet": b"\x81\xfe" + struct.pack(">H", BYTES) + bytes(4) + b"4" * BYTES,
    }
    for number, (name, flood) in enumerate(floods.items()):
        there = [Checks(checks.port, source=f"127.0.1.{number + 1}").opened() for _ in range(PLACES)]
        for one in there:
            try:
                one.socket.sendall(frame(0x81, b"40") + flood)
            except OSError:
                pass
        for begins in (True, False):
            path, status = ("clockIn", 201) if begins else ("clockOut", 200)
            desk.ask("POST", f"/timeEntries/{path}", {}, status, token=worker)
        for one in there:
            expect(is_ended(one), f"a stranger with {name} stays")
            one.close()
    desk.close()
    # One more than the places of an address; another address has its own.
    crowded = Checks(checks.port, source="127.0.2.1")
    waiting = [crowded.opened() for _ in range(PLACES)]
    expect_equal(crowded.ask("GET", PATH + "polling").status, 403, "one connection too many")
    Checks(checks.port, source="127.0.2.2").open()
    waiting.pop().close()
    deadline = time.monotonic() + PATIENCE
    while crowded.ask("GET", PATH + "polling").status == 403:
        expect(time.monotonic() < deadline, "a place is not given back")
        time.sleep(0.05)
    for one in waiting:
        one.close()


def is_ended(one):
    """Whether the service ends a connection, in whichever way."""
    try:
        while one.socket.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def without_measure(checks, token):
    """A known client that sends far more than anybody does is let go; one that sends too much gets refusals."""
    one = checks.opened()
    one.socket.sendall(frame(0x81, b"40" + json.dumps({"token": token}).encode()))
    while not read_frame(one)[1].startswith(b'42["auth:success"'):
        pass
    one.socket.sendall(frame(0x81, b'42["timer:start",{}]') * 30)
    refusals = [read_frame(one)[1] for _ in range(30)]
    expect(any(b"Too many events" in refusal for refusal in refusals), "too many events", refusals[-1])
    one.socket.sendall(frame(0x81, b'421["x"]') * 1_000)
    expect(is_ended(one), "a client without measure stays")
    one.close()


def rate_limit(folder):
    """Requests that open connections count for their network, until it is known whose they are."""
    options = ("--rate-limit", str(RATE_LIMIT), "--trusted-proxy", "127.0.0.1")
    server = service.Service(service.built_binary(), folder, options=options)
    created = server.create_organization()
    server.start()
    checks = Checks(server.port)
    for number in range(RATE_LIMIT):
        answer = checks.ask("GET", PATH + "polling", None, [("X-Forwarded-For", f"2001:db8:1:1::{number:x}")])
        wanted = 200 if number < PLACES else 403
        expect_equal(answer.status, wanted, f"connection {number} of a network")
    answer = checks.ask("GET", PATH + "polling", None, [("X-Forwarded-For", "2001:db8:1:1:ffff::1")])
    expect(answer.status == 429 and answer.code == "rate_limited", "a connection beyond the limit", answer)
    other = [("X-Forwarded-For", "2001:db8:1:2::1")]
    expect_equal(checks.ask("GET", PATH + "polling", None, other).status, 200, "a connection of another network")
    # With a token nobody is limited by the size of an office.
    office_fields = [("X-Forwarded-For", "203.0.113.7")]
    for _ in range(RATE_LIMIT + 5):
        one = checks.socket(fields=office_fields)[2]
        read_frame(one)
        one.socket.sendall(frame(0x81, b"40" + json.dumps({"token": created["token"]}).encode()))
        while not (got := read_frame(one)[1]).startswith(b'42["auth:success"'):
            expect(got.startswith(b"40"), "an answer to a token", got)
        one.close()
    server.stop()


def heartbeats(checks, token):
    """The service asks every 25 seconds whether a client lives, and ends one that does not say so within 20."""
    one = checks.opened()
    one.socket.settimeout(PING_SECONDS + PATIENCE)
    one.socket.sendall(frame(0x81, b"40" + json.dumps({"token": token}).encode()))
    start = time.monotonic()
    while (got := read_frame(one))[1] != b"2":
        expect(got[1].startswith((b"40{", b'42["auth:success"')), "something else than a ping", got)
    expect(time.monotonic() - start >= PING_SECONDS - 2, "a ping comes too early", time.monotonic() - start)
    one.socket.sendall(frame(0x81, b"3"))
    expect_equal(read_frame(one), (0x81, b"2"), "the next ping")
    pinged = time.monotonic()
    expect(read_frame(one)[0] == 0x88, "the end of a client that does not answer")
    expect(time.monotonic() - pinged >= PONG_SECONDS - 2, "a client is gone too early", time.monotonic() - pinged)
    one.close()


def silent_ones(checks, count):
    """Sockets without a word of their client end at their limit."""
    sockets = []
    for number in range(count):
        one = socket.socket()
        place = number // PLACES
        one.bind((f"127.1.{1 + place // 200}.{1 + place % 200}", 0))
        one.connect(("127.0.0.1", checks.port))
        one.sendall(
            f"GET {PATH}websocket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n".encode()
        )
        sockets.append(one)
    deadline = time.monotonic() + SILENCE_SECONDS + PATIENCE
    for one in sockets:
        one.settimeout(max(0.1, deadline - time.monotonic()))
        got = b""
        while part := one.recv(4_096):
            got += part
        expect(got.startswith(b"HTTP/1.1 101"), "a socket was not opened", got[:60])
        one.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    with tempfile.TemporaryDirectory() as folder:
        server = service.Service(service.built_binary(), folder, options=("--max-connections", "10500"))
        created = server.create_organization()
        server.start()
        if wanted.self_check:
            for number, fault in enumerate(FAULTS):
                try:
                    Checks(server.port, fault, f"127.0.3.{number + 1}").all()
                except (SystemExit, KeyError, ValueError, OSError):
                    continue
                sys.exit(f"engine_io: nobody saw {fault[1]} in the place of {fault[0]}")
            print(f"engine io: {len(FAULTS)} faults found")
        else:
            checks = Checks(server.port)
            checks.all()
            last_words(checks)
            strangers(checks, created)
            without_measure(checks, created["token"])
            with tempfile.TemporaryDirectory() as other:
                rate_limit(other)
            if wanted.full:
                heartbeats(checks, created["token"])
                silent_ones(checks, 10_000)
            print("engine io: handshakes, polling, frames and transports as the protocols say, strangers and limits")
        server.stop()


main()
