#!/usr/bin/env python3
"""With no file descriptors left clients wait, the server does not spin, and it goes on when there are some again."""

import multiprocessing
import pathlib
import resource
import select
import tempfile
import time

from kit import raw_http, service

LIMIT = 64
CLIENTS = 120
# How long the yardstick spins, in clock ticks, and how long it may take to get them.
SPUN_TICKS = 50
PATIENCE_SECONDS = 60
ALIVE = b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"


def ticks(process):
    """The processor's time that a process has had, in clock ticks: proc(5)."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def spin():
    """A loop that asks again and again for a missing thing."""
    while True:
        pass


def check(clock):
    # The service's own jobs have begun by then, and files that the process opens only once are open.
    time.sleep(3)
    resource.prlimit(clock.process.pid, resource.RLIMIT_NOFILE, (LIMIT, LIMIT))
    held = [raw_http.RawConnection(clock.port) for _ in range(CLIENTS)]
    time.sleep(0.5)
    # Beside it, the yardstick: however busy the machine is, it has as much of it as a server that spins.
    spinning = multiprocessing.Process(target=spin, daemon=True)
    spinning.start()
    before, spun_before = ticks(clock.process.pid), ticks(spinning.pid)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while ticks(spinning.pid) - spun_before < SPUN_TICKS and time.monotonic() < deadline:
        time.sleep(0.1)
    used, spun = ticks(clock.process.pid) - before, ticks(spinning.pid) - spun_before
    spinning.kill()
    spinning.join()
    assert spun >= SPUN_TICKS, f"the yardstick has had {spun} ticks only: the machine is too busy to tell"
    assert used * 5 <= spun, f"{used} ticks without descriptors, where a loop that spins has {spun}"

    served, last = held[0], held[-1]
    served.send(ALIVE)
    assert served.answer().status == 200, "a connected client is not served"
    last.send(ALIVE)
    assert not select.select([last.socket], [], [], 0.5)[0], "it was answered, so there were descriptors left"
    for connection in held[:-1]:
        connection.socket.close()
    answer = last.answer()
    assert answer and answer.status == 200, answer
    last.socket.close()
    return used, spun


def main():
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder, options=["--head-timeout", "600"])
        clock.create_organization()
        clock.start()
        used, spun = check(clock)
        clock.stop()
    print(
        f"no descriptors left: {used} ticks where a loop that spins has {spun}, and served when there were some again"
    )


main()
