#!/usr/bin/env python3
"""Two telephones of each member were away for a week, and send their notes: the same entries, whatever happens on the
way.

Each notes the member's clock-ins, clock-outs and work on a project, some on one telephone and some on the other. They send
their queues three times, cut anywhere, in any order and at the same time, while the service is killed and started again in
between. In the end the entries and the work are those that were noted, each once, on SQLite and on PostgreSQL.

So they do with their notes of a timer: commands sent in order leave the sessions and the timer of a plain model that
got them at their instants, however they were cut, and whichever instance noticed an end meanwhile. Commands in any
order leave that model's result for this order, and are stale if it says so.

Then random queues (`punch_queues`), with second taps, breaks, changes of work, missing ends, spans too short and too
long, purposes that are gone, notes that cannot be kept, nonsense, and clocks that are wrong, are each sent whole, cut
at every place, one by one and twice, each time by a member of its own: the entries and segments are the same, and of a
plain queue they are those of a small model.

`offline_queue.py [--rounds N] [--queues N] [--seed S] [--self-check]`: the self-check gives each sending new ids, as if nobody
remembered, first those of punches, then those of commands to timers; and has requests lose the clock-out behind a second tap.
"""

import argparse
import concurrent.futures
import datetime
import random
import sys
import tempfile
import time
import uuid

from focus_model import rules, shown, weeks
from kit import client, office, postgresql, service
from kit.expecting import expect, expect_equal
from punch_queues.drawing import Queue
from punch_queues.sending import Senders
from punch_queues.things import Things
from time_model.comparing import matches

ROUNDS = 3
DAYS = 7
MEMBERS = 4
QUEUES = 30
# Enough for a second tap with a clock-out right behind it.
PLANTED_QUEUES = 200


class Member:
    """One member's acts in a week, and the two telephones' notes of them."""

    def __init__(self, chance, token, project, today):
        self.chance = chance
        self.token = token
        self.project = project
        self.spans = []
        self.work = 0
        self.queues = [[], []]
        for day in range(DAYS, 0, -1):
            begin = today - datetime.timedelta(days=day) + datetime.timedelta(minutes=chance.randrange(60))
            for _ in range(chance.randrange(1, 3)):
                end = begin + datetime.timedelta(minutes=chance.randrange(30, 240))
                self.note(begin, end)
                begin = end + datetime.timedelta(minutes=chance.randrange(10, 60))

    def note(self, begin, end):
        queue = self.chance.choice(self.queues)
        self.spans.append((begin, end))
        works = self.chance.random() < 0.3
        queue.append(punch("clockIn", begin, **({"projectId": self.project} if works else {})))
        queue.append(punch("clockOut", end))
        self.work += works


def punch(kind, at, **more):
    return {"id": str(uuid.uuid4()), "type": kind, "at": at.isoformat(), **more}


def parts(chance, queue):
    """The queue whole, or cut into parts that do not part a clock-in from its clock-out."""
    cuts = sorted(chance.sample(range(2, len(queue), 2), min(chance.randrange(3), max(0, len(queue) // 2 - 1))))
    return [queue[start:end] for start, end in zip([0, *cuts], [*cuts, len(queue)])]


def send(port, base, token, queue, forgets):
    """Sends until each punch is applied or was; a device whose request is lost sends it again."""
    for _ in range(20):
        if forgets:
            queue = [{**one, "id": str(uuid.uuid4())} for one in queue]
        one = client.Client(port)
        try:
            answer = one.request("POST", f"{base}/timeEntries/punches", token, {"punches": queue})
        except OSError:
            continue
        finally:
            one.close()
        if answer.status == 503:
            continue
        expect_equal(answer.status, 200, f"a queue: {answer}")
        results = answer.json["results"]
        queue = [one for one, result in zip(queue, results) if result["status"] == "refused"]
        # Another telephone's sending of the same is under way.
        busy = all(result["problem"]["code"] == "request_in_progress" for result in results if result["problem"])
        if not queue:
            return
        expect(busy, "a punch was refused", [result["problem"] for result in results if result["problem"]])
    sys.exit(f"offline_queue: {queue} never came through")


class TimerWeek:
    """One member's acts on a timer in a week, and how the two telephones send them: in order, or in any."""

    def __init__(self, chance, token, now, is_ordered):
        # Of its own: the telephones of others send at the same time.
        self.chance = random.Random(chance.getrandbits(64))
        self.token = token
        self.now = now
        week = weeks.Week(self.chance, now)
        self.parts = week.parts()
        self.is_ordered = is_ordered
        # The final state that the service must have.
        self.desk = week.desk if is_ordered else rules.Desk(weeks.LOOK_BACK)
        self.sendings = 0
        # By the ids of commands the status of the first answer, which stays.
        self.statuses = {}

    def send(self, port, base, forgets):
        """Sends everything once; after the first time, ordered requests may come in any order."""
        parts = list(self.parts)
        if self.sendings or not self.is_ordered:
            self.chance.shuffle(parts)
        for part in parts:
            # The answer may have been lost.
            for _ in range(1 + (self.chance.random() < 0.2)):
                found = [one["status"] for one in self.results(port, base, part, forgets and self.sendings)]
                expect_equal(found, self.wanted(part), f"the results of {part}")
        self.sendings += 1

    def wanted(self, part):
        if self.is_ordered:
            return ["applied"] * len(part)
        for one in part:
            if one.id not in self.statuses:
                self.statuses[one.id] = weeks.take(self.desk, one, self.now)
        self.desk.pass_to(self.now)
        return [self.statuses[one.id] for one in part]

    def results(self, port, base, part, forgets):
        body = weeks.body(part)
        if forgets:
            body = {"commands": [{**one, "id": str(uuid.uuid4())} for one in body["commands"]]}
        for _ in range(20):
            one = client.Client(port)
            try:
                answer = one.request("POST", f"{base}/timers/commands", self.token, body)
            except OSError:
                continue
            finally:
                one.close()
            if answer.status != 503:
                expect_equal(answer.status, 200, f"a queue: {answer}")
                return answer.json["results"]
        sys.exit(f"offline_queue: {part} never came through")

    def compare(self, trainer):
        rows = trainer.ask("GET", "/timerSessions?limit=1000", token=self.token)["timerSessions"]
        found = [{name: row[name] for name in shown_row} for row, shown_row in zip(rows, shown.sessions(self.desk))]
        expect_equal((len(rows), found), (len(self.desk.sessions), shown.sessions(self.desk)), "the sessions of a week")
        current = weeks.state(trainer.ask("GET", "/timers/current", token=self.token))
        wanted = weeks.expected(self.desk, self.now)
        expect(matches(wanted, current), f"the timer after a week is not {wanted}", current)


def timer_weeks(trainer, chance):
    """Weeks of members, in their order and in any."""
    trainer.ask("PATCH", "", {"policy": {"lookBackHours": weeks.LOOK_BACK // 3_600_000}}, fields=[("If-Match", "*")])
    now = int(time.time() * 1_000)
    users = [trainer.add_member(f"sporty{number}@example.com", f"Sporty {number}") for number in range(MEMBERS)]
    return [TimerWeek(chance, trainer.log_in(user), now, number % 2 == 0) for number, user in enumerate(users)]


def week(binary, folder, database, chance, forgets):
    """How many spans and commands came through; `forgets` says whose ids are forgotten."""
    server = service.Service(binary, folder, database=database)
    created = server.create_organization(zone="UTC")
    # Another one, which takes commands of a whole week; punches of the first are further back than it allows.
    gym = server.create_organization(name="Gym", zone="UTC", email="gym@example.com")
    server.start()
    admin = office.Office(server.port, created)
    project = admin.ask("POST", "/projects", {"name": "Harvest"}, 201)["id"]
    today = datetime.datetime.now(datetime.UTC).replace(hour=6, minute=0, second=0, microsecond=0)
    members = []
    for number in range(MEMBERS):
        user = admin.add_member(f"member{number}@example.com", f"Member {number}")
        members.append((user, Member(chance, admin.token_of(user), project, today)))
    trainer = office.Office(server.port, gym)
    timers = timer_weeks(trainer, chance)
    for sending in range(3):
        work = [(one, part) for _, one in members for queue in one.queues if queue for part in parts(chance, queue)]
        chance.shuffle(work)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            sendings = [
                pool.submit(send, server.port, admin.base, one.token, part, forgets == "punches" and sending)
                for one, part in work
            ]
            sendings += [pool.submit(one.send, server.port, trainer.base, forgets == "timers") for one in timers]
            for one in sendings:
                one.result()
        admin.close()
        trainer.close()
        server.kill()
        server.start()
    for user, one in members:
        entries = admin.listed(f"/timeEntries?userId={user}", "timeEntries")
        found = sorted((instant(entry["clockInTime"]), instant(entry["clockOutTime"])) for entry in entries)
        expect_equal(found, sorted(one.spans), "the entries of a week")
        segments = admin.listed(f"/segments?userId={user}", "segments")
        expect_equal(len(segments), one.work, "the work of a week")
    for one in timers:
        one.compare(trainer)
    admin.close()
    trainer.close()
    server.stop()
    server.verify()
    return sum(len(one.spans) for _, one in members), sum(len(part) for one in timers for part in one.parts)


def queues(binary, folder, database, chance, count, loses=False):
    """The number of requests that it took to send random queues in all ways."""
    server = service.Service(binary, folder, database=database)
    created = server.create_organization(zone="UTC")
    server.start()
    admin = office.Office(server.port, created)
    things = Things(admin)
    senders = Senders(server.port, admin, loses)
    drawn = [Queue.draw(random.Random(chance.getrandbits(64)), things) for _ in range(count)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        sent = sum(pool.map(senders.requests, drawn))
    admin.close()
    server.stop()
    server.verify()
    return sent, sum(one.truths is not None for one in drawn)


def instant(text):
    return datetime.datetime.fromisoformat(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--queues", type=int, default=QUEUES)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    binary = service.built_binary()
    chance = random.Random(wanted.seed)
    if wanted.self_check:
        for forgets in ("punches", "timers"):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    week(binary, folder, None, chance, forgets)
                except SystemExit as found:
                    print(f"found, {forgets}: {str(found)[:100]}")
                    continue
            sys.exit(f"offline_queue: forgotten ids of {forgets} were not found")
        with tempfile.TemporaryDirectory() as folder:
            try:
                queues(binary, folder, None, chance, PLANTED_QUEUES, loses=True)
            except SystemExit as found:
                print(f"found, a clock-out that a second tap takes along: {str(found)[:100]}")
                return
        sys.exit("offline_queue: clock-outs that second taps take along were not found")
    spans, commands, sent = 0, 0, 0
    with postgresql.Cluster(["fsync=off"]) as cluster:
        for number in range(wanted.rounds):
            for database in (None, cluster.make_database(f"queue{number}")):
                with tempfile.TemporaryDirectory() as folder:
                    found = week(binary, folder, database, chance, None)
                    spans, commands = spans + found[0], commands + found[1]
        for database in (None, cluster.make_database("queues")):
            with tempfile.TemporaryDirectory() as folder:
                begun = time.monotonic()
                # The same queues on both.
                requests, plain = queues(binary, folder, database, random.Random(wanted.seed), wanted.queues)
                sent += requests
                print(f"{wanted.queues} queues, {plain} plain: {requests} requests in {time.monotonic() - begun:.0f} s")
    print(
        f"offline queue: {spans} spans and {commands} commands to timers of {wanted.rounds} weeks, each once, and "
        f"{wanted.queues} queues that leave the same in {sent} requests, on both databases; seed {wanted.seed}"
    )


main()
