#!/usr/bin/env python3
"""Every command as a person at a terminal meets it: output, exit code, messages, settings."""

import contextlib
import fcntl
import json
import os
import pathlib
import random
import re
import shlex
import sqlite3
import stat
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from kit import service
from kit.expecting import expect

BINARY = service.built_binary()
CREATE = [
    "organization",
    "create",
    "--name",
    'Küche "5"',
    "--time-zone",
    "Europe/Berlin",
    "--admin-email",
    "a@example.com",
    "--admin-name",
    "A",
]


def create_with(option, value):
    place = CREATE.index(option) + 1
    return [*CREATE[:place], value, *CREATE[place + 1 :]]


# Organizations that cannot be created: the arguments, the standard input, and the text of the refusal.
MISTAKES = [
    (create_with("--name", " "), None, "invalid_name"),
    (create_with("--time-zone", "Mars/Base"), None, "unknown_time_zone"),
    (create_with("--time-zone", "../UTC"), None, "unknown_time_zone"),
    (create_with("--admin-email", "nobody"), None, "invalid_email"),
    (create_with("--admin-name", "A\nB"), None, "invalid_name"),
    ([*CREATE, "--admin-password-stdin"], "", "no password"),
    ([*CREATE, "--admin-password-stdin"], "short\n", "invalid_password"),
    ([*CREATE, "--admin-password-stdin"], "Password1!\n", "password_too_common"),
    (create_with("--name", "Harbour Café") + ["--admin-password-stdin"], "harbour café\n", "password_too_common"),
]


def run(*arguments, folder, environment=None, given=None):
    return subprocess.run(
        [BINARY, *arguments],
        cwd=folder,
        env=dict(os.environ, **(environment or {})),
        input=given,
        capture_output=True,
        text=True,
        timeout=30,
    )


def creates_an_organization(folder):
    result = run(*CREATE, "--admin-password-stdin", folder=folder, given="correct horse\n")
    expect(result.returncode == 0 and result.stderr == "", "create", result)
    created = json.loads(result.stdout)
    expect(list(created) == ["organizationID", "userId", "token", "expiresAt"], "one JSON object", result)
    expect(re.fullmatch(r"[0-9a-f]{64}", created["token"]), "a token", result)
    mode = stat.S_IMODE(os.stat(pathlib.Path(folder, "timeclock.db")).st_mode)
    expect(mode == 0o600, f"the database is its owner's only, not {mode:o}")
    return created


def refuses_clearly(folder):
    cases = [
        *MISTAKES,
        (["organization", "create"], None, "--name"),
        (["serve", "--port", "70000"], None, "--port"),
        (["serve", "--database", "mysql:x"], None, "--database"),
        (["serve", "--database", "sqlite:/nowhere/x.db"], None, "No such file or directory"),
        (["serve", "--host", "not an address"], None, "--host (TIMECLOCK_HOST): "),
        (
            ["serve", "--metrics-listen", "nowhere:9464", "--port", "0"],
            None,
            "--metrics-listen (TIMECLOCK_METRICS_LISTEN): ",
        ),
        (["serve", "--operator-token-file", "nothing"], None, "nothing"),
        (["serve", "--trusted-proxy", "localhost"], None, "--trusted-proxy"),
        (["serve", "--trusted-proxy", "10.0.0.0/8", "--trusted-proxy", "10.0.0.1/8"], None, "bits behind the prefix"),
        (["serve", "--trusted-proxy", "::/0"], None, "every address"),
        (["serve", "--forwarded-field", "via"], None, "--forwarded-field"),
        (["serve", "--rate-limit", "0"], None, "--rate-limit"),
        (["serve", "--rate-limit", "many"], None, "--rate-limit"),
        (["serve", "--cors-origin", "*"], None, "--cors-origin"),
        (["serve", "--cors-origin", "null"], None, "--cors-origin"),
        (["serve", "--cors-origin", "https://app.example.com/"], None, "--cors-origin"),
        (["check-health", "--port", str(service.free_port())], None, "No server answers"),
    ]
    for arguments, given, needed in cases:
        is_refused(arguments, given, needed, folder)


def has_a_code_for_wrong_usage(folder):
    """Every option and variable of an impossible value ends with 64, whichever part finds it; nothing else does."""
    for arguments, variables in [
        (["serve", "--port", "70000"], {}),
        (["serve"], {"TIMECLOCK_PORT": "70000"}),
        (["serve", "--no-such-option"], {}),
        (["organization", "create"], {}),
        (["serve", "--rate-limit", "0"], {}),
        (["serve", "--rate-limit", "many"], {}),
        (["serve"], {"TIMECLOCK_RATE_LIMIT": "many"}),
        (["serve", "--max-head", "1024", "--max-request-line", "1024"], {}),
        (["serve", "--trusted-proxy", "localhost"], {}),
        (["serve", "--cors-origin", "*"], {}),
        (["serve", "--operator-token-file", "nothing"], {}),
        (["serve", "--apns-key-id", "A"], {}),
        (["serve", "--metrics-listen", "9464"], {}),
        (["serve", "--host", "not an address"], {}),
        (["serve", "--database", "mysql:x"], {}),
        (["serve", "--database", "sqlite:"], {}),
        (["serve", "--database", "postgresql://a?nothing=1"], {}),
        (["organization", "list"], {"TIMECLOCK_DATABASE": "clock.db"}),
        (["check-health", "--port", "x"], {}),
        (["backup", "--database", "postgresql://localhost/x", "--to", "y"], {}),
        (
            [
                "token",
                "create",
                "--organization",
                'Küche "5"',
                "--email",
                "a@example.com",
                "--name",
                "n",
                "--scope",
                "x",
            ],
            {},
        ),
    ]:
        result = run(*arguments, folder=folder, environment=variables)
        said = f"{shlex.join(arguments)} {variables}"
        expect(result.returncode == 64 and result.stdout == "", f"{said}: ends with 64", result)
    for arguments in (create_with("--name", " "), ["check-health", "--port", str(service.free_port())]):
        result = run(*arguments, folder=folder)
        expect(result.returncode == 1, f"{shlex.join(arguments)}: ends with 1", result)
    for path in ("clock.db", "./clock", "/var/lib/clock"):
        result = run("serve", "--database", path, folder=folder)
        expect(f"For a file: sqlite:{path}." in result.stderr, f"{path} without its scheme", result)
    result = run("serve", "--database", "ana:s3cret@host/x.db", folder=folder)
    expect("s3cret" not in result.stderr and result.returncode == 64, "what may be a password is not repeated", result)


def takes_no_file_for_a_database(folder):
    """A file that is no database of this program stays as it is, with nothing beside it, and is reported."""
    place = pathlib.Path(folder, "other")
    place.mkdir()
    foreign = place / "foreign"
    with (
        contextlib.closing(sqlite3.connect(place / "diary")) as diary,
        contextlib.closing(sqlite3.connect(foreign)) as other,
    ):
        diary.execute("CREATE TABLE diary (entry TEXT)")
        other.executescript("PRAGMA application_id = 252006674; CREATE TABLE fossil (entry TEXT);")
    (place / "passwd").write_text("root:x:0:0:root:/root:/bin/bash\n" * 40)
    (place / "short").write_text("hours")
    (place / "dump").write_bytes(b"PGDMP\x01\x0e\x00" + bytes(500))
    (place / "dump.sql").write_text("--\n-- PostgreSQL database dump\n--\n" + "SELECT 1;\n" * 99)
    (place / "encrypted").write_bytes(random.Random(1).randbytes(8192))
    (place / "folder").mkdir()
    os.mkfifo(place / "pipe")
    (place / "empty").touch()
    names = sorted(os.listdir(place))
    before = {name: (place / name).read_bytes() for name in names if (place / name).is_file()}
    for name, code, needed in [
        ("passwd", 65, "is no SQLite database"),
        ("short", 65, "is no SQLite database"),
        ("dump", 65, "a dump of PostgreSQL"),
        ("dump.sql", 65, "a dump of PostgreSQL"),
        ("encrypted", 65, "or an encrypted one"),
        ("diary", 65, "a database of another program"),
        ("foreign", 65, "a database of another program"),
        ("folder", 1, "Is a directory"),
        ("pipe", 1, "no regular file"),
        ("empty", 65, "is empty, and no database is to be made"),
    ]:
        for command in (["serve", "--no-create-database"], ["organization", "list"]):
            if name == "empty" and command[0] != "serve":
                continue
            result = run(*command, "--database", f"sqlite:{place / name}", folder=folder)
            expect(result.returncode == code and needed in result.stderr, f"{command[0]} {name}: {code}", result)
            expect("back-up" not in result.stderr, f"{name}: no back-up helps", result)
            expect(sorted(os.listdir(place)) == names, f"{command[0]} {name} leaves files", os.listdir(place))
    for name, content in before.items():
        expect((place / name).read_bytes() == content, f"{name} is as it was")


def waits_for_a_command(folder):
    """A start waits for a process that holds the database and is no server; a command does, too."""
    path = pathlib.Path(folder, "timeclock.db")
    for arguments in (["organization", "list"], ["serve"]):
        holder = open(f"{path}.lock", "r+")
        fcntl.flock(holder, fcntl.LOCK_EX)
        port = service.free_port()
        process = subprocess.Popen(
            [BINARY, *arguments],
            cwd=folder,
            env=dict(os.environ, TIMECLOCK_PORT=str(port)),
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        while "waiting for it" not in (line := process.stderr.readline()):
            expect(line, f"{arguments} says that it waits")
        expect(process.poll() is None, f"{arguments} waits")
        fcntl.flock(holder, fcntl.LOCK_UN)
        holder.close()
        if arguments[0] == "serve":
            while "listening" not in (line := process.stderr.readline()):
                expect(line, "the start goes on")
            process.terminate()
        output, _ = process.communicate(timeout=30)
        expect(process.returncode == 0, f"{arguments} goes on", output)


def is_refused(arguments, given, needed, folder):
    result = run(*arguments, folder=folder, given=given)
    expect(result.returncode != 0, f"{shlex.join(arguments)} succeeded")
    expect(result.stdout == "", f"{shlex.join(arguments)} wrote to standard output", result.stdout)
    expect(needed in result.stderr, f"{shlex.join(arguments)} does not say {needed!r}", result.stderr)


def mistakes_leave_nothing_behind(folder):
    """A first create that is refused makes no database, which would look like one that is in use."""
    empty = pathlib.Path(folder, "empty")
    empty.mkdir()
    for mistake in MISTAKES:
        is_refused(*mistake, empty)
        expect(not list(empty.iterdir()), f"{shlex.join(mistake[0])} left files", list(empty.iterdir()))


def serves_alone(folder, created):
    """One server holds the file; commands name the alternative; flags win over variables."""
    clock = service.Service(BINARY, folder)
    clock.start()
    second = run("serve", "--port", str(service.free_port()), folder=folder)
    expect(second.returncode != 0 and "holds the database" in second.stderr, "a second server", second)
    create = run(*CREATE, "--admin-email", "second@example.com", folder=folder)
    expect(create.returncode == 0 and create.stderr == "", "create beside a server, which does it", create)
    taken = run("serve", "--port", str(clock.port), "--database", "sqlite:other.db", folder=folder)
    expect(taken.returncode == 1 and "in use" in taken.stderr, "a taken port", taken)
    expect("--port (TIMECLOCK_PORT): " in taken.stderr, "the setting of a taken port", taken)
    measured = run(
        "serve",
        "--port",
        "0",
        "--metrics-listen",
        f"127.0.0.1:{clock.port}",
        "--database",
        "sqlite:other.db",
        folder=folder,
    )
    expect("--metrics-listen (TIMECLOCK_METRICS_LISTEN): " in measured.stderr, "the setting of the other one", measured)
    variables = {"TIMECLOCK_PORT": str(service.free_port()), "TIMECLOCK_HOST": "127.0.0.1"}
    expect(run("check-health", folder=folder, environment=variables).returncode != 0, "the variable's port")
    flag = run("check-health", "--port", str(clock.port), folder=folder, environment=variables)
    expect(flag.returncode == 0 and flag.stdout == "ready\n", "the flag's port", flag)
    clock.stop()
    log = pathlib.Path(folder, "server.log").read_text()
    expect(created["token"] not in log, "a token is in the log")


def tells_of_misspelled_settings(folder):
    """A command names the setting that a variable is meant for, once, and does its work."""
    wanted = "warning: TIMECLOCK_DATABSE is no setting, and nothing reads it: TIMECLOCK_DATABASE is the nearest"
    variables = {"TIMECLOCK_DATABSE": "sqlite:s3cret.db", "TIMECLOCK_FOO_BAR": "s3cret"}
    listed = run("organization", "list", folder=folder, environment=variables)
    expect(listed.returncode == 0 and listed.stdout, "a list beside a misspelled setting", listed)
    expect(listed.stderr.count("\n") == 1 and wanted in listed.stderr, "a misspelled setting", listed)
    expect("s3cret" not in listed.stderr, "the value of a variable", listed)


def operator_creates_organizations(folder):
    token = "0123456789abcdef" * 4
    pathlib.Path(folder, "operator").write_text(token + "\n")
    port = service.free_port()
    process = subprocess.Popen(
        [BINARY, "serve", "--port", str(port), "--database", "sqlite:operator.db", "--operator-token-file", "operator"],
        cwd=folder,
        stderr=subprocess.DEVNULL,
    )
    try:
        subprocess.run(
            f"for i in $(seq 100); do '{BINARY}' check-health --port {port} && break; sleep 0.05; done",
            shell=True,
            check=True,
            capture_output=True,
        )
        body = {"name": "Shop", "timeZone": "UTC", "admin": {"email": "s@example.com", "name": "S"}}

        def create(bearer):
            request = urllib.request.Request(
                f"http://127.0.0.1:{port}/v1/organizations",
                json.dumps(body).encode(),
                {"Content-Type": "application/json", "Authorization": f"Bearer {bearer}"},
            )
            try:
                with urllib.request.urlopen(request) as answer:
                    return answer.status, json.load(answer)
            except urllib.error.HTTPError as error:
                return error.code, None

        status, created = create(token)
        expect(status == 201, "the operator's token", status)
        expect(create("f" * 64)[0] == 401, "a token of nobody")
        expect(create(created["token"])[0] == 403, "an admin's token")
    finally:
        process.terminate()
        expect(process.wait(timeout=20) == 0, "the server's end")


def serves_on_a_socket(folder):
    """Nothing but a file: `check-health` asks there, and the file goes with the server."""
    path = pathlib.Path(folder, "http.sock")
    variables = {"TIMECLOCK_HOST": f"unix:{path}"}
    clock = subprocess.Popen(
        [BINARY, "serve"], cwd=folder, env=dict(os.environ, **variables), stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(100):
            health = run("check-health", folder=folder, environment=variables)
            if health.returncode == 0:
                break
            time.sleep(0.1)
        expect(health.stdout == "ready\n", "check-health on a socket", health)
    finally:
        clock.terminate()
        clock.wait(20)
    expect(not path.exists(), "the socket goes with the server")
    health = run("check-health", folder=folder, environment=variables)
    expect(health.returncode != 0 and str(path) in health.stderr, "nobody answers on it", health)


def main():
    with tempfile.TemporaryDirectory() as folder:
        created = creates_an_organization(folder)
        refuses_clearly(folder)
        has_a_code_for_wrong_usage(folder)
        takes_no_file_for_a_database(folder)
        waits_for_a_command(folder)
        mistakes_leave_nothing_behind(folder)
        serves_alone(folder, created)
        tells_of_misspelled_settings(folder)
        operator_creates_organizations(folder)
    with tempfile.TemporaryDirectory() as folder:
        serves_on_a_socket(folder)
    print("commands: as documented")


main()
