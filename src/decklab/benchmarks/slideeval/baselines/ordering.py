"""Putting shuffled slides in order by their texts and pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.benchmarks.slideeval.baselines.cues import agendas, builds, own_lines, wordings
from decklab.benchmarks.slideeval.baselines.numbering import (
    counts,
    lists,
    page_numbers,
    without_page_numbers,
)
from decklab.benchmarks.slideeval.baselines.paths import best_path
from decklab.benchmarks.slideeval.baselines.words import similarities, words_of

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SlideView:
    """What is to be seen of a slide."""

    text: str
    """Line by line from the top, the title first."""
    image: Picture
    """Height x width x 3, red green blue."""
    title_pt: float = 0.0
    """Size of the title, on a slide 540 pt high; 0 where it is not known."""
    title_top: float = 0.0
    """Where the title begins, px of the frame from the top."""


# All ours: what a cue weighs against one step between slides that have nothing in common. Chosen
# on half of a set of real decks; values half and twice as large do about as well there.
LOOK: Final = 0.25
"""Of likeness, by looks; the rest is by words."""
PLACES: Final = 4.0
"""Over the number of slides, for the way from opening to closing."""
COUNTS: Final = 0.6
AGENDAS: Final = 0.3
LISTS: Final = 0.3
BUILDS: Final = 0.3
PAGES: Final = 2.0
LARGER: Final = 0.5
"""A title larger than most by this share opens a deck most surely,"""
LOWER: Final = 120.0
"""and one that begins lower by so many px,"""
TERSE: Final = 4
WORDY: Final = 40
"""on a slide with more words than the first and fewer than the second,"""
FINAL: Final = 3.0
"""unless they are those of a closing, which weigh so much."""
FAITH: Final = 0.05
"""How firmly a slide whose words say nothing stays in the middle,"""
SPREAD: Final = 0.5
"""against how firmly it goes with slides like it."""

_THUMB = (16, 9)


def order_slides(slides: Sequence[SlideView], *, use_page_numbers: bool = True) -> list[int]:
    """The indices of ``slides`` in the order they seem to belong in.

    Slides that are alike in words and looks should follow one another; openings, closings,
    numbered steps and lists, agendas and builds say which comes first; so do the numbers that
    slides show of themselves, unless ``use_page_numbers`` is off. The order in which slides are
    given does not matter, unless two are the same in text and picture.
    """
    if len(slides) < 2:
        return list(range(len(slides)))
    bare = [without_page_numbers(slide.text) for slide in slides]
    fixed = sorted(range(len(slides)), key=lambda index: _name(bare[index], slides[index].image))
    views = [slides[index] for index in fixed]
    texts = own_lines([bare[index] for index in fixed])
    looks = _looks([view.image for view in views])
    alike = (1 - LOOK) * similarities(texts) + LOOK * looks
    evidence = (
        PLACES * _places(views, texts, alike, looks) / len(texts)
        + COUNTS * counts(texts)
        + AGENDAS * agendas(texts)
        + LISTS * lists(texts)
        + BUILDS * builds(texts)
    )
    if use_page_numbers:
        evidence += PAGES * _paged([view.text for view in views])
    return [fixed[place] for place in best_path(alike, evidence)]


def _name(text: str, image: Picture) -> bytes:
    """A slide's place among others however they are given."""
    return sha256(text.encode() + np.ascontiguousarray(image).tobytes()).digest()


def _looks(images: Sequence[Picture]) -> Floats:
    """How alike pictures are, 0 to 1, by small copies of them."""
    small = np.array(
        [
            cv2.resize(image, _THUMB, interpolation=cv2.INTER_AREA).astype(float).ravel()
            for image in images
        ]
    )
    apart = np.abs(small[:, None, :] - small[None, :, :]).mean(axis=2)
    return np.asarray(np.exp(-apart / 32))


def _places(
    slides: Sequence[SlideView], texts: Sequence[str], alike: Floats, looks: Floats
) -> Floats:
    """Evidence of openings and closings, spread over the slides that are like them."""
    places = wordings(texts)
    trust = FAITH + np.abs(places)
    length = np.array([float(len(words_of(text))) for text in texts])
    first = _opening(slides, length, looks, places)
    places[first], trust[first] = -1.0, 1.0
    weights = alike.copy()
    np.fill_diagonal(weights, 0)
    weights *= SPREAD / np.maximum(weights.sum(axis=1).mean(), 1e-9)
    system = np.diag(trust + weights.sum(axis=1)) - weights
    spread = np.linalg.solve(system, trust * places)
    return np.asarray(np.maximum(spread[None, :] - spread[:, None], 0))


def _opening(slides: Sequence[SlideView], length: Floats, looks: Floats, places: Floats) -> int:
    """The slide that most likely opens the deck: a large title set low, looks of its own, few
    words, and none that closes."""
    rare = 1 - (looks.sum(axis=1) - 1) / max(1, len(slides) - 1)
    size = np.array([slide.title_pt for slide in slides])
    top = np.array([slide.title_top for slide in slides])
    large = np.clip(size / max(1.0, float(np.median(size))) - 1, 0, LARGER) / LARGER
    low = np.clip((top - np.median(top)) / LOWER, 0, 1)
    short = np.clip(1 - length / WORDY, 0, 1) * np.clip(length / TERSE, 0, 1)
    return int(np.argmax(rare + large + low + short - FINAL * np.maximum(places, 0) ** 2))


def _paged(texts: Sequence[str]) -> Floats:
    numbers = page_numbers(texts)
    evidence = np.zeros((len(texts), len(texts)))
    for one, first in enumerate(numbers):
        for other, second in enumerate(numbers):
            if first is not None and second is not None and first < second:
                evidence[one, other] = 1.0
    return evidence
