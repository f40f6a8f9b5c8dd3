"""Lines that run through text, and text that runs onto pictures, charts and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import contrast_ratio, parse_color
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import Finding, Occurrence
from decklab.deck.model.shapes import (
    Diagram,
    Element,
    Line,
    Rect,
    Solid,
    Table,
    Text,
    box_of,
    opacity,
)
from decklab.deck.model.slide import Contents
from decklab.deck.views.drawn import Span
from decklab.linting.rules.legibility import role_of
from decklab.linting.rules.overlaps import OVERLAP_HEIGHT_SHARE, OVERLAP_WIDTH_EM
from decklab.linting.rules.page import (
    CARD_SHARE,
    DrawnSlide,
    DrawnText,
    is_wordy,
    share_inside,
    visible,
)
from decklab.linting.rules.rule import POWER_PPTX, Rule, called, words_of
from decklab.linting.rules.titles import is_title
from decklab.metrics.contrast import CONTRAST_LARGE_TEXT, CONTRAST_NORMAL_TEXT
from decklab.seen.drawn import pixel_contrast, pixels_of
from decklab.seen.seen_slide import OPAQUE

STRUCK_BAND: Final = (0.2, 0.75)
"""Ours: from where to where, as shares of the ink's height from its top, a line along the words
runs through them; over it is a rule above, under it an underline."""

STRUCK_LENGTH_EM: Final = 1.5
"""Ours: a line along the words strikes them from this length on."""

STRUCK_END_EM: Final = 0.4
"""Ours: a line across the words nearer to their end than this only touches them."""

THIN_RECT_PX: Final = 3.0
"""Ours: an area that thin is drawn as a line."""

LINE_DISTANCE: Final = 70.0
LINE_SEEN_SHARE: Final = 0.85
"""Ours: largest difference of a channel from a line's colour, hairlines being drawn paler, and the
share of a line's points that show it; letters alone cover up to half of them."""

BESIDE_PX: Final = 2.5
"""Ours: so far beside the letters the picture shows a line that runs through them; letters of its
colour on a fill that hides it look like it."""

FOREIGN_DISTANCE: Final = 60.0
FOREIGN_SHARE: Final = 0.08
FOREIGN_SHARE_MEANT: Final = 0.15
"""Ours: RGB distance from everything between ink and ground, and the share of the pixels around
letters that have it, from which on something else shows there; more where the text is no title and
inside its own box, which may have been put there on purpose."""

SOFT_EDGES: Final = 0.3
"""Ours: share of a text's box that the soft edges of small letters fill at the most."""

QUIET_LEVELS: Final = 24
QUIET_SHARE: Final = 0.7
"""Ours: the pixels around letters have one colour where this share of them differs by no more
levels of a channel; soft edges make up the rest."""

CROSSED_SHARE: Final = 0.2
CROSSED_DISTANCE: Final = 60.0
"""Ours: share of a line on a shape, and beside it, from which on the edge divides its letters; and
the difference of a channel that makes two grounds of what is behind them."""

BUSY_LEVELS: Final = 4.0
BUSY_WEAK: Final = 0.3
"""Ours: the mean step of lightness between pixels of a restless ground, which is 0 in gradients
and 1 in blurred photographs; and the share of it that hides letters."""

_BUSY_STRIP, _BUSY_ROWS = 0.3, 3  # of a line's height above and below it; pixels
_BUSY_USUAL = 1.5  # levels that half of the steps have: bands of gradients are drawn as thin lines
_LEAST_PIXELS = 20
_PARTS = 8  # of a line of text, each of which has its ground
_ON_IT, _ON_TABLE = 0.6, 0.9
"""Ours: a text with this share of its ink on an object, or on a table, is meant to stand there."""
_STRAIGHT = frozenset(("line", "lineInv", "straightConnector1"))
_STEPS = 24
_ROUND = 32  # pieces of an ellipse's outline

_Piece = tuple[float, float, float, float]


@dataclass(frozen=True)
class _Stroke:
    """A line that is drawn, from point to point, px of the frame."""

    owner: Element
    color: str
    points: tuple[tuple[float, float], ...]

    def inside(self, box: Box) -> list[_Piece]:
        """Its parts in a box, each from end to end."""
        pieces = (_clipped(*a, *b, box) for a, b in pairwise(self.points))
        return [piece for piece in pieces if piece is not None]


def _clipped(x1: float, y1: float, x2: float, y2: float, box: Box) -> _Piece | None:
    """The part of a straight line in a box (Liang and Barsky); None if there is none."""
    start, end = 0.0, 1.0
    across, down = x2 - x1, y2 - y1
    for step, room in (
        (-across, x1 - box.left), (across, box.right - x1),
        (-down, y1 - box.top), (down, box.bottom - y1),
    ):  # fmt: skip
        if step == 0:
            if room < 0:
                return None
        elif step < 0:
            start = max(start, room / step)
        else:
            end = min(end, room / step)
    if start >= end:
        return None
    return x1 + start * across, y1 + start * down, x1 + end * across, y1 + end * down


TEXT_STRUCK = Rule(
    "text.struck",
    "ShapeCollision",
    "A line runs through text.",
    threshold=f"{STRUCK_LENGTH_EM:g} times the text's size along the middle of a line of text, or"
    " across it, as seen",
    fix="Move the text or the line apart, or put the text on a plain fill in front of it.",
    why="A line through words reads as if they were deleted.",
    drawn=True,
)


def struck_text(view: DrawnSlide) -> Iterator[Occurrence]:
    """Texts that a line, connector or outline runs through, as the picture confirms.

    Straight lines, right-angled connectors, thin areas and the outlines of rectangles and ellipses
    count, of the slide, its layout and its master. Not judged are lines under or beside the words,
    what is animated, and words that stand on a fill of their own which hides the line.
    """
    if view.image is None:
        return
    strokes = [item for item in _strokes(view) if item.owner.id not in view.moving]
    for drawn in view.texts:
        if drawn.element.id in view.moving:
            continue
        for span in _spans_with_words(drawn):
            stroke = next((item for item in strokes if _strikes(item, span, drawn, view)), None)
            if stroke is not None:
                yield Occurrence(
                    _struck(stroke, span, drawn, view), (stroke.owner.name, drawn.element.name)
                )
                break


def _strokes(view: DrawnSlide) -> Iterator[_Stroke]:
    sheets: tuple[Contents, ...] = (view.slide, *view.behind)
    for sheet in sheets:
        for line in visible(sheet.lines):
            yield from _of_line(line)
        for rect in visible(sheet.rects):
            yield from _of_rect(rect)


def _of_line(line: Line) -> Iterator[_Stroke]:
    if line.stroke is None:
        return
    points = [(line.x1, line.y1), (line.x2, line.y2)]
    upright = line.rotation % 180 == 90
    if line.geometry == "bentConnector2":
        points.insert(1, (line.x1, line.y2) if upright else (line.x2, line.y1))
    elif line.geometry == "bentConnector3" and line.rotation % 90 == 0:
        share = line.adjustments.get("adj1", 50_000) / 100_000
        x, y = line.x1 + share * (line.x2 - line.x1), line.y1 + share * (line.y2 - line.y1)
        points[1:1] = [(line.x1, y), (line.x2, y)] if upright else [(x, line.y1), (x, line.y2)]
    elif line.geometry not in _STRAIGHT:
        return
    yield _Stroke(line, line.stroke, tuple(points))


def _of_rect(rect: Rect) -> Iterator[_Stroke]:
    """The middle of a thin area; the edges of an outline, round ones included."""
    if (box := box_of(rect)) is None or rect.rotation % 90:
        return
    if rect.geometry == "ellipse" and rect.stroke is not None:
        x, y = box.middle
        turns = [2 * pi * number / _ROUND for number in range(_ROUND + 1)]
        points = tuple((x + box.width / 2 * cos(t), y + box.height / 2 * sin(t)) for t in turns)
        yield _Stroke(rect, rect.stroke, points)
    if rect.geometry not in ("rect", "roundRect"):
        return
    if min(box.width, box.height) <= THIN_RECT_PX:
        if isinstance(rect.paint, Solid):
            x, y = box.middle
            flat = box.width >= box.height
            ends = ((box.left, y), (box.right, y)) if flat else ((x, box.top), (x, box.bottom))
            yield _Stroke(rect, rect.paint.color, ends)
    elif rect.stroke is not None:
        for y in (box.top, box.bottom):
            yield _Stroke(rect, rect.stroke, ((box.left, y), (box.right, y)))
        for x in (box.left, box.right):
            yield _Stroke(rect, rect.stroke, ((x, box.top), (x, box.bottom)))


def _spans_with_words(drawn: DrawnText) -> list[Span]:
    return [span for span in drawn.level_spans if any(map(str.isalnum, span.text))]


def _strikes(stroke: _Stroke, span: Span, drawn: DrawnText, view: DrawnSlide) -> bool:
    """Whether a stroke runs through the middle of a line of text, and the picture shows it."""
    box, em = span.box, span.size_pt * view.px_per_pt
    if stroke.owner.id == drawn.element.id:
        return False
    return any(
        _runs_through(part, box, em)
        and not _is_behind(part, stroke, view)
        and _is_drawn(part, stroke, span, view)
        for part in _joined(stroke.inside(box))
    )


def _joined(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Pieces of a line, those that go on where another ends together."""
    parts: list[list[_Piece]] = []
    for piece in pieces:
        if parts and abs(parts[-1][-1][2] - piece[0]) + abs(parts[-1][-1][3] - piece[1]) < 1:
            parts[-1].append(piece)
        else:
            parts.append([piece])
    return parts


def _runs_through(part: Sequence[_Piece], box: Box, em: float) -> bool:
    """Whether a part of a line runs through words: along their middle, or across them."""
    xs = [x for piece in part for x in (piece[0], piece[2])]
    ys = [y for piece in part for y in (piece[1], piece[3])]
    across, down = max(xs) - min(xs), max(ys) - min(ys)
    if down < 0.3 * across:  # along the words
        top, bottom = (box.top + share * box.height for share in STRUCK_BAND)
        through = top <= (min(ys) + max(ys)) / 2 <= bottom
        return through and across >= min(STRUCK_LENGTH_EM * em, 0.8 * box.width)
    middle = (min(xs) + max(xs)) / 2
    within = box.left + STRUCK_END_EM * em <= middle <= box.right - STRUCK_END_EM * em
    return within and down >= 0.6 * box.height


def _is_behind(part: Sequence[_Piece], stroke: _Stroke, view: DrawnSlide) -> bool:
    """Whether an opaque area in front of a stroke hides a part of it."""
    hull = Box.around(
        Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)).grown(0.5)
        for x1, y1, x2, y2 in part
    )
    own = stroke.owner.z or 0
    level = own if stroke.owner in view.slide.elements() else -1  # layouts lie behind
    return hull is not None and any(
        (rect.z or 0) > level
        and opacity(rect.paint) >= OPAQUE
        and rect.geometry in ("rect", "roundRect")
        and share_inside(hull, box) == 1
        for rect, box in view.rects_near(hull)
    )


def _is_drawn(part: Sequence[_Piece], stroke: _Stroke, span: Span, view: DrawnSlide) -> bool:
    """Whether the picture shows the stroke's colour along a part of it, also between letters and
    beside them."""
    image = view.image
    assert image is not None
    color, around = _rgb(stroke.color), _pixels(image, span.box)
    if not len(around) or not span.color:
        return False
    if np.abs(color - _ground(around, _rgb(span.color))).max() <= LINE_DISTANCE:
        return False  # too faint on this ground to strike anything
    box = span.box
    beside = [
        (x, y) for x, y in _along(stroke.inside(box.grown(BESIDE_PX)))
        if not (box.left <= x <= box.right and box.top <= y <= box.bottom)
    ]  # fmt: skip
    return all(
        sum(_shows(image, point, color) for point in points) >= LINE_SEEN_SHARE * len(points)
        for points in (_along(part), beside)
    )


def _along(part: Sequence[_Piece]) -> list[tuple[float, float]]:
    """Points along a part of a line."""
    steps = -(-_STEPS // max(len(part), 1))
    shares = [(step + 0.5) / steps for step in range(steps)]
    return [
        (x1 + share * (x2 - x1), y1 + share * (y2 - y1))
        for x1, y1, x2, y2 in part
        for share in shares
    ]


def _shows(
    image: NDArray[np.uint8], point: tuple[float, float], color: NDArray[np.float32]
) -> bool:
    """Whether a picture has a colour at a point of the frame."""
    height, width = image.shape[:2]
    x, y = round(point[0] * width / FRAME_WIDTH), round(point[1] * height / FRAME_HEIGHT)
    near = image[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].reshape(-1, 3)
    away = np.abs(near.astype(np.float32) - color).max(axis=1)
    return bool(away.size) and float(away.min()) <= LINE_DISTANCE


def _rgb(color: str) -> NDArray[np.float32]:
    return np.array(parse_color(color), np.float32)


def _struck(stroke: _Stroke, span: Span, drawn: DrawnText, view: DrawnSlide) -> Finding:
    own = span.box.intersection(view.own_ink(drawn))
    font = view.font_note(drawn, not stroke.inside(own))
    where = _source(stroke.owner, view)
    return TEXT_STRUCK.finding(
        f"{called(stroke.owner, start=True)}{where} runs through"
        f" {words_of(span.text, drawn.element)}.{font.text}",
        view.slide.number,
        drawn.element,
        severity=font.cap("warning"),
        box=span.box,
    )


def _source(element: Element, view: DrawnSlide) -> str:
    """Where an element comes from, unless it is the slide's own."""
    return "" if element in view.slide.elements() else " of the layout or master"


TEXT_ON_OBJECT = Rule(
    "text.on-object",
    "ShapeCollision",
    "Text runs onto a picture, chart or table.",
    source=POWER_PPTX,
    threshold=f"{OVERLAP_HEIGHT_SHARE:.0%} of a line's height of a title, or of text outside its"
    " box, on an object that shows there",
    fix="Shorten the text, make it smaller, or move the two apart.",
    why="Letters that cross an edge or a drawing lose their outline; a title that runs into a "
    "picture looks like an accident.",
    drawn=True,
)


def text_on_objects(view: DrawnSlide) -> Iterator[Occurrence]:
    """Texts that run onto a picture, chart or table beside them, as the picture confirms.

    Objects of the slide and pictures of its layout and master count. Not judged is text of which
    most stands on the object, as captions do, what is animated, and objects as large as the slide's
    ground.
    """
    if view.image is None:
        return
    objects = [item for item in _objects(view) if item[0].id not in view.moving]
    for drawn in view.texts:
        if drawn.element.id in view.moving or not drawn.is_whole:
            continue
        for item, box in objects:
            crossing = _run_onto(drawn, box, view, isinstance(item, Table))
            if crossing is not None and item.id != drawn.element.id:
                finding = _on_object(drawn, item, crossing, view)
                yield Occurrence(finding, (drawn.element.name, item.name))
                break


def _objects(view: DrawnSlide) -> Iterator[tuple[Element, Box]]:
    slide = view.slide
    items: list[Element] = [*slide.images, *slide.charts, *slide.tables, *slide.media]
    items += [item for item in slide.others if item.what == "ole"]
    for sheet in view.behind:
        items += [item for item in sheet.images if item.placeholder is None]
    for item in visible(items):
        box = box_of(item)
        if box is not None and 0 < box.area < CARD_SHARE * FRAME_WIDTH * FRAME_HEIGHT:
            yield item, box


def _run_onto(drawn: DrawnText, box: Box, view: DrawnSlide, is_table: bool) -> Span | None:
    """The first span of a text that runs onto an object, if only some of the text does."""
    most = _ON_TABLE if is_table and view.strict else _ON_IT
    if share_inside(drawn.ink, box) > most or not drawn.ink.intersection(box).area:
        return None
    own = box_of(drawn.element)
    for span in _spans_with_words(drawn):
        part, em = span.box.intersection(box), span.size_pt * view.px_per_pt
        tall = part.height >= OVERLAP_HEIGHT_SHARE * span.box.height
        wide = part.width >= OVERLAP_WIDTH_EM * em
        out = own is None or share_inside(part, own) < 0.5
        least = FOREIGN_SHARE if is_title(drawn.element) or out else FOREIGN_SHARE_MEANT
        if view.strict and is_table and part.area > span.box.area / 2:
            return span
        if part.area and tall and wide and _foreign_share(span, part, view) >= least:
            return span
    return None


def _foreign_share(span: Span, part: Box, view: DrawnSlide) -> float:
    """Share of the pixels there that show neither the letters nor their ground, 0 to 1."""
    image = view.image
    assert image is not None
    inside, around = _pixels(image, part), _pixels(image, span.box)
    if not len(inside) or not span.color:
        return 0.0
    ink = _rgb(span.color)
    ground = _ground(around, ink)
    way = ink - ground
    length = float(way @ way) or 1.0
    mixed = np.clip((inside - ground) @ way / length, 0, 1)
    between = float(((mixed > 0.2) & (mixed < 0.8)).mean()) - SOFT_EDGES
    if between >= FOREIGN_SHARE:  # a grey picture under black words
        return between
    stray = np.linalg.norm(inside - ground - mixed[:, None] * way, axis=1) > FOREIGN_DISTANCE
    return 0.0 if not stray.any() or _is_quiet(inside[stray], ink) else float(stray.mean())


def _is_quiet(pixels: NDArray[np.float32], ink: NDArray[np.float32]) -> bool:
    """Whether the pixels around letters have one colour on which they can be read."""
    middle = np.median(pixels, axis=0)
    spread = np.abs(pixels - middle).max(axis=1)
    color, ground = ((int(c[0]), int(c[1]), int(c[2])) for c in (ink, middle))
    flat = float((spread <= QUIET_LEVELS).mean()) >= QUIET_SHARE
    return flat and contrast_ratio(color, ground) >= CONTRAST_LARGE_TEXT


def _ground(pixels: NDArray[np.float32], ink: NDArray[np.float32]) -> NDArray[np.float32]:
    """The colour behind letters: of the pixels that are farther from the ink than most."""
    away = np.linalg.norm(pixels - ink, axis=1)
    return np.asarray(np.median(pixels[away >= np.percentile(away, 60)], axis=0), np.float32)


def _pixels(image: NDArray[np.uint8], box: Box) -> NDArray[np.float32]:
    return pixels_of(image, box).reshape(-1, 3).astype(np.float32)


def _on_object(drawn: DrawnText, item: Element, span: Span, view: DrawnSlide) -> Finding:
    box = box_of(item)
    own = view.own_ink(drawn)
    clear = box is not None and not span.box.intersection(box).intersection(own).area
    font = view.font_note(drawn, clear)
    where = _source(item, view)
    return TEXT_ON_OBJECT.finding(
        f"{words_of(span.text, drawn.element, start=True)} runs onto"
        f" {called(item)}{where}.{font.text}",
        view.slide.number,
        drawn.element,
        severity=font.cap("warning"),
        box=span.box,
    )


TEXT_CROSSES_EDGE = Rule(
    "text.crosses-edge",
    "TextAcrossEdge",
    "Words lie half on a shape and half beside it.",
    threshold=f"{CROSSED_SHARE:.0%} of a line on a painted shape and as much beside it, and their"
    f" grounds {CROSSED_DISTANCE:g} levels of a channel apart",
    fix="Move the words onto the shape or off it.",
    why="Letters that lie half on a shape and half beside it change their ground in the middle of "
    "a word, and look as if they had slipped.",
    drawn=True,
    scored=False,
)


def crossed_edges(view: DrawnSlide) -> Iterator[Occurrence]:
    """Lines of text that the edge of a shape divides: the shape shows behind some of the letters,
    or behind their lower or upper half, and not behind the others. Shapes of the slide, its layout
    and its master count, whatever their form and paint, and those of a diagram, but not the text's
    own, and none that is as large as the ground.
    """
    if view.image is None:
        return
    sheets: tuple[Contents, ...] = (view.slide, *view.behind)
    areas: list[tuple[Element, Box]] = [
        (item, box)
        for sheet in sheets
        for item in visible(sheet.rects)
        if opacity(item.paint) >= OPAQUE
        and item.id not in view.moving
        and (box := box_of(item)) is not None
        and min(box.width, box.height) > THIN_RECT_PX
        and box.area < CARD_SHARE * FRAME_WIDTH * FRAME_HEIGHT
    ]
    diagrams = [drawn for drawn in view.contents if isinstance(drawn.element, Diagram)]
    for drawn in (*view.texts, *diagrams):
        if drawn.element.id in view.moving or not drawn.is_whole:
            continue
        if (crossed := _crossed(drawn, areas, view)) is not None:
            span, item = crossed
            on_shape = span.box.intersection(box_of(item) or span.box)
            font = view.font_note(drawn, not on_shape.intersection(view.own_ink(drawn)).area)
            finding = TEXT_CROSSES_EDGE.finding(
                f"The edge of {_edge_of(item, drawn, view)} runs through"
                f" {words_of(span.text, drawn.element)}.{font.text}",
                view.slide.number,
                drawn.element,
                severity=font.cap("warning"),
                box=span.box,
            )
            yield Occurrence(finding, (item.name, drawn.element.name))


def _edge_of(item: Element, drawn: DrawnText, view: DrawnSlide) -> str:
    return "a shape" if item is drawn.element else f"{called(item)}{_source(item, view)}"


def _crossed(
    drawn: DrawnText, areas: Sequence[tuple[Element, Box]], view: DrawnSlide
) -> tuple[Span, Element] | None:
    """A line of a text that the edge of an area or of a diagram divides, and that area."""
    for span in filter(lambda s: _is_judged(s, drawn), drawn.level_spans):
        if isinstance(drawn.element, Diagram):
            if _changes_once(span, view):
                return span, drawn.element
            continue
        for item, box in areas:
            if item.z == drawn.element.z or item.id == drawn.element.id:
                continue
            if not (part := span.box.intersection(box)).area:
                continue
            share = part.area / span.box.area
            plain = isinstance(item, Rect) and item.geometry in ("rect", "roundRect")
            if plain and not item.rotation % 90:
                if CROSSED_SHARE <= share <= 1 - CROSSED_SHARE and _is_divided(span, box, view):
                    return span, item
            elif share >= CROSSED_SHARE and _changes_once(span, view):
                return span, item
    return None


def _is_judged(span: Span, drawn: DrawnText) -> bool:
    words = sum(map(str.isalnum, span.text))
    return is_wordy(span.text) or (isinstance(drawn.element, Diagram) and words > 1)


def _changes_once(span: Span, view: DrawnSlide) -> bool:
    """Whether the ground of a line changes at once at one place: no gradient or picture does."""
    image = view.image
    assert image is not None
    if not span.color:
        return False
    box, ink = span.box, _rgb(span.color)
    step = box.width / _PARTS
    pieces = [
        _pixels(image, Box(box.left + at * step, box.top, box.left + (at + 1) * step, box.bottom))
        for at in range(_PARTS)
    ]
    if any(len(piece) < _LEAST_PIXELS for piece in pieces):
        return False
    grounds = np.array([_ground(piece, ink) for piece in pieces])
    for at in range(2, _PARTS - 2):
        left, right = grounds[:at], grounds[at + 1 :]
        flat = max(float(np.ptp(side, axis=0).max()) for side in (left, right)) <= QUIET_LEVELS
        apart = np.abs(np.median(left, axis=0) - np.median(right, axis=0)).max()
        if flat and apart >= CROSSED_DISTANCE:
            return True
    return False


def _is_divided(span: Span, box: Box, view: DrawnSlide) -> bool:
    """Whether the picture shows another ground behind the part of a line that lies in a box."""
    assert view.image is not None
    if not span.color:
        return False
    part, line = span.box.intersection(box), span.box
    sides = (line._replace(right=part.left), line._replace(left=part.right))
    rest = (*sides, line._replace(bottom=part.top), line._replace(top=part.bottom))
    other = max(rest, key=lambda piece: max(piece.width, 0) * max(piece.height, 0))
    ink, grounds = _rgb(span.color), []
    for piece in (part, other):
        pixels = _pixels(view.image, piece)
        if len(pixels) < _LEAST_PIXELS:
            return False
        grounds.append(_ground(pixels, ink))
    return bool(np.abs(grounds[0] - grounds[1]).max() >= CROSSED_DISTANCE)


TEXT_BUSY = Rule(
    "text.busy",
    "TextOnBusyPicture",
    "Text stands on a restless picture.",
    threshold=f"{BUSY_LEVELS:g} levels of lightness from one pixel to the next around a line, and a"
    f" third of what is there under {CONTRAST_NORMAL_TEXT:g}:1 with the letters",
    fix="Put a plain fill behind the text, or move it to a quiet part of the picture.",
    why="Leaves, waves and windows are as fine as letters: the eye has to pick the words out of "
    "them.",
    drawn=True,
    scored=False,
)


def busy_text(view: DrawnSlide) -> Iterator[Occurrence]:
    """Text on a photograph or pattern whose details are as fine as letters and, here and there, as
    light or dark as they are. Outlined text, small print and what is animated are not judged.
    """
    if view.image is None:
        return
    for drawn in (*view.texts, *view.template):
        text = drawn.element
        if text.id in view.moving or not isinstance(text, Text) or role_of(text) == "small print":
            continue
        runs = (run for paragraph in text.paragraphs for run in paragraph.runs)
        if any(run.font.outline is not None and run.font.outline.kind != "none" for run in runs):
            continue
        busy = next((span for span in _spans_with_words(drawn) if _is_busy(span, view.image)), None)
        if busy is not None:
            words = words_of(busy.text, text, start=True)
            finding = TEXT_BUSY.finding(
                f"{words} stands on a restless ground.", view.slide.number, text, box=busy.box
            )
            yield Occurrence(finding, text.name)


def _is_busy(span: Span, image: NDArray[np.uint8]) -> bool:
    """Whether the strips above and below a line of text are restless and hide letters."""
    box, high = span.box, _BUSY_STRIP * span.box.height
    if not span.color or box.intersection(FRAME).area < box.area:
        return False
    strips = [
        Box(box.left, box.top - high - 1, box.right, box.top - 1),
        Box(box.left, box.bottom + 1, box.right, box.bottom + high + 1),
    ]
    steps, ratios = [], []
    ink = np.array([[parse_color(span.color)]], np.uint8)
    for strip in strips:
        pixels = pixels_of(image, strip)
        if min(pixels.shape[:2]) < _BUSY_ROWS:
            return False
        light = pixels.astype(np.float32) @ np.array((0.299, 0.587, 0.114), np.float32)
        step = np.abs(np.diff(light, axis=1))
        steps.append(float(step.mean()) if np.median(step) >= _BUSY_USUAL else 0.0)
        ratios.append(pixel_contrast(pixels, np.broadcast_to(ink, pixels.shape)).ravel())
    weak = float((np.concatenate(ratios) < CONTRAST_NORMAL_TEXT).mean())
    return min(steps) >= BUSY_LEVELS and weak >= BUSY_WEAK
