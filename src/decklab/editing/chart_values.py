"""Single values, categories and series of a chart, given by their names."""

from pptx.presentation import Presentation

from decklab.editing.charts import chart_data, set_chart_data
from decklab.editing.finding import EditError, find_graphic, slide_at
from decklab.editing.open_parts import edited
from decklab.editing.phrasing import phrase
from decklab.ooxml.xml import qn


@phrase(
    "set [value of] {point} [in {shape:chart}] to {value}",
    "set [value of] {point} to {value} in {shape:chart}",
    example="set 'North' in '2025' to 6 in the chart on slide 6",
    changes="chart",
    follows="detail other",
    shape="chart",
)
def set_chart_value(
    prs: Presentation,
    slide: int,
    point: tuple[str, str | None],
    value: float,
    *,
    shape: str | int | None = None,
) -> bool:
    """Give one point of a chart, (category, series), a value, in its workbook too.

    The series may be None where there is one; all looks stay. Return whether the value is another.
    Raises EditError where there is no such point, or several.

    Example: set_chart_value(prs, 4, ("Q1", "North"), 3.5)
    """
    held = chart_data(prs, slide, shape)
    categories, series = held["categories"], held["series"]
    place = _place(categories, point[0], "category", slide)
    names = list(series)
    one = 0 if point[1] is None and len(names) == 1 else _place(names, point[1], "series", slide)
    changed = {key: list(values) for key, values in series.items()}
    if changed[names[one]][place] == value:
        return False
    changed[names[one]][place] = value
    frame = find_graphic(prs, slide, shape, qn("c:chart"), "chart")
    with edited(slide_at(prs, slide).part.related_part(frame.get(qn("r:id")))) as root:
        formats = [item.text for item in root.iter(qn("c:formatCode"))]
        set_chart_data(prs, slide, categories, changed, shape=shape)
        written = list(root.iter(qn("c:formatCode")))
        if len(written) == len(formats):  # python-pptx writes its own
            for item, text in zip(written, formats, strict=True):
                item.text = text
    return True


def _place(names: list[str], name: str | None, what: str, slide: int) -> int:
    """The place of a category or series, case aside; raises EditError."""
    there = ", ".join(map(repr, names))
    wanted = "" if name is None else name.casefold()
    if [one.casefold() for one in names].count(wanted) != 1:
        which = f"no {what} {name!r}, or several" if name else f"several {what}"
        raise EditError(f"the chart on slide {slide} has {which}; it has {there}")
    return [one.casefold() for one in names].index(wanted)
