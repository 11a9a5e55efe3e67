"""The customer's app, with the valet's side through the API."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from api import PASSWORD, eventually, insist, picture
from conftest import (
    KEEPS_NOTHING, check_fits, expire_token, focus_by_tab, is_wider_than_window, keep_waiting, large_text, older_browser, open_at,
    own_clock, refuse, step_back_is_done, unfold)
from town import CENTRAL, here

GARAGE = here(22.2842, 114.1562)
#: Some minutes from Central, and too far for somebody to have arrived.
NEARBY = here(22.2843, 114.1600)
#: Green, and in no service area.
LANTAU = here(22.2600, 114.0500)
#: In ms: what is aborted is so at once; what is only waited for in vain, after twenty seconds.
ABORT = 15_000
#: Water, in no service area, and some ten minutes from Central.
HARBOUR = here(22.2925, 114.1580)


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def heading(page: Page, text: str | re.Pattern[str]):
    return expect(page.get_by_role("heading", level=1)).to_have_text(text)


def settle(page: Page) -> None:
    """Everything of the first sheet has come, and nothing moves under the pointer."""
    expect(page.get_by_role("button", name="Drop off", exact=True)).not_to_have_attribute("aria-disabled", "true")
    expect(page.get_by_text(re.compile("nearby"))).to_be_visible()


def drop_off(page: Page) -> None:
    """The one big button, once the point under the pin is known to be inside an area."""
    button = page.get_by_role("button", name="Drop off", exact=True)
    expect(button).not_to_have_attribute("aria-disabled", "true")
    button.click()


def park(valet, order: dict, code: str) -> None:
    valet.post(f"/v1/orders/{order['id']}/collect", {"code": code})
    valet.post(f"/v1/orders/{order['id']}/park", {
        "latitude": GARAGE[0], "longitude": GARAGE[1], "lot": "Harbour Garage", "level": "B2", "bay": "17", "keyTag": "042",
        "vehicle": {"plate": "AB 1234", "make": "Tesla", "model": "Model 3", "colour": "white"}})


def hear_of_valet(page: Page, customer, part: str, shown: Locator) -> None:
    """Orders hears of a valet's name and picture by an event. An app that was answered before that shows neither until
    it asks again: it is opened anew then."""
    eventually(lambda: customer.order_in("droppingOff")["dropOffValet"].get(part), f"the valet's {part}")
    if not shown.count():
        page.reload()


def parked_order(customer, valet) -> dict:
    """An order of the customer's, made and brought to its place without the app."""
    customer.post("/v1/orders", {"dropOff": {"latitude": CENTRAL[0], "longitude": CENTRAL[1], "address": "Chater Road"}})
    order = customer.order_in("droppingOff")
    park(valet, order, order["handoverCode"])
    return customer.order_in("parked")


def give_back(customer, valet) -> dict:
    """From the valet's way to the vehicle to the vehicle at its owner's."""
    order = eventually(lambda: (it := customer.order())["returnValet"] and it, "a valet for the return")
    valet.post(f"/v1/orders/{order['id']}/retrieve")
    valet.post(f"/v1/orders/{order['id']}/hand-back", {"code": customer.order()["handoverCode"]})
    return customer.order_in("waitingForPayment")


def returned_order(customer, valet) -> dict:
    """An order from the start to its bill."""
    order = parked_order(customer, valet)
    customer.post(f"/v1/orders/{order['id']}/recall", {"returnTo": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})
    give_back(customer, valet)
    return order


def phone_with_unconfirmed_payment(phone, people) -> Page:
    """The bill, just paid with a card whose bank asked the customer, who closed its window."""
    customer = people.customer(card="pm_card_authenticationRequired")
    returned_order(customer, people.valet(at=NEARBY))
    page = phone("customer", customer)
    heading(page, "Welcome back to your car")
    page.get_by_role("button", name="Pay HK$80.00").click()
    page.get_by_role("dialog", name="Your bank (test)").get_by_role("button", name="Close").click()
    return page


def test_a_first_order_from_the_sign_up_to_the_rating(phone, people, check_accessible, shot):
    valet = people.valet("Siu Ming", "Chan", at=NEARBY)
    page = phone("customer")
    refused: list[str] = []
    page.on("response", lambda answer: answer.status == 429 and refused.append(answer.url))
    number = people.number()

    page.get_by_role("link", name="New here? Create an account").click()
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Last name").fill("Wong")
    page.get_by_label("Phone number").fill(number)
    page.get_by_label("Password").fill(PASSWORD)
    check_accessible(page, "sign up")
    tap(page, "Create account")

    heading(page, "Confirm your number")
    page.get_by_label("Six-digit code").fill("000000")
    tap(page, "Confirm")
    expect(page.get_by_text("This code is wrong or has expired.")).to_be_visible()
    check_accessible(page, "code")
    page.get_by_label("Six-digit code").fill(people.code(number))
    tap(page, "Confirm")

    heading(page, "Where is your car?")
    # The way back leads to none of the forms of the sign-up.
    page.go_back()
    heading(page, "Where is your car?")
    assert urlsplit(page.url).fragment in ("", "/")
    customer = people.sign_in(number)
    settle(page)
    page.get_by_role("button", name="Vehicle").click()
    page.get_by_role("link", name="Add a vehicle").click()
    heading(page, "New vehicle")
    for label, value in {"Plate": "ab 1234", "Make": "Tesla", "Model": "Model 3", "Colour": "white"}.items():
        page.get_by_label(label).fill(value)
    expect(page.get_by_label("Plate")).to_have_value("AB 1234")
    tap(page, "Save")
    expect(page.get_by_role("button", name="Vehicle")).to_contain_text("AB 1234")
    settle(page)
    page.get_by_role("button", name="Extras").click()
    page.get_by_role("switch", name="Wash").click()
    expect(page.get_by_role("button", name="Extras")).to_contain_text("Wash")
    page.get_by_role("button", name="Extras").click()
    # A card may be added before it is needed.
    page.get_by_role("link", name="Payment cards").click()
    heading(page, "Payment cards")
    page.get_by_text("Add a card", exact=True).click()
    tap(page, "Visa •••• 0002 (declines)")
    expect(page.get_by_role("listitem").filter(has_text="Visa •••• 0002")).to_be_visible()
    page.get_by_role("link", name="Back", exact=True).click()
    heading(page, "Where is your car?")
    settle(page)
    expect(page.get_by_role("button", name="Extras")).to_contain_text("Wash")
    expect(page.get_by_text(re.compile("for the first 15 minutes"))).to_be_visible()
    shot(page, "customer-home")
    # A valet who is silent for a minute gets no job.
    valet.at(*NEARBY)
    drop_off(page)

    heading(page, re.compile("is on the way"))
    hear_of_valet(page, customer, "firstName", page.get_by_text("Siu Ming is on the way"))
    heading(page, "Siu Ming is on the way")
    order = customer.order_in("droppingOff")
    assert order["vehicle"]["plate"] == "AB 1234" and order["extras"] == ["wash"]
    expect(page.get_by_role("link", name="Call Siu Ming")).to_have_attribute("href", f"tel:{valet.phone}")
    expect(page.get_by_role("img", name="Your valet")).to_be_in_viewport()
    expect(page.locator("path.route")).to_be_visible()
    check_accessible(page, "valet on the way")
    shot(page, "customer-on-the-way")
    page.get_by_role("button", name=re.compile("Show it large")).click()
    dialog = page.get_by_role("dialog", name="Your code")
    expect(dialog.locator(".big-code")).to_have_attribute("aria-label", " ".join(order["handoverCode"]))
    check_accessible(page, "code, large")
    shot(page, "customer-code")
    page.keyboard.press("Escape")
    valet.comes_to(order["id"], order["dropOff"]["latitude"], order["dropOff"]["longitude"])
    heading(page, "Siu Ming is here")

    valet.post(f"/v1/orders/{order['id']}/collect", {"code": order["handoverCode"]})
    heading(page, "Your vehicle is being parked")
    valet.post(f"/v1/orders/{order['id']}/park", {
        "latitude": GARAGE[0], "longitude": GARAGE[1], "lot": "Harbour Garage", "level": "B2", "bay": "17",
        "vehicle": {"plate": "AB 1234", "make": "Tesla", "model": "Model 3", "colour": "white"}})
    heading(page, "Parked")
    expect(page.get_by_text("Harbour Garage · Level B2 · Bay 17")).to_be_visible()
    page.get_by_text("Price details").click()
    expect(page.get_by_text("Base fee")).to_be_visible()
    check_accessible(page, "parked")
    shot(page, "customer-parked")

    page.get_by_role("link", name="Bring my vehicle back").click()
    heading(page, "Where shall we bring it?")
    check_accessible(page, "return")
    valet.at(*NEARBY)
    tap(page, "Bring it here")
    heading(page, "Siu Ming is getting your car")
    # A moment ago they stood beside the customer.
    valet.comes_to(order["id"], *NEARBY)
    valet.post(f"/v1/orders/{order['id']}/retrieve")
    heading(page, "Your vehicle is on its way")
    check_accessible(page, "on its way back")
    valet.post(f"/v1/orders/{order['id']}/hand-back", {"code": customer.order()["handoverCode"]})

    heading(page, "Welcome back to your car")
    expect(page.get_by_role("radio", name="Visa •••• 0002")).to_be_checked()
    page.get_by_role("button", name=re.compile("^Pay HK")).click()
    expect(page.get_by_role("alert")).to_contain_text("Your bank declined this card")
    check_accessible(page, "declined")
    page.get_by_text("Add a card", exact=True).click()
    tap(page, "Mastercard •••• 4444 (succeeds)")
    expect(page.get_by_role("radio", name=re.compile("Mastercard"))).to_be_checked()
    tip = page.locator("dt", has_text=re.compile("^Tip$")).locator("xpath=following-sibling::dd[1]")
    page.get_by_role("radio", name="Own amount").check(force=True)
    page.get_by_label("Amount in HKD").fill("60")
    expect(tip).to_have_text("HK$60.00")
    page.get_by_role("button", name="Pay HK$140.00").click()
    dialog = page.get_by_role("dialog", name="Is this tip right?")
    expect(dialog).to_contain_text("Your tip of HK$60.00 is more than half of the bill (HK$80.00).")
    check_accessible(page, "large tip")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Pay HK$140.00")).not_to_have_attribute("aria-busy", "true")
    assert customer.get(f"/v1/bills/{order['id']}")["status"] == "due"
    page.get_by_role("radio", name="10% · HK$8.00", exact=True).check(force=True)
    expect(tip).to_have_text("HK$8.00")
    expect(page.get_by_role("button", name=re.compile("^Pay HK"))).to_have_text("Pay HK$88.00")
    shot(page, "customer-bill")
    page.get_by_role("button", name="Pay HK$88.00").click()

    heading(page, "All done")
    tap(page, "Send rating")
    expect(page.get_by_role("alert")).to_have_text("Choose one to five stars.")
    page.get_by_role("radio", name="4 stars").check(force=True)
    page.get_by_label("Add a comment").fill("Careful and quick.")
    check_accessible(page, "rating")
    tap(page, "Send rating")
    expect(page.get_by_text("Thanks! You gave 4 stars.")).to_be_visible()
    assert people.operator.get(f"/v1/users/{valet.account['id']}/rating") == {"average": 4, "count": 1}

    page.get_by_role("link", name="Receipt").click()
    heading(page, "Receipt")
    expect(page.locator(".receipt")).to_contain_text("HK$88.00")
    expect(page.locator(".receipt")).to_contain_text("Tip")
    with page.expect_download() as download:
        tap(page, "Save as a file")
    assert "<html" in download.value.path().read_text()
    assert not refused, "a newcomer is told to wait"


def test_cancelling_says_what_it_costs(phone, people, check_accessible):
    people.valet(at=NEARBY)
    page = phone("customer", people.customer())
    drop_off(page)
    heading(page, re.compile("is on the way"))
    expect(page.get_by_text(re.compile(r"Cancelling is free for 1:\d\d"))).to_be_visible()
    tap(page, "Cancel order")
    dialog = page.get_by_role("dialog", name="Cancel this order?")
    check_accessible(page, "cancel")
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_have_count(0)
    tap(page, "Cancel order")
    dialog.get_by_role("button", name="Cancel order").click()
    heading(page, "Order cancelled")
    expect(page.get_by_text("Nothing was charged.")).to_be_visible()
    check_accessible(page, "cancelled")
    tap(page, "Done")
    heading(page, "Where is your car?")


def test_nobody_free_is_said(phone, people):
    page = phone("customer", people.customer())
    expect(page.get_by_text("No valet is free nearby right now.")).to_be_visible()
    drop_off(page)
    heading(page, "Looking for a valet")
    heading(page, "No valet was free")
    tap(page, "Start again")
    heading(page, "Where is your car?")


def test_ordering_ahead(phone, people):
    customer = people.customer()
    page = phone("customer", customer)
    settle(page)
    page.get_by_role("button", name="When").click()
    page.get_by_role("radio", name="Later").check(force=True)
    page.get_by_role("button", name=re.compile("^Drop off .")).click()
    heading(page, re.compile("^Booked for"))
    assert customer.order()["scheduledFor"]
    open_at(page, "/orders")
    expect(page.locator(".badge")).to_have_text("Booked")
    expect(page.get_by_text("Looking for a valet")).to_have_count(0)


@pytest.mark.parametrize("at, way", [(HARBOUR, "on foot"), (LANTAU, "by car")], ids=["near", "far"])
def test_outside_the_area_a_way_to_the_service_point_is_shown(phone, people, check_accessible, shot, at, way):
    page = phone("customer", people.customer(), at=at)
    expect(page.get_by_text("We don’t park here.")).to_be_visible()
    expect(page.get_by_role("button", name="Drop off", exact=True)).to_have_attribute("aria-disabled", "true")
    if at == HARBOUR:
        check_accessible(page, "outside")
    page.get_by_role("link", name="Go to service area").click()
    # Nobody who has a vehicle walks for hours.
    expect(page.get_by_text(re.compile(way))).to_be_visible()
    expect(page.locator(".route.straight")).to_have_count(1)
    shot(page, "customer-walk")
    expect(page.get_by_role("button", name="Drop off", exact=True)).not_to_have_attribute("aria-disabled", "true")
    tap(page, "Choose another place")
    expect(page.get_by_text("We don’t park here.")).to_be_visible()


def test_without_a_network_the_last_state_stays_and_a_tap_is_sent_later(phone, people, check_accessible):
    customer = people.customer()
    valet = people.valet(at=NEARBY)
    parked_order(customer, valet)
    page = phone("customer", customer, worker=True)
    heading(page, "Parked")
    page.get_by_role("link", name="Bring my vehicle back").click()
    heading(page, "Where shall we bring it?")
    expect(page.get_by_role("button", name="Bring it here")).not_to_have_attribute("aria-disabled", "true")
    # A worker controls a page when it has everything.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")

    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch"]
    page.context.set_offline(True)
    tap(page, "Bring it here")
    heading(page, "Parked")
    expect(page.get_by_text("1 change waiting to be sent")).to_be_visible()
    expect(page.get_by_text(re.compile("You’re offline"))).to_be_visible()
    check_accessible(page, "offline")
    assert customer.order()["status"] == "parked"
    page.reload()
    heading(page, "Parked")
    expect(page.get_by_text("Harbour Garage · Level B2 · Bay 17")).to_be_visible()
    expect(page.locator(".stale", has_text="As of today")).to_be_visible()
    expect(page.get_by_text("1 change waiting to be sent")).to_be_visible()

    page.context.set_offline(False)
    heading(page, re.compile("is getting your car|Looking for a valet"))
    assert customer.order_in("requestingBack")["returnTo"]
    expect(page.get_by_text("1 change waiting to be sent")).to_have_count(0)


def test_a_silent_valet_is_shown_as_lost(phone, people):
    valet = people.valet("Siu Ming")
    customer = people.customer()
    # Silent for a while already, and still young enough to be sent.
    last = datetime.now(timezone.utc) - timedelta(seconds=20)
    valet.put("/v1/me/location", {"latitude": CENTRAL[0], "longitude": CENTRAL[1], "accuracyMeters": 5, "recordedAt": last.isoformat(timespec="seconds").replace("+00:00", "Z")})
    valet.put("/v1/me/availability", {"status": "available"})
    customer.post("/v1/orders", {"dropOff": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})
    eventually(lambda: customer.order_in("droppingOff")["dropOffValet"]["firstName"], "the valet's name")

    def later(route) -> None:
        track = route.fetch().json()
        track["valet"]["ageSeconds"] += 45
        route.fulfill(json=track)
    page = phone("customer", customer, before=lambda page: page.route("**/v1/orders/*/track", later))
    heading(page, re.compile("Siu Ming"))
    expect(page.get_by_text(re.compile("Signal lost"))).to_be_visible()
    expect(page.locator(".marker.valet.stale")).to_have_count(1)


def test_a_customer_is_seen_only_while_a_hand_over_or_a_return_is_near(phone, people):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    page = phone("customer", customer)
    page.clock.install()
    sent: list[str] = []
    page.on("request", lambda request: "/v1/me/location" in request.url and sent.append(request.url))
    drop_off(page)
    heading(page, re.compile("is on the way"))
    eventually(lambda: page.wait_for_timeout(100) or sent, "the customer's position")
    order = customer.order_in("droppingOff")
    park(valet, order, order["handoverCode"])
    heading(page, "Parked")
    sent.clear()
    page.clock.fast_forward(60_000)
    page.wait_for_timeout(300)
    assert not sent
    valet.at(*NEARBY)
    customer.post(f"/v1/orders/{order['id']}/recall", {"returnTo": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})
    heading(page, re.compile("is getting your car"))
    eventually(lambda: page.wait_for_timeout(100) or sent, "the customer's position")


def test_who_may_not_be_located_is_asked_for_the_place(phone, people, check_accessible):
    customer = people.customer()
    page = phone("customer", customer, geolocation=False)
    expect(page.get_by_text("Location access is off.")).to_be_visible()
    check_accessible(page, "no position")
    expect(page.get_by_role("button", name="Drop off", exact=True)).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".pin")).to_have_count(0)
    # Nobody has chosen what the map shows.
    page.get_by_role("button", name="Drop off", exact=True).click(force=True)
    page.get_by_role("button", name="Show my location").click()
    expect(page.get_by_text("Location access is off.")).to_be_visible()
    assert customer.order() is None
    # A tap on a map that does not show the area yet could be anywhere on earth.
    page.wait_for_function("""() => {
        const box = document.querySelector('path.area')?.getBoundingClientRect();
        return box && Math.min(box.width, box.height) > 40;
    }""")
    page.locator("#map-holder").click(position={"x": 190, "y": 200})
    expect(page.locator(".pin")).to_have_count(1)
    expect(page.get_by_text("Location access is off.")).to_have_count(0)
    chosen = [float(degrees) for degrees in re.findall(r"-?\d+\.\d{5}", page.locator(".where").inner_text())]
    drop_off(page)
    heading(page, "Looking for a valet")
    # It may have ended by now, since no valet is there.
    place = customer.get("/v1/orders?as=customer&limit=1")["items"][0]["dropOff"]
    assert [round(place["latitude"], 5), round(place["longitude"], 5)] == chosen


def test_a_link_survives_the_sign_in_and_the_way_back_closes_what_is_over_the_page(phone, people):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    customer.post("/v1/orders", {"dropOff": {"latitude": CENTRAL[0], "longitude": CENTRAL[1], "address": "Chater Road"}})
    order = customer.order_in("droppingOff")
    page = phone("customer")
    page.goto(f"/#/orders/{order['id']}")
    page.reload()
    page.locator("#contact").wait_for()
    sign_in(page, customer)
    heading(page, "Order")
    expect(page.get_by_text(order["ticket"])).to_be_visible()
    open_at(page, "/")
    large = page.get_by_role("button", name=re.compile("Show it large"))
    large.click()
    dialog = page.get_by_role("dialog", name="Your code")
    expect(dialog).to_be_visible()
    page.go_back()
    expect(dialog).to_have_count(0)
    heading(page, re.compile("is on the way"))
    # Closed by hand, it leaves nothing behind: the way back leads to the screen before.
    large.click()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    step_back_is_done(page)
    page.go_back()
    heading(page, "Order")


def test_a_session_that_ends_by_itself_begins_again_where_it_was(phone, people, check_accessible, shot):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    parked_order(customer, valet)
    order = customer.order()
    page = phone("customer", customer)
    heading(page, "Parked")
    open_at(page, f"/orders/{order['id']}")
    heading(page, "Order")
    refuse(page, "**/v1/**", 401, "account.session_ended")
    open_at(page, "/notifications")
    # Why one is there stands until somebody has signed in.
    expect(page.get_by_role("main")).to_contain_text("You have been signed out.")
    page.context.unroute("**/v1/**")
    page.reload()
    expect(page.get_by_role("main")).to_contain_text("You have been signed out.")
    check_accessible(page, "signed out")
    shot(page, "customer-signed-out")
    sign_in(page, customer)
    heading(page, "Notifications")
    open_at(page, "/menu")
    tap(page, "Sign out")
    page.locator("#contact").wait_for()
    expect(page.get_by_text("You have been signed out.")).to_have_count(0)


@pytest.mark.parametrize("hours", [-3, 3])
def test_times_are_true_whatever_the_phones_clock_shows(phone, people, hours):
    customer, _ = people.customer(), people.valet(at=NEARBY)
    page = phone("customer", before=lambda page: page.clock.install(time=datetime.now() + timedelta(hours=hours)))
    sign_in(page, customer)
    drop_off(page)
    heading(page, re.compile("is on the way"))
    expect(page.get_by_text(re.compile(r"Cancelling is free for [01]:\d\d"))).to_be_visible()


def test_a_time_is_promised_only_where_it_is_known(phone, people):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    order = parked_order(customer, valet)
    page = phone("customer", customer, before=own_clock)
    heading(page, "Parked")
    refuse(page, "**/v1/orders/*/route", 409, "location.unknown")
    valet.at(*NEARBY)
    customer.post(f"/v1/orders/{order['id']}/recall", {"returnTo": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})
    heading(page, re.compile("is getting your car"))
    expect(page.locator(".eta")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"^At the car in \d+ min\.$"))).to_have_count(0)
    page.context.unroute("**/v1/orders/*/route")
    page.clock.fast_forward(20_000)
    expect(page.locator(".eta")).to_have_count(1)
    expect(page.get_by_text(re.compile(r"^At the car in \d+ min\.$"))).to_be_visible()


def test_an_unpaid_bill_is_where_the_next_order_leads(phone, people):
    page = phone_with_unconfirmed_payment(phone, people)
    expect(page.get_by_text("You closed your bank’s window,")).to_be_in_viewport()
    page.get_by_text("Add a card", exact=True).click()
    tap(page, "Visa •••• 4242 (succeeds)")
    expect(page.get_by_role("radio", name="Visa •••• 4242")).to_be_checked()
    page.get_by_role("button", name="Pay HK$80.00").click()
    heading(page, "All done")


def test_a_card_pays_once_without_being_saved(phone, people):
    customer, valet = people.customer(card=None), people.valet(at=NEARBY)
    returned_order(customer, valet)
    valet.goes_home()
    page = phone("customer", customer)
    heading(page, "Welcome back to your car")
    # The form of a card to save is open until then, with the same fields. Before it is there, the sheet still grows.
    expect(page.get_by_label("Card number")).to_be_visible()
    page.get_by_text("Pay once by card or wallet").click()
    form = page.locator("details", has_text="Pay once by card or wallet")
    number = form.get_by_label("Card number")
    number.fill("4000 0000 0000 0002")
    form.get_by_label("Expiry date").fill("12/40")
    form.get_by_label("Security code").fill("123")
    pay = page.get_by_role("button", name="Pay HK$80.00")
    pay.click()
    expect(page.get_by_text("Your bank declined this card.")).to_be_visible()
    number.fill("4242 4242 4242 4242")
    pay.click()
    heading(page, "All done")
    assert customer.get("/v1/me/payment-methods")["items"] == []


def sign_in(page: Page, who) -> None:
    page.locator("#contact").fill(who.phone)
    page.locator("#password").fill(who.password)
    page.locator("form button[type=submit]").click()
    expect(page.locator("#password")).to_have_count(0)


def test_why_an_order_turned_back_or_ended_is_said(phone, people):
    customer = people.customer()
    valet = people.valet(at=NEARBY)
    order = parked_order(customer, valet)
    valet.goes_home()
    page = phone("customer", customer)
    heading(page, "Parked")
    customer.post(f"/v1/orders/{order['id']}/recall", {"returnTo": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})
    heading(page, "Looking for a valet")
    expect(page.locator("#toasts")).to_contain_text("It stays parked. Please try again.")
    heading(page, "Parked")
    expect(page.get_by_text("No valet was free to bring it back.")).to_be_visible()
    people.operator.post(f"/v1/admin/orders/{order['id']}/override", {"status": "cancelled", "reason": "the garage is flooded"})
    expect(page.locator("#toasts")).to_contain_text("Your order was changed")
    heading(page, "Order cancelled")
    expect(page.get_by_text("the garage is flooded")).to_be_visible()
    open_at(page, f"/orders/{order['id']}")
    heading(page, "Order")
    expect(page.get_by_text("the garage is flooded")).to_be_visible()


@pytest.mark.parametrize("who", ["same", "other"])
def test_a_session_that_ends_by_itself_takes_no_tap_away(phone, people, who):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    parked_order(customer, valet)
    page = phone("customer", customer)
    heading(page, "Parked")
    page.watch.expected.append("ERR_FAILED")
    page.route("**/recall", lambda route: route.abort())
    page.get_by_role("link", name="Bring my vehicle back").click()
    tap(page, "Bring it here")
    expect(page.get_by_text("1 change waiting to be sent")).to_be_visible()
    open_at(page, "/menu")
    tap(page, "Sign out")
    asks = page.get_by_role("dialog", name="Sign out anyway?")
    expect(asks).to_contain_text("would be lost")
    asks.get_by_role("button", name="Cancel").click()
    # The session was ended on another device, which this one hears of when it renews its token to try the tap again.
    customer.call("DELETE", "/v1/me/sessions")
    expire_token(page)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("main")).to_contain_text("You have been signed out.")
    page.reload()
    expect(page.get_by_role("main")).to_contain_text("You have been signed out.")
    page.unroute("**/recall")
    valet.at(*NEARBY)
    sign_in(page, customer if who == "same" else people.customer())
    if who == "same":
        heading(page, "Menu")
        open_at(page, "/")
        heading(page, re.compile("is getting your car"))
        assert customer.order_in("requestingBack")["returnTo"]
    else:
        heading(page, "Where is your car?")
        assert page.evaluate("localStorage.getItem('openvalet.customer.outbox')") is None
        assert customer.order()["status"] == "parked"


def test_another_account_in_another_tab_ends_this_one(phone, people, check_accessible):
    customer, valet, other = people.customer(), people.valet(at=NEARBY), people.customer("Grace")
    parked_order(customer, valet)
    page = phone("customer", customer)
    heading(page, "Parked")
    page.watch.expected.append("ERR_FAILED")
    page.route("**/recall", lambda route: route.abort())
    page.get_by_role("link", name="Bring my vehicle back").click()
    tap(page, "Bring it here")
    expect(page.get_by_text("1 change waiting to be sent")).to_be_visible()
    sent: list[str] = []
    page.on("request", lambda request: other.token in request.headers.get("authorization", "") and sent.append(request.url))
    tab = page.context.new_page()
    tab.goto("/valet")
    tab.evaluate("(session) => localStorage.setItem('openvalet.customer.session', JSON.stringify(session))", {
        "accessToken": other.token, "refreshToken": "none", "expiresAt": 4_102_444_800_000, "account": other.account})
    expect(page.locator("#toasts")).to_contain_text("Someone signed in with another account in this browser.")
    heading(page, "Where is your car?")
    check_accessible(page, "another account")
    page.unroute("**/recall")
    page.evaluate("dispatchEvent(new Event('online'))")
    # What is sent now is Grace's own.
    open_at(page, "/vehicles")
    expect(page.locator(".plate", has_text="AB 1234")).to_be_visible()
    assert sent and not [url for url in sent if "/recall" in url]
    assert customer.order()["status"] == "parked"


@pytest.mark.parametrize("why", KEEPS_NOTHING)
def test_a_phone_that_keeps_nothing_takes_orders_all_the_same(phone, people, why):
    customer, _ = people.customer(), people.valet(at=NEARBY)
    page = phone("customer", before=lambda page: page.add_init_script(KEEPS_NOTHING[why]))
    sign_in(page, customer)
    expect(page.locator("#toasts")).to_contain_text("This device can’t store more data")
    drop_off(page)
    heading(page, re.compile("is on the way"))
    open_at(page, "/vehicles")
    expect(page.locator(".plate", has_text="AB 1234")).to_be_visible()


def test_the_focus_stays_in_a_field_when_something_above_it_goes(phone, people):
    page = phone("customer", people.customer())
    heading(page, "Where is your car?")
    search = page.get_by_role("combobox", name="Search for a place")
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch"]
    page.context.set_offline(True)
    expect(page.locator(".offline-bar")).to_be_visible()
    search.press_sequentially("2")
    page.evaluate("""() => {
        const [field, moves] = [document.activeElement, window.moves = []];
        const look = (records) => moves.push(...records.flatMap(({ removedNodes }) => [...removedNodes]).filter((node) => node.contains(field)));
        new MutationObserver(look).observe(document.getElementById('app'), { childList: true, subtree: true });
    }""")
    page.context.set_offline(False)
    expect(page.locator(".offline-bar")).to_have_count(0)
    expect(search).to_be_focused()
    assert page.evaluate("window.moves.length") == 0, "a phone would have put its keyboard away"


def test_errors_of_a_form_are_in_the_persons_language(phone):
    page = phone("customer", language="zh-HK")
    page.get_by_role("link", name="新用戶？建立帳戶").click()
    tap(page, "建立帳戶")
    expect(page.get_by_text("請填寫此欄。")).to_have_count(4)
    expect(page.get_by_label("名字")).to_be_focused()
    page.get_by_label("名字").fill("詠恩")
    page.get_by_label("姓氏").fill("李")
    page.get_by_label("電話號碼").fill("12345")
    page.get_by_label("密碼").fill("1234567890")
    tap(page, "建立帳戶")
    expect(page.locator("#contact-error")).to_have_text("請輸入連國家或地區號碼的電話號碼（例如 +44 7700 900123），或電郵地址。")
    page.get_by_label("電話號碼").fill("+85291234567")
    tap(page, "建立帳戶")
    expect(page.locator("#password-error")).to_contain_text("請選擇另一個密碼")


def test_a_screen_that_could_not_be_loaded_is_asked_for_again_by_hand(phone, people):
    page = phone("customer")
    page.locator("#contact").wait_for()
    page.watch.expected.append("ERR_FAILED")
    asked: list[str] = []
    page.route("**/customer/valet/lists.js", lambda route: (asked.append(route.request.url), route.abort()))
    sign_in(page, people.customer())
    page.get_by_role("link", name="Menu").click()
    retry = page.get_by_role("alert").get_by_role("button", name="Try again")
    expect(retry).to_be_visible()
    page.wait_for_timeout(300)
    assert len(asked) == 1 and page.locator(".toast").count() == 0
    page.unroute("**/customer/valet/lists.js")
    retry.click()
    heading(page, "Menu")


def test_a_payment_that_was_confirmed_elsewhere_goes_on(phone, people):
    page = phone_with_unconfirmed_payment(phone, people)
    expect(page.get_by_text("You closed your bank’s window,")).to_be_visible()
    step_back_is_done(page)
    page.reload()
    expect(page.get_by_text("Your bank asks you to confirm this payment.")).to_be_in_viewport()
    tap(page, "Confirm payment")
    heading(page, "All done")


def test_a_tap_that_is_too_old_is_dropped_aloud(phone, people):
    page = phone("customer", people.customer())
    heading(page, "Where is your car?")
    page.evaluate("""() => localStorage.setItem('openvalet.customer.outbox', JSON.stringify([
        { id: crypto.randomUUID(), account: JSON.parse(localStorage.getItem('openvalet.customer.session')).account.id, method: 'POST', path: '/v1/orders/0190aaaa-0000-7000-8000-000000000000/cancel', body: {}, label: 'Cancel order', at: Date.now() - 13 * 3_600_000 }]))""")
    page.reload()
    expect(page.get_by_text("Cancel order: not sent in time. Please try again.")).to_be_visible()
    expect(page.get_by_text("1 change waiting to be sent")).to_have_count(0)


def test_the_large_code_goes_when_it_is_good_for_nothing_any_more(phone, people):
    valet = people.valet(at=NEARBY)
    customer = people.customer()
    page = phone("customer", customer)
    drop_off(page)
    page.get_by_role("button", name=re.compile("Show it large")).click()
    expect(page.get_by_role("dialog", name="Your code")).to_be_visible()
    order = customer.order_in("droppingOff")
    valet.post(f"/v1/orders/{order['id']}/collect", {"code": order["handoverCode"]})
    heading(page, "Your vehicle is being parked")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_a_point_is_chosen_by_a_tap_too(phone, people):
    page = phone("customer", people.customer())
    expect(page.locator(".where")).to_contain_text(f"{CENTRAL[0]:.4f}")
    page.locator("#map-holder").click(position={"x": 120, "y": 150})
    expect(page.locator(".where")).not_to_contain_text(f"{CENTRAL[0]:.4f}")


def test_a_service_that_is_away_is_asked_again_by_itself(phone, people):
    page = phone("customer", people.customer())
    times = []

    def once(route):
        times.append(route.request.url)
        if len(times) > 1:
            return route.fallback()
        route.fulfill(status=503, content_type="application/problem+json", body='{"status": 503, "code": "service.unavailable", "title": "Away."}')
    let_go = keep_waiting(page, "**/v1/me/payment-methods")
    page.route("**/v1/me/payment-methods", once)
    open_at(page, "/cards")
    expect(page.get_by_text("This service is temporarily unavailable. Please try again.")).to_be_visible()
    let_go()
    expect(page.get_by_role("listitem").filter(has_text="Visa •••• 4242").first).to_be_visible()
    assert len(page.watch.faults) == 1 and times[0] in page.watch.faults.pop()


def test_searching_for_a_place_by_keyboard(phone, people):
    page = phone("customer", people.customer())
    heading(page, "Where is your car?")
    search = page.get_by_role("combobox", name="Search for a place")
    # At once: its first part is a place, too.
    search.fill("22.28, 114.16")
    expect(page.get_by_role("option")).to_have_count(1)
    expect(search).to_have_attribute("aria-expanded", "true")
    search.press("ArrowDown")
    expect(search).to_have_attribute("aria-activedescendant", re.compile("."))
    expect(page.get_by_role("option", selected=True)).to_have_id(search.get_attribute("aria-activedescendant"))
    search.press("Enter")
    expect(page.locator(".where")).to_contain_text("22.28")
    search.press_sequentially("nowhere at all")
    # The geocoder is away, which is nobody's fault who types.
    expect(page.get_by_text("Search isn’t available right now.")).to_be_visible()
    search.press("Escape")
    expect(search).to_have_value("")


def test_where_nobody_knows_places_none_can_be_looked_for(phone, people):
    customer = people.customer()
    page = phone("customer")
    # As the server writes it without a geocoder; maps there are none.
    page.add_init_script("""new MutationObserver(() => {
      const geocoder = document.querySelector('meta[name="openvalet:geocoder"]');
      if (geocoder) geocoder.content = '';
    }).observe(document, { childList: true, subtree: true });""")
    asked: list[str] = []
    page.on("request", lambda request: urlsplit(request.url).path == "/tiles" and asked.append(request.url))
    page.reload()
    page.locator("#contact").fill(customer.phone)
    page.locator("#password").fill(customer.password)
    page.locator("form button[type=submit]").click()
    heading(page, "Where is your car?")
    settle(page)
    expect(page.get_by_role("combobox", name="Search for a place")).to_have_count(0)
    page.locator(".leaflet-map-pane").wait_for(state="attached")
    assert len(asked) == 1, "one answer about maps is enough"


def test_a_place_is_found_by_its_name(phone, people, check_accessible, shot):
    page = phone("customer", people.customer())
    heading(page, "Where is your car?")
    latitude, longitude = here(22.2870, 114.1610)
    pier = {"latitude": latitude, "longitude": longitude, "name": "Central Pier 7", "address": "Man Kwong Street, Central"}
    found = {"Pier": [pier], "Nowhere": []}
    asked: list[str] = []

    def geocoder(route):
        asked.append(parse_qs(urlsplit(route.request.url).query)["query"][0])
        route.fulfill(json={"items": found[asked[-1]], "source": "geocoder", "attribution": "© Some Map"})
    page.route("**/v1/places?*", geocoder)
    search = page.get_by_role("combobox", name="Search for a place")
    # Within one task: however slow this machine is, nobody pauses between two letters.
    search.evaluate("""(field, text) => {
        for (const letter of text) {
            field.value += letter;
            field.dispatchEvent(new Event('input', { bubbles: true }));
        }
    }""", "Nowhere")
    expect(page.get_by_text("Nothing found. Try other words")).to_be_visible()
    search.fill("Pier")
    option = page.get_by_role("option", name="Central Pier 7")
    expect(option).to_contain_text("Man Kwong Street, Central")
    expect(page.get_by_text("© Some Map")).to_be_visible()
    check_accessible(page, "places found")
    shot(page, "customer-search")
    option.click()
    where = page.locator(".where")
    expect(where).to_contain_text("Central Pier 7")
    # A map that gets another size, as when the sheet grows, still shows what was chosen.
    page.set_viewport_size({"width": 390, "height": 680})
    page.wait_for_timeout(500)
    expect(where).to_contain_text("Central Pier 7")
    assert asked == ["Nowhere", "Pier"], "a geocoder is not asked for each letter"


def test_a_search_that_is_given_up_is_not_waited_for_and_opens_nothing(phone, people):
    page = phone("customer", people.customer())
    heading(page, "Where is your car?")
    page.clock.install()
    asked: list[str] = []
    page.route("**/v1/places?*", lambda route: asked.append(route.request.url))
    search = page.get_by_role("combobox", name="Search for a place")

    def given_up(request) -> bool:
        return "/v1/places?" in request.url and request.failure == "net::ERR_ABORTED"

    def ask(text: str) -> None:
        with page.expect_request("**/v1/places?*"):
            search.fill(text)
            page.clock.fast_forward(1_000)
    ask("Pier")
    # Other words take the place of the first.
    with page.expect_event("requestfailed", given_up, timeout=ABORT):
        ask("Pier 7")
    with page.expect_event("requestfailed", given_up, timeout=ABORT):
        search.press("Escape")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(page.locator(".results-note")).to_have_count(0)
    # Given up before the question is asked, however slow this machine is.
    search.evaluate("""field => {
        field.value = 'Pier';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    }""")
    page.clock.fast_forward(1_000)
    assert len(asked) == 2
    expect(page.get_by_role("option")).to_have_count(0)
    expect(search).to_have_attribute("aria-expanded", "false")


def test_news_that_could_not_be_fetched_are_asked_for_again(phone, people):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    page = phone("customer", customer, before=own_clock)
    drop_off(page)
    heading(page, re.compile("is on the way"))
    order = customer.order_in("droppingOff")
    refuse(page, "**/v1/orders/current?*", 429, "request.too_many")
    with page.expect_response("**/v1/orders/current?*"):
        valet.post(f"/v1/orders/{order['id']}/collect", {"code": order["handoverCode"]})
    # All that the stream has to tell is told.
    page.wait_for_timeout(500)
    page.context.unroute("**/v1/orders/current?*")
    page.clock.fast_forward(8_000)
    heading(page, "Your vehicle is being parked")


def test_a_picture_that_is_gone_leaves_initials(phone, people):
    customer, valet = people.customer(), people.valet("Siu Ming", "Chan", at=NEARBY)
    valet.call("PUT", "/v1/me/photo", raw=picture(), type="image/png")
    page = phone("customer", customer)
    avatar = page.get_by_role("region", name="Your valet").locator(".avatar")
    drop_off(page)
    heading(page, re.compile("is on the way"))
    hear_of_valet(page, customer, "photoURL", page.locator("img.avatar"))
    eventually(lambda: avatar.evaluate("image => image.naturalWidth") == 64, "the valet's picture")
    asked: list[str] = []
    refused: list[str] = []
    orders: list[Request] = []
    page.on("request", lambda request: "/v1/pictures/" in request.url and asked.append(request.url))
    page.on("requestfailed", lambda request: "/v1/pictures/" in request.url and refused.append(request.url))
    page.on("request", lambda request: refused and "/v1/orders/current" in request.url and orders.append(request))
    page.route("**/v1/pictures/**", lambda route: route.abort())
    page.watch.expected.append("ERR_FAILED")
    page.reload()
    expect(avatar).to_have_text("SC")
    # Once at another address, after which it is given up; the first may be drawn again and again before that has come.
    eventually(lambda: page.wait_for_timeout(100) or len(asked) > 1, "another address")

    def is_tried() -> bool:
        page.wait_for_timeout(100)
        addresses = [request.response().json()["dropOffValet"]["photoURL"] for request in orders]
        return any(url.endswith(address) for url in asked for address in addresses)
    eventually(is_tried, "the address that the order has after the first was refused")

    def is_given_up() -> bool:
        before = len(asked)
        page.wait_for_timeout(500)
        return len(asked) == before
    eventually(is_given_up, "an end")
    before = len(asked)
    # Each of these has the screen drawn anew.
    for _ in range(3):
        page.evaluate("dispatchEvent(new Event('installable'))")
        page.wait_for_timeout(200)
    assert len(asked) == before
    expect(avatar).to_have_text("SC")


def expire(page: Page, pattern: str) -> None:
    """Addresses of pictures in these answers open nothing, until one has been tried."""
    tried: list[str] = []

    def spoil(route) -> None:
        if tried:
            return route.continue_()
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r"signature=\w{8}", "signature=00000000", answer.text()))
    page.route(pattern, spoil)
    page.on("response", lambda answer: "signature=00000000" in answer.url and tried.append(answer.url))


def shows(photo: Locator) -> bool:
    return photo.count() == 1 and photo.evaluate("image => image.naturalWidth") == 64


def test_a_picture_whose_address_has_expired_is_asked_for_anew(phone, people):
    customer, valet = people.customer(), people.valet("Siu Ming", "Chan", at=NEARBY)
    valet.call("PUT", "/v1/me/photo", raw=picture(), type="image/png")
    page = phone("customer", customer)
    drop_off(page)
    heading(page, re.compile("is on the way"))
    avatar = page.get_by_role("region", name="Your valet").locator("img.avatar")
    hear_of_valet(page, customer, "photoURL", avatar)
    eventually(lambda: page.wait_for_timeout(100) or shows(avatar), "the valet's picture")
    expire(page, "**/v1/orders/current?*")
    order = customer.order_in("droppingOff")
    with page.expect_response(lambda answer: "signature=00000000" in answer.url and answer.status == 403):
        valet.post(f"/v1/orders/{order['id']}/collect", {"code": order["handoverCode"]})
    heading(page, "Your vehicle is being parked")
    eventually(lambda: page.wait_for_timeout(100) or shows(avatar), "the valet's picture, anew")


def test_photos_of_the_parked_vehicle_are_asked_for_anew_when_their_addresses_have_expired(phone, people):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    customer.post("/v1/orders", {"dropOff": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})
    order = customer.order_in("droppingOff")
    insist(lambda: valet.call("POST", f"/v1/orders/{order['id']}/photos?moment=handOver", raw=picture(), type="image/png"),
           "plates.engagement_unknown", "plates.moment_not_possible", what="an order that plates knows")
    park(valet, order, order["handoverCode"])
    page = phone("customer")
    expire(page, "**/v1/orders/*/photos*")
    with page.expect_response(lambda answer: "signature=00000000" in answer.url and answer.status == 403):
        sign_in(page, customer)
    photo = page.get_by_role("list", name="Photos").locator("img")
    eventually(lambda: page.wait_for_timeout(100) or shows(photo), "the photo")


def tab_to(page: Page, role: str, name: str) -> None:
    focus_by_tab(page, page.get_by_role(role, name=name, exact=True))


def test_a_journey_by_keyboard_alone(phone, people):
    valet = people.valet(at=NEARBY)
    customer = people.customer()
    page = phone("customer")
    page.locator("#contact").wait_for()
    tab_to(page, "textbox", "Phone number or e-mail")
    page.keyboard.type(customer.phone)
    page.keyboard.press("Tab")
    page.keyboard.type(customer.password)
    page.keyboard.press("Enter")
    heading(page, "Where is your car?")
    expect(page.get_by_role("button", name="Drop off", exact=True)).not_to_have_attribute("aria-disabled", "true")
    tab_to(page, "button", "Drop off")
    page.keyboard.press("Enter")
    heading(page, re.compile("is on the way"))
    order = customer.order_in("droppingOff")
    tab_to(page, "button", f"Your code, {' '.join(order['handoverCode'])}. Show it large")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # The focus goes back with the step; later it would leave what Tab has reached by then.
    step_back_is_done(page)
    park(valet, order, order["handoverCode"])
    heading(page, "Parked")
    tab_to(page, "link", "Bring my vehicle back")
    page.keyboard.press("Enter")
    heading(page, "Where shall we bring it?")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    tab_to(page, "button", "Bring it here")
    valet.at(*NEARBY)
    page.keyboard.press("Enter")
    heading(page, re.compile("is getting your car"))
    give_back(customer, valet)
    heading(page, "Welcome back to your car")
    expect(page.get_by_role("button", name="Pay HK$80.00")).not_to_have_attribute("aria-disabled", "true")
    tab_to(page, "button", "Pay HK$80.00")
    page.keyboard.press("Enter")
    heading(page, "All done")
    tab_to(page, "radio", "1 star")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    tab_to(page, "button", "Send rating")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Thanks! You gave 5 stars.")).to_be_visible()
    tab_to(page, "link", "Menu")
    page.keyboard.press("Enter")
    heading(page, "Menu")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


SCREENS = {
    "/": "Where is your car?", "/menu": "Menu", "/orders": "Orders", "/notifications": "Notifications", "/vehicles": "Vehicles",
    "/vehicles/new": "New vehicle", "/cards": "Payment cards", "/receipts": "Receipts", "/profile": "Profile",
}


def finished_order(customer, valet) -> dict:
    order = returned_order(customer, valet)
    method = customer.get("/v1/me/payment-methods")["items"][0]["id"]
    customer.pay(order["id"], {"paymentMethodId": method})
    return eventually(lambda: (it := customer.get(f"/v1/orders/{order['id']}"))["status"] == "finished" and it, "a finished order")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_each_screen_is_accessible_and_fits_a_small_phone(phone, people, check_accessible, shot, dark):
    customer = people.customer()
    order = finished_order(customer, people.valet(at=NEARBY))
    page = phone("customer", customer, dark=dark, width=360, height=740)
    screens = SCREENS | {f"/orders/{order['id']}": "Order", f"/orders/{order['id']}/receipt": "Receipt"}
    for path, title in screens.items():
        open_at(page, path)
        heading(page, title)
        expect(page.locator(".skeleton:visible")).to_have_count(0)
        assert not is_wider_than_window(page), f"{title} is wider than the window"
        check_accessible(page, title)
        shot(page, f"customer-360-{'dark' if dark else 'light'}-{title.lower().replace(' ', '-').strip('?')}")


#: The first screens of the other tabs.
TABS = {"/park": "Park", "/lift": "Lift", "/places": "Places"}
#: Phones with text of twice the size, and with the narrowest screen.
TIGHT = {"large-text": {"before": large_text}, "narrow": {"width": 320, "height": 568}}


@pytest.mark.parametrize("kind", TIGHT)
def test_everything_is_read_and_tapped_on_a_phone_with_little_room(phone, people, shot, kind):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    page = phone("customer", **TIGHT[kind])
    page.get_by_role("button", name="Sign in").click(trial=True)
    check_fits(page, "sign in")
    open_at(page, "/sign-up")
    page.get_by_role("button", name="Create account").click(trial=True)
    check_fits(page, "sign up")
    page = phone("customer", customer, **TIGHT[kind])
    settle(page)
    # A trial fails where something else is on top.
    page.get_by_role("button", name="Drop off", exact=True).click(trial=True)
    for path, title in SCREENS.items():
        open_at(page, path)
        heading(page, title)
        expect(page.locator(".skeleton:visible")).to_have_count(0)
        check_fits(page, title)
        shot(page, f"customer-{kind}-{title.lower().replace(' ', '-').strip('?')}")
    for path, tab in TABS.items():
        open_at(page, path)
        page.get_by_role("navigation").get_by_role("link", name=tab, exact=True).and_(page.locator("[aria-current=page]")).click(trial=True)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        check_fits(page, tab)
        shot(page, f"customer-{kind}-tab-{tab.lower()}")
    open_at(page, "/")
    drop_off(page)
    heading(page, re.compile("is on the way"))
    order = customer.order_in("droppingOff")
    page.get_by_role("button", name="Cancel order").click(trial=True)
    check_fits(page, "on the way")
    shot(page, f"customer-{kind}-on-the-way")
    park(valet, order, order["handoverCode"])
    heading(page, "Parked")
    page.get_by_role("link", name="Bring my vehicle back").click(trial=True)
    check_fits(page, "parked")
    shot(page, f"customer-{kind}-parked")
    customer.post(f"/v1/orders/{order['id']}/recall", {"returnTo": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})
    give_back(customer, valet)
    heading(page, "Welcome back to your car")
    page.get_by_role("button", name="Pay HK$80.00").click(trial=True)
    check_fits(page, "the bill")
    shot(page, f"customer-{kind}-bill")


def test_an_older_browser_takes_an_order_and_shows_every_tab(phone, people):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    page = phone("customer", customer, before=older_browser)
    assert page.evaluate("!AbortSignal.any && ![].toSorted && new URLSearchParams('a=1').size === undefined")
    settle(page)
    drop_off(page)
    heading(page, re.compile("is on the way"))
    order = customer.order_in("droppingOff")
    park(valet, order, order["handoverCode"])
    # Heard by the stream.
    heading(page, "Parked")
    page.get_by_role("link", name="Bring my vehicle back").click()
    expect(page.get_by_role("button", name="Bring it here")).not_to_have_attribute("aria-disabled", "true")
    valet.at(*NEARBY)
    tap(page, "Bring it here")
    give_back(customer, valet)
    heading(page, "Welcome back to your car")
    tap(page, "Pay HK$80.00")
    heading(page, "All done")
    # The addresses of lists have queries.
    for path in [*list(SCREENS)[1:], *TABS, "/bookings"]:
        open_at(page, path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator(".skeleton:visible")).to_have_count(0)
        expect(page.get_by_role("alert")).to_have_count(0)


def test_a_screen_keeps_its_words_after_other_tabs_were_opened(phone, people):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    parked_order(customer, valet)
    page = phone("customer", customer)
    heading(page, "Parked")
    open_at(page, "/bookings")
    page.get_by_role("link", name="Where I left it").wait_for()
    open_at(page, "/places")
    heading(page, "Places")
    open_at(page, "/lift")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    open_at(page, "/")
    heading(page, "Parked")


@pytest.mark.parametrize("path", ["/menu", "/profile", "/vehicles", "/bookings"])
def test_what_is_said_covers_no_title_and_no_way_back(phone, people, path):
    page = phone("customer", people.customer())
    open_at(page, path)
    page.get_by_role("heading", level=1).wait_for()
    page.get_by_role("link", name="Back").wait_for()
    page.evaluate("""import('/apps/shared/ui.js').then(({ toast }) => {
        window.say = () => toast('Something that takes two lines on a phone, and is read to its end');
    })""")
    # Looked at in one moment, since a screen that loads is drawn again; a toast goes after a while, and is shown again.
    page.wait_for_function("""() => {
        if (!document.querySelector('.toast')) say();
        const [said, ...seen] = ['.toast', 'h1', '[aria-label="Back"]'].map((one) => document.querySelector(one)?.getBoundingClientRect());
        return said && seen.every((box) => box && box.bottom <= said.top);
    }""")


def test_a_finger_hits_the_buttons_of_a_map(phone, people):
    page = phone("customer", people.customer())
    settle(page)
    for name in ("Zoom in", "Zoom out", "Show my location"):
        page.get_by_role("button", name=name).click(trial=True)
        box = page.get_by_role("button", name=name).bounding_box()
        assert min(box["width"], box["height"]) >= 44, name


def test_the_whole_app_speaks_traditional_chinese(phone, people, shot):
    customer = people.customer("詠恩", "李", language="zh-Hant")
    valet = people.valet("小明", "陳", at=NEARBY)
    page = phone("customer", customer, language="zh-HK", width=360, height=740)
    heading(page, "您的車在哪裏？")
    shot(page, "customer-zh-home")
    page.get_by_role("button", name="交車", exact=True).click()
    heading(page, re.compile("正在前來"))
    hear_of_valet(page, customer, "firstName", page.get_by_text("小明正在前來"))
    heading(page, "小明正在前來")
    order = customer.order_in("droppingOff")
    park(valet, order, order["handoverCode"])
    heading(page, "已泊好")
    shot(page, "customer-zh-parked")
    open_at(page, "/profile")
    heading(page, "個人資料")
    expect(page.get_by_text("李詠恩")).to_be_visible()
    latin = page.evaluate("() => [...document.querySelectorAll('label, h1, h2, button')].map(it => it.innerText).filter(it => /[a-z]{4}/i.test(it))")
    assert [text for text in latin if "English" not in text] == []
    page.get_by_role("radio", name="English").check(force=True)
    heading(page, "Profile")
    assert eventually(lambda: customer.get("/v1/me")["language"] == "en", "the account's language")
    # Names of places are asked for in it too, whatever the browser's is.
    with page.expect_request("**/v1/orders/current?*") as asked:
        page.reload()
    assert asked.value.header_value("accept-language") == "en"


def test_profile_name_password_sessions_and_data(phone, people):
    customer = people.customer()
    people.sign_in(customer.phone)
    page = phone("customer", customer)
    open_at(page, "/profile")
    heading(page, "Profile")
    page.get_by_label("First name").fill("Grace")
    page.locator("form", has_text="First name").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Grace Wong")).to_be_visible()
    unfold(page, "Where you are signed in")
    tap(page, "Sign out everywhere else")
    expect(page.get_by_text("Signed out elsewhere.")).to_be_visible()
    unfold(page, "Change password")
    page.get_by_label("Current password").fill("not the right one")
    page.get_by_label("New password").fill("an even longer way")
    page.locator("form").get_by_role("button", name="Change password").click()
    expect(page.get_by_text("That isn’t your current password.")).to_be_visible()
    page.get_by_label("Current password").fill(customer.password)
    page.locator("form").get_by_role("button", name="Change password").click()
    expect(page.get_by_text(re.compile("Your password has been changed"))).to_be_visible()
    with page.expect_download() as download:
        tap(page, "Download my data")
    assert "Grace" in download.value.path().read_text()
    tap(page, "Delete account")
    page.get_by_role("dialog").get_by_label("Password").fill("an even longer way")
    # A server of the previous release has another name for `account.engagement_open`.
    refuse(page, "**/v1/me/deletion", 409, "account.order_unfinished")
    tap(page, "Delete for good")
    expect(page.get_by_text("Something is still open or unpaid.")).to_be_visible()
    page.context.unroute("**/v1/me/deletion")
    tap(page, "Delete for good")
    expect(page.locator("#contact")).to_be_visible()
