"""A sentence or cell of a document without one of its numbers or terms, as a question."""

from dataclasses import dataclass

from decklab.judges.quiz.bank import BLANK


@dataclass(frozen=True)
class ClozeQuestion:
    """A question before its options are put in order: the right one and three wrong ones."""

    question: str
    right: str
    wrong: tuple[str, str, str]
    quote: str
    document: str
    page: int | None
    topic: str
    importance: float


def blanked(text: str, start: int, end: int) -> str:
    """A sentence with a blank in the place of ``text[start:end]``, and an end.

    >>> blanked("It has 3 parts", 7, 8)
    'It has ____ parts.'
    """
    asked = f"{text[:start]}{BLANK}{text[end:]}"
    return asked if asked.endswith(("!", "?", "”", '"')) else f"{asked}."
