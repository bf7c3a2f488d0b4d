#!/usr/bin/env python3
"""Nothing that a client sends, and no secret of the service's own, gets into the log, at the level trace, on both databases.

Words that are nothing else (canaries) go through every operation, parameter, header field, body and error path: with a
valid token and without, while PostgreSQL refuses and while it is away, in the cases of http_cases/, in files that are
imported and in settings. Then no canary, token, digest of a token or password stands in the output of the server and
the commands; every line is one line. In the end one canary is planted on PostgreSQL, and found, and escaped.
"""

import contextlib
import hashlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

import http_case
from kit import client, postgresql, service
from kit.expecting import expect

BINARY = service.built_binary()
CANARY = "canary"
OPERATOR = "canaryoperator" + "0" * 50
DATABASE_PASSWORD = "canarydatabase"
LINE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z (trace|debug|info|notice|warning|error|critical) [\x20-\x7e]+"
)
FIELDS = [
    "Accept",
    "Cookie",
    "User-Agent",
    "Referer",
    "X-Forwarded-For",
    "Forwarded",
    "Idempotency-Key",
    "If-Match",
    "Origin",
    "Content-Type",
    "Expect",
    "Host",
    "Traceparent",
    "Canary-Field",
    "Range",
    "From",
    "Authorization",
    "Proxy-Authorization",
    "X-Api-Key",
]


def operations():
    """Every method and path of the contract."""
    path = None
    for line in (service.TOP / "openapi.yaml").read_text().splitlines():
        if found := re.fullmatch(r"  (/\S*):", line):
            path = found[1]
        elif (found := re.fullmatch(r"    (get|put|post|patch|delete):", line)) and path:
            yield found[1].upper(), path


def leaks(text, secrets):
    """The lines that hold a canary or a secret."""
    return [line for line in text.splitlines() if CANARY in line.lower() or any(secret in line for secret in secrets)]


class Secrets(set):
    """Secrets that must not be written: tokens, and the forms by which the database knows them."""

    def add_token(self, token):
        self.add(token)
        self.add(hashlib.sha256(token.encode()).hexdigest())


class CanaryOffice:
    """A service whose people, sessions and entries are canaries."""

    def __init__(self, clock, secrets):
        self.clock = clock
        self.secrets = secrets
        self.client = client.Client(clock.port)
        created = self.client.request(
            "POST",
            "/v1/organizations",
            OPERATOR,
            {
                "name": "canary name",
                "timeZone": "Europe/Berlin",
                "admin": {"email": "canary@canary.example", "name": "canary admin", "password": "canarypassword"},
            },
        )
        expect(created.status == 201, created)
        self.token = created.json["token"]
        secrets.add_token(self.token)
        self.path = f"/v1/organizations/{created.json['organization']['id']}"
        self.member = created.json["user"]["id"]

    def request(self, method, path, body=None, fields=(), token=None):
        try:
            return self.client.request(method, path, token or self.token, body, fields)
        except (OSError, ValueError):
            self.client.close()
            return None

    def use(self):
        """Requests that succeed, and keep canaries."""
        log_in = {"email": "canary@canary.example", "password": "canarypassword"}
        granted = self.request("POST", "/v1/auth/token", log_in)
        expect(granted.status == 200, granted)
        self.secrets.add_token(granted.json["token"])
        wrong = self.request("POST", "/v1/auth/token", dict(log_in, password="canarywrong"))
        expect(wrong.status in (401, 429), wrong)
        member = {"email": "canary2@canary.example", "name": "canary", "role": "member", "password": "canarysecond"}
        expect(self.request("POST", self.path + "/members", member).status == 201, "a member")
        made = self.request("POST", self.path + "/apiTokens", {"name": "canary token", "userId": self.member})
        expect(made.status == 201, made)
        self.secrets.add_token(made.json["token"])
        session = {"date": "2026-11-21", "title": "canary title", "location": "canary place"}
        expect(self.request("POST", self.path + "/sessions", session).status == 201, "a session")
        notes = self.request("POST", self.path + "/timeEntries/clockIn", {"notes": "canary notes"})
        expect(notes.status == 201 and "canary notes" in notes.json["notes"], notes)
        expect(self.request("POST", self.path + "/timeEntries/clockOut").status == 200, "a clock-out")
        table = b'email,clock_in,clock_out,notes\ncanary3@canary.example,2026-11-01 canary,canary,"canary\n'
        self.request("POST", self.path + "/timeEntries/import?format=generic", table, [("Content-Type", "text/csv")])
        password = {"currentPassword": "canarypassword", "newPassword": "canarypassword2"}
        # Ends all other log-ins, and not the one that asks.
        changed = self.request("PUT", "/v1/me/password", password)
        expect(changed.status == 204, changed)

    def refuse(self, limit=None):
        """Every operation, or some, with canaries in the place of everything: none of it works."""
        body = {
            "canary": "canary",
            "email": "canary\u0000@canary",
            "password": "canary",
            "notes": "canary\u202e",
            "name": "canary\u001b[31m",
            "title": "canary\n",
            "clockInTime": "canary",
            "userId": "canary",
        }
        for method, template in list(operations())[:limit]:
            if template in ("/v1/auth/token", "/v1/me/password") and method in ("DELETE", "PUT"):
                path = template + "?canary=canary"
            else:
                path = re.sub(r"\{organizationID\}", self.path.rpartition("/")[2], template)
            for target in (
                path,
                re.sub(r"\{\w+\}", "canary", template) + "?userId=canary&canary=canary%0a&cursor=canary",
            ):
                target = re.sub(r"\{\w+\}", "canary", target)
                for token in (self.token, "canarytoken", OPERATOR):
                    self.request(method, target, body, token=token)
                self.request(method, target, b'{"canary": "canary', token=self.token)
                self.request(method, target, b"canary", [("Content-Type", "text/csv")])
        for name in FIELDS[:limit]:
            for value in ("canary", "Bearer canary", "canary\u00ff, canary", "for=canary", '"canary'):
                self.request("GET", "/v1/me", fields=[(name, value)])
                self.request("POST", "/canary/" + name, {"canary": value}, [(name, value), (name, value)], "canary")

    def send_cases(self):
        """The cases of http_cases/, whose requests make sessions called after a canary."""
        world = http_case.World(
            {"token": self.token, "organizationID": self.path.rpartition("/")[2], "userId": self.member}
        )
        cases = http_case.load()
        for case in cases:
            with socket.create_connection(("127.0.0.1", self.clock.port), 2) as one:
                with contextlib.suppress(OSError):
                    for text, _ in case.steps:
                        one.sendall(world.bytes(text.replace("Host: a", "Host: canary"), world.poison("canary within")))
                    one.sendall(b"GET /canary?canary HTTP/1.1\r\nHost: canary\r\ncanary: canary\r\n\r\n")
                    one.shutdown(socket.SHUT_WR)
                    while one.recv(65_536):
                        pass
        return len(cases)


def run(arguments, environment=None, given=None):
    """The output of a command; its exit status is ignored."""
    done = subprocess.run(
        [BINARY, *arguments],
        env=dict(os.environ, TIMECLOCK_LOG_LEVEL="trace", **(environment or {})),
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        errors="replace",
    )
    return done.stderr


def commands(folder, database):
    """The output of commands about wrong secrets, and about files that cannot be imported."""
    token = folder / "token"
    token.write_text("canary canary")
    rows = folder / "rows.csv"
    rows.write_text('email,clock_in,clock_out,notes\ncanary@x,canary,canary,canary\n"canary')
    create = [
        "organization",
        "create",
        "--name",
        "A",
        "--time-zone",
        "UTC",
        "--admin-name",
        "B",
        "--database",
        database,
        "--admin-password-stdin",
        "--admin-email",
    ]
    away = "postgresql://timeclock:canarysecret@127.0.0.1:1/timeclock"
    told = [
        run([*create, "a@example.com"], given="canary\n"),
        run([*create, "not an address"], given="canarypassword\n"),
        run(["serve", "--port", "0", "--database", database, "--operator-token-file", str(token)]),
        run(["serve", "--port", "0", "--database", database], {"TIMECLOCK_OPERATOR_TOKEN": "canary"}),
        run(["serve", "--port", "0", "--database", away]),
        run(["serve", "--port", "0"], {"TIMECLOCK_DATABASE": "host=127.0.0.1 port=1 password=canarysecret"}),
        run(["serve", "--port", "0", "--database", "postgresql:/canarysecret:canary@="]),
        run(
            [
                "import",
                "--database",
                database,
                "--organization",
                "019aa0f2-3c00-7a10-8b20-ffffffffffff",
                "--format",
                "generic",
                str(rows),
            ]
        ),
        run(["copy", "--from", away, "--to", f"sqlite:{folder}/copy.db"]),
    ]
    expect(all(told), "a command says nothing")
    return "\n".join(told)


def check(what, text, secrets):
    found = leaks(text, secrets)
    expect(not found, f"{what}: {len(found)} lines tell secrets:\n" + "\n".join(found[:10]))


def check_lines(log):
    wrong = [line for line in log.splitlines() if not LINE.fullmatch(line)]
    expect(not wrong, f"these are no lines of the log: {wrong[:10]}")
    return len(log.splitlines())


@contextlib.contextmanager
def served(folder, database):
    clock = service.Service(
        BINARY, folder, database, ["--trusted-proxy", "127.0.0.1", "--cors-origin", "https://a.example"]
    )
    os.environ.update(TIMECLOCK_LOG_LEVEL="trace", TIMECLOCK_OPERATOR_TOKEN=OPERATOR, PGPASSWORD=DATABASE_PASSWORD)
    clock.start()
    yield clock
    clock.stop()
    for name in ("TIMECLOCK_LOG_LEVEL", "TIMECLOCK_OPERATOR_TOKEN"):
        del os.environ[name]


def on_sqlite(folder):
    secrets = Secrets({OPERATOR})
    with served(folder, None) as clock:
        office = CanaryOffice(clock, secrets)
        office.use()
        office.refuse()
        count = office.send_cases()
        told = commands(folder, clock.database)
    log = (folder / "server.log").read_text()
    check("SQLite", log + told, secrets)
    lines = check_lines(log)
    print(f"SQLite: {lines} lines after {count} cases, {len(secrets)} secrets, none told", flush=True)


def on_postgresql(folder):
    secrets = Secrets({OPERATOR, DATABASE_PASSWORD})
    with postgresql.Cluster(authentication="scram-sha-256", password=DATABASE_PASSWORD) as cluster:
        os.environ["PGPASSWORD"] = DATABASE_PASSWORD
        database = cluster.make_database("clock")
        with served(folder, database) as clock:
            office = CanaryOffice(clock, secrets)
            office.use()
            office.refuse()
            office.send_cases()
            # Its message is without values; it adds the refused row with all of its columns.
            cluster.execute("ALTER TABLE time_entries ADD CONSTRAINT planted CHECK (notes IS NULL) NOT VALID", "clock")
            failed = office.request("POST", office.path + "/timeEntries/clockIn", {"notes": "canary notes"})
            expect(failed.status == 500, f"the planted constraint: {failed}")
            cluster.stop()
            away = office.request("POST", office.path + "/timeEntries/clockIn", {"notes": "canary notes"})
            expect(away.status == 503, f"without PostgreSQL: {away}")
            office.refuse(limit=3)
            told = commands(folder, database)
            cluster.start()
            log = (folder / "server.log").read_text()
            check("PostgreSQL", log + told, secrets)
            lines = check_lines(log)
            plant(cluster, office)
    log = (folder / "server.log").read_text()
    found = leaks(log, secrets)
    expect(
        any("canary planted\\u{A}\\u{1B}[31m\\u{85}" in line for line in found),
        f"the planted leak is not found: {found}",
    )
    check_lines(log)
    print(
        f"PostgreSQL: {lines} lines, refusing and away too, {len(secrets)} secrets, none told, and the planted one found",
        flush=True,
    )


def plant(cluster, office):
    """Makes PostgreSQL repeat a client's text, in the message that is logged, with characters that would begin a
    line."""
    cluster.execute(
        """CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION USING MESSAGE = 'canary planted' || E'\\n\\x1b[31m\\u0085', ERRCODE = 'XX000'; END $$;
        CREATE TRIGGER planted BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION planted()""",
        "clock",
    )
    # The server finds PostgreSQL again after a while.
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        answer = office.request("POST", office.path + "/sessions", {"date": "2026-11-21", "title": "a"})
        if answer is not None and answer.status == 500:
            return
        time.sleep(0.05)
    sys.exit("log secrets: nothing was planted")


def main():
    expect(leaks("a\nthe CANARY\nb", ()) == ["the CANARY"] and leaks("a s b", {"s"}) == ["a s b"], "the search itself")
    with tempfile.TemporaryDirectory() as folder:
        for name, scenario in (("sqlite", on_sqlite), ("postgresql", on_postgresql)):
            place = pathlib.Path(folder, name)
            place.mkdir()
            scenario(place)
    print("log secrets: no canary, token, digest or password in any log; a planted one is found")


if __name__ == "__main__":
    main()
