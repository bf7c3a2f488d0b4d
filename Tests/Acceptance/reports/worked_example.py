#!/usr/bin/env python3
"""The worked example of docs/reports.md, from an imported file to the numbers that were found by hand: the reports, the
timesheet and the export of a night shift through the autumn clock change agree, on both databases."""

import csv
import io
import json
import pathlib
import subprocess
import tempfile

from kit import postgresql, service
from kit.expecting import expect_equal
from kit.office import Office

SAMPLE = service.TOP / "Tests" / "ImportFilesTests" / "Samples" / "toggl.csv"
# By hand: 22:00 to midnight; midnight to 06:00 with an hour that comes twice; and the days after.
DAYS = {
    ("Ana Gómez", "2026-10-24"): 2 * 3600,
    ("Ana Gómez", "2026-10-25"): 7 * 3600,
    ("Ana Gómez", "2026-10-26"): 4 * 3600 + 15 * 60 + 30,
    ("Bo Adler", "2026-10-26"): 8 * 3600,
    ("Bo Adler", "2026-10-27"): 3 * 3600 + 30 * 60,
}
TOTAL = sum(DAYS.values())
RANGE = "startDate=2026-10-01&endDate=2026-10-31"


def work_through(folder, database):
    clock = service.Service(service.built_binary(), folder, database=database)
    created = clock.create_organization()
    organization = created["organizationID"]
    imported = subprocess.run(
        [
            clock.binary,
            "import",
            "--database",
            clock.database,
            "--format",
            "toggl",
            "--organization",
            organization,
            "--time-zone",
            "Europe/Berlin",
            SAMPLE,
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    expect_equal(json.loads(imported.stdout)["taken"], 4, "rows taken")
    clock.start()
    office = Office(clock.port, created)

    def get(path):
        return office.ask("GET", path)

    def table(path):
        return list(csv.DictReader(io.StringIO(get(path).decode(), newline="")))

    by_day = get(f"/reports/hours?{RANGE}&groupBy=user,day")
    expect_equal({(row["userName"], row["day"]): row["seconds"] for row in by_day["rows"]}, DAYS, "by person and day")
    expect_equal(by_day["totals"]["seconds"], TOTAL, "the total")
    for group in ["user", "day", "week", "month", "session", "status", "source", "month,user,source"]:
        report = get(f"/reports/hours?{RANGE}&groupBy={group}")
        expect_equal(sum(row["seconds"] for row in report["rows"]), TOTAL, f"the rows by {group}")
        expect_equal(report["totals"], by_day["totals"], f"the total by {group}")
    expect_equal(
        sum(int(row["seconds"]) for row in table(f"/reports/hours?{RANGE}&format=csv")), TOTAL, "the hours as a table"
    )
    exported = table(f"/timeEntries/export?{RANGE}&format=csv")
    expect_equal(sum(int(row["durationSeconds"]) for row in exported), TOTAL, "the export")
    week = get("/reports/timesheet?period=weekly&date=2026-10-25")
    expect_equal(week["totals"]["seconds"], [0, 0, 0, 0, 0, 7200, 25200], "the week")
    office.close()
    clock.stop()


def main():
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster(["fsync=off"]) as cluster:
        for name, database in [("sqlite", None), ("postgresql", cluster.make_database("clock"))]:
            place = pathlib.Path(folder, name)
            place.mkdir()
            work_through(place, database)
    print(f"worked example: {TOTAL} seconds in the reports, the timesheet and the export, on both databases")


main()
