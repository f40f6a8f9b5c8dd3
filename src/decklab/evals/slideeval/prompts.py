"""Prompts for judges, from the text files of ``data/``.

The wording is ours; the rules in it are the paper's (appendix B, E.3, F.3).
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final, Literal

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.options import Axis
from decklab.models.asking import fill_prompt

Scale = Literal[5, 100]

_PACKAGE: Final = "decklab.evals.slideeval"

SLIDE_PROMPT: Final = "This is the slide."
"""The text beside the picture of a slide."""


def text_prompt(markdown: str) -> str:
    """What stands in the place of a slide's picture where a question has words only.

    Ours; the paper shows pictures.
    """
    return f"There is no picture. This is what the slide holds, as Markdown:\n\n{markdown}"


def extract_system() -> str:
    """The system prompt for writing down the elements of a slide (appendix B)."""
    return _filled("extract", width=str(FRAME_WIDTH), height=str(FRAME_HEIGHT))


@cache
def criteria(axis: Axis) -> tuple[str, tuple[str, ...]]:
    """The name of an axis and the questions by which it is judged (table 3)."""
    text = resources.files(_PACKAGE).joinpath("data/criteria.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)[axis]
    return found["name"], tuple(found["questions"])


def rate_system(axis: Axis, scale: Scale) -> str:
    """The system prompt for rating on one axis (figure 5): scale, anchors and questions.

    >>> "50.5 means acceptable" in rate_system("style", 100)
    True
    """
    name, questions = criteria(axis)
    return _filled(
        "rate", name=name, questions="\n".join(f"- {line}" for line in questions),
        scale=str(scale), middle=f"{(1 + scale) / 2:g}",
    )  # fmt: skip


def order_system() -> str:
    """The system prompt for ordering slides (F.3)."""
    return _filled("order")


def order_prompt(slides: int) -> str:
    """The text beside the pictures of a deck's slides."""
    return f"There are {slides} pictures, numbered from 1 to {slides} in the order they are shown."


def order_text_prompt(slides: Sequence[str]) -> str:
    """What stands in the place of the pictures of a deck's slides, given as Markdown."""
    shown = [f"Number {place}:\n\n{text}" for place, text in enumerate(slides, start=1)]
    head = (
        f"There are no pictures. Below is what {len(slides)} slides hold, as Markdown, numbered "
        f"from 1 to {len(slides)} in the order they are shown."
    )
    return "\n".join([head, "", *shown])


def _filled(file: str, **values: str) -> str:
    return fill_prompt(_PACKAGE, f"data/{file}.txt", **values).removesuffix("\n")
