"""Machines that are played by groups of processes: all of them are killed, frozen and thawed at once."""

import contextlib
import functools
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import time

from kit import postgresql
from kit.expecting import expect


def program(name, package):
    """The path of a program. One that is not installed is a failure, no skip."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin")
    if path is None:
        raise SystemExit(f"{name} is not installed: package {package} (scripts/install-packages cluster)")
    return path


@functools.cache
def _ports():
    """Ports in an order of chance from which no connection of anybody begins."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    ports = list(range(max(1_024, first - 10_000), first))
    random.shuffle(ports)
    return iter(ports)


def free_port():
    """A port that stays free while its server is away: a client's connection could take one of the usual ports meanwhile."""
    for port in _ports():
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise SystemExit("no port is free")


def make_folder(folder):
    """Makes one that the servers' user owns, if there is none yet."""
    folder.mkdir(exist_ok=True, mode=0o700)
    if account := postgresql.server_account():
        shutil.chown(folder, account["user"])


def environment(folder):
    """What a server's process has of this one's variables: nothing that a setting could come from."""
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": str(folder)}


def start(command, folder, environment):
    """Starts a server's process in its folder, as the servers' user; its output is added to the file `log` there."""
    with open(folder / "log", "ab") as log:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            **postgresql.server_account(),
        )


def signal_all(processes, number):
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def kill(find, patience=20):
    """Ends all processes that `find` finds as a power cut would: none goes on while another is already gone."""
    deadline = time.monotonic() + patience
    while processes := find():
        expect(time.monotonic() < deadline, "processes do not end", processes)
        signal_all(processes, signal.SIGSTOP)
        signal_all(processes, signal.SIGKILL)
        time.sleep(0.05)
