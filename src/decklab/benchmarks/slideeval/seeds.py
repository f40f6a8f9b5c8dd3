"""Seed slides for perturbation: busy enough, and looking the same after being rebuilt.

The paper picks them by hand: at least three visible text elements, well preserved by the schema
(section 3). Here pictures before and after rebuilding are compared.
"""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.benchmarks.slideeval.choosing import shuffled
from decklab.benchmarks.slideeval.drawing import Picture, draw, rebuilt_slides
from decklab.deck.reading import read_elements
from decklab.deck.views.plain import plain_slide
from decklab.metrics.pictures import ssim
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache
from decklab.rendering.office.office import Converter

LEAST_TEXTS: Final = 3
"""Section 3."""

LEAST_LIKENESS: Final = 0.9
"""Ours: mean SSIM of the slide as it is and rebuilt. Template art that is lost, a missing chart
or moved text bring it below."""

TRIES: Final = 4
"""Ours: slides that are drawn for each seed that is wanted of a deck."""


def likeness(one: Picture, other: Picture) -> float:
    """Mean SSIM of two pictures of one size, in grey; 1 for equal ones."""
    return ssim(_grey(one), _grey(other))


def find_seeds(
    path: Path,
    *,
    most: int | None = None,
    seed: int = 0,
    name: str = "",
    office: Converter | None = None,
    cache: Cache | None = None,
) -> list[int]:
    """Numbers of a deck's slides that are fit to be perturbed, at most ``most`` of them.

    Slides are tried in an order drawn from ``seed`` and ``name``. Raises DeckError where the deck
    cannot be read, RenderError where it cannot be drawn.
    """
    with Package.open(path) as package:
        slides = read_elements(package).slides
    busy = [slide.number for slide in slides if len(plain_slide(slide).texts) >= LEAST_TEXTS]
    tried = shuffled(busy, seed, name)[: None if most is None else most * TRIES]
    if not tried:
        return []
    before = draw(path, office=office, cache=cache, numbers=tried)
    after = rebuilt_slides(path, tried, office=office, cache=cache)
    alike = [
        number
        for number, one, other in zip(tried, before, after, strict=True)
        if likeness(one.image, other.image) >= LEAST_LIKENESS
    ]
    return alike[:most]


def _grey(image: Picture) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)
