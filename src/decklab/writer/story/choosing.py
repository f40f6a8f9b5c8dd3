"""The pages of a long document show the topics that count most, of each so much as fills a page,
and a list whole or not at all."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from decklab.documents.shortening import FRAGMENT, is_of_visual
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import ADDRESS
from decklab.writer.story.pieces import USUAL_WORDS, Piece, class_price

_EACH_SECTION, _AGAIN, _SMALL_WORDS = 1.8, 0.8, 30
"""How much more the first page of a section counts, how much less each further one of a topic, and
the words of which less takes as much room as they do. Ours."""
_VISUAL_WORTH, _LEAST_COST, _OVERHEAD = 0.04, 24, 8
"""What a visual counts of its price, and the words that it takes of a page at least, and a sentence
besides its own. Ours."""
_LEAST_WORTH: Final = 0.3
"""What a sentence counts that fills a page up, at least. Ours."""
_UNHEADED_WORDS: Final = 36
"""Words before the first heading that have a page; fewer are names and dates. Ours."""
_LIST_WORDS: Final = 110
"""Words of a list that is told whole or not at all; of a longer one the first items are. Ours."""
_PASSAGE_WORDS: Final = 48
"""Words of the beginning of a paragraph that is told whole or not at all. Ours."""
_OF_UNIT: Final = 0.3
"""How much less a statement counts of options that stand on a page with their names. Ours."""
_ASIDE: Final = frozenset({"appendix", "aside"})


@dataclass(frozen=True)
class _Unit:
    """What is told whole or not at all, and only if the unit ``behind`` which it stands is."""

    pieces: tuple[Piece, ...]
    worth: float
    words: int
    behind: int = -1


def chosen(pieces: Sequence[Piece], weights: Weighed, words: float) -> list[Piece]:
    """The pieces of a long document that count most in so many words, in its order: whole lists,
    paragraphs from their beginnings, tables and figures, and of each section the best."""
    pieces = [piece for piece in pieces if not _is_of_other_visual(piece, weights)]
    named = {piece.section for piece in pieces if piece.topic.heading or not piece.is_text}
    unnamed = sum(piece.words for piece in pieces if piece.section not in named)
    if unnamed < _UNHEADED_WORDS:
        pieces = [piece for piece in pieces if piece.section in named]
    units = _units(pieces, weights)
    clear = any(unit.worth >= _LEAST_WORTH for unit in units if unit.behind < 0)
    kept: set[int] = set()
    told: set[int] = set()
    topics = groupby(range(len(units)), key=lambda at: id(units[at].pieces[0].topic))
    waiting = [pages for _, own in topics if (pages := _pages_of(units, [*own], clear))]

    def density(pages: list[_Unit]) -> float:
        page = pages[0]
        aside = page.pieces[0].path[0].role in _ASIDE
        opens = not aside and page.pieces[0].section not in told
        return page.worth / max(page.words, _SMALL_WORDS) * (_EACH_SECTION if opens else 1.0)

    while waiting and words > 0:
        best = max(waiting, key=density)
        page = best.pop(0)
        waiting = [pages for pages in waiting if pages]
        if page.words > words + USUAL_WORDS / 2:
            continue
        kept |= {id(piece) for piece in page.pieces}
        told.add(page.pieces[0].section)
        words -= page.words
    return [piece for piece in pieces if id(piece) in kept]


def _pages_of(units: Sequence[_Unit], own: Sequence[int], clear: bool) -> list[_Unit]:
    """The units of a topic in parts of a page, the best first; with ``clear`` without those that
    count little."""
    pages: list[_Unit] = []
    offered = {at for at in own if units[at].behind < 0}
    room = 0
    while offered:
        at = max(offered, key=lambda number: (units[number].worth / units[number].words, -number))
        offered.remove(at)
        unit = units[at]
        if clear and unit.worth < _LEAST_WORTH:
            continue
        offered |= {number for number in own if units[number].behind == at}
        if pages and unit.words <= room:
            page = pages[-1]
            pages[-1] = replace(
                page, pieces=(*page.pieces, *unit.pieces), worth=page.worth + unit.worth,
                words=page.words + unit.words,
            )  # fmt: skip
        else:
            again = _AGAIN ** len(pages)
            pages.append(replace(unit, worth=unit.worth * again))
            room = USUAL_WORDS
        room -= unit.words
    return pages


def refilled(run: Sequence[Piece], rest: Sequence[Piece], weights: Weighed) -> list[Piece]:
    """A page with what else its topics say, as far as it has room; the best first."""
    topics = {id(piece.topic) for piece in run}
    room = min((USUAL_WORDS, *(piece.room for piece in run)))
    room -= sum(piece.words for piece in run)
    offered = [piece for piece in rest if id(piece.topic) in topics]
    kept = {piece.at for piece in run}
    units = _units(offered, weights)
    for unit in sorted(units, key=lambda unit: -unit.worth / unit.words):
        numbers = [piece.at for piece in unit.pieces]
        first = weights.statements[numbers[0]]
        known = first.lead or numbers[0] - 1 in kept
        listed = first.item or weights.is_of_item(numbers[0])
        words = sum(piece.words for piece in unit.pieces)
        if known and not listed and words <= room and unit.worth >= _LEAST_WORTH:
            kept.update(numbers)
            room -= words
    added = [piece for piece in offered if piece.at in kept]
    order = {id(piece.topic): place for place, piece in reversed([*enumerate(run)])}
    text = sorted(
        (piece for piece in (*run, *added) if piece.is_text),
        key=lambda piece: (order[id(piece.topic)], piece.at),
    )
    told = {piece.at for piece in text}
    text = [piece for piece in text if _is_followed(piece.at, told, weights)]
    return [*(piece for piece in run if not piece.is_text), *text]


def _is_followed(at: int, told: Collection[int], weights: Weighed) -> bool:
    """Whether a page has what a statement announces, if it announces something."""
    items = weights.items_of(at)
    if not items and weights.statements[at].text.endswith((":", "：")):
        return at + 1 in told
    return not items or not set(items).isdisjoint(told)


def _units(pieces: Sequence[Piece], weights: Weighed) -> list[_Unit]:
    """The pieces in units: a list with the sentence that announces it, the beginning of each
    paragraph, and behind these the rest of a long list or paragraph."""
    if not pieces:
        return []
    units: list[_Unit] = []
    head, before = -1, pieces[0]  # the unit of the statement before, and that
    for piece in pieces:
        near = before.topic is piece.topic and before.at == piece.at - 1
        if not piece.is_text:
            words = max(_LEAST_COST, USUAL_WORDS - piece.room)
            pages = units[-1] if units and _goes_on(units[-1].pieces[-1], piece) else None
            if pages:
                units[-1] = replace(pages, pieces=(*pages.pieces, piece), words=pages.words + words)
            else:
                units.append(_Unit((piece,), piece.price * _VISUAL_WORTH, words))
            continue
        item = weights.statements[piece.at]
        listed = near and item.item and (before.list_start >= 0 or _opens(before, weights))
        while listed and units[head].behind >= 0 and units[head].pieces[0].inside:
            head = units[head].behind
        follows = near and not item.item and (item.needs_before or not item.lead)
        worth = _worth(piece, weights, follows=follows)
        told_with = listed and units[head].words + piece.words <= _LIST_WORDS
        if follows and not piece.inside:
            told_with = units[head].words + piece.words <= _PASSAGE_WORDS
        if told_with or (near and not item.item and _is_counted(piece.at, weights)):
            whole = units[head]
            units[head] = replace(
                whole, pieces=(*whole.pieces, piece), worth=whole.worth + worth,
                words=whole.words + piece.words,
            )  # fmt: skip
        else:
            leans = listed or (near and (item.needs_before or not item.lead))
            worth = 0.0 if item.needs_before and not near else worth
            behind = head if leans else -1
            units.append(_Unit((piece,), worth, piece.words + _OVERHEAD, behind))
            head = len(units) - 1
        before = piece
    return units


def _worth(piece: Piece, weights: Weighed, *, follows: bool) -> float:
    """The worth of a statement: less if it is chatter, 0 if nobody understands it alone and it does
    not follow the one before."""
    item = weights.statements[piece.at]
    unclear = not follows and item.standing <= (ADDRESS if item.item else FRAGMENT)
    factor = min(1.0, class_price(piece.at, piece.topic, weights))
    factor *= _OF_UNIT if piece.topic.is_unit else 1.0
    return 0.0 if unclear else weights.scores[piece.at] * factor


def _is_of_other_visual(piece: Piece, weights: Weighed) -> bool:
    """Whether a statement says what a figure or table shows that its section does not have."""
    if not piece.is_text or piece.list_start >= 0 or piece.topic.visuals:
        return False
    return is_of_visual(weights.statements[piece.at].evidence.quote)


def _goes_on(before: Piece, piece: Piece) -> bool:
    """Whether a piece is a further page of the table of the one before."""
    first, second = before.visual, piece.visual
    if first is None or second is None:
        return False
    return (first.kind, first.number) == (second.kind, second.number)


def _opens(piece: Piece, weights: Weighed) -> bool:
    return bool(weights.statements[piece.at].opens_list)


def _is_counted(at: int, weights: Weighed) -> bool:
    """Whether a statement before it counts this one, and is told with it."""
    return any(
        weights.statements[other].needs_after >= at - other
        for other in range(weights.starts[at], at)
    )
