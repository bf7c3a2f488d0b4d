#!/usr/bin/env python3
"""Clients that are slow or do nothing: each is gone at its limit, and whoever is not slow is served meanwhile.

`slow_peers.py [--slow N] [--all]`; with `--all` also the limits beyond twenty seconds, which takes a minute and a half.
The time-outs are the server's own (Sources/SocketHTTPServer/HTTPServerConfiguration.swift); no option changes them. How
long others wait meanwhile is printed, and judged by nobody.
"""

import argparse
import pathlib
import resource
import select
import socket
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client  # noqa: E402
import raw_http  # noqa: E402
import service  # noqa: E402

HEAD_SECONDS = 10
BODY_SECONDS = 30
WRITE_SECONDS = 30
IDLE_SECONDS = 75
# Beyond this a connection that should be gone is not; generous, because a busy machine is late.
GRACE_SECONDS = 20
HEAD = b"GET /health/live HTTP/1.1\r\nHost: a\r\n"
CHUNKED_HEAD = b"POST /health/live HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
BODY_HEAD = b"POST /health/live HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"


class Peer:
    """A slow client: sends a beginning at once, then a byte now and then, and waits to be sent away."""

    def __init__(self, port, beginning, drip, limit, status):
        self.connection = raw_http.RawConnection(port)
        self.connection.send(beginning)
        self.drip = drip
        self.limit = limit
        # What it is told before it is sent away; None where it is told nothing.
        self.status = status
        self.start = time.monotonic()
        self.end = None

    def go_on(self):
        if self.drip and self.end is None:
            self.connection.send(self.drip)

    def wait(self):
        """Reads what there is; what is wrong with it, or None."""
        if self.connection.fill():
            return None
        self.end = time.monotonic() - self.start
        if self.end < self.limit - 0.5:
            return f"gone after {self.end:.1f} s, and its limit is {self.limit} s"
        answer = self.connection.answer()
        if (answer and answer.status) != self.status:
            return f"told {answer}, and not {self.status}"
        return None


def slow_peers(port, count, with_all):
    """Some of each kind; those that read slowly are apart."""
    kinds = [
        ("silent", b"", b"", HEAD_SECONDS, None),
        ("slow head", HEAD, b"A", HEAD_SECONDS, 408),
        ("half a head", HEAD, b"", HEAD_SECONDS, 408),
        ("half a request line", b"GET /", b"", HEAD_SECONDS, 408),
    ]
    if with_all:
        kinds += [
            ("slow content", BODY_HEAD, b"b", BODY_SECONDS, 408),
            ("no content", BODY_HEAD, b"", BODY_SECONDS, 408),
            ("slow chunks", CHUNKED_HEAD, b"1\r\nb\r\n", BODY_SECONDS, 408),
            ("idle behind an answer", HEAD + b"\r\n", b"", IDLE_SECONDS, 200),
        ]
    return [(name, Peer(port, beginning, drip, limit, status))
            for name, beginning, drip, limit, status in kinds for _ in range(max(1, count // len(kinds)))]


def latencies(one, seconds):
    """How long requests take, one after the other, in milliseconds, in order of length."""
    found = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        answer = one.request("GET", "/health/live")
        assert answer.status == 200, answer
        found.append((time.monotonic() - start) * 1000)
        time.sleep(0.002)
    return sorted(found)


def percentile(values, part):
    return values[min(len(values) - 1, int(len(values) * part))]


def check_slow_peers(port, count, with_all):
    one = client.Client(port)
    alone = latencies(one, 3)
    peers = slow_peers(port, count, with_all)
    beside = []
    wrong = []
    waiting = {peer.connection.socket.fileno(): (name, peer) for name, peer in peers}
    deadline = time.monotonic() + max(peer.limit for _, peer in peers) + GRACE_SECONDS
    while waiting and time.monotonic() < deadline:
        beside += latencies(one, 0.5)
        for name, peer in waiting.values():
            peer.go_on()
        poller = select.poll()
        for descriptor in waiting:
            poller.register(descriptor, select.POLLIN)
        for descriptor, _ in poller.poll(0):
            name, peer = waiting[descriptor]
            fault = peer.wait()
            if fault:
                wrong.append(f"{name}: {fault}")
            if peer.end is not None:
                del waiting[descriptor]
    wrong += [f"{name}: still there after {time.monotonic() - peer.start:.0f} s" for name, peer in waiting.values()]
    for _, peer in peers:
        peer.connection.socket.close()
    one.close()
    assert not wrong, "\n".join(sorted(set(wrong))[:20])
    beside.sort()
    print(f"{len(peers)} slow clients, each gone at its limit; a request takes, alone and beside them: "
          f"p50 {percentile(alone, 0.5):.2f} and {percentile(beside, 0.5):.2f} ms, "
          f"p99 {percentile(alone, 0.99):.2f} and {percentile(beside, 0.99):.2f} ms")


def check_slow_reader(port):
    """A client that asks for much and reads none of it is cut."""
    with raw_http.RawConnection(port) as connection:
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.socket.setblocking(False)
        start = time.monotonic()
        request = b"GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n"
        is_cut = False
        while time.monotonic() - start < WRITE_SECONDS + GRACE_SECONDS:
            # Until the buffers of both sides are full, and then until it is gone.
            try:
                connection.socket.send(request)
            except BlockingIOError:
                pass
            except (BrokenPipeError, ConnectionResetError):
                is_cut = True
                break
            time.sleep(0.05)
        assert is_cut, "who reads nothing is still there"
        seconds = time.monotonic() - start
        assert seconds > WRITE_SECONDS - 2, f"who reads nothing was cut after {seconds:.1f} s"
    print(f"a client that reads nothing was cut after {seconds:.0f} s")


def check_readable_refusals(port):
    """A refusal can be read by a client that goes on sending, and is not lost in a reset."""
    cases = [
        (b"POST /health/live HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n", b"b", 413),
        (b"POST /health/live HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7a1200\r\n", b"b", 413),
        (b"GET /", b"a", 414),
        (b"GET /health/live HTTP/1.1\r\nHost: a\r\nA: ", b"b", 431),
    ]
    for beginning, filler, status in cases:
        with raw_http.RawConnection(port) as connection:
            connection.send(beginning)
            for _ in range(100):
                assert connection.send(filler * 80_000), f"{status}: the server does not take what is sent any more"
            answer = connection.answer()
            assert answer and answer.status == status, f"{answer} where {status} was due"
            assert connection.answer() is None and not connection.was_reset, f"{status}: a reset"
    print("413, 414 and 431 are read by a client that sends eight megabytes first")


def processor_seconds(clock):
    fields = pathlib.Path(f"/proc/{clock.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def check_descriptors(binary):
    """With no descriptors left, clients wait, the server does not spin, and goes on when there are some again."""
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(binary, folder)
        clock.create_organization()
        clock.start()
        resource.prlimit(clock.process.pid, resource.RLIMIT_NOFILE, (64, 64))
        held = [raw_http.RawConnection(clock.port) for _ in range(120)]
        time.sleep(0.5)
        before = processor_seconds(clock)
        time.sleep(3)
        used = processor_seconds(clock) - before
        # A loop that spins uses all of a processor.
        assert used < 1, f"{used:.2f} s of processor time in 3 s without descriptors"
        served = held[0]
        served.send(HEAD + b"\r\n")
        assert served.answer().status == 200
        last = held[-1]
        last.send(HEAD + b"\r\n")
        assert not select.select([last.socket], [], [], 0.5)[0], "it was answered, so there were descriptors left"
        for connection in held[:-1]:
            connection.socket.close()
        answer = last.answer()
        assert answer and answer.status == 200, answer
        last.socket.close()
        clock.stop()
    print(f"without descriptors: {used:.2f} s of processor time in 3 s, and served when there were some again")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--slow", type=int, default=500, help="how many slow clients there are at once")
    parser.add_argument("--all", action="store_true", help="also slow content, slow reading and idle connections")
    wanted = parser.parse_args()
    binary = service.built_binary()
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(binary, folder)
        clock.create_organization()
        clock.start()
        check_readable_refusals(clock.port)
        check_slow_peers(clock.port, wanted.slow, wanted.all)
        if wanted.all:
            check_slow_reader(clock.port)
        clock.stop()
    check_descriptors(binary)
    print("slow peers: slow clients gone at their limits, refusals readable, no spin without descriptors")


main()
