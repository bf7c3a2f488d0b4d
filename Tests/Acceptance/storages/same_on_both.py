#!/usr/bin/env python3
"""The same random operations against the service on SQLite and on PostgreSQL get the same answers.

Statuses, header fields and bodies are compared, with ids, tokens, cursors and the present time masked: the same id has
the same mask in both, so that references agree. `same_on_both.py [--operations N] [--seed S]`; the seed is printed and
repeats the sequence.
"""

import argparse
import collections
import csv
import datetime
import io
import pathlib
import random
import re
import sys
import tempfile

from kit import python_packages

python_packages.enter()

from kit import client, postgresql, service
from random_world.world import World

OPERATIONS = 5_000
# Fields of the connection or the moment, not of the answer.
OTHER_FIELDS = {"date", "content-length"}
MASKED = re.compile(
    r"(?P<id>[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})"
    r"|(?P<token>\b[0-9a-f]{64}\b)"
    r"|(?P<epoch>\b[0-9a-f]{16}\b)"
    r'|(?P<cursor>(?<="nextCursor":")[^"]*)'
    r'|(?P<use>(?<="lastUsedAt":)(?:null|"[^"]*"))'
    r"|(?P<instant>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"
)
DAY = datetime.timedelta(days=1)
HOUR = datetime.timedelta(hours=1)
SECOND = datetime.timedelta(seconds=1)


class Mask:
    """Replaces values that differ from run to run, the same value always by the same word."""

    def __init__(self, start):
        self.start = start
        self.words = {}

    def text(self, text):
        masked = MASKED.sub(self.word, text)
        if self.is_of_the_past(masked):
            # Exact, but for the entries that somebody should look at, which may have ended by now.
            return re.sub(r'("clockOutTime":[^{}]*"seconds":)\d+', r"\1<>", masked)
        # How long something runs, or ran, that began or ended with the service's own clock.
        masked = re.sub(
            r'("(?:secondsToday|seconds|totalSeconds|(?:work|paid|unpaidBreak|deductedBreak|regular)Seconds|'
            r'(?:daily|weekly)OvertimeSeconds|share)":)(?:[\d.]+|\[[\d,]*\])',
            r"\1<>",
            masked,
        )
        # A clock's figures, and its tag, which is made of ids and instants.
        masked = re.sub(r'("(?:session|break|daily|segment|segmentDaily)Seconds":)\d+', r"\1<>", masked)
        masked = re.sub(r'"display":"[^"]*"', '"display":<>', masked)
        # Running and past seconds of a timer; of a session that ended at the present, and of its sums.
        masked = re.sub(r'("(?:elapsed|remaining|timeSpentPaused)Seconds":)\d+', r"\1<>", masked)
        masked = re.sub(r'("progress":)[\d.]+', r"\1<>", masked)
        masked = re.sub(r'("endTime":)"[^"]*"(,"lastStartTime":"<now)', r"\1<>\2", masked)
        masked = re.sub(r'("endTime":"<[^{}]*"durationMinutes":)\d+(,"interruptionsMinutes":)\d+', r"\1<>\2<>", masked)
        masked = re.sub(r'("minutes":)\d+(,"interruptionsMinutes":)\d+', r"\1<>\2<>", masked)
        if '"contentState"' in masked:
            # Dates in each of their forms, and the time passed until now.
            masked = re.sub(r'("(?:\w+(?:Date|Time|Seconds)|progress)":)(?:[\d.]+|"[^"]*")', r"\1<>", masked)
        masked = re.sub(r'^W/"[0-9a-f]{32}"$', "<tag>", masked)
        return re.sub(
            r'((?:"clockInTime"|"clockOutTime"|"startTime"|"endTime"):(?:"<|null)[^{}]*"durationSeconds":)\d+',
            r"\1<>",
            masked,
        )

    def is_of_the_past(self, text):
        """Whether it is a report of whole dates on which the service's own clock has begun and ended nothing."""
        found = re.search(r'"endDate":"([\d-]{10})","timeZone":"[^"]*","attribution":"split"', text)
        return bool(found) and found[1] < str((self.start - 2 * DAY).date())

    def table(self, text):
        """A CSV of entries. If an instant is the present one, so are the values derived from it."""
        if not text:
            return text
        separator = re.search("[,;\t]", text)[0]
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator))
        running = set()
        for row in rows[1:]:
            row[:] = [self.text(cell) for cell in row]
            # clockInTime, clockOutTime and their local forms.
            is_now = [row[column] == "" or row[column].startswith("<now") for column in (5, 6)]
            row[7], row[8] = ("<>" if now else cell for now, cell in zip(is_now, row[7:9]))
            row[20], row[21] = ("<>" if now else cell for now, cell in zip(is_now, row[20:22]))
            # The remainder of rounding one duration is carried over to the member's next ones.
            if any(is_now) and rows[0][10] != "durationSeconds":
                running.add(row[1])
            row[10] = "<>" if any(is_now) or row[1] in running else row[10]
        return repr(rows)

    def calendar(self, text):
        """A calendar, whose instants have no milliseconds."""
        text = re.sub(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z", r"\1-\2-\3T\4:\5:\6.000Z", text)
        return self.text(text)

    def word(self, match):
        kind, value = match.lastgroup, match[0]
        if kind == "instant":
            return self.instant(value)
        if kind in ("cursor", "use"):
            # A use is written down some time later.
            return "<>"
        return self.words.setdefault(value, f"<{kind} {len(self.words)}>")

    def instant(self, text):
        """An instant of this run, or of this run some time on, is the present one; others were stated."""
        instant = datetime.datetime.fromisoformat(text[:-1] + "+00:00")
        elapsed = datetime.datetime.now(datetime.UTC) - self.start
        for later in (0 * DAY, 120 * SECOND, 8 * HOUR, 7 * DAY, 30 * DAY, 365 * DAY):
            if -SECOND <= instant - self.start - later <= elapsed + SECOND:
                return f"<now + {later}>"
        return text


class Sides:
    """Both services, asked the same."""

    def __init__(self, clocks, start):
        self.clients = [client.Client(clock.port) for clock in clocks]
        self.masks = [Mask(start) for _ in clocks]
        self.statuses = collections.Counter()
        self.succeeded = set()
        self.codes = set()
        self.count = 0

    def ask(self, operation):
        """Both answers, which are the same."""
        requests = [operation.request(side) for side in (0, 1)]
        for one, request in zip(self.clients, requests):
            one.send(*request)
        answers = [one.receive(operation.method) for one in self.clients]
        masked = [self.masked(answer, mask) for answer, mask in zip(answers, self.masks)]
        self.count += 1
        if masked[0] != masked[1] or answers[0].status in (500, 503, 507):
            sys.exit(
                f"operation {self.count}, {operation.name}, is not answered the same\n"
                + "\n".join(f"{request}\n  {answer}" for request, answer in zip(requests, masked))
            )
        self.statuses[answers[0].status] += 1
        if answers[0].status < 300:
            self.succeeded.add(operation.name)
        elif answers[0].code:
            self.codes.add(answers[0].code)
        return answers

    def masked(self, answer, mask):
        fields = {name: mask.text(value) for name, value in answer.fields.items() if name not in OTHER_FIELDS}
        kind = answer.fields.get("content-type", "").partition(";")[0]
        masked = {"text/csv": mask.table, "text/calendar": mask.calendar}.get(kind, mask.text)
        return answer.status, fields, masked(answer.body.decode())


def run(binary, folder, location, count, seed):
    token = random.Random(seed).randbytes(32).hex()
    operator = pathlib.Path(folder, "operator")
    operator.write_text(token)
    clocks = []
    for name, database in [("sqlite", None), ("postgresql", location)]:
        place = pathlib.Path(folder, name)
        place.mkdir()
        options = ["--operator-token-file", str(operator)]
        clocks.append(service.Service(binary, place, database=database, options=options))
        clocks[-1].start()
    start = datetime.datetime.now(datetime.UTC)
    sides = Sides(clocks, start)
    world = World(random.Random(seed), sides.ask, token, start)
    for _ in range(count):
        world.step()
    world.leave()
    world.look_at_everything()
    for one in sides.clients:
        one.close()
    for clock in clocks:
        clock.verify()
        clock.stop()
    return sides


def every_operation():
    return set(re.findall(r"^ +operationId: (\w+)$", (service.TOP / "openapi.yaml").read_text(), re.M))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--operations", type=int, default=OPERATIONS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster(["fsync=off"]) as cluster:
        location = cluster.make_database("clock")
        sides = run(service.built_binary(), folder, location, wanted.operations, wanted.seed)
    if wanted.operations >= OPERATIONS:
        missing = every_operation() - sides.succeeded
        assert not missing, f"{missing} never succeeded"
    print(
        f"same on both: {sides.count} answers, {len(sides.succeeded)} operations succeeded, "
        f"{len(sides.codes)} problems met; statuses {dict(sorted(sides.statuses.items()))}; seed {wanted.seed}"
    )


main()
