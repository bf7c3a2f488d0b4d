#!/usr/bin/env python3
"""Without PostgreSQL the tests fail. None of them is left out, neither on somebody's machine nor in CI.

It is hidden by naming a folder that lacks it.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from kit import service
from kit.expecting import expect

REASON = "PostgreSQL is not installed: initdb"
# A few tests of each target that runs on it.
SUITES = ["StorageConformanceTests.ReadinessTests", "ContractTests.ServerProblemTests"]


def acceptance_tests_fail(environment):
    result = subprocess.run(
        [sys.executable, "-c", "from kit import postgresql\nwith postgresql.Cluster(): pass"],
        cwd=pathlib.Path(__file__).parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    expect(result.returncode == 1 and result.stderr.startswith(REASON), "an acceptance test", result)


def suite_fails(suite, environment):
    result = subprocess.run(
        ["scripts/run-tests", "--filter", f"^{suite}/"],
        cwd=service.TOP,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    said = result.stdout + result.stderr
    expect(result.returncode != 0, f"{suite} passes without PostgreSQL", said)
    expect(REASON in said, f"{suite} does not say what is missing", said)
    expect(re.search(r"Test run with [1-9]\d* tests? in .* failed", said), f"{suite} ran no test", said)
    expect("skipped" not in said, f"{suite} leaves tests out", said)


def main():
    with tempfile.TemporaryDirectory() as empty:
        for variables in [{}, {"CI": "true"}]:
            environment = {name: value for name, value in os.environ.items() if name != "CI"}
            environment |= variables | {"TIMECLOCK_TEST_POSTGRESQL": empty}
            acceptance_tests_fail(environment)
            for suite in SUITES:
                suite_fails(suite, environment)
    print("without PostgreSQL: the tests fail, with CI=true and without")


main()
