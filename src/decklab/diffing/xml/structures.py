"""Compares children that their names do not identify: shapes, paragraphs, runs, rows, cells."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby

from decklab.core.results import by_key
from decklab.diffing.compare.shapes import aligned_cells
from decklab.diffing.sequences import Span, aligned, blocks, moved, overlapping, pair_equal, spans
from decklab.diffing.xml.trees import (
    ChildComparer,
    XmlComparison,
    XmlDifference,
    elements,
    key_of,
    path_of,
)
from decklab.ooxml.xml import Element, local_name, qn, shape_id

_GROUP = qn("p:grpSp")
_OWN = frozenset(qn(name) for name in ("p:nvGrpSpPr", "p:grpSpPr", "p:extLst", "p:custDataLst"))
_SHAPES = frozenset(
    qn(name) for name in ("p:sp", "p:pic", "p:cxnSp", "p:graphicFrame", "p:grpSp", "p:contentPart")
)
_PARAGRAPH = qn("a:p")
_FIELD = qn("a:fld")
_RUNS = frozenset({qn("a:r"), qn("a:br"), _FIELD})
_LIVING = ("slidenum", "datetime")


def shape_of(element: Element) -> Element | None:
    """The shape that contains an element, or the element if it is one; None outside all shapes."""
    at: Element | None = element
    while at is not None and at.tag not in _SHAPES:
        at = at.getparent()
    return at


def _shapes(walk: XmlComparison, old: Element, new: Element) -> Iterator[XmlDifference]:
    """Compare shapes in the pairs that the comparison of slides found, whatever their groups."""
    yield from _own_children(walk, old, new)
    was, now = list(_units(old)), list(_units(new))
    pairs = _paired(was, now, walk.references.shapes)
    paired_old, paired_new = {id(shape) for shape, _ in pairs}, {id(shape) for _, shape in pairs}
    for shape, other in pairs:
        if shape.tag == other.tag == _GROUP:
            yield from walk.attributes(shape, other)
            yield from _own_children(walk, shape, other)
        else:
            yield from walk.compare(shape, other)
    yield from _unpaired(was, paired_old, walk.removed)
    yield from _unpaired(now, paired_new, walk.added)
    yield from _regrouped(pairs, old, new)


def _own_children(walk: XmlComparison, old: Element, new: Element) -> Iterator[XmlDifference]:
    """Compare the children that are no shapes, and their order around the shapes."""
    own = [[child for child in elements(side) if child.tag in _OWN] for side in (old, new)]
    yield from walk.children(new, own[0], own[1])
    yield from _reordered(old, new, {str(item.tag) for item in (*old, *new)} - _OWN)


def _units(holder: Element) -> Iterator[Element]:
    """All shapes below, groups before their members; alternatives are not looked into."""
    for child in elements(holder):
        if child.tag not in _OWN:
            yield child
            if child.tag == _GROUP:
                yield from _units(child)


def _paired(
    was: Sequence[Element], now: Sequence[Element], ids: Mapping[int, int]
) -> list[tuple[Element, Element]]:
    """Pair shapes by unique id, then the rest of the same tag in order."""
    pairs = [] if ids else _by_role(was, now)
    known = {id(shape) for pair in pairs for shape in pair}
    rest = [[shape for shape in side if id(shape) not in known] for side in (was, now)]
    left, right = [_once(side) for side in rest]
    pairs += [(left[a], right[b]) for a, b in _known(ids, left, right) if a in left and b in right]
    paired = {id(shape) for pair in pairs for shape in pair}
    removed = [shape for shape in was if id(shape) not in paired and shape_id(shape) not in left]
    added = [shape for shape in now if id(shape) not in paired and shape_id(shape) not in right]
    left_out, come = dict(enumerate(removed)), dict(enumerate(added))
    same_tag = pair_equal(left_out, come, lambda shape: str(shape.tag))
    pairs += [(removed[i], added[j]) for i, j in same_tag]
    order = {id(shape): index for index, shape in enumerate(now)}
    return sorted(pairs, key=lambda pair: order[id(pair[1])])


def _by_role(was: Sequence[Element], now: Sequence[Element]) -> list[tuple[Element, Element]]:
    """Pairs of placeholders alone of their type: LibreOffice counts their ids anew."""
    roles: list[dict[str, list[Element]]] = [{}, {}]
    for side, holders in zip((was, now), roles, strict=True):
        for shape in side:
            if (holder := shape.find(f"*/{qn('p:nvPr')}/{qn('p:ph')}")) is not None:
                holders.setdefault(holder.get("type") or "", []).append(shape)
    return [
        (mine[0], theirs[0])
        for role, mine in roles[0].items()
        if len(mine) == len(theirs := roles[1].get(role, [])) == 1
    ]


def _known(
    ids: Mapping[int, int], left: Mapping[int, Element], right: Mapping[int, Element]
) -> list[tuple[int, int]]:
    """Pairs of ids: those the shape matching found, else equal ids."""
    return list(ids.items()) if ids else [(id, id) for id in left if id in right]


def _once(side: Sequence[Element]) -> dict[int, Element]:
    by_id = by_key(side, shape_id)
    return {id: units[0] for id, units in by_id.items() if id and len(units) == 1}


def _unpaired(
    side: Sequence[Element], paired: set[int], difference: Callable[[Element], XmlDifference]
) -> Iterator[XmlDifference]:
    """Differences of shapes without a counterpart; not of the members of such a group."""
    removed = {id(unit) for unit in side if id(unit) not in paired}
    for unit in side:
        if id(unit) in removed and id(unit.getparent()) not in removed:
            yield difference(unit)


def _regrouped(
    pairs: Sequence[tuple[Element, Element]], old: Element, new: Element
) -> Iterator[XmlDifference]:
    """Shapes that moved to another group, or within the order of their group."""
    mapped = {id(a): b for a, b in pairs} | {id(old): new}
    families: dict[int, list[tuple[Element, Element]]] = {}
    for a, b in pairs:
        parent, was = b.getparent(), a.getparent()
        if was is not None and parent is not None and mapped.get(id(was)) is parent:
            families.setdefault(id(parent), []).append((a, b))
        else:
            yield XmlDifference("moved", path_of(b), f"{key_of(b)}#group", None, None, b)
    for family in families.values():
        places = [a.getparent().index(a) for a, _ in family]  # type: ignore[union-attr]
        for index in moved(places):
            b = family[index][1]
            where = str(sorted(places).index(places[index]) + 1), str(index + 1)
            yield XmlDifference("moved", path_of(b), f"{key_of(b)}#order", *where, b)


def _paragraphs(walk: XmlComparison, old: Element, new: Element) -> Iterator[XmlDifference]:
    """Compare paragraphs in the pairs that the comparison of texts would find."""
    yield from _other_children(walk, old, new, {_PARAGRAPH})
    a, b = ([child for child in elements(side) if child.tag == _PARAGRAPH] for side in (old, new))
    pairs = aligned(
        [_text_of(paragraph) for paragraph in a], [_text_of(paragraph) for paragraph in b]
    )
    yield from walk.paired(a, b, pairs)


def _other_children(
    walk: XmlComparison, old: Element, new: Element, tags: Collection[str]
) -> Iterator[XmlDifference]:
    """Compare the children that have none of the tags, and their order around those that have."""
    rest = [[child for child in elements(side) if child.tag not in tags] for side in (old, new)]
    yield from walk.children(new, rest[0], rest[1])
    yield from _reordered(old, new, tags)


def _reordered(old: Element, new: Element, like: Collection[str]) -> Iterator[XmlDifference]:
    """Report that children of other tags have another order; the tags in ``like`` count as one."""
    orders = [
        [tag for tag, _ in groupby("" if child.tag in like else str(child.tag) for child in side)]
        for side in (elements(old), elements(new))
    ]
    if orders[0] != orders[1] and set(orders[0]) == set(orders[1]):
        first, last = (" ".join(map(local_name, filter(None, order))) for order in orders)
        yield XmlDifference("moved", path_of(new), f"{key_of(new)}#children", first, last, new)


def _text_of(paragraph: Element) -> str:
    return "".join(_run_text(run) for run in elements(paragraph) if run.tag in _RUNS)


def _run_text(run: Element) -> str:
    if run.tag == qn("a:br"):
        return "\v"
    return "".join(item.text or "" for item in run.iter(qn("a:t")))


def _runs(walk: XmlComparison, old: Element, new: Element) -> Iterator[XmlDifference]:
    """Compare runs character by character, however programs cut the text into runs."""
    yield from _other_children(walk, old, new, _RUNS)
    a, b = ([child for child in elements(side) if child.tag in _RUNS] for side in (old, new))
    texts = _text_of(old), _text_of(new)
    same = [_run_text(run) for run in a] == [_run_text(run) for run in b]
    if [run.tag for run in a] == [run.tag for run in b] and (same or texts[0] != texts[1]):
        for run, other in zip(a, b, strict=True):
            yield from _run(walk, run, other)
        return
    if texts[0] != texts[1]:
        yield XmlDifference("changed", f"{path_of(new)}#text", f"{key_of(new)}#text", *texts, new)
    else:
        yield XmlDifference(
            "changed", f"{path_of(new)}#runs", f"{key_of(new)}#runs", None, None, new
        )
    reported: set[tuple[str, str | None, str | None]] = set()
    for run, other in _corresponding(a, b):
        for difference in _run(walk, run, other, text=False):
            if (state := (difference.path, difference.old, difference.new)) not in reported:
                reported.add(state)
                yield difference


def _run(
    walk: XmlComparison, old: Element, new: Element, *, text: bool = True
) -> Iterator[XmlDifference]:
    """Compare two corresponding runs; ``text`` says whether their texts are compared too."""
    if old.tag != new.tag:
        yield walk.removed(old)
        yield walk.added(new)
        return
    yield from walk.attributes(old, new)
    rest = [[child for child in elements(side) if child.tag != qn("a:t")] for side in (old, new)]
    yield from walk.children(new, rest[0], rest[1])
    yield from _reordered(old, new, frozenset())
    texts = _run_text(old), _run_text(new)
    holders = old.findall(qn("a:t")), new.findall(qn("a:t"))
    if len(holders[0]) != len(holders[1]):
        yield from walk.children(new, *holders)
    if text and texts[0] != texts[1]:
        living = new.tag == _FIELD and (new.get("type") or "").startswith(_LIVING)
        key = f"{key_of(new)}#{'filled' if living else 'text'}"
        yield XmlDifference("changed", f"{path_of(new)}/a:t#text", key, *texts, new)


def _corresponding(a: Sequence[Element], b: Sequence[Element]) -> Iterator[tuple[Element, Element]]:
    """Pairs of runs that hold the same characters, and the first runs of replaced stretches."""
    old, new = spans(a, _run_text), spans(b, _run_text)
    for block in blocks("".join(map(_run_text, a)), "".join(map(_run_text, b))):
        if block.same:
            yield from overlapping(old, new, block)
        elif block.a0 < block.a1 and block.b0 < block.b1:
            yield _at(old, block.a0), _at(new, block.b0)


def _at(runs: Sequence[Span[Element]], where: int) -> Element:
    return next(run for start, end, run in runs if start <= where < end)


def _table(walk: XmlComparison, old: Element, new: Element) -> Iterator[XmlDifference]:
    """Compare rows and columns in the pairs that the comparison of tables would find."""
    rows = old.findall(qn("a:tr")), new.findall(qn("a:tr"))
    cells = [[row.findall(qn("a:tc")) for row in side] for side in rows]
    texts = [[[_cell_text(cell) for cell in row] for row in side] for side in cells]
    down, across = aligned_cells(texts[0], texts[1])
    rest = [
        [child for child in elements(side) if local_name(str(child.tag)) not in ("tr", "tblGrid")]
        for side in (old, new)
    ]
    yield from walk.children(new, rest[0], rest[1])
    yield from _reordered(old, new, {qn("a:tr")})
    grids = [side.findall(f"{qn('a:tblGrid')}/{qn('a:gridCol')}") for side in (old, new)]
    yield from _matched(walk, grids[0], grids[1], across)
    yield from walk.unpaired(*rows, down)
    for i, j in down:
        yield from walk.attributes(rows[0][i], rows[1][j])
        yield from _matched(walk, cells[0][i], cells[1][j], across)
        yield from _other_children(walk, rows[0][i], rows[1][j], {qn("a:tc")})


def _matched(
    walk: XmlComparison,
    a: Sequence[Element],
    b: Sequence[Element],
    pairs: Sequence[tuple[int, int]],
) -> Iterator[XmlDifference]:
    inside = [(i, j) for i, j in pairs if i < len(a) and j < len(b)]
    yield from walk.paired(a, b, inside)


def _cell_text(cell: Element) -> str:
    return "\n".join(_text_of(paragraph) for paragraph in cell.iter(_PARAGRAPH))


_BODIES = ("p:txBody", "a:txBody", "c:rich", "c:txPr", "cx:rich", "cx:txPr", "dsp:txBody", "dgm:t")
STRUCTURES: dict[str, ChildComparer] = {
    qn("p:spTree"): _shapes,
    _PARAGRAPH: _runs,
    qn("a:tbl"): _table,
    **{qn(name): _paragraphs for name in _BODIES},
}
"""How the children of some elements are compared, by tag."""
