"""Copies of a deck for probes; that of gates 1 and 3 has doubled texts and patched layouts.

In each text shape the longest paragraph is doubled and all text gets a colour of its own, by which
it is found in the drawing. Each layout gets a patch of a colour that its slides must show.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import DeckError, RenderError
from decklab.core.files import scratch_folder
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import NotScored
from decklab.deck.model.outline import DeckOutline, OutlineShape, OutlineSlide
from decklab.metrics.editability.verdict import (
    FULL_SLIDE,
    InheritanceFacts,
    ReflowFacts,
    content_shapes,
    coverage,
    filled_slides,
    has_text,
    on_frame,
    paints,
)
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.slide_list import listing_only, presentation_only
from decklab.ooxml.xml import Element, parse_xml, qn, serialize_xml, shape_id
from decklab.rendering.opening import open_rendered
from decklab.rendering.pictures import RenderedDeck, RenderedSlide, TextSpan
from decklab.rendering.renderer import Renderer
from decklab.scoring.trial_pictures import ONE_PIXEL, thumbnail

HEAVY = 4096
"""Bytes below which a picture is copied as it is."""

JUMP = b"hlinksldjump"
"""Action of a link that jumps to another slide of the deck."""

TEMPLATE_TYPES = ("slideLayout+xml", "slideMaster+xml")

VECTORS = ("image/svg", "image/x-emf", "image/x-wmf", "image/emf", "image/wmf")


def light_media(package: Package, covering: Collection[str] = ()) -> dict[str, bytes]:
    """Replacements for large media: rasters of a few pixels, empty sound and video.

    ``covering`` names the rasters whose transparency matters, because they may hide what lies
    behind them; all others become one opaque pixel.
    """
    replacements: dict[str, bytes] = {}
    for name in package.names:
        kind = package.content_type(name) or ""
        if kind.startswith(("audio/", "video/")):
            replacements[name] = b""
        elif kind.startswith("image/") and not kind.startswith(VECTORS):
            light = _light(package, name, covering)
            if light is not None:
                replacements[name] = light
    return replacements


def _light(package: Package, name: str, covering: Collection[str]) -> bytes | None:
    if len(package.read_start(name, HEAVY)) < HEAVY:
        return None
    return thumbnail(package.read(name)) if name in covering else ONE_PIXEL


def write_copy(
    package: Package, target: Path, *, slides: Collection[str], replace: Mapping[str, bytes]
) -> Path:
    """Write a copy with the given slides only, without the deck's properties, and the given parts
    replaced.

    Links that jump to other slides are taken out: LibreOffice 7.4 dies on links to slides that
    are not there.
    """
    changed = presentation_only(package) | dict(replace)
    for name in package.names:
        if name in slides or (package.content_type(name) or "").endswith(TEMPLATE_TYPES):
            data = changed.get(name) or package.read(name)
            if JUMP in data:
                changed[name] = _without_jumps(package, name, data)
    changed[package.main_part] = serialize_xml(listing_only(package, slides))
    return write_package(package, target, replace=changed)


def _without_jumps(package: Package, name: str, data: bytes) -> bytes:
    root = parse_xml(data, path=package.label, part=name, limits=package.limits)
    for tag in ("a:hlinkClick", "a:hlinkHover", "a:hlinkMouseOver"):
        for link in list(root.iter(qn(tag))):
            parent = link.getparent()
            if parent is not None and JUMP.decode() in link.get("action", ""):
                parent.remove(link)
    return serialize_xml(root)


RUNS = frozenset({qn("a:r"), qn("a:fld"), qn("a:br")})
FILLS = frozenset(
    qn(f"a:{name}")
    for name in ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
)
LINKS = frozenset({qn("a:hlinkClick"), qn("a:hlinkHover"), qn("a:hlinkMouseOver")})
BLUE = 0x5B
"""Blue of every marking colour; red and green count the shapes of a slide."""


@dataclass(frozen=True)
class DoubledText:
    """A shape whose longest paragraph was doubled, and the colour that its text is set in."""

    shape: OutlineShape
    color: str
    """``#RRGGBB``."""


def can_be_doubled(shape: OutlineShape) -> bool:
    """True for upright, horizontal text in a placed shape: what this probe can measure."""
    upright = abs((shape.rotation + 180) % 360 - 180) < 1
    text = shape.text
    return (
        shape.kind == "shape" and upright and shape.box is not None
        and text is not None and not text.vertical and has_text(shape)
    )  # fmt: skip


def double_texts(root: Element, slide: OutlineSlide) -> list[DoubledText]:
    """Double texts in the XML of a slide, in place; the shapes that were changed."""
    bodies = _bodies(root)
    done: list[DoubledText] = []
    for shape in content_shapes(slide):
        targets = bodies.get(shape.id, [])
        if can_be_doubled(shape) and targets and len(done) < 0xFF * 0xFF:
            color = f"{1 + len(done) // 0xFF:02X}{1 + len(done) % 0xFF:02X}{BLUE:02X}"
            changed = [_double_longest(body, color) for body in targets]
            if any(changed):
                done.append(DoubledText(shape, f"#{color}"))
    return done


def _bodies(root: Element) -> Mapping[int, list[Element]]:
    """Text bodies by the id of their shape; alternatives of one shape share its id."""
    bodies: dict[int, list[Element]] = {}
    for body in root.iter(qn("p:txBody")):
        shape = body.getparent()
        if shape is not None and (id := shape_id(shape)):
            bodies.setdefault(id, []).append(body)
    return bodies


def _text(paragraph: Element) -> str:
    return "".join(node.text or "" for node in paragraph.iter(qn("a:t")))


def _double_longest(body: Element, color: str) -> bool:
    paragraphs = body.findall(qn("a:p"))
    longest = max(paragraphs, key=lambda item: len(_text(item)), default=None)
    if longest is None or not _text(longest).strip():
        return False
    runs = [child for child in longest if child.tag in RUNS]
    copies = [deepcopy(run) for run in runs]
    _put_space_before(copies)
    end = longest.index(runs[-1]) + 1
    longest[end:end] = copies
    for paragraph in paragraphs:
        for run in paragraph:
            if run.tag in RUNS:
                _mark(run, color)
    return True


def _put_space_before(runs: list[Element]) -> None:
    for run in runs:
        text = run.find(qn("a:t"))
        if text is not None and text.text:
            text.text = f" {text.text}"
            return


def _mark(run: Element, color: str) -> None:
    """Give a run its colour, and remove what would override it."""
    if (style := run.find(qn("a:rPr"))) is None:
        style = run.makeelement(qn("a:rPr"), {})
        run.insert(0, style)
    for child in list(style):
        if child.tag in FILLS or child.tag in LINKS:
            style.remove(child)
    fill = style.makeelement(qn("a:solidFill"), {})
    fill.append(fill.makeelement(qn("a:srgbClr"), {"val": color}))
    outline = style.find(qn("a:ln"))
    style.insert(0 if outline is None else style.index(outline) + 1, fill)


SIDE = 30
"""Side of the patch in frame pixels: it leaves 15 pixels of a 480-pixel picture to look at."""

COLOR = "FF00FE"
COLOR_REACH = 40
"""Largest difference per channel: drawing the page smooths the patch's rim only."""

SHOWN_SHARE = 0.3
"""Share of the patch that must be seen: text or a line may cross it, a picture covers all."""

MARGIN = 4


@dataclass(frozen=True)
class LayoutPatch:
    """The place of a layout's patch, and the slides on which nothing small covers it."""

    layout: str
    box: Box
    slides: tuple[int, ...]


def choose_patches(outline: DeckOutline, slides: Sequence[OutlineSlide]) -> tuple[LayoutPatch, ...]:
    """One patch per layout of ``slides``, at the place that is free on most of them.

    Objects that cover the whole slide are not avoided: whether they hide the master is the
    question.
    """
    by_layout: dict[str, list[OutlineSlide]] = defaultdict(list)
    for slide in slides:
        if (layout := outline.layout(slide.layout)) is not None:
            by_layout[layout.part].append(slide)
    return tuple(_choose(part, slides) for part, slides in sorted(by_layout.items()))


def _choose(part: str, slides: list[OutlineSlide]) -> LayoutPatch:
    occupied = np.stack([_occupied(slide) for slide in slides])
    row, column = np.unravel_index(int(np.argmin(occupied.sum(axis=0))), occupied.shape[1:])
    left, top = int(column) * SIDE, int(row) * SIDE
    free = tuple(
        slide.number
        for slide, cells in zip(slides, occupied, strict=True)
        if not cells[row, column]
    )
    return LayoutPatch(part, Box(left, top, left + SIDE, top + SIDE), free)


def _occupied(slide: OutlineSlide) -> NDArray[np.bool_]:
    """Cells of the slide that are covered, but not by something that covers the whole slide."""
    grid = np.zeros((FRAME_HEIGHT // SIDE, FRAME_WIDTH // SIDE), bool)
    for shape in content_shapes(slide):
        if shape.box is None or not (paints(shape) or has_text(shape)):
            continue
        box = on_frame(shape.box)
        if box.area < FULL_SLIDE * FRAME.area:
            rows = slice(int((box.top - MARGIN) // SIDE) if box.top > MARGIN else 0,
                         int((box.bottom + MARGIN) // SIDE) + 1)  # fmt: skip
            columns = slice(int((box.left - MARGIN) // SIDE) if box.left > MARGIN else 0,
                            int((box.right + MARGIN) // SIDE) + 1)  # fmt: skip
            grid[rows, columns] = True
    return grid


def add_patch(root: Element, patch: LayoutPatch, size_emu: tuple[int, int]) -> None:
    """Add the patch on top of a layout's own shapes, in its XML, in place."""
    if (tree := root.find(f"{qn('p:cSld')}/{qn('p:spTree')}")) is None:
        return
    scale = (size_emu[0] / FRAME_WIDTH, size_emu[1] / FRAME_HEIGHT)
    box = patch.box.scaled(*scale)

    def grow(parent: Element, tag: str, **attributes: str) -> Element:
        child = parent.makeelement(qn(tag), attributes)
        parent.append(child)
        return child

    shape = grow(tree, "p:sp")
    names = grow(shape, "p:nvSpPr")
    grow(names, "p:cNvPr", id="987654", name="Patch")
    grow(names, "p:cNvSpPr")
    grow(names, "p:nvPr", userDrawn="1")
    look = grow(shape, "p:spPr")
    frame = grow(look, "a:xfrm")
    grow(frame, "a:off", x=str(round(box.left)), y=str(round(box.top)))
    grow(frame, "a:ext", cx=str(round(box.width)), cy=str(round(box.height)))
    grow(grow(look, "a:prstGeom", prst="rect"), "a:avLst")
    grow(grow(look, "a:solidFill"), "a:srgbClr", val=COLOR)
    grow(grow(look, "a:ln"), "a:noFill")


def shows_patch(image: NDArray[np.uint8], patch: LayoutPatch) -> bool:
    """True if the patch can be seen in a picture (height x width x 3) of the slide."""
    spot = patch.box.on_picture(image.shape)
    pixels = image[
        round(spot.top) + 1 : round(spot.bottom) - 1, round(spot.left) + 1 : round(spot.right) - 1
    ].astype(int)
    target = np.array([int(COLOR[index : index + 2], 16) for index in (0, 2, 4)])
    alike = np.abs(pixels - target).max(axis=2) <= COLOR_REACH
    return bool(alike.size) and float(alike.mean()) >= SHOWN_SHARE


TRIED_SHARE = 3
"""One slide in three is tried: laying out a copy costs as much per slide as drawing the deck did,
and the gates depend on most slides only."""

LEAST_TRIED, MOST_TRIED = 6, 20
"""Least slides tried, if there are as many, and most, besides one for each layout."""

PICTURE_SIZE = (480, 270)
"""Size of the pictures in which patches are looked for."""


@dataclass(frozen=True)
class RelayoutFacts:
    """The facts from one changed copy."""

    reflow: tuple[ReflowFacts, ...]
    inheritance: tuple[InheritanceFacts, ...]


@dataclass(frozen=True)
class RelayoutCopy:
    """A changed copy of a deck, and the changes in it."""

    path: Path
    slides: tuple[OutlineSlide, ...]
    """Of the deck, in the order of the copy's."""
    doubled: Mapping[int, Sequence[DoubledText]]
    """By the number of the slide in the deck."""
    patches: tuple[LayoutPatch, ...]

    def facts(self, drawn: Callable[[], RenderedDeck]) -> RelayoutFacts | NotScored:
        """Facts of the copy as ``drawn`` gives it, such as ``open_copy`` does."""
        try:
            with drawn() as deck:
                return _look(deck, self)
        except (DeckError, RenderError) as error:
            return _unknown(error)


def open_copy(path: Path, renderer: Renderer | None = None) -> RenderedDeck:
    """A changed copy as ``renderer`` draws it, in pictures large enough to find patches."""
    return open_rendered(
        path, renderer=renderer, size=PICTURE_SIZE, ocr=False, deadly="not looked for"
    )


def relayout(
    package: Package,
    outline: DeckOutline,
    *,
    renderer: Renderer | None = None,
    undrawn: Collection[int] = (),
) -> RelayoutFacts | NotScored:
    """Double the texts and patch the layouts on a copy, draw it, and return the visible effects.

    ``undrawn`` are the numbers of slides that cannot be drawn, and are not tried.
    """
    with scratch_folder("probe") as folder:
        copy = write_relayout(package, outline, folder, undrawn=undrawn)
        return (
            copy
            if isinstance(copy, NotScored)
            else copy.facts(lambda: open_copy(copy.path, renderer))
        )


def write_relayout(
    package: Package, outline: DeckOutline, folder: Path, *, undrawn: Collection[int] = ()
) -> RelayoutCopy | NotScored:
    """Write the copy with doubled texts and patched layouts in ``folder``."""
    filled = filled_slides(outline)
    slides = tried_slides([slide for slide in filled if slide.number not in undrawn])
    if filled and not slides:
        return NotScored("no slide with content can be drawn")
    patches = choose_patches(outline, slides)
    doubled: dict[int, list[DoubledText]] = {}
    try:
        replace = light_media(package, _covering(slides))
        for slide in slides:
            root = package.xml(slide.part)
            doubled[slide.number] = double_texts(root, slide)
            replace[slide.part] = serialize_xml(root)
        for patch in patches:
            root = package.xml(patch.layout)
            add_patch(root, patch, outline.size_emu)
            replace[patch.layout] = serialize_xml(root)
        target = folder / "relayout.pptx"
        write_copy(package, target, slides={slide.part for slide in slides}, replace=replace)
    except DeckError as error:
        return _unknown(error)
    return RelayoutCopy(target, slides, doubled, patches)


def _unknown(error: DeckError | RenderError) -> NotScored:
    part = error.part if isinstance(error, DeckError) else ""
    return NotScored(f"{part}: {error.detail}" if part else error.detail)


def _covering(slides: Sequence[OutlineSlide]) -> set[str]:
    """Image parts that cover a whole slide, which may hide its master."""
    return {
        shape.picture.part
        for slide in slides
        for shape in content_shapes(slide)
        if shape.picture is not None and shape.picture.part is not None
        and shape.box is not None and coverage([shape.box]) >= FULL_SLIDE
    }  # fmt: skip


def tried_slides(slides: Sequence[OutlineSlide]) -> tuple[OutlineSlide, ...]:
    """The slides to change on the copy: one for each layout, and a third of all, spread evenly."""
    wanted = min(len(slides), MOST_TRIED, max(LEAST_TRIED, ceil(len(slides) / TRIED_SHARE)))
    chosen = {slide.layout: index for index, slide in reversed(list(enumerate(slides)))}
    picked = set(chosen.values())
    spread = [step * len(slides) // wanted for step in range(wanted)] if wanted else []
    for index in spread:
        if len(picked) < max(wanted, len(chosen)):
            picked.add(index)
    return tuple(slides[index] for index in sorted(picked))


def _look(deck: RenderedDeck, copy: RelayoutCopy) -> RelayoutFacts | NotScored:
    if len(deck) != len(copy.slides):
        return NotScored(f"the copy has {len(copy.slides)} slides but {len(deck)} were drawn")
    patched = {number: patch for patch in copy.patches for number in patch.slides}
    reflow: list[ReflowFacts] = []
    inheritance: list[InheritanceFacts] = []
    for drawn, slide in zip(deck, copy.slides, strict=True):
        reflow += _reflow(drawn, slide, copy.doubled[slide.number])
        if (patch := patched.get(slide.number)) is not None:
            seen = shows_patch(drawn.image, patch)
            inheritance.append(InheritanceFacts(slide.number, patch.layout, seen))
    return RelayoutFacts(tuple(reflow), tuple(inheritance))


def _reflow(
    drawn: RenderedSlide, slide: OutlineSlide, doubled: Sequence[DoubledText]
) -> list[ReflowFacts]:
    by_color: dict[str, list[TextSpan]] = defaultdict(list)
    for span in drawn.spans:
        if span.text.strip():
            by_color[span.color].append(span)
    facts = []
    for item in doubled:
        box = item.shape.box
        spans = by_color.get(item.color, [])
        if box is not None:
            ink = Box.around(span.box for span in spans)
            facts.append(ReflowFacts(slide.number, item.shape.id, box, ink, _lines(spans)))
    return facts


def _lines(spans: list[TextSpan]) -> int:
    """Number of lines of the spans: one whose middle is below the last line begins a new one."""
    count, bottom = 0, float("-inf")
    for span in sorted(spans, key=lambda span: span.box.top + span.box.bottom):
        if (span.box.top + span.box.bottom) / 2 > bottom:
            count, bottom = count + 1, span.box.bottom
    return count
