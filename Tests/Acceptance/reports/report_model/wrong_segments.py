"""The calculation with one rule about segments wrong each: slices, rows, filters."""

import dataclasses

from . import subjects
from .calculation import Calculation
from .cutting import Slice
from .sections import sections
from .wrong_calculations import of_module


class NoSegments(Calculation):
    """An entry is all for nothing."""

    def segments(self, entry):
        return []


class SegmentsOfTheTime(Calculation):
    """A segment kept without an entry is of an entry that runs meanwhile."""

    def segments(self, entry):
        end = self.end(entry)
        found = super().segments(entry) + [
            dataclasses.replace(one, start=max(one.start, entry.start))
            for one in self.known.segments
            if one.entry is None and one.member == entry.member.id and one.start < end and one.end > entry.start
        ]
        found.sort(key=lambda one: one.start)
        # One that would overlap another is none of it.
        return [one for place, one in enumerate(found) if place == 0 or self.end(found[place - 1]) <= one.start]


class NothingOpen(Calculation):
    """An open segment is none yet."""

    def segments(self, entry):
        return [one for one in super().segments(entry) if one.end is not None]


class LostBetween(Calculation):
    """The time between segments is of the segment before it."""

    def sections(self, entry):
        found = super().sections(entry)
        for place in range(1, len(found)):
            if found[place].segment is None:
                found[place] = dataclasses.replace(found[place], segment=found[place - 1].segment)
        return found


class EachSliceCut(Calculation):
    """Each slice is cut by itself, so that seconds are lost."""

    def seconds(self, before, after):
        return (after - before) // 1_000


class FloorsOfTheClock(Calculation):
    """Boundaries are cut on the clock, not from the beginning of the part."""

    def slices(self, part):
        return [dataclasses.replace(one, seconds=one.end // 1_000 - one.start // 1_000) for one in super().slices(part)]


class FloorsOfTheEntry(Calculation):
    """Floors go on over midnight."""

    def slices(self, part):
        found = []
        for one in super().slices(part):
            before, after = one.start - part.entry.start, one.end - part.entry.start
            found.append(dataclasses.replace(one, seconds=self.seconds(before, after)))
        return found


class DateOfSegment(Calculation):
    """A segment is not cut at midnight: all of it is of the date on which it began."""

    def slices(self, part):
        if self.query.attribution != "split":
            return super().slices(part)
        found = []
        for section in sections(part.entry.start, self.end(part.entry), self.segments(part.entry)):
            if self.date_of(part.entry, section.start) == part.date:
                is_running = part.entry.end is None and section.end == self.end(part.entry)
                seconds = self.seconds(0, section.end - section.start)
                found.append(Slice(part, section.start, section.end, section.segment, seconds, is_running))
        return found


class WithoutBreaks(Calculation):
    """Breaks are no part of the seconds."""

    def worked(self, group):
        return sum(hours.slice.seconds for hours in group if hours.slice.kind != "break")


class PartsTimes(Calculation):
    """First in and last out are those of the whole entry on that date."""

    def slices(self, part):
        found = super().slices(part)
        return [dataclasses.replace(one, start=part.start, end=part.pieces[-1][1]) for one in found]


class NoRowOfNothing(Calculation):
    """Slices of less than a second are in no row."""

    def is_wanted(self, one):
        return super().is_wanted(one) and one.seconds > 0


class BreaksInNoRow(Calculation):
    """Breaks are in no row of a project, a task or a client."""

    def in_row(self, hours):
        return hours.slice.kind != "break" or not {"project", "task", "client"} & set(self.query.group_by)


class WorkFirst(Calculation):
    """Work stands before breaks, and nothing last."""

    def rank(self, dimension, one):
        rank = super().rank(dimension, one)
        return (["work", "break", "none"].index(one.kind),) if dimension == "kind" else rank


class NullFirst(Calculation):
    """Time for no project, task or client stands on top."""

    def rank(self, dimension, one):
        rank = super().rank(dimension, one)
        return (-rank[0], *rank[1:]) if dimension in ("project", "task", "client") else rank


class OneRowForAName(Calculation):
    """Projects of one name are one."""

    def rank(self, dimension, one):
        rank = super().rank(dimension, one)
        return rank[:2] if dimension == "project" else rank


class NamesInAnyCase(Calculation):
    """Rows stand in the order of a dictionary."""

    def rank(self, dimension, one):
        rank = super().rank(dimension, one)
        return (rank[0], rank[1].casefold(), *rank[1:]) if dimension in ("project", "task") and len(rank) > 1 else rank


class ClientOfThen(Calculation):
    """The client that a project had when the segment was written."""

    def client(self, one):
        project = self.project(one)
        # Colors tell the planned ones apart.
        return project and next(planned.client for planned in subjects.PROJECTS if planned.color == project.color)


class ClientInAnyCase(Calculation):
    """Clients are the same in capitals."""

    def has_client(self, client):
        return client is not None and client.casefold() == self.query.client.casefold()


class PartOfATag(Calculation):
    """A part of a tag is enough."""

    def has_tag(self, tags):
        return any(self.query.tag in tag for tag in tags)


class TagInAnyCase(Calculation):
    """Tags are the same in capitals."""

    def has_tag(self, tags):
        return self.query.tag.casefold() in [tag.casefold() for tag in tags]


class UnbillableWork(Calculation):
    """Time that is not billable is work."""

    def matches(self, one):
        yield from super().matches(one)
        if self.query.is_billable is False:
            yield one.kind == "work"


class BillableAsProject(Calculation):
    """Whether work is billable is its project's setting, even against a stated one."""

    def is_billable(self, one):
        project = self.project(one)
        return project is not None and any(
            planned.is_billable for planned in subjects.PROJECTS if planned.color == project.color
        )


class AnyFilter(Calculation):
    """One filter that holds is enough."""

    def is_wanted(self, one):
        matches = list(self.matches(one))
        return self.is_of_session(one.part.entry) and (not matches or any(matches))


class FiltersOfEntries(Calculation):
    """A filter keeps all of an entry of which it keeps anything."""

    def is_wanted(self, one):
        part = one.part
        return any(super(FiltersOfEntries, self).is_wanted(other) for other in self.slices(part))


ALL = of_module(__name__)
