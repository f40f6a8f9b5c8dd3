"""The pages of a document: each section on pages of its own, in order, with its sentences whole.

Pages end where that costs least: a page break inside a section, two sections on one page, a crowded
page and each sentence that is left out have a price, and of all ways to fill the pages the cheapest
is taken. Words are left out only where a page has too many of them: first chatter, then examples
and reasons; what is to be done, sums, dates and decisions at last. A list stays on one page, or
goes on over several with whole items. Of a long document the pages have what counts most in it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby, pairwise, takewhile
from math import inf
from statistics import median
from typing import Final

from decklab.core.options import DocumentKindName
from decklab.documents.sentences import word_count
from decklab.writer.outline import OutlinePoint, VisualRef
from decklab.writer.story.choosing import chosen, refilled
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import Topic
from decklab.writer.story.pieces import ITEM_PRICE, USUAL_WORDS, Piece, pieces_of
from decklab.writer.story.visuals import Visuals

_SHORT: Final = 130
"""Words of its sentences a page that a document may have to be told whole. Ours."""
_FREE_LABELS: Final = 12
"""Words of headings on a page that leave its sentences their room. Ours."""
_THIN: Final = 25
"""Words that a page has at least, if it can. Ours."""
_MOST_POINTS: Final = 14
"""Sentences and items of one page. Ours."""
_CROWDED: Final = (0.3, 0.5)
"""The price of a word beyond the usual ones of a page: the next one is tried if the median page has
more. Ours, as all prices."""
_JOINED: Final = 22.0, 90.0
_TORN_SECTION = 160.0
"""The price of a second section on a page, of each further one, and of one that is not whole."""
_JOINED_PARTS: Final = 70.0, 250.0
"""The same of a second and a further one in a document that is not told whole. Ours."""
_IN_PART, _IN_SECTION, _IN_PARAGRAPH, _IN_LIST = 3.0, 12.0, 22.0, 60.0
"""The price of a page break before a part of a section, between its paragraphs, and inside one or a
list."""
_LONELY: Final = 25.0
"""The price of a table without the words of its section, where there are some."""
_EMPTY, _BRIEF = 1.2, 0.4
"""The price of each word that a page has too few, and the share of it for a whole section."""
_LABELS: Final = 3
"""Times that a heading stands in a document which names no subject, such as "Why". Ours."""
_OWN_PAGE: Final = 18.0
"""The worth of a page of its own for a change."""
_SHARES: Final = (50.0, 60.0, 72.0, 90.0)
"""Words a page of a long document that are offered to its pages; the cheapest are taken. Ours."""


@dataclass(frozen=True)
class PageGroup:
    """Topics that are told together, on one page or several; ``side_by_side`` where they have no
    heading in common."""

    heading: str
    section: str
    topics: tuple[Topic, ...]
    side_by_side: bool = False


@dataclass(frozen=True)
class PagePart:
    """The contents of one page: numbers of statements in their order, a visual, rows, or code."""

    group: PageGroup
    topics: tuple[Topic, ...]
    """Of the statements and the visual."""
    statements: tuple[int, ...]
    visual: VisualRef | None = None
    steps: tuple[OutlinePoint, ...] = ()
    first: int = 1
    """The number of the first of these steps."""
    code: OutlinePoint | None = None


def is_short(topics: Sequence[Topic], pages: int) -> bool:
    """Whether a document is short enough to be told whole on so many pages."""
    sound = (
        item for topic in topics for part in topic.walk() for item in part.statements
        if not item.flaw
    )  # fmt: skip
    return sum(item.words for item in sound) <= _SHORT * pages


def told_on_pages(
    topics: Sequence[Topic], weights: Weighed, visuals: Visuals, kind: DocumentKindName,
    *, most: int, said: Collection[int] = (),
) -> Callable[[int], tuple[list[PagePart], float]]:  # fmt: skip
    """A function of the number of pages, up to ``most``: the pages of a document in its own order,
    and the price of what they join, tear and leave out; no pages where these are too few. ``said``
    are the numbers of statements that a page before says."""
    after = {at - 1 for at, item in enumerate(weights.statements) if item.needs_before}
    pieces = [
        piece for piece in pieces_of(topics, weights, visuals, kind)
        if piece.at not in said or (piece.at in after and piece.topic.role != "summary")
    ]  # fmt: skip
    headings = Counter(part.heading.casefold() for topic in topics for part in topic.walk())
    labels = {heading for heading, count in headings.items() if count >= _LABELS}
    all_told = sum(piece.price for piece in pieces)
    words = sum(piece.words for piece in pieces)

    @cache
    def makers(share: float) -> list[_PageMaker]:
        kept = chosen(pieces, weights, share) if share else pieces
        joined = _JOINED_PARTS if share else _JOINED
        return [_PageMaker(kept, weights, crowded, most, joined) for crowded in _CROWDED]

    def parts(pages: int) -> tuple[list[PagePart], float]:
        shares = (0.0,) if words <= _SHORT * pages else tuple(s * pages for s in _SHARES)
        best: tuple[float, list[list[Piece]]] = inf, []
        for share in shares:
            for maker in makers(share):
                runs, price = maker.pages(pages)
                counts = [
                    sum(p.words for p in run) for run in runs if not any(p.visual for p in run)
                ]
                if not counts or median(counts) <= USUAL_WORDS:
                    break
            price += all_told - sum(piece.price for piece in maker.pieces)
            best = min(best, (price, runs), key=lambda way: way[0])
        price, runs = best
        shown = {id(piece) for run in runs for piece in run}
        rest = [piece for piece in pieces if piece.is_text and id(piece) not in shown]
        made: list[PagePart] = []
        for run in runs:
            whole = refilled(run, rest, weights)
            rest = [piece for piece in rest if piece not in whole]
            made.append(_part(whole, labels))
        return made, price

    return parts


class _PageMaker:
    """Divides pieces among up to ``most`` pages; ``crowded`` is the price of a word beyond the
    usual ones, ``joined`` that of a second section on a page, and of each further one."""

    def __init__(
        self, pieces: Sequence[Piece], weights: Weighed, crowded: float, most: int,
        joined: tuple[float, float],
    ) -> None:  # fmt: skip
        self.pieces = pieces
        self._pieces, self._weights, self._crowded, self._most = pieces, weights, crowded, most
        self._joined = joined
        sections = [None, *(piece.section for piece in pieces), None]
        self._begins = {at for at, (one, other) in enumerate(pairwise(sections)) if one != other}
        parts = [None, *(id(piece.topic) for piece in pieces), None]
        self._part_begins = {at for at, (one, other) in enumerate(pairwise(parts)) if one != other}
        self._several = {
            section for section, own in groupby(pieces, lambda piece: piece.section)
            if any(piece.is_text for piece in own)
        }  # fmt: skip

    @cached_property
    def _best(self) -> list[dict[int, tuple[float, int, list[Piece]]]]:
        """The cheapest way to show the first pieces, by how many and on how many pages: its price,
        where its last page begins, and what that shows."""
        best: list[dict[int, tuple[float, int, list[Piece]]]] = [{0: (0.0, 0, [])}]
        for end in range(1, len(self._pieces) + 1):
            ways: dict[int, tuple[float, int, list[Piece]]] = {}
            for start in self._starts(end):
                for kept, price in self._ways(start, end):
                    for pages, (before, *_) in best[start].items():
                        used = pages + bool(kept)
                        if used <= self._most and before + price < ways.get(used, (inf, 0, []))[0]:
                            ways[used] = before + price, start, kept
            best.append(ways)
        return best

    def pages(self, most: int) -> tuple[list[list[Piece]], float]:
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

    def _ways(self, start: int, end: int) -> Iterator[tuple[list[Piece], float]]:
        """The pieces that a page shows of some, and its price; a small section or part of one, or a
        visual, may have no page."""
        run = self._pieces[start:end]
        shown = sum(not piece.is_text for piece in run)
        left_out = sum(piece.price for piece in run)
        whole = start in self._begins and end in self._begins
        part = start in self._part_begins and end in self._part_begins
        if (shown and len(run) == 1) or (
            not shown and (whole or part) and len({piece.section for piece in run}) == 1
        ):
            yield [], left_out + run[0].section_price * (not shown and whole)
        if shown < 2:
            yield self._page(start, end)

    def _page(self, start: int, end: int) -> tuple[list[Piece], float]:
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
        while words > USUAL_WORDS and (end_piece := _cheapest(kept, self._crowded)):
            kept = [piece for piece in kept if piece not in end_piece]
            lost += sum(piece.price for piece in end_piece)
            words = sum(piece.words for piece in kept)
        gone = {piece.section: piece.section_price for piece in run if piece.is_text}
        lost += sum(gone[section] for section in gone.keys() - {piece.section for piece in kept})
        price += lost + self._crowded * max(0, words - USUAL_WORDS)
        price += 4 * ITEM_PRICE * max(0, words - max(room, 1))
        price += 20 * max(0, len(kept) - _MOST_POINTS)
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
        shown = next((piece for piece in run if not piece.is_text and not piece.steps), None)
        if shown and any(piece.topic not in (shown.topic, *shown.above) for piece in run):
            return inf
        if sections == 1:  # of parts that have different headings above them the same as sections
            above = {id(piece.above[-1]) for piece in run if len(piece.above) > 1}
            return self._joined[1] * max(0, len(above) - 1)
        if not all(piece.is_text for piece in run):
            return inf
        begun = start and self._pieces[start - 1].section == run[0].section
        goes_on = end < len(self._pieces) and self._pieces[end].section == run[-1].section
        torn = _TORN_SECTION * (bool(begun) + goes_on)
        second, further = self._joined
        return second + further * (sections - 2) + torn


def _condensed(run: Sequence[Piece], room: int) -> tuple[list[Piece], float]:
    """The pieces of a page without the cheapest for which it has no room, and the price of these:
    one that makes room alone, or several of which a word costs least."""
    over = sum(piece.words for piece in run) - room
    if over <= 0:
        return [*run], 0.0
    kept, gone = [*run], list[Piece]()
    while sum(piece.words for piece in kept) > room and (ending := _cheapest(kept, ITEM_PRICE)):
        kept = [piece for piece in kept if piece not in ending]
        gone += ending
    alone = (way for way in _ways_out(run) if sum(piece.words for piece in way) >= over
             and sum(piece.price - ITEM_PRICE * piece.words for piece in way) < 0)  # fmt: skip
    fitting = [gone] if sum(piece.words for piece in kept) <= room else []
    gone = min((*fitting, *alone), key=lambda way: sum(piece.price for piece in way), default=gone)
    return [piece for piece in run if piece not in gone], sum(piece.price for piece in gone)


def _ways_out(kept: Sequence[Piece]) -> list[list[Piece]]:
    """Each statement of a page with those that lean on it, an item with all that follows in its
    list, so that none is missing between others."""
    ways: list[list[Piece]] = []
    for place, piece in enumerate(kept):
        behind = kept[place + 1 :]
        if piece.list_start >= 0 and not piece.inside:
            ways.append([piece, *(o for o in behind if o.list_start == piece.list_start)])
        elif piece.is_text:
            leaning = takewhile(lambda later: later.leans and later.is_text, behind)
            ways.append([piece, *leaning])
    return ways


def _cheapest(kept: Sequence[Piece], most: float) -> list[Piece]:
    """The statement, with those that lean on it, of which a word costs least; nothing if that is
    ``most`` or more."""
    costs = [(sum(p.price for p in way) / sum(p.words for p in way), -n, way)
             for n, way in enumerate(_ways_out(kept))]  # fmt: skip
    cost, _, way = min(costs, default=(inf, 0, []), key=lambda item: item[:2])
    return way if cost < most else []


def _part(run: Sequence[Piece], labels: Collection[str]) -> PagePart:
    """A page of some pieces; ``labels`` are headings that recur, which name no subject."""
    shown = next((piece for piece in run if not piece.is_text), run[0])
    topics = tuple({id(piece.topic): piece.topic for piece in run}.values())
    sections = {piece.section for piece in run}
    shared = len(topics) > 1 and len(sections) == 1
    whole = run[0].path
    paths = [{*map(id, piece.path)} for piece in run]
    common = [topic for topic in whole if all(id(topic) in path for path in paths)]
    labelled = len(topics) == 1 and len(whole) > 1 and topics[0].heading.casefold() in labels
    head = whole[-2] if labelled else common[-1] if shared else run[0].topic
    own = topics if head is topics[0] or not (shared or labelled) else (head, *topics)
    group = PageGroup(head.heading, whole[0].heading, own, side_by_side=len(sections) > 1)
    numbers = tuple(piece.at for piece in run if piece.is_text)
    return PagePart(
        group, own, numbers, shown.visual, shown.steps, first=shown.first, code=shown.code
    )


def heads(topics: Sequence[Topic]) -> list[Topic]:
    """The topics that are no part of another one of these."""
    inside = {id(part) for topic in topics for part in topic.walk() if part is not topic}
    return [topic for topic in topics if id(topic) not in inside]
