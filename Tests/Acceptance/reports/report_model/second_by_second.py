"""The rows of a report second by second, to check the calculation with: small sets only.

Nothing is cut at a midnight here. Every second of every entry is looked up on the calendar and put into its rows by
itself, and every second that counts is deducted, or given out by itself as regular hours or overtime.
"""

import collections
import datetime
import itertools
import zoneinfo

from . import facts
from .zones import written


class Cell:
    """The seconds of an entry on one date of one segment, or of the time between two."""

    def __init__(self, segment):
        self.segment = segment
        self.kinds = collections.Counter()
        self.seconds = self.deducted = self.added = 0
        self.first = None
        self.last = None
        self.is_running = False

    @property
    def is_break(self):
        return self.segment is not None and self.segment.kind != "work"

    @property
    def work(self):
        return None if self.is_break else self.segment

    @property
    def kind(self):
        return "break" if self.is_break else "none" if self.segment is None else "work"

    @property
    def paid(self):
        return self.kinds.total()

    def add(self, start, end, is_running):
        self.first = start if self.first is None else self.first
        self.last, self.is_running = end, is_running


def date_at(instant, zone):
    """Clocks change at whole seconds, so that all of a second has one date."""
    return datetime.datetime.fromtimestamp(instant // 1_000, zoneinfo.ZoneInfo(zone)).date()


def end_of(one, query):
    return query.as_of if one.end is None else one.end


def doing(segments, instant, query):
    """The place of the segment in which an instant ends something; None between two."""
    for place, one in enumerate(segments):
        if one.start < instant <= end_of(one, query):
            return place
    return None


def cells(entry, known, query, date_at=date_at):
    """By date, in the order in which an entry comes to them; no part of a second is given to anybody.

    `date_at` gives the date of an instant by the query's zone, or by others: balances have dates of their own.

    The time of the entry goes by; whenever a whole second of it has gone by on a date, that is of the activity just
    then.
    """
    found, gone = {}, collections.Counter()
    end = end_of(entry, query)
    if end <= entry.start:
        return found
    segments = sorted((one for one in known.segments if one.entry == entry.id), key=lambda one: one.start)
    edges = sorted({edge for one in segments for edge in (one.start, end_of(one, query)) if entry.start < edge < end})
    whole = (
        None
        if query.attribution == "split"
        else date_at(entry.start if query.attribution == "start" else end, query.zone)
    )
    instant, between = entry.start, 0
    while instant < end:
        # Until something else is done.
        edge = edges.pop(0) if edges else end
        place = doing(segments, edge, query)
        name = ("between", between) if place is None else place
        while instant < edge:
            following = min(edge, instant // 1_000 * 1_000 + 1_000)
            date = whole or date_at(instant, query.zone)
            of_date = found.setdefault(date, {})
            if name not in of_date:
                of_date[name] = Cell(None if place is None else segments[place])
            of_date[name].add(instant, following, entry.end is None and following == end)
            before = gone[date]
            gone[date] = before + following - instant
            if before // 1_000 < gone[date] // 1_000:
                of_date[name].seconds += 1
            instant = following
        between += 1
    return {date: list(of_date.values()) for date, of_date in found.items()}


def monday_week(date):
    """ISO 8601: a week belongs to the year that its Thursday lies in."""
    thursday = date.toordinal() - date.weekday() + 3
    year = datetime.date.fromordinal(thursday).year
    return f"{year:04}-W{(thursday - datetime.date(year, 1, 1).toordinal()) // 7 + 1:02}"


def week_number(date, week_start):
    """A number that all dates of one week have; 1970-01-01 was a Thursday."""
    days = date.toordinal() - datetime.date(1970, 1, 1).toordinal()
    return (days + 3 - facts.WEEKDAYS.index(week_start)) // 7


def week_of(date, policy):
    """The same for all dates of one week, and for no others: rules that begin with another day begin a week."""
    firsts = [first for first, _ in policy.dated if first <= date]
    return tuple(firsts[-1:]), week_number(date, policy.on(date).week_start)


def paid(known, query, date_at=date_at):
    """Every cell of the range that the filters keep, as (entry, date, cell); `date_at` as for `cells`."""
    first_week = week_of(query.start_date, known.policy)
    parts = [
        (entry, date, of_part)
        for entry in sorted(known.entries, key=lambda entry: entry.start)
        for date, of_part in cells(entry, known, query, date_at).items()
    ]
    of_entries = collections.defaultdict(list)
    for entry, date, of_part in parts:
        of_entries[entry.id] += [(date, cell) for cell in of_part]
    for shift in shifts(known, query):
        of_shift = [one for entry in shift for one in of_entries[entry.id]]
        deduct(sorted(of_shift, key=lambda one: (one[0], one[1].first)), due(shift, known, query, date_at))
    parts = [
        part
        for part in parts
        if (part[1] >= query.start_date or week_of(part[1], known.policy) == first_week) and part[1] <= query.end_date
    ]
    of_day, of_week = collections.Counter(), collections.Counter()
    for entry, date, of_part in parts:
        day, week = (entry.member.id, date), (entry.member.id, week_of(date, known.policy))
        for cell in of_part:
            if cell.segment is None or cell.segment.kind != "unpaid":
                for _ in range(cell.seconds - cell.deducted):
                    cell.kinds[kind(of_day, of_week, day, week, known.policy.on(date))] += 1
        if query.rounding is not None:
            round_part(of_part, query.rounding)
    return [
        (entry, date, cell)
        for entry, date, of_part in parts
        for cell in of_part
        if query.start_date <= date and query.member in (None, entry.member.id) and is_kept(entry, cell, query)
    ]


def shifts(known, query):
    """Each member's entries, split at every gap of eight hours."""
    found = []
    by_member = sorted(known.entries, key=lambda entry: (entry.member.id, entry.start))
    last = None
    for entry in [one for one in by_member if one.start < end_of(one, query)]:
        if last and last.member == entry.member and (entry.start - end_of(last, query)) / 3_600_000 < 8:
            found[-1].append(entry)
        else:
            found.append([entry])
        last = entry
    return found


def due(shift, known, query, date_at):
    """The seconds of break that a shift lacks by the rules of its first date, counted one by one.

    Its time is cut at each begin and end; neighbors that are both no paid work are one rest.
    """
    policy = known.policy
    if policy.dated:
        policy = policy.on(date_at(shift[0].start, query.zone))
    segments = [one for one in known.segments if one.entry in {entry.id for entry in shift}]
    edges = sorted({edge for one in [*shift, *segments] for edge in (one.start, end_of(one, query))})
    edges = [edge for edge in edges if edge <= end_of(shift[-1], query)]

    def is_in(instant):
        return any(entry.start < instant <= end_of(entry, query) for entry in shift)

    def during(instant):
        if not is_in(instant):
            return "rest"
        place = doing(segments, instant, query)
        kind = "work" if place is None else segments[place].kind
        return "rest" if kind == "unpaid" else kind

    pieces = [(during(end), end - start) for start, end in itertools.pairwise(edges)]
    worked, rested = 0, 0
    for what, of_kind in itertools.groupby(pieces, key=lambda piece: piece[0]):
        length = sum(piece[1] for piece in of_kind)
        worked += length if what == "work" else 0
        rested += length if what == "rest" and length >= policy.break_minimum * 1_000 else 0
    seconds = 0
    # One more as long as a rule asks for it, of work beyond the time that the rule spares.
    while any(
        rested + (seconds + 1) * 1_000 <= rule.length * 1_000 and (rule.after + seconds + 1) * 1_000 <= worked
        for rule in policy.break_rules
    ):
        seconds += 1
    return seconds


def deduct(of_shift, seconds):
    """Second by second from the end of the shift."""
    for _, cell in reversed(of_shift):
        while not cell.is_break and cell.deducted < cell.seconds and seconds > 0:
            cell.deducted += 1
            seconds -= 1


def round_part(of_part, rounding):
    """Second by second until the paid time is a multiple; the nearest is looked for in both directions."""
    total = sum(cell.paid for cell in of_part)
    down = total % rounding.unit
    up = -total % rounding.unit
    is_up = rounding.direction == "up" or (rounding.direction == "nearest" and up <= down)
    paid = [cell for cell in of_part if cell.paid]
    if is_up and paid:
        paid[-1].added += up
        return
    while down and not is_up:
        last = [cell for cell in paid if cell.paid + cell.added][-1]
        last.added -= 1
        down -= 1


def is_kept(entry, cell, query):
    """Whether all filters keep it."""
    work = cell.work
    project = work and work.project
    return (
        (query.session is None or (entry.session is not None and entry.session.id == query.session))
        and (query.project is None or (project is not None and project.id == query.project))
        and (query.task is None or (work is not None and work.task is not None and work.task.id == query.task))
        and (query.client is None or (project is not None and project.client == query.client))
        and (query.tag is None or (cell.segment is not None and query.tag in cell.segment.tags))
        and (query.is_billable is None or query.is_billable == (work is not None and work.is_billable))
        and (query.kind is None or query.kind == cell.kind)
    )


def kind(of_day, of_week, day, week, policy):
    """The kind of pay of the next second."""
    of_day[day] += 1
    if policy.daily_overtime_after is not None and of_day[day] > policy.daily_overtime_after:
        return "dailyOvertimeSeconds"
    of_week[week] += 1
    if policy.weekly_overtime_after is not None and of_week[week] > policy.weekly_overtime_after:
        return "weeklyOvertimeSeconds"
    return "regularSeconds"


NOTHING = "\U0010ffff"


def key(dimension, entry, date, cell):
    project, task = cell.work and cell.work.project, cell.work and cell.work.task
    return {
        "user": (entry.member.name, entry.member.id),
        "day": f"{date}",
        "week": monday_week(date),
        "month": f"{date:%Y-%m}",
        "session": (entry.session.title, entry.session.id) if entry.session else (NOTHING, NOTHING),
        "status": "clocked-in" if entry.end is None else "clocked-out",
        "source": entry.source,
        "project": (project.name, project.id, project.color) if project else (NOTHING,) * 3,
        "task": (task.name, task.id) if task else (NOTHING, NOTHING),
        "client": NOTHING if project is None or project.client is None else project.client,
        "kind": cell.kind,
    }[dimension]


NAMES = {
    "user": ["userName", "userId"],
    "session": ["sessionTitle", "sessionId"],
    "project": ["projectName", "projectId", "color"],
    "task": ["taskName", "taskId"],
}


def shown(dimension, value):
    values = value if dimension in NAMES else [value]
    return {name: None if one == NOTHING else one for name, one in zip(NAMES.get(dimension, [dimension]), values)}


def sums(found, query):
    cells = [cell for _, _, cell in found]
    total = collections.Counter()
    for cell in cells:
        total += cell.kinds
    unpaid = sum(cell.seconds for cell in cells if cell.is_break and cell.segment.kind == "unpaid")
    last = max(cells, key=lambda cell: cell.last, default=None)
    rounded = total.total() + sum(cell.added for cell in cells)
    return {
        "seconds": sum(cell.seconds for cell in cells),
        "breakSeconds": sum(cell.seconds for cell in cells if cell.is_break),
        "unpaidBreakSeconds": unpaid,
        "deductedBreakSeconds": sum(cell.deducted for cell in cells),
        "paidSeconds": total.total(),
        **({} if query.rounding is None else {"roundedSeconds": rounded}),
        **{name: total[name] for name in ("regularSeconds", "dailyOvertimeSeconds", "weeklyOvertimeSeconds")},
        "entries": len({entry.id for entry, *_ in found}),
        "daysWorked": len({(entry.member.id, date) for entry, date, _ in found}),
        "firstIn": written(min((cell.first for cell in cells), default=None)),
        "lastOut": None if last is None or last.is_running else written(last.last),
    }


def rows_and_totals(known, query):
    """The results of `Calculation`."""
    groups = collections.defaultdict(list)
    found = paid(known, query)
    for one in found:
        groups[tuple(key(dimension, *one) for dimension in query.group_by)].append(one)
    rows = []
    for values in sorted(groups):
        row = {}
        for dimension, value in zip(query.group_by, values):
            row |= shown(dimension, value)
        rows.append(row | sums(groups[values], query))
    return rows, sums(found, query)
