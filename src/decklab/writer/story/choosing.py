"""What of a long document has a place on its pages: what counts most, a list whole or not at all,
and of each section the best."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from decklab.documents.shortening import FRAGMENT, is_of_visual
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import ADDRESS
from decklab.writer.story.pieces import USUAL_WORDS, Piece, class_price

_EACH_SECTION, _FIRST_WORDS, _AGAIN = 3.0, 36, 0.8
"""How much more the first words of a section count, so many of them, and how much less those do
that follow a whole page of it. Ours."""
_VISUAL_WORTH, _LEAST_COST, _OVERHEAD = 0.04, 24, 8
"""What a visual counts of its price, and the words that it takes of a page at least, and a sentence
besides its own. Ours."""
_LEAST_WORTH: Final = 0.3
"""What a sentence counts that fills a page up, at least. Ours."""
_UNHEADED_WORDS: Final = 36
"""Words before the first heading that have a page; fewer are names and dates. Ours."""
_LIST_WORDS: Final = 110
"""Words of a list that is told whole or not at all; of a longer one the first items are. Ours."""
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
    offered = {at for at, unit in enumerate(units) if unit.behind < 0}
    clear = any(units[at].worth >= _LEAST_WORTH for at in offered)
    told: Counter[int] = Counter()
    kept: set[int] = set()

    def density(at: int) -> float:
        unit = units[at]
        section = told[unit.pieces[0].section]
        again = _AGAIN ** (section / USUAL_WORDS)
        aside = unit.pieces[0].path[0].role in _ASIDE
        first = 1.0 if aside else 1 + (_EACH_SECTION - 1) * min(1.0, _FIRST_WORDS / unit.words)
        return unit.worth / unit.words * (again if section else first)

    while offered and words > 0:
        at = max(offered, key=lambda number: (density(number), -number))
        offered.remove(at)
        unit = units[at]
        if (clear and unit.worth < _LEAST_WORTH) or unit.words > words + USUAL_WORDS / 2:
            continue
        kept |= {id(piece) for piece in unit.pieces}
        told[unit.pieces[0].section] += unit.words
        words -= unit.words
        offered |= {number for number, other in enumerate(units) if other.behind == at}
    return [piece for piece in pieces if id(piece) in kept]


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
    """The pieces in units: a list with the sentence that announces it, each other sentence, and
    behind these the rest of a long list, and each further sentence of their paragraphs."""
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
        item, worth = weights.statements[piece.at], _worth(piece, weights)
        listed = near and item.item and (before.list_start >= 0 or _opens(before, weights))
        while listed and units[head].behind >= 0 and units[head].pieces[0].inside:
            head = units[head].behind
        told_with = listed and units[head].words + piece.words <= _LIST_WORDS
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


def _worth(piece: Piece, weights: Weighed) -> float:
    """What a statement counts: less if it is chatter, nothing if nobody understands it alone."""
    item = weights.statements[piece.at]
    unclear = item.standing <= (ADDRESS if item.item else FRAGMENT)
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
