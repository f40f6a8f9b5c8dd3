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

from decklab.core.colors import VISIBLE, differing_pixels
from decklab.core.files import scratch_folder
from decklab.core.geometry import Box
from decklab.deck.model.shapes import Chart, Element, Table, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_slides
from decklab.deck.views.drawn import Claim, bare, claim, match
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate
from decklab.ooxml.xml import Element as Xml
from decklab.ooxml.xml import parse_int, qn, serialize_xml, shape_id
from decklab.rendering.opening import IncrementalDeck, open_incremental
from decklab.rendering.pictures import LayeredSpan, RenderedDeck
from decklab.rendering.renderer import Renderer
from decklab.seen.chart_marks import why_no_marks
from decklab.seen.ink import readable_characters
from decklab.seen.seen_slide import ENOUGH, LEAST_CONTRAST, LEAST_SIZE, PART, VisibilityFault
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


def _cells(claim: Claim) -> Iterator[str]:
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
        hidden = self.why_slide_hidden(number)
        if hidden:
            return "slide", hidden
        elements = [element for element in self.slide(number).elements() if element.id == id]
        if not elements:
            return "gone", "it is not on the slide"
        scale = shown_scale(self.slide(number))
        faults = (declared_fault(element, text, scale=scale) for element in elements)
        declared = next(filter(None, faults), None)
        if declared is not None:
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
        words = text if text is not None else _words(elements)
        if words:
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
        spot = self._place(number, id)
        if spot is None:
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
