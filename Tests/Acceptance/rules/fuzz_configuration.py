"""How Schemathesis is to judge and to call: its configuration, made from openapi.yaml.

All checks are on. Set here are the documented statuses that each of them accepts, and the operations where one of them
cannot hold.
"""

import datetime
import json

# Data that fits the schema may be refused for reasons outside schemas: the caller (403), a missing record (404), and
# the present state (409). A 5xx, which Schemathesis would accept by default, is never right, and 401 only if an
# operation logs somebody in.
ACCEPTED = ["2xx", "403", "404", "409"]
# Data that does not fit has to be refused, by whichever rule comes first.
REFUSED = ["400", "401", "403", "404", "405", "409", "412", "413", "415", "422", "428", "429"]
ZONES = ["Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns", "UTC"]
# How often a member of a body is one of the values below; else it is any that fits the schema, and mostly refused.
LIKELY = 0.7
# Their body or query may name the members in one of three ways, each of them once; or is for work, or else for a break; or has
# the members of a punch or a command of its type; or a one-time password is one that is stated; or a plan is in one of
# two forms; or a correction adds, changes or deletes; or numbers have at most four
# decimal places. `fuzz_hooks` accepts a
# 400 for nothing else.
EXCLUSIVE = {
    *["createSession", "updateSession", "startSegment", "createSegment", "updateSegment", "applyPunches"],
    *["applyTimerCommands", "createMember", "updateMember"],
    *["createWorkSchedule", "createWorkSchedules", "updateWorkSchedule"],
    *["createEntitlement", "createEntitlements", "updateEntitlement"],
    *["lockPeriod", "unlockPeriod", "streamEvents", "requestCorrection"],
}


def configuration(contract, organization, project, seed, examples):
    """The text of schemathesis.toml."""
    now = datetime.datetime.now(datetime.UTC).replace(second=0, microsecond=0)
    # Few, so that a pair of them is often a span. Most are older than a clock-in may be: no running work is in their
    # way.
    begins, ends = (
        [(now - datetime.timedelta(hours=hours)).isoformat() for hours in (recent, 28 + recent, *range(old, 200, 20))]
        for recent, old in ((2, 80), (1, 75))
    )
    settings = {
        "": {
            "seed": seed,
            "workers": 1,
            "continue-on-failure": True,
            "request-timeout": 60,
            "color": False,
            "hooks": "fuzz_hooks.py",
        },
        "generation": {"max-examples": examples, "database": "none"},
        "auth.wfc": {"path": "people.json", "user": "caller", "peers": ["caller", "stranger"]},
        "checks.positive_data_acceptance": {"expected-statuses": ACCEPTED},
        "checks.negative_data_rejection": {"expected-statuses": REFUSED},
        # All checks, but not by the command's `--checks all`, which would overrule the exceptions below. How long an
        # answer takes is the machine's matter, and the limit no bar.
        "checks": {"enabled": True, "max_response_time": 60},
    }
    if organization:
        settings["parameters"] = {"organizationID": organization}
    likely = {"timeZone": ZONES, "clockInTime": begins, "clockOutTime": ends}
    # Of many entries at once some are always refused, so that `atomic` keeps none.
    likely |= {f"timeEntries[*].{name}": values for name, values in likely.items()} | {"mode": ["partial"]}
    likely |= {"startTime": begins, "endTime": ends, "timeEntry": ["none"], "projectId": [project]}
    # Reserved names, which the service looks up nowhere.
    likely |= {"url": ["https://hooks.example/changes", "http://hooks.test:8080/?a=b"]}
    for name, values in likely.items():
        settings[f'dictionaries."{name}"'] = {"values": values}
        settings[f'parameters."body.{name}"'] = {"dictionary": name, "probability": 1 if name == "url" else LIKELY}
    lines = [line for name, values in settings.items() for line in section(name, values)]
    for operation in contract.operations.values():
        lines += exceptions(operation)
    return "\n".join(lines) + "\n"


def section(name, values):
    # TOML reads texts, numbers, booleans and lists as JSON writes them.
    return [f"[{name}]"] * bool(name) + [f"{key} = {json.dumps(value)}" for key, value in values.items()]


def exceptions(operation):
    """The statuses that an operation accepts or refuses unlike the others."""
    checks = {}
    more = []
    if 422 in operation.codes:
        # Against a rule that no schema states, such as an end before its start, or a zone that does not exist.
        more.append("422")
    if "If-Match" in operation.parameters:
        # Any other version than the present one, and none at all: in the header, the body or the query.
        more += ["412", "428"]
    if "If-None-Match" in operation.parameters:
        more.append("304")
    if operation.id in EXCLUSIVE or not {"cursor", "range", "tag", "client"}.isdisjoint(operation.parameters):
        # Only cursors that were answered are good, a range stands beside no other dates, and words are on one line;
        # `fuzz_hooks` sees to it that nothing else is refused.
        more.append("400")
    if "refused" in operation.codes[400]:
        # Against a rule, which is a 400 for the task timer.
        more.append("400")
    if not {"malformed_csv", "malformed_calendar"}.isdisjoint(operation.codes[400]):
        # Any text fits the schema of a file, and few texts are one.
        more.append("400")
    if operation.role is None and 401 in operation.codes:
        more.append("401")
    if 410 in operation.codes:
        # Of another epoch of the log.
        more.append("410")
    if 429 in operation.codes:
        # Most of the passwords are wrong.
        more.append("429")
    if more:
        checks["positive_data_acceptance"] = {"expected-statuses": ACCEPTED + more}
    if operation.id == "applyPunches":
        # One that does not fit is refused in its result. The contract tests say so, and anything but a list is 400.
        checks["negative_data_rejection"] = {"expected-statuses": [*REFUSED, "200"]}
    if operation.path.endswith("/bulk"):
        # A row with a value out of its range is refused in its result, if the others are kept. The contract tests say so,
        # and a row of another form is 400.
        checks["negative_data_rejection"] = {"expected-statuses": [*REFUSED, "200"]}
    if "/members/{userId}" in operation.path:
        # DELETE deactivates a member; their entries stay, and so does the member.
        checks["use_after_free"] = {"enabled": False}
    if operation.path.endswith("/routine"):
        # PUT makes it again.
        checks["use_after_free"] = {"enabled": False}
    if operation.id == "streamEvents":
        # Taken for objects, as which a schema for generators of clients does not describe them. The contract tests read them.
        checks["response_schema_conformance"] = {"enabled": False}
    if not checks:
        return []
    lines = ["[[operations]]", f"include-operation-id = {json.dumps(operation.id)}"]
    for check, values in checks.items():
        lines += section(f"operations.checks.{check}", values)
    return lines
