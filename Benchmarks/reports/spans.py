"""The queries, at random and the same each time, and the programs that run them."""

import datetime
import json
import os
import pathlib
import random
import subprocess
import time
import urllib.error
import urllib.request
import zoneinfo

from kit import service

HERE = pathlib.Path(__file__).resolve().parent

EPOCH = datetime.date(1970, 1, 1)
COUNT = 200
MONTH = 30


class Span:
    """A month of one organization. Active entries count to the same instant everywhere."""

    AS_OF = datetime.datetime(2026, 11, 20, tzinfo=datetime.UTC)

    def __init__(self, organization, first):
        self.organization = organization
        self.first = first
        self.last = first + datetime.timedelta(days=MONTH - 1)

    def line(self):
        """As best.c reads it."""
        zone = zoneinfo.ZoneInfo(self.organization["timeZone"])
        bounds = [
            round(
                datetime.datetime.combine(
                    self.first + datetime.timedelta(days=day), datetime.time(), tzinfo=zone
                ).timestamp()
                * 1000
            )
            for day in range(MONTH + 1)
        ]
        return " ".join(
            map(
                str,
                [
                    self.organization["number"],
                    round(self.AS_OF.timestamp() * 1000),
                    (self.first - EPOCH).days,
                    (self.last - EPOCH).days,
                    MONTH,
                    *bounds,
                ],
            )
        )

    def values(self):
        """As SQL takes it: the number of the organization, and milliseconds since 1970."""
        words = [int(word) for word in self.line().split()]
        return {"organization": words[0], "as_of": words[1], "start": words[5], "end": words[-1]}

    def path(self):
        return (
            f"/v1/organizations/{self.organization['organizationID']}/reports/hours?startDate={self.first}"
            f"&endDate={self.last}&groupBy=user&asOf={self.AS_OF:%Y-%m-%dT%H:%M:%SZ}"
        )


def first_dates(content):
    """Between which dates a month may begin, so that it lies in the data."""
    first = datetime.date.fromisoformat(content["firstDay"]) + datetime.timedelta(days=1)
    last = datetime.date.fromisoformat(content["lastDay"]) - datetime.timedelta(days=MONTH)
    if last < first:
        raise SystemExit(f"the data has to have {MONTH + 2} days at least")
    return first, last


def months(content):
    chance = random.Random(2)
    first, last = first_dates(content)
    return [
        Span(
            chance.choice(content["organizations"]),
            first + datetime.timedelta(days=chance.randint(0, (last - first).days)),
        )
        for _ in range(COUNT)
    ]


class Tools:
    """The compiled programs, and files that they read, in a folder."""

    def __init__(self, folder):
        self.folder = folder
        for name, source, libraries in (
            ("best", HERE / "best.c", ["-lsqlite3"]),
            ("client", HERE / "client.c", []),
            ("responder", HERE.parent / "http" / "responder.c", []),
        ):
            subprocess.run(["cc", "-O2", "-o", folder / name, source, *libraries], check=True)

    def write(self, name, lines):
        path = self.folder / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    def client(self, port, requests, passes):
        """The median of a request in microseconds."""
        result = subprocess.run(
            [self.folder / "client", str(port), requests, str(passes)], capture_output=True, text=True
        )
        if result.returncode != 0:
            raise SystemExit(f"the client failed: {result.stderr[-2_000:]}")
        return float(result.stdout.split()[2])


class Subject:
    """The service on a data set, and a responder that has nothing to do."""

    def __init__(self, tools, location, content):
        self.tools = tools
        self.clock = service.Service(service.built_binary(), tools.folder, location)
        self.spans = months(content)
        self.requests = {"http: live": tools.write("live", ["/health/live -"] * COUNT)}

    def __enter__(self):
        # A newer service than the data set's makes its indexes first.
        self.clock.start(patience=1_800)
        live = subprocess.run(
            ["curl", "-si", f"http://127.0.0.1:{self.clock.port}/health/live"], check=True, capture_output=True
        ).stdout
        (self.tools.folder / "answer").write_bytes(live)
        self.responder_port = service.free_port()
        self.responder = subprocess.Popen(
            [self.tools.folder / "responder", str(self.responder_port), self.tools.folder / "answer"]
        )
        time.sleep(0.3)
        if self._has_reports():
            self.requests["http: report"] = self.tools.write(
                "reports", [f"{span.path()} {span.organization['token']}" for span in self.spans]
            )
        return self

    def __exit__(self, *_):
        self.responder.terminate()
        self.responder.wait()
        self.clock.stop()

    def measure(self, figures):
        """One round of each kind of request."""
        figures.setdefault("client", []).append(self.tools.client(self.responder_port, self.requests["http: live"], 10))
        for name, requests in self.requests.items():
            passes = 10 if name == "http: live" else 4
            figures.setdefault(name, []).append(self.tools.client(self.clock.port, requests, passes))

    def totals(self):
        """The seconds of all months by the report; None without reports."""
        if "http: report" not in self.requests:
            return None
        return sum(self._get(span.path(), span.organization)["totals"]["seconds"] for span in self.spans)

    def _has_reports(self):
        try:
            self._get(self.spans[0].path(), self.spans[0].organization)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return False
            raise SystemExit(f"{self.spans[0].path()}: {error.code} {error.read()[:500]}") from error
        return True

    def _get(self, path, organization):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.clock.port}{path}", headers={"Authorization": f"Bearer {organization['token']}"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def read_through(path):
    """Brings a file into the system's cache."""
    with open(path, "rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
        while file.read(1 << 22):
            pass
