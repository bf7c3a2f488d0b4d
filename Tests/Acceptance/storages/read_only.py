#!/usr/bin/env python3
"""An instance with `--read-only` reads all that the others do, and writes nothing.

A standby follows PostgreSQL, with an instance that only reads. Every GET of openapi.yaml, in all its forms, is answered there
as by the instance that writes, and every other operation with 503 `read_only_instance`, before its body is looked at. A
stream gets what is written elsewhere, and a revoked token is refused once the standby knows. The instance is ready, though
nothing is written for long, until the standby has been cut off for half a minute, and again afterwards. The same on the
primary itself, as a role that may only read. An SQLite file is not served so.
"""

import contextlib
import pathlib
import subprocess
import tempfile
import time

from kit import python_packages

python_packages.enter()

from kit import client, contract, every_read, office, one_of_each, postgresql, service
from kit.expecting import expect, expect_equal

CONTRACT = contract.Contract()
OPTIONS = ["--read-only"]
# Members that another server or a later moment answers otherwise.
OF_THE_MOMENT = {"asOf", "serverTime", "exportedAt", "secondsToday", "durationSeconds", "lastUsedAt", "requestId"}
# Answers of the server itself, or made of the moment.
OF_THE_SERVER = {"getReadiness", "getCalendar", "exportPersonalData"}
PATIENCE = 60


def lasting(value):
    """An answer without the members that depend on the moment."""
    if isinstance(value, list):
        return [lasting(one) for one in value]
    if isinstance(value, dict):
        return {name: lasting(one) for name, one in value.items() if name not in OF_THE_MOMENT}
    return value


def wait_until(what, is_so):
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        expect(time.monotonic() < deadline, f"not within {PATIENCE} s: {what}")
        time.sleep(0.1)


def wait_for(standby, cluster):
    """Until the standby has all that was written."""
    position = cluster.execute("SELECT pg_current_wal_lsn()")[0]
    wait_until(
        "the standby follows", lambda: standby.execute(f"SELECT pg_last_wal_replay_lsn() >= '{position}'") == ["t"]
    )


def is_ready(instance):
    with contextlib.closing(client.Client(instance.port)) as asking:
        return asking.request("GET", "/health/ready").status == 200


def reads_the_same(writing, reading, known, token):
    """How many answers are the same."""
    reads = every_read.EveryRead(CONTRACT, known)
    count, succeeded = 0, set()
    with (
        contextlib.closing(client.Client(writing.port)) as first,
        contextlib.closing(client.Client(reading.port)) as second,
    ):
        for operation in reads.operations():
            for path in reads.paths(operation):
                answers = [one.request("GET", path, token) for one in (first, second)]
                expect_equal(*[(one.status, one.code) for one in answers], f"{operation.id}: {path}")
                succeeded |= {operation.id} if answers[0].status == 200 else set()
                kind = answers[0].fields.get("content-type", "")
                if operation.id not in OF_THE_SERVER and kind == "application/json":
                    expect_equal(*[lasting(one.json) for one in answers], f"{operation.id}: {path}")
                count += 1
    wanted = {one.id for one in reads.operations()}
    # Timers are for log-ins, and nobody who reads has one.
    expect(len(succeeded) > 0.7 * len(wanted), "few reads succeed", sorted(wanted - succeeded))
    return count


def writes_nothing(reading, known, token):
    """How many operations are refused."""
    refused = [one for one in CONTRACT.operations.values() if one.method != "GET"]
    with contextlib.closing(client.Client(reading.port)) as asking:
        for operation in refused:
            path = operation.path
            for name in operation.parameters:
                path = path.replace("{" + name + "}", known.get(name, known["userId"]))
            for body in ({}, None):
                answer = asking.request(operation.method, path, token, body, [("If-Match", "*")])
                expect_equal((answer.status, answer.code), (503, "read_only_instance"), f"{operation.id}: {answer}")
                expect("read_only_instance" in operation.codes.get(503, ()), f"{operation.id} does not document it")
    return len(refused)


def hears_of_changes(reading, writing, token):
    """A stream of the instance that reads has a change that another one makes."""
    with contextlib.closing(client.Client(reading.port, timeout=PATIENCE)) as listening:
        listening.connect()
        listening.socket.sendall(client.written("GET", f"{writing.base}/events", token))
        text = b""
        while b"event: snapshot" not in text:
            text += listening.socket.recv(65_536)
        writing.ask("POST", "/projects", {"name": "Heard of"}, 201)
        while b"Heard of" not in text:
            part = listening.socket.recv(65_536)
            expect(part, "the stream ended without the change", text)
            text += part


def loses_access(reading, writing, standby, cluster):
    """A token that is revoked elsewhere is refused once the standby knows."""
    made = writing.ask("POST", "/apiTokens", {"name": "Terminal", "userId": writing.member}, 201)
    wait_for(standby, cluster)
    with contextlib.closing(client.Client(reading.port)) as asking:
        path = f"{writing.base}/timeEntries"
        expect_equal(asking.request("GET", path, made["token"]).status, 200, "a new token")
        writing.ask("DELETE", f"/apiTokens/{made['id']}", status=204)
        wait_for(standby, cluster)
        expect_equal(asking.request("GET", path, made["token"]).code, "invalid_token", "a revoked token")


def is_for_postgresql(folder):
    ended = subprocess.run(
        [service.built_binary(), "serve", "--database", f"sqlite:{folder}/timeclock.db", *OPTIONS],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    expect(ended.returncode == 64 and "is for PostgreSQL" in ended.stderr, "an SQLite file", ended)
    expect(not pathlib.Path(folder, "timeclock.db").exists(), "an SQLite file was made")


def instance(folder, name, location, options):
    place = pathlib.Path(folder, name)
    place.mkdir()
    return service.Service(service.built_binary(), place, location, options)


def as_reader(cluster):
    """A location of the database on the primary, as a role that may only read."""
    cluster.execute("CREATE ROLE onlooker LOGIN")
    cluster.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO onlooker", "clock")
    return cluster.location("clock").replace("user=timeclock", "user=onlooker")


def main():
    settings = ["fsync=off", "autovacuum=off"]
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster(settings) as cluster:
        is_for_postgresql(folder)
        clock = instance(folder, "writing", cluster.make_database("clock"), [])
        created = clock.create_organization(zone="UTC")
        clock.start()
        writing = office.Office(clock.port, created)
        writing.member = writing.add_member("mia@example.com", "Mia")
        token = writing.token_of(writing.member)
        known = one_of_each.made(writing, writing.member, token, "https://hooks.example/changes")
        writing.ask("POST", "/timeEntries/clockOut", {"userId": writing.member})
        with cluster.standby() as standby:
            reading = instance(folder, "reading", standby.location("clock"), OPTIONS)
            by_role = instance(folder, "by_role", as_reader(cluster), OPTIONS)
            for one in (reading, by_role):
                one.start()
            wait_for(standby, cluster)
            count = reads_the_same(clock, reading, known, writing.token)
            count += reads_the_same(clock, by_role, known, writing.token)
            refused = writes_nothing(reading, known, writing.token)
            before = cluster.execute("SELECT pg_current_wal_lsn()")
            writes_nothing(by_role, known, writing.token)
            expect_equal(
                cluster.execute("SELECT pg_current_wal_lsn()"), before, "what was written as a role that reads"
            )
            hears_of_changes(reading, writing, writing.token)
            loses_access(reading, writing, standby, cluster)
            for one in (clock, reading, by_role):
                expect(is_ready(one), f"{one.folder} is not ready")
            cluster.stop()
            wait_until("a standby that was cut off is not ready", lambda: not is_ready(reading))
            with contextlib.closing(client.Client(reading.port)) as asking:
                answer = asking.request("GET", f"{writing.base}/members", writing.token)
                expect_equal(answer.status, 200, "reading goes on")
            cluster.start()
            wait_until("ready again", lambda: is_ready(reading) and is_ready(clock))
            for one in (reading, by_role):
                one.stop()
        writing.close()
        clock.verify()
        clock.stop()
    print(f"read only: {count} answers are the same, and {refused} operations are refused, on a standby and by role")


main()
