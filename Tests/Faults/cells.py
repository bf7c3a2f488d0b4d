"""A cell: PostgreSQL on several nodes, watched over by Patroni with deploy/cluster/patroni.yml, and an etcd that cells share.

The file is used as it is; what is a node's own comes from variables that Patroni reads itself. A node is a group of
processes: Patroni, PostgreSQL, and the member of etcd on the same machine, if it has one.
"""

import contextlib
import json
import os
import pathlib
import secrets
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import etcd
import machines
from kit import postgresql, proxies
from kit.expecting import expect

CONFIGURATION = proxies.DEPLOY / "cluster/patroni.yml"
# How long anything may take that is no measurement, in seconds.
PATIENCE = 180
SUPERUSER, ROLE = "postgres", "timeclock"


class Passwords:
    """Of one cell: variables for Patroni, and lines of a file for libpq."""

    def __init__(self):
        self.of_role, self.of_superuser = secrets.token_hex(16), secrets.token_hex(16)
        self.variables = {
            "PATRONI_SUPERUSER_PASSWORD": self.of_superuser,
            "PATRONI_REPLICATION_PASSWORD": secrets.token_hex(16),
            "PATRONI_REWIND_PASSWORD": secrets.token_hex(16),
        }

    def lines(self, nodes):
        return "".join(
            f"*:{node.port}:*:{user}:{password}\n"
            for node in nodes
            for user, password in ((SUPERUSER, self.of_superuser), (ROLE, self.of_role))
        )


class Node:
    def __init__(self, folder, scope, name, members, member, passwords):
        """`members` are all of etcd; `member` is the one on this node's machine, or None."""
        self.name = name
        self.folder = folder / f"{scope}-{name}"
        self.members, self.member = members, member
        self.port, self.rest_port = machines.free_port(), machines.free_port()
        self.data = self.folder / "data"
        self.agent = None
        self.environment = {
            **machines.environment(self.folder),
            **passwords.variables,
            "PATRONI_SCOPE": scope,
            "PATRONI_NAME": name,
            "PATRONI_ETCD_HOSTS": ",".join(one.address for one in members),
            "PATRONI_RESTAPI_LISTEN": f"127.0.0.1:{self.rest_port}",
            "PATRONI_RESTAPI_CONNECT_ADDRESS": f"127.0.0.1:{self.rest_port}",
            "PATRONI_POSTGRESQL_LISTEN": f"127.0.0.1:{self.port}",
            "PATRONI_POSTGRESQL_CONNECT_ADDRESS": f"127.0.0.1:{self.port}",
            "PATRONI_POSTGRESQL_DATA_DIR": str(self.data),
            "PATRONI_POSTGRESQL_BIN_DIR": postgresql.programs(),
            "PATRONI_POSTGRESQL_PGPASS": str(self.folder / "pgpass"),
        }

    @property
    def configuration(self):
        return self.folder / "patroni.yml"

    def start(self):
        """Starts what of it does not run."""
        if self.member and not self.member.processes():
            self.member.start(self.members)
        machines.make_folder(self.folder)
        # The server's user may not reach the checkout.
        shutil.copy(CONFIGURATION, self.configuration)
        self.configuration.chmod(0o644)
        command = [machines.program("patroni", "patroni"), self.configuration]
        self.agent = machines.start(command, self.folder, self.environment)

    def agents(self):
        """Patroni's processes."""
        return [self.agent.pid] if self.agent and self.agent.poll() is None else []

    def servers(self):
        """PostgreSQL's processes: those whose folder is the node's, also if their parent is gone."""
        found = []
        for link in pathlib.Path("/proc").glob("[0-9]*/cwd"):
            with contextlib.suppress(OSError):
                if os.readlink(link) == str(self.data):
                    found.append(int(link.parent.name))
        return found

    def processes(self):
        """All of the machine."""
        return [*self.agents(), *self.servers(), *(self.member.processes() if self.member else [])]

    def kill(self):
        """The machine loses its power."""
        machines.kill(self.processes)

    def state(self):
        """What its Patroni says about the cell's members; None if it says nothing."""
        with contextlib.suppress(OSError, urllib.error.URLError, ValueError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest_port}/cluster", timeout=2) as answer:
                return json.load(answer)["members"]
        return None


class Cell:
    """The nodes of one scope. Not to be compared with a database before `make_database`."""

    def __init__(self, folder, scope, members, nodes):
        """With as many nodes as members, each has one of these on its machine; else they are elsewhere."""
        self.scope = scope
        self.passwords = Passwords()
        beside = members if nodes == len(members) else [None] * nodes
        self.nodes = [
            Node(folder, scope, f"node{number}", members, member, self.passwords)
            for number, member in enumerate(beside, start=1)
        ]

    def __enter__(self):
        for node in self.nodes:
            node.start()
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            machines.kill(lambda node=node: [*node.agents(), *node.servers()])

    def hosts(self):
        return f"host={','.join('127.0.0.1' for _ in self.nodes)} port={','.join(str(one.port) for one in self.nodes)}"

    def location(self, database):
        """For the service, which looks for the server that it needs among these."""
        return f"{self.hosts()} user={ROLE} dbname={database}"

    def execute(self, sql, database="postgres", node=None):
        """Runs SQL on the primary or on a node, as the superuser; the answer's rows, unaligned."""
        hosts = f"host=127.0.0.1 port={node.port}" if node else f"{self.hosts()} target_session_attrs=read-write"
        location = f"{hosts} user={SUPERUSER} dbname={database} connect_timeout=3"
        answer = subprocess.run(
            [f"{postgresql.programs()}/psql", *("-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"), "-c", sql, location],
            check=True,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return answer.stdout.splitlines()

    def make_database(self, name):
        self.execute(f"CREATE ROLE {ROLE} LOGIN PASSWORD '{self.passwords.of_role}'")
        self.execute(f"CREATE DATABASE {name} OWNER {ROLE} TEMPLATE template0 ENCODING 'UTF8'")

    def control(self, *arguments):
        """`patronictl` with these arguments; the output."""
        ended = subprocess.run(
            [machines.program("patronictl", "patroni"), "-c", self.nodes[0].configuration, *arguments],
            env=self.nodes[0].environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        expect(ended.returncode == 0, f"patronictl {' '.join(map(str, arguments))}", ended.stdout + ended.stderr)
        return ended.stdout

    def settle_without_standbys(self):
        """From now on no commit waits for a standby, whichever node is the primary."""
        wait_until("all nodes run", lambda: [one["state"] for one in self.members()] == ["running"] * len(self.nodes))
        settings = ("-s", "synchronous_mode=false", "-s", "synchronous_mode_strict=false")
        self.control("edit-config", *settings, "--force", "--quiet", self.scope)
        names = "SHOW synchronous_standby_names"
        wait_until("the primary waits for nobody", lambda: self.execute(names) == [""])
        for node in self.nodes:
            # A standby keeps what strict mode had it write down, for the time when it is the primary, until it starts again.
            while self.execute(names, node=node) != [""]:
                self.control("restart", self.scope, node.name, "--force")

    def named(self, name):
        return next(node for node in self.nodes if node.name == name)

    def members(self):
        """The members that etcd knows, by their roles, as the first Patroni says that answers."""
        return next((state for node in self.nodes if node.agents() and (state := node.state())), [])

    def having(self, role):
        """The node of a role (`leader`, `sync_standby`); None if there is none."""
        return next((self.named(one["name"]) for one in self.members() if one["role"] == role), None)

    def leader(self):
        return self.having("leader")

    def is_whole(self):
        """Whether all nodes and members of etcd are there, all standbys follow, and commits wait for one if they have to."""
        members = self.members()
        if len(members) < len(self.nodes) or any(one["state"] not in ("running", "streaming") for one in members):
            return False
        if not all(node.member.is_healthy() for node in self.nodes if node.member):
            return False
        leaders = {one["name"] for node in self.nodes for one in node.state() or [] if one["role"] == "leader"}
        if len(leaders) != 1:
            return False
        states = self._replication()
        is_synchronous = any(one["role"] == "sync_standby" for one in members)
        return (
            states is not None
            and len(states) == len(self.nodes) - 1
            and all(state == "streaming" for state, _ in states)
            and is_synchronous == any(kind == "sync" for _, kind in states)
            and (is_synchronous or not self.is_strict())
        )

    def _replication(self):
        try:
            rows = self.execute("SELECT state, sync_state FROM pg_stat_replication WHERE application_name LIKE 'node%'")
        except subprocess.CalledProcessError:
            return None
        return [tuple(row.split("|")) for row in rows]

    def is_strict(self):
        node = next(node for node in self.nodes if node.agents())
        with urllib.request.urlopen(f"http://127.0.0.1:{node.rest_port}/config", timeout=5) as answer:
            return json.load(answer).get("synchronous_mode_strict", False)

    def wait_until_whole(self):
        wait_until(f"the cell {self.scope} is whole", self.is_whole, self.described)

    def described(self):
        """What `is_whole` looks at."""
        healthy = [node.name for node in self.nodes if node.member and node.member.is_healthy()]
        return f"{self.members()}, replication {self._replication()}, etcd is healthy on {healthy}"

    def caught_up(self):
        """Returns when all standbys have replayed what the primary has."""
        behind = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn < '{}'"
        position = self.execute("SELECT pg_current_wal_lsn()")[0]
        wait_until("standbys have everything", lambda: self.execute(behind.format(position)) == ["0"])


def wait_until(what, is_so, found=lambda: None):
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        expect(time.monotonic() < deadline, f"not within {PATIENCE} s: {what}", found())
        time.sleep(0.2)


@contextlib.contextmanager
def together(*sizes):
    """Cells of these numbers of nodes, named `cell1` and so on, whose scopes are in one etcd, whole and without a database."""
    # Frozen, an agent that holds one resets the machine.
    watchdog = subprocess.run(["test", "-w", "/dev/watchdog"], **postgresql.server_account())
    expect(watchdog.returncode != 0, "Patroni may open /dev/watchdog, which would reset this machine")
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-cells-", dir="/tmp"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        members = [etcd.Member(folder, f"node{number}") for number in range(1, 4)]
        stack.callback(machines.kill, lambda: [process for one in members for process in one.processes()])
        for member in members:
            member.start(members)
        wait_until("etcd is healthy", lambda: all(member.is_healthy() for member in members))
        cells = [Cell(folder, f"cell{number}", members, size) for number, size in enumerate(sizes, start=1)]
        # For this process, and for all that it starts but the servers of a cell.
        passwords = folder / "pgpass"
        passwords.touch(mode=0o600)
        passwords.write_text("".join(cell.passwords.lines(cell.nodes) for cell in cells))
        os.environ["PGPASSFILE"] = str(passwords)
        for cell in cells:
            stack.enter_context(cell)
        yield cells
