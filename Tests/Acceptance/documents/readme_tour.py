#!/usr/bin/env python3
"""Runs the commands of the README's tour as they stand there, and checks every answer's status."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from kit import service

EXPECTED = [201, 200, 200, 200, 201, 409]


def main():
    tour = (service.TOP / "README.md").read_text().split("## Tour")[1].split("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", tour, re.S)
    assert len(blocks) >= 5, "the tour has lost its commands"
    binary = service.built_binary()
    port = service.free_port()
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, ".curlrc").write_text('write-out = "%{stderr}\\nSTATUS %{http_code}\\n"\n')
        commands = "\n".join(blocks).replace("127.0.0.1:8080", f"127.0.0.1:{port}")
        environment = dict(
            os.environ,
            CURL_HOME=folder,
            TIMECLOCK_PORT=str(port),
            PATH=f"{pathlib.Path(binary).parent}:{os.environ['PATH']}",
        )
        script = f"set -eu\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{commands}\nkill %1\nwait %1\n"
        run = subprocess.run(
            ["bash", "-c", script], cwd=folder, env=environment, text=True, capture_output=True, timeout=60
        )
        print(run.stdout)
        if run.returncode not in (0, 128 + signal.SIGTERM):
            sys.exit(f"the tour ended with {run.returncode}: {run.stderr}")
        statuses = [int(status) for status in re.findall(r"^STATUS (\d+)$", run.stderr, re.M)]
        if statuses != EXPECTED:
            sys.exit(f"the tour answered {statuses}, not {EXPECTED}")
        for needed in ['"notes": "Opening the café"', '"status": "clocked-in"', '"code": "overlap"', '"count": 1']:
            if needed not in run.stdout:
                sys.exit(f"the tour never showed {needed}")
    print(f"README tour: {len(statuses)} answers as promised")


main()
