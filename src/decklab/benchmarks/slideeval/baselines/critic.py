"""A critic without a model: text, layout and style of a slide from what can be measured."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from decklab.benchmarks.slideeval.baselines.flaws import (
    SeenSlide,
    layout_flaws,
    style_flaws,
    text_flaws,
)
from decklab.options import Axis

Scale = Literal[5, 100]


@dataclass(frozen=True)
class Mapped:
    """From shares of flaws to degradation: ``base`` and so much of each flaw."""

    base: float
    weights: Mapping[str, float]

    def degradation(self, flaws: Mapping[str, float]) -> float:
        """0 (sound) to 1 (ruined)."""
        found = self.base + sum(weight * flaws[name] for name, weight in self.weights.items())
        return min(1.0, max(0.0, found))


WEIGHTS: Final[Mapping[Axis, Mapped]] = {
    "text": Mapped(-0.08, {"odd": 2.05, "capitals": 0.05, "clash": 0.78}),
    "geometry": Mapped(
        0.02,
        {
            "unaligned": 0.10, "overlap": 0.14, "cut": 0.12, "margin": 0.43, "thin": 0.96,
            "stretched": 0.12, "unbalanced": 0.34,
        },
    ),
    "style": Mapped(
        0.09,
        {
            "faint": 0.13, "families": 0.33, "italic": 0.58, "underlined": 0.49, "small": 0.06,
            "large": 0.27, "loud": 0.18,
        },
    ),
}  # fmt: skip
"""Ours. Least squares, no weight below 0 and large ones damped, of severity on the flaws of the
slides of decklab's three sample decks, each degraded at eleven severities; flaws that got no weight
are left out. Nothing else was looked at to choose them."""

_FLAWS: Final[Mapping[Axis, Callable[[SeenSlide], dict[str, float]]]] = {
    "text": text_flaws,
    "geometry": layout_flaws,
    "style": style_flaws,
}


@dataclass(frozen=True)
class Critic:
    """Scores slides from their elements and picture; sees neither the original nor a severity."""

    name: str = "decklab critic"

    def degradation(self, seen: SeenSlide, axis: Axis) -> float:
        """How far a slide is degraded along an axis, 0 to 1, lower is better."""
        return WEIGHTS[axis].degradation(_FLAWS[axis](seen))

    def score(self, seen: SeenSlide, axis: Axis, scale: Scale) -> int:
        """A whole number on 1 to 5 or 1 to 100, higher is better, as paper 000 asks models for."""
        return round(1 + (scale - 1) * (1 - self.degradation(seen, axis)))

    def flaws(self, seen: SeenSlide, axis: Axis) -> dict[str, float]:
        """What the score rests on: shares from 0 to 1 by flaw."""
        return _FLAWS[axis](seen)
