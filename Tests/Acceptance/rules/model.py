#!/usr/bin/env python3
"""Random sequences of steps get the answers that a plain model of the rules gives, on SQLite and on PostgreSQL.

Each sequence has an organization of its own: clock-ins and clock-outs, plain and backdated, manual entries, changes and
deletions under entity tags of every kind, lists, overlap checks, policies and members that change, by people of
every role. Status, code, words and resource are compared after every step, the whole list and the feed of changes at
the end. A failure prints the seed that repeats it and the fewest steps that still fail in another organization.

`model.py [--sequences N] [--steps N] [--seed S] [--database sqlite|postgresql|both] [--self-check]`. With
`--self-check` the rules of the model are made wrong, one at a time, and each has to be found out.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import itertools
import random
import sys
import tempfile
import threading
import time

from kit import client, served
from time_model import comparing, drawing, rules, steps, wrong_rules

SEQUENCES = 150
STEPS = 40
# How many sequences run side by side.
THREADS = 8
# How often a failure is repeated to make it shorter.
REPETITIONS = 300
# In how many sequences a wrong rule has to be found out.
SELF_CHECK_SEQUENCES = 1_000


class Refused(Exception):
    """The actor has no access at all, and was told so."""


class Session:
    """A sequence's conversation with the service, in an organization of its own."""

    numbers = itertools.count()

    def __init__(self, connection, operator, counts):
        self.connection = connection
        self.operator = operator
        self.counts = counts
        self.base = None
        self.owner = None

    @staticmethod
    def now():
        return time.time_ns() // 1_000_000

    def make_office(self, kind, zones):
        """An organization of `kind` with the cast in it; what the model holds of it is the same."""
        number = next(self.numbers)
        made = self.make(
            self.operator,
            "POST",
            "/v1/organizations",
            {
                "name": f"Office {number}",
                "timeZone": zones[0],
                "admin": {"email": f"owner{number}@example.com", "name": "Owner"},
            },
        )
        self.base = f"/v1/organizations/{made['organization']['id']}"
        self.owner = rules.Person("owner", made["user"]["id"], "admin", made["token"])
        people = [self.owner]
        for name, zone in zip(list(drawing.CAST)[1:], zones[1:]):
            member = self.make(
                self.owner.token,
                "POST",
                f"{self.base}/members",
                {"email": f"{name}{number}@example.com", "name": name, "role": drawing.CAST[name], "timeZone": zone},
            )
            person = rules.Person(name, member["userId"], drawing.CAST[name], "", zone)
            person.token = self.make_token(person)
            people.append(person)
        return kind(made["organization"]["id"], zones[0], people, self.now() // rules.MINUTE * rules.MINUTE)

    def make_token(self, person):
        return self.make(self.owner.token, "POST", f"{self.base}/apiTokens", {"name": "phone", "userId": person.id})[
            "token"
        ]

    def make(self, token, method, path, body):
        answer = self.connection.request(method, path, token, body)
        comparing.expect(answer.status == 201, f"{method} {path} makes it", answer)
        return answer.json

    def ask(self, actor, method, path, body=None, fields=()):
        """The answer, and the time it took."""
        earliest = self.now()
        answer = self.connection.request(method, self.base + path, actor.token, body, fields)
        window = rules.Window(earliest, self.now())
        self.counts[answer.code or answer.status] += 1
        if not actor.is_active:
            comparing.expect(
                (answer.status, answer.code) == (401, "invalid_token"),
                f"the model answers 401 to {actor.name}, who was deactivated",
                answer,
            )
            raise Refused()
        return answer, window


class Sequence:
    """Steps that can be run again and again, each time in a new organization."""

    def __init__(self, seed, length):
        chances = random.Random(seed)
        self.seed = seed
        # Half of them play about the end of a day on which the clocks were changed.
        self.transition = chances.random() if drawing.chance(chances, 0.5) else None
        zone = chances.choice(drawing.ZONES if self.transition is None else drawing.CHANGING_ZONES)
        self.zones = [zone] + [drawing.maybe(chances, 0.5, drawing.ZONES) for _ in list(drawing.CAST)[1:]]
        self.steps = [steps.draw(chances) for _ in range(length)]

    def run(self, session, kind, chosen=None):
        """After how many steps the first difference is, and which; None where there is none."""
        chosen = self.steps if chosen is None else chosen
        number, step = 0, "the organization"
        try:
            office = session.make_office(kind, self.zones)
            if self.transition is not None:
                office.move_to_transition(self.transition)
            for number, step in enumerate(chosen, 1):  # noqa: B007 both are looked at after a failure
                with contextlib.suppress(Refused):
                    step.run(office, session)
            step = "everything, at the end"
            steps.compare_everything(office, session)
        except comparing.Difference as difference:
            return number, f"{step}\n    {difference}"
        except Exception as error:  # No answer, or one of which the model can make nothing.
            return number, f"{step}\n    {error!r}"
        return None

    def shortened(self, session, kind, failure):
        """The fewest steps found that still fail, and how; leaves ever smaller parts out."""
        kept, message = self.steps[: failure[0]], failure[1]
        repetitions = 0
        size = max(1, len(kept) // 2)
        while size and repetitions < REPETITIONS:
            start = 0
            while start < len(kept) and repetitions < REPETITIONS:
                shorter = kept[:start] + kept[start + size :]
                repetitions += 1
                if found := self.run(session, kind, shorter):
                    kept, message = shorter[: found[0]], found[1]
                else:
                    start += size
            size //= 2
        return kept, message


class Run:
    """Sequences against one service, side by side."""

    def __init__(self, clock, operator, kind=rules.Office):
        self.clock = clock
        self.operator = operator
        self.kind = kind
        self.counts = collections.Counter()
        self.stopping = threading.Event()

    def failure(self, seed, sequences, length):
        """The first sequence that fails, and its failure; the next one has the next seed."""
        found = []
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            numbers = iter(range(seed, seed + sequences))
            lock = threading.Lock()

            def work():
                counts = collections.Counter()
                with contextlib.closing(client.Client(self.clock.port)) as connection:
                    while not self.stopping.is_set():
                        with lock:
                            number = next(numbers, None)
                        if number is None:
                            break
                        sequence = Sequence(number, length)
                        if failure := sequence.run(Session(connection, self.operator, counts), self.kind):
                            found.append((sequence, failure))
                            self.stopping.set()
                with lock:
                    self.counts += counts

            for one in [pool.submit(work) for _ in range(THREADS)]:
                one.result()
        return min(found, key=lambda one: one[0].seed) if found else None

    def shortened(self, sequence, failure):
        with contextlib.closing(client.Client(self.clock.port)) as connection:
            session = Session(connection, self.operator, collections.Counter())
            return sequence.shortened(session, self.kind, failure)


def check(name, clock, operator, wanted):
    begin = time.monotonic()
    run = Run(clock, operator)
    if found := run.failure(wanted.seed, wanted.sequences, wanted.steps):
        sequence, failure = found
        kept, message = run.shortened(sequence, failure)
        sys.exit(
            f"{name}: the service differs from the model; repeat it with "
            f"--database {name} --seed {sequence.seed} --sequences 1 --steps {wanted.steps}\n"
            f"after {failure[0]} steps: {failure[1]}\n"
            f"the shortest sequence found has {len(kept)}:\n"
            + "".join(f"  {step}\n" for step in kept)
            + f"  and differs at {message}"
        )
    return run.counts, time.monotonic() - begin


def find_out(clock, operator, kind, wanted):
    """How few steps show that a wrong rule is wrong. The seed that is printed finds it once more."""
    run = Run(clock, operator, kind)
    found = run.failure(wanted.seed, SELF_CHECK_SEQUENCES, wanted.steps)
    if not found:
        sys.exit(f"the check cannot fail: nothing speaks against “{kind.__doc__}”")
    sequence, failure = found
    again = Run(clock, operator, kind).failure(sequence.seed, 1, wanted.steps)
    if not again or again[1][0] != failure[0]:
        sys.exit(f"“{kind.__doc__}”: seed {sequence.seed} fails after {failure[0]} steps, and then {again}")
    kept, _ = run.shortened(sequence, failure)
    return len(kept)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sequences", type=int, default=SEQUENCES)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    served.add_option(parser)
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        if wanted.self_check:
            with served.on("sqlite", folder) as (clock, operator):
                lengths = [find_out(clock, operator, kind, wanted) for kind in wrong_rules.ALL]
            print(
                f"model, wrong on purpose: {len(lengths)} wrong rules were found out, in {max(lengths)} steps at "
                f"most; seed {wanted.seed}"
            )
            return
        reports = [
            (served.NAMES[kind], *check(kind, clock, operator, wanted))
            for kind, clock, operator in served.each(folder, wanted.database)
        ]
    for name, counts, seconds in reports:
        print(
            f"{name}: {sum(counts.values())} answers in {seconds:.0f} s: "
            + ", ".join(f"{count} × {code}" for code, count in counts.most_common())
        )
    print(
        f"model: {wanted.sequences} sequences of {wanted.steps} steps on {' and '.join(one[0] for one in reports)}, "
        f"no difference; seed {wanted.seed}"
    )


main()
