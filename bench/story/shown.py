"""What the slides of a .pptx show, read by python-pptx alone; notes do not count."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER

from bench.story.words import content_words, numbers, word_count

_FURNITURE: Final = (PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.SLIDE_NUMBER)
_THIN_WORDS: Final = 12
"""Ours: a slide of fewer words and no graphic only opens a section or ends the deck."""


@dataclass
class Shown:
    """One slide: its title, other texts, tables' cells, charts' words and values, pictures."""

    title: str = ""
    texts: list[str] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    charts: list[list[str]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    pictures: list[bytes] = field(default_factory=list)

    @cached_property
    def graphic_text(self) -> str:
        """The words and numbers in tables and charts."""
        cells = [cell for rows in self.tables for row in rows for cell in row]
        return "\n".join([*cells, *(word for chart in self.charts for word in chart)])

    @cached_property
    def words(self) -> set[str]:
        """The content words anywhere on the slide."""
        seen = content_words("\n".join([self.title, *self.texts, self.graphic_text]))
        return seen | {f"{value:g}" for value in self.values}

    @cached_property
    def numbers(self) -> set[float]:
        """The values of the numbers anywhere on the slide, to six places."""
        text = "\n".join([self.title, *self.texts, self.graphic_text])
        read = {value for meant in numbers(text) for value in meant}
        return {round(value, 6) for value in (*read, *self.values)}

    @property
    def word_count(self) -> int:
        """Words of the title and the texts, without those of tables and charts."""
        return sum(map(word_count, [self.title, *self.texts]))

    @property
    def has_graphic(self) -> bool:
        """Whether there is a table or a chart."""
        return bool(self.tables or self.charts)

    @property
    def is_body(self) -> bool:
        """Whether it holds more than a title and a line."""
        return self.has_graphic or bool(self.pictures) or self.word_count >= _THIN_WORDS


def shown_slides(deck: Path) -> list[Shown]:
    """The slides of a deck that are not hidden, in their order."""
    presentation = Presentation(str(deck))
    size = (presentation.slide_width or 0, presentation.slide_height or 0)
    shown = []
    for slide in presentation.slides:
        if slide._element.get("show") == "0":
            continue
        title = slide.shapes.title
        read = Shown(title.text_frame.text.strip() if title is not None else "")
        for shape in _leaves(slide.shapes):
            if not _is_outside(shape, *size) and shape.shape_id != _id_of(title):
                _take(read, shape)
        shown.append(read)
    return shown


def _id_of(title: Any) -> int | None:
    return None if title is None else int(title.shape_id)


def _leaves(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _leaves(shape.shapes)
        elif not (shape.is_placeholder and shape.placeholder_format.type in _FURNITURE):
            yield shape


def _is_outside(shape: Any, width: int, height: int) -> bool:
    if None in (shape.left, shape.top, shape.width, shape.height):
        return False
    across = shape.left >= width or shape.left + shape.width <= 0
    return bool(across or shape.top >= height or shape.top + shape.height <= 0)


def _take(read: Shown, shape: Any) -> None:
    if getattr(shape, "has_table", False) and shape.has_table:
        read.tables.append([[cell.text for cell in row.cells] for row in shape.table.rows])
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        _take_chart(read, shape.chart)
    elif shape.has_text_frame:
        if text := shape.text_frame.text.strip():
            read.texts.append(text)
    elif hasattr(shape, "image"):
        read.pictures.append(shape.image.blob)


def _take_chart(read: Shown, chart: Any) -> None:
    """The texts and values that a chart holds; values in percent as their percentages too."""
    space = chart._chartSpace
    words = [str(text) for text in space.xpath(".//c:tx//c:v/text() | .//a:t/text()")]
    words += [str(text) for text in space.xpath(".//c:cat//c:v/text()")]
    read.charts.append(words)
    for series in space.xpath(".//c:ser/c:val | .//c:ser/c:yVal | .//c:ser/c:xVal"):
        percent = any("%" in code for code in series.xpath(".//c:formatCode/text()"))
        for text in series.xpath(".//c:pt/c:v/text()"):
            try:
                value = float(text)
            except ValueError:
                continue  # the X values of a scatter chart may be words
            read.values += [value, round(value * 100, 6)] if percent else [value]
