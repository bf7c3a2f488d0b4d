#!/usr/bin/env python3
"""Counts the program's instructions for a request, which do not swing as times do.

One connection, one request after another, in callgrind (`loading/counting.py`). The output of callgrind stays in the
folder printed, for callgrind_annotate. Talks to loopback only.

usage: instructions.py [requests]
"""

import pathlib
import sys
import tempfile

from kit import service
from loading.counting import Connection, CountedService


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-instructions-"))
    clock = CountedService(service.built_binary(), folder)
    organization = clock.create_organization()
    clock.start(patience=90)
    connection = Connection(clock.port)
    token = organization["token"]
    entries = f"/v1/organizations/{organization['organizationID']}/timeEntries"
    connection.ask("POST", f"{entries}/clockIn", token)

    for name, path in [("getLiveness", "/health/live"), ("getCurrentTimeEntry", f"{entries}/current")]:

        def ask(times):
            for _ in range(times):
                connection.ask("GET", path, token)

        ask(300)
        _, others = clock.count(lambda: ask(count))
        print(f"{name:<20} {others.instructions / count:10,.0f} instructions a request", flush=True)
    clock.kill()
    print(f"callgrind_annotate {folder}/counts.2-*")


main()
