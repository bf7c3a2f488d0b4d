#!/usr/bin/env python3
"""Runs the commands of every document that goes on from the README's tour, as they stand there.

Each document has a server of its own, started by the tour's first commands. A function of pipx's name runs what is
installed already.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from kit import python_packages

python_packages.enter()

from kit import service

# The statuses of a document's answers, in their order, and what has to be in one of them.
EXPECTED = {
    "wire-your-app.md": (
        [201, 200, 200, 201, 200, 200, 201, 200, 200, 200, 412, 200, 204, 409, 400],
        [
            '"email":"sita@example.com"',
            '"status":"clocked-in"',
            '"notes":"Inventory"',
            '"code":"precondition_failed"',
            '"code":"not_clocked_in"',
            '"pointer":"/clockInTime"',
            "clocked in at",
            "clocked out at",
        ],
    ),
    "retrying.md": ([201, 201, 200, 200], ['"status":"applied"']),
    "exporting.md": (
        [201, 200, 200, 200, 200, 200],
        ["sessionTitle,source,flags,notes", '"\'=SUM(A1:A9), or so"', "BEGIN:VEVENT"],
    ),
    "sessions.md": (
        [201, 200, 200, 201, 200, 409, 204, 200],
        ['"title":"Evening class, second part"', '"code":"session_in_use"'],
    ),
    "segments.md": (
        [201, 201, 201, 201, 201, 201, 201, 200, 200, 200, 201, 200, 200, 200, 200, 200, 204, 200, 200, 200],
        [
            '"display":"3:00:',
            '"kind":"break"',
            '"durationSeconds":14400',
            "Date,Start Time,End Time,Duration (minutes),Project,Type",
            ",60.0,Orchard,Project",
            ",30.0,,Break",
            ",240.0,Office,Project",
            '"projects":0,"tasks":0}',
        ],
    ),
    "personal-data.md": ([201, 200, 204, 200], ['"name":"Anonymous"']),
    "reports.md": (
        [201] + [200] * 7 + [201] * 7 + [200] * 5,
        [
            '"day":"2026-10-24","seconds":7200,',
            '"day":"2026-10-25","seconds":25200,',
            '"seconds":32400,',
            "Ana Gómez,2026-10-24,7200,7200,7200,0,0,1\n",
            "Ana Gómez,2026-10-25,25200,25200,25200,0,0,1\n",
            '"seconds":[0,0,0,0,0,7200,25200]',
            '"regularSeconds":21600,"dailyOvertimeSeconds":3600,',
            ",5400,1200,1200,0,4200\n",
            ",5400,1200,1200,600,3600\n",
            '"codes":["break_missing"]',
        ],
    ),
    "importing.md": (
        [200, 200],
        [
            '"taken":2',
            '"line":3',
            '"alreadyThere":2',
            '"durationSeconds":25200',
            '"projectsCreated":1,"tasksCreated":1,"segmentsCreated":2',
        ],
    ),
    "task-timer.md": ([201, 200, 201, 201, 200, 200], ['"name":"Time entry"', '"grandTotal":3600000']),
    "timers.md": (
        [201, 200, 200, 200, 200, 200, 201, 200, 200, 200, 200]
        # Ben, his day, and what it leaves.
        + [201, 201, 200, 200, 200, 200, 200, 200, 200]
        # The workout, and the app that leaves the screen.
        + [200, 201, 200, 200, 200, 201, 200, 200, 200, 201, 200, 200]
        # The stream is answered while somebody presses; then an admin looks.
        + [200, 200, 200, 200, 200, 200],
        [
            '"originalDurationSeconds":1500,"adjustedSeconds":60,"wasAdjusted":true',
            '"durationMinutes":26,"interruptionsMinutes":4,"seconds":1560,"isWork":true,"label":"Thesis"',
            '"durationMinutes":2,"interruptionsMinutes":0,"seconds":120,"isWork":false,"label":"Thesis"',
            '"status":"stale"',
            '"minutes":99,"interruptionsMinutes":4,"sessions":7',
            '{"key":"focus","minutes":77,"interruptionsMinutes":4,"sessions":4}',
            '{"key":"longBreak","minutes":15,"interruptionsMinutes":0,"sessions":1}',
            '{"key":"shortBreak","minutes":7,"interruptionsMinutes":0,"sessions":2}',
            '"adjustedSeconds":15,"wasAdjusted":true',
            '"adjustedSeconds":0,"wasAdjusted":true',
            '"state":"finished","isCountdown":true',
            '"started":false,"reason":"last_set"',
            '}3\n{"state":"reset","timer":null,"routine":null,"lastSession":null,',
            '{"timerSessions":[],"nextCursor":null}',
        ],
    ),
    "live.md": ([200, 201, 200, 200], ["event: snapshot", "event: change", 'status":"clocked-in']),
    "keeping-a-copy.md": ([200, 200], ['"nextAfter":', '"author":']),
}
# What a document expects besides.
BEFORE = {
    "personal-data.md": """
WHO=$(curl -X POST $API/v1/organizations/$ORGANIZATION/members -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"email": "ben@example.com", "name": "Ben", "role": "member"}' |
  sed -n 's/.*"userId":"\\([^"]*\\)".*/\\1/p')
"""
}
# What the README's tour sets; the blocks after those clock in.
SETTING_UP = 2


def blocks(text, language="sh"):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.S | re.M)


def run(document, tour, binary):
    """Runs a document's commands; what they write, and the statuses they were answered with."""
    port = service.free_port()
    text = document.read_text()
    packages = pathlib.Path(sys.prefix, "bin")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, ".curlrc").write_text(
            "silent\nshow-error\nretry-connrefused\nretry = 50\nretry-delay = 1\n"
            'write-out = "%{stderr}\\nSTATUS %{http_code}\\n"\n'
        )
        ready = f"until timeclock check-health --port {port} >/dev/null 2>&1; do sleep 0.1; done"
        programs = "".join(
            f"export API ORGANIZATION SITA; python - <<'PROGRAM'\n{program}PROGRAM\n"
            for program in blocks(text, "python")
        )
        script = "\n".join(
            [
                "set -eu",
                f'pipx() {{ shift; "{packages}/$1" "${{@:2}}"; }}',
                "trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT",
                # The servers' logs are in files, so that the statuses have the standard error to themselves.
                *tour[:SETTING_UP],
                ready,
                BEFORE.get(document.name, ""),
                *blocks(text),
                programs,
            ]
        )
        environment = dict(
            os.environ,
            CURL_HOME=folder,
            TIMECLOCK_PORT=str(port),
            PYTHONPATH="timeclock-client",
            PATH=f"{pathlib.Path(binary).resolve().parent}:{packages}:{os.environ['PATH']}",
        )
        result = subprocess.run(
            ["bash", "-c", script.replace("127.0.0.1:8080", f"127.0.0.1:{port}")],
            cwd=folder,
            env=environment,
            text=True,
            capture_output=True,
            timeout=300,
        )
    statuses = [int(status) for status in re.findall(r"^STATUS (\d+)$", result.stderr, re.M)]
    if result.returncode != 0:
        sys.exit(f"{document.name} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout, statuses


def main():
    tour = blocks((service.TOP / "README.md").read_text().split("\n## Tour\n")[1].split("\n## ")[0])
    binary = service.built_binary()
    documents = [
        one for one in sorted((service.TOP / "docs").glob("*.md")) if re.search(r"README's\s+tour", one.read_text())
    ]
    names = {one.name for one in documents}
    assert names == EXPECTED.keys(), (
        f"{names ^ EXPECTED.keys()} go on from the tour, or are expected here, but not both"
    )
    count = 0
    for document in documents:
        output, statuses = run(document, tour, binary)
        expected, texts = EXPECTED[document.name]
        if statuses != expected:
            sys.exit(f"{document.name} was answered {statuses}, not {expected}: {output}")
        for text in texts:
            if text not in output:
                sys.exit(f"{document.name} never showed {text}: {output}")
        count += len(statuses)
    print(f"documents: {len(documents)} work as pasted, {count} answers as promised")


main()
