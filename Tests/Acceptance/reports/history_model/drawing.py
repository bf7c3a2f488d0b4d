"""Random plans of reports with segments in their entries, and questions about their histories."""

import dataclasses
import datetime

from report_model import drawing, drawing_segments, plan
from report_model.drawing import chance
from report_model.zones import HOUR

from . import facts


def draw_plan(random, now, is_small=False):
    drawn = drawing.draw_small_plan(random, now) if is_small else drawing.draw_plan(random, now)
    drawn = dataclasses.replace(drawn, deactivated=frozenset(), anonymous=frozenset(), deleted=None)
    return drawing_segments.with_segments(random, drawn, now)


def facts_of(drawn, known, members):
    """The facts of a history: those of a report, and the zones of the members with these ids."""
    own = {member: zone or drawn.zone for member, zone in zip(members, drawn.zones)}
    return facts.Facts(known.entries, known.segments, known.policy, drawn.zone, own)


def made_up_facts(drawn, now):
    return facts_of(drawn, drawn.facts(now), map(plan.member_id, range(len(drawn.members))))


def draw_query(random, drawn, now):
    """A question about the days of a plan, with its made-up ids."""
    as_of = None
    active = [one.start for one in drawn.entries if one.end is None]
    if active and chance(random, 0.6):
        as_of = random.choice(active) + random.choice([-HOUR, 0, 1, 999, 2 * HOUR, 17 * HOUR, 40 * HOUR])
        as_of = min(now, as_of + random.randrange(HOUR) if chance(random, 0.5) else as_of)
    return facts.Query(
        random.choice(facts.PERIODS),
        drawn.anchor + datetime.timedelta(days=random.choice([0, 0, -1, 1, -2, 7])),
        as_of,
        random.choice(facts.ATTRIBUTIONS),
        random.choice(drawing.ZONES + drawing.DISTANT + [drawn.zone]) if chance(random, 0.5) else None,
        plan.member_id(random.randrange(len(drawn.members))) if chance(random, 0.6) else None,
    )
