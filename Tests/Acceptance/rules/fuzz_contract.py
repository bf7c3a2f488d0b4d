#!/usr/bin/env python3
"""Calls every operation of openapi.yaml with valid and invalid data, on both storages, as every permitted caller:
Schemathesis makes the data, and all of its checks judge the answers, as closed as `contract.closed` makes them.

`fuzz_contract.py [--seed S] [--examples N] [--phases LIST] [--storage NAME] [--role NAME]`; the seed is printed and
makes the same data again, as far as it does not come from the service's answers.
"""

import argparse
import concurrent.futures
import datetime
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from kit import python_packages

python_packages.enter()

import fuzz_configuration
from kit import client, contract, postgresql, service

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = 10
ROLES = ["member", "manager", "admin", "operator"]
PHASES = "examples,coverage,fuzzing,stateful"
# For all runs together; a run that is not over by then has failed. On a busy machine one takes ten minutes.
TIME_LIMIT_SECONDS = 1_190
CONTRACT = contract.Contract()


class World:
    """An organization, made for one run, with people in it and something that each of them did."""

    def __init__(self, port, operator, role, number):
        self.service = client.Client(port)
        self.number = number
        created = self.post(
            "/v1/organizations",
            operator,
            {
                "name": f"Fuzzed as {role}",
                "timeZone": "Europe/Berlin",
                "admin": {"email": self.email("founder"), "name": "Founder"},
            },
        )
        self.base = f"/v1/organizations/{created['organization']['id']}"
        founder = created["token"]
        # The operator has no account; theirs is the admin's world.
        caller, token = self.person(founder, "caller", "admin" if role == "operator" else role)
        person, person_token = self.person(founder, "person", "member")
        expendable, _ = self.person(founder, "expendable", "member", None)
        leaving, _ = self.person(founder, "leaving", "member", None)
        # Stays a member, who can be invited again and again.
        invited, _ = self.person(founder, "invited", "member", None)
        former, _ = self.person(founder, "former", "member", None)
        left = self.service.request("DELETE", f"{self.base}/members/{former}", founder, fields=[("If-Match", "*")])
        assert left.status == 204, left
        self.post(f"{self.base}/apiTokens", founder, {"name": "Terminal", "userId": expendable})
        self.post(f"{self.base}/invitations", founder, {"userId": expendable})
        now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
        self.post(
            f"{self.base}/sessions",
            founder,
            {"date": now.date().isoformat(), "title": "Evening class", "assignees": [{"id": caller}]},
        )
        self.post(f"{self.base}/breakTypes", founder, {"name": "Lunch", "isPaid": False})
        calendar = self.post(f"{self.base}/holidayCalendars", founder, {"name": "Bavaria"})["id"]
        self.post(f"{self.base}/holidayCalendars/{calendar}/import", founder, {"preset": "DE-BY", "year": 2027})
        records = {}
        plan = {"userId": caller, "weeklySeconds": 1, "workDays": ["monday"]}
        days = {"userId": caller, "days": 1}
        paid = {"userId": caller, "date": "2020-01-02", "seconds": 1, "kind": "opening", "reason": "Old clock"}
        for number, action in enumerate(("get", "update", "delete")):
            for kind, body in (
                ("workSchedule", {**plan, "from": f"20{20 + number}-01-01"}),
                ("entitlement", {**days, "year": 2020 + number}),
                ("adjustment", paid),
                ("group", {"name": "Crew", "memberIds": [caller], "representativeIds": [caller]}),
            ):
                name = f"{action}{kind[0].upper()}{kind[1:]}"
                records[name] = self.post(f"{self.base}/{kind}s", founder, body)["id"]
            # Far from the dates of other requests.
            rules = {"from": f"2098-01-{6 + 7 * number:02}"}
            records[f"{action}PayRules"] = self.post(f"{self.base}/payRules", founder, rules)["id"]
        # Asked for by somebody else, who cannot decide about them.
        dates = {"kind": "training", "portion": "day"}
        for number, name in enumerate(("getAbsence", "updateAbsence", "decideAbsence", "cancelAbsence"), 1):
            date = {"startDate": f"2027-01-0{number}", "endDate": f"2027-01-0{number}"}
            asking = person_token if name == "decideAbsence" else token
            records[name] = self.post(f"{self.base}/absences", asking, {**dates, **date})["id"]
        # The caller may decide about that of somebody else: a member, if consent is needed, about times of their own.
        for number, name in enumerate(
            ("getCorrection", "decideCorrection", "withdrawCorrection", "objectToCorrection"), 1
        ):
            times = {"clockInTime": f"2020-01-0{number}T08:00:00Z", "clockOutTime": f"2020-01-0{number}T09:00:00Z"}
            correction = {"proposal": times, "reason": "No phone"}
            if name == "objectToCorrection":
                correction |= {"userId": caller, "apply": True}
            asking = {"decideCorrection": person_token, "objectToCorrection": founder}.get(name, token)
            if name == "decideCorrection" and role == "member":
                asking, correction = founder, {**correction, "userId": caller}
            records[name] = self.post(f"{self.base}/corrections", asking, correction)["id"]
        self.post(f"{self.base}/webhooks", founder, {"url": "https://hooks.example/changes"})
        # Segments are of it, so nobody deletes it but with them.
        project = self.post(f"{self.base}/projects", founder, {"name": "Harvest"})["id"]
        spans = [
            {
                "projectId": project,
                "timeEntry": "none",
                "startTime": (now - datetime.timedelta(days=days)).isoformat(),
                "endTime": (now - datetime.timedelta(days=days, hours=-2)).isoformat(),
            }
            for days in (20, 21, 22)
        ]
        # Each for one request that nobody can guess: one to enter, one to change and one to delete.
        segments = [
            self.post(f"{self.base}/segments", founder, {**span, "userId": caller, "reason": "Forgotten"})["id"]
            for span in spans[1:]
        ]
        # Of the caller's timer: a task, and an event to change and one to delete.
        task = self.post(f"{self.base}/tasks", founder, {"name": "Pick", "ownerId": caller})["id"]
        events = [
            self.post(
                f"{self.base}/segments",
                founder,
                {
                    "taskId": task,
                    "timeEntry": "none",
                    "startTime": (now - datetime.timedelta(days=days)).isoformat(),
                    "endTime": (now - datetime.timedelta(days=days, hours=-2)).isoformat(),
                    "userId": caller,
                    "reason": "Forgotten",
                },
            )["id"]
            for days in (23, 24)
        ]
        for user in (caller, expendable):
            for days in (9, 10, 11):
                begin = (now - datetime.timedelta(days=days)).isoformat()
                end = (now - datetime.timedelta(days=days, hours=-8)).isoformat()
                self.post(
                    f"{self.base}/timeEntries", founder, {"userId": user, "clockInTime": begin, "clockOutTime": end}
                )
        self.post(f"{self.base}/timeEntries/clockIn", founder, {"userId": expendable})
        if role == "member":
            policy = {"policy": {"correctionsNeed": "consent"}}
            needed = self.service.request("PATCH", self.base, founder, policy, fields=[("If-Match", "*")])
            assert needed.status == 200, needed
        # Of the caller's own timer: a session to change and one to delete.
        rests = [
            {
                "id": f"019aa0f2-3c00-7a10-8b20-{number:012x}",
                "type": "start" if number % 2 == 0 else "stop",
                "at": (now - datetime.timedelta(minutes=60 - 10 * number)).isoformat(),
                **({"timer": {"type": "focus", "durationSeconds": 1_500}} if number % 2 == 0 else {}),
            }
            for number in range(4)
        ]
        applied = self.post(f"{self.base}/timers/commands", token, {"commands": rests})["results"]
        timer_sessions = [result["session"]["id"] for result in applied[1::2]]
        phone = {"kind": "alert", "token": "00" * 32, "topic": "com.example.app"}
        push_target = self.post(f"{self.base}/pushTargets", token, phone)["id"]
        stranger = self.post(
            "/v1/organizations",
            operator,
            {"name": "Elsewhere", "timeZone": "UTC", "admin": {"email": self.email("stranger"), "name": "Stranger"}},
        )
        # A log-in to end: nothing else needs it.
        leaver = self.post(
            "/v1/organizations",
            operator,
            {"name": "Left", "timeZone": "UTC", "admin": {"email": self.email("leaver"), "name": "Leaver"}},
        )["token"]
        listed = self.service.request("GET", "/v1/me/logIns", leaver)
        self.description = {
            "role": role,
            "port": port,
            "organizationID": created["organization"]["id"],
            "token": operator if role == "operator" else token,
            "founder": founder,
            "stranger": stranger["token"],
            "logIns": [{"id": listed.json["logIns"][0]["id"], "token": leaver}],
            "caller": caller,
            "project": project,
            "calendar": calendar,
            "records": records,
            "marks": [
                *["submitTimesheet", "withdrawTimesheet", "rejectTimesheet", "approveTimesheets", "reopenTimesheet"],
                *["lockPeriod", "unlockPeriod"],
            ],
            "switches": ["startSegment", "stopSegment"],
            "spans": spans[:1],
            "segments": dict(zip(("updateSegment", "deleteSegment"), segments, strict=True)),
            "entries": [{"clockInTime": "2024-01-16T08:00:00Z", "clockOutTime": "2024-01-16T16:00:00Z"}],
            "timerTask": task,
            "timerEvents": dict(zip(("taskTimerUpdateEvent", "taskTimerDeleteEvent"), events, strict=True)),
            "timers": [
                *["pauseTimer", "resumeTimer", "adjustTimer", "skipTimer", "stopTimer", "startNextTimer"],
                *["setTimerPresence", "putTimerSettings"],
            ],
            "pushTargets": {"deletePushTarget": push_target},
            "timerSessions": dict(zip(("updateTimerSession", "deleteTimerSession"), timer_sessions, strict=True)),
            "expendable": expendable,
            "invited": invited,
            "leaving": [leaving],
            "former": former,
            "protected": [created["user"]["id"], caller, person],
            "person": {"email": self.email("person"), "password": "what nobody guesses", "token": person_token},
        }
        self.service.close()

    def email(self, name):
        return f"{name}{self.number}@example.com"

    def person(self, founder, name, role, password="what nobody guesses"):
        """A new member's id, and the token of a log-in if there is a password."""
        member = self.post(
            f"{self.base}/members",
            founder,
            {"email": self.email(name), "name": name.capitalize(), "role": role, "password": password},
        )
        if password is None:
            return member["userId"], None
        logged_in = self.post("/v1/auth/token", None, {"email": self.email(name), "password": password})
        return member["userId"], logged_in["token"]

    def post(self, path, token, body):
        answer = self.service.request("POST", path, token, body)
        assert answer.status in (200, 201), f"{path}: {answer}"
        return answer.json


def fuzz(clock, operator, role, wanted, deadline):
    """One run of Schemathesis; its failure, and the number of its requests."""
    world = World(clock.port, operator, role, ROLES.index(role)).description
    folder = pathlib.Path(clock.folder, role)
    folder.mkdir()
    (folder / "fuzz_hooks.py").symlink_to(HERE / "fuzz_hooks.py")
    (folder / "world.json").write_text(json.dumps(world))
    (folder / "openapi.json").write_text(json.dumps(CONTRACT.closed()))
    (folder / "people.json").write_text(
        json.dumps(
            {
                "auth": [
                    {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {token}"}]}
                    for name, token in [("caller", world["token"]), ("stranger", world["stranger"])]
                ]
            }
        )
    )
    organization = None if role == "operator" else world["organizationID"]
    (folder / "schemathesis.toml").write_text(
        fuzz_configuration.configuration(CONTRACT, organization, world["project"], wanted.seed, wanted.examples)
    )
    operations = [one for one in CONTRACT.operations.values() if is_called(one, role)]
    command = [
        pathlib.Path(sys.prefix, "bin/schemathesis"),
        "run",
        "openapi.json",
        "--url",
        f"http://127.0.0.1:{clock.port}",
        "--phases",
        wanted.phases,
    ]
    for operation in operations:
        command += ["--include-operation-id", operation.id]
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=max(1, deadline - time.monotonic()),
        )
    except subprocess.TimeoutExpired as cut:
        return [f"not over within {TIME_LIMIT_SECONDS} s: {(cut.stdout or b'').decode()}"], 0
    if run.returncode != 0:
        return [run.stdout], 0
    answers = json.loads((folder / "answers.json").read_text())
    wrong = []
    for operation in operations if wanted.phases == PHASES else []:
        statuses = answers.get(operation.id, {})
        # Callers have API tokens, and those have no other log-ins.
        if operation.id == "deleteOtherLogIns":
            continue
        if operation.is_for(role) and not any(status.startswith("2") for status in statuses):
            wrong.append(f"{operation.id} never succeeded: {statuses}")
        if not operation.is_for(role) and "403 forbidden" not in statuses:
            wrong.append(f"{operation.id} was never forbidden: {statuses}")
    return wrong, sum(sum(statuses.values()) for statuses in answers.values())


def is_called(operation, role):
    """The operator's run is for operations that no member of an organization needs."""
    return operation.role in (None, "operator") if role == "operator" else operation.role is not None


def run_on(storage, folder, database, wanted, deadline):
    """The runs on one storage, one after the other."""
    place = pathlib.Path(folder, storage)
    place.mkdir()
    operator = random.SystemRandom().randbytes(32).hex()
    (place / "token").write_text(operator)
    clock = service.Service(
        wanted.binary, place, database=database, options=["--operator-token-file", str(place / "token")]
    )
    clock.start()
    count = 0
    for role in wanted.roles:
        start = time.monotonic()
        wrong, requests = fuzz(clock, operator, role, wanted, deadline)
        count += requests
        if wrong:
            raise SystemExit("\n".join([f"{storage}, as {role}:", *wrong]))
        print(f"{storage}, as {role}: {requests} requests in {time.monotonic() - start:.0f} s", flush=True)
    clock.stop()
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="of the fuzzing phase, for each operation")
    parser.add_argument("--phases", default=PHASES)
    parser.add_argument("--storage", choices=["sqlite", "postgresql"])
    parser.add_argument("--role", choices=ROLES, action="append", help="several may be named; all where none is")
    wanted = parser.parse_args()
    wanted.roles = wanted.role or ROLES
    wanted.binary = service.built_binary()
    print(f"seed {wanted.seed}", flush=True)
    deadline = time.monotonic() + TIME_LIMIT_SECONDS
    with (
        tempfile.TemporaryDirectory() as folder,
        postgresql.Cluster(["fsync=off"]) as cluster,
        concurrent.futures.ThreadPoolExecutor() as threads,
    ):
        places = {"sqlite": None, "postgresql": cluster.make_database("clock")}
        runs = [
            threads.submit(run_on, storage, folder, database, wanted, deadline)
            for storage, database in places.items()
            if wanted.storage in (None, storage)
        ]
        count = sum(run.result() for run in runs)
    print(f"fuzzed contract: {count} requests to {len(CONTRACT.operations)} operations, 0 failures; seed {wanted.seed}")


main()
