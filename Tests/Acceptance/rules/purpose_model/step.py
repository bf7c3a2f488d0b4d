"""The shared part of the steps about segments."""

import dataclasses

from time_model import rules
from time_model.comparing import expect
from time_model.drawing import ABSENT_ID, CAST, chance, chosen
from time_model.step import Step

from .rules import Segment


@dataclasses.dataclass(frozen=True)
class SegmentStep(Step):
    """A step about one segment: mostly one that is there, else one that was, or none at all."""

    choice: float
    existence: float
    # Whether it is one of the actor's own, if there is one, or the running one.
    is_own: bool
    is_open: bool

    @classmethod
    def draw_segment(cls, random, actor):
        is_own = chance(random, 0.93 if CAST[actor] == "member" else 0.3)
        return random.random(), random.random(), is_own, chance(random, 0.25)

    def segment(self, office):
        """The segment, None if there is none; and its id."""
        gone = office.gone_segments if self.existence < 0.04 else []
        segments = office.segments
        for is_wanted, kept in [
            (self.is_own, [one for one in segments if one.user is office.people[self.actor]]),
            (self.is_open, [one for one in segments if one.is_open]),
        ]:
            segments = kept if is_wanted and kept else segments
        if not segments or gone or self.existence < 0.015:
            return None, chosen(gone, self.choice, ABSENT_ID)
        segment = chosen(segments, self.choice, None)
        return segment, segment.id


def expect_time(stated, text, window, answer, earliest=0):
    """The instant that the service has made of a stated one, or of none: now, and not before `earliest`."""
    read = rules.read(text)
    if stated is not None and (stated == read or stated <= window.earliest):
        expect(read == stated <= window.latest, f"it is {rules.written(stated)}", answer)
    else:
        expect(
            max(window.earliest, earliest) <= read <= max(window.latest, earliest),
            f"it is between {window}, not before {earliest}",
            answer,
        )
    return read


def new_segment(office, actor, subject, made, start, end, entry, purpose, words, window, source=None):
    """Takes the id and the service's clock over, once they are found to be possible."""
    created = rules.read(made["createdAt"])
    expect(window.earliest <= created <= window.latest, f"it was created between {window}", made)
    known = [one.id for one in office.segments] + office.gone_segments
    expect(made["id"] not in known, "ids are new", made)
    segment = Segment(
        id=made["id"],
        user=subject,
        entry=entry,
        purpose=purpose,
        is_paid=purpose.is_paid,
        is_billable=purpose.is_billable,
        name=words.kept_name(purpose.standard_name, purpose),
        tags=words.kept_tags,
        start=start,
        end=end,
        zone=subject.zone or office.zone,
        source=source or ("api" if actor is subject else "admin"),
        created=created,
        updated=created,
    )
    office.segments.append(segment)
    return segment


def end_segment(office, segment, end, window):
    """Ends the running segment; it is not kept if nothing would be left of it."""
    segment.end = end
    segment.version += 1
    segment.updated = rules.Window(*window)
    if not office.is_kept(segment.start, end):
        office.remove(segment)
