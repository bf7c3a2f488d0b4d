"""The page in headless Chromium, by the roles and names that assistive technology has. Needs the packages of the list `page`.

with browser.site(folder) as site, browser.started() as chromium:
    visitor = site.visit(chromium)
    visitor.log_in("mia@example.com")
    visitor.press("Clock In")
    visitor.leave()
"""

import contextlib
import functools
import json
import pathlib
import re
import subprocess
import time

from axe_playwright_python import sync_playwright as axe
from playwright import sync_api

from kit import client, service
from kit.expecting import expect

ZONE = "Europe/Berlin"
ADMIN = "demo@example.com"
# WCAG 2.2, level AA.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Sent by Chromium about every answer that is an error; the checks look at answers by themselves.
ANSWERS = "Failed to load resource"
# Routes do not see the requests of a service worker.
NO_WORKERS = 'Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined })'
# Seconds for something to be there.
PATIENCE = 10
# Seconds between two presses at least. The page takes two within 150 ms that were sent for one.
PRESS = 0.2


@contextlib.contextmanager
def started():
    """Debian's Chromium, without a window. As root it has no sandbox."""
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


@contextlib.contextmanager
def site(folder, options=()):
    """A server with the demo organization."""
    here = Site(folder, options)
    here.service.start()
    yield here
    here.service.stop()


class Site:
    def __init__(self, folder, options):
        binary = service.built_binary()
        self.service = service.Service(binary, pathlib.Path(folder), options=options)
        made = subprocess.run(
            [binary, "organization", "create-demo", "--database", self.service.database, "--time-zone", ZONE],
            check=True,
            capture_output=True,
            text=True,
        )
        self.demo = json.loads(made.stdout)
        self.organization = f"/v1/organizations/{self.demo['organizationID']}"
        # Files of the page that visitors get in the place of the service's, by their names.
        self.planted = {}

    @property
    def address(self):
        return f"http://127.0.0.1:{self.service.port}"

    def plant(self, name, text, other):
        """Gives visitors a file of the page with `other` in the place of a text that stands in it once."""
        ask = client.Client(self.service.port).request
        page = ask("GET", "/", fields=[("Accept", "text/html")]).body.decode()
        source = ask("GET", re.search(r"/assets/\w+/", page)[0] + name).body.decode()
        expect(source.count(text) == 1, f"{text!r} once in {name}", source.count(text))
        self.planted[name] = source.replace(text, other)

    def program(self, email=ADMIN):
        return Program(self, email)

    def visit(self, chromium, **options):
        return Visitor(self, chromium, options)


class Program:
    """Somebody's own program, logged in."""

    def __init__(self, site, email):
        self.site = site
        self.client = client.Client(site.service.port)
        credentials = {"email": email, "password": site.demo["password"]}
        self.token = self.client.request("POST", "/v1/auth/token", body=credentials).json["token"]

    def ask(self, method, path, body=None, expected=200):
        """The content of the answer; a path that begins with no slash is the organization's."""
        path = path if path.startswith("/") else f"{self.site.organization}/{path}"
        answer = self.client.request(method, path, self.token, body)
        expect(answer.status == expected, f"{method} {path}", answer)
        return answer.json if answer.body else None

    def change(self, path, body):
        """Changes a record in any version."""
        answer = self.client.request("PATCH", path, self.token, body, [("If-Match", "*")])
        expect(answer.status == 200, f"PATCH {path}", answer)


class Visitor:
    """One window with a storage of its own. `leave` fails for errors in the console, and for requests to others."""

    def __init__(self, site, chromium, options):
        self.site = site
        usual = {"locale": "en-US", "timezone_id": ZONE, "viewport": {"width": 1280, "height": 900}}
        self.context = chromium.new_context(**{**usual, **options})
        self.context.set_default_timeout(PATIENCE * 1_000)
        if site.planted:
            self.context.add_init_script(NO_WORKERS)
        for name, source in site.planted.items():
            self.context.route(f"**/assets/*/{name}", functools.partial(self._give, source))
        self.faults, self.requests = [], []
        self.next_press = 0
        self.page = self.open()

    def open(self):
        page = self.context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._note)
        return page

    @staticmethod
    def _give(source, route):
        route.fulfill(response=route.fetch(), body=source)

    def _hear(self, message):
        if message.type in ("error", "warning") and ANSWERS not in message.text:
            self.faults.append(f"{message.type}: {message.text}")

    def _note(self, request):
        self.requests.append(request)
        if not request.url.startswith((self.site.address, "blob:", "data:")):
            self.faults.append(f"a request to {request.url}")

    def go(self, place=""):
        self.page.goto(f"{self.site.address}/{place}")

    def log_in(self, email, keeps=False):
        """Logs in, in any language."""
        self.go()
        self.page.locator("input[type=email]").fill(email)
        self.page.locator("input[type=password]").fill(self.site.demo["password"])
        if keeps:
            self.find("checkbox", "Keep me signed in").check()
        self.page.locator("button[type=submit]").click()

    def find(self, role, name=None, within=None):
        return (within or self.page).get_by_role(role, name=name, exact=True)

    def press(self, name, within=None):
        """Presses a button, no sooner after the last one than a person could."""
        self.page.wait_for_timeout(max(0, self.next_press - time.monotonic()) * 1_000)
        self.find("button", name, within).click()
        self.next_press = time.monotonic() + PRESS

    def sees(self, role, name=None, text=None, seconds=None):
        """Waits for an element, and for its text."""
        seconds = seconds or PATIENCE
        found = self.find(role, name)
        if text is None:
            sync_api.expect(found.first).to_be_visible(timeout=seconds * 1_000)
        else:
            sync_api.expect(found.first).to_contain_text(text, timeout=seconds * 1_000)
        return found.first

    def waits(self, holds, what, seconds=None):
        """Waits for something elsewhere while the browser goes on."""
        seconds = seconds or PATIENCE
        end = time.monotonic() + seconds
        while not holds():
            expect(time.monotonic() < end, f"within {seconds} s: {what}")
            self.page.wait_for_timeout(100)

    def holds(self, address):
        """Keeps requests for an address back until they are released."""
        held = Held()
        self.context.route(address, held.take)
        return held

    def check_rules(self, what):
        """WCAG's rules that a program can check hold for the page shown."""
        results = axe.Axe().run(self.page, options={"runOnly": {"type": "tag", "values": RULES}})
        found = [
            (violation["id"], [node["target"] for node in violation["nodes"]][:5])
            for violation in results.response["violations"]
        ]
        expect(not found, f"axe: {what}", found)

    def leave(self):
        self.context.close()
        expect(not self.faults, "errors in the console, and requests to others", self.faults)


class Held:
    """Requests that are kept back."""

    def __init__(self):
        self.routes = []
        self.is_open = False

    def take(self, route):
        if self.is_open:
            route.continue_()
        else:
            self.routes.append(route)

    def release(self):
        """Lets them go, and those to come."""
        self.is_open = True
        while self.routes:
            self.routes.pop(0).continue_()
