#!/usr/bin/env python3
"""Streams of events: each listener gets every change once, in order, within a second, also when a process or stream
ends meanwhile.

Many listeners, with the rights of an admin and of members, while people work: each gets the changes that `listChanges`
returns to it, and nothing else. The service is killed in between, and everybody resumes. A listener that does not read
is cut, and the others do not wait for it; many of them take little memory, and one that is still catching up is cut
when its right ends. On PostgreSQL two instances have listeners, and those of the one that is killed continue at the
other.

`live_streams.py [--full] [--self-check]`: `--full` is with 5,000 listeners, their memory and the time that an event
takes, which are printed and held against their bars. `--self-check` loses an event on its way, which has to be found.
"""

import argparse
import asyncio
import json
import pathlib
import resource
import socket
import sys
import tempfile
import time

from kit import office, postgresql, service
from kit.expecting import expect, expect_equal

# With one token eight streams may stand at once, and of one person sixty-four.
STREAMS_OF_TOKEN = 8
STREAMS_OF_PERSON = 64
UNREAD = 192
UNREAD_BAR_KIB = 48 * 1_024
# Only an event that never comes takes this long.
PATIENCE = 60
BAR_SECONDS = 1
BAR_KIB = 64 * 1_024


class Listener:
    """A client that keeps its events, and connects again if its stream ends."""

    def __init__(self, base, token, ports, loses=False):
        self.base = base
        self.token = token
        self.ports = ports
        self.loses = loses
        # Sequence numbers and contents in the order in which they came, and when.
        self.changes = []
        self.times = {}
        self.last = None
        self.id = None
        self.connections = 0
        self.ready = asyncio.Event()
        self.news = asyncio.Event()
        self.task = asyncio.create_task(self.run())

    async def run(self):
        while True:
            try:
                await self.listen(self.ports[0])
            except (OSError, asyncio.IncompleteReadError):
                pass
            self.ready.clear()
            self.ports = self.ports[1:] + self.ports[:1]
            await asyncio.sleep(0.05)

    async def listen(self, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        try:
            resumes = "" if self.id is None else f"Last-Event-ID: {self.id}\r\n"
            writer.write(
                f"GET {self.base}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n"
                f"{resumes}\r\n".encode()
            )
            status = await reader.readline()
            if not status.startswith(b"HTTP/1.1 200"):
                raise ConnectionResetError(status)
            while await reader.readline() != b"\r\n":
                pass
            self.connections += 1
            text = b""
            while size := int((await reader.readline()).strip() or b"0", 16):
                text += await reader.readexactly(size)
                await reader.readexactly(2)
                *blocks, text = text.split(b"\n\n")
                for block in blocks:
                    self.take(block)
        finally:
            writer.close()

    def take(self, block):
        fields = dict(line.split(": ", 1) for line in block.decode().split("\n") if not line.startswith(":"))
        if "id" in fields:
            self.id = fields["id"]
            self.last = int(self.id.split(".")[0])
        if fields.get("event") == "snapshot":
            self.ready.set()
        elif fields.get("event") == "change":
            if self.loses and len(self.changes) == 2:
                self.loses = False
                return
            change = json.loads(fields["data"])
            expect_equal(change["sequence"], self.last, "the id of an event")
            self.changes.append(change)
            self.times[change["sequence"]] = time.monotonic()
        self.news.set()

    async def wait(self, condition, what):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self.news.clear()
                await self.news.wait()
        expect(condition(), what)

    def stop(self):
        self.task.cancel()


class World:
    """An organization with people who work and people who listen."""

    def __init__(self, created, ports, workers=4):
        self.office = office.Office(ports[0], created)
        self.ports = ports
        self.workers = []
        for number in range(workers):
            user = self.office.add_member(f"worker{number}@example.com", f"Worker {number}")
            self.workers.append(self.office.token_of(user))
        self.reserve = []
        self.made = 0
        self.turns = 0

    def token(self):
        """A token of an admin with room for one stream more."""
        if not self.reserve:
            if self.made % STREAMS_OF_PERSON == 0:
                self.wall = self.office.add_member(f"wall{self.made}@example.com", "Wall", "admin")
            self.made += STREAMS_OF_TOKEN
            self.reserve = [self.office.token_of(self.wall, "wall")] * STREAMS_OF_TOKEN
        return self.reserve.pop()

    async def listeners(self, count, loses=False):
        made = [
            Listener(self.office.base, self.token(), list(self.ports), loses and number == 0) for number in range(count)
        ]
        await asyncio.gather(*(asyncio.wait_for(one.ready.wait(), PATIENCE) for one in made))
        return made

    def work(self, rounds, port=None):
        """Everybody clocks in and out; notes when a change was answered."""
        self.office.client.port = port or self.office.client.port
        for _ in range(rounds):
            begins = self.turns % 2 == 0
            self.turns += 1
            for token in self.workers:
                path, status = ("/timeEntries/clockIn", 201) if begins else ("/timeEntries/clockOut", 200)
                self.office.ask("POST", path, {}, status, token=token)
        return time.monotonic()

    def feed(self, token=None):
        """All that `listChanges` answers."""
        changes, after = [], 0
        while True:
            page = self.office.ask("GET", f"/changes?limit=1000&after={after}", token=token)
            changes += page["changes"]
            if page["nextAfter"] == after:
                return changes
            after = page["nextAfter"]


def same(change):
    """The part of a change that does not depend on when it is read."""
    data = {**change["data"]} if change["data"] else None
    if data and data.get("status") == "clocked-in":
        data.pop("durationSeconds", None)
    return {**change, "data": data}


async def agrees(world, listeners, begin, tokens=None):
    """Waits until each has the log's last change, and expects that it got every one that is for it, once, in order."""
    for number, one in enumerate(listeners):
        feed = [same(change) for change in world.feed(tokens[number] if tokens else None)]
        wanted = [change for change in feed if change["sequence"] > begin[number]]
        if wanted:
            await one.wait(lambda: one.last >= wanted[-1]["sequence"], "the last change")
        got = [same(change) for change in one.changes]
        numbers = [change["sequence"] for change in got]
        expect_equal(numbers, [change["sequence"] for change in wanted], f"the changes of listener {number}")
        expect(got == wanted, f"listener {number} was told something else", (got, wanted))


def unread_stream(world, token, fields=""):
    """A stream of which nothing is read but the first bytes."""
    one = socket.socket()
    # So that the system holds little for it.
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    one.connect(("127.0.0.1", world.ports[0]))
    one.settimeout(PATIENCE)
    one.sendall(
        f"GET {world.office.base}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        f"Connection: close\r\n{fields}\r\n".encode()
    )
    expect(b" 200 " in one.recv(500), "a stream is not opened")
    return one


def events_to_the_end(one):
    """The events that come before a stream ends, in whichever way; it has to."""
    got = 0
    try:
        while part := one.recv(1 << 16):
            got += part.count(b"event: change")
    except TimeoutError:
        sys.exit("a stream does not end")
    except ConnectionResetError:
        pass
    one.close()
    return got


def catching_up_ends(world, count):
    """A stream whose client has missed many changes, and does not read, ends with its token all the same."""
    user = world.office.ask("GET", "/members?limit=1")["members"][0]["userId"]
    made = world.office.ask("POST", "/apiTokens", {"name": "board", "userId": user}, 201)
    one = unread_stream(world, made["token"], "Last-Event-ID: 1\r\n")
    world.office.ask("DELETE", f"/apiTokens/{made['id']}", None, 204)
    time.sleep(2 * BAR_SECONDS)
    got = events_to_the_end(one)
    expect(got < count, "a stream goes on without a right", got)


async def slow_listeners_are_cut(world, server):
    """They read nothing while much more comes than is kept; the others get everything meanwhile."""
    quick = (await world.listeners(1))[0]
    slow = [unread_stream(world, world.token()) for _ in range(UNREAD)]
    await quick.wait(lambda: quick.last >= world.feed()[-1]["sequence"], "the tokens")
    before = memory(server.process)
    start = quick.last
    quick.changes = []
    count = 0
    day = 0
    while count < 9_600:
        day += 1
        entries = [
            {
                "clockInTime": f"{2010 + day // 28}-01-{day % 28 + 1:02}T{number // 2:02}:{number % 2 * 30:02}:00Z",
                "clockOutTime": f"{2010 + day // 28}-01-{day % 28 + 1:02}T{number // 2:02}:{number % 2 * 30 + 20:02}:00Z",
                "notes": "x" * 500,
            }
            for number in range(48)
        ]
        world.office.ask("POST", "/timeEntries/bulk", {"timeEntries": entries, "mode": "atomic"}, 200)
        count += len(entries)
    await quick.wait(lambda: quick.last >= start + count, "the last of many changes")
    numbers = [change["sequence"] for change in quick.changes]
    expect_equal(numbers, list(range(start + 1, start + count + 1)), "the changes beside a slow listener")
    used = memory(server.process) - before
    expect(used <= UNREAD_BAR_KIB, f"{UNREAD} listeners that do not read take too many KiB", used)
    # The slow ones get an end, and not all of it.
    for one in slow:
        expect(events_to_the_end(one) < count, "a slow listener was not cut")
    quick.stop()
    catching_up_ends(world, count)


def memory(process):
    """The process's resident memory, in KiB."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1])


async def one_instance(binary, folder, count, full, loses):
    server = service.Service(binary, folder, options=("--max-connections", str(count + 500)))
    created = server.create_organization()
    server.start()
    world = World(created, [server.port])
    before = memory(server.process)
    listeners = await world.listeners(count, loses)
    begin = [one.last for one in listeners]
    # Members hear of themselves alone.
    members = [Listener(world.office.base, token, [server.port]) for token in world.workers]
    await asyncio.gather(*(asyncio.wait_for(one.ready.wait(), PATIENCE) for one in members))
    begin_of_members = [one.last for one in members]
    used = memory(server.process) - before
    # Memory of the beginnings is given back once a minute.
    deadline = time.monotonic() + (90 if full else 0)
    while used > BAR_KIB and time.monotonic() < deadline:
        await asyncio.sleep(5)
        used = memory(server.process) - before
    longest = 0
    for _ in range(6):
        answered = await asyncio.to_thread(world.work, 1)
        last = world.feed()[-1]["sequence"]
        for one in listeners:
            await one.wait(lambda: one.last >= last, "a change")
        longest = max([longest, *(one.times[last] - answered for one in listeners if last in one.times)])
    await agrees(world, listeners[:20] + listeners[-1:], begin[:20] + begin[-1:])
    await agrees(world, members, begin_of_members, world.workers)
    # Killed; commits before it listens again are not lost either.
    server.kill()
    server.start()
    world.office.close()
    await asyncio.to_thread(world.work, 2)
    await agrees(world, listeners[:20] + listeners[-1:], begin[:20] + begin[-1:])
    await agrees(world, members, begin_of_members, world.workers)
    expect(all(one.connections >= 2 for one in members), "nobody had to connect again")
    for one in listeners + members:
        one.stop()
    if not full:
        await slow_listeners_are_cut(world, server)
    world.office.close()
    stop = time.monotonic()
    server.stop()
    return used, longest, time.monotonic() - stop


async def two_instances(binary, folder, database):
    """A listener at each of two, work at the first; then the second one is killed."""
    servers = []
    for number in range(2):
        place = pathlib.Path(folder, f"instance{number}")
        place.mkdir()
        servers.append(service.Service(binary, place, database=database))
    created = servers[0].create_organization()
    for server in servers:
        server.start()
    first, second = (server.port for server in servers)
    world = World(created, [first])
    listeners = [Listener(world.office.base, world.token(), ports) for ports in ([first, second], [second, first])]
    await asyncio.gather(*(asyncio.wait_for(one.ready.wait(), PATIENCE) for one in listeners))
    begin = [one.last for one in listeners]
    await asyncio.to_thread(world.work, 2)
    await agrees(world, listeners, begin)
    servers[1].kill()
    await asyncio.to_thread(world.work, 2)
    await agrees(world, listeners, begin)
    expect_equal(listeners[1].ports[0], first, "the instance that the second listener went to")
    for one in listeners:
        one.stop()
    world.office.close()
    servers[0].stop()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    count = 5_000 if wanted.full else 100
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    binary = service.built_binary()
    with tempfile.TemporaryDirectory() as folder:
        if wanted.self_check:
            try:
                await one_instance(binary, folder, 3, False, loses=True)
            except SystemExit as found:
                print(f"found: {str(found)[:120]}")
                return
            sys.exit("live_streams: an event that was lost on its way was not found")
        used, longest, stopped = await one_instance(binary, folder, count, wanted.full, loses=False)
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster(["fsync=off"]) as cluster:
        await two_instances(binary, folder, cluster.make_database("live"))
    print(
        f"live streams: {count} listeners took {used} KiB, the last of them heard of a change {longest * 1_000:.0f} ms after "
        f"its answer, and the service stopped in {stopped:.2f} s"
    )
    if wanted.full:
        expect(used <= BAR_KIB, "the listeners take more memory than they may", used)
        expect(longest <= BAR_SECONDS, "an event took longer than it may", longest)


asyncio.run(main())
