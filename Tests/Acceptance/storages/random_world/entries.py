"""The meaning of operations on time entries, sessions and segments."""

import datetime
import time

from random_world.operations import OPERATIONS
from random_world.requests import Pair
from random_world.values import EMAILS, NAMES, NO_EMAILS, NO_NAMES, NO_NOTES, NO_ZONES, NOTES, ZONES

MINUTE = datetime.timedelta(minutes=1)
DIALECT = ("dialect", "separator", "decimal", "bom")


class Entries:
    def after_clockIn(self, one, made, *_):
        one.known.setdefault("timeEntries", []).append(self.each(made, "id"))

    def begin(self):
        return self.start - 2.5 * MINUTE - 5 * MINUTE * self.random.randrange(20 * 288)

    def body_createTimeEntry(self, one):
        """The times of a span entered by hand."""
        start = self.begin()
        lengths = [960 * MINUTE + MINUTE / 60_000, MINUTE - MINUTE / 60_000, 0 * MINUTE, -5 * MINUTE, 10_000 * MINUTE]
        length = self.pick([5 * MINUTE, 30 * MINUTE, 60 * MINUTE, 480 * MINUTE], [MINUTE, 960 * MINUTE, *lengths], 0.3)
        stated = {"clockInTime": self.written(start), "clockOutTime": self.written(start + length)}
        if self.chance(0.1):
            stated[self.pick(["clockInTime", "clockOutTime"])] = self.instant()
        return stated

    def body_createTimeEntries(self, one):
        """Some at once, now and then one of a form that spoils all."""
        schema = OPERATIONS["createTimeEntry"].body
        entries = [self.members("createTimeEntry", one, schema) for _ in range(self.pick([1, 2, 5, 12]))]
        if self.chance(0.05):
            entries[-1] = self.pick([{**entries[-1], "unknown": 1}, None, [], "x"])
        return {
            "mode": self.pick(["partial", "partial", "atomic"], ["all", ""], 0.05),
            "timeEntries": self.pick([entries], [[], entries * 200], 0.03),
        }

    def after_createTimeEntries(self, one, made, *_):
        for first, second in zip(*[each["results"] for each in made]):
            if "timeEntry" in first:
                pair = Pair(first["timeEntry"]["id"], second["timeEntry"]["id"])
                one.known.setdefault("timeEntries", []).append(pair)

    def token_importTimeEntries(self, one):
        return one.tokens[0] if self.chance(0.7) else None

    def request_importTimeEntries(self, one, body, query, fields):
        """A file of the generic form; some rows and now and then the file are spoiled."""
        rows = [",".join(self.imported_row()) for _ in range(self.pick([1, 2, 5, 12]))]
        text = "\r\n".join(["email,name,clockInTime,clockOutTime,notes,timeZone", *rows]).encode()
        spoiled = [b"", b"\xef\xbb\xbf" + text, text + b'\n"', text.replace(b",", b";"), b"a,b\n1,2"]
        format = ("format", self.pick(["generic"], ["toggl", "timetagger", "csv", ""], 0.05))
        return self.pick([text], spoiled, 0.1), [format, *query], self.as_table(fields)

    def query_importTimeEntries(self, one):
        without = ("format", "dayStart", "lengthFromDuration")
        return self.parameters(OPERATIONS["importTimeEntries"], one, without, 0.2)

    def imported_row(self):
        """The fields of a row; most have an offset or a zone, some are local times."""
        start = self.begin()
        end = start + self.pick(
            [5 * MINUTE, 60 * MINUTE, 480 * MINUTE], [0 * MINUTE, -5 * MINUTE, 10_000 * MINUTE], 0.2
        )
        if self.chance(0.4):
            times = [each.strftime(self.pick(["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"])) for each in (start, end)]
        else:
            times = [self.written(start), self.written(end)]
        if self.chance(0.1):
            times[self.pick([0, 1])] = self.pick(["", "yesterday", "2026-03-29 02:30", "2026-02-30 10:00"])
        fields = [
            self.pick([*EMAILS, "m00@example.com", "admin0@example.com"], [*NO_EMAILS, ""]),
            self.pick(["", *NAMES], NO_NAMES),
            *times,
            self.pick(["", *NOTES], NO_NOTES),
            self.pick(["", "", *ZONES], NO_ZONES),
        ]
        quoted = ['"' + field.replace('"', '""') + '"' for field in fields]
        return quoted if self.chance(0.97) else quoted[:-1] + ['"x"y']

    def after_importTimeEntries(self, one, made, *_):
        for members in zip(*[each["membersCreated"] for each in made if not each["dryRun"]]):
            one.known["members"].append(Pair(*[member["userId"] for member in members]))
            one.gone.append(one.known["members"][-1])

    def query_exportTimeEntries(self, one):
        without = () if self.chance(0.4) else DIALECT
        counting = [("timeZone", self.pick(["payroll"], ["UTC", ""]))] if self.chance(0.3) else []
        return [*counting, *self.parameters(OPERATIONS["exportTimeEntries"], one, ("timeZone", *without))]

    def request_exportTimeEntries(self, one, body, query, fields):
        accepted = self.pick(
            [None, None, "*/*", "text/csv", "application/x-ndjson", "text/csv;q=0.5, application/*"],
            ["application/json", "text/csv;q=0", "nonsense", ""],
        )
        return body, query, fields if accepted is None else [*fields, ("Accept", accepted)]

    def body_createSession(self, one):
        """Some members, in one of the three forms, at times in two of them or one twice."""
        people = [
            {"id": self.one_of(one, "members"), "name": self.pick(["x", None, ""], [7])}
            for _ in range(self.random.randrange(4))
        ]
        people += [{"id": each} for each in one.known["members"][:1] if self.chance(0.5)]
        forms = {"assignees": people, "photographers": people, "photographer": people[0] if people else None}
        stated = [form for form in forms if self.chance(0.05)] + [self.pick(["assignees", "assignees", *forms])]
        return {form: forms[form] if form in stated and self.chance(0.8) else ... for form in forms}

    body_updateSession = body_createSession

    def value_assignedTo(self, one, is_needed):
        return self.pick(["me", self.one_of(one, "members")], ["ME", ""])

    def project_to_work_on(self, one):
        if len(one.worked_on) < 3:
            made, _ = self.meant("createProject", one.tokens[0], one.id, body={"name": "Work"})
            if made:
                one.worked_on.append(self.each(made, "id"))
        return self.pick(one.worked_on) if one.worked_on and self.chance(0.9) else self.pick(self.foreign_ids)

    def purpose(self, one, missing=()):
        """Mostly work on a project or a break, at times neither, both, or a task that nobody has."""
        project, rest = self.project_to_work_on(one), self.one_of(one, "breakTypes")
        stated = self.pick([{"projectId": project}] * 6 + [{"breakTypeId": rest}] * 4 + list(missing))
        if self.chance(0.04):
            nobody = {"taskId": self.pick(self.foreign_ids)}
            stated = self.pick([{}, {"projectId": project, "breakTypeId": rest}, nobody])
        return {"projectId": ..., "breakTypeId": ..., "taskId": ..., **stated}

    body_startSegment = purpose

    def body_createSegment(self, one):
        begin = self.start - 3 * MINUTE - self.random.randrange(5_000) * MINUTE
        end = begin + MINUTE * self.random.randrange(1, 90)
        return {
            **self.purpose(one),
            "startTime": self.pick([self.written(begin)], [..., self.instant()]),
            "endTime": self.pick([self.written(end)], [self.written(begin), ..., self.instant()]),
        }

    def body_updateSegment(self, one):
        return self.purpose(one, [{}] * 10 + [{"projectId": None}, {"taskId": None}])

    def after_startSegment(self, one, made, *_):
        self.keep_segments(one, made, "segment")

    def after_stopSegment(self, one, made, *_):
        self.keep_segments(one, made, "resumed")

    def keep_segments(self, one, made, key):
        if made[0][key]:
            one.known.setdefault("segments", []).append(Pair(*[each[key]["id"] for each in made]))
        # On neither side does the next one end one begun in the same millisecond.
        time.sleep(0.003)

    def after_updateSegment(self, *_):
        time.sleep(0.003)
