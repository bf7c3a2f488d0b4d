#!/usr/bin/env python3
"""Histories agree with an independent calculation, to the second, on SQLite and on PostgreSQL.

The calculation (`history_model/`) cuts every entry and its segments by itself with Python's zoneinfo. It is checked
first, second by second on small random sets. Then random sets about the days on which histories go wrong are made in
organizations of their own, in seven zones, and the service is asked about days, weeks and months of one member and of
everyone, in other zones, at other times, with either attribution. Every answer has to add up: rows to the work without
breaks, days to periods, shares to exactly 1.

`history_oracle.py [--sets N] [--queries N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With
`--self-check` the rules of the calculation are made wrong, one at a time, and each has to be noticed; no service runs.
"""

import argparse
import collections
import random
import sys
import time

from history_model import asking, checks
from kit import client, oracles, served

SETS = 25
QUERIES = 16
# How many sets are gone through second by second for each that the service is asked about.
SMALL_SETS = 0.2


def check_calculation(seed, sets):
    """The seconds that were looked at one by one."""
    try:
        return checks.compare_second_by_second(seed, int(sets * SMALL_SETS) + 1)
    except checks.Difference as difference:
        sys.exit(f"the calculation differs from itself in {difference}")


def check(name, clock, operator, wanted):
    """Compares everything; the counts of comparisons."""
    connection, counts = client.Client(clock.port), collections.Counter()
    begin = time.monotonic()
    for number in range(wanted.seed, wanted.seed + wanted.sets):
        drawn, questions = asking.draw(number, wanted.queries)
        office = asking.HistoryOffice(connection, operator, drawn)
        counts["entries"] += len(office.facts.entries)
        counts["segments"] += len(office.facts.segments)
        for question in questions:
            counts["histories"] += 1
            if found := question.difference(office):
                sys.exit(
                    f"{name}: the service differs from the calculation ; repeat it with --database {name} "
                    f"--seed {number} --sets 1 --queries {wanted.queries}\n{found}"
                )
    connection.close()
    return counts, time.monotonic() - begin


def self_check(wanted):
    seconds = check_calculation(wanted.seed, wanted.sets)
    found = checks.find_out(wanted.seed, wanted.queries)
    oracles.told_apart("history oracle", found, seconds, wanted.seed)


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
    seconds = check_calculation(wanted.seed, wanted.sets)
    names = oracles.compared(check, wanted)
    print(
        f"history oracle: {wanted.sets} random sets on {names}, no second differs, "
        f"{seconds:,} seconds one by one; seed {wanted.seed}"
    )


main()
