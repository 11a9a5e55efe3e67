"""A push service for tests: accepts requests by RFC 8030 and decrypts messages as a browser would.

    python push_sink.py PORT

POST /_subscriptions       {"applicationServerKey"} -> what `PushSubscription.toJSON()` of a browser gives
POST /_answers/NAME        [{"status", "retryAfter"?, "location"?, "bodyBytes"?}, ...]: the next answers;
                           status 0 hangs up. Afterwards 201 again.
GET  /_received/NAME       every push so far: headers, status, decrypted message, and what is wrong with it
POST /push/NAME            a push

Signatures are checked by py-vapid (RFC 8292), bodies decrypted by http-ece (RFC 8291, RFC 8188). Listens on
127.0.0.1 alone.
"""

import base64
import http.server
import json
import os
import sys
import threading
import time

import http_ece
import py_vapid
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

MOST_BODY = 4096
DAY = 86_400


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """A subscription with its private keys."""

    def __init__(self, server_key):
        self.name = encode(os.urandom(16))
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        self.server_key = server_key
        self.answers = []
        self.received = []

    def subscription(self, origin):
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        keys = {"p256dh": encode(point), "auth": encode(self.auth)}
        return {"endpoint": f"{origin}/push/{self.name}", "expirationTime": None, "keys": keys}

    def read(self, headers, body, origin):
        """The message, and the errors that a push service or a browser would find in the request."""
        wrong = signature_problems(headers.get("Authorization", ""), self.server_key, origin)
        if not headers.get("TTL", "").isdigit():
            wrong.append("no TTL")
        if headers.get("Urgency") not in ("very-low", "low", "normal", "high"):
            wrong.append("no urgency")
        topic = headers.get("Topic")
        if topic is not None and (len(topic) > 32 or encode(decode(topic)) != topic):
            wrong.append("a topic that is none")
        if headers.get("Content-Encoding") != "aes128gcm":
            wrong.append("another encoding")
        if len(body) > MOST_BODY:
            wrong.append("a body that is too large")
        try:
            plain = http_ece.decrypt(
                body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
            )
            return plain.decode(), wrong
        except Exception as error:
            return None, wrong + [f"can't be decrypted: {error!r}"]


def signature_problems(authorization, server_key, origin):
    """The errors of a VAPID header."""
    try:
        # The library can't parse the space that RFC 8292 allows between the parts.
        header = authorization.replace(", ", ",")
        if not py_vapid.Vapid02.verify(header):
            return ["a signature that does not fit"]
        parts = dict(part.split("=", 1) for part in header.split(" ", 1)[1].split(","))
        head, claims, _ = parts["t"].split(".")
        head, claims = json.loads(decode(head)), json.loads(decode(claims))
    except Exception as error:
        return [f"no signature: {error!r}"]
    wrong = []
    if parts["k"] != server_key:
        wrong.append("another server's key")
    if head != {"alg": "ES256", "typ": "JWT"}:
        wrong.append("another algorithm")
    if claims.get("aud") != origin:
        wrong.append("a signature for somebody else")
    if not time.time() < claims.get("exp", 0) <= time.time() + DAY:
        wrong.append("a signature out of its time")
    if not claims.get("sub", "").startswith(("mailto:", "https:")):
        wrong.append("nobody to write to")
    return wrong


class Sink(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    browsers = {}
    lock = threading.Lock()

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def log_message(self, *_):
        pass

    def answer(self, status, value=None, headers=(), body=None):
        body = body if body is not None else json.dumps(value).encode() if value is not None else b""
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def browser(self):
        return self.browsers.get(self.path.rsplit("/", 1)[1])

    def do_GET(self):
        with self.lock:
            if self.path == "/_ready":
                return self.answer(200, {})
            browser = self.browser()
            if browser is None:
                return self.answer(404)
            return self.answer(200, browser.received)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.lock:
            if self.path == "/_subscriptions":
                browser = Browser(json.loads(body)["applicationServerKey"])
                self.browsers[browser.name] = browser
                return self.answer(201, browser.subscription(self.origin))
            browser = self.browser()
            if browser is None:
                return self.answer(404)
            if self.path.startswith("/_answers/"):
                browser.answers = json.loads(body)
                return self.answer(204)
            message, wrong = browser.read(self.headers, body, self.origin)
            told = browser.answers.pop(0) if browser.answers else {"status": 403 if wrong else 201}
            browser.received.append(
                {
                    "status": told["status"],
                    "message": message,
                    "wrong": wrong,
                    "bytes": len(body),
                    "ttl": int(self.headers.get("TTL", 0)),
                    "urgency": self.headers.get("Urgency"),
                    "topic": self.headers.get("Topic"),
                }
            )
        if told["status"] == 0:
            self.close_connection = True
            return None
        headers = []
        if "retryAfter" in told:
            headers.append(("Retry-After", str(told["retryAfter"])))
        if "location" in told:
            headers.append(("Location", told["location"]))
        return self.answer(told["status"], headers=headers, body=b"x" * told.get("bodyBytes", 0))


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Sink).serve_forever()
