"""Runs a test with the Python that has the packages of requirements.txt, or of another list."""

import os
import subprocess
import sys

from kit import service


def enter(name=None):
    """Starts the script again with that Python, unless it runs with it already; of the list `requirements-NAME.txt`."""
    folder = f"python-{name}" if name else "python"
    if sys.prefix == str(service.TOP / ".build" / folder):
        # Imports by the packages are the library's modules, not tests of the same name.
        sys.path.append(sys.path.pop(0))
        return
    installed = subprocess.run(
        [service.TOP / "scripts/install-python-packages", *([name] if name else [])],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    python = installed.stdout.strip()
    os.execv(python, [python, *sys.argv])
