#!/usr/bin/env python3
"""Balances, accounts and entitlements agree with an independent calculation, to the second, on SQLite and on PostgreSQL.

The calculation (`balance_model/`) finds the dates that a member's time counts for with Python's zoneinfo, and sums up
plans, holidays and absences by itself; it shares nothing with the service, and paid seconds with the calculation of
`report_oracle.py`. It is checked first: with the cases of `balance_model/cases.json`, whose answers were found by hand,
and second by second on small random years. Then the cases, and random years, are made in organizations of their own:
contracts, zones and beginnings of the day that change, plans of several weeks, holidays in part, absences of all kinds
that meet on dates, entitlements that expire, work over midnight and changes of the clocks. The service is asked for the
balances in every grouping, over ranges that begin anywhere and at other times, as JSON and CSV, for entitlements and
for accounts. Every answer has to add up: plans to holidays, absences and target, rows to totals, and balances since the
first date to the account that a row carries.

`balance_oracle.py [--sets N] [--members N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With
`--self-check` the rules of the calculation are made wrong, one at a time, and each has to be noticed; no service runs.
A difference prints the command that repeats it.
"""

import argparse
import collections
import random
import sys
import time

from balance_model import asking, cases, checks, drawing, drawing_queries, tables, truths
from balance_model.asking import Question
from balance_model.calculation import Balances
from balance_model.office import BalanceOffice
from kit import client, oracles, served
from report_model import zones
from report_model.drawing import chance

SETS = 12
MEMBERS = 4
# How many sets are gone through second by second for each that the service is asked about.
SMALL_SETS = 0.5
QUERIES = 12
# Of a set's members, whose accounts are of all dates since their first.
ACCOUNTS = 4


def check_calculation(seed, sets):
    """The seconds that were looked at one by one."""
    for case in cases.read():
        if found := case.calculated():
            sys.exit(f"{case.title}: it is calculated\n  " + "\n  ".join(found))
    try:
        return checks.compare_second_by_second(seed, int(sets * SMALL_SETS) + 1)
    except checks.Difference as difference:
        sys.exit(f"the calculation differs from itself in {difference}")


def draw(seed, members):
    """Years, and the instants and questions that they are asked about."""
    chances = random.Random(seed)
    now = asking.now()
    # Otherwise one seed would not always draw the same.
    now -= now % zones.DAY
    years = drawing.draw_years(chances, now, members)
    asked = {}
    for as_of in drawing_queries.draw_times(chances, years, now):
        queries = drawing_queries.draw_queries(chances, years, as_of, QUERIES)
        asked[as_of] = [Question(query, chance(chances, 0.1), draw_durations(chances)) for query in queries]
    return years, asked, drawing_queries.is_recent(years, now)


def draw_durations(chances):
    return chances.choice(list(tables.DURATIONS)) if chance(chances, 0.4) else None


class Run:
    """Sets and cases against one service."""

    def __init__(self, clock, operator):
        self.connection = client.Client(clock.port)
        self.operator = operator
        self.counts = collections.Counter()

    def check_cases(self):
        now = asking.now()
        for case in cases.read():
            if any(entry.end > now for entry in case.years.times.entries):
                continue
            office = BalanceOffice(self.connection, self.operator, case.years)
            self.counts["cases"] += 1
            question = Question(case.query(now))
            answer = question.ask(office)
            if answer.status != 200:
                sys.exit(f"{case.title}: {question.path(office)} is answered {answer}")
            report = asking.office_path(office, "/reports/entitlements", year=case.years.first.year)
            rows = office.ask(200, "GET", report)["rows"]
            used = next(asking.parts(row["usedDays"]) for row in rows if row["userId"] == office.members[0])
            if found := case.differences(answer.json, used):
                sys.exit(f"{case.title}: the service answers {question.path(office)} with\n  " + "\n  ".join(found))

    def check_set(self, years, asked, is_recent):
        """The first answer that differs from the calculation's, and how; None if none does."""
        office = BalanceOffice(self.connection, self.operator, years)
        known = office.known()
        self.counts["members"] += len(known.people)
        self.counts["entries"] += len(office.facts.entries)
        found = self.differences(office, known, asked, is_recent)
        return next((one for one in found if one is not None), None)

    def differences(self, office, known, asked, is_recent):
        for as_of, questions in asked.items():
            yield from self.reports(office, Balances(known, as_of), questions)
        for year in asking.years_of(known):
            self.counts["reports of entitlements"] += 1
            yield asking.entitlement_differences(office, known, year)
        for as_of in [*asked, *([None] if is_recent else [])]:
            for person in known.people[:ACCOUNTS]:
                self.counts["accounts"] += 1
                yield asking.account_differences(office, known, person, as_of)

    def reports(self, office, balances, questions):
        """With what the service answers first: every date since the first one."""
        whole = drawing_queries.whole(office.years, balances.as_of)
        days = office.ask(200, "GET", Question(whole).path(office))["rows"] if whole else []
        for question in [*([Question(whole)] if whole else []), *questions]:
            self.counts["reports"] += 1
            self.counts["tables"] += question.durations is not None
            yield question.difference(office, balances, days)


def check(name, clock, operator, wanted):
    """Compares everything; the counts of comparisons."""
    run = Run(clock, operator)
    begin = time.monotonic()
    run.check_cases()
    for number in range(wanted.seed, wanted.seed + wanted.sets):
        if found := run.check_set(*draw(number, wanted.members)):
            sys.exit(
                f"{name}: the service differs from the calculation ; repeat it with --database {name} "
                f"--seed {number} --sets 1 --members {wanted.members}\n{found}"
            )
    run.connection.close()
    return run.counts, time.monotonic() - begin


def self_check(wanted):
    seconds = check_calculation(wanted.seed, wanted.sets)
    try:
        found = checks.find_out(wanted.seed, wanted.members)
    except truths.Untrue as untrue:
        sys.exit(f"the calculation contradicts itself: {untrue}")
    oracles.told_apart("balance oracle", found, seconds, wanted.seed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=SETS)
    parser.add_argument("--members", type=int, default=MEMBERS)
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
        f"balance oracle: {wanted.sets} random sets on {names}, no second differs, "
        f"{seconds:,} seconds one by one; seed {wanted.seed}"
    )


main()
