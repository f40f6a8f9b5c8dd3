"""Size and place of a picture from its words in Markdown (Marp)."""

import re
from typing import Final

_LOOKS: Final = (
    "blur", "brightness", "contrast", "drop-shadow", "grayscale", "hue-rotate", "invert", "opacity",
    "saturate", "sepia",
)  # fmt: skip
_BEHIND: Final = ("bg", "contain", "cover", "fit", "auto", "left", "right", "vertical")
_KEYWORD = re.compile(
    rf"(?:(?P<side>w|h|width|height):(?P<length>auto|[\d.]+(?:%|px|in|cm|mm)?)"
    rf"|(?:{'|'.join(_LOOKS)})(?::\S+)?|center)(?=\s|\Z)"
)
_BACKGROUND = re.compile(rf"bg(?:\s+(?:{'|'.join((*_BEHIND, *_LOOKS))}|\d)[\w.:%-]*)*\Z")
_PER_PAGE: Final = {"%": 100.0, "px": 1280.0, "": 1280.0, "in": 40 / 3, "cm": 33.867, "mm": 338.67}
"""The width of a page in units of length, those of Marp among them."""
_WIDEST: Final = 0.9


def picture_words(text: str) -> tuple[str, str, float | None]:
    """Where a picture stands behind a slide (empty if it does not), its words without the settings
    among them, and its width as a share of that of the page (None if it has none).

    >>> picture_words("The crane w:640px")
    ('', 'The crane', 0.5)
    >>> picture_words("bg right:40%")
    ('bg right:40%', '', None)
    """
    if _BACKGROUND.match(text):
        return text, "", None
    width: float | None = None
    words = []
    for word in text.split():
        keyword = _KEYWORD.fullmatch(word)
        if keyword is None:
            words.append(word)
        elif keyword["side"] in ("w", "width") and keyword["length"] != "auto":
            number, unit = re.fullmatch(r"([\d.]*)(.*)", keyword["length"]).groups()  # type: ignore[union-attr]
            width = min(float(number or 0) / _PER_PAGE[unit], _WIDEST) or None
    return "", " ".join(words), width
