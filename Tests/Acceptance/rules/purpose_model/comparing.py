"""Whether clocks, lists and the rows of the database match the model after each step."""

import math

from time_model import comparing, rules
from time_model.comparing import expect, expect_answer

# The members whose clocks are looked at after every step; the others' are in the end.
WATCHED = ["ana", "bo"]
LIST_LIMIT = 1_000


def expect_segments(expected, rows, window):
    """Whether a list is of these segments, the newest start first."""
    starts = [row["startTime"] for row in rows]
    expect(starts == sorted(starts, reverse=True), "a list has the newest start first", starts)
    expect(
        sorted(row["id"] for row in rows) == sorted(one.id for one in expected),
        f"the model lists {[one.shown(window) for one in expected]}",
        rows,
    )
    by_id = {row["id"]: row for row in rows}
    for one in expected:
        shown = one.shown(window)
        expect(comparing.matches(shown, by_id[one.id]), f"the model lists {shown}", by_id[one.id])


def look(office, session):
    """Compares everything that a step could have changed."""
    owner = office.people["owner"]
    for name in WATCHED:
        answer, window = look_at_clock(office, session, office.people[name])
    look_again(office, session, office.people[name], answer, window)
    answer, window = session.ask(owner, "GET", f"/segments?limit={LIST_LIMIT}")
    expect(answer.status == 200, "the model answers 200", answer)
    expect_segments(office.segments, answer.json["segments"], window)
    answer, window = session.ask(owner, "GET", f"/timeEntries?limit={LIST_LIMIT}")
    expect(answer.status == 200, "the model answers 200", answer)
    rows = answer.json["timeEntries"]
    comparing.expect_list(office.listed(None, None, None, None, None), rows, window)
    versions = {entry.id: entry.version for entry in office.entries}
    expect({row["id"]: row["version"] for row in rows} == versions, f"the model has the versions {versions}", rows)
    look_at_rows(office, session)


def look_at_all_clocks(office, session):
    for person in office.people.values():
        look_at_clock(office, session, person)


def look_at_clock(office, session, person):
    active, running = office.active(person), office.open_segment(person)
    state = (active and (active.id, active.version), running and (running.id, running.version))
    # The tag of another state is none of this one.
    tag, tagged = session.tags.get(person.id, (None, state))
    fields = [] if tagged == state else [("If-None-Match", tag)]
    answer, window = session.ask(person, "GET", "/clock", None, fields)
    first, last = [office.clock(person, now) for now in window]
    numbers = {name: rules.Between(*sorted([first[name], last[name]])) for name in first}
    expected = {"status": office.status(person), "timeEntry": active, "segment": running}
    expect_answer(answer, 200, {**expected, **numbers}, window)
    session.tags[person.id] = (answer.fields["etag"], state)
    made = answer.json
    expect(
        window.earliest <= rules.read(made["serverTime"]) <= window.latest,
        f"the service's time is between {window}",
        answer,
    )
    times = [clock_text(made[name]) for name in ("sessionSeconds", "dailySeconds")]
    expect(made["display"] == "{} ({})".format(*times), "a clock shows what it says", answer)
    return answer, window


def look_again(office, session, person, answer, window):
    """While only the seconds run on, nothing has changed since an answer."""
    again, later = session.ask(person, "GET", "/clock", None, [("If-None-Match", answer.fields["etag"])])
    is_same_day = len({rules.local_date(now, person.zone or office.zone) for now in (*window, *later)}) == 1
    expect(again.status == 304 or not is_same_day, "a clock that nobody has touched is 304", again)


def clock_text(seconds):
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def look_at_rows(office, session):
    """Compares with the rows of the database, and asks it for forbidden states."""
    spans = {
        plain(one.id): (one.start, None if one.end == math.inf else one.end, one.entry and plain(one.entry.id))
        for one in office.segments
    }
    found = session.rows.spans(office.id)
    expect(found == spans, f"the model keeps {spans}", found)
    length = sum(one.end - one.start for one in office.segments if one.end < math.inf)
    faults, found = session.rows.faults(office.id)
    expect(not faults, "nothing is wrong with the segments in the database", faults)
    expect(found == length, f"what has ended adds up to {length} ms", found)


def plain(id):
    return id.replace("-", "")
