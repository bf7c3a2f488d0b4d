#!/usr/bin/env python3
"""The page reaches browsers as it lies in Sources/WebPage/web but for comments, and programs notice nothing of it.

`/` is HTML for a client that names `text/html`, and JSON for all others; every file of the set comes as it is and
compressed, each form under a strong tag of its own, with the fields that caches and browsers need; nothing of it is
open to other origins, counted by a rate limit, or in the log with a client's text. Metrics count it. With `--no-page`
the API is alone.
"""

import contextlib
import gzip
import hashlib
import json
import pathlib
import re
import tempfile

from kit import client, service
from kit.expecting import expect, expect_equal

WEB = service.TOP / "Sources/WebPage/web"
CHROME = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8"
SECRET = "tc_secret-in-a-query-or-a-name"
ORIGIN = "https://app.example.com"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
SECURITY = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types timeclock",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
# Fields that every answer has, of any kind.
ALWAYS = {"date", "x-request-id", "content-length"}


@contextlib.contextmanager
def served(folder, *options):
    clock = service.Service(service.built_binary(), folder, options=options)
    clock.start()
    one = client.Client(clock.port)
    yield one
    one.close()
    clock.stop()


def get(one, path, method="GET", **fields):
    return one.request(method, path, fields=[(name.replace("_", "-"), value) for name, value in fields.items()])


def to_programs(one, varies):
    """The answer that curl and others have always got at `/`, byte for byte."""
    version = get(one, "/v1/version").json["version"]
    wanted = json.dumps(
        {"name": "Timeclock", "version": version, "contract": "/openapi.yaml"}, separators=(",", ":")
    ).encode()
    for accept in (None, "*/*", "application/json", "text/*", "text/html;q=0, */*", "text/html;q=0.0"):
        answer = get(one, "/", **({} if accept is None else {"Accept": accept}))
        expect(answer.status == 200 and answer.body == wanted, f"/ for Accept: {accept}", answer)
        expect_equal(answer.fields["content-type"], "application/json", f"type of / for Accept: {accept}")
        expect_equal(answer.fields["cache-control"], "no-store", "Cache-Control of JSON")
        expect_equal(answer.fields.get("vary"), "Accept" if varies else None, "Vary of JSON")


def check_file(one, path, content, kind, caching, vary, **fields):
    """A file at its address, in both forms, by GET and HEAD, whole and known already."""
    common = {**SECURITY, "cache-control": caching, "vary": vary}
    plain = get(one, path, **fields)
    expect(plain.status == 200 and plain.body == content, f"{path} is not the file", plain)
    packed = get(one, path, Accept_Encoding="gzip, deflate, br", **fields)
    expect_equal(packed.status, 200, f"{path} with gzip")
    for answer in (plain, packed):
        expect(re.fullmatch('"[0-9a-f]{32}"', answer.fields.get("etag", "")), f"{path}: no strong tag", answer)
        coding = answer.fields.get("content-encoding")
        wanted = {**common, "content-type": kind, "etag": answer.fields["etag"]}
        wanted |= {"content-encoding": "gzip"} if coding else {}
        found = {name: value for name, value in answer.fields.items() if name not in ALWAYS}
        expect_equal(found, wanted, f"fields of {path}")
        accepted = {"Accept_Encoding": "gzip" if coding else "identity", **fields}
        head = get(one, path, "HEAD", **accepted)
        same = {name: value for name, value in answer.fields.items() if name not in ("date", "x-request-id")}
        expect(head.status == 200 and head.body == b"", f"HEAD {path}", head)
        expect_equal({name: head.fields.get(name) for name in same}, same, f"fields of HEAD {path}")
        for tag in (answer.fields["etag"], f'"other", {answer.fields["etag"]}', "*"):
            known = get(one, path, If_None_Match=tag, **accepted)
            expect(known.status == 304 and known.body == b"", f"{path} is known by {tag}", known)
            found = {name: value for name, value in known.fields.items() if name not in ALWAYS}
            expect_equal(found, {**common, "etag": answer.fields["etag"]}, f"fields of 304 for {path}")
    if "content-encoding" in packed.fields:
        expect_equal(gzip.decompress(packed.body), content, f"{path} unpacked")
        expect(len(packed.body) < len(content), f"{path} is no smaller with gzip")
        expect(packed.fields["etag"] != plain.fields["etag"], f"{path} has one tag for both forms")
        other = get(one, path, If_None_Match=plain.fields["etag"], Accept_Encoding="gzip", **fields)
        expect(other.status == 200 and other.body == packed.body, f"{path} by the tag of the other form", other)
        for refused in ("gzip;q=0, *", "identity, gzip;q=0.5", ""):
            answer = get(one, path, Accept_Encoding=refused, **fields)
            expect(answer.body == content, f"{path} for Accept-Encoding: {refused}", answer)
    else:
        expect_equal(packed.body, content, f"{path} that gzip does not make smaller")
    return len(content), len(packed.body)


def set_of(sources):
    """The set's name as the program computes it: over all names, lengths and bytes."""
    digest = hashlib.sha256()
    for name in sorted(sources):
        digest.update(f"{name} {len(sources[name])}\n".encode() + sources[name])
    return digest.hexdigest()[:12]


def sent(name, text):
    """A script or a style without the lines that only their readers need, and any other file as it is."""
    if not name.endswith((".js", ".css")):
        return text
    text = re.sub(rb"^ */\*.*?\*/\n", b"", text, flags=re.MULTILINE | re.DOTALL)
    return b"".join(line.lstrip(b" ") + b"\n" for line in text.splitlines() if not re.match(rb" *(//|$)", line))


def whole_page(one):
    sources = {path.name: path.read_bytes() for path in WEB.iterdir()}
    name_of_set = set_of(sources)
    documents = {name for name in sources if name.endswith(".html")} | {"sw.js"}
    names = sorted(sources.keys() - documents)

    def filled(name):
        text = sources[name].replace(b"{{set}}", name_of_set.encode())
        return text.replace(b"{{assets}}", json.dumps(names, separators=(",", ":")).encode())

    html, script = TYPES[".html"], TYPES[".js"]
    check_file(one, "/", filled("page.html"), html, "no-cache", "Accept, Accept-Encoding", Accept=CHROME)
    check_file(
        one, "/?language=de", filled("page.html"), html, "no-cache", "Accept, Accept-Encoding", Accept="text/html"
    )
    check_file(one, "/sw.js", filled("sw.js"), script, "no-cache", "Accept-Encoding")
    sizes = []
    for name in names:
        kind = TYPES[pathlib.PurePath(name).suffix]
        path = f"/assets/{name_of_set}/{name}"
        caching = "public, max-age=31536000, immutable"
        sizes.append(check_file(one, path, sent(name, sources[name]), kind, caching, "Accept-Encoding"))
    return name_of_set, names, [sum(column) for column in zip(*sizes)]


def not_there(one, name_of_set, names):
    paths = [
        f"/assets/{'0' * 12}/{names[0]}",
        f"/assets/{name_of_set.upper() + '0'}/{names[0]}",
        f"/assets/{name_of_set}/{SECRET}.js",
        f"/assets/{name_of_set}/page.html",
        f"/assets/{name_of_set}/sw.js",
        f"/assets/{name_of_set}/",
        f"/assets/{name_of_set}/..%2f{names[0]}",
        f"/assets/{name_of_set}/x/{names[0]}",
        f"/assets/{name_of_set}",
        "/assets/",
        "/assets",
        "/sw.js/",
        "/page.html",
        "/kiosk",
    ]
    for path in paths:
        answer = get(one, path, Accept="text/html")
        expect(answer.status == 404 and answer.code == "no_such_route", f"{path} is there", answer)
        expect_equal(answer.fields["cache-control"], "no-store", f"Cache-Control of {path}, which is not there")
    for path in ("/", "/sw.js", f"/assets/{name_of_set}/{names[0]}"):
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            answer = get(one, path, method, Accept="text/html")
            expect(answer.status == 405 and answer.code == "method_not_allowed", f"{method} {path}", answer)
            expect_equal(answer.fields["allow"], "GET, HEAD", f"Allow of {path}")


def other_origins(folder):
    """A page of an allowed origin calls the API, and reads nothing of the page. No limit stops a page that loads."""
    with served(folder, "--cors-origin", ORIGIN, "--rate-limit", "3") as one:
        name_of_set = re.search(rb"/assets/([0-9a-f]{12})/", get(one, "/", Accept=CHROME).body)[1].decode()
        asset = f"/assets/{name_of_set}/page.css"
        for path, accept in (("/", CHROME), ("/sw.js", "*/*"), (asset, "*/*")):
            for _ in range(5):
                answer = get(one, path, Accept=accept, Origin=ORIGIN)
                expect_equal(answer.status, 200, f"{path} again and again")
                found = [name for name in answer.fields if name.startswith(("access-control", "ratelimit"))]
                expect_equal(found, [], f"fields of {path}")
        for path in ("/sw.js", asset):
            answer = get(one, path, "OPTIONS", Origin=ORIGIN, Access_Control_Request_Method="GET")
            expect_equal(answer.status, 405, f"a preflight request for {path}")
        answer = get(one, "/", Accept="application/json", Origin=ORIGIN)
        expect_equal(answer.fields.get("access-control-allow-origin"), ORIGIN, "the origin at the API's /")


def without_page(folder, *options):
    with served(folder, *options) as one:
        to_programs(one, varies=False)
        wanted = get(one, "/").body
        answer = get(one, "/", Accept=CHROME)
        expect(answer.status == 200 and answer.body == wanted, "JSON for a browser where there is no page", answer)
        expect_equal(answer.fields["content-type"], "application/json", "the type where there is no page")
        for path in ("/sw.js", f"/assets/{set_of({path.name: path.read_bytes() for path in WEB.iterdir()})}/page.css"):
            answer = get(one, path, Accept=CHROME)
            expect(answer.status == 404 and answer.code == "no_such_route", f"{path} without the page", answer)


def metrics(port, assets):
    """The page's answers are counted under names of their own."""
    one = client.Client(port)
    text = get(one, "/metrics").body.decode()
    one.close()
    for name, least in (("page", 1), ("pageWorker", 1), ("pageAsset", assets)):
        row = f'timeclock_request_duration_seconds_count{{operation="{name}",status="2xx"}}'
        found = re.search(rf"^{re.escape(row)} (\d+)$", text, re.MULTILINE)
        expect(found and int(found[1]) >= least, f"the metrics of {name}", found and found[0])


def log_lines(folder):
    """Each answer has its line, under a name of its own, and nothing that a client chose is in it."""
    log = (pathlib.Path(folder) / "server.log").read_text()
    for name in ("page", "pageWorker", "pageAsset", "getService"):
        expect(re.search(rf"request operation={name} method=GET status=200 ", log), f"no line of {name}")
    expect(re.search("request operation=pageAsset method=GET status=404 ", log), "no line of what is not there")
    expect(SECRET not in log and "language=de" not in log, "the log has what a client sent")


def main():
    with tempfile.TemporaryDirectory() as folder:
        port = service.free_port()
        with served(folder, "--metrics-listen", f"127.0.0.1:{port}") as one:
            to_programs(one, varies=True)
            one.connect()
            first = one.socket
            name_of_set, names, (size, packed) = whole_page(one)
            get(one, f"/?token={SECRET}", Accept=CHROME)
            not_there(one, name_of_set, names)
            to_programs(one, varies=True)
            expect(one.socket is first, "the connection did not stay open")
            metrics(port, len(names))
        log_lines(folder)
        other_origins(folder)
        without_page(folder, "--no-page")
    print(f"page: {len(names)} assets, {size} bytes, {packed} as gzip, set {name_of_set}")


main()
