"""Counts the service's instructions and system calls, which do not swing as times do.

The service runs in callgrind. The kernel's instructions are not counted, and SHA-256 takes more of them than on a processor
that has instructions of its own for it. Memory is not filled or copied by `rep` instructions, of which callgrind counts one
for each byte. Needs valgrind, binutils and a C compiler.
"""

import collections
import pathlib
import re
import socket
import subprocess
import sys

from kit import service
from loading import HERE

# Of one thread, or of several.
Counts = collections.namedtuple("Counts", "instructions calls")

# The function in which SQLite's writer spends its life, as the linker names it.
WRITER = "$s13SQLiteStorage0A6WriterC3run"
WITHOUT_REP = "glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000"


class CountedService(service.Service):
    """A server whose work is counted in parts. The output of callgrind for each part stays in the folder, for
    callgrind_annotate."""

    def __init__(self, binary, folder, *arguments):
        folder = pathlib.Path(folder)
        # Callgrind would read the debugging information that the program is built with.
        stripped = folder / "timeclock"
        subprocess.run(["strip", "-g", "-o", stripped, binary], check=True)
        clock = folder / "slow_clock.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", clock, HERE / "slow_clock.c"], check=True)
        wrapper = folder / "counted"
        wrapper.write_text(
            "#!/bin/sh\n"
            f'[ "$1" = serve ] || exec {stripped} "$@"\n'
            f"GLIBC_TUNABLES={WITHOUT_REP} LD_PRELOAD={clock} exec valgrind --tool=callgrind --instr-atstart=no"
            f" --separate-threads=yes --collect-systime=msec --callgrind-out-file={folder}/counts"
            f' --log-file={folder}/valgrind.log {stripped} "$@"\n'
        )
        wrapper.chmod(0o755)
        super().__init__(wrapper, folder, *arguments)
        self.parts = 0

    def _control(self, *arguments):
        subprocess.run(["callgrind_control", *arguments, str(self.process.pid)], check=True, capture_output=True)

    def count(self, work):
        """The counts of `work`, of SQLite's writer and of the other threads. Its calls should have been made before."""
        self._control("-i", "on")
        self._control("-z")
        work()
        self._control("-d")
        self._control("-i", "off")
        self.parts += 1
        return self._read(self.folder.glob(f"counts.{self.parts}-*"))

    @staticmethod
    def _read(files):
        writer, others = Counts(0, 0), Counts(0, 0)
        for file in files:
            text = file.read_text()
            names = re.search(r"^events: (.*)", text, re.M)[1].split()
            numbers = map(int, re.search(r"^(?:totals|summary): (.*)", text, re.M)[1].split())
            totals = dict(zip(names, numbers))
            counts = Counts(totals["Ir"], totals.get("sysCount", 0))
            if WRITER in text:
                writer = Counts(*map(sum, zip(writer, counts)))
            else:
                others = Counts(*map(sum, zip(others, counts)))
        return writer, others


class Connection:
    """A connection that sends requests, without content or with JSON, and expects success."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))

    def send(self, method, path, token=None, body=""):
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
        length = "" if method == "GET" else f"Content-Length: {len(body)}\r\n"
        kind = "Content-Type: application/json\r\n" if body else ""
        authorization = f"Authorization: Bearer {token}\r\n" if token else ""
        self.socket.sendall(f"{head}{kind}{length}{authorization}\r\n{body}".encode())

    def expect_success(self):
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.socket.recv(65536)
        head, _, content = answer.partition(b"\r\n\r\n")
        length = int((re.search(rb"\r\ncontent-length: *(\d+)", head.lower()) or [0, 0])[1])
        while len(content) < length:
            content += self.socket.recv(65536)
        if not head.startswith(b"HTTP/1.1 2"):
            sys.exit(f"{head.decode()}\n{content.decode()}")
        return content

    def ask(self, method, path, token=None, body=""):
        self.send(method, path, token, body)
        return self.expect_success()
