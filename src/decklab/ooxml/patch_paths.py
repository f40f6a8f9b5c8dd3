"""Form of a patch, refusals of patches, and paths that cannot take too long."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeGuard

from lxml import etree

from decklab.core.errors import DecklabError
from decklab.ooxml.xml import NAMESPACES, Element

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
        match = _TOKEN.match(text, at)
        if match is None:
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
    allowed = work(cost, size)
    if allowed > most:
        raise Refusal(
            f"the path could take too long on a part of {size.elements:,} elements; "
            "name the steps instead of // or .."
        )
    try:
        found = etree.XPath(xpath, namespaces=NAMESPACES, regexp=False, smart_strings=False)(root)
    except etree.XPathError as error:
        raise Refusal(f"the path is no XPath: {error}") from None
    elements = [one for one in found if isinstance(one, etree._Element)] if _is_list(found) else []
    if not _is_list(found) or len(elements) < len(found):
        raise Refusal("the path leads to something other than elements")
    return elements, allowed


def _is_list(found: object) -> TypeGuard[list[object]]:
    return isinstance(found, list)
