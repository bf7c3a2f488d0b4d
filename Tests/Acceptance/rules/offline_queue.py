#!/usr/bin/env python3
"""Two telephones of each member were away for a week, and send what they noted: the same entries, whatever happens on the way.

Each notes the member's clock-ins, clock-outs and work on a project, some on one telephone and some on the other. They send
their queues three times, cut anywhere, in any order and at the same time, while the service is killed and started again in
between. In the end the entries and the work are those that were noted, each once, on SQLite and on PostgreSQL.

`offline_queue.py [--rounds N] [--seed S] [--self-check]`: the self-check gives each sending new ids, as if nobody remembered.
"""

import argparse
import concurrent.futures
import datetime
import random
import sys
import tempfile
import uuid

from kit import client, office, postgresql, service
from kit.expecting import expect, expect_equal

ROUNDS = 3
DAYS = 7
MEMBERS = 4


class Member:
    """What one member did in a week, and what the two telephones noted of it."""

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


def week(binary, folder, database, chance, forgets):
    server = service.Service(binary, folder, database=database)
    created = server.create_organization(zone="UTC")
    server.start()
    admin = office.Office(server.port, created)
    project = admin.ask("POST", "/projects", {"name": "Harvest"}, 201)["id"]
    today = datetime.datetime.now(datetime.UTC).replace(hour=6, minute=0, second=0, microsecond=0)
    members = []
    for number in range(MEMBERS):
        user = admin.add_member(f"member{number}@example.com", f"Member {number}")
        members.append((user, Member(chance, admin.token_of(user), project, today)))
    for sending in range(3):
        work = [(one, part) for _, one in members for queue in one.queues if queue for part in parts(chance, queue)]
        chance.shuffle(work)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            sendings = [
                pool.submit(send, server.port, admin.base, one.token, part, forgets and sending) for one, part in work
            ]
            for one in sendings:
                one.result()
        admin.close()
        server.kill()
        server.start()
    for user, one in members:
        entries = admin.listed(f"/timeEntries?userId={user}", "timeEntries")
        found = sorted((instant(entry["clockInTime"]), instant(entry["clockOutTime"])) for entry in entries)
        expect_equal(found, sorted(one.spans), "the entries of a week")
        segments = admin.listed(f"/segments?userId={user}", "segments")
        expect_equal(len(segments), one.work, "the work of a week")
    admin.close()
    server.stop()
    server.verify()
    return sum(len(one.spans) for _, one in members)


def instant(text):
    return datetime.datetime.fromisoformat(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    binary = service.built_binary()
    chance = random.Random(wanted.seed)
    with postgresql.Cluster(["fsync=off"]) as cluster:
        count = 0
        for number in range(wanted.rounds):
            for database in (None, cluster.make_database(f"queue{number}")):
                with tempfile.TemporaryDirectory() as folder:
                    try:
                        count += week(binary, folder, database, chance, wanted.self_check)
                    except SystemExit as found:
                        if not wanted.self_check:
                            raise
                        print(f"found: {str(found)[:100]}")
                        return
    if wanted.self_check:
        sys.exit("offline_queue: forgotten ids were not found")
    print(f"offline queue: {count} spans of {wanted.rounds} weeks, each once, on both databases; seed {wanted.seed}")


main()
