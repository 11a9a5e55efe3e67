"""Stripe for a browser: a real localstripe, behind a proxy that makes up for what it lacks.

localstripe serves a Stripe.js of its own with the Card Element; an adapter gives that the shape of the Payment Element
and of `handleNextAction`, as Stripe documents them. The proxy takes out what localstripe refuses, lets pages create payment
methods, and answers with a card's new data once its bank has replaced it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlencode

from api import PATIENCE, eventually
from system import free_port

SECRET = "whsec_openvalet"
SCRIPT = "/js.stripe.com/v3/"

#: Its own command listens on all interfaces, so its server is started without it.
SERVE = """
import sys; from aiohttp import web; from localstripe.server import app
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
"""

#: Stripe's names over localstripe's: elements.create('payment'), elements.submit, createPaymentMethod, confirmSetup,
#: handleNextAction.
ADAPTER = """
  const Local = Stripe;
  const errorOf = (error) => error && {
    type: error.code === 'card_declined' ? 'card_error' : 'invalid_request_error',
    code: error.code ?? 'setup_intent_authentication_failure',
  };
  window.Stripe = (key) => {
    const local = Local(key);
    return {
      elements(options) {
        if (options.mode !== 'setup' && !(options.amount > 0)) throw new Error('amount is missing');
        const card = local.elements().create('card');
        return {
          card,
          create: (type) => {
            if (type !== 'payment') throw new Error(`no element ${type}`);
            return {
              mount(node) {
                card.mount(node);
                for (const input of node.querySelectorAll('input')) input.setAttribute('aria-label', input.placeholder);
                setTimeout(() => this.handlers.ready?.());
              },
              handlers: {},
              on(event, handler) { this.handlers[event] = handler; },
              destroy: () => card.destroy(),
            };
          },
          update() {},
          submit: async () => (card.value?.card.number && card.value.card.cvc ? {}
            : { error: { type: 'validation_error', code: 'incomplete_number' } }),
        };
      },
      createPaymentMethod: async ({ elements }) => {
        const answer = await fetch(`${LOCALSTRIPE_BASE_API}/v1/payment_methods`, {
          method: 'POST',
          body: JSON.stringify({ key, type: 'card', card: elements.card.value.card }),
        });
        const body = await answer.json();
        return answer.ok ? { paymentMethod: body } : { error: errorOf(body.error) };
      },
      confirmSetup: async ({ elements, clientSecret, redirect }) => {
        if (redirect !== 'if_required') throw new Error('it would leave the page');
        const { error, setupIntent } = await local.confirmCardSetup(
          clientSecret, { payment_method: { card: elements.card } });
        return error ? { error: errorOf(error) } : { setupIntent };
      },
      handleNextAction: async ({ clientSecret }) => {
        const { error, paymentIntent } = await local.confirmCardPayment(clientSecret);
        if (error) return { error: errorOf(error) };
        return paymentIntent.status === 'requires_payment_method'
          ? { error: { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' } }
          : { paymentIntent };
      },
    };
  };
"""


class Stripe:
    """Starts at once; `stop()` ends it."""

    def __init__(self) -> None:
        self.upstream = f"http://127.0.0.1:{free_port()}"
        self.process = subprocess.Popen([sys.executable, "-c", SERVE, self.upstream.rsplit(":", 1)[1]],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        #: New data of cards by the id of their payment method.
        self.replaced: dict[str, dict[str, Any]] = {}
        #: Payment methods that forms have set up.
        self.methods: list[str] = []
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        Thread(target=self.server.serve_forever, daemon=True).start()
        eventually(self._answers, "localstripe")

    def settings(self) -> dict[str, str]:
        prefix = "OPENVALET_PAYMENTS_"
        return {f"{prefix}PROVIDER": "stripe", f"{prefix}STRIPE_URL": self.url, f"{prefix}STRIPE_KEY": "sk_test_openvalet",
                f"{prefix}STRIPE_WEBHOOK_SECRET": SECRET, f"{prefix}STRIPE_PUBLISHABLE_KEY": "pk_test_openvalet",
                f"{prefix}STRIPE_JS": self.url + SCRIPT}

    def stop(self) -> None:
        self.server.shutdown()
        self.process.terminate()
        self.process.wait(PATIENCE)

    def newest_method(self) -> str:
        """The id of the method that was set up last."""
        return self.methods[-1]

    def replace(self, base: str, method: str, **card: Any) -> None:
        """The bank replaces a card, and Stripe says so to the platform at this address."""
        self.replaced[method] = card
        body = json.dumps({"id": f"evt_{method}", "object": "event", "type": "payment_method.automatically_updated",
                           "data": {"object": {"id": method, "object": "payment_method"}}})
        moment = int(time.time())
        code = hmac.new(SECRET.encode(), f"{moment}.{body}".encode(), hashlib.sha256).hexdigest()
        request = urllib.request.Request(f"{base}/v1/webhooks/stripe", body.encode(), {
            "Content-Type": "application/json", "Stripe-Signature": f"t={moment},v1={code}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            assert answer.status == 204

    # The proxy

    def _answers(self) -> bool:
        with suppress(OSError):
            return self._ask("GET", SCRIPT, None, {})[0] == 200
        return False

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes, str]:
        request = urllib.request.Request(self.upstream + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read(), answer.headers.get_content_type()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read(), refused.headers.get_content_type()

    def _exchange(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes, str]:
        if body and re.fullmatch(r"/v1/payment_intents/\w+/confirm", path):
            # localstripe knows it only when an intent is created.
            body = urlencode([pair for pair in parse_qsl(body.decode()) if pair[0] != "off_session"]).encode()
        if method == "POST" and path == "/v1/payment_methods":
            # A page has a publishable key, for which localstripe has nothing here.
            headers = {"Authorization": "Bearer sk_test_openvalet"} | headers
        status, content, kind = self._ask(method, path, body, headers)
        if path == SCRIPT:
            # Its names stay its own: one of its classes is called Element.
            return status, b"(function () {\nlet Stripe;\n" + content + ADAPTER.encode() + b"\n})();", kind
        if status == 200 and re.fullmatch(r"/v1/setup_intents/\w+/confirm", path):
            self.methods.append(json.loads(content)["payment_method"])
        if status == 200 and (found := re.fullmatch(r"/v1/payment_methods/(\w+)", path)) and found[1] in self.replaced:
            answer = json.loads(content)
            answer["card"] |= self.replaced[found[1]]
            content = json.dumps(answer).encode()
        return status, content, kind

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        stripe = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def exchange(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length) if length else None
                headers = {name: value for name in ("Authorization", "Content-Type") if (value := self.headers.get(name))}
                status, content, kind = stripe._exchange(self.command, self.path, body, headers)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                # A browser asks from the platform's page.
                self.send_header("Access-Control-Allow-Origin", self.headers.get("Origin") or "*")
                self.send_header("Access-Control-Allow-Headers", "Content-Type, Accept")
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_DELETE = do_OPTIONS = exchange

            def log_message(self, *_: Any) -> None:
                """Nothing: keys would be in it."""

        return Handler
