#!/usr/bin/env python3
"""Goes back to a back-up that was taken under load, on both databases: every write that was acknowledged before the
back-up began is restored, the database is whole, and a server serves it. A copy of SQLite's file without its log is the
control: its losses have to be found."""

import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from kit import client, postgresql, service
from kit.expecting import expect
from kit.office import Office

BINARY = service.built_binary()
MEMBERS = 6
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 1.5


def run(*arguments, code=0, needed=""):
    result = subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=120)
    expect(result.returncode == code and needed in result.stderr, f"{arguments} without {needed!r}", result)
    return result.stdout


class Copy:
    """A program's copy of an organization as docs/changes.md says: resources by their ids, and its place."""

    def __init__(self, organization):
        self.organization = organization
        self.begin()

    def begin(self):
        self.rows = {}
        self.place = "after=0"
        self.last = 0

    def follow(self, port):
        """Takes new changes, or all if its place is unknown; returns whether it was."""
        office = Office(port, self.organization)
        was_unknown = False
        while True:
            answer = office.request("GET", f"/changes?limit=1000&{self.place}")
            if answer.status == 410:
                expect(answer.code == "position_unknown" and not was_unknown, "another 410", answer)
                was_unknown = True
                self.begin()
                continue
            expect(answer.status == 200, "the feed is not answered", answer)
            for change in answer.json["changes"]:
                # An active entry is longer each time.
                data = {name: value for name, value in (change["data"] or {}).items() if name != "durationSeconds"}
                self.rows[change["resourceId"]] = data
            if answer.json["nextAfter"] == self.last:
                office.close()
                return was_unknown
            self.last = answer.json["nextAfter"]
            self.place = f"after={self.last}&epoch={answer.json['epoch']}"


def follows(port, copy, organization):
    """A copy that saw more than was restored is notified, and equals a copy that begins; so is the client of a
    stream."""
    office = Office(port, organization)
    number, epoch = copy.place.removeprefix("after=").split("&epoch=")
    resumed = office.request("GET", "/events?seconds=0", fields=[("Last-Event-ID", f"{number}.{epoch}")])
    expect((resumed.status, resumed.code) == (410, "position_unknown"), "a stream goes on in another log", resumed)
    beyond = office.request("GET", "/changes?after=9007199254740991")
    expect((beyond.status, beyond.code) == (410, "position_unknown"), "a place behind the end is known", beyond)
    # More changes than the copy has seen: by its number alone it would not notice.
    while office.request("GET", f"/changes?after={number}").status == 410:
        office.ask("PATCH", "", {"name": f"Restored {time.monotonic_ns()}"}, fields=[("If-Match", "*")])
    office.close()
    expect(copy.follow(port), "a copy goes on in another log")
    other = Copy(organization)
    other.follow(port)
    expect(copy.rows == other.rows, "a copy that goes on differs from one that begins")


class Load:
    """Members who clock in and out all the time. Answers are noted when they come."""

    def __init__(self, clock, organization):
        self.base = f"/v1/organizations/{organization['organizationID']}"
        self.clock = clock
        self.acknowledged = []
        self.slowest = 0
        self.stopping = threading.Event()
        admin = client.Client(clock.port)
        self.threads = []
        for number in range(MEMBERS):
            member = admin.request(
                "POST",
                self.base + "/members",
                organization["token"],
                {"email": f"m{number}@example.com", "name": "M", "role": "member"},
            ).json
            token = admin.request(
                "POST", self.base + "/apiTokens", organization["token"], {"userId": member["userId"], "name": "drill"}
            ).json["token"]
            self.threads.append(threading.Thread(target=self.work, args=(token,)))
        admin.close()
        for thread in self.threads:
            thread.start()

    def work(self, token):
        connection = client.Client(self.clock.port)
        while not self.stopping.is_set():
            for operation in ("clockIn", "clockOut"):
                began = time.monotonic()
                answer = connection.request("POST", f"{self.base}/timeEntries/{operation}", token, {})
                self.slowest = max(self.slowest, time.monotonic() - began)
                if answer.status in (200, 201):
                    self.acknowledged.append((answer.json["id"], operation))
        connection.close()

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def wait_for_more(self):
        count = len(self.acknowledged)
        while len(self.acknowledged) < count + MEMBERS:
            time.sleep(0.01)


def missing(noted, entries):
    """The noted entries that are not among the rows (id, clock_out)."""
    ends = dict(entries)
    return [
        (one, operation)
        for one, operation in noted
        if one not in ends or (operation == "clockOut" and ends[one] is None)
    ]


def entries_of(path):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return [
            (f"{row[0][:8]}-{row[0][8:12]}-{row[0][12:16]}-{row[0][16:20]}-{row[0][20:]}", row[1])
            for row in database.execute("SELECT lower(hex(id)), clock_out FROM time_entries")
        ]
    finally:
        database.close()


def serves(place, database, organization, noted, copy=None):
    """A server serves the restored database: acknowledged entries are listed, work continues, and no copy misses
    anything."""
    place.mkdir(exist_ok=True)
    clock = service.Service(BINARY, place, database)
    clock.verify()
    clock.start()
    office = Office(clock.port, organization)
    entries = office.listed("/timeEntries?limit=1000", "timeEntries")
    listed = {entry["id"]: entry["clockOutTime"] for entry in entries}
    lost = missing(noted, listed.items())
    expect(not lost, "acknowledged before the back-up, and not in what was restored", lost[:3])
    office.ask("POST", "/timeEntries/clockIn", {}, 201)
    office.ask("POST", "/timeEntries/clockOut", {})
    office.close()
    if copy:
        follows(clock.port, copy, organization)
    clock.verify()
    clock.stop()


def on_sqlite(folder):
    clock = service.Service(BINARY, folder)
    organization = clock.create_organization()
    clock.start()
    load = Load(clock, organization)
    time.sleep(SECONDS)
    noted = list(load.acknowledged)
    shutil.copy(folder / "timeclock.db", folder / "naive.db")
    run("backup", "--database", clock.database, "--to", str(folder / "back-up.db"))
    load.wait_for_more()
    run("backup", "--database", clock.database, "--to", str(folder / "back-up.db"), code=1, needed="--replace")
    is_interrupted(clock, folder)
    run(
        "restore",
        "--from",
        str(folder / "back-up.db"),
        "--to",
        clock.database,
        "--replace",
        code=1,
        needed="Stop it first",
    )
    load.stop()
    copies = [Copy(organization) for _ in range(3)]
    for copy in copies:
        copy.follow(clock.port)
    clock.kill()

    expect(not missing(noted, entries_of(folder / "back-up.db")), "the back-up lacks what was acknowledged")
    try:
        lost = missing(noted, entries_of(folder / "naive.db"))
    except sqlite3.DatabaseError as error:
        lost = [error]
    expect(lost, "a copy without the log lacks nothing: this test cannot see a loss")

    # Elsewhere, and in its place; the former database stays, with its log.
    run("restore", "--from", str(folder / "back-up.db"), "--to", f"sqlite:{folder}/elsewhere.db")
    serves(folder / "elsewhere", f"sqlite:{folder}/elsewhere.db", organization, noted, copies[0])
    run("restore", "--from", str(folder / "back-up.db"), "--to", clock.database, code=1, needed="--replace")
    run("restore", "--from", str(folder / "back-up.db"), "--to", clock.database, "--replace")
    expect(not (folder / "timeclock.db-wal").exists(), "the former log is left")
    former = [path for path in folder.glob("timeclock.db.before-*") if not path.name.endswith("-wal")]
    expect(len(former) == 1, "no former database", former)
    expect(not missing(load.acknowledged, entries_of(former[0])), "the former database lacks what was acknowledged")
    serves(folder / "here", clock.database, organization, noted, copies[1])
    # By hand, as a file; and a file whose epoch only a command can renew.
    shutil.copy(folder / "back-up.db", folder / "by-hand.db")
    serves(folder / "by-hand", f"sqlite:{folder}/by-hand.db", organization, noted, copies[2])
    run("audit", "new-epoch", "--database", f"sqlite:{folder}/by-hand.db")
    serves(folder / "renewed", f"sqlite:{folder}/by-hand.db", organization, noted, copies[2])
    refuses(folder, clock.database)
    expect(not list(folder.glob("*.partial-*")), "half a file is left", list(folder.iterdir()))
    return load, len(noted)


def is_interrupted(clock, folder):
    """SIGINT leaves nothing behind, whenever it comes; or the file has its name already, and the command succeeds."""
    for awaited, pause in (("cut.db*", 0), ("cut.db*", 0.02), ("cut.db*", 0.1), ("cut.db", 0)):
        process = subprocess.Popen(
            [BINARY, "backup", "--database", clock.database, "--to", str(folder / "cut.db")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 20
        while not list(folder.glob(awaited)) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=20)
        left = [path.name for path in folder.glob("cut.db*")]
        # It may have been done before, or SIGINT may have come before anybody listened for it.
        expect(code == 0 or awaited != "cut.db", "the file has its name, and the command failed", code)
        if code == 0:
            expect(left == ["cut.db"], "half a file is left", left)
            os.unlink(folder / "cut.db")
        elif code == 130:
            expect(not left, "half a file is left", left)
        for path in folder.glob("cut.db*"):
            path.unlink()


def refuses(folder, database):
    """A file that is no whole back-up of this program is refused, and the database stays as it is."""
    before = (folder / "timeclock.db").read_bytes()
    whole = (folder / "back-up.db").read_bytes()
    bad = folder / "bad.db"

    def edited(*statements):
        shutil.copy(folder / "back-up.db", bad)
        connection = sqlite3.connect(bad)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    cases = [
        ("cut", lambda: bad.write_bytes(whole[: len(whole) // 2]), ""),
        ("empty", lambda: bad.write_bytes(b""), "empty"),
        ("no database", lambda: bad.write_bytes(b"hours\n" * 1_000), "is no SQLite database"),
        ("a damaged page", lambda: bad.write_bytes(whole[:40_960] + b"\xff" * 4_096 + whole[45_056:]), ""),
        ("another program's", lambda: edited("DROP TABLE schema_migrations"), "another program"),
        (
            "from before version 0.1",
            lambda: edited("UPDATE schema_migrations SET title = 'time_clock' WHERE number = 1"),
            "before version 0.1",
        ),
        ("newer", lambda: edited("INSERT INTO schema_migrations VALUES (9999, 'later', 0, 0)"), "newer program"),
        ("an edited row", lambda: edited("UPDATE time_entries SET notes = 'edited'"), "not whole"),
        (
            "an entry taken out",
            lambda: edited("DELETE FROM time_entries WHERE clock_in = (SELECT min(clock_in) FROM time_entries)"),
            "not whole",
        ),
        ("a broken reference", lambda: edited("PRAGMA foreign_keys = OFF", "DELETE FROM users"), "not whole"),
        (
            "a broken chain",
            lambda: edited(
                "DROP TRIGGER change_seals_stay", "UPDATE change_seals SET hash = zeroblob(32) WHERE sequence = 3"
            ),
            "not whole",
        ),
    ]
    for name, make, needed in cases:
        bad.unlink(missing_ok=True)
        make()
        result = subprocess.run(
            [BINARY, "restore", "--from", str(bad), "--to", database, "--replace"],
            capture_output=True,
            text=True,
            timeout=60,
        )
        code = 65 if name in ("no database", "another program's", "from before version 0.1") else 1
        expect(result.returncode == code and needed in result.stderr and result.stderr.count("\n") == 1, name, result)
        expect((folder / "timeclock.db").read_bytes() == before, f"{name}: the database has changed")


def on_postgresql(folder, cluster):
    clock = service.Service(BINARY, folder, cluster.make_database("clock"))
    run("backup", "--database", clock.database, "--to", str(folder / "b.db"), code=64, needed="pg_dump")
    organization = clock.create_organization()
    clock.start()
    load = Load(clock, organization)
    time.sleep(SECONDS)
    noted = list(load.acknowledged)
    environment = dict(os.environ, PGOPTIONS="-c timeclock.organization=everyone")
    dump = folder / "clock.dump"
    subprocess.run(
        [f"{cluster.programs}/pg_dump", "--enable-row-security", "--format=custom", f"--file={dump}", clock.database],
        check=True,
        env=environment,
    )
    load.wait_for_more()
    load.stop()
    copy = Copy(organization)
    copy.follow(clock.port)
    clock.kill()
    cluster.execute("CREATE DATABASE restored OWNER timeclock TEMPLATE template0 ENCODING 'UTF8'")
    subprocess.run(
        [
            f"{cluster.programs}/pg_restore",
            "--exit-on-error",
            "--no-owner",
            f"--dbname={cluster.location('restored')}",
            dump,
        ],
        check=True,
        env=environment,
    )
    rows = [line.split("|") for line in cluster.execute("SELECT id, clock_out FROM time_entries", "restored")]
    found = [(row[0], row[1] or None) for row in rows]
    expect(not missing(noted, found), "the dump lacks what was acknowledged")
    expect(missing(load.acknowledged, found), "the dump lacks nothing that came later: this test cannot see a loss")
    serves(folder / "restored", cluster.location("restored"), organization, noted, copy)
    run("audit", "new-epoch", "--database", cluster.location("restored"))
    serves(folder / "renewed", cluster.location("restored"), organization, noted, copy)
    # A server that is only started again is no other log.
    clock = service.Service(BINARY, folder / "restored", cluster.location("restored"))
    clock.start()
    expect(not copy.follow(clock.port), "a start renews the epoch")
    clock.stop()
    return load, len(noted)


def main():
    with (
        tempfile.TemporaryDirectory() as first,
        tempfile.TemporaryDirectory() as second,
        postgresql.Cluster() as cluster,
    ):
        sqlite, count = on_sqlite(pathlib.Path(first))
        postgres, others = on_postgresql(pathlib.Path(second), cluster)
    print(
        f"restore drill: {count} and {others} writes acknowledged before the back-up are there on SQLite and PostgreSQL; "
        f"nobody waited longer than {sqlite.slowest * 1000:.0f} and {postgres.slowest * 1000:.0f} ms"
    )


main()
