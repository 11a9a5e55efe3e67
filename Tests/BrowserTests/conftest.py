"""A running system, people, and browsers that fail a test for whatever a person would not see.

Each page is a phone (or a desk) of its own: its own storage, position and language. When a test ends, a
page fails it for any error on its console, any exception, any violation of the content security policy and
any request to somebody else's server.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect, sync_playwright

import town
from api import PATIENCE, People, Refused, eventually
from api import request as call
from system import BINARIES, ROOT, Platform, System
from town import CENTRAL, PHONES

SHOTS = ROOT / ".build/screenshots"
CHROMIUM = os.environ.get("OPENVALET_TEST_CHROMIUM", "/usr/bin/chromium")
#: The same engine without windows, for which a page is much less work; it shows no notifications.
HEADLESS = os.environ.get("OPENVALET_TEST_CHROMIUM", "/usr/bin/chromium-headless-shell")
#: No server but ours can be found, so that a page which asks another one says so on its console.
NOBODY_ELSE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
#: What a console says of a request that came to nothing, as tests mean it to; a server's fault and another server are none.
CAME_TO_NOTHING = re.compile(r"^Failed to load resource: (?!the server responded with a status of 5|net::ERR_NAME_NOT_RESOLVED)")
#: States in which an order stays.
ENDED = ("finished", "cancelled", "unfulfilled")
#: Findings of axe-core that fail a test.
GRAVE = {"serious", "critical"}

#: Chromium's pretended position is found once, at the time at which it was set; a phone finds its own ever anew.
LIVELY_POSITION = """
    Object.defineProperty(GeolocationPosition.prototype, 'timestamp', { configurable: true, get: () => Date.now() });
    const find = Geolocation.prototype.getCurrentPosition;
    Geolocation.prototype.getCurrentPosition = function (found, failed, options) { find.call(this, found, failed, { ...options, maximumAge: Infinity }); };
"""

#: Leaflet's map follows the window until it is removed: what listens for that is a map that lives.
COUNT_MAPS = """
    window.livingMaps = new Set();
    for (const [name, change] of [['addEventListener', 'add'], ['removeEventListener', 'delete']]) {
      window[name] = function (type, listener, ...options) {
        if (type === 'resize' && new Error().stack.includes('/leaflet/')) livingMaps[change](listener);
        return EventTarget.prototype[name].call(this, type, listener, ...options);
      };
    }
"""

#: Says on the console when a person would read the name of a value instead of the value.
REPORT_PLACEHOLDERS = r"""
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        for (const node of addedNodes.length ? addedNodes : [target]) {
          const [found] = /\{[a-z]\w*\}/i.exec(node.nodeType === Node.TEXT_NODE || addedNodes.length ? node.textContent : '') ?? [];
          if (found) console.error(`A text without its value ${found}: ${node.textContent.slice(0, 200)}`);
        }
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
"""

#: Takes away what Safari 16 (iOS 16) or Chrome 110, the oldest browsers that the apps support, do not have; and
#: `toSorted` and its like, so that slightly older ones work too.
OLDER_BROWSER = """
    const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
    for (const [owner, ...names] of [
      [AbortSignal, 'any'], [Array, 'fromAsync'], [Array.prototype, 'toReversed', 'toSorted', 'toSpliced', 'with'],
      [Document.prototype, 'startViewTransition'], [Element.prototype, 'getHTML', 'setHTMLUnsafe'],
      [HTMLElement.prototype, 'popover', 'showPopover', 'hidePopover', 'togglePopover'], [Intl, 'DurationFormat'],
      [iterators, 'drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'reduce', 'some', 'take', 'toArray'],
      [Map, 'groupBy'], [Math, 'sumPrecise'], [Navigator.prototype, 'userActivation', 'wakeLock'], [Object, 'groupBy'],
      [Promise, 'try', 'withResolvers'], [RegExp, 'escape'], [Response, 'json'], [String.prototype, 'isWellFormed', 'toWellFormed'],
      [Set.prototype, 'difference', 'intersection', 'isDisjointFrom', 'isSubsetOf', 'isSupersetOf', 'symmetricDifference', 'union'],
      [Uint8Array, 'fromBase64', 'fromHex'], [Uint8Array.prototype, 'toBase64', 'toHex'],
      [URL, 'canParse', 'parse'], [URLSearchParams.prototype, 'size'],
      [window, 'navigation', 'Notification', 'OffscreenCanvas', 'PushManager', 'requestIdleCallback', 'scheduler'],
    ]) for (const name of names) delete owner[name];
    for (const name of ['has', 'delete']) {
      const old = URLSearchParams.prototype[name];
      URLSearchParams.prototype[name] = function (key) { return old.call(this, key); };
    }
"""

#: Text of twice the size, as browsers set it.
LARGE_TEXT = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; });"

expect.set_options(timeout=PATIENCE * 1_000)


@pytest.fixture(scope="session")
def system() -> Iterator[Platform]:
    """The platform that files share, where there is one."""
    if shared := os.environ.get("OPENVALET_TEST_SYSTEM"):
        yield Platform.shared(Path(shared))
        return
    with tempfile.TemporaryDirectory(prefix="openvalet-browser-") as folder:
        system = System(Path(folder))
        yield system
        system.stop()


@pytest.fixture(scope="session")
def people(system: Platform) -> People:
    people = People(system.base, system.data)
    town.found(people.operator)
    return people


@pytest.fixture(autouse=True)
def nobody_is_left_on_shift(request: pytest.FixtureRequest) -> Iterator[None]:
    """A valet of one test is not sent to the customer of the next. Other files' people are left alone."""
    yield
    if "people" not in request.fixturenames:
        return
    people: People = request.getfixturevalue("people")
    for order in people.operator.get("/v1/admin/orders?limit=100")["items"]:
        if (order["customer"]["phone"] or "").startswith(PHONES) and order["status"] not in ENDED:
            try:
                people.operator.post(f"/v1/admin/orders/{order['id']}/override", {"status": "cancelled", "reason": "the test is over"})
            except Refused:
                # No valet was found for it meanwhile.
                if people.operator.get(f"/v1/orders/{order['id']}")["status"] not in ENDED:
                    raise
    for valet in people.operator.get("/v1/admin/valets?limit=100")["items"]:
        if valet["phone"].startswith(PHONES) and not valet["suspended"]:
            people.operator.call("PATCH", f"/v1/admin/valets/{valet['id']}", {"suspended": True})


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    program = Path(getattr(request, "param", HEADLESS))
    if not program.exists():
        pytest.fail(f"There is no {program}: install Debian's package {program.name}, or set OPENVALET_TEST_CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", NOBODY_ELSE])
        yield browser
        browser.close()


class Watch:
    """What a page did that nobody would have seen."""

    def __init__(self):
        self.faults: list[str] = []
        #: Console lines that a test expects, by a part of their text.
        self.expected: list[str] = []

    def follow(self, page: Page) -> None:
        page.on("console", self.console)
        page.on("pageerror", lambda error: self.faults.append(f"exception: {error.stack or error}"))

    def console(self, message) -> None:
        if message.type == "error" and not CAME_TO_NOTHING.match(message.text) and not any(part in message.text for part in self.expected):
            self.faults.append(f"console: {message.text} ({message.location['url']})")


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


def workers(page: Page) -> str:
    """In which state each version of a page's worker is, and whether it runs."""
    versions: dict[str, str] = {}
    developer = page.context.new_cdp_session(page)
    developer.on("ServiceWorker.workerVersionUpdated", lambda event: versions.update(
        {version["versionId"]: f"{version['status']} and {version['runningStatus']}" for version in event["versions"]}))
    developer.send("ServiceWorker.enable")
    page.wait_for_timeout(300)
    return ", ".join(versions.values())


@pytest.fixture
def phone(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Opens an app: `phone("customer", at=CENTRAL)`; `who` is signed in already, when given; with `worker` the app is
    kept on the device, which is half of all that a page costs; `base` is another system's address; `before` prepares
    the page before it opens anything."""
    contexts: list[tuple[BrowserContext, Watch]] = []
    sessions: list[tuple[str, str]] = []

    def open_app(app: str, who=None, at=CENTRAL, language: str = "en-IE", dark: bool = False, width: int = 390,
                 height: int = 844, geolocation: bool = True, worker: bool = False,
                 base: str | None = None, before: Callable[[Page], Any] = lambda page: None) -> Page:
        base = base or request.getfixturevalue("system").base
        options = {"geolocation": {"latitude": at[0], "longitude": at[1], "accuracy": 8}, "permissions": ["geolocation"]} \
            if geolocation else {}
        if who:
            signed_in = who.signed_in()
            sessions.append((base, signed_in["accessToken"]))
            session = {"name": f"openvalet.{app}.session", "value": json.dumps(signed_in)}
            options["storage_state"] = {"origins": [{"origin": base, "localStorage": [session]}]}
        context = browser.new_context(
            base_url=base, viewport={"width": width, "height": height}, locale=language, has_touch=width < 900,
            color_scheme="dark" if dark else "light", reduced_motion="reduce", timezone_id="Asia/Hong_Kong",
            service_workers="allow" if worker else "block", **options)
        watch = Watch()
        contexts.append((context, watch))
        context.on("page", watch.follow)
        context.add_init_script(LIVELY_POSITION)
        context.add_init_script(REPORT_PLACEHOLDERS)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1_000)
        page.watch = watch
        before(page)
        page.goto("/" if app == "customer" else f"/{app}")
        page.locator("#app > *").first.wait_for(state="attached")
        return page

    yield open_app
    if request.node.stash.get(FAILED, False):
        for page in (page for context, _ in contexts for page in context.pages):
            print(f"{page.url} shows:\n{page.locator('body').inner_text()[:2_000]}\nits workers: {workers(page)}")
    faults = [fault for _, watch in contexts for fault in watch.faults]
    for context, _ in contexts:
        # What still answers a request meets a page that is gone, and would fail the next test.
        for routed in (context, *context.pages):
            routed.unroute_all(behavior="ignoreErrors")
        context.close()
    # A person has twenty at most, and all files have the same operator.
    for base, token in sessions:
        with suppress(Refused, OSError):
            call(base, "DELETE", "/v1/sessions/current", token=token)
    assert not faults, "\n".join(faults)


@pytest.fixture
def check_accessible() -> Callable[[Page, str], None]:
    """Fails for what axe-core calls serious or critical, with the elements."""

    def check(page: Page, name: str) -> None:
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE_SCRIPT)
        said = page.evaluate("axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)")
        found = [
            f"{name}: {violation['id']} ({violation['impact']}): {violation['help']}: "
            + "; ".join(node["html"][:160] for node in violation["nodes"][:4])
            for violation in said if violation["impact"] in GRAVE
        ]
        assert not found, "\n".join(found)

    return check


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """With OPENVALET_TEST_SHOTS=1 keeps a picture of what a person sees, in .build/screenshots."""

    def take(page: Page, name: str) -> None:
        if os.environ.get("OPENVALET_TEST_SHOTS") != "1":
            return
        SHOTS.mkdir(parents=True, exist_ok=True)
        # What was just said goes by itself; it would hide what the picture is of.
        page.evaluate("document.getElementById('toasts')?.replaceChildren()")
        page.screenshot(path=SHOTS / f"{name}.png")

    return take


#: Scripts of a device that forbids to keep anything, and of one that has no room left.
KEEPS_NOTHING = {
    "forbidden": """
        Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });
        IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); };""",
    "full": """
        for (const [kind, name] of [[Storage, 'setItem'], [IDBObjectStore, 'put']]) {
            kind.prototype[name] = () => { throw new DOMException('full', 'QuotaExceededError'); };
        }""",
}


def step_back_is_done(page: Page) -> None:
    """A dialog that was closed has taken its entry out of the browser's history: it goes one back by itself."""
    page.wait_for_function("() => document.querySelector('dialog[open]') || !history.state?.dialog")


def unfold(page: Page, title: str) -> None:
    """Opens what is folded. What comes late above it moves it: a click that falls beside it is made again."""
    fold = page.locator("details", has=page.locator("summary", has_text=title))

    def is_open() -> bool:
        if not fold.evaluate("fold => fold.open"):
            fold.locator("summary").click()
        return fold.evaluate("fold => fold.open")
    eventually(is_open, title)


def open_at(page: Page, path: str) -> None:
    """Opens a screen by its address; the one before is gone when this returns."""
    step_back_is_done(page)
    page.evaluate("""path => new Promise((drawn) => {
        if (location.hash === `#${path}`) return drawn();
        // Apps draw in the frame after the event, and heard of it first.
        addEventListener('hashchange', () => requestAnimationFrame(() => setTimeout(drawn)), { once: true });
        location.hash = path;
    })""", path)


def focus_by_tab(page: Page, wanted: Locator, most: int = 60) -> None:
    """Goes on by Tab until this control has the focus, as somebody without a mouse does."""
    wanted.wait_for(state="attached")
    for _ in range(most):
        if wanted.evaluate_all("found => found.length > 0 && document.activeElement === found[0]"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} can't be reached by Tab")


def refuse(page: Page, pattern: str, status: int, code: str) -> None:
    """Answers each call with a problem until it is unrouted."""
    page.context.route(pattern, lambda route: route.fulfill(
        status=status, content_type="application/problem+json", body=json.dumps({"status": status, "code": code})))


def hold_answer(page: Page, pattern: str) -> Callable[[], None]:
    """What is told to the server next is done, and answered only when what this returns is called."""
    held = []

    def hold(route: Route) -> None:
        if held or route.request.method == "GET":
            route.continue_()
        else:
            held.append((route, route.fetch()))
    page.context.route(pattern, hold)

    def let_go() -> None:
        [(route, answer)] = eventually(lambda: page.wait_for_timeout(50) or held, f"the answer of {pattern}")
        route.fulfill(response=answer)
    return let_go


def keep_waiting(page: Page, pattern: str) -> Callable[..., None]:
    """Requests get no answer from here on, so that a problem stays on the screen until the test has seen it or taps
    "Try again", even where the screen asks again by itself. What this returns answers these and all that follow."""
    held: list[Route] = []
    answers: list[Callable[[Route], Any]] = []

    def hold(route: Route) -> None:
        if answers:
            answers[0](route)
        else:
            held.append(route)
    page.context.route(pattern, hold)

    def let_go(answer: Callable[[Route], Any] = Route.continue_) -> None:
        eventually(lambda: page.wait_for_timeout(50) or held, f"a request for {pattern}")
        answers.append(answer)
        for route in held:
            answer(route)
    return let_go


def own_clock(page: Page) -> None:
    """Time goes on as it does, and a test may let it pass faster."""
    page.clock.install()


def turn_the_clock(page: Page) -> None:
    """From here on the test says what time it is, and the server's answers do not."""
    page.clock.install()
    page.add_init_script("""const get = Headers.prototype.get;
        Headers.prototype.get = function (name) { return name === 'date' ? null : get.call(this, name); };""")


def hide(page: Page, seconds: int) -> None:
    """As when the phone was in a pocket for a while."""
    say = """(isHidden) => {
        Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
    }"""
    page.evaluate(say, True)
    page.clock.fast_forward(seconds * 1_000)
    page.evaluate(say, False)


def expire_token(page: Page, app: str = "customer", at_each_start: bool = False) -> None:
    """The next call of the app renews its token first; or the first of each page that is opened from now on. A session
    that has ended meanwhile stays so."""
    key = f"openvalet.{app}.session"
    script = f"{{ const kept = localStorage.getItem('{key}'); if (kept) localStorage.setItem('{key}', JSON.stringify({{ ...JSON.parse(kept), expiresAt: 0 }})); }}"
    page.add_init_script(script) if at_each_start else page.evaluate(script)


def expire_photos(page: Page) -> list[str]:
    """Each address of a vehicle's photo gives none once, unless a list of them was asked for after that; returns a list
    that is then no longer empty. Twice would be a picture that is gone: the new address may be the same."""
    refused: list[str] = []
    asked_anew: list[str] = []

    def answer(route: Route) -> None:
        if asked_anew or route.request.url in refused:
            return route.fallback()
        refused.append(route.request.url)
        return route.abort()
    page.watch.expected.append("ERR_FAILED")
    page.route("**/v1/pictures/vehicles/**", answer)
    page.on("request", lambda request: refused and "/photos?" in request.url and asked_anew.append(request.url))
    return asked_anew


def lives(page: Page, count: int) -> None:
    """So many maps are alive, once `COUNT_MAPS` counts them; those that can be seen."""
    page.wait_for_function(
        "count => livingMaps.size === count && document.querySelectorAll('.leaflet-container').length === count", arg=count)


def map_rests(page: Page) -> None:
    """No map is being moved or zoomed; one that was told to a moment ago has begun in the next frame."""
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    page.wait_for_function("() => !document.querySelector('.leaflet-zoom-anim, .leaflet-pan-anim')")


def note_places(page: Page, name: str) -> None:
    """From here on `window.places` has each height at which a button or a link of this name stands."""
    page.evaluate("""name => {
        window.places = new Set();
        (function look() {
            const found = [...document.querySelectorAll('button, a')].find(({ textContent }) => textContent === name);
            if (found) places.add(Math.round(found.getBoundingClientRect().top + scrollY));
            requestAnimationFrame(look);
        })();
    }""", name)


def stood_still(page: Page, name: str) -> None:
    """What was noted is there, and has not moved since it came: who pressed it has hit it."""
    page.get_by_text(name, exact=True).wait_for()
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    places = page.evaluate("[...places]")
    assert len(places) == 1, f"{name} has moved: {places}"


def is_wider_than_window(page: Page) -> bool:
    """Whether a person would have to scroll sideways."""
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def older_browser(page: Page) -> None:
    """For `before` of a phone."""
    page.add_init_script(OLDER_BROWSER)


def large_text(page: Page) -> None:
    """For `before` of a phone."""
    page.add_init_script(LARGE_TEXT)


def broken_words(page: Page) -> list[str]:
    """Words and numbers that stand on more than one line, with letters one below the other at worst: those of at most
    ten letters, for which a phone has room at any size."""
    return page.evaluate(r"""() => {
        const broken = [];
        const range = document.createRange();
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const { data } = texts.currentNode;
            for (const { 0: word, index } of data.matchAll(/[\p{L}\p{N}.,]+/gu)) {
                if (word.length > 10) continue;
                range.setStart(texts.currentNode, index);
                range.setEnd(texts.currentNode, index + word.length);
                const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
                if (lines.size > 1) broken.push(`${word} of “${data}”`);
            }
        }
        return broken;
    }""")


def check_fits(page: Page, name: str) -> None:
    """Fails where a person would have to scroll sideways, or spell."""
    assert not is_wider_than_window(page), f"{name} is wider than the window"
    assert not (broken := broken_words(page)), f"{name} breaks {broken}"
