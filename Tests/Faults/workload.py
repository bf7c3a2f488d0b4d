"""People at work who write down their requests and the answers in a ledger.

Each caller is a thread with a connection of its own, and acts for one member: it clocks in and out, enters times by
hand, changes and deletes entries. Half of its POST requests have an Idempotency-Key, and of those the ones that got no
answer are repeated until they do. Every request carries a mark that is unique, so that compare.py finds its effect.
"""

import collections
import datetime
import random
import threading
import time
import uuid

from kit import client

# The statuses that a caller may meet though nothing is wrong: those of races, and of a service that is unavailable.
EXPECTED = {200, 201, 204, 404, 409, 412, 422, 503, 507}
# And the code, of any other status: a clock that is wrong closes the time for changes.
EXPECTED_CODES = {"edit_window_closed"}
KEYED = 0.5
# The minutes back to which entries are made by hand. Now and then two overlap, and one is refused.
MINUTES = 30 * 24 * 60
# The pause of a caller, in seconds, after an answer that the service is unavailable.
UNAVAILABLE_PAUSE = 0.03


class Member:
    """One person, with possibly several callers."""

    def __init__(self, user, token):
        self.user = user
        self.token = token
        # Entries that have ended, as far as any answer says.
        self.finished = []


class World:
    """An organization with members, made through the service."""

    def __init__(self, port, organization, members=8):
        """`organization` is the result of Service.create_organization."""
        self.organization = organization
        self.base = f"/v1/organizations/{organization['organizationID']}"
        self.entries = self.base + "/timeEntries"
        self._admin = client.Client(port)
        self.members = [self._make(f"worker{number}") for number in range(members)]
        self._admin.close()

    def _make(self, name):
        user = self._post("/members", {"email": f"{name}@example.com", "name": name, "role": "member"})["userId"]
        return Member(user, self._post("/apiTokens", {"name": name, "userId": user})["token"])

    def _post(self, path, body):
        answer = self._admin.request("POST", self.base + path, self.organization["token"], body)
        assert answer.status == 201, answer
        return answer.json


class Workload:
    """Callers at work; use it in a `with`. They pause and go on together, so that a ledger can be compared."""

    def __init__(self, ports, world, ledger, seed, callers=8, timeout=10, pause=0.004, kind_of_client=client.Client):
        """The callers are spread over the servers at `ports`; `pause` is the longest they wait between requests.

        `kind_of_client` makes a caller's connection of a port and a time-out.
        """
        self.world = world
        self.ledger = ledger
        self.pause_seconds = pause
        self.statuses = collections.Counter()
        self.slowest = 0
        self.faults = []
        self._condition = threading.Condition()
        self._is_running = True
        self._is_over = False
        self._busy = 0
        self.callers = [
            Caller(
                self,
                world.members[number % len(world.members)],
                f"{seed}-{number}",
                kind_of_client(ports[number % len(ports)], timeout),
            )
            for number in range(callers)
        ]

    def __enter__(self):
        for caller in self.callers:
            caller.start()
        return self

    def __exit__(self, *_):
        with self._condition:
            self._is_over = True
            self._condition.notify_all()
        for caller in self.callers:
            caller.join()

    def pause(self):
        """Returns when no request is under way, and lets none begin."""
        with self._condition:
            self._is_running = False
            self._condition.wait_for(lambda: self._busy == 0)

    def resume(self):
        with self._condition:
            self._is_running = True
            self._condition.notify_all()

    def settle(self, patience=20):
        """While paused: repeats keyed requests without an answer until they are answered."""
        for caller in self.callers:
            deadline = time.monotonic() + patience
            while caller.open and time.monotonic() < deadline:
                caller.repeat(caller.open[0])
            if caller.open:
                self.faults.append(f"{len(caller.open)} requests under a key had no answer for {patience} s")

    def written(self):
        """The number of successful requests; all of them write."""
        return self.statuses[200] + self.statuses[201] + self.statuses[204]

    def forget(self):
        """While paused: keyed requests without an answer are not repeated any more."""
        for caller in self.callers:
            caller.open.clear()

    def turn(self):
        """A caller's leave to send one request, in a `with`; false when it is all over."""
        return _Turn(self)


class _Turn:
    def __init__(self, workload):
        self._workload = workload

    def __enter__(self):
        workload = self._workload
        with workload._condition:
            workload._condition.wait_for(lambda: workload._is_running or workload._is_over)
            self._has_begun = not workload._is_over
            workload._busy += self._has_begun
        return self._has_begun

    def __exit__(self, *_):
        workload = self._workload
        with workload._condition:
            workload._busy -= self._has_begun
            workload._condition.notify_all()


class Request:
    """One request that may be sent several times under one key."""

    def __init__(self, operation, method, path, body=None, entry=None, key=None):
        self.operation, self.method, self.path, self.body = operation, method, path, body
        self.entry, self.key = entry, key
        # The first attempt's number and mark.
        self.number = self.mark = None


class Caller(threading.Thread):
    def __init__(self, workload, member, seed, connection):
        super().__init__(daemon=True)
        self.workload = workload
        self.member = member
        self.random = random.Random(seed)
        self.client = connection
        # Requests under a key of which nobody knows yet whether they were done.
        self.open = []

    def run(self):
        try:
            while True:
                with self.workload.turn() as may_go_on:
                    if not may_go_on:
                        return
                    answer = None
                    if not self._connects():
                        pause = 0.01
                    elif self.open and self.random.random() < 0.7:
                        answer = self.repeat(self.random.choice(self.open))
                        pause = 0.002
                    else:
                        answer = self.send(self._next())
                        pause = self.random.random() * self.workload.pause_seconds
                if answer and answer.status == 503:
                    pause = UNAVAILABLE_PAUSE
                time.sleep(pause)
        except Exception as error:  # A thread's error would be lost.
            self.workload.faults.append(repr(error))
        finally:
            self.client.close()

    def repeat(self, request):
        if self._connects():
            return self.send(request)
        time.sleep(0.01)
        return None

    def send(self, request):
        """Sends it, and notes the outcome."""
        ledger, workload = self.workload.ledger, self.workload
        number, mark = ledger.intend(
            request.operation,
            self.member.user,
            key=request.key,
            entry=request.entry,
            repeats=request.number,
            mark=request.mark,
        )
        if request.number is None:
            request.number, request.mark = number, mark
        path, body, fields = request.path, request.body, []
        if request.key:
            fields.append(("Idempotency-Key", request.key))
        if request.operation == "deleteTimeEntry":
            path += f"?reason={mark}"
        else:
            body = {**body, "notes": mark}
        if request.entry:
            fields.append(("If-Match", "*"))
        began = time.monotonic()
        try:
            answer = self.client.request(request.method, path, self.member.token, body, fields)
        except OSError:
            answer = None
            self.client.close()
        workload.slowest = max(workload.slowest, time.monotonic() - began)
        status = answer and answer.status
        workload.statuses[status] += 1
        if answer and status not in EXPECTED and answer.code not in EXPECTED_CODES:
            workload.faults.append(f"{request.operation} was answered {answer}")
        outcome = ledger.conclude(number, status, answer and answer.code, answer and said(answer))
        self._note(request, outcome, answer)
        return answer

    def _note(self, request, outcome, answer):
        if outcome == "unknown":
            if request.key and request not in self.open:
                self.open.append(request)
            return
        if request in self.open:
            self.open.remove(request)
        if outcome == "ok" and request.operation in ("clockOut", "createTimeEntry"):
            self.member.finished.append(answer.json["id"])

    def _connects(self):
        """A request that no server can be asked for is no request."""
        try:
            self.client.connect()
            return True
        except OSError:
            return False

    def _next(self):
        entries = self.workload.world.entries
        kind = self.random.random()
        finished = self.member.finished
        if finished and kind < 0.1:
            entry = self.random.choice(finished)
            return Request("updateTimeEntry", "PATCH", f"{entries}/{entry}", {}, entry)
        if finished and kind < 0.16:
            entry = finished.pop(self.random.randrange(len(finished)))
            return Request("deleteTimeEntry", "DELETE", f"{entries}/{entry}", None, entry)
        key = str(uuid.UUID(int=self.random.getrandbits(128))) if self.random.random() < KEYED else None
        if kind < 0.36:
            return Request("createTimeEntry", "POST", entries, self._span(), key=key)
        operation = "clockIn" if kind < 0.68 else "clockOut"
        return Request(operation, "POST", f"{entries}/{operation}", {}, key=key)

    def _span(self):
        now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
        start = now - datetime.timedelta(minutes=self.random.randint(120, MINUTES))
        end = start + datetime.timedelta(seconds=self.random.randint(60, 180))
        return {"clockInTime": start.isoformat(), "clockOutTime": end.isoformat()}


def said(answer):
    """The comparable part of an answer."""
    if not answer.body or not answer.fields.get("content-type", "").split(";")[0].endswith("json"):
        return None
    body = answer.json
    if answer.status < 300:
        return {name: body.get(name) for name in ("id", "userId", "clockInTime", "clockOutTime", "notes")}
    active = body.get("activeTimeEntry")
    return active and {"activeTimeEntry": active["id"]}
