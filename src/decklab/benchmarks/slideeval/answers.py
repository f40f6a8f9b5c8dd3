"""What models are asked to answer in, and how a reply's text is read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from decklab.deck.model.plain import PlainSlide
from decklab.models.asking import parse_answer

A = TypeVar("A", bound=BaseModel)

_COLOR = re.compile(r'"#[0-9a-fA-F]{6}"')


class _Answer(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True
    )


class Rating5(_Answer):
    """A rating on the 5-point scale."""

    score: int = Field(ge=1, le=5)
    """A whole number from 1 to 5."""


class Rating100(_Answer):
    """A rating on the 100-point scale."""

    score: int = Field(ge=1, le=100)
    """A whole number from 1 to 100."""


class OrderAnswer(_Answer):
    """The order of a deck's slides."""

    order: list[int]
    """Numbers of the pictures, each once, the first slide's first."""


ANSWERS: Final[dict[str, type[BaseModel]]] = {
    "slide": PlainSlide,
    "rating-5": Rating5,
    "rating-100": Rating100,
    "order": OrderAnswer,
}
"""The forms of answers, by the names they have in logs."""


@dataclass(frozen=True)
class Read(Generic[A]):
    """A reply that fits its schema, or what is wrong with it in a line."""

    answer: A | None
    problem: str | None


def read_answer(text: str, schema: type[A]) -> Read[A]:
    """A reply's text by a strict schema; what does not fit is a failure, nothing is mended.

    Only colours may be in small letters, where the schema has capitals: they say the same.

    >>> read_answer('{"score": 6}', Rating5).problem
    'score: Input should be less than or equal to 5'
    """
    capitals = _COLOR.sub(lambda match: match.group().upper(), text)
    return Read(*parse_answer(capitals, schema))


def named_slides(order: Sequence[int], shown: Sequence[int]) -> list[int]:
    """Slide numbers from numbers of pictures; ``shown`` are the slides in the order of pictures.

    A picture that was not shown becomes a negative number, which no slide has.

    >>> named_slides([2, 1, 7], [30, 10])
    [10, 30, -7]
    """
    return [
        shown[picture - 1] if 1 <= picture <= len(shown) else -abs(picture) - (picture == 0)
        for picture in order
    ]
