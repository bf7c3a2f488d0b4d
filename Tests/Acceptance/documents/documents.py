#!/usr/bin/env python3
"""Runs the commands of every document that goes on from the README's tour, as they stand there.

Each document has a server of its own, started by the tour's first commands; and once the whole tour and all documents,
in the README's order, have one server and one shell together, without generating a client again. A function of pipx's
name runs the installed program.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from kit import python_packages

python_packages.enter()

from kit import postgresql, service

# The statuses of a document's answers, in order, and the content required of one of them.
EXPECTED = {
    "wire-your-app.md": (
        [201, 200, 200, 201, 200, 200, 201, 200, 200, 200, 304, 200, 412, 200, 204, 409, 400],
        [
            '"email":"sita@example.com"',
            '"status":"clocked-in"',
            '"notes":"Inventory"',
            '"code":"precondition_failed"',
            '"code":"not_clocked_in"',
            '"pointer":"/clockInTime"',
        ],
    ),
    "retrying.md": ([201, 201, 200, 200, 200, 200], ['"status":"applied"', '"status":"clocked-out"']),
    "exporting.md": (
        [201, 200, 200, 200, 200, 200, 200, 200],
        ["sessionTitle,source,flags,notes", '"\'=SUM(A1:A9), or so"', "BEGIN:VEVENT"],
    ),
    "sessions.md": (
        [201, 200, 200, 201, 200, 409, 204, 200],
        ['"title":"Evening class, second part"', '"code":"session_in_use"'],
    ),
    "segments.md": (
        [201] * 9 + [200, 200, 200, 201, 200, 200, 200, 200, 200, 204, 200, 200],
        [
            '"display":"3:00:',
            '"kind":"break"',
            '"durationSeconds":14400',
            "Date,Start Time,End Time,Duration (minutes),Project,Type",
            ",60.0,Orchard,Project",
            ",30.0,,Break",
            ",240.0,Office,Project",
            '"projects":0,"tasks":0,"timerSessions":0,"kept":0}',
        ],
    ),
    "schedules.md": (
        [201, 201] + [200] * 5 + [201, 201, 200, 200, 201, 201],
        [
            '"name":"Christmas Eve","percent":50',
            '"created":12,"updated":0,"unchanged":0}',
            '"created":2,',
            '"secondsByWeekday":[27720,27720,27720,27720,27720,0,0]',
            '"days":30,"carriedDays":2.5,',
        ],
    ),
    "absences.md": (
        [201, 201, 201, 200, 200, 201, 409, 200],
        [
            '"state":"requested","note":"Alps"',
            '"kind":"vacation","startDate":"2035-08-02","endDate":"2035-08-13","portion":"day","seconds":null,'
            '"state":"approved","note":"Have fun"',
            '"code":"absence_overlap"',
            '"state":"canceled"',
        ],
    ),
    "periods.md": (
        [201, 200, 200, 200, 409, 200, 200, 200, 200],
        [
            '"moved":1,"unchanged":0,"refused":[]}',
            '"mark":{"kind":"locked","through":"',
            '"paidSeconds":0,',
            '"submittedThrough":null,',
        ],
    ),
    "corrections.md": (
        [201, 201, 200, 201, 200, 201, 200, 200],
        [
            '"moved":1,"unchanged":0,"refused":[]}',
            '"reason":"The phone was flat"',
            '"state":"agreed","answer":"I saw you"',
            '"state":"objected","answer":"I left at three"',
        ],
    ),
    "closing-a-month.md": (
        [201, 201, 201, *[200] * 4, 201, 201, 201, 200, 200, 200, 200, 201, *[200] * 6, 409, 200, 200, 200],
        [
            '"openPoints":[{"code":"missing_day","date":"2025-12-30","timeEntryId":null}]',
            '"version":1,"openPoints":[]',
            '"plannedSeconds":187200,"holidaySeconds":43200,"absenceSeconds":3600,"creditedSeconds":46800,'
            '"targetSeconds":140400,"paidSeconds":140400,"adjustmentSeconds":0,"balanceSeconds":0,"carriedSeconds":0',
            '"plannedSeconds":374400,"holidaySeconds":86400,"absenceSeconds":144000,"creditedSeconds":230400,'
            '"targetSeconds":144000,"paidSeconds":136800,"adjustmentSeconds":0,"balanceSeconds":-7200,'
            '"carriedSeconds":-7200',
            '"usedDays":3,',
            '"code":"period_locked"',
            '"clockOutTime":"2026-01-01T05:30:00.000Z"',
        ],
    ),
    "personal-data.md": ([201, 200, 204, 200], ['"name":"Anonymous"']),
    "reports.md": (
        [201] + [200] * 7 + [201] * 7 + [200, 201, 200, 200, 200] + [200, 201, 200, 200, 200] + [200],
        [
            '"plannedSeconds":144000,"holidaySeconds":0,',
            '"paidSeconds":32400,"adjustmentSeconds":0,"balanceSeconds":-111600,',
            '"weekTargetSeconds":144000',
            '"kind":"vacation","rows":[',
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
            '"anomalyCounts":[{"code":"break_missing","entries":1}],"anomalies":[]',
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
        [
            201,
            *[200] * 5,
            201,
            *[200] * 4,
            201,
            200,
            *[200] * 8,
            201,
            200,
            200,
            200,
            201,
            200,
            200,
            200,
            201,
            *[200] * 8,
        ],
        [
            '"status":"applied"',
            '"durationMinutes":26',
            '"type":"longBreak"',
            '"outcome":"skipped"',
            '"reason":"last_set"',
        ],
    ),
    "push.md": ([201, 200, 200, 304, 201, 200], ['"endDate":', '"token":"****b4c5"']),
    "live.md": ([200, 201, 200, 200, 200, 200], ["event: snapshot", "event: change", 'status":"clocked-in']),
    "webhooks.md": (
        [201, 201, 200, 200, 200, 200, 204],
        ["= clockIn", '"organizationID":"', "clockIn is signed", '"sequence":null', '"status":204', '"enabled":false'],
    ),
    "changes.md": ([200, 200], ['"nextAfter":', '"author":']),
}
# The output of a document's programs that use a client it generates.
OF_PROGRAMS = {"wire-your-app.md": ["clocked in at", "clocked out at"]}
# The documents that have figures to the second, so that they are run on both storages.
ON_POSTGRESQL = {"closing-a-month.md"}
# Other conditions of a document.
BEFORE = {
    document: f"""
WHO=$(curl -X POST $API/v1/organizations/$ORGANIZATION/members -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{{"email": "{name}@example.com", "name": "{name}", "role": "member"}}' |
  sed -n 's/.*"userId":"\\([^"]*\\)".*/\\1/p')
"""
    for document, name in (
        ("personal-data.md", "Ben"),
        ("schedules.md", "Zoe"),
        ("absences.md", "Mira"),
        ("periods.md", "Tim"),
        ("corrections.md", "Ida"),
    )
}
# The blocks of the README's tour that set up; later ones clock in.
SETTING_UP = 2
# Begins the line before a document's output.
MARK = "=== "


def blocks(text, language="sh"):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.S | re.M)


def at_free_ports(script, port):
    """The script with ports that nobody else listens on: the server's, and that of a program which it sends to."""
    script = script.replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    other = str(service.free_port())
    return script.replace("127.0.0.1:8090", f"127.0.0.1:{other}").replace('"127.0.0.1", 8090', f'"127.0.0.1", {other}')


def in_order(documents, readme):
    """The documents as the README lists them."""
    listed = re.findall(r"^\| \[docs/([a-z-]+\.md)\]", readme, re.M)
    return sorted(documents, key=lambda document: listed.index(document.name))


def commands(document, generates):
    """A document's commands, and its programs where clients are generated, behind a line that separates their output
    from earlier output."""
    mark = f"printf '\\n%s\\n' '{MARK}{document.name}' | tee /dev/stderr"
    text = document.read_text()
    programs = [
        f"(export API ORGANIZATION SITA; python - <<'PROGRAM'\n{program}PROGRAM\n)"
        for program in blocks(text, "python")
        if generates
    ]
    return [mark, BEFORE.get(document.name, ""), *blocks(text), *programs]


def run(what, tour, documents, binary, generates=True, settings=()):
    """Runs the tour's commands and those of documents; the output of each document, and the statuses of its answers.

    `settings` are the server's, by environment variables.
    """
    port = service.free_port()
    packages = pathlib.Path(sys.prefix, "bin")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, ".curlrc").write_text(
            "silent\nshow-error\nretry-connrefused\nretry = 50\nretry-delay = 1\n"
            'write-out = "%{stderr}\\nSTATUS %{http_code}\\n"\n'
        )
        ready = f"until timeclock check-health --port {port} >/dev/null 2>&1; do sleep 0.1; done"
        script = "\n".join(
            [
                "set -eu",
                f'pipx() {{ shift; "{packages}/$1" "${{@:2}}"; }}' if generates else "pipx() { :; }",
                "trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT",
                # The servers' logs are in files, so that the statuses have the standard error to themselves.
                *tour[:SETTING_UP],
                ready,
                *tour[SETTING_UP:],
                *[command for document in documents for command in commands(document, generates)],
            ]
        )
        environment = dict(
            os.environ,
            **dict(settings),
            CURL_HOME=folder,
            TIMECLOCK_PORT=str(port),
            PYTHONPATH="timeclock-client",
            PATH=f"{pathlib.Path(binary).resolve().parent}:{packages}:{os.environ['PATH']}",
        )
        result = subprocess.run(
            ["bash", "-c", at_free_ports(script, port)],
            cwd=folder,
            env=environment,
            text=True,
            capture_output=True,
            timeout=300,
        )
    if result.returncode != 0:
        sys.exit(f"{what} ended with {result.returncode}: {result.stdout}{result.stderr}")
    parts = [re.split(rf"^{MARK}.*\n", text, flags=re.M)[1:] for text in (result.stdout, result.stderr)]
    return [
        (output, [int(status) for status in re.findall(r"^STATUS (\d+)$", statuses, re.M)])
        for output, statuses in zip(*parts, strict=True)
    ]


def check(what, document, output, statuses, generates=True):
    """How many answers a document got, all of them as promised."""
    expected, texts = EXPECTED[document.name]
    if statuses != expected:
        sys.exit(f"{what}: {document.name} was answered {statuses}, not {expected}: {output}")
    for text in texts + (OF_PROGRAMS.get(document.name, []) if generates else []):
        if text not in output:
            sys.exit(f"{what}: {document.name} never showed {text}: {output}")
    return len(statuses)


def main():
    readme = (service.TOP / "README.md").read_text()
    tour = blocks(readme.split("\n## Tour\n")[1].split("\n## ")[0])
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
        for output, statuses in run(document.name, tour[:SETTING_UP], [document], binary):
            count += check("alone", document, output, statuses)
    with postgresql.Cluster(["fsync=off"]) as cluster:
        settings = {"TIMECLOCK_DATABASE": cluster.make_database("documents")}
        for document in (one for one in documents if one.name in ON_POSTGRESQL):
            for output, statuses in run(document.name, tour[:SETTING_UP], [document], binary, settings=settings):
                count += check("on PostgreSQL", document, output, statuses)
    documents = in_order(documents, readme)
    answers = run("the README's order", tour, documents, binary, generates=False)
    for document, (output, statuses) in zip(documents, answers, strict=True):
        count += check("in the README's order", document, output, statuses, generates=False)
    print(f"documents: {len(documents)} work as pasted, alone and in the README's order, {count} answers as promised")


main()
