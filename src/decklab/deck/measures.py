"""Percentages and switches as DrawingML spells them."""

import re

from decklab.ooxml.units import parse_int

_PERCENT = 100_000  # ST_Percentage counts thousandths of a percent
_SPELLED = re.compile(r"\s*(-?\d{1,9}(?:\.\d{1,9})?)%\s*\Z")


def share(text: str | None) -> float | None:
    """A percentage as a share of one; None where there is none.

    >>> share("62500"), share("62.5%"), share(None)
    (0.625, 0.625, None)
    """
    whole = parse_int(text)
    if whole is not None:
        return whole / _PERCENT
    spelled = _SPELLED.match(text or "")
    return float(spelled[1]) / 100 if spelled else None


def flag(text: str | None) -> bool | None:
    """A boolean (``xsd:boolean``, or ``on`` and ``off`` of table styles); None where not stated.

    >>> flag("1"), flag("off"), flag("def")
    (True, False, None)
    """
    if text in ("1", "true", "on", "t"):
        return True
    if text in ("0", "false", "off", "f"):
        return False
    return None
