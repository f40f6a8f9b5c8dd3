"""Where in a deck a part belongs: to which slide, shape, layout, master or theme."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from decklab.deck.part import DAMAGE
from decklab.diffing.deck import Compared
from decklab.diffing.details.structures import shape_of
from decklab.diffing.unchanged import Two
from decklab.ooxml.parts import relationships_owner
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import NAMESPACES, Element, qn

_REFERENCE = f"{{{NAMESPACES['r']}}}"
_DEEPEST = 8
"""Parts on the way from a part to its slide: a workbook of a chart takes three. Ours."""
_NOTES = {"notesSlide": "", "notesMaster": "notes master", "handoutMaster": "handout master"}


@dataclass(frozen=True)
class Place:
    """Of what a difference is."""

    slide: int | None = None
    """Number of the slide; None for the deck, its templates and themes."""
    kind: str = ""
    """``layout``, ``master``, ``theme``, ``notes`` or ``comment``; empty for slides and the
    deck."""
    sheet: str = ""
    """Name of the layout, master or theme."""
    shape: tuple[int, str] | None = None
    """Id and name."""
    aside: str = ""
    """What of the deck it is where it has no name: ``notes master``, ``handout master``."""
    read: bool = False
    """Whether snapshots hold what shows of it."""

    @property
    def kind_of_sheet(self) -> str:
        """``layout``, ``master`` or ``theme``; empty for all else."""
        return self.kind if self.sheet else ""

    def within(self, element: Element) -> "Place":
        """The place of an element of the part."""
        shape = element if element.tag == qn("mc:AlternateContent") else shape_of(element)
        name = None if shape is None else next(shape.iter("{*}cNvPr"), None)
        if name is None or self.kind in ("notes", "comment"):
            return self
        return replace(self, shape=(parse_int(name.get("id")) or 0, name.get("name") or ""))


class Places:
    """The places of the parts of one of two packages."""

    def __init__(self, two: Two, compared: Compared, *, newer: bool) -> None:
        self._two = two
        self._package = two.after if newer else two.before
        self._snapshot = compared.after if newer else compared.before
        self._newer = newer
        self._slides = {
            one.part: one.number for one in two.listed[newer] if one.part
        }  # fmt: skip

    def of(self, part: str) -> Place:
        """The first place of a part; that of the deck where nothing else leads to it."""
        return next(self.every(part), Place())

    def every(self, part: str, *, depth: int = 0) -> Iterator[Place]:
        """All places of a part: a picture may be on many slides."""
        if part in self._slides:
            yield Place(slide=self._slides[part], read=True)
            return
        sheet = self._sheet(part)
        if sheet is not None:
            yield sheet
            return
        kinds = {kind for _owner, _id, kind in self._owners[part]}
        for kind in kinds & {"notesMaster", "handoutMaster"}:
            yield Place(kind="notes" if kind == "notesMaster" else "", aside=_NOTES[kind])
            return
        for owner, id, kind in self._owners[part] if depth < _DEEPEST else ():
            for place in self.every(owner, depth=depth + 1):
                yield self._led_to(place, owner, id, kind)

    def _led_to(self, place: Place, owner: str, id: str, kind: str) -> Place:
        """The place of a part to which another one leads."""
        if kind == "notesSlide":
            return replace(place, kind="notes", aside="speaker notes", read=False)
        if kind == "comments":
            return replace(place, kind="comment", read=False)
        if place.shape is not None or not (place.slide or place.sheet):
            return replace(place, read=False)
        element = self._mention(owner, id)
        return replace(place if element is None else place.within(element), read=False)

    def _mention(self, owner: str, id: str) -> Element | None:
        try:
            root = self._two.xml(owner, newer=self._newer)
        except DAMAGE:
            return None
        for item in root.iter("*"):
            if any(str(name).startswith(_REFERENCE) and value == id
                   for name, value in item.items()):  # fmt: skip
                return item
        return None

    def _sheet(self, part: str) -> Place | None:
        for kind in ("layout", "master"):
            for one in self._snapshot[f"{kind}s"]:
                if one["part"] == part:
                    read = bool(one.get("used", True))
                    return Place(kind=kind, sheet=str(one.get("name", "")), read=read)
        for one in self._snapshot["themes"]:
            if one["part"] == part:
                return Place(kind="theme", sheet=str(one.get("name", "")))
        if any(kind in ("notesMaster", "handoutMaster") or "Master" in owner
               for owner, _id, kind in self._owners[part]
               if kind != "slideMaster" and "slideMaster" not in owner):  # fmt: skip
            return None
        kinds = {"slideLayout": "layout", "slideMaster": "master", "theme": "theme"}
        led = next((kind for _owner, _id, kind in self._owners[part]), "")
        if led not in kinds:
            return None
        return Place(kind=kinds[led], sheet=self._name(part, kinds[led]))

    def _name(self, part: str, kind: str) -> str:
        """How a template that no snapshot holds calls itself."""
        try:
            root = self._two.xml(part, newer=self._newer)
        except DAMAGE:
            return part
        if kind == "theme":
            return root.get("name") or part
        named = root.find(qn("p:cSld"))
        own = "" if named is None else named.get("name") or ""
        if own or kind == "layout":
            return own or part
        theme = next(iter(self._package.related(part, "theme")), None)
        return part if theme is None else self._name(theme, "theme")

    @cached_property
    def _owners(self) -> dict[str, list[tuple[str, str, str]]]:
        """By part, the parts that lead to it, each with the relationship's id and kind; slides
        first, in order."""
        found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        names = [name for name in self._package.names if name.endswith(".rels")]
        owners = sorted(
            map(relationships_owner, names), key=lambda one: self._slides.get(one, 1_000_000)
        )
        for owner in owners:
            try:
                links = self._package.relationships(owner)
            except DAMAGE:
                continue
            for id, link in links.items():
                if not link.external and owner != link.target:
                    found[link.target].append((owner, id, link.kind))
        return found
