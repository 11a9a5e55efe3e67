"""Payouts of sellers and valets: the account with the built-in provider, its states, and payouts that fail."""

from __future__ import annotations

import re
import sqlite3
import time
import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from conftest import check_fits, is_wider_than_window, open_at, refuse
from test_park import heading, tap


@pytest.fixture
def earned(system: Any) -> Any:
    """Credits a person in the ledger, in minor units, as a paid bill would."""
    def enter(person: Any, amount: int, currency: str = "EUR") -> None:
        entry, account = f"capture:{uuid.uuid4()}", f"payable:{person.account['id']}"
        with sqlite3.connect(system.data / "payments.sqlite", timeout=10) as books:
            for name, kind, owner in ((account, "payable", person.account["id"]), ("providerClearing", "providerClearing", None)):
                books.execute("INSERT INTO accounts (id, kind, owner) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (name, kind, owner))
            for line, (name, units) in enumerate(((account, -amount), ("providerClearing", amount))):
                books.execute(
                    "INSERT INTO ledger (entry_id, line, account, amount, currency, bill_id, is_tip, created_at)"
                    " VALUES (?, ?, ?, ?, ?, NULL, 0, ?)", (entry, line, name, units, currency, int(time.time() * 1_000_000)))
    return enter


def opened(phone: Any, app: str, who: Any, **more: Any) -> Page:
    page = phone(app, who, **more)
    page.get_by_role("heading", level=1).wait_for()
    return page


def account_of(page: Page) -> Any:
    return page.get_by_role("region", name="Your payout account")


def test_a_seller_sets_up_the_account_and_is_paid_out(phone, people, earned, check_accessible, shot):
    sara = people.customer("Sara")
    earned(sara, 1_350)
    page = opened(phone, "customer", sara)
    open_at(page, "/spots")
    page.get_by_role("link", name="Earnings").click()
    heading(page, "Payouts")
    expect(page.get_by_text("13.50").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Pay out"))).to_have_attribute("aria-disabled", "true")
    check_accessible(page, "payouts: no account")
    shot(page, "payouts-none")

    # The provider's page may be left, and be continued later.
    tap(page, "Set up payouts")
    heading(page, "Test account")
    check_accessible(page, "payouts: test account")
    shot(page, "payouts-test")
    tap(page, "Leave for now")
    expect(page.get_by_text("You can continue whenever you like.")).to_be_visible()
    expect(account_of(page).get_by_text("Your bank account")).to_be_visible()
    tap(page, "Continue")
    tap(page, "Accept and save")
    expect(page.get_by_text("All done. You can be paid out now.")).to_be_visible()
    expect(account_of(page).get_by_text("•••• 6789")).to_be_visible()
    tap(page, re.compile("^Pay out"))
    expect(page.get_by_text("The payout is on its way.")).to_be_visible()
    paid = page.get_by_role("list", name="Your payouts").get_by_role("listitem")
    expect(paid).to_have_count(1)
    expect(paid).to_contain_text("13.50")
    expect(paid).to_contain_text("Paid")
    check_accessible(page, "payouts: paid")
    shot(page, "payouts-paid")
    assert sara.get("/v1/me/balance?currency=EUR")["available"]["amount"] == 0

    # The account can be seen and changed later; the provider's page expires.
    tap(page, "View or change account")
    heading(page, "Test account")
    open_at(page, "/payouts/refresh")
    expect(page.get_by_text("That page has expired.")).to_be_visible()


def test_who_proves_no_identity_is_told_what_is_missing(phone, people, earned, check_accessible, shot):
    cleo = people.customer("Cleo")
    earned(cleo, 2_000)
    page = opened(phone, "customer", cleo)
    open_at(page, "/payouts")
    tap(page, "Set up payouts")
    page.get_by_role("switch", name="Confirm my identity").click()
    tap(page, "Accept and save")
    expect(page.get_by_text("Some details are still missing.")).to_be_visible()
    need = account_of(page).get_by_role("list", name="Missing details").get_by_role("listitem")
    expect(need).to_contain_text(re.compile("A photo of an identity document.*by "))
    expect(page.get_by_role("button", name=re.compile("^Pay out"))).to_have_attribute("aria-disabled", "true")
    check_accessible(page, "payouts: restricted")
    shot(page, "payouts-restricted")
    tap(page, "Add missing details")
    page.get_by_role("switch", name="Confirm my identity").click()
    tap(page, "Accept and save")
    expect(page.get_by_text("All done. You can be paid out now.")).to_be_visible()
    expect(account_of(page).get_by_role("list", name="Missing details")).to_have_count(0)


def test_a_payout_that_fails_says_why_and_is_made_again(phone, people, earned, check_accessible, shot):
    fay = people.customer("Fay")
    earned(fay, 2_000)
    page = opened(phone, "customer", fay)
    open_at(page, "/payouts")
    tap(page, "Set up payouts")
    page.get_by_role("radio", name=re.compile("1113")).check(force=True)
    tap(page, "Accept and save")
    tap(page, re.compile("^Pay out"))
    expect(page.get_by_text("The payout failed. The reason is below.")).to_be_visible()
    failed = page.get_by_role("list", name="Your payouts").get_by_role("listitem")
    expect(failed).to_contain_text("The bank account is closed or doesn’t exist.")
    expect(failed).to_contain_text("The amount is in your balance again.")
    check_accessible(page, "payouts: failed")
    shot(page, "payouts-failed")
    open_at(page, "/notifications")
    expect(page.get_by_role("listitem").filter(has_text="Payout failed")).to_be_visible()
    open_at(page, "/payouts")
    tap(page, "View or change account")
    # The messages lie above it.
    expect(page.locator(".toasts > *")).to_have_count(0)
    page.get_by_role("radio", name=re.compile("6789")).check(force=True)
    tap(page, "Accept and save")
    tap(page, re.compile("^Pay out"))
    expect(page.get_by_role("list", name="Your payouts").get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_text("Paid", exact=True)).to_be_visible()
    desk = phone("operator", people.operator, width=1280)
    open_at(desk, "/books/payouts")
    desk.get_by_label("Search").fill("Fay")
    rows = desk.get_by_role("row").filter(has_text="Fay")
    expect(rows).to_have_count(2)
    desk.get_by_label("State").select_option("failed")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("The bank account is closed or doesn’t exist.")
    check_accessible(desk, "operator: payouts")
    shot(desk, "operator-payouts")


def test_a_valet_is_paid_out_in_their_app(phone, people, earned, check_accessible, shot):
    vic = people.valet("Vic")
    earned(vic, 500)
    earned(vic, 3_000, "HKD")
    page = opened(phone, "valet", vic)
    open_at(page, "/earnings")
    page.get_by_role("link", name="Payouts").click()
    heading(page, "Payouts")
    # One currency has too little.
    expect(page.get_by_text("The minimum payout is €10.00.")).to_be_visible()
    tap(page, "Set up payouts")
    tap(page, "Accept and save")
    expect(page.get_by_text("All done. You can be paid out now.")).to_be_visible()
    check_fits(page, "payouts")
    page.get_by_role("region", name="HKD").get_by_role("button", name=re.compile("^Pay out")).click()
    expect(page.get_by_role("list", name="Your payouts").get_by_role("listitem")).to_contain_text("30.00")
    check_accessible(page, "valet: payouts")
    shot(page, "payouts-valet")


def test_what_can_not_be_done_is_said_in_words(phone, people, earned):
    una = people.customer("Una")
    earned(una, 2_000)
    page = opened(phone, "customer", una)
    open_at(page, "/payouts")
    refuse(page, "**/v1/me/payout-account/onboarding", 409, "payout.account_refused")
    tap(page, "Set up payouts")
    expect(account_of(page).get_by_text("Our payment provider can’t open this account.")).to_be_visible()
    page.context.unroute("**/v1/me/payout-account/onboarding")
    tap(page, "Set up payouts")
    heading(page, "Test account")


def test_nobody_is_shown_a_currency_that_is_none(phone, people, check_accessible, shot):
    page = opened(phone, "customer", people.customer("Nils", language="zh-Hant"), language="zh-HK", dark=True, width=360)
    open_at(page, "/payouts")
    expect(page.get_by_role("heading", name="暫無可提取的款項")).to_be_visible()
    assert "XXX" not in page.locator("main, body").first.inner_text()
    assert not is_wider_than_window(page)
    check_accessible(page, "payouts: empty, in Chinese")
    shot(page, "payouts-zh")


def test_an_operator_sets_the_rules(phone, people, check_accessible, shot):
    page = phone("operator", people.operator, width=1280)
    open_at(page, "/settings")
    rules = page.get_by_role("region", name="Payouts")
    rules.get_by_label("Payouts are made").select_option("weekly")
    rules.get_by_label("Day of the week").select_option("5")
    rules.get_by_label("Minimum payouts").fill("SEK 200\nJPY 1500")
    rules.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Payout rules saved")).to_be_visible()
    saved = people.operator.get("/v1/admin/payout-rules")["rules"]
    assert saved == {
        "minimums": [{"amount": 20_000, "currency": "SEK"}, {"amount": 1_500, "currency": "JPY"}],
        "schedule": {"interval": "weekly", "weekday": 5}}
    check_accessible(page, "operator: payout rules")
    shot(page, "operator-payout-rules")
    rules.get_by_label("Minimum payouts").fill("20 euros")
    rules.get_by_role("button", name="Save").click()
    expect(rules.get_by_text("Write one currency per line, for example EUR 20.")).to_be_visible()
    rules.get_by_label("Minimum payouts").fill("")
    rules.get_by_label("Payouts are made").select_option("none")
    # The first toast may still be there.
    with page.expect_response(lambda answer: answer.request.method == "PUT" and "/payout-rules" in answer.url):
        rules.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Payout rules saved").last).to_be_visible()
    assert people.operator.get("/v1/admin/payout-rules")["rules"]["schedule"] == {"interval": "none"}
