"""The deck that cheats start from: about coffee, where its source is about a harbour, and no
beauty. Also the words that would earn it all scores of content."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Emu, Pt

SOURCE: Final = Path(__file__).parents[2] / "generate" / "writing" / "harbour.md"
WIDTH, HEIGHT = 12_192_000, 6_858_000
PX: Final = WIDTH // 960
"""EMU of a pixel of the frame."""
_SLIDES: Final = (
    ("Coffee at home", "Beans lose their smell within weeks", "Grind them just before brewing"),
    ("Water matters", "Hard water makes coffee flat", "Filters help in most towns"),
    ("Brewing times", "Filter coffee takes four minutes", "Espresso takes half a minute"),
    ("Milk", "Cold milk foams better than warm milk", "Oat drinks foam nearly as well"),
    ("Roasts", "Light roasts taste of fruit", "Dark roasts taste of smoke"),
)


def color(text: str) -> Any:
    """``RRGGBB`` as python-pptx has colours."""
    return RGBColor.from_string(text)  # type: ignore[no-untyped-call]


def chart_data(name: str, categories: Sequence[str], values: Sequence[float]) -> Any:
    """One series for a chart."""
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = list(categories)
    data.add_series(name, list(values))
    return data


def coffee() -> Any:
    """Five slides of text and one with a chart; pale ink, loud colours, boxes off the lines."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = Emu(WIDTH), Emu(HEIGHT)
    _widen(deck)
    for number, (title, *lines) in enumerate(_SLIDES):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        body = slide.placeholders[1]
        body.text = "\n".join(lines)
        for paragraph in body.text_frame.paragraphs:
            for run in paragraph.runs:
                run.font.color.rgb = color("9A9A9A")
                run.font.italic = number % 2 == 0
        remark(slide, "Ask the barista about this one", 30 + 7 * number, 430 + 9 * number, number)
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Cups a day"
    data = chart_data("Cups", ("Spring", "Summer", "Autumn"), (310, 220, 340))
    place = Emu(100 * PX), Emu(140 * PX), Emu(700 * PX), Emu(340 * PX)
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
    return deck


def _widen(deck: Any) -> None:
    """Stretch the places of the built-in layouts from 4:3 to 16:9."""
    for sheet in (deck.slide_master, *deck.slide_layouts):
        for shape in sheet.placeholders:
            if shape._element.xpath(".//a:xfrm"):
                shape.left, shape.width = int(shape.left * 4 / 3), int(shape.width * 4 / 3)


def remark(slide: Any, text: str, x: int, y: int, number: int) -> None:
    """A remark in a small loud font, off the lines of the others."""
    box = slide.shapes.add_textbox(Emu(x * PX), Emu(y * PX), Emu(330 * PX), Emu(30 * PX))
    box.text_frame.text = text
    font = box.text_frame.paragraphs[0].runs[0].font
    font.size, font.underline = Pt(11), True
    font.name = ("Georgia", "Courier New")[number % 2]
    font.color.rgb = color("E02020")


def statements() -> tuple[str, ...]:
    """What the source says, sentence by sentence, tables as sentences too."""
    return tuple(_statements(SOURCE.read_text()))


def _statements(markdown: str) -> Iterator[str]:
    text = re.sub(r"^#.*$|^\|.*$|^\d+\. ", "", markdown, flags=re.MULTILINE)
    for block in text.split("\n\n"):
        yield from (one for one in re.split(r"(?<=\.) ", " ".join(block.split())) if one)
    for table in re.findall(r"(?:^\|.*$\n?)+", markdown, flags=re.MULTILINE):
        head, _rule, *rows = ([cell.strip() for cell in line.strip("|").split("|")]
                              for line in table.strip().splitlines())  # fmt: skip
        for row in rows:
            yield from (f"{row[0]} {name}: {cell}." for name, cell in zip(head[1:], row[1:],
                                                                         strict=True))  # fmt: skip
