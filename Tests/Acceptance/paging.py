#!/usr/bin/env python3
"""Whoever pages through entries while eight others insert and delete sees each entry that stays, once, on both databases.

The entries that stay are entered first; the others go between them, on the same days, and go away again. Everyone's
list, one member's, those of some days by date and by overlap are walked with pages of several sizes.
`paging.py ENTRIES` walks through about as many.
"""

import datetime
import pathlib
import random
import sys
import tempfile
import threading
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import client  # noqa: E402
import postgresql  # noqa: E402
import service  # noqa: E402

ENTRIES = 2_000
MEMBERS = 24
WRITERS = 8
ROUNDS = 3
# How many entries that do not stay a writer has in the list at a time.
PASSING = 40
HOUR = datetime.timedelta(hours=1)


class Office:
    """An organization, its members, and the half hours in which they may have been at work."""

    def __init__(self, clock, organization, hours):
        self.clock = clock
        self.token = organization["token"]
        self.base = f"/v1/organizations/{organization['organizationID']}"
        self.hours = hours
        self.end = datetime.datetime.now(datetime.timezone.utc).replace(minute=0, second=0, microsecond=0)
        one = client.Client(clock.port)
        self.members = [self.call(one, "POST", "/members", {
            "email": f"m{number}@example.com", "name": f"Member {number}", "role": "member"}).json["userId"]
            for number in range(MEMBERS)]
        one.close()

    def call(self, one, method, path, body=None, fields=()):
        answer = one.request(method, self.base + path, self.token, body, fields)
        assert answer.status in (200, 201, 204), f"{method} {path}: {answer}"
        return answer

    def enter(self, one, member, hour, half):
        """An entry in a half of an hour before now."""
        start = self.end - (hour + 1) * HOUR + half * HOUR / 2
        return self.call(one, "POST", "/timeEntries", {
            "userId": member, "clockInTime": start.isoformat(), "clockOutTime": (start + HOUR / 2).isoformat()}).json

    def in_parallel(self, work):
        """Calls `work` with a client and a share of the members in as many threads as there are writers."""
        faults = []

        def run(number):
            one = client.Client(self.clock.port)
            try:
                work(one, self.members[number::WRITERS])
            except Exception as error:  # A thread's error would be lost.
                faults.append(repr(error))
            one.close()

        threads = [threading.Thread(target=run, args=(number,)) for number in range(WRITERS)]
        for thread in threads:
            thread.start()
        return threads, faults


class Writers:
    """Insert and delete until they are told to end."""

    def __init__(self, office):
        self.office = office
        self.ended = threading.Event()
        # Lists of what was done; appending is atomic.
        self.inserted = []
        self.deleted = []
        self.threads, self.faults = office.in_parallel(self.write)

    def write(self, one, members):
        free = [(member, hour) for member in members for hour in range(self.office.hours)]
        passing = []
        while not self.ended.is_set():
            if len(passing) < PASSING and random.random() < 0.6:
                place = free.pop(random.randrange(len(free)))
                entry = self.office.enter(one, *place, half=1)
                passing.append((entry["id"], place))
                self.inserted.append(entry["id"])
            elif passing:
                identifier, place = passing.pop(random.randrange(len(passing)))
                self.office.call(one, "DELETE", f"/timeEntries/{identifier}?reason=gone", None, [("If-Match", "*")])
                free.append(place)
                self.deleted.append(identifier)

    def end(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()
        assert not self.faults, self.faults


def walk(office, one, limit, **filters):
    """The ids of all rows, page by page."""
    seen = []
    parameters = {"limit": limit, **filters}
    while True:
        page = office.call(one, "GET", f"/timeEntries?{urllib.parse.urlencode(parameters)}").json
        seen += [entry["id"] for entry in page["timeEntries"]]
        if page["nextCursor"] is None:
            return seen
        parameters["cursor"] = page["nextCursor"]


def check(clock, count):
    organization = clock.create_organization()
    clock.start()
    office = Office(clock, organization, count // MEMBERS)
    staying = []

    def enter(one, members):
        # Hour by hour, so that many are created at one instant and in no order of their own.
        for hour in random.sample(range(office.hours), office.hours):
            staying.extend(office.enter(one, member, hour, half=0) for member in members)

    threads, faults = office.in_parallel(enter)
    for thread in threads:
        thread.join()
    assert not faults, faults
    assert len(staying) == office.hours * MEMBERS
    one = client.Client(clock.port)
    days = {"startDate": (office.end - 9 * 24 * HOUR).date(), "endDate": (office.end - 2 * 24 * HOUR).date()}
    lists = [({}, 100), ({}, 333), ({"match": "overlap"}, 47), ({"userId": office.members[3]}, 7),
             (days, 13), ({"match": "overlap", **days}, 29)]
    # What each list shows of those that stay, when nobody writes.
    wanted = [set(walk(office, one, 1_000, **filters)) for filters, _ in lists]
    assert wanted[0] == {entry["id"] for entry in staying}
    assert all(wanted)
    writers = Writers(office)
    rows = 0
    for _ in range(ROUNDS):
        for (filters, limit), wanted_ids in zip(lists, wanted):
            before = len(writers.inserted), len(writers.deleted)
            seen = walk(office, one, limit, **filters)
            rows += len(seen)
            assert len(seen) == len(set(seen)), f"{filters}: {len(seen) - len(set(seen))} rows are repeated"
            missing = wanted_ids - set(seen)
            assert not missing, f"{filters}: {len(missing)} of {len(wanted_ids)} rows are skipped"
            # The service takes what is written meanwhile; a short walk may be over before.
            if len(seen) > ENTRIES // 2:
                after = len(writers.inserted), len(writers.deleted)
                assert after[0] > before[0] and after[1] > before[1], f"nobody wrote: {before}, {after}"
    writers.end()
    one.close()
    clock.stop()
    return rows, len(writers.inserted), len(writers.deleted)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES
    binary = service.built_binary()
    reports = []
    with tempfile.TemporaryDirectory() as folder:
        reports.append(check(service.Service(binary, folder), count))
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster(["fsync=off"]) as cluster:
        reports.append(check(service.Service(binary, folder, cluster.make_database("clock")), count))
    print("paging: " + "; ".join(
        f"{rows} rows of {count // MEMBERS * MEMBERS} that stay, {inserted} inserted and {deleted} deleted meanwhile"
        for rows, inserted, deleted in reports) + "; none repeated, none skipped, on SQLite and PostgreSQL")


main()
