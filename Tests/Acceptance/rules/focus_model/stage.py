"""Services on one database whose clock stands still between the steps; they are killed and started again."""

import contextlib
import pathlib
import secrets
import sqlite3
import time

from kit import client, postgresql, service, stepped_clock

NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
INSTANCES = {"sqlite": 1, "postgresql": 3}
# Requests of one member in a burst, which no limit is to hold up.
OPTIONS = []


class Stage:
    """The instances, their one clock, and an organization in which each sequence gets members of its own."""

    def __init__(self, kind, folder, database, count):
        """`count` answers a number that a statement reads from the database, past the services."""
        self.kind = kind
        self.count = count
        self.clock = stepped_clock.Clock(folder / "clock")
        self.start = time.time_ns() // 1_000_000
        self.clock.set(self.start)
        self.services = []
        for number in range(INSTANCES[kind]):
            place = folder / f"instance{number}"
            place.mkdir()
            one = service.Service(service.built_binary(), place, database, OPTIONS)
            one.environment = self.clock.environment
            self.services.append(one)
        if database is None:
            self.services[0].database = f"sqlite:{folder / 'timeclock.db'}"
        created = self.services[0].create_organization(zone="UTC")
        self.base = f"/v1/organizations/{created['organizationID']}"
        self.token = created["token"]
        self.clients = []
        for one in self.services:
            one.start()
            self.clients.append(client.Client(one.port))
        self.project = self.make("/projects", {"name": "Orchard"})["id"]
        self.task = self.make("/tasks", {"name": "Pruning", "projectId": self.project})["id"]
        self.members = 0

    @property
    def port(self):
        return self.services[0].port

    def make(self, path, body):
        answer = self.request("POST", path, self.token, body)
        for _ in range(5):
            # Where the clock has jumped, or the machine is busy.
            if answer.status == 503:
                time.sleep(0.2)
                answer = self.request("POST", path, self.token, body)
        if answer.status != 201:
            raise SystemExit(f"timer model: {path} makes nothing: {answer}")
        return answer.json

    def add_member(self):
        """A new member's id and token."""
        self.members += 1
        number = f"{self.members}-{secrets.token_hex(4)}"
        user = self.make(
            "/members", {"email": f"member{number}@example.com", "name": f"Member {number}", "role": "member"}
        )["userId"]
        return user, self.make("/apiTokens", {"name": "phone", "userId": user})["token"]

    def request(self, method, path, token, body=None, fields=(), instance=0):
        return self.clients[instance % len(self.clients)].request(method, self.base + path, token, body, fields)

    def restart(self, instance, is_killed):
        number = instance % len(self.services)
        self.clients[number].close()
        self.services[number].kill() if is_killed else self.services[number].stop()
        self.services[number].start()

    @contextlib.contextmanager
    def outage(self):
        """Nobody is there to notice what happens."""
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


@contextlib.contextmanager
def on(kind, folder):
    """A stage on a database of this kind; what it leaves behind is verified."""
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
