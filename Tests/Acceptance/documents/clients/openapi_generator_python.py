"""A day with the Python client of OpenAPI Generator, the package `timeclock_api`."""

import datetime
import json

HOUR = datetime.timedelta(hours=1)


def client_of(api, token=None):
    import timeclock_api

    return timeclock_api.ApiClient(timeclock_api.Configuration(host=api, access_token=token))


def refused(call, *arguments, **named):
    """The refusal of the call: the exception, and its problem as it was generated."""
    import timeclock_api

    try:
        answer = call(*arguments, **named)
    except timeclock_api.ApiException as refusal:
        return refusal, refusal.data
    raise AssertionError(f"not refused: {answer}")


def works(office):
    import timeclock_api as api

    organization = office.organization
    granted = api.AuthenticationApi(client_of(office.api)).create_token(
        api.CreateTokenRequest(email=office.email, password=office.password)
    )
    client = client_of(office.api, granted.token)
    admin = client_of(office.api, office.admin)
    entries = api.TimeEntriesApi(client)

    me = api.AuthenticationApi(client).get_me(
        include=[api.Inclusion.ORGANIZATION, api.Inclusion.CURRENT, api.Inclusion.SESSIONS]
    )
    assert me.memberships[0].organization.id == organization and me.memberships[0].sessions == [], me

    started = entries.clock_in(organization, clock_in_request=api.ClockInRequest(notes="opening"))
    assert started.status == "clocked-in" and started.clock_out_time is None, started
    refusal, problem = refused(entries.clock_in, organization)
    assert isinstance(problem, api.TimeEntryConflictProblem) and refusal.status == 409, problem
    assert problem.code == "already_clocked_in" and problem.active_time_entry.id == started.id, problem
    assert entries.get_current_time_entry(organization).time_entry.id == started.id
    assert entries.clock_out(organization).clock_out_time >= started.clock_in_time

    begin = datetime.datetime.now(datetime.UTC).replace(microsecond=0) - 30 * HOUR
    shift = api.CreateTimeEntryRequest(clock_in_time=begin, clock_out_time=begin + 8 * HOUR)
    by_hand = entries.create_time_entry_with_http_info(organization, shift)
    entry = by_hand.data
    late = api.CreateTimeEntryRequest(clock_in_time=begin + HOUR, clock_out_time=begin + 9 * HOUR)
    early = api.CreateTimeEntryRequest(clock_in_time=begin - 5 * HOUR, clock_out_time=begin - HOUR)
    outcome = entries.create_time_entries(
        organization, api.CreateTimeEntriesRequest(mode=api.BulkMode.PARTIAL, time_entries=[late, early])
    )
    assert [one.status for one in outcome.results] == [409, 201], outcome
    assert outcome.results[0].problem.overlaps[0].id == entry.id, outcome
    kept = outcome.results[1].time_entry

    seen, cursor = [], None
    while True:
        page = entries.list_time_entries(organization, limit=1, cursor=cursor)
        seen += [one.id for one in page.time_entries]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert sorted(seen) == sorted([started.id, entry.id, kept.id]), seen

    tag = by_hand.headers["ETag"]
    change = api.UpdateTimeEntryRequest(notes="left later", clock_out_time=begin + 9 * HOUR)
    changed = entries.update_time_entry(organization, entry.id, if_match=tag, update_time_entry_request=change)
    assert changed.duration_seconds == 9 * 3600 and changed.version == entry.version + 1, changed
    _, problem = refused(
        entries.update_time_entry, organization, entry.id, if_match=tag, update_time_entry_request=change
    )
    assert isinstance(problem, api.TimeEntryChangedProblem) and problem.current.notes == "left later", problem
    # Null is a change, and is sent if it was set.
    cleared = api.UpdateTimeEntryRequest(notes=None, version=changed.version)
    assert entries.update_time_entry(organization, entry.id, update_time_entry_request=cleared).notes is None

    plan = api.CreateSessionRequest(
        var_date=datetime.date(2027, 3, 5), title="Stocktaking", assignees=[api.AssigneeRequest(id=office.member)]
    )
    session = api.SessionsApi(admin).create_session(organization, plan)
    assert session.var_date == plan.var_date, session
    own = api.SessionsApi(client).list_sessions(organization, assigned_to="me")
    others = api.SessionsApi(admin).list_sessions(organization, assigned_to=office.member, start_date=plan.var_date)
    assert [one.id for one in own.sessions] == [one.id for one in others.sessions] == [session.id], (own, others)

    report = api.ReportsApi(admin).report_hours(
        organization_id=organization,
        start_date=begin.date() - datetime.timedelta(2),
        end_date=begin.date() + datetime.timedelta(3),
        group_by=[api.ReportDimension.USER, api.ReportDimension.DAY],
        attribution=api.Attribution.START,
    )
    assert report.group_by == ["user", "day"] and report.totals.entries == 3, report
    assert sum(row.seconds for row in report.rows) == report.totals.seconds >= 13 * 3600, report

    table = api.ReportsApi(admin).report_hours_without_preload_content(
        organization_id=organization, start_date=begin.date(), end_date=begin.date(), format=api.ReportFormat.CSV
    )
    assert table.status == 200 and table.headers["Content-Type"].startswith("text/csv"), table.data

    csv = entries.export_time_entries(organization, format=api.ExportFormat.CSV, durations=api.DurationForm.DECIMAL)
    assert csv.startswith(b"id,userId,") and b"durationHours" in csv and entry.id.encode() in csv, csv
    # This client asks for a JSON type if there is one, and so for NDJSON by default.
    lines = entries.export_time_entries(organization).splitlines()
    assert sorted(api.TimeEntry.from_json(line.decode()).id for line in lines) == sorted(seen), lines
    assert entries.get_calendar(organization).startswith("BEGIN:VCALENDAR")

    people = [
        api.BulkMemberRequest(email="bo@example.org", name="Bo", role="member"),
        api.BulkMemberRequest(email=office.email, name="Again", role="member"),
    ]
    members = api.MembersApi(admin)
    tried = members.create_members(organization, api.CreateMembersRequest(dry_run=True, members=people))
    assert tried.results[0].member.name == "Bo" and tried.results[1].problem.code == "member_exists", tried
    _, problem = refused(members.create_members, organization, api.CreateMembersRequest(members=people))
    assert isinstance(problem, api.BulkRefusedProblem) and problem.results[0].problem.code == "member_exists", problem
    added = members.create_members(organization, api.CreateMembersRequest(members=people[:1]))
    assert added.created == 1 and added.results[0].member.email == "bo@example.org", added

    file = "email,name,clockInTime,clockOutTime,notes,timeZone\n" + (
        'bo@example.org,Bo,2026-11-16T09:00:00+05:45,2026-11-16T12:30:00+05:45,"Inventory, upstairs",\n'
    )
    imported = api.TimeEntriesApi(admin).import_time_entries(
        organization_id=organization, format=api.ImportFormat.GENERIC, body=file
    )
    assert imported.taken == 1 and imported.members_created == [], imported

    changes = api.ChangesApi(admin).list_changes(organization, limit=1000).changes
    of_entry = [change for change in changes if change.resource_id == entry.id]
    assert [change.kind for change in of_entry] == ["created", "updated", "updated"], of_entry
    assert api.TimeEntry.from_dict(of_entry[0].data).duration_seconds == 8 * 3600, of_entry
    kinds = {change.resource for change in changes}
    assert kinds >= {"organization", "member", "session", "timeEntry"}, kinds
    return {"entry": entry.id, "session": session.id}


def reads_later_version(office, made):
    """Reads answers with properties, words and limits that the client was made without."""
    import timeclock_api as api

    organization = office.organization
    client, word = client_of(office.later, office.admin), "of_a_later_version"
    entries = api.TimeEntriesApi(client)
    entry_read = entries.get_time_entry_with_http_info(organization, made["entry"])
    entry = entry_read.data
    assert json.loads(entry_read.raw_data)["laterProperty"]["nested"] == [1, None, "later"], entry_read
    assert entry.status == entry.source == word and entry.id.startswith("later "), entry
    page = entries.list_time_entries(organization)
    assert page.time_entries[0].status == word, page
    started = entries.clock_in(organization)
    assert started.status == word and entries.get_current_time_entry(organization).status == word, started
    _, problem = refused(entries.clock_in, organization)
    assert problem.code == word and problem.active_time_entry.status == word, problem
    assert entries.get_presence(organization).presence[0].user_id.startswith("later "), "presence"
    entries.clock_out(organization)
    assert api.SessionsApi(client).list_sessions(organization).sessions[0].id.startswith("later "), "sessions"
    members = api.MembersApi(client).list_members(organization).members
    assert {one.role for one in members} == {word}, members
    changes = api.ChangesApi(client)
    feed = changes.list_changes(organization).changes
    assert {one.kind for one in feed} == {one.resource for one in feed} == {word}, feed
    assert feed[0].data["laterProperty"]["nested"] == [1, None, "later"], feed
    assert changes.list_audit_log(organization).changes[0].author.means == word, "audit log"
    inclusions = [api.Inclusion.ORGANIZATION, api.Inclusion.CURRENT, api.Inclusion.SESSIONS]
    me = api.AuthenticationApi(client).get_me(include=inclusions)
    assert me.memberships[0].organization.policy.week_start == word, me
    reports, days = api.ReportsApi(client), [datetime.date.today() - datetime.timedelta(count) for count in (3, 0)]
    report = reports.report_hours(
        organization_id=organization, start_date=days[0], end_date=days[1], group_by=[api.ReportDimension.SOURCE]
    )
    assert report.group_by == [word] and report.rows[0].source == word, report
    sheet = reports.get_timesheet(organization_id=organization, period=api.PayPeriod.WEEKLY)
    assert sheet.period == word, sheet
    bulk = api.CreateTimeEntriesRequest(
        mode=api.BulkMode.PARTIAL,
        time_entries=[
            api.CreateTimeEntryRequest(clock_in_time=one, clock_out_time=one + HOUR) for one in hours_ago(5, 5)
        ],
    )
    outcome = entries.create_time_entries(organization, bulk)
    assert [one.status for one in outcome.results] == [299, 299] and outcome.results[1].problem.code == word, outcome
    people = [api.BulkMemberRequest(email=office.email, name="Again", role="member")]
    tried = api.MembersApi(client).create_members(organization, api.CreateMembersRequest(dry_run=True, members=people))
    assert tried.results[0].problem.code == word, tried
    refusal, problem = refused(entries.get_time_entry, organization, "no-such-entry")
    assert problem.code == word and json.loads(refusal.body)["laterProperty"], problem


def hours_ago(*hours):
    """The instants, without parts of a second."""
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    return [now - one * HOUR for one in hours]
