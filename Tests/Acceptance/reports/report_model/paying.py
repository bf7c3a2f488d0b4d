"""What slices are paid as: deductions for missing breaks, overtime, and what is rounded."""

import collections
import dataclasses
import itertools

from . import facts
from .cutting import Cutting, Slice
from .zones import ONE_DAY


@dataclasses.dataclass(frozen=True)
class Hours:
    """A slice's seconds, and what they are paid as; what of them an unpaid break has, is nothing of these."""

    slice: Slice
    deducted: int
    regular: int
    daily: int
    weekly: int
    # What is paid when it is rounded; as it is where nothing is to be.
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
        return date - ONE_DAY * ((date.weekday() - facts.WEEKDAYS.index(self.policy.week_start)) % 7)

    def counts(self, date):
        """Whether a date counts towards the thresholds: also the days of the first week before the range do."""
        return date >= self.week_of(self.query.start_date)

    def day(self, part):
        """What breaks and daily overtime are counted by."""
        return part.date

    def paid(self, parts):
        """One member's parts in their order, as hours."""
        slices = [one for part in parts if self.counts(part.date) for one in self.slices(part)]
        deducted = self.deductions(slices)
        hours = self.with_overtime(slices, deducted)
        of_parts = itertools.groupby(hours, key=lambda one: (one.part.entry.id, one.part.date))
        return [one for _, of_part in of_parts for one in self.with_rounding(list(of_part))]

    def is_unpaid(self, one):
        return one.segment is not None and one.segment.kind == "unpaid"

    # Deductions.

    def deductions(self, slices):
        """How many seconds of each slice are deducted."""
        deducted = [0] * len(slices)
        of_days = collections.defaultdict(list)
        for place, one in enumerate(slices):
            of_days[self.day(one.part)].append(place)
        for places in of_days.values():
            left = self.due([slices[place] for place in places])
            for place in self.order_of_deduction(places):
                if self.gives(slices[place]):
                    deducted[place] = min(left, slices[place].seconds)
                    left -= deducted[place]
        return deducted

    def order_of_deduction(self, places):
        return reversed(places)

    def due(self, of_day):
        """What is deducted on a date."""
        worked = sum(one.seconds for one in of_day if self.is_worked(one))
        rules = [rule for rule in self.policy.break_rules if self.applies(rule, worked)]
        if not rules:
            return 0
        rule = self.rule(rules)
        counted = sum(one.seconds for one in of_day if self.is_proper_break(one))
        return max(0, self.limited(rule.length - counted, worked - rule.after))

    def applies(self, rule, worked):
        return worked > rule.after

    def rule(self, rules):
        """Of those that apply."""
        return rules[-1]

    def limited(self, missing, beyond_rule):
        """Whoever works a minute longer loses no more than that minute."""
        return min(missing, beyond_rule)

    def is_worked(self, one):
        return one.kind != "break"

    def is_proper_break(self, one):
        """Whether it counts towards the breaks that are due."""
        return self.is_unpaid(one) and self.break_length(one) >= self.policy.break_minimum * 1_000

    def break_length(self, one):
        """In milliseconds, on all dates."""
        return self.end(one.segment) - one.segment.start

    def gives(self, one):
        """Whether anything may be deducted from it."""
        return one.kind != "break"

    # Overtime.

    def with_overtime(self, slices, deducted):
        of_day, of_week = collections.Counter(), collections.Counter()
        found = []
        for one, less in zip(slices, deducted):
            seconds = self.counted(one, less)
            day, week = self.day(one.part), self.week_of(one.part.date)
            daily = beyond(self.policy.daily_overtime_after, of_day[day], seconds)
            of_day[day] += seconds
            weekly = beyond(self.policy.weekly_overtime_after, of_week[week], seconds - daily)
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
            # All of what is added goes to one; what is taken is taken from as many as it needs.
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
