"""Shapes added to slides: what python-pptx reads back, and what decklab's diff sees."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from pptx.enum.shapes import MSO_SHAPE_TYPE

from decklab.editing.arranging import add_connector, group_shapes, set_geometry
from decklab.editing.chart_kinds import set_chart_type
from decklab.editing.charts import add_chart
from decklab.editing.finding import EditError
from decklab.editing.new_shapes import add_picture, add_shape, add_text_box
from decklab.editing.tables import add_table, merge_cells
from decklab.editing.texts import set_body, set_title

Edit = Callable[[Callable[[Any], object]], Any]
EMU_ACROSS, EMU_DOWN = 9144000 / 960, 6858000 / 540
"""EMU of a pixel of the frame on python-pptx's own 4:3 deck."""


def by_id(prs: Any, slide: int, id: int) -> Any:
    return next(shape for shape in prs.slides[slide - 1].shapes if shape.shape_id == id)


def box_of(shape: Any) -> tuple[int, ...]:
    sides = (shape.left / EMU_ACROSS, shape.top / EMU_DOWN,
             shape.width / EMU_ACROSS, shape.height / EMU_DOWN)  # fmt: skip
    return tuple(round(side) for side in sides)


def png(width: int, height: int) -> bytes:
    held = BytesIO()
    Image.new("RGB", (width, height), (10, 120, 30)).save(held, "PNG")
    return held.getvalue()


def test_a_text_box_and_a_shape_are_what_was_asked_for(edited: Edit) -> None:
    ids: list[int] = []

    def edit(prs: Any) -> None:
        ids.append(
            add_text_box(
                prs, 2, (60, 420, 400, 60), "One\nTwo", size=14, color="accent2", bold=True
            )
        )
        ids.append(
            add_shape(prs, 2, (500, 120, 240, 80), "rounded rectangle", text="Plan", line="red")
        )

    done = edited(edit)
    text, shape = (by_id(done.prs, 2, id) for id in ids)
    assert box_of(text) == (60, 420, 400, 60)
    assert text.text_frame.text == "One\nTwo"
    assert {run.font.size.pt for line in text.text_frame.paragraphs for run in line.runs} == {14}
    assert box_of(shape) == (500, 120, 240, 80)
    assert shape.auto_shape_type.name == "ROUNDED_RECTANGLE"
    assert shape.text_frame.text == "Plan"
    assert str(shape.line.color.rgb) == "FF0000"
    assert {one.slide for one in done.changes} == {2}


def test_a_connector_holds_on_to_the_sides_that_face_each_other(edited: Edit) -> None:
    ids: list[int] = []

    def edit(prs: Any) -> None:
        ids.append(add_shape(prs, 2, (100, 100, 100, 100)))
        ids.append(add_shape(prs, 2, (500, 100, 100, 100), "oval"))
        ids.append(add_connector(prs, 2, ids[0], ids[1], kind="elbow"))
        ids.append(add_connector(prs, 2, ids[1], (550, 400), arrow=False))

    prs = edited(edit).prs
    line, loose = by_id(prs, 2, ids[2]), by_id(prs, 2, ids[3])
    assert line.shape_type == MSO_SHAPE_TYPE.LINE
    ends = [line.begin_x / EMU_ACROSS, line.begin_y / EMU_DOWN, line.end_x / EMU_ACROSS]
    assert [round(value) for value in ends] == [200, 150, 500]
    glue = {item.tag.rpartition("}")[2]: (item.get("id"), item.get("idx"))
            for item in line._element.iter("{*}stCxn", "{*}endCxn")}  # fmt: skip
    assert glue == {"stCxn": (str(ids[0]), "3"), "endCxn": (str(ids[1]), "2")}
    assert [item.get("idx") for item in loose._element.iter("{*}stCxn", "{*}endCxn")] == ["4"]
    assert list(loose._element.iter("{*}tailEnd")) == []


def test_a_connector_follows_the_shape_it_holds_on_to(deck: Any) -> None:
    left = add_shape(deck, 2, (100, 100, 100, 100))
    right = add_shape(deck, 2, (500, 100, 100, 100), "oval")
    line = by_id(deck, 2, add_connector(deck, 2, left, right))
    set_geometry(deck, 2, right, x=20, y=400)
    ends = [line.begin_x / EMU_ACROSS, line.begin_y / EMU_DOWN,
            line.end_x / EMU_ACROSS, line.end_y / EMU_DOWN]  # fmt: skip
    assert [round(end) for end in ends] == [200, 150, 20, 450]
    group_shapes(deck, 2, [left, right], "Both")
    set_geometry(deck, 2, "Both", x=120)
    ends = [line.begin_x / EMU_ACROSS, line.end_x / EMU_ACROSS]
    assert [round(end) for end in ends] == [300, 120]


@pytest.mark.parametrize(
    ("fit", "box", "crops"),
    [
        ("inside", (200, 100, 400, 100), (0, 0)),
        ("fill", (200, 50, 400, 200), (0.25, 0)),
        ("stretch", (200, 50, 400, 200), (0, 0)),
    ],
)
def test_a_picture_takes_its_box_in_three_ways(
    fit: Any, box: tuple[int, ...], crops: tuple[float, float], edited: Edit
) -> None:
    ids: list[int] = []
    # 4:3 slides: a pixel is 9525 EMU across and 12700 down, so this picture is 4 to 1 in pixels
    data = png(400 * 3, 100 * 4)
    prs = edited(
        lambda prs: ids.append(add_picture(prs, 1, (200, 50, 400, 200), data, fit=fit, alt="A"))
    ).prs
    picture = by_id(prs, 1, ids[0])
    assert box_of(picture) == box
    assert (round(picture.crop_left, 3), round(picture.crop_top, 3)) == crops
    assert picture._element.nvPicPr.cNvPr.get("descr") == "A"
    assert picture.image.blob == data


def test_a_picture_of_the_deck_is_used_again(edited: Edit) -> None:
    prs = edited(lambda prs: add_picture(prs, 1, (0, 0, 90, 90), "picture 3")).prs
    blobs = {shape.image.sha1 for slide in prs.slides for shape in slide.shapes
             if shape.shape_type == MSO_SHAPE_TYPE.PICTURE}  # fmt: skip
    assert len(blobs) == 1
    media = [part for part in prs.part.package.iter_parts() if "media" in str(part.partname)]
    assert len(media) == 1


def test_a_table_has_its_texts_and_merges(edited: Edit) -> None:
    ids: list[int] = []

    def edit(prs: Any) -> None:
        ids.append(
            add_table(prs, 1, (60, 130, 840, 200), [["Region", "2025", "2026"], ["North", "3.5"]])
        )
        merge_cells(prs, 1, (1, 2), (1, 3), shape=ids[0])

    shape = by_id(edited(edit).prs, 1, ids[0])
    table = shape.table
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Region", "2025\n2026", ""],
        ["North", "3.5", ""],
    ]
    assert table.cell(0, 1).span_width == 2
    assert box_of(shape)[:3] == (60, 130, 840)


@pytest.mark.parametrize("kind", ["column", "stacked bar", "line", "pie", "radar", "area"])
def test_a_chart_has_its_numbers_in_its_workbook(kind: str, edited: Edit) -> None:
    ids: list[int] = []
    series = {"North": [3, None, 4.5]} | ({} if kind == "pie" else {"South": [1, 2, 3]})

    def edit(prs: Any) -> None:
        ids.append(
            add_chart(
                prs, 1, (60, 130, 840, 340), kind,
                categories=["Q1", "Q2", "Q3"], series=series, title="Sales",
            )
        )  # fmt: skip

    chart = by_id(edited(edit).prs, 1, ids[0]).chart
    assert list(chart.plots[0].categories) == ["Q1", "Q2", "Q3"]
    assert {one.name: list(one.values) for one in chart.plots[0].series} == series
    assert chart.chart_title.text_frame.text == "Sales"
    assert chart.has_legend
    assert chart.part.chart_workbook.xlsx_part is not None


def test_titles_of_axes_stay_when_a_chart_is_drawn_another_way(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        chart = next(shape.chart for shape in prs.slides[5].shapes if shape.has_chart)
        chart.category_axis.axis_title.text_frame.text = "Region"
        chart.value_axis.axis_title.text_frame.text = "Million"
        set_chart_type(prs, 6, "bar")
        set_chart_type(prs, 6, "line")

    chart = next(one.chart for one in edited(edit).prs.slides[5].shapes if one.has_chart)
    assert chart.category_axis.axis_title.text_frame.text == "Region"
    assert chart.value_axis.axis_title.text_frame.text == "Million"


def test_a_slide_gets_its_title_back(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        title = prs.slides[0].shapes.title._element
        title.getparent().remove(title)
        set_title(prs, 1, "Back again")
        set_title(prs, 2, "Another")

    prs = edited(edit).prs
    assert prs.slides[0].shapes.title.text_frame.text == "Back again"
    assert prs.slides[1].shapes.title.text_frame.text == "Another"


def test_a_body_has_its_lines_on_their_levels(edited: Edit) -> None:
    lines: list[str | tuple[int, str]] = [
        "Costs fell",
        (1, "by 8 %"),
        (2, "in the north"),
        "Prices stayed",
    ]
    prs = edited(lambda prs: set_body(prs, 2, lines)).prs
    paragraphs = prs.slides[1].placeholders[1].text_frame.paragraphs
    assert [(line.level, line.text) for line in paragraphs] == [
        (0, "Costs fell"), (1, "by 8 %"), (2, "in the north"), (0, "Prices stayed"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda prs: add_shape(prs, 1, (0, 0, 90, 90), "blob"), "no kind of shape"),
        (lambda prs: add_shape(prs, 1, (0, 0, 0, 90)), "too small"),
        (lambda prs: add_shape(prs, 1, (0, 0, float("nan"), 90)), "no box"),
        (lambda prs: add_shape(prs, 1, (0, 0, 90)), "no box"),  # type: ignore[arg-type]
        (lambda prs: add_shape(prs, 9, (0, 0, 90, 90)), "no slide 9"),
        (lambda prs: add_shape(prs, 1, (0, 0, 90, 90), fill="pinkish"), "no colour"),
        (lambda prs: add_picture(prs, 1, (0, 0, 9, 9), b"no picture"), "none of PNG"),
        (lambda prs: add_picture(prs, 1, (0, 0, 9, 9), "Logo"), "it has 'Picture 3'"),
        (lambda prs: add_connector(prs, 1, "Title 1", "Oval"), "no shape 'Oval'"),
        (lambda prs: add_connector(prs, 1, (0, 0), (9, 9), kind="wavy"), "no kind of connector"),
        (lambda prs: add_table(prs, 1, (0, 0, 90, 90), []), "one row"),
        (lambda prs: merge_cells(prs, 6, (1, 1), (9, 1)), "no cell 9, 1"),
        (lambda prs: merge_cells(prs, 6, (1, 1), (1, 1)), "name two"),
        (
            lambda prs: add_chart(
                prs, 1, (0, 0, 90, 90), "pie", categories=["a"], series={"b": [1], "c": [2]}
            ),
            "shows one series",
        ),
        (
            lambda prs: add_chart(prs, 1, (0, 0, 90, 90), "bar", categories=[], series={}),
            "one category",
        ),
        (lambda prs: set_body(prs, 1, [(9, "deep")]), "levels are 0 to 8"),
        (lambda prs: set_body(prs, 1, ["a\nb"]), "several lines"),
    ],
)
def test_what_cannot_be_added_is_said_and_nothing_changes(
    edit: Callable[[Any], object], said: str, deck: Any
) -> None:
    before = [len(list(slide.shapes)) for slide in deck.slides]
    with pytest.raises(EditError, match=said):
        edit(deck)
    assert [len(list(slide.shapes)) for slide in deck.slides] == before
