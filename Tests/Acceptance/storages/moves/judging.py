"""The conditions on an organization that has moved: everything acknowledged is in the target, once, and the log goes on."""

import time

import compare
import ledger as ledgers
import moving
from kit.expecting import expect, expect_equal

from .cells import DATABASE

# A message may come again if the sender was ended, or its organization taken from it, so long before. In seconds.
AGAIN_SECONDS = 45
# A program that was killed keeps its place at a webhook for half a minute.
PATIENCE = 60


def expect_kept(party, cell):
    """The ledger is what the cell has, and the API answers the same. Returns how many operations were acknowledged."""
    operations = party.ledger.operations()
    contents = moving.OrganizationDatabase(cell.cluster, DATABASE, party.id).contents()
    faults = [*party.load.faults, *party.journey.faults, *compare.differences(operations, contents)]
    done = {change.mark for change in contents.changes}
    faults += [f"{mark} was refused because of the move, and done" for mark in party.journey.refused if mark in done]
    rows = {entry.id: entry.version for entry in contents.entries}
    office = party.office(cell.ports[0])
    listed = office.listed("/timeEntries?limit=200", "timeEntries")
    office.close()
    expect_equal(len(listed), len({entry["id"] for entry in listed}), f"entries of {party.name} that are listed once")
    if {entry["id"]: entry["version"] for entry in listed} != rows:
        faults.append("the API lists other entries than the rows are")
    for record, version in list(party.journey.versions.items()):
        if rows.get(record, version) < version:
            faults.append(f"{record} was acknowledged in version {version} and is in {rows[record]}")
    expect(not faults, f"{party.name} in the cell {cell.name}: {len(faults)} deviations", faults[:5])
    return sum(operation.outcome == ledgers.OK for operation in operations)


def rows_of(party, cell):
    """The version of each entry, by its id."""
    contents = moving.OrganizationDatabase(cell.cluster, DATABASE, party.id).contents()
    return {entry.id: entry.version for entry in contents.entries}


def expect_one_log(party, cell):
    """The log at the target begins with 1 and has no gap, and a reader has seen the same. Returns it with its epoch."""
    unsealed = (
        f"SELECT count(*) FROM unsealed_changes JOIN organizations USING (organization_id) WHERE id = '{party.id}'"
    )
    wait_until(f"the log of {party.name} is sealed", lambda: cell.value(unsealed) == "0")
    feed, epoch = feed_of(party, cell)
    expect_equal([one["sequence"] for one in feed], list(range(1, len(feed) + 1)), f"the log of {party.name}")
    reader = party.reader
    wait_until(
        f"the reader of {party.name} has everything", lambda: reader.faults or reader.after >= feed[-1]["sequence"]
    )
    reader.end()
    faults = [*reader.faults, *reader.journey.faults]
    expect(not faults, f"the feed of {party.name}", faults[:3])
    expect(reader.journey.followed, f"the reader of {party.name} was sent to the target")
    expect_equal(epoch, reader.epoch, f"the epoch of {party.name}")
    for seen, told in zip(reader.changes, feed):
        expect_equal(without_moment(seen), without_moment(told), f"a change of {party.name} as it was read before")
    expect_equal(len(reader.changes), len(feed), f"the changes of {party.name} that a reader has seen")
    expect_stream(party, cell, f"{reader.after}.{epoch}")
    return feed, epoch


def expect_stream(party, cell, last):
    """A stream goes on behind the last event that came at the source."""
    office = party.office(cell.ports[0])
    answer = office.request("GET", "/events?seconds=0", fields=[("Last-Event-ID", last)])
    office.close()
    expect(answer.status == 200, f"a stream of {party.name} behind {last}", answer)


def feed_of(party, cell):
    """All that `listChanges` answers, and the epoch."""
    office = party.office(cell.ports[0])
    changes, after = [], 0
    while True:
        page = office.ask("GET", f"/changes?limit=1000&after={after}")
        changes += page["changes"]
        if page["nextAfter"] == after:
            office.close()
            return changes, page["epoch"]
        after = page["nextAfter"]


def expect_messages(party, feed, epoch, disturbances):
    """The webhook got every change, in the order of the log; some again if their sender was disturbed.

    Returns how many came again.
    """
    arrivals = party.receiver.arrivals.setdefault(party.path, [])
    last = feed[-1]["sequence"]
    wait_until(
        f"the webhook of {party.name} has change {last}",
        lambda: any(name.split(".")[1] == str(last) for name, _ in list(arrivals)),
    )
    numbers, again = [], 0
    for name, instant in list(arrivals):
        organization, sequence, of_epoch = name.split(".")
        expect_equal((organization, of_epoch), (party.id, epoch), f"a message of {party.name}")
        number = int(sequence)
        if numbers and number == numbers[-1]:
            again += 1
            since = min((instant - began for began in disturbances if began <= instant), default=None)
            expect(since and since <= AGAIN_SECONDS, f"{name} came again, and nobody was disturbed", since)
        else:
            numbers.append(number)
    # Changes of the moments before it was made may be sealed only behind that, and are sent too.
    expect(numbers[0] <= party.first_message, f"the first message of {party.name}", numbers[0])
    expect_equal(numbers, list(range(numbers[0], last + 1)), f"the messages of {party.name}, without repeats")
    return again


def without_moment(change):
    """A change without what depends on the moment of the answer."""
    data = change.get("data")
    if isinstance(data, dict) and "durationSeconds" in data:
        data = {name: value for name, value in data.items() if name != "durationSeconds"}
        return {**change, "data": data}
    return change


def wait_until(what, is_so, seconds=PATIENCE):
    deadline = time.monotonic() + seconds
    while not is_so():
        expect(time.monotonic() < deadline, f"not within {seconds} s: {what}")
        time.sleep(0.05)
