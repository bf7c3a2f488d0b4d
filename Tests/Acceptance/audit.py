#!/usr/bin/env python3
"""`timeclock audit verify` finds an edited, a missing and a cut-off change, on both databases."""

import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import postgresql  # noqa: E402
import service  # noqa: E402

BINARY = service.built_binary()


def verify(clock, *arguments):
    result = subprocess.run(
        [BINARY, "audit", "verify", "--database", clock.database, *arguments], capture_output=True, text=True,
        timeout=60)
    return result.returncode, result.stdout


def expect(condition, what):
    if not condition:
        sys.exit(what)


def make_changes(clock):
    organization = clock.create_organization()
    clock.start()
    for operation in ["clockIn", "clockOut"] * 3:
        path = f"/v1/organizations/{organization['organizationID']}/timeEntries/{operation}"
        urllib.request.urlopen(urllib.request.Request(
            f"http://127.0.0.1:{clock.port}{path}", method="POST",
            headers={"Authorization": f"Bearer {organization['token']}"}), timeout=10)
    clock.stop()


def check(name, clock, execute, unprotect, protect):
    """`execute` runs SQL as somebody would who has the database's own rights."""
    make_changes(clock)
    code, output = verify(clock)
    expect(code == 0 and " changes=8 " in output and " faults=0 " in output, f"{name}: an intact log: {output}")
    head = output.split("head=")[1].split()[0]
    expect(verify(clock, "--expecting", head)[0] == 0, f"{name}: its own head is not there")

    for statement in ("UPDATE changes SET reason = 'x'", "DELETE FROM changes", "DELETE FROM change_seals",
                      "UPDATE change_seals SET sequence = sequence + 100"):
        try:
            execute(statement)
        except Exception:  # noqa: BLE001 each database has an error of its own
            continue
        sys.exit(f"{name}: {statement} passes")

    execute(*unprotect)
    number = "(SELECT change_number FROM change_seals WHERE sequence = 4)"
    edits = [
        (f"UPDATE changes SET after = replace(after, 'clocked', 'x') || ' ' WHERE change_number = {number}",
         f"UPDATE changes SET after = rtrim(after) WHERE change_number = {number}", "change 4: what was changed"),
        (f"UPDATE changes SET time = time + 1 WHERE change_number = {number}",
         f"UPDATE changes SET time = time - 1 WHERE change_number = {number}", "change 4: the record"),
        ("UPDATE change_seals SET sequence = 100 WHERE sequence = 4",
         "UPDATE change_seals SET sequence = 4 WHERE sequence = 100", "change 4 is missing"),
    ]
    for edit, undo, finding in edits:
        execute(edit)
        code, output = verify(clock)
        expect(code == 1 and finding in output, f"{name}: {edit} is not found: {output}")
        execute(undo)
        code, output = verify(clock)
        expect(code == 0, f"{name}: after {undo}: {output}")

    execute("DELETE FROM change_seals WHERE sequence = 8")
    code, output = verify(clock)
    expect(code == 1 and "1 changes have lost their seals" in output, f"{name}: a lost seal: {output}")
    execute("DELETE FROM changes WHERE change_number NOT IN (SELECT change_number FROM change_seals)")
    expect(verify(clock)[0] == 0, f"{name}: what remains is a chain")
    code, output = verify(clock, "--expecting", head)
    expect(code == 1 and head in output, f"{name}: the cut end is not found: {output}")
    execute(*protect)


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
        check("PostgreSQL", clock, on_postgresql, [f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in tables],
              [f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in tables])
    print("audit: an edited, a missing and a cut-off change are found, on both databases")


main()
