"""A clock for services that stands still until it is set: the library of stepped_clock.c, compiled on demand."""

import atexit
import functools
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().with_name("stepped_clock.c")


@functools.cache
def library():
    """The compiled library."""
    if not shutil.which("cc"):
        raise SystemExit("there is no C compiler: the packages gcc and libc6-dev are needed")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-stepped-clock-"))
    atexit.register(shutil.rmtree, folder, True)
    made = folder / "stepped_clock.so"
    subprocess.run(["cc", "-Wall", "-Wextra", "-O2", "-shared", "-fPIC", "-o", made, SOURCE], check=True)
    return made


class Clock:
    """The file with the present time, in milliseconds since 1970, for all programs with its `environment`."""

    def __init__(self, path, now=None):
        self.path = pathlib.Path(path)
        self.now = time.time_ns() // 1_000_000 if now is None else now
        self.path.write_bytes(struct.pack("<q", self.now))
        self.environment = {"LD_PRELOAD": str(library()), "STEPPED_CLOCK": str(self.path)}

    def set(self, milliseconds):
        self.now = milliseconds
        with open(self.path, "r+b") as file:
            file.write(struct.pack("<q", milliseconds))

    def run(self, seconds, step=0.05):
        """Lets it run as all other clocks do, for `seconds` seconds."""
        begin, start = time.monotonic(), self.now
        while (gone := time.monotonic() - begin) < seconds:
            self.set(start + int(gone * 1_000))
            time.sleep(step)
        self.set(start + int(seconds * 1_000))
