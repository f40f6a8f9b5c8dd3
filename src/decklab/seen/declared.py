"""Statements in the file that hide a thing, whether it is drawn or not.

LibreOffice draws some hidden things all the same, and a picture cannot show others.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.base import Pair
from decklab.deck.model.shapes import Element, Group, Image, Line, Table, Text, box_of
from decklab.deck.model.slide import Animation, Contents
from decklab.deck.model.text import Run
from decklab.deck.views.drawn import bare
from decklab.ooxml.xml import Element as Xml
from decklab.ooxml.xml import qn
from decklab.seen.chart_marks import is_clear
from decklab.seen.thresholds import (
    CROWDED,
    ENOUGH,
    FAINT,
    LATEST_MS,
    LEAST_LEFT,
    LEAST_SIDE,
    LEAST_SIZE,
    PART,
    SYMBOL_FONTS,
    VisibilityFault,
)

TRANSPARENT = "its text is transparent"
SMALL = f"its text is smaller than {LEAST_SIZE:g} pt on a slide of 960x540 pt"
_WORD: Final = 4
_TWO_LETTERS: Final = 0.9
"""Ours: letters from which on a word must not break, and the width of two in sizes of letters."""
Fault = tuple[VisibilityFault, str]
"""A reason, and the same as words."""
OFF_SLIDE: Final[Fault] = ("off the slide", "most of it lies off the slide")
SYMBOLIC: Final[Fault] = ("symbols", "its letters are drawn as the signs of a symbol font")
TINY: Final[Fault] = ("small", SMALL)
SHRUNK: Final[Fault] = ("small", f"{SMALL}, as a recorded font scale makes it")
HEAPED: Final[Fault] = ("covered", "its letters lie on top of each other")
BROKEN: Final[Fault] = ("small", "its shape is so narrow that words break letter by letter")
CLEAR: Final[Fault] = ("faint", TRANSPARENT)
EDGE_ON_FAULT: Final[Fault] = ("edge-on", "it is turned in space so that only its edge is seen")
SCALED: Final[Fault] = ("small", "effects make it too small to see")


def shown_scale(slide: Contents) -> float:
    """How much larger a slide is shown than it is, fitted into 960 by 540 points: 2 for a slide of
    480 by 270 points."""
    width, height = slide.size_pt
    return min(FRAME_WIDTH / width, FRAME_HEIGHT / height)


def declared_fault(element: Element, text: str | None, *, scale: float = 1.0) -> Fault | None:
    """The fault by which the file itself hides an element, with its words; None for no fault.

    With ``text`` only the runs of these words are judged; ``scale`` is the slide's
    ``shown_scale``.
    """
    fault = shape_fault(element)
    if fault is not None:
        return fault
    box = box_of(element)
    if box is not None and box.area and box.intersection(FRAME).area / box.area < PART:
        return OFF_SLIDE
    wanted = None if text is None else bare(text)
    runs = [run for run in _runs(element) if wanted is None or bare(run.text) in wanted]
    for own in (SYMBOLIC, TINY, HEAPED, CLEAR):
        if (
            _share(runs, [run_fault(run, run.font.size * scale) == own for run in runs])
            > 1 - ENOUGH
        ):
            return own
    return upside_down(element)


def shape_fault(element: Element) -> Fault | None:
    """The fault by which the file hides a shape as a whole wherever it lies, with its words."""
    if element.hidden:
        return "hidden", "it is hidden"
    box = box_of(element)
    if box is not None and _is_speck(element, box):
        return "small", f"it is {box.width:.0f} by {box.height:.0f} px large"
    if isinstance(element, Image):
        crop = element.crop
        if min(1 - crop.left - crop.right, 1 - crop.top - crop.bottom) < LEAST_LEFT:
            return "not drawn", "nothing of the picture is left to show"
        if element.alpha < FAINT:
            return "faint", "the picture is transparent"
    return None


def run_fault(run: Run, size: float) -> Fault | None:
    """The fault by which a run's own style hides it; ``size`` is in points on a slide of 960 by 540
    points."""
    if run.font.name.casefold() in SYMBOL_FONTS and any(c.isalnum() for c in run.text):
        return SYMBOLIC
    if size < LEAST_SIZE:
        return TINY
    if run.font.spacing < -CROWDED * run.font.size and len(bare(run.text)) > 1:
        return HEAPED
    return CLEAR if run.font.alpha < FAINT else None


def upside_down(element: Element) -> Fault | None:
    """The fault of a text that stands on its head."""
    if not isinstance(element, Text):
        return None
    turned = (element.rotation + (180 if element.flip_v else 0)) % 360
    return ("upside down", "its text stands upside down") if 135 < turned < 225 else None


def broken_words(text: Text, size_pt: Pair) -> Fault | None:
    """The fault of a text in so narrow a shape that its words break letter by letter."""
    if not text.body.wraps or text.body.direction != "horz":
        return None
    room = text.w * size_pt[0] / FRAME_WIDTH - text.body.inset_left - text.body.inset_right
    words = [word for word in text.text.split() if word.isascii() and len(word) >= _WORD]
    narrow = room < _TWO_LETTERS * max((run.font.size for run in _runs(text)), default=0.0)
    return BROKEN if words and narrow else None


def _is_speck(element: Element, box: Box) -> bool:
    """Whether an element is too small to see. Text overflows its box, so a small box hides it only
    where it wraps letter by letter; the rows of a table grow with their text."""
    long, short = max(box.width, box.height), min(box.width, box.height)
    if isinstance(element, Text):
        return long < LEAST_SIDE or (element.body.wraps and element.w < LEAST_SIDE)
    return long < LEAST_SIDE or (
        short < LEAST_SIDE and not isinstance(element, Line | Group | Table)
    )


def _runs(element: Element) -> Iterator[Run]:
    paragraphs = []
    if isinstance(element, Text):
        paragraphs = list(element.paragraphs)
    elif isinstance(element, Table):
        paragraphs = [p for row in element.rows for cell in row for p in cell.paragraphs]
    return (run for paragraph in paragraphs for run in paragraph.runs)


def _share(runs: Sequence[Run], holds: Sequence[bool]) -> float:
    """Share of the characters whose runs are marked."""
    lengths = [len(bare(run.text)) for run in runs]
    marked = sum(length for length, mark in zip(lengths, holds, strict=True) if mark)
    return marked / sum(lengths) if marked else 0.0


def shown_while_waiting(
    animations: Sequence[Animation],
    ids: Collection[int],
    *,
    paragraph: int | None = None,
    dead: Collection[int] = (),
) -> bool:
    """Whether a shape is visible at some moment when the show waits for a click.

    ``ids`` are those of the shape and of the groups around it. With ``paragraph``, counted from 0,
    effects on that paragraph count too. ``dead`` are shapes that nobody can click.
    """
    own = [
        effect
        for effect in animations
        if effect.shape in ids
        and effect.kind in ("entrance", "exit")
        and not effect.part
        and _plays_on(effect, paragraph)
    ]
    if not own:
        return True
    first = min(own, key=lambda effect: effect.order)
    visible = first.kind == "exit"
    for effect in sorted(animations, key=lambda effect: effect.order):
        if effect.trigger in ("on_click", "on_shape_click") and visible:
            return True
        if effect in own and effect.trigger_shape not in dead:
            visible = effect.kind == "entrance" and effect.delay_ms <= LATEST_MS
    return visible


def _plays_on(effect: Animation, paragraph: int | None) -> bool:
    if not effect.paragraphs:
        return not effect.characters
    first, last = effect.paragraphs[0], effect.paragraphs[-1]
    return paragraph is not None and first <= paragraph <= last


def clear_text(chart: Xml) -> bool:
    """Whether any text of a chart is transparent; LibreOffice draws it all the same."""
    return any(is_clear(text) for tag in ("a:defRPr", "a:rPr") for text in chart.iter(qn(tag)))
