"""The calculation checked without a service: with itself second by second, and with its own mistakes."""

import dataclasses
import random

from . import (
    calculation,
    drawing_queries,
    drawing_segments,
    second_by_second,
    wrong_breaks,
    wrong_calculations,
    wrong_rounding,
    wrong_segments,
    zones,
)

# The present time of the samples drawn here: after the 53rd ISO week of 2026.
NOW = zones.read("2027-02-01T12:00:00Z")

# Every calculation that is wrong in one way.
MISTAKES = wrong_calculations.ALL + wrong_segments.ALL + wrong_breaks.ALL + wrong_rounding.ALL

# In how many sets a mistake has to show.
SELF_CHECK_SETS = 1_000


class Difference(Exception):
    """Two answers to one question."""


def small_set(seed):
    """Facts that few enough seconds have, and queries about them."""
    chances = random.Random(seed)
    plan = drawing_segments.draw_plan(chances, NOW, is_small=True)
    known = plan.facts(NOW)
    # To now would be too many seconds.
    latest = min((entry.start for entry in known.entries if entry.end is None), default=NOW)
    as_of = min(NOW, latest + chances.randrange(8 * zones.HOUR))
    return known, [dataclasses.replace(drawing_queries.draw_query(chances, plan, NOW), as_of=as_of) for _ in range(4)]


def compare_second_by_second(seed, count):
    """How many seconds were looked at; raises if the two ways differ."""
    seconds = 0
    for number in range(seed, seed + count):
        known, queries = small_set(number)
        for query in queries:
            right = calculation.Calculation(known, query)
            expected = (right.rows(), right.sums(right.hours))
            got = second_by_second.rows_and_totals(known, query)
            if got != expected:
                raise Difference(f"set {number}, {query}\n  by interval:      {expected}\n  second by second: {got}")
            seconds += sum(max(0, right.end(entry) - entry.start) // 1_000 for entry in known.entries)
    return seconds


def random_set(seed, queries):
    """Facts and queries as the service is asked."""
    chances = random.Random(seed)
    plan = drawing_segments.draw_plan(chances, NOW)
    drawn = [drawing_queries.draw_query(chances, plan, NOW) for _ in range(queries)]
    return plan.facts(NOW), [dataclasses.replace(query, as_of=query.as_of or NOW) for query in drawn]


def find_out(seed, queries):
    """By mistake: in how many sets it shows up first, None if it does in none."""
    found = dict.fromkeys(MISTAKES)
    for number in range(SELF_CHECK_SETS):
        known, asked = random_set(seed + number, queries)
        answers = [calculation.Calculation(known, query).answer() for query in asked]
        for kind in [kind for kind in found if found[kind] is None]:
            if any(kind(known, query).answer() != answer for query, answer in zip(asked, answers)):
                found[kind] = number + 1
        if None not in found.values():
            break
    return found
