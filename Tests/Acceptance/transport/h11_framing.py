"""How h11, a parser that shares nothing with the server, frames the bytes of a connection; and where the two may differ.

h11 decides where a request and its content end. Two things it leaves to this module: it takes an empty line before a
request for a broken request line, where RFC 9112, section 2.2, lets a server skip some; and it does not keep
connections of HTTP/1.0 open, as RFC 9112, section 9.3, does when the client asks for it.
"""

import re

import h11

# Longer than anything that is sent: the limits are the server's.
BUFFER_BYTES = 1 << 22
# Empty lines that the server skips before a request.
EMPTY_LINES = 4


class Message:
    """A request as h11 reads it. `raw` are all its bytes, with empty lines before it."""

    def __init__(self, request, content, raw):
        self.method = request.method.decode()
        self.target = request.target
        self.content = content
        self.raw = raw
        options = [
            option.strip()
            for name, value in request.headers
            if name == b"connection"
            for option in value.lower().split(b",")
        ]
        is_old = request.http_version == b"1.0"
        self.closes = b"close" in options or (is_old and b"keep-alive" not in options)


class Framing:
    """h11's reading of a connection's bytes: whole requests, and why there are no more.

    `end` is `complete` if nothing is left, `incomplete` if more has to come, `closed` behind a request that closes the
    connection, or `refused` with h11's `reason`; `rest` are the bytes from there on.
    """

    def __init__(self, data):
        self.messages = []
        self.reason = None
        while True:
            self.rest = data
            for _ in range(EMPTY_LINES):
                data = data.removeprefix(b"\r\n")
            if not data:
                self.end = "complete"
                return
            try:
                message, data = self.first(data)
            except h11.RemoteProtocolError as error:
                self.end = "refused"
                self.reason = f"{self.stage}: {error}"
                return
            if message is None:
                self.end = "incomplete"
                return
            self.messages.append(message)
            if message.closes:
                self.end = "closed"
                return

    def first(self, data):
        """The first request and the bytes after it; None if it is not complete."""
        connection = h11.Connection(h11.SERVER, max_incomplete_event_size=BUFFER_BYTES)
        connection.receive_data(data)
        request = None
        content = b""
        self.stage = "head"
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Request):
                request = event
                self.stage = "content"
            elif isinstance(event, h11.Data):
                content += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                rest = connection.trailing_data[0]
                return Message(request, content, self.rest[: len(self.rest) - len(rest)]), rest
            else:
                return None, data


# Requests that the server refuses and h11 takes: the server's words, the evidence in the request's bytes, and the
# reason that decides for the server.
SERVER_IS_STRICTER = [
    (
        "A CR or LF stands alone.",
        rb"(?<!\r)\n|\r(?!\n)",
        "9112-2.2: a bare CR is invalid; a bare LF may be taken for a line's end, and servers disagree on it",
    ),
    (
        "A field line begins with white space.",
        rb"\n[ \t]",
        "9112-5.2: a server refuses obs-fold, or replaces it; h11 does the second",
    ),
    ("A field line does not begin with a field name and a colon.", rb"\n[ \t]", "9112-5.2: the same, in trailers"),
    (
        "Content-Length is empty.",
        rb"(?i)\ncontent-length:[ \t]*\r?\n[ \t]",
        "9112-5.2: the same, with its value on the next line",
    ),
    (
        "A field value holds a control character.",
        rb"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]",
        "9110-5.5: a field value has no control characters but tab",
    ),
    (
        "The request target holds a character that a URI may not hold unescaped.",
        rb"",
        "9112-3.2: the target is one of four forms of RFC 3986; h11 takes any visible characters",
    ),
    (
        "The request target is neither a path nor an http URI.",
        rb"",
        "9112-3.2: the target is one of four forms of RFC 3986; h11 takes any visible characters",
    ),
    (
        "The request target's authority is not a host with an optional port.",
        rb"://",
        "9110-4.2: an http URI has a host, and no user information",
    ),
    (
        "Host is not a host with an optional port.",
        rb"(?i)\nhost:",
        "9112-3.2: an invalid Host is refused; h11 only counts them",
    ),
    (
        "There is no Host.",
        rb"HTTP/1\.[2-9]",
        "9112-3.2 with 9110-2.5: a higher minor version is read as HTTP/1.1, which needs a Host",
    ),
    (
        "There is more than one Content-Length.",
        rb"(?is)\ncontent-length:.*\ncontent-length:",
        "9112-6.3: the same value twice may be taken as one or refused",
    ),
    (
        "There is more than one Content-Type.",
        rb"(?is)\ncontent-type:.*\ncontent-type:",
        "9110-8.3: content has one type; recipients that take the first and those that take the last differ",
    ),
    (
        "Content-Length is not a number in plain digits.",
        rb"(?i)\ncontent-length:[^\n]*,",
        "9112-6.3: a list of the same value may be taken as one or refused",
    ),
    (
        "Content-Length is beyond any length.",
        rb"[0-9]{19}",
        "9110-8.6: a recipient anticipates large numbers and does not overflow",
    ),
    (
        "Content-Length and Transfer-Encoding exclude each other.",
        rb"(?is)(content-length:.*transfer-encoding:|transfer-encoding:.*content-length:)",
        "9112-6.1: a server may refuse both together, or let Transfer-Encoding win; h11 does the second",
    ),
    (
        "HTTP/1.0 has no Transfer-Encoding.",
        rb"(?is)HTTP/1\.0.*transfer-encoding:",
        "9112-6.1: a server treats this framing as faulty",
    ),
    (
        "A chunk size has too many digits.",
        rb"[0-9A-Fa-f]{9}",
        "9112-7.1: a recipient anticipates large numbers and does not overflow; h11 takes twenty digits",
    ),
    (
        "A chunk size is followed by something that is no chunk extension.",
        rb"\n[0-9A-Fa-f]+[ \t;]",
        "9112-7.1.1: extensions have a grammar; h11 takes anything behind a semicolon, and white space at the end",
    ),
    ("A chunk size or its extensions are too long.", rb";", "9112-7.1.1: a server limits the length of extensions"),
    ("The request's content is too large.", rb"", "9110-15.5.14: a server may refuse long content"),
    (
        "The request line is too long.",
        rb"[^\n]{8193}",
        "9112-3: a server refuses a longer target than it wishes to parse",
    ),
    (
        "The request's header fields are too many or too large.",
        rb"(?s).{8192}|([^\n]*\n){101}",
        "9110-5.4: a server refuses longer fields than it wishes to process",
    ),
    (
        "The only expectation this server meets is 100-continue.",
        rb"(?i)\nexpect:",
        "9110-10.1.1: a server may refuse another expectation",
    ),
    ("This server does not implement CONNECT.", rb"^(\r\n)*CONNECT ", "9110-9.3.6: an origin server opens no tunnels"),
    (
        "This server speaks HTTP/1.0 and HTTP/1.1.",
        rb"HTTP/[02-9]",
        "9110-15.6.6: another major version is not supported; h11 takes any digits",
    ),
    ("The server holds as much request content as it can.", rb"", "9110-15.6.4: a server may be overloaded"),
]

# Requests that h11 refuses and the server takes: h11's words, the evidence in the bytes, and the reason that decides
# for the server.
H11_IS_STRICTER = [
    (
        r"head: Only Transfer-Encoding: chunked is supported",
        rb"(?i)\ntransfer-encoding:[ \t]*(,[^\n]*)?chunked[ \t,]*\r|\ntransfer-encoding:[ \t]*,",
        "9110-5.6.1.2: a recipient ignores empty elements of a list",
    ),
    (
        r"head: (multiple Transfer-Encoding headers|Only Transfer-Encoding: chunked is supported)",
        rb"(?i)\ntransfer-encoding:[ \t,]*\r\n",
        "9110-5.3 with 5.6.1.2: several fields are one list, whose empty elements are ignored",
    ),
    (
        r"head: bad Content-Length",
        rb"(?i)\ncontent-length:[ \t]*0+[0-9]{0,18}[ \t]*\r",
        "9110-8.6: any number of digits; h11 takes twenty",
    ),
    (
        r"content: (bad Content-Length|conflicting Content-Length|Only Transfer-Encoding|multiple Transfer-Encoding)",
        rb"(?i)\n(content-length|transfer-encoding):",
        "9110-6.5.1: trailers do not frame; h11 reads them as it reads fields",
    ),
    (
        r"content: illegal chunk header",
        rb"\n[0-9A-Fa-f]{1,8}[ \t]+;",
        "9112-7.1.1: bad white space before a semicolon has to be parsed",
    ),
]


def decided_for_server(table, said, raw):
    """The reason that decides for the server if the two differ; None without one, which is a finding."""
    for words, evidence, reason in table:
        is_said = said == words if table is SERVER_IS_STRICTER else re.match(words, said)
        if is_said and re.search(evidence, raw):
            return reason
    return None
