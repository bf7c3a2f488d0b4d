"""Runs a test with the Python that has the packages of requirements.txt."""

import os
import subprocess
import sys

from kit import service


def enter():
    """Starts the script again with that Python, unless it runs with it already."""
    if sys.prefix == str(service.TOP / ".build/python"):
        # What the packages import are the library's modules, not tests of the same name.
        sys.path.append(sys.path.pop(0))
        return
    installed = subprocess.run(
        [service.TOP / "scripts/install-python-packages"], check=True, stdout=subprocess.PIPE, text=True
    )
    python = installed.stdout.strip()
    os.execv(python, [python, *sys.argv])
