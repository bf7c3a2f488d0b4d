"""Runs steps, three side by side, and those that measure time alone; continues after failures, and reports all at the
end."""

import contextlib
import csv
import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from kit import postgresql, service

from .steps import MAKERS

# One more than there are processors: some steps wait rather than compute.
LANES = 3
# How long a step that is ended early has to clean up, in seconds.
PATIENCE = 10
# So much of a failed step's output is shown; all of it is in LOGS.
SHOWN = 20_000
# The marks of Swift Testing's lines about tests under way and passed: thousands, between which a failure is lost.
PROGRESS = ("◇", "✔")
LOGS = service.TOP / ".build/test-logs"
# A table for each run, named by its beginning and its commit; `grep '^tests,' .build/step-seconds/*` shows a trend.
TIMES = service.TOP / ".build/step-seconds"


@dataclasses.dataclass
class Result:
    step: object
    # passed, FAILED or not run.
    outcome: str
    seconds: float
    # Processor time used by it and its ended children.
    processor: float
    output: str

    @property
    def last_line(self):
        return (self.output.strip().splitlines() or ["no output"])[-1][:200]

    @property
    def failed_tests(self):
        """Of Swift Testing: one test's failure a line, with its file, its line and the values."""
        return [line[:400] for line in self.output.splitlines() if line.startswith("✘") and "recorded an issue" in line]


class Running:
    """A step under way, in a session of its own."""

    def __init__(self, step, environment):
        self.step = step
        self.log = LOGS / f"{step.name}.log"
        self.began = time.monotonic()
        # Of its end, once that has come.
        self.status = self.usage = None
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                step.command,
                cwd=service.TOP,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**environment, **dict(step.environment)},
                start_new_session=True,
            )

    def result(self):
        """The outcome; None while it runs."""
        seconds = time.monotonic() - self.began
        is_late = seconds > self.step.seconds_limit
        if is_late:
            self.end()
        elif not self.is_over(os.WNOHANG):
            return None
        outcome = "passed" if os.waitstatus_to_exitcode(self.status) == 0 and not is_late else "FAILED"
        late = f"\nnot done after {self.step.seconds_limit} s" if is_late else ""
        output = self.log.read_text(errors="replace") + late
        return Result(self.step, outcome, seconds, self.usage.ru_utime + self.usage.ru_stime, output)

    def is_over(self, options):
        if self.usage is None:
            ended, status, usage = os.wait4(self.process.pid, options)
            if ended:
                self.status, self.usage = status, usage
        return self.usage is not None

    def end(self):
        """Ends it with all that it has started. It may clean up before: servers have sessions of their own."""
        deadline = time.monotonic() + PATIENCE
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGINT)
            while not self.is_over(os.WNOHANG) and time.monotonic() < deadline:
                time.sleep(0.05)
            os.killpg(self.process.pid, signal.SIGKILL)
        self.is_over(0)


def run(steps, because=lambda step: None):
    """Runs them; whether all passed. `because` says why a step is there, if that needs saying."""
    # Even if a shell has it ignored, and with it the steps: ended early, they clean up.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    LOGS.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    begin = time.gmtime()
    with tempfile.TemporaryDirectory(prefix="timeclock-initdb-") as template:
        # The server's user has to reach its folder.
        pathlib.Path(template).chmod(0o755)
        environment = dict(os.environ)
        if any(step.name == MAKERS["postgresql"] for step in steps):
            environment[postgresql.TEMPLATE] = f"{template}/cluster"
            pathlib.Path(template, "cluster").mkdir()
        if any(step.name == MAKERS["binary"] for step in steps):
            environment["TIMECLOCK_BINARY"] = str(service.BINARY)
        results = run_all(list(steps), environment, because)
        shutil.rmtree(f"{template}/cluster", ignore_errors=True)
    seconds = time.monotonic() - began
    keep(results, seconds, begin)
    return tell(results, seconds)


def run_all(waiting, environment, because):
    here = {step.name for step in waiting}
    running, results = [], []

    def add(result):
        results.append(result)
        why = because(result.step)
        name = result.step.name + (f" ({why})" if why else "")
        print(f"{result.outcome:7} {result.seconds:6.1f} s  {name}: {result.last_line}", flush=True)
        # At once: of a long output, some keep only a part.
        print("".join(f"    {line}\n" for line in result.failed_tests), end="", flush=True)

    try:
        while waiting or running:
            for one in list(running):
                if result := one.result():
                    running.remove(one)
                    add(result)
            outcomes = {result.step.name: result.outcome for result in results}
            for step in list(waiting):
                makers = [MAKERS[need] for need in step.needs if MAKERS.get(need) in here]
                missing = [maker for maker in makers if outcomes.get(maker, "passed") != "passed"]
                if missing:
                    waiting.remove(step)
                    add(Result(step, "not run", 0, 0, f"{missing[0]} has not passed"))
                elif all(maker in outcomes for maker in makers) and has_place(step, running, waiting):
                    waiting.remove(step)
                    running.append(Running(step, environment))
                    if step.holds:
                        # It may take minutes.
                        print(f"begun             {step.name}: its output is in {running[-1].log}", flush=True)
            time.sleep(0.05)
    finally:
        for one in running:
            one.end()
    return results


def has_place(step, running, waiting):
    if step.is_alone:
        return not running and all(other.is_alone for other in waiting)
    if step.holds and any(other.step.holds == step.holds for other in running):
        return False
    return len(running) < LANES and not any(other.step.is_alone for other in running)


def told(output):
    """The part of a failed step's output to show."""
    lines = (line for line in output.splitlines() if not line.startswith(PROGRESS))
    return "\n".join(lines)[-SHOWN:]


def keep(results, seconds, begin):
    """Writes how long each step took, and all in `seconds`, into a file of this run."""
    describe = ("git", "describe", "--always", "--dirty", "--exclude", "*", "--abbrev=8")
    commit = subprocess.run(describe, cwd=service.TOP, capture_output=True, text=True, check=False).stdout.strip()
    TIMES.mkdir(parents=True, exist_ok=True)
    with open(TIMES / f"{time.strftime('%Y%m%dT%H%M%SZ', begin)}-{commit}.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["step", "outcome", "seconds", "processor"])
        for result in results:
            table.writerow([result.step.name, result.outcome, f"{result.seconds:.1f}", f"{result.processor:.1f}"])
        failed = any(result.outcome != "passed" for result in results)
        processor = sum(result.processor for result in results)
        table.writerow(["in all", "FAILED" if failed else "passed", f"{seconds:.1f}", f"{processor:.1f}"])


def tell(results, seconds):
    """Prints the failures with their output, and how long everything took; whether nothing has failed."""
    failed = [result for result in results if result.outcome != "passed"]
    for result in failed:
        if result.outcome == "FAILED":
            print(f"\n{result.step.name} FAILED: {' '.join(result.step.command)}")
            shown = "\n".join(result.failed_tests) or told(result.output)
            print(shown)
            if len(result.output) > len(shown):
                print(f"(all of it: {LOGS / result.step.name}.log)")
    print("\nseconds  processor  step")
    for result in sorted(results, key=lambda result: -result.seconds):
        outcome = "" if result.outcome == "passed" else f" {result.outcome}"
        print(f"{result.seconds:7.1f}  {result.processor:9.1f}  {result.step.name}{outcome}")
    processor = sum(result.processor for result in results)
    print(f"{seconds:7.1f}  {processor:9.1f}  in all; one after the other {sum(r.seconds for r in results):.1f}")
    print(f"\n{len(results) - len(failed)} passed, {len(failed)} failed", flush=True)
    for result in failed:
        print(f"  {result.outcome}: {result.step.name}")
        # A keeper of long output may have only the end of it.
        for line in result.failed_tests or [result.last_line]:
            print(f"    {line}")
    return not failed
