"""The customer's tab "Places", "My mobility", and what operators do with vendors."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from api import PASSWORD, eventually
from conftest import COUNT_MAPS, focus_by_tab, is_wider_than_window, lives, open_at, refuse
from test_park import heading, tap
from town import here

#: Metres of a degree of latitude.
DEGREE = 111_320


def north(meters: float, of: tuple[float, float]) -> tuple[float, float]:
    return (of[0] + meters / DEGREE, of[1])


def vendor(people: Any, name: str, at: tuple[float, float], kind: str = "grocery", **more: Any) -> dict[str, Any]:
    """A vendor that an operator has added."""
    return people.operator.post("/v1/admin/vendors", {
        "name": name, "kind": kind, "position": {"latitude": at[0], "longitude": at[1]}, "address": f"{name} Street", **more})


@pytest.fixture
def app(phone: Any) -> Any:
    """A phone with the tab open."""
    def begun(path: str = "/places", **more: Any) -> Page:
        page = phone("customer", **more)
        page.get_by_role("heading", level=1).wait_for()
        open_at(page, path)
        page.locator(".places").wait_for()
        return page
    return begun


@pytest.fixture
def desk(phone: Any, people: Any) -> Any:
    """The operator's vendors."""
    page = phone("operator", who=people.operator, width=1280, height=800, geolocation=False)
    page.locator(".live-list").wait_for()
    page.get_by_role("link", name="Vendors").click()
    heading(page, "Vendors")
    page.get_by_role("button", name="Add vendor").wait_for()
    return page


def part(page: Page, name: str) -> None:
    page.locator("label.choice", has_text=name).first.click()


def item(page: Page, name: str) -> Any:
    return page.get_by_role("list", name="Places you can reach").get_by_role("listitem").filter(has_text=name)


def test_places_are_listed_with_the_way_to_them_and_filtered(app, people, check_accessible, shot):
    at = here(22.6010, 113.9010)
    market = vendor(people, "Early Market", north(300, at), "foodMarket", openingHours="24/7", acceptsStamps="yes", accessibility={"stepCentimeters": 0, "doorCentimeters": 95})
    vendor(people, "Shut Kitchen", north(500, at), "soupKitchen", openingHours="off", acceptsStamps="no")
    vendor(people, "Far Church", north(4_000, at), "church")
    page = app(who=people.customer(), at=at)
    heading(page, "Places")
    expect(item(page, "Early Market")).to_contain_text(re.compile(r"On foot, \d+ min, \d+ m"))
    expect(item(page, "Early Market")).to_contain_text("Open")
    expect(item(page, "Shut Kitchen")).to_contain_text("Closed")
    expect(page.get_by_text("2 places you can reach")).to_be_visible()
    expect(page.get_by_text("1 more matches, but beyond your limits.")).to_be_visible()
    expect(page.get_by_role("button", name="2 places here")).to_be_visible()
    check_accessible(page, "places")
    shot(page, "places-list")

    page.locator("summary", has_text="Filters").click()
    check_accessible(page, "filters")
    shot(page, "places-filters")
    page.get_by_role("switch", name="Open now").click()
    expect(item(page, "Shut Kitchen")).to_have_count(0)
    expect(page.locator("summary", has_text="Filters")).to_have_text("Filters (1)")
    page.get_by_role("switch", name="Open now").click()
    page.get_by_role("switch", name="Takes food stamps").click()
    expect(item(page, "Shut Kitchen")).to_have_count(0)
    expect(item(page, "Early Market")).to_be_visible()
    page.get_by_role("switch", name="Takes food stamps").click()
    page.get_by_role("switch", name="Accessible").click()
    expect(item(page, "Shut Kitchen")).to_have_count(0)
    page.get_by_role("switch", name="Accessible").click()
    page.locator("label.choice", has_text="Soup kitchen").click()
    expect(item(page, "Early Market")).to_have_count(0)
    page.locator("label.choice", has_text="Soup kitchen").click()
    page.get_by_role("searchbox", name="Search by name or street").fill("early")
    expect(page.get_by_text("1 place you can reach")).to_be_visible()
    expect(item(page, "Shut Kitchen")).to_have_count(0)
    item(page, "Early Market").get_by_role("link").click()
    heading(page, "Early Market")
    # What was chosen is still chosen.
    page.go_back()
    expect(page.get_by_role("searchbox", name="Search by name or street")).to_have_value("early")
    assert market["id"]


def test_a_page_of_places_says_that_there_are_more_and_shows_them(app, people):
    at = here(19.6110, 113.2110)
    for number in range(51):
        vendor(people, f"Stall {number}", north(10 * number, at))
    page = app(who=people.customer(), at=at)
    expect(page.get_by_text("50+ places you can reach")).to_be_visible()
    tap(page, "Show more")
    expect(page.get_by_text("51 places you can reach", exact=True)).to_be_visible()
    expect(item(page, "Stall 50")).to_be_visible()


def test_what_would_help_is_said_and_tried_where_nothing_is_within_reach(app, people, check_accessible, shot):
    # Far from the places of all other tests.
    at = here(16.6110, 112.9110)
    vendor(people, "Distant Grocery", north(8_000, at))
    walker = people.customer()
    page = app(who=walker, at=at)
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    expect(page.get_by_role("heading", name="How to find more")).to_be_visible()
    check_accessible(page, "nothing")
    shot(page, "places-nothing")
    page.get_by_role("button", name=re.compile("^Search up to .* away: 1 place$")).click()
    expect(page.get_by_text("You’re using limits other than your own.")).to_be_visible()
    expect(page.get_by_text("1 more matches, but beyond your limits.")).to_be_visible()
    # By car it is within reach: a changed profile counts at once.
    page.get_by_role("link", name="My mobility").click()
    heading(page, "My mobility")
    page.locator("label.choice", has_text="Car").click()
    tap(page, "Save")
    expect(page.get_by_text("Saved.")).to_be_visible()
    tap(page, "Cancel")
    expect(item(page, "Distant Grocery")).to_contain_text("Car")
    tap(page, "Use my limits")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()


def test_a_place_says_all_that_is_known_of_it_and_is_saved_and_given_up(app, people, check_accessible, shot):
    at = here(22.6210, 113.9210)
    shop = vendor(people, "Whole Shop", north(100, at), openingHours="Mo-Su 00:00-24:00; PH off", acceptsStamps="yes", phone="+35621220000", website="https://shop.example/all",
                  accessibility={"stepCentimeters": 0, "doorCentimeters": 90, "slopePercent": 6, "surface": "asphalt", "toilet": True, "lift": False})
    page = app(who=people.customer(), at=at)
    item(page, "Whole Shop").get_by_role("link").click()
    heading(page, "Whole Shop")
    for words in ("Takes food stamps", "No step", "90 cm", "6%", "asphalt", "The office, today", "On foot"):
        expect(page.get_by_text(words).first).to_be_visible()
    assert page.get_by_role("link", name="Call").get_attribute("href") == "tel:+35621220000"
    assert page.get_by_role("link", name="shop.example").get_attribute("rel") == "noopener noreferrer"
    check_accessible(page, "place")
    shot(page, "places-place")
    save = page.get_by_role("button", name="Save")
    expect(save).to_have_attribute("aria-pressed", "false")
    save.click()
    kept = page.get_by_role("button", name="Saved")
    expect(kept).to_have_attribute("aria-pressed", "true")
    open_at(page, "/places/saved")
    heading(page, "Saved places")
    check_accessible(page, "saved")
    page.get_by_role("link", name=re.compile("Whole Shop")).click()
    kept.click()
    expect(save).to_have_attribute("aria-pressed", "false")
    open_at(page, "/places/saved")
    expect(page.get_by_role("heading", name="No saved places yet")).to_be_visible()
    people.operator.call("DELETE", f"/v1/admin/vendors/{shop['id']}")
    open_at(page, f"/places/{shop['id']}")
    page.reload()
    expect(page.get_by_text("This place no longer exists.").first).to_be_visible()


def test_who_is_not_signed_in_looks_and_goes_on_where_they_were_asked_to_sign_in(app, people):
    at = here(22.6310, 113.9310)
    shop = vendor(people, "Open Door", north(200, at))
    other = vendor(people, "Other Door", north(220, at))
    ada = people.customer()
    page = app(at=at)
    page.get_by_role("searchbox").fill("open")
    item(page, "Other Door").wait_for(state="detached")
    item(page, "Open Door").get_by_role("link").click()
    heading(page, "Open Door")
    page.get_by_role("link", name="Save").click()
    heading(page, "Sign in")
    page.get_by_label("Phone number or e-mail").fill(ada.phone)
    page.get_by_label("Password").fill(PASSWORD)
    tap(page, "Sign in")
    heading(page, "Open Door")
    expect(page.get_by_role("button", name="Saved")).to_have_attribute("aria-pressed", "true")
    assert [one["vendor"]["id"] for one in ada.get("/v1/me/saved-vendors")["items"]] == [shop["id"]]
    open_at(page, "/places")
    expect(page.get_by_role("searchbox")).to_have_value("open")

    guest = app(at=at, path=f"/places/{other['id']}")
    guest.get_by_role("link", name="Suggest a change").click()
    heading(guest, "Sign in")
    guest.get_by_label("Phone number or e-mail").fill(ada.phone)
    guest.get_by_label("Password").fill(PASSWORD)
    tap(guest, "Sign in")
    heading(guest, "Suggest a change")
    expect(guest.get_by_role("heading", name="Other Door")).to_be_visible()


#: Counts the tones that a page sounds.
COUNT_TONES = """() => {
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
}"""


def test_a_route_is_held_for_shown_in_steps_sounded_and_ended(app, people, shot):
    at = here(22.6410, 113.9410)
    shop = vendor(people, "Way Shop", north(400, at))
    page = app(who=people.customer(), at=at)
    page.evaluate(COUNT_TONES)
    link = item(page, "Way Shop").get_by_role("link")
    # What a long press, the other mouse button and the menu key ask for.
    link.click(button="right")
    heading(page, "To Way Shop")
    assert f"/places/{shop['id']}/route?mode=walk" in page.url
    expect(page.get_by_text("Straight-line estimate")).to_be_visible()
    expect(page.locator("path.route")).to_have_count(1)
    assert page.evaluate("tones") == 1
    shot(page, "places-route")
    page.get_by_role("switch", name="Sound when a route is found").click()
    page.locator("label.choice", has_text="Bicycle").click()
    page.wait_for_url("**mode=bicycle")
    expect(page.get_by_role("radio", name="Bicycle")).to_be_checked()
    expect(page.locator("path.route")).to_have_count(1)
    assert page.evaluate("tones") == 1
    tap(page, "End route")
    heading(page, "Way Shop")
    expect(page.locator("path.route")).to_have_count(0)


def route(mode: str = "walk", **more: Any) -> dict[str, Any]:
    """A route as the router gives it."""
    (latitude, longitude) = here(22.651, 113.951)
    line = {"type": "LineString", "coordinates": [[longitude, latitude], [longitude + 0.001, latitude + 0.001]]}
    end = {"name": None, "position": {"latitude": latitude, "longitude": longitude}}
    times = {"departsAt": "2026-12-01T09:00:00Z", "arrivesAt": "2026-12-01T09:20:00Z"}
    return {"mode": mode, "line": line, "distanceMeters": 900, "durationSeconds": 1_200, **times, "transfers": 0, "isStraightLine": False, "breaks": [],
            "legs": [{"mode": mode, "line": None, "headsign": None, "from": end, "to": end, **times, "distanceMeters": 900, "stops": None}],
            "steps": [{"text": "Walk north on Republic Street.", "distanceMeters": 850, "kind": "depart"}, {"text": "You have arrived.", "distanceMeters": 0, "kind": "arrive"}], **more}


def answer(page: Page, pattern: str, *items: dict[str, Any]) -> None:
    page.context.route(pattern, lambda asked: asked.fulfill(content_type="application/json", body=json.dumps({"items": items, "attribution": "© Map makers"})))


def test_a_route_says_its_steps_legs_and_the_limits_that_it_breaks(app, people, check_accessible, shot):
    at = here(22.6510, 113.9510)
    shop = vendor(people, "Bus Shop", north(600, at))
    page = app(who=people.customer(), at=at)
    answer(page, "**/v1/routes?*", route(breaks=["maxWalkMeters", "maxSeconds"]))
    open_at(page, f"/places/{shop['id']}/route?mode=walk")
    steps = page.get_by_role("list", name="Steps")
    expect(steps.get_by_role("listitem")).to_have_count(2)
    expect(steps).to_contain_text("Walk north on Republic Street.")
    expect(page.get_by_text("Beyond your limits: on foot, time.")).to_be_visible()
    expect(page.get_by_text("© Map makers").first).to_be_visible()

    position = route()["legs"][0]["from"]["position"]
    stop = {"name": "Castille", "position": position}
    times = {"departsAt": "2026-12-01T09:05:00Z", "arrivesAt": "2026-12-01T09:15:00Z"}
    ride = {"mode": "bus", "line": "41", "headsign": "Cirkewwa", "from": stop, "to": {"name": "Msida", "position": position}, **times, "distanceMeters": 700, "stops": 3}
    page.context.unroute("**/v1/routes?*")
    answer(page, "**/v1/routes?*", route("bus", legs=[route()["legs"][0], ride]), route("bus", durationSeconds=1_800))
    page.locator("label.choice", has_text="Bus").click()
    legs = page.get_by_role("list", name="Stages")
    expect(legs).to_contain_text("Bus 41")
    expect(legs).to_contain_text("your location → Castille")
    expect(legs).to_contain_text("Castille → Msida")
    expect(legs).to_contain_text("towards Cirkewwa · 3 stops in between")
    expect(page.get_by_text("Routes", exact=True)).to_be_visible()
    check_accessible(page, "legs")
    shot(page, "places-legs")

    page.context.unroute("**/v1/routes?*")
    answer(page, "**/v1/routes?*")
    page.locator("label.choice", has_text="Train").click()
    expect(page.get_by_role("heading", name="No route like this")).to_be_visible()
    check_accessible(page, "no way")
    page.context.unroute("**/v1/routes?*")
    refuse(page, "**/v1/routes?*", 429, "service.unavailable")
    page.locator("label.choice", has_text="Car").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.context.unroute("**/v1/routes?*")
    tap(page, "Try again")
    expect(page.locator("path.route")).to_have_count(1)


def test_what_can_be_reached_lies_on_the_map_when_it_is_wished(app, people, shot):
    at = here(22.6610, 113.9610)
    vendor(people, "Near Shop", north(200, at))
    page = app(who=people.customer(), at=at)
    toggle = page.get_by_role("switch", name="Show what I can reach")
    expect(page.locator("path.area")).to_have_count(0)
    toggle.click()
    expect(page.get_by_text(re.compile(r"^Area within \d+ min on foot( \(rough\))?\."))).to_be_visible()
    expect(page.locator("path.area")).to_have_count(1)
    shot(page, "places-area")
    toggle.click()
    expect(page.locator("path.area")).to_have_count(0)


def test_places_are_looked_for_around_the_maps_middle_and_home(app, people):
    home, away = here(22.6710, 113.9710), here(22.6910, 113.9910)
    vendor(people, "Home Shop", north(200, home))
    vendor(people, "Away Shop", north(200, away))
    ada = people.customer()
    page = app(who=ada, at=away)
    expect(item(page, "Away Shop")).to_be_visible()
    page.locator("label.choice", has_text="My home").click()
    expect(page.get_by_role("heading", name="You haven’t set your home yet.")).to_be_visible()
    page.get_by_role("link", name="My mobility").first.click()
    page.get_by_role("combobox", name="My home").fill(f"{home[0]}, {home[1]}")
    page.get_by_role("option").first.click()
    tap(page, "Save")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert ada.get("/v1/me/mobility")["home"]["latitude"] == home[0]
    open_at(page, "/places")
    expect(item(page, "Home Shop")).to_be_visible()
    page.locator("label.choice", has_text="My location").click()
    expect(item(page, "Away Shop")).to_be_visible()
    page.locator("label.choice", has_text="Map").click()
    expect(item(page, "Away Shop")).to_be_visible()


def test_mobility_keeps_what_can_be_taken_while_something_is_wrong(app, people, check_accessible, shot):
    ada = people.customer()
    page = app("/places/mobility", who=ada, at=here(22.70, 113.90))
    heading(page, "My mobility")
    walk, time_, way = (page.get_by_label(name) for name in ("On foot (m)", "Time (min)", "Distance (km)"))
    expect(walk).to_have_value("1000")
    walk.fill("400")
    time_.fill("500")
    way.fill("many")
    page.get_by_label("My travel passes").fill("Tallinja\nSenior")
    page.locator("label.choice", has_text="Train").click()
    tap(page, "Save")
    expect(page.get_by_text("Saved, except 2 fields.")).to_be_visible()
    expect(page.get_by_text("Enter 1 to 120 minutes.")).to_be_visible()
    expect(page.get_by_text("Enter 0.05 to 100 km.")).to_be_visible()
    expect(time_).to_be_focused()
    expect(time_).to_have_value("500")
    expect(way).to_have_value("many")
    check_accessible(page, "refused")
    shot(page, "places-mobility")
    kept = ada.get("/v1/me/mobility")
    assert (kept["maxWalkMeters"], kept["maxSeconds"], kept["passes"], kept["modes"]["train"]) == (400, 2_700, ["Tallinja", "Senior"], False)
    # All that is sent is wrong: nothing is taken, and each is named.
    tap(page, "Save")
    expect(page.get_by_text("Not saved: correct 2 fields.")).to_be_visible()
    expect(page.get_by_text("Enter 1 to 120 minutes.")).to_be_visible()
    expect(page.get_by_text("Enter 0.05 to 100 km.")).to_be_visible()
    # The same of one.
    way.fill("20")
    tap(page, "Save")
    expect(page.get_by_text("Not saved: correct 1 field.")).to_be_visible()
    time_.fill("40")
    tap(page, "Save")
    tick = page.locator(".saved-tick")
    expect(tick).to_have_text("Saved.")
    expect(tick.locator(".icon")).to_be_visible()
    check_accessible(page, "saved")
    assert ada.get("/v1/me/mobility")["maxSeconds"] == 2_400
    walk.fill("900")
    expect(tick).to_have_count(0)
    tap(page, "Cancel")
    heading(page, "Places")
    open_at(page, "/places/mobility")
    expect(walk).to_have_value("400")
    for name in ("On foot", "Bus"):
        page.locator("label.choice", has_text=name).click()
    tap(page, "Save")
    expect(page.get_by_text("Choose at least one.")).to_be_visible()


def test_by_keyboard_alone_a_place_is_found_its_route_asked_for_and_ended(app, people):
    at = here(22.7010, 114.0010)
    vendor(people, "Key Shop", north(150, at))
    page = app(who=people.customer(), at=at)
    item(page, "Key Shop").wait_for()
    focus_by_tab(page, page.get_by_role("searchbox"))
    page.keyboard.type("key")
    link = item(page, "Key Shop").get_by_role("link")
    focus_by_tab(page, link)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Route to Key Shop")).to_be_focused()
    page.keyboard.press("Enter")
    heading(page, "To Key Shop")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    # What a screen reader is told when the way is there.
    expect(page.get_by_role("status").filter(has_text="Route found: ")).to_have_count(1)
    focus_by_tab(page, page.get_by_role("radio", name="On foot"))
    focus_by_tab(page, page.get_by_role("switch", name="Sound when a route is found"))
    page.keyboard.press("Space")
    expect(page.get_by_role("switch", name="Sound when a route is found")).to_have_attribute("aria-checked", "false")
    open_at(page, "/places")
    # The menu key, which asks for a menu of what has the focus.
    focus_by_tab(page, link)
    page.keyboard.press("ContextMenu")
    heading(page, "To Key Shop")
    focus_by_tab(page, page.get_by_role("button", name="End route"))
    page.keyboard.press("Enter")
    heading(page, "Key Shop")
    open_at(page, "/places")
    marker = page.get_by_role("button", name=re.compile("^Key Shop, Grocery, On foot"))
    marker.focus()
    page.keyboard.press("Enter")
    heading(page, "Key Shop")


def test_a_finger_that_stays_on_a_place_gets_the_route_and_one_that_scrolls_does_not(app, people):
    at = here(22.7110, 114.0110)
    shop = vendor(people, "Held Shop", north(150, at))
    page = app(who=people.customer(), at=at)
    link = item(page, "Held Shop").get_by_role("link")
    link.wait_for()
    press = """(element, [by, ...more]) => {
        const at = { bubbles: true, cancelable: true, pointerType: 'touch', clientX: 50, clientY: 50 };
        element.dispatchEvent(new PointerEvent('pointerdown', at));
        element.dispatchEvent(new PointerEvent('pointermove', { ...at, clientY: 50 + by }));
        for (const type of more) element.dispatchEvent(new PointerEvent(type, at));
    }"""
    link.evaluate(press, [40])
    link.evaluate(press, [2, "pointerup"])
    # Neither of these waits any longer: only a tap opens the place.
    link.click()
    heading(page, "Held Shop")
    page.go_back()
    link.evaluate(press, [2])
    heading(page, "To Held Shop")
    assert f"/places/{shop['id']}/route" in page.url


def test_a_suggestion_is_sent_and_taken_over_by_an_operator(app, desk, people, check_accessible, shot):
    at = here(22.7210, 114.0210)
    shop = vendor(people, "Old Name", north(100, at), acceptsStamps="unknown")
    page = app(f"/places/{shop['id']}/suggest", who=people.customer(), at=at)
    heading(page, "Suggest a change")
    tap(page, "Send")
    expect(page.get_by_text("Change something, or write a note.")).to_be_visible()
    page.get_by_label("Highest step (cm)").fill("low")
    tap(page, "Send")
    expect(page.get_by_text("Enter a whole number.")).to_be_visible()
    page.get_by_label("Highest step (cm)").fill("900")
    page.get_by_label("Name", exact=True).fill("New Name")
    tap(page, "Send")
    expect(page.get_by_label("Highest step (cm)")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Name", exact=True)).to_have_value("New Name")
    check_accessible(page, "suggest wrong")
    shot(page, "places-suggest")
    page.get_by_label("Highest step (cm)").fill("3")
    page.get_by_label("Food stamps").select_option("yes")
    page.get_by_label(re.compile("^Note for the office")).fill("I was there today.")
    tap(page, "Send")
    heading(page, "Old Name")

    part(desk, "Suggestions")
    row = desk.get_by_role("row").filter(has_text="Old Name")
    for words in ("New Name", "Takes food stamps", "I was there today.", "Highest step (cm)"):
        expect(row).to_contain_text(words)
    shot(desk, "operator-vendor-suggestions")
    row.get_by_role("button", name="Accept the suggestion for Old Name").click()
    expect(desk.get_by_text("Accepted. The vendor is changed.").first).to_be_visible()
    part(desk, "Accepted")
    expect(desk.get_by_role("row").filter(has_text="New Name").first).to_be_visible()
    changed = people.operator.get(f"/v1/vendors/{shop['id']}")
    assert (changed["name"], changed["acceptsStamps"], changed["accessibility"]["measured"]["stepCentimeters"]["source"]) == ("New Name", "yes", "people")
    page.reload()
    heading(page, "New Name")


def test_an_operator_adds_finds_changes_and_removes_vendors(desk, people, check_accessible, shot):
    dialog = desk.get_by_role("dialog")
    latitude, longitude = here(22.73, 114.03)
    tap(desk, "Add vendor")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Please fill this in.").first).to_be_visible()
    dialog.get_by_label("Name", exact=True).fill("Desk Market")
    dialog.get_by_label("Latitude").fill("north")
    dialog.get_by_label("Longitude").fill(str(longitude))
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Enter a number.")).to_be_visible()
    dialog.get_by_label("Latitude").fill("95")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_label("Latitude")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Latitude").fill(str(latitude))
    dialog.get_by_label("Opening hours").fill("Mo-Fr 09:00-17:00")
    dialog.get_by_label("Narrowest door (cm)").fill("95")
    check_accessible(desk, "vendor")
    shot(desk, "operator-vendor")
    dialog.get_by_role("button", name="Save").click()
    row = desk.get_by_role("row").filter(has_text="Desk Market")
    expect(row).to_contain_text("Food market")
    check_accessible(desk, "vendors")
    shot(desk, "operator-vendors")
    desk.get_by_role("searchbox").fill("desk mar")
    desk.get_by_role("button", name="Search", exact=True).click()
    expect(desk.get_by_role("row")).to_have_count(2)
    desk.get_by_label("Type").select_option("church")
    expect(desk.get_by_role("heading", name="No matching vendors.")).to_be_visible()
    desk.get_by_label("Type").select_option("")
    desk.get_by_role("button", name="Edit Desk Market").click()
    # Somebody else was faster.
    [made] = people.operator.get("/v1/admin/vendors?q=Desk%20Market")["items"]
    assert made["accessibility"]["doorCentimeters"] == 95
    body = {"name": "Desk Market", "kind": "foodMarket", "position": made["position"], "openingHours": "24/7"}
    people.operator.put(f"/v1/admin/vendors/{made['id']}", body)
    dialog.get_by_label("Phone").fill("123456")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Someone else has changed this.")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    desk.get_by_role("button", name="Search", exact=True).click()
    expect(row).to_contain_text("24/7")
    desk.get_by_role("button", name="Edit Desk Market").click()
    dialog.get_by_label("Phone").fill("123456")
    dialog.get_by_role("button", name="Save").click()
    # "Saved." may still be there from the time before.
    eventually(lambda: people.operator.get(f"/v1/vendors/{made['id']}")["phone"] == "123456", "the vendor's phone number")
    desk.get_by_role("button", name="Remove Desk Market").click()
    dialog.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)


ROWS = f"""name,kind,latitude,longitude,openingHours
Row One,grocery,22.7410,{here(22.7410, 114.0410)[1]},24/7
Row Two,castle,22.7420,{here(22.7420, 114.0420)[1]},
Row Three,church,north,{here(22.7430, 114.0430)[1]},
Row Four,church,22.7440,{here(22.7440, 114.0440)[1]},
"""


def test_a_file_is_imported_with_its_progress_and_its_refused_rows(desk, people, check_accessible, shot):
    part(desk, "Imports")
    tap(desk, "Import")
    expect(desk.get_by_text("Please fill this in.").first).to_be_visible()
    choose = desk.get_by_label("File (CSV or GeoJSON)")
    choose.set_input_files({"name": "picture.csv", "mimeType": "text/csv", "buffer": b"no,columns\n1,2\n"})
    expect(desk.get_by_label("Name of the source")).to_have_value("picture")
    tap(desk, "Import")
    expect(desk.get_by_text(re.compile("^We can.t read the file"))).to_be_visible()
    choose.set_input_files({"name": "rows.csv", "mimeType": "text/csv", "buffer": ROWS.encode()})
    desk.get_by_label("Name of the source").fill("town rows")
    tap(desk, "Import")
    bar = desk.get_by_role("progressbar", name="Progress of town rows")
    expect(bar).to_be_visible()
    expect(desk.get_by_text("4 of 4 rows")).to_be_visible()
    refused = desk.get_by_role("table", name="Refused rows of town rows")
    expect(refused.get_by_role("row")).to_have_count(3)
    expect(refused.get_by_role("row").nth(1)).to_contain_text("3")
    expect(refused.get_by_role("row").nth(2)).to_contain_text("latitude")
    check_accessible(desk, "import")
    shot(desk, "operator-vendor-import")
    expect(desk.get_by_role("button", name="Show the import town rows").first).to_be_visible()
    assert {one["name"] for one in people.operator.get("/v1/admin/vendors?q=Row")["items"]} >= {"Row One", "Row Four"}


def test_an_import_that_runs_is_followed_until_it_is_done(desk):
    done = {"at": 0}
    row = {"id": "11111111-1111-7111-8111-111111111111", "name": "long", "rows": 300, "added": 0, "changed": 0, "unchanged": 0, "refused": [], "refusedCount": 0, "startedAt": "2026-12-01T09:00:00Z"}
    held: list[Any] = []

    def tell(asked: Any) -> None:
        # The last answer waits until the one before was seen: the app asks each second.
        if done["at"] == 200 and not held:
            return held.append(asked)
        done["at"] += 100
        asked.fulfill(content_type="application/json", body=json.dumps({**row, "done": done["at"], "added": done["at"], "status": "done" if done["at"] >= 300 else "running"}))
    desk.context.route(f"**/v1/admin/vendor-imports/{row['id']}", tell)
    desk.context.route("**/v1/admin/vendor-imports?name=*", lambda asked: asked.fulfill(status=202, content_type="application/json", body=json.dumps({**row, "done": 0, "status": "running"})))
    part(desk, "Imports")
    desk.get_by_label("File (CSV or GeoJSON)").set_input_files({"name": "long.csv", "mimeType": "text/csv", "buffer": ROWS.encode()})
    tap(desk, "Import")
    bar = desk.get_by_role("progressbar", name="Progress of long")
    expect(bar).to_have_js_property("value", 200)
    eventually(lambda: desk.wait_for_timeout(50) or held, "the last question")
    tell(held[0])
    expect(bar).to_have_js_property("value", 300)
    expect(desk.get_by_text("300 of 300 rows")).to_be_visible()
    desk.wait_for_timeout(1_500)
    assert done["at"] == 300


def test_two_that_are_one_are_linked_and_made_their_own_again(app, desk, people, check_accessible, shot):
    at = here(22.7510, 114.0510)
    first = vendor(people, "Twin Bakery", at)
    second = vendor(people, "Twin Bakery", north(20, at), address="Back Lane")
    part(desk, "Duplicates")
    row = desk.get_by_role("row").filter(has_text="Back Lane")
    expect(row).to_contain_text("20 m")
    check_accessible(desk, "duplicates")
    shot(desk, "operator-vendor-duplicates")
    row.get_by_role("button", name="Keep Twin Bakery, Twin Bakery Street").click()
    expect(desk.get_by_text("Kept Twin Bakery; the other is linked to it.").first).to_be_visible()
    expect(row).to_have_count(0)
    assert people.operator.get(f"/v1/vendors/{second['id']}")["duplicateOf"] == first["id"]
    page = app(f"/places/{second['id']}", at=at)
    expect(page.get_by_text("This is a duplicate of another place.")).to_be_visible()
    page.get_by_role("link", name="Show the other place").click()
    expect(page.get_by_text("Twin Bakery Street")).to_be_visible()
    part(desk, "All")
    listed = desk.get_by_role("row").filter(has_text="Back Lane")
    expect(listed).to_contain_text("Duplicate")
    listed.get_by_role("button", name="Unlink Twin Bakery").click()
    expect(desk.get_by_text("Twin Bakery is a separate vendor again.").first).to_be_visible()
    assert people.operator.get(f"/v1/vendors/{second['id']}")["duplicateOf"] is None


def test_an_operator_sees_how_much_is_known_of_each_kind(desk, people, check_accessible, shot):
    vendor(people, "Known Kitchen", here(22.7610, 114.0610), "soupKitchen", openingHours="24/7", acceptsStamps="yes", accessibility={"stepCentimeters": 2})
    part(desk, "Coverage")
    row = desk.get_by_role("row").filter(has_text="Soup kitchen")
    expect(row.get_by_role("cell").nth(1)).to_have_text(re.compile(r"^[1-9]\d* \(\d+%\)$"))
    check_accessible(desk, "coverage")
    shot(desk, "operator-vendor-coverage")


def test_what_was_found_stays_without_a_network_and_trouble_is_said(app, people):
    at = here(22.7710, 114.0710)
    shop = vendor(people, "Line Shop", north(100, at))
    page = app(who=people.customer(), at=at)
    item(page, "Line Shop").get_by_role("link").click()
    heading(page, "Line Shop")
    open_at(page, "/places")
    page.context.set_offline(True)
    expect(page.get_by_text("You’re offline.").first).to_be_visible()
    expect(item(page, "Line Shop")).to_be_visible()
    item(page, "Line Shop").get_by_role("link").click()
    heading(page, "Line Shop")
    expect(page.get_by_text("Grocery")).to_be_visible()
    open_at(page, f"/places/{shop['id']}/route?mode=walk")
    expect(page.get_by_role("alert")).to_be_visible()
    page.context.set_offline(False)
    tap(page, "Try again")
    expect(page.locator("path.route")).to_have_count(1)
    refuse(page, "**/v1/vendors?*", 429, "service.unavailable")
    open_at(page, "/places")
    page.get_by_role("searchbox").fill("line")
    expect(page.get_by_role("alert")).to_be_visible()
    page.context.unroute("**/v1/vendors?*")
    tap(page, "Try again")
    expect(item(page, "Line Shop")).to_be_visible()


@pytest.mark.parametrize("language", ["en-GB", "zh-HK"])
def test_it_all_fits_a_narrow_phone_in_the_dark(app, people, check_accessible, shot, language):
    at = here(22.7810, 114.0810)
    shop = vendor(people, "St Augustine’s Street Market of Vegetables", north(100, at), "foodMarket", openingHours="Mo-Fr 09:00-17:00; Sa 10:00-14:00", phone="+35621220000")
    page = app(who=people.customer(language="zh-Hant" if language == "zh-HK" else "en"), at=at, language=language, dark=True, width=360, height=740)
    page.locator(".place-line").first.wait_for()
    for name, path in {"list": "/places", "place": f"/places/{shop['id']}", "route": f"/places/{shop['id']}/route?mode=walk", "suggest": f"/places/{shop['id']}/suggest", "mobility": "/places/mobility", "saved": "/places/saved"}.items():
        open_at(page, path)
        page.get_by_role("heading", level=1).wait_for()
        expect(page.locator(".skeleton")).to_have_count(0)
        assert not is_wider_than_window(page), name
        assert not re.search(r"\bplaces\.\w", page.locator("body").inner_text()), name
        if language == "en-GB":
            check_accessible(page, name)
        shot(page, f"places-narrow-{name}-{language}")


def test_on_a_wide_window_the_map_stays_beside_what_is_read_and_goes_with_the_tab(phone, people, shot):
    at = here(22.7910, 114.0910)
    vendor(people, "Wide Shop", north(200, at))
    page = phone("customer", who=people.customer(), at=at, width=1280, height=800, before=lambda page: page.add_init_script(COUNT_MAPS))
    page.get_by_role("heading", level=1).wait_for()
    open_at(page, "/places")
    item(page, "Wide Shop").wait_for()
    lives(page, 1)
    shot(page, "places-wide")
    marker = page.get_by_role("button", name=re.compile("^Wide Shop, Grocery"))
    marker.click()
    heading(page, "Wide Shop")
    expect(page.locator(".marker-text")).to_have_text("Wide Shop")
    shot(page, "places-wide-place")
    page.get_by_role("button", name="Wide Shop").click(button="right")
    heading(page, "To Wide Shop")
    expect(page.locator("path.route")).to_have_count(1)
    shot(page, "places-wide-route")
    assert not is_wider_than_window(page)
    lives(page, 1)
    # There, only the map of the lifts is left.
    open_at(page, "/lift")
    heading(page, "Lift")
    lives(page, 1)


def test_who_cant_get_there_by_the_best_that_they_have_is_led_on_foot(app, people):
    at = here(22.8010, 114.1010)
    shop = vendor(people, "Foot Shop", north(200, at))
    page = app(who=people.customer(), at=at)
    page.context.route("**/v1/routes?*", lambda asked: asked.fulfill(
        content_type="application/json", body=json.dumps({"items": [route()] if "mode=walk" in asked.request.url else [], "attribution": None})))
    open_at(page, f"/places/{shop['id']}/route")
    page.wait_for_url("**/route?mode=walk")
    expect(page.get_by_role("radio", name="On foot")).to_be_checked()
    expect(page.get_by_role("list", name="Steps")).to_be_visible()


def test_one_leaves_now_or_at_a_time_on_the_places_clocks_and_arrives_by_a_time_by_bus(app, people, check_accessible, shot):
    # Its clocks are three hours behind those of the phone.
    at = here(22.8110, 114.1110)
    shop = vendor(people, "Clock Shop", north(200, at), openingHours="24/7", timeZone="Asia/Karachi")
    page = app(who=people.customer(), at=at)
    item(page, "Clock Shop").wait_for()
    asked: list[dict[str, list[str]]] = []
    page.on("request", lambda request: "/v1/vendors?" in request.url and asked.append(parse_qs(urlsplit(request.url).query)))
    summary = page.locator("summary", has_text="Leave")
    focus_by_tab(page, summary)
    page.keyboard.press("Enter")
    focus_by_tab(page, page.get_by_role("radio", name="Leave now"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Leave at")).to_be_checked()
    field = page.get_by_label("Day and time")
    expect(field).to_have_accessible_description("Local time there, not yours.")
    # A day of next year is to come, whenever this runs.
    day = f"{datetime.now().year + 1}-05-06"
    field.fill(f"{day}T18:30")
    shown_day = r"\w{3},? 6 May( \d{4})?"
    shown = f"{shown_day}, 18:30"
    expect(summary).to_have_text(re.compile(f"^Leave: {shown}$"))
    page.locator("summary", has_text="Filters").click()
    page.get_by_role("switch", name="Open at that time").click()
    expect(page.locator("summary", has_text="Filters (1)")).to_be_visible()
    page.wait_for_function("() => !document.querySelector('.skeleton')")
    expect(item(page, "Clock Shop")).to_be_visible()
    moment = f"{day}T13:30:00.000Z"
    assert (asked[-1]["departAt"], asked[-1]["openAt"]) == ([moment], [moment])
    check_accessible(page, "when")
    shot(page, "places-when")

    routes: list[dict[str, list[str]]] = []
    page.on("request", lambda request: "/v1/routes?" in request.url and routes.append(parse_qs(urlsplit(request.url).query)))
    page.get_by_role("button", name="Route to Clock Shop").click()
    heading(page, "To Clock Shop")
    expect(summary).to_have_text(re.compile(f"^Leave: {shown}$"))
    expect(page.get_by_text(re.compile(rf"^{shown} – 18:\d\d$"))).to_be_visible()
    assert routes[-1]["departAt"] == [moment]
    # By foot one does not arrive by a time.
    page.locator("summary", has_text="Leave").click()
    expect(page.get_by_role("radio", name="Arrive by")).to_have_count(0)
    answer(page, "**/v1/routes?*", route("bus", departsAt=f"{day}T12:50:00Z", arrivesAt=f"{day}T13:10:00Z"))
    page.locator("label.choice", has_text="Bus").click()
    page.get_by_role("radio", name="Arrive by").check(force=True)
    expect(page.locator("summary", has_text=re.compile(f"Arrive by: {shown}"))).to_be_visible()
    expect(page.get_by_text(re.compile(f"^{shown_day}, 17:50 – 18:10$"))).to_be_visible()
    assert routes[-1]["arriveBy"] == [moment] and "departAt" not in routes[-1]
    page.reload()
    expect(page.locator("summary", has_text=re.compile(f"Arrive by: {shown}"))).to_be_visible()
    page.context.unroute("**/v1/routes?*")
    page.locator("label.choice", has_text="On foot").click()
    expect(page.get_by_role("status").filter(has_text="Arrival times work for bus and train only")).to_be_visible()
    expect(summary).to_have_text("Leave now")

    # A time that is over, as that of a page that was left open.
    open_at(page, f"/places/{shop['id']}/route?mode=walk&departAt=2020-01-01T00:00:00Z")
    expect(page.get_by_role("status").filter(has_text="That time has passed, so this is for leaving now.")).to_be_visible()
    expect(summary).to_have_text("Leave now")
    assert "departAt" not in routes[-1]
    open_at(page, "/places")
    page.locator("summary", has_text="Leave").click()
    page.locator("label.choice", has_text="Leave now").click()
    expect(summary).to_have_text("Leave now")
    page.wait_for_function("() => !document.querySelector('.skeleton')")
    assert "departAt" not in asked[-1]


def test_a_place_that_closes_or_opens_on_the_way_says_so(app, people):
    at = here(22.8210, 114.1210)
    closing = vendor(people, "Closing Shop", north(200, at), openingHours="24/7")
    vendor(people, "Opening Shop", north(220, at), openingHours="off")
    page = app(who=people.customer(), at=at)
    item(page, "Closing Shop").wait_for()

    def tell(asked: Any) -> None:
        found = asked.fetch().json()
        for one in found["items"]:
            one["isOpenOnArrival"] = not one["isOpen"]
        asked.fulfill(content_type="application/json", body=json.dumps(found))
    page.context.route("**/v1/vendors?*", tell)
    page.get_by_role("searchbox").fill("shop")
    expect(item(page, "Closing Shop")).to_contain_text("Closes before you arrive")
    expect(item(page, "Opening Shop")).to_contain_text("Open when you arrive")
    item(page, "Closing Shop").get_by_role("link").click()
    heading(page, "Closing Shop")
    expect(page.get_by_text("Closes before you arrive")).to_be_visible()
    assert closing["id"] in page.url


def test_a_step_of_the_way_is_shown_on_the_map_until_the_route_ends(app, people, check_accessible, shot):
    at = here(22.8310, 114.1310)
    shop = vendor(people, "Step Shop", north(600, at))
    page = app(who=people.customer(), at=at)
    first, second = route()["steps"]
    spot = {"latitude": at[0] + 0.002, "longitude": at[1]}
    answer(page, "**/v1/routes?*", route(steps=[{**first, "position": spot}, second]))
    open_at(page, f"/places/{shop['id']}/route?mode=walk")
    steps = page.get_by_role("list", name="Steps")
    expect(steps.get_by_role("listitem")).to_have_count(2)
    # One whose place is not known leads nowhere.
    expect(steps.get_by_role("button")).to_have_count(1)
    step = steps.get_by_role("button", name="Walk north on Republic Street. 850 m")
    mark = page.get_by_role("region", name="Map of places").get_by_role("img", name="Walk north on Republic Street.")
    focus_by_tab(page, step)
    expect(mark).to_have_count(0)
    page.keyboard.press("Enter")
    expect(step).to_have_attribute("aria-pressed", "true")
    expect(step).to_be_focused()
    expect(mark).to_have_text("1")
    # The map has moved there: the mark stands in its middle.
    page.wait_for_function("""() => {
        const middle = (node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
        const [map, mark] = ['.leaflet-container', '.marker.step'].map((name) => middle(document.querySelector(name)));
        return Math.hypot(map[0] - mark[0], map[1] - mark[1]) < 3;
    }""")
    check_accessible(page, "step")
    shot(page, "places-step")
    page.keyboard.press("Enter")
    expect(mark).to_have_count(0)
    page.keyboard.press("Space")
    expect(mark).to_have_count(1)
    tap(page, "End route")
    heading(page, "Step Shop")
    expect(page.locator(".marker.step")).to_have_count(0)


def test_a_suggestion_moves_the_place_names_its_double_and_measures_all_and_is_kept_until_it_is_sent(app, desk, people, check_accessible, shot):
    at = here(22.8410, 114.1410)
    shop = vendor(people, "Move Shop", north(100, at), accessibility={"doorCentimeters": 90, "toilet": False})
    other = vendor(people, "Same Shop", north(140, at))
    vendor(people, "Remote Shop", north(2_000, at))
    ada = people.customer()
    page = app(f"/places/{shop['id']}/suggest", who=ada, at=at)
    heading(page, "Suggest a change")
    page.get_by_label("Phone").fill("555")
    page.get_by_label("Steepest ramp (%)").fill("7")
    page.get_by_label("Surface").fill("gravel")
    page.get_by_label("Wheelchair-accessible toilet").select_option("yes")
    page.get_by_label("Lift", exact=True).select_option("no")
    same = page.get_by_label("Same place as")
    expect(same.locator("option")).to_have_text(["None", "Same Shop, Same Shop Street, 40 m"])
    same.select_option(other["id"])
    # By keyboard alone: the map is moved by its arrows, and the place put in its middle.
    focus_by_tab(page, page.locator("summary", has_text="Move it on the map"))
    page.keyboard.press("Enter")
    small = page.get_by_role("region", name="Map of the place")
    focus_by_tab(page, small)
    page.keyboard.press("ArrowUp")
    focus_by_tab(page, page.get_by_role("button", name="It’s in the middle"))
    page.keyboard.press("Enter")
    moved = page.locator("summary", has_text=re.compile(r"^Moved on the map by \d+ m$"))
    expect(moved).to_be_visible()
    expect(small.get_by_role("img", name="Previous position")).to_have_count(1)
    check_accessible(page, "suggest all")
    shot(page, "places-suggest-all")
    tap(page, "Undo the move")
    expect(page.locator("summary", has_text="Move it on the map")).to_be_visible()
    # By hand: where it is tapped.
    small.scroll_into_view_if_needed()
    box = small.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2 + 40, box["y"] + box["height"] / 2 + 40)
    expect(moved).to_be_visible()

    # What is half written is there again, also after the page was loaded anew.
    page.get_by_role("link", name="Back").click()
    heading(page, "Move Shop")
    page.get_by_role("link", name="Suggest a change").click()
    page.reload()
    expect(page.get_by_label("Phone")).to_have_value("555")
    expect(page.get_by_label("Surface")).to_have_value("gravel")
    expect(page.get_by_label("Wheelchair-accessible toilet")).to_have_value("yes")
    expect(same).to_have_value(other["id"])
    expect(moved).to_be_visible()
    tap(page, "Send")
    heading(page, "Move Shop")
    page.get_by_role("link", name="Suggest a change").click()
    expect(page.get_by_label("Phone")).to_have_value("")
    expect(page.locator("summary", has_text="Move it on the map")).to_be_visible()
    page.get_by_label("Phone").fill("777")
    page.get_by_role("link", name="Cancel").click()
    heading(page, "Move Shop")
    page.get_by_role("link", name="Suggest a change").click()
    expect(page.get_by_label("Phone")).to_have_value("")

    part(desk, "Suggestions")
    row = desk.get_by_role("row").filter(has_text="Move Shop")
    for words in ("Same as", "Same Shop, Same Shop Street", "gravel", "Steepest ramp (%)", "555"):
        expect(row).to_contain_text(words)
    expect(row).to_contain_text(re.compile(r"Position\d+ m from the current position"))
    # Only what was said.
    expect(row).not_to_contain_text("Narrowest door")
    check_accessible(desk, "suggestions of all")
    shot(desk, "operator-vendor-suggestion-all")
    row.get_by_role("button", name="Accept the suggestion for Move Shop").click()
    expect(desk.get_by_text("Accepted. The vendor is changed.").first).to_be_visible()
    part(desk, "Accepted")
    expect(row).to_contain_text("PositionMoved")
    now = people.operator.get(f"/v1/vendors/{shop['id']}")
    assert now["duplicateOf"] == other["id"] and now["position"] != shop["position"]
    measured = {name: value for name, value in now["accessibility"].items() if name != "measured"}
    assert measured == {"doorCentimeters": 90, "slopePercent": 7, "surface": "gravel", "toilet": True, "lift": False}


def test_what_is_half_written_is_nobody_elses(app, people):
    at = here(22.8510, 114.1510)
    shop = vendor(people, "Private Shop", north(100, at))
    page = app(f"/places/{shop['id']}/suggest", who=people.customer(), at=at)
    page.get_by_label("Phone").fill("555")
    page.wait_for_function("() => sessionStorage.getItem('openvalet.places.suggestions')?.includes('555')")
    page.evaluate("localStorage.removeItem('openvalet.customer.session'), dispatchEvent(new PageTransitionEvent('pageshow'))")
    page.wait_for_function("() => !sessionStorage.getItem('openvalet.places.suggestions')?.includes('555')")


def test_an_operator_exports_all_vendors(desk, people):
    vendor(people, "Export Shop", here(22.8610, 114.1610))
    with desk.expect_download() as begun:
        tap(desk, "Export GeoJSON")
    assert re.fullmatch(r"vendors-\d{4}-\d\d-\d\d\.geojson", begun.value.suggested_filename)
    collection = json.loads(Path(begun.value.path()).read_text())
    assert collection["type"] == "FeatureCollection"
    assert "Export Shop" in {one["properties"]["name"] for one in collection["features"]}
    refuse(desk, "**/v1/admin/vendors/export", 429, "service.unavailable")
    tap(desk, "Export GeoJSON")
    expect(desk.locator("#toasts .danger")).to_be_visible()


def test_what_operators_do_with_vendors_is_said_in_words(desk, people):
    shop = vendor(people, "Audit Shop", here(22.8710, 114.1710))
    people.operator.call("DELETE", f"/v1/admin/vendors/{shop['id']}")
    open_at(desk, "/audit")
    expect(desk.get_by_role("row").filter(has_text="Vendor removed").first).to_be_visible()
    desk.get_by_label("Action").select_option(label="Vendor added")
    expect(desk.get_by_role("row").filter(has_text="Vendor added").first).to_be_visible()
    expect(desk.get_by_role("row").filter(has_text="Vendor removed")).to_have_count(0)
