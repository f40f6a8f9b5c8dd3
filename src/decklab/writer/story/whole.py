"""A short document told whole: each section on pages of its own, its sentences whole and in order.

Pages end where that costs least: a page break inside a section, two sections on one page, a crowded
page and each sentence that is left out have a price, and of all ways to fill the pages the cheapest
is taken. Words are left out only where a page has too many of them: first chatter, then examples
and reasons; what is to be done, sums, dates and decisions at last. A list stays on one page, or
goes on over several with whole items.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import groupby, pairwise, takewhile
from math import inf
from statistics import median
from typing import Final

from decklab.core.options import DocumentKindName
from decklab.documents.sentences import word_count
from decklab.writer.outline import OutlinePoint, VisualRef
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.importance import Weighed, has_fact
from decklab.writer.story.kinds import SectionRole, role_weight
from decklab.writer.story.material import Topic
from decklab.writer.story.paging import PageGroup, row_pages
from decklab.writer.story.parts import PagePart
from decklab.writer.story.roles import ASKED, COUNTS, StatementRole
from decklab.writer.story.titles import states
from decklab.writer.story.visuals import Visuals

_SHORT: Final = 130
"""Words of its sentences a page that a document may have to be told whole. Ours."""
_MOST_WORDS: Final = 90
_USUAL_WORDS: Final = 60
"""Words of a page at most, and of the median page."""
_FREE_LABELS: Final = 12
"""Words of headings on a page that leave its sentences their room. Ours."""
_THIN: Final = 25
"""Words that a page has at least, if it can. Ours."""
_MOST_POINTS: Final = 14
"""Sentences and items of one page. Ours."""
_LEAST_SAID: Final = 3
"""Words of a statement before the first heading; fewer are a name. Ours."""
_CROWDED: Final = (0.3, 0.5)
"""The price of a word beyond the usual ones of a page: the next one is tried if the median page has
more. Ours, as all prices: one is that of a plain word that is left out."""
_JOINED, _MORE_JOINED, _TORN_SECTION = 22.0, 90.0, 80.0
"""The price of a second section on a page, of each further one, and of one that is not whole."""
_IN_PART, _IN_SECTION, _IN_PARAGRAPH, _IN_LIST = 3.0, 12.0, 22.0, 36.0
"""The price of a page break before a part of a section, between its paragraphs, and inside one or a
list."""
_SECTION, _OPENING = 90.0, 20.0
"""The price of a section that is on no page, by its role, beside that of its sentences; and that of
what stands before the first heading."""
_LONELY: Final = 25.0
"""The price of a table without the words of its section, where there are some."""
_EMPTY, _BRIEF = 1.2, 0.4
"""The price of each word that a page has too few, and the share of it for a whole section."""
_OWN_PAGE: Final = 18.0
"""The worth of a page of its own for a change."""
_PRICES: Final[tuple[tuple[float, frozenset[StatementRole]], ...]] = (
    (2.6, ASKED | {"answer", "decision", "light"}),
    (2.2, frozenset({"deadline", "cost"})),
    (1.7, frozenset({"status", "result", "risk"})),
)
"""The price of a word by what its sentence does."""
_ITEM, _OF_ITEM, _FACT, _PLAIN, _LESSER, _CHATTER, _RECORD = 8.0, 3.0, 1.6, 1.0, 0.75, 0.5, 0.2
"""The same of an item of a list and of what it says besides, and of sentences with a number, with
none, that give a reason or an example, that are short and say none of these, and that are there for
the record."""
_VISUAL, _WITH_ROWS = 40.0, 200.0
"""The price of a visual that is left out, by what it counts, and of rows."""
_KNOWN: Final = 0.7
"""How much less a sentence is worth that rows of a table say too."""
_ROWS, _ROWS_WORDS = 9, 170
"""Rows of a table, and their words, up to which it is on one page. Ours."""
_LEADS: Final = 0.5
"""How much more a sentence is worth that opens its section."""
_SPOKEN_WORDS: Final = 6
"""Words of a sentence without a number that may be chatter. Ours."""
_NAME_WORDS: Final = 7
"""Words of a line before the first heading that names the document or its author. Ours."""
_EXAMPLE: Final = re.compile(
    r"\b(?:for example|for instance|e\.g\.|such as|zum Beispiel|z\. ?B\.|par exemple|por ejemplo)",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class _Piece:
    """A part of a page: a statement, rows of a table, or a visual."""

    topic: Topic
    above: tuple[Topic, ...]
    """The topics that the topic is a part of, the outermost first."""
    at: int = -1
    """The number of the statement."""
    words: int = 0
    price: float = inf
    """Of leaving it out."""
    section_price: float = 0.0
    """Of leaving its section out, besides."""
    room: int = _MOST_WORDS
    """Words of the page that it is on."""
    visual: VisualRef | None = None
    steps: tuple[OutlinePoint, ...] = ()
    first: int = 1
    leans: bool = False
    inside: bool = False
    """Whether it is a further sentence of an item of a list."""
    changes: bool = False

    @property
    def is_text(self) -> bool:
        return self.at >= 0

    @cached_property
    def path(self) -> tuple[Topic, ...]:
        """Its topic behind those with a heading that it is a part of."""
        return (*(topic for topic in self.above if topic.heading), self.topic)

    @property
    def section(self) -> int:
        """A number for its section."""
        return id(self.path[0])


_SHARES: Final = (50.0, 60.0, 72.0)
"""Words a page of a long document that are offered to its pages; what costs least is taken. Ours."""
_EACH_SECTION, _FIRST_WORDS, _AGAIN = 3.0, 36, 0.8
"""How much more the first words of a section count, so many of them, and how much less those do
that follow a whole page of it. Ours."""
_VISUAL_WORTH, _LEAST_COST, _OVERHEAD = 0.03, 24, 4
"""What a visual counts of its price, and the words that it takes of a page at least, and a sentence
besides its own. Ours."""


@dataclass(frozen=True)
class _Unit:
    """What is told whole or not at all, and only if the unit ``behind`` which it stands is."""

    pieces: tuple[_Piece, ...]
    worth: float
    words: int
    behind: int = -1


def chosen(pieces: Sequence[_Piece], weights: Weighed, words: float) -> list[_Piece]:
    """The pieces of a long document that count most in so many words, in its order: whole lists,
    sentences, what leans on these, tables and figures, and of each section the best."""
    units = _units(pieces, weights)
    offered = {at for at, unit in enumerate(units) if unit.behind < 0}
    told: Counter[int] = Counter()
    kept: set[int] = set()

    def density(at: int) -> float:
        unit = units[at]
        section = told[unit.pieces[0].section]
        again = _AGAIN ** (section / _USUAL_WORDS)
        first = 1 + (_EACH_SECTION - 1) * min(1.0, _FIRST_WORDS / unit.words)
        return unit.worth / unit.words * (again if section else first)

    while offered and words > 0:
        at = max(offered, key=lambda number: (density(number), -number))
        offered.remove(at)
        unit = units[at]
        if unit.words > words + _USUAL_WORDS / 2:
            continue
        kept |= {id(piece) for piece in unit.pieces}
        told[unit.pieces[0].section] += unit.words
        words -= unit.words
        offered |= {number for number, other in enumerate(units) if other.behind == at}
    return [piece for piece in pieces if id(piece) in kept]


def _units(pieces: Sequence[_Piece], weights: Weighed) -> list[_Unit]:
    """The pieces in units: a list with the sentence that announces it, each other sentence, and
    behind these the sentences that lean on them or go on with an item."""
    units: list[_Unit] = []
    for piece in pieces:
        if not piece.is_text:
            words = max(_LEAST_COST, _USUAL_WORDS - piece.room)
            units.append(_Unit((piece,), piece.price * _VISUAL_WORTH, words))
            continue
        before = units[-1].pieces[-1] if units else piece
        item, worth = weights.statements[piece.at], weights.scores[piece.at]
        near = before.is_text and before.at < piece.at and before.topic is piece.topic
        if near and _is_listed_with(before.at, piece.at, weights):
            head = len(units) - 1
            while units[head].behind >= 0:
                head = units[head].behind
            whole = units[head]
            units[head] = replace(
                whole, pieces=(*whole.pieces, piece), worth=whole.worth + worth,
                words=whole.words + piece.words,
            )  # fmt: skip
            continue
        leans = near and (item.needs_before or weights.is_of_item(piece.at))
        behind = len(units) - 1 if leans else -1
        units.append(_Unit((piece,), worth, piece.words + _OVERHEAD, behind))
    return units


def _is_listed_with(before: int, at: int, weights: Weighed) -> bool:
    """Whether a statement is told whenever the one before it is: an item with its list, and what a
    sentence counts."""
    item, above = weights.statements[at], weights.statements[before]
    if not item.item:
        return any(
            weights.statements[other].needs_after >= at - other
            for other in range(weights.starts[at], at)
        )
    listed = above.item or weights.is_of_item(before) or bool(above.opens_list)
    return listed and weights.starts[at] == weights.starts[before]


def is_short(topics: Sequence[Topic], pages: int) -> bool:
    """Whether a document is short enough to be told whole on so many pages."""
    sound = (
        item for topic in topics for part in topic.walk() for item in part.statements
        if not item.flaw
    )  # fmt: skip
    return sum(item.words for item in sound) <= _SHORT * pages


def told_whole(
    topics: Sequence[Topic], weights: Weighed, visuals: Visuals, kind: DocumentKindName,
    most: int, said: Collection[int] = (),
) -> Callable[[int], tuple[list[PagePart], float]]:  # fmt: skip
    """A function of the number of pages, up to ``most``: the pages of a document in its own order,
    and the price of what they join, tear and leave out; no pages where these are too few. ``said``
    are the numbers of statements that a page before says."""
    rows = {
        item.quote for topic in topics for part in topic.walk()
        for step in part.steps for item in step.evidence
    }  # fmt: skip
    pieces = [
        _priced(piece, role_weight(_role_of(piece.topic, kind), kind)
                * (_KNOWN if weights.statements[piece.at].evidence.quote in rows else 1.0))
        if piece.is_text
        else replace(piece, price=piece.price * role_weight(_role_of(piece.topic, kind), kind))
        for topic in topics for piece in _pieces(topic, (), weights, visuals)
        if piece.at not in said
    ]  # fmt: skip
    all_told = sum(piece.price for piece in pieces)
    words = sum(piece.words for piece in pieces)

    @cache
    def makers(share: float) -> list[_PageMaker]:
        kept = chosen(pieces, weights, share) if share else pieces
        return [_PageMaker(kept, weights, crowded, most) for crowded in _CROWDED]

    def parts(pages: int) -> tuple[list[PagePart], float]:
        shares = (0.0,) if words <= _SHORT * pages else tuple(s * pages for s in _SHARES)
        best: tuple[float, list[list[_Piece]]] = inf, []
        for share in shares:
            for maker in makers(share):
                runs, price = maker.pages(pages)
                counts = [
                    sum(p.words for p in run) for run in runs if not any(p.visual for p in run)
                ]
                if not counts or median(counts) <= _USUAL_WORDS:
                    break
            price += all_told - sum(piece.price for piece in maker.pieces)
            best = min(best, (price, runs), key=lambda way: way[0])
        price, runs = best
        return [_part(run) for run in runs], price

    return parts


def _priced(piece: _Piece, factor: float) -> _Piece:
    """A piece that is worth more or less, and its section."""
    section = (_SECTION if piece.topic.heading else _OPENING) * factor
    return replace(piece, price=piece.price * factor, section_price=section)


def _role_of(topic: Topic, kind: DocumentKindName) -> SectionRole:
    """The role of a section; what minutes have before the first heading is for the record."""
    return "background" if kind == "minutes" and not topic.heading else topic.role


def _pieces(
    topic: Topic, above: tuple[Topic, ...], weights: Weighed, visuals: Visuals
) -> Iterator[_Piece]:
    """The pieces of a topic and its parts in their order; a table behind its first paragraph."""
    said = {item.quote for step in topic.steps for item in step.evidence}
    least = 0 if topic.heading else _LEAST_SAID
    numbers = [
        at for at in weights.of(topic)
        if not weights.statements[at].flaw and weights.statements[at].words >= least
        and not any(quote in weights.statements[at].evidence.quote for quote in said)
    ]  # fmt: skip
    told = [_text_piece(topic, above, at, weights) for at in numbers]
    shown = [
        _Piece(topic, above, visual=visual, room=visuals.words_with(visual),
               price=_VISUAL * (1 + weight))
        for visual in topic.visuals if (weight := visuals.weight(visual)) > 0
    ]  # fmt: skip
    first = 1
    words = sum(word_count(" ".join(step.cells)) for step in topic.steps)
    one = len(topic.steps) <= _ROWS and words <= _ROWS_WORDS
    for run in [topic.steps] if one else row_pages(topic.steps, len(topic.steps)):
        if not run:
            break
        shown.append(_Piece(topic, above, steps=run, first=first, room=0, price=_WITH_ROWS))
        first += len(run)
    few = sum(piece.words for piece in told) <= max((piece.room for piece in shown), default=0)
    yield from (*shown, *told) if few else (*told, *shown)
    for part in topic.parts:
        yield from _pieces(part, (*above, topic), weights, visuals)


def _text_piece(topic: Topic, above: tuple[Topic, ...], at: int, weights: Weighed) -> _Piece:
    item = weights.statements[at]
    changes = not item.item and change_of(item.text, "") is not None
    return _Piece(
        topic, above, at, item.words, item.words * _price(at, topic, weights),
        leans=item.needs_before, inside=weights.is_of_item(at), changes=changes,
    )  # fmt: skip


def _price(at: int, topic: Topic, weights: Weighed) -> float:
    """The price of a word of a statement that is left out."""
    item, roles = weights.statements[at], weights.roles[at]
    if item.item or item.opens_list:
        return _ITEM
    if weights.is_of_item(at):
        return _OF_ITEM
    named = topic.heading or states(item.text) or item.words > _NAME_WORDS
    if "aside" in roles or not named:
        return _RECORD
    price = next((price for price, told in _PRICES if roles & told), _PLAIN)
    counts = has_fact(item.text) or COUNTS.search(item.text)
    price = max(price, _FACT if counts else 0.0)
    if price == _PLAIN:
        asked = item.text.endswith(("?", "!"))
        chatter = not item.lead and (item.words < _SPOKEN_WORDS or asked)
        lesser = roles & {"reason", "caveat"} or _EXAMPLE.search(item.text)
        price = _CHATTER if chatter else _LESSER if lesser else _PLAIN
    best = max(weights.scores[other] for other in weights.of(topic))
    opens = at == weights.of(topic).start
    return price * (0.8 + 0.4 * weights.scores[at] / best) + _LEADS * opens


class _PageMaker:
    """Divides pieces among up to ``most`` pages; ``crowded`` is the price of a word beyond the
    usual ones."""

    def __init__(
        self, pieces: Sequence[_Piece], weights: Weighed, crowded: float, most: int
    ) -> None:
        self.pieces = pieces
        self._pieces, self._weights, self._crowded, self._most = pieces, weights, crowded, most
        sections = [None, *(piece.section for piece in pieces), None]
        self._begins = {at for at, (one, other) in enumerate(pairwise(sections)) if one != other}
        self._several = {
            section for section, own in groupby(pieces, lambda piece: piece.section)
            if any(piece.is_text for piece in own)
        }  # fmt: skip

    @cached_property
    def _best(self) -> list[dict[int, tuple[float, int, list[_Piece]]]]:
        """The cheapest way to show the first pieces, by how many and on how many pages: its price,
        where its last page begins, and what that shows."""
        best: list[dict[int, tuple[float, int, list[_Piece]]]] = [{0: (0.0, 0, [])}]
        for end in range(1, len(self._pieces) + 1):
            ways: dict[int, tuple[float, int, list[_Piece]]] = {}
            for start in self._starts(end):
                for kept, price in self._ways(start, end):
                    for pages, (before, *_) in best[start].items():
                        used = pages + bool(kept)
                        if used <= self._most and before + price < ways.get(used, (inf, 0, []))[0]:
                            ways[used] = before + price, start, kept
            best.append(ways)
        return best

    def pages(self, most: int) -> tuple[list[list[_Piece]], float]:
        """The pieces on at most ``most`` pages, and the price of these; none if there is no way."""
        last = self._best[-1]
        count = min((pages for pages in last if pages <= most), key=lambda n: last[n][0], default=0)
        if count not in last:
            return [], inf
        price = last[count][0]
        runs, end = [], len(self._pieces)
        while end:
            _, end, kept = self._best[end][count]
            count -= bool(kept)
            runs.append(kept)
        return [run for run in reversed(runs) if run], price

    def _starts(self, end: int) -> Iterator[int]:
        """Where a page that ends before a piece may begin."""
        points = 0
        for start in range(end - 1, -1, -1):
            points += self._pieces[start].is_text
            if points > 3 * _MOST_POINTS:
                return
            yield start

    def _ways(self, start: int, end: int) -> Iterator[tuple[list[_Piece], float]]:
        """The pieces that a page shows of some, and its price; a small section, or a visual, may
        have no page."""
        run = self._pieces[start:end]
        shown = sum(not piece.is_text for piece in run)
        left_out = sum(piece.price for piece in run)
        whole = start in self._begins and end in self._begins
        if (shown and len(run) == 1) or (
            not shown and whole and len({piece.section for piece in run}) == 1
        ):
            yield [], left_out + run[0].section_price * (not shown)
        if shown < 2:
            yield self._page(start, end)

    def _page(self, start: int, end: int) -> tuple[list[_Piece], float]:
        """The pieces that a page shows of some, and its price."""
        run = [*self._pieces[start:end]]
        shown = any(not piece.is_text for piece in run)
        price = self._break(start) + self._mixed(start, end)
        if price == inf:
            return run, inf
        sides = {id(piece.topic): piece.topic.heading for piece in run}
        labels = word_count(" ".join(sides.values())) if len(sides) > 1 else 0
        room = min(piece.room for piece in run) - max(0, labels - _FREE_LABELS)
        if shown and run[0].section in self._several and len(run) == 1:
            price += _LONELY
        kept, lost = _condensed(run, room)
        words = sum(piece.words for piece in kept)
        while words > _USUAL_WORDS and (end_piece := _cheapest(kept, self._crowded)):
            kept = [piece for piece in kept if piece not in end_piece]
            lost += sum(piece.price for piece in end_piece)
            words = sum(piece.words for piece in kept)
        gone = {piece.section: piece.section_price for piece in run if piece.is_text}
        lost += sum(gone[section] for section in gone.keys() - {piece.section for piece in kept})
        price += lost + self._crowded * max(0, words - _USUAL_WORDS)
        price += 4 * _ITEM * max(0, words - max(room, 1)) + 20 * max(0, len(kept) - _MOST_POINTS)
        if len(kept) == 1 and kept[0].changes:
            return kept, price - _OWN_PAGE
        if kept and not shown:
            whole = start in self._begins and end in self._begins
            price += _EMPTY * max(0, _THIN - words) * (_BRIEF if whole else 1.0)
        return kept, price

    def _break(self, start: int) -> float:
        """The price of a page that begins with a piece."""
        if start == 0:
            return 0.0
        before, after = self._pieces[start - 1 : start + 1]
        if before.section != after.section:
            return 0.0
        if before.topic is not after.topic:
            return _IN_PART
        if before.changes or after.changes:
            return _IN_PART
        if not (before.is_text and after.is_text):
            return _IN_SECTION / 2
        item, above = self._weights.statements[after.at], self._weights.statements[before.at]
        starts = self._weights.starts
        if above.opens_list or after.inside or (after.leans and not item.lead):
            return inf
        if item.item:
            return _IN_LIST if above.item or starts[before.at] == starts[after.at] else _IN_SECTION
        return _IN_PARAGRAPH if starts[before.at] == starts[after.at] else _IN_SECTION

    def _mixed(self, start: int, end: int) -> float:
        """The price of several sections on one page; ``inf`` beside a table."""
        run = self._pieces[start:end]
        sections = len({piece.section for piece in run})
        if sections == 1:
            return 0.0
        if not all(piece.is_text for piece in run):
            return inf
        begun = start and self._pieces[start - 1].section == run[0].section
        goes_on = end < len(self._pieces) and self._pieces[end].section == run[-1].section
        torn = _TORN_SECTION * (bool(begun) + goes_on)
        return _JOINED + _MORE_JOINED * (sections - 2) + torn


def _condensed(run: Sequence[_Piece], room: int) -> tuple[list[_Piece], float]:
    """The pieces of a page without the cheapest for which it has no room, and the price of these:
    one that makes room alone, or several of which a word costs least."""
    over = sum(piece.words for piece in run) - room
    if over <= 0:
        return [*run], 0.0
    kept, gone = [*run], list[_Piece]()
    while sum(piece.words for piece in kept) > room and (ending := _cheapest(kept, _ITEM)):
        kept = [piece for piece in kept if piece not in ending]
        gone += ending
    alone = (way for way in _ways_out(run) if sum(piece.words for piece in way) >= over
             and sum(piece.price - _ITEM * piece.words for piece in way) < 0)  # fmt: skip
    fitting = [gone] if sum(piece.words for piece in kept) <= room else []
    gone = min((*fitting, *alone), key=lambda way: sum(piece.price for piece in way), default=gone)
    return [piece for piece in run if piece not in gone], sum(piece.price for piece in gone)


def _ways_out(kept: Sequence[_Piece]) -> list[list[_Piece]]:
    """Each statement of a page with those that lean on it."""
    return [
        [piece, *takewhile(lambda later: later.leans and later.is_text, kept[place + 1 :])]
        for place, piece in enumerate(kept) if piece.is_text
    ]  # fmt: skip


def _cheapest(kept: Sequence[_Piece], most: float) -> list[_Piece]:
    """The statement, with those that lean on it, of which a word costs least; nothing if that is
    ``most`` or more."""
    costs = [(sum(p.price for p in way) / sum(p.words for p in way), -n, way)
             for n, way in enumerate(_ways_out(kept))]  # fmt: skip
    cost, _, way = min(costs, default=(inf, 0, []), key=lambda item: item[:2])
    return way if cost < most else []


def _part(run: Sequence[_Piece]) -> PagePart:
    """A page of some pieces."""
    shown = next((piece for piece in run if not piece.is_text), run[0])
    topics = tuple({id(piece.topic): piece.topic for piece in run}.values())
    sections = {piece.section for piece in run}
    shared = len(topics) > 1 and len(sections) == 1
    whole = run[0].path
    paths = [{*map(id, piece.path)} for piece in run]
    common = [topic for topic in whole if all(id(topic) in path for path in paths)]
    head = common[-1] if shared else run[0].topic
    own = topics if not shared or head is topics[0] else (head, *topics)
    group = PageGroup(head.heading, whole[0].heading, own, side_by_side=len(sections) > 1)
    numbers = tuple(piece.at for piece in run if piece.is_text)
    return PagePart(group, own, numbers, shown.visual, shown.steps, first=shown.first)
