"""The customer's tab "Park": car parks are found, booked, paid, changed and given up."""

from __future__ import annotations

import base64
import io
import json
import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import PIL.Image
import numpy
import pytest
import zxingcpp
from playwright.sync_api import Page, expect

from api import PASSWORD, People, eventually, insist
from conftest import is_wider_than_window, keep_waiting, map_rests, note_places, open_at, stood_still
from system import System
from town import here

#: An hour ahead of the phones of the tests.
ZONE = "Asia/Tokyo"


def tap(page: Page, name: str | re.Pattern[str]) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def heading(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def car_park(people, name: str, at: tuple[float, float], **more: Any) -> dict[str, Any]:
    """A car park with an hourly and a daily product, which the operator has made."""
    made = people.operator.post("/v1/admin/car-parks", {
        "name": name, "address": "1 Chater Road", "position": {"latitude": at[0], "longitude": at[1]}, "timeZone": ZONE,
        "currency": "HKD", "capacity": {"general": 10, "electric": 2}, "bookable": {"general": 5, "electric": 2},
        "openingHours": "Mo-Su,PH 00:00-24:00", "maxHeightMeters": 2.1, "features": ["covered", "charging"],
        "terms": "Park within the lines.", **more})
    for product in ({"name": "Hour", "kind": "hourly", "price": 2_500, "classes": ["general", "electric"]},
                    {"name": "Day", "kind": "daily", "price": 15_000}):
        people.operator.post(f"/v1/admin/car-parks/{made['id']}/products", product)
    return people.operator.get(f"/v1/car-parks/{made['id']}")


def driver(people, *name: str, **more: Any):
    """A customer with a plate that nobody else has: one plate has one booking at a time."""
    customer = people.customer(*name, vehicle=False, **more)
    customer.post("/v1/me/vehicles", {"plate": f"P {people.number()[-6:]}", "make": "Fiat", "model": "Panda", "colour": "red"})
    return customer


def picture_of(colour: str) -> dict[str, Any]:
    content = io.BytesIO()
    PIL.Image.new("RGB", (64, 48), colour).save(content, "JPEG")
    return {"name": f"{colour}.jpg", "mimeType": "image/jpeg", "buffer": content.getvalue()}


def in_days(days: int, hour: int = 9) -> datetime:
    """So many days from now at this hour, by the car park's clocks."""
    return (datetime.now(ZoneInfo(ZONE)) + timedelta(days=days)).replace(hour=hour, minute=0, second=0, microsecond=0)


def set_start(page: Page, start: datetime) -> None:
    page.get_by_label("Start").fill(start.strftime("%Y-%m-%dT%H:%M"))
    page.get_by_label("Start").blur()


def booking(customer, place: dict[str, Any], start: datetime, quantity: int = 2, pay: bool = True) -> dict[str, Any]:
    """A booking, made without the app."""
    [vehicle, *_] = customer.get("/v1/me/vehicles")["items"]
    held = insist(lambda: customer.post("/v1/bookings", {
        "carParkId": place["id"], "productId": place["products"][0]["id"], "start": start.isoformat(), "quantity": quantity,
        "vehicleIds": [vehicle["id"]], "termsVersion": place["terms"]["version"]}), "vehicle.unknown", what="a booking")
    return customer.post(f"/v1/bookings/{held['id']}/pay", {"token": "pm_card_visa"})["booking"] if pay else held


#: Counts the formatters that are made.
COUNT_FORMATTERS = """
    window.madeFormatters = 0;
    for (const kind of Object.getOwnPropertyNames(Intl).filter((name) => typeof Intl[name] === 'function' && Intl[name].prototype))
        Intl[kind] = new Proxy(Intl[kind], { construct(target, given) { madeFormatters += 1; return new target(...given); } });
"""


@pytest.mark.parametrize("screen, last", [("", "Good to know"), ("/when", re.compile("5 spaces left at that time|The car park is closed then"))])
def test_what_is_drawn_again_makes_no_formatter(phone, people, screen, last):
    place = car_park(people, "Words Garage", here(22.36, 114.10), openingHours="Mo-Fr 07:00-22:00; Sa 08:00-20:00; PH off")
    page = phone("customer", people.customer(), before=lambda page: page.add_init_script(COUNT_FORMATTERS))
    page.goto(f"/#/park/{place['id']}{screen}")
    page.reload()
    page.wait_for_function("() => madeFormatters > 0")
    # As the app draws when something has changed.
    draw_again = """async (times) => {
        for (let turn = 0; turn < times; turn += 1) for (const name of ['offline', 'online']) {
            dispatchEvent(new Event(name));
            await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        }
        return window.madeFormatters;
    }"""
    # What comes last is there: what it costs comes later than the rest, with times of its own.
    expect(page.get_by_text(last)).to_be_visible()
    before = page.evaluate(draw_again, 3)
    assert page.evaluate(draw_again, 5) == before


def test_car_parks_that_would_hide_one_another_are_one_marker_with_their_number(phone, people, check_accessible):
    at = here(22.4500, 114.0300)
    for i in range(6):
        car_park(people, f"Row {i}", (at[0] + i * 0.0004, at[1]))
    page = phone("customer", people.customer(), at=at)
    page.goto("/#/park")
    page.get_by_role("listitem").filter(has_text="Row 5").wait_for()
    # From afar they are one; each is there when one comes near.
    for _ in range(3):
        page.get_by_role("button", name="Zoom out").click()
        map_rests(page)
    several = page.get_by_role("button", name="6 car parks here")
    expect(several).to_have_text("6")
    check_accessible(page, "several car parks")
    several.dispatch_event("click")
    expect(several).to_have_count(0)
    # Once the map has come to rest.
    page.wait_for_function("""() => {
        const boxes = [...document.querySelectorAll('.marker:not(.me) .marker-dot')].map((dot) => dot.getBoundingClientRect());
        const isApart = (one, other) => one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
        return boxes.length >= 2 && boxes.every((one, i) => boxes.slice(i + 1).every((other) => isApart(one, other)));
    }""")


def test_a_newcomer_looks_chooses_signs_up_books_changes_shows_the_ticket_offline_and_cancels(phone, people, check_accessible, shot):
    at = here(22.3321, 114.1556)
    place = car_park(people, "Star Garage", at)
    page, number = phone("customer", at=at, width=360, height=740, worker=True), people.number()
    page.get_by_role("link", name="Car parks").click()
    heading(page, "Car parks")
    expect(page.get_by_role("link", name=re.compile("Star Garage"))).to_contain_text("HK$25.00 an hour")
    expect(page.locator(".marker.parked")).to_have_count(1)
    check_accessible(page, "find")
    shot(page, "park-find")
    page.get_by_role("link", name=re.compile("Star Garage")).click()
    heading(page, "Star Garage")
    expect(page.get_by_text("HK$150.00 a day")).to_be_visible()
    expect(page.get_by_text("Charging")).to_be_visible()
    check_accessible(page, "car park")
    shot(page, "park-place")

    page.get_by_role("link", name="Book a space").click()
    expect(page.get_by_text("Step 1 of 3")).to_be_visible()
    start = in_days(3)
    set_start(page, start)
    page.get_by_label("Hours", exact=True).fill("2")
    page.get_by_label("Hours", exact=True).blur()
    expect(page.locator(".total")).to_have_text("TotalHK$50.00")
    expect(page.get_by_text("5 spaces left at that time")).to_be_visible()
    check_accessible(page, "when")
    shot(page, "park-when")
    tap(page, "Next")

    page.get_by_role("link", name="New here? Create an account").click()
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Last name").fill("Wong")
    page.get_by_label("Phone number").fill(number)
    page.get_by_label("Password").fill(PASSWORD)
    tap(page, "Create account")
    tap(page, "Later")
    expect(page.get_by_text("Step 2 of 3")).to_be_visible()
    page.get_by_role("link", name="Add a vehicle").click()
    for label, value in {"Plate": "pk 1234", "Make": "Fiat", "Model": "Panda", "Colour": "red"}.items():
        page.get_by_label(label).fill(value)
    tap(page, "Save")
    expect(page.get_by_role("checkbox", name=re.compile("PK 1234"))).to_be_checked()
    expect(page.locator(".total")).to_have_text("TotalHK$50.00")
    check_accessible(page, "vehicle")
    shot(page, "park-vehicle")
    tap(page, "Continue to payment")

    expect(page.get_by_text(re.compile(r"holding your space for \d:\d\d"))).to_be_visible()
    tap(page, "Visa •••• 0002 (declines)")
    expect(page.get_by_role("radio", name="Visa •••• 0002")).to_be_checked()
    page.get_by_role("button", name="Pay HK$50.00").click()
    expect(page.get_by_role("alert")).to_contain_text("declined")
    expect(page.get_by_role("alert")).to_contain_text("still holding")
    check_accessible(page, "declined")
    shot(page, "park-declined")
    customer = people.sign_in(number)
    [held] = customer.get("/v1/bookings")["items"]
    assert held["status"] == "held" and datetime.fromisoformat(held["start"]) == start and held["quantity"] == 2
    page.get_by_text("Add a card", exact=True).click()
    tap(page, "Mastercard •••• 4444 (succeeds)")
    page.get_by_role("radio", name=re.compile("Mastercard")).wait_for(state="attached")
    page.get_by_role("button", name="Pay HK$50.00").click()

    expect(page.get_by_text(f"You’re booked ({held['reference']}).")).to_be_visible()
    check_accessible(page, "booked")
    shot(page, "park-booked")
    page.get_by_role("link", name="Change").click()
    heading(page, "Change")
    page.get_by_label("Hours", exact=True).fill("3")
    page.get_by_label("Hours", exact=True).blur()
    expect(page.get_by_text("You pay HK$25.00 more.")).to_be_visible()
    page.locator("label.choice", has_text="Mastercard").click()
    expect(page.get_by_role("radio", name=re.compile("Mastercard"))).to_be_checked()
    check_accessible(page, "change")
    shot(page, "park-change")
    tap(page, "Pay HK$25.00 and save")
    heading(page, place["name"])
    expect(page.get_by_text("Hour · 3 hours")).to_be_visible()

    code = page.get_by_role("img", name="QR code of the ticket")
    expect(code).to_be_visible()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch"]
    page.context.set_offline(True)
    page.reload()
    expect(code).to_be_visible()
    expect(page.get_by_text("Hour · 3 hours")).to_be_visible()
    page.context.set_offline(False)
    page.reload()

    tap(page, "Cancel booking")
    dialog = page.get_by_role("dialog", name="Cancel this booking?")
    expect(dialog).to_contain_text("You’ll get HK$75.00 back.")
    check_accessible(page, "cancel")
    dialog.get_by_role("button", name="Cancel booking").click()
    expect(page.locator(".badge").first).to_have_text("Cancelled")
    assert customer.get(f"/v1/bookings/{held['id']}")["status"] == "cancelled"
    assert not is_wider_than_window(page)


def test_what_is_closed_says_why_and_a_filter_leaves_it_out(phone, people, check_accessible):
    at = here(22.4321, 114.1556)
    closed, _ = car_park(people, "Flooded Garage", at), car_park(people, "Low Garage", here(22.4331, 114.1566), maxHeightMeters=1.8)
    cheap = car_park(people, "Cheap Garage", here(22.4341, 114.1576), maxHeightMeters=1.8)
    people.operator.post(f"/v1/admin/car-parks/{cheap['id']}/products", {"name": "Hour", "kind": "hourly", "price": 900})
    people.operator.put(f"/v1/admin/car-parks/{closed['id']}/status", {"status": "closed", "reason": "flood"})
    page = phone("customer", driver(people), at=at)
    page.get_by_role("link", name="Park", exact=True).click()
    expect(page.get_by_role("link", name=re.compile("Flooded Garage"))).to_contain_text(re.compile("Closed.*flood"))
    expect(page.get_by_role("link", name=re.compile("Low Garage"))).to_contain_text("Open")
    page.get_by_text("Filters").click()
    names = page.get_by_role("list", name="Car parks").locator("a .strong:not(.price)")
    expect(names.last).to_have_text("Cheap Garage")
    page.get_by_label("Sort by").select_option("price")
    expect(names.first).to_have_text("Cheap Garage")
    page.get_by_label("Sort by").select_option("walk")
    expect(names.last).to_have_text("Cheap Garage")
    page.get_by_label("Vehicle height (m)").fill("2")
    page.get_by_label("Vehicle height (m)").blur()
    expect(page.get_by_role("link", name=re.compile("Low Garage"))).to_have_count(0)
    check_accessible(page, "filters")
    page.get_by_role("switch", name="Open now").click()
    expect(page.get_by_text("No car park here")).to_be_visible()
    check_accessible(page, "nothing found")
    page.get_by_role("switch", name="Open now").click()
    page.get_by_role("link", name=re.compile("Flooded Garage")).click()
    expect(page.get_by_text("This car park is closed: flood")).to_be_visible()
    expect(page.get_by_role("link", name="Book a space")).to_have_count(0)


def test_a_page_of_car_parks_says_that_there_are_more_and_shows_them(phone, people):
    at = here(19.4310, 113.4310)
    for number in range(31):
        car_park(people, f"Garage {number}", (at[0] + number / 10_000, at[1]))
    page = phone("customer", driver(people), at=at)
    page.get_by_role("link", name="Park", exact=True).click()
    expect(page.get_by_text("More than 30 car parks")).to_be_visible()
    tap(page, "Show more")
    expect(page.get_by_text("31 car parks", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Garage 30"))).to_be_visible()


def test_who_signs_in_goes_on_and_reads_terms_that_have_changed(phone, people):
    at = here(22.5321, 114.1556)
    place, customer = car_park(people, "Strict Garage", at), driver(people)
    page = phone("customer", at=at)
    open_at(page, f"/park/{place['id']}/when")
    start = in_days(4)
    set_start(page, start)
    tap(page, "Next")
    page.get_by_label("Phone number or e-mail").fill(customer.phone)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Step 2 of 3")).to_be_visible()
    expect(page.get_by_role("button", name="Continue to payment")).not_to_have_attribute("aria-disabled", "true")
    body = {name: place[name] for name in ("name", "address", "position", "timeZone", "currency", "capacity", "bookable")}
    people.operator.call("PUT", f"/v1/admin/car-parks/{place['id']}", {**body, "terms": "No trailers."}, headers={"if-match": "*"})
    tap(page, "Continue to payment")
    expect(page.get_by_text("The terms have changed.")).to_be_visible()
    expect(page.get_by_text("No trailers.")).to_be_visible()
    tap(page, "Continue to payment")
    expect(page.get_by_text("Step 3 of 3")).to_be_visible()
    [held] = customer.get("/v1/bookings")["items"]
    assert datetime.fromisoformat(held["start"]) == start


def test_a_booking_that_was_changed_elsewhere_is_shown_as_it_is_now(phone, people):
    place = car_park(people, "Busy Garage", here(22.6321, 114.1556))
    customer = driver(people)
    booked = booking(customer, place, in_days(5))
    page = phone("customer", customer)
    open_at(page, f"/bookings/{booked['id']}/change")
    page.get_by_label("Hours", exact=True).fill("1")
    page.get_by_label("Hours", exact=True).blur()
    expect(page.get_by_text("You’ll get HK$25.00 back.")).to_be_visible()
    path, said = "**/v1/bookings/*", page.get_by_text("This booking was changed elsewhere.")

    def elsewhere(days: int) -> str:
        later = in_days(days)
        customer.call("PATCH", f"/v1/bookings/{booked['id']}", {"start": later.isoformat()}, headers={"if-match": "*"})
        return later.strftime("%Y-%m-%dT%H:%M")

    def overtaken(route):
        if route.request.method == "PATCH":
            elsewhere(6)
        route.continue_()

    # While it is being saved.
    page.route(path, overtaken)
    tap(page, "Save changes")
    expect(said).to_be_visible()
    page.unroute(path, overtaken)
    expect(page.get_by_label("Start")).to_have_value(in_days(6).strftime("%Y-%m-%dT%H:%M"))
    # While one chooses.
    page.get_by_label("Hours", exact=True).fill("1")
    page.get_by_label("Hours", exact=True).blur()
    expect(page.get_by_text("You’ll get HK$25.00 back.")).to_be_visible()
    expect(said).to_have_count(0)
    start = elsewhere(7)
    expect(said).to_be_visible()
    expect(page.get_by_label("Start")).to_have_value(start)
    page.get_by_label("Hours", exact=True).fill("1")
    page.get_by_label("Hours", exact=True).blur()
    tap(page, "Save changes")
    expect(page.get_by_text("Hour · 1 hour")).to_be_visible()


def test_a_ticket_that_comes_late_moves_nothing_that_can_be_pressed(phone, people):
    place, customer = car_park(people, "Late Garage", here(22.46, 114.20)), driver(people)
    booked = booking(customer, place, in_days(2))
    page = phone("customer", customer)
    waiting = []
    page.context.route("**/ticket", lambda route: waiting.append(route))
    note_places(page, "Cancel booking")
    open_at(page, f"/bookings/{booked['id']}")
    expect(page.get_by_text(booked["reference"])).to_be_visible()
    eventually(lambda: page.wait_for_timeout(50) or waiting, "the question for the ticket")
    waiting[0].continue_()
    expect(page.get_by_role("img", name="QR code of the ticket")).to_be_visible()
    stood_still(page, "Cancel booking")


def test_who_is_inside_stays_longer(phone, people, check_accessible):
    place = car_park(people, "Night Garage", here(22.7321, 114.1556))
    customer = driver(people)
    booked = booking(customer, place, datetime.now(ZoneInfo(ZONE)), quantity=1)
    gate = people.operator.post("/v1/admin/gates", {"carParkId": place["id"], "name": "North"})
    customer.call("POST", f"/v1/gates/{gate['id']}/passages", {"direction": "in", "plate": booked["vehicles"][0]["plate"], "at": datetime.now(ZoneInfo("UTC")).isoformat()},
                  headers={"gate-token": gate["token"]})
    page = phone("customer", customer)
    open_at(page, "/bookings")
    expect(page.get_by_role("link", name=re.compile("Night Garage"))).to_contain_text("Parked")
    check_accessible(page, "bookings")
    page.get_by_role("link", name=re.compile("Night Garage")).click()
    page.get_by_role("link", name="Extend").click()
    page.get_by_label("Extra hours").fill("2")
    page.get_by_label("Extra hours").blur()
    check_accessible(page, "stay longer")
    tap(page, "Pay HK$50.00 and save")
    expect(page.get_by_text("Hour · 3 hours")).to_be_visible()
    assert customer.get(f"/v1/bookings/{booked['id']}")["quantity"] == 3


def test_a_ticket_is_shown_where_there_is_no_network(phone, people, shot):
    place = car_park(people, "Deep Garage", here(23.0321, 114.1556))
    customer = driver(people)
    booked = booking(customer, place, in_days(2))
    page = phone("customer", customer, worker=True, dark=True)
    open_at(page, f"/bookings/{booked['id']}")
    code = page.get_by_role("img", name="QR code of the ticket")
    expect(code).to_be_visible()
    with page.expect_download() as download:
        tap(page, "Add to calendar")
    entry = download.value.path().read_text()
    assert f"SUMMARY:Deep Garage\\, {booked['reference']}" in entry
    # A worker controls a page when it has everything.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch"]
    page.context.set_offline(True)
    page.reload()
    expect(code).to_be_visible()
    code.scroll_into_view_if_needed()
    shot(page, "park-ticket")
    picture = PIL.Image.open(io.BytesIO(code.screenshot())).convert("L")
    [read] = zxingcpp.read_barcodes(numpy.asarray(picture), formats=zxingcpp.BarcodeFormat.QRCode)
    claims = json.loads(base64.urlsafe_b64decode(read.text.split(".")[1] + "=="))
    assert claims["sub"] == booked["id"] and claims["ref"] == booked["reference"]


def test_anybody_reads_who_runs_the_car_parks(phone, people, tmp_path, check_accessible):
    company = {"name": "Star & Sons", "text": "Parking since 1998.", "email": "help@star.example", "link": "https://star.example/"}
    system = System(tmp_path, OPENVALET_WEB_COMPANY=json.dumps(company))
    try:
        there = People(system.base, system.data)
        place = car_park(there, "Sons Garage", here(22.2821, 114.1556))
        page = phone("customer", base=system.base, width=360, height=740)
        open_at(page, "/park")
        page.get_by_role("link", name="Star & Sons").click()
        heading(page, "Star & Sons")
        expect(page.get_by_text("Parking since 1998.")).to_be_visible()
        expect(page.get_by_role("link", name="https://star.example/")).to_have_attribute("href", "https://star.example/")
        check_accessible(page, "company")
        assert not is_wider_than_window(page)
        page.get_by_role("link", name=re.compile("Sons Garage")).click()
        heading(page, place["name"])
    finally:
        system.stop()


def test_who_has_parked_notes_the_place_and_finds_it_again_without_a_network(phone, people, check_accessible, shot):
    at = here(23.0821, 114.1556)
    customer = driver(people)
    page = phone("customer", customer, at=at, width=360, height=740, worker=True)
    open_at(page, "/bookings")
    page.get_by_role("link", name="Where I left it").click()
    expect(page.get_by_text("You haven’t saved where your vehicle is.")).to_be_visible()
    check_accessible(page, "nothing noted")
    tap(page, "It’s here")
    page.get_by_label("Level").fill("B2")
    page.get_by_label("Note").fill("Beside the lift")
    check_accessible(page, "note the place")
    tap(page, "Save this place")
    expect(page.get_by_text("Beside the lift")).to_be_visible()
    kept = customer.get("/v1/me/parked-vehicle")
    assert kept["level"] == "B2" and abs(kept["position"]["latitude"] - at[0]) < 0.001
    photo = page.get_by_role("button", name="Picture of the place")
    page.locator("input[type=file]").set_input_files(picture_of("teal"))
    expect(photo).to_be_visible()
    first = customer.get("/v1/me/parked-vehicle")["photo"]
    page.get_by_text("Change picture", exact=True).wait_for()
    page.locator("input[type=file]").set_input_files(picture_of("olive"))
    eventually(lambda: customer.get("/v1/me/parked-vehicle")["photo"].split("?")[0] != first.split("?")[0], "another picture")
    photo.click()
    expect(page.get_by_role("dialog").get_by_role("img", name="Picture of the place")).to_be_visible()
    check_accessible(page, "a picture of the place")
    shot(page, "park-left-picture")
    page.keyboard.press("Escape")
    tap(page, "Remove picture")
    expect(photo).to_have_count(0)
    assert customer.get("/v1/me/parked-vehicle")["photo"] is None
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch"]
    page.context.set_offline(True)
    page.context.set_geolocation({"latitude": at[0] + 0.01, "longitude": at[1], "accuracy": 8})
    page.reload()
    expect(page.get_by_text("Beside the lift")).to_be_visible()
    expect(page.get_by_text(re.compile(r"About 1\.\d km on foot"))).to_be_visible()
    page.locator("input[type=file]").set_input_files(picture_of("teal"))
    expect(page.locator("#toasts")).to_contain_text("You’re offline.")
    expect(photo).to_have_count(0)
    check_accessible(page, "the way back")
    assert not is_wider_than_window(page)
    shot(page, "park-left")
    page.context.set_offline(False)
    tap(page, "Forget this place")
    page.get_by_role("dialog").get_by_role("button", name="Forget this place").click()
    expect(page.get_by_text("You haven’t saved where your vehicle is.")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_screens_in_chinese_on_a_small_phone(phone, people, check_accessible, shot, dark):
    at = here(22.8321 + dark / 10, 114.1556)
    place = car_park(people, "星光停車場", at)
    customer = driver(people, "嘉文", "黃", language="zh-Hant")
    booked, held = booking(customer, place, in_days(5)), booking(customer, place, in_days(7), pay=False)
    page = phone("customer", customer, at=at, language="zh-HK", width=360, height=740, dark=dark)
    open_at(page, "/park")
    expect(page.get_by_role("link", name=re.compile("星光停車場"))).to_contain_text("每小時")
    screens = {"find": "/park", "place": f"/park/{place['id']}", "when": f"/park/{place['id']}/when", "vehicle": f"/park/{place['id']}/vehicle",
               "pay": f"/bookings/{held['id']}/pay", "bookings": "/bookings", "booking": f"/bookings/{booked['id']}", "change": f"/bookings/{booked['id']}/change"}
    for name, path in screens.items():
        open_at(page, path)
        expect(page.locator(".skeleton")).to_have_count(0)
        if dark:
            check_accessible(page, f"{name}, Chinese")
        assert not is_wider_than_window(page), name
        shot(page, f"park-{name}-zh-{'dark' if dark else 'light'}")


def test_without_a_network_the_list_says_how_old_it_is(phone, people, check_accessible):
    at = here(22.9921, 114.1556)
    car_park(people, "Far Garage", at)
    page = phone("customer", driver(people), at=at)
    open_at(page, "/park")
    expect(page.get_by_role("link", name=re.compile("Far Garage"))).to_be_visible()
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch"]
    page.context.set_offline(True)
    page.get_by_label("Search by name or street").fill("Far")
    expect(page.get_by_role("alert")).to_contain_text("You’re offline.")
    check_accessible(page, "offline")
    let_go = keep_waiting(page, "**/v1/car-parks?*")
    page.context.set_offline(False)
    tap(page, "Try again")
    let_go()
    expect(page.get_by_role("link", name=re.compile("Far Garage"))).to_be_visible()
