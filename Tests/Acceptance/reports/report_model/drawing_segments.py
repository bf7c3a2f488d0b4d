"""Random segments in the entries of a plan, and between them."""

import dataclasses

from . import drawing, subjects, zones
from .drawing import Days, chance
from .plan import PlannedSegment
from .zones import DAY, HOUR, MINUTE, SECOND


def draw_purpose(random):
    """The purpose of a segment."""
    roll = random.random()
    if roll < 0.3:
        return {"break_type": random.randrange(len(subjects.BREAKS))}
    if roll < 0.7:
        return {"project": random.randrange(len(subjects.PROJECTS))}
    task = random.randrange(len(subjects.TASKS))
    # A task says its project.
    return {"task": task, "project": subjects.TASKS[task].project}


def draw_details(random):
    """Tags, of breaks as well."""
    tags = random.sample(subjects.TAGS, random.randrange(1, 4)) if chance(random, 0.25) else []
    return {"tags": tuple(sorted(tags))}


def draw_length(random, purpose, break_minimum):
    if "break_type" in purpose and chance(random, 0.6):
        kind = subjects.BREAKS[purpose["break_type"]]
        around = random.choice([break_minimum, break_minimum / 2, kind.expected, kind.last_expected]) or 600
        return max(1, int(around * SECOND) + random.choice([0, 0, -1, 1, -SECOND, SECOND, 500, -500, 5 * MINUTE]))
    if chance(random, 0.2):
        return random.choice([1, 400, 999, SECOND, 1_001, 1_700])
    return random.randrange(1, 5 * HOUR)


def segments_of(random, days, start, end, now, break_minimum):
    """Segments of one entry in the order of time, the last one open in some entries that are."""
    found = []
    reached, stop = start, now if end is None else end
    while reached < stop and chance(random, 0.9):
        begin = reached if chance(random, 0.5) else reached + random.randrange(1, 3 * HOUR)
        purpose = draw_purpose(random)
        after = begin + draw_length(random, purpose, break_minimum)
        # A break has its length to the millisecond.
        snapped = after if "break_type" in purpose and chance(random, 0.7) else days.snapped(after)
        after = snapped if snapped > begin else after
        if chance(random, 0.15):
            after = stop
        if begin >= stop:
            break
        is_open = end is None and (after >= stop or chance(random, 0.2))
        details = draw_details(random)
        if "break_type" not in purpose and chance(random, 0.15):
            details["stated_billable"] = chance(random, 0.5)
        found.append(PlannedSegment(begin, None if is_open else min(after, stop), **purpose, **details))
        if is_open:
            break
        reached = min(after, stop)
    return tuple(found)


def outside_of(random, member, taken, start, end):
    """Work without an entry between the segments of a member, maybe while another entry goes on."""
    found = []
    for _ in range(random.randrange(3)):
        begin = random.randrange(start, end)
        after = begin + random.choice([999, MINUTE + 1, HOUR, 9 * HOUR, 3 * DAY])
        if all(after <= one[0] or one[1] <= begin for one in taken):
            taken.append((begin, after))
            found.append((member, PlannedSegment(begin, after, random.randrange(len(subjects.PROJECTS)))))
    return found


def with_segments(random, plan, now):
    """The plan with segments in most of its entries."""
    days = Days(random, plan.zone, plan.anchor, random.choice([15 * MINUTE, SECOND, 1]))
    entries = [
        dataclasses.replace(one, segments=segments_of(random, days, one.start, one.end, now, plan.policy.break_minimum))
        if chance(random, 0.8)
        else one
        for one in plan.entries
    ]
    outside = []
    middle = zones.noon(plan.anchor)
    for member in range(len(plan.members)):
        taken = [
            (segment.start, now if segment.end is None else segment.end)
            for one in entries
            if one.member == member
            for segment in one.segments
        ]
        outside += outside_of(random, member, taken, middle - 5 * DAY, min(middle + 4 * DAY, now - 4 * DAY))
    return dataclasses.replace(plan, entries=tuple(entries), outside=tuple(outside))


def draw_plan(random, now, is_small=False):
    """A plan, about every second one with segments."""
    plan = drawing.draw_small_plan(random, now) if is_small else drawing.draw_plan(random, now)
    return with_segments(random, plan, now) if chance(random, 0.5) else plan
