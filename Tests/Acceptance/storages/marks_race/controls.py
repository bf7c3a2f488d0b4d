"""Ways to be wrong that have to be noticed."""

import contextlib
import copy
import sqlite3

from kit.expecting import expect

from . import judging

# In which each way has to be noticed.
ROUNDS = 120

# Lets an entry of approved time that is not locked begin ten minutes later, of one of the members who were made last.
LATER = """
UPDATE time_entries SET clock_in = clock_in + 600000 WHERE id = (
  SELECT e.id FROM time_entries e
  JOIN periods p ON p.organization_id = e.organization_id AND p.user_id = e.user_id
  WHERE e.clock_in < p.approved_until AND e.clock_in >= coalesce(p.locked_until, 0)
    AND e.user_id >= (SELECT max(user_id) - 1 FROM members)
    AND NOT EXISTS (SELECT 1 FROM segments s WHERE s.organization_id = e.organization_id AND s.time_entry_id = e.id)
  LIMIT 1)
"""
# Writers who ask for the marks of a member do not see a move in the last 0.3 seconds.
TOO_LATE = """
CREATE POLICY periods_too_late ON periods AS RESTRICTIVE FOR SELECT USING (
  current_query() NOT LIKE '%(SELECT u.user_id FROM users u WHERE u.id = $2)%'
  OR updated_at < 1000 * extract(epoch FROM clock_timestamp()) - 300)
"""


def execute(location, sql):
    """Runs SQL in a file of SQLite, beside the service."""
    with contextlib.closing(sqlite3.connect(location.removeprefix("sqlite:"), timeout=20)) as file, file:
        file.execute(sql)


def planted(races):
    """Each made-up fault is found in the facts of a round that has none; what was found of each."""
    missing, found = dict(PLANTED), []
    for number in range(ROUNDS):
        facts = races.race(number)
        expect(not judging.faults(facts, races.answers), "a round has no faults", number)
        for name in [*missing]:
            other = copy.deepcopy(facts)
            if missing[name](other):
                faults = judging.faults(other, races.answers)
                expect(faults, f"{name} is noticed in round {number}")
                found.append(name)
                del missing[name]
        if not missing:
            return f"{len(found)} made-up faults: " + "; ".join(found)
    return expect(False, f"{ROUNDS} rounds have no place for faults", [*missing])


def beside(races, execute):
    """Work that is changed by SQL alone is missed in what was approved."""
    return noticed(races, "time changed by SQL", interfere=lambda: execute(LATER))


def too_late(races, execute):
    """Marks that are read as they were a moment ago let writes in behind them, which the totals lack."""
    execute(TOO_LATE)
    return noticed(races, "marks of a moment ago", is_from_nothing=True)


def noticed(races, name, interfere=None, is_from_nothing=False):
    """A difference of figures; if so stated, in a round before which there were no marks."""
    for number in range(ROUNDS, 2 * ROUNDS):
        facts = races.race(number, interfere)
        if is_from_nothing and any(mark for state in facts.before for mark in state.values()):
            continue
        for one in judging.faults(facts, races.answers):
            if one.startswith("approved with"):
                return f"{name}, in round {number - ROUNDS + 1}: {one}"
    return expect(False, f"{name} is noticed within {ROUNDS} rounds")


def lack(facts):
    """Totals without a write that was answered as done."""
    for approval in judging.standing(facts):
        for name in ("paidSeconds", "reportedSeconds", "balanceSeconds"):
            approval.kept[name] -= 7_200
        return True


def differ(facts):
    for approval in judging.standing(facts):
        approval.is_told = True
        return True


def forget(facts):
    for write in facts.writes:
        if write.is_done and write.before != write.after:
            write.after = write.before
            return True


def change(facts):
    for write in facts.writes:
        if not write.is_done:
            write.after = {**(write.before or {}), "version": 9}
            return True


def come_late(facts):
    for write in facts.writes:
        if write.is_done and not write.mark(facts.before) and write.mark(facts.after):
            own = [one for one in facts.log if one["resourceId"] == judging.id_of(write)]
            facts.log = [one for one in facts.log if one not in own] + own
            return True


def refuse_early(facts):
    for write in facts.writes:
        if not write.is_done:
            write.content["mark"]["through"] = "2000-01-01"
            return True


def refuse_unsaid(facts):
    for write in facts.writes:
        if not write.is_done:
            del write.content["mark"]
            return True


def refuse_otherwise(facts):
    for write in facts.writes:
        if not write.is_done:
            write.code = "overlap"
            return True


def fail(facts):
    facts.moves[0].status, facts.moves[0].code = 503, "unavailable"
    return True


def write_unasked(facts):
    for write in facts.writes:
        if write.is_done:
            facts.writes.remove(write)
            return True


def approve_unsummed(facts):
    for one in facts.log:
        if one["resource"] == "approval":
            facts.log.remove(one)
            return True


PLANTED = {
    "totals that lack a write": lack,
    "a report that differs": differ,
    "a write that is lost": forget,
    "a refused write that is there": change,
    "a write behind the mark": come_late,
    "a refusal by a mark that never was": refuse_early,
    "a refusal without a mark": refuse_unsaid,
    "a refusal for something else": refuse_otherwise,
    "an answer of 503": fail,
    "a change that nobody asked for": write_unasked,
    "an approval without totals": approve_unsummed,
}
