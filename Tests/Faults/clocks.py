#!/usr/bin/env python3
"""The service's wall clock jumps forward and back, while it runs and before it starts.

Each time the clock is wrong for a moment, while the service runs or from its start on, and right again. The ledger
holds as ever, and those who were clocked in before are so afterwards, though the organization ends entries forgotten
for twelve hours: a clock that is wrong for seconds ends nobody's entry. Nor does it end or take away their timers, of
which one runs and one pauses, nor sessions that a timer has left and the organization keeps for a day, nor log-ins.
With `--self-check` somebody else ends such an entry, and stops such a timer, which has to be noticed.
"""

import pathlib
import random
import secrets
import struct
import sys
import tempfile
import time

import compare
import harness
import ledger as ledgers
import shims
import workload
from kit import client, service

HOUR = 3_600
DAY = 24 * HOUR
# API tokens end after a year.
JUMPS = [2 * HOUR, 30 * HOUR, 3 * DAY, 300 * DAY, -2 * HOUR, -30 * HOUR, -30 * DAY]
AHEAD = [30 * HOUR, 3 * DAY, 40 * DAY, 900 * DAY]
# Sessions of timers are kept for this long.
KEPT_DAYS = 1
FORGOTTEN_AFTER = 12 * HOUR
CALLERS, WATCHED = 6, 4
# The job that ends forgotten entries runs two seconds after the start, and then every minute.
FIRST_ROUND, LATER_ROUND = 3.5, 62


class Clock:
    """The file that says how wrong the service's clock is."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "offset"
        self.path.write_bytes(struct.pack("<q", 0))

    def set(self, seconds):
        with open(self.path, "r+b") as file:
            file.write(struct.pack("<q", seconds))


class OfficeWithWrongClock:
    """Callers at work, and some people who have been clocked in before and do nothing."""

    def __init__(self, folder, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.clock = Clock(folder)
        self.server = service.Service(harness.binary(), pathlib.Path(folder) / "data")
        self.server.folder.mkdir()
        self.server.environment = shims.clock(self.clock.path)
        self.organization = self.server.create_organization()
        self.server.start()
        self.world = workload.World(self.server.port, self.organization, members=CALLERS + WATCHED)
        # Idle ones are members without a caller.
        self.watched = self.world.members[CALLERS:]
        for member in self.watched:
            member.token = self._log_in(member)
        self.ledger = ledgers.Ledger(folder)
        self.database = compare.SQLiteDatabase(self.server.folder / "timeclock.db")
        self.entries = [self._clock_in(member) for member in self.watched]
        self._ask(
            self.organization["token"],
            "PATCH",
            self.world.base,
            {"policy": {"autoClockOutAfter": FORGOTTEN_AFTER, "timerSessionDays": KEPT_DAYS}},
            [("If-Match", "*")],
        )
        self.timers = self._start_timers()

    def _log_in(self, member):
        """The token of a member's own log-in, for timers are nobody else's. A password ends tokens that an admin has made."""
        email, password = f"{member.user}@example.com", secrets.token_urlsafe(24)
        changes = {"email": email, "password": password}
        admin = self.organization["token"]
        self._ask(admin, "PATCH", f"{self.world.base}/members/{member.user}", changes, [("If-Match", "*")])
        return self._ask(None, "POST", "/v1/auth/token", {"email": email, "password": password}).json["token"]

    def _timers(self, member, method, path="", body=None):
        return self._ask(member.token, method, f"{self.world.base}/timers{path}", body).json

    def _start_timers(self):
        """The members whose timers run and pause, with their states; the first of them has a session besides."""
        running, paused = self.watched[:2]
        start = {"type": "focus", "durationSeconds": 28_800}
        self._timers(running, "POST", "", start)
        # Of an hour ago, which leaves a session.
        begin = time.strftime("%FT%TZ", time.gmtime(time.time() - HOUR))
        end = time.strftime("%FT%TZ", time.gmtime(time.time() - HOUR // 2))
        queue = [
            {"id": f"00000000-0000-4000-8000-00000000000{number}", "type": kind, "at": at, **more}
            for number, kind, at, more in [(1, "start", begin, {"timer": start}), (2, "stop", end, {})]
        ]
        third = self.watched[2]
        for result in self._timers(third, "POST", "/commands", {"commands": queue})["results"]:
            assert result["status"] == "applied", result
        self._timers(paused, "POST", "", start)
        self._timers(paused, "POST", "/current/pause")
        return [(running, "running", 0), (paused, "paused", 0), (third, "reset", 1)]

    def lost(self):
        """The timers that are not as they were, and sessions that are gone or new."""
        found = []
        for member, state, sessions in self.timers:
            now = self._timers(member, "GET", "/current")["state"]
            if now != state:
                found.append(f"the timer of {member.user} is {now}, and it was {state}")
            kept = self._ask(member.token, "GET", self.world.base + "/timerSessions").json["timerSessions"]
            if len(kept) != sessions:
                found.append(f"{member.user} has {len(kept)} sessions of timers, and had {sessions}")
        return found

    def _clock_in(self, member):
        number, mark = self.ledger.intend("clockIn", member.user)
        answer = self._ask(member.token, "POST", self.world.entries + "/clockIn", {"notes": mark})
        self.ledger.conclude(number, answer.status, answer.code, workload.said(answer))
        return answer.json["id"]

    def _ask(self, token, method, path, body=None, fields=()):
        asker = client.Client(self.server.port)
        try:
            answer = asker.request(method, path, token, body, fields)
            assert answer.status < 300, answer
            return answer
        finally:
            asker.close()

    def jump(self, load):
        """While it runs."""
        seconds = self.random.choice(JUMPS)
        load.resume()
        time.sleep(0.2)
        self.clock.set(seconds)
        time.sleep(0.4)
        self.clock.set(0)
        time.sleep(0.2)
        return f"a jump of {seconds / HOUR:+.0f} h"

    def jump_at_job(self, load):
        """While it runs, and the job's second round comes."""
        load.resume()
        time.sleep(LATER_ROUND - 10)
        seconds = self.random.choice([each for each in AHEAD if each < 365 * DAY])
        self.clock.set(seconds)
        time.sleep(20)
        self.clock.set(0)
        return f"a jump of {seconds / HOUR:+.0f} h at a round of the job"

    def start_ahead(self, load, is_busy=False):
        # Callers have tokens that end after a year.
        seconds = self.random.choice([each for each in AHEAD if each < 365 * DAY or not is_busy])
        load.resume()
        time.sleep(0.2)
        load.pause()
        self.server.kill()
        self.clock.set(seconds)
        self.server.start()
        if is_busy:
            # Keyed writes that were open are more than a day old by this clock, and would be done a second time.
            load.forget()
            load.resume()
        time.sleep(FIRST_ROUND)
        self.clock.set(0)
        load.resume()
        time.sleep(0.2)
        return f"a start {seconds / HOUR:+.0f} h ahead{', with callers' if is_busy else ''}"

    def start_ahead_busy(self, load):
        return self.start_ahead(load, is_busy=True)

    def round(self, load, play):
        """The faults after something was played."""
        what = f"seed {self.seed}, {play(self, load)}"
        load.pause()
        load.settle()
        found = self.ended() + self.lost() + self.database.faults(self.ledger.operations()) + load.faults
        return [f"{what}: {fault}" for fault in found]

    def end_one(self):
        self._timers(self.watched[0], "POST", "/current/stop")
        self._ask(
            self.organization["token"], "POST", self.world.entries + "/clockOut", {"userId": self.watched[0].user}
        )

    def ended(self):
        """The members who are not clocked in any more, though nobody has clocked them out."""
        found = []
        for member, entry in zip(self.watched, self.entries):
            current = self._ask(member.token, "GET", self.world.entries + "/current").json["timeEntry"]
            if not current or current["id"] != entry:
                found.append(f"the entry {entry} was ended, and nobody has done that")
        return found


# In turn; those of the first line in the short form.
PLAYS = [
    OfficeWithWrongClock.jump,
    OfficeWithWrongClock.start_ahead_busy,
    OfficeWithWrongClock.start_ahead,
    OfficeWithWrongClock.jump,
    OfficeWithWrongClock.start_ahead,
    OfficeWithWrongClock.jump_at_job,
]


def run(seed, play):
    """The faults, and how many operations were acknowledged. No play is the control."""
    with tempfile.TemporaryDirectory(prefix="timeclock-clocks-") as folder:
        office = OfficeWithWrongClock(folder, seed)
        with workload.Workload([office.server.port], office.world, office.ledger, seed, CALLERS) as load:
            load.pause()
            if play:
                faults = office.round(load, play)
            else:
                office.end_one()
                faults = office.ended() and office.lost()
        operations = office.ledger.operations()
        office.server.kill()
        office.ledger.remove()
    return faults, sum(operation.outcome == ledgers.OK for operation in operations)


def main():
    options = harness.options(__doc__, short=2, long=60, count="jumps and starts")
    if options.self_check:
        faults, _ = run(options.seed, None)
        harness.conclude(faults, f"clocks, seed {options.seed}", is_self_check=True)
    faults, acknowledged = [], 0
    for number in range(options.count):
        found, more = run(options.seed + number, PLAYS[number % len(PLAYS)])
        faults += found
        acknowledged += more
        if options.form == "long":
            print(f"{number + 1} rounds, {len(faults)} faults", file=sys.stderr, flush=True)
    harness.conclude(
        faults, f"clocks, seed {options.seed}: {options.count} jumps and starts, {acknowledged} acknowledged operations"
    )


if __name__ == "__main__":
    main()
