#!/usr/bin/env python3
"""Several clients of each member clock in, clock out and look, on SQLite and on PostgreSQL with two servers.

Each round a server is killed in the midst of it. Every client's answers have to be explained by the operations in some
order, one at a time, each between its request and its answer: linearizability.py. With `--self-check` real histories
are changed, each in a way that no order explains.
"""

import contextlib
import math
import random
import sys
import tempfile
import threading
import time

import harness
import linearizability
import workload
from kit import client, postgresql, service
from linearizability import OUT, Step

MEMBERS = 4
CLIENTS_OF_A_MEMBER = 5
SECONDS = 0.5


class Clocker(threading.Thread):
    """One client of a member; notes its acts and answers."""

    def __init__(self, port, world, member, seed, ended):
        super().__init__(daemon=True)
        self.client = client.Client(port, timeout=10)
        self.entries, self.member = world.entries, member
        self.random = random.Random(seed)
        self.name = seed
        self.ended = ended
        # Steps, and clock-ins without an answer as pairs of a mark and the time of the request.
        self.steps, self.open_clock_ins = [], []
        self.faults = []

    def run(self):
        try:
            while not self.ended.is_set():
                try:
                    self.client.connect()
                except OSError:
                    time.sleep(0.01)
                    continue
                self.random.choice((self.clock_in, self.clock_out, self.look))()
                time.sleep(self.random.random() * 0.01)
        except Exception as error:  # A thread's error would be lost.
            self.faults.append(repr(error))
        finally:
            self.client.close()

    def ask(self, method, path, body=None):
        """The answer, None if it shows nothing; and the times of request and answer."""
        began = time.monotonic_ns()
        try:
            answer = self.client.request(method, self.entries + path, self.member.token, body)
        except OSError:
            self.client.close()
            return None, began, math.inf
        if answer.status >= 500:
            return None, began, math.inf
        return answer, began, time.monotonic_ns()

    def clock_in(self):
        mark = f"{self.name}-{len(self.steps)}-{len(self.open_clock_ins)}"
        answer, began, ended = self.ask("POST", "/clockIn", {"notes": mark})
        if answer is None:
            self.open_clock_ins.append((mark, began))
        elif answer.status == 201:
            self.note("clock-in", answer.json["id"], began, ended, linearizability.clocked_in)
        elif answer.code == "already_clocked_in":
            active = answer.json["activeTimeEntry"]["id"]
            self.note("clock-in refused beside", active, began, ended, linearizability.is_in_state)
        elif answer.code == "overlap":
            # Only a member who is not clocked in gets this.
            self.note("clock-in refused as overlap:", OUT, began, ended, linearizability.is_in_state)
        else:
            self.faults.append(f"clock-in: {answer}")

    def clock_out(self):
        answer, began, ended = self.ask("POST", "/clockOut")
        if answer is None:
            self.steps.append(Step("clock-out, no answer", OUT, began, ended, linearizability.clocked_out_perhaps))
        elif answer.status == 200:
            self.note("clock-out", answer.json["id"], began, ended, linearizability.clocked_out)
        elif answer.code == "not_clocked_in":
            self.note("clock-out refused:", OUT, began, ended, linearizability.is_in_state)
        else:
            self.faults.append(f"clock-out: {answer}")

    def look(self):
        answer, began, ended = self.ask("GET", "/current")
        if answer is not None:
            entry = answer.json["timeEntry"]
            self.note("sees", entry and entry["id"], began, ended, linearizability.is_in_state)

    def note(self, kind, entry, began, ended, effect):
        self.steps.append(Step(kind, entry, began, ended, effect(entry)))


class Place:
    """Servers on one database, and the answers to their clients."""

    def __init__(self, name, database, folders, seed):
        self.name = name
        self.random = random.Random(f"{seed} {name}")
        self.servers = [service.Service(harness.binary(), folder, database=database) for folder in folders]
        organization = self.servers[0].create_organization()
        for server in self.servers:
            server.start()
        self.world = workload.World(self.servers[0].port, organization, MEMBERS)
        self.rounds = 0

    def round(self):
        """The histories, one for each member, and the faults."""
        self.rounds += 1
        for member in self.world.members:
            self._ask(member, "POST", "/clockOut")
        ended = threading.Event()
        clockers = [
            Clocker(
                self.servers[number % len(self.servers)].port,
                self.world,
                member,
                f"{self.name}-{self.rounds}-{order}-{number}",
                ended,
            )
            for order, member in enumerate(self.world.members)
            for number in range(CLIENTS_OF_A_MEMBER)
        ]
        for clocker in clockers:
            clocker.start()
        time.sleep(self.random.uniform(0.2, 0.8) * SECONDS)
        server = self.random.choice(self.servers)
        server.kill()
        server.start()
        time.sleep(SECONDS / 2)
        ended.set()
        for clocker in clockers:
            clocker.join()
        faults = [fault for clocker in clockers for fault in clocker.faults]
        return [
            self._history(member, [clocker for clocker in clockers if clocker.member is member])
            for member in self.world.members
        ], faults

    def stop(self):
        for server in self.servers:
            server.kill()

    def _history(self, member, clockers):
        """The clients' steps, with the clock-ins that had no answer and were done all the same."""
        steps = [step for clocker in clockers for step in clocker.steps]
        marks = {mark: began for clocker in clockers for mark, began in clocker.open_clock_ins}
        if marks:
            found = self._ask(member, "GET", "?limit=1000").json["timeEntries"]
            steps += [
                Step(
                    "clock-in, no answer",
                    entry["id"],
                    marks[entry["notes"]],
                    math.inf,
                    linearizability.clocked_in(entry["id"]),
                )
                for entry in found
                if entry["notes"] in marks
            ]
        return steps

    def _ask(self, member, method, path):
        asker = client.Client(self.servers[0].port)
        try:
            return asker.request(method, self.world.entries + path, member.token)
        finally:
            asker.close()


def unexplained(history):
    """A history that no order explains, in words; None if one explains all."""
    if linearizability.order(history) is not None:
        return None
    count, steps = linearizability.longest_order(history)
    return f"nothing explains, behind {count} of {len(steps)} steps: " + "; ".join(
        f"{step.kind} {step.entry}" for step in steps[max(0, count - 4) : count + 2]
    )


def spoiled(history):
    """Ways in which the history becomes one that never was, by name."""
    steps = sorted(history, key=lambda step: step.began)
    outs = [step for step in steps if step.kind == "clock-out"]
    ins = [step for step in steps if step.kind == "clock-in"]
    if not outs or not ins:
        return {}

    def with_sight(entry, at):
        return Step("sees", entry, at, at, linearizability.is_in_state(entry))

    first, last = ins[0], outs[-1]
    return {
        "a stale read": [*steps, with_sight(last.entry, last.ended + 1)],
        "a sight of what never was": [*steps, with_sight("never", steps[-1].began + 10**12)],
        "a clock-in is lost": [step for step in steps if step is not first],
        "a clock-in beside another": [
            *steps,
            Step("clock-in", "beside", first.began, first.ended, linearizability.clocked_in("beside")),
            with_sight(first.entry, first.ended),
        ],
    }


@contextlib.contextmanager
def places(seed):
    with (
        tempfile.TemporaryDirectory(prefix="timeclock-clock-") as folder,
        postgresql.Cluster() as cluster,
        contextlib.ExitStack() as stack,
    ):
        folders = [stack.enter_context(tempfile.TemporaryDirectory(dir=folder)) for _ in range(3)]
        made = [
            Place("SQLite", None, folders[:1], seed),
            Place("PostgreSQL", cluster.make_database("clock"), folders[1:], seed),
        ]
        yield made
        for place in made:
            place.stop()


def self_check(seed):
    """The ways of spoiling that were found, and how many there are."""
    with tempfile.TemporaryDirectory(prefix="timeclock-clock-") as folder:
        place = Place("SQLite", None, [folder], seed)
        histories, _ = place.round()
        place.stop()
    missed, count = [], 0
    for history in histories:
        if unexplained(history):
            missed.append(f"nothing was spoiled: {unexplained(history)}")
        for name, changed in spoiled(history).items():
            count += 1
            if linearizability.order(changed) is not None:
                missed.append(f"not found: {name}")
    return missed if count else ["nothing could be spoiled"], count


def main():
    options = harness.options(__doc__, short=2, long=100, count="rounds on each storage")
    if options.self_check:
        missed, count = self_check(options.seed)
        harness.conclude(
            missed, f"linearizable, seed {options.seed}: {count} histories were spoiled, all have to be found"
        )
    faults, histories, steps, unanswered = [], 0, 0, 0
    with places(options.seed) as made:
        for number in range(options.count):
            for place in made:
                found, wrong = place.round()
                faults += wrong
                for history in found:
                    histories += 1
                    steps += len(history)
                    unanswered += sum(step.is_optional for step in history)
                    if fault := unexplained(history):
                        faults.append(f"{place.name}, round {number + 1}: {fault}")
            if options.form == "long":
                print(f"{number + 1} rounds, {histories} histories, {len(faults)} faults", file=sys.stderr, flush=True)
            if len(faults) >= 50:
                break
    harness.conclude(
        faults,
        f"linearizable, seed {options.seed}: {histories} histories of {steps} operations, {unanswered} of unknown "
        "outcome, on both storages",
    )


if __name__ == "__main__":
    main()
