"""A valet's pouch: opened with change, and counted by the valet when it is handed in."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from conftest import check_fits, open_at


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
