"""The calculation checked without a service: with itself second by second, and with its own mistakes."""

import random

from report_model import zones

from . import drawing, drawing_queries, second_by_second, truths, wrong_accounts, wrong_dates, wrong_plans
from .calculation import Balances

# The present time of the years drawn here: after the 53rd ISO week of 2026.
NOW = zones.read("2027-02-01T12:00:00Z")
# In how many sets a mistake has to show.
SELF_CHECK_SETS = 400
QUERIES = 8


class Difference(Exception):
    """Two answers to one question."""


def compare_second_by_second(seed, count):
    """How many seconds of work were looked at; raises if the two ways differ."""
    seconds = 0
    for number in range(seed, seed + count):
        chances = random.Random(number)
        years = drawing.draw_years(chances, NOW, members=2, is_small=True)
        as_of = min(NOW, drawing_queries.draw_as_of(chances, years, NOW))
        known = years.known(NOW)
        right = Balances(known, as_of)
        for person in known.people:
            got = second_by_second.days(known, person, as_of)
            expected = [as_tuple(right, day) for day in right.all_days[person.member.id]]
            for one, other in zip([*expected, None], [*got, None]):
                if one != other:
                    raise Difference(f"set {number}, {person}\n  by interval:      {one}\n  second by second: {other}")
            seconds += sum(day.paid for day in right.all_days[person.member.id])
    return seconds


def as_tuple(right, day):
    sums = day.sums
    plan = (sums.planned, sums.holiday, sums.absence, sums.credited, sums.target)
    return day.date, plan, day.paid, day.adjustment, day.balance, day.account, right.used(sums)


def random_set(seed, members):
    """Facts and the instants and queries that they are asked about, as the service is."""
    chances = random.Random(seed)
    years = drawing.draw_years(chances, NOW, members)
    times = drawing_queries.draw_times(chances, years, NOW)
    return years, {as_of: drawing_queries.draw_queries(chances, years, as_of, QUERIES) for as_of in times}


def answers(kind, years, asked):
    """All that a calculation says to the questions about a set."""
    known, found = years.known(NOW), []
    for as_of, queries in asked.items():
        balances = kind(known, as_of)
        found += [balances.answer(query) for query in queries]
        found += [balances.year(person, one) for person in known.people for one in person.entitlements]
        found += [balances.account(person) for person in known.people if as_of == NOW]
    return found


def check_truths(years, asked):
    """Raises `truths.Untrue` if an answer of the calculation contradicts another."""
    for as_of, queries in asked.items():
        balances = Balances(years.known(NOW), as_of)
        whole = drawing_queries.whole(years, as_of)
        days = balances.answer(whole)["rows"] if whole else []
        for query in queries:
            truths.check(balances.answer(query), query, days)


def mistakes():
    """Every calculation that is wrong in one way."""
    modules = (wrong_dates, wrong_plans, wrong_accounts)
    return [kind for module in modules for kind in vars(module).values() if is_mistake(kind, module)]


def is_mistake(kind, module):
    return isinstance(kind, type) and issubclass(kind, Balances) and kind.__module__ == module.__name__


def find_out(seed, members):
    """By mistake: in how many sets it shows up first, None if it does in none."""
    found = dict.fromkeys(mistakes())
    for number in range(SELF_CHECK_SETS):
        years, asked = random_set(seed + number, members)
        check_truths(years, asked)
        right = answers(Balances, years, asked)
        for kind in [kind for kind in found if found[kind] is None]:
            if answers(kind, years, asked) != right:
                found[kind] = number + 1
        if None not in found.values():
            break
    return found
