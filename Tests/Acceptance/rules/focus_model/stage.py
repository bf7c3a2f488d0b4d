"""Services on one database whose clock stands still between the steps; they are killed and started again."""

import contextlib
import pathlib
import secrets
import sqlite3
import time

from kit import client, postgresql, service, stepped_clock

INSTANCES = {"sqlite": 1, "postgresql": 3}
# Requests of one member in a burst, which no limit is to hold up.
OPTIONS = []


class Stage:
    """The instances, their one clock, and for each sequence an organization whose admin has a log-in: a timer needs one, and a
    password for each would take most of the time."""

    def __init__(self, kind, folder, database, count):
        """`count` answers a number that a statement reads from the database, past the services."""
        self.kind = kind
        self.count = count
        self.clock = stepped_clock.Clock(folder / "clock")
        self.start = time.time_ns() // 1_000_000
        self.clock.set(self.start)
        self.operator = secrets.token_hex(24)
        self.services = []
        for number in range(INSTANCES[kind]):
            place = folder / f"instance{number}"
            place.mkdir()
            one = service.Service(service.built_binary(), place, database, OPTIONS)
            one.environment = {**self.clock.environment, "TIMECLOCK_OPERATOR_TOKEN": self.operator}
            self.services.append(one)
        if database is None:
            self.services[0].database = f"sqlite:{folder / 'timeclock.db'}"
        self.services[0].create_organization(zone="UTC")
        self.clients = []
        for one in self.services:
            one.start()
            self.clients.append(client.Client(one.port))
        self.members = 0
        self.add_member()

    @property
    def port(self):
        return self.services[0].port

    def make(self, path, body, token=None):
        """The record made at a path, below the organization's unless it begins with `/v1`."""
        answer = self.send("POST", path, token or self.token, body)
        for _ in range(5):
            # If the clock has jumped, or the machine is busy.
            if answer.status == 503:
                time.sleep(0.2)
                answer = self.send("POST", path, token or self.token, body)
        if answer.status != 201:
            raise SystemExit(f"timer model: {path} makes nothing: {answer}")
        return answer.json

    def send(self, method, path, token, body):
        whole = path if path.startswith("/v1") else self.base + path
        return self.clients[0].request(method, whole, token, body)

    def add_member(self):
        """The id and the token of a member of a new organization, which the others are about from now on."""
        self.members += 1
        email = f"member{self.members}-{secrets.token_hex(4)}@example.com"
        founder = {"email": email, "name": f"Member {self.members}"}
        organization = {"name": "Orchard", "timeZone": "UTC", "admin": founder}
        created = self.make("/v1/organizations", organization, self.operator)
        self.base = f"/v1/organizations/{created['organization']['id']}"
        self.token = created["token"]
        self.project = self.make("/projects", {"name": "Orchard"})["id"]
        self.task = self.make("/tasks", {"name": "Pruning", "projectId": self.project})["id"]
        return created["user"]["id"], self.token

    def request(self, method, path, token, body=None, fields=(), instance=0):
        return self.clients[instance % len(self.clients)].request(method, self.base + path, token, body, fields)

    def restart(self, instance, is_killed):
        number = instance % len(self.services)
        self.clients[number].close()
        self.services[number].kill() if is_killed else self.services[number].stop()
        self.services[number].start()

    @contextlib.contextmanager
    def outage(self):
        """No instance runs to notice events."""
        for one, connection in zip(self.services, self.clients):
            connection.close()
            one.kill()
        yield
        for one in self.services:
            one.start()

    def close(self):
        for connection in self.clients:
            connection.close()
        self.services[0].verify()
        for one in self.services:
            one.stop()


def each(folder, database):
    """On one storage after the other, or the one that is named: that name, and a stage, as `served.each` has a server."""
    for kind in INSTANCES:
        if database in (kind, "both"):
            with on(kind, folder) as stage:
                yield kind, stage, None


@contextlib.contextmanager
def on(kind, folder):
    """A stage on a database of this kind; its database is verified at the end."""
    place = pathlib.Path(folder, kind)
    place.mkdir()
    with contextlib.ExitStack() as stack:
        database = None
        if kind == "postgresql":
            cluster = stack.enter_context(postgresql.Cluster(["fsync=off"]))
            database = cluster.make_database("clock")

            def count(statement):
                return int(cluster.execute(statement, "clock")[0])
        else:

            def count(statement):
                with contextlib.closing(sqlite3.connect(place / "timeclock.db")) as connection:
                    return connection.execute(statement).fetchone()[0]

        stage = Stage(kind, place, database, count)
        yield stage
        stage.close()
