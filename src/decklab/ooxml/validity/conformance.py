"""Checks of XML against the standard's types: children, attributes, values, dates.

The types come from the Open XML SDK's data and not from schemas for lxml's XMLSchema: those lack
what Office added to the standard, and refuse what PowerPoint itself writes against it.

Content models: what may stand inside an element, and whether its children fit.

The models are data, in the text files of the folder ``schema``: the vocabulary of ECMA-376 in the
transitional edition, for PresentationML, the DrawingML it uses, charts, drawings on charts and the
data of diagrams, condensed from the schema data of Microsoft's Open XML SDK (MIT licence), so that
it also holds what Office added later. One line describes one type, by its name in the standard
without ``CT_``::

    TextParagraph | | pPr=TextParagraphProperties? ( r=RegularTextRun / br=TextLineBreak )* ...

Between the bars are the attributes: ``!`` marks required ones, ``=b`` a truth value,
``=0..8`` a whole number in that range, ``=f`` any number, ``=hex6`` so many hexadecimal digits,
``=guid``, ``=date`` and ``=base64`` what they say, ``=adj`` a length or the name of a guide,
``=a:TextAlignType`` one of the words that ``values.txt`` lists. Whole numbers without a sign may
be as low as -2147483648: some versions of PowerPoint write them so. Then come the children as
``name=Type`` in their order; ``/`` separates alternatives, and ``? * + {2,4}`` say how often. A
prefix is given if it is not that of the file; ``$fill`` stands for a group that is spelled out
at the file's start; ``ANY`` for anything. Types that no file describes hold anything.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from importlib.resources import files

from decklab.ooxml.validity.parts import Inspection, within_shape
from decklab.ooxml.xml import NAMESPACES, Element, local_name, qn

VOCABULARIES = {
    "p": "presentation",
    "a": "drawing",
    "c": "chart",
    "cdr": "chart-drawing",
    "dgm": "diagram",
}
"""Prefix to data file."""

_CHART_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/chartDrawing"
_OCCURS = re.compile(r"(.*?)([?*+]|\{\d+,\d*\})?\Z", re.DOTALL)
_MANY = 2**31


@dataclass(frozen=True)
class ContentModel:
    """A piece of a content model; exactly one kind of it is filled in."""

    name: str = ""
    """Clark name of an element."""
    type: str = ""
    """Key of that element's type."""
    sequence: tuple["ContentModel", ...] = ()
    choice: tuple["ContentModel", ...] = ()
    least: int = 1
    most: int = 1
    starts: frozenset[str] = field(default=frozenset(), compare=False)
    """Names that can come first."""
    can_be_empty: bool = field(default=False, compare=False)
    anything: bool = False

    @property
    def names(self) -> Iterator[tuple[str, str]]:
        """Every element that can occur, with its type."""
        if self.name:
            yield self.name, self.type
        for part in (*self.sequence, *self.choice):
            yield from part.names


@dataclass(frozen=True)
class ComplexType:
    """Attributes (name to kind, and which are required) and children that an element may have."""

    attributes: Mapping[str, str]
    required: frozenset[str]
    content: ContentModel
    children: Mapping[str, str]
    """Clark name of each possible child to the key of its type."""


@dataclass
class Mismatch(Exception):
    """The children stop fitting at ``index``; one of ``expected`` would have to stand there."""

    index: int
    expected: frozenset[str]


def match_children(model: ContentModel, names: Sequence[str], at: int = 0) -> int:
    """Match children from index ``at`` on and return where matching ends; raises Mismatch.

    The format's models are deterministic, so the next name always decides what has to follow.
    """
    count = 0
    while count < model.most:
        if at >= len(names) or names[at] not in model.starts:
            break
        at = _once(model, names, at)
        count += 1
    if count < model.least and not model.can_be_empty:
        raise Mismatch(at, model.starts)
    return at


def _once(model: ContentModel, names: Sequence[str], at: int) -> int:
    if model.name:
        return at + 1
    if model.choice:
        return match_children(next(p for p in model.choice if names[at] in p.starts), names, at)
    for part in model.sequence:
        at = match_children(part, names, at)
    return at


def _empty_once(model: ContentModel) -> bool:
    if model.choice:
        return any(part.can_be_empty for part in model.choice)
    return not model.name and all(part.can_be_empty for part in model.sequence)


@cache
def load_types() -> Mapping[str, ComplexType]:
    """All types by key, such as ``p:Shape``."""
    types: dict[str, ComplexType] = {}
    for prefix, file in VOCABULARIES.items():
        groups: dict[str, str] = {}
        for line in _lines(file):
            name, attributes, *rest = (piece.strip() for piece in line.split("|"))
            if name.startswith("$"):
                groups[name] = attributes
                continue
            types[f"{prefix}:{name}"] = _type(prefix, attributes, rest[0], groups)
    return types


@cache
def load_values() -> Mapping[str, frozenset[str]]:
    """The words that an attribute may hold, by simple type, such as ``a:TextAlignType``."""
    pairs = (line.partition(" | ") for line in _lines("values"))
    return {name: frozenset(words.split()) for name, _, words in pairs}


def _lines(file: str) -> list[str]:
    text = files("decklab.ooxml.validity").joinpath("schema", f"{file}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line]


def _type(prefix: str, attributes: str, content: str, groups: Mapping[str, str]) -> ComplexType:
    for name, spelled in groups.items():
        content = content.replace(name, spelled)
    kinds: dict[str, str] = {}
    required: set[str] = set()
    for piece in attributes.split():
        name, _, kind = piece.partition("=")
        kinds[name.rstrip("!")] = kind
        if name.endswith("!"):
            required.add(name.rstrip("!"))
    model = _model(prefix, iter(content.split()))
    return ComplexType(kinds, frozenset(required), model, dict(model.names))


def _model(prefix: str, tokens: Iterator[str]) -> ContentModel:
    """A sequence or choice up to the closing bracket, or the end."""
    parts: list[list[ContentModel]] = [[]]
    occurs = ""
    for token in tokens:
        if token.startswith(")"):
            occurs = token[1:]
            break
        if token == "/":
            parts.append([])
        elif token == "(":
            parts[-1].append(_model(prefix, tokens))
        else:
            parts[-1].append(_leaf(prefix, token))
    if len(parts) > 1:
        return _finished(ContentModel(choice=tuple(_joined(part) for part in parts)), occurs)
    return _finished(ContentModel(sequence=tuple(parts[0])), occurs)


def _joined(parts: list[ContentModel]) -> ContentModel:
    return parts[0] if len(parts) == 1 else _finished(ContentModel(sequence=tuple(parts)), "")


def _leaf(prefix: str, token: str) -> ContentModel:
    match = _OCCURS.match(token)
    text, occurs = (match.group(1), match.group(2) or "") if match else (token, "")
    if text == "ANY":
        return ContentModel(anything=True, can_be_empty=True, least=0)
    name, _, type = text.partition("=")
    key = type if ":" in type else f"{prefix}:{type}"
    return _finished(ContentModel(name=_clark(prefix, name), type=key), occurs)


def _clark(prefix: str, name: str) -> str:
    if ":" in name:
        prefix, name = name.split(":")
    space = _CHART_DRAWING if prefix == "cdr" else NAMESPACES[prefix]
    return f"{{{space}}}{name}"


def _finished(model: ContentModel, occurs: str) -> ContentModel:
    least, most = _bounds(occurs)
    starts: set[str] = {model.name} if model.name else set()
    for part in model.choice:
        starts |= part.starts
    for part in model.sequence:
        starts |= part.starts
        if not part.can_be_empty:
            break
    anything = any(part.anything for part in (*model.sequence, *model.choice))
    empty = least == 0 or _empty_once(model)
    model = replace(model, least=least, most=most, starts=frozenset(starts))
    return replace(model, can_be_empty=empty, anything=anything)


def _bounds(occurs: str) -> tuple[int, int]:
    if occurs.startswith("{"):
        low, _, high = occurs[1:-1].partition(",")
        return int(low), int(high) if high else _MANY
    return {"": (1, 1), "?": (0, 1), "*": (0, _MANY), "+": (1, _MANY)}[occurs]


_TRUTH = ("0", "1", "true", "false")
_INTEGER = re.compile(r"[+-]?\d{1,20}\Z")
_FLOAT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z|-?INF\Z|NaN\Z")
_MEASURE = re.compile(r"-?\d+(\.\d+)?(mm|cm|in|pt|pc|pi)\Z")
_PERCENT = re.compile(r"-?\d+(\.\d+)?%\Z")
_GUIDE = re.compile(r"[^\s\d+-]\S*\Z|[+-]?\d{1,20}\Z")
_GUID = re.compile(r"\{[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}\Z")
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]*={0,2}\s*\Z")
_RANGE = re.compile(r"(-?\d*)\.\.(-?\d*)\Z")
_W3CDTF = re.compile(
    r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?\Z"
)  # the time zone is left out by some writers, and Office reads on
_DATE_ELEMENTS = frozenset(("created", "modified", "lastPrinted"))
_COORDINATES = frozenset(("-27273042329600..27273042316900", "0..2147483647"))
"""Ranges of lengths, which the strict edition writes with a unit."""
_ANGLES = ("21599999", "5399999", "10800000")
_PER_CENT = 1000  # whole numbers count thousandths of a percent


def is_valid(kind: str, value: str, *, strict: bool = False) -> bool:
    """Whether a value is one of its simple type, as the schema data names types.

    ``b`` is a truth value, ``f`` a floating-point number, ``1..9`` a whole number in a range with
    both ends, ``hex6`` so many hexadecimal digits, ``guid``, ``base64`` and ``date`` what they
    say, ``adj`` a length or the name of a guide; other kinds are lists of words. Percentages may
    be written with a sign, lengths with a unit only in the ``strict`` edition.

    >>> is_valid("hex6", "FF8000"), is_valid("hex6", "red"), is_valid("0..100000", "150%")
    (True, False, False)
    """
    if not kind:
        return True
    if bounds := _RANGE.match(kind):
        return _in_range(value, kind, bounds.group(1), bounds.group(2), strict)
    if kind.startswith("hex"):
        return bool(re.fullmatch(rf"[0-9A-Fa-f]{{{kind[3:]}}}", value))
    if kind == "date":
        return is_date(value)
    patterns = {"f": _FLOAT, "guid": _GUID, "adj": _GUIDE, "base64": _BASE64}
    if kind in patterns:
        return bool(patterns[kind].match(value)) or (kind == "adj" and bool(_MEASURE.match(value)))
    if kind == "b":
        return value in _TRUTH
    return value in load_values().get(kind, (value,))


def _in_range(value: str, kind: str, low: str, high: str, strict: bool) -> bool:
    number: float
    if _INTEGER.match(value):
        number = int(value)
    elif _PERCENT.match(value) and not high.endswith(_ANGLES):
        number = float(value[:-1])
        number *= 1 if high and int(high) < 2 * _PER_CENT else _PER_CENT
    else:
        return strict and kind in _COORDINATES and bool(_MEASURE.match(value))
    return (not low or number >= int(low)) and (not high or number <= int(high))


def describe_type(kind: str) -> str:
    """The values of a simple type, in words; empty if a list of words says it.

    >>> describe_type("hex6"), describe_type("0..4")
    ('6 hexadecimal digits', 'a whole number from 0 to 4')
    """
    if bounds := _RANGE.match(kind):
        low, high = bounds.groups()
        return f"a whole number from {low} to {high}" if low and high else "a whole number"
    if kind.startswith("hex"):
        return f"{kind[3:]} hexadecimal digits"
    return {
        "f": "a number", "guid": "an id in braces, as {0A1B2C3D-...}", "date": "a date and time",
        "adj": "a whole number or the name of a guide", "b": "0, 1, true or false",
        "base64": "base64",
    }.get(kind, "")  # fmt: skip


def is_date(text: str) -> bool:
    """Whether a text is a date, or date and time, as the W3C's profile of ISO 8601 spells them.

    >>> is_date("2024-02-29T10:00:00Z"), is_date("2023-02-29T10:00:00Z"), is_date("yesterday")
    (True, False, False)
    """
    if not _W3CDTF.match(text):
        return False
    day, _, time = text.partition("T")
    clock = re.match(r"\d\d:\d\d(:\d\d)?", time)
    try:
        datetime.fromisoformat((day + "-01-01")[:10])
        datetime.fromisoformat(f"2000-01-01T{clock.group() if clock else '00:00'}")
    except ValueError:
        return False
    return True


def check_texts(inspection: Inspection) -> None:
    """Values beyond the vocabulary: dates of core properties and of comments in threads, and the
    ids by which tables name their style."""
    for part in inspection.of_kind("core-properties+xml"):
        for item in _all(inspection, part):
            if isinstance(item.tag, str) and local_name(item.tag) in _DATE_ELEMENTS:
                _check_date(inspection, part, item, item.text or "")
    for part in inspection.of_kind("powerpoint.comments+xml"):
        for item in _all(inspection, part):
            if item.get("created") is not None:
                _check_date(inspection, part, item, item.get("created", ""))
    for part in inspection.of_kind("slide+xml"):
        for item in _all(inspection, part, qn("a:tableStyleId")):
            if not is_valid("guid", (item.text or "").strip()):
                detail = f"<tableStyleId>{within_shape(item)} holds {(item.text or '')[:60]!r}"
                fix = f"Give it {describe_type('guid')}."
                inspection.error("schema.value", part, detail, fix)


def _all(inspection: Inspection, part: str, *tags: str) -> Iterator[Element]:
    root = inspection.root(part)
    return iter(()) if root is None else root.iter(*tags)


def _check_date(inspection: Inspection, part: str, item: Element, text: str) -> None:
    if not is_date(text.strip()):
        detail = f"<{local_name(item.tag)}> holds {text[:60]!r}, which is no date"
        fix = "Give it a date and time such as 2024-01-31T09:30:00Z, or take it out."
        note = inspection.error if text.strip() else inspection.warn
        note("property.date", part, detail, fix)


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

_TOLERATED = frozenset(
    {
        ("presentation", "notesMasterIdLst"),
        ("lineChart", "varyColors"),
        ("ser", "invertIfNegative"),
        *(
            (f"{kind}Chart", "axId")
            for kind in ("area", "bar", "bubble", "line", "radar", "scatter")
        ),
    }
)
"""Parent and child that break the standard and that PowerPoint opens without a word all the same:
a widely used writer of decks has put them there for years."""

_ADD = "Add the element that is missing."
_KNOWN = (
    *(f"{{{NAMESPACES[prefix]}}}" for prefix in ("p", "a", "c", "dgm")),
    "{http://schemas.openxmlformats.org/drawingml/2006/chartDrawing}",
)


def check_conformance(inspection: Inspection) -> None:
    """Check every part of a known vocabulary against the types of that vocabulary.

    Extension lists and elements of other vocabularies are let through; of alternatives
    (``mc:AlternateContent``) every branch is looked at. The parser has left comments out.
    """
    roots = {qn(name): key for name, key in _ROOTS.items()}
    for part in inspection.package.names:
        kind = inspection.package.content_type(part) or ""
        if part in inspection.known or not kind.endswith("+xml"):
            continue
        if (root := inspection.root(part)) is not None and root.tag in roots:
            _check_tree(inspection, part, root, roots[str(root.tag)])


def _check_tree(inspection: Inspection, part: str, root: Element, key: str) -> None:
    types = load_types()
    inside = {qn(name): key for name, key in _INSIDE_ANYTHING.items()}
    waiting: list[tuple[Element, str]] = [(root, key)]
    while waiting:
        element, key = waiting.pop()
        if (kind := types.get(key)) is None:
            continue
        _check_attributes(inspection, part, element, kind)
        if not kind.content.anything:
            _check_children(inspection, part, element, kind)
        for child in _all_children(element):
            following = inside if kind.content.anything else kind.children
            key = following.get(str(child.tag), "")
            if key and not key.endswith("Extension"):  # what extensions hold is not the standard's
                waiting.append((child, key))


def _check_children(inspection: Inspection, part: str, element: Element, kind: ComplexType) -> None:
    children = [child for child in _effective_children(element) if child.tag.startswith(_KNOWN)]
    names = [str(child.tag) for child in children]
    try:
        at = match_children(kind.content, names)
        expected: frozenset[str] = frozenset()
    except Mismatch as mismatch:
        at, expected = mismatch.index, mismatch.expected
        if at == len(names):
            detail = f"{_where(element)} lacks {_spelled(expected)}"
            inspection.error("schema.missing-child", part, detail, _ADD)
            return
    if at < len(names):
        _report_child(inspection, part, element, kind, names=names, at=at, expected=expected)


def _report_child(
    inspection: Inspection,
    part: str,
    element: Element,
    kind: ComplexType,
    *,
    names: list[str],
    at: int,
    expected: frozenset[str],
) -> None:
    child, where = local_name(names[at]), _where(element)
    tolerated = (local_name(element.tag), child) in _TOLERATED
    note = inspection.warn if tolerated else inspection.error
    if names[at] not in kind.children:
        detail = f"{where} holds <{child}>, which has no place in it"
        note("schema.unknown-child", part, detail, f"Take <{child}> out.")
    elif expected and not any(name in expected for name in names[at:]):
        detail = f"{where} lacks {_spelled(expected)} before <{child}>"
        note("schema.missing-child", part, detail, _ADD)
    else:
        after = f"after <{local_name(names[at - 1])}>" if at else "first"
        fix = f"Put <{child}> in its place in the standard's order, as often as it allows."
        note("schema.order", part, f"{where} holds <{child}> {after}", fix)


def _check_attributes(
    inspection: Inspection, part: str, element: Element, kind: ComplexType
) -> None:
    for name in sorted(kind.required - {str(name) for name in element.attrib}):
        detail = f"{_where(element)} lacks the attribute {name!r}"
        inspection.error("schema.missing-attribute", part, detail, f"Add {name!r}.")
    for raw, value in element.attrib.items():
        if (name := str(raw)).startswith("{"):
            continue
        if name not in kind.attributes:
            detail = f"{_where(element)} has the attribute {name!r}, which means nothing there"
            inspection.error("schema.unknown-attribute", part, detail, f"Take {name!r} out.")
        elif not is_valid(kind.attributes[name], str(value).strip(), strict=inspection.strict):
            needs = describe_type(kind.attributes[name])
            detail = f"{_where(element)}: {name}={str(value)[:60]!r} is no value for it"
            detail += f", which takes {needs}" if needs else ""
            fix = f"Give {name!r} {needs or 'a value it can hold'}."
            inspection.error("schema.value", part, detail, fix)


def _effective_children(element: Element) -> Iterator[Element]:
    """Children as a program sees them that uses the first alternative with elements it knows."""
    for child in element:
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
        else:
            yield child


def _spelled(names: frozenset[str]) -> str:
    shown = sorted(f"<{local_name(name)}>" for name in names)
    return shown[0] if len(shown) == 1 else f"one of {', '.join(shown[:6])}"


def _where(element: Element) -> str:
    return f"<{local_name(element.tag)}>{within_shape(element)}"
