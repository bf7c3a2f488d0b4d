#!/usr/bin/env python3
"""The log is text or JSON by choice and says the same in both; a misspelled variable is reported at once, and stops
nothing."""

import json
import os
import re
import socket
import subprocess
import tempfile

from kit import client, service
from kit.expecting import expect, expect_equal

BINARY = service.built_binary()
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
FIELD = re.compile(r" ([a-z]+)=(\S+)")


def logged(**environment):
    """The lines of a server that was asked all kinds of things, and stopped."""
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(BINARY, folder, options=["--log-level", "debug"])
        created = clock.create_organization()
        clock.environment = environment
        clock.start()
        entries = f"/v1/organizations/{created['organizationID']}/timeEntries"
        asking = client.Client(clock.port)
        expect_equal(asking.request("POST", f"{entries}/clockIn", created["token"]).status, 201, "clocking in")
        expect_equal(asking.request("GET", f"{entries}/current", created["token"]).status, 200, "looking")
        expect_equal(asking.request("GET", "/nowhere").status, 404, "nowhere")
        expect_equal(asking.request("GET", "/health/live").status, 200, "a health check")
        with socket.create_connection(("127.0.0.1", clock.port)) as rough:
            rough.sendall(b"no request\r\n\r\n")
            rough.recv(4096)
        clock.stop()
        return (clock.folder / "server.log").read_text().splitlines()


def named_in_text(line):
    """The event of a line of text, and the names of its fields."""
    time, level, rest = line.split(" ", 2)
    expect(TIME.fullmatch(time) is not None, f"the time of {line}")
    fields = FIELD.findall(rest)
    return level, rest.split("=")[0].rsplit(" ", 1)[0] if fields else rest, sorted(name for name, _ in fields)


def named_in_json(line):
    """The same of a line of JSON, whose first members are the time, the level and the message."""
    value = json.loads(line)
    expect(isinstance(value, dict) and list(value)[:3] == ["time", "level", "message"], f"the members of {line}")
    expect(TIME.fullmatch(value["time"]) is not None, f"the time of {line}")
    expect(all(type(value[name]) is int for name in ("status", "microseconds") if name in value), f"numbers: {line}")
    return value["level"], value["message"], sorted(list(value)[3:])


def without_checks(lines):
    """In an order of their own, without health checks: there are as many as it took to be ready."""
    return sorted(line for line in lines if line[0] != "debug")


def check_formats():
    text = [named_in_text(line) for line in logged()]
    lines = logged(TIMECLOCK_LOG_FORMAT="json")
    found = [named_in_json(line) for line in lines]
    expect_equal(without_checks(found), without_checks(text), "the lines in JSON and in text")
    for message in ("opened database", "listening", "request", "request refused", "stopping", "stopped"):
        expect(any(line[1] == message for line in found), f"no line {message}: {found}")
    expect(any(line[0] == "debug" for line in found), f"no health check: {found}")
    request = next(json.loads(line) for line in lines if '"clockIn"' in line)
    expect(
        request["status"] == 201
        and request["method"] == "POST"
        and {"id", "from", "organization", "user"} < set(request),
        f"the line of a request: {request}",
    )


def check_misspelled():
    wanted = "TIMECLOCK_LOGLEVEL is no setting, and nothing reads it: TIMECLOCK_LOG_LEVEL is the nearest"
    told = [line for line in logged(TIMECLOCK_LOGLEVEL="s3cret") if "TIMECLOCK_LOGLEVEL" in line]
    expect(len(told) == 1 and " warning " in told[0] and wanted in told[0], f"the warning: {told}")
    lines = logged(TIMECLOCK_LOGLEVEL="s3cret", TIMECLOCK_LOG_FORMAT="json")
    told = [json.loads(line) for line in lines if "TIMECLOCK_LOGLEVEL" in line]
    expect(len(told) == 1 and told[0]["level"] == "warning" and wanted in told[0]["message"], f"the warning: {told}")
    expect("s3cret" not in "".join(lines), "the log has the value of a variable")
    expect(not any("is no setting" in line for line in logged()), "the log warns of a variable that is right")


def check_refusal():
    start = subprocess.run(
        [BINARY, "serve"], env=os.environ | {"TIMECLOCK_LOG_FORMAT": "yaml"}, capture_output=True, text=True, timeout=30
    )
    expect(
        start.returncode != 0 and "TIMECLOCK_LOG_FORMAT is not valid: it is one of text, json." in start.stderr,
        f"another format: {start.stderr}",
    )


def main():
    # The tests' own variables are no settings of the service.
    for name in [name for name in os.environ if name.startswith("TIMECLOCK_")]:
        del os.environ[name]
    check_formats()
    check_misspelled()
    check_refusal()
    print("log_format: text and JSON say the same, and a misspelled variable is told")


main()
