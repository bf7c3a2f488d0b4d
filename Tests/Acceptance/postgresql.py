"""A real PostgreSQL for acceptance tests: made by initdb, on a Unix socket of its own, thrown away at the end."""

import glob
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time


def programs():
    """The folder of initdb and pg_ctl of the newest PostgreSQL, or the one TIMECLOCK_TEST_POSTGRESQL names.

    One that is not installed is a failure, no skip.
    """
    named = os.environ.get("TIMECLOCK_TEST_POSTGRESQL")
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: -int(path.split("/")[-2]))
    for folder in [named] if named else [*folders, *os.environ.get("PATH", "").split(":")]:
        if all(os.access(f"{folder}/{name}", os.X_OK) for name in ("initdb", "pg_ctl", "psql")):
            return folder
    raise SystemExit("PostgreSQL is not installed: initdb, pg_ctl and psql are needed (package postgresql)")


class Cluster:
    """A cluster that is durable as one in service is, unless `settings` say otherwise; use it in a `with`."""

    def __init__(self, settings=(), authentication="trust", password=None):
        self.settings = list(settings)
        self.authentication = authentication
        self.password = password
        self.programs = programs()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-pg-", dir="/tmp"))
        # PostgreSQL does not run as root.
        self.user = next(
            (name for name in ("postgres", "nobody") if os.geteuid() == 0 and _is_user(name)), None)
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.user)

    def __enter__(self):
        options = ["--auth", self.authentication]
        if self.password:
            secret = self.folder / "secret"
            secret.write_text(self.password)
            if self.user:
                shutil.chown(secret, self.user)
            options += ["--pwfile", secret]
        self._run("initdb", "-D", self.data, "-U", "timeclock", "-E", "UTF8", "--locale=C.UTF-8", "-N", *options)
        self.start()
        return self

    def __exit__(self, *_):
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def data(self):
        return self.folder / "data"

    def start(self):
        settings = {
            "listen_addresses": "", "unix_socket_directories": self.folder, "max_connections": 200,
            **dict(setting.split("=", 1) for setting in self.settings)}
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        self._run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-o", options, "-w", "start")

    def stop(self):
        """Ends the server as its administrator would, cutting who is connected."""
        self._run("pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop")

    def kill(self):
        """Ends the postmaster as a crash would, and waits until its other processes have noticed."""
        process = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(process, signal.SIGKILL)
        deadline = time.monotonic() + 20
        # A new postmaster refuses to start for as long as an old process uses the shared memory.
        while time.monotonic() < deadline and self._holders():
            time.sleep(0.02)

    def _holders(self):
        """The processes whose working folder is the cluster's."""
        holders = []
        for link in glob.glob("/proc/[0-9]*/cwd"):
            try:
                if os.readlink(link) == str(self.data):
                    holders.append(link)
            except OSError:
                pass
        return holders

    def make_database(self, name):
        """A new, empty database, as a location for the service."""
        self.execute(f"CREATE DATABASE {name}")
        return self.location(name)

    def location(self, name):
        return f"host={self.folder} user=timeclock dbname={name}"

    def execute(self, sql, database="postgres"):
        """Runs SQL with psql; the answer's rows, unaligned, a list of lines."""
        answer = subprocess.run(
            [f"{self.programs}/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql,
             self.location(database)],
            check=True, capture_output=True, text=True, env=dict(os.environ, PGPASSWORD=self.password or ""))
        return answer.stdout.splitlines()

    def _run(self, program, *arguments, check=True):
        switch = ["runuser", "-u", self.user, "--"] if self.user else []
        result = subprocess.run(
            [*switch, f"{self.programs}/{program}", *map(str, arguments)], cwd="/", stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL)
        if check and result.returncode != 0:
            raise SystemExit(f"{program} failed: {(result.stderr or b'').decode()}; see {self.folder}/log")


def _is_user(name):
    try:
        pwd.getpwnam(name)
        return True
    except KeyError:
        return False
