"""The valet's app: the shift, jobs step by step, offers, tasks, earnings, and what goes wrong."""

import base64
import re
import struct
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from api import eventually, insist
from conftest import (
    COUNT_MAPS, KEEPS_NOTHING, check_fits, expire_photos, focus_by_tab, hide, is_wider_than_window, large_text, lives, older_browser, open_at,
    own_clock, refuse, turn_the_clock)
from town import CENTRAL, ID, here

#: Some 260 m from where the valets of these tests stand: they have to drive.
FINANCE_STREET = here(22.2832, 114.1580)
MAN_YEE = here(22.2810, 114.1530)


# What happens on the other side


def order_from(customer, at=FINANCE_STREET, address="8 Finance Street, Central", extras=()):
    """The customer taps "Drop off" at a point, with their own vehicle."""
    vehicles = customer.get("/v1/me/vehicles")["items"]
    order = customer.post("/v1/orders", {
        "dropOff": {"latitude": at[0], "longitude": at[1], "address": address},
        **({"vehicleId": vehicles[0]["id"]} if vehicles else {}), "extras": list(extras)})
    # Accounts tells names and numbers by an event: a job's screen asks for them when it is opened, and not again.
    eventually(lambda: customer.get(f"/v1/orders/{order['id']}")["customer"]["phone"], "a customer whom orders knows")
    return order


def recall(customer, at=MAN_YEE, address="Man Yee Building"):
    order = customer.order_in("parked")
    customer.post(f"/v1/orders/{order['id']}/recall", {"returnTo": {"latitude": at[0], "longitude": at[1], "address": address}})


def status(customer, order, *wanted):
    """The order, once it is in one of these states; also when it is over."""
    def look():
        found = customer.get(f"/v1/orders/{order['id']}")
        return found if found["status"] in wanted else None
    return eventually(look, f"an order that is {' or '.join(wanted)}")


def is_known_as(people, valet, wanted):
    """Location, too, has heard of the begin or end of this valet's job."""
    def look():
        found = people.operator.get("/v1/admin/valets?limit=100")["items"]
        return any(one["id"] == valet.account["id"] and one["status"] == wanted for one in found)
    eventually(look, f"a valet who is {wanted}")


def picture(page, comment=None, camera=False, width=640, height=480):
    """A JPEG; `comment` is what the recogniser's stub is to say, `camera` adds EXIF as a phone does."""
    data = base64.b64decode(page.evaluate("""([width, height]) => {
        const canvas = Object.assign(document.createElement('canvas'), { width, height });
        const context = canvas.getContext('2d');
        context.fillStyle = '#56728c';
        context.fillRect(0, 0, width, height);
        context.fillStyle = '#fff';
        context.fillRect(width * 0.3, height * 0.6, width * 0.4, height * 0.15);
        return canvas.toDataURL('image/jpeg', 0.9).split(',')[1];
    }""", [width, height]))
    more = b""
    if comment:
        more += b"\xff\xfe" + struct.pack(">H", len(comment) + 2) + comment.encode()
    if camera:
        exif = b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0"
        more += b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    return {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": data[:2] + more + data[2:]}


# What the valet does


def go_on_shift(page):
    page.get_by_role("button", name="Available").click()
    page.get_by_text("Ready for jobs").wait_for()


def move(page, at):
    page.context.set_geolocation({"latitude": at[0], "longitude": at[1], "accuracy": 8})


def heading(page, name):
    return page.get_by_role("heading", name=name, level=1)


def collect(page, customer):
    page.get_by_label("The customer’s code").fill(customer.order_in("droppingOff")["handoverCode"])
    page.get_by_role("button", name="Got the vehicle").click()
    heading(page, "Park the vehicle").wait_for()


def to_park_screen(page, customer):
    """From the home screen with a new job to the form of the parked vehicle."""
    page.get_by_role("link", name="Go to the customer").click()
    move(page, FINANCE_STREET)
    page.get_by_text("You have arrived").wait_for()
    collect(page, customer)
    page.get_by_role("link", name="I have parked").click()
    page.get_by_role("button", name="Finish parking").wait_for()


def at_park_screen(phone, people):
    """A valet's phone with the form of the parked vehicle; whose it is, and the order."""
    page = phone("valet", people.valet())
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    to_park_screen(page, ada)
    return page, ada, order


def park(page):
    page.get_by_role("button", name="Finish parking").click()
    page.get_by_role("button", name="Park without a photo").click()
    heading(page, "Parked").wait_for()


@pytest.fixture
def offers(people):
    """The area asks valets first, as long as the test runs."""
    area = next(it for it in people.operator.get("/v1/service-areas")["features"] if it["properties"]["id"] == ID)

    def set_mode(mode):
        kept = {name: area["properties"][name] for name in ("name", "servicePoint", "currency")}
        people.operator.put(f"/v1/admin/service-areas/{ID}", {
            "type": "Feature", "geometry": area["geometry"], "properties": {**kept, "dispatch": {"mode": mode, "offerSeconds": 90}}})

    set_mode("offer")
    yield
    set_mode("direct")


# Getting in


def test_a_forgotten_password(phone, people, check_accessible):
    valet = people.valet()
    page = phone("valet")
    page.get_by_label("Phone number").fill(valet.phone)
    page.get_by_label("Password").fill("not the right one")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("The phone number or e-mail address and the password don’t match").wait_for()
    page.get_by_role("link", name="Forgotten your password?").click()
    send = page.get_by_role("button", name="Send code")
    # The screen before has a field of the same name.
    send.wait_for()
    expect(page.get_by_label("Phone number")).to_have_value(valet.phone)
    check_accessible(page, "valet: reset")
    send.click()
    code = page.get_by_label("Six-digit code")
    code.wait_for()
    code.fill(people.code(valet.phone))
    page.get_by_label("New password").fill("another long way to go")
    check_accessible(page, "valet: new password")
    page.get_by_role("button", name="Set password and sign in").click()
    page.get_by_text("Off shift. You get no jobs").wait_for()


def test_a_customers_account_does_not_open_it(phone, people):
    ada = people.customer()
    page = phone("valet")
    page.get_by_label("Phone number").fill(ada.phone)
    page.get_by_label("Password").fill(ada.password)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("This account is for another of our apps").wait_for()


# The journey


def test_a_drop_off_with_photos_and_recognition_and_the_return(phone, people, check_accessible, shot):
    page = phone("valet", people.valet())
    check_accessible(page, "valet: home, off shift")
    go_on_shift(page)
    shot(page, "valet-home")
    ada = people.customer()
    order = order_from(ada, extras=["wash"])
    page.get_by_role("link", name="Go to the customer").click()
    heading(page, "Go to the customer").wait_for()
    expect(page.get_by_role("link", name="Call Ada Wong")).to_have_attribute("href", f"tel:{ada.phone}")
    expect(page.locator("path.route")).to_have_count(1)
    check_accessible(page, "valet: drive to the customer")
    move(page, FINANCE_STREET)
    page.get_by_text("You have arrived").wait_for()
    shot(page, "valet-handover")
    check_accessible(page, "valet: code")
    collect(page, ada)
    # The button that was tapped is gone: the next step is read from its heading.
    expect(heading(page, "Park the vehicle")).to_be_focused()

    page.get_by_role("link", name="I have parked").click()
    said = "plate=AB1234;confidence=94;candidates=A81234:70;make=Tesla;make_confidence=91;model=Model 3;colour=white;colour_confidence=62"
    page.locator("input[type=file]").set_input_files([picture(page, said), picture(page, camera=True, width=3_000, height=2_250)])
    page.get_by_text("Plate read: AB1234").wait_for()
    page.get_by_text("94% sure").wait_for()
    page.get_by_text("62% sure: please check").wait_for()
    expect(page.locator(".photo.sent")).to_have_count(2)
    page.get_by_label("Car park").fill("IFC Car Park")
    page.get_by_label("Level").fill("B2")
    page.get_by_label("Bay").fill("17")
    page.get_by_label("Key tag").fill("042")
    page.get_by_label("Colour").fill("pearl white")
    expect(page.get_by_text("62% sure")).to_have_count(0)
    page.evaluate("scrollTo(0, 0)")
    shot(page, "valet-park")
    check_accessible(page, "valet: park")
    page.get_by_role("button", name="Finish parking").click()
    heading(page, "Parked").wait_for()
    check_accessible(page, "valet: parked")
    parked = status(ada, order, "parked")
    assert parked["parked"] | {"lot": "IFC Car Park", "level": "B2", "bay": "17", "keyTag": "042"} == parked["parked"]
    assert abs(parked["parked"]["latitude"] - FINANCE_STREET[0]) < 1e-4
    assert parked["vehicle"]["colour"] == "pearl white"
    photos = ada.get(f"/v1/orders/{order['id']}/photos")["items"]
    assert len(photos) == 2 and all(photo["moment"] == "handOver" and photo["place"] for photo in photos)
    # What a camera writes about itself and the place never leaves the phone, and neither do its many pixels.
    sizes = page.evaluate("""(addresses) => Promise.all(addresses.map(async (address) => {
        const blob = await (await fetch(address)).blob();
        const bitmap = await createImageBitmap(blob);
        return [bitmap.width, bitmap.height];
    }))""", [photo["photoURL"] for photo in photos])
    assert sorted(sizes) == [[640, 480], [2_000, 1_500]]

    page.get_by_role("link", name="Ready for the next job").click()
    recall(ada)
    page.get_by_role("link", name="Go to the vehicle").click()
    page.get_by_text("042").wait_for()
    shot(page, "valet-return")
    check_accessible(page, "valet: go to the vehicle")
    page.get_by_role("button", name="Got the vehicle").click()
    heading(page, "Drive to the return point").wait_for()
    move(page, MAN_YEE)
    page.get_by_label("The customer’s code").fill(ada.order_in("returningBack")["handoverCode"])
    page.get_by_role("button", name="Hand back").click()
    heading(page, "Handed back").wait_for()
    page.get_by_text("You can rate the customer once the order is paid").wait_for()

    ada.pay(order["id"], {"token": "pm_card_visa", "tip": 2_000})
    page.get_by_text("How was Ada Wong?").wait_for()
    page.locator(".stars label").nth(4).click()
    page.get_by_label("Comment").fill("Kind and on time")
    check_accessible(page, "valet: rate")
    page.get_by_role("button", name="Send rating").click()
    page.get_by_text("Thank you for your rating").wait_for()
    said = ada.get(f"/v1/users/{ada.account['id']}/comments")["items"]
    assert [(it["stars"], it["comment"]) for it in said] == [(5, "Kind and on time")]


def test_earnings_show_tips_jobs_time_and_opinions(phone, people, check_accessible, shot):
    page = phone("valet", people.valet(), at=FINANCE_STREET)
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    to_park_screen(page, ada)
    park(page)
    page.get_by_role("link", name="Ready for the next job").click()
    recall(ada, FINANCE_STREET)
    page.get_by_role("link", name="Go to the vehicle").click()
    page.get_by_role("button", name="Got the vehicle").click()
    page.get_by_label("The customer’s code").fill(ada.order_in("returningBack")["handoverCode"])
    page.get_by_role("button", name="Hand back").click()
    heading(page, "Handed back").wait_for()
    ada.pay(order["id"], {"token": "pm_card_visa", "tip": 2_500})
    status(ada, order, "finished")

    opinion = {"stars": 5, "comment": "Careful with my car"}
    insist(lambda: ada.put(f"/v1/orders/{order['id']}/rating", opinion), "rating.not_finished", "rating.engagement_unknown", what="an order that ratings knows")
    page.get_by_role("link", name="Ready for the next job").click()
    page.get_by_role("link", name="Earnings").click()
    expect(page.locator(".tile").first).to_contain_text("25.00")
    expect(page.locator(".tile").nth(1)).to_contain_text("2")
    page.get_by_text("Careful with my car").wait_for()
    check_fits(page, "earnings")
    # They go by themselves.
    expect(page.locator(".toast")).to_have_count(0)
    shot(page, "valet-earnings")
    check_accessible(page, "valet: earnings")
    page.get_by_role("link", name="All my jobs").click()
    page.get_by_text("returned at").wait_for()
    page.get_by_text("parked at").wait_for()
    check_accessible(page, "valet: all jobs")
    page.get_by_role("link", name="Back").click()
    page.get_by_role("link", name="Profile").click()
    heading(page, "Profile").wait_for()
    check_accessible(page, "valet: profile")


def test_a_wrong_code_is_told_and_five_lock(phone, people):
    page = phone("valet", people.valet())
    go_on_shift(page)
    ada = people.customer()
    order_from(ada)
    page.get_by_role("link", name="Go to the customer").click()
    page.get_by_role("button", name="I have arrived: enter the code").click()
    code = ada.order_in("droppingOff")["handoverCode"]
    field = page.get_by_label("The customer’s code")
    field.fill("12")
    page.get_by_role("button", name="Got the vehicle").click()
    page.get_by_text("Enter all four digits").wait_for()
    expect(field).to_be_focused()
    wrong = next(it for it in ("1111", "2222") if it != code)
    for attempt in range(5):
        field.fill(wrong)
        with page.expect_response(lambda answer: answer.url.endswith("/collect")):
            page.get_by_role("button", name="Got the vehicle").click()
        if attempt < 4:
            page.get_by_text("The code is wrong").wait_for()
            expect(field).to_have_attribute("aria-invalid", "true")
    field.fill(code)
    page.get_by_role("button", name="Got the vehicle").click()
    page.get_by_text("Too many wrong codes. Try again in").wait_for()
    expect(page.get_by_role("button", name="Got the vehicle")).to_have_attribute("aria-disabled", "true")
    assert ada.order()["status"] == "droppingOff"


# Offers


def test_an_offer_is_declined_by_one_and_accepted_by_the_other(phone, people, offers, check_accessible, shot):
    near = phone("valet", people.valet("Near"), at=FINANCE_STREET)
    go_on_shift(near)
    ada = people.customer()
    order = order_from(ada)
    near.get_by_role("button", name="Accept").wait_for()
    near.get_by_text("8 Finance Street, Central").wait_for()
    expect(near.get_by_role("timer")).to_be_visible()
    shot(near, "valet-offer")
    check_accessible(near, "valet: offer")
    far = phone("valet", people.valet("Far"), at=CENTRAL)
    go_on_shift(far)
    near.get_by_role("button", name="Decline").click()
    expect(near.get_by_role("button", name="Accept")).to_have_count(0)
    far.get_by_role("button", name="Accept").click()
    heading(far, "Go to the customer").wait_for()
    status(ada, order, "droppingOff")
    eventually(lambda: ada.get(f"/v1/orders/{order['id']}")["dropOffValet"]["firstName"] == "Far", "the name of who took it")


def test_an_offer_that_could_not_be_fetched_is_asked_for_again(phone, people, offers):
    page = phone("valet", people.valet(), at=FINANCE_STREET, before=own_clock)
    go_on_shift(page)
    ada = people.customer()
    refuse(page, "**/v1/me/offers", 429, "request.too_many")
    with page.expect_response("**/v1/me/offers"):
        order_from(ada)
    page.wait_for_timeout(500)
    page.context.unroute("**/v1/me/offers")
    page.clock.fast_forward(10_000)
    page.get_by_role("button", name="Accept").wait_for()


# The shift


def test_breaks_and_the_end_of_the_shift(phone, people):
    valet = people.valet()
    page = phone("valet", valet)
    page.get_by_text("Off shift. You get no jobs").wait_for()
    go_on_shift(page)
    page.get_by_role("button", name="On a break").click()
    page.get_by_text("Your shift continues").wait_for()
    eventually(lambda: valet.get("/v1/me/shifts?limit=1")["items"][0]["breaks"], "a break that orders knows")
    page.reload()
    page.get_by_text("Your shift continues").wait_for()
    expect(page.get_by_role("button", name="On a break")).to_have_attribute("aria-pressed", "true")
    go_on_shift(page)
    ada = people.customer()
    order_from(ada)
    page.get_by_role("link", name="Go to the customer").wait_for()
    is_known_as(people, valet, "busy")
    page.get_by_role("button", name="Off shift").click()
    page.get_by_text("You have a job. Finish it or give it back first").wait_for()
    expect(page.get_by_role("button", name="Available")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Go to the job").click()
    heading(page, "Go to the customer").wait_for()
    ada.post(f"/v1/orders/{ada.order()['id']}/cancel")
    heading(page, "Cancelled").wait_for()
    page.get_by_role("button", name="Back to my jobs").click()
    is_known_as(people, valet, "available")
    page.get_by_role("button", name="Off shift").click()
    page.get_by_text("Off shift. You get no jobs").wait_for()
    [shift] = valet.get("/v1/me/shifts?limit=1")["items"]
    assert len(shift["breaks"]) == 1
    eventually(lambda: valet.get("/v1/me/shifts?limit=1")["items"][0]["endedAt"], "the end of the shift")


def test_a_job_is_given_back_with_a_reason(phone, people, check_accessible):
    page = phone("valet", people.valet())
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    page.get_by_role("link", name="Go to the customer").click()
    page.get_by_role("button", name="Give the job back").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Give the job back").click()
    dialog.get_by_text("Choose a reason").wait_for()
    dialog.get_by_label("Something else").check()
    dialog.get_by_label("Details").fill("A flat tyre")
    check_accessible(page, "valet: give the job back")
    dialog.get_by_role("button", name="Give the job back").click()
    page.get_by_text("Given back. You are free again").wait_for()
    expect(page.get_by_role("link", name="Go to the customer")).to_have_count(0)
    status(ada, order, "requested", "unfulfilled")


def test_a_job_that_an_operator_takes_back(phone, people):
    page = phone("valet", people.valet())
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    page.get_by_role("link", name="Go to the customer").click()
    heading(page, "Go to the customer").wait_for()
    people.operator.post(f"/v1/orders/{order['id']}/withdraw", {"reason": "Needed elsewhere"})
    page.get_by_text("This is no longer your job").wait_for()
    page.get_by_role("button", name="Back to my jobs").click()
    page.get_by_text("Ready for jobs").wait_for()


def test_a_task_is_taken_given_back_and_done(phone, people, check_accessible):
    page = phone("valet", people.valet())
    go_on_shift(page)
    ada = people.customer()
    order_from(ada, extras=["wash"])
    to_park_screen(page, ada)
    page.get_by_label("Key tag").fill("7")
    park(page)
    page.get_by_role("link", name="Ready for the next job").click()
    page.get_by_role("link", name="Tasks").click()
    page.get_by_role("button", name="Take this task").click()
    page.get_by_role("button", name="Give back").click()
    page.get_by_role("button", name="Take this task").click()
    check_accessible(page, "valet: tasks")
    page.get_by_role("button", name="Done").click()
    page.get_by_text("No tasks").wait_for()
    assert ada.order()["tasks"][0]["status"] == "done"


def test_tasks_that_came_first_are_on_top(phone, people):
    page = phone("valet", people.valet())
    go_on_shift(page)
    for tag in ["first", "second"]:
        ada = people.customer()
        order_from(ada, extras=["wash"])
        to_park_screen(page, ada)
        page.get_by_label("Key tag").fill(tag)
        park(page)
        page.get_by_role("link", name="Ready for the next job").click()
        move(page, CENTRAL)

    def newest_first(route):
        page_of_tasks = route.fetch().json()
        # Whatever order they come in.
        page_of_tasks["items"].sort(key=lambda item: item["order"], reverse=True)
        route.fulfill(json=page_of_tasks)
    page.route("**/v1/tasks*", newest_first)
    page.get_by_role("link", name="Tasks").click()
    shown = page.locator("main li.card", has=page.locator(".plate"))
    expect(shown).to_contain_text([re.compile("Key tag first"), re.compile("Key tag second")])


def test_the_way_is_shown_by_the_phones_own_navigation(phone, people):
    page = phone("valet", people.valet())
    go_on_shift(page)
    order_from(people.customer())
    page.get_by_role("link", name="Go to the customer").click()
    heading(page, "Go to the customer").wait_for()
    way = page.get_by_role("link", name="Start navigation")
    to = f"{FINANCE_STREET[0]},{FINANCE_STREET[1]}"
    expect(way).to_have_attribute("href", f"geo:{to}?q={to}")
    page.add_init_script("""Object.defineProperty(navigator, 'userAgent', {
        value: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1' })""")
    page.reload()
    expect(way).to_have_attribute("href", f"https://maps.apple.com/?daddr={to}")


# What goes wrong


def test_without_a_position_the_valet_is_told_why_no_job_comes(phone, people, check_accessible):
    page = phone("valet", people.valet(), geolocation=False)
    page.get_by_role("button", name="Available").click()
    page.get_by_text("Location access is off, so you get no jobs").wait_for()
    check_accessible(page, "valet: position denied")
    page.context.grant_permissions(["geolocation"])
    move(page, CENTRAL)
    page.get_by_role("button", name="Try again").click()
    page.get_by_text("Ready for jobs").wait_for()


def test_a_valet_outside_the_areas_is_told_so(phone, people):
    page = phone("valet", people.valet(), at=here(22.40, 114.10))
    page.get_by_role("button", name="Available").click()
    page.get_by_text("You are outside the service areas").wait_for()
    move(page, CENTRAL)
    page.get_by_text("Ready for jobs").wait_for()


def stay_silent(page, told):
    """No position gets through until that is told, and then they do again."""
    page.context.route("**/v1/me/location*", lambda route: route.abort())

    def is_told():
        # A report that was under way counts as one of now.
        page.clock.fast_forward(75_000)
        page.wait_for_timeout(300)
        return told.is_visible()
    eventually(is_told, "a word about the silence")
    page.context.unroute("**/v1/me/location*")
    page.clock.fast_forward(15_000)


def test_a_silence_of_a_minute_is_told(phone, people):
    page = phone("valet", people.valet(), before=turn_the_clock)
    go_on_shift(page)
    silent = page.get_by_text(re.compile("We’ve had no position from you for .*, so you get no jobs"))
    stay_silent(page, silent)
    page.get_by_text("Ready for jobs").wait_for()


def test_a_silence_on_a_job_is_told_as_what_it_means_there(phone, people):
    page = phone("valet", people.valet(), before=turn_the_clock)
    go_on_shift(page)
    order_from(people.customer())
    page.get_by_role("link", name="Go to the customer").click()
    heading(page, "Go to the customer").wait_for()
    silent = page.get_by_text(re.compile("The customer can’t see where you are"))
    expect(silent).to_have_count(0)
    stay_silent(page, silent)
    expect(silent).to_have_count(0)


def test_only_what_the_phone_found_is_sent_with_its_own_time(phone, people, check_accessible):
    def prepare(page) -> None:
        turn_the_clock(page)
        # The first fix is the only one, however early it comes.
        page.add_init_script("""
            window.foundAt = Date.now();
            Object.defineProperty(GeolocationPosition.prototype, 'timestamp', { configurable: true, get: () => window.foundAt });
        """)
    page = phone("valet", people.valet(), before=prepare)
    page.get_by_role("button", name="Available").wait_for()
    found = page.evaluate("new Date(window.foundAt).toISOString()")
    sent: list[str] = []
    page.on("request", lambda request: request.url.endswith("/v1/me/location") and sent.append(request.post_data_json["recordedAt"]))
    go_on_shift(page)
    silent = page.get_by_text(re.compile("We’ve had no position from you for .*, so you get no jobs"))
    page.clock.fast_forward(75_000)
    silent.wait_for()
    check_accessible(page, "valet: signal lost")
    assert sent == [found], "an old reading is no new one"
    page.evaluate("Object.defineProperty(GeolocationPosition.prototype, 'timestamp', { configurable: true, get: () => Date.now() })")
    page.clock.fast_forward(15_000)
    page.get_by_text("Ready for jobs").wait_for()
    assert len(set(sent)) == len(sent) > 1


@pytest.mark.parametrize("hours", [-3, 3])
def test_a_clock_that_is_wrong_by_hours_changes_nothing(phone, people, hours):
    page = phone("valet", people.valet(), before=lambda page: page.clock.install(time=datetime.now() + timedelta(hours=hours)))
    with page.expect_response(re.compile("/v1/me/location$")) as sent:
        go_on_shift(page)
    assert sent.value.ok
    recorded = datetime.fromisoformat(sent.value.request.post_data_json["recordedAt"])
    assert abs(recorded - datetime.now(timezone.utc)) < timedelta(minutes=5)
    ada = people.customer()
    order_from(ada)
    # Positions that were taken for wrong would bring nobody to the customer.
    to_park_screen(page, ada)


def test_what_was_asked_before_a_tap_does_not_end_the_shift(phone, people):
    page = phone("valet", people.valet())
    page.get_by_text("Off shift. You get no jobs").wait_for()
    late = []
    page.context.route("**/v1/me/shifts?limit=1", lambda route: late.append((route, route.fetch())))
    with page.expect_request("**/v1/me/shifts?limit=1"):
        page.reload()
    eventually(lambda: page.wait_for_timeout(50) or late, "what was asked before the tap")
    go_on_shift(page)
    # A question that the page gave up meanwhile gets no answer.
    with page.expect_response("**/v1/me/shifts?limit=1"):
        for route, answer in late:
            route.fulfill(response=answer)
    page.context.unroute("**/v1/me/shifts?limit=1")
    page.wait_for_timeout(200)
    expect(page.get_by_text("Ready for jobs")).to_be_visible()


def test_a_list_that_does_not_know_a_tap_yet_does_not_end_the_shift(phone, people):
    page = phone("valet", people.valet(), before=own_clock)
    is_on = page.get_by_role("button", name="Available")
    page.get_by_text("Off shift. You get no jobs").wait_for()
    page.clock.pause_at(page.evaluate("Date.now() / 1_000 + 60"))
    shifts = "**/v1/me/shifts?limit=1"
    page.context.route(shifts, lambda route: route.fulfill(json={"items": []}))

    def after(answer: str, cause) -> None:
        """What the app has made of an answer is shown."""
        with page.expect_response(answer):
            cause()
        # What is answered after it tells that the app has heard of it.
        page.evaluate("() => fetch('/apps/index.json').then((answer) => answer.text())")
        page.clock.run_for(100)
    after("**/v1/me/availability", is_on.click)
    after(shifts, lambda: hide(page, 12))
    after(shifts, lambda: page.clock.run_for(10_000))
    expect(is_on).to_have_attribute("aria-pressed", "true")
    after(shifts, lambda: page.clock.run_for(10_000))
    expect(is_on).to_have_attribute("aria-pressed", "false")


def test_a_customer_who_does_not_come(phone, people):
    valet = people.valet()
    page = phone("valet", valet, at=FINANCE_STREET)
    go_on_shift(page)
    eventually(lambda: valet.get("/v1/me/shifts?limit=1")["items"], "a shift that orders knows")
    area = next(it for it in people.operator.get("/v1/service-areas")["features"] if it["properties"]["id"] == ID)
    tariff = {name: value for name, value in area["properties"]["tariff"].items() if name != "version"}
    people.operator.put(f"/v1/admin/service-areas/{ID}/tariff", {**tariff, "waitingSeconds": 15})
    try:
        with page.expect_response(lambda answer: "/v1/service-areas" in answer.url):
            page.reload()
        ada = people.customer()
        order = order_from(ada)
    finally:
        people.operator.put(f"/v1/admin/service-areas/{ID}/tariff", tariff)
    page.get_by_role("link", name="Go to the customer").click()
    page.get_by_text("Customer not there? You can leave in").wait_for()

    def leave():
        page.get_by_role("button", name="Report a no-show").first.click()
        with page.expect_response(lambda answer: answer.url.endswith("/customer-absent")) as answer:
            page.get_by_role("dialog").get_by_role("button", name="Report a no-show").click()
        return answer.value.ok

    # The server's clock counts, which may have started a moment later than the phone's.
    eventually(leave, "an order that ends because nobody came")
    page.get_by_text("The order is cancelled. You are free again").wait_for()
    status(ada, order, "cancelled")


def test_offline_and_back(phone, people, check_accessible):
    page = phone("valet", people.valet())
    page.watch.expected.append("ERR_INTERNET_DISCONNECTED")
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    page.get_by_role("link", name="Go to the customer").click()
    move(page, FINANCE_STREET)
    code = ada.order_in("droppingOff")["handoverCode"]
    page.get_by_text("You have arrived").wait_for()
    page.context.set_offline(True)
    page.get_by_text("You’re offline").first.wait_for()
    # A code can't be checked without the server, so it is never sent later.
    page.get_by_label("The customer’s code").fill(code)
    page.get_by_role("button", name="Got the vehicle").click()
    page.get_by_text("We can’t check the code while you’re offline").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="Got the vehicle").click()
    page.get_by_role("link", name="I have parked").click()

    page.context.set_offline(True)
    page.locator("input[type=file]").set_input_files([picture(page)])
    page.locator(".photo.failed").wait_for()
    page.get_by_text("We can’t read the plate while you’re offline").wait_for()
    page.get_by_role("button", name="Finish parking").click()
    page.get_by_text("1 change waiting to be sent").wait_for()
    check_accessible(page, "valet: a tap waits")
    assert ada.order()["status"] == "parking"
    page.context.set_offline(False)
    heading(page, "Parked").wait_for()
    status(ada, order, "parked")
    eventually(lambda: ada.get(f"/v1/orders/{order['id']}/photos")["items"], "the photo, sent by itself")


def test_a_photo_that_contradicts_the_customer_asks(phone, people):
    page, ada, order = at_park_screen(phone, people)
    page.locator("input[type=file]").set_input_files([picture(page, "plate=XY9876;confidence=97")])
    page.get_by_text("The photo says XY9876, the field AB 1234").wait_for()
    page.get_by_role("button", name="Use XY9876").click()
    expect(page.get_by_label("Plate")).to_have_value("XY9876")
    page.locator("input[type=file]").set_input_files([{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"not a picture"}])
    page.get_by_text("Not a picture").wait_for()
    page.get_by_role("button", name="Remove photo 2").click()
    expect(page.locator(".photo")).to_have_count(1)
    page.get_by_label("Make").fill("")
    page.get_by_role("button", name="Finish parking").click()
    expect(page.get_by_label("Make")).to_be_focused()
    page.get_by_label("Make").fill("Tesla")
    page.get_by_role("button", name="Finish parking").click()
    heading(page, "Parked").wait_for()
    assert status(ada, order, "parked")["vehicle"]["plate"] == "XY9876"


def test_the_place_is_corrected_on_the_map(phone, people):
    page, ada, order = at_park_screen(phone, people)
    page.get_by_text("From your position").wait_for()
    # With the keyboard, as somebody without a mouse would.
    page.get_by_role("region", name="Where the vehicle is parked").focus()
    page.keyboard.press("ArrowUp")
    page.get_by_text("Moved by you").wait_for()
    park(page)
    assert status(ada, order, "parked")["parked"]["latitude"] > FINANCE_STREET[0] + 1e-4


def test_the_place_is_corrected_with_a_tap(phone, people):
    page, ada, order = at_park_screen(phone, people)
    page.get_by_text("From your position").wait_for()
    page.locator("#pick-map .leaflet-map-pane").wait_for(state="attached")
    # Above the middle is north of it.
    page.get_by_role("region", name="Where the vehicle is parked").click(position={"x": 120, "y": 30})
    page.get_by_text("Moved by you").wait_for()
    park(page)
    assert status(ada, order, "parked")["parked"]["latitude"] > FINANCE_STREET[0] + 1e-4


def test_the_small_map_goes_with_the_form(phone, people):
    page, _, order = at_park_screen(phone, people)
    page.add_init_script(COUNT_MAPS)
    page.reload()
    lives(page, 1)
    open_at(page, f"/orders/{order['id']}")
    lives(page, 1)
    open_at(page, f"/orders/{order['id']}/park")
    lives(page, 1)
    open_at(page, "/tasks")
    lives(page, 0)


def garage(people, name, at, **more):
    """A car park of three spaces, 20 dollars an hour, which closes with the test."""
    made = people.operator.post("/v1/admin/car-parks", {
        "name": name, "address": "8 Finance Street", "position": {"latitude": at[0], "longitude": at[1]}, "timeZone": "Asia/Hong_Kong",
        "currency": "HKD", "capacity": {"general": 3}, "bookable": {"general": 3}, **more})
    people.operator.post(f"/v1/admin/car-parks/{made['id']}/products", {"name": "Hour", "kind": "hourly", "price": 2_000})
    people.operator.put(f"/v1/admin/car-parks/{made['id']}/occupancy", {"free": {"general": 3}})
    return made


@pytest.fixture
def garages(people):
    """Two car parks of ours next to the customer, one of another currency, and one far away; none stays for other tests."""
    (lat, lon) = FINANCE_STREET
    made = [garage(people, "Harbour Garage", (lat + 0.001, lon)), garage(people, "Pier Garage", (lat + 0.003, lon)),
            garage(people, "Euro Garage", (lat, lon + 0.001), currency="EUR"), garage(people, "Far Garage", (lat + 0.1, lon))]
    yield made
    for one in made:
        people.operator.put(f"/v1/admin/car-parks/{one['id']}/status", {"status": "closed", "reason": "after a test"})


def test_the_vehicle_takes_a_space_of_a_car_park_nearby(phone, people, garages, check_accessible, shot):
    harbour, pier, *_ = garages
    page, ada, order = at_park_screen(phone, people)
    choice = page.get_by_label("Parked in")
    expect(choice.get_by_role("option")).to_have_count(3)
    assert [text.split(" · ")[0] for text in choice.get_by_role("option").all_inner_texts()] == ["Somewhere else", "Harbour Garage", "Pier Garage"]
    expect(choice.get_by_role("option").nth(1)).to_contain_text("3 free")
    choice.select_option(pier["id"])
    page.get_by_text("We add the price to the customer’s bill").wait_for()
    check_accessible(page, "valet: a car park of ours")
    shot(page, "valet-park-garage")
    # What was chosen stays on the device.
    page.reload()
    expect(choice).to_have_value(pier["id"])
    # It is closed before the tap: nothing is changed, and another one is chosen.
    people.operator.put(f"/v1/admin/car-parks/{pier['id']}/status", {"status": "closed", "reason": "flood"})
    page.get_by_label("Bay").fill("17")
    page.get_by_role("button", name="Finish parking").click()
    page.get_by_role("button", name="Park without a photo").click()
    page.get_by_text("This car park is closed. Choose another").wait_for()
    expect(choice).to_be_focused()
    check_accessible(page, "valet: a closed car park")
    assert ada.get(f"/v1/orders/{order['id']}")["status"] == "parking"
    choice.select_option(harbour["id"])
    park(page)
    parked = status(ada, order, "parked")["parked"]
    assert (parked["carParkId"], parked["lot"], parked["bay"]) == (harbour["id"], "Harbour Garage", "17")
    assert abs(parked["latitude"] - harbour["position"]["latitude"]) < 1e-9
    lines = ada.get(f"/v1/orders/{order['id']}/quote")["lines"]
    assert lines[-1] == {"kind": "carPark", "amount": {"amount": 2_000, "currency": "HKD"}}
    [general] = people.operator.get(f"/v1/car-parks/{harbour['id']}")["spaces"]
    assert general["free"] == 2


def test_a_car_park_whose_spaces_nobody_counts_is_offered_without_a_number(phone, people, garages):
    def uncounted(route):
        parks = route.fetch().json()
        route.fulfill(json={**parks, "items": [{**one, "spaces": []} for one in parks["items"]]})
    page, _, _ = at_park_screen(lambda app, who: phone(app, who, before=lambda page: page.route("**/v1/car-parks?*", uncounted)), people)
    first = page.get_by_label("Parked in").get_by_role("option").nth(1)
    expect(first).to_have_text(re.compile(r"^Harbour Garage · \d+ m$"))


# The end of a session


def park_without_network(page, ada):
    """The last tap of a drop-off waits on the phone."""
    page.watch.expected.append("ERR_INTERNET_DISCONNECTED")
    to_park_screen(page, ada)
    page.get_by_label("Key tag").fill("042")
    page.context.set_offline(True)
    page.get_by_text("You’re offline").first.wait_for()
    page.get_by_role("button", name="Finish parking").click()
    page.get_by_role("button", name="Park without a photo").click()
    page.get_by_text("1 change waiting to be sent").wait_for()


def end_session(page):
    """As when it was ended on another device."""
    refuse(page, "**/v1/**", 401, "account.session_ended")
    page.context.set_offline(False)
    page.get_by_role("main").get_by_text("You have been signed out").wait_for()
    page.get_by_role("button", name="Sign in").wait_for()
    page.context.unroute("**/v1/**")


def sign_in(page, who):
    page.get_by_label("Phone number").fill(who.phone)
    page.get_by_label("Password").fill(who.password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#password")).to_have_count(0)


def test_a_tap_that_waits_outlives_a_session_that_ends_by_itself(phone, people):
    valet = people.valet()
    page = phone("valet", valet)
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    park_without_network(page, ada)
    end_session(page)
    sign_in(page, valet)
    # Where they were.
    heading(page, "Parked").wait_for()
    assert status(ada, order, "parked")["parked"]["keyTag"] == "042"


def test_a_tap_that_waits_is_not_sent_for_somebody_else(phone, people):
    page = phone("valet", people.valet())
    go_on_shift(page)
    ada = people.customer()
    order_from(ada)
    park_without_network(page, ada)
    end_session(page)
    kept = "Object.keys(localStorage).filter((key) => /outbox|draft/.test(key)).length"
    eventually(lambda: page.evaluate(kept) == 2, "a tap and a draft that wait")
    sign_in(page, people.valet("Other"))
    assert page.evaluate(kept) == 0
    page.get_by_text("Off shift. You get no jobs").wait_for()
    assert ada.order()["status"] == "parking"


def test_nobody_signs_out_unasked_while_a_tap_waits(phone, people, check_accessible):
    page = phone("valet", people.valet())
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    park_without_network(page, ada)
    open_at(page, "/profile")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("dialog").wait_for()
    check_accessible(page, "valet: sign out while a tap waits")
    page.keyboard.press("Escape")
    page.context.set_offline(False)
    status(ada, order, "parked")
    eventually(lambda: page.evaluate("localStorage.getItem('openvalet.valet.outbox')") is None, "an empty outbox")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").wait_for()
    expect(page.get_by_text("You have been signed out")).to_have_count(0)


def test_a_photo_that_was_refused_for_a_moment_is_sent_again_by_itself(phone, people):
    page, ada, order = at_park_screen(phone, people)
    refuse(page, "**/photos?moment=*", 429, "request.too_many")
    page.locator("input[type=file]").set_input_files([picture(page)])
    page.locator(".photo.failed").wait_for()
    page.context.unroute("**/photos?moment=*")
    # The line was cut and is there again, which the browser says nothing of.
    page.evaluate("import('/apps/valet/store.js').then(({ live }) => { live.stop(); live.start(); })")
    page.locator(".photo.sent").wait_for()
    assert len(ada.get(f"/v1/orders/{order['id']}/photos")["items"]) == 1


def test_a_photo_that_waits_outlives_the_page(phone, people):
    page, ada, order = at_park_screen(phone, people)
    refuse(page, "**/photos?moment=*", 429, "request.too_many")
    page.locator("input[type=file]").set_input_files([picture(page)])
    page.locator(".photo.failed").wait_for()
    # As a phone does that is short of memory: nothing runs any more, nobody is asked.
    page.close()
    context = page.context
    context.unroute("**/photos?moment=*")
    again = context.new_page()
    again.goto(f"/valet#/orders/{order['id']}/park")
    expect(again.locator(".photo.sent")).to_have_count(1)
    assert len(ada.get(f"/v1/orders/{order['id']}/photos")["items"]) == 1
    again.reload()
    expect(again.locator(".photo img")).to_have_count(1)
    assert len(ada.get(f"/v1/orders/{order['id']}/photos")["items"]) == 1


def test_a_photo_whose_address_has_expired_is_asked_for_anew(phone, people):
    page = phone("valet", people.valet())
    go_on_shift(page)
    ada = people.customer()
    order_from(ada)
    to_park_screen(page, ada)
    page.locator("input[type=file]").set_input_files(picture(page))
    photos = page.locator(".photo img")
    expect(photos).to_have_count(1)
    page.locator(".photo-mark").wait_for()
    # As on another day: the phone has only the address.
    asked_anew = expire_photos(page)
    page.reload()
    eventually(lambda: page.wait_for_timeout(100) or asked_anew, "another address")
    eventually(lambda: photos.count() and photos.first.evaluate("image => image.naturalWidth") > 0, "the photo")


def test_a_photo_that_waits_is_its_owners(phone, people):
    page, ada, order = at_park_screen(phone, people)
    refuse(page, "**/photos?moment=*", 429, "request.too_many")
    page.locator("input[type=file]").set_input_files([picture(page)])
    page.locator(".photo.failed").wait_for()
    end_session(page)
    page.context.unroute("**/photos?moment=*")
    sign_in(page, people.valet("Other"))
    kept = "import('/apps/valet/photostore.js').then(({ keptPhotos }) => keptPhotos()).then((kept) => kept.length)"
    eventually(lambda: page.evaluate(kept) == 0, "a phone that has nothing of the other's")
    assert ada.get(f"/v1/orders/{order['id']}/photos")["items"] == []


@pytest.mark.parametrize("why", KEEPS_NOTHING)
def test_a_phone_that_keeps_nothing_says_so_and_goes_on(phone, people, check_accessible, why):
    page = phone("valet", before=lambda page: page.add_init_script(KEEPS_NOTHING[why]))
    valet = people.valet()
    sign_in(page, valet)
    expect(page.locator("#toasts")).to_contain_text("This device can’t store more data")
    if why == "full":
        check_accessible(page, "valet: nothing is kept")
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    to_park_screen(page, ada)
    page.locator("input[type=file]").set_input_files([picture(page)])
    page.locator(".photo.sent").wait_for()
    page.get_by_role("button", name="Finish parking").click()
    status(ada, order, "parked")


def test_all_jobs_are_asked_for_each_time(phone, people):
    page = phone("valet", people.valet(), at=FINANCE_STREET)
    go_on_shift(page)
    ada = people.customer()
    order_from(ada)
    page.get_by_role("link", name="Go to the customer").wait_for()
    page.get_by_role("link", name="All my jobs").click()
    row = page.get_by_role("main").locator(".list-item")
    expect(row).to_contain_text("Go to the customer")
    page.get_by_role("link", name="Back").click()
    to_park_screen(page, ada)
    park(page)
    page.get_by_role("link", name="Ready for the next job").click()
    page.get_by_role("link", name="All my jobs").click()
    expect(row).to_contain_text("parked at")

    # The answer of an earlier visit comes late, and is none.
    held = []
    page.context.route("**/v1/orders?as=valet&limit=50", lambda route: held.append(route))
    page.get_by_role("link", name="Back").click()
    page.get_by_role("link", name="All my jobs").click()
    eventually(lambda: page.wait_for_timeout(100) or held, "a question")
    open_at(page, "/earnings")
    heading(page, "Earnings").wait_for()
    for route in held:
        route.abort()
    page.context.unroute("**/v1/orders?as=valet&limit=50")
    page.get_by_role("link", name="All my jobs").click()
    expect(row).to_contain_text("parked at")


# Everybody


def test_the_whole_job_in_chinese_on_a_small_phone(phone, people, shot):
    page = phone("valet", people.valet("永", "李", language="zh-Hant"), language="zh-HK", width=360, height=740, at=FINANCE_STREET)
    page.get_by_role("button", name="可接單").click()
    page.get_by_text("隨時可接單").wait_for()
    assert not is_wider_than_window(page)
    ada = people.customer(language="zh-Hant")
    order = order_from(ada, address="中環金融街8號", extras=["wash", "refuel"])
    page.get_by_role("link", name="前往客人處").click()
    page.get_by_label("客人的交接碼").fill(ada.order_in("droppingOff")["handoverCode"])
    shot(page, "valet-handover-zh")
    assert not is_wider_than_window(page)
    page.get_by_role("button", name="已接車").click()
    page.get_by_role("link", name="我已泊車").click()
    page.get_by_role("button", name="完成泊車").click()
    assert not is_wider_than_window(page)
    page.get_by_role("button", name="不拍照").click()
    page.get_by_role("heading", name="已泊好", level=1).wait_for()
    for tab in ("雜務", "收入", "個人", "工作"):
        if page.get_by_role("link", name="準備接下一份工作").is_visible():
            page.get_by_role("link", name="準備接下一份工作").click()
        page.get_by_role("link", name=tab).first.click()
        expect(page.locator(".skeleton:visible")).to_have_count(0)
        assert not is_wider_than_window(page), tab
    status(ada, order, "parked")


#: A phone with text of twice the size, and the narrowest one.
TIGHT = {"large-text": {"before": large_text}, "narrow": {"width": 320, "height": 568}}


@pytest.mark.parametrize("kind", TIGHT)
def test_a_job_is_read_and_tapped_on_a_phone_with_little_room(phone, people, shot, kind):
    page = phone("valet", people.valet(), **TIGHT[kind])
    check_fits(page, "off shift")
    go_on_shift(page)
    for tab in ("Tasks", "Earnings", "Profile", "Jobs"):
        page.get_by_role("navigation").get_by_role("link", name=tab).click()
        expect(page.locator(".skeleton:visible")).to_have_count(0)
        check_fits(page, tab)
        shot(page, f"valet-{kind}-{tab.lower()}")
    ada = people.customer()
    order_from(ada)
    page.get_by_role("link", name="Go to the customer").click()
    move(page, FINANCE_STREET)
    page.get_by_text("You have arrived").wait_for()
    check_fits(page, "at the customer")
    shot(page, f"valet-{kind}-there")
    collect(page, ada)
    page.get_by_role("link", name="I have parked").click()
    page.get_by_role("button", name="Finish parking").click(trial=True)
    check_fits(page, "park")
    shot(page, f"valet-{kind}-park")
    park(page)
    check_fits(page, "parked")


def test_an_older_browser_does_a_job(phone, people):
    page = phone("valet", people.valet(), before=older_browser)
    go_on_shift(page)
    ada = people.customer()
    order = order_from(ada)
    to_park_screen(page, ada)
    page.locator("input[type=file]").set_input_files([picture(page)])
    page.locator(".photo.sent").wait_for()
    page.get_by_role("button", name="Finish parking").click()
    heading(page, "Parked").wait_for()
    status(ada, order, "parked")
    for path in ("/earnings", "/jobs", "/tasks", "/profile"):
        open_at(page, path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator(".skeleton:visible")).to_have_count(0)
        expect(page.get_by_role("alert")).to_have_count(0)


def test_dark_screens_can_be_read(phone, people, check_accessible, shot):
    page = phone("valet", people.valet(), dark=True)
    go_on_shift(page)
    check_accessible(page, "valet: home, dark")
    ada = people.customer()
    order_from(ada)
    to_park_screen(page, ada)
    check_accessible(page, "valet: park, dark")
    page.get_by_role("link", name="Back").click()
    heading(page, "Park the vehicle").wait_for()
    shot(page, "valet-job-dark")
    check_accessible(page, "valet: job, dark")


def test_a_job_with_the_keyboard_alone(phone, people):
    def press(name, role="button"):
        target = page.get_by_role(role, name=name)
        target.wait_for()
        focus_by_tab(page, target)
        page.keyboard.press("Enter")

    page = phone("valet", people.valet(), at=FINANCE_STREET)
    press("Available")
    page.get_by_text("Ready for jobs").wait_for()
    ada = people.customer()
    order = order_from(ada)
    press("Go to the customer", "link")
    field = page.get_by_label("The customer’s code")
    field.wait_for()
    focus_by_tab(page, field)
    page.keyboard.type(ada.order_in("droppingOff")["handoverCode"])
    page.keyboard.press("Enter")
    press("I have parked", "link")
    press("Finish parking")
    press("Park without a photo")
    heading(page, "Parked").wait_for()
    status(ada, order, "parked")
