"""Elements and attributes held against the standard's vocabulary."""

import re
from collections.abc import Iterator

from decklab.ooxml.names import NAMESPACES, local_name, qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.validity.grammar import Mismatch, Type, consume, load_types, load_values
from decklab.ooxml.validity.inspection import Inspection, shape_name

__all__ = ["check_conformance"]

_ROOTS = {
    "p:presentation": "p:Presentation",
    "p:presentationPr": "p:PresentationProperties",
    "p:viewPr": "p:ViewProperties",
    "p:sld": "p:Slide",
    "p:sldLayout": "p:SlideLayout",
    "p:sldMaster": "p:SlideMaster",
    "p:notes": "p:NotesSlide",
    "p:notesMaster": "p:NotesMaster",
    "p:handoutMaster": "p:HandoutMaster",
    "p:cmAuthorLst": "p:CommentAuthorList",
    "p:cmLst": "p:CommentList",
    "p:tagLst": "p:TagList",
    "a:theme": "a:OfficeStyleSheet",
    "a:themeOverride": "a:BaseStylesOverride",
    "a:tblStyleLst": "a:TableStyleList",
    "c:chartSpace": "c:ChartSpace",
    "c:userShapes": "cdr:Drawing",
    "dgm:dataModel": "dgm:DataModelRoot",
}
"""Root elements of parts to their types; other parts are not held against anything."""

_INSIDE_ANYTHING = {
    "a:tbl": "a:Table",
    "p:oleObj": "p:OleObject",
    "c:chart": "c:RelId",
    "dgm:relIds": "dgm:RelIds",
}
"""Elements known where the standard allows anything, as in ``a:graphicData``."""

_NUMBER = re.compile(r"[+-]?\d+(\.\d+(?=[a-z%]))?(mm|cm|in|pt|pc|pi|%)?\Z")
_TRUTH = ("0", "1", "true", "false")
_KNOWN = tuple(f"{{{NAMESPACES[prefix]}}}" for prefix in ("p", "a", "c", "dgm")) + (
    "{http://schemas.openxmlformats.org/drawingml/2006/chartDrawing}",
)


def check_conformance(inspection: Inspection) -> None:
    """Hold every part of a known vocabulary against it.

    Extension lists and elements of other vocabularies are let through; of alternatives
    (``mc:AlternateContent``) every branch is looked at.
    """
    roots = {qn(name): key for name, key in _ROOTS.items()}
    for part in inspection.package.names:
        if not (inspection.package.content_type(part) or "").endswith("+xml"):
            continue
        root = inspection.root(part)
        if root is not None and root.tag in roots:
            _check_tree(inspection, part, root, roots[str(root.tag)])


def _check_tree(inspection: Inspection, part: str, root: Element, key: str) -> None:
    types = load_types()
    inside = {qn(name): key for name, key in _INSIDE_ANYTHING.items()}
    waiting: list[tuple[Element, str]] = [(root, key)]
    while waiting:
        element, key = waiting.pop()
        kind = types.get(key)
        if kind is None:
            continue
        _check_attributes(inspection, part, element, kind)
        if not kind.content.anything:
            _check_children(inspection, part, element, kind)
        for child in _all_children(element):
            following = inside if kind.content.anything else kind.children
            if child.tag in following and local_name(str(child.tag)) != "ext":
                waiting.append((child, following[str(child.tag)]))


def _check_children(inspection: Inspection, part: str, element: Element, kind: Type) -> None:
    children = [child for child in _effective_children(element) if child.tag.startswith(_KNOWN)]
    names = [str(child.tag) for child in children]
    try:
        at = consume(kind.content, names)
        if at == len(names):
            return
        expected: frozenset[str] = frozenset()
    except Mismatch as mismatch:
        at, expected = mismatch.index, mismatch.expected
    where = f"<{local_name(element.tag)}>{_line(element)}{shape_name(element)}"
    if at >= len(names):
        detail = f"{where} lacks {_spelled(expected)}"
        inspection.error("schema.missing-child", part, detail, "Add the element that is missing.")
        return
    child = local_name(names[at])
    if names[at] not in kind.children:
        detail = f"{where} holds <{child}>, which has no place in it"
        inspection.error("schema.unknown-child", part, detail, f"Take <{child}> out.")
    elif expected and names[at] not in names[:at] and not _comes_too_late(kind, names, at):
        detail = f"{where} lacks {_spelled(expected)} before <{child}>"
        inspection.error("schema.missing-child", part, detail, "Add the element that is missing.")
    else:
        detail = f"{where} holds <{child}> after <{local_name(names[at - 1])}>"
        inspection.error(
            "schema.order", part, detail, f"Put <{child}> in its place, once, in the order of the"
            " standard."
        )  # fmt: skip


def _comes_too_late(kind: Type, names: list[str], at: int) -> bool:
    """Whether what is missing before a child is there after it: then they are out of order."""
    try:
        consume(kind.content, names[:at])
    except Mismatch as mismatch:
        return any(name in mismatch.expected for name in names[at:])
    return True


def _check_attributes(inspection: Inspection, part: str, element: Element, kind: Type) -> None:
    where = f"<{local_name(element.tag)}>{_line(element)}{shape_name(element)}"
    for name in kind.required - {str(name) for name in element.attrib}:
        detail = f"{where} lacks the attribute {name!r}"
        inspection.error("schema.missing-attribute", part, detail, f"Add {name!r}.")
    for raw, value in element.attrib.items():
        name = str(raw)
        if name.startswith("{"):
            continue
        if name not in kind.attributes:
            detail = f"{where} has the attribute {name!r}, which means nothing there"
            inspection.error("schema.unknown-attribute", part, detail, f"Take {name!r} out.")
        elif not _fits(kind.attributes[name], str(value).strip()):
            detail = f"{where}: {name}={str(value)[:60]!r} is no value for it"
            inspection.error("schema.value", part, detail, f"Give {name!r} a value it can hold.")


def _fits(kind: str, value: str) -> bool:
    if kind == "b":
        return value in _TRUTH
    if kind == "n":
        return bool(_NUMBER.match(value))
    return not kind or value in load_values().get(kind, (value,))


def _effective_children(element: Element) -> Iterator[Element]:
    """Children as a program sees them that takes the first alternative it knows."""
    for child in element:
        if not isinstance(child.tag, str):
            continue
        if child.tag != qn("mc:AlternateContent"):
            yield child
            continue
        for branch in child:
            known = [item for item in branch if str(item.tag).startswith(_KNOWN)]
            if known:
                yield from known
                break


def _all_children(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag == qn("mc:AlternateContent"):
            for branch in child:
                yield from branch
        elif isinstance(child.tag, str):
            yield child


def _spelled(names: frozenset[str]) -> str:
    shown = sorted(f"<{local_name(name)}>" for name in names)
    return shown[0] if len(shown) == 1 else f"one of {', '.join(shown[:6])}"


def _line(element: Element) -> str:
    name = element.get("name") or element.get("id")
    return f" {name[:40]!r}" if name else ""
