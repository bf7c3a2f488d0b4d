#!/usr/bin/env python3
"""A client that was written for Trackify's server, from its document alone, works: every route, and every event of its socket.

One person has three devices at two instances on one PostgreSQL: two by WebSocket, of which one was polling before, and
one by polling alone. A timer that one of them starts, moves and stops does so on all of them; tasks and events are
announced to all. Two more come through the nginx file of deploy/ to one instance each, by WebSocket and by polling:
acts of either, and by `/v1`, reach both and a stream of `/v1`, also once an instance has been killed and its device has
reconnected. The client is `requests` and python-socketio, which know nothing of Timeclock.

`trackify_client.py [--self-check]`: the self-check looks at a device that hears nothing of the others.
"""

import argparse
import contextlib
import datetime
import json
import pathlib
import re
import socket
import ssl
import sys
import tempfile
import threading
import time
import uuid

from kit import python_packages

python_packages.enter()

import requests
import requests.adapters
import socketio
import urllib3

from kit import office, postgresql, proxies, service
from kit.expecting import expect, expect_equal

PATIENCE = 20
PASSWORD = "what nobody guesses"
DOCUMENT = (service.TOP / "docs/task-timer.md").read_text()


def documented(heading):
    """The events of a table of the document, with an example of the argument of each."""
    table = DOCUMENT.split(f"\n{heading}")[1].split("\n- ")[0].split("\nThe service emits")[0]
    rows = re.findall(r"^\| `(\S+)` \| `(.+?)` \|", table, re.M)
    return {name: json.loads(argument) for name, argument in rows}


# The events that a device has heard, of those that the document names.
SEEN = set()
EMITTED, EVENTS = documented("A client emits these events."), documented("The service emits these:")


def expect_shape(name, example, argument, may_lack=False):
    """The argument has the members of the example, of the same kinds; `may_lack` leaves some out."""
    if not isinstance(example, dict):
        return expect(isinstance(argument, type(example)), f"{name}: {argument!r} is none like {example!r}")
    unlike = {key for key, value in argument.items() if not isinstance(value, type(example.get(key)))}
    is_whole = set(argument) <= set(example) if may_lack else set(argument) == set(example)
    expect(is_whole and not unlike, f"{name} is not as documented", argument)


class Api:
    """The routes."""

    def __init__(self, port):
        self.base = f"http://127.0.0.1:{port}/api"
        self.session = requests.Session()

    def __call__(self, method, path, body=None, status=200, **parameters):
        answer = self.session.request(method, self.base + path, json=body, params=parameters, timeout=PATIENCE)
        expect_equal(answer.status_code, status, f"{method} {path}: {answer.text}")
        return answer.json()

    def log_in(self, email):
        granted = self("POST", "/auth/token", {"email": email, "password": PASSWORD})
        expect(len(granted["token"]) == 64 and granted["user"]["email"] == email, "the log-in", granted)
        self.session.headers["Authorization"] = f"Bearer {granted['token']}"
        return granted


class FromAddress(requests.adapters.HTTPAdapter):
    """Begins connections at a loopback address, and takes any certificate."""

    def __init__(self, source):
        self.source = source
        super().__init__()

    def init_poolmanager(self, *arguments, **options):
        super().init_poolmanager(*arguments, source_address=(self.source, 0), **options)


# The proxy's certificate is its own.
urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)


def session_from(source):
    session = requests.Session()
    session.verify = False
    # Else a bundle that the environment names would be asked.
    session.trust_env = False
    session.mount("https://", FromAddress(source))
    return session


def through_proxy(port, transports, source):
    """The options of a client that begins its connections at an address of its own."""
    if transports == ["polling"]:
        return {"http_session": session_from(source), "ssl_verify": False}
    plain = socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=(source, 0))
    encrypted = ssl._create_unverified_context().wrap_socket(plain, server_hostname="clock.example.com")
    # nginx names the host without a port, as everybody does when it listens on 443.
    return {"websocket_extra_options": {"socket": encrypted, "origin": "https://127.0.0.1"}, "ssl_verify": False}


class Stream:
    """The events of `streamEvents` of /v1, as they come."""

    def __init__(self, port, source, granted, organization):
        self.heard = []
        self.token = granted["token"]
        self.address = f"https://127.0.0.1:{port}/v1/organizations/{organization}/events?resources=segment"
        self.session = session_from(source)
        self.is_open = threading.Event()
        threading.Thread(target=self.listen, daemon=True).start()
        expect(self.is_open.wait(PATIENCE), "a stream does not begin")

    def listen(self):
        fields = {"Authorization": f"Bearer {self.token}"}
        with self.session.get(self.address, headers=fields, stream=True, timeout=60) as answer:
            for line in answer.iter_lines():
                if line.startswith(b"data: "):
                    self.is_open.set()
                    if b'"resource"' in line:
                        self.heard.append(json.loads(line[6:]))

    def wait(self, kind):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for number, change in enumerate(self.heard):
                if change["kind"] == kind:
                    del self.heard[: number + 1]
                    return change["data"]
            time.sleep(0.005)
        sys.exit(f"trackify_client: no stream told of a segment that was {kind}, but {self.heard}")


class Device:
    """A telephone with its socket, which may begin at an address of its own and go through a proxy by TLS."""

    def __init__(self, port, transports, is_deaf=False, source=None):
        self.heard = []
        options = {} if source is None else through_proxy(port, transports, source)
        self.client = socketio.Client(reconnection=False, **options)
        for name in EVENTS:
            if not is_deaf or name.startswith("auth:"):
                self.client.on(name, lambda *arguments, name=name: self.heard.append((name, *arguments)))
        scheme = "http" if source is None else "https"
        self.client.connect(f"{scheme}://127.0.0.1:{port}", transports=transports, wait_timeout=PATIENCE)

    def emit(self, name, argument=None):
        expect_shape(name, EMITTED[name], argument or {}, may_lack=True)
        self.client.emit(name, argument)

    def authenticate(self, token):
        self.emit("authenticate", {"token": token})
        return self.wait("auth:success")

    def wait(self, *names):
        """The next event of these names, after those waited for before."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for number, event in enumerate(self.heard):
                if event[0] in names:
                    for name, argument in self.heard[: number + 1]:
                        expect_shape(name, EVENTS[name], argument)
                        SEEN.add(name)
                    del self.heard[: number + 1]
                    return event[1]
            time.sleep(0.005)
        sys.exit(f"trackify_client: nobody heard {names}, but {self.heard}")

    def close(self):
        self.client.disconnect()


def milliseconds(text):
    return round(datetime.datetime.fromisoformat(text).timestamp() * 1_000)


def routes(api, person):
    """Every route of the document, as it says."""
    expect(
        requests.post(f"{api.base}/auth/token", json={"email": person, "password": "wrong"}).status_code == 401, "401"
    )
    task = api("POST", "/tasks", {"name": "Project Alpha"}, 201)
    expect_equal(
        sorted(task), sorted(["id", "name", "hidden", "createdAt", "updatedAt", "userId", "events"]), "a task's members"
    )
    start = "2026-11-19T09:00:00.000Z"
    event = api("POST", "/events", {"taskId": task["id"], "duration": 3_600_000, "createdAt": start}, 201)
    expect_equal(event["createdAt"], start, "the start")
    expect_equal(
        (event["name"], event["duration"], event["task"]),
        ("Time entry", 3_600_000, {"name": "Project Alpha"}),
        "the event",
    )
    listed = api("GET", "/tasks")
    expect_equal(
        [one["events"] for one in listed], [[{name: event[name] for name in event if name != "task"}]], "tasks"
    )
    expect_equal(api("GET", "/events", taskId=task["id"]), [event], "events of the task")
    clash = api("POST", "/events", {"taskId": task["id"], "duration": 60_000, "createdAt": "2026-11-19T09:30:00Z"}, 409)
    expect_equal(clash["error"], 'This would overlap with "Project Alpha: Time entry"', "the overlap")
    expect_equal(
        api("POST", "/timer/validate-start", {"newStartTime": start}, 409)["error"], clash["error"], "the start"
    )
    future = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)).isoformat()
    expect("future" in api("POST", "/timer/validate-start", {"newStartTime": future}, 400)["error"], "the future")
    changed = api("PUT", f"/events/{event['id']}", {"name": "Rows", "duration": 1_800_000})
    expect_equal((changed["name"], changed["duration"]), ("Rows", 1_800_000), "the change")
    stats = api("GET", "/stats", timezone="America/New_York")
    expect_equal((stats["grandTotal"], stats["todayTotal"]), (1_800_000, 0), "the totals")
    expect_equal([one["taskName"] for one in stats["tasks"]], ["Project Alpha"], "the tasks of the totals")
    renamed = api("PUT", f"/tasks/{task['id']}", {"name": "Alpha"})
    expect_equal(renamed["name"], "Alpha", "the name")
    expect_equal(api("DELETE", f"/events/{event['id']}"), {"success": True}, "the deletion")
    for path in (f"/events/{event['id']}", "/events/nothing"):
        expect_equal(api("DELETE", path, status=404)["error"], "Event not found", path)
    expect_equal(api("GET", "/tasks/nothing", status=404)["error"], "Task not found", "no task")
    strange = {"taskId": str(uuid.uuid4()), "duration": 60_000}
    expect_equal(api("POST", "/events", strange, 404)["error"], "Task not found", "a UUID of another server")
    planned = api("POST", "/events", {"taskId": task["id"], "duration": 60_000}, 201)
    begin = datetime.datetime.fromisoformat(planned["createdAt"])
    expect(abs(datetime.datetime.now(datetime.UTC) - begin) < datetime.timedelta(seconds=30), "starts now", planned)
    expect_equal(planned["duration"], 60_000, "its length")
    expect_equal(api("DELETE", f"/events/{planned['id']}"), {"success": True}, "the deletion")
    expect("error" in api("POST", "/tasks", {"name": ""}, 400), "no name")
    expect("error" in api("POST", "/events", {"taskId": task["id"], "duration": 0}, 400), "no duration")
    return task["id"]


def timers(api, devices, task):
    """A timer that one device starts, moves and stops is every device's."""
    first, second, third = devices
    first.emit("timer:start", {"taskId": task})
    started = [device.wait("timer:started") for device in devices]
    expect(started[0]["taskId"] == task and all(one == started[0] for one in started), "started", started)
    second.emit("timer:request-state")
    expect_equal(second.wait("timer:state"), {**started[0], "running": True}, "the state")
    moved = started[0]["startTime"] - 600_000
    third.emit("timer:update-start", {"taskId": task, "newStartTime": moved})
    for device in devices:
        expect_equal(device.wait("timer:start-updated"), {"taskId": task, "startTime": moved}, "the new start")
    second.emit("timer:update-start", {"taskId": task, "newStartTime": started[0]["startTime"] + 3_600_000})
    refusal = second.wait("timer:error")
    expect_equal(
        (refusal["action"], refusal["message"]), ("update-start", "Start time cannot be in the future"), "a refusal"
    )
    other = api("POST", "/tasks", {"name": "Beta"}, 201)["id"]
    for device in devices:
        expect_equal(device.wait("task:created")["id"], other, "the new task")
    third.emit("timer:stop", {"taskId": other, "duration": 1_000})
    expect_equal(third.wait("timer:error")["message"], "Timer has changed. Please try again.", "another's stop")
    # Another timer ends the first one.
    second.emit("timer:start", {"taskId": other})
    for device in devices:
        stopped = device.wait("timer:stopped")
        expect(stopped["taskId"] == task and stopped["duration"] >= 600_000, "the replaced timer", stopped)
        expect_equal(device.wait("timer:started")["taskId"], other, "the next timer")
    # As the document describes a client: by the socket, and by a route.
    second.emit("timer:request-state")
    state = second.wait("timer:state")
    begin = datetime.datetime.fromtimestamp(state["startTime"] / 1_000, datetime.UTC).isoformat()
    time.sleep(0.05)
    first.emit("timer:stop", {"taskId": other, "duration": 50})
    posted = api("POST", "/events", {"taskId": other, "name": "Time entry", "duration": 50, "createdAt": begin}, 201)
    for device in devices:
        created = device.wait("event:created")
        expect_equal(created["id"], posted["id"], "the event")
        expect_equal(device.wait("timer:stopped")["taskId"], other, "the stop")
    expect_equal(len(api("GET", "/events", taskId=other)), 1, "events of one stop")
    api("PUT", f"/tasks/{task}", {"name": "Omega"})
    for device in devices:
        expect_equal(device.wait("task:updated")["name"], "Omega", "the task's new name")
    # A hidden task's timer stops.
    first.emit("timer:start", {"taskId": task})
    for device in devices:
        device.wait("timer:started")
    expect_equal(api("DELETE", f"/tasks/{task}"), {"success": True, "taskHidden": True}, "the hidden task")
    for device in devices:
        expect_equal(device.wait("task:deleted"), task, "the hidden task")
        expect_equal(device.wait("timer:stopped")["taskId"], task, "its timer")
    for missing in (task, str(uuid.uuid4())):
        first.emit("timer:start", {"taskId": missing})
        expect_equal(first.wait("timer:error"), {"action": "start", "message": "Task not found"}, missing)
    first.emit("timer:update-start", {"taskId": other, "newStartTime": moved})
    expect_equal(first.wait("timer:error")["message"], "No active timer found to adjust", "no timer")
    for device in devices:
        expect(not device.heard, "something more was heard", device.heard)


def sources(proxy, servers):
    """For each instance an address whose requests the proxy sends there."""
    found = {}
    for number in range(100, 200):
        source = f"127.0.0.{number}"
        answer = session_from(source).get(f"https://127.0.0.1:{proxy.port}/v1/version", timeout=PATIENCE)
        expect_equal(answer.status_code, 200, "through nginx")
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            at = [
                index
                for index, one in enumerate(servers)
                if f"from={source}" in (one.folder / "server.log").read_text()
            ]
            if at:
                break
            time.sleep(0.01)
        expect(at, "no instance has logged a request", source)
        found.setdefault(at[0], source)
        if len(found) == len(servers):
            return [found[index] for index in range(len(servers))]
    sys.exit("trackify_client: nginx sends every address to one instance")


def behind_nginx(folder, servers, granted, organization, task):
    """Devices at two instances behind nginx, and a stream: each hears of everything, and so after an instance is killed."""
    with proxies.Nginx(pathlib.Path(folder, "nginx"), *[server.port for server in servers]) as proxy:
        first, second = sources(proxy, servers)
        stream = Stream(proxy.port, first, granted, organization)
        devices = [Device(proxy.port, ["websocket"], source=first), Device(proxy.port, ["polling"], source=second)]
        for device in devices:
            device.authenticate(granted["token"])
        slowest = follow_a_day(proxy.port, second, devices, stream, granted, organization, task)
        # The instance of the device that polls is gone; nginx sends it to the other one.
        servers[1].kill()
        deadline = time.monotonic() + PATIENCE
        while devices[1].client.connected and time.monotonic() < deadline:
            time.sleep(0.01)
        expect(not devices[1].client.connected, "a device stays connected to an instance that is gone")
        devices[1] = Device(proxy.port, ["polling"], source=second)
        devices[1].authenticate(granted["token"])
        follow_a_day(proxy.port, second, devices, stream, granted, organization, task)
        for device in devices:
            device.close()
    servers[1].start()
    return slowest


def follow_a_day(port, source, devices, stream, granted, organization, task):
    """A timer that a device starts and moves, and /v1 stops: everybody hears of each.

    Returns the longest time, in seconds, that it took everybody to hear of something.
    """
    session = session_from(source)
    session.headers["Authorization"] = f"Bearer {granted['token']}"
    times = []

    def everybody(does, *names, change):
        begin = time.monotonic()
        does()
        heard = [device.wait(*names) for device in devices]
        data = stream.wait(change)
        times.append(time.monotonic() - begin)
        return heard, data

    heard, data = everybody(lambda: devices[0].emit("timer:start", {"taskId": task}), "timer:started", change="created")
    expect(heard[0] == heard[1] and data["taskId"] == task, "started behind nginx", heard)
    # Forward: other timers were running until a moment ago.
    time.sleep(0.4)
    moved = heard[0]["startTime"] + 250
    update = {"taskId": task, "newStartTime": moved}
    heard, data = everybody(
        lambda: devices[1].emit("timer:update-start", update), "timer:start-updated", change="updated"
    )
    expect_equal(heard, [{"taskId": task, "startTime": moved}] * 2, "moved behind nginx")
    expect_equal(milliseconds(data["startTime"]), moved, "the stream's start")

    def stop():
        address = f"https://127.0.0.1:{port}/v1/organizations/{organization}/segments/stop"
        answer = session.post(address, json={"clockOut": True}, timeout=PATIENCE)
        expect_equal(answer.status_code, 200, answer.text)

    heard, data = everybody(stop, "timer:stopped", change="updated")
    expect(all(one["taskId"] == task and one["duration"] > 0 for one in heard), "stopped behind nginx", heard)
    expect(data["endTime"], "the stream's end", data)
    for device in devices:
        device.heard.clear()
    return max(times)


def strangers(port):
    """A client that does not identify itself, or does so wrongly, is sent away."""
    device = Device(port, ["websocket"])
    device.emit("timer:request-state")
    expect_equal(device.wait("timer:error")["message"], "Unauthorized", "a stranger's question")
    device.emit("authenticate", {"token": "0" * 64})
    expect("message" in device.wait("auth:error"), "the error's message")
    deadline = time.monotonic() + PATIENCE
    while device.client.connected and time.monotonic() < deadline:
        time.sleep(0.01)
    expect(not device.client.connected, "a stranger stays connected")
    silent = Device(port, ["polling"])
    return silent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    binary = service.built_binary()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        cluster = stack.enter_context(postgresql.Cluster(["fsync=off"]))
        database = cluster.make_database("trackify")
        servers = []
        for number in range(2):
            place = pathlib.Path(folder, f"instance{number}")
            place.mkdir()
            servers.append(service.Service(binary, place, database=database, options=["--trusted-proxy", "127.0.0.1"]))
        created = servers[0].create_organization()
        for server in servers:
            server.start()
        admin = office.Office(servers[0].port, created)
        admin.add_member("person@example.com", "Person", password=PASSWORD)
        api = Api(servers[0].port)
        granted = api.log_in("person@example.com")
        task = routes(api, "person@example.com")
        silent = strangers(servers[0].port)
        connected = time.monotonic()
        places = [(servers[0], ["websocket"]), (servers[1], ["polling", "websocket"]), (servers[1], ["polling"])]
        devices = [
            Device(server.port, transports, wanted.self_check and number == 1)
            for number, (server, transports) in enumerate(places)
        ]
        for device in devices:
            expect_equal(device.authenticate(granted["token"]), {"userId": granted["user"]["id"]}, "who it is")
        expect_equal([one.client.transport() for one in devices], ["websocket", "websocket", "polling"], "transports")
        if wanted.self_check:
            try:
                timers(api, devices, task)
            except SystemExit as found:
                print(f"found: {str(found)[:100]}")
                return
            sys.exit("trackify_client: a device that hears nothing was not found")
        timers(api, devices, task)
        for device in devices:
            device.close()
        beta = next(one["id"] for one in api("GET", "/tasks"))
        slowest = behind_nginx(folder, servers, granted, admin.id, beta)
        devices = [Device(server.port, transports) for server, transports in places]
        for device in devices:
            device.authenticate(granted["token"])
        # Log-out ends the sockets of the token.
        expect_equal(api("DELETE", "/auth/token"), {"success": True}, "the log-out")
        deadline = time.monotonic() + PATIENCE
        while any(one.client.connected for one in devices) and time.monotonic() < deadline:
            time.sleep(0.01)
        expect(not any(one.client.connected for one in devices), "a device is connected after the log-out")
        expect_equal(api("GET", "/tasks", status=401)["error"], "Unauthorized", "after the log-out")
        while silent.client.connected and time.monotonic() < connected + PATIENCE:
            time.sleep(0.05)
        expect(not silent.client.connected, "who never says who it is stays connected")
        expect_equal(SEEN, set(EVENTS), "the events of docs/task-timer.md that were heard")
        for server in servers:
            server.stop()
        print(
            "trackify client: 13 routes and 11 events, three devices at two instances, and two behind nginx, with a stream, "
            f"which heard within {slowest:.2f} s"
        )


main()
