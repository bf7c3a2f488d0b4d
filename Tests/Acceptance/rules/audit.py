#!/usr/bin/env python3
"""`timeclock audit verify` finds an edited, a missing and a cut-off change, and rows that are not as the log says; on both
databases, beside a running server. So does `timeclock verify`, and that rules are broken."""

import pathlib
import sqlite3
import subprocess
import sys
import tempfile

from kit import postgresql, service
from kit.expecting import expect
from kit.office import Office

BINARY = service.built_binary()


def verify(clock, *arguments, command=("audit", "verify")):
    result = subprocess.run(
        [BINARY, *command, "--database", clock.database, *arguments], capture_output=True, text=True, timeout=60
    )
    return result.returncode, result.stdout + result.stderr


def make_changes(clock):
    office = Office(clock.port, clock.create_organization())
    clock.start()
    for _ in range(3):
        office.ask("POST", "/timeEntries/clockIn", status=201)
        office.ask("POST", "/timeEntries/clockOut")
    office.close()
    clock.stop()


def check(name, clock, execute, unprotect, protect):
    """`execute` runs SQL with the database's own rights."""
    make_changes(clock)
    code, output = verify(clock)
    expect(code == 0 and " changes=8 " in output and " faults=0 " in output, f"{name}: an intact log: {output}")
    head = output.split("head=")[1].split()[0]
    expect(verify(clock, "--expecting", head)[0] == 0, f"{name}: its own head is not there")

    for statement in (
        "UPDATE changes SET reason = 'x'",
        "DELETE FROM changes",
        "DELETE FROM change_seals",
        "UPDATE change_seals SET sequence = sequence + 100",
    ):
        try:
            execute(statement)
        except Exception:
            # Each database has an error of its own.
            continue
        sys.exit(f"{name}: {statement} passes")

    execute(*unprotect)
    number = "(SELECT change_number FROM change_seals WHERE sequence = 4)"
    edits = [
        (
            f"UPDATE changes SET after = replace(after, 'clocked', 'x') || ' ' WHERE change_number = {number}",
            f"UPDATE changes SET after = rtrim(after) WHERE change_number = {number}",
            "change 4: its content",
        ),
        (
            f"UPDATE changes SET time = time + 1 WHERE change_number = {number}",
            f"UPDATE changes SET time = time - 1 WHERE change_number = {number}",
            "change 4: the record",
        ),
        (
            "UPDATE change_seals SET sequence = 100 WHERE sequence = 4",
            "UPDATE change_seals SET sequence = 4 WHERE sequence = 100",
            "change 4 is missing",
        ),
    ]
    for edit, undo, finding in edits:
        execute(edit)
        code, output = verify(clock)
        expect(code == 1 and finding in output, f"{name}: {edit} is not found: {output}")
        execute(undo)
        code, output = verify(clock)
        expect(code == 0, f"{name}: after {undo}: {output}")

    check_rows(name, clock, execute)

    execute("DELETE FROM change_seals WHERE sequence = 8")
    code, output = verify(clock)
    expect(code == 1 and "1 changes have lost their seals" in output, f"{name}: a lost seal: {output}")
    execute("DELETE FROM changes WHERE change_number NOT IN (SELECT change_number FROM change_seals)")
    execute(
        "UPDATE time_entries SET clock_out = NULL, version = 1, updated_at = clock_in, flags = 0 "
        "WHERE clock_in = (SELECT max(clock_in) FROM time_entries)"
    )
    code, output = verify(clock)
    expect(code == 0, f"{name}: what remains is a chain, and the row as it says: {output}")
    code, output = verify(clock, "--expecting", head)
    expect(code == 1 and head in output, f"{name}: the cut end is not found: {output}")
    execute(*protect)


def check_rows(name, clock, execute):
    """Rows that somebody has edited, beside a running server, one at a time; the chain is whole all the while."""
    clock.start()
    first = "(SELECT min(clock_in) FROM time_entries)"
    entry = "INSERT INTO time_entries SELECT * FROM kept"
    edits = [
        (
            f"UPDATE time_entries SET clock_out = clock_out + 1 WHERE clock_in = {first}",
            [f"UPDATE time_entries SET clock_out = clock_out - 1 WHERE clock_in = {first}"],
            ["timeEntry", "the row is not what the log's last change has left"],
        ),
        (f"DELETE FROM time_entries WHERE clock_in = {first}", [entry], ["timeEntry", "there is no row"]),
        ("UPDATE members SET name = 'Nobody'", ["UPDATE members SET name = 'Admin'"], ["member", "is not what"]),
        ("UPDATE members SET role = 'manager'", ["UPDATE members SET role = 'admin'"], ["member", "is not what"]),
        ("UPDATE members SET active = (1 = 0)", ["UPDATE members SET active = (1 = 1)"], ["member", "is not what"]),
        (
            "UPDATE members SET email = 'other@example.com'",
            ["UPDATE members SET email = 'admin@example.com'"],
            ["member", "is not what"],
        ),
        (
            "UPDATE organizations SET maximum_seconds = maximum_seconds + 1",
            ["UPDATE organizations SET maximum_seconds = maximum_seconds - 1"],
            ["organization", "is not what"],
        ),
    ]
    execute(f"CREATE TABLE kept AS SELECT * FROM time_entries WHERE clock_in = {first}")
    for edit, undo, findings in edits:
        execute(edit)
        for command in (("audit", "verify"), ("verify",)):
            code, output = verify(clock, command=command)
            expect(
                code == 1 and any(all(finding in line for finding in findings) for line in output.splitlines()),
                f"{name}: {edit} is not found by {command}: {output}",
            )
        execute(*undo)
        code, output = verify(clock, command=("verify",))
        expect(code == 0 and " rows=" in output, f"{name}: after {undo}: {output}")

    # An entry that was never clocked in.
    day = 86_400_000
    execute(
        f"UPDATE kept SET clock_in = clock_in - {day}, clock_out = clock_out - {day}, date = date - 1, "
        "entry_number = entry_number + 1000000",
        "UPDATE kept SET id = (SELECT id FROM organizations)",
        entry,
    )
    code, output = verify(clock)
    expect(code == 1 and "the log knows nothing of it" in output, f"{name}: an entry put in: {output}")
    code, output = verify(clock, command=("verify",))
    # SQLite's writer has never given out such a number.
    expect(code == 1 and ("given out again" in output) == (name == "SQLite"), f"{name}: an entry put in: {output}")
    execute(f"DELETE FROM time_entries WHERE clock_in < {first} + 1 AND entry_number > 1000000")

    # An act is to be hidden: one entry's changes lose their content.
    execute("CREATE TABLE content AS SELECT change_number, before, after, salt FROM changes")
    execute(
        "UPDATE changes SET before = NULL, after = NULL, reason = NULL, salt = NULL "
        "WHERE change_number = (SELECT max(change_number) FROM changes)"
    )
    code, output = verify(clock)
    expect(code == 1 and "nobody they were about has been anonymized" in output, f"{name}: an erasure: {output}")
    execute(
        "UPDATE changes SET "
        + ", ".join(
            f"{column} = (SELECT c.{column} FROM content c WHERE c.change_number = changes.change_number)"
            for column in ("before", "after", "salt")
        )
    )
    code, output = verify(clock, command=("verify",))
    expect(code == 0 and output.startswith("database faults=0\n"), f"{name}: all undone: {output}")
    execute("DROP TABLE kept", "DROP TABLE content")
    clock.stop()


def main():
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder)

        def on_sqlite(*statements):
            with sqlite3.connect(pathlib.Path(folder, "timeclock.db")) as connection:
                for statement in statements:
                    connection.execute(statement)
            connection.close()

        triggers = ["changes_are_kept", "changes_stay", "change_seals_are_kept", "change_seals_stay"]
        check("SQLite", clock, on_sqlite, [f"DROP TRIGGER {trigger}" for trigger in triggers], [])
    with postgresql.Cluster(settings=["fsync=off"]) as cluster, tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder, cluster.make_database("audit"))

        def on_postgresql(*statements):
            cluster.execute("; ".join(statements), "audit")

        tables = ("changes", "change_seals")
        check(
            "PostgreSQL",
            clock,
            on_postgresql,
            [f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in tables],
            [f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in tables],
        )
    print(
        "audit: an edited, a missing and a cut-off change are found, and nine kinds of edited rows, on both databases"
    )


main()
