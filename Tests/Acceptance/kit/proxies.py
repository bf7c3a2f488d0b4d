"""Real nginx and HAProxy before a server, started with the configurations of deploy/, on loopback ports of their own."""

import atexit
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import time

from kit import client, raw_http, service

DEPLOY = service.TOP / "deploy"
# The proxies' address, which the server trusts.
ADDRESS = "127.0.0.1"
NGINX = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  include {site};
}}
"""


def substituted(text, *changes):
    """The text of a configuration with ports and paths changed, each of which is there exactly once."""
    for pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, text, flags=re.M)
        assert count == 1, f"{pattern} is there {count} times"
    return text


class Proxy:
    """A proxy in front of a server's port, or of several; use it in a `with`. Its log is FOLDER/error.log."""

    def __init__(self, folder, *server_ports):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.server_ports = server_ports
        self.port = service.free_port()
        self.process = None
        self.certificate = self.make_certificate()

    def make_certificate(self):
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=clock.example.com",
                "-keyout",
                key,
                "-out",
                certificate,
            ],
            check=True,
            capture_output=True,
        )
        (self.folder / "both.pem").write_text(certificate.read_text() + key.read_text())
        return certificate

    def __enter__(self):
        log = open(self.folder / "error.log", "ab")
        self.process = subprocess.Popen(self.command(), stdout=log, stderr=log, cwd=self.folder)
        atexit.register(self.process.kill)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with self.connection("127.0.0.1") as one:
                    one.send(b"GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    if (answer := one.answer()) and answer.status == 200:
                        return self
            except (OSError, raw_http.Malformed):
                pass
            time.sleep(0.05)
        raise SystemExit(f"{self.name} does not answer; {(self.folder / 'error.log').read_text()}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=20)

    def connection(self, source, timeout=raw_http.TIMEOUT_SECONDS):
        """A connection by TLS from a loopback address, on which any bytes can be sent."""
        return EncryptedConnection(self.port, source, timeout)


class EncryptedConnection(raw_http.RawConnection):
    """A raw connection by TLS, from a loopback address of choice, to a certificate that nobody has signed."""

    CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    CONTEXT.check_hostname = False
    CONTEXT.verify_mode = ssl.CERT_NONE

    def __init__(self, port, source, timeout):
        plain = socket.create_connection(("127.0.0.1", port), timeout, source_address=(source, 0))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = self.CONTEXT.wrap_socket(plain, server_hostname="clock.example.com")
        self.received = bytearray()
        self.has_ended = False
        self.was_reset = False

    def send(self, data):
        try:
            return super().send(data)
        except ssl.SSLError:
            return False

    def fill(self):
        try:
            return super().fill()
        except ssl.SSLError:
            # An end without a farewell is an end.
            self.has_ended = True
            return False


class EncryptedClient(client.Client):
    """A client's connection by TLS, to a certificate that nobody has signed."""

    def connect(self):
        if self.socket:
            return
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout, self.source)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = EncryptedConnection.CONTEXT.wrap_socket(plain, server_hostname="clock.example.com")
        self.stream = self.socket.makefile("rb")


class Nginx(Proxy):
    name = "nginx"

    def command(self):
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        servers = "\n".join(f"  server 127.0.0.1:{port};" for port in self.server_ports)
        stickiness = [(r"#hash ", "hash ")] if len(self.server_ports) > 1 else []
        site = substituted(
            (DEPLOY / "nginx.conf").read_text(),
            (r"^  server 127\.0\.0\.1:8080;", servers),
            *stickiness,
            (r"listen 443 ", f"listen 127.0.0.1:{self.port} "),
            (r"/etc/ssl/clock\.pem", str(self.certificate)),
            (r"/etc/ssl/clock\.key", f"{self.folder}/key.pem"),
        )
        (self.folder / "timeclock.conf").write_text(site)
        user = "user root;" if os.geteuid() == 0 else ""
        main = NGINX.format(folder=self.folder, user=user, site=self.folder / "timeclock.conf")
        (self.folder / "nginx.conf").write_text(main)
        return [program, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]


class HAProxy(Proxy):
    name = "HAProxy"

    def command(self):
        program = shutil.which("haproxy") or "/usr/sbin/haproxy"
        servers = "\n".join(
            f"  server server{number} 127.0.0.1:{port} check" for number, port in enumerate(self.server_ports, start=1)
        )
        text = substituted(
            (DEPLOY / "haproxy.cfg").read_text(),
            (r"^  server one 127\.0\.0\.1:8080 check$", servers),
            (r"bind :443 ", f"bind 127.0.0.1:{self.port} "),
            (r"/etc/haproxy/clock\.pem", f"{self.folder}/both.pem"),
        )
        (self.folder / "haproxy.cfg").write_text(text)
        return [program, "-db", "-f", str(self.folder / "haproxy.cfg")]
