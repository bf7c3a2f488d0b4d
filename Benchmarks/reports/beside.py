#!/usr/bin/env python3
"""Measures how long the current entry takes to answer beside large reports and exports, among many entries.

usage: beside.py --folder FOLDER [--postgresql] [--rounds 5] [--seconds 5] [--rate 500] [--connections 32]
                 [--group-by user,day,project] [--organizations N] [--members N] [--days N]

FOLDER holds the data set, the same as that of projects.py; it is generated if it is missing, in the scale that the
options say.

Managers ask for the current entries of all members of all organizations in random order, 500 requests a second over
32 connections, each measured from when it was due (paced.py): a closed loop would fill both cores by itself, and
would show how they are shared and not how long somebody waits. In interleaved rounds this is done

- alone;
- beside a client that asks for the largest report without end (`report`). A report is of one organization and of
  3,660 dates at most: so it is all of one organization's entries, of one organization after the other, in rows by
  `--group-by`;
- beside a client that exports all entries of one organization after the other as CSV, as fast as they come
  (`export`);
- beside both.

Readers are processes of their own on the same two cores, with as much right to them as the service. The paced client
takes precedence over everything if it is root. Nothing keeps the cores awake (awake.py): one loop for each core, which
gives way to any other by its class, held the service up for whole turns of the scheduler.

Fails if the 99th percentile beside any of the three is more than twice that of the same round alone, in the median of
the rounds. Talks to loopback and a Unix socket only. Takes the static release build, or the one of TIMECLOCK_BINARY.
"""

import contextlib
import json
import pathlib
import random
import statistics
import sys
import tempfile
import time
import urllib.request

import data_sets
import paced
import readers
import spans
from kit import service

ALLOWED = 2
PAUSE = 1
KINDS = {"alone": (), "report": ("report",), "export": ("export",), "both": ("report", "export")}


def request(organization, path):
    base = f"/v1/organizations/{organization['organizationID']}/"
    head = f"Host: localhost\r\nAuthorization: Bearer {organization['token']}"
    return f"GET {base}{path} HTTP/1.1\r\n{head}\r\n\r\n".encode()


def members(clock, organization):
    """The ids of an organization's members."""
    cursor = ""
    while True:
        asked = urllib.request.Request(
            f"http://127.0.0.1:{clock.port}/v1/organizations/{organization['organizationID']}"
            f"/members?limit=1000{cursor}",
            headers={"Authorization": f"Bearer {organization['token']}"},
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            page = json.load(answer)
        yield from (member["userId"] for member in page["members"])
        if not page["nextCursor"]:
            return
        cursor = f"&cursor={page['nextCursor']}"


def current_entries(clock, content):
    """A request for each member, at random and the same each time."""
    requests = [
        request(organization, f"timeEntries/current?userId={member}")
        for organization in content["organizations"]
        for member in members(clock, organization)
    ]
    random.Random(4).shuffle(requests)
    return requests


def large_requests(content, dimensions):
    span = f"startDate={content['firstDay']}&endDate={content['lastDay']}&asOf={spans.Span.AS_OF:%Y-%m-%dT%H:%M:%SZ}"
    paths = {"report": f"reports/hours?{span}&groupBy={dimensions}", "export": "timeEntries/export?format=csv"}
    return {kind: [request(one, path) for one in content["organizations"]] for kind, path in paths.items()}


class Rounds:
    """The times of each kind by round, and the output of its readers."""

    def __init__(self, clock, content, options):
        self.clock, self.options = clock, options
        self.requests = current_entries(clock, content)
        self.large = large_requests(content, options.group_by)
        self.times = {kind: [] for kind in KINDS}
        self.read = {kind: [] for kind in KINDS}

    def measure(self, kind, seconds):
        with readers.reading(self.clock.port, [self.large[one] for one in KINDS[kind]]) as reading:
            time.sleep(PAUSE)
            times = paced.run(self.clock.port, self.requests, self.options.connections, self.options.rate, seconds)
            read = [(one.answers.value, one.bytes.value) for one in reading]
        if any(one.has_failed for one in reading):
            raise SystemExit(f"a reader ended early, beside {kind}")
        # A report that was under way goes on for nobody.
        time.sleep(PAUSE)
        return times, read

    def run(self):
        for kind in KINDS:
            self.measure(kind, 1)
        for number in range(self.options.rounds):
            for kind in KINDS:
                times, read = self.measure(kind, self.options.seconds)
                self.times[kind].append(times)
                self.read[kind].append(read)
            print(f"round {number + 1} of {self.options.rounds}", file=sys.stderr, flush=True)

    def of_all(self, kind, part):
        """The rounds' median of a percentile."""
        return statistics.median(paced.percentile(one.all, part) for one in self.times[kind])

    def ratios(self, kind):
        pairs = zip(self.times[kind], self.times["alone"])
        return [paced.percentile(one.all, 0.99) / paced.percentile(alone.all, 0.99) for one, alone in pairs]

    def show(self):
        """Prints the measurements; whether every limit is kept."""
        print(f"the current entry, {self.options.rate:g} requests a second, µs: medians of the rounds, longest of all")
        print("own p99: by how much the client was late to send, which is in its times")
        print(f"{'':8}{'p50':>8}{'p99':>8}{'longest':>9}{'own p99':>9}  answers a round and MB/s of each reader")
        for kind, rounds in self.times.items():
            late = statistics.median(one.late for one in rounds)
            longest = max(max(one.all) for one in rounds)
            print(
                f"{kind:8}{self.of_all(kind, 0.5):8.0f}{self.of_all(kind, 0.99):8.0f}{longest:9.0f}{late:9.0f}  "
                + ", ".join(
                    f"{name} {sum(counts) / len(counts):.1f} and "
                    f"{sum(sizes) / len(sizes) / self.options.seconds / 1e6:.1f}"
                    for name, counts, sizes in self._readers(kind)
                )
            )
        is_met = True
        for kind in list(KINDS)[1:]:
            ratios = self.ratios(kind)
            middle = statistics.median(ratios)
            is_met &= middle <= ALLOWED
            print(
                f"p99 beside {kind}: {middle:.2f} times that alone ({', '.join(f'{one:.2f}' for one in ratios)}), "
                f"allowed {ALLOWED}: {'met' if middle <= ALLOWED else 'MISSED'}"
            )
        return is_met

    def _readers(self, kind):
        for place, name in enumerate(KINDS[kind]):
            counts, sizes = zip(*(read[place] for read in self.read[kind]))
            yield name, counts, sizes


def main():
    parser = data_sets.parser()
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--group-by", default="user,day,project")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        data = stack.enter_context(data_sets.with_segments(options))
        for file in data.files:
            spans.read_through(file)
        clock = service.Service(service.built_binary(), folder, data.location)
        # A newer service than the data set's makes its indexes first.
        clock.start(patience=1_800)
        rounds = Rounds(clock, data.content, options)
        paced.take_precedence()
        rounds.run()
        clock.stop()
    sys.exit(0 if rounds.show() else 1)


if __name__ == "__main__":
    main()
