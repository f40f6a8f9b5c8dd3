"""How much of a document is on the slides of a deck, and how the slides are made."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

import numpy as np
from PIL import Image, UnidentifiedImageError

from bench.story.shown import Shown
from bench.story.source import LARGE_TABLE, Figure, Rows, Section, Source, body_cells
from bench.story.words import SHOWN_SHARE, content_words, numbers, same_title, shown_share

CAPTION_SHARE: Final = 0.5
"""Ours: the share of a caption's words that a slide with a picture holds, for captions are
shortened."""
_SAME_GREYS: Final = 10.0
"""Ours: the mean difference of 16 by 16 greys, of 255, up to which two pictures are the same."""


@dataclass(frozen=True)
class Share:
    """So many of all."""

    shown: int
    all: int

    def __str__(self) -> str:
        return f"{self.shown}/{self.all}"

    def __add__(self, other: "Share") -> "Share":
        return Share(self.shown + other.shown, self.all + other.all)

    @property
    def percent(self) -> float | None:
        """From 0 to 100; None of nothing."""
        return 100 * self.shown / self.all if self.all else None


@dataclass(frozen=True)
class Measures:
    """What was measured of one deck; ``missing`` has a line for each thing that is not shown."""

    slides: int
    sections: Share
    sentences: Share
    numbers: Share
    tables: Share
    figures: Share
    words_median: float | None
    words_most: int | None
    bare_titles: int
    titles_alike: int
    charts: int
    missing: tuple[str, ...] = field(default=(), repr=False)


def measure(source: Source, slides: Sequence[Shown]) -> Measures:
    """Measure a deck against the document that it was made from.

    Words are those of body slides without tables and charts, titles and texts together; None if
    there is no such slide. The first slide, contents, and slides with hardly a word are no body
    slides.
    """
    units = {unit for unit in source.units if is_shown(unit, slides)}
    tables = {rows for rows in source.tables if table_shown(rows, slides)}
    figures = [figure for figure in source.figures if figure_shown(figure, slides)]
    meant = source_numbers(source)
    found = [values for values in meant if _number_shown(values, slides)]
    reached = [part for part in source.filled if _is_reached(part, units, tables)]
    body = [slide for slide in slides[1:] if slide.is_body and not is_contents(source, slide)]
    words = [slide.word_count for slide in body if not slide.has_graphic]
    return Measures(
        len(slides),
        Share(len(reached), len(source.filled)),
        Share(sum(unit in units for unit in source.units), len(source.units)),
        Share(len(found), len(meant)),
        Share(sum(rows in tables for rows in source.tables), len(source.tables)),
        Share(len(figures), len(source.figures)),
        float(median(words)) if words else None,
        max(words, default=None),
        bare_titles(source, body),
        titles_alike(slides[1:]),
        sum(len(slide.charts) for slide in slides),
        tuple(_missing(source, units, tables, slides)),
    )


def is_shown(unit: str, slides: Sequence[Shown]) -> bool:
    """Whether one slide holds 70 % of the content words of a sentence."""
    words = content_words(unit)
    return any(shown_share(words, slide.words) >= SHOWN_SHARE for slide in slides)


def table_shown(rows: Rows, slides: Sequence[Shown]) -> bool:
    """Whether one slide shows a table.

    Of a small one 70 % of the distinct cells stand on it, as text or as values of a chart. Of one
    with more cells than ``LARGE_TABLE`` the slide names a column of numbers and has a chart, or a
    table that sums rows up: most of its rows are no rows of the source.
    """
    cells = set(body_cells(rows))
    if len(body_cells(rows)) > LARGE_TABLE:
        return any(_large_shown(rows, slide) for slide in slides)
    return any(
        sum(_cell_shown(cell, slide) for cell in cells) >= SHOWN_SHARE * len(cells)
        for slide in slides
    )


def figure_shown(figure: Figure, slides: Sequence[Shown]) -> bool:
    """Whether a slide has the picture, or a picture or chart beside half of the caption's words."""
    words = content_words(figure.caption)
    greys = _greys(figure.picture) if figure.picture else None
    for slide in slides:
        if (slide.pictures or slide.charts) and shown_share(words, slide.words) >= CAPTION_SHARE:
            return True
        if greys is not None and any(_alike(greys, _greys(blob)) for blob in slide.pictures):
            return True
    return False


def source_numbers(source: Source) -> set[frozenset[float]]:
    """The distinct numbers of sentences, items and the cells of small tables."""
    small = [rows for rows in source.tables if len(body_cells(rows)) <= LARGE_TABLE]
    texts = [*source.units, *(cell for rows in small for row in rows for cell in row)]
    return {values for text in texts for values in numbers(text)}


def is_contents(source: Source, slide: Shown) -> bool:
    """Whether three texts or more of a slide, and no others but numbers, are headings."""
    headings = {same_title(heading) for heading in source.headings}
    lines = [line for text in slide.texts for line in text.splitlines()]
    worded = [same_title(line) for line in lines if not re.fullmatch(r"\W*\d*\W*", line)]
    return len(worded) > 2 and headings.issuperset(worded) and not slide.has_graphic


def bare_titles(source: Source, body: Sequence[Shown]) -> int:
    """The titles of body slides that only repeat a heading of the document."""
    headings = {same_title(heading) for heading in source.headings}
    return sum(bool(slide.title) and same_title(slide.title) in headings for slide in body)


def titles_alike(slides: Sequence[Shown]) -> int:
    """The titles that an earlier slide has too, but for "(continued)" or a number."""
    titles = [same_title(slide.title) for slide in slides if slide.title]
    return len(titles) - len(set(titles))


def recall(wanted: set[str], slides: Sequence[Shown]) -> float | None:
    """The percentage of ``wanted`` content words that stand on any slide; None of no words."""
    seen = set[str]().union(*(slide.words for slide in slides))
    return 100 * shown_share(wanted, seen) if wanted else None


def _is_reached(section: Section, units: set[str], tables: set[Rows]) -> bool:
    return not (units.isdisjoint(section.units) and tables.isdisjoint(section.tables))


def _number_shown(values: frozenset[float], slides: Sequence[Shown]) -> bool:
    rounded = {round(value, 6) for value in values}
    return any(not rounded.isdisjoint(slide.numbers) for slide in slides)


def _cell_shown(cell: str, slide: Shown) -> bool:
    values = numbers(cell)
    if values:
        return all(_number_shown(value, [slide]) for value in values)
    words = content_words(cell)
    return words <= slide.words if words else cell in slide.graphic_text


def _large_shown(rows: Rows, slide: Shown) -> bool:
    by_column = list(zip(*rows[1:], strict=False))
    of_numbers = [
        head
        for head, cells in zip(rows[0], by_column, strict=False)
        if sum(bool(re.fullmatch(r"[^\w]*[\d.,]+\D{0,4}", cell)) for cell in cells) * 2 > len(cells)
    ]
    named = any(content_words(head) and content_words(head) <= slide.words for head in of_numbers)
    return named and (bool(slide.charts) or any(_sums_up(t, rows) for t in slide.tables))


def _sums_up(table: Sequence[Sequence[str]], rows: Rows) -> bool:
    """Whether most rows of a slide's table were not copied from the source."""
    body = [set(filter(None, row)) for row in table[1:]]
    copied = sum(any(cells <= set(row) for row in rows) for cells in body)
    return copied * 2 < len(body)


def _greys(picture: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
    try:
        with Image.open(io.BytesIO(picture)) as image:
            flat = Image.new("RGB", image.size, "white")
            flat.paste(image.convert("RGB"), mask=image.convert("RGBA").getchannel("A"))
            return np.asarray(flat.convert("L").resize((16, 16)), np.float64)
    except (UnidentifiedImageError, OSError):
        return None  # a drawing, such as SVG, of which there are no pixels


def _alike(
    greys: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    other: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None,
) -> bool:
    return other is not None and float(np.abs(greys - other).mean()) <= _SAME_GREYS


def _missing(
    source: Source, units: set[str], tables: set[Rows], slides: Sequence[Shown]
) -> list[str]:
    lines = []
    for section in source.filled:
        if not _is_reached(section, units, tables):
            lines.append(f"section: {section.heading}")
        lines += [f"  sentence: {unit}" for unit in section.units if unit not in units]
        lines += [f"  table: {' | '.join(t[0])}" for t in section.tables if t not in tables]
    lines += [f"figure: {f.caption}" for f in source.figures if not figure_shown(f, slides)]
    left = (max(v) for v in source_numbers(source) if not _number_shown(v, slides))
    return [*lines, "numbers: " + ", ".join(f"{value:g}" for value in sorted(left))]
