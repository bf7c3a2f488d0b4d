#!/usr/bin/env python3
"""The views of sql/reporting agree with the docs, on both databases, and PostgreSQL's role reads nothing else.

A night shift through the autumn clock change in Berlin, an edit and a deletion by a manager, an active entry: their
hours are worked out by hand here. Applying the views twice, starting the server, copying and verifying go on working.
"""

import datetime
import pathlib
import sqlite3
import subprocess
import tempfile

from kit import postgresql, service
from kit.expecting import expect, expect_equal
from kit.office import Office

BINARY = service.built_binary()
VIEWS = service.TOP / "sql" / "reporting"
NAMES = [
    "hours_by_day",
    "open_entries",
    "overlaps",
    "audit",
    "time_entries",
    "members",
    "sessions",
    "policy",
    "pay_rules",
    "overtime_by_day",
    "projects",
    "tasks",
    "segments",
    "breaks",
    "project_hours_by_day",
    "schedules",
    "holidays",
    "entitlements",
    "adjustments",
    "absences",
    "periods",
    "approvals",
    "group_people",
]
# On PostgreSQL only.
SPLIT = ["hours_by_day_split", "project_hours_by_day_split"]


class BerlinOffice(Office):
    """An organization in Berlin with a member, filled over HTTP."""

    def __init__(self, clock):
        organization = clock.create_organization("Night & Day", "Europe/Berlin")
        clock.start()
        super().__init__(clock.port, organization)
        self.admin = self.client.request("GET", "/v1/me", self.token).json["user"]["id"]
        self.nora = self.add_member("nora@example.com", "Nora", personnelNumber="0042")
        # 2025-10-26 has 25 hours: 22:00 on the 25th to 06:00 on the 26th are nine.
        self.night = self.enter("2025-10-25T22:00:00+02:00", "2025-10-26T06:00:00+01:00")
        # Half a second is cut off once.
        self.day = self.enter("2025-10-27T09:00:00.000+01:00", "2025-10-27T16:59:59.500+01:00")
        # In another zone it is the 28th already, and the stored date says so; in Berlin it is the 27th.
        self.abroad = self.enter("2025-10-27T18:30:00Z", "2025-10-27T19:30:00Z", timeZone="Asia/Kathmandu")
        self.deleted = self.enter("2025-10-29T09:00:00+01:00", "2025-10-29T10:00:00+01:00")
        self.change("PATCH", self.day, {"clockOutTime": "2025-10-27T17:29:59.500+01:00", "reason": "Stayed on"})
        self.change("DELETE", self.deleted, None)
        self.plan()
        self.active = self.ask("POST", "/timeEntries/clockIn", {"userId": self.nora}, 201)["id"]
        self.changes = self.ask("GET", "/auditLog?limit=100")["changes"]
        clock.stop()

    def plan(self):
        """What Nora owes and is owed, and whom she belongs to."""
        self.calendar = self.ask("POST", "/holidayCalendars", {"name": "Berlin"}, 201)["id"]
        self.ask(
            "PUT", f"/holidayCalendars/{self.calendar}/holidays/2025-12-24", {"name": "Christmas Eve", "percent": 50}
        )
        week = [28_800] * 5 + [0, 0]
        for more in (
            {"from": "2025-10-01", "secondsByWeekday": week, "holidayCalendarId": self.calendar},
            {"from": "2025-11-01", "secondsByWeekday": week[::-1], "timeZone": "Asia/Kathmandu"},
        ):
            self.ask("POST", "/workSchedules", {"userId": self.nora} | more, 201)
        days = {"year": 2025, "days": 30, "carriedDays": -2.25, "carriedExpires": "2025-03-31"}
        self.ask("POST", "/entitlements", {"userId": self.nora} | days, 201)
        pay = {"date": "2025-10-31", "seconds": -5_400, "kind": "payout", "reason": "Paid"}
        self.ask("POST", "/adjustments", {"userId": self.nora} | pay, 201)
        sick = {"kind": "sick", "startDate": "2025-11-03", "endDate": "2025-11-04", "portion": "half", "note": "Flu"}
        self.ask("POST", "/absences", {"userId": self.nora} | sick, 201)
        through = {"userIds": [self.nora], "through": "2025-10-25"}
        self.ask("POST", "/timesheets/approve", through | {"includeUnsubmitted": True}, 200)
        # Behind what is approved.
        pay = {"from": "2025-10-27", "dailyOvertimeAfter": 28_800, "weeklyOvertimeAfter": 30_000}
        self.ask("POST", "/payRules", pay, 201)
        people = {"managerIds": [self.admin], "memberIds": [self.nora]}
        self.ask("POST", "/groups", {"name": "Night"} | people, 201)

    def enter(self, begin, end, **more):
        span = {"userId": self.nora, "clockInTime": begin, "clockOutTime": end}
        return self.ask("POST", "/timeEntries", span | more, 201)["id"]

    def change(self, method, entry, body):
        path, status = f"/timeEntries/{entry}", 200
        if method == "DELETE":
            path, status = path + "?reason=Never%20happened", 204
        self.ask(method, path, body, status, [("If-Match", "*")])


def instant(text):
    """Either database's text of an instant, to the millisecond."""
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00").replace(" ", "T"))
    return moment.astimezone(datetime.UTC).isoformat(timespec="milliseconds")


def check_hours(office, select, view, wanted):
    """`wanted`: date, seconds, entries, first in, last out."""
    rows = select(
        f"SELECT organization_id, organization_name, user_id, user_name, date, seconds, round(hours * 3600), entries, "
        f"active_entries, first_in, last_out FROM {view} WHERE date < '2026-01-01' ORDER BY date"
    )
    found = [(row[4], int(row[5]), int(row[7]), instant(row[9]), instant(row[10])) for row in rows]
    expect_equal(
        found,
        [(day, seconds, entries, instant(begin), instant(end)) for day, seconds, entries, begin, end in wanted],
        view,
    )
    for row in rows:
        expect_equal(list(row[:4]), [office.id, "Night & Day", office.nora, "Nora"], f"{view}: whose")
        expect(float(row[6]) == int(row[5]) and int(row[8]) == 0, f"{view}: {row}")
    now = select(f"SELECT sum(seconds), sum(entries), sum(active_entries) FROM {view} WHERE date > '2026-01-01'")
    expect(0 <= int(now[0][0]) < 600 and int(now[0][2]) >= 1, f"{view}: the active entry: {now}")
    last = select(f"SELECT count(*) FROM {view} WHERE date > '2026-01-01' AND last_out IS NULL")
    expect_equal(int(last[0][0]), 1, f"{view}: days that are not over")


def check_plans(office, select, prefix):
    week = "28800,28800,28800,28800,28800,0,0"
    nora = (office.id, "Night & Day", office.nora, "Nora")
    whose = "organization_id, organization_name, user_id, user_name"
    calendar = "holiday_calendar_id, holiday_calendar_name"
    for columns, wanted in {
        f"{whose}, from_date, seconds_by_weekday, {calendar}, "
        "CASE WHEN works_on_holidays THEN 'yes' ELSE 'no' END, time_zone, workday_start, version "
        "FROM {}schedules ORDER BY from_date": [
            (*nora, "2025-10-01", week, office.calendar, "Berlin", "no", "Europe/Berlin", "00:00", "1"),
            (*nora, "2025-11-01", "0,0,28800,28800,28800,28800,28800", "", "", "no", "Asia/Kathmandu", "00:00", "1"),
        ],
        "organization_id, organization_name, from_date, break_rules, break_minimum_seconds, daily_overtime_seconds, "
        "weekly_overtime_seconds, week_start, version FROM {}pay_rules": [
            (office.id, "Night & Day", "2025-10-27", "", "900", "28800", "30000", "monday", "1")
        ],
        # By the policy, which knows no overtime, and by the rules from Monday on.
        "date, week, regular_seconds, daily_overtime_seconds, weekly_overtime_seconds, paid_seconds "
        "FROM {}overtime_by_day WHERE date < '2026-01-01' ORDER BY date": [
            ("2025-10-25", "2025-10-20", "32400", "0", "0", "32400"),
            ("2025-10-27", "2025-10-27", "28800", "1799", "0", "30599"),
            ("2025-10-28", "2025-10-27", "1200", "0", "2400", "3600"),
        ],
        f"organization_id, {calendar}, date, holiday_name, percent FROM {{}}holidays": [
            (office.id, office.calendar, "Berlin", "2025-12-24", "Christmas Eve", "50")
        ],
        f"{whose}, kind, year, round(days * 10000), round(carried_days * 10000), carried_expires "
        "FROM {}entitlements": [(*nora, "vacation", "2025", "300000", "-22500", "2025-03-31")],
        f"{whose}, date, seconds, round(hours * 3600), kind, reason FROM {{}}adjustments": [
            (*nora, "2025-10-31", "-5400", "-5400", "payout", "Paid")
        ],
        f"{whose}, start_date, end_date, portion, seconds, state FROM {{}}absences": [
            (*nora, "2025-11-03", "2025-11-04", "half", "", "approved")
        ],
        f"{whose}, submitted_through, approved_through, locked_through, version FROM {{}}periods": [
            (*nora, "2025-10-25", "2025-10-25", "", "1")
        ],
        # Two hours of the night, and 18 work days from the 1st on.
        f"{whose}, from_date, through_date, approved_by_user_id, target_seconds, paid_seconds, balance_seconds "
        "FROM {}approvals": [(*nora, "2025-10-01", "2025-10-25", office.admin, "518400", "7200", "-511200")],
        "user_id, group_name, part FROM {}group_people ORDER BY part": [
            (office.admin, "Night", "manager"),
            (office.nora, "Night", "member"),
        ],
    }.items():
        rows = select("SELECT " + columns.format(prefix))
        found = [tuple(plain(value) for value in row) for row in rows]
        expect_equal(found, [tuple(row) for row in wanted], columns.split("FROM ")[1])


def check_no_kinds(select, prefix):
    """No view tells the kind of an absence, or its note."""
    told = select(f"SELECT count(*), count(before), count(after) FROM {prefix}audit WHERE resource = 'absence'")
    expect_equal([tuple(map(str, row)) for row in told], [("1", "0", "0")], f"{prefix}audit: absences")


def plain(value):
    """Either database's value as text, which is how psql prints PostgreSQL's."""
    return "" if value is None else str(value).removesuffix(".0")


def check_views(office, select, prefix):
    check_hours(
        office,
        select,
        f"{prefix}hours_by_day",
        [
            ("2025-10-25", 32_400, 1, "2025-10-25T20:00:00Z", "2025-10-26T05:00:00Z"),
            ("2025-10-27", 30_599, 1, "2025-10-27T08:00:00Z", "2025-10-27T16:29:59.500Z"),
            ("2025-10-28", 3_600, 1, "2025-10-27T18:30:00Z", "2025-10-27T19:30:00Z"),
        ],
    )
    rows = select(
        f"SELECT organization_id, user_id, time_entry_id, time_zone, source, is_over_maximum, maximum_hours "
        f"FROM {prefix}open_entries WHERE hours_open BETWEEN 0 AND 0.2"
    )
    expect_equal(
        [list(row[:5]) for row in rows],
        [[office.id, office.nora, office.active, "Europe/Berlin", "admin"]],
        "open_entries",
    )
    expect(str(rows[0][5]) in ("0", "f") and float(rows[0][6]) == 16, f"open_entries: the policy: {rows}")
    expect_equal(select(f"SELECT * FROM {prefix}overlaps"), [], "overlaps")

    rows = select(f"SELECT user_name, role, personnel_number FROM {prefix}members ORDER BY user_name")
    expect(len(rows) == 2 and rows[0][2] in (None, ""), f"members: a number of nobody's: {rows}")
    expect_equal(rows[1], ("Nora", "member", "0042"), "members: a personnel number")

    check_plans(office, select, prefix)
    check_no_kinds(select, prefix)

    rows = select(
        f"SELECT sequence, time, author_means, author_id, operation, kind, resource, resource_id, reason, "
        f"author_name, organization_id FROM {prefix}audit"
    )
    wanted = [(change["sequence"], change["operation"], change["resourceId"]) for change in reversed(office.changes)]
    expect_equal([(int(row[0]), row[4], row[7]) for row in rows], wanted, "audit: the order of the chain")
    edits = [
        tuple(row[column] for column in (2, 3, 4, 5, 6, 7, 8, 9))
        for row in rows
        if row[4] in ("updateTimeEntry", "deleteTimeEntry")
    ]
    expect_equal(
        edits,
        [
            ("log-in", office.admin, "updateTimeEntry", "updated", "timeEntry", office.day, "Stayed on", "Admin"),
            (
                "log-in",
                office.admin,
                "deleteTimeEntry",
                "deleted",
                "timeEntry",
                office.deleted,
                "Never happened",
                "Admin",
            ),
        ],
        "audit: the edit and the deletion",
    )
    seen = select(f"SELECT before, after, is_erased FROM {prefix}audit WHERE operation = 'updateTimeEntry'")
    expect(
        "1761582599500" in seen[0][1] and "1761580799500" in seen[0][0] and str(seen[0][2]) in ("0", "f"),
        f"audit: from what to what: {seen}",
    )


def check_service(clock, other):
    """The service does not mind the views."""
    clock.start()
    clock.stop()
    for arguments in (
        ["audit", "verify", "--database", clock.database],
        ["copy", "--from", clock.database, "--to", other],
    ):
        result = subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60)
        expect(result.returncode == 0, f"{arguments}: {result.stdout}{result.stderr}")


def on_sqlite():
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder)
        office = BerlinOffice(clock)
        path = pathlib.Path(folder, "timeclock.db")
        for _ in range(2):
            apply = sqlite3.connect(path)
            apply.executescript((VIEWS / "views.sqlite.sql").read_text())
            apply.close()
        check_service(clock, f"sqlite:{folder}/copy.db")

        def select(sql):
            reader = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            try:
                return reader.execute(sql).fetchall()
            finally:
                reader.close()

        check_views(office, select, "reporting_")
        names = [row[0] for row in select("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")]
        expect_equal(names, sorted(f"reporting_{name}" for name in NAMES), "SQLite: the views")

        # A write past the service is found out.
        with sqlite3.connect(path) as damage:
            damage.execute("DROP TRIGGER time_entries_no_overlap_on_update")
            damage.execute(
                "UPDATE time_entries SET clock_out = clock_in + 200000000 WHERE id = ?",
                (bytes.fromhex(office.night.replace("-", "")),),
            )
        damage.close()
        found = select("SELECT time_entry_id, other_time_entry_id FROM reporting_overlaps ORDER BY 2")
        expect_equal(
            found, [(office.night, other) for other in sorted([office.day, office.abroad])], "SQLite: overlaps"
        )


def on_postgresql():
    with postgresql.Cluster(settings=["fsync=off"]) as cluster, tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder, cluster.make_database("office"))
        office = BerlinOffice(clock)
        cluster.execute("ALTER ROLE timeclock CREATEROLE")
        # As docs/postgresql.md makes a database: nobody but its owner may connect.
        cluster.execute("REVOKE ALL ON DATABASE office FROM PUBLIC")
        for _ in range(2):
            applied = subprocess.run(
                [f"{cluster.programs}/psql", "-X", "-q", "-f", VIEWS / "views.postgresql.sql", clock.database],
                capture_output=True,
                text=True,
            )
            expect(applied.returncode == 0 and not applied.stderr, f"applying the views: {applied.stderr}")
        check_service(clock, cluster.make_database("copy"))
        cluster.execute(
            "CREATE ROLE grafana LOGIN IN ROLE timeclock_reporting; "
            "ALTER ROLE grafana SET default_transaction_read_only = on"
        )
        check_setting(cluster, clock)
        login = clock.database.replace("user=timeclock", "user=grafana")

        def run(sql):
            return subprocess.run(
                [f"{cluster.programs}/psql", "-X", "-q", "-A", "-t", "-F", "\x1f", "-c", sql, login],
                capture_output=True,
                text=True,
            )

        def select(sql):
            answer = run(sql)
            expect(answer.returncode == 0, f"{sql}: {answer.stderr}")
            return [tuple(line.split("\x1f")) for line in answer.stdout.splitlines()]

        check_views(office, select, "reporting.")
        check_hours(
            office,
            select,
            "reporting.hours_by_day_split",
            [
                # 22:00 to 24:00, and 0:00 to 6:00 of which one hour comes twice.
                ("2025-10-25", 7_200, 1, "2025-10-25T20:00:00Z", "2025-10-25T22:00:00Z"),
                ("2025-10-26", 25_200, 1, "2025-10-25T22:00:00Z", "2025-10-26T05:00:00Z"),
                ("2025-10-27", 34_199, 2, "2025-10-27T08:00:00Z", "2025-10-27T19:30:00Z"),
            ],
        )
        check_days(cluster)
        check_role(cluster, run)
        check_change_at_midnight(office, cluster, select)

        cluster.execute(
            "ALTER TABLE time_entries DROP CONSTRAINT time_entries_no_overlap; UPDATE time_entries "
            f"SET clock_out = clock_in + 200000000 WHERE id = '{office.day}'",
            "office",
        )
        found = select("SELECT time_entry_id, other_time_entry_id FROM reporting.overlaps ORDER BY 2")
        expect_equal(found, [(office.day, office.abroad)], "PostgreSQL: overlaps")


def check_setting(cluster, clock):
    """Views of the role that owns the tables show the organization of the log-in's setting, and nothing without one."""
    login = clock.database.replace("user=timeclock", "user=grafana")

    def count():
        answer = subprocess.run(
            [
                f"{cluster.programs}/psql",
                "-X",
                "-q",
                "-A",
                "-t",
                "-c",
                "SELECT count(*) FROM reporting.hours_by_day",
                login,
            ],
            check=True,
            capture_output=True,
            text=True,
        )
        return int(answer.stdout)

    expect_equal(count(), 0, "the views without the setting")
    cluster.execute("ALTER ROLE grafana SET timeclock.organization = 'everyone'")
    expect(count() > 0, "the views with the setting are empty")
    # Those of a superuser need none.
    cluster.execute(
        "ALTER ROLE grafana RESET timeclock.organization; ALTER VIEW reporting.hours_by_day OWNER TO administrator",
        "office",
    )
    expect(count() > 0, "the views of a superuser are empty")
    cluster.execute(
        "ALTER VIEW reporting.hours_by_day OWNER TO timeclock; "
        "ALTER ROLE grafana SET timeclock.organization = 'everyone'",
        "office",
    )


def check_days(cluster):
    """Days that no arithmetic with 24 hours gets right: seconds on each local date of a span."""
    cases = [
        # 2011-12-30 is missing.
        ("Pacific/Apia", "2011-12-30T09:00Z", "2011-12-30T11:00Z", {"2011-12-29": 3_600, "2011-12-31": 3_600}),
        # Midnight comes twice.
        ("America/Havana", "2025-11-02T03:00Z", "2025-11-02T07:00Z", {"2025-11-01": 3_600, "2025-11-02": 10_800}),
        # At 0:01 of the 7th it becomes 23:01 of the 6th again.
        ("America/St_Johns", "2010-11-07T02:00Z", "2010-11-07T05:00Z", {"2010-11-06": 5_340, "2010-11-07": 5_460}),
        # Half an hour back.
        (
            "Australia/Lord_Howe",
            "2026-04-03T13:00Z",
            "2026-04-05T14:30Z",
            {"2026-04-04": 86_400, "2026-04-05": 88_200, "2026-04-06": 3_600},
        ),
        # Midnight does not exist: from 0:00 it becomes 1:00.
        ("America/Havana", "2026-03-08T04:00Z", "2026-03-08T06:00Z", {"2026-03-07": 3_600, "2026-03-08": 3_600}),
    ]
    for zone, begin, end, wanted in cases:
        rows = cluster.execute(
            f"SELECT date '1970-01-01' + day::integer, milliseconds / 1000 FROM reporting.local_days('{zone}', "
            f"extract(epoch FROM timestamptz '{begin}')::bigint * 1000, "
            f"extract(epoch FROM timestamptz '{end}')::bigint * 1000)",
            "office",
        )
        expect_equal({day: int(seconds) for day, seconds in (row.split("|") for row in rows)}, wanted, zone)


def check_change_at_midnight(office, cluster, select):
    """In Cairo the 30th of October 2025 ends an hour late: at 24:00 it becomes 23:00. The night shift moves there."""
    day = (datetime.date(2025, 10, 30) - datetime.date(1970, 1, 1)).days
    begin, end = (
        round(datetime.datetime.fromisoformat(text).timestamp() * 1000)
        for text in ("2025-10-30T20:00:00+03:00", "2025-10-31T06:00:00+02:00")
    )
    cluster.execute(
        "UPDATE organizations SET time_zone = 'Africa/Cairo'; UPDATE time_entries SET "
        f"date = {day}, clock_in = {begin}, clock_out = {end} WHERE id = '{office.night}'",
        "office",
    )
    found = select(
        "SELECT date, seconds FROM reporting.hours_by_day_split "
        "WHERE date BETWEEN '2025-10-30' AND '2025-10-31' ORDER BY date"
    )
    expect_equal(found, [("2025-10-30", "18000"), ("2025-10-31", "21600")], "a change of clocks at midnight")


def check_role(cluster, run):
    tables = cluster.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", "office")
    expect("users" in tables and "tokens" in tables, f"the tables: {tables}")
    refused = [f"SELECT count(*) FROM {table}" for table in tables]
    refused += [
        f"BEGIN READ WRITE; {statement}"
        for statement in (
            "INSERT INTO users (id, email, email_key, name, created_at) VALUES (gen_random_uuid(), 'a', 'a', 'a', 0)",
            "UPDATE time_entries SET notes = 'x'",
            "DELETE FROM changes",
            "DELETE FROM reporting.open_entries",
            "UPDATE reporting.hours_by_day SET user_name = 'x'",
            "CREATE TABLE public.mine (id int)",
            "CREATE TABLE reporting.mine (id int)",
            "CREATE OR REPLACE VIEW reporting.audit AS SELECT 1 AS x",
        )
    ]
    for statement in refused:
        answer = run(statement)
        # The views of groups take no writes from anybody.
        expect(
            answer.returncode != 0 and ("permission denied" in answer.stderr or "cannot " in answer.stderr),
            f"the role may: {statement}: {answer.stdout}{answer.stderr}",
        )
    expect_equal(run("SHOW transaction_read_only").stdout.strip(), "on", "read-only by default")
    expect_equal(
        cluster.execute("SELECT rolcanlogin FROM pg_roles WHERE rolname = 'timeclock_reporting'"),
        ["f"],
        "the role's log-in",
    )
    columns = cluster.execute(
        "SELECT table_name, min(column_name) FILTER (WHERE ordinal_position = 1), "
        "min(column_name) FILTER (WHERE ordinal_position = 2) FROM information_schema.columns "
        "WHERE table_schema = 'reporting' GROUP BY 1 ORDER BY 1",
        "office",
    )
    expect_equal(
        columns,
        [f"{name}|organization_id|organization_name" for name in sorted([*NAMES, *SPLIT])],
        "the first columns of each view",
    )


def main():
    on_sqlite()
    on_postgresql()
    print("reporting_views: hours, open entries, overlaps and the audit are right, and the role reads nothing else")


main()
