"""Services whose clock can be put forward and whose names and connections are a test's: by libraries before the system's."""

import atexit
import functools
import pathlib
import shutil
import struct
import subprocess
import tempfile

from kit import service

# Several start at once.
START_SECONDS = 30
SOURCES = [
    service.TOP / "Tests/Faults/shim/clock.c",
    service.TOP / "Tests/Acceptance/operations/webhook_peers/network.c",
]


@functools.cache
def libraries():
    """The compiled libraries, as LD_PRELOAD wants them."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-shim-"))
    atexit.register(shutil.rmtree, folder, True)
    if not shutil.which("cc"):
        raise SystemExit("there is no C compiler: the packages gcc and libc6-dev are needed")
    made = []
    for source in SOURCES:
        made.append(str(folder / f"{source.stem}.so"))
        flags = ["-Wall", "-Wextra", "-O2", "-shared", "-fPIC"]
        subprocess.run(["cc", *flags, "-o", made[-1], source, "-ldl"], check=True)
    return ":".join(made)


class Clock:
    """How far the clock of services is put forward, in seconds; while they run, too."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder, "offset")
        self.path.parent.mkdir(exist_ok=True)
        self.seconds = 0
        self.path.write_bytes(struct.pack("<q", 0))

    def advance(self, seconds):
        self.seconds += seconds
        with open(self.path, "r+b") as file:
            file.write(struct.pack("<q", self.seconds))


class Network:
    """The addresses of names, and the connections made."""

    def __init__(self, folder):
        self.names = pathlib.Path(folder, "names")
        self.names.parent.mkdir(exist_ok=True)
        self.path = pathlib.Path(folder, "trace")
        self.names.write_text("")
        self.path.write_text("")
        self.seen = 0

    def name(self, *words):
        """A line of the file: a name and its addresses; see network.c."""
        with open(self.names, "a") as file:
            file.write(" ".join(words) + "\n")

    def news(self):
        """The look-ups and connections since the last call."""
        lines = self.path.read_text().splitlines()
        new, self.seen = lines[self.seen :], len(lines)
        return new


def make(folder, name, database=None, options=(), clock=None, network=None, trust=None):
    """A service in a folder of its own, which is not started yet."""
    place = pathlib.Path(folder, name)
    place.mkdir(parents=True)
    made = service.Service(service.built_binary(), place, database, options)
    made.environment = {"LD_PRELOAD": libraries()}
    if clock:
        made.environment |= {"SHIM_CLOCK": str(clock.path), "SHIM_TIME_PASSES": "1"}
    if network:
        made.environment |= {"SHIM_NAMES": str(network.names), "SHIM_TRACE": str(network.path)}
    if trust:
        made.environment["SHIM_TRUST"] = str(trust)
    return made
