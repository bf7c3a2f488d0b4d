#!/usr/bin/env python3
"""The seven questions of docs/reporting.md get the document's answers, on both databases, by the document's statements;
and the views of whole entries, overtime and policies agree with the service's own answers, or nothing of paid time
while the policy has break rules.
"""

import pathlib
import re
import sqlite3
import subprocess
import tempfile

from kit import client, postgresql, service
from kit.expecting import expect, expect_equal
from kit.office import Office

BINARY = service.built_binary()
VIEWS = service.TOP / "sql" / "reporting"
DOCUMENT = service.TOP / "docs" / "reporting.md"
QUESTIONS = 7
STORAGES = "PostgreSQL", "SQLite"


class Cafe(Office):
    """The café of the document, filled over HTTP."""

    def __init__(self, clock):
        organization = clock.create_organization("Harbour Café", "Europe/Berlin")
        clock.start()
        super().__init__(clock.port, organization)
        policy = {"dailyOvertimeAfter": 28_800, "weeklyOvertimeAfter": 36_000, "weekStart": "sunday"}
        self.ask("PATCH", "", {"policy": policy}, fields=[("If-Match", "*")])
        ana = self.client.request("GET", "/v1/me", self.token).json["user"]["id"]
        self.ask("PATCH", f"/members/{ana}", {"name": "Ana"}, fields=[("If-Match", "*")])
        ben, cem, _ = (self.add_member(f"{name.lower()}@example.com", name) for name in ("Ben", "Cem", "Dora"))
        left = self.add_member("eve@example.com", "Eve")
        self.ask("DELETE", f"/members/{left}", None, 204, [("If-Match", "*")])
        opening = self.ask(
            "POST",
            "/sessions",
            {
                "date": "2025-10-27",
                "title": "Opening",
                "startTime": "2025-10-27T08:00:00+01:00",
                "endTime": "2025-10-27T12:00:00+01:00",
                "assignees": [{"id": ben}, {"id": cem}],
            },
            201,
        )["id"]
        self.enter(cem, "2025-10-25T22:00:00+02:00", "2025-10-26T06:00:00+01:00")
        self.enter(ben, "2025-10-27T08:04:00+01:00", "2025-10-27T12:34:00+01:00", opening)
        late = self.enter(cem, "2025-10-27T08:12:00+01:00", "2025-10-27T12:00:00+01:00", opening)
        self.enter(ben, "2025-10-28T07:00:00+01:00", "2025-10-28T17:00:00+01:00")
        never = self.enter(ben, "2025-10-29T08:00:00+01:00", "2025-10-29T12:00:00+01:00")
        self.edit(late, {"clockOutTime": "2025-10-27T12:15:00+01:00", "reason": "Stayed on"})
        # No time of it is another.
        self.edit(late, {"notes": "cleaning", "reason": "What it was"})
        self.ask("DELETE", f"/timeEntries/{never}?reason=Never%20happened", None, 204, [("If-Match", "*")])
        kitchen = self.make("projects", name="Kitchen")
        wedding = self.make("projects", name="Wedding", client="Harbour office")
        lunch = self.make("breakTypes", name="Lunch", isPaid=False)
        self.work(ben, "2025-10-28T07:00:00+01:00", "2025-10-28T11:15:00+01:00", projectId=wedding)
        self.work(ben, "2025-10-28T11:15:00+01:00", "2025-10-28T12:00:00+01:00", breakTypeId=lunch)
        self.work(ben, "2025-10-28T12:00:00+01:00", "2025-10-28T17:00:00+01:00", projectId=kitchen)
        self.work(cem, "2025-10-27T08:15:00+01:00", "2025-10-27T12:00:00+01:00", projectId=kitchen)
        # Nothing of this is after the fact.
        self.active = self.ask("POST", "/timeEntries/clockIn", {"userId": ben}, 201)["id"]
        range_ = "startDate=2025-10-20&endDate=2025-10-31"
        self.rows = self.ask("GET", f"/reports/hours?{range_}&groupBy=user,day&attribution=start")["rows"]
        self.entries = self.listed(f"/timeEntries?{range_}&limit=100", "timeEntries")
        self.policy = self.ask("GET", "")["policy"]
        # On PostgreSQL changes are sealed a moment after their commit, and the views show sealed ones: a reader of the feed
        # waits for that.
        self.ask("GET", "/changes?limit=1")
        clock.stop()

    def set_break_rules(self, clock):
        """Once everything has been asked."""
        clock.start()
        self.client = client.Client(clock.port)
        rules = [{"afterSeconds": 21_600, "breakSeconds": 1_800}]
        self.ask("PATCH", "", {"policy": {"breakRules": rules}}, fields=[("If-Match", "*")])
        clock.stop()

    def enter(self, user, begin, end, session=None):
        span = {"userId": user, "clockInTime": begin, "clockOutTime": end}
        return self.ask("POST", "/timeEntries", span | ({"sessionId": session} if session else {}), 201)["id"]

    def make(self, path, **body):
        return self.ask("POST", f"/{path}", body, 201)["id"]

    def work(self, user, begin, end, **purpose):
        span = {"userId": user, "startTime": begin, "endTime": end, "reason": "What it was for"}
        self.ask("POST", "/segments", span | purpose, 201)

    def edit(self, entry, change):
        self.ask("PATCH", f"/timeEntries/{entry}", change, 200, [("If-Match", "*")])


def questions(text):
    """Each question of the document: its heading, its statements by storage, and the cells of its answer."""
    found = []
    for part in text.split("\n## ")[1:]:
        statements = dict(re.findall(r"```sql\n-- (\w+)\n(.*?)```", part, re.S))
        table = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("| ")
        ]
        found.append((part.splitlines()[0], statements, table))
    return found


def check_questions(storage, select):
    asked = questions(DOCUMENT.read_text())
    expect_equal(len(asked), QUESTIONS, "the questions of the document")
    for heading, statements, table in asked:
        expect_equal(set(statements), set(STORAGES), f"{heading}: the databases")
        columns, rows = select(statements[storage])
        expect_equal(columns, table[0], f"{heading} {storage}: the columns")
        expect(
            len(rows) == len(table) - 1 and all(map(is_alike, sum(rows, []), sum(table[1:], []))),
            f"{heading} {storage}: {rows} and not {table[1:]}",
        )


def is_alike(found, wanted):
    """Whether a cell is the one in the document: numbers by their value, `…` for anything."""
    if wanted == "…":
        return found != ""
    try:
        return float(found) == float(wanted)
    except ValueError:
        return found == wanted


def check_views(cafe, prefix, select):
    """The views and the service's own answers."""
    _, rows = select(
        "SELECT user_name, date, seconds, regular_seconds, daily_overtime_seconds, weekly_overtime_seconds "
        f"FROM {prefix}overtime_by_day WHERE date < '2026-01-01' ORDER BY date, user_name"
    )
    names = ("seconds", "regularSeconds", "dailyOvertimeSeconds", "weeklyOvertimeSeconds")
    wanted = [[row["userName"], row["day"], *[str(row[name]) for name in names]] for row in cafe.rows]
    expect_equal(rows, sorted(wanted, key=lambda row: (row[1], row[0])), f"{prefix}overtime_by_day")
    expect(any(int(row[5]) > 0 for row in rows), f"nobody has weekly overtime: {rows}")

    _, rows = select(
        f"SELECT time_entry_id, user_id, date, seconds, coalesce(session_id, NULL), source, version, time_zone, notes "
        f"FROM {prefix}time_entries WHERE date < '2026-01-01' ORDER BY 1"
    )
    fields = ("id", "userId", "date", "durationSeconds", "sessionId", "source", "version", "timeZone", "notes")
    wanted = sorted(["" if entry[name] is None else str(entry[name]) for name in fields] for entry in cafe.entries)
    expect_equal([[str(cell) for cell in row] for row in rows], wanted, f"{prefix}time_entries")
    _, rows = select(f"SELECT count(*), count(clock_out_time) FROM {prefix}time_entries WHERE date > '2026-01-01'")
    expect_equal(rows, [["1", "0"]], f"{prefix}time_entries: the active one")

    _, rows = select(
        "SELECT minimum_seconds, maximum_seconds, edit_window_days, look_back_hours, manual_entry_days, "
        "auto_clock_out_seconds, daily_overtime_seconds, weekly_overtime_seconds, week_start, "
        "CASE WHEN members_may_create_projects THEN 'yes' ELSE 'no' END, break_rules, break_minimum_seconds "
        f"FROM {prefix}policy"
    )
    policy = cafe.policy
    values = [policy[name] for name in ("minimumSeconds", "maximumSeconds", "editWindowDays", "lookBackHours")]
    values += [policy["manualEntryDays"], policy["autoClockOutAfter"]]
    values += [policy["dailyOvertimeAfter"], policy["weeklyOvertimeAfter"], 7, "yes", "", 900]
    expect_equal(rows, [["" if value is None else str(value) for value in values]], f"{prefix}policy")
    _, rows = select(f"SELECT session_title, date, assignees FROM {prefix}sessions")
    expect_equal(rows, [["Opening", "2025-10-27", "2"]], f"{prefix}sessions")
    _, rows = select(f"SELECT user_name, email, role, time_zone FROM {prefix}members ORDER BY email")
    expect_equal(
        rows,
        [["Ana", "admin@example.com", "admin", "Europe/Berlin"]]
        + [[name, f"{name.lower()}@example.com", "member", "Europe/Berlin"] for name in ("Ben", "Cem", "Dora", "Eve")],
        f"{prefix}members",
    )


def check_break_rules(prefix, select):
    """Deductions by break rules are in no view, so that none shows pay while there are some."""
    paid = ("paid_seconds", "regular_seconds", "daily_overtime_seconds", "weekly_overtime_seconds")
    counts = ", ".join(f"count({name})" for name in ("seconds", "unpaid_break_seconds", *paid))
    _, rows = select(f"SELECT count(*), {counts} FROM {prefix}overtime_by_day")
    number = rows[0][0]
    expect(int(number) > 2, f"{prefix}overtime_by_day has {number} rows")
    expect_equal(rows, [[number] * 3 + ["0"] * 4], f"{prefix}overtime_by_day with break rules")


def on_sqlite():
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder)
        cafe = Cafe(clock)
        path = pathlib.Path(folder, "timeclock.db")
        apply = sqlite3.connect(path)
        apply.executescript((VIEWS / "views.sqlite.sql").read_text())
        apply.close()

        def select(statement):
            reader = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            try:
                cursor = reader.execute(statement)
                rows = [["" if cell is None else str(cell) for cell in row] for row in cursor]
                return [column[0] for column in cursor.description], rows
            finally:
                reader.close()

        check_questions("SQLite", select)
        check_views(cafe, "reporting_", select)
        cafe.set_break_rules(clock)
        check_break_rules("reporting_", select)


def on_postgresql():
    with postgresql.Cluster(settings=["fsync=off"]) as cluster, tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder, cluster.make_database("office"))
        cafe = Cafe(clock)
        cluster.execute("ALTER ROLE timeclock CREATEROLE")
        # As docs/postgresql.md makes a database: nobody but its owner may connect.
        cluster.execute("REVOKE ALL ON DATABASE office FROM PUBLIC")
        psql = [f"{cluster.programs}/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1"]
        subprocess.run([*psql, "-f", VIEWS / "views.postgresql.sql", clock.database], check=True)
        # As a dashboard asks, which reads the views and no table.
        cluster.execute(
            "CREATE ROLE grafana LOGIN IN ROLE timeclock_reporting; "
            "ALTER ROLE grafana SET timeclock.organization = 'everyone'"
        )
        login = clock.database.replace("user=timeclock", "user=grafana")

        def select(statement):
            answer = subprocess.run(
                [*psql, "-A", "-F", "\x1f", "-P", "footer=off", "-c", statement, login], capture_output=True, text=True
            )
            expect(answer.returncode == 0, f"{statement}: {answer.stderr}")
            columns, *rows = (line.split("\x1f") for line in answer.stdout.splitlines())
            return columns, rows

        check_questions("PostgreSQL", select)
        check_views(cafe, "reporting.", select)
        cafe.set_break_rules(clock)
        check_break_rules("reporting.", select)


def main():
    on_sqlite()
    on_postgresql()
    print("reporting_questions: seven questions have the documented answers on both databases")


main()
