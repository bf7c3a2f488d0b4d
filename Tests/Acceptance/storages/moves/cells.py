"""Two cells: a PostgreSQL each with instances of the service, and the commands that move organizations between them."""

import concurrent.futures
import contextlib
import dataclasses
import json
import subprocess
import time

from kit import postgresql, service
from kit.expecting import expect

DATABASE = "clock"
# How long a command may take that nothing holds up, in seconds: the machine is busy.
COMMAND_SECONDS = 60
# How long a PostgreSQL that was killed is away, in seconds.
AWAY_SECONDS = 0.3
OPEN, CLOSED, COPIED, MOVED = "before it closed", "while closed", "behind the commit", "behind the end"


class Cell:
    """Use it in a `with`; its instances start with `start`, once there is an organization."""

    def __init__(self, name, folder, count):
        self.name = name
        # Commits may be acknowledged before they are on disk, unless the program insists.
        self.cluster = postgresql.Cluster(["synchronous_commit=off"])
        self.folder = folder / name
        self.folder.mkdir()
        self.count = count
        self.instances = []

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.cluster)
            self.location = self.cluster.make_database(DATABASE)
            for number in range(self.count):
                place = self.folder / str(number)
                place.mkdir()
                options = ["--webhook-allow", "127.0.0.1"]
                self.instances.append(service.Service(service.built_binary(), place, self.location, options))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        for instance in self.instances:
            if instance.process and instance.process.poll() is None:
                instance.kill()
        self._stack.close()

    def start(self):
        with concurrent.futures.ThreadPoolExecutor(self.count) as pool:
            for begun in [pool.submit(instance.start, 60) for instance in self.instances]:
                begun.result()

    def create_organization(self, name, email):
        return self.instances[0].create_organization(name=name, email=email)

    @property
    def ports(self):
        return [instance.port for instance in self.instances]

    def lose_postgresql(self):
        """Its postmaster is killed, and started again."""
        self.cluster.kill()
        time.sleep(AWAY_SECONDS)
        self.cluster.start()

    def value(self, sql):
        """The one value that a statement answers, as text; nothing for none."""
        return "".join(self.cluster.execute(sql, DATABASE))

    @contextlib.contextmanager
    def session(self):
        """A function that asks for one value on a connection that stays."""
        with self.cluster.session(DATABASE) as session:

            def value(sql):
                session.stdin.write(f"{sql};\n")
                session.stdin.flush()
                return session.stdout.readline().rstrip("\n")

            yield value

    @contextlib.contextmanager
    def held(self, table):
        """Nobody writes a row of the table meanwhile, and everybody reads."""
        with self.session() as value:
            expect(value(f"BEGIN; LOCK TABLE {table} IN SHARE MODE; SELECT 1") == "1", f"{table} is held")
            yield
            expect(value("ROLLBACK; SELECT 1") == "1", f"{table} is free")


@dataclasses.dataclass
class Ended:
    """A command that has ended."""

    code: int
    output: str
    errors: str

    @property
    def content(self):
        return json.loads(self.output)

    def __str__(self):
        return f"{self.code}, {self.output[-600:]!r}, {self.errors[-1200:]!r}"


class Mover:
    """Runs `organization move` and `directory` for two cells."""

    def __init__(self, source, target):
        self.source, self.target = source, target
        self.binary = service.built_binary()
        self.address = f"http://127.0.0.1:{target.ports[0]}"
        # When a command ran, from and to.
        self.spans = []

    def begin(self, organization, *more):
        """Starts to move an organization, by its id or name."""
        cells = ("--database", self.source.location, "--to", self.target.location)
        command = [self.binary, "organization", "move", *cells, "--organization", organization]
        return self._start([*command, "--address", self.address, *more])

    def end(self, process, patience=COMMAND_SECONDS):
        """Waits for the command's own end."""
        try:
            output, errors = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            raise SystemExit(f"a command does not end in {patience} s: {process.communicate()}") from None
        return Ended(process.returncode, output, errors)

    def run(self, organization, *more):
        """The end of a whole command, and how long it took, in seconds."""
        began = time.monotonic()
        ended = self.end(self.begin(organization, *more))
        self.spans.append((began, time.monotonic()))
        return ended, self.spans[-1][1] - began

    def kill(self, process):
        """Ends it as a power cut would; whether it had ended by itself."""
        has_ended = process.poll() is not None
        process.kill()
        process.communicate()
        return has_ended

    def stage(self, organization):
        """How far the organization with this id has come."""
        return stage_of(self.source.value(departure(organization)), self.target.value(presence(organization)))

    def stage_by(self, departed, present):
        """The same as a function of the id, by connections to both cells that stay (`Cell.session`)."""
        return lambda organization: stage_of(departed(departure(organization)), present(presence(organization)))

    def directory(self, *more):
        """The lines of `timeclock directory` for both cells."""
        cells = [word for cell in (self.source, self.target) for word in ("--cell", f"{cell.name}={cell.location}")]
        ended = self.end(self._start([self.binary, "directory", *cells, *more]))
        expect(ended.code == 0, f"`directory {' '.join(more)}` ends with 0", ended)
        return ended.output.splitlines()

    def _start(self, command):
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=service.own_environment()
        )


def departure(organization):
    """SQL for the source: the address of a departure, `-` for none yet, nothing if there is no departure."""
    return (
        "SELECT coalesce((SELECT coalesce(address, '-') FROM organization_departures "
        f"JOIN organizations USING (organization_id) WHERE id = '{organization}'), '')"
    )


def presence(organization):
    """SQL for the target: how many organizations have this id."""
    return f"SELECT count(*) FROM organizations WHERE id = '{organization}'"


def stage_of(departed, present):
    if departed not in ("", "-"):
        return MOVED
    if present != "0":
        return COPIED
    return CLOSED if departed else OPEN
