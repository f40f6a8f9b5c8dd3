"""Which parts of two packages correspond, and where in the deck a part belongs."""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from decklab.deck.part import DAMAGE
from decklab.diffing.same_parts import PackagePair
from decklab.diffing.sequences import pair_equal
from decklab.diffing.snapshots import Compared
from decklab.diffing.xml.structures import shape_of
from decklab.ooxml.package import Package
from decklab.ooxml.parts import (
    CONTENT_TYPES_PART,
    Relationship,
    relationships_owner,
    relationships_part,
)
from decklab.ooxml.xml import NAMESPACES, Element, non_visual_properties, qn, shape_id, shape_name

_LISTED = frozenset({"slide", "slideLayout", "slideMaster"})
"""Kinds of parts that are added and removed as wholes: two unpaired ones never correspond."""
_BY_NAME = _LISTED | {"theme", "notesMaster", "handoutMaster", "image", "audio", "video", "media"}
"""Kinds of parts that many others share: if a relationship leads to another one than before, the
two do not correspond."""

_ENTRY = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_ATTRIBUTE = re.compile(rb"([\w:]+)\s*=\s*[\"']([^\"']*)")


@dataclass(frozen=True)
class LinkPairs:
    """The relationships of a part and of its newer state."""

    ids: Mapping[str, str]
    """Newer id by older id."""
    changed: tuple[tuple[Relationship, Relationship], ...]
    """Those that lead elsewhere, outside the package or to nothing."""
    removed: tuple[Relationship, ...]
    added: tuple[Relationship, ...]

    @property
    def renumbered(self) -> bool:
        """Whether any relationship has another id than before, or is gone."""
        return bool(self.removed or self.added) or any(a != b for a, b in self.ids.items())


@dataclass(frozen=True)
class PartPairs:
    """The parts of two packages side by side."""

    differing: tuple[tuple[str, str], ...]
    """Older and newer name of parts whose content, or whose relationships, differ."""
    retyped: tuple[tuple[str, str], ...]
    """Pairs whose content type changed."""
    links: Mapping[tuple[str, str], LinkPairs]
    """Relationships of the pairs that were compared; those of all others are the same."""
    removed: tuple[str, ...]
    added: tuple[str, ...]


def pair_parts(
    packages: PackagePair,
    known: Mapping[str, str],
    removed: Collection[str] = (),
    added: Collection[str] = (),
) -> PartPairs:
    """Pair the parts of two packages, beginning with those that ``known`` pairs; ``removed`` and
    ``added`` have no counterpart.

    Parts correspond where corresponding parts lead to them in the same way; parts to which nothing
    leads, or to which parts lead under the same name, correspond by name. Raises what reading
    relationships raises.
    """
    return _Pairing(packages, known, frozenset(removed), frozenset(added)).pairs()


@dataclass
class _Pairing:
    packages: PackagePair
    known: Mapping[str, str]
    removed: frozenset[str]
    added: frozenset[str]
    links: dict[tuple[str, str], LinkPairs] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    """Newer name by older, of pairs met on the way."""

    paired: set[str] = field(default_factory=set)
    """Newer names of these pairs."""

    def pairs(self) -> PartPairs:
        before, after = self.packages.before, self.packages.after
        self._follow({"": "", before.main_part: after.main_part, **self.known})
        links = (name for name in self.packages.suspects if name.endswith(".rels"))
        owners = sorted({relationships_owner(name) for name in links})
        shared = [owner for owner in owners if owner in before and owner in after]
        self._follow({owner: owner for owner in shared if self._free(owner)})
        both = self.names[0] & self.names[1]
        free = (name for name in self.packages.suspects if name in both and self._free(name))
        by_name = {name: name for name in free if not _is_aside(name)}
        known = {old: new for old, new in (self.seen | by_name).items() if old}
        newer = frozenset(known.values())
        gone = _unpaired(before, after, known.keys(), newer)
        come = _unpaired(after, before, newer, known.keys())

        def is_other(name: str, package: Package) -> bool:
            return name not in package or not self.packages.same_content(name, name)

        return PartPairs(
            differing=tuple(sorted(pair for pair in known.items() if self._differ(*pair))),
            retyped=tuple(sorted(pair for pair in known.items() if self._retyped(*pair))),
            links=self.links,
            removed=tuple(name for name in gone if name in self.removed or is_other(name, after)),
            added=tuple(name for name in come if name in self.added or is_other(name, before)),
        )

    @cached_property
    def names(self) -> tuple[frozenset[str], frozenset[str]]:
        """Of all parts."""
        return frozenset(self.packages.before.names), frozenset(self.packages.after.names)

    def _free(self, name: str) -> bool:
        """Whether a name that both packages have may mean the same part in both."""
        return not (name in self.seen or name in self.paired or name in self.removed | self.added)

    def _follow(self, start: Mapping[str, str]) -> None:
        """Go from pair to pair along relationships."""
        waiting = deque(pair for pair in start.items() if pair[0] not in self.seen)
        self._note(waiting)
        while waiting:
            old, new = waiting.popleft()
            if self._same_links(old, new):
                continue
            self.links[old, new] = pair_links = _link_pairs(self, old, new)
            links = self.packages.before.relationships(old), self.packages.after.relationships(new)
            for a, b in pair_links.ids.items():
                ends = links[0][a].target, links[1][b].target
                if links[0][a].external or ends[0] in self.seen or ends[0] == ends[1]:
                    continue
                if ends[0] in self.removed or ends[1] in self.added:
                    continue
                if links[0][a].kind in _BY_NAME and self.counterpart(ends[0]):
                    continue
                if ends[0] in self.packages.before and ends[1] in self.packages.after:
                    self._note([ends])
                    waiting.append(ends)

    def counterpart(self, old: str) -> str:
        """The newer name of a part, as far as known; empty if it is unknown."""
        if old in self.seen:
            return self.seen[old]
        return old if old in self.packages.after and self._free(old) else ""

    def may_pair(self, old: Relationship, new: Relationship) -> bool:
        """Whether the ends of two relationships are about to be paired because these lead there:
        both are of a kind that nothing else shares, and neither has its own name on the other side,
        as charts that a program numbers anew."""
        shared = old.kind in _BY_NAME or new.kind != old.kind
        return not shared and self._alone(old.target, new.target)

    def _alone(self, old: str, new: str) -> bool:
        taken = old in self.seen or new in self.paired
        return not (taken or old in self.names[1] or new in self.names[0])

    def _note(self, pairs: Iterable[tuple[str, str]]) -> None:
        for old, new in pairs:
            self.seen[old] = new
            self.paired.add(new)

    def _same_links(self, old: str, new: str) -> bool:
        rels = relationships_part(old), relationships_part(new)
        if rels[0] not in self.packages.before and rels[1] not in self.packages.after:
            return True
        if not self.renamed and (
            self.packages.known_same(old, new) or (old == new and self._same_entries(rels[0]))
        ):
            return True
        links = self.packages.before.relationships(old), self.packages.after.relationships(new)
        return links[0] == links[1] and not any(
            link.target in self.renamed for link in links[0].values()
        )

    def _same_entries(self, rels: str) -> bool:
        """Whether two relationships parts hold the same entries; False if one must be parsed."""
        if rels in self.packages.identical:
            return True
        if rels not in self.packages.before or rels not in self.packages.after:
            return False
        sides = [
            _ENTRY.findall(side.read(rels)) for side in (self.packages.before, self.packages.after)
        ]
        if sorted(sides[0]) == sorted(sides[1]):
            return True
        first, other = ({frozenset(_ATTRIBUTE.findall(entry)) for entry in side} for side in sides)
        return first == other

    @cached_property
    def renamed(self) -> frozenset[str]:
        """Part names that no longer mean the same part."""
        pairs = [(old, new) for old, new in self.known.items() if old != new]
        return frozenset(name for pair in pairs for name in pair) | self.removed | self.added

    def _differ(self, old: str, new: str) -> bool:
        if old not in self.packages.before or new not in self.packages.after:
            return False
        links = self.links.get((old, new))
        if links is not None and (links.renumbered or links.changed):
            return True
        return not self.packages.same_content(old, new)

    def _retyped(self, old: str, new: str) -> bool:
        return self.packages.before.content_type(old) != self.packages.after.content_type(new)

    def identity(self, link: Relationship, newer: bool) -> tuple[object, ...]:
        """The identity of a relationship's target: by newer name if known, else by checksum."""
        package = self.packages.after if newer else self.packages.before
        if link.external or link.target not in package:
            return "outside", link.target, link.external
        target = link.target if newer else self.seen.get(link.target, "")
        if target and target in self.paired:
            return "part", target
        if link.kind in _LISTED and self._free(link.target):
            return "part", link.target
        info = package.archive.info(link.target)
        return "bytes", info.CRC, info.file_size


_End = tuple[Relationship, tuple[object, ...]]
"""A relationship, and the identity of what it leads to."""


def _link_pairs(pairing: _Pairing, old: str, new: str) -> LinkPairs:
    """Pair relationships by type and target, then by type and id or name, then single ones."""
    older = pairing.packages.before.relationships(old)
    newer = pairing.packages.after.relationships(new)
    left = {id: (link, pairing.identity(link, False)) for id, link in older.items()}
    right = {id: (link, pairing.identity(link, True)) for id, link in newer.items()}
    ids: dict[str, str] = {}
    keys: tuple[Callable[[_End], Hashable], ...] = (
        lambda known: (known[0].type, known[1], known[0].id),
        lambda known: (known[0].type, known[1]),
        lambda known: (known[0].type, known[0].id, known[0].kind in _LISTED and known[1]),
        lambda known: (known[0].type, known[0].target, known[0].kind in _LISTED and known[1]),
    )
    for key in keys:
        ids.update(pair_equal(left, right, key))
    for id, (link, _end) in tuple(left.items()):
        rest = [[known for known, _end in side.values() if known.type == link.type]
                for side in (left, right)]  # fmt: skip
        if len(rest[0]) == len(rest[1]) == 1 and link.kind not in _LISTED - {"slideLayout"}:
            ids[id] = rest[1][0].id
            del left[id], right[rest[1][0].id]
    removed, added = (tuple(link for link, _end in side.values()) for side in (left, right))
    return LinkPairs(ids, tuple(_changed(pairing, old, new, ids)), removed, added)


def _changed(
    pairing: _Pairing, old: str, new: str, ids: Mapping[str, str]
) -> Iterator[tuple[Relationship, Relationship]]:
    links = pairing.packages.before.relationships(old), pairing.packages.after.relationships(new)
    for a, b in ids.items():
        first, other = links[0][a], links[1][b]
        there = first.target in pairing.packages.before, other.target in pairing.packages.after
        if first.external != other.external or there[0] != there[1]:
            yield first, other
        elif first.external or not there[0]:
            if first.target != other.target:
                yield first, other
        elif (
            pairing.counterpart(first.target) != other.target
            and not pairing.may_pair(first, other)
            and not pairing.packages.same_content(first.target, other.target)
        ):
            yield first, other


def _unpaired(
    package: Package, other: Package, paired: Collection[str], taken: Collection[str]
) -> Iterator[str]:
    """Parts without a counterpart, except relationships and content types."""
    for name in package.names:
        if not _is_aside(name) and name not in paired and (name not in other or name in taken):
            yield name


def _is_aside(name: str) -> bool:
    return name.endswith(".rels") or name == CONTENT_TYPES_PART


_REFERENCE = f"{{{NAMESPACES['r']}}}"
_DEEPEST = 8
"""Parts on the way from a part to its slide: a workbook of a chart takes three. Ours."""
_NOTES = {"notesSlide": "", "notesMaster": "notes master", "handoutMaster": "handout master"}


@dataclass(frozen=True)
class DeckPlace:
    """Where in the deck a difference is."""

    slide: int | None = None
    """Number of the slide; None for the deck, its templates and themes."""
    kind: str = ""
    """``layout``, ``master``, ``theme``, ``notes`` or ``comment``; empty for slides and the
    deck."""
    sheet: str = ""
    """Name of the layout, master or theme."""
    shape: tuple[int, str] | None = None
    """Id and name."""
    words: str = ""
    """The shape in words, if its name is automatic."""
    aside: str = ""
    """The thing without a name that it belongs to: ``notes master``, ``handout master``,
    ``speaker notes``."""
    read: bool = False
    """Whether snapshots hold all that is visible of it."""

    @property
    def kind_of_sheet(self) -> str:
        """``layout``, ``master`` or ``theme``; empty for all else."""
        return self.kind if self.sheet else ""

    def within(self, element: Element) -> "DeckPlace":
        """The place of an element of the part."""
        shape = element if element.tag == qn("mc:AlternateContent") else shape_of(element)
        if shape is None or self.kind in ("notes", "comment"):
            return self
        if non_visual_properties(shape) is None:
            return self
        return replace(self, shape=(shape_id(shape), shape_name(shape)))


class DeckPlaces:
    """The places of the parts of the newer of two packages."""

    def __init__(self, packages: PackagePair, compared: Compared) -> None:
        self._two, self._package, self._snapshot = packages, packages.after, compared.after
        self._slides = {slide.part: slide.number for slide in packages.listed[1] if slide.part}

    def of(self, part: str) -> DeckPlace:
        """The first place of a part; the deck itself if no slide or template leads to it."""
        return next(self.every(part), DeckPlace())

    def every(self, part: str, *, depth: int = 0) -> Iterator[DeckPlace]:
        """All places of a part: a picture may be on many slides."""
        if part in self._slides:
            yield DeckPlace(slide=self._slides[part], read=True)
            return
        if (sheet := self._sheet(part)) is not None:
            yield sheet
            return
        kinds = {kind for _owner, _id, kind in self._owners[part]}
        for kind in kinds & {"notesMaster", "handoutMaster"}:
            yield DeckPlace(kind="notes" if kind == "notesMaster" else "", aside=_NOTES[kind])
            return
        for owner, id, kind in self._owners[part] if depth < _DEEPEST else ():
            for where in self.every(owner, depth=depth + 1):
                yield self._led_to(where, owner, id, kind)

    def _led_to(self, where: DeckPlace, owner: str, id: str, kind: str) -> DeckPlace:
        """The place of a part to which another one leads."""
        if kind == "notesSlide":
            return replace(where, kind="notes", aside="speaker notes", read=False)
        if kind == "comments":
            return replace(where, kind="comment", read=False)
        if where.shape is not None or not (where.slide or where.sheet):
            return replace(where, read=False)
        element = self._mention(owner, id)
        return replace(where if element is None else where.within(element), read=False)

    def _mention(self, owner: str, id: str) -> Element | None:
        try:
            root = self._two.xml(owner, newer=True)
        except DAMAGE:
            return None
        for item in root.iter("*"):
            if any(str(name).startswith(_REFERENCE) and value == id
                   for name, value in item.items()):  # fmt: skip
                return item
        return None

    def _sheet(self, part: str) -> DeckPlace | None:
        for kind in ("layout", "master"):
            for sheet in self._snapshot[f"{kind}s"]:
                if sheet["part"] == part:
                    read = bool(sheet.get("used", True))
                    return DeckPlace(kind=kind, sheet=str(sheet.get("name", "")), read=read)
        for sheet in self._snapshot["themes"]:
            if sheet["part"] == part:
                return DeckPlace(kind="theme", sheet=str(sheet.get("name", "")))
        if any(kind in ("notesMaster", "handoutMaster") or "Master" in owner
               for owner, _id, kind in self._owners[part]
               if kind != "slideMaster" and "slideMaster" not in owner):  # fmt: skip
            return None
        kinds = {"slideLayout": "layout", "slideMaster": "master", "theme": "theme"}
        if (led := next((kind for _owner, _id, kind in self._owners[part]), "")) not in kinds:
            return None
        return DeckPlace(kind=kinds[led], sheet=self._name(part, kinds[led]))

    def _name(self, part: str, kind: str) -> str:
        """The name of a template that no snapshot holds; its part name if it has none."""
        try:
            root = self._two.xml(part, newer=True)
        except DAMAGE:
            return part
        if kind == "theme":
            return root.get("name") or part
        named = root.find(qn("p:cSld"))
        if (own := "" if named is None else named.get("name") or "") or kind == "layout":
            return own or part
        theme = next(iter(self._package.related(part, "theme")), None)
        return part if theme is None else self._name(theme, "theme")

    @cached_property
    def _owners(self) -> dict[str, list[tuple[str, str, str]]]:
        """By part, the parts that lead to it, with id and kind; slides first, in order."""
        by_part: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        names = [name for name in self._package.names if name.endswith(".rels")]
        owners = sorted(
            map(relationships_owner, names), key=lambda part: self._slides.get(part, 1_000_000)
        )
        for owner in owners:
            try:
                links = self._package.relationships(owner)
            except DAMAGE:
                continue
            for id, link in links.items():
                if not link.external and owner != link.target:
                    by_part[link.target].append((owner, id, link.kind))
        return by_part
