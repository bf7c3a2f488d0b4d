"""Random operations on members' own timers, for `random_operations.World`.

Acts at the present are over within the step: nothing depends on how long a side took. Stated times lie hours back, with
all effects of time alone."""

import datetime

HOUR = datetime.timedelta(hours=1)
MINUTE = datetime.timedelta(minutes=1)
LABELS = [..., None, "Reading", " e\u0301 ", ""]
NO_LABELS = ["a\nb", "x" * 201, 7]
FORMS = ["task", "work", "focus", "rest", "routine"]
COUNTERS = ["currentSet", "totalSets", "itemsCompleted", "totalItems"]


class Timers:
    """The steps of a world that have to do with timers."""

    def timer_steps(self):
        return [
            (self.use_timer, 6),
            (self.queue_timer_commands, 4),
            (self.change_timer_settings, 3),
            (self.change_routine, 2),
            (self.list_timer_sessions, 2),
            (self.change_timer_session, 3),
            (self.timer_statistics, 2),
            (self.live_activity, 2),
            (self.use_push_targets, 3),
        ]

    def mostly(self, good, bad=()):
        """A part of something that is refused if any part is bad."""
        return self.pick(good, bad, 0.02)

    def routine(self):
        return {
            "name": self.mostly([..., None, "Legs"], NO_LABELS),
            "startTime": self.instant(2),
            "currentItem": self.mostly([..., "Squats"], NO_LABELS),
            **{name: self.mostly([0, 1, 2, 999], [-1, 1000, ..., "1"]) for name in COUNTERS},
        }

    def stated(self, members):
        return {name: value for name, value in members.items() if value is not ...}

    def timer(self, one, longest):
        """A start with a length that is stated; that of the settings may end while the two sides are asked."""
        subject = {"id": self.mostly(["squats", " rows "], ["", "x" * 101]), "name": self.mostly(["Squats"], ["", 7])}
        return self.stated(
            {
                "type": self.mostly(["focus", "focus", "shortBreak", "longBreak", "rest"], ["nap", ...]),
                "durationSeconds": self.mostly(longest, [0, 28_801, "1"]),
                "isCountdown": self.mostly([..., ..., True, None], [False]),
                "label": self.mostly(LABELS, NO_LABELS),
                "projectId": self.mostly([..., ..., ..., ..., self.known_project(one)]),
                "taskId": self.mostly([..., ..., ..., ..., ..., self.known_task(one)]),
                "subject": self.mostly([..., ..., subject], [None, {}]),
                "routine": self.mostly([..., ..., ..., self.stated(self.routine())], [None, {}]),
                "automatic": self.mostly([..., ..., True, False], [1]),
            }
        )

    def use_timer(self):
        """A timer from its start to its end, all at the present."""
        one = self.organization()
        token = self.token(one)
        current = [*one.base, "/timers/current"]
        start = self.body(self.timer(one, [3_600, 5_400, 28_800]))
        self.ask("startTimer", "POST", [*one.base, "/timers"], token, start, self.fields())
        for _ in range(self.random.randrange(6)):
            name, path = self.pick(
                [
                    ("pauseTimer", "pause"),
                    ("pauseTimer", "pause"),
                    ("resumeTimer", "resume"),
                    ("adjustTimer", "adjust"),
                    ("adjustTimer", "adjust"),
                    ("skipTimer", "skip"),
                    ("startNextTimer", "next"),
                    ("setTimerPresence", "presence"),
                    ("getCurrentTimer", ""),
                ]
            )
            if not path:
                self.ask(name, self.pick(["GET", "GET", "HEAD"]), current, token)
                continue
            body = None
            if path == "adjust":
                seconds = self.pick([60, 15, -15, 28_800, -28_800, -28_800], [0, 28_801, 1.5])
                body = self.body({"seconds": seconds})
            elif path == "presence":
                body = self.body({"state": self.pick(["foreground", "background"], ["away"])})
            fields = self.fields()
            if self.chance(0.2):
                fields.append(("If-Match", self.pick(['"1"', '"2"', '"3", "4"', "*", 'W/"1"', "1"])))
            self.ask(name, "POST", [*current, "/", path], token, body, fields)
        # Without a key, so that it is done: a running timer would count its minutes on each side.
        made, _ = self.ask("stopTimer", "POST", [*current, "/stop"], token)
        if made and made[0]["session"]:
            self.keep_timer_sessions(one, token, [session["session"]["id"] for session in made])

    def keep_timer_sessions(self, one, token, ids):
        one.timer_sessions.append((token, self.pair(ids)))

    def queue_timer_commands(self):
        """A timer from some hours ago; never so long that it runs on at the present."""
        one = self.organization()
        token = self.token(one)
        begin = self.start - 2.5 * MINUTE - self.random.randrange(3, 20) * HOUR
        commands = []
        for _ in range(self.random.randrange(1, 7)):
            begin += self.random.randrange(1, 20) * MINUTE / 2
            kind = self.pick(
                ["start", "start", "pause", "resume", "adjust", "skip", "next", "stop"], ["presence"], 0.02
            )
            identifier = f"019aa0f2-3c00-7a10-8b20-{self.random.randrange(400):012x}"
            command = {"id": self.pick([identifier], ["x"], 0.02), "type": kind, "at": self.written(begin)}
            if kind == "start":
                command["timer"] = self.timer(one, [60, 300, 1_500])
            elif kind == "adjust":
                command["seconds"] = self.pick([60, -15, -600], [0, "60"])
            commands.append(command)
        body = self.body({"commands": commands if self.chance(0.97) else []})
        made, _ = self.ask("applyTimerCommands", "POST", [*one.base, "/timers/commands"], token, body)
        for first, second in zip(*[side["results"] for side in made], strict=True) if made else []:
            if first["session"]:
                self.keep_timer_sessions(one, token, [first["session"]["id"], second["session"]["id"]])

    def change_timer_settings(self):
        one = self.organization()
        token = self.token(one)
        path = [*one.base, "/timers/settings"]
        _, seen = self.ask("getTimerSettings", self.pick(["GET", "GET", "HEAD"]), path, token)
        if self.chance(0.4):
            return
        # Lengths after which nothing that begins at the present ends while the sides are asked.
        stated = {
            "focusSeconds": self.mostly([..., 1_500, 3_000], [0, 28_801]),
            "shortBreakSeconds": self.mostly([..., 300, 600], [0]),
            "longBreakSeconds": self.mostly([..., 900, 1_200], [-1]),
            "sessionsBeforeLongBreak": self.mostly([..., 1, 2, 4], [0, 21]),
            "isCountdown": self.mostly([..., True, False], ["no"]),
            "breaksEnabled": self.mostly([..., ..., False]),
            "longBreaksEnabled": self.mostly([..., ..., False]),
            "autoStartFocus": self.mostly([..., True]),
            "autoStartBreak": self.mostly([..., True]),
            "autoStartMaximum": self.mostly([..., 0, 1, 24], [25, -1]),
            "countUpLimitSeconds": self.mostly([..., 7_200], [59, 54_001]),
            "restEnabled": self.mostly([..., ..., False, None]),
            "restSeconds": self.mostly([..., 180], [0]),
            "restBySubject": self.mostly(
                [..., {}, {"squats": 240, "e\u0301": 60, "rows": 60}],
                [{"": 60}, {"a": 0}, {"a": 60, " a": 60}, {"a": "60"}, {f"s{number}": 60 for number in range(501)}],
            ),
            "pauseInBackground": self.mostly([..., True]),
            "version": self.mostly([..., ..., ..., 1, None], ["1"]),
        }
        fields = self.condition(seen.fields.get("etag", '"1"'))
        self.ask("putTimerSettings", "PUT", path, token, self.body(stated), fields)

    def change_routine(self):
        one = self.organization()
        path = [*one.base, "/timers/current/routine"]
        if self.chance(0.3):
            self.ask("deleteRoutine", "DELETE", path, self.token(one))
        else:
            self.ask("putRoutine", "PUT", path, self.token(one), self.body(self.routine()))

    def list_timer_sessions(self):
        one = self.organization()
        stated = self.query(
            {"startDate": self.date, "endDate": self.date, "limit": self.limit, **self.sometimes_range()}, 0.3
        )
        self.list("listTimerSessions", one, [*one.base, "/timerSessions"], stated, "timerSessions")

    def change_timer_session(self):
        one = self.organization()
        token, session = self.pick(one.timer_sessions or [(self.token(one), self.pick(self.foreign_ids))])
        if self.chance(0.1):
            token = self.token(one)
        path = [*one.base, "/timerSessions/", session]
        if self.chance(0.2):
            self.ask("deleteTimerSession", "DELETE", path, token)
            return
        stated = {
            "label": self.pick(LABELS, NO_LABELS),
            "projectId": self.pick([..., ..., None, self.known_project(one)]),
            "taskId": self.pick([..., ..., None, self.known_task(one)]),
            "notes": self.reason(),
            "isArchived": self.pick([..., True, False, None], ["no"]),
        }
        self.ask("updateTimerSession", "PATCH", path, token, self.body(stated))

    def timer_statistics(self):
        one = self.organization()
        stated = {
            "startDate": self.date,
            "endDate": self.date,
            "groupBy": lambda: self.pick(["day", "week", "month", "project", "task", "type", "label"], ["year", ""]),
            **self.sometimes_range(),
        }
        path = self.with_query([*one.base, "/timers/statistics"], self.query(stated, 0.4))
        self.ask("getTimerStatistics", "GET", path, self.token(one))

    def use_a_focus_timer(self, base, token):
        """Every operation on a timer once as it is meant: a queue of this morning, and then the present."""
        current = [*base, "/timers/current"]
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
        made = None
        for _ in range(2):
            made, _ = self.ask("applyTimerCommands", "POST", [*base, "/timers/commands"], token, {"commands": commands})
        session = [*base, "/timerSessions/", self.pair([side["results"][4]["session"]["id"] for side in made])]
        self.ask("listTimerSessions", "GET", [*base, "/timerSessions"], token)
        self.ask("updateTimerSession", "PATCH", session, token, {"notes": "Chapter 4", "isArchived": True})
        self.ask("getTimerStatistics", "GET", [*base, "/timers/statistics?groupBy=type"], token)
        self.ask("deleteTimerSession", "DELETE", session, token)
        _, seen = self.ask("getTimerSettings", "GET", [*base, "/timers/settings"], token)
        settings = {"focusSeconds": 3_000, "restBySubject": {"squats": 240}}
        fields = [("If-Match", seen.fields["etag"])]
        self.ask("putTimerSettings", "PUT", [*base, "/timers/settings"], token, settings, fields)
        routine = {"currentSet": 1, "totalSets": 5, "itemsCompleted": 0, "totalItems": 4}
        self.ask("putRoutine", "PUT", [*current, "/routine"], token, routine)
        self.ask("startTimer", "POST", [*base, "/timers"], token, {"type": "focus"})
        for name, path, body in [
            ("pauseTimer", "pause", None),
            ("resumeTimer", "resume", None),
            ("setTimerPresence", "presence", {"state": "background"}),
            ("adjustTimer", "adjust", {"seconds": -28_800}),
            ("startNextTimer", "next", None),
            ("skipTimer", "skip", None),
            ("stopTimer", "stop", None),
        ]:
            self.ask("getCurrentTimer", "GET", current, token)
            self.ask(name, "POST", [*current, "/", path], token, body)
        self.ask("deleteRoutine", "DELETE", [*current, "/routine"], token)

    def live_activity(self):
        one = self.organization()
        stated = {
            "form": lambda: self.pick(FORMS, ["sleep", ""]),
            "dates": lambda: self.pick(["reference", "unix", "iso8601"], ["apple"]),
        }
        path = self.with_query([*one.base, "/liveActivity"], self.query(stated, 0.8))
        self.ask("getLiveActivity", self.pick(["GET", "GET", "HEAD"]), path, self.token(one))

    def use_push_targets(self):
        one = self.organization()
        # They are for log-ins.
        token = self.pick(self.log_ins) if self.log_ins and self.chance(0.7) else self.token(one)
        path = [*one.base, "/pushTargets"]
        kind = self.pick(["create", "create", "list", "delete"])
        if kind == "create":
            stated = {
                "kind": self.mostly(["liveActivity", "pushToStart", "alert"], ["email", ...]),
                "form": self.mostly([*FORMS, ..., ..., ..., None], ["sleep"]),
                # Few, so that some are registered again, by others too.
                "token": self.mostly([f"{self.random.randrange(60):040x}"], ["00", "x", ...]),
                "topic": self.mostly(["com.example.app"], ["", "com.example app", ...]),
                "environment": self.mostly([..., "production", "sandbox", None], ["test"]),
                "dates": self.mostly([..., "unix", None], ["apple"]),
                "attributesType": self.mostly([..., ..., ..., "RestTimerAttributes", None], ["A.B"]),
            }
            made, _ = self.ask("createPushTarget", "POST", path, token, self.body(stated), self.fields())
            if made:
                one.push_targets.append((token, self.pair([target["id"] for target in made])))
        elif kind == "list":
            self.ask("listPushTargets", self.pick(["GET", "HEAD"]), path, token)
        else:
            token, target = self.pick(one.push_targets or [(token, self.pick(self.foreign_ids))])
            self.ask("deletePushTarget", "DELETE", [*path, "/", target], token)
