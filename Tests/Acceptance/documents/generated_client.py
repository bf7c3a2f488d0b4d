#!/usr/bin/env python3
"""A client that openapi-python-client generates from openapi.yaml, without a warning, does a day's work, and reads the
answers of a later version. `generated_clients.py` does more, with three clients."""

import datetime
import pathlib
import sys
import tempfile

from kit import python_packages

python_packages.enter()

from clients import openapi_python_client
from kit import contract, service

HOUR = datetime.timedelta(hours=1)


def works(port, organization, token):
    """Clocks in and out, and keeps an entry by hand, by the types that were generated."""
    from clock import AuthenticatedClient, models, types
    from clock.api.time_entries import (
        clock_in,
        clock_out,
        create_time_entry,
        delete_time_entry,
        get_current_time_entry,
        get_time_entry,
        list_time_entries,
        update_time_entry,
    )

    client = AuthenticatedClient(base_url=f"http://127.0.0.1:{port}", token=token, raise_on_unexpected_status=True)

    started = clock_in.sync(organization, client=client, body=models.ClockInRequest(notes="opening"))
    assert isinstance(started, models.TimeEntry) and started.clock_out_time is None, started
    assert started.status == "clocked-in" and started.notes == "opening", started
    again = clock_in.sync(organization, client=client)
    assert isinstance(again, models.TimeEntryConflictProblem), again
    assert again.code == "already_clocked_in" and again.active_time_entry.id == started.id, again
    current = get_current_time_entry.sync(organization, client=client)
    assert current.time_entry.id == started.id and current.server_time >= started.clock_in_time, current
    ended = clock_out.sync(organization, client=client)
    assert ended.id == started.id and ended.clock_out_time >= ended.clock_in_time, ended
    assert get_current_time_entry.sync(organization, client=client).time_entry is None

    begin = datetime.datetime.now(datetime.UTC).replace(microsecond=0) - 30 * HOUR
    shift = models.CreateTimeEntryRequest(clock_in_time=begin, clock_out_time=begin + 8 * HOUR)
    by_hand = create_time_entry.sync_detailed(organization, client=client, body=shift)
    entry = by_hand.parsed
    assert by_hand.status_code == 201 and entry.duration_seconds == 8 * 3600, by_hand
    late = models.CreateTimeEntryRequest(clock_in_time=begin + HOUR, clock_out_time=begin + 9 * HOUR)
    refusal = create_time_entry.sync(organization, client=client, body=late)
    assert isinstance(refusal, models.TimeEntryConflictProblem), refusal
    assert refusal.code == "overlap" and refusal.count == 1, refusal
    assert [one.id for one in refusal.overlaps] == [entry.id], refusal

    first = list_time_entries.sync(organization, client=client, limit=1)
    rest = list_time_entries.sync(organization, client=client, limit=1, cursor=first.next_cursor)
    assert [one.id for one in first.time_entries + rest.time_entries] == [started.id, entry.id], (first, rest)
    assert rest.next_cursor is None, rest

    change = models.UpdateTimeEntryRequest(notes="left later", clock_out_time=begin + 9 * HOUR)
    changed = update_time_entry.sync_detailed(
        organization, entry.id, client=client, if_match=by_hand.headers["ETag"], body=change
    )
    assert changed.parsed.notes == "left later" and changed.parsed.duration_seconds == 9 * 3600, changed
    stale = delete_time_entry.sync(organization, entry.id, client=client, if_match=by_hand.headers["ETag"])
    assert isinstance(stale, models.TimeEntryChangedProblem) and stale.current.notes == "left later", stale
    deleted = delete_time_entry.sync_detailed(
        organization, entry.id, client=client, if_match=changed.headers["ETag"], reason=types.UNSET
    )
    assert deleted.status_code == 204, deleted
    gone = get_time_entry.sync(organization, entry.id, client=client)
    assert gone.code == "time_entry_not_found", gone


def survives_later_versions():
    """Reads answers with members, words and a resource that this contract does not list."""
    from clock import models

    entry = contract.Contract().document["components"]["schemas"]["TimeEntry"]["examples"][0]
    later = models.TimeEntry.from_dict(
        entry | {"source": "watch", "flags": ["on_leave"], "status": "on-leave", "id": "4711", "project": "Roof"}
    )
    assert later.source == "watch" and later.status == "on-leave" and later.id == "4711", later
    assert later.flags == ["on_leave"], later
    assert later.to_dict()["project"] == "Roof", later
    change = {
        "sequence": 1,
        "time": "2026-11-20T09:00:00.000Z",
        "kind": "created",
        "resource": "project",
        "resourceId": entry["id"],
        "operation": "createProject",
        "erased": False,
    }
    page = models.ChangePage.from_dict(
        {
            "nextAfter": 2,
            "epoch": "0123456789abcdef",
            "changes": [
                change | {"data": {"id": entry["id"], "title": "Roof"}},
                change | {"resource": "timeEntry", "data": entry | {"project": "Roof"}},
            ],
        }
    )
    assert page.changes[0].resource == "project" and page.changes[0].data["title"] == "Roof", page
    assert models.TimeEntry.from_dict(page.changes[1].data.to_dict()).id == entry["id"], page
    problem = models.TimeEntryConflictProblem.from_dict(
        {
            "type": "urn:timeclock:problem:on_leave",
            "title": "On leave",
            "status": 409,
            "detail": "The member is on leave.",
            "code": "on_leave",
            "until": "2026-11-30",
        }
    )
    assert problem.code == "on_leave" and problem.additional_properties == {"until": "2026-11-30"}, problem


def main():
    with tempfile.TemporaryDirectory() as folder:
        openapi_python_client.generate(pathlib.Path(sys.prefix, "bin/openapi-python-client"), pathlib.Path(folder))
        sys.path.append(folder)
        survives_later_versions()
        clock = service.Service(service.built_binary(), folder)
        created = clock.create_organization()
        clock.start()
        works(clock.port, created["organizationID"], created["token"])
        clock.stop()
    print("generated client: clocks in and out, keeps an entry by hand, and reads the answers of a later version")


main()
