"""Parts that patches add: slides, notes, charts, diagrams, media; their relationships and types.

A new part comes with the relationship that leads to it, so that none is left over. Its content
type follows from what it is, and its name has to stand in the folder of its kind.

Form of a patch, refusals of patches, and paths that cannot take too long.
"""

import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal, TypeGuard
from urllib.parse import urlsplit

from lxml import etree

from decklab.core.errors import DeckError, DecklabError
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.parts import CONTENT_TYPES_PART, lookup_key, reachable, relationships_part
from decklab.ooxml.signatures import Limits
from decklab.ooxml.slide_list import add_to_list, recount, settle_in_section, slide_entries
from decklab.ooxml.xml import (
    NAMESPACES,
    Element,
    local_name,
    parse_int,
    parse_xml,
    qn,
    relationship_type,
    serialize_xml,
)

Action = Literal["add", "replace", "remove", "set", "text", "add part", "link"]
"""``add`` puts ``xml`` at ``position`` of what the path finds, ``replace`` puts it in its place,
``remove`` takes elements, or attributes, out, ``set`` gives an attribute a value, ``text`` gives an
element without children its text. ``add part`` adds the part ``part``, ``link`` relates ``part`` to
the part ``value``; both have no path."""

Position = Literal["first", "last", "before", "after"]
"""Where ``add`` puts elements: as the first or last children of the target, or beside it."""


@dataclass(frozen=True)
class Patch:
    """One edit of one part, made at every node that the path finds, or one new part or link.

    Prefixes in ``xpath``, ``xml`` and ``attribute`` are those of
    ``decklab.ooxml.xml.NAMESPACES``, whatever the part itself calls them.
    """

    part: str
    action: Action
    xpath: str = ""
    xml: str = ""
    """Of a new part: its root element."""
    position: Position = "last"
    attribute: str = ""
    value: str = ""
    """Of a new slide: its 1-based place, the end where empty."""
    owner: str = ""
    """The part that leads to a new part: for a slide, the presentation."""
    relationship: str = ""
    """The kind of a new part or link, the last word of its type, such as ``chart``."""
    relationship_id: str = ""
    """The id by which the owner's XML names the new part or link; empty for a free one."""
    copy_of: str = ""
    """The part whose bytes a new part has, with its links to layouts, masters and media."""
    data: str = ""
    """The bytes of a new picture in base64: PNG, JPEG, GIF or SVG."""


class Refusal(DecklabError):
    """One patch that cannot be made; the text says what to do instead."""


class PatchesRefused(DecklabError):
    """Patches that were not made, none of them; ``reasons`` says why, one line each."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(" ".join(self.reasons))


LONGEST = 1000
"""Characters of a path. Ours; sensible ones have fewer than 200."""
DEEPEST = 3
"""Predicates within predicates. Ours."""
MOST_WORK = 4e9
"""Bound on ``work`` for one path: about two seconds, measured with lxml 5 and libxml2 2.14. Two
``//`` in a row reach it on slides of more than 14,000 elements; the largest we know of have a
tenth of that, one aside."""
_SLOWER = 10
"""How much longer following a predicate takes than comparing nodes, measured."""

_FUNCTIONS = frozenset(
    {
        *("contains", "starts-with", "normalize-space", "string", "string-length", "local-name"),
        *("name", "not", "count", "last", "position", "text", "node", "true", "false", "boolean"),
    }
)
_DOWN = frozenset({"child", "descendant", "descendant-or-self", "self", "attribute"})
_UP = frozenset({"parent", "ancestor", "ancestor-or-self"})
_OPENING = frozenset({"", "[", "(", ",", "=", "!=", "<", ">", "<=", ">=", "|", "and", "or"})
"""Tokens that may stand before the start of a path."""

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<literal>"[^"]*"|'[^']*')
    | (?P<number>\d{1,9})
    | (?P<axis>[a-z-]+)\s*::
    | (?P<call>[A-Za-z][\w:.-]*)\s*\(
    | (?P<name>(?:[A-Za-z_][\w.-]*:)?(?:[A-Za-z_][\w.-]*|\*))
    | (?P<sign>//|/|\.\.|\.|@|\[|\]|\(|\)|,|!=|<=|>=|=|<|>|\|)
    )""",
    re.VERBOSE,
)


@dataclass
class PathCost:
    """Counts of a path's steps that decide how long it may take."""

    leaps: int = 0
    """Steps outside predicates after which nodes may be found twice: ``//``, ``..``, ancestors."""
    nesting: int = 0
    """The deepest predicate."""
    ups: int = 0
    """Upward steps inside predicates."""
    dives: int = 0
    """``//`` inside predicates."""


@dataclass(frozen=True)
class PartSize:
    """Of a part: elements, the deepest nesting, the most children of one element."""

    elements: int
    depth: int
    width: int


def measure_path(xpath: str) -> PathCost:
    """Count the costly steps of a path; raises Refusal if it uses what patches may not."""
    if len(xpath) > LONGEST:
        raise Refusal(f"the path has {len(xpath):,} characters, more than {LONGEST:,}")
    cost, level, before, at = PathCost(), 0, "", 0
    text = xpath.rstrip()
    while at < len(text):
        if (match := _TOKEN.match(text, at)) is None:
            raise Refusal(f"the path cannot be read from {text[at:].strip()[:30]!r} on")
        kind, token = match.lastgroup or "", match.group(match.lastgroup or 0)
        level += {"[": 1, "]": -1}.get(token, 0)
        _check(kind, token)
        _count(cost, kind, token, before, level)
        before, at = token + "(" * (kind == "call"), match.end()
    if cost.nesting > DEEPEST:
        raise Refusal(f"predicates lie {cost.nesting} deep in the path, more than {DEEPEST}")
    if cost.ups and cost.dives:
        raise Refusal("predicates of the path go both up and, by //, down; use one of them")
    return cost


def _check(kind: str, token: str) -> None:
    if kind == "axis" and token not in _DOWN | _UP:
        allowed = ", ".join(sorted(_DOWN | _UP))
        raise Refusal(f"the axis {token}:: is not to be had; there are {allowed}")
    if kind == "call" and token not in _FUNCTIONS:
        raise Refusal(
            f"the function {token}() is not to be had; there are {', '.join(sorted(_FUNCTIONS))}"
        )
    prefix, colon, _ = token.partition(":")
    if kind == "name" and colon and prefix not in NAMESPACES:
        raise Refusal(f"the prefix {prefix!r} in the path is not known")


def _count(cost: PathCost, kind: str, token: str, before: str, level: int) -> None:
    dives = token == "//" or (kind == "axis" and token.startswith("descendant"))
    rises = token == ".." or (kind == "axis" and token in _UP)
    cost.nesting = max(cost.nesting, level)
    starts = before in _OPENING or before.endswith("(")
    if level and token in ("/", "//") and starts:
        raise Refusal("a predicate of the path starts at the root; start it with . or a name")
    if level:
        cost.dives += dives
        cost.ups += rises
    else:
        cost.leaps += dives or rises


def size_of(root: Element) -> PartSize:
    """How large a part is."""
    elements, deepest, widest = 0, 0, 0
    level: list[Element] = [root]
    while level:
        deepest += 1
        elements += len(level)
        widest = max(widest, *(len(item) for item in level))
        level = [child for item in level for child in item]
    return PartSize(elements, deepest, widest)


def work(cost: PathCost, size: PartSize) -> float:
    """The most comparisons of nodes that following a path may take, roughly.

    libxml2 compares every node that a second leap finds with all found so far; a predicate is
    asked of every node, and may look at all that lies below it, or beside it after a step up.
    """
    leaping = float(size.elements) ** 2 * size.depth * max(0, cost.leaps - 1)
    asking = _SLOWER * size.elements * float(size.depth) ** cost.nesting
    return leaping + asking * (float(size.depth) * size.width if cost.ups > 1 else 1) * (
        size.width if cost.ups else 1
    )


def find(
    root: Element, xpath: str, size: PartSize, *, most: float = MOST_WORK
) -> tuple[list[Element], float]:
    """The elements a path leads to, in document order, and the work that was allowed for it.

    Raises Refusal if the path is no path, leads to something other than elements, or might
    take too long.
    """
    cost = measure_path(xpath)
    if (allowed := work(cost, size)) > most:
        raise Refusal(
            f"the path could take too long on a part of {size.elements:,} elements; "
            "name the steps instead of // or .."
        )
    try:
        result = etree.XPath(xpath, namespaces=NAMESPACES, regexp=False, smart_strings=False)(root)
    except etree.XPathError as error:
        raise Refusal(f"the path is no XPath: {error}") from None
    elements = [e for e in result if isinstance(e, etree._Element)] if _is_list(result) else []
    if not _is_list(result) or len(elements) < len(result):
        raise Refusal("the path leads to something other than elements")
    return elements, allowed


def _is_list(result: object) -> TypeGuard[list[object]]:
    return isinstance(result, list)


FRAGMENT_LIMITS = Limits(xml_bytes=512 * 1024, xml_nodes=20_000, xml_depth=60)
"""Size of the XML of one patch. Ours: the largest slides without drawings in them."""

_WHERE = re.compile(r",? line \d+(, column \d+)?")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_PREFIXES = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())


def read_fragment(xml: str, *, relationships: bool = False) -> list[Element]:
    """The elements of a piece of XML that may use all known prefixes without declaring them.

    In a part of ``relationships`` names without prefix are of its namespace. Raises Refusal if
    it is not well-formed, declares a document type or entities, is too large, holds text outside
    of elements, or elements without a namespace.
    """
    default = f' xmlns="{NAMESPACES["rel"]}"' if relationships else ""
    text = f"<patch {_PREFIXES}{default}>{_DECLARATION.sub('', xml)}</patch>"
    try:
        root = parse_xml(text.encode(), path="patch", part=None, limits=FRAGMENT_LIMITS)
    except UnicodeEncodeError:
        raise Refusal("its XML holds characters that are no text") from None
    except DeckError as error:
        raise Refusal(f"its XML is refused: {_WHERE.sub('', error.detail)}") from None
    if (root.text or "").strip() or any((item.tail or "").strip() for item in root):
        raise Refusal("its XML has text outside of elements")
    for item in root.iter():
        if item is not root and not etree.QName(item).namespace:
            raise Refusal(f"its XML names <{item.tag}> without a prefix, as in <a:{item.tag}>")
    if not len(root):
        raise Refusal("its XML holds no element")
    for item in root:
        item.tail = None
    return list(root)


MOST_PARTS = 100
"""Parts that the patches of one call may add. Ours."""
MOST_MEDIA = 8 * 1024 * 1024
"""Bytes of pictures that the patches of one call may bring along. Ours."""

_P = "application/vnd.openxmlformats-officedocument.presentationml."
_D = "application/vnd.openxmlformats-officedocument.drawingml."


@dataclass(frozen=True)
class PartKind:
    """Folder, content type and root that a part of XML of one kind must have."""

    folder: str
    content_type: str
    root: str


XML_KINDS: Mapping[str, PartKind] = {
    "slide": PartKind("ppt/slides", f"{_P}slide+xml", "p:sld"),
    "notesSlide": PartKind("ppt/notesSlides", f"{_P}notesSlide+xml", "p:notes"),
    "chart": PartKind("ppt/charts", f"{_D}chart+xml", "c:chartSpace"),
    "diagramData": PartKind("ppt/diagrams", f"{_D}diagramData+xml", "dgm:dataModel"),
    "diagramLayout": PartKind("ppt/diagrams", f"{_D}diagramLayout+xml", "dgm:layoutDef"),
    "diagramQuickStyle": PartKind("ppt/diagrams", f"{_D}diagramStyle+xml", "dgm:styleDef"),
    "diagramColors": PartKind("ppt/diagrams", f"{_D}diagramColors+xml", "dgm:colorsDef"),
}
"""Kinds of relationship to the parts of XML that they may add."""

_FILES = {"image": "ppt/media", "package": "ppt/embeddings", "audio": "ppt/media",
          "video": "ppt/media"}  # fmt: skip
"""Kinds of relationship to the folder of the files that they may add; only images bring bytes."""
_LINKS = (*XML_KINDS, *_FILES, "slideLayout", "notesMaster", "themeOverride")
_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png", ("png",)),
    (b"\xff\xd8\xff", "image/jpeg", ("jpg", "jpeg")),
    (b"GIF8", "image/gif", ("gif",)),
)
_SVG = ("image/svg+xml", ("svg",))
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}\.[a-z0-9]{1,5}")
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,40}")
_SHARED = ("slideLayout", "slideMaster", "notesMaster", "image", "audio", "video", "theme")
"""Kinds of relationship that a copied part has to the same parts as its original."""
_SCHEMES = ("http", "https", "mailto")


def add_part(draft: Draft, patch: Patch, media_left: int) -> int:
    """Make an ``add part`` patch; return how many bytes of media it brings.

    ``media_left`` is how many it may bring. Raises Refusal.
    """
    owner = _owner(draft, patch.owner)
    if (kind := patch.relationship) not in XML_KINDS and kind not in _FILES:
        raise Refusal(
            f"{kind!r} is no kind of part to add; there are {_listed((*XML_KINDS, *_FILES))}"
        )
    name = _new_name(draft, patch)
    sources = [source for source in (patch.xml, patch.copy_of, patch.data) if source]
    if len(sources) != 1:
        raise Refusal("a new part has one of xml, copy_of and data")
    content_type, data, used = _content(draft, patch, name, media_left)
    draft.add(name, content_type, data)
    if patch.copy_of:
        _carry_links(draft, patch.copy_of, name)
    if kind == "slide":
        _enter_slide(draft, patch, owner, name)
        return used
    _link(draft, owner, kind, name, patch.relationship_id)
    if kind == "notesSlide":
        _settle_notes(draft, owner, name)
    return used


def link_parts(draft: Draft, patch: Patch) -> None:
    """Make a ``link`` patch: relate ``part`` to the part that ``value`` names; raises Refusal."""
    owner = _owner(draft, patch.part)
    if (target := draft.find(patch.value)) is None:
        raise Refusal(f"there is no part {patch.value!r} to lead to")
    if patch.relationship not in _LINKS:
        raise Refusal(f"{patch.relationship!r} is no kind of link; there are {_listed(_LINKS)}")
    stated = draft.content_type(target) or ""
    expected = XML_KINDS[patch.relationship].content_type if patch.relationship in XML_KINDS else ""
    if stated != (expected or stated) or (
        patch.relationship == "image" and not stated.startswith("image/")
    ):
        raise Refusal(f"{target} is no {patch.relationship}, but {stated or 'of unknown kind'}")
    _link(draft, owner, patch.relationship, target, patch.relationship_id)


def link_faults(package: Package, draft: Draft, added: list[str]) -> list[str]:
    """Faults of new parts and relationships once all patches are made."""
    reached = reachable(draft)
    faults = [
        f"Nothing leads to the new part {name} any more; take its patch out."
        for name in added
        if name not in reached
    ]
    for name in _changed_links(package, draft):
        for address in sorted(_addresses(draft.xml(name))):
            if _scheme(address) not in _SCHEMES and not _was_there(package, address):
                faults.append(
                    f"The relationships in {name} lead to {address[:80]!r}; only web addresses and "
                    "mailto: may be added."
                )
    return faults


def _changed_links(package: Package, draft: Draft) -> list[str]:
    """The parts of relationships that are not as they were."""
    names = [name for name in draft.names if name.endswith(".rels")]
    return [name for name in names if name not in package or package.read(name) != draft.read(name)]


def _scheme(address: str) -> str:
    try:
        return urlsplit(address).scheme.lower()
    except ValueError:
        return ""


def _was_there(package: Package, address: str) -> bool:
    names = [name for name in package.names if name.endswith(".rels")]
    return any(address in _addresses(package.xml(name)) for name in names)


def _addresses(root: Element) -> set[str]:
    """Targets outside of the package."""
    items = root.iterfind(qn("rel:Relationship"))
    return {item.get("Target") or "" for item in items if item.get("TargetMode") == "External"}


def _owner(draft: Draft, name: str) -> str:
    if (owner := draft.find(name) if name else None) is None:
        raise Refusal(f"there is no part {name!r} that could lead to it")
    is_xml = (draft.content_type(owner) or "").endswith("xml")
    if not is_xml or owner.endswith(".rels") or owner == CONTENT_TYPES_PART:
        raise Refusal(f"{owner} is no part of XML, which could lead to others")
    return owner


def _new_name(draft: Draft, patch: Patch) -> str:
    """The name of a new part; it is free, and in the folder of its kind."""
    name, kind = patch.part.lstrip("/"), patch.relationship
    folder = XML_KINDS[kind].folder if kind in XML_KINDS else _FILES[kind]
    parent, _, base = name.rpartition("/")
    if parent != folder or not _NAME.fullmatch(base):
        raise Refusal(f"a new {kind} has a name such as {folder}/{kind}1.xml, not {name[:80]!r}")
    if kind in XML_KINDS and not base.endswith(".xml"):
        raise Refusal(f"the name of a new {kind} ends in .xml")
    if draft.was_used(name) or draft.was_used(relationships_part(name)):
        raise Refusal(f"there is, or was, a part {name}; {draft.unused_name(name)} is free")
    return name


def _content(draft: Draft, patch: Patch, name: str, media_left: int) -> tuple[str, bytes, int]:
    """Content type and bytes of a new part, and how many of them are media brought along."""
    kind = XML_KINDS.get(patch.relationship)
    if patch.copy_of:
        return *_copied(draft, patch, name), 0
    if patch.xml:
        if kind is None:
            raise Refusal(f"a new {patch.relationship} is no XML; give copy_of or data")
        return kind.content_type, _document(patch.xml, kind), 0
    if patch.relationship != "image":
        raise Refusal(f"a new {patch.relationship} comes by copy_of" + (" or xml" if kind else ""))
    content_type, data = _picture(patch.data, name, media_left)
    return content_type, data, len(data)


def _copied(draft: Draft, patch: Patch, name: str) -> tuple[str, bytes]:
    if (source := draft.find(patch.copy_of)) is None:
        raise Refusal(f"there is no part {patch.copy_of!r} to copy")
    stated, kind = draft.content_type(source) or "", XML_KINDS.get(patch.relationship)
    is_file = patch.relationship in _FILES and not source.endswith((".xml", ".rels"))
    is_picture = patch.relationship != "image" or stated.startswith("image/")
    if stated != kind.content_type if kind else not (is_file and is_picture):
        raise Refusal(f"{source} is no {patch.relationship}, but {stated or 'of unknown kind'}")
    if source.rpartition(".")[2].lower() != name.rpartition(".")[2].lower():
        raise Refusal(f"a copy of {source} has its ending")
    return stated, draft.read(source)


def _document(xml: str, kind: PartKind) -> bytes:
    """The bytes of a part of XML from its root element."""
    roots = read_fragment(xml)
    if len(roots) != 1 or roots[0].tag != qn(kind.root):
        raise Refusal(f"its XML is not one <{kind.root}> with all in it")
    root = deepcopy(roots[0])
    named = [word for item in root.iter() for word in (item.get(qn("mc:Ignorable")) or "").split()]
    required = [item.get("Requires") or "" for item in root.iter(qn("mc:Choice"))]
    etree.cleanup_namespaces(root, keep_ns_prefixes=[*named, *" ".join(required).split()])
    return serialize_xml(root)


def _picture(text: str, name: str, media_left: int) -> tuple[str, bytes]:
    """Content type and bytes of a picture given in base64."""
    if len(text) > 4 * (media_left // 3 + 1):
        raise Refusal(f"pictures may have {MOST_MEDIA // 2**20} MB in all")
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        raise Refusal("its data is no base64") from None
    known = next(((kind, ends) for start, kind, ends in _PICTURES if data.startswith(start)), None)
    if known is None and b"<svg" in data[:4096]:
        _check_svg(data)
        known = _SVG
    if known is None:
        raise Refusal("its data is no PNG, JPEG, GIF or SVG")
    kind, endings = known
    if name.rpartition(".")[2] not in endings:
        raise Refusal(f"its data is {kind}, so its name ends in .{endings[0]}")
    return kind, data


def _check_svg(data: bytes) -> None:
    """Raise Refusal for a drawing that holds a program or leads anywhere."""
    try:
        root = parse_xml(data, path="data", part=None, limits=FRAGMENT_LIMITS)
    except DeckError as error:
        raise Refusal(f"its SVG is refused: {error.detail}") from None
    for item in root.iter():
        tag = local_name(str(item.tag))
        addresses = (str(item.get(key)) for key in item.attrib if local_name(str(key)) == "href")
        leads = [to for to in addresses if not to.startswith(("#", "data:image/"))]
        handlers = [key for key in item.attrib if local_name(str(key)).lower().startswith("on")]
        if tag in ("script", "foreignObject", "iframe") or leads or handlers:
            raise Refusal("its SVG holds a program or leads out of the deck")


def _enter_slide(draft: Draft, patch: Patch, owner: str, name: str) -> None:
    """Add a slide to the list of slides; ``value`` is its place, empty for the end."""
    if owner != draft.main_part:
        raise Refusal(f"a slide belongs to {draft.main_part}")
    total = len(slide_entries(draft))
    position = parse_int(patch.value) if patch.value else total + 1
    if position is None or not 1 <= position <= total + 1:
        raise Refusal(f"there is no place {patch.value}; the deck has {total} slides")
    if patch.relationship_id:
        raise Refusal("a slide gets its relationship_id by itself; leave it empty")
    id = add_to_list(draft, name, position)
    settle_in_section(draft.edit(draft.main_part), id)
    recount(draft)


def _settle_notes(draft: Draft, slide: str, notes: str) -> None:
    """Let new notes lead to their slide and to the master of notes."""
    if not (masters := draft.related(draft.main_part, "notesMaster")):
        raise Refusal("the deck has no master of notes, so patches cannot add notes")
    links = draft.relationships(notes).values()
    if not any(link.kind == "notesMaster" for link in links):
        draft.link(notes, relationship_type("notesMaster"), masters[0])
    draft.link(notes, relationship_type("slide"), slide)
    recount(draft)


def _carry_links(draft: Draft, source: str, name: str) -> None:
    """Give a copied part the relationships that it shares with its original, with their ids.

    Others, such as one to the workbook of a chart, have to be added: two parts cannot share those.
    """
    original = draft.find(source) or source
    own: dict[str, str | None] = {
        id: None
        for id, link in draft.relationships(original).items()
        if not link.external and (link.kind not in _SHARED or link.target not in draft)
    }
    draft.add_links(name, draft, original, own)


def _link(draft: Draft, owner: str, kind: str, target: str, id: str) -> None:
    if id and not _ID.fullmatch(id):
        raise Refusal(f"{id[:40]!r} is no id of a relationship")
    taken = {lookup_key(used) for used in draft.relationships(owner)}
    if id and lookup_key(id) in taken:
        raise Refusal(f"{owner} has a relationship {id!r} already")
    draft.link(owner, relationship_type(kind), target, id or None)


def _listed(kinds: tuple[str, ...]) -> str:
    return ", ".join(kinds)
