"""The model of a drawn deck: ordered pictures of slides, and the text as it was laid out."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from decklab.core.files import Closing
from decklab.core.geometry import Box

DeckKind = Literal["office", "pdf", "images", "html"]
"""How a deck is opened."""

TextSource = Literal["layout", "ocr", "dom", "none"]
"""Where spans come from: the laid-out page, characters found in the picture, or the browser;
``none`` if there is a picture only and nothing looked for text in it."""


@dataclass(frozen=True)
class TextSpan:
    """A run of characters on one line, drawn in one font, size and colour."""

    text: str
    """Without the characters of private use that symbol fonts draw bullets and icons with; empty
    if ink was found in a picture but not read."""
    box: Box
    """Tight around the ink, in the 960x540 frame; outside the frame where the text is."""
    font: str
    """Name of the font that was drawn, without a subset prefix; empty if not known."""
    size_pt: float
    """Effective size in points, as drawn."""
    color: str
    """``#RRGGBB``; empty if not known."""
    line: int
    """Counts the lines of a slide from 0; spans with the same number follow on one line."""


@dataclass(frozen=True)
class LayeredSpan:
    """A span with the boxes of its characters."""

    span: TextSpan
    characters: tuple[Box, ...]
    """Of each drawn character, tight, in the pixels of the layer's pictures."""
    size_shown: float
    """Effective size in points on a page fitted into 960 by 540 points: a larger page is shown
    smaller on the same screen."""


@dataclass(frozen=True)
class TextLayer:
    """Texts of a page that do not overlap each other."""

    spans: tuple[LayeredSpan, ...]
    full: NDArray[np.uint8]
    """The page, (H, W, 3) RGB."""
    without: NDArray[np.uint8]
    """The same without these texts."""
    ink: NDArray[np.uint8]
    """How much of each pixel these texts would cover with nothing over them, 0 to 255, (H, W)."""


TextReader = Callable[[NDArray[np.uint8], float], tuple[TextSpan, ...]]
"""Finds text in a picture of a slide, given the slide's height in points."""


@dataclass(frozen=True)
class RenderedSlide:
    """One slide as it looks."""

    number: int
    """1-based."""
    image: NDArray[np.uint8]
    """Height x width x 3, red green blue."""
    spans: tuple[TextSpan, ...]
    """In the order of drawing, or of reading if the text was found in a picture."""
    text_source: TextSource


class RenderedDeck(Closing, ABC):
    """Slides drawn one at a time when asked for, so that memory stays flat.

    A context manager; ``close`` releases the file. Use from one thread.
    """

    path: Path
    """The deck as it was given."""
    kind: DeckKind
    engine: str
    """Name and version of what drew it."""
    slide_size_pt: tuple[float, float]
    """Width and height of the first slide in points; (0, 0) for a deck without slides."""
    faults: Mapping[int, str] = MappingProxyType({})
    """Why a slide cannot be drawn, by 1-based number; iteration leaves these slides out."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of slides."""

    @abstractmethod
    def slide(self, number: int) -> RenderedSlide:
        """Draw one slide by its 1-based number; raises IndexError if there is none."""

    def layers(self, number: int) -> list[TextLayer]:
        """A slide with and without its text, see ``page_layers``; none for decks that are
        pictures or web pages. IndexError if there is no such slide."""
        self._check(number)
        return []

    @abstractmethod
    def close(self) -> None:
        """Close the files that the deck has open; safe to call again."""

    @property
    def fonts(self) -> tuple[str, ...]:
        """Names of the fonts drawn, sorted; empty for pictures. Looks through all slides."""
        return ()

    def __iter__(self) -> Iterator[RenderedSlide]:
        return (self.slide(number) for number in range(1, len(self) + 1))

    def _check(self, number: int) -> None:
        if not 1 <= number <= len(self):
            raise IndexError(f"{self.path} has no slide {number}; it has {len(self)}")


def fit(width: float, height: float, size: tuple[int, int]) -> tuple[int, int]:
    """Pixels of a slide drawn as large as ``size`` allows, in its own proportions.

    Only a slide of exactly these proportions fills ``size``; no slide is distorted.

    >>> fit(960, 540, (1280, 720)), fit(720, 540, (1280, 720)), fit(540, 960, (1280, 720))
    ((1280, 720), (960, 720), (405, 720))
    """
    scale = min(size[0] / width, size[1] / height)
    return (max(1, min(size[0], round(width * scale))), max(1, min(size[1], round(height * scale))))
