"""The calculation with one rule about rounding wrong each."""

import dataclasses

from .calculation import Calculation
from .wrong_calculations import of_module


class RoundedRows(Calculation):
    """Each row is rounded by itself."""

    def rounded(self, group):
        return self.multiple(sum(hours.paid for hours in group))


class RoundedSlices(Calculation):
    """Each slice is rounded by itself."""

    def with_rounding(self, of_part):
        return [one for hours in of_part for one in super(RoundedSlices, self).with_rounding([hours])]


class RoundedShown(Calculation):
    """The filtered time of a part is rounded."""

    def with_rounding(self, of_part):
        return super().with_rounding([hours for hours in of_part if self.is_wanted(hours.slice)])


class RoundedWithBreaks(Calculation):
    """Rounded time has its unpaid breaks, and deductions."""

    def with_rounding(self, of_part):
        unpaid = sum(hours.slice.seconds - hours.paid for hours in of_part)
        *found, last = super().with_rounding(of_part)
        return [*found, dataclasses.replace(last, rounded=last.rounded + unpaid)]


class RoundedIntoFirst(Calculation):
    """Rounding adds to or takes from the first slices."""

    def order_of_rounding(self, of_part):
        return of_part


class HalfDown(Calculation):
    """Half a unit is rounded down."""

    def multiple(self, seconds):
        if self.query.rounding.direction != "nearest":
            return super().multiple(seconds)
        unit = self.query.rounding.unit
        return -((unit - 2 * seconds) // (2 * unit)) * unit


class AlwaysNearest(Calculation):
    """The direction of rounding is nothing."""

    def multiple(self, seconds):
        unit = self.query.rounding.unit
        return (2 * seconds + unit) // (2 * unit) * unit


class OvertimeOfRounded(Calculation):
    """Time added by rounding is regular."""

    def with_rounding(self, of_part):
        return [
            dataclasses.replace(hours, regular=max(0, hours.regular + hours.rounded - hours.paid))
            for hours in super().with_rounding(of_part)
        ]


ALL = of_module(__name__)
