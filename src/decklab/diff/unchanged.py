"""Slides that two files hold in the same bytes: they need no reading to be compared."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from decklab.deck.source import DAMAGE
from decklab.ooxml.content_types import CONTENT_TYPES_PART
from decklab.ooxml.names import qn
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import Element, serialize_xml
from decklab.ooxml.relationships import Relationship, relationships_part
from decklab.ooxml.sameness import alike_parts, canonical_xml
from decklab.ooxml.units import parse_int

__all__ = ["Listed", "Unchanged", "unchanged_slides"]

_DECLARATION = re.compile(rb"^(?:\xef\xbb\xbf)?<\?xml[^>]*\?>\s*")
"""Programs spell the first line of an XML part in their own ways."""
_LISTS = ("p:sldIdLst", "p:custShowLst", "p:extLst")
"""What a presentation says of its slides as a whole; compared for itself."""
_ASIDE = frozenset({"slide", "slideLayout", "notesMaster"})
"""Kinds of relationships that are not followed from a slide: what they lead to is shared, or not
shown."""
_APART = ("presentation.main+xml", "properties+xml", "presProps+xml", "viewProps+xml")
"""Ends of the content types of what no slide leads to."""
_MASTERS = f"{qn('p:sldMasterIdLst')}/*"
_SHARED = frozenset({"tableStyles", "commentAuthors", "authors"})
_TEMPLATES = (
    "slideMaster+xml", "slideLayout+xml", "theme+xml", "tableStyles+xml", "commentAuthors+xml",
    "authors+xml",
)  # fmt: skip
"""Ends of the content types of what several slides may share."""
_MEDIA = ("image/", "audio/", "video/")


@dataclass(frozen=True)
class Listed:
    """A slide as the presentation lists it."""

    number: int
    """1-based."""
    id: int
    """0 where none is stated."""
    part: str
    """Empty where it leads to no part."""


def unchanged_slides(before: Package, after: Package) -> "Unchanged":
    """Which slides are the same in both packages.

    With a slide all parts count that it leads to, such as notes, comments, charts and pictures;
    and what all slides share (masters, layouts, themes, their pictures, table styles, default text
    style) has to be the same under the same names, else no slide is unchanged. Parts are the same
    if their bytes are, checksums alone prove nothing; or, for XML, their canonical form. Ids that
    are not unique tell nothing. Damaged parts are never unchanged. Raises what reading a part
    raises for broken limits.
    """
    try:
        two = _Two(before, after)
        listed = two.listed
        if two.same_deck and two.same_templates:
            return Unchanged(frozenset(two.same_slides()), listed)
    except DAMAGE:
        pass
    return Unchanged(frozenset(), ((), ()))


@dataclass(frozen=True)
class Unchanged:
    """The slides that two packages hold alike."""

    ids: frozenset[int]
    listed: tuple[tuple[Listed, ...], tuple[Listed, ...]]
    """All slides of both; empty where none is unchanged."""


@dataclass
class _Two:
    """Two packages, and which parts are known to be the same in them."""

    before: Package
    after: Package
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)
    """By older and newer name."""

    @cached_property
    def alike(self) -> frozenset[str]:
        """Parts of the same name in the same packed bytes: nothing had to be unpacked."""
        return alike_parts(self.before.archive, self.after.archive)

    @cached_property
    def roots(self) -> tuple[Element, Element]:
        """The presentation parts."""
        return self.before.xml(self.before.main_part), self.after.xml(self.after.main_part)

    @cached_property
    def listed(self) -> tuple[tuple[Listed, ...], tuple[Listed, ...]]:
        """The slides of both."""
        return _listed(self.before, self.roots[0]), _listed(self.after, self.roots[1])

    @cached_property
    def ids(self) -> tuple[dict[str, int], dict[str, int]]:
        """Slide id by part; slides whose id another one has, and parts listed twice, have id 0."""
        return _ids(self.listed[0]), _ids(self.listed[1])

    @cached_property
    def same_deck(self) -> bool:
        """Whether the presentations say the same, but of their slides."""
        if self.before.main_part != self.after.main_part:
            return False
        old, new = _shared(self.before, self.roots[0]), _shared(self.after, self.roots[1])
        if old != new:
            return False
        return self.before.main_part in self.alike or _rest(self.roots[0]) == _rest(self.roots[1])

    @cached_property
    def same_types(self) -> bool:
        """Whether both packages state the same content types."""
        return CONTENT_TYPES_PART in self.alike

    @cached_property
    def same_templates(self) -> bool:
        """Whether what slides share is the same under the same names; with all media that are
        not the same in packed form already."""
        old, new = set(self.before.names), set(self.after.names)
        suspects = (old | new) - self.alike if self.same_types else old | new
        return all(self._same_shared(name) for name in suspects)

    def _same_shared(self, name: str) -> bool:
        """Whether what slides share under ``name`` is the same; true of what they do not share."""
        if name in self.alike:
            return self.before.content_type(name) == self.after.content_type(name)
        common = name in self.before.names and name in self.after.names
        if _is_template(self.before, name) or _is_template(self.after, name):
            return common and self._same_template(name)
        return not (common and _is_medium(self.before, name)) or self.same(name, name)

    def _same_template(self, name: str) -> bool:
        owner = _owner(name)
        if owner != name:
            return self.before.relationships(owner) == self.after.relationships(owner)
        return self._same_content(name, name)

    @cached_property
    def quiet(self) -> bool:
        """Whether nothing that slides lead to differs in packed form, so that a slide is the same
        if its part and its relationships are."""
        names = {*self.before.names, *self.after.names} - self.alike
        slides = self.ids[0].keys() & self.ids[1].keys()
        return (
            self.ids[0] == self.ids[1]
            and self.same_types
            and all(_owner(name) in slides or _is_apart(self.before, name) for name in names)
        )

    def same_slides(self) -> Iterator[int]:
        """Ids of unchanged slides."""
        parts = {id: part for part, id in self.ids[1].items() if id}
        for part, id in self.ids[0].items():
            if id in parts:
                try:
                    if self.same(part, parts[id]):
                        yield id
                except DAMAGE:
                    continue

    def same(self, old: str, new: str) -> bool:
        """Whether two parts hold the same, with all parts that they lead to."""
        pair = old, new
        if pair not in self._known:
            self._known[pair] = True  # for whoever leads back here
            settled = len(self._known)
            found = False
            try:
                found = self._same(old, new)
            finally:
                if not found:  # what was settled under way may have relied on it
                    for other in list(self._known)[settled:]:
                        del self._known[other]
                    self._known[pair] = False
        return self._known[pair]

    def _same(self, old: str, new: str) -> bool:
        if not self._same_content(old, new):
            return False
        rels = relationships_part(old)
        if old == new and self.quiet and (rels in self.alike or rels not in self.before):
            return True
        links = self.before.relationships(old), self.after.relationships(new)
        return links[0].keys() == links[1].keys() and all(
            self._same_end(link, links[1][id]) for id, link in links[0].items()
        )

    def _same_content(self, old: str, new: str) -> bool:
        one, other = self.before, self.after
        if not self.same_types and one.content_type(old) != other.content_type(new):
            return False
        if old == new and old in self.alike:
            return True
        data = one.read(old), other.read(new)
        if _bare(data[0]) == _bare(data[1]):
            return True
        kind = one.content_type(old) or ""
        return kind.endswith("xml") and canonical_xml(one.xml(old)) == canonical_xml(other.xml(new))

    def _same_end(self, old: Relationship, new: Relationship) -> bool:
        if (old.type, old.external) != (new.type, new.external):
            return False
        ids = self.ids[0].get(old.target), self.ids[1].get(new.target)
        if ids != (None, None):
            return ids[0] == ids[1]
        there = old.target in self.before, new.target in self.after
        if not old.external and old.kind not in _ASIDE and there == (True, True):
            return self.same(old.target, new.target)
        return there[0] == there[1] and old.target == new.target


def _shared(package: Package, root: Element) -> tuple[list[str], set[tuple[str, str]]]:
    """The masters that a presentation lists, and what else its slides share."""
    links = package.relationships(package.main_part)
    listed = (links.get(item.get(qn("r:id")) or "") for item in root.iterfind(_MASTERS))
    named = {(link.kind, link.target) for link in links.values() if link.kind in _SHARED}
    return [link.target for link in listed if link is not None], named


def _listed(package: Package, root: Element) -> tuple[Listed, ...]:
    links = package.relationships(package.main_part)
    found = []
    items = root.iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}")
    for number, item in enumerate(items, start=1):
        link = links.get(item.get(qn("r:id")) or "")
        part = "" if link is None or link.external or link.target not in package else link.target
        found.append(Listed(number, parse_int(item.get("id")) or 0, part))
    return tuple(found)


def _ids(every: tuple[Listed, ...]) -> dict[str, int]:
    """Slide id by part; slides whose id another one has, and parts listed twice, have id 0."""
    listed = [one for one in every if one.part]
    ids, parts = Counter(one.id for one in listed), Counter(one.part for one in listed)
    return {one.part: one.id if ids[one.id] == parts[one.part] == 1 else 0 for one in listed}


def _rest(root: Element) -> bytes:
    """What a presentation says, but of its slides; these are taken out of ``root``."""
    for name in _LISTS:
        for item in root.findall(qn(name)):
            root.remove(item)
    return serialize_xml(root)


def _bare(data: bytes) -> bytes:
    return _DECLARATION.sub(b"", data, count=1)


def _is_template(package: Package, name: str) -> bool:
    """Masters, layouts, themes and the like; and the relationships of these."""
    return (package.content_type(_owner(name)) or "").endswith(_TEMPLATES)


def _is_apart(package: Package, name: str) -> bool:
    return (package.content_type(_owner(name)) or "").endswith(_APART)


def _is_medium(package: Package, name: str) -> bool:
    return (package.content_type(name) or "").startswith(_MEDIA)


def _owner(name: str) -> str:
    """The part whose relationships are in a part, else the part itself."""
    if not name.endswith(".rels"):
        return name
    folder, _, base = name.rpartition("/_rels/")
    return f"{folder}/{base.removesuffix('.rels')}"
