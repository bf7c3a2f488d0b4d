"""The table of everything that is tested: one row a step, in the order in which steps are begun.

A new check is a script in one of the folders beside this one and a row here; `Tests/Acceptance/run.py document` then writes
the lists of CONTRIBUTING.md again. A script without a row fails the step `steps`.
"""

import dataclasses
import os
import pathlib

# One seed, so that a failure is of the change that is tested; other seeds are for runs by hand.
SEED = ("--seed", "20261121")
FAULTS_SEED = ("--seed", "20261122")

BUILD, FUZZING = ".build", ".build/fuzzing"
# A folder of their own if the tests have one (scripts/build-without-warnings).
TESTS = ".build/tests" if os.environ.get("LEAN_BUILD") else BUILD

# Runs the Swift tests that are built.
RUN_TESTS = "scripts/run-tests"
CONTRACT_TESTS = "^ContractTests[.]"

# Things that a step may need, and the step that makes each.
MAKERS = {
    "binary": "build_release",
    "tests": "build_tests",
    "changed_tests": "build_changed_tests",
    "packages": "python_packages",
    "browser": "browser_packages",
    "postgresql": "initdb",
}


@dataclasses.dataclass(frozen=True)
class Step:
    name: str
    # The program, from the top folder on, and its arguments.
    command: tuple
    # The tiers that it belongs to: quick, gate, thorough. One of none only makes others' needs.
    tiers: frozenset
    # Of MAKERS; `root` is for people who run it by hand.
    needs: frozenset = frozenset()
    # Whether it measures time, and so has the machine to itself.
    is_alone: bool = False
    # A resource that one step at a time may hold: a folder that SwiftPM builds in.
    holds: str | None = None
    # One of thorough only: the gate runs it when this part is the commit's; None if it takes too long for that.
    part: int | None = None
    # One of two that take turns in the gate, the one at even counts of commits and the other at odd ones.
    turn: int | None = None
    # A self-check shows that a check finds a planted fault. It is for the gate when a file that it reads has changed:
    # its script with all modules of ours, which are found by themselves, and these files and folders.
    is_self_check: bool = False
    # Fuzzing, which is a build of its own: for the gate only if a file that it reads has changed with the landing,
    # those of a part included. A self-check goes by the last commit alone, as its part has its turn after any change.
    is_fuzzing: bool = False
    reads: tuple = ()
    # Variables for it, beside those of the runner.
    environment: tuple = ()
    seconds_limit: int = 600

    @property
    def script(self):
        return self.command[0]


def step(name, *command, tiers="gate", needs="", **more):
    return Step(name, command, frozenset(tiers.split()), frozenset(needs.split()), **more)


def check(folder, name, *arguments, suffix="", needs="", **more):
    """A check of a folder beside this one, which needs the binary; with a suffix in its name if it has several rows."""
    script = f"Tests/Acceptance/{folder}/{name}.py"
    return step(name + suffix, script, *arguments, needs=f"binary {needs}", **more)


def self_check(folder, name, *arguments, part, needs="", **more):
    return check(
        folder,
        name,
        "--self-check",
        *arguments,
        suffix="_self_check",
        needs=needs,
        tiers="thorough",
        part=part,
        is_self_check=True,
        **more,
    )


def fuzzed_contract(storage, *roles, others=()):
    """The contract fuzz on a storage: for the gate as one role, in turn with the other storage; in a part of the
    thorough tier as the other roles."""
    turn, part = (0, 11) if storage == "sqlite" else (1, 12)

    def fuzzed_as(suffix, names, **more):
        arguments = [word for name in names for word in ("--role", name)]
        return check(
            "rules",
            "fuzz_contract",
            *("--storage", storage),
            *arguments,
            *SEED,
            suffix=f"_{storage}{suffix}",
            needs="packages postgresql",
            seconds_limit=1_200,
            **more,
        )

    return [fuzzed_as("", roles, turn=turn), fuzzed_as("_others", others, tiers="thorough", part=part)]


def fault(name, needs="", **more):
    return step(name, f"Tests/Faults/{name}.py", *FAULTS_SEED, needs=f"binary {needs}", **more)


def planted_fault(name, part, needs="", reads=()):
    return step(
        f"{name}_self_check",
        f"Tests/Faults/{name}.py",
        "--self-check",
        *FAULTS_SEED,
        tiers="thorough",
        needs=f"binary {needs}",
        part=part,
        is_self_check=True,
        reads=("Tests/Faults/shim", *reads),
    )


def contract_elsewhere(storage, part):
    """The contract on a storage by the transport that the gate leaves out there."""
    return step(
        f"contract_{storage}_elsewhere",
        *(RUN_TESTS, "--filter", f"{CONTRACT_TESTS}(ContractTests|ServerProblemTests)/"),
        tiers="thorough",
        needs="tests",
        holds=BUILD,
        part=part,
        environment=(("TIMECLOCK_TEST_SERVICES", f"elsewhere, {storage}"),),
        seconds_limit=1_800,
    )


def fuzzing(name, target, seconds, **more):
    return step(
        name,
        "scripts/fuzz",
        target,
        seconds,
        holds=FUZZING,
        is_fuzzing=True,
        reads=("Tests/Fuzzing", *fuzzed()),
        **more,
    )


def fuzzed():
    """The service's files that Tests/Fuzzing compiles, by its links."""
    top = pathlib.Path(__file__).resolve().parents[3]
    links = (path for path in (top / "Tests/Fuzzing/Sources").rglob("*") if path.is_symlink())
    return sorted(str(link.resolve().relative_to(top)) for link in links)


def long_fuzzing(target, part):
    return fuzzing(f"fuzz_{target}", target, "60", tiers="thorough", part=part, seconds_limit=1_200)


STEPS = [
    # The longest steps begin first: the others run beside them.
    step("build_release", "scripts/build-without-warnings", "release", holds=BUILD, seconds_limit=3_000),
    step("python_packages", "scripts/install-python-packages", tiers=""),
    step("browser_packages", "scripts/install-python-packages", "page", tiers=""),
    step("initdb", "Tests/Acceptance/run.py", "initdb", tiers=""),
    step("steps", "Tests/Acceptance/run.py", "document", "--check", tiers="quick gate"),
    step("spelling", "scripts/check-spelling", tiers="quick gate"),
    step("python", "scripts/lint-python", tiers="quick gate", needs="packages"),
    step(
        "swift_format",
        *(
            "swift",
            "format",
            "lint",
            "--strict",
            "--recursive",
            "--parallel",
            "Package.swift",
            "Sources",
            "Tests",
            "sql",
        ),
        tiers="quick gate",
    ),
    step("architecture", "Tests/Acceptance/documents/architecture.py", "--self-check", tiers="quick gate"),
    step("links", "Tests/Acceptance/documents/links.py", "--self-check", tiers="quick gate"),
    step("build_tests", "scripts/build-without-warnings", "tests", holds=TESTS, seconds_limit=3_000),
    # The same build, with any warnings: it compiles only changed code.
    step("build_changed_tests", "swift", "build", "--build-tests", tiers="", holds=BUILD, seconds_limit=3_000),
    step(
        "tests_quick",
        *(RUN_TESTS, "--filter"),
        "^(TimeclockDomainTests|HTTPMessagesTests|SocketHTTPServerTests|TimeclockAPITests|ImportFilesTests|ThreadsTests|"
        "timeclockTests|SQLiteStorageTests|StorageConformanceTests|ContractTests)[.]",
        tiers="quick",
        needs="changed_tests",
        holds=BUILD,
        # The storages' conformance and the contract on SQLite only, in process.
        environment=(("TIMECLOCK_TEST_QUICK", "1"),),
        seconds_limit=1_200,
    ),
    # In two processes, side by side: one leaves a processor idle, as the contract tests wait for one another.
    step("tests", RUN_TESTS, "--skip", CONTRACT_TESTS, needs="tests", seconds_limit=2_700),
    step("contract_tests", RUN_TESTS, "--filter", CONTRACT_TESTS, needs="tests", seconds_limit=2_700),
    # Without PostgreSQL the tests fail.
    check("operations", "without_postgresql", needs="tests", holds=BUILD),
    # No reader of text from outside is broken by inputs made up for some seconds; the parts of the thorough tier take a
    # minute of one target in turn.
    fuzzing("fuzz", "all", "2", seconds_limit=1_800),
    # The rules.
    *fuzzed_contract("sqlite", "admin", others=("operator", "manager", "member")),
    *fuzzed_contract("postgresql", "member", others=("manager", "admin", "operator")),
    check("rules", "model", *SEED, needs="postgresql"),
    check("rules", "segment_model", *SEED, needs="postgresql"),
    check("rules", "timer_model", *SEED, needs="postgresql"),
    check("rules", "timer_privacy", needs="postgresql packages"),
    check("rules", "offline_queue", *SEED, needs="postgresql"),
    check("rules", "one_version", needs="postgresql"),
    check("rules", "audit", needs="postgresql"),
    check("rules", "paging", needs="postgresql"),
    check("rules", "retries", needs="postgresql"),
    check("rules", "imports", needs="postgresql"),
    check("rules", "personal_data", needs="postgresql"),
    check("rules", "forgotten", needs="postgresql"),
    # Reports and tables.
    check("reports", "report_oracle", *SEED, needs="postgresql"),
    check("reports", "history_oracle", *SEED, needs="postgresql"),
    check("reports", "balance_oracle", *SEED, needs="postgresql"),
    check("reports", "worked_example", needs="postgresql"),
    check("reports", "reporting_views", needs="postgresql"),
    check("reports", "reporting_segments", needs="postgresql"),
    check("reports", "reporting_questions", needs="postgresql"),
    check("reports", "exports", *SEED, needs="postgresql"),
    # HTTP.
    check("transport", "http_conformance", *SEED),
    check("transport", "differential_fuzz", *SEED, "--requests", "3000", needs="packages"),
    check("transport", "limits"),
    check("transport", "edge_settings"),
    check("transport", "page_delivery"),
    check("transport", "connections_per_address"),
    check("transport", "graceful_stop", needs="postgresql"),
    check("transport", "behind_proxies"),
    check("transport", "log_secrets", needs="postgresql"),
    # The storages.
    check("storages", "same_on_both", *SEED, needs="postgresql packages"),
    check("storages", "simultaneous_clock_ins"),
    check("storages", "several_instances", needs="postgresql"),
    check("storages", "pooled_sessions", needs="postgresql"),
    check("storages", "read_only", needs="packages postgresql"),
    check("storages", "organization_move", *SEED, needs="postgresql"),
    check("storages", "racing_segments", *SEED, needs="postgresql"),
    check("storages", "racing_marks", *SEED, needs="postgresql"),
    check("storages", "log_in_throttle", needs="postgresql"),
    check("storages", "database_copy", needs="postgresql"),
    check("storages", "database_files"),
    check("storages", "failing_database"),
    check("storages", "fifty_members"),
    check("storages", "fifty_members", "postgresql", suffix="_postgresql", needs="postgresql"),
    check("storages", "postgresql_crash", needs="postgresql"),
    check("storages", "postgresql_start_errors", needs="postgresql"),
    check("storages", "terminated_backends", needs="postgresql"),
    check("storages", "late_writes", needs="postgresql"),
    # Operations.
    check("operations", "commands"),
    check("operations", "live_streams", needs="postgresql"),
    check("operations", "trackify_client", needs="postgresql packages"),
    check("operations", "trackify_stop_race", *SEED, needs="packages"),
    check("operations", "engine_io"),
    check("operations", "webhook_peer", *SEED, needs="postgresql packages"),
    check("operations", "apns_peer", needs="postgresql packages"),
    check("operations", "let_back_in", needs="postgresql"),
    check("operations", "scripts"),
    check("operations", "systemd_unit"),
    check("operations", "log_backlog"),
    check("operations", "log_format"),
    check("operations", "metrics", needs="postgresql"),
    check("operations", "supervised"),
    check("operations", "container_files", needs="packages postgresql"),
    check("operations", "restore_drill", needs="postgresql"),
    check("operations", "cells_behind_proxies", needs="postgresql"),
    # The page, in a browser; its modules that need none, in Node.
    step("page_modules", "Tests/Page/run", tiers="quick gate"),
    check("page", "page_flows", needs="browser"),
    check("page", "page_managers", needs="browser"),
    check("page", "page_words", needs="browser"),
    check("page", "page_light", needs="browser"),
    check("page", "page_offline", needs="browser"),
    check("page", "page_screens", needs="browser"),
    # Documents, as they stand there.
    check("documents", "readme_tour"),
    check("documents", "documents", needs="packages postgresql"),
    check("documents", "postgresql_documents", needs="postgresql"),
    check("documents", "backing_up", needs="postgresql"),
    check("documents", "generated_client", needs="packages"),
    # Kills, power cuts, failing calls and the like.
    fault("kills"),
    fault("power_cuts"),
    fault("failing_calls"),
    fault("full_disk", "root"),
    fault("clocks"),
    fault("linearizable", "postgresql"),
    fault("postgresql_chaos", "postgresql"),
    fault("cut_connections", "postgresql"),
    fault("fail_over", "postgresql"),
    # Steps that measure time.
    check("transport", "slow_peers", is_alone=True),
    check("transport", "idle_connections", is_alone=True),
    check("transport", "idle_memory", is_alone=True),
    check("transport", "descriptors", is_alone=True),
    fault("neighbors", "postgresql", is_alone=True),
    # Self-checks: planted faults are found.
    self_check("rules", "model", part=0, needs="postgresql"),
    self_check("rules", "segment_model", part=10, needs="postgresql"),
    self_check("rules", "timer_model", part=3, needs="postgresql"),
    self_check("rules", "timer_privacy", part=8, needs="postgresql packages"),
    self_check("rules", "offline_queue", part=12, needs="postgresql"),
    self_check("reports", "report_oracle", *SEED, part=1, needs="postgresql"),
    self_check("reports", "history_oracle", *SEED, part=12, needs="postgresql"),
    self_check("reports", "balance_oracle", *SEED, part=7),
    self_check("transport", "http_conformance", *SEED, part=2, reads=("Tests/Acceptance/transport/http_cases",)),
    self_check("transport", "differential_fuzz", *SEED, part=3, needs="packages"),
    self_check("transport", "slow_peers", part=4, is_alone=True),
    self_check("transport", "behind_proxies", part=5, reads=("Tests/Acceptance/transport/http_cases", "deploy")),
    self_check("storages", "log_in_throttle", part=6, needs="postgresql"),
    self_check("storages", "racing_segments", part=9, needs="postgresql"),
    self_check("storages", "racing_marks", part=8, needs="postgresql"),
    self_check("storages", "organization_move", *SEED, part=2, needs="postgresql"),
    self_check("operations", "live_streams", part=10, needs="postgresql"),
    self_check("operations", "trackify_client", part=11, needs="postgresql packages"),
    self_check("operations", "trackify_stop_race", part=1, needs="packages"),
    self_check("operations", "engine_io", part=0),
    self_check(
        "operations",
        "webhook_peer",
        *SEED,
        part=2,
        needs="postgresql packages",
        reads=("Tests/Faults/shim", "Tests/Acceptance/operations/webhook_peers"),
    ),
    self_check("operations", "apns_peer", part=4, needs="packages"),
    self_check("page", "page_faults", part=6, needs="browser", reads=("Sources/WebPage/web", "Tests/Acceptance/page")),
    planted_fault("compare", part=7),
    planted_fault("kills", part=8),
    planted_fault("power_cuts", part=9),
    planted_fault("failing_calls", part=10),
    planted_fault("full_disk", part=11, needs="root"),
    planted_fault("clocks", part=0),
    planted_fault("linearizable", part=1, needs="postgresql"),
    planted_fault("postgresql_chaos", part=2, needs="postgresql"),
    planted_fault("cut_connections", part=3, needs="postgresql"),
    planted_fault("fail_over", part=12, needs="postgresql"),
    planted_fault("cluster", part=6, reads=("deploy/cluster",)),
    planted_fault("neighbors", part=5, needs="postgresql"),
    step(
        "fuzz_control",
        "scripts/fuzz",
        "control",
        # Each fault ends its run when it is found: so long only where three lanes leave it little of the machine.
        "120",
        holds=FUZZING,
        tiers="thorough",
        part=6,
        is_self_check=True,
        reads=("scripts/fuzz", "Tests/Fuzzing/corpus.py", "Tests/Fuzzing/Sources", "Tests/Fuzzing/Package.swift"),
        seconds_limit=1_800,
    ),
    # The gate's fuzzing of some seconds, for a minute each.
    *[
        long_fuzzing(target, part)
        for part, target in enumerate(
            [
                "requests",
                "chunks",
                "frames",
                "sockets",
                "targets",
                "json",
                "dates",
                "zones",
                "imports",
                "cursors",
                "fields",
                "answers",
                "texts",
            ]
        )
    ],
    long_fuzzing("calendars", 0),
    contract_elsewhere("sqlite", part=5),
    contract_elsewhere("postgresql", part=9),
    # Java, and clients that are compiled.
    check("documents", "generated_clients", tiers="thorough", part=6, seconds_limit=1_200),
    # On a copy of this system.
    check("operations", "debian_package", tiers="thorough", needs="root", part=4),
    # Longer forms.
    check("transport", "slow_peers", "--full", suffix="_full", tiers="thorough", part=7, is_alone=True),
    check("transport", "idle_connections", "--full", suffix="_full", tiers="thorough", part=10, is_alone=True),
    check("transport", "graceful_stop", "--full", suffix="_full", tiers="thorough", part=8, needs="postgresql"),
    check("transport", "behind_proxies", "--all", suffix="_full", tiers="thorough", part=9),
    # Patroni and etcd, which it installs.
    fault("cluster", tiers="thorough", part=4),
    step(
        "tests_exhaustive",
        *(RUN_TESTS, "--filter", "[.](StartOfDayTests|RowSecurityTests)/"),
        tiers="thorough",
        needs="tests",
        holds=BUILD,
        environment=(("TIMECLOCK_EXHAUSTIVE_TESTS", "1"),),
        seconds_limit=7_200,
    ),
    step("threads", "scripts/test-threads", tiers="thorough", needs="postgresql", holds=BUILD, seconds_limit=7_200),
]

# Scripts for people, who provide LibreOffice themselves.
BY_HAND = ["Tests/Acceptance/reports/spreadsheet.py"]
NAMES = {step.name: step for step in STEPS}
PARTS = 1 + max(step.part for step in STEPS if step.part is not None)
