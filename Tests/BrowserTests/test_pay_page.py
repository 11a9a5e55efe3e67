"""The page for drivers without the app: a stay is found by plate and time or by its code, paid by card, and left."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Any

from playwright.sync_api import Page, expect

from api import eventually
from conftest import open_at
from test_account import email
from test_park import ZONE, car_park
from town import here

CARD = {"Card number": "4242 4242 4242 4242", "Expiry date": "12/34", "Security code": "123"}


def parked(people, name: str, latitude: float) -> tuple[dict[str, Any], dict[str, Any], str, datetime, dict[str, Any]]:
    """A vehicle of nobody, inside for an hour and a half."""
    place = car_park(people, name, here(latitude, 114.1556))
    gate = people.operator.post("/v1/admin/gates", {"carParkId": place["id"], "name": "North"})
    plate = f"G{people.number()[-6:]}"
    entered = datetime.now(timezone.utc) - timedelta(minutes=90)
    entry = passes(people, gate, "in", plate, entered)
    assert entry["open"]
    return place, gate, plate, entered, entry


def passes(people, gate: dict[str, Any], direction: str, plate: str, at: datetime | None = None) -> dict[str, Any]:
    at = at or datetime.now(timezone.utc)
    return people.operator.call("POST", f"/v1/gates/{gate['id']}/passages", {"direction": direction, "plate": plate, "at": at.isoformat()},
                                headers={"gate-token": gate["token"]})


def opened(phone, address: str, **options: Any) -> Page:
    page = phone("pay", geolocation=False, **options)
    page.goto(address)
    page.locator("#app > *").first.wait_for(state="attached")
    return page


def wall(at: datetime) -> str:
    """A time by the car park's clock, which is not the browser's."""
    from zoneinfo import ZoneInfo
    return at.astimezone(ZoneInfo(ZONE)).strftime("%Y-%m-%dT%H:%M")


def fill_card(page: Page) -> None:
    for label, text in CARD.items():
        page.get_by_label(re.compile(label, re.I)).fill(text)


def test_a_guest_pays_by_plate_and_drives_out(phone, people, check_accessible, shot):
    place, gate, plate, entered, _ = parked(people, "Exit Garage", 23.6421)
    page = opened(phone, f"/pay?carPark={place['id']}")
    expect(page.get_by_role("heading", name="Pay for parking")).to_be_visible()
    expect(page.get_by_text("Exit Garage: find your stay")).to_be_visible()
    check_accessible(page, "find a stay")
    shot(page, "pay-find")
    page.watch.expected += ["404"]
    page.get_by_role("textbox", name="Number plate").fill(plate.lower())
    page.get_by_label("When did you drive in?").fill(wall(entered - timedelta(minutes=30)))
    page.get_by_role("button", name="Show the price").click()
    expect(page.get_by_role("alert")).to_contain_text("We found nothing to pay")
    page.get_by_label("When did you drive in?").fill(wall(entered))
    page.get_by_role("button", name="Show the price").click()
    expect(page.get_by_text("HK$50.00").first).to_be_visible()
    page.get_by_role("button", name="Find another stay").click()
    expect(page.get_by_role("textbox", name="Number plate")).to_have_value(plate)
    expect(page.get_by_label("When did you drive in?")).to_have_value(wall(entered))
    page.get_by_role("button", name="Show the price").click()
    fill_card(page)
    address = email()
    page.get_by_label("E-mail for the receipt").fill(address)
    check_accessible(page, "price")
    shot(page, "pay-price")
    page.get_by_role("button", name="Pay HK$50.00").click()
    expect(page.get_by_role("heading", name="Paid. Thank you!")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Leave by")).to_be_visible()
    number = page.get_by_text(re.compile(r"^\d{4}-\d{6}$"))
    expect(number).to_be_visible()
    expect(page.get_by_role("button", name="Print or save the receipt")).to_be_visible()
    check_accessible(page, "paid")
    shot(page, "pay-paid")
    shown = number.inner_text()
    [mail] = eventually(lambda: people.operator.get(f"/v1/admin/messages?email={address}")["items"], "the receipt by e-mail")
    assert shown in mail["subject"] and "Exit Garage" in mail["text"]
    page.reload()
    expect(page.get_by_role("heading", name="Paid. Thank you!")).to_be_visible()
    expect(page.get_by_text(shown)).to_be_visible()
    expect(page.get_by_text("HK$50.00").first).to_be_visible()
    assert passes(people, gate, "out", plate)["reason"] == "paid"
    [receipt] = people.operator.get(f"/v1/admin/documents?number={shown}")["items"]
    people.operator.post(f"/v1/admin/payments/{receipt['payment']}/refunds", {"amount": 1_000, "reason": "A broken lamp."})
    page.reload()
    expect(page.get_by_text(shown, exact=True)).to_be_visible()
    expect(page.locator(".receipt .facts > div", has_text="Credit note")).to_contain_text("-HK$10.00")


def test_the_code_in_the_address_finds_the_stay(phone, people):
    _, _, _, _, entry = parked(people, "Code Garage", 23.6521)
    page = opened(phone, f"/pay/{entry['code']}")
    expect(page.get_by_role("textbox", name="Ticket code")).to_have_value(entry["code"])
    page.get_by_role("button", name="Show the price").click()
    expect(page.get_by_text("Code Garage")).to_be_visible()


def test_a_fine_is_paid_by_the_code_of_its_notice(phone, people, check_accessible, shot):
    place = car_park(people, "Notice Garage", here(23.6621, 114.1556))
    fine = people.operator.post("/v1/admin/fines", {
        "plate": f"N{people.number()[-6:]}", "carParkId": place["id"], "amount": 4_000, "reason": "Across two spaces."})
    desk = phone("operator", people.operator, width=1280, height=900)
    open_at(desk, f"/car-parks/fines/{fine['id']}")
    desk.get_by_role("button", name="Print notice").click()
    notice = desk.get_by_role("dialog", name="Parking fine")
    address = notice.get_by_role("img").get_attribute("aria-label")
    assert address.endswith(f"/pay/{fine['reference']}")
    expect(notice.get_by_text("HK$40.00")).to_be_visible()
    check_accessible(desk, "notice of a fine")
    shot(desk, "desk-fine-notice")

    page = opened(phone, f"/pay/{fine['reference']}")
    page.get_by_role("button", name="Show the price").click()
    expect(page.get_by_text("Notice Garage")).to_be_visible()
    expect(page.get_by_text(fine["plate"])).to_have_count(0)
    fill_card(page)
    check_accessible(page, "price of a fine")
    page.get_by_role("button", name="Pay HK$40.00").click()
    expect(page.get_by_text("The fine is paid.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\d{4}-\d{6}$"))).to_be_visible()
    assert people.operator.get(f"/v1/fines/{fine['id']}")["status"] == "paid"


def test_a_line_of_a_tariff_says_what_is_counted(phone, people, check_accessible, shot):
    place = car_park(people, "Lines Garage", here(23.6531, 114.1556))
    band = {"from": "00:00", "until": "24:00", "price": 1_000, "unitMinutes": 60}
    rates = [{"classes": ["general"], "bands": [band], "dailyMaximum": 3_000}]
    people.operator.put(f"/v1/admin/car-parks/{place['id']}/tariff", {"rates": rates})
    gate = people.operator.post("/v1/admin/gates", {"carParkId": place["id"], "name": "North"})
    plate = f"G{people.number()[-6:]}"
    # A stay has the tariff of the time at which it began.
    entry = passes(people, gate, "in", plate)
    page = opened(phone, f"/pay/{entry['code']}")
    page.get_by_role("button", name="Show the price").click()
    lines = page.locator(".guest-lines > div")
    expect(lines).to_have_count(1)
    expect(lines).to_contain_text("1 hour × HK$10.00")
    fill_card(page)
    check_accessible(page, "lines of a price")
    shot(page, "pay-lines")
    page.get_by_role("button", name="Pay HK$10.00").click()
    expect(page.get_by_role("heading", name="Paid. Thank you!")).to_be_visible()
    assert passes(people, gate, "out", plate)["reason"] == "paid"


def test_the_page_speaks_chinese_and_fits_a_small_phone(phone, people, check_accessible):
    page = opened(phone, "/pay", language="zh-HK", width=320)
    expect(page.get_by_role("heading", name="繳付泊車費")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_accessible(page, "small, in Chinese")
