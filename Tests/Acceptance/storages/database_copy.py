#!/usr/bin/env python3
"""`timeclock copy` as a person uses it: SQLite to PostgreSQL and back, cut short by kill -9, refused beside a server."""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import tempfile
import time

from kit import client, postgresql, service
from kit.expecting import expect

BINARY = service.built_binary()
PASSWORD = "correct horse battery"
# Enough for a copy to be under way for a while.
ENTRIES = 30_000


def run(*arguments, given=None):
    return subprocess.run([BINARY, *arguments], input=given, capture_output=True, text=True, timeout=120)


def copy(source, target, *options):
    result = run("copy", "--from", source, "--to", target, *options)
    expect(result.returncode == 0, f"{source} to {target}", result)
    expect(result.stderr == "", "something on standard error without a terminal", result.stderr)
    return json.loads(result.stdout)


def is_refused(needed, *arguments):
    result = run("copy", *arguments)
    expect(result.returncode != 0 and result.stdout == "" and needed in result.stderr, f"no {needed!r}", result)


def request(port, method, path, token=None, body=None, fields=()):
    """The status, the entity tag and the content."""
    one = client.Client(port)
    answer = one.request(method, path, token, body, fields)
    one.close()
    return answer.status, answer.fields.get("etag"), json.loads(answer.body or "null")


def make_source(folder):
    """Two organizations, the second with the first one's admin as a member who has not accepted."""
    path = pathlib.Path(folder, "source.db")
    created = run(
        "organization",
        "create",
        "--database",
        f"sqlite:{path}",
        "--name",
        "Küche",
        "--time-zone",
        "Europe/Berlin",
        "--admin-email",
        "ana@example.com",
        "--admin-name",
        "Ana",
        "--admin-password-stdin",
        given=PASSWORD + "\n",
    )
    expect(created.returncode == 0, "create", created)
    first = json.loads(created.stdout)
    second = json.loads(
        run(
            "organization",
            "create",
            "--database",
            f"sqlite:{path}",
            "--name",
            "Elsewhere",
            "--time-zone",
            "UTC",
            "--admin-email",
            "ben@example.com",
            "--admin-name",
            "Ben",
        ).stdout
    )
    server = service.Service(BINARY, folder, f"sqlite:{path}")
    server.start()
    status, _, _ = request(
        server.port,
        "POST",
        f"/v1/organizations/{second['organizationID']}/members",
        second["token"],
        {"email": "ana@example.com", "name": "Ana", "role": "member"},
    )
    expect(status == 201, "adding a member", status)
    status, _, entry = request(
        server.port,
        "POST",
        f"/v1/organizations/{first['organizationID']}/timeEntries/clockIn",
        first["token"],
        {"notes": "früh 🌅"},
    )
    expect(status == 201, "clocking in", entry)
    is_refused("holds the database", "--from", f"sqlite:{path}", "--to", f"sqlite:{folder}/never.db")
    expect(not pathlib.Path(folder, "never.db").exists(), "a refused copy made its target")
    # The last commits are in the log beside the file only.
    server.kill()
    return path, first, second


def answers(folder, database, first, second):
    """The answers of a server on the database, entity tags included, and who may log in where."""
    server = service.Service(BINARY, folder, database)
    server.start()
    try:
        organization = f"/v1/organizations/{first['organizationID']}"
        paths = [
            "",
            "/members",
            f"/members/{first['userId']}",
            "/timeEntries?limit=100",
            "/timeEntries/current",
            "/apiTokens",
            "/invitations",
        ]
        found = {path: request(server.port, "GET", organization + path, first["token"]) for path in paths}
        # The clock's figures differ from one request to the next.
        current = found["/timeEntries/current"][2]
        for entry in (
            current,
            current.get("timeEntry") or {},
            *found["/timeEntries?limit=100"][2].get("timeEntries", []),
        ):
            for moving in ("serverTime", "durationSeconds"):
                entry.pop(moving, None)
        status, _, log_in = request(
            server.port, "POST", "/v1/auth/token", None, {"email": "ana@example.com", "password": PASSWORD}
        )
        found["log-in"] = status
        token = (log_in or {}).get("token")
        for name, made in (("first", first), ("second", second)):
            found[name] = request(server.port, "GET", f"/v1/organizations/{made['organizationID']}", token)[0]
    finally:
        server.stop()
    return found


def use(folder, database, first):
    """A clock-out, a clock-in and a change with the entity tag that the source gave."""
    server = service.Service(BINARY, folder, database)
    server.start()
    organization = f"/v1/organizations/{first['organizationID']}"
    for verb in ("clockOut", "clockIn"):
        status, _, answer = request(server.port, "POST", f"{organization}/timeEntries/{verb}", first["token"], {})
        expect(status in (200, 201), verb, answer)
    status, tag, _ = request(server.port, "GET", organization, first["token"])
    status, _, answer = request(
        server.port, "PATCH", organization, first["token"], {"name": "Neue Küche"}, [("If-Match", tag)]
    )
    expect(status == 200, "a change after the copy", answer)
    server.stop()


def add_entries(path):
    """Many entries of the first organization's admin, each a minute after the one before."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    with database:
        database.executemany(
            "INSERT INTO time_entries VALUES (1, 1, ?, ?, ?, ?, ?, ?, 'UTC', 0, NULL, 'A note', 'api', 0, 1, ?)",
            (
                (
                    minute // 1440,
                    minute * 60_000,
                    10_000 + minute,
                    os.urandom(16),
                    minute * 60_000,
                    minute * 60_000 + 59_000,
                    minute * 60_000,
                )
                for minute in range(ENTRIES)
            ),
        )
    database.close()


def cut_short(source, target, signal_number, is_under_way):
    """Ends a copy in its middle, as a power cut or a person at the keyboard would."""
    # A shell that runs the tests in the background has them ignore SIGINT.
    process = subprocess.Popen(
        [BINARY, "copy", "--from", source, "--to", target],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while not is_under_way(process.pid) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    expect(process.poll() is None, "the copy was over before it could be cut short", process.poll())
    process.send_signal(signal_number)
    output, _ = process.communicate(timeout=30)
    expect(process.returncode == -signal_number and output == b"", "the cut", process.returncode)


def is_written(cluster, database):
    """Whether time entries are on their way into a PostgreSQL database."""
    if cluster.execute("SELECT to_regclass('time_entries')", database) == [""]:
        return False
    # On their way they are in a table of the copy's own, which nobody else can see yet.
    return cluster.execute(
        "SELECT 1 FROM pg_stat_progress_copy p WHERE datname = current_database() AND tuples_processed > 100 "
        "AND NOT EXISTS (SELECT FROM pg_class WHERE oid = p.relid)",
        database,
    ) == ["1"]


def has_read_much(process):
    """Whether a copy has read some of the time entries, and by far not all."""
    try:
        counters = pathlib.Path(f"/proc/{process}/io").read_text()
    except OSError:
        return False
    return int(counters.split()[1]) > 50 * ENTRIES


def await_true(what, condition):
    deadline = time.monotonic() + 60
    while not condition():
        expect(time.monotonic() < deadline, "waited in vain", what)
        time.sleep(0.02)


def server_started_meanwhile(folder, cluster, source, first):
    """A server that is started while its database is copied into waits, and then has everything."""
    target = cluster.make_database("meanwhile")
    process = subprocess.Popen([BINARY, "copy", "--from", source, "--to", target], stdout=subprocess.DEVNULL)
    server = service.Service(BINARY, folder, target)
    try:
        await_true("rows", lambda: is_written(cluster, "meanwhile"))
        process.send_signal(signal.SIGSTOP)
        server.process = subprocess.Popen(
            [BINARY, "serve", "--port", str(server.port), "--database", target], stderr=subprocess.DEVNULL
        )
        await_true(
            "a server that waits",
            lambda: (
                cluster.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory'", "meanwhile") == ["1"]
            ),
        )
        process.send_signal(signal.SIGCONT)
        expect(process.wait(timeout=60) == 0, "a copy with a server that waits")
        await_true("the server", lambda: run("check-health", "--port", str(server.port)).returncode == 0)
        path = f"/v1/organizations/{first['organizationID']}/timeEntries?limit=1"
        status, _, page = request(server.port, "GET", path, first["token"])
        expect(status == 200 and page["nextCursor"], "a server that has waited", page)
        server.stop()
    finally:
        for child in (process, server.process):
            if child and child.poll() is None:
                child.kill()


def main():
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster() as cluster:
        path, first, second = make_source(folder)
        source = f"sqlite:{path}"
        expected = answers(folder, source, first, second)
        expect((expected["log-in"], expected["first"], expected["second"]) == (200, 200, 404), "log-ins", expected)
        target = cluster.make_database("target")

        # There, the same answers, refused a second time, and back with the same checksum.
        there = copy(source, target)
        expect(answers(folder, target, first, second) == expected, "other answers on PostgreSQL")
        is_refused("has data already", "--from", source, "--to", target)
        is_refused("same database", "--from", target, "--to", target)
        is_refused(
            "same database", "--from", source, "--to", f"sqlite:{folder}/../{pathlib.Path(folder).name}/source.db"
        )
        is_refused("There is no database", "--from", f"sqlite:{folder}/none.db", "--to", target)
        is_refused(
            "no organization", "--from", source, "--to", f"sqlite:{folder}/never.db", "--organization", first["userId"]
        )
        # The log-in of `answers` is there by now.
        back = f"sqlite:{folder}/back.db"
        returned = copy(target, back)
        expect(returned["rows"]["tokens"] == there["rows"]["tokens"] + 1, "the log-in on PostgreSQL", returned)
        expect(copy(back, cluster.make_database("again")) == returned, "another checksum")
        expect(answers(folder, back, first, second) == expected, "other answers after the way back")
        use(folder, target, first)
        use(folder, back, first)

        # One organization, and nothing of the other; who had not accepted has not.
        only = cluster.make_database("one")
        copied = copy(source, only, "--organization", second["organizationID"])
        expect(
            copied["rows"]
            == dict.fromkeys(copied["rows"], 0)
            | {"organizations": 1, "users": 2, "members": 2, "changes": 3, "change_seals": 3},
            "one organization",
            copied,
        )
        found = answers(folder, only, first, second)
        expect((found["log-in"], found["first"], found["second"]) == (200, 404, 404), "log-ins of one", found)

        # Cut short, nothing is there; run again, everything is.
        add_entries(path)
        cut = cluster.make_database("cut")
        cut_file = pathlib.Path(folder, "cut.db")
        for number in (signal.SIGKILL, signal.SIGINT):
            cut_short(source, cut, number, lambda _: is_written(cluster, "cut"))
            cut_short(source, f"sqlite:{cut_file}", number, has_read_much)
            deadline = time.monotonic() + 30
            while (
                cluster.execute("SELECT 1 FROM pg_stat_activity WHERE datname = 'cut' AND pid <> pg_backend_pid()")
                and time.monotonic() < deadline
            ):
                time.sleep(0.05)
            expect(cluster.execute("SELECT count(*) FROM users", "cut") == ["0"], "a half copy on PostgreSQL")
            rows = sqlite3.connect(cut_file).execute("SELECT count(*) FROM users").fetchone()
            expect(rows == (0,), "a half copy in a file", rows)
        whole = copy(source, cut)
        expect(whole["rows"]["time_entries"] == ENTRIES + 1, "the copy after the cuts", whole)
        server_started_meanwhile(folder, cluster, source, first)
        expect(copy(source, f"sqlite:{cut_file}") == whole, "the copy after the cuts, in a file")
    print(
        "copy: there and back, one organization alone, cut short four times, beside a server that starts: all or nothing"
    )


main()
