#!/usr/bin/env python3
"""The server's behavior for bytes of every kind, by the cases of http_cases/*.json.

Each case is sent whole, byte by byte, at random cuts, and behind a valid request, with the same answers each time.
Behind every case comes a request that makes an entry: if the connection stays open it is answered once, and if the
connection is to close it is neither answered nor executed.

`http_conformance.py [--seed S] [--cuts N] [--only TEXT] [--self-check]`; `--cuts` is how often each case is cut at
random, `--only` runs the cases that hold the text, `--self-check` shows that lenient servers are found out.
"""

import argparse
import collections
import random
import re
import tempfile
import time

import http_case
import lenient_relay
from kit import client, raw_http, service

# Valid, and the case comes in one go with it.
BEFORE = b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
# This many bytes at each end of a case come byte by byte; the rest of long ones comes in larger pieces.
SINGLE_BYTES = 1500
# How long a lenient server is waited for.
SELF_CHECK_TIMEOUT_SECONDS = 2
# Values that differ from one time to the next, and may.
CHANGING = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"
    r"|" + raw_http.DATE.pattern
)


class Wrong(Exception):
    """The server's behavior is not the case's."""


def whole(data, generator):
    return [data]


def byte_by_byte(data, generator):
    if len(data) <= 2 * SINGLE_BYTES:
        return [data[index : index + 1] for index in range(len(data))]
    head, middle, tail = data[:SINGLE_BYTES], data[SINGLE_BYTES:-SINGLE_BYTES], data[-SINGLE_BYTES:]
    return byte_by_byte(head, generator) + at_random_cuts(middle, generator) + byte_by_byte(tail, generator)


def at_random_cuts(data, generator):
    pieces = []
    while data:
        count = generator.randint(1, generator.choice([3, 20, 100, 5000]))
        pieces.append(data[:count])
        data = data[count:]
    return pieces


# How a case is sent: a name, whether it comes behind another request, and where it is cut.
WAYS = [
    ("whole", False, whole),
    ("byte by byte", False, byte_by_byte),
    ("behind a request", True, whole),
    ("behind a request, byte by byte", True, byte_by_byte),
]
RANDOM_WAYS = [("at random cuts", False, at_random_cuts), ("behind a request, at random cuts", True, at_random_cuts)]


class Suite:
    """Sends cases to a server, and keeps account of the requests that must have been executed there."""

    def __init__(self, port, world, seed):
        self.server_port = port
        # The target of the cases: the server, or a relay before it.
        self.port = port
        self.timeout = raw_http.TIMEOUT_SECONDS
        self.world = world
        self.generator = random.Random(seed)
        # By the number that its requests carry: the case, and how it was sent.
        self.sendings = []
        # The titles of requests that may be executed, and of those answered as if they were.
        self.expected = set()
        self.answered = set()

    def run(self, cases, ways):
        """The failures of each case that has any, when it is sent in these ways."""
        self.expected = set()
        self.answered = set()
        before = executed_titles(self.server_port, self.world)
        failures = {case: self.failures(case, ways) for case in cases}
        executed = executed_titles(self.server_port, self.world) - before
        for case, failure in self.execution_failures(executed):
            failures.setdefault(case, []).append(failure)
        return {case: found for case, found in failures.items() if found}

    def failures(self, case, ways):
        """The failures of a case: pairs of a way in which it fails, and the fault."""
        found = []
        first = None
        for name, is_behind, cut in ways:
            try:
                answers = self.send(case, name, is_behind, cut)
            except (Wrong, raw_http.Malformed) as error:
                found.append((name, str(error)))
                continue
            except OSError as error:
                found.append((name, f"{type(error).__name__} {error}"))
                continue
            if first is None:
                first = answers
            elif answers != first:
                found.append((name, f"other answers than before: {answers} and not {first}"))
        return found

    def send(self, case, way, is_behind, cut):
        """Sends a case, checks its expectations, and returns the answers as far as they have to be the same each
        time."""
        number = len(self.sendings)
        self.sendings.append((case, way))
        inner = self.world.poison(f"poison-within-{number:07}")
        title = f"poison-behind-{number:07}"
        behind = self.world.poison(title).encode() if case.then != "waiting" else b""
        if case.then == "open":
            self.expected.add(title)
        seen = []
        with raw_http.RawConnection(self.port, self.timeout) as connection:
            for index, (text, expected) in enumerate(case.steps):
                data = self.world.bytes(text, inner)
                if index == 0 and is_behind:
                    data = BEFORE + data
                pieces = cut(data, self.generator)
                if index == len(case.steps) - 1 and behind:
                    # With the last bytes, so that a server which reads on has it already.
                    pieces = pieces[:-1] + [b"".join(pieces[-1:]) + behind]
                for piece in pieces:
                    if not connection.send(piece):
                        break
                if index == 0 and is_behind:
                    self.expect(connection, [200], "GET", "1.1")
                for statuses in expected:
                    final = sum(not answer.is_interim for answer in seen)
                    seen.append(self.expect(connection, statuses, case.method(final), case.version))
            self.check_last(case, seen, inner)
            if case.then == "open":
                answer = self.expect(connection, [201], "POST", "1.1")
                if title.encode() not in answer.body:
                    raise Wrong(f"the request behind it got the answer {answer}")
                self.answered.add(title)
            if case.then != "closed":
                connection.half_close()
            if (extra := connection.answer()) is not None:
                raise Wrong(f"one answer more: {extra}")
            if connection.was_reset:
                raise Wrong("the connection was reset, which can take an answer away")
        return [normalized(answer) for answer in seen]

    def expect(self, connection, statuses, method, version):
        answer = connection.answer(method)
        if answer is None:
            raise Wrong(f"no answer, but the end, where {statuses} was due")
        if answer.status not in statuses:
            raise Wrong(f"{answer} where {statuses} was due")
        wrong = raw_http.faults(answer, method, version)
        if wrong:
            raise Wrong("; ".join(wrong))
        return answer

    def check_last(self, case, seen, inner):
        if not seen:
            return
        last = seen[-1]
        is_to_close = (last.value("connection") or "").lower() == "close"
        if is_to_close != (case.then == "closed"):
            raise Wrong(f"Connection: {last.values('connection')}, and then {case.then} (RFC 9112, 9.6)")
        for name, value in case.fields.items():
            if last.value(name) != value:
                raise Wrong(f"{name}: {last.values(name)} where {value!r} was due")
        for name in case.absent:
            if last.values(name):
                raise Wrong(f"{name}: {last.values(name)} where there must be none")
        if case.content and self.world.bytes(case.content, inner) not in last.body:
            raise Wrong(f"content without {case.content}: {last}")
        if case.excludes and self.world.bytes(case.excludes, inner) in last.body:
            raise Wrong(f"content with {case.excludes}: {last}")

    def execution_failures(self, executed):
        """Pairs of a case and its failure, by the titles made and the titles expected."""
        found = []
        for title, count in sorted(executed.items()):
            number = title.rpartition("-")[2]
            case, way = self.sendings[int(number)] if number.isdigit() else (None, "some way")
            if title not in self.expected:
                found.append((case, (way, f"executed: {title.rstrip('0123456789')}")))
            elif count > 1:
                found.append((case, (way, f"executed {count} times")))
        for title in sorted(self.answered - executed.keys()):
            case, way = self.sendings[int(title.rpartition("-")[2])]
            found.append((case, (way, "answered as if it were executed, and not executed")))
        return found


def normalized(answer):
    fields = [(name, CHANGING.sub("…", value)) for name, value in answer.fields]
    return (answer.status, fields, CHANGING.sub("…", answer.body.decode("latin-1")))


def executed_titles(port, world):
    """The count of each title that the requests behind and within the cases have made."""
    one = client.Client(port)

    def page(path):
        answer = one.request("GET", path, world.token)
        assert answer.status == 200, answer
        return answer.json

    path = world.path + "/sessions?limit=1000&startDate=2026-11-21&endDate=2026-11-21"
    titles = [session["title"] for session in client.elements(page, path, "sessions")]
    one.close()
    return collections.Counter(title for title in titles if title.startswith("poison"))


def table(cases, failures):
    rows = [("", "passed", "failed")]
    for level in http_case.LEVELS:
        of_level = [case for case in cases if case.level == level]
        failed = sum(case in failures for case in of_level)
        rows.append((level, str(len(of_level) - failed), str(failed)))
    return "\n".join(f"{name:8}{passed:>8}{failed:>8}" for name, passed, failed in rows)


def print_failures(failures):
    for case, found in failures.items():
        print(case or "http_cases: a request that no sending stands for")
        for what in dict.fromkeys(what for _, what in found):
            print(f"    {', '.join(way for way, other in found if other == what)}:\n        {what}")


def self_check(suite, cases):
    """Puts a relay before the server that makes it lenient in one way at a time; each has to be found out."""
    short = [case for case in cases if case.file != "10_limits"]
    missed = []
    for mutant in lenient_relay.MUTANTS:
        with lenient_relay.Relay(suite.server_port, mutant) as relay:
            suite.port = relay.port
            # A vain wait for an answer is a failure, and one is looked for.
            suite.timeout = raw_http.TIMEOUT_SECONDS if mutant.is_faithful else SELF_CHECK_TIMEOUT_SECONDS
            tried = [case for case in short if case.file[:2] in mutant.files] if mutant.files else short
            failures = suite.run(tried, WAYS[:1])
        print(f"{mutant.name}: {len(failures)} of {len(tried)} cases fail", flush=True)
        if mutant.is_faithful and failures:
            missed += [f"{mutant.name}: {case}: {found}" for case, found in failures.items()]
        elif not mutant.is_faithful and mutant.found_by not in {case.name for case in failures if case}:
            missed.append(f"{mutant.name}: not found by {mutant.found_by!r}")
    if missed:
        raise SystemExit("\n".join(missed))
    print(f"HTTP conformance: {len(lenient_relay.MUTANTS) - 1} lenient servers are found out")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--cuts", type=int, default=1, help="how often each case is cut at random")
    parser.add_argument("--only", default="", help="only the cases whose file, name or section holds this")
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    cases = http_case.load(wanted.only)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder)
        suite = Suite(clock.port, http_case.World(clock.create_organization()), wanted.seed)
        clock.start()
        if wanted.self_check:
            self_check(suite, cases)
            clock.stop()
            return
        failures = suite.run(cases, WAYS + RANDOM_WAYS * wanted.cuts)
        clock.stop()
    print_failures(failures)
    print(table(cases, failures))
    seconds = time.monotonic() - start
    if failures:
        raise SystemExit(
            f"HTTP conformance: {len(failures)} of {len(cases)} cases fail; "
            f"repeat with --seed {wanted.seed} --cuts {wanted.cuts} --only TEXT"
        )
    print(
        f"HTTP conformance: {len(cases)} cases, sent {len(suite.sendings)} times in {seconds:.0f} s, 0 failures; "
        f"seed {wanted.seed}"
    )


if __name__ == "__main__":
    main()
