#!/usr/bin/env python3
"""Reports and timesheets agree with an independent calculation, to the second, on SQLite and on PostgreSQL.

The calculation (`report_model/`) cuts every entry by itself with Python's zoneinfo. It is checked first: with the cases
of `cases.json`, whose answers were found by hand, and second by second on small random sets. Then the cases, and random
sets about the days on which reports go wrong, are made in organizations of their own, and the service is asked about
each of them: the groupings by up to three of the eleven dimensions with every attribution come in turn, over ranges
that cut entries, in other zones, with filters, rounded, at other times, as timesheets and as CSV. About half of the sets have
segments: work on projects and tasks, and breaks, for which policies have rules.
A difference prints the command that repeats it and the fewest entries and segments that still show it.

`report_oracle.py [--sets N] [--queries N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With
`--self-check` the rules of the calculation are made wrong, one at a time, and each has to be noticed; no service runs.
"""

import argparse
import collections
import dataclasses
import itertools
import random
import sys
import time

from kit import client, oracles, served
from report_model import cases, checks, drawing, drawing_queries, drawing_segments, facts, shortening, zones
from report_model.asking import Question
from report_model.office import PlannedOffice

SETS = 40
QUERIES = 16
# How many sets are gone through second by second for each that the service is asked about.
SMALL_SETS = 0.25
# How often a set that differs is made again to make it shorter.
REPETITIONS = 100
GROUPINGS = [
    (group, attribution)
    for length in (1, 2, 3)
    for group in itertools.combinations(facts.DIMENSIONS, length)
    for attribution in facts.ATTRIBUTIONS
]


def check_calculation(seed, sets):
    """The seconds that were looked at one by one."""
    for case in cases.read():
        for name, answer in case.calculated(checks.NOW):
            if found := case.differences(answer):
                sys.exit(f"{case.title}: {name} it is\n  " + "\n  ".join(found))
    try:
        return checks.compare_second_by_second(seed, int(sets * SMALL_SETS) + 1)
    except checks.Difference as difference:
        sys.exit(f"the calculation differs from itself in {difference}")


def draw(seed, queries):
    """A plan, and questions about it; the next seed goes on in the groupings and attributions where this one ends."""
    chances = random.Random(seed)
    now = time.time_ns() // 1_000_000
    # Otherwise one seed would not always draw the same.
    today = now - now % zones.DAY
    plan = drawing_segments.draw_plan(chances, today)
    return plan, [
        draw_question(chances, plan, today, GROUPINGS[(seed * queries + number) % len(GROUPINGS)])
        for number in range(queries)
    ]


def draw_question(chances, plan, now, grouping):
    query = drawing_queries.draw_query(chances, plan, now, grouping)
    is_own = drawing.chance(chances, 0.1)
    has_csv = drawing.chance(chances, 0.15)
    if drawing.chance(chances, 0.12):
        purposes = (chances.choice(facts.PURPOSES),) if drawing.chance(chances, 0.6) else ()
        query = dataclasses.replace(query, session=None, group_by=purposes)
        return Question(query, is_own, chances.choice(facts.PERIODS), has_csv)
    return Question(query, is_own, None, has_csv)


class Run:
    """Sets and cases against one service."""

    def __init__(self, clock, operator):
        self.connection = client.Client(clock.port)
        self.operator = operator
        self.counts = collections.Counter()

    def check_cases(self):
        now = time.time_ns() // 1_000_000
        for case in cases.read():
            if not case.is_over(now):
                continue
            office = PlannedOffice(self.connection, self.operator, case.plan)
            question = case_question(case, now)
            self.counts["cases"] += 1
            path = question.path(office)
            answer = self.connection.request("GET", path, office.token)
            if answer.status != 200:
                sys.exit(f"{case.title}: {path} is answered {answer}")
            if found := case.differences(answer.json):
                sys.exit(f"{case.title}: the service answers {path} with\n  " + "\n  ".join(found))

    def check_set(self, plan, questions):
        """The first question that is answered otherwise, and how."""
        office = PlannedOffice(self.connection, self.operator, plan)
        self.counts["entries"] += len(office.facts.entries)
        self.counts["segments"] += len(office.facts.segments)
        for question in questions:
            self.counts["timesheets" if question.period else "reports"] += 1
            self.counts["CSV"] += question.has_csv
            if found := question.difference(office):
                return question, found
        return None

    def shortened(self, plan, question, message):
        """The fewest entries and segments found with which the question is still answered otherwise."""
        repetitions = 0
        for pieces in (shortening.entries, shortening.segments):
            size = max(1, len(pieces(plan)) // 2)
            while size and repetitions < REPETITIONS:
                start = 0
                while start < len(pieces(plan)) and repetitions < REPETITIONS:
                    shorter = shortening.without(plan, pieces(plan)[start : start + size])
                    repetitions += 1
                    if found := self.check_set(shorter, [question]):
                        plan, message = shorter, found[1]
                    else:
                        start += size
                size //= 2
        return plan, message


def case_question(case, now):
    query = case.query(case.plan.facts(now), now)
    period = case.stated.get("timesheet", {}).get("period")
    return Question(dataclasses.replace(query, as_of=None if query.as_of == now else query.as_of), period=period)


def check(name, clock, operator, wanted):
    """Compares everything; the counts of comparisons."""
    run = Run(clock, operator)
    begin = time.monotonic()
    run.check_cases()
    for number in range(wanted.sets):
        plan, questions = draw(wanted.seed + number, wanted.queries)
        if found := run.check_set(plan, questions):
            question, message = found
            shorter, message = run.shortened(plan, question, message)
            sys.exit(
                f"{name}: the service differs from the calculation ; repeat it with --database {name} "
                f"--seed {wanted.seed + number} --sets 1 --queries {wanted.queries}\n{message}\n"
                f"the fewest entries found, in {plan.zone} with {plan.policy}:\n"
                + "".join(f"  {line}\n" for line in shortening.described(shorter))
            )
    run.connection.close()
    return run.counts, time.monotonic() - begin


def self_check(wanted):
    seconds = check_calculation(wanted.seed, wanted.sets)
    found = checks.find_out(wanted.seed, wanted.queries)
    oracles.told_apart("report oracle", found, seconds, wanted.seed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=SETS)
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    served.add_option(parser)
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    if wanted.self_check:
        self_check(wanted)
        return
    check_calculation(wanted.seed, wanted.sets)
    names = oracles.compared(check, wanted)
    print(f"report oracle: {wanted.sets} random sets on {names}, no second differs; seed {wanted.seed}")


main()
