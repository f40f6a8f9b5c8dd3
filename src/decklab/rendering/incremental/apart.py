"""Drawing the slides of a deck apart, where LibreOffice dies on the whole of it."""

import math
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from decklab.core.errors import RendererDied, RenderError, RenderTimeout
from decklab.core.files import scratch_folder
from decklab.ooxml.package import Package
from decklab.rendering.cache import cache_key
from decklab.rendering.incremental.copies import (
    CachedPage,
    can_write_partial_copy,
    page_count,
    write_bare_copy,
    write_partial_copy,
)
from decklab.rendering.incremental.keys import SlideKeys
from decklab.rendering.office.office import DrawsOnce
from decklab.rendering.renderer import Renderer

MOST_DEATHS = 5
"""So often LibreOffice may die, or take too long, in copies of one deck; it did so twice on the
whole deck before. Ours."""

MOST_SECONDS = 240.0
"""No copy is started later than this after the first one. Ours."""

_DEADLY = "LibreOffice dies on it"
_SLOW = "LibreOffice does not finish it"
_WHOLE_ONLY = "LibreOffice fails on the whole deck, and a copy cannot show this slide as it is"


@dataclass
class SlidesApart:
    """Slides that were drawn apart: their pages and faults, by number."""

    pages: dict[int, CachedPage] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    """Why a slide has no page."""
    unlisted: str = ""
    """Why no slide could be drawn apart: the part that cannot be read."""

    @property
    def summary(self) -> str:
        """One line that names the slides of each fault: ``slide 7: LibreOffice dies on it``."""
        numbers: dict[str, list[int]] = {}
        for number, fault in sorted(self.faults.items()):
            numbers.setdefault(fault, []).append(number)
        return self.unlisted or "; ".join(
            f"slide{'s' * (len(group) > 1)} {', '.join(map(str, group))}: {fault}"
            for fault, group in numbers.items()
        )


def draw_apart(
    package: Package, keys: SlideKeys, numbers: Sequence[int], renderer: Renderer
) -> SlidesApart:
    """Draw the slides ``numbers`` in small copies of the deck, and find those that cannot be drawn.

    ``renderer`` is started. Copies hold about the square root of the number of slides each; the
    slides of a copy that fails are drawn one by one. Slides that are left when LibreOffice has died
    ``MOST_DEATHS`` times, or ``MOST_SECONDS`` have passed, are not tried. If a small copy cannot
    show some of the slides as the deck does, all are drawn in one without the deck's properties; if
    that fails, these slides are not drawn. Both are empty if these are all.
    """
    done = SlidesApart()
    whole_only = []
    if not can_write_partial_copy(keys, numbers):
        whole_only = [n for n in numbers if not can_write_partial_copy(keys, [n])]
    if whole_only:
        with suppress(RenderError):
            return SlidesApart(_pages_of(package, keys, numbers, renderer, whole=True))
    numbers = [n for n in numbers if n not in whole_only]
    if not numbers:
        return done
    done.faults.update(dict.fromkeys(whole_only, _WHOLE_ONLY))
    share = math.ceil(math.sqrt(len(numbers)))
    waiting = [list(numbers[at : at + share]) for at in range(0, len(numbers), share)]
    end, deaths = time.monotonic() + MOST_SECONDS, 0
    while waiting:
        group = waiting.pop(0)
        if deaths >= MOST_DEATHS or time.monotonic() > end:
            left = "not tried, because LibreOffice failed too often on other slides"
            done.faults.update(dict.fromkeys(group, left))
            continue
        try:
            done.pages.update(_pages_of(package, keys, group, renderer))
        except RenderError as error:
            died = isinstance(error, (RendererDied, RenderTimeout))
            deaths += died
            if len(group) > 1:
                waiting = [[number] for number in group] + waiting
            else:
                done.faults[group[0]] = _fault(error)
    return done


def _fault(error: RenderError) -> str:
    if isinstance(error, RenderTimeout):
        return _SLOW
    return _DEADLY if isinstance(error, RendererDied) else error.detail


def _pages_of(
    package: Package,
    keys: SlideKeys,
    numbers: Sequence[int],
    renderer: Renderer,
    *,
    whole: bool = False,
) -> dict[int, CachedPage]:
    """The pages of slides in one copy, drawn at the first try; raises RenderError."""
    converter = renderer.converter
    with scratch_folder("office") as room:
        copy = room / f"deck{package.path.suffix}"
        if whole:
            write_bare_copy(package, copy)
            places = {number: number - 1 for number in range(1, len(keys) + 1)}
        else:
            places = write_partial_copy(package, keys, numbers, copy)
        name = cache_key(copy.read_bytes(), renderer.facts(package.path))
        draw = converter.pdf_once if isinstance(converter, DrawsOnce) else converter.pdf
        pdf = draw(copy)
    if page_count(pdf) != max(places.values()) + 1:
        raise RenderError(package.path, "LibreOffice draws another number of slides")
    return {number: CachedPage(name, pdf, places[number]) for number in numbers}
