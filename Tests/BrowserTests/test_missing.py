"""What is not ours and may be away: the images of a tile server, beyond our own maps, and a router."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Iterator

import pytest
from playwright.sync_api import Page, expect

from api import picture
from system import System
from test_map import PAINTED, VILLAGE, extract, open_map, openvalet_map, village  # noqa: F401 (fixtures)
from test_valet import go_on_shift, move, order_from
from town import CENTRAL

#: As an OSRM answers: around two corners, with geometries as polyline6.
CORNER = 0.0009


#: Whether somebody else's image was drawn: no script may read a canvas with it.
HAS_IMAGES = """() => [...document.querySelectorAll('#test-map .streets canvas')].some((canvas) => {
  try {
    canvas.getContext('2d').getImageData(0, 0, 1, 1);
    return false;
  } catch {
    return true;
  }
})"""


class Other(BaseHTTPRequestHandler):
    """A tile server and a router, which are away for as long as a test says so."""

    is_away = False
    asked: list[str] = []

    def log_message(self, *_) -> None:
        pass

    def do_GET(self) -> None:
        Other.asked.append(self.path)
        if Other.is_away:
            # Not a fault of ours, as 500 would be told of.
            self.answer(404, "text/plain", b"away")
        elif self.path.startswith("/route/"):
            start, end = [[float(it) for it in pair.split(",")] for pair in self.path.split("/")[-1].split("?")[0].replace("%3B", ";").split(";")]
            corners = [start, [start[0], start[1] + CORNER], [end[0], start[1] + CORNER], end]
            self.answer_json({"code": "Ok", "routes": [{"geometry": polyline(corners), "distance": 640, "duration": 96}]})
        elif self.path.startswith("/table/"):
            self.answer(404, "text/plain", b"no tables here")
        else:
            self.answer(200, "image/png", picture())

    def answer_json(self, body) -> None:
        self.answer(200, "application/json", json.dumps(body).encode())

    def answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def polyline(points: list[list[float]]) -> str:
    """Of longitudes and latitudes, by millionths of a degree."""
    text, last = "", (0, 0)
    for longitude, latitude in points:
        now = (round(latitude * 1e6), round(longitude * 1e6))
        for value in (now[0] - last[0], now[1] - last[1]):
            value = ~(value << 1) if value < 0 else value << 1
            while value >= 0x20:
                text += chr((0x20 | (value & 0x1F)) + 63)
                value >>= 5
            text += chr(value + 63)
        last = now
    return text


@pytest.fixture(scope="session")
def other() -> Iterator[str]:
    """Its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="session")
def system(other: str, tmp_path_factory) -> Iterator[System]:
    system = System(
        tmp_path_factory.mktemp("missing"), OPENVALET_WEB_TILES=f"{other}/tile/{{z}}/{{x}}/{{y}}.png",
        OPENVALET_WEB_TILES_ATTRIBUTION="Images of a test", OPENVALET_ROUTER="osrm", OPENVALET_ROUTER_URL=other)
    yield system
    system.stop()


@pytest.fixture(autouse=True)
def nobody_is_away() -> Iterator[None]:
    yield
    Other.is_away = False


def test_without_a_map_of_ours_there_are_images_and_plain_ground_while_they_are_away(phone, people, shot):
    page = phone("customer", people.customer())
    ground = page.locator("#map-holder .map")
    page.locator("#map-holder img.leaflet-tile-loaded").first.wait_for()
    expect(ground.locator(".leaflet-control-attribution")).to_contain_text("Images of a test")
    expect(page.locator(".plain-ground")).to_have_count(0)
    shot(page, "missing-images")
    Other.is_away = True
    page.reload()
    page.locator("#map-holder .plain-ground").wait_for()
    # What is ours is there all the same.
    page.locator("path.area").first.wait_for(state="attached")
    expect(page.get_by_role("button", name="Drop off", exact=True)).not_to_have_attribute("aria-disabled", "true")
    shot(page, "missing-images-away")
    Other.is_away = False
    page.get_by_role("button", name="Zoom in").click()
    page.locator("#map-holder img.leaflet-tile-loaded").first.wait_for()
    expect(page.locator(".plain-ground")).to_have_count(0)


def test_beyond_a_map_of_ours_there_are_images(phone, village):  # noqa: F811
    page = phone("customer")
    attribution = page.locator("#test-map .leaflet-control-attribution")
    open_map(page)
    page.wait_for_function(f"() => ({PAINTED})() > 10000")
    for words in ("© OpenStreetMap contributors", "Images of a test"):
        expect(attribution).to_contain_text(words)
    Other.asked.clear()
    open_map(page, {"latitude": -40.0, "longitude": -120.0}, 15)
    page.wait_for_function(HAS_IMAGES)
    assert [it for it in Other.asked if it.startswith("/tile/15/")]
    # Away, too, they leave a plain ground and no complaint.
    Other.is_away = True
    with page.expect_response(lambda answer: "/tile/15/" in answer.url and answer.status == 404):
        open_map(page, {"latitude": -41.0, "longitude": -121.0}, 15)
    assert not page.evaluate(HAS_IMAGES)


def test_a_way_follows_the_streets_and_is_straight_and_said_so_while_the_router_is_away(phone, people, shot):
    page = phone("valet", people.valet())
    go_on_shift(page)
    order_from(people.customer())
    page.get_by_role("link", name="Go to the customer").click()
    page.locator("path.route:not(.straight)").wait_for(state="attached")
    far = page.locator(".job-head .numbers.muted")
    expect(far).to_contain_text("640 m")
    expect(far).not_to_contain_text("in a straight line")
    Other.is_away = True
    # From another point, of which nobody has kept the way.
    move(page, (CENTRAL[0] + 0.0004, CENTRAL[1] + 0.0004))
    page.locator("path.route.straight").wait_for(state="attached")
    expect(far).to_contain_text("in a straight line")
    shot(page, "missing-router")
    Other.is_away = False
    move(page, (CENTRAL[0] + 0.0002, CENTRAL[1] + 0.0006))
    page.locator("path.route:not(.straight)").wait_for(state="attached")
    expect(far).not_to_contain_text("in a straight line")
