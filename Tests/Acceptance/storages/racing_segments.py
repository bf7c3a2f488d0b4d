#!/usr/bin/env python3
"""Sixty-four starts, stops, clock-outs and segments by hand of one member at once leave nothing that must not be, though
segments are corrected and deleted, and the project that some are of is deleted or reset beside them.

They come over sixty-four open connections, on PostgreSQL spread over three servers, on SQLite to one; the last byte of
every request is held back and then sent on all connections together. After each round at most one segment is open, none
lies outside of its entry or overlaps another, which the database itself is asked; every answer is one that the contract
has for its operation, and none says that the service could not do it. In the end `timeclock verify` finds every row as
the log of changes has it.

`racing_segments.py [--rounds N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With `--self-check` the
guard that keeps segments inside their entries is taken out of the database, and that has to be noticed.
"""

import argparse
import collections
import contextlib
import random
import tempfile
import time

from kit import client, documented, office, segment_rows, served
from kit.expecting import expect

CONNECTIONS = 64
ROUNDS = {"sqlite": 40, "postgresql": 40}
SELF_CHECK_ROUNDS = 200
# After this many rounds another member has their turn.
MEMBER_ROUNDS = 25
# Segments by hand lie in minutes of a time without work: this many for each round.
FIRST_MINUTE = 1_735_689_600_000
MINUTE = 60_000
ROUND_MINUTES = 12

# Removes from PostgreSQL the guard that holds while a clock-out waits for a start. That the entry is locked `FOR SHARE`
# is a second one: every write of the service locks the membership before.
WITHOUT_GUARD = "ALTER TABLE time_entries DISABLE TRIGGER time_entries_around_segments"


def written(instant):
    seconds, milliseconds = divmod(instant, 1_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{milliseconds:03}Z"


def now():
    return time.time_ns() // 1_000_000


class Races:
    """Rounds of requests of one member after the other, against one service or several that are one."""

    def __init__(self, instances, chances):
        self.chances = chances
        self.answers = documented.Answers()
        self.counts = collections.Counter()
        created = instances[0].create_organization()
        self.office = office.Office(instances[0].port, created)
        self.clients = [client.Client(instances[number % len(instances)].port) for number in range(CONNECTIONS)]
        self.rows = segment_rows.Rows(instances[0].database)
        self.projects = [self.office.ask("POST", "/projects", {"name": "A"}, 201)["id"]]
        task = {"name": "C", "projectId": self.projects[0]}
        self.task = self.office.ask("POST", "/tasks", task, 201)["id"]
        self.breaks = [
            self.office.ask("POST", "/breakTypes", {"name": name, "isPaid": False}, 201)["id"] for name in "DE"
        ]
        self.user = None
        self.token = None
        # Since when the member is in.
        self.begin = 0
        # The project that goes in the round, the organization's or the member's own, and segments that there are.
        self.passing = None
        self.known = []

    def close(self):
        self.rows.close()
        self.office.close()
        for one in self.clients:
            one.close()

    def run(self, rounds, are_answers_judged=True):
        """The faults of the first round with any, in its answers or in its rows; None without."""
        for number in range(rounds):
            if number % MEMBER_ROUNDS == 0:
                self.user = self.office.add_member(f"racer{number}@example.com", "Racer")
                self.token = self.office.token_of(self.user)
            self.prepare(number)
            drawn = [self.draw(number) for _ in range(CONNECTIONS)]
            answers = client.at_once(self.clients, [self.written(*one) for one in drawn])
            for (operation, _, _, body), answer in zip(drawn, answers):
                self.counts[operation, answer.code or answer.status] += 1
                fault = self.answers.fault(operation, body, answer)
                if fault and are_answers_judged:
                    return f"round {number}: {fault}"
            faults, _ = self.rows.faults(self.office.id)
            if faults:
                return f"round {number} leaves segments that are {faults}"
        return None

    def written(self, operation, method, path, body):
        """A request's bytes: by an admin if members may not."""
        token = self.office.token if operation == "deleteProject" else self.token
        fields = [] if method == "POST" else [("If-Match", "*")]
        return client.written(method, self.office.base + path, token, body, fields)

    def prepare(self, number):
        """Has the member in, and on nothing, on work or on a break."""
        self.clients[number % CONNECTIONS].request("POST", f"{self.office.base}/timeEntries/clockIn", self.token)
        owner = self.chances.choice([self.token, self.office.token])
        self.passing = self.office.ask("POST", "/projects", {"name": "P"}, 201, token=owner)["id"]
        self.known = [one["id"] for one in self.office.ask("GET", "/segments?limit=3", token=self.token)["segments"]]
        begin = self.chances.choice([None, {"projectId": self.passing}, {"breakTypeId": self.breaks[0]}])
        if begin is None:
            self.ask_any("/segments/stop", {"resume": False})
        else:
            self.ask_any("/segments/start", begin)
        clock = self.office.ask("GET", "/clock", token=self.token)
        expect(clock["status"] != "clocked-out", "the member is in", clock)
        self.begin = now() - 1_000 * clock["sessionSeconds"]

    def ask_any(self, path, body):
        one = self.chances.choice(self.clients)
        return one.request("POST", self.office.base + path, self.token, body)

    def draw(self, number):
        """An operation, its method, its path and its body."""
        segment = self.chances.choice(self.known) if self.known else "00000000-0000-7000-8000-000000000000"
        mode = self.chances.choice(["detach", "delete"])
        operation, method, path = self.chances.choice(
            [("startSegment", "POST", "/segments/start")] * 10
            + [("stopSegment", "POST", "/segments/stop")] * 6
            + [("clockOut", "POST", "/timeEntries/clockOut")] * 8
            + [("createSegment", "POST", "/segments")] * 6
            + [("updateSegment", "PATCH", f"/segments/{segment}")] * 2
            + [("deleteSegment", "DELETE", f"/segments/{segment}")] * 1
            + [("deleteProject", "DELETE", f"/projects/{self.passing}?segments={mode}&reason=over")] * 1
            + [("resetHistory", "POST", f"/members/{self.user}/resetHistory")] * 1
        )
        if method == "DELETE":
            return operation, method, path, None
        body = self.body(operation, number)
        return operation, method, path, {key: value for key, value in body.items() if value is not None}

    def body(self, operation, number):
        # Left out, stated as of a moment ago, or of one between.
        moment = self.chances.choice([None, None, None, written(now()), written(now() - self.chances.randrange(50))])
        if operation == "startSegment":
            return {**self.purpose(), "startTime": moment, "clockIn": self.chances.choice([None, None, False])}
        if operation == "stopSegment":
            return {
                "endTime": moment,
                "resume": self.chances.choice([None, False]),
                "clockOut": self.chances.choice([None, None, True]),
            }
        if operation == "clockOut":
            return {"clockOutTime": moment}
        if operation == "updateSegment":
            return {"name": f"Corrected {self.chances.randrange(1_000)}"}
        if operation == "resetHistory":
            return {"scope": ["projects"]}
        if self.chances.random() < 0.3:
            span = (now() - self.chances.randrange(1, 50), now())
            place = self.chances.choice([None, "none"])
        else:
            minutes = sorted(self.chances.sample(range(ROUND_MINUTES), 2))
            span = [FIRST_MINUTE + (number * ROUND_MINUTES + minute) * MINUTE for minute in minutes]
            place = self.chances.choice([None, "create", "create", "none"])
        purpose = self.purpose(is_work=place == "none")
        return {**purpose, "startTime": written(span[0]), "endTime": written(span[1]), "timeEntry": place}

    def purpose(self, is_work=False):
        kind = self.chances.randrange(3 if is_work else 5)
        if kind < 2:
            return {"projectId": [self.projects[0], self.passing][kind]}
        return {"taskId": self.task} if kind == 2 else {"breakTypeId": self.breaks[kind - 3]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    served.add_option(parser)
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        if wanted.self_check:
            check_itself(folder, wanted.seed)
            return
        for kind in served.NAMES:
            if wanted.database in (kind, "both"):
                race(kind, folder, wanted.rounds or ROUNDS[kind], wanted.seed)


def race(kind, folder, rounds, seed):
    with served.together(kind, folder) as (instances, _):
        begin = time.monotonic()
        with contextlib.closing(Races(instances, random.Random(seed))) as races:
            fault = races.run(rounds)
            expect(fault is None, f"{fault}; seed {seed}")
        instances[0].verify()
        seconds = time.monotonic() - begin
    kinds = collections.Counter()
    for (operation, outcome), count in races.counts.items():
        kinds[operation] += count if isinstance(outcome, int) else 0
    print(
        f"racing segments: {rounds} rounds of {CONNECTIONS} requests over {len(instances)} on {served.NAMES[kind]} in "
        f"{seconds:.0f} s, nothing outside, twice or overlapping; done: "
        + ", ".join(f"{count} × {operation}" for operation, count in kinds.most_common())
    )


def check_itself(folder, seed):
    """Without the guard from the entry to its segments, something is left that must not be."""
    with served.together("postgresql", folder) as (instances, execute):
        execute(WITHOUT_GUARD)
        with contextlib.closing(Races(instances, random.Random(seed))) as races:
            fault = races.run(SELF_CHECK_ROUNDS, are_answers_judged=False)
        expect(fault is not None, f"{SELF_CHECK_ROUNDS} rounds without the guard leave nothing wrong; seed {seed}")
    print(f"racing segments, without the guard: {fault}")


main()
