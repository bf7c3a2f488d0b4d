#!/usr/bin/env python3
"""SIGTERM under load: requests on their way are answered whole, nothing more is accepted, and the end is 0 and in time.

`graceful_stop.py [--full]`: twice, with `--full` thirty times, a server is stopped under load, once one that has
clients who are stuck, and two instances on one PostgreSQL are restarted in turn under load without a request that
fails.
"""

import argparse
import json
import pathlib
import signal
import socket
import tempfile
import threading
import time

from kit import client, postgresql, raw_http, service

BINARY = service.built_binary()
CLIENTS = 12
# The server's time, by default and with stuck clients.
DEADLINE_SECONDS = 10
SHORT_DEADLINE_SECONDS = 2
# The delay that a busy machine may add.
GRACE_SECONDS = 20
NARROW = [(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096), (socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)]


class Organization:
    """Requests of its admin, as bytes."""

    def __init__(self, created):
        self.path = f"/v1/organizations/{created['organizationID']}"
        self.token = created["token"]

    def get(self, path, version="1.1"):
        return (f"GET {path} HTTP/{version}\r\nHost: a\r\nAuthorization: Bearer {self.token}\r\n\r\n").encode()

    def post(self, title):
        """Makes a session of this title, once however often it is sent."""
        body = json.dumps({"date": "2026-11-21", "title": title})
        return (
            f"POST {self.path}/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {self.token}\r\n"
            f"Idempotency-Key: {title}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            f"{body}"
        ).encode()

    def titles(self, port):
        """Of all the sessions there are."""
        with raw_http.RawConnection(port) as connection:

            def page(path):
                connection.send(self.get(path))
                return json.loads(connection.answer().body)

            return [one["title"] for one in client.elements(page, f"{self.path}/sessions?limit=1000", "sessions")]


class Worker(threading.Thread):
    """One client with one connection, which makes sessions and reads documents until it is not accepted any more."""

    def __init__(self, port, organization, number):
        super().__init__(daemon=True)
        self.port = port
        self.organization = organization
        self.number = number
        self.made = []
        # Requests sent and not answered, because the connection was closed while it was idle.
        self.unanswered = []
        self.saw_close = False
        self.faults = []

    def run(self):
        try:
            with raw_http.RawConnection(self.port) as connection:
                count = 0
                while not self.saw_close:
                    title = f"{self.number}-{count}"
                    if not self.ask(connection, self.organization.post(title), 201):
                        return self.unanswered.append(title)
                    self.made.append(title)
                    if not self.saw_close and not self.ask(connection, self.organization.get("/openapi.yaml"), 200):
                        return
                    count += 1
                # Nothing comes behind an answer that says so.
                if connection.answer() is not None or connection.was_reset:
                    self.faults.append("no end in order behind Connection: close")
        except Exception as error:  # A thread's error would be lost, and half an answer is one.
            self.faults.append(repr(error))

    def ask(self, connection, request, status):
        """Whether it was answered."""
        connection.send(request)
        answer = connection.answer()
        if answer is None:
            return False
        if answer.status != status or raw_http.faults(answer, "GET"):
            self.faults.append(f"{answer} {raw_http.faults(answer, 'GET')}")
        self.saw_close = answer.value("connection") == "close"
        return True


def wait_until_refused(port):
    deadline = time.monotonic() + GRACE_SECONDS
    while True:
        try:
            raw_http.RawConnection(port).socket.close()
        except ConnectionRefusedError:
            return
        except ConnectionResetError:
            pass
        assert time.monotonic() < deadline, "connections are accepted although the server stops"
        time.sleep(0.01)


def ended(clock, seconds):
    """How long it took to end, with 0, from now on."""
    start = time.monotonic()
    code = clock.process.wait(timeout=seconds + GRACE_SECONDS)
    assert code == 0, f"the server ended with {code}"
    return time.monotonic() - start


def check_stop_under_load(folder):
    folder.mkdir()
    clock = service.Service(BINARY, folder)
    organization = Organization(clock.create_organization())
    clock.start()
    workers = [Worker(clock.port, organization, number) for number in range(CLIENTS)]
    for worker in workers:
        worker.start()
    # Requests that are on their way when the signal comes: some bytes are missing of each.
    on_their_way = [
        (request, raw_http.RawConnection(clock.port))
        for request in [organization.post(f"late-{number}") for number in range(4)]
        + [organization.get("/health/live")] * 4
    ]
    for number, (request, connection) in enumerate(on_their_way):
        connection.send(request[: -1 - 5 * number])
    # An answer that is on its way.
    reader = raw_http.RawConnection(clock.port, options=NARROW)
    reader.send(organization.get("/openapi.yaml"))
    idle = raw_http.RawConnection(clock.port)
    idle.send(organization.get("/health/live"))
    assert idle.answer().status == 200
    time.sleep(0.5)

    clock.process.send_signal(signal.SIGTERM)
    wait_until_refused(clock.port)
    for worker in workers:
        worker.join(GRACE_SECONDS)
        assert not worker.is_alive() and not worker.faults, f"client {worker.number}: {worker.faults}"
        assert worker.made, f"client {worker.number} did nothing"
    assert idle.answer() is None and not idle.was_reset, "an idle connection is not closed in order"
    for number, (request, connection) in enumerate(on_their_way):
        connection.send(request[-1 - 5 * number :])
        answer = connection.answer()
        status = 201 if request.startswith(b"POST") else 200
        assert answer and answer.status == status, f"a request that was on its way: {answer}"
        assert answer.value("connection") == "close", "Connection: close is missing"
        assert connection.answer() is None and not connection.was_reset
        connection.socket.close()
    answer = reader.answer()
    assert answer and answer.status == 200, answer
    reader.socket.close()
    ended(clock, 0)

    # Answered requests were done, and unanswered ones were not.
    clock.start()
    titles = organization.titles(clock.port)
    made = {title for worker in workers for title in worker.made} | {f"late-{number}" for number in range(4)}
    assert set(titles) == made and len(titles) == len(made), (
        f"not answered and done: {set(titles) - made}, answered and not done: {made - set(titles)}"
    )
    clock.stop()
    return len(made), sum(len(worker.unanswered) for worker in workers)


def check_stuck_clients(folder):
    """A client that never comes to an end is cut at the deadline, and the server ends with 0 all the same."""
    folder.mkdir()
    clock = service.Service(BINARY, folder, options=["--shutdown-timeout", str(SHORT_DEADLINE_SECONDS)])
    organization = Organization(clock.create_organization())
    clock.start()
    half = raw_http.RawConnection(clock.port)
    half.send(organization.get("/health/live")[:-1])
    # More than the buffers on the way take.
    stuck = [raw_http.RawConnection(clock.port, options=NARROW) for _ in range(2)]
    for connection in stuck:
        connection.send(organization.get("/openapi.yaml") * 20)
    time.sleep(0.3)
    start = time.monotonic()
    clock.process.send_signal(signal.SIGTERM)
    ended(clock, SHORT_DEADLINE_SECONDS)
    seconds = time.monotonic() - start
    assert seconds >= SHORT_DEADLINE_SECONDS - 0.1, f"the server ended {seconds:.1f} s after the signal"
    assert half.answer() is None, "half a request is answered"
    for connection in stuck:
        try:
            while connection.answer():
                pass
        except raw_http.Malformed:
            pass
        assert connection.was_reset, "an answer is cut short without a reset"
    return seconds


class Proxied(threading.Thread):
    """A client of a proxy before two instances: a request that one refuses, or leaves unanswered, goes to the other."""

    def __init__(self, ports, organization, number, is_over):
        super().__init__(daemon=True)
        self.ports = ports[number % 2 :] + ports[: number % 2]
        self.organization = organization
        self.number = number
        self.is_over = is_over
        self.connection = None
        self.made = []
        self.retries = 0
        self.faults = []

    def run(self):
        try:
            while not self.is_over.is_set():
                title = f"{self.number}-{len(self.made)}"
                answer = self.answer(self.organization.post(title))
                if answer.status != 201:
                    self.faults.append(f"{title}: {answer}")
                self.made.append(title)
        except Exception as error:  # A thread's error would be lost.
            self.faults.append(repr(error))

    def answer(self, request):
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline:
            try:
                if self.connection is None:
                    self.connection = raw_http.RawConnection(self.ports[0])
                self.connection.send(request)
                answer = self.connection.answer()
            except ConnectionError:
                answer = None
            if answer and answer.value("connection") != "close":
                return answer
            if self.connection:
                self.connection.socket.close()
                self.connection = None
            self.ports.reverse()
            if answer:
                return answer
            self.retries += 1
        raise TimeoutError("neither instance answers")


def check_rolling_restart(folder):
    with postgresql.Cluster() as cluster:
        location = cluster.make_database("rolling")
        instances = []
        for name in ("first", "second"):
            (folder / name).mkdir(parents=True)
            instances.append(service.Service(BINARY, folder / name, database=location))
        organization = Organization(instances[0].create_organization())
        for instance in instances:
            instance.start()
        is_over = threading.Event()
        clients = [
            Proxied([instance.port for instance in instances], organization, number, is_over)
            for number in range(CLIENTS)
        ]
        for one in clients:
            one.start()
        for instance in instances:
            time.sleep(0.5)
            instance.stop()
            instance.start()
        time.sleep(0.5)
        is_over.set()
        for one in clients:
            one.join(2 * GRACE_SECONDS)
            assert not one.is_alive() and not one.faults, f"client {one.number}: {one.faults[:3]}"
        titles = organization.titles(instances[0].port)
        made = [title for one in clients for title in one.made]
        assert sorted(titles) == sorted(made), f"{len(titles)} sessions of {len(made)} requests"
        for instance in instances:
            instance.stop()
    return len(made), sum(one.retries for one in clients)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true", help="thirty stops under load")
    rounds = 30 if parser.parse_args().full else 2
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        stops = [check_stop_under_load(folder / f"load{number}") for number in range(rounds)]
        print(
            f"{rounds} stops under load: {sum(made for made, _ in stops)} sessions made, each answered whole; "
            f"{sum(late for _, late in stops)} came when their connections were closed, and were not done"
        )
        print(f"with clients that are stuck the server ends in {check_stuck_clients(folder / 'stuck'):.1f} s")
        made, retries = check_rolling_restart(folder / "rolling")
        print(
            f"two instances restarted in turn: {made} requests, all of them done, {retries} asked of the other instance"
        )
    print("graceful stop: answered whole, nothing done that was not answered, 0 in time")


main()
