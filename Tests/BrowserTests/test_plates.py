"""Vehicles that are verified by a code, shared by an invitation, and verified by an operator."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from api import PASSWORD, eventually
from conftest import is_wider_than_window, open_at, refuse
from test_park import booking, car_park, driver, heading, in_days, tap
from test_park_more import DESK, SMALL, gate_of, prove
from town import here


def said(page, text: str) -> None:
    expect(page.locator(".toast").filter(has_text=text)).to_be_visible()


def test_a_vehicle_is_verified_by_a_gates_code_and_shared(phone, people, check_accessible, shot):
    place, ada, bert = car_park(people, "Proof Garage", here(22.31, 114.21)), driver(people), people.customer("Bert", vehicle=False)
    [vehicle], gate = ada.get("/v1/me/vehicles")["items"], gate_of(people, place)
    page = phone("customer", ada, **SMALL)
    open_at(page, "/vehicles")
    page.get_by_role("link", name=re.compile("Not verified")).click()
    heading(page, "Vehicle")
    expect(page.get_by_text(f"Your vehicle’s ID is {vehicle['id'][-8:].upper()}.")).to_be_visible()
    check_accessible(page, "not verified")
    assert not is_wider_than_window(page)
    shot(page, "plate-unproven")
    tap(page, "Verify")
    expect(page.get_by_label("Code from a gate")).to_be_focused()
    page.get_by_label("Code from a gate").fill("AAA-AAA")
    tap(page, "Verify")
    expect(page.locator("#code-error")).to_contain_text("This code doesn’t belong to this plate")
    expect(page.get_by_label("Code from a gate")).to_be_focused()
    page.get_by_label("Code from a gate").fill(gate("in", vehicle["plate"])["code"].lower())
    tap(page, "Verify")
    said(page, "Your vehicle is verified.")
    expect(page.get_by_text("You entered the code that a gate showed.")).to_be_visible()

    pattern = "**/invitations"
    refuse(page, pattern, 409, "plate.not_proven")
    tap(page, "Create an invitation")
    said(page, "This vehicle is no longer verified")
    page.context.unroute(pattern)
    tap(page, "Create an invitation")
    code = page.locator(".reference").inner_text()
    check_accessible(page, "an invitation")
    assert not is_wider_than_window(page)
    shot(page, "plate-invitation")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tap(page, "Send invitation")
    said(page, "Copied.")
    message = page.evaluate("navigator.clipboard.readText()")
    assert code in message and vehicle["plate"] in message

    other = phone("customer", bert, **SMALL)
    other.goto(re.search(r"http\S+", message)[0])
    heading(other, "Share a vehicle")
    expect(other.get_by_label("Plate")).to_have_value(vehicle["plate"])
    expect(other.get_by_text("We’ll add it.")).to_be_visible()
    tap(other, "Accept invitation")
    expect(other.get_by_label("Make")).to_be_focused()
    for name, value in {"Make": "Fiat", "Model": "Panda", "Colour": "red"}.items():
        other.get_by_label(name).fill(value)
    check_accessible(other, "accept an invitation")
    assert not is_wider_than_window(other)
    shot(other, "plate-accept")
    tap(other, "Accept invitation")
    said(other, "You now share this vehicle.")
    expect(other.get_by_text("Someone shared it with you.")).to_be_visible()
    assert [proof["source"] for proof in bert.get("/v1/me/plate-proofs")["items"]] == ["invitation"]


def test_an_invitation_is_for_one_person_and_not_for_who_has_it_already(phone, people):
    ada, bert = driver(people), people.customer("Bert", vehicle=False)
    plate = prove(people, ada)
    [vehicle] = ada.get("/v1/me/vehicles")["items"]
    invitation = ada.post(f"/v1/me/plate-proofs/{vehicle['id']}/invitations")
    page = phone("customer", ada)
    open_at(page, f"/stays/invitation/{plate}/{invitation['code']}")
    expect(page.get_by_label("Make")).to_have_count(0)
    tap(page, "Accept invitation")
    said(page, "The code wasn’t used.")
    heading(page, "Vehicle")

    bert.post("/v1/me/vehicles", {"plate": plate, "make": "Fiat", "model": "Panda", "colour": "red"})
    other = phone("customer", bert)
    open_at(other, "/vehicles")
    other.get_by_role("link", name="I have an invitation").click()
    other.get_by_label("Plate").fill(plate.lower())
    other.get_by_label("Code").fill(invitation["code"])
    tap(other, "Accept invitation")
    said(other, "You now share this vehicle.")

    carol = driver(people)
    last = phone("customer", carol)
    open_at(last, f"/stays/invitation/{carol.get('/v1/me/vehicles')['items'][0]['plate']}/{invitation['code']}")
    tap(last, "Accept invitation")
    expect(last.locator("#code-error")).to_contain_text("no longer works")


def test_who_is_signed_out_continues_with_the_invitation(phone, people):
    ada, bert = driver(people), people.customer("Bert", vehicle=False)
    plate = prove(people, ada)
    [vehicle] = ada.get("/v1/me/vehicles")["items"]
    bert.post("/v1/me/vehicles", {"plate": plate, "make": "Fiat", "model": "Panda", "colour": "red"})
    code = ada.post(f"/v1/me/plate-proofs/{vehicle['id']}/invitations")["code"]
    page = phone("customer")
    open_at(page, f"/stays/invitation/{plate.replace(' ', '%20')}/{code}")
    heading(page, "Sign in")
    page.get_by_label("Phone number or e-mail").fill(bert.phone)
    page.get_by_label("Password").fill(PASSWORD)
    tap(page, "Sign in")
    expect(page.get_by_label("Code")).to_have_value(code)
    tap(page, "Accept invitation")
    said(page, "You now share this vehicle.")


def test_a_code_that_proves_nothing_says_what_it_has_opened(phone, people):
    place, ada, bert = car_park(people, "Other Garage", here(22.32, 114.21)), driver(people), people.customer("Bert", vehicle=False)
    plate = ada.get("/v1/me/vehicles")["items"][0]["plate"]
    issued = people.operator.post("/v1/admin/fines", {
        "plate": plate, "carParkId": place["id"], "amount": 4_000, "reason": "Across two spaces."})
    page = phone("customer", bert)
    open_at(page, "/fines")
    page.get_by_label("Plate").fill(plate)
    page.get_by_label("Code").fill("AAA-AAA")
    tap(page, "Add")
    expect(page.locator("#code-error")).to_contain_text("This code doesn’t belong to this plate")
    page.get_by_label("Code").fill(issued["reference"])
    tap(page, "Add")
    said(page, "Fine added.")
    expect(page.get_by_label("Code")).to_have_value("")
    page.get_by_role("link", name=re.compile("Other Garage")).wait_for()


def test_an_operator_verifies_a_vehicle_by_its_papers(phone, people, check_accessible, shot):
    place, ada, bert = car_park(people, "Papers Garage", here(22.33, 114.21)), driver(people), people.customer("Bert", vehicle=False)
    [vehicle] = ada.get("/v1/me/vehicles")["items"]
    plate = vehicle["plate"]
    other = bert.post("/v1/me/vehicles", {"plate": plate, "make": "Fiat", "model": "Panda", "colour": "red"})
    eventually(lambda: bert.get("/v1/me/plate-proofs")["items"], "Bert's vehicle")
    people.operator.put(f"/v1/admin/plate-proofs/{other['id']}", None)
    booked = booking(ada, place, in_days(3), pay=False)
    desk = phone("operator", people.operator, **DESK)
    # The link of an alert about unpaid bookings.
    open_at(desk, f"/bookings/{booked['id']}")
    heading(desk, booked["reference"])
    desk.get_by_role("link", name=plate).click()
    heading(desk, "Verify vehicles")
    mine, theirs = (desk.get_by_role("row", name=re.compile(one["id"][-8:].upper())) for one in (vehicle, other))
    expect(mine).to_contain_text("Not verified")
    expect(theirs).to_contain_text("Papers checked")
    check_accessible(desk, "vehicles with a plate")
    shot(desk, "desk-plates")
    mine.get_by_role("button", name=re.compile("^Verify")).click()
    dialog = desk.get_by_role("dialog", name=f"Verify {plate}?")
    expect(dialog).to_contain_text(vehicle["id"][-8:].upper())
    check_accessible(desk, "verify")
    dialog.get_by_role("button", name="Verify").click()
    expect(mine).to_contain_text("Papers checked")
    expect(theirs).to_contain_text("Not verified")
    mine.get_by_role("button", name=re.compile("^Withdraw")).click()
    desk.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    expect(mine).to_contain_text("Not verified")
    assert [proof["isProven"] for proof in ada.get("/v1/me/plate-proofs")["items"]] == [False]

    desk.get_by_label("Plate").fill("-")
    tap(desk, "Search")
    expect(desk.locator("#plate-error")).to_be_visible()
    desk.get_by_label("Plate").fill("nobody 1")
    tap(desk, "Search")
    expect(desk.get_by_text("Nobody has added this plate")).to_be_visible()
    check_accessible(desk, "a plate that nobody has added")
