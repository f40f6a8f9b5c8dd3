"""Which items of two lists correspond, which of them moved, and which words of two texts differ."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from math import inf, isfinite
from typing import Any, Literal, TypeVar

Indexes = list[int]


def best_assignment(
    cost: Iterable[Iterable[float]], *, maximize: bool = False
) -> tuple[Indexes, Indexes]:
    """Rows and columns of the pairs with the least total of ``cost``, m rows of n finite numbers.

    Both results have min(m, n) items, rows in ascending order; each row and each column is in one
    pair at most. With ``maximize`` the total is the largest. Of equal totals it takes the one that
    SciPy's ``linear_sum_assignment`` takes, which takes longer to import than most matrices here
    take to solve. Shortest augmenting paths: Crouse 2016, "On implementing 2D rectangular
    assignment algorithms", section II. Raises ValueError for rows of different lengths and for
    costs that are not finite.

    >>> best_assignment([[4, 1, 3], [2, 0, 5]])
    ([0, 1], [1, 0])
    """
    sign = -1.0 if maximize else 1.0
    costs = [[sign * float(score) for score in row] for row in cost]
    if len({len(row) for row in costs}) > 1 or not all(isfinite(c) for row in costs for c in row):
        raise ValueError("an assignment needs a matrix of finite costs")
    if not costs or len(costs) <= len(costs[0]):
        return list(range(len(costs))), _columns(costs)
    rows = _columns([list(column) for column in zip(*costs, strict=True)])
    order = sorted(range(len(rows)), key=rows.__getitem__)
    return [rows[column] for column in order], order


def _columns(cost: list[list[float]]) -> Indexes:
    """The column of each row; there are no more rows than columns."""
    width = len(cost[0]) if cost else 0
    row_price, column_price = [0.0] * len(cost), [0.0] * width
    column_of, row_of = [-1] * len(cost), [-1] * width
    for start in range(len(cost)):
        shortest, before = [inf] * width, [-1] * width
        # From the last to the first: equal costs then give each row the column of its number.
        remaining = list(range(width))[::-1]
        rows, seen = [start], []
        row, length = start, 0.0
        while True:
            paid = row_price[row]
            nearest, index = inf, -1
            for at, column in enumerate(remaining):
                path = length + cost[row][column] - paid - column_price[column]
                if path < shortest[column]:
                    shortest[column], before[column] = path, row
                path = shortest[column]
                if path < nearest or (path == nearest and row_of[column] < 0):
                    nearest, index = path, at
            column, length = remaining[index], nearest
            seen.append(column)
            if (row := row_of[column]) < 0:
                break
            rows.append(row)
            last = remaining.pop()
            if index < len(remaining):
                remaining[index] = last
        row_price[start] += length
        for row in rows[1:]:
            row_price[row] += length - shortest[column_of[row]]
        for column in seen:
            column_price[column] -= length - shortest[column]
        _augment(column, start, before, column_of, row_of)
    return column_of


def _augment(column: int, start: int, before: Indexes, column_of: Indexes, row_of: Indexes) -> None:
    """Exchange pairs along the path that ends in a free column."""
    while True:
        row = before[column]
        row_of[column] = row
        column_of[row], column = column, column_of[row]
        if row == start:
            return


Index = TypeVar("Index", bound=Hashable)
Item = TypeVar("Item")
Other = TypeVar("Other")
Pairs = list[tuple[int, int]]
"""Indexes of items that correspond: in the older list, in the newer list."""

_WORD = re.compile(r"\w+")
_HUGE = 10_000
"""Pairs of items beyond which replaced stretches are paired in order. Ours."""
_GATE = 0.3
"""Below this share of common words two items do not correspond. Ours."""


def pair_equal(
    left: dict[Index, Item], right: dict[Index, Item], key: Callable[[Item], Hashable]
) -> list[tuple[Index, Index]]:
    """Take the items with equal keys out of both; give their indexes, in the order of ``right``.

    Of several items with one key the first goes with the first. An empty text as key matches none.

    >>> left, right = dict(enumerate("abb")), dict(enumerate("bac"))
    >>> pair_equal(left, right, str), left, right
    ([(1, 0), (0, 1)], {2: 'b'}, {2: 'c'})
    """
    waiting: dict[Hashable, deque[Index]] = defaultdict(deque)
    for i, item in left.items():
        waiting[key(item)].append(i)
    waiting.pop("", None)
    pairs = [
        (waiting[value].popleft(), j)
        for j, item in right.items()
        if waiting.get(value := key(item))
    ]
    for i, j in pairs:
        del left[i], right[j]
    return pairs


def pair_by_keys(
    a: Sequence[Item], b: Sequence[Item], keys: Sequence[Callable[[Item], Hashable]]
) -> Pairs:
    """Pairs of items that agree in the first key; of the rest, in the second key; and so on."""
    left, right = dict(enumerate(a)), dict(enumerate(b))
    return [pair for key in keys for pair in pair_equal(left, right, key)]


def unpaired(
    a: Sequence[Item], b: Sequence[Other], pairs: Sequence[tuple[int, int]]
) -> tuple[list[tuple[int, Item]], list[tuple[int, Other]]]:
    """The items of ``a`` and those of ``b`` that are in no pair, each with its index.

    >>> unpaired("ab", "bc", [(1, 0)])
    ([(0, 'a')], [(1, 'c')])
    """
    old, new = {i for i, _ in pairs}, {j for _, j in pairs}
    return (
        [(i, item) for i, item in enumerate(a) if i not in old],
        [(j, item) for j, item in enumerate(b) if j not in new],
    )


def best_pairs(scores: Sequence[Sequence[float]], gate: float) -> Pairs:
    """The pairs of rows and columns with the highest sum of scores, none of them below ``gate``.

    Each row and each column is in one pair at most; ``gate`` is above 0. Of equal sums, pairs with
    similar positions in their lists win.
    """
    likely = [
        (i, j) for i, row in enumerate(scores) for j, score in enumerate(row) if score >= gate
    ]
    if len({i for i, _ in likely}) == len({j for _, j in likely}) == len(likely):
        return likely
    rows, columns = len(scores), len(scores[0])

    def worth(i: int, j: int) -> float:
        score = scores[i][j]
        return score - abs(i / rows - j / columns) * 1e-6 if score >= gate else 0.0

    table = [[worth(i, j) for j in range(columns)] for i in range(rows)]
    indexes = zip(*best_assignment(table, maximize=True), strict=True)
    return [(int(i), int(j)) for i, j in indexes if scores[i][j] >= gate]


def words_of(text: str) -> Counter[str]:
    """The words of a text, in one case, counted."""
    return Counter(_WORD.findall(text.casefold()))


def overlap(a: Counter[Any], b: Counter[Any]) -> float:
    """Dice's coefficient of two multisets; 1 if both are empty.

    >>> overlap(Counter("aab"), Counter("abc"))
    0.6666666666666666
    """
    if not (total := a.total() + b.total()):
        return 1.0
    small, large = (a, b) if len(a) < len(b) else (b, a)
    common = sum(min(count, large[item]) for item, count in small.items() if item in large)
    return 2 * common / total


def aligned(a: Sequence[str], b: Sequence[str]) -> Pairs:
    """Pairs of indexes: equal items in order, and between them the most similar ones.

    Replaced stretches of equal length are paired item by item.

    >>> aligned(["one", "two", "three"], ["one", "new", "two", "three"])
    [(0, 0), (1, 2), (2, 3)]
    """
    if len(a) == len(b) and sum(map(str.__ne__, a, b)) <= 1:
        return [(i, i) for i in range(len(a))]
    pairs = []
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    for tag, i0, i1, j0, j1 in matcher.get_opcodes():
        if tag == "equal" or (tag == "replace" and i1 - i0 == j1 - j0):
            pairs += list(zip(range(i0, i1), range(j0, j1), strict=True))
        elif tag == "replace" and (i1 - i0) * (j1 - j0) <= _HUGE:
            pairs += [(i0 + i, j0 + j) for i, j in _most_similar(a[i0:i1], b[j0:j1])]
        elif tag == "replace":
            pairs += list(zip(range(i0, i1), range(j0, j1), strict=False))
    return pairs


def _most_similar(a: Sequence[str], b: Sequence[str]) -> Pairs:
    words = [words_of(text) for text in a], [words_of(text) for text in b]
    return best_pairs([[overlap(text, other) for other in words[1]] for text in words[0]], _GATE)


def moved(positions: Sequence[int], weights: Sequence[float] | None = None) -> list[int]:
    """Indexes of the items outside a longest increasing subsequence of their old positions.

    ``positions`` holds distinct old positions in the new order; all other items are still in their
    old order. With ``weights`` the subsequence is the heaviest.

    >>> moved([0, 3, 1, 2])
    [1]
    >>> moved([0, 1, 2])
    []
    >>> moved([1, 0], [1.0, 2.0])
    [0]
    """
    if all(a < b for a, b in pairwise(positions)):
        return []
    in_order = _longest(positions) if weights is None else _heaviest(positions, weights)
    return [index for index in range(len(positions)) if index not in in_order]


def _heaviest(positions: Sequence[int], weights: Sequence[float]) -> set[int]:
    best: list[tuple[float, int]] = []
    for index, position in enumerate(positions):
        before = [(best[other][0], other) for other in range(index) if positions[other] < position]
        weight, last = max(before, default=(0.0, -1))
        best.append((weight + weights[index], last))
    at = max(range(len(best)), key=lambda index: best[index][0], default=-1)
    in_order = set()
    while at >= 0:
        in_order.add(at)
        at = best[at][1]
    return in_order


def _longest(positions: Sequence[int]) -> set[int]:
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for index, position in enumerate(positions):
        place = bisect_left(tails, position)
        previous.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(position)
            ends.append(index)
        else:
            tails[place] = position
            ends[place] = index
    in_order = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        in_order.add(at)
        at = previous[at]
    return in_order


_TOKENS = re.compile(r"\w+|\s|[^\w\s]")
_MOST_PAIRS = 4_000_000
"""Pairs of tokens beyond which the middle of two texts counts as replaced as a whole. Ours: the
longest notes then take under a second."""


@dataclass(frozen=True)
class WordEdit:
    """Words that were inserted, deleted or replaced."""

    action: Literal["insert", "delete", "replace"]
    old: str
    new: str
    position: int
    """Of the first character, in the older text."""


@dataclass(frozen=True)
class TextBlock:
    """Two stretches of characters that correspond: ``[a0, a1)`` in the old, ``[b0, b1)`` in the
    new text."""

    same: bool
    a0: int
    a1: int
    b0: int
    b1: int


def word_edits(old: str, new: str) -> tuple[WordEdit, ...]:
    """The edits that turn ``old`` into ``new``, word by word.

    >>> word_edits("the red fox", "the quick red dog")
    (WordEdit(action='insert', old='', new='quick ', position=4),\
 WordEdit(action='replace', old='fox', new='dog', position=8))
    """
    edits = []
    for block in blocks(old, new):
        if block.same:
            continue
        removed, inserted = old[block.a0 : block.a1], new[block.b0 : block.b1]
        action: Literal["insert", "delete", "replace"] = (
            "replace" if removed and inserted else "delete" if removed else "insert"
        )
        edits.append(WordEdit(action, removed, inserted, block.a0))
    return tuple(edits)


def blocks(old: str, new: str) -> list[TextBlock]:
    """How two texts correspond, in whole words, from start to end.

    Blanks and punctuation that stand alone between two replaced stretches belong to these.
    """
    if old == new:
        return [TextBlock(True, 0, len(old), 0, len(new))] if old else []
    a, b = _TOKENS.findall(old), _TOKENS.findall(new)
    places_a, places_b = _places(a), _places(b)
    parts = [
        TextBlock(same, places_a[i0], places_a[i1], places_b[j0], places_b[j1])
        for same, i0, i1, j0, j1 in _opcodes(a, b)
    ]
    return _joined_over_blanks(parts, old)


def _joined_over_blanks(parts: list[TextBlock], old: str) -> list[TextBlock]:
    in_order: list[TextBlock] = []
    for index, block in enumerate(parts):
        around = parts[index - 1 : index + 2 : 2] if 0 < index < len(parts) - 1 else []
        is_blank = not any(map(str.isalnum, old[block.a0 : block.a1]))
        between = block.same and is_blank and bool(around) and all(map(_replaces, around))
        if in_order and not in_order[-1].same and (between or not block.same):
            first = in_order.pop()
            in_order.append(TextBlock(False, first.a0, block.a1, first.b0, block.b1))
        else:
            in_order.append(block)
    return in_order


def _replaces(block: TextBlock) -> bool:
    return block.a0 < block.a1 and block.b0 < block.b1


def _places(tokens: Sequence[str]) -> list[int]:
    places = [0]
    for token in tokens:
        places.append(places[-1] + len(token))
    return places


def _opcodes(a: Sequence[str], b: Sequence[str]) -> list[tuple[bool, int, int, int, int]]:
    """The common start and end are cut off first: the rest is usually short."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    inner_a, inner_b = a[start : len(a) - end], b[start : len(b) - end]
    opcodes = [(True, 0, start, 0, start)] if start else []
    if len(inner_a) * len(inner_b) > _MOST_PAIRS:
        opcodes.append((False, start, len(a) - end, start, len(b) - end))
    else:
        matcher = SequenceMatcher(None, inner_a, inner_b, autojunk=False)
        opcodes += [
            (tag == "equal", start + i0, start + i1, start + j0, start + j1)
            for tag, i0, i1, j0, j1 in matcher.get_opcodes()
        ]
    if end:
        opcodes.append((True, len(a) - end, len(a), len(b) - end, len(b)))
    return opcodes


Span = tuple[int, int, Item]
"""First character of an item in a text, the one after its last, and the item."""


def spans(items: Sequence[Item], text: Callable[[Item], str]) -> list[Span[Item]]:
    """The place of each item in the text that all items together make."""
    placed, start = [], 0
    for item in items:
        end = start + len(text(item))
        placed.append((start, end, item))
        start = end
    return placed


def overlapping(
    a: Sequence[Span[Item]], b: Sequence[Span[Item]], block: TextBlock
) -> Iterator[tuple[Item, Item]]:
    """Pairs of items that hold characters of an equal block in common."""
    shift = block.b0 - block.a0
    for start, end, item in a:
        for low, high, other in b:
            if max(start, block.a0, low - shift) < min(end, block.a1, high - shift):
                yield item, other
