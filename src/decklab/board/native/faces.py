"""Which typeface a measured text gets, and how deep LibreOffice sets its lines."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Final

from decklab.core.files import package_data
from decklab.rendering.fonts import installed_families
from decklab.rendering.measured import Face

_GENERIC: Final = frozenset(
    {"", "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "emoji",
     "ui-sans-serif", "ui-serif", "ui-monospace", "ui-rounded", "-apple-system",
     "blinkmacsystemfont"}
)  # fmt: skip
_BOLD: Final = 600
_UNKNOWN_DESCENT: Final = 0.236
"""Of DejaVu Sans, which LibreOffice shows in place of fonts that it lacks."""


@dataclass(frozen=True)
class Typeface:
    """A family as a presentation names it, by script, and whether it is set bold."""

    latin: str
    east_asian: str
    complex_script: str
    bold: bool
    italic: bool


def typeface_of(face: Face) -> Typeface:
    """The family that the page asks for, if the browser has it, else the one that it took.

    A weight that is a family of its own, such as Lato Light, is named as that family.
    """
    taken = face.families.get("latin", "")
    family, bold = face.used, face.weight >= _BOLD
    if family.casefold() in _GENERIC:
        family = taken
    elif taken.casefold().startswith(f"{family.casefold()} "):
        if taken.casefold() in installed_families():
            family, bold = taken, False
    return Typeface(
        family, face.families.get("ea", ""), face.families.get("cs", ""), bold, face.italic
    )


@cache
def _descents() -> dict[str, float]:
    listed: dict[str, float] = json.loads(package_data("decklab.board.native", "descents.json"))
    return {family.casefold(): share for family, share in listed.items()}


def descent(*families: str) -> float:
    """How far below its baseline LibreOffice ends a line of a font, as a share of the size.

    Of several families the deepest; measured by ``scripts/fonts/measure_descents.py``.
    """
    known = [_descents().get(family.casefold(), _UNKNOWN_DESCENT) for family in families if family]
    return max(known, default=_UNKNOWN_DESCENT)
