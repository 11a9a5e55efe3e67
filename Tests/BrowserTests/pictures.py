"""The pictures of README and docs/pictures.md: a demo in the city of an extract, as its customer, valet and operator see it.

    make pictures

`pictures.py <extract> customer park spots lift places valet operator` takes those of some of them.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Callable
from zoneinfo import ZoneInfo

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from api import People
from conftest import CHROMIUM, open_at
from system import ROOT, System
from test_map import openvalet_map

PICTURES = Path(__file__).parent / "Pictures"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
#: Simulated people drive through a city; in ms.
A_DRIVE = 300_000
#: Of the moving picture: milliseconds a frame, its width, and the most frames of one drive.
PACE, WIDTH, MOST = 350, 360, 45
#: In bytes; the moving picture is made coarser until it fits.
LARGEST = 300_000


def open_app(browser: Browser, system: System, app: str, size: dict, **options) -> Page:
    context = browser.new_context(base_url=system.base, viewport=size, locale=options.pop("locale", "en-IE"), **options)
    page = context.new_page()
    page.set_default_timeout(A_DRIVE)
    page.goto("/" if app == "customer" else f"/{app}")
    return page


def keep(page: Page, name: str) -> None:
    # Streets are drawn as they come.
    page.wait_for_timeout(2_000)
    # What was just said goes by itself; it would hide what the picture is of.
    page.evaluate("document.getElementById('toasts')?.replaceChildren()")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.save(PICTURES / f"{name}.webp", quality=82, method=6)
    print(name, flush=True)


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(text), timeout=A_DRIVE)


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def choose_card(page: Page) -> None:
    """Chooses the saved card, if the customer has one from an earlier order."""
    card = page.get_by_role("button", name="Mastercard").first
    if card.is_visible():
        card.click()


class Film:
    """Frames of a page, kept as an animated WebP."""

    def __init__(self, page: Page):
        self.page = page
        self.frames: list[Image.Image] = []

    def look(self, times: int = 1) -> None:
        frame = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        frame = frame.resize((WIDTH, WIDTH * frame.height // frame.width), Image.Resampling.LANCZOS)
        self.frames += [frame] * times

    def follow(self, is_over: Callable[[], bool]) -> None:
        """Looks until it is over; of a long drive the end counts."""
        before = len(self.frames)
        while not is_over():
            self.look()
            self.page.wait_for_timeout(PACE)
        del self.frames[before:-MOST]

    def write(self, path: Path) -> None:
        first, *rest = self.frames
        for quality in (65, 55, 45, 35, 25):
            first.save(path, save_all=True, append_images=rest, duration=PACE, loop=0, quality=quality, method=6, minimize_size=True)
            if path.stat().st_size <= LARGEST:
                break
        print(path.name, f"{path.stat().st_size / 1e6:.1f} MB, {len(self.frames)} frames", flush=True)


def customer(browser: Browser, system: System) -> None:
    night = open_app(browser, system, "customer", PHONE, locale="zh-TW", color_scheme="dark")
    # What is chosen on the device comes before the account's language.
    night.evaluate("localStorage.setItem('openvalet.language', JSON.stringify('zh-Hant'))")
    night.reload()
    tap(night, "客人")
    heading(night, "您的車在哪裏")
    night.wait_for_timeout(3_000)
    keep(night, "customer-zh-home")
    night.context.close()
    page = open_app(browser, system, "customer", PHONE)
    page.get_by_role("button", name="A customer").wait_for()
    keep(page, "demo-people")
    tap(page, "A customer")
    heading(page, "Where is your car")
    expect(page.get_by_text("nearby")).to_be_visible()
    keep(page, "customer-home")
    film = Film(page)
    film.look(4)
    tap(page, "Drop off")
    heading(page, "is on the way")
    page.locator(".marker.valet, .marker.mover").first.wait_for()
    page.wait_for_timeout(3_000)
    keep(page, "customer-on-the-way")
    page.get_by_role("button", name="Show it large").click()
    keep(page, "customer-code")
    page.keyboard.press("Escape")
    film.follow(lambda: "is here" in page.locator("h1").inner_text())
    film.look(4)
    tap(page, "Tell the valet the code")
    film.look(3)
    heading(page, "Parked")
    film.look(4)
    page.wait_for_timeout(60_000)
    keep(page, "customer-parked")
    page.get_by_role("link", name="Bring my vehicle back").click()
    page.wait_for_timeout(2_000)
    film.look(4)
    tap(page, "Bring it here")
    heading(page, "Your vehicle is on its way")
    page.wait_for_timeout(2_000)
    film.follow(lambda: "is here" in page.locator("h1").inner_text())
    tap(page, "Tell the valet the code")
    heading(page, "Welcome back")
    film.look(6)
    keep(page, "customer-bill")
    page.get_by_role("button", name=re.compile("Mastercard")).first.click()
    page.get_by_role("button", name=re.compile("^Pay ")).click()
    heading(page, "All done")
    film.look(6)
    film.write(PICTURES / "journey.webp")
    page.context.close()


def as_customer(browser: Browser, system: System, **settings) -> Page:
    page = open_app(browser, system, "customer", PHONE, **settings)
    tap(page, "A customer")
    heading(page, "Where is your car")
    return page


def park(browser: Browser, system: System) -> None:
    page = as_customer(browser, system)
    # A gate opens for a plate.
    open_at(page, "/vehicles/new?back=list")
    for label, value in {"Plate": "ABC-123", "Make": "Tesla", "Model": "Model 3", "Colour": "white"}.items():
        page.get_by_label(label).fill(value)
    tap(page, "Save")
    heading(page, "Vehicles")
    open_at(page, "/")
    page.get_by_role("link", name="Park", exact=True).click()
    heading(page, "Car parks")
    bookable = page.get_by_role("listitem").filter(has_text="an hour").first
    bookable.wait_for()
    keep(page, "park-find")
    bookable.get_by_role("link").click()
    page.get_by_role("heading", name="Prices").wait_for()
    keep(page, "park-place")
    page.get_by_role("link", name="Book a space").click()
    tap(page, "Next")
    tap(page, "Continue to payment")
    page.get_by_text("Add a card", exact=True).wait_for()
    choose_card(page)
    page.get_by_role("button", name=re.compile("^Pay ")).click()
    page.get_by_role("img", name="QR code of the ticket").wait_for()
    page.get_by_role("heading", name="Ticket").scroll_into_view_if_needed()
    keep(page, "park-ticket")
    page.context.close()


def spots(browser: Browser, system: System) -> None:
    """One's own spot first, then that of somebody simulated."""
    place = {"latitude": 60.1692, "longitude": 24.9390, "accuracy": 5}
    page = as_customer(browser, system, geolocation=place, permissions=["geolocation"])
    open_at(page, "/spots/sell")
    page.get_by_text("You’ll get").wait_for()
    keep(page, "spots-sell")
    open_at(page, "/park")
    spot = page.get_by_role("link", name=re.compile("^Spot of"))
    ask = page.get_by_role("button", name=re.compile("^Request for"))
    yours = page.get_by_text("Due at")
    # Others may be faster, and not every seller says yes.
    for _ in range(10):
        spot.first.wait_for()
        keep(page, "spots-find")
        spot.first.click()
        heading(page, "Parking spot")
        page.wait_for_timeout(2_000)
        if ask.is_visible():
            choose_card(page)
            keep(page, "spots-spot")
            ask.click()
            yours.or_(page.get_by_text(re.compile("said no|did not answer|else got"))).first.wait_for()
            if yours.is_visible():
                keep(page, "spots-yours")
                break
        open_at(page, "/park")
    page.context.close()


def lift(browser: Browser, system: System) -> None:
    """Somebody drives in an hour, and takes along whoever fits."""
    driver = People(system.base, system.data).customer("Maija", "Laine")
    ends = {"origin": {"latitude": 60.1690, "longitude": 24.9330, "address": "Urho Kekkosen katu 1, Helsinki"},
            "destination": {"latitude": 60.1654, "longitude": 24.9511, "address": "Unioninkatu 18, Helsinki"}}
    at = datetime.now(ZoneInfo("Europe/Helsinki")) + timedelta(hours=1)
    driver.post("/v1/trips", {**ends, "departsAt": at.strftime("%Y-%m-%dT%H:%M:00"), "timeZone": "Europe/Helsinki", "seats": 3, "pricePerSeat": 15,
                              "payment": "cash", "acceptsAutomatically": True})
    page = as_customer(browser, system, timezone_id="Europe/Helsinki")
    page.evaluate("localStorage.setItem('openvalet.customer.lift.introduced', 'true')")
    open_at(page, "/lift")
    for label, street in {"From": "Kalevankatu 3", "To": "Unioninkatu 18"}.items():
        page.get_by_role("combobox", name=label, exact=True).fill(street)
        page.locator(".results [role=option]").first.click()
    tap(page, "Search")
    found = page.get_by_role("listitem").filter(has_text="Maija").first
    found.wait_for()
    found.evaluate("node => node.scrollIntoView({ block: 'end' })")
    keep(page, "lift-found")
    found.get_by_role("link").first.click()
    heading(page, "Trip")
    page.get_by_role("button", name=re.compile("^Request a seat")).click()
    page.get_by_role("link", name="View", exact=True).click()
    heading(page, "Ride")
    page.evaluate("scrollTo(0, 0)")
    keep(page, "lift-ride")
    page.context.close()


def places(browser: Browser, system: System) -> None:
    place = {"latitude": 60.1710, "longitude": 24.9432, "accuracy": 5}
    page = as_customer(browser, system, geolocation=place, permissions=["geolocation"])
    open_at(page, "/places")
    page.locator(".place-line").nth(20).wait_for()
    keep(page, "places-find")
    page.locator(".place-line").nth(40).get_by_role("button").click()
    page.get_by_role("list", name="Steps").wait_for()
    keep(page, "places-route")
    page.context.close()


def valet(browser: Browser, system: System) -> None:
    page = open_app(browser, system, "valet", PHONE)
    tap(page, "A valet")
    tap(page, "Available")
    page.get_by_text("In this demo we show you").wait_for()
    keep(page, "valet-home")
    # Vehicles are taken and brought back: the last job is one that parks.
    while not take_job(page):
        page.get_by_role("link", name="Ready for the next job").or_(page.get_by_role("button", name="Back to my jobs")).click()
    keep(page, "valet-parking")
    page.get_by_role("link", name="I have parked").click()
    page.get_by_label("Bay").first.fill("217")
    page.get_by_label("Key tag").fill("042")
    keep(page, "valet-park")
    tap(page, "Finish parking")
    tap(page, "Park without a photo")
    heading(page, "Parked")
    page.context.close()


def take_job(page: Page) -> bool:
    """Drives to the next customer and takes the code from them; whether the vehicle is to be parked then."""
    page.locator(".at-hand").first.click()
    keep(page, "valet-drive")
    heard = page.get_by_role("button", name=re.compile(r"The customer says \d{4}"))
    take = page.get_by_role("button", name=re.compile("Got the vehicle|Hand back")).first
    # Customers change their minds.
    is_over = page.get_by_role("button", name="Back to my jobs")
    take.or_(is_over).first.wait_for()
    if not is_over.is_visible() and not page.locator(".code-form").count():
        take.click()
    heard.or_(is_over).first.wait_for()
    if is_over.is_visible():
        return False
    keep(page, "valet-handover")
    heard.click()
    page.locator("form.code-form button[type=submit]").click()
    parked = page.get_by_role("link", name="I have parked")
    parked.or_(page.get_by_role("heading", name="Handed back")).first.wait_for()
    return parked.is_visible()


def operator(browser: Browser, system: System) -> None:
    page = open_app(browser, system, "operator", DESK)
    tap(page, "An operator")
    page.locator(".order-row").nth(5).wait_for()
    page.wait_for_timeout(10_000)
    keep(page, "operator-live")
    page.locator(".order-row").filter(has_text=re.compile("Parked|Return")).first.get_by_role("link").first.click()
    page.locator("#content h1").wait_for()
    keep(page, "operator-order")
    for path, name in [("/today", "operator-today"), ("/areas/helsinki", "operator-area"), ("/areas/helsinki/tariff", "operator-tariff")]:
        open_at(page, path)
        page.locator("#content h1").wait_for()
        page.wait_for_timeout(2_000)
        keep(page, name)
    open_at(page, "/car-parks")
    page.get_by_role("row").filter(has_text="an hour").first.get_by_role("link").click()
    page.get_by_role("heading", name="Occupancy").wait_for()
    keep(page, "operator-car-park")
    page.context.close()


def main(extract: str, *names: str) -> None:
    with tempfile.TemporaryDirectory(prefix="openvalet-pictures-") as folder, sync_playwright() as playwright:
        openvalet_map(Path(folder) / "data", "add", extract)
        system = System(Path(folder), "--demo", OPENVALET_VALHALLA=str(ROOT / ".venv/routers"))
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"])
        try:
            for look in (customer, park, spots, lift, places, valet, operator):
                if not names or look.__name__ in names:
                    look(browser, system)
        finally:
            browser.close()
            system.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
