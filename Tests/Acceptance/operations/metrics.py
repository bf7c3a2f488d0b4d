#!/usr/bin/env python3
"""Metrics are served on both storages, behind their own listener only, as promtool wants them, and count clients'
requests.

docs/monitoring.md lists exactly the metrics that are served; the dashboard and the alert rules of deploy/ ask for no other.
"""

import json
import pathlib
import re
import subprocess
import tempfile
import time

from kit import client, open_files, postgresql, service
from kit.expecting import expect, expect_equal

BINARY = service.built_binary()
DEPLOY = service.TOP / "deploy"
ALERTS = DEPLOY / "prometheus-alerts.yaml"
# The suffixes that a metric's series may have.
SUFFIXES = re.compile(r"_(bucket|sum|count)$")


class Metered(service.Service):
    """A server with a listener for metrics."""

    def __init__(self, folder, database=None, options=()):
        self.metrics_port = service.free_port()
        listen = f"127.0.0.1:{self.metrics_port}"
        super().__init__(BINARY, folder, database, ["--metrics-listen", listen, *options])

    def scrape(self):
        answer = client.Client(self.metrics_port).request("GET", "/metrics")
        expect_equal(answer.status, 200, "the scrape")
        expect_equal(answer.fields["content-type"], "text/plain; version=0.0.4; charset=utf-8", "the media type")
        return answer.body.decode()


def series(text):
    """The number of each series of a scrape."""
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line[0] != "#"}


def kinds(text):
    """The kind of each metric of a scrape."""
    return dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))


def promtool(*arguments, text=None):
    done = subprocess.run(["promtool", *arguments], input=text, capture_output=True, text=True)
    expect(done.returncode == 0 and not done.stderr, f"promtool {arguments}: {done.stdout}{done.stderr}")


def check_served(folder, database=None):
    """Asks a server for known things and compares; returns the kinds of its metrics."""
    clock = Metered(folder, database, ["--event-loops", "2"])
    created = clock.create_organization()
    clock.start()
    entries = f"/v1/organizations/{created['organizationID']}/timeEntries"
    asking = client.Client(clock.port)
    for status in (201, 409, 409):
        expect_equal(asking.request("POST", f"{entries}/clockIn", created["token"]).status, status, "clocking in")
    for _ in range(5):
        asking.request("GET", f"{entries}/current", created["token"])
    expect_equal(asking.request("GET", "/metrics").status, 404, "metrics on the public listener")
    expect_equal(asking.request("GET", "/nowhere").status, 404, "nowhere")
    log_in = {"email": "admin@example.com", "password": "not this one"}
    for status in (401, 401, 401, 401, 401, 429):
        expect_equal(asking.request("POST", "/v1/auth/token", None, log_in).status, status, "logging in")
    # The loops are asked once a second, the webhooks counted two seconds after the start.
    time.sleep(2.5)
    if not database:
        check_backup(clock, folder)
    text = clock.scrape()
    promtool("check", "metrics", text=text)
    found = series(text)
    name = "timeclock_request_duration_seconds"

    def count(operation, status):
        return found.get(f'{name}_count{{operation="{operation}",status="{status}"}}')

    expect_equal(count("clockIn", "2xx"), 1, "clock-ins")
    expect_equal(count("clockIn", "4xx"), 2, "refused clock-ins")
    expect_equal(count("getCurrentTimeEntry", "2xx"), 5, "looks")
    expect_equal(count("none", "4xx"), 2, "requests of no operation")
    expect_equal(count("clockOut", "2xx"), None, "clock-outs")
    last = found[f'{name}_bucket{{operation="clockIn",status="2xx",le="+Inf"}}']
    expect(last == 1 and found[f'{name}_sum{{operation="clockIn",status="2xx"}}'] > 0, "the times of clock-ins")
    expect_equal(found['timeclock_log_ins_refused_total{code="invalid_credentials"}'], 5, "wrong passwords")
    expect_equal(found['timeclock_log_ins_refused_total{code="too_many_attempts"}'], 1, "too many attempts")
    expect_equal(found["timeclock_open_connections"], 1, "open connections")
    expect(found["timeclock_event_loop_lag_seconds_count"] >= 2, "the loops were not asked")
    expect_equal({found[f'timeclock_event_loop_stalled_seconds{{loop="{n}"}}'] > 1 for n in (0, 1)}, {False}, "stalls")
    for kind in ("read", "write"):
        expect(found[f'timeclock_storage_duration_seconds_count{{kind="{kind}"}}'] >= 1, f"no {kind} was counted")
    commits = found["timeclock_commit_writes_count"]
    expect(1 <= commits <= found["timeclock_commit_writes_sum"], f"commits: {commits}")
    if database:
        # Each of the two loops keeps one that reads and one that writes; others come with the work.
        expect(found["timeclock_postgresql_connections"] >= 4, "the pool", found)
        expect(found["timeclock_postgresql_connections_in_use"] <= found["timeclock_postgresql_connections"], "in use")
        expect_equal(found["timeclock_postgresql_waiting_calls"], 0, "waiting calls")
    else:
        wal = pathlib.Path(folder, "timeclock.db-wal")
        expect_equal(found["timeclock_sqlite_wal_bytes"], wal.stat().st_size, "the log's size")
    expect_equal(found['timeclock_failing_webhooks{state="enabled"}'], 0, "webhooks that fail")
    check_over_maximum(clock, created, asking)
    check_listener(clock)
    asking.close()
    clock.stop()
    return kinds(text)


def check_backup(clock, folder):
    """The time of the last back-up is there once there was one."""
    name = "timeclock_last_backup_timestamp_seconds"
    expect(name not in series(clock.scrape()), "a back-up before there was one")
    command = [BINARY, "backup", "--database", clock.database, "--to", str(pathlib.Path(folder, "back-up.db"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0 and not done.stderr, "the back-up", done)
    age = time.time() - series(clock.scrape())[name]
    expect(-2 < age < 60, f"the age of a back-up that was just made: {age} s")


def check_over_maximum(clock, created, asking):
    """The service counts two seconds after its start: a new start sees the entry that has become too long."""
    policy = {"policy": {"minimumSeconds": 0, "maximumSeconds": 60}}
    base = f"/v1/organizations/{created['organizationID']}"
    token = created["token"]
    expect_equal(asking.request("POST", f"{base}/timeEntries/clockOut", token).status, 200, "clocking out")
    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3_600))
    member = asking.request(
        "POST", f"{base}/members", token, {"email": "late@example.com", "name": "Late", "role": "member"}
    )
    stated = {"userId": member.json["userId"], "clockInTime": start}
    expect_equal(asking.request("POST", f"{base}/timeEntries/clockIn", token, stated).status, 201, "an hour ago")
    patched = asking.request("PATCH", base, token, policy, [("If-Match", "*")])
    expect_equal(patched.status, 200, "a maximum of a minute")
    # Which nobody takes messages from: nothing is sent to a reserved name.
    hook = asking.request("POST", f"{base}/webhooks", token, {"url": "https://nobody.example/"})
    expect_equal(hook.status, 201, "a webhook")
    failing = 'timeclock_failing_webhooks{state="%s"}'
    clock.stop()
    clock.start()
    deadline = time.monotonic() + 20
    while (found := series(clock.scrape()).get("timeclock_open_entries_over_maximum")) != 1:
        expect(time.monotonic() < deadline, f"open entries over the maximum: {found}")
        time.sleep(0.2)
    path = f"{base}/webhooks/{hook.json['id']}"
    again = client.Client(clock.port)
    while not again.request("GET", f"{path}/deliveries", token).json["deliveries"]:
        expect(time.monotonic() < deadline, "no attempt for the webhook")
        time.sleep(0.2)
    stopped = again.request("PATCH", path, token, {"enabled": False}, [("If-Match", "*")])
    expect_equal(stopped.status, 200, "a webhook that is stopped")
    again.close()
    clock.stop()
    clock.start()
    while (found := series(clock.scrape()).get(failing % "disabled")) != 1:
        expect(time.monotonic() < deadline + 20, f"disabled webhooks: {found}")
        time.sleep(0.2)


def check_listener(clock):
    """The listener for metrics has metrics, and nothing of the service."""
    asking = client.Client(clock.metrics_port)
    for path in ("/", "/health/live", "/v1/me", "/metrics/", "/openapi.yaml"):
        expect_equal(asking.request("GET", path).status, 404, f"{path} on the listener for metrics")
    expect_equal(asking.request("POST", "/metrics").status, 405, "POST")
    asking.close()


def check_off(folder):
    """Without the setting there is one listening socket; a wrong address is refused."""
    clock = service.Service(BINARY, folder)
    clock.start()
    inodes = open_files.sockets(clock.process.pid)
    lines = pathlib.Path(f"/proc/{clock.process.pid}/net/tcp").read_text().splitlines()[1:]
    ports = {int(line.split()[1].split(":")[1], 16) for line in lines if line.split()[9] in inodes}
    expect_equal(ports, {clock.port}, "the ports without --metrics-listen")
    clock.stop()
    for wrong in ("9464", "127.0.0.1", "::1:9464", f"127.0.0.1:{clock.port}0"):
        start = subprocess.run(
            [BINARY, "serve", "--metrics-listen", wrong], cwd=folder, capture_output=True, text=True, timeout=30
        )
        expect(start.returncode != 0 and "--metrics-listen" in start.stderr, f"{wrong}: {start.stderr}")


def names_in(text):
    """The metrics of Timeclock that a text names."""
    return set(re.findall(r"\btimeclock_[a-z0-9_]+", text))


def check_documents(served):
    table = dict(
        re.findall(r"^\| `(timeclock_\w+)` \|[^|]*\| (\w*)", (service.TOP / "docs/monitoring.md").read_text(), re.M)
    )
    expect_equal(set(table), set(served), "the metrics of docs/monitoring.md and those that are served")
    for name, kind in served.items():
        expect((kind == "histogram") == (table[name] == "histogram"), f"docs/monitoring.md: {name} is a {kind}")
    promtool("check", "rules", str(ALERTS))
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += [variable["query"] for variable in dashboard["templating"]["list"] if variable["type"] == "query"]
    rules = re.sub(r"^ *#.*$", "", ALERTS.read_text(), flags=re.M)
    series_of = served | {
        f"{name}_{end}": kind
        for name, kind in served.items()
        if kind == "histogram"
        for end in ("bucket", "sum", "count")
    }
    histograms = {name for name, kind in served.items() if kind == "histogram"}
    for where, text in (("the dashboard", "\n".join(queries)), ("the alert rules", rules)):
        unknown = names_in(text) - (set(series_of) - histograms)
        expect(not unknown, f"{where}: no series {unknown}")
        asked = {SUFFIXES.sub("", name) for name in names_in(text)}
        expect(len(asked) >= 5, f"{where}: only {asked}")
    asked = {name if name in served else SUFFIXES.sub("", name) for name in names_in("\n".join(queries))}
    expect_equal(asked, set(served), "the metrics of the dashboard")
    for query in queries:
        if "label_values" not in query:
            check_query(query)


def check_query(query):
    """Has promtool read a query of the dashboard, with something for its variables."""
    plain = query.replace("$__rate_interval", "5m").replace("$instance", ".*")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as rule:
        json.dump({"groups": [{"name": "g", "rules": [{"record": "r", "expr": plain}]}]}, rule)
        rule.flush()
        promtool("check", "rules", rule.name)


def main():
    with tempfile.TemporaryDirectory() as folder:
        served = check_served(folder)
    with postgresql.Cluster(settings=["fsync=off"]) as cluster, tempfile.TemporaryDirectory() as folder:
        served |= check_served(folder, cluster.make_database("office"))
    with tempfile.TemporaryDirectory() as folder:
        check_off(folder)
    check_documents(served)
    print(f"metrics: {len(served)} metrics are right on both storages, and documents ask for no other")


main()
