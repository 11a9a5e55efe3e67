"""The customer's tab "Lift": trips are found, offered on a map, ridden together, confirmed and rated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from api import Refused, eventually, insist
from conftest import focus_by_tab, hold_answer, is_wider_than_window, note_places, open_at, refuse, stood_still
from test_park import heading, tap
from town import CENTRAL, ID, here

#: That of the phones of the tests.
ZONE = "Asia/Hong_Kong"
#: East of Central, and a way that passes between.
EAST = here(22.2795, 114.1860)
START, FINISH = here(22.2822, 114.1500), here(22.2788, 114.1930)
SEEN = "openvalet.customer.lift.introduced"


def place(at: tuple[float, float], address: str | None = None) -> dict[str, Any]:
    return {"latitude": at[0], "longitude": at[1], **({"address": address} if address else {})}


def soon(minutes: int = 30) -> datetime:
    return datetime.now(ZoneInfo(ZONE)).replace(second=0, microsecond=0) + timedelta(minutes=minutes)


def published(driver: Any, at: datetime, **more: Any) -> dict[str, Any]:
    """A trip, without a browser, once carpool has heard of its driver's name."""
    trip = driver.post("/v1/trips", {
        "origin": place(START, "1 Start Road"), "destination": place(FINISH, "9 Finish Street"), "departsAt": at.strftime("%Y-%m-%dT%H:%M:00"), "timeZone": ZONE,
        "seats": 3, **more})
    eventually(lambda: driver.get(f"/v1/trips/{trip['id']}")["driver"]["firstName"], "the name of the driver")
    return trip


def asked(passenger: Any, trip: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A request for a seat, once carpool has heard of the passenger's name."""
    seat = passenger.post(f"/v1/trips/{trip['id']}/requests", {
        **({} if "every" in more else {"date": trip["nextDate"]}), "pickUp": place(CENTRAL), "dropOff": place(EAST), **more})
    is_named(passenger)
    return seat


def is_named(passenger: Any) -> None:
    """Those with whom somebody has asked for a seat see their name and can call them."""
    def is_heard() -> bool:
        seats = passenger.get("/v1/me/seat-requests")["items"]
        return bool(seats) and all(seat["passenger"]["firstName"] for seat in seats)
    eventually(is_heard, "the name of the passenger")


def can_be_found(by: Any, trip: dict[str, Any]) -> None:
    """The search has heard of a trip, and of its driver: an app asks once, and shows what it was answered."""
    departure = datetime.fromisoformat(trip["nextDepartureAt"].replace("Z", "+00:00"))
    between = {name: (departure + timedelta(minutes=minutes)).isoformat() for name, minutes in (("departAfter", -2), ("departBefore", 2))}
    ends = {name: place((trip[end]["latitude"], trip[end]["longitude"])) for name, end in (("from", "origin"), ("to", "destination"))}

    def is_found() -> bool:
        found = by.post("/v1/trips/search", {**ends, **between, "limit": 100})["items"]
        return any(one["tripId"] == trip["id"] and one["driver"]["firstName"] for one in found)
    eventually(is_found, "a trip that is found")


@pytest.fixture
def any_price(people: Any) -> Iterator[None]:
    """Seats may cost what a card can be charged at least, also on a short way."""
    path = f"/v1/admin/carpool-policies/{ID}"
    policy = insist(lambda: people.operator.get(path), "service_area.unknown", what="a town that carpool knows")
    people.operator.put(path, {**policy, "mostPerKilometer": 400})
    yield
    people.operator.put(path, policy)


@pytest.fixture
def app(phone: Any) -> Any:
    """A phone whose app is there, and knows the tab already."""
    def begun(path: str = "/lift", introduced: bool = True, **more: Any) -> Page:
        page = phone("customer", **more)
        page.get_by_role("heading", level=1).wait_for()
        if introduced:
            page.evaluate(f"localStorage.setItem('{SEEN}', 'true')")
        open_at(page, path)
        page.locator(".lift").wait_for()
        return page
    return begun


def choose(page: Page, label: str, at: tuple[float, float]) -> None:
    """An end by its coordinates, as somebody pastes them."""
    box = page.get_by_role("combobox", name=label, exact=True)
    box.fill(f"{at[0]}, {at[1]}")
    suggested = page.locator(".results [role=option]")
    suggested.first.click()
    expect(suggested).to_have_count(0)


def look_for(page: Page, at: datetime) -> None:
    choose(page, "From", CENTRAL)
    choose(page, "To", EAST)
    page.get_by_label("Day", exact=True).fill(at.strftime("%Y-%m-%d"))
    page.get_by_label("Leave after").fill(at.strftime("%H:%M"))
    tap(page, "Search")


def test_two_phones_find_ask_and_ride_and_rate_each_other(app, people, check_accessible, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    at = soon(30)
    trip = published(dora, at, pricePerSeat=50, payment="cash", note="Blue gate")
    can_be_found(paul, trip)
    passenger = app(who=paul, introduced=False)
    heading(passenger, "Lift")
    expect(passenger.get_by_role("heading", name="Get a lift")).to_be_visible()
    check_accessible(passenger, "first visit")
    shot(passenger, "lift-first")
    tap(passenger, "Next")
    tap(passenger, "Next")
    tap(passenger, "Start")
    expect(passenger.get_by_text("1 of 3")).to_be_hidden()
    tap(passenger, "Search")
    expect(passenger.get_by_text("Type an address, and choose").first).to_be_visible()
    look_for(passenger, at - timedelta(minutes=10))
    found = passenger.get_by_role("listitem").filter(has_text="Dora")
    expect(found).to_contain_text("Passes both your stops")
    expect(found).to_contain_text("0.50 · Cash")
    check_accessible(passenger, "found")
    shot(passenger, "lift-found")
    found.get_by_role("button", name="Favourite").click()
    expect(found.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "true")
    found.get_by_role("link").click()
    heading(passenger, "Trip")
    expect(passenger.get_by_text("on foot").first).to_be_visible()
    expect(passenger.get_by_text("Blue gate")).to_be_visible()
    check_accessible(passenger, "trip")
    shot(passenger, "lift-trip")
    passenger.get_by_label(re.compile("^Message")).fill("I have a small bag.")
    passenger.get_by_role("button", name=re.compile("^Request a seat")).click()
    expect(passenger.get_by_text("Waiting for the driver")).to_be_visible()
    is_named(paul)

    driver = app("/lift/requests", who=dora)
    expect(driver.get_by_text("I have a small bag.")).to_be_visible()
    check_accessible(driver, "requests")
    shot(driver, "lift-requests")
    tap(driver, "Accept")
    expect(driver.get_by_text("Seat confirmed")).to_be_visible()
    driver.get_by_role("link", name="Ride", exact=True).click()
    heading(driver, "Ride")
    expect(driver.get_by_role("link", name="Call Paul")).to_have_attribute("href", f"tel:{paul.phone}")
    check_accessible(driver, "ride of a driver")
    shot(driver, "lift-ride-driver")

    passenger.get_by_role("link", name="View", exact=True).click()
    heading(passenger, "Ride")
    expect(passenger.get_by_role("link", name="Message Dora")).to_have_attribute("href", f"sms:{dora.phone}")
    check_accessible(passenger, "ride of a passenger")
    shot(passenger, "lift-ride-passenger")
    passenger.get_by_role("link", name=re.compile("Dora")).first.click()
    heading(passenger, "Profile")
    expect(passenger.get_by_role("link", name="Call")).to_be_visible()
    check_accessible(passenger, "profile")
    shot(passenger, "lift-profile")
    passenger.go_back()

    tap(driver, "Start ride")
    expect(passenger.get_by_text("Under way")).to_be_visible()
    tap(driver, "I’ve arrived")
    expect(driver.get_by_role("heading", name="Was Paul in the car?")).to_be_visible()
    expect(passenger.get_by_text("We’ve asked the driver whether you were in the car.")).to_be_visible()
    check_accessible(driver, "confirm")
    shot(driver, "lift-confirm")
    tap(driver, "Yes")
    for page, name in ((driver, "Paul"), (passenger, "Dora")):
        expect(page.get_by_role("heading", name=f"How was it with {name}?")).to_be_visible()
        page.get_by_label("4 stars").check(force=True)
        page.get_by_label(re.compile("^Add a comment")).fill(f"{name} is good company.")
        if page == driver:
            check_accessible(page, "rate")
        insist_on_rating(page)
        expect(page.get_by_text("Thanks! You gave 4 stars.")).to_be_visible()
        shot(page, f"lift-rated-{name}")
    eventually(lambda: paul.get(f"/v1/users/{dora.account['id']}/rating")["count"] == 1, "the driver's stars")
    # What one said is asked of the server: also on a device that knows nothing of it.
    elsewhere = app(passenger.evaluate("location.hash").lstrip("#"), who=paul)
    expect(elsewhere.get_by_text("Thanks! You gave 4 stars.")).to_be_visible()
    tap(elsewhere, "Change")
    expect(elsewhere.get_by_label(re.compile("^Add a comment"))).to_have_value("Dora is good company.")
    open_at(passenger, f"/lift/people/{dora.account['id']}")
    expect(passenger.get_by_text("Dora is good company.")).to_be_visible()
    shot(passenger, "lift-profile-rated")


def insist_on_rating(page: Page) -> None:
    """Once ratings have heard that it is confirmed."""
    def is_taken() -> bool:
        with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.url.endswith("/rating")) as answer:
            tap(page, "Send rating")
        return answer.value.ok
    eventually(is_taken, "a rating")
    expect(page.get_by_role("button", name="Send rating")).to_have_count(0)


def test_a_trip_is_drawn_on_the_map_published_and_changed(app, people, check_accessible, shot):
    dora, other = people.customer("Dora"), people.customer("Otto")
    can_be_found(dora, published(other, soon(24 * 60)))
    page = app("/lift/trips/new", who=dora)
    heading(page, "I want to drive")
    expect(page.get_by_text("Enter start and destination")).to_be_visible()
    choose(page, "Start", START)
    choose(page, "Destination", FINISH)
    expect(page.get_by_text("Straight line:")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\d+ other drivers?"))).to_be_visible()
    before = page.get_by_text(re.compile(r"^[\d.]+ km · ")).inner_text()
    shot(page, "lift-drive")

    # A handle on the way is dragged: the way goes through there, and is longer.
    page.evaluate("scrollTo(0, 0)")
    handle = page.get_by_role("button", name="New stop on the way: drag it")
    # Waits until the map stands still.
    handle.hover()
    box = handle.bounding_box()
    page.mouse.move(box["x"] + 16, box["y"] + 16)
    page.mouse.down()
    page.mouse.move(box["x"] + 26, box["y"] + 50, steps=4)
    page.mouse.move(box["x"] + 36, box["y"] + 76, steps=4)
    page.mouse.up()
    expect(page.get_by_text("1 stop on the way")).to_be_visible()
    expect(page.get_by_role("button", name="New stop on the way: drag it")).to_have_count(2)
    expect(page.get_by_text(before, exact=True)).to_be_hidden()
    expect(page.get_by_text(re.compile(r"^[\d.]+ km · "))).to_be_visible()
    shot(page, "lift-drive-via")
    # By the keyboard alone: it is moved, and another is added in the list and removed.
    via = page.locator(".way-handle.via")
    via.focus()
    page.keyboard.press("Shift+ArrowDown")
    tap(page, "Add stop")
    choose(page, "Stop 2 on the way", here(22.2700, 114.1750))
    expect(page.get_by_text("2 stops on the way")).to_be_visible()
    page.get_by_role("button", name="Remove stop").last.press("Enter")
    expect(page.get_by_text("1 stop on the way")).to_be_visible()

    page.get_by_label("Every week").check(force=True)
    for day in ("Mon", "Wed"):
        page.get_by_label(day, exact=True).check(force=True)
    page.get_by_label("Departure").fill("07:30")
    page.get_by_label("Cash").check(force=True)
    expect(page.get_by_text(re.compile(r"A share of the cost, up to .*\."))).to_be_visible()
    page.get_by_label(re.compile("^Price per seat in")).fill("9999")
    tap(page, "Publish trip")
    expect(page.get_by_text("That’s more than a share of the cost.")).to_be_visible()
    page.get_by_label(re.compile("^Price per seat in")).fill("0.20")
    page.get_by_text("Detour, preferences, note").click()
    page.get_by_label("Quiet").press("Space")
    expect(page.get_by_label("Quiet")).to_be_checked()
    page.get_by_label("Detour", exact=True).select_option("10")
    check_accessible(page, "drive, filled")
    shot(page, "lift-drive-filled")
    tap(page, "Publish trip")
    heading(page, "Trip")
    [trip] = dora.get("/v1/trips")["items"]
    assert len(trip["via"]) == 1 and trip["maxDetourSeconds"] == 600 and trip["payment"] == "cash" and trip["preferences"] == ["quiet"]
    assert {"mo", "we"} <= set(trip["repeats"]["weekdays"]) and trip["departsAt"].endswith("07:30:00")
    check_accessible(page, "my trip")
    shot(page, "lift-my-trip")

    page.get_by_role("link", name="Edit trip").click()
    heading(page, "Edit trip")
    expect(page.get_by_label("Departure")).to_have_value("07:30")
    page.get_by_label("Seats", exact=True).select_option("2")
    tap(page, "Save changes")
    heading(page, "Trip")
    changed = dora.get(f"/v1/trips/{trip['id']}")
    assert changed["seats"] == 2 and changed["via"] == trip["via"] and changed["repeats"] == trip["repeats"]


def test_a_trip_of_every_week_becomes_one_of_a_single_day(app, people, check_accessible):
    dora = people.customer("Dora")
    trip = published(dora, soon(24 * 60), repeats={"weekdays": ["mo", "tu", "we", "th", "fr", "sa", "su"]})
    page = app(f"/lift/trips/{trip['id']}/edit", who=dora)
    heading(page, "Edit trip")
    page.locator("label.choice", has_text="One day").click()
    expect(page.get_by_label("Day", exact=True)).to_have_value(trip["nextDate"])
    check_accessible(page, "one day")
    tap(page, "Save changes")
    heading(page, "Trip")
    expect(page.get_by_text("once", exact=True)).to_be_visible()
    changed = dora.get(f"/v1/trips/{trip['id']}")
    assert changed["repeats"] is None and changed["nextDate"] == trip["nextDate"]


def test_times_are_those_of_the_trip_with_its_zone_where_that_is_another(app, people, shot):
    kenji, paul = people.customer("Kenji"), people.customer("Paul")
    at = soon(24 * 60).astimezone(ZoneInfo("Asia/Tokyo"))
    trip = published(kenji, at, timeZone="Asia/Tokyo", acceptsAutomatically=True)
    can_be_found(paul, trip)
    page = app(who=paul)
    look_for(page, at.astimezone(ZoneInfo(ZONE)) - timedelta(minutes=10))
    found = page.get_by_role("listitem").filter(has_text="Kenji")
    expect(found).to_contain_text("Japan Time")
    found.get_by_role("link").click()
    expect(page.get_by_text(f"{at:%H:%M} Japan Time").first).to_be_visible()
    ride = asked(paul, trip)["rideId"]
    open_at(page, f"/lift/rides/{ride}")
    expect(page.get_by_text(f"{at:%H:%M} Japan Time").first).to_be_visible()
    shot(page, "lift-zone")
    open_at(page, "/lift/rides")
    expect(page.get_by_text(f"{at:%H:%M} Japan Time")).to_be_visible()
    # Ways are not kept on the device with the list.
    kept = page.evaluate("Object.entries(localStorage).find(([key]) => key.includes('list./v1/rides?'))[1]")
    assert ride in kept and "LineString" not in kept


def test_two_lifts_in_a_row_are_found_and_each_is_asked_for(app, people, check_accessible, shot):
    nils, eva, paul = people.customer("Nils"), people.customer("Eva"), people.customer("Paul")
    at = soon(24 * 60)
    # Nils leaves Paul at a corner where Eva goes up the hill.
    corner, hill = here(22.2795, 114.1860), here(22.2530, 114.1930)
    trips = []
    for driver, ends, later in ((nils, (START, corner), 0), (eva, (corner, hill), 25)):
        trips.append(driver.post("/v1/trips", {
            "origin": place(ends[0]), "destination": place(ends[1]), "departsAt": (at + timedelta(minutes=later)).strftime("%Y-%m-%dT%H:%M:00"), "timeZone": ZONE,
            "seats": 2, "acceptsAutomatically": True}))
        can_be_found(paul, trips[-1])
    page = app(who=paul)
    choose(page, "From", CENTRAL)
    choose(page, "To", hill)
    page.get_by_label("Day", exact=True).fill(at.strftime("%Y-%m-%d"))
    page.get_by_label("Leave after").fill((at - timedelta(minutes=10)).strftime("%H:%M"))
    tap(page, "Search")
    expect(page.get_by_role("heading", name="With a change")).to_be_visible()
    two = page.get_by_role("list", name="Two lifts").filter(has_text="with Nils").filter(has_text="with Eva")
    halves = two.get_by_role("link")
    expect(halves).to_have_count(2)
    expect(halves.first).to_contain_text("with Nils")
    expect(two.get_by_text(re.compile("^Change: .* on foot, .* wait"))).to_be_visible()
    check_accessible(page, "two lifts")
    shot(page, "lift-two")
    for i in (0, 1):
        halves.nth(i).click()
        heading(page, "Trip")
        expect(page.get_by_text("Change to another lift")).to_be_visible()
        expect(page.get_by_text("on foot").first).to_be_visible()
        page.get_by_role("button", name="Request a seat").click()
        expect(page.get_by_text("Seat confirmed")).to_be_visible()
        page.get_by_role("link", name="Back").click()
        heading(page, "Lift")
    seats = {seat["tripId"]: seat for seat in paul.get("/v1/me/seat-requests")["items"]}
    first, second = (seats[trip["id"]] for trip in trips)
    assert first["dropOff"]["at"] < second["pickUp"]["at"]
    assert abs(first["dropOff"]["point"]["longitude"] - second["pickUp"]["point"]["longitude"]) < 0.005


def test_one_day_is_cancelled_and_the_trip_removed(app, people, check_accessible, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    trip = published(dora, soon(24 * 60), repeats={"weekdays": ["mo", "tu", "we", "th", "fr", "sa", "su"]}, acceptsAutomatically=True)
    ride = asked(paul, trip)["rideId"]
    passenger = app(f"/lift/rides/{ride}", who=paul)
    expect(passenger.get_by_text("Seat confirmed")).to_be_visible()
    page = app(f"/lift/trips/{trip['id']}", who=dora)
    days = page.get_by_role("list", name="Upcoming")
    expect(days.get_by_role("listitem").first).to_contain_text("1 of 3 seats taken")
    check_accessible(page, "days")
    days.get_by_role("button", name=re.compile("^Skip ")).first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("1 passenger will be notified.")).to_be_visible()
    check_accessible(page, "skip a date")
    shot(page, "lift-skip")
    dialog.get_by_role("button", name="Skip this date").click()
    expect(days.get_by_text("1 of 3 seats taken")).to_be_hidden()
    expect(passenger.get_by_text("Cancelled").first).to_be_visible()
    shot(passenger, "lift-ride-cancelled")
    # A day without a ride is an exception of the trip.
    days.get_by_role("button", name=re.compile("^Skip ")).nth(1).click()
    dialog.get_by_role("button", name="Skip this date").click()
    eventually(lambda: dora.get(f"/v1/trips/{trip['id']}")["repeats"]["exceptions"], "an exception")
    tap(page, "Delete trip")
    dialog.get_by_role("button", name="Delete trip").click()
    heading(page, "My trips")
    expect(page.get_by_text("Removed").first).to_be_visible()
    check_accessible(page, "my trips")
    shot(page, "lift-my-trips")


def test_who_drove_is_asked_at_the_next_opening_and_a_passenger_says_otherwise(app, phone, people, check_accessible, shot):
    dora, paul, pia = people.customer("Dora"), people.customer("Paul"), people.customer("Pia")
    trip = published(dora, soon(40), acceptsAutomatically=True)
    ride = asked(paul, trip)["rideId"]
    asked(pia, trip)
    dora.post(f"/v1/rides/{ride}/start")
    dora.post(f"/v1/rides/{ride}/end")
    driver = phone("customer", who=dora)
    dialog = driver.get_by_role("dialog")
    expect(dialog).to_contain_text("Was Paul in the car?")
    check_accessible(driver, "asked at the opening")
    shot(driver, "lift-asked")
    dialog.get_by_role("button", name="No", exact=True).click()
    expect(dialog).to_contain_text("Was Pia in the car?")
    dialog.get_by_role("button", name="Yes").click()
    expect(dialog).to_be_hidden()
    eventually(lambda: dora.get("/v1/me/confirmations")["items"] == [], "both answers")
    passenger = app(f"/lift/rides/{ride}", who=paul)
    expect(passenger.get_by_role("heading", name="Were you in the car?")).to_be_visible()
    check_accessible(passenger, "were you in the car")
    shot(passenger, "lift-disagree")
    tap(passenger, "Yes")
    expect(passenger.get_by_text("You and the other side disagree.")).to_be_visible()
    # Of two passengers the driver rates the one who was there.
    open_at(driver, f"/lift/rides/{ride}")
    expect(driver.get_by_role("heading", name="How was it with Pia?")).to_be_visible()
    expect(driver.get_by_role("heading", name="How was it with Paul?")).to_be_hidden()
    expect(driver.get_by_text("You and the other side disagree.")).to_be_visible()
    driver.get_by_label("5 stars").check(force=True)
    insist_on_rating(driver)
    eventually(lambda: dora.get(f"/v1/users/{pia.account['id']}/rating")["count"] == 1, "stars")
    shot(driver, "lift-two-passengers")


def test_a_search_is_saved_and_tells(app, people, check_accessible, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    page = app(who=paul)
    choose(page, "From", here(22.2600, 114.1800))
    choose(page, "To", here(22.2500, 114.2200))
    page.get_by_label("Every week").check(force=True)
    page.get_by_label("Between", exact=True).fill("00:00")
    page.get_by_label("and", exact=True).fill("23:59")
    check_accessible(page, "every week")
    # No two looks at the clock are alike, as on a slow phone: what is asked for is a week nevertheless, and no longer.
    page.evaluate("{ const now = Date.now; let looks = 0; Date.now = () => now() + ++looks }")
    tap(page, "Search")
    expect(page.get_by_role("heading", name="No drivers going your way then")).to_be_visible()
    check_accessible(page, "nothing found")
    shot(page, "lift-none")
    tap(page, "Alert me when someone drives there")
    page.get_by_role("status").get_by_role("link", name="Saved searches").click()
    heading(page, "Saved searches")
    expect(page.get_by_role("button", name="Remove")).to_have_count(1)
    check_accessible(page, "saved searches")
    shot(page, "lift-searches")
    dora.post("/v1/trips", {
        "origin": place(here(22.2601, 114.1795)), "destination": place(here(22.2499, 114.2210)), "departsAt": soon(26 * 60).strftime("%Y-%m-%dT%H:%M:00"), "timeZone": ZONE, "seats": 2,
        "repeats": {"weekdays": ["mo", "tu", "we", "th", "fr", "sa", "su"]}})
    open_at(page, "/notifications")
    page.get_by_role("link", name=re.compile("Someone is driving there")).click()
    heading(page, "Trip")
    expect(page.get_by_text("every day").first).to_be_visible()
    open_at(page, "/lift/searches")
    tap(page, "Remove")
    expect(page.get_by_role("heading", name="No saved searches")).to_be_visible()
    assert paul.get("/v1/me/saved-searches")["items"] == []


def test_favourites_are_kept_and_a_seat_on_every_day_is_paid_in_the_app(app, any_price, people, check_accessible, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    trip = published(dora, soon(25 * 60), pricePerSeat=500, payment="app", repeats={"weekdays": ["mo", "tu", "we", "th", "fr", "sa", "su"]})
    page = app(f"/lift/trips/{trip['id']}", who=paul)
    page.get_by_role("button", name="Favourite: Dora’s trip").click()
    expect(page.get_by_role("button", name="Favourite: Dora’s trip")).to_have_attribute("aria-pressed", "true")
    # A passenger who came by a notice says here where they get in.
    choose(page, "From", CENTRAL)
    choose(page, "To", EAST)
    expect(page.get_by_text("on foot").first).to_be_visible()
    page.get_by_label("Every day", exact=True).check(force=True)
    check_accessible(page, "every day")
    shot(page, "lift-every-day")
    page.get_by_role("button", name=re.compile("^Request a seat")).click()
    expect(page.get_by_text("Waiting for the driver")).to_be_visible()
    [request] = paul.get("/v1/me/seat-requests")["items"]
    assert request["every"] and request["payment"] == "app"
    dora.post(f"/v1/seat-requests/{request['id']}/accept")
    open_at(page, "/lift/rides")
    rides = page.get_by_role("list", name="Upcoming").get_by_role("link")
    expect(rides.first).to_contain_text("with Dora")
    # The next ride stands first.
    assert rides.first.get_attribute("href").endswith(min(paul.get("/v1/rides")["items"], key=lambda ride: ride["departsAt"])["id"])
    check_accessible(page, "my rides")
    shot(page, "lift-rides")
    open_at(page, "/lift/favourites")
    expect(page.get_by_role("link", name=re.compile("1 Start Road"))).to_be_visible()
    check_accessible(page, "favourites")
    shot(page, "lift-favourites")
    page.get_by_role("button", name="Favourite: Dora’s trip").click()
    expect(page.get_by_role("heading", name="No favourites yet")).to_be_visible()
    check_accessible(page, "no favourites")


def test_whose_card_was_declined_pays_by_another(app, any_price, people, check_accessible, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    bad = paul.post("/v1/me/payment-methods", {"token": "pm_card_visa_chargeDeclined"})
    trip = published(dora, soon(40), pricePerSeat=500, payment="app", acceptsAutomatically=True)
    seat = asked(paul, trip, paymentMethodId=bad["id"])
    dora.post(f"/v1/rides/{seat['rideId']}/start")
    dora.post(f"/v1/rides/{seat['rideId']}/end")
    dora.post(f"/v1/seat-requests/{seat['id']}/confirm", {"inTheCar": True})
    eventually(lambda: paul.get("/v1/me/seat-requests")["items"][0]["isOwed"], "the card to be declined")
    page = app(f"/lift/rides/{seat['rideId']}", who=paul, width=360)
    expect(page.get_by_text("Your card was declined: HK$5.00 is still due.")).to_be_visible()
    assert not is_wider_than_window(page)
    check_accessible(page, "owed")
    shot(page, "lift-owed")
    # A passenger who owes something can't ask for another seat.
    other = published(people.customer("Otto"), soon(26 * 60))
    open_at(page, f"/lift/trips/{other['id']}")
    choose(page, "From", CENTRAL)
    choose(page, "To", EAST)
    page.get_by_role("button", name="Request a seat").click()
    expect(page.get_by_role("alert").first).to_contain_text("Pay for your last ride first")
    open_at(page, f"/lift/rides/{seat['rideId']}")
    tap(page, "Pay HK$5.00")
    expect(page.get_by_role("alert").first).to_contain_text("declined")
    check_accessible(page, "declined")
    paul.post("/v1/me/payment-methods", {"token": "pm_card_visa"})
    page.reload()
    page.get_by_role("heading", name="Ride", exact=True).wait_for()
    cards = page.get_by_label(re.compile("Visa"))
    # The newest comes with the answer of payments; until then another one is the last.
    expect(cards).to_have_count(3)
    cards.last.check(force=True)
    tap(page, "Pay HK$5.00")
    expect(page.get_by_text("is still due")).to_be_hidden()
    eventually(lambda: not paul.get("/v1/me/seat-requests")["items"][0]["isOwed"], "the payment")
    expect(page.get_by_role("heading", name="How was it with Dora?")).to_be_visible()


def test_somebody_is_reported_from_a_ride_and_from_a_profile(app, people, check_accessible, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    trip = published(dora, soon(24 * 60), acceptsAutomatically=True)
    ride = asked(paul, trip)["rideId"]

    def report(page: Page, text: str) -> None:
        tap(page, "Report")
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("What is it about?").select_option("safety")
        dialog.get_by_label(re.compile("^What happened")).fill(text)
        if text == "No belts.":
            check_accessible(page, "report")
        tap(page, "Send report")
        expect(dialog).to_be_hidden()
        expect(page.get_by_text("Thank you. Our staff will look at it.").first).to_be_visible()

    page = app(f"/lift/rides/{ride}", who=paul)
    report(page, "No belts.")
    shot(page, "lift-reported")
    page.get_by_role("link", name=re.compile("Dora")).first.click()
    heading(page, "Profile")
    report(page, "Rude, too.")
    found = people.operator.get("/v1/admin/reports?status=open&limit=200")["items"]
    mine = {one["text"]: one for one in found if dora.account["id"] in str(one["person"])}
    assert mine["No belts."]["subject"] == {"product": "carpool", "id": ride} and mine["No belts."]["reason"] == "safety"
    assert mine["Rude, too."]["subject"] is None


def test_on_a_profile_what_comes_late_moves_nothing_that_can_be_pressed(app, people):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    trip = published(dora, soon(24 * 60), acceptsAutomatically=True)
    page = app(f"/lift/rides/{asked(paul, trip)['rideId']}", who=paul)
    waiting = []
    page.context.route(re.compile("/v1/users/|/v1/me/seat-requests"), lambda route: waiting.append(route))
    note_places(page, "Block")
    page.get_by_role("link", name=re.compile("Dora")).first.click()
    heading(page, "Profile")
    page.evaluate("window.places.clear()")
    for part, shown in (("/rating", "No ratings yet"), ("/comments", "No reviews yet"), ("/seat-requests", "Call")):
        found = eventually(lambda: page.wait_for_timeout(50) or [one for one in waiting if part in one.request.url], part)
        for route in found:
            route.continue_()
        expect(page.get_by_text(shown, exact=True)).to_be_visible()
    stood_still(page, "Block")


def test_on_a_trip_of_ones_own_what_comes_late_moves_nothing_that_can_be_pressed(app, people):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    trip = published(dora, soon(24 * 60), repeats={"weekdays": ["mo", "tu", "we", "th", "fr", "sa", "su"]})
    asked(paul, trip)
    page = app(who=dora)
    waiting = []
    page.context.route(re.compile(r"/v1/me/seat-requests|/v1/rides\?"), lambda route: waiting.append(route))
    note_places(page, "Edit trip")
    open_at(page, f"/lift/trips/{trip['id']}")
    expect(page.get_by_role("heading", name="1 Start Road")).to_be_visible()
    for part in ("/seat-requests", "/v1/rides?"):
        found = eventually(lambda: page.wait_for_timeout(50) or [one for one in waiting if part in one.request.url], part)
        for route in found:
            route.continue_()
    expect(page.get_by_role("list", name="Seat requests")).to_be_visible()
    stood_still(page, "Edit trip")


def test_what_one_has_said_of_a_ride_comes_late_and_moves_nothing_that_can_be_pressed(app, people):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    seat = asked(paul, published(dora, soon(45), acceptsAutomatically=True))
    dora.post(f"/v1/rides/{seat['rideId']}/start")
    dora.post(f"/v1/rides/{seat['rideId']}/end")
    dora.post(f"/v1/seat-requests/{seat['id']}/confirm", {"inTheCar": True})
    page = app(who=paul)
    waiting = []
    page.context.route("**/v1/rides/*/rating", lambda route: waiting.append(route))
    note_places(page, "Block")
    open_at(page, f"/lift/rides/{seat['rideId']}")
    eventually(lambda: page.wait_for_timeout(50) or waiting, "the question for it")
    waiting[0].continue_()
    expect(page.get_by_role("heading", name="How was it with Dora?")).to_be_visible()
    stood_still(page, "Block")


def test_who_has_driven_off_arrives_only_once_that_is_answered(app, people):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    ride = asked(paul, published(dora, soon(8), acceptsAutomatically=True))["rideId"]
    page = app(f"/lift/rides/{ride}", who=dora)
    answer = hold_answer(page, "**/start")
    tap(page, "Start ride")
    # The app hears that it is so before its call is answered: a tap would be lost.
    expect(page.get_by_text("Under way")).to_be_visible()
    expect(page.get_by_role("button", name="I’ve arrived")).to_be_disabled()
    answer()
    tap(page, "I’ve arrived")
    expect(page.get_by_role("heading", name="Was Paul in the car?")).to_be_visible()


@pytest.mark.parametrize("on_ride", [True, False], ids=["ride", "requests"])
def test_seats_are_given_one_after_the_other(app, people, on_ride):
    dora, others = people.customer("Dora"), [people.customer("Paul"), people.customer("Olga")]
    trip = published(dora, soon(24 * 60))
    seats = [asked(one, trip) for one in others]
    page = app(f"/lift/rides/{seats[0]['rideId']}" if on_ride else "/lift/requests", who=dora)
    paul, olga = (page.get_by_role("listitem").filter(has_text=name).get_by_role("button", name="Accept") for name in ("Paul", "Olga"))
    answer = hold_answer(page, "**/accept")
    paul.click()
    # The app hears that it is so before its call is answered.
    expect(paul).to_be_hidden()
    expect(olga).to_be_disabled()
    answer()
    olga.click()
    expect(page.get_by_text("Seat confirmed")).to_have_count(2)


def test_days_are_left_out_one_after_the_other(app, people):
    dora = people.customer("Dora")
    trip = published(dora, soon(24 * 60), repeats={"weekdays": ["mo", "tu", "we", "th", "fr", "sa", "su"]})
    page = app(f"/lift/trips/{trip['id']}", who=dora)
    days = page.get_by_role("button", name=re.compile("^Skip "))
    first, second = (days.nth(i).get_attribute("aria-label") for i in range(2))
    answer = hold_answer(page, f"**/v1/trips/{trip['id']}")

    def skip(name: str) -> None:
        tap(page, name)
        page.get_by_role("dialog").get_by_role("button", name="Skip this date").click()
    skip(first)
    expect(page.get_by_role("button", name=second)).to_be_disabled()
    expect(page.get_by_role("button", name="Delete trip")).to_be_disabled()
    answer()
    expect(page.get_by_role("button", name=first)).to_be_hidden()
    skip(second)
    expect(page.get_by_role("button", name=second)).to_be_hidden()


def test_a_change_that_breaks_a_seat_asks_the_passenger(app, people, check_accessible, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    at = soon(48 * 60).replace(hour=12)
    trip = published(dora, at, acceptsAutomatically=True)
    ride = asked(paul, trip)["rideId"]
    page = app(f"/lift/rides/{ride}", who=paul)
    expect(page.get_by_text("Seat confirmed")).to_be_visible()
    dora.call("PATCH", f"/v1/trips/{trip['id']}", {"departsAt": (at + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:00")})
    expect(page.get_by_text("The trip has changed. Does it still work for you?")).to_be_visible()
    check_accessible(page, "asks again")
    shot(page, "lift-asks-again")
    tap(page, "Yes, that works")
    expect(page.get_by_text("Seat confirmed")).to_be_visible()
    tap(page, "Cancel my seat")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel my seat").click()
    expect(page.get_by_text("Cancelled").first).to_be_visible()


def test_whoever_has_no_network_or_is_refused_is_told(app, people, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    trip = published(dora, soon(24 * 60))
    page = app(who=paul, geolocation=False)
    page.get_by_role("button", name="From: my location").click()
    expect(page.get_by_text("We can’t find your location.")).to_be_visible()
    choose(page, "From", CENTRAL)
    choose(page, "To", EAST)
    page.context.set_offline(True)
    tap(page, "Search")
    expect(page.get_by_role("alert").first).to_contain_text("You’re offline")
    shot(page, "lift-offline")
    page.context.set_offline(False)
    tap(page, "Try again")
    expect(page.get_by_role("heading", name=re.compile("trips? found"))).to_be_visible()
    refuse(page, "**/v1/rides?*", 404, "ride.unknown")
    open_at(page, "/lift/rides")
    expect(page.get_by_role("alert")).to_contain_text("This ride no longer exists.")
    page.context.unroute("**/v1/rides?*")
    tap(page, "Try again")
    expect(page.get_by_role("heading", name="No rides yet")).to_be_visible()
    open_at(page, "/lift/trips/00000000-0000-7000-8000-000000000000")
    expect(page.get_by_role("alert")).to_contain_text("This trip no longer exists.")
    open_at(page, f"/lift/trips/{trip['id']}")
    refuse(page, "**/requests", 409, "seat_request.no_seat")
    page.get_by_role("button", name="Request a seat").click()
    expect(page.get_by_text("There aren’t that many seats left.")).to_be_visible()
    # What was seen stays to be seen.
    page.context.unroute("**/requests")
    open_at(page, "/lift/trips")
    expect(page.get_by_role("heading", name="No trips yet")).to_be_visible()
    page.context.set_offline(True)
    open_at(page, f"/lift/trips/{trip['id']}")
    expect(page.get_by_text("Dora").first).to_be_visible()
    expect(page.get_by_text(re.compile("^As of"))).to_be_visible()
    page.context.set_offline(False)


def test_small_dark_and_in_chinese(app, people, check_accessible, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul", language="zh-Hant")
    trip = published(dora, soon(24 * 60), acceptsAutomatically=True, pricePerSeat=50, repeats={"weekdays": ["mo", "tu", "we", "th", "fr", "sa", "su"]}, payment="cash", preferences=["quiet", "luggage", "pets", "noSmoking"])
    ride = asked(paul, trip)["rideId"]
    paul.put(f"/v1/me/favourite-trips/{trip['id']}", None)
    page = app(who=paul, language="zh-HK", dark=True, width=360, introduced=False)
    for path in ("", "/trips", "/trips/new", f"/trips/{trip['id']}", "/rides", f"/rides/{ride}", "/requests", "/favourites", "/searches", "/help", f"/people/{dora.account['id']}"):
        open_at(page, f"/lift{path}")
        page.get_by_role("heading", level=1).wait_for()
        expect(page.locator(".skeleton")).to_have_count(0)
        assert not is_wider_than_window(page), path
        assert "lift." not in page.locator("#app").inner_text(), path
        check_accessible(page, path or "lift")
        shot(page, f"lift-zh-{path.strip('/').replace('/', '-')[:14] or 'home'}")


def test_a_driver_finds_their_payouts(app, people):
    page = app(who=people.customer("Dora"))
    page.get_by_role("link", name="Earnings and payouts").click()
    heading(page, "Payouts")
    assert urlsplit(page.url).fragment == "/payouts"
    expect(page.get_by_role("region", name="Your payout account")).to_be_visible()


def test_a_seat_is_asked_for_by_the_keyboard_alone(app, people):
    kim, paul = people.customer("Kim"), people.customer("Paul")
    at = soon(70)
    can_be_found(paul, published(kim, at))
    page = app(who=paul)
    for label, where in (("From", CENTRAL), ("To", EAST)):
        focus_by_tab(page, page.get_by_role("combobox", name=label, exact=True))
        page.keyboard.insert_text(f"{where[0]}, {where[1]}")
        suggested = page.locator(".results [role=option]")
        suggested.first.wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(suggested).to_have_count(0)
    focus_by_tab(page, page.get_by_role("button", name="Search"))
    page.keyboard.press("Enter")
    # The focus goes there in the frame after the results are drawn, and would leave what Tab had reached by then.
    expect(page.get_by_role("heading", name=re.compile("trips? found"))).to_be_focused()
    found = page.get_by_role("listitem").filter(has_text="Kim")
    focus_by_tab(page, found.get_by_role("link").first)
    page.keyboard.press("Enter")
    heading(page, "Trip")
    focus_by_tab(page, page.get_by_role("button", name="Request a seat"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Waiting for the driver")).to_be_visible()
    assert len(paul.get("/v1/me/seat-requests")["items"]) == 1


def test_who_is_not_signed_in_goes_on_where_they_were(phone, people):
    page = phone("customer")
    page.goto("/#/lift")
    page.reload()
    paul = people.customer("Paul")
    page.get_by_label(re.compile("phone", re.I)).first.fill(paul.phone)
    page.get_by_label("Password", exact=True).fill(paul.password)
    page.locator("form button[type=submit]").click()
    heading(page, "Lift")


def test_on_a_wide_window_the_map_stands_beside(app, people, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    trip = published(dora, soon(24 * 60))
    page = app(f"/lift/trips/{trip['id']}", who=paul, width=1280, height=800)
    page.locator(".lift-map .leaflet-container").wait_for()
    shot(page, "lift-wide-trip")
    open_at(page, "/lift/trips/new")
    page.locator(".lift-map .leaflet-container").wait_for()
    shot(page, "lift-wide-drive")
    open_at(page, "/lift")
    heading(page, "Lift")
    shot(page, "lift-wide-search")


def test_an_operator_takes_a_trip_out_decides_a_dispute_and_sets_what_an_area_allows(phone, app, people, check_accessible, shot):
    dora, paul, other = people.customer("Dora"), people.customer("Paul"), people.customer("Olga")
    trip = published(dora, soon(45), acceptsAutomatically=True)
    seat = asked(paul, trip)
    dora.post(f"/v1/rides/{seat['rideId']}/start")
    dora.post(f"/v1/rides/{seat['rideId']}/end")
    dora.post(f"/v1/seat-requests/{seat['id']}/confirm", {"inTheCar": False})
    paul.post(f"/v1/seat-requests/{seat['id']}/confirm", {"inTheCar": True})
    bad = published(other, soon(25 * 60))

    desk = phone("operator", who=people.operator, width=1280, height=800, geolocation=False)
    desk.locator(".live-list").wait_for()
    desk.get_by_role("link", name="Lift").click()
    heading(desk, "Lift")
    check_accessible(desk, "trips")
    shot(desk, "operator-lift-trips")
    dialog = desk.get_by_role("dialog")
    desk.get_by_role("button", name=f"Remove trip {bad['id'][-8:]}").click()
    expect(dialog).to_contain_text("Olga drives it.")
    dialog.get_by_role("button", name="Remove").click()
    expect(desk.get_by_text("The trip has been removed.").first).to_be_visible()
    assert other.get("/v1/trips")["items"][0]["status"] == "removed"
    desk.locator("label.choice", has_text="Removed").click()
    expect(desk.get_by_role("row").filter(has_text="Olga")).to_be_visible()

    desk.locator("label.choice", has_text="Disputes").click()
    desk.get_by_role("row").filter(has_text="Paul: was in the car").get_by_role("button", name="Decide").first.click()
    dialog.get_by_label("The passenger", exact=True).select_option("yes")
    dialog.get_by_role("button", name="Decide").click()
    expect(dialog.get_by_text("Please fill this in.")).to_be_visible()
    dialog.get_by_label("Reason, for the record").fill("A picture shows it.")
    check_accessible(desk, "decide")
    shot(desk, "operator-lift-decide")
    dialog.get_by_role("button", name="Decide").click()
    expect(desk.get_by_text("Decided. The passenger is notified.").first).to_be_visible()
    passenger = app(f"/lift/rides/{seat['rideId']}", who=paul)
    expect(passenger.get_by_text("Decided: the passenger was in the car.")).to_be_visible()

    desk.locator("label.choice", has_text="Areas").click()
    desk.get_by_role("button", name=re.compile("^Lifts in")).first.click()
    dialog.get_by_label("Commission in %").fill("101")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert").or_(dialog.locator("[aria-invalid=true]")).first).to_be_visible()
    dialog.get_by_label("Commission in %").fill("0")
    dialog.get_by_label("Trips per person per day").fill("25")
    dialog.get_by_role("button", name="Save").click()
    expect(desk.get_by_text("Saved.").first).to_be_visible()
    expect(desk.get_by_role("cell", name="25")).to_be_visible()
    check_accessible(desk, "areas")
    shot(desk, "operator-lift-areas")


def test_a_passenger_sees_the_driver_come_while_it_is_shared(app, people, check_accessible, shot):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    # Within a quarter of an hour before the pick-up.
    trip = published(dora, soon(8), acceptsAutomatically=True)
    ride = asked(paul, trip)["rideId"]
    passenger = app(f"/lift/rides/{ride}", who=paul)
    expect(passenger.get_by_text("We don’t have the driver’s location right now.")).to_be_visible()
    driver = app(f"/lift/rides/{ride}", who=dora, at=START)
    expect(driver.get_by_text("Your passengers can see where you are")).to_be_visible()
    check_accessible(driver, "shared")
    tap(driver, "Start ride")
    expect(passenger.get_by_text("You can see the driver live on the map.")).to_be_visible()
    expect(passenger.locator(".marker.valet")).to_have_count(1)
    check_accessible(passenger, "live")
    shot(passenger, "lift-live")
    tap(driver, "I’ve arrived")
    expect(driver.get_by_text("Your passengers can see where you are")).to_be_hidden()
    expect(passenger.locator(".marker.valet")).to_have_count(0)


def test_a_driver_is_blocked_from_their_profile(app, people):
    dora, paul = people.customer("Dora"), people.customer("Paul")
    trip = published(dora, soon(24 * 60))
    page = app(f"/lift/trips/{trip['id']}", who=paul)
    page.get_by_role("link", name=re.compile("^D? ?Dora")).click()
    heading(page, "Profile")
    expect(page.get_by_role("heading", name="Dora")).to_be_visible()
    expect(page.get_by_text("You can call and message once the seat is confirmed.")).to_be_visible()
    tap(page, "Block")
    page.get_by_role("dialog").get_by_role("button", name="Block").click()
    expect(page.get_by_text("Dora is blocked.").first).to_be_visible()
    eventually(lambda: is_gone(paul, trip), "the block")
    open_at(page, f"/lift/trips/{trip['id']}")
    expect(page.get_by_role("alert")).to_contain_text("This trip no longer exists.")
    expect(page.get_by_role("button", name="Request a seat")).to_have_count(0)


def is_gone(person: Any, trip: dict[str, Any]) -> bool:
    try:
        person.get(f"/v1/trips/{trip['id']}")
    except Refused as refused:
        return refused.code == "trip.unknown"
    return False
