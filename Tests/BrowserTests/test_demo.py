"""A demo: its three people, strangers who come as themselves from anywhere in the world, and the day before."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from api import PASSWORD, People, Person, eventually
from conftest import open_at
from system import ROOT, System
from test_customer import drop_off, tap
from test_map import openvalet_map
from test_operator import DESK, show
from test_valet import heading as valets_heading

BERLIN = (52.5200, 13.4050)
#: Seconds that simulated people may take for a drive through their city, or for a whole day of orders. They drive four
#: times as fast as the clock.
A_DRIVE = 240


@pytest.fixture(scope="module")
def restarted() -> Iterator[tuple[System, dict[str, dict[str, Any]]]]:
    """A demo with streets, which was killed while it made the day before, and started again; and its plan for that."""
    with tempfile.TemporaryDirectory(prefix="openvalet-demo-") as folder:
        openvalet_map(Path(folder) / "data", "add", str(ROOT / "data/helsinki.osm.pbf"))
        # Valets of a demo have others to drive: one is looked for as long as it may take.
        settings = {"OPENVALET_VALHALLA": str(ROOT / ".venv/routers"), "OPENVALET_MATCHING_PATIENCE_SECONDS": "45"}
        killed = System(Path(folder), "--demo", **settings)
        boss = People(killed.base, killed.data).operator
        eventually(lambda: 3 <= len(past(boss, killed)), "the first orders of the past", A_DRIVE)
        threads = Path(f"/proc/{killed.process.pid}/task").iterdir()
        for up in "".join((thread / "children").read_text() for thread in threads).split():
            os.kill(int(up), signal.SIGKILL)
        killed.stop()
        assert (plan := planned(killed)), "it was killed in the middle"
        system = System(Path(folder), "--demo", **settings)
        yield system, plan
        system.stop()
        # What it said of a fault outlives its folder.
        (logs := ROOT / ".build/test-logs").mkdir(parents=True, exist_ok=True)
        shutil.copy(system.log_path, logs / "BrowserTests.demo.log")


@pytest.fixture
def demo(restarted) -> System:
    return restarted[0]


# Several people at once: a simulated city takes its time, and nobody has to wait for the others

#: What somebody does, step by step: each step waits for what is yielded, a name and a look, while others go on.
Journey = Iterator[tuple[str, Callable[[], Any]]]


def side_by_side(*journeys: Journey) -> None:
    """Goes on with each journey as soon as what it waits for is there."""
    begun = [(journey, *next(journey), time.monotonic()) for journey in journeys]
    while begun:
        for one in list(begun):
            journey, what, look, since = one
            if not look():
                assert time.monotonic() < since + A_DRIVE, f"it never came: {what}"
                continue
            begun.remove(one)
            if step := next(journey, None):
                begun.append((journey, *step, time.monotonic()))
        time.sleep(0.1)


def shown(locator: Locator) -> tuple[str, Callable[[], bool]]:
    return str(locator), locator.first.is_visible


def headed(page: Page, text: str | re.Pattern[str]) -> tuple[str, Callable[[], bool]]:
    return shown(page.get_by_role("heading", level=1, name=text, exact=True))


# The day before


def planned(system: System) -> dict[str, dict[str, Any]]:
    """Visits that are written down but not all made, by their orders."""
    plan = json.loads((system.data / "demo-history").read_text())
    return {visit["order"]["id"]: visit for visit in plan.get("visits") or []}


def past(boss: Person, system: System) -> list[dict[str, Any]]:
    """All finished orders from before the demo began."""
    until = json.loads((system.data / "demo-history").read_text())["until"]
    found, after = [], ""
    while after is not None:
        page = boss.get(f"/v1/admin/orders?limit=200{after and '&after=' + after}")
        found += page["items"]
        after = page.get("next")
    return [order for order in found if order["createdAt"] < until and order["status"] == "finished"]


# The tests


def heading(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text, timeout=A_DRIVE * 1_000)


def read_out(page: Page) -> None:
    tap(page, "Tell the valet the code")
    expect(page.get_by_text("You’ve told the valet.")).to_be_visible()


def test_one_can_be_each_of_three_people(phone, demo, check_accessible, shot):
    page = phone("customer", base=demo.base)
    expect(page.get_by_role("button", name="A customer")).to_be_visible()
    check_accessible(page, "the demo's people")
    shot(page, "demo-people")
    tap(page, "A customer")
    heading(page, "Where is your car?")
    expect(page.get_by_text("This demo’s city is Central Helsinki.")).to_be_visible()

    valet = phone("valet", base=demo.base, geolocation=False)
    expect(valet.get_by_role("button", name="A valet")).to_be_visible()
    valet.get_by_role("link", name="An operator").click()
    valet.wait_for_url("**/operator#/")
    expect(valet.get_by_role("navigation")).to_contain_text("Live")

    desk = phone("customer", base=demo.base, **DESK)
    desk.get_by_role("link", name="An operator").click()
    expect(desk.locator(".order-row").first).to_be_visible(timeout=A_DRIVE * 1_000)
    shot(desk, "demo-operator")
    chinese = phone("valet", base=demo.base, language="zh-TW")
    expect(chinese.get_by_role("button", name="泊車員")).to_be_visible()


def has_a_valet_sent(page: Page) -> None:
    """A stranger from far away signs up, and has a valet on the way."""
    page.get_by_role("link", name="New here? Create an account").click()
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Last name").fill("Wong")
    page.get_by_label("Phone number").fill("+4930123456")
    page.get_by_label("Password").fill(PASSWORD)
    tap(page, "Create account")
    expect(page.get_by_text("This is a demo, so no message is sent.")).to_be_visible()
    tap(page, "Later")
    # In a busy hour nobody may be free, and who wants a valet starts again.
    for _ in range(3):
        heading(page, "Where is your car?")
        drop_off(page)
        heading(page, re.compile("is on the way|is here|No valet was free"))
        if page.get_by_role("heading", level=1, name="No valet was free").count() == 0:
            return
        tap(page, "Start again")
    raise AssertionError("no valet was free three times")


def has_the_car_parked_and_brought_back(page: Page, shot) -> Journey:
    read_out(page)
    yield headed(page, "Parked")
    expect(page.get_by_role("list", name="Photos").get_by_role("button")).to_have_count(1)
    shot(page, "demo-parked")

    coming = page.get_by_role("heading", level=1, name=re.compile("Your vehicle is (on its way|here)"))
    nobody = page.get_by_text("No valet was free to bring it back.")
    for _ in range(3):
        page.get_by_role("link", name="Bring my vehicle back").click()
        tap(page, "Bring it here")
        expect(nobody).to_have_count(0)
        yield shown(coming.or_(nobody))
        if not nobody.is_visible():
            break
    read_out(page)
    yield headed(page, "Welcome back to your car")
    tap(page, "Mastercard •••• 4444 (succeeds)")
    page.get_by_role("button", name=re.compile("^Pay €")).click()
    heading(page, "All done")
    page.get_by_role("radio", name="5 stars").check(force=True)
    tap(page, "Send rating")
    expect(page.get_by_text("Thanks! You gave 5 stars.")).to_be_visible()


def does_a_job(page: Page, look=lambda: None) -> Journey:
    """One job of a valet, either way of a vehicle; returns the heading of its end, or nothing where the customer has
    changed their mind. `look` is called when the code is heard."""
    at_hand = page.locator(".at-hand")
    yield shown(at_hand)
    at_hand.first.click()
    take = page.get_by_role("button", name="Got the vehicle")
    heard = page.get_by_role("button", name=re.compile(r"The customer says \d{4}"))
    parking = page.get_by_role("link", name="I have parked")
    over = page.get_by_role("button", name="Back to my jobs")
    yield shown(take.or_(over))
    # A parked vehicle is fetched without a code.
    if take.is_visible() and not page.locator(".code-form").count():
        take.click()
    yield shown(heard.or_(over))
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
        page.get_by_role("button", name="Finish parking").click()
        page.get_by_role("button", name="Park without a photo").click()
        valets_heading(page, "Parked").wait_for()
    open_at(page, "/")
    return end


def parks_and_brings_back(page: Page, check_accessible, shot) -> Journey:
    """A stranger who is the demo's valet."""
    tap(page, "A valet")
    page.get_by_role("button", name="Available").click()
    expect(page.get_by_text("In this demo we show you in Central Helsinki")).to_be_visible()
    shot(page, "demo-valet")
    looks = 0

    def look() -> None:
        nonlocal looks
        if not looks:
            check_accessible(page, "hearing")
            shot(page, "demo-heard")
        looks += 1
    ends: set[str | None] = set()
    for _ in range(12):
        ends.add((yield from does_a_job(page, look)))
        if ends >= {"Parked", "Handed back"}:
            break
    assert ends >= {"Parked", "Handed back"}
    page.get_by_role("link", name="Earnings").click()
    valets_heading(page, "Earnings").wait_for()


def has_a_valet_of_their_own(desk: Page, page: Page) -> Journey:
    """A stranger who is the demo's operator."""
    tap(desk, "An operator")
    open_at(desk, "/valets")
    desk.get_by_role("button", name="New valet").click()
    dialog = desk.get_by_role("dialog")
    for label, value in {"First name": "Siiri", "Last name": "Laine", "Phone number": "+358401112233", "First password": PASSWORD}.items():
        dialog.get_by_label(label).fill(value)
    dialog.get_by_role("button", name="Add valet").click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Siiri Laine")

    page.locator("#contact").fill("+358401112233")
    page.locator("#password").fill(PASSWORD)
    page.locator("form button[type=submit]").click()
    page.get_by_role("button", name="Available").click()
    yield shown(page.locator(".at-hand"))
    # At the desk one sees them at work.
    state = desk.locator(".badge")
    expect(state.filter(has_text="On a job").first).to_be_visible()
    while not (yield from does_a_job(page)):
        pass
    open_at(desk, "/orders")
    expect(desk.get_by_role("row").filter(has_text="Siiri Laine").first).to_be_visible()


def finds_the_day_before(desk: Page, demo: System, plan: dict[str, dict[str, Any]], shot) -> Journey:
    """The day before is there once, and all numbers agree."""
    boss = People(demo.base, demo.data).operator
    yield "the end of the history", lambda: not planned(demo)
    orders = past(boss, demo)
    assert {order["id"] for order in orders} == set(plan)
    for order in orders:
        times = plan[order["id"]]["order"]["times"]
        assert (order["createdAt"], order["returnedAt"]) == (times["placed"], times["returned"])

    until = json.loads((demo.data / "demo-history").read_text())["until"]
    span = f"from={min(order['createdAt'] for order in orders)}&to={until}"
    counted = boss.get(f"/v1/admin/statistics/orders?{span}")
    assert counted["placed"] == counted["byStatus"]["finished"] == len(orders)
    assert sum(hour["finished"] for hour in counted["hours"]) == len(orders)
    # The one in whose payment it was killed may be paid after the restart.
    paid = [order for order in orders if order["endedAt"] <= until]
    assert len(orders) - len(paid) <= 1
    charged = sum(order["charge"]["amount"] for order in paid)
    revenue = boss.get(f"/v1/admin/statistics/revenue?{span}")["currencies"]
    assert [(line["charged"]["amount"], line["payments"]) for line in revenue] == [(charged, len(paid))]
    assert revenue[0]["tips"]["amount"] > 0
    balance: dict[str, int] = {}
    for line in boss.get("/v1/admin/ledger/trial-balance")["lines"]:
        balance[line["currency"]] = balance.get(line["currency"], 0) + line["balance"]
    assert set(balance.values()) == {0}
    for order in orders[:3]:
        assert boss.get(f"/v1/admin/orders/{order['id']}/custody/verification")["isIntact"]
    stars = {}
    for order in orders:
        for valet in (order["dropOffValet"]["id"], order["returnValet"]["id"]):
            stars[valet] = boss.get(f"/v1/users/{valet}/rating")["count"]
    rated = sum(1 for visit in plan.values() if visit.get("stars"))
    assert rated <= sum(stars.values()) <= 2 * rated
    assert not [alert for alert in boss.get("/v1/admin/alerts")["items"] if alert["order"] in plan]

    desk.get_by_role("link", name="An operator").click()
    desk.wait_for_url("**/operator#/")
    with desk.expect_response(lambda answer: "/v1/admin/statistics/orders" in answer.url) as answer:
        show(desk, "/today")
    finished = answer.value.json()["byStatus"]["finished"]
    states = desk.get_by_role("figure", name="Orders by state")
    expect(states.get_by_role("img", name=f"Finished: {finished}", exact=True)).to_be_attached()
    shot(desk, "demo-history")


def test_strangers_are_each_of_three_people_and_an_operator_finds_the_day_before(phone, restarted, check_accessible, shot):
    demo, plan = restarted
    assert 40 <= len(plan) <= 48
    customer = phone("customer", at=BERLIN, base=demo.base)
    # Before there are valets whom nobody simulates.
    has_a_valet_sent(customer)
    check_accessible(customer, "reading out")
    shot(customer, "demo-read-out")
    valet, other = (phone("valet", base=demo.base, geolocation=False) for _ in range(2))
    desk, second = phone("operator", base=demo.base, **DESK), phone("customer", base=demo.base, **DESK)
    side_by_side(
        has_the_car_parked_and_brought_back(customer, shot), parks_and_brings_back(valet, check_accessible, shot),
        has_a_valet_of_their_own(desk, other), finds_the_day_before(second, demo, plan, shot))


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
