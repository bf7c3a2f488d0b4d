#!/usr/bin/env python3
"""Counts the program's instructions for a lone clock-in or clock-out on SQLite, as ../http/instructions.py does for reads.

usage: instructions.py [pairs]
"""

import importlib.util
import pathlib
import re
import socket
import subprocess
import sys
import tempfile

from kit import service

SPECIFICATION = importlib.util.spec_from_file_location(
    "http_instructions", pathlib.Path(__file__).resolve().parent.parent / "http/instructions.py"
)
http_instructions = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(http_instructions)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    folder = pathlib.Path(tempfile.mkdtemp(prefix="timeclock-instructions-"))
    clock = service.Service(http_instructions.wrapper(folder), folder)
    organization = clock.create_organization()
    clock.start(patience=90)
    connection = socket.create_connection(("127.0.0.1", clock.port))
    entries = f"/v1/organizations/{organization['organizationID']}/timeEntries"

    def control(*arguments):
        subprocess.run(["callgrind_control", *arguments, str(clock.process.pid)], check=True, capture_output=True)

    def pairs(number):
        for _ in range(number):
            for operation in ("clockIn", "clockOut"):
                http_instructions.ask(connection, "POST", f"{entries}/{operation}", organization["token"])

    pairs(60)
    control("-i", "on")
    pairs(1)
    control("-z")
    pairs(count)
    control("-d")
    control("-i", "off")
    total = re.search(r"^(?:totals|summary): (\d+)", (folder / "counts.1").read_text(), re.M)
    print(f"{int(total[1]) / count / 2:,.0f} instructions a write")
    connection.close()
    clock.stop()
    print(f"callgrind_annotate {folder}/counts.1")


main()
