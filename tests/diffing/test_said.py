"""What a diff of two files says of groups, effects, names of shapes, and what reading leaves."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from decklab.diffing.changes import DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.wording import words
from decklab.ooxml.package import Package, write_package

_DRAWINGML = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SHADOW = (
    f'<a:effectLst xmlns:a="{_DRAWINGML}"><a:outerShdw blurRad="90000" dist="50800" dir="2700000"'
    ' algn="tl"><a:srgbClr val="000000"><a:alpha val="30000"/></a:srgbClr></a:outerShdw>'
    "</a:effectLst>"
)


def _compared(before: Path, after: Path) -> DeckDiff:
    with Package.open(before) as old, Package.open(after) as new:
        return diff_packages(old, new)


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """A title, three boxes with automatic names, of which the third has no text."""
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Costs"
    for number, text in enumerate(("Rent", "Wages rose by more than a quarter in one year", "")):
        box = slide.shapes.add_textbox(Inches(1 + 2 * number), Inches(3), Inches(1), Inches(1))
        box.text_frame.text = text
    path = tmp_path / "before.pptx"
    made.save(str(path))
    return path


def _edited(path: Path, edit: Callable[[Any], None], name: str = "after.pptx") -> Path:
    made = Presentation(str(path))
    edit(made.slides[0])
    made.save(str(path.with_name(name)))
    return path.with_name(name)


def _group(slide: Any) -> None:
    slide.shapes.add_group_shape(list(slide.shapes)[1:4]).name = "Group 4"


def test_grouping_names_the_members_and_the_group(deck: Path) -> None:
    grouped = _edited(deck, _group)
    long = "Wages rose by more than a quarter in on…"
    members = f"the text box “Rent”, the text box “{long}” and “TextBox 4”"
    assert words(_compared(deck, grouped)) == (
        f"Slide 1: {members} were grouped as “Group 4” (id 6).",
    )
    assert words(_compared(grouped, deck)) == (
        f"Slide 1: the group “Group 4” (id 6) was dissolved; {members} stay.",
    )


def test_a_group_that_goes_with_its_members_is_removed(deck: Path) -> None:
    grouped = _edited(deck, _group)

    def remove(slide: Any) -> None:
        group = list(slide.shapes)[1]
        group._element.getparent().remove(group._element)

    assert words(_compared(grouped, _edited(grouped, remove, "less.pptx"))) == (
        "Slide 1: the group “Group 4” (id 6) was removed.",
    )


def _shadow(xml: str) -> Callable[[Any], None]:
    def edit(slide: Any) -> None:
        properties = slide.shapes[1]._element.spPr
        for old in properties.findall(f"{{{_DRAWINGML}}}effectLst"):
            properties.remove(old)
        properties.append(etree.fromstring(xml))

    return edit


def test_a_shadow_is_one_change_in_points_and_percent(deck: Path) -> None:
    shaded = _edited(deck, _shadow(_SHADOW))
    assert words(_compared(deck, shaded)) == (
        "Slide 1: effects of the text box “Rent” (id 3) changed from none to shadow: "
        "blur 7.1 pt, distance 4 pt, direction 45°, color #000000, color opacity 30 %.",
    )
    other = _SHADOW.replace("90000", "25400").replace("50800", "12700")
    assert words(_compared(shaded, _edited(shaded, _shadow(other), "other.pptx"))) == (
        "Slide 1: shadow of the text box “Rent” (id 3) changed from blur 7.1 pt, distance 4 pt "
        "to blur 2 pt, distance 1 pt.",
    )


def test_a_shape_that_a_person_named_keeps_its_name(deck: Path) -> None:
    def name(slide: Any) -> None:
        slide.shapes[1].name = "Rent box"

    def move(slide: Any) -> None:
        slide.shapes[2].left = slide.shapes[2].left + Inches(1)
        slide.shapes[1].left = slide.shapes[1].left + Inches(1)

    named = _edited(deck, name)
    said = words(_compared(named, _edited(named, move, "moved.pptx")))
    assert [re.search("of (.*) changed", one)[1] for one in said] == [
        "“Rent box” (id 3)", "the text box “Wages rose by more than a quarter in on…” (id 4)",
    ]  # fmt: skip


def test_exchanged_unused_layouts_are_told_once(deck: Path, tmp_path: Path) -> None:
    parts = [f"ppt/slideLayouts/slideLayout{number}.xml" for number in (3, 4)]
    with Package.open(deck) as package:
        first, second = (package.read(part) for part in parts)
        write_package(package, tmp_path / "x.pptx", replace={parts[0]: second, parts[1]: first})
    assert words(_compared(deck, tmp_path / "x.pptx")) == (
        "Master “Office Theme”: the layout “Two Content” moved from place 4 to 3.",
    )


_GUARDS = {
    "notes_slide": "has_notes_slide", "chart_title": "has_title", "axis_title": "has_title",
    "legend": "has_legend", "chart": "has_chart", "table": "has_table",
    "text_frame": "has_text_frame", "major_gridlines": "has_major_gridlines",
    "minor_gridlines": "has_minor_gridlines",
}  # fmt: skip
_ELSEWHERE = {
    "part", "package", "element", "parent", "used_by_slides", "slide_layout", "slide_master",
    "notes_master", "slides", "slide_layouts", "slide_masters",
}  # fmt: skip
_VISIBLE = {("_Background", "fill"), ("LineFormat", "color")}
"""Reading these with python-pptx gives a slide a background and a line a colour."""
_LABELS = {"data_labels", "data_label"}
"""Reading these shows the values of a chart."""


def _read(item: Any, seen: dict[Any, Any]) -> None:
    """Read all properties of an object of python-pptx, and all that they lead to."""
    kind = type(item)
    module = kind.__module__
    if not module.startswith("pptx.") or module.split(".")[1] in ("oxml", "opc", "parts", "enum"):
        return
    key = kind, id(getattr(item, "_element", item))
    if key in seen:
        return
    seen[key] = item
    for name in dir(kind):
        if (
            name.startswith("_")
            or name in _ELSEWHERE | _LABELS
            or (kind.__name__, name) in _VISIBLE
        ):
            continue
        held = inspect.getattr_static(kind, name)
        if not (isinstance(held, property) or type(held).__name__ == "lazyproperty"):
            continue
        if name in _GUARDS and not getattr(item, _GUARDS[name], True):
            continue
        try:
            _read(getattr(item, name), seen)
        except (AttributeError, KeyError, NotImplementedError, TypeError, ValueError):
            continue
    if hasattr(kind, "__iter__") or hasattr(kind, "__getitem__"):
        try:
            for member in item:
                _read(member, seen)
        except (AttributeError, NotImplementedError, TypeError):
            return


@pytest.mark.long
def test_what_python_pptx_adds_when_it_only_reads_is_noise(
    sample_decks: list[Path], tmp_path: Path
) -> None:
    added = 0
    for path in sample_decks:
        made = Presentation(str(path))
        seen: dict[Any, Any] = {}
        for slide in made.slides:
            _read(slide, seen)
        for layout in made.slide_layouts:
            _read(layout, seen)
        made.save(str(tmp_path / path.name))
        found = _compared(path, tmp_path / path.name)
        assert words(found) == ()
        assert {change.rule for change in found.changes} <= {"empty"}
        added += len(found.changes)
    assert added > 100


def test_an_empty_point_of_a_series_with_negative_values_is_no_noise(tmp_path: Path) -> None:
    for number, value in enumerate((2.0, -2.0)):
        made = Presentation()
        data = CategoryChartData()
        data.categories = ["a", "b"]
        data.add_series("North", (1.0, value))
        box = (Inches(1), Inches(1), Inches(4), Inches(3))
        slide = made.slides.add_slide(made.slide_layouts[6])
        frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)
        before, after = tmp_path / f"{number}.pptx", tmp_path / f"{number}-read.pptx"
        made.save(str(before))
        assert frame.chart.plots[0].series[0].points[0].format is not None
        made.save(str(after))
        assert len(_compared(before, after).edits) == number
