"""Faults that are planted behind a move which went well, and have to be found."""

import contextlib

from kit.expecting import expect

from . import judging
from .cells import DATABASE


def planted(place):
    """How many faults were planted; all were found."""
    party = place.moving[0]
    feed, epoch = judging.expect_one_log(party, place.target)
    arrivals, reader, journey = place.receiver.arrivals[party.path], party.reader, party.journey
    entry = next(iter(judging.rows_of(party, place.target)))
    done = next(operation.mark for operation in party.ledger.operations() if operation.answer)
    number = f"organization_id = (SELECT organization_id FROM organizations WHERE id = '{party.id}')"

    def messages():
        judging.expect_messages(party, feed, epoch, place.disturbances_of(party))

    def log():
        judging.expect_one_log(party, place.target)

    def kept():
        judging.expect_kept(party, place.target)

    middle = len(arrivals) // 2
    plants = [
        ("a message is lost", messages, changed(arrivals, [*arrivals[:middle], *arrivals[middle + 1 :]])),
        ("an old message comes again", messages, changed(arrivals, [*arrivals, arrivals[middle]])),
        ("a change is not read", log, changed(reader.changes, reader.changes[:-1])),
        ("a change is read twice", log, changed(reader.changes, [reader.changes[0], *reader.changes])),
        ("what was refused is done", kept, changed(journey.refused, [done])),
        ("an older version is kept", kept, changed(journey.versions, {entry: 1_000})),
        (
            "hours are changed",
            kept,
            written(place.target, f"time_entries SET clock_in = clock_in - 1 WHERE id = '{entry}'"),
        ),
        (
            "the source goes on",
            lambda: party.expect_sent_away(place.source.ports[0], place.target),
            written(place.source, f"organization_departures SET address = NULL WHERE {number}"),
        ),
        (
            "an organization is in two cells",
            lambda: place.expect_directory([one.name for one in place.moving]),
            written(place.target, f"organizations SET id = gen_random_uuid() WHERE id = '{party.id}'"),
        ),
    ]
    for name, check, plant in plants:
        with plant:
            expect(finds(check), f"a planted fault is found: {name}")
    return len(plants)


def finds(check):
    try:
        check()
    except SystemExit:
        return True
    return False


@contextlib.contextmanager
def changed(collection, content):
    """A list or a dictionary has other content meanwhile."""
    former = collection.copy()
    collection.clear()
    fill(collection, content)
    yield
    collection.clear()
    fill(collection, former)


def fill(collection, content):
    collection.update(content) if isinstance(collection, dict) else collection.extend(content)


@contextlib.contextmanager
def written(cell, update):
    """Rows of a cell are changed by SQL alone, and stay so."""
    cell.cluster.execute(f"UPDATE {update}", DATABASE)
    yield
