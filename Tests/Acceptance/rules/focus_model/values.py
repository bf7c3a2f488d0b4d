"""The values of the timers' model: settings, timers, sessions, routines. Instants and lengths are in milliseconds."""

import dataclasses

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

FOCUS, SHORT, LONG, REST = TYPES = ["focus", "shortBreak", "longBreak", "rest"]
BREAKS = [SHORT, LONG]

# The time that a session may lack and still count as a whole minute.
WIGGLE = 10 * SECOND
# The time that a finished timer waits for the next one.
PATIENCE = 1_800 * SECOND
PAUSED_AT_MOST = 24 * HOUR
BACKGROUND_AT_MOST = 300 * SECOND
# Added to a focus and a long break: a gap between two focuses that ends a streak.
STREAK_GAP = 15 * MINUTE
LONGEST_SECONDS = 28_800
AHEAD_AT_MOST = 120 * SECOND
LOOK_BACK = 72 * HOUR


class Refusal(Exception):
    """The answer to a request that is against a rule."""

    def __init__(self, status, code):
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


@dataclasses.dataclass(frozen=True)
class Settings:
    focusSeconds: int = 1_500
    shortBreakSeconds: int = 300
    longBreakSeconds: int = 900
    sessionsBeforeLongBreak: int = 4
    isCountdown: bool = True
    breaksEnabled: bool = True
    longBreaksEnabled: bool = True
    autoStartFocus: bool = False
    autoStartBreak: bool = False
    autoStartMaximum: int = 8
    countUpLimitSeconds: int = 28_800
    restEnabled: bool = True
    restSeconds: int = 90
    restBySubject: tuple = ()
    pauseInBackground: bool = False

    @property
    def json(self):
        return {**dataclasses.asdict(self), "restBySubject": dict(self.restBySubject)}

    def seconds(self, kind, subject=None):
        """How long a timer is that states no length."""
        if kind == REST:
            return dict(self.restBySubject).get(subject and subject["id"], self.restSeconds)
        return {FOCUS: self.focusSeconds, SHORT: self.shortBreakSeconds, LONG: self.longBreakSeconds}[kind]


@dataclasses.dataclass(frozen=True)
class About:
    """The purpose of a timer."""

    label: str | None = None
    project: str | None = None
    task: str | None = None


@dataclasses.dataclass
class Timer:
    kind: str
    start: int
    # Of a countdown: when it ends, or would without the pause that is open.
    end: int | None
    original: int
    # Those with which it began: a change counts from the next one on.
    settings: Settings = Settings()
    about: About = About()
    subject: dict | None = None
    is_automatic: bool = False
    state: str = "running"
    last_start: int = 0
    # When the pause began that is open.
    paused_at: int | None = None
    last_pause: int | None = None
    paused: int = 0
    adjusted: int = 0
    was_adjusted: bool = False
    finished_at: int | None = None
    background_at: int | None = None
    # Whether the pause that is open is the background's.
    is_paused_by_background: bool = False

    def __post_init__(self):
        self.last_start = self.start

    @property
    def is_countdown(self):
        return self.end is not None

    @property
    def is_work(self):
        return self.kind == FOCUS


@dataclasses.dataclass(frozen=True)
class Session:
    kind: str
    start: int
    end: int
    minutes: int
    interruptions: int
    seconds: int
    outcome: str
    about: About

    @property
    def key(self):
        return self.start, self.kind


@dataclasses.dataclass
class Routine:
    name: str | None
    start: int
    item: str | None
    set: int
    sets: int
    done: int
    items: int
