"""Writes of all kinds that marks bind, drawn by chance: each is of a record that is made for it alone."""

import datetime

from .facts import Write
from .place import written

REASON = "As agreed"
ROLES = ("member", "manager", "admin")


def draw(week, count):
    """Some writes of a round; their records are there."""
    return [DRAWN[operation](week) for operation in week.chances.choices([*DRAWN], k=count)]


def write(week, operation, method, path, body, *, folder, role="admin", member=0, seen=None, **more):
    """A write as it is to be asked. Who changes another's time states a reason; a deletion has it in its path."""
    if method == "DELETE" and folder in ("timeEntries", "segments") and role != "member":
        path += f"?reason={REASON.replace(' ', '%20')}"
    made = Write(operation, method, path, body, role, member, folder=folder, record=seen and seen["id"], **more)
    made.members = made.members or (member,)
    made.before = week.read(made)
    return made


def times(week):
    """A time of two hours, of whom, and on which day; late ones end on the next date."""
    member, day, hour = week.times.pop()
    span = (week.instant(day, hour), week.instant(day, hour + (5 if hour == 21 else 2)))
    return member, day, span


def of_another(role, user, body):
    return body if role == "member" else {**body, "userId": user, "reason": REASON}


def with_reason(role, body):
    return body if role == "member" else {**body, "reason": REASON}


def entry(week, member, span):
    body = {"clockInTime": written(span[0]), "clockOutTime": written(span[1])}
    return week.make("timeEntries", {**body, "userId": week.users[member], "reason": REASON})


def create_entry(week):
    member, day, span = times(week)
    role = week.chances.choice(ROLES)
    body = {"clockInTime": written(span[0]), "clockOutTime": written(span[1])}
    body = of_another(role, week.users[member], body)
    wanted = {"clockInTime": span[0], "clockOutTime": span[1], "userId": week.users[member]}
    more = {"folder": "timeEntries", "role": role, "member": member, "first": week.date(day), "wanted": wanted}
    return write(week, "createTimeEntry", "POST", "/timeEntries", body, **more)


def update_entry(week):
    """To an earlier end, which of a late one is on the next date; or to another day."""
    member, day, span = times(week)
    role = week.chances.choice(ROLES)
    seen = entry(week, member, span)
    more = {"folder": "timeEntries", "role": role, "member": member, "seen": seen}
    if week.chances.random() < 0.6:
        is_late = span[1] - span[0] > datetime.timedelta(hours=3)
        end = span[1] - datetime.timedelta(hours=1)
        wanted = {"clockInTime": span[0], "clockOutTime": end}
        first, last = week.date(day), week.date(day + is_late)
        body = {"clockOutTime": written(end)}
    else:
        other = next(place for place in reversed(week.times) if place[0] == member)
        week.times.remove(other)
        start, end = week.instant(*other[1:]), week.instant(other[1], other[2] + 2)
        wanted = {"clockInTime": start, "clockOutTime": end}
        first, last = week.date(min(day, other[1])), None
        body = {"clockInTime": written(start), "clockOutTime": written(end)}
    path = f"/timeEntries/{seen['id']}"
    body = with_reason(role, body)
    return write(week, "updateTimeEntry", "PATCH", path, body, first=first, end=last, wanted=wanted, **more)


def delete_entry(week):
    member, day, span = times(week)
    seen = entry(week, member, span)
    more = {"folder": "timeEntries", "role": week.chances.choice(ROLES), "member": member, "seen": seen}
    return write(week, "deleteTimeEntry", "DELETE", f"/timeEntries/{seen['id']}", None, first=week.date(day), **more)


def rest(week, span):
    """A break in an entry."""
    moments = [span[0] + datetime.timedelta(minutes=minute) for minute in (30, 60)]
    body = {"startTime": written(moments[0]), "endTime": written(moments[1])}
    return moments, {**body, "breakTypeId": week.place.break_type}


def create_break(week):
    member, day, span = times(week)
    role = week.chances.choice(ROLES)
    entry(week, member, span)
    moments, body = rest(week, span)
    wanted = {"startTime": moments[0], "endTime": moments[1], "breakTypeId": week.place.break_type}
    body = of_another(role, week.users[member], body)
    more = {"folder": "segments", "role": role, "member": member, "first": week.date(day), "wanted": wanted}
    return write(week, "createSegment", "POST", "/segments", body, **more)


def kept_break(week):
    member, day, span = times(week)
    entry(week, member, span)
    moments, body = rest(week, span)
    seen = week.make("segments", {**body, "userId": week.users[member], "reason": REASON})
    return member, day, moments, span, seen


def update_break(week):
    member, day, moments, span, seen = kept_break(week)
    role = week.chances.choice(ROLES)
    end = span[0] + (moments[1] - span[0]) * 3 / 2
    more = {"folder": "segments", "role": role, "member": member, "seen": seen, "first": week.date(day)}
    body = with_reason(role, {"endTime": written(end)})
    wanted = {"startTime": moments[0], "endTime": end}
    return write(week, "updateSegment", "PATCH", f"/segments/{seen['id']}", body, wanted=wanted, **more)


def delete_break(week):
    member, day, _, _, seen = kept_break(week)
    more = {"folder": "segments", "role": week.chances.choice(ROLES), "member": member, "seen": seen}
    return write(week, "deleteSegment", "DELETE", f"/segments/{seen['id']}", None, first=week.date(day), **more)


def absence(week, kind, hours=1):
    """Hours of one or two dates, of which any many have room."""
    member, day = week.chances.randrange(2), week.chances.randrange(6)
    last = week.date(day + week.chances.randrange(2))
    dates = {"startDate": week.date(day).isoformat(), "endDate": last.isoformat()}
    return member, day, {"kind": kind, **dates, "portion": "seconds", "seconds": 1_800 * hours}


def request_absence(week):
    """What somebody enters for another counts at once, and so does the caller's own sickness."""
    role = week.chances.choice(ROLES)
    member, day, body = absence(week, week.chances.choice(["sick", "vacation"]))
    is_approved = role != "member" or body["kind"] == "sick"
    wanted = {**body, "state": "approved" if is_approved else "requested"}
    body = body if role == "member" else {**body, "userId": week.users[member]}
    more = {"folder": "absences", "role": role, "member": member, "first": week.date(day), "wanted": wanted}
    return write(week, "requestAbsence", "POST", "/absences", body, **more)


def decide_absence(week):
    """To refuse an absence changes nothing of the dates, so that no mark binds it."""
    member, day, body = absence(week, "vacation")
    seen = week.make("absences", body, week.tokens[member])
    decision = week.chances.choice(["approve", "approve", "approve", "refuse"])
    first = week.date(day) if decision == "approve" else None
    wanted = {"state": "approved" if decision == "approve" else "refused"}
    more = {"folder": "absences", "role": week.chances.choice(ROLES[1:]), "member": member, "seen": seen}
    path = f"/absences/{seen['id']}/decide"
    return write(week, "decideAbsence", "POST", path, {"decision": decision}, first=first, wanted=wanted, **more)


def cancel_absence(week):
    """An approved one by a manager; or the caller's own request, which no mark binds."""
    role = week.chances.choice(["member", "manager", "manager", "admin"])
    member, day, body = absence(week, "vacation")
    if role == "member":
        seen = week.make("absences", body, week.tokens[member])
    else:
        seen = week.make("absences", {**body, "userId": week.users[member]})
    first = None if role == "member" else week.date(day)
    more = {"folder": "absences", "role": role, "member": member, "seen": seen, "wanted": {"state": "canceled"}}
    path = f"/absences/{seen['id']}/cancel"
    return write(week, "cancelAbsence", "POST", path, with_reason(role, {}), first=first, **more)


def create_schedule(week):
    member, day = week.beginnings.pop()
    body = week.schedule(member, week.date(day))
    more = {"folder": "workSchedules", "member": member, "first": week.date(day), "wanted": body}
    return write(week, "createWorkSchedule", "POST", "/workSchedules", body, **more)


def kept_schedule(week):
    member, day = week.beginnings.pop()
    return member, day, week.make("workSchedules", week.schedule(member, week.date(day)))


def update_schedule(week):
    """Another plan, or another first date."""
    member, day, seen = kept_schedule(week)
    wanted = {"secondsByWeekday": [0, *[36_000 + day] * 6]}
    first = week.date(day)
    other = next((place for place in reversed(week.beginnings) if place[0] == member), None)
    if other and week.chances.random() < 0.5:
        week.beginnings.remove(other)
        wanted = {"from": week.date(other[1]).isoformat()}
        first = min(first, week.date(other[1]))
    more = {"folder": "workSchedules", "member": member, "seen": seen, "first": first, "wanted": wanted}
    return write(week, "updateWorkSchedule", "PATCH", f"/workSchedules/{seen['id']}", wanted, **more)


def delete_schedule(week):
    member, day, seen = kept_schedule(week)
    more = {"folder": "workSchedules", "member": member, "seen": seen, "first": week.date(day)}
    return write(week, "deleteWorkSchedule", "DELETE", f"/workSchedules/{seen['id']}", None, **more)


def holiday(week, is_there):
    """The date of a holiday, its path, the one that is there, and the facts of a write of it."""
    date = week.date(week.holidays.pop())
    path = f"/holidayCalendars/{week.place.calendar}/holidays/{date}"
    seen = week.place.office.ask("PUT", path, {"name": "Fair", "percent": 40}) if is_there else None
    members = tuple(member for member, calendar in enumerate(week.calendars) if calendar)
    return path, {"folder": "holidays", "date": date, "first": date, "members": members, "seen": seen}


def put_holiday(week):
    path, more = holiday(week, week.chances.random() < 0.5)
    body = {"name": "Feast", "percent": week.chances.choice([50, 100])}
    return write(week, "putHoliday", "PUT", path, body, wanted=body, **more)


def delete_holiday(week):
    path, more = holiday(week, True)
    return write(week, "deleteHoliday", "DELETE", path, None, **more)


def adjustment(week):
    member, day = week.chances.randrange(2), week.chances.randrange(7)
    seconds = week.chances.choice([-1, 1]) * week.chances.randrange(1, 9_999)
    body = {"userId": week.users[member], "date": week.date(day).isoformat(), "seconds": seconds}
    return member, day, {**body, "kind": "correction", "reason": REASON}


def create_adjustment(week):
    member, day, body = adjustment(week)
    more = {"folder": "adjustments", "member": member, "first": week.date(day), "wanted": body}
    return write(week, "createAdjustment", "POST", "/adjustments", body, **more)


def delete_adjustment(week):
    member, day, body = adjustment(week)
    seen = week.make("adjustments", body)
    more = {"folder": "adjustments", "member": member, "seen": seen, "first": week.date(day)}
    return write(week, "deleteAdjustment", "DELETE", f"/adjustments/{seen['id']}", None, **more)


DRAWN = {
    "createTimeEntry": create_entry,
    "updateTimeEntry": update_entry,
    "deleteTimeEntry": delete_entry,
    "createSegment": create_break,
    "updateSegment": update_break,
    "deleteSegment": delete_break,
    "requestAbsence": request_absence,
    "decideAbsence": decide_absence,
    "cancelAbsence": cancel_absence,
    "createWorkSchedule": create_schedule,
    "updateWorkSchedule": update_schedule,
    "deleteWorkSchedule": delete_schedule,
    "putHoliday": put_holiday,
    "deleteHoliday": delete_holiday,
    "createAdjustment": create_adjustment,
    "deleteAdjustment": delete_adjustment,
}
