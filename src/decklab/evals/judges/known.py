"""Statements about a deck that are known to be true or false, which every question holds.

A judge that gets them wrong has not looked, or says what pleases: its scores do not count.
"""

import hmac
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from decklab.evals.judges.fencing import commands_in
from decklab.models.asking import StrictForm

INVENTED: Final = (
    "The lighthouse of Norrvik was sold to a circus",
    "Purple unicorns tested the brakes of the funicular",
    "A choir of beekeepers won the regatta on Lake Imbra",
    "The mayor of Oldenford knitted the northern viaduct",
    "Seventeen tubas were found in the reactor of Pell",
    "The submarine Marigold delivers soup to Castle Vane",
    "Dentists of Quarrow banned the colour of moss",
    "The glacier at Tervo is rented to violinists",
    "A parrot chairs the archive of lost umbrellas",
    "The moon museum in Hask burned its only spoon",
)
"""What no deck says. Ours."""
_TRUE: Final = 2
_FALSE: Final = 2
_LEAST_WORDS: Final = 3
_LONGEST: Final = 160
_ENOUGH: Final = 0.75
"""True and false statements in a question; words and characters that a true one has at least and at
most; the share that a judge has to get right. Ours."""


class KnownAnswer(StrictForm):
    """Whether one of the statements about the deck is true."""

    statement: int
    true: bool


class WithKnown(StrictForm):
    """A reply that also says which of the statements about the deck are true."""

    known: tuple[KnownAnswer, ...] = Field(max_length=20)


@dataclass(frozen=True)
class KnownStatements:
    """Statements for one question, by their numbers, and whether they are true."""

    statements: Mapping[int, tuple[str, bool]]

    @property
    def text(self) -> str:
        """They as a question holds them; empty where there are none."""
        if not self.statements:
            return ""
        lines = (f"Statement {number}: {text}" for number, (text, _) in self.statements.items())
        asked = "Also say in known of each of these statements about the deck whether it is true:"
        return "\n".join((asked, *lines))

    def right(self, answers: Sequence[KnownAnswer]) -> int:
        """How many were answered rightly; one that was not answered, or twice, is not."""
        said: dict[int, set[bool]] = {}
        for one in answers:
            said.setdefault(one.statement, set()).add(one.true)
        return sum(said.get(number) == {true} for number, (_, true) in self.statements.items())


def known_statements(
    said: Mapping[int, Sequence[str]], question: str, secret: str
) -> KnownStatements:
    """Statements about what slides say, by the slides' numbers, for a question.

    Which they are, and their order, follows from the question and the secret of the run. There are
    none where no slide has words.
    """
    seed = hmac.new(secret.encode(), question.encode(errors="replace"), "sha256").digest()
    draw = random.Random(seed)  # repeatable, not secret
    sayings = [
        (slide, text[:_LONGEST])
        for slide, texts in said.items()
        for text in texts
        if len(text.split()) >= _LEAST_WORDS and "\n" not in text and not any(commands_in([text]))
    ]
    if not sayings:
        return KnownStatements({})
    true = [(*one, True) for one in draw.sample(sayings, min(_TRUE, len(sayings)))]
    every = " ".join(text for _, text in sayings).casefold()
    invented = [text for text in INVENTED if text.casefold() not in every]
    slides = [draw.choice(sayings)[0] for _ in range(_FALSE)]
    false = [
        (slide, text, False)
        for slide, text in zip(slides, draw.sample(invented, _FALSE), strict=True)
    ]
    mixed = [*true, *false]
    draw.shuffle(mixed)
    return KnownStatements(
        {
            number: (f"Slide {slide} says “{text}”", holds)
            for number, (slide, text, holds) in enumerate(mixed, start=1)
        }
    )


@dataclass
class KnownTally:
    """How many known statements a judge got right."""

    right: int = 0
    of: int = 0

    def add(self, known: KnownStatements, answers: Sequence[KnownAnswer]) -> None:
        """Count the answers of one reply."""
        self.right += known.right(answers)
        self.of += len(known.statements)

    def __add__(self, other: "KnownTally") -> "KnownTally":
        return KnownTally(self.right + other.right, self.of + other.of)

    @property
    def failure(self) -> str:
        """Why what the judge said does not count; empty where it does."""
        if self.right >= _ENOUGH * self.of:
            return ""
        wrong = self.of - self.right
        return f"the judge got {wrong} of {self.of} statements wrong that are known about the deck"
