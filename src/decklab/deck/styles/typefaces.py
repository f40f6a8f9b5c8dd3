"""Names of typefaces as files spell them, and the families they mean."""

import re

_REMARK = re.compile(r"\s*\([^()]*\)$")
_STYLES = frozenset(
    (
        "thin", "hairline", "extralight", "ultralight", "light", "book", "regular", "roman",
        "normal", "medium", "demi", "demibold", "semibold", "semilight", "bold", "italic",
        "oblique", "display", "text",
    )
)  # fmt: skip
"""Styles that set text about as wide as the regular face does; black and condensed ones do not."""

NO_FONT = "fontconfig names no font: install some, such as fonts-crosextra-carlito"
"""The cause if this machine has no font at all."""


def plain_family(typeface: str) -> str:
    """The family that a typeface names: without remarks in brackets, fall-backs and odd spaces.

    PowerPoint shows theme fonts as ``Tahoma (Headings)``, and so some files name them.

    >>> plain_family(" Tahoma  (Headings)"), plain_family("'Open Sans', sans-serif")
    ('Tahoma', 'Open Sans')
    """
    first = typeface.split(",", 1)[0] or typeface
    words = " ".join(first.replace('"', "").replace("'", "").lstrip("@").split())
    return _REMARK.sub("", words) or words


def family_without_style(family: str) -> str:
    """The family of a face that carries its style in its name.

    >>> family_without_style("Segoe UI Semibold"), family_without_style("Arial Black")
    ('Segoe UI', 'Arial Black')
    """
    words = family.replace("-", " ").split()
    while len(words) > 1 and words[-1].casefold() in _STYLES:
        words.pop()
    return " ".join(words)
