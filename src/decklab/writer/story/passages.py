"""What a page tells of passages: each from its beginning, in order, as far as there is room.

A passage is what one understands by itself: a paragraph, a list with the sentence that announces
it, an item that is a sentence. What leans on something is told only with that, a sentence that
counts others only with them, and a list whole or with its first items.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import chain, dropwhile
from math import floor, log
from typing import Final

from decklab.documents.sentences import word_count
from decklab.documents.shortening import FRAGMENT
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import ADDRESS

PAGE_WORDS: Final = 58
"""Words of a body page without a visual, below its title: 60 with it are aimed at. Ours."""
FULL_WORDS: Final = 74
"""Words of a page that ends its topic, so that no page is made for a single sentence. Ours."""
MOST_POINTS: Final = 8
_SAID: Final = 0.75
"""The cosine above which a statement says what a page said already. Ours."""
_GOES_ON: Final = 1.2
"""How much rather a passage goes on than another one begins. Ours."""
_ALIKE: Final = 1.3
"""How much more a passage counts that is told before an earlier one. Ours."""
_OF_TOPIC: Final = 9
"""How many times so much rather the best passage of another topic is told. Ours."""
_LEAST_VALUE: Final = 0.3
"""What a statement counts that is told where others are. Ours."""
_LEAST_ITEMS: Final = 3
"""Items of a longer list that are told without the others. Ours."""
_Bit = tuple[int, int, Iterator[list[int]], list[int]]
"""What it counts, below 0; its first statement; what follows of its passage; its statements."""


@dataclass
class Told:
    """What pages tell: numbers of statements, and of these the ones that announce a list of which
    only the names of the items are told, in one line with them."""

    numbers: list[int] = field(default_factory=list)
    brief: set[int] = field(default_factory=set)


def told(
    numbers: Sequence[int],
    weights: Weighed,
    words: int,
    said: Collection[int] = (),
    *,
    pages: int = 1,
    points: int = MOST_POINTS,
    most: int = 0,
) -> Told:
    """The numbers of statements that pages tell of some, in order: ``words`` on all, ``points`` on
    each at most.

    All of them if they need only a little more than that, at most ``most`` words a page; else those
    of the passages that count most. ``said`` are statements told before; one that is like them is
    left out too.
    """
    if words <= 0 or not numbers:
        return Told()
    fresh = [at for at in numbers if not _was_said(at, weights, said)]
    spare = max(0, (most or words // pages * FULL_WORDS // PAGE_WORDS) - words // pages)
    points *= pages
    if sum(weights.statements[at].words for at in fresh) <= words + spare and len(fresh) <= points:
        return Told(fresh)
    sound = [
        at for at in fresh
        if weights.statements[at].standing > (ADDRESS if weights.statements[at].item else FRAGMENT)
    ] or fresh  # fmt: skip
    made, starts = Told(), set(weights.starts)
    queue = _openings(passages_of(sound, weights), weights)
    while queue and words > 0 and points > 0:
        _, _, bits, bit = heappop(queue)
        bit = [at for at in bit if at not in made.numbers]
        if not _is_new(bit, made.numbers, weights):
            continue
        if not _is_understood(bit, made.numbers, weights):
            later = dropwhile(lambda more: weights.statements[more[0]].needs_before, bits)
            _offer(queue, later, weights, 1 / _GOES_ON)
            continue
        listed = any(weights.statements[at].opens_list for at in bit)
        most_words = words + spare if listed or not made.numbers else words
        fitting, need, brief = _fitting(bit, weights, most_words, points)
        if not fitting and not made.numbers and len(bit) == 1:
            fitting, need = bit, weights.statements[bit[0]].words
        value = sum(weights.scores[at] for at in fitting) / max(1, len(fitting))
        if made.numbers and value < _LEAST_VALUE:
            continue
        made.numbers += fitting
        made.brief.update(brief)
        words, points = words - need, points - len(fitting)
        if not fitting and weights.statements[bit[0]].needs_after:
            _offer(queue, chain(([at] for at in bit[1:]), bits), weights, 1.0)
        if fitting == bit:
            # what says more of items is not understood behind their names
            rest = (more for more in bits if not brief or weights.statements[more[0]].lead)
            _offer(queue, rest, weights, _GOES_ON if bit[0] in starts else 1 / _GOES_ON)
    made.numbers.sort()
    return made


def passages_of(numbers: Sequence[int], weights: Weighed) -> list[list[int]]:
    """Statements in their order, divided into passages."""
    passages: dict[int, list[int]] = {}
    for at in numbers:
        passages.setdefault(weights.starts[at], []).append(at)
    return list(passages.values())


def _openings(passages: Sequence[list[int]], weights: Weighed) -> list[_Bit]:
    """The first bits of passages as a heap: the best of each topic first, then the others."""
    queue: list[_Bit] = []
    for passage in passages:
        _offer(queue, _bits(passage, weights), weights, 1.0)
    known: set[int] = set()
    openings: list[_Bit] = []
    while queue:
        value, first, bits, bit = heappop(queue)
        openings.append(
            (value - _OF_TOPIC * (weights.owners[first] not in known), first, bits, bit)
        )
        known.add(weights.owners[first])
    heapify(openings)
    return openings


def _offer(queue: list[_Bit], bits: Iterator[list[int]], weights: Weighed, factor: float) -> None:
    bit = next(bits, None)
    if bit:
        value = factor * sum(weights.scores[at] for at in bit) / len(bit)
        heappush(queue, (-floor(log(max(value, _LEAST_VALUE)) / log(_ALIKE)), bit[0], bits, bit))


def _bits(passage: Sequence[int], weights: Weighed) -> Iterator[list[int]]:
    """What is told of a passage at a time, first things first: of a list its beginnings."""
    taken: set[int] = set()
    for place, at in enumerate(passage):
        statement = weights.statements[at]
        if at in taken:
            continue
        bit = [at, *passage[place + 1 : place + 1 + statement.needs_after]]
        bit += weights.items_of(bit[-1])
        if statement.item:
            bit += [other for other in passage[place + 1 :] if weights.statements[other].item]
        taken.update(bit)
        yield [number for number in bit if number in passage]


def _is_new(bit: Sequence[int], chosen: Sequence[int], weights: Weighed) -> bool:
    return bool(bit) and not any(weights.likeness(bit[0], other) > _SAID for other in chosen)


def _is_understood(bit: Sequence[int], shown: Collection[int], weights: Weighed) -> bool:
    """Whether what a statement leans on is shown, and what it announces."""
    at = bit[0]
    if weights.statements[bit[-1]].opens_list:
        return False
    return not weights.statements[at].needs_before or at in weights.owners or at - 1 in shown


def _fitting(
    bit: list[int], weights: Weighed, words: int, points: int
) -> tuple[list[int], int, list[int]]:
    """The part of a bit for which there is room, its words, and what announces a list of names.

    That is all of it; else a list with the names of its items, or the beginning of one.
    """
    need = sum(weights.statements[at].words for at in bit)
    if need <= words and len(bit) <= points:
        return bit, need, []
    announced = [at for at in bit if weights.items_of(at)]
    items = [at for at in bit if weights.statements[at].item]
    if announced and items == weights.items_of(announced[0]):
        names = [weights.statements[at].name for at in items]
        need -= sum(weights.statements[at].words for at in items)
        need += sum(map(word_count, names))
        if all(names) and need <= words and word_count(" ".join(names)) > len(names):
            return bit, need, announced
    kept: list[int] = []
    for at in bit:
        if weights.statements[at].words > words or len(kept) == points:
            break
        kept.append(at)
        words -= weights.statements[at].words
    items = [at for at in kept if weights.statements[at].item]
    listed = 2 * len(items) > len(bit) or (announced and len(items) >= _LEAST_ITEMS)
    kept = kept if items and listed else []
    return kept, sum(weights.statements[at].words for at in kept), []


def _was_said(at: int, weights: Weighed, said: Collection[int]) -> bool:
    return at in said or any(weights.likeness(at, other) > _SAID for other in said)
