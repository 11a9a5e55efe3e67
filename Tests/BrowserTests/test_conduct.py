"""Reports and blocks: what one person does about another, and what an operator makes of it."""

from __future__ import annotations

import uuid

import pytest
from playwright.sync_api import Page, expect

from api import Refused, eventually
from conftest import is_wider_than_window, keep_waiting, open_at, refuse
from town import ID

#: Opens a dialog as a product does, beside what the app shows; says in the page what came of it.
ASK = """async ([dialog, person, subject]) => {
  const [conduct, { createApi }] = await Promise.all([import('/apps/customer/conduct.js'), import('/apps/shared/api.js')]);
  window.answer = undefined;
  conduct[dialog](createApi('customer'), person, subject).then((answer) => { window.answer = answer; });
}"""


def ask(page: Page, dialog: str, other, subject: dict | None = None) -> None:
    person = {"id": other.account["id"], "firstName": other.account["firstName"]}
    page.evaluate(ASK, [dialog, person, subject])
    page.locator("dialog").wait_for()


def answered(page: Page, answer: bool) -> None:
    page.wait_for_function("answer => window.answer === answer", arg=answer)


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def blocked(who) -> list[str]:
    return [one["firstName"] for one in who.get("/v1/me/blocks")["items"]]


def reports(people, status: str, person) -> list[dict]:
    items = people.operator.get(f"/v1/admin/reports?status={status}&limit=200")["items"]
    return [one for one in items if one["person"]["id"] == person.account["id"]]


@pytest.fixture
def customer(phone):
    """The app of somebody who is signed in, on a small phone."""
    def open_app(who, **options) -> Page:
        page = phone("customer", who, width=360, height=740, **options)
        page.locator("#app > *").first.wait_for()
        return page
    return open_app


def test_somebody_is_reported_and_blocked_at_once(customer, people, check_accessible, shot):
    me, bob = people.customer("Ada"), people.customer("Bob")
    page = customer(me)
    subject = {"product": "spots", "id": str(uuid.uuid4())}
    ask(page, "reportPerson", bob, subject)
    dialog = page.get_by_role("dialog", name="Report Bob")
    dialog.get_by_label("What is it about?").select_option(label="Fraud")
    dialog.get_by_label("What happened").fill("He was gone.\nTwice.")
    dialog.get_by_role("switch", name="Block Bob as well").click()
    check_accessible(page, "report somebody")
    assert not is_wider_than_window(page)
    shot(page, "report-360")
    tap(page, "Send report")
    expect(page.get_by_text("Our staff will look at it.")).to_be_visible()
    answered(page, True)
    [report] = reports(people, "open", bob)
    assert (report["reason"], report["text"], report["subject"]) == ("fraud", "He was gone.\nTwice.", subject)
    eventually(lambda: blocked(me) == ["Bob"], "a block")

    ask(page, "reportPerson", bob, subject)
    tap(page, "Send report")
    expect(dialog.get_by_text("You’ve already reported this.")).to_be_visible()
    page.keyboard.press("Escape")
    answered(page, False)


def test_nobody_is_blocked_by_who_thinks_better_of_it(customer, people, check_accessible):
    me, bob = people.customer("Ada"), people.customer("Bob")
    page = customer(me)
    ask(page, "blockPerson", bob)
    check_accessible(page, "block somebody")
    tap(page, "Cancel")
    answered(page, False)
    assert blocked(me) == []
    ask(page, "blockPerson", bob)
    refuse(page, "**/v1/me/blocks/*", 409, "account.too_many_blocks")
    tap(page, "Block")
    expect(page.get_by_text("You’ve reached the maximum number of blocked people.")).to_be_visible()
    answered(page, False)
    page.context.unroute("**/v1/me/blocks/*")
    ask(page, "blockPerson", bob)
    tap(page, "Block")
    expect(page.get_by_text("Bob is blocked.")).to_be_visible()
    answered(page, True)
    assert blocked(me) == ["Bob"]


def test_who_is_blocked_stands_in_the_profile(customer, people, check_accessible, shot):
    me = people.customer("Ada")
    page = customer(me)
    open_at(page, "/profile")
    card = page.locator("section", has=page.get_by_role("heading", name="Blocked people", exact=True))
    expect(card).to_contain_text("You haven’t blocked anyone.")
    for name in ("Bob", "Carol"):
        me.put(f"/v1/me/blocks/{people.customer(name).account['id']}", None)
    open_at(page, "/menu")
    refuse(page, "**/v1/me/blocks?*", 403, "auth.role")
    open_at(page, "/profile")
    expect(card.get_by_role("alert")).to_be_visible()
    page.context.unroute("**/v1/me/blocks?*")
    card.get_by_role("button", name="Try again").click()
    expect(card.get_by_role("listitem")).to_have_count(2)
    check_accessible(page, "blocked people")
    assert not is_wider_than_window(page)
    card.scroll_into_view_if_needed()
    shot(page, "blocked-360")
    tap(page, "Unblock Bob")
    expect(page.get_by_text("Bob is no longer blocked.")).to_be_visible()
    expect(card.get_by_role("listitem")).to_have_count(1)
    assert blocked(me) == ["Carol"]


def test_blocks_and_reports_speak_chinese(customer, people):
    me, bob = people.customer("Ada", language="zh-Hant"), people.customer("Bob")
    page = customer(me, language="zh-HK")
    ask(page, "reportPerson", bob)
    expect(page.get_by_role("dialog", name="舉報Bob")).to_be_visible()
    page.keyboard.press("Escape")
    answered(page, False)
    open_at(page, "/profile")
    expect(page.get_by_role("heading", name="已封鎖的人")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1440])
def test_an_operator_closes_a_report(phone, people, check_accessible, shot, width):
    me, bob = people.customer("Ada"), people.customer("Bob", "Ng")
    words = f"He shouted at me {width} times in {ID}."
    for text in (words, None):
        subject = {"product": "valet", "id": str(uuid.uuid4())}
        me.post("/v1/reports", {"person": bob.account["id"], "reason": "behaviour", "text": text, "subject": subject})
    page = phone("operator", people.operator, width=width, height=800, geolocation=False)
    page.locator(".live-list").wait_for()
    open_at(page, "/reports")
    row = page.get_by_role("row", name=words)
    expect(row).to_contain_text("Bob Ng")
    expect(row).to_contain_text("2 open reports")
    expect(row).to_contain_text("Behaviour")
    expect(row).to_contain_text("Ada Wong")
    assert not is_wider_than_window(page)
    if width == 360:
        check_accessible(page, "reports")
    shot(page, f"operator-reports-{width}")
    row.get_by_role("button", name="Close the report about Bob Ng").click()
    dialog = page.get_by_role("dialog", name="Close report")
    expect(dialog).to_contain_text(words)
    dialog.get_by_label("Decision").select_option(label="Warned")
    dialog.get_by_label("Note").fill("First time.")
    if width == 360:
        check_accessible(page, "close a report")
    dialog.get_by_role("button", name="Close report").click()
    expect(page.get_by_text("The report is closed.")).to_be_visible()
    expect(row).to_have_count(0)
    page.get_by_label("Closed", exact=True).check()
    expect(row).to_contain_text("Warned")
    expect(row).to_contain_text("First time.")
    assert [one["outcome"] for one in reports(people, "closed", bob)] == ["warned"]
    for who, title in ((me, "We looked at your report"), (bob, "A warning from our staff")):
        eventually(lambda: title in [one["title"] for one in who.get("/v1/notifications")["items"]], title)


def test_reports_that_can_not_be_had_are_asked_for_again(phone, people, check_accessible):
    page = phone("operator", people.operator, width=360, height=740, geolocation=False)
    page.locator(".live-list").wait_for()
    refuse(page, "**/v1/admin/reports?*", 403, "auth.role")
    open_at(page, "/reports")
    alert = page.locator("#content").get_by_role("alert")
    expect(alert).to_be_visible()
    check_accessible(page, "reports away")
    let_go = keep_waiting(page, "**/v1/admin/reports?*")
    alert.get_by_role("button", name="Try again").click()
    let_go(lambda route: route.fulfill(json={"items": [], "next": None}))
    expect(page.get_by_text("No report is waiting for a decision.")).to_be_visible()


def test_what_two_operators_decide_differently_is_told(phone, people):
    me, bob = people.customer("Ada"), people.customer("Bob", "Ho")
    words = f"Again and again in {ID}"
    report = me.post("/v1/reports", {"person": bob.account["id"], "reason": "spam", "text": words})
    page = phone("operator", people.operator, width=1440, height=900, geolocation=False)
    page.locator(".live-list").wait_for()
    open_at(page, "/reports")
    page.get_by_role("row", name=words).get_by_role("button").click()
    people.operator.post(f"/v1/admin/reports/{report['id']}/close", {"outcome": "warned"})
    page.get_by_role("dialog").get_by_role("button", name="Close report").click()
    expect(page.get_by_text("Someone else has closed this report")).to_be_visible()
    with pytest.raises(Refused):
        people.operator.post(f"/v1/admin/reports/{report['id']}/close", {"outcome": "dismissed"})
