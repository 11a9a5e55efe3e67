"""A demo: its three people, and strangers who come as themselves from anywhere in the world."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Iterator

import pytest
from playwright.sync_api import Page, expect

from api import PASSWORD
from conftest import open_at
from system import ROOT, System
from test_customer import drop_off, tap
from test_map import openvalet_map
from test_operator import DESK
from test_valet import heading as valets_heading

BERLIN = (52.5200, 13.4050)
#: Simulated people drive through a city, four times as fast as the clock; in ms.
A_DRIVE = 240_000


@pytest.fixture(scope="module")
def demo() -> Iterator[System]:
    with tempfile.TemporaryDirectory(prefix="openvalet-demo-") as folder:
        openvalet_map(Path(folder) / "data", "add", str(ROOT / "data/helsinki.osm.pbf"))
        system = System(Path(folder), "--demo", OPENVALET_VALHALLA=str(ROOT / ".venv/routers"))
        yield system
        system.stop()


def heading(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text, timeout=A_DRIVE)


def read_out(page: Page) -> None:
    tap(page, "Read it out to the valet")
    expect(page.get_by_text("You have read it out.")).to_be_visible()


def test_one_can_be_each_of_three_people(phone, demo, check_accessible, shot):
    page = phone("customer", base=demo.base)
    expect(page.get_by_role("button", name="Be the customer")).to_be_visible()
    check_accessible(page, "the demo's people")
    shot(page, "demo-people")
    tap(page, "Be the customer")
    heading(page, "Where is your car?")
    expect(page.get_by_text("This demo’s city is Central Helsinki.")).to_be_visible()

    valet = phone("valet", base=demo.base, geolocation=False)
    expect(valet.get_by_role("button", name="Be the valet")).to_be_visible()
    valet.get_by_role("link", name="Be the operator").click()
    valet.wait_for_url("**/operator#/")
    expect(valet.get_by_role("navigation")).to_contain_text("Live")

    desk = phone("customer", base=demo.base, **DESK)
    desk.get_by_role("link", name="Be the operator").click()
    expect(desk.locator(".order-row").first).to_be_visible(timeout=A_DRIVE)
    shot(desk, "demo-operator")
    chinese = phone("valet", base=demo.base, language="zh-TW")
    expect(chinese.get_by_role("button", name="當泊車員")).to_be_visible()


def test_a_stranger_from_far_away_has_their_car_parked_and_brought_back(phone, demo, check_accessible, shot):
    page = phone("customer", at=BERLIN, base=demo.base)
    page.get_by_role("link", name="New here? Create an account").click()
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Last name").fill("Wong")
    page.get_by_label("Phone number").fill("+4930123456")
    page.get_by_label("Password").fill(PASSWORD)
    tap(page, "Create account")
    expect(page.get_by_text("This is a demo: no message is sent.")).to_be_visible()
    tap(page, "Later")

    heading(page, "Where is your car?")
    drop_off(page)
    heading(page, re.compile("is on the way|is here"))
    check_accessible(page, "reading out")
    shot(page, "demo-read-out")
    read_out(page)
    heading(page, "Parked")
    expect(page.get_by_role("list", name="Photos").get_by_role("button")).to_have_count(1)
    shot(page, "demo-parked")

    page.get_by_role("link", name="Return your vehicle").click()
    tap(page, "Bring it here")
    heading(page, re.compile("Your vehicle is (on its way|here)"))
    read_out(page)
    heading(page, "Welcome back to your car")
    tap(page, "Mastercard •••• 4444, succeeds")
    page.get_by_role("button", name=re.compile("^Pay €")).click()
    heading(page, "All done")
    page.get_by_role("radio", name="5 stars").check(force=True)
    tap(page, "Send rating")
    expect(page.get_by_text("Thank you: 5 stars.")).to_be_visible()


def does_a_job(page: Page, look=lambda: None) -> str | None:
    """One job of a valet, either way of a vehicle: the heading of its end, or nothing where the customer has changed
    their mind. `look` is called when the code is heard."""
    page.locator(".at-hand").first.click(timeout=A_DRIVE)
    take = page.get_by_role("button", name="Got the vehicle")
    heard = page.get_by_role("button", name=re.compile(r"The customer reads out \d{4}"))
    parking = page.get_by_role("link", name="I have parked")
    over = page.get_by_role("button", name="To my jobs")
    expect(take.or_(over).first).to_be_visible(timeout=A_DRIVE)
    # Who fetches a parked vehicle needs no code for that.
    if take.is_visible() and not page.locator(".code-form").count():
        take.click()
    expect(heard.or_(over).first).to_be_visible(timeout=A_DRIVE)
    if over.is_visible():
        open_at(page, "/")
        return None
    look()
    code = re.search(r"\d{4}", heard.inner_text())[0]
    heard.click()
    expect(page.locator("#code")).to_have_value(code)
    page.locator("form.code-form button[type=submit]").click()
    back = valets_heading(page, "Handed back")
    expect(parking.or_(back).first).to_be_visible()
    end = "Handed back" if back.is_visible() else "Parked"
    if end == "Parked":
        parking.click()
        # Some customers have told nothing of their vehicle.
        for label, value in {"Plate": "ABC-123", "Make": "Fiat", "Model": "Panda", "Colour": "red"}.items():
            field = page.get_by_label(label, exact=True)
            if not field.input_value():
                field.fill(value)
        page.get_by_role("button", name="Park finished").click()
        page.get_by_role("button", name="Park without").click()
        valets_heading(page, "Parked").wait_for()
    open_at(page, "/")
    return end


#: What a valet tells of where they are, a minute long, on a way of 780 m through streets west of a small area.
DRIVEN = """async () => {
  const { createPretence } = await import('/apps/valet/pretence.js');
  const ring = [[24.940, 60.168], [24.950, 60.168], [24.950, 60.172], [24.940, 60.172], [24.940, 60.168]];
  const properties = { id: 'small', servicePoint: { latitude: 60.170, longitude: 24.941 } };
  const points = [[60.169, 24.938], [60.171, 24.938], [60.1715, 24.944]].map(([latitude, longitude]) => ({ latitude, longitude }));
  window.told = [];
  createPretence({ city: () => ({ properties, geometry: { type: 'Polygon', coordinates: [ring] } }), way: () => ({ step: 'first', points }) })
    .watchPosition(({ coords: { latitude, longitude } }) => told.push({ latitude, longitude }));
}"""


def test_a_valet_is_driven_without_a_jump_through_streets_outside_the_area(phone, demo):
    page = phone("valet", base=demo.base, geolocation=False)
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    page.evaluate(DRIVEN)
    page.clock.run_for(60_000)
    jumps, last = page.evaluate("""async () => {
        const { metersBetween } = await import('/apps/shared/position.js');
        return [told.slice(1).map((at, i) => metersBetween(told[i], at)).filter((meters) => meters > 26), told.at(-1)];
    }""")
    assert not jumps and last == {"latitude": 60.1715, "longitude": 24.944}


def test_a_stranger_who_is_the_valet_parks_and_brings_back(phone, demo, check_accessible, shot):
    page = phone("valet", base=demo.base, geolocation=False)
    tap(page, "Be the valet")
    page.get_by_role("button", name="Available").click()
    expect(page.get_by_text("In this demo you are shown in Central Helsinki")).to_be_visible()
    shot(page, "demo-valet")

    looked = False

    def look() -> None:
        nonlocal looked
        if not looked:
            check_accessible(page, "hearing")
            shot(page, "demo-heard")
        looked = True
    ends: set[str | None] = set()
    for _ in range(12):
        ends.add(does_a_job(page, look))
        if ends >= {"Parked", "Handed back"}:
            break
    assert ends >= {"Parked", "Handed back"}
    page.get_by_role("link", name="Earnings").click()
    valets_heading(page, "Earnings").wait_for()


def test_a_stranger_who_is_the_operator_has_a_valet_of_their_own(phone, demo):
    desk = phone("operator", base=demo.base, **DESK)
    tap(desk, "Be the operator")
    open_at(desk, "/valets")
    desk.get_by_role("button", name="New valet").click()
    dialog = desk.get_by_role("dialog")
    for label, value in {"First name": "Siiri", "Last name": "Laine", "Phone number": "+358401112233", "First password": PASSWORD}.items():
        dialog.get_by_label(label).fill(value)
    dialog.get_by_role("button", name="Add valet").click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Siiri Laine")

    page = phone("valet", base=demo.base, geolocation=False)
    page.locator("#contact").fill("+358401112233")
    page.locator("#password").fill(PASSWORD)
    page.locator("form button[type=submit]").click()
    page.get_by_role("button", name="Available").click()
    page.locator(".at-hand").first.wait_for(timeout=A_DRIVE)
    # At the desk one sees them at work.
    state = desk.locator(".badge")
    expect(state.filter(has_text="On a job").first).to_be_visible()
    while not does_a_job(page):
        pass
    open_at(desk, "/orders")
    expect(desk.get_by_role("row").filter(has_text="Siiri Laine").first).to_be_visible()
