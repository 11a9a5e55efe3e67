"""Car parks at the operator's desk: made, priced, counted, closed and looked at."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Any

import pytest
from conftest import is_wider_than_window, keep_waiting, open_at
from playwright.sync_api import Page, expect

from test_park import booking, car_park, driver, heading, in_days, picture_of, tap
from town import here

DESK = {"width": 1440, "height": 900, "geolocation": False}


@pytest.fixture
def desk(phone, people):
    """The operator's app at a screen of car parks."""
    def sit(path: str = "/car-parks", **options: Any) -> Page:
        page = phone("operator", people.operator, **{**DESK, **options})
        open_at(page, path)
        return page
    return sit


def fill(page: Page, **values: str) -> None:
    for name, value in values.items():
        page.locator(f"[id='{name}']").fill(value)


def test_a_car_park_is_made_with_a_price_and_a_gate(desk, people, check_accessible, shot):
    page = desk()
    page.get_by_role("link", name="New car park").click()
    heading(page, "New car park")
    fill(page, name="Drury Street", address="Drury Street, Dublin", timeZone="Europe/Dublin", currency="EUR", openingHours="Mo-Fr 07:00-22:0")
    latitude, longitude = here(23.2425, 114.2635)
    fill(page, **{"position.latitude": str(latitude), "position.longitude": str(longitude), "capacity.general": "50", "bookable.general": "60"})
    page.get_by_role("checkbox", name="Covered").check(force=True)
    tap(page, "Add an entrance")
    expect(page.get_by_role("radio", name="Entrance 1")).to_be_checked()
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("#openingHours-error")).to_contain_text("can’t be read")
    expect(page.locator("#openingHours")).to_be_focused()
    check_accessible(page, "opening hours refused")
    shot(page, "desk-editor")
    fill(page, openingHours="Mo-Fr 07:00-22:00; Sa,Su 08:00-20:00")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("[id='bookable.general-error']")).to_be_visible()
    fill(page, **{"bookable.general": "40"})
    page.get_by_role("button", name="Save").first.click()
    heading(page, "Drury Street")
    expect(page.get_by_text("No prices yet, so nobody can book.")).to_be_visible()

    tap(page, "New price")
    fill(page, name="Day", price="15,00")
    page.locator("#kind").select_option("daily")
    check_accessible(page, "price")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    row = page.get_by_role("row", name=re.compile("^Day"))
    expect(row).to_contain_text("€15.00 a day")
    expect(row).to_contain_text("Version 1")
    row.get_by_role("button", name="Edit “Day”").click()
    expect(page.get_by_role("dialog")).to_contain_text("Saving creates version 2.")
    fill(page, price="18")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(row).to_contain_text("Version 2")

    tap(page, "Add a gate")
    fill(page, name="North")
    page.get_by_role("dialog").get_by_role("button", name="Add a gate").click()
    token = page.get_by_role("dialog", name="Token of North").get_by_label("Token", exact=True)
    first = token.input_value()
    assert len(first) >= 20
    check_accessible(page, "token")
    tap(page, "Done")
    page.get_by_role("button", name="New token for North").click()
    page.get_by_role("dialog").get_by_role("button", name="New token").click()
    expect(token).to_be_visible()
    assert token.input_value() != first
    tap(page, "Done")
    expect(token).to_have_count(0)
    check_accessible(page, "car park")
    shot(page, "desk-park")

    [made] = people.operator.get("/v1/car-parks?q=Drury")["items"]
    found = people.operator.get(f"/v1/car-parks/{made['id']}")
    assert found["bookable"] == {"general": 40} and found["features"] == ["covered"] and len(found["entrances"]) == 1
    assert found["openingHours"] == "Mo-Fr 07:00-22:00; Sa,Su 08:00-20:00" and found["products"][0]["price"] == 1_800
    tap(page, "Remove car park")
    page.get_by_role("dialog").get_by_role("button", name="Remove car park").click()
    heading(page, "Car parks")
    assert people.operator.get("/v1/car-parks?q=Drury")["items"] == []


def test_what_is_closed_at_the_desk_is_closed_in_the_customers_app(desk, phone, people):
    place = car_park(people, "Quay Garage", here(23.1321, 114.1556))
    page = desk(f"/car-parks/{place['id']}")
    customer = phone("customer", driver(people))
    open_at(customer, f"/park/{place['id']}")
    expect(customer.get_by_role("link", name="Book a space")).to_be_visible()
    tap(page, "Close car park")
    page.get_by_label("Reason").fill("flood")
    page.get_by_role("dialog").get_by_role("button", name="Close car park").click()
    expect(page.get_by_text("This car park is closed: flood")).to_be_visible()
    open_at(customer, "/park")
    open_at(customer, f"/park/{place['id']}")
    expect(customer.get_by_text("This car park is closed: flood")).to_be_visible()
    expect(customer.get_by_role("link", name="Book a space")).to_have_count(0)
    tap(page, "Open car park")
    expect(page.get_by_role("button", name="Close car park")).to_be_visible()
    open_at(customer, "/park")
    open_at(customer, f"/park/{place['id']}")
    expect(customer.get_by_role("link", name="Book a space")).to_be_visible()


def test_a_count_by_hand_is_what_customers_see(desk, people):
    place = car_park(people, "Counted Garage", here(23.3321, 114.1556))
    page = desk(f"/car-parks/{place['id']}")
    tap(page, "Set by hand")
    fill(page, **{"free.general": "many"})
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_contain_text("Enter a number.")
    fill(page, **{"free.general": "7"})
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("row", name=re.compile("^General"))).to_contain_text("by hand")
    [general] = [one for one in people.operator.get(f"/v1/car-parks/{place['id']}")["spaces"] if one["class"] == "general"]
    assert general["free"] == 7 and general["source"] == "operator"


def test_who_edits_is_told_that_somebody_else_was_faster(desk, people, check_accessible):
    place = car_park(people, "Shared Garage", here(23.4321, 114.1556))
    page = desk(f"/car-parks/{place['id']}/edit")
    page.locator("#name").fill("My Garage")
    body = {name: place[name] for name in ("name", "position", "timeZone", "currency", "capacity", "bookable")}
    people.operator.call("PUT", f"/v1/admin/car-parks/{place['id']}", {**body, "address": "2 Chater Road"}, headers={"if-match": "*"})
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text(re.compile("Differences:.*Name.*Address"))).to_be_visible()
    check_accessible(page, "conflict")
    tap(page, "Use their version")
    expect(page.locator("#name")).to_have_value("Shared Garage")
    expect(page.locator("#address")).to_have_value("2 Chater Road")
    page.locator("#name").fill("My Garage")
    page.get_by_role("button", name="Save").first.click()
    heading(page, "My Garage")


def test_bookings_are_found_by_car_park_plate_and_day(desk, people, check_accessible):
    place, other = car_park(people, "Lane Garage", here(23.5321, 114.1556)), car_park(people, "Hill Garage", here(23.5421, 114.1556))
    start = in_days(3)
    mine, far = booking(driver(people), place, start), booking(driver(people), other, in_days(8))
    page = desk(f"/car-parks/{place['id']}")
    page.get_by_role("link", name="Bookings").click()
    expect(page.get_by_role("link", name=mine["reference"])).to_be_visible()
    expect(page.get_by_role("link", name=far["reference"])).to_have_count(0)
    page.locator("#carParkId").select_option("")
    expect(page.get_by_role("link", name=far["reference"])).to_be_visible()
    page.locator("#day").fill(start.strftime("%Y-%m-%d"))
    page.locator("#day").blur()
    expect(page.get_by_role("link", name=far["reference"])).to_have_count(0)
    page.locator("#day").fill("")
    page.locator("#plate").fill(far["vehicles"][0]["plate"])
    page.locator("#plate").blur()
    expect(page.get_by_role("link", name=mine["reference"])).to_have_count(0)
    check_accessible(page, "bookings")
    page.get_by_role("link", name=far["reference"]).click()
    heading(page, far["reference"])
    expect(page.get_by_text("Hour · 2 hours")).to_be_visible()
    check_accessible(page, "booking")


def drives(people, gate: dict[str, Any], direction: str, plate: str) -> dict[str, Any]:
    """A vehicle at a gate, which says whether it opens."""
    return people.operator.call("POST", f"/v1/gates/{gate['id']}/passages", {"direction": direction, "plate": plate, "at": datetime.now(timezone.utc).isoformat()},
                                headers={"gate-token": gate["token"]})


def test_stays_are_found_by_car_park_plate_and_state(desk, people, check_accessible, shot):
    place = car_park(people, "Stay Garage", here(23.5521, 114.1556))
    gate = people.operator.post("/v1/admin/gates", {"carParkId": place["id"], "name": "North"})
    [stays, left] = [f"S {people.number()[-6:]}", f"L {people.number()[-6:]}"]
    for plate in (stays, left):
        assert drives(people, gate, "in", plate)["open"]
    assert drives(people, gate, "out", left)["open"]
    row = lambda plate: page.get_by_role("row", name=plate.replace(" ", ""))
    page = desk(f"/car-parks/{place['id']}")
    page.get_by_role("link", name="Stays").click()
    heading(page, "Stays")
    expect(row(stays)).to_contain_text("Without a booking")
    expect(row(stays)).to_contain_text("Stay Garage")
    expect(row(left)).to_have_count(0)
    page.get_by_role("radio", name="Left").check(force=True)
    expect(row(left)).to_be_visible()
    expect(row(stays)).to_have_count(0)
    page.get_by_role("radio", name="All").check(force=True)
    expect(row(stays)).to_be_visible()
    check_accessible(page, "stays")
    shot(page, "desk-stays")
    row(stays).get_by_role("button", name="End the stay").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="End stay", exact=True).click()
    expect(sheet.get_by_text("Enter a reason")).to_be_visible()
    check_accessible(page, "end a stay")
    sheet.get_by_label("Reason").fill("the gate was open")
    sheet.get_by_role("button", name="End stay", exact=True).click()
    expect(row(stays).get_by_role("button")).to_have_count(0)
    page.locator("#plate").fill(left)
    page.locator("#plate").blur()
    expect(row(stays)).to_have_count(0)
    page.locator("#plate").fill("NOBODY 1")
    page.locator("#plate").blur()
    expect(page.get_by_text("No matching stays")).to_be_visible()
    check_accessible(page, "no stays")
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch"]
    page.context.set_offline(True)
    page.locator("#plate").fill(stays)
    page.locator("#plate").blur()
    expect(page.get_by_role("alert")).to_contain_text("You’re offline.")
    let_go = keep_waiting(page, "**/v1/admin/parking-sessions?*")
    page.context.set_offline(False)
    tap(page, "Try again")
    let_go()
    expect(row(stays)).to_be_visible()


def test_a_report_says_what_a_day_brought(desk, people, check_accessible, shot):
    place = car_park(people, "Report Garage", here(23.6321, 114.1556))
    page = desk(f"/car-parks/{place['id']}/report")
    expect(page.get_by_text("Turnover")).to_be_visible()
    check_accessible(page, "report")
    shot(page, "desk-report")
    page.get_by_role("radio", name="31 days").check(force=True)
    expect(page.get_by_role("group", name="Vehicles inside")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_screens_in_chinese_on_a_small_phone(desk, people, check_accessible, shot, dark):
    place = car_park(people, "海濱停車場", here(23.7321 + dark / 10, 114.1556))
    booked = booking(driver(people), place, in_days(5))
    page = desk(language="zh-HK", width=360, height=740, dark=dark)
    screens = {"list": "/car-parks", "new": "/car-parks/new", "park": f"/car-parks/{place['id']}", "edit": f"/car-parks/{place['id']}/edit",
               "bookings": "/car-parks/bookings", "booking": f"/car-parks/bookings/{booked['id']}", "stays": "/car-parks/stays", "report": f"/car-parks/{place['id']}/report"}
    for name, path in screens.items():
        open_at(page, path)
        expect(page.locator(".page .panel, .page .table-box, .page .tile").first).to_be_visible()
        expect(page.locator(".skeleton")).to_have_count(0)
        if dark or name == "list":
            check_accessible(page, f"{name}, Chinese")
        assert not is_wider_than_window(page), name
        shot(page, f"desk-{name}-zh-{'dark' if dark else 'light'}")


def test_without_a_network_the_desk_says_so_and_tries_again(desk, people):
    place = car_park(people, "Away Garage", here(23.9321, 114.1556))
    page = desk()
    # It need not be on the first page of the list, which has everybody's.
    heading(page, "Car parks")
    expect(page.locator(".skeleton")).to_have_count(0)
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch"]
    page.context.set_offline(True)
    open_at(page, f"/car-parks/{place['id']}")
    expect(page.get_by_role("alert")).to_contain_text("You’re offline.")
    let_go = keep_waiting(page, f"**/v1/car-parks/{place['id']}")
    page.context.set_offline(False)
    tap(page, "Try again")
    let_go()
    heading(page, "Away Garage")


def photos_of(page: Page):
    return page.get_by_role("list", name="Pictures of the car park").locator("img")


def test_pictures_of_a_car_park_are_put_in_order_and_seen_by_customers(desk, phone, people, check_accessible, shot):
    place = car_park(people, "Picture Garage", here(22.3700, 114.1200))
    page = desk(f"/car-parks/{place['id']}")
    photos = photos_of(page)
    expect(page.get_by_text("No pictures. Customers see them")).to_be_visible()
    for number, colour in enumerate(("teal", "olive"), start=1):
        page.locator("input[type=file]").set_input_files(picture_of(colour))
        expect(photos).to_have_count(number)
    teal, olive = (photos.nth(i).get_attribute("src") for i in range(2))
    page.get_by_role("button", name="Show picture 2 first").click()
    expect(photos.first).to_have_attribute("src", olive)
    check_accessible(page, "pictures of a car park")
    shot(page, "desk-pictures")

    # People who are not signed in see them, too.
    page = phone("customer")
    page.goto(f"/#/park/{place['id']}")
    page.get_by_role("button", name="Picture 1 of Picture Garage").click()
    large = page.get_by_role("dialog").get_by_role("img", name="Picture 1 of Picture Garage")
    expect(large).to_have_attribute("src", olive)
    check_accessible(page, "a picture of a car park")
    shot(page, "park-picture")

    page = desk(f"/car-parks/{place['id']}")
    page.get_by_role("button", name="Remove picture 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove picture 1").click()
    expect(photos_of(page)).to_have_count(1)
    expect(photos_of(page)).to_have_attribute("src", teal)
