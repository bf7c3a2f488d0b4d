"""Rules that are wrong on purpose, to see that the test of segments finds them out."""

from . import rules


class Touching(rules.Office):
    """Segments that touch overlap."""

    def do_segments_overlap(self, start, end, other_start, other_end):
        return start <= other_end and other_start <= end


class Empty(rules.Office):
    """A segment of which nothing is left is kept."""

    def is_kept(self, start, end):
        return start <= end


class BreaksClockIn(rules.Office):
    """A break clocks in."""

    def does_clock_in(self, purpose, is_wanted):
        return is_wanted


class SameAnew(rules.Office):
    """A start of the same purpose restarts."""

    def is_same(self, segment, purpose):
        return False


class SecondBreak(rules.Office):
    """A break after a break goes back to nothing."""

    def remembered(self, segment):
        return segment if segment and segment.purpose.kind == "work" else None


class GoneWork(rules.Office):
    """A break goes back to work that was deleted meanwhile."""

    def resumed(self, segment):
        return segment.resumes


class Uncut(rules.Office):
    """Segments stay as they are if their entry becomes shorter."""

    def cut(self, segment):
        return segment.start, min(segment.end, segment.entry.end) if segment.is_open else segment.end


class Outliving(rules.Office):
    """Segments outlive their entry."""

    def does_follow(self, segment):
        return False


class TaskStays(rules.Office):
    """Another project leaves a segment its task."""

    def is_purpose_kept(self, segment, project):
        return True


class NotDetached(rules.Office):
    """A project that is detached stays with its segments."""

    def is_detached(self, segment, project):
        return False


class ProjectAlone(rules.Office):
    """Segments of a project's tasks are none of the project's."""

    def of_project(self, project):
        return [one for one in self.segments if one.purpose.project is project]


class Containing(rules.Office):
    """A segment belongs to an entry that it only shares a moment with."""

    def does_contain(self, start, end, other_start, other_end):
        return start < other_end and other_start < end


class Lengths(rules.Office):
    """A segment by hand is as long as an entry may be."""

    def hand_refusals(self, start, end, now):
        return self.manual_refusals(start, end, now)


class AnybodysProjects(rules.Office):
    """Everybody works for anybody's own projects."""

    def project_refusals(self, project, subject):
        return [] if project and project.owner not in (None, subject) else super().project_refusals(project, subject)


class SameTask(rules.Office):
    """Only time for the same task counts with the running segment."""

    def is_counted(self, segment, running):
        return super().is_counted(segment, running) and segment.purpose.task is running.purpose.task


class DeletedWithoutReason(rules.Office):
    """Segments of others go with their project for no reason."""

    def project_deletion_refusals(self, actor, project, condition, mode, reason):
        return super().project_deletion_refusals(actor, project, condition, mode, reason or "none")


ALL = [
    Touching,
    Empty,
    BreaksClockIn,
    SameAnew,
    SecondBreak,
    GoneWork,
    Uncut,
    Outliving,
    TaskStays,
    NotDetached,
    ProjectAlone,
    Containing,
    Lengths,
    AnybodysProjects,
    SameTask,
    DeletedWithoutReason,
]
