#!/usr/bin/env python3
"""Nobody but the member finds anything of a timer: not a manager, not an admin, not another member, not a program.

Somebody's timer, routine, settings, sessions and telephones are full of words that are nowhere else. Every GET of
openapi.yaml, in all its forms, is asked by everybody: none of its answers has one of the words, nor an id of theirs; nor
do the feed, the audit log, the streams of others, a webhook's receiver and the server's log, and presence is the same
as before, to the byte. The export of personal data has all of them, and after the person was forgotten nothing has, the
database least of all. On SQLite and on PostgreSQL.

`timer_privacy.py [--self-check]`: the self-check plants one of the words in a time entry, where it has to be found.
"""

import argparse
import datetime
import http.server
import pathlib
import sqlite3
import tempfile
import threading
import time
import uuid

from kit import python_packages

python_packages.enter()

from kit import client, contract, every_read, office, one_of_each, postgresql, service
from kit.expecting import expect, expect_equal

WORD = "tattletale"
# A telephone's token, which is hexadecimal.
PHONE = "7a77e7a1e0" * 8
OPTIONS = ["--webhook-allow", "127.0.0.1"]
# The time in which a webhook gets a change.
PATIENCE = 15
# The file that an admin may ask for, by law.
OF_PERSON = {"exportPersonalData"}
CONTRACT = contract.Contract()


class Receiver:
    """Takes a webhook's messages, and keeps them."""

    def __init__(self):
        bodies = self.bodies = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/hook"

    def wait_for(self, text):
        deadline = time.monotonic() + PATIENCE
        while not any(text in body for body in self.bodies):
            expect(time.monotonic() < deadline, f"the webhook never sent {text}", self.bodies)
            time.sleep(0.05)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Stream:
    """A stream of events that somebody listens to for as long as the check runs."""

    def __init__(self, port, path, token):
        self.client = client.Client(port, timeout=60)
        self.client.connect()
        self.client.socket.sendall(client.written("GET", path, token))
        self.text = b""
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        try:
            while part := self.client.socket.recv(65_536):
                self.text += part
        except OSError:
            pass

    def wait_for(self, text):
        deadline = time.monotonic() + PATIENCE
        while text not in self.text:
            expect(time.monotonic() < deadline, f"a stream never had {text}", self.text)
            time.sleep(0.02)


class World:
    """An organization with somebody whose timer is full of words, and with those who must not find them."""

    def __init__(self, clock, created, receiver, plants):
        self.clock = clock
        self.office = office.Office(clock.port, created)
        self.receiver = receiver
        self.person = self.office.add_member("mia@example.com", "Mia")
        self.token = self.office.log_in(self.person)
        # An admin may make one in anybody's name, and the timer is none of their business.
        self.made = self.office.token_of(self.person, "made by an admin")
        manager = self.office.add_member("max@example.com", "Max", role="manager")
        other = self.office.add_member("otto@example.com", "Otto")
        self.tokens = {
            "an admin": self.office.token,
            "a manager": self.office.log_in(manager),
            "another member": self.office.log_in(other),
        }
        notes = {"notes": WORD} if plants else {}
        self.known = one_of_each.made(self.office, self.person, self.token, receiver.url, **notes)
        self.words = [WORD.encode(), PHONE.encode()]

    def use_timer(self):
        """All that somebody can do with a timer, each with a word of its own; their ids are words too."""
        ask = self.own
        ask("PUT", "/timers/settings", {"restBySubject": {f"{WORD} 1": 77}}, fields=[("If-Match", "*")])
        routine = {
            "name": f"{WORD} 2",
            "currentItem": f"{WORD} 3",
            "currentSet": 1,
            "totalSets": 5,
            "itemsCompleted": 0,
            "totalItems": 4,
        }
        ask("PUT", "/timers/current/routine", routine)
        now = datetime.datetime.now(datetime.UTC)
        answer = ask(
            "POST",
            "/timers/commands",
            {
                "commands": [
                    command("start", now - datetime.timedelta(minutes=30), timer=self.timer("focus", 4)),
                    command("stop", now - datetime.timedelta(minutes=3)),
                    command("start", now - datetime.timedelta(minutes=2), timer=self.timer("rest", 5)),
                ]
            },
        )
        expect_equal([one["status"] for one in answer["results"]], ["applied"] * 3, "the commands")
        session = answer["results"][1]["session"]
        ask("PATCH", f"/timerSessions/{session['id']}", {"notes": f"{WORD} 6"})
        ask("POST", "/timers/current/pause")
        timer = ask("POST", "/timers/current/resume")["timer"]
        if "createPushTarget" in CONTRACT.operations:
            ask(
                "POST",
                "/pushTargets",
                {"kind": "alert", "token": PHONE, "topic": f"com.{WORD}.app", "environment": "sandbox"},
                201,
            )
        self.session = session["id"]
        self.words += [session["id"].encode(), timer["id"].encode()]

    def timer(self, kind, number):
        return {
            "type": kind,
            "durationSeconds": 28_800,
            "label": f"{WORD} {number}",
            "projectId": self.known["projectId"],
            "subject": {"id": f"{WORD} {number}0", "name": f"{WORD} {number}00"},
        }

    def own(self, method, path, body=None, status=200, fields=()):
        return self.office.ask(method, path, body, status, fields, token=self.token)

    def expect_nothing(self, text, who, what):
        found = [word.decode() for word in self.words if word in text]
        expect(not found, f"{who} finds {found} in {what}", text)

    def read_everything(self, tokens, left_out):
        """How many answers were read; none of them has a word, but those of the operations that are left out."""
        reads = every_read.EveryRead(CONTRACT, self.known)
        count, succeeded = 0, set()
        reader = client.Client(self.clock.port)
        for operation in reads.operations():
            if operation.id in left_out:
                continue
            for who, token in tokens.items():
                for path in reads.paths(operation):
                    answer = reader.request("GET", path, token)
                    expect(answer.status < 500, f"{who} reads {path}", answer)
                    self.expect_nothing(answer.body, who, f"{operation.id}, {path}")
                    count += 1
                    if answer.status == 200:
                        succeeded.add(operation.id)
        reader.close()
        return count, succeeded

    def ask_for_ids(self):
        """Somebody who knows the id of a session gets the answer for one that never was."""
        for who, token in self.tokens.items():
            for method, body in (("PATCH", {"notes": "mine"}), ("DELETE", None)):
                answers = [
                    self.office.request(method, f"/timerSessions/{one}", body, token=token)
                    for one in (self.session, str(uuid.uuid4()))
                ]
                expect_equal([one.status for one in answers], [404, 404], f"{who} sends {method} to a session")
                expect_equal(*(told(one) for one in answers), f"{who} sends {method} to a session")
            stop = self.office.request("POST", "/timers/current/stop", token=token)
            made = self.office.request("GET", "/timers/current", token=self.made)
            expect_equal((made.status, made.code), (403, "forbidden"), "an API token that an admin has made")
            expect_equal((stop.status, stop.code), (404, "no_timer"), f"{who} stops the timer")
            reset = {"scope": ["timerSessions"], "reason": "Clearing up"}
            answer = self.office.request("POST", f"/members/{self.person}/resetHistory", reset, token=token)
            expect_equal((answer.status, answer.code), (403, "forbidden"), f"{who} deletes the sessions")


def told(answer):
    return {name: value for name, value in answer.json.items() if name != "requestId"}


def command(kind, at, **more):
    return {"id": str(uuid.uuid4()), "type": kind, "at": at.isoformat(), **more}


def check(name, clock, texts, plants):
    """`texts` answers all texts that the database holds; how many answers were read."""
    created = clock.create_organization(zone="UTC")
    clock.start()
    receiver = Receiver()
    world = World(clock, created, receiver, plants)
    ask, base = world.office.ask, world.office.base
    streams = {
        who: Stream(clock.port, f"{base}/events?userId={world.person}" if manages else f"{base}/events", token)
        for who, token in world.tokens.items()
        for manages in [who != "another member"]
    }
    own = Stream(clock.port, f"{base}/events", world.token)
    for stream in [*streams.values(), own]:
        stream.wait_for(b"event: snapshot")
    before = [ask("GET", path) for path in ("/presence", f"/members/{world.person}")]
    last = ask("GET", "/changes?limit=1000")["nextAfter"]
    world.use_timer()
    own.wait_for(WORD.encode())
    expect(b"event: timer" in own.text, f"{name}: the member's own stream has no timer", own.text)

    count, succeeded = world.read_everything(world.tokens, OF_PERSON)
    wanted = {one.id for one in CONTRACT.operations.values() if one.method == "GET"}
    expect_equal(wanted - succeeded, OF_PERSON, f"{name}: what was never read")
    world.ask_for_ids()
    after = [ask("GET", path) for path in ("/presence", f"/members/{world.person}")]
    expect_equal([still(one) for one in after], [still(one) for one in before], f"{name}: presence, and the member")
    expect_equal(ask("GET", "/changes?limit=1000")["nextAfter"], last, f"{name}: the last change")
    # Events after the timer's come through, and so would the timer's have.
    ask("POST", "/projects", {"name": "Later"}, 201)
    receiver.wait_for(b'"Later"')
    for who, stream in streams.items():
        stream.wait_for(b'"Later"')
        world.expect_nothing(stream.text, who, "a stream")
        expect(b"event: timer" not in stream.text, f"{name}: {who} hears of a timer", stream.text)
    world.expect_nothing(b"".join(receiver.bodies), "a program", "what a webhook sent")
    world.expect_nothing((clock.folder / "server.log").read_bytes(), "the operator", "the log")

    path = f"/members/{world.person}/personalData"
    for who, token in (("an admin", world.office.token), ("the member", world.token)):
        export = world.office.request("GET", path, token=token).body
        for word in [f"{WORD} {number}".encode() for number in range(1, 7)] + world.words[2:]:
            expect(word in export, f"{name}: {who} exports nothing of {word}", export)
        expect(PHONE.encode() not in export, f"{name}: {who} exports a telephone's token", export)
    expect_equal(world.office.request("GET", path, token=world.tokens["a manager"]).status, 403, f"{name}: a manager")
    expect(all(word.decode() in texts() for word in world.words[:1] + world.words[2:]), f"{name}: nothing is kept")

    forget(name, world, texts)
    for stream in [*streams.values(), own]:
        stream.client.close()
    world.office.close()
    clock.verify()
    clock.stop()
    receiver.close()
    return count


def forget(name, world, texts):
    """Nobody has anything of somebody who was forgotten, not even in the file that an admin asks for."""
    ask = world.office.ask
    ask("DELETE", f"/members/{world.person}", status=204, fields=[("If-Match", "*")])
    ask("POST", f"/members/{world.person}/anonymize")
    world.read_everything({"an admin": world.office.token}, set())
    expect(not any(word.decode() in texts() for word in world.words), f"{name}: the database still tells", texts())


def still(answer):
    """An answer without running values."""
    if isinstance(answer, list):
        return [still(one) for one in answer]
    if isinstance(answer, dict):
        return {name: still(one) for name, one in answer.items() if name not in ("secondsToday", "serverTime")}
    return answer


def in_sqlite(file):
    connection = sqlite3.connect(file)
    try:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return str([readable(row) for table in tables for row in connection.execute(f"SELECT * FROM {table}")])
    finally:
        connection.close()


def readable(row):
    """Ids, which are bytes, as they are written elsewhere."""
    return [str(uuid.UUID(bytes=one)) if isinstance(one, bytes) and len(one) == 16 else one for one in row]


def in_postgresql(cluster, database):
    tables = cluster.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", database)
    return str([cluster.execute(f"SELECT * FROM {table}", database) for table in tables])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    binary = service.built_binary()
    try:
        with tempfile.TemporaryDirectory() as folder:
            clock = service.Service(binary, folder, options=OPTIONS)
            file = pathlib.Path(folder, "timeclock.db")
            count = check("SQLite", clock, lambda: in_sqlite(file), wanted.self_check)
        with postgresql.Cluster(["fsync=off"]) as cluster, tempfile.TemporaryDirectory() as folder:
            clock = service.Service(binary, folder, cluster.make_database("privacy"), OPTIONS)
            count += check("PostgreSQL", clock, lambda: in_postgresql(cluster, "privacy"), False)
    except SystemExit as found:
        if not wanted.self_check or WORD not in str(found):
            raise
        print(f"found: {str(found)[:120]}")
        return
    expect(not wanted.self_check, "a word that was planted was not found")
    print(f"timer privacy: {count} answers without a word of somebody else's timer, on both databases")


main()
