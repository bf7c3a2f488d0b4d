"""Random requests: most of them valid, some wrong in one thing or another, and then mutated."""

import json

METHODS = ["GET"] * 6 + ["HEAD"] * 2 + ["POST"] * 4 + ["PUT", "DELETE", "OPTIONS", "PATCH", "BREW", "get", "TRACE"]
TARGETS = ["/health/live"] * 6 + ["/nowhere", "/", "http://a/health/live", "https://b:8080/", "*", "/a?b=c", "/a%20b"]
WRONG_TARGETS = ["a", "/a|b", "/a#b", "http://", "http://me@a/", "/\u00e9", "/%zz", "a:80", "//", "ftp://a/"]
VERSIONS = (
    ["HTTP/1.1"] * 60 + ["HTTP/1.0"] * 2 + ["HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.10", "HTTP/1"]
)
HOSTS = ["a"] * 8 + ["a.example:8080", "[::1]", "", "a b", "me@a", "a:b", "[::1", "a:65536"]
FIELDS = [
    "X: y",
    "X:",
    "X: \t y ",
    "Accept: */*",
    "Connection: keep-alive",
    "Connection: close",
    "Connection: x, close",
    "Connection: Upgrade\r\nUpgrade: h2c",
    "Expect: 100-continue",
    "Expect: x",
    "TE: trailers",
    "Host: b",
    "A : b",
    "A: b\r\n c",
    "A: b\nC: d",
    "A: b\rc",
    "A: \x01",
    "A: \x00",
    "A",
    ": b",
    "A: \u00ff",
    "Keep-Alive: 5",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: identity",
    "Content-Length: 0",
    "Content-Length: 5",
]
LENGTHS = [
    "{}",
    "{}",
    "{}",
    "0{}",
    " {} ",
    "+{}",
    "-{}",
    "{}, {}",
    "{},",
    "{}.0",
    "0x{}",
    "{}\r\nContent-Length: {}",
    "",
    "99999999999999999999",
    "{}\r\nContent-Length: 1",
]
CODINGS = ["chunked"] * 8 + [
    "Chunked",
    " chunked\t",
    "chunked,",
    ",chunked",
    "chunked, chunked",
    "gzip, chunked",
    "identity",
    "chunked, identity",
    "chunked;a=b",
    "xchunked",
    "",
    "chunked\r\nTransfer-Encoding: chunked",
    "\r\nTransfer-Encoding: chunked",
    "\x0bchunked",
    '"chunked"',
    "chunked\r\nContent-Length: 3",
]
EXTENSIONS = [""] * 10 + [";a", ";a=b", ';a="b;c"', " ; a = b", ";", ";a=", " ", "\t", ";\n", ";a\r", ';a="b', "\x00"]
SIZES = ["{:x}"] * 12 + ["{:X}", "0{:x}", "000000000{:x}", "0x{:x}", "+{:x}", " {:x}", "{:x}g", "-{:x}", ""]
LINE_ENDS = ["\r\n"] * 20 + ["\n", "\r", "\r\r\n", "\n\r", ""]
TRAILERS = [""] * 8 + [
    "A: b\r\n",
    "Content-Length: 5\r\n",
    "Content-Length: x\r\n",
    "Transfer-Encoding: gzip\r\n",
    "A : b\r\n",
    "A\r\n",
    "A: b\r\n c\r\n",
    "Host: b\r\n",
    "\n",
]
PIECES = [
    "\r\n",
    "\n",
    "\r",
    " ",
    "\t",
    "\x00",
    "\x0b",
    "\x7f",
    ":",
    ",",
    ";",
    "=",
    '"',
    "0",
    "1",
    "f",
    "+",
    "-",
    "0x",
    "\u00ff",
    "Content-Length: 1\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding",
    "chunked",
    "Host: a\r\n",
    "Connection: close\r\n",
    "HTTP/1.1",
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "0\r\n\r\n",
    "5\r\nhello\r\n",
    "\r\n\r\n",
    " \r\n",
]


class Generator:
    """Makes the bytes of whole connections."""

    def __init__(self, random, world, cases):
        self.random = random
        self.world = world
        # Of cases that are not long; long ones show limits, and not where a request ends.
        self.texts = [text for case in cases for text, _ in case.steps if "×" not in text and len(text) < 2000]

    def connection(self):
        """A few requests, mutated or not, and at the end one that shows whether those before it were framed alike."""
        pick = self.random
        if pick.random() < 0.25:
            inner = self.world.poison(self.title())
            data = self.world.bytes(pick.choice(self.texts), inner)
        else:
            data = b"".join(self.request() for _ in range(pick.choice([1, 1, 1, 2, 3])))
        if pick.random() < 0.2:
            data = self.request() + data
        for _ in range(pick.choice([0, 0, 0, 1, 1, 2])):
            data = self.mutated(data)
        if pick.random() < 0.9:
            data += self.world.poison(self.title()).encode()
        return data

    def title(self):
        return f"{self.random.getrandbits(64):016x}"

    def request(self):
        pick = self.random
        if pick.random() < 0.3:
            method, target = "POST", self.world.path + "/sessions"
            content = json.dumps({"date": "2026-11-21", "title": self.title()})
            lines = [f"Authorization: Bearer {self.world.token}", "Content-Type: application/json"]
        else:
            method = pick.choice(METHODS)
            target = pick.choice(TARGETS if pick.random() < 0.97 else WRONG_TARGETS)
            content = pick.choice(
                ["", "", "hello", "0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n", "\x00\u00ff"]
            )
            lines = []
        version = pick.choice(VERSIONS)
        if pick.random() < 0.98:
            lines.append(f"Host: {pick.choice(HOSTS) if pick.random() < 0.1 else 'a'}")
        lines += [pick.choice(FIELDS) for _ in range(pick.choice([0, 0, 0, 0, 1, 2]))]
        framed = content
        way = pick.random()
        if way < 0.45 and content:
            length = len(content) + (pick.choice([-1, 1]) if pick.random() < 0.05 else 0)
            form = pick.choice(LENGTHS) if pick.random() < 0.2 else "{}"
            lines.append("Content-Length: " + form.replace("{}", str(length)))
        elif way < 0.95 and content:
            lines.append(f"Transfer-Encoding: {pick.choice(CODINGS) if pick.random() < 0.2 else 'chunked'}")
            framed = self.chunked(content)
        pick.shuffle(lines)
        head = self.line_end().join([f"{method} {target} {version}", *lines]) + self.line_end() + self.line_end()
        return (head + framed).encode("latin-1")

    def chunked(self, content):
        pick = self.random
        is_faulty = pick.random() < 0.25
        text = ""
        while content:
            count = pick.randint(1, len(content))
            size = pick.choice(SIZES) if is_faulty else "{:x}"
            extension = pick.choice(EXTENSIONS) if is_faulty else ""
            end = self.line_end() if is_faulty else "\r\n"
            text += size.format(count) + extension + "\r\n" + content[:count] + end
            content = content[count:]
        last = pick.choice(["0", "0", "000", "0;a", "00000000000", ""]) if is_faulty else "0"
        return text + last + "\r\n" + (pick.choice(TRAILERS) if is_faulty else "") + "\r\n"

    def line_end(self):
        return self.random.choice(LINE_ENDS) if self.random.random() < 0.005 else "\r\n"

    def mutated(self, data):
        """One thing is put in, left out, doubled, exchanged or changed."""
        pick = self.random
        if not data:
            return data
        start = self.place(data)
        end = min(len(data), start + pick.choice([1, 1, 1, 2, 5, 30]))
        way = pick.randrange(7)
        if way == 0:
            return data[:start] + pick.choice(PIECES).encode("latin-1") + data[start:]
        if way == 1:
            return data[:start] + data[end:]
        if way == 2:
            return data[:start] + bytes([pick.randrange(256)]) + data[start + 1 :]
        if way == 3:
            return data[:end] + data[start:]
        if way == 4:
            return data[:start] + data[start:end].swapcase() + data[end:]
        lines = data.split(b"\r\n")
        first, second = pick.randrange(len(lines)), pick.randrange(len(lines))
        if way == 5:
            lines[first], lines[second] = lines[second], lines[first]
        else:
            lines.insert(first, lines[second])
        return b"\r\n".join(lines)

    def place(self, data):
        """Any place, more often one at a line's end or a colon, where most is decided."""
        pick = self.random
        if pick.random() < 0.6:
            return pick.randrange(len(data))
        marks = [index for index, byte in enumerate(data) if byte in b"\r\n:"]
        if not marks:
            return pick.randrange(len(data))
        return max(0, min(len(data) - 1, pick.choice(marks) + pick.choice([-1, 0, 1])))
