"""The theme of a sequence, so that rare cases come often in some."""

import dataclasses

from .values import FOCUS, LONG, REST, SHORT

KINDS = {FOCUS: 9, SHORT: 2, LONG: 2, REST: 6}
# Instants about which something changes, by their names in `drawing.TARGETS`.
TARGETS = {
    "end": 6,
    "dismissal": 3,
    "minute": 4,
    "interruption": 2,
    "pause end": 0.5,
    "background pause": 3,
    "streak end": 1,
}


@dataclasses.dataclass(frozen=True)
class Theme:
    """Weights, if they are others than usual, and settings that all have."""

    steps: dict = dataclasses.field(default_factory=dict)
    kinds: dict = dataclasses.field(default_factory=dict)
    targets: dict = dataclasses.field(default_factory=dict)
    settings: dict = dataclasses.field(default_factory=dict)

    def draw_kind(self, random):
        return chosen(random, KINDS | self.kinds)

    def draw_target(self, random):
        return chosen(random, TARGETS | self.targets)


def chosen(random, weights):
    return random.choices(list(weights), list(weights.values()))[0]


ALL = [
    Theme(),
    Theme(steps={"Presence": 40, "Pause": 6}, targets={"background pause": 30}, settings={"pauseInBackground": True}),
    Theme(steps={"PutRoutine": 20, "Skip": 4}, kinds={REST: 60}, settings={"restEnabled": True}),
    Theme(steps={"Pause": 30, "Resume": 5}, targets={"pause end": 20, "interruption": 8}),
    Theme(
        targets={"dismissal": 10},
        settings={"autoStartFocus": True, "autoStartBreak": True, "breaksEnabled": True, "isCountdown": True},
    ),
    Theme(
        steps={"Pause": 25, "Resume": 30},
        kinds={FOCUS: 60},
        targets={"end": 15},
        settings={"isCountdown": False, "countUpLimitSeconds": 61},
    ),
    Theme(steps={"Queue": 40, "Resend": 15}),
]
