"""Single values, categories and series of a chart, given by their names."""

import re
from typing import Any

from pptx.presentation import Presentation

from decklab.editing.chart_names import rename_in_chart_part
from decklab.editing.charts import chart_data, set_chart_data
from decklab.editing.finding import EditError, find_graphic, slide_at
from decklab.editing.open_parts import edited
from decklab.editing.replacing import word_pattern
from decklab.ooxml.xml import qn


def has_chart_title(prs: Presentation, slide: int, *, shape: str | int | None = None) -> bool:
    """Whether a chart has a title of its own."""
    frame = find_graphic(prs, slide, shape, qn("c:chart"), "chart")
    part: Any = slide_at(prs, slide).part.related_part(frame.get(qn("r:id")))
    return bool(part.chart.has_title)


def set_chart_value(
    prs: Presentation, slide: int, said: str, value: float, *, shape: str | int | None = None
) -> None:
    """Give one point of a chart a value, in its workbook too; all looks stay.

    ``said`` is a text that names a category and a series, such as ``South in 2025``; the series may
    be left out where there is one. Raises EditError where it names none, or several.
    """
    held = chart_data(prs, slide, shape)
    categories, series = held["categories"], held["series"]
    place, one = _named(categories, said), _named(list(series), said)
    one = 0 if one is None and len(series) == 1 else one
    if place is None or one is None:
        raise EditError(
            f"“{said}” names no value of the chart on slide {slide}, or several; it has "
            f"{', '.join(map(repr, categories))} and {', '.join(map(repr, series))}"
        )
    changed = {key: list(values) for key, values in series.items()}
    changed[list(series)[one]][place] = value
    frame = find_graphic(prs, slide, shape, qn("c:chart"), "chart")
    with edited(slide_at(prs, slide).part.related_part(frame.get(qn("r:id")))) as root:
        formats = [item.text for item in root.iter(qn("c:formatCode"))]
        set_chart_data(prs, slide, categories, changed, shape=shape)
        written = list(root.iter(qn("c:formatCode")))
        if len(written) == len(formats):  # python-pptx writes its own
            for item, text in zip(written, formats, strict=True):
                item.text = text


def rename_in_chart(
    prs: Presentation, slide: int, old: str, new: str, *, shape: str | int | None = None
) -> None:
    """Rename a category or a series of a chart, in its workbook too."""
    held = chart_data(prs, slide, shape)
    categories, series = held["categories"], held["series"]
    names = [*categories, *series]
    if [name.casefold() for name in names].count(old.casefold()) != 1:
        raise EditError(
            f"the chart on slide {slide} has no name {old!r}, or several; it has "
            f"{', '.join(map(repr, names))}"
        )
    frame = find_graphic(prs, slide, shape, qn("c:chart"), "chart")
    part = slide_at(prs, slide).part.related_part(frame.get(qn("r:id")))
    rename_in_chart_part(part, re.compile(rf"\A{re.escape(old)}\Z", re.IGNORECASE), new)


def _named(names: list[str], said: str) -> int | None:
    """The only name that stands in a text as whole words; of one inside another, the longer."""
    found = [place for place, name in enumerate(names) if name and
             word_pattern(name, whole_word=True, match_case=False).search(said)]  # fmt: skip
    longest = max(found, key=lambda place: len(names[place]), default=None)
    if longest is None or any(names[one].lower() not in names[longest].lower() for one in found):
        return None
    return longest
