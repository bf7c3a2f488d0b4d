#!/usr/bin/env python3
"""One public name before two cells, with nginx and HAProxy by the configurations of deploy/cells/.

`timeclock directory` writes the file by which each proxy finds an organization's cell: through either, requests about
each of two organizations are in the log of its own cell, with the client's address and the proxy's name for the
request. Requests that name no organization come to the default cell, and everything that is sent to a cell's own name
to that cell.

Then one organization moves. Its former cell answers 421 with `address` until the directory is written and taken over,
by a reload, or by one line to HAProxy; then the same request under the same name with the same token succeeds, and so
does a log-in at the default cell, which it has moved to. Meanwhile new connections are made through both proxies
without a pause, each of which is answered, and streams that stood before go on.
"""

import contextlib
import json
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time

from kit import client, office, postgresql, proxies, raw_http, service
from kit.expecting import expect, expect_equal

FILES = proxies.DEPLOY / "cells"
PUBLIC = "clock.example.com"
NAMES = {"one": "one.clock.example.com", "two": "two.clock.example.com"}
CLIENT, CALLER = "127.0.0.5", "127.0.0.6"
PASSWORD = "correct horse battery"
# How long anything may take, in seconds.
PATIENCE = 20


class Nginx(proxies.Nginx):
    form = ("--form", "nginx")

    def command(self):
        main = super().command()
        site = proxies.substituted(
            (FILES / "nginx.conf").read_text(),
            (r"server 127\.0\.0\.1:8080;", f"server 127.0.0.1:{self.server_ports[0]};"),
            (r"server 127\.0\.0\.1:8081;", f"server 127.0.0.1:{self.server_ports[1]};"),
            (r"/etc/nginx/timeclock\.directory", str(self.directory)),
            (r"listen 443 ", f"listen 127.0.0.1:{self.port} "),
            (r"/etc/ssl/clock\.pem", str(self.certificate)),
            (r"/etc/ssl/clock\.key", f"{self.folder}/key.pem"),
        )
        (self.folder / "timeclock.conf").write_text(site)
        return main

    @property
    def directory(self):
        return self.folder / "timeclock.directory"

    def reload(self):
        """What `nginx -s reload` sends."""
        self.process.send_signal(signal.SIGHUP)


class HAProxy(proxies.HAProxy):
    form = ()

    def command(self):
        program, *_ = super().command()
        text = proxies.substituted(
            (FILES / "haproxy.cfg").read_text(),
            (r"127\.0\.0\.1:8080 check", f"127.0.0.1:{self.server_ports[0]} check"),
            (r"127\.0\.0\.1:8081 check", f"127.0.0.1:{self.server_ports[1]} check"),
            (r"/etc/haproxy/timeclock\.directory", str(self.directory)),
            (r"/run/haproxy/admin\.sock", str(self.control)),
            (r"bind :443 ", f"bind 127.0.0.1:{self.port} "),
            (r"/etc/haproxy/clock\.pem", f"{self.folder}/both.pem"),
        )
        (self.folder / "haproxy.cfg").write_text(text)
        # As its unit starts it: a master, which takes reloads, and a worker.
        return [program, "-W", "-db", "-f", str(self.folder / "haproxy.cfg")]

    @property
    def directory(self):
        return self.folder / "timeclock.directory"

    @property
    def control(self):
        return self.folder / "admin.sock"

    def reload(self):
        """What `systemctl reload haproxy` sends."""
        self.process.send_signal(signal.SIGUSR2)

    def set_map(self, organization, cell):
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(self.control))
            asking.sendall(f"set map {self.directory} {organization} {cell}\n".encode())
            answer = asking.recv(65_536).decode().strip()
        expect_equal(answer, "", "HAProxy's answer to `set map`")


class Cell:
    """A database, and the instance on it."""

    def __init__(self, folder, name, location):
        self.name, self.location = name, location
        place = pathlib.Path(folder, name)
        place.mkdir()
        options = ["--trusted-proxy", proxies.ADDRESS, "--event-loops", "1", "--log-level", "info"]
        self.clock = service.Service(service.built_binary(), place, location, options)

    def log(self):
        return (self.clock.folder / "server.log").read_text()


class Organization:
    """One in a cell, with a member who can log in, and an API token of an admin."""

    def __init__(self, cell, word):
        self.email = f"mia@{word}.example.com"
        created = cell.clock.create_organization(name=word, email=f"admin@{word}.example.com")
        with contextlib.closing(office.Office(cell.clock.port, created)) as asking:
            self.id, self.path = asking.id, asking.base
            asking.add_member(self.email, "Mia", password=PASSWORD)
            self.token = asking.token_of(asking.add_member(f"nora@{word}.example.com", "Nora", role="admin"))


def ask(proxy, host, method, path, token=None, body=None, source=CLIENT):
    """The answer to one request on a connection of its own."""
    sent = client.written(method, path, token, body).replace(b"Host: localhost", f"Host: {host}".encode(), 1)
    with proxy.connection(source) as connection:
        connection.send(sent)
        answer = connection.answer(method)
    expect(answer is not None, f"{proxy.name}: no answer to {method} {path} at {host}")
    return answer


def code(answer):
    return json.loads(answer.body)["code"] if answer.status >= 400 else None


def expect_at(cell, cells, proxy, answer, what):
    """The request is in the log of this cell and of no other, as the proxy names it, with the client's address."""
    name = answer.value("x-request-id")
    expect(name, f"{proxy.name}: {what} has no name", answer)
    deadline = time.monotonic() + PATIENCE
    while not (found := [one.name for one in cells if f" request={name} " in one.log()]):
        expect(time.monotonic() < deadline, f"{proxy.name}: {what} is in no log")
        time.sleep(0.02)
    expect_equal(found, [cell.name], f"{proxy.name}: the cell of {what}")
    line = next(line for line in cell.log().splitlines() if f" request={name} " in line)
    expect(f" from={CLIENT} " in f"{line} ", f"{proxy.name}: the client of {what}", line)


def directory(cells, *options):
    """What `timeclock directory` prints."""
    named = [word for one in cells for word in ("--cell", f"{one.name}={one.location}")]
    return run("directory", *named, *options)


def run(*arguments):
    ended = subprocess.run(
        [service.built_binary(), *arguments], capture_output=True, text=True, timeout=120, env=service.own_environment()
    )
    expect_equal(ended.returncode, 0, f"timeclock {arguments[0]}: {ended.stdout}{ended.stderr}")
    return ended.stdout


def write_directory(proxy, cells):
    """As an operator does: beside the file, and then in its place."""
    text = directory(cells, *proxy.form)
    new = proxy.directory.with_suffix(".new")
    new.write_text(text)
    new.rename(proxy.directory)
    return text


def finds_each(proxy, cells, organizations):
    """Each request comes to its cell, under the public name and under the cell's own."""
    one, two = cells
    for cell, organization in zip(cells, organizations):
        for path in (organization.path, organization.path.upper().replace("/V1/ORGANIZATIONS/", "/v1/organizations/")):
            answer = ask(proxy, PUBLIC, "GET", f"{path}/members?limit=1", organization.token)
            expect_at(cell, cells, proxy, answer, f"GET {path}/members")
        entry = ask(proxy, PUBLIC, "POST", f"{organization.path}/timeEntries/clockIn", organization.token)
        expect_equal(entry.status, 201, f"{proxy.name}: a clock-in in {cell.name}: {entry}")
        expect_at(cell, cells, proxy, entry, "clockIn")
        gone = ask(proxy, PUBLIC, "POST", f"{organization.path}/timeEntries/clockOut", organization.token)
        expect_equal(gone.status, 200, f"{proxy.name}: a clock-out in {cell.name}: {gone}")
    requests = [
        ("GET", "/v1/me", organizations[1].token),
        ("GET", "/", None),
        ("GET", "/api/tasks", organizations[1].token),
        ("POST", "/v1/organizations", None),
        ("GET", "/v1/organizations/00000000-0000-7000-8000-000000000000", organizations[1].token),
    ]
    for method, path, token in requests:
        answer = ask(proxy, PUBLIC, method, path, token)
        expect_at(one, cells, proxy, answer, f"{method} {path} at the public name")
        for cell in cells:
            answer = ask(proxy, NAMES[cell.name], method, path, token)
            expect_at(cell, cells, proxy, answer, f"{method} {path} at {NAMES[cell.name]}")
    refused, granted = [
        ask(proxy, host, "POST", "/v1/auth/token", None, {"email": organizations[1].email, "password": PASSWORD})
        for host in (PUBLIC, NAMES["two"])
    ]
    expect_at(one, cells, proxy, refused, "a log-in at the public name")
    expect_equal((refused.status, code(refused)), (401, "invalid_credentials"), f"{proxy.name}: of another cell there")
    expect_at(two, cells, proxy, granted, "a log-in at the cell's own name")
    expect_equal(granted.status, 200, f"{proxy.name}: a log-in at the cell's own name: {granted}")
    token = json.loads(granted.body)["token"]
    answer = ask(proxy, PUBLIC, "GET", f"{organizations[1].path}/timeEntries/current", token)
    expect_equal(answer.status, 200, f"{proxy.name}: with that log-in, under the public name: {answer}")
    # The organization counts that the path has, and not the cell of its token.
    answer = ask(proxy, PUBLIC, "GET", f"{organizations[0].path}/members", organizations[1].token)
    expect_at(one, cells, proxy, answer, "a request with a token of another cell")
    expect_equal((answer.status, code(answer)), (401, "invalid_token"), f"{proxy.name}: that token")


class Stream:
    """Of an organization that stays, through a proxy."""

    def __init__(self, proxy, organization):
        self.proxy = proxy
        self.connection = proxy.connection(CLIENT, PATIENCE)
        self.received = b""
        self.connection.send(client.written("GET", f"{organization.path}/events", organization.token))
        self.read_until(b"event: snapshot")

    def read_until(self, words):
        while words not in self.received:
            part = self.connection.socket.recv(65_536)
            expect(part, f"{self.proxy.name}: a stream ended that should go on", self.received)
            self.received += part


class Callers:
    """Asks about an organization through proxies, each time on a new connection, from a reload's beginning to its end."""

    def __init__(self, standing, organization):
        self.organization = organization
        self.failures, self.answers = [], 0
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.call, args=(proxy,)) for proxy in standing]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def call(self, proxy):
        while not self.is_over.is_set():
            try:
                sent = client.written("GET", f"{self.organization.path}/members?limit=1", self.organization.token)
                with proxy.connection(CALLER) as connection:
                    connection.send(sent)
                    answer = connection.answer()
                if answer is None or answer.status != 200:
                    self.failures.append(f"{proxy.name}: {answer}")
                self.answers += 1
            except (OSError, raw_http.Malformed) as error:
                self.failures.append(f"{proxy.name}: {type(error).__name__} {error}")
            time.sleep(0.005)

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()


def is_served(proxy, organization):
    return ask(proxy, PUBLIC, "GET", f"{organization.path}/members", organization.token).status == 200


def expect_moved(proxy, organization, cells, host, address):
    """The former cell says where the organization is, to reads and writes."""
    for method, path in (("GET", "/members"), ("POST", "/timeEntries/clockIn")):
        answer = ask(proxy, host, method, organization.path + path, organization.token)
        what = f"{proxy.name}: {method} {path} at {host}: {answer}"
        expect_equal((answer.status, code(answer)), (421, "organization_moved"), what)
        expect_equal(json.loads(answer.body)["address"], address, what)
        expect_at(cells[1], cells, proxy, answer, f"{method} {path} after the move")


def move(cells, organization, address):
    printed = run(
        "organization",
        "move",
        *("--database", cells[1].location),
        *("--to", cells[0].location),
        *("--organization", organization.id),
        *("--address", address),
    )
    expect_equal(json.loads(printed)["organizationID"], organization.id, f"what the move prints: {printed}")


def takes_over(standing, cells, stays, moves, address):
    """The directory is written again and taken over by each proxy; how many requests were answered meanwhile."""
    streams = [Stream(proxy, stays) for proxy in standing]
    with Callers(standing, stays) as callers:
        for proxy in standing:
            expect_moved(proxy, moves, cells, PUBLIC, address)
            if isinstance(proxy, HAProxy):
                proxy.set_map(moves.id, "one")
                expect(is_served(proxy, moves), "HAProxy: not served after `set map`")
                proxy.set_map(moves.id, "two")
            text = write_directory(proxy, cells)
            expect(re.search(rf"^{moves.id} one;?$", text, re.M), "the directory has the new cell", text)
            expect_moved(proxy, moves, cells, PUBLIC, address)
            proxy.reload()
            deadline = time.monotonic() + PATIENCE
            while not is_served(proxy, moves):
                expect(time.monotonic() < deadline, f"{proxy.name} does not take the directory over")
                time.sleep(0.05)
        for proxy, stream in zip(standing, streams):
            name = f"Said after {proxy.name} has reloaded"
            answer = ask(proxy, PUBLIC, "POST", f"{stays.path}/projects", stays.token, {"name": name})
            expect_equal(answer.status, 201, f"{proxy.name}: {answer}")
            stream.read_until(name.encode())
            stream.connection.socket.close()
    expect(not callers.failures, "requests while a proxy reloads", callers.failures[:5])
    return callers.answers


def goes_on(proxy, cells, moves, address):
    """Under the public name as before, with the token of before; the former cell's own name still says the address."""
    one, _ = cells
    for _ in range(5):
        answer = ask(proxy, PUBLIC, "POST", f"{moves.path}/timeEntries/clockIn", moves.token)
        expect_equal(answer.status, 201, f"{proxy.name}: a clock-in after the move: {answer}")
        expect_at(one, cells, proxy, answer, "a clock-in after the move")
        answer = ask(proxy, PUBLIC, "POST", f"{moves.path}/timeEntries/clockOut", moves.token)
        expect_equal(answer.status, 200, f"{proxy.name}: a clock-out after the move: {answer}")
    expect_moved(proxy, moves, cells, NAMES["two"], address)
    for host in (PUBLIC, NAMES["one"]):
        answer = ask(proxy, host, "POST", "/v1/auth/token", None, {"email": moves.email, "password": PASSWORD})
        expect_equal(answer.status, 200, f"{proxy.name}: a log-in after the move at {host}: {answer}")


def main():
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="timeclock-cells-"))
        cluster = stack.enter_context(postgresql.Cluster(["fsync=off"]))
        cells = [Cell(folder, name, cluster.make_database(name)) for name in NAMES]
        for cell in cells:
            cell.clock.start()
        stays, moves = organizations = [
            Organization(cell, word) for cell, word in zip(cells, ("harbor", "station"), strict=True)
        ]
        standing = []
        for kind in (Nginx, HAProxy):
            proxy = kind(pathlib.Path(folder, kind.name), *(cell.clock.port for cell in cells))
            text = write_directory(proxy, cells)
            expect_equal(text.count("\n"), 2, f"the lines of the directory: {text}")
            standing.append(stack.enter_context(proxy))
        for proxy in standing:
            finds_each(proxy, cells, organizations)
        address = f"https://{NAMES['one']}"
        move(cells, moves, address)
        answers = takes_over(standing, cells, stays, moves, address)
        for proxy in standing:
            goes_on(proxy, cells, moves, address)
        for cell in cells:
            cell.clock.verify()
            cell.clock.stop()
    print(
        "cells behind proxies: nginx and HAProxy find each organization's cell under one name, before and after a move; "
        f"{answers} requests meanwhile, all answered"
    )


if __name__ == "__main__":
    main()
