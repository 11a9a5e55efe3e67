"""What all three apps have in common."""

import json

import pytest

from api import eventually

APPS = ["customer", "valet", "operator"]


@pytest.mark.parametrize("app", APPS)
def test_an_app_opens_in_the_persons_language(phone, check_accessible, app):
    page = phone(app, language="zh-HK")
    page.get_by_role("button", name="登入").wait_for()
    assert page.locator("html").get_attribute("lang") == "zh-Hant"
    check_accessible(page, f"{app}: sign in")


@pytest.mark.parametrize("app", APPS)
def test_an_app_can_be_installed_and_opens_without_network(phone, app):
    page = phone(app)
    page.get_by_role("button", name="Sign in").wait_for()
    manifest = page.evaluate(
        "async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()")
    assert manifest["display"] == "standalone" and manifest["start_url"] and manifest["icons"]
    sizes = {icon.get("sizes") for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    eventually(lambda: page.evaluate("""async () => {
        const { files } = await (await fetch('/apps/index.json')).json();
        const app = document.documentElement.dataset.app;
        const wanted = files.filter((file) => file.startsWith('shared/') || file.startsWith(`${app}/`)).map((file) => `/apps/${file}`);
        const kept = await Promise.all([location.pathname, ...wanted, '/leaflet/leaflet.esm.js'].map((url) => caches.match(url)));
        return kept.every(Boolean);
    }"""), "the whole app on the device")
    page.context.set_offline(True)
    page.watch.expected.append("ERR_INTERNET_DISCONNECTED")
    page.reload()
    page.get_by_role("button", name="Sign in").wait_for()
    page.locator(".offline-bar").wait_for()


def test_a_push_is_shown_and_leads_into_the_app(phone):
    page = phone("customer")
    page.context.grant_permissions(["geolocation", "notifications"])
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    protocol = page.context.new_cdp_session(page)
    versions: list[dict] = []
    protocol.on("ServiceWorker.workerRegistrationUpdated", lambda event: versions.extend(event["registrations"]))
    protocol.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    eventually(lambda: page.wait_for_timeout(100) or versions, "the worker's registration")
    protocol.send("ServiceWorker.deliverPushMessage", {
        "origin": page.evaluate("location.origin"),
        "registrationId": versions[0]["registrationId"],
        "data": json.dumps({
            "title": "Your vehicle is parked", "body": "K7-42: call it back whenever you like.", "number": 4,
            "kind": "parked", "language": "en", "url": "/#/orders/0190aaaa-0000-7000-8000-000000000000",
            "subject": {"product": "valet", "kind": "order", "id": "0190aaaa-0000-7000-8000-000000000000"}}),
    })
    eventually(lambda: page.evaluate("""async () => {
        const registration = await navigator.serviceWorker.ready;
        const shown = await registration.getNotifications();
        return shown.length === 1 && shown[0].title === 'Your vehicle is parked'
            && shown[0].tag.startsWith('0190aaaa') && shown[0].lang === 'en'
            && shown[0].data.url.endsWith('#/orders/0190aaaa-0000-7000-8000-000000000000');
    }"""), "a notification")
    # Nobody can tap a notification here; what a tap runs is asked for. No worker gives a page the focus unasked.
    [worker] = page.context.service_workers
    worker.evaluate("openApp({ url: '/#/orders/0190aaaa-0000-7000-8000-000000000000' }).catch(() => {})")
    page.wait_for_url("**/#/orders/0190aaaa-0000-7000-8000-000000000000")


def test_the_first_view_of_the_customer_app_is_light(phone):
    """Under 150 kB sent by us, without Leaflet and tiles."""
    page = phone("customer")
    page.get_by_role("button", name="Sign in").wait_for()
    sizes = page.evaluate("""() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter((entry) => !new URL(entry.name).pathname.startsWith('/leaflet/'))
        .map((entry) => [new URL(entry.name).pathname, entry.encodedBodySize])""")
    assert any(path.endswith("/app.js") and size > 0 for path, size in sizes)
    assert sum(size for _, size in sizes) < 150_000, sizes
