"""A baseline that rates slides by weighted flaws of layout, style and text.

Flaws are shares from 0 (none) to 1.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from decklab.benchmarks.slideeval.prompts import Scale
from decklab.files import package_data
from decklab.metrics.quality.flaws import MeasuredSlide, layout_flaws, style_flaws, text_flaws
from decklab.options import Axis
from decklab.perturb.constants import AXES


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
    package_data("decklab.benchmarks.slideeval", "data/critic_weights.toml").decode()
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
