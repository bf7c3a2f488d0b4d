#!/usr/bin/env python3
"""The unit of deploy/ runs with its settings, and its first organization is made as docs/operating.md says.

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

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import service  # noqa: E402

HEADING = "### The first one under systemd"
INSTALLED_SETTINGS = "/etc/timeclock/timeclock.env"
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


def main():
    binary = service.built_binary()
    port = service.free_port()
    unit = (service.TOP / "deploy/timeclock.service").read_text()
    document = (service.TOP / "docs/operating.md").read_text()
    blocks = re.findall(r"```sh\n(.*?)```", re.split(r"\n##+ ", document.split(HEADING)[1])[0], re.S)
    assert len(blocks) == 2, "the steps are lost"
    assert setting(unit, "EnvironmentFile") == INSTALLED_SETTINGS
    assert setting(unit, "WorkingDirectory") == f"/var/lib/{setting(unit, 'StateDirectory')}"
    command = setting(unit, "ExecStart").replace("/usr/local/bin/timeclock", binary)
    with tempfile.TemporaryDirectory() as folder:
        state = pathlib.Path(folder, "state")
        state.mkdir()
        settings = pathlib.Path(folder, "timeclock.env")
        settings.write_text(
            (service.TOP / "deploy/timeclock.env").read_text().replace("8080", str(port)))
        settings.chmod(0o640)
        steps = "\n".join(blocks).replace(INSTALLED_SETTINGS, str(settings)).replace(":8080", f":{port}")
        systemctl = SYSTEMCTL.replace("timeclock.env.path", str(settings)).replace("COMMAND", command)
        ready = f"until '{binary}' check-health --port {port} >/dev/null 2>&1; do sleep 0.05; done"
        script = f"set -eu\n{systemctl}\nsystemctl start timeclock\n{ready}\n{steps}\nsystemctl stop timeclock\n"
        run = subprocess.run(
            ["bash", "-c", script], cwd=folder, env=dict(os.environ, CURL_HOME=folder), text=True,
            capture_output=True, timeout=60)
        if run.returncode != 0:
            sys.exit(f"the steps ended with {run.returncode}: {run.stderr}")
        created = json.loads(run.stdout)
        assert created["organization"]["name"] == "Harbour Café", created
        assert re.fullmatch("[0-9a-f]{64}", created["token"]), created
        assert settings.stat().st_mode & 0o777 == 0o640, "the settings are open to others"
        assert (state / "timeclock.db").exists(), "the database is not in the service's folder"
    print("systemd unit: its first organization is made as documented")


main()
