"""Slides, shapes, templates and themes that are the same in two packages; they are not read again.

The lists of slides, masters and shared parts come from the presentation parts. Themes that differ
in colours and fonts only count as the same here; their changes are reported once.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from decklab.core.errors import TruncatedDeck
from decklab.deck.frames import glue_of
from decklab.deck.part import DAMAGE, every_shape, shape_elements, shape_tree
from decklab.deck.views.snapshot import content_of_slide
from decklab.diffing.changes import Json
from decklab.ooxml.package import Package, canonical_xml, identical_parts
from decklab.ooxml.parts import Relationship, relationships_owner, relationships_part
from decklab.ooxml.slide_list import LIST, SlideEntry, read_list
from decklab.ooxml.xml import (
    EMU_PER_POINT,
    Element,
    local_name,
    parse_emu,
    qn,
    serialize_xml,
    shape_id,
    shape_name,
)

_GROUP, _CONNECTOR = qn("p:grpSp"), qn("p:cxnSp")
_KINDS = {_GROUP: "group", _CONNECTOR: "line"}
_SHAPE_TREE = frozenset(qn(name) for name in ("p:bg", "p:spTree", "p:custDataLst", "p:extLst"))
"""Children of ``p:cSld`` on which no shape of the slide depends, except that shapes may be filled
with the background."""
_BACKGROUND = f"{qn('p:cSld')}/{qn('p:bg')}"
_FILLED_WITH_IT = b"useBgFill="
_PLAYED = frozenset(
    qn(name) for name in ("p:cSld", "p:transition", "p:timing", "p:extLst", "mc:AlternateContent")
)
"""Children of a slide on which no shape depends; the children of ``p:cSld`` are compared."""
_CONTROLS = f"{qn('p:cSld')}/{qn('p:controls')}"
"""ActiveX controls: they are drawn over all shapes but are not in the shape tree."""


@dataclass(frozen=True)
class SharedShapes:
    """Shapes that are the same in both versions of a slide, and the order of all shapes."""

    shapes: dict[int, Element]
    """By id; only shapes directly on the slide, a group with its members."""
    orders: tuple[tuple[int, ...], tuple[int, ...]]
    """Ids of all shapes directly on the slide in drawing order: older, newer version."""

    @cached_property
    def ids(self) -> frozenset[int]:
        """Ids of the unchanged shapes."""
        return frozenset(self.shapes)

    @cached_property
    def summaries(self) -> dict[int, tuple[Json, ...]]:
        """The entries of each unchanged shape that matching needs; of a group also its members."""
        return {id: tuple(_summaries(element)) for id, element in self.shapes.items()}


def shared_shapes(old: Element, new: Element, others: Collection[str]) -> SharedShapes | None:
    """Which shapes are byte-equal in two versions of a slide, with equal relationship targets.

    ``others`` are the ids of relationships whose targets differ. None if something differs on which
    all shapes depend, or if ids are missing or not unique.
    """
    if any(root.find(_CONTROLS) is not None for root in (old, new)) or _around(old) != _around(new):
        return None
    trees = shape_tree(old), shape_tree(new)
    was, now = (None if tree is None else _by_id(tree) for tree in trees)
    if was is None or now is None:
        return None
    ground = _written(old, _BACKGROUND) == _written(new, _BACKGROUND)
    shapes = {
        id: element
        for id, element in was.items()
        if id in now
        and (xml := serialize_xml(element)) == serialize_xml(now[id])
        and (ground or _FILLED_WITH_IT not in xml)
        and not (others and _leads_to(element, others))
    }
    return SharedShapes(shapes, (tuple(was), tuple(now))) if shapes else None


def with_shared(slide: Json, shared: SharedShapes, side: int) -> Json | None:
    """Add the summaries of unchanged shapes to a slide whose snapshot was taken without them.

    ``side`` is 0 for the older version, 1 for the newer. None if the snapshot does not hold the
    shapes that should have been read.
    """
    blocks = _blocks(slide["shapes"])
    order = shared.orders[side]
    if len(blocks) != sum(id not in shared.shapes for id in order):
        return None
    rest = iter(blocks)
    own = (shared.summaries[id] if id in shared.shapes else next(rest) for id in order)
    shapes = [{**shape, "z": z} for z, shape in enumerate(chain.from_iterable(own))]
    whole = {**slide, "shapes": shapes}
    whole["content"] = content_of_slide(whole)
    return whole


def _blocks(shapes: list[Json]) -> list[list[Json]]:
    """Shapes directly on the slide, each followed by its members."""
    blocks: list[list[Json]] = []
    for shape in shapes:
        if shape.get("groups") and blocks:
            blocks[-1].append(shape)
        else:
            blocks.append([shape])
    return blocks


def _around(slide: Element) -> list[bytes]:
    """The XML that all shapes of a slide depend on, except its layout."""
    children = [child for child in slide if child.tag not in _PLAYED]
    children += [
        child for child in slide.iterfind(f"{qn('p:cSld')}/*") if child.tag not in _SHAPE_TREE
    ]
    return [serialize_xml(child) for child in children]


def _written(slide: Element, path: str) -> list[bytes]:
    return [serialize_xml(child) for child in slide.iterfind(path)]


def _by_id(tree: Element) -> dict[int, Element] | None:
    """The shapes directly on a slide; None if the id of any shape is missing or not unique."""
    ids = [shape_id(element) for element in every_shape(tree)]
    if not all(ids) or len(set(ids)) < len(ids):
        return None
    return {shape_id(element): element for element in shape_elements(tree)}


def _leads_to(element: Element, others: Collection[str]) -> bool:
    return any(value in others for item in element.iter() for value in item.attrib.values())


def _summaries(element: Element, groups: tuple[int, ...] = ()) -> Iterator[Json]:
    """The entries that matching needs: of a shape, then of the members of a group."""
    entry: Json = {
        "kind": _KINDS.get(str(element.tag), "kept"),
        "content": hashlib.sha256(serialize_xml(element)).hexdigest(),
        "id": shape_id(element),
        "name": shape_name(element) or local_name(str(element.tag)),
        **_place(element),
    }
    if groups:
        entry["groups"] = list(groups)
    if element.tag == _CONNECTOR:
        ends = ("start", "start_site", "end", "end_site")
        glue = zip(ends, glue_of(element), strict=True)
        entry["line"] = {end: value for end, value in glue if value is not None}
    if element.tag != _GROUP:
        text = " ".join(item.text for item in element.iter(qn("a:t")) if item.text)
        yield {**entry, "other": {"text": text}}
        return
    yield entry
    for member in shape_elements(element):
        yield from _summaries(member, (*groups, entry["id"]))


def _place(element: Element) -> Json:
    """The stated position and size of a shape, in points, as far as they are stated."""
    at = next(element.iter(qn("a:off")), None)
    extent = next(element.iter(qn("a:ext")), None)
    stated = [(at, "x", "x"), (at, "y", "y"), (extent, "w", "cx"), (extent, "h", "cy")]
    return {
        key: (parse_emu(item.get(attribute)) or 0) / EMU_PER_POINT
        for item, key, attribute in stated
        if item is not None
    }


_LISTS = (LIST, qn("p:custShowLst"), qn("p:extLst"))
"""Children of a presentation that list its slides; they are compared separately."""
_MASTERS = f"{qn('p:sldMasterIdLst')}/*"
_SHARED = frozenset({"tableStyles", "commentAuthors", "authors"})


def slide_ids(slides: tuple[SlideEntry, ...]) -> dict[str, int]:
    """Slide id by part; slides whose id another one has, and parts listed twice, have id 0."""
    ids, parts = (
        Counter(slide.stated_id for slide in slides),
        Counter(listed.part for listed in slides),
    )
    alone = {slide for slide in slides if ids[slide.id] == parts[slide.part] == 1}
    return {slide.part: slide.id if slide in alone else 0 for slide in slides}


def listed_masters(package: Package, root: Element) -> list[str]:
    """The parts of the masters that a presentation lists, in order."""
    links = package.relationships(package.main_part)
    masters = (links.get(item.get(qn("r:id")) or "") for item in root.iterfind(_MASTERS))
    return [link.target for link in masters if link is not None]


def shared_parts(package: Package) -> frozenset[tuple[str, str]]:
    """Kind and part of what all slides share, except masters, layouts and themes."""
    links = package.relationships(package.main_part).values()
    return frozenset((link.kind, link.target) for link in links if link.kind in _SHARED)


def used_sheets(package: Package, root: Element, slides: Iterable[str]) -> frozenset[str]:
    """The parts of all masters, and of the layouts that slides use."""
    layouts = {part for slide in slides for part in package.related(slide, "slideLayout")}
    templates = {part for layout in layouts for part in package.related(layout, "slideMaster")}
    return frozenset({*layouts, *templates, *listed_masters(package, root)})


def without_slides(root: Element) -> bytes:
    """The XML of a presentation without its lists of slides."""
    rest = deepcopy(root)
    for name in _LISTS:
        for item in rest.findall(name):
            rest.remove(item)
    return serialize_xml(rest)


_ELEMENTS = qn("a:themeElements")
_COLORS = f"{_ELEMENTS}/{qn('a:clrScheme')}"
_FONTS = f"{_ELEMENTS}/{qn('a:fontScheme')}"
_FACES = tuple(
    f"{_FONTS}/{qn(f'a:{level}Font')}/{qn(f'a:{script}')}"
    for level in ("major", "minor")
    for script in ("latin", "ea", "cs")
)
_STATED = {qn("a:srgbClr"): "val", qn("a:sysClr"): "lastClr"}
_RGB = re.compile("[0-9A-Fa-f]{6}")


def same_but_for_colors(old: Element, new: Element) -> bool:
    """Whether two theme parts are the same, except for their colours and typefaces.

    Everything else in a theme, such as its fill styles, shows on the slides and is reported there.
    Removes colours and typefaces from both roots.
    """
    return _rest(old) == _rest(new)


def _rest(theme: Element) -> bytes:
    for slot in theme.iterfind(f"{_COLORS}/*"):
        if _is_color(slot):
            slot.clear()
            slot.set("stated", "1")  # differs from a slot that states nothing
    for path in _FACES:
        for face in theme.findall(path):
            face.clear()
    for path in (_COLORS, _FONTS):
        for scheme in theme.findall(path):
            scheme.set("name", "")  # nobody sees it
    return canonical_xml(theme)


def _is_color(slot: Element) -> bool:
    """Whether a slot states a plain colour, so that all that refers to it has one."""
    if len(slot) != 1 or len(slot[0]):
        return False
    stated = slot[0].get(_STATED.get(str(slot[0].tag), ""))
    return stated is not None and _RGB.fullmatch(stated) is not None


_DECLARATION = re.compile(rb"^(?:\xef\xbb\xbf)?<\?xml[^>]*\?>\s*")
"""The XML declaration, which programs write in different ways."""
_START_TAG = re.compile(rb"""(<[^\s<>/"'=]+)((?:\s+[^\s<>/"'=]+="[^"<>]*")+)(?=\s*/?>)""")
_ATTRIBUTE = re.compile(rb"""[^\s<>/"'=]+="[^"<>]*\"""")
_ASIDE = frozenset({"slide", "slideLayout", "slideMaster", "theme", "notesMaster"})
"""Kinds of relationships that are not followed: their targets are compared separately, or not
shown."""
_APART = ("presentation.main+xml", "properties+xml", "presProps+xml", "viewProps+xml")
"""Ends of the content types of parts that no slide leads to."""
_TEMPLATES = frozenset({"slideLayout", "themeOverride"})
"""Kinds of relationships on whose targets the shapes of a slide depend."""


def unchanged_slides(packages: "PackagePair") -> "Unchanged":
    """Which slides, and which shapes of the other slides, are the same in both packages.

    A slide is the same if its part is, and all parts that it leads to, such as notes, comments,
    charts and pictures. The parts that all slides share (masters, layouts, themes, their pictures,
    table styles, default text style) have to be the same under the same names, except for colours
    and fonts of themes; else no slide counts as unchanged. Parts are the same if their bytes are
    equal (equal checksums do not suffice) or, for XML, their canonical form. A slide whose id is
    not unique, or with a damaged part, counts as changed. Raises what reading a part raises for
    broken limits.
    """
    try:
        if packages.same_deck and packages.same_templates:
            same = frozenset(packages.same_slides())
            same_shapes = dict(packages.same_shapes(same))
            if same or same_shapes:
                return Unchanged(same, packages.listed, same_shapes, packages.recolored_masters)
    except DAMAGE:
        pass
    return Unchanged(frozenset(), ((), ()))


def same_parts(
    before: Package, after: Package, pairs: Iterable[tuple[str, str]]
) -> frozenset[tuple[str, str]]:
    """Which pairs of slide parts are the same, with all parts that they lead to.

    Layouts are not followed: a slide that only looks different because its layout, master or theme
    changed is the same. A part that cannot be read is not.
    """
    packages = PackagePair(before, after)
    same = set()
    for pair in pairs:
        try:
            if packages.same(*pair):
                same.add(pair)
        except DAMAGE:
            continue
    return frozenset(same)


@dataclass(frozen=True)
class Unchanged:
    """The slides and shapes that are the same in two packages."""

    ids: frozenset[int]
    """Of the slides."""
    listed: tuple[tuple[SlideEntry, ...], tuple[SlideEntry, ...]]
    """All slides of the older and of the newer package; empty if nothing is the same."""
    same_shapes: Mapping[int, SharedShapes] = field(default_factory=dict)
    """The unchanged shapes of each other slide, by slide id."""
    recolored: tuple[str, ...] = ()
    """Parts of the masters whose themes differ in colours or fonts only."""

    def __bool__(self) -> bool:
        return bool(self.ids or self.same_shapes)


@dataclass
class PackagePair:
    """Two packages, the older and the newer; each pair of parts is compared once."""

    before: Package
    after: Package
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Whether two parts are the same, with all that they lead to; by older and newer name."""
    _contents: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Whether the contents of two parts are the same, by older and newer name."""

    @cached_property
    def identical(self) -> frozenset[str]:
        """Parts with equal names and equal compressed bytes. Empty if a file ends too early."""
        try:
            return identical_parts(self.before.archive, self.after.archive)
        except TruncatedDeck:
            return frozenset()

    _roots: dict[tuple[str, bool], Element] = field(default_factory=dict)

    def xml(self, name: str, *, newer: bool) -> Element:
        """The root of a part of either package, parsed once; callers must not change it."""
        if (name, newer) not in self._roots:
            self._roots[name, newer] = (self.after if newer else self.before).xml(name)
        return self._roots[name, newer]

    @cached_property
    def presentation_parts(self) -> tuple[Element, Element]:
        """The presentation parts."""
        return (
            self.xml(self.before.main_part, newer=False),
            self.xml(self.after.main_part, newer=True),
        )

    @cached_property
    def listed(self) -> tuple[tuple[SlideEntry, ...], tuple[SlideEntry, ...]]:
        """The slides of both."""

        def read(package: Package, root: Element) -> tuple[SlideEntry, ...]:
            return read_list(root, package.relationships(package.main_part), package).slides

        was, now = self.presentation_parts
        return read(self.before, was), read(self.after, now)

    @cached_property
    def ids(self) -> tuple[dict[str, int], dict[str, int]]:
        """Slide id by part, as ``slide_ids`` gives it."""
        return slide_ids(self.listed[0]), slide_ids(self.listed[1])

    @cached_property
    def same_deck(self) -> bool:
        """Whether the presentation parts are the same, except for their lists of slides."""
        if self.before.main_part != self.after.main_part:
            return False
        if listed_masters(self.before, self.presentation_parts[0]) != listed_masters(
            self.after, self.presentation_parts[1]
        ):
            return False
        if shared_parts(self.before) != shared_parts(self.after):
            return False
        old, new = (without_slides(root) for root in self.presentation_parts)
        return old == new

    @cached_property
    def suspects(self) -> frozenset[str]:
        """Parts of either package that may differ: in compressed bytes or in content type."""
        return frozenset(
            name
            for name in {*self.before.names, *self.after.names}
            if name not in self.identical
            or self.before.content_type(name) != self.after.content_type(name)
        )

    @cached_property
    def same_templates(self) -> bool:
        """Whether masters, layouts and other shared parts are the same under the same names;
        colours and fonts of themes may differ."""
        if self.quiet:
            return True
        if self.sheets[0] != self.sheets[1]:
            return False
        if not all(self.same(part, part) for part in self.sheets[0]):
            return False
        return all(self.same_content(name, name) for name in self.shared) and all(
            self.same(part, part) or part in self.recolored for part in self.themes
        )

    @cached_property
    def shared(self) -> frozenset[str]:
        """Parts that all slides share, except masters, layouts and themes; and layouts that no
        slide uses. The same in both packages."""
        layouts = {
            part for sheet in self.sheets[0] for part in self.before.related(sheet, "slideLayout")
        }
        every = {part for _kind, part in shared_parts(self.before)}
        return frozenset(every | layouts - self.sheets[0])

    @cached_property
    def sheets(self) -> tuple[frozenset[str], frozenset[str]]:
        """All masters, and the layouts that slides use, of each package."""
        return (
            used_sheets(self.before, self.presentation_parts[0], self.ids[0]),
            used_sheets(self.after, self.presentation_parts[1], self.ids[1]),
        )

    @cached_property
    def themes(self) -> dict[str, tuple[str, ...]]:
        """The masters that use each theme part; the same in both packages."""
        masters: dict[str, tuple[str, ...]] = {}
        for sheet in sorted(self.sheets[0]):
            for theme in self.before.related(sheet, "theme"):
                masters[theme] = (*masters.get(theme, ()), sheet)
        return masters

    @cached_property
    def recolored(self) -> frozenset[str]:
        """Themes that differ only in colours and fonts."""
        both = (part for part in self.themes if part in self.before and part in self.after)
        suspects = (part for part in both if part in self.suspects and not self.same(part, part))
        return frozenset(
            part
            for part in suspects
            if self._same_links(part, part)
            and same_but_for_colors(self.before.xml(part), self.after.xml(part))
        )

    @property
    def recolored_masters(self) -> tuple[str, ...]:
        """The masters of these themes."""
        if self.quiet:
            return ()
        return tuple(sheet for part in sorted(self.recolored) for sheet in self.themes[part])

    @cached_property
    def quiet(self) -> bool:
        """Whether no part that a slide leads to differs in compressed form: then a slide is the
        same if its part and its relationships are."""
        slides = self.ids[0].keys() & self.ids[1].keys()
        return self.ids[0] == self.ids[1] and all(
            _owner(name) in slides or _is_apart(self.before, name) for name in self.suspects
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

    def same_shapes(self, same: frozenset[int]) -> Iterator[tuple[int, SharedShapes]]:
        """Yield (slide id, unchanged shapes) for each slide that differs."""
        parts = {id: part for part, id in self.ids[1].items() if id}
        for old, id in self.ids[0].items():
            if id in parts and id not in same:
                try:
                    shapes = self._same_shapes_of(old, parts[id])
                except DAMAGE:
                    continue
                if shapes is not None:
                    yield id, shapes

    def _same_shapes_of(self, old: str, new: str) -> SharedShapes | None:
        links = self.before.relationships(old), self.after.relationships(new)
        both = ((id, link) for id, link in links[0].items() if id in links[1])
        common = frozenset(id for id, link in both if self._same_end(link, links[1][id]))
        was, now = (
            {(id, link.target) for id, link in side.items() if link.kind in _TEMPLATES}
            for side in links
        )
        if was != now or not all(id in common for id, _ in was):
            return None
        others = (links[0].keys() | links[1].keys()) - common
        return shared_shapes(self.xml(old, newer=False), self.xml(new, newer=True), others)

    def known_same(self, old: str, new: str) -> bool:
        """Whether it is already known that two parts are the same, with all that they lead to."""
        return self._known.get((old, new), False)

    def same(self, old: str, new: str) -> bool:
        """Whether two parts are the same, with all parts that they lead to."""
        if (pair := (old, new)) not in self._known:
            self._known[pair] = True  # relationships may lead back to this pair
            settled = len(self._known)
            same = False
            try:
                same = self._same(old, new)
            finally:
                if not same:  # results found since then may depend on the assumption
                    for other in list(self._known)[settled:]:
                        del self._known[other]
                    self._known[pair] = False
        return self._known[pair]

    def _same(self, old: str, new: str) -> bool:
        if not self.same_content(old, new):
            return False
        rels = relationships_part(old)
        if old == new and self.quiet and (rels in self.identical or rels not in self.before):
            return True
        return self._same_links(old, new)

    def _same_links(self, old: str, new: str) -> bool:
        links = self.before.relationships(old), self.after.relationships(new)
        return links[0].keys() == links[1].keys() and all(
            self._same_end(link, links[1][id]) for id, link in links[0].items()
        )

    def same_content(self, old: str, new: str) -> bool:
        """Whether two parts are the same, whatever they lead to."""
        if (pair := (old, new)) not in self._contents:
            self._contents[pair] = self._compared(old, new)
        return self._contents[pair]

    def _compared(self, old: str, new: str) -> bool:
        first, other = self.before, self.after
        if first.content_type(old) != other.content_type(new):
            return False
        if old == new and old in self.identical:
            return True
        if same_spelling(first.read(old), other.read(new)):
            return True
        if not (first.content_type(old) or "").endswith("xml"):
            return False
        roots = first.xml(old), other.xml(new)
        if _same_xml(*roots):
            return True
        self._roots[old, False], self._roots[new, True] = roots  # they will be compared
        return False

    def _same_end(self, old: Relationship, new: Relationship) -> bool:
        if (old.type, old.external) != (new.type, new.external):
            return False
        ids = self.ids[0].get(old.target), self.ids[1].get(new.target)
        if any(ids):
            return ids[0] == ids[1]
        there = old.target in self.before, new.target in self.after
        if not old.external and old.kind not in _ASIDE and there == (True, True):
            return self.same(old.target, new.target)
        return there[0] == there[1] and old.target == new.target


def _same_xml(old: Element, new: Element) -> bool:
    """Whether two elements are equal; the quick comparison first, canonical form is slow."""
    return serialize_xml(old) == serialize_xml(new) or canonical_xml(old) == canonical_xml(new)


def same_spelling(old: bytes, new: bytes) -> bool:
    """Whether two parts have equal bytes, except for the XML declaration and the order of the
    root's attributes: many programs change nothing else, and then nothing has to be parsed."""
    first, other = (_DECLARATION.sub(b"", data, count=1) for data in (old, new))
    return first == other or _root_and_rest(first) == _root_and_rest(other)


def _root_and_rest(data: bytes) -> tuple[frozenset[bytes], bytes]:
    """The name and attributes of the root, and the bytes after them."""
    if (root := _START_TAG.match(data)) is None:
        return frozenset(), data
    return frozenset([root[1], *_ATTRIBUTE.findall(root[2])]), data[root.end() :]


def _is_apart(package: Package, name: str) -> bool:
    return (package.content_type(_owner(name)) or "").endswith(_APART)


def _owner(name: str) -> str:
    """The part whose relationships are in a part, else the part itself."""
    return relationships_owner(name) if name.endswith(".rels") else name
