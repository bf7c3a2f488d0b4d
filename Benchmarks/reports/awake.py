"""Keeps the cores awake, with work that gives way to any other.

One client at a time leaves a core idle while it waits. A virtual machine's core then halts, and to wake it takes the
host 20 to 100 µs, or none, as the host likes: that is no part of the measurement.
"""

import contextlib
import os
import subprocess
import sys

SPIN = """
import os
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
while os.getppid() == {}:
  for _ in range(100_000):
    pass
"""


@contextlib.contextmanager
def cores():
    """One loop for each core, of the scheduling class that runs only if nothing else wants to (sched(7),
    SCHED_IDLE)."""
    spinners = [subprocess.Popen([sys.executable, "-c", SPIN.format(os.getpid())]) for _ in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()
