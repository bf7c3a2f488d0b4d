"""How long requests take, at several servers in turn, so that other work of the machine meets all of them alike."""

import os
import statistics
import time


def take_precedence():
    """Clients have machines of their own: this thread waits for no core (sched(7), SCHED_FIFO); its children do. False if it
    may not."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        return False
    return True


def percentile(values, part):
    """Of values in order, the one that so large a part of them does not exceed."""
    return values[min(len(values) - 1, int(len(values) * part))]


def in_turn(askers, seconds, pause=0.001):
    """For each asker, which sends a request and reads its answer: how long it took each time, in order of length, in ms."""
    found = [[] for _ in askers]
    places = list(zip(askers, found))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for ask, times in places:
            start = time.perf_counter()
            ask()
            times.append((time.perf_counter() - start) * 1000)
        # The second server finds the processor as the first has left it.
        places.reverse()
        time.sleep(pause)
    return [sorted(times) for times in found]


class Comparison:
    """Rounds of one server under a strain beside another one without."""

    def __init__(self):
        self.rounds = []

    def add(self, strained, quiet):
        self.rounds.append([percentile(times, part) for times in (strained, quiet) for part in (0.5, 0.99)])

    @property
    def ratio(self):
        """How many times as long the strained server takes at p99: the median of the rounds."""
        return statistics.median(strained / quiet for _, strained, _, quiet in self.rounds)

    def __str__(self):
        p50, p99, quiet_p50, quiet_p99 = (statistics.median(column) for column in zip(*self.rounds))
        return (
            f"p50 {p50:.2f} ms beside {quiet_p50:.2f} without, p99 {p99:.2f} beside {quiet_p99:.2f}: "
            f"{self.ratio:.2f} times (medians of {len(self.rounds)} rounds)"
        )


def asker(connections, path, token=None):
    """Sends the request over each of the connections of client.py in turn, and accepts nothing but a 200."""
    turn = 0

    def ask():
        nonlocal turn
        answer = connections[turn % len(connections)].request("GET", path, token)
        assert answer.status == 200, answer
        turn += 1

    return ask
