"""Links and the words of a screen reader, on decks that python-pptx writes."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml.ns import qn
from pptx.util import Inches

import decklab
from decklab.seen.seen_slide import SlideLink, Spoken


@pytest.fixture
def deck() -> Any:
    deck = Presentation()
    for title in ("First", "Second"):
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = title
    return deck


def linked(slide: Any, words: str, *, url: str | None = None, action: str = "") -> Any:
    """A text box whose only run has a link, with an action of the file format if one is given."""
    box = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(4), Inches(1))
    box.text_frame.text = words
    run = box.text_frame.paragraphs[0].runs[0]
    run.hyperlink.address = url or "https://example.org/"
    click = run._r.rPr.find(qn("a:hlinkClick"))
    if action:
        click.set("action", action)
    if url is None:
        del click.attrib[qn("r:id")]
    return box


def links_of(deck: Any, folder: Path) -> tuple[SlideLink, ...]:
    deck.save(str(folder / "deck.pptx"))
    return decklab.see(folder / "deck.pptx").slides[0].links


FILE = "leads to a file that the deck does not hold"


@pytest.mark.parametrize(
    ("url", "action", "kind", "fault"),
    [
        ("https://example.org/report", "", "url", ""),
        ("mailto:kim@example.org", "", "url", ""),
        ("javascript:alert(1)", "", "url", "leads to an address of the kind javascript"),
        ("file:///etc/passwd", "", "url", "leads to an address of the kind file"),
        ("report", "", "url", FILE),
        (None, "", "none", "leads nowhere"),
        (None, "ppaction://noaction", "none", "leads nowhere"),
        (None, "ppaction://hlinkshowjump?jump=endshow", "jump", "ends the show"),
        (None, "ppaction://hlinkshowjump?jump=nextslide", "jump", ""),
        (None, "ppaction://hlinksldjump", "slide", "leads to a slide that is not there"),
        (None, "ppaction://macro?name=Run", "macro", "runs a macro"),
        ("calc.exe", "ppaction://program", "program", "starts a program"),
        ("other.pptx", "ppaction://hlinkpres?slideindex=2", "file",
         FILE),
        (None, "ppaction://customshow?id=7", "show", "leads to a custom show that is not there"),
        (None, "ppaction://whatever", "unknown", "has an action that no program knows"),
    ],
)  # fmt: skip
def test_a_link_says_where_it_leads_and_what_is_wrong(
    deck: Any, tmp_path: Path, *, url: str | None, action: str, kind: str, fault: str
) -> None:
    linked(deck.slides[0], "Read on", url=url, action=action)
    (link,) = links_of(deck, tmp_path)
    assert (link.text, link.on, link.kind, link.fault) == ("Read on", "click", kind, fault)


def test_a_shape_that_leads_to_a_slide_names_its_number(deck: Any, tmp_path: Path) -> None:
    box = deck.slides[0].shapes.add_textbox(0, 0, Inches(1), Inches(1))
    box.click_action.target_slide = deck.slides[1]
    (link,) = links_of(deck, tmp_path)
    assert (link.id, link.text, link.kind, link.target) == (box.shape_id, "", "slide", "2")
    assert link.fault == ""


def test_runs_of_one_link_are_one_and_hidden_shapes_have_none(deck: Any, tmp_path: Path) -> None:
    box = linked(deck.slides[0], "Read ", url="https://example.org/")
    more = box.text_frame.paragraphs[0].add_run()
    more.text, more.font.bold, more.hyperlink.address = "on", True, "https://example.org/"
    plain = box.text_frame.paragraphs[0].add_run()
    plain.text = " and more"
    hidden = linked(deck.slides[0], "Nobody", url="https://example.org/")
    hidden._element.nvSpPr.cNvPr.set("hidden", "1")
    assert [link.text for link in links_of(deck, tmp_path)] == ["Read on"]


def test_a_screen_reader_says_texts_cells_and_descriptions_in_drawing_order(
    deck: Any, tmp_path: Path
) -> None:
    slide = deck.slides[0]
    table = slide.shapes.add_table(2, 2, 0, 0, Inches(3), Inches(1))
    for cell, text in zip(table.table.iter_cells(), ("Town", "Ships", "Oxby", "12"), strict=True):
        cell.text = text
    image = tmp_path / "one.png"
    image.write_bytes(PNG)
    for alt in ("A crane lifts a box", ""):
        picture = slide.shapes.add_picture(str(image), 0, 0, Inches(1), Inches(1))
        picture._element.nvPicPr.cNvPr.set("descr", alt)
    slide.shapes.add_textbox(0, 0, Inches(1), Inches(1))  # empty: nothing to say
    slide.shapes.add_shape(1, 0, 0, Inches(1), Inches(1))
    deck.save(str(tmp_path / "deck.pptx"))
    seen = decklab.see(tmp_path / "deck.pptx").slides[0]
    assert [(item.kind, item.text) for item in seen.spoken] == [
        ("title", "First"),
        ("table", "Town, Ships; Oxby, 12"),
        ("picture", "A crane lifts a box"),
        ("picture", ""),
    ]
    assert seen.beside == (f"screen reader: no words for the picture {seen.spoken[-1].name}",)


def test_a_chart_that_draws_other_numbers_than_its_workbook_is_named(
    deck: Any, tmp_path: Path
) -> None:
    data: Any = CategoryChartData()
    data.categories = ["2024", "2025"]
    data.add_series("Ships", (12, 15))
    for _ in range(3):
        frame = deck.slides[0].shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, Inches(4), Inches(3), data)
    drawn = frame.chart._chartSpace.xpath(".//c:val//c:v")
    drawn[1].text = "99"
    other = deck.slides[0].shapes[-2].chart
    del other._chartSpace.xpath("./c:externalData")[0].attrib[qn("r:id")]
    deck.save(str(tmp_path / "deck.pptx"))
    seen = decklab.see(tmp_path / "deck.pptx").slides[0]
    assert [book.fault for book in seen.workbooks] == [
        "", "has no workbook", "B3 holds 15, the chart draws 99",
    ]  # fmt: skip
    assert f"chart data: {frame.name}: B3 holds 15, the chart draws 99" in seen.beside
    assert seen.workbooks[0].record()["state"] == "readable"


def test_an_empty_slide_has_no_links_and_says_nothing(tmp_path: Path) -> None:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(str(tmp_path / "deck.pptx"))
    (slide,) = decklab.see(tmp_path / "deck.pptx").slides
    assert (slide.links, slide.spoken, slide.beside) == ((), (), ())


def test_both_are_in_the_json(deck: Any, tmp_path: Path) -> None:
    linked(deck.slides[0], "Read on", action="ppaction://macro?name=Run")
    deck.save(str(tmp_path / "deck.pptx"))
    slide = decklab.see(tmp_path / "deck.pptx").as_json()["slides"][0]
    assert slide["links"][0]["fault"] == "runs a macro"
    assert slide["spoken"][0] == Spoken(2, "Title 1", "title", "First").record()


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763"
    "f8cfc000000301010018dd8db00000000049454e44ae426082"
)
