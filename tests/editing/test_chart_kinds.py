"""Charts that are drawn another way: what stays, what is lost, as lxml and python-pptx read it."""

from collections import Counter
from io import BytesIO
from itertools import permutations
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_MARKER_STYLE
from pptx.util import Inches

from decklab.editing.chart_kinds import set_chart_type
from decklab.editing.charts import CHART_TYPES, set_chart_title
from decklab.editing.finding import EditError

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_BARS = ("column", "stacked column", "100% stacked column", "bar", "stacked bar")


def deck_of(kind: str, series: int = 2) -> Any:
    """A slide with one chart of a kind."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData(number_format="0.0")
    data.categories = ["A", "B", "C"]
    for number in range(series):
        data.add_series(f"S{number}", (1.0, 2.0, 3.0))
    side = Inches(4)
    slide.shapes.add_chart(CHART_TYPES[kind], side, side, side, side, data)
    return deck


def chart(deck: Any) -> Any:
    """The chart as python-pptx sees it once the deck is saved and opened."""
    held = BytesIO()
    deck.save(held)
    return Presentation(held).slides[0].shapes[0].chart


def values(deck: Any, name: str) -> list[str | None]:
    """The values of all elements with a name."""
    root = etree.fromstring(chart(deck).part.blob)
    return [item.get("val") for item in root.iter(f"{_C}{name}")]


def content(deck: Any) -> Counter[tuple[str, ...]]:
    """Paths, attributes and words of all elements of the chart."""
    root = etree.fromstring(chart(deck).part.blob)
    tree = root.getroottree()
    return Counter(
        (tree.getelementpath(item), str(sorted(item.attrib.items())), item.text or "")
        for item in root.iter()
    )


def dressed(kind: str) -> Any:
    """A chart with a gap width, an overlap or none, labels, and axes of its own."""
    deck = deck_of(kind)
    plot = deck.slides[0].shapes[0].chart.plots[0]
    plot.gap_width = 45
    plot.has_data_labels = True
    plot.data_labels.position = XL_LABEL_POSITION.INSIDE_END
    plot.data_labels.number_format, plot.data_labels.number_format_is_linked = "0.00", False
    for axis, id, other in (("catAx", "711", "712"), ("valAx", "712", "711")):
        held = next(plot._element.getparent().iter(f"{_C}{axis}"))
        held.find(f"{_C}axId").set("val", id)
        held.find(f"{_C}crossAx").set("val", other)
    for item, id in zip(plot._element.findall(f"{_C}axId"), ("711", "712"), strict=True):
        item.set("val", id)
    return deck


@pytest.mark.by_day(4)
@pytest.mark.parametrize(("first", "second"), list(permutations(_BARS, 2)))
def test_bars_turn_and_stack_and_keep_their_formats(first: str, second: str) -> None:
    deck = dressed(first)
    before = content(deck)
    assert set_chart_type(deck, 1, second) == ()
    assert chart(deck).chart_type == CHART_TYPES[second]
    assert values(deck, "gapWidth") == ["45"]
    assert values(deck, "dLblPos") == ["inEnd"]
    assert values(deck, "axId") == ["711", "712", "711", "712"]
    assert values(deck, "overlap") == (["100"] if "stacked" in second else [])
    assert values(deck, "axPos") == (["l", "b"] if second.endswith("bar") else ["b", "l"])
    set_chart_type(deck, 1, first)
    assert {path for path, *_ in (content(deck) - before).elements()} == set()
    assert content(deck) == before


@pytest.mark.parametrize(("first", "second"), list(permutations(sorted(CHART_TYPES), 2)))
def test_every_change_of_kind_is_read_as_this_kind(first: str, second: str) -> None:
    deck = deck_of(first, 1)
    ids = values(deck, "axId")
    set_chart_type(deck, 1, second)
    assert chart(deck).chart_type == CHART_TYPES[second]
    assert list(chart(deck).plots[0].series[0].values) == [1.0, 2.0, 3.0]
    has_axes = second not in ("pie", "doughnut")
    assert len(values(deck, "axId")) == (4 if has_axes else 0)
    if ids and has_axes:
        assert values(deck, "axId") == ids
    assert values(deck, "varyColors")[:1] != (["0"] if not has_axes else ["1"])


def test_between_families_the_lost_formats_are_named() -> None:
    deck = dressed("column")
    assert set_chart_type(deck, 1, "line") == ("gap width", "label positions")
    assert values(deck, "gapWidth") == values(deck, "dLblPos") == []
    assert chart(deck).plots[0].data_labels.number_format == "0.00"
    assert values(deck, "axId") == ["711", "712", "711", "712"]


def test_labels_stay_where_both_kinds_have_them() -> None:
    deck = dressed("column")
    plot = deck.slides[0].shapes[0].chart.plots[0]
    plot.data_labels.position = XL_LABEL_POSITION.CENTER
    assert set_chart_type(deck, 1, "line") == ("gap width",)
    assert chart(deck).plots[0].data_labels.position == XL_LABEL_POSITION.CENTER


def test_labels_outside_have_no_place_on_stacked_columns() -> None:
    deck = dressed("column")
    plot = deck.slides[0].shapes[0].chart.plots[0]
    plot.data_labels.position, plot.overlap = XL_LABEL_POSITION.OUTSIDE_END, -20
    assert set_chart_type(deck, 1, "stacked column") == ("overlap", "label positions")
    assert (values(deck, "dLblPos"), values(deck, "overlap")) == ([], ["100"])


def test_lines_keep_their_smoothing_and_lose_it_as_columns() -> None:
    deck = deck_of("line with markers")
    series = deck.slides[0].shapes[0].chart.plots[0].series[0]
    series.smooth, series.marker.style, series.marker.size = True, XL_MARKER_STYLE.DIAMOND, 9
    assert set_chart_type(deck, 1, "line") == ("markers",)
    assert chart(deck).plots[0].series[0].smooth
    assert values(deck, "size") == ["9"]
    assert set_chart_type(deck, 1, "column") == ("smoothed lines",)


def test_the_scale_of_values_is_none_for_shares() -> None:
    deck = dressed("column")
    axis = deck.slides[0].shapes[0].chart.value_axis
    axis.maximum_scale, axis.tick_labels.number_format = 80, "0.0"
    axis.tick_labels.number_format_is_linked = False
    assert set_chart_type(deck, 1, "100% stacked column") == (
        "scale of the value axis", "number format of the value axis",
    )  # fmt: skip
    assert chart(deck).value_axis.maximum_scale is None
    assert chart(deck).value_axis.tick_labels.number_format == "0%"


def test_pairs_of_numbers_are_no_categories() -> None:
    deck = Presentation()
    data = XyChartData()
    data.add_series("S").add_data_point(1, 2)
    side = Inches(4)
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, side, side, side, side, data)
    before = content(deck)
    with pytest.raises(EditError, match="no categories"):
        set_chart_type(deck, 1, "column")
    assert content(deck) == before


def test_a_title_and_the_switch_against_one_agree() -> None:
    deck = deck_of("column")
    deck.slides[0].shapes[0].chart.has_title = False
    assert values(deck, "autoTitleDeleted") == ["1"]
    set_chart_title(deck, 1, "Sales")
    assert values(deck, "autoTitleDeleted") == ["0"]
    set_chart_title(deck, 1, None)
    assert values(deck, "autoTitleDeleted") == ["1"]
