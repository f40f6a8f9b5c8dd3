"""Slides as careless and as helpless people leave them, made of tidy ones.

Nothing is drawn by chance: what happens to an element follows from its place on its slide and from
the slide's number. The words stay as they are.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.shapes import Image, Table, Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.editing.building.deck import build_deck, images_of
from decklab.evals.perturb.deck import taken_apart
from decklab.ooxml.package import Package

Untidiness = Literal["careless", "broken"]

_FAMILIES: Final = ("Comic Sans MS", "Times New Roman", "Arial", "Courier New")
_COLORS: Final = ("#C00000", "#7030A0", "#00B050", "#0070C0")
_PALE: Final = "#D8D8D8"


def write_untidy(deck: str | Path, path: str | Path, look: Untidiness) -> None:
    """Write a copy of a deck whose slides are untidy.

    ``careless``: another typeface, size and colour on every slide, texts that begin elsewhere each
    time, pictures out of proportion; all of it can be read. ``broken``: text too large for its
    place, over titles and past the edge of the slide, some of it too pale. Raises DeckError where
    the deck cannot be read.
    """
    with Package.open(deck) as package:
        read = read_elements(package)
        slides = [_LOOKS[look](taken_apart(slide)) for slide in read.slides]
        build_deck(slides, path, images=images_of(package))


def _careless(slide: SlideElements) -> SlideElements:
    number = slide.number
    texts = [_careless_text(text, number) for text in slide.texts]
    images = [_put(one, w=one.w * 0.6, h=min(one.h * 1.15, FRAME_HEIGHT - one.y))
              for one in slide.images]  # fmt: skip
    return slide.model_copy(update={"texts": tuple(texts), "images": tuple(images)})


def _careless_text(text: Text, number: int) -> Text:
    family, color = _FAMILIES[number % 4], _COLORS[number % 4]
    if _is_title(text):
        moved = _put(text, x=max(0.0, min(text.x + (-1) ** number * 40, FRAME_WIDTH - text.w)))
        return _set(moved, name=family, color=color, factor=(0.8, 1.1)[number % 2])
    moved = _put(text, x=min(text.x + 30 * (number % 3), FRAME_WIDTH - text.w))
    return _set(moved, name=_FAMILIES[(number + 1) % 4], factor=(0.75, 1.15)[number % 2])


def _broken(slide: SlideElements) -> SlideElements:
    texts = []
    for place, text in enumerate(slide.texts):
        if _is_title(text):
            texts.append(_set(_put(text, y=text.y + 40), name="Comic Sans MS", factor=1.3))
            continue
        lower = _put(text, x=text.x + 60 * (place % 2), y=text.y - 50)
        pale = _PALE if (place + slide.number) % 3 == 0 else None
        texts.append(_set(lower, name="Times New Roman", factor=2.8, color=pale))
    images = [_put(one, x=one.x + FRAME_WIDTH / 4, y=one.y - 60) for one in slide.images]
    charts = [_put(one, x=one.x + FRAME_WIDTH / 4, w=one.w * 0.5) for one in slide.charts]
    update = {"texts": tuple(texts), "images": tuple(images), "charts": tuple(charts)}
    return slide.model_copy(update=update)


def _is_title(text: Text) -> bool:
    return text.placeholder is not None and "itle" in text.placeholder.type


def _put(item: Any, **places: float) -> Any:
    """The element at other coordinates, px; where its text was drawn is not known any more."""
    update: dict[str, Any] = {name: round(value, 2) for name, value in places.items()}
    if isinstance(item, Text):
        update["drawn"] = None
    if isinstance(item, Image | Table):
        update["placeholder"] = None
    return item.model_copy(update=update)


def _set(text: Text, *, name: str, factor: float, color: str | None = None) -> Text:
    """The text in another typeface, ``factor`` times as large, and in another colour if any."""

    def other(font: Any) -> Any:
        update: dict[str, Any] = {"name": name, "slot": None, "size": round(font.size * factor, 1)}
        if color:
            update |= {"color": color, "paint": None}
        return font.model_copy(update=update)

    paragraphs = tuple(
        one.model_copy(
            update={
                "runs": tuple(run.model_copy(update={"font": other(run.font)}) for run in one.runs)
            }
        )
        for one in text.paragraphs
    )
    return text.model_copy(update={"paragraphs": paragraphs, "font": other(text.font)})


_LOOKS: Final[Mapping[Untidiness, Callable[[SlideElements], SlideElements]]] = {
    "careless": _careless, "broken": _broken,
}  # fmt: skip
