#!/usr/bin/env python3
"""Somebody who is locked out gets back in with the means of the machine's owner, on both databases.

`organization create` says until when its token is good. Beside a running server or without one, `member set-password`
ends the old log-ins and opens the account, `token create` makes a token that works, and `organization list` and `show`
name the admins. Every change is in the audit log as the operator's. An organization is closed to everybody, opened
again, and deleted with its people. On SQLite the server does the work, over a socket that nobody but its user and root
can open; if it is not there, the command says so.
"""

import datetime
import json
import os
import socket
import stat
import subprocess
import tempfile

from kit import client, postgresql, service
from kit.expecting import expect, expect_equal

EMAIL = "admin@example.com"
PASSWORD = "quiet harbour 27"
POST = b"POST /tasks HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n"


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
    # The token has been used, so the server knows whose it is.
    expect_equal(client.Client(clock.port).request("GET", "/v1/me", made["token"]).status, 200, "before")
    if clock.database.startswith("sqlite:"):
        check_socket(clock, is_beside_server)
    if not is_beside_server:
        clock.stop()

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

    entries = f"/v1/organizations/{made['organizationID']}/timeEntries"
    if not is_beside_server:
        clock.start()
    expect_equal(client.Client(clock.port).request("POST", f"{entries}/clockIn", token["token"], {}).status, 201, "in")
    if not is_beside_server:
        clock.stop()
    shown = line(clock, "organization", "show", "--organization", "Küche")
    numbers = [shown["activeMembers"], shown["inactiveMembers"], shown["clockedIn"], shown["admins"]]
    expect_equal(numbers, [{"admin": 1}, 0, 1, [EMAIL]], "show")
    second = line(
        clock,
        *["organization", "create", "--name", "Bar", "--time-zone", "UTC"],
        *["--admin-email", "bar@example.com", "--admin-name", "Bo", "--admin-password-stdin"],
        given=PASSWORD + "\n",
    )
    taken = run(
        clock,
        *["organization", "create", "--name", "Bar", "--time-zone", "UTC"],
        *["--admin-email", "bar@example.com", "--admin-name", "Bo", "--admin-password-stdin"],
        given=PASSWORD + "\n",
    )
    expect(taken.returncode != 0 and "email_in_use" in taken.stderr, "the address is taken", taken.stderr)
    if not is_beside_server:
        clock.start()
    expect_equal(client.Client(clock.port).request("GET", "/v1/me", second["token"]).status, 200, "the second's token")
    visitor = client.Client(clock.port)
    log_in = visitor.request("POST", "/v1/auth/token", None, {"email": EMAIL, "password": PASSWORD})
    expect_equal(log_in.status, 200, f"the log-in {log_in}")
    for good in (log_in.json["token"], token["token"]):
        expect_equal(visitor.request("GET", "/v1/me", good).status, 200, "a token")
    expect_equal(visitor.request("GET", "/v1/me", made["token"]).status, 401, "the first log-in has ended")
    # The second's, as there nobody works meanwhile.
    once = ["--organization", second["organizationID"], "--email", "bar@example.com", "--one-time"]
    if not is_beside_server:
        clock.stop()
    line(clock, "member", "set-password", *once, given="harbour for once\n")
    if not is_beside_server:
        clock.start()
    visitor = client.Client(clock.port)
    stated = {"email": "bar@example.com", "password": "harbour for once"}
    granted = visitor.request("POST", "/v1/auth/token", None, stated).json
    expect_equal(granted["mustChangePassword"], True, "the log-in says that the password is for once")
    expect_equal(visitor.request("GET", "/v1/me", granted["token"]).code, "password_change_required", "for once")
    change = {"currentPassword": stated["password"], "newPassword": PASSWORD}
    expect_equal(visitor.request("PUT", "/v1/me/password", granted["token"], change).status, 204, "the change")
    expect_equal(visitor.request("GET", "/v1/me", granted["token"]).status, 200, "the person's own password")
    log = visitor.request("GET", f"/v1/organizations/{made['organizationID']}/auditLog", token["token"]).json["changes"]
    means = {(one["operation"], one["author"]["means"]) for one in log}
    expect({("updateMember", "operator"), ("createApiToken", "operator")} <= means, "the audit log tells", means)
    check_end(clock, second, granted["token"], is_beside_server)
    clock.verify()
    clock.stop()


def check_end(clock, second, token, is_beside_server):
    """The second organization is closed, opened, and deleted, whose admin is nobody elsewhere."""
    visitor = client.Client(clock.port)
    place = f"/v1/organizations/{second['organizationID']}"
    expect_equal(visitor.request("POST", f"{place}/timeEntries/clockIn", token, {}).status, 201, "at work")

    def task(*arguments):
        if not is_beside_server:
            clock.stop()
        done = run(clock, "organization", *arguments)
        if not is_beside_server:
            clock.start()
        return done

    refused = task("delete", "--organization", "Bar", "--confirm", "Bar")
    expect(refused.returncode != 0 and "organization_active" in refused.stderr, "an active one", refused.stderr)
    closed = task("deactivate", "--organization", "Bar")
    expect_equal(json.loads(closed.stdout)["state"], "deactivated", closed.stderr)
    answer = client.Client(clock.port).request("GET", place, token)
    expect_equal([answer.status, answer.json["code"]], [403, "organization_deactivated"], "closed")
    opened = task("reactivate", "--organization", "Bar")
    expect_equal(json.loads(opened.stdout)["state"], "active", opened.stderr)
    visitor = client.Client(clock.port)
    current = visitor.request("GET", f"{place}/timeEntries/current", token)
    expect_equal([current.status, current.json["timeEntry"]], [200, None], "the entry is closed")
    expect_equal(task("deactivate", "--organization", "Bar").returncode, 0, "once more")
    wrong = task("delete", "--organization", "Bar", "--confirm", "Baz")
    expect(wrong.returncode != 0 and '"Bar"' in wrong.stderr, "another name", wrong.stderr)
    deleted = task("delete", "--organization", "Bar", "--confirm", "Bar")
    expect_equal(
        json.loads(deleted.stdout), {"organizationID": second["organizationID"], "deleted": True}, deleted.stderr
    )
    visitor = client.Client(clock.port)
    expect_equal(visitor.request("GET", "/v1/me", token).status, 401, "its admin is nobody")
    listed = task("list")
    expect(second["organizationID"] not in listed.stdout, "the list", listed.stdout)


def check_socket(clock, is_needed):
    path = clock.database.removeprefix("sqlite:") + "-control"
    expect_equal(stat.S_IMODE(os.lstat(path).st_mode), 0o600, "nobody else opens the socket")
    for request in [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\0\0\0\r\n\r\n", POST + b"{}", POST + b'{"x":1}']:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(path)
            peer.sendall(request)
            expect(peer.recv(100).startswith(b"HTTP/1.1 4"), f"{request} is refused")
    if is_needed:
        return
    os.rename(path, path + ".away")
    refused = run(clock, "organization", "list")
    expect(refused.returncode != 0 and "Stop it first" in refused.stderr, "no socket", refused.stderr)
    os.rename(path + ".away", path)
    clock.stop()
    expect(not os.path.exists(path), "the socket goes with the server")
    # One that was left by a server that was killed is replaced.
    clock.start()
    clock.kill()
    expect(os.path.exists(path), "a killed server leaves its socket")
    clock.start()


def main():
    binary = service.built_binary()
    for is_beside_server in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            check(service.Service(binary, folder), is_beside_server)
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster() as cluster:
        check(service.Service(binary, folder, cluster.make_database("clock")), True)
    print("let back in: with a new password and a new token, beside a server and without one")


main()
