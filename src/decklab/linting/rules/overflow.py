"""Text that runs past its shape, its card, or the slide."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from decklab.core.colors import is_near, parse_color
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import Finding, Occurrence, quoted
from decklab.deck.model.shapes import Element, Rect, Solid, Table, Text, box_of
from decklab.deck.views.drawn import Span, bare
from decklab.linting.rules.legibility import role_of
from decklab.linting.rules.page import (
    CARD_SHARE,
    CUT_OFF_PX,
    DrawnSlide,
    DrawnText,
    ink_of,
    share_inside,
    visible,
)
from decklab.linting.rules.rule import POWER_PPTX, Rule, called, words_of
from decklab.metrics.contrast import InkContrast, ink_contrast

OVERFLOW_PX: Final = 6.0
OVERFLOW_LINES: Final = 0.5
"""Ours: ink past an edge by no more than the larger of both is not reported. Insets, descenders and
the small differences between programs' line heights take up as much."""

PAINTED_PX: Final = 4.0
PAINTED_LINES: Final = 0.2
"""Ours: the same for text past a fill or line, which shows where it should have ended."""

ON_GROUND: Final = 0.8
"""Ours: share of a text's ink on a filled area from which on it belongs there."""

CENTRED_SHARE: Final = 0.1
"""Ours: share of a round or pointed shape's width by which the middle of its label may be off, and
half the share of its height."""

OUTSIDE_SHARE: Final = 0.15
OUTSIDE_DISTANCE: Final = 48
"""Ours: share of the words that stand beyond the fill of an arrow, circle or other shape, and by
how much a channel behind them differs from the fill."""

PLAIN_OVERFLOW_LINES: Final = 1.5
"""Ours: a box that is not painted shows no edge, so that only more than a line counts."""

_LONG_WORD: Final = 5
"""Ours: letters of a word that is sought across spans, where shorter ones would stand by chance."""

_NEAR = 4.0  # px within which places on several slides are one
_CARD_SLACK = 2.0  # px that a text box may reach past the card it was put on
Side = Literal["below", "above", "right", "left"]
_SIDES: dict[Side, str] = {
    "below": "below", "above": "above", "right": "to the right of", "left": "to the left of",
}  # fmt: skip

TEXT_OVERFLOW = Rule(
    "text.overflow",
    "TextOverflow",
    "Text runs past its shape.",
    source=POWER_PPTX,
    severity="error",
    threshold=f"ink {PAINTED_PX:g} px and {PAINTED_LINES:g} lines past a painted shape,"
    f" {PLAIN_OVERFLOW_LINES:g} lines past an unpainted one, or {OUTSIDE_SHARE:.0%} of the"
    " words seen beside the fill of a round or pointed one",
    fix="Shorten the text, make it smaller, or make the shape larger.",
    why="Text that leaves its shape looks broken, and runs over what stands beside it as soon as "
    "a word is added or another font is used.",
    drawn=True,
)


def text_overflow(view: DrawnSlide) -> Iterator[Occurrence]:
    """Texts whose ink leaves the painted shape they stand in or on, or their box by whole lines.

    Not judged are shapes that grow with their text, unless it leaves the card they stand on, and
    texts of which too little was found on the page. Text that leaves the slide as well is left to
    text.off-slide.
    """
    for drawn in view.texts:
        text = drawn.element
        if not isinstance(text, Text) or not drawn.is_whole or not text.text.strip():
            continue
        if any(_px_past(drawn.ink, FRAME, side) > CUT_OFF_PX for side in _SIDES):
            continue
        if (overflow := _overflow(text, drawn, view)) is not None:
            yield Occurrence(overflow[0], _place(overflow[1]))


def _place(element: Element) -> tuple[float, ...]:
    """Where an element stands: overflows in one place on many slides have one cause."""
    return tuple(round(edge / _NEAR) for edge in box_of(element) or ())


def _overflow(text: Text, drawn: DrawnText, view: DrawnSlide) -> tuple[Finding, Element] | None:
    """The edge that a text runs past, and by how much."""
    grows = text.body.autofit == "grow"
    if (own := view.rects_by_z.get(text.z)) is not None and not _is_painted(own):
        own = None
    if own is not None and grows:
        return None
    holder = own or _card(text, view) or _ground_under(drawn, view)
    if holder is not None and (beyond := _beyond_fill(drawn, holder, view)) is not None:
        return beyond, holder
    if holder is not None:
        return _worst(text, drawn, holder, view, PAINTED_LINES)
    if grows or text.rotation % 90:
        return None
    return _worst(text, drawn, text, view, PLAIN_OVERFLOW_LINES)


def _ground_under(drawn: DrawnText, view: DrawnSlide) -> Rect | None:
    """The smallest filled area behind a text that holds most of its ink, but not all of it."""
    text, grounds = drawn.element, []
    for item, box in view.rects_near(drawn.ink):
        if item.z is None or text.z is None or item.z >= text.z or item.rotation:
            continue
        if item.paint.kind == "none" or item.geometry == "custom":
            continue
        square = item.geometry in ("rect", "roundRect")
        small = box.area < CARD_SHARE * FRAME_WIDTH * FRAME_HEIGHT
        meant = square or _is_centred(drawn.ink, box)
        if small and meant and ON_GROUND <= share_inside(drawn.ink, box) < 1:
            grounds.append((box.area, item.z, item))
    return min(grounds, key=lambda ground: ground[:2])[2] if grounds else None


def _is_centred(ink: Box, box: Box) -> bool:
    """Whether a text stands in the middle of a shape, as labels do; words on a splash do not."""
    across = abs((ink.left + ink.right) - (box.left + box.right)) / 2
    down = abs((ink.top + ink.bottom) - (box.top + box.bottom)) / 2
    return across <= CENTRED_SHARE * box.width and down <= 2 * CENTRED_SHARE * box.height


def _beyond_fill(drawn: DrawnText, own: Rect, view: DrawnSlide) -> Finding | None:
    """Words of a round, pointed or other shape that the picture shows beside its fill."""
    square = own.geometry in ("rect", "roundRect") and not own.rotation
    if view.image is None or square or not isinstance(own.paint, Solid) or own.paint.alpha < 1:
        return None
    if own.id in view.animated or _is_disguised(drawn, own, view):
        return None
    fill = parse_color(own.paint.color)
    height, width = view.image.shape[:2]
    beyond: list[tuple[Span, float]] = []
    for span in drawn.spans:
        box = span.box.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)
        contrast = ink_contrast(view.image, box, span.color, thin=True) if span.color else None
        if isinstance(contrast, InkContrast):
            out = sum(not is_near(fill, ground, OUTSIDE_DISTANCE) for ground in contrast.grounds)
            beyond.append((span, out / len(contrast.grounds)))
    count = sum(len(span.text) for span, _out in beyond)
    outside = sum(len(span.text) * out for span, out in beyond)
    if not count or outside / count < OUTSIDE_SHARE or outside / count > 1 - OUTSIDE_SHARE:
        return None
    span = max(beyond, key=lambda item: (item[1], -item[0].line))[0]
    stand = view.stand_in(drawn)
    font = view.doubt(stand if stand is not None and stand.least_wider > 1 else None)
    return TEXT_OVERFLOW.finding(
        f"{words_of(span.text, drawn.element, start=True)} stands partly beside the fill of"
        f" {_holder_name(own, drawn)}.{font.text}",
        view.slide.number,
        drawn.element,
        severity=font.cap("warning"),
        box=span.box,
        measured=round(outside / count, 2),
        threshold=OUTSIDE_SHARE,
    )


def _holder_name(holder: Element, drawn: DrawnText) -> str:
    own = holder.z == drawn.element.z
    return "its shape" if own else f"{called(holder)}, on which it stands"


def _is_disguised(drawn: DrawnText, own: Rect, view: DrawnSlide) -> bool:
    """Whether a highlight or another object may lie behind the words, and not the fill."""
    text = drawn.element
    assert isinstance(text, Text)
    runs = (run for paragraph in text.paragraphs for run in paragraph.runs)
    if any(run.font.highlight is not None for run in runs):
        return True
    painted: list[Element] = [rect for rect in view.slide.rects if _is_painted(rect)]
    others = (it for it in visible([*painted, *view.slide.images]) if it.id != text.id)
    over = (item for item in others if (item.z or 0) > (own.z or 0))
    return any(drawn.ink.intersection(box_of(item) or FRAME).area for item in over)


def _is_painted(rect: Rect) -> bool:
    return rect.fill is not None or rect.stroke is not None or rect.paint.kind != "none"


def _card(text: Text, view: DrawnSlide) -> Rect | None:
    """The smallest painted area that a text box was put on, whole."""
    if (own := box_of(text)) is None or text.z is None:
        return None
    cards = []
    for item, box in view.rects_near(own.grown(_CARD_SLACK)):
        if item.z is None or item.z >= text.z:
            continue
        roomy = box.grown(_CARD_SLACK)
        small = box.area < CARD_SHARE * FRAME_WIDTH * FRAME_HEIGHT
        if _is_painted(item) and small and not item.rotation and share_inside(own, roomy) == 1:
            cards.append((box.area, item.z, item))
    return min(cards, key=lambda card: card[:2])[2] if cards else None


def _worst(
    text: Text, drawn: DrawnText, holder: Element, view: DrawnSlide, least_lines: float
) -> tuple[Finding, Element] | None:
    box = box_of(holder)
    sides: tuple[Side, ...] = ("below", "above")
    if holder is not text:
        sides = ("below", "above", "right", "left")
    if box is None or text.body.direction != "horz":
        return None
    past = max((_past(drawn, box, side, least_lines), side) for side in sides)
    return (_finding(drawn, holder, past, view, least_lines), holder) if past[0] else None


def _past(
    drawn: DrawnText, box: Box, side: Side, least: float = OVERFLOW_LINES, ink: Box | None = None
) -> float:
    """Px of ink past one edge; 0 where it is too little to be reported."""
    px = _px_past(ink or drawn.ink, box, side)
    return px if px > _least_px(drawn, least) else 0.0


def _px_past(ink: Box, box: Box, side: Side) -> float:
    """Px of ink past one edge; negative inside it."""
    return {
        "below": ink.bottom - box.bottom,
        "above": box.top - ink.top,
        "right": ink.right - box.right,
        "left": box.left - ink.left,
    }[side]


def _least_px(drawn: DrawnText, least_lines: float) -> float:
    """Px past an edge up to which nothing is reported."""
    least = PAINTED_PX if least_lines == PAINTED_LINES else OVERFLOW_PX
    return max(least, least_lines * drawn.pitch)


def _finding(
    drawn: DrawnText, holder: Element, past: tuple[float, Side], view: DrawnSlide, least: float
) -> Finding:
    text, (px, side) = drawn.element, past
    lines = px / drawn.pitch
    tall = side in ("below", "above")
    by = f"{px:.0f} px ({lines:.1f} lines)" if tall else f"{px:.0f} px"
    plain = holder is text
    where = "its box, which has no fill or line" if plain else _holder_name(holder, drawn)
    box, own = box_of(holder), view.own_ink(drawn)
    font = view.font_note(drawn, box is not None and not _past(drawn, box, side, least, own))
    slight = lines < 1 or not tall
    return TEXT_OVERFLOW.finding(
        f"{quoted(_words(text))} runs {by} {_SIDES[side]} {where}.{font.text}",
        view.slide.number,
        text,
        severity="info" if plain else font.cap("warning" if slight else "error"),
        box=drawn.ink,
        measured=round(px, 1),
        threshold=round(_least_px(drawn, least), 1),
        fix="Shorten the text, make it smaller, or make the shape larger"
        + (f" by {px:.0f} px." if tall else "."),
    )


def _words(element: Element) -> str:
    return element.text if isinstance(element, Text) else element.name


TEXT_OFF_SLIDE = Rule(
    "text.off-slide",
    "OffSlide",
    "Text runs past the edge of the slide.",
    source=POWER_PPTX,
    severity="error",
    threshold=f"ink {CUT_OFF_PX:g} px past the edge, or words that are not drawn there",
    fix="Shorten the text, make it smaller, or split the slide.",
    why="What lies past the edge of the slide is not shown: people miss the end of the sentence.",
    drawn=True,
)


def text_off_slide(view: DrawnSlide) -> Iterator[Occurrence]:
    """Texts, tables and other frames whose text crosses an edge of the slide.

    Texts with words beyond the edge that are not drawn at all are found, too: LibreOffice leaves
    out lines off the slide. Objects wholly off the slide are left to shape.off-slide; what
    animations move is not judged.
    """
    reported = set()
    for drawn in (*view.texts, *view.contents):
        element = drawn.element
        box = box_of(element) or drawn.ink
        gone = share_inside(drawn.ink, FRAME) == 0 and share_inside(box, FRAME) == 0
        if element.id in view.leaving or not drawn.is_whole or gone:
            continue
        past = max((_px_past(drawn.ink, FRAME, side), side) for side in _SIDES)
        if past[0] > CUT_OFF_PX:
            reported.add(element.id)
            yield Occurrence(_off_slide(drawn, past, view), _place(element))
    for text in visible(view.slide.texts):
        gone = text.id in reported or text.id in view.leaving
        if not gone and (lost := _undrawn(text, view)) is not None:
            yield Occurrence(lost, _place(text))


def _undrawn(text: Text, view: DrawnSlide) -> Finding | None:
    """The finding of a text whose last or first lines lie off the slide and are not drawn."""
    box = box_of(text)
    words = [word for word in map(bare, text.text.split()) if word]
    if box is None or not words or text.rotation or text.body.direction != "horz":
        return None
    seen = _seen(words, view)
    drawn = view.drawn(text)
    reach, pitch = (box, 0.0) if drawn is None else (drawn.ink, drawn.pitch)
    alone = drawn is None
    if alone and (2 * sum(seen) > len(seen) or share_inside(box, FRAME) == 0):
        return None
    if reach.bottom + pitch > FRAME_HEIGHT and (alone or not seen[-1]):
        side: Side = "below"
    elif reach.top - pitch < 0 and (alone or not seen[0]):
        side = "above"
    else:
        return None
    stand = view.stand_in(drawn) if drawn is not None else None
    font = view.doubt(stand if stand is not None and stand.least_wider > 1 else None)
    count = seen.count(False)
    lost = "all of its words" if drawn is None else f"{count} of its {len(words)} words"
    return TEXT_OFF_SLIDE.finding(
        f"{quoted(text.text)} runs past the {_EDGES[side]} of the slide: {lost} are lost."
        f"{font.text}",
        view.slide.number,
        text,
        severity=font.cap("error"),
        box=reach,
        measured=count,
        threshold=0,
    )


def _seen(words: Sequence[str], view: DrawnSlide) -> list[bool]:
    """Whether each word is drawn anywhere on the slide."""
    return [
        word in view.words or (len(word) >= _LONG_WORD and word in view.letters) for word in words
    ]


def _off_slide(drawn: DrawnText, past: tuple[float, Side], view: DrawnSlide) -> Finding:
    element, (px, side) = drawn.element, past
    lost = sum(1 for row in drawn.lines if _is_out(row, side))
    tall = side in ("below", "above")
    lines = f" ({lost} line{'s' if lost > 1 else ''} lost)" if tall and lost else ""
    what = f"The table {element.name}" if isinstance(element, Table) else quoted(_words(element))
    font = view.font_note(drawn, _px_past(view.own_ink(drawn), FRAME, side) <= CUT_OFF_PX)
    along = role_of(element) == "small print"
    slight = px <= max(OVERFLOW_PX, OVERFLOW_LINES * drawn.pitch)
    return TEXT_OFF_SLIDE.finding(
        f"{what} runs {px:.0f} px past the {_EDGES[side]} of the slide{lines}.{font.text}",
        view.slide.number,
        element,
        severity="info" if slight and along else font.cap("warning" if slight else "error"),
        box=drawn.ink,
        measured=round(px, 1),
        threshold=CUT_OFF_PX,
    )


_EDGES: dict[Side, str] = {
    "below": "bottom", "above": "top", "right": "right edge", "left": "left edge",
}  # fmt: skip


def _is_out(row: Sequence[Span], side: Side) -> bool:
    ink = ink_of(row)
    middle = (ink.top + ink.bottom) / 2
    return middle > FRAME_HEIGHT if side == "below" else middle < 0
