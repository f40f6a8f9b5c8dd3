"""Digests of all that a slide's picture depends on: parts, and text that LibreOffice fills in as it
draws (the number of the slide, the date).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256

from decklab.core.errors import DeckError
from decklab.ooxml.package import Package
from decklab.ooxml.parts import Relationship
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import Element, qn, serialize_xml
from decklab.rendering.renderer import cache_key

SHEETS = ("slide+xml", "slideLayout+xml", "slideMaster+xml")
"""Ends of the content types of parts that slides are drawn from."""

UNSEEN_LINKS = frozenset(("comments", "customXml", "hyperlink", "notesSlide", "slide", "tags"))
"""Kinds of relationships whose targets do not show in the picture of a slide."""

_UNSEEN_ELEMENTS = frozenset(
    qn(name) for name in ("p:extLst", "p:sldLayoutIdLst", "p:timing", "p:transition")
)
_PLAYED = frozenset((qn("p:timing"), qn("p:transition")))
_ALT_TEXT_ATTRIBUTES = ("descr", "title")  # alternative text


class PartDigests:
    """Digests of the parts of one package, each computed once; the package has to stay open.

    Transitions, animations (LibreOffice draws all there is on a slide), alternative text, notes,
    comments, the targets of links, and the workbooks of charts (the values drawn are in the chart
    itself) do not count. Names of parts do not count either, so that a renumbered slide keeps
    its digest.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._known: dict[str, str] = {}
        self._begun: set[str] = set()

    def of(self, part: str) -> str:
        """The digest of an existing part, in hexadecimal."""
        if part not in self._known:
            if part in self._begun:
                return "again"
            self._begun.add(part)
            self._known[part] = self._digest(part)
            self._begun.discard(part)
        return self._known[part]

    def _digest(self, part: str) -> str:
        digest = sha256((self._package.content_type(part) or "").encode())
        digest.update(sha256(self._content(part)).digest())
        for id, link in sorted(self._package.relationships(part).items()):
            if self._counts(part, link):
                digest.update(f"\n{id} {link.type} {self._target(link)}".encode())
        return digest.hexdigest()

    def _target(self, link: Relationship) -> str:
        """The target of a relationship: a part by its digest, any other target as it is written."""
        inside = not link.external and link.target in self._package
        return self.of(link.target) if inside else link.target

    def _counts(self, part: str, link: Relationship) -> bool:
        kind = self._package.content_type(part) or ""
        if link.kind in UNSEEN_LINKS:
            return False
        if link.kind == "package":
            return "chart" not in kind
        return link.kind != "slideLayout" or not kind.endswith("slideMaster+xml")

    def _content(self, part: str) -> bytes:
        """The content of a part; one that cannot be parsed counts byte for byte."""
        if not (self._package.content_type(part) or "").endswith(SHEETS):
            return self._package.read(part)
        try:
            root = self._package.xml(part)
        except DeckError:
            return self._package.read(part)
        for child in list(_unseen(root)):
            root.remove(child)
        for properties in root.iter(qn("p:cNvPr")):
            for name in _ALT_TEXT_ATTRIBUTES:
                properties.attrib.pop(name, "")
        return serialize_xml(root)


def _unseen(root: Element) -> Iterator[Element]:
    """Children of a sheet's root that are not drawn, also those wrapped for newer programs."""
    for child in root:
        wrapped = [item.tag for branch in child for item in branch]
        alternate = child.tag == qn("mc:AlternateContent") and _PLAYED.issuperset(wrapped)
        if child.tag in _UNSEEN_ELEMENTS or alternate:
            yield child


_SHRINKS = b"normAutofit"
_FITS = (qn("a:noAutofit"), qn("a:spAutoFit"), qn("a:normAutofit"))


class Precedents:
    """The slides that LibreOffice draws before each one; ``slides`` are the deck's, in order.

    Slides are named by their 1-based numbers.
    """

    def __init__(self, package: Package, slides: tuple[str, ...]) -> None:
        self._package, self._slides = package, slides
        self._shrinking: dict[str, bool] = {}
        self.layouts = tuple(
            next(iter(package.related(slide, "slideLayout")), "") for slide in slides
        )
        """Name of the layout of each slide; empty if it has none."""

    def shrinks(self, number: int) -> bool:
        """Whether text on the slide may be shrunk to fit its shape."""
        return any(self._may_shrink(part) for part in self._sheets(number))

    @cached_property
    def first_plain(self) -> int:
        """The first slide with text that is never shrunk; one past the last if there is none."""
        numbers = range(1, len(self._slides) + 1)
        return next((number for number in numbers if self._plain(number)), len(numbers) + 1)

    def first_alike(self, number: int) -> int:
        """The first slide that has the same layout as this one."""
        return self.layouts.index(self.layouts[number - 1]) + 1

    def before(self, number: int) -> tuple[bool, bool, str]:
        """Whether plain text, and this slide's own layout, were drawn before the slide, and the
        layout of the slide just before it; empty for the first."""
        previous = self.layouts[number - 2] if number > 1 else ""
        return self.first_plain < number, self.first_alike(number) < number, previous

    def _plain(self, number: int) -> bool:
        slide, *above = self._sheets(number)
        inherits = any(self._may_shrink(part) for part in above)
        root = self._package.xml(slide)
        shapes = (shape for shape in root.iter(qn("p:sp")) if _is_plain(shape, inherits))
        return any(_has_text(item) for item in (*shapes, *root.iter(qn("a:tbl"))))

    def _sheets(self, number: int) -> tuple[str, ...]:
        """The parts a slide is drawn from: itself, its layout and its master."""
        layout = self.layouts[number - 1]
        above = (layout, *self._package.related(layout, "slideMaster")) if layout else ()
        return (self._slides[number - 1], *above)

    def _may_shrink(self, part: str) -> bool:
        if part not in self._shrinking:
            self._shrinking[part] = _SHRINKS in self._package.read(part)
        return self._shrinking[part]


def _has_text(element: Element) -> bool:
    return any((item.text or "").strip() for item in element.iter(qn("a:t")))


def _is_plain(shape: Element, inherits: bool) -> bool:
    """Whether a shape's text is never shrunk; a shape that does not state it inherits it."""
    if (stated := next(shape.iter(*_FITS), None)) is not None:
        return stated.tag != qn("a:normAutofit")
    return not inherits or next(shape.iter(qn("p:ph")), None) is None


_NUMBER = "slidenum"
"""Type of the fields that show a slide's number (ECMA-376 Part 1, 21.1.2.2.4)."""

_DATE = "datetime"
_CLOCK = frozenset(f"{_DATE}{number}" for number in (8, 9, 10, 11, 12, 13))
"""Types of date fields that show the time of day."""


@dataclass(frozen=True)
class Fields:
    """The types of the fields drawn on a slide."""

    own: frozenset[str]
    """Those on the slide itself."""
    inherited: frozenset[str]
    """Those of its layout and master, which are drawn where they are outside placeholders."""

    @property
    def numbered(self) -> bool:
        """Whether the slide's number is drawn."""
        return _NUMBER in self.own | self.inherited

    @property
    def dated(self) -> bool:
        """Whether a date or the time of day is drawn."""
        return any(kind.startswith(_DATE) for kind in self.own | self.inherited)

    @property
    def foreign(self) -> bool:
        """Whether something other than number and date is drawn, such as the number of slides."""
        kinds = self.own | self.inherited
        return any(kind != _NUMBER and not kind.startswith(_DATE) for kind in kinds)


class FieldReader:
    """Finds the fields drawn on slides of one package, which has to stay open."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._inherited: dict[str, frozenset[str]] = {}

    def of(self, slide: str) -> Fields:
        """The fields drawn on the slide in the part ``slide``."""
        layouts = self._package.related(slide, "slideLayout")
        masters = [part for name in layouts for part in self._package.related(name, "slideMaster")]
        inherited = frozenset(kind for part in (*layouts, *masters) for kind in self._above(part))
        own = _kinds(self._package.xml(slide)) if self._has_fields(slide) else ()
        return Fields(frozenset(own), inherited)

    def _above(self, part: str) -> frozenset[str]:
        if part not in self._inherited:
            fields = _free_fields(self._package.xml(part)) if self._has_fields(part) else ()
            self._inherited[part] = frozenset(fields)
        return self._inherited[part]

    def _has_fields(self, part: str) -> bool:
        return b":fld" in self._package.read(part)


def shown_time(fields: Fields, now: datetime) -> str:
    """The part of ``now`` that the fields show: nothing, the day, or the minute."""
    if not fields.dated:
        return ""
    clock = _CLOCK & (fields.own | fields.inherited)
    return now.strftime("%Y-%m-%d %H:%M" if clock else "%Y-%m-%d")


def _free_fields(root: Element) -> Iterator[str]:
    for shape in root.iter(qn("p:sp")):
        if shape.find(f"{qn('p:nvSpPr')}/{qn('p:nvPr')}/{qn('p:ph')}") is None:
            yield from _kinds(shape)


def _kinds(root: Element) -> Iterator[str]:
    return (field.get("type") or "" for field in root.iter(qn("a:fld")))


_UNSEEN_CHILDREN = frozenset(
    qn(f"p:{name}")
    for name in (
        *("custShowLst", "extLst", "handoutMasterIdLst", "modifyVerifier", "notesMasterIdLst"),
        *("notesSz", "sldIdLst", "sldMasterIdLst"),
    )
)
_PROPERTIES = "-properties"
"""End of the types of relationships to parts with facts about the file."""

_UNSEEN_ATTRIBUTES = (
    *("autoCompressPictures", "bookmarkIdSeed", "firstSlideNum", "removePersonalInfoOnSave"),
    *("saveSubsetFonts", "serverZoom"),
)


class SlideKeys:
    """Keys of the slides of a package, each over all that the slide's picture depends on.

    That is the slide itself, its layout, master and theme, media, charts and diagrams; slide size,
    text defaults and embedded fonts of the deck; table styles if it has a table; its number if that
    is drawn; the day, or minute, if a field shows it (``now``); the slides before it, if its own
    text shrinks to fit (see ``Precedents``); the whole deck, if a field shows a fact about the
    deck; and ``facts``: what draws, with which options and fonts, as plain JSON values. A picture's
    size in pixels is not part of it.

    Keys are computed when asked for; the package has to stay open. Raises DeckError (of a kind)
    if the deck's list of slides, or later a slide, cannot be read.
    """

    def __init__(
        self, package: Package, facts: Mapping[str, object], *, now: datetime | None = None
    ) -> None:
        self._package = package
        self._facts = dict(facts)
        self._now = now or datetime.now().astimezone()
        self._digests = PartDigests(package)
        self._fields = FieldReader(package)
        self.slides = tuple(entry.part for entry in slide_entries(package))
        """Names of the slides' parts, in the order of the show."""
        self.precedents = Precedents(package, self.slides)
        self._deck, self._first_number = self._read_deck()
        self._known: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.slides)

    def of(self, number: int) -> str:
        """The key of a slide by its 1-based number."""
        if number not in self._known:
            part = self.slides[number - 1]
            self._known[number] = cache_key(self._digests.of(part).encode(), self._context(number))
        return self._known[number]

    def content(self, number: int) -> str:
        """A key of a slide's content, of the parts it refers to and of the deck's settings. Its
        number, the date and the slides before it do not count."""
        part = self.slides[number - 1]
        facts = {"deck": self._deck, "tables": self._table_styles(number)}
        return cache_key(self._digests.of(part).encode(), facts)

    def fields(self, number: int) -> Fields:
        """The fields drawn on a slide."""
        return self._fields.of(self.slides[number - 1])

    def _context(self, number: int) -> dict[str, object]:
        """Facts that a slide's picture depends on besides the slide and the parts it refers to."""
        fields = self.fields(number)
        return {
            **self._facts,
            "entry": "one slide",
            "deck": self._deck,
            "tables": self._table_styles(number),
            "number": [number, self._first_number] if fields.numbered else None,
            "others": self._whole_deck() if fields.foreign else None,
            "moment": shown_time(fields, self._now),
            "before": self._before(number),
        }

    def _before(self, number: int) -> list[object] | None:
        """Facts of earlier slides that this slide's picture depends on; None if on none of them."""
        if not self.precedents.shrinks(number):
            return None
        plain, alike, previous = self.precedents.before(number)
        return [plain, alike, self._digests.of(previous) if previous else ""]

    def _whole_deck(self) -> list[str]:
        """Digests of all slides, and of the properties of the file: its author, its title."""
        links = sorted(self._package.relationships().values(), key=lambda link: link.type)
        facts = [link.target for link in links if link.type.endswith(_PROPERTIES)]
        return [self._digests.of(part) for part in (*self.slides, *facts) if part in self._package]

    def _table_styles(self, number: int) -> str | None:
        if b":tbl" not in self._package.read(self.slides[number - 1]):
            return None
        names = self._package.related(self._package.main_part, "tableStyles")
        return " ".join(self._digests.of(name) for name in names)

    def _read_deck(self) -> tuple[str, str]:
        """A digest of the deck's settings for all slides, and the number of the first slide."""
        main = self._package.main_part
        root = self._package.xml(main)
        first = root.get("firstSlideNum", "")
        for name in _UNSEEN_ATTRIBUTES:
            root.attrib.pop(name, "")
        for child in list(root):
            if child.tag in _UNSEEN_CHILDREN:
                root.remove(child)
        digest = sha256(serialize_xml(root))
        for id, link in sorted(self._package.relationships(main).items()):
            if link.kind == "font" and link.target in self._package:
                digest.update(f"\n{id} {self._digests.of(link.target)}".encode())
        return digest.hexdigest(), first
