"""The pay of slices: deductions for missing breaks, overtime, and rounding."""

import collections
import dataclasses
import itertools

from . import facts
from .cutting import Cutting, Part, Slice
from .zones import HOUR, ONE_DAY


@dataclasses.dataclass(frozen=True)
class Hours:
    """A slice's seconds, by kind of pay; seconds of an unpaid break are none of these."""

    slice: Slice
    deducted: int
    regular: int
    daily: int
    weekly: int
    # The paid seconds after rounding; unchanged without rounding.
    rounded: int

    @property
    def part(self):
        return self.slice.part

    @property
    def paid(self):
        return self.regular + self.daily + self.weekly


class Paying(Cutting):
    """As the contract says; every rule is a method of its own."""

    def week_of(self, date):
        """The first date of the week that weekly overtime is counted in."""
        return date - ONE_DAY * ((date.weekday() - facts.WEEKDAYS.index(self.policy.on(date).week_start)) % 7)

    def counts(self, date):
        """Whether a date counts towards the thresholds: also the days of the first week before the range do."""
        return date >= self.week_of(self.query.start_date)

    def day(self, part):
        """The key by which daily overtime is counted."""
        return part.date

    def paid(self, parts, entries):
        """One member's parts in their order, as hours; all entries of the member besides."""
        slices = [one for part in parts if self.counts(part.date) for one in self.slices(part)]
        deducted = self.deductions(slices, entries)
        hours = self.with_overtime(slices, deducted)
        of_parts = itertools.groupby(hours, key=lambda one: (one.part.entry.id, one.part.date))
        return [one for _, of_part in of_parts for one in self.with_rounding(list(of_part))]

    def is_unpaid(self, one):
        return one.segment is not None and one.segment.kind == "unpaid"

    # Deductions.

    def deductions(self, slices, entries):
        """How many seconds of each slice are deducted."""
        deducted = [0] * len(slices)
        for shift in self.shifts(entries):
            left = self.due([one for entry in shift for one in self.whole(entry)])
            ids = {entry.id for entry in shift}
            places = [place for place, one in enumerate(slices) if one.part.entry.id in ids]
            places.sort(key=lambda place: (slices[place].part.date, slices[place].start))
            for place in self.order_of_deduction(places):
                if self.gives(slices[place]):
                    deducted[place] = min(left, slices[place].seconds)
                    left -= deducted[place]
        return deducted

    def shifts(self, entries):
        """One member's entries, those together that follow each other closely."""
        found = []
        for entry in sorted(entries, key=lambda entry: entry.start):
            if self.end(entry) <= entry.start:
                continue
            if found and self.is_same_shift(self.end(found[-1][-1]), entry.start):
                found[-1].append(entry)
            else:
                found.append([entry])
        return found

    def is_same_shift(self, end, start):
        return start - end < 8 * HOUR

    def whole(self, entry):
        """The activities of an entry, cut at no midnight; whole seconds do not matter here."""
        part = Part(entry, None, ((entry.start, self.end(entry)),))
        return [Slice(part, one.start, one.end, one.segment, 0, False) for one in self.sections(entry)]

    def order_of_deduction(self, places):
        return reversed(places)

    def due(self, of_shift):
        """The deduction from a shift, in whole seconds."""
        rules = self.rules_of(of_shift)
        worked = sum(one.end - one.start for one in of_shift if self.is_worked(one))
        rests = self.rests(of_shift)
        rests = sum(end - start for start, end in rests if self.is_proper_break(end - start, rules.break_minimum))
        rules = self.judged([rule for rule in rules.break_rules if self.applies(rule, worked)])
        due = [self.limited(rule.length * 1_000 - rests, worked - rule.after * 1_000) for rule in rules]
        return max([0, *due]) // 1_000

    def rules_of(self, of_shift):
        """Those of the date on which the shift begins."""
        first = of_shift[0]
        return self.policy.on(self.date_of(first.part.entry, first.start))

    def rests(self, of_shift):
        """The stretches without paid work between the first in and the last out, joined if they touch."""
        spans = [(one.start, one.end) for one in of_shift if self.is_rest(one)]
        spans += [(one.end, other.start) for one, other in itertools.pairwise(of_shift) if self.is_gap(one, other)]
        found = []
        for start, end in sorted(spans):
            if found and self.touch(found[-1][1], start):
                start = found.pop()[0]
            found.append((start, end))
        return found

    def is_rest(self, one):
        return self.is_unpaid(one)

    def is_gap(self, one, other):
        """Whether the member was out between the two."""
        return one.end < other.start

    def touch(self, end, start):
        return end == start

    def applies(self, rule, worked):
        return worked > rule.after * 1_000

    def judged(self, rules):
        """Of those that apply."""
        return rules

    def limited(self, missing, beyond_rule):
        """No rule takes more than the work that lies beyond it."""
        return min(missing, beyond_rule)

    def is_worked(self, one):
        return one.kind != "break"

    def is_proper_break(self, length, minimum):
        """Whether a break of this many milliseconds counts towards those due; `minimum` is in seconds."""
        return length >= minimum * 1_000

    def gives(self, one):
        """Whether anything may be deducted from it."""
        return one.kind != "break"

    # Overtime.

    def with_overtime(self, slices, deducted):
        of_day, of_week = collections.Counter(), collections.Counter()
        found = []
        for one, less in zip(slices, deducted):
            seconds = self.counted(one, less)
            rules = self.policy.on(one.part.date)
            day, week = self.day(one.part), self.week_of(one.part.date)
            daily = beyond(rules.daily_overtime_after, of_day[day], seconds)
            of_day[day] += seconds
            weekly = beyond(rules.weekly_overtime_after, of_week[week], seconds - daily)
            of_week[week] += self.towards_week(seconds, daily)
            found.append(Hours(one, less, seconds - daily - weekly, daily, weekly, seconds))
        return found

    def counted(self, one, deducted):
        return 0 if self.is_unpaid(one) else one.seconds - deducted

    def towards_week(self, seconds, daily):
        """Daily overtime is not counted a second time."""
        return seconds - daily

    # Rounding.

    def with_rounding(self, of_part):
        """The hours of one part, rounded together."""
        if self.query.rounding is None:
            return of_part
        total = sum(hours.paid for hours in of_part)
        change = self.multiple(total) - total
        found = []
        for hours in self.order_of_rounding(of_part):
            # An addition goes to one; a deduction is taken from as many as it needs.
            own = 0 if hours.paid == 0 else max(change, -hours.paid)
            change -= own
            found.append(dataclasses.replace(hours, rounded=hours.paid + own))
        return sorted(found, key=lambda hours: hours.slice.start)

    def order_of_rounding(self, of_part):
        return reversed(of_part)

    def multiple(self, seconds):
        unit = self.query.rounding.unit
        if self.query.rounding.direction == "nearest":
            return (2 * seconds + unit) // (2 * unit) * unit
        return (seconds if self.query.rounding.direction == "down" else seconds + unit - 1) // unit * unit


def beyond(threshold, before, seconds):
    """How many of `seconds` lie beyond a threshold towards which `before` count already."""
    return 0 if threshold is None else max(0, before + seconds - max(threshold, before))
