"""Vehicles that stay longer than they booked, at the operator's desk. The platform is one of its own, whose clock the tests move."""

from __future__ import annotations

import struct
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Iterator

import pytest
from playwright.sync_api import Page, expect

from api import OPERATOR_PHONE
from conftest import open_at
from system import BINARIES, System
from test_desk import payment_at_the_end
from test_park import booking, car_park, driver, tap
from test_park_desk import DESK
from test_pay_page import passes
from town import here

pytestmark = pytest.mark.skipif(BINARIES.name != "debug", reason="a release build has no clock that tests move")


class Clock:
    """A platform's clock, by a file that says by how many microseconds it is ahead."""

    def __init__(self, path: Path):
        self.path = path
        self.ahead = timedelta()
        path.write_bytes(struct.pack("=q", 0))

    def now(self) -> datetime:
        return datetime.now(timezone.utc) + self.ahead

    def advance(self, **time: float) -> None:
        self.ahead += timedelta(**time)
        # In place: an empty file would turn the clock back.
        with open(self.path, "r+b") as file:
            file.write(struct.pack("=q", self.ahead // timedelta(microseconds=1)))


@pytest.fixture(scope="session")
def clock(tmp_path_factory) -> Clock:
    return Clock(tmp_path_factory.mktemp("clock") / "ahead")


@pytest.fixture(scope="session")
def system(tmp_path_factory, clock) -> Iterator[System]:
    system = System(tmp_path_factory.mktemp("overstay"), OPENVALET_TEST_CLOCK=str(clock.path))
    yield system
    system.stop()


@pytest.fixture
def overstay(phone, people, clock):
    """A vehicle that was to leave half an hour ago, and the list of stays at the desk."""
    def begin(name: str, latitude: float) -> tuple[Page, str, dict[str, Any], Any, dict[str, Any]]:
        place, customer = car_park(people, name, here(latitude, 114.1556)), driver(people)
        gate = people.operator.post("/v1/admin/gates", {"carParkId": place["id"], "name": "North"})
        booked = booking(customer, place, clock.now(), quantity=1)
        plate = booked["vehicles"][0]["plate"].replace(" ", "")
        assert passes(people, gate, "in", plate, clock.now())["booking"] == booked["id"]
        clock.advance(minutes=90)
        # What signs the operator of all tests in has expired by now.
        page = phone("operator", people.sign_in(OPERATOR_PHONE, people.operator_password), **DESK)
        open_at(page, f"/car-parks/stays?carPark={place['id']}")
        return page, plate, gate, customer, booked
    return begin


def test_the_end_of_an_overstay_is_billed_to_the_driver(overstay, people, clock, check_accessible, shot):
    page, plate, gate, customer, booked = overstay("Long Garage", 23.7021)
    tap(page, f"End the stay of {plate}")
    sheet = page.get_by_role("dialog", name=f"End the stay of {plate}")
    # The hour that has begun; the one that was booked is paid.
    expect(sheet).to_contain_text("HK$25.00 is due.")
    sheet.get_by_role("radio", name="Bill later").check(force=True)
    sheet.get_by_label("Reason").fill("The barrier is stuck")
    check_accessible(page, "end of an overstay")
    shot(page, "desk-end-overstay")
    sheet.get_by_role("button", name="End stay", exact=True).click()
    expect(page.get_by_text(f"The stay of {plate} has ended.")).to_be_visible()
    expect(sheet).to_have_count(0)
    assert customer.get(f"/v1/bookings/{booked['id']}")["status"] == "completed"
    [stay] = customer.get("/v1/me/parking-sessions")["items"]
    assert stay["leftAt"] and stay["due"]["amount"] == 2_500
    answer = passes(people, gate, "out", plate, clock.now())
    assert answer["open"] and answer["due"]["amount"] == 2_500
    paid = customer.post(f"/v1/parking-sessions/{stay['id']}/pay", {"token": "pm_card_visa"})["payment"]
    assert paid["status"] == "succeeded" and paid["amount"]["amount"] == 2_500


def test_an_overstay_is_paid_at_the_desk_as_it_ends(overstay, people, clock):
    page, plate, gate, customer, booked = overstay("Late Garage", 23.7121)
    payment = payment_at_the_end(page, plate, "HK$25.00", "The ticket is unreadable")
    payment.get_by_role("button", name="Record payment").click()
    expect(payment).to_contain_text("HK$25.00 recorded.")
    tap(page, "Done")
    expect(page.get_by_text(f"The stay of {plate} has ended.")).to_be_visible()
    assert customer.get(f"/v1/bookings/{booked['id']}")["status"] == "completed"
    [stay] = customer.get("/v1/me/parking-sessions")["items"]
    assert stay["isPaid"] and not stay.get("due")
    answer = passes(people, gate, "out", plate, clock.now())
    assert answer["open"] and not answer.get("due")
