"""Text that LibreOffice fills in as it draws: the number of the slide, the date, other facts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import Element, qn, serialize_xml
from decklab.rendering.cache import cache_key
from decklab.rendering.incremental.dependencies import PartDigests, Precedents

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
    text defaults and embedded fonts of the deck; table styles where it has a table; its number
    where that is drawn; the day, or minute, where a field shows it (``now``); the slides before it,
    where its own text shrinks to fit (see ``Precedents``); the whole deck, where a field shows a
    fact about the deck; and ``facts``: what draws, with which options and fonts, as plain JSON
    values. A picture's size in pixels is not part of it.

    Keys are computed when asked for; the package has to stay open. Raises DeckError (of a kind)
    where the deck's list of slides, or later a slide, cannot be read.
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
        """What a slide's picture depends on besides the slide and the parts it refers to."""
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
        """What this slide's picture depends on in earlier slides; None where on none of them."""
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
