"""Whether a history of one member's clock could have come from operations done one at a time.

Each operation takes effect at one moment between its request and its answer (Herlihy and Wing, 1990). The search is
Wing and Gong's with Lowe's memory of tried states: the next in order may be any operation that began before the first
answer of those that are left. An operation of unknown outcome has no answer: it may be done at any time after its
request, or never.
"""

import dataclasses
import math
from collections.abc import Callable

# The member is clocked out; else the state is the id of the entry that runs.
OUT = None
# The effect of an operation if the state does not allow the answer.
IMPOSSIBLE = object()


@dataclasses.dataclass(frozen=True)
class Step:
    """An operation with its answer. `apply` maps the state before to the state after, or to IMPOSSIBLE."""

    kind: str
    # The entry's id that it is about, or OUT.
    entry: str | None
    began: int
    # Infinite if there was no answer.
    ended: float
    apply: Callable

    @property
    def is_optional(self):
        return self.ended == math.inf


def clocked_in(entry):
    return lambda state: entry if state is OUT else IMPOSSIBLE


def clocked_out(entry):
    return lambda state: OUT if state == entry and entry is not OUT else IMPOSSIBLE


def is_in_state(expected):
    """An answer that changes nothing and shows the state: of a read, or of a refusal."""
    return lambda state: state if state == expected else IMPOSSIBLE


def clocked_out_perhaps(state):
    return OUT if state is not OUT else IMPOSSIBLE


def order(history, state=OUT):
    """An order in which the steps could have been done, as a list; None if there is none."""
    steps = sorted(history, key=lambda step: step.began)
    required = sum(1 << number for number, step in enumerate(steps) if not step.is_optional)
    tried = set()
    # The steps done, as bits, the state behind them, and the way there: the last step's number and the way before it.
    waiting = [(0, state, None)]
    while waiting:
        done, state, way = waiting.pop()
        if done & required == required:
            return [steps[number] for number in _numbers(way)]
        candidates = []
        for number, step in _next(steps, done):
            after = step.apply(state)
            then = done | 1 << number
            if after is not IMPOSSIBLE and (then, after) not in tried:
                tried.add((then, after))
                candidates.append((step.is_optional, step.ended, number, then, after))
        # The one that was answered first is tried first, and operations of unknown outcome last.
        for _, _, number, then, after in sorted(candidates, key=lambda candidate: candidate[:3], reverse=True):
            waiting.append((then, after, (number, way)))
    return None


def _numbers(way):
    numbers = []
    while way:
        number, way = way
        numbers.append(number)
    return reversed(numbers)


def _next(steps, done):
    """The steps that may be done next: those that began before any of the others was answered."""
    first_answer = math.inf
    candidates = []
    for number, step in enumerate(steps):
        if done >> number & 1:
            continue
        if step.began > first_answer:
            break
        candidates.append((number, step))
        first_answer = min(first_answer, step.ended)
    return [(number, step) for number, step in candidates if step.began <= first_answer]


def longest_order(history, state=OUT):
    """The number of steps, in the order of their requests, that have an explanation, and these steps in order; for a
    message."""
    steps = sorted(history, key=lambda step: step.began)
    low, high = 0, len(steps)
    while low < high:
        middle = (low + high + 1) // 2
        if order(_cut(steps, middle), state) is None:
            high = middle - 1
        else:
            low = middle
    return low, steps


def _cut(steps, count):
    """The first `count` steps. Others may have taken effect before their answers, so all may have."""
    later = [dataclasses.replace(step, ended=math.inf) for step in steps[count:]]
    return steps[:count] + later
