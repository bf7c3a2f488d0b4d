"""Steps with members' own timers and telephones.

Acts at the present are over within the step: nothing depends on how long a side took. Stated times lie hours back, with
all effects of time alone."""

import datetime

from random_world.operations import OPERATIONS
from random_world.requests import Pair

HOUR = datetime.timedelta(hours=1)
MINUTE = datetime.timedelta(minutes=1)
ACTS = ["pauseTimer", "pauseTimer", "resumeTimer", "adjustTimer", "adjustTimer", "skipTimer", "startNextTimer"]
COMMANDS = ["start", "start", "pause", "resume", "adjust", "skip", "next", "stop"]


class Timers:
    def timer_steps(self):
        return [
            (self.use_timer, 6),
            (self.queue_timer_commands, 4),
            (self.change_timer_settings, 3),
            (lambda: self.draw(self.pick(["putRoutine", "putRoutine", "deleteRoutine"])), 2),
            (lambda: self.draw("getTimerStatistics"), 2),
            (lambda: self.draw(self.pick(["createPushTarget", "listPushTargets", "deletePushTarget"])), 3),
        ]

    def mostly(self, good, bad=()):
        """A part of something that is refused if any part is bad."""
        return self.pick(good, bad, 0.02)

    def timer(self, one, longest):
        """A start with a length that is stated; that of the settings may end while the two sides are asked."""
        subject = {"id": self.mostly(["squats", " rows "], ["", "x" * 101]), "name": self.mostly(["Squats"], ["", 7])}
        return {
            **self.members("startTimer", one, OPERATIONS["startTimer"].body),
            "type": self.mostly(["focus", "focus", "shortBreak", "longBreak", "rest"], ["nap", ...]),
            "durationSeconds": self.mostly(longest, [0, 28_801, "1"]),
            "isCountdown": self.mostly([..., ..., True, None], [False]),
            "subject": self.mostly([..., ..., subject], [None, {}]),
        }

    def stated(self, members):
        return {name: value for name, value in members.items() if value is not ...}

    def body_startTimer(self, one):
        return {
            "label": self.mostly([..., None, "Reading", " e\u0301 ", ""], ["a\nb", "x" * 201, 7]),
            "projectId": self.mostly([..., ..., ..., ..., self.one_of(one, "projects")]),
            "taskId": self.mostly([..., ..., ..., ..., ..., self.one_of(one, "tasks")]),
            "automatic": self.mostly([..., ..., True, False], [1]),
        }

    def value_routine(self, one, is_needed):
        return self.mostly([..., self.stated(self.body_putRoutine(one))], [None, {}])

    def body_putRoutine(self, one):
        counters = ["currentSet", "totalSets", "itemsCompleted", "totalItems"]
        return {
            "name": self.mostly([..., None, "Legs"], ["a\nb", 7]),
            "startTime": self.instant(2),
            "currentItem": self.mostly([..., "Squats"], ["a\nb", 7]),
            **{name: self.mostly([0, 1, 2, 999], [-1, 1000, ..., "1"]) for name in counters},
        }

    def use_timer(self):
        """A timer from its start to its end, all at the present."""
        one, token = self.of_log_ins()
        start = self.body(self.stated(self.timer(one, [3_600, 5_400, 28_800])))
        self.act("startTimer", one, token, start)
        for _ in range(self.random.randrange(6)):
            name = self.pick([*ACTS, "setTimerPresence", "getCurrentTimer"])
            body = None
            if name == "adjustTimer":
                body = self.body({"seconds": self.pick([60, 15, -15, 28_800, -28_800, -28_800], [0, 28_801, 1.5])})
            elif name == "setTimerPresence":
                body = self.body({"state": self.pick(["foreground", "background"], ["away"])})
            self.act(name, one, token, body)
        # Without a key, so that it is done: a running timer would count its minutes on each side.
        made, _ = self.meant("stopTimer", token, one.id)
        if made and made[0]["session"]:
            self.keep_timer_sessions(one, token, [each["session"]["id"] for each in made])

    def act(self, name, one, token, body):
        operation = OPERATIONS[name]
        is_conditional = "If-Match" in operation.fields and self.chance(0.2)
        condition = self.pick(['"1"', '"2"', '"3", "4"', "*", 'W/"1"', "1"])
        fields = [field for field in self.fields(operation, '"1"') if field[0] != "If-Match"]
        method = self.pick(["GET", "GET", "HEAD"]) if operation.method == "GET" else operation.method
        fields += [("If-Match", condition)] if is_conditional else []
        self.ask(name, method, operation.path([one.id]), token, body, fields)

    def keep_timer_sessions(self, one, token, ids):
        one.known.setdefault("timerSessions", []).append(Pair(*ids))
        one.owners[Pair(*ids)] = token

    def queue_timer_commands(self):
        """A timer from some hours ago; never so long that it runs on at the present."""
        one, token = self.of_log_ins()
        begin = self.start - 2.5 * MINUTE - self.random.randrange(3, 20) * HOUR
        commands = []
        for _ in range(self.random.randrange(1, 7)):
            begin += self.random.randrange(1, 20) * MINUTE / 2
            kind = self.pick(COMMANDS, ["presence"], 0.02)
            identifier = f"019aa0f2-3c00-7a10-8b20-{self.random.randrange(400):012x}"
            command = {"id": self.pick([identifier], ["x"], 0.02), "type": kind, "at": self.written(begin)}
            if kind == "start":
                command["timer"] = self.stated(self.timer(one, [60, 300, 1_500]))
            elif kind == "adjust":
                command["seconds"] = self.pick([60, -15, -600], [0, "60"])
            commands.append(command)
        body = self.body({"commands": commands if self.chance(0.97) else []})
        made, _ = self.meant("applyTimerCommands", token, one.id, body=body)
        for first, second in zip(*[side["results"] for side in made], strict=True) if made else []:
            if first["session"]:
                self.keep_timer_sessions(one, token, [first["session"]["id"], second["session"]["id"]])

    def change_timer_settings(self):
        one, token = self.of_log_ins()
        _, seen = self.meant("getTimerSettings", token, one.id)
        operation = OPERATIONS["putTimerSettings"]
        if self.chance(0.6):
            body = self.body(self.members("putTimerSettings", one, operation.body))
            fields = self.fields(operation, seen.fields.get("etag", '"1"'))
            self.ask(operation.id, operation.method, operation.path([one.id]), token, body, fields)

    def body_putTimerSettings(self, one):
        return {"version": self.mostly([..., ..., ..., 1, None], ["1"])}

    def body_createPushTarget(self, one):
        return {
            "kind": self.mostly(["liveActivity", "pushToStart", "alert"], ["email", ...]),
            # Few, so that some are registered again, by others too.
            "token": self.mostly([f"{self.random.randrange(60):040x}"], ["00", "x", ...]),
        }

    def after_createPushTarget(self, one, made, ids, token):
        one.owners[self.each(made, "id")] = token

    def use_a_focus_timer(self, one, token):
        """Every operation on a timer once as it is meant: a queue of this morning, and then the present."""
        commands = [
            {"type": "start", "timer": {"type": "focus", "durationSeconds": 1_500, "label": "Reading"}},
            {"type": "pause"},
            {"type": "resume"},
            {"type": "adjust", "seconds": 60},
            {"type": "skip"},
            {"type": "stop"},
        ]
        begin = self.start - 4 * HOUR
        for number, command in enumerate(commands):
            command["id"] = f"019aa0f2-3c00-7a10-8b20-0000000001{number:02x}"
            command["at"] = (begin + number * 4 * MINUTE).isoformat(timespec="milliseconds")
        for _ in range(2):
            made, _ = self.meant("applyTimerCommands", token, one.id, body={"commands": commands})
        session = Pair(*[side["results"][4]["session"]["id"] for side in made])
        self.meant("listTimerSessions", token, one.id)
        self.meant("updateTimerSession", token, one.id, session, body={"notes": "Chapter 4", "isArchived": True})
        self.meant("getTimerStatistics", token, one.id, query="?groupBy=type")
        self.meant("deleteTimerSession", token, one.id, session)
        _, seen = self.meant("getTimerSettings", token, one.id)
        settings = {"focusSeconds": 3_000, "restBySubject": {"squats": 240}}
        self.meant("putTimerSettings", token, one.id, body=settings, seen=seen)
        routine = {"currentSet": 1, "totalSets": 5, "itemsCompleted": 0, "totalItems": 4}
        self.meant("putRoutine", token, one.id, body=routine)
        self.meant("startTimer", token, one.id, body={"type": "focus"})
        bodies = {"setTimerPresence": {"state": "background"}, "adjustTimer": {"seconds": -28_800}}
        acts = ["pauseTimer", "resumeTimer", *bodies, "startNextTimer", "skipTimer", "stopTimer"]
        for name in acts:
            self.meant("getCurrentTimer", token, one.id)
            self.meant(name, token, one.id, body=bodies.get(name))
        self.meant("deleteRoutine", token, one.id)
        self.meant("getLiveActivity", token, one.id, query="?form=focus")
