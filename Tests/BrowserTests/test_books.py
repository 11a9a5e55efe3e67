"""The bookkeeper's screens: payments are searched, a day is closed, statements, sums and balances are read and saved."""

from __future__ import annotations

import re
from typing import Iterator

import pytest
from conftest import open_at
from playwright.sync_api import Page, expect
from system import System

from test_operator import DESK, paid
from test_receipts import fact


@pytest.fixture(scope="session")
def system(tmp_path_factory) -> Iterator[System]:
    """One of its own: closing a day is about everything that was paid."""
    system = System(tmp_path_factory.mktemp("books"))
    yield system
    system.stop()


def test_a_payment_is_found_and_the_day_is_closed_and_saved(people, phone, check_accessible, shot):
    customer, _, order = paid(people, "Nora")
    page: Page = phone("operator", people.operator, **DESK)
    open_at(page, "/payments")
    row = page.get_by_role("row", name=order["ticket"])
    expect(row).to_contain_text("Nora")
    search = page.get_by_label("Search")
    search.fill("nobody has this")
    expect(page.get_by_text("No matches")).to_be_visible()
    check_accessible(page, "no payment found")
    search.fill(order["ticket"])
    expect(row).to_be_visible()
    shot(page, "books-payments")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV").click()
    text = saved.value.path().read_text(encoding="utf-8-sig")
    assert order["ticket"] in text and "Nora" in text

    open_at(page, "/books/days")
    expect(page.get_by_role("heading", name="Daily closing")).to_be_visible()
    check_accessible(page, "days")
    shot(page, "books-days")
    page.get_by_role("table").get_by_role("link").first.click()
    expect(page.get_by_text("This day is open")).to_be_visible()
    page.get_by_role("button", name="Close day").click()
    dialog = page.locator("dialog").first
    expect(dialog).to_contain_text("This day is not over")
    dialog.get_by_label("Note").fill("All agrees")
    check_accessible(page, "closing a day")
    dialog.get_by_role("button", name="Close day").click()
    expect(page.get_by_text("These numbers are final")).to_be_visible()
    expect(page.get_by_text("All agrees")).to_be_visible()
    check_accessible(page, "closed day")
    shot(page, "books-day")

    open_at(page, "/books/days")
    page.get_by_role("link", name=re.compile(r"^Statement \w+ \d{4}$")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"^Statement \w+ \d{4}$"))
    fact(page, "Payments received", re.compile(r"^HK\$\d+\.\d\d \(1\)$"))
    check_accessible(page, "statement")
    shot(page, "books-statement")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save printable page").click()
    assert re.fullmatch(r"statement-\d{4}-\d\d\.html", saved.value.suggested_filename)
    text = saved.value.path().read_text(encoding="utf-8")
    assert "<h1>Monthly statement" in text and "Payments received" in text and "HK$" in text

    open_at(page, "/books/receipts")
    receipt = page.get_by_role("row", name=order["ticket"]).get_by_role("link")
    expect(receipt).to_have_text(re.compile(r"^Receipt \d{4}-\d{6}$"))
    check_accessible(page, "receipts")
    shot(page, "books-receipts")
    receipt.click()
    expect(page.get_by_text("Nora").first).to_be_visible()
    expect(page.get_by_text("Total paid")).to_be_visible()
    check_accessible(page, "a receipt")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    assert "Nora" in saved.value.path().read_text(encoding="utf-8")

    open_at(page, "/books/balances")
    expect(page.get_by_role("heading", name="Balances", exact=True)).to_be_visible()
    check_accessible(page, "balances")
    open_at(page, "/books")
    expect(page.get_by_text("Payment provider").first).to_be_visible()
    check_accessible(page, "books")
    shot(page, "books")
