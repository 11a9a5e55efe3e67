"""Accounts by e-mail, and one's own profile."""

import uuid

from playwright.sync_api import expect

from api import PASSWORD


def email() -> str:
    """An address that nobody has."""
    return f"ada-{uuid.uuid4().hex[:12]}@example.org"


def tap(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_one_signs_up_confirms_and_signs_in_by_mail(phone, people, check_accessible, shot):
    page, address = phone("customer", width=360, height=740), email()
    page.get_by_role("link", name="New here? Create an account").click()
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Last name").fill("Wong")
    page.get_by_label("Phone number or e-mail").fill("ada@example")
    page.get_by_label("Password").fill(PASSWORD)
    tap(page, "Create account")
    expect(page.locator("#contact-error")).to_have_text("This is no e-mail address.")
    page.get_by_label("Phone number or e-mail").fill(address.upper())
    tap(page, "Create account")

    expect(page.get_by_role("heading", name="Confirm your e-mail address")).to_be_visible()
    expect(page.get_by_text(f"We have sent a code to {address}.")).to_be_visible()
    check_accessible(page, "code by mail")
    page.get_by_label("Six-digit code").fill(people.code(address))
    tap(page, "Confirm")
    expect(page.get_by_role("heading", name="Where is your car?")).to_be_visible()

    page.goto("/#/profile")
    expect(page.get_by_text(address).first).to_be_visible()
    shot(page, "profile-360")
    tap(page, "Sign out")
    page.get_by_label("Phone number or e-mail").fill(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Where is your car?")).to_be_visible()


def test_a_forgotten_password_is_set_by_mail(phone, people, check_accessible):
    page, address = phone("customer"), email()
    people.sign_up_by_mail(address)
    page.get_by_role("link", name="Forgotten your password?").click()
    page.get_by_label("Phone number or e-mail").fill(address)
    tap(page, "Send the code")
    page.get_by_label("Six-digit code").wait_for()
    check_accessible(page, "reset by mail")
    # The first code was that of the sign-up.
    page.get_by_label("Six-digit code").fill(people.code(address, digits=8))
    page.get_by_label("New password").fill("a longer way home")
    tap(page, "Set password and sign in")
    expect(page.get_by_role("heading", name="Where is your car?")).to_be_visible()


def test_an_address_is_added_and_the_number_removed(phone, people, check_accessible, shot):
    who, address = people.customer(), email()
    page = phone("customer", who, width=360, height=740)
    page.goto("/#/profile")
    page.get_by_text("Set the e-mail address").click()
    page.get_by_label("E-mail address").fill(address)
    tap(page, "Send a code there")
    page.get_by_label("Six-digit code").fill(people.code(address))
    page.get_by_label("Password", exact=True).fill("not my password")
    tap(page, "Confirm")
    expect(page.get_by_text("This is not your present password.")).to_be_visible()
    check_accessible(page, "set an e-mail address")
    page.get_by_label("Password", exact=True).fill(who.password)
    tap(page, "Confirm")
    expect(page.get_by_text(address)).to_be_visible()

    page.get_by_text("Set the phone number").click()
    expect(page.get_by_text(f"You no longer sign in with {who.phone}.")).to_be_visible()
    check_accessible(page, "remove the phone number")
    page.get_by_label("Password", exact=True).fill(who.password)
    tap(page, "Remove the phone number")
    expect(page.get_by_text("It is removed.")).to_be_visible()
    expect(page.get_by_text(who.phone)).to_have_count(0)
    shot(page, "profile-by-mail-360")


def test_a_postal_address_is_kept_and_taken_back(phone, people, check_accessible):
    who = people.customer()
    page = phone("customer", who, width=360, height=740)
    page.goto("/#/profile")
    page.get_by_label("Street and number").fill("1 Queen's Road Central")
    page.get_by_label("City").fill("Hong Kong")
    page.get_by_label("Country").select_option(label="Malta")
    section = page.locator("section", has=page.get_by_role("heading", name="Postal address"))
    section.get_by_role("button", name="Save").click()
    expect(section.get_by_role("button", name="Remove the address")).to_be_visible()
    check_accessible(page, "postal address")
    assert who.get("/v1/me")["address"] == {
        "street": "1 Queen's Road Central", "postalCode": None, "city": "Hong Kong", "country": "MT"}
    section.get_by_role("button", name="Remove the address").click()
    expect(section.get_by_role("button", name="Remove the address")).to_have_count(0)
    assert who.get("/v1/me")["address"] is None
