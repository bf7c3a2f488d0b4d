#!/usr/bin/env python3
"""Files of other services are imported by the command and by the operation, on both databases: stored entries are those
of the samples, a trial keeps nothing, and a second time changes nothing. The same with projects, tasks and segments.

`imports.py [rows]`: how many rows the large file has.
"""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from kit import postgresql, service
from kit.expecting import expect
from kit.office import Office

BINARY = service.built_binary()
SAMPLES = service.TOP / "Tests" / "ImportFilesTests" / "Samples"
ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
TYPES = {".csv": "text/csv", ".tsv": "text/tab-separated-values"}

# File, format, and further options: of the command, and by the same names of the operation.
IMPORTS = [
    ("toggl.csv", "toggl", {}),
    ("toggl_no_address.csv", "toggl", {}),
    ("clockify_12_hours.csv", "clockify", {"timeZone": "Europe/Berlin"}),
    ("clockify_24_hours.csv", "clockify", {}),
    ("clockify_breaks.csv", "clockify", {}),
    ("harvest.csv", "harvest", {}),
    ("timetagger.tsv", "timetagger", {"user": "ana@example.com"}),
    ("generic.csv", "generic", {}),
    ("harvest_hours.csv", "harvest", {"dayStart": "09:00"}),
    ("timetagger_report.csv", "timetagger", {"user": "ana@example.com"}),
    ("kimai.csv", "kimai", {}),
    ("kimai_de.csv", "kimai", {}),
    ("solidtime.csv", "solidtime", {}),
    ("solidtime_export.csv", "solidtime", {"user": "ana@example.com"}),
    ("generic_aliases.csv", "generic", {}),
]
FLAGS = {
    "timeZone": "--time-zone",
    "user": "--user",
    "dayStart": "--day-start",
    "projects": "--projects",
    "members": "--members",
    "lengthFromDuration": "--length-from-duration",
}
# The outcome of the rows: taken, already there, and the refused ones with their lines; and the people added.
EXPECTED = {
    "toggl.csv": (4, 0, {7: "end_not_after_start", 8: "entry_active", 9: "overlap"}, ["ana", "bo"]),
    # The night is in the file before, too.
    "toggl_no_address.csv": (
        3,
        1,
        {
            5: "entry_active",
            # It has a duration, which is that at the export.
            6: "entry_active",
            7: "row_malformed",
            8: "row_malformed",
            9: "row_malformed",
            12: "member_unknown",
        },
        [],
    ),
    "clockify_12_hours.csv": (3, 0, {}, []),
    # The first row has the minutes of one in the file before, for something else.
    "clockify_24_hours.csv": (2, 0, {2: "overlap", 5: "time_ambiguous", 6: "time_skipped"}, ["cem"]),
    "clockify_breaks.csv": (2, 0, {3: "not_work", 5: "not_work", 6: "not_work", 7: "row_malformed"}, []),
    "harvest.csv": (2, 0, {4: "time_missing", 5: "member_unknown"}, []),
    "timetagger.tsv": (2, 0, {4: "entry_active", 5: "entry_active"}, []),
    "generic.csv": (
        4,
        0,
        {7: "member_unknown", 8: "invalid_email", 9: "row_malformed", 10: "row_malformed", 11: "unknown_time_zone"},
        ["dora"],
    ),
    "harvest_hours.csv": (4, 0, {6: "row_malformed", 7: "end_not_after_start"}, []),
    "timetagger_report.csv": (2, 0, {8: "entry_active", 9: "row_malformed"}, []),
    "kimai.csv": (2, 0, {4: "break_unplaced", 5: "not_work", 6: "not_work", 7: "entry_active", 8: "too_long"}, []),
    "kimai_de.csv": (1, 0, {}, []),
    "solidtime.csv": (2, 0, {4: "entry_active"}, []),
    "solidtime_export.csv": (1, 0, {3: "not_work"}, []),
    "generic_aliases.csv": (2, 0, {}, []),
}
# Member, from, to in UTC, date, seconds, notes: by hand from the samples, in the order of the clock-ins.
ENTRIES = [
    # Hours without times, one behind the other from nine o'clock on.
    (
        "ana",
        "2026-10-05T07:00:00",
        "2026-10-05T09:30:00",
        "2026-10-05",
        9_000,
        "Harbour Café / Kitchen / Cooking: Soup",
    ),
    ("bo", "2026-10-05T07:00:00", "2026-10-05T08:15:00", "2026-10-05", 4_500, "Harbour Café / Kitchen / Baking"),
    (
        "ana",
        "2026-10-05T09:30:00",
        "2026-10-05T10:15:00",
        "2026-10-05",
        2_700,
        "Harbour Café / Kitchen / Planning: Menu",
    ),
    (
        "ana",
        "2026-10-05T12:00:00",
        "2026-10-05T14:15:00",
        "2026-10-05",
        8_100,
        "Hafencafé / Küche / Kochen: Suppe; Brot",
    ),
    ("ana", "2026-10-05T16:00:00", "2026-10-05T17:30:00", "2026-10-05", 5_400, "Küche: Aufräumen"),
    ("bo", "2026-10-05T16:00:00", "2026-10-05T17:15:00", "2026-10-05", 4_500, "Spülen [abends]"),
    ("ana", "2026-10-06T07:00:00", "2026-10-06T11:00:00", "2026-10-06", 14_400, "Harbour Café / Kitchen / Cooking"),
    (
        "ana",
        "2026-10-06T12:00:00",
        "2026-10-06T14:30:15",
        "2026-10-06",
        9_015,
        "Harbour Café / Kitchen / Cooking: Prep [early, weekday]",
    ),
    ("ana", "2026-10-06T15:00:00", "2026-10-06T15:30:00", "2026-10-06", 1_800, None),
    (
        "ana",
        "2026-10-07T06:00:00",
        "2026-10-07T10:00:00",
        "2026-10-07",
        14_400,
        "Harbour Café / Kitchen / Cooking: Soup, bread [early, weekday]",
    ),
    ("ana", "2026-10-07T20:00:00", "2026-10-07T23:30:00", "2026-10-07", 12_600, "Harbour Café / Kitchen / Cooking"),
    ("ana", "2026-10-08T04:00:00", "2026-10-08T08:30:00", "2026-10-08", 16_200, 'Baking "by hand" #kitchen'),
    ("ana", "2026-10-08T20:00:00", "2026-10-08T23:15:00", "2026-10-08", 11_700, "Night, #kitchen"),
    ("ana", "2026-10-09T04:00:00", "2026-10-09T06:30:00", "2026-10-09", 9_000, "Dough, early"),
    (
        "ana",
        "2026-10-12T07:00:00",
        "2026-10-12T10:00:00",
        "2026-10-12",
        10_800,
        "Harbour Café / Kitchen: Lunch service",
    ),
    ("ana", "2026-10-13T06:00:00", "2026-10-13T10:00:00", "2026-10-13", 14_400, "Kitchen: Stock"),
    ("ana", "2026-10-13T11:00:00", "2026-10-13T12:30:00", "2026-10-13", 5_400, "Harbour Café"),
    ("bo", "2026-10-14T11:00:00", "2026-10-14T12:00:00", "2026-10-14", 3_600, None),
    ("ana", "2026-10-12T10:30:00", "2026-10-12T15:00:00", "2026-10-12", 16_200, "Harbour Café / Kitchen: Dinner"),
    ("bo", "2026-10-14T02:15:00", "2026-10-14T06:15:30", "2026-10-14", 14_430, "In a zone\nof its own"),
    ("ana", "2026-10-14T06:00:00", "2026-10-14T10:00:00", "2026-10-14", 14_400, "With an offset"),
    ("bo", "2026-10-15T06:00:00", "2026-10-15T10:00:00", "2026-10-15", 14_400, None),
    ("dora", "2026-10-15T06:00:00", "2026-10-15T10:00:00", "2026-10-15", 14_400, None),
    (
        "ana",
        "2026-10-17T04:00:00",
        "2026-10-17T10:30:00",
        "2026-10-17",
        23_400,
        "Harbour Café / Kitchen: Breakfast [early, weekend]",
    ),
    (
        "bo",
        "2026-10-17T22:00:00",
        "2026-10-18T10:00:00",
        "2026-10-18",
        43_200,
        "Harbour Café / Kitchen: Midnight to noon, no break",
    ),
    (
        "ana",
        "2026-10-19T06:00:00",
        "2026-10-19T13:30:00",
        "2026-10-19",
        27_000,
        "Harbour Café / Kitchen / Cooking: Soup, and bread",
    ),
    ("ana", "2026-10-20T20:00:00", "2026-10-21T00:00:00", "2026-10-20", 14_400, "Harbour Café / Kitchen / Cooking"),
    ("ana", "2026-10-22T06:00:00", "2026-10-22T10:30:00", "2026-10-22", 16_200, 'Baking "by hand" #kitchen'),
    ("ana", "2026-10-22T11:00:00", "2026-10-22T14:15:00", "2026-10-22", 11_700, "Accounts, #office"),
    # From ten to six, in the night in which clocks go back: nine hours.
    ("ana", "2026-10-24T20:00:00", "2026-10-25T05:00:00", "2026-10-24", 32_400, "Harbour Café / Kitchen: Night shift"),
    ("bo", "2026-10-25T00:30:00", "2026-10-25T03:00:00", "2026-10-25", 9_000, "Hafencafé / Küche: Sommerzeit; zurück"),
    ("cem", "2026-10-25T01:30:00", "2026-10-25T03:00:00", "2026-10-25", 5_400, "Hafencafé / Küche: Zweite Stunde"),
    (
        "bo",
        "2026-10-26T06:30:00",
        "2026-10-26T14:30:00",
        "2026-10-26",
        28_800,
        "Harbour Café / Front of house / Opening",
    ),
    (
        "ana",
        "2026-10-26T07:00:00",
        "2026-10-26T11:15:30",
        "2026-10-26",
        15_330,
        'Stock, "dry" goods [inventory, monthly]',
    ),
    ("bo", "2026-10-27T06:30:00", "2026-10-27T10:00:00", "2026-10-27", 12_600, "Two\nlines"),
    ("bo", "2026-11-02T22:00:00", "2026-11-03T00:00:00", "2026-11-02", 7_200, None),
]

# How many projects, tasks and segments are made of the samples in turn.
MADE = {
    "toggl.csv": (2, 1, 2),
    "toggl_no_address.csv": (1, 0, 1),
    "clockify_12_hours.csv": (0, 0, 2),
    "clockify_24_hours.csv": (1, 0, 2),
    "clockify_breaks.csv": (0, 0, 2),
    "harvest.csv": (0, 1, 2),
    "harvest_hours.csv": (0, 2, 4),
    "kimai.csv": (0, 0, 2),
    "kimai_de.csv": (0, 1, 1),
    "solidtime.csv": (0, 0, 1),
    "generic_aliases.csv": (1, 0, 1),
}
# Member, from; client, project, task, name, tags, whether billable: by hand from the samples.
SEGMENTS = {
    ("ana", "2026-10-24T20:00:00"): ("Harbour Café", "Kitchen", None, "Night shift", [], False),
    ("bo", "2026-10-26T06:30:00"): ("Harbour Café", "Front of house", "Opening", "Time entry", [], True),
    ("ana", "2026-10-13T06:00:00"): (None, "Kitchen", None, "Stock", [], False),
    ("ana", "2026-10-17T04:00:00"): ("Harbour Café", "Kitchen", None, "Breakfast", ["early", "weekend"], True),
    ("bo", "2026-10-17T22:00:00"): ("Harbour Café", "Kitchen", None, "Midnight to noon, no break", [], False),
    ("bo", "2026-10-25T00:30:00"): ("Hafencafé", "Küche", None, "Sommerzeit; zurück", [], False),
    ("cem", "2026-10-25T01:30:00"): ("Hafencafé", "Küche", None, "Zweite Stunde", [], False),
    ("ana", "2026-10-12T07:00:00"): ("Harbour Café", "Kitchen", None, "Lunch service", [], True),
    ("ana", "2026-10-12T10:30:00"): ("Harbour Café", "Kitchen", None, "Dinner", [], True),
    ("ana", "2026-10-19T06:00:00"): ("Harbour Café", "Kitchen", "Cooking", "Soup, and bread", [], True),
    ("ana", "2026-10-20T20:00:00"): ("Harbour Café", "Kitchen", "Cooking", "Time entry", [], True),
    ("ana", "2026-10-05T07:00:00"): ("Harbour Café", "Kitchen", "Cooking", "Soup", [], True),
    ("bo", "2026-10-05T07:00:00"): ("Harbour Café", "Kitchen", "Baking", "Time entry", [], True),
    ("ana", "2026-10-05T09:30:00"): ("Harbour Café", "Kitchen", "Planning", "Menu", [], False),
    ("ana", "2026-10-06T07:00:00"): ("Harbour Café", "Kitchen", "Cooking", "Time entry", [], True),
    ("ana", "2026-10-07T06:00:00"): ("Harbour Café", "Kitchen", "Cooking", "Soup, bread", ["early", "weekday"], True),
    ("ana", "2026-10-07T20:00:00"): ("Harbour Café", "Kitchen", "Cooking", "Time entry", [], True),
    # Nothing says whether it is billable but the project.
    ("ana", "2026-10-05T12:00:00"): ("Hafencafé", "Küche", "Kochen", "Suppe; Brot", [], False),
    ("ana", "2026-10-06T12:00:00"): ("Harbour Café", "Kitchen", "Cooking", "Prep", ["early", "weekday"], True),
    ("ana", "2026-10-05T16:00:00"): (None, "Küche", None, "Aufräumen", [], False),
}


class ImportingOffice(Office):
    """An organization, and the two ways to import a file into it."""

    def __init__(self, name, folder, database):
        self.name = name
        place = pathlib.Path(folder, name)
        place.mkdir()
        self.clock = service.Service(BINARY, place, database=database)
        created = self.clock.create_organization("Harbour Café")
        super().__init__(self.clock.port, created)
        self.client.timeout = 60

    def by_command(self, path, kind, options, dry_run=False):
        arguments = [text for name, value in options.items() for text in (FLAGS[name], value) if text is not None]
        result = self.command(
            "--organization", "Harbour Café", "--format", kind, *arguments, *["--dry-run"] * dry_run, str(path)
        )
        expect(result.returncode == 0, f"{self.name}: importing {path.name}", result)
        return json.loads(result.stdout)

    def command(self, *arguments):
        return subprocess.run(
            [BINARY, "import", "--database", self.clock.database, *arguments],
            capture_output=True,
            text=True,
            timeout=300,
        )

    def by_operation(self, path, kind, options, dry_run=False):
        query = {"format": kind, "dryRun": "true" if dry_run else "false", **options}
        if user := query.pop("user", None):
            query["userId"] = self.members()[user]["userId"]
        text = "&".join(f"{name}={value}" for name, value in query.items())
        kind = [("Content-Type", TYPES[path.suffix])]
        return self.ask("POST", f"/timeEntries/import?{text}", path.read_bytes(), fields=kind)

    def members(self):
        return {member["email"].lower(): member for member in self.listed("/members?limit=1000", "members")}

    def entries(self):
        names = {member["userId"]: email.split("@")[0] for email, member in self.members().items()}
        entries = self.listed("/timeEntries?limit=1000", "timeEntries")
        expect(all(entry["source"] == "import" for entry in entries), "another source", entries)
        return sorted(
            (
                entry["clockInTime"][:19],
                entry["clockOutTime"][:19],
                names[entry["userId"]],
                entry["date"],
                entry["durationSeconds"],
                entry["notes"],
            )
            for entry in entries
        )


def import_all(office, way):
    """Every sample: judged, imported, imported again and judged again."""
    for file, kind, options in IMPORTS:
        path = SAMPLES / file
        taken, there, refused, created = EXPECTED[file]
        judged = way(path, kind, options, dry_run=True)
        report = way(path, kind, options)
        for one in (judged, report):
            found = {row["line"]: row["code"] for row in one["rows"]}
            expect(
                (one["taken"], one["alreadyThere"], one["refused"], found) == (taken, there, len(refused), refused),
                f"{office.name}: {file}",
                one,
            )
            emails = [member["email"].lower().split("@")[0] for member in one["membersCreated"]]
            expect(emails == created, f"{office.name}: who is added by {file}", one)
        expect(
            judged == {**report, "dryRun": True, "membersCreated": judged["membersCreated"]},
            f"{office.name}: a trial of {file} says something else",
            judged,
        )
        for dry_run in (False, True):
            again = way(path, kind, options, dry_run=dry_run)
            expect(
                (again["taken"], again["alreadyThere"], again["membersCreated"]) == (0, taken + there, [])
                and again["rows"] == report["rows"],
                f"{office.name}: {file} again",
                again,
            )


def reads_encodings(office, way, folder):
    """A file in another encoding is the same file: its rows are there already."""
    text = (SAMPLES / "generic_aliases.csv").read_text()
    for encoding in ("utf-16", "cp1252", "utf-8-sig"):
        path = pathlib.Path(folder, f"{office.name}-{encoding}.csv")
        path.write_bytes(text.encode(encoding))
        report = way(path, "generic", {})
        expect(report["alreadyThere"] == 2 and report["rows"] == [], f"{office.name}: {encoding}", report)


# One row after another, each alone in a file: format, columns, fields; the code of the refusal, or the seconds that are kept;
# and with the setting that takes the row's own length.
LENGTHS = [
    (
        "kimai",
        "E-mail,Date,From,To,Duration",
        "ana@example.com,2026-06-01,09:00,17:00,7:30",
        "duration_mismatch",
        27_000,
    ),
    ("kimai", "E-mail,Date,From,To,Duration", "ana@example.com,2026-06-02,09:00,17:00,7:58", 28_800, 28_800),
    (
        "kimai",
        "E-mail,Date,From,To,Duration,Break",
        "ana@example.com,2026-06-03,09:00,17:00,7:30,0:30",
        "break_unplaced",
        27_000,
    ),
    # The hour that clocks show twice.
    ("kimai", "E-mail,Date,From,To,Duration", "ana@example.com,2025-10-26,02:30,02:15,0:45", 2_700, 2_700),
    ("generic", "email,date,from,to", "ana@example.com,2024-10-27,02:30,02:15", 2_700, 2_700),
    ("generic", "email,date,from,to,break", "ana@example.com,2026-06-04,08:00,17:00,0:45", "break_unplaced", 29_700),
    (
        "generic",
        "email,date,from,to,pause (min)",
        "ana@example.com,2026-06-05,08:00,17:00,45",
        "break_unplaced",
        29_700,
    ),
    (
        "generic",
        "email,date,from,to,break",
        "ana@example.com,2026-06-06,08:00,17:00,45",
        "row_malformed",
        "row_malformed",
    ),
    (
        "generic",
        "email,date,start,hours,break",
        "ana@example.com,2026-06-06,08:00,8,0:30",
        "break_unplaced",
        "break_unplaced",
    ),
    (
        "harvest",
        "Date,Hours,First Name,Last Name,Started At,Ended At",
        "2026-06-08,7.5,Ana,Gómez,9:00am,5:00pm",
        "duration_mismatch",
        27_000,
    ),
    (
        "toggl",
        "Email,Start date,Start time,End date,End time,Duration",
        "ana@example.com,2026-06-09,09:00,2026-06-09,17:00,07:30:00",
        "duration_mismatch",
        27_000,
    ),
    (
        "toggl",
        "Email,Start date,Start time,End date,End time,Duration",
        "ana@example.com,2026-06-10,09:00,-,-,01:30:00",
        "entry_active",
        "entry_active",
    ),
    (
        "clockify",
        "Email,Start date,Start time,End date,End time,Duration (decimal)",
        "ana@example.com,2026-06-11,09:00,2026-06-11,17:00,7.50",
        "duration_mismatch",
        27_000,
    ),
    (
        "solidtime",
        "User,Start,End,Duration",
        "Ana Gómez,2026-06-12 09:00,2026-06-12 17:00,7h 30m",
        "duration_mismatch",
        27_000,
    ),
    ("timetagger", "tag_groups,duration,date,start,stop", ",7:30,15-06-2026,09:00,17:00", "duration_mismatch", 27_000),
]


def pays_no_more_than_rows_say(office, folder):
    """A row with a length below the distance of its start and end is refused, or kept with that length, and
    reported."""
    path = pathlib.Path(folder, f"{office.name}-length.csv")
    for kind, columns, fields, refused, kept in LENGTHS:
        path.write_text(f"{columns}\n{fields}\n")
        options = {"user": "ana@example.com"} if kind == "timetagger" else {}
        options["timeZone"] = "Europe/Berlin"
        report = office.by_operation(path, kind, options, dry_run=True)
        found = report["rows"][0]["code"] if report["rows"] else report["taken"]
        expect(found == (refused if isinstance(refused, str) else 1), f"{office.name}: {fields}", report)
        before = office.entries()
        report = office.by_operation(path, kind, {**options, "lengthFromDuration": "true"})
        found = report["rows"][0]["code"] if report["rows"] else None
        expect(found == (kept if isinstance(kept, str) else None), f"{office.name}: {fields} and the length", report)
        seconds = [one[4] for one in office.entries() if one not in before]
        expect(seconds == [kept] * isinstance(kept, int), f"{office.name}: {fields} is kept as", seconds)
        # If the length counts, and would not without the setting, the report says in which line.
        is_shortened = isinstance(kept, int) and isinstance(refused, str)
        expect(report["shortened"] == [2] * is_shortened, f"{office.name}: shortened", report)


def tells_what_it_does_not_read(office, folder):
    """The command names the ignored columns, and takes lengths on request."""
    path = pathlib.Path(folder, f"{office.name}-columns.csv")
    path.write_text(
        "email,start,end,hours,lunch,Shoe size\nana@example.com,2026-06-01 08:00,2026-06-01 16:00,7.5,0:30,42\n"
    )
    report = office.by_command(path, "generic", {}, dry_run=True)
    expect(report["ignoredColumns"] == ["lunch", "Shoe size"], f"{office.name}: columns that are not read", report)
    expect([row["code"] for row in report["rows"]] == ["duration_mismatch"], f"{office.name}: a length", report)
    expect(
        "7:30:00" in report["rows"][0]["detail"] and "8:00:00" in report["rows"][0]["detail"], "both numbers", report
    )
    report = office.by_command(path, "generic", {"lengthFromDuration": None}, dry_run=True)
    expect((report["taken"], report["shortened"]) == (1, [2]), f"{office.name}: the length of a row", report)


def knows_addresses_in_any_spelling(office, folder):
    """However the address of a member is written in a file, the rows are that member's; invisible characters are
    refused."""
    path = pathlib.Path(folder, f"{office.name}-spellings.csv")
    spellings = ["rene\u0301@b\u00fccher.example", "REN\u00c9@xn--bcher-kva.example", "ren\u00e9@BU\u0308CHER.example"]
    rows = [f"{email},2026-05-0{day} 08:00,2026-05-0{day} 09:00" for day, email in enumerate(spellings, 1)]
    rows.append("ren\u00e9@b\u00fccher.example\u200b,2026-05-08 08:00,2026-05-08 09:00")
    path.write_text("email,start,end\n" + "\n".join(rows) + "\n")
    report = office.by_operation(path, "generic", {})
    expect([one["email"] for one in report["membersCreated"]] == spellings[:1], f"{office.name}: spellings", report)
    codes = [(row["line"], row["code"]) for row in report["rows"]]
    expect(report["taken"] == 3 and codes == [(5, "invalid_email")], f"{office.name}: spellings", report)
    expect("U+200B" in report["rows"][0]["detail"], f"{office.name}: what is not seen", report)


def takes_its_own_table_back(office, folder):
    """An export's table, imported elsewhere, has the notes of the entries, even if a spreadsheet would calculate
    them."""
    notes = ["=SUM(A1)", "-5 kg", "'tis", "@home", " plain"]
    path = pathlib.Path(folder, f"{office.name}-formulas.csv")
    rows = [f'eva@example.com,2026-04-0{day} 08:00,2026-04-0{day} 09:00,"{one}"' for day, one in enumerate(notes, 1)]
    path.write_text("email,start,end,notes\n" + "\n".join(rows) + "\n")
    office.by_operation(path, "generic", {})
    fields = [("Accept", "text/csv")]
    dates = "startDate=2026-04-01&endDate=2026-04-30"
    table = office.request("GET", f"/timeEntries/export?{dates}", fields=fields).body
    expect(b"'=SUM(A1)" in table, f"{office.name}: the table", table)
    path.write_bytes(table)
    report = office.by_operation(path, "generic", {})
    # The same notes, or the rows would be others of the same minutes.
    expect((report["taken"], report["alreadyThere"], report["rows"]) == (0, 5, []), f"{office.name}: its table", report)


def knows_people_by_ids(office, folder):
    """Rows of solidtime's export name people by ids, and its members.csv identifies them; without it they are
    unknown."""
    path = pathlib.Path(folder, f"{office.name}-ids.csv")
    path.write_text(
        "start,end,type,user_id\n2026-09-01T06:00:00Z,2026-09-01T08:00:00Z,,1a\n"
        "2026-09-01T06:00:00Z,2026-09-01T08:00:00Z,,2b\n2026-09-01T09:00:00Z,2026-09-01T10:00:00Z,,3c\n"
    )
    members = pathlib.Path(folder, f"{office.name}-members.csv")
    members.write_text("id,user_id,name,email\nx,1a,Ana,ana@example.com\ny,2b,Zoe,zoe@example.com\n")
    report = office.by_command(path, "solidtime", {"members": str(members)}, dry_run=True)
    expect(
        report["taken"] == 2 and [one["email"] for one in report["membersCreated"]] == ["zoe@example.com"],
        f"{office.name}: people by ids",
        report,
    )
    expect(
        [(row["line"], row["code"]) for row in report["rows"]] == [(4, "member_unknown")]
        and "--members" in report["rows"][0]["detail"],
        f"{office.name}: an id that is nobody's",
        report,
    )
    report = office.by_command(path, "solidtime", {}, dry_run=True)
    expect(len(report["rows"]) == 3, f"{office.name}: ids without people", report)


def is_as_the_samples_say(office):
    expected = sorted(
        (begin, end, *rest)
        for whose, begin, end, date, seconds, notes in ENTRIES
        for rest in [(whose, date, seconds, notes)]
    )
    expect(office.entries() == expected, f"{office.name}: the entries are", office.entries())
    members = office.members()
    expect(
        sorted(members) == [f"{name}@example.com" for name in ("admin", "ana", "bo", "cem", "dora")],
        f"{office.name}: the members are",
        list(members),
    )
    added = [member for member in members.values() if member["email"] != "admin@example.com"]
    expect(
        all(not member["active"] and member["role"] == "member" for member in added),
        f"{office.name}: who was added",
        added,
    )
    expect(members["ana@example.com"]["name"] == "Ana Gómez", f"{office.name}: a name", members)
    expect(members["dora@example.com"]["name"] == "dora@example.com", f"{office.name}: a missing name", members)
    log = office.request("GET", "/auditLog?operation=importTimeEntries&limit=1000").json["changes"]
    expect(len(log) == len(ENTRIES) + len(added), f"{office.name}: changes in the log", len(log))
    return log


def makes_projects(office, way):
    """Projects, tasks and segments of the samples: judged, made, and not made again."""
    for file, kind, options in IMPORTS:
        if file not in MADE:
            continue
        path = SAMPLES / file
        options = {**options, "projects": "create"}
        for dry_run, made in ((True, MADE[file]), (False, MADE[file]), (True, (0, 0, 0)), (False, (0, 0, 0))):
            report = way(path, kind, options, dry_run=dry_run)
            expect(
                (report["projectsCreated"], report["tasksCreated"], report["segmentsCreated"]) == made,
                f"{office.name}: what is made of {file}",
                report,
            )
            expect(len(report["rows"]) == len(EXPECTED[file][2]), f"{office.name}: refused rows of {file}", report)


def has_the_segments(office):
    """Each row with a project or a task has a segment over all of its entry, with the sample's purpose."""
    projects = {one["id"]: one for one in office.listed("/projects?limit=1000", "projects")}
    tasks = {one["id"]: one for one in office.listed("/tasks?limit=1000", "tasks")}
    entries = {one["id"]: one for one in office.listed("/timeEntries?limit=1000", "timeEntries")}
    names = {member["userId"]: email.split("@")[0] for email, member in office.members().items()}
    found = {}
    for one in office.listed("/segments?limit=1000", "segments"):
        entry = entries[one["timeEntryId"]]
        expect(
            (one["startTime"], one["endTime"], one["userId"], one["source"])
            == (entry["clockInTime"], entry["clockOutTime"], entry["userId"], "import"),
            f"{office.name}: a segment beside its entry",
            (one, entry),
        )
        expect(one["name"] == (entry["notes"] or "Time entry"), f"{office.name}: notes beside a segment", (one, entry))
        project, task = projects.get(one["projectId"], {}), tasks.get(one["taskId"], {})
        expect(not task or task["projectId"] == one["projectId"], f"{office.name}: a task of another project", one)
        found[names[one["userId"]], one["startTime"][:19]] = (
            project.get("client"),
            project.get("name"),
            task.get("name"),
            one["name"],
            one["tags"],
            one["billable"],
        )
    expect(found == SEGMENTS, f"{office.name}: the segments are", found)
    made = [sum(each[place] for each in MADE.values()) for place in range(3)]
    expect([len(projects), len(tasks), len(found)] == made, f"{office.name}: numbers", (len(projects), len(tasks)))
    expect(
        all(one["ownerId"] is None for one in [*projects.values(), *tasks.values()]),
        f"{office.name}: somebody's own",
        projects,
    )
    log = office.request("GET", "/auditLog?operation=importTimeEntries&limit=1000").json["changes"]
    for resource, count in zip(("project", "task", "segment"), made, strict=True):
        logged = [one for one in log if one["resource"] == resource]
        expect(len(logged) == count, f"{office.name}: changes of {resource}", len(logged))


def check_projects(name, folder, by_command, by_operation):
    office = ImportingOffice(f"{name}-projects-command", folder, by_command)
    makes_projects(office, office.by_command)
    office.clock.start()
    has_the_segments(office)
    office.clock.stop()
    office = ImportingOffice(f"{name}-projects-operation", folder, by_operation)
    office.clock.start()
    makes_projects(office, office.by_operation)
    has_the_segments(office)
    office.clock.verify()
    office.clock.stop()


def large_file(folder):
    """Rows of many people, the newest first, as services write them; each thousandth is refused.

    At the end, batches later, ten of the first rows come again, and ten that overlap others of them.
    """
    path = pathlib.Path(folder, "large.csv")
    with open(path, "w") as file:
        file.write("email,name,clockInTime,clockOutTime,notes,timeZone\n")

        def write(row, start, end):
            day = f"2{(row // 50) // 336:03d}-{(row // 50) // 28 % 12 + 1:02d}-{(row // 50) % 28 + 1:02d}"
            file.write(f"p{row % 50}@example.com,P {row % 50},{day} {start},{day} {end},,\n")

        for row in reversed(range(ROWS)):
            write(row, "09:00", "26:00" if row % 1000 == 999 else "17:00")
        for row in range(ROWS - 40, ROWS - 30):
            write(row, "09:00", "17:00")
        for row in range(ROWS - 30, ROWS - 20):
            write(row, "08:00", "10:00")
    return path


def imports_large_files(office, path):
    """More rows than fit into one transaction: a trial and the run say the same, and again nothing changes."""
    # Rows that come twice are not there already: they are the file's own.
    refused = ROWS // 1000 + 20
    taken = ROWS - ROWS // 1000
    judged = office.by_command(path, "generic", {}, dry_run=True)
    report = office.by_command(path, "generic", {})
    for one in (judged, report):
        expect(
            (one["taken"], one["alreadyThere"], one["refused"]) == (taken, 0, refused),
            f"{office.name}: a large file",
            {**one, "rows": one["rows"][:3], "membersCreated": []},
        )
        expect(len(one["membersCreated"]) == 50, f"{office.name}: people of a large file", one["membersCreated"])
    expect(judged["rows"] == report["rows"], f"{office.name}: another report of a large file")
    again = office.by_command(path, "generic", {})
    expect(
        (again["taken"], again["alreadyThere"], again["membersCreated"]) == (0, taken, []),
        f"{office.name}: a large file again",
        {**again, "rows": again["rows"][:3]},
    )


def takes_long_files(office, folder):
    """The operation takes a file that is longer than any other body, in many transactions, and answers with all of it."""
    path = pathlib.Path(folder, f"{office.name}-long.csv")
    with open(path, "w") as file:
        file.write("email,clockInTime,clockOutTime,notes\n")
        for row in range(2_400):
            day = f"20{row // 200 + 10}-{row // 20 % 10 + 1:02d}-{row % 20 + 1:02d}"
            end = "09:00" if row % 1_000 == 999 else "17:00"
            file.write(f"long@example.com,{day} 09:00,{day} {end},{'x' * 450}\n")
    expect(path.stat().st_size > 2**20, "the file is short", path.stat().st_size)
    for _ in range(2):
        judged = office.by_operation(path, "generic", {}, dry_run=True)
        lines = [row["line"] for row in judged["rows"]]
        expect((judged["taken"], lines) == (2_398, [1_001, 2_001]), f"{office.name}: a long file", judged)


def shows_a_bar(office, path):
    """On a terminal standard error has a bar, and standard output the report alone."""
    terminal, its_end = os.openpty()
    running = subprocess.Popen(
        [
            BINARY,
            "import",
            "--database",
            office.clock.database,
            "--organization",
            office.id,
            "--format",
            "generic",
            "--dry-run",
            str(path),
        ],
        stdout=subprocess.PIPE,
        stderr=its_end,
    )
    os.close(its_end)
    shown = b""
    # Reading fails if the other end was closed.
    with contextlib.suppress(OSError):
        while piece := os.read(terminal, 65_536):
            shown += piece
    os.close(terminal)
    output, _ = running.communicate(timeout=60)
    expect(running.returncode == 0 and json.loads(output)["dryRun"] is True, f"{office.name}: on a terminal", output)
    expect(re.search(rb"importing \[#+-*\] 100 %", shown), f"{office.name}: a bar", shown[-300:])


def refuses_clearly(office, folder):
    """A file that cannot be read, and an organization that is not there, end the command; nothing is printed."""
    nothing = pathlib.Path(folder, "nothing.csv")
    nothing.write_text("a,b\n1,2\n")
    sample = str(SAMPLES / "toggl.csv")
    cases = [
        (["--organization", office.id, "--format", "toggl", str(nothing)], 'no column "Start date"'),
        (["--organization", office.id, "--format", "toggl", folder], "no file"),
        (["--organization", office.id, "--format", "toggl", f"{folder}/absent.csv"], "No such file"),
        (
            ["--organization", office.id, "--format", "clockify", str(SAMPLES / "clockify_unclear.csv")],
            "--date-order dmy or mdy",
        ),
        (["--organization", office.id, "--format", "timetagger", sample], "--user"),
        (["--organization", office.id, "--format", "toggl", "--members", str(nothing), sample], "--format solidtime"),
        (
            ["--organization", office.id, "--format", "solidtime", "--members", str(nothing), sample],
            f'{nothing}: The first line has no column "user_id"',
        ),
        (["--organization", office.id, "--format", "toggl", "--user", "x@example.com", sample], "x@example.com"),
        (["--organization", office.id, "--format", "toggl", "--time-zone", "Mars/Base", sample], "unknown_time_zone"),
        (["--organization", "Nobody's", "--format", "toggl", sample], "Nobody's"),
        (["--organization", "019aa0f1-0000-7000-8000-000000000001", "--format", "toggl", sample], "no organization"),
    ]
    for arguments, needed in cases:
        result = office.command(*arguments)
        expect(
            result.returncode != 0 and result.stdout == "" and needed in result.stderr,
            f"{office.name}: {arguments} does not say {needed!r}",
            result,
        )


def held_file_is_told(office):
    result = office.command("--organization", office.id, "--format", "toggl", str(SAMPLES / "toggl.csv"))
    expect(result.returncode != 0 and "importTimeEntries" in result.stderr, "importing beside a server", result)


def check(name, folder, by_command, by_operation):
    office = ImportingOffice(f"{name}-command", folder, by_command)
    import_all(office, office.by_command)
    reads_encodings(office, office.by_command, folder)
    knows_people_by_ids(office, folder)
    tells_what_it_does_not_read(office, folder)
    refuses_clearly(office, folder)
    office.clock.start()
    log = is_as_the_samples_say(office)
    expect(all(change["author"]["means"] == "operator" for change in log), "another author", log[:1])
    if name == "sqlite":
        held_file_is_told(office)
        office.clock.stop()
    # Beside a server on PostgreSQL.
    path = large_file(folder)
    imports_large_files(office, path)
    shows_a_bar(office, path)
    if name != "sqlite":
        office.clock.stop()

    office = ImportingOffice(f"{name}-operation", folder, by_operation)
    office.clock.start()
    import_all(office, office.by_operation)
    reads_encodings(office, office.by_operation, folder)
    log = is_as_the_samples_say(office)
    expect(all(change["author"]["means"] == "log-in" for change in log), "another author", log[:1])
    takes_long_files(office, folder)
    pays_no_more_than_rows_say(office, folder)
    knows_addresses_in_any_spelling(office, folder)
    takes_its_own_table_back(office, folder)
    office.clock.verify()
    office.clock.stop()


def main():
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster(["fsync=off"]) as cluster:
        check("sqlite", folder, None, None)
        check("postgresql", folder, cluster.make_database("command"), cluster.make_database("operation"))
        check_projects("sqlite", folder, None, None)
        check_projects("postgresql", folder, cluster.make_database("p_command"), cluster.make_database("p_operation"))
    print(f"imports: {len(IMPORTS)} samples and {ROWS} rows, twice, by command and operation, on both databases")


main()
