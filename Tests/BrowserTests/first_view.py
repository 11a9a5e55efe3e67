"""What the customer's first view costs: bytes as sent, and times on a slow phone beside this machine without a brake.

    make first-view
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from api import People, Person
from conftest import HEADLESS
from system import ROOT, System
from test_map import openvalet_map

STATION = {"latitude": 60.1710, "longitude": 24.9432, "accuracy": 8}
#: Views of each kind, of which the median counts.
VIEWS = 5
#: As in Lighthouse's slow 4G, with a processor of a sixth of this one's speed: bytes a second, and milliseconds there and back.
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
SLOWER = 6
#: Milliseconds without a long task after which nothing more is to come.
QUIET = 2_000

#: Notes when the first street is drawn, and when the main thread was busy for more than 50 ms.
NOTE = """
    window.noted = { map: null, busyUntil: 0 };
    const stroke = CanvasRenderingContext2D.prototype.stroke;
    CanvasRenderingContext2D.prototype.stroke = function (...path) {
      noted.map ??= performance.now();
      return stroke.apply(this, path);
    };
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) noted.busyUntil = Math.max(noted.busyUntil, task.startTime + task.duration);
    }).observe({ type: 'longtask', buffered: true });
"""

#: What can be tapped is there, the map is drawn, and nothing keeps the main thread: all times in ms since the navigation.
READ = """(quiet) => {
  const button = document.querySelector('#app .button.primary:not(:disabled)');
  if (button) noted.button ??= performance.now();
  const since = Math.max(noted.map ?? Infinity, noted.button ?? Infinity, noted.busyUntil);
  if (performance.now() - since < quiet || since === Infinity) return null;
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return { 'first paint': paint.startTime, map: noted.map, interactive: Math.max(noted.button, noted.busyUntil) };
}"""


#: Bytes of bodies as they were sent.
SIZES = """() => {
  const sizes = { app: 0, tiles: 0, answers: 0 };
  for (const { name, encodedBodySize } of [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]) {
    const path = new URL(name).pathname;
    sizes[path.startsWith('/v1/') ? 'answers' : path.startsWith('/tiles/') ? 'tiles' : 'app'] += encodedBodySize;
  }
  return sizes;
}"""


def look(browser: Browser, who: Person, is_slow: bool) -> tuple[dict[str, float], dict[str, int]]:
    """One view of somebody who is signed in and has nothing of the app on the device: times in ms, and bytes by kind."""
    session = {"name": "openvalet.customer.session", "value": json.dumps(who.signed_in())}
    context = browser.new_context(
        base_url=who.base, viewport={"width": 390, "height": 844}, locale="en-IE", has_touch=True, geolocation=STATION,
        permissions=["geolocation"], service_workers="block",
        storage_state={"origins": [{"origin": who.base, "localStorage": [session]}]})
    context.add_init_script(NOTE)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    if is_slow:
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", SLOW)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto("/", wait_until="commit")
    times = page.wait_for_function(READ, arg=QUIET, timeout=120_000, polling=100).json_value()
    sizes = page.evaluate(SIZES)
    context.close()
    return times, sizes


def main(extract: str) -> None:
    with tempfile.TemporaryDirectory(prefix="openvalet-first-view-") as folder, sync_playwright() as playwright:
        openvalet_map(Path(folder) / "data", "add", extract)
        system = System(Path(folder), OPENVALET_VALHALLA=str(ROOT / ".venv/routers"))
        browser = playwright.chromium.launch(executable_path=HEADLESS, args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            who = People(system.base, system.data).customer()
            look(browser, who, is_slow=False)
            # In turn, so that what else the machine does concerns both alike.
            views = [(look(browser, who, is_slow=False), look(browser, who, is_slow=True)) for _ in range(VIEWS)]
        finally:
            browser.close()
            system.stop()
    print("| the customer's first view, median of 5 | slow phone | unthrottled, same run | ratio |")
    print("|---|---|---|---|")
    for name in ("first paint", "map", "interactive"):
        fast, slow = (statistics.median(view[index][0][name] for view in views) for index in (0, 1))
        print(f"| {name} | {slow / 1_000:.2f} s | {fast / 1_000:.2f} s | {slow / fast:.1f} |")
    sizes = views[0][0][1]
    print(f"| gzip of app, tiles, answers of the API | "
          f"{' + '.join(f'{sizes[kind] / 1_000:.1f}' for kind in ('app', 'tiles', 'answers'))} kB | – | – |")


if __name__ == "__main__":
    main(sys.argv[1])
