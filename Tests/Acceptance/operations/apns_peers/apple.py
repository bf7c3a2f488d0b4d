"""A service in Apple's place: HTTP/2 over TLS on loopback, which keeps its messages and answers as set."""

import asyncio
import collections
import dataclasses
import datetime
import ipaddress
import json
import ssl
import threading
import time

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

# A server has one of them, which shows which of several has sent a message.
KEY_IDS = ("ABC123DEFG", "ABC123DEFH")
TEAM_ID = "DEF123GHIJ"
# Only a message that never comes takes this long.
PATIENCE = 15


@dataclasses.dataclass
class Message:
    """A request as it came, and the status that it was answered; 0 if it was not."""

    time: float
    path: str
    fields: dict
    body: bytes
    status: int
    fault: str | None = None
    # The identifier of the sender's key.
    sender: str | None = None

    @property
    def token(self):
        return self.path.rsplit("/", 1)[-1]

    @property
    def aps(self):
        return json.loads(self.body)["aps"]

    @property
    def event(self):
        return self.aps.get("event", "alert")


class Apple:
    """Use it in a `with`; `folder` gets the certificate and the sender's key."""

    def __init__(self, folder):
        self.folder = folder
        self.certificate, self.key_file = folder / "apple.pem", folder / "AuthKey.p8"
        self.messages = []
        # Answers by tokens, each for one message: status, word, fields. The status 0 is none: the sender waits.
        self.answers = collections.defaultdict(collections.deque)
        self.news = threading.Condition()
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.key_file.write_bytes(
            self.key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        self._make_certificate()

    def _make_certificate(self):
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
        now = datetime.datetime.now(datetime.UTC)
        address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
        made = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([address]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        self.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        self.secret = self.folder / "apple.key"
        self.secret.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )

    def options(self, key_id=KEY_IDS[0]):
        """Those of a server that sends here."""
        return [
            *("--apns-key-file", str(self.key_file), "--apns-key-id", key_id, "--apns-team-id", TEAM_ID),
            *("--apns-host", f"127.0.0.1:{self.port}", "--apns-ca-file", str(self.certificate)),
        ]

    def __enter__(self):
        ready = threading.Event()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self._stop)
        self.thread.join()

    def _stop(self):
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.call_soon(self.loop.stop)

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.secret)
        context.set_alpn_protocols(["h2"])
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()

    async def _serve(self, reader, writer):
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        requests = {}
        try:
            while data := await reader.read(65_536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        requests[event.stream_id] = (dict(event.headers), bytearray())
                    elif isinstance(event, h2.events.DataReceived):
                        requests[event.stream_id][1].extend(event.data)
                        connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    elif isinstance(event, h2.events.StreamEnded):
                        self._answer(connection, event.stream_id, *requests.pop(event.stream_id))
                writer.write(connection.data_to_send())
                await writer.drain()
        except (ConnectionError, h2.exceptions.ProtocolError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def _answer(self, connection, stream, fields, body):
        message = Message(time.time(), fields[":path"], fields, bytes(body), 200)
        message.fault, message.sender = self._judge_sender(message)
        answers = self.answers[message.token]
        status, word, more = answers.popleft() if answers else (200, None, {})
        if message.fault:
            status, word, more = 403, "InvalidProviderToken", {}
        message.status = status
        content = json.dumps({"reason": word}).encode() if word else b""
        if status:
            connection.send_headers(stream, [(":status", str(status)), *more.items()], end_stream=not content)
        if content:
            connection.send_data(stream, content, end_stream=True)
        with self.news:
            self.messages.append(message)
            self.news.notify_all()

    def _judge_sender(self, message):
        """Why Apple would not believe the sender, None if it would; and the identifier of the sender's key."""
        if message.fields[":method"] != "POST" or not message.path.startswith("/3/device/"):
            return f"{message.fields[':method']} {message.path}", None
        return judge_sender(message.fields.get("authorization", ""), self.key.public_key())

    def to(self, token):
        with self.news:
            return [one for one in self.messages if one.token == token]

    def wait(self, token, condition, what, patience=PATIENCE):
        """The messages to a token, as soon as the condition holds for them."""
        with self.news:
            found = self.news.wait_for(lambda: condition(self.to_locked(token)), patience)
            if not found:
                seen = [(one.event, one.status, one.body[:300]) for one in self.to_locked(token)]
                raise SystemExit(f"apns_peer: {what} does not come; there are {seen}")
            return self.to_locked(token)

    def to_locked(self, token):
        return [one for one in self.messages if one.token == token]


def judge_sender(authorization, public_key, now=None):
    """The same, by the field of a request."""
    kind, _, token = authorization.partition(" ")
    try:
        head = jwt.get_unverified_header(token)
        claims = jwt.decode(token, public_key, algorithms=["ES256"], options={"verify_iat": False})
    except jwt.InvalidTokenError as error:
        return f"the provider token: {error}", None
    if kind != "bearer" or head.get("kid") not in KEY_IDS or claims.get("iss") != TEAM_ID:
        return f"{kind} {head} {claims}", None
    if not -60 < (now or time.time()) - claims.get("iat", 0) < 3_600:
        return f"a provider token of {claims.get('iat')}", None
    return None, head["kid"]
