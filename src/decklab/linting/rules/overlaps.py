"""Text that something in front hides, texts drawn over each other, and text that touches a line."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from decklab.core.geometry import FRAME, Box, BoxIndex
from decklab.core.results import Finding, Occurrence, quoted
from decklab.deck.model.shapes import Element, Image, Media, Rect, Text, box_of, opacity
from decklab.deck.views.drawn import Span
from decklab.linting.rules.legibility import role_of
from decklab.linting.rules.page import (
    DrawnSlide,
    DrawnText,
    FontNote,
    ink_of,
    is_wordy,
    share_inside,
    visible,
)
from decklab.linting.rules.rule import POWER_PPTX, Rule, called, label, words_of
from decklab.seen.drawn import is_seen, pixels_of
from decklab.seen.seen_slide import OPAQUE

TOUCHING_PX: Final = 4.5
"""Ours: letters that near to an edge look as if they touched it; a pixel of a picture of a slide
1280 pixels wide is .75 px."""

OWN_PX: Final = 1.0
"""Ours: beside upright strokes, such as those of an l, their soft edges reach that far."""

FEET_SHARE: Final = 0.25
"""Ours: share of a line's height, from its bottom up, in which an edge runs through the feet of the
letters."""

EDGE_SHARE: Final = 0.85
"""Ours: share of a line's length along which the edge runs; letters of the next line fill half."""

EDGE_RUN_EM: Final = 4.0
"""Ours: an edge that runs along a line for so many times the text's size without a gap counts,
too, where it does not reach to its ends; letters and words have gaps."""

EDGE_DISTANCE: Final = 60.0
"""Ours: difference of a channel from which on an edge is seen."""

PAST_SHARE: Final = 0.4
"""Ours: share of a line's height by which an edge beside it runs on above and below; a bracket does
not."""

_SOFT: Final = 2  # pixels over which an edge is drawn softly

_Side = Literal["below", "above", "to the right of", "to the left of"]

TEXT_TOUCHING = Rule(
    "text.touching",
    "TextTouchesEdge",
    "Text touches a line or an edge.",
    threshold=f"under {TOUCHING_PX:g} px between letters and an edge that runs along"
    f" {EDGE_SHARE:.0%} of their line, or below {EDGE_RUN_EM:g} times their size of it",
    fix="Move the two apart, or leave more room between text and frame.",
    why="Letters that stand on a line or frame look squeezed, and lose their lower edge.",
    drawn=True,
    scored=False,
)


def touching_text(view: DrawnSlide) -> Iterator[Occurrence]:
    """Text that stands on a line, bar or frame, hangs from it, or ends at it, as the picture shows.

    Underlined and highlighted text, links, turned text, small print and what is animated are not
    judged.
    """
    if view.image is None:
        return
    for drawn in view.texts:
        text = drawn.element
        if not isinstance(text, Text) or text.id in view.moving or text.rotation:
            continue
        if text.body.direction != "horz" or not drawn.is_whole:
            continue
        if role_of(text) == "small print" or _is_marked(text):
            continue
        if (touched := _touched(drawn, view.image)) is not None:
            side, words, box = touched
            message = f"{words_of(words, text, start=True)} touches the edge {side} it, or nearly."
            finding = TEXT_TOUCHING.finding(
                message, view.slide.number, text, box=box, threshold=TOUCHING_PX
            )
            yield Occurrence(finding, (text.name, side))


def _is_marked(text: Text) -> bool:
    """Whether words are underlined, highlighted or links, which are underlined."""
    fonts = [(run, run.font) for paragraph in text.paragraphs for run in paragraph.runs]
    return any(
        "underscore" in font.style or run.click is not None or font.highlight is not None
        for run, font in fonts
    )


def _touched(drawn: DrawnText, image: NDArray[np.uint8]) -> tuple[_Side, str, Box] | None:
    """A line of a text that touches an edge, and on which side that is."""
    rows = [(row, ink_of(row)) for row in drawn.lines]
    ends: tuple[tuple[_Side, tuple[tuple[Span, ...], Box]], ...] = (
        ("below", rows[-1]),
        ("above", rows[0]),
        ("to the right of", max(rows, key=lambda row: row[1].right)),
        ("to the left of", min(rows, key=lambda row: row[1].left)),
    )
    for side, (row, box) in ends:
        words = " ".join(span.text for span in row)
        if not is_wordy(words) or box.intersection(FRAME).area < box.area:
            continue
        if not all(is_seen(image, span.box, span.color) for span in row):
            continue  # behind something that has edges of its own
        flat, size = side in ("below", "above"), row[0].size_pt * drawn.px_per_pt
        past = size / 2 if flat and box.width < EDGE_RUN_EM * size else 0.0
        if not (strip := pixels_of(image, _beside(box, side, past))).size:
            continue
        run = EDGE_RUN_EM * size * image.shape[1] / FRAME.width
        if _is_edge(strip, flat, run if side == "below" else None):
            return side, words, box
    return None


def _beside(box: Box, side: _Side, past: float) -> Box:
    """The strip along one side of a line of text; above and below it goes ``past`` its ends.

    The feet of a short word can fill a row of pixels as an edge does, but end where it ends.
    """
    left, right = box.left - past, box.right + past
    match side:
        case "below":
            feet = box.bottom - FEET_SHARE * box.height
            return Box(left, feet, right, box.bottom + TOUCHING_PX)
        case "above":
            return Box(left, box.top - TOUCHING_PX, right, box.top + TOUCHING_PX / 2)
        case _:
            to_right = side == "to the right of"
            left = box.right + OWN_PX if to_right else box.left - OWN_PX - TOUCHING_PX
            past = PAST_SHARE * box.height
            return Box(left, box.top - past, left + TOUCHING_PX, box.bottom + past)


def _is_edge(strip: NDArray[np.uint8], flat: bool, run: float | None) -> bool:
    """Whether a colour changes at once along a strip, or for ``run`` pixels of it."""
    across = strip if flat else strip.swapaxes(0, 1)
    if len(across) <= _SOFT:
        return False
    pixels = across.astype(np.int16)
    step = np.abs(pixels[_SOFT:] - pixels[:-_SOFT]).max(axis=2) > EDGE_DISTANCE
    if step.mean(axis=1).max() >= EDGE_SHARE:
        return True
    return run is not None and any(_longest(row) >= run for row in step)


def _longest(row: NDArray[np.bool_]) -> int:
    """How many pixels of a row in succession are set at the most."""
    ends = np.flatnonzero(np.diff(np.concatenate(([False], row, [False])).astype(np.int8)))
    return int((ends[1::2] - ends[::2]).max(initial=0))


OVERLAP_HEIGHT_SHARE: Final = 0.35
OVERLAP_WIDTH_EM: Final = 0.8
"""Ours: two lines collide where their ink shares this much of the lower one's height over about
the width of a letter. Touching ascenders and descenders share less."""

COVERED_WIDTH_EM: Final = 1.0
COVERED_HEIGHT_SHARE: Final = 0.5
"""Ours: text is hidden from a letter's width and half a line's height on."""

_WHOLE = 0.9  # of a line, from which on it is hidden as a whole

TEXT_HIDDEN = Rule(
    "text.hidden",
    "ZOrderAnomaly",
    "Something in front hides text.",
    source=POWER_PPTX,
    severity="error",
    threshold=f"a letter's width and {COVERED_HEIGHT_SHARE:.0%} of a line's height, and none of its"
    " ink to be seen",
    fix="Move what hides it away or behind it, or delete the text.",
    why="Nobody sees text behind a picture or shape, though it is read aloud, printed in outlines "
    "and found by search.",
    drawn=True,
)


def hidden_text(view: DrawnSlide) -> Iterator[Occurrence]:
    """Texts that an opaque area or picture in front covers, at least in part.

    The picture of the slide confirms that the ink does not show. Texts that animations move, change
    or take away, and covers that they play on, are not judged: covering one another is often how
    they work.
    """
    if view.image is None:
        return
    covers = [
        (item, box)
        for item in _covers(view)
        if (item.id not in view.animated or view.ends_as_drawn)
        and (box := box_of(item)) is not None
    ]
    places = BoxIndex(box for _item, box in covers)
    for drawn in view.texts:
        if (text := drawn.element).id in view.leaving or text.z is None:
            continue
        hidden = []
        for span in drawn.spans:
            near = (covers[number] for number in places.near(span.box))
            front = [pair for pair in near if pair[0].z is not None and pair[0].z > text.z]
            if by := _hider(span, front, view):
                hidden.append((span, by))
        comes = any(by.id in view.animated for _span, by in hidden)
        if hidden and not (comes and len(hidden) == len(drawn.spans)):
            yield Occurrence(_hidden(drawn, hidden, view), (text.name, hidden[0][1].name))


def _covers(view: DrawnSlide) -> Iterator[Rect | Image | Media]:
    items: list[Rect | Image | Media] = [*view.slide.rects, *view.slide.images, *view.slide.media]
    for item in visible(items):
        own = opacity(item.paint) if isinstance(item, Rect) else getattr(item, "alpha", 1.0)
        if own >= OPAQUE:
            yield item


def _hider(span: Span, front: Sequence[tuple[Element, Box]], view: DrawnSlide) -> Element | None:
    """The element that hides a good part of a span, as the picture shows."""
    if view.image is None:
        return None
    for item, box in reversed(front):
        part = span.box.intersection(box)
        wide = part.width >= min(COVERED_WIDTH_EM * span.size_pt * view.px_per_pt, span.box.width)
        tall = part.height >= COVERED_HEIGHT_SHARE * span.box.height
        if part.area and wide and tall and not is_seen(view.image, part, span.color):
            return item
    return None


def _hidden(drawn: DrawnText, hidden: Sequence[tuple[Span, Element]], view: DrawnSlide) -> Finding:
    text, (first, cover) = drawn.element, hidden[0]
    box = ink_of([span for span, _by in hidden])
    count = sum(len(span.text) for span in drawn.spans)
    share = sum(len(span.text) for span, _by in hidden) / count
    lost = " ".join(span.text for span, _by in hidden)
    words = words_of(lost, text) if share < 1 else quoted(lost)
    part = "" if _is_whole(first.box, cover) else "part of "
    clear = not view.own_ink(drawn).intersection(box_of(cover) or box).area
    font = view.font_note(drawn, clear)
    return TEXT_HIDDEN.finding(
        f"{called(cover, start=True)} hides {part}{words}.{font.text}",
        view.slide.number,
        text,
        severity=font.cap("error"),
        box=box,
        measured=round(share, 2),
        threshold=0.0,
        fix=f"Move {called(cover)} away, send it behind the text, or delete the text.",
    )


def _is_whole(box: Box, cover: Element) -> bool:
    hull = box_of(cover)
    return hull is None or share_inside(box, hull) > _WHOLE


TEXT_OVERLAP = Rule(
    "text.overlap",
    "ShapeCollision",
    "Two texts are drawn over each other.",
    source=POWER_PPTX,
    severity="error",
    threshold=f"{OVERLAP_HEIGHT_SHARE:.0%} of a line's height and"
    f" {OVERLAP_WIDTH_EM:g} times its size in common",
    fix="Move one of the two, or make the text that runs over shorter or smaller.",
    why="Two texts on top of each other can hardly be read, neither of them.",
    drawn=True,
)


def text_on_text(view: DrawnSlide) -> Iterator[Occurrence]:
    """Pairs of texts whose letters are drawn over each other.

    Not judged are texts that animations move, change or take away, and the same words twice,
    which is how shadows are made. Those that animations bring in stay: that is worth knowing.
    """
    texts = [item for item in (*view.texts, *view.contents) if item.element.id not in view.leaving]
    places = BoxIndex(item.ink for item in texts)
    for index, text in enumerate(texts):
        for number in places.near(text.ink):
            other = texts[number]
            if number <= index or _same_words(text, other):
                continue
            if not text.ink.intersection(other.ink).area:
                continue
            if (clash := _clash(text, other, view)) is not None:
                finding = _overlap(text, other, clash, view)
                cause = text.element.name, other.element.name
                yield Occurrence(finding, cause, also=label(text.element))


def _same_words(text: DrawnText, other: DrawnText) -> bool:
    first, second = text.element, other.element
    both = isinstance(first, Text) and isinstance(second, Text)
    return first.id == second.id or (both and _words(text) == _words(other))


def _words(drawn: DrawnText) -> str:
    return " ".join(span.text for span in drawn.spans)


def _clash(text: DrawnText, other: DrawnText, view: DrawnSlide) -> tuple[Span, Span, Box] | None:
    """The largest place where two texts share ink, and the spans that do."""
    clashes = []
    for a in text.level_spans:
        for b in other.level_spans:
            part = a.box.intersection(b.box)
            low = min(a.box.height, b.box.height)
            em = min(a.size_pt, b.size_pt) * view.px_per_pt
            if part.height >= OVERLAP_HEIGHT_SHARE * low and part.width >= OVERLAP_WIDTH_EM * em:
                clashes.append((part.area, a, b, part))
    if not clashes:
        return None
    _area, a, b, part = max(clashes, key=lambda item: item[0])
    if view.image is not None and not all(is_seen(view.image, s.box, s.color) for s in (a, b)):
        return None
    return a, b, part


def _overlap(
    text: DrawnText, other: DrawnText, clash: tuple[Span, Span, Box], view: DrawnSlide
) -> Finding:
    a, b, part = clash
    low = min(a.box.height, b.box.height)
    font = _font_note(text, other, clash, view)
    arrives = not view.animated.isdisjoint((text.element.id, other.element.id))
    end = " once both have come in." if arrives else "."
    return TEXT_OVERLAP.finding(
        f"{words_of(a.text, text.element, start=True)} and {words_of(b.text, other.element)}"
        f" are drawn over each other{end}{font.text}",
        view.slide.number,
        other.element,
        severity="info"
        if arrives and not view.ends_as_drawn
        else font.cap("warning" if arrives else "error"),
        box=a.box.union(b.box),
        measured=round(part.height / low, 2),
        threshold=OVERLAP_HEIGHT_SHARE,
    )


def _font_note(
    drawn: DrawnText, other: DrawnText, clash: tuple[Span, Span, Box], view: DrawnSlide
) -> FontNote:
    """The part of the fonts in an overlap: all of it if the two would not touch in their own."""
    part = clash[2]
    shared = part.intersection(view.own_ink(drawn)).intersection(view.own_ink(other))
    clear = shared.height <= part.height / 2 or shared.width <= part.width / 2
    replaced = [(stand.least_wider, at) for at, text in enumerate((drawn, other))
                if (stand := view.stand_in(text)) is not None]  # fmt: skip
    return view.font_note((drawn, other)[max(replaced)[1]], clear) if replaced else FontNote()


PANEL_SHARE: Final = 0.01
PANEL_OVER_PX: Final = 3.0
PANEL_OVER_MOST: Final = 0.25
"""Ours: share of the slide from which on an area is a panel; and how far two of them
overlap where that is a slip: from so many px to this share of the smaller one's side."""

SHAPE_OVERLAP = Rule(
    "shape.overlap",
    "PanelsOverlap",
    "Two panels overlap a little.",
    threshold=f"{PANEL_OVER_PX:g} px, and up to {PANEL_OVER_MOST:.0%} of the smaller one's side",
    fix="Move them apart, or put one clearly on the other.",
    why="A narrow overlap looks like a slip, and hides the edge of one of the two.",
    scored=False,
)


def overlapping_panels(view: DrawnSlide) -> Iterator[Occurrence]:
    """Painted rectangles with words or an outline, and tables, that run a little over one another:
    neither beside each other nor one on the other. Two of one width, as a heading and its panel,
    members of one group, and what is turned or animated are not judged.
    """
    panels = [(item, box) for item in _panels(view) if (box := box_of(item)) is not None]
    places = BoxIndex(box for _item, box in panels)
    for number, (panel, box) in enumerate(panels):
        for at in places.near(box):
            other, other_box = panels[at]
            if at <= number or _is_together(panel, other) or not _is_slip(box, other_box):
                continue
            part = box.intersection(other_box)
            finding = SHAPE_OVERLAP.finding(
                f"{called(other, start=True)} runs {min(part.width, part.height):.0f} px over"
                f" {called(panel)}.",
                view.slide.number,
                other,
                box=part.grown(2),
                measured=round(min(part.width, part.height), 1),
                threshold=PANEL_OVER_PX,
            )
            yield Occurrence(finding, (panel.name, other.name))


def _panels(view: DrawnSlide) -> Iterator[Element]:
    worded = {text.z for text in view.slide.texts if text.text.strip()}
    items: list[Element] = [*view.slide.tables]
    items += [
        rect
        for rect in view.slide.rects
        if rect.geometry in ("rect", "roundRect")
        and (rect.stroke is not None or (rect.fill is not None and rect.z in worded))
    ]
    for item in visible(items):
        box = box_of(item)
        large = box is not None and box.area >= PANEL_SHARE * FRAME.area
        if large and not item.rotation and item.id not in view.animated:
            yield item


def _is_together(element: Element, other: Element) -> bool:
    return element.id == other.id or bool(set(element.groups) & set(other.groups))


def _is_slip(box: Box, other: Box) -> bool:
    """Whether two boxes overlap by a narrow strip along their sides."""
    part = box.intersection(other)
    if min(part.width, part.height) < PANEL_OVER_PX:
        return False
    flat = part.height <= part.width
    ends = [(box.left, other.left), (box.right, other.right)]
    ends = ends if flat else [(box.top, other.top), (box.bottom, other.bottom)]
    if all(abs(a - b) < PANEL_OVER_PX for a, b in ends):
        return False
    over, *sides = ((b.height if flat else b.width) for b in (part, box, other))
    return over <= PANEL_OVER_MOST * min(sides)
