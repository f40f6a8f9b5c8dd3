"""How files spell DrawingML's measures: lengths in EMU, angles, percentages, switches."""

import re
from typing import NewType

Emu = NewType("Emu", int)
"""English Metric Units, 914,400 to the inch: the length unit of the file format."""

EMU_PER_INCH = 914_400
EMU_PER_POINT = 12_700

_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_INTEGER = re.compile(r"\s*[+-]?\d{1,18}\s*\Z")
_MEASURE = re.compile(r"\s*(-?\d{1,12}(?:\.\d{1,12})?)(mm|cm|in|pt|pc|pi)\s*\Z")
_PERCENT = 100_000  # ST_Percentage counts thousandths of a percent
_SPELLED = re.compile(r"\s*(-?\d{1,9}(?:\.\d{1,9})?)%\s*\Z")
_EMU_PER_UNIT = {
    "mm": EMU_PER_INCH / 25.4,
    "cm": EMU_PER_INCH / 2.54,
    "in": EMU_PER_INCH,
    "pt": EMU_PER_POINT,
    "pc": 12 * EMU_PER_POINT,
    "pi": 12 * EMU_PER_POINT,
}


def parse_int(text: str | None) -> int | None:
    """A whole number as XML spells it; None for no text, or for text that is no such number.

    >>> parse_int("-12"), parse_int("1e3"), parse_int(None)
    (-12, None, None)
    """
    if text is None or not _INTEGER.match(text):
        return None
    return int(text)


def parse_emu(text: str | None) -> Emu | None:
    """A length (ST_Coordinate): EMU, or a number with a unit; None if it is neither.

    >>> parse_emu("914400"), parse_emu("2.5in"), parse_emu("wide")
    (914400, 2286000, None)
    """
    whole = parse_int(text)
    if whole is not None:
        return Emu(whole)
    measure = _MEASURE.match(text or "")
    return Emu(round(float(measure[1]) * _EMU_PER_UNIT[measure[2]])) if measure else None


def degrees(text: str | None) -> float:
    """An angle (ST_Angle) in degrees clockwise, 0 to 360; 0 if there is none.

    >>> degrees("5400000"), degrees("-5400000")
    (90.0, 270.0)
    """
    angle = parse_int(text)
    return 0.0 if angle is None else (angle / _ANGLE_UNIT) % 360


def share(text: str | None) -> float | None:
    """A percentage as a share of one; None if the text is none.

    >>> share("62500"), share("62.5%"), share(None)
    (0.625, 0.625, None)
    """
    whole = parse_int(text)
    if whole is not None:
        return whole / _PERCENT
    spelled = _SPELLED.match(text or "")
    return float(spelled[1]) / 100 if spelled else None


def flag(text: str | None) -> bool | None:
    """A boolean (``xsd:boolean``, or ``on`` and ``off`` of table styles); None if not stated.

    >>> flag("1"), flag("off"), flag("def")
    (True, False, None)
    """
    if text in ("1", "true", "on", "t"):
        return True
    if text in ("0", "false", "off", "f"):
        return False
    return None
