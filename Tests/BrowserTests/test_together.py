"""Customer and valet side by side, the operator watching: a whole journey with three browsers and nothing behind them."""

import re

from playwright.sync_api import expect

from api import eventually
from conftest import open_at
from test_customer import drop_off, sign_in, tap
from test_operator import DESK
from test_valet import collect, go_on_shift, move, park
from town import CENTRAL, here

#: Some 250 m from where the valet begins.
CHATER_ROAD = here(22.2805, 114.1580)


def heading(page, text):
    """The first heading of a screen says where a person is."""
    return expect(page.get_by_role("heading", level=1)).to_have_text(text)


def test_a_whole_journey_with_an_operator_watching(phone, people, shot):
    # All by hand, and kept on their devices, as people have it.
    valet = phone("valet", worker=True)
    sign_in(valet, siu := people.valet("Siu Ming", "Chan"))
    go_on_shift(valet)
    desk = phone("operator", worker=True, **DESK)
    sign_in(desk, people.operator)
    customer = phone("customer", worker=True, at=CHATER_ROAD)
    sign_in(customer, ada := people.customer())
    # Accounts tells names by an event, and an order that was shown without one is not asked for again.
    for person in (siu, ada):
        eventually(lambda: person.get("/v1/me/export")["data"]["orders"].get("profile"), "a person whom orders knows")
    drop_off(customer)
    row = desk.locator(".order-row", has_text=eventually(ada.order, "an order")["ticket"])
    heading(customer, "Siu Ming is on the way")
    expect(row).to_contain_text("Valet on the way")
    expect(row).to_contain_text("Siu Ming Chan")
    valet.get_by_role("link", name="Go to the customer").click()
    shot(customer, "together-customer-waits")

    for share in (0.4, 0.8, 1.0, 1.0):
        move(valet, tuple(start + (end - start) * share for start, end in zip(CENTRAL, CHATER_ROAD)))
        valet.wait_for_timeout(500)
    heading(customer, "Siu Ming is here")
    valet.get_by_text("You have arrived").wait_for()
    shot(desk, "together-operator")
    collect(valet, ada)
    heading(customer, "Your vehicle is being parked")
    expect(row).to_contain_text("Being parked")

    valet.get_by_role("link", name="I have parked").click()
    park(valet)
    heading(customer, "Parked")
    expect(row).to_contain_text("Parked")
    valet.get_by_role("link", name="Ready for the next job").click()

    customer.get_by_role("link", name="Bring my vehicle back").click()
    heading(customer, "Where shall we bring it?")
    tap(customer, "Bring it here")
    heading(customer, "Siu Ming is getting your car")
    valet.get_by_role("link", name="Go to the vehicle").click()
    valet.get_by_role("button", name="Got the vehicle").click()
    # The valet stands at the return point already, and says so in a moment.
    heading(customer, re.compile("Your vehicle is (on its way|here)"))
    expect(row).to_contain_text("On its way back")
    valet.get_by_label("The customer’s code").fill(ada.order_in("returningBack")["handoverCode"])
    valet.get_by_role("button", name="Hand back").click()
    heading(valet, "Handed back")

    heading(customer, "Welcome back to your car")
    customer.get_by_role("button", name=re.compile("^Pay HK")).click()
    heading(customer, "All done")
    customer.get_by_role("radio", name="5 stars").check(force=True)
    tap(customer, "Send rating")
    expect(customer.get_by_text("Thanks! You gave 5 stars.")).to_be_visible()
    expect(row).to_have_count(0)
    open_at(customer, "/orders")
    expect(customer.get_by_text("Finished").first).to_be_visible()
