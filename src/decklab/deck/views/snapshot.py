"""A deck as plain JSON: for comparisons, for baselines under version control, and for models; and
slides reduced to the schema of paper 000.

``snapshot(package)`` gives dicts, lists, strings, numbers, booleans and None only;
``snapshot_bytes`` spells it. Same file, same bytes; the package is never changed. Geometry is in
pixels of the 960x540 slide frame, sizes, strokes and insets in points, colours ``#RRGGBB``,
rounded to a hundredth; styles are effective ones, with everything inherited resolved.

A key that is not there has its default (False, None, empty, 0 ...: the defaults of the models in
``decklab.deck.model``). Keys in this order::

    schema         "decklab.snapshot/1"
    size_pt        [width, height] of the slides
    slides         in the order of the show, see below
    layouts        used ones with shapes, unused ones by name only ("used": false)
    masters        like layouts: name, part, type, parent, theme, background, shapes; color_map,
                   text_styles, list_styles: what they state of texts, by level
    themes         part, name, colors by slot, major and minor typefaces, formats
    default_text   what the default text style states, by level
    table_styles   what the deck's own table styles state, by id and part of a table
    sections       id, name, slides (slide ids)
    shows          custom shows: id, name, slides (slide ids)
    media          sha256, content_type, size, parts: images, sounds and videos by content
    properties     title, author, dates ... by element name
    problems       what could not be read, one line each

A slide::

    number, id, creation_id, part, name, hidden, title, section
    layout, layout_part, master, theme, shows_master
    background, background_paint, sources
    notes, header, footer, date, slide_number
    comments       kind classic|modern, id, author, created, text, x, y, shape, status, replies
    transition     name, duration_ms, speed, options, advance_on_click, advance_after_ms, sound
    animations     order, effect, kind, trigger, delay_ms, duration_ms, shape, paragraphs, ...
    reading_order  ids of the shapes in the order in which they are read aloud
    content        hash of its text and pictures, without place, style, ids and names
    shapes         in drawing order, each group before its members

A shape (one entry for each shape of the file, its text inside)::

    kind           shape|line|image|table|chart|diagram|media|group|other
    id, creation_id, name, z, placeholder {type, idx}, groups (ids, outermost first)
    x, y, w, h, rotation, flip_h, flip_v; for lines x1, y1, x2, y2
    alt_text, alt_title, decorative, hidden, click, hover, effects, theme_style, placed
    content        hash of what it says or shows
    text           {text, font, align, paragraphs: [{runs, ...}], body, sources} of shape and line
    shape          geometry, adjustments, path, rx, fill, stroke, strokeWidth, paint, pen
    line           geometry, stroke, strokeWidth, pen, start, start_site, end, end_site
    image          sha256, content_type, pixels, link, crop, alpha, geometry, stroke, pen ...
    table          cells (texts), rows (cells in full), columns, heights, style_id, first_row ...
    chart          type, grouping, plots, title, series, axes, legend, labels, workbook
    diagram        layout, nodes [{text, depth}]
    media          medium, media_sha256, media_type, media_link, and its poster as an image
    other          what, detail, sha256, link, text

A program that only saves a deck again may change names of parts, ids and references to them, where
values are stated (``sources``, ``slot``, ``theme_style``, ``font_scale``, ``line_reduction``), the
fonts of other scripts, and ``SAVED_KEYS``. LibreOffice also renames shapes and layouts and rounds
lengths to 0.03 px. Neighbouring runs that differ in nothing but their text are one run here. A
freeform's ``path`` counts in a box of 1000 by 1000, so that it stays as it is when the shape is
moved or resized.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from decklab.deck.model.base import (
    FRAME_SIZE,
    PlainImage,
    PlainLine,
    PlainRect,
    PlainSlide,
    PlainTable,
    PlainText,
)
from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Element,
    Group,
    Image,
    Line,
    Media,
    Other,
    Rect,
    Table,
    Text,
)
from decklab.deck.model.slide import KINDS, Contents, DeckElements, SlideElements
from decklab.deck.reading import read_elements, read_part_of_deck
from decklab.deck.sheets import Sheet
from decklab.ooxml.package import Package

T = TypeVar("T", bound=Element)


def slide_schema(*, full: bool = False) -> dict[str, Any]:
    """The JSON schema of one slide.

    By default it is that of paper 000 (appendix A, table 1): every field is required, no other is
    allowed, and there are no defaults, as strict structured output needs. ``full`` gives the schema
    of all elements, with provenance; JSON that fits the plain schema fits it too.
    """
    model = SlideElements if full else PlainSlide
    return model.model_json_schema()


def plain_slide(slide: SlideElements) -> PlainSlide:
    """The visible contents of a slide, in the schema of paper 000.

    Left out are hidden shapes, those without a position, texts without characters, areas and
    lines that are not painted, and the kinds that the schema does not have. A text whose layout
    is known has the box and size it was drawn with, as the paper's ground truth.
    """
    return PlainSlide(
        size=FRAME_SIZE,
        background=slide.background,
        texts=tuple(_text(item) for item in _visible(slide.texts) if item.text.strip()),
        rects=tuple(_rect(item) for item in _visible(slide.rects) if item.fill or item.stroke),
        lines=tuple(_line(item) for item in _visible(slide.lines) if item.stroke),
        images=tuple(
            PlainImage(x=item.x, y=item.y, w=item.w, h=item.h) for item in _pictures(slide)
        ),
        tables=tuple(
            PlainTable(x=item.x, y=item.y, w=item.w, h=item.h, cells=item.cells)
            for item in _visible(slide.tables)
        ),
    )


def _visible(items: Iterable[T]) -> Iterator[T]:
    return (item for item in items if item.placed and not item.hidden)


def _text(item: Text) -> PlainText:
    drawn = item.drawn
    box = item if drawn is None else drawn.box
    font = item.font if drawn is None else item.font.model_copy(update={"size": drawn.size})
    return PlainText(
        x=box.x, y=box.y, w=box.w, h=box.h, text=item.text, font=font, align=item.align
    )


def _rect(item: Rect) -> PlainRect:
    names = ("x", "y", "w", "h", "rx", "fill", "stroke", "strokeWidth")
    return PlainRect(**{name: getattr(item, name) for name in names})


def _line(item: Line) -> PlainLine:
    names = ("x1", "y1", "x2", "y2", "stroke", "strokeWidth")
    return PlainLine(**{name: getattr(item, name) for name in names})


def _pictures(slide: SlideElements) -> list[Image | Media]:
    """Images, and the posters of media, which look the same, in drawing order."""
    pictures: list[Image | Media] = [*_visible(slide.images), *_visible(slide.media)]
    return sorted(pictures, key=lambda item: (item.z is None, item.z or 0))


SAVED_KEYS = frozenset(
    {
        "modified", "revision", "lastModifiedBy", "lastPrinted", "Application", "AppVersion",
        "TotalTime", "Words", "Paragraphs", "Slides", "Notes", "HiddenSlides", "Characters",
        "CharactersWithSpaces", "Lines", "Pages", "MMClips", "ScaleCrop", "LinksUpToDate",
        "SharedDoc", "HyperlinksChanged", "PresentationFormat", "Template", "DocSecurity",
    }
)  # fmt: skip
"""Properties that count or date the deck, or name the program that saved it."""

_SHOWN = {
    "shape": ("geometry",),
    "line": ("geometry",),
    "image": ("sha256", "link"),
    "table": ("cells",),
    "chart": ("type", "plots", "title", "series"),
    "diagram": ("nodes",),
    "media": ("media_sha256", "media_link"),
    "other": ("what", "detail", "sha256", "text"),
}
"""The keys that count, by kind."""
_LENGTH = 16  # hexadecimal digits: 64 bits, enough to tell the shapes of any deck apart


def content_of_shape(shape: dict[str, Any]) -> str:
    """The hash of a snapshot's shape; its text, without styles, is part of it."""
    kind = shape["kind"]
    fields = shape.get(kind, {})
    shown = [fields.get(key) for key in _SHOWN.get(kind, ())]
    return _hash([kind, shape.get("text", {}).get("text"), *shown])


def content_of_slide(slide: dict[str, Any]) -> str:
    """The hash of a snapshot's slide: of its shapes, in drawing order, and its notes."""
    return _hash([slide.get("notes"), *(shape["content"] for shape in slide["shapes"])])


def _hash(value: list[Any]) -> str:
    spelled = json.dumps(value, ensure_ascii=False, sort_keys=True).encode()
    return hashlib.sha256(spelled).hexdigest()[:_LENGTH]


_KINDS: dict[type[Element], str] = {
    Rect: "shape", Text: "shape", Line: "line", Image: "image", Table: "table", Chart: "chart",
    Diagram: "diagram", Media: "media", Group: "group", Other: "other",
}  # fmt: skip
_SHARED = frozenset(Element.model_fields) - {"sources"} | {
    "x", "y", "w", "h", "x1", "y1", "x2", "y2",
}  # fmt: skip
"""Keys of the shape itself; all other keys belong to its kind."""
_UNPAINTED = {"rx": 0.0, "fill": None, "stroke": None, "strokeWidth": 0.0}
"""The values of a shape that is not painted, so that painting it changes them."""


def dumped(model: Any) -> dict[str, Any]:
    """A model as plain JSON, without values that equal their default."""
    record: dict[str, Any] = model.model_dump(mode="json", exclude_defaults=True)
    return record


def shapes_of(elements: Iterable[Element]) -> list[dict[str, Any]]:
    """The shapes of elements in drawing order."""
    records: dict[int | None, dict[str, Any]] = {}
    for element in elements:
        values = dumped(element)
        _join_runs(values)
        shared = {key: values.pop(key) for key in tuple(values) if key in _SHARED}
        kind = _KINDS[type(element)]
        shape = records.setdefault(element.z, {"kind": kind, "content": "", **shared})
        if isinstance(element, Text):
            shape["text"] = values
            if shape["kind"] == "shape":
                shape.setdefault("shape", dict(_UNPAINTED))
        elif values:
            shape[kind] = values
    for shape in records.values():
        shape["content"] = content_of_shape(shape)
    return list(records.values())


def _join_runs(values: dict[str, Any]) -> None:
    """Join neighbouring runs that differ only in text, in paragraphs and cells."""
    cells = [cell for row in values.get("rows", ()) for cell in row]
    for holder in (values, *cells):
        for paragraph in holder.get("paragraphs", ()):
            if "runs" in paragraph:
                paragraph["runs"] = _joined(paragraph["runs"])


def _joined(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    joined: list[dict[str, Any]] = []
    for run in runs:
        last = joined[-1] if joined else {}
        if "kind" not in run and {**last, "text": ""} == {**run, "text": ""}:
            last["text"] += run["text"]
        else:
            joined.append(run)
    return joined


SCHEMA = "decklab.snapshot/1"
"""Name and version of the form; the number changes when keys change their meaning."""

Snapshot = dict[str, Any]
"""Plain JSON; see the package for its keys."""

_NOTHING: Mapping[str, Collection[int]] = {}
_LISTS = frozenset({"slides", "layouts", "masters", *KINDS})


def snapshot(
    package: Package,
    *,
    slides: Collection[int] | None = None,
    layouts: Collection[str] = (),
    masters: Collection[str] = (),
    without: Mapping[str, Collection[int]] = _NOTHING,
    templates: dict[str, Sheet] | None = None,
) -> Snapshot:
    """Everything that decklab reads from a deck, as plain JSON.

    With ``slides`` it has only the slides of these 1-based numbers, without the shapes whose ids
    ``without`` lists by the slide's part; their layouts and masters by name only, except the
    layouts in the parts ``layouts`` and their masters, which are complete; the masters in the parts
    ``masters`` by name, with their themes; and no media. ``templates`` holds layouts and masters
    that were read before, see ``read_part_of_deck``. Raises what ``read_elements`` raises; a
    damaged part is noted in ``problems``.
    """
    if slides is None:
        return _plain(read_elements(package))
    read = read_part_of_deck(
        package, slides, layouts=layouts, masters=masters, without=without, templates=templates
    )
    return _plain(read)


def snapshot_of(path: str | Path) -> Snapshot:
    """The snapshot of the deck in a file; raises DeckError if it cannot be read."""
    with Package.open(path) as package:
        return snapshot(package)


def snapshot_bytes(content: Snapshot) -> bytes:
    """The snapshot in UTF-8, keys sorted, on one line: equal snapshots give equal bytes."""
    text = json.dumps(
        content, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return text.encode() + b"\n"


def _plain(deck: DeckElements) -> Snapshot:
    values = deck.model_dump(mode="json", exclude=set(_LISTS) & set(DeckElements.model_fields))
    return {
        "schema": SCHEMA,
        "size_pt": values.pop("size_pt"),
        "slides": [_slide(slide) for slide in deck.slides],
        "layouts": [_sheet(layout) for layout in deck.layouts],
        "masters": [_sheet(master) for master in deck.masters],
        **values,
    }


def _sheet(contents: Contents) -> dict[str, Any]:
    values = contents.model_dump(
        mode="json", exclude_defaults=True, exclude={*KINDS, "size", "size_pt"}
    )
    return {**values, "shapes": shapes_of(contents.elements())}


def _slide(contents: Contents) -> dict[str, Any]:
    values = _sheet(contents)
    shapes = values.pop("shapes")
    read = (it for it in shapes if not (it.get("decorative") or it.get("hidden")))
    read_aloud = [shape["id"] for shape in read if "id" in shape and shape["kind"] != "group"]
    slide = {"number": 1, "id": 0, **values, "reading_order": read_aloud, "content": ""}
    slide["shapes"] = shapes
    slide["content"] = content_of_slide(slide)
    return slide
