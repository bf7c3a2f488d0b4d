"""The requests of clients and their answers, kept where no fault of the database can reach it.

A ledger is a file of JSON lines on another file system than the database. A client writes a line before it sends a
request and one when it knows the outcome; each is handed to the system before the client goes on, so a ledger outlives
the process that writes it.

    {"n": 7, "phase": "intent", "at": NANOSECONDS, "operation": "clockIn", "member": USER, "mark": "4f2a-7", "key": ...}
    {"n": 7, "phase": "outcome", "at": NANOSECONDS, "outcome": "ok", "status": 201, "code": null, "answer": {...}}

The nanoseconds are CLOCK_MONOTONIC's, which all processes of a machine share. The `mark` is a word that the request
carries into the database (as its notes, or a deletion's reason), so that its effect is found whether it was answered or
not. An attempt that repeats a request under its Idempotency-Key names the first one in `repeats`.
"""

import dataclasses
import itertools
import json
import os
import pathlib
import secrets
import tempfile
import threading
import time

OK, REFUSED, UNKNOWN = "ok", "refused", "unknown"
# A file system in memory, which every Debian has.
FOLDER = "/dev/shm"


def outcome_of(status, code=None):
    """The outcome of a request by its answer's status; None is no answer.

    A 5xx may come after a commit whose end nobody knows. While a request under the same key is being answered, nothing
    is decided either.
    """
    if status is None or status >= 500 or code == "request_in_progress":
        return UNKNOWN
    return OK if 200 <= status < 300 else REFUSED


class Ledger:
    """Takes lines from any thread."""

    def __init__(self, database_folder, path=None):
        """Begins one in memory, or continues the one at `path`. The database's folder is where it may not be."""
        if path is None:
            handle, path = tempfile.mkstemp(prefix="timeclock-ledger-", suffix=".jsonl", dir=FOLDER)
            os.close(handle)
        self.path = pathlib.Path(path)
        if os.stat(self.path).st_dev == os.stat(database_folder).st_dev:
            raise SystemExit(f"the ledger {self.path} would be on the database's own file system")
        # Distinguishes the marks of this ledger from those of all others.
        self.name = secrets.token_hex(3)
        self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def intend(self, operation, member, *, key=None, entry=None, repeats=None, mark=None, **more):
        """Notes that a request is about to be sent: its number, and its mark. `entry` is the id it is about."""
        with self._lock:
            number = next(self._numbers)
        mark = mark or f"{self.name}-{number}"
        self._append(
            {
                "n": number,
                "phase": "intent",
                "at": time.monotonic_ns(),
                "operation": operation,
                "member": member,
                "mark": mark,
                "key": key,
                "entry": entry,
                "repeats": repeats,
                **more,
            }
        )
        return number, mark

    def conclude(self, number, status, code=None, answer=None):
        """Notes the outcome with the answer's content; a status of None is no answer. Returns the outcome."""
        outcome = outcome_of(status, code)
        self._append(
            {
                "n": number,
                "phase": "outcome",
                "at": time.monotonic_ns(),
                "outcome": outcome,
                "status": status,
                "code": code,
                "answer": answer,
            }
        )
        return outcome

    def operations(self):
        return read(self.path)

    def remove(self):
        os.close(self._file)
        self.path.unlink()

    def _append(self, line):
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        # One call to a file opened with O_APPEND: lines of several threads and processes do not mix.
        if os.write(self._file, data) != len(data):
            raise SystemExit(f"the ledger {self.path} is full")


@dataclasses.dataclass
class Attempt:
    number: int
    began: int
    # None, and the outcome unknown, if the client itself was ended before it knew.
    ended: int | None = None
    outcome: str = UNKNOWN
    status: int | None = None
    code: str | None = None
    answer: dict | None = None


@dataclasses.dataclass
class Operation:
    """A request with all its attempts."""

    number: int
    operation: str
    member: str
    mark: str
    key: str | None
    entry: str | None
    intent: dict
    attempts: list[Attempt]

    @property
    def outcome(self):
        """One that was answered decides, because attempts repeat under one key."""
        outcomes = {attempt.outcome for attempt in self.attempts}
        return next(outcome for outcome in (OK, REFUSED, UNKNOWN) if outcome in outcomes)

    @property
    def answer(self):
        """The content of the first answer with success."""
        return next((attempt.answer for attempt in self.attempts if attempt.outcome == OK), None)

    @property
    def began(self):
        return self.attempts[0].began

    @property
    def acknowledged(self):
        """When the first answer came that decided; None if none did."""
        return min((attempt.ended for attempt in self.attempts if attempt.outcome != UNKNOWN), default=None)

    def until(self, instant):
        """The operation as the client knew it at that instant; None if it had not begun."""
        attempts = [
            attempt
            if attempt.ended is not None and attempt.ended <= instant
            else Attempt(attempt.number, attempt.began)
            for attempt in self.attempts
            if attempt.began <= instant
        ]
        return dataclasses.replace(self, attempts=attempts) if attempts else None


def read(path):
    """The operations in the order in which they began. A last line that was cut off counts as never written."""
    data = pathlib.Path(path).read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    operations, attempts = {}, {}
    for text in whole.splitlines():
        line = json.loads(text)
        number = line["n"]
        if line["phase"] == "intent":
            attempts[number] = attempt = Attempt(number, line["at"])
            first = line["repeats"] or number
            if first not in operations:
                operations[first] = Operation(
                    first, line["operation"], line["member"], line["mark"], line["key"], line["entry"], line, []
                )
            operations[first].attempts.append(attempt)
        else:
            attempt = attempts[number]
            attempt.ended = line["at"]
            attempt.outcome, attempt.status = line["outcome"], line["status"]
            attempt.code, attempt.answer = line["code"], line["answer"]
    return sorted(operations.values(), key=lambda operation: operation.began)
