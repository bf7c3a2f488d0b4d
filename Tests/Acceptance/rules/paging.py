#!/usr/bin/env python3
"""A member who pages through entries while eight others insert and delete sees each entry that stays, once, on both
databases.

The entries that stay are entered first; the others go between them, on the same days, and go away again. Everyone's
list, one member's, those of some days by date and by overlap are walked with pages of several sizes.
The same walk by page numbers, the naive way, has to repeat or skip some, or nothing was put to the test.
`paging.py ENTRIES` walks through about as many.
"""

import datetime
import itertools
import random
import sys
import tempfile
import threading
import time
import urllib.parse

from kit import client, postgresql, service
from kit.office import Office

ENTRIES = 2_000
MEMBERS = 24
WRITERS = 8
ROUNDS = 3
# In which page numbers have to fail.
CONTROL_SECONDS = 60
# How many entries that do not stay a writer has in the list at a time.
PASSING = 40
HOUR = datetime.timedelta(hours=1)


class OfficeAtWork(Office):
    """An organization, its members, and the half hours in which they may have been at work."""

    def __init__(self, clock, organization, hours):
        super().__init__(clock.port, organization)
        self.clock = clock
        self.hours = hours
        self.end = datetime.datetime.now(datetime.UTC).replace(minute=0, second=0, microsecond=0)
        self.members = [self.add_member(f"m{number}@example.com", f"Member {number}") for number in range(MEMBERS)]
        self.close()

    def call(self, one, method, path, body=None, fields=()):
        answer = one.request(method, self.base + path, self.token, body, fields)
        assert answer.status in (200, 201, 204), f"{method} {path}: {answer}"
        return answer

    def enter(self, one, member, hour, half):
        """An entry in a half of an hour before now."""
        start = self.end - (hour + 1) * HOUR + half * HOUR / 2
        return self.call(
            one,
            "POST",
            "/timeEntries",
            {"userId": member, "clockInTime": start.isoformat(), "clockOutTime": (start + HOUR / 2).isoformat()},
        ).json

    def in_parallel(self, work):
        """Calls `work` with a client and a share of the members in as many threads as there are writers."""
        failures = []

        def run(number):
            one = client.Client(self.clock.port)
            try:
                work(one, self.members[number::WRITERS])
            except Exception as error:  # A thread's error would be lost.
                failures.append(repr(error))
            one.close()

        threads = [threading.Thread(target=run, args=(number,)) for number in range(WRITERS)]
        for thread in threads:
            thread.start()
        return threads, failures


class Writers:
    """Insert and delete, each for some of the members; use it in a `with`."""

    def __init__(self, office):
        self.office = office
        self.ended = threading.Event()
        # Lists of acts; appending is atomic.
        self.inserted = []
        self.deleted = []

    def __enter__(self):
        self.threads, self.failures = self.office.in_parallel(self.write)
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()

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


def pages(office, one, limit, filters):
    """The ids of all rows, page by page."""
    parameters = {"limit": limit, **filters}
    while True:
        page = office.call(one, "GET", f"/timeEntries?{urllib.parse.urlencode(parameters)}").json
        yield [entry["id"] for entry in page["timeEntries"]]
        if page["nextCursor"] is None:
            return
        parameters["cursor"] = page["nextCursor"]


def walk(office, one, limit, filters):
    """The ids of all rows."""
    return list(itertools.chain.from_iterable(pages(office, one, limit, filters)))


def walk_by_numbers(office, one, limit):
    """The ids of all rows, each page counted from the list's beginning as it is then."""
    seen = []
    for number in itertools.count():
        page = next(itertools.islice(pages(office, one, limit, {}), number, None), [])
        seen += page
        if len(page) < limit:
            return seen


def faults(seen, wanted):
    """Faults of a list that has to hold some rows; empty if there are none."""
    repeated, missing = len(seen) - len(set(seen)), len(wanted - set(seen))
    return f"{repeated} rows are repeated, {missing} of {len(wanted)} are skipped" if repeated or missing else ""


def check(clock, count):
    organization = clock.create_organization()
    clock.start()
    office = OfficeAtWork(clock, organization, count // MEMBERS)
    staying = []

    def enter(one, members):
        # Hour by hour, so that many are created at one instant and in no order of their own.
        for hour in random.sample(range(office.hours), office.hours):
            staying.extend(office.enter(one, member, hour, half=0) for member in members)

    threads, failures = office.in_parallel(enter)
    for thread in threads:
        thread.join()
    assert not failures, failures
    assert len(staying) == office.hours * MEMBERS
    one = client.Client(clock.port)
    days = {"startDate": (office.end - 9 * 24 * HOUR).date(), "endDate": (office.end - 2 * 24 * HOUR).date()}
    lists = [
        ({}, 100),
        ({}, 333),
        ({"match": "overlap"}, 47),
        ({"userId": office.members[3]}, 7),
        (days, 13),
        ({"match": "overlap", **days}, 29),
        ({"userId": ",".join(office.members[3:6]), **days}, 11),
        ({"source": "admin,api", "updatedSince": "2026-01-01T00:00:00Z"}, 59),
    ]
    # The entries that stay in each list, when nobody writes.
    wanted = [set(walk(office, one, 1_000, filters)) for filters, _ in lists]
    assert wanted[0] == {entry["id"] for entry in staying}
    assert all(wanted)
    rows = 0
    with Writers(office) as writers:
        for (filters, limit), wanted_ids in [*zip(lists, wanted)] * ROUNDS:
            seen = walk(office, one, limit, filters)
            rows += len(seen)
            assert not faults(seen, wanted_ids), f"{filters}: {faults(seen, wanted_ids)}"
        deadline = time.monotonic() + CONTROL_SECONDS
        while not faults(walk_by_numbers(office, one, min(count // 8, 1_000)), wanted[0]):
            assert time.monotonic() < deadline, "page numbers do as well: nothing was put to the test"
    assert not writers.failures, writers.failures
    one.close()
    clock.verify()
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
    print(
        "paging: "
        + "; ".join(
            f"{rows} rows of {count // MEMBERS * MEMBERS} that stay, {inserted} inserted and {deleted} deleted meanwhile"
            for rows, inserted, deleted in reports
        )
        + "; none repeated, none skipped, on SQLite and PostgreSQL"
    )


main()
