"""The lists of steps in CONTRIBUTING.md are written from the table, and compared with it."""

import re
import textwrap

from kit import service

from . import choosing
from .steps import BY_HAND, MAKERS, NAMES, PARTS, STEPS

PATH = service.TOP / "CONTRIBUTING.md"
MARKS = "<!-- steps: {} -->\n", "<!-- end of steps -->"


def lists():
    """The text of each list by its name."""
    parts = [[step.name for step in STEPS if step.part == part] for part in range(PARTS)]
    rows = [f"| {number + 1} | {words(names)} |" for number, names in enumerate(parts)]
    too_long = [step.name for step in STEPS if "thorough" in step.tiers and step.part is None]
    return {
        **{tier: wrapped([step.name for step in STEPS if tier in step.tiers]) for tier in ("quick", "gate")},
        "thorough": "\n".join(["| part | steps |", "|---|---|", *rows, f"| too long for a part | {words(too_long)} |"])
        + "\n",
    }


def words(names):
    return ", ".join(f"`{name}`" for name in names)


def wrapped(names):
    return textwrap.fill(words(names), 120, break_on_hyphens=False) + "\n"


def written(text):
    """The document with the lists of the table."""
    for name, content in lists().items():
        start, end = MARKS[0].format(name), MARKS[1]
        pattern = re.escape(start) + ".*?" + re.escape(end)
        if not re.search(pattern, text, re.S):
            raise SystemExit(f"{PATH.name} has no list {start.strip()}")
        text = re.sub(pattern, lambda _, new=start + content + end: new, text, flags=re.S)
    return text


def write():
    PATH.write_text(written(PATH.read_text()))


def faults():
    """Faults of the table, and a difference from the document."""
    found = []
    if len(NAMES) != len(STEPS):
        found.append("two steps have the same name")
    found += [f"{step.name} needs {need}" for step in STEPS for need in step.needs if need not in {*MAKERS, "root"}]
    found += [f"no step {maker}" for maker in MAKERS.values() if maker not in NAMES]
    found += [f"there is no {step.script}" for step in STEPS if "/" in step.script and not is_file(step.script)]
    in_table = {step.script for step in STEPS} | set(BY_HAND)
    found += [f"no step runs {script}" for script in choosing.scripts() if script not in in_table | RUNNERS]
    found += [
        f"part {part + 1} of the thorough tier is empty"
        for part in range(PARTS)
        if not any(step.part == part for step in STEPS)
    ]
    found += [f"{step.name} is no step of thorough, and has a part" for step in STEPS if is_misplaced(step)]
    found += [f"{step.name} takes turns with nothing" for step in STEPS if step.turn is not None and not partner(step)]
    found += self_checks_without_rows()
    if written(PATH.read_text()) != PATH.read_text():
        found.append(f"{PATH.name} lists other steps: Tests/Acceptance/run.py document")
    return found


def is_file(name):
    return (service.TOP / name).is_file()


# Scripts that run others.
RUNNERS = {"Tests/Faults/run.py"}


def partner(step):
    """The step of the gate that has the other turn, with the same script."""
    wanted = (step.script, 1 - step.turn)
    return next((one for one in STEPS if "gate" in one.tiers and (one.script, one.turn) == wanted), None)


def is_misplaced(step):
    return step.part is not None and step.tiers != {"thorough"}


def self_checks_without_rows():
    """Scripts that know --self-check, and have no row with it."""
    found = []
    for script in choosing.scripts():
        text = (service.TOP / script).read_text()
        knows = "--self-check" in text or "harness.options(" in text
        has_row = any(step.script == script and "--self-check" in step.command for step in STEPS)
        if knows and not has_row and script not in RUNNERS:
            found.append(f"no step runs {script} --self-check")
    return found
