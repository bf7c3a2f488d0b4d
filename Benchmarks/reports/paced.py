"""A paced load on an HTTP service: requests at a fixed rate over keep-alive connections, timed from when each was due.

A closed loop would send less while the service is slow, so that a stall of 50 ms would count as one slow request for
each connection. Here each request that falls due meanwhile counts with its own wait, also that for a free connection.
"""

import collections
import gc
import select
import socket
import time

from kit import latency

# In microseconds; `late` is the 99th percentile of how long after a request was due this client noticed.
Times = collections.namedtuple("Times", "all late")


def percentile(times, part):
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]


def take_precedence():
    """As `latency.take_precedence`, and says so if it may not."""
    if not latency.take_precedence():
        print("without precedence over other processes: whatever this client waits for a core counts as the service's")


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.due = 0
        self.answer = b""

    def send(self, request, due):
        self.due, self.answer = due, b""
        self.socket.sendall(request)

    def is_done(self):
        """Whether the answer is whole with the bytes received."""
        self.answer += self.socket.recv(65_536)
        head, separator, content = self.answer.partition(b"\r\n\r\n")
        if not separator:
            return False
        if not head.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(self.answer.decode(errors="replace"))
        length = head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
        return len(content) >= int(length)


def run(port, requests, count, rate, seconds):
    """Sends the requests in turn, `rate` a second, over `count` connections; the times of all."""
    connections = [Connection(port) for _ in range(count)]
    poll = select.epoll()
    by_number = {one.socket.fileno(): one for one in connections}
    for number in by_number:
        poll.register(number, select.EPOLLIN)
    free, waiting = collections.deque(connections), collections.deque()
    times, late = [], []
    begin = time.perf_counter() + 0.01
    total, sent = round(rate * seconds), 0
    gc.disable()
    while len(times) < total:
        now = time.perf_counter()
        while sent < total and begin + sent / rate <= now:
            waiting.append((requests[sent % len(requests)], begin + sent / rate))
            late.append(now - begin - sent / rate)
            sent += 1
        while waiting and free:
            free.popleft().send(*waiting.popleft())
        # To the microsecond, which epoll_wait(2) does not count in.
        until = 15 if sent == total else max(0, begin + sent / rate - time.perf_counter())
        if not select.select([poll], [], [], until)[0]:
            if sent == total:
                raise SystemExit("no answer within 15 seconds")
            continue
        for number, _ in poll.poll(0):
            one = by_number[number]
            if one.is_done():
                times.append(time.perf_counter() - one.due)
                free.append(one)
    gc.enable()
    for one in connections:
        one.socket.close()
    return Times([1e6 * one for one in times], 1e6 * percentile(late, 0.99))
