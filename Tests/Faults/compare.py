#!/usr/bin/env python3
"""Compares a ledger with a database: the answers to clients match the stored data.

Every mark of a ledger is found in the log of changes, which is written in the transaction of the change itself. So each
operation that was acknowledged is there exactly once and as it was answered, each that was refused is not there, and
each of unknown outcome is there once at most. Beside that the rows agree with the log, no two entries of a member
overlap, nobody has two active ones, and `timeclock audit verify` finds the chain whole.

`compare.py --self-check` plants one fault of each kind in a database, and each has to be found.
"""

import collections
import contextlib
import dataclasses
import datetime
import itertools
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import uuid

import harness
import ledger as ledgers
from kit import service

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
KINDS = {
    "clockIn": "created",
    "createTimeEntry": "created",
    "clockOut": "updated",
    "updateTimeEntry": "updated",
    "deleteTimeEntry": "deleted",
}


@dataclasses.dataclass(frozen=True)
class Entry:
    """A row; instants are milliseconds since 1970."""

    id: str
    user: str
    clock_in: int
    clock_out: int | None
    notes: str | None
    version: int


@dataclasses.dataclass(frozen=True)
class Change:
    """A change of a time entry, as it is logged."""

    kind: str
    entry: str
    before: dict | None
    after: dict | None
    reason: str | None

    @property
    def mark(self):
        """The mark of the request that made it; None if it brought none into the database."""
        if self.kind == "deleted":
            return self.reason
        notes = self.after.get("notes")
        return notes if notes != (self.before or {}).get("notes") else None

    @property
    def version(self):
        """The entry's, after the change; a deletion counts as one more."""
        return self.after["version"] if self.after else self.before["version"] + 1


@dataclasses.dataclass
class Contents:
    entries: list
    changes: list


class SQLiteDatabase:
    """A file that a server may have open. It is never written: a copy is compared."""

    QUERIES = (
        "SELECT e.id, u.id, clock_in, clock_out, notes, version FROM time_entries e JOIN users u USING (user_id)",
        "SELECT kind, resource_id, before, after, reason FROM changes WHERE resource = 'timeEntry'",
    )

    def __init__(self, path):
        self.path = pathlib.Path(path)

    @contextlib.contextmanager
    def copied(self):
        """A copy of the committed data, in a folder that goes away."""
        with tempfile.TemporaryDirectory(prefix="timeclock-compare-") as folder:
            copy = pathlib.Path(folder) / "copy.db"
            with (
                contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as source,
                contextlib.closing(sqlite3.connect(copy)) as target,
            ):
                source.backup(target)
            yield copy

    def faults(self, operations, audit=True):
        with self.copied() as copy:
            with contextlib.closing(sqlite3.connect(copy)) as connection:
                try:
                    integrity = [row[0] for row in connection.execute("PRAGMA integrity_check")]
                    found = [] if integrity == ["ok"] else [f"integrity_check: {integrity[:3]}"]
                    found += differences(operations, self._contents(connection))
                except sqlite3.DatabaseError as error:
                    return [f"what was acknowledged is lost, the file cannot be read: {error}"]
            return found + (audit_faults(f"sqlite:{copy}") if audit else [])

    def _contents(self, connection):
        entries, changes = (list(connection.execute(query)) for query in self.QUERIES)
        return Contents(
            [Entry(_identifier(row[0]), _identifier(row[1]), *row[2:]) for row in entries],
            [Change(row[0], _identifier(row[1]), _json(row[2]), _json(row[3]), row[4]) for row in changes],
        )


class PostgreSQLDatabase:
    """A database of a postgresql.Cluster."""

    QUERIES = (
        "SELECT json_build_array(e.id, u.id, clock_in, clock_out, notes, version) "
        "FROM time_entries e JOIN users u USING (user_id)",
        "SELECT json_build_array(kind, resource_id, before, after, reason) FROM changes WHERE resource = 'timeEntry'",
    )

    def __init__(self, cluster, name):
        self.cluster = cluster
        self.name = name

    def faults(self, operations, audit=True):
        entries, changes = (
            [json.loads(line) for line in self.cluster.execute(query, self.name)] for query in self.QUERIES
        )
        contents = Contents(
            [Entry(*row) for row in entries],
            [Change(row[0], row[1], _json(row[2]), _json(row[3]), row[4]) for row in changes],
        )
        return differences(operations, contents) + (audit_faults(self.cluster.location(self.name)) if audit else [])


def differences(operations, contents):
    """The deviations from the operations of a ledger, one sentence each."""
    return [*_effect_faults(operations, contents.changes), *_row_faults(contents), *_span_faults(contents.entries)]


def audit_faults(location):
    """The findings of `timeclock audit verify`."""
    run = subprocess.run([harness.binary(), "audit", "verify", "--database", location], capture_output=True, text=True)
    return [] if run.returncode == 0 else [f"audit verify ended with {run.returncode}: {run.stdout}{run.stderr}"[:600]]


def _effect_faults(operations, changes):
    effects = collections.defaultdict(list)
    for change in changes:
        if change.mark is not None:
            effects[change.mark].append(change)
    known = set()
    for operation in operations:
        if operation.operation not in KINDS:
            continue
        known.add(operation.mark)
        found = effects.get(operation.mark, [])
        what = f"{operation.operation} {operation.mark}, {operation.outcome}"
        if len(found) > 1:
            yield f"{what}: done {len(found)} times"
        if operation.outcome == ledgers.OK:
            yield from (f"{what}: {fault}" for fault in _acknowledged_faults(operation, found))
        if operation.outcome == ledgers.REFUSED and found:
            yield f"{what}: done all the same"
        if any(change.kind != KINDS[operation.operation] for change in found):
            yield f"{what}: is logged as {[change.kind for change in found]}"
    for mark in effects.keys() - known:
        yield f"{mark}: nobody asked for it"


def _acknowledged_faults(operation, found):
    if not found:
        yield "lost"
    answers = [attempt.answer for attempt in operation.attempts if attempt.outcome == ledgers.OK]
    if any(answer != answers[0] for answer in answers):
        yield f"answered in different ways: {answers}"
    change, answer = found[0] if found else None, answers[0]
    if change is None:
        return
    if operation.entry and change.entry != operation.entry:
        yield f"done to {change.entry}, not to {operation.entry}"
    if answer is not None and operation.operation != "deleteTimeEntry":
        kept = {
            "id": change.entry,
            "userId": change.after["userId"],
            "clockInTime": change.after["clockInTime"],
            "clockOutTime": change.after.get("clockOutTime"),
            "notes": change.after.get("notes"),
        }
        told = {
            **answer,
            "clockInTime": milliseconds(answer["clockInTime"]),
            "clockOutTime": milliseconds(answer["clockOutTime"]),
        }
        if kept != told:
            yield f"answered {told}, kept {kept}"


def _row_faults(contents):
    """The rows are the result of the changes."""
    histories = collections.defaultdict(list)
    for change in contents.changes:
        histories[change.entry].append(change)
    rows = {entry.id: entry for entry in contents.entries}
    if len(rows) != len(contents.entries):
        yield "two rows have one id"
    for entry in rows.keys() - histories.keys():
        yield f"entry {entry} is in no change"
    for entry, history in histories.items():
        history.sort(key=lambda change: change.version)
        if [change.version for change in history] != list(range(1, len(history) + 1)):
            yield f"the changes of entry {entry} have versions {[change.version for change in history]}"
        last, row = history[-1].after, rows.get(entry)
        if last is None and row is not None:
            yield f"entry {entry} was deleted and is there"
        elif last is not None and row is None:
            yield f"entry {entry} is missing"
        elif last is not None and row != Entry(
            entry, last["userId"], last["clockInTime"], last.get("clockOutTime"), last.get("notes"), last["version"]
        ):
            yield f"entry {entry} is {row}, and was changed to {last}"


def _span_faults(entries):
    members = collections.defaultdict(list)
    for entry in entries:
        members[entry.user].append(entry)
    for user, theirs in members.items():
        active = [entry.id for entry in theirs if entry.clock_out is None]
        if len(active) > 1:
            yield f"member {user} has {len(active)} active entries"
        theirs.sort(key=lambda entry: entry.clock_in)
        for first, second in itertools.pairwise(theirs):
            if first.clock_out is None or first.clock_out > second.clock_in:
                yield f"entries {first.id} and {second.id} of member {user} overlap"


def milliseconds(text):
    """An answer's time as the database has it."""
    return text and (datetime.datetime.fromisoformat(text) - EPOCH) // datetime.timedelta(milliseconds=1)


def _identifier(data):
    return str(uuid.UUID(bytes=data))


def _json(text):
    return None if text is None else json.loads(text)


# The control: faults planted with direct access to the file, and the message that finds each.
PLANTED = {
    "an acknowledged row is lost": (
        "DELETE FROM time_entries WHERE id = (SELECT max(id) FROM time_entries)",
        "is missing",
    ),
    "an acknowledged change is lost": (
        "DELETE FROM changes WHERE change_number = (SELECT max(change_number) FROM changes)",
        "lost",
    ),
    "a request is done twice": (
        "INSERT INTO changes SELECT change_number + 1, organization_id, time, author_means, author_id, author_token_id,"
        " request_id, operation, kind, resource, resource_id, before, after, reason, salt FROM changes"
        " WHERE change_number = (SELECT max(change_number) FROM changes)",
        "done 2 times",
    ),
    "entries overlap": (
        "UPDATE time_entries SET clock_out = clock_out + 864000000 WHERE clock_in = "
        "(SELECT min(clock_in) FROM time_entries WHERE clock_out IS NOT NULL)",
        "overlap",
    ),
    "a member is clocked in twice": ("UPDATE time_entries SET clock_out = NULL", "active entries"),
    "hours are changed": (
        "UPDATE time_entries SET clock_in = clock_in - 1 WHERE id = (SELECT max(id) FROM time_entries)",
        "and was changed to",
    ),
    "an author is changed": (
        "UPDATE changes SET author_id = x'00112233445566778899aabbccddeeff' WHERE resource = 'timeEntry'",
        "audit verify",
    ),
    "what was answered is not what is kept": (
        "UPDATE changes SET after = replace(after, '\"clockInTime\":1', '\"clockInTime\":2')",
        "answered",
    ),
}


def plant(path, statement):
    """Runs it on a file that nobody holds, past the schema's guards."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (trigger,) in triggers:
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("DROP INDEX IF EXISTS time_entries_one_active")
        connection.execute(statement)
        connection.commit()


def self_check():
    """The planted faults that are not found."""
    import workload

    with tempfile.TemporaryDirectory() as folder:
        server = service.Service(harness.binary(), folder)
        organization = server.create_organization()
        server.start()
        # One member, so that entries that grow meet others.
        world = workload.World(server.port, organization, members=1)
        ledger = ledgers.Ledger(folder)
        with workload.Workload([server.port], world, ledger, seed=1, callers=1) as load:
            while sum(len(member.finished) for member in world.members) < 20:
                load.callers[0].join(0.05)
        server.stop()
        path = server.folder / "timeclock.db"
        operations = ledger.operations()
        found = SQLiteDatabase(path).faults(operations)
        missed = [f"nothing was planted, and this was found: {fault}" for fault in found]
        for name, (statement, expected) in PLANTED.items():
            copy = server.folder / "planted.db"
            shutil.copy(path, copy)
            plant(copy, statement)
            if not any(expected in fault for fault in SQLiteDatabase(copy).faults(operations)):
                missed.append(f"not found: {name}")
        # One that is done although a client got a refusal; and one that is in no ledger.
        done = next(operation for operation in operations if operation.outcome == ledgers.OK)
        done.attempts[0].outcome = ledgers.REFUSED
        if not any("done all the same" in fault for fault in SQLiteDatabase(path).faults(operations)):
            missed.append("not found: what was refused is done")
        if not any("nobody asked" in fault for fault in SQLiteDatabase(path).faults(operations[1:])):
            missed.append("not found: what nobody asked for")
        ledger.remove()
    return missed


if __name__ == "__main__":
    if not harness.options(__doc__, short=0, long=0).self_check:
        sys.exit("compare.py is used by the fault runs; by itself it has a --self-check only")
    harness.conclude(self_check(), f"compare: {len(PLANTED) + 2} planted faults")
