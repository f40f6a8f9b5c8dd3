"""Prompts for judges, from the text files of ``data/``, and a baseline that rates slides by
weighted flaws of layout, style and text.

The wording is ours; the rules in it are the paper's (appendix B, E.3, F.3).

Flaws are shares from 0 (none) to 1.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Final, Literal

from decklab.core.files import package_data
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.options import Axis
from decklab.evals.perturb.constants import AXES
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.metrics.quality.flaws import MeasuredSlide, layout_flaws, style_flaws, word_flaws
from decklab.metrics.spelling import odd_share
from decklab.models.asking import fill_prompt

Scale = Literal[5, 100]

_PACKAGE: Final = "decklab.evals.slideeval"

SLIDE_PROMPT: Final = "This is the slide."
"""The text beside the picture of a slide."""


def text_prompt(markdown: str) -> str:
    """Text that replaces a slide's picture in a question that has words only.

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
    """Text that replaces the pictures of a deck's slides, given as Markdown."""
    shown = [f"Number {place}:\n\n{text}" for place, text in enumerate(slides, start=1)]
    head = (
        f"There are no pictures. Below is what {len(slides)} slides hold, as Markdown, numbered "
        f"from 1 to {len(slides)} in the order they are shown."
    )
    return "\n".join([head, "", *shown])


def _filled(file: str, **values: str) -> str:
    return fill_prompt(_PACKAGE, f"data/{file}.txt", **values).removesuffix("\n")


def text_flaws(seen: MeasuredSlide) -> dict[str, float]:
    """The flaws of words, odd spelling by letters alone, and texts drawn over each other."""
    odd = odd_share("\n".join(item.text for item in seen.texts))
    spelled = 0.0 if odd is None else odd
    return word_flaws(seen) | {"odd": spelled, "clash": _clashing(seen.regions)}


def _clashing(spans: Sequence[TextRegion]) -> float:
    """Share of drawn lines of text that overlap another line."""
    hit = set()
    for (a, one), (b, other) in combinations(enumerate(spans), 2):
        common = one.frame_box.intersection(other.frame_box)
        low = min(one.frame_box.height, other.frame_box.height)
        if one.line != other.line and common.height > low / 3 and common.width > low / 2:
            hit |= {a, b}
    return len(hit) / len(spans) if spans else 0.0


@dataclass(frozen=True)
class FlawWeights:
    """Degradation as a weighted sum of flaws, plus ``base``."""

    base: float
    weights: Mapping[str, float]

    def degradation(self, flaws: Mapping[str, float]) -> float:
        """0 (sound) to 1 (ruined)."""
        found = self.base + sum(weight * flaws[name] for name, weight in self.weights.items())
        return min(1.0, max(0.0, found))


_FITTED: Final = tomllib.loads(
    package_data("decklab.evals.slideeval", "data/critic_weights.toml").decode()
)
WEIGHTS: Final[Mapping[Axis, FlawWeights]] = {axis: FlawWeights(**_FITTED[axis]) for axis in AXES}
"""By axis. Ours: fitted to slides of decklab's three samples, see ``data/critic_weights.toml``."""

_FLAWS: Final[Mapping[Axis, Callable[[MeasuredSlide], dict[str, float]]]] = {
    "text": text_flaws,
    "geometry": layout_flaws,
    "style": style_flaws,
}


def degradation(seen: MeasuredSlide, axis: Axis) -> float:
    """How far a slide is degraded along an axis, 0 to 1, lower is better.

    Judged from its elements and picture, without the original and without the severity.
    """
    return WEIGHTS[axis].degradation(_FLAWS[axis](seen))


def rate_slide(seen: MeasuredSlide, axis: Axis, scale: Scale) -> int:
    """A whole number on 1 to 5 or 1 to 100, higher is better, as paper 000 asks models for."""
    return round(1 + (scale - 1) * (1 - degradation(seen, axis)))
