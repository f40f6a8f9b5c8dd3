"""Two changes of the same XML brought together: one is made on what the other left."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from difflib import SequenceMatcher

from decklab.ooxml.xml import Element, qn

_Key = tuple[object, ...]
_Piece = tuple[int, int, int, int]
"""From and to in the base, from and to in the other."""
_WHOLE = qn("a:p")
"""Half a paragraph of one text and half of another is a text that nobody wrote."""


class _Met(Exception):
    """Both sides changed the same thing within a paragraph."""


def merged(base: Element, ours: Element, theirs: Element) -> Element:
    """A copy of ``ours`` with what changed from ``base`` to ``theirs``.

    Where both changed the same attribute, the same text or the same children, ours stays; so does
    the whole of a paragraph in which they met.
    """
    return _merged(base, ours, theirs, strict=False)


def _merged(base: Element, ours: Element, theirs: Element, *, strict: bool) -> Element:
    was, here, there = (_key(one) for one in (base, ours, theirs))
    if here == was:
        return deepcopy(theirs)
    if there in (was, here):
        return deepcopy(ours)
    if not base.tag == ours.tag == theirs.tag:
        return _ours(ours, strict=strict)
    if ours.tag == _WHOLE and not strict:
        try:
            return _inside(base, ours, theirs, strict=True)
        except _Met:
            return deepcopy(ours)
    return _inside(base, ours, theirs, strict=strict)


def _ours(ours: Element, *, strict: bool) -> Element:
    if strict:
        raise _Met
    return deepcopy(ours)


def _inside(base: Element, ours: Element, theirs: Element, *, strict: bool) -> Element:
    made = deepcopy(ours)
    for child in list(made):
        made.remove(child)
    sides = (base, ours, theirs)
    made.text = _value([one.text for one in sides], strict=strict)
    for name in {*base.attrib, *ours.attrib, *theirs.attrib}:
        value = _value([one.get(name) for one in sides], strict=strict)
        if value is not None:
            made.set(name, value)
        elif name in made.attrib:
            del made.attrib[name]
    tags = [[child.tag for child in one] for one in sides]
    if tags[0] == tags[1] == tags[2]:
        children = [_merged(*three, strict=strict) for three in zip(*sides, strict=True)]
    elif all(len(set(one)) == len(one) for one in tags):
        children = list(_by_tag(base, ours, theirs, strict=strict))
    else:
        children = list(_in_order(list(base), list(ours), list(theirs), strict=strict))
    made.extend(children)
    return made


def _value(sides: Sequence[str | None], *, strict: bool) -> str | None:
    was, here, there = sides
    if here == was:
        return there
    if strict and there not in (was, here):
        raise _Met
    return here


def _by_tag(base: Element, ours: Element, theirs: Element, *, strict: bool) -> Iterator[Element]:
    """The children of an element that has one of each kind, such as properties."""
    was, here, there = ({child.tag: child for child in one} for one in (base, ours, theirs))
    order = list(here)
    for at, tag in enumerate(there):
        if tag not in order:
            before = [order.index(one) for one in list(there)[:at] if one in order]
            order.insert(max(before, default=-1) + 1, tag)
    for tag in order:
        if tag in was and tag in here and tag in there:
            yield _merged(was[tag], here[tag], there[tag], strict=strict)
        elif tag in was:  # one side took it out
            other = here.get(tag, there.get(tag))
            if other is not None and _key(other) != _key(was[tag]):
                if strict:
                    raise _Met
                if tag in here:
                    yield deepcopy(other)
        elif tag in here:
            if strict and tag in there and _key(here[tag]) != _key(there[tag]):
                raise _Met
            yield deepcopy(here[tag])
        else:
            yield deepcopy(there[tag])


def _in_order(
    base: list[Element], ours: list[Element], theirs: list[Element], *, strict: bool
) -> Iterator[Element]:
    """Children of which several are of one kind, such as paragraphs and shapes."""
    keys = [[_key(one) for one in side] for side in (base, ours, theirs)]
    at, shifts = 0, (0, 0)
    for start, end, here, there in _regions(_changed(*keys[:2]), _changed(keys[0], keys[2])):
        yield from map(deepcopy, base[at:start])
        sides = tuple(
            side[start + shift : end + shift + sum(b - a - (j - i) for i, j, a, b in own)]
            for side, shift, own in zip((ours, theirs), shifts, (here, there), strict=True)
        )
        shifts = (
            shifts[0] + len(sides[0]) - (end - start), shifts[1] + len(sides[1]) - (end - start)
        )  # fmt: skip
        at = end
        was = base[start:end]
        if not here or not there:
            yield from map(deepcopy, sides[0] if here else sides[1])
        elif len(was) == len(sides[0]) == len(sides[1]):
            for three in zip(was, *sides, strict=True):
                yield _merged(*three, strict=strict)
        elif strict:
            raise _Met
        else:
            yield from map(deepcopy, sides[0])
    yield from map(deepcopy, base[at:])


def _changed(base: list[_Key], other: list[_Key]) -> list[_Piece]:
    numbers: dict[_Key, int] = {}
    was, now = ([numbers.setdefault(key, len(numbers)) for key in side] for side in (base, other))
    codes = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    return [(i, j, a, b) for what, i, j, a, b in codes if what != "equal"]


def _regions(
    here: list[_Piece], there: list[_Piece]
) -> Iterator[tuple[int, int, list[_Piece], list[_Piece]]]:
    """Stretches of the base that a side changed, with the changes of both; what overlaps is one."""
    waiting = sorted([(one, 0) for one in here] + [(one, 1) for one in there])
    while waiting:
        (start, end, _a, _b), _side = waiting[0]
        own: tuple[list[_Piece], list[_Piece]] = ([], [])
        while waiting and (waiting[0][0][0] < end or waiting[0][0][0] == start):
            piece, side = waiting.pop(0)
            own[side].append(piece)
            end = max(end, piece[1])
        yield start, end, *own


def _key(element: Element) -> _Key:
    """The same for elements that say the same."""
    text = "" if len(element) else element.text or ""
    return str(element.tag), text, *sorted(element.attrib.items()), *map(_key, element)
