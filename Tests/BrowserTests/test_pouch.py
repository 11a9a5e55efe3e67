"""A valet's pouch: opened with change, filled by customers who pay in cash, and counted when it is handed in."""

from __future__ import annotations

import re
from contextlib import suppress

from playwright.sync_api import expect

from api import Refused, eventually
from conftest import check_fits, open_at
from test_customer import NEARBY, returned_order


def test_a_valet_opens_and_counts_their_pouch(phone, people, check_accessible, shot):
    vic = people.valet("Vic")
    page = phone("valet", vic)
    open_at(page, "/earnings")
    pouch = page.get_by_role("region", name="Pouch")
    expect(pouch).to_contain_text("Open your pouch before you take cash.")
    pouch.get_by_role("button", name="Open pouch").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label(re.compile("Float")).fill("many")
    sheet.get_by_role("button", name="Open pouch").click()
    expect(sheet).to_contain_text("Enter an amount")
    sheet.get_by_label(re.compile("Float")).fill("100")
    check_accessible(page, "open a pouch")
    sheet.get_by_role("button", name="Open pouch").click()
    expect(pouch).to_contain_text("100.00")
    check_accessible(page, "a pouch")
    check_fits(page, "a pouch")
    shot(page, "valet-pouch")

    pouch.get_by_role("button", name="Count and close").click()
    sheet.get_by_role("button", name="Count and close").click()
    expect(sheet).to_contain_text("Enter an amount")
    sheet.get_by_label(re.compile("^Counted")).fill("99,50")
    check_accessible(page, "count a pouch")
    sheet.get_by_role("button", name="Count and close").click()
    expect(page.get_by_text(re.compile("Pouch closed. Difference: .*0.50"))).to_be_visible()
    expect(pouch.get_by_role("button", name="Open pouch")).to_be_visible()
    counted = vic.get("/v1/me/drawers")["items"][0]
    assert [one["amount"] for one in counted["differences"]] == [-50]


def test_a_customer_pays_the_valet_in_cash(phone, people, check_accessible, shot):
    ada, vic = people.customer("Ada", card=None), people.valet("Vic", at=NEARBY)
    order = returned_order(ada, vic)

    def is_due() -> bool:
        with suppress(Refused):
            return ada.get(f"/v1/bills/{order['id']}")["status"] == "due"
        return False
    eventually(is_due, "a bill that is due")
    page = phone("valet", vic)

    def early(route) -> None:
        """The bill as payments tells it before it has heard of the charge."""
        bill = route.fetch().json()
        for total in (bill["total"], bill["totalWithTax"]):
            total["amount"] = 0
        route.fulfill(json=bill)
    page.route(f"**/v1/orders/{order['id']}/bill", early, times=1)
    open_at(page, f"/orders/{order['id']}")
    page.get_by_role("heading", name="Handed back", level=1).wait_for()
    page.get_by_role("button", name="Record payment").click()
    sheet = page.get_by_role("dialog", name=f"Payment for {order['ticket']}")
    expect(sheet).to_contain_text("To pay: HK$80.00")
    sheet.get_by_label(re.compile("^Cash given")).fill("50")
    sheet.get_by_role("button", name="Record payment").click()
    expect(sheet).to_contain_text("That is less than the amount due.")
    sheet.get_by_label(re.compile("^Cash given")).fill("100")
    check_accessible(page, "cash")
    shot(page, "valet-cash")
    sheet.get_by_role("button", name="Record payment").click()
    expect(sheet).to_contain_text("HK$80.00 recorded.")
    expect(sheet).to_contain_text("Change to give: HK$20.00")
    check_accessible(page, "change")
    sheet.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Record payment")).to_have_count(0)
    assert ada.get(f"/v1/bills/{order['id']}")["status"] == "paid"

    open_at(page, "/earnings")
    expect(page.get_by_role("region", name="Pouch")).to_contain_text("HK$80.00")
    [pouch] = vic.get("/v1/me/drawers")["items"]
    assert [one["amount"] for one in pouch["expected"]] == [8_000]
