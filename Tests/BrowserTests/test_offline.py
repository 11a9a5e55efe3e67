"""A journey in which the network goes at every step: what can wait, waits and is sent; what can't, is refused in words."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Iterator

import pytest
from playwright.sync_api import Page, expect

from api import eventually
from conftest import open_at
from test_customer import NEARBY, give_back, hear_of_valet, heading, park, parked_order, settle, tap
from test_valet import collect, go_on_shift, move, offers, order_from, recall, status  # noqa: F401 (a fixture)
from town import CENTRAL

#: The word of a problem; the bar above the page says more.
NONE = re.compile(r"^You’re offline\.$")
WAITS = "1 change waiting to be sent"


@contextmanager
def no_network(page: Page) -> Iterator[None]:
    page.watch.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED"]
    page.context.set_offline(True)
    expect(page.locator(".offline-bar")).to_be_visible()
    yield
    page.context.set_offline(False)
    expect(page.locator(".offline-bar")).to_have_count(0)


def refused(page: Page) -> None:
    """In words; nothing waits."""
    expect(page.get_by_text(NONE).last).to_be_visible()
    expect(page.get_by_text(WAITS)).to_have_count(0)


def waits_and_is_sent(page: Page) -> None:
    expect(page.get_by_text(WAITS).first).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text(WAITS)).to_have_count(0)


def test_the_customers_journey(phone, people):
    customer, valet = people.customer(), people.valet(at=NEARBY)
    page = phone("customer", customer)
    settle(page)
    with no_network(page):
        tap(page, "Drop off")
        refused(page)
        assert customer.order() is None
    settle(page)
    valet.at(*NEARBY)
    tap(page, "Drop off")
    heading(page, re.compile("is on the way"))
    hear_of_valet(page, customer, "firstName", page.get_by_text("Wing is on the way"))
    heading(page, "Wing is on the way")
    order = customer.order_in("droppingOff")
    with no_network(page):
        # The code is what the valet needs, with or without a network.
        expect(page.get_by_role("button", name=re.compile("Show it large"))).to_contain_text(order["handoverCode"])
    park(valet, order, order["handoverCode"])
    heading(page, "Parked")
    page.get_by_role("link", name="Bring my vehicle back").click()
    expect(page.get_by_role("button", name="Bring it here")).not_to_have_attribute("aria-disabled", "true")
    with no_network(page):
        # A valet who is silent for a minute gets no job.
        valet.at(*NEARBY)
        tap(page, "Bring it here")
        waits_and_is_sent(page)
    customer.order_in("requestingBack")
    heading(page, re.compile("is getting your car"))
    with no_network(page):
        tap(page, "Cancel return")
        waits_and_is_sent(page)
    customer.order_in("parked")
    heading(page, "Parked")
    valet.at(*NEARBY)
    customer.post(f"/v1/orders/{order['id']}/recall", {"returnTo": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})
    give_back(customer, valet)
    heading(page, "Welcome back to your car")
    pay = page.get_by_role("button", name=re.compile("^Pay HK"))
    expect(pay).not_to_have_attribute("aria-disabled", "true")
    with no_network(page):
        pay.click()
        refused(page)
        assert customer.order_in("waitingForPayment")
    pay.click()
    heading(page, "All done")
    with no_network(page):
        page.get_by_role("radio", name="4 stars").check(force=True)
        tap(page, "Send rating")
        expect(page.get_by_text("Thanks! You gave 4 stars.")).to_be_visible()
        waits_and_is_sent(page)
    eventually(lambda: customer.get(f"/v1/users/{valet.account['id']}/rating")["count"] == 1, "the stars")


def test_what_a_customer_sets_is_refused_and_a_cancelled_order_waits(phone, people):
    customer = people.customer()
    people.valet(at=NEARBY)
    customer.post("/v1/orders", {"dropOff": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}})
    eventually(lambda: customer.order_in("droppingOff")["dropOffValet"]["firstName"], "the valet's name")
    page = phone("customer", customer)
    heading(page, "Wing is on the way")
    # Screens that were opened before stay.
    open_at(page, "/vehicles/new")
    for label, value in {"Plate": "CD 5678", "Make": "Kia", "Model": "EV6", "Colour": "red"}.items():
        page.get_by_label(label).fill(value)
    with no_network(page):
        tap(page, "Save")
        refused(page)
        expect(page.get_by_label("Plate")).to_have_value("CD 5678")
    tap(page, "Save")
    eventually(lambda: len(customer.get("/v1/me/vehicles")["items"]) == 2, "the vehicle")
    open_at(page, "/")
    heading(page, "Wing is on the way")
    with no_network(page):
        tap(page, "Cancel order")
        page.get_by_role("dialog").get_by_role("button", name="Cancel order").click()
        waits_and_is_sent(page)
    eventually(lambda: customer.order() is None or customer.order()["status"] == "cancelled", "a cancelled order")


def test_the_valets_journey(phone, people):
    page = phone("valet", valet := people.valet())
    page.get_by_role("button", name="Available").wait_for()
    with no_network(page):
        page.get_by_role("button", name="Available").click()
        expect(page.get_by_text("You’re offline. Your shift changes when you’re back online.")).to_be_visible()
        waits_and_is_sent(page)
    page.get_by_text("Ready for jobs").wait_for()
    ada = people.customer()
    order = order_from(ada, at=CENTRAL)
    page.get_by_role("link", name="Go to the customer").click()
    page.get_by_text("You have arrived").wait_for()
    code = page.get_by_label("The customer’s code")
    with no_network(page):
        code.fill(ada.order_in("droppingOff")["handoverCode"])
        page.get_by_role("button", name="Got the vehicle").click()
        expect(page.get_by_text("We can’t check the code while you’re offline")).to_be_visible()
        assert ada.order()["status"] == "droppingOff"
    collect(page, ada)
    page.get_by_role("link", name="I have parked").click()
    with no_network(page):
        page.get_by_role("button", name="Finish parking").click()
        page.get_by_role("button", name="Park without a photo").click()
        waits_and_is_sent(page)
    status(ada, order, "parked")
    recall(ada, at=CENTRAL)
    open_at(page, f"/orders/{order['id']}")
    fetch = page.get_by_role("button", name="Got the vehicle")
    fetch.wait_for()
    with no_network(page):
        fetch.click()
        waits_and_is_sent(page)
    status(ada, order, "returningBack")
    page.get_by_text("You have arrived").wait_for()
    with no_network(page):
        code.fill(ada.order_in("returningBack")["handoverCode"])
        page.get_by_role("button", name="Hand back").click()
        expect(page.get_by_text("We can’t check the code while you’re offline")).to_be_visible()
        assert ada.order()["status"] == "returningBack"
    page.get_by_role("button", name="Hand back").click()
    status(ada, order, "waitingForPayment")


def test_an_offer_is_refused_and_a_job_given_back_waits(phone, people, offers):  # noqa: F811
    page = phone("valet", people.valet())
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    accept = page.get_by_role("button", name="Accept")
    accept.wait_for()
    with no_network(page):
        accept.click()
        refused(page)
    accept.click()
    page.get_by_role("heading", name="Go to the customer", level=1).wait_for()
    with no_network(page):
        page.get_by_role("button", name="Give the job back").click()
        page.get_by_role("radio", name="I can’t get there in time").check()
        page.get_by_role("dialog").get_by_role("button", name="Give the job back").click()
        waits_and_is_sent(page)
    status(ada, order, "requested", "unfulfilled")


def test_a_task_is_taken_with_a_network_only_and_ended_without(phone, people):
    page = phone("valet", valet := people.valet(at=NEARBY))
    ada = people.customer()
    ada.post("/v1/orders", {"dropOff": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}, "extras": ["wash"]})
    order = ada.order_in("droppingOff")
    park(valet, order, order["handoverCode"])
    open_at(page, "/tasks")
    take = page.get_by_role("button", name="Take this task")
    take.wait_for()
    with no_network(page):
        take.click()
        refused(page)
    take.click()
    done = page.get_by_role("button", name="Done")
    done.wait_for()
    with no_network(page):
        done.click()
        waits_and_is_sent(page)
    eventually(lambda: ada.order()["tasks"][0]["status"] == "done", "a washed car")
