"""Which steps a sequence has, and how often. A new kind is one more class with `draw` and `run`, in `WEIGHTS`."""

from .clocking_steps import ClockIn, ClockOut, StartSegment, StopSegment
from .drawing import ACTORS
from .entry_steps import DeleteEntry, UpdateEntry
from .project_steps import ArchiveProject, DeleteProject, MakeProject, MoveTask
from .reading_steps import CheckSegmentOverlap, GetSegment, ListSegments
from .segment_steps import CreateSegment, DeleteSegment, UpdateSegment

WEIGHTS = {
    ClockIn: 7,
    ClockOut: 5,
    StartSegment: 28,
    StopSegment: 13,
    CreateSegment: 14,
    UpdateSegment: 17,
    DeleteSegment: 4,
    UpdateEntry: 8,
    DeleteEntry: 2,
    DeleteProject: 3,
    MakeProject: 2,
    ArchiveProject: 2,
    MoveTask: 2,
    ListSegments: 4,
    CheckSegmentOverlap: 3,
    GetSegment: 2,
}


def begin(random):
    """The first steps of a sequence, so that there is something to continue with."""
    return [kind.in_the_morning(random, name) for name in ("ana", "bo") for kind in (ClockIn, StartSegment)]


def draw(random):
    """A step of any kind, by anybody."""
    kind = random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    return kind.draw(random, random.choice(ACTORS))
