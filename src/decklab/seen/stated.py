"""Statements of a slide's file on visibility, whether it is drawn or not: what hides a thing,
warps, turns in space, effects before the first click, texts of charts, and slides that no show
reaches.

LibreOffice draws some hidden things all the same, and a picture cannot show others.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, radians
from typing import Final

import cv2
import numpy as np

from decklab.core.colors import Image as Pixels
from decklab.core.errors import DeckError, MalformedPart
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.base import Pair
from decklab.deck.model.shapes import Element, Group, Image, Line, Run, Table, Text, box_of
from decklab.deck.model.slide import Animation, Contents, MediaPart
from decklab.deck.part import children, picture_size
from decklab.deck.slide_facts import transition_of
from decklab.deck.views.drawn import bare
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import Element as Xml
from decklab.ooxml.xml import flag, parse_int, qn, shape_id
from decklab.seen.chart_marks import (
    ChartPart,
    ChartTextLook,
    chart_ground,
    chart_texts,
    is_clear,
    why_no_marks,
)
from decklab.seen.seen_slide import (
    CROWDED,
    EDGE_ON,
    ENOUGH,
    FAINT,
    LATEST_MS,
    LEAST_LEFT,
    LEAST_SHOWN_MS,
    LEAST_SIDE,
    LEAST_SIZE,
    OPAQUE,
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

    With ``text`` only the runs of these words are judged; ``scale`` is the slide's ``shown_scale``.
    """
    if (fault := shape_fault(element)) is not None:
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


def slides_left_out(package: Package) -> dict[int, str]:
    """The numbers of the slides that an audience does not get to see, each with the reason.

    They are hidden, outside the range or the custom show that the settings of the show name, or go
    by themselves before they can be read. Slides and settings that are damaged hide nothing. Raises
    DeckError where the list of slides cannot be read, or a part breaks the package's limits.
    """
    shown, timed = _settings(package)
    reasons = {}
    for entry in slide_entries(package):
        slide = _root(package, entry.part)
        reason = "" if slide is None else _why_left_out(slide, timed=timed)
        if not reason and shown is not None and entry.number not in shown:
            reason = "the show leaves the slide out"
        if reason:
            reasons[entry.number] = reason
    return reasons


def _root(package: Package, part: str) -> Xml | None:
    try:
        return package.xml(part)
    except MalformedPart:
        return None


def _why_left_out(slide: Xml, *, timed: bool) -> str:
    if flag(slide.get("show")) is False:
        return "the slide is hidden"
    transition = transition_of(slide)
    stay = None if transition is None else transition.advance_after_ms
    if timed and stay is not None and stay < LEAST_SHOWN_MS:
        return f"the slide goes by itself after {stay / 1000:g} s"
    return ""


def _settings(package: Package) -> tuple[Collection[int] | None, bool]:
    """The numbers of the slides that the settings of the show choose, None for all slides, and
    whether slides go by themselves."""
    for part in package.related(package.main_part, "presProps"):
        root = _root(package, part)
        show = None if root is None else root.find(qn("p:showPr"))
        if show is None:
            continue
        timed = flag(show.get("useTimings")) is not False
        span, custom = show.find(qn("p:sldRg")), show.find(qn("p:custShow"))
        if span is not None:
            first, last = parse_int(span.get("st")), parse_int(span.get("end"))
            if first is not None and last is not None:
                return range(first, last + 1), timed
        if custom is not None:
            return _custom_shows(package).get(parse_int(custom.get("id"))), timed
        return None, timed
    return None, True


def _custom_shows(package: Package) -> Mapping[int | None, Collection[int]]:
    """The numbers of the slides of each custom show, by its id."""
    main = package.main_part
    numbers = {entry.part: entry.number for entry in slide_entries(package)}
    links = {id: link.target for id, link in package.relationships(main).items()}
    return {
        parse_int(show.get("id")): {
            numbers[part]
            for slide in show.iter(qn("p:sld"))
            if (part := links.get(slide.get(qn("r:id")) or "", "")) in numbers
        }
        for show in package.xml(main).iterfind(f"{qn('p:custShowLst')}/{qn('p:custShow')}")
    }


_MARKS: Final = (b"scene3d", b"prstTxWarp", b"animMotion", b"animScale", b"/chart")
"""Only slides with one of these in their XML are parsed."""
_DEGREE: Final = 60_000  # ST_Angle counts 60,000ths of a degree
_MOST_PIXELS: Final = 20_000_000
_OPAQUE_SHARE: Final = 0.98
"""Ours: of larger pictures it is not known whether they let anything through; a picture lets
nothing through from this share of opaque pixels on."""
_NUMBER: Final = re.compile(r"-?\d*\.?\d+(?:[eE]-?\d+)?")


@dataclass(frozen=True)
class StatedChart:
    """The texts and marks that a chart shows, by its own XML."""

    texts: Mapping[ChartPart, ChartTextLook]
    ground: str | None
    no_marks: str
    """Why none of its bars, lines and points is seen; empty if one may be."""


@dataclass(frozen=True)
class StatedSlide:
    """Statements of a slide's XML beyond its elements; ids are of shapes."""

    edge_on: frozenset[int] = frozenset()
    """Turned in space so far that they are seen from their edge."""
    warped: Collection[int] = frozenset()
    """Texts that are warped to fill their shapes, and so have no size of their own."""
    moved: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """How far effects move shapes before the first click, as shares of the slide's width and
    height."""
    scaled: Mapping[int, float] = field(default_factory=dict)
    """How large effects make shapes before the first click; 1 is their own size."""
    charts: Mapping[int, StatedChart] = field(default_factory=dict)
    opaque: Callable[[str], bool] = lambda _sha256: False
    """Whether the picture with this SHA-256 lets nothing through."""
    pixels: Callable[[str], Pixels | None] = lambda _sha256: None
    """The picture with this SHA-256, small, (H, W, 3) RGB; None if it lets something through or
    cannot be read."""

    def fault(self, ids: Collection[int], box: Box | None) -> Fault | None:
        """The fault of a shape that is turned away, or that effects move or shrink before the first
        click; None without one. ``ids`` are its own and those of the groups around it."""
        if not self.edge_on.isdisjoint(ids):
            return EDGE_ON_FAULT
        if box is None:
            return None
        if (
            min((self.scaled.get(id, 1.0) for id in ids), default=1.0) * max(box.width, box.height)
            < LEAST_SIDE
        ):
            return SCALED
        moves = [self.moved[id] for id in ids if id in self.moved]
        for across, down in moves:
            box = box.moved(across * FRAME_WIDTH, down * FRAME_HEIGHT)
        left = box.intersection(FRAME).area
        return OFF_SLIDE if moves and box.area and left < PART * box.area else None


NO_FACTS: Final = StatedSlide()


def slide_facts(package: Package, part: str, pictures: "DeckPictures") -> StatedSlide:
    """The facts of the slide in a part; without any where it is damaged."""
    plain = StatedSlide(opaque=pictures.opaque, pixels=pictures.pixels)
    try:
        if not any(mark in package.read(part) for mark in _MARKS):
            return plain
        root = package.xml(part)
    except DeckError:
        return plain
    moved, scaled = _first_effects(root)
    shapes = [(id, shape) for shape in _shapes(root) if (id := shape_id(shape))]
    return replace(
        plain,
        edge_on=frozenset(id for id, shape in shapes if _is_edge_on(shape)),
        warped={id for id, shape in shapes if _is_warped(shape)},
        moved=moved,
        scaled=scaled,
        charts=dict(_charts(package, part, root)),
    )


def _shapes(root: Xml) -> Iterator[Xml]:
    for tag in ("p:sp", "p:pic", "p:graphicFrame"):
        yield from root.iter(qn(tag))


def _is_edge_on(shape: Xml) -> bool:
    for turn in shape.iter(qn("a:rot")):
        angles = [(parse_int(turn.get(name)) or 0) / _DEGREE for name in ("lat", "lon")]
        if min(abs(cos(radians(angle))) for angle in angles) < EDGE_ON:
            return True
    return False


def _is_warped(shape: Xml) -> bool:
    warp = next(shape.iter(qn("a:prstTxWarp")), None)
    return warp is not None and warp.get("prst") not in (None, "textNoShape")


def _first_effects(root: Xml) -> tuple[dict[int, tuple[float, float]], dict[int, float]]:
    moved: dict[int, tuple[float, float]] = {}
    scaled: dict[int, float] = {}
    timing = next((child for child in children(root) if child.tag == qn("p:timing")), None)
    for node in (
        () if timing is None else timing.iter(qn("p:cTn"), qn("p:animMotion"), qn("p:animScale"))
    ):
        if node.get("nodeType") in ("clickEffect", "interactiveSeq"):
            break
        target = next(node.iter(qn("p:spTgt")), None)
        id = None if target is None else parse_int(target.get("spid"))
        if id is None:
            continue
        if node.tag == qn("p:animMotion"):
            numbers = _NUMBER.findall(node.get("path") or "")
            if len(numbers) >= 2:
                across, down = moved.get(id, (0.0, 0.0))
                moved[id] = across + float(numbers[-2]), down + float(numbers[-1])
        elif node.tag == qn("p:animScale"):
            if (size := node.find(qn("p:to"))) is None:
                size = node.find(qn("p:by"))
            sides = [] if size is None else [parse_int(size.get(side)) for side in ("x", "y")]
            scaled[id] = min((side / 100_000 for side in sides if side is not None), default=1.0)
    return moved, scaled


def _charts(package: Package, part: str, root: Xml) -> Iterator[tuple[int, StatedChart]]:
    links = package.relationships(part)
    for frame in root.iter(qn("p:graphicFrame")):
        id, chart = shape_id(frame), next(frame.iter(qn("c:chart")), None)
        link = None if chart is None else links.get(chart.get(qn("r:id")) or "")
        if id is None or link is None or link.external:
            continue
        try:
            space = package.xml(link.target)
        except DeckError:
            continue
        yield id, StatedChart(chart_texts(space), chart_ground(space), why_no_marks(space))


class DeckPictures:
    """The pictures of a deck by their SHA-256; each is looked at once, when it is first asked
    for."""

    def __init__(self, package: Package, media: Collection[MediaPart]) -> None:
        self._package = package
        self._parts = {item.sha256: item.parts[0] for item in media if item.parts}
        self._opaque: dict[str, bool] = {}
        self._pixels: dict[str, Pixels | None] = {}

    def opaque(self, sha256: str) -> bool:
        """Whether a picture lets nothing through; False where that cannot be told."""
        if sha256 not in self._opaque:
            self._opaque[sha256] = lets_nothing_through(self._read(sha256))
        return self._opaque[sha256]

    def pixels(self, sha256: str) -> Pixels | None:
        """An opaque picture at an eighth of its size, (H, W, 3) RGB; None for any other."""
        if sha256 not in self._pixels:
            self._pixels[sha256] = _small(self._read(sha256)) if self.opaque(sha256) else None
        return self._pixels[sha256]

    def _read(self, sha256: str) -> bytes:
        try:
            return self._package.read(self._parts[sha256]) if sha256 in self._parts else b""
        except DeckError:
            return b""


def _small(picture: bytes) -> Pixels | None:
    wide, high = picture_size(picture) or (0, 0)
    if not 0 < wide * high <= _MOST_PIXELS:
        return None
    try:
        pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_REDUCED_COLOR_8)
    except cv2.error:
        return None
    return None if pixels is None else np.asarray(pixels[:, :, ::-1], np.uint8)


def lets_nothing_through(picture: bytes) -> bool:
    """Whether a picture file has no see-through pixels to speak of; False for drawings, and where
    its pixels cannot be read."""
    if picture.startswith((b"\xff\xd8\xff", b"BM")):
        return True
    if not picture.startswith(b"\x89PNG\r\n\x1a\n") or len(picture) < 33:
        return False
    wide, high = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    before_pixels = picture[: max(0, picture.find(b"IDAT"))]
    if picture[25] in (0, 2, 3) and b"tRNS" not in before_pixels:
        return True
    if not 0 < wide * high <= _MOST_PIXELS:
        return False
    try:
        pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        return False
    if pixels is None or pixels.ndim != 3 or pixels.shape[2] != 4:
        return False
    least = OPAQUE * (255 if pixels.dtype == np.uint8 else 65535)
    return float((pixels[:, :, 3] >= least).mean()) >= _OPAQUE_SHARE
