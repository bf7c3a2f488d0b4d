"""Rules that are wrong on purpose, to see that the model test finds them out."""

from . import rules


class Touching(rules.Office):
    """Entries that touch overlap."""

    def do_overlap(self, start, end, other_start, other_end):
        return start <= other_end and other_start <= end


class SameDate(rules.Office):
    """Only entries of one date can overlap."""

    def do_overlap(self, start, end, other_start, other_end):
        return (
            super().do_overlap(start, end, other_start, other_end)
            and rules.utc(start).date() == rules.utc(other_start).date()
        )


class Below(rules.Office):
    """An entry has to be shorter than the maximum."""

    def length_refusals(self, start, end):
        return super().length_refusals(start, end) or super().length_refusals(start, end + 1)


class NoSkew(rules.Office):
    """The clocks of clients are never wrong."""

    def manual_refusals(self, start, end, now):
        future = [rules.Refusal(422, "in_future")] if end > now else []
        return future + super().manual_refusals(start, end, now)


class Bytes(rules.Office):
    """Notes are counted in bytes."""

    def text_length(self, trimmed):
        return len(trimmed.encode())


class LastWriter(rules.Office):
    """The last writer wins."""

    def condition_refusals(self, condition, resource):
        return super().condition_refusals(condition and None, resource)


class NoReason(rules.Office):
    """Managers need not say why."""

    def reason_refusals(self, actor, entry, reason):
        return super().reason_refusals(entry.user, entry, reason)


class NoWindow(rules.Office):
    """Members change their entries for ever."""

    def window_refusals(self, actor, entry, now):
        return []


class UnlimitedBack(rules.Office):
    """Clients may have been offline for ever."""

    def backdating_refusals(self, instant, now, is_limited=True):
        return super().backdating_refusals(instant, now, False)


class NoUndoing(rules.Office):
    """A clock-in cannot be undone."""

    def undoing_refusals(self, actor, entry, now):
        return super().undoing_refusals(actor, entry, now + rules.UNDO_TIME)


class DaysOf24Hours(rules.Office):
    """A day ends 24 hours after it began."""

    def is_in_range(self, entry, first, last, match):
        if match == "overlap" and last is not None:
            end = rules.start_of_day(last, self.zone) + rules.DAY
            return entry.start < end and super().is_in_range(entry, first, None, match)
        return super().is_in_range(entry, first, last, match)


ALL = [
    Touching,
    SameDate,
    Below,
    NoSkew,
    Bytes,
    LastWriter,
    NoReason,
    NoWindow,
    UnlimitedBack,
    NoUndoing,
    DaysOf24Hours,
]
