"""Which steps a tier has, for the commit that is checked out."""

import ast
import functools
import pathlib
import subprocess

from kit import service

from .steps import MAKERS, NAMES, PARTS, STEPS

# How long a landing takes at most from its first commit to its last, in seconds.
LANDING = 4 * 3600


def of_tier(tier):
    """The steps of a tier; the gate's without fuzzing of unchanged code, and with the commit's part of thorough."""
    if tier != "gate":
        return [step for step in STEPS if tier in step.tiers]
    return [step for step in STEPS if is_always_due(step) or reason(step)]


def is_always_due(step):
    """Whether the gate runs it for this commit, whatever has changed."""
    return "gate" in step.tiers and not step.is_fuzzing and step.turn in (None, count_of_commit() % 2)


def outside(steps):
    """Those of the steps that ask a built binary, and need neither a build nor SwiftPM."""
    return [step for step in steps if "binary" in step.needs and not step.holds]


def with_makers(steps, leaving_out=()):
    """The steps, and those that make their needs, in the table's order."""
    wanted = {step.name for step in steps}
    wanted |= {MAKERS[need] for step in steps for need in step.needs if need in MAKERS}
    return [step for step in STEPS if step.name in wanted and step.name not in leaving_out]


def reason(step):
    """Why a step that the gate does not run always is in it; None if it is not."""
    is_turn = step.part is not None and step.part == part_of_commit()
    if step.is_fuzzing:
        return change(landed_files(), step) if is_turn or "gate" in step.tiers else None
    if "thorough" not in step.tiers:
        return None
    if step.is_self_check and (why := change(changed_files(), step)):
        return why
    return f"part {step.part + 1} of {PARTS}" if is_turn else None


def change(changed, step):
    """Which file that a step reads is one of those that have changed; None if none is."""
    if changed is None:
        return "what has changed is not known here"
    touched = touched_by(changed, files_read(step))
    return f"{touched} has changed" if touched else None


def touched_by(changed, read):
    """The first file that has changed and is one of those that are read, or in such a folder."""
    for name in sorted(changed):
        if any(name == one or name.startswith(one + "/") for one in read):
            return name
    return None


def git(*arguments):
    """The output of git; None if there is no git or no repository."""
    try:
        said = subprocess.run(["git", *arguments], cwd=service.TOP, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return said.stdout if said.returncode == 0 else None


@functools.cache
def changed_files():
    """The files that differ from the parent of the last commit or merge, uncommitted work included; None: unknown."""
    return files_since("HEAD^1")


@functools.cache
def landed_files():
    """The files that differ from before the landing, uncommitted work included; None: unknown.

    The gate runs once for a landing, which is a merge or a row of commits: with the parent of the last one, the others'
    changes would never be fuzzed. Which commit was tested last no clone knows, but all know when each was committed (a
    rebase says it again), and a landing takes less than LANDING. So the first parent that is so much older than the
    last commit was there before it. A landing or two before may be counted in: then fuzzing is done once more.
    """
    commits = [line.split() for line in (git("log", "--first-parent", "--format=%H %ct") or "").splitlines()]
    before = (name for name, time in commits if int(time) <= int(commits[0][1]) - LANDING)
    base = next(before, None)
    return files_since(base) if base else None


def files_since(base):
    """The files that differ from a commit, uncommitted work included; None: unknown."""
    committed = git("diff", "--name-only", base, "--")
    added = git("ls-files", "--others", "--exclude-standard")
    if committed is None or added is None:
        return None
    return set((committed + added).splitlines())


def part_of_commit():
    """The part of the thorough tier whose turn it is."""
    return count_of_commit() % PARTS


@functools.cache
def count_of_commit():
    """The number of commits up to the one that is checked out.

    Each commit and merge of a branch counts one, so that as many as there are parts, one after the other, have had all.
    A clone that lacks earlier commits counts nothing: there the commit's id decides.
    """
    count = git("rev-list", "--first-parent", "--count", "HEAD")
    if count is None:
        return 0
    if (git("rev-parse", "--is-shallow-repository") or "").strip() == "true":
        return int(git("rev-parse", "HEAD"), 16)
    return int(count)


def files_read(step):
    """The files and folders that a step's script reads of ours, by their names from the top folder on."""
    if not step.script.endswith(".py"):
        return {*step.reads, step.script}
    read = modules(service.TOP / step.script)
    return {*step.reads, *(str(path.relative_to(service.TOP)) for path in read)}


def modules(script):
    """A Python file and all modules of ours that it imports, and these. Of a package all files count."""
    read, waiting = set(), [script]
    while waiting:
        path = waiting.pop().resolve()
        if path in read:
            continue
        read.add(path)
        for name in imported(path):
            place = path.parent / name.replace(".", "/")
            if place.with_suffix(".py").exists():
                waiting.append(place.with_suffix(".py"))
            elif place.is_dir() and name != "kit":
                waiting += place.glob("*.py")
    return read


def imported(path):
    """The names of a Python file's imports, such as `kit.client`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield base
            yield from (f"{base}.{alias.name}".lstrip(".") for alias in node.names)


def named(names):
    """The steps of these names, or of whose folder it is if a name ends with `/`. Raises `SystemExit` for others."""
    known = {name: [step] for name, step in NAMES.items()}
    for step in STEPS:
        if "binary" in step.needs and step.script.endswith(".py"):
            known.setdefault(f"{pathlib.PurePath(step.script).parent.name.lower()}/", []).append(step)
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"There is no step {', '.join(unknown)}. There are: {' '.join(known)}")
    return [step for step in STEPS if any(step in known[name] for name in names)]


def scripts():
    """The Python files that can be started as they are, below the folders of checks."""
    top = pathlib.Path(service.TOP)
    found = [*top.glob("Tests/Acceptance/*/*.py"), *top.glob("Tests/Faults/*.py")]
    return [
        str(path.relative_to(top)) for path in found if path.stat().st_mode & 0o100 and not path.parent.is_symlink()
    ]
