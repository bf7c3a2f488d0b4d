#!/usr/bin/env python3
"""A log that nobody reads for a while holds no request back, and then says how many lines it has dropped."""

import re
import socket
import subprocess
import sys
import tempfile
import threading

from kit import service

# More lines, of about a hundred bytes, than the 4 MiB that are kept, the pipe and the batch being written hold.
BATCH = 200
REQUESTS = 300 * BATCH


def ask(port, count):
    """Sends `count` requests over one connection, each batch at once, and reads the answers."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        for _ in range(count // BATCH):
            connection.sendall(b"GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n" * BATCH)
            answers, tail = 0, b""
            while answers < BATCH:
                piece = connection.recv(1 << 20)
                if not piece:
                    sys.exit("the server closed the connection")
                answers += (tail + piece).count(b"HTTP/1.1 404 ")
                tail = piece[-12:]


def refused(port, log):
    """Sends bytes that are no request; returns the next line of the log."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(b"no request\r\n\r\n")
        connection.recv(1024)
    return log.readline()


def main():
    with tempfile.TemporaryDirectory() as folder:
        port = service.free_port()
        process = subprocess.Popen(
            [service.built_binary(), "serve", "--port", str(port), "--database", f"sqlite:{folder}/timeclock.db"],
            env=service.own_environment(),
            stderr=subprocess.PIPE,
            text=True,
        )
        lines = [process.stderr.readline()]
        while " listening " not in lines[-1]:
            lines.append(process.stderr.readline())
        if not re.search(
            r" info request refused status=400 code=malformed_request id=\S+ from=127\.0\.0\.1",
            refused(port, process.stderr),
        ):
            sys.exit("the log does not say who sent what was no request")
        ask(port, REQUESTS)
        # From here on it is read again.
        reader = threading.Thread(target=lambda: lines.extend(process.stderr))
        reader.start()
        process.terminate()
        process.wait(timeout=30)
        reader.join()
    reports = [re.search(r"^\S+Z warning (\d+) log lines dropped$", line.rstrip("\n")) for line in lines]
    dropped = sum(int(report[1]) for report in reports if report)
    written = sum(report is None for report in reports)
    times = [re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ", line) for line in lines]
    if not all(times) or sorted(time[0] for time in times) != [time[0] for time in times]:
        sys.exit("a line does not begin with its time, or they are out of order")
    # Opened, listening, stopping, stopped: each line is written or counted.
    if dropped == 0 or written + dropped != REQUESTS + 4:
        sys.exit(f"{REQUESTS} requests, {written} lines, {dropped} dropped")
    print(f"a log unread for {REQUESTS} requests: {written} lines, {dropped} told as dropped")


if __name__ == "__main__":
    main()
