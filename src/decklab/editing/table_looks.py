"""The look of a new table: a style whose header can be read, and text that fits its box."""

from collections.abc import Sequence
from math import ceil
from typing import Any, Final

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.slide import Slide

from decklab.ooxml.xml import qn

_STYLES: Final = {
    "accent1": "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}",
    "accent2": "{21E4AEA4-8DFA-4A89-87EB-49C32662AFE0}",
    "accent3": "{F5AB1C69-6EDB-4FF4-983F-18BD219EF322}",
    "accent4": "{00A15C55-8517-42AA-B614-E9B94910E393}",
    "accent5": "{7DF18680-E054-41AD-8BC1-D1AEF772440D}",
    "accent6": "{93296810-A885-4BE3-A3E7-6D5BEEA58F35}",
    "dk1": "{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}",
}
"""PowerPoint's "Medium Style 2" by the colour of its header, whose words have the colour lt1."""
_LEAST_CONTRAST: Final = 4.5
"""Of words on their ground (WCAG 2.2, success criterion 1.4.3)."""
_SIZES: Final = (18, 16, 14, 12, 11, 10)
"""Points; the first is what a table's text has by itself. Ours: nobody reads smaller ones."""
_EMU: Final = 12_700
_INSETS: Final = (14.4, 7.2)
"""Points beside and above the text of a cell, both sides (ECMA-376 Part 1, 21.1.3.17)."""
_EM, _LINE = 0.56, 1.2
"""Width of a character and distance of lines, as shares of the size. Ours: a wide sans serif."""


def readable_style(slide: Slide) -> str:
    """The id of the table style with the first accent of the theme on which its header can be
    read; with its dark colour if no accent is such a one."""
    master = slide.slide_layout.slide_master.part
    theme = etree.fromstring(master.part_related_by(RELATIONSHIP_TYPE.THEME).blob)
    words = _luminance(theme, "lt1")

    def readable(slot: str) -> bool:
        low, high = sorted((words, _luminance(theme, slot)))
        return (high + 0.05) / (low + 0.05) >= _LEAST_CONTRAST

    return _STYLES[next(filter(readable, _STYLES), "dk1")]


def _luminance(theme: Any, slot: str) -> float:
    """Relative luminance (WCAG 2.2) of a colour of a theme, 0 to 1; 1 if it is not stated."""
    stated = theme.find(f".//{qn('a:clrScheme')}/{qn(f'a:{slot}')}/*")
    value = "FFFFFF" if stated is None else stated.get("lastClr") or stated.get("val")
    shares = (part / 255 for part in bytes.fromhex(value))
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return sum(map(float.__mul__, (0.2126, 0.7152, 0.0722), linear))


def fitting_size(rows: Sequence[Sequence[str]], width: float, height: float) -> int:
    """The largest of some sizes in points with which rows of texts fit a height, in columns of a
    ``width``, both in EMU; the smallest if none does.

    >>> fitting_size([["Region", "2025"], ["North", "3.5"]], 2_000_000, 900_000)
    18
    >>> fitting_size([["a word or two"] * 3] * 9, 1_200_000, 3_000_000)
    11
    """

    def fits(size: int) -> bool:
        across = max((width / _EMU - _INSETS[0]) / (_EM * size), 1)
        lines = (max((_lines(str(text), across) for text in row), default=1) for row in rows)
        return sum(line * _LINE * size + _INSETS[1] for line in lines) <= height / _EMU

    return next(filter(fits, _SIZES), _SIZES[-1])


def _lines(text: str, across: float) -> int:
    return sum(max(1, ceil(len(line) / across)) for line in text.split("\n"))
