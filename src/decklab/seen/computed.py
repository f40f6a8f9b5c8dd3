"""The content of a slide that an audience sees, computed from its file without drawing it.

Where text lies is estimated (``lines``), the slide counts in cells of 2 px (``layers``). A ground
of which the file does not state the colour, such as a picture or a gradient, counts as one from
which ink stands off.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from math import ceil
from typing import Final

from decklab.core.colors import VISIBLE, is_near, parse_color
from decklab.core.colors import Image as Pixels
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.base import Pair
from decklab.deck.model.shapes import (
    Cell,
    Chart,
    Crop,
    Diagram,
    Element,
    Gradient,
    Image,
    Line,
    Media,
    NoPaint,
    Other,
    Paint,
    Paragraph,
    Pattern,
    PictureFill,
    Rect,
    Run,
    Solid,
    Table,
    Text,
    box_of,
)
from decklab.deck.model.slide import Contents, SlideElements
from decklab.deck.views.drawn import bare
from decklab.seen.chart_marks import ChartPart, ChartTextLook
from decklab.seen.layers import (
    CellPatch,
    Flags,
    Front,
    Ground,
    cells_of,
    certain_patch,
    ems,
    on_slide,
    paragraph_boxes,
    patch_of,
    text_height,
    turned,
)
from decklab.seen.seen_slide import (
    FAINT,
    LARGE,
    LARGE_BOLD,
    LEAST_SIDE,
    LEAST_SIZE,
    OPAQUE,
    PART,
    SCRIPT,
    PieceKind,
    SeenPiece,
    SeenSlide,
)
from decklab.seen.stated import (
    CLEAR,
    EDGE_ON_FAULT,
    NO_FACTS,
    OFF_SLIDE,
    SCALED,
    SHRUNK,
    TINY,
    Fault,
    StatedSlide,
    broken_words,
    run_fault,
    shape_fault,
    shown_scale,
    shown_while_waiting,
    upside_down,
)

_ANIMATED: Final[Fault] = ("animation", "effects take it away, or never let it in")
_COVERED: Final[Fault] = ("covered", "something in front covers it")
_FAINT_TEXT: Final[Fault] = ("faint", "its text hardly stands off from what is behind it")
_SAME_COLOR: Final[Fault] = ("faint", "it has the colour of what is behind it")
_UNSHOWN: Final[Fault] = ("not drawn", "the chart does not show it")
_NOT_PLAYED: Final = ("animation", "edge-on")
"""Reasons of which LibreOffice knows nothing: it draws a slide with all its states."""
GRADUAL: Final = 24
"""Ours: levels of 255 by which the colours of a gradient may differ to count as one."""
_LINE: Final = 1.2  # height of a line in sizes of its letters


@dataclass
class _Open:
    """A piece of which it is not known yet what covers it."""

    piece: SeenPiece
    patch: CellPatch
    cells: int
    """Of its ink, off the slide too."""
    fault: Fault | None
    """Why it is not seen wherever it lies."""
    stands: Flags | None = None
    """Which cells its ink stands off from; None for all."""
    moves: bool = False
    """Whether effects move or scale it before the first click."""

    @property
    def shows(self) -> bool:
        """Whether it is seen, as long as nothing covers it."""
        return self.fault is None and (self.stands is None or bool(self.stands.any()))

    def settled(self, front: Front, ground: Ground) -> SeenPiece:
        """The piece below what lies in front of it."""
        by = front.lets_by(self.patch)
        if self.piece.kind == "text":
            by &= ~ground.crowded(self.patch)
        stands = by if self.stands is None else by & self.stands
        on, bright, seen = by.size, int(by.sum()), int(stands.sum())
        share = min(1.0, seen / self.cells)
        if (fault := self.fault) is None and share < PART:
            losses = [(self.cells - on, OFF_SLIDE), (on - bright, _COVERED)]
            losses.append((bright - seen, _FAINT_TEXT))
            fault = max(losses, key=lambda loss: loss[0])[1]
        reason, detail = (None, "") if fault is None else fault
        drawn = reason in _NOT_PLAYED or (reason is not None and self.moves) or fault == SHRUNK
        return replace(self.piece, share=share, reason=reason, detail=detail, drawn=drawn)


@dataclass(frozen=True)
class _Cover:
    """An area that takes light from the things behind it."""

    patch: CellPatch
    alpha: float
    sha256: str | None = None
    """Of a picture that covers only if it lets nothing through."""


def seen_slide(
    slide: SlideElements,
    behind: Sequence[Contents] = (),
    *,
    facts: StatedSlide = NO_FACTS,
    left_out: str = "",
) -> SeenSlide:
    """The slide as pieces of text and graphics, each with how much an audience sees of it.

    ``behind`` are its master and its layout, in this order, as far as they show behind it. Runs of
    text are pieces of their own, and so are a table's runs, a chart's titles and labels, a
    diagram's nodes, and every graphic, area and line. Prompts of empty placeholders are no pieces.
    """
    return _Reader(slide, behind, facts).read(left_out)


@dataclass
class _Reader:
    """Reads a slide from back to front, which gives each piece its ground, and then from front to
    back, which gives it what covers it."""

    slide: SlideElements
    behind: Sequence[Contents]
    facts: StatedSlide
    pieces: list[_Open | _Cover] = field(default_factory=list)
    freeforms: set[int] = field(default_factory=set)

    def read(self, left_out: str) -> SeenSlide:
        """The slide with its pieces."""
        for sheet in self.behind:
            for element in sheet.elements():
                if element.placeholder is None and not element.hidden:
                    self._paint(element)
        self.pieces.clear()
        for element in self.slide.elements():
            self._add(element)
        return SeenSlide(self.slide.number, tuple(reversed(list(self._settled()))), left_out)

    def _add(self, element: Element) -> None:
        """An element's covers, then its graphic, which stands on what lies behind them, then its
        texts, which stand on the graphic."""
        fault = self._fault(element)
        graphic = self._graphic(element, fault)
        if not element.hidden and (fault is None or fault[0] not in ("animation", "edge-on")):
            self._paint(element)
        texts = list(self._texts(element, fault))
        if isinstance(element, Text) and self._stays(element):
            for patch in {text.piece.box: text.patch for text in texts if text.shows}.values():
                self.ground.write(patch)
        pieces = [*graphic, *texts]
        self.pieces += pieces
        for piece in pieces:
            self.ground.mark(piece.patch)

    @cached_property
    def ground(self) -> Ground:
        """The areas that were painted so far."""
        paint = self.slide.background_paint
        if isinstance(paint, Gradient):
            return Ground(only_color(paint))
        ground = Ground(self.slide.background if isinstance(paint, Solid | NoPaint) else None)
        if isinstance(paint, PictureFill) and paint.sha256 and not paint.tiled:
            pixels = self.facts.pixels(paint.sha256) if self.slide.texts else None
            if pixels is not None and paint.alpha >= OPAQUE and paint.crop == Crop():
                ground.paint_picture(FRAME, pixels)
        return ground

    @cached_property
    def scale(self) -> float:
        """How much larger the slide is shown than it is."""
        return shown_scale(self.slide)

    @cached_property
    def dead(self) -> frozenset[int]:
        """Shapes that start an effect and that nobody can click."""
        starters = {effect.trigger_shape for effect in self.slide.animations} - {None}
        if not starters:
            return frozenset()
        live = {
            element.id
            for element in self.slide.elements()
            if not element.hidden and (box := box_of(element)) is not None and on_slide(box) > 0
        }
        return frozenset(id for id in starters if id is not None and id not in live)

    @cached_property
    def _first_click(self) -> float:
        clicks = (
            animation.order
            for animation in self.slide.animations
            if animation.trigger == "on_click"
        )
        return min(clicks, default=float("inf"))

    def _stays(self, element: Element) -> bool:
        """Whether a shape is there as long as the slide is, as far as effects go."""
        ids = {element.id, *element.groups}
        own = [
            animation
            for animation in self.slide.animations
            if animation.shape in ids and not animation.paragraphs
        ]
        return all(
            effect.kind in ("emphasis", "media", "verb")
            or (effect.kind == "entrance" and effect.order < self._first_click)
            for effect in own
        )

    def _fault(self, element: Element) -> Fault | None:
        """Why a shape is not seen wherever it lies."""
        if (fault := shape_fault(element)) is not None:
            return fault
        ids = {element.id, *element.groups}
        if not ids.isdisjoint(self.facts.edge_on):
            return EDGE_ON_FAULT
        shown = shown_while_waiting(self.slide.animations, ids, dead=self.dead)
        return None if shown else _ANIMATED

    # Back to front: grounds and covers.

    def _paint(self, element: Element) -> None:
        """Note what an element hides and on which ground later ones stand."""
        match element:
            case Rect():
                if element.geometry == "custom":
                    self.freeforms.add(element.id)
                self._paint_area(element, element.paint)
            case Image() | Media():
                alpha = element.alpha if isinstance(element, Image) else 1.0
                self._paint_picture(element, element.sha256, alpha)
            case Table():
                for _path, cell, box in _cells(element, self.slide.size_pt):
                    if isinstance(cell.paint, Solid):
                        self._lay(element, patch_of(box), cell.paint.color, cell.paint.alpha)
                    elif not isinstance(cell.paint, NoPaint):
                        self.ground.uncertain(box)
            case Chart() | Diagram() | Other():
                self._paint_frame(element)
            case _:
                pass

    def _paint_frame(self, element: Element) -> None:
        """Charts and diagrams leave most of their ground free: text on them stands on it."""
        box, facts = box_of(element), self.facts.charts.get(element.id)
        if box is None:
            return
        if facts is not None and facts.ground is not None:
            self._lay(element, patch_of(box), facts.ground, 1.0)
        elif not isinstance(element, Chart | Diagram):
            self.ground.uncertain(box)

    def _paint_area(self, element: Rect, paint: Paint) -> None:
        box, patch = box_of(element), certain_patch(element)
        if box is None or patch is None or isinstance(paint, NoPaint):
            return
        if patch.mask is not None:
            self.ground.uncertain(box)
        match paint:
            case Solid():
                self._lay(element, patch, paint.color, paint.alpha)
            case Gradient():
                alpha = min((stop.alpha for stop in paint.stops), default=1.0)
                self._lay(element, patch, only_color(paint), alpha)
            case PictureFill():
                self._paint_picture(element, paint.sha256, paint.alpha)
            case _:
                self._lay(element, patch, None, 1.0)

    def _paint_picture(self, element: Rect | Image | Media, sha: str | None, alpha: float) -> None:
        box, patch = box_of(element), certain_patch(element)
        if box is None or patch is None:
            return
        pixels = self._pixels_of(element, sha) if sha and alpha >= OPAQUE else None
        if pixels is None:
            self.ground.uncertain(box)
        else:
            self.ground.paint_picture(box, pixels)
        if sha and self._stays(element) and self.ground.inked[patch.rows, patch.columns].any():
            self.pieces.append(_Cover(patch, alpha, sha))

    def _pixels_of(self, element: Rect | Image | Media, sha: str) -> Pixels | None:
        """The pixels of a picture on which some text lies, cut as it is; None if that is not
        known, or it is turned or has another outline than its box."""
        plain = not (element.rotation or element.flip_h or element.flip_v)
        box = box_of(element)
        if not plain or not isinstance(element, Image) or element.geometry != "rect":
            return None
        if box is None or not self._stays(element) or not self._carries_text(box):
            return None
        pixels, crop = self.facts.pixels(sha), element.crop
        if pixels is None:
            return None
        high, wide = pixels.shape[:2]
        edges = (crop.left, crop.right, crop.top, crop.bottom)
        if min(edges) < 0:
            return None
        rows = slice(int(crop.top * high), max(1, ceil((1 - crop.bottom) * high)))
        columns = slice(int(crop.left * wide), max(1, ceil((1 - crop.right) * wide)))
        cut = pixels[rows, columns]
        return cut if cut.size else None

    def _carries_text(self, box: Box) -> bool:
        """Whether any text of the slide lies on a box."""
        return any(
            (own := box_of(element)) is not None and own.intersection(box).area > 0
            for element in self._texts_and_tables
        )

    @cached_property
    def _texts_and_tables(self) -> list[Element]:
        return [*self.slide.texts, *self.slide.tables]

    def _lay(self, element: Element, patch: CellPatch, color: str | None, alpha: float) -> None:
        stays = self._stays(element)
        self.ground.paint(patch, color if stays else None, alpha)
        if stays and alpha >= FAINT:
            self.pieces.append(_Cover(patch, alpha))

    # Pieces, with their ground.

    def _texts(self, element: Element, fault: Fault | None) -> Iterator[_Open]:
        match element:
            case Text():
                yield from self._text(element, fault)
            case Table():
                for path, cell, box in _cells(element, self.slide.size_pt):
                    boxes = paragraph_boxes(cell.paragraphs, cell.body, box, self.slide.size_pt)
                    for row, (line, at) in enumerate(zip(cell.paragraphs, boxes, strict=True)):
                        yield from self._runs(element, line, (*path, row), at, fault)
            case Chart():
                yield from self._chart(element, fault)
            case Diagram():
                texts = [node.text for node in element.nodes]
                crowd = sum(ems(text) for text in texts)
                for row, text in enumerate(texts):
                    yield from self._label(
                        element, "diagram text", text, (row,), fault=fault, crowd=crowd
                    )
            case _:
                pass

    def _text(self, element: Text, fault: Fault | None) -> Iterator[_Open]:
        if not element.placed or not bare(element.text):
            return
        own = Box(element.x, element.y, element.x + element.w, element.y + element.h)
        fault = fault or upside_down(element) or broken_words(element, self.slide.size_pt)
        boxes = paragraph_boxes(element.paragraphs, element.body, own, self.slide.size_pt)
        for row, (paragraph, box) in enumerate(zip(element.paragraphs, boxes, strict=True)):
            # A freeform may have its text in any part of its box.
            most, frame = None, own if element.id in self.freeforms else box
            if element.id in self.facts.warped:  # each paragraph is stretched over its share
                height = element.h * self.slide.size_pt[1] / FRAME_HEIGHT
                most, frame = height / len(element.paragraphs) / _LINE, own
            yield from self._runs(
                element, paragraph, (row,), turned(frame, element.rotation, own), fault, most=most
            )

    def _runs(
        self,
        element: Text | Table,
        paragraph: Paragraph,
        path: tuple[int, ...],
        box: Box,
        fault: Fault | None,
        *,
        most: float | None = None,
    ) -> Iterator[_Open]:
        """The runs of a paragraph whose letters lie in a box; ``most`` is the size in points that
        a warp leaves them."""
        is_text = isinstance(element, Text)
        if fault is None and is_text and self.slide.animations:
            ids = {element.id, *element.groups}
            if not shown_while_waiting(
                self.slide.animations, ids, paragraph=path[-1], dead=self.dead
            ):
                fault = _ANIMATED
        for number, run in enumerate(paragraph.runs):
            if run.kind == "break" or not bare(run.text):
                continue
            size = run.font.size if most is None else min(run.font.size, most)
            size *= self.scale * self._effect_scale(element)
            if run.font.baseline:
                size *= SCRIPT
            piece = SeenPiece(
                "text" if is_text else "cell", element.id, element.name, run.text.strip(),
                (*path, number), box, size=size, alpha=run.font.alpha,
            )  # fmt: skip
            raised = run.font.baseline * run.font.size * FRAME_HEIGHT / self.slide.size_pt[1]
            inked = box._replace(top=box.top - raised, bottom=box.bottom - raised)
            own = fault or run_fault(run, size)
            if (
                own == TINY
                and isinstance(element, Text)
                and size >= (LEAST_SIZE * element.body.font_scale)
            ):
                own = SHRUNK
            yield self._written(self._open(element, piece, inked, own), run)

    def _written(self, opened: _Open, run: Run) -> _Open:
        """A run of text with its contrast."""
        font = run.font
        if font.outline is not None and not isinstance(font.outline, NoPaint):
            return opened
        if isinstance(font.paint, NoPaint):
            opened.fault = opened.fault or CLEAR
            return opened
        ink = font.color if font.paint is None else _ink_of(font.paint)
        if ink is None:
            return opened
        ground = self.ground if font.highlight is None else Ground(font.highlight)
        return _on_ground(opened, ground, ink, bold="bold" in font.style)

    def _chart(self, chart: Chart, fault: Fault | None) -> Iterator[_Open]:
        facts = self.facts.charts.get(chart.id)
        parts: list[tuple[ChartPart, str]] = [("title", chart.title or "")]
        names = (name for series in chart.series for name in series.categories)
        parts += [("categories", name) for name in dict.fromkeys(names)]
        parts += [("series", series.name or "") for series in chart.series]
        for index, (part, text) in enumerate(parts):
            if facts is None:
                yield from self._label(
                    chart, "chart text", text, (part, index), fault=fault, crowd=ems(text)
                )
            elif part in facts.texts:
                yield from self._label(
                    chart, "chart text", text, (part, index), fault=fault, crowd=ems(text),
                    look=facts.texts[part], ground=facts.ground,
                )  # fmt: skip
            else:
                path = (part, index)
                yield from self._label(
                    chart, "chart text", text, path, fault=fault or _UNSHOWN, crowd=0.0
                )

    def _label(
        self,
        element: Chart | Diagram,
        kind: PieceKind,
        text: str,
        path: tuple[int | str, ...],
        *,
        fault: Fault | None,
        crowd: float,
        look: ChartTextLook | None = None,
        ground: str | None = None,
    ) -> Iterator[_Open]:
        """A text somewhere on a chart or diagram. ``crowd`` is the width, in letter sizes, of all
        texts that must find room in it."""
        if (box := box_of(element)) is None or not bare(text):
            return
        scale = self.scale * self._effect_scale(element)
        room = box.area * self.slide.size_pt[0] * self.slide.size_pt[1] * scale**2
        room /= FRAME_WIDTH * FRAME_HEIGHT
        size = None if look is None else look.size * scale
        if fault is None and (
            (size is not None and size < LEAST_SIZE) or crowd * _LINE * LEAST_SIZE**2 > room
        ):
            fault = TINY
        if fault is None and look is not None and look.alpha < FAINT:
            fault = CLEAR
        alpha = 1.0 if look is None else look.alpha
        piece = SeenPiece(
            kind, element.id, element.name, text.strip(), path, box, size=size, alpha=alpha
        )
        opened = self._open(element, piece, box, fault)
        if look is not None and look.color is not None and ground is not None:
            opened = _on_ground(opened, Ground(ground), look.color)
        yield opened

    def _graphic(self, element: Element, fault: Fault | None) -> list[_Open]:
        """The graphic that an element shows beside its words: one piece or none."""
        if (box := box_of(element)) is None or not _is_painted(element):
            return []
        kind: PieceKind = "shape" if isinstance(element, Rect | Line) else "graphic"
        alpha = element.alpha if isinstance(element, Image) else 1.0
        piece = SeenPiece(kind, element.id, element.name, box=box, alpha=alpha)
        if fault is None and self._effect_scale(element) * max(box.width, box.height) < LEAST_SIDE:
            fault = SCALED
        opened = self._open(element, piece, box, fault)
        chart = self.facts.charts.get(element.id)
        if chart is not None and chart.no_marks:
            opened.fault = opened.fault or ("not drawn", chart.no_marks)
        if isinstance(element, Rect) and self._is_camouflaged(element):
            opened.fault = opened.fault or _SAME_COLOR
        return [opened]

    def _is_camouflaged(self, area: Rect) -> bool:
        """Whether an area has the colour of its ground, and nothing else to know it by."""
        patch = certain_patch(area)
        if patch is None or not isinstance(area.paint, Solid) or area.effects:
            return False
        behind = self.ground.only_color(patch)
        if behind is None or not isinstance(area.pen.paint, NoPaint):
            return False
        return is_near(parse_color(area.paint.color), behind, VISIBLE - 1)

    def _open(self, element: Element, piece: SeenPiece, box: Box, fault: Fault | None) -> _Open:
        """A piece whose ink lies in a box, moved as effects move it before the first click."""
        for id in (element.id, *element.groups):
            across, down = self.facts.moved.get(id, (0.0, 0.0))
            box = box.moved(across * FRAME_WIDTH, down * FRAME_HEIGHT)
        piece = replace(piece, box=box)
        inside = on_slide(box)
        patch = patch_of(box, least=1 if inside > 0 else 0)
        cells = patch.count if inside >= 1 else max(cells_of(box), patch.count)
        moves = any(
            id in self.facts.moved or id in self.facts.scaled
            for id in (element.id, *element.groups)
        )
        return _Open(piece, patch, cells, fault, moves=moves)

    def _effect_scale(self, element: Element) -> float:
        return min(
            (self.facts.scaled.get(id, 1.0) for id in (element.id, *element.groups)), default=1.0
        )

    # Front to back: what covers the pieces.

    def _settled(self) -> Iterator[SeenPiece]:
        front = Front()
        for item in reversed(self.pieces):
            if isinstance(item, _Open):
                yield item.settled(front, self.ground)
            elif item.sha256 is None or self.facts.opaque(item.sha256):
                front.add(item.patch, item.alpha)


def _on_ground(opened: _Open, ground: Ground, ink: str, *, bold: bool = False) -> _Open:
    """A text of some colour with its contrast."""
    is_large = (opened.piece.size or 0.0) >= (LARGE_BOLD if bold else LARGE)
    opened.stands, ratio = ground.contrasts(opened.patch, ink, opened.piece.alpha, large=is_large)
    opened.piece = replace(opened.piece, contrast=ratio)
    return opened


def _cells(table: Table, size_pt: Pair) -> list[tuple[tuple[int, int], Cell, Box]]:
    """The cells that show, by row and column, each with its box; rows grow with their text."""
    lefts = list(accumulate(table.columns, initial=table.x))
    heights = [
        max([stated, *_needed(cells, table.columns, size_pt)])
        for stated, cells in zip(table.heights, table.rows, strict=False)
    ]
    tops = list(accumulate(heights, initial=table.y))
    boxed = []
    for row, cells in enumerate(table.rows[: len(heights)]):
        for column, cell in enumerate(cells[: len(table.columns)]):
            if not cell.covered:
                right = lefts[min(column + cell.column_span, len(lefts) - 1)]
                bottom = tops[min(row + cell.row_span, len(tops) - 1)]
                box = Box(lefts[column], tops[row], right, bottom)
                boxed.append(((row, column), cell, box))
    return boxed


def _needed(cells: Sequence[Cell], columns: Sequence[float], size_pt: Pair) -> Iterator[float]:
    """The heights that the texts of a row's cells need; of cells over several rows none."""
    for column, cell in enumerate(cells[: len(columns)]):
        if not cell.covered and cell.row_span == 1 and bare(cell.text):
            width = sum(columns[column : column + cell.column_span])
            yield text_height(cell.paragraphs, cell.body, width, size_pt)


def _ink_of(paint: Paint) -> str | None:
    """The colour of letters that are painted with something; None if they have several."""
    match paint:
        case Solid():
            return paint.color
        case Gradient():
            return only_color(paint)
        case Pattern():
            inks = parse_color(paint.foreground), parse_color(paint.ground)
            return paint.foreground if is_near(*inks, GRADUAL) else None
        case _:
            return None


def only_color(gradient: Gradient) -> str | None:
    """The colour of a gradient whose stops hardly differ; None for any other."""
    stops = [parse_color(stop.color) for stop in gradient.stops]
    if not stops or not all(is_near(stops[0], stop, GRADUAL) for stop in stops):
        return None
    return gradient.stops[len(stops) // 2].color


def _is_painted(element: Element) -> bool:
    """Whether an element shows anything beside its words."""
    match element:
        case Line():
            return element.stroke is not None
        case Rect():
            return not isinstance(element.paint, NoPaint) or not isinstance(
                element.pen.paint, NoPaint
            )
        case Image() | Table() | Chart() | Diagram() | Media() | Other():
            return True
        case _:
            return False
