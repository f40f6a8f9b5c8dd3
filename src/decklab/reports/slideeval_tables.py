"""Tables 2, 5 and 6 of SlideEval: for a terminal, and as rows of CSV."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.reports.slideeval_views import CountsView, DatasetView, FontView, SlideEvalView
from decklab.reports.wording import clean, counted, number

CATEGORIES: Final = {
    "slides": "Number of slides",
    "elements": "All elements",
    "texts": "Text",
    "rects": "Rect",
    "lines": "Line",
    "images": "Image",
    "tables": "Table",
    "words": "Words",
}
"""Rows of table 2 in its words; the last is ours."""

COUNTS: Final = ("mean", "SD", "min", "median", "max")

_CSV_COUNTS: Final = ("mean", "sd", "min", "median", "max")
_NOTHING: Final = (None,) * len(COUNTS)


def print_dataset(view: DatasetView, console: Console) -> None:
    """Print the tables to ``console``, fonts beside each other as far as its width goes."""
    console.print(Text(f"{clean(view.name)}, {counted(view.decks, 'deck')}", style="bold"))
    table = _plain_table()
    table.add_column("", no_wrap=True)
    for over in ("per deck", "per slide"):
        for place, heading in enumerate(COUNTS):
            table.add_column(f"{over}\n{heading}" if place == 0 else heading, justify="right")
    table.add_column("total", justify="right")
    for row in view.rows:
        cells = [*_cells(row.per_deck), *_cells(row.per_slide)]
        table.add_row(CATEGORIES[row.category], *cells, str(row.total))
    console.print(table)
    for title, fonts in (("fonts", view.families), ("groups of fonts", view.groups)):
        if fonts:
            told = ", ".join(f"{clean(font.name)} {font.true}" for font in fonts)
            console.print(Text(f"\n{title}: {told}"))


def dataset_tables(view: SlideEvalView) -> dict[str, tuple[Sequence[str], Iterator[Sequence[Any]]]]:
    """Header and rows of ``table-2``, ``table-5`` and ``table-6``.

    A judge's counts are of its predictions; ``truth`` stands for what the slides have.
    """
    per = [f"{over}_{name}" for over in ("deck", "slide") for name in _CSV_COUNTS]
    return {
        "table-2": (("dataset", "category", *per, "total"), _count_rows(view)),
        "table-5": (("dataset", "of", "font", "count"), _font_rows(view, "families")),
        "table-6": (("dataset", "of", "group", "count"), _font_rows(view, "groups")),
    }


def _count_rows(view: SlideEvalView) -> Iterator[Sequence[Any]]:
    for dataset in view.datasets:
        for row in dataset.rows:
            counts = [*_values(row.per_deck), *_values(row.per_slide)]
            yield dataset.name, row.category, *counts, row.total


def _font_rows(view: SlideEvalView, table: str) -> Iterator[Sequence[Any]]:
    for dataset in view.datasets:
        fonts: tuple[FontView, ...] = getattr(dataset, table)
        for place, of in enumerate(("truth", *dataset.judges)):
            for font in fonts:
                count = font.true if place == 0 else font.predicted[place - 1]
                yield dataset.name, of, font.name, count


def _values(found: CountsView | None) -> Sequence[float | None]:
    if found is None:
        return _NOTHING
    return found.mean, found.sd, found.low, found.median, found.high


def _cells(found: CountsView | None) -> Iterator[str]:
    """Whole numbers as they are; mean and spread with two places, as the paper."""
    for name, value in zip(COUNTS, _values(found), strict=True):
        if value is None:
            yield "–"
        elif name in ("mean", "SD"):
            yield number(value)
        else:
            yield f"{value:g}"


def _plain_table() -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_edge=False)
