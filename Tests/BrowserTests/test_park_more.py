"""Around bookings: prices that changed, points, fines, stays, alerts, and car parks of which little is known."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Page, expect

from api import Person, eventually
from conftest import focus_by_tab, is_wider_than_window, open_at, refuse
from test_park import ZONE, booking, car_park, driver, heading, in_days, picture_of, set_start, tap
from town import here

SMALL = {"width": 360, "height": 740}
DESK = {"width": 1440, "height": 900, "geolocation": False}


def prove(people, customer: Person) -> str:
    """An operator confirms that the customer has the vehicle. Returns its plate."""
    vehicle = customer.get("/v1/me/vehicles")["items"][0]
    people.operator.put(f"/v1/admin/plate-proofs/{vehicle['id']}", None)
    return vehicle["plate"]


def becomes_dearer(people, place: dict[str, Any], price: int) -> None:
    """The operator gives its first product another price."""
    product = place["products"][0]
    body = {name: product[name] for name in ("name", "kind", "classes", "minQuantity", "maxQuantity", "isOffered")}
    people.operator.put(f"/v1/admin/car-parks/{place['id']}/products/{product['id']}", {**body, "price": price})


def gate_of(people, place: dict[str, Any]):
    """Lets vehicles in and out: `gate("in", plate)`."""
    made = people.operator.post("/v1/admin/gates", {"carParkId": place["id"], "name": "North"})
    return lambda direction, plate, ago=0: people.operator.call(
        "POST", f"/v1/gates/{made['id']}/passages",
        {"direction": direction, "plate": plate, "at": (datetime.now(UTC) - timedelta(minutes=ago)).isoformat()}, headers={"gate-token": made["token"]})


def fine(people, customer: Person, place: dict[str, Any]) -> dict[str, Any]:
    """For the customer's vehicle, which is proven to be theirs."""
    issued = people.operator.post("/v1/admin/fines", {
        "plate": prove(people, customer), "carParkId": place["id"], "amount": 4_000, "reason": "Across two spaces."})
    eventually(lambda: customer.get("/v1/me/fines")["items"], "a fine of one's own")
    return issued


def test_a_price_that_changed_is_shown_and_agreed_to_again(phone, people, check_accessible):
    place, customer = car_park(people, "Dear Garage", here(22.11, 114.21)), driver(people)
    page = phone("customer", customer, **SMALL)
    open_at(page, f"/park/{place['id']}/when")
    set_start(page, in_days(3))
    expect(page.locator(".total")).to_have_text("TotalHK$25.00")
    tap(page, "Next")
    expect(page.locator(".total")).to_have_text("TotalHK$25.00")
    becomes_dearer(people, place, 3_000)
    tap(page, "Continue to payment")
    expect(page.get_by_text("The price has changed.")).to_be_visible()
    expect(page.locator(".total")).to_have_text("TotalHK$30.00")
    check_accessible(page, "another price")
    assert customer.get("/v1/bookings")["items"] == []
    tap(page, "Continue to payment")
    expect(page.get_by_role("button", name="Pay HK$30.00")).to_be_visible()
    [held] = customer.get("/v1/bookings")["items"]
    assert held["total"]["amount"] == 3_000


def test_a_change_is_made_for_the_difference_that_was_shown(phone, people):
    place, customer = car_park(people, "Change Garage", here(22.12, 114.21)), driver(people)
    booked = booking(customer, place, in_days(3), quantity=1)
    page = phone("customer", customer)
    open_at(page, f"/bookings/{booked['id']}/change")
    page.get_by_label("Hours", exact=True).fill("2")
    page.get_by_label("Hours", exact=True).blur()
    expect(page.get_by_text("You pay HK$25.00 more.")).to_be_visible()
    pattern = f"**/v1/bookings/{booked['id']}"
    refuse(page, pattern, 409, "booking.price_changed")
    tap(page, "Pay HK$25.00 and save")
    expect(page.get_by_text("The price has changed.")).to_be_visible()
    page.context.unroute(pattern)
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        tap(page, "Pay HK$25.00 and save")
    assert sent.value.post_data_json["difference"] == 2_500
    expect(page.get_by_text("Hour · 2 hours")).to_be_visible()


def test_points_are_listed_and_pay_a_part_of_the_next_booking(phone, people, check_accessible):
    place, customer = car_park(people, "Points Garage", here(22.13, 114.21)), driver(people)
    page = phone("customer", customer, **SMALL)
    open_at(page, "/bookings")
    page.get_by_role("link", name="Points").click()
    expect(page.get_by_text("No points yet")).to_be_visible()
    check_accessible(page, "no points")
    booking(customer, place, in_days(3), quantity=10)
    eventually(lambda: customer.get("/v1/me/loyalty")["points"] == 150, "points")
    page.reload()
    expect(page.locator(".total")).to_have_text("My points150")
    expect(page.get_by_text("Earned")).to_be_visible()
    check_accessible(page, "points")
    assert not is_wider_than_window(page)

    open_at(page, f"/park/{place['id']}/when")
    set_start(page, in_days(5))
    tap(page, "Next")
    toggle = page.get_by_role("switch", name="Pay with 150 points")
    focus_by_tab(page, toggle)
    page.keyboard.press("Space")
    expect(page.locator(".total")).to_have_text("TotalHK$23.50")
    check_accessible(page, "paid with points")
    tap(page, "Continue to payment")
    page.get_by_role("button", name="Pay HK$23.50").click()
    expect(page.get_by_text(re.compile(r"You’re booked \("))).to_be_visible()
    assert "redeemed" in [entry["kind"] for entry in customer.get("/v1/me/loyalty")["entries"]]


def test_a_press_on_pay_counts_where_the_screen_fills_meanwhile(phone, people):
    place, customer = car_park(people, "Patient Garage", here(22.135, 114.21)), driver(people)
    page, late = phone("customer", customer, **SMALL), []
    page.context.route("**/v1/payment-provider", lambda route: late.append(route))
    open_at(page, f"/park/{place['id']}/when")
    set_start(page, in_days(3))
    tap(page, "Next")
    with page.expect_request("**/v1/payment-provider"):
        tap(page, "Continue to payment")
    pay = page.get_by_role("button", name="Pay HK$25.00")
    expect(pay).not_to_have_attribute("aria-disabled", "true")
    box = pay.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for route in late:
        route.continue_()
    expect(page.get_by_text("Add a card")).to_be_visible()
    page.mouse.up()
    expect(page.get_by_text(re.compile(r"You’re booked \("))).to_be_visible()


def test_a_fine_is_issued_with_a_picture_appealed_against_and_paid(phone, people, check_accessible, shot):
    place, customer = car_park(people, "Strict Garage", here(22.14, 114.21)), driver(people)
    plate = prove(people, customer)
    page, desk = phone("customer", customer, **SMALL), phone("operator", people.operator, **DESK)
    open_at(page, "/fines")
    expect(page.get_by_text("No fines")).to_be_visible()
    check_accessible(page, "no fines")
    open_at(desk, "/car-parks/fines")
    check_accessible(desk, "fines of operators")
    tap(desk, "Issue a fine")
    dialog = desk.get_by_role("dialog", name="Issue a fine")
    dialog.get_by_label("Plate").fill(plate.lower())
    dialog.get_by_label("Car park").select_option(place["id"])
    dialog.get_by_label("Reason").fill("Across two spaces.")
    dialog.get_by_role("button", name="Issue a fine").click()
    expect(dialog.get_by_label("Amount")).to_be_focused()
    dialog.get_by_label("Amount").fill("40")
    check_accessible(desk, "issue a fine")
    dialog.get_by_role("button", name="Issue a fine").click()
    expect(desk.get_by_text("No pictures.")).to_be_visible()
    desk.locator("input[type=file]").set_input_files(picture_of("teal"))
    expect(desk.get_by_role("img", name="Picture 1")).to_be_visible()
    check_accessible(desk, "a fine of operators")
    shot(desk, "desk-fine")

    eventually(lambda: customer.get("/v1/me/fines")["items"], "a fine of one's own")
    page.reload()
    page.get_by_role("link", name=re.compile("Strict Garage")).click()
    expect(page.get_by_text("Across two spaces.")).to_be_visible()
    expect(page.get_by_role("button", name="Picture 1")).to_be_visible()
    page.get_by_text("Appeal", exact=True).click()
    page.get_by_label("Why is it wrong?").fill("The lines were not painted.")
    check_accessible(page, "appeal")
    tap(page, "Send appeal")
    expect(page.get_by_text("You don’t need to pay until we’ve decided.")).to_be_visible()
    page.locator("input[type=file]").set_input_files(picture_of("teal"))
    expect(page.get_by_role("list", name="Pictures of the appeal").get_by_role("button")).to_have_count(1)
    check_accessible(page, "appealed")
    assert not is_wider_than_window(page)
    shot(page, "park-fine")

    open_at(desk, "/car-parks/fines")
    desk.get_by_label("State").select_option("appealed")
    desk.get_by_role("row", name=re.compile(plate)).get_by_role("link").first.click()
    expect(desk.get_by_text("The lines were not painted.")).to_be_visible()
    tap(desk, "Uphold the fine")
    dialog = desk.get_by_role("dialog", name="Uphold the fine")
    dialog.get_by_label("Reason").fill("They were.")
    check_accessible(desk, "decide")
    dialog.get_by_role("button", name="Uphold the fine").click()
    expect(desk.locator(".badge").first).to_have_text("Upheld")

    page.reload()
    expect(page.get_by_text("They were.")).to_be_visible()
    page.get_by_role("button", name="Pay HK$40.00").click()
    expect(page.locator(".badge").first).to_have_text("Paid")
    assert customer.get("/v1/me/fines")["items"][0]["status"] == "paid"


def test_a_fine_that_was_paid_is_cancelled_by_an_operator(phone, people):
    place, customer = car_park(people, "Mild Garage", here(22.15, 114.21)), driver(people)
    issued = fine(people, customer, place)
    eventually(lambda: customer.post(f"/v1/fines/{issued['id']}/pay", {"token": "pm_card_visa"})["fine"]["status"] == "paid", "a paid fine")
    desk = phone("operator", people.operator, **DESK)
    open_at(desk, f"/car-parks/fines/{issued['id']}")
    tap(desk, "Cancel the fine")
    dialog = desk.get_by_role("dialog", name="Cancel the fine")
    expect(dialog).to_contain_text("We’ll refund it.")
    dialog.get_by_label("Reason").fill("Our mistake.")
    dialog.get_by_role("button", name="Cancel the fine").click()
    expect(desk.locator(".badge").first).to_have_text("Cancelled")


def test_payments_for_parking_lead_to_the_booking_and_the_fine(phone, people):
    place, customer = car_park(people, "Paid Garage", here(22.16, 114.21)), driver(people)
    booked, issued = booking(customer, place, in_days(3)), fine(people, customer, place)
    customer.post(f"/v1/fines/{issued['id']}/pay", {"token": "pm_card_visa"})
    desk = phone("operator", people.operator, **DESK)
    open_at(desk, "/payments")
    expect(desk.get_by_role("link", name=issued["reference"])).to_have_attribute("href", f"#/car-parks/fines/{issued['id']}")
    desk.get_by_role("link", name=booked["reference"]).click()
    heading(desk, booked["reference"])


def test_who_drives_up_sees_what_is_due_and_pays_it(phone, people, check_accessible):
    place, customer = car_park(people, "Drive-up Garage", here(22.17, 114.21)), driver(people)
    plate, gate = prove(people, customer), gate_of(people, place)
    page = phone("customer", customer, **SMALL)
    open_at(page, "/stays")
    expect(page.get_by_text("No stays yet")).to_be_visible()
    check_accessible(page, "no stays")

    def is_known() -> bool:
        gate("in", plate, ago=30)
        return bool(customer.get("/v1/me/parking-sessions")["items"])
    eventually(is_known, "a stay")
    page.reload()
    pay = page.get_by_role("button", name="Pay HK$25.00")
    expect(pay).to_be_visible()
    expect(page.get_by_text("We charge the price so far to your card.")).to_be_visible()
    assert gate("out", plate)["reason"] == "paymentDue"
    page.reload()
    check_accessible(page, "due")
    focus_by_tab(page, pay)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Paid: HK$25.00. Thank you!")).to_be_visible()
    assert not is_wider_than_window(page)
    assert gate("out", plate)["open"]
    page.reload()
    expect(page.locator(".badge").first).to_have_text("Paid")
    page.get_by_role("link", name="Receipt", exact=True).click()
    expect(page.get_by_text("HK$25.00").first).to_be_visible()


def test_what_a_day_may_cost_is_set_in_the_profile(phone, people, check_accessible):
    customer = driver(people)
    page = phone("customer", customer, **SMALL)
    open_at(page, "/profile")
    card = page.locator("section").filter(has=page.get_by_role("heading", name="My parking spending"))
    card.get_by_label("Daily limit").fill("0")
    card.get_by_label("Currency").fill("HKD")
    card.get_by_role("button", name="Save").click()
    expect(card.get_by_text("Enter an amount above zero.")).to_be_visible()
    card.get_by_label("Daily limit").fill("80")
    card.get_by_role("button", name="Save").click()
    expect(card.get_by_text("We’ll alert you above HK$80.00 a day.")).to_be_visible()
    check_accessible(page, "spending")
    assert customer.get("/v1/me/spending-alert")["perDay"] == {"amount": 8_000, "currency": "HKD"}
    card.get_by_role("button", name="Don’t alert me").click()
    expect(card.get_by_role("status")).to_have_count(0)
    eventually(lambda: customer.get("/v1/me/spending-alert")["perDay"] is None, "no alert")


def test_who_says_yes_to_paying_at_the_exit_does_so_in_the_profile(phone, people, check_accessible, shot):
    customer = driver(people)
    page = phone("customer", customer, **SMALL)
    open_at(page, "/profile")
    card = page.locator("section").filter(has=page.get_by_role("heading", name="Pay automatically at the exit"))
    [method] = customer.get("/v1/me/payment-methods")["items"]
    expect(card.get_by_label("Pay with")).to_have_value("")
    card.get_by_label("Pay with").select_option(method["id"])
    expect(page.locator(".toast").filter(has_text="Saved")).to_be_visible()
    check_accessible(page, "pay at the exit")
    shot(page, "customer-auto-pay")
    assert customer.get("/v1/me/auto-pay") == {"paymentMethodId": method["id"]}
    page.reload()
    expect(card.get_by_label("Pay with")).to_have_value(method["id"])
    card.get_by_label("Pay with").select_option("")
    eventually(lambda: customer.get("/v1/me/auto-pay")["paymentMethodId"] is None, "no payment by itself")
    customer.call("DELETE", f"/v1/me/payment-methods/{method['id']}")
    page.reload()
    expect(card.get_by_role("link", name="Payment cards")).to_be_visible()


def test_who_watches_a_full_car_park_is_told(phone, people, check_accessible):
    place, customer = car_park(people, "Full Garage", here(22.18, 114.21)), driver(people)
    occupancy = f"/v1/admin/car-parks/{place['id']}/occupancy"
    people.operator.put(occupancy, {"free": {"general": 0}})
    page = phone("customer", customer, **SMALL)
    open_at(page, f"/park/{place['id']}")
    tap(page, "Alert me when a space is free: General")
    expect(page.get_by_role("button", name="Stop alerts: General")).to_have_attribute("aria-pressed", "true")
    check_accessible(page, "watched")
    people.operator.put(occupancy, {"free": {"general": 3}})
    expect(page.locator(".toast").filter(has_text="Full Garage has a free space now.")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("General"))).to_have_count(0)


def test_what_is_not_known_of_an_imported_car_park_is_said(phone, people, check_accessible):
    at = here(22.19, 114.21)
    feature = {"type": "Feature", "id": "n1", "geometry": {"type": "Point", "coordinates": [at[1], at[0]]},
               "properties": {"amenity": "parking", "name": "Old Yard", "opening_hours": "ask the guard"}}
    people.operator.post("/v1/admin/car-parks/imports", {"type": "FeatureCollection", "features": [feature], "timeZone": ZONE, "currency": "HKD"})
    page = phone("customer", driver(people), at=at, **SMALL)
    open_at(page, "/park")
    link = page.get_by_role("link", name=re.compile("Old Yard"))
    expect(link).to_contain_text("Spaces not reported")
    link.click()
    expect(page.get_by_text("Spaces not reported")).to_be_visible()
    expect(page.get_by_text("ask the guard")).to_be_visible()
    expect(page.get_by_text("We can’t tell whether it’s open now")).to_be_visible()
    check_accessible(page, "little is known")


def test_the_screens_in_chinese_and_as_last_known_without_a_network(phone, people, check_accessible):
    place, customer = car_park(people, "星光停車場", here(22.20, 114.21)), driver(people, "嘉文", "黃", language="zh-Hant")
    issued = fine(people, customer, place)
    page: Page = phone("customer", customer, language="zh-HK", **SMALL)
    screens = {"/fines": "罰款", f"/fines/{issued['id']}": "罰款", "/stays": "我的停泊", "/points": "積分"}
    for path, title in screens.items():
        open_at(page, path)
        heading(page, title)
        expect(page.locator(".skeleton")).to_have_count(0)
        assert not is_wider_than_window(page), path
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to fetch"]
    page.context.set_offline(True)
    open_at(page, "/fines")
    expect(page.get_by_role("link", name=re.compile("星光停車場"))).to_be_visible()
    check_accessible(page, "fines offline")
    page.context.set_offline(False)
