"""Rules that are wrong on purpose, to see that the test of timers finds them out."""

import dataclasses

from . import rules
from .values import BREAKS, FOCUS, LONG, MINUTE, PATIENCE, REST, SECOND


class NoWiggle(rules.Desk):
    """A session is as many minutes as are whole."""

    def minutes(self, length):
        return length // MINUTE


class FiftySeconds(rules.Desk):
    """Fifty seconds are not a minute yet."""

    def minutes(self, length):
        return super().minutes(length - 1)


class PausesCount(rules.Desk):
    """Pauses are a part of a focus."""

    def counted(self, timer, total, paused):
        return total


class BreaksPause(rules.Desk):
    """Pauses are no part of a break."""

    def counted(self, timer, total, paused):
        return total - paused


class OpenPause(rules.Desk):
    """The pause that is open when a timer is stopped does not count."""

    def paused(self, timer, end):
        return timer.paused


class PlannedLength(rules.Desk):
    """A countdown that is stopped leaves the session that was planned."""

    def stop_timer(self, time):
        timer = self.timer
        if timer.state == "running" and timer.is_countdown:
            self.store(timer.end, "stopped")
            return self.clear(time)
        return super().stop_timer(time)


class EndStays(rules.Desk):
    """A pause does not move the end."""

    def moved(self, pause):
        return 0


class EndLate(rules.Desk):
    """A timer runs until its end is over."""

    def is_ended(self, end, now):
        return now > end


class EndNoticed(rules.Desk):
    """A timer ends when somebody notices."""

    def finish(self, time, outcome, noticed):
        return super().finish(noticed, outcome, noticed)


class StreakOfEveryBreak(rules.Desk):
    """Each break restarts the streak."""

    def count(self, time):
        super().count(time)
        if self.timer.kind in BREAKS:
            self.streak = 0


class LongBreakLate(rules.Desk):
    """A long break comes one focus later."""

    def is_long_break_due(self):
        return self.streak > self.settings.sessionsBeforeLongBreak


class StreakForever(rules.Desk):
    """A streak waits until the next day."""

    def is_streak_over(self, time):
        return False


class StoppedCounts(rules.Desk):
    """A focus that is stopped counts to the streak."""

    def stop_timer(self, time):
        if self.timer.kind == FOCUS and self.timer.state != "finished":
            self.streak += 1
        return super().stop_timer(time)


class Impatient(rules.Desk):
    """A finished timer is gone after exactly half an hour."""

    def is_dismissed(self, finished_at, now):
        return now >= finished_at + PATIENCE


class AfterOutage(rules.Desk):
    """The next timer begins by itself whenever somebody notices."""

    def begins_by_itself(self, end, noticed):
        return super().begins_by_itself(end, end)


class WithoutMaximum(rules.Desk):
    """Timers begin by themselves for ever."""

    def begins_by_itself(self, end, noticed):
        self.run = 0
        return super().begins_by_itself(end, noticed)


class OneMore(rules.Desk):
    """One timer more than the maximum begins by itself."""

    def begins_by_itself(self, end, noticed):
        self.run -= 1
        begins = super().begins_by_itself(end, noticed)
        self.run += 1
        return begins


class PausedForever(rules.Desk):
    """A pause lasts as long as it likes."""

    def is_pause_over(self, paused_at, now):
        return False


class AnyPause(rules.Desk):
    """An app that is back on the screen resumes a pause of the member's own."""

    def show(self, state, time):
        if self.timer and self.timer.state == "paused":
            self.timer.is_paused_by_background = True
        super().show(state, time)


class BackgroundAtOnce(rules.Desk):
    """A timer is paused as soon as its app has been away for five minutes."""

    def is_background_over(self, pause, now):
        return now >= pause


class RestSkipped(rules.Desk):
    """A rest that is skipped leaves a session."""

    def skip(self, time):
        if self.timer and self.timer.kind == REST and self.timer.state != "finished":
            self.store(time, "skipped")
        return super().skip(time)


class OneSetMore(rules.Desk):
    """There is a rest after the last set."""

    def reason_against(self):
        return (
            None
            if super().reason_against() == "last_set" and self.routine.set == self.routine.sets
            else (super().reason_against())
        )


class LimitWithPauses(rules.Desk):
    """The limit of a timer that counts up is one of its pauses too."""

    def limit(self, timer):
        return super().limit(timer) - timer.paused


class SettingsDrift(rules.Desk):
    """A change of the settings counts at once."""

    def limit(self, timer):
        return self.settings.countUpLimitSeconds * SECOND


class SkippedLongBreak(rules.Desk):
    """Only a long break that was not skipped ends the streak."""

    def skip(self, time):
        before, is_long = self.streak, self.timer is not None and self.timer.kind == LONG
        is_finished = is_long and self.timer.state == "finished"
        session = super().skip(time)
        if is_long and not is_finished:
            self.streak = before
        return session


class LastWriteWins(rules.Desk):
    """A queued command is never too old."""

    def is_stale(self, at):
        return False


class WithoutLabel(rules.Desk):
    """A break has nothing of its focus's purpose."""

    def start_next(self, time, is_automatic=False):
        super().start_next(time, is_automatic)
        if self.timer.kind in BREAKS:
            self.timer.about = dataclasses.replace(self.timer.about, label=None)


ALL = [
    NoWiggle,
    FiftySeconds,
    PausesCount,
    BreaksPause,
    OpenPause,
    PlannedLength,
    EndStays,
    EndLate,
    EndNoticed,
    StreakOfEveryBreak,
    LongBreakLate,
    StreakForever,
    StoppedCounts,
    Impatient,
    AfterOutage,
    WithoutMaximum,
    OneMore,
    PausedForever,
    AnyPause,
    BackgroundAtOnce,
    RestSkipped,
    OneSetMore,
    LimitWithPauses,
    SettingsDrift,
    SkippedLongBreak,
    LastWriteWins,
    WithoutLabel,
]
