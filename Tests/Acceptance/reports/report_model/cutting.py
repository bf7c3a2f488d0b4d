"""Entries cut into parts, one for each date, and these by their segments into slices."""

import collections
import dataclasses
import datetime
import functools

from . import facts, zones
from .sections import sections


@dataclasses.dataclass(frozen=True)
class Part:
    """The share of an entry in a date: its pieces there, in the order of time."""

    entry: facts.Entry
    date: datetime.date
    pieces: tuple

    @property
    def start(self):
        return self.pieces[0][0]


@dataclasses.dataclass(frozen=True)
class Slice:
    """The share of one segment, or of the time between two, in a part: whole seconds, also none."""

    part: Part
    start: int
    end: int
    segment: facts.Segment | None
    seconds: int
    is_running: bool

    @property
    def kind(self):
        if self.segment is None:
            return "none"
        return "work" if self.segment.kind == "work" else "break"


class Cutting:
    """As the contract says; every rule is a method of its own."""

    def __init__(self, known, query):
        self.known = known
        self.query = query
        self.policy = known.policy

    def end(self, one):
        """Of an entry or a segment."""
        return self.query.as_of if one.end is None else one.end

    # Parts.

    def stretches(self, entry, end):
        return zones.stretches(entry.start, end, self.query.zone)

    def date_of(self, entry, instant):
        return zones.local_date(instant, self.query.zone)

    def last_date(self, entry, end):
        """An end at midnight belongs to the day that begins."""
        return self.date_of(entry, end)

    def parts(self, entry):
        """Everything that an entry gives, to whichever dates."""
        end = self.end(entry)
        if end <= entry.start:
            return []
        if self.query.attribution == "split":
            return self.split(entry, end)
        date = self.date_of(entry, entry.start) if self.query.attribution == "start" else self.last_date(entry, end)
        return [Part(entry, date, ((entry.start, end),))]

    def split(self, entry, end):
        """One part for each date, also for one that comes back."""
        by_date = {}
        for start, stop, date in self.stretches(entry, end):
            by_date.setdefault(date, []).append((start, stop))
        return [Part(entry, date, tuple(pieces)) for date, pieces in by_date.items()]

    # Slices.

    @functools.cached_property
    def of_entries(self):
        """The segments of each entry, in the order of time."""
        found = collections.defaultdict(list)
        for segment in sorted(self.known.segments, key=lambda segment: segment.start):
            if segment.entry is not None:
                found[segment.entry].append(segment)
        return found

    def segments(self, entry):
        return self.of_entries[entry.id]

    def sections(self, entry):
        return sections(entry.start, self.end(entry), self.segments(entry))

    def seconds(self, before, after):
        """The whole seconds between these milliseconds after the part's beginning."""
        return after // 1_000 - before // 1_000

    def slices(self, part):
        """In the order of time; a slice without a millisecond there is left out."""
        found, counted = [], 0
        for section in self.sections(part.entry):
            pieces = [(max(start, section.start), min(stop, section.end)) for start, stop in part.pieces]
            pieces = [(start, stop) for start, stop in pieces if start < stop]
            if not pieces:
                continue
            after = counted + sum(stop - start for start, stop in pieces)
            is_running = part.entry.end is None and pieces[-1][1] == self.end(part.entry)
            seconds = self.seconds(counted, after)
            found.append(Slice(part, pieces[0][0], pieces[-1][1], section.segment, seconds, is_running))
            counted = after
        return found
