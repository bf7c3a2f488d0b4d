"""Queues on their way: each is sent whole, cut at every place, one by one and twice, each time by another member."""

import datetime
import threading
import time

from kit import client
from kit.expecting import expect, expect_equal

from .drawing import HOUR, written

STATUSES = {"applied", "duplicate", "waiting", "refused"}


def ways(bodies):
    """The ways of sending a queue: their names, and the requests of each."""
    found = [("whole", [bodies]), ("twice", [bodies, bodies]), ("one by one", [[one] for one in bodies])]
    found += [(f"cut at {place}", [bodies[:place], bodies[place:]]) for place in range(1, len(bodies))]
    return found


def swallowing(request):
    """The request without pairs that the service once misread: the clock-in of a second tap, and the clock-out behind
    it."""
    known = [one for one in request if isinstance(one, dict) and len(one.get("at", "")) > len("yesterday")]
    known.sort(key=lambda one: datetime.datetime.fromisoformat(one["at"]))
    lost = set()
    for first, second, third in zip(known, known[1:], known[2:], strict=False):
        types = [one["type"] for one in (first, second, third)]
        times = [datetime.datetime.fromisoformat(one["at"]) for one in (first, second)]
        if types == ["clockIn", "clockIn", "clockOut"] and times[1] - times[0] < datetime.timedelta(minutes=1):
            lost.add(third["id"])
    return [one for one in request if not isinstance(one, dict) or one.get("id") not in lost]


class Senders:
    """Members of an organization, made as they are needed, and their final entries."""

    def __init__(self, port, office, loses):
        self.port = port
        self.office = office
        self.loses = loses
        self.count = 0
        self.lock = threading.Lock()
        self.clients = threading.local()

    def ask(self, method, path, token, body=None, status=200):
        if not hasattr(self.clients, "one"):
            self.clients.one = client.Client(self.port)
        answer = self.clients.one.request(method, self.office.base + path, token, body)
        expect(answer.status == status, f"{method} {path} is not answered {status}", answer)
        return answer.json

    def member(self):
        """The id and a token of a new member."""
        with self.lock:
            self.count += 1
            name = f"queue{self.count}"
        body = {"email": f"{name}@example.com", "name": name, "role": "member"}
        user = self.ask("POST", "/members", self.office.token, body, 201)["userId"]
        token = self.ask("POST", "/apiTokens", self.office.token, {"name": "phone", "userId": user}, 201)["token"]
        return user, token

    def requests(self, queue):
        """How many requests it took until a queue had come in all ways, and left the same each time."""
        now = int(time.time() * 1_000)
        bodies = queue.bodies(now)
        if not bodies:
            return 0
        first, sent = None, 0
        for name, requests in ways(bodies):
            user, token = self.member()
            self.prepare(queue, token, now)
            for request in requests:
                self.send(request, token)
                sent += 1
            found = self.left(user, now)
            first = first or found
            expect_equal(found, first, f"what a queue leaves {name} and whole: {bodies}")
        if queue.truths is not None:
            expect_equal(plain(first, queue.later), wanted(queue), f"what a plain queue leaves: {bodies}")
        return sent

    def prepare(self, queue, token, now):
        if queue.later == "open":
            self.ask("POST", "/timeEntries/clockIn", token, {"clockInTime": written(now - HOUR)}, 201)
        elif queue.later == "closed":
            span = {"clockInTime": written(now - 3 * HOUR), "clockOutTime": written(now - 2 * HOUR)}
            self.ask("POST", "/timeEntries", token, span, 201)

    def send(self, request, token):
        if self.loses:
            request = swallowing(request)
            if not request:
                return
        answer = self.ask("POST", "/timeEntries/punches", token, {"punches": request})
        statuses = [one["status"] for one in answer["results"]]
        expect(len(statuses) == len(request) and set(statuses) <= STATUSES, "results of a queue", answer)

    def left(self, user, now):
        """The entries and segments of a member, without ids, and without the service's clock."""
        entries = self.ask("GET", f"/timeEntries?userId={user}&limit=200", self.office.token)["timeEntries"]
        segments = self.ask("GET", f"/segments?userId={user}&limit=200", self.office.token)["segments"]
        shown = sorted(
            (
                moment(one["clockInTime"], now),
                moment(one["clockOutTime"], now),
                *[
                    str(one[name])
                    for name in ("date", "timeZone", "notes", "sessionId", "flags", "startedBy", "source")
                ],
            )
            for one in entries
        )
        starts = {one["id"]: moment(one["clockInTime"], now) for one in entries}
        inside = sorted(
            (
                moment(one["startTime"], now),
                moment(one["endTime"], now),
                (one["projectId"], one["taskId"], one["breakTypeId"]),
                starts[one["timeEntryId"]],
                *[str(one[name]) for name in ("name", "isPaid", "billable", "timeZone", "source")],
            )
            for one in segments
        )
        return shown, inside


def moment(text, now):
    """Milliseconds before the queue was drawn; 1 for later instants, by the clock of the service."""
    if text is None:
        return 2
    time = datetime.datetime.fromisoformat(text)
    return min(1, round(time.timestamp() * 1_000) - now)


def plain(found, later):
    """The result in a plain queue's form."""
    entries, segments = found
    known = {"open": -HOUR, "closed": -3 * HOUR}.get(later)
    return ([(one[0], one[1], one[4]) for one in entries if one[0] != known], [one[:3] for one in segments])


def wanted(queue):
    truths = sorted(queue.truths, key=lambda one: one.start)
    return (
        [(one.start, one.end, str(one.notes)) for one in truths],
        sorted(segment for one in truths for segment in one.segments),
    )
