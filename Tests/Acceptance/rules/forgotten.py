#!/usr/bin/env python3
"""The server closes what nobody clocks out of, by itself, soon after its start; two servers on one PostgreSQL close
each entry once."""

import datetime
import sys
import tempfile
import time

from kit import client, postgresql, service

BINARY = service.built_binary()
MEMBERS = 60


def expect(condition, what, result=None):
    if not condition:
        sys.exit(f"{what}: {result}")


def succeed(connection, *arguments):
    answer = connection.request(*arguments)
    expect(answer.status < 300, arguments, answer)
    return answer.json if answer.body else None


def clock_everybody_in(connection, base, token):
    """Members who clocked in ten hours ago, one of them a moment ago."""
    begin = (datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=10)).isoformat()
    entries = []
    for number in range(MEMBERS):
        member = succeed(
            connection,
            "POST",
            base + "/members",
            token,
            {"email": f"m{number}@example.com", "name": "M", "role": "member"},
        )
        entries.append(
            succeed(
                connection,
                "POST",
                base + "/timeEntries/clockIn",
                token,
                {"userId": member["userId"], "clockInTime": begin},
            )
        )
    entries.append(succeed(connection, "POST", base + "/timeEntries/clockIn", token))
    return entries


def check(name, clocks):
    created = clocks[0].create_organization()
    base = f"/v1/organizations/{created['organizationID']}"
    token = created["token"]
    clocks[0].start()
    connection = client.Client(clocks[0].port)
    entries = clock_everybody_in(connection, base, token)
    # The server has looked once by now, or will; it is the next one that finds the policy.
    policy = connection.request("PATCH", base, token, {"policy": {"autoClockOutAfter": 28_800}}, [("If-Match", "*")])
    expect(policy.status == 200, f"{name}: the policy", policy)
    connection.close()
    clocks[0].stop()

    for clock in clocks:
        clock.start()
    deadline = time.monotonic() + 90
    while True:
        page = succeed(connection, "GET", base + "/timeEntries?status=clocked-in", token)
        if len(page["timeEntries"]) == 1:
            break
        expect(time.monotonic() < deadline, f"{name}: not closed in 90 seconds", len(page["timeEntries"]))
        time.sleep(0.2)
    expect(page["timeEntries"][0]["id"] == entries[-1]["id"], f"{name}: another entry runs", page)
    listed = succeed(connection, "GET", base + "/timeEntries?status=clocked-out&limit=1000", token)["timeEntries"]
    expect(len(listed) == MEMBERS, f"{name}: closed", len(listed))
    for entry in listed:
        expect(entry["flags"] == ["auto_closed"] and entry["durationSeconds"] == 28_800, f"{name}: closed as", entry)
    log = succeed(connection, "GET", base + "/auditLog?operation=autoClockOut&limit=1000", token)["changes"]
    expect(
        sorted(change["resourceId"] for change in log) == sorted(entry["id"] for entry in entries[:-1]),
        f"{name}: each is logged once",
        len(log),
    )
    expect(all(change["author"]["means"] == "service" and change["reason"] for change in log), f"{name}: why", log)
    connection.close()
    for clock in clocks:
        clock.verify()
        clock.stop()
        text = (clock.folder / "server.log").read_text()
        expect("failed" not in text, f"{name}: a job failed", text)
    told = sum("closed forgotten time entries" in (clock.folder / "server.log").read_text() for clock in clocks)
    expect(told >= 1, f"{name}: the log tells nothing")


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
    print(f"forgotten: {MEMBERS} entries closed by one server on SQLite, and by two on PostgreSQL, each once")


main()
