#!/usr/bin/env python3
"""The Debian package is installed, upgraded, removed and purged, on a copy of this system that is thrown away.

The copy is an overlay over the root folder in a mount namespace of its own, so dpkg runs its scripts as on any Debian,
and nothing of it stays. There is no systemd in it: the scripts' calls to a running one (start, restart, stop) are not
tried here; the program is run as the unit would run it, as its user, in its folder, with its settings. Needs root.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from kit import service

BINARY = service.built_binary()
SCRIPT = service.TOP / "scripts/build-debian-package"
SETTINGS = "/etc/timeclock/timeclock.env"
# The package's scripts may call these of a running systemd; their work without one is tried.
LIBRARIES_WITHOUT_PACKAGE = {"ld-linux-x86-64.so.2"}

# Runs in the copy. Every step prints its finding; `check` ends the run if it is wrong.
STEPS = r"""
set -eu
check() { "$@" || { echo "wrong: $*" >&2; exit 1; }; }
is() { [ "$1" = "$2" ] || { echo "wrong: $1 and not $2" >&2; exit 1; }; }
status() { dpkg-query --show --showformat='${db:Status-Status} ${Version}' timeclock; }
served() {
  cd /var/lib/timeclock
  runuser -u timeclock -- env -i $(grep '^[A-Z]' /etc/timeclock/timeclock.env) timeclock serve 2>>/tmp/log &
  server=$!
  for _ in $(seq 400); do
    if timeclock check-health --port PORT >/dev/null 2>&1; then break; fi
    sleep 0.05
  done
  check timeclock check-health --port PORT >/dev/null
  "$@"
  # The server is the child of runuser, which hands the signal on.
  kill "$server"
  wait "$server" || true
  cd /
}

# A first installation.
check dpkg --install OLD >/tmp/installed 2>&1
is "$(status)" "installed 0.1.0-1"
is "$(getent passwd timeclock | cut -d: -f6)" /var/lib/timeclock
is "$(stat -c '%a %U' /etc/timeclock/timeclock.env)" "640 root"
is "$(stat -c '%a %U' /usr/bin/timeclock)" "755 root"
check timeclock --version >/dev/null
check test -L /etc/systemd/system/multi-user.target.wants/timeclock.service
check test -L /etc/systemd/system/timers.target.wants/timeclock-backup.timer
check systemd-analyze verify --man=no /lib/systemd/system/timeclock.service /lib/systemd/system/timeclock-backup.service
is "$(dpkg --verify timeclock)" ""

# The folder that systemd makes by StateDirectory.
install -d -o timeclock -g timeclock -m 0700 /var/lib/timeclock
sed -i 's/^TIMECLOCK_PORT=.*/TIMECLOCK_PORT=PORT/' /etc/timeclock/timeclock.env
echo TIMECLOCK_RATE_LIMIT=600 >>/etc/timeclock/timeclock.env
(cd /var/lib/timeclock && runuser -u timeclock -- timeclock organization create --name "Harbour Café" \
  --time-zone Europe/Berlin --admin-email ana@example.com --admin-name Ana) >/tmp/organization.json
served true
systemctl disable timeclock-backup.timer 2>/dev/null

# An upgrade keeps the settings that were edited, the data, and what was disabled.
check dpkg --install NEW >/tmp/upgraded 2>&1
is "$(status)" "installed 0.2.0-1"
check grep -q '^TIMECLOCK_RATE_LIMIT=600$' /etc/timeclock/timeclock.env
check grep -q '^TIMECLOCK_PORT=PORT$' /etc/timeclock/timeclock.env
check test ! -e /etc/timeclock/timeclock.env.dpkg-new
check test ! -e /etc/systemd/system/timers.target.wants/timeclock-backup.timer
token=$(sed -n 's/.*"token":"\([^"]*\)".*/\1/p' /tmp/organization.json)
served curl -sf http://127.0.0.1:PORT/v1/me -H "Authorization: Bearer $token" >/tmp/me.json
check grep -q ana@example.com /tmp/me.json
user=$(id -u timeclock)

# Removed, it leaves the settings and the data; purged, the data and the user.
check dpkg --remove timeclock >/tmp/removed 2>&1
check test ! -e /usr/bin/timeclock
check test ! -e /lib/systemd/system/timeclock.service
check test -e /etc/timeclock/timeclock.env
check test -e /var/lib/timeclock/timeclock.db
check dpkg --purge timeclock >/tmp/purged 2>&1
check test ! -e /etc/timeclock
check test -e /var/lib/timeclock/timeclock.db
check grep -q "the data in /var/lib/timeclock stays" /tmp/purged
is "$(find /etc/systemd -name 'timeclock*')" ""

# Installed again, it is the same user's data.
check dpkg --install NEW >/tmp/again 2>&1
is "$(id -u timeclock)" "$user"
sed -i 's/^TIMECLOCK_PORT=.*/TIMECLOCK_PORT=PORT/' /etc/timeclock/timeclock.env
served curl -sf http://127.0.0.1:PORT/v1/me -H "Authorization: Bearer $token" >/tmp/me.json
check grep -q ana@example.com /tmp/me.json
echo done
"""

# Mounts the copy and the files a program needs in it; the namespace's end removes all of it.
MOUNTS = """
set -eu
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount --rbind /proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs tmpfs "$1/root/run"
mount -t tmpfs tmpfs "$1/root/tmp"
cp "$2"/* "$1/root/tmp"
exec chroot "$1/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive bash /tmp/steps </dev/null
"""


def build(folder, version, epoch="1700000000"):
    made = subprocess.run(
        [SCRIPT, "--binary", BINARY, "--version", version, folder],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"SOURCE_DATE_EPOCH": epoch},
    )
    return pathlib.Path(made.stdout.strip())


def field(package, name):
    return subprocess.check_output(["dpkg-deb", "--field", package, name], text=True).strip()


def check_dependencies(package):
    """Every library that the program asks for is in a package that this one depends on."""
    depends = set(re.findall(r"(?:^|[,|] *)([a-z0-9.+-]+)", field(package, "Depends")))
    dynamic = subprocess.check_output(["objdump", "-p", BINARY], text=True)
    libraries = set(re.findall(r"NEEDED +(\S+)", dynamic)) - LIBRARIES_WITHOUT_PACKAGE
    assert libraries, "the program asks for no library"
    for library in libraries:
        owners = subprocess.check_output(["dpkg-query", "--search", f"*/{library}"], text=True)
        packages = {line.split(":")[0] for line in owners.splitlines()}
        assert packages & depends, f"the package does not depend on any of {packages}, which have {library}"


def check_contents(package, folder):
    """The units run the program where it is; the settings are those of the documents, and a file that upgrades respect."""
    contents = pathlib.Path(folder, "contents")
    subprocess.run(["dpkg-deb", "--raw-extract", package, contents], check=True)
    assert (contents / "DEBIAN/conffiles").read_text().split() == [SETTINGS]
    assert (contents / SETTINGS[1:]).read_text() == (service.TOP / "deploy/timeclock.env").read_text()
    for name in ("timeclock.service", "timeclock-backup.service"):
        unit = (contents / "lib/systemd/system" / name).read_text()
        assert "/usr/bin/timeclock " in unit and "/usr/local" not in unit and "DynamicUser" not in unit, (
            f"{name}: {unit}"
        )
        assert unit.count("\nUser=timeclock\n") == 1, f"the user of {name}"
        ours = (service.TOP / "deploy" / name).read_text()
        wall = ours.split("NoNewPrivileges")[1].split("[Install]")[0]
        assert wall.strip() in unit, f"{name} is shut in otherwise than in deploy/"
    documents = {path.name for path in (contents / "usr/share/doc/timeclock").iterdir()}
    ours = {path.name for path in (service.TOP / "docs").glob("*.md")}
    assert ours | {"copyright", "changelog.Debian.gz", "CHANGELOG.md.gz", "openapi.yaml"} <= documents, ours - documents


def main():
    if os.geteuid() != 0:
        sys.exit("debian_package: dpkg and mount(8) want root")
    port = service.free_port()
    with tempfile.TemporaryDirectory() as folder:
        given = pathlib.Path(folder, "given")
        given.mkdir()
        old, new = build(given, "0.1.0-1"), build(given, "0.2.0-1")
        check_dependencies(old)
        check_contents(old, folder)
        steps = STEPS.replace("PORT", str(port)).replace("OLD", f"/tmp/{old.name}").replace("NEW", f"/tmp/{new.name}")
        (given / "steps").write_text(steps.replace("TIMECLOCK_" + str(port), "TIMECLOCK_PORT"))
        mounted = pathlib.Path(folder, "mounted")
        mounted.mkdir()
        run = subprocess.run(
            ["unshare", "--mount", "bash", "-c", MOUNTS, "bash", mounted, given],
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert run.returncode == 0 and run.stdout.endswith("done\n"), f"{run.returncode}: {run.stdout}{run.stderr}"
        assert not pathlib.Path("/usr/bin/timeclock").exists(), "the package is on this system"
    print("debian_package: installed, upgraded, removed and purged; the settings that were edited and the data stay")


main()
