"""The requirements of messages to phones: of each, and of those to one token."""

import itertools
import json

BUNDLE = "com.example.app"
# Members of the content by forms, with their types and whether they may be left out.
NUMBER = (int, float)
CONTENT = {
    "task": {"startTime": NUMBER, "elapsedSeconds": int},
    "work": {
        "startTime": NUMBER,
        "isRunning": bool,
        "activeProjectName?": str,
        "activeProjectColor?": str,
        "currentSessionTime": NUMBER,
        "dailyTotalTime": NUMBER,
    },
    "focus": {
        "timerStartDate": NUMBER,
        "timerEndDate": NUMBER,
        "isPaused": bool,
        "isRunning": bool,
        "pausedTimeRemaining?": NUMBER,
        "pausedElapsedTime?": NUMBER,
    },
    "rest": {"remainingSeconds": int, "endDate": NUMBER, "isPaused": bool, "progress": NUMBER, "wasAdjusted": bool},
    "routine": {
        "currentExercise": str,
        "currentSet": int,
        "totalSets": int,
        "exercisesCompleted": int,
        "totalExercises": int,
        "elapsedTime": int,
        "isResting": bool,
        "restRemaining?": int,
    },
}
ATTRIBUTES = {
    "task": {"taskId": str, "taskName": str},
    "work": {"timerName": str},
    "focus": {"label": str, "labelColor": str, "isFocus": bool, "isCountdown": bool},
    "rest": {"exerciseName": str, "originalDuration": int, "exerciseID": str},
    "routine": {"workoutName?": str, "startTime": NUMBER},
}
# Members that time alone changes.
RUNNING = {
    *("elapsedSeconds", "currentSessionTime", "dailyTotalTime", "remainingSeconds", "progress", "elapsedTime"),
    "restRemaining",
}
KEYS = {
    "start": ({"content-state", "attributes-type", "attributes", "alert"}, {"stale-date"}),
    "update": ({"content-state"}, {"stale-date"}),
    "end": (set(), {"content-state", "dismissal-date"}),
}


class Fault(Exception):
    """A message that is not as it has to be."""


def require(condition, what):
    if not condition:
        raise Fault(what)


def judge(message, form):
    """Looks at one message, to an activity of a form, or to an app if that is None."""
    require(message.fault is None, f"Apple would not believe the sender: {message.fault}")
    kind = "liveactivity" if form else "alert"
    topic = BUNDLE + (".push-type.liveactivity" if form else "")
    fields = message.fields
    require(fields.get("apns-push-type") == kind, f"apns-push-type is {fields.get('apns-push-type')}")
    require(fields.get("apns-topic") == topic, f"apns-topic is {fields.get('apns-topic')}")
    require(fields.get("apns-priority") in ("5", "10"), f"apns-priority is {fields.get('apns-priority')}")
    require(int(fields.get("apns-expiration", 0)) > message.time, "the message has expired when it comes")
    require(len(message.body) <= 4_096, f"{len(message.body)} bytes")
    content = json.loads(message.body)
    require(set(content) == {"aps"}, f"members {sorted(content)}")
    require_no_null(content, "the message")
    aps = content["aps"]
    if not form:
        require(set(aps) == {"alert", "sound"}, f"members {sorted(aps)}")
        require(aps["alert"]["title"] in ("Focus Complete", "Break Complete"), f"the title is {aps['alert']}")
        require(aps["alert"]["body"] == "Tap to continue", f"the text is {aps['alert']}")
        return
    required, optional = KEYS[aps["event"]]
    present = set(aps) - {"event", "timestamp"}
    require(required <= present <= required | optional, f"{aps['event']} has {sorted(present)}")
    require(abs(aps["timestamp"] - message.time) < 5, f"the time is {aps['timestamp']} at {message.time}")
    if "content-state" in aps:
        require_members(aps["content-state"], CONTENT[form], "content-state")
    if aps["event"] == "start":
        require_members(aps["attributes"], ATTRIBUTES[form], "attributes")
        require(bool(aps["alert"].get("title")) and bool(aps["alert"].get("body")), f"the words are {aps['alert']}")
    if aps["event"] != "update":
        require(fields["apns-priority"] == "10", f"{aps['event']} has priority {fields['apns-priority']}")


def require_members(found, known, what):
    names = {name.rstrip("?"): kind for name, kind in known.items()}
    needed = {name for name in known if not name.endswith("?")}
    require(needed <= set(found) <= set(names), f"{what} has {sorted(found)}")
    for name, value in found.items():
        kind = names[name]
        # Swift's decoder takes no bool for a number.
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        require(fits, f"{what}.{name} is {value!r}")


def require_no_null(value, what):
    require(value is not None, f"{what} is null")
    for name, inner in value.items() if isinstance(value, dict) else ():
        require_no_null(inner, name)


def still(message):
    """The content of a message but for the running seconds."""
    aps = message.aps
    content = {name: value for name, value in aps.get("content-state", {}).items() if name not in RUNNING}
    return json.dumps([message.event, content, aps.get("attributes"), aps.get("alert")], sort_keys=True)


def judge_series(messages, form):
    """Looks at the messages to one token, in the order in which they came. Those that were not taken come again."""
    for message in messages:
        judge(message, form)
    for before, after in itertools.pairwise(messages):
        require(before.status not in (400, 410), f"a message behind {before.status}")
        require(before.event != "end" or before.status != 200, "a message behind the end")
        if before.status == 200:
            # By the sender's clock, for a message may be under way for longer than the one behind it.
            apart = after.aps["timestamp"] - before.aps["timestamp"] if form else after.time - before.time
            require(after.event == "end" or apart >= 1, "two messages within a second")
            require(still(before) != still(after), f"the same twice: {still(before)}")
        if form:
            require(before.aps["timestamp"] <= after.aps["timestamp"], "the time goes back")
        if after.event == "end" and before.status == 200 and "content-state" in before.aps:
            shown = after.aps.get("content-state")
            require(shown == before.aps["content-state"], f"the end shows {shown}")
