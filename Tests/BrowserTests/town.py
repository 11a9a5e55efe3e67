"""Where the tests of one process play: a copy of Hong Kong Island of their own, far from that of any other process.

Several processes share a platform. Each claims a number there, and with it an area, positions and phone numbers that no
other process has.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from api import Person

#: Degrees of longitude between two towns: about a hundred kilometres.
STEP = 1.0
#: So many fit between Hong Kong and the date line.
MOST = 60
#: The outline of Hong Kong Island, by longitude and latitude.
OUTLINE = [
    (114.118, 22.284), (114.127, 22.29), (114.15, 22.2895), (114.158, 22.2885), (114.165, 22.2835), (114.173, 22.284),
    (114.185, 22.2865), (114.2, 22.2945), (114.213, 22.2935), (114.229, 22.285), (114.242, 22.272), (114.24, 22.26),
    (114.225, 22.26), (114.196, 22.268), (114.185, 22.261), (114.17, 22.262), (114.15, 22.266), (114.133, 22.26),
    (114.123, 22.268), (114.118, 22.284)]


def claimed() -> int:
    """A number that no other process has on this platform; 0 on a platform of one's own."""
    shared = os.environ.get("OPENVALET_TEST_SYSTEM")
    if not shared:
        return 0
    for number in itertools.count(1):
        try:
            (Path(shared) / f"town-{number}").mkdir()
        except FileExistsError:
            continue
        return number
    raise AssertionError


NUMBER = claimed()
#: The service area's.
ID = f"town-{NUMBER}" if NUMBER else "hk-island"


def here(latitude: float, longitude: float) -> tuple[float, float]:
    """A place of Hong Kong, in this town."""
    return (latitude, round(longitude + STEP * (NUMBER % MOST), 6))


#: Where the tests play: Central.
CENTRAL = here(22.2819, 114.1556)


def found(operator: Person) -> None:
    """Makes the town a service area; Hong Kong Island itself is one on every platform."""
    if not NUMBER:
        return
    ring = [list(reversed(here(latitude, longitude))) for longitude, latitude in OUTLINE]
    operator.put(f"/v1/admin/service-areas/{ID}", {
        "type": "Feature", "id": ID, "geometry": {"type": "Polygon", "coordinates": [ring]},
        "properties": {"id": ID, "name": f"Town {NUMBER}", "currency": "HKD",
                       "servicePoint": {"latitude": CENTRAL[0], "longitude": CENTRAL[1]}}})


#: Beginning of the phone numbers of this town's people.
PHONES = f"+8525{NUMBER:03d}"
_counted = itertools.count(1)


def new_number() -> str:
    """A phone number that nobody has, on any platform of this process."""
    return f"{PHONES}{next(_counted):04d}"
