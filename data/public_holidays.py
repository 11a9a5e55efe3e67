"""Writes Shared/Geography/Maps/public-holidays.txt: the public holidays of each country, of PyPI's package holidays 0.109 (MIT).

Those of a whole country alone: what only a part of it has is left out. A line a country (ISO 3166): first the days that
are the same each year, then each year with its others; days as month and day. Dates that hang on the moon are the package's
estimates.

Run it where the package is installed: python data/public_holidays.py
"""

import pathlib
import sys

import holidays

YEARS = range(2026, 2033)
# Where shops close on more days than the package calls public: Hong Kong's general holidays, with Good Friday.
CATEGORIES = {"HK": ("public", "optional")}
FILE = pathlib.Path(__file__).parent.parent / "Shared" / "Geography" / "Maps" / "public-holidays.txt"


def line(country):
    days = holidays.country_holidays(
        country, years=YEARS, categories=CATEGORIES.get(country, ("public",))
    )
    by_year = {year: {f"{day:%m%d}" for day in days if day.year == year} for year in YEARS}
    always = set.intersection(*by_year.values())
    others = {year: sorted(by_year[year] - always) for year in YEARS}
    changing = [text for year in YEARS if others[year] for text in [str(year), *others[year]]]
    return " ".join([country, *sorted(always), *changing])


def main():
    assert holidays.__version__ == "0.109", holidays.__version__
    countries = sorted(holidays.list_supported_countries(include_aliases=False))
    lines = [text for text in map(line, countries) if " " in text]
    FILE.write_text("\n".join(lines) + "\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
