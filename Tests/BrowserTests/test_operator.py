"""The operator app: what happens in the city, and what can be done about it."""

from __future__ import annotations

import json
import re
import uuid
from datetime import datetime, timedelta, timezone
from typing import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from api import PASSWORD, Refused, eventually, insist, picture
from conftest import expire_photos, focus_by_tab, is_wider_than_window, older_browser, open_at
from playwright.sync_api import Page, expect
from test_customer import sign_in
from system import System
from town import CENTRAL, here

GARAGE = here(22.2825, 114.1570)
DESK = {"width": 1440, "height": 900, "geolocation": False}
SCREENS = ["/", "/orders", "/today", "/valets", "/areas", "/areas/new", "/areas/hk-island", "/areas/hk-island/tariff", "/payments",
           "/books", "/books/days", "/books/balances", "/books/payouts", "/alerts", "/reports", "/messages", "/dead-letters", "/audit",
           "/settings", "/settings/company", "/settings/taxes", "/settings/profile", "/menu"]


@pytest.fixture(scope="session")
def system(tmp_path_factory) -> Iterator[System]:
    """One of its own: these tests are about everything that an operator sees."""
    system = System(tmp_path_factory.mktemp("operator"))
    yield system
    system.stop()


# What happens beside the browser


def place(customer, **more) -> dict:
    at = {"latitude": CENTRAL[0], "longitude": CENTRAL[1], "address": "1 Connaught Place"}
    return customer.post("/v1/orders", {"dropOff": at, **more})


def matched(people, first="Ada", valet="Wing") -> tuple:
    """A customer whose valet is on the way."""
    driver = people.valet(valet, at=CENTRAL)
    customer = people.customer(first)
    place(customer)
    return customer, driver, customer.order_in("droppingOff")


def parked(people, first="Ada", valet="Wing") -> tuple:
    customer, driver, order = matched(people, first, valet)
    path = f"/v1/orders/{order['id']}"
    insist(lambda: driver.call("POST", f"{path}/photos?moment=handOver", raw=picture(), type="image/png"),
           "plates.engagement_unknown", "plates.moment_not_possible", what="an order that plates knows")
    driver.post(f"{path}/collect", {"code": order["handoverCode"]})
    driver.post(f"{path}/park", {
        "latitude": GARAGE[0], "longitude": GARAGE[1], "lot": "Harbour", "level": "B2", "bay": "17", "keyTag": "042",
        "vehicle": {"plate": "AB 1234", "make": "Tesla", "model": "Model 3", "colour": "white"}})
    return customer, driver, customer.order_in("parked")


def paid(people, first="Ada") -> tuple:
    """An order from drop-off to payment."""
    customer, driver, order = parked(people, first)
    path = f"/v1/orders/{order['id']}"
    customer.post(f"{path}/recall", {"returnTo": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})

    def assigned():
        order = customer.order()
        return order if order["status"] == "requestingBack" and order["returnValet"] else None
    order = eventually(assigned, "a valet for the return")
    driver.post(f"{path}/retrieve")
    driver.post(f"{path}/hand-back", {"code": customer.order()["handoverCode"]})
    customer.order_in("waitingForPayment")
    assert customer.pay(order["id"], {"token": "pm_card_visa"})["payment"]["status"] == "succeeded"
    eventually(lambda: customer.get(path)["status"] == "finished", "the end of the order")
    return customer, driver, customer.get(path)


@pytest.fixture
def desk(phone, people):
    """The app, signed in, at a desk; `path` is the screen."""
    def sit(path: str = "/", **options) -> Page:
        page = phone("operator", people.operator, **{**DESK, **options})
        page.locator(".live-list").wait_for()
        if path != "/":
            show(page, path)
        return page
    return sit


def show(page: Page, path: str) -> None:
    open_at(page, path)
    page.locator("#content h1").wait_for()
    expect(page.locator(".skeleton:visible")).to_have_count(0)


def confirm(page: Page, name: str) -> None:
    page.locator("dialog").last.get_by_role("button", name=name).click()


def scene(people) -> None:
    """More of a city around what a test looks at: valets who are free, orders that have one."""
    spots = [here(22.2860, 114.1400), here(22.2790, 114.1760), here(22.2800, 114.1900), here(22.2850, 114.2080), here(22.2700, 114.1600)]
    valets = [people.valet(name, at=spot) for name, spot in zip(("Chi", "Ming", "Yan", "Ho", "Lok"), spots)]
    customers = [people.customer(name) for name in ("Iris", "Paul", "Zoe")]
    # Making people takes its time on a busy machine, and a valet who is silent for long gets no job.
    for valet, spot in zip(valets, spots):
        valet.at(*spot)
    for customer, (latitude, longitude) in zip(customers, spots):
        customer.post("/v1/orders", {"dropOff": {"latitude": latitude + 0.001, "longitude": longitude - 0.001, "address": "88 Queensway"}})
        customer.order_in("droppingOff")


# Live


def test_the_live_screen_follows_valets_and_orders(people, desk, shot):
    page = desk()
    customer, valet, order = matched(people, "Grace", "Bo")
    row = page.locator(".order-row", has_text=order["ticket"])
    expect(row).to_contain_text("Valet on the way")
    expect(row).to_contain_text("Bo Lee")
    # The valet stands where the order is.
    page.get_by_role("button", name="2 here").dispatch_event("click")
    card = page.get_by_role("complementary", name="Chosen on the map")
    card.get_by_role("button", name="Bo Lee, On a job").click()
    expect(card).to_contain_text("Bo Lee")
    marker = page.locator(".marker.crew.chosen")
    expect(marker).to_be_visible()
    before = marker.bounding_box()
    for step in range(1, 6):
        valet.at(CENTRAL[0] - step * 0.0008, CENTRAL[1] + step * 0.0008)
    eventually(lambda: page.wait_for_timeout(200) or marker.bounding_box() != before, "the marker moves")
    expect(card.get_by_role("link", name=order["ticket"])).to_be_visible()
    scene(people)
    expect(page.locator(".order-row")).to_have_count(4)
    # All four, their valets and two who are free, alone or in a number.
    page.wait_for_function("""() => [...document.querySelectorAll('.marker')]
        .reduce((sum, marker) => sum + (marker.matches('.several') ? Number(marker.textContent) : 1), 0) === 10""")
    shot(page, "operator-live")

    valet.post(f"/v1/orders/{order['id']}/collect", {"code": customer.order()["handoverCode"]})
    expect(row).to_contain_text("Being parked")


def test_orders_are_found_by_ticket_plate_name_and_phone(people, desk):
    page = desk()
    beatrice, _, first = matched(people, "Beatrice", "Ping")
    second = people.customer("Clementine")
    # Of a later day: it stays, though no valet is free for it.
    place(second, scheduledFor=(datetime.now(timezone.utc) + timedelta(days=2)).isoformat(timespec="seconds").replace("+00:00", "Z"))
    rows = page.locator(".order-row")
    expect(rows).to_have_count(2)
    search = page.get_by_label("Search")
    for text in (first["ticket"].lower().replace("-", ""), "beatrice", beatrice.phone[-7:], "Ping Lee"):
        search.fill(text)
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("Beatrice")
    search.fill("nobody at all")
    expect(page.get_by_text("No matching orders")).to_be_visible()
    search.fill("")
    page.get_by_label("Area", exact=True).select_option("kowloon")
    expect(rows).to_have_count(0)
    page.get_by_label("Area", exact=True).select_option("")
    page.get_by_label("State").select_option("droppingOff")
    expect(rows).to_have_count(1)


def test_ended_orders_are_found_by_their_state(people, desk):
    place(people.customer("Dora"))
    order = people.operator.get("/v1/admin/orders?limit=1")["items"][0]
    people.operator.post(f"/v1/admin/orders/{order['id']}/override", {"status": "cancelled", "reason": "asked by phone"})
    page = desk("/orders")
    page.get_by_label("State").select_option("cancelled")
    expect(page.get_by_role("row", name=order["ticket"]).first).to_contain_text("Cancelled")


def test_what_was_found_among_older_orders_stays(people, desk):
    _, _, order = matched(people, "Fay", "Sun")
    page = desk()
    page.clock.install()
    asked = []

    def pages(route):
        number = 2 if "after=" in route.request.url else 1
        asked.append(number)
        orders = [{**order, "id": str(uuid.uuid4()), "ticket": f"P{number}-{i}", "dropOff": {**order["dropOff"], "address": f"Road {number}{i:02d}"}}
                  for i in range(50)]
        route.fulfill(content_type="application/json", body=json.dumps({"items": orders, "next": "more" if number == 1 else None}))

    page.route(re.compile(r"/v1/admin/orders\?(after=[^&]*&)?limit=50$"), pages)
    show(page, "/orders")
    page.get_by_role("button", name="Load older orders").click()
    expect(page.get_by_text("100 orders")).to_be_visible()
    page.get_by_label("Search").fill("Road 242")
    expect(page.get_by_role("row", name="P2-42")).to_be_visible()
    asked.clear()
    page.clock.fast_forward(16_000)
    page.wait_for_timeout(300)
    expect(page.get_by_role("row", name="P2-42")).to_be_visible()
    assert asked == []


def test_valets_on_one_spot_are_one_marker_with_their_number(people, desk, check_accessible):
    for name in ("Anna", "Bert", "Carl"):
        people.valet(name, at=CENTRAL)
    page = desk()
    several = page.get_by_role("button", name="3 here")
    expect(several).to_have_text("3")
    several.dispatch_event("click")
    card = page.get_by_role("complementary", name="Chosen on the map")
    expect(card.get_by_role("button", name="Lee, Free")).to_have_count(3)
    check_accessible(page, "several on one spot")
    card.get_by_role("button", name="Carl Lee, Free").click()
    expect(card).to_contain_text("Carl Lee")
    # The chosen valet has a marker of their own.
    expect(page.get_by_role("button", name="2 here")).to_have_text("2")


@pytest.mark.parametrize("hours", [-3, 3])
def test_times_are_true_whatever_the_desks_clock_shows(people, desk, hours):
    page = desk()
    page.clock.install(time=datetime.now() + timedelta(hours=hours))
    asked: list[str] = []
    page.on("request", lambda request: "/v1/admin/statistics/orders" in request.url and asked.append(request.url))
    page.reload()
    age = re.compile(r"just now|\d s ago")
    expect(page.locator(".freshness")).to_contain_text(age)
    for path in ("/valets", "/payments", "/books", "/alerts", "/audit", "/today"):
        show(page, path)
        expect(page.locator(".page-age")).to_have_text(age)
    # Opened by its address, before any answer.
    page.reload()
    expect(page.locator(".page-age")).to_have_text(age)
    now = datetime.now(timezone.utc)
    for url in asked:
        assert abs(datetime.fromisoformat(parse_qs(urlsplit(url).query)["to"][0]) - now) < timedelta(hours=1), url


def test_without_a_network_the_last_state_stays(people, desk):
    _, _, order = matched(people, "Olga", "Chan")
    page = desk()
    expect(page.locator(".order-row", has_text=order["ticket"])).to_be_visible()
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "net::ERR"]
    page.context.set_offline(True)
    expect(page.get_by_text("You’re offline. Showing the latest we have")).to_be_visible()
    expect(page.locator(".order-row", has_text=order["ticket"])).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("You’re offline. Showing the latest we have")).to_have_count(0)


def test_orders_that_cannot_be_asked_for_are_not_called_live(people, desk):
    page = desk()
    freshness = page.locator(".freshness")
    expect(freshness).to_contain_text("Live")
    answer(page, "**/v1/admin/orders?*", {"status": 429, "code": "request.too_many"}, 429)
    # As when the device is back on its network: everything is asked for.
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(freshness).to_contain_text("No answer")
    with page.expect_response(lambda answer: "/v1/admin/valets" in answer.url):
        pass
    page.wait_for_timeout(200)
    expect(freshness).to_contain_text("No answer")


# One order


def cut_off(page: Page) -> list[str]:
    """Tables of which a part is seen only after scrolling sideways."""
    return page.locator(".table-box").evaluate_all(
        "boxes => boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.getAttribute('aria-label'))")


def test_an_order_tells_its_whole_story(people, desk, shot):
    _, valet, order = parked(people, "Hilda", "Kit")
    page = desk(f"/orders/{order['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(order["ticket"])
    timeline = page.get_by_role("region", name="Timeline")
    for step in ("Ordered", "Valet assigned", "Vehicle collected", "Parked"):
        expect(timeline).to_contain_text(step)
    why = page.get_by_role("region", name="Why this valet")
    expect(why).to_contain_text("Kit Lee was chosen")
    expect(why.get_by_role("row", name="Kit Lee")).to_contain_text("Chosen")
    custody = page.get_by_role("region", name="Custody")
    expect(custody.locator("tbody tr")).to_have_count(3)
    expect(custody).to_contain_text("Harbour / B2 / 17 / tag 042")
    custody.get_by_role("button", name="Verify").click()
    expect(custody).to_contain_text("The record is intact: 3 lines")
    assert not cut_off(page)
    photo = page.get_by_role("region", name="Photos").locator("img")
    eventually(lambda: photo.evaluate("image => image.naturalWidth") == 64, "the photo")
    expect(page.get_by_role("region", name="Money")).to_contain_text("So far")
    people_of_it = page.get_by_role("region", name="People")
    expect(people_of_it.get_by_role("link", name=f"Call Kit Lee, {valet.phone}")).to_have_attribute("href", f"tel:{valet.phone}")
    shot(page, "operator-order")


def test_photos_say_when_they_were_taken(phone, people, desk):
    customer, driver, order = matched(people)
    path = f"/v1/orders/{order['id']}"

    def photograph():
        insist(lambda: driver.call("POST", f"{path}/photos?moment=handOver", raw=picture(), type="image/png"),
               "plates.engagement_unknown", "plates.moment_not_possible", what="an order that plates knows")
    photograph()
    driver.post(f"{path}/collect", {"code": order["handoverCode"]})
    photograph()
    photos = desk(f"/orders/{order['id']}").get_by_role("region", name="Photos").get_by_role("listitem")
    expect(photos).to_have_text([re.compile("^Before parking"), re.compile("^At hand-over")])
    page = phone("customer", customer)
    open_at(page, f"/orders/{order['id']}")
    for moment in ("At hand-over", "Before parking"):
        expect(page.get_by_role("button", name=re.compile(f"^{moment}, "))).to_have_count(1)


def test_a_photo_whose_address_has_expired_is_asked_for_anew(people, desk):
    _, _, order = parked(people)
    page = desk()
    asked_anew = expire_photos(page)
    show(page, f"/orders/{order['id']}")
    eventually(lambda: page.wait_for_timeout(100) or asked_anew, "another address")
    photo = page.locator("img[src*='/v1/pictures/vehicles/']")
    eventually(lambda: photo.count() and photo.first.evaluate("image => image.naturalWidth") == 64, "the photo")


def test_who_was_not_chosen_is_told_why(people, desk):
    people.valet("Far", at=(CENTRAL[0] - 0.004, CENTRAL[1] + 0.004))
    _, _, order = matched(people, "Ida", "Near")
    page = desk(f"/orders/{order['id']}")
    why = page.get_by_role("region", name="Why this valet")
    expect(why.get_by_role("row", name="Near Lee").first).to_contain_text("Chosen")
    expect(why.get_by_role("row", name="Far Lee").first).to_contain_text(re.compile(r"Costs \d+ s more than the chosen valet"))


def test_an_override_asks_for_a_reason_and_once_more(people, desk):
    _, _, order = parked(people, "Jana")
    page = desk(f"/orders/{order['id']}")
    page.get_by_role("button", name="Override").click()
    dialog = page.locator("dialog").first
    dialog.get_by_role("button", name="Override").click()
    expect(dialog).to_contain_text("Choose a state")
    dialog.get_by_label("New state").select_option("finished")
    dialog.get_by_role("button", name="Override").click()
    expect(dialog).to_contain_text("Enter a reason")
    dialog.get_by_label("Reason").fill("Handed over at the gate without the app")
    dialog.get_by_role("button", name="Override").click()
    confirm(page, "Yes, override")
    expect(page.locator(".page-title")).to_contain_text("Finished")
    expect(page.get_by_role("region", name="Timeline")).to_contain_text("Handed over at the gate without the app")
    show(page, "/audit")
    expect(page.get_by_role("row", name="Override").first).to_contain_text("Handed over at the gate without the app")


def test_an_impossible_override_is_refused_in_words(people, desk):
    _, _, order = matched(people, "Kira")
    page = desk(f"/orders/{order['id']}")
    page.get_by_role("button", name="Override").click()
    dialog = page.locator("dialog").first
    dialog.get_by_label("New state").select_option("returningBack")
    dialog.get_by_label("Reason").fill("to see what happens")
    dialog.get_by_role("button", name="Override").click()
    confirm(page, "Yes, override")
    expect(dialog).to_contain_text("no valet brings this vehicle back")


def test_a_valet_is_withdrawn(people, desk):
    _, _, order = matched(people, "Lena", "Late")
    page = desk(f"/orders/{order['id']}")
    page.get_by_role("button", name="Withdraw valet").click()
    dialog = page.locator("dialog").first
    expect(dialog).to_contain_text("Late Lee loses this job")
    dialog.get_by_label("Reason").fill("Flat tyre")
    dialog.get_by_role("button", name="Withdraw valet").click()
    expect(page.locator(".page-title")).to_contain_text("Looking for a valet")


# Valets


def test_a_valet_is_added_suspended_and_reinstated(people, desk, shot):
    page = desk("/valets")
    phone = people.number()
    page.get_by_role("button", name="New valet").click()
    dialog = page.locator("dialog").first
    dialog.get_by_label("First name").fill("Mei")
    dialog.get_by_label("Last name").fill("Tam")
    dialog.get_by_label("Phone number").fill(phone)
    dialog.get_by_label("First password").fill("short")
    dialog.get_by_role("button", name="Add valet").click()
    expect(dialog.locator("[aria-invalid=true]")).to_have_attribute("name", "password")
    dialog.get_by_label("First password").fill(PASSWORD)
    dialog.get_by_role("button", name="Add valet").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mei Tam")
    expect(page.locator(".page-title")).to_contain_text("Off shift")
    valet = people.sign_in(phone)
    valet.at(*CENTRAL)
    valet.put("/v1/me/availability", {"status": "available"})
    expect(page.locator(".page-title")).to_contain_text("Free")
    expect(page.get_by_role("region", name="Working times")).to_be_visible()

    page.get_by_role("button", name="Suspend").click()
    confirm(page, "Suspend")
    expect(page.locator(".page-title")).to_contain_text("Suspended")
    page.get_by_role("button", name="Reinstate").click()
    confirm(page, "Reinstate")
    expect(page.locator(".page-title .badge")).not_to_have_text("Suspended")
    show(page, "/valets")
    page.get_by_label("Search").fill("tam")
    expect(page.get_by_role("row", name="Mei Tam")).to_be_visible()
    shot(page, "operator-valets")


# Areas and tariffs


def area(people, name: str = "Test Peak") -> str:
    """A small square of its own, so that tests don't meet."""
    id = f"test-{people.number()[-6:]}"
    square = [[114.30, 22.30], [114.31, 22.30], [114.31, 22.31], [114.30, 22.31], [114.30, 22.30]]
    people.operator.put(f"/v1/admin/service-areas/{id}", {
        "type": "Feature", "id": id,
        "properties": {"id": id, "name": name, "servicePoint": {"latitude": 22.305, "longitude": 114.305}, "currency": "HKD"},
        "geometry": {"type": "Polygon", "coordinates": [square]}})
    return id


def stored(people, id: str) -> dict:
    return next(one for one in people.operator.get("/v1/service-areas")["features"] if one["id"] == id)


def test_an_outline_is_edited_by_mouse(people, desk, shot):
    id = area(people)
    page = desk(f"/areas/{id}")
    handles = page.locator(".handle.vertex")
    expect(handles).to_have_count(4)
    # Waits until the map stands still.
    handles.nth(2).hover()
    box = handles.nth(2).bounding_box()
    page.mouse.down()
    page.mouse.move(box["x"] - 26, box["y"] + 44, steps=6)
    # What is drawn anew meanwhile does not take the point out of the hand.
    # Any answer takes the bar of a network that is away: nobody waits for it.
    page.evaluate("""async () => {
        for (const name of ['offline', 'online']) {
            dispatchEvent(new Event(name));
            await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        }
    }""")
    expect(page.locator(".offline-bar")).to_have_count(0)
    page.mouse.up()
    page.locator(".handle.middle").nth(0).click()
    expect(handles).to_have_count(5)
    shot(page, "operator-area")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Test Peak is saved.")).to_be_visible()
    ring = stored(people, id)["geometry"]["coordinates"][0]
    assert len(ring) == 6 and ring[0] == ring[-1]
    assert [114.31, 22.31] not in ring


def test_an_outline_is_edited_by_keyboard_alone(people, desk):
    id = area(people)
    page = desk(f"/areas/{id}")
    page.get_by_role("button", name="Point 1 of 4", exact=True).focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Point 2 of 5", exact=True)).to_be_focused()
    page.keyboard.press("Delete")
    expect(page.locator(".handle.vertex")).to_have_count(4)
    expect(page.get_by_label("Latitude of point 5", exact=True)).to_have_count(0)
    # The focus comes two frames later; what is typed before goes with it.
    expect(page.get_by_role("button", name="Point 2 of 4", exact=True)).to_be_focused()
    latitude = page.get_by_label("Latitude of point 3", exact=True)
    latitude.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("22.312")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Test Peak is saved.")).to_be_visible()
    ring = stored(people, id)["geometry"]["coordinates"][0]
    assert ring[0][0] < 114.30 and ring[2][1] == 22.312


def test_an_impossible_outline_is_refused_with_the_servers_words(people, desk):
    id = area(people)
    page = desk(f"/areas/{id}")
    latitude = page.get_by_label("Latitude of point 1", exact=True)
    latitude.fill("95")
    latitude.press("Tab")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("region", name="Outline").get_by_role("alert")).to_contain_text("off the globe")
    latitude.fill("22.30")
    latitude.press("Tab")
    service = page.get_by_label("Latitude", exact=True)
    service.fill("22.5")
    service.press("Tab")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Choose a point inside the area.")).to_be_visible()
    assert stored(people, id)["geometry"]["coordinates"][0][0] == [114.30, 22.30]


def test_a_new_area_is_drawn(people, desk):
    page = desk("/areas/new")
    currency = people.operator.get("/v1/service-areas")["features"][0]["properties"]["currency"]
    expect(page.get_by_label("Currency")).to_have_value(currency)
    page.get_by_label("Name").fill("Drawn Bay")
    id = f"drawn-{people.number()[-6:]}"
    page.get_by_label("ID", exact=True).fill(id)
    page.locator(".leaflet-tile-pane").wait_for(state="attached")
    page.wait_for_function("() => document.querySelector('path.area')")
    box = page.locator("#area-map").bounding_box()
    for x, y in ((80, 80), (200, 80), (200, 200), (80, 200)):
        page.mouse.click(box["x"] + x, box["y"] + y)
    expect(page.locator(".handle.vertex")).to_have_count(4)
    page.get_by_label("offered", exact=True).check()
    page.get_by_label("Seconds to answer").fill("30")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Drawn Bay is saved.")).to_be_visible()
    made = stored(people, id)
    assert len(made["geometry"]["coordinates"][0]) == 5 and made["properties"]["currency"] == currency
    assert made["properties"]["dispatch"] == {"mode": "offer", "offerSeconds": 30}


def test_a_conflict_of_two_editors_is_told_before_anything_is_lost(people, desk):
    id = area(people)
    page = desk(f"/areas/{id}")
    page.get_by_label("Name").fill("Mine")
    theirs = stored(people, id)
    theirs["properties"]["name"] = "Theirs"
    people.operator.put(f"/v1/admin/service-areas/{id}", theirs)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Its name is now “Theirs”.")).to_be_visible()
    assert stored(people, id)["properties"]["name"] == "Theirs"
    expect(page.get_by_label("Name")).to_have_value("Mine")
    page.get_by_role("button", name="Overwrite with mine").click()
    expect(page.get_by_text("Mine is saved.")).to_be_visible()
    assert stored(people, id)["properties"]["name"] == "Mine"


def test_a_tariff_is_previewed_and_published(people, desk, shot):
    id = area(people, "Priced")
    page = desk(f"/areas/{id}/tariff")
    preview = page.get_by_role("region", name="Price examples")
    # Two hours: 80 and four started half hours of 25 after the first 15 minutes.
    expect(preview.get_by_role("row", name="2 h")).to_contain_text("HK$180.00")
    page.get_by_label("Base fee").fill("100")
    expect(preview.get_by_role("row", name="2 h")).to_contain_text("HK$200.00")
    page.get_by_label("Price per started period").fill("x")
    expect(preview).to_contain_text("Check the fields: one of them is not a number.")
    page.get_by_label("Price per started period").fill("30.50")
    shot(page, "operator-tariff")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("dialog")).to_contain_text("HK$80.00 → HK$100.00")
    confirm(page, "Publish")
    expect(page.get_by_text("The new tariff of Priced applies now.")).to_be_visible()
    tariff = stored(people, id)["properties"]["tariff"]
    assert (tariff["version"], tariff["baseFee"], tariff["incrementPrice"]) == (2, 10_000, 3_050)


@pytest.mark.parametrize("width", [360, 1024, 1280])
def test_no_column_of_a_tariffs_example_is_cut_off(people, desk, width):
    page = desk(f"/areas/{area(people, 'Priced')}/tariff", width=width)
    page.get_by_label("Base fee").fill("12345.67")
    box = page.get_by_role("region", name="Price examples").locator(".table-box")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), box.evaluate("box => [box.scrollWidth, box.clientWidth]")


# Money


def test_a_part_is_refunded_and_the_books_agree(people, desk, shot):
    _, _, order = paid(people, "Nora")
    page = desk("/payments")
    # The newest: an order that is over has given its ticket free.
    row = page.get_by_role("row", name=order["ticket"]).first
    row.get_by_role("button", name="Refund").click()
    dialog = page.locator("dialog").first
    dialog.get_by_label("Partial amount").check()
    dialog.get_by_label("Amount in HKD").fill("5000")
    dialog.get_by_label("Reason").fill("A scratch on the door")
    dialog.get_by_role("button", name="Refund").click()
    expect(dialog).to_contain_text("Enter at most HK$80.00.")
    dialog.get_by_label("Amount in HKD").fill("25.50")
    dialog.get_by_role("button", name="Refund").click()
    confirm(page, "Refund HK$25.50")
    expect(page.get_by_role("row", name="A scratch on the door")).to_contain_text("-HK$25.50")
    shot(page, "operator-payments")
    show(page, f"/orders/{order['id']}")
    expect(page.get_by_role("region", name="Money")).to_contain_text("A scratch on the door")
    show(page, "/books")
    expect(page.get_by_text("HKD: debits and credits agree")).to_be_visible()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("region", name="Reconciliation").get_by_role("row").nth(1)).to_contain_text("Agrees")


# Records


def test_messages_are_found_by_number(people, desk):
    ann, ben = people.customer("Ann"), people.customer("Ben")
    for person in (ann, ben):
        try:
            people.operator.post("/v1/verifications", {"phone": person.phone})
        except Refused as refused:
            # One is on its way already.
            assert refused.code == "account.code_too_soon"
        eventually(lambda: people.operator.get(f"/v1/admin/messages?phone={person.phone.replace('+', '%2B')}")["items"], "a message")
    page = desk("/messages")
    page.get_by_label("Phone number or e-mail address").fill(ann.phone)
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("cell", name=ben.phone)).to_have_count(0)
    expect(page.get_by_role("cell", name=ann.phone).first).to_be_visible()


def answer(page: Page, pattern: str, body: dict, status: int = 200) -> None:
    kind = "application/json" if status < 400 else "application/problem+json"
    page.route(pattern, lambda route: route.fulfill(status=status, content_type=kind, body=json.dumps(body)))


def test_a_real_message_provider_keeps_nothing_and_that_is_said(desk):
    page = desk()
    answer(page, "**/v1/admin/messages*", {"status": 404, "code": "notification.messages_not_kept", "title": "Messages are not kept."}, 404)
    show(page, "/messages")
    expect(page.get_by_text("Messages are not kept here")).to_be_visible()


def test_dead_letters_are_retried_and_told_when_that_cannot_help(desk):
    page = desk("/dead-letters")
    expect(page.get_by_text("No dead letters")).to_be_visible()
    show(page, "/")
    letter = {
        "id": "0190aaaa-0000-7000-8000-000000000001", "topic": "orders", "consumer": "ratings", "eventType": "orders.finished.v1", "eventID": "e-1",
        "reason": "a field is missing", "attempts": 5, "createdAt": "2026-01-05T10:00:00Z", "retriedAt": None}
    other = {**letter, "id": "0190aaaa-0000-7000-8000-000000000002", "reason": "no event at all"}
    answer(page, "**/v1/admin/dead-letters?*", {"items": [letter, other], "next": None})
    answer(page, f"**/v1/admin/dead-letters/{letter['id']}/retry", {**letter, "retriedAt": "2026-01-05T10:05:00Z"})
    answer(page, f"**/v1/admin/dead-letters/{other['id']}/retry", {"status": 409, "code": "notification.dead_letter_unusable", "title": "No."}, 409)
    show(page, "/dead-letters")
    page.get_by_role("row", name="a field is missing").get_by_role("button", name="Try again").click()
    confirm(page, "Try again")
    expect(page.get_by_role("status").get_by_text("Published again.")).to_be_visible()
    page.get_by_role("row", name="no event at all").get_by_role("button", name="Try again").click()
    confirm(page, "Try again")
    expect(page.get_by_text("sending it again can’t help")).to_be_visible()


def test_alerts_stand_on_top_and_are_acknowledged(people, desk):
    page = desk("/alerts")
    expect(page.get_by_text("No open alerts")).to_be_visible()
    _, _, order = parked(people, "Rosa")
    alert = {"id": "0190aaaa-0000-7000-8000-00000000000a", "order": order["id"], "ticket": order["ticket"], "kind": "overdue", "status": "parked", "limitSeconds": 86_400,
             "raisedAt": "2026-01-05T10:00:00Z", "acknowledgedAt": None, "acknowledgedBy": None, "resolvedAt": None}
    is_open = {"value": True}
    page.route("**/v1/admin/alerts?*", lambda route: route.fulfill(
        content_type="application/json", body=json.dumps({"items": [alert] if is_open["value"] else [], "next": None})))

    def acknowledge(route):
        is_open["value"] = False
        route.fulfill(content_type="application/json", body=json.dumps({**alert, "acknowledgedAt": "2026-01-05T11:00:00Z"}))
    page.route(f"**/v1/admin/alerts/{alert['id']}/acknowledge", acknowledge)
    show(page, "/")
    expect(page.get_by_role("group", name="Alerts")).to_contain_text(order["ticket"])
    # How many there are is read out, not their age, which changes each second.
    expect(page.get_by_role("status").filter(has_text="1 alert is open.")).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text=order["ticket"])).to_have_count(0)
    page.get_by_role("button", name=f"Acknowledge the alert for {order['ticket']}").click()
    expect(page.get_by_text(f"You’re now handling {order['ticket']}.")).to_be_visible()
    expect(page.locator(".alert")).to_have_count(0)


# Today


def test_charts_of_today_say_their_numbers(people, desk, shot):
    paid(people, "Tina")
    page = desk()
    with page.expect_response(lambda answer: "/v1/admin/statistics/orders" in answer.url) as answer:
        show(page, "/today")
    known = answer.value.json()["byStatus"]
    assert known["finished"] >= 1
    states = page.get_by_role("figure", name="Orders by state")
    expect(states.get_by_role("img", name=f"Finished: {known['finished']}", exact=True)).to_be_attached()
    states.get_by_role("img").first.focus()
    page.keyboard.press("End")
    expect(states.get_by_role("img", name="No valet found")).to_be_focused()
    shot(page, "operator-today")
    for name in ("Orders by hour", "Waiting time by hour", "Acceptance", "Revenue by hour (HKD)"):
        chart = page.get_by_role("figure", name=name)
        chart.get_by_text("Show the numbers").click()
        expect(chart.get_by_role("table", name=name)).to_be_visible()


def test_a_server_without_statistics_says_so(desk):
    page = desk()
    answer(page, "**/v1/admin/statistics/**", {"status": 404, "code": "request.not_found", "title": "There is nothing here."}, 404)
    show(page, "/today")
    expect(page.get_by_text("No statistics here").first).to_be_visible()


# The own account


def test_an_operator_has_a_profile_with_password_and_notifications(desk, shot):
    page = desk("/settings")
    page.get_by_role("link", name="Profile, password, notifications").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Profile")
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("switch", name="Notifications")).to_be_visible()
    shot(page, "operator-profile")
    page.route("**/v1/me/password", lambda route: route.fulfill(status=204))
    page.get_by_text("Change password").first.click()
    page.get_by_label("Current password").fill("the one of now, which is long")
    page.get_by_label("New password").fill("another one, which is long too")
    page.locator("form").get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password has been changed.")).to_be_visible()
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")


def test_a_session_that_ends_by_itself_is_told(desk):
    page = desk("/settings")
    answer(page, "**/v1/**", {"status": 401, "code": "account.session_ended"}, 401)
    expect(page.get_by_role("main").get_by_text("You have been signed out. Please sign in again.")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


#: Frames wait, as those of a tab out of sight do, until `wake()`.
SLEEP = """() => {
  const waiting = [];
  const { requestAnimationFrame } = window;
  window.requestAnimationFrame = (task) => waiting.push(task);
  window.wake = () => { Object.assign(window, { requestAnimationFrame }); waiting.forEach((task) => requestAnimationFrame(task)); };
}"""


@pytest.mark.parametrize("by_hand", [False, True], ids=["replaced", "signed-out-and-in"])
def test_a_draft_is_never_sent_for_another_account(people, desk, by_hand):
    id = area(people, "Priced")
    page = desk(f"/areas/{id}/tariff")
    page.get_by_label("Base fee").fill("100")
    sent: list[str] = []
    page.context.on("request", lambda request: request.method == "PUT" and sent.append(request.url))
    other = people.operator.signed_in()
    other["account"] = {**other["account"], "id": str(uuid.uuid4())}
    tab = page.context.new_page()
    tab.goto("/operator#/settings")
    page.evaluate(SLEEP)
    if by_hand:
        tab.get_by_role("button", name="Sign out").click()
        answer(tab, "**/v1/sessions", {**other, "expiresInSeconds": 900}, 201)
        sign_in(tab, people.operator)
    else:
        tab.evaluate("(session) => localStorage.setItem('openvalet.operator.session', JSON.stringify(session))", other)
    page.wait_for_function("() => location.hash === '#/'")
    page.evaluate("wake()")
    expect(page.get_by_role("heading", level=1)).to_have_text("Live")
    show(page, f"/areas/{id}/tariff")
    expect(page.get_by_label("Base fee")).to_have_value("80.00")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("#toasts")).to_contain_text("Nothing has changed")
    assert not sent


# For everybody


def test_the_app_speaks_chinese(people, desk, shot):
    _, _, order = parked(people, "Una")
    page = desk(language="zh-HK", dark=True)
    expect(page.locator(".order-row", has_text=order["ticket"])).to_contain_text("已泊好")
    shot(page, "operator-live-zh")
    show(page, f"/orders/{order['id']}")
    expect(page.get_by_role("region", name="車輛保管紀錄")).to_contain_text("客人交接碼")
    open_at(page, "/settings")
    page.get_by_label("English").check()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")


def test_a_phone_shows_every_screen_without_scrolling_sideways(people, desk, shot):
    customer, _, order = paid(people, "Vera")
    page = desk(width=360, height=740)
    shot(page, "operator-live-phone")
    for path in [*SCREENS, f"/orders/{order['id']}"]:
        show(page, path)
        assert not is_wider_than_window(page), path
    page.get_by_role("navigation").get_by_role("link", name="Live").click()
    page.get_by_label("List", exact=True).check()
    expect(page.get_by_label("Search")).to_be_visible()


def test_an_older_browser_shows_every_screen(people, desk):
    _, valet, order = parked(people, "Yuki")
    page = desk(before=older_browser)
    expect(page.locator(".order-row", has_text=order["ticket"])).to_be_visible()
    for path in [*SCREENS, f"/orders/{order['id']}", f"/valets/{valet.account['id']}"]:
        show(page, path)
        expect(page.locator(".notice.danger")).to_have_count(0)
        assert not (path.startswith(("/orders", "/valets")) and cut_off(page)), f"{path}: {cut_off(page)}"


def test_the_keyboard_reaches_everything(people, desk):
    _, _, order = parked(people, "Wanda")
    page = desk()
    expect(page.locator(".order-row", has_text=order["ticket"])).to_be_visible()
    page.reload()
    expect(page.locator(".order-row", has_text=order["ticket"])).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
    focus_by_tab(page, page.locator(".order-row", has_text=order["ticket"]).get_by_role("link"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    focus_by_tab(page, page.get_by_role("button", name="Override"))
    page.keyboard.press("Enter")
    dialog = page.locator("dialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Override")).to_be_focused()
    page.keyboard.press("Enter")
    state = dialog.get_by_label("New state")
    focus_by_tab(page, state)
    # A word would begin anew after a pause of a second between two letters, and choose another state.
    eventually(lambda: state.input_value() == "cancelled" or page.keyboard.press("ArrowDown"), "the state by its keys")
    focus_by_tab(page, dialog.get_by_label("Reason"))
    page.keyboard.type("By keyboard alone")
    focus_by_tab(page, dialog.get_by_role("button", name="Override"))
    page.keyboard.press("Enter")
    focus_by_tab(page, dialog.last.get_by_role("button", name="Yes, override"))
    page.keyboard.press("Enter")
    expect(page.locator(".page-title")).to_contain_text("Cancelled")


@pytest.mark.parametrize("dark", [False, True])
def test_every_screen_is_accessible(people, desk, check_accessible, dark):
    _, valet, order = parked(people, "Xenia")
    page = desk(dark=dark)
    expect(page.locator(".order-row", has_text=order["ticket"])).to_be_visible()
    for path in [*SCREENS, f"/orders/{order['id']}", f"/valets/{valet.account['id']}"]:
        show(page, path)
        check_accessible(page, path)
    show(page, f"/orders/{order['id']}")
    page.get_by_role("button", name="Override").click()
    check_accessible(page, "override")
