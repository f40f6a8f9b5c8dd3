"""The layouts of a deck with their placeholders, as text for a prompt."""

from pathlib import Path
from typing import Any

from decklab.core.errors import DeckError
from decklab.editing.opening import PPTX_ERRORS, opened
from decklab.editor.outline import fitting_lines

LAYOUT_CHARACTERS = 4_000
"""Most characters of the layouts in a prompt. Ours."""
_FRAME = (960, 540)
_SMALL = ("date", "footer", "slide number")
"""Placeholders whose place no request needs."""


def layout_lines(deck: Path) -> list[str]:
    """One line for each layout: its name, part and placeholders, with idx, type, x, y, width and
    height in px of the 960x540 frame.

    Raises DeckError where the deck cannot be opened for editing.
    """
    prs = opened(deck)
    scale = (_FRAME[0] / (prs.slide_width or 1), _FRAME[1] / (prs.slide_height or 1))
    try:
        return [
            f'"{layout.name}" ({layout.part.partname[1:]}): '
            + ("; ".join(_placeholder(one, scale) for one in layout.placeholders) or "none")
            for master in prs.slide_masters
            for layout in master.slide_layouts
        ]
    except PPTX_ERRORS as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise DeckError(deck, f"its layouts cannot be read: {said}") from error


def layout_words(deck: Path, *, most: int = LAYOUT_CHARACTERS) -> str:
    """What fits of ``layout_lines`` in ``most`` characters, and how many more layouts there are."""
    return fitting_lines(layout_lines(deck), most, "layouts") or "none"


def _placeholder(shape: Any, scale: tuple[float, float]) -> str:
    held = shape.placeholder_format
    kind = held.type.name.lower().replace("_", " ") if held.type is not None else "object"
    if kind in _SMALL:
        return f"{held.idx} {kind}"
    place = [
        "?" if length is None else f"{length * scale[at % 2]:.0f}"
        for at, length in enumerate((shape.left, shape.top, shape.width, shape.height))
    ]
    return f"{held.idx} {kind} at {place[0]},{place[1]} {place[2]}x{place[3]}"
