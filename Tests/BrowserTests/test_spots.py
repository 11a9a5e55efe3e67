"""Parking spots that drivers hand on: a seller and a buyer side by side, auctions, alerts, disputes and payouts."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from api import eventually, insist
from conftest import focus_by_tab, hold_answer, is_wider_than_window, map_rests, note_places, open_at, stood_still
from test_park import heading, picture_of, tap
from test_valet import move
from town import CENTRAL, ID


def north(meters: float, of: tuple[float, float] = CENTRAL) -> tuple[float, float]:
    return (of[0] + meters / 111_320, of[1])


@pytest.fixture(scope="module", autouse=True)
def spots_knows_the_town(people: Any) -> None:
    """Areas tells it by an event; until then the town lies outside of all of them."""
    insist(lambda: people.operator.get(f"/v1/admin/spot-policies/{ID}"), "service_area.unknown", what="a town that spots knows")


@pytest.fixture(autouse=True)
def no_spot_is_left(people: Any):
    """A spot of one test is no spot of the next."""
    yield
    for spot in people.operator.get("/v1/admin/spots?status=offered")["items"]:
        sellers[spot["id"]].post(f"/v1/spots/{spot['id']}/cancel")


#: The seller of each spot, by the spot's id.
sellers: dict[str, Any] = {}


def offered(seller: Any, price: int = 500, **more: Any) -> dict[str, Any]:
    """Offered without a browser."""
    seller.at(*CENTRAL)
    spot = seller.post("/v1/spots", {
        "position": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}, "accuracyMeters": 5, "price": price, **leaving(30), **more})
    sellers[spot["id"]] = seller
    # Accounts tells names by an event, and a screen that was drawn without one is not drawn again.
    eventually(lambda: seller.get(f"/v1/spots/{spot['id']}")["seller"]["firstName"], "a seller whom spots knows")
    return spot


def leaving(minutes: int, name: str = "leavesAt") -> dict[str, str]:
    from datetime import datetime, timedelta, timezone
    return {name: (datetime.now(timezone.utc) + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")}


@pytest.fixture
def driver(phone: Any) -> Any:
    """A phone whose app is there."""
    def begun(**more: Any) -> Page:
        page = phone("customer", **more)
        page.get_by_role("heading", level=1).wait_for()
        return page
    return begun


def open_spot(page: Page, spot: dict[str, Any]) -> None:
    open_at(page, f"/spots/{spot['id']}")
    heading(page, "Parking spot")


def test_a_seller_and_a_buyer_from_the_offer_to_the_hand_over(driver, people, check_accessible, shot):
    sara, bea = people.customer("Sara"), people.customer("Bea")
    seller = driver(who=sara)
    seller.get_by_role("link", name="Sell my spot").click()
    heading(seller, "Sell my spot")
    seller.get_by_label(re.compile("^Price in")).fill("15")
    expect(seller.get_by_text(re.compile(r"^You’ll get .*13\.50\.$"))).to_be_visible()
    seller.get_by_label("Auction", exact=True).check(force=True)
    expect(seller.get_by_text(re.compile(r"^You’ll get at least .*13\.50\.$"))).to_be_visible()
    seller.get_by_label("Fixed price").check(force=True)
    shot(seller, "spots-sell")
    tap(seller, "Offer spot")
    heading(seller, "Parking spot")
    expect(seller.get_by_text("No requests yet.")).to_be_visible()
    expect(seller.get_by_text(re.compile(r"^You’ll get .*13\.50\.$"))).to_be_visible()
    shot(seller, "spots-offered")
    spot = sara.get("/v1/me/spots")["items"][0]
    sellers[spot["id"]] = sara

    buyer = driver(who=bea, at=north(400))
    open_at(buyer, "/park")
    heading(buyer, "Car parks")
    buyer.get_by_role("link", name=re.compile("Spot of Sara")).wait_for()
    check_accessible(buyer, "find")
    shot(buyer, "spots-find")
    buyer.get_by_role("link", name=re.compile("Spot of Sara")).click()
    heading(buyer, "Parking spot")
    check_accessible(buyer, "spot")
    shot(buyer, "spots-ask")
    buyer.get_by_role("button", name=re.compile("^Request for")).click()
    expect(buyer.get_by_role("heading", name=re.compile("^Waiting for (Sara|someone)$"))).to_be_visible()
    check_accessible(buyer, "asked")
    shot(buyer, "spots-asked")

    seller.get_by_role("button", name="Approve").wait_for()
    # A request that was drawn before spots knew who asks is asked for again when the screen is opened.
    eventually(lambda: sara.get(f"/v1/spots/{spot['id']}")["requests"][0]["buyer"]["firstName"], "a buyer whom spots knows")
    open_at(seller, "/spots")
    open_spot(seller, spot)
    seller.get_by_text("Bea").wait_for()
    check_accessible(seller, "requests")
    shot(seller, "spots-requests")
    tap(seller, "Approve")
    seller.get_by_role("button", name="I’m leaving").wait_for()
    buyer.get_by_role("button", name="I’m here").wait_for()
    expect(buyer.get_by_text("Sara")).to_be_visible()
    check_accessible(buyer, "reserved buyer")
    check_accessible(seller, "reserved seller")
    shot(buyer, "spots-reserved-buyer")
    shot(seller, "spots-reserved-seller")

    def is_there() -> bool:
        # Believed once it is slow enough for a car.
        move(buyer, north(1))
        bea.at(*north(1))
        buyer.wait_for_timeout(200)
        return buyer.get_by_text("You have arrived.").is_visible()
    eventually(is_there, "the buyer's arrival")
    tap(buyer, "I’ve parked")
    tap(seller, "I’m leaving")
    expect(seller.get_by_text("The spot has been handed over.")).to_be_visible()
    expect(buyer.get_by_text("The spot has been handed over.")).to_be_visible()
    check_accessible(buyer, "over")
    buyer.get_by_label("5 stars").check(force=True)
    tap(buyer, "Rate")
    expect(buyer.get_by_role("heading", name="How was it with Sara?")).to_be_hidden()
    open_at(buyer, "/spots")
    buyer.reload()
    open_spot(buyer, spot)
    expect(buyer.get_by_text("Thanks! You gave 5 stars.")).to_be_visible()
    shot(buyer, "spots-rated")
    tap(buyer, "Change")
    expect(buyer.get_by_role("radio", name="5 stars")).to_be_checked()
    buyer.get_by_role("radio", name="4 stars").check(force=True)
    tap(buyer, "Rate")
    expect(buyer.get_by_text("Thanks! You gave 4 stars.")).to_be_visible()

    open_at(seller, "/spots/earnings")
    heading(seller, "Payouts")
    expect(seller.get_by_text("13.50").first).to_be_visible()
    check_accessible(seller, "earnings")
    tap(seller, "Set up payouts")
    tap(seller, "Accept and save")
    tap(seller, re.compile("^Pay out"))
    expect(seller.get_by_text("The payout is on its way.")).to_be_visible()
    shot(seller, "spots-earnings")
    open_at(buyer, "/spots")
    heading(buyer, "My spots")
    check_accessible(buyer, "mine")
    shot(buyer, "spots-mine")


def test_a_seller_says_no_and_takes_it_back(driver, people):
    sara, bea = people.customer("Sara"), people.customer("Bea")
    spot = offered(sara)
    seller, buyer = driver(who=sara), driver(who=bea)
    open_spot(seller, spot)
    open_spot(buyer, spot)
    buyer.get_by_role("button", name=re.compile("^Request for")).click()
    tap(seller, "Decline")
    expect(buyer.get_by_text("Declined by the seller", exact=True)).to_be_visible()
    tap(seller, "Withdraw spot")
    seller.get_by_role("dialog").get_by_role("button", name="Withdraw spot").click()
    expect(seller.get_by_text("This was cancelled.")).to_be_visible()


def test_an_auction_is_won_and_lost_and_who_gives_up_late_is_told_the_fee_first(driver, people, check_accessible, shot):
    """A minute is free, by the server's clock: it passes while an auction of a minute goes on."""
    seller, late = people.customer("Sue"), people.customer("Liam")
    reserved_spot, request = reserved(seller, late, north(400))
    buyer = driver(who=late, at=north(400))
    open_spot(buyer, reserved_spot)
    dialog = buyer.get_by_role("dialog")
    tap(buyer, "Cancel request")
    expect(dialog.get_by_text("Nothing is charged.")).to_be_visible()

    sara, bea, otto = (people.customer(name) for name in ("Sara", "Bea", "Otto"))
    winner, loser = driver(who=bea), driver(who=otto)
    spot = offered(sara, 400, sale="auction", **{"closesAt": leaving(1)["leavesAt"]})
    for page, maximum in ((loser, "6"), (winner, "12")):
        open_spot(page, spot)
        page.get_by_label(re.compile("^Your maximum bid")).fill(maximum)
        tap(page, "Bid")
        expect(page.get_by_text("You’re the highest bidder.").first).to_be_visible()
    check_accessible(winner, "auction")
    shot(winner, "spots-auction")
    expect(loser.get_by_text("Outbid", exact=True)).to_be_visible()

    winner.get_by_role("button", name="I’m here").wait_for(timeout=120_000)
    assert sara.get(f"/v1/spots/{spot['id']}")["price"]["amount"] == 650
    sara.post(f"/v1/spots/{spot['id']}/handed-over")
    bea.post(f"/v1/spots/{spot['id']}/handed-over")

    buyer.wait_for_function("until => Date.now() > Date.parse(until)", arg=reserved_spot["reservation"]["freeUntil"], timeout=90_000)
    dialog.get_by_role("button", name="Cancel request").click()
    expect(dialog.get_by_text(re.compile(r"You’ll pay a fee of .*4\.00\."))).to_be_visible()
    check_accessible(buyer, "late")
    shot(buyer, "spots-late")
    dialog.get_by_role("button", name="Cancel request").click()
    expect(buyer.get_by_text("This was cancelled.")).to_be_visible()
    eventually(lambda: late.get(f"/v1/bills/{request['id']}")["status"] == "paid", "the fee")
    assert late.get(f"/v1/bills/{request['id']}")["total"]["amount"] == 400


def test_a_spot_that_is_taken_is_shown_and_answered(driver, people, check_accessible, shot):
    sara, bea = people.customer("Sara"), people.customer("Bea")
    spot = offered(sara)
    request = bea.post(f"/v1/spots/{spot['id']}/requests", {"token": "pm_card_visa"})
    sara.post(f"/v1/spot-requests/{request['id']}/approve")
    buyer = driver(who=bea, at=north(10))
    open_spot(buyer, spot)
    buyer.get_by_text("The spot is taken").click()
    with buyer.expect_file_chooser() as choosing:
        buyer.get_by_text("Take a picture", exact=True).click()
    choosing.value.set_files([picture_of("red")])
    expect(buyer.get_by_text("This didn’t work out.")).to_be_visible()
    seller = driver(who=sara)
    open_spot(seller, spot)
    seller.get_by_label("What happened?").fill("It was free when I left.")
    tap(seller, "Send")
    expect(seller.get_by_text("The seller says: It was free when I left.")).to_be_visible()
    check_accessible(seller, "dispute")
    shot(seller, "spots-dispute")


def test_an_alert_is_drawn_and_tells(driver, people, check_accessible, shot):
    sara, bea = people.customer("Sara"), people.customer("Bea")
    page = driver(who=bea)
    # A place that is added before anybody knows where one is may lie in another town.
    open_at(page, "/spots/sell")
    expect(page.get_by_label(re.compile("^Price in"))).to_be_visible()
    open_at(page, "/spots/alerts")
    heading(page, "Alerts")
    tap(page, "Add a place")
    page.get_by_label("Name").fill("Work")
    check_accessible(page, "alert")
    shot(page, "spots-alert")
    tap(page, "Save")
    expect(page.get_by_text("Work", exact=True)).to_be_visible()
    offered(sara)
    open_at(page, "/notifications")
    expect(page.get_by_role("link", name=re.compile("A spot is free"))).to_be_visible()
    open_at(page, "/spots/alerts")
    tap(page, "Remove")
    expect(page.get_by_text("Work", exact=True)).to_be_hidden()


def test_small_dark_and_in_chinese(driver, people, check_accessible, shot):
    sara, bea = people.customer("Sara"), people.customer("Bea", language="zh-Hant")
    spot = offered(sara)
    page = driver(who=bea, language="zh-HK", dark=True, width=360)
    for path in ("/park", "/spots", "/spots/sell", "/spots/alerts", "/spots/earnings", f"/spots/{spot['id']}"):
        open_at(page, path)
        page.get_by_role("heading", level=1).wait_for()
        expect(page.locator(".skeleton")).to_have_count(0)
        assert not is_wider_than_window(page), path
        if path != f"/spots/{spot['id']}":
            check_accessible(page, path)
        shot(page, f"spots-zh-{path.split('/')[-1][:8]}")


def test_whoever_has_no_network_or_no_position_is_told(driver, people):
    page = driver(who=people.customer(), geolocation=False)
    open_at(page, "/spots/sell")
    expect(page.get_by_text("We need your location")).to_be_visible()
    spot = offered(people.customer("Sara"))
    buyer = driver(who=people.customer("Bea"))
    open_spot(buyer, spot)
    buyer.get_by_role("button", name=re.compile("^Request for")).wait_for()
    buyer.context.set_offline(True)
    buyer.get_by_role("button", name=re.compile("^Request for")).click()
    expect(buyer.get_by_role("alert").first).to_be_visible()
    buyer.context.set_offline(False)
    buyer.get_by_role("button", name=re.compile("^Request for")).click()
    expect(buyer.get_by_role("heading", name=re.compile("^Waiting for (Sara|someone)$"))).to_be_visible()


#: The browser's answer when it is asked for a new fix: none in time, one of long ago, and "forbidden".
NO_FIX = {
    "none": "(found, failed) => failed({ code: 3 })",
    "stale": "(found) => found({ coords: { latitude: 22.28, longitude: 114.15, accuracy: 8 }, timestamp: Date.now() - 120_000 })",
    "denied": "(found, failed) => failed({ code: 1 })",
}


@pytest.mark.parametrize("why", NO_FIX)
def test_a_position_that_is_missing_is_not_called_a_wrong_price(driver, people, why):
    seller = people.customer("Sara")
    page = driver(who=seller)
    open_at(page, "/spots/sell")
    offer = page.get_by_role("button", name="Offer spot")
    offer.wait_for()
    asked: list[str] = []
    page.on("request", lambda request: request.method == "POST" and request.url.endswith("/v1/spots") and asked.append(request.url))
    page.evaluate(f"void (navigator.geolocation.getCurrentPosition = {NO_FIX[why]})")
    offer.click()
    said = page.locator("form [role=alert]")
    expect(said).to_have_count(1)
    expect(said).to_be_in_viewport()
    if why != "denied":
        expect(said).to_contain_text("find your position right now")
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)
    assert not asked
    page.evaluate("void delete navigator.geolocation.getCurrentPosition")
    offer.click()
    heading(page, "Parking spot")
    [spot] = seller.get("/v1/me/spots")["items"]
    sellers[spot["id"]] = seller


def test_an_operator_decides_a_dispute_and_sets_what_an_area_allows(phone, people, check_accessible, shot):
    sara, bea = people.customer("Sara"), people.customer("Bea")
    spot = offered(sara)
    request = bea.post(f"/v1/spots/{spot['id']}/requests", {"token": "pm_card_visa"})
    sara.post(f"/v1/spot-requests/{request['id']}/approve")
    buyer = phone("customer", who=bea, at=north(10))
    buyer.get_by_role("heading", level=1).wait_for()
    open_spot(buyer, spot)
    buyer.get_by_text("The spot is taken").click()
    with buyer.expect_file_chooser() as choosing:
        buyer.get_by_text("Take a picture", exact=True).click()
    choosing.value.set_files([picture_of("blue")])
    expect(buyer.get_by_text("This didn’t work out.")).to_be_visible()

    desk = phone("operator", who=people.operator, width=1280, height=800, geolocation=False)
    desk.locator(".live-list").wait_for()
    open_at(desk, "/spots")
    heading(desk, "Spots")
    desk.locator("label.choice", has_text="Disputes").click()
    desk.get_by_role("button", name="Decide").first.click()
    dialog = desk.get_by_role("dialog")
    dialog.get_by_label("Decision").select_option("dismissed")
    dialog.get_by_label("Reason (both sides see it)").fill("Another street.")
    check_accessible(desk, "decide")
    shot(desk, "operator-spots-decide")
    dialog.get_by_role("button", name="Decide").click()
    expect(desk.get_by_text("Decided. Both sides are notified.").first).to_be_visible()

    desk.locator("label.choice", has_text="Areas").click()
    desk.get_by_role("button", name=re.compile("^Spots in")).first.click()
    dialog.get_by_label("Commission in %").fill("101")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert").or_(dialog.locator("[aria-invalid=true]")).first).to_be_visible()
    dialog.get_by_label("Commission in %").fill("10")
    dialog.get_by_role("button", name="Save").click()
    expect(desk.get_by_text("Saved.").first).to_be_visible()
    check_accessible(desk, "areas")
    shot(desk, "operator-spots-areas")
    desk.locator("label.choice", has_text="Times").click()
    expect(desk.get_by_role("table")).to_be_visible()
    check_accessible(desk, "times")
    shot(desk, "operator-spots-times")


def test_a_card_that_asks_for_a_step_goes_on_where_it_was(driver, people):
    sara, bea, otto = (people.customer(name, card=card) for name, card in (
        ("Sara", "pm_card_visa"), ("Bea", "pm_card_authenticationRequired"), ("Otto", "pm_card_authenticationRequired")))
    spot = offered(sara)
    page = driver(who=bea)
    open_spot(page, spot)
    page.get_by_role("button", name=re.compile("^Request for")).click()
    page.get_by_role("dialog", name="Your bank (test)").get_by_role("button", name="Confirm", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("^Waiting for (Sara|someone)$"))).to_be_visible()
    sara.post(f"/v1/spots/{spot['id']}/cancel")
    auction = offered(sara, 400, sale="auction", **{"closesAt": leaving(5)["leavesAt"]})
    page = driver(who=otto)
    open_spot(page, auction)
    page.get_by_label(re.compile("^Your maximum bid")).fill("6")
    tap(page, "Bid")
    page.get_by_role("dialog", name="Your bank (test)").get_by_role("button", name="Close").click()
    tap(page, "Confirm payment")
    expect(page.get_by_text("You’re the highest bidder.").first).to_be_visible()


def reserved(seller: Any, buyer: Any, at: tuple[float, float]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A spot and its request, approved without a browser while the buyer is somewhere."""
    spot = offered(seller)
    buyer.at(*at)
    request = buyer.post(f"/v1/spots/{spot['id']}/requests", {"token": "pm_card_visa"})
    return seller.post(f"/v1/spot-requests/{request['id']}/approve"), request


@pytest.fixture
def nobody_waits(people):
    """Buyers have the time of their way, and no grace."""
    terms = people.customer().get(f"/v1/spot-terms?latitude={CENTRAL[0]}&longitude={CENTRAL[1]}")
    path = f"/v1/admin/spot-policies/{terms['area']}"
    policy = people.operator.get(path)
    people.operator.put(path, {**policy, "graceSeconds": 0})
    yield
    people.operator.put(path, policy)


def test_a_request_that_changes_late_moves_nothing_that_can_be_pressed(driver, people):
    sara, bea = people.customer("Sara"), people.customer("Bea")
    spot, _ = reserved(sara, bea, north(1))
    page = driver(who=bea)
    open_spot(page, spot)
    page.get_by_role("button", name="I’ve parked").wait_for()
    waiting = []
    page.context.route("**/v1/me/spot-requests*", lambda route: waiting.append(route))
    note_places(page, "Rate")
    for side in (sara, bea):
        side.post(f"/v1/spots/{spot['id']}/handed-over")
    expect(page.get_by_role("heading", name="How was it with Sara?")).to_be_visible()
    eventually(lambda: page.wait_for_timeout(50) or waiting, "the question for one's requests")
    with page.expect_response("**/v1/me/spot-requests*"):
        for route in waiting:
            route.continue_()
    # What is answered after it tells that the app has heard of it.
    page.evaluate("() => fetch('/apps/index.json').then((answer) => answer.text())")
    stood_still(page, "Rate")


def test_who_says_to_be_there_leaves_only_once_that_is_answered(driver, people):
    sara, bea = people.customer("Sara"), people.customer("Bea")
    spot, _ = reserved(sara, bea, north(400))
    page = driver(who=sara)
    open_spot(page, spot)
    answer = hold_answer(page, "**/here")
    tap(page, "I’m here")
    expect(page.get_by_role("button", name="I’m leaving")).to_be_disabled()
    answer()
    tap(page, "I’m leaving")
    expect(page.get_by_text(re.compile(r"^Waiting for (Bea|someone) to confirm\.$"))).to_be_visible()


def test_a_buyer_who_does_not_come_owes_the_fee_where_the_card_fails(driver, people, system, nobody_waits, check_accessible, shot):
    sara, bea = people.customer("Sara"), people.customer("Bea")
    spot, request = reserved(sara, bea, north(80))
    seller = driver(who=sara)
    open_spot(seller, spot)
    # The bank takes back what it has set aside.
    with sqlite3.connect(system.data / "payments.sqlite", timeout=10) as books:
        assert books.execute(
            "UPDATE stub_charges SET state = 'declined', reason = 'card_declined' WHERE bill_id = ?", (request["id"],)).rowcount == 1
    tap(seller, "The buyer hasn’t come")
    expect(seller.get_by_text("This didn’t work out.")).to_be_visible()
    check_accessible(seller, "absent")

    buyer = driver(who=bea, at=north(80), width=360, dark=True)
    open_at(buyer, "/spots")
    line = buyer.get_by_role("link", name=re.compile(r"4\.00 due"))
    expect(line).to_be_visible()
    assert not is_wider_than_window(buyer)
    check_accessible(buyer, "owed")
    shot(buyer, "spots-owed-list")
    line.click()
    expect(buyer.get_by_text(re.compile("is still due"))).to_be_visible()
    check_accessible(buyer, "owed spot")
    shot(buyer, "spots-owed")
    chinese = driver(who=bea, at=north(80), language="zh-HK", width=360)
    for path, text in (("/spots", "尚欠 HK$4.00"), (f"/spots/{spot['id']}", "您的卡被拒：尚欠 HK$4.00。")):
        open_at(chinese, path)
        expect(chinese.get_by_text(text)).to_be_visible()
        assert not is_wider_than_window(chinese), path
        shot(chinese, f"spots-owed-zh-{path.count('/')}")
    other = offered(people.customer("Otto"))
    open_spot(buyer, other)
    buyer.get_by_role("button", name=re.compile("^Request for")).click()
    buyer.get_by_text(re.compile("Pay for your last spot first")).wait_for()
    buyer.get_by_role("link", name="My spots").click()
    line.click()
    buyer.get_by_role("button", name=re.compile("^Pay ")).click()
    expect(buyer.get_by_text(re.compile("is still due"))).to_be_hidden()
    open_at(buyer, "/spots")
    heading(buyer, "My spots")
    expect(line).to_be_hidden()


def test_each_side_names_one_of_two_vehicles(driver, people, check_accessible, shot):
    sara, bea = people.customer("Sara", vehicle=False), people.customer("Bea", vehicle=False)
    for person, plates in ((sara, ("SA 11", "SA 22")), (bea, ("BE 11", "BE 22"))):
        for plate in plates:
            person.post("/v1/me/vehicles", {"plate": plate, "make": "Fiat", "model": "500", "colour": "red"})
    seller = driver(who=sara, width=360)
    open_at(seller, "/spots/sell")
    expect(seller.get_by_label("SA 22 · Fiat")).to_be_checked()
    seller.get_by_label("SA 11 · Fiat").check(force=True)
    check_accessible(seller, "sell")
    shot(seller, "spots-sell-vehicles")
    tap(seller, "Offer spot")
    expect(seller.get_by_text("No requests yet.")).to_be_visible()
    spot = sara.get("/v1/me/spots")["items"][0]
    sellers[spot["id"]] = sara

    buyer = driver(who=bea, at=north(400), width=360, dark=True)
    open_spot(buyer, spot)
    buyer.get_by_label("BE 11 · Fiat").check(force=True)
    check_accessible(buyer, "ask")
    assert not is_wider_than_window(buyer)
    shot(buyer, "spots-ask-vehicles")
    buyer.get_by_role("button", name=re.compile("^Request for")).click()
    tap(seller, "Approve")
    expect(seller.get_by_text("BE 11")).to_be_visible()
    expect(buyer.get_by_text("SA 11")).to_be_visible()
    sara.post(f"/v1/spots/{spot['id']}/cancel")


def test_an_alert_is_drawn_by_the_keyboard(driver, people, check_accessible, shot):
    bea = people.customer("Bea", language="zh-Hant")
    page = driver(who=bea, width=360, language="zh-HK")
    open_at(page, "/spots/alerts")
    page.get_by_role("button", name="加入地點").press("Enter")
    page.get_by_label("圓圈").press("ArrowRight")
    middle = page.get_by_role("button", name="以地圖中央為一角")
    check_accessible(page, "draw")
    for keys in ((), ("ArrowRight", "ArrowRight"), ("ArrowDown", "ArrowDown")):
        if keys:
            focus_by_tab(page, page.get_by_role("region", name="通知範圍地圖"))
        for key in keys:
            page.keyboard.press(key)
            map_rests(page)
        focus_by_tab(page, middle)
        page.keyboard.press("Enter")
    expect(page.get_by_text("3 個角")).to_be_visible()
    assert not is_wider_than_window(page)
    page.evaluate("scrollTo(0, 0)")
    shot(page, "spots-alert-keyboard")
    page.get_by_role("button", name="儲存").press("Enter")
    page.get_by_role("button", name="移除").wait_for()
    [alert] = bea.get("/v1/me/parking-alerts")["items"]
    (a, b, c) = ((corner["latitude"], corner["longitude"]) for corner in alert["polygon"])
    assert b[1] > a[1] + 1e-4 and abs(b[0] - a[0]) < 1e-4
    assert c[0] < b[0] - 1e-4 and abs(c[1] - b[1]) < 1e-4


def test_what_comes_late_does_not_move_where_a_place_is_added(driver, people):
    page = driver(who=people.customer("Bea"))
    waiting = []
    page.context.route("**/v1/me/parking-alerts", lambda route: waiting.append(route))
    open_at(page, "/spots/alerts")
    note_places(page, "Add a place")
    eventually(lambda: page.wait_for_timeout(50) or waiting, "the question for them")
    waiting[0].continue_()
    expect(page.get_by_text("Get an alert when a spot, or a space in a full car park, is free near home, work or anywhere else.")).to_be_visible()
    stood_still(page, "Add a place")


def test_a_circle_that_is_begun_at_once_lies_in_the_city(driver, people):
    """Before the map has found it, and where nobody says where one is."""
    bea = people.customer("Bea")
    page = driver(who=bea, geolocation=False)
    asked = []
    page.context.route("**/v1/me/parking-alerts", lambda route: asked.append(route) if route.request.method == "GET" else route.continue_())
    open_at(page, "/spots/alerts")
    page.locator("#alert-map .leaflet-container").wait_for()
    tap(page, "Add a place")
    # What waits goes on.
    page.context.unroute("**/v1/me/parking-alerts")
    assert asked
    tap(page, "Save")
    page.get_by_role("button", name="Remove").wait_for()
    [alert] = bea.get("/v1/me/parking-alerts")["items"]
    areas = bea.get("/v1/service-areas")["features"]
    assert alert["center"] in [area["properties"]["servicePoint"] for area in areas]
