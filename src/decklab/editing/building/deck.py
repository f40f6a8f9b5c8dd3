"""Writing a deck from elements."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.presentation import Presentation as Deck
from pptx.util import Emu

from decklab.core.errors import DeckError
from decklab.core.naming import shape_label
from decklab.deck.model.shapes import Group
from decklab.deck.model.slide import SlideElements
from decklab.deck.part import DAMAGE
from decklab.editing.building.drawing import FrameSize, legal, paint_xml, solid_xml
from decklab.editing.building.shapes import (
    ImageStore,
    ShapeSource,
    SlideBuilder,
    build_shape,
    sources_of,
)
from decklab.editing.opening import FIXED_DATE, save_undated, undated_workbook
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import LEAST_SLIDE_ID, SLIDE_ID_END, list_items
from decklab.ooxml.xml import NAMESPACES
from decklab.ooxml.xml import Element as Xml

_BLANK = 6  # of the layouts in python-pptx's template
_THEMES = "ppt/theme/"
_SCRIPT_FONT = re.compile(rb"<a:font script=[^>]*/>")
_DEFAULT_SIZE_PT = (960.0, 540.0)
_SIZES_PT = (72.0, 4032.0)  # ST_SlideSizeCoordinate: from 1 to 56 inches


@dataclass(frozen=True)
class BuiltDeck:
    """A deck that was written."""

    path: Path
    left_out: tuple[str, ...]
    """Elements and values that could not be written, one line each, naming slide and shape."""


def build_deck(
    slides: Sequence[SlideElements], path: str | Path, *, images: Mapping[str, bytes] | None = None
) -> BuiltDeck:
    """Write a .pptx that holds the elements of ``slides``, in their order.

    ``images`` are image files by the SHA-256 of their bytes (``images_of`` gives those of a deck);
    pictures that are not among them are left out. Texts, areas, freeforms, lines, images, tables,
    groups and the common charts become native shapes; notes, hidden slides, alternative texts,
    links between the slides and to addresses are written. Diagrams, media, other objects, comments,
    transitions and animations are not written. All slides have the size of the first. The file
    appears whole or not at all; equal input gives equal bytes. Raises DeckError if no
    presentation can have slides of that size, and OSError if the file cannot be written.
    """
    size = slides[0].size_pt if slides else _DEFAULT_SIZE_PT
    if not all(_SIZES_PT[0] <= side <= _SIZES_PT[1] for side in size):
        detail = f"slides of {size[0]:g} by {size[1]:g} pt: a side has {{:g}} to {{:g}}"
        raise DeckError(path, detail.format(*_SIZES_PT))
    deck = Presentation()
    slide_size = FrameSize.of_points(size)
    deck.slide_width, deck.slide_height = Emu(slide_size.width), Emu(slide_size.height)
    built = [deck.slides.add_slide(deck.slide_layouts[_BLANK]) for _ in slides]
    _keep_ids(deck, slides)
    known = {source.id: slide for source, slide in zip(slides, built, strict=True) if source.id}
    store = ImageStore(images or {})
    left_out: list[str] = []
    for number, (source, slide) in enumerate(zip(slides, built, strict=True), start=1):
        builder = SlideBuilder(slide, slide_size, store, known)
        left_out += [f"slide {number}: {line}" for line in _fill(builder, source)]
    return BuiltDeck(_save(deck, Path(path)), tuple(left_out))


def images_of(package: Package) -> dict[str, bytes]:
    """The images of a package by the SHA-256 of their bytes; damaged ones are left out."""
    images: dict[str, bytes] = {}
    for name in package.names:
        if not (package.content_type(name) or "").startswith("image/"):
            continue
        try:
            data = package.read(name)
        except DAMAGE:
            continue
        images[hashlib.sha256(data).hexdigest()] = data
    return images


def _keep_ids(deck: Deck, slides: Sequence[SlideElements]) -> None:
    """Give the slides their former ids, where all of these are valid."""
    ids = [slide.id for slide in slides]
    if len(set(ids)) == len(ids) and all(LEAST_SLIDE_ID <= id < SLIDE_ID_END for id in ids):
        for item, id in zip(list_items(deck.part._element), ids, strict=True):
            item.set("id", str(id))


def _fill(builder: SlideBuilder, content: SlideElements) -> list[str]:
    """Put everything on a slide; returns the elements that were left out, in words."""
    slide = builder.slide
    _set_background(builder, content)
    if content.hidden:
        slide._element.set("show", "0")
    if not content.shows_master:
        slide._element.set("showMasterSp", "0")
    if content.name:
        slide._element.cSld.set("name", legal(content.name))
    page = None if content.notes is None else slide.notes_slide.notes_text_frame
    if page is not None:
        page.text = content.notes or ""
    sources = sources_of(content.elements())
    ids = _shape_ids(sources)
    tree = slide.shapes._spTree
    groups: dict[int, Xml] = {}
    left_out: list[str] = []
    for source, id in zip(sources, ids, strict=True):
        element = source.element
        built = build_shape(source, id, builder)
        if isinstance(built, str):
            name = shape_label(element.name or type(element).__name__, element.id)
            left_out.append(f"{name}: {built}")
            continue
        holder = next((groups[g] for g in reversed(element.groups) if g in groups), tree)
        holder.append(built)
        if isinstance(element, Group):
            groups[element.id] = built
            builder.groups[element.id] = builder.frame(element)
    return left_out


def _shape_ids(sources: Sequence[ShapeSource]) -> list[int]:
    """Each shape keeps its id if it is valid and free; 1 is the slide's tree."""
    wanted = [source.element.id for source in sources]
    free = max([1, *wanted]) + 1
    used = {0, 1}
    ids: list[int] = []
    for id in wanted:
        if id in used:
            id, free = free, free + 1  # noqa: PLW2901 - the id that is free instead
        used.add(id)
        ids.append(id)
    return ids


def _set_background(builder: SlideBuilder, content: SlideElements) -> None:
    if (paint := paint_xml(content.background_paint, builder.embed)) == "<a:noFill/>":
        paint = solid_xml(content.background)
    declared = " ".join(f'xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in ("a", "p", "r"))
    builder.slide._element.cSld.insert(
        0, parse_xml(f"<p:bg {declared}><p:bgPr>{paint}<a:effectLst/></p:bgPr></p:bg>")
    )


def _save(deck: Deck, path: Path) -> Path:
    """Write the deck with fixed dates, so that equal elements give equal bytes."""
    core = deck.core_properties
    core.title, core.author, core.last_modified_by = "", "", ""
    core.created = core.modified = FIXED_DATE
    core.revision = 1
    return save_undated(deck, path, _final_bytes)


def _final_bytes(name: str, data: bytes) -> bytes:
    """The bytes of a part as they are written.

    A theme loses its typefaces for single scripts, which would override those of elements; a
    chart's workbook gets a fixed date; other parts stay as they are.
    """
    return _SCRIPT_FONT.sub(b"", data) if name.startswith(_THEMES) else undated_workbook(name, data)
