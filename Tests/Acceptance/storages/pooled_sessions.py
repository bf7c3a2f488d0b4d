#!/usr/bin/env python3
"""Behind a pooler that shares sessions no instance starts, and behind one that keeps them all is as without.

PgBouncer stands between the service and PostgreSQL. Where it pools transactions, a start ends at once with a sentence that
names the cure, and nothing is made in the database. Where it pools sessions, three instances end access everywhere within a
second, as several_instances.py has it. If it begins to share sessions while instances run, they say so, and a token that was
revoked meanwhile is not let in; they recover once it keeps sessions again.
"""

import contextlib
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import several_instances
from kit import client, postgresql, service

CURE = "have it pool sessions"
DEAF = "notifications do not arrive"
HEARING = "notifications arrive again"
# The seconds after which something that is to happen soon has not.
PATIENCE = 30
INSTANCES = several_instances.INSTANCES


class Pooler:
    """PgBouncer before a cluster, for one database."""

    def __init__(self, folder, cluster):
        self.folder = pathlib.Path(folder, "pooler")
        self.folder.mkdir()
        self.cluster = cluster
        self.port = service.free_port()
        self.process = None

    def location(self, name):
        return f"host=127.0.0.1 port={self.port} user=timeclock dbname={name}"

    def start(self, mode):
        """Pools sessions or transactions from now on, for new connections alone. Returns when it takes connections."""
        self.stop()
        settings = self.folder / "pgbouncer.ini"
        settings.write_text(
            f"[databases]\n* = host={self.cluster.folder} port=5432 user=timeclock\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
            f"auth_type = any\npool_mode = {mode}\ndefault_pool_size = 100\n"
        )
        # It does not run as root, as PostgreSQL does not.
        if user := self.cluster.account.get("user"):
            for path in (self.folder.parent, self.folder, settings):
                shutil.chown(path, user)
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["pgbouncer", str(settings)], stdout=log, stderr=log, cwd="/", **self.cluster.account
            )
        deadline = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), PATIENCE):
                return
            assert time.monotonic() < deadline and self.process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.02)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()


def refuses_to_start(folder, pooler, cluster):
    """Behind shared sessions, before anything is made."""
    cluster.make_database("shared")
    pooler.start("transaction")
    place = pathlib.Path(folder, "shared")
    place.mkdir()
    instance = service.Service(service.built_binary(), place, database=pooler.location("shared"))
    instance.launch()
    code = instance.process.wait(PATIENCE)
    log = (place / "server.log").read_text()
    assert code != 0 and CURE in log, f"ended with {code}: {log}"
    tables = cluster.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", "shared")
    assert tables == ["0"], tables


def wait_for(word, instances, ask):
    """Until all of them have logged it, which they notice while they are asked."""
    deadline = time.monotonic() + PATIENCE
    while not all(word in (one.folder / "server.log").read_text() for one in instances):
        assert time.monotonic() < deadline, f"no {word!r} in " + (instances[0].folder / "server.log").read_text()
        ask()
        time.sleep(0.05)


def hears_no_more(pooler, instances, organization, direct):
    """Instances whose sessions are shared from now on, beside one that asks the server itself."""
    base = f"/v1/organizations/{organization['organizationID']}"

    def answer(instance, token, method="GET", path="/timeEntries/current", body=None):
        one = client.Client(instance.port)
        try:
            return one.request(method, base + path, token, body)
        finally:
            one.close()

    made = answer(
        direct, organization["token"], "POST", "/apiTokens", {"name": "phone", "userId": organization["userId"]}
    ).json
    for instance in instances:
        assert answer(instance, made["token"]).status == 200
    pooler.start("transaction")
    wait_for(DEAF, instances, lambda: [answer(one, made["token"]) for one in instances])
    assert answer(direct, organization["token"], "DELETE", f"/apiTokens/{made['id']}").status == 204
    time.sleep(several_instances.LIMIT_SECONDS)
    for instance in instances:
        # Refused, or failed with a statement that another session has prepared.
        assert (found := answer(instance, made["token"])).status != 200, found
    pooler.start("session")
    wait_for(HEARING, instances, lambda: [answer(one, organization["token"]) for one in instances])
    for instance in instances:
        assert (found := answer(instance, organization["token"])).status == 200, found


def main():
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster(["fsync=off"]) as cluster:
        pooler = Pooler(folder, cluster)
        try:
            refuses_to_start(folder, pooler, cluster)
            direct_location = cluster.make_database("clock")
            pooler.start("session")
            instances = several_instances.make_instances(folder, service.built_binary(), pooler.location("clock"))
            several_instances.start_together(instances)
            organization = instances[0].create_organization()
            longest = several_instances.ends_access_everywhere(instances, organization)
            place = pathlib.Path(folder, "direct")
            place.mkdir()
            direct = service.Service(service.built_binary(), place, database=direct_location)
            direct.start()
            hears_no_more(pooler, instances, organization, direct)
            for instance in [*instances, direct]:
                instance.stop()
            direct.verify()
        finally:
            pooler.stop()
    print(
        "pooled sessions: no start where transactions are pooled; where sessions are, a revocation held within "
        f"{longest * 1_000:.0f} ms; exchanged while it ran, it was told, and nobody was let in"
    )


if __name__ == "__main__":
    main()
