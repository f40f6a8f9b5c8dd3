"""One part of a package: its relationships, its elements, and its problems."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from decklab.core.errors import DeckError, LimitExceeded, MalformedPart, MissingPart, TruncatedDeck
from decklab.deck.model.outline import OutlineChart
from decklab.ooxml.package import Package
from decklab.ooxml.parts import Relationship
from decklab.ooxml.xml import NAMESPACES, Element, qn

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
    branch = _branch(element)
    if branch is not None:
        yield from children(branch)


def _branch(element: Element) -> Element | None:
    choices = element.findall(_CHOICE)
    for choice in choices:
        prefixes = (choice.get("Requires") or "").split()
        if prefixes and all(_is_read(choice.nsmap.get(prefix)) for prefix in prefixes):
            return choice
    fallback = element.find(_FALLBACK)
    if fallback is not None:
        return fallback
    return choices[0] if choices else None


def _is_read(namespace: str | None) -> bool:
    return namespace is not None and (namespace in _READ or namespace.endswith(_CHARTS_OF_2016))


_NO_SHAPES = frozenset(
    qn(name) for name in ("p:nvGrpSpPr", "p:grpSpPr", "p:extLst", "p:custDataLst")
)


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
