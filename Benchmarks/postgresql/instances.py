#!/usr/bin/env python3
"""Measures how many pairs of clock-in and clock-out a second several instances on one PostgreSQL reach, against one.

The same clients, 40 of them, in eight organizations are spread over 1, 5 and 20 instances, in interleaved rounds; each round
starts its instances anew, and counts once they have worked for some seconds. With `--idle` it measures instead the
processor time that PostgreSQL spends while 20 instances have nothing to do, with 10,000 webhooks that have been sent
everything. Several binaries are measured in turn on the same cluster, each with a database of its own. All of it runs
on one machine, whose processors the instances share. Needs PostgreSQL and a C compiler. Talks to loopback and a Unix
socket only.

usage: instances.py [--rounds N] [--warm-up SECONDS] [--seconds N] [--clients N] [--instances 1,5,20] [--idle] [BINARY...]
"""

import argparse
import concurrent.futures
import json
import pathlib
import statistics
import tempfile
import time
import urllib.request

from kit import postgresql, service
from loading import TICK, Loader, request

ORGANIZATIONS = 8
MEMBERS = 100
WEBHOOKS = 10_000
WEBHOOKS_OF_ORGANIZATION = 10
# An instance has eleven connections on two cores.
SETTINGS = ["max_connections=400"]

# Organizations with webhooks that are looked at for the first time.
WEBHOOK_ROWS = f"""
SET timeclock.organization = 'everyone';
INSERT INTO organizations (id, name, time_zone, minimum_seconds, maximum_seconds, edit_window_days, look_back_hours,
  notes_maximum_characters, version, created_at, updated_at)
  SELECT gen_random_uuid(), 'O', 'UTC', 60, 57600, 30, 72, 500, 1, 0, 0
  FROM generate_series(1, {WEBHOOKS // WEBHOOKS_OF_ORGANIZATION});
INSERT INTO webhooks (organization_id, id, url, enabled, secret, version, created_at, updated_at)
  SELECT organization_id, gen_random_uuid(), 'https://hooks.example/', true, sha256('secret'), 1, 0, 0
  FROM organizations, generate_series(1, {WEBHOOKS_OF_ORGANIZATION}) WHERE name = 'O';
INSERT INTO webhook_cursors SELECT organization_id, webhook_id, 0, 0, NULL, 0 FROM webhooks;
ANALYZE
"""
# The time until those are at rest, and over which idle instances are measured: some of their minutes.
SETTLING, WATCHED = 90, 150


class Api:
    def __init__(self, port, organization):
        self.port, self.token = port, organization["token"]
        self.path = f"organizations/{organization['organizationID']}"

    def post(self, path, body):
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/v1/{self.path}/{path}",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        return json.load(urllib.request.urlopen(asked, timeout=30))


class Instances:
    """Several instances of a binary on one database; use it in a `with`."""

    def __init__(self, binary, folder, database, count):
        self.servers = [service.Service(binary, folder, database) for _ in range(count)]

    def __enter__(self):
        for server in self.servers:
            server.launch()
        for server in self.servers:
            server.wait_until_ready(60)
        return self.servers

    def __exit__(self, *_):
        for server in self.servers:
            server.process.terminate()
        for server in self.servers:
            server.process.wait(30)


class Place:
    """A database of a binary, with people who clock in."""

    def __init__(self, cluster, binary, folder, number):
        self.cluster, self.binary = cluster, binary
        self.name = f"benchmark{number}"
        self.folder = pathlib.Path(folder, self.name)
        self.folder.mkdir()
        self.database = cluster.make_database(self.name)

    def add_people(self):
        creator = service.Service(self.binary, self.folder, self.database)
        organizations = [
            creator.create_organization(f"Office {n}", email=f"a{n}@example.com") for n in range(ORGANIZATIONS)
        ]
        self.pairs = []
        with Instances(self.binary, self.folder, self.database, 1) as (server,):
            for number, organization in enumerate(organizations):
                api = Api(server.port, organization)
                for member in range(MEMBERS):
                    made = api.post(
                        "members", {"email": f"m{number}.{member}@example.com", "name": "Member", "role": "member"}
                    )
                    token = api.post("apiTokens", {"name": "load", "userId": made["userId"]})["token"]
                    fields = {"Authorization": f"Bearer {token}"}
                    path = f"/v1/{api.path}/timeEntries"
                    self.pairs.append(
                        request("POST", f"{path}/clockIn", fields, status=201)
                        + request("POST", f"{path}/clockOut", fields)
                    )
        # Each instance has people of every organization.
        self.pairs = [self.pairs[n % ORGANIZATIONS * MEMBERS + n // ORGANIZATIONS] for n in range(len(self.pairs))]

    def measure(self, loader, count, chosen):
        """Pairs a second of `count` instances, and transactions a pair, once they have worked for a while."""
        files = []
        for number in range(count):
            files.append(self.folder / f"{count}.{number}.requests")
            files[-1].write_text("".join(self.pairs[number::count]))
        with Instances(self.binary, self.folder, self.database, count) as servers:

            def run(number, seconds):
                return loader.run(servers[number].port, files[number], 2, seconds, chosen.clients // count).rate / 2

            with concurrent.futures.ThreadPoolExecutor(count) as pool:
                if chosen.warm_up:
                    list(pool.map(run, range(count), [chosen.warm_up] * count))
                before = self.transactions()
                rate = sum(pool.map(run, range(count), [chosen.seconds] * count))
                return rate, (self.transactions() - before) / (rate * chosen.seconds)

    def transactions(self):
        """Those that the database has committed."""
        (count,) = self.cluster.execute(
            f"SELECT xact_commit FROM pg_stat_database WHERE datname = '{self.name}'", "postgres"
        )
        return int(count)

    def unsealed(self):
        return int(self.cluster.execute("SELECT count(*) FROM unsealed_changes", self.name)[0])

    def measure_idle(self, count):
        """The cores that PostgreSQL is busy with for `count` idle instances, and its connections."""
        with Instances(self.binary, self.folder, self.database, count):
            if not self.cluster.execute("SELECT 1 FROM webhooks LIMIT 1", self.name):
                self.cluster.execute(WEBHOOK_ROWS, self.name)
            time.sleep(SETTLING)
            before, begin = self.processor_seconds(), time.monotonic()
            time.sleep(WATCHED)
            used = (self.processor_seconds() - before) / (time.monotonic() - begin)
            (connections,) = self.cluster.execute(
                f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{self.name}'", "postgres"
            )
            return used, int(connections)

    def processor_seconds(self):
        """The processor time of PostgreSQL's processes, those that have ended included."""

        def fields(pid):
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()

        postmaster = self.cluster.process.pid
        total = sum(map(int, fields(postmaster)[11:15]))
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                values = fields(entry.name)
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(values[1]) == postmaster:
                total += int(values[11]) + int(values[12])
        return total / TICK


def ratios(rates, others):
    """The median of the rounds' ratios, and these."""
    all_of_them = [rate / other for rate, other in zip(rates, others)]
    return f"{statistics.median(all_of_them):.2f} ({', '.join(f'{ratio:.2f}' for ratio in all_of_them)})"


def compare(places, counts, chosen, loader):
    rates, transactions = {}, {}
    for place in places:
        place.add_people()
    for _ in range(chosen.rounds):
        for count in counts:
            for place in places:
                rate, each = place.measure(loader, count, chosen)
                rates.setdefault((place, count), []).append(rate)
                transactions.setdefault((place, count), []).append(each)
    for place in places:
        print(place.binary)
        for count in counts:
            line = f"  {count:3} instances {statistics.median(rates[place, count]):7.0f} pairs/s"
            line += f", {statistics.median(transactions[place, count]):.2f} transactions a pair"
            line += f"   to {counts[0]}: {ratios(rates[place, count], rates[place, counts[0]])}"
            if place is not places[0]:
                line += f"   to the first binary: {ratios(rates[place, count], rates[places[0], count])}"
            print(line)
        if unsealed := place.unsealed():
            raise SystemExit(f"{unsealed} changes are not sealed")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--warm-up", type=int, default=10)
    options.add_argument("--seconds", type=int, default=4)
    options.add_argument("--clients", type=int, default=40)
    options.add_argument("--instances", default="1,5,20")
    options.add_argument("--idle", action="store_true")
    options.add_argument("binaries", nargs="*")
    chosen = options.parse_args()
    counts = [int(count) for count in chosen.instances.split(",")]
    with postgresql.Cluster(SETTINGS) as cluster, tempfile.TemporaryDirectory() as folder:
        binaries = chosen.binaries or [service.built_binary()]
        places = [Place(cluster, binary, folder, number) for number, binary in enumerate(binaries)]
        if not chosen.idle:
            return compare(places, counts, chosen, Loader(folder))
        for place in places:
            used, connections = place.measure_idle(counts[-1])
            print(f"{place.binary}: {counts[-1]} idle instances: {used:.3f} of a core, {connections} connections")


main()
