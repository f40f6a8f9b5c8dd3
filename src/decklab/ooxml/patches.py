"""Parts changed by patches: small edits, each addressed by part name and XPath.

::

    with Package.open("talk.pptx") as package:
        draft = apply_patches(package, [Patch(
            part="ppt/slides/slide2.xml", action="set",
            xpath="//p:sp[p:nvSpPr/p:cNvPr[@id='3']]//a:rPr", attribute="sz", value="2400",
        )])
        draft.save("talk-2.pptx")

Patches come from strangers, models among them: paths are held to a small part of XPath that cannot
run away (``patch_paths``), XML is read like that of a stranger's deck, and the patched package has
to be as valid as it was. All patches are made or none (``PatchesRefused``). Patches may add parts,
such as slides, charts and pictures, and relate parts (``patch_parts``). ``part_text`` shows a part
with the names that patches have to use.
"""

import re
from collections.abc import Callable, Collection, Sequence
from copy import deepcopy
from html import escape

from lxml import etree

from decklab.core.errors import DeckError
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.parts import CONTENT_TYPES_PART, lookup_key
from decklab.ooxml.patch_parts import (
    MOST_MEDIA,
    MOST_PARTS,
    MOST_WORK,
    PartSize,
    Patch,
    PatchesRefused,
    Refusal,
    add_part,
    find,
    link_faults,
    link_parts,
    read_fragment,
    size_of,
)
from decklab.ooxml.validity.validating import validate
from decklab.ooxml.xml import NAMESPACES, Element, local_name, qn, take_out


def attribute_name(name: str) -> str:
    """An attribute's name in Clark notation; raises Refusal if it is none."""
    prefix, colon, local = name.rpartition(":")
    if prefix not in NAMESPACES and colon:
        raise Refusal(f"the prefix of the attribute {name!r} is not known")
    if not re.fullmatch(r"[A-Za-z_][\w.-]*", local) or local == "xmlns":
        raise Refusal(f"{name!r} is no name of an attribute")
    return f"{{{NAMESPACES[prefix]}}}{local}" if colon else local


MOST_PATCHES = 500
MOST_NODES = 5000
"""Patches at once, and nodes that one may change. Ours: more is a program's work."""
MOST_ADDED = 200_000
"""Elements that all patches together may add. Ours: the size of the largest slide we know of."""
_ALL_WORK = 5 * MOST_WORK
_LONGEST_VALUE = 100_000
_TRIED = 10
"""Beginnings of a path that are tried to say how far it gets."""
_ATTRIBUTE = re.compile(r"(?P<path>.+?)/@(?P<name>[\w:.-]+)\s*\Z", re.DOTALL)


def apply_patches(package: Package, patches: Sequence[Patch]) -> Draft:
    """``package`` with all patches made, one after the other, as a draft that can be saved.

    Raises PatchesRefused, and nothing is made, if one of them cannot be, or if the package
    would have errors of validity that it did not have. The reasons name the patch by its number,
    from 1, and can be acted on.
    """
    if not patches:
        raise PatchesRefused(["There are no patches."])
    if len(patches) > MOST_PATCHES:
        raise PatchesRefused([f"There are {len(patches)} patches, more than {MOST_PATCHES}."])
    run, reasons = _PatchRun(Draft(package)), list[str]()
    for number, patch in enumerate(patches, 1):
        try:
            run.make(patch)
        except (Refusal, DeckError) as error:
            reason = error.detail if isinstance(error, DeckError) else str(error)
            reasons.append(f"Patch {number} ({patch.action}, {patch.part}): {reason}.")
    reasons = reasons or link_faults(package, run.draft, run.new_parts)
    if reasons := reasons or _new_errors(package, run.draft):
        raise PatchesRefused(reasons)
    return run.draft


def _new_errors(package: Package, draft: Draft) -> list[str]:
    try:
        with draft.to_package() as patched:
            problems = validate(patched)
    except DeckError as error:
        return [f"The patched deck cannot be read: {error.part}: {error.detail}."]
    known = set(validate(package))
    return [
        f"The patched part {new.part or 'list'} is not valid: {new.detail.rstrip('.')}. {new.fix}"
        for new in problems
        if new.severity == "error" and new not in known
    ]


class _PatchRun:
    """A draft being patched, with the rest of its bounds."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self._work, self._added = draft, 0.0, 0
        self._sizes: dict[str, PartSize] = {}
        self.new_parts: list[str] = []
        self._media_left = MOST_MEDIA

    def make(self, patch: Patch) -> None:
        """Make one patch in the draft; raises Refusal or DeckError."""
        if patch.action == "add part":
            self._add_part(patch)
        elif patch.action == "link":
            link_parts(self.draft, patch)
        else:
            self._patch_nodes(patch)
            return
        self._sizes.clear()

    def _add_part(self, patch: Patch) -> None:
        if len(self.new_parts) == MOST_PARTS:
            raise Refusal(f"the patches would add more than {MOST_PARTS} parts")
        self._media_left -= add_part(self.draft, patch, self._media_left)
        self.new_parts.append(patch.part.lstrip("/"))
        self._count(size_of(self.draft.root(self.new_parts[-1])).elements if patch.xml else 0)

    def _count(self, elements: int) -> None:
        self._added += elements
        if self._added > MOST_ADDED:
            raise Refusal(f"the patches would add more than {MOST_ADDED:,} elements")

    def _patch_nodes(self, patch: Patch) -> None:
        root = self._root(patch.part)
        by_name = _ATTRIBUTE.match(patch.xpath) if patch.action == "remove" else None
        path = by_name["path"] if by_name else patch.xpath
        nodes = self._found(root, path, patch.part)
        if by_name:
            _drop_attribute(nodes, by_name["name"])
        else:
            self._change(patch, nodes, root)
        if patch.action in ("add", "replace"):
            del self._sizes[patch.part]

    def _root(self, part: str) -> Element:
        if lookup_key(part.lstrip("/")) == lookup_key(CONTENT_TYPES_PART):
            raise Refusal("content types follow by themselves; use the action 'add part'")
        if (name := self.draft.find(part)) is None:
            raise Refusal(f"there is no such part; near are {_near(part, self.draft.names)}")
        kind = self.draft.content_type(name) or ""
        if not kind.endswith("xml") and not name.endswith((".xml", ".rels")):
            raise Refusal(f"the part is no XML ({kind or 'of unknown kind'})")
        return self.draft.edit(name)

    def _found(self, root: Element, path: str, part: str) -> list[Element]:
        if part not in self._sizes:
            self._sizes[part] = size_of(root)
        size = self._sizes[part]
        nodes, work = find(root, path, size)
        self._work += work
        if self._work > _ALL_WORK:
            raise Refusal("all paths together could take too long; name the steps instead of //")
        if not nodes:
            raise Refusal(f"the path {path!r} finds nothing{_hint(root, path, size)}")
        if len(nodes) > MOST_NODES:
            raise Refusal(f"the path finds {len(nodes):,} elements, more than {MOST_NODES:,}")
        return nodes

    def _change(self, patch: Patch, nodes: list[Element], root: Element) -> None:
        if len(patch.value) > _LONGEST_VALUE:
            raise Refusal(f"its value has more than {_LONGEST_VALUE:,} characters")
        if patch.action == "set":
            _set(nodes, attribute_name(patch.attribute), patch.value)
        elif patch.action == "text":
            _write(nodes, patch.value)
        elif patch.action == "remove":
            _for_each_node(nodes, root, take_out)
        else:
            fragment = read_fragment(patch.xml, relationships=patch.part.endswith(".rels"))
            self._count(len(nodes) * sum(1 for item in fragment for _ in item.iter()))
            _insert(patch, nodes, root, fragment)


def _insert(patch: Patch, nodes: list[Element], root: Element, fragment: list[Element]) -> None:
    if patch.action == "replace":
        _for_each_node(nodes, root, lambda node: _replace(node, fragment))
    elif patch.position in ("before", "after"):
        offset = int(patch.position == "after")
        _for_each_node(nodes, root, lambda node: _beside(node, fragment, offset))
    else:
        for node in nodes:
            at = 0 if patch.position == "first" else len(node)
            node[at:at] = [deepcopy(item) for item in fragment]


def _for_each_node(nodes: list[Element], root: Element, do: Callable[[Element], object]) -> None:
    """Do something beside or in place of nodes, which the root has no place for."""
    if any(node is root for node in nodes):
        raise Refusal("the path finds the root of the part, which has to stay; go one step down")
    for node in nodes:
        do(node)


def _beside(node: Element, fragment: list[Element], offset: int) -> None:
    parent = node.getparent()
    assert parent is not None
    at = parent.index(node) + offset
    parent[at:at] = [deepcopy(item) for item in fragment]


def _replace(node: Element, fragment: list[Element]) -> None:
    _beside(node, fragment, 1)
    take_out(node)


def _set(nodes: list[Element], name: str, value: str) -> None:
    try:
        for node in nodes:
            node.set(name, value)
    except ValueError as error:  # control characters
        raise Refusal(f"the value is no text of XML: {error}") from None


def _write(nodes: list[Element], text: str) -> None:
    if any(len(node) for node in nodes):
        raise Refusal("the path finds elements with children; text goes into elements like a:t")
    try:
        for node in nodes:
            node.text = text
    except ValueError as error:
        raise Refusal(f"the text is no text of XML: {error}") from None


def _drop_attribute(nodes: list[Element], name: str) -> None:
    spelled = attribute_name(name)
    if not (held := [node for node in nodes if spelled in node.attrib]):
        raise Refusal(f"nothing that the path finds has an attribute {name}")
    for node in held:
        del node.attrib[spelled]


def _hint(root: Element, path: str, size: PartSize) -> str:
    """How far a path gets: what lies where its next step fails."""
    cuts = [at for at in _steps(path) if at > 1]
    for at in cuts[-_TRIED:][::-1]:
        try:
            held, _ = find(root, path[:at], size, most=MOST_WORK / 50)
        except Refusal:
            continue
        if held:
            inside = dict.fromkeys(_spelled(child) for child in held[0])
            listed = ", ".join(list(inside)[:12]) or "no elements"
            return f"; {path[:at]!r} does, and the first one holds {listed}"
    return f"; the root is {_spelled(root)}"


def _steps(path: str) -> list[int]:
    """Where the steps of a path end, outside predicates and literals."""
    level, quote, steps = 0, "", list[int]()
    for at, sign in enumerate(path):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "[(":
            level += 1
        elif sign in "])":
            level -= 1
        elif sign == "/" and not level and path[at - 1 : at] != "/":
            steps.append(at)
        if sign == "[" and level == 1 and not quote:
            steps.append(at)
    return steps


_PREFIX_OF = {uri: prefix for prefix, uri in NAMESPACES.items()}


def _spelled(item: Element) -> str:
    uri = str(item.tag).rpartition("}")[0].lstrip("{")
    prefix = _PREFIX_OF.get(uri)
    return f"{prefix}:{local_name(str(item.tag))}" if prefix else str(item.tag)


def _near(part: str, names: Sequence[str]) -> str:
    folder = part.lstrip("/").rpartition("/")[0]
    same = [name for name in names if name.rpartition("/")[0] == folder]
    return ", ".join((same or list(names))[:8])


_LONG_VALUE = 300
_LINE_DEPTH = 4
"""Down to this depth each element starts a line: shapes, paragraphs of a list style, plots."""
_ELIDED = (
    frozenset[str](),
    frozenset({qn("p:extLst"), qn("a:extLst"), qn("c:extLst")}),
    frozenset(
        {qn("p:extLst"), qn("a:extLst"), qn("c:extLst"), qn("a:pathLst"), qn("p:timing"),
         qn("mc:Fallback"), qn("a:effectLst"), qn("a:lstStyle")}
    ),
)  # fmt: skip
"""Tags left out, the least useful first, until the text is short enough."""


def part_text(package: Package, part: str, *, most: int = 40_000) -> str:
    """An XML part on few lines, at most ``most`` characters, without namespace declarations.

    Elements have the prefixes of ``decklab.ooxml.xml.NAMESPACES``. Where the text would be too
    long, extensions, then drawings, animations and effects are shown as ``…``; what is still too
    long is cut, and says so. Raises what ``Package.xml`` raises.
    """
    root = package.xml(part)
    text = ""
    for elided in _ELIDED:
        text = "".join(_pieces(root, elided, 0)).strip()
        if len(text) <= most:
            return text
    note = f"\n… cut here: {len(text):,} characters in all"
    return text[: max(0, most - len(note))] + note


def _pieces(item: Element, elided: Collection[str], depth: int) -> list[str]:
    name = _name(str(item.tag))
    attributes = "".join(
        f' {_name(str(key))}="{_value(str(value))}"' for key, value in item.attrib.items()
    )
    start = "\n" * (depth <= _LINE_DEPTH) + f"<{name}{attributes}"
    text = escape(item.text, quote=False) if item.text and item.text.strip() else ""
    if name in ("a:t", "m:t", "c:v", "c:f"):
        text = escape(item.text or "", quote=False)
    if item.tag in elided:
        return [f"{start}>…</{name}>"]
    inner = [piece for child in item for piece in _pieces(child, elided, depth + 1)]
    if not inner and not text:
        return [f"{start}/>"]
    return [f"{start}>{text}", *inner, f"</{name}>"]


def _name(tag: str) -> str:
    if not (parsed := etree.QName(tag)).namespace:
        return parsed.localname
    if parsed.namespace == "http://www.w3.org/XML/1998/namespace":
        return f"xml:{parsed.localname}"
    return f"{_PREFIX_OF.get(parsed.namespace, f'{{{parsed.namespace}}}')}:{parsed.localname}"


def _value(value: str) -> str:
    shown = value if len(value) <= _LONG_VALUE else value[:_LONG_VALUE] + "…"
    return re.sub(r"\s", " ", escape(shown))
