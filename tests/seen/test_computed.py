"""What is seen of decks that python-pptx writes, as computed: one way of hiding after the other."""

import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_MARKER_STYLE
from pptx.oxml import parse_xml
from pptx.util import Emu, Pt

from decklab.deck.deck import write_samples
from decklab.deck.model.shapes import Rect, Solid
from decklab.deck.model.slide import SlideElements
from decklab.seen.computed import seen_slide
from decklab.seen.reader import SeenDeck, see

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
WORDS = "Harbour traffic doubled"
Way = Callable[[Any, Any], None]
"""Hides a text on a slide."""


def say(slide: Any, text: str = WORDS) -> Any:
    box = slide.shapes.add_textbox(Emu(1_000_000), Emu(1_000_000), Emu(5_000_000), Emu(800_000))
    box.text_frame.text = text
    font_of(box).size = Pt(24)
    return box


def font_of(box: Any) -> Any:
    return box.text_frame.paragraphs[0].runs[0].font


def ink(color: str) -> Way:
    def paint(_slide: Any, box: Any) -> None:
        font_of(box).size = Pt(14)
        font_of(box).color.rgb = RGBColor.from_string(color)

    return paint


def sized(points: float) -> Way:
    return lambda _slide, box: setattr(font_of(box), "size", Pt(points))


def raised(points: float) -> Way:
    def raise_text(_slide: Any, box: Any) -> None:
        font_of(box).size = Pt(points)
        font_of(box)._element.set("baseline", "30000")

    return raise_text


def clear(_slide: Any, box: Any) -> None:
    fill = '<a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr>'
    font_of(box)._element.insert(0, parse_xml(f'<a:solidFill xmlns:a="{A}">{fill}</a:solidFill>'))


def no_fill(_slide: Any, box: Any) -> None:
    font_of(box)._element.insert(0, parse_xml(f'<a:noFill xmlns:a="{A}"/>'))


def scaled_down(_slide: Any, box: Any) -> None:
    body = box._element.find(f".//{{{A}}}bodyPr")
    for fit in list(body):
        body.remove(fit)
    body.append(parse_xml(f'<a:normAutofit xmlns:a="{A}" fontScale="1000"/>'))


def off(_slide: Any, box: Any) -> None:
    box.left = Emu(13_000_000)


def speck(_slide: Any, box: Any) -> None:
    box.width = box.height = Emu(0)


def hidden(_slide: Any, box: Any) -> None:
    box._element.xpath(".//p:cNvPr")[0].set("hidden", "1")


def picture(mode: str, color: Any) -> Way:
    def lay(slide: Any, _box: Any) -> None:
        data = io.BytesIO()
        Image.new(mode, (40, 30), color).save(data, "PNG")
        data.seek(0)
        slide.shapes.add_picture(data, 0, 0, Emu(12_192_000), Emu(6_858_000))

    return lay


def large(color: str) -> Way:
    def paint(slide: Any, box: Any) -> None:
        ink(color)(slide, box)
        font_of(box).size = Pt(20)

    return paint


def on(ground: str, color: str, points: float = 14) -> Way:
    def lay(slide: Any, box: Any) -> None:
        box.fill.solid()
        box.fill.fore_color.rgb = RGBColor.from_string(ground)
        ink(color)(slide, box)
        font_of(box).size = Pt(points)

    return lay


def on_picture(color: Any) -> Way:
    def lay(slide: Any, box: Any) -> None:
        picture("RGB", color)(slide, box)
        slide.shapes._spTree.append(box._element)
        ink("FFFFFF")(slide, box)

    return lay


def on_chart(slide: Any, box: Any) -> None:
    data = CategoryChartData()
    data.categories = [" "]
    data.add_series(" ", (1,))
    size = 0, 0, Emu(12_192_000), Emu(6_858_000)
    frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *size, data)
    frame.chart.has_title = frame.chart.has_legend = False
    for axis in (frame.chart.value_axis, frame.chart.category_axis):
        axis.visible = False
    slide.shapes._spTree.append(box._element)
    ink("FFFFFF")(slide, box)


def narrow(_slide: Any, box: Any) -> None:
    box.text_frame.word_wrap = True
    box.width = Emu(254_000)  # 20 pt, of which the margins leave 5.6


def plate(count: int = 1, alpha: int = 100_000) -> Way:
    def lay(slide: Any, _box: Any) -> None:
        for _ in range(count):
            area = slide.shapes.add_shape(1, 0, 0, Emu(12_192_000), Emu(6_858_000))
            area.fill.solid()
            area.fill.fore_color.rgb = RGBColor(240, 240, 240)
            color = area._element.find(f".//{{{A}}}srgbClr")
            color.append(parse_xml(f'<a:alpha xmlns:a="{A}" val="{alpha}"/>'))

    return lay


def symbols(_slide: Any, box: Any) -> None:
    font_of(box).name = "Wingdings"


def spaced(hundredths: int) -> Way:
    return lambda _slide, box: font_of(box)._element.set("spc", str(hundredths))


def turned(degrees: int) -> Way:
    return lambda _slide, box: setattr(box, "rotation", degrees)


def edge_on(_slide: Any, box: Any) -> None:
    scene = (
        f'<a:scene3d xmlns:a="{A}"><a:camera prst="orthographicFront">'
        '<a:rot lat="0" lon="5400000" rev="0"/></a:camera><a:lightRig rig="threePt" dir="t"/>'
        "</a:scene3d>"
    )
    box._element.spPr.append(parse_xml(scene))


def effects(*nodes: str) -> Way:
    def play(slide: Any, box: Any) -> None:
        inner = "".join(nodes).replace("ID", str(box.shape_id))
        slide._element.append(
            parse_xml(
                f'<p:timing xmlns:p="{P}"><p:tnLst><p:par><p:cTn id="1" nodeType="tmRoot">'
                f'<p:childTnLst><p:seq><p:cTn id="2" nodeType="mainSeq"><p:childTnLst>{inner}'
                "</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
            )
        )

    return play


def effect(preset: str, trigger: str, behaviour: str = "") -> str:
    target = '<p:cBhvr><p:cTn id="9" dur="500"/><p:tgtEl><p:spTgt spid="ID"/></p:tgtEl></p:cBhvr>'
    return (
        f'<p:par><p:cTn id="5" presetID="10" presetClass="{preset}" nodeType="{trigger}">'
        '<p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>'
        + (behaviour.replace("TARGET", target) or f"<p:animEffect>{target}</p:animEffect>")
        + "</p:childTnLst></p:cTn></p:par>"
    )


MOTION = '<p:animMotion origin="layout" path="M 0 0 L 1.5 0 E">TARGET</p:animMotion>'
WAYS: list[tuple[str, Way, str | None]] = [
    ("as it is", lambda *_: None, None),
    ("1 pt", sized(1), "small"),
    ("6.5 pt", sized(6.5), None),
    ("raised, of 8 pt", raised(8), "small"),  # two thirds are 5.3 pt
    ("raised, of 12 pt", raised(12), None),
    ("font scale of 1 %", scaled_down, "small"),
    ("transparent", clear, "faint"),
    ("no fill", no_fill, "faint"),
    ("white on white", ink("FFFFFF"), "faint"),
    ("near-white on white", ink("F4F4F4"), "faint"),
    ("grey on white", ink("767676"), None),
    ("pale yellow on white", ink("FFFFB0"), "faint"),
    ("orange on white", ink("FFB000"), None),
    ("white on pink", on("FFB6C1", "FFFFFF"), None),
    ("near-white of 20 pt", large("E1E1E1"), "faint"),
    ("grey of 20 pt", large("B8B8B8"), None),
    ("white title on light orange", on("FFCC99", "FFFFFF", 20), None),
    ("white on a white picture", on_picture((255, 255, 255)), "faint"),
    ("white on a blue picture", on_picture((30, 90, 160)), None),
    ("white on an empty part of a chart", on_chart, "faint"),
    ("in a shape of three pixels", narrow, "small"),
    ("off the slide", off, "off the slide"),
    ("without size", speck, "small"),
    ("hidden", hidden, "hidden"),
    ("behind a picture", picture("RGB", (30, 90, 160)), "covered"),
    ("behind a see-through picture", picture("RGBA", (30, 90, 160, 20)), None),
    ("behind an opaque picture with an alpha channel", picture("RGBA", (3, 9, 16, 255)), "covered"),
    ("behind a plate", plate(), "covered"),
    ("behind a see-through plate", plate(1, 30_000), None),
    ("behind three plates of 60 %", plate(3, 60_000), "covered"),
    ("letters on each other", spaced(-1200), "covered"),
    ("letters close to each other", spaced(-200), None),
    ("signs for letters", symbols, "symbols"),
    ("on its head", turned(180), "upside down"),
    ("on its side", turned(90), None),
    ("edge-on", edge_on, "edge-on"),
    ("fades in at a click", effects(effect("entr", "clickEffect")), None),
    ("fades out before the first click", effects(effect("exit", "withEffect")), "animation"),
    ("fades out at a click", effects(effect("exit", "clickEffect")), None),
    ("moves away", effects(effect("path", "withEffect", MOTION)), "off the slide"),
    ("moves away at a click", effects(effect("path", "clickEffect", MOTION)), None),
]


def deck_of(folder: Path, *ways: Way) -> Path:
    deck = Presentation()
    deck.slide_width, deck.slide_height = Emu(12_192_000), Emu(6_858_000)
    for way in ways:
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        way(slide, say(slide))
    deck.save(str(folder / "ways.pptx"))
    return folder / "ways.pptx"


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> SeenDeck:
    return see(deck_of(tmp_path_factory.mktemp("ways"), *(way for _, way, _ in WAYS)))


@pytest.mark.parametrize("number", range(len(WAYS)), ids=[name for name, *_ in WAYS])
def test_whatever_hides_a_text_is_named(seen: SeenDeck, number: int) -> None:
    slide = seen.slides[number]
    text = next(piece for piece in slide.pieces if piece.text)
    assert (text.text, text.reason) == (WORDS, WAYS[number][2])
    assert bool(text.detail) == bool(text.reason)
    assert slide.words_seen == (3 if text.reason is None else 0)


@pytest.mark.parametrize(("count", "seen_words"), [(2, 6), (5, 0)])
def test_texts_in_a_heap_are_not_read(tmp_path: Path, count: int, seen_words: int) -> None:
    def heap(slide: Any, _box: Any) -> None:
        for _ in range(count - 1):
            say(slide)

    assert see(deck_of(tmp_path, heap)).words_seen == seen_words


def test_what_cannot_be_seen_is_one_sentence(seen: SeenDeck) -> None:
    hidden = [reason for *_, reason in WAYS if reason]
    assert seen.sentence == f"{3 * len(hidden)} words on {len(hidden)} slides cannot be seen."
    assert seen.words_unseen == {reason: 3 * hidden.count(reason) for reason in hidden}


def test_of_the_slides_that_are_asked_for_only_these_are_read(tmp_path: Path) -> None:
    path = deck_of(tmp_path, sized(1), sized(20), sized(1))
    assert [slide.number for slide in see(path, slides=[2]).slides] == [2]
    assert see(path, slides=[2]).sentence == "All words can be seen."


def test_numbers_of_a_piece_are_those_of_the_file(tmp_path: Path) -> None:
    def lay(slide: Any, box: Any) -> None:
        box.fill.solid()
        box.fill.fore_color.rgb = RGBColor(0, 0, 0)
        font_of(box).color.rgb = RGBColor(255, 255, 255)
        font_of(box).size = Pt(20)

    path = deck_of(tmp_path, lay)
    (piece,) = [piece for piece in see(path).slides[0].pieces if piece.text]
    assert piece.contrast is not None and round(piece.contrast, 3) == 21.0  # black on white
    assert piece.size == pytest.approx(20.0) and piece.share == 1.0 and piece.alpha == 1.0


def test_size_counts_on_a_slide_of_960_points(tmp_path: Path) -> None:
    deck = Presentation()
    deck.slide_width, deck.slide_height = Pt(3840), Pt(2160)
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    font_of(say(slide)).size = Pt(20)
    deck.save(str(tmp_path / "poster.pptx"))
    (piece,) = [piece for piece in see(tmp_path / "poster.pptx").slides[0].pieces if piece.text]
    assert piece.size == pytest.approx(5.0) and piece.reason == "small"


def test_half_of_a_picture_off_the_slide_is_half_seen(tmp_path: Path) -> None:
    def lay(slide: Any, _box: Any) -> None:
        picture("RGB", (9, 9, 9))(slide, None)
        slide.shapes[-1].left = Emu(-12_192_000 // 4)

    (image,) = [p for p in see(deck_of(tmp_path, lay)).slides[0].pieces if p.kind == "graphic"]
    assert image.share == pytest.approx(0.75, abs=0.01) and image.reason is None


def test_a_text_is_not_hidden_by_its_own_shape_or_by_what_lies_behind(tmp_path: Path) -> None:
    def lay(slide: Any, box: Any) -> None:
        plate()(slide, box)
        tree = slide.shapes._spTree
        tree.insert(2, tree[-1])  # to the back
        box.fill.solid()
        box.fill.fore_color.rgb = RGBColor(250, 250, 250)

    assert not see(deck_of(tmp_path, lay)).words_unseen


def chart(points: float, width: int) -> Way:
    def lay(slide: Any, box: Any) -> None:
        box._element.getparent().remove(box._element)
        data = CategoryChartData()
        data.categories = ["Harbour traffic doubled", "Cranes lift more"]
        data.add_series("Ships", (3, 4))
        frame = slide.shapes.add_chart(
            XL_CHART_TYPE.COLUMN_CLUSTERED, Emu(500_000), Emu(500_000), Emu(width), Emu(width), data
        )
        frame.chart.has_legend = True
        frame.chart.font.size = Pt(points)

    return lay


def test_labels_of_a_chart_are_seen_by_their_size(tmp_path: Path) -> None:
    path = deck_of(tmp_path, chart(12, 5_000_000), chart(1, 5_000_000), chart(12, 20_000))
    large, tiny, speck = see(path).slides
    assert large.words_seen == 7 and not large.words_unseen
    assert tiny.words_unseen == {"small": 7} and not any(
        piece.kind == "graphic" for piece in tiny.unseen
    )
    assert speck.words_unseen == {"small": 7}
    assert [piece.reason for piece in speck.unseen if piece.kind == "graphic"] == ["small"]


def test_cells_of_a_table_stand_on_their_own_ground(tmp_path: Path) -> None:
    def lay(slide: Any, box: Any) -> None:
        box._element.getparent().remove(box._element)
        size = Emu(1_000_000), Emu(1_000_000), Emu(6_000_000), Emu(0)
        table = slide.shapes.add_table(2, 1, *size).table
        for row, color in enumerate(("000000", "FFFFFF")):
            cell = table.cell(row, 0)
            cell.text = f"Row {row}"
            cell.fill.solid()
            cell.fill.fore_color.rgb = RGBColor.from_string(color)
            cell.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(255, 255, 255)

    cells = [p for p in see(deck_of(tmp_path, lay)).slides[0].pieces if p.kind == "cell"]
    assert [(cell.text, cell.reason) for cell in cells] == [("Row 0", None), ("Row 1", "faint")]


def test_prompts_of_empty_placeholders_are_no_text(tmp_path: Path) -> None:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[1])
    deck.save(str(tmp_path / "empty.pptx"))
    seen = see(tmp_path / "empty.pptx")
    assert not [piece for piece in seen.slides[0].pieces if piece.text]
    assert seen.sentence == "All words can be seen."


def test_a_deck_without_slides_has_nothing_to_see(tmp_path: Path) -> None:
    Presentation().save(str(tmp_path / "none.pptx"))
    seen = see(tmp_path / "none.pptx")
    assert seen.slides == () and seen.words_seen == 0 and not list(seen.records())


def test_of_honest_decks_all_text_that_shows_is_seen(tmp_path: Path) -> None:
    """The names of two series, which their pie charts do not show; a hidden slide; a stamp that
    hangs off a slide and pale grey text on white, which the bad sample has on purpose."""
    reasons = {path.stem: dict(see(path).words_unseen) for path in write_samples(tmp_path)}
    assert reasons == {
        "bad": {"faint": 86, "off the slide": 3}, "plain": {},
        "rich": {"slide": 48, "not drawn": 9},
    }  # fmt: skip


def xy_chart(marker: str) -> Way:
    def lay(slide: Any, _box: Any) -> None:
        data = XyChartData()
        points = data.add_series("Ships")
        points.add_data_point(1, 2)
        points.add_data_point(2, 3)
        place = Emu(500_000), Emu(2_500_000), Emu(4_000_000), Emu(4_000_000)
        frame = slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER_LINES, *place, data)
        (series,) = frame.chart.plots[0].series
        series.format.line.fill.background()
        series.marker.style = getattr(XL_MARKER_STYLE, marker)

    return lay


def test_points_without_a_line_are_seen_if_they_are_marked(tmp_path: Path) -> None:
    marked, bare = see(deck_of(tmp_path, xy_chart("CIRCLE"), xy_chart("NONE"))).slides
    assert not any(piece.kind == "graphic" for piece in marked.unseen)
    assert [piece.reason for piece in bare.unseen if piece.kind == "graphic"] == ["not drawn"]


def test_a_text_behind_the_middle_of_an_ellipse_is_covered_and_in_its_corner_is_not(
    tmp_path: Path,
) -> None:
    def ellipse(left: int, top: int) -> Way:
        def lay(slide: Any, _box: Any) -> None:
            area = slide.shapes.add_shape(9, Emu(left), Emu(top), Emu(8_000_000), Emu(6_000_000))
            area.fill.solid()
            area.fill.fore_color.rgb = RGBColor(240, 240, 240)

        return lay

    # The words begin at 1.09 by 1.05 million EMU and are under 4 million long.
    ways = ellipse(-2_000_000, -1_800_000), ellipse(900_000, 1_000_000)
    middle, corner = see(deck_of(tmp_path, *ways)).slides
    assert [piece.reason for piece in middle.unseen_text] == ["covered"]
    assert not corner.unseen_text


@pytest.mark.long
def test_five_thousand_shapes_are_read_in_seconds(tmp_path: Path) -> None:
    """Each in front of all before it: pairs would be 12 million."""
    cell = Rect(
        x=10.0, y=10.0, w=900.0, h=500.0, rx=0.0, fill="#EEEEEE", stroke=None, strokeWidth=0.0
    )
    paint = Solid(kind="solid", color="#EEEEEE")
    rects = tuple(cell.model_copy(update={"id": n, "z": n, "paint": paint}) for n in range(5_000))
    slide = SlideElements(background="#FFFFFF", rects=rects)
    started = time.process_time()
    pieces = seen_slide(slide).pieces
    assert time.process_time() - started < 20  # 2 s, measured
    assert len(pieces) == 5_000
    assert pieces[-1].reason == "faint" and pieces[0].reason == "covered"
