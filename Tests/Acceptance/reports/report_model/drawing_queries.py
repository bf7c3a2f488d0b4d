"""Random questions about a plan."""

import datetime

from . import facts, subjects, zones
from .drawing import DISTANT, ZONES, chance
from .plan import member_id, session_id
from .zones import HOUR


def draw_range(random, anchor):
    first = anchor - datetime.timedelta(days=random.randrange(8))
    roll = random.random()
    if roll < 0.15:
        return anchor, anchor
    if roll < 0.2:
        return anchor.replace(day=1, month=1), anchor.replace(day=31, month=12)
    if roll < 0.23:
        # As long as a report may be.
        first = anchor - datetime.timedelta(days=random.randrange(3_660))
        return first, first + datetime.timedelta(days=3_659)
    return first, first + datetime.timedelta(days=random.randrange(15))


def draw_filters(random, has_segments):
    """A filter of slices: mostly nothing, one thing or several."""
    if not chance(random, 0.4 if has_segments else 0.08):
        return {}
    drawn = {
        "project": subjects.project_id(random.randrange(len(subjects.PROJECTS))),
        "task": subjects.task_id(random.randrange(len(subjects.TASKS))),
        "client": random.choice([*subjects.CLIENTS, "Nobody"]),
        "tag": random.choice([*subjects.TAGS, "shallow"]),
        "is_billable": chance(random, 0.5),
        "kind": random.choice(facts.KINDS),
    }
    return {name: drawn[name] for name in random.sample(sorted(drawn), random.choice([1, 1, 1, 2, 3]))}


def draw_rounding(random):
    if not chance(random, 0.3):
        return None
    unit = random.choice([1, 2, 7, 60, 300, 360, 900, 1_800, 3_600, 86_400])
    return facts.Rounding(unit, random.choice(["nearest", "nearest", "up", "down"]))


def draw_query(random, plan, now, grouping=None):
    """A question about the plan's days, with its made-up ids.

    `grouping` is a grouping and an attribution, if they are not to be drawn.
    """
    group_by, attribution = grouping or (
        random.sample(facts.DIMENSIONS, random.randrange(1, 4)),
        random.choice(facts.ATTRIBUTIONS),
    )
    as_of = None
    active = [one.start for one in plan.entries if one.end is None]
    if active and chance(random, 0.6):
        as_of = random.choice(active) + random.choice([-HOUR, 0, 1, 999, 2 * HOUR, 17 * HOUR, 40 * HOUR])
        as_of = min(now, as_of + random.randrange(HOUR) if chance(random, 0.5) else as_of)
    elif chance(random, 0.05):
        as_of = zones.noon(plan.anchor)
    member, session = random.randrange(len(plan.members)), random.randrange(max(1, len(plan.sessions)))
    has_segments = plan.outside or any(one.segments for one in plan.entries)
    return facts.Query(
        *draw_range(random, plan.anchor),
        plan.zone if chance(random, 0.75) else random.choice(ZONES + DISTANT),
        as_of,
        tuple(random.sample(list(group_by), len(group_by))),
        attribution,
        member_id(member) if chance(random, 0.15) else None,
        session_id(session) if plan.sessions and chance(random, 0.2) else None,
        **draw_filters(random, has_segments),
        rounding=draw_rounding(random),
        codes=tuple(random.sample(facts.CODES, random.randrange(1, 4))) if chance(random, 0.3) else None,
    )
