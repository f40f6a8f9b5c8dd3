import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from generate.writing import __file__ as writing
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE, PP_PLACEHOLDER
from pptx.oxml import parse_xml
from pptx.util import Pt
from tests.board.plans import every_layout, later_layouts, plan_of
from tests.board.templates.conftest import (
    SECRET,
    Change,
    made,
    narrow_picture_text,
    right_to_left,
    three_bodies,
    with_picture_place,
    without,
    without_titles,
)

import decklab
from decklab.board.blueprint import DeckPlan
from decklab.board.slots.writing import write_filled
from decklab.board.templates.filling import Filled, fill
from decklab.board.templates.reading import read_template
from decklab.core.errors import DeckError, PlanError
from decklab.writer.request import WriteOptions

HARBOUR = Path(writing).parent / "harbour.md"
CHART = {
    "kind": "column", "categories": ["North", "South"], "source": "Survey",
    "series": [{"name": "Wells", "values": [3, 5]}, {"name": "Pumps", "values": [2, 4]}],
}  # fmt: skip
COLUMNS = [
    {"points": [{"text": text}, {"text": f"More of {text}"}]} for text in ("One", "Two", "Three")
]


def filled(template: Path, *slides: dict[str, Any], language: str = "en") -> Filled:
    plan = plan_of({"title": "Deck", "language": language, "footer": "Deck", "slides": slides})
    return fill(plan, read_template(template))


def written(template: Path, out: Path, *slides: dict[str, Any], language: str = "en") -> Any:
    write_filled(filled(template, *slides, language=language), out)
    assert not [one for one in decklab.validate(out) if one.severity == "error"]
    return Presentation(str(out))


def shown_words(out: Path) -> str:
    """All words of a deck, without regard to case: of its slides and of their notes."""
    with zipfile.ZipFile(out) as archive:
        roots = [parse_xml(archive.read(name)) for name in archive.namelist()
                 if re.match(r"ppt/(slides|notesSlides)/[^/]+\.xml", name)]  # fmt: skip
    texts = ("".join(line.itertext()) for root in roots for line in root.iter("{*}p"))
    return "\n".join(texts).casefold()


def odd(tmp_path: Path, change: Change) -> Path:
    return made(tmp_path / "odd.pptx", change, slides=0)


def test_nothing_of_the_example_is_left_and_the_design_stays_whole(
    company: Path, tmp_path: Path
) -> None:
    out = tmp_path / "deck.pptx"
    text = {"layout": "body", "title": "Text", "body": [{"text": "A"}, {"text": "B"}]}
    deck = written(company, out, {"layout": "title", "title": "Ours"}, text)
    assert len(deck.slides) == 2
    with zipfile.ZipFile(company) as before, zipfile.ZipFile(out) as after:
        for name in after.namelist():
            assert SECRET.encode() not in after.read(name), name
        kept = [name for name in before.namelist() if "slideLayouts/s" in name or "/theme1" in name]
        assert kept and all(after.read(name) for name in kept)
        assert after.read("ppt/theme/theme1.xml") == before.read("ppt/theme/theme1.xml")
    names = [layout.name for layout in Presentation(str(company)).slide_layouts]
    assert [layout.name for layout in deck.slide_layouts] == names
    assert deck.core_properties.title == "Deck"


def test_text_stands_in_the_placeholders_that_are_for_it(company: Path, tmp_path: Path) -> None:
    points = [{"text": "Outer"}, {"text": "Inner", "level": 1}, {"text": "Other"}]
    deck = written(
        company, tmp_path / "deck.pptx",
        {"layout": "title", "title": "Opening", "subtitle": "Below", "byline": "By us"},
        {"layout": "body", "title": "Text", "body": points, "notes": "Said"},
    )  # fmt: skip
    opening, text = deck.slides
    assert opening.slide_layout.name == "Title Slide"
    kinds = {one.placeholder_format.type: one.text_frame.text for one in opening.placeholders}
    assert kinds[PP_PLACEHOLDER.CENTER_TITLE] == "Opening"
    assert kinds[PP_PLACEHOLDER.SUBTITLE] == "Below\nBy us"
    assert text.slide_layout.name == "Title and Content"
    body = text.placeholders[1].text_frame
    said = [(one.text, one.level) for one in body.paragraphs]
    assert said == [("Outer", 0), ("Inner", 1), ("Other", 0)]
    for paragraph in body._txBody.xpath(".//a:pPr"):  # bullets and margins are the template's
        assert not paragraph.xpath("./a:buNone") and "marL" not in paragraph.attrib
    assert text.notes_slide.notes_text_frame.text == "Said"
    run = body.paragraphs[0].runs[0]
    assert run._r.rPr.get("lang") == "en"
    assert run.font.color.type is None  # the colour is the template's
    footers = {one.placeholder_format.type: one.text_frame.text for one in text.placeholders}
    assert footers[PP_PLACEHOLDER.FOOTER] == "Deck"
    assert PP_PLACEHOLDER.SLIDE_NUMBER in footers


def test_marks_of_texts_are_runs_in_placeholders(company: Path, tmp_path: Path) -> None:
    marked = {"markdown": "a **b** ~~c~~ `d` [e](https://a.example) $x^2$"}
    slide = {
        "layout": "body",
        "title": "Text",
        "body": [
            {"text": marked},
            {"text": {"markdown": "*done*"}, "mark": "☑"},
            {"text": "f", "mark": ""},
        ],
    }
    (made,) = written(company, tmp_path / "deck.pptx", slide).slides
    first, second, third = made.placeholders[1].text_frame.paragraphs
    runs = {run.text: run for run in first.runs}
    assert runs["b"].font.bold and not runs["a "].font.bold
    assert runs["c"]._r.rPr.get("strike") == "sngStrike" and runs["d"].font.name == "Consolas"
    assert runs["e"].hyperlink.address == "https://a.example" and first.text.endswith("e x²")
    assert [(run.text, run.font.italic) for run in second.runs] == [("☑ ", None), ("done", True)]
    assert third._p.xpath("./a:pPr/a:buNone") and not first._p.xpath("./a:pPr/a:buNone")
    (told,) = filled(company, slide).unheld
    assert told.what == "the formulas"


def test_columns_in_odd_order_of_their_indexes_are_filled_by_place(tmp_path: Path) -> None:
    template = odd(tmp_path, three_bodies)
    slide = {"layout": "three_columns", "title": "Three", "columns": COLUMNS}
    deck = written(template, tmp_path / "deck.pptx", slide)
    assert deck.slides[0].slide_layout.name == "Custom 4"
    found = {one.placeholder_format.idx: one.text_frame.paragraphs[0].text
             for one in deck.slides[0].placeholders}  # fmt: skip
    assert (found[7], found[19], found[31]) == ("One", "Two", "Three")


def test_columns_of_a_language_written_from_right_to_left_begin_at_the_right(
    tmp_path: Path,
) -> None:
    template = odd(tmp_path, three_bodies)
    slide = {"layout": "three_columns", "title": "Three", "columns": COLUMNS}
    deck = written(template, tmp_path / "deck.pptx", slide, language="ar")
    found = {one.placeholder_format.idx: one for one in deck.slides[0].placeholders}
    assert found[31].text_frame.paragraphs[0].text == "One"
    properties = found[31].text_frame.paragraphs[0]._p.pPr
    assert properties.get("rtl") == "1" and properties.get("algn") == "r"


def test_a_template_written_from_right_to_left_takes_a_text_from_left_to_right(
    tmp_path: Path,
) -> None:
    template = odd(tmp_path, right_to_left)
    slide = {"layout": "body", "title": "Text", "body": [{"text": one} for one in "ABCD"]}
    deck = written(template, tmp_path / "deck.pptx", slide)
    properties = deck.slides[0].placeholders[1].text_frame.paragraphs[0]._p.pPr
    assert properties.get("rtl") == "0" and properties.get("algn") == "l"


@pytest.mark.long
def test_columns_without_a_layout_stay_columns_and_are_told(company: Path, tmp_path: Path) -> None:
    slide = {"layout": "three_columns", "title": "Three", "columns": COLUMNS}
    made_slides = filled(company, slide)
    assert [(one.slide, one.what) for one in made_slides.unheld] == [(1, "the columns")]
    assert "no layout for three columns" in str(made_slides.unheld[0])
    deck = written(company, tmp_path / "deck.pptx", slide)
    boxes = [one for one in deck.slides[0].shapes
             if not one.is_placeholder and one.has_text_frame and one.text_frame.text]  # fmt: skip
    assert [one.text_frame.paragraphs[0].text for one in boxes] == ["One", "Two", "Three"]
    lefts = [one.left for one in boxes]
    assert lefts == sorted(lefts) and len(set(lefts)) == 3


def test_a_chart_stands_in_the_placeholder_with_its_numbers_in_theme_colours(
    company: Path, tmp_path: Path
) -> None:
    deck = written(company, tmp_path / "deck.pptx",
                   {"layout": "chart", "title": "Chart", "chart": CHART},
                   {"layout": "chart_takeaways", "title": "Both", "chart": CHART,
                    "body": [{"text": "A"}, {"text": "B"}]})  # fmt: skip
    first, second = deck.slides
    frame = next(one for one in first.shapes if one.has_chart)
    assert frame.is_placeholder and frame.placeholder_format.idx == 1
    assert [list(one.values) for one in frame.chart.plots[0].series] == [[3, 5], [2, 4]]
    fill_color = frame.chart.plots[0].series[0].format.fill.fore_color
    assert "ACCENT_1" in str(fill_color.theme_color)
    assert second.slide_layout.name == "Two Content"
    chart = next(one for one in second.shapes if one.has_chart)
    text = next(one for one in second.placeholders if one.has_text_frame
                and one.text_frame.text == "A\nB")  # fmt: skip
    assert chart.is_placeholder and chart.left < text.left


def test_shades_of_the_accent_stay_apart_in_the_colours_of_a_template(
    company: Path, tmp_path: Path
) -> None:
    series = [{"name": str(at), "values": [1, 2]} for at in range(6)]
    chart = {**CHART, "kind": "stacked", "series": series}
    deck = written(company, tmp_path / "deck.pptx",
                   {"layout": "chart", "title": "Chart", "chart": chart})  # fmt: skip
    frame = next(one for one in deck.slides[0].shapes if one.has_chart)
    fills = [one._element.find("{*}spPr/{*}solidFill") for one in frame.chart.plots[0].series]
    assert (
        len({" ".join(f"{item.tag} {dict(item.attrib)}" for item in fill.iter()) for fill in fills})
        == 6
    )


def test_points_stand_beside_a_table_in_the_places_of_a_template(
    company: Path, tmp_path: Path
) -> None:
    table = {"header": ["Quarter", "Calls"], "rows": [["Q1", "1,210"], ["Q2", "1,340"]]}
    deck = written(company, tmp_path / "deck.pptx",
                   {"layout": "table", "title": "Both", "table": table,
                    "body": [{"text": "A"}, {"text": "B"}]})  # fmt: skip
    shapes = list(deck.slides[0].shapes)
    drawn = next(one for one in shapes if one.has_table)
    words = next(one for one in shapes if one.has_text_frame and one.text_frame.text == "A\nB")
    assert drawn.left + drawn.width <= words.left


def test_photographs_are_cropped_to_their_placeholder_and_figures_are_not(
    tmp_path: Path, pictures: Path
) -> None:
    from PIL import Image

    path = pictures / "wide.png"
    Image.new("RGB", (400, 100), "navy").save(path)
    template = odd(tmp_path, with_picture_place)
    common = {"layout": "picture_right", "title": "Seen", "body": [{"text": "A"}, {"text": "B"}]}
    deck = written(
        template, tmp_path / "deck.pptx",
        *({**common, "picture": {"path": str(path), "alt": "A pier", "kind": kind}}
          for kind in ("photograph", "figure")),
    )  # fmt: skip
    photograph, figure = (
        next(one for one in slide.shapes if one._element.tag.endswith("}pic"))
        for slide in deck.slides
    )
    place = next(one for one in deck.slides[0].slide_layout.placeholders
                 if one.placeholder_format.type == PP_PLACEHOLDER.PICTURE)  # fmt: skip
    assert photograph.is_placeholder and photograph.crop_left > 0.2
    assert abs(photograph.width - place.width) < Pt(1)
    assert figure.crop_left == 0
    assert figure.width / figure.height == pytest.approx(4, rel=0.01)
    assert figure._element.xpath(".//p:cNvPr")[0].get("descr") == "A pier"


def test_without_a_layout_for_it_a_picture_and_its_text_are_drawn_side_by_side(
    tmp_path: Path, pictures: Path
) -> None:
    from PIL import Image

    path = pictures / "square.png"
    Image.new("RGB", (100, 100), "navy").save(path)
    template = odd(tmp_path, without("Two Content", "Comparison", "Content with Caption"))
    slide = {"layout": "picture_right", "title": "Seen", "body": [{"text": "A"}, {"text": "B"}],
             "picture": {"path": str(path), "alt": "A pier"}}  # fmt: skip
    assert filled(template, slide).unheld[0].what == "the picture beside text"
    deck = written(template, tmp_path / "deck.pptx", slide)
    shapes = deck.slides[0].shapes
    text = next(one for one in shapes if one.has_text_frame and one.text_frame.text == "A\nB")
    picture = next(one for one in deck.slides[0].shapes if one._element.tag.endswith("}pic"))
    assert text.left + text.width <= picture.left


def test_text_beside_a_picture_has_a_box_of_its_own_if_no_layout_has_a_place_for_text(
    tmp_path: Path, pictures: Path
) -> None:
    from PIL import Image

    Image.new("RGB", (400, 100), "navy").save(pictures / "wide.png")
    names = [layout.name for layout in Presentation().slide_layouts]
    template = odd(tmp_path, without(*(name for name in names if name != "Title Only")))
    body = [{"text": "Wind"}, {"text": "Sea"}]
    slide = {"layout": "picture_right", "title": "Seen", "body": body,
             "picture": {"path": str(pictures / "wide.png"), "alt": "A pier"}}  # fmt: skip
    shapes = written(template, tmp_path / "deck.pptx", slide).slides[0].shapes
    [text] = [one for one in shapes if one.has_text_frame and one.text_frame.text == "Wind\nSea"]
    [picture] = [one for one in shapes if one._element.tag.endswith("}pic")]
    assert text.left + text.width <= picture.left  # side by side, both on the slide
    assert picture.left + picture.width <= Presentation(str(template)).slide_width


def test_a_template_without_titles_gets_titles_of_its_own_and_it_is_told(tmp_path: Path) -> None:
    template = odd(tmp_path, without_titles)
    slide = {"layout": "body", "title": "Text", "body": [{"text": "A"}, {"text": "B"}]}
    assert "the title" in {one.what for one in filled(template, slide).unheld}
    deck = written(template, tmp_path / "deck.pptx", slide)
    assert deck.slides[0].shapes.title.text_frame.text == "Text"
    words = "\n".join(one.text_frame.text for one in deck.slides[0].shapes if one.has_text_frame)
    assert "A" in words and "B" in words


def test_an_opening_without_a_layout_stands_in_the_middle(tmp_path: Path) -> None:
    names = [layout.name for layout in Presentation().slide_layouts]
    template = odd(tmp_path, without(*(name for name in names if name != "Title Only")))
    slide = {"layout": "title", "title": "Ours", "subtitle": "Below"}
    deck = written(template, tmp_path / "deck.pptx", slide)
    title, high = deck.slides[0].shapes.title, deck.slide_height
    assert 0.25 * high < title.top and title.top + title.height < 0.75 * high
    (below,) = [one for one in deck.slides[0].shapes
                if one.has_text_frame and one.text_frame.text == "Below"]  # fmt: skip
    assert below.top >= title.top + title.height


def drawn(sheet: Any, *box: float) -> Any:
    """A rectangle or rule that a layout or master draws; sides in points."""
    model = Presentation()
    slide = model.slides.add_slide(model.slide_layouts[6])
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *(Pt(side) for side in box))
    sheet._element.cSld.spTree.append(shape._element)
    return shape


def test_titles_and_menus_of_an_old_deck_leave_its_masters_and_names_stay(tmp_path: Path) -> None:
    def worded(deck: Any) -> None:
        words = [("Old headline", 40, 700), *((f"Old item {at}", 14, 120) for at in range(3)),
                 ("Company", 12, 90)]  # fmt: skip
        for at, (text, size, wide) in enumerate(words):
            shape = drawn(deck.slide_master, 10, 60 * at, wide, 40)
            shape.text_frame.text = text
            shape.text_frame.paragraphs[0].runs[0].font.size = Pt(size)

    text = {"layout": "body", "title": "Text", "body": [{"text": "A"}]}
    deck = written(odd(tmp_path, worded), tmp_path / "deck.pptx", text)
    kept = [shape.text_frame.text for shape in deck.slide_master.shapes if not shape.is_placeholder]
    assert kept == ["Company"]


def test_rules_of_a_cover_do_not_run_through_content_on_it(tmp_path: Path) -> None:
    def cover(deck: Any) -> None:
        without(*(one.name for one in deck.slide_layouts if one.name != "Title Slide"))(deck)
        drawn(deck.slide_layouts[0], 40, 400, 640, 2)

    slides: list[dict[str, Any]] = [{"layout": "title", "title": "Ours"},
              {"layout": "body", "title": "Text", "body": [{"text": "A"}]}]  # fmt: skip
    deck = written(odd(tmp_path, cover), tmp_path / "deck.pptx", *slides)
    shown = [slide._element.get("showMasterSp") for slide in deck.slides]
    assert shown == [None, "0"]


def test_a_title_of_two_lines_stays_above_a_rule(tmp_path: Path) -> None:
    def ruled(deck: Any) -> None:
        drawn(deck.slide_master, 30, 90, 660, 1)

    text = {"layout": "body", "title": "A title that goes on for two lines " * 3,
            "body": [{"text": "A"}]}  # fmt: skip
    deck = written(odd(tmp_path, ruled), tmp_path / "deck.pptx", text)
    title = deck.slides[0].shapes.title
    size = title.text_frame.paragraphs[0].runs[0].font.size.pt
    middle = (title.top + title.height / 2) / 12_700
    assert middle + size * 1.2 <= 92  # two lines about the middle of the title end at the rule


@pytest.mark.parametrize(("points", "drawn"), [("AB", True), ("ABC", True), ("ABCD", False)])
def test_two_or_three_points_that_leave_their_place_empty_become_cards(
    points: str, drawn: bool, tmp_path: Path
) -> None:
    text = {"layout": "body", "title": "Text", "body": [{"text": one} for one in points]}
    deck = written(odd(tmp_path, lambda _deck: None), tmp_path / "deck.pptx", text)
    held = [one for one in deck.slides[0].placeholders if one.placeholder_format.idx == 1]
    assert (not held) is drawn
    shown = {shape.text_frame.text for shape in deck.slides[0].shapes if shape.has_text_frame}
    assert set(points) <= set("\n".join(shown).split("\n"))


def test_layouts_made_for_smaller_pages_are_as_large_as_their_slides(tmp_path: Path) -> None:
    def enlarged(deck: Any) -> None:
        deck.slide_width, deck.slide_height = 2 * deck.slide_width, 2 * deck.slide_height

    text = {"layout": "body", "title": "Text", "body": [{"text": one} for one in "ABCD"]}
    deck = written(odd(tmp_path, enlarged), tmp_path / "deck.pptx", text)
    for shape in (deck.slides[0].shapes.title, deck.slides[0].placeholders[1]):
        assert shape.width > 0.8 * deck.slide_width
    run = deck.slides[0].placeholders[1].text_frame.paragraphs[0].runs[0]
    assert run.font.size.pt == pytest.approx(64, rel=0.05)  # twice the 32 pt of the layout


def test_text_on_small_slides_is_small_in_proportion(tmp_path: Path) -> None:
    def shrunk(deck: Any) -> None:
        deck.slide_width, deck.slide_height = deck.slide_width // 4, deck.slide_height // 4
        for layout in deck.slide_layouts:  # before the master, from which they take their places
            quarter(layout)
        quarter(deck.slide_master)

    def quarter(sheet: Any) -> None:
        for one in sheet.placeholders:
            sides = (one.left, one.top, one.width, one.height)
            one.left, one.top, one.width, one.height = (side // 4 for side in sides)

    points = [{"text": f"A point of quite a few words, number {at}"} for at in range(6)]
    deck = written(odd(tmp_path, shrunk), tmp_path / "deck.pptx",
                   {"layout": "body", "title": "Text", "body": points})  # fmt: skip
    assert len(deck.slides) == 1
    sizes = [run.font.size.pt for line in deck.slides[0].placeholders[1].text_frame.paragraphs
             for run in line.runs]  # fmt: skip
    assert min(sizes) >= 3 and max(sizes) < 12


def test_a_title_without_spaces_is_no_long_word(company: Path, tmp_path: Path) -> None:
    title = "港口的年度报告显示去年的货物吞吐量有所增长并且仓库费用明显下降"
    points = [{"text": "甲"}, {"text": "乙"}]
    deck = written(company, tmp_path / "deck.pptx",
                   {"layout": "body", "title": title, "body": points},
                   {"layout": "body", "title": "港口", "body": points}, language="zh")  # fmt: skip
    run = deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0]
    assert run.font.size.pt >= 24  # in one line of 634 pt its 31 characters would be set at 20


def test_a_potx_becomes_a_presentation(tmp_path: Path) -> None:
    template = made(tmp_path / "company.potx")
    out = tmp_path / "deck.pptx"
    written(template, out, {"layout": "section", "title": "Part"})
    with zipfile.ZipFile(out) as archive:
        types = archive.read("[Content_Types].xml").decode()
    assert "presentation.main+xml" in types and "template.main" not in types


@pytest.mark.long
def test_long_text_is_split_and_never_below_12_points(company: Path, tmp_path: Path) -> None:
    sentence = "Spare parts took forty-seven days on average to arrive in the far villages"
    body = [{"text": f"{sentence}, case {number}"} for number in range(40)]
    deck = written(company, tmp_path / "deck.pptx",
                   {"layout": "body", "title": "Cases", "body": body})  # fmt: skip
    assert len(deck.slides) > 1
    said = [line.text for slide in deck.slides
            for line in slide.placeholders[1].text_frame.paragraphs]  # fmt: skip
    assert said == [point["text"] for point in body]
    sizes = [run.font.size.pt for slide in deck.slides
             for line in slide.placeholders[1].text_frame.paragraphs
             for run in line.runs if run.font.size]  # fmt: skip
    assert min(sizes) >= 12


def test_a_chart_that_cannot_be_read_in_its_place_becomes_a_table_and_is_told(
    tmp_path: Path,
) -> None:
    """Its names and labels need more room than the narrow place has."""
    names = [f"A village with a rather long name, number {number}" for number in range(36)]
    series = [{"name": f"Series {at}", "values": list(range(36)), "unit": unit}
              for at, unit in enumerate(("wells", "pumps"))]  # fmt: skip
    chart = {"kind": "combination", "categories": names, "series": series, "source": "Survey"}
    template = odd(tmp_path, narrow_picture_text)
    slide = {"layout": "chart_takeaways", "title": "Both", "chart": chart,
             "body": [{"text": "A"}, {"text": "B"}]}  # fmt: skip
    other = {"layout": "body", "title": "Text", "body": [{"text": one} for one in "CDEF"]}
    made_slides = filled(template, slide, other)
    assert "the chart" in [one.what for one in made_slides.unheld if one.slide == 1]
    write_filled(made_slides, out := tmp_path / "deck.pptx")
    deck = Presentation(str(out))
    tables = [one.table for page in deck.slides for one in page.shapes if one.has_table]
    cells = {row.cells[0].text for table in tables for row in table.rows}
    assert set(names) <= cells
    assert deck.slides[len(deck.slides) - 1].placeholders[1].text_frame.text == "C\nD\nE\nF"


def test_what_no_slide_holds_stands_in_the_notes_and_ends_nothing(tmp_path: Path) -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitän" * 400
    slide = {"layout": "body", "title": "Text", "body": [{"text": word}, {"text": "B"}]}
    template = odd(tmp_path, lambda deck: None)
    made_slides = filled(template, slide, {"layout": "section", "title": "Part"})
    assert [(one.slide, one.what) for one in made_slides.unheld] == [(1, "the content")]
    write_filled(made_slides, tmp_path / "deck.pptx")
    deck = Presentation(str(tmp_path / "deck.pptx"))
    assert len(deck.slides) == 2
    assert deck.slides[0].shapes.title.text_frame.text == "Text"
    assert deck.slides[0].notes_slide.notes_text_frame.text == f"{word}\nB"


@pytest.mark.by_day(1)
@pytest.mark.parametrize("language", ["long", "arabic"])
@pytest.mark.parametrize("plan", [every_layout, later_layouts])
def test_every_layout_of_a_plan_is_held(
    plan: Callable[[str, Path], DeckPlan], language: str, company: Path, tmp_path: Path,
    pictures: Path,
) -> None:  # fmt: skip
    """All its words are on slides or in notes, whatever the template has a layout for."""
    wanted = plan(language, pictures)
    made_slides = fill(wanted, read_template(company))
    write_filled(made_slides, out := tmp_path / "deck.pptx")
    assert not [one for one in decklab.validate(out) if one.severity == "error"]
    write_filled(made_slides, again := tmp_path / "again.pptx")
    assert out.read_bytes() == again.read_bytes()
    said = shown_words(out)
    texts = [text for slide in wanted.slides for text in slide.texts[1:]]
    words = {word.casefold() for text in texts for word in re.findall(r"\w+", text)}
    assert not {word for word in words if word not in said}


def test_a_template_that_cannot_be_read_gives_one_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.pptx"
    path.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(DeckError) as caught:
        read_template(path)
    assert "broken.pptx" in str(caught.value) and "\n" not in str(caught.value)
    bare = Presentation()
    for layout in list(bare.slide_layouts):
        bare.slide_layouts.remove(layout)
    bare.save(str(tmp_path / "bare.pptx"))
    with pytest.raises(DeckError, match="no slide layout"):
        read_template(tmp_path / "bare.pptx")


@pytest.mark.parametrize(
    ("options", "said"),
    [({"formats": ("pptx", "html")}, "no HTML"), ({"theme": "dark"}, "not both")],
)
def test_what_does_not_go_with_a_template_is_refused(
    options: dict[str, Any], said: str, company: Path, tmp_path: Path
) -> None:
    with pytest.raises(PlanError, match=said):
        decklab.write([HARBOUR], tmp_path / "deck.pptx",
                      options=WriteOptions(template=str(company), **options))  # fmt: skip
    assert not (tmp_path / "deck.pptx").exists()


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    [
        "full_build-resume-website_slides.pptx",
        "test-data_slideshow_2411-Performance_Up.pptx",
        "test-data_slideshow_ca.ubc.cs.people_~emhill_presentations_HowWeRefactor.pptx",
    ],
)
def test_real_decks_as_templates_keep_their_design_and_none_of_their_words(
    name: str, shared: Path, tmp_path: Path
) -> None:
    template, out = shared / "decks/real" / name, tmp_path / "deck.pptx"
    done = decklab.write([HARBOUR], out, options=WriteOptions(template=str(template)))
    assert done.numbers and not done.unfounded
    assert not [one for one in decklab.validate(out) if one.severity == "error"]
    before, after = Presentation(str(template)), Presentation(str(out))
    for first, second in zip(before.slide_masters, after.slide_masters, strict=True):
        assert [one.name for one in first.slide_layouts] == [
            one.name for one in second.slide_layouts
        ]
    said = HARBOUR.read_text().casefold()
    theirs = {one.text_frame.text.strip() for slide in before.slides for one in slide.shapes
              if one.has_text_frame and len(one.text_frame.text.strip()) > 12}  # fmt: skip
    ours = "\n".join(one.text_frame.text for slide in after.slides for one in slide.shapes
                     if one.has_text_frame)  # fmt: skip
    assert theirs and not [text for text in theirs if text in ours and text.casefold() not in said]
    with zipfile.ZipFile(out) as archive:
        slides = [one for one in archive.namelist() if one.startswith("ppt/slides/slide")]
        notes = [one for one in archive.namelist() if one.startswith("ppt/notesSlides/n")]
        assert len(slides) == done.slides and len(notes) <= done.slides
        assert not [
            one for one in archive.namelist() if "comment" in one or "docProps/thumb" in one
        ]


def test_typed_numbers_become_the_numbering(company: Path, tmp_path: Path) -> None:
    points = [{"text": "1. Stop the pump"}, {"text": {"markdown": "2. **Drain** it"}}]
    slide = {"layout": "body", "title": "Text", "body": points}
    (made,) = written(company, tmp_path / "deck.pptx", slide).slides
    lines = made.placeholders[1].text_frame.paragraphs
    assert [line.text for line in lines] == ["Stop the pump", "Drain it"]
    assert all(line._p.xpath("./a:pPr/a:buAutoNum") for line in lines)
    assert [run.font.bold for run in lines[1].runs] == [True, None]


def test_numbers_that_are_marks_become_the_numbering(company: Path, tmp_path: Path) -> None:
    points = [{"text": "Flush the taps", "mark": "8."}, {"text": "Wait", "mark": "9."}]
    slide = {"layout": "body", "title": "Text", "body": points}
    (made,) = written(company, tmp_path / "deck.pptx", slide).slides
    lines = made.placeholders[1].text_frame.paragraphs
    assert [line.text for line in lines] == ["Flush the taps", "Wait"]
    numbering = [line._p.xpath("./a:pPr/a:buAutoNum") for line in lines]
    assert numbering[0][0].get("startAt") == "8" and all(numbering)


def test_what_is_drawn_on_a_picture_of_many_colours_has_an_even_area_behind_it(
    tmp_path: Path,
) -> None:
    from PIL import Image

    Image.effect_noise((90, 60), 100).save(tmp_path / "noise.png")

    def pictured(deck: Any) -> None:
        tree = deck.slide_master.shapes._spTree
        model = Presentation()
        page = model.slides.add_slide(model.slide_layouts[6])
        path = str(tmp_path / "noise.png")
        size = (deck.slide_width, deck.slide_height)
        _part, link = deck.slide_master.part.get_or_add_image_part(path)
        picture = page.shapes.add_picture(path, 0, 0, *size)._element
        picture.xpath(".//a:blip")[0].set(
            "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed", link
        )
        tree.insert(2, picture)

    table = {"header": ["Quarter", "Calls"], "rows": [["Q1", "1,210"], ["Q2", "1,340"]]}
    slide = {"layout": "cards", "title": "Cards", "cards": [{"label": "A"}, {"label": "B"}]}
    deck = written(odd(tmp_path, pictured), tmp_path / "deck.pptx", slide,
                   {"layout": "table", "title": "Both", "table": table})  # fmt: skip
    plates = [[one for one in page.shapes if one.name.startswith("Area")] for page in deck.slides]
    assert all(len(found) == 1 for found in plates)
