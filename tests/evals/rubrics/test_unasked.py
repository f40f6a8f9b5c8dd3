"""Changes that nobody asked for cost, wherever they are; what was asked for costs nothing."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches, Pt

from decklab.evals.rubrics.damage import HIDDEN, LOOK, WHOLE, WORDS, Unasked, unasked_changes
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.rubric import AllowedChanges

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
TITLE = {"slide": 1, "shapes": ["Title*"], "may": ["text:text", "style:font.bold"]}
Edit = Callable[[Any], None]


def picture(colour: tuple[int, int, int]) -> BytesIO:
    data = BytesIO()
    Image.new("RGB", (40, 30), colour).save(data, "PNG")
    data.seek(0)
    return data


def column_chart(slide: Any) -> Any:
    data = CategoryChartData()
    data.categories = ["A", "B"]
    data.add_series("km", (3.0, 5.0))
    place = Inches(1), Inches(4), Inches(4), Inches(2)
    return slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data).chart


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A title with a text, a picture and a chart; a table; an empty slide."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Topic"
    slide.placeholders[1].text = "What there is to say"
    slide.shapes.add_picture(picture((30, 90, 160)), Inches(6), Inches(4), Inches(2), Inches(2))
    column_chart(slide)
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Numbers"
    table = slide.shapes.add_table(5, 4, Inches(1), Inches(2), Inches(8), Inches(3)).table
    for row in range(5):
        for column in range(4):
            table.cell(row, column).text = f"{row}{column}"
    deck.slides.add_slide(deck.slide_layouts[6])
    path = tmp_path_factory.mktemp("unasked") / "before.pptx"
    deck.save(str(path))
    return path


@pytest.fixture
def unasked(deck: Path, tmp_path: Path) -> Callable[..., list[Unasked]]:
    def find(edit: Edit, *may_change: dict[str, Any]) -> list[Unasked]:
        edited = Presentation(str(deck))
        edit(edited)
        after = tmp_path / "after.pptx"
        edited.save(str(after))
        with ComparedDecks(deck, after) as decks:
            return list(unasked_changes(decks, AllowedChanges(may_change or (TITLE,))))

    return find


def retitled(deck: Any) -> Any:
    """The run of the new title, in bold."""
    run = deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0]
    run.text, run.font.bold = "Asked for", True
    return run


def body(deck: Any) -> Any:
    return deck.slides[0].shapes.title.text_frame._txBody.bodyPr


def strike(deck: Any) -> None:
    retitled(deck)._r.get_or_add_rPr().set("strike", "dblStrike")


def lower(deck: Any) -> None:
    retitled(deck)._r.get_or_add_rPr().set("baseline", "-250000")


def inset(deck: Any) -> None:
    retitled(deck)
    body(deck).set("tIns", "3000000")


def warp(deck: Any) -> None:
    retitled(deck)
    body(deck).append(parse_xml(f'<a:prstTxWarp xmlns:a="{A}" prst="textWave4"/>'))


def edge_on(deck: Any) -> None:
    retitled(deck)
    deck.slides[0].shapes.title._element.spPr.append(parse_xml(
        f'<a:scene3d xmlns:a="{A}"><a:camera prst="orthographicFront"><a:rot lat="0" '
        'lon="5400000" rev="0"/></a:camera><a:lightRig rig="flat" dir="t"/></a:scene3d>'
    ))  # fmt: skip


def dangerous(deck: Any) -> None:
    retitled(deck)
    deck.slides[0].shapes.title.click_action.hyperlink.address = "file:///c:/windows/cmd.exe"


def tiny_bullet(deck: Any) -> None:
    retitled(deck)
    properties = deck.slides[0].placeholders[1].text_frame.paragraphs[0]._p.get_or_add_pPr()
    properties.append(parse_xml(f'<a:buSzPct xmlns:a="{A}" val="25000"/>'))


def red_box_for_photo(deck: Any) -> None:
    retitled(deck)
    slide = deck.slides[0]
    photo = next(shape for shape in slide.shapes if shape.shape_type == 13)
    _, photo._element.blipFill.blip.rEmbed = slide.part.get_or_add_image_part(picture((255, 0, 0)))


def axis_without_bars(deck: Any) -> None:
    retitled(deck)
    chart = next(shape.chart for shape in deck.slides[0].shapes if shape.has_chart)
    chart.value_axis.minimum_scale, chart.value_axis.maximum_scale = 10_000, 20_000


@pytest.mark.parametrize(
    ("edit", "least"),
    [
        (strike, LOOK), (lower, LOOK), (inset, LOOK), (warp, LOOK), (edge_on, LOOK),
        (dangerous, LOOK), (tiny_bullet, LOOK), (red_box_for_photo, WORDS),
        (axis_without_bars, WORDS),
    ],
)  # fmt: skip
def test_what_was_done_to_an_allowed_shape_or_its_neighbours_costs(
    unasked: Callable[..., list[Unasked]], edit: Edit, least: float
) -> None:
    found = unasked(edit)
    assert {one.slide for one in found} == {1}
    assert sum(one.loss for one in found) >= least


def test_what_was_asked_for_costs_nothing(unasked: Callable[..., list[Unasked]]) -> None:
    assert unasked(retitled) == []


def test_every_cell_that_nobody_asked_for_counts(unasked: Callable[..., list[Unasked]]) -> None:
    def edit(deck: Any) -> None:
        table = next(shape.table for shape in deck.slides[1].shapes if shape.has_table)
        for row in range(1, 4):
            for column in range(3):
                table.cell(row, column).text_frame.paragraphs[0].runs[0].text = "999"
        table.cell(4, 3).text_frame.paragraphs[0].runs[0].text = "44"

    found = unasked(
        edit, {"slide": 2, "shapes": ["Table*"], "parts": ["row 5, column 4"],
               "may": ["table:cell text"]}
    )  # fmt: skip
    assert [one.loss for one in found] == [WORDS] * 9


def test_rows_that_went_and_came_lose_only_the_cells_that_say_something_else(
    tmp_path: Path,
) -> None:
    rows = [["Month", "Days", "People", "km"], ["April", "3", "28", "4.5"],
            ["May", "5", "38", "9.0"],
            ["June", "4", "33", "7.5"], ["September", "5", "41", "11.0"],
            ["October", "2", "18", "3.0"], ["Total", "19", "158", "35.0"]]  # fmt: skip
    sorted_rows = [rows[place] for place in (0, 4, 2, 3, 1, 5, 6)]
    sorted_rows[3] = ["June", "44", "33", "7.5"]
    paths = tmp_path / "before.pptx", tmp_path / "after.pptx"
    for path, texts in zip(paths, (rows, sorted_rows), strict=True):
        deck = Presentation()
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        place = Inches(1), Inches(1), Inches(8), Inches(4)
        table = slide.shapes.add_table(7, 4, *place).table
        for row, line in enumerate(texts):
            for column, text in enumerate(line):
                table.cell(row, column).text = text
        deck.save(str(path))
    allowed = AllowedChanges(({"slide": 1, "shapes": ["Table*"], "may": ["table:row moved"]},))
    with ComparedDecks(*paths) as decks:
        found = list(unasked_changes(decks, allowed))
    assert [one.loss for one in found] == [WORDS]


def test_shows_and_passwords_are_changes_of_the_deck(unasked: Callable[..., list[Unasked]]) -> None:
    def kiosk(deck: Any) -> None:
        retitled(deck)
        part = next(rel.target_part for rel in deck.part.rels.values()
                    if rel.reltype.endswith("/presProps"))  # fmt: skip
        root = etree.fromstring(part.blob)
        root.insert(0, etree.fromstring(f'<p:showPr xmlns:p="{P}" loop="1"><p:kiosk/></p:showPr>'))
        part._blob = etree.tostring(root)

    def password(deck: Any) -> None:
        retitled(deck)
        deck.part._element.append(parse_xml(
            f'<p:modifyVerifier xmlns:p="{P}" hashData="AA==" saltData="AA==" spinValue="1"/>'
        ))  # fmt: skip

    def numbered_from_99(deck: Any) -> None:
        retitled(deck)
        deck.part._element.set("firstSlideNum", "99")

    assert {one.loss for one in unasked(kiosk)} == {WHOLE}
    assert [one.loss for one in unasked(numbered_from_99)] == [WHOLE]
    assert [one.slide for one in unasked(password)] == [None]
    assert sum(one.loss for one in unasked(password)) > HIDDEN


def test_a_hidden_axis_inside_of_a_chart_that_was_asked_for_costs(
    unasked: Callable[..., list[Unasked]],
) -> None:
    asked = {"slide": 3, "new": 1}

    def plain(deck: Any) -> None:
        column_chart(deck.slides[2])

    def bare(deck: Any) -> None:
        chart = column_chart(deck.slides[2])
        chart.value_axis.visible = False
        chart.value_axis.minimum_scale = 10_000

    assert unasked(plain, asked) == []
    assert {one.words.partition(" ")[0] for one in unasked(bare, asked)} == {
        "c:delete", "c:min@val",
    }  # fmt: skip
    assert unasked(plain, TITLE)[0].kind == "new"


def test_a_link_inside_of_a_box_that_was_asked_for_costs(
    unasked: Callable[..., list[Unasked]],
) -> None:
    def box(deck: Any) -> Any:
        shape = deck.slides[2].shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
        shape.text_frame.text = "New"
        shape.text_frame.paragraphs[0].runs[0].font.size = Pt(20)
        return shape

    def with_program(deck: Any) -> None:
        named = box(deck)._element.xpath(".//p:cNvPr")[0]
        named.append(parse_xml(f'<a:hlinkClick xmlns:a="{A}" action="ppaction://program"/>'))

    assert unasked(box, {"slide": 3, "new": 1}) == []
    assert unasked(with_program, {"slide": 3, "new": 1}) != []


def test_a_new_workbook_costs_though_the_title_of_its_chart_may_change(
    unasked: Callable[..., list[Unasked]],
) -> None:
    asked = {"slide": 1, "shapes": ["Chart*"], "may": ["chart:title"]}

    def titled(deck: Any) -> Any:
        chart = next(shape.chart for shape in deck.slides[0].shapes if shape.has_chart)
        chart.has_title = True
        chart.chart_title.text_frame.text = "Kilometres"
        return chart

    def zeros(deck: Any) -> None:
        chart = titled(deck)
        data = CategoryChartData()
        data.categories = ["A", "B"]
        data.add_series("km", (0.0, 0.0))
        holder = Presentation()
        other = holder.slides.add_slide(holder.slide_layouts[6])
        made = other.shapes.add_chart(
            XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(1), Inches(1), data
        )
        workbook = made.chart.part.chart_workbook.xlsx_part
        chart.part.chart_workbook.xlsx_part._blob = workbook.blob

    assert unasked(titled, asked) == []
    (workbook,) = unasked(zeros, asked)
    assert workbook.kind == "chart" and workbook.loss == LOOK


def test_a_new_chart_with_other_numbers_in_its_workbook_costs(
    unasked: Callable[..., list[Unasked]],
) -> None:
    def zeros(deck: Any) -> None:
        chart = column_chart(deck.slides[2])
        book = chart.part.chart_workbook.xlsx_part
        made = BytesIO()
        with ZipFile(BytesIO(book.blob)) as old, ZipFile(made, "w") as new:
            for name in old.namelist():
                data = old.read(name).replace(b"<v>3</v>", b"<v>0</v>")
                new.writestr(name, data.replace(b"<v>3.0</v>", b"<v>0</v>"))
        book._blob = made.getvalue()

    def without(deck: Any) -> None:
        chart = column_chart(deck.slides[2])
        chart._chartSpace.remove(chart._chartSpace.find(f"{{{C}}}externalData"))

    asked = {"slide": 3, "new": 1}
    assert unasked(lambda deck: column_chart(deck.slides[2]), asked) == []
    (other,) = unasked(zeros, asked)
    assert "holds 0, the chart draws 3" in other.words and other.loss == LOOK
    assert any(one.words == "workbook is missing" for one in unasked(without, asked))


def test_an_added_slide_has_no_more_than_what_was_asked_for(
    unasked: Callable[..., list[Unasked]],
) -> None:
    def slide(deck: Any, boxes: int) -> None:
        made = deck.slides.add_slide(deck.slide_layouts[1])
        made.shapes.title.text = "New"
        for number in range(boxes):
            box = made.shapes.add_textbox(Inches(1), Inches(number + 1), Inches(3), Inches(1))
            box.text_frame.text = "More"

    asked = {"added": 4, "new": 2}
    assert unasked(lambda deck: slide(deck, 1), asked) == []  # the empty body does not count
    assert unasked(lambda deck: slide(deck, 5), {"added": 4}) == []
    (crowd,) = unasked(lambda deck: slide(deck, 3), asked)
    assert crowd.words == "2 more than asked for" and crowd.loss == 2 * LOOK


def test_an_added_slide_moves_only_where_that_was_asked_for(
    unasked: Callable[..., list[Unasked]],
) -> None:
    def slide(deck: Any) -> None:
        made = deck.slides.add_slide(deck.slide_layouts[5])
        made.shapes.title.text = "New"
        made._element.append(parse_xml(
            f'<p:transition xmlns:p="{P}" spd="slow"><p:fade/></p:transition>'
        ))  # fmt: skip

    assert unasked(slide, {"added": 4, "new": 1}) != []
    assert unasked(slide, {"added": 4, "new": 1, "may": ["transition:added"]}) == []


def test_a_placeholder_of_an_added_slide_is_filled_only_where_that_was_asked_for(
    unasked: Callable[..., list[Unasked]],
) -> None:
    def slide(deck: Any) -> None:
        made = deck.slides.add_slide(deck.slide_layouts[5])
        made.shapes.title.text = "New"
        made.shapes.title.fill.solid()
        made.shapes.title.fill.fore_color.rgb = RGBColor(255, 0, 0)

    (fill,) = unasked(slide, {"added": 4, "new": 1})
    assert fill.loss == LOOK and fill.words == "a fill of its own"
    assert unasked(slide, {"added": 4, "new": 1, "may": ["style:fill"]}) == []


LINKED = {"slide": 1, "shapes": ["Title*"], "may": ["text:text", "style:font.bold", "link:click"]}


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("action", "ppaction://hlinkshowjump?jump=endshow"), ("action", "ppaction://noaction"),
        ("action", "ppaction://macro?name=Go"), ("action", "ppaction://program"),
        ("tooltip", "Do not click"), ("invalidUrl", "x"),
    ],
)  # fmt: skip
def test_a_link_that_was_asked_for_does_nothing_but_lead_there(
    unasked: Callable[..., list[Unasked]], attribute: str, value: str
) -> None:
    def link(deck: Any) -> Any:
        run = retitled(deck)
        run.hyperlink.address = "https://example.org/asked"
        return run._r.rPr.find(f"{{{A}}}hlinkClick")

    assert unasked(link, LINKED) == []
    assert unasked(lambda deck: link(deck).set(attribute, value), LINKED) != []
    may = [*LINKED["may"], f"link:{attribute}"]  # type: ignore[misc]
    assert unasked(lambda deck: link(deck).set(attribute, value), {**LINKED, "may": may}) == []


def test_a_link_inside_of_a_new_box_costs_wherever_it_leads(
    unasked: Callable[..., list[Unasked]],
) -> None:
    def linked(deck: Any) -> None:
        shape = deck.slides[2].shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
        shape.text_frame.text = "New"
        shape.text_frame.paragraphs[0].runs[0].hyperlink.address = "https://example.org/other"

    (link,) = unasked(linked, {"slide": 3, "new": 1})
    assert link.words == "click https://example.org/other"


def new_box(deck: Any, **spoilt: Any) -> None:
    shape = deck.slides[2].shapes.add_shape(1, Inches(1), Inches(1), Inches(3), Inches(1))
    shape.text_frame.text = "New"
    properties = shape.text_frame.paragraphs[0]._p.get_or_add_pPr()
    shape.text_frame.paragraphs[0].runs[0].font.size = Pt(spoilt.get("points", 20))
    properties.set("marL", spoilt.get("indent", "342900"))
    shape.line.width = Pt(spoilt.get("outline", 2))
    shape._element.spPr.prstGeom.set("prst", spoilt.get("form", "rect"))


def new_chart(deck: Any, **spoilt: Any) -> None:
    axis = column_chart(deck.slides[2]).value_axis
    axis.tick_labels.number_format = spoilt.get("numbers", "0.0")
    labels = axis._element.find(f"{{{C}}}tickLblPos")
    labels.set("val", spoilt.get("labels", "low"))


@pytest.mark.parametrize(
    ("add", "spoilt"),
    [
        (new_box, {"points": 90}), (new_box, {"indent": "9000000"}), (new_box, {"outline": 99}),
        (new_box, {"form": "heart"}), (new_chart, {"numbers": ";;;"}),
        (new_chart, {"labels": "none"}),
    ],
)  # fmt: skip
def test_values_of_new_things_have_bounds(
    unasked: Callable[..., list[Unasked]], add: Callable[..., None], spoilt: dict[str, Any]
) -> None:
    asked = {"slide": 3, "new": 1}
    assert unasked(add, asked) == []
    assert [one.loss for one in unasked(lambda deck: add(deck, **spoilt), asked)] == [LOOK]


def test_a_transition_that_was_asked_for_takes_five_seconds_at_most(
    unasked: Callable[..., list[Unasked]],
) -> None:
    def fade(deck: Any, pace: str) -> None:
        deck.slides[2]._element.append(parse_xml(
            f'<p:transition xmlns:p="{P}" xmlns:p14="{P14}" p14:dur="{pace}"><p:fade/>'
            "</p:transition>"
        ))  # fmt: skip

    asked = {"slide": 3, "may": ["transition:added", "transition:effect"]}
    assert unasked(lambda deck: fade(deck, "700"), asked) == []
    assert [one.loss for one in unasked(lambda deck: fade(deck, "99000"), asked)] == [LOOK]
