"""Receipts and credit notes: the company enters who it is, and customers find what they paid for, also in their mail."""

from __future__ import annotations

import re
from typing import Iterator

import pytest
from playwright.sync_api import Page, expect

from api import eventually, picture
from conftest import is_wider_than_window, open_at
from system import System
from test_account import email
from test_park import booking, car_park, driver, in_days
from town import here

DESK = {"width": 1440, "height": 900, "geolocation": False}


@pytest.fixture(scope="session")
def system(tmp_path_factory) -> Iterator[System]:
    """One of its own: the company of these tests would be everybody's."""
    system = System(tmp_path_factory.mktemp("receipts"))
    yield system
    system.stop()


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def tap(page: Page, name: str | re.Pattern[str]) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def fact(page: Page, name: str, value: str | re.Pattern[str]) -> None:
    """A row of a receipt or a booking."""
    row = page.locator("dt", has_text=re.compile(f"^{re.escape(name)}$")).locator("xpath=following-sibling::dd[1]")
    expect(row.first).to_have_text(value)


def test_an_operator_enters_the_company_its_logo_and_taxes(phone, people, check_accessible, shot):
    page = phone("operator", people.operator, **DESK)
    open_at(page, "/settings")
    page.get_by_role("link", name="Company").click()
    heading(page, "Company")
    expect(page.get_by_text("No company yet")).to_be_visible()
    tap(page, "Save")
    expect(page.get_by_text("Please fill this in.").first).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Harbour Parking Ltd")
    page.get_by_label("Address").fill("1 Connaught Place\nCentral")
    page.get_by_label("Country").select_option("HK")
    page.get_by_label("Time zone").select_option("Asia/Hong_Kong")
    page.get_by_label(re.compile("^Company number")).fill("HK 1234567")
    page.get_by_label(re.compile("^E-mail")).fill("help@harbour.example")
    page.get_by_label(re.compile("^Terms of business")).fill("Be kind.\n\nPay on time.")
    page.get_by_label(re.compile("^Privacy notice")).fill("https://harbour.example/privacy")
    preview = page.locator(".receipt")
    expect(preview).to_contain_text("Harbour Parking Ltd")
    expect(preview).to_contain_text("3 hours ×")
    tap(page, "Save")
    expect(page.get_by_role("cell", name="Harbour Parking Ltd")).to_be_visible()
    page.locator("input[type=file]").set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": picture()})
    expect(page.get_by_role("img", name="Logo")).to_be_visible()
    check_accessible(page, "company")
    shot(page, "operator-company")
    company = people.operator.get("/v1/company")
    assert company["terms"]["text"] == "Be kind.\n\nPay on time." and company["privacy"]["link"] == "https://harbour.example/privacy"

    open_at(page, "/settings/taxes")
    heading(page, "Taxes")
    expect(page.get_by_text("No rates yet")).to_be_visible()
    tap(page, "Add rate")
    page.get_by_label("Name of the tax").fill("VAT")
    page.get_by_label("Rate in %").fill("a fifth")
    tap(page, "Save")
    expect(page.get_by_text("Enter a number from 0 to 100")).to_be_visible()
    # The country of the company is proposed; the car parks of these tests stand there.
    expect(page.get_by_label("Country")).to_have_value("HK")
    page.get_by_label("Rate in %").fill("8,875")
    tap(page, "Save")
    tap(page, "Apply now")
    expect(page.get_by_role("cell", name="HK VAT 8.875%")).to_be_visible()
    check_accessible(page, "taxes")
    shot(page, "operator-taxes")
    [rate] = people.operator.get("/v1/admin/taxes")["current"]["rates"]
    assert rate["percentThousandths"] == 8_875 and rate["country"] == "HK"


def test_somebody_finds_the_receipt_of_a_booking_prints_it_and_sees_what_came_back(phone, people, check_accessible, shot):
    people.operator.put("/v1/admin/company", {
        "name": "Harbour Parking Ltd", "address": ["1 Connaught Place"], "country": "HK", "timeZone": "Asia/Hong_Kong"})
    place = car_park(people, "Receipt Garage", here(22.2861, 114.1556))
    customer = driver(people)
    booked = booking(customer, place, in_days(3))
    page = phone("customer", customer)
    open_at(page, "/menu")
    page.get_by_role("link", name="Receipts").click()
    heading(page, "Receipts")
    page.get_by_label("Search by name, number or place").fill("nowhere")
    expect(page.get_by_text("No matching receipts")).to_be_visible()
    page.get_by_label("Search by name, number or place").fill("garage")
    check_accessible(page, "receipts")
    shot(page, "customer-receipts")
    page.get_by_role("link", name=re.compile("Receipt Garage")).click()
    heading(page, "Receipt")
    fact(page, "Number", re.compile(r"\d{4}-\d{6}$"))
    fact(page, "Place", "Receipt Garage")
    fact(page, "Duration", "2 h")
    fact(page, "Paid with", re.compile("^Visa •••• 4242, "))
    expect(page.locator(".receipt")).to_contain_text("Harbour Parking Ltd")
    expect(page.locator(".receipt .total")).to_contain_text("HK$50.00")
    check_accessible(page, "receipt")
    assert not is_wider_than_window(page)
    shot(page, "customer-receipt")
    with page.expect_download() as download:
        tap(page, "Save as a file")
    saved = download.value.path().read_text()
    assert "Harbour Parking Ltd" in saved and "Receipt Garage" in saved and "HK$50.00" in saved
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    shot(page, "customer-receipt-print")
    page.emulate_media(media="screen")
    sheet = page.context.new_page()
    sheet.set_content(saved)
    sheet.emulate_media(media="print")
    shot(sheet, "receipt-file-print")
    sheet.close()

    open_at(page, f"/bookings/{booked['id']}")
    fact(page, "Cancellation", re.compile("^Free until "))
    tap(page, "Cancel booking")
    dialog = page.get_by_role("dialog", name="Cancel this booking?")
    expect(dialog).to_contain_text("You’ll get HK$50.00 back. Cancelling is free until")
    dialog.get_by_role("button", name="Cancel booking").click()
    fact(page, "Paid", "HK$50.00")
    fact(page, "Refunded", "HK$50.00")
    shot(page, "customer-booking-refunded")

    def note():
        items = customer.get("/v1/me/documents")["items"]
        return next((item for item in items if item["kind"] == "creditNote"), None)
    issued = eventually(note, "a credit note")
    assert issued["total"] == {"amount": -5_000, "currency": "HKD"}
    open_at(page, f"/receipts/{issued['id']}")
    heading(page, "Credit note")
    fact(page, "Number", issued["number"])
    check_accessible(page, "credit note")
    shot(page, "customer-credit-note")
    told = [item["text"] for item in customer.get("/v1/notifications")["items"] if "refund" in (item.get("text") or "").lower()]
    assert len(told) == 1, told


def test_receipts_go_to_a_confirmed_address(phone, people, check_accessible, shot):
    place = car_park(people, "Mail Garage", here(22.2961, 114.1556))
    customer, address = driver(people), email()
    customer.post("/v1/me/contacts/code", {"email": address})
    customer.put("/v1/me/contacts", {"email": address, "code": people.code(address), "password": customer.password})
    eventually(lambda: customer.get("/v1/me/receipt-settings")["hasEmail"], "an address that payments knows")
    booking(customer, place, in_days(3))

    def mails() -> list:
        items = people.operator.get(f"/v1/admin/messages?email={address}")["items"]
        return [item for item in items if item["subject"].startswith("Receipt ")]
    page = phone("customer", customer)
    open_at(page, "/receipts")
    page.get_by_role("link", name=re.compile("Mail Garage")).click()
    heading(page, "Receipt")
    tap(page, "Send by e-mail")
    expect(page.get_by_text("We’re sending this receipt to your e-mail address.")).to_be_visible()
    [mail] = eventually(mails, "a receipt by e-mail")
    assert "Mail Garage" in mail["text"] and "HK$50.00" in mail["text"]

    # The next one comes by itself.
    open_at(page, "/profile")
    wish = page.get_by_role("switch", name="Send receipts by e-mail")
    expect(wish).to_have_attribute("aria-checked", "false")
    wish.click()
    expect(wish).to_have_attribute("aria-checked", "true")
    check_accessible(page, "receipts by e-mail")
    shot(page, "customer-receipts-by-mail")
    booking(customer, place, in_days(4))
    eventually(lambda: len(mails()) == 2, "the next receipt by e-mail")


def test_anybody_reads_who_the_company_is_and_its_terms(phone, people, check_accessible):
    people.operator.put("/v1/admin/company", {
        "name": "Harbour Parking Ltd", "address": ["1 Connaught Place"], "country": "HK", "timeZone": "Asia/Hong_Kong",
        "phone": "+85221234567", "terms": {"text": "Be kind.\n\nPay on time."}, "privacy": {"link": "https://harbour.example/privacy"}})
    page = phone("customer", width=360, height=740)
    open_at(page, "/company")
    heading(page, "Harbour Parking Ltd")
    fact(page, "Address", "1 Connaught Place")
    expect(page.get_by_role("link", name="Privacy notice")).to_have_attribute("href", "https://harbour.example/privacy")
    check_accessible(page, "company")
    page.get_by_role("link", name="Terms of business").click()
    heading(page, "Terms of business")
    expect(page.get_by_text("Pay on time.")).to_be_visible()
    assert not is_wider_than_window(page)
