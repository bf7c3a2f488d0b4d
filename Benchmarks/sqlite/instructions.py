#!/usr/bin/env python3
"""Counts the program's instructions and system calls for a clock-in and a clock-out on SQLite, with the real server;
with --segments also for starting and stopping segments; with --listeners beside that many listeners of other
organizations.

Groups of 16 that share a commit, as in frames.py, counted after as many others: of the writer's thread, and of all
others. The write of nothing that each group waits behind is counted apart and left out. Then a lone pair, which has
commits of its own. In callgrind (`loading/counting.py`): its output stays in the folder printed, for
callgrind_annotate.

usage: instructions.py [--groups N] [--days N] [--segments] [--listeners N] [BINARY ...]

Each BINARY makes a database of its own. Without any, that of the static release build, or of TIMECLOCK_BINARY.
Talks to loopback only.
"""

import argparse
import json
import pathlib
import random
import tempfile

from groups import SIZE, Groups, Log, generate
from kit import service
from loading.counting import Connection, CountedService, Counts


def show(name, counts, of):
    writer, others = counts
    print(
        f"  {name:<20} {writer.instructions / of:9,.0f} writer {others.instructions / of:9,.0f} others"
        f" {sum(part.instructions for part in counts) / of:9,.0f} together"
        f" {writer.calls / of:6.1f} and {others.calls / of:.1f} system calls",
        flush=True,
    )


def without(counts, idle):
    return [Counts(*(a - b for a, b in zip(part, rest))) for part, rest in zip(counts, idle)]


def added(one, other):
    return [Counts(*map(sum, zip(*parts))) for parts in zip(one, other)]


IN, OUT = "timeEntries/clockIn", "timeEntries/clockOut"
# The same path with other bodies.
START, SWITCH, STOP = "segments/start", "segments/start#other", "segments/stop"


def start_bodies(clock, members):
    """Work on one of two projects of each member's own; nothing if the service knows no segments."""
    connection = Connection(clock.port)
    bodies = {}
    for organization, token in members:
        for operation in (START, SWITCH):
            path = f"/v1/organizations/{organization}/projects"
            project = json.loads(connection.ask("POST", path, token, '{"name":"Own"}'))
            bodies[token, operation] = json.dumps({"projectId": project["id"]})
    return bodies


def count_groups(clock, together, log, groups, has_segments):
    def run(operation):
        for group in range(groups):
            together.run(operation, group)

    def counted(operation):
        log.added()
        counts = without(clock.count(lambda: run(operation)), idle)
        commits = log.added()[0]
        if commits > 1.1 * groups:
            raise SystemExit(f"{groups} groups took {commits} commits")
        return counts

    run(IN)
    run(OUT)
    idle = clock.count(lambda: run(None))
    clock_in, clock_out = counted(IN), counted(OUT)
    show("clock-in", clock_in, groups * SIZE)
    show("clock-out", clock_out, groups * SIZE)
    show("pair", added(clock_in, clock_out), groups * SIZE)
    if not has_segments:
        return
    run(IN)
    for operation in (START, STOP):
        run(operation)
    show("start a segment", counted(START), groups * SIZE)
    show("switch to another", counted(SWITCH), groups * SIZE)
    show("stop a segment", counted(STOP), groups * SIZE)
    run(OUT)
    show("clock in with one", counted(START), groups * SIZE)
    show("clock out with one", counted(OUT), groups * SIZE)


def count_alone(clock, member, count):
    organization, token = member
    connection = Connection(clock.port)

    def run(pairs):
        for _ in range(pairs):
            for operation in ("clockIn", "clockOut"):
                connection.ask("POST", f"/v1/organizations/{organization}/timeEntries/{operation}", token)

    run(10)
    show("pair, alone", clock.count(lambda: run(count)), count)


def listen(clock, members):
    """Connections on which each of the members hears of changes."""
    connections = []
    for organization, token in members:
        connection = Connection(clock.port)
        connection.send("GET", f"/v1/organizations/{organization}/events", token)
        if b" 200 " not in connection.socket.recv(65536):
            raise SystemExit("a listener is refused")
        connections.append(connection)
    return connections


def measure(binary, groups, days, has_segments, listener_count):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-instructions-"))
    path = folder / "timeclock.db"
    members = generate(binary, path, days)
    clock = CountedService(binary, folder, None, ("--max-connections", str(listener_count + 200)))
    clock.start(patience=90)
    # All of some organizations, in which nobody clocks in.
    members.sort()
    while 0 < listener_count < len(members) and members[listener_count - 1][0] == members[listener_count][0]:
        listener_count += 1
    listeners = listen(clock, members[:listener_count]) if listener_count else []
    members = members[listener_count:]
    random.Random(1).shuffle(members)
    bodies = start_bodies(clock, members[: groups * SIZE]) if has_segments else {}
    together = Groups(clock, path, members, bodies)
    count_groups(clock, together, Log(path), groups, has_segments)
    together.close()
    count_alone(clock, members[0], groups)
    for listener in listeners:
        listener.socket.close()
    clock.kill()
    print(f"  callgrind_annotate {folder}/counts.2-*")


def main():
    parser = argparse.ArgumentParser(
        usage="instructions.py [--groups N] [--days N] [--segments] [--listeners N] [BINARY ...]"
    )
    parser.add_argument("--groups", type=int, default=60)
    parser.add_argument("--days", type=int, default=20)
    parser.add_argument("--segments", action="store_true")
    parser.add_argument("--listeners", type=int, default=0)
    parser.add_argument("binaries", nargs="*")
    options = parser.parse_args()
    for binary in options.binaries or [service.built_binary()]:
        print(f"{binary}:", flush=True)
        measure(binary, options.groups, options.days, options.segments, options.listeners)


main()
