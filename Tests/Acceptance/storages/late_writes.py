#!/usr/bin/env python3
"""A write whose client got "outcome unknown" is not done later, when the server that had it continues.

The server's processes that write are stopped, a clock-out gets its 503, and another process does the next one. When the
stopped ones continue, they must not close the entry that was begun meanwhile.
"""

import sys
import tempfile
import time

from kit import client, postgresql, service
from kit.stopped import Stopped


def main():
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster() as cluster:
        clock = service.Service(service.built_binary(), folder, database=cluster.make_database("clock"))
        organization = clock.create_organization()
        clock.start()
        caller = client.Client(clock.port)
        entries = f"/v1/organizations/{organization['organizationID']}/timeEntries"

        def request(method, path):
            return caller.request(method, entries + path, organization["token"])

        assert request("POST", "/clockIn").status == 201
        with Stopped(cluster.clients("clock", "query NOT LIKE 'SELECT%'")):
            statuses = []
            while not statuses or (statuses[-1] == 503 and len(statuses) < 10):
                statuses.append(request("POST", "/clockOut").status)
            if statuses[0] != 503:
                sys.exit(f"nothing was stopped: clocking out answers {statuses}")
            begun = request("POST", "/clockIn")
            if begun.status != 201:
                sys.exit(f"clocking in again answers {begun.status}")
        time.sleep(1)
        current = request("GET", "/current")
        if current.json["status"] != "clocked-in" or current.json["timeEntry"]["id"] != begun.json["id"]:
            sys.exit(f"a late clock-out closed another entry: {current.json}")
        clock.verify()
        clock.stop()
    print(f"late writes: {statuses.count(503)} clock-outs were given up, and none was done later")


main()
