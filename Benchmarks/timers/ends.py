#!/usr/bin/env python3
"""How soon the ends of many timers are stored that fall into one second, among a million that run.

usage: ends.py [--timers N] [--ends N] [--rounds N] [--interval SECONDS] [--sqlite] [--postgresql]

Fills a database beside the service, starts one instance on SQLite and three on PostgreSQL, and waits for the rounds,
each a second in which that many timers end. Prints when the last session could be read, counted from the last end of
its second; how long after their ends timers were noticed; and the instances' use of a processor while timers ran that
did not end. Ends with 1 if an end has left none or two sessions. Takes the static release build, or the one of
TIMECLOCK_BINARY.
"""

import argparse
import os
import pathlib
import sqlite3
import statistics
import sys
import tempfile
import time

from kit import postgresql, service

# Members of each organization; the same people are members of all.
PEOPLE = 1_000
# From the schedule to the first round, in milliseconds.
LEAD = 15_000
INSTANCES = 3

# SQL for both databases, but for the `{...}` parts.
ORGANIZATIONS = """
INSERT INTO organizations (organization_id, id, name, time_zone, minimum_seconds, maximum_seconds, edit_window_days,
  look_back_hours, notes_maximum_characters, version, created_at, updated_at)
SELECT {n}, {id}, 'Large', 'UTC', 60, 57600, 30, 72, 500, 1, 0, 0 FROM {numbers}
"""
USERS = """
INSERT INTO users (user_id, id, email, email_key, name, created_at)
SELECT {n}, {id}, 'm' || {n} || '@x.example', 'm' || {n} || '@x.example', 'M', 0 FROM {numbers}
"""
MEMBERS = """
INSERT INTO members (organization_id, user_id, {member_number} name, role, active, accepted, version, created_at, updated_at)
SELECT o.organization_id, u.user_id, {member_number_value} 'M', 'member', {true}, {true}, 1, 0, 0
FROM organizations o CROSS JOIN users u WHERE o.organization_id > 1000 AND u.user_id > 1000 LIMIT {count}
"""
TIMERS = """
INSERT INTO timers (organization_id, user_id, state, id, type, start_time, end_time, last_start_time, paused_by_background,
  paused_time, original_time, adjusted_time, was_adjusted, pauses_in_background, streak, auto_starts, due_at, version,
  updated_at)
SELECT organization_id, user_id, 'running', {random}, 'focus', {end} - 1500000, {end}, {end} - 1500000, {false}, 0, 1500000,
  0, {false}, {false}, 0, 0, {end}, 1, {end} - 1500000 FROM members WHERE organization_id > 1000
"""
LARGE = "SELECT organization_id FROM organizations WHERE organization_id > 1000 ORDER BY 1"
ENDING = """
UPDATE timers SET start_time = {end} - 1500000, end_time = {end}, last_start_time = {end} - 1500000, due_at = {end},
  updated_at = {end} - 1500000 WHERE organization_id > 1000 AND user_id = {user}
"""


class Base:
    """The parts of SQL that differ for one kind of database."""

    def fill(self, count, now):
        organizations = -(-count // PEOPLE)
        words = self.words
        self.run(ORGANIZATIONS.format(numbers=self.numbers(1_001, 1_000 + organizations), **words))
        self.run(USERS.format(numbers=self.numbers(1_001, 1_000 + PEOPLE), **words))
        self.run(MEMBERS.format(count=count, **words))
        # They end over some 25 minutes, long after the rounds.
        end = f"{now + 3_600_000} + (organization_id * 7919 + user_id * 104729) % 1500000"
        self.run(TIMERS.format(end=end, **words))

    def schedule(self, ends, starts):
        """Gives `ends` timers an end in the second of each round, which begin at `starts`."""
        organizations = self.organizations()
        parts = -(-ends // len(organizations))
        for number, start in enumerate(starts):
            # A person in as many organizations as there are, and as many people as it takes.
            for part in range(parts):
                user = 1_001 + number * parts + part
                left = min(len(organizations), ends - part * len(organizations))
                condition = f" AND organization_id <= {organizations[left - 1]}"
                end = f"{start} + (organization_id * 7919) % 1000"
                self.run(ENDING.format(end=end, user=user) + condition)


class SQLite(Base):
    words = {
        "n": "value",
        "id": "CAST(printf('%016d', value) AS BLOB)",
        "random": "randomblob(16)",
        "true": "1",
        "false": "0",
        "member_number": "member_number,",
        "member_number_value": "o.organization_id * 10000 + u.user_id,",
    }

    def __init__(self, path):
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute("PRAGMA synchronous = OFF")

    def numbers(self, first, last):
        return (
            f"(WITH RECURSIVE n (value) AS (SELECT {first} UNION ALL SELECT value + 1 FROM n WHERE value < {last}) "
            "SELECT value FROM n)"
        )

    def run(self, sql):
        return self.database.execute(sql).fetchall()

    def organizations(self):
        return [row[0] for row in self.run(LARGE)]

    def finish(self):
        self.run("UPDATE row_numbers SET last_number = 100000000")
        self.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def sessions(self, first, last):
        """The number of sessions that end from `first` to `last`, and how late each was noticed."""
        return [
            row[0]
            for row in self.run(
                f"SELECT created_at - end_time FROM timer_sessions WHERE end_time BETWEEN {first} AND {last}"
            )
        ]


class PostgreSQL(Base):
    words = {
        "n": "value",
        "id": "md5('b' || value)::uuid",
        "random": "gen_random_uuid()",
        "true": "true",
        "false": "false",
        "member_number": "",
        "member_number_value": "",
    }

    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name

    def numbers(self, first, last):
        return f"generate_series({first}, {last}) value"

    def run(self, sql):
        return self.cluster.execute(sql, self.name)

    def organizations(self):
        return [int(row) for row in self.run(LARGE)]

    def finish(self):
        self.run("VACUUM ANALYZE")
        self.run("CHECKPOINT")

    def sessions(self, first, last):
        sql = f"SELECT created_at - end_time FROM timer_sessions WHERE end_time BETWEEN {first} AND {last}"
        return [int(row) for row in self.run(sql)]


def processor_seconds(process):
    """User and system time, proc(5)."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def milliseconds():
    return int(time.time() * 1_000)


def wait_until(instant):
    time.sleep(max(0, (instant - milliseconds()) / 1_000))


def measure(name, base, clocks, options):
    now = milliseconds()
    base.fill(options.timers, now)
    print(f"{name}: {options.timers:,} timers run, made in {(milliseconds() - now) / 1_000:.0f} s", flush=True)
    base.finish()
    first = milliseconds() + LEAD
    starts = [first + number * options.interval * 1_000 for number in range(options.rounds)]
    base.schedule(options.ends, starts)
    for clock in clocks:
        clock.start(patience=60)
    if milliseconds() > first - 6_000:
        sys.exit("The rounds began before the instances ran: give it a longer LEAD")
    wait_until(first - 5_500)
    before = [processor_seconds(clock.process.pid) for clock in clocks]
    wait_until(first - 500)
    used = [processor_seconds(clock.process.pid) - start for clock, start in zip(clocks, before)]
    print(f"{name}: while none ends, {', '.join(f'{100 * one / 5:.1f} %' for one in used)} of a processor", flush=True)
    visible, late = [], []
    for start in starts:
        # The last end of the second.
        end = start + 999
        wait_until(end)
        while True:
            found = base.sessions(start, end)
            seen = milliseconds()
            if len(found) >= options.ends or seen > end + 5_000:
                break
            time.sleep(0.01)
        visible.append(seen - end)
        late += found
    time.sleep(1)
    is_wrong = any(len(base.sessions(start, start + 999)) != options.ends for start in starts)
    late.sort()
    print(
        f"{name}: {options.ends:,} ends in a second, {options.rounds} times: the last session could be read "
        f"{statistics.median(visible):.0f} ms after the second (at most {max(visible)} ms); noticed after "
        f"{late[len(late) // 2]} ms (median), {late[-1]} ms at most",
        flush=True,
    )
    if is_wrong:
        sys.exit(f"{name}: an end has left none, or two")
    for clock in clocks:
        clock.stop()


def on_sqlite(binary, options):
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        clock = service.Service(binary, folder)
        clock.create_organization()
        base = SQLite(f"{folder}/timeclock.db")
        measure("SQLite", base, [clock], options)


def on_postgresql(binary, options):
    with (
        tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder,
        postgresql.Cluster() as cluster,
    ):
        location = cluster.make_database("timers")
        clocks = [service.Service(binary, folder, location) for _ in range(INSTANCES)]
        clocks[0].create_organization()
        measure(f"PostgreSQL, {INSTANCES} instances", PostgreSQL(cluster, "timers"), clocks, options)


def main():
    parser = argparse.ArgumentParser(description="How soon the ends of many timers are stored.")
    parser.add_argument("--timers", type=int, default=1_000_000)
    parser.add_argument("--ends", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--interval", type=int, default=6, help="seconds between two rounds")
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--postgresql", action="store_true")
    options = parser.parse_args()
    binary = service.built_binary()
    if options.sqlite or not options.postgresql:
        on_sqlite(binary, options)
    if options.postgresql or not options.sqlite:
        on_postgresql(binary, options)


main()
