"""The disturbances of moves: each is played on one organization under load, which is in the target when it returns."""

import contextlib
import time

import moving
from kit.expecting import expect, expect_equal

from .cells import CLOSED, COPIED, DATABASE, MOVED, OPEN, presence

# At the commit of the target's transaction with the organization, so that a test finds it there. In seconds.
LONG_COMMIT = 1.5
SLEEPING = f"""
CREATE FUNCTION sleep_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_sleep({LONG_COMMIT});
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER sleep_at_commit AFTER INSERT ON organizations
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sleep_at_commit()
"""
AWAKE = "DROP TRIGGER sleep_at_commit ON organizations; DROP FUNCTION sleep_at_commit"
# For so long an instance repeats what the database has said about a departure, and a busy machine may take. In seconds.
REPEATED_SECONDS = 5
PATIENCE = 30


def killed(place, party, name):
    """The command is killed at a moment of chance, and run again."""
    process = place.mover.begin(name)
    time.sleep(place.chance.uniform(0, 1.1 * place.length))
    place.mover.kill(process)
    stage = place.mover.stage(party.id)
    place.stages[stage] += 1
    ended = finish(place, party, name)
    expect_equal("rows" in ended.content, stage in (OPEN, CLOSED), f"{stage}, the second command has copied: {ended}")


def source_lost(place, party, name):
    lose(place, party, name, place.source)


def target_lost(place, party, name):
    lose(place, party, name, place.target)


def lose(place, party, name, cell):
    """A PostgreSQL is killed at a moment of chance, and is back before the command is run again."""
    process = place.mover.begin(name)
    time.sleep(place.chance.uniform(0, place.length))
    with place.disturbed():
        cell.lose_postgresql()
        ended = place.mover.end(process)
        place.losses[f"{cell.name} {'survived' if ended.code == 0 else 'failed'}"] += 1
        finish(place, party, name)


def abandoned(place, party, name):
    """The command is killed while the organization is closed, which is opened again; at last it is moved undisturbed."""
    mover = place.mover
    with place.target.held("organizations"):
        process = mover.begin(name)
        wait_for(place, party, CLOSED)
        expect_closed(place, party)
        mover.kill(process)
        expect_closed(place, party)
        expect(f"{party.id} {place.source.name}" in mover.directory(), "the directory while an organization moves")
    ended, _ = mover.run(name, "--abandon")
    expect(ended.code == 0, "`--abandon` before the commit", ended)
    expect_equal(mover.stage(party.id), OPEN, "the stage after `--abandon`")
    expect_open(place, party)
    ended, place.length = mover.run(name)
    expect(ended.code == 0, "a move that nobody disturbs", ended)
    expect_content(ended, party, mover, has_copied=True)


def committing(place, party, name):
    """The command is killed when the target has begun to commit and nobody sees it yet, and `--abandon` comes just then."""
    mover = place.mover
    place.target.cluster.execute(SLEEPING, DATABASE)
    try:
        process = mover.begin(name)
        asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
        with place.target.session() as value:
            until("the target commits", lambda: value(asleep) != "0")
        has_ended = mover.kill(process)
        expect(not has_ended, "the command was killed within its commit")
        expect_equal(mover.target.value(presence(party.id)), "0", "nobody sees the commit yet")
        ended, _ = mover.run(name, "--abandon")
        with place.target.session() as value:
            until("the commit is over", lambda: value(asleep) == "0")
        stage = mover.stage(party.id)
        if ended.code == 0:
            # Only if the commit did not come to pass.
            expect_equal(stage, OPEN, f"the stage after `--abandon` within a commit: {ended}")
        else:
            expect(stage in (COPIED, MOVED), f"the stage after `--abandon` was refused: {ended}", stage)
        finish(place, party, name)
    finally:
        place.target.cluster.execute(AWAKE, DATABASE)


def committed(place, party, name):
    """The command is killed when the target has the organization and the source has no address yet."""
    mover = place.mover
    with contextlib.ExitStack() as holding:
        with place.target.held("organizations"):
            process = mover.begin(name)
            wait_for(place, party, CLOSED)
            holding.enter_context(place.source.held("organization_departures"))
        wait_for(place, party, COPIED)
        mover.kill(process)
        place.stages[COPIED] += 1
        listed = mover.directory()
        expect_closed(place, party)
        expect(f"{party.id} {place.target.name}" in listed, "the directory behind the commit", listed)
        expect(f"{party.id} {place.source.name}" not in listed, "the directory behind the commit", listed)
    # Whether or not the statement that waited has given the source its address.
    expect(mover.stage(party.id) in (COPIED, MOVED), "the stage behind the commit")
    refuse_to_abandon(place, party, name)
    ended = finish(place, party, name)
    expect("rows" not in ended.content, "a command that finds everything copied", ended)


def twice(place, party, name):
    """Two commands move the same organization at once."""
    both = [place.mover.begin(name) for _ in range(2)]
    ended = [place.mover.end(process) for process in both]
    told = ", ".join(map(str, ended))
    expect(any(one.code == 0 for one in ended), "of two commands at once one ends well", told)
    for one in ended:
        expect(one.code == 0 or "under way" in one.errors, "a command that finds another one at work says so", told)
    copies = [one for one in ended if one.code == 0 and "rows" in one.content]
    expect(len(copies) <= 1, "one of two commands copies", told)
    finish(place, party, name)


def finish(place, party, name):
    """Runs the command, which has to end well at once, and again, when all is done."""
    ended, _ = place.mover.run(name)
    expect(ended.code == 0, f"`organization move` of {name} ends with 0 when it is run again", ended)
    expect_content(ended, party, place.mover)
    expect_equal(place.mover.stage(party.id), MOVED, "the stage behind the end")
    return ended


def refuse_to_abandon(place, party, name):
    ended, _ = place.mover.run(name, "--abandon")
    expect(ended.code == 1, "`--abandon` is refused once the target has the organization", ended)
    expect(place.mover.stage(party.id) in (COPIED, MOVED), "the stage after `--abandon` was refused")


def expect_content(ended, party, mover, has_copied=None):
    content = ended.content
    expect_equal((content["organizationID"], content["address"]), (party.id, mover.address), "the command's answer")
    if has_copied is not None:
        expect_equal("rows" in content, has_copied, f"whether the command says that it has copied: {ended}")
    expect_equal("rows" in content, "checksum" in content, f"rows and checksum: {ended}")
    if "rows" in content:
        rows = content["rows"]
        expect(rows["organizations"] == 1 and rows["time_entries"] > 0, "the command's rows", rows)


def expect_closed(place, party):
    """Each instance of the source refuses writes for now, and reads go on."""
    for port in place.source.ports:
        office = party.office(port)
        for method, path, body in (("POST", "/timeEntries/clockIn", {}), ("PATCH", "", {"name": "Late"})):
            answer = office.request(method, path, body, [("If-Match", "*")] if method == "PATCH" else ())
            what = f"{method} {path} while the organization moves"
            expect((answer.status, answer.code) == moving.MOVING, what, answer)
            expect(int(answer.fields["retry-after"]) >= 1, what, answer)
        for path in ("", "/timeEntries?limit=1", "/changes?limit=1", "/members?limit=1"):
            answer = office.request("GET", path)
            expect(answer.status == 200, f"GET {path} while the organization moves", answer)
        office.close()


def expect_open(place, party):
    """The source takes writes again, soon: an instance may repeat for a moment that it does not."""
    for port in place.source.ports:
        office = party.office(port)
        until(
            "the source takes writes after `--abandon`",
            lambda: office.request("POST", "/projects", {"name": f"After {port}"}).status == 201,
            REPEATED_SECONDS,
        )
        office.close()


def wait_for(place, party, stage):
    with place.source.session() as departed, place.target.session() as present:
        found = place.mover.stage_by(departed, present)
        until(f"an organization that moves is {stage}", lambda: found(party.id) == stage)


def until(what, is_so, seconds=PATIENCE):
    deadline = time.monotonic() + seconds
    while not is_so():
        expect(time.monotonic() < deadline, f"not within {seconds} s: {what}")
        time.sleep(0.005)


OTHERS = [source_lost, target_lost, committing, committed, twice]
