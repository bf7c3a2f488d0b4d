"""The rules that a round has to keep, as functions of its facts."""

import collections
import datetime
import itertools

from .facts import FIGURES, MARKS, date, marks_of


def faults(facts, answers):
    """Everything that must not be in a round's facts."""
    replay = Replay(facts)
    return [
        *[fault for one in facts.writes + facts.moves if (fault := answers.fault(one.operation, one.body, one))],
        *[f"{name}: {one}" for one in facts.writes for name in faults_of_write(one, facts, replay)],
        *faults_of_moves(facts.moves),
        *replay.faults,
        *[f"{name}: {one}" for one in standing(facts) for name in faults_of_figures(one)],
    ]


class Replay:
    """A round's log, gone through: the members' marks, and the faults of its order.

    Changes of one member follow one another as the member's lock does. An approval takes the lock of a calendar only
    before its totals are added up, so that for holidays the mark is there from the approval's own change on.
    """

    def __init__(self, facts):
        # Each member's marks, those at the beginning first, and those that bind holidays.
        self.states = [[state] for state in facts.before]
        self.of_holidays = list(facts.before)
        self.faults = []
        self.users = facts.users
        # Of each member the dates that have become approved, and those of the approvals that were kept.
        self.approved = [[] for _ in facts.users]
        kept = [[] for _ in facts.users]
        known = {id_of(one): one for one in facts.writes if one.is_done}
        for change in facts.log:
            if change["resource"] == "period":
                self.move(facts, change["data"])
            elif change["resource"] == "approval":
                data = change["data"]
                place = self.users.index(data["userId"])
                kept[place].append((date(data["from"]), date(data["through"])))
                self.of_holidays[place] = self.states[place][-1]
            elif write := known.get(change["resourceId"]):
                now = self.of_holidays if write.folder == "holidays" else [states[-1] for states in self.states]
                if mark := write.mark(now):
                    self.faults.append(f"made in time that is {mark['kind']} through {mark['through']}: {write}")
            else:
                self.faults.append(f"a change that no write was answered to have made: {change}")
        if kept != self.approved:
            self.faults.append(f"the marks have become approved as {self.approved}, and approvals were kept as {kept}")
        for place, dates in enumerate(kept):
            listed = [(one.start, one.through) for one in facts.approvals if one.member == place]
            if listed[len(listed) - len(dates) :] != dates:
                self.faults.append(f"approvals were kept as {dates}, and are listed as {listed}")
        if (last := [states[-1] for states in self.states]) != facts.after:
            self.faults.append(f"the log leaves the marks {last}, and they are {facts.after}")

    def move(self, facts, period):
        place, state = self.users.index(period["userId"]), marks_of(period)
        former = self.states[place][-1]["approved"]
        self.states[place].append(state)
        dates = [state[kind] or datetime.date.min for kind in MARKS]
        if dates != sorted(dates, reverse=True):
            self.faults.append(f"a mark is beyond a weaker one: {state}")
        if state["approved"] and state["approved"] > (former or datetime.date.min):
            start = former + datetime.timedelta(1) if former else facts.beginning
            self.approved[place].append((start, state["approved"]))
        else:
            self.of_holidays[place] = state

    def marks(self, write):
        """The strongest marks that have bound a write at some moment: of several members', at any of each."""
        found = [write.mark(states) for states in itertools.product(*self.states)]
        return [mark for mark in found if mark]


def faults_of_write(write, facts, replay):
    changes = [one for one in facts.log if one["resourceId"] == id_of(write)]
    if write.is_done:
        if len(changes) != 1:
            yield f"answered as done, and {len(changes)} changes are logged"
        if not is_as_wanted(write):
            yield f"answered as done, and there is {write.after}"
        return
    if write.code != "period_locked":
        yield "refused, though nothing but a mark can be in its way"
    elif write.content.get("mark") not in replay.marks(write):
        yield f"refused by the mark {write.content.get('mark')}, which was never the strongest that binds it"
    if changes or write.after != write.before:
        yield f"refused, and there is {write.after}, not {write.before}"


def is_as_wanted(write):
    if write.wanted is None or write.after is None:
        return write.wanted is write.after
    return all(value(write.after.get(name)) == wanted for name, wanted in write.wanted.items())


def value(found):
    """A value of JSON, an instant if it is a text with a time."""
    if isinstance(found, str) and found.endswith("Z") and "T" in found:
        return datetime.datetime.fromisoformat(found)
    return found


def id_of(write):
    """The id of the record that it is about; None if it was to be made and was not."""
    return write.record or (write.content["id"] if write.is_done and write.content else None)


def faults_of_moves(moves):
    # The refusals of a mark in a round, each by itself or in the answer about many.
    expected = {"not_submitted", "not_approved", "period_locked"}
    for move in moves:
        refused = [one["problem"]["code"] for one in (move.content or {}).get("refused", ())]
        codes = [move.code, *refused] if move.code else refused
        if any(code not in expected for code in codes):
            yield f"a move is refused with {codes}: {move}"


def standing(facts):
    """The approvals of which all dates are approved still, and none again."""
    found = []
    for place, state in enumerate(facts.after):
        last = state["approved"] or datetime.date.min
        for approval in reversed([one for one in facts.approvals if one.member == place]):
            if approval.through <= last:
                found.append(approval)
            last = min(last, approval.start - datetime.timedelta(1))
    return found


def faults_of_figures(approval):
    for name in [*FIGURES, "reportedSeconds"]:
        if approval.kept[name] != approval.now[name]:
            yield f"approved with {approval.kept[name]:,} {name}, and the report has {approval.now[name]:,}"
    if approval.is_told:
        yield "the report says that it differs from what was approved"


def outcomes(facts):
    """Counts of writes by their operations and when they came: before a mark of the round, behind one, let in by one
    that was taken back, bound by one that was there, or free of all."""
    counts = collections.Counter()
    replay = Replay(facts)
    for write in facts.writes:
        begun = write.mark(facts.before)
        later = replay.marks(write)
        if write.is_done:
            came = "let in" if begun else "before" if later else "free"
        else:
            came = "bound" if begun else "behind"
        counts[write.operation, came] += 1
    return counts
