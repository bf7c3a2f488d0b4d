#!/usr/bin/env python3
"""The service notifies systemd, or a program with its protocol (sd_notify(3)), when it serves, that it lives, and that
it stops.

The socket is ours, at a path and at an abstract address, as systemd's may be. READY=1 comes once a client is accepted and not
before; WATCHDOG=1 comes in time while the event loops turn, and no more once one of them hangs, which ptrace(2) makes it do.
"""

import ctypes
import itertools
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time

from kit import client, service
from kit.expecting import expect, expect_equal

BINARY = service.built_binary()
# The time that the service has to give a sign of life.
WATCHDOG_SECONDS = 2

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


class Supervisor:
    """A socket such as systemd's, and the messages that have come."""

    def __init__(self, address):
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)
        # The lines of each message, with the time at which it came.
        self.messages = []

    def collect(self, seconds):
        """Takes messages within this time; returns them."""
        deadline = time.monotonic() + seconds
        new = []
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                new.append((time.monotonic(), self.socket.recv(4096).decode().split("\n")))
            except TimeoutError:
                break
        self.messages += new
        return new

    def wait_for(self, line, seconds):
        deadline = time.monotonic() + seconds
        while not any(line in lines for _, lines in self.messages):
            expect(time.monotonic() < deadline, f"no {line} within {seconds} s: {self.messages}")
            self.collect(0.02)

    def count(self, line):
        return sum(line in lines for _, lines in self.messages)


def supervised(folder, supervisor, **environment):
    clock = service.Service(BINARY, folder)
    clock.environment = {"NOTIFY_SOCKET": supervisor.address, **environment}
    return clock


def check_messages(address):
    """From the start to the end, without a watchdog."""
    with tempfile.TemporaryDirectory() as folder:
        supervisor = Supervisor(address.replace("FOLDER", folder))
        clock = supervised(folder, supervisor)
        clock.launch()
        supervisor.wait_for("READY=1", 30)
        # It serves at this moment, not a while later.
        asking = client.Client(clock.port, timeout=5)
        expect_equal(asking.request("GET", "/health/ready").status, 200, "the first request behind READY=1")
        asking.close()
        supervisor.collect(1.5)
        expect_equal(supervisor.count("WATCHDOG=1"), 0, "signs of life that nobody wants")
        clock.stop()
        supervisor.collect(0.2)
        order = [line for _, lines in supervisor.messages for line in lines if not line.startswith("STATUS=")]
        expect_equal(order, ["READY=1", "STOPPING=1"], "the messages")
        statuses = [line for _, lines in supervisor.messages for line in lines if line.startswith("STATUS=")]
        expect(len(statuses) == 3 and str(clock.port) in statuses[1], f"the statuses: {statuses}")


def check_failing_start():
    """A service that cannot listen is never ready."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as taken:
        supervisor = Supervisor(f"{folder}/notify")
        clock = supervised(folder, supervisor)
        taken.bind(("127.0.0.1", clock.port))
        taken.listen()
        clock.launch()
        expect(clock.process.wait(timeout=30) != 0, "a taken port is no failure")
        supervisor.collect(0.2)
        expect(supervisor.count("READY=1") == 0 and supervisor.messages, f"not listening: {supervisor.messages}")


def check_nobody_there():
    """A supervisor that is gone keeps nobody from serving."""
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder)
        clock.environment = {"NOTIFY_SOCKET": f"{folder}/gone", "WATCHDOG_USEC": "1000000"}
        clock.start()
        clock.stop()


def check_other_process():
    """A watchdog that is for another process is none of ours."""
    with tempfile.TemporaryDirectory() as folder:
        supervisor = Supervisor(f"{folder}/notify")
        clock = supervised(folder, supervisor, WATCHDOG_USEC="400000", WATCHDOG_PID="1")
        clock.launch()
        supervisor.wait_for("READY=1", 30)
        supervisor.collect(1)
        expect_equal(supervisor.count("WATCHDOG=1"), 0, "signs of life for another process")
        clock.stop()


def thread(process, name):
    """The id of the process's thread of this name."""
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        if (task / "comm").read_text().strip() == name:
            return int(task.name)
    raise SystemExit(f"the service has no thread {name}")


def trace(request, task):
    if libc.ptrace(request, task, None, None) != 0:
        raise OSError(ctypes.get_errno(), f"ptrace {request}")


def check_watchdog():
    """Signs of life come four times in the time that is given, stop while a loop stands still, and come again."""
    with tempfile.TemporaryDirectory() as folder:
        supervisor = Supervisor(f"{folder}/notify")
        clock = supervised(folder, supervisor, WATCHDOG_USEC=str(WATCHDOG_SECONDS * 1_000_000))
        clock.launch()
        supervisor.wait_for("READY=1", 30)
        times = [at for at, lines in supervisor.collect(3 * WATCHDOG_SECONDS) if lines == ["WATCHDOG=1"]]
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        expect(len(times) >= 8 and max(gaps) < WATCHDOG_SECONDS / 2, f"signs of life: {gaps}")

        loop = thread(clock.process, "http-0")
        trace(PTRACE_SEIZE, loop)
        trace(PTRACE_INTERRUPT, loop)
        stood_still = time.monotonic()
        supervisor.collect(WATCHDOG_SECONDS)
        late = [at - stood_still for at, lines in supervisor.collect(2 * WATCHDOG_SECONDS) if lines == ["WATCHDOG=1"]]
        expect_equal(late, [], "signs of life of a service that hangs")
        with_hang = [at - stood_still for at, lines in supervisor.messages if at > stood_still]
        expect(len(with_hang) < 5, f"signs of life after the loop stood still: {with_hang}")
        expect(clock.process.poll() is None, "the service has ended")
        # Other threads go on: it is the loop that is missed.
        os.waitpid(loop, 0x40000000)
        trace(PTRACE_DETACH, loop)
        again = [lines for _, lines in supervisor.collect(WATCHDOG_SECONDS) if lines == ["WATCHDOG=1"]]
        expect(len(again) >= 2, "no sign of life once the loop turns again")
        clock.stop()


def check_unit():
    """The unit expects the service's messages, and gives it the time that it may need."""
    unit = (service.TOP / "deploy/timeclock.service").read_text()
    settings = dict(re.findall(r"^(\w+)=(.*)$", unit, re.M))
    expect_equal(settings["Type"], "notify", "the unit's type")
    expect(int(settings["WatchdogSec"]) >= 10, "the unit's watchdog")
    expect_equal(settings["TimeoutStartSec"], "infinity", "the time that a migration may take")
    expect(settings["Restart"] in ("on-failure", "on-watchdog", "always"), "nothing restarts it")
    expect("AF_UNIX" in settings["RestrictAddressFamilies"].split(), "the unit keeps it from its supervisor's socket")
    if pathlib.Path("/usr/bin/systemd-analyze").exists():
        checked = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", str(service.TOP / "deploy/timeclock.service")],
            capture_output=True,
            text=True,
        )
        wrong = [line for line in checked.stderr.splitlines() if re.search(r"Unknown|Invalid|Failed to parse", line)]
        expect(not wrong, f"systemd-analyze: {wrong}")


def main():
    check_unit()
    for address in ("FOLDER/notify", f"@timeclock-{os.getpid()}"):
        check_messages(address)
    check_failing_start()
    check_nobody_there()
    check_other_process()
    check_watchdog()
    print("supervised: READY=1 once it listens, WATCHDOG=1 while its loops turn, STOPPING=1 at the end")


main()
