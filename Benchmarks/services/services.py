"""The services that are compared: each with its data, its process and its requests."""

import datetime
import hashlib
import json
import pathlib
import shutil
import sqlite3
import subprocess
import time
import urllib.request

from kit import service
from loading import add_member_tokens, compiled, request, resident_megabytes

HERE = pathlib.Path(__file__).resolve().parent
# Binaries and data are kept here from one run to the next.
KEPT = service.TOP / ".build/benchmarks"
LAST_DAY = datetime.date(2026, 11, 15)
MEMBERS_EACH = 50


class Size:
    """How much data there is: organizations of 50 members with an entry a day."""

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
        file = self.folder / "timeclock.db"
        shutil.copy(filled_file(size, binary), file)
        self.people = add_member_tokens(file)
        self.service = service.Service(binary, self.folder)

    def start(self):
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


class Yardstick(Measured):
    """Another program over the plain table of one entry a row, on a copy of it."""

    def __init__(self, folder, size):
        super().__init__(folder, size)
        self.file = self.folder / "entries.db"
        shutil.copy(plain_file(size), self.file)
        self.port = service.free_port()
        self.command = [self.program(), str(self.file), str(self.port)]

    def start(self):
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
    """A file of KEPT, made where it is not there yet: `make` fills a path."""
    file = KEPT / name
    if not file.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".half")
        half.unlink(missing_ok=True)
        make(half)
        half.rename(file)
    return file


def filled_file(size, binary):
    """A database of the service, which nobody has open."""

    def make(path):
        subprocess.run(
            [
                service.TOP / "Benchmarks/data/generate.py",
                *("--organizations", str(size.members // MEMBERS_EACH), "--members", str(MEMBERS_EACH)),
                *("--days", str(size.days), "--last-day", str(LAST_DAY), f"sqlite:{path}"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**service.own_environment(), "TIMECLOCK_BINARY": binary},
        )
        with sqlite3.connect(path) as database:
            # Everybody is out.
            database.execute("UPDATE time_entries SET clock_out = clock_in + 3600000 WHERE clock_out IS NULL")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("PRAGMA journal_mode = DELETE")
        database.close()

    return kept(f"timeclock-{size}.db", make)


def plain_file(size):
    """The yardsticks' table: one row an entry, in the order of organization, member and date, with three indexes."""

    def make(path):
        database = sqlite3.connect(path, isolation_level=None)
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
    pathlib.Path(path).write_text(json.dumps(results, indent=1) + "\n")
