"""Cards at Stripe in a real browser: saved, charged, declined, confirmed, replaced, and used once. The platform is one of its own."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Iterator

import pytest
from playwright.sync_api import Page, expect

import town
from api import People
from conftest import open_at
from local_stripe import SCRIPT, Stripe
from system import System
from test_customer import NEARBY, heading, returned_order, tap
from test_pay_page import opened, parked, passes

GOOD = "4242424242424242"
#: Can be saved, and is declined when it is charged.
POOR = "4000000000000341"
#: The bank asks each time.
ASKED = "4000002500003155"
DECLINED = "4000000000000002"


@pytest.fixture(scope="module")
def stripe() -> Iterator[Stripe]:
    stripe = Stripe()
    yield stripe
    stripe.stop()


@pytest.fixture(scope="module")
def till(stripe: Stripe) -> Iterator[System]:
    with tempfile.TemporaryDirectory(prefix="openvalet-cards-") as folder:
        system = System(Path(folder), **stripe.settings())
        yield system
        system.stop()


@pytest.fixture(scope="module")
def guests(till: System) -> People:
    guests = People(till.base, till.data)
    town.found(guests.operator)
    return guests


def fill(page: Page, number: str) -> None:
    """Types a card in Stripe's form."""
    form = page.locator(".card-form-element")
    is_ready(page)
    for name, value in (("number", number), ("exp_month", "12"), ("exp_year", "40"), ("cvc", "123")):
        form.get_by_label(name, exact=True).fill(value)


def is_ready(page: Page) -> None:
    expect(page.locator(".card-form-element input").first).to_be_visible()
    expect(page.locator(".card-form .skeleton")).to_have_count(0)


def add(page: Page, number: str) -> None:
    """Saves a card; the bank's question is still to be answered."""
    page.get_by_text("Add a card", exact=True).click()
    fill(page, number)
    tap(page, "Save card")


def bank(page: Page, answer: str) -> None:
    # Its dialog has styles of its own, which our policy refuses, so the page lies above it.
    page.get_by_role("button", name=f"{answer} authentication").dispatch_event("click")


def bill(phone, guests: People, till: System) -> tuple[Page, dict, object]:
    """The app of somebody without a card, whose bill is due."""
    customer, valet = guests.customer(card=None), guests.valet(at=NEARBY)
    order = returned_order(customer, valet)
    valet.goes_home()
    page = phone("customer", customer, base=till.base)
    heading(page, "Welcome back to your car")
    return page, order, customer


def test_a_card_is_saved_chosen_replaced_and_removed(phone, guests, till, stripe, check_accessible, shot):
    customer = guests.customer(card=None)
    page = phone("customer", customer, base=till.base)
    asked: list[str] = []
    page.on("request", lambda request: SCRIPT in request.url and asked.append(request.url))
    open_at(page, "/cards")
    expect(page.get_by_text("No card yet")).to_be_visible()
    assert not asked, "the script is loaded when it is needed"
    add(page, GOOD)
    expect(page.get_by_role("listitem").filter(has_text="Visa •••• 4242")).to_contain_text("expires 12/40")
    first = stripe.newest_method()
    add(page, ASKED)
    bank(page, "Complete")
    expect(page.get_by_role("listitem").filter(has_text="Visa •••• 3155")).to_be_visible()
    page.get_by_role("listitem").filter(has_text="Visa •••• 4242").get_by_role("button", name="Make default").click()
    expect(page.get_by_role("listitem").filter(has_text="•••• ").first).to_contain_text("4242")
    expect(page.get_by_role("listitem").filter(has_text="•••• ").first).to_contain_text("Default")
    check_accessible(page, "cards")
    shot(page, "customer-cards-stripe")
    stripe.replace(till.base, first, last4="9999", exp_month=3, exp_year=2044)
    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="Visa •••• 9999")).to_contain_text("expires 03/44")
    page.get_by_role("button", name="Delete Visa •••• 9999").click()
    tap(page, "Delete")
    expect(page.get_by_text("Visa •••• 9999")).to_have_count(0)
    # No card number has reached the platform.
    assert GOOD not in till.printed()


def test_a_card_that_can_not_be_saved_says_why(phone, guests, till):
    page = phone("customer", guests.customer(card=None), base=till.base)
    open_at(page, "/cards")
    page.get_by_text("Add a card", exact=True).click()
    is_ready(page)
    tap(page, "Save card")
    expect(page.get_by_role("alert")).to_have_text(re.compile("Check the card details above"))
    fill(page, DECLINED)
    tap(page, "Save card")
    expect(page.get_by_role("alert")).to_have_text(re.compile("Your bank declined this card"))
    fill(page, ASKED)
    tap(page, "Save card")
    bank(page, "Fail")
    expect(page.get_by_role("alert")).to_have_text(re.compile("Your bank didn’t confirm"))
    expect(page.get_by_text("No card yet")).to_be_visible()


def test_a_bill_is_paid_with_a_new_card_after_one_was_declined(phone, guests, till, shot):
    page, _, _ = bill(phone, guests, till)
    is_ready(page)
    shot(page, "customer-bill-stripe")
    fill(page, POOR)
    tap(page, "Save card")
    expect(page.get_by_role("radio", name="Visa •••• 0341")).to_be_checked()
    page.get_by_role("radio", name=re.compile("^10%")).check(force=True)
    page.get_by_role("button", name="Pay HK$88.00").click()
    expect(page.get_by_role("alert")).to_contain_text("Your bank declined this card")
    add(page, GOOD)
    expect(page.get_by_role("radio", name="Visa •••• 4242")).to_be_checked()
    page.get_by_role("button", name="Pay HK$88.00").click()
    heading(page, "All done")


def test_a_card_pays_once_and_is_not_saved(phone, guests, till):
    page, order, customer = bill(phone, guests, till)
    page.get_by_text("Pay once by card or wallet, without saving it").click()
    # The form that saves a card has gone.
    expect(page.get_by_role("button", name="Save card")).to_have_count(0)
    fill(page, POOR)
    page.get_by_role("button", name="Pay HK$80.00").click()
    expect(page.get_by_role("alert")).to_contain_text("Your bank declined this card")
    fill(page, GOOD)
    page.get_by_role("button", name="Pay HK$80.00").click()
    heading(page, "All done")
    assert customer.get(f"/v1/bills/{order['id']}")["status"] == "paid"
    assert customer.get("/v1/me/payment-methods")["items"] == []


def priced(phone, guests, till, name: str, latitude: float) -> tuple:
    """A driver without the app who sees the price on their phone: the page, the gate, the plate and the entry."""
    _, gate, plate, _, entry = parked(guests, name, latitude)
    page = opened(phone, f"/pay/{entry['code']}", base=till.base)
    page.get_by_role("button", name="Show the price").click()
    return page, gate, plate, entry


def test_a_driver_without_the_app_is_declined_asked_and_pays(phone, guests, till):
    page, _, _, _ = priced(phone, guests, till, "Card Garage", 23.6421)
    fill(page, POOR)
    page.get_by_role("button", name="Pay HK$50.00").click()
    expect(page.get_by_role("alert")).to_contain_text("Your bank declined this card")
    fill(page, ASKED)
    page.get_by_role("button", name="Pay HK$50.00").click()
    bank(page, "Complete")
    heading(page, "Paid. Thank you!")
    expect(page.get_by_text(re.compile(r"^\d{4}-\d{6}$"))).to_be_visible()


def test_a_driver_whose_bank_is_not_convinced_has_paid_nothing_and_tries_again(phone, guests, till):
    page, gate, plate, entry = priced(phone, guests, till, "Doubt Garage", 23.6521)
    fill(page, ASKED)
    page.get_by_role("button", name="Pay HK$50.00").click()
    bank(page, "Fail")
    expect(page.get_by_role("alert")).to_contain_text("Your bank didn’t confirm that it’s you")
    due = guests.operator.get(f"/v1/admin/parking-sessions/{entry['session']}/due")["due"]
    assert due == {"amount": 5_000, "currency": "HKD"}
    page.get_by_role("button", name="Pay HK$50.00").click()
    bank(page, "Complete")
    heading(page, "Paid. Thank you!")
    assert passes(guests, gate, "out", plate)["reason"] == "paid"


def test_a_bank_that_asks_is_answered_on_the_page(phone, guests, till):
    page, order, customer = bill(phone, guests, till)
    fill(page, ASKED)
    tap(page, "Save card")
    bank(page, "Complete")
    expect(page.get_by_role("radio", name="Visa •••• 3155")).to_be_checked()
    page.get_by_role("button", name="Pay HK$80.00").click()
    bank(page, "Fail")
    expect(page.get_by_role("alert")).to_contain_text("Your bank didn’t confirm that it’s you")
    assert customer.get(f"/v1/bills/{order['id']}")["status"] == "due"
    page.get_by_role("button", name="Pay HK$80.00").click()
    bank(page, "Complete")
    heading(page, "All done")


def test_a_payment_that_was_left_is_finished_after_a_reload_and_on_another_device(phone, guests, till, shot):
    page, order, customer = bill(phone, guests, till)
    fill(page, ASKED)
    tap(page, "Save card")
    bank(page, "Complete")
    page.get_by_role("button", name="Pay HK$80.00").click()
    expect(page.get_by_role("button", name="Complete authentication")).to_be_visible()
    # The bank's window goes with the page.
    page.reload()
    heading(page, "Welcome back to your car")
    other = phone("customer", customer, base=till.base)
    open_at(other, f"/pay/{order['id']}")
    expect(other.get_by_text("Your bank asks you to confirm this payment.")).to_be_in_viewport()
    shot(other, "customer-confirm-payment")
    tap(other, "Confirm payment")
    bank(other, "Complete")
    expect(other.get_by_text("This bill is paid.")).to_be_visible()
    assert customer.get(f"/v1/bills/{order['id']}")["status"] == "paid"


def test_a_script_that_can_not_be_loaded_says_so_and_is_tried_again(phone, guests, till):
    page = phone("customer", guests.customer(card=None), base=till.base)
    page.route(f"**{SCRIPT}", lambda route: route.abort())
    open_at(page, "/cards")
    page.get_by_text("Add a card", exact=True).click()
    expect(page.get_by_text("A content blocker may be stopping it")).to_be_visible()
    page.unroute(f"**{SCRIPT}")
    tap(page, "Try again")
    fill(page, GOOD)
    tap(page, "Save card")
    expect(page.get_by_role("listitem").filter(has_text="Visa •••• 4242")).to_be_visible()
