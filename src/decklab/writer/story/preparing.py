"""Topics as a deck tells them: with their sentences whole, what is understood, and which further
views tables have."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from decklab.documents.sentences import sentences, word_count
from decklab.documents.shortening import by_number, leans_back, tells_option
from decklab.writer.outline import OutlinePoint
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.material import Statement, Topic
from decklab.writer.story.titles import TITLE_CHARACTERS, states
from decklab.writer.story.visuals import Visuals

_LEAST_SENTENCE, _NAME_WORDS = 3, 6
"""Words of the first sentence of an item that is told sentence by sentence, and of one that is
its name. Ours."""


def in_full(topic: Topic) -> Topic:
    """A topic and its parts with their sentences as the document has them, their numbered lists
    among these."""
    statements = (
        replace(item, text=whole_text(item.evidence.quote))
        for whole in topic.statements for item in _sentences_of(whole)
    )  # fmt: skip
    return replace(topic, statements=tuple(statements), parts=tuple(map(in_full, topic.parts)))


def _sentences_of(statement: Statement) -> Iterator[Statement]:
    """A statement, or the sentences of an item of a list, of which the first one is the item."""
    first, *rest = _with_brackets(sentences(statement.evidence.quote)) or [""]
    if rest and word_count(first) <= _NAME_WORDS and not states(first):  # a name, and what it is
        first = f"{first} {rest.pop(0)}"
    if not statement.item or word_count(first) < _LEAST_SENTENCE:
        yield statement
        return
    for number, text in enumerate((first, *rest)):
        evidence = statement.evidence.model_copy(update={"quote": text})
        yield replace(
            statement, evidence=evidence, item=not number, lead=not number,
            needs_before=leans_back(text) if number else statement.needs_before,
            goes_on=statement.goes_on or bool(number),
        )  # fmt: skip


def _with_brackets(told: Sequence[str]) -> list[str]:
    """Sentences, of which one in brackets stands with the one before."""
    joined: list[str] = []
    for text in told:
        if joined and text.startswith("("):
            joined[-1] += f" {text}"
        else:
            joined.append(text)
    return joined


_QUESTION_WORDS = 14
"""Words of a question that is a heading, at most. Ours."""
_NUMBERED = re.compile(r"\A\s*\d{1,2}(?:\.\d{1,2})+\.?\s+(?=[A-ZÀ-Þ])")
"""The number of a paragraph."""
_SHOUTED = re.compile(r"\A[A-ZÀ-Þ]{5,}(?=:\s)")
"""A label in capital letters."""


def whole_text(quote: str) -> str:
    """A sentence as a point says it: all its words, begun with a capital, without its full stop.

    >>> whole_text("use meters (Class 1;\\n drift 0.1 dB)."), whole_text("Is it so?")
    ('Use meters (Class 1; drift 0.1 dB)', 'Is it so?')
    """
    quote = _NUMBERED.sub("", quote, count=1)
    text = _SHOUTED.sub(lambda found: found[0].capitalize(), " ".join(quote.split()).rstrip(" ;,"))
    text = text[:-1] if text.endswith((".", "。")) and not text.endswith("..") else text
    begins = text.partition(" ")[0].rstrip(",:;")
    return text[:1].upper() + text[1:] if begins.isalpha() and begins.islower() else text


def with_questions(topic: Topic) -> Topic:
    """A topic and its parts; paragraphs that begin with a question are parts under that."""
    parts = tuple(map(with_questions, topic.parts))
    own = [*chain.from_iterable(map(_with_question_apart, topic.statements))]
    asked = [
        at for at, item in enumerate(own)
        if item.lead and item.text.endswith(("?", "？")) and item.words <= _QUESTION_WORDS
    ]  # fmt: skip
    if not asked:
        return replace(topic, parts=parts)
    ends = (*asked[1:], len(own))
    told = tuple(
        Topic(topic.document, own[at].text, topic.role, tuple(own[at + 1 : end]))
        for at, end in zip(asked, ends, strict=True) if end > at + 1
    )  # fmt: skip
    return replace(topic, statements=tuple(own[: asked[0]]), parts=(*told, *parts))


def _with_question_apart(item: Statement) -> tuple[Statement, ...]:
    """A statement, or the question with which it begins and its answer."""
    question, mark, answer = item.evidence.quote.partition("? ")
    if not (item.lead and mark and answer and word_count(question) <= _QUESTION_WORDS):
        return (item,)
    texts = f"{question}?", answer
    asked, told = (
        replace(item, text=whole_text(text),
                evidence=item.evidence.model_copy(update={"quote": text}))
        for text in texts
    )  # fmt: skip
    return asked, replace(told, lead=False, goes_on=True, needs_before=False)


def without_examples(topic: Topic) -> Topic:
    """A topic and its parts without the code that they show."""
    return replace(topic, example=None, parts=tuple(map(without_examples, topic.parts)))


def with_options_known(topic: Topic, names: Mapping[str, str]) -> Topic:
    """A topic and its parts, of whose statements those that name an option by its number are
    understood, where the document says what the options are; a heading that is the letter of an
    option has its name behind it."""
    told = bool(names) or any(
        item.opens_list > 1 or tells_option(item.text) for item in topic.statements
    )
    statements = (
        replace(item, standing=1.0) if told and by_number(item.text) else item
        for item in topic.statements
    )
    parts = tuple(with_options_known(part, names) for part in topic.parts)
    name = names.get(topic.heading.casefold(), "")
    heading = f"{topic.heading}: {name}" if name else topic.heading
    steps = tuple(
        step.model_copy(update={"label": f"{step.label}: {names[step.label.casefold()]}"})
        if step.label.casefold() in names and len(step.label) == 1 else step
        for step in topic.steps
    )  # fmt: skip
    return replace(
        topic, heading=heading, statements=tuple(statements), parts=parts, steps=steps
    )  # fmt: skip


def with_further_views(topic: Topic, visuals: Visuals, *, charts: bool) -> Topic:
    """A topic and its parts with the further pages of long tables, and with further charts."""
    more = (
        ref for visual in topic.visuals for ref in (visual, *visuals.further(visual, charts=charts))
    )
    parts = tuple(with_further_views(part, visuals, charts=charts) for part in topic.parts)
    return replace(topic, visuals=tuple(more), parts=parts)


_SEVEN = 7
"""Rows of a table of which one has a cell in a column that is worth its room. Ours."""


def filled_columns(
    rows: Sequence[OutlinePoint], header: Sequence[str]
) -> tuple[tuple[OutlinePoint, ...], tuple[str, ...]]:
    """Rows without the columns that are empty in nearly all of them, and what stands above the
    others."""
    filled = [
        at for at in range(len(header))
        if _SEVEN * sum(row.cells[at : at + 1] > ("",) for row in rows) >= len(rows)
    ]  # fmt: skip
    points = (row.model_copy(update={"cells": tuple(row.cells[at] for at in filled if row.cells)})
              for row in rows)  # fmt: skip
    return tuple(points), tuple(header[at] for at in filled)


def changed_words(point: OutlinePoint) -> str:
    """A sentence that says what changed, as a title: whole, or up to the amounts; empty if too
    long."""
    change = change_of(point.text, "")
    claims = (point.text, change.claim if change else "")
    return next((words for words in claims if 0 < len(words) <= TITLE_CHARACTERS), "")


def joined_points(first: OutlinePoint, second: OutlinePoint, link: str = ". ") -> OutlinePoint:
    """Two sentences as one point."""
    ended = first.text.endswith((".", "!", "?", ":", "。", "？"))
    text = f"{first.text}{' ' if ended else link}{second.text}"
    evidence = (*first.evidence, *second.evidence)
    return first.model_copy(update={"text": text, "evidence": evidence})


def few_points(points: Sequence[OutlinePoint], most: int) -> tuple[OutlinePoint, ...]:
    """Points, of which neighbours are one as long as there are too many, the shortest first."""
    few = [*points]
    while len(few) > most:
        lengths = [len(first.text) + len(second.text) for first, second in pairwise(few)]
        at = lengths.index(min(lengths))
        few[at : at + 2] = [joined_points(few[at], few[at + 1])]
    return tuple(few)


def labelled_text(point: OutlinePoint) -> OutlinePoint:
    """A point with its label before its text."""
    text = point.text if point.text == point.label else f"{point.label}: {point.text}"
    return point.model_copy(update={"text": text, "label": ""})
