"""Differences of two packages that no other change explains, as changes."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, cast

from decklab.deck.part import DAMAGE
from decklab.diffing.changes import Change, DeckDiff, ElementRef, Kind
from decklab.diffing.libreoffice import SaveNoise
from decklab.diffing.matching import match_shapes
from decklab.diffing.same_parts import PackagePair
from decklab.diffing.sequences import moved
from decklab.diffing.snapshots import Compared
from decklab.diffing.terms import EFFECTS
from decklab.diffing.wording import change_values, shape_words
from decklab.diffing.xml.claims import explains, is_explained, noise_rule
from decklab.diffing.xml.names import Name, element_words, part_words, plain_name, property_name
from decklab.diffing.xml.parts import DeckPlace, DeckPlaces, LinkPairs, PartPairs, pair_parts
from decklab.diffing.xml.structures import STRUCTURES, shape_of
from decklab.diffing.xml.trees import References, XmlComparison, XmlDifference, spread
from decklab.ooxml.package import Package
from decklab.ooxml.parts import Relationship, relationships_part
from decklab.ooxml.slide_list import SlideEntry
from decklab.ooxml.xml import NAMESPACES, Element, qn, shape_id

_MOST = 60
"""Differences of one part that are reported one by one; the rest is one change. Ours."""
_DEFINITIONS = frozenset({"dgm:colorsDef", "dgm:styleDef", "dgm:layoutDef"})
"""Definitions that were replaced as a whole if their ``uniqueId`` differs."""
_ELSEWHERE = ("p:timing", "p:transition", "#order", "#group", "stCxn", "endCxn", "dsp:drawing")
"""Places whose differences may follow from a change of any shape of the slide."""
_EFFECTS = frozenset({*EFFECTS.values(), "glow", "reflection", "blur", "effects"})
_WHOLE_DECK = ("slide:", "section:", "show:", "properties:", "layout:", "master:", "theme:",
               "comment:")  # fmt: skip
_REFERENCE = f"{{{NAMESPACES['r']}}}"

_CARRYING = re.compile(
    "^(?:geometry|added|removed):|:(?:position|size)$|^(?:layout|master):(?:added|removed)$"
)
"""Changes of a group that explain those of its members, and the other way round."""

Values = tuple[Any, Any]
"""Old and new."""
_NOTHING: Values = (None, None)
_RESAVE = "LibreOffice"
"""The rule by which all parts that LibreOffice rewrote are noise."""

Scope = tuple[int | None, str, str, int]
"""Slide, kind and name of sheet, and shape, of a reported change."""


def with_xml_changes(packages: PackagePair, compared: Compared, *, whole: bool) -> DeckDiff:
    """Add the differences of the XML that no change of the snapshots explains.

    ``whole`` says whether the snapshots hold all slides; if not, the templates are the same under
    the same names. If LibreOffice saved the newer deck only, it rewrote every part: then each part
    gets one change, which is noise.
    """
    reported = compared.found
    if not (details := list(_XmlChanges(packages, compared, whole).changes())):
        return reported
    every = _with_effects(reported.changes, details)
    changes = sorted(every, key=lambda change: change.slide or 0)
    return reported.model_copy(update={"changes": tuple(changes)})


def _with_effects(changes: Iterable[Change], details: Iterable[Change]) -> list[Change]:
    """All changes; the details of an effect that came or went are joined with that change."""
    by_shape: dict[Any, list[Change]] = defaultdict(list)
    others: list[Change] = []
    for detail in details:
        where = _effect_of(detail)
        (others if where is None else by_shape[where[:3]]).append(detail)
    joined = []
    for change in changes:
        own = []
        if (change.kind, change.property) == ("style", "effects") and change.element is not None:
            own = by_shape.pop((change.slide, change.element.sheet, change.element.id), [])
        joined.append(change.model_copy(update={"shown": _shown(own)}) if own else change)
    return [*joined, *others, *(detail for own in by_shape.values() for detail in own)]


def _effects_once(changes: Iterable[Change]) -> Iterator[Change]:
    """The changes, those of the values of one effect joined into one change of the effect."""
    groups: dict[Any, list[Change]] = defaultdict(list)
    for number, change in enumerate(changes):
        where = _effect_of(change)
        groups[number if where is None else (*where, change.element)].append(change)
    for own in groups.values():
        if len(own) == 1:
            yield own[0]
            continue
        effect, _, _ = own[0].property.partition(".")
        joined: dict[str, Any] = {"property": effect, "shown": _shown(own)}
        joined["path"] = own[0].path.partition("@")[0]
        for side in ("old", "new"):
            values = ((detail.property, getattr(detail, side)) for detail in own)
            known = {name: value for name, value in values if value is not None}
            joined[side] = {name.removeprefix(f"{effect}."): known[name] for name in known} or None
        yield own[0].model_copy(update=joined)


def _effect_of(change: Change) -> tuple[int | None, str, int, str] | None:
    """Slide, sheet and shape of a change of an effect, and the effect; None for all else."""
    effect = change.property.partition(".")[0]
    if change.noise or change.kind != "style" or effect not in _EFFECTS or change.element is None:
        return None
    return change.slide, change.element.sheet, change.element.id, effect


def _shown(changes: Sequence[Change]) -> tuple[str, str]:
    names = [plain_name(change.property.rpartition(".")[2]) for change in changes]
    sides = zip(*map(change_values, changes), strict=True)
    labelled = (zip(names, values, strict=True) for values in sides)
    old, new = (
        ", ".join(_labelled(name, value) for name, value in pairs if value != "none")
        for pairs in labelled
    )
    return old, new


def _labelled(name: str, value: str) -> str:
    return value if name == "effects" else f"{name} {value}"


class _ReportedChanges:
    """Reported changes, looked up by slide, part and shape."""

    def __init__(self, changes: Iterable[Change]) -> None:
        self._by_scope: dict[Scope, set[str]] = defaultdict(set)
        for change in changes:
            element = change.element
            sheet = element.sheet if element is not None else ""
            kind = change.kind if sheet else ""
            scope = change.slide, kind, sheet, element.id if element is not None else 0
            self._by_scope[scope].add(f"{change.kind}:{change.property}")

    def of(self, place: DeckPlace, element: Element | None) -> set[str]:
        """Reported changes of a shape, or of a slide, sheet or deck itself."""
        shape = place.shape[0] if place.shape is not None else 0
        scope = place.slide, place.kind_of_sheet, place.sheet, shape
        names = set(self._by_scope.get(scope, ()))
        if element is not None and place.shape is not None:
            for id in _relatives(element):
                scope = place.slide, place.kind_of_sheet, place.sheet, id
                around = self._by_scope.get(scope, ())
                names |= {name for name in around if _CARRYING.search(name)}
        return names

    def around(self, place: DeckPlace) -> set[str]:
        """Reported changes of anything on a slide or sheet."""
        return {
            name
            for (slide, kind, sheet, _shape), reported in self._by_scope.items()
            if (slide, kind, sheet) == (place.slide, place.kind_of_sheet, place.sheet)
            for name in reported
        }

    @cached_property
    def of_deck(self) -> set[str]:
        """Reported changes of the deck itself and of whole slides."""
        return {
            name
            for (slide, _kind, sheet, _shape), reported in self._by_scope.items()
            for name in reported
            if name.startswith(_WHOLE_DECK) or (slide is None and not sheet)
        }

    @cached_property
    def of_notes(self) -> set[str]:
        """Reported changes of notes: the first ones of a deck bring their master."""
        names = (name for reported in self._by_scope.values() for name in reported)
        return {name for name in names if name.startswith("notes:")}


def _relatives(element: Element) -> Iterator[int]:
    """Ids of the groups around a shape, and of the members of a group."""
    shape = shape_of(element)
    for around in () if shape is None else shape.iterancestors("{*}grpSp", "{*}spTree"):
        if id := shape_id(around):
            yield id
    if shape is not None and str(shape.tag).endswith("}grpSp"):
        for name in shape.iter("{*}cNvPr"):
            if (name.get("id") or "").isdigit():
                yield int(name.get("id") or 0)


@dataclass
class _XmlChanges:
    packages: PackagePair
    compared: Compared
    whole: bool
    words: dict[int, dict[int, str]] = field(default_factory=dict)
    """The words for the shapes of each slide that was asked for, by number and id."""

    def changes(self) -> Iterator[Change]:
        if SaveNoise.of(self.compared.before, self.compared.after).by_libreoffice:
            yield from self._rewritten()
            return
        yield from self.reordered_layouts
        for old, new in self.pairs.differing:
            yield from self._part(old, new)
        yield from self._retyped()
        for (old, new), links in self.pairs.links.items():
            yield from self._links(old, new, links)
        yield from self._unpaired_parts()

    @cached_property
    def reported(self) -> _ReportedChanges:
        return _ReportedChanges((*self.compared.found.changes, *self.reordered_layouts))

    @cached_property
    def reordered_layouts(self) -> tuple[Change, ...]:
        """The layouts that moved in the list of their master; a layout that is another part now
        is the same layout."""
        if not self.whole or SaveNoise.of(self.compared.before, self.compared.after).regrows:
            return ()
        layouts, masters = self.compared.layouts, self.compared.before["masters"]
        parts_of = partial(_listed_layouts, self.packages.before)
        listed = (part for master in masters for part in parts_of(master["part"]))
        older = [layouts[part] for part in listed if part in layouts]
        names = {sheet["part"]: sheet["name"] for sheet in self.compared.after["layouts"]}
        changes = []
        for master in self.compared.after["masters"]:
            parts = _listed_layouts(self.packages.after, master["part"])
            own = [part for part in parts if part in older]
            order = [older.index(part) for part in own]
            for index in moved(order):
                name, was = f"layout {names[own[index]]}", sorted(order).index(order[index]) + 1
                element = ElementRef(id=0, name="", part=name, sheet=master["name"])
                moved_to = {"old": was, "new": index + 1, "part": master["part"]}
                order_change = partial(Change, slide=None, kind="master", property="layout order")
                changes.append(order_change(element=element, **moved_to))
        return tuple(changes)

    @cached_property
    def places(self) -> DeckPlaces:
        return DeckPlaces(self.packages, self.compared)

    @cached_property
    def slides(self) -> dict[str, str]:
        """Newer part of each slide that both decks have, by its older part."""
        listed = self.packages.listed
        numbered = [{slide.number: slide.part for slide in side} for side in listed]
        pairs = (
            (numbered[0].get(old["number"], ""), numbered[1].get(new["number"], ""))
            for old, new in self.compared.matched.pairs
        )
        return {old: new for old, new in pairs if old and new}

    def _unlisted_slides(self) -> dict[str, str]:
        """Newer part of each slide in neither list, by its older part, of the same id."""
        packages = self.packages.before, self.packages.after
        older, newer = map(_links_to_unlisted, packages, self.packages.listed)
        return {part: newer[id] for id, part in older.items() if id in newer}

    @cached_property
    def pairs(self) -> PartPairs:
        layouts = self.compared.layouts if self.whole else {}
        kept = ((old, new) for old, new in layouts.items() if old in self.packages.before)
        known = {old: new for old, new in kept if new in self.packages.after}
        known |= self._unlisted_slides()
        removed = {entry.part for entry in self.packages.listed[0]} - self.slides.keys()
        added = {entry.part for entry in self.packages.listed[1]} - set(self.slides.values())
        if self.whole:
            sides = self.compared.before["layouts"], self.compared.after["layouts"]
            removed |= {layout["part"] for layout in sides[0]} - layouts.keys()
            added |= {layout["part"] for layout in sides[1]} - set(layouts.values())
        return pair_parts(self.packages, known | self.slides, removed, added)

    @cached_property
    def shapes(self) -> dict[str, Mapping[int, int]]:
        """For each slide, layout or master that was read (newer part): newer shape ids by older."""
        ids: dict[str, Mapping[int, int]] = {}
        sides = self.compared.matched.pairs
        numbered = {entry.number: entry.part for entry in self.packages.listed[1]}
        for old, new in sides:
            if old["shapes"] or new["shapes"]:
                ids[numbered.get(new["number"], "")] = _ids(old, new)
        for kind in ("layouts", "masters"):
            older = {sheet["part"]: sheet for sheet in self.compared.before[kind]}
            newer = {sheet["part"]: sheet for sheet in self.compared.after[kind]}
            for was, now in self.pairs.differing:
                if was in older and now in newer:
                    ids[now] = _ids(older[was], newer[now])
        return ids

    def _rewritten(self) -> Iterator[Change]:
        for _old, new in self.pairs.differing:
            yield _detail(self.places.of(new), "part rewritten", _NOTHING, new, rule=_RESAVE)
        for name in self.pairs.removed:
            yield _detail(DeckPlace(), "part removed", _removed_value(name), name, rule=_RESAVE)
        for name in self.pairs.added:
            yield _detail(
                self.places.of(name), "part added", _added_value(name), name, rule=_RESAVE
            )

    def _part(self, old: str, new: str) -> Iterator[Change]:
        if (roots := self._both_roots(old, new)) is None:
            yield from self._bytes(old, new)
            return
        where = self.places.of(new)
        walk = XmlComparison(self._references(old, new), STRUCTURES)
        raws = _defined(list(walk.compare(*roots)))
        kind = self._content_type(new)
        reported: list[Change] = []
        more = 0
        for raw in self._unaccounted(raws, where):
            change = self._own_change(raw, where, new if raw.action != "removed" else old, kind)
            if len(reported) >= _MOST and not change.noise:
                more += 1
            else:
                reported.append(change)
        yield from _effects_once(_joined(reported))
        if more:
            yield _detail(where, "more differences", (None, more), new)

    def _unaccounted(
        self, raws: Iterable[XmlDifference], where: DeckPlace
    ) -> Iterator[XmlDifference]:
        """The differences that no change explains; holders of properties are split."""
        for raw in raws:
            if is_explained(raw, self._scope(raw, where.within(raw.holder))):
                continue
            if pieces := list(spread(raw)):
                yield from self._unaccounted(pieces, where)
            else:
                yield raw

    def _own_change(self, raw: XmlDifference, where: DeckPlace, part: str, kind: str) -> Change:
        """A difference as a change."""
        here = self._in_words(where.within(raw.holder))
        rule = noise_rule(raw, kind, read=here.read, grouped=_is_grouped(raw.holder))
        return detail_change(self._with_targets(raw, part), here, part, rule or "")

    def _in_words(self, where: DeckPlace) -> DeckPlace:
        if where.shape is None or where.slide is None:
            return where
        if where.slide not in self.words:
            self.words[where.slide] = {
                new["shapes"][j].get("id", 0): shape_words(old["shapes"][i])
                for old, new in self.compared.matched.pairs
                if new["number"] == where.slide
                for i, j in match_shapes(old["shapes"], new["shapes"])
            }
        return replace(where, words=self.words[where.slide].get(where.shape[0], ""))

    def _with_targets(self, raw: XmlDifference, part: str) -> XmlDifference:
        """Replace the relationship ids of a difference by the parts they point to."""
        if "@r:" not in raw.key:
            return raw
        new = self.packages.after.relationships(part) if part in self.packages.after else {}
        older = next((old for old, now in self.pairs.links if now == part), part)
        old = self.packages.before.relationships(older) if older in self.packages.before else {}
        ends = [
            None if id is None else (_end(links[id]) if id in links else f"{id} (nothing)")
            for id, links in ((raw.old, old), (raw.new, new))
        ]
        return replace(raw, old=ends[0], new=ends[1])

    def _scope(self, raw: XmlDifference, where: DeckPlace) -> Collection[str]:
        """The reported changes that may explain a difference."""
        if where.slide is None and not where.sheet:
            return self.reported.of_deck
        if where.kind == "theme" or "p:txStyles" in raw.key:
            return self.reported.around(where)
        if any(word in raw.key for word in _ELSEWHERE):
            return self.reported.around(where)
        return self.reported.of(where, raw.holder)

    def _both_roots(self, old: str, new: str) -> tuple[Element, Element] | None:
        """The roots of both parts; None if they are no XML or are damaged."""
        if not self._content_type(new).endswith("xml") and not new.endswith((".xml", ".vml")):
            return None
        try:
            return self.packages.xml(old, newer=False), self.packages.xml(new, newer=True)
        except DAMAGE:
            return None

    def _content_type(self, part: str) -> str:
        root = self.packages.after.relationships("").values()
        if any(link.kind == "thumbnail" and link.target == part for link in root):
            return "thumbnail"
        return self.packages.after.content_type(part) or ""

    def _references(self, old: str, new: str) -> References:
        links = self.pairs.links.get((old, new))
        shapes = self.shapes.get(new, {})
        if links is None:
            return References({}, (), shapes)
        unsettled = {old for old, new in links.ids.items() if old != new}
        unsettled |= {link.id for link in (*links.removed, *links.added)}
        return References(links.ids, tuple(f'"{id}"'.encode() for id in unsettled), shapes)

    def _bytes(self, old: str, new: str) -> Iterator[Change]:
        """The change of a part that is no XML, or damaged, if its bytes differ."""
        if self._same_bytes(old, new):
            return
        kind = self._content_type(new)
        places = list(self.places.every(new)) or [DeckPlace()]
        reported = set().union(*(self.reported.of(where, None) for where in places))
        raw = f"part:{_family(kind, new)}"
        if explains(raw, reported):
            return
        sizes = [
            {"bytes": package.archive.size(name), "checksum": package.archive.info(name).CRC}
            for package, name in ((self.packages.before, old), (self.packages.after, new))
        ]
        rule = "thumbnail" if kind == "thumbnail" else ""
        yield _detail(places[0], "part changed", (sizes[0], sizes[1]), new, rule=rule)

    def _same_bytes(self, old: str, new: str) -> bool:
        try:
            return self.packages.before.read(old) == self.packages.after.read(new)
        except DAMAGE:
            infos = self.packages.before.archive.info(old), self.packages.after.archive.info(new)
            return infos[0].CRC == infos[1].CRC and infos[0].file_size == infos[1].file_size

    def _retyped(self) -> Iterator[Change]:
        for old, new in self.pairs.retyped:
            kinds = self.packages.before.content_type(old), self.packages.after.content_type(new)
            yield _detail(self.places.of(new), "content type", kinds, new)

    def _links(self, old: str, new: str, links: LinkPairs) -> Iterator[Change]:
        where = self.places.of(new) if new else DeckPlace()
        part = relationships_part(new)
        deck = self.reported.of_deck | self.reported.of_notes
        reported = self.reported.around(where) | (deck if where.slide is None else set())
        for was, now in links.changed:
            renamed = (was.target, now.target) in self.pairs.links
            if not renamed and not explains(f"rel:{now.kind}", reported):
                values = _end(was), _end(now)
                path = f"Relationship {now.id}"
                yield _detail(where, f"relationship {now.kind}", values, part, path)
        sides = (self.packages.before, old, links.removed), (self.packages.after, new, links.added)
        for newer, (package, name, lone) in enumerate(sides):
            mentioned = _mentioned(package, name) if lone else set()
            for link in lone:
                if link.id not in mentioned and not explains(f"rel:{link.kind}", reported):
                    values = _added_value(_end(link)) if newer else _removed_value(_end(link))
                    what = f"relationship {link.kind} {'added' if newer else 'removed'}"
                    yield _detail(where, what, values, part, f"Relationship {link.id}")

    def _unpaired_parts(self) -> Iterator[Change]:
        """Yield added and removed parts, except those reachable from a reported one."""
        sides = (
            (self.packages.before, self.pairs.removed, False),
            (self.packages.after, self.pairs.added, True),
        )
        for package, names, newer in sides:
            led_to = self._led_to(package, frozenset(names), newer)
            for name in names:
                if name not in led_to:
                    what = f"part {'added' if newer else 'removed'}"
                    values = _added_value(name) if newer else _removed_value(name)
                    yield _detail(DeckPlace(), what, values, name)

    def _led_to(self, package: Package, lone: frozenset[str], newer: bool) -> set[str]:
        """The unpaired parts that added, removed or changed relationships lead to."""
        waiting: list[str] = []
        for links in self.pairs.links.values():
            waiting += [link.target for link in (links.added if newer else links.removed)]
            waiting += [pair[newer].target for pair in links.changed]
        parts: set[str] = set()
        while waiting:
            if (name := waiting.pop()) in lone and name not in parts:
                parts.add(name)
                inner = package.relationships(name).values()
                waiting += [link.target for link in inner if not link.external]
        return parts


def _links_to_unlisted(package: Package, listed: Iterable[SlideEntry]) -> dict[str, str]:
    """The slides that the list of a deck does not have, by the ids of their relationships."""
    parts = {entry.part for entry in listed}
    links = package.relationships(package.main_part).values()
    slides = (link for link in links if link.kind == "slide" and not link.external)
    return {to.id: to.target for to in slides if to.target in package and to.target not in parts}


def _listed_layouts(package: Package, master: str) -> list[str]:
    """The parts of the layouts of a master, in the order of its list."""
    try:
        root, links = package.xml(master), package.relationships(master)
    except DAMAGE:
        return []
    ids = [item.get(qn("r:id")) for item in root.iterfind(f"{qn('p:sldLayoutIdLst')}/*")]
    return [links[id].target for id in ids if id is not None and id in links]


def _ids(old: dict[str, Any], new: dict[str, Any]) -> Mapping[int, int]:
    """Newer id of each shape that both sheets have, by its older id."""
    sides = old.get("shapes", ()), new.get("shapes", ())
    pairs = ((sides[0][i], sides[1][j]) for i, j in match_shapes(*sides))
    return {a["id"]: b["id"] for a, b in pairs if a.get("id") and b.get("id")}


def _defined(raws: list[XmlDifference]) -> list[XmlDifference]:
    """If a definition was replaced as a whole, report only that."""
    for raw in raws:
        name, _, attribute = raw.key.partition("@")
        if name in _DEFINITIONS and attribute == "uniqueId":
            return [raw]
    return raws


def _is_grouped(element: Element) -> bool:
    if (shape := shape_of(element)) is None:
        return False
    parent = shape.getparent()
    inside = parent is not None and str(parent.tag).endswith("}grpSp")
    return inside or str(shape.tag).endswith("}grpSp")


def _family(content_type: str, name: str) -> str:
    """The kind of a binary part, such as ``image`` or ``package`` (a workbook)."""
    if (family := content_type.partition("/")[0]) in ("image", "audio", "video"):
        return family
    if "oleObject" in content_type or name.lower().endswith(".bin"):
        return "oleObject"
    return "package" if name.lower().endswith((".xlsx", ".xlsm", ".xlsb", ".xls")) else "other"


def _end(link: Relationship) -> str:
    return f"{link.target} (outside)" if link.external else link.target


def _mentioned(package: Package, part: str) -> set[str]:
    """Ids of the relationships that a part uses."""
    if not part:
        return set()
    try:
        root = package.xml(part)
    except DAMAGE:
        return set()
    stated = (pair for item in root.iter("*") for pair in item.items())
    return {str(value) for name, value in stated if str(name).startswith(_REFERENCE)}


def detail_change(raw: XmlDifference, place: DeckPlace, part: str, rule: str) -> Change:
    name = property_name(raw)
    shown = ("", "")
    if raw.action in ("added", "removed") and "@" not in raw.key and "#" not in raw.key:
        words = element_words(raw.holder) or "empty"
        shown = ("", words) if raw.action == "added" else (words, "")
    return Change(
        slide=place.slide, element=_element(place, part_words(raw.holder)),
        kind=_kind(raw, place, name), property=name.property, old=name.old, new=name.new,
        noise=bool(rule), part=part, path=raw.path, shown=shown, rule=rule,
    )  # fmt: skip


def _detail(
    where: DeckPlace, what: str, values: Values, part: str, path: str = "", *, rule: str = ""
) -> Change:
    return Change(
        slide=where.slide, element=_element(where, ""), kind="detail", property=what,
        old=values[0], new=values[1], noise=bool(rule), part=part, path=path, rule=rule,
    )  # fmt: skip


def _removed_value(value: str) -> Values:
    return value, None


def _added_value(value: str) -> Values:
    return None, value


def _element(where: DeckPlace, words: str) -> ElementRef | None:
    words = ", ".join(filter(None, (where.aside, words)))
    if where.shape is None and not where.sheet and not words:
        return None
    id, name = where.shape or (0, "")
    return ElementRef(id=id, name=name, part=words, sheet=where.sheet, words=where.words)


_SHEETS = frozenset({"layout", "master", "theme"})
_KINDS: tuple[tuple[str, Kind], ...] = (
    ("c:chartSpace", "chart"), ("cx:chartSpace", "chart"), ("dgm:", "diagram"),
    ("dsp:", "diagram"), ("p:presentationPr", "show"), ("p:presentation", "properties"),
)  # fmt: skip
"""Subject of a change, by the root of its part."""
_PICTURED = ("recolor", "picture", "crop", "image", "alpha")


def _kind(raw: XmlDifference, where: DeckPlace, name: Name) -> Kind:
    if not name.known:
        return "detail"
    if where.kind in _SHEETS or where.kind in ("notes", "comment"):
        return cast(Kind, where.kind)
    for root, kind in _KINDS:
        if raw.key.startswith(root):
            return kind
    if name.property.startswith(_PICTURED) and "p:pic" in raw.key:
        return "picture"
    if name.property.startswith("lock"):
        return "other"
    return "text" if name.property == "text" else "style"


def _joined(changes: Iterable[Change]) -> Iterator[Change]:
    """Join a removal and the addition that replaces it, such as another kind of colour."""
    waiting = list(changes)
    while waiting:
        change = waiting.pop(0)
        if (other := next((other for other in waiting if _replaces(change, other)), None)) is None:
            yield change
            continue
        waiting.remove(other)
        removed, added = (change, other) if change.new is None else (other, change)
        shown = removed.shown[0], added.shown[1]
        yield added.model_copy(update={"old": removed.old, "shown": shown})


def _replaces(change: Change, other: Change) -> bool:
    holders = ((item, item.path.rpartition("/")[0]) for item in (change, other))
    what = [(item.element, item.kind, item.property, item.noise, path) for item, path in holders]
    if what[0] != what[1] or change.kind == "detail":
        return False
    values = {change.old is None, other.old is None}, {change.new is None, other.new is None}
    return values == ({True, False}, {True, False}) and (change.old is None) == (other.new is None)
