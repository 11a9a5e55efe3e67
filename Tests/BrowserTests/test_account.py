"""Accounts by e-mail, and one's own profile."""

import base64
import hashlib
import hmac
import struct
import time
import uuid
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from api import OPERATOR_PHONE, PASSWORD, eventually
from conftest import unfold
from system import System


def email() -> str:
    """An address that nobody has."""
    return f"ada-{uuid.uuid4().hex[:12]}@example.org"


def tap(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def totp(secret: str, steps: int = 0) -> str:
    """What an authenticator app shows (RFC 6238), or will show so many half minutes later."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    digest = hmac.new(base64.b32decode(secret.replace(" ", "")), counter, hashlib.sha1).digest()
    at = digest[-1] & 0xF
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


def sign_in(page, who) -> None:
    page.get_by_label("Phone number or e-mail").fill(who.phone)
    page.get_by_label("Password").fill(who.password)
    page.keyboard.press("Enter")


def test_one_signs_up_confirms_and_signs_in_by_mail(phone, people, shot):
    page, address = phone("customer", width=360, height=740), email()
    page.get_by_role("link", name="New here? Create an account").click()
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Last name").fill("Wong")
    page.get_by_label("Phone number or e-mail").fill("ada@example")
    page.get_by_label("Password").fill(PASSWORD)
    tap(page, "Create account")
    expect(page.locator("#contact-error")).to_have_text("Enter a valid e-mail address.")
    page.get_by_label("Phone number or e-mail").fill(address.upper())
    tap(page, "Create account")

    expect(page.get_by_role("heading", name="Confirm your e-mail address")).to_be_visible()
    expect(page.get_by_text(f"We’ve sent a code to {address}.")).to_be_visible()
    page.get_by_label("Six-digit code").fill(people.code(address))
    tap(page, "Confirm")
    expect(page.get_by_role("heading", name="Where is your car?")).to_be_visible()

    page.goto("/#/profile")
    expect(page.get_by_text(address).first).to_be_visible()
    shot(page, "profile-360")
    # A long address breaks: it makes no card wider than the phone.
    right = page.locator(".card").evaluate_all("cards => Math.max(...cards.map(card => card.getBoundingClientRect().right))")
    assert right <= 360
    tap(page, "Sign out")
    page.get_by_label("Phone number or e-mail").fill(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Where is your car?")).to_be_visible()


def test_a_forgotten_password_is_set_by_mail(phone, people, check_accessible):
    page, address = phone("customer"), email()
    people.sign_up_by_mail(address)
    page.get_by_role("link", name="Forgotten your password?").click()
    page.get_by_role("heading", name="New password").wait_for()
    page.get_by_label("Phone number or e-mail").fill(address)
    tap(page, "Send code")
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
    unfold(page, "Change e-mail address")
    page.get_by_label("E-mail address").fill(address)
    tap(page, "Send code")
    page.get_by_label("Six-digit code").fill(people.code(address))
    page.get_by_label("Password", exact=True).fill("not my password")
    tap(page, "Confirm")
    expect(page.get_by_text("That isn’t your current password.")).to_be_visible()
    check_accessible(page, "set an e-mail address")
    page.get_by_label("Password", exact=True).fill(who.password)
    tap(page, "Confirm")
    expect(page.get_by_text(address)).to_be_visible()

    unfold(page, "Change phone number")
    expect(page.get_by_text(f"You’ll no longer be able to sign in with {who.phone}.")).to_be_visible()
    check_accessible(page, "remove the phone number")
    page.get_by_label("Password", exact=True).fill(who.password)
    tap(page, "Remove phone number")
    expect(page.get_by_text("Removed.")).to_be_visible()
    expect(page.get_by_text(who.phone)).to_have_count(0)
    shot(page, "profile-by-mail-360")


def test_a_postal_address_is_kept_and_taken_back(phone, people, check_accessible):
    who = people.customer()
    page = phone("customer", who, width=360, height=740)
    page.goto("/#/profile")
    page.get_by_label("Street and number").fill("1 Queen's Road Central")
    page.get_by_label("City").fill("Hong Kong")
    # That of the device, until another is chosen.
    expect(page.get_by_label("Country")).to_have_value("IE")
    names = page.get_by_label("Country").locator("option").all_text_contents()
    assert len(names) == len(set(names)) > 200
    page.get_by_label("Country").select_option(label="Malta")
    section = page.locator("section", has=page.get_by_role("heading", name="Postal address"))
    section.get_by_role("button", name="Save").click()
    expect(section.get_by_role("button", name="Remove address")).to_be_visible()
    check_accessible(page, "postal address")
    assert who.get("/v1/me")["address"] == {
        "street": "1 Queen's Road Central", "postalCode": None, "city": "Hong Kong", "country": "MT"}
    section.get_by_role("button", name="Remove address").click()
    expect(section.get_by_role("button", name="Remove address")).to_have_count(0)
    assert who.get("/v1/me")["address"] is None


def test_two_step_sign_in_is_set_up_and_asked_for(phone, people, check_accessible, shot):
    who = people.customer()
    page = phone("customer", who, width=360, height=740)
    page.goto("/#/profile")
    unfold(page, "Two-step sign-in")
    page.get_by_role("button", name="Set up: Authenticator app").click()
    page.locator("#factorPassword").fill("not my password")
    tap(page, "Continue")
    expect(page.get_by_text("That isn’t your current password.")).to_be_visible()
    check_accessible(page, "password before two-step sign-in")
    page.locator("#factorPassword").fill(who.password)
    tap(page, "Continue")
    expect(page.get_by_role("img", name="QR code for your authenticator app")).to_be_visible()
    secret = page.locator(".secret").inner_text()
    check_accessible(page, "set up two-step sign-in")
    shot(page, "two-step-set-up-360")
    code = page.get_by_label("Six-digit code")
    expect(code).to_have_attribute("autocomplete", "one-time-code")
    expect(code).to_have_attribute("inputmode", "numeric")
    # A code of another day.
    code.fill(totp(secret, 10_000))
    tap(page, "Confirm the code")
    expect(page.locator("#factorCode-error")).to_be_visible()
    code.fill(totp(secret))
    tap(page, "Confirm the code")
    codes = page.get_by_label("Recovery codes").get_by_role("listitem")
    expect(codes).to_have_count(10)
    recovery = codes.first.inner_text()
    check_accessible(page, "recovery codes")
    shot(page, "recovery-codes-360")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as a file").click()
    assert recovery in download.value.path().read_text()
    tap(page, "I’ve saved them")
    expect(page.get_by_text("10 left")).to_be_visible()
    check_accessible(page, "two-step sign-in")

    tap(page, "Sign out")
    sign_in(page, who)
    expect(page.get_by_role("heading", name="Two-step sign-in", exact=True)).to_be_visible()
    expect(page.get_by_label("Six-digit code")).to_be_focused()
    check_accessible(page, "second step")
    shot(page, "second-step-360")
    tap(page, "Back to the password")
    sign_in(page, who)
    page.get_by_label("Six-digit code").fill(totp(secret, 10_000))
    page.keyboard.press("Enter")
    expect(page.locator("#code-error")).to_be_visible()
    # This step's was used to turn it on; a clock may be a step ahead.
    page.get_by_label("Six-digit code").fill(totp(secret, 1))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Where is your car?")).to_be_visible()

    page.goto("/#/profile")
    tap(page, "Sign out")
    sign_in(page, who)
    tap(page, "Use a recovery code")
    page.get_by_label("Recovery code").fill(recovery)
    check_accessible(page, "recovery code at the sign-in")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Where is your car?")).to_be_visible()

    page.goto("/#/profile")
    unfold(page, "Two-step sign-in")
    expect(page.get_by_text("9 left")).to_be_visible()
    page.get_by_role("button", name="Turn off: Authenticator app").click()
    page.locator("#factorPassword").fill("not my password")
    tap(page, "Turn off")
    expect(page.get_by_text("That isn’t your current password.")).to_be_visible()
    check_accessible(page, "turn two-step sign-in off")
    page.locator("#factorPassword").fill(who.password)
    tap(page, "Turn off")
    expect(page.get_by_text("Turned off.")).to_be_visible()


def test_a_text_message_is_the_second_step(phone, people, check_accessible):
    who = people.customer()
    page = phone("customer", who, width=360, height=740)
    page.goto("/#/profile")
    unfold(page, "Two-step sign-in")
    page.get_by_role("button", name="Set up: Text message").click()
    page.locator("#factorPassword").fill(who.password)
    tap(page, "Continue")
    expect(page.get_by_text(f"We’ve sent a code to {who.phone}.")).to_be_visible()

    def code() -> str:
        return eventually(lambda: next((
            word.strip(".") for item in people.operator.get(f"/v1/admin/messages?phone={who.phone.replace('+', '%2B')}")["items"]
            if "sign-in" in item["text"] for word in item["text"].split() if word.strip(".").isdigit() and len(word.strip(".")) == 6), None),
            "a text message with a code")

    page.get_by_label("Six-digit code").fill(code())
    tap(page, "Confirm the code")
    tap(page, "I’ve saved them")
    tap(page, "Sign out")

    def has_to_wait() -> bool:
        with page.expect_response("**/v1/sessions/second-factor/message") as answer:
            sign_in(page, who)
        if answer.value.ok:
            tap(page, "Back to the password")
        return not answer.value.ok

    # A message was sent less than half a minute ago: the next one has to wait, and the app says so.
    eventually(has_to_wait, "a message that has to wait")
    expect(page.get_by_text("You can ask for a new one in")).to_be_visible()
    check_accessible(page, "second step by text message")
    expect(page.get_by_role("button", name="Send a new code")).to_be_visible()


@pytest.fixture
def careful(tmp_path) -> Iterator[System]:
    """A system whose operators need a second factor."""
    system = System(tmp_path, OPENVALET_ACCOUNTS_OPERATORS_NEED_SECOND_FACTOR="yes")
    yield system
    system.stop()


def test_an_operator_who_needs_a_second_step_sets_it_up_at_the_sign_in(careful, phone, check_accessible, shot):
    page = phone("operator", base=careful.base, width=360, height=740)
    page.get_by_label("Phone number or e-mail").fill(OPERATOR_PHONE)
    page.get_by_label("Password").fill((careful.data / "operator-password").read_text().strip())
    page.keyboard.press("Enter")
    expect(page.get_by_role("img", name="QR code for your authenticator app")).to_be_visible()
    check_accessible(page, "set up at the sign-in")
    shot(page, "two-step-enrolment-360")
    page.get_by_label("Six-digit code").fill(totp(page.locator(".secret").inner_text()))
    tap(page, "Confirm the code")
    expect(page.get_by_label("Recovery codes").get_by_role("listitem")).to_have_count(10)
    check_accessible(page, "recovery codes at the sign-in")
    tap(page, "I’ve saved them")
    expect(page.locator(".live-list")).to_be_attached()
