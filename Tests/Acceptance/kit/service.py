"""Starts the built binary for acceptance tests, on a free loopback port, in a folder of its own."""

import atexit
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

TOP = pathlib.Path(__file__).resolve().parents[3]


BINARY = TOP / ".build/release/timeclock"
BUILD = "swift build --configuration release --static-swift-stdlib"


def built_binary():
    """The static release build, or the one of TIMECLOCK_BINARY. Nothing is built here."""
    named = os.environ.get("TIMECLOCK_BINARY")
    if named:
        return named
    if not BINARY.exists():
        raise SystemExit(f"There is no {BINARY}. Build it: {BUILD}")
    sources = [*(TOP / "Sources").rglob("*.swift"), *(TOP / "Sources/WebPage/web").iterdir()]
    newest = max(source.stat().st_mtime for source in sources)
    if BINARY.stat().st_mtime < newest:
        raise SystemExit(f"{BINARY} is older than Sources. Build it again: {BUILD}, or name it in TIMECLOCK_BINARY")
    return str(BINARY)


def own_environment():
    """The variables of this process, without those that are for tests: the program would warn that they are no settings."""
    return {
        name: value
        for name, value in os.environ.items()
        if name != "TIMECLOCK_BINARY" and not name.startswith("TIMECLOCK_TEST_")
    }


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    """A server process that can be killed and started again on the same data."""

    def __init__(self, binary, folder, database=None, options=()):
        """`database` is a location, an SQLite file in the folder if None; `options` are more of `serve`'s."""
        self.binary = binary
        self.folder = pathlib.Path(folder)
        self.database = database or f"sqlite:{self.folder / 'timeclock.db'}"
        self.options = options
        # Variables that the server gets beside those of this process.
        self.environment = {}
        self.port = free_port()
        self.process = None

    def create_organization(self, name="Acceptance", zone="Europe/Berlin", email="admin@example.com"):
        created = subprocess.run(
            [
                self.binary,
                "organization",
                "create",
                "--database",
                self.database,
                "--name",
                name,
                "--time-zone",
                zone,
                "--admin-email",
                email,
                "--admin-name",
                "Admin",
            ],
            check=True,
            capture_output=True,
            text=True,
        )
        return json.loads(created.stdout)

    def start(self, patience=10):
        """Returns when it is ready, which takes `patience` seconds at most: more if it has much to migrate."""
        self.launch()
        self.wait_until_ready(patience)

    def launch(self):
        """Starts the process, and does not wait for it."""
        with open(self.folder / "server.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve", "--port", str(self.port), "--database", self.database, *self.options],
                stderr=log,
                env={**os.environ, **self.environment},
            )
        # Even if a check fails: nothing is left running.
        atexit.register(self.process.kill)

    def wait_until_ready(self, patience=10):
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            check = subprocess.run([self.binary, "check-health", "--port", str(self.port)], capture_output=True)
            if check.returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise SystemExit(f"the server did not become ready; see {self.folder}/server.log")

    def kill(self):
        """Ends the server as a power cut would: no warning, no cleaning up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Ends the server as systemd would, and expects it to end well."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=20)
        if code != 0:
            raise SystemExit(f"the server ended with {code}")

    def verify(self):
        """Expects that the database is whole and every row as its log of changes says, whether or not it is served."""
        result = subprocess.run(
            [self.binary, "verify", "--database", self.database], capture_output=True, text=True, timeout=300
        )
        if result.returncode != 0 or " faults=0 " not in result.stdout:
            raise SystemExit(f"verify ended with {result.returncode}: {result.stdout}{result.stderr}")
