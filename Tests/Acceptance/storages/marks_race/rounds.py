"""Runs rounds: records are made, writes and moves of marks are asked at once, and everything is read again."""

import collections
import random
import time

from kit import client, documented

from . import judging, moves, place, writes
from .facts import FIGURES, Approval, Facts, date, marks_of

WRITES = 10
MOVES = 5
# Between two requests, in milliseconds: most go together, and some when others may be over.
PAUSES = (0, 0, 0, 0, 1, 3, 8)


class Races:
    """Rounds against one service, or several that are one."""

    def __init__(self, instances, seed):
        """Another seed draws other rounds."""
        self.instances = instances
        self.seed = seed
        self.answers = documented.Answers()
        self.clients = [client.Client(instances[one % len(instances)].port) for one in range(WRITES + MOVES)]
        self.place = None
        # Of writes, by their operations and when they came; of moves, by their operations and answers.
        self.outcomes = collections.Counter()
        self.moves = collections.Counter()
        self.approvals = 0

    def close(self):
        for one in self.clients:
            one.close()
        if self.place:
            self.place.close()

    def run(self, numbers):
        """The first round with faults, and these; None if there is none."""
        for number in numbers:
            facts = self.race(number)
            if found := judging.faults(facts, self.answers):
                return number, found
            self.count(facts)
        return None

    def race(self, number, interfere=None):
        """The facts of a round; `interfere` is called behind its race, before anything is read."""
        if self.place is None or number % place.WEEKS == 0:
            if self.place:
                self.place.close()
            self.place = place.Place(self.instances)
        chances = random.Random(f"{self.seed}/{number}")
        week = place.Week(self.place, number, chances)
        asked = writes.draw(week, WRITES)
        begun, moved = moves.draw(week, MOVES)
        for move in begun:
            self.place.office.ask(move.method, move.path, move.body, token=week.token(move))
        before = self.marks(week)
        self.log_until_now("PUT")
        self.ask_at_once(week, week.shuffled(asked + moved))
        if interfere:
            interfere()
        log = self.log_until_now("DELETE")[:-1]
        for write in asked:
            write.record = write.record or judging.id_of(write)
            write.after = week.read(write)
        approvals = self.approved(week)
        return Facts(asked, moved, before, self.marks(week), log, approvals, week.users, week.monday)

    def log_until_now(self, method):
        """The changes that were not read before, the last of which is one of a holiday that is far away."""
        path = f"/holidayCalendars/{self.place.calendar}/holidays/2100-01-01"
        seen = self.place.office.ask("PUT", path, {"name": "End"})
        if method == "DELETE":
            self.place.office.ask("DELETE", path, status=204)
        return self.place.changes_until(seen["id"], "created" if method == "PUT" else "deleted")

    def ask_at_once(self, week, requests):
        """All but the last byte of each is sent before any is whole."""
        base = self.place.office.base
        sent = []
        for one, request in zip(self.clients, requests):
            fields = [("If-Match", "*")] if request.method in ("PATCH", "DELETE") else []
            sent.append(client.written(request.method, base + request.path, week.token(request), request.body, fields))
            one.connect()
            one.socket.sendall(sent[-1][:-1])
        for one, whole in zip(self.clients, sent):
            one.socket.sendall(whole[-1:])
            time.sleep(week.chances.choice(PAUSES) / 1_000)
        for one, request in zip(self.clients, requests):
            answer = one.receive()
            request.status, request.code = answer.status, answer.code
            request.content = answer.json if answer.body else None

    def marks(self, week):
        return [marks_of(self.place.office.ask("GET", f"/periods/{user}")) for user in week.users]

    def approved(self, week):
        """Each approval of the members, in their order, with the report of its dates."""
        found = []
        for member, user in enumerate(week.users):
            for kept in self.place.office.listed(f"/approvals?userId={user}&limit=100", "approvals"):
                dates = f"userId={user}&startDate={kept['from']}&endDate={kept['through']}"
                balance = self.place.office.ask("GET", f"/reports/balance?{dates}")["totals"]
                hours = f"/reports/hours?{dates}&timeZone=payroll&attribution=split"
                hours = self.place.office.ask("GET", hours)
                now = {name: balance[name] for name in FIGURES} | {"reportedSeconds": hours["totals"]["paidSeconds"]}
                kept["reportedSeconds"] = kept["paidSeconds"]
                is_told = any("differs_from_approved" in one["codes"] for one in hours["anomalies"])
                found.append(Approval(member, date(kept["from"]), date(kept["through"]), kept, now, is_told))
        return found

    def count(self, facts):
        self.outcomes += judging.outcomes(facts)
        self.approvals += len(judging.standing(facts))
        for move in facts.moves:
            moved = (move.content or {}).get("moved", 1) if move.is_done else 0
            self.moves[move.operation, "moved" if moved else "refused" if move.code else "unchanged"] += 1
