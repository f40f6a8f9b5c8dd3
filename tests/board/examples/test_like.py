"""Decks written in the design of an example, as python-pptx, a ZIP reader and openpyxl see them."""

import re
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook
from PIL import Image
from pptx import Presentation
from pptx.chart.data import XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Inches, Pt
from tests.board.examples.example_deck import FOOTER, company_deck, photograph, titled
from tests.slide_lists import FLAWS

from decklab.board.blueprint import DeckPlan, read_plan
from decklab.board.examples.deck import read_example_deck
from decklab.board.examples.reading import read_examples, representatives
from decklab.board.slots.writing import write_filled
from decklab.board.templates.filling import Filled, UsedPage, fill
from decklab.core.errors import DeckError
from decklab.deck.reading import read_elements
from decklab.linting.lint import lint
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate_deck


def planned(*slides: dict[str, Any], **deck: Any) -> DeckPlan:
    return read_plan({"title": "Harbour", "slides": list(slides), **deck})


class Made(NamedTuple):
    path: Path
    filled: Filled

    @property
    def facts(self) -> list[str]:
        return [str(fact) for fact in self.filled.unheld]

    @property
    def used(self) -> tuple[UsedPage, ...]:
        return self.filled.used


def write_like(plan: DeckPlan, example: Path, out: Path) -> Made:
    return Made(out, write_filled(fill(plan, read_example_deck(example)), out))


def cards(*labels: str, text: str | None = "A text below") -> dict[str, Any]:
    shown = [{"label": label, "text": text} if text else {"label": label} for label in labels]
    return {"layout": "cards", "title": "What we do", "cards": shown}


CHART: dict[str, Any] = {
    "layout": "chart", "title": "Ships rise", "chart": {
        "kind": "column", "categories": ["Q1", "Q2", "Q3"], "unit": "Ships", "source": "harbour.md",
        "series": [{"name": "Ships", "values": [210, 262, 301]}],
    },
}  # fmt: skip
TABLE: dict[str, Any] = {
    "layout": "table", "title": "Costs", "source": "harbour.md", "table": {
        "header": ["Item", "2024", "2025"],
        "rows": [["Staff", "11.9", "13.1"], ["Energy", "6.1", "4.8"], ["Repairs", "3.9", "2.7"]],
    },
}  # fmt: skip
BODY = {
    "layout": "body", "title": "Outlook", "notes": "“A quote” (harbour.md)",
    "body": [{"text": "A second crane in 2027"}, {"text": "and its rail link", "level": 1},
             {"text": "More cold storage"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return company_deck(tmp_path_factory.mktemp("company") / "company.pptx")


@pytest.fixture(scope="module")
def figure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("figure") / "figure.png"
    Image.new("RGB", (600, 200), "navy").save(path)
    return path


@pytest.fixture(scope="module")
def made(company: Path, figure: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Made, Any]:
    picture = {"path": str(figure), "alt": "A drawing of the quay"}
    plan = planned(
        {"layout": "title", "title": "The harbour in 2025", "subtitle": "Report"},
        {"layout": "section", "title": "Traffic", "section": "Traffic"},
        BODY, cards("Berths", "Cranes", "Rail"), CHART, TABLE,
        {"layout": "picture_full", "title": "The quay", "picture": picture},
        {"layout": "closing", "title": "Thanks"},
        sections=["Traffic"],
    )  # fmt: skip
    out = tmp_path_factory.mktemp("made") / "made.pptx"
    like = write_like(plan, company, out)
    return like, Presentation(str(out))


def texts(slide: Any) -> list[str]:
    return [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]


def everything(path: Path) -> str:
    """All that the parts of a package say, those of its workbooks too."""
    with ZipFile(path) as package:
        found = []
        for name in package.namelist():
            data = package.read(name)
            if name.endswith(".xlsx"):
                found += [str(value) for row in rows_of(data) for value in row]
            elif name.startswith(("ppt/slides", "ppt/notesSlides", "ppt/charts", "docProps")):
                found.append(data.decode("utf-8", "ignore"))
    return "\n".join(found)


def rows_of(workbook: bytes) -> Sequence[tuple[Any, ...]]:
    sheet: Any = load_workbook(BytesIO(workbook)).active
    return list(sheet.iter_rows(values_only=True))


def test_slides_are_sorted_by_their_roles_and_kinds(company: Path) -> None:
    with Package.open(company) as package:
        examples = read_examples(read_elements(package))
    assert [one.role for one in examples] == ["opening", "section", *["body"] * 7, "ending"]
    found = [(len(one.bodies), len(one.lists), [held.kind for held in one.objects])
             for one in examples[2:9]]  # fmt: skip
    assert found == [
        (1, 0, []), (1, 0, []), (1, 0, []), (0, 1, []), (0, 0, ["chart"]), (0, 0, ["table"]),
        (0, 0, ["picture"]),
    ]  # fmt: skip
    assert examples[5].lists[0].count == 3
    assert len(examples[5].lists[0].ids) == 9
    assert all(FOOTER in one.shapes.stays for one in examples)


def test_of_near_duplicates_the_cleanest_stands_for_all(company: Path) -> None:
    with Package.open(company) as package:
        numbers = {one.number for one in representatives(read_examples(read_elements(package)))}
    assert numbers & {3, 4, 5} == {3}


def test_each_slide_follows_the_example_of_its_kind(made: tuple[Made, Any]) -> None:
    like, _deck = made
    assert [one.example for one in like.used] == [1, 2, 3, 6, 7, 8, 9, 10]
    assert like.facts == []


def test_nothing_of_the_example_is_left_but_what_repeats(made: tuple[Made, Any]) -> None:
    like, deck = made
    said = everything(like.path)
    assert "zebra" not in said.casefold()
    assert like.filled.stays == (FOOTER,)
    assert all(FOOTER in texts(slide) for slide in deck.slides)
    with ZipFile(like.path) as package:
        names = package.namelist()
    assert sum(name.startswith("ppt/slides/slide") for name in names) == 8
    assert sum(name.startswith("ppt/charts/chart") for name in names) == 1
    assert not any("thumbnail" in name for name in names)
    assert validate_deck(like.path) == []


def test_titles_points_and_notes_are_those_of_the_plan(made: tuple[Made, Any]) -> None:
    deck = made[1]
    titles = [slide.shapes.title.text for slide in deck.slides]
    assert titles == [
        "The harbour in 2025", "Traffic", "Outlook", "What we do", "Ships rise", "Costs",
        "The quay", "Thanks",
    ]  # fmt: skip
    body = deck.slides[2].placeholders[1].text_frame
    assert [(item.text, item.level) for item in body.paragraphs] == [
        ("A second crane in 2027", 0), ("and its rail link", 1), ("More cold storage", 0)
    ]  # fmt: skip
    assert deck.slides[2].notes_slide.notes_text_frame.text == "“A quote” (harbour.md)"
    assert not deck.slides[1].has_notes_slide


def test_runs_look_as_the_first_of_their_level(made: tuple[Made, Any]) -> None:
    body = made[1].slides[2].placeholders[1].text_frame
    outer, inner, last = (paragraph.runs[0].font for paragraph in body.paragraphs)
    assert outer.bold and last.bold and inner.bold is None
    assert str(inner.color.rgb) == "116622"


def test_links_of_the_example_do_not_stay(made: tuple[Made, Any]) -> None:
    first = made[1].slides[0]
    links = [link.reltype for link in first.part.rels.values()]
    assert not any(kind.endswith("/hyperlink") for kind in links)
    assert "Report" in texts(first)


def test_a_chart_is_drawn_in_place_of_the_old_one_in_the_colours_of_the_deck(
    made: tuple[Made, Any],
) -> None:
    (frame,) = [shape for shape in made[1].slides[4].shapes if shape.has_chart]
    chart = frame.chart
    assert list(chart.plots[0].categories) == ["Q1", "Q2", "Q3"]
    assert list(chart.plots[0].series[0].values) == [210, 262, 301]
    fills = {item.get("val") for item in chart._chartSpace.iter() if item.tag.endswith("Clr")}
    assert fills and "AA2233" not in fills  # of the old chart alone
    rows = rows_of(chart.part.chart_workbook.xlsx_part.blob)
    assert rows == [(None, "Ships"), ("Q1", 210), ("Q2", 262), ("Q3", 301)]
    assert "301" in frame._element.nvGraphicFramePr.cNvPr.get("descr")


def test_a_table_gets_the_rows_and_columns_of_the_plan(made: tuple[Made, Any]) -> None:
    frame = next(shape for shape in made[1].slides[5].shapes if shape.has_table)
    shown = [[cell.text for cell in row.cells] for row in frame.table.rows]
    assert shown == [TABLE["table"]["header"], *TABLE["table"]["rows"]]
    assert sum(column.width for column in frame.table.columns) == pytest.approx(frame.width, abs=20)
    assert "harbour.md" in texts(made[1].slides[5])


def test_a_figure_stands_whole_in_the_place_of_the_picture(made: tuple[Made, Any]) -> None:
    pictures = [shape for shape in made[1].slides[6].shapes if shape.shape_type == 13]
    assert len(pictures) == 1
    picture = pictures[0]
    assert picture.width / picture.height == pytest.approx(3.0, rel=0.01)
    assert picture._element.nvPicPr.cNvPr.get("descr") == "A drawing of the quay"
    assert picture.left >= Inches(1) - 9 and picture.left + picture.width <= Inches(6) + 9
    assert picture.top >= Inches(2) - 9 and picture.top + picture.height <= Inches(6) + 9


@pytest.mark.parametrize("count", [2, 3, 4])
def test_cards_take_the_place_of_the_example_s_in_its_colours(
    count: int, company: Path, tmp_path: Path
) -> None:
    like = write_like(planned(cards(*"ABCD"[:count])), company, tmp_path / "cards.pptx")
    slide: Any = Presentation(str(like.path)).slides[0]
    assert like.used[0].example == 6
    assert len({shape.shape_id for shape in slide.shapes}) == len(slide.shapes)
    shown = " ".join(texts(slide))
    assert shown.count("A text below") == count and "zebra" not in shown.casefold()
    backs = [shape for shape in slide.shapes if shape.shape_type == 1
             and shape.width > Inches(1)]  # fmt: skip
    assert len(backs) == count and len({shape.width for shape in backs}) == 1
    corners = [(shape.left, shape.top) for shape in backs]
    for (left, top), (right, bottom) in combinations(sorted(corners), 2):
        assert right - left >= backs[0].width or abs(bottom - top) >= backs[0].height
    assert all(shape.left >= 0 and shape.left + shape.width <= Inches(10) for shape in backs)


@pytest.mark.long
def test_too_much_text_is_split_and_never_set_below_12_points(
    company: Path, tmp_path: Path
) -> None:
    points = [{"text": f"Point {number} " + "of quite a few words " * 8} for number in range(18)]
    plan = planned({"layout": "body", "title": "Much to say", "body": points})
    like = write_like(plan, company, tmp_path / "much.pptx")
    deck: Any = Presentation(str(like.path))
    assert len(deck.slides) > 1
    said = " ".join(text for slide in deck.slides for text in texts(slide))
    assert all(f"Point {number} of" in said for number in range(18))
    sizes = [
        run.font.size.pt for slide in deck.slides for shape in slide.shapes
        if shape.has_text_frame for item in shape.text_frame.paragraphs for run in item.runs
        if run.font.size
    ]  # fmt: skip
    assert all(size >= 12 for size in sizes)


def test_what_an_example_lacks_is_made_and_told(tmp_path: Path) -> None:
    prs: Any = Presentation()
    titled(prs, 0, "Old title")
    titled(prs, 1, "Old plan").placeholders[1].text_frame.text = "Old point"
    prs.save(str(tmp_path / "two.pptx"))
    like = write_like(planned(CHART), tmp_path / "two.pptx", tmp_path / "made.pptx")
    deck: Any = Presentation(str(like.path))
    assert any(shape.has_chart for shape in deck.slides[0].shapes)
    assert [str(fact) for fact in like.facts] == [
        "slide 1: the content: no slide of the example has a place for it; "
        "it stands free on slide 2 of the example"
    ]
    assert like.used[0].example == 2


@pytest.mark.parametrize("kind", ["column", "bar", "line"])
def test_a_chart_that_cannot_take_the_data_is_replaced_by_a_new_one(
    kind: str, tmp_path: Path
) -> None:
    prs: Any = Presentation()
    data: Any = XyChartData()
    data.add_series("Old points").add_data_point(1, 2)
    for number in range(2):
        slide = titled(prs, 5, f"Old points {number}")
        sides = Inches(1), Inches(2), Inches(8), Inches(4.5)
        slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, *sides, data)
    prs.save(str(tmp_path / "points.pptx"))
    plan = planned({**CHART, "chart": {**CHART["chart"], "kind": kind}})
    like = write_like(plan, tmp_path / "points.pptx", tmp_path / "made.pptx")
    deck: Any = Presentation(str(like.path))
    charts = [shape.chart for shape in deck.slides[0].shapes if shape.has_chart]
    assert [list(chart.plots[0].categories) for chart in charts] == [["Q1", "Q2", "Q3"]]
    # PowerPoint puts the first bar at the bottom, where nobody begins to read.
    assert charts[0].category_axis.reverse_order is (kind == "bar")
    assert "Old points" not in everything(like.path)


def test_a_chart_that_cannot_be_read_becomes_a_table_and_it_is_told(tmp_path: Path) -> None:
    prs: Any = Presentation()
    titled(prs, 1, "Old plan").placeholders[1].text_frame.text = "Old point"
    holder = prs.slides[0].placeholders[1]
    holder.left, holder.top, holder.width, holder.height = (Pt(at) for at in (60, 150, 310, 190))
    prs.save(str(tmp_path / "low.pptx"))
    names = [f"A harbour with a rather long name, number {number}" for number in range(36)]
    series = [{"name": unit, "values": list(range(36)), "unit": unit} for unit in ("t", "m")]
    chart = {"kind": "combination", "categories": names, "series": series, "source": "Log"}
    plan = planned({"layout": "chart", "title": "Too much", "chart": chart}, BODY)
    like = write_like(plan, tmp_path / "low.pptx", tmp_path / "made.pptx")
    deck: Any = Presentation(str(like.path))
    assert any("its numbers stand in a table" in fact for fact in like.facts)
    tables = [shape.table for slide in deck.slides for shape in slide.shapes if shape.has_table]
    cells = {row.cells[0].text for table in tables for row in table.rows}
    assert set(names) <= cells


@pytest.mark.parametrize(
    ("kind", "plots"),
    [("area", ["areaChart"]), ("stacked", ["barChart"]), ("share", ["barChart"]),
     ("scatter", ["scatterChart"]), ("combination", ["barChart", "lineChart"])],
)  # fmt: skip
def test_further_kinds_of_charts_take_the_place_and_colours_of_the_example(
    kind: str, plots: list[str], company: Path, tmp_path: Path
) -> None:
    second = {"name": "Cranes", "values": [3, 4, 5]}
    second |= {"unit": "cranes"} if kind in ("scatter", "combination") else {}
    series = [*CHART["chart"]["series"], second]
    plan = planned({**CHART, "chart": {**CHART["chart"], "kind": kind, "series": series}})
    like = write_like(plan, company, tmp_path / "made.pptx")
    deck: Any = Presentation(str(like.path))
    (frame,) = [shape for shape in deck.slides[0].shapes if shape.has_chart]
    space = frame.chart._chartSpace
    area = space.find(".//{*}plotArea")
    assert [item.tag.split("}")[1] for item in area if item.tag.endswith("Chart")] == plots
    read = {one.name: list(one.values) for plot in frame.chart.plots for one in plot.series}
    assert read["Cranes"] == [3, 4, 5]
    if kind == "stacked":
        first = frame.chart.plots[0].series[0].format.fill.fore_color.rgb
        assert str(first) == "116622"  # the accent of the deck
    sizes = [int(item.get("sz")) for item in space.iter() if item.get("sz")]
    assert sizes and min(sizes) >= 1200
    assert frame.left >= 0 and frame.left + frame.width <= deck.slide_width
    assert frame.top >= 0 and frame.top + frame.height <= deck.slide_height
    assert rows_of(frame.chart.part.chart_workbook.xlsx_part.blob)[0][1:] == ("Ships", "Cranes")
    assert not validate_deck(like.path)


def test_columns_of_six_series_are_drawn_like_another_deck(company: Path, tmp_path: Path) -> None:
    series = [{"name": str(at), "values": [1 + at, 2, 3]} for at in range(6)]
    plan = planned({**CHART, "chart": {**CHART["chart"], "series": series}})
    like = write_like(plan, company, tmp_path / "made.pptx")
    deck: Any = Presentation(str(like.path))
    (frame,) = [shape for shape in deck.slides[0].shapes if shape.has_chart]
    fills = [one._element.find("{*}spPr/{*}solidFill") for one in frame.chart.plots[0].series]
    assert len({tuple(str(item.attrib) for item in fill.iter()) for fill in fills}) == 6


def test_points_beside_a_table_and_a_change_are_kept_like_another_deck(
    company: Path, tmp_path: Path
) -> None:
    numbers = [{"value": "9.4 h", "label": "before"}, {"value": "6.1 h", "label": "after"}]
    plan = planned(
        {**TABLE, "body": [{"text": "Energy costs less"}, {"text": "Staff costs more"}]},
        {"layout": "big_numbers", "title": "Waits", "numbers": numbers, "change": "-35 %"},
    )
    like = write_like(plan, company, tmp_path / "made.pptx")
    said = everything(like.path)
    for words in ("Energy costs less", "Staff costs more", "Repairs", "9.4 h", "-35 %", "6.1 h"):
        assert words in said


@pytest.mark.office
def test_the_drawn_deck_has_no_error_that_lint_finds(made: tuple[Made, Any]) -> None:
    found = lint(made[0].path).findings
    assert [finding for finding in found if finding.severity == "error"] == []


def test_equal_input_gives_equal_bytes_and_the_example_is_not_changed(
    company: Path, tmp_path: Path
) -> None:
    before = sha256(company.read_bytes()).digest()
    first = write_like(planned(BODY), company, tmp_path / "a.pptx").path.read_bytes()
    second = write_like(planned(BODY), company, tmp_path / "b.pptx").path.read_bytes()
    assert first == second
    assert sha256(company.read_bytes()).digest() == before


@pytest.mark.parametrize("slides", ["none", "pictures", "blank"])
def test_a_poor_example_falls_back_to_the_layouts_of_its_deck(slides: str, tmp_path: Path) -> None:
    prs: Any = Presentation()
    for _ in range({"none": 0, "pictures": 2, "blank": 1}[slides]):
        slide = prs.slides.add_slide(prs.slide_layouts[6])
        if slides == "pictures":
            slide.shapes.add_picture(photograph(), 0, 0, prs.slide_width, prs.slide_height)
    prs.save(str(tmp_path / "poor.pptx"))
    like = write_like(planned(BODY), tmp_path / "poor.pptx", tmp_path / "made.pptx")
    assert [one.example for one in like.used] == [None]
    assert "layout" in str(like.facts[0])
    deck: Any = Presentation(str(like.path))
    assert len(deck.slides) == 1 and deck.slides[0].shapes.title.text == "Outlook"


def test_a_title_in_a_text_box_becomes_the_title_of_the_slide(tmp_path: Path) -> None:
    prs: Any = Presentation()
    for number in range(3):
        slide = prs.slides.add_slide(prs.slide_layouts[6])
        for text, top, size in (("Zebra plan", 0.5, 36), ("Zebra point\nand another", 2.0, 20)):
            box = slide.shapes.add_textbox(Inches(1), Inches(top), Inches(8), Inches(1))
            box.text_frame.text = f"{text} {number}"
            for paragraph in box.text_frame.paragraphs:
                paragraph.runs[0].font.size = Pt(size)
    prs.save(str(tmp_path / "boxes.pptx"))
    like = write_like(planned(BODY), tmp_path / "boxes.pptx", tmp_path / "made.pptx")
    [made_slide] = Presentation(str(like.path)).slides
    assert like.used[0].example is not None
    assert made_slide.shapes.title is not None and made_slide.shapes.title.text == "Outlook"


def test_a_place_for_text_grows_only_if_the_example_lets_it_grow(tmp_path: Path) -> None:
    prs: Any = Presentation()
    for fit in ("noAutofit", "normAutofit", "spAutoFit"):
        slide = titled(prs, 1, f"Zebra plan {fit}")
        body = slide.placeholders[1]
        body.left, body.top, body.width, body.height = (Inches(n) for n in (1, 2, 6, 1.5))
        body.text_frame.text = "Zebra point"
        [properties] = body._element.xpath(".//a:bodyPr")
        properties.append(parse_xml(f"<a:{fit} {nsdecls('a')}/>"))
    prs.save(str(tmp_path / "places.pptx"))
    with Package.open(tmp_path / "places.pptx") as package:
        examples = read_examples(read_elements(package))
    [fixed], [shrinks], [grows] = (one.bodies for one in examples)
    assert fixed.room == fixed.box and shrinks.room == shrinks.box
    assert grows.room.bottom > grows.box.bottom + 72  # an inch and more is free below it


def test_a_deck_without_any_title_gets_one_and_it_is_told(tmp_path: Path) -> None:
    prs: Any = Presentation()
    for layout in list(prs.slide_layouts):
        for holder in list(layout.placeholders):
            holder._element.getparent().remove(holder._element)
    prs.slides.add_slide(prs.slide_layouts[6])
    prs.save(str(tmp_path / "bare.pptx"))
    like = write_like(planned(BODY), tmp_path / "bare.pptx", tmp_path / "made.pptx")
    [slide] = Presentation(str(like.path)).slides
    assert slide.shapes.title.text == "Outlook" and "A second crane in 2027" in everything(
        like.path
    )
    assert any("has no title" in str(fact) for fact in like.facts)


def test_what_is_no_deck_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.pptx").write_text("no deck")
    with pytest.raises(DeckError, match=r"no\.pptx"):
        write_like(planned(BODY), tmp_path / "no.pptx", tmp_path / "made.pptx")


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize("name", ["long_slides_29", "full_intro-react_slides"])
def test_no_words_of_a_real_example_are_left(name: str, shared: Path, tmp_path: Path) -> None:
    source = shared / "decks" / "real" / f"{name}.pptx"
    plan = planned(
        {"layout": "title", "title": "The harbour"}, BODY, cards("Berths", "Cranes", "Rail"), CHART
    )
    like = write_like(plan, source, tmp_path / "made.pptx")
    old: Any = Presentation(str(source))
    runs = {
        " ".join(paragraph.text.split())
        for slide in old.slides for shape in slide.shapes if shape.has_text_frame
        for paragraph in shape.text_frame.paragraphs
    }  # fmt: skip
    said = " ".join(everything(like.path).split())
    assert [run for run in runs if len(run.split()) > 1 and run in said] == []
    assert validate_deck(like.path) == []
    assert any(one.example is not None for one in like.used)


@pytest.mark.parametrize(
    "kind",
    ["presentationml.slideshow", "presentationml.template", "ms-powerpoint.presentation.macro"],
)
def test_shows_templates_and_decks_with_macros_become_ordinary_decks(
    kind: str, company: Path, tmp_path: Path
) -> None:
    ordinary = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    stated = ordinary.replace("presentationml.presentation", kind)
    if "macro" in kind:
        stated = "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"
    with ZipFile(company) as old, ZipFile(tmp_path / "show.pptx", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "[Content_Types].xml":
                assert ordinary.encode() in data
                data = data.replace(ordinary.encode(), stated.encode())
            new.writestr(name, data)
    like = write_like(planned(BODY), tmp_path / "show.pptx", tmp_path / "made.pptx")
    with ZipFile(like.path) as made:
        assert ordinary.encode() in made.read("[Content_Types].xml")
    assert Presentation(str(like.path)).slides[0].shapes.title is not None


@pytest.mark.parametrize("family", ["Lucida Sans Unicode", "Monotype Corsiva"])
def test_a_font_with_code_in_its_name_is_no_font_for_code(family: str, tmp_path: Path) -> None:
    prs: Any = Presentation()
    slide = titled(prs, 1, "Old plan")
    slide.placeholders[1].text_frame.text = "Old point"
    slide.placeholders[1].text_frame.paragraphs[0].runs[0].font.name = family
    prs.save(str(tmp_path / "old.pptx"))
    like = write_like(planned(BODY), tmp_path / "old.pptx", tmp_path / "made.pptx")
    assert [one.example for one in like.used] == [1]


def test_a_text_whose_levels_begin_below_the_first_has_one_level(tmp_path: Path) -> None:
    prs: Any = Presentation()
    slide = titled(prs, 1, "Old plan")
    frame = slide.placeholders[1].text_frame
    frame.text = "Old point"
    frame.add_paragraph().text = "Another old point"
    for paragraph in frame.paragraphs:
        paragraph.level = 1
    prs.save(str(tmp_path / "old.pptx"))
    with Package.open(tmp_path / "old.pptx") as package:
        (example,) = read_examples(read_elements(package))
    (body,) = example.bodies
    assert len(body.levels) == 1


def test_an_example_written_from_right_to_left_is_turned_for_english(tmp_path: Path) -> None:
    prs: Any = Presentation()
    slide = titled(prs, 1, "Old plan")
    slide.placeholders[1].text_frame.text = "Old point"
    old = slide.placeholders[1].text_frame.paragraphs[0]._p.get_or_add_pPr()
    old.set("rtl", "1")
    old.set("algn", "r")
    prs.save(str(tmp_path / "old.pptx"))
    for language, stated in (("en", ("0", "l")), ("ar", ("1", "r"))):
        plan = planned(BODY, language=language)
        like = write_like(plan, tmp_path / "old.pptx", tmp_path / f"{language}.pptx")
        made: Any = Presentation(str(like.path))
        first = made.slides[0].placeholders[1].text_frame.paragraphs[0]._p.pPr
        assert (first.get("rtl"), first.get("algn")) == stated


def test_every_word_of_a_plan_is_on_a_slide_in_the_notes_or_told(
    company: Path, tmp_path: Path
) -> None:
    columns = [{"heading": "Pros", "points": [{"text": "Cheap berths"}]},
               {"heading": "Cons", "points": [{"text": "Noisy cranes"}]}]  # fmt: skip
    plan = planned(
        {"layout": "title", "title": "Harbours", "subtitle": "Yearly", "byline": "Board"},
        BODY, CHART, TABLE, cards("Berths", "Cranes", "Rail", "Sheds", "Roads"),
        {"layout": "comparison", "title": "Compared", "columns": columns},
        {"layout": "quote", "title": "Said", "quote": {"text": "Build it", "by": "Captain"}},
        {"layout": "timeline", "title": "Dates", "steps": [
            {"label": "1999", "text": "Founded"}, {"label": "2020", "text": "Doubled"}]},
        {"layout": "closing", "title": "Goodbye", "subtitle": "Questions"},
    )  # fmt: skip
    like = write_like(plan, company, tmp_path / "made.pptx")
    shown = everything(like.path) + " ".join(map(str, like.facts))
    table = [cell for row in (TABLE["table"]["header"], *TABLE["table"]["rows"]) for cell in row]
    wanted = [*(text for slide in plan.slides for text in slide.texts), "Captain", *table]
    wanted += [*CHART["chart"]["categories"], "210", "262", "301", "A quote"]
    words = {word for text in wanted for word in re.findall(r"\w+", text)}
    assert {word for word in words if word not in shown} == set()


def test_a_wide_panel_goes_with_the_words_that_it_held(tmp_path: Path) -> None:
    prs: Any = Presentation()
    slide = titled(prs, 1, "Old plan")
    slide.placeholders[1].text_frame.text = "Old point"
    slide.placeholders[1].height = Inches(3)
    panel = slide.shapes.add_shape(1, Inches(0.3), Inches(6), Inches(9.4), Inches(1))
    words = slide.shapes.add_textbox(Inches(1), Inches(6.3), Inches(2), Inches(0.5))
    words.text_frame.text = "Old call"
    prs.save(str(tmp_path / "old.pptx"))
    like = write_like(planned(BODY), tmp_path / "old.pptx", tmp_path / "made.pptx")
    [made] = Presentation(str(like.path)).slides
    assert [one.example for one in like.used] == [1]
    assert not {panel.name, words.name} & {shape.name for shape in made.shapes}


def test_text_is_set_smaller_than_a_title_that_had_to_shrink(tmp_path: Path) -> None:
    prs: Any = Presentation()
    slide = titled(prs, 1, "Old plan")
    title, body = slide.shapes.title, slide.placeholders[1]
    title.left, title.top, title.width, title.height = (Inches(n) for n in (0.5, 0.3, 9, 0.6))
    body.text_frame.text = "Old point"
    prs.save(str(tmp_path / "old.pptx"))
    long = {**BODY, "title": "Students can go on firing as long as twelve people are in the room"}
    like = write_like(planned(long), tmp_path / "old.pptx", tmp_path / "made.pptx")
    [made] = Presentation(str(like.path)).slides
    head, text = made.shapes.title.text_frame, made.placeholders[1].text_frame
    assert like.used[0].example == 1
    assert text.paragraphs[0].runs[0].font.size < head.paragraphs[0].runs[0].font.size


def test_words_of_a_chart_are_read_where_the_panel_of_a_text_went(tmp_path: Path) -> None:
    prs: Any = Presentation()
    slide = titled(prs, 1, "Old plan")
    panel = slide.placeholders[1]
    panel.text_frame.text = "Old point"
    panel.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(0xFF, 0xFF, 0xFF)
    panel.fill.solid()
    panel.fill.fore_color.rgb = RGBColor(0x00, 0x30, 0x70)
    prs.save(str(tmp_path / "old.pptx"))
    like = write_like(planned(CHART), tmp_path / "old.pptx", tmp_path / "made.pptx")
    made: Any = Presentation(str(like.path))
    shown = next(shape for shape in made.slides[0].shapes if shape.has_chart)
    assert [one.example for one in like.used] == [1]
    assert shown.chart.font.color.theme_color in (MSO_THEME_COLOR.TEXT_1, MSO_THEME_COLOR.TEXT_2)
    assert all(shape.name != panel.name for shape in made.slides[0].shapes)


@pytest.mark.parametrize(
    "name", ["no relationship", "a layout", "a slide that is not listed", "an id twice"]
)
def test_nothing_of_a_faulty_slide_list_is_taken_along(name: str, tmp_path: Path) -> None:
    example = FLAWS[name].write(tmp_path / "example.pptx")
    made = write_like(planned(BODY), example, tmp_path / "new.pptx")
    assert [slide.shapes.title.text for slide in Presentation(str(made.path)).slides] == ["Outlook"]
    assert [one for one in validate_deck(made.path) if one.rule.startswith(("list", "refer"))] == []
    with ZipFile(made.path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert not [one for one, data in parts.items() if b"decklab-" in data or b"<a:t>B<" in data]
