"""Floods that one organization can send to a service on many connections at once, for neighbors.py.

Each flood is sent by a process of its own, with less right to the processor than the server and the measuring process:
a caller elsewhere would take none of it.
"""

import collections
import dataclasses
import datetime
import itertools
import multiprocessing
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable

from kit import client

CONNECTIONS = 40
EXPORTERS, EXPORTS_EACH = 8, 4
# Bytes a second at which an export is read.
SLOW_READ = 2_500
# A network of its own, so that its log-ins, counted by network, do not affect the neighbor.
ADDRESS = "127.66.0.1"
NICENESS = 10
# The most rows of half an hour that fit the longest body, 256 KiB.
DAYS_OF_A_FILE, HOURS_OF_A_DAY = 195, 23
DAYS_OF_A_PART = 50
FIRST_DAY = datetime.date(2012, 1, 1)
PASSWORD = "harbour battery 78"
CSV = [("Content-Type", "text/csv")]


def file_of(email, first, days=DAYS_OF_A_FILE):
    """A file to import: a member's half hours of `days` days from the first one on."""
    lines = ["email,clockInTime,clockOutTime"]
    for number in range(days):
        day = first + datetime.timedelta(days=number)
        lines += [f"{email},{day}T{hour:02d}:00:00Z,{day}T{hour:02d}:30:00Z" for hour in range(HOURS_OF_A_DAY)]
    return "\n".join(lines).encode()


def bring_in(port, entries, admin, email, days):
    """Imports a member's half hours of `days` days, in parts that a busy machine finishes in time."""
    connection = client.Client(port, timeout=120)
    for begin in range(0, days, DAYS_OF_A_PART):
        part = file_of(email, FIRST_DAY + datetime.timedelta(days=begin), min(DAYS_OF_A_PART, days - begin))
        answer = connection.request("POST", entries + "/import?format=generic", admin, part, CSV)
        assert answer.status == 200, answer
    connection.close()


class Crowd:
    """The organization that floods: an admin, a member with a password, managers who export, and years of entries."""

    def __init__(self, port, created, people=4, days=DAYS_OF_A_FILE):
        self.port = port
        self.base = f"/v1/organizations/{created['organizationID']}"
        self.entries = self.base + "/timeEntries"
        self.admin = created["token"]
        self._client = client.Client(port, timeout=120)
        self.member, self.member_token = self._add("member@crowd.test", "member", password=PASSWORD)
        self.managers = [self._add(f"manager{number}@crowd.test", "manager")[1] for number in range(EXPORTERS)]
        addresses = [f"p{number}@c.test" for number in range(people)]
        for email in addresses:
            bring_in(port, self.entries, self.admin, email, days)
        self.files = [file_of(email, FIRST_DAY, days) for email in addresses]
        members = self._made("GET", "/members?limit=100")["members"]
        self.person = next(one["userId"] for one in members if one["email"] == addresses[0])

    def _add(self, email, role, **more):
        person = self._made("POST", "/members", {"email": email, "name": "Crowd", "role": role, **more})["userId"]
        return person, self._made("POST", "/apiTokens", {"name": "flood", "userId": person})["token"]

    def _made(self, method, path, body=None, fields=()):
        answer = self._client.request(method, self.base + path, self.admin, body, fields)
        assert answer.status in (200, 201), answer
        return answer.json


@dataclasses.dataclass
class Flood:
    """`asking` takes a crowd and gives a function: of a connection's number and turn, `Client.request`'s arguments."""

    name: str
    asking: Callable
    connections: int = CONNECTIONS
    reads_slowly: bool = False
    # Whether it keeps the threads busy that log-ins need.
    hashes: bool = False


def bulk(crowd):
    """An ordinary member's longest bulk; all but the first find every entry there."""
    hours = [f"{datetime.datetime(2020, 1, 1) + datetime.timedelta(hours=number):%Y-%m-%dT%H}" for number in range(500)]
    body = {
        "mode": "partial",
        "timeEntries": [{"clockInTime": f"{hour}:00:00Z", "clockOutTime": f"{hour}:30:00Z"} for hour in hours],
    }
    return lambda *_: ("POST", crowd.entries + "/bulk", crowd.member_token, body)


def keyed(crowd):
    """One member's clock-ins and clock-outs, each with a key."""

    def ask(number, turn):
        path = "/clockOut" if turn % 2 else "/clockIn"
        return "POST", crowd.entries + path, crowd.member_token, {}, [("Idempotency-Key", f"{number}-{turn}")]

    return ask


def importing(crowd):
    """Files as long as may be, each of other days."""

    def ask(number, turn):
        first = datetime.date(2000, 1, 1) + datetime.timedelta(days=turn % 45 * DAYS_OF_A_FILE)
        file = file_of(f"i{number}-{turn // 45}@c.test", first)
        return "POST", crowd.entries + "/import?format=generic", crowd.admin, file, CSV

    return ask


def importing_again(crowd):
    return lambda number, _: (
        "POST",
        crowd.entries + "/import?format=generic",
        crowd.admin,
        crowd.files[number % len(crowd.files)],
        CSV,
    )


def exporting(crowd):
    return lambda number, _: ("GET", crowd.entries + "/export?format=csv", crowd.managers[number // EXPORTS_EACH])


def logging_in(crowd):
    return lambda *_: ("POST", "/v1/auth/token", None, {"email": "member@crowd.test", "password": PASSWORD})


def guessing(crowd):
    return lambda number, turn: (
        "POST",
        "/v1/auth/token",
        None,
        {"email": f"nobody{number}-{turn}@crowd.test", "password": "a wrong guess"},
    )


def keyed_tokens(crowd):
    """API tokens, whose answers are kept under a key of their own."""
    word = secrets.token_hex(4)
    return lambda number, turn: (
        "POST",
        crowd.base + "/apiTokens",
        crowd.admin,
        {"userId": crowd.member, "name": "flood"},
        [("Idempotency-Key", f"{word}-{number}-{turn}")],
    )


def reading(path):
    return lambda crowd: lambda *_: ("GET", crowd.base + path.format(person=crowd.person), crowd.admin)


SPAN = "startDate=2012-01-01&endDate=2021-12-31"
# In this order: those that leave much behind come last.
FLOODS = {
    flood.name: flood
    for flood in [
        Flood("changes", reading("/changes?after=0&limit=1000")),
        Flood("audit log", reading("/auditLog?userId={person}&limit=100")),
        Flood("personal data", reading("/members/{person}/personalData")),
        Flood("report by day", reading(f"/reports/hours?{SPAN}&groupBy=day")),
        Flood("slow exports", exporting, EXPORTERS * EXPORTS_EACH, reads_slowly=True),
        Flood("right log-ins", logging_in, hashes=True),
        Flood("wrong log-ins", guessing, hashes=True),
        Flood("keyed API tokens", keyed_tokens, hashes=True),
        Flood("keyed clock-ins", keyed),
        Flood("bulk", bulk),
        Flood("import again", importing_again),
        Flood("import", importing),
    ]
}


class Flooding:
    """A flood under way; use it in a `with`, and look at `answers` afterwards: how many of each status, 0 for none."""

    def __init__(self, flood, crowd, address=ADDRESS):
        self.flood = flood
        self.answers = {}
        self._process = None
        self._channel, self._far_channel = multiprocessing.Pipe()
        self._arguments = (flood, crowd, address, self._far_channel)

    def __enter__(self):
        self._process = multiprocessing.get_context("fork").Process(target=_send, args=self._arguments, daemon=True)
        self._process.start()
        return self

    def __exit__(self, *_):
        self._channel.send("end")
        if self._channel.poll(30):
            self.answers = self._channel.recv()
        self._process.kill()
        self._process.join()


def _send(flood, crowd, address, channel):
    """The process of a flood, until it is asked to end."""
    os.nice(NICENESS)
    answers = collections.Counter()
    send = _read_slowly if flood.reads_slowly else _repeat
    ask = flood.asking(crowd)
    for number in range(flood.connections):
        threading.Thread(target=send, args=(crowd.port, address, ask, number, answers), daemon=True).start()
    channel.recv()
    # Requests that wait for an answer are dropped with the process.
    channel.send(dict(answers))


def _repeat(port, address, ask, number, answers):
    connection = client.Client(port, timeout=60, source=address)
    for turn in itertools.count():
        request = ask(number, turn)
        try:
            answers[connection.request(*request).status] += 1
        except OSError:
            answers[0] += 1
            time.sleep(0.05)


def _read_slowly(port, address, ask, number, answers):
    request = client.written(*ask(number, 0))
    while True:
        with socket.socket() as narrow:
            # Little of the answer is on its way, the rest waits in the server.
            narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            narrow.bind((address, 0))
            try:
                narrow.connect(("127.0.0.1", port))
                narrow.sendall(request)
                first = narrow.recv(12)
                answers[int(first[9:12])] += 1
                while first.endswith(b"200") and narrow.recv(SLOW_READ // 10):
                    time.sleep(0.1)
            except (OSError, ValueError):
                answers[0] += 1
        time.sleep(0.2)
