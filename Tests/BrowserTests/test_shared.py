"""What all three apps have in common."""

import json
import re
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Response, expect

import town
from api import People, eventually
from conftest import CHROMIUM, COUNT_MAPS, expire_token, hide, lives, open_at, refuse
from system import ROOT, System
from test_valet import at_park_screen, picture

APPS = ["customer", "valet", "operator"]
APPS_FOLDER = ROOT / "Services/Web/Apps"


#: What Safari 16 (iOS 16) or Chrome 110 do not know, and nothing says so before somebody opens the app there.
NEWER = {
    "*.js": re.compile(
        r"AbortSignal\.any\(|Array\.fromAsync|\.to(Reversed|Sorted|Spliced)\(|(Map|Object)\.groupBy|Promise\.(try|withResolvers)|URL\.(canParse|parse)\("
        r"|\b(query|[pP]arams)\.size\b|\.(difference|intersection|isDisjointFrom|isSubsetOf|isSupersetOf|symmetricDifference|union)\("
        r"|\.(?:(?:entries|keys|values)\(\)|matchAll\([^()]*\))\.(drop|every|filter|find|flatMap|forEach|map|reduce|some|take|toArray)\("
        r"|Response\.json\(|checkVisibility|startViewTransition|[sS]howPopover|togglePopover|popover:|DurationFormat|RegExp\.escape|(from|to)(Base64|Hex)\("
        r"|for await|\(\?<[=!]|^\s+static \{|with \{ type:", re.MULTILINE),
    "*.css": re.compile(
        r"^\s*&|[;{]\s*&|@(layer|property|scope|starting-style)|color-mix\(|light-dark\(|oklch\(|\((width|height) ?[<>]|subgrid|field-sizing|anchor\("
        r"|:(user-(in)?valid|open|popover-open|state)\b|[;{]\s*(mask|scale|zoom): ", re.MULTILINE),
}


@pytest.mark.parametrize("files", NEWER)
def test_no_app_uses_what_the_oldest_browsers_lack(files):
    found = {str(path.relative_to(APPS_FOLDER)): [match.group(0) for match in NEWER[files].finditer(path.read_text())]
             for path in APPS_FOLDER.rglob(files)}
    assert len(found) > 5
    assert not {path: matches for path, matches in found.items() if matches}


@pytest.mark.parametrize("app", APPS)
def test_an_app_opens_in_the_persons_language(phone, check_accessible, app):
    page = phone(app, language="zh-HK", worker=True)
    page.get_by_role("button", name="登入").wait_for()
    assert page.locator("html").get_attribute("lang") == "zh-Hant"
    check_accessible(page, f"{app}: sign in")
    # Nothing else draws the page again from here on.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.get_by_role("radio", name="English").check(force=True)
    page.get_by_role("button", name="Sign in").wait_for()
    page.reload()
    page.get_by_role("button", name="Sign in").wait_for()
    assert page.locator("html").get_attribute("lang") == "en"


@pytest.mark.parametrize("app", APPS)
def test_an_app_can_be_installed_and_opens_without_network(phone, app):
    page = phone(app, worker=True)
    page.get_by_role("button", name="Sign in").wait_for()
    manifest = page.evaluate(
        "async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()")
    assert manifest["display"] == "standalone" and manifest["start_url"] and manifest["icons"]
    sizes = {icon.get("sizes") for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    # A worker is ready when it has everything.
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.watch.expected.append("ERR_INTERNET_DISCONNECTED")
    page.reload()
    page.get_by_role("button", name="Sign in").wait_for()
    page.locator(".offline-bar").wait_for()


@pytest.mark.parametrize("browser", [CHROMIUM], indirect=True, ids=["with-windows"])
def test_a_push_is_shown_and_leads_into_the_app(phone):
    page = phone("customer", worker=True)
    page.context.grant_permissions(["geolocation", "notifications"])
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    protocol = page.context.new_cdp_session(page)
    versions: list[dict] = []
    protocol.on("ServiceWorker.workerRegistrationUpdated", lambda event: versions.extend(event["registrations"]))
    protocol.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    eventually(lambda: page.wait_for_timeout(100) or versions, "the worker's registration")
    # Chromium deletes a notification that is asked for while it is about to be shown.
    [worker] = page.context.service_workers
    worker.evaluate("""() => {
        const show = registration.showNotification.bind(registration);
        registration.showNotification = (...given) => show(...given).then(() => { self.isShown = true; });
    }""")
    protocol.send("ServiceWorker.deliverPushMessage", {
        "origin": page.evaluate("location.origin"),
        "registrationId": versions[0]["registrationId"],
        "data": json.dumps({
            "title": "Your vehicle is parked", "body": "You can call it back at any time.", "number": 4,
            "kind": "parked", "language": "en", "url": "/#/orders/0190aaaa-0000-7000-8000-000000000000",
            "subject": {"product": "valet", "kind": "order", "id": "0190aaaa-0000-7000-8000-000000000000"}}),
    })
    eventually(lambda: worker.evaluate("self.isShown"), "a notification")
    assert page.evaluate("""async () => {
        const registration = await navigator.serviceWorker.ready;
        const shown = await registration.getNotifications();
        return shown.length === 1 && shown[0].title === 'Your vehicle is parked'
            && shown[0].tag.startsWith('0190aaaa') && shown[0].lang === 'en'
            && shown[0].data.url.endsWith('#/orders/0190aaaa-0000-7000-8000-000000000000');
    }""")
    # Nobody can tap a notification here; what a tap runs is asked for. No worker gives a page the focus unasked.
    worker.evaluate("openApp({ url: '/#/orders/0190aaaa-0000-7000-8000-000000000000' }).catch(() => {})")
    page.wait_for_url("**/#/orders/0190aaaa-0000-7000-8000-000000000000")


#: Apps and tabs that the tests of another version never open.
UNOPENED = shutil.ignore_patterns("operator", "lift", "park", "places", "spots")


@pytest.fixture(scope="module")
def with_own_apps(tmp_path_factory) -> Iterator[tuple[System, Path]]:
    """A system whose apps lie in a folder of its own, read whole for each request: without what no test opens."""
    folder = tmp_path_factory.mktemp("apps")
    shutil.copytree(APPS_FOLDER, folder / "apps", ignore=UNOPENED)
    system = System(folder, OPENVALET_WEB_APPS=str(folder / "apps"))
    town.found(People(system.base, system.data).operator)
    yield system, folder / "apps"
    system.stop()


@pytest.fixture
def changing(with_own_apps) -> Iterator[tuple[System, Path]]:
    """A system whose apps a test may change."""
    yield with_own_apps
    shutil.copytree(APPS_FOLDER, with_own_apps[1], ignore=UNOPENED, dirs_exist_ok=True)


#: Caches of files, beside the one of streets that were seen.
VERSIONS = "caches.keys().then((names) => names.filter((name) => name !== 'openvalet-streets'))"


def take_over(page: Page) -> None:
    """Until the page is of the new version, however often it loads on the way."""
    version = "document.querySelector('meta[name=\"openvalet:version\"]')?.content"
    old = page.evaluate(version)
    page.get_by_role("button", name="Update now").click()
    page.wait_for_function(f"(old) => ![old, undefined].includes({version})", arg=old)


def test_a_new_version_waits_whole_until_it_is_wanted(phone, changing, check_accessible):
    system, apps = changing
    customer = People(system.base, system.data).customer()
    page = phone("customer", customer, worker=True, base=system.base)
    page.get_by_role("heading", name="Where is your car?").wait_for()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.watch.expected.append("ERR_FAILED")
    [first] = page.evaluate(VERSIONS)
    # A tap of the journey waits while the version changes.
    page.route("**/v1/orders/*/cancel", lambda route: route.abort())
    page.evaluate("""async () => {
        const { createApi } = await import('/apps/shared/api.js');
        const { createOutbox } = await import('/apps/shared/outbox.js');
        await createOutbox(createApi('customer')).perform({ path: '/v1/orders/0190aaaa-0000-7000-8000-000000000000/cancel', label: 'Cancel order', subject: 'x' });
    }""")
    for name, old, new in (("texts/en.js", "Where is your car?", "Where is your vehicle?"), ("valet/lists.js", "t('menu.title')", "'All else'")):
        text = (apps / "customer" / name).read_text()
        assert old in text
        (apps / "customer" / name).write_text(text.replace(old, new))
    page.evaluate("navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
    page.get_by_text("A new version is ready.").wait_for()
    check_accessible(page, "a new version")
    # Until then everything is of the first version, also what is loaded only now.
    page.reload()
    page.get_by_text("A new version is ready.").wait_for()
    open_at(page, "/menu")
    page.get_by_role("heading", name="Menu").wait_for()
    page.get_by_role("button", name="Update now").click()
    page.get_by_role("heading", name="All else").wait_for()
    expect(page.get_by_text("A new version is ready.")).to_have_count(0)
    [second] = page.evaluate(VERSIONS)
    assert second != first
    open_at(page, "/")
    page.get_by_role("heading", name="Where is your vehicle?").wait_for()
    page.get_by_text("1 change waiting to be sent").wait_for()


def test_a_new_version_does_not_wait_for_ever_for_what_the_old_one_fetches(phone, changing):
    system, apps = changing
    page = phone("customer", People(system.base, system.data).customer(), worker=True, base=system.base)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    [worker] = page.context.service_workers
    # As a street does on a network that has almost gone; twenty seconds are one.
    worker.evaluate("""() => {
        const timeout = AbortSignal.timeout.bind(AbortSignal);
        AbortSignal.timeout = (time) => timeout(time / 20);
        self.fetch = (request, { signal } = {}) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    }""")
    page.evaluate("() => { fetch('/tiles/never?version=1').catch(() => {}); }")
    words = apps / "customer/texts/en.js"
    words.write_text(words.read_text().replace("export default {", "export default { 'app.api': 'Another version',", 1))
    page.evaluate("navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
    take_over(page)
    expect(page.get_by_text("A new version is ready.")).to_have_count(0)


def test_a_new_version_is_used_although_requests_wake_the_old_one(phone, changing):
    system, apps = changing
    page = phone("customer", worker=True, base=system.base)
    page.get_by_role("button", name="Sign in").wait_for()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    tab = page.context.new_page()
    tab.goto("/#/sign-up")
    tab.get_by_label("First name").wait_for()
    words = apps / "customer/texts/en.js"
    words.write_text(words.read_text().replace("export default {", "export default { 'app.api': 'Another version',", 1))
    page.evaluate("navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
    page.get_by_text("A new version is ready.").wait_for()
    # Not loaded later: what is fetched while the browser stops the old worker may hang.
    page.wait_for_function("performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/insist.js'))")
    # One of them comes while the browser stops the old worker, and has it started again.
    tab.evaluate("() => { for (let at = 0; at < 1000; at += 20) setTimeout(() => fetch('/apps/shared/api.js'), at); }")
    take_over(page)
    expect(page.get_by_text("A new version is ready.")).to_have_count(0)


def test_a_new_version_takes_nothing_from_anybody(phone, changing):
    system, apps = changing
    page, ada, order = at_park_screen(lambda app, who: phone(app, who, worker=True, base=system.base), People(system.base, system.data))
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    refuse(page, "**/photos?moment=*", 429, "request.too_many")
    page.locator("input[type=file]").set_input_files([picture(page)])
    page.locator(".photo.failed").wait_for()
    page.get_by_label("Bay", exact=True).fill("17")
    tab = page.context.new_page()
    tab.goto("/#/sign-up")
    tab.get_by_label("First name").fill("Gra")
    for app in ("valet", "customer"):
        words = apps / app / "texts/en.js"
        words.write_text(words.read_text().replace("export default {", "export default { 'app.api': 'Another version',", 1))
    page.evaluate("navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
    take_over(page)
    expect(page.get_by_text("A new version is ready.")).to_have_count(0)
    expect(page.get_by_label("Bay", exact=True)).to_have_value("17")
    page.locator(".photo.failed").wait_for()
    page.context.unroute("**/photos?moment=*")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator(".photo.sent").wait_for()
    assert len(ada.get(f"/v1/orders/{order['id']}/photos")["items"]) == 1
    # What is half typed elsewhere stays, until one goes on.
    tab.get_by_text("A new version is ready.").wait_for()
    expect(tab.get_by_label("First name")).to_have_value("Gra")
    tab.get_by_role("link", name="Already have an account? Sign in").click()
    tab.get_by_text("Another version").wait_for()


def test_a_version_that_is_not_whole_is_not_used(phone):
    page = phone("customer", worker=True)
    page.get_by_role("button", name="Sign in").wait_for()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    kept = page.evaluate(VERSIONS)
    [worker] = page.context.service_workers
    # As when the files change while they are fetched.
    worker.evaluate("""() => { self.fetch = async () => new Response('', { headers: { 'openvalet-web-version': 'another' } }); }""")
    assert worker.evaluate("fill().catch((error) => String(error))").endswith("is not whole.")
    assert page.evaluate(VERSIONS) == kept


PROFILES = {"customer": "/profile", "valet": "/profile", "operator": "/settings/profile"}


@pytest.mark.parametrize("app", APPS)
def test_another_account_in_another_tab_ends_what_this_one_had_begun(phone, people, app):
    first, other = {"customer": (people.customer, people.customer), "valet": (people.valet, people.valet),
                    "operator": (lambda _: people.operator,) * 2}[app]
    page, session = phone(app, first("Ada")), other("Grace").signed_in()
    # There is one operator: another account by its id.
    session["account"] = {**session["account"], "id": str(uuid.uuid4()) if app == "operator" else session["account"]["id"], "firstName": "Grace"}
    open_at(page, PROFILES[app])
    page.locator("#firstName").fill("Half")
    sent: list[str] = []
    page.on("request", lambda request: request.method != "GET" and session["accessToken"] in request.headers.get("authorization", "") and sent.append(request.url))
    tab = page.context.new_page()
    tab.goto("/valet" if app == "operator" else "/operator")
    tab.evaluate("([app, session]) => localStorage.setItem(`openvalet.${app}.session`, JSON.stringify(session))", [app, session])
    expect(page.locator("#toasts")).to_contain_text("Someone signed in with another account in this browser.")
    page.wait_for_function("() => location.hash === '#/'")
    open_at(page, PROFILES[app])
    expect(page.locator("#firstName")).to_have_value("Grace")
    assert not sent


REFRESH = "**/v1/sessions/refresh"


@pytest.mark.parametrize("app", APPS)
def test_two_tabs_of_one_account_share_one_renewal(phone, people, app):
    page = phone(app, {"customer": people.customer, "valet": people.valet, "operator": lambda: people.operator}[app]())
    tab = page.context.new_page()
    tab.goto(page.url)
    for each in (page, tab):
        each.get_by_role("heading", level=1).first.wait_for(state="attached")
    answers: list[Response] = []
    page.context.on("response", lambda answer: answer.url.endswith("/v1/sessions/refresh") and answers.append(answer))
    tokens = "import('/apps/shared/api.js').then(({ createApi }) => createApi(app)).then((api) => api.get('/v1/me')).then(({ id }) => id)"
    expire_token(page, app)
    # Both ask at the same moment, before either has an answer.
    for each in (page, tab):
        each.evaluate(f"(app) => {{ window.asked = {tokens}; }}", app)
    assert page.evaluate("asked") == tab.evaluate("asked")
    # The browser may pass on the lock before it passes on what was stored under it: then the second tab repeats the
    # first one's request, by its key, and is given what the first one was.
    assert {answer.status for answer in answers} == {201}
    renewed = {answer.json()["refreshToken"] for answer in answers}
    assert len(renewed) == 1
    answers.clear()
    for each in (page, tab):
        each.reload()
        each.get_by_role("heading", level=1).first.wait_for(state="attached")
        expect(each.locator("#contact")).to_have_count(0)
        assert each.evaluate(f"JSON.parse(localStorage.getItem('openvalet.{app}.session')).refreshToken") in renewed
    assert not answers


@pytest.mark.parametrize("app", APPS)
def test_a_page_that_goes_while_its_token_is_renewed_signs_nobody_out(phone, people, app):
    page = phone(app, {"customer": people.customer, "valet": people.valet, "operator": lambda: people.operator}[app]())
    page.get_by_role("heading", level=1).first.wait_for(state="attached")
    address, lost = page.url, []
    # The server has renewed it; the page never hears of that.
    page.context.route(REFRESH, lambda route: lost.append(route.fetch().json()))
    expire_token(page, app)
    page.reload()
    eventually(lambda: page.wait_for_timeout(100) or lost, "a renewal")
    context = page.context
    page.close()
    context.unroute_all(behavior="ignoreErrors")
    # The same is asked again, and answered; then it goes on from there.
    page = context.new_page()
    # Not while a page is open: a call of its own could renew it before anybody listens.
    expire_token(page, app, at_each_start=True)
    for is_known in (True, False):
        with page.expect_response(REFRESH) as renewed:
            page.goto(address)
        assert renewed.value.status == 201
        assert (renewed.value.json()["refreshToken"] == lost[0]["refreshToken"]) is is_known
        page.get_by_role("heading", level=1).first.wait_for(state="attached")
        expect(page.locator("#contact")).to_have_count(0)
        address = address.split("#")[0] + "?again"


#: Screens of each app with a map, and after them one without.
MAPS = {"customer": ["/", "/park", "/places", "/menu"], "valet": ["/", "/earnings"], "operator": ["/", "/areas", "/areas/hk-island", "/settings"]}


@pytest.mark.parametrize("app", APPS)
def test_a_map_goes_with_its_screen(phone, people, app):
    page = phone(app, before=lambda page: page.add_init_script(COUNT_MAPS))
    who = {"customer": people.customer, "valet": people.valet, "operator": lambda: people.operator}[app]()
    for _ in range(2):
        open_at(page, "/")
        page.locator("#contact").fill(who.phone)
        page.locator("#password").fill(who.password)
        page.locator("form button[type=submit]").click()
        *screens, last = MAPS[app]
        for path in screens:
            open_at(page, path)
            lives(page, 1)
        open_at(page, last)
        # A customer's stays below what is over it.
        lives(page, 1 if app == "customer" else 0)
        open_at(page, "/profile" if app == "valet" else last)
        page.get_by_role("button", name="Sign out").click()
        page.locator("#contact").wait_for()
        lives(page, 0)


def test_a_map_that_is_nearly_covered_shows_its_area_all_the_same(phone, people):
    # As when a keyboard is up; there is no position, so an area is shown.
    page = phone("valet", people.valet(), geolocation=False, height=200)
    is_seen = """() => {
        const box = document.querySelector('path.area')?.getBoundingClientRect();
        return box && Math.min(box.width, box.height) > 40 && box.left >= 0 && box.right <= innerWidth;
    }"""
    page.wait_for_function(is_seen)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(f"() => document.getElementById('map').clientHeight > 600 && ({is_seen})()")


def with_stream(phone, app: str, who):
    """A page with a clock of its own, whose stream is open."""
    opened: list[str] = []

    def listen(page) -> None:
        page.clock.install()
        page.on("response", lambda answer: answer.url.endswith("/v1/stream") and opened.append(answer.url))
    page = phone(app, who, before=listen)
    eventually(lambda: page.wait_for_timeout(50) or opened, "the stream")
    return page


ASKED_ANEW = {
    "customer": ["/v1/orders/current", "/v1/service-areas"],
    "valet": ["/v1/orders/current", "/v1/me/shifts", "/v1/me/offers", "/v1/tasks", "/v1/service-areas"],
    "operator": ["/v1/admin/orders", "/v1/admin/valets", "/v1/admin/alerts", "/v1/service-areas"],
}


@pytest.mark.parametrize("app", APPS)
def test_after_sleep_the_stream_is_opened_anew_and_all_is_asked_for(phone, people, app):
    who = {"customer": people.customer, "valet": people.valet, "operator": lambda: people.operator}[app]()
    page = with_stream(phone, app, who)
    page.get_by_role("heading", level=1).first.wait_for()
    # So late it takes a silent line for dead. From here on nothing happens because its time has come.
    page.clock.pause_at(page.evaluate("Date.now() / 1_000 + 60"))
    with page.expect_response("**/v1/stream"):
        page.clock.run_for(2_000)
    # What is answered after it tells that the app has heard of it.
    page.evaluate("() => fetch('/apps/index.json').then((answer) => answer.text())")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    hide(page, 3)
    page.wait_for_timeout(500)
    assert "/v1/stream" not in asked
    asked.clear()
    hide(page, 12)
    # A customer's app looks each second what is due.
    page.clock.run_for(1_500)
    eventually(lambda: page.wait_for_timeout(100) or {"/v1/stream", *ASKED_ANEW[app]} <= set(asked), "all that is shown, anew")


@pytest.mark.parametrize("app", APPS)
def test_what_was_on_its_way_before_sleep_is_asked_for_again(phone, people, app):
    who = {"customer": people.customer, "valet": people.valet, "operator": lambda: people.operator}[app]()
    page = with_stream(phone, app, who)
    page.get_by_role("heading", level=1).first.wait_for()
    # Nothing is asked for because its time has come.
    page.clock.pause_at(page.evaluate("Date.now() / 1_000 + 60"))
    wanted, held, asked = set(ASKED_ANEW[app]), [], []
    page.route(lambda url: urlsplit(url).path in wanted, lambda route: held.append(route))

    def wake() -> None:
        hide(page, 12)
        # A customer's app looks each second what is due.
        page.clock.run_for(1_500)

    def all_asked(requests) -> bool:
        page.wait_for_timeout(100)
        return wanted <= {urlsplit(request.url).path for request in requests()}
    wake()
    eventually(lambda: all_asked(lambda: [route.request for route in held]), "all that is shown")
    page.on("request", lambda request: asked.append(request))
    wake()
    for route in held:
        route.continue_()
    eventually(lambda: all_asked(lambda: asked), "what was on its way, anew")


def test_what_was_known_of_the_network_before_sleep_is_old(phone, people):
    page = with_stream(phone, "customer", people.customer())
    page.get_by_role("heading", name="Where is your car?").wait_for()
    page.clock.pause_at(page.evaluate("Date.now() / 1_000 + 60"))
    page.route("**/v1/stream", lambda route: route.abort())
    page.route("**/v1/orders/current?*", lambda route: route.abort())
    hide(page, 12)
    eventually(lambda: page.clock.run_for(20) or page.locator(".offline-bar").is_visible(), "the bar")
    # No answer says that the network is there again.
    page.route("**/v1/orders/current?*", lambda route: None)
    with page.expect_request("**/v1/service-areas"):
        hide(page, 12)
        page.clock.run_for(1_500)
    assert not page.locator(".offline-bar").is_visible()


def test_after_each_sleep_the_stream_is_opened_as_soon(phone, people):
    page = with_stream(phone, "customer", people.customer())
    page.get_by_role("heading", name="Where is your car?").wait_for()
    # So late it takes a silent line for dead.
    page.clock.pause_at(page.evaluate("Date.now() / 1_000 + 60"))
    for slept in (0, 12, 12, 12, 12):
        with page.expect_response("**/v1/stream"):
            if slept:
                hide(page, slept)
            # A second at most, however often it was cut.
            page.clock.run_for(1_000)
        # What is answered after it tells that the app has heard of it.
        page.evaluate("() => fetch('/apps/index.json').then((answer) => answer.text())")


def test_a_silent_stream_is_given_up(phone, people):
    page = with_stream(phone, "customer", people.customer())
    page.get_by_role("heading", name="Where is your car?").wait_for()
    with page.expect_request("**/v1/stream"):
        page.clock.fast_forward(21_000)


@pytest.mark.parametrize("app, path, answer, other", [
    ("customer", "/orders", "**/v1/orders?as=customer&limit=20", "Where is your car?"), ("valet", "/earnings", "**/v1/users/*/comments?*", "Jobs"),
    ("operator", "/audit", "**/v1/admin/audit?*", "Live")])
def test_a_screen_that_fails_says_so_and_is_told_of(phone, people, system, check_accessible, app, path, answer, other):
    page = phone(app, {"customer": people.customer, "valet": people.valet, "operator": lambda: people.operator}[app]())
    page.get_by_role("heading", level=1, name=other).wait_for(state="attached")
    page.watch.expected.append("TypeError")
    # As a change of the API would do that nobody has foreseen.
    page.route(answer, lambda route: route.fulfill(json={"items": [None]}))

    def lines() -> list[str]:
        return [it for it in system.printed().splitlines() if "an app failed" in it and f"app={app}" in it.replace('"', "")]
    known = len(lines())
    with page.expect_response("**/v1/client-errors") as told:
        open_at(page, path)
    page.get_by_role("heading", name="Something went wrong").wait_for()
    assert told.value.status == 202
    sent = told.value.request.post_data_json
    assert sent["app"] == app and sent["message"].startswith("TypeError") and sent["source"].startswith("/apps/") and sent["line"] > 0
    assert sent["build"] == page.evaluate("fetch('/apps/index.json').then((answer) => answer.json())")["version"]
    line = eventually(lambda: lines()[known:], "a line of the log")
    assert len(line) == 1 and sent["source"] in line[0]
    check_accessible(page, "a fault")
    open_at(page, "/")
    page.get_by_role("heading", level=1, name=other).wait_for(state="attached")


def test_what_no_code_caught_is_told_once(phone):
    page = phone("customer")
    page.get_by_role("button", name="Sign in").wait_for()
    told: list[dict] = []
    page.on("request", lambda request: request.url.endswith("/v1/client-errors") and told.append(request.post_data_json))
    for _ in range(3):
        page.evaluate("void Promise.reject(new RangeError('too far'))")
        page.evaluate("import('/apps/shared/api.js').then(({ Offline }) => void Promise.reject(new Offline('no network')))")
    page.evaluate("setTimeout(() => { throw new Error('a tap that did nothing'); })")
    eventually(lambda: page.wait_for_timeout(100) or len(told) == 2, "two reports")
    page.wait_for_timeout(300)
    assert [it["message"] for it in told] == ["RangeError: too far", "Error: a tap that did nothing"]
    page.watch.faults.clear()


@pytest.mark.parametrize("app, who, path", [
    ("customer", "customer", "/orders/"), ("valet", "valet", "/orders/"), ("operator", "operator", "/orders/"),
    ("operator", "operator", "/valets/"),
])
def test_an_id_of_an_address_stays_one_part_of_a_path(phone, people, app, who, path):
    person = people.operator if who == "operator" else getattr(people, who)()
    page = phone(app, person, **({"width": 1280, "height": 800} if app == "operator" else {}))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    open_at(page, f"{path}..%2F..%2Fv1%2Fme%3Fa")
    page.wait_for_timeout(300)
    assert not [it for it in asked if it.startswith("/v1/v1") or it == "/v1/me"], asked
    assert all("%2F" in it for it in asked if ".." in it), asked


def test_an_address_that_is_cut_off_is_no_fault(phone, people):
    page = phone("customer", people.customer())
    told: list[str] = []
    page.on("request", lambda request: request.url.endswith("/v1/client-errors") and told.append(request.post_data))
    open_at(page, "/orders/%E0%A4%A")
    page.get_by_text("This order doesn’t exist, or isn’t yours.").or_(page.get_by_role("alert")).first.wait_for()
    expect(page.get_by_text("Something went wrong")).to_have_count(0)
    assert not told


def test_siblings_that_come_and_go_leave_the_others_alone(phone):
    page = phone("customer")
    page.get_by_role("button", name="Sign in").wait_for()
    assert page.evaluate("""async () => {
        const { h, render } = await import('/apps/shared/dom.js');
        const home = document.body.appendChild(document.createElement('div'));
        const draw = (isThere) => render(home, isThere && h('label', null, 'first ', h('input', { id: 'first' })),
            h(isThere ? 'p' : 'h2', null, 'between'), h('label', null, 'second ', h('input', { id: 'second' })), [1, isThere && 2, 3].map((i) => i && h('p', null, i)));
        draw(true);
        const [second, third] = [home.querySelector('#second'), home.lastChild];
        second.focus();
        second.value = 'typed';
        const kept = () => document.activeElement === second && home.querySelector('#second') === second && second.value === 'typed' && home.lastChild === third;
        draw(false);
        const left = [...home.children].map(({ innerText }) => innerText.trim());
        const isKept = kept();
        draw(true);
        return isKept && kept() && left.join() === 'between,second,1,3' && home.children.length === 6;
    }""")


def test_only_a_tap_outside_closes_a_dialog(phone):
    page = phone("customer")
    page.get_by_role("button", name="Sign in").wait_for()
    # What is said is said in a region that was there before.
    assert page.locator("#toasts").count() == 1
    page.evaluate("void import('/apps/shared/dialogs.js').then(({ confirm }) => confirm('Sure?', 'A text that somebody marks.'))")
    dialog = page.get_by_role("dialog", name="Sure?")
    box = dialog.get_by_text("A text that somebody marks.").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(3, 3)
    page.mouse.up()
    expect(dialog).to_be_visible()
    page.mouse.click(3, 3)
    expect(dialog).to_have_count(0)
