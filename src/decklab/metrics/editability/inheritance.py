"""What slides take from their layouts and masters, and what is pasted on every slide instead."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from decklab.deck.model.outline import DeckOutline, Layout, Picture, Shape, Slide
from decklab.geometry import Box
from decklab.metrics.editability.content import (
    FRAME,
    content_shapes,
    coverage,
    has_text,
    is_furniture,
    on_frame,
    paints,
)
from decklab.metrics.editability.thresholds import MIN_PASTED_SLIDES, PASTED_AREA, PASTED_SHARE


def inherits(slide: Slide, outline: DeckOutline) -> bool:
    """True where a change of the layout would change the slide in substance.

    That is so where a content placeholder of the slide has its counterpart in the layout, or where
    layout or master draw something of their own on the slide. A slide on an undressed layout with
    loose text boxes takes nothing from it, though it names one.
    """
    layout = outline.layout(slide.layout)
    if layout is None:
        return False
    if any(_counterpart(shape, layout) for shape in content_shapes(slide)):
        return True
    master = outline.layout(layout.master)
    return _dressed(layout) or (master is not None and _dressed(master))


def _counterpart(shape: Shape, layout: Layout) -> Shape | None:
    if shape.placeholder is None or not (has_text(shape) or paints(shape)):
        return None
    for other in layout.shapes:
        same_idx = other.placeholder_idx == shape.placeholder_idx
        if other.placeholder is not None and (same_idx or other.placeholder == shape.placeholder):
            return other
    return None


def _dressed(layout: Layout) -> bool:
    background = layout.background
    if background is not None and background.kind in ("picture", "gradient", "pattern"):
        return True
    return any(
        shape.placeholder is None and not is_furniture(shape) and not shape.hidden
        and (paints(shape) or has_text(shape))
        for shape in layout.shapes
    )  # fmt: skip


def keeps_position(slide: Slide, outline: DeckOutline) -> bool:
    """True where a content placeholder of the slide stands where its layout puts it."""
    layout = outline.layout(slide.layout)
    if layout is None:
        return False
    for shape in content_shapes(slide):
        other = _counterpart(shape, layout)
        if other is not None and shape.box and other.box and _same_place(shape.box, other.box):
            return True
    return False


def _same_place(one: Box, other: Box) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < 1


@dataclass(frozen=True)
class Pasted:
    """An object that stands on most slides at the same place."""

    label: str
    slides: tuple[int, ...]
    box: Box


def _identity(picture: Picture | None) -> Hashable:
    return None if picture is None else (picture.part, picture.link)


def _objects(slide: Slide) -> dict[Hashable, tuple[str, Box]]:
    """What may be a background of the slide, keyed by what makes two of them the same."""
    found: dict[Hashable, tuple[str, Box]] = {}
    background = slide.background
    if background is not None and background.picture is not None:
        key = ("background", _identity(background.picture))
        found[key] = ("the slide's own background", FRAME)
    for shape in content_shapes(slide):
        if shape.placeholder is not None or has_text(shape) or not paints(shape):
            continue
        if shape.box is None or shape.kind not in ("shape", "picture", "connector"):
            continue
        place = tuple(round(edge / 3) for edge in shape.box)
        look = (shape.kind, shape.geometry, shape.fill_color, _identity(shape.picture))
        found[look, place] = (shape.label, on_frame(shape.box))
    return found


def pasted_objects(slides: Sequence[Slide]) -> list[Pasted]:
    """Objects that stand at one place on at least four fifths of the slides.

    Videos, charts and text are content and never pasted background; what a layout draws is not
    on the slide and so is never found here.
    """
    if len(slides) < MIN_PASTED_SLIDES:
        return []
    seen: dict[Hashable, list[tuple[int, str, Box]]] = defaultdict(list)
    for slide in slides:
        for key, (label, box) in _objects(slide).items():
            seen[key].append((slide.number, label, box))
    return [
        Pasted(places[0][1], tuple(number for number, _, _ in places), places[0][2])
        for places in seen.values()
        if len(places) >= PASTED_SHARE * len(slides)
    ]


def pasted_share(pasted: Sequence[Pasted]) -> float:
    """Share of the slide that pasted objects cover together."""
    return coverage(item.box for item in pasted)


def is_pasted_background(pasted: Sequence[Pasted]) -> bool:
    """True where the pasted objects together are the background of the deck."""
    return pasted_share(pasted) >= PASTED_AREA
