"""The day before a demo: what its operator finds at the first look, also when the first start was killed."""

from __future__ import annotations

import json
import os
import signal
import tempfile
from pathlib import Path
from typing import Any, Iterator

import pytest
from playwright.sync_api import expect

from api import People, Person, eventually
from system import System
from test_operator import DESK, show

#: A whole day of orders, one after the other, beside a city that comes to life; in seconds.
A_DAY = 240


@pytest.fixture
def demo() -> Iterator[System]:
    with tempfile.TemporaryDirectory(prefix="openvalet-history-") as folder:
        killed = System(Path(folder), "--demo")
        boss = People(killed.base, killed.data).operator
        eventually(lambda: 3 <= len(past(boss, killed)), "the first orders of the past", A_DAY)
        threads = Path(f"/proc/{killed.process.pid}/task").iterdir()
        for up in "".join((thread / "children").read_text() for thread in threads).split():
            os.kill(int(up), signal.SIGKILL)
        killed.stop()
        assert planned(killed), "it was killed in the middle"
        system = System(Path(folder), "--demo")
        yield system
        system.stop()


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


def test_the_day_before_is_there_once_and_all_numbers_agree(demo, phone, shot):
    plan = planned(demo)
    assert 40 <= len(plan) <= 48
    boss = People(demo.base, demo.data).operator
    eventually(lambda: not planned(demo), "the end of the history", A_DAY)
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

    desk = phone("customer", base=demo.base, **DESK)
    desk.get_by_role("link", name="Be the operator").click()
    desk.wait_for_url("**/operator#/")
    with desk.expect_response(lambda answer: "/v1/admin/statistics/orders" in answer.url) as answer:
        show(desk, "/today")
    finished = answer.value.json()["byStatus"]["finished"]
    states = desk.get_by_role("figure", name="Orders by state")
    expect(states.get_by_role("img", name=f"Finished: {finished}", exact=True)).to_be_attached()
    shot(desk, "demo-history")
