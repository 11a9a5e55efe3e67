"""The public API as the tests use it: the other side of a journey, without a second browser."""

from __future__ import annotations

import json
import struct
import time
import urllib.error
import urllib.request
import uuid
import zlib
from pathlib import Path
from typing import Any, Callable

import town

PASSWORD = "a long way to go"
OPERATOR_PHONE = "+85290000000"
#: Seconds that something may take on a busy machine.
PATIENCE = 60


class Refused(Exception):
    """A problem that the API answered with."""

    def __init__(self, status: int, problem: dict[str, Any]):
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status = status
        self.code = problem.get("code")


def eventually(look: Callable[[], Any], what: str, within: float = PATIENCE) -> Any:
    """The first true value that `look` gives."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if value := look():
            return value
        time.sleep(0.05)
    raise AssertionError(f"it never came: {what}")


def insist(call: Callable[[], Any], *codes: str, what: str) -> Any:
    """The answer of a call that is refused with one of these codes until a service has heard what others know."""
    def once() -> Any:
        try:
            return call() or True
        except Refused as refused:
            if refused.code not in codes:
                raise
            return None
    return eventually(once, what)


def picture() -> bytes:
    """A grey PNG of 64 by 48."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"\x80" * 64 for _ in range(48))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Person:
    """Somebody who is signed in, with calls in their name."""

    def __init__(self, base: str, account: dict[str, Any], tokens: dict[str, Any], password: str = PASSWORD):
        self.base = base
        self.account = account
        self.token = tokens["accessToken"]
        self.password = password
        self._tokens: dict[str, Any] | None = tokens

    @property
    def phone(self) -> str:
        return self.account["phone"]

    def signed_in(self) -> dict[str, Any]:
        """A session as an app keeps it. Each app has one of its own: what renews one works once."""
        tokens, self._tokens = self._tokens or self._sign_in(), None
        return {"accessToken": tokens["accessToken"], "refreshToken": tokens["refreshToken"], "account": self.account,
                "expiresAt": (time.time() + tokens["expiresInSeconds"]) * 1_000}

    def _sign_in(self) -> dict[str, Any]:
        return request(self.base, "POST", "/v1/sessions", {"phone": self.phone, "password": self.password})

    def call(self, method: str, path: str, body: Any = None, raw: bytes | None = None,
             type: str = "application/json", headers: dict[str, str] | None = None) -> Any:
        def ask() -> Any:
            return request(self.base, method, path, body, token=self.token, raw=raw, type=type, headers=headers)
        try:
            return ask()
        except Refused as refused:
            if refused.code not in ("auth.token_invalid", "account.session_ended"):
                raise
            # A token lives for a quarter of an hour, the operator of all tests for longer; an app that was given the
            # session may have ended it.
            self.token = self._sign_in()["accessToken"]
            return ask()

    def get(self, path: str) -> Any:
        return self.call("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        return self.call("POST", path, body if body is not None else {})

    def put(self, path: str, body: Any) -> Any:
        return self.call("PUT", path, body)

    def at(self, latitude: float, longitude: float) -> None:
        """Says where they are."""
        self.put("/v1/me/location", {"latitude": latitude, "longitude": longitude, "accuracyMeters": 5})

    def order(self) -> dict[str, Any] | None:
        return self.get("/v1/orders/current")

    def comes_to(self, order: str, latitude: float, longitude: float) -> None:
        """Is there for a job, once that is believed: nobody moves faster than 70 m/s."""
        def is_there() -> bool:
            self.at(latitude, longitude)
            seen = self.get(f"/v1/orders/{order}/track")["valet"]
            return bool(seen) and abs(seen["latitude"] - latitude) + abs(seen["longitude"] - longitude) < 1e-6
        eventually(is_there, "the valet's way")

    def pay(self, order: str, body: dict[str, Any]) -> dict[str, Any]:
        """Pays once payments has heard of the bill."""
        return insist(lambda: self.post(f"/v1/orders/{order}/pay", body), "payment.not_due", what="a bill")

    def goes_home(self) -> None:
        """Off shift, once the last job is over for location too."""
        insist(lambda: self.put("/v1/me/availability", {"status": "offline"}), "location.on_job", what="the end of the shift")

    def order_in(self, *states: str) -> dict[str, Any]:
        """Their current order, once it is in one of these states."""
        def look() -> dict[str, Any] | None:
            order = self.order()
            return order if order and order["status"] in states else None
        return eventually(look, f"an order that is {' or '.join(states)}")


def request(base: str, method: str, path: str, body: Any = None, token: str | None = None, raw: bytes | None = None,
            type: str = "application/json", headers: dict[str, str] | None = None) -> Any:
    fields = {"content-type": type, **(headers or {})}
    if token:
        fields["authorization"] = f"Bearer {token}"
    if method == "POST":
        fields.setdefault("idempotency-key", str(uuid.uuid4()))
    data = raw if raw is not None else (None if body is None else json.dumps(body).encode())
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(base + path, data, fields, method=method), timeout=30) as answer:
                text = answer.read()
                return json.loads(text) if text and "json" in answer.headers.get("content-type", "") else text or None
        except urllib.error.HTTPError as error:
            text = error.read()
            # On a busy machine a service may answer too late. The same key makes the same thing, once.
            if error.code != 503 or time.monotonic() > deadline:
                raise Refused(error.code, json.loads(text) if text else {}) from error
            time.sleep(0.5)


class People:
    """Makes the people of a test; everybody is new and has a number of their own."""

    def __init__(self, base: str, data: Path):
        self.base = base
        password = (data / "operator-password").read_text().strip()
        self.operator_password = password
        answer = request(base, "POST", "/v1/sessions", {"phone": OPERATOR_PHONE, "password": password})
        self.operator = Person(base, answer["account"], answer, password)

    def number(self) -> str:
        """A phone number that nobody has."""
        return town.new_number()

    def sign_in(self, phone: str, password: str = PASSWORD) -> Person:
        answer = request(self.base, "POST", "/v1/sessions", {"phone": phone, "password": password})
        return Person(self.base, answer["account"], answer, password)

    def customer(self, first: str = "Ada", last: str = "Wong", language: str = "en", card: str | None = "pm_card_visa",
                 vehicle: bool = True) -> Person:
        answer = request(self.base, "POST", "/v1/customers", {
            "firstName": first, "lastName": last, "phone": self.number(), "password": PASSWORD, "language": language})
        person = Person(self.base, answer["customer"], answer)
        if vehicle:
            person.post("/v1/me/vehicles", {"plate": "AB 1234", "make": "Tesla", "model": "Model 3", "colour": "white"})
        if card:
            person.post("/v1/me/payment-methods", {"token": card})
        return person

    def valet(self, first: str = "Wing", last: str = "Lee", language: str = "en", at: tuple[float, float] | None = None) -> Person:
        """With a position, the valet is on shift there."""
        phone = self.number()
        self.operator.post("/v1/admin/valets", {
            "firstName": first, "lastName": last, "phone": phone, "password": PASSWORD, "language": language})
        person = self.sign_in(phone)
        if at:
            person.at(*at)
            person.put("/v1/me/availability", {"status": "available"})
            person.at(*at)
        return person

    def sign_up_by_mail(self, email: str) -> None:
        request(self.base, "POST", "/v1/customers", {
            "firstName": "Ada", "lastName": "Wong", "email": email, "password": PASSWORD, "language": "en"})

    def code(self, contact: str, digits: int | None = None) -> str:
        """The newest code that went to a phone by text message, or by mail; of so many digits."""
        kind = "email" if "@" in contact else "phone"
        def look() -> str | None:
            items = self.operator.get(f"/v1/admin/messages?{kind}={contact.replace('+', '%2B')}")["items"]
            words = [word.strip(",:。，") for item in items[:1] for word in item["text"].replace(".", " ").replace("：", " ").split()]
            lengths = (digits,) if digits else (6, 8)
            return next((word for word in words if word.isdigit() and len(word) in lengths), None)
        return eventually(look, "a text message with a code")
