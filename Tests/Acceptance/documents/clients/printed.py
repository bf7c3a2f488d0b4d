"""The blocks of code that docs/wire-your-app.md prints for generated clients, unchanged, and the frames that make
programs of them, and their expected output."""

import re
import subprocess

from kit import client, service

PAGE = service.TOP / "docs/wire-your-app.md"


def block(language):
    """The page's one block of a language."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    assert len(found) == 1, f"{PAGE.name} has {len(found)} blocks in {language}"
    return found[0]


def swift():
    """A main.swift: the block takes the address, the token and the organization from variables."""
    names = ("api", "token", "organization")
    values = "\n".join(f'let {name} = ProcessInfo.processInfo.environment["{name.upper()}"]!' for name in names)
    return f"import Foundation\nimport TimeclockClient\n\n{values}\n\n{block('swift')}"


def python():
    names = ("API", "TOKEN", "ORGANIZATION")
    return "import os\n\n" + "".join(f'{name} = os.environ["{name}"]\n' for name in names) + "\n" + block("py")


def typescript():
    names = ("api", "token", "organization")
    values = "\n".join(f"const {name}: string = (globalThis as any).process.env.{name.upper()};" for name in names)
    return f"{values}\n{block('ts')}"


def go():
    """The whole program stands there."""
    return block("go")


def do_what_they_say(command, office, **environment):
    """Runs a block's program if the member is clocked out, if they are clocked in, and both at the later version, whose
    codes it does not know."""
    asked = client.Client(int(office.api.rsplit(":", 1)[1]))
    granted = asked.request("POST", "/v1/auth/token", None, {"email": office.email, "password": office.password})
    token, entries = granted.json["token"], f"/v1/organizations/{office.organization}/timeEntries"
    for address, expected in [
        (office.api, ("clocked in at", "clocked in since")),
        (office.later, ("clocked in at", "")),
    ]:
        for words in expected:
            settings = {"API": address, "TOKEN": token, "ORGANIZATION": office.organization}
            said = subprocess.run(
                list(map(str, command)), env=environment | settings, capture_output=True, text=True, timeout=120
            )
            is_right = said.returncode == 0 and said.stdout.startswith(words) and bool(said.stdout) == bool(words)
            assert is_right, f"{command} at {address}: not {words!r} but {said}"
        ended = asked.request("POST", f"{entries}/clockOut", token)
        assert ended.status == 200, ended
    asked.close()
