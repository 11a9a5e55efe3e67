"""The operator's desk: drawers, cash for a stay, the end of a stay, a gate that opens once."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from conftest import open_at
from test_park import heading, tap
from test_park_desk import desk, fill
from test_pay_page import parked, passes

__all__ = ["desk"]


def payment_at_the_end(page: Page, plate: str, amount: str, reason: str) -> Locator:
    """Ends a stay that is paid at the desk now; returns the sheet of the payment, by terminal."""
    page.get_by_role("button", name=f"End the stay of {plate}").click()
    sheet = page.get_by_role("dialog", name=f"End the stay of {plate}")
    expect(sheet.get_by_role("radio", name="Pay at the desk now")).to_be_checked()
    sheet.get_by_label("Reason").fill(reason)
    sheet.get_by_role("button", name="End stay", exact=True).click()
    payment = page.get_by_role("dialog", name=f"Record a payment for {plate}")
    expect(payment).to_contain_text(amount)
    payment.get_by_role("radio", name="Card terminal").check(force=True)
    return payment


def test_a_drawer_is_opened_filled_and_counted(desk, people, check_accessible, shot):
    place, gate, plate, _, _ = parked(people, "Cash Garage", 23.6621)
    for drawer in people.operator.get("/v1/me/drawers")["items"]:
        if not drawer["closedAt"]:
            people.operator.post(f"/v1/drawers/{drawer['id']}/close", {"counted": drawer["expected"]})
    page = desk("/cash")
    heading(page, "Cash drawers")
    page.get_by_role("button", name="Open a drawer").first.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name").fill("Front desk")
    check_accessible(page, "open a drawer")
    sheet.get_by_role("button", name="Open a drawer").click()
    row = page.get_by_role("row", name=re.compile("^Front desk")).first
    expect(row).to_contain_text("You")

    page.goto(f"/operator#/car-parks/stays?carPark={place['id']}")
    page.get_by_role("button", name=f"Record a payment for {plate}").click()
    expect(sheet).to_contain_text("HK$50.00")
    sheet.get_by_label(re.compile("Cash given")).fill("100")
    expect(sheet.get_by_role("status")).to_contain_text("Change to give: HK$50.00")
    check_accessible(page, "cash")
    shot(page, "desk-cash")
    sheet.get_by_role("button", name="Record payment").click()
    expect(sheet).to_contain_text("HK$50.00 recorded.")
    tap(page, "Done")
    assert passes(people, gate, "out", plate)["reason"] == "paid"

    page.goto("/operator#/cash")
    expect(row).to_contain_text("HK$50.00")
    row.get_by_role("button", name="Count and close").click()
    fill(page, **{"counted.HKD": "49.00"})
    check_accessible(page, "count")
    sheet.get_by_role("button", name="Count and close").click()
    expect(row).to_contain_text("-HK$1.00")
    check_accessible(page, "drawers")
    shot(page, "desk-drawers")


def test_the_end_of_a_stay_asks_what_becomes_of_the_money(desk, people, check_accessible):
    place, gate, plate, _, _ = parked(people, "End Garage", 23.6721)
    page = desk(f"/car-parks/stays?carPark={place['id']}")
    page.get_by_role("button", name=f"End the stay of {plate}").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("HK$50.00 is due.")
    sheet.get_by_role("radio", name="Bill later").check(force=True)
    sheet.get_by_label("Reason").fill("barrier is stuck")
    check_accessible(page, "end a stay")
    sheet.get_by_role("button", name="End stay", exact=True).click()
    expect(sheet).to_have_count(0)
    answer = passes(people, gate, "out", plate)
    assert answer["open"] and answer["due"]["amount"] == 5_000


def test_a_stay_is_written_off_as_it_ends(desk, people):
    place, gate, plate, _, _ = parked(people, "Lost Garage", 23.6741)
    page = desk(f"/car-parks/stays?carPark={place['id']}")
    page.get_by_role("button", name=f"End the stay of {plate}").click()
    sheet = page.get_by_role("dialog", name=f"End the stay of {plate}")
    sheet.get_by_role("radio", name="Write off").check(force=True)
    sheet.get_by_label("Reason").fill(f"{plate} was towed away")
    sheet.get_by_role("button", name="End stay", exact=True).click()
    expect(page.get_by_text(f"The stay of {plate} has ended.")).to_be_visible()
    expect(sheet).to_have_count(0)
    [stay] = people.operator.get(f"/v1/admin/parking-sessions?carParkId={place['id']}&state=ended")["items"]
    assert stay["leftAt"] and not stay.get("due")
    answer = passes(people, gate, "out", plate)
    assert answer["open"] and not answer.get("due")
    open_at(page, "/audit")
    expect(page.get_by_role("row").filter(has_text="Stay ended").filter(has_text=f"{plate} was towed away (written off: HK$50.00)")).to_be_visible()


def test_a_stay_is_paid_at_the_desk_as_it_ends(desk, people, check_accessible, shot):
    place, gate, plate, _, _ = parked(people, "Settled Garage", 23.6731)
    page = desk(f"/car-parks/stays?carPark={place['id']}")
    payment = payment_at_the_end(page, plate, "HK$50.00", "ticket is unreadable")
    check_accessible(page, "payment at the end of a stay")
    payment.get_by_role("button", name="Record payment").click()
    expect(payment).to_contain_text("HK$50.00 recorded.")
    shot(page, "desk-end-paid")
    tap(page, "Done")
    expect(page.get_by_text(f"The stay of {plate} has ended.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    answer = passes(people, gate, "out", plate)
    assert answer["open"] and not answer.get("due")


def test_a_gate_is_opened_once(desk, people, check_accessible, shot):
    place, gate, plate, _, _ = parked(people, "Gate Garage", 23.6821)
    assert passes(people, gate, "out", plate)["reason"] == "paymentDue"
    page = desk(f"/car-parks/{place['id']}")
    page.get_by_role("button", name="Open the gate North once").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Reason").fill("ticket is lost")
    check_accessible(page, "open a gate")
    sheet.get_by_role("button", name="Open once", exact=True).click()
    expect(sheet).to_have_count(0)
    assert passes(people, gate, "out", plate)["reason"] == "opened"
    tap(page, "Payment QR code")
    expect(sheet.get_by_role("img")).to_be_visible()
    expect(sheet).to_contain_text(f"/pay?carPark={place['id']}")
    check_accessible(page, "QR code")
    shot(page, "desk-qr")


def test_a_lost_ticket_is_paid_at_the_desk(desk, people, check_accessible, shot):
    place, gate, _, _, _ = parked(people, "Ticket Garage", 23.6921)
    band = {"from": "00:00", "until": "24:00", "price": 1_000, "unitMinutes": 60}
    people.operator.put(f"/v1/admin/car-parks/{place['id']}/tariff", {"rates": [{"classes": ["general"], "bands": [band]}], "lostTicketPrice": 30_000})
    plate = f"L{people.number()[-6:]}"
    page = desk(f"/car-parks/{place['id']}")
    tap(page, "Lost ticket")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("A lost ticket costs HK$300.00.")
    check_accessible(page, "lost ticket")
    sheet.get_by_role("textbox", name="Plate").fill(plate)
    sheet.get_by_role("button", name="Record payment").click()
    sheet.get_by_role("radio", name="Card terminal").check(force=True)
    shot(page, "desk-lost-ticket")
    sheet.get_by_role("button", name="Record payment").click()
    expect(sheet).to_contain_text("HK$300.00 recorded.")
    tap(page, "Done")
    assert passes(people, gate, "out", plate)["reason"] == "paid"
