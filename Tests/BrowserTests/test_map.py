"""Maps of the house's own: streets and names, drawn by the browser, added while the house runs."""

from __future__ import annotations

import os
import re
import subprocess
import urllib.request
from pathlib import Path
from typing import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from api import eventually
from conftest import own_clock
from system import BINARIES, ROOT, System

VILLAGE = {"latitude": 35.502, "longitude": 18.0025}

#: Keeps what is written on canvases.
LISTEN = """() => {
  window.written = [];
  const fillText = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    window.written.push(text);
    return fillText.call(this, text, ...rest);
  };
}"""

#: A map of its own over the page, once it is drawn.
OPEN = """async ({ place, zoom }) => {
  const app = document.querySelector('script[type=module][src]').src;
  const { createMap } = await import(new URL('../shared/map.js', app));
  document.getElementById('test-map')?.remove();
  const box = document.createElement('div');
  box.id = 'test-map';
  box.style.cssText = 'position:fixed;inset:0;z-index:9999';
  document.body.append(box);
  window.view = await createMap(box, { label: 'Village' });
  window.view.go(place, zoom);
}"""

#: Opaque pixels of all tiles.
PAINTED = """() => [...document.querySelectorAll('#test-map .streets canvas')].reduce((sum, canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return sum + data.filter((value, index) => index % 4 === 3 && value > 0).length;
}, 0)"""

#: Whether the worker, which keeps them after it has answered, has all of these.
ARE_KEPT = """async (urls) => {
  const cache = await caches.open('openvalet-streets');
  const found = await Promise.all(urls.map((url) => cache.match(url, { ignoreVary: true })));
  return found.every(Boolean);
}"""


def openvalet_map(data: Path, *words: str) -> None:
    environment = {**os.environ, "OPENVALET_VALHALLA": str(ROOT / ".venv/routers")}
    command = [BINARIES / "openvalet", "map", *words, "--data", data]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def system(tmp_path_factory) -> Iterator[System]:
    """One of its own: maps come and go, which all pages see."""
    system = System(tmp_path_factory.mktemp("maps"))
    yield system
    system.stop()


@pytest.fixture(scope="module")
def extract(tmp_path_factory) -> Path:
    """The village of the map tests."""
    extract = tmp_path_factory.mktemp("village") / "village.osm.pbf"
    drawing = ROOT / "Tests/MapsTests/Villages/carob.osm"
    subprocess.run(["osmium", "cat", "--no-progress", drawing, "-o", extract], check=True)
    return extract


@pytest.fixture(scope="module")
def village(system: System, extract: Path) -> None:
    """The village is there, until a test removes it."""
    openvalet_map(system.data, "add", str(extract), "--name", "village")


def open_map(page: Page, place=VILLAGE, zoom: int = 16) -> None:
    page.evaluate(OPEN, {"place": place, "zoom": zoom})


def test_an_open_page_sees_a_map_that_is_added(phone, people, request):
    page = phone("customer", people.customer(), before=own_clock)
    page.locator("#map-holder .plain-ground").wait_for()
    open_map(page)
    page.locator("#test-map.plain-ground").wait_for()
    # Added only now, for the tests that follow too.
    request.getfixturevalue("village")
    page.clock.fast_forward(61_000)
    page.wait_for_function(f"() => ({PAINTED})() > 10000")
    attribution = page.locator("#test-map .leaflet-control-attribution")
    expect(attribution).to_contain_text("© OpenStreetMap contributors")
    expect(page.locator(".plain-ground")).to_have_count(0)
    # Without a network the streets stay.
    page.context.set_offline(True)
    page.watch.expected.append("ERR_INTERNET_DISCONNECTED")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/tiles")):
        page.clock.fast_forward(61_000)
    assert page.evaluate(PAINTED) > 10_000
    page.context.set_offline(False)


def test_streets_are_drawn_and_named_in_the_persons_language(phone, village, shot):
    for language, words in {"en-GB": ["Carob Street", "Queens Road"], "zh-TW": ["角豆街", "Queens Road"]}.items():
        page = phone("customer", language=language)
        page.evaluate(LISTEN)
        open_map(page)
        page.wait_for_function("words => words.every((word) => window.written.includes(word))", arg=words)
        assert page.evaluate(PAINTED) > 10_000
        expect(page.locator("#test-map .leaflet-control-attribution")).to_contain_text("© OpenStreetMap contributors")
        shot(page, f"village-{language}")


def test_names_are_in_the_persons_script(phone):
    names = {"name": "Queen's Road", "name:zh": "皇后大道", "name:zh-Hant": "皇后大道中", "name:en": "Queen's Road Central"}
    for language, shown in {"en-GB": "Queen's Road Central", "zh-TW": "皇后大道中"}.items():
        page = phone("customer", language=language)
        assert page.evaluate("names => import('/apps/shared/basemap.js').then(({ named }) => named(names, {}))", names) == shown


def test_the_streets_are_dark_at_night(phone, village):
    page = phone("customer")
    open_map(page)
    page.wait_for_function(f"() => ({PAINTED})() > 10000")
    # The middle of the first tile that has something.
    color = """() => {
      const canvas = [...document.querySelectorAll('#test-map .streets canvas')].find((each) =>
        each.getContext('2d').getImageData(0, 0, each.width, each.height).data.some((value) => value > 0));
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let sum = 0, count = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) { sum += data[at] + data[at + 1] + data[at + 2]; count++; }
      return sum / count / 3;
    }"""
    by_day = page.evaluate(color)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"(day) => ({PAINTED})() > 10000 && ({color})() < day - 60", arg=by_day)


def test_outside_the_map_there_is_plain_ground_and_no_complaint(phone, village):
    page = phone("customer")
    with page.expect_response(lambda answer: "/tiles/" in answer.url and answer.status == 204):
        open_map(page, {"latitude": -40.0, "longitude": -120.0}, 15)
    assert page.evaluate(PAINTED) == 0
    expect(page.locator("#test-map .leaflet-container")).to_have_count(0)
    expect(page.locator("#test-map.leaflet-container")).to_have_count(1)


def test_a_map_that_leaves_its_view_takes_nothing_with_it(phone, village):
    page = phone("customer")
    open_map(page)
    page.wait_for_function(f"() => ({PAINTED})() > 10000")
    page.evaluate("() => { window.view.remove(); document.getElementById('test-map').remove(); }")
    page.emulate_media(color_scheme="dark")
    page.evaluate("() => new Promise(requestAnimationFrame)")


def test_streets_that_were_seen_are_there_without_a_network(phone, village):
    page = phone("customer", worker=True)
    page.watch.expected.append("ERR_INTERNET_DISCONNECTED")
    # The page of a first visit is taken over by its worker a moment later.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    seen: list[str] = []
    page.on("response", lambda answer: answer.status == 200 and urlsplit(answer.url).path.startswith("/tiles") and seen.append(answer.url))
    open_map(page)
    page.wait_for_function(f"() => ({PAINTED})() > 10000")
    eventually(lambda: page.wait_for_timeout(50) or (seen and page.evaluate(ARE_KEPT, seen)), "tiles that the worker keeps")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_function("() => document.querySelector('#app button')")
    open_map(page)
    page.wait_for_function(f"() => ({PAINTED})() > 10000")


def test_the_first_view_is_an_area_with_streets(phone, people, village):
    customer = people.customer()
    page = phone("customer", geolocation=False)

    def with_the_village(route):
        areas = route.fetch().json()
        near = {**areas["features"][0], "id": "village"}
        (south, west), (north, east) = (35.496, 17.996), (35.509, 18.009)
        near["geometry"] = {"type": "Polygon", "coordinates": [[[west, south], [east, south], [east, north], [west, north], [west, south]]]}
        near["properties"] = {**near["properties"], "id": "village", "name": "Village", "servicePoint": VILLAGE}
        # Behind those of which there are no streets.
        route.fulfill(json={**areas, "features": [*areas["features"], near]})
    page.context.route("**/v1/service-areas", with_the_village)
    page.locator("#contact").fill(customer.phone)
    page.locator("#password").fill(customer.password)

    def is_of_the_village(request) -> bool:
        parts = urlsplit(request.url).path.split("/")
        if parts[1] != "tiles" or len(parts) != 5:
            return False
        zoom, x = int(parts[2]), int(parts[3])
        return zoom >= 13 and abs(x / 2 ** zoom - (18.0025 + 180) / 360) < 2 / 2 ** zoom
    with page.expect_request(is_of_the_village):
        page.locator("form button[type=submit]").click()


def test_streets_are_drawn_where_the_device_has_no_room(phone, village):
    page = phone("customer", worker=True)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    [worker] = page.context.service_workers
    worker.evaluate("() => { Cache.prototype.put = async () => { throw new DOMException('full', 'QuotaExceededError'); }; }")
    open_map(page)
    page.wait_for_function(f"() => ({PAINTED})() > 10000")


@pytest.mark.parametrize("language", ["en-GB", "zh-HK"])
def test_the_first_view_of_the_customer_app_is_light(phone, people, village, language):
    """At most 120 kB sent by us, streets and all that draws them included, without tiles and answers of the API."""
    page = phone("customer", people.customer(), at=(VILLAGE["latitude"], VILLAGE["longitude"]), language=language)
    page.get_by_role("button", name=re.compile("Drop off|交車")).wait_for()
    page.locator(".streets canvas").first.wait_for(state="attached")
    names = page.evaluate("""() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map(({ name }) => new URL(name).pathname).filter((path) => !/^\\/(v1|tiles)\\//.test(path) && path !== '/service-worker.js')""")
    sizes = {}
    for name in set(names):
        with urllib.request.urlopen(urllib.request.Request(people.base + name, headers={"accept-encoding": "gzip"})) as answer:
            sizes[name] = len(answer.read())
    assert sizes.keys() >= {"/", "/apps/customer/app.js", "/leaflet/leaflet.esm.min.js", "/tiles",
                            *(f"/apps/shared/{name}.js" for name in ("basemap", "basemap-style", "mvt"))}
    assert sum(sizes.values()) <= 120_000, sizes


def test_places_of_the_map_are_found_and_named(phone, people, village, check_accessible):
    (south, west), (north, east) = (35.496, 17.996), (35.509, 18.009)
    people.operator.put("/v1/admin/service-areas/village", {
        "type": "Feature", "id": "village", "properties": {"id": "village", "name": "Village", "servicePoint": VILLAGE, "currency": "EUR"},
        "geometry": {"type": "Polygon", "coordinates": [[[west, south], [east, south], [east, north], [west, north], [west, south]]]}})
    page = phone("customer", people.customer(), at=(35.5030, 18.0052))
    expect(page.locator(".where")).to_contain_text("8 Queens Road")
    page.get_by_role("combobox").fill("harr")
    found = page.get_by_role("option").filter(has_text="Carob Street")
    found.first.wait_for()
    check_accessible(page, "places of the map")
    found.first.click()
    expect(page.locator(".where")).to_contain_text("Carob Street")


def test_an_open_page_sees_a_map_that_goes(phone, people, village, system):
    """The last: there are no streets afterwards."""
    page = phone("customer", people.customer(), before=own_clock)
    open_map(page)
    page.wait_for_function(f"() => ({PAINTED})() > 10000")
    openvalet_map(system.data, "remove", "village")
    page.clock.fast_forward(61_000)
    page.locator("#test-map.plain-ground").wait_for()
    expect(page.locator("#test-map .streets")).to_have_count(0)
    expect(page.locator("#test-map .leaflet-control-attribution")).not_to_contain_text("OpenStreetMap")
