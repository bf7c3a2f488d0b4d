#!/usr/bin/env python3
"""Random and mutated requests, sent to the server and read by h11: never does the server take a request that h11
refuses, and never do they disagree on how many requests there are on a connection, or where the content of each ends.

`differential_fuzz.py [--seed S] [--requests N] [--self-check]`; without `--requests` for about a minute. h11_framing.py
says where the two may differ, and which section of which RFC decides; the differences met are printed.
"""

import argparse
import collections
import json
import random
import tempfile
import time

from kit import python_packages

python_packages.enter()

import h11_framing
import http_case
import lenient_relay
import request_generator
from kit import raw_http, service

TIME_LIMIT_SECONDS = 50
# Answers of the server alone; an operation was asked in all other cases.
REFUSALS = {
    "malformed_request",
    "body_too_large",
    "target_too_long",
    "expectation_failed",
    "header_fields_too_large",
    "transfer_coding_not_implemented",
    "http_version_not_supported",
}
REFUSED_STATUSES = {400, 413, 414, 417, 431, 501, 505}
WORDLESS = ""
CONNECT = "This server does not implement CONNECT."
# Lenient servers that h11 is strict enough to find out.
MUTANTS = {
    "space before a colon is passed over",
    "Content-Length beats Transfer-Encoding",
    "close is not understood",
    "a length may have a sign",
    "every coding is chunked",
    "a chunk's size may have a prefix",
    "an answer is sent twice",
}
SELF_CHECK_CONNECTIONS = 6000


class Finding(Exception):
    """The server and h11 disagree, and nothing decides for the server."""


class Fuzzer:
    def __init__(self, port, world, seed, cases):
        self.port = port
        self.random = random.Random(seed)
        self.generator = request_generator.Generator(self.random, world, cases)
        self.counts = collections.Counter()
        self.differences = collections.Counter()

    def run(self, connections=None, seconds=None):
        """Raises `Finding` with the fewest bytes that still show it."""
        start = time.monotonic()
        while connections is None or self.counts["connections"] < connections:
            if seconds is not None and time.monotonic() - start > seconds:
                return
            data = self.generator.connection()
            # Never with the same outcome, however it is cut; one place in three connections.
            cut = self.random.randrange(len(data)) if data and self.random.random() < 0.33 else 0
            try:
                self.compare(data, cut)
            except (Finding, raw_http.Malformed) as error:
                least = self.least(data, type(error))
                raise Finding(f"{error}\n{data!r}\nand with less:\n{least!r}") from error
            self.counts["connections"] += 1

    def compare(self, data, cut=0):
        framing = h11_framing.Framing(data)
        answers = self.answers(data, cut, framing.messages)
        taken = [answer for answer in answers if refusal(answer) is None]
        refused = refusal(answers[-1]) if len(taken) < len(answers) else None
        self.counts["requests"] += len(taken)
        self.counts["refusals"] += refused is not None
        for index, answer in enumerate(taken):
            if index >= len(framing.messages):
                self.beyond(framing, index)
                return
            message = framing.messages[index]
            if answer.status == 201 and title(answer.body) != title(message.content):
                raise Finding(f"request {index}: other content: {message.content!r} and {answer.body!r}")
        if refused == WORDLESS:
            return
        if len(taken) < len(framing.messages):
            if refused is None and taken and ends_by_closing(taken[-1]):
                return
            if refused is None:
                raise Finding(f"the server found {len(taken)} requests, h11 {len(framing.messages)}")
            raw = framing.messages[len(taken)].raw
            self.decide(h11_framing.SERVER_IS_STRICTER, refused, raw)
        elif refused is not None and framing.end in ("complete", "closed"):
            raise Finding(f"the server refused more than h11 finds, which is {framing.end}: {refused}")

    def beyond(self, framing, index):
        """The server took a request that h11 does not know; behind it the two cannot be compared."""
        if framing.end != "refused":
            raise Finding(f"the server took request {index}, and for h11 the connection is {framing.end}")
        self.decide(h11_framing.H11_IS_STRICTER, framing.reason, framing.rest)

    def decide(self, table, said, raw):
        reason = h11_framing.decided_for_server(table, said, raw)
        if reason is None:
            raise Finding(f"only one of the two refuses, with {said!r}: {raw!r}")
        side = "the server is stricter" if table is h11_framing.SERVER_IS_STRICTER else "h11 is stricter"
        self.differences[f"{side}: {reason}"] += 1

    def answers(self, data, cut, messages):
        """All final answers to these bytes, which are all that is sent."""
        with raw_http.RawConnection(self.port) as connection:
            if cut:
                connection.send(data[:cut])
            connection.send(data[cut:])
            connection.half_close()
            while connection.fill():
                pass
            if connection.was_reset:
                raise Finding("the connection was reset")
            return list(final_answers(connection, messages))

    def least(self, data, kind):
        """The bytes with as much as can be left out that the same kind of error is still met."""
        size = len(data) // 2
        tries = 0
        while size >= 1 and tries < 400:
            start = 0
            while start < len(data) and tries < 400:
                shorter = data[:start] + data[start + size :]
                tries += 1
                try:
                    self.compare(shorter)
                    start += size
                except kind:
                    data = shorter
            size //= 2
        return data


def final_answers(connection, messages):
    """The answers to the requests that h11 has found, and one more if there is one; without its request it is unknown
    whether the next answer has content."""
    for message in messages + [None]:
        method = message.method if message else "HEAD"
        answer = connection.answer(method)
        while answer and answer.is_interim:
            answer = connection.answer(method)
        if answer is None:
            return
        if message is None:
            answer.body = bytes(connection.received[: int(answer.value("content-length") or 0)])
        elif wrong := raw_http.faults(answer, method):
            raise Finding("; ".join(wrong))
        yield answer


def refusal(answer):
    """The words with which the server itself refused a request; None if an operation was asked."""
    if answer.status < 400:
        return None
    if not answer.body:
        # To a HEAD: there are no words, and the status may be an operation's.
        is_last = (answer.value("connection") or "").lower() == "close"
        return WORDLESS if is_last and answer.status in REFUSED_STATUSES else None
    try:
        problem = json.loads(answer.body)
    except ValueError:
        # To a HEAD that h11 does not know of, and the bytes read are the next answer.
        return None
    is_refusal = problem["code"] in REFUSALS or problem["detail"] == CONNECT
    return problem["detail"] if is_refusal else None


def ends_by_closing(answer):
    """Whether the end of the connection is the content's, as in a stream for HTTP/1.0 (RFC 9112, section 6.3)."""
    return bool(answer.body) and not answer.values("content-length") and not answer.values("transfer-encoding")


def title(content):
    try:
        return json.loads(content)["title"]
    except (ValueError, KeyError, TypeError):
        return None


def self_check(clock, world, seed, cases):
    """Puts relays before the server that make it lenient; each has to be found out."""
    for mutant in lenient_relay.MUTANTS:
        if mutant.name not in MUTANTS:
            continue
        with lenient_relay.Relay(clock.port, mutant) as relay:
            fuzzer = Fuzzer(relay.port, world, seed, cases)
            try:
                fuzzer.run(connections=SELF_CHECK_CONNECTIONS)
            except Finding:
                print(f"{mutant.name}: found after {fuzzer.counts['connections']} connections", flush=True)
                continue
        raise SystemExit(f"{mutant.name}: not found in {SELF_CHECK_CONNECTIONS} connections; seed {seed}")
    print(f"differential fuzz: {len(MUTANTS)} lenient servers are found out; seed {seed}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--requests", type=int, help="how many connections, each with some requests")
    parser.add_argument("--self-check", action="store_true")
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    cases = http_case.load()
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(service.built_binary(), folder)
        world = http_case.World(clock.create_organization())
        clock.start()
        if wanted.self_check:
            self_check(clock, world, wanted.seed, cases)
            clock.stop()
            return
        fuzzer = Fuzzer(clock.port, world, wanted.seed, cases)
        try:
            fuzzer.run(wanted.requests, None if wanted.requests else TIME_LIMIT_SECONDS)
        except Finding as finding:
            raise SystemExit(f"differential fuzz: {finding}\nseed {wanted.seed}") from None
        clock.stop()
    for reason, count in sorted(fuzzer.differences.items()):
        print(f"{count:7}  {reason}")
    print(
        f"differential fuzz: {fuzzer.counts['connections']} connections, {fuzzer.counts['requests']} requests taken, "
        f"{fuzzer.counts['refusals']} connections refused, 0 findings; seed {wanted.seed}"
    )


if __name__ == "__main__":
    main()
