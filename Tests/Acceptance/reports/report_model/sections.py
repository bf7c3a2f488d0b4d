"""An entry cut by its segments, in milliseconds."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Section:
    """A part of an entry from one instant to another: a segment, or None for the time between two."""

    start: int
    end: int
    segment: object


def sections(start, end, segments):
    """All of an entry that ends at `end`, in the order of time; open or longer time ends there too."""
    reached, found = start, []
    for segment in segments:
        stop = end if segment.end is None else min(segment.end, end)
        if segment.start >= stop:
            continue
        found.append(Section(reached, segment.start, None))
        found.append(Section(segment.start, stop, segment))
        reached = stop
    found.append(Section(reached, max(end, reached), None))
    return [one for one in found if one.start < one.end]
