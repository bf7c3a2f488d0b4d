#!/usr/bin/env python3
"""LibreOffice opens none of a thousand hostile cells of an export as a formula, and many of them without the apostrophe.

In `dialect=excel` and a German locale the durations are numbers, and text that looks like a number stays text: by
formulas that are a string of digits and signs of numbers, and no others.

By hand: it needs LibreOffice Calc (package libreoffice-calc-nogui). `spreadsheet.py [--seed S]`.
"""

import argparse
import csv
import io
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from kit import client, hostile_cells, service

# Comma, quotation mark, UTF-8, from the first line on (help.libreoffice.org: CSV filter parameters).
FILTER = "Text - txt - csv (StarCalc):44,34,76,1"
# Semicolon, quotation mark, UTF-8, from the first line on, German.
GERMAN = "Text - txt - csv (StarCalc):59,34,76,1,,1031"
# A formula that is nothing but such a string, as a file of LibreOffice has it.
KEPT = re.compile(r"of:=&quot;[-0-9 .,:/+%Ee]*[0-9][-0-9 .,:/+%Ee]*&quot;")
NUMBERS = ["0001", "1-2", "1E5", "08:15", "12345678901234567890", "1,5"]


def exported(clock, organization, chance):
    """The export of a thousand entries with texts that mean harm, in the names of people with such names; as a plain table,
    and for a spreadsheet in German."""
    base = f"/v1/organizations/{organization['organizationID']}"
    asker = client.Client(clock.port)

    def ask(method, path, body=None):
        answer = asker.request(method, base + path, organization["token"], body)
        assert answer.status in (200, 201), f"{method} {path}: {answer}"
        return answer

    people = [
        ask(
            "POST",
            "/members",
            {
                "email": f"p{number}@example.com",
                "name": hostile_cells.line(chance),
                "role": "member",
                "personnelNumber": NUMBERS[number] if number < len(NUMBERS) else None,
            },
        ).json["userId"]
        for number in range(40)
    ]
    for half in range(2):
        ask(
            "POST",
            "/timeEntries/bulk",
            {
                "mode": "atomic",
                "timeEntries": [
                    {
                        "userId": people[number % 40],
                        "clockInTime": f"2026-0{1 + half}-{1 + number // 40:02}T08:00:00Z",
                        "clockOutTime": f"2026-0{1 + half}-{1 + number // 40:02}T09:00:00Z",
                        "notes": hostile_cells.text(chance),
                    }
                    for number in range(500)
                ],
            },
        )
    queries = ("", "&dialect=excel&durations=decimal")
    return [ask("GET", f"/timeEntries/export?format=csv{query}").body.decode() for query in queries]


def without_apostrophes(table):
    """The table as it would be without any protection."""
    out = io.StringIO()
    rows = csv.reader(io.StringIO(table, newline=""), strict=True)
    csv.writer(out).writerows([cell.removeprefix("'") for cell in row] for row in rows)
    return out.getvalue()


def opened(folder, name, table, form=FILTER):
    """The table as LibreOffice opens it, in its own format."""
    source = pathlib.Path(folder, f"{name}.csv")
    source.write_text(table, newline="")
    subprocess.run(
        [
            "soffice",
            f"-env:UserInstallation=file://{folder}/profile",
            "--headless",
            f"--infilter={form}",
            "--convert-to",
            "fods",
            "--outdir",
            folder,
            source,
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    return pathlib.Path(folder, f"{name}.fods").read_text()


def formulas(sheet):
    """How many cells LibreOffice takes for formulas, and how many ids it has read."""
    return len(re.findall(r"table:formula=", sheet)), len(
        re.findall(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]", sheet)
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    seed = parser.parse_args().seed
    print(f"seed {seed}", flush=True)
    if not shutil.which("soffice"):
        sys.exit("LibreOffice is not installed (package libreoffice-calc-nogui)")
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder)
        organization = clock.create_organization()
        clock.start()
        table, german = exported(clock, organization, random.Random(seed))
        clock.stop()
        found, identifiers = formulas(opened(folder, "protected", table))
        assert identifiers >= 2_000, f"LibreOffice read {identifiers} ids only"
        control, _ = formulas(opened(folder, "unprotected", without_apostrophes(table)))
        sheet = opened(folder, "german", german, GERMAN)
        durations = len(re.findall(r'office:value-type="float" office:value="1"', sheet))
        assert durations >= 1_000, f"{durations} of 1,000 durations are numbers"
        kept = re.findall(r'table:formula="([^"]*)"', sheet)
        assert all(KEPT.fullmatch(one) for one in kept), f"formulas: {[one for one in kept if not KEPT.fullmatch(one)]}"
        for number in NUMBERS:
            assert f"of:=&quot;{number}&quot;" in kept and f"<text:p>{number}</text:p>" in sheet, f"{number} is no text"
    assert found == 0, f"LibreOffice takes {found} cells for formulas"
    assert control > 50, f"without the apostrophe it takes {control} only: the check proves nothing"
    print(
        f"spreadsheet: LibreOffice takes no cell of 1,000 entries for a formula, without the apostrophe {control}; in German "
        f"every duration is a number, and {len(kept)} texts of digits are text"
    )


main()
