#!/usr/bin/env python3
"""The commands about PostgreSQL in README.md, docs/postgresql.md and sql/reporting/README.md, as they stand there.

Each document has a cluster of its own, with passwords. A function of runuser's name runs commands as the user postgres
would.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from kit import postgresql, service

RUNUSER = """
runuser() {
  [ "$1 $2 $3" = "-u postgres --" ] || { echo "runuser $*?" >&2; return 1; }
  shift 3
  PGHOST={folder} PGPORT={port} PGUSER=postgres PGPASSWORD=superuser "$@"
}
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
"""


def blocks(document, heading):
    section = re.split(r"\n## ", (service.TOP / document).read_text().split(f"\n## {heading}\n")[1])[0]
    return re.findall(r"```sh\n(.*?)```", section, re.S)


def reader():
    """The statements that make a log-in for the reporting views, which are indented."""
    section = re.split(r"\n## ", (service.TOP / "sql/reporting/README.md").read_text().split("\n## PostgreSQL\n")[1])[0]
    statements = re.findall(r"^    ((?:CREATE|ALTER) ROLE .*;)$", section, re.M)
    assert len(statements) == 4, statements
    return "\n".join(statements).replace("'...'", "'views only'")


def run(commands, checks):
    """Runs a document's commands, then `checks`; their standard output."""
    binary = pathlib.Path(service.built_binary())
    port = service.free_port()
    with postgresql.Cluster((), "scram-sha-256", "superuser", port) as cluster, tempfile.TemporaryDirectory() as folder:

        def administer(user, sql):
            subprocess.run(
                [
                    f"{cluster.programs}/psql",
                    "-X",
                    "-q",
                    "-c",
                    sql,
                    f"host={cluster.folder} port={port} user={user} dbname=postgres",
                ],
                check=True,
                env=dict(os.environ, PGPASSWORD="superuser"),
            )

        administer("administrator", "CREATE ROLE postgres SUPERUSER LOGIN PASSWORD 'superuser'")
        # The documents make it themselves.
        administer("postgres", "DROP ROLE timeclock")
        script = f"set -euo pipefail\n{RUNUSER}\n{commands}\n{checks}\n"
        for old, new in [
            ("{folder}", str(cluster.folder)),
            ("{port}", str(port)),
            ("@localhost/", f"@127.0.0.1:{port}/"),
            ("8080", str(service.free_port())),
            ("8081", str(service.free_port())),
            ("8082", str(service.free_port())),
        ]:
            script = script.replace(old, new)
        # Only here does the server have to leave the terminal free.
        script = re.sub(r"^(timeclock serve .*[^&\n])$", r"\1 &", script, flags=re.M)
        path = f"{binary.parent.resolve()}:{cluster.programs}:{os.environ['PATH']}"
        pathlib.Path(folder, ".curlrc").write_text("silent\nshow-error\n")
        result = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            env=dict(os.environ, PATH=path, CURL_HOME=folder),
            text=True,
            capture_output=True,
            timeout=120,
        )
        if result.returncode != 0:
            sys.exit(f"the commands ended with {result.returncode}: {result.stdout}{result.stderr}")
        return result.stdout


def main():
    tour = blocks("README.md", "On PostgreSQL")
    serving = blocks("docs/postgresql.md", "A role and a database")
    dumping = blocks("docs/postgresql.md", "Back-ups")
    assert [len(tour), len(serving), len(dumping)] == [3, 1, 1], "commands are lost"
    answers = run("\n".join(tour), "")
    assert '"clockOutTime":null' in answers and '"status":"clocked-in"' in answers, answers
    # The dump is of a database that the server has made its tables in.
    ready = "until timeclock check-health --port 8080 >/dev/null 2>&1; do sleep 0.1; done"
    counted = "psql -XAtc 'SELECT count(*) FROM schema_migrations' postgresql://timeclock@localhost/restored"
    # The database that the document makes lets nobody in but its owner.
    views = service.TOP / "sql/reporting/views.postgresql.sql"
    reading = f"""
runuser -u postgres -- psql -q -v ON_ERROR_STOP=1 -f {views} timeclock
runuser -u postgres -- psql -q -v ON_ERROR_STOP=1 timeclock <<SQL
{reader()}
SQL
PGPASSWORD='views only' psql -XAtc 'SELECT count(*) FROM reporting.policy' postgresql://grafana@localhost/timeclock
"""
    answers = run(f"export TIMECLOCK_PORT=8080\n{serving[0]}\n{ready}\n{dumping[0]}\n{reading}", counted)
    migrations = len(list((service.TOP / "sql/migrations").glob("*.postgresql.sql")))
    assert answers.splitlines()[-2:] == ["0", str(migrations)], answers
    print("PostgreSQL in the documents: works as pasted")


main()
