"""The purposes of punches in an organization, present and gone, and their remains."""

# The most characters of notes, and characters they cannot hold.
NOTES = 500


class Things:
    def __init__(self, office):
        ask = office.ask
        self.projects = [ask("POST", "/projects", {"name": name}, 201)["id"] for name in ("Rows", "Cider")]
        archived, deleted = [ask("POST", "/projects", {"name": name}, 201)["id"] for name in ("Old", "Gone")]
        ask("PATCH", f"/projects/{archived}", {"archived": True}, fields=[("If-Match", "*")])
        ask("DELETE", f"/projects/{deleted}", status=204, fields=[("If-Match", "*")])
        # By its project, if it has one.
        self.task = ask("POST", "/tasks", {"name": "Pick", "projectId": self.projects[0]}, 201)["id"]
        hidden = ask("POST", "/tasks", {"name": "Prune", "projectId": self.projects[1]}, 201)["id"]
        ask("PATCH", f"/tasks/{hidden}", {"hidden": True}, fields=[("If-Match", "*")])
        self.breaks = [
            ask("POST", "/breakTypes", {"name": name, "isPaid": False}, 201)["id"] for name in ("Lunch", "Smoke")
        ]
        ask("PATCH", f"/breakTypes/{self.breaks[1]}", {"archived": True}, fields=[("If-Match", "*")])
        absent = "019aa0f2-3c00-7a10-8b20-00000000dead"
        admin = ask("GET", "/members?limit=1")["members"][0]["userId"]
        planned = {"date": "2026-11-20", "title": "Tasting", "assignees": [{"id": admin}]}
        # None is there, or assigned to the members who send punches.
        self.sessions = [absent, ask("POST", "/sessions", planned, 201)["id"]]
        first, second = self.projects
        # A punch's purpose, and its stored remainder: project, task and kind of break.
        self.works = [
            ({"projectId": first}, (first, None, None)),
            ({"projectId": second}, (second, None, None)),
            ({"taskId": self.task}, (first, self.task, None)),
            ({"projectId": first, "taskId": self.task}, (first, self.task, None)),
            ({"projectId": second, "taskId": hidden}, (second, None, None)),
            ({"projectId": first, "taskId": absent}, (first, None, None)),
            ({"projectId": archived}, None),
            ({"projectId": deleted}, None),
            ({"projectId": absent}, None),
            ({"taskId": hidden}, None),
        ]
        self.rests = [
            ({"breakTypeId": self.breaks[0]}, (None, None, self.breaks[0])),
            ({"breakTypeId": self.breaks[1]}, (None, None, self.breaks[1])),
            ({"breakTypeId": absent}, None),
        ]
        self.nonsense = [
            None,
            "clockIn",
            {"type": "clockIn"},
            {"type": "lunch", "at": "2026-11-20T08:00:00Z"},
            {"type": "clockOut", "at": "yesterday"},
            {"type": "clockOut", "at": "2026-11-20T08:00:00Z", "place": "Kitchen"},
        ]

    def purpose(self, chance):
        return chance.choices(self.works, [6, 6, 3, 1, 1, 1, 1, 1, 1, 1])[0][0]

    def rest(self, chance):
        return chance.choices(self.rests, [5, 2, 1])[0][0]

    def left(self, more):
        """The remainder of a punch's purpose; None for nothing."""
        stated = {name: more[name] for name in ("projectId", "taskId", "breakTypeId") if name in more}
        return next((left for said, left in self.works + self.rests if said == stated), None)

    def segments(self, first, inner, end):
        """The segments of a day: start, end and purpose. Work is on until something else begins."""
        found, running = [], None

        def stop(time):
            if running and running[0] < time:
                found.append((running[0], time, running[1]))

        if self.left(first.more):
            running = (first.time, self.left(first.more), None)
        for one in inner:
            if one.type == "stopSegment":
                stop(one.time)
                running = running and running[2] and (one.time, running[2], None)
                continue
            what = self.left(one.more)
            is_break = what is not None and what[2] is not None
            if running and what == running[1] and not is_break:
                continue
            # A break goes back to the work before it, also one after another.
            work = running and (running[2] if running[1][2] else running[1])
            stop(one.time)
            running = what and (one.time, what, work if is_break else None)
        stop(end)
        return found

    @staticmethod
    def notes(first, last):
        """The notes of an entry: those of its end before those of its beginning, without any that cannot be kept."""
        for one in (last, first):
            text = one.more.get("notes", "").strip()
            if text and len(text) <= NOTES and not any(letter in text for letter in "\u202e\u0007"):
                return text
        return None
