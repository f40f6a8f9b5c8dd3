"""A deck as Markdown: the contents of its slides, for people, models and search.

Elements come in drawing order, which is the order in which they are read aloud. Left out are hidden
shapes, decorative pictures, and the placeholders of footers, dates and slide numbers. Tables and
charts become tables (GitHub Flavored Markdown), SmartArt becomes a list, pictures and media are
named by their alternative text.
"""

import re
from collections.abc import Iterator, Sequence

from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Element,
    Image,
    Media,
    Paragraph,
    Series,
    Table,
    Text,
)
from decklab.deck.model.slide import DeckElements, SlideElements

_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"ftr", "dt", "sldNum", "hdr"})
_MARKUP = re.compile(r"([\\`*_\[\]<>|])")


def deck_markdown(deck: DeckElements) -> str:
    """All slides of a deck, hidden ones too, each under a heading with its number."""
    return "\n".join(slide_markdown(slide) for slide in deck.slides)


def slide_markdown(slide: SlideElements, *, alt_texts: bool = True) -> str:
    """One slide under a heading with its number and title; its notes last, as a quotation.

    Without ``alt_texts`` pictures and media are not named, for no audience reads these.

    >>> from decklab.deck.model.slide import SlideElements
    >>> print(slide_markdown(SlideElements(number=3, title="Plan", background="#FFFFFF")))
    ## 3. Plan
    <BLANKLINE>
    """
    blocks = [f"## {slide.number}. {_line(slide.title)}" if slide.title else f"## {slide.number}."]
    for element in slide.elements():
        if not element.hidden:
            blocks += _blocks(element, alt_texts=alt_texts)
    if slide.notes:
        blocks.append("\n".join(f"> {_line(line)}".rstrip() for line in slide.notes.splitlines()))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _blocks(element: Element, *, alt_texts: bool) -> Iterator[str]:
    if isinstance(element, Text):
        kind = element.placeholder.type if element.placeholder else ""
        if kind not in _TITLES | _FURNITURE:
            yield _text(element.paragraphs)
    elif isinstance(element, Table):
        yield _table([[_line(cell.text) for cell in row] for row in element.rows])
    elif isinstance(element, Chart):
        yield from _chart(element)
    elif isinstance(element, Diagram):
        yield "\n".join(f"{'  ' * node.depth}- {_line(node.text)}" for node in element.nodes)
    elif isinstance(element, Image | Media) and not element.decorative:
        what = element.medium if isinstance(element, Media) else "image"
        named = f": {_line(element.alt_text)}" if element.alt_text and alt_texts else ""
        yield f"\\[{what}{named}\\]"


def _text(paragraphs: Sequence[Paragraph]) -> str:
    """Paragraphs with bullets or levels as lists, others as paragraphs."""
    written: list[str] = []
    levels: list[int] = []  # those of the list that is open, so that no level is left out
    for paragraph in paragraphs:
        if not (words := _line(paragraph.text)):
            continue
        if paragraph.bullet is None and not paragraph.level:
            written += ["", words, ""]
            levels = []
            continue
        levels = [level for level in levels if level < paragraph.level] + [paragraph.level]
        numbered = paragraph.bullet is not None and paragraph.bullet.kind == "number"
        written.append(f"{'   ' * (len(levels) - 1)}{'1.' if numbered else '-'} {words}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(written)).strip("\n")


def _chart(chart: Chart) -> Iterator[str]:
    title = f": {_line(chart.title)}" if chart.title else ""
    yield f"\\[{chart.type} chart{title}\\]"
    series = list(chart.series)
    if series and all(item.categories == series[0].categories for item in series):
        yield _values(series)
    else:
        yield from (_values([item]) for item in series)


def _values(series: Sequence[Series]) -> str:
    """Series that share their categories, one column each."""
    head = ["", *(_line(item.name or "") for item in series)]
    count = max((len(item.values) for item in series), default=0)
    labels = series[0].categories
    rows = []
    for row in range(count):
        label = _line(labels[row]) if row < len(labels) else str(row + 1)
        cells = (_number(item.values[row]) if row < len(item.values) else "" for item in series)
        rows.append([label, *cells])
    return _table([head, *rows])


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    width = max(len(row) for row in rows)
    lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _line(text: str) -> str:
    """Words on one line; characters that are Markdown markup are escaped."""
    escaped = _MARKUP.sub(r"\\\1", " ".join(text.split()))
    return re.sub(r"^(\d+)(?=[.)])", r"\1\\", re.sub(r"^(?=[-+#])", r"\\", escaped))
