"""The same measure in other units: 1.5 km and 1,500 metres. Units and their factors are Pint's."""

from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from decklab.core.errors import Unavailable
from decklab.core.extras import needs_extra


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NAMES: Final = {
    "yd": "yard", "mi": "mile", "in": "inch", "ft": "foot", "g": "gram", "t": "tonne",
    "ton": "tonne", "lb": "pound", "oz": "ounce", "l": "litre", "L": "litre", "h": "hour",
    "hr": "hour", "d": "day", "B": "byte", "°C": "degC", "°F": "degF", "K": "kelvin",
    "percentage point": "percentage_point", "yr": "year", "m2": "m²", "km2": "km²", "cm2": "cm²",
    "m3": "m³", "inches": "inch", "centuries": "century", "kilo": "kilogram", "gramme": "gram",
    "kilogramme": "kilogram", "min": "minute", "sec": "second",
}  # fmt: skip
_WRITTEN: Final = _words(
    "km m cm mm µm nm kg mg µg mL ml min s sec ms µs ns KB kB MB GB TB PB KiB MiB GiB TiB bit "
    "Hz kHz MHz GHz W kW MW GW Wh kWh MWh GWh TWh V kV mV mA N kN Pa kPa MPa bar J kJ MJ cal "
    "kcal ha km/h m/s km² m² cm² m³ km2 m2 kph mph"
)
_WORDS: Final = _words(
    "metre meter kilometre kilometer centimetre centimeter millimetre millimeter mile yard "
    "foot feet inch gram kilogram milligram tonne pound ounce litre liter millilitre gallon "
    "milliliter century second minute hour day week month year decade byte kilobyte megabyte "
    "gigabyte "
    "terabyte bit hertz kilohertz megahertz gigahertz watt kilowatt megawatt gigawatt volt "
    "joule kilojoule calorie kelvin hectare acre bar pascal newton"
)
"""Units as they are abbreviated and spelled. Others, such as "ships", are what is counted."""


@lru_cache(maxsize=1)
def _registry() -> Any:
    try:
        return import_module("pint").UnitRegistry()
    except ModuleNotFoundError as error:
        if error.name != "pint":
            raise
        raise Unavailable(needs_extra("comparing measures in other units", "evals")) from error


def known_unit(unit: str) -> str | None:
    """Pint's name of a unit in one of its usual spellings; None for what is no measure.

    >>> known_unit("kilometres"), known_unit("°C"), known_unit("ships")
    ('kilometre', 'degC', None)
    """
    bare = unit.strip(" .")
    if bare in _NAMES or bare in _WRITTEN:
        return _NAMES.get(bare, bare)
    word = bare.casefold()
    single = word.removesuffix("s")
    return next((_NAMES.get(one, one) for one in (word, single) if one in _NAMES.keys() | _WORDS
                 if len(one) > 1), None)  # fmt: skip


@lru_cache(maxsize=4096)
def in_unit(value: float, unit: str, other: str) -> float | None:
    """A value of one unit in another; None where they do not measure the same.

    Raises Unavailable where Pint is needed and not installed.

    >>> in_unit(1.5, "km", "metres"), in_unit(2, "hours", "kg")
    (1500.0, None)
    """
    first, second = known_unit(unit), known_unit(other)
    if first is None or second is None:
        return None
    if first == second:
        return value
    found = _registry().Quantity(value, first)
    return float(found.to(second).magnitude) if found.is_compatible_with(second) else None


@lru_cache(maxsize=1024)
def measured_by(unit: str) -> str:
    """Words for having a measure in a unit, such as to last or to weigh; empty for what is none and
    for lengths, which may be of different sides. Raises Unavailable as ``in_unit``.

    >>> "weigh" in measured_by("kg"), measured_by("metres"), measured_by("ships")
    (True, '', '')
    """
    known = known_unit(unit)
    if known is None:
        return ""
    return next((words for one, words in _MEASURED if in_unit(0.0, known, one) is not None), "")


_MEASURED: Final = (
    ("hour", "last go run take long length duration"),
    ("kg", "weigh weight heavy"),
    ("litre", "hold contain store fit capacity volume"),
    ("m2", "cover area measure size"),
    ("km/h", "speed fast run travel drive go move ride"),
    ("°C", "temperature hot warm cold reach heat"),
    ("byte", "store hold contain size memory storage"),
    ("kWh", "produce energy power electricity"),
)
"""By a unit of each kind how one says that something has so much of it."""
