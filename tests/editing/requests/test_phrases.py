"""Each phrase of each operation carried out on a deck, and read back with python-pptx."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from generate.request_forms import forms_table
from pptx import Presentation
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.enum.text import PP_ALIGN
from pptx.util import Pt
from tests.editing.conftest import TITLES
from tests.editing.requests.furnished import cells, furnished, lines, runs, shape, titles, words

from decklab.editing.operations import operation_names
from decklab.editing.requests.forms import forms, request_examples
from decklab.editing.requests.reading import understand
from decklab.editing.requests.templates import facts_of
from decklab.editing.verify import OriginalDeck
from decklab.editor.edit import edit_with_commands
from decklab.editor.result import EditResult

Holds = Callable[[Any], object]
EXAMPLES = [example for examples in request_examples().values() for example in examples]
_NS = {"p": "http://schemas.openxmlformats.org/presentationml/2006/main",
       "a": "http://schemas.openxmlformats.org/drawingml/2006/main"}  # fmt: skip


def _found(deck: Any, number: int, path: str) -> list[Any]:
    return list(deck.slides[number - 1]._element.findall(path, _NS))


def _order(*places: int) -> Holds:
    """Titles in the order of the old numbers; 0 stands for any other slide."""
    return lambda deck: [TITLES.index(title) + 1 if title in TITLES else 0
                         for title in titles(deck)] == list(places)  # fmt: skip


def _names(deck: Any, number: int) -> set[str]:
    return {one.name for one in deck.slides[number - 1].shapes}


def _theme(deck: Any) -> str:
    part = next(rel.target_part for rel in deck.slide_master.part.rels.values()
                if rel.reltype.endswith("/theme"))  # fmt: skip
    return str(part.blob.decode())


def _sections(deck: Any) -> list[tuple[str, int]]:
    spaces = {"p14": "http://schemas.microsoft.com/office/powerpoint/2010/main"}
    held = deck.part._element.findall(".//p14:section", spaces)
    return [(one.get("name"), len(one.findall(".//p14:sldId", spaces))) for one in held]


def _color(run: Any) -> str:
    return str(run.font.color.rgb)


def _data(deck: Any) -> tuple[list[str], dict[str, tuple[float, ...]]]:
    plot = shape(deck, 6, "chart").plots[0]
    return list(plot.categories), {one.name: tuple(one.values) for one in plot.series}


def _picture(deck: Any) -> Any:
    return shape(deck, 4, "Picture 3")


def _added(deck: Any, number: int, kind: str) -> Any:
    """The newest shape of a slide, which has to be of a kind."""
    newest = list(deck.slides[number - 1].shapes)[-1]
    return newest if kind in str(newest.shape_type) else None


INCH, CM = 914400, 360000
HOLDS: Mapping[str, Holds] = {
    "add a slide titled 'Thank you' at the end": lambda d: titles(d)[-1] == "Thank you",
    "duplicate slide 2": _order(1, 2, 2, 3, 4, 5, 6),
    "make two copies of slide 2": _order(1, 2, 2, 2, 3, 4, 5, 6),
    "delete slides 2 and 4-5": _order(1, 3, 6),
    "keep only slides 1-4": _order(1, 2, 3, 4),
    "move slide 2 after slide 4": _order(1, 3, 4, 2, 5, 6),
    "swap slides 3 and 5": _order(1, 2, 5, 4, 3, 6),
    "reverse the order of the slides": _order(6, 5, 4, 3, 2, 1),
    "hide slides 4 and 5": lambda d: [s._element.get("show") for s in d.slides]
    == [None, None, None, "0", "0", None],
    "unhide slide 4": lambda d: d.slides[3]._element.get("show") != "0",
    "apply the layout 'Title Only' to slide 6": lambda d: d.slides[5].slide_layout.name
    == "Title Only",
    "add the section 'Findings' before slide 4": lambda d: _sections(d)
    == [("Default Section", 3), ("Findings", 3)],
    "rename the section 'Findings' to 'Results'": lambda d: _sections(d)[1] == ("Results", 4),
    "delete the section 'Findings'": lambda d: _sections(d) == [("Default Section", 6)],
    "add slides 2-3 of 'other.pptx' after slide 1": _order(1, 2, 3, 2, 3, 4, 5, 6),
    "add slide 2 of 'other.pptx' with its design at the end": _order(1, 2, 3, 4, 5, 6, 2),
    "set the title of slide 2 to 'What we found'": lambda d: titles(d)[1] == "What we found",
    "set the text of 'Picture note' on slide 4 to 'Below'": lambda d: shape(
        d, 4, "Picture note"
    ).text_frame.text == "Below",
    "add the bullets 'Costs' and 'Gains' to slide 2": lambda d: lines(d, 2)[2:]
    == ["Costs", "Gains"],
    "set bullet 2 of slide 2 to 'Lower costs'": lambda d: lines(d, 2)[1:] == ["Lower costs"],
    "delete the second bullet of slide 2": lambda d: len(lines(d, 2)) == 1,
    "indent bullet 2 of slide 1": lambda d: [
        p.level for p in shape(d, 1, "body").text_frame.paragraphs
    ] == [0, 1],
    "outdent bullet 2 of slide 1": lambda d: [
        p.level for p in shape(d, 1, "body").text_frame.paragraphs
    ] == [0, 0],
    "make the body text of slide 2 a numbered list": lambda d: len(
        _found(d, 2, ".//a:buAutoNum[@type='arabicPeriod']")
    ) == 2,
    "number the bullets on slide 2": lambda d: len(
        _found(d, 2, ".//a:buAutoNum[@type='arabicPeriod']")
    ) == 2,
    "increase the font size of the titles by 2 points": lambda d: {
        run.font.size for n in range(1, 7) for run in runs(d, n, "title")
    } == {Pt(46)},
    "no bullets on slide 2": lambda d: len(_found(d, 2, ".//a:buNone")) == 2,
    "set the line spacing of the body text on slide 2 to 1.5": lambda d: [
        p.line_spacing for p in shape(d, 2, "body").text_frame.paragraphs
    ] == [1.5, 1.5],
    "replace Agenda with Overview everywhere": lambda d: "Agenda" not in words(d)
    and words(d).count("Overview") == 2,
    "replace 'teh' with 'the' everywhere, ignoring case": lambda d: d.slides[2]
    .notes_slide.notes_text_frame.text == "Say the word.",
    "replace 'cat' with 'dog' on slides 2-4, part of words": lambda d: words(d).count("dog") == 3,
    "delete the text 'DRAFT'": lambda d: "DRAFT" not in words(d),
    "make the titles bold and 32 pt": lambda d: all(
        (run.font.bold, run.font.size) == (True, Pt(32))
        for n in range(1, 7) for run in runs(d, n, "title")
    ),
    "use Arial for the titles on slides 4-6": lambda d: [
        {run.font.name for run in runs(d, n, "title")} for n in (3, 4, 5, 6)
    ] == [{None}, {"Arial"}, {"Arial"}, {"Arial"}],
    "set the size of the titles to 32": lambda d: all(
        run.font.size == Pt(32) for n in range(1, 7) for run in runs(d, n, "title")
    ),
    "set the title color on slide 2 to #1F4E79": lambda d: [
        _color(run) for run in runs(d, 2, "title")
    ] == ["1F4E79"],
    "bold the titles on slides 2-3": lambda d: [
        all(run.font.bold for run in runs(d, n, "title")) for n in range(1, 7)
    ] == [False, True, True, False, False, False],
    "align the titles left": lambda d: {
        shape(d, n, "title").text_frame.paragraphs[0].alignment for n in range(1, 7)
    } == {PP_ALIGN.LEFT},
    "set the font on slides 2 and 3 to Arial": lambda d: {
        run.font.name for n in (2, 3) for run in runs(d, n, "body")
    } == {"Arial"},
    "put all titles in capitals": lambda d: titles(d) == [title.upper() for title in TITLES],
    "set the notes of slide 2 to 'Start with the story.'": lambda d: d.slides[1]
    .notes_slide.notes_text_frame.text == "Start with the story.",
    "remove all notes": lambda d: d.slides[2].notes_slide.notes_text_frame.text == "",
    "add the note 'Ask for questions.' to slide 2": lambda d: d.slides[1]
    .notes_slide.notes_text_frame.text == "Ask for questions.",
    "set the alt text of the picture on slide 4 to 'Sales by region'": lambda d: _picture(d)
    ._element.nvPicPr.cNvPr.get("descr") == "Sales by region",
    "remove the alt text of the picture on slide 4": lambda d: _picture(d)
    ._element.nvPicPr.cNvPr.get("descr") is None,
    "link 'study' on slide 2 to https://example.org": lambda d: [
        run.text for run in runs(d, 2, "body") if run.hyperlink.address == "https://example.org"
    ] == ["st", "udy"],
    "remove all links on slide 5": lambda d: not any(
        run.hyperlink.address for run in runs(d, 5, "body")
    ),
    "add a text box 'Source: annual report' to slide 2 at 60, 480, 400 by 40": lambda d: _added(
        d, 2, "TEXT_BOX"
    ).text_frame.text == "Source: annual report",
    "add a rectangle with the text 'Plan' to slide 1 at 60, 400, 240 by 80": lambda d: _added(
        d, 1, "AUTO_SHAPE"
    ).text_frame.text == "Plan",
    "connect 'Plan' to 'Do' on slide 1": lambda d: _added(d, 1, "LINE") is not None,
    "remove the picture on slide 4": lambda d: "Picture 3" not in _names(d, 4),
    "fill the rectangle 'Plan' on slide 1 with accent2": lambda d: str(
        shape(d, 1, "Plan").fill.fore_color.theme_color
    ).startswith("ACCENT_2"),
    "remove the fill of the rectangle 'Plan' on slide 1": lambda d: shape(d, 1, "Plan").fill.type
    is not None and "BACKGROUND" in str(shape(d, 1, "Plan").fill.type),
    "add a 2 pt red border to the picture on slide 4": lambda d: (
        _picture(d).line.width, str(_picture(d).line.color.rgb)
    ) == (Pt(2), "FF0000"),
    "remove the border of the picture on slide 4": lambda d: "BACKGROUND" in str(
        _picture(d).line.fill.type
    ),
    "move the picture on slide 4 up by 1 cm": lambda d: _picture(d).top == 4 * INCH - CM,
    "resize the picture on slide 4 to 2 inches wide": lambda d: _picture(d).width == 2 * INCH
    and abs(_picture(d).height - 1.5 * INCH) < 2,
    "make the picture on slide 4 twice as big": lambda d: abs(
        _picture(d).width - 2 * 40 / 72 * INCH
    ) < 1000,
    "rotate the picture on slide 4 by 90 degrees": lambda d: _picture(d).rotation == 90,
    "align 'Plan' and 'Do' top on slide 1": lambda d: shape(d, 1, "Plan").top
    == shape(d, 1, "Do").top,
    "move the picture on slide 4 to the right edge": lambda d: _picture(d).left + _picture(d).width
    == d.slide_width,
    "distribute 'Plan', 'Do' and 'Check' horizontally on slide 1": lambda d: abs(
        (shape(d, 1, "Do").left - shape(d, 1, "Plan").left - shape(d, 1, "Plan").width)
        - (shape(d, 1, "Check").left - shape(d, 1, "Do").left - shape(d, 1, "Do").width)
    ) < 20,
    "send the picture on slide 4 to the back": lambda d: next(iter(d.slides[3].shapes)).name
    == "Picture 3",
    "group 'Plan' and 'Do' on slide 1": lambda d: {
        one.name for one in next(s for s in d.slides[0].shapes if s.shape_type == 6).shapes
    } == {"Plan", "Do"},
    "ungroup the group 'Pair' on slide 1": lambda d: {"Plan", "Do"} <= _names(d, 1)
    and "Pair" not in _names(d, 1),
    "insert the picture 'logo.png' on slide 1 at 800, 20, 120 by 60": lambda d: _added(
        d, 1, "PICTURE"
    ).image.size == (40, 30),
    "replace the picture on slide 4 with 'new.png'": lambda d: _picture(d).image.size == (60, 80)
    and _picture(d).top == 4 * INCH,
    "crop 20% off the left of the picture on slide 4": lambda d: abs(
        _picture(d).crop_left - 0.2
    ) < 1e-4,
    "add a table with 3 rows and 2 columns to slide 1 at 60, 300, 400 by 120": lambda d: (
        len(shape(d, 1, "table").rows), len(shape(d, 1, "table").columns)
    ) == (3, 2),
    "add a table with the headings 'Region' and 'Sales' to slide 1 at 60, 300, 400 by 90": lambda d:
        [cell.text for cell in shape(d, 1, "table").rows[0].cells] == ["Region", "Sales"],
    "set row 2, column 3 of the table on slide 6 to '17 %'": lambda d: cells(d)[1][2] == "17 %",
    "add a row to the table on slide 6 with A, B, C": lambda d: cells(d)[3] == ["A", "B", "C"],
    "delete the last row of the table on slide 6": lambda d: len(cells(d)) == 2,
    "add a column to the table on slide 6 after column 1": lambda d: cells(d)[0]
    == ["Region", "", "2024", "2025"],
    "delete column 2 of the table on slide 6": lambda d: cells(d)[0] == ["Region", "2025"],
    "merge cell A1 and cell B1 on slide 6": lambda d: shape(d, 6, "table").cell(0, 0).span_width
    == 2,
    "sort the table on slide 6 by column 3 descending": lambda d: [row[0] for row in cells(d)]
    == ["Region", "South", "North"],
    "add a pie chart of 'North' 4, 'South' 6 to slide 1 at 500, 200, 300 by 240": lambda d: (
        shape(d, 1, "chart").chart_type, list(shape(d, 1, "chart").plots[0].series[0].values)
    ) == (XL_CHART_TYPE.PIE, [4, 6]),
    "set the title of the chart on slide 6 to 'Sales'": lambda d: shape(d, 6, "chart")
    .chart_title.text_frame.text == "Sales",
    "remove the title of the chart on slide 6": lambda d: not shape(d, 6, "chart").has_title,
    "turn the chart on slide 6 into a line chart": lambda d: shape(d, 6, "chart").chart_type
    == XL_CHART_TYPE.LINE,
    "set 'North' in '2025' to 6 in the chart on slide 6": lambda d: list(
        shape(d, 6, "chart").plots[0].series[0].values
    ) == [6, 4],
    "rename the category 'North' to 'Nord' in the chart on slide 6": lambda d: list(
        shape(d, 6, "chart").plots[0].categories
    ) == ["Nord", "South"],
    "show the legend of the chart on slide 6 at the bottom": lambda d: shape(
        d, 6, "chart"
    ).legend.position == XL_LEGEND_POSITION.BOTTOM,
    "remove the legend of the chart on slide 6": lambda d: not shape(d, 6, "chart").has_legend,
    "show data labels in the chart on slide 6": lambda d: shape(d, 6, "chart").plots[0]
    .data_labels.show_value,
    "show percentages as data labels in the chart on slide 6": lambda d: shape(
        d, 6, "chart"
    ).plots[0].data_labels.show_percentage,
    "hide the data labels of the chart on slide 6": lambda d: not shape(d, 6, "chart").plots[0]
    .has_data_labels,
    "set the title of the value axis of the chart on slide 6 to 'Sales'": lambda d: shape(
        d, 6, "chart"
    ).value_axis.axis_title.text_frame.text == "Sales",
    "remove the title of the value axis of the chart on slide 6": lambda d: not shape(
        d, 6, "chart"
    ).value_axis.has_title,
    "set the color of the series '2025' in the chart on slide 6 to red": lambda d: str(
        shape(d, 6, "chart").plots[0].series[0].format.fill.fore_color.rgb
    ) == "FF0000",
    "set the color of the point 'North' in the chart on slide 6 to red": lambda d: str(
        shape(d, 6, "chart").plots[0].series[0].points[0].format.fill.fore_color.rgb
    ) == "FF0000",
    "set the background of slides 2-3 to light grey": lambda d: [
        str(d.slides[n].background.fill.fore_color.rgb) for n in (1, 2)
    ] == ["D3D3D3", "D3D3D3"],
    "remove the background of slide 1": lambda d: d.slides[0].follow_master_background,
    "set the theme's accent1 to #0B6E4F": lambda d: "0B6E4F" in _theme(d),
    "theme fonts: headings Arial, body Calibri": lambda d: '<a:latin typeface="Arial"' in _theme(d)
    and '<a:latin typeface="Calibri"' in _theme(d),
    "set the theme's heading font to Georgia": lambda d: _theme(d).index('typeface="Georgia"')
    < _theme(d).index("minorFont"),
    "set the theme's body font to Georgia": lambda d: _theme(d).index('typeface="Georgia"')
    > _theme(d).index("minorFont"),
    "set the title size of the master to 40": lambda d: d.slide_master._element.find(
        ".//p:titleStyle/a:lvl1pPr/a:defRPr", _NS
    ).get("sz") == "4000",
    "normalise fonts on slides 2-4": lambda d: {r.font.name for r in runs(d, 3, "body")} == {None},
    "set the footer on slides 2-3 to Draft": lambda d: [
        [p.text_frame.text for p in s.placeholders if p.placeholder_format.type == 15]
        for s in d.slides
    ][:4] == [[], ["Draft"], ["Draft"], []],
    "remove the footer on slide 1": lambda d: [
        any(p.placeholder_format.type == 15 for p in s.placeholders) for s in d.slides
    ] == [False, True, True, True, True, True],
    "show slide numbers on slides 2-4": lambda d: [
        any(p.placeholder_format.type == 13 for p in s.placeholders) for s in d.slides
    ] == [False, True, True, True, False, False],
    "remove slide numbers on slide 1": lambda d: [
        any(p.placeholder_format.type == 13 for p in s.placeholders) for s in d.slides
    ] == [False, True, True, True, True, True],
    "set the transition on slides 2-3 to push, lasting 0.7 seconds": lambda d: len(
        _found(d, 2, ".//p:transition/p:push")
    ) == 2 and not _found(d, 1, ".//p:transition"),
    "remove all transitions": lambda d: not any(
        _found(d, n, ".//p:transition") for n in range(1, 7)
    ),
    "let the picture on slide 4 fade in on click": lambda d: [
        one.get("spid") for one in _found(d, 4, ".//p:spTgt")
    ][:1] == [str(_picture(d).shape_id)],
    "remove all animations on slide 5": lambda d: not _found(d, 5, ".//p:timing"),
    "flip the picture on slide 4 horizontally": lambda d: _picture(d)._element.spPr.find(
        "a:xfrm", _NS
    ).get("flipH") == "1",
    "make 'Plan' and 'Do' the same size on slide 1": lambda d: (
        shape(d, 1, "Plan").width, shape(d, 1, "Plan").height
    ) == (shape(d, 1, "Do").width, shape(d, 1, "Do").height),
    "duplicate the picture on slide 4": lambda d: len(
        {one.shape_id for one in d.slides[3].shapes if one.name == "Picture 3"}
    ) == 2,
    "change the link on slide 5 to https://example.com/new": lambda d: [
        run.hyperlink.address for run in runs(d, 5, "body")
    ] == [None, "https://example.com/new"],
    "move bullet 2 of slide 2 to the start": lambda d: lines(d, 2)
    == ["party", "The study of art in Q3"],
    "set the space after the body text on slide 2 to 6 pt": lambda d: [
        line.space_after for line in shape(d, 2, "body").text_frame.paragraphs
    ] == [Pt(6), Pt(6)],
    "move the section 'Findings' to the start": lambda d: (
        _sections(d) == [("Findings", 4), ("Default Section", 2)]
        and titles(d) == [*TITLES[2:], *TITLES[:2]]
    ),
    "add a slide titled 'Share' with a pie chart of 'North' 4, 'South' 6 at the end": lambda d: (
        titles(d)[-1], list(shape(d, 7, "chart").plots[0].series[0].values)
    ) == ("Share", [4, 6]),
    "rename column 2 of the table on slide 6 to 'Before'": lambda d: cells(d)[0]
    == ["Region", "Before", "2025"],
    "move row 'South' of the table on slide 6 to the start": lambda d: [
        row[0] for row in cells(d)
    ] == ["South", "Region", "North"],
    "move column 3 of the table on slide 6 before column 2": lambda d: cells(d)[:2]
    == [["Region", "2025", "2024"], ["North", "15 %", "3"]],
    "set the width of column 1 of the table on slide 6 to 4 cm": lambda d: shape(d, 6, "table")
    .columns[0].width == 4 * CM,
    "set the height of row 1 of the table on slide 6 to 2 cm": lambda d: shape(d, 6, "table")
    .rows[0].height == 2 * CM,
    "fill the header row of the table on slide 6 with accent2": lambda d: [
        str(shape(d, 6, "table").cell(row, 1).fill.type) for row in range(3)
    ] == ["SOLID (1)", "None", "None"],
    "remove the fill of row 2 of the table on slide 6": lambda d: [
        str(shape(d, 6, "table").cell(row, 1).fill.type) for row in range(3)
    ] == ["None", "BACKGROUND (5)", "None"],
    "split cell A1 of the table on slide 6": lambda d: not shape(d, 6, "table")
    .cell(0, 0).is_merge_origin,
    "add a total row to the table on slide 6": lambda d: cells(d)[3] == ["Total", "7", ""],
    "add the category 'West' with the value 5 to the chart on slide 6": lambda d: _data(d)
    == (["North", "South", "West"], {"2025": (3, 4, 5)}),
    "remove the category 'South' from the chart on slide 6": lambda d: _data(d)
    == (["North"], {"2025": (3,)}),
    "add the series '2026' with the values 5 and 7 to the chart on slide 6": lambda d: _data(d)
    == (["North", "South"], {"2025": (3, 4), "2026": (5, 7)}),
    "remove the series '2025' from the chart on slide 6": lambda d: _data(d)
    == (["North", "South"], {"Second": (7, 8)}),
    "set the maximum of the value axis of the chart on slide 6 to 20": lambda d: shape(
        d, 6, "chart"
    ).value_axis.maximum_scale == 20,
    "show the gridlines of the chart on slide 6": lambda d: shape(
        d, 6, "chart"
    ).value_axis.has_major_gridlines,
    "remove the gridlines of the chart on slide 6": lambda d: not shape(
        d, 6, "chart"
    ).value_axis.has_major_gridlines,
    "show the values of the chart on slide 6 with one decimal": lambda d: shape(
        d, 6, "chart"
    ).value_axis.tick_labels.number_format == "0.0",
    "replace Agenda with Overview, but not in the title": lambda d: (
        titles(d)[0], lines(d, 1)[0]
    ) == ("Agenda", "Overview of today"),
}  # fmt: skip
"""What python-pptx finds afterwards, by the request."""
ELSEWHERE = frozenset({"set the diagram text 'Plan' to 'Prepare' on slide 5"})
"""Requests about what this deck does not have; ``test_diagrams`` has it."""


def carried_out(request: str, folder: Path) -> tuple[EditResult, Any]:
    """The result of a request on the furnished deck, and the edited deck in python-pptx."""
    deck, out = furnished(folder, request), folder / "out.pptx"
    out.unlink(missing_ok=True)
    done = edit_with_commands(deck, request, out=out, draw=False, files=folder)
    return done, Presentation(str(out)) if out.exists() else None


@pytest.mark.by_day(1)
@pytest.mark.parametrize("request_", HOLDS)
def test_every_example_does_what_it_says_and_nothing_else(request_: str, tmp_path: Path) -> None:
    done, deck = carried_out(request_, tmp_path)
    assert (done.outcome, done.undone) == ("done", ())
    assert done.changes.edits
    assert done.best is not None and done.best.verification is not None
    assert done.best.verification.passed
    assert HOLDS[request_](deck)


def test_every_phrase_has_an_example_that_is_tried() -> None:
    assert {form.phrase.example for form in forms()} == {*HOLDS, *ELSEWHERE}
    assert all(1 <= len(form.phrase.templates) <= 4 for form in forms())


def test_every_operation_can_be_asked_for() -> None:
    reading = {"geometry_of", "get_notes", "table_texts", "chart_data", "diagram_texts"}
    by_others = {
        "set_body", "set_chart_data", "crop_picture", "change_shape", "format_words", "join_texts",
        "make_title", "set_language",
    }  # fmt: skip
    asked = {form.operation.__name__ for form in forms()}
    names = {name for family in operation_names().values() for name in family}
    assert names - asked == reading | by_others


def test_the_documentation_lists_every_form() -> None:
    page = Path(__file__).parents[3] / "docs" / "edit-requests.md"
    assert forms_table() in page.read_text(encoding="utf-8")


@pytest.mark.by_day(6)
@pytest.mark.parametrize("request_", EXAMPLES)
def test_what_is_done_is_told_as_a_request_that_does_the_same(
    request_: str, tmp_path: Path
) -> None:
    facts = facts_of(OriginalDeck(furnished(tmp_path, request_)).elements)
    (operation,) = understand(request_, facts).operations
    again = understand(operation.words, facts)
    assert [one.words for one in again.operations] == [operation.words]


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("request_", "same"),
    [
        ("On slide 3, make the title red.", "make the title on slide 3 red"),
        ("please hide slide 3", "hide slide 3"),
        ("change the colour of the titles to dark blue", "set the color of all titles to #00008B"),
        ("make the title of the last slide red", "make the title on slide 6 #FF0000"),
        ("delete the last two slides", "delete slides 5-6"),
        ("hide all slides but the first", "hide all slides except 1"),
        ("hide every slide except slides 2-4 and 6", "hide all slides except 2-4, 6"),
        ("make the titles green, but not on slide 1", "make the titles green except 1"),
        ("hide odd slides", "hide slides 1, 3, 5"),
        ("hide slides 4 onwards", "hide slides 4, 5 and 6"),
        ("hide the slide 'Links'", "hide slide 5"),
        ("hide the Links slide", "hide slide 5"),
        ("delete all slides with pictures", "delete slide 4"),
        ("hide slides without notes", "hide slides 1, 2, 4-6"),
        ("set slide 2's title to 'Plan'", "set the title of slide 2 to 'Plan'"),
        ("set cell C2 of the table to '9'", "set row 2, column 3 of the table on slide 6 to '9'"),
        ("set row North, column '2025' to '9'", "set row 2, column 3 of the table to '9'"),
        ("the title of slide 2 should read 'Plan'", "set the title of slide 2 to 'Plan'"),
        ("underline the header row of the table", "make the table header underlined"),
        ("delete row 'North' of the table", "delete row 2 of the table"),
        ("slide 3: make the title red", "make the title on slide 3 red"),
        ("set slide 6's chart title to Sales", "set the title of the chart on slide 6 to 'Sales'"),
        ("in the table on slide 6, make row North bold", "make row 2 of the table bold"),
        ("delete the 2024 column", "delete column 2 of the table on slide 6"),
        ("set South's 2024 to 9", "set cell B3 of the table to '9'"),
        ("change the 2024 value of South from 4 to 9", "set cell B3 of the table to '9'"),
        ("turn the column chart into a line chart", "turn the chart on slide 6 into a line chart"),
        ("align Plan and Do top", "align 'Plan' and 'Do' top on slide 1"),
        (
            "give the picture on slide 4 a 2 pt red border",
            "add a 2 pt red border to the picture on slide 4",
        ),
    ],
)
def test_other_words_do_the_same(request_: str, same: str, tmp_path: Path) -> None:
    changes = []
    for place, words_ in enumerate((request_, same)):
        folder = tmp_path / str(place)
        folder.mkdir()
        done, _deck = carried_out(words_, folder)
        assert (done.outcome, done.undone) == ("done", ())
        changes.append([(c.slide, c.kind, c.property, c.new) for c in done.changes.edits])
    assert changes[0] == changes[1]
