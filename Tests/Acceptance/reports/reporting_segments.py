#!/usr/bin/env python3
"""The views of sql/reporting on projects, tasks and segments agree on both databases with the service's own answers.

A night through the autumn clock change in Berlin, sections with fractions of seconds, breaks, work without an entry, and a
running segment. Hours by project are those of getHistory: by start on both databases, cut at midnight on PostgreSQL, there
in zones with other changes of clocks too.
"""

import pathlib
import sqlite3
import subprocess
import tempfile

from kit import postgresql, service
from kit.expecting import expect, expect_equal
from kit.office import Office

BINARY = service.built_binary()
VIEWS = service.TOP / "sql" / "reporting"
DATES = [f"2025-10-{day}" for day in range(24, 32)]
BERLIN = "Europe/Berlin"
# In Cairo the 30th ends an hour late: at 24:00 it becomes 23:00.
ZONES = [BERLIN, "Africa/Cairo", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Havana"]


class Orchard(Office):
    """An organization in Berlin with a member and all kinds of segments, filled over HTTP, and its answers."""

    def __init__(self, clock):
        organization = clock.create_organization("Orchard & Cider", BERLIN)
        clock.start()
        super().__init__(clock.port, organization)
        self.nora = self.add_member("nora@example.com", "Nora")
        self.trees = self.make("projects", name="Trees", client="Tea garden", color="#34C759", billable=True)
        self.cider = self.make("projects", name="Cider")
        self.own = self.make("projects", name="Nora's own", ownerId=self.nora)
        self.pruning = self.make("tasks", name="Pruning", projectId=self.trees)
        self.errands = self.make("tasks", name="Errands")
        self.lunch = self.make("breakTypes", name="Lunch", isPaid=False, expectedSeconds=1_800)
        self.coffee = self.make("breakTypes", name="Coffee", isPaid=True)
        # Nine hours, because 2:00 to 3:00 comes twice.
        self.enter("2025-10-25T22:00:00.300+02:00", "2025-10-26T06:00:00+01:00")
        self.work("2025-10-25T22:10:00.900+02:00", "2025-10-26T02:30:00+02:00", projectId=self.trees)
        self.work("2025-10-26T02:30:00+02:00", "2025-10-26T02:45:00.500+01:00", breakTypeId=self.coffee)
        self.work("2025-10-26T02:45:00.500+01:00", "2025-10-26T05:59:00+01:00", taskId=self.pruning)
        self.enter("2025-10-27T09:00:00.000+01:00", "2025-10-27T16:59:59.500+01:00")
        self.work("2025-10-27T09:00:00.000+01:00", "2025-10-27T10:00:00.900+01:00", projectId=self.trees)
        self.work("2025-10-27T10:00:00.900+01:00", "2025-10-27T11:00:01.800+01:00", projectId=self.cider)
        self.work("2025-10-27T12:00:00+01:00", "2025-10-27T12:40:00+01:00", breakTypeId=self.lunch)
        self.work("2025-10-27T13:00:00+01:00", "2025-10-27T14:00:00+01:00", taskId=self.errands, tags=["car", "a b"])
        self.work("2025-10-27T15:00:00+01:00", "2025-10-27T16:59:59.500+01:00", projectId=self.own)
        self.work("2025-10-28T09:00:00+01:00", "2025-10-28T10:30:00+01:00", projectId=self.cider, timeEntry="none")
        self.enter("2025-10-30T17:00:00Z", "2025-10-31T04:00:00Z")
        self.work("2025-10-30T18:00:00.700Z", "2025-10-30T21:30:00.200Z", projectId=self.trees)
        self.work("2025-10-30T21:30:00.200Z", "2025-10-31T03:00:00Z", projectId=self.cider)
        self.ask("POST", "/segments/start", {"userId": self.nora, "projectId": self.cider}, 201)
        self.segments = self.listed("/segments?limit=100", "segments")
        self.projects = self.listed("/projects?limit=100", "projects")
        self.tasks = self.listed("/tasks?limit=100", "tasks")
        # By attribution and zone: seconds of each date and project.
        self.history = {("start", BERLIN): self.hours("start", BERLIN)}
        for zone in ZONES:
            self.history["split", zone] = self.hours("split", zone)
        clock.stop()

    def make(self, path, **body):
        return self.ask("POST", f"/{path}", body, 201)["id"]

    def enter(self, begin, end):
        self.ask("POST", "/timeEntries", {"userId": self.nora, "clockInTime": begin, "clockOutTime": end}, 201)

    def work(self, begin, end, **more):
        self.ask(
            "POST", "/segments", {"userId": self.nora, "startTime": begin, "endTime": end, "reason": "told"} | more, 201
        )

    def hours(self, attribution, zone):
        found = []
        for date in DATES:
            answer = self.ask(
                "GET", f"/reports/history?date={date}&userId={self.nora}&attribution={attribution}&timeZone={zone}"
            )
            found += [
                (date, row["projectId"], row["seconds"]) for row in answer["projects"] if row["projectId"] is not None
            ]
        expect(len(found) > 3, f"a history with hardly anything: {found}")
        return sorted(found)


def plain(value):
    """A value of an answer as both databases' texts have it."""
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value)


def check_records(office, select, prefix, yes):
    """Projects, tasks, segments and breaks, each with the names of their owners."""

    def rows(view, columns, order):
        found = select(f"SELECT {', '.join(columns)} FROM {prefix}{view} ORDER BY {order}")
        return [[yes.get(name, {}).get(cell, cell) for name, cell in zip(columns, row)] for row in found]

    columns = "project_id project_name client color owner_id is_billable is_archived version organization_id".split()
    names = "id name client color ownerId billable archived version".split()
    wanted = [[plain(one[name]) for name in names] + [office.id] for one in office.projects]
    expect_equal(rows("projects", columns, "project_id"), sorted(wanted), f"{prefix}projects")
    expect_equal(
        select(f"SELECT project_name FROM {prefix}projects WHERE owner_name = 'Nora'"), [["Nora's own"]], "the owner"
    )
    projects = {one["id"]: one for one in office.projects}
    tasks = {one["id"]: one for one in office.tasks}
    columns = "task_id task_name project_id project_name is_hidden version".split()
    wanted = [
        [one["id"], one["name"], plain(one["projectId"]), projects.get(one["projectId"], {}).get("name", "")]
        + [plain(one["hidden"]), plain(one["version"])]
        for one in office.tasks
    ]
    expect_equal(rows("tasks", columns, "task_id"), sorted(wanted), f"{prefix}tasks")

    columns = "segment_id user_id user_name kind project_id project_name client task_id task_name break_type_id".split()
    columns += "break_type_name is_paid is_billable segment_name tags time_entry_id source version is_active".split()
    breaks = {office.lunch: "Lunch", office.coffee: "Coffee", None: ""}
    wanted = []
    for one in office.segments:
        project = projects.get(one["projectId"], {"name": None, "client": None})
        wanted.append(
            [one["id"], office.nora, "Nora", one["kind"], plain(one["projectId"]), plain(project["name"])]
            + [plain(project["client"]), plain(one["taskId"]), tasks[one["taskId"]]["name"] if one["taskId"] else ""]
            + [plain(one["breakTypeId"]), breaks[one["breakTypeId"]], plain(one["isPaid"]), plain(one["billable"])]
            + [one["name"], ", ".join(one["tags"]), plain(one["timeEntryId"]), one["source"], plain(one["version"])]
            + [plain(one["endTime"] is None)]
        )
    expect_equal(rows("segments", columns, "segment_id"), sorted(wanted), f"{prefix}segments")
    closed = {one["id"]: one["durationSeconds"] for one in office.segments if one["endTime"]}
    found = select(f"SELECT segment_id, seconds FROM {prefix}segments WHERE end_time IS NOT NULL")
    expect_equal({row[0]: int(row[1]) for row in found}, closed, f"{prefix}segments: seconds")
    running = select(f"SELECT seconds FROM {prefix}segments WHERE end_time IS NULL")
    expect(len(running) == 1 and 0 <= int(running[0][0]) < 600, f"{prefix}segments: the running one: {running}")

    found = select(
        f"SELECT break_type_name, date, seconds, expected_seconds, start_local FROM {prefix}breaks ORDER BY start_time"
    )
    night = "2025-10-26 02:30:00"
    expect_equal(
        found,
        [["Coffee", "2025-10-26", "4500", "", night], ["Lunch", "2025-10-27", "2400", "1800", "2025-10-27 12:00:00"]],
        f"{prefix}breaks",
    )


def check_hours(select, view, wanted):
    found = select(
        f"SELECT date, project_id, seconds FROM {view} "
        f"WHERE date BETWEEN '{DATES[0]}' AND '{DATES[-1]}' AND project_id IS NOT NULL"
    )
    expect_equal(sorted((row[0], row[1], int(row[2])) for row in found), wanted, view)


def check_rest(select, view):
    """Rows that getHistory lacks: a task of no project, and running time."""
    found = select(
        f"SELECT date, seconds, segments FROM {view} WHERE project_id IS NULL AND project_name IS NULL AND date < '2026-01-01'"
    )
    expect_equal(found, [["2025-10-27", "3600", "1"]], f"{view}: a task of no project")
    found = select(f"SELECT project_name, active_segments FROM {view} WHERE date > '2026-01-01'")
    expect(set(map(tuple, found)) == {("Cider", "1")}, f"{view}: what runs: {found}")


def on_sqlite():
    with tempfile.TemporaryDirectory() as folder:
        office = Orchard(service.Service(BINARY, folder))
        path = pathlib.Path(folder, "timeclock.db")
        apply = sqlite3.connect(path)
        apply.executescript((VIEWS / "views.sqlite.sql").read_text())
        apply.close()

        def select(statement):
            reader = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            try:
                return [["" if cell is None else str(cell) for cell in row] for row in reader.execute(statement)]
            finally:
                reader.close()

        check_records(office, select, "reporting_", {})
        check_hours(select, "reporting_project_hours_by_day", office.history["start", BERLIN])
        check_rest(select, "reporting_project_hours_by_day")
        # SQLite knows no zone for a segment without an entry.
        found = select("SELECT count(*), count(date) FROM reporting_segments WHERE time_entry_id IS NULL")
        expect_equal(found, [["1", "0"]], "reporting_segments: work without an entry")


def on_postgresql():
    with postgresql.Cluster(settings=["fsync=off"]) as cluster, tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder, cluster.make_database("office"))
        office = Orchard(clock)
        cluster.execute("ALTER ROLE timeclock CREATEROLE")
        # As docs/postgresql.md makes a database: nobody but its owner may connect.
        cluster.execute("REVOKE ALL ON DATABASE office FROM PUBLIC")
        psql = [f"{cluster.programs}/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1"]
        subprocess.run([*psql, "-f", VIEWS / "views.postgresql.sql", clock.database], check=True)
        cluster.execute(
            "CREATE ROLE grafana LOGIN IN ROLE timeclock_reporting; "
            "ALTER ROLE grafana SET timeclock.organization = 'everyone'"
        )
        login = clock.database.replace("user=timeclock", "user=grafana")

        def select(statement):
            answer = subprocess.run(
                [*psql, "-A", "-t", "-F", "\x1f", "-c", statement, login], capture_output=True, text=True
            )
            expect(answer.returncode == 0, f"{statement}: {answer.stderr}")
            return [line.split("\x1f") for line in answer.stdout.splitlines()]

        yes = {"t": "1", "f": "0"}
        flags = dict.fromkeys(("is_billable", "is_archived", "is_hidden", "is_paid", "is_active"), yes)
        check_records(office, select, "reporting.", flags)
        check_hours(select, "reporting.project_hours_by_day", office.history["start", BERLIN])
        check_rest(select, "reporting.project_hours_by_day")
        check_rest(select, "reporting.project_hours_by_day_split")
        found = select("SELECT date, end_local FROM reporting.segments WHERE time_entry_id IS NULL")
        expect_equal(found, [["2025-10-28", "2025-10-28 10:30:00"]], "reporting.segments: work without an entry")
        for zone in ZONES:
            cluster.execute(f"UPDATE organizations SET time_zone = '{zone}'", "office")
            check_hours(select, "reporting.project_hours_by_day_split", office.history["split", zone])


def main():
    on_sqlite()
    on_postgresql()
    print(
        "reporting_segments: projects, tasks, segments, breaks and hours by project are those of the service's answers"
    )


main()
