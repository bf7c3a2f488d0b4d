#!/usr/bin/env python3
"""Measures Timeclock on PostgreSQL against pgbench with the same statements, in interleaved rounds on one cluster.

Pairs of clock-in and clock-out, and reads of the active entry: requests of 32 clients over HTTP on one side, on the
other `pgbench -M prepared` with as many clients as the service has connections, each transaction a commit of its own as
a program without our batches would have it, and as a superuser, without row-level security. Reads come before all
pairs, because the service seals changes logged by pgbench for some time afterwards; and they find the table with
statistics, as autovacuum leaves it within a minute: before, PostgreSQL looks a member's active entry up in the index of
the exclusion constraint, on both sides. Needs PostgreSQL with pgbench, and a C compiler. Talks to loopback and a Unix
socket only.

usage: compare.py [rounds] [seconds] [connections]
"""

import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.request

from kit import postgresql, service
from loading import Loader, request

HERE = pathlib.Path(__file__).resolve().parent

CLIENTS = 32
# The members whose entries the service writes, and as many for pgbench. A member with thousands of dead rows, because
# clocking never pauses, is unrealistic.
MEMBERS = 1600
DATABASE = "benchmark"
# The number of requests that one operation of a kind takes.
STEPS = {"pair": 2, "current": 1}


class Api:
    def __init__(self, port, token):
        self.port, self.token = port, token

    def post(self, path, body):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/v1/{path}",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        return json.load(urllib.request.urlopen(request, timeout=30))


def make_members(clock, organization):
    """The service's members, then pgbench's. Returns all ids, and the first ones' tokens."""
    api = Api(clock.port, organization["token"])
    path = f"organizations/{organization['organizationID']}"
    members, tokens = [], []
    for number in range(2 * MEMBERS):
        member = api.post(
            f"{path}/members", {"email": f"m{number}@example.com", "name": f"Member {number}", "role": "member"}
        )
        members.append(member["userId"])
        if number < MEMBERS:
            tokens.append(api.post(f"{path}/apiTokens", {"name": "load", "userId": member["userId"]})["token"])
    return members, tokens


def clock_everyone(direction, clock, organization, members):
    api = Api(clock.port, organization["token"])
    for member in members:
        api.post(f"organizations/{organization['organizationID']}/timeEntries/{direction}", {"userId": member})


def write_requests(folder, organization, tokens):
    """A file of requests for each kind of load."""
    path = f"/v1/organizations/{organization['organizationID']}/timeEntries"
    files = {kind: pathlib.Path(folder, f"{kind}.requests") for kind in STEPS}
    with open(files["pair"], "w") as pairs, open(files["current"], "w") as reads:
        for token in tokens:
            fields = {"Authorization": f"Bearer {token}"}
            pairs.write(request("POST", f"{path}/clockIn", fields, status=201))
            pairs.write(request("POST", f"{path}/clockOut", fields))
            reads.write(request("GET", f"{path}/current", fields))
    return files


def measure(loader, clock, file, kind, seconds):
    """Operations a second, a pair being one, median and 99 % of a request's microseconds."""
    figures = loader.run(clock.port, file, STEPS[kind], seconds, CLIENTS)
    return figures.rate / STEPS[kind], figures.median, figures.p99


def pgbench(cluster, script, first_user, connections, seconds):
    """Transactions of the script a second, a pair being one script, and the average latency in microseconds."""
    result = subprocess.run(
        [
            f"{cluster.programs}/pgbench",
            "-n",
            "-M",
            "prepared",
            "-c",
            str(connections),
            "-j",
            "1",
            "-T",
            str(seconds),
            "-D",
            f"first={first_user}",
            "-D",
            f"each={MEMBERS // connections}",
            "-f",
            HERE / script,
            postgresql.as_administrator(cluster.location(DATABASE)),
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    rate = float(re.search(r"tps = ([\d.]+)", result)[1])
    latency = float(re.search(r"latency average = ([\d.]+)", result)[1])
    return rate, latency * 1000


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    connections = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    with postgresql.Cluster() as cluster, tempfile.TemporaryDirectory() as folder:
        loader = Loader(folder)
        clock = service.Service(
            service.built_binary(),
            folder,
            cluster.make_database(DATABASE),
            ["--database-connections", str(connections), "--event-loops", "1"],
        )
        organization = clock.create_organization()
        clock.start()
        members, tokens = make_members(clock, organization)
        files = write_requests(folder, organization, tokens)
        first = int(cluster.execute("SELECT min(user_id) FROM users WHERE email LIKE 'm%'", DATABASE)[0]) + MEMBERS
        figures = {}

        def run(kind):
            for _ in range(rounds):
                ours = measure(loader, clock, files[kind], kind, seconds)
                theirs = pgbench(cluster, f"{kind}.sql", first, connections, seconds)
                figures.setdefault(kind, []).append((ours, theirs, ours[0] / theirs[0]))

        clock_everyone("clockIn", clock, organization, members)
        cluster.execute("VACUUM (ANALYZE) time_entries", DATABASE)
        run("current")
        clock_everyone("clockOut", clock, organization, members)
        run("pair")
        clock.stop()
    for kind, results in figures.items():
        ours, theirs, ratios = zip(*results)
        rate, median, tail = (statistics.median(column) for column in zip(*ours))
        reference, latency = (statistics.median(column) for column in zip(*theirs))
        print(
            f"{kind:8} {rate:9.0f}/s (p50 {median:.0f} µs, p99 {tail:.0f} µs)   pgbench {reference:9.0f}/s "
            f"({latency:.0f} µs)   ratio {statistics.median(ratios):.2f} "
            f"({', '.join(f'{ratio:.2f}' for ratio in ratios)})"
        )


main()
