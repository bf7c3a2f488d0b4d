"""The conditions on the messages to a receiver: signed, in order, each at least once, and no two under way at once."""

import base64
import datetime
import itertools
import random

import standardwebhooks

from kit.expecting import expect, expect_equal

# The error of a clock that the library allows, less the time a test takes.
TOLERANCE_SECONDS = 240
SEALED_WITHIN_SECONDS = 2
# For the service's look and for a busy machine.
LATE_SECONDS = 15


def is_signed(secret, arrival):
    """Whether the library takes the message as one by the holder of the secret, for a receiver whose clock is the sender's."""
    library = standardwebhooks.Webhook(secret)
    stamp = datetime.datetime.fromtimestamp(int(arrival.fields["webhook-timestamp"]), datetime.UTC)
    try:
        if abs((datetime.datetime.now(datetime.UTC) - stamp).total_seconds()) < TOLERANCE_SECONDS:
            library.verify(arrival.body, arrival.fields)
            return True
        # The service's clock was put forward.
        return arrival.fields["webhook-signature"] == library.sign(arrival.id, stamp, arrival.body.decode())
    except (standardwebhooks.WebhookVerificationError, ValueError):
        return False


def expect_signed(webhook, chance=None):
    """The messages are signed, and would not be with one byte that is another, or by another secret."""
    chance = chance or random.Random(1)
    for arrival in list(webhook.mailbox.arrivals):
        expect(is_signed(webhook.secret, arrival), "a message whose signature is wrong", arrival)
        place = chance.randrange(len(arrival.body))
        changed = bytes([*arrival.body[:place], arrival.body[place] ^ 1, *arrival.body[place + 1 :]])
        others = (
            {"body": changed},
            {"fields": {**arrival.fields, "webhook-id": arrival.id + "0"}},
            {"fields": {**arrival.fields, "webhook-timestamp": str(int(arrival.fields["webhook-timestamp"]) - 1)}},
        )
        for other in others:
            spoiled = type(arrival)(**{**vars(arrival), **other})
            expect(not is_signed(webhook.secret, spoiled), "a signature that fits another message", spoiled)
        stranger = "whsec_" + base64.b64encode(chance.randbytes(32)).decode()
        expect(not is_signed(stranger, arrival), "a signature that fits another secret", arrival)
        expect_equal(arrival.fields["content-type"], "application/json", "the content type")
        expect_equal(arrival.fields[":method"], "POST", "the method")


def without_duration(content):
    """The part of a message that does not depend on when it is written."""
    data = content.get("data")
    if data and data.get("status") == "clocked-in":
        content = {**content, "data": {name: value for name, value in data.items() if name != "durationSeconds"}}
    return content


def begin_where_it_began(webhook, feed):
    """Changes of the moments before the webhook was made may be sealed only behind that on PostgreSQL, and are sent too."""
    if not webhook.is_on_postgresql:
        return
    times = {one["sequence"]: datetime.datetime.fromisoformat(one["time"]).timestamp() for one in feed}
    first = min(webhook.mailbox.sequences, default=webhook.begin)
    if first < webhook.begin and times[webhook.begin] - times[first] < SEALED_WITHIN_SECONDS:
        webhook.begin = first


def expect_in_order(webhook, organization, feed):
    """Each change that is for the webhook was taken, in the order of the log, and nothing but the last one came again.

    Returns how many came again though they had been taken.
    """
    begin_where_it_began(webhook, feed)
    wanted = [one for one in feed if webhook.takes(one)]
    arrivals = [one for one in list(webhook.mailbox.arrivals) if one.sequence]
    place, repeats = 0, 0
    for arrival in arrivals:
        candidates = wanted[max(place - 1, 0) : place + 1]
        change = next((one for one in candidates if one["sequence"] == arrival.sequence), None)
        if not change:
            taken = [one["sequence"] for one in wanted[:place][-1:]]
            expect(
                False, f"{webhook.path}: {arrival.id} came when {taken} was the last taken", webhook.mailbox.sequences
            )
        expect_equal(arrival.id, f"{organization}.{change['sequence']}.{arrivals[0].epoch}", "the id of a message")
        told = {**change, "organizationID": organization, "epoch": arrivals[0].epoch}
        expect_equal(without_duration(arrival.json), without_duration(told), "a message")
        if not (wanted[place:] and change is wanted[place]):
            repeats += 1
        elif arrival.is_taken:
            place += 1
    missing = [one["sequence"] for one in wanted[place:]]
    expect(not missing, f"{webhook.path}: changes that were never taken", (missing, webhook.mailbox.sequences))
    return repeats


def expect_one_at_a_time(webhook):
    """No message came while another one was still unanswered."""
    arrivals = list(webhook.mailbox.arrivals)
    for first, second in itertools.pairwise(arrivals):
        expect(
            first.end is not None and first.end <= second.begin,
            f"{webhook.path}: {second.id} came while {first.id} was unanswered",
        )


def expect_pauses(deliveries, pauses):
    """The deliveries, newest first, begin with attempts that came at these intervals in seconds, or little later."""
    times = [datetime.datetime.fromisoformat(one["time"]).timestamp() for one in reversed(deliveries)]
    expect(len(times) > len(pauses), "too few attempts", deliveries)
    for pause, (first, second) in zip(pauses, itertools.pairwise(times)):
        expect(pause <= second - first <= pause + LATE_SECONDS, f"the pause of {pause} s", second - first)


def expect_no_secret(shown, webhooks):
    for webhook in webhooks:
        expect(webhook.secret.removeprefix("whsec_") not in repr(shown), f"the secret of {webhook.path} is shown")
