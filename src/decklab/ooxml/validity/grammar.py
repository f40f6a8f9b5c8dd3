"""Content models: what may stand inside an element, and whether its children fit.

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
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from decklab.ooxml.xml import NAMESPACES

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
    found: dict[str, ComplexType] = {}
    for prefix, file in VOCABULARIES.items():
        groups: dict[str, str] = {}
        for line in _lines(file):
            name, attributes, *rest = (piece.strip() for piece in line.split("|"))
            if name.startswith("$"):
                groups[name] = attributes
                continue
            found[f"{prefix}:{name}"] = _type(prefix, attributes, rest[0], groups)
    return found


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
    return ContentModel(
        name=model.name,
        type=model.type,
        sequence=model.sequence,
        choice=model.choice,
        least=least,
        most=most,
        starts=frozenset(starts),
        can_be_empty=least == 0 or _empty_once(model),
        anything=any(part.anything for part in (*model.sequence, *model.choice)),
    )


def _bounds(occurs: str) -> tuple[int, int]:
    if occurs.startswith("{"):
        low, _, high = occurs[1:-1].partition(",")
        return int(low), int(high) if high else _MANY
    return {"": (1, 1), "?": (0, 1), "*": (0, _MANY), "+": (1, _MANY)}[occurs]
