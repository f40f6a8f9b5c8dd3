"""One part of a package: its relationships, its elements, its problems, and the images, video and
sound that it shows."""

import hashlib
import struct
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Literal

from decklab.core.errors import DeckError, LimitExceeded, MalformedPart, MissingPart, TruncatedDeck
from decklab.deck.model.outline import OutlineChart, OutlineMedia, OutlinePicture
from decklab.deck.model.shapes import Crop
from decklab.ooxml.package import Package
from decklab.ooxml.parts import Relationship
from decklab.ooxml.xml import NAMESPACES, Element, qn, share

DAMAGE = (MissingPart, MalformedPart, TruncatedDeck)
"""Errors of one part after which the rest of a deck can be read. LimitExceeded is not one."""

_MOST_EFFORT = 250_000
"""About fifty times the shapes of the largest deck we know. A shape fills a kilobyte or two, so a
deck of little else but empty shapes stays within a few hundred megabytes."""


@dataclass
class ReadingLog:
    """Problems of reading, one line each in the order of reading, and values read only once."""

    problems: dict[str, None] = field(default_factory=dict)
    """The lines, as keys."""
    pixels: dict[str, tuple[int, int] | None] = field(default_factory=dict)
    """Sizes of images by part name: many slides show the same ones."""
    charts: dict[str, tuple[OutlineChart, Element | None]] = field(default_factory=dict)
    """Charts and the roots of their parts, by part name."""
    hashes: dict[str, str | None] = field(default_factory=dict)
    """SHA-256 of parts by name."""
    effort: int = 0
    """Shapes read so far, each counted once and once more for every group around it."""

    def add(self, part: str, detail: str) -> None:
        """Record a problem of a part, once."""
        self.problems[f"{part}: {' '.join(detail.split())}"] = None

    def add_effort(self, effort: int, package: Package) -> None:
        """Count the reading of a shape; raises LimitExceeded if a deck takes too much."""
        self.effort += effort
        if self.effort > _MOST_EFFORT:
            detail = f"more than {_MOST_EFFORT:,} shapes, counted once for each group around them"
            raise LimitExceeded(package.label, detail)

    def restart(self) -> None:
        """Clear problems and effort, for another view of what was read."""
        self.problems.clear()
        self.effort = 0

    def add_error(self, error: DeckError) -> None:
        """Record an error that one part raised."""
        self.add(error.part or "package", error.detail)


@dataclass(frozen=True)
class Source:
    """One part of a package, whose relationship ids lead to other parts."""

    package: Package
    part: str
    log: ReadingLog

    def of(self, part: str) -> "Source":
        """Another part of the same package."""
        return Source(self.package, part, self.log)

    def root(self) -> Element | None:
        """The part's root element; None, and a recorded problem, if it is damaged or missing."""
        try:
            return self.package.xml(self.part)
        except DAMAGE as error:
            self.log.add_error(error)
            return None

    def links(self) -> dict[str, Relationship]:
        """The part's relationships by id; none, and a recorded problem, if it has an error."""
        try:
            return self.package.relationships(self.part)
        except DAMAGE as error:
            self.log.add_error(error)
            return {}

    def link(self, id: str | None) -> Relationship | None:
        """The relationship that an element names; None if it names none or it is missing."""
        return self.links().get(id) if id else None

    def sha256(self, part: str | None) -> str | None:
        """Hash of the bytes of a part; None for no part; None, and a recorded problem, for a
        missing or damaged one."""
        if part is None:
            return None
        if part not in self.log.hashes:
            self.log.hashes[part] = self._hash(part)
        return self.log.hashes[part]

    def related(self, kind: str) -> str | None:
        """The first existing part of a kind that this part refers to; None if it refers to none."""
        for link in self.links().values():
            if link.kind == kind and not link.external and link.target in self.package:
                return link.target
        return None

    def linked_part(self, element: Element, attribute: str = "r:id") -> str | None:
        """Name of the part that an attribute of an element leads to; None if it does not exist."""
        link = self.link(element.get(qn(attribute)))
        if link is None or link.external or link.target not in self.package:
            return None
        return link.target

    def listed_parts(self, root: Element | None, tag: str) -> Iterator[tuple[Element, str | None]]:
        """The entries of a list such as ``p:sldMasterIdLst`` in the part's root, each with the
        existing part it leads to."""
        for item in () if root is None else root.iterfind(f"{qn(tag)}/*"):
            yield item, self.linked_part(item)

    def linked_address(self, element: Element, attribute: str = "r:id") -> str | None:
        """The outside address that an attribute of an element leads to, which is never opened; None
        if it leads to none."""
        link = self.link(element.get(qn(attribute)))
        return link.target if link is not None and link.external else None

    def _hash(self, part: str) -> str | None:
        try:
            return hashlib.sha256(self.package.read(part)).hexdigest()
        except DAMAGE as error:
            self.log.add_error(error)
            return None


_READ = frozenset(
    NAMESPACES[prefix]
    for prefix in ("a14", "aink", "asvg", "cx", "cx1", "cx2", "p14", "p15", "p159")
)
"""Namespaces of extensions that the reader understands, or reads as unknown shapes."""
_CHARTS_OF_2016 = "/chartex"
"""The ends of the namespaces that the newer kinds of charts require."""

_ALTERNATE = qn("mc:AlternateContent")
_CHOICE = qn("mc:Choice")
_FALLBACK = qn("mc:Fallback")


def children(element: Element) -> Iterator[Element]:
    """The child elements, each AlternateContent replaced by the content of one branch."""
    for child in element:
        yield from resolve_alternates(child)


def resolve_alternates(element: Element) -> Iterator[Element]:
    """The element itself; for an AlternateContent, the content of the branch to read.

    That is the first Choice all of whose required namespaces we read, else the Fallback; if
    there is no Fallback, the first Choice, so that nothing is lost.
    """
    if element.tag != _ALTERNATE:
        yield element
        return
    if (branch := _branch(element)) is not None:
        yield from children(branch)


def _branch(element: Element) -> Element | None:
    choices = element.findall(_CHOICE)
    for choice in choices:
        prefixes = (choice.get("Requires") or "").split()
        if prefixes and all(_is_read(choice.nsmap.get(prefix)) for prefix in prefixes):
            return choice
    if (fallback := element.find(_FALLBACK)) is not None:
        return fallback
    return choices[0] if choices else None


def _is_read(namespace: str | None) -> bool:
    return namespace is not None and (namespace in _READ or namespace.endswith(_CHARTS_OF_2016))


_NO_SHAPES = frozenset(map(qn, ("p:nvGrpSpPr", "p:grpSpPr", "p:extLst", "p:custDataLst")))


def shape_tree(root: Element) -> Element | None:
    """The ``p:spTree`` of a slide, layout or master; None if it is missing."""
    return root.find(f"{qn('p:cSld')}/{qn('p:spTree')}")


def shape_elements(tree: Element) -> Iterator[Element]:
    """The shape elements directly in a shape tree or group, unknown kinds included."""
    return (child for child in children(tree) if child.tag not in _NO_SHAPES)


def every_shape(tree: Element) -> Iterator[Element]:
    """The shapes of a tree in drawing order, each group before its members."""
    for shape in shape_elements(tree):
        yield shape
        if shape.tag == qn("p:grpSp"):
            yield from every_shape(shape)


_MEDIA_KINDS: dict[str, Literal["video", "audio"]] = {
    qn("a:videoFile"): "video",
    qn("a:quickTimeFile"): "video",
    qn("a:audioFile"): "audio",
    qn("a:wavAudioFile"): "audio",
    qn("a:audioCd"): "audio",
}
_VECTOR_TYPES = ("svg", "emf", "wmf")
_VECTOR_ENDINGS = (".svg", ".emf", ".wmf", ".emz", ".wmz")
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_MOST_BYTES = 16 * 1024 * 1024  # in which the header stands, or the size stays unknown
_HEADER_BYTES = 64 * 1024  # holds the header of all but a few JPEG files with large thumbnails


def blip_fill(element: Element) -> Element | None:
    """The ``p:blipFill`` of a picture shape; of alternatives, such as a PDF for one program and its
    picture for all others, the one to read. None if it has none."""
    return next((child for child in children(element) if child.tag == qn("p:blipFill")), None)


def crop_of(fill: Element | None) -> Crop:
    """How much of an image is cut off at each edge.

    From ``a:srcRect`` and, for an image that is stretched, ``a:fillRect``: the rectangle, by its
    distances from the edges of the area, that the rest is stretched over (ISO/IEC 29500-1,
    20.1.8.30 and 20.1.8.55).
    """
    if fill is None:
        return Crop()
    left, top, right, bottom = _edges(fill.find(qn("a:srcRect")))
    away = _edges(fill.find(f"{qn('a:stretch')}/{qn('a:fillRect')}"))
    left, right = _stretched(left, right, away[0], away[2])
    top, bottom = _stretched(top, bottom, away[1], away[3])
    return Crop(left=left, top=top, right=right, bottom=bottom)


def opacity_of(fill: Element | None) -> float:
    """1 for an opaque image, less for a faded one."""
    fade = None if fill is None else fill.find(f"{qn('a:blip')}/{qn('a:alphaModFix')}")
    alpha = None if fade is None else share(fade.get("amt"))
    return 1.0 if alpha is None else min(max(alpha, 0.0), 1.0)


def _edges(rectangle: Element | None) -> tuple[float, float, float, float]:
    """Shares of an image's width or height at its left, top, right and bottom."""
    if rectangle is None:
        return 0.0, 0.0, 0.0, 0.0
    left, top, right, bottom = (share(rectangle.get(name)) or 0.0 for name in ("l", "t", "r", "b"))
    return left, top, right, bottom


def _stretched(first: float, last: float, before: float, after: float) -> tuple[float, float]:
    """Shares cut off at two opposite edges, by the distances of the rest from them."""
    room = 1 - before - after
    grown = (1 - first - last) / room if room > 0 else 0.0
    return round(first - before * grown, 5) + 0.0, round(last - after * grown, 5) + 0.0


def read_picture(fill: Element | None, source: Source) -> OutlinePicture | None:
    """The image of a ``p:blipFill`` or ``a:blipFill``; None if it refers to none.

    If a picture has both, the SVG counts and not the bitmap for older readers.
    """
    if (blip := None if fill is None else fill.find(qn("a:blip"))) is None:
        return None
    svg = next(blip.iter(qn("asvg:svgBlip")), None)
    if svg is not None and source.linked_part(svg, "r:embed"):
        blip = svg
    embed, link = blip.get(qn("r:embed")), blip.get(qn("r:link"))
    if not embed and not link:
        return None
    part = source.linked_part(blip, "r:embed")
    address = source.linked_address(blip, "r:link") or source.linked_address(blip, "r:embed")
    if part is None and address is None:
        source.log.add(source.part, f"the image that {embed or link} stands for is not there")
    return _described(part, address, source)


def _described(part: str | None, address: str | None, source: Source) -> OutlinePicture:
    content_type = None if part is None else source.package.content_type(part)
    name = (part or address or "").lower()
    vector = name.endswith(_VECTOR_ENDINGS) or any(
        kind in (content_type or "") for kind in _VECTOR_TYPES
    )
    pixels = None if part is None or vector else pixel_size(part, source)
    return OutlinePicture(part, address, content_type, vector, pixels)


def pixel_size(part: str, source: Source) -> tuple[int, int] | None:
    """Width and height of a raster image part in pixels, by its header; None if unreadable."""
    known = source.log.pixels
    if part not in known:
        try:
            known[part] = picture_size(
                source.package.read_start(part, _HEADER_BYTES)
            ) or picture_size(source.package.read_start(part, _MOST_BYTES))
        except DAMAGE as error:
            source.log.add_error(error)
            known[part] = None
    return known[part]


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a raster image in pixels, by the start of its bytes; None if
    unreadable."""
    from PIL import Image  # noqa: PLC0415 - slow to load, and not every deck has pictures

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about damaged metadata, and about large images
            with Image.open(BytesIO(data), formats=_FORMATS) as image:
                return image.size
    except (
        OSError, ValueError, SyntaxError, EOFError, ArithmeticError, LookupError, TypeError,
        AttributeError, struct.error, Image.DecompressionBombError,
    ):  # fmt: skip
        return None


def read_media(properties: Element | None, source: Source) -> OutlineMedia | None:
    """The medium that a shape's ``p:nvPr`` names; None for shapes that are no medium.

    The embedding of PowerPoint 2010 (``p14:media``) counts before the older reference beside it,
    which often repeats it as a link to the same part.
    """
    if properties is None:
        return None
    old = next((child for child in properties if child.tag in _MEDIA_KINDS), None)
    new = next(properties.iter(qn("p14:media")), None)
    if old is None and new is None:
        return None
    kind = "video" if old is None else _MEDIA_KINDS[str(old.tag)]
    part = address = None
    for element in (new, old):
        for attribute in ("r:embed", "r:link"):
            if element is not None:
                part = part or source.linked_part(element, attribute)
                address = address or source.linked_address(element, attribute)
    return OutlineMedia(kind, part, None if part else address)
