"""A baseline that rates slides by weighted flaws of layout, style and text.

Flaws are shares from 0 (none) to 1.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from decklab.core.files import package_data
from decklab.core.options import Axis
from decklab.evals.perturb.constants import AXES
from decklab.evals.slideeval.prompts import Scale
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.metrics.quality.flaws import MeasuredSlide, layout_flaws, style_flaws, word_flaws
from decklab.metrics.spelling import odd_share


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
