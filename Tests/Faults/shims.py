"""The libraries of shim/, which stand between the service and the system: compiled on demand, and how to load them."""

import atexit
import functools
import pathlib
import shutil
import subprocess
import tempfile

import harness

SOURCES = harness.HERE / "shim"


@functools.cache
def library(name):
    """The compiled library."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-shim-"))
    atexit.register(shutil.rmtree, folder, True)
    made = folder / f"{name}.so"
    if not shutil.which("cc"):
        raise SystemExit("there is no C compiler: the packages gcc and libc6-dev are needed")
    subprocess.run(
        ["cc", "-Wall", "-Wextra", "-O2", "-shared", "-fPIC", "-o", made, SOURCES / f"{name}.c", "-ldl"], check=True
    )
    return made


def files(folder, trace=None, fails=None, gate=None, hits=None):
    """The variables with which a program's calls on the files of a folder are recorded, or fail: see shim/files.c."""
    chosen = {"SHIM_FOLDER": folder, "SHIM_TRACE": trace, "SHIM_FAIL": fails, "SHIM_GATE": gate, "SHIM_HITS": hits}
    return {
        "LD_PRELOAD": str(library("files")),
        **{name: str(value) for name, value in chosen.items() if value is not None},
    }


def clock(offset):
    """The variables by which a program's wall clock is off by the content of the file `offset`: see shim/clock.c."""
    return {"LD_PRELOAD": str(library("clock")), "SHIM_CLOCK": str(offset)}
