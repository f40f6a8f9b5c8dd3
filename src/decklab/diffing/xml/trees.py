"""How two XML elements differ: every attribute, text and child, but not their spelling."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Literal

from decklab.diffing.sequences import moved, unpaired
from decklab.ooxml.package import element_bytes
from decklab.ooxml.xml import NAMESPACES, Element, qn

Action = Literal["changed", "added", "removed", "moved"]

_EXTRA = {
    "a16": "http://schemas.microsoft.com/office/drawing/2014/main",
    "adec": "http://schemas.microsoft.com/office/drawing/2017/decorative",
    "c14": "http://schemas.microsoft.com/office/drawing/2007/8/2/chart",
    "c15": "http://schemas.microsoft.com/office/drawing/2012/chart",
    "c16": "http://schemas.microsoft.com/office/drawing/2014/chart",
    "c16r2": "http://schemas.microsoft.com/office/drawing/2015/06/chart",
    "cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "cust": "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties",
    "ep": "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties",
    "p188": "http://schemas.microsoft.com/office/powerpoint/2018/8/main",
    "thm15": "http://schemas.microsoft.com/office/thememl/2012/main",
    "vt": "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
_PREFIXES = {uri: prefix for prefix, uri in (*NAMESPACES.items(), *_EXTRA.items())} | {
    "http://schemas.openxmlformats.org/drawingml/2006/chartDrawing": "cdr"
}
_WRAPPERS = ("mc:AlternateContent/", "mc:Choice/")
_SHAPES = ("p:sp", "p:pic", "p:cxnSp", "p:graphicFrame", "p:grpSp", "p:contentPart")
_TEXTS = frozenset(qn(name) for name in ("a:t", "m:t", "c:v", "c:f", "cx:v", "cx:f", "s:t"))
"""Elements whose blanks count."""
_IDENTITIES = {
    qn("c:pt"): "idx", qn("cx:pt"): "idx", qn("a:gd"): "name", qn("dgm:pt"): "modelId",
    qn("dgm:cxn"): "modelId", qn("p14:section"): "id", qn("p:custShow"): "name",
    qn("a:ext"): "uri", qn("p:ext"): "uri", qn("c:ext"): "uri", qn("dsp:sp"): "modelId",
    f"{{{_EXTRA['cust']}}}property": "name", qn("mc:Choice"): "Requires",
    qn("dgm:styleLbl"): "name", qn("a:tblStyle"): "styleId", qn("a:font"): "script",
}  # fmt: skip
"""Attribute that identifies one of several elements of a tag."""
_NUMBERED = frozenset(qn(name) for name in ("c:ser", "c:dPt", "c:dLbl"))
_REFERENCE = f"{{{NAMESPACES['r']}}}"
_SHAPE_REFERENCES = frozenset(
    {(qn("a:stCxn"), "id"), (qn("a:endCxn"), "id"), *((qn(f"p:{name}"), "spid") for name in (
        "spTgt", "bldP", "bldGraphic", "bldDgm", "bldOleChart", "inkTgt", "control", "oleObj"))}
)  # fmt: skip
_PREFIXED = frozenset({(None, qn("mc:Ignorable")), (qn("mc:Choice"), "Requires")})
_EXCERPT = 120
"""Characters that a change quotes of an added or removed element. Ours."""


@dataclass(frozen=True)
class XmlDifference:
    """One difference of two XML parts."""

    action: Action
    path: str
    """Where it is, from the root, with numbers if there are several: ``p:sld/p:cSld/...@sz``;
    in the newer part, of what was removed in the older."""
    key: str
    """The path without numbers and compatibility wrappers, from the innermost shape on."""
    old: str | None
    new: str | None
    holder: Element
    """The added or removed element, or the one that has the attribute or text."""


@dataclass(frozen=True)
class References:
    """Which ids in two parts refer to the same relationship or shape."""

    links: Mapping[str, str] = field(default_factory=dict)
    """Newer id of each relationship that both parts have, by its older id."""
    unsettled: tuple[bytes, ...] = ()
    """Ids, in quotes, that mean something else in the newer part than in the older."""
    shapes: Mapping[int, int] = field(default_factory=dict)
    """Newer id of each shape that both parts have, by its older id."""

    def same(self, old: str, new: str) -> bool:
        """Whether two ids are of one relationship."""
        return self.links.get(old, old if not self.links else None) == new


ChildComparer = Callable[["XmlComparison", Element, Element], Iterator[XmlDifference]]


@dataclass(frozen=True)
class XmlComparison:
    """Compares two trees of XML element by element."""

    references: References = References()
    special: Mapping[str, ChildComparer] = field(default_factory=dict)
    """How the children of some elements are compared, by tag."""

    def compare(self, old: Element, new: Element) -> Iterator[XmlDifference]:
        """All differences of two elements."""
        if old.tag != new.tag:
            yield self.removed(old)
            yield self.added(new)
        elif not self.same(old, new):
            yield from self.attributes(old, new)
            yield from self._texts(old, new)
            if (handler := self.special.get(str(new.tag))) is None:
                yield from self.children(new, elements(old), elements(new))
            else:
                yield from handler(self, old, new)

    def same(self, old: Element, new: Element) -> bool:
        """Whether two elements have equal bytes and equal references."""
        first, other = element_bytes(old), element_bytes(new)
        return first == other and not any(id in other for id in self.references.unsettled)

    def removed(self, element: Element) -> XmlDifference:
        """The difference that an element was removed."""
        return XmlDifference(
            "removed", path_of(element), key_of(element), excerpt(element), None, element
        )

    def added(self, element: Element) -> XmlDifference:
        """The difference that an element was added."""
        return XmlDifference(
            "added", path_of(element), key_of(element), None, excerpt(element), element
        )

    def children(
        self, holder: Element, a: Sequence[Element], b: Sequence[Element]
    ) -> Iterator[XmlDifference]:
        """How two lists of children differ; ``holder`` is the newer parent."""
        pairs = _aligned(a, b)
        yield from self.paired(a, b, pairs)
        for index in moved([i for i, _ in pairs]):
            i, j = pairs[index]
            where = str(sorted(i for i, _ in pairs).index(i) + 1), str(index + 1)
            yield XmlDifference("moved", path_of(b[j]), key_of(b[j]), *where, b[j])

    def paired(
        self, a: Sequence[Element], b: Sequence[Element], pairs: Sequence[tuple[int, int]]
    ) -> Iterator[XmlDifference]:
        """How the elements of each pair differ, and those that are in no pair."""
        for i, j in pairs:
            yield from self.compare(a[i], b[j])
        yield from self.unpaired(a, b, pairs)

    def unpaired(
        self, a: Sequence[Element], b: Sequence[Element], pairs: Sequence[tuple[int, int]]
    ) -> Iterator[XmlDifference]:
        """The elements that are in no pair: removed ones, then added ones."""
        removed, added = unpaired(a, b, pairs)
        yield from (self.removed(element) for _i, element in removed)
        yield from (self.added(element) for _j, element in added)

    def attributes(self, old: Element, new: Element) -> Iterator[XmlDifference]:
        """How the attributes of two elements differ."""
        for name in dict.fromkeys((*map(str, old.attrib), *map(str, new.attrib))):
            was, now = old.get(name), new.get(name)
            if self._same_value(name, was, now, old, new):
                continue
            label = short_name(name, new)
            action: Action = "added" if was is None else "removed" if now is None else "changed"
            yield XmlDifference(
                action, f"{path_of(new)}@{label}", f"{key_of(new)}@{label}", was, now, new
            )

    def _same_value(
        self, name: str, was: str | None, now: str | None, old: Element, new: Element
    ) -> bool:
        if was is None or now is None:
            return was == now
        if name.startswith(_REFERENCE):
            return self.references.same(was, now)
        if (str(new.tag), name) in _SHAPE_REFERENCES and was.isdigit() and now.isdigit():
            return self.references.shapes.get(int(was), int(was)) == int(now)
        if (None, name) in _PREFIXED or (str(new.tag), name) in _PREFIXED:
            return _namespaces(was, old) == _namespaces(now, new)
        return was == now

    def _texts(self, old: Element, new: Element) -> Iterator[XmlDifference]:
        was, now = _own_text(old), _own_text(new)
        if was != now:
            yield XmlDifference(
                "changed", f"{path_of(new)}#text", f"{key_of(new)}#text", was, now, new
            )


_HOLDERS = re.compile(
    r"a:(?:rPr|endParaRPr|defRPr|pPr|defPPr|lvl\dpPr|bodyPr|tcPr|tblPr|lstStyle)$|p:(?:hf|showPr)$"
)
"""Elements that only hold properties."""


def spread(raw: XmlDifference) -> Iterator[XmlDifference]:
    """Split an added or removed element into differences of its properties; yields nothing if it
    is empty or holds more than properties."""
    if raw.action not in ("added", "removed") or not _HOLDERS.search(raw.key):
        return
    is_added = raw.action == "added"
    for name, value in raw.holder.items():
        label = short_name(str(name), raw.holder)
        values = (None, str(value)) if is_added else (str(value), None)
        path, key = f"{raw.path}@{label}", f"{raw.key}@{label}"
        yield replace(raw, path=path, key=key, old=values[0], new=values[1])
    walk = XmlComparison()
    yield from map(walk.added if is_added else walk.removed, elements(raw.holder))


def elements(holder: Element) -> list[Element]:
    """The child elements."""
    return [child for child in holder if isinstance(child.tag, str)]


def _own_text(element: Element) -> str:
    """Text directly in an element; blanks between elements do not count."""
    text = element.text or ""
    if element.tag in _TEXTS:
        return text
    pieces = (text, *(child.tail or "" for child in element))
    return " ".join(" ".join(pieces).split())


def _namespaces(prefixes: str, element: Element) -> set[str | None]:
    """The namespaces of the prefixes in a value."""
    return {element.nsmap.get(prefix, prefix) for prefix in prefixes.split()}


def short_name(name: str, element: Element) -> str:
    """A qualified name with the usual prefix; with none if it has no namespace."""
    if not name.startswith("{"):
        return name
    uri, _, local = name[1:].partition("}")
    if (prefix := _PREFIXES.get(uri)) is None:
        prefix = next((p for p, namespace in element.nsmap.items() if namespace == uri and p), "ns")
    return f"{prefix}:{local}"


def path_of(element: Element) -> str:
    """The way from the root to an element; of several siblings with one tag each has its number."""
    steps = []
    at: Element | None = element
    while at is not None:
        parent = at.getparent()
        step = short_name(str(at.tag), at)
        if parent is not None:
            like = [child for child in parent if child.tag == at.tag]
            step += f"[{like.index(at) + 1}]" if len(like) > 1 else ""
        steps.append(step)
        at = parent
    return "/".join(reversed(steps))


def key_of(element: Element) -> str:
    """The way without numbers, from the innermost shape on, or from the root."""
    steps = []
    at: Element | None = element
    while at is not None:
        steps.append(short_name(str(at.tag), at))
        if steps[-1] in _SHAPES:
            break
        at = at.getparent()
    key = "/".join(reversed(steps))
    for wrapper in _WRAPPERS:
        key = key.replace(wrapper, "")
    return key


def excerpt(element: Element) -> str:
    """Content of an element, shortened: its texts, else its attributes, else its name."""
    text = " ".join("".join(map(str, element.itertext())).split())
    text_or_attributes = text or ", ".join(
        f"{short_name(str(name), item)} {value!s}"
        for item in element.iter("*")
        for name, value in item.items()
    )
    name = short_name(str(element.tag), element)
    whole = f"{name}: {text_or_attributes}" if text_or_attributes else name
    return whole if len(whole) <= _EXCERPT else whole[: _EXCERPT - 1] + "…"


def leaf_places(element: Element) -> Iterator[tuple[str, str]]:
    """Key and value of all attributes and texts in an element; of an empty one its own key."""
    for item in element.iter("*"):
        key = key_of(item)
        for name, value in item.items():
            yield f"{key}@{short_name(str(name), item)}", str(value)
        if text := (item.text or "").strip():
            yield f"{key}#text", text
        if not text and not len(item) and not item.attrib:
            yield key, ""


def _label(element: Element) -> tuple[str, str]:
    """The identity of a child element: its tag and identifying attribute."""
    if (tag := str(element.tag)) in _IDENTITIES:
        return tag, element.get(_IDENTITIES[tag]) or ""
    if tag in _NUMBERED:
        number = element.find(qn("c:idx"))
        return tag, "" if number is None else number.get("val") or ""
    return tag, ""


def _aligned(a: Sequence[Element], b: Sequence[Element]) -> list[tuple[int, int]]:
    """Pairs of indexes, in the order of ``b``: by identity, then by content, then in order."""
    labels = [[_label(element) for element in side] for side in (a, b)]
    if labels[0] == labels[1] and len(set(labels[0])) == len(a):
        return [(i, i) for i in range(len(a))]
    places: list[dict[tuple[str, str], list[int]]] = [defaultdict(list), defaultdict(list)]
    for side, labelled in zip(places, labels, strict=True):
        for index, label in enumerate(labelled):
            side[label].append(index)
    pairs: list[tuple[int, int]] = []
    for label, mine in places[0].items():
        theirs = places[1].get(label, [])
        if len(mine) == len(theirs) == 1:
            pairs.append((mine[0], theirs[0]))
        elif theirs:
            same = _by_content(
                [element_bytes(a[i]) for i in mine], [element_bytes(b[j]) for j in theirs]
            )
            pairs += [(mine[i], theirs[j]) for i, j in same]
    return sorted(pairs, key=lambda pair: pair[1])


def _by_content(a: Sequence[bytes], b: Sequence[bytes]) -> list[tuple[int, int]]:
    """Pair elements with equal tags: by content if only the order differs, else in order."""
    if a == b:
        return [(i, i) for i in range(len(a))]
    if sorted(a) == sorted(b):
        waiting: dict[bytes, list[int]] = defaultdict(list)
        for i, content in enumerate(a):
            waiting[content].append(i)
        return [(waiting[content].pop(0), j) for j, content in enumerate(b)]
    if len(a) == len(b):
        return [(i, i) for i in range(len(a))]
    pairs = []
    for tag, i0, i1, j0, j1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag in ("equal", "replace"):
            pairs += list(zip(range(i0, i1), range(j0, j1), strict=False))
    return pairs
