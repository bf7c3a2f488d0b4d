"""Whether the service's answers agree with the model."""

import urllib.parse

from . import rules


class Difference(Exception):
    """The service did something that the model forbids."""


def shown(value, window):
    """A value of the model as the service writes it."""
    if hasattr(value, "shown"):
        return value.shown(window)
    if isinstance(value, list):
        return [shown(part, window) for part in value]
    if isinstance(value, dict):
        return {name: shown(part, window) for name, part in value.items()}
    return value


def matches(expected, got):
    """Whether everything that the model knows of is as it says; members that it does not know are not its matter."""
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(
            name in got and matches(value, got[name]) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(got, list) and len(expected) == len(got) and all(map(matches, expected, got))
    return expected == got


def expect(is_true, what, *details):
    if not is_true:
        raise Difference("\n    ".join([what, *map(str, details)]))


def expect_answer(answer, status, value, window, version=None):
    expected = shown(value, window)
    expect(answer.status == status, f"the model answers {status}", answer)
    expect(matches(expected, answer.json), f"the model answers {expected}", answer)
    if version is not None:
        expect(answer.fields.get("etag") == f'"{version}"', f'the model answers ETag "{version}"', answer.fields)


def is_refused(answer, window, refusals):
    """Whether the service refused. It has to for one of the rules that are broken, and must not without one.

    `refusals` are those of a present time: one that does not hold during the whole request may hold or not.
    """
    first, last = refusals(window.earliest), refusals(window.latest)
    if answer.status < 300:
        expect(not first or not last, f"the model refuses: {first}", answer)
        return False
    met = [one for one in first + last if (one.status, one.code) == (answer.status, answer.code)]
    expect(met, f"the model refuses only {first + last}", answer)
    expect(any(is_told_as(one, answer, window) for one in met), f"the model says {met[0]._asdict()}", answer)
    return True


def is_told_as(refusal, answer, window):
    current = refusal.members.get("current")
    is_tagged = current is None or answer.fields.get("etag") == f'"{current.version}"'
    is_worded = refusal.detail in (None, answer.json["detail"])
    return is_tagged and is_worded and matches(shown(refusal.members, window), answer.json)


def pages(actor, session, path, answer, window, name, limit):
    """The rows of all pages, and the time from the first to the last."""
    rows = []
    start = window.earliest
    while True:
        expect(answer.status == 200, "the model answers 200", answer)
        page = answer.json
        rows += page[name]
        cursor = page["nextCursor"]
        if cursor is None:
            return rows, rules.Window(start, window.latest)
        expect(len(page[name]) == limit, f"a page that is not the last has {limit} rows", answer)
        answer, window = session.ask(actor, "GET", f"{path}&cursor={urllib.parse.quote(cursor)}")


def expect_list(expected, rows, window):
    """Entries of one date that were created in the same millisecond may come in any order."""
    order = [(entry.date.isoformat(), rules.written(entry.created)) for entry in expected]
    expect(
        [(row["date"], row["createdAt"]) for row in rows] == order,
        f"the model lists {[entry.id for entry in expected]}",
        [row["id"] for row in rows],
    )
    by_id = {row["id"]: row for row in rows}
    for entry in expected:
        expect(
            matches(entry.shown(window), by_id.get(entry.id)),
            f"the model lists {entry.shown(window)}",
            by_id.get(entry.id),
        )
