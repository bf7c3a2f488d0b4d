#!/usr/bin/env python3
"""Fifty people use the clock at once, from fifty `curl` processes, and the server is killed in between.

Each member clocks in and out five times and enters a shift for each of the seven days before. The server is ended with
SIGKILL and started again while they do. Afterwards every acknowledged entry must be there, once, in order, and nobody
may be clocked in against the last answer. `fifty_members.py postgresql` keeps them there.
"""

import concurrent.futures
import contextlib
import datetime
import itertools
import json
import subprocess
import sys
import tempfile
import threading
import time

from kit import client, postgresql, service
from kit.office import Office

MEMBERS = 50
ROUNDS = 5
KILLS = 3


class Caller:
    def __init__(self, clock, organization):
        self.clock = clock
        self.base = f"http://127.0.0.1:{clock.port}/v1/organizations/{organization}"

    def once(self, method, path, token, body=None):
        """One `curl`: the status, 0 if there was no answer, and the body."""
        command = [
            "curl",
            "-sS",
            "-m",
            "10",
            "-X",
            method,
            self.base + path,
            "-w",
            "\n%{http_code}",
            "-H",
            f"Authorization: Bearer {token}",
        ]
        if body is not None:
            command += ["-H", "Content-Type: application/json", "-d", json.dumps(body)]
        run = subprocess.run(command, capture_output=True, text=True)
        text, _, status = run.stdout.rpartition("\n")
        return (int(status or 0), json.loads(text) if text else None)


class Member:
    """A person with a phone that tries again when there was no answer."""

    def __init__(self, caller, office, number):
        self.caller = caller
        self.token = office.token_of(office.add_member(f"member{number}@example.com", f"Member {number}"))
        self.acknowledged = {}
        self.unanswered = 0

    def press(self, path, body, accepted, already):
        """Repeats a request until it is acknowledged, or refused because an unanswered one was done."""
        while True:
            status, answer = self.caller.once("POST", path, self.token, body)
            if status == accepted:
                self.acknowledged[answer["id"]] = answer
                return
            if status == 409 and answer["code"] == already and self.unanswered:
                self.unanswered = 0
                return
            if status not in (0, 503):
                raise SystemExit(f"{path} answered {status}: {answer}")
            self.unanswered += 1
            time.sleep(0.05)

    def work(self):
        for round_number in range(ROUNDS):
            self.unanswered = 0
            self.press("/timeEntries/clockIn", {"notes": f"round {round_number}"}, 201, "already_clocked_in")
            self.unanswered = 0
            self.press("/timeEntries/clockOut", None, 200, "not_clocked_in")
        today = datetime.datetime.now(datetime.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        for days in range(1, 8):
            start = today - datetime.timedelta(days=days) + datetime.timedelta(hours=7)
            self.unanswered = 0
            self.press(
                "/timeEntries",
                {"clockInTime": start.isoformat(), "clockOutTime": (start + datetime.timedelta(hours=8)).isoformat()},
                201,
                "overlap",
            )

    def check(self, office):
        """The lists, over a connection that is kept: the entries are compared."""

        def read(path):
            return office.ask("GET", path, token=self.token)

        entries = list(client.elements(read, "/timeEntries?limit=7", "timeEntries"))
        found = {entry["id"]: entry for entry in entries}
        assert len(found) == len(entries), "an entry is listed twice"
        for entry_id, entry in self.acknowledged.items():
            assert entry_id in found, f"acknowledged entry {entry} is missing"
            if entry["clockOutTime"]:
                assert found[entry_id] == entry, f"{entry} became {found[entry_id]}"
        order = [(entry["date"], entry["createdAt"]) for entry in entries]
        assert order == sorted(order, reverse=True), "the list is out of order"
        assert len(entries) == ROUNDS + 7, f"{len(entries)} entries, not {ROUNDS + 7}"
        spans = sorted((entry["clockInTime"], entry["clockOutTime"]) for entry in entries)
        assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans)), "entries overlap"
        assert all(end for _, end in spans), "somebody is still clocked in"
        for day in {entry["date"] for entry in entries}:
            page = read(f"/timeEntries?startDate={day}&endDate={day}&limit=1000")
            expected = [entry for entry in entries if entry["date"] == day]
            assert page["timeEntries"] == expected, f"the list of {day} differs"


def main():
    kind = sys.argv[1] if len(sys.argv) > 1 else "sqlite"
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as databases:
        database = None
        if kind == "postgresql":
            database = databases.enter_context(postgresql.Cluster()).make_database("clock")
        clock = service.Service(service.built_binary(), folder, database=database)
        organization = clock.create_organization()
        clock.start()
        caller = Caller(clock, organization["organizationID"])
        office = Office(clock.port, organization)
        members = [Member(caller, office, number) for number in range(MEMBERS)]
        office.close()
        finished = threading.Event()

        def kill_now_and_then():
            for _ in range(KILLS):
                if finished.wait(1.5):
                    return
                clock.kill()
                clock.start()

        killer = threading.Thread(target=kill_now_and_then)
        killer.start()
        with concurrent.futures.ThreadPoolExecutor(MEMBERS) as pool:
            for result in [pool.submit(member.work) for member in members]:
                result.result()
        finished.set()
        killer.join()
        clock.kill()
        clock.start()
        for member in members:
            member.check(office)
        office.close()
        clock.verify()
        clock.stop()
        total = sum(len(member.acknowledged) for member in members)
        print(f"fifty members, {kind}: {total} acknowledged entries, all there after {KILLS + 1} kills")


main()
