"""A document in the pieces of which pages are made, and what it costs to leave each one out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, inf
from typing import Final

from decklab.core.options import DocumentKindName
from decklab.documents.sentences import word_count
from decklab.writer.outline import OutlinePoint, VisualRef
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.importance import Weighed, has_fact
from decklab.writer.story.kinds import SectionRole, role_weight
from decklab.writer.story.material import Topic
from decklab.writer.story.roles import ASKED, COUNTS, StatementRole
from decklab.writer.story.titles import states
from decklab.writer.story.visuals import Visuals

MOST_WORDS: Final = 90
USUAL_WORDS: Final = 60
"""Words of a page at most, and of the median page."""
CODE_WORDS: Final = 44
"""Words beside an example of code. Ours."""
_LEAST_SAID: Final = 3
"""Words of a statement before the first heading; fewer are a name. Ours."""
_SECTION, _OPENING = 90.0, 20.0
"""The price of a section that is on no page, by its role, beside that of its sentences; and that of
what stands before the first heading. Ours, as all prices: one is that of a plain word."""
_PRICES: Final[tuple[tuple[float, frozenset[StatementRole]], ...]] = (
    (2.6, ASKED | {"answer", "decision", "light"}),
    (2.2, frozenset({"deadline", "cost"})),
    (1.7, frozenset({"status", "result", "risk"})),
)
"""The price of a word by what its sentence does."""
ITEM_PRICE, _OF_ITEM, _FACT, _PLAIN, _LESSER, _CHATTER, _RECORD = 5.0, 3.0, 1.6, 1.0, 0.75, 0.5, 0.2
"""The same of an item of a list and of what it says besides, and of sentences with a number, with
none, that give a reason or an example, that are short and say none of these, and that are there for
the record."""
_ASKED_ITEM: Final = 8.0
"""The same of an item that asks for something."""
_VISUAL, _WITH_ROWS, _WITH_CODE = 55.0, 200.0, 60.0
"""The price of a visual that is left out, by what it counts, of rows, and of code."""
_KNOWN: Final = 0.7
"""How much less a sentence is worth that rows of a table say too."""
_ROWS, _ROWS_WORDS = 9, 170
"""Rows of a table, and their words, up to which it is on one page. Ours."""
_TABLE_WORDS, _TABLE_ROWS = 130, 10
"""Words of the rows of a table on one page, and its rows. Ours."""
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
class Piece:
    """A part of a page: a statement, rows of a table, a visual, or code."""

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
    room: int = MOST_WORDS
    """Words of the page that it is on."""
    visual: VisualRef | None = None
    steps: tuple[OutlinePoint, ...] = ()
    code: OutlinePoint | None = None
    first: int = 1
    leans: bool = False
    list_start: int = -1
    """The number of the first item of the list that it is in."""
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


def pieces_of(
    topics: Sequence[Topic], weights: Weighed, visuals: Visuals, kind: DocumentKindName
) -> list[Piece]:
    """The pieces of a document in its order, with their prices."""
    rows = {
        item.quote for topic in topics for part in topic.walk()
        for step in part.steps for item in step.evidence
    }  # fmt: skip

    def priced(piece: Piece) -> Piece:
        factor = role_weight(_role_of(piece.topic, kind), kind)
        if piece.is_text and weights.statements[piece.at].evidence.quote in rows:
            factor *= _KNOWN
        section = (_SECTION if piece.topic.heading else _OPENING) * factor
        return replace(piece, price=piece.price * factor, section_price=section)

    return [priced(piece) for topic in topics for piece in _pieces(topic, (), weights, visuals)]


def _role_of(topic: Topic, kind: DocumentKindName) -> SectionRole:
    """The role of a section; what minutes have before the first heading is for the record."""
    return "background" if kind == "minutes" and not topic.heading else topic.role


def _pieces(
    topic: Topic, above: tuple[Topic, ...], weights: Weighed, visuals: Visuals
) -> Iterator[Piece]:
    """The pieces of a topic and its parts in their order; a table where the document has it."""
    said = {item.quote for step in topic.steps for item in step.evidence}
    least = 0 if topic.heading else _LEAST_SAID
    numbers = [
        at for at in weights.of(topic)
        if not weights.statements[at].flaw and weights.statements[at].words >= least
        and not any(quote in weights.statements[at].evidence.quote for quote in said)
    ]  # fmt: skip
    told: list[Piece] = []
    for at in numbers:
        before = told[-1] if told and told[-1].at == at - 1 else None
        told.append(_text_piece(topic, above, at, weights, before))
    shown = [
        Piece(topic, above, visual=visual, room=_beside(topic, visual, weights, visuals),
               price=_VISUAL * (1 + weight))
        for visual in topic.visuals if (weight := visuals.weight(visual)) > 0
    ]  # fmt: skip
    first = 1
    words = sum(word_count(" ".join(step.cells)) for step in topic.steps)
    one = len(topic.steps) <= _ROWS and words <= _ROWS_WORDS
    for run in [topic.steps] if one else row_pages(topic.steps):
        if not run:
            break
        shown.append(Piece(topic, above, steps=run, first=first, room=0, price=_WITH_ROWS))
        first += len(run)
    if topic.example:
        shown.append(Piece(topic, above, code=topic.example, room=CODE_WORDS, price=_WITH_CODE))
    for piece in told:
        first_shown = [
            one for one in shown
            if one.visual is None
            or (one.visual.kind, one.visual.number) in weights.statements[piece.at].behind
        ]  # fmt: skip
        yield from first_shown
        shown = [one for one in shown if one not in first_shown]
        yield piece
    yield from shown
    for part in topic.parts:
        yield from _pieces(part, (*above, topic), weights, visuals)


def _beside(topic: Topic, visual: VisualRef, weights: Weighed, visuals: Visuals) -> int:
    """Words that stand with a visual; none with a numbered figure of which its section says
    nothing."""
    own = (weights.statements[at].evidence.quote for at in weights.of(topic))
    told = not visuals.is_numbered(visual) or any(visuals.is_about(text, visual) for text in own)
    return visuals.words_with(visual) if told else 0


def _text_piece(
    topic: Topic, above: tuple[Topic, ...], at: int, weights: Weighed, before: Piece | None
) -> Piece:
    """The piece of a statement ``before`` which another one of its topic may stand."""
    item = weights.statements[at]
    changes = not item.item and change_of(item.text, "") is not None
    inside = weights.is_of_item(at)
    goes_on = before is not None and before.list_start >= 0
    start = before.list_start if before is not None and goes_on else at
    return Piece(
        topic, above, at, item.words, item.words * _price(at, topic, weights),
        list_start=start if item.item or (inside and goes_on) else -1,
        leans=item.needs_before, inside=inside, changes=changes,
    )  # fmt: skip


def _price(at: int, topic: Topic, weights: Weighed) -> float:
    """The price of a word of a statement that is left out."""
    item = weights.statements[at]
    if item.item or item.opens_list:
        return _ASKED_ITEM if weights.roles[at] & ASKED else ITEM_PRICE
    if weights.is_of_item(at):
        return _OF_ITEM
    price = class_price(at, topic, weights)
    if price == _RECORD:
        return price
    best = max(weights.scores[other] for other in weights.of(topic))
    opens = at == weights.of(topic).start
    return price * (0.8 + 0.4 * weights.scores[at] / best) + _LEADS * opens


def class_price(at: int, topic: Topic, weights: Weighed) -> float:
    """The price of a word by what its sentence does."""
    item, roles = weights.statements[at], weights.roles[at]
    named = topic.heading or states(item.text) or item.words > _NAME_WORDS
    if "aside" in roles or not named:
        return _RECORD
    price = next((price for price, told in _PRICES if roles & told), _PLAIN)
    counts = has_fact(item.text) or COUNTS.search(item.text)
    price = max(price, _FACT if counts else 0.0)
    if price > _PLAIN or item.item:
        return price
    asked = item.text.endswith(("?", "!"))
    chatter = not item.lead and (item.words < _SPOKEN_WORDS or asked)
    lesser = roles & {"reason", "caveat"} or _EXAMPLE.search(item.text)
    return _CHATTER if chatter else _LESSER if lesser else _PLAIN


def row_pages(rows: Sequence[OutlinePoint]) -> list[tuple[OutlinePoint, ...]]:
    """Rows of a table on as few pages as hold them."""
    words = sum(
        word_count(row.text) + (row.text != row.label) * word_count(row.label) for row in rows
    )
    pages = ceil(max(words / _TABLE_WORDS, len(rows) / _TABLE_ROWS))
    size = ceil(len(rows) / pages)
    return [tuple(rows[at : at + size]) for at in range(0, len(rows), size)]
