"""How much each statement matters: central in its document, found or decided, with a number."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final

import numpy as np

from decklab.core.options import DocumentKindName
from decklab.documents.numbers import parse_numbers
from decklab.documents.shortening import FRAGMENT
from decklab.writer.ranking import Vectors, centrality, sentence_words, word_vectors
from decklab.writer.story.kinds import SectionRole, role_weight
from decklab.writer.story.material import Statement, Topic
from decklab.writer.story.roles import ASKED, FOUND, StatementRole, roles_of

_CENTRAL = 0.4
"""What a statement like no other still counts; the rest is its LexRank. Ours."""
_FIRST, _LEAD, _ITEM, _NUMBER, _FINDING, _ASKED, _WANTED = 1.2, 1.3, 1.1, 1.25, 1.3, 1.7, 5.0
"""How much more a statement counts that is of the first passage of its section, opens its passage,
is an item, has a number, says what was found or decided, asks for something, or has a word of the
request. Ours."""
_RULE, _REASON = 1.6, 0.8
"""The same of one that says what must be done, and of one that only says why. Ours."""
_OWN_WORK: Final = 2.0
_TELLS_OF_SELF: Final = re.compile(
    r"\b(?:we|our|this (?:paper|article|vignette|work|study|package)|the (?:package|paper))\b", re.I
)
"""How much more a sentence counts that says what a paper does, before what everybody knows, and how
such a sentence speaks. Ours."""
_WITHOUT_RULES: Final = frozenset({"paper", "data"})
"""Kinds that report, so that "must" says nothing of what is to be done."""
_ANSWERS: Final[frozenset[StatementRole]] = frozenset({"answer"})
_NO_ROLE: Final[frozenset[StatementRole]] = frozenset()
_WITH_CODE = 2.0
"""How much more a section of instructions counts that shows what to type. Ours."""
CODE_KINDS: Final = frozenset({"manual", "how-to"})
"""Kinds whose code is shown."""
_BEHIND = 0.7
"""How well a statement stands behind the one on which it leans, at least. Ours."""
_NAMED = 1.4
"""How much more the items of a list count that all have names, as parts of an answer do. Ours."""
_LATER = 0.01
"""How much less each item of a list counts than the one before, which keeps their order. Ours."""
_LEAST_ROW, _ROW_NAME = 3, 3
"""Items that stand in one line, and the words of each at most. Ours."""
_UNWANTED = 0.25
_FACTS = frozenset({"percent", "money", "count", "range", "date"})


@dataclass(frozen=True)
class Weighed:
    """All statements of some topics in order, with what each counts and the topic it is from."""

    statements: tuple[Statement, ...]
    scores: tuple[float, ...]
    """Above 0; 1 is about what a usual opening sentence counts."""
    vectors: Vectors
    """The words of each statement, shape (statements, words), rows of length 1 or 0."""
    places: dict[int, range]
    """For ``id`` of each topic the numbers of its statements."""
    roles: tuple[frozenset[StatementRole], ...] = ()
    """What each does for its reader."""

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """For each statement the number of the one with which its passage begins."""
        first = {numbers.start for numbers in self.places.values()}
        starts: list[int] = []
        for at, statement in enumerate(self.statements):
            starts.append(starts[-1] if statement.goes_on and at not in first else at)
        return tuple(starts)

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """For each statement the number of the first one of its topic."""
        return tuple(
            numbers.start
            for numbers in sorted(self.places.values(), key=lambda numbers: numbers.start)
            for _ in numbers
        )

    def items_of(self, at: int) -> list[int]:
        """The items of the list that a statement announces; of one that announces none, none."""
        items: list[int] = []
        for number in range(at + 1, len(self.statements)):
            if len(items) == self.statements[at].opens_list or self.starts[number] > at:
                break
            items += [number] if self.statements[number].item else []
        return items

    def is_of_item(self, at: int) -> bool:
        """Whether a statement is a further sentence of an item of a list."""
        item = self.statements[at]
        leads = [other for other in self.statements[self.starts[at] : at] if other.lead]
        listed = bool(leads) and leads[-1].item
        return listed and not (item.lead or item.item or item.opens_list)

    def is_row(self, at: int | None) -> bool:
        """Whether a statement announces only names, which stand behind it in one line."""
        if at is None:
            return False
        items = [self.statements[item] for item in self.items_of(at)]
        short = all(item.words <= _ROW_NAME and item.name for item in items)
        return short and len(items) >= _LEAST_ROW and len(items) == self.statements[at].opens_list

    def of(self, topic: Topic) -> range:
        """The numbers of a topic's own statements."""
        return self.places[id(topic)]

    def likeness(self, first: int, second: int) -> float:
        """The cosine of two statements' words, 0 to 1."""
        return float(self.vectors[first] @ self.vectors[second])


def weighed(topics: Sequence[Topic], kind: DocumentKindName, focus: str) -> Weighed:
    """The statements of topics and of all their parts with what each counts.

    ``focus`` is what the deck should be about: statements with its words count five times.
    """
    walked = [part for topic in topics for part in topic.walk()]
    statements: list[Statement] = []
    places: dict[int, range] = {}
    factors: list[float] = []
    roles: list[frozenset[StatementRole]] = []
    wanted = {word for word in sentence_words(focus) if len(word) > 2}
    for topic in walked:
        role = topic.role if topic.heading or kind != "minutes" else "background"
        places[id(topic)] = range(len(statements), len(statements) + len(topic.statements))
        statements += topic.statements
        near = bool(wanted.intersection(sentence_words(topic.heading)))
        answers = _ANSWERS if topic.role == "summary" else _NO_ROLE
        own = [
            roles_of(item.evidence.quote, topic.role) | (answers if item.item else _NO_ROLE)
            for item in topic.statements
        ]
        roles += own
        factors += [
            role_weight(item.marked if item.marked != "other" else role, kind)
            * _own(item, own[at], wanted, near)
            * _ruling(own[at], kind)
            * _of_own_work(item, role, kind)
            * (_FIRST if opened else 1.0)
            * (_WITH_CODE if topic.example else 1.0)
            for at, item in enumerate(topic.statements)
            for opened in (all(other.goes_on for other in topic.statements[1 : at + 1]),)
        ]
    vectors = word_vectors([item.text for item in statements])
    central = _CENTRAL + (1 - _CENTRAL) * centrality(vectors)
    scores = [float(score) for score in central * np.array(factors or [0.0])[: len(central)]]
    found = Weighed(tuple(statements), tuple(scores), vectors, places, tuple(roles))
    for _, listed in groupby(
        (at for at, item in enumerate(statements) if item.item), key=found.starts.__getitem__
    ):
        run = list(listed)
        mean = sum(scores[at] for at in run) / len(run)
        named = len(run) > 1 and all(statements[at].name for at in run)
        for number, at in enumerate(run):
            scores[at] = mean * (_NAMED if named else 1.0) * (1 - _LATER * number)
    return replace(found, scores=tuple(scores))


def _own(item: Statement, roles: frozenset[StatementRole], wanted: set[str], near: bool) -> float:
    """What a statement counts by its form, its words and what it does."""
    leans = item.needs_before and item.standing > FRAGMENT
    factor = (
        max(item.standing, _BEHIND if leans else 0.0)
        * (_LEAD if item.lead else 1.0)
        * (_ITEM if item.item else 1.0)
    )
    factor *= _NUMBER if has_fact(item.text) else 1.0
    factor *= _FINDING if roles & FOUND else 1.0
    factor *= _ASKED if roles & ASKED else 1.0
    factor *= _UNWANTED if "aside" in roles else 1.0
    asked = near or bool(wanted.intersection(sentence_words(item.text)))
    return factor * (_WANTED if asked else 1.0)


def _ruling(roles: frozenset[StatementRole], kind: DocumentKindName) -> float:
    """How much more a statement counts as a rule, and less as a mere reason."""
    if kind in _WITHOUT_RULES:
        return 1.0
    return _RULE if "rule" in roles else _REASON if roles == {"reason"} else 1.0


def _of_own_work(item: Statement, role: SectionRole, kind: DocumentKindName) -> float:
    """How much more a sentence of a paper's introduction counts if it tells of the paper."""
    if kind != "paper" or role != "background":
        return 1.0
    return _OWN_WORK if _TELLS_OF_SELF.search(item.text) else 1.0


def has_fact(text: str) -> bool:
    """Whether a text states a percentage, a sum of money, a count, a range or a date.

    >>> has_fact("Sales fell by 12%"), has_fact("Sales fell"), has_fact("See page 12")
    (True, False, False)
    """
    return any(number.kind in _FACTS for number in parse_numbers(text))
