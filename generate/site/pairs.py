"""Pairs of small decks that differ in one thing, which one score tells apart."""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Emu, Inches, Pt

import decklab

INK, PAPER = "1F2933", "FFFFFF"
CALM: Final = ("1B4965", "2C7DA0", "61A5C2")
"""Neighbouring hues."""
LOUD: Final = ("E71D36", "3A86FF", "70E000", "FF00FF")
"""Hues that no template of harmony holds, all saturated."""
GREY: Final = ("4A4A4A", "7A7A7A", "A8A8A8")
TEXT: Final[Sequence[tuple[str, Sequence[str]]]] = (
    ("A quay for two more cranes", ("Harbour board", "Spring meeting")),
    (
        "Ships wait nine hours on average",
        ("Two in five arrive at night", "One crane is idle", "The tide allows four hours"),
    ),
    (
        "A third crane halves the wait",
        ("Nine hours today", "Six with longer shifts", "Four with a crane"),
    ),
    ("Decide on the crane in June", ("Order by July", "Train crews by March", "First in April")),
)
"""Titles and lines of the slides."""


def _color(value: str) -> RGBColor:
    made: RGBColor = RGBColor(*bytes.fromhex(value))  # type: ignore[no-untyped-call]
    return made


def _words(slide: Any, number: int, ink: str, *, dense: int = 1, size: int = 26) -> None:
    title, lines = TEXT[number]
    slide.shapes.title.text = title
    slide.shapes.title.text_frame.paragraphs[0].font.color.rgb = _color(ink)
    body = slide.placeholders[1].text_frame
    for index, line in enumerate([*lines] * dense):
        paragraph = body.paragraphs[0] if index == 0 else body.add_paragraph()
        paragraph.text = line
        paragraph.font.size, paragraph.font.color.rgb = Pt(size), _color(ink)


def _cards(slide: Any, colors: Sequence[str], shift: Callable[[], float] = float) -> None:
    """A row of cards, one for each colour; ``shift`` gives inches by which each edge is off."""
    step = 12.5 / len(colors)
    for index in range(len(colors)):
        place = [0.6 + step * index + shift(), 4.6 + shift(), step - 0.4 + shift(), 2.0 + shift()]
        card = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *map(Inches, place))
        card.fill.solid()
        card.fill.fore_color.rgb = _color(colors[index])
        card.line.fill.background()
        card.text_frame.text = ("Now", "Next", "Later")[index % 3]
        card.text_frame.paragraphs[0].font.size = Pt(22)


def _deck(
    path: Path,
    colors: Sequence[str] = CALM,
    ink: str = INK,
    *,
    cards: Sequence[int] = (1, 2, 3),
    dense: Sequence[int] = (1, 1, 1, 1),
    shift: Callable[[], float] = float,
    sizes: Sequence[int] = (26, 26, 26, 26),
) -> Path:
    made = Presentation()
    made.slide_width, made.slide_height = Inches(13.333), Inches(7.5)
    for number in range(4):
        slide = made.slides.add_slide(made.slide_layouts[1])
        title, body = slide.shapes.title, slide.placeholders[1]
        title.left, title.top, title.width, title.height = map(Inches, (0.6, 0.4, 12.1, 1.2))
        body.left, body.top, body.width, body.height = map(Inches, (0.6, 1.7, 12.1, 2.7))
        _words(slide, number, ink, dense=dense[number], size=sizes[number])
        if number in cards:
            _cards(slide, [*colors[number:], *colors[:number]], shift)
    made.save(str(path))
    return path


def _with_chart(path: Path) -> Path:
    made = Presentation(str(_deck(path, cards=())))
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["Today", "Shifts", "Crane"]
    data.add_series("Hours of waiting", (9, 6, 4))
    for slide in made.slides:
        slide.shapes.add_chart(
            XL_CHART_TYPE.BAR_CLUSTERED, *map(Inches, (0.6, 4.5, 12.1, 2.7)), data
        )
    made.save(str(path))
    return path


def _flat(path: Path) -> Path:
    """The slides of the deck with charts as pictures that fill the slide."""
    native, drawn = _with_chart(path.with_name("native.pptx")), path.parent / "drawn"
    decklab.render(native, drawn)
    made = Presentation()
    made.slide_width, made.slide_height = Inches(13.333), Inches(7.5)
    for picture in sorted(drawn.rglob("*.png")):
        slide = made.slides.add_slide(made.slide_layouts[6])
        slide.shapes.add_picture(str(picture), Emu(0), Emu(0), made.slide_width)
    made.save(str(path))
    return path


def _untidy(path: Path) -> Path:
    chance = random.Random(4)
    return _deck(path, shift=lambda: chance.uniform(-0.8, 0.8), sizes=(36, 10, 40, 12))


PAIRS: Final[Mapping[str, tuple[Callable[[Path], Path], Callable[[Path], Path]]]] = {
    "harmony.score": (_deck, lambda path: _deck(path, LOUD, cards=(0, 1, 2, 3))),
    "engagement.score": (lambda path: _deck(path, CALM, "1B4965"), lambda path: _deck(path, GREY)),
    "usability.score": (_deck, lambda path: _deck(path, ink="D5D9DD")),
    "rhythm.score": (
        lambda path: _deck(path, dense=(1, 2, 1, 1), cards=(1, 3)),
        lambda path: _deck(path, cards=()),
    ),
    "editability.level": (_with_chart, _flat),
    "quality.score": (_deck, _untidy),
}  # fmt: skip
"""For each score, how the deck that has more of it and the one that has less are made."""
