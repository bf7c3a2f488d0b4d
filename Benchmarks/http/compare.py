#!/usr/bin/env python3
"""Measures Timeclock against the bare responder, in interleaved rounds on one machine.

For each: requests a second under `wrk -t1 -c32`, and CPU time a request (utime + stime of the process).
Needs wrk and a C compiler. Talks to loopback only.

usage: compare.py [rounds] [seconds]
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from kit import service

TOP = pathlib.Path(__file__).resolve().parent.parent.parent

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def measure(pid, url, seconds, token):
    before = cpu_seconds(pid)
    wrk = subprocess.run(
        ["wrk", "-t1", "-c32", f"-d{seconds}", "-H", f"Authorization: Bearer {token}", url],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    after = cpu_seconds(pid)
    if "Non-2xx" in wrk or "Socket errors" in wrk:
        sys.exit(f"{url} did not answer well:\n{wrk}")
    count = int(re.search(r"(\d+) requests in", wrk)[1])
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", wrk)[1])
    return rate, (after - before) / count * 1e6


def memory(pid, field):
    return int(re.search(rf"{field}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder)
        organization = clock.create_organization()
        began = time.monotonic()
        clock.start()
        ready = (time.monotonic() - began) * 1000
        idle = memory(clock.process.pid, "VmRSS")
        base = f"http://127.0.0.1:{clock.port}"
        entries = f"{base}/v1/organizations/{organization['organizationID']}/timeEntries"
        token = organization["token"]
        urllib.request.urlopen(
            urllib.request.Request(f"{entries}/clockIn", method="POST", headers={"Authorization": f"Bearer {token}"})
        )
        # The responder sends the very bytes of GET /health/live.
        live = subprocess.run(["curl", "-si", f"{base}/health/live"], check=True, capture_output=True).stdout
        pathlib.Path(folder, "live").write_bytes(live)
        responder = str(pathlib.Path(folder, "responder"))
        subprocess.run(["cc", "-O2", "-o", responder, str(TOP / "Benchmarks/http/responder.c")], check=True)
        port = service.free_port()
        yardstick = subprocess.Popen([responder, str(port), str(pathlib.Path(folder, "live"))])
        time.sleep(0.2)
        targets = {
            "responder": (yardstick.pid, f"http://127.0.0.1:{port}/"),
            "getLiveness": (clock.process.pid, f"{base}/health/live"),
            "getCurrentTimeEntry": (clock.process.pid, f"{entries}/current"),
        }
        figures = {name: [] for name in targets}
        try:
            for _ in range(rounds):
                for name, (pid, url) in targets.items():
                    figures[name].append(measure(pid, url, seconds, token))
        finally:
            yardstick.terminate()
            yardstick.wait()
        loaded = memory(clock.process.pid, "VmRSS")
        clock.stop()
    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}
    print(f"{'':22}{'requests/s':>12}{'µs CPU':>10}{'rate':>8}{'CPU':>8}   (medians of {rounds} rounds)")
    for name, (rate, cpu) in medians.items():
        print(
            f"{name:22}{rate:12.0f}{cpu:10.2f}{rate / medians['responder'][0]:8.2f}{cpu / medians['responder'][1]:8.2f}"
        )
    print(json.dumps({"readyMilliseconds": round(ready, 1), "idleMB": round(idle, 1), "loadedMB": round(loaded, 1)}))


main()
