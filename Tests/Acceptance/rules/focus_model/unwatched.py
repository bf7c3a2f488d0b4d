"""Timers that end while nobody asks: the services notice by themselves, and each leaves one session."""

import uuid

from kit.expecting import expect_equal

from . import shown
from .values import MINUTE, SECOND

TIMERS = 60
# In which an end has to be noticed, with the second in which all of them end.
LIMIT_SECONDS = 2.5


def check(stage):
    """All end within a second, at all instances; nobody asks for them until their sessions are there."""
    now = stage.start
    stage.clock.set(now)
    for number in range(TIMERS):
        _, token = stage.add_member()
        start = {"type": "focus", "durationSeconds": 60, "label": "Unwatched"}
        at = shown.instant(now - MINUTE + SECOND * number // TIMERS + 1)
        command = {"id": str(uuid.uuid4()), "type": "start", "at": at, "timer": start}
        answer = stage.request("POST", "/timers/commands", token, {"commands": [command]}, (), number)
        expect_equal([one["status"] for one in answer.json["results"]], ["applied"], "a start a minute ago")
    stage.clock.run(LIMIT_SECONDS)
    sessions = stage.count("SELECT count(*) FROM timer_sessions WHERE label = 'Unwatched'")
    expect_equal(sessions, TIMERS, "sessions of timers that nobody asked for")
