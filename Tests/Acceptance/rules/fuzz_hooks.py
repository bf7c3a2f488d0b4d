"""Loaded by Schemathesis: its callers, and a check of its own, of the codes and roles that openapi.yaml states.

`fuzz_contract.py` writes the file `world.json` with prepared ids and tokens, into the folder this runs in. At the end
`answers.json` says how often each operation was answered with each status and code.
"""

import atexit
import collections
import datetime
import itertools
import json
import pathlib
import sys
import uuid

import schemathesis

# Schemathesis loads this through a link in the folder of a run. Last, behind its own modules.
sys.path.append(str(pathlib.Path(__file__).resolve().parent))

from kit import client, contract

CONTRACT = contract.Contract()
WORLD = json.loads(pathlib.Path("world.json").read_text())
SERVICE = client.Client(WORLD["port"])
ANSWERS = collections.defaultdict(collections.Counter)
KEYS = itertools.count()
# A segment is for work, or else for a break.
NEEDS_PURPOSE = {(name, "/projectId", "missing") for name in ("startSegment", "createSegment")}
# Members or parameters that are needed with others, or without them.
NEED_ANOTHER = ("applyTimerCommands", "reportHours", "listPeriods", "lockPeriod", "unlockPeriod", "requestCorrection")
# A plan is for each day, or of seconds that days share.
PLANNED = ("WorkSchedule", "WorkSchedules")
# Numbers with at most four decimal places, which no keyword that is checked says.
PARTS = ("/days", "/carriedDays")
# Every password costs the service time on purpose, so a few of the right ones do.
RIGHT_PASSWORDS = collections.Counter(createToken=3, taskTimerCreateToken=3, changePassword=3, acceptInvitation=3)


def operation_of(case):
    return CONTRACT.operations[case.operation.definition.raw["operationId"]]


def is_callers(headers):
    return headers.get("Authorization") in (f"Bearer {WORLD['token']}", [f"Bearer {WORLD['token']}"])


def problem_of(response):
    """The faults; empty if there were none, or it is an answer to HEAD."""
    is_problem = response.headers.get("content-type", [""])[0] == "application/problem+json"
    return response.json() if is_problem and response.content else {}


# Of nothing: the rest of the run needs existing records.
RESET = {"scope": ["segments"], "before": "2000-01-01T00:00:00Z"}


def ask_for_segments(case, operation):
    """Starts, stops, enters, changes and deletes a segment, once each: no project and no version can be guessed."""
    if operation in WORLD["switches"]:
        WORLD["switches"].remove(operation)
        if operation == "startSegment":
            case.body = {"projectId": WORLD["project"]}
        else:
            work = {"projectId": WORLD["project"], "userId": WORLD["caller"]}
            path = f"/v1/organizations/{WORLD['organizationID']}/segments/start"
            SERVICE.request("POST", path, WORLD["founder"], work)
            # The service would close it before the next one.
            SERVICE.close()
            case.body = {"clockOut": True}
    if operation == "resetHistory" and case.method.upper() == "POST":
        case.path_parameters["userId"] = WORLD["caller"]
        case.body = RESET
    if operation == "createSegment" and WORLD["spans"]:
        case.body = WORLD["spans"].pop()
    elif operation in WORLD["segments"]:
        case.path_parameters["segmentId"] = WORLD["segments"].pop(operation)
        case.headers["If-Match"] = "*"
        case.query = {}
        if operation == "updateSegment":
            case.body = {"name": "Picking"}


# Commands to send before, for a timer that runs, is paused, or has finished.
TIMER_BEFORE = {"resumeTimer": ["pause"], "startNextTimer": ["adjust"]}
TIMER_BODIES = {"adjustTimer": {"seconds": 60}, "setTimerPresence": {"state": "background"}, "putTimerSettings": {}}


def ask_the_own_timer(case, operation):
    """Sends once each operation that needs a running timer, a session, a push target, or a version, none of which can
    be guessed."""
    if operation in WORLD["pushTargets"]:
        case.path_parameters["pushTargetId"] = WORLD["pushTargets"].pop(operation)
    if operation in WORLD["timerSessions"]:
        case.path_parameters["timerSessionId"] = WORLD["timerSessions"].pop(operation)
        case.body = {"notes": "Chapter 4"} if operation == "updateTimerSession" else case.body
    if operation not in WORLD["timers"]:
        return
    WORLD["timers"].remove(operation)
    base = f"/v1/organizations/{WORLD['organizationID']}/timers"
    SERVICE.request("POST", base, WORLD["token"], {"type": "focus", "durationSeconds": 1_500})
    for command in TIMER_BEFORE.get(operation, []):
        body = {"seconds": -1_500} if command == "adjust" else None
        SERVICE.request("POST", f"{base}/current/{command}", WORLD["token"], body)
    # The service would close it before the next one.
    SERVICE.close()
    case.headers["If-Match"] = "*"
    if operation in TIMER_BODIES:
        case.body = TIMER_BODIES[operation]


def undo_a_punch(case, operation):
    """Makes in every other request a punch to take back: its id cannot be guessed, and counts for a minute."""
    if operation != "undoPunch" or next(KEYS) % 2:
        return
    path = f"/v1/organizations/{WORLD['organizationID']}/timeEntries/punches"
    for kind in ("clockIn", "clockOut"):
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        punch = {"id": str(uuid.UUID(int=(1 << 100) + next(KEYS))), "type": kind, "at": now}
        answer = SERVICE.request("POST", path, WORLD["token"], {"punches": [punch]})
        if answer.status == 200 and answer.json["results"][0]["status"] == "applied":
            case.path_parameters["punchId"] = punch["id"]
            break
    # The service would close it before the next one.
    SERVICE.close()


def ask_for_holidays(case, operation):
    """Names in every other request the calendar that has holidays, and one of its dates to take away."""
    if operation not in ("listHolidays", "putHoliday", "deleteHoliday", "importHolidays") or next(KEYS) % 2:
        return
    case.path_parameters["holidayCalendarId"] = WORLD["calendar"]
    if operation == "deleteHoliday":
        case.path_parameters["date"] = "2027-01-06"
    if operation == "listHolidays":
        case.query = {name: value for name, value in case.query.items() if name != "cursor"}


def ask_for_records(case, operation):
    """Names a record about a member, each once, and makes one of each kind, once."""
    if operation in WORLD["records"]:
        kind = operation.removeprefix("objectTo").lstrip("abcdefghijklmnopqrstuvwxyz")
        case.path_parameters[kind[0].lower() + kind[1:] + "Id"] = WORLD["records"].pop(operation)
        if case.method.upper() != "GET":
            case.headers["If-Match"] = "*"
            case.query = {}
        if operation == "updateWorkSchedule":
            case.body = {"workdayStart": "06:00"}
        elif operation == "updatePayRules":
            case.body = {"dailyOvertimeAfter": 28_800}
        elif operation == "updateGroup":
            case.body = {"name": "Orchard", "representativeIds": [WORLD["caller"]]}
        elif operation == "updateEntitlement":
            case.body = {"days": 2}
        elif operation == "updateAbsence":
            case.body = {"portion": "half"}
        elif operation == "decideAbsence":
            case.body = {"decision": "approve"}
        elif operation in ("cancelAbsence", "objectToCorrection"):
            case.body = {"reason": "Asked to"}
        elif operation == "decideCorrection":
            case.body = {"decision": "agree"}
        elif operation == "withdrawCorrection":
            case.body = {}
    elif operation == "createPayRules" and NEW_PAY_RULES:
        case.body = NEW_PAY_RULES.pop()
    elif NEW_RECORDS.get(operation):
        row = {"userId": WORLD["caller"], **NEW_RECORDS[operation].pop()}
        case.body = {"mode": "atomic", "rows": [row]} if operation.endswith("s") else row


# Of somebody who does nothing else, long ago: no mark is in the way of other requests.
MARKED = {"through": "1999-12-31"}
WHY = {"reason": "A night is missing"}
# Other operations may have approved and locked as much before.
ONLY_SUBMITTED = [
    ("periods/unlock", {**WHY, "through": None}),
    ("timesheets/reopen", {**WHY, "through": None}),
    ("timesheets/submit", {**MARKED, "complete": True}),
]
MARKS_BEFORE = {
    "withdrawTimesheet": ONLY_SUBMITTED,
    "rejectTimesheet": ONLY_SUBMITTED,
    "reopenTimesheet": [("timesheets/approve", {**MARKED, "includeUnsubmitted": True})],
    "unlockPeriod": [("periods/lock", {**MARKED, "includeUnapproved": True})],
}
MARKS = {
    "submitTimesheet": {**MARKED, "complete": True},
    "approveTimesheets": {**MARKED, "includeUnsubmitted": True},
    "lockPeriod": {**MARKED, "includeUnapproved": True},
    "rejectTimesheet": WHY,
    "reopenTimesheet": {**WHY, "through": None},
    "unlockPeriod": {**WHY, "through": None},
}


def move_marks(case, operation):
    """Moves once with each operation a mark of the caller's that is there, and else none that binds anything."""
    if isinstance(case.body, dict) and operation in MARKS and case.body.get("through") is not None:
        case.body = {**case.body, **MARKED}
    if operation not in WORLD["marks"]:
        return
    WORLD["marks"].remove(operation)
    base = f"/v1/organizations/{WORLD['organizationID']}/"
    for path, body in MARKS_BEFORE.get(operation, []):
        person = {"userIds": [WORLD["caller"]]}
        if path.endswith(("submit", "reopen")):
            person = {"userId": WORLD["caller"]}
        SERVICE.request("POST", base + path, WORLD["founder"], {**body, **person})
    # The service would close it before the next one.
    SERVICE.close()
    if operation in MARKS:
        many = operation in ("approveTimesheets", "lockPeriod", "unlockPeriod")
        case.body = {**MARKS[operation], **({"userIds": [WORLD["caller"]]} if many else {"userId": WORLD["caller"]})}


# Each for one request: which members there are cannot be guessed, nor on which dates an adjustment may be.
WEEK = [28_800] * 5 + [0, 0]
PAID = {"date": "2024-01-02", "seconds": -60, "kind": "payout", "reason": "Paid"}
ABSENT = {"kind": "special", "portion": "half"}
NEW_RECORDS = {
    "createWorkSchedule": [{"from": "2024-01-01", "secondsByWeekday": WEEK}],
    "createWorkSchedules": [{"from": "2023-01-01", "secondsByWeekday": WEEK}],
    "createEntitlement": [{"year": 2024, "days": 28.75}],
    "createEntitlements": [{"year": 2023, "days": 1}],
    "createAdjustment": [PAID],
    "createAdjustments": [PAID],
    "requestAbsence": [{**ABSENT, "startDate": "2027-02-01", "endDate": "2027-02-01"}],
    "requestCorrection": [
        {
            "proposal": {"clockInTime": "2024-01-17T08:00:00Z", "clockOutTime": "2024-01-17T16:00:00Z"},
            "reason": "No phone",
        }
    ],
    "createAbsences": [{**ABSENT, "startDate": "2027-02-02", "endDate": "2027-02-02"}],
}

# Once: few dates are the day on which a week begins.
NEW_PAY_RULES = [{"from": "2097-01-07", "weeklyOvertimeAfter": 144_000}]

# Before all entries by hand here, which have few times to choose from.
LONG_AGO = "2024-01-15T10:00:00.000Z"


def keep_out_of_the_way(case, operation):
    """Makes other makers of time entries succeed if `createTimeEntry` finds none in its way."""
    if operation == "createTimeEntry" and WORLD["entries"]:
        # Once; the other times are few, and entries by examples of other operations may be in the way of all.
        case.body = WORLD["entries"].pop()
    if operation == "taskTimerCreateEvent" and isinstance(case.body, dict) and "createdAt" in case.body:
        case.body["createdAt"] = LONG_AGO
    if operation == "applyPunches" and isinstance(case.body, dict):
        for punch in case.body.get("punches") or []:
            if isinstance(punch, dict) and "at" in punch:
                punch["at"] = LONG_AGO


def ask_the_timer(case, operation):
    """Names the caller's task, and each event once, in every other request, and the caller's only organization."""
    if "Timer" not in operation or next(KEYS) % 2:
        return
    case.headers.pop("Timeclock-Organization", None)
    if "taskId" in case.path_parameters:
        case.path_parameters["taskId"] = WORLD["timerTask"]
    if operation == "taskTimerCreateEvent" and isinstance(case.body, dict):
        case.body["taskId"] = WORLD["timerTask"]
    if operation in WORLD["timerEvents"]:
        case.path_parameters["eventId"] = WORLD["timerEvents"].pop(operation)
        if operation == "taskTimerUpdateEvent":
            case.body = {"name": "Picking"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts in values that cannot be guessed, and keeps the run from locking itself out."""
    operation = operation_of(case)
    if case.method.upper() != operation.method:
        return
    if operation.id == "streamEvents":
        # A stream without a stated end runs on, with any other parameters.
        case.query = {**case.query, "seconds": 0}
    if operation.id in RIGHT_PASSWORDS and case.meta.generation.mode.is_positive:
        state_password(operation.id, case)
    if operation.id == "importTimeEntries" and case.meta.generation.mode.is_positive and "userId" in case.query:
        # The document's example of an id is nobody's, and its file would never be taken.
        case.query["userId"] = WORLD["caller"]
    if "Idempotency-Key" in case.headers and case.meta.generation.mode.is_positive:
        own_key(case, operation.id)
    if operation.id == "deleteLogIn" and is_callers(case.headers) and WORLD["logIns"] and WORLD["role"] != "operator":
        # Once: the caller's own has to stay.
        log_in = WORLD["logIns"].pop()
        case.headers["Authorization"] = f"Bearer {log_in['token']}"
        case.path_parameters["logInId"] = log_in["id"]
    if operation.id == "deleteOtherLogIns" and is_callers(case.headers):
        # With a token that may not: the caller's log-ins have to stay.
        case.headers["Authorization"] = f"Bearer {made_token('apiTokens', WORLD['caller'], name='Spare')}"
    if operation.id in ("deleteToken", "taskTimerDeleteToken") and is_callers(case.headers):
        case.headers["Authorization"] = f"Bearer {made_token('apiTokens', WORLD['caller'], name='Spare')}"
    if is_callers(case.headers) and WORLD["role"] != "operator" and case.meta.generation.mode.is_positive:
        ask_for_segments(case, operation.id)
        ask_the_timer(case, operation.id)
        ask_the_own_timer(case, operation.id)
        undo_a_punch(case, operation.id)
        keep_out_of_the_way(case, operation.id)
        ask_for_holidays(case, operation.id)
        ask_for_records(case, operation.id)
        move_marks(case, operation.id)
    if operation.id == "deactivateMember" and is_callers(case.headers) and WORLD["leaving"]:
        # Once, for no version can be guessed.
        case.path_parameters["userId"] = WORLD["leaving"].pop()
        case.headers["If-Match"] = "*"
    protected = case.path_parameters.get("userId") in WORLD["protected"]
    if protected and operation.id == "anonymizeMember":
        # A member who is deactivated already.
        case.path_parameters["userId"] = WORLD["former"]
    elif protected and operation.method != "GET" and case.body is not RESET:
        case.path_parameters["userId"] = WORLD["expendable"]


def own_key(case, operation):
    """Another key for each request, or nothing would be done under the one of the document's example any more.

    Some have one of their operation, but none that others build on: a repeated answer may name records that are deleted
    by now. None has one of another operation's, and none is repeated before one has succeeded: a request that can be
    made once would be refused for it.
    """
    key = next(KEYS)
    has_succeeded = any(status.startswith("2") for status in ANSWERS[operation])
    again = key % 5 == 0 and has_succeeded and case.meta.phase.name != "stateful"
    case.headers["Idempotency-Key"] = f"key-of-{operation}" if again else f"key-{key}"


def state_password(name, case):
    person = WORLD["person"]
    if not isinstance(case.body, dict) or RIGHT_PASSWORDS[name] == 0:
        return
    RIGHT_PASSWORDS[name] -= 1
    if name in ("createToken", "taskTimerCreateToken"):
        case.body.update(email=person["email"], password=person["password"])
    elif name == "acceptInvitation":
        case.body.update(token=made_token("invitations", WORLD["invited"]), password=person["password"])
    elif is_callers(case.headers):
        case.headers["Authorization"] = f"Bearer {person['token']}"
        # Not any value of the schema: the simplest ones are too common.
        case.body.update(currentPassword=person["password"], newPassword=f"{person['password']}, again", apiToken=None)


def made_token(resource, user, **stated):
    """A token of a new one of a member, which nothing else needs."""
    answer = SERVICE.request(
        "POST", f"/v1/organizations/{WORLD['organizationID']}/{resource}", WORLD["founder"], {"userId": user, **stated}
    )
    # The service would close it before the next one.
    SERVICE.close()
    return answer.json["token"]


@schemathesis.hook
def after_call(context, case, response):
    operation = operation_of(case)
    if case.method.upper() != operation.method:
        return
    ANSWERS[operation.id][f"{response.status_code} {problem_of(response).get('code', '')}".rstrip()] += 1
    if operation.id == "changePassword" and response.status_code == 204:
        WORLD["person"]["password"] = case.body["newPassword"]


def is_unplanned(error):
    """Whether a body states a plan in neither form, or null for it."""
    return error.get("code") == "missing" or (error.get("pointer") or "").endswith("/secondsByWeekday")


@schemathesis.check
def answers_as_documented(ctx, response, case):
    """The code is one that the operation documents for the status, and only permitted callers get more than a
    refusal."""
    operation = operation_of(case)
    if problem := problem_of(response):
        documented = operation.codes.get(response.status_code, frozenset()) | CONTRACT.server_codes
        assert problem["code"] in documented, f"{problem['code']} is not documented with {response.status_code}"
        is_positive = case.meta is not None and case.meta.generation.mode.is_positive
        if is_positive and response.status_code == 400 and case.method.upper() == operation.method:
            # No schema can say which cursors were answered, that one member or parameter stands in for another, and
            # that elements have different ids, that one format of a file needs a person, that a segment is for
            # something, that a command has the members of its type, that two parameters or one of two members are
            # needed together, and that a tag, a client and a search are more than white space.
            errors = [
                one
                for one in problem.get("errors", [{}])
                if one.get("parameter") not in ("cursor", "tag", "client", "search")
                and one.get("code") not in ("conflict", "repeated")
                and (operation.id, one.get("parameter")) != ("importTimeEntries", "userId")
                and (operation.id, one.get("pointer"), one.get("code")) not in NEEDS_PURPOSE
                and not (operation.id.endswith(PLANNED) and is_unplanned(one))
                and not (str(one.get("pointer")).endswith(PARTS) and one.get("code") == "invalid")
                and not (operation.id == "applyPunches" and one.get("pointer", "").endswith("/projectId"))
                and not (operation.id in NEED_ANOTHER and one.get("code") == "missing")
            ]
            # Nor which texts are files, and which refusals by a rule are a 422 elsewhere.
            assert not errors or problem["code"] in ("malformed_csv", "malformed_calendar", "refused"), (
                f"data that fits the schema is refused: {problem}"
            )
    if operation.role is not None and is_callers(response.request.headers):
        assert response.status_code != 401, "the caller's token is no longer good"
        if response.status_code < 300:
            assert operation.is_for(WORLD["role"]), f"{operation.id} is not for the role {WORLD['role']}"


@atexit.register
def write_answers():
    pathlib.Path("answers.json").write_text(json.dumps(ANSWERS))
