"""Organizations that move to another cell, and their callers, who go on at the address that its problem names."""

import functools
import json
import re
import subprocess
import time

import compare
import harness
import ledger as ledgers
import workload
from kit import client, service
from kit.expecting import expect

MOVING, MOVED = (503, "organization_moving"), (421, "organization_moved")
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
# How long a move may take on a busy machine, in seconds.
PATIENCE = 120


class Journey:
    """The answers that the callers of one organization met, on whichever side."""

    def __init__(self):
        self.faults = []
        # The ports at which a caller was sent on, one for each time.
        self.followed = []
        # The marks of requests without a key that were answered with `organization_moving`: nothing was done then.
        self.refused = []
        # The number of requests that were answered so.
        self.waits = 0
        # Of each success: when the request was first sent, the port that answered it, and how long it took, in seconds.
        self.times = []
        # The greatest version of each record that was answered, by id.
        self.versions = {}

    def client(self, port, timeout=20, kind=client.Client):
        """A connection, as `workload.Workload` makes them; `kind` makes the one to the first port."""
        return FollowingClient(self, kind(port, timeout), timeout)

    def note(self, request, answer, port, began):
        """Keeps what an answer says; `request` is the method, the path, the body and the fields."""
        if answer.status < 300:
            self.times.append((began, port, time.monotonic() - began))
            if answer.body and answer.fields.get("content-type") == "application/json":
                record = answer.json
                if "id" in record and "version" in record:
                    self.versions[record["id"]] = max(record["version"], self.versions.get(record["id"], 0))
        if (answer.status, answer.code) == MOVING:
            self._note_wait(*request, answer)

    def _note_wait(self, method, path, body, fields, answer):
        self.waits += 1
        if "retry-after" not in answer.fields:
            self.faults.append(f"503 without Retry-After: {answer}")
        if method == "GET":
            self.faults.append(f"a read is refused while the organization moves: {path}, {answer}")
        if "Idempotency-Key" not in dict(fields):
            mark = body.get("notes") if isinstance(body, dict) else path.partition("reason=")[2]
            if mark:
                self.refused.append(mark)


class FollowingClient:
    """Sends a request that is answered 421 again, to the address in the answer, and all later ones there."""

    def __init__(self, journey, connection, timeout):
        self.journey = journey
        self.connection = connection
        self.timeout = timeout

    def request(self, method, path, token=None, body=None, fields=()):
        began = time.monotonic()
        answer = self.connection.request(method, path, token, body, fields)
        if answer.status == 421:
            self._follow(answer)
            answer = self.connection.request(method, path, token, body, fields)
        self.journey.note((method, path, body, fields), answer, self.connection.port, began)
        return answer

    def _follow(self, answer):
        found = ADDRESS.fullmatch(answer.json.get("address", ""))
        if (answer.status, answer.code) != MOVED or not found:
            self.journey.faults.append(f"no address to go on at: {answer}")
            return
        self.close()
        self.connection = client.Client(int(found[1]), self.timeout)
        self.journey.followed.append(self.connection.port)

    def connect(self):
        self.connection.connect()

    def close(self):
        self.connection.close()


class OrganizationDatabase(compare.PostgreSQLDatabase):
    """One organization in a database of many."""

    def __init__(self, cluster, name, organization):
        super().__init__(cluster, name)
        number = f"organization_id = (SELECT organization_id FROM organizations WHERE id = '{organization}')"
        entries, changes = compare.PostgreSQLDatabase.QUERIES
        self.QUERIES = f"{entries} WHERE e.{number}", f"{changes} AND {number}"

    def contents(self):
        """Its entries, and their changes."""
        entries, changes = (
            [json.loads(line) for line in self.cluster.execute(query, self.name)] for query in self.QUERIES
        )
        return compare.Contents(
            [compare.Entry(*row) for row in entries],
            [
                compare.Change(kind, entry, *(text and json.loads(text) for text in (before, after)), reason)
                for kind, entry, before, after, reason in changes
            ],
        )


class MovingOrganization:
    """One of a cell with callers of its own, who follow it to another cell; use it in a `with`."""

    def __init__(self, folder, instance, port, created, seed, callers, pause, kind_of_client):
        """The callers begin at `port`, whose connections `kind_of_client` makes; `created` was made through the instance."""
        self.id = created["organizationID"]
        self.created = created
        self.journey = Journey()
        world = workload.World(instance.port, created, members=callers)
        self.ledger = ledgers.Ledger(folder)
        kind = functools.partial(self.journey.client, kind=kind_of_client)
        self.load = workload.Workload(
            [port], world, self.ledger, f"{seed}-{self.id}", callers, timeout=20, pause=pause, kind_of_client=kind
        )

    def __enter__(self):
        self.load.__enter__()
        return self

    def __exit__(self, *_):
        self.load.__exit__()
        self.ledger.remove()

    def move(self, source, target, port):
        """Moves it between the databases at these locations, to the instance at the port. Returns the seconds that took."""
        began = time.monotonic()
        cells = ("--database", source, "--to", target, "--address", f"http://127.0.0.1:{port}")
        command = [harness.binary(), "organization", "move", "--organization", self.id, *cells]
        environment = service.own_environment()
        ended = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)
        expect(
            ended.returncode == 0, f"the move of {self.id} ends with {ended.returncode}", ended.stderr + ended.stdout
        )
        return time.monotonic() - began

    def works_at(self, port):
        """How many requests of its callers have succeeded there."""
        return sum(one == port for _, one, _ in list(self.journey.times))

    def faults(self, cell, database):
        """Compares its ledger with the cell where it is now, while its callers pause."""
        self.load.pause()
        self.load.settle(patience=60)
        contents = OrganizationDatabase(cell, database, self.id).contents()
        done = {change.mark for change in contents.changes}
        found = [*self.load.faults, *self.journey.faults, *compare.differences(self.ledger.operations(), contents)]
        found += [f"{mark} was refused because of the move, and done" for mark in self.journey.refused if mark in done]
        self.load.faults.clear()
        self.journey.faults.clear()
        self.load.resume()
        return found
