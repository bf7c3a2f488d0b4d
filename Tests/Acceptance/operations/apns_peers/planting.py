"""Messages that are right, and the same with a fault each, which the judge has to find; so with tokens of senders."""

import copy
import json
import time

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

from apns_peers import apple, judge
from apns_peers.apple import Message


def update(second, **content):
    """A message of a rest, `second` seconds from now."""
    now = int(time.time()) + second
    state = {"remainingSeconds": 90, "endDate": 816858090.5, "isPaused": False, "progress": 1, "wasAdjusted": False}
    return message(now, {"timestamp": now, "event": "update", "content-state": {**state, **content}})


def message(now, aps, status=200, **fields):
    usual = {
        "apns-push-type": "liveactivity",
        "apns-topic": f"{judge.BUNDLE}.push-type.liveactivity",
        "apns-priority": "10",
        "apns-expiration": str(now + 60),
    }
    more = {name.replace("_", "-"): value for name, value in fields.items()}
    return Message(now, "/3/device/00", {**usual, **more}, json.dumps({"aps": aps}).encode(), status)


def sound():
    """A rest that is paused and stopped."""
    paused = update(2, isPaused=True, remainingSeconds=88)
    last = paused.aps["content-state"]
    end = {"timestamp": int(paused.time) + 1, "event": "end", "content-state": last, "dismissal-date": 1}
    return [update(0), paused, message(int(paused.time) + 1, end)]


def started():
    now = int(time.time())
    attributes = {"exerciseName": "Bench press", "originalDuration": 90, "exerciseID": "b"}
    words = {"title": "Rest", "body": "Bench press"}
    state = update(0).aps["content-state"]
    return [
        message(
            now,
            {
                "timestamp": now,
                "event": "start",
                "content-state": state,
                "attributes-type": "Rest",
                "attributes": attributes,
                "alert": words,
            },
        )
    ]


def changed(messages, index, **aps):
    """The messages with other members of one; None takes one away."""
    messages = copy.deepcopy(messages)
    content = {**messages[index].aps, **{name.replace("_", "-"): value for name, value in aps.items()}}
    messages[index].body = json.dumps({"aps": {name: one for name, one in content.items() if one is not None}}).encode()
    return messages


def with_content(messages, index, **content):
    return changed(messages, index, content_state={**messages[index].aps["content-state"], **content})


def with_fields(messages, index, **fields):
    messages = copy.deepcopy(messages)
    messages[index].fields.update({name.replace("_", "-"): value for name, value in fields.items()})
    return messages


def faults():
    """The name of each fault, and messages that have it."""
    rest, start = sound(), started()
    null = copy.deepcopy(rest)
    null[0].body = null[0].body.replace(b'"wasAdjusted": false', b'"wasAdjusted": null')
    yield "null in content", null
    yield "a member that is none of the structure", with_content(rest, 0, left=1)
    yield "a number for a flag", with_content(rest, 0, isPaused=0)
    yield "a flag for a number", with_content(rest, 0, progress=True)
    yield "a fraction for an integer", with_content(rest, 0, remainingSeconds=1.5)
    yield "a date as text", with_content(rest, 0, endDate="2026-11-20T09:00:00Z")
    yield "a body that is too long", with_content(rest, 0, remainingSeconds=int("9" * 4_200))
    yield "an update without content", changed(rest, 0, content_state=None)
    yield "a start without words", changed(start, 0, alert=None)
    yield "a start without a title", changed(start, 0, alert={"title": "", "body": "x"})
    yield "a start without attributes", changed(start, 0, attributes=None)
    yield "a time in milliseconds", changed(rest, 0, timestamp=rest[0].aps["timestamp"] * 1_000)
    yield "the app's topic", with_fields(rest, 0, apns_topic=judge.BUNDLE)
    yield "a notification's type", with_fields(rest, 0, apns_push_type="alert")
    yield "an end that is not urgent", with_fields(rest, 2, apns_priority="5")
    yield "a message that has expired", with_fields(rest, 0, apns_expiration="1")
    yield "the same state twice", [rest[0], with_content(rest, 1, isPaused=False)[1]]
    quick = changed(rest, 1, timestamp=rest[0].aps["timestamp"])
    yield "two within a second", quick
    yield "a message behind the end", [*rest, update(9)]
    yield "an end with older content", with_content(rest, 2, isPaused=False)
    gone = copy.deepcopy(rest)
    gone[0].status = 410
    yield "a message behind 410", gone
    stranger = copy.deepcopy(rest)
    stranger[1].fault = "the provider token: Signature verification failed"
    yield "a sender whom Apple would not believe", stranger


def provider_tokens():
    """The kind of each provider token, its field, and whether Apple would believe it; and the public key."""
    key, other = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    now = int(time.time())

    def field(signer=key, algorithm="ES256", kid=apple.KEY_IDS[0], team=apple.TEAM_ID, age=60):
        token = jwt.encode({"iss": team, "iat": now - age}, signer, algorithm, headers={"kid": kid})
        return f"bearer {token}"

    sound = field()
    fields = [
        ("a token", sound, True),
        ("no token", "", False),
        ("a token of another key", field(signer=other), False),
        ("a token that is not signed", field(signer=None, algorithm="none"), False),
        ("a token by a shared secret", field(signer="s" * 32, algorithm="HS256"), False),
        ("a token that was changed", sound.replace(".", ".e", 1), False),
        ("a token of another key's identifier", field(kid="ABC123DEFX"), False),
        ("a token of another team", field(team="DEF123GHIX"), False),
        ("a token that is too old", field(age=3_700), False),
        ("a token of the future", field(age=-120), False),
        ("a token without its word", sound.removeprefix("bearer "), False),
    ]
    return fields, key.public_key()


def find_all():
    """How many faults were found, each of them."""
    for messages in (sound(), started()):
        judge.judge_series(messages, "rest")
    missed, count = [], 0
    for name, messages in faults():
        count += 1
        try:
            judge.judge_series(messages, "rest")
            missed.append(name)
        except judge.Fault:
            pass
    fields, key = provider_tokens()
    for name, field, is_sound in fields:
        fault, _ = apple.judge_sender(field, key)
        count += not is_sound
        if (fault is None) != is_sound:
            missed.append(name)
    if missed:
        raise SystemExit(f"apns_peer: not found: {', '.join(missed)}")
    return count
