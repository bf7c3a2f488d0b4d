"""The stretches of time in which a zone keeps its offset from UTC, found by looking at every hour."""

import datetime
import functools
import itertools

from report_model import zones
from report_model.zones import BLOCK, HOUR

# The most that a clock is ahead of UTC or behind it, and more than any change of it.
FARTHEST = 50 * HOUR


@functools.cache
def of_block(zone, block):
    """Each stretch in a block of the calendar: start, end, offset in milliseconds."""
    found = []
    for low in range(block * BLOCK, (block + 1) * BLOCK, HOUR):
        change = zones.offset_change(low, low + HOUR, zone)
        edges = [low, low + HOUR] if change in (None, low + HOUR) else [low, change, low + HOUR]
        for start, end in itertools.pairwise(edges):
            offset = zones.offset(start, zone) // datetime.timedelta(milliseconds=1)
            if found and found[-1][2] == offset:
                start = found.pop()[0]
            found.append((start, end, offset))
    return found


@functools.cache
def first_showing(zone, date, minutes):
    """The first instant at which the clocks of a zone show this many minutes of a date, or later.

    Clocks run on within a stretch, so that a bisection finds it there.
    """
    wall = zones.noon(date) - 12 * HOUR + minutes * zones.MINUTE
    low, high = wall - FARTHEST, wall + FARTHEST
    for block in range(low // BLOCK, high // BLOCK + 1):
        for start, end, offset in of_block(zone, block):
            start = max(start, low)
            if start >= end:
                continue
            if start + offset >= wall:
                return start
            if end - 1 + offset >= wall:
                return zones.first_instant(start, end - 1, lambda instant: instant + offset >= wall)
    raise ValueError(f"the clocks of {zone} never show {date}")
