#!/usr/bin/env python3
"""A service in Apple's place gets the messages for phones, in Apple's form: once each, in time, and no more than that.

On both databases a rest, a focus and work go their ways while an activity, its start and an app are targets: each
message has its fields, a provider token that the key's public half verifies, and a body without null of at most 4 KiB
whose content has the app's types. Changes within a second make one message, the last state. Targets go with the end,
with 410, with BadDeviceToken and with the log-in; 429 and 503 are tried again. On PostgreSQL two instances send each
state once, one continues when the other is killed before Apple's answer, and fifty a day are enough, but for the end.

`apns_peer.py [--self-check]`: the self-check shows the judge of these messages faults such as null in content, and provider
tokens such as one of another key; each has to be found.
"""

import argparse
import concurrent.futures
import contextlib
import pathlib
import secrets
import tempfile
import time

from kit import python_packages

python_packages.enter()

from apns_peers import apple, judge, planting
from kit import office, postgresql, service
from kit.expecting import expect, expect_equal


class Phone:
    """A member's phone."""

    def __init__(self, place, peer, token=None):
        self.place, self.peer, self.token = place, peer, token
        self.targets = []

    def ask(self, method, path, body=None, status=200):
        return self.place.ask(method, path, body, status, token=self.token)

    def target(self, kind, form=None):
        """The token of a new target."""
        token = secrets.token_hex(32)
        body = {"kind": kind, "token": token, "topic": judge.BUNDLE}
        made = self.ask("POST", "/pushTargets", {**body, "form": form} if form else body, 201)
        expect_equal(made["token"], f"****{token[-4:]}", "the token that is shown")
        self.targets.append((token, form))
        return token

    def wait(self, token, condition, what):
        """Messages to a token, as soon as the last one is as it has to be."""
        return self.peer.wait(token, lambda found: bool(found) and condition(found[-1]), what)

    def shown(self, token, what, **content):
        """Waits until the last message shows this content."""
        return self.wait(
            token, lambda last: content.items() <= last.aps.get("content-state", {}).items(), f"{what} {content}"
        )

    def ended(self, token, what):
        return self.wait(token, lambda last: last.event == "end" and last.status == 200, f"the end of {what}")

    def count(self):
        return len(self.ask("GET", "/pushTargets")["pushTargets"])

    def expect_count(self, wanted, what):
        """The server deletes a target just after Apple's answer."""
        deadline = time.monotonic() + 5
        while self.count() != wanted and time.monotonic() < deadline:
            time.sleep(0.05)
        expect_equal(self.count(), wanted, what)

    def start(self, **timer):
        return self.ask("POST", "/timers", timer, 201)

    def act(self, name, body=None):
        return self.ask("POST", f"/timers/current/{name}", body)

    def judge(self):
        """Looks at all that came."""
        for token, form in self.targets:
            try:
                judge.judge_series(self.peer.to(token), form)
            except judge.Fault as fault:
                seen = "\n  ".join(f"{one.time:.2f} {one.status} {one.body!r}" for one in self.peer.to(token))
                raise SystemExit(f"apns_peer: {form or 'alert'}: {fault}\n  {seen}") from None
        return sum(len(self.peer.to(token)) for token, _ in self.targets)


def rests(phone):
    """A rest: started, paused, adjusted five times at once, and stopped."""
    starts = phone.target("pushToStart", "rest")
    # The first one to look sends nothing.
    time.sleep(1.5)
    expect_equal(phone.peer.to(starts), [], "a start of nothing")
    phone.start(type="rest", durationSeconds=600, subject={"id": "bench", "name": 'Bänk "press" 🏋'})
    phone.wait(starts, lambda last: last.event == "start", "the start of a rest")
    activity = phone.target("liveActivity", "rest")
    first = phone.shown(activity, "a rest", isPaused=False)[-1]
    expect_equal(first.fields["apns-priority"], "5", "the priority of what is shown at first")
    phone.act("pause")
    second = phone.shown(activity, "a rest", isPaused=True)[-1]
    expect_equal(second.fields["apns-priority"], "10", "the priority of a pause")
    expect("stale-date" not in second.aps, "a paused rest goes stale", second.aps)
    began = time.monotonic()
    phone.act("resume")
    for seconds in (15, 15, -15, 15, 30):
        phone.act("adjust", {"seconds": seconds})
    shown = phone.ask("GET", "/liveActivity?form=rest")["contentState"]
    found = phone.shown(activity, "a rest", endDate=shown["endDate"], wasAdjusted=True)
    # The two before, and one a second.
    most = 4 + int(time.monotonic() - began)
    expect(len(found) <= most, f"what follows at once are more than {most} messages", len(found))
    time.sleep(1.5)
    expect_equal(len(phone.peer.to(activity)), len(found), "messages while only seconds pass")
    before = phone.count()
    phone.act("stop")
    phone.ended(activity, "a rest")
    phone.expect_count(before - 1, "targets behind the end")
    phone.ask("DELETE", f"/pushTargets/{phone.ask('GET', '/pushTargets')['pushTargets'][0]['id']}", status=204)


def ends(phone):
    """A rest and a focus that run out, and the notification of the second."""
    alerts, focus = phone.target("alert"), None
    phone.start(type="rest", durationSeconds=5)
    rest = phone.target("liveActivity", "rest")
    phone.shown(rest, "a rest", isPaused=False)
    phone.ended(rest, "a rest that runs out")
    phone.start(type="focus", durationSeconds=5, label="Thesis")
    focus = phone.target("liveActivity", "focus")
    phone.shown(focus, "a focus", isRunning=True)
    phone.shown(focus, "a focus that has run out", isRunning=False, isPaused=False)
    told = phone.peer.wait(alerts, lambda found: found, "a notification")
    expect_equal(told[-1].aps["alert"]["title"], "Focus Complete", "the title of a notification")
    phone.act("next")
    phone.ended(focus, "a focus, by the break after it")
    phone.act("stop")
    time.sleep(1.2)
    expect_equal(len(phone.peer.to(alerts)), 1, "notifications")


def works(phone):
    """A day's work: a task, a project, out again."""
    project = phone.ask("POST", "/projects", {"name": "Harvest", "color": "#FF8800"}, 201)["id"]
    task = phone.ask("POST", "/tasks", {"name": "Pruning"}, 201)["id"]
    phone.ask("POST", "/segments/start", {"taskId": task}, 201)
    day, piece = phone.target("liveActivity", "work"), phone.target("liveActivity", "task")
    phone.shown(day, "the day", activeProjectName="Pruning")
    phone.shown(piece, "the task")
    phone.ask("POST", "/segments/start", {"projectId": project}, 201)
    phone.shown(day, "the day", activeProjectName="Harvest", activeProjectColor="#FF8800")
    phone.ended(piece, "the task")
    phone.ask("POST", "/timeEntries/clockOut")
    phone.ended(day, "the day")


def refusals(phone):
    """Messages that Apple refuses: tried again, or over."""
    phone.start(type="rest", durationSeconds=600)
    busy, away, gone, bad = (phone.target("liveActivity", "rest") for _ in range(4))
    for token in (busy, away, gone, bad):
        phone.shown(token, "a rest", isPaused=False)
    phone.peer.answers[busy].extend([(429, "TooManyRequests", {"retry-after": "2"}), (503, None, {})])
    phone.peer.answers[away].append((500, "InternalServerError", {}))
    phone.peer.answers[gone].append((410, "Unregistered", {}))
    phone.peer.answers[bad].append((400, "BadDeviceToken", {}))
    before = phone.count()
    phone.act("pause")
    phone.wait(busy, lambda last: last.status == 429, "a message that is answered 429")
    # A refused message is not sent again, but the later state.
    phone.act("adjust", {"seconds": 60})
    found = phone.wait(busy, lambda last: last.status == 200, "a message behind 503")
    expect_equal([one.status for one in found[1:]], [429, 503, 200], "the answers")
    expect(found[2].time - found[1].time > 1.9, "Retry-After is not waited for", found[2].time - found[1].time)
    expect(found[-1].aps["content-state"]["wasAdjusted"], "an older state is sent", found[-1].aps)
    phone.wait(
        away, lambda last: last.status == 200 and last.aps["content-state"]["wasAdjusted"], "a message behind 500"
    )
    phone.expect_count(before - 2, "targets behind 410 and BadDeviceToken")
    phone.act("stop")
    for token in (busy, away):
        phone.ended(token, "a rest")
    for token in (gone, bad):
        expect_equal(len(phone.peer.to(token)), 2, "messages to what is gone")


def log_in_ends(phone, place):
    """A phone whose log-in ends hears nothing more."""
    user = place.add_member("ana@example.com", "Ana")
    token = place.log_in(user)
    theirs = Phone(place, phone.peer, token)
    theirs.start(type="rest", durationSeconds=600)
    activity = theirs.target("liveActivity", "rest")
    theirs.shown(activity, "a rest", isPaused=False)
    # Another password ends it.
    other = Phone(place, phone.peer, place.log_in(user))
    other.act("pause")
    time.sleep(2)
    expect_equal(len(phone.peer.to(activity)), 1, "messages behind the end of a log-in")
    other.expect_count(0, "targets behind the end of a log-in")
    other.act("stop")
    return theirs


def course(folder, peer, database=None):
    """Everything on one database with one server; how many messages came."""
    folder.mkdir()
    clock = service.Service(service.built_binary(), folder, database, peer.options())
    place = office.Office(clock.port, clock.create_organization())
    clock.start()
    phone = Phone(place, peer)
    for part in (rests, ends, works, refusals):
        part(phone)
    theirs = log_in_ends(phone, place)
    count = phone.judge() + theirs.judge()
    clock.verify()
    clock.stop()
    return count


def instances(folder, peer, cluster):
    """Two servers on one database send each state once; one goes on if the other is killed behind a message.

    Returns how many messages came, and how many of the two have sent the first nine.
    """
    # Messages are counted by days of UTC.
    if time.time() % 86_400 > 86_340:
        time.sleep(60)
    folder.mkdir()
    database = cluster.make_database("shared")
    pair = {}
    for key_id in apple.KEY_IDS:
        (folder / key_id).mkdir()
        pair[key_id] = service.Service(service.built_binary(), folder / key_id, database, peer.options(key_id))
    first, second = pair.values()
    created = first.create_organization()
    first.start()
    phone = Phone(office.Office(first.port, created), peer)
    phone.start(type="rest", durationSeconds=3_600)
    activity = phone.target("liveActivity", "rest")
    phone.shown(activity, "a rest", isPaused=False)
    # It looks at all phones as it starts, so both know this one from here on.
    second.start()
    phones = {key_id: Phone(office.Office(one.port, created), peer) for key_id, one in pair.items()}

    def change(turn):
        """At one of the two, and at the other the next time."""
        phones[apple.KEY_IDS[turn % 2]].act("resume" if turn % 2 else "pause")

    def show(turn):
        change(turn)
        phone.shown(activity, "a rest", isPaused=turn % 2 == 0)
        time.sleep(1)

    for turn in range(6):
        show(turn)
    expect_equal(len(peer.to(activity)), 7, "messages of seven states")
    # The forty-ninth and the fiftieth of the day, by the database's count.
    cluster.execute("UPDATE push_targets SET sent_count = 48", "shared")
    for turn in range(2):
        show(turn)
    change(0)
    time.sleep(2)
    expect_equal(len(peer.to(activity)), 9, "messages behind the fiftieth of a day")
    senders = {one.sender for one in peer.to(activity)}
    cluster.execute("UPDATE push_targets SET sent_count = 0", "shared")
    # A sender that is killed while it waits for Apple's answer has the message for 30 seconds more.
    peer.answers[activity].append((0, None, {}))
    phone.act("adjust", {"seconds": 60})
    lost = phone.wait(activity, lambda last: last.status == 0, "a message without an answer")[-1]
    pair.pop(lost.sender).kill()
    (left,) = pair
    (due,) = cluster.execute("SELECT coalesce(due_at, 0) FROM push_targets", "shared")
    claimed = int(due) / 1_000 - lost.time
    expect(abs(claimed - 30) < 5, "the killed server does not have the message for 30 seconds", claimed)
    time.sleep(2)
    expect_equal(len(peer.to(activity)), 10, "messages while the killed server has one under way")
    cluster.execute("UPDATE push_targets SET due_at = due_at - 30000", "shared")
    again = phone.wait(activity, lambda last: last.status == 200, "a message behind a killed server's")[-1]
    expect_equal((again.sender, judge.still(again)), (left, judge.still(lost)), "what is sent again")
    phones[left].act("resume")
    phone.shown(activity, "a rest of one server", isPaused=False, wasAdjusted=True)
    cluster.execute("UPDATE push_targets SET sent_count = 50", "shared")
    phones[left].act("stop")
    phone.ended(activity, "a rest behind fifty messages")
    phones[left].expect_count(0, "targets behind the end")
    count = phone.judge()
    pair[left].verify()
    pair[left].stop()
    return count, len(senders)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    if wanted.self_check:
        print(f"apns peer: {planting.find_all()} planted faults were found")
        return
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = stack.enter_context(postgresql.Cluster(["fsync=off"]))
        peers = []
        for name in ("sqlite", "postgresql", "instances"):
            (folder / f"apple-{name}").mkdir()
            peers.append(stack.enter_context(apple.Apple(folder / f"apple-{name}")))
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(3))
        begun = [
            pool.submit(course, folder / "sqlite", peers[0]),
            pool.submit(course, folder / "postgresql", peers[1], cluster.make_database("course")),
            pool.submit(instances, folder / "instances", peers[2], cluster),
        ]
        on_sqlite, on_postgresql, (shared, senders) = (one.result() for one in begun)
    print(
        f"apns peer: {on_sqlite} messages on sqlite, {on_postgresql} on postgresql; {shared} of two instances, "
        f"each state once, while {senders} of them sent"
    )


main()
