"""Visibility of a deck's slides and of their content, judged from the drawn slides.

One check for everything that grades edits: whatever hides a thing (a switch in the file, a place
off the slide, something in front of it, its colour, its size, letters of a symbol font, an effect
that takes it away), it is not seen. Text counts by its characters, everything else by the pixels
that change when it is removed.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import (
    CONTRAST_OFFSET,
    LINEAR_LIGHT,
    LUMINANCE_WEIGHTS,
    VISIBLE,
    Image,
    differing_pixels,
    lab_planes,
    parse_color,
)
from decklab.core.files import scratch_folder
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.shapes import Chart, Element, Table, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_slides
from decklab.deck.views.drawn import SpanClaim, bare, claim, match
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate
from decklab.ooxml.xml import Element as Xml
from decklab.ooxml.xml import parse_int, qn, serialize_xml, shape_id
from decklab.rendering.opening import IncrementalDeck, open_incremental
from decklab.rendering.pictures import LayeredSpan, RenderedDeck
from decklab.rendering.renderer import Renderer
from decklab.seen.chart_marks import why_no_marks
from decklab.seen.seen_slide import (
    ENOUGH,
    LEAST_CONTRAST,
    LEAST_DISTANCE,
    LEAST_DISTANCE_LARGE,
    LEAST_SIZE,
    PART,
    YELLOW_BLUE,
    VisibilityFault,
)
from decklab.seen.stated import (
    SMALL,
    TRANSPARENT,
    DeckPictures,
    StatedSlide,
    clear_text,
    declared_fault,
    shown_scale,
    shown_while_waiting,
    slide_facts,
    slides_left_out,
)

INK_MIX: Final = 0.35
INK_STRAY: Final = 60.0
INK_SHARE: Final = 0.02
"""Ours: a pixel is ink from this share of the ink's colour on, and within this RGB distance of
the way from ground to ink. Letters of 6 pt are drawn with cores of about 0.5; they fill 8 to 20 %
of their box, thin and widely set ones 4 %."""

INK_APART: Final = 40.0
"""Ours: RGB distance of ink from its ground under which the picture cannot tell them apart."""

FLAT_LEVELS: Final = 8
"""Ours: channels of a region of one colour differ by no more, drawing noise included."""

_CORE = 0.5  # ours: of the most ink in a character's box, from which a pixel is its ink
_FAINT = 0.1  # ours: a text that covers less of its ground than this is transparent
_PART = 0.5  # ours: of a character's ink and box that has to show

_LIGHT = LINEAR_LIGHT.astype(np.float32)
_WEIGHTS = np.array(LUMINANCE_WEIGHTS, np.float32)


def ink_share(image: Image, box: Box, color: str) -> float | None:
    """Share of a region's pixels, 0 to 1, that ink of a colour takes part in.

    A pixel counts where it lies between the region's median colour and the ink's, nearer to the
    ink than the soft edges of letters do at the least. ``image`` is RGB (H, W, 3) and shows the
    whole slide, ``box`` lies in the 960x540 frame, ``color`` is ``#RRGGBB``. None if it
    cannot be known: the region holds no pixel, or its median colour is the ink's.

    >>> slide = np.full((54, 96, 3), 255, np.uint8)
    >>> slide[:, ::4] = 0
    >>> ink_share(slide, Box(0, 0, 960, 540), "#000000")
    0.25
    """
    crop = pixels_of(image, box)
    if not crop.size:
        return None
    pixels = crop.reshape(-1, 3).astype(np.float32)
    ground = np.median(pixels, axis=0)
    way = np.array(parse_color(color), np.float32) - ground
    if (length := float(np.linalg.norm(way))) < INK_APART:
        return None
    mixed = (pixels - ground) @ way / length**2
    stray = np.linalg.norm(pixels - ground - mixed[:, None] * way, axis=1)
    return float(((mixed >= INK_MIX) & (stray <= INK_STRAY)).mean())


def is_seen(image: Image, box: Box, color: str) -> bool:
    """Whether text of that colour shows in a region; True where that cannot be known."""
    share = ink_share(image, box, color) if color else None
    return share is None or share >= INK_SHARE


def is_flat(image: Image, box: Box) -> bool:
    """Whether a region of the slide shows one colour only; True where it shows no pixel."""
    crop = pixels_of(image, box)
    return not crop.size or int(np.ptp(crop.reshape(-1, 3), axis=0).max()) <= FLAT_LEVELS


def pixels_of(image: Image, box: Box) -> Image:
    """The part of a slide's picture that a box of the 960x540 frame covers; may be empty."""
    height, width = image.shape[:2]
    area = box.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)
    left, top = max(0, int(area.left)), max(0, int(area.top))
    return image[top : max(0, round(area.bottom)), left : max(0, round(area.right))]


def pixel_contrast(first: Image, second: Image) -> NDArray[np.float32]:
    """WCAG 2.2 contrast of two pictures pixel by pixel, 1 to 21; (..., 3) uint8 each.

    >>> white, black = np.full((1, 1, 3), 255, np.uint8), np.zeros((1, 1, 3), np.uint8)
    >>> round(float(pixel_contrast(white, black)[0, 0]), 3)
    21.0
    """
    lights = [_LIGHT[side] @ _WEIGHTS + np.float32(CONTRAST_OFFSET) for side in (first, second)]
    ratio: NDArray[np.float32] = np.maximum(*lights) / np.minimum(*lights)
    return ratio


def color_distance(first: Image, second: Image) -> NDArray[np.float32]:
    """How far the colours of two pictures are apart to the eye, pixel by pixel; (H, W, 3) each.

    The distance in CIELAB (CIE 15), in which b* counts by ``YELLOW_BLUE``: 0 for one colour, 100
    for black and white.

    >>> white, black = np.full((1, 1, 3), 255, np.uint8), np.zeros((1, 1, 3), np.uint8)
    >>> round(float(color_distance(white, black)[0, 0]), 3)
    100.0
    """
    pairs = zip(lab_planes(first), lab_planes(second), strict=True)
    lightness, red_green, yellow_blue = (value - other for value, other in pairs)
    square = lightness**2 + red_green**2 + (YELLOW_BLUE * yellow_blue) ** 2
    return np.asarray(np.sqrt(square), np.float32)


def stands_off(first: Image, second: Image, *, large: bool = False) -> NDArray[np.bool_]:
    """Whether ink of the colours of one picture is told from a ground of those of another, pixel by
    pixel: by ``LEAST_CONTRAST`` or by its ``color_distance``; (H, W, 3) each. ``large`` says that
    its letters are."""
    least = LEAST_DISTANCE_LARGE if large else LEAST_DISTANCE
    apart = (pixel_contrast(first, second) >= LEAST_CONTRAST) | (
        color_distance(first, second) >= least
    )
    return np.asarray(apart, np.bool_)


def readable_characters(
    full: Image, without: Image, ink: NDArray[np.uint8], characters: Sequence[Box]
) -> tuple[list[bool], float]:
    """For each character whether it can be read, and the text's median contrast, 1 to 21.

    ``full`` shows the slide, ``without`` the same without the text, both (H, W, 3) RGB; ``ink`` is
    how much of each pixel the text alone would cover, 0 to 255; boxes are in these pixels. A
    character can be read where half of its box lies on the slide and half of its ink stands off
    (``stands_off``). The contrast is that of the ink that makes a difference; 1 where none does.

    >>> page = np.full((10, 10, 3), 255, np.uint8)
    >>> written = page.copy()
    >>> written[2:8, 2:4] = 0
    >>> ink = 255 - written[:, :, 0]
    >>> seen, ratio = readable_characters(written, page, ink, [Box(2, 2, 4, 8)])
    >>> seen, round(ratio, 3)
    ([True], 21.0)
    >>> readable_characters(page, page, ink, [Box(2, 2, 4, 8)])
    ([False], 1.0)
    """
    flags, ratios = [], []
    for box in characters:
        inked, ground, inside = _ink_and_ground(full, without, ink, box)
        ratio = pixel_contrast(inked, ground)
        flags.append(bool(inside and ratio.size) and stands_off(inked, ground).mean() >= _PART)
        ratios.append(ratio[ratio > 1])
    every = np.concatenate(ratios) if ratios else np.empty(0)
    return [bool(flag) for flag in flags], float(np.median(every)) if every.size else 1.0


def _ink_and_ground(
    full: Image, without: Image, ink: NDArray[np.uint8], box: Box
) -> tuple[Image, Image, bool]:
    """The pixels of a character's ink with and without it, (1, n, 3) each, and whether enough of it
    is on the slide."""
    height, width = ink.shape
    left, top = max(0, int(box.left)), max(0, int(box.top))
    right, bottom = min(width, int(np.ceil(box.right))), min(height, int(np.ceil(box.bottom)))
    none = np.empty((1, 0, 3), np.uint8)
    if right <= left or bottom <= top:
        return none, none, False
    on_slide = box.intersection(Box(0, 0, width, height))
    inside = on_slide.area >= _PART * box.area
    here = ink[top:bottom, left:right]
    if (most := float(here.max())) < _FAINT * 255:
        return none, none, inside
    core = here >= _CORE * most
    return (
        full[top:bottom, left:right][core][None],
        without[top:bottom, left:right][core][None],
        inside,
    )


_PIECE = 4
"""Least characters of a span that count as part of a text where the text lacks the others. Ours."""


@dataclass(frozen=True)
class TextVisibility:
    """The visibility of one text."""

    share: float
    """Share of its characters that are seen and can be read, 0 to 1."""
    fault: VisibilityFault | None
    """The main reason why the rest is not visible; None if ``share`` is enough."""
    detail: str = ""
    area: Box | None = None
    """The box around its drawing, in the 960x540 frame."""


@dataclass(frozen=True)
class LegibleSpan:
    """A drawn span, and the share of it that can be read."""

    layered: LayeredSpan
    share: float
    contrast: float

    @property
    def fault(self) -> VisibilityFault | None:
        """The fault that makes it unreadable."""
        if self.layered.size_shown < LEAST_SIZE:
            return "small"
        if self.share < PART:
            return "faint" if 1 < self.contrast < LEAST_CONTRAST else "covered"
        return None


class SlideTexts:
    """The texts of one slide, and the drawn spans of each."""

    def __init__(self, slide: SlideElements, spans: Sequence[LegibleSpan]) -> None:
        frames: tuple[Element, ...] = (*slide.tables, *slide.charts, *slide.diagrams, *slide.others)
        self._claims = [c for item in (*slide.texts, *frames) if (c := claim(item)) is not None]
        self._legible = {id(span.layered.span): span for span in spans}
        match(self._claims, [span.layered.span for span in spans])

    def __iter__(self) -> Iterator[tuple[Element, str]]:
        """Every text and table with its words."""
        for item in self._claims:
            if isinstance(item.element, Text | Table) and item.words:
                yield item.element, item.words

    def sight(self, id: int, words: str | None = None) -> TextVisibility:
        """The visibility of the text of shape ``id``, or of some of its words."""
        claims = [item for item in self._claims if item.element.id == id]
        if not claims:
            return TextVisibility(0.0, "empty", "it has no text that is shown")
        wanted = bare(words) if words is not None else "".join(item.words or "" for item in claims)
        spans = [self._legible[_key(span)] for item in claims for span in item.spans]
        in_rows = words is not None and any(isinstance(item.element, Table) for item in claims)
        whole = wanted == "".join(item.words or "" for item in claims)
        cells = [text for item in claims for text in _cells(item)] if whole else ()
        return _sight(wanted, spans, cells, in_rows=in_rows and not whole)


def _cells(claim: SpanClaim) -> Iterator[str]:
    """The words of a table's cells."""
    if isinstance(claim.element, Table):
        yield from (bare(text) for row in claim.element.cells for text in row if bare(text))


def _key(span: object) -> int:
    return id(span)


def _sight(
    wanted: str, spans: Sequence[LegibleSpan], cells: Sequence[str] = (), *, in_rows: bool
) -> TextVisibility:
    """Visibility of some characters in the spans of their element, which may stand in ``cells``;
    with ``in_rows`` all must be on one line with the longest span among them, like the cells of a
    table's row."""
    left, seen = "\n".join(cells) or wanted, 0.0
    lost: dict[VisibilityFault, int] = {}
    area: Box | None = None
    for span, text in _showing(left, spans, in_rows=in_rows):
        left = _without(text, left)
        box = span.layered.span.box
        area = box if area is None else area.union(box)
        if span.fault is None:
            seen += len(text) * span.share
        else:
            lost[span.fault] = lost.get(span.fault, 0) + len(text)
    share = min(1.0, seen / len(wanted)) if wanted else 1.0
    if missing := len(left.replace("\n", "")):
        lost["not drawn"] = missing
    if share >= ENOUGH:
        return TextVisibility(share, None, area=area)
    worst = max(lost, key=lambda name: lost[name]) if lost else "covered"
    return TextVisibility(share, worst, _TEXT_WORDS[worst], area)


def _showing(
    wanted: str, spans: Sequence[LegibleSpan], *, in_rows: bool
) -> Iterator[tuple[LegibleSpan, str]]:
    """The spans that show some of ``wanted``, each with the characters it shows, none twice."""
    left = wanted
    row: Box | None = None
    waiting = sorted(spans, key=lambda span: -len(bare(span.layered.span.text)))
    for whole in (True, False):  # spans that are wanted whole come first
        unused = []
        for span in waiting:
            box, text = span.layered.span.box, bare(span.layered.span.text)
            shown = (text if text in left else "") if whole else _part_of(text, left)
            if not shown or (row is not None and not _level(box, row)):
                unused.append(span)
                continue
            row = box if in_rows and row is None else row
            left = _without(shown, left)
            yield span, shown
        waiting = unused


def _without(text: str, left: str) -> str:
    """The pieces that are left without a text: without the piece that it is, or the first that has
    it, so that ``10`` is not taken out of ``0`` and ``1`` of other cells."""
    pieces = left.split("\n")
    if text in pieces:
        pieces.remove(text)
        return "\n".join(pieces)
    return left.replace(text, "\n", 1)


_TEXT_WORDS: Final[dict[VisibilityFault, str]] = {
    "small": SMALL,
    "faint": f"its text stands off from what is behind it by less than {LEAST_CONTRAST:g}:1",
    "covered": "its text is covered, cut off or in the colour of what is behind it",
    "not drawn": "its text is not drawn",
}


def _level(first: Box, second: Box) -> bool:
    shared = min(first.bottom, second.bottom) - max(first.top, second.top)
    return shared >= PART * min(first.height, second.height)


def _part_of(text: str, left: str) -> str:
    """The longest of the remaining pieces that a span contains, or else of the span's beginnings
    and ends that they contain; none of less than ``_PIECE`` characters."""
    inside = [piece for piece in left.split("\n") if len(piece) >= _PIECE and piece in text]
    if inside:
        return max(inside, key=len)
    for length in range(len(text) - 1, _PIECE - 1, -1):
        for part in (text[:length], text[-length:]):
            if part in left:
                return part
    return ""


Picture = NDArray[np.uint8]
PixelMask = NDArray[np.bool_]
"""The pixels of a slide that change with a thing."""


def draw_without_shapes(
    path: Path, number: int, removed: Callable[[int, Collection[int]], bool], *, renderer: Renderer
) -> Picture:
    """A slide as it looks without the shapes for which ``removed`` holds, (H, W, 3) RGB.

    ``removed`` is given the id of a shape and those of all shapes in it, its own included; groups
    that stay are searched. The file is only read. Raises DeckError and RenderError.
    """
    with scratch_folder("seen") as folder:
        copy = folder / f"deck{path.suffix}"
        with Package.open(path) as package:
            part = slide_entries(package)[number - 1].part
            root = package.xml(part)
            for tree in root.iterfind(f"{qn('p:cSld')}/{qn('p:spTree')}"):
                _take_out(tree, removed)
            write_package(package, copy, replace={part: serialize_xml(root)})
        with open_incremental(copy, renderer=renderer, slides=[number], ocr=False) as deck:
            return deck.slide(number).image


def _take_out(tree: Xml, removed: Callable[[int, Collection[int]], bool]) -> None:
    for child in list(tree):
        named = child.iter(qn("p:cNvPr"))
        ids = [id for properties in named if (id := parse_int(properties.get("id"))) is not None]
        if not ids or child.tag == qn("p:nvGrpSpPr"):
            continue
        if removed(ids[0], ids):
            tree.remove(child)
        elif child.tag == qn("p:grpSp"):
            _take_out(child, removed)


_EDGE = 4
"""Pixels around a box in which its outline may be drawn. Ours."""
_INK = 20
"""Least pixels of a slide of 1280x720 that a visible thing changes. Ours."""
_LEGIBILITY_CACHE: dict[str, list[LegibleSpan]] = {}
"""Readable texts of slides, by the key of their picture: attempts at one task share most."""
_MOST_CACHED = 500


class AudienceView:
    """The slides of one deck as an audience sees them.

    ``drawn`` has the deck as drawn slides; ``renderer`` draws slides without some shapes. Ids are
    of shapes, numbers of slides count from 1. Methods raise DeckError
    and RenderError where a slide cannot be read or drawn.
    """

    def __init__(self, path: Path, drawn: RenderedDeck, *, renderer: Renderer) -> None:
        self.path, self.drawn = path, drawn
        self._renderer = renderer
        self._elements: dict[int, SlideElements] = {}
        self._texts: dict[int, SlideTexts] = {}
        self._bare: dict[int, Picture] = {}
        self._areas: dict[tuple[int, int], VisibilityFault | None] = {}
        self._stated: dict[int, StatedSlide] = {}

    def slide(self, number: int) -> SlideElements:
        """A slide's elements."""
        if number not in self._elements:
            with Package.open(self.path) as package:
                self._elements[number] = read_slides(package, [number])[0]
        return self._elements[number]

    def why_slide_hidden(self, number: int) -> str:
        """Why a slide is not shown, or too short to be read; empty if there is no fault."""
        return self._left_out.get(number, "")

    @cached_property
    def errors(self) -> int:
        """The number of errors in the file for which PowerPoint may offer a repair."""
        with Package.open(self.path) as package:
            return sum(problem.severity == "error" for problem in validate(package))

    def fault(
        self, number: int, id: int, text: str | None = None, *, look: bool = False
    ) -> tuple[VisibilityFault | None, str]:
        """Why a shape is not seen, as a fault and in words; (None, "") where it is seen.

        With ``text`` these words of a text, table or chart must be readable. Else all its text must
        be, or, for a thing without text, most of its drawing must be seen; with ``look`` both.
        """
        if hidden := self.why_slide_hidden(number):
            return "slide", hidden
        elements = [element for element in self.slide(number).elements() if element.id == id]
        if not elements:
            return "gone", "it is not on the slide"
        scale = shown_scale(self.slide(number))
        faults = (declared_fault(element, text, scale=scale) for element in elements)
        if (declared := next(filter(None, faults), None)) is not None:
            return declared
        if not shown_while_waiting(self.slide(number).animations, {id, *elements[0].groups}):
            return "animation", "effects take it away, or never let it in"
        turned = self._facts(number).fault({id, *elements[0].groups}, box_of(elements[0]))
        if turned is not None:
            return turned
        is_chart = any(isinstance(element, Chart) for element in elements)
        chart = self._chart(number, id) if is_chart else None
        if chart is not None and look and (why := why_no_marks(chart)):
            return "not drawn", why
        if words := text if text is not None else _words(elements):
            if chart is not None and clear_text(chart):
                return "faint", TRANSPARENT
            sight = self.text(number, id, words)
            if sight.fault is not None or not look:
                return sight.fault, sight.detail
        return self._area_fault(number, id)

    def colour_fault(self, number: int, id: int, colour: str) -> str:
        """Why a shape does not show a colour, ``RRGGBB``; empty where it does.

        The colour counts where it is found in the shape's box, drawn, on enough pixels.
        """
        if (spot := self._place(number, id)) is None:
            return "it has no place"
        image = self.drawn.slide(number).image
        box = spot.on_picture(image.shape)
        left, top = max(0, int(box.left) - _EDGE), max(0, int(box.top) - _EDGE)
        crop = image[top : int(box.bottom) + _EDGE, left : int(box.right) + _EDGE]
        wanted = np.array(list(bytes.fromhex(colour)), np.int16)
        alike = np.abs(crop.astype(np.int16) - wanted).max(axis=2, initial=0) <= VISIBLE
        return "" if int(alike.sum()) >= _INK else f"nothing in its place is drawn in #{colour}"

    def text(self, number: int, id: int, words: str | None = None) -> TextVisibility:
        """The visibility of a shape's text, or of some ``words`` of it."""
        return self.texts(number).sight(id, words)

    def texts(self, number: int) -> "SlideTexts":
        """All texts of a slide with what is seen of them."""
        if number not in self._texts:
            self._texts[number] = SlideTexts(self.slide(number), self._legible(number))
        return self._texts[number]

    def _facts(self, number: int) -> StatedSlide:
        if number not in self._stated:
            with Package.open(self.path) as package:
                part = slide_entries(package)[number - 1].part
                self._stated[number] = slide_facts(package, part, DeckPictures(package, ()))
        return self._stated[number]

    @cached_property
    def _left_out(self) -> Mapping[int, str]:
        with Package.open(self.path) as package:
            return slides_left_out(package)

    def _chart(self, number: int, id: int) -> Xml | None:
        """The XML of a chart; None if the shape is no chart."""
        with Package.open(self.path) as package:
            part = slide_entries(package)[number - 1].part
            for frame in package.xml(part).iter(qn("p:graphicFrame")):
                chart = next(frame.iter(qn("c:chart")), None)
                if chart is None or shape_id(frame) != id:
                    continue
                link = package.relationships(part).get(chart.get(qn("r:id")) or "")
                return None if link is None else package.xml(link.target)
        return None

    def _legible(self, number: int) -> list[LegibleSpan]:
        key = self.drawn.keys.get(number) if isinstance(self.drawn, IncrementalDeck) else None
        if key is None or key not in _LEGIBILITY_CACHE:
            spans = self._read_layers(number)
            if key is None:
                return spans
            while len(_LEGIBILITY_CACHE) >= _MOST_CACHED:
                _LEGIBILITY_CACHE.pop(next(iter(_LEGIBILITY_CACHE)))
            _LEGIBILITY_CACHE[key] = spans
        return _LEGIBILITY_CACHE[key]

    def _read_layers(self, number: int) -> list[LegibleSpan]:
        spans = []
        for layer in self.drawn.layers(number):
            for span in layer.spans:
                legible, contrast = readable_characters(
                    layer.full, layer.without, layer.ink, span.characters
                )
                spans.append(
                    LegibleSpan(span, sum(legible) / len(legible) if legible else 0.0, contrast)
                )
        return spans

    def _area_fault(self, number: int, id: int) -> tuple[VisibilityFault | None, str]:
        if (number, id) not in self._areas:
            self._areas[number, id] = self._measured(number, id)
        fault = self._areas[number, id]
        words = {"not drawn": "nothing of it shows", "covered": "most of it is covered"}
        return fault, "" if fault is None else words[fault]

    def _measured(self, number: int, id: int) -> VisibilityFault | None:
        """Why a shape is not seen, by the pixels that change without it; None if it is seen."""
        full = self.drawn.slide(number).image
        shown = int(differing_pixels(full, self._without(number, lambda own, _: own == id)).sum())
        spot = self._place(number, id)
        area = spot.on_picture(full.shape).area if spot else np.inf
        if shown >= max(_INK, PART * area):
            return None
        slide = self.slide(number).elements()
        kin = {id, *(element.id for element in slide if id in element.groups)}
        alone = self._without(number, lambda _, ids: kin.isdisjoint(ids))
        if number not in self._bare:
            self._bare[number] = self._without(number, lambda *_: True)
        drawn = int(differing_pixels(alone, self._bare[number]).sum())
        if max(shown, drawn) < _INK:
            return "not drawn"
        return "covered" if shown < PART * drawn else None

    def _without(self, number: int, removed: Callable[[int, Collection[int]], bool]) -> Picture:
        return draw_without_shapes(self.path, number, removed, renderer=self._renderer)

    def _place(self, number: int, id: int) -> Box | None:
        boxes = [box_of(element) for element in self.slide(number).elements() if element.id == id]
        known = [box for box in boxes if box is not None]
        return known[0] if known else None


def _words(elements: Iterable[Element]) -> str:
    texts = []
    for element in elements:
        if isinstance(element, Text):
            texts.append(element.text)
        elif isinstance(element, Table):
            texts += [text for row in element.cells for text in row]
    return "" if not bare("".join(texts)) else "".join(texts)
