"""HTML decks become native presentations: what python-pptx and LibreOffice see of them."""

import re
from pathlib import Path

import numpy as np
import pytest
from pptx.util import Emu

from decklab.board.native.decks import convert, page_size
from decklab.core.errors import DeckError
from decklab.core.files import NameTaken
from decklab.ooxml.validity.validating import validate_deck
from decklab.ooxml.xml import qn
from decklab.rendering.measured import MeasuredPage
from decklab.rendering.opening import open_rendered

pytestmark = pytest.mark.chromium

COVER = "<section class=slide><h1>Wells of the north</h1><p>What we found</p></section>"
LIST = (
    "<section class=slide><h2>Three findings</h2><ul><li>Pumps break often enough</li><li>Parts"
    " are far away<ul><li>two days by road</li></ul></li></ul><ol start=4><li>Train people now"
    "</li></ol></section>"
)


def runs(shape):
    return [run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs]


def test_titles_subtitles_and_lists_are_placeholders(make):
    made = make(COVER + LIST)
    cover = {shape.placeholder_format.type.name: shape for shape in made.slide(1).placeholders}
    assert cover["CENTER_TITLE"].text_frame.text == "Wells of the north"
    assert cover["SUBTITLE"].text_frame.text == "What we found"
    kinds = {shape.placeholder_format.type.name: shape for shape in made.slide(2).placeholders}
    assert kinds["TITLE"].text_frame.text == "Three findings"
    body = kinds["BODY"].text_frame
    assert [paragraph.level for paragraph in body.paragraphs] == [0, 0, 1, 0]
    marks = [(p._p.pPr.find(qn("a:buChar")), p._p.pPr.find(qn("a:buAutoNum")))
             for p in body.paragraphs]  # fmt: skip
    assert [mark[0].get("char") for mark in marks[:3]] == ["•", "•", "◦"]
    assert marks[3][1].get("type") == "arabicPeriod"
    assert marks[3][1].get("startAt") == "4"
    assert [made.slide(at).slide_layout.name for at in (1, 2)] == [
        "Title Slide", "Title and Content",
    ]  # fmt: skip
    assert list(validate_deck(made.path)) == []


def test_runs_keep_weight_slant_colour_links_and_lines(make):
    made = make(
        "<section class=slide><h2>Runs</h2><p>plain <b>bold</b> <i>slanted</i> <u>under</u> "
        "<s>gone</s> <span style='color:#c00000'>red</span> <a href='https://example.org/'>out</a> "
        "<a href='#2'>in</a> H<sub>2</sub>O</p></section>" + COVER
    )
    by_text = {run.text.strip(): run for run in runs(made.text("plain"))}
    assert by_text["bold"].font.bold
    assert by_text["slanted"].font.italic
    assert by_text["under"].font.underline
    assert by_text["gone"]._r.rPr.get("strike") == "sngStrike"
    assert by_text["out"].hyperlink.address == "https://example.org/"
    jump = by_text["in"]._r.rPr.find(qn("a:hlinkClick"))
    assert jump.get("action") == "ppaction://hlinksldjump"
    assert int(by_text["2"]._r.rPr.get("baseline")) < 0
    theme = (
        made.deck.slide_masters[0]
        .part.part_related_by(
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme"
        )
        .blob.decode()
    )
    slot = by_text["red"].font.color._color._xClr.get("val")
    assert f'<a:{slot}><a:srgbClr val="C00000"/>' in theme
    assert made.text("plain").text_frame.text.startswith("plain bold slanted under gone red")


def test_a_text_whose_line_ends_with_a_hyphen_is_as_wide_as_its_place(make):
    """It had the width of its longest word, which LibreOffice then broke."""
    made = make(
        "<section class=slide><h2>Title</h2><p>Spare parts took forty-seven days on average</p>"
        "</section>",
        "p{width:80px}",
    )
    assert made.text("forty-seven").width == pytest.approx(Emu(80 * 9525), abs=9525)


def test_texts_stand_where_they_stood(make):
    """The first baseline of 40 px text in lines of 56 px: 60 px down, half the leading, the ascent.

    LibreOffice ends a line of exact height a fifth of the size below its baseline.
    """
    made = make(
        "<section class=slide><p data-slot=none style='margin:0;font:40px/56px Liberation Sans'>"
        "One line</p></section>"
    )
    (shape,) = made.shapes()
    ascent, descent = 0.905, 0.212
    base = 60 + (56 - round(40 * ascent) - round(40 * descent)) / 2 + round(40 * ascent)
    top = base + 0.2 * 40 - 56
    assert shape.top / 9525 == pytest.approx(top, abs=0.6)
    assert shape.left == Emu(60 * 9525)
    assert runs(shape)[0].font.size.pt == 30
    assert shape.text_frame.paragraphs[0].line_spacing.pt == 42


def test_boxes_keep_fill_corners_borders_shadow_and_turn(make):
    style = (
        ".a{position:absolute;left:100px;top:200px;width:200px;height:100px;border-radius:20px;"
        "background:rgba(10,20,30,.5);box-shadow:3px 4px 10px rgba(0,0,0,.4)}"
        ".b{position:absolute;left:400px;top:200px;width:200px;height:100px;border:4px dashed #0a0;"
        "background:linear-gradient(90deg,#ff0000,#0000ff);transform:rotate(30deg)}"
    )
    made = make("<section class=slide><h2>Boxes</h2><div class=a></div><div class=b></div>"
                "</section>", style)  # fmt: skip
    round_box, turned = (shape for shape in made.shapes() if not shape.has_text_frame
                         or not shape.text_frame.text)  # fmt: skip
    assert (round_box.left, round_box.top) == (100 * 9525, 200 * 9525)
    assert round_box.adjustments[0] == pytest.approx(0.2)
    xml = round_box._element.xml
    assert '<a:alpha val="50000"/>' in xml
    assert re.search(r'<a:outerShdw blurRad="95250" dist="47625" dir="3187806"', xml)
    assert turned.rotation == pytest.approx(30)
    assert turned.left + turned.width / 2 == pytest.approx(504 * 9525, abs=9525)
    stops = [item.get("pos") for item in turned._element.iter(qn("a:gs"))]
    assert stops == ["0", "100000"]
    assert turned._element.find(f".//{qn('a:lin')}").get("ang") == "0"
    assert turned._element.find(f".//{qn('a:prstDash')}").get("val") == "dash"


def test_a_card_has_its_text_inside(make):
    made = make(
        "<section class=slide><h2>Cards</h2><div style='background:#def;border-radius:8px;padding:"
        "24px;width:300px'><h3 style='margin:0'>Train</h3><p style='margin:8px 0 0'>Two of them"
        "</p></div></section>"
    )
    card = made.text("Train")
    assert card.text_frame.text == "Train\nTwo of them"
    assert card._element.find(f".//{qn('a:prstGeom')}").get("prst") == "roundRect"
    assert card.width == 348 * 9525


@pytest.mark.parametrize(("size", "shrinks"), [("24px", True), ("23px", False)])
def test_text_in_a_card_may_shrink_if_its_size_is_one_that_libreoffice_keeps(make, size, shrinks):
    card = f"<div style='background:#def;padding:20px;width:400px;font-size:{size}'>"
    made = make(f"<section class=slide><h2>One</h2>{card}Words of a card</div></section>")
    settings = made.text("Words of a card").text_frame._txBody.bodyPr
    assert (settings.find(qn("a:normAutofit")) is not None) is shrinks  # 18 pt, and 17.25 pt


def test_a_table_with_names_at_its_side_says_so(make):
    rows = "<tr><th scope=row>A</th><td>area</td></tr><tr><th scope=row>B</th><td>breadth</td></tr>"
    made = make(f"<section class=slide><h2>One</h2><table>{rows}</table></section>")
    table = next(shape for shape in made.shapes() if shape.has_table).table
    assert table.first_col and not table.first_row


def test_digits_of_a_line_to_the_left_have_the_font_of_its_script(make):
    cell = "<p dir=rtl lang=ar style='font-family:Noto Naskh Arabic'>610</p>"
    made = make(f"<section class=slide><h2>One</h2>{cell}</section>")
    font = made.text("610")._element.find(f".//{qn('a:r')}/{qn('a:rPr')}/{qn('a:cs')}")
    assert font.get("typeface") == "Noto Naskh Arabic"


def test_tables_are_native(make):
    made = make(
        "<section class=slide><h2>Table</h2><table style='border-collapse:collapse'><thead><tr>"
        "<th style='background:#003366;color:#fff'>Name<th>Sum</tr></thead><tr><td rowspan=2 "
        "style='border-bottom:2px solid #f00'>both<td>1</tr><tr><td>2</tr><tr><td colspan=2>wide"
        "</tr></table></section>"
    )
    table = next(shape.table for shape in made.shapes() if shape.has_table)
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Name", "Sum"], ["both", "1"], ["", "2"], ["wide", ""],
    ]  # fmt: skip
    assert (table.cell(1, 0).span_height, table.cell(3, 0).span_width) == (2, 2)
    assert table.first_row
    border = table.cell(1, 0)._tc.tcPr.find(qn("a:lnB"))
    assert border.get("w") == "19050"


def test_a_figure_with_data_is_a_native_chart(make):
    plan = (
        '{"kind":"column","categories":["2024","2025"],"series":[{"name":"Wells","values":[3,5]}],'
        '"unit":"wells","source":"survey"}'
    )
    made = make(
        f"<section class=slide><h2>Chart</h2><figure data-chart='{plan}' style='width:600px;"
        "height:300px'></figure></section>"
    )
    chart = next(shape.chart for shape in made.shapes() if shape.has_chart)
    assert list(chart.plots[0].categories) == ["2024", "2025"]
    assert list(chart.plots[0].series[0].values) == [3, 5]
    assert made.result.replaced == ()


def test_a_chart_that_cannot_be_drawn_is_a_picture_and_named(make):
    made = make(
        "<section class=slide><h2>Chart</h2><figure data-chart='{\"series\":[]}' style='width:600px"
        ";height:300px;background:#eee'></figure></section>"
    )
    (replaced,) = made.result.replaced
    assert (replaced.slide, replaced.element) == (1, "figure")
    assert "Field required" in replaced.reason
    assert any(shape.shape_type == 13 for shape in made.shapes())


def test_drawings_become_shapes_in_a_group(make):
    made = make(
        "<section class=slide><h2>Drawing</h2><svg width=300 height=100 viewBox='0 0 300 100' "
        "aria-label='A plan'><rect x=10 y=10 width=80 height=40 fill='#f80'/><circle cx=150 cy=50 "
        "r=20 fill=none stroke='#080' stroke-width=3 /><path d='M200 10 h40 v40 z' fill='#00f'/>"
        "<text x=50 y=34 text-anchor=middle font-size=12>box</text></svg></section>"
    )
    group = next(shape for shape in made.shapes() if shape.shape_type == 6)
    assert group._element.nvGrpSpPr.cNvPr.get("descr") == "A plan"
    kinds = [item.get("prst") for item in group._element.iter(qn("a:prstGeom"))]
    assert kinds == ["rect", "ellipse", "rect"]
    assert len(list(group._element.iter(qn("a:custGeom")))) == 1
    assert "box" in [shape.text_frame.text for shape in group.shapes if shape.has_text_frame]


def test_what_has_no_native_form_is_a_picture_and_named(make):
    made = make(
        "<section class=slide><h2>Canvas</h2><canvas id=c width=80 height=40></canvas>"
        "<img src=nowhere.png alt=lost></section>"
    )
    assert [(item.slide, item.element) for item in made.result.replaced] == [
        (1, "canvas#c"), (1, "img"),
    ]  # fmt: skip
    assert "missing" in made.result.replaced[1].reason
    assert sum(shape.shape_type == 13 for shape in made.shapes()) == 1


def test_pictures_are_cropped_as_shown_and_keep_their_words(make, tmp_path):
    from PIL import Image

    (tmp_path / "deck").mkdir()
    Image.new("RGB", (400, 100), "#336699").save(tmp_path / "deck" / "wide.png")
    made = make(
        "<section class=slide><h2>Picture</h2><img src=wide.png alt='A river' style='width:200px;"
        "height:100px;object-fit:cover'></section>"
    )
    picture = next(shape for shape in made.shapes() if shape.shape_type == 13)
    assert (picture.crop_left, picture.crop_right) == (0.25, 0.25)
    assert picture._element.nvPicPr.cNvPr.get("descr") == "A river"
    assert (picture.width, picture.height) == (200 * 9525, 100 * 9525)


def test_grounds_and_what_repeats_are_on_layouts(make):
    bar = "<div style='position:absolute;inset:0 0 auto;height:12px;background:#c00'></div>"
    foot = "<footer style='position:absolute;left:60px;bottom:20px;font-size:14px'>Acme</footer>"
    slides = "".join(
        f"<section class=slide style='background:#102030;color:#fff'>{bar}<h2>Part {at}</h2>"
        f"<p>Words enough to be a body of the slide</p>{foot}<div style='position:absolute;right:"
        f"60px;bottom:20px;font-size:14px'>{at} / 3</div></section>"
        for at in (1, 2, 3)
    )
    made = make(slides)
    assert not any(str(shape.height / 9525) == "12" for shape in made.shapes(2))
    layout = made.slide(2).slide_layout
    assert any(shape.height == 12 * 9525 for shape in layout.shapes)
    kinds = {shape.placeholder_format.type.name: shape for shape in made.slide(2).placeholders}
    assert kinds["FOOTER"].text_frame.text == "Acme"
    field = kinds["SLIDE_NUMBER"]._element.find(f".//{qn('a:fld')}")
    assert field.get("type") == "slidenum"
    ground = made.deck.slide_masters[0]._element.cSld.find(f".//{qn('p:bg')}")
    assert ground.find(f".//{qn('a:schemeClr')}").get("val") == "bg1"


def test_notes_sections_transitions_and_hiding_are_kept(make):
    made = make(
        "<div class=reveal><div class=slides><section data-transition=zoom><h2>One</h2><aside class"
        "=notes>Say hello</aside></section><section><section><h2>Two</h2></section><section "
        "data-visibility=hidden><h2>Three</h2></section></section></div></div>"
    )
    assert made.slide(1).notes_slide.notes_text_frame.text == "Say hello"
    assert "Say hello" not in "".join(made.texts(1))
    assert made.slide(1)._element.find(f".//{qn('p:zoom')}") is not None
    assert made.slide(3)._element.get("show") == "0"
    names = re.findall(r'<p14:section[^>]* name="([^"]*)"', made.deck.part._element.xml)
    assert names == ["One", "Two"]


def test_layouts_and_placeholders_that_the_page_names(make):
    made = make(
        "<section class=slide data-layout=Two><h2 data-slot=title>Named</h2><p data-slot=body "
        "style='width:400px'>left</p><p data-slot=body style='width:400px'>right</p><p data-slot="
        "source>a survey</p></section>"
    )
    kinds = {shape.placeholder_format.idx: shape.text_frame.text
             for shape in made.slide().placeholders}  # fmt: skip
    assert kinds == {0: "Named", 1: "left", 13: "right", 16: "a survey"}
    assert made.slide().slide_layout.name == "Two"


def test_equal_input_gives_equal_bytes(page, tmp_path):
    path = page(COVER + LIST)
    first, second = (convert(path, tmp_path / name).path for name in ("a.pptx", "b.pptx"))
    assert first.read_bytes() == second.read_bytes()


def test_a_file_that_exists_is_refused_and_stays(page, tmp_path):
    path = page(COVER)
    out = tmp_path / "there.pptx"
    out.write_bytes(b"mine")
    with pytest.raises(NameTaken):
        convert(path, out)
    assert out.read_bytes() == b"mine"


@pytest.mark.parametrize("body", ["", "<p> </p>", "<script>document.body.append('words')</script>"])
def test_a_deck_that_shows_nothing_is_one_line(page, tmp_path, body):
    with pytest.raises(DeckError) as caught:
        convert(page(body), tmp_path / "out.pptx")
    line = str(caught.value)
    assert "no slide shows anything" in line
    assert ("--scripts" in line) == ("script" in body)
    assert not (tmp_path / "out.pptx").exists()


def test_scripts_run_only_if_they_are_allowed(make, page, tmp_path):
    body = "<section class=slide><h2>Fixed</h2><script>document.querySelector('h2').textContent="
    body += "'Changed'</script></section>"
    assert make(body).texts() == ["Fixed"]
    done = convert(page(body), tmp_path / "run.pptx", scripts=True)
    from pptx import Presentation

    assert "Changed" in [s.text_frame.text for s in Presentation(str(done.path)).slides[0].shapes]


def test_a_folder_of_pages_is_a_deck(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in (10, 2, 1):
        (folder / f"{number}.html").write_text(f"<h1>Page {number}</h1>")
    done = convert(folder, tmp_path / "out.pptx")
    from pptx import Presentation

    titles = [slide.shapes[0].text_frame.text for slide in Presentation(str(done.path)).slides]
    assert titles == ["Page 1", "Page 2", "Page 10"]


def test_odd_slides_make_a_valid_deck(make):
    bodies = [
        "word",
        "<p dir=rtl>\u0645\u0631\u062d\u0628\u0627</p>",
        "<div style='width:90000px;height:90000px;background:#eee'>big</div>",
        "<div>" * 300 + "deep" + "</div>" * 300,
        "<table><tr><td><table><tr><td>inner</td></tr></table></td><td>outer</td></tr></table>",
        "<img src=none.png>text",
        "<h1>a&#7;b</h1>",
    ]
    made = make("".join(f"<section class=slide>{body}</section>" for body in bodies))
    assert list(validate_deck(made.path)) == []
    assert made.result.slides == len(bodies)
    assert "".join(made.texts(4)) == "deep"
    tables = [shape.table for shape in made.shapes(5) if shape.has_table]
    cells = [cell.text for table in tables for cell in table.iter_cells()]
    assert sorted(made.texts(5) + cells) == ["inner", "outer"]


def test_pages_without_slides_are_cut_at_the_window(make):
    made = make("<div style='height:720px'>One</div><div style='height:720px'>Two</div>")
    assert [made.texts(1), made.texts(2)] == [["One"], ["Two"]]


def test_slides_as_high_as_their_content_get_the_proportions_of_the_window():
    def slide(height: float) -> MeasuredPage:
        return MeasuredPage(
            width=1280, height=height, items=(), substitutions=(), notes="", names=(), stack=None,
            section="",
            lang="", transition="", layout="", kind="", hidden=False, title="", document="",
            scripts=0, full=False,
        )  # fmt: skip

    assert page_size([slide(300), slide(500), slide(900)]).height == 720
    assert page_size([slide(540), slide(540), slide(900)]).height == 540


@pytest.mark.office
def test_libreoffice_draws_it_as_the_browser_does(make, page, libreoffice):
    body = COVER + LIST.replace("<h2>", "<h2 style='color:#0050a0'>")
    style = ".slide{background:#f4f8ff}h1{margin-top:200px}"
    made = make(body, style)
    with open_rendered(made.path) as drawn, open_rendered(page(body, style)) as web:
        for native, seen in zip(drawn, web, strict=True):
            assert words(native) == words(seen)
            off = np.abs(native.image.astype(int) - seen.image.astype(int)).mean()
            assert off < 1.5


def words(slide):
    """The words that are drawn, without bullets and numbers of lists."""
    drawn = " ".join(span.text for span in slide.spans).split()
    return sorted(word for word in drawn if word.strip("•◦▪.0123456789"))


def test_the_deck_is_not_changed(page, tmp_path):
    path = page(COVER)
    before = path.read_bytes()
    convert(path, tmp_path / "out.pptx")
    assert path.read_bytes() == before
    assert sorted(Path(path.parent).iterdir()) == [path]


def test_what_the_browser_hides_or_paints_below_stays_so(make):
    made = make(
        "<section class=slide><h2>Seen</h2><div style='position:absolute;width:1px;height:1px;"
        "overflow:hidden'>for screen readers</div><p style='position:relative;z-index:2'>above"
        "</p><div style='position:absolute;inset:0;z-index:1;background:#123456'></div></section>"
    )
    names = [shape.text_frame.text for shape in made.shapes()]
    assert "for screen readers" not in "".join(names)
    filled = next(at for at, shape in enumerate(made.shapes()) if shape.width == 1280 * 9525
                  or shape.width > 1279 * 9525)  # fmt: skip
    assert filled < names.index("above")


def test_three_colours_are_two_gradients_of_two_and_pseudo_bullets_are_bullets(make):
    style = (
        "li{list-style:none;position:relative}li::before{content:'\u25b8';position:absolute;"
        "left:-24px;color:#c33}.g{width:300px;height:100px;"
        "background:linear-gradient(90deg,#ff0000,#0000ff 50%,#00ff00)}"
    )
    made = make(
        "<section class=slide><h2>List</h2><ul><li>one of the points</li><li>another point</li>"
        "</ul><div class=g></div></section>",
        style,
    )
    marks = made.text("one of the points")._element.findall(f".//{qn('a:buChar')}")
    assert [mark.get("char") for mark in marks] == ["\u25b8", "\u25b8"]
    ramps = [
        [(stop.get("pos"), stop.find(f".//{qn('a:alpha')}") is not None) for stop in ramp]
        for shape in made.shapes()
        for ramp in shape._element.iter(qn("a:gsLst"))
    ]
    assert ramps == [
        [("0", False), ("50000", False), ("100000", False)],
        [("0", True), ("50000", True), ("100000", False)],
    ]  # fmt: skip


def test_columns_of_text_and_tables_from_right_to_left(make):
    words = "Words that go on for a while and fill the lines of two columns. " * 6
    made = make(
        "<section class=slide dir=rtl><h2>Table</h2><table><tr><td>first<td>second</tr></table>"
        f"</section><section class=slide><h2>Columns</h2><p style='columns:2'>{words}</p></section>"
    )
    table = next(shape.table for shape in made.shapes(1) if shape.has_table)
    assert [cell.text for cell in table.rows[0].cells] == ["second", "first"]
    parts = [text for text in made.texts(2) if text != "Columns"]
    assert len(parts) == 2
    assert " ".join(parts).split() == words.split()


def test_reveal_decks_show_without_their_script(make):
    style = (
        ".reveal{position:relative;width:100%;height:100%;overflow:hidden}.reveal .slides{position:"
        "absolute;width:100%;height:100%}.reveal .slides section{display:none;position:absolute}"
        ".reveal .slides>section.present{display:block}"
    )
    made = make(
        "<div class=reveal><div class=slides><section><h2>One</h2></section><section><h2>Two</h2>"
        "</section></div></div>",
        style,
    )
    assert [made.texts(1), made.texts(2)] == [["One"], ["Two"]]
    assert made.deck.slide_height * 16 == made.deck.slide_width * 9
