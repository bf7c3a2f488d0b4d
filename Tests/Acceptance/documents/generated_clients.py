#!/usr/bin/env python3
"""Generates clients from openapi.yaml: with OpenAPI Generator in Swift, Python, Go and TypeScript, and with
openapi-python-client. Compiles them, has those in Swift and Python do a day's work and read the answers of a made-up later
version, and runs the blocks that docs/wire-your-app.md prints, also against that version.

`--only NAME` takes one of them; `--keep FOLDER` leaves generated clients there, and takes existing ones.
"""

import argparse
import contextlib
import dataclasses
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from kit import python_packages

python_packages.enter("clients")

from clients import later_version, openapi_generator_python, openapi_python_client, printed
from kit import client, contract, service

PROGRAMS = pathlib.Path(sys.prefix, "bin")
HERE = pathlib.Path(__file__).resolve().parent
# docs/wire-your-app.md shows the same ones.
SWIFT_OPTIONS = "projectName=TimeclockClient,useCustomDateWithoutTime=true,mapFileBinaryToData=true"
PYTHON_OPTIONS = "packageName=timeclock_api"
GO_OPTIONS = "packageName=timeclock,enumClassPrefix=true,disallowAdditionalPropertiesIfNotPresent=false"
GO_MODULE = "--git-host=example.com --git-user-id=acme --git-repo-id=timeclock"
TYPESCRIPT_OPTIONS = "npmName=timeclock-client"
GENERATORS = {"OpenAPI Generator": "openapi-generator-cli", "openapi-python-client": "openapi-python-client"}
SWIFT_PACKAGE = """// swift-tools-version:6.0
import PackageDescription

let package = Package(
  name: "Day",
  dependencies: [.package(path: "../TimeclockClient")],
  targets: [
    .executableTarget(name: "Day", dependencies: ["TimeclockClient"]),
    .executableTarget(name: "Printed", dependencies: ["TimeclockClient"]),
  ],
  swiftLanguageModes: [.v6]
)
"""
GO_PROGRAM = """module printed

go 1.23

require example.com/acme/timeclock v0.0.0

replace example.com/acme/timeclock => ../client
"""
TYPESCRIPT_PROGRAM = {
    "compilerOptions": {
        "strict": True,
        "target": "es2022",
        "module": "es2022",
        "moduleResolution": "node",
        "lib": ["es2022", "dom"],
        "types": [],
    },
    "files": ["main.ts"],
}
# Changes of a later version's answers, among many more.
PLACES = {
    *("TimeEntry", "TimeEntryStatus", "TimeEntryFlag", "TimeEntrySource", "ID", "Problem", "ProblemCode"),
    *("TimeEntryConflictProblem", "Resource", "ResourceKind", "ChangeKind", "Role", "Policy/weekStart", "HoursReport"),
    *(
        "BulkResult/status",
        "BulkMemberResult",
        "PresencePage",
        "CurrentTimeEntry",
        "Session",
        "AuditRecord",
        "Timesheet",
    ),
}


@dataclasses.dataclass
class Office:
    """The inputs of a client: addresses, an organization with its admin's token, and a member."""

    api: str
    later: str
    organization: str
    admin: str
    member: str
    email: str
    password: str = "correct horse battery"


def generate(generator, folder, options, *more):
    if folder.exists():
        return
    run_quietly(
        *(PROGRAMS / "openapi-generator-cli", "generate", "-i", service.TOP / "openapi.yaml"),
        *("-g", generator, "-o", folder, *more, f"--additional-properties={options}"),
    )


def run_quietly(*command, **named):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **named)
    if run.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {run.returncode}:\n{run.stdout[-20_000:]}")
    return run.stdout


def headers_are_short(folder):
    """Fails if the text about all operations is in the files that were generated."""
    for file in (file for suffix in ("py", "swift", "go", "ts") for file in folder.rglob(f"*.{suffix}")):
        assert "answered with the same 404" not in file.read_text(), f"{file} has the text about all operations"


class Swift:
    """The Swift client of OpenAPI Generator, and a program of ours that uses it."""

    def __init__(self, folder):
        self.folder = folder
        generate("swift6", folder / "TimeclockClient", SWIFT_OPTIONS)
        headers_are_short(folder)
        package = folder / "Day"
        (package / "Sources/Day").mkdir(parents=True, exist_ok=True)
        (package / "Package.swift").write_text(SWIFT_PACKAGE)
        (package / "Sources/Day/main.swift").write_text((HERE / "clients/swift/main.swift").read_text())
        (package / "Sources/Printed").mkdir(exist_ok=True)
        (package / "Sources/Printed/main.swift").write_text(printed.swift())
        run_quietly("swift", "build", "--package-path", package)
        found = run_quietly("swift", "build", "--package-path", package, "--show-bin-path")
        programs = pathlib.Path(found.splitlines()[-1])
        self.program, self.printed = programs / "Day", [programs / "Printed"]

    def works(self, office):
        return json.loads(self.run("work", office))

    def reads_later_version(self, office, made):
        self.run("read-later-version", office, **made)

    def run(self, task, office, **more):
        settings = {**dataclasses.asdict(office), **more}
        environment = {name.upper(): str(value) for name, value in settings.items()}
        return run_quietly(self.program, task, env=os.environ | environment, timeout=120)


class OpenAPIGeneratorPython:
    def __init__(self, folder):
        generate("python", folder / "client", PYTHON_OPTIONS)
        headers_are_short(folder)
        sys.path.append(str(folder / "client"))
        # In this place, its folder is the first in which Python looks.
        (folder / "client/printed.py").write_text(printed.python())
        self.printed = [sys.executable, folder / "client/printed.py"]

    works = staticmethod(openapi_generator_python.works)
    reads_later_version = staticmethod(openapi_generator_python.reads_later_version)


class OpenAPIPythonClient:
    def __init__(self, folder):
        openapi_python_client.generate(PROGRAMS / "openapi-python-client", folder)
        headers_are_short(folder)
        sys.path.append(str(folder))

    works = staticmethod(openapi_python_client.works)
    reads_later_version = staticmethod(openapi_python_client.reads_later_version)


class Go:
    """The Go client of OpenAPI Generator: it is compiled whole, and the page's program uses it."""

    def __init__(self, folder):
        generate("go", folder / "client", GO_OPTIONS, *GO_MODULE.split())
        headers_are_short(folder)
        (folder / "printed").mkdir(exist_ok=True)
        (folder / "printed/go.mod").write_text(GO_PROGRAM)
        (folder / "printed/main.go").write_text(printed.go())
        # Of nothing but its own files and Go's.
        environment = os.environ | {"GOPROXY": "off", "GOCACHE": str(folder / "cache"), "GOTOOLCHAIN": "local"}
        go = PROGRAMS / "go"
        run_quietly(go, "build", ".", cwd=folder / "client", env=environment)
        run_quietly(go, "build", "-o", "program", ".", cwd=folder / "printed", env=environment)
        self.printed = [folder / "printed/program"]


class TypeScript:
    """The client of OpenAPI Generator on `fetch`: it is compiled whole, and the page's program uses it."""

    def __init__(self, folder):
        package = folder / "node_modules/timeclock-client"
        generate("typescript-fetch", package, TYPESCRIPT_OPTIONS)
        headers_are_short(package)
        run_quietly("tsc", cwd=package)
        (folder / "package.json").write_text(json.dumps({"type": "module"}))
        (folder / "main.ts").write_text(printed.typescript())
        (folder / "tsconfig.json").write_text(json.dumps(TYPESCRIPT_PROGRAM))
        run_quietly("tsc", cwd=folder)
        self.printed = [shutil.which("node"), folder / "main.js"]


CLIENTS = {
    "openapi-generator-python": OpenAPIGeneratorPython,
    "openapi-python-client": OpenAPIPythonClient,
    "openapi-generator-swift6": Swift,
    "openapi-generator-go": Go,
    "openapi-generator-typescript-fetch": TypeScript,
}


def is_documented():
    """Fails if docs/wire-your-app.md shows other options or versions than are tried here."""
    shown = (service.TOP / "docs/wire-your-app.md").read_text()
    generators = [f"{name} {importlib.metadata.version(package)}" for name, package in GENERATORS.items()]
    options = (SWIFT_OPTIONS, PYTHON_OPTIONS, GO_OPTIONS, GO_MODULE, TYPESCRIPT_OPTIONS)
    missing = [text for text in (*options, *generators) if text not in shown]
    assert not missing, f"docs/wire-your-app.md does not show {missing}"


def office_of(clock, created, later, name):
    """An organization with a member who has a password."""
    email = f"{name}@example.com"
    asked = client.Client(clock.port)
    member = asked.request(
        "POST",
        f"/v1/organizations/{created['organizationID']}/members",
        created["token"],
        {"email": email, "name": "Sita Rai", "role": "member", "password": Office.password},
    )
    assert member.status == 201, member
    asked.close()
    address = "http://127.0.0.1:{}".format
    return Office(
        *(address(clock.port), address(later.port), created["organizationID"], created["token"]),
        *(member.json["userId"], email),
    )


def main():
    parser = argparse.ArgumentParser(description="Generates clients, compiles them, and uses them.")
    parser.add_argument("--only", choices=CLIENTS)
    parser.add_argument("--keep", type=pathlib.Path)
    wanted = parser.parse_args()
    names = [wanted.only] if wanted.only else list(CLIENTS)
    is_documented()
    run_quietly(service.TOP / "scripts/install-packages", "clients")
    with contextlib.ExitStack() as stack:
        folder = wanted.keep or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder = folder.resolve()
        clock = service.Service(service.built_binary(), stack.enter_context(tempfile.TemporaryDirectory()))
        created = {name: clock.create_organization(email=f"admin-{name}@example.com") for name in names}
        clock.start()
        for name in names:
            (folder / name).mkdir(parents=True, exist_ok=True)
            generated = CLIENTS[name](folder / name)
            later = later_version.LaterVersion(clock.port, contract.Contract())
            stack.callback(later.stop)
            office = office_of(clock, created[name], later, name)
            if hasattr(generated, "works"):
                made = generated.works(office)
                generated.reads_later_version(office, made)
                missed = PLACES - later.places
                assert not missed, f"{name} has not read {', '.join(sorted(missed))} as a later version answers it"
                print(f"{name}: a day's work, and {len(later.places)} changes of a later version read")
            if hasattr(generated, "printed"):
                printed.do_what_they_say(generated.printed, office, **os.environ)
                print(f"{name}: the page's block clocks in, and knows a refusal")
        clock.stop()


main()
