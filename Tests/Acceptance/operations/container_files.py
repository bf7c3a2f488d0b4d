#!/usr/bin/env python3
"""The compose files of deploy/container give the service settings that it knows, and it serves with them, on both
storages: on PostgreSQL as the role that create-database.sh makes. No source of the image is ignored.

No image is built here, which takes a toolchain in a container and many minutes; docs/operating.md has the command.
"""

import fnmatch
import json
import os
import re
import subprocess
import tempfile

from kit import python_packages

python_packages.enter()

import yaml  # noqa: E402

from kit import postgresql, service  # noqa: E402
from kit.expecting import expect, expect_equal  # noqa: E402

BINARY = service.built_binary()
FOLDER = service.TOP / "deploy/container"
PASSWORD = "correct horse battery's"


def composed(name):
    """The services of a compose file, with a password for its variable."""
    text = (FOLDER / name).read_text()
    text = re.sub(r"\$\{(\w+):\?[^}]*\}", lambda match: json.dumps(PASSWORD), text)
    return yaml.safe_load(re.sub(r"\$\{(\w+):-\}", "", text))["services"]


def check_service(settings):
    """The service's settings, equal in both files."""
    context = (FOLDER / settings["build"]["context"]).resolve()
    expect_equal(context, service.TOP, "the folder that the image is built from")
    expect((context / settings["build"]["dockerfile"]).is_file(), "there is no such Containerfile")
    command = settings["healthcheck"]["test"]
    expect_equal(command, ["CMD", "timeclock", "check-health"], "the health check")
    known = set(re.findall(r"`(TIMECLOCK_[A-Z_]+)", (service.TOP / "docs/operating.md").read_text()))
    unknown = {name for name in settings["environment"] if name.startswith("TIMECLOCK_")} - known
    expect(not unknown, f"no settings: {unknown}")
    expect(all(port.startswith("127.0.0.1:") for port in settings["ports"]), "a port is open to the world")


def serve(settings, folder, database):
    """Starts the program with the settings of a compose file, its database at another place."""
    clock = service.Service(BINARY, folder, database)
    given = {name: str(value or "") for name, value in settings["environment"].items()}
    clock.environment = given | {"TIMECLOCK_DATABASE": ""}
    clock.start()
    lines = (clock.folder / "server.log").read_text().splitlines()
    expect(all(json.loads(line)["level"] != "warning" for line in lines), f"the service warns: {lines}")
    clock.stop()


def check_sqlite():
    settings = composed("compose.sqlite.yaml")["timeclock"]
    check_service(settings)
    location = settings["environment"]["TIMECLOCK_DATABASE"]
    containerfile = (FOLDER / "Containerfile").read_text()
    expect(
        location.startswith("sqlite:/data/") and "VOLUME /data" in containerfile, f"the place of the data: {location}"
    )
    expect("data:/data" in settings["volumes"], "the data is kept nowhere")
    with tempfile.TemporaryDirectory() as folder:
        serve(settings, folder, location.replace("/data", folder))


def check_postgresql():
    services = composed("compose.postgresql.yaml")
    settings = services["timeclock"]
    check_service(settings)
    expect_equal(
        settings["environment"]["PGPASSWORD"], services["database"]["environment"]["POSTGRES_PASSWORD"], "passwords"
    )
    script = next(volume for volume in services["database"]["volumes"] if "initdb.d" in volume).split(":")[0]
    with postgresql.Cluster(settings=["fsync=off"]) as cluster, tempfile.TemporaryDirectory() as folder:
        cluster.execute("DROP ROLE timeclock")
        subprocess.run(
            [FOLDER / script],
            check=True,
            env={
                "PATH": f"{cluster.programs}:{os.environ['PATH']}",
                "PGHOST": str(cluster.folder),
                "PGDATABASE": "postgres",
                "POSTGRES_USER": postgresql.ADMINISTRATOR,
                "POSTGRES_PASSWORD": services["database"]["environment"]["POSTGRES_PASSWORD"],
            },
        )
        role = "SELECT rolsuper, rolbypassrls, rolpassword <> '' FROM pg_authid WHERE rolname = 'timeclock'"
        expect_equal(cluster.execute(role), ["f|f|t"], "the role")
        location = settings["environment"]["TIMECLOCK_DATABASE"]
        expect("host=database " in location, f"the database's host: {location}")
        serve(settings, folder, location.replace("host=database", f"host={cluster.folder}"))


def check_ignored():
    """Every file that the package is built from reaches the image's build."""
    lines = (service.TOP / ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    listed = subprocess.run(["git", "ls-files"], cwd=service.TOP, check=True, stdout=subprocess.PIPE, text=True).stdout
    # SwiftPM wants the folder of every target, those of tests too.
    needed = [
        name
        for name in listed.split("\n")
        if name.startswith(("Sources/", "sql/", "Tests/", "openapi.yaml", "Package.swift"))
    ]
    expect(len(needed) > 500, "the files of the package are lost")
    for name in needed:
        parts = name.split("/")
        folders = ["/".join(parts[: count + 1]) for count in range(len(parts))]
        matching = [
            pattern
            for pattern in patterns
            if any(fnmatch.fnmatch(folder, pattern.removeprefix("**/")) for folder in folders)
        ]
        expect(not matching, f"{name} is ignored by {matching}")


def main():
    # The tests' own variables are no settings of the service.
    for name in [name for name in os.environ if name.startswith("TIMECLOCK_")]:
        del os.environ[name]
    check_ignored()
    check_sqlite()
    check_postgresql()
    print("container_files: the service serves with the settings of both compose files")


main()
