#!/usr/bin/env python3
"""A PostgreSQL that cannot be used: one clear line with the remedy, an exit code that is not 0, no password."""

import concurrent.futures
import pathlib
import socket
import subprocess
import tempfile
import time

from kit import postgresql, service

BINARY = service.built_binary()
PASSWORD = "never-to-be-seen-4711"
WRONG = "also-never-seen-0815"
# A server that never answers is given up within three seconds.
LIMIT_SECONDS = 10
COMMANDS = {
    "serve": ["serve", "--port", "0"],
    "organization create": [
        "organization",
        "create",
        "--name",
        "A",
        "--time-zone",
        "UTC",
        "--admin-email",
        "a@example.com",
        "--admin-name",
        "A",
    ],
}


def is_refused(what, database, *needed, environment=None):
    """Each command ends with one line on standard error that holds all of `needed`.

    A `database` of None is left to the environment.
    """
    option = [] if database is None else ["--database", database]

    def run(name):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run(
                [BINARY, *COMMANDS[name], *option],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=60,
                env=service.own_environment() | (environment or {}),
            )
        return name, result, time.monotonic() - began

    # At once: if a server is silent, each of them waits.
    with concurrent.futures.ThreadPoolExecutor() as threads:
        for name, result, took in threads.map(run, COMMANDS):
            said = f"{what}, {name}: exit code {result.returncode}, {result.stdout!r}, {result.stderr!r}"
            assert result.returncode > 0, said
            assert result.stdout == "", said
            assert result.stderr.count("\n") == 1 and result.stderr.startswith("Error: "), said
            for text in needed:
                assert text in result.stderr, f"{said} does not say {text!r}"
            assert PASSWORD not in result.stderr and WRONG not in result.stderr, f"{said} shows a password"
            assert took <= LIMIT_SECONDS, f"{what}, {name}: took {took:.1f} s"


class SilentServer:
    """Takes connections and never says anything."""

    def __enter__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(16)
        return self.socket.getsockname()[1]

    def __exit__(self, *_):
        self.socket.close()


def refuses_the_location():
    """Faults that are found before anybody is asked."""
    with tempfile.TemporaryDirectory(prefix="tc") as folder:
        is_refused(
            "a socket that is not there",
            f"host={folder} password={PASSWORD} dbname=clock",
            "check --database",
            folder,
            "No such file or directory",
        )
        port = service.free_port()
        is_refused(
            "a port that nobody listens on",
            f"postgresql://timeclock:{PASSWORD}@127.0.0.1:{port}/clock",
            "check --database",
            str(port),
            "Connection refused",
        )
        is_refused(
            "several hosts that are not there",
            f"host=127.0.0.1,{folder} port={port},{port} password={PASSWORD} dbname=clock",
            "check --database",
            "Connection refused",
            "; connection to server on socket",
            "No such file or directory",
        )
    is_refused(
        "a host of no address",
        f"postgresql://timeclock:{PASSWORD}@nowhere.invalid/clock",
        "check --database",
        "nowhere.invalid",
    )
    is_refused("a keyword that libpq does not know", f"host=127.0.0.1 password={PASSWORD} databse=clock", "databse")
    is_refused(
        "such a keyword in the environment",
        None,
        "databse",
        environment={"TIMECLOCK_DATABASE": f"host=127.0.0.1 password={PASSWORD} databse=clock"},
    )
    is_refused(
        "a URI with such a keyword", f"postgresql://timeclock:{PASSWORD}@127.0.0.1/clock?databse=clock", "databse"
    )
    is_refused("a port that is none", f"postgresql://timeclock:{PASSWORD}@127.0.0.1:{PASSWORD}/clock", "port")
    is_refused(
        "a URI that lacks a slash", f"postgresql:/timeclock:{PASSWORD}@127.0.0.1/clock?sslmode=require", "no URI"
    )
    is_refused("a value without its quote", f"password='{PASSWORD}", "quote")
    is_refused("a password with a space", f"dbname=clock password=a {PASSWORD}", "quote")
    is_refused(
        "a password with an @ in a URI", f"postgresql://timeclock:a@{PASSWORD}@127.0.0.1/clock", "percent-encoded"
    )
    is_refused(
        "a password with a slash in a URI", f"postgresql://timeclock:{PASSWORD}/a@127.0.0.1/clock", "percent-encoded"
    )
    is_refused("a path without its scheme", "clock.db", "--database", "For a file: sqlite:clock.db.")
    is_refused("a word", PASSWORD, "--database")
    is_refused("a user, a password and a host", f"timeclock:{PASSWORD}@localhost/clock.db", "--database")
    is_refused(
        "a certificate that is not there",
        f"host=127.0.0.1 password={PASSWORD} sslmode=verify-full sslrootcert=/nowhere.pem",
        "check --database",
    )
    with SilentServer() as port:
        is_refused(
            "a server that never answers",
            f"host=127.0.0.1 port={port} password={PASSWORD} dbname=clock",
            "check --database",
            "timeout",
        )


def refuses_the_server(cluster):
    place = f"host=127.0.0.1 port={cluster.port} dbname=clock"
    good = f"{place} user=timeclock password={PASSWORD}"
    cluster.make_database("clock")
    is_refused("a wrong password", f"{place} user=timeclock password={WRONG}", "authentication failed", '"timeclock"')
    is_refused(
        "a wrong password in a URI",
        f"postgresql://timeclock:{WRONG}@127.0.0.1:{cluster.port}/clock",
        "authentication failed",
        '"timeclock"',
    )
    is_refused(
        "a wrong password of the environment",
        f"{place} user=timeclock",
        "authentication failed",
        environment={"PGPASSWORD": WRONG},
    )
    is_refused("no password", f"{place} user=timeclock", "no password")
    is_refused("a role that is not there", f"{place} user=nobody password={PASSWORD}", '"nobody"')
    is_refused("a database that is not there", f"{good} dbname=other", '"other"', "does not exist")
    is_refused("a standby", f"{good} target_session_attrs=standby", "check --database", "standby")
    is_refused("a server without TLS", f"{good} sslmode=require", "SSL")

    cluster.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    is_refused("another encoding", f"{good} dbname=latin", "LATIN1", "UTF8")
    cluster.execute("CREATE ROLE guest LOGIN PASSWORD '" + PASSWORD + "'")
    is_refused("a role that may not make tables", f"{place} user=guest password={PASSWORD}", "permission denied")
    cluster.make_database("foreigner")
    cluster.execute("CREATE TABLE invoices (id int)", "foreigner")
    is_refused("another program's database", f"{good} dbname=foreigner", "another program", "of its own")

    creates(good)
    cluster.execute(
        "INSERT INTO schema_migrations SELECT max(number) + 1, 'later', 1, 0 FROM schema_migrations", "clock"
    )
    is_refused("a newer schema", good, "newer program")
    cluster.execute("DELETE FROM schema_migrations WHERE title = 'later'", "clock")
    cluster.execute("UPDATE schema_migrations SET checksum = checksum + 1", "clock")
    is_refused("another schema", good, "migration 1")
    cluster.execute("UPDATE schema_migrations SET title = 'time_clock' WHERE number = 1", "clock")
    is_refused("a build's from before version 0.1", good, "before version 0.1")


def creates(database):
    """Makes the schema and an organization; again, if the machine is too busy for an answer in time."""
    for number in range(3):
        # A first attempt that complained may have made it all the same, and has taken its address.
        command = [word.replace("a@", f"a{number}@") for word in COMMANDS["organization create"]]
        created = subprocess.run([BINARY, *command, "--database", database], capture_output=True, text=True)
        assert PASSWORD not in created.stderr, "a command shows the password"
        if created.returncode == 0 and created.stderr == "":
            return
        time.sleep(1)
    raise AssertionError(f"{created.stderr!r}, exit code {created.returncode}")


def minds_row_security(cluster):
    """A role that row-level security does not hold is warned of, or refused; the role of the documents is neither."""
    plain = cluster.make_database("held") + f" password={PASSWORD}"
    bypassing = postgresql.as_administrator(plain)
    for database, warnings in [(plain, 0), (bypassing, 1)]:
        with tempfile.TemporaryDirectory() as folder:
            clock = service.Service(BINARY, folder, database=database)
            clock.start()
            clock.stop()
            log = pathlib.Path(folder, "server.log").read_text()
            assert log.count("Row-level security does not hold") == warnings, log
            assert PASSWORD not in log, "the log shows the password"

    def serve(database, *options, **environment):
        return subprocess.run(
            [BINARY, *COMMANDS["serve"], "--database", database, *options],
            capture_output=True,
            text=True,
            timeout=60,
            env=service.own_environment() | environment,
        )

    for refused in (
        serve(bypassing, "--require-row-security"),
        serve(bypassing, TIMECLOCK_REQUIRE_ROW_SECURITY="true"),
        serve("sqlite:timeclock.db", "--require-row-security"),
    ):
        assert refused.returncode > 0 and refused.stderr.count("\n") == 1, refused
        assert refused.stderr.startswith("Error: ") and "--require-row-security" in refused.stderr, refused
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder, database=plain, options=["--require-row-security"])
        clock.start()
        clock.stop()


def keeps_the_password_to_itself(cluster):
    """A server's log when PostgreSQL goes away."""
    cluster.make_database("logged")
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(
            BINARY,
            folder,
            database=f"postgresql://timeclock:{PASSWORD}@127.0.0.1:{cluster.port}/logged",
            options=["--log-level", "trace"],
        )
        clock.start()
        cluster.stop()
        log = pathlib.Path(folder, "server.log")
        deadline = time.monotonic() + 10
        while "PostgreSQL cannot be reached" not in log.read_text():
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)
        clock.stop()
        assert PASSWORD not in log.read_text(), "the log shows the password"


def main():
    refuses_the_location()
    with postgresql.Cluster(authentication="scram-sha-256", password=PASSWORD, port=service.free_port()) as cluster:
        refuses_the_server(cluster)
        minds_row_security(cluster)
        keeps_the_password_to_itself(cluster)
    print("PostgreSQL at start: every mistake is one clear line")


main()
