"""The calculation with one rule about breaks, or what is deducted for them, wrong each."""

import dataclasses

from .calculation import Calculation
from .wrong_calculations import of_module


class EveryBreakUnpaid(Calculation):
    """Paid breaks are not paid."""

    def is_unpaid(self, one):
        return one.kind == "break"


class EveryBreakPaid(Calculation):
    """Unpaid breaks are paid."""

    def is_unpaid(self, one):
        return False


class PaidAsKindIsNow(Calculation):
    """Whether a break is paid is what its kind says now."""

    def is_unpaid(self, one):
        return one.kind == "break" and not one.segment.break_type.is_paid


class NoRules(Calculation):
    """Nothing is deducted."""

    def rule(self, rules):
        return dataclasses.replace(rules[0], length=0)


class LowestRule(Calculation):
    """Of the rules that apply the first one counts."""

    def rule(self, rules):
        return rules[0]


class MostBreaks(Calculation):
    """Of the rules that apply the one with the longest breaks counts."""

    def rule(self, rules):
        return max(rules, key=lambda rule: rule.length)


class RuleByEntry(Calculation):
    """Each entry has rules of its own."""

    def deductions(self, slices):
        found = {}
        for one in slices:
            found.setdefault(one.part.entry.id, []).append(one)
        deducted = {}
        for of_entry in found.values():
            deducted |= zip(map(id, of_entry), super().deductions(of_entry))
        return [deducted[id(one)] for one in slices]


class RuleOfShown(Calculation):
    """Only what the filters keep counts towards a rule."""

    def is_worked(self, one):
        return super().is_worked(one) and self.is_wanted(one)


class RuleWithBreaks(Calculation):
    """Breaks count towards a rule."""

    def is_worked(self, one):
        return True


class RuleWithPaidBreaks(Calculation):
    """Paid breaks count towards a rule."""

    def is_worked(self, one):
        return not self.is_unpaid(one)


class RuleOfWork(Calculation):
    """Time between segments does not count towards a rule."""

    def is_worked(self, one):
        return one.kind == "work"


class WholeBreakAtOnce(Calculation):
    """All that is missing is deducted as soon as a rule applies."""

    def limited(self, missing, beyond_rule):
        return missing


class ShortBreaks(Calculation):
    """Breaks shorter than the minimum count."""

    def is_proper_break(self, one):
        return self.is_unpaid(one)


class LongerThanMinimum(Calculation):
    """Breaks of exactly the minimum are too short."""

    def is_proper_break(self, one):
        return self.is_unpaid(one) and self.break_length(one) > self.policy.break_minimum * 1_000


class MinimumRounded(Calculation):
    """A break half a second too short is long enough."""

    def break_length(self, one):
        return super().break_length(one) + 500


class MinimumOfSlice(Calculation):
    """A break must be long enough on each date."""

    def break_length(self, one):
        return one.end - one.start


class PaidBreaksAreProper(Calculation):
    """Paid breaks count as breaks that are due."""

    def is_proper_break(self, one):
        return one.kind == "break" and self.break_length(one) >= self.policy.break_minimum * 1_000


class DeductedFromStart(Calculation):
    """What is missing is deducted from the beginning of the day."""

    def order_of_deduction(self, places):
        return places


class DeductedFromWork(Calculation):
    """Time between segments is not deducted from."""

    def gives(self, one):
        return one.kind == "work"


class DeductedFromBreaks(Calculation):
    """Paid breaks are deducted from, too."""

    def gives(self, one):
        return not self.is_unpaid(one)


class DeductedFromShown(Calculation):
    """What is missing is deducted from what the filters keep."""

    def gives(self, one):
        return super().gives(one) and self.is_wanted(one)


class DeductedInRange(Calculation):
    """Nothing is deducted before the range."""

    def deductions(self, slices):
        found = super().deductions(slices)
        return [less if self.is_in_range(one.part.date) else 0 for one, less in zip(slices, found)]


class OvertimeOfAll(Calculation):
    """Unpaid breaks and what is deducted count towards overtime."""

    def with_overtime(self, slices, deducted):
        found = []
        for hours, less in zip(super().with_overtime(slices, [0] * len(slices)), deducted):
            regular = hours.regular - less
            found.append(dataclasses.replace(hours, deducted=less, regular=regular, rounded=hours.paid - less))
        return found


class OvertimeWithUnpaid(Calculation):
    """Unpaid breaks are work to overtime."""

    def counted(self, one, deducted):
        return one.seconds - deducted


class OvertimeWithoutPaidBreaks(Calculation):
    """Paid breaks do not count towards overtime."""

    def counted(self, one, deducted):
        return 0 if one.kind == "break" else one.seconds - deducted


class OvertimeOfShown(Calculation):
    """Only what the filters keep counts towards overtime."""

    def with_overtime(self, slices, deducted):
        kept = [(one, less) for one, less in zip(slices, deducted) if self.is_wanted(one)]
        return super().with_overtime([one for one, _ in kept], [less for _, less in kept])


class MissingWhereShown(Calculation):
    """A break is missing only where what is shown was deducted from."""

    def misses_break(self, entry, shown):
        return any(hours.deducted > 0 for hours in shown)


class MissingAnywhere(Calculation):
    """A break is missing also where it is on another date."""

    def misses_break(self, entry, shown):
        return any(hours.deducted > 0 for hours in self.all_hours if hours.part.entry is entry)


class NeverMissing(Calculation):
    """That a break is missing is no anomaly."""

    def misses_break(self, entry, shown):
        return False


class TooLongInSeconds(Calculation):
    """A break of less than a second too much is as long as expected."""

    def is_too_long(self, segment):
        kind = segment.break_type
        if kind is None or kind.expected is None:
            return False
        return (self.end(segment) - segment.start) // 1_000 > kind.expected


class AsLongAsExpected(Calculation):
    """A break as long as expected is too long."""

    def is_too_long(self, segment):
        kind = segment.break_type
        if kind is None or kind.expected is None:
            return False
        return self.end(segment) - segment.start >= kind.expected * 1_000


class TooLongWhereShown(Calculation):
    """A break is too long only where it is shown."""

    def codes(self, entry, shown):
        segments = [hours.slice.segment for hours in shown]
        is_too_long = any(segment is not None and self.is_too_long(segment) for segment in segments)
        return [code for code in super().codes(entry, shown) if code != "break_too_long" or is_too_long]


ALL = of_module(__name__)
