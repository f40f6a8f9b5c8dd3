"""Slides that two files hold in the same bytes: they need no reading to be compared."""

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b

from decklab.deck.source import DAMAGE
from decklab.ooxml.names import qn
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import serialize_xml
from decklab.ooxml.relationships import Relationship
from decklab.ooxml.units import parse_int

__all__ = ["unchanged_slides"]

_DECLARATION = re.compile(rb"^(?:\xef\xbb\xbf)?<\?xml[^>]*\?>\s*")
"""Programs spell the first line of an XML part in their own ways."""
_LISTS = ("p:sldIdLst", "p:custShowLst", "p:extLst")
"""What a presentation says of its slides as a whole; compared for itself."""
_ASIDE = frozenset({"slide", "slideLayout", "notesMaster"})
"""Kinds of relationships that are not followed from a slide: what they lead to is shared, or not
shown."""


_TEMPLATES = (
    "slideMaster+xml", "slideLayout+xml", "theme+xml", "tableStyles+xml", "commentAuthors+xml",
    "authors+xml",
)  # fmt: skip
"""Ends of the content types of what several slides may share."""


def _content(package: Package, part: str) -> bytes:
    return _DECLARATION.sub(b"", package.read(part), count=1)


@dataclass
class _Digests:
    """What stands in parts and in all parts that they lead to."""

    package: Package
    ids: dict[str, int]
    """Slide id by part."""
    alike: frozenset[str]
    """Parts that the other package holds under the same name in the same packed bytes: told by
    their names, without unpacking."""
    _known: dict[str, bytes] = field(default_factory=dict)

    def of(self, part: str) -> bytes:
        """Equal for parts that hold the same, whatever their names."""
        if part not in self._known:
            self._known[part] = b""  # for whoever leads back here
            self._known[part] = self._digest(part)
        return self._known[part]

    def _digest(self, part: str) -> bytes:
        alike = part in self.alike
        content = part.encode() if alike else _content(self.package, part)
        digest = blake2b(content, digest_size=16, person=b"alike" if alike else b"")
        digest.update(f"\n{self.package.content_type(part)}".encode())
        for id, link in sorted(self.package.relationships(part).items()):
            digest.update(f"\n{id} {link.type} ".encode() + self._end(link))
        return digest.digest()

    def _end(self, link: Relationship) -> bytes:
        if link.target in self.ids:
            return str(self.ids[link.target]).encode()
        followed = not link.external and link.target in self.package and link.kind not in _ASIDE
        return self.of(link.target) if followed else link.target.encode()


def unchanged_slides(before: Package, after: Package) -> frozenset[int]:
    """Ids of slides that are the same in both packages, byte for byte.

    With a slide all parts count that it leads to, such as notes, comments, charts and pictures;
    and what all slides share (masters, layouts, themes, their pictures, table styles, default text
    style) has to be the same under the same names, else no slide is unchanged. Ids that are not
    unique tell nothing. Damaged parts are never unchanged. Raises what reading a part raises for
    broken limits.
    """
    try:
        alike = _alike(before, after)
        old, new = (_Digests(package, _slides(package), alike) for package in (before, after))
        if _rest(before) != _rest(after) or not _same_templates(old, new):
            return frozenset()
    except DAMAGE:
        return frozenset()
    found = _by_id(old), _by_id(new)
    return frozenset(id for id, digest in found[0].items() if digest == found[1].get(id))


def _alike(before: Package, after: Package) -> frozenset[str]:
    old, new = (
        {info.orig_filename: info for info in package.archive.entries}
        for package in (before, after)
    )
    return frozenset(
        name
        for name in new
        if name in old
        and (old[name].CRC, old[name].file_size, old[name].compress_type)
        == (new[name].CRC, new[name].file_size, new[name].compress_type)
        and before.archive.stored(old[name]).packed == after.archive.stored(new[name]).packed
    )


def _slides(package: Package) -> dict[str, int]:
    """Slide id by part; slides whose id another one has, and parts listed twice, have id 0."""
    main = package.main_part
    links = package.relationships(main)
    listed = [
        (parse_int(item.get("id")) or 0, link.target)
        for item in package.xml(main).iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}")
        if (link := links.get(item.get(qn("r:id")) or "")) is not None
    ]
    ids, parts = Counter(id for id, _ in listed), Counter(part for _, part in listed)
    return {
        part: id if ids[id] == parts[part] == 1 else 0 for id, part in listed if part in package
    }


def _rest(package: Package) -> bytes:
    """What a presentation says, but of its slides."""
    root = package.xml(package.main_part)
    for name in _LISTS:
        for item in root.findall(qn(name)):
            root.remove(item)
    return serialize_xml(root)


def _same_templates(old: _Digests, new: _Digests) -> bool:
    names = [
        {name for name in one.package.names if _is_template(one.package, name)}
        for one in (old, new)
    ]
    if names[0] != names[1]:
        return False
    shared = {name for name in old.package.names if _is_media(old.package, name)} - old.alike
    return all(_same_part(old.package, new.package, name) for name in names[0] - old.alike) and all(
        old.of(name) == new.of(name) for name in shared if name in new.package
    )


def _same_part(old: Package, new: Package, name: str) -> bool:
    """Whether a part is the same, however it is spelled."""
    if _content(old, name) == _content(new, name):
        return True
    owner = _owner(name)
    if owner != name:
        return old.relationships(owner) == new.relationships(owner)
    return serialize_xml(old.xml(name)) == serialize_xml(new.xml(name))


def _is_template(package: Package, name: str) -> bool:
    """Masters, layouts, themes and the like; and the relationships of these."""
    kind = package.content_type(_owner(name)) or ""
    return kind.endswith(_TEMPLATES)


def _owner(name: str) -> str:
    """The part whose relationships are in a part, else the part itself."""
    folder, _, base = name.rpartition("/_rels/")
    return f"{folder}/{base.removesuffix('.rels')}" if base.endswith(".rels") else name


def _is_media(package: Package, name: str) -> bool:
    return (package.content_type(name) or "").startswith(("image/", "audio/", "video/"))


def _by_id(digests: _Digests) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    for part, id in digests.ids.items():
        if id:
            with suppress(*DAMAGE):
                found[id] = digests.of(part)
    return found
