#!/usr/bin/env python3
"""The scripts without a toolchain, with an old one, after a failed first start, and with the wrong build; and the
gate's fuzzing after a landing.

A stand-in for `swift` says which version it is and which folder the program was built to.
"""

import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile

from kit import service
from kit.expecting import expect

SCRIPTS = service.TOP / "scripts"
BINARY = service.built_binary()


def write_program(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


def folder_with_swift(folder, says, built):
    """A folder for the PATH with the programs that the scripts use, and a swift with this output."""
    folder.mkdir()
    for tool in ["bash", "sh", "sed", "sort", "dirname", "cat"]:
        (folder / tool).symlink_to(shutil.which(tool))
    if says is not None:
        write_program(
            folder / "swift",
            f"""case "$*" in
  --version) echo {shlex.quote(says)} ;;
  *--show-bin-path*) echo {shlex.quote(str(built))} ;;
esac
""",
        )
    return str(folder)


def asks_for_a_toolchain(folder):
    least = re.match(r"// swift-tools-version: (.*)\n", (service.TOP / "Package.swift").read_text())[1]
    major, minor = (int(part) for part in least.split("."))
    cases = [
        (None, "no swift in the PATH"),
        ("", "does not tell its version"),
        (f"Swift version {major}.{minor - 1}.9 (swift-RELEASE)", f"is Swift {major}.{minor - 1}.9"),
        (f"Swift version {major - 1}.10 (swift-RELEASE)", f"is Swift {major - 1}.10"),
        (f"Swift version {least} (swift-RELEASE)", None),
        (f"Apple Swift version {major}.{minor + 10}.1 (swiftlang)", None),
        (f"Swift version {major + 1}.0-dev", None),
    ]
    for number, (says, refusal) in enumerate(cases):
        path = folder_with_swift(folder / f"toolchain{number}", says, folder)
        result = subprocess.run([SCRIPTS / "require-swift"], env={"PATH": path}, capture_output=True, text=True)
        expect(result.stdout == "", f"{says} writes to standard output", result)
        if refusal is None:
            expect(result.returncode == 0 and result.stderr == "", f"{says} is enough", result)
        else:
            expect(result.returncode == 1 and result.stderr.count("\n") == 1, f"{says}: one line", result)
            expect(f"Swift {least} or later" in result.stderr, f"{says}: what is needed", result)
            expect(refusal in result.stderr, f"{says}: {refusal}", result)


def starts_with_a_demo(folder):
    """A first start that fails leaves nothing, so that the next one makes the demo that this one did not."""
    built = folder / "built"
    built.mkdir()
    path = folder_with_swift(folder / "tools", "Swift version 999.0", built)
    data = folder / "data"
    data.mkdir()
    environment = dict(
        os.environ,
        PATH=f"{path}:{os.environ['PATH']}",
        TIMECLOCK_PORT=str(service.free_port()),
        TIMECLOCK_DATABASE=f"sqlite:{data / 'clock.db'}",
    )

    def run_to_its_end():
        return subprocess.run([SCRIPTS / "run"], env=environment, capture_output=True, text=True, timeout=60)

    # The program makes the database, then fails.
    write_program(built / "timeclock", f'{shlex.quote(BINARY)} "$@"; echo "No space left on device" >&2; exit 1\n')
    failed = run_to_its_end()
    expect(failed.returncode != 0 and "No space left" in failed.stderr, "a start that fails", failed)
    expect(not list(data.iterdir()), "a failed start leaves files", list(data.iterdir()))

    # The commands after the demo are not this test's: the server ends before it begins.
    write_program(built / "timeclock", f'[ "$1" = serve ] || exec {shlex.quote(BINARY)} "$@"\n')
    first = run_to_its_end()
    expect(first.returncode == 0, "a first start", first)
    names = sorted(file.name for file in data.iterdir())
    expect(names == ["clock.db", "clock.db.demo.json"], "what a first start makes", names)
    for file in data.iterdir():
        mode = stat.S_IMODE(file.stat().st_mode)
        expect(mode == 0o600, f"{file.name} is its owner's only, not {mode:o}")
    second = run_to_its_end()
    expect(second.stdout == first.stdout and second.stderr == first.stderr, "a second start", second)
    serves_the_printed_command(folder, environment, first.stdout)


def serves_the_printed_command(folder, environment, printed):
    command = printed[printed.index("curl") : printed.index("\n\nThe demo")]
    process = subprocess.Popen([BINARY, "serve"], env=environment, stderr=subprocess.DEVNULL)
    try:
        answer = subprocess.run(
            ["bash", "-c", f"{command} --silent --retry 50 --retry-connrefused --retry-delay 1"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        expect(json.loads(answer.stdout)["clockOutTime"] is None, "the printed command clocks in", answer)
        address, email, password = re.search(r"Open (\S+) and log in as (\S+), password (\S+)\n", printed).groups()
        answer = subprocess.run(
            [
                "curl",
                "--silent",
                f"{address}/v1/auth/token",
                "--json",
                json.dumps({"email": email, "password": password}),
            ],
            capture_output=True,
            text=True,
        )
        expect(json.loads(answer.stdout)["user"]["email"] == email, "the printed password logs in", answer)
    finally:
        process.terminate()
        expect(process.wait(timeout=20) == 0, "the server's end")


def fuzzes_what_a_landing_changed(folder):
    """Whichever of its commits changed it, and nothing else; a clone that knows no commit before the landing fuzzes."""
    sys.path.append(str(service.TOP / "Tests/Acceptance"))
    from gate import choosing

    top, fuzz = service.TOP, choosing.NAMES["fuzz"]

    first = datetime.datetime(2026, 1, 1, 9, tzinfo=datetime.UTC)
    # The first commit of a landing, the last one that may belong to it, and one that cannot.
    begun, ended, later = (
        first + datetime.timedelta(days=1, seconds=seconds) for seconds in (0, choosing.LANDING - 1, choosing.LANDING)
    )

    def git(*arguments, at=first):
        identity = {f"GIT_{role}_{what}": "test" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), at.isoformat())
        environment = os.environ | identity | dates
        subprocess.run(["git", "-C", folder / "landed", *arguments], env=environment, check=True, capture_output=True)

    def commit(name, at):
        file = folder / "landed" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(at.isoformat())
        git("add", name)
        git("commit", "-m", name, at=at)

    def reason(clone):
        choosing.landed_files.cache_clear()
        service.TOP = clone
        try:
            return choosing.reason(fuzz)
        finally:
            service.TOP = top

    (folder / "landed").mkdir()
    git("init", "--quiet")
    commit("README.md", first)
    expect("not known" in reason(folder / "landed"), "a clone without a commit before the landing does not fuzz")
    commit("Sources/HTTPMessages/Head.swift", begun)
    commit("docs/http.md", ended)
    expect("Head.swift" in (reason(folder / "landed") or ""), "what a landing's first commit changed is not fuzzed")
    commit("docs/more.md", later)
    expect(reason(folder / "landed") is None, f"fuzzed without a change: {reason(folder / 'landed')}")
    (folder / "landed/Tests/Fuzzing").mkdir(parents=True)
    (folder / "landed/Tests/Fuzzing/new.txt").write_text("")
    expect("new.txt" in (reason(folder / "landed") or ""), "what is not committed yet is not fuzzed")
    expect("Sources/TimeclockDomain" in fuzz.reads, f"the links of Tests/Fuzzing lead to {fuzz.reads}")


def packs_no_dynamic_build(folder):
    """A program that needs the toolchain's libraries, or is no such program at all, is refused before there is a
    package."""
    folder = folder / "package"
    folder.mkdir()
    library, program, text = folder / "libswiftCore.so", folder / "timeclock", folder / "text"
    subprocess.run(["cc", "-shared", "-Wl,-soname,libswiftCore.so", "-o", library, "-x", "c", os.devnull], check=True)
    program.with_suffix(".c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["cc", "-Wl,--no-as-needed", "-o", program, program.with_suffix(".c"), library], check=True)
    text.write_text("#!/bin/sh\n")
    for binary, status, why in [
        (program, 65, "libswiftCore.so. Build it with: swift build --configuration release --static-swift-stdlib"),
        (text, 65, f"{text} is no program"),
        (folder / "nothing", 66, f"no file {folder / 'nothing'}"),
    ]:
        made = folder / "made"
        result = subprocess.run(
            [SCRIPTS / "build-debian-package", "--binary", binary, made], capture_output=True, text=True
        )
        expect(result.returncode == status, f"{binary}: ends with {status}", result)
        expect(why in result.stderr and result.stderr.count("\n") == 1, f"{binary}: one line that says why", result)
        expect(not made.exists() and not result.stdout, f"{binary}: no package", result)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        asks_for_a_toolchain(folder)
        starts_with_a_demo(folder)
        fuzzes_what_a_landing_changed(folder)
        packs_no_dynamic_build(folder)
    print("scripts: as documented")


main()
