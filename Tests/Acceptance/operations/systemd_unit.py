#!/usr/bin/env python3
"""The unit of deploy/ runs with its settings, its first organization is made as docs/operating.md says, and another one over
HTTP. The unit for back-ups backs that database up while it is served, keeps as many as it says, and is shut in as the
service is.

There is no systemd here: a function of its command's name runs ExecStart as systemd would, in the service's
folder and with nothing but the settings of the environment file.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from kit import service

HEADING = "### The first one under systemd"
INSTALLED_SETTINGS = "/etc/timeclock/timeclock.env"
INSTALLED_FOLDER = "/var/lib/timeclock/"
OVER_HTTP = """
curl --no-progress-meter --retry 50 --retry-connrefused --retry-delay 1 -X POST http://127.0.0.1:PORT/v1/organizations \\
  -H "Authorization: Bearer $OPERATOR_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name": "Second Shop", "timeZone": "UTC", "admin": {"email": "ben@example.com", "name": "Ben"}}'
"""
SYSTEMCTL = """
systemctl() {
  case $* in
    'restart timeclock') systemctl stop timeclock; systemctl start timeclock ;;
    'start timeclock')
      (cd state && exec env -i $(grep '^[A-Z]' timeclock.env.path) COMMAND) 2>>server.log &
      server=$! ;;
    'stop timeclock') kill "$server"; wait "$server" ;;
    *) echo "systemctl $*?" >&2; return 1 ;;
  esac
}
"""


def setting(unit, name):
    return re.search(rf"^{name}=(.*)$", unit, re.M)[1]


def check_walls(unit, backup):
    """The restrictions of the service hold for the back-up; that one needs no network besides."""
    assert setting(backup, "EnvironmentFile") == INSTALLED_SETTINGS and setting(backup, "User") == "timeclock"
    assert setting(backup, "WorkingDirectory") == setting(unit, "WorkingDirectory")
    wall = (
        unit.split("NoNewPrivileges")[1]
        .split("[Install]")[0]
        .replace(
            "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX", "PrivateNetwork=yes\nRestrictAddressFamilies=AF_UNIX"
        )
    )
    assert wall.strip() == backup.split("NoNewPrivileges")[1].strip(), (
        "the back-up is shut in otherwise than the service"
    )
    for name in ("DynamicUser", "StateDirectoryMode", "UMask"):
        assert setting(backup, name) == setting(unit, name), name
    assert setting((service.TOP / "deploy/timeclock-backup.timer").read_text(), "Persistent") == "true"


def backing_up(unit, binary, state, settings, kept):
    """The command that systemd would run: the settings, and its own way to write `$` and `%` (systemd.service(5))."""
    environment = " ".join(re.findall(r"^Environment=(.*)$", unit, re.M))
    commands = []
    for name in ("ExecStart", "ExecStartPost"):
        command = (
            setting(unit, name)
            .replace("/usr/local/bin/timeclock", binary)
            .replace("/var/lib/timeclock-backups", str(kept))
            .replace("$$", "$")
            .replace("%%", "%")
        )
        commands.append(
            f"(cd '{state}' && env -i PATH=\"$PATH\" {environment} $(grep '^[A-Z]' '{settings}') {command})"
        )
    return "\n".join(commands)


def main():
    binary = service.built_binary()
    port = service.free_port()
    unit = (service.TOP / "deploy/timeclock.service").read_text()
    document = (service.TOP / "docs/operating.md").read_text()
    blocks = re.findall(r"```sh\n(.*?)```", re.split(r"\n##+ ", document.split(HEADING)[1])[0], re.S)
    assert len(blocks) == 2, "the steps are lost"
    assert setting(unit, "EnvironmentFile") == INSTALLED_SETTINGS
    assert setting(unit, "WorkingDirectory") == f"/var/lib/{setting(unit, 'StateDirectory')}"
    backup = (service.TOP / "deploy/timeclock-backup.service").read_text()
    check_walls(unit, backup)
    command = setting(unit, "ExecStart").replace("/usr/local/bin/timeclock", binary)
    with tempfile.TemporaryDirectory() as folder:
        state = pathlib.Path(folder, "state")
        state.mkdir()
        settings = pathlib.Path(folder, "timeclock.env")
        settings.write_text((service.TOP / "deploy/timeclock.env").read_text().replace("8080", str(port)))
        settings.chmod(0o640)
        steps = "\n".join(blocks).replace(INSTALLED_SETTINGS, str(settings)).replace(INSTALLED_FOLDER, f"{state}/")
        steps += OVER_HTTP.replace("PORT", str(port))
        systemctl = SYSTEMCTL.replace("timeclock.env.path", str(settings)).replace("COMMAND", command)
        ready = f"until '{binary}' check-health --port {port} >/dev/null 2>&1; do sleep 0.05; done"
        kept = pathlib.Path(folder, "kept")
        kept.mkdir()
        for name in [f"timeclock-2020-01-{day:02}.db" for day in range(1, 21)] + ["x.db.partial-1", "other"]:
            (kept / name).touch()
        script = (
            f"set -eu\n{systemctl}\nsystemctl start timeclock\n{ready}\n{steps}\n"
            f"{backing_up(backup, binary, state, settings, kept)}\nsystemctl stop timeclock\n"
        )
        run = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            env=dict(
                os.environ, CURL_HOME=folder, PATH=f"{pathlib.Path(binary).resolve().parent}:{os.environ['PATH']}"
            ),
            text=True,
            capture_output=True,
            timeout=60,
        )
        if run.returncode != 0:
            sys.exit(f"the steps ended with {run.returncode}: {run.stderr}")
        created, end = json.JSONDecoder().raw_decode(run.stdout)
        other, length = json.JSONDecoder().raw_decode(run.stdout[end:].lstrip())
        backed_up = json.loads(run.stdout[end:].lstrip()[length:])
        assert created.keys() == {"organizationID", "userId", "token", "expiresAt"}, created
        assert other["organization"]["name"] == "Second Shop", other
        assert re.fullmatch("[0-9a-f]{64}", created["token"]), created
        assert settings.stat().st_mode & 0o777 == 0o640, "the settings are open to others"
        assert (state / "timeclock.db").exists(), "the database is not in the service's folder"
        names = sorted(path.name for path in kept.iterdir())
        count = int(re.search(r"^Environment=BACKUPS_KEPT=(\d+)$", backup, re.M)[1])
        assert (
            len(names) == count + 1 and names[0] == "other" and names[1] == f"timeclock-2020-01-{22 - count:02}.db"
        ), names
        assert re.fullmatch(r"timeclock-20[2-9]\d-\d\d-\d\d\.db", names[-1]) and names[-1] > "timeclock-2021", names
        assert backed_up["rows"]["organizations"] == 2 and (kept / names[-1]).stat().st_size == backed_up["bytes"]
        assert (kept / names[-1]).stat().st_mode & 0o777 == 0o600, "the back-up is open to others"
    print("systemd units: the first organization is made as documented, and backed up")


main()
