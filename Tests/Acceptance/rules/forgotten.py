#!/usr/bin/env python3
"""The server closes forgotten entries, and reminds members of entries that are active for long, by itself, soon after
its start; two servers on one PostgreSQL do each once."""

import datetime
import tempfile
import time

from kit import postgresql, service
from kit.expecting import expect
from kit.office import Office

BINARY = service.built_binary()
MEMBERS = 60


def clock_everybody_in(office):
    """Members who clocked in ten hours ago, one of them a moment ago."""
    begin = (datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=10)).isoformat()
    members = [office.add_member(f"m{number}@example.com", "M") for number in range(MEMBERS)]
    bodies = [{"userId": member, "clockInTime": begin} for member in members]
    return [office.ask("POST", "/timeEntries/clockIn", body, 201) for body in [*bodies, None]]


def remind_later(office):
    """Members who clocked in three hours ago: they are reminded, and not clocked out."""
    begin = (datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=3)).isoformat()
    members = [office.add_member(f"late{number}@example.com", "L") for number in range(MEMBERS)]
    bodies = [{"userId": member, "clockInTime": begin} for member in members]
    return [office.ask("POST", "/timeEntries/clockIn", body, 201)["id"] for body in bodies]


def check(name, clocks):
    created = clocks[0].create_organization()
    office = Office(clocks[0].port, created)
    clocks[0].start()
    entries = clock_everybody_in(office)
    # The server has looked once by now, or will; it is the next one that finds the policy.
    policy = {"autoClockOutAfter": 28_800, "remindAfter": 7_200}
    office.ask("PATCH", "", {"policy": policy}, fields=[("If-Match", "*")])
    late = remind_later(office)
    office.close()
    clocks[0].stop()

    for clock in clocks:
        clock.start()
    deadline = time.monotonic() + 90
    while True:
        page = office.ask("GET", "/timeEntries?status=clocked-in")
        reminders = office.listed("/reminders?limit=1000", "reminders")
        if len(page["timeEntries"]) == 1 + len(late) and len(reminders) >= len(late):
            break
        expect(time.monotonic() < deadline, f"{name}: not closed in 90 seconds", len(page["timeEntries"]))
        time.sleep(0.2)
    running = {entry["id"] for entry in page["timeEntries"]}
    expect(running == {entries[-1]["id"], *late}, f"{name}: another entry runs", page)
    # Not of those that were closed, nor of the one that has just begun.
    reminded = [reminder["timeEntryId"] for reminder in reminders]
    expect(sorted(reminded) == sorted(late), f"{name}: reminded of", reminders)
    told = office.ask("GET", "/auditLog?operation=remind&limit=1000")["changes"]
    expect(
        sorted(change["resourceId"] for change in told) == sorted(reminder["id"] for reminder in reminders),
        f"{name}: each reminder is logged once",
        told,
    )
    listed = office.listed("/timeEntries?status=clocked-out&limit=1000", "timeEntries")
    expect(len(listed) == MEMBERS, f"{name}: closed", len(listed))
    for entry in listed:
        expect(entry["flags"] == ["auto_closed"] and entry["durationSeconds"] == 28_800, f"{name}: closed as", entry)
    log = office.ask("GET", "/auditLog?operation=autoClockOut&limit=1000")["changes"]
    expect(
        sorted(change["resourceId"] for change in log) == sorted(entry["id"] for entry in entries[:-1]),
        f"{name}: each is logged once",
        len(log),
    )
    expect(all(change["author"]["means"] == "service" and change["reason"] for change in log), f"{name}: why", log)
    office.close()
    for clock in clocks:
        clock.verify()
        clock.stop()
        text = (clock.folder / "server.log").read_text()
        expect("failed" not in text, f"{name}: a job failed", text)
    told = sum("closed forgotten time entries" in (clock.folder / "server.log").read_text() for clock in clocks)
    expect(told >= 1, f"{name}: the log tells nothing")
    told = sum("reminded members" in (clock.folder / "server.log").read_text() for clock in clocks)
    expect(told >= 1, f"{name}: the log tells of no reminder")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check("SQLite", [service.Service(BINARY, folder)])
    with (
        postgresql.Cluster(settings=["fsync=off"]) as cluster,
        tempfile.TemporaryDirectory() as first,
        tempfile.TemporaryDirectory() as second,
    ):
        location = cluster.make_database("clock")
        check("PostgreSQL", [service.Service(BINARY, folder, location) for folder in (first, second)])
    print(
        f"forgotten: {MEMBERS} entries closed and {MEMBERS} members reminded by one server on SQLite, and by two on "
        "PostgreSQL, each once"
    )


main()
