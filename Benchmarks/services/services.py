"""The services that are compared: each with its data, its process and its requests."""

import contextlib
import datetime
import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess
import time
import urllib.request

from clusters import DATABASE, FILLING, PlacedCluster
from kit import service
from loading import add_member_tokens, add_member_tokens_in_cluster, compiled, request, resident_megabytes

HERE = pathlib.Path(__file__).resolve().parent
# Binaries and data are kept here from one run to the next.
KEPT = service.TOP / ".build/benchmarks"
LAST_DAY = datetime.date(2026, 11, 15)
MEMBERS_EACH = 50
EVERYBODY_OUT = "UPDATE time_entries SET clock_out = clock_in + 3600000 WHERE clock_out IS NULL"


class Size:
    """The amount of data: organizations of 50 members with an entry a day."""

    def __init__(self, members, days):
        self.members, self.days = members, days
        self.first_day = LAST_DAY - datetime.timedelta(days=days - 1)

    def __str__(self):
        return f"{self.members}x{self.days}"

    @property
    def entries(self):
        return self.members * self.days

    # One half of the members is out, for pairs; the other half is in, for reads.
    @property
    def out(self):
        return range(self.members // 2)

    @property
    def inside(self):
        return range(self.members // 2, self.members)


class Measured:
    """A service with its requests: files of them, by the kind of load."""

    # The number of requests of a kind that belong to one member.
    steps = {"pair": 2, "current": 1, "list": 1}

    def __init__(self, folder, size):
        self.folder, self.size = pathlib.Path(folder, self.name), size
        self.folder.mkdir()
        self.files = {}

    def write_requests(self):
        for kind in self.steps:
            members = self.size.out if kind == "pair" else self.size.inside
            self.files[kind] = self.folder / f"{kind}.requests"
            self.files[kind].write_text("".join(text for member in members for text in self.requests(kind, member)))


class Timeclock(Measured):
    """Ours with all that it does by default, out of a file that Benchmarks/data has filled."""

    name = "timeclock"

    def __init__(self, folder, size, binary):
        super().__init__(folder, size)
        self.service = service.Service(binary, self.folder)

    def prepare(self):
        """A copy of the data, with tokens."""
        file = self.folder / "timeclock.db"
        copy(filled_file(self.size, self.service.binary), file)
        self.people = add_member_tokens(file)

    def start(self):
        self.prepare()
        began = time.monotonic()
        # A file of an earlier version is migrated first.
        self.service.start(patience=600)
        self.ready_seconds = time.monotonic() - began
        self.port, self.pid = self.service.port, self.service.process.pid
        self.idle_megabytes = resident_megabytes(self.pid)
        for member in self.size.inside:
            organization, token = self.people[member]
            urllib.request.urlopen(
                urllib.request.Request(
                    f"http://127.0.0.1:{self.port}/v1/organizations/{organization}/timeEntries/clockIn",
                    method="POST",
                    headers={"Authorization": f"Bearer {token}"},
                )
            )

    def stop(self):
        if self.service.process:
            self.service.stop()

    def requests(self, kind, member):
        organization, token = self.people[member]
        path = f"/v1/organizations/{organization}/timeEntries"
        fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        match kind:
            case "pair":
                yield request("POST", f"{path}/clockIn", fields, '{"notes":"hello there"}', 201)
                yield request("POST", f"{path}/clockOut", fields)
            case "current":
                yield request("GET", f"{path}/current", fields)
            case "list":
                dates = f"startDate={self.size.first_day}&endDate={LAST_DAY}"
                yield request("GET", f"{path}?{dates}&limit=100", fields)


class TimeclockOnPostgreSQL(Timeclock):
    """The same on a copy of a durable cluster that Benchmarks/data has filled."""

    def __init__(self, folder, size, binary):
        super().__init__(folder, size, binary)
        self.resources = contextlib.ExitStack()

    def prepare(self):
        # The server runs as a user of its own, which has to come here.
        self.folder.parent.chmod(0o755)
        copy(filled_cluster(self.size, self.service.binary), self.folder / "cluster")
        cluster = self.resources.enter_context(PlacedCluster(self.folder / "cluster"))
        self.people = add_member_tokens_in_cluster(cluster, DATABASE)
        self.service.database = cluster.location(DATABASE)

    def stop(self):
        with self.resources:
            super().stop()


class Yardstick(Measured):
    """Another program over the plain table of one entry a row, on a copy of it."""

    def __init__(self, folder, size):
        super().__init__(folder, size)
        self.file = self.folder / "entries.db"
        self.process = None
        self.port = service.free_port()
        self.command = [self.program(), str(self.file), str(self.port)]

    def start(self):
        copy(plain_file(self.size), self.file)
        began = time.monotonic()
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        while True:
            try:
                urllib.request.urlopen(
                    urllib.request.Request(f"http://127.0.0.1:{self.port}/current", headers=person(1))
                )
            except urllib.error.HTTPError:
                break
            except OSError:
                if time.monotonic() > began + 20 or self.process.poll() is not None:
                    raise SystemExit(f"{self.name} did not start") from None
                time.sleep(0.002)
        self.ready_seconds = time.monotonic() - began
        self.idle_megabytes = resident_megabytes(self.pid)

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()

    def requests(self, kind, member):
        fields = {**person(member + 1), "Content-Type": "application/json"}
        match kind:
            case "pair":
                yield request("POST", "/clock-in", fields, '{"notes":"hello there"}', 201)
                yield request("POST", "/clock-out", fields)
            case "current":
                yield request("GET", "/current", fields)
            case "list":
                dates = f"from={self.size.first_day}&to={LAST_DAY}"
                yield request("GET", f"/entries?{dates}&limit=100", fields)


class Limit(Yardstick):
    """The reachable limit, in C."""

    name = "limit"

    def program(self):
        return compiled(HERE / "limit.c", self.folder, "-lsqlite3", "-lpthread")


class Reference(Yardstick):
    """As one writes it with Hummingbird and GRDB."""

    name = "hummingbird"

    def program(self):
        scratch = KEPT / "reference"
        build = [
            "swift",
            "build",
            "--quiet",
            "-c",
            "release",
            "--package-path",
            HERE / "reference",
            "--scratch-path",
            scratch,
        ]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        return scratch / "release/reference"


def person(number):
    return {"X-Org-Id": (number - 1) // MEMBERS_EACH + 1, "X-User-Id": number}


def kept(name, make):
    """A file or folder of KEPT, made if it is not there yet: `make` fills a path."""
    file = KEPT / name
    if not file.exists():
        print(f"making {file}", flush=True)
        KEPT.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".half")
        # An interrupted run may have left it.
        subprocess.run(["rm", "-rf", half], check=True)
        make(half)
        half.rename(file)
    return file


def copy(kept, place):
    """A file or folder, with nothing of it left to be written while something is measured."""
    subprocess.run(["cp", "-a", "--reflink=auto", kept, place], check=True)
    os.sync()


def generate(size, binary, location):
    """Has Benchmarks/data fill an empty database."""
    subprocess.run(
        [
            service.TOP / "Benchmarks/data/generate.py",
            *("--organizations", str(size.members // MEMBERS_EACH), "--members", str(MEMBERS_EACH)),
            *("--days", str(size.days), "--last-day", str(LAST_DAY), location),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**service.own_environment(), "TIMECLOCK_BINARY": binary},
    )


def filled_file(size, binary):
    """A database of the service, which nobody has open."""

    def make(path):
        generate(size, binary, f"sqlite:{path}")
        with sqlite3.connect(path) as database:
            database.execute(EVERYBODY_OUT)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("PRAGMA journal_mode = DELETE")
        database.close()

    return kept(f"timeclock-{size}.db", make)


def filled_cluster(size, binary):
    """The files of a cluster with a database of the service, which were left in order."""

    def make(path):
        with PlacedCluster(path, FILLING) as cluster:
            generate(size, binary, cluster.make_database(DATABASE))
            cluster.execute(EVERYBODY_OUT, DATABASE)
            cluster.stop()

    return kept(f"postgresql-{size}", make)


def plain_file(size):
    """The yardsticks' table: one row an entry, in the order of organization, member and date, with three indexes."""

    def make(path):
        database = sqlite3.connect(path, isolation_level=None)
        # An interrupted run starts again. The cache, in KiB, holds the pages of the indexes, which are filled in no
        # order.
        database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000")
        database.executescript((HERE / "entries.sql").read_text())
        database.execute("BEGIN")
        database.executemany("INSERT INTO time_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", plain_rows(size))
        database.execute("COMMIT")
        database.execute("ANALYZE")
        database.close()

    return kept(f"entries-{size}.db", make)


def plain_rows(size):
    for member in range(size.members):
        number = member + 1
        organization = member // MEMBERS_EACH + 1
        for day in range(size.days + (member in size.inside)):
            is_active = day == size.days
            date = (size.first_day + datetime.timedelta(days=day)).isoformat()
            came, went = f"{date}T07:{day % 60:02}:00.123Z", f"{date}T15:{number % 60:02}:00.456Z"
            digest = hashlib.sha256(f"{number} {day}".encode()).hexdigest()[:32]
            status = "clocked-in" if is_active else "clocked-out"
            gone = None if is_active else went
            yield digest, organization, number, came, gone, date, status, None, "day shift", came, gone or came


def written(results, path):
    """Whole, or not at all."""
    half = pathlib.Path(f"{path}.half")
    half.write_text(json.dumps(results, indent=1) + "\n")
    half.rename(path)
