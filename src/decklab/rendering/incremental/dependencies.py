"""Digests of parts: of a part and all parts it refers to that are drawn."""

from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256

from decklab.core.errors import DeckError
from decklab.ooxml.package import Package
from decklab.ooxml.parts import Relationship
from decklab.ooxml.xml import Element, qn, serialize_xml

SHEETS = ("slide+xml", "slideLayout+xml", "slideMaster+xml")
"""Ends of the content types of parts that slides are drawn from."""

UNSEEN_LINKS = frozenset(("comments", "customXml", "hyperlink", "notesSlide", "slide", "tags"))
"""Kinds of relationships whose targets do not show in the picture of a slide."""

_UNSEEN_CHILDREN = frozenset(
    qn(name) for name in ("p:extLst", "p:sldLayoutIdLst", "p:timing", "p:transition")
)
_PLAYED = frozenset((qn("p:timing"), qn("p:transition")))
_UNSEEN_ATTRIBUTES = ("descr", "title")  # alternative text


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
            for name in _UNSEEN_ATTRIBUTES:
                properties.attrib.pop(name, "")
        return serialize_xml(root)


def _unseen(root: Element) -> Iterator[Element]:
    """Children of a sheet's root that are not drawn, also those wrapped for newer programs."""
    for child in root:
        wrapped = [item.tag for branch in child for item in branch]
        alternate = child.tag == qn("mc:AlternateContent") and _PLAYED.issuperset(wrapped)
        if child.tag in _UNSEEN_CHILDREN or alternate:
            yield child


_SHRINKS = b"normAutofit"
_FITS = (qn("a:noAutofit"), qn("a:spAutoFit"), qn("a:normAutofit"))


class Precedents:
    """What LibreOffice draws before each slide of a deck; ``slides`` are its parts in order.

    Slides are named by their 1-based numbers.
    """

    def __init__(self, package: Package, slides: tuple[str, ...]) -> None:
        self._package = package
        self._slides = slides
        self._shrinking: dict[str, bool] = {}
        self.layouts = tuple(
            next(iter(package.related(slide, "slideLayout")), "") for slide in slides
        )
        """Name of the layout of each slide; empty where it has none."""

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
    stated = next(shape.iter(*_FITS), None)
    if stated is not None:
        return stated.tag != qn("a:normAutofit")
    return not inherits or next(shape.iter(qn("p:ph")), None) is None
