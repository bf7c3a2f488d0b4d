#!/usr/bin/env python3
"""A timer app stops its timer over a socket and posts the event besides, as Trackify's document says: one event.

The two messages come in either order or at once, twice, or only one of them; the device's clock is some minutes wrong;
or the timer was stopped without a connection, an hour ago. Always there is one event more, one `timer:stopped` at every
device, no refusal, and the posts' answer is that event.

`trackify_stop_race.py [--rounds N] [--seed S] [--self-check]`: the self-check lets the posts state a start of their own,
as if nobody knew that they are of the timer.
"""

import argparse
import concurrent.futures
import datetime
import random
import sys
import tempfile
import time

from kit import python_packages

python_packages.enter()

import requests
import socketio

from kit import office, service
from kit.expecting import expect, expect_equal

ROUNDS = 40
# So that a device stays below its 20 events a second.
PACE_SECONDS = 0.35
PATIENCE = 20
PASSWORD = "what nobody guesses"
MINUTE = 60_000
# The messages of a stop, in the order in which they go out; those of one group at once.
SCRIPTS = [
    [["stop"], ["post"]],
    [["post"], ["stop"]],
    [["stop", "post"]],
    [["stop", "post", "post", "stop"]],
    [["post"], ["post"], ["stop"]],
    [["stop"], ["stop"], ["post"], ["post"]],
    [["stop"]],
    [["post"]],
]


class Race:
    def __init__(self, port, seed, spoils):
        self.random = random.Random(seed)
        self.spoils = spoils
        self.base = f"http://127.0.0.1:{port}/api"
        answer = requests.post(f"{self.base}/auth/token", json={"email": "person@example.com", "password": PASSWORD})
        token = answer.json()["token"]
        self.fields = {"Authorization": f"Bearer {token}"}
        self.sessions = [requests.Session() for _ in range(4)]
        self.task = self.post("/tasks", {"name": "Alpha"}).json()["id"]
        self.heard = []
        self.devices = [self.device(port, token, transports) for transports in (["websocket"], ["polling"])]
        self.pool = concurrent.futures.ThreadPoolExecutor(4)

    def device(self, port, token, transports):
        heard = []
        client = socketio.Client(reconnection=False)
        for name in (
            "auth:success",
            "timer:started",
            "timer:stopped",
            "timer:start-updated",
            "timer:error",
            "event:created",
        ):
            client.on(name, lambda *arguments, name=name: heard.append((name, *arguments)))
        client.connect(f"http://127.0.0.1:{port}", transports=transports, wait_timeout=PATIENCE)
        client.emit("authenticate", {"token": token})
        self.heard.append(heard)
        self.wait(heard, "auth:success")
        return client

    def wait(self, heard, name):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for event in list(heard):
                if event[0] == name:
                    return event[1] if len(event) > 1 else None
            time.sleep(0.002)
        sys.exit(f"trackify_stop_race: nobody heard {name}, but {heard}")

    def post(self, path, body, session=None):
        return (session or self.sessions[0]).post(self.base + path, json=body, headers=self.fields, timeout=PATIENCE)

    def events(self):
        return self.sessions[0].get(f"{self.base}/events", headers=self.fields, timeout=PATIENCE).json()

    def round(self, known):
        """One timer, from its start to its end; the new event."""
        for heard in self.heard:
            heard.clear()
        self.devices[0].emit("timer:start", {"taskId": self.task})
        start = [self.wait(heard, "timer:started")["startTime"] for heard in self.heard][0]
        newest = max((one["end"] for one in known), default=0)
        was_offline = self.random.random() < 0.3 and start - newest > 2
        duration = max(
            1, round(time.time() * 1_000) - start + self.random.choice([0, 0, 4 * MINUTE, -4 * MINUTE, 10 * MINUTE])
        )
        if was_offline:
            # Begun earlier, ended before now, sent now.
            room = min(90 * MINUTE, start - newest - 1)
            self.devices[0].emit("timer:update-start", {"taskId": self.task, "newStartTime": start - room})
            start = [self.wait(heard, "timer:start-updated")["startTime"] for heard in self.heard][0]
            duration = max(1, room // 2)
        body = {
            "taskId": self.task,
            "name": "Time entry",
            "duration": duration,
            # To within some seconds, as on a device that got the start.
            "createdAt": instant(start + (30 * MINUTE if self.spoils else self.random.choice([0, 0, 900, -3_000]))),
        }
        answers = []
        script = self.random.choice(SCRIPTS)
        for group in script:
            work = []
            for number, step in enumerate(group):
                if step == "stop":
                    stop = {"taskId": self.task, "duration": duration}
                    work.append(self.pool.submit(self.devices[number % 2].emit, "timer:stop", stop))
                else:
                    work.append(self.pool.submit(self.post, "/events", body, self.sessions[number]))
            answers += [one.result() for one in work]
        posted = [answer for answer in answers if answer is not None]
        expect_equal([answer.status_code for answer in posted], [201] * len(posted), f"the posts of {script}")
        for heard in self.heard:
            self.wait(heard, "timer:stopped")
        # A second one would be on its way now.
        time.sleep(0.01)
        for heard in self.heard:
            names = [name for name, *_ in heard]
            expect_equal(
                (names.count("timer:stopped"), names.count("timer:error")), (1, 0), f"what is heard of {script}"
            )
        new = [one for one in self.events() if one["id"] not in {one["id"] for one in known}]
        expect_equal(len(new), 1, f"new events of {script}")
        for answer in posted:
            expect_equal(answer.json()["id"], new[0]["id"], f"the event of {script}")
        begin = round(datetime.datetime.fromisoformat(new[0]["createdAt"]).timestamp() * 1_000)
        end = begin + new[0]["duration"]
        expect_equal(begin, start, "the start")
        if was_offline and duration > 1 and time.time() * 1_000 - begin - duration > 6 * MINUTE:
            expect_equal(new[0]["duration"], duration, "the length of what was stopped without a connection")
        else:
            expect(abs(time.time() * 1_000 - end) < 6 * MINUTE, "the end of what was stopped just now", new)
        return {"id": new[0]["id"], "end": end}

    def close(self):
        for one in self.devices:
            one.disconnect()
        self.pool.shutdown()


def instant(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds / 1_000, datetime.UTC).isoformat(timespec="milliseconds")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        server = service.Service(service.built_binary(), folder)
        created = server.create_organization()
        server.start()
        admin = office.Office(server.port, created)
        admin.add_member("person@example.com", "Person", password=PASSWORD)
        race = Race(server.port, wanted.seed, wanted.self_check)
        known = []
        try:
            for _ in range(wanted.rounds):
                begin = time.monotonic()
                known.append(race.round(known))
                time.sleep(max(0, begin + PACE_SECONDS - time.monotonic()))
        except SystemExit as found:
            race.close()
            if not wanted.self_check:
                raise
            print(f"found: {str(found)[:100]}")
            return
        race.close()
        if wanted.self_check:
            sys.exit("trackify_stop_race: posts with another start were not found")
        server.stop()
        server.verify()
        print(f"trackify stop race: {wanted.rounds} timers, {len(known)} events; seed {wanted.seed}")


main()
