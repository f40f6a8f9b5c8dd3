"""What a judge says of a deck, looked up in the deck."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from decklab.documents.quotes import plain_words
from decklab.evals.judges.meaning.spelled import in_digits
from decklab.evals.judges.meaning.wording import concepts_of
from decklab.evals.judges.quiz.statements import DeckStatement
from decklab.evals.judges.scenario.matching import FULL, said_in
from decklab.evals.judges.scenario.passages import passage_of
from decklab.evals.judges.scenario.shown_deck import StatedDeck
from decklab.evals.judges.scenario.text_proxies import judged_claims
from decklab.pages.wording import counted

_LEAST: Final = 3
_SHOWN: Final = 120
"""Words that evidence without a number has at least; characters of it in a message. Ours."""
_HEADING: Final = re.compile(r"^## (\d+)\.", re.MULTILINE)
_LEAD: Final = re.compile(r"^\s*slide \d+\s*(?:says(?: that)?)?\s*[:,]?\s*", re.IGNORECASE)


class SlideWords:
    """The words that an audience reads on each slide, by its number."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self.texts = texts
        self._plain = {number: _plain(text) for number, text in texts.items()}

    @classmethod
    def of(cls, markdown: Sequence[str], drawn: Mapping[int, str]) -> "SlideWords":
        """From slides as Markdown and the texts that are drawn on them."""
        texts = dict(drawn)
        for place, slide in enumerate(markdown, start=1):
            heading = _HEADING.match(slide)
            number = int(heading[1]) if heading else place
            texts[number] = f"{slide}\n{texts.get(number, '')}"
        return cls(texts)

    def says(self, slide: int, words: str) -> bool:
        """Whether a slide has some words as they are; parts may be left out between dots."""
        text = self._plain.get(slide, "")
        parts = [_plain(part) for part in re.split(r"…|\.\.\.", words)]
        said = [part for part in parts if part.strip()]
        return bool(said) and all(part in text for part in said)

    def problem(self, slide: int, evidence: str) -> str | None:
        """What is wrong with evidence from a slide, in a line; None where the slide has it."""
        if slide not in self.texts:
            return f"the deck shows no slide {slide}"
        said = _LEAD.sub("", evidence).strip(" \"'“”‘’.")
        enough = len(said.split()) >= _LEAST or any(char.isdigit() for char in said)
        if not self.says(slide, said):
            return f"slide {slide} does not say: {evidence[:_SHOWN]}"
        if not enough and _plain(said) != _plain(self.texts[slide]):
            return f"this is too short to prove anything: {evidence[:_SHOWN]}"
        return None


def _plain(text: str) -> str:
    """The words of a text with a space before and after each, in small letters."""
    words = re.findall(r"[^\W_]+", plain_words(text).casefold())
    return f" {' '.join(words)} "


def share_anything(item: str, evidence: str) -> bool:
    """Whether evidence has a concept or a number of an item.

    >>> share_anything("Traffic grew by 12%", "an increase"), share_anything("Traffic", "Tea")
    (True, False)
    """
    digits = [set(re.findall(r"\d+", text)) for text in (item, evidence)]
    concepts = concepts_of(in_digits(item)) & concepts_of(in_digits(evidence))
    return bool(concepts or digits[0] & digits[1])


@dataclass
class Audit:
    """What was found of a judge's answers in all runs, metric by metric."""

    unproven: dict[str, int] = field(default_factory=dict)
    """How many answers named evidence that is not there."""
    not_in_deck: set[tuple[int, str]] = field(default_factory=set)
    """Claims that the judge listed and the deck does not make, each with the slide it names."""
    left_out: set[tuple[int, str]] = field(default_factory=set)
    """Claims that the deck makes and the judge did not list."""

    def lines(self, titles: Mapping[str, str]) -> Iterator[str]:
        """It in sentences for a reader of the scores."""
        for name, count in self.unproven.items():
            answers = counted(count, "answer")
            yield f"{titles[name]}: {answers} with evidence that is not there; it does not count"
        if self.not_in_deck:
            claims = counted(len(self.not_in_deck), "claim")
            yield f"{claims} listed by the judge that the deck does not make; they do not count"
        if self.left_out:
            claims = counted(len(self.left_out), "claim")
            yield f"{claims} of the deck that the judge did not list; they were judged too"


def makes_claim(deck: StatedDeck, slide: int, claim: str) -> bool:
    """Whether a slide makes a claim: it has its words, and all of its numbers."""
    own = deck.only(slide)
    said = said_in(claim, own)
    return said.state == 1.0 or said.evidence.startswith("spread over")


def claims_left_out(deck: StatedDeck, listed: Sequence[tuple[int, str]]) -> Iterator[DeckStatement]:
    """The claims that a program finds in a deck and a list does not have."""
    passages = [passage_of(DeckStatement(slide, text)) for slide, text in listed]
    for claim in judged_claims(deck):
        wanted = passage_of(claim).meaning
        if not any(
            one.statement.slide == claim.slide
            and deck.passages.share(wanted, one) >= FULL
            and all(any(a.allows(b) for b in one.meaning.amounts) for a in wanted.amounts)
            for one in passages
        ):
            yield claim
