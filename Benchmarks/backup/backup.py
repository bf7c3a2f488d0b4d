#!/usr/bin/env python3
"""How much longer a write takes while `timeclock backup` copies the database.

`backup.py [--entries N] [--rounds R]`: fills an SQLite database through the service, then has one client clock in and
out, in turns alone and beside a back-up with all its checks. Takes the static release build, or the one of
TIMECLOCK_BINARY.
"""

import argparse
import datetime
import pathlib
import subprocess
import tempfile
import time

from kit import client, service

TOGETHER = 500
FIRST = datetime.datetime(1990, 1, 1)


def fill(clock, organization, count):
    """Half hours of one member after another, as many together as may be."""
    base = f"/v1/organizations/{organization['organizationID']}"
    admin = client.Client(clock.port, timeout=60)
    for number in range(0, count, TOGETHER):
        if number % 100_000 == 0:
            answer = admin.request(
                "POST",
                base + "/members",
                organization["token"],
                {"email": f"m{number}@example.com", "name": "Many", "role": "member"},
            )
            assert answer.status == 201, answer
            person = answer.json["userId"]
        hours = [FIRST + datetime.timedelta(hours=(number % 100_000) + hour) for hour in range(TOGETHER)]
        answer = admin.request(
            "POST",
            base + "/timeEntries/bulk",
            organization["token"],
            {
                "mode": "atomic",
                "timeEntries": [
                    {
                        "userId": person,
                        "clockInTime": f"{hour:%Y-%m-%dT%H}:00:00Z",
                        "clockOutTime": f"{hour:%Y-%m-%dT%H}:30:00Z",
                    }
                    for hour in hours
                ],
            },
        )
        assert answer.status == 200, answer


def clocking(clock, organization, goes_on):
    """The milliseconds of clock-ins and clock-outs one after the other, in order of length."""
    asker = client.Client(clock.port)
    base = f"/v1/organizations/{organization['organizationID']}/timeEntries"
    taken = []
    while goes_on():
        for path in ("clockIn", "clockOut"):
            began = time.monotonic()
            answer = asker.request("POST", f"{base}/{path}", organization["token"])
            taken.append(1_000 * (time.monotonic() - began))
            assert answer.status in (200, 201), answer
            time.sleep(0.001)
    return sorted(taken)


def line(name, seconds, taken):
    return (
        f"{name:10} {seconds:5.1f} s, {len(taken):6,} writes: median {taken[len(taken) // 2]:5.1f} ms, "
        f"99th percentile {taken[len(taken) * 99 // 100]:5.1f} ms, longest {taken[-1]:5.1f} ms"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder)
        organization = clock.create_organization()
        clock.start()
        fill(clock, organization, chosen.entries)
        file = pathlib.Path(folder) / "timeclock.db"
        print(f"{chosen.entries:,} entries, {file.stat().st_size / 1e6:.0f} MB")
        seconds = 10
        for number in range(chosen.rounds):
            end = time.monotonic() + seconds
            alone = clocking(clock, organization, lambda: time.monotonic() < end)
            print(line("alone", seconds, alone), flush=True)
            began = time.monotonic()
            backup = subprocess.Popen(
                [service.built_binary(), "backup", "--database", f"sqlite:{file}", "--to", f"{folder}/{number}.db"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            beside = clocking(clock, organization, lambda: backup.poll() is None)
            seconds = time.monotonic() - began
            assert backup.returncode == 0, backup.stderr.read()
            print(line("beside", seconds, beside), flush=True)
        clock.stop()


if __name__ == "__main__":
    main()
