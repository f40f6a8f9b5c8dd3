"""Which typeface a measured text gets."""

from dataclasses import dataclass
from typing import Final

from decklab.rendering.fonts import installed_families
from decklab.rendering.measured import FontFace

_GENERIC: Final = frozenset(
    {"", "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math", "emoji",
     "ui-sans-serif", "ui-serif", "ui-monospace", "ui-rounded", "-apple-system",
     "blinkmacsystemfont"}
)  # fmt: skip
_BOLD: Final = 600


@dataclass(frozen=True)
class Typeface:
    """A family as a presentation names it, by script, and whether it is set bold."""

    latin: str
    east_asian: str
    complex_script: str
    bold: bool
    italic: bool


def typeface_of(face: FontFace) -> Typeface:
    """The family that the page asks for, if the browser has it, else the one that it took.

    A weight that is a family of its own, such as Lato Light, is named as that family.
    """
    taken = face.families.get("latin", "")
    family, bold = face.used, face.weight >= _BOLD
    if family.casefold() in _GENERIC:
        family = taken
    elif (
        taken.casefold().startswith(f"{family.casefold()} ")
        and taken.casefold() in installed_families()
    ):
        family, bold = taken, False
    return Typeface(
        family, face.families.get("ea", ""), face.families.get("cs", ""), bold, face.italic
    )
