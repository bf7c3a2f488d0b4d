"""The rules of timers, as the table of docs/timers.md has them: the effect of time, and then of a command."""

import copy

from .values import (
    AHEAD_AT_MOST,
    BACKGROUND_AT_MOST,
    BREAKS,
    FOCUS,
    LONG,
    LONGEST_SECONDS,
    LOOK_BACK,
    MINUTE,
    PATIENCE,
    PAUSED_AT_MOST,
    REST,
    SECOND,
    SHORT,
    STREAK_GAP,
    WIGGLE,
    About,
    Refusal,
    Session,
    Settings,
    Timer,
)


class Desk:
    """Everything about the timer of one member. Commands take the instant at which they count, and return their
    result."""

    def __init__(self, look_back=LOOK_BACK):
        # How old a queued command may be, by the organization's policy.
        self.look_back = look_back
        self.settings = Settings()
        self.timer = None
        self.routine = None
        self.sessions = []
        self.streak = 0
        self.last_focus_end = None
        # How many timers began by themselves since somebody began one.
        self.run = 0
        # Instant of the last transition.
        self.updated = 0
        # Instant of the last command that was applied, and the state after it: changes by time since are taken back if
        # an older command comes yet.
        self.commanded = None
        self.base = None
        self.sessions_since = []
        self.sets_since = 0
        self.command(None)

    # The effects of time.

    def pass_to(self, now):
        """Applies all changes until `now`, which is never before the last one; the instant that counts."""
        now = max(now, self.updated)
        while self.timer and self.passes(now):
            pass
        return now

    def passes(self, now):
        """Whether one thing has happened until `now`, the first one; it is applied."""
        timer = self.timer
        if timer.state == "running":
            end, background = self.end(timer), self.background_pause(timer)
            # It is over in the millisecond behind it, in which an end comes first.
            if background is not None and background + 1 < end and self.is_background_over(background, now):
                self.pause_timer(background)
                timer.is_paused_by_background = True
            elif self.is_ended(end, now):
                self.finish(end, "finished", now)
            else:
                return False
        elif timer.state == "paused":
            if not self.is_pause_over(timer.paused_at, now):
                return False
            self.store(timer.paused_at, "stopped")
            self.clear(timer.paused_at + PAUSED_AT_MOST)
        else:
            if not self.is_dismissed(timer.finished_at, now):
                return False
            self.clear(timer.finished_at + PATIENCE)
        return True

    def end(self, timer):
        """When a running timer ends."""
        return timer.end if timer.is_countdown else timer.start + timer.paused + self.limit(timer)

    def limit(self, timer):
        return timer.settings.countUpLimitSeconds * SECOND

    def background_pause(self, timer):
        if not timer.settings.pauseInBackground or timer.background_at is None:
            return None
        # A timer that began by itself after that has nobody from its start on.
        return max(timer.start, timer.background_at + BACKGROUND_AT_MOST)

    def is_ended(self, end, now):
        return now >= end

    def is_background_over(self, pause, now):
        return now > pause

    def is_pause_over(self, paused_at, now):
        return now >= paused_at + PAUSED_AT_MOST

    def is_dismissed(self, finished_at, now):
        return now > finished_at + PATIENCE

    # Ends.

    def finish(self, time, outcome, noticed):
        """Ends a focus, a break or a rest at its end, which somebody notices then or later."""
        timer = self.timer
        session = self.store(time, outcome)
        self.count(time)
        timer.state, timer.finished_at = "finished", time
        if timer.kind == REST and self.routine:
            self.routine.set, before = min(self.routine.set + 1, 999), self.routine.set
            self.sets_since += self.routine.set - before
        self.updated = time
        if self.begins_by_itself(time, noticed):
            self.run += 1
            self.start_next(time, is_automatic=True)
        return session

    def count(self, time):
        """Counts an end or a skip to the streak."""
        timer = self.timer
        if timer.kind == FOCUS:
            self.streak += 1
            self.last_focus_end = time
        elif timer.kind == LONG:
            self.streak = 0

    def pending(self):
        """The next timer that a finished one offers, by the settings as they are then."""
        if self.timer.finished_at is None or self.timer.kind == REST:
            return None
        return "start_break" if self.next_kind() in BREAKS else "start_focus"

    def next_kind(self):
        """The next timer after one that has ended, which is counted to the streak."""
        if self.timer.kind != FOCUS or not self.settings.breaksEnabled:
            return FOCUS
        return LONG if self.is_long_break_due() and self.settings.longBreaksEnabled else SHORT

    def is_long_break_due(self):
        return self.streak >= self.settings.sessionsBeforeLongBreak

    def begins_by_itself(self, end, noticed):
        settings, pending = self.settings, self.pending()
        if pending is None:
            return False
        is_wanted = settings.autoStartBreak if pending == "start_break" else settings.autoStartFocus
        return is_wanted and self.run < settings.autoStartMaximum and noticed - end <= PATIENCE

    def store(self, end, outcome):
        """The session that a timer leaves, None if it is too short."""
        timer = self.timer
        paused = self.paused(timer, end)
        total = end - timer.start
        minutes = self.minutes(self.counted(timer, total, paused))
        if minutes < 1:
            return None
        session = Session(
            timer.kind,
            timer.start,
            end,
            minutes,
            paused // MINUTE if timer.is_work else 0,
            (total - paused) // SECOND,
            outcome,
            timer.about,
        )
        self.sessions.append(session)
        self.sessions_since.append(session)
        return session

    def counted(self, timer, total, paused):
        """The seconds counted in minutes."""
        return total - paused if timer.is_work else total

    def minutes(self, length):
        return (length + WIGGLE) // MINUTE

    def paused(self, timer, end):
        """How long it was paused until its end, with the pause that is open then."""
        return timer.paused + (end - timer.paused_at if timer.paused_at is not None else 0)

    def close_pause(self, time):
        """Ends the pause that is open, if one is, for a timer that ends."""
        timer = self.timer
        timer.paused = self.paused(timer, time)
        timer.paused_at = None

    def clear(self, time):
        self.timer = None
        self.updated = time

    # Commands.

    def start(self, time, kind, seconds=None, is_countdown=None, about=None, subject=None, automatic=False):
        """The session that the timer before leaves, and the reason for which nothing begins."""
        self.check_start(kind, seconds, is_countdown)
        if automatic and (reason := self.reason_against()):
            return None, reason
        about = about or About()
        if kind in BREAKS and about == About() and self.timer and self.timer.kind != REST:
            about = self.timer.about
        session = self.stop_timer(time) if self.timer else None
        self.run = 0
        self.begin(time, kind, seconds, is_countdown, about, subject)
        return session, None

    @staticmethod
    def check_start(kind, seconds, is_countdown):
        """Raises refusals that hold for any state of a timer."""
        if seconds is not None and not 1 <= seconds <= LONGEST_SECONDS:
            raise Refusal(422, "invalid_duration")
        if kind != FOCUS and is_countdown is False:
            raise Refusal(422, "must_count_down")

    def reason_against(self):
        """Why a rest does not begin by itself."""
        if not self.settings.restEnabled:
            return "disabled"
        if self.routine and not self.routine.set < self.routine.sets:
            return "last_set"
        return None

    def begin(self, time, kind, seconds=None, is_countdown=None, about=None, subject=None, is_automatic=False):
        if kind == FOCUS and self.is_streak_over(time):
            self.streak = 0
        if is_countdown is None:
            is_countdown = self.settings.isCountdown or kind != FOCUS
        if is_countdown:
            seconds = seconds or self.settings.seconds(kind, subject)
        else:
            # A timer that counts up has no other length than its limit.
            seconds = self.settings.countUpLimitSeconds
        end = time + seconds * SECOND if is_countdown else None
        self.timer = Timer(kind, time, end, seconds, self.settings, about or About(), subject, is_automatic)
        self.updated = time

    def is_streak_over(self, time):
        settings = self.settings
        window = (settings.focusSeconds + settings.longBreakSeconds) * SECOND + STREAK_GAP
        return self.last_focus_end is not None and time - self.last_focus_end > window

    def start_next(self, time, is_automatic=False):
        before = self.timer
        self.begin(time, self.next_kind(), about=before.about, is_automatic=is_automatic)
        if is_automatic:
            # Nobody has come back for it.
            self.timer.background_at = before.background_at

    def pause(self, time):
        self.expect_state("running", Refusal(409, "timer_not_running"))
        self.pause_timer(time)

    def pause_timer(self, time):
        self.timer.state = "paused"
        self.timer.paused_at = self.timer.last_pause = self.updated = time

    def resume(self, time):
        self.expect_state("paused", Refusal(409, "timer_not_paused"))
        self.resume_timer(time)
        self.timer.background_at = None

    def resume_timer(self, time):
        timer = self.timer
        length = time - timer.paused_at
        timer.paused += length
        if timer.is_countdown:
            timer.end += self.moved(length)
        timer.state, timer.paused_at, timer.last_start = "running", None, time
        timer.is_paused_by_background = False
        self.updated = time

    def moved(self, pause):
        """By how much a pause moves the end."""
        return pause

    def adjust(self, time, seconds):
        """The session, if nothing is left."""
        self.check_adjustment(seconds)
        timer = self.expect_timer()
        if timer.state == "finished":
            raise Refusal(409, "timer_not_running")
        if not timer.is_countdown:
            raise Refusal(409, "not_a_countdown")
        if timer.end - timer.start - timer.paused + seconds * SECOND > LONGEST_SECONDS * SECOND:
            raise Refusal(422, "timer_too_long")
        timer.end += seconds * SECOND
        timer.adjusted += seconds
        timer.was_adjusted = True
        self.updated = time
        if self.left(timer, time) > 0:
            return None
        self.close_pause(time)
        timer.end = time
        return self.finish(time, "finished", time)

    @staticmethod
    def check_adjustment(seconds):
        if seconds == 0 or not -LONGEST_SECONDS <= seconds <= LONGEST_SECONDS:
            raise Refusal(422, "invalid_duration")

    def left(self, timer, time):
        return timer.end - (time if timer.paused_at is None else timer.paused_at)

    def skip(self, time):
        timer = self.expect_timer()
        if timer.kind == REST:
            self.clear(time)
            return None
        session = None
        if timer.state != "finished":
            session = self.store(time, "skipped")
            self.count(time)
            self.close_pause(time)
        self.run = 0
        self.start_next(time)
        return session

    def next(self, time):
        timer = self.expect_timer()
        if timer.state != "finished":
            raise Refusal(409, "timer_not_finished")
        if timer.kind == REST:
            raise Refusal(409, "no_pending_action")
        self.run = 0
        self.start_next(time)

    def stop(self, time):
        self.expect_timer()
        return self.stop_timer(time)

    def stop_timer(self, time):
        session = None if self.timer.state == "finished" else self.store(time, "stopped")
        self.clear(time)
        return session

    def show(self, state, time):
        """The app leaves the screen, or is back on it."""
        timer = self.expect_timer()
        past = self.base[0]
        if state == "background":
            is_of_use = timer.settings.pauseInBackground or self.settings.pauseInBackground
            if is_of_use and timer.background_at is None:
                timer.background_at = time
                if past:
                    past.background_at = time
            return
        timer.background_at = None
        if timer.is_paused_by_background:
            self.resume_timer(time)
            self.seal()
        elif past:
            past.background_at = None

    def expect_timer(self):
        if not self.timer:
            raise Refusal(404, "no_timer")
        return self.timer

    def expect_state(self, state, refusal):
        if self.expect_timer().state != state:
            raise refusal

    # Queues of telephones.

    def take(self, at, now, check, act):
        """Applies a command that was given at an instant; the session that it leaves, and the instant at which it counts.

        `check` raises if the command is wrong for any timer; `act` returns the session that it leaves, or the reason
        why it does nothing.
        """
        at = self.instant(at, now)
        check()
        if self.is_stale(at):
            raise Stale()
        before = copy.deepcopy(self.__dict__) if at <= self.updated else {}
        if before:
            self.take_back()
        time = self.pass_to(at)
        try:
            session, reason = act(time)
        except Refusal:
            # Nothing comes of it, and so nothing is taken back.
            self.__dict__.update(before)
            raise
        if reason:
            self.__dict__.update(before)
        else:
            self.command(at)
        return session, max(time, self.updated)

    def command(self, time):
        """A command was applied: nothing older is from now on."""
        self.commanded = time
        self.seal()

    def seal(self):
        """The present state is not taken back."""
        self.base = self.memory()
        self.sessions_since = []
        self.sets_since = 0

    def memory(self):
        return copy.deepcopy((self.timer, self.streak, self.last_focus_end, self.run, self.updated))

    def remember(self, memory):
        self.timer, self.streak, self.last_focus_end, self.run, self.updated = copy.deepcopy(memory)

    def take_back(self):
        """Takes back the effects of time alone since the last command."""
        self.remember(self.base)
        self.sessions = [one for one in self.sessions if one not in self.sessions_since]
        self.sessions_since = []
        if self.routine:
            self.routine = copy.copy(self.routine)
            self.routine.set -= self.sets_since
        self.sets_since = 0

    def instant(self, at, now):
        """When a queued command counts; raises if it may not."""
        if at > now + AHEAD_AT_MOST:
            raise Refusal(422, "in_future")
        if at < now - self.look_back:
            raise Refusal(422, "too_far_back")
        return min(at, now)

    def is_stale(self, at):
        return self.commanded is not None and at < self.commanded

    def put_routine(self, routine):
        """Sets the counters, regardless of earlier counts."""
        self.routine = routine
        self.sets_since = 0


class Stale(Exception):
    """A queued command that is older than the last one that was applied."""
