"""Random sequences of steps against a service, beside a model of its rules; a failure is repeated and made shorter."""

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

from . import comparing, drawing, rules

# How many sequences run side by side, if they may.
THREADS = 8
# How often a failure is repeated to make it shorter.
REPETITIONS = 300
# In how many sequences a wrong rule has to be found out.
SELF_CHECK_SEQUENCES = 1_000


class Refused(Exception):
    """The actor has no access at all, and was refused."""


class Session:
    """A sequence's conversation with the service, in an organization of its own."""

    numbers = itertools.count()

    def __init__(self, clock, connection, operator, counts):
        self.clock = clock
        self.connection = connection
        self.operator = operator
        self.counts = counts
        self.base = None
        self.owner = None

    def close(self):
        """Ends everything that the conversation has opened beside its connection."""

    @staticmethod
    def now():
        return time.time_ns() // 1_000_000

    def make_office(self, kind, zones):
        """An organization of `kind` with the cast in it; the model's copy is the same."""
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
    """Steps that can be run again and again, each time in a new organization.

    One kind of sequence defines how its steps are drawn and how an organization begins, and the comparisons after each
    step and at the end.
    """

    # The conversation that its steps ask in.
    session = Session
    # How many of them run side by side.
    threads = THREADS

    def __init__(self, seed, length):
        self.seed = seed
        self.steps = self.draw(random.Random(seed), length)

    def draw(self, chances, length):
        """The steps."""
        raise NotImplementedError

    def begin(self, session, kind):
        """A new organization, and the model's record of it."""
        raise NotImplementedError

    def look(self, office, session):
        """Compares everything that a step could have changed."""

    def finish(self, office, session):
        """Makes the comparisons of the end."""

    def run(self, session, kind, chosen=None):
        """After how many steps the first difference is, and which; None if there is none."""
        chosen = self.steps if chosen is None else chosen
        number, step = 0, "the organization"
        try:
            office = self.begin(session, kind)
            for number, step in enumerate(chosen, 1):  # noqa: B007 both are looked at after a failure
                with contextlib.suppress(Refused):
                    step.run(office, session)
                self.look(office, session)
            step = "everything, at the end"
            self.finish(office, session)
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

    def __init__(self, clock, operator, sequence, kind):
        """`sequence` is the kind of the sequences, `kind` that of the organizations: the model."""
        self.clock = clock
        self.operator = operator
        self.sequence = sequence
        self.kind = kind
        self.counts = collections.Counter()
        self.stopping = threading.Event()

    def failure(self, seed, sequences, length):
        """The first sequence that fails, and its failure; the next one has the next seed."""
        found = []
        threads = self.sequence.threads
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
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
                        sequence = self.sequence(number, length)
                        with contextlib.closing(self.session(connection, counts)) as session:
                            if failure := sequence.run(session, self.kind):
                                found.append((sequence, failure))
                                self.stopping.set()
                with lock:
                    self.counts += counts

            for one in [pool.submit(work) for _ in range(threads)]:
                one.result()
        return min(found, key=lambda one: one[0].seed) if found else None

    def session(self, connection, counts):
        return self.sequence.session(self.clock, connection, self.operator, counts)

    def shortened(self, sequence, failure):
        with (
            contextlib.closing(client.Client(self.clock.port)) as connection,
            contextlib.closing(self.session(connection, collections.Counter())) as session,
        ):
            return sequence.shortened(session, self.kind, failure)


def check(name, clock, operator, wanted, sequence, kind):
    """How often each answer came, and in how many seconds, if the service is as the model in every sequence."""
    begin = time.monotonic()
    run = Run(clock, operator, sequence, kind)
    if found := run.failure(wanted.seed, wanted.sequences, wanted.steps):
        first, failure = found
        kept, message = run.shortened(first, failure)
        sys.exit(
            f"{name}: the service differs from the model; repeat it with "
            f"--database {name} --seed {first.seed} --sequences 1 --steps {wanted.steps}\n"
            f"after {failure[0]} steps: {failure[1]}\n"
            f"the shortest sequence found has {len(kept)}:\n"
            + "".join(f"  {step}\n" for step in kept)
            + f"  and differs at {message}"
        )
    return run.counts, time.monotonic() - begin


def find_out(clock, operator, wanted, sequence, kind):
    """How few steps show that a wrong rule is wrong. The seed that is printed finds it once more."""
    run = Run(clock, operator, sequence, kind)
    found = run.failure(wanted.seed, SELF_CHECK_SEQUENCES, wanted.steps)
    if not found:
        sys.exit(f"the check cannot fail: nothing speaks against “{kind.__doc__}”")
    first, failure = found
    again = Run(clock, operator, sequence, kind).failure(first.seed, 1, wanted.steps)
    if not again or again[1][0] != failure[0]:
        sys.exit(f"“{kind.__doc__}”: seed {first.seed} fails after {failure[0]} steps, and then {again}")
    kept, _ = run.shortened(first, failure)
    return len(kept)


def main(name, sequence, kind, wrong, sequences, steps, each=served.each, look=None):
    """Runs a model by the words of the command line: on the storages, or with its rules made wrong, one at a time.

    `sequences` and `steps` are how many there are unless stated. `each` begins the storages, and `look` looks at one in
    the end.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--sequences", type=int, default=sequences)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    served.add_option(parser)
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    reports = []
    with tempfile.TemporaryDirectory() as folder:
        for storage, clock, operator in each(folder, "sqlite" if wanted.self_check else wanted.database):
            if wanted.self_check:
                lengths = [find_out(clock, operator, wanted, sequence, one) for one in wrong]
                continue
            counts, seconds = check(storage, clock, operator, wanted, sequence, kind)
            reports.append((served.NAMES[storage], counts, seconds))
            if look:
                look(clock)
    if wanted.self_check:
        print(
            f"{name}, wrong on purpose: {len(lengths)} wrong rules were found out, in {max(lengths)} steps at most; "
            f"seed {wanted.seed}"
        )
        return
    for storage, counts, seconds in reports:
        print(
            f"{storage}: {sum(counts.values())} answers in {seconds:.0f} s: "
            + ", ".join(f"{count} × {code}" for code, count in counts.most_common())
        )
    print(
        f"{name}: {wanted.sequences} sequences of {wanted.steps} steps on {' and '.join(one[0] for one in reports)}, "
        f"no difference; seed {wanted.seed}"
    )
