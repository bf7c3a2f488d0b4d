"""A real PostgreSQL for acceptance tests: made by initdb, on a Unix socket of its own, thrown away at the end."""

import contextlib
import glob
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time

ADMINISTRATOR = "administrator"
# The variable that names the folder of `make_template`. Without it each cluster is made by an initdb of its own.
TEMPLATE = "TIMECLOCK_TEST_CLUSTER"


def programs():
    """The folder of initdb and postgres of the newest PostgreSQL, or the one TIMECLOCK_TEST_POSTGRESQL names.

    One that is not installed is a failure, no skip.
    """
    named = os.environ.get("TIMECLOCK_TEST_POSTGRESQL")
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: -int(path.split("/")[-2]))
    for folder in [named] if named else [*folders, *os.environ.get("PATH", "").split(":")]:
        if all(os.access(f"{folder}/{name}", os.X_OK) for name in ("initdb", "postgres", "psql")):
            return folder
    raise SystemExit("PostgreSQL is not installed: initdb, postgres and psql are needed (package postgresql)")


def make_template(folder):
    """Makes in an empty folder the template of later clusters, if TEMPLATE names it: to copy it is quicker than
    initdb."""
    account = server_account()
    if account:
        shutil.chown(folder, account["user"])
    initialize(f"{folder}/data", account)


def initialize(data, account):
    """Makes the files of a cluster that trusts everybody and whose superuser is the administrator."""
    made = subprocess.run(
        [f"{programs()}/initdb", "-D", data, "-U", ADMINISTRATOR, "-E", "UTF8", "--locale=C.UTF-8", "-N"]
        + ["--auth", "trust"],
        cwd="/",
        capture_output=True,
        text=True,
        **account,
    )
    if made.returncode != 0:
        raise SystemExit(f"initdb failed: {made.stderr}")


def server_account():
    """Arguments of subprocess to run a server as a permitted user: PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return {}
    user = next(name for name in ("postgres", "nobody") if _is_user(name))
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def as_administrator(location):
    """The same database for the cluster's superuser, exempt from row-level security."""
    return location.replace("user=timeclock", f"user={ADMINISTRATOR}")


class Cluster:
    """A cluster that is durable as one in service is, unless `settings` say otherwise; use it in a `with`.

    The service connects as a role that owns its databases and is nothing more.
    """

    def __init__(self, settings=(), authentication="trust", password=None, port=None):
        """With a `port` it listens there on 127.0.0.1 too; that also names the socket."""
        self.settings = list(settings)
        self.port = port
        self.authentication = authentication
        self.password = password
        self.programs = programs()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-pg-", dir="/tmp"))
        self.process = None
        self.account = server_account()
        if self.account:
            shutil.chown(self.folder, self.account["user"])

    def __enter__(self):
        if template := os.environ.get(TEMPLATE):
            subprocess.run(["cp", "-a", f"{template}/data", self.data], check=True)
        else:
            initialize(self.data, self.account)
        if self.authentication != "trust":
            self._ask_for_password()
        self.start()
        self.execute("CREATE ROLE timeclock LOGIN" + (f" PASSWORD '{self.password}'" if self.password else ""))
        return self

    def _ask_for_password(self):
        """Gives the superuser the password, and lets nobody in without one any more."""
        changed = subprocess.run(
            [f"{self.programs}/postgres", "--single", "-D", self.data, "postgres"],
            input=f"ALTER ROLE {ADMINISTRATOR} PASSWORD '{self.password}'\n",
            cwd="/",
            capture_output=True,
            text=True,
            **self.account,
        )
        if changed.returncode != 0 or "ERROR" in changed.stderr:
            raise SystemExit(f"the superuser has no password: {changed.stderr}")
        rules = self.data / "pg_hba.conf"
        rules.write_text(re.sub(r"\btrust$", self.authentication, rules.read_text(), flags=re.M))

    def __exit__(self, *_):
        if self.process:
            # Immediately: nobody needs the data any more.
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def data(self):
        return self.folder / "data"

    def start(self):
        """Starts it, and returns when it lets clients in."""
        settings = {
            "listen_addresses": "127.0.0.1" if self.port else "",
            "port": self.port or 5432,
            "unix_socket_directories": self.folder,
            "max_connections": 200,
            **dict(setting.split("=", 1) for setting in self.settings),
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        with open(self.folder / "log", "ab") as log:
            # A child of this process, which so notices its end on any busy machine.
            self.process = subprocess.Popen(
                [f"{self.programs}/postgres", "-D", self.data, *options],
                cwd="/",
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self.account,
            )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                # The file of a postmaster that was killed may still be there
                # (LOCK_FILE_LINE_PM_STATUS of miscadmin.h).
                lines = (self.data / "postmaster.pid").read_text().splitlines()
                if lines[0] == str(self.process.pid) and lines[7].strip() in ("ready", "standby"):
                    return
            except (FileNotFoundError, IndexError):
                pass
            time.sleep(0.01)
        raise SystemExit("PostgreSQL does not start:\n" + (self.folder / "log").read_text()[-2_000:])

    def stop(self):
        """Ends the server as its administrator would, cutting open connections."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def kill(self):
        """Ends the postmaster as a crash would, and waits until its other processes have noticed."""
        self.process.kill()
        self.process.wait()
        deadline = time.monotonic() + 20
        # A new postmaster refuses to start for as long as an old process uses the shared memory.
        while time.monotonic() < deadline and self._holders():
            time.sleep(0.02)

    def clients(self, database, condition="TRUE"):
        """The process ids of the service's backends, or of some of them."""
        return [
            int(line)
            for line in self.execute(
                f"SELECT pid FROM pg_stat_activity WHERE datname = '{database}' AND application_name = 'timeclock' "
                f"AND {condition}"
            )
        ]

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

    @contextlib.contextmanager
    def standby(self):
        """A second cluster that follows this one, and lets clients read."""
        other = Cluster(self.settings)
        copied = subprocess.run(
            [f"{self.programs}/pg_basebackup", "-D", other.data, "-R", "--checkpoint=fast", "--no-sync"]
            + ["-d", f"host={self.folder} user={ADMINISTRATOR}"],
            cwd="/",
            capture_output=True,
            text=True,
            **self.account,
        )
        if copied.returncode != 0:
            raise SystemExit(f"pg_basebackup failed: {copied.stderr}")
        try:
            other.start()
            yield other
        finally:
            other.__exit__()

    def make_database(self, name):
        """A new, empty database, as a location for the service."""
        self.execute(f"CREATE DATABASE {name} OWNER timeclock")
        return self.location(name)

    def location(self, name):
        """Over the socket, without a password."""
        port = f" port={self.port}" if self.port else ""
        return f"host={self.folder}{port} user=timeclock dbname={name}"

    def execute(self, sql, database="postgres"):
        """Runs SQL with psql, as the superuser; the answer's rows, unaligned, a list of lines."""
        answer = subprocess.run(
            [
                f"{self.programs}/psql",
                "-X",
                "-q",
                "-A",
                "-t",
                "-v",
                "ON_ERROR_STOP=1",
                "-c",
                sql,
                as_administrator(self.location(database)),
            ],
            check=True,
            capture_output=True,
            text=True,
            env=dict(os.environ, PGPASSWORD=self.password or ""),
        )
        return answer.stdout.splitlines()

    def session(self, database="postgres"):
        """A superuser's psql that takes statements and answers them line by line, unaligned; use it in a `with`."""
        return subprocess.Popen(
            [f"{self.programs}/psql", "-X", "-q", "-A", "-t", as_administrator(self.location(database))],
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(os.environ, PGPASSWORD=self.password or ""),
        )

    def is_accepting(self):
        """Whether it lets somebody in now."""
        try:
            return self.execute("SELECT 1") == ["1"]
        except subprocess.CalledProcessError:
            return False


def _is_user(name):
    try:
        pwd.getpwnam(name)
        return True
    except KeyError:
        return False
