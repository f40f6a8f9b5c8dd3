"""The rich deck: each feature that it is there to show."""

import colorsys
import io
import wave
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide


@pytest.fixture(scope="module")
def deck(sample_decks: dict[str, Path]) -> Deck:
    return Presentation(str(sample_decks["rich"]))


def _walk(shapes: list[Any]) -> list[Any]:
    found = []
    for shape in shapes:
        found.append(shape)
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            found += _walk(list(shape.shapes))
    return found


def _shapes(deck: Deck) -> list[Any]:
    return [s for slide in deck.slides for s in slide.shapes]


def _local(slide: Slide, name: str) -> list[etree._Element]:
    return slide.element.xpath(f".//*[local-name()='{name}']")


def test_fourteen_slides_use_nine_of_ten_layouts_of_one_master(deck: Deck) -> None:
    assert len(deck.slides) == 14
    assert len(deck.slide_masters) == 1
    assert len(deck.slide_layouts) == 10
    assert len({slide.slide_layout.name for slide in deck.slides}) == 9


def test_decoration_lives_on_master_and_layouts(deck: Deck) -> None:
    on_master = [s.name for s in deck.slide_masters[0].shapes if not s.is_placeholder]
    assert on_master == ["Edge band", "Title accent", "Footer rule", "Logo"]
    everywhere = {s.name for s in _shapes(deck)}
    assert everywhere.isdisjoint({*on_master, "Sun", "Near wave", "Ripple", "Takeaway panel"})


def test_every_slide_has_its_own_title(deck: Deck) -> None:
    titles = [slide.shapes.title.text_frame.text for slide in deck.slides]
    assert all(titles)
    assert len(set(titles)) == 14


def test_no_placeholder_is_left_empty(deck: Deck) -> None:
    empty = [s.name for s in _shapes(deck) if s.is_placeholder and s.has_text_frame
             and not s.text_frame.text]  # fmt: skip
    assert empty == []


def test_three_native_charts_draw_what_their_workbooks_hold(deck: Deck) -> None:
    frames = [s for s in _shapes(deck) if s.has_chart]
    kinds = [frame.chart.plots[0]._element.tag.rpartition("}")[2] for frame in frames]
    assert kinds == ["barChart", "lineChart", "doughnutChart"]
    for frame in frames:
        workbook = _sheet(frame.chart.part.chart_workbook.xlsx_part.blob)
        plot = frame.chart.plots[0]
        assert [workbook[f"A{n}"] for n in range(2, len(plot.categories) + 2)] == list(
            plot.categories
        )
        for column, series in zip("BCD", plot.series, strict=False):
            assert workbook[f"{column}1"] == series.name
            cells = [workbook[f"{column}{n}"] for n in range(2, len(series.values) + 2)]
            assert cells == list(series.values)


def _sheet(xlsx: bytes) -> dict[str, str | float]:
    """Cells of a workbook's only sheet, read from its XML."""
    with zipfile.ZipFile(io.BytesIO(xlsx)) as book:
        sheet = etree.fromstring(book.read("xl/worksheets/sheet1.xml"))
        strings = etree.fromstring(book.read("xl/sharedStrings.xml"))
    words = ["".join(map(str, item.itertext())) for item in strings]
    return {
        cell.get("r", ""): words[int(shown)] if cell.get("t") == "s" else float(shown)
        for cell in sheet.iter("{*}c")
        for shown in [str(cell[0].text)]
    }


def test_shares_of_the_doughnut_make_a_whole(deck: Deck) -> None:
    chart = next(s.chart for s in deck.slides[10].shapes if s.has_chart)
    assert sum(chart.plots[0].series[0].values) == pytest.approx(1)


def test_words_agree_with_the_numbers_drawn(deck: Deck) -> None:
    fuels = next(s.chart for s in deck.slides[3].shapes if s.has_chart).plots[0]
    heat = dict(zip(fuels.categories, fuels.series[0].values, strict=True))
    assert int(heat["Heating oil"] + heat["Natural gas"]) == 104
    assert round(sum(heat.values())) == 156
    lines = next(s.chart for s in deck.slides[4].shapes if s.has_chart).plots[0]
    without, with_network = (series.values for series in lines.series)
    assert without[-1] - with_network[-1] == pytest.approx(21.2)
    assert round(100 * (without[-1] - with_network[-1]) / without[-1]) == 64
    assert round(100 * (1 - with_network[-1] / with_network[0])) == 71


def test_icons_are_groups_of_freeforms_and_autoshapes(deck: Deck) -> None:
    everything = _walk(_shapes(deck))
    groups = [s for s in everything if s.shape_type == MSO_SHAPE_TYPE.GROUP]
    freeforms = [s for s in everything if s.shape_type == MSO_SHAPE_TYPE.FREEFORM]
    assert len(groups) >= 15
    assert len(freeforms) >= 15
    assert all(len(list(group.shapes)) >= 2 for group in groups)


def test_the_flow_is_tied_together_by_glued_connectors(deck: Deck) -> None:
    slide = deck.slides[6]
    boxes = [s.shape_id for s in slide.shapes if s.name.endswith(" box") and s.has_text_frame]
    glued = [
        (int(s.element.xpath(".//a:stCxn/@id")[0]), int(s.element.xpath(".//a:endCxn/@id")[0]))
        for s in slide.shapes
        if s.element.tag.endswith("cxnSp")
    ]
    assert glued == list(pairwise(boxes))
    assert len(glued) == 4


def test_connectors_end_where_their_boxes_do(deck: Deck) -> None:
    slide = deck.slides[6]
    by_id = {s.shape_id: s for s in slide.shapes}
    connectors = [s for s in slide.shapes if s.element.tag.endswith("cxnSp")]
    for line in connectors:
        start = by_id[int(line.element.xpath(".//a:stCxn/@id")[0])]
        end = by_id[int(line.element.xpath(".//a:endCxn/@id")[0])]
        assert (line.begin_x, line.end_x) == (start.left + start.width, end.left)
        assert line.begin_y == line.end_y == start.top + start.height // 2


def test_pictures_charts_tables_and_diagrams_are_described(deck: Deck) -> None:
    for shape in _walk(_shapes(deck)):
        if shape.element.tag.rpartition("}")[2] in ("pic", "graphicFrame"):
            (text,) = shape.element.xpath("(.//p:cNvPr)[1]/@descr")
            assert len(text) > 20, shape.name


def test_every_slide_has_notes(deck: Deck) -> None:
    assert all(slide.has_notes_slide for slide in deck.slides)
    assert min(len(slide.notes_slide.notes_text_frame.text) for slide in deck.slides) > 20


def test_the_smartart_holds_its_phases_in_model_and_drawing(sample_decks: dict[str, Path]) -> None:
    with zipfile.ZipFile(sample_decks["rich"]) as archive:
        names = sorted(n for n in archive.namelist() if n.startswith("ppt/diagrams/"))
        data, drawing = (
            etree.fromstring(archive.read(f"ppt/diagrams/{stem}1.xml"))
            for stem in ("data", "drawing")
        )
    assert [Path(n).stem for n in names] == [
        "colors1",
        "data1",
        "drawing1",
        "layout1",
        "quickStyle1",
    ]
    words = [t.text for t in data.iter("{*}t") if t.text]
    assert words == [t.text for t in drawing.iter("{*}t") if t.text]
    assert words[0] == "2026 Design"
    points = {p.get("modelId") for p in data.iter("{*}pt")}
    for link in data.iter("{*}cxn"):
        ends = {link.get(k) for k in ("srcId", "destId", "parTransId", "sibTransId") if link.get(k)}
        assert ends <= points


def test_every_slide_comes_in_by_a_transition(deck: Deck) -> None:
    kinds = [
        {etree.QName(e).localname for t in _local(slide, "transition") for e in t}
        for slide in deck.slides
    ]
    assert all(kinds)
    assert kinds[7] == {"morph", "fade"}
    assert set().union(*kinds) == {"fade", "push", "morph"}


def test_the_morph_finds_its_shape_on_both_slides(deck: Deck) -> None:
    for slide in (deck.slides[6], deck.slides[7]):
        assert [s.name for s in slide.shapes].count("!!Heat pump") == 1


def test_steps_of_the_flow_enter_from_left_to_right(deck: Deck) -> None:
    slide = deck.slides[6]
    by_id = {str(s.shape_id): s for s in slide.shapes}
    order = list(dict.fromkeys(e.get("spid") for e in _local(slide, "spTgt")))
    middles = [by_id[id].left + by_id[id].width / 2 for id in order if id in by_id]
    assert len(middles) == 14
    assert all(b >= a - 1 for a, b in pairwise(middles))


def test_most_slides_with_content_build_up(deck: Deck) -> None:
    animated = [n for n, slide in enumerate(deck.slides, start=1) if _local(slide, "timing")]
    assert animated == [2, 4, 5, 7, 8, 9, 10, 11, 12, 13]


def test_the_sound_is_embedded_and_plays(deck: Deck) -> None:
    slide = deck.slides[9]
    parts = {
        r.reltype.rpartition("/")[2]: r.target_part
        for r in slide.part.rels.values()
        if r.reltype.endswith(("/audio", "/media"))
    }
    assert parts["audio"] is parts["media"]
    with wave.open(io.BytesIO(parts["audio"].blob)) as sound:
        assert sound.getnframes() / sound.getframerate() == 3
        frames = sound.readframes(sound.getnframes())
    assert max(frames[1::2]) > 0
    (player,) = (s for s in slide.shapes if s.name == "Pump hall sound")
    assert player.element.xpath(".//a:audioFile/@r:link")
    assert {e.get("spid") for e in _local(slide, "spTgt")} == {str(player.shape_id)}


def test_sections_hold_every_slide_once_in_order(deck: Deck) -> None:
    sections = deck.part._element.xpath(".//*[local-name()='section']")
    assert [s.get("name") for s in sections][:2] == ["Opening", "Why now"]
    listed = deck.part._element.xpath(
        ".//*[local-name()='sectionLst']//*[local-name()='sldId']/@id"
    )
    assert [int(id) for id in listed] == [slide.slide_id for slide in deck.slides]


def test_only_the_backup_is_hidden_and_a_button_leads_to_it(deck: Deck) -> None:
    assert [slide.element.get("show") for slide in deck.slides] == [None] * 13 + ["0"]
    (button,) = (s for s in deck.slides[12].shapes if s.name == "Assumptions button")
    assert button.click_action.target_slide.slide_id == deck.slides[13].slide_id


def test_the_only_thing_outside_is_a_web_link(deck: Deck) -> None:
    links = [r.target_ref for s in deck.slides for r in s.part.rels.values() if r.is_external]
    assert links == ["https://nordholm.example.org/heat/cost-study"]


def test_all_theme_hues_keep_to_one_harmonic_template(sample_decks: dict[str, Path]) -> None:
    with zipfile.ZipFile(sample_decks["rich"]) as archive:
        theme = etree.fromstring(archive.read("ppt/theme/theme1.xml"))
    hues = []
    for element in theme.iter("{*}srgbClr"):
        red, green, blue = bytes.fromhex(element.get("val", ""))
        hue, saturation, _ = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
        if saturation > 0.05:
            hues.append(hue * 360)
    # Template Y of Cohen-Or et al. 2006: a sector of 93.6 degrees and one of 18 opposite to it.
    offsets = [(hue - 195 + 180) % 360 - 180 for hue in hues]
    assert len(offsets) == 11
    assert all(abs(off) <= 46.8 or abs(abs(off) - 180) <= 9 for off in offsets)


def test_all_shapes_lie_on_the_slide(deck: Deck) -> None:
    for shape in _walk(_shapes(deck)):
        assert shape.left >= 0 and shape.top >= 0, shape.name
        assert shape.left + shape.width <= deck.slide_width, shape.name
        assert shape.top + shape.height <= deck.slide_height, shape.name


def test_all_text_wraps_and_shrinks_rather_than_overflow(deck: Deck) -> None:
    for shape in _walk(_shapes(deck)):
        if shape.has_text_frame and not shape.is_placeholder and shape.text_frame.text:
            body = shape.element.xpath(".//a:bodyPr")[0]
            assert body.get("wrap") == "square", shape.name
            assert body.xpath("./a:normAutofit"), shape.name
