#!/usr/bin/env python3
"""The commands of docs/backing-up.md, as they stand there: SQLite's, a dump of PostgreSQL, and going back to a moment.

Functions of the names runuser and systemctl do the same: a cluster of its own stands for the machine's.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from kit import postgresql, service

BINARY = pathlib.Path(service.built_binary()).resolve()
FUNCTIONS = """
set -euo pipefail
as_server() { PGHOST={folder} PGUSER=administrator PGDATABASE=postgres {account} env PATH="$PATH" "$@"; }
runuser() { [ "$1 $2 $3" = "-u postgres --" ] && shift 3 && as_server "$@"; }
systemctl() {
  local verb=$1; shift
  for unit in "$@"; do
    [ "$unit" = postgresql ] || continue
    case $verb in
      restart) systemctl stop postgresql; systemctl start postgresql ;;
      stop) as_server pg_ctl -D "$DATA" -w -m fast stop >/dev/null ;;
      start) as_server pg_ctl -D "$DATA" -w -l {folder}/restarted.log -o "-k {folder} -c listen_addresses=" start >/dev/null ;;
    esac
  done
}
"""


def blocks(heading):
    text = (service.TOP / "docs/backing-up.md").read_text()
    return re.findall(r"```sh\n(.*?)```", text.split(f"\n## {heading}\n")[1].split("\n## ")[0], re.S)


def bash(script, folder, programs=""):
    result = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        text=True,
        capture_output=True,
        timeout=120,
        env=dict(os.environ, PATH=f"{BINARY.parent}:{programs}:{os.environ['PATH']}"),
    )
    if result.returncode != 0:
        sys.exit(f"the commands ended with {result.returncode}: {result.stdout}{result.stderr}\n{script}")
    return result.stdout


def on_sqlite():
    back_up, restore = blocks("SQLite")
    with tempfile.TemporaryDirectory() as folder:
        clock = service.Service(str(BINARY), folder)
        clock.create_organization()
        clock.start()
        made = json.loads(bash(back_up, folder))
        clock.stop()
        clock.create_organization(name="Later", email="later@example.com")
        # The second line is checked, of the document's last command.
        lines = bash(restore, folder).splitlines()
        restored = json.loads(lines[0])
        assert restored["heads"] == made["heads"] and restored["rows"] == made["rows"], (made, restored)
        assert lines[1] == "database faults=0" and len(lines) == 3, lines
        assert (pathlib.Path(folder) / pathlib.Path(restored["former"]).name).exists(), restored


def on_postgresql():
    dump, restore, places, once, nightly, back = blocks("PostgreSQL")
    with postgresql.Cluster() as cluster, tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        database = cluster.make_database("timeclock")
        clock = service.Service(str(BINARY), folder, database)
        clock.create_organization(name="Before")

        def location(name):
            return f"'host={cluster.folder} user=timeclock dbname={name}'"

        account = ""
        if cluster.account:
            account = f"setpriv --reuid={cluster.account['user']} --regid={cluster.account['group']} --clear-groups"
        functions = FUNCTIONS.replace("{folder}", str(cluster.folder)).replace("{account}", account)
        places = re.sub(r"^DATA=.*$", f"DATA={cluster.data}", places, flags=re.M)
        places = re.sub(r"^KEPT=.*$", f"KEPT={cluster.folder}/kept", places, flags=re.M)
        setup = f"{functions}\n{places}\n"

        def script(*commands):
            text = setup + "\n".join(commands)
            for name in ("timeclock", "restored"):
                text = text.replace(f"postgresql://timeclock@localhost/{name}", location(name))
            return text

        answers = bash(script(dump, restore), folder, cluster.programs)
        assert "database faults=0" in answers and " changes=2 " in answers, answers

        # From here on the document's commands start and stop the cluster.
        cluster.stop()
        cluster.process = None
        try:
            bash(script("systemctl start postgresql", once, nightly), folder, cluster.programs)
            clock.create_organization(name="Meanwhile", email="b@example.com")
            until = cluster.execute("SELECT pg_sleep(0.2), clock_timestamp(), pg_sleep(0.2)")[0].split("|")[1]
            clock.create_organization(name="Too late", email="c@example.com")
            bash(script(re.sub(r"^UNTIL=.*$", f"UNTIL='{until}'", back, flags=re.M)), folder, cluster.programs)
            clock.verify()
            names = cluster.execute("SELECT name FROM organizations ORDER BY name", "timeclock")
            assert names == ["Before", "Meanwhile"], names
            clock.create_organization(name="Afterwards", email="d@example.com")
            clock.verify()
        finally:
            bash(script("systemctl stop postgresql || true"), folder, cluster.programs)


def main():
    on_sqlite()
    on_postgresql()
    print("backing up: SQLite, a dump, and going back to a moment on PostgreSQL work as documented")


main()
