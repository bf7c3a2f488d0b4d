#!/usr/bin/env python3
"""How long `timeclock organization move` closes an organization, and what others of both cells notice of it.

usage: move.py [--rounds 3] [--calm 60] [--rate 20] [ENTRIES...]

Makes two durable PostgreSQL clusters with an instance of the service each. In each round an organization of 50 members
gets that many entries (100,000) by requests, and moves once all its changes are sealed. One of its members clocks in or
out every 20 ms meanwhile: closed is from the last write that the source acknowledges to the first one of the target,
and "sent on" is until the source answers the target's address. In an organization of each cell that stays, members
clock in and out, look at their active entry and list 100 entries, 20 times a second each, timed from when each was due,
for `--calm` seconds with nothing else, and while the command runs.

Prints the figures of each round, and tables for docs/performance.md. All of it runs on one machine, whose processors
both cells, the command and the callers share. The callers take precedence over everything if this is root. Talks to
loopback and Unix sockets only. Takes the static release build, or the one of TIMECLOCK_BINARY.
"""

import argparse
import contextlib
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from callers import KINDS, Neighbor, Writer
from kit import postgresql, service
from kit.latency import percentile
from kit.office import Office

DATABASE = "clock"
MEMBERS, NEIGHBORS, NEIGHBOR_ENTRIES = 50, 20, 2_000
# As many entries as a request may have.
TOGETHER = 500
FIRST = datetime.date(1990, 1, 1)
# The seconds in which callers connect and warm up, and those in which a move has to end.
WARM_UP, PATIENCE = 2, 600
MOVE_HEAD = ["entries", "round", "closed, s", "for 100,000, s", "sent on, s", "command, s", "rows", "rows/s", "MB"]
MOVE_FORMS = ["{:.1f}"] * 4 + ["{:,.0f}"] * 3
OTHERS_HEAD = ["cell", "requests", "p50, ms", "during", "times", "p99, ms", "during", "times", "longest, ms", "during"]


class Cell:
    def __init__(self, name, cluster, folder):
        self.name, self.cluster = name, cluster
        self.location = cluster.make_database(DATABASE)
        folder.mkdir()
        self.clock = service.Service(service.built_binary(), folder, self.location)

    def add_organization(self, name, members, entries):
        """Its creation's answer, and API tokens of its members, who have a shift on each of many days."""
        created = self.clock.create_organization(name, email=f"admin@{name}.example")
        office = Office(self.clock.port, created)
        users = [office.add_member(f"m{number}@{name}.example", f"Member {number}") for number in range(members)]
        shifts = [shift(users[number % members], number // members) for number in range(entries)]
        for begin in range(0, entries, TOGETHER):
            office.ask("POST", "/timeEntries/bulk", {"mode": "atomic", "timeEntries": shifts[begin : begin + TOGETHER]})
        return created, [office.token_of(user) for user in users]

    def settle(self):
        """Returns when every change is sealed, and nothing is left to do for PostgreSQL."""
        while self.value("SELECT count(*) FROM unsealed_changes"):
            time.sleep(0.2)
        self.cluster.execute("VACUUM ANALYZE", DATABASE)
        self.cluster.execute("CHECKPOINT", DATABASE)

    def megabytes(self):
        return self.value(f"SELECT pg_database_size('{DATABASE}')") / 1e6

    def value(self, sql):
        return int(self.cluster.execute(sql, DATABASE)[0])


def shift(user, day):
    date = FIRST + datetime.timedelta(day)
    hours = {"clockInTime": f"{date}T08:00:00Z", "clockOutTime": f"{date}T16:00:00Z"}
    return {"userId": user, "notes": f"Shift {day}, counter and storeroom", **hours}


@contextlib.contextmanager
def started(name, folder):
    """A cell with an instance that runs, and an organization that stays."""
    with postgresql.Cluster() as cluster:
        cell = Cell(name, cluster, pathlib.Path(folder, name))
        cell.clock.create_organization("First")
        cell.clock.start(60)
        cell.staying = cell.add_organization(f"stays-{name}", NEIGHBORS, NEIGHBOR_ENTRIES)
        yield cell
        cell.clock.stop()


def move(source, target, organization):
    """The command's answer, and when it ran, from and to."""
    cells = ("--database", source.location, "--to", target.location)
    command = [service.built_binary(), "organization", "move", "--organization", organization, *cells]
    command += ["--address", f"http://127.0.0.1:{target.clock.port}"]
    environment = service.own_environment()
    begin = time.monotonic()
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)
    if ended.returncode != 0:
        sys.exit(f"the move ends with {ended.returncode}: {ended.stderr}{ended.stdout}")
    return json.loads(ended.stdout), (begin, time.monotonic())


def measure(source, target, name, entries, options):
    """Makes an organization and moves it: the move's figures, and by cell and kind the others' times, calm and during it."""
    created, tokens = source.add_organization(name, MEMBERS, entries)
    for cell in (source, target):
        cell.settle()
    size = target.megabytes()
    others = {
        (cell.name, kind): Neighbor(kind, options.rate, cell.clock.port, *cell.staying)
        for cell in (source, target)
        for kind in KINDS
    }
    for caller in others.values():
        caller.start()
    time.sleep(WARM_UP)
    calm = time.monotonic(), time.monotonic() + options.calm
    time.sleep(options.calm)
    # It starts only now: its writes would be load that is gone while the organization is closed.
    writer = Writer(source.clock.port, target.clock.port, created, tokens[0])
    writer.start()
    time.sleep(WARM_UP)
    answer, span = move(source, target, created["organizationID"])
    # The source repeats a refusal for a second.
    time.sleep(WARM_UP)
    for caller in (writer, *others.values()):
        caller.end()
    command, rows, closed = span[1] - span[0], sum(answer["rows"].values()), writer.first - writer.last
    late = sorted(1_000 * late for caller in others.values() for *_, late in caller.times)
    print(
        f"{name}: closed for {closed:.1f} s, {rows:,} rows in {command:.1f} s; callers, in their times, woke "
        f"{percentile(late, 0.99):.1f} ms late at p99, {late[-1]:.1f} at most\n"
    )
    sent_on, megabytes = writer.sent_on - writer.last, target.megabytes() - size
    figures = closed, closed * 100_000 / entries, sent_on, command, rows, rows / command, megabytes
    return figures, {key: [caller.milliseconds(*part) for part in (calm, span)] for key, caller in others.items()}


def show(head, lines):
    """Prints a table."""
    print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|")
    for values in lines:
        print(f"| {' | '.join(map(str, values))} |")
    print(flush=True)


def move_lines(entries, rounds):
    figures = [figures for figures, _ in rounds]
    medians = [statistics.median(column) for column in zip(*figures)]
    for name, values in [*enumerate(figures, 1), ("median", medians)]:
        yield [f"{entries:,}", name, *map(str.format, MOVE_FORMS, values)]


def others_lines(rounds):
    """Medians of the rounds and of their ratios, with their range; and the longest of all."""
    for key in rounds[0][1]:
        times = [others[key] for _, others in rounds]
        values = []
        for part in (0.5, 0.99):
            pairs = [[percentile(one, part) for one in pair] for pair in times]
            ratios = [during / calm for calm, during in pairs]
            values += [f"{statistics.median(column):.1f}" for column in zip(*pairs)]
            span = f" ({min(ratios):.1f}–{max(ratios):.1f})" if len(ratios) > 1 else ""
            values.append(f"{statistics.median(ratios):.1f}{span}")
        yield [*key, *values, *(f"{max(one[-1] for one in column):.1f}" for column in zip(*times))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calm", type=float, default=60, help="seconds before each move, not less than it takes")
    parser.add_argument("--rate", type=float, default=20, help="requests a second of each kind in each cell")
    parser.add_argument("entries", type=int, nargs="*", default=[100_000])
    options = parser.parse_args()
    results = {entries: [] for entries in options.entries}
    with (
        tempfile.TemporaryDirectory() as folder,
        started("source", folder) as source,
        started("target", folder) as target,
    ):
        for number in range(1, options.rounds + 1):
            for entries, rounds in results.items():
                rounds.append(measure(source, target, f"moves-{entries}-{number}", entries, options))
                show(OTHERS_HEAD, others_lines(rounds[-1:]))
    print("all rounds\n")
    show(MOVE_HEAD, [line for entries, rounds in results.items() for line in move_lines(entries, rounds)])
    for entries, rounds in results.items():
        print(f"others beside moves of {entries:,} entries: medians of {len(rounds)} rounds, the longest of all\n")
        show(OTHERS_HEAD, others_lines(rounds))


main()
