"""What a perfect measure of damage reaches on ladders of both kinds, and why it misses the rest.

No deck is drawn: the slides of a folder's decks with three texts and more are damaged at severities
0, 0.1, ... 1 and their damage is measured. Adjacent POA is 1 where no step takes damage back. Below
it, geometry again without each operator that the paper calls optional. Run as
``python -m bench.ladder_ceilings [FOLDER]``.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from decklab.core.errors import DeckError
from decklab.core.options import Axis, LadderDraws
from decklab.deck.model.base import PlainSlide
from decklab.deck.reading import read_elements
from decklab.deck.views.snapshot import plain_slide
from decklab.evals.perturb.constants import AXES, LADDER_DRAWS, Draws
from decklab.evals.perturb.deck import perturb
from decklab.evals.perturb.operators import GeometryOptions, perturb_geometry
from decklab.evals.slideeval.items import LEAST_TEXTS, SEVERITIES, in_schema
from decklab.metrics.ratings import Degraded, slide_damage
from decklab.metrics.sensitivity import damage_ceilings
from decklab.ooxml.package import Package

DECKS = Path(__file__).parents[2] / "shared" / "decks" / "real"
MOST = 12
"""Ours: slides of each deck, from the first."""

Keyed = tuple[str, int, PlainSlide]


def main(arguments: list[str]) -> int:
    """Print the table."""
    slides = list(_slides(Path(arguments[0]) if arguments else DECKS))
    print(f"{len(slides)} slides of {len({deck for deck, _, _ in slides})} decks")
    print(f"{'axis':<10}{'draws':<34}{'POA':>8}{'rho':>8}{'MACE':>8}")
    for axis in AXES:
        for draws in LADDER_DRAWS:
            _line(axis, draws, slides, partial(_damaged, axis, draws))
    for name in ("extreme", "reposition", "collapse"):
        _line("geometry", f"coupled, without {name}", slides, partial(_without, name))
    return 0


def _damaged(axis: Axis, draws: LadderDraws, key: str, slide: PlainSlide, at: float) -> PlainSlide:
    return perturb(slide, axis, at, key=key, ladder_draws=draws)


def _without(operator: str, key: str, slide: PlainSlide, at: float) -> PlainSlide:
    stream = Draws(0, key, "geometry")
    options = replace(GeometryOptions(), **{operator: False})
    return perturb_geometry(slide, at, stream, options) if at else slide


def _line(
    axis: str,
    name: str,
    slides: Iterable[Keyed],
    damaged: Callable[[str, PlainSlide, float], PlainSlide],
) -> None:
    damage = [
        Degraded("", axis, 0, deck, str(number), at,
                 slide_damage(slide, damaged(f"{deck}#{number}", slide, at), axis))
        for deck, number, slide in slides
        for at in SEVERITIES
    ]  # fmt: skip
    [found] = damage_ceilings(damage)
    print(f"{axis:<10}{name:<34}{found.consistency:>8.3f}{found.fidelity:>8.3f}{found.mace:>8.3f}")


def _slides(folder: Path) -> Iterable[Keyed]:
    for path in sorted(folder.glob("*.pptx")):
        try:
            with Package.open(path) as package:
                read = read_elements(package).slides
        except DeckError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        plain = ((slide.number, plain_slide(in_schema(slide))) for slide in read)
        fit = [(path.name, *each) for each in plain if len(each[1].texts) >= LEAST_TEXTS]
        yield from fit[:MOST]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
