"""Statements in the file that hide a thing, whether it is drawn or not.

LibreOffice draws some hidden things all the same, and a picture cannot show others.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Element, Group, Image, Line, Table, Text, box_of
from decklab.deck.model.slide import Animation
from decklab.deck.model.text import Run
from decklab.deck.views.drawn import bare
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element as Xml
from decklab.ooxml.xml import qn
from decklab.seen.ink import LEAST_SIZE

VisibilityFault = Literal[
    "gone", "slide", "hidden", "empty", "off the slide", "animation", "symbols", "upside down",
    "small", "faint", "not drawn", "covered",
]  # fmt: skip
"""Why something is not seen."""
ENOUGH: Final = 0.9
"""Share of a text's characters that must be seen. Ours: drawing loses a few to ligatures and
hyphens."""
PART: Final = 0.5
"""Share of a picture's, chart's or shape's ink that must be seen, and of its box that must lie on
the slide. Ours: things may overlap a little."""
LEAST_SIDE: Final = 4.0
"""Px of the 960x540 frame under which a thing is too small to see. Ours."""
LEAST_SHOWN_MS: Final = 1000
"""Least time to read a slide, or a thing that appears after more than a minute. Ours."""
LATEST_MS: Final = 60_000
SYMBOL_FONTS: Final = frozenset(
    ("wingdings", "wingdings 2", "wingdings 3", "webdings", "symbol", "zapf dingbats",
     "zapfdingbats", "marlett", "mt extra", "opensymbol", "bookshelf symbol 7", "ms outlook",
     "wp typographic symbols", "monotype sorts")
)  # fmt: skip
"""Typefaces that have no letters: letters set in them are drawn as signs."""
FAINT = 0.1
"""Opacity of text under which it counts as transparent. Ours."""
_LEAST_LEFT = 0.02
"""Share of a picture's width and height that must remain after cropping. Ours."""
TRANSPARENT = "its text is transparent"
SMALL = f"its text is smaller than {LEAST_SIZE:g} pt on a slide of 960x540 pt"


def declared_fault(element: Element, text: str | None) -> tuple[VisibilityFault, str] | None:
    """The fault by which the file itself hides an element, with its words; None for no fault."""
    if element.hidden:
        return "hidden", "it is hidden"
    box = box_of(element)
    if box is not None and _is_speck(element, box):
        return "small", f"it is {box.width:.0f} by {box.height:.0f} px large"
    if box is not None and box.area:
        inside = box.intersection(FRAME).area / box.area
        if inside < PART:
            return "off the slide", "most of it lies off the slide"
    if isinstance(element, Image):
        crop = element.crop
        if min(1 - crop.left - crop.right, 1 - crop.top - crop.bottom) < _LEAST_LEFT:
            return "not drawn", "nothing of the picture is left to show"
        if element.alpha < FAINT:
            return "faint", "the picture is transparent"
    wanted = None if text is None else bare(text)
    runs = [run for run in _runs(element) if wanted is None or bare(run.text) in wanted]
    if _share(runs, _symbolic) > 1 - ENOUGH:
        return "symbols", "its letters are drawn as the signs of a symbol font"
    if _share(runs, _tiny) > 1 - ENOUGH:
        return "small", SMALL
    if _share(runs, _clear) > 1 - ENOUGH:
        return "faint", TRANSPARENT
    if isinstance(element, Text) and _upside_down(element):
        return "upside down", "its text stands upside down"
    return None


def _is_speck(element: Element, box: Box) -> bool:
    """Whether an element is too small to see. Text overflows its box, so a small box hides it only
    where it wraps letter by letter."""
    long, short = max(box.width, box.height), min(box.width, box.height)
    if isinstance(element, Text):
        return long < LEAST_SIDE or (element.body.wraps and element.w < LEAST_SIDE)
    return long < LEAST_SIDE or (short < LEAST_SIDE and not isinstance(element, Line | Group))


def _runs(element: Element) -> Iterator[Run]:
    paragraphs = []
    if isinstance(element, Text):
        paragraphs = list(element.paragraphs)
    elif isinstance(element, Table):
        paragraphs = [p for row in element.rows for cell in row for p in cell.paragraphs]
    return (run for paragraph in paragraphs for run in paragraph.runs)


def _share(runs: Sequence[Run], holds: Callable[[Run], bool]) -> float:
    """Share of the characters whose runs meet the condition."""
    total = sum(len(bare(run.text)) for run in runs)
    return sum(len(bare(run.text)) for run in runs if holds(run)) / total if total else 0.0


def _tiny(run: Run) -> bool:
    return run.font.size < LEAST_SIZE


def _clear(run: Run) -> bool:
    return run.font.alpha < FAINT


def _symbolic(run: Run) -> bool:
    return run.font.name.casefold() in SYMBOL_FONTS and any(c.isalnum() for c in run.text)


def _upside_down(text: Text) -> bool:
    turned = (text.rotation + (180 if text.flip_v else 0)) % 360
    return 135 < turned < 225


def shown_while_waiting(animations: Sequence[Animation], id: int) -> bool:
    """Whether a shape is visible at some moment when the show waits for a click."""
    own = [effect for effect in animations if effect.shape == id and not effect.paragraphs]
    if not any(effect.kind in ("entrance", "exit") for effect in own):
        return True
    first = next(effect for effect in own if effect.kind in ("entrance", "exit"))
    visible = first.kind == "exit"
    for effect in sorted(animations, key=lambda effect: effect.order):
        if effect.trigger in ("on_click", "on_shape_click") and visible:
            return True
        if effect in own and effect.kind in ("entrance", "exit"):
            visible = effect.kind == "entrance" and effect.delay_ms <= LATEST_MS
    return visible


def clear_text(chart: Xml) -> bool:
    """Whether any text of a chart is transparent; LibreOffice draws it all the same."""
    return any(_is_clear(text) for tag in ("a:defRPr", "a:rPr") for text in chart.iter(qn(tag)))


def unpainted(chart: Xml) -> bool:
    """Whether a chart has series and states for each that it has no paint: no fill, no line and no
    markers. A single series without paint is often a spacer below others."""
    series = list(chart.iter(qn("c:ser")))
    return bool(series) and all(_is_bare(item) for item in series)


def _is_bare(series: Xml) -> bool:
    look = series.find(qn("c:spPr"))
    if look is None:
        return False
    line = look.find(qn("a:ln"))
    lined = series.find(qn("c:marker")) is not None or series.find(qn("c:smooth")) is not None
    no_line = line is not None and _is_clear(line)
    if lined:
        return no_line
    return _is_clear(look) and (line is None or no_line)


def _is_clear(look: Xml) -> bool:
    """Whether something has no fill, or a transparent one."""
    if look.find(qn("a:noFill")) is not None:
        return True
    return any(
        (parse_int(alpha.get("val")) or 0) < FAINT * 100_000
        for fill in look.findall(qn("a:solidFill"))
        for alpha in fill.iter(qn("a:alpha"))
    )
