"""A record of each kind that an organization has, for checks that read everything."""

import datetime


def made(office, person, token, hook_url, **of_entry):
    """Makes them about a person, who has the token and is clocked in then; `of_entry` is more of the entry.

    The ids by the names of parameters, as `every_read.EveryRead` takes them.
    """
    ask = office.ask
    project = ask("POST", "/projects", {"name": "Orchard"}, 201)["id"]
    task = ask("POST", "/tasks", {"name": "Pruning", "projectId": project}, 201)["id"]
    break_type = ask("POST", "/breakTypes", {"name": "Lunch", "isPaid": False}, 201)["id"]
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    session = ask("POST", "/sessions", {"date": today, "title": "Early", "assignees": [{"id": person}]}, 201)["id"]
    calendar = ask("POST", "/holidayCalendars", {"name": "Bavaria"}, 201)["id"]
    plan = {"userId": person, "from": "2026-01-01", "weeklySeconds": 1, "workDays": ["monday"]}
    paid = {"userId": person, "date": "2026-01-02", "seconds": 1, "kind": "opening", "reason": "Old clock"}
    records = {
        f"{kind}Id": ask("POST", f"/{kind}s", body, 201)["id"]
        for kind, body in (
            ("workSchedule", plan),
            ("entitlement", {"userId": person, "year": 2026, "days": 1}),
            ("adjustment", paid),
        )
    }
    absent = {"kind": "sick", "startDate": today, "endDate": today, "portion": "half"}
    absence = ask("POST", "/absences", absent, 201, token=token)["id"]
    times = {"clockInTime": "2026-01-02T08:00:00Z", "clockOutTime": "2026-01-02T09:00:00Z"}
    proposal = {"proposal": times, "reason": "No phone"}
    correction = ask("POST", "/corrections", proposal, 201, token=token)["id"]
    group = ask("POST", "/groups", {"name": "Crew", "memberIds": [person]}, 201)["id"]
    rules = ask("POST", "/payRules", {"from": "2098-01-06"}, 201)["id"]
    hook = ask("POST", "/webhooks", {"url": hook_url}, 201)["id"]
    entry = ask("POST", "/timeEntries/clockIn", {"sessionId": session, **of_entry}, 201, token=token)["id"]
    segment = ask("POST", "/segments/start", {"projectId": project}, 201, token=token)["segment"]["id"]
    return {
        "organizationID": office.id,
        "userId": person,
        "timeEntryId": entry,
        "excludeEntryId": entry,
        "sessionId": session,
        "projectId": project,
        "taskId": task,
        "breakTypeId": break_type,
        "holidayCalendarId": calendar,
        **records,
        "absenceId": absence,
        "correctionId": correction,
        "groupId": group,
        "readerId": person,
        "payRulesId": rules,
        "segmentId": segment,
        "excludeSegmentId": segment,
        "webhookId": hook,
        "assignedTo": person,
        "startDate": today,
        "endDate": today,
        "date": today,
        "resourceId": person,
        "Timeclock-Organization": office.id,
    }
