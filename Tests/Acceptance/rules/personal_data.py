#!/usr/bin/env python3
"""Somebody is exported, forgotten, and not to be found any more, while the log of changes stays a whole chain: on both
databases, and on SQLite in the bytes of the file too."""

import pathlib
import subprocess
import tempfile

from kit import postgresql, service
from kit.expecting import expect
from kit.office import Office

BINARY = service.built_binary()
# Data that identifies the person: the name, the address, a token's name, notes, reasons.
WORD = "tattletale"
DAYS = 60
TABLES = ["users", "members", "tokens", "time_entries", "changes"]


class OfficeWithSomebody(Office):
    def add_person(self):
        user = self.add_member(f"{WORD}@example.com", f"The {WORD}", password=f"{WORD} password")
        self.token_of(user, f"{WORD}'s phone")
        made = self.ask(
            "POST",
            "/timeEntries/bulk",
            {
                "mode": "atomic",
                "timeEntries": [
                    {
                        "userId": user,
                        "clockInTime": f"2026-0{1 + day // 28}-{1 + day % 28:02}T08:00:00Z",
                        "clockOutTime": f"2026-0{1 + day // 28}-{1 + day % 28:02}T16:00:00Z",
                        "notes": f"{WORD} {day} " * 20,
                    }
                    for day in range(DAYS)
                ],
            },
        )
        entries = [result["timeEntry"]["id"] for result in made["results"]]
        for entry in entries[::4]:
            self.ask(
                "PATCH",
                f"/timeEntries/{entry}",
                {"notes": f"{WORD} again", "reason": f"{WORD} asked"},
                fields=[("If-Match", "*")],
            )
        self.ask("DELETE", f"/timeEntries/{entries[1]}?reason={WORD}", status=204, fields=[("If-Match", "*")])
        return user

    def hours(self, user):
        entries = self.ask("GET", f"/timeEntries?userId={user}&limit=1000")["timeEntries"]
        return [
            [entry[name] for name in ("id", "date", "clockInTime", "clockOutTime", "durationSeconds", "flags")]
            for entry in entries
        ]


def check(name, clock, texts):
    """`texts` answers all texts that the database holds."""
    organization = clock.create_organization()
    clock.start()
    office = OfficeWithSomebody(clock.port, organization)
    user = office.add_person()
    export = office.ask("GET", f"/members/{user}/personalData")
    expect(len(export["timeEntries"]) == DAYS - 1, f"{name}: {len(export['timeEntries'])} entries are exported")
    expect(len(export["changes"]) == 2 + DAYS + DAYS // 4 + 1, f"{name}: {len(export['changes'])} changes are exported")
    hours = office.hours(user)
    expect(WORD in texts(), f"{name}: nothing is told of the person at all")

    office.ask("DELETE", f"/members/{user}", status=204, fields=[("If-Match", "*")])
    office.ask("POST", f"/members/{user}/anonymize")
    expect(office.hours(user) == hours, f"{name}: the hours are others")
    for path in (
        "/members",
        "/apiTokens",
        "/invitations",
        "/timeEntries",
        "/changes",
        "/auditLog",
        f"/members/{user}/personalData",
    ):
        limit = "" if path.endswith("personalData") else "?limit=1000"
        answer = office.request("GET", path + limit)
        expect(answer.status == 200 and WORD.encode() not in answer.body, f"{name}: {path} still tells")
    expect(WORD not in texts(), f"{name}: the database still tells")
    office.close()
    clock.verify()
    clock.stop()

    result = subprocess.run(
        [BINARY, "audit", "verify", "--database", clock.database], capture_output=True, text=True, timeout=60
    )
    changes = 2 + 2 + DAYS + DAYS // 4 + 1 + 2 + 1
    expect(
        result.returncode == 0
        and f" changes={changes} erased={changes - 3} " in result.stdout
        and " faults=0 " in result.stdout,
        f"{name}: {result.stdout}",
    )


def main():
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder)
        file = pathlib.Path(folder, "timeclock.db")

        def in_sqlite():
            select = "; ".join(f"SELECT * FROM {table}" for table in TABLES)
            command = [
                "python3",
                "-c",
                "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1])\n"
                "for text in sys.argv[2].split('; '): print(connection.execute(text).fetchall())",
            ]
            return subprocess.run([*command, file, select], check=True, capture_output=True, text=True).stdout

        check("SQLite", clock, in_sqlite)
        expect(WORD.encode() not in file.read_bytes(), "the SQLite file still tells, in free space")
        wal = file.with_name("timeclock.db-wal")
        expect(not wal.exists() or WORD.encode() not in wal.read_bytes(), "the write-ahead log still tells")
    with postgresql.Cluster(settings=["fsync=off"]) as cluster, tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder, cluster.make_database("forgotten"))

        def in_postgresql():
            return str([cluster.execute(f"SELECT * FROM {table}", "forgotten") for table in TABLES])

        check("PostgreSQL", clock, in_postgresql)
    print("personal data: exported, forgotten and not to be found, in a whole chain of changes, on both databases")


main()
