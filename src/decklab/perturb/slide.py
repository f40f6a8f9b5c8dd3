"""One slide, one axis, one severity, one seed."""

from collections.abc import Callable
from typing import Literal, TypeVar, get_args

from decklab.deck.model.plain import PlainSlide
from decklab.deck.model.slide import SlideElements
from decklab.perturb.constants import NO_OP
from decklab.perturb.draws import Draws
from decklab.perturb.geometry import perturb_geometry
from decklab.perturb.style import perturb_style
from decklab.perturb.text import perturb_text

S = TypeVar("S", PlainSlide, SlideElements)

Axis = Literal["geometry", "text", "style"]
AXES: tuple[Axis, ...] = ("geometry", "text", "style")
"""The three ways a slide is degraded."""

LadderDraws = Literal["coupled", "independent"]
LADDER_DRAWS: tuple[LadderDraws, ...] = get_args(LadderDraws)
"""How the severities of one slide hang together: one stream of draws for all of them, so that each
step adds to the damage of the one before; or a stream for each, as the paper prints."""


def perturb(
    slide: S,
    axis: Axis,
    severity: float,
    *,
    seed: int = 0,
    key: str | int = "",
    ladder_draws: LadderDraws = "coupled",
) -> S:
    """The slide degraded along one axis, with the defaults of paper 000, appendix D.

    ``severity`` goes from 0, which changes nothing, to 1. ``key`` names the slide: draws depend
    on ``seed``, ``key`` and ``axis`` and on nothing else, so the same call gives the same slide
    in any process on any machine, and a higher severity goes on with the damage of a lower one.
    With ``ladder_draws="independent"`` they depend on the severity, too (to six decimals), as
    section 3 and appendix H of the paper have it. At any one severity the damage is distributed
    alike in both. Give every slide a key of its own, or all are moved alike. Raises ValueError
    for a severity outside 0 to 1 and for other draws.
    """
    if ladder_draws not in LADDER_DRAWS:
        raise ValueError(f"draws are {' or '.join(LADDER_DRAWS)}, not {ladder_draws!r}")
    if not 0 <= severity <= 1:
        raise ValueError(f"severity must be between 0 and 1, not {severity}")
    if severity <= NO_OP:
        return slide.model_copy()
    operators: dict[Axis, Callable[[S, float, Draws], S]] = {
        "geometry": perturb_geometry,
        "text": perturb_text,
        "style": perturb_style,
    }
    names = (seed, key, axis, float(severity))
    draws = Draws(*names) if ladder_draws == "independent" else Draws(*names[:3])
    return operators[axis](slide, severity, draws)
