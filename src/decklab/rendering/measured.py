"""An HTML deck as the browser laid it out: boxes, texts, tables, pictures and drawings by slide.

Lengths are CSS pixels of the slide, from its upper left corner; colours are red, green and blue
from 0 to 255 and an opacity from 0 to 1, with that of everything around.
"""

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from pydantic import BaseModel, ConfigDict, Field

from decklab.core.errors import DeckError
from decklab.ooxml.package import sniff
from decklab.ooxml.signatures import FileKind
from decklab.rendering.html import DEADLINE_SECONDS, Browser, count_slides, outside_loops

_SCRIPT = Path(__file__).with_name("measuring.js")
_MOST_BYTES: Final = 64 * 2**20
"""Ours: of one picture file."""
_SHOT_SCALE: Final = 2.0
"""Pixels of a picture of one element for each CSS pixel."""
_LARGEST_SHOT: Final = 4000.0
_LEAST_SHOT: Final = 0.5

Rgba = tuple[int, int, int, float]
Rectangle = tuple[float, float, float, float]
"""Left, top, width, height."""


class _Measured(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Turn(_Measured):
    """A rotation by ``angle`` degrees clockwise that takes the point ``from_`` to ``to``."""

    angle: float
    from_: tuple[float, float] = Field(alias="from")
    to: tuple[float, float]


class ColorStop(_Measured):
    """A colour of a gradient; ``at`` is its place, 0 to 1 from begin to end."""

    at: float
    color: Rgba


class SolidFill(_Measured):
    """One colour."""

    kind: Literal["solid"]
    color: Rgba


class LinearFill(_Measured):
    """A gradient along a line; ``angle`` as in CSS: 0 is up, 90 to the right."""

    kind: Literal["linear"]
    angle: float
    stops: tuple[ColorStop, ...]


class RadialFill(_Measured):
    """A gradient round a point; ``x`` and ``y`` are shares of the box, the radii are lengths."""

    kind: Literal["radial"]
    x: float
    y: float
    rx: float
    ry: float
    stops: tuple[ColorStop, ...]


Fill = Annotated[SolidFill | LinearFill | RadialFill, Field(discriminator="kind")]


class Edge(_Measured):
    """A border of a box: its width is 0 if it is not drawn."""

    width: float
    style: str
    color: Rgba


class Shadow(_Measured):
    """The shadow of a box."""

    x: float
    y: float
    blur: float
    spread: float
    color: Rgba


Radii = tuple[tuple[float, float], ...]
"""Of the corners, clockwise from the upper left: across and down."""


class Rounded(_Measured):
    """A box that cuts off what is inside it, with its corners."""

    box: Rectangle
    radii: Radii


class _Item(_Measured):
    element: str
    """Tag, id and classes."""
    box: Rectangle
    turns: tuple[Turn, ...] = ()
    clip: Rectangle | None = None
    """The box outside of which nothing is shown."""
    order: int = 0
    """Of reading."""
    paint: int = 0
    """Of painting: later items cover earlier ones."""
    group: int | None = None
    """Of the drawing it belongs to."""
    label: str = ""
    """Of that drawing."""


class BoxItem(_Item):
    """A painted box."""

    kind: Literal["box"]
    fill: Fill | None
    borders: tuple[Edge, Edge, Edge, Edge]
    """At the top, right, bottom and left."""
    radii: Radii
    shadow: Shadow | None


class TextRun(_Measured):
    """Characters of one style; ``\\v`` breaks the line."""

    text: str
    font: int
    """The number of a face."""
    size: float
    color: Rgba
    gradient: Fill | None = None
    underline: bool
    strike: bool
    shift: Literal["", "super", "sub"]
    spacing: float
    link: str
    small: bool
    """Whether in small capitals."""
    lang: str
    back: Rgba | None
    """Of what is painted behind it on its line; None for nothing opaque."""
    gap: float
    """Room after it on its line, beyond the spacing."""
    formula: str = ""
    """MathML, if the characters are those of a formula."""


class LineBox(_Measured):
    """A line of a paragraph."""

    left: float
    right: float
    top: float
    bottom: float
    base: float
    """Of its letters."""
    size: float
    """Of its largest letters."""
    lowered: bool
    """Whether it has a subscript."""
    below: float
    """How far its fonts reach below the baseline."""
    word: float
    """Width of its first word."""


class Marker(_Measured):
    """The bullet or number before a paragraph; ``width`` is its distance from the text."""

    kind: Literal["character", "number"]
    text: str
    scheme: str
    start: int
    color: Rgba
    size: float
    width: float
    inside: bool
    font: str = ""


class TextItem(_Item):
    """A paragraph; ``box`` is that of its lines."""

    kind: Literal["text"]
    tag: str
    role: str
    slot: str
    """Of the placeholder that the page wants it in; empty if it does not say."""
    place: int
    """The same for what the page wants in one placeholder; -1 for none."""
    content: tuple[float, float]
    """Left and right of the room for the lines."""
    align: str
    rtl: bool
    vertical: bool
    wraps: bool
    height: float
    """Of a line; 0 for that of the font."""
    indent: float
    flexed: bool
    lines: tuple[LineBox, ...]
    runs: tuple[TextRun, ...]
    marker: Marker | None
    level: int
    column: int
    """The same for paragraphs of one box."""
    lang: str

    @property
    def text(self) -> str:
        """Its words."""
        return "".join(run.text for run in self.runs)


class TableCell(_Measured):
    """A cell of a table and the paragraphs in it."""

    row: int
    column: int
    across: int
    down: int
    box: Rectangle
    header: bool
    fill: Rgba | None
    padding: tuple[float, float, float, float]
    borders: tuple[Edge, Edge, Edge, Edge]
    valign: str
    texts: tuple[TextItem, ...]


class TableItem(_Item):
    """A table."""

    kind: Literal["table"]
    columns: tuple[float, ...]
    rows: tuple[float, ...]
    cells: tuple[TableCell, ...]
    header: bool
    fill: Rgba | None
    title: str
    rtl: bool


class ChartItem(_Item):
    """A chart by its data: ``plan`` is JSON, ``size`` that of its labels."""

    kind: Literal["chart"]
    plan: str
    size: float
    alone: int | None
    digest: str = ""
    """Of its picture."""


class PictureItem(_Item):
    """A picture; ``drawn`` is the rectangle of the whole file, ``box`` what is shown of it."""

    kind: Literal["picture"]
    tag: str
    source: str
    drawn: Rectangle
    radii: Radii | None
    alone: int | None
    """The number of a picture of the element alone."""
    vector: bool
    alt: str
    decorative: bool
    opacity: float
    within: Rounded | None = None
    link: str = ""
    formula: str = ""
    """MathML, if it shows a formula, whose letters have this size and colour."""
    size: float = 0.0
    color: Rgba = (0, 0, 0, 1.0)
    digest: str = ""
    """SHA-256 of the file; empty if there is none."""
    vector_digest: str = ""


Segment = tuple[str | float, ...]


class PathItem(_Item):
    """A shape of a drawing: moves (M), lines (L), curves (C) and closings (Z)."""

    kind: Literal["path"]
    shape: Literal["path", "line", "rect", "ellipse"]
    path: tuple[Segment, ...]
    fill: Fill | None
    stroke: Fill | None
    width: float
    radius: float
    dash: tuple[float, ...]
    cap: str
    join: str
    start: bool
    end: bool
    """Whether it has an arrow head there."""


Item = Annotated[
    BoxItem | TextItem | TableItem | ChartItem | PictureItem | PathItem, Field(discriminator="kind")
]


class Substitution(_Measured):
    """Something without a native form, and what becomes of it."""

    element: str
    reason: str


class MeasuredPage(_Measured):
    """A slide as it was laid out; ``items`` are in reading order."""

    width: float
    height: float
    items: tuple[Item, ...]
    substitutions: tuple[Substitution, ...]
    notes: str
    names: tuple[str, ...]
    """By which links reach it."""
    section: str
    """The part of the deck that it names; empty if none."""
    stack: int | None
    """Of vertical slides, which of the deck's."""
    lang: str
    transition: str
    layout: str
    """The name that the page gives to its layout; empty for none."""
    kind: str
    hidden: bool
    title: str
    document: str
    scripts: int
    full: bool


class FontFace(_Measured):
    """A font as the page asks for it, and the families that the browser took by script."""

    id: int
    list: str
    weight: int
    italic: bool
    used: str
    """The first family of the list that there is."""
    families: dict[str, str] = {}
    postscript: dict[str, str] = {}
    custom: bool = False
    """Whether the deck brings it along."""


@dataclass(frozen=True)
class MeasuredDeck:
    """The slides of a deck, the faces of its texts, and its picture files by their SHA-256."""

    path: Path
    slides: tuple[MeasuredPage, ...]
    faces: dict[int, FontFace]
    pictures: dict[str, bytes]


def measure_deck(
    path: str | Path, *, scripts: bool = False, deadline: float = DEADLINE_SECONDS
) -> MeasuredDeck:
    """Lay out an HTML deck in the browser, slide by slide; a folder is taken page by page.

    ``scripts`` lets those of the deck run. ``deadline`` bounds the seconds of each answer. Works
    beside a running event loop. Raises DeckError for a missing file and for a deck that shows
    nothing, RendererMissing, RenderTimeout and RenderFailed.
    """
    return outside_loops(_measure, Path(path), scripts, deadline)


def _measure(path: Path, scripts: bool, deadline: float) -> MeasuredDeck:
    pages = list(deck_pages(path))
    browser = Browser(pages[0], deadline=deadline, scripts=scripts)
    try:
        return measured_pages(browser, pages, path)
    finally:
        browser.close()


def measured_pages(browser: Browser, pages: Sequence[Path], path: Path) -> MeasuredDeck:
    """The deck of some pages in one folder, laid out in a browser that is open; ``path`` names it.

    Raises what ``measure_deck`` raises.
    """
    reader = _Reader(browser, pages[0].resolve().parent)
    for page in pages:
        if page != browser.path:
            browser.visit(page)
        reader.read()
    scripts = browser.scripts
    slides = tuple(reader.slides)
    if not any(_shows(slide) for slide in slides):
        unrun = not scripts and any(slide.scripts for slide in reader.slides)
        advice = ": it may need its scripts; allow them with --scripts" if unrun else ""
        raise DeckError(path, f"no slide shows anything{advice}")
    return MeasuredDeck(path, slides, reader.faces, reader.pictures)


def _shows(slide: MeasuredPage) -> bool:
    """Whether there is more than a ground."""
    return any(
        not isinstance(item, BoxItem)
        or item.box[2] * item.box[3] < 0.9 * slide.width * slide.height
        for item in slide.items
    )


def deck_pages(path: Path) -> Iterator[Path]:
    """The pages of a deck: the file itself, or those of a folder by their names, 2 before 10.

    Raises DeckError if there is none, and for a file that is no HTML by its content.
    """
    if path.is_dir():
        pages = [page for page in path.iterdir() if page.suffix.lower() in (".html", ".htm")]
        if not pages:
            raise DeckError(path, "the folder has no .html page")
        yield from sorted(pages, key=_natural)
        return
    if not path.is_file():
        raise DeckError(path, "there is no such file")
    if sniff(path) is not FileKind.HTML:
        raise DeckError(path, "is no HTML: an HTML deck or a folder of pages is converted")
    yield path


def _natural(path: Path) -> list[tuple[int, int, str]]:
    """Page 2 before page 10."""
    parts = re.split(r"(\d+)", path.name)
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts]


@dataclass
class _Reader:
    browser: Browser
    folder: Path
    slides: list[MeasuredPage] = field(default_factory=list)
    faces: dict[int, FontFace] = field(default_factory=dict)
    pictures: dict[str, bytes] = field(default_factory=dict)

    def read(self) -> None:
        """The slides of the page that is open."""
        self.browser.add_script(_SCRIPT)
        self.browser.call("loaded", len(self.faces))
        for number in range(count_slides(self.browser)):
            clip = self.browser.call("show", number)
            measured = self.browser.call("measure", number, clip)
            measured["items"] = [self._with_file(item, clip) for item in measured["items"]]
            self.browser.call("unrealise")
            self.slides.append(MeasuredPage.model_validate(measured))
        self._read_faces()

    def _with_file(self, item: dict[str, Any], slide: dict[str, float]) -> dict[str, Any]:
        """An item with the file of its picture kept."""
        if item["kind"] == "chart":
            shot = self._shot(item["alone"], item, slide)
            return {**item, "digest": "" if shot is None else self._kept(shot)}
        if item["kind"] != "picture":
            return item
        data = None if item["alone"] is not None else self._file(item["source"])
        if item["vector"] and item["drawn"] == item["box"]:
            vector = self._file(item["source"])
            item["vector_digest"] = "" if vector is None else self._kept(vector)
        if data is None and item["alone"] is not None:
            data = self._shot(item["alone"], item, slide)
        return {**item, "digest": "" if data is None else self._kept(data)}

    def _kept(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self.pictures[digest] = data
        return digest

    def _file(self, source: str) -> bytes | None:
        address = urlsplit(source)
        if address.scheme == "data":
            head, _, body = source.removeprefix("data:").partition(",")
            data = unquote_to_bytes(body)
            return base64.b64decode(data) if head.endswith(";base64") else data
        path = Path(unquote(address.path)).resolve()
        below = address.scheme == "file" and path.is_relative_to(self.folder)
        if not below or not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return None
        return path.read_bytes()

    def _shot(self, id: int, item: dict[str, Any], slide: dict[str, float]) -> bytes | None:
        """PNG of an element alone on a clear ground."""
        left, top, width, height = item["drawn"] = item["box"]
        if width < _LEAST_SHOT or height < _LEAST_SHOT:
            return None
        self.browser.call("only", id)
        try:
            self.browser.ask("Emulation.setDefaultBackgroundColorOverride", color=_CLEAR)
            scale = min(_SHOT_SCALE, _LARGEST_SHOT / max(width, height))
            clip = {"x": slide["x"] + left, "y": slide["y"] + top, "width": width, "height": height}
            shot = self.browser.ask(
                "Page.captureScreenshot", format="png", captureBeyondViewport=True,
                clip={**clip, "scale": scale},
            )  # fmt: skip
            return base64.b64decode(shot["data"])
        finally:
            self.browser.call("together", id)

    def _read_faces(self) -> None:
        probes = self.browser.call("probes")
        self.browser.ask("DOM.enable")
        self.browser.ask("CSS.enable")
        root = self.browser.ask("DOM.getDocument", depth=0)["root"]["nodeId"]
        nodes = self.browser.ask(
            "DOM.querySelectorAll", nodeId=root, selector="#decklab-probes > span"
        )["nodeIds"]
        taken: dict[int, dict[str, Any]] = {}
        for probe, node in zip(probes, nodes, strict=True):
            fonts = self.browser.ask("CSS.getPlatformFontsForNode", nodeId=node)["fonts"]
            if not fonts:
                continue
            most = max(fonts, key=lambda font: (font["glyphCount"], font["familyName"]))
            known = taken.setdefault(probe["id"], {"families": {}, "postscript": {}})
            known["families"][probe["script"]] = most["familyName"]
            known["postscript"][probe["script"]] = most.get("postScriptName", "")
            if probe["script"] == "latin":
                known["custom"] = bool(most.get("isCustomFont"))
        self.browser.ask("CSS.disable")
        self.browser.ask("DOM.disable")
        for face in self.browser.call("fontsAsked"):
            self.faces[face["id"]] = FontFace.model_validate({**face, **taken.get(face["id"], {})})


_CLEAR: Final = {"r": 0, "g": 0, "b": 0, "a": 0}
