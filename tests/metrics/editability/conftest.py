"""Outlines built in code: shapes, slides and decks with everything defaulted but what matters."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from decklab.core.geometry import Box
from decklab.deck.model.outline import (
    Background,
    DeckOutline,
    OutlineChart,
    OutlineLayout,
    OutlineMedia,
    OutlinePicture,
    OutlineShape,
    OutlineSlide,
    TextBody,
)
from decklab.deck.model.shapes import Series

MASTER = "ppt/slideMasters/slideMaster1.xml"
LAYOUT = "ppt/slideLayouts/slideLayout1.xml"
BLANK = "ppt/slideLayouts/slideLayout7.xml"


class Build:
    """Makes outline objects; ids count up so that shapes of one slide never share one."""

    def __init__(self) -> None:
        self.next_id = 1

    def shape(
        self, box: Sequence[float] | None = (100, 100, 300, 200), **fields: Any
    ) -> OutlineShape:
        self.next_id += 1
        plain: dict[str, Any] = {
            "id": self.next_id, "name": "Shape", "kind": "shape", "rotation": 0.0,
            "z": self.next_id, "groups": (), "placeholder": None, "placeholder_idx": None,
            "geometry": "rect", "filled": True, "outlined": False, "fill_color": "#336699",
            "text": None, "picture": None, "chart": None, "media": None,
            "connects": (None, None), "hidden": False, "alt_text": "",
        }  # fmt: skip
        return OutlineShape(box=None if box is None else Box(*box), **(plain | fields))

    def text(
        self, words: str, box: Sequence[float] = (100, 100, 500, 140), *, wraps: bool = True,
        autofit: str = "none", size: float | None = 18.0, **fields: Any,
    ) -> OutlineShape:  # fmt: skip
        body = TextBody(tuple(words.split("\n")), wraps, autofit, False, size)  # type: ignore[arg-type]
        return self.shape(box, **{"filled": False, "name": "TextBox", "text": body} | fields)

    def title(self, words: str, **fields: Any) -> OutlineShape:
        body = TextBody((words,), True, "none", False, None)
        plain = {"placeholder": "title", "placeholder_idx": 0, "filled": False, "text": body}
        return self.shape((60, 30, 900, 90), **plain | fields)

    def picture(
        self, box: Sequence[float] = (100, 100, 300, 200), *, part: str = "ppt/media/a.png",
        vector: bool = False, pixels: tuple[int, int] = (400, 300), **fields: Any,
    ) -> OutlineShape:  # fmt: skip
        image = OutlinePicture(part, None, "image/png", vector, None if vector else pixels)
        return self.shape(
            box,
            **{"kind": "picture", "name": "Picture", "filled": False, "picture": image} | fields,
        )

    def chart(self, box: Sequence[float] = (100, 100, 500, 400), **fields: Any) -> OutlineShape:
        series = Series(
            name="Sales", values=(1.0, 2.0), values_ref="Sheet1!$B$2:$B$3", categories=("a", "b")
        )
        chart = OutlineChart(
            "ppt/charts/chart1.xml", ("barChart",), (series,), "ppt/embeddings/b.xlsx", None
        )
        return self.shape(box, **{"kind": "chart", "name": "Chart", "chart": chart} | fields)

    def media(
        self, *, part: str | None = "ppt/media/v.mp4", link: str | None = None
    ) -> OutlineShape:
        return self.shape(kind="media", name="Video", media=OutlineMedia("video", part, link))

    def slide(self, *shapes: OutlineShape, number: int = 1, **fields: Any) -> OutlineSlide:
        plain: dict[str, Any] = {
            "part": f"ppt/slides/slide{number}.xml", "id": 255 + number, "hidden": False,
            "layout": LAYOUT, "background": None, "transition": None, "advances_after_ms": None,
            "animated": (),
        }  # fmt: skip
        return OutlineSlide(number=number, shapes=shapes, **(plain | fields))

    def deck(self, *slides: OutlineSlide, dressed: bool = False) -> DeckOutline:
        numbered = tuple(
            replace(slide, number=number, part=f"ppt/slides/slide{number}.xml", id=255 + number)
            for number, slide in enumerate(slides, start=1)
        )
        decoration = (self.shape((0, 500, 960, 540)),) if dressed else ()
        layouts = (
            OutlineLayout(LAYOUT, "Title Only", MASTER, (self.title("Click to edit"),), None),
            OutlineLayout(BLANK, "Blank", MASTER, (), None),
        )
        masters = (OutlineLayout(MASTER, "Office Theme", None, decoration, None),)
        return DeckOutline(Path("deck.pptx"), (12192000, 6858000), numbered, layouts, masters, ())

    def blank(self) -> str:
        """Part name of the layout that has nothing on it."""
        return BLANK

    def picture_background(self, part: str = "ppt/media/bg.png") -> Background:
        return Background("picture", OutlinePicture(part, None, "image/png", False, (1920, 1080)))


@pytest.fixture
def build() -> Build:
    return Build()


@pytest.fixture
def never() -> Callable[[], Any]:
    """A probe that must not be asked."""

    def asked() -> Any:
        raise AssertionError("the probe was asked though structure had decided already")

    return asked
