"""Members who clock in and out and enter times without a pause, and remember the answers."""

import collections
import datetime
import itertools
import threading
import time

from kit import client
from kit.office import Office


class Load:
    """Members at work on one or several servers; use it in a `with`, and check afterwards."""

    def __init__(self, servers, organization, members=12):
        self.organization = organization
        self.ended = threading.Event()
        admin = Office(servers[0].port, organization)
        self.members = []
        for number in range(members):
            token = admin.token_of(admin.add_member(f"load{number}@example.com", f"Load {number}"))
            server = servers[number % len(servers)]
            self.members.append(Member(server.port, admin.base, token, number, self.ended))
        admin.close()

    def __enter__(self):
        for member in self.members:
            member.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for member in self.members:
            member.join()

    def acknowledged(self):
        return sum(len(member.promised) for member in self.members)

    def answers(self):
        """How many answers of each kind there were; 0 is none."""
        total = collections.Counter()
        for member in self.members:
            total += member.answers
        return dict(sorted(total.items()))

    def slowest(self):
        return max(member.slowest for member in self.members)

    def check(self, slowest=10):
        """Every promise was kept, nothing is there twice, and no request took longer than that."""
        faults = [fault for member in self.members for fault in member.faults]
        assert not faults, f"{len(faults)} answers that should not be, such as {faults[:3]}"
        assert self.slowest() <= slowest, f"a request took {self.slowest():.1f} s"
        for member in self.members:
            member.check()


class Member(threading.Thread):
    """One person with one connection.

    A request with no answer, or with 503, may or may not have been done, then or later. Only then may a
    following one meet its effect.
    """

    def __init__(self, port, base, token, number, ended):
        super().__init__(daemon=True)
        self.client = client.Client(port)
        self.base = base + "/timeEntries"
        self.token = token
        self.number = number
        self.ended = ended
        self.count = 0
        # Acknowledged entries, by id, as last answered.
        self.promised = {}
        # Notes of requests of unknown outcome, and the number of clock-outs among them.
        self.open_notes = set()
        self.open_clock_outs = 0
        self.answers = collections.Counter()
        self.slowest = 0
        self.faults = []
        now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
        self.next_slot = now - datetime.timedelta(hours=2)

    def run(self):
        try:
            while not self.ended.is_set():
                self.clock_in()
                # Some only, so that when reads wait, others wait to be known before they write.
                if self.number % 3 == 0:
                    self.look()
                self.clock_out()
                self.enter()
        except Exception as error:  # A thread's error would be lost.
            self.faults.append(repr(error))

    def press(self, path, body, method="POST"):
        """The answer; None if the outcome is unknown."""
        began = time.monotonic()
        try:
            answer = self.client.request(method, self.base + path, self.token, body)
        except OSError:
            answer = None
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.answers[answer.status if answer else 0] += 1
        if answer and answer.status != 503:
            return answer
        if answer and "retry-after" not in answer.fields:
            self.faults.append(f"503 without Retry-After: {answer}")
        self.ended.wait(0.02)
        return None

    def new_note(self):
        self.count += 1
        return f"{self.number}-{self.count}"

    def clock_in(self):
        while not self.ended.is_set():
            note = self.new_note()
            answer = self.press("/clockIn", {"notes": note})
            if answer is None:
                self.open_notes.add(note)
            elif answer.status == 201:
                return self.keep(answer)
            elif answer.code == "already_clocked_in" and (
                answer.json["activeTimeEntry"]["notes"] in self.open_notes or self.open_clock_outs
            ):
                return
            else:
                return self.faults.append(f"clock-in: {answer}")

    def look(self):
        """A member whose clock-in was answered is clocked in, unless an open clock-out has been done meanwhile."""
        answer = self.press("/current", None, "GET")
        if answer is None:
            return
        entry = answer.json.get("timeEntry")
        if not (
            (entry and (entry["id"] in self.promised or entry["notes"] in self.open_notes)) or self.open_clock_outs
        ):
            self.faults.append(f"current: {answer}")

    def clock_out(self):
        while not self.ended.is_set():
            answer = self.press("/clockOut", None)
            if answer is None:
                self.open_clock_outs += 1
            elif answer.status == 200:
                return self.keep(answer)
            elif answer.code == "not_clocked_in" and self.open_clock_outs:
                return
            else:
                return self.faults.append(f"clock-out: {answer}")

    def enter(self):
        """Enters a minute of the past by hand, each another one."""
        self.next_slot -= datetime.timedelta(minutes=2)
        body = {
            "clockInTime": self.next_slot.isoformat(),
            "clockOutTime": (self.next_slot + datetime.timedelta(minutes=1)).isoformat(),
        }
        is_open = False
        while not self.ended.is_set():
            note = self.new_note()
            answer = self.press("", dict(body, notes=note))
            if answer is None:
                self.open_notes.add(note)
                is_open = True
            elif answer.status == 201:
                return self.keep(answer)
            elif answer.code == "overlap" and is_open:
                return
            else:
                return self.faults.append(f"entry: {answer}")

    def keep(self, answer):
        self.promised[answer.json["id"]] = answer.json

    def check(self):
        entries = self.all_entries()
        found = {entry["id"]: entry for entry in entries}
        assert len(found) == len(entries), "an entry is listed twice"
        notes = [entry["notes"] for entry in entries]
        assert len(set(notes)) == len(notes), "a request was done twice"
        for entry_id, promise in self.promised.items():
            assert entry_id in found, f"the acknowledged entry {promise} is missing"
            kept = found[entry_id]
            if promise["clockOutTime"]:
                assert kept == promise, f"{promise} became {kept}"
            else:
                assert (kept["clockInTime"], kept["notes"]) == (promise["clockInTime"], promise["notes"]), kept
        for entry in entries:
            assert entry["id"] in self.promised or entry["notes"] in self.open_notes, f"nobody made {entry}"
        active = [entry for entry in entries if not entry["clockOutTime"]]
        assert len(active) <= 1, f"clocked in twice: {active}"
        spans = sorted((entry["clockInTime"], entry["clockOutTime"] or "9999") for entry in entries)
        assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans)), "entries overlap"

    def all_entries(self):
        return list(client.elements(self.page, f"{self.base}?limit=1000", "timeEntries"))

    def page(self, path):
        answer = self.client.request("GET", path, self.token)
        assert answer.status == 200, answer
        return answer.json
