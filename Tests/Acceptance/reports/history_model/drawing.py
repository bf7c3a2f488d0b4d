"""Random segments in the entries of a report's plan, and questions about them."""

import dataclasses
import datetime

from report_model import drawing, plan, zones
from report_model.drawing import chance
from report_model.zones import DAY, HOUR, MINUTE, SECOND

from . import facts

# Names that differ in case, in script, or not at all.
PROJECTS = [
    ("Harbour", "#007AFF"),
    ("Airport", "#34C7AF"),
    ("Harbour", "#FF0000"),
    ("harbour", "#000000"),
    ("Émile", "#FFFFFF"),
]
# A task with the place of its project, or of none.
TASKS = [("Paint", None), ("Paint", 0), ("Émail", 1), ("paint", None)]


@dataclasses.dataclass(frozen=True)
class PlannedSegment:
    """`entry` is a place in the plan's entries, None without one; `project` and `task` are places too."""

    member: int
    entry: int | None
    start: int
    end: int | None
    kind: str = "work"
    project: int | None = None
    task: int | None = None


@dataclasses.dataclass(frozen=True)
class HistoryPlan:
    plan: plan.Plan
    segments: tuple

    def facts(self, now):
        """What a history is calculated from, with made-up ids."""
        known = self.plan.facts(now)
        projects, tasks = subjects([f"project-{place}" for place in range(len(PROJECTS))], task_ids())
        members = range(len(self.plan.members))
        return facts.Facts(
            known.entries,
            tuple(
                facts.Segment(
                    plan.member_id(one.member),
                    None if one.entry is None else f"entry-{one.entry:03}",
                    one.start,
                    one.end,
                    one.kind,
                    None if one.project is None else projects[one.project],
                    None if one.task is None else tasks[one.task],
                )
                for one in self.segments
            ),
            known.policy.week_start,
            self.plan.zone,
            {plan.member_id(place): self.plan.zones[place] or self.plan.zone for place in members},
        )


def task_ids():
    return [f"task-{place}" for place in range(len(TASKS))]


def subjects(project_ids, task_ids):
    projects = [facts.Subject(one, *known) for one, known in zip(project_ids, PROJECTS)]
    return projects, [facts.Subject(one, name) for one, (name, _) in zip(task_ids, TASKS)]


def purpose(random):
    """What a segment is for: `kind`, `project`, `task`."""
    roll = random.random()
    if roll < 0.15:
        return "unpaid", None, None
    if roll < 0.25:
        return "paid", None, None
    if roll < 0.65:
        return "work", random.randrange(len(PROJECTS)), None
    task = random.randrange(len(TASKS))
    # A task says its project.
    return "work", TASKS[task][1], task


def segments_of(random, days, member, entry, start, end, now):
    """Segments of one entry in the order of time, the last one open in some entries that are."""
    found = []
    reached, stop = start, now if end is None else end
    while reached < stop and chance(random, 0.9):
        roll = random.random()
        begin = reached if roll < 0.5 else reached + random.randrange(1, 3 * HOUR)
        if chance(random, 0.2):
            length = random.choice([1, 400, 999, SECOND, 1_001, 1_700])
        else:
            length = random.randrange(1, 5 * HOUR)
        after = days.snapped(begin + length)
        after = after if after > begin else begin + length
        if chance(random, 0.2):
            after = stop
        if begin >= stop:
            break
        is_open = end is None and (after >= stop or chance(random, 0.2))
        found.append(PlannedSegment(member, entry, begin, None if is_open else min(after, stop), *purpose(random)))
        if is_open:
            break
        reached = min(after, stop)
    return found


def outside_of(random, member, taken, start, end):
    """Work without an entry between the segments of a member."""
    found = []
    for _ in range(random.randrange(3)):
        begin = random.randrange(start, end)
        after = begin + random.choice([999, MINUTE + 1, HOUR, 9 * HOUR, 3 * DAY])
        if all(after <= one[0] or one[1] <= begin for one in taken):
            taken.append((begin, after))
            kind, project, task = "work", random.randrange(len(PROJECTS)), None
            found.append(PlannedSegment(member, None, begin, after, kind, project, task))
    return found


def draw_plan(random, now, is_small=False):
    """A plan of a report with segments."""
    drawn = drawing.draw_small_plan(random, now) if is_small else drawing.draw_plan(random, now)
    drawn = dataclasses.replace(drawn, deactivated=frozenset(), anonymous=frozenset(), deleted=None)
    days = drawing.Days(random, drawn.zone, drawn.anchor, random.choice([15 * MINUTE, SECOND, 1]))
    segments = []
    for member in range(len(drawn.members)):
        own = []
        for place, one in enumerate(drawn.entries):
            if one.member == member and chance(random, 0.8):
                own += segments_of(random, days, member, place, one.start, one.end, now)
        taken = [(one.start, now if one.end is None else one.end) for one in own]
        middle = zones.noon(drawn.anchor)
        segments += own + outside_of(random, member, taken, middle - 5 * DAY, min(middle + 4 * DAY, now - 4 * DAY))
    return HistoryPlan(drawn, tuple(segments))


def draw_query(random, drawn, now):
    """A question about the days of a plan, with its made-up ids."""
    known = drawn.plan
    as_of = None
    active = [one.start for one in known.entries if one.end is None]
    if active and chance(random, 0.6):
        as_of = random.choice(active) + random.choice([-HOUR, 0, 1, 999, 2 * HOUR, 17 * HOUR, 40 * HOUR])
        as_of = min(now, as_of + random.randrange(HOUR) if chance(random, 0.5) else as_of)
    return facts.Query(
        random.choice(facts.PERIODS),
        known.anchor + datetime.timedelta(days=random.choice([0, 0, -1, 1, -2, 7])),
        as_of,
        random.choice(facts.ATTRIBUTIONS),
        random.choice(drawing.ZONES + drawing.DISTANT + [known.zone]) if chance(random, 0.5) else None,
        plan.member_id(random.randrange(len(known.members))) if chance(random, 0.6) else None,
    )
