"""Moves of the marks of a round's members."""

from .facts import Request

# The days of the week through which marks are moved.
DAYS = (1, 3, 6)
REASON = "A night is missing"


def draw(week, count):
    """Moves of a round, and the ones that are made before it: marks go up in most rounds, and are taken back in others."""
    chances = week.chances
    if chances.random() < 0.4:
        begun = [chances.choice([submit, approve, lock])(week, day) for day in chances.sample(DAYS, 2)]
        return begun, [chances.choice(BACK)(week) for _ in range(count)]
    begun = [chances.choice([submit, approve, lock])(week, chances.choice(DAYS[:2]))]
    return begun[: chances.choice([0, 0, 1])], [chances.choice(UP)(week) for _ in range(count)]


def through(week, day=None):
    return week.date(week.chances.choice(DAYS) if day is None else day).isoformat()


def back(week):
    """The last date that stays marked, None for none."""
    return week.chances.choice([None, week.date(DAYS[0]).isoformat()])


def some(week):
    """One of the members, or both in either order."""
    return week.shuffled(week.users)[: week.chances.choice([1, 2, 2])]


def submit(week, day=None):
    member, role = week.chances.randrange(2), week.chances.choice(["member", "member", "manager"])
    body = {"through": through(week, day), "complete": True}
    body |= {} if role == "member" else {"userId": week.users[member]}
    return Request("submitTimesheet", "POST", "/timesheets/submit", body, role, member)


def withdraw(week):
    return Request("withdrawTimesheet", "POST", "/timesheets/withdraw", None, "member", week.chances.randrange(2))


def reject(week):
    member = week.chances.randrange(2)
    body = {"userId": week.users[member], "reason": REASON}
    return Request("rejectTimesheet", "POST", "/timesheets/reject", body, "manager", member)


def approve(week, day=None):
    unsubmitted = day is not None or week.chances.random() < 0.8
    body = {"userIds": some(week), "through": through(week, day), "includeUnsubmitted": unsubmitted}
    role = week.chances.choice(["manager", "admin"])
    return Request("approveTimesheets", "POST", "/timesheets/approve", body, role, 0)


def reopen(week):
    member = week.chances.randrange(2)
    body = {"userId": week.users[member], "through": back(week), "reason": REASON}
    return Request("reopenTimesheet", "POST", "/timesheets/reopen", body, "manager", member)


def lock(week, day=None):
    unapproved = day is not None or week.chances.random() < 0.8
    body = {"userIds": some(week), "through": through(week, day), "includeUnapproved": unapproved}
    return Request("lockPeriod", "POST", "/periods/lock", body, "admin", 0)


def unlock(week):
    body = {"userIds": some(week), "through": back(week), "reason": REASON}
    return Request("unlockPeriod", "POST", "/periods/unlock", body, "admin", 0)


UP = [submit, submit, approve, approve, approve, approve, lock, lock, reopen, unlock, withdraw, reject]
BACK = [submit, approve, approve, reopen, reopen, reopen, reopen, unlock, unlock, withdraw, withdraw, reject]
