"""What a page tells of passages: each from its beginning, in order, as far as there is room.

A passage is what one understands by itself: a paragraph, a list with the sentence that announces
it, an item that is a sentence. What leans on something is told only with that, a sentence that
counts others only with them, and a list whole or with its first items.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import chain, dropwhile
from math import floor, log
from typing import Final

from decklab.documents.sentences import word_count
from decklab.documents.shortening import FRAGMENT
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import ADDRESS, SAYS_LITTLE, Statement
from decklab.writer.story.roles import StatementRole

PAGE_WORDS: Final = 58
"""Words of a body page without a visual, below its title: 60 with it are aimed at. Ours."""
FULL_WORDS: Final = 76
"""Words of a page that ends its topic, so that no page is made for a single sentence. Ours."""
MOST_POINTS: Final = 8
_SAID: Final = 0.75
"""The cosine above which a statement says what a page said already. Ours."""
_GOES_ON: Final = 1.2
"""How much rather a passage goes on than another one begins. Ours."""
_ALIKE: Final = 1.3
"""How much more a passage counts that is told before an earlier one. Ours."""
_OF_TOPIC: Final = 10.0
"""How much rather the first passage of a topic is told where there are several. Ours."""
_LITTLE: Final = 0.85
"""The share of a page up to which it is filled with whatever is understood. Ours."""
_WEAK: Final = 0.5
"""How well a statement stands that is no whole sentence, at the most. Ours."""
_LEAST_VALUE: Final = 0.3
"""What a statement counts that is told where others are. Ours."""
_LEAST_ITEMS: Final = 3
"""Items of a longer list that are told without the others. Ours."""
_EASY_WORDS: Final = 26
"""Words of a sentence that is read at a glance, at most. Ours."""
_LISTED: Final[tuple[StatementRole, ...]] = ("recommendation", "answer")
_LIST_WORDS: Final = 88
_LIST_POINTS: Final = 10
"""Words and points of a page with nothing but a list, which is told whole up to that. Ours."""
_SENTENCE_END: Final = re.compile(r"(?<=[^\W\d]{2}[.;!?])\s+(?=[^\W\d_a-zß-ÿ])")
_Bit = tuple[int, int, Iterator[list[int]], list[int]]
"""What it counts, below 0; its first statement; what follows of its passage; its statements."""


@dataclass
class Told:
    """What pages tell: numbers of statements, and of long items the beginnings that are told."""

    numbers: list[int] = field(default_factory=list)
    begun: dict[int, str] = field(default_factory=dict)

    def words(self, weights: Weighed) -> int:
        """How many words these are."""
        texts = {at: self.begun.get(at, weights.statements[at].text) for at in self.numbers}
        return sum(map(word_count, texts.values()))


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
    fresh = _fresh(numbers, weights, said)
    spare = max(0, (most or words // pages * FULL_WORDS // PAGE_WORDS) - words // pages)
    points *= pages
    if sum(weights.statements[at].words for at in fresh) <= words + spare and len(fresh) <= points:
        return Told(fresh)
    filling = _Filling(weights, words, spare, points)
    queue = _openings(fresh, weights)
    while queue and filling.words > 0 and filling.points > 0:
        _, _, bits, bit = heappop(queue)
        bit = [at for at in bit if at not in filling.made.numbers]
        if taken := filling.takes(bit):
            if not filling.made.begun.keys().isdisjoint(taken):
                # what says more of items is not understood behind their beginnings
                bits = (more for more in bits if weights.statements[more[0]].lead)
            opens = weights.starts[bit[0]] == bit[0]
            _offer(queue, bits, weights, _GOES_ON if opens else 1 / _GOES_ON)
            continue
        if bit and not filling.made.numbers and weights.statements[bit[0]].needs_after:
            bits = chain(([at] for at in bit[1:]), bits)
        later = dropwhile(lambda more: weights.statements[more[0]].needs_before, bits)
        _offer(queue, later, weights, 1 / _GOES_ON)
    if not filling.made.numbers or pages > 1:
        filling.take_part_of_list()
    filling.made.numbers.sort()
    return filling.made


class _Filling:
    """Pages as they are filled: what they tell, and the words and points that are left."""

    def __init__(self, weights: Weighed, words: int, spare: int, points: int) -> None:
        self.made = Told()
        self.words, self.points = words, points
        self._weights, self._all, self._spare = weights, words, spare
        self._torn: list[list[int]] = []

    def takes(self, bit: list[int]) -> list[int]:
        """What of a bit is told; nothing if it is not new, not understood, or has no room."""
        told_before, weights = self.made.numbers, self._weights
        if not _is_new(bit, told_before, weights) or not _is_understood(bit, told_before, weights):
            return []
        asked = _is_asked(bit, weights)
        items = sum(weights.statements[at].item for at in bit)
        listed = asked or items >= _LEAST_ITEMS or any(
            weights.statements[at].opens_list for at in bit
        )  # fmt: skip
        little = self._all - self.words < _LITTLE * self._all
        if not (_value(bit, weights) >= _LEAST_VALUE or (little and _is_clear(bit, weights))):
            return []
        most = room = self.words + (self._spare if listed or little else 0)
        if listed and self._all == PAGE_WORDS:
            room = max(room, _LIST_WORDS - self._all + self.words)
            self.points = max(self.points, _LIST_POINTS - len(told_before))
        fitting, need, begun = _fitting(bit, weights, most, room, self.points)
        if not fitting and not told_before and len(bit) == 1:
            fitting, need = bit, weights.statements[bit[0]].words
        if not fitting and asked:
            fitting = _beginning(bit, weights, room, self.points, least=1)
            need = sum(weights.statements[at].words for at in fitting)
        if not fitting:
            self._torn.append(bit)
        told_before += fitting
        self.made.begun.update(begun)
        self.words, self.points = self.words - need, self.points - _points(fitting, weights)
        return fitting

    def take_part_of_list(self) -> None:
        """Tell the first items of a list that has no room; a part is better than nothing."""
        room = self.words + self._spare
        parts = (_beginning(bit, self._weights, room, self.points) for bit in self._torn)
        self.made.numbers += next(filter(None, parts), [])


def _fresh(numbers: Sequence[int], weights: Weighed, said: Collection[int]) -> list[int]:
    """The statements that say something new, or on which such lean, and no announcement alone;
    without those that lean on what no slide shows, if others are left."""
    leaned_on = {at - 1 for at in numbers if weights.statements[at].needs_before}
    offered = set(numbers)
    new = {at for at in numbers if not _was_said(at, weights, said)}
    listed = {weights.starts[at] for at in new if weights.statements[at].item}
    fresh = [
        at for at in numbers
        if (at in leaned_on or at in new
            or (weights.statements[at].item and weights.starts[at] in listed))
        and (not (items := weights.items_of(at)) or not offered.isdisjoint(items))
    ]  # fmt: skip
    clear: list[int] = []
    for at in fresh:
        item = weights.statements[at]
        leans = item.needs_before and at not in weights.owners
        if item.standing > (ADDRESS if item.item else FRAGMENT) and not (
            leans and at - 1 not in clear
        ):
            clear.append(at)
    return clear or fresh


def _openings(fresh: Sequence[int], weights: Weighed) -> list[_Bit]:
    """The first bits of passages as a heap."""
    queue: list[_Bit] = []
    several = len({weights.owners[at] for at in fresh}) > 1
    opened: set[int] = set()
    for passage in passages_of(fresh, weights):
        owner = weights.owners[passage[0]]
        long = sum(weights.statements[at].words for at in passage) >= SAYS_LITTLE
        opens = several and long and owner not in opened
        opened |= {owner} if opens else set()
        opens = opens or _is_asked(passage, weights)
        _offer(queue, _bits(passage, weights), weights, _OF_TOPIC if opens else 1.0)
    return queue


def _is_asked(bit: Sequence[int], weights: Weighed) -> bool:
    """Whether a bit is a list of recommendations, or that of a summary, which stands before what is
    said of them, as far as there is room."""
    items = [at for at in bit if weights.statements[at].item]
    return len(items) > 1 and any(
        all(role in weights.roles[at] for at in items) for role in _LISTED
    )  # fmt: skip


def passages_of(numbers: Sequence[int], weights: Weighed) -> list[list[int]]:
    """Statements in their order, divided into passages."""
    passages: dict[int, list[int]] = {}
    for at in numbers:
        passages.setdefault(weights.starts[at], []).append(at)
    return list(passages.values())


def _offer(queue: list[_Bit], bits: Iterator[list[int]], weights: Weighed, factor: float) -> None:
    bit = next(bits, None)
    if bit:
        value = factor * _value(bit, weights)
        heappush(queue, (-floor(log(max(value, _LEAST_VALUE)) / log(_ALIKE)), bit[0], bits, bit))


def _value(bit: Sequence[int], weights: Weighed) -> float:
    """What a bit counts, the mean of its statements; long ones count less."""
    scores = (
        weights.scores[at] * min(1.0, _EASY_WORDS / max(1, weights.statements[at].words))
        for at in bit
    )
    return sum(scores) / len(bit)


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


def _is_clear(bit: Sequence[int], weights: Weighed) -> bool:
    """Whether a bit is a whole sentence, or goes on with the one before."""
    item = weights.statements[bit[0]]
    return item.needs_before or item.standing > _WEAK


def _is_understood(bit: Sequence[int], shown: Collection[int], weights: Weighed) -> bool:
    """Whether what a statement leans on is shown, and what it announces."""
    at = bit[0]
    if weights.statements[bit[-1]].opens_list:
        return False
    return not weights.statements[at].needs_before or at in weights.owners or at - 1 in shown


def _fitting(
    bit: list[int], weights: Weighed, words: int, room: int, points: int
) -> tuple[list[int], int, dict[int, str]]:
    """A bit if there is room for it, its words, and the beginnings of items that are told for them:
    of a long list their first sentences, or their names; nothing if there is no room.

    It may need ``room`` words where ``words`` are too few.
    """
    items = [at for at in bit if weights.statements[at].item]
    announced = any(weights.statements[at].opens_list for at in bit)
    if _points(bit, weights) > points:
        return [], 0, {}
    for begin, most in (
        (_whole, words), (_first_sentence, words), (_whole, room), (_first_sentence, room),
        (_name, words),
    ):  # fmt: skip
        texts = {at: begin(weights.statements[at]) for at in items}
        need = sum(weights.statements[at].words for at in bit if at not in texts)
        need += sum(map(word_count, texts.values()))
        if need > most or not all(texts.values()) or (begin is not _whole and len(items) < 2):
            continue
        if begin is _name and not announced:
            continue
        if begin is not _name or word_count(" ".join(texts.values())) > len(items):
            return bit, need, {} if begin is _whole else texts
    return [], 0, {}


def _whole(item: Statement) -> str:
    return item.text


def _first_sentence(item: Statement) -> str:
    ends = (found.start() for found in _SENTENCE_END.finditer(item.text))
    texts = (item.text[:end] for end in ends)
    return next((text for text in texts if word_count(text) > SAYS_LITTLE // 2), item.text)


def _name(item: Statement) -> str:
    return item.name


def _points(bit: Sequence[int], weights: Weighed) -> int:
    """How many points a bit is; a list of names stands in one line."""
    rows = [at for at in bit if weights.is_row(at)]
    return len(bit) - sum(len(weights.items_of(at)) for at in rows)


def _beginning(
    bit: Sequence[int], weights: Weighed, words: int, points: int, least: int = 0
) -> list[int]:
    """The first statements of a bit with a list for which there is room; none if that is little
    of it, or fewer than ``least`` items if that is given."""
    kept: list[int] = []
    for at in bit:
        if weights.statements[at].words > words or len(kept) == points:
            break
        kept.append(at)
        words -= weights.statements[at].words
    items = [at for at in kept if weights.statements[at].item]
    announced = any(weights.statements[at].opens_list for at in bit)
    listed = 2 * len(items) > len(bit) or (announced and len(items) >= _LEAST_ITEMS)
    enough = len(items) >= least if least else listed
    return kept if items and enough else []


def _was_said(at: int, weights: Weighed, said: Collection[int]) -> bool:
    alike = (weights.likeness(at, other) > _SAID for other in said)
    return at in said or (not weights.statements[at].item and any(alike))
