"""Callers of move.py: those of organizations that stay, and one who writes in the organization that moves."""

import itertools
import threading
import time

from kit.expecting import expect
from kit.latency import take_precedence
from kit.office import Office

# The requests of those who stay, one after the other, with the status of their answers.
KINDS = {
    "clock-in and clock-out": [("POST", "/timeEntries/clockIn", 201), ("POST", "/timeEntries/clockOut", 200)],
    "active entry": [("GET", "/timeEntries/current", 200)],
    "list of 100": [("GET", "/timeEntries?limit=100", 200)],
}
MOVING, MOVED = (503, "organization_moving"), (421, "organization_moved")
WRITES_A_SECOND = 50


class Caller(threading.Thread):
    """Does one thing at a fixed pace, from when it is started to `end`, also if earlier answers are late."""

    def __init__(self, rate, delay=0):
        """`rate` is a second's; the first comes after `delay` seconds."""
        super().__init__(daemon=True)
        self._rate, self._delay = rate, delay
        self._is_over = threading.Event()
        self._fault = None
        # When each thing was due, how long after that it was done, and how late this thread woke for it, in seconds.
        self.times = []

    def run(self):
        take_precedence()
        begin = time.monotonic() + self._delay
        try:
            for number in itertools.count():
                due = begin + number / self._rate
                wait = due - time.monotonic()
                if self._is_over.wait(max(0, wait)):
                    return
                late = time.monotonic() - due if wait > 0 else 0
                self.act()
                self.times.append((due, time.monotonic() - due, late))
        except BaseException as error:  # A thread's error would be lost.
            self._fault = error

    def end(self):
        self._is_over.set()
        self.join()
        if self._fault:
            raise self._fault

    def milliseconds(self, begin, end):
        """The times of what was due from `begin` to `end`, in order of length."""
        return sorted(1_000 * seconds for due, seconds, _ in self.times if begin <= due < end)


class Neighbor(Caller):
    """Sends the requests of one kind, as members of an organization in turn."""

    def __init__(self, kind, rate, port, created, tokens):
        super().__init__(rate, delay=list(KINDS).index(kind) / len(KINDS) / rate)
        self._requests, self._office, self._turns = KINDS[kind], Office(port, created), itertools.cycle(tokens)

    def act(self):
        token = next(self._turns)
        for method, path, status in self._requests:
            answer = self._office.request(method, path, token=token)
            expect(answer.status == status, f"{method} {path}", answer)


class Writer(Caller):
    """Clocks in and out at the source, and, while that refuses, at the target."""

    def __init__(self, source, target, created, token):
        """`source` and `target` are ports."""
        super().__init__(WRITES_A_SECOND)
        self._source, self._target, self._token = Office(source, created), Office(target, created), token
        self._is_in = False
        # When the source acknowledged its last write, the target its first, and the source first answered the address.
        self.last = self.first = self.sent_on = None

    def act(self):
        if self.sent_on is None:
            is_done, answer = self._write(self._source)
            if is_done:
                self.last = time.monotonic()
                return
            expect((answer.status, answer.code) in (MOVING, MOVED), "a write at the source", answer)
            if answer.status == 421:
                self.sent_on = time.monotonic()
        is_done, answer = self._write(self._target)
        # The target knows no such token before it has the organization.
        expect(is_done or (self.first is None and answer.status == 401), "a write at the target", answer)
        if is_done:
            self.first = self.first or time.monotonic()

    def _write(self, office):
        path, status = ("clockOut", 200) if self._is_in else ("clockIn", 201)
        answer = office.request("POST", f"/timeEntries/{path}", token=self._token)
        self._is_in ^= answer.status == status
        return answer.status == status, answer
