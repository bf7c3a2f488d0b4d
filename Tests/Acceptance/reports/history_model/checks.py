"""The calculation checked without a service: with itself second by second, and with its own mistakes."""

import dataclasses
import random

from report_model import zones
from report_model.checks import NOW, Difference

from . import drawing, second_by_second, wrong_calculations
from .calculation import Calculation

# In how many sets a mistake has to show.
SELF_CHECK_SETS = 1_000


def small_set(seed):
    """Facts that few enough seconds have, and queries about them."""
    chances = random.Random(seed)
    drawn = drawing.draw_plan(chances, NOW, is_small=True)
    known = drawing.made_up_facts(drawn, NOW)
    # To now would be too many seconds.
    latest = min((entry.start for entry in known.entries if entry.end is None), default=NOW)
    as_of = min(NOW, latest + chances.randrange(8 * zones.HOUR))
    return known, [dataclasses.replace(drawing.draw_query(chances, drawn, NOW), as_of=as_of) for _ in range(3)]


def compare_second_by_second(seed, count):
    """How many seconds were looked at; raises if the two ways differ."""
    seconds = 0
    for number in range(seed, seed + count):
        known, queries = small_set(number)
        for query in queries:
            calculation = Calculation(known, query)
            answer = calculation.answer()
            found = second_by_second.differences(calculation, answer) + unsound(answer)
            if found:
                raise Difference(f"set {number}, {query}\n  " + "\n  ".join(found))
            seconds += sum(max(0, calculation.end(entry) - entry.start) // 1_000 for entry in known.entries)
    return seconds


def unsound(answer):
    """Sums that do not add up in an answer, of any origin."""
    found = []
    sums = {name: sum(row["seconds"] for row in answer[name]) for name in ("projects", "tasks")}
    of_days = sum(row["seconds"] for day in answer["days"] for row in day["projects"])
    if not sums["projects"] == sums["tasks"] == of_days:
        found.append(f"rows add up to {sums}, and those of days to {of_days}")
    if answer["attribution"] == "split" and of_days != answer["workSeconds"] - answer["breakSeconds"]:
        found.append(f"rows add up to {of_days}, and not to the work without breaks")
    if sum(day["workSeconds"] for day in answer["days"]) != answer["workSeconds"]:
        found.append("the days do not add up to the work")
    unpaid = answer["unpaidBreakSeconds"] + answer["deductedBreakSeconds"]
    if answer["paidSeconds"] != answer["workSeconds"] - unpaid or answer["paidSeconds"] < 0:
        found.append(f"{answer['paidSeconds']} seconds are paid")
    for rows in [answer["projects"], answer["tasks"], *(day["projects"] for day in answer["days"])]:
        shares = [row["share"] * 10_000 for row in rows]
        if any(abs(share - round(share)) > 1e-6 for share in shares):
            found.append(f"shares of {rows} are no multiples of 0.0001")
        if rows and sum(round(share) for share in shares) != 10_000:
            found.append(f"shares of {rows} are not one together")
    return found


def random_set(seed, queries):
    """Facts and queries as the service is asked."""
    chances = random.Random(seed)
    drawn = drawing.draw_plan(chances, NOW)
    asked = [drawing.draw_query(chances, drawn, NOW) for _ in range(queries)]
    return drawing.made_up_facts(drawn, NOW), [dataclasses.replace(query, as_of=query.as_of or NOW) for query in asked]


def find_out(seed, queries):
    """By mistake: in how many sets it shows up first, None if it does in none."""
    found = dict.fromkeys(wrong_calculations.ALL)
    for number in range(SELF_CHECK_SETS):
        known, asked = random_set(seed + number, queries)
        answers = [Calculation(known, query).answer() for query in asked]
        for kind in [kind for kind in found if found[kind] is None]:
            if any(kind(known, query).answer() != answer for query, answer in zip(asked, answers)):
                found[kind] = number + 1
        if None not in found.values():
            break
    return found
