"""A scored deck, the options on which its scores depend, and what of it is kept between runs: the
scores of the deck by all that they depend on, those of a slide by its picture and text.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import PIL
from pydantic import ValidationError

from decklab.core.errors import DecklabError, RendererMissing
from decklab.core.options import MetricVariant, NoData, TextGate
from decklab.core.result_store import code_stamp
from decklab.core.results import DeckResult, Measurement
from decklab.core.version import VERSION
from decklab.linting.rules.every import LINT_RULES
from decklab.metrics.aesthetics.rows import slide_rows
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.metrics.catalogue import METRICS
from decklab.pages.pictures import SlidePicture, jpeg_within_budget, picture_budget
from decklab.rendering.fonts import font_set_hash
from decklab.rendering.opening import deck_kind
from decklab.rendering.pdf import PDF_ENGINE
from decklab.rendering.pictures import RenderedSlide, can_read_pictures, look_key
from decklab.rendering.renderer import Renderer
from decklab.scoring.against import ReferenceScores
from decklab.scoring.journal import fingerprint, packed, unpacked


@dataclass(frozen=True)
class ScoreOptions:
    """The options on which the scores of a deck depend."""

    also: Sequence[MetricVariant] = ()
    """Metric variants to add."""
    no_data: NoData = "failed"
    """The outcome of editability's data gate for a deck without data graphics."""
    text_gate: TextGate = "box"
    """Where doubled text must stay."""
    reference: ReferenceScores | None = None
    """The decks to say a deck's standing among; None for those that decklab ships."""
    with_hidden: bool = False
    """Whether hidden slides count in aesthetics, and text that cannot be seen in aesthetics and
    quality, as in version 1 of these metrics."""


@dataclass(frozen=True)
class ScoredDeck:
    """A deck's result, and small pictures of its slides by number and of the first as cover."""

    result: DeckResult
    pictures: dict[int, SlidePicture] = field(default_factory=dict)
    cover: SlidePicture | None = None


def failed(deck: Path, error: DecklabError) -> ScoredDeck:
    """The result of a deck that could not be read or drawn: its one line of error."""
    text = str(error) if str(deck) in str(error) else f"{deck}: {error}"
    return ScoredDeck(DeckResult(deck=str(deck), status="failed", error=text))


def measuring_facts() -> list[object]:
    """All that measuring depends on besides the deck: code, libraries, versions of metrics."""
    versions = sorted((name, METRICS[name].version) for name in METRICS)
    libraries = [np.__version__, cv2.__version__, PIL.__version__, PDF_ENGINE, can_read_pictures()]
    return [VERSION, code_stamp(), libraries, versions]


def score_key(deck: Path, options: ScoreOptions, renderer: Renderer) -> str:
    """A digest of all that the scores of a deck depend on: its bytes, ``options``, what draws and
    what measures. ``renderer`` is started."""
    try:
        drawing = sorted(renderer.facts(deck).items())
    except RendererMissing:
        drawing = [("engine", "no LibreOffice"), ("fonts", font_set_hash())]
    chosen = vars(options) | {"also": sorted(options.also)}
    return fingerprint(deck, [*measuring_facts(), drawing, sorted(chosen.items())])


def has_outside_measures() -> bool:
    """Whether other packages add metrics or rules of lint here: their code has no version by which
    to keep what it gives."""
    metrics = any(METRICS[name].measure is not None for name in METRICS)
    return metrics or any(LINT_RULES[rule].check is not None for rule in LINT_RULES)


def kept_deck(deck: Path, key: str, renderer: Renderer) -> ScoredDeck | None:
    """The scores that were kept under ``key``, as those of ``deck``; None without any."""
    if renderer.cache is None or has_outside_measures():
        return None
    data = renderer.cache.results.get([key]).get(key)
    try:
        return None if data is None else _deck_of(json.loads(data), deck)
    except (ValueError, KeyError, TypeError, ValidationError):
        return None


def _deck_of(data: dict[str, Any], deck: Path) -> ScoredDeck:
    return ScoredDeck(
        # Not as JSON text, which cannot store a name that is not UTF-8.
        DeckResult.model_validate(data["result"] | {"deck": str(deck)}, strict=False),
        {int(number): unpacked(picture) for number, picture in data["pictures"].items()},
        data["cover"] and unpacked(data["cover"]),
    )


def keep_deck(scored: ScoredDeck, deck: Path, key: str, renderer: Renderer) -> None:
    """Keep the scores of a deck under ``key``, if a renderer has a cache; not those of a web deck,
    which depend on all that it loads."""
    if renderer.cache is None or has_outside_measures() or deck_kind(deck) == "html":
        return
    data = {
        "result": scored.result.model_dump(mode="json", exclude={"deck"}),
        "pictures": {number: packed(picture) for number, picture in scored.pictures.items()},
        "cover": scored.cover and packed(scored.cover),
    }
    renderer.cache.results.put({key: json.dumps(data).encode()})


@dataclass(frozen=True)
class SlideScores:
    """The rows of a slide, and its small picture for reports."""

    rows: list[Measurement]
    picture: SlidePicture


class KeptSlides:
    """Scores of slides by their pixels and text: those that an earlier run kept are not measured
    again, whatever deck the slide was in."""

    def __init__(self, renderer: Renderer, also: Sequence[MetricVariant]) -> None:
        stays = renderer.cache is not None and not has_outside_measures()
        self.results = renderer.store.results if stays else None
        self._also = also
        self._facts = repr([*measuring_facts(), sorted(also)]).encode()
        self._fresh: dict[str, bytes] = {}

    def work(
        self, slide: RenderedSlide, regions: Sequence[TextRegion], *, slides: int
    ) -> Callable[[], SlideScores]:
        """The function that gives the scores of a slide of a deck of so many ``slides``, kept or
        measured; ``regions`` is the text that counts. It may run in any thread."""
        key = self._key(slide, regions, slides)
        if self.results is not None and (kept := self.results.get([key]).get(key)) is not None:
            return partial(_slide_of, kept, slide.number)
        _ = slide.image  # is drawn in this thread
        return partial(self._measured, slide, regions, slides, key)

    def keep(self) -> None:
        """Keep what was measured."""
        if self.results is not None:
            self.results.put(self._fresh)

    def _measured(
        self, slide: RenderedSlide, regions: Sequence[TextRegion], slides: int, key: str
    ) -> SlideScores:
        rows = slide_rows(slide.number, slide.image, regions, slide.text_source, also=self._also)
        picture = jpeg_within_budget(slide.image, slides=slides)
        plain = [row.model_dump(mode="json") for row in rows]
        self._fresh[key] = json.dumps([plain, packed(picture)]).encode()
        return SlideScores(rows, picture)

    def _key(self, slide: RenderedSlide, regions: Sequence[TextRegion], slides: int) -> str:
        seen = [slide.key or look_key(slide), list(regions), picture_budget(slides)]
        return hashlib.sha256(self._facts + repr(seen).encode()).hexdigest()


def _slide_of(kept: bytes, number: int) -> SlideScores:
    """The scores as those of the slide with this number, which it may not have had before."""
    rows, picture = json.loads(kept)
    return SlideScores(
        [Measurement.model_validate(row | {"slide": number}, strict=False) for row in rows],
        unpacked(picture),
    )
