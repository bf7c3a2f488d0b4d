#!/usr/bin/env python3
"""Somebody who is locked out gets back in with what the machine's owner has, on both databases.

`organization create` says until when its token is good. Beside a running server on PostgreSQL, or with a stopped one on
SQLite, `member set-password` ends the old log-ins and opens the account, `token create` makes a token that works, and
`organization list` tells whom to ask. Every change is in the audit log as the operator's.
"""

import datetime
import json
import subprocess
import tempfile

from kit import client, postgresql, service
from kit.expecting import expect, expect_equal

EMAIL = "admin@example.com"
PASSWORD = "quiet harbour 27"


def run(clock, *arguments, given=None):
    return subprocess.run(
        [clock.binary, *arguments, "--database", clock.database],
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
    )


def line(clock, *arguments, given=None):
    done = run(clock, *arguments, given=given)
    expect(done.returncode == 0, f"{arguments} ends with 0", done.stderr)
    return json.loads(done.stdout)


def check(clock, is_beside_server):
    made = clock.create_organization("Küche")
    until = datetime.datetime.fromisoformat(made["expiresAt"]) - datetime.datetime.now(datetime.UTC)
    expect(abs(until - datetime.timedelta(days=30)) < datetime.timedelta(minutes=5), "the log-in is of 30 days", until)
    whose = ["--organization", made["organizationID"], "--email", EMAIL]
    clock.start()
    if not is_beside_server:
        refused = run(clock, "member", "set-password", *whose, given=PASSWORD + "\n")
        expect(
            refused.returncode != 0 and "Stop it first" in refused.stderr, "the file is the server's", refused.stderr
        )
        clock.stop()
    else:
        # The token has been used, so the server knows whose it is.
        expect_equal(client.Client(clock.port).request("GET", "/v1/me", made["token"]).status, 200, "before")

    for given, code in [("short\n", "invalid_password"), ("", "no password")]:
        refused = run(clock, "member", "set-password", *whose, given=given)
        expect(refused.returncode != 0 and code in refused.stderr, f"{code} is told", refused.stderr)
    unknown = run(clock, "member", "set-password", *whose[:3], "nobody@example.com", given=PASSWORD + "\n")
    expect(
        unknown.returncode != 0 and "nobody@example.com" in unknown.stderr, "who is unknown is named", unknown.stderr
    )
    set_for = line(clock, "member", "set-password", *whose, given=PASSWORD + "\n")
    expect_equal(set_for["userId"], made["userId"], "the admin's")
    token = line(clock, "token", "create", "--organization", "Küche", "--email", EMAIL, "--name", "Kasse")
    short = line(clock, "token", "create", *whose, "--name", "Kasse", "--expires-at", "2100-01-01T00:00:00+01:00")
    expect_equal(short["expiresAt"], "2099-12-31T23:00:00.000Z", "the stated end")
    past = run(clock, "token", "create", *whose, "--name", "Kasse", "--expires-at", "2000-01-01T00:00:00Z")
    expect(past.returncode != 0 and "invalid_expiry" in past.stderr, "an end that is past", past.stderr)
    listed = line(clock, "organization", "list")
    expect_equal(
        [listed["organizationID"], listed["name"], listed["admins"]], [made["organizationID"], "Küche", [EMAIL]], "list"
    )

    if not is_beside_server:
        clock.start()
    visitor = client.Client(clock.port)
    log_in = visitor.request("POST", "/v1/auth/token", None, {"email": EMAIL, "password": PASSWORD})
    expect_equal(log_in.status, 200, f"the log-in {log_in}")
    for good in (log_in.json["token"], token["token"]):
        expect_equal(visitor.request("GET", "/v1/me", good).status, 200, "a token")
    expect_equal(visitor.request("GET", "/v1/me", made["token"]).status, 401, "the first log-in has ended")
    log = visitor.request("GET", f"/v1/organizations/{made['organizationID']}/auditLog", token["token"]).json["changes"]
    means = {(one["operation"], one["author"]["means"]) for one in log}
    expect({("updateMember", "operator"), ("createApiToken", "operator")} <= means, "the audit log tells", means)
    clock.verify()
    clock.stop()


def main():
    binary = service.built_binary()
    with tempfile.TemporaryDirectory() as folder:
        check(service.Service(binary, folder), False)
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster() as cluster:
        check(service.Service(binary, folder, cluster.make_database("clock")), True)
    print("let back in: with a new password and a new token, on SQLite and beside a server on PostgreSQL")


main()
