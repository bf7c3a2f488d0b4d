"""A proxy whose answers are those of a made-up later version: as far from this version's as the contract allows.

Every object gets another property, every word that can grow another value, and everything that `x-this-version` limits
goes beyond it. Required properties, types, dates and instants stay as they are.
"""

import http.client
import http.server
import json
import re
import threading

ADDED = {"laterProperty": {"nested": [1, None, "later"]}}
WORD = "of_a_later_version"


class LaterVersion:
    """The proxy before a service; `places` are those that it has changed: names of schemas and members."""

    def __init__(self, port, contract):
        self.target = port
        self.contract = contract
        self.places = set()
        self.paths = [
            (operation.method, re.compile(re.sub(r"\{\w+\}", "[^/]+", operation.path)), operation.path)
            for operation in contract.operations.values()
        ]
        # A path without a parameter counts more than one with.
        self.paths.sort(key=lambda path: path[2].count("{"))
        later = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                later.relay(self)

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def relay(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        connection = http.client.HTTPConnection("127.0.0.1", self.target, timeout=30)
        connection.request(handler.command, handler.path, body, dict(handler.headers))
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        content_type = answer.headers.get("Content-Type", "").split(";")[0]
        if content and content_type.endswith("json"):
            schema = self.schema(handler.command, handler.path.split("?")[0], answer.status, content_type)
            content = json.dumps(self.later(json.loads(content), schema, "")).encode()
        handler.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    def schema(self, method, path, status, content_type):
        """The schema that the contract states for the answer."""
        template = next(own for asked, form, own in self.paths if asked == method and form.fullmatch(path))
        operation = self.contract.document["paths"][template][method.lower()]
        response = self.contract.resolved(operation["responses"][str(status)])
        return response["content"][content_type]["schema"]

    def later(self, value, schema, place):
        """The value as a later version could have it."""
        if "$ref" in schema:
            place = schema["$ref"].rsplit("/", 1)[1]
            schema = self.contract.resolved(schema)
        if value is None:
            return None
        for choice in schema.get("oneOf", []):
            if choice.get("type") != "null":
                return self.later(value, choice, place)
        if isinstance(value, list):
            return [self.later(one, schema["items"], f"{place}/items") for one in value]
        if isinstance(value, dict):
            self.places.add(place)
            properties = schema.get("properties", {})
            return {
                name: self.later(one, properties[name], f"{place}/{name}") if name in properties else one
                for name, one in value.items()
            } | ADDED
        changed = beyond(value, schema)
        if changed != value:
            self.places.add(place)
        return changed


def beyond(value, schema):
    """A word or a number that this version does not have."""
    limits = schema.get("x-this-version", {})
    if isinstance(value, str):
        if "format" in schema:
            return value
        if "x-known-values" in schema or "const" in limits:
            return WORD
        if "pattern" in limits or "format" in limits:
            return f"later {value}"
        return "" if "minLength" in limits else value
    if isinstance(value, bool):
        return value
    if "x-known-values" in schema or "const" in limits:
        return 299
    if "maximum" in limits:
        return min(limits["maximum"], 2**53 - 2) + 1
    return limits["minimum"] - 1 if "minimum" in limits else value
