"""Cases of bytes that a client may send, read from http_cases/*.json, and the bytes of each.

A file has groups, a group has cases; a group's members hold for each of its cases without their own:

    name      what is special about it
    section   where that is from: `9112-6.3` is RFC 9112, section 6.3
    level     MUST or SHOULD, as the RFC has it; OURS where the RFC leaves a choice, or nothing is said, and the
              service has chosen
    form      the bytes of a group's cases, with ‹› where each puts what is in its
    with      bytes
    send      all bytes of a case without a form
    exchange  bytes, and answers that have to come before the next bytes are sent
    status    of the one answer, or a list of those that are right
    answers   the same for any number of answers
    then      `open`: the next request is answered; `closed`: it is not, and not executed either; `waiting`: there
              is no answer, because the request is not complete
    methods   of the requests, where the first word does not say it: the answer to a HEAD has no content
    fields    what the last answer has to have
    absent    what it must not have
    content   part of its content
    excludes  what its content must not have

In bytes, a character is the byte of its number, and there are names for values not known before:

    ‹a×3›                            aaa
    ‹token›  ‹organization›  ‹member›   an admin's token, the path of the organization, the admin's id
    ‹poison›                         a request that makes an entry; nobody may take it for one, so it must not be made
    ‹poison-length›  ‹poison-hex›    how many bytes that is
"""

import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent / "http_cases"
LEVELS = ["MUST", "SHOULD", "OURS"]
THEN = ["open", "closed", "waiting"]
KNOWN = {
    "name",
    "section",
    "level",
    "form",
    "with",
    "send",
    "exchange",
    "status",
    "answers",
    "then",
    "methods",
    "fields",
    "absent",
    "content",
    "excludes",
    "about",
}
NAMED = re.compile("‹([^‹›]*)›", re.DOTALL)


class World:
    """The values of the names in the cases."""

    def __init__(self, organization):
        self.token = organization["token"]
        self.path = f"/v1/organizations/{organization['organizationID']}"
        self.member = organization["userId"]

    def poison(self, title):
        """A request that makes a session of this title, which is how one sees that it was executed."""
        body = json.dumps({"date": "2026-11-21", "title": title})
        return (
            f"POST {self.path}/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        )

    def bytes(self, text, poison):
        """The bytes that a text with names stands for; `poison` is the request that is meant by the name."""

        def meaning(match):
            name = match[1]
            if "×" in name:
                part, _, count = name.rpartition("×")
                return part * int(count)
            return {
                "token": self.token,
                "organization": self.path,
                "member": self.member,
                "poison": poison,
                "poison-length": str(len(poison)),
                "poison-hex": f"{len(poison):x}",
            }[name]

        return NAMED.sub(meaning, text).encode("latin-1")


class Case:
    """One case. `steps` are pairs of a text to send and the answers that it has to get, each a list of statuses."""

    def __init__(self, file, settings):
        unknown = settings.keys() - KNOWN
        assert not unknown, f"{file}: {unknown}"
        self.file = file
        self.name = settings["name"]
        self.section = settings["section"]
        self.level = settings["level"]
        self.then = settings["then"]
        assert self.level in LEVELS and self.then in THEN, f"{file}: {self.name}"
        assert re.fullmatch(r"[0-9]{4}-[0-9]+(\.[0-9]+)*", self.section), f"{file}: {self.name}: {self.section}"
        self.steps = steps(settings)
        self.fields = settings.get("fields", {})
        self.absent = settings.get("absent", [])
        self.content = settings.get("content")
        self.excludes = settings.get("excludes")
        self.methods = settings.get("methods") or [self.steps[0][0].lstrip("\r\n").partition(" ")[0]]
        self.version = "1.0" if " HTTP/1.0\r\n" in self.steps[0][0].partition("\r\n")[0] + "\r\n" else "1.1"

    def method(self, index):
        """The method of the request that the answer of this number is for."""
        return self.methods[index] if index < len(self.methods) else "GET"

    def __str__(self):
        return f"{self.file}: {self.name} (RFC {self.section.replace('-', ', ', 1)}, {self.level})"


def steps(settings):
    if "exchange" in settings:
        found = []
        for part in settings["exchange"]:
            if isinstance(part, str):
                found.append((part, []))
            else:
                found[-1][1].append(statuses(part))
        return found
    text = settings["send"] if "send" in settings else settings["form"].replace("‹›", settings["with"])
    answers = settings["answers"] if "answers" in settings else [settings["status"]]
    return [(text, [statuses(answer) for answer in answers])]


def statuses(value):
    return value if isinstance(value, list) else [value]


def load(only=""):
    """All cases whose file, section or name holds this, in order."""
    cases = []
    for path in sorted(FOLDER.glob("*.json")):
        for group in json.loads(path.read_text())["groups"]:
            common = {key: value for key, value in group.items() if key not in ("cases", "about")}
            cases += [Case(path.stem, without_common_bytes(common, settings) | settings) for settings in group["cases"]]
    names = [(case.file, case.name, case.steps[0][0]) for case in cases]
    assert len(set(names)) == len(names), "a case is there twice"
    return [case for case in cases if only in str(case)]


def without_common_bytes(common, settings):
    """A group's text, but for the parts that the case replaces."""
    left_out = set()
    if "send" in settings or "exchange" in settings:
        left_out.add("form")
    if "status" in settings:
        left_out.add("answers")
    return {key: value for key, value in common.items() if key not in left_out}
