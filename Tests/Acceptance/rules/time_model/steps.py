"""The requests that the steps of a sequence send, and the effect of the answers on the model.

A step is drawn before anything is known of ids or of the time it runs at: it names people and moments, and entries by
a choice among those there are. So a sequence can be repeated, and shortened, in another organization. A new
kind of operation is one more class with `draw` and `run`, in `WEIGHTS`.
"""

from . import rules
from .clocking_steps import ClockIn, ClockOut, CreateEntry
from .comparing import expect, expect_answer, expect_list, matches, pages, shown
from .drawing import ACTORS
from .editing_steps import DeleteEntry, UpdateEntry
from .reading_steps import CheckOverlap, Current, GetEntry, ListEntries
from .settings_steps import ChangeMember, ChangePolicy

WEIGHTS = {
    ClockIn: 14,
    ClockOut: 12,
    CreateEntry: 24,
    UpdateEntry: 20,
    DeleteEntry: 5,
    CheckOverlap: 6,
    ListEntries: 9,
    Current: 3,
    GetEntry: 3,
    ChangePolicy: 6,
    ChangeMember: 4,
}


def draw(random):
    """A step of any kind, by anybody."""
    kind = random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    return kind.draw(random, random.choice(ACTORS))


def compare_everything(office, session):
    """The whole list, every version, and the feed of changes, when a sequence is at its end."""
    owner = office.people["owner"]
    path = "/timeEntries?limit=7"
    answer, window = session.ask(owner, "GET", path)
    expected = office.listed(None, None, None, None, None)
    expect_list(expected, *pages(owner, session, path, answer, window, "timeEntries", 7))
    for entry in office.entries:
        answer, window = session.ask(owner, "GET", f"/timeEntries/{entry.id}")
        expect_answer(answer, 200, entry, window, entry.version)
    answer, window = session.ask(owner, "GET", "/changes?limit=1000")
    expect(answer.status == 200, "the model answers 200", answer)
    changes = [change for change in answer.json["changes"] if change["resource"] == "timeEntry"]
    expect(
        [(change["kind"], change["resourceId"]) for change in changes] == [entry[:2] for entry in office.log],
        f"the model has changed {[entry[:2] for entry in office.log]}",
        changes,
    )
    for change, (_, _, after) in zip(changes, office.log):
        # An active entry's duration was some other one when it was written down.
        expect(matches(shown(after, rules.Window(0, rules.FAR)), change["data"]), f"the model has {after}", change)
