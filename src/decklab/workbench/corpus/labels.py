"""Topic and purpose of a deck, by rules from its words and structure, or by a model whose quotes
are looked up in the deck."""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Any, Final, Literal

from decklab.core.files import package_data
from decklab.core.results import NotScored
from decklab.documents.quotes import SearchableText
from decklab.models.asking import Ask, StrictForm, fill_prompt
from decklab.models.reading import Unanswered, answered

Topic = Literal[
    "business", "technology", "science", "health", "education", "government", "culture",
    "environment", "other",
]  # fmt: skip
"""Topic of a deck. Ours. Only a model says ``other``."""
Purpose = Literal["teach", "research", "report", "sell", "instruct", "plan", "other"]
"""Purpose of a deck: to teach a subject, to tell a study, to report figures or a state, to win
someone for a product or an idea, to say how something is done, to say what is to be done. Ours."""

LEAST_WORDS: Final = 3
"""Least different words, or signs, of a label that it needs. Ours."""
LEAD: Final = 1.4
"""How many times the second label's weight the first one needs. Ours."""
TITLE_WEIGHT: Final = 2.0
"""Weight of a word in titles that shows a purpose, beside 1 for a word anywhere. Ours."""
DATA_SHARE: Final = 0.3
"""Charts and tables a slide from which on they are a sign of a report. Ours."""


@dataclass(frozen=True)
class DeckContent:
    """Content of a deck that labels are made from; ``titles`` and ``texts`` by slide."""

    deck: str
    sha256: str | None
    language: str | None
    titles: Sequence[str]
    texts: Sequence[str]
    data: int
    """Charts and tables."""

    @property
    def slides(self) -> list[str]:
        """The text of each slide with its title."""
        both = zip(self.titles, self.texts, strict=True)
        return [text if title in text else f"{title}\n{text}" for title, text in both]


@dataclass(frozen=True)
class DeckLabel:
    """One label of a deck, and the words of the deck that show it."""

    label: str
    quote: str


@dataclass(frozen=True)
class DeckLabels:
    """Both labels of a deck, each with its words, or why there is none."""

    topic: DeckLabel | NotScored
    purpose: DeckLabel | NotScored


def labels_by_words(content: DeckContent) -> DeckLabels:
    """The labels by the words and the structure of an English deck.

    NotScored if it is in another language, if too few words show a label, and if two labels are
    nearly as likely. The quotes are words of the deck, with commas between.
    """
    if content.language not in (None, "en"):
        cause = NotScored(f"its language is {content.language}, and the word lists are English")
        return DeckLabels(cause, cause)
    text = " ".join(content.slides).lower()
    topics = {label: _found(pattern, text) for label, pattern in _patterns("topic").items()}
    purposes = {label: _found(pattern, text) for label, pattern in _patterns("purpose").items()}
    weights = {label: _weight(words) for label, words in purposes.items()}
    titles = " ".join(content.titles).lower()
    for label, pattern in _patterns("titles").items():
        words = _found(pattern, titles)
        weights[label] += TITLE_WEIGHT * len(words)
        purposes[label] += words
    if content.titles and content.data >= DATA_SHARE * len(content.titles):
        weights["report"] += TITLE_WEIGHT
    return DeckLabels(
        _decided(topics, {label: _weight(words) for label, words in topics.items()}),
        _decided(purposes, weights),
    )


@cache
def _patterns(kind: str) -> Mapping[str, re.Pattern[str]]:
    listed: dict[str, dict[str, list[str]]] = tomllib.loads(
        package_data("decklab.workbench.corpus", "label_words.toml").decode()
    )
    return {
        label: re.compile(rf"\b(?:{'|'.join(words)})\b") for label, words in listed[kind].items()
    }


def _found(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(pattern.findall(text))


def _weight(words: Mapping[str, int]) -> float:
    """Different words count for more than one word that is repeated."""
    return sum(1 + log2(count) / 2 for count in words.values())


def _decided(
    found: Mapping[str, Counter[str]], weights: Mapping[str, float]
) -> DeckLabel | NotScored:
    first, second = sorted(weights, key=lambda label: -weights[label])[:2]
    words = found[first]
    if len(words) < LEAST_WORDS:
        return NotScored(f"only {len(words)} of its words tell one, under {LEAST_WORDS}")
    if weights[first] < LEAD * weights[second]:
        return NotScored(f"its words tell {first} and {second} alike")
    ranked: list[tuple[str, Any]] = words.most_common(LEAST_WORDS)
    return DeckLabel(first, ", ".join(word for word, _ in ranked))


MOST_CHARACTERS: Final = 12_000
"""Of a deck's text in a question. Ours: some 3,000 tokens."""
_SLIDE_CHARACTERS: Final = 600
_LONGEST_QUOTE: Final = 200


class TopicReply(StrictForm):
    """What the deck is about and what it is for, each with words of the deck that show it."""

    topic: Topic
    topic_quote: str
    purpose: Purpose
    purpose_quote: str


def labels_by_model(content: DeckContent, ask: Ask) -> DeckLabels:
    """The labels that a model gives, each with a quote that stands in the deck.

    A quote that does not stand there goes back to the model. NotScored if the deck has no text, and
    if no reply could be used. Raises what ``ask`` raises: ModelFailed and BudgetSpent.
    """
    pieces = _pieces(content)
    if not any(any(char.isalnum() for char in piece) for piece in pieces):
        cause = NotScored("it has no text")
        return DeckLabels(cause, cause)
    searchable = SearchableText(pieces)

    def check(reply: TopicReply) -> str | None:
        wrong = [
            f"{name} does not stand in the deck: {quote[:80]!r}"
            for name, quote in (
                ("topic_quote", reply.topic_quote), ("purpose_quote", reply.purpose_quote),
            ) if len(quote) > _LONGEST_QUOTE or searchable.find(quote) is None
        ]  # fmt: skip
        return "; ".join(wrong) or None

    prompt = fill_prompt("decklab.workbench.corpus", "prompts/annotate.txt", deck=_shown(pieces))
    try:
        reply = answered(ask, prompt, TopicReply, check=check, stage="annotate").answer
    except Unanswered as error:
        cause = NotScored(f"the model's reply cannot be used: {error.problem}")
        return DeckLabels(cause, cause)
    return DeckLabels(
        DeckLabel(reply.topic, reply.topic_quote), DeckLabel(reply.purpose, reply.purpose_quote)
    )


def _pieces(content: DeckContent) -> list[str]:
    """The text of each slide as the model sees it, so that a quote is one of what it was shown."""
    pieces = [" ".join(text.split())[:_SLIDE_CHARACTERS] for text in content.slides]
    room = MOST_CHARACTERS
    shown = []
    for piece in pieces:
        shown.append(piece[:room])
        room -= len(shown[-1])
    return shown


def _shown(pieces: list[str]) -> str:
    return "\n".join(f"Slide {number}: {piece}" for number, piece in enumerate(pieces, 1) if piece)
