#!/usr/bin/env python3
"""Exports are whole, harmless to spreadsheets, and cost others nothing, on both databases.

A thousand hostile notes, names and titles come back as they were from Python's csv, but for the apostrophe. The lines of
NDJSON are the entries of the list, and the durations of all three have one sum. Each entry has the state of its date among
the marks. Of many entries: memory stays bounded while clients take them slowly or not at all, clocking in goes on beside
them, and a client that leaves ends its export.
`exports.py [--entries N] [--seed S]`; the seed is printed and repeats the texts.
"""

import argparse
import csv
import io
import json
import os
import pathlib
import random
import re
import socket
import tempfile
import threading
import time
import unicodedata

from kit import client, hostile_cells, many_entries, postgresql, service
from kit.expecting import expect
from kit.office import Office

# So much may the resident memory grow, however many entries there are.
GROWTH_LIMIT = 32 * 1024
SIGNS = "=+-@＝＋－＠﹦﹢﹣﹫"


class ExportingOffice(Office):
    def __init__(self, clock, organization):
        super().__init__(clock.port, organization)
        self.clock = clock

    def lines(self, query=""):
        body = self.ask("GET", f"/timeEntries/export?format=ndjson{query}")
        return [json.loads(line) for line in body.split(b"\n")[:-1]]

    def table(self, query=""):
        body = self.ask("GET", f"/timeEntries/export?format=csv{query}").decode("utf-8")
        return list(csv.DictReader(io.StringIO(body, newline=""), strict=True))

    def entries(self):
        return self.listed("/timeEntries?limit=1000", "timeEntries")


def is_formula(text):
    """Written once more, from the rule: text that begins with a sign, once invisible characters are left out."""
    if text[:1] in ("\t", "\r", "\n"):
        return True
    for character in text:
        if unicodedata.category(character) not in ("Zs", "Zl", "Zp", "Cc", "Cf"):
            return character in SIGNS
    return False


def cell(text):
    return ("'" + text if is_formula(text) else text) if text else ""


def check_hostile_texts(office, chance):
    """Keeps a thousand entries with texts that mean harm, and reads them back in every form."""
    titles = [hostile_cells.line(chance) for _ in range(40)]
    sessions = [office.ask("POST", "/sessions", {"date": "2026-01-01", "title": title}, 201) for title in titles]
    people = [
        office.ask(
            "POST",
            "/members",
            {
                "email": f"{chance.choice('=+-@')}p{number}@example.com".replace("@p", "p"),
                "name": hostile_cells.line(chance),
                "role": "member",
            },
            201,
        )
        for number in range(20)
    ]
    for half in range(2):
        entries = [
            {
                "userId": people[number % 20]["userId"],
                "sessionId": sessions[number % 40]["id"],
                "clockInTime": f"2026-0{1 + half}-{1 + number // 20 % 25:02}T{number // 500:02}:00:00Z",
                "clockOutTime": f"2026-0{1 + half}-{1 + number // 20 % 25:02}T{number // 500:02}:30:00Z",
                "notes": hostile_cells.text(chance),
            }
            for number in range(500)
        ]
        made = office.ask("POST", "/timeEntries/bulk", {"mode": "atomic", "timeEntries": entries})
        expect(len(made["results"]) == 500, made)
    names = {one["userId"]: (one["name"], one["email"]) for one in office.ask("GET", "/members?limit=1000")["members"]}
    titles = {one["id"]: one["title"] for one in sessions}
    listed = {entry["id"]: entry for entry in office.entries()}
    lines = office.lines()
    expect({entry.pop("periodState") for entry in lines} == {"unsubmitted"}, "an entry without marks has a state")
    expect({entry.pop("objected") for entry in lines} == {False}, "nobody objects")
    expect({entry["id"]: entry for entry in lines} == listed, "NDJSON has other entries than the list")
    expect(len(lines) == len(listed) == 1_000, f"{len(lines)} lines, {len(listed)} in the list")
    table = office.table()
    expect([row["id"] for row in table] == [entry["id"] for entry in lines], "CSV has another order than NDJSON")
    for row in table:
        entry = listed[row["id"]]
        name, email = names[entry["userId"]]
        wanted = {
            "notes": cell(entry["notes"]),
            "userName": cell(name),
            "userEmail": cell(email),
            "sessionTitle": cell(titles[entry["sessionId"]]),
            "clockInTime": entry["clockInTime"],
            "clockOutTime": entry["clockOutTime"],
            "status": entry["status"],
            "source": entry["source"],
            "flags": " ".join(entry["flags"]),
            "durationSeconds": str(entry["durationSeconds"]),
            "periodState": "unsubmitted",
            "objected": "false",
        }
        for column, text in wanted.items():
            expect(row[column] == text, f"{column} is {row[column]!r}, not {text!r}")
    sums = [sum(int(entry["durationSeconds"]) for entry in form) for form in (table, lines, listed.values())]
    expect(len(set(sums)) == 1, f"sums differ: {sums}")
    formulas = sum(is_formula(entry["notes"] or "") for entry in lines)
    expect(200 < formulas < 900, f"{formulas} of the notes are formulas")
    return formulas


def check_states(office):
    """Each of the thousand entries has the strongest mark that ends behind its start."""
    people = sorted(one["userId"] for one in office.listed("/periods?limit=1000", "periods"))
    middle = {"userIds": people[:7], "through": "2026-01-15"}
    office.ask("POST", "/timesheets/approve", {**middle, "includeUnsubmitted": True})
    office.ask("POST", "/periods/lock", {**middle, "userIds": people[:3]})
    for person in people[3:14]:
        office.ask("POST", "/timesheets/submit", {"userId": person, "through": "2026-02-10", "complete": True})
    ends = {one["userId"]: one for one in office.listed("/periods?limit=1000", "periods")}

    def state(entry):
        for name in ("locked", "approved", "submitted"):
            until = ends[entry["userId"]][name + "Until"]
            if until is not None and entry["clockInTime"] < until:
                return name
        return "unsubmitted"

    lines, table = office.lines(), office.table()
    states = [entry["periodState"] for entry in lines]
    expect(states == [state(entry) for entry in lines], "NDJSON has other states than the marks")
    expect([row["periodState"] for row in table] == states, "CSV has other states than NDJSON")
    expect(len(set(states)) == 4 and len(states) == 1_000, f"the states of {len(states)} entries are {set(states)}")


def unwrapped(text):
    """A cell as the plain table has it, if a dialect keeps it as text."""
    match = re.fullmatch(r'="([-0-9 .,:/+%\'Ee]*[0-9][-0-9 .,:/+%\'Ee]*)"', text)
    return match[1] if match else text


def check_dialects(office):
    """The same thousand entries as a spreadsheet in German takes them, and with each part of it alone: the same cells."""
    plain = office.table("&durations=decimal")
    for query, mark, separator, sign in (
        ("dialect=excel", "\ufeff", ";", ","),
        ("separator=tab", "", "\t", "."),
        ("separator=semicolon&bom=true", "\ufeff", ";", "."),
        ("decimal=comma", "", ",", ","),
    ):
        body = office.ask("GET", f"/timeEntries/export?format=csv&durations=decimal&{query}").decode("utf-8")
        expect(body.startswith(mark + "id" + separator), f"{query}: {body[:40]!r}")
        lines = io.StringIO(body.removeprefix(mark), newline="")
        table = list(csv.DictReader(lines, strict=True, delimiter=separator))
        expect(all(re.fullmatch(r"\d+" + re.escape(sign) + r"\d\d", row["durationHours"]) for row in table), query)
        for row in table:
            row["durationHours"] = row["durationHours"].replace(sign, ".")
        if query == "dialect=excel":
            table = [{name: unwrapped(cell) for name, cell in row.items()} for row in table]
        expect(table == plain, f"{query} has other cells than the plain table")


class Export:
    """An export whose client decides when it reads."""

    def __init__(self, office, form="csv", token=None):
        self.socket = socket.create_connection(("127.0.0.1", office.clock.port), 60)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
        self.socket.sendall(
            client.written("GET", f"{office.base}/timeEntries/export?format={form}", token or office.token)
        )
        self.stream = self.socket.makefile("rb")
        self.status = int(self.stream.readline().split()[1])

    def take_all(self):
        """The number of lines. Raises `OSError` if the export is not whole."""
        while self.stream.readline() != b"\r\n":
            pass
        count = 0
        while length := client.chunk_length(self.stream):
            count += client.read_exactly(self.stream, length).count(b"\n")
            client.read_exactly(self.stream, 2)
        return count

    def leave(self):
        self.stream.close()
        self.socket.close()


def kilobytes(clock, name):
    status = pathlib.Path(f"/proc/{clock.process.pid}/status").read_text()
    return int(re.search(name + r":\s+(\d+) kB", status)[1])


def processor_seconds(clock):
    fields = pathlib.Path(f"/proc/{clock.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def clock_in_and_out(office, person):
    for path, status in (("clockIn", 201), ("clockOut", 200)):
        office.ask("POST", f"/timeEntries/{path}", {"userId": person}, status)


def check_many_entries(office, count):
    """Exports of many entries, beside each other and beside clocking in."""
    person = office.ask("POST", "/members", {"email": "w@example.com", "name": "W", "role": "member"}, 201)["userId"]
    clock_in_and_out(office, person)
    resident = kilobytes(office.clock, "VmRSS")
    before = processor_seconds(office.clock)
    lines = Export(office).take_all()
    expect(lines == count + 2, f"{lines} lines of {count} entries, one more, and the header")
    whole = processor_seconds(office.clock) - before
    # Four who do not read, which is as many as one person may have; clock-ins still work.
    stalled = [Export(office, form) for form in ("csv", "ndjson", "csv", "ndjson")]
    expect([one.status for one in stalled] == [200] * 4, "one of the exports did not begin")
    refused = office.request("GET", "/timeEntries/export")
    expect(refused.status == 429 and "retry-after" in refused.fields, f"a fifth export: {refused}")
    for _ in range(50):
        clock_in_and_out(office, person)
    # A client that leaves makes room for another, long before it would be found not to read.
    before = processor_seconds(office.clock)
    for one in stalled:
        one.leave()
    deadline = time.monotonic() + 20
    while (again := Export(office)).status != 200:
        again.leave()
        expect(time.monotonic() < deadline, "exports do not end when their clients leave")
        time.sleep(0.02)
    again.leave()
    used = processor_seconds(office.clock) - before
    expect(used < max(whole, 0.5), f"exports without clients used {used:.2f} s of CPU, a whole one {whole:.2f} s")
    # One who reads all of it meanwhile.
    taken = []
    reader = threading.Thread(target=lambda: taken.append(Export(office, "ndjson").take_all()))
    pairs = 0
    reader.start()
    while reader.is_alive():
        clock_in_and_out(office, person)
        pairs += 1
    reader.join()
    expect(taken and taken[0] >= count + 51, f"the export beside clocking in has {taken} lines")
    growth = kilobytes(office.clock, "VmHWM") - resident
    expect(growth <= GROWTH_LIMIT, f"resident memory grew by {growth} kB, more than {GROWTH_LIMIT}")
    return pairs, growth


def check_calendar(office):
    """A calendar's lines unfold to the notes as they are."""
    office.ask(
        "POST",
        "/timeEntries",
        {
            "clockInTime": "2026-03-02T08:00:00Z",
            "clockOutTime": "2026-03-02T09:00:00Z",
            "notes": "Küche; " * 40 + "\\,\nend",
        },
        201,
    )
    body = office.ask("GET", "/timeEntries/calendar?startDate=2026-03-02&endDate=2026-03-02").decode()
    expect(all(len(line.encode()) <= 75 for line in body.split("\r\n")), "a line of the calendar is too long")
    unfolded = body.replace("\r\n ", "").split("\r\n")
    expect("DESCRIPTION:" + "Küche\\; " * 40 + "\\\\\\,\\nend" in unfolded, f"other notes: {unfolded}")
    expect("DTSTART:20260302T080000Z" in unfolded and "DTEND:20260302T090000Z" in unfolded, f"other times: {unfolded}")


def run(clock, organization, fill, count, chance):
    clock.start()
    office = ExportingOffice(clock, organization)
    formulas = check_hostile_texts(office, chance)
    check_states(office)
    check_dialects(office)
    check_calendar(office)
    clock.stop()
    many = fill()
    clock.start()
    office = ExportingOffice(clock, many)
    pairs, growth = check_many_entries(office, count)
    clock.stop()
    return f"{formulas} formulas of 1,000 made harmless, {pairs} pairs beside an export, {growth / 1024:.1f} MB more"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    binary = service.built_binary()
    found = {}
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster(["fsync=off"]) as cluster:
        for name in ("SQLite", "PostgreSQL"):
            place = pathlib.Path(folder, name)
            place.mkdir()
            database = cluster.make_database("clock") if name == "PostgreSQL" else None
            clock = service.Service(binary, place, database=database)
            organization = clock.create_organization()

            def fill():
                many = clock.create_organization("Many", email="many@example.com")
                if database:
                    many_entries.fill_postgresql(cluster, "clock", wanted.entries)
                else:
                    many_entries.fill_sqlite(place / "timeclock.db", wanted.entries)
                return many

            found[name] = run(clock, organization, fill, wanted.entries, random.Random(wanted.seed))
    print("; ".join(f"{name}: {what}" for name, what in found.items()) + f"; seed {wanted.seed}")


main()
