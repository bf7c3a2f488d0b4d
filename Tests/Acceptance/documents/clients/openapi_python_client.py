"""A day with the client that openapi-python-client generates, the package `clock`."""

import datetime
import json
import subprocess
import sys

from kit import service

HOUR = datetime.timedelta(hours=1)

CONFIGURATION = {
    # Formatting unread code takes longer than generating it.
    "post_hooks": [],
    # The generator reads no YAML. It is the contract itself, which no client needs to be given. Nor does it know files of
    # text, which an administrator sends.
    "content_type_overrides": {
        "application/yaml": "application/json",
        "text/csv": "application/octet-stream",
        "text/calendar": "application/octet-stream",
        "text/tab-separated-values": "application/octet-stream",
    },
}


def generate(program, folder):
    """Makes the package `clock` in the folder; any warning is a fault."""
    if (folder / "clock").exists():
        return
    configuration = folder / "configuration.json"
    configuration.write_text(json.dumps(CONFIGURATION))
    run = subprocess.run(
        [
            *(program, "generate", "--path", service.TOP / "openapi.yaml", "--config", configuration),
            *("--meta", "none", "--output-path", folder / "clock", "--fail-on-warning"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if run.returncode != 0 or "warning" in run.stdout.lower():
        sys.exit(f"generating a client: {run.stdout}")


def client_of(api, token):
    from clock import AuthenticatedClient

    return AuthenticatedClient(base_url=api, token=token, raise_on_unexpected_status=True)


def works(office):
    from clock import Client, models
    from clock.api.authentication import create_token, get_me
    from clock.api.changes import list_changes
    from clock.api.members import create_members
    from clock.api.reports import report_hours
    from clock.api.sessions import create_session, list_sessions
    from clock.api.time_entries import (
        clock_in,
        clock_out,
        create_time_entries,
        create_time_entry,
        export_time_entries,
        get_calendar,
        get_current_time_entry,
        list_time_entries,
        update_time_entry,
    )

    organization = office.organization
    granted = create_token.sync(
        client=Client(base_url=office.api), body=models.CreateTokenRequest(office.email, office.password)
    )
    client, admin = client_of(office.api, granted.token), client_of(office.api, office.admin)

    # This client writes a list as a parameter that is repeated, which is refused: so one word at a time.
    me = get_me.sync(client=client, include=[models.Inclusion.ORGANIZATION])
    assert me.memberships[0].organization.id == organization, me
    several = get_me.sync(client=client, include=list(models.Inclusion))
    assert several.code == "invalid_parameter" and several.errors[0].parameter == "include", several

    started = clock_in.sync(organization, client=client, body=models.ClockInRequest(notes="opening"))
    assert started.status == "clocked-in" and started.clock_out_time is None, started
    again = clock_in.sync(organization, client=client)
    assert isinstance(again, models.TimeEntryConflictProblem), again
    assert again.code == "already_clocked_in" and again.active_time_entry.id == started.id, again
    assert get_current_time_entry.sync(organization, client=client).time_entry.id == started.id
    assert clock_out.sync(organization, client=client).clock_out_time >= started.clock_in_time

    begin = datetime.datetime.now(datetime.UTC).replace(microsecond=0) - 30 * HOUR
    shift = models.CreateTimeEntryRequest(clock_in_time=begin, clock_out_time=begin + 8 * HOUR)
    by_hand = create_time_entry.sync_detailed(organization, client=client, body=shift)
    entry = by_hand.parsed
    late = models.CreateTimeEntryRequest(clock_in_time=begin + HOUR, clock_out_time=begin + 9 * HOUR)
    early = models.CreateTimeEntryRequest(clock_in_time=begin - 5 * HOUR, clock_out_time=begin - HOUR)
    outcome = create_time_entries.sync(
        organization, client=client, body=models.CreateTimeEntriesRequest(models.BulkMode.PARTIAL, [late, early])
    )
    assert [one.status for one in outcome.results] == [409, 201], outcome
    assert outcome.results[0].problem.overlaps[0].id == entry.id, outcome
    kept = outcome.results[1].time_entry

    seen, cursor = [], {}
    while True:
        page = list_time_entries.sync(organization, client=client, limit=1, **cursor)
        seen += [one.id for one in page.time_entries]
        if page.next_cursor is None:
            break
        cursor = {"cursor": page.next_cursor}
    assert sorted(seen) == sorted([started.id, entry.id, kept.id]), seen

    tag = by_hand.headers["ETag"]
    change = models.UpdateTimeEntryRequest(notes="left later", clock_out_time=begin + 9 * HOUR)
    changed = update_time_entry.sync(organization, entry.id, client=client, if_match=tag, body=change)
    assert changed.duration_seconds == 9 * 3600 and changed.version == entry.version + 1, changed
    stale = update_time_entry.sync(organization, entry.id, client=client, if_match=tag, body=change)
    assert isinstance(stale, models.TimeEntryChangedProblem) and stale.current.notes == "left later", stale
    # Null is a change, and is sent if it was set.
    cleared = models.UpdateTimeEntryRequest(notes=None, version=changed.version)
    assert update_time_entry.sync(organization, entry.id, client=client, body=cleared).notes is None

    date = datetime.date(2027, 3, 5)
    plan = models.CreateSessionRequest(
        date=date, title="Stocktaking", assignees=[models.AssigneeRequest(office.member)]
    )
    session = create_session.sync(organization, client=admin, body=plan)
    assert session.date == date, session
    own = list_sessions.sync(organization, client=client, assigned_to="me")
    others = list_sessions.sync(organization, client=admin, assigned_to=office.member, start_date=date)
    assert [one.id for one in own.sessions] == [one.id for one in others.sessions] == [session.id], (own, others)

    report = report_hours.sync(
        organization,
        client=admin,
        start_date=begin.date() - datetime.timedelta(2),
        end_date=begin.date() + datetime.timedelta(3),
        group_by=[models.ReportDimension.DAY],
        attribution=models.Attribution.START,
    )
    assert report.group_by == ["day"] and report.totals.entries == 3, report
    assert sum(row.seconds for row in report.rows) == report.totals.seconds >= 13 * 3600, report

    for form in ({}, {"format_": models.ExportFormat.CSV}):
        csv = export_time_entries.sync(organization, client=client, **form).payload.read()
        assert csv.startswith(b"id,userId,") and entry.id.encode() in csv, csv
    lines = export_time_entries.sync(organization, client=client, format_=models.ExportFormat.NDJSON).payload
    assert sorted(models.TimeEntry.from_dict(json.loads(line)).id for line in lines) == sorted(seen)
    assert get_calendar.sync(organization, client=client).startswith("BEGIN:VCALENDAR")

    people = [
        models.BulkMemberRequest(email="bo@example.org", name="Bo", role="member"),
        models.BulkMemberRequest(email=office.email, name="Again", role="member"),
    ]
    tried = create_members.sync(organization, client=admin, body=models.CreateMembersRequest(people, dry_run=True))
    assert tried.results[0].member.name == "Bo" and tried.results[1].problem.code == "member_exists", tried
    refusal = create_members.sync(organization, client=admin, body=models.CreateMembersRequest(people))
    assert isinstance(refusal, models.BulkRefusedProblem), refusal
    assert refusal.results[0].problem.code == "member_exists", refusal
    added = create_members.sync(organization, client=admin, body=models.CreateMembersRequest(people[:1]))
    assert added.created == 1 and added.results[0].member.email == "bo@example.org", added

    feed = list_changes.sync(organization, client=admin, limit=1000).changes
    of_entry = [change for change in feed if change.resource_id == entry.id]
    assert [change.kind for change in of_entry] == ["created", "updated", "updated"], of_entry
    assert models.TimeEntry.from_dict(of_entry[0].data.to_dict()).duration_seconds == 8 * 3600, of_entry
    kinds = {change.resource for change in feed}
    assert kinds >= {"organization", "member", "session", "timeEntry"}, kinds
    return {"entry": entry.id, "session": session.id}


def reads_later_version(office, made):
    """Reads answers with properties, words and limits that the client was made without."""
    from clock import models
    from clock.api.authentication import get_me
    from clock.api.changes import list_audit_log, list_changes
    from clock.api.members import create_members, list_members
    from clock.api.reports import get_timesheet, report_hours
    from clock.api.sessions import list_sessions
    from clock.api.time_entries import (
        clock_in,
        clock_out,
        create_time_entries,
        get_current_time_entry,
        get_presence,
        get_time_entry,
        list_time_entries,
    )

    organization, client, word = office.organization, client_of(office.later, office.admin), "of_a_later_version"
    entry = get_time_entry.sync(organization, made["entry"], client=client)
    assert entry.status == entry.source == word and entry.id.startswith("later "), entry
    assert entry.to_dict()["laterProperty"]["nested"] == [1, None, "later"], entry
    assert list_time_entries.sync(organization, client=client).time_entries[0].status == word, "list"
    started = clock_in.sync(organization, client=client)
    assert started.status == word, started
    assert get_current_time_entry.sync(organization, client=client).status == word, "current"
    again = clock_in.sync(organization, client=client)
    assert again.code == word and again.active_time_entry.status == word, again
    assert get_presence.sync(organization, client=client).presence[0].user_id.startswith("later "), "presence"
    clock_out.sync(organization, client=client)
    assert list_sessions.sync(organization, client=client).sessions[0].id.startswith("later "), "sessions"
    people = list_members.sync(organization, client=client).members
    assert {one.role for one in people} == {word}, people
    feed = list_changes.sync(organization, client=client).changes
    assert {one.kind for one in feed} == {one.resource for one in feed} == {word}, feed
    assert feed[0].data["laterProperty"]["nested"] == [1, None, "later"], feed
    assert list_audit_log.sync(organization, client=client).changes[0].author.means == word, "audit log"
    me = get_me.sync(client=client, include=[models.Inclusion.ORGANIZATION])
    assert me.memberships[0].organization.policy.week_start == word, me
    today = datetime.date.today()
    report = report_hours.sync(
        organization,
        client=client,
        start_date=today - datetime.timedelta(3),
        end_date=today,
        group_by=[models.ReportDimension.SOURCE],
    )
    assert report.group_by == [word] and report.rows[0].source == word, report
    assert get_timesheet.sync(organization, client=client, period=models.PayPeriod.WEEKLY).period == word, "timesheet"
    begin = datetime.datetime.now(datetime.UTC).replace(microsecond=0) - 5 * HOUR
    twice = [models.CreateTimeEntryRequest(clock_in_time=begin, clock_out_time=begin + HOUR)] * 2
    outcome = create_time_entries.sync(
        organization, client=client, body=models.CreateTimeEntriesRequest(models.BulkMode.PARTIAL, twice)
    )
    assert [one.status for one in outcome.results] == [299, 299] and outcome.results[1].problem.code == word, outcome
    known = [models.BulkMemberRequest(email=office.email, name="Again", role="member")]
    tried = create_members.sync(organization, client=client, body=models.CreateMembersRequest(known, dry_run=True))
    assert tried.results[0].problem.code == word, tried
    absent = get_time_entry.sync(organization, "no-such-entry", client=client)
    assert absent.code == word and absent.additional_properties["laterProperty"], absent
