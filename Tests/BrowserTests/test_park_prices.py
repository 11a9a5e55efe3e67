"""Prices of car parks: the tariff that an operator sets, and the combination that a booking costs."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from conftest import open_at
from playwright.sync_api import Page, expect

from test_park import car_park, driver, heading, in_days, set_start, tap
from town import here

DESK = {"width": 1440, "height": 900, "geolocation": False}


def enter(page: Page, field: str, value: str) -> None:
    """A draft changes when its field is left."""
    page.locator(f"[id='{field}']").fill(value)
    page.locator(f"[id='{field}']").blur()


def publish(page: Page) -> None:
    tap(page, "Publish")
    page.get_by_role("dialog").get_by_role("button", name="Publish").click()


def test_an_operator_sets_a_tariff_and_drivers_read_it(phone, people, check_accessible, shot):
    place = car_park(people, "Tariff Garage", here(22.1321, 114.2556))
    page = phone("operator", people.operator, **DESK)
    open_at(page, f"/car-parks/{place['id']}")
    expect(page.get_by_text("No tariff yet.")).to_be_visible()
    page.get_by_role("link", name="Set prices").click()
    heading(page, "Tariff of Tariff Garage")
    tap(page, "Set prices")
    tap(page, "Publish")
    expect(page.locator("[id='rates[0].bands[0].price-error']")).to_be_visible()
    enter(page, "rates[0].bands[0].price", "15")
    enter(page, "rates[0].bands[0].from", "08:00")
    enter(page, "rates[0].bands[0].until", "20:00")
    publish(page)
    expect(page.locator("[id='rates[0].bands[0].until-error']")).to_contain_text("no price from 20:00")
    tap(page, "Add time band")
    for name, value in {"name": "Night", "from": "20:00", "until": "08:00", "price": "40", "unitMinutes": ""}.items():
        enter(page, f"rates[0].bands[1].{name}", value)
    enter(page, "rates[0].dailyMaximum", "120")
    enter(page, "lostTicketPrice", "300")
    # The server's examples, from ten in the morning: a quarter of an hour is free.
    page.get_by_label("Arrival time in the examples").fill(in_days(2, hour=10).strftime("%Y-%m-%dT%H:%M"))
    page.get_by_label("Arrival time in the examples").blur()
    row = page.get_by_role("row", name=re.compile("^3 h"))
    expect(row).to_contain_text("08:00–20:00 · 3 hours × HK$15.00")
    expect(row).to_contain_text("HK$45.00")
    expect(page.get_by_role("row", name=re.compile("^12 h"))).to_contain_text("HK$120.00")
    check_accessible(page, "tariff")
    shot(page, "desk-tariff")
    tap(page, "Publish")
    expect(page.get_by_role("dialog")).to_contain_text("Daily maximum: – → HK$120.00")
    page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    heading(page, "Tariff Garage")
    expect(page.get_by_text("HK$15.00 an hour")).to_be_visible()
    assert people.operator.get(f"/v1/car-parks/{place['id']}")["tariff"]["version"] == 1

    # Two operators at once: the later one is shown the other's version.
    page.get_by_role("link", name="Edit prices").click()
    heading(page, "Tariff of Tariff Garage")
    admin = f"/v1/admin/car-parks/{place['id']}/tariff"
    known = people.operator.get(admin)
    people.operator.call("PUT", admin, {"rates": known["rates"], "graceMinutes": 20})
    enter(page, "graceMinutes", "30")
    publish(page)
    expect(page.get_by_role("button", name=re.compile("their", re.IGNORECASE))).to_be_visible()

    customer = phone("customer", driver(people))
    open_at(customer, f"/park/{place['id']}")
    for text in ("Without a booking", "First 15 minutes", "Night, 20:00–08:00", "HK$40.00 in total", "HK$120.00"):
        expect(customer.get_by_text(text, exact=True)).to_be_visible()
    check_accessible(customer, "tariff in words")
    shot(customer, "park-tariff")


def test_a_day_and_two_hours_cost_the_cheapest_combination(phone, people, check_accessible, shot):
    place, customer = car_park(people, "Combined Garage", here(22.1421, 114.2656)), driver(people)
    page = phone("customer", customer)
    open_at(page, f"/park/{place['id']}/when")
    start = in_days(3)
    set_start(page, start)
    hours = page.get_by_label("Hours", exact=True)
    hours.fill("3")
    hours.blur()
    expect(page.get_by_text("3 hours × HK$25.00")).to_be_visible()
    hours.fill("40")
    hours.blur()
    # It stays as it was typed, and nothing can be booked.
    expect(page.get_by_text("You can book 1 to 31 hours at once.")).to_be_visible()
    expect(hours).to_have_value("40")
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.locator("label.choice", has_text="Days and hours").click()
    page.get_by_label("Days", exact=True).fill("1")
    page.get_by_label("Days", exact=True).blur()
    hours.fill("2")
    hours.blur()
    expect(page.get_by_text("1 day × HK$150.00")).to_be_visible()
    expect(page.get_by_text("2 hours × HK$25.00")).to_be_visible()
    expect(page.locator(".total")).to_have_text("TotalHK$200.00")
    check_accessible(page, "days and hours")
    shot(page, "park-combined")
    tap(page, "Next")
    expect(page.get_by_text("Step 2 of 3")).to_be_visible()
    tap(page, "Continue to payment")
    expect(page.get_by_text(re.compile(r"holding your space for \d:\d\d"))).to_be_visible()
    [held] = customer.get("/v1/bookings")["items"]
    assert datetime.fromisoformat(held["end"]) == start + timedelta(hours=26)
    assert [line["amount"]["amount"] for line in held["lines"]] == [15_000, 5_000]
