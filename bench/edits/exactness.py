"""Whether an edit changed what it says, in the file and in the pictures, and nothing else.

Both decks are drawn whole. Slides without a change have to be equal pixel for pixel, but for the
number of a slide that stands elsewhere now; on the others every pixel outside the frames of the
changed elements and outside their text, as it was drawn.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import hypot
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.shapes import Text
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements
from decklab.diffing.changes import Change
from decklab.editor.edit import edit_with_commands
from decklab.editor.result import EditResult
from decklab.ooxml.package import Package
from decklab.rendering.office import Office
from decklab.rendering.opening import open_rendered
from decklab.rendering.pictures import RenderedSlide
from decklab.rendering.renderer import Cache, Renderer

__all__ = ["Exactness", "edited_exactly"]

_SIZE = (1280, 720)
_MARGIN = 3.0
"""Px of the frame around an element: half a line, and what smooth edges take."""
_UNSEEN = frozenset({"notes", "transition", "animation", "alt text", "name", "section", "show",
                     "properties", "comment"})  # fmt: skip
"""Kinds of changes that do not show."""
_WHOLE = frozenset({"theme", "master", "layout"})


@dataclass(frozen=True)
class Exactness:
    """What one edit came to."""

    result: EditResult
    untouched: int = 0
    """Slides without a change."""
    astray: tuple[int, ...] = ()
    """Those of them, by newer number, that look different."""
    touched: int = 0
    """Slides with a change of their own that were there before."""
    spilled: Mapping[int, int] | None = None
    """Pixels that differ outside of what changed, by slide, where there are any."""

    @property
    def exact(self) -> bool:
        """Whether all came that was asked, and nothing else changed or looks different."""
        checked = self.result.best.verification if self.result.best else None
        return (
            self.result.outcome == "done" and checked is not None and not self.astray
            and not self.spilled and not (checked.unplanned or checked.missing)
        )  # fmt: skip


def edited_exactly(deck: Path, request: str, room: Path, office: Office) -> Exactness:
    """Edit a deck, draw it before and after, and compare."""
    out, cache = room / "out.pptx", Cache(room / deck.stem)
    out.unlink(missing_ok=True)
    result = edit_with_commands(deck, request, out=out, renderer=Renderer(office, cache))
    if result.output is None:
        return Exactness(result)
    elements = _elements(deck), _elements(out)
    pictures = _pictures(deck, office, cache), _pictures(out, office, cache)
    stayed = result.changes.slides.pairs(len(elements[0].slides), len(elements[1].slides))
    edits = result.changes.edits
    by_design = any(one.slide is None and one.kind in _WHOLE for one in edits)
    untouched, touched, astray, spilled = 0, 0, [], {}
    for old, new in stayed:
        own = [one for one in edits if one.slide == new and not _gone(one)]
        before, after = pictures[0][old], pictures[1][new]
        if by_design or _all_of_it(own):
            touched += 1
            continue
        seen = [one for one in own if not _is_unseen(one)]
        untouched, touched = untouched + (not seen), touched + bool(seen)
        if np.array_equal(before.image, after.image):
            continue
        sides = ((elements[0].slides[old - 1], before), (elements[1].slides[new - 1], after))
        ids = {one.element.id for one in seen if one.element is not None}
        if old != new:  # it shows another number now
            ids |= {item.id for slide, _drawn in sides for item in slide.texts if _is_field(item)}
        count = _outside(before.image, after.image, ids, sides)
        if count and not seen:
            astray.append(new)
        elif count:
            spilled[new] = count
    return Exactness(result, untouched, tuple(astray), touched, spilled)


def _gone(change: Change) -> bool:
    return (change.kind, change.property) == ("slide", "removed")


def _is_unseen(change: Change) -> bool:
    moved = change.kind == "slide" and change.property in ("moved", "hidden")
    return moved or change.kind in _UNSEEN


def _all_of_it(changes: list[Change]) -> bool:
    """Whether the slide as a whole may look different."""
    return any(one.kind in ("layout", "slide") and one.property in ("layout", "background")
               for one in changes)  # fmt: skip


def _is_field(item: Text) -> bool:
    return any(run.kind == "field" for line in item.paragraphs for run in line.runs)


def _outside(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    ids: set[int],
    sides: tuple[tuple[SlideElements, RenderedSlide], ...],
) -> int:
    """Pixels that differ outside of the elements of some ids."""
    if before.shape != after.shape:
        return int(before.shape[0] * before.shape[1])
    differ = np.any(before != after, axis=2)
    height, width = differ.shape
    for slide, drawn in sides:
        for box in _boxes(slide, drawn, ids):
            held = box.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)
            rows = slice(max(0, int(held.top)), max(0, int(held.bottom) + 1))
            differ[rows, max(0, int(held.left)) : max(0, int(held.right) + 1)] = False
    return int(differ.sum())


def _boxes(slide: SlideElements, drawn: RenderedSlide, ids: set[int]) -> Iterator[Box]:
    """Where the elements of some ids stand, and where their text was drawn."""
    for item in slide.elements():
        if item.id not in ids and not ids & set(item.groups):
            continue
        box = _around(item)
        if box is not None:
            yield _grown(box)
    said = "".join("".join(run.text for line in item.paragraphs for run in line.runs)
                   for item in slide.texts if item.id in ids)  # fmt: skip
    for span in drawn.spans:
        if len(span.text.strip()) > 2 and span.text.strip() in said:
            yield _grown(span.box)


def _around(item: object) -> Box | None:
    x, y, w, h = (getattr(item, name, None) for name in ("x", "y", "w", "h"))
    if x is None or y is None or w is None or h is None:
        return None
    if getattr(item, "rotation", 0) % 180:
        reach = hypot(w, h) / 2
        return Box(x + w / 2 - reach, y + h / 2 - reach, x + w / 2 + reach, y + h / 2 + reach)
    return Box(x, y, x + w, y + h)


def _grown(box: Box) -> Box:
    return Box(box.left - _MARGIN, box.top - _MARGIN, box.right + _MARGIN, box.bottom + _MARGIN)


def _elements(deck: Path) -> DeckElements:
    with Package.open(deck) as package:
        return read_elements(package)


def _pictures(deck: Path, office: Office, cache: Cache) -> Mapping[int, RenderedSlide]:
    with open_rendered(deck, renderer=Renderer(office, cache), size=_SIZE, ocr=False) as drawn:
        return {slide.number: slide for slide in drawn}
