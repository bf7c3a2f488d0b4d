"""The calculation with one rule about breaks, or their deduction, wrong each."""

import dataclasses
import itertools

from . import zones
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
    """Whether a break is paid is its kind's present setting."""

    def is_unpaid(self, one):
        return one.kind == "break" and not one.segment.break_type.is_paid


class NoRules(Calculation):
    """Nothing is deducted."""

    def judged(self, rules):
        return []


class LastRule(Calculation):
    """Of the rules that apply only the last one counts."""

    def judged(self, rules):
        return rules[-1:]


class LowestRule(Calculation):
    """Of the rules that apply the first one counts."""

    def judged(self, rules):
        return rules[:1]


class MostBreaks(Calculation):
    """Of the rules that apply the one with the longest breaks counts."""

    def judged(self, rules):
        return sorted(rules, key=lambda rule: rule.length)[-1:]


class SumOfRules(Calculation):
    """The rules that apply add up."""

    def due(self, of_shift):
        rules = self.rules_of(of_shift).break_rules
        return sum(self.due_by(of_shift, rule) for rule in rules)

    def due_by(self, of_shift, rule):
        one = Calculation(self.known, self.query)
        one.judged = lambda rules: [known for known in rules if known is rule]
        return one.due(of_shift)


class RulesOfToday(Calculation):
    """The rules of the last date count for all breaks."""

    def rules_of(self, of_shift):
        return self.policy.on(self.query.end_date)


class RulesOfEnd(Calculation):
    """A shift has the rules of the date on which it ends."""

    def rules_of(self, of_shift):
        last = of_shift[-1]
        return self.policy.on(self.date_of(last.part.entry, last.end))


class RuleByDate(Calculation):
    """Each date has rules of its own, and only breaks count towards them."""

    def deductions(self, slices, entries):
        deducted = [0] * len(slices)
        for date in {one.part.date for one in slices}:
            places = [place for place, one in enumerate(slices) if one.part.date == date]
            left = self.due([slices[place] for place in places])
            for place in reversed(places):
                if self.gives(slices[place]):
                    deducted[place] = min(left, slices[place].seconds)
                    left -= deducted[place]
        return deducted

    def is_gap(self, one, other):
        return False


class RuleByEntry(Calculation):
    """Each entry has rules of its own."""

    def is_same_shift(self, end, start):
        return False


class EightHoursAreOneShift(Calculation):
    """Eight hours out are still the same shift."""

    def is_same_shift(self, end, start):
        return start - end <= 8 * zones.HOUR


class LongShifts(Calculation):
    """A member back within twelve hours is on the same shift."""

    def is_same_shift(self, end, start):
        return start - end < 12 * zones.HOUR


class ShiftsOfTheRange(Calculation):
    """Time outside of the range is of no shift."""

    def shifts(self, entries):
        return super().shifts(
            [entry for entry in entries if any(self.is_in_range(one.date) for one in self.parts(entry))]
        )


class NoGaps(Calculation):
    """A member who is out has no break."""

    def is_gap(self, one, other):
        return False


class NothingJoined(Calculation):
    """Each break has to be long enough by itself."""

    def touch(self, end, start):
        return False


class RestsByEntry(Calculation):
    """A break at the end of an entry is not joined to the time out behind it."""

    def rests(self, of_shift):
        gaps = [(one.end, other.start) for one, other in itertools.pairwise(of_shift) if self.is_gap(one, other)]
        return [*gaps, *Calculation.rests(self.without_gaps(), of_shift)]

    def without_gaps(self):
        return NoGaps(self.known, self.query)


class NearlyJoined(Calculation):
    """Breaks with less than a minute between are one."""

    def touch(self, end, start):
        return start - end < zones.MINUTE


class RuleOfShown(Calculation):
    """Only filtered time counts towards a rule."""

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

    def is_proper_break(self, length, minimum):
        return True


class LongerThanMinimum(Calculation):
    """Breaks of exactly the minimum are too short."""

    def is_proper_break(self, length, minimum):
        return length > minimum * 1_000


class MinimumRounded(Calculation):
    """A break half a second too short is long enough."""

    def is_proper_break(self, length, minimum):
        return super().is_proper_break(length + 500, minimum)


class MinimumOfDate(Calculation):
    """A break must be long enough on each date."""

    def rests(self, of_shift):
        zone = self.query.zone
        return [piece[:2] for start, end in super().rests(of_shift) for piece in zones.stretches(start, end, zone)]


class PaidBreaksAreProper(Calculation):
    """Paid breaks count as breaks that are due."""

    def is_rest(self, one):
        return one.kind == "break"


class DeductedFromStart(Calculation):
    """Missing breaks are deducted from the beginning of the day."""

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
    """Missing breaks are deducted from the filtered time."""

    def gives(self, one):
        return super().gives(one) and self.is_wanted(one)


class DeductedInRange(Calculation):
    """Nothing is deducted before the range."""

    def deductions(self, slices, entries):
        found = super().deductions(slices, entries)
        return [less if self.is_in_range(one.part.date) else 0 for one, less in zip(slices, found)]


class OvertimeOfAll(Calculation):
    """Unpaid breaks and deductions count towards overtime."""

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
    """Only filtered time counts towards overtime."""

    def with_overtime(self, slices, deducted):
        kept = [(one, less) for one, less in zip(slices, deducted) if self.is_wanted(one)]
        return super().with_overtime([one for one, _ in kept], [less for _, less in kept])


class MissingWhereShown(Calculation):
    """A break is missing only if the deduction is from the time shown."""

    def misses_break(self, entry, shown):
        return any(hours.deducted > 0 for hours in shown)


class MissingAnywhere(Calculation):
    """A break is missing also if it is on another date."""

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
    """A break is too long only if it is shown."""

    def codes(self, entry, shown):
        segments = [hours.slice.segment for hours in shown]
        is_too_long = any(segment is not None and self.is_too_long(segment) for segment in segments)
        return [code for code in super().codes(entry, shown) if code != "break_too_long" or is_too_long]


ALL = of_module(__name__)
