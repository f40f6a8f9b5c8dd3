"""A short document told whole: its sections in their own order, each list on one page.

A document whose words fit on the pages needs no choice of sentences. Each section is a page under
its heading; a long one is divided between its paragraphs, short neighbours stand side by side. If
the pages are a little too few, the ends of the paragraphs that count least are left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from math import ceil, inf
from typing import Final

from decklab.writer.outline import OutlinePoint, VisualRef
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import Topic
from decklab.writer.story.paging import (
    BESIDE_POINTS,
    LEAST_WORDS,
    MOST_SIDES,
    THIN_WORDS,
    UNHEADED_WORDS,
    PageGroup,
    step_pages,
)
from decklab.writer.story.parts import SIDE_WORDS, PagePart, topic_runs
from decklab.writer.story.passages import FULL_WORDS, PAGE_WORDS
from decklab.writer.story.roles import ASKED
from decklab.writer.story.visuals import Visuals

_SHORT: Final = 2.0
"""How many times the usual words of its pages a document may have to be told whole. Ours."""
_MOST_WORDS: Final = 90
"""Words of a page of one section at most, as of all body pages."""
_CUT_WORDS: Final = 108
"""Words of a section up to which it is shortened rather than divided, or a list stands on one page.
Ours."""
_KEPT: Final = 0.5
"""The share of the words of the parts of a section that are left if they are cut to stand side by
side, at least. Ours."""
_LEAST_SAID: Final = 3
"""Words of a statement before the first heading; fewer are a name. Ours."""
_LITTLE: Final = 12
"""Words of a section that has no page where there are more sections than pages. Ours."""
_THIN, _SLIGHT, _FULL, _BESIDE, _STRANGERS, _DENSE = 2.5, 1.0, 0.5, 1.0, 2.0, 6.0
"""The cost of a page that has hardly any words, few, or very many; a further section on it; one
below another heading than the others; and more words than stand side by side. Ours."""


_OF_RECORD: Final = frozenset({"aside"})
"""Roles of a statement that is there for the record only."""
_ALONE: Final = frozenset(
    {"summary", "recommendation", "conclusion", "ask", "decisions", "actions"}
)
"""Roles of sections that stand with others of these only."""


@dataclass(frozen=True)
class _Piece:
    """Parts that stay together: of one section its words, or a run of these; a visual with the
    words beside it; steps."""

    topic: Topic
    above: tuple[Topic, ...]
    """The topics that the topic is a part of, the outermost first."""
    numbers: tuple[int, ...] = ()
    visual: VisualRef | None = None
    steps: tuple[OutlinePoint, ...] = ()
    first: int = 1
    words: int = 0
    alone: bool = False

    @property
    def is_text(self) -> bool:
        return self.visual is None and not self.steps


def is_short(topics: Sequence[Topic], pages: int) -> bool:
    """Whether a document is short enough to be told whole on so many pages."""
    sound = (
        item for topic in topics for part in topic.walk() for item in part.statements
        if not item.flaw
    )  # fmt: skip
    return sum(item.words for item in sound) <= _SHORT * PAGE_WORDS * pages


def whole_parts(
    topics: Sequence[Topic], weights: Weighed, visuals: Visuals, pages: int
) -> list[PagePart]:
    """The pages of a short document in its own order; none if so few cannot hold its sections."""
    kept = {
        at for at, item in enumerate(weights.statements)
        if not item.flaw and weights.roles[at] != _OF_RECORD
    }  # fmt: skip
    if (change := _change(weights, kept)) is not None:
        rest = [
            piece for topic in topics
            for piece in _pieces(topic, (), weights, visuals, kept - {change}, change=change)
        ]  # fmt: skip
        if runs := _pages(rest, pages):
            return [_part(run) for run in runs]
    while True:
        pieces = [piece for topic in topics for piece in _pieces(topic, (), weights, visuals, kept)]
        if runs := _pages(pieces, pages):
            return [_part(run) for run in runs]
        if runs := _pages([*_with_brief_steps(pieces)], pages):
            return [_part(run) for run in runs]
        dropped = _overlong_ends(pieces, weights) or _least_loss(pieces, weights)
        if not dropped:
            return []
        kept -= dropped


def _change(weights: Weighed, kept: set[int]) -> int | None:
    """The first sentence that states what a number was before and after, which a page of its own
    shows best."""
    changes = (
        at for at in sorted(kept)
        if not weights.statements[at].item and change_of(weights.statements[at].text, "")
    )  # fmt: skip
    return next(changes, None)


def _with_brief_steps(pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """The pieces with steps on one page for each list, told by their first sentences."""
    for _, run in groupby(pieces, lambda piece: id(piece.topic)):
        own = [*run]
        stepped = [piece for piece in own if piece.steps]
        brief = step_pages(stepped[0].topic.steps, 1) if len(stepped) > 1 else []
        for piece in own:
            if not piece.steps or not brief:
                yield piece
            elif piece is stepped[0]:
                yield replace(piece, steps=brief[0])


def _overlong_ends(pieces: Sequence[_Piece], weights: Weighed) -> set[int]:
    """The ends of the paragraphs of the parts of one section, without which these stand side by
    side under its heading; nothing if that is too much of what they say."""
    for _, run in groupby(pieces, lambda piece: (_parent(piece), piece.is_text)):
        sides = [*run]
        several = 1 < len({id(piece.topic) for piece in sides}) == len(sides) <= MOST_SIDES
        if not several or not sides[0].above or not sides[0].is_text:
            continue
        kept = {at for piece in sides for at in piece.numbers}
        while _words(kept, weights) > _MOST_WORDS:
            left = [kept.intersection(piece.numbers) for piece in sides]
            left.sort(key=lambda own: _words(own, weights))
            ends = (_least_ending(own, weights) for own in reversed(left))
            if not (end := next(filter(None, ends), set())):
                break
            kept -= end
        said = {at for piece in sides for at in piece.numbers}
        words = _words(kept, weights)
        if kept < said and _MOST_WORDS >= words >= _KEPT * _words(said, weights):
            return said - kept
    return set()


def _least_loss(pieces: Sequence[_Piece], weights: Weighed) -> set[int]:
    """The least of all that would save a page: a remark before the first heading or about
    a visual, the ends of the paragraphs of two neighbours that would stand on one page then, or
    all words of a section."""
    shown = {id(piece.topic) for piece in pieces if piece.visual}
    little = [
        piece for piece in pieces
        if piece.is_text and piece.words < (LEAST_WORDS if piece.topic.heading else UNHEADED_WORDS)
        and (not piece.topic.heading or id(piece.topic) in shown or _is_scrap(piece, weights))
    ]  # fmt: skip
    if little:
        return set(min(little, key=lambda piece: piece.words).numbers)
    pairs = [pair for pair in pairwise(pieces) if _may_join(*pair)]
    joined = {
        id(piece) for pair in pairs for piece in pair if sum(p.words for p in pair) <= _MOST_WORDS
    }
    free = [pair for pair in pairs if joined.isdisjoint(map(id, pair))]
    losses = _losses(free, weights) or _losses(pairs, weights) or [
        (sum(weights.scores[at] for at in piece.numbers), [*piece.numbers])
        for piece in pieces
        if piece.is_text and not piece.above and not _is_asked(piece, weights)
    ]  # fmt: skip
    return set(min(losses)[1]) if losses else set()


def _may_join(first: _Piece, second: _Piece) -> bool:
    """Whether a page may have two neighbours if it holds their words."""
    if not (first.is_text and second.is_text):
        return False
    if first.topic is second.topic:
        return True
    common = _opens((first, second)) or (_parent(first) == _parent(second) and first.above)
    strangers = {piece.topic.role in _ALONE for piece in (first, second)}
    apart = _parent(first) != _parent(second) or len(strangers) > 1
    return not (first.alone or second.alone) and (bool(common) or not apart)


def _losses(
    pairs: Iterable[tuple[_Piece, _Piece]], weights: Weighed
) -> list[tuple[float, list[int]]]:
    """The loss of pairs of neighbours to stand on one page each, with how much it counts."""
    losses: list[tuple[float, list[int]]] = []
    for first, second in pairs:
        rest = {*first.numbers, *second.numbers}
        dropped: set[int] = set()
        while _words(rest, weights) > _MOST_WORDS and (end := _least_ending(rest, weights)):
            rest -= end
            dropped |= end
        if dropped and _words(rest, weights) <= _MOST_WORDS:
            losses.append((sum(weights.scores[at] for at in dropped), sorted(dropped)))
    return losses


def _is_scrap(piece: _Piece, weights: Weighed) -> bool:
    """Whether a section has a few words only, and none that ask for something."""
    return piece.words < _LITTLE and not piece.above and not _is_asked(piece, weights)


def _is_asked(piece: _Piece, weights: Weighed) -> bool:
    asked = any(weights.roles[at] & ASKED for at in piece.numbers)
    return asked or piece.topic.role in _ALONE


def _words(numbers: Iterable[int], weights: Weighed) -> int:
    return sum(weights.statements[at].words for at in numbers)


def _least_ending(kept: set[int], weights: Weighed) -> set[int]:
    """The end of the paragraph whose end counts least, with the sentence on which that leans;
    nothing if each paragraph has only its beginning."""
    passages: dict[int, list[int]] = {}
    for at in sorted(kept):
        passages.setdefault(weights.starts[at], []).append(at)
    ends: list[tuple[float, list[int]]] = []
    for passage in passages.values():
        last = len(passage) - 1
        while last > 0 and weights.statements[passage[last]].needs_before:
            last -= 1
        last = last or len(passage) - 1  # each leans on the one before it
        end = passage[last:]
        listed = any(weights.statements[at].item for at in end)
        asked = any(weights.roles[at] & ASKED for at in end)
        asked = asked or any("answer" in weights.roles[at] for at in passage[last - 1 :])
        if last > 0 and not listed and not asked:
            ends.append((sum(weights.scores[at] for at in end) / len(end), end))
    return set(min(ends)[1]) if ends else set()


def _pieces(
    topic: Topic, above: tuple[Topic, ...], weights: Weighed, visuals: Visuals, kept: set[int],
    *, change: int | None = None,
) -> Iterator[_Piece]:  # fmt: skip
    """The pieces of a topic and its parts in their order; a ``change`` is one by itself."""
    numbers = [at for at in weights.of(topic) if at in kept]
    if not topic.heading:
        numbers = [at for at in numbers if weights.statements[at].words >= _LEAST_SAID]
    steps: list[_Piece] = []
    if topic.steps:
        said = {item.quote for step in topic.steps for item in step.evidence}
        numbers = [
            at for at in numbers
            if not any(quote in weights.statements[at].evidence.quote for quote in said)
        ]  # fmt: skip
        first = topic.first_step
        for run in step_pages(topic.steps, len(topic.steps)):
            steps.append(_Piece(topic, above, steps=run, first=first))
            first += len(run)
    shown: list[_Piece] = []
    for visual in topic.visuals:
        if visuals.weight(visual) > 0:
            beside = tuple(numbers) if _stands_beside(numbers, visual, weights, visuals) else ()
            numbers = [at for at in numbers if at not in beside]
            shown.append(_Piece(topic, above, beside, visual))
    words = _words(numbers, weights)
    while _MOST_WORDS < words <= _CUT_WORDS and (end := _least_ending({*numbers}, weights)):
        numbers = [at for at in numbers if at not in end]
        words = _words(numbers, weights)
    count = ceil(words / _MOST_WORDS) if words > _CUT_WORDS else 1
    owners = dict.fromkeys(numbers, topic)
    runs = [numbers] if numbers else []
    if count > 1:
        runs = topic_runs(numbers, owners, weights, count)
        runs = runs if topic.heading else _paragraphs(numbers, weights)
    divided = bool(topic.heading) and len(runs) > 1
    told = [
        _Piece(topic, above, tuple(run), words=_words(run, weights), alone=divided) for run in runs
    ]
    if change is not None and change in weights.of(topic):
        yield _Piece(topic, above, (change,), words=LEAST_WORDS, alone=True)
    remarks = shown and not (steps or topic.heading or topic.parts or above)
    yield from (*shown, *told) if remarks else (*told, *steps, *shown)
    for part in topic.parts:
        yield from _pieces(part, (*above, topic), weights, visuals, kept, change=change)


def _paragraphs(numbers: Sequence[int], weights: Weighed) -> list[list[int]]:
    """The paragraphs of a text without headings, and its lists with what announces them."""
    runs: dict[int, list[int]] = {}
    start = -1
    for at in numbers:
        item = weights.statements[at]
        start = at if start < 0 or (item.lead and not item.item) else start
        runs.setdefault(start, []).append(at)
    return [*runs.values()]


def _stands_beside(
    numbers: Sequence[int], visual: VisualRef, weights: Weighed, visuals: Visuals
) -> bool:
    """Whether all words of a section stand beside its visual."""
    words = _words(numbers, weights)
    return len(numbers) <= BESIDE_POINTS and 0 < words <= visuals.words_beside(visual)


def _pages(pieces: Sequence[_Piece], most: int) -> list[Sequence[_Piece]]:
    """The pieces on at most ``most`` pages so that these cost least; none if they need more."""
    best: list[dict[int, tuple[float, int]]] = [{0: (0.0, 0)}]
    for end in range(1, len(pieces) + 1):
        found: dict[int, tuple[float, int]] = {}
        for start in range(max(0, end - MOST_SIDES - 1), end):
            cost = _cost(pieces[start:end])
            for pages, (before, _) in best[start].items():
                total = before + cost
                if pages < most and total < found.get(pages + 1, (inf, 0))[0]:
                    found[pages + 1] = (total, start)
        best.append(found)
    if not pieces or not (last := best[-1]) or min(last.values())[0] == inf:
        return []
    count = min(last, key=lambda pages: last[pages][0])
    ends = [len(pieces)]
    for pages in range(count, 0, -1):
        ends.append(best[ends[-1]][pages][1])
    return [pieces[start:end] for start, end in pairwise(reversed(ends))]


def _cost(run: Sequence[_Piece]) -> float:
    """The cost of a page of some pieces; ``inf`` if they do not stand on one page."""
    words = sum(piece.words for piece in run)
    if len(run) == 1:
        if not run[0].is_text:
            return 0.0
        thin = _THIN if words < LEAST_WORDS else _SLIGHT if words < THIN_WORDS else 0.0
        return thin + (_FULL if words > FULL_WORDS else 0.0)
    if any(piece.alone for piece in run):
        return inf
    if not any(piece.topic.heading for piece in run):
        plain = all(piece.is_text for piece in run) and words <= _MOST_WORDS
        return _STRANGERS * (len(run) - 1) if plain else inf
    opened = _opens(run)
    sides = run[1:] if opened else run
    common = opened or sides[0].above
    side_words = SIDE_WORDS.get(max(2, len(sides)), 0)
    if (
        not all(piece.is_text for piece in run)
        or not all(piece.topic.heading for piece in sides)
        or len({id(piece.topic) for piece in run}) < len(run)
        or len({_parent(piece) for piece in sides}) > 1
        or (not common and len({piece.topic.role in _ALONE for piece in sides}) > 1)
        or words > _MOST_WORDS
    ):
        return inf
    dense = max(piece.words for piece in sides) > side_words or words > FULL_WORDS
    return _DENSE * dense + _BESIDE * (len(sides) - 1) + (0.0 if common else _STRANGERS)


def _parent(piece: _Piece) -> int:
    """A number for the section that the topic of a piece is a part of; 0 for none."""
    return id(piece.above[-1]) if piece.above else 0


def _opens(run: Sequence[_Piece]) -> bool:
    """Whether the first piece of a page is what a section says before its parts."""
    return len(run) > 1 and _parent(run[1]) == id(run[0].topic)


def _part(run: Sequence[_Piece]) -> PagePart:
    """A page of some pieces."""
    first = run[0]
    opened = _opens(run)
    common = first.above[-1:] if len(run) > 1 and not opened else ()
    shared = bool(common)
    head = common[0] if shared else first.topic
    topics = tuple(piece.topic for piece in run)
    section = (*first.above, first.topic)[0].heading
    group = PageGroup(
        head.heading, section, (head, *topics) if shared else topics,
        side_by_side=len({id(topic) for topic in topics}) > 1 and not (opened or shared),
    )  # fmt: skip
    return PagePart(
        group, group.topics, tuple(at for piece in run for at in piece.numbers),
        first.visual, first.steps, first=first.first,
    )  # fmt: skip
