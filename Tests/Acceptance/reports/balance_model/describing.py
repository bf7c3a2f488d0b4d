"""The facts of a member in lines, to read what a difference is about."""

from report_model import zones

# The most entries that are shown.
SHOWN = 20


def differing(expected, got):
    """The id of the first member with a row that differs; None if there is none."""
    for one, other in zip([*expected["rows"], None], [*got["rows"], None]):
        if one != other:
            return (one or other)["userId"]
    return None


def described(known, identifier):
    person = next((one for one in known.people if one.member.id == identifier), None)
    if person is None:
        return
    yield f"{person.member.name} {identifier}, in {known.zone} with {known.policy}:"
    for row in person.rows:
        start = f"{row.workday_start // 60:02}:{row.workday_start % 60:02}"
        holidays = "no calendar" if row.calendar is None else f"calendar {row.calendar}"
        works = ", works on holidays" if row.works_on_holidays else ""
        yield f"  from {row.start}: {row.seconds}, {row.zone or known.zone} {start}, {holidays}{works}"
    for one in person.absences:
        yield f"  {one.state} {one.kind} {one.start} to {one.end}: {one.portion} {one.seconds or ''}".rstrip()
    for one in person.adjustments:
        yield f"  {one.kind} of {one.seconds} s on {one.date}"
    for one in person.entitlements:
        yield f"  {one.days} ten-thousandths of a day in {one.year}, {one.carried} carried until {one.expires}"
    for one in sorted(person.entries, key=lambda entry: entry.start)[:SHOWN]:
        yield f"  {zones.written(one.start)} to {'…' if one.end is None else zones.written(one.end)}"
