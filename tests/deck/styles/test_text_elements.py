import hashlib

import pytest
from pptx.dml.color import RGBColor
from pptx.enum.text import PP_ALIGN
from pptx.util import Pt


def box_of(presentation):
    page = presentation.slides.add_slide(presentation.slide_layouts[6])
    return page, page.shapes.add_textbox(Pt(10), Pt(20), Pt(300), Pt(100)).text_frame


def test_runs_have_what_python_pptx_gave_them(presentation, saved):
    _page, frame = box_of(presentation)
    paragraph = frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.CENTER
    for words, size, bold in (("One ", 20, True), ("and two", 30, False)):
        run = paragraph.add_run()
        run.text, run.font.size, run.font.bold, run.font.name = words, Pt(size), bold, "Georgia"
        run.font.color.rgb = RGBColor(1, 2, 3)
    (text,) = saved(presentation).slides[0].texts
    (found,) = text.paragraphs
    assert [(r.text, r.font.size, r.font.style) for r in found.runs] == [
        ("One ", 20.0, ("bold",)), ("and two", 30.0, ()),
    ]  # fmt: skip
    assert found.runs[0].font.color == "#010203"
    assert {found.runs[0].sources[name] for name in ("name", "size", "bold", "color")} == {"run"}
    assert (found.align, found.sources["align"]) == ("center", "paragraph")


def test_the_plain_font_and_alignment_are_those_of_most_characters(presentation, saved):
    _page, frame = box_of(presentation)
    for words, size, align in (("short", 40, PP_ALIGN.RIGHT), ("a longer one", 14, PP_ALIGN.LEFT)):
        paragraph = frame.add_paragraph()
        paragraph.alignment = align
        run = paragraph.add_run()
        run.text, run.font.size = words, Pt(size)
    (text,) = saved(presentation).slides[0].texts
    assert (text.font.size, text.align) == (14.0, "left")
    assert text.sources["font.size"] == "run"
    assert text.text == "\nshort\na longer one"


def test_links_of_runs_and_shapes(presentation, saved):
    page, frame = box_of(presentation)
    other = presentation.slides.add_slide(presentation.slide_layouts[6])
    plain, linked = (frame.paragraphs[0].add_run() for _ in range(2))
    plain.text, linked.text = "see ", "there"
    linked.hyperlink.address = "https://example.org/a?b=c"
    shape = page.shapes.add_shape(1, 0, 0, Pt(10), Pt(10))
    shape.click_action.target_slide = other
    deck = saved(presentation)
    first, second = deck.slides[0].texts[0].paragraphs[0].runs
    assert first.click is None
    assert (second.click.kind, second.click.target) == ("url", "https://example.org/a?b=c")
    (rect,) = deck.slides[0].rects
    assert (rect.click.kind, rect.click.target) == ("slide", str(deck.slides[1].id))


def test_actions_without_a_target(slide_of, sp, xfrm):
    def shape(id, link):
        return (
            f'<p:sp><p:nvSpPr><p:cNvPr id="{id}" name="S">{link}</p:cNvPr><p:cNvSpPr/><p:nvPr/>'
            f"</p:nvSpPr><p:spPr>{xfrm(0, 0, 1, 1)}</p:spPr></p:sp>"
        )

    click = '<a:hlinkClick r:id="" action="ppaction://hlinkshowjump?jump=nextslide"/>'
    hover = '<a:hlinkHover r:id="" action="ppaction://noaction" tooltip="Tip"/>'
    macro = '<a:hlinkClick r:id="" action="ppaction://macro?name=Go"/>'
    odd = '<a:hlinkClick r:id="" action="ppaction://brew?tea=1"/>'
    found = slide_of(shape(2, click) + shape(3, hover) + shape(4, macro) + shape(5, odd)).rects
    assert (found[0].click.kind, found[0].click.target) == ("jump", "nextslide")
    assert (found[1].hover.kind, found[1].hover.tooltip, found[1].click) == ("none", "Tip", None)
    assert (found[2].click.kind, found[2].click.target) == ("macro", "Go")
    assert (found[3].click.kind, found[3].click.action) == ("unknown", "ppaction://brew?tea=1")


def test_an_empty_placeholder_is_an_empty_text(presentation, saved):
    presentation.slides.add_slide(presentation.slide_layouts[0])
    slide = saved(presentation).slides[0]
    assert [(t.text, t.placeholder.type) for t in slide.texts] == [
        ("", "ctrTitle"), ("", "subTitle"),
    ]  # fmt: skip
    assert slide.title == ""


def test_body_and_bullets(slide_of, sp, xfrm):
    body = (
        '<a:bodyPr wrap="none" anchor="ctr" lIns="25400" numCol="2"><a:normAutofit '
        'fontScale="50000"/></a:bodyPr><a:p><a:pPr lvl="1" marL="127000" indent="-63500"><a:buChar '
        'char="*"/></a:pPr><a:r><a:rPr sz="2000" strike="sngStrike" u="dbl"/><a:t>x</a:t></a:r>'
        '<a:br/></a:p><a:p><a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr></a:p>'
    )
    (text,) = slide_of(sp("", body, xfrm=xfrm(0, 0, 9, 9))).texts
    assert (text.body.wraps, text.body.anchor, text.body.inset_left) == (False, "middle", 2.0)
    assert (text.body.columns, text.body.autofit, text.body.font_scale) == (2, "shrink", 0.5)
    first, second = text.paragraphs
    assert (first.level, first.margin_left, first.indent) == (1, 10.0, -5.0)
    assert (first.bullet.kind, first.bullet.character) == ("character", "*")
    assert (second.bullet.kind, second.bullet.start) == ("number", 3)
    run = first.runs[0]
    assert (run.font.size, run.font.strike, run.font.underline) == (10.0, "single", "dbl")
    assert run.font.style == ("underscore",)
    assert first.text == "x\v"


def test_a_link_to_a_slide_of_another_deck_says_which(slide_of, related):
    link = '<a:hlinkClick r:id="rO" action="ppaction://hlinkpres?slideindex=2&amp;slidetitle=Two"/>'
    shape = f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="S">{link}</p:cNvPr></p:nvSpPr><p:spPr/></p:sp>'
    slide = slide_of(shape, links=(related("rO", "hyperlink", "other.pptx", "External"),))
    (found,) = slide.elements()
    assert (found.click.kind, found.click.target) == ("file", "other.pptx")
    assert found.click.action == "ppaction://hlinkpres?slideindex=2&slidetitle=Two"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('r:id="rS" action="ppaction://hlinksldjump"', ("slide", "256", "")),
        ('r:id="rS"', ("slide", "256", "")),
        ('r:id="rF"', ("file", "ppt/notes.txt", "")),
        ('r:id="rP" action="ppaction://program"', ("program", "calc.exe", "")),
        ('r:id="rP" action="ppaction://hlinkfile"', ("file", "calc.exe", "")),
        ('r:id="" action="ppaction://customshow?id=3&amp;return=true"',
         ("show", "3", "ppaction://customshow?id=3&return=true")),
        ('r:id="" action="ppaction://ole?verb=0"', ("ole", "", "ppaction://ole?verb=0")),
        ('r:id="" action="ppaction://media"', ("media", "", "")),
        ('r:id="rGone" action="ppaction://hlinksldjump"', ("slide", "", "")),
        ('r:id="rGone"', ("none", "", "")),
        ('r:id="" action="javascript:go()"', ("unknown", "", "javascript:go()")),
    ],
)  # fmt: skip
def test_actions_of_every_kind(slide_of, related, link, expected):
    named = f'<p:cNvPr id="2" name="S"><a:hlinkClick {link}/></p:cNvPr>'
    slide = slide_of(
        f"<p:sp><p:nvSpPr>{named}</p:nvSpPr><p:spPr/></p:sp>",
        links=(
            related("rS", "slide", "slide.xml"),
            related("rF", "hyperlink", "notes.txt"),
            related("rP", "hyperlink", "calc.exe", "External"),
        ),
        parts={"ppt/notes.txt": b"x"},
    )
    click = slide.elements()[0].click
    assert (click.kind, click.target, click.action) == expected


def test_a_picture_for_a_bullet_has_its_bytes(slide_of, sp, related):
    bullet = '<a:buSzPct val="80%"/><a:buBlip><a:blip r:embed="rB"/></a:buBlip>'
    body = f"<a:p><a:pPr>{bullet}</a:pPr><a:r><a:t>x</a:t></a:r></a:p>"
    (text,) = slide_of(
        sp("", body),
        links=(related("rB", "image", "media/dot.png"),),
        parts={"ppt/media/dot.png": b"dot"},
    ).texts
    found = text.paragraphs[0].bullet
    assert (found.kind, found.sha256) == ("picture", hashlib.sha256(b"dot").hexdigest())
    assert (found.size.value, found.size.unit) == (0.8, "share")


def test_all_faces_of_a_run_are_resolved_through_the_theme(parts, of_parts, sp):
    fonts = (
        '<a:fontScheme name="f"><a:majorFont><a:latin typeface="Head"/><a:ea typeface=""/>'
        '<a:cs typeface=""/><a:font script="Jpan" typeface="Mincho"/></a:majorFont><a:minorFont>'
        '<a:latin typeface="Body"/><a:ea typeface="Gothic"/><a:cs typeface="Naskh"/></a:minorFont>'
        "</a:fontScheme>"
    )
    faces = '<a:latin typeface="+mj-lt"/><a:ea typeface="+mj-ea"/>'
    body = (
        '<a:p><a:r><a:t>plain</a:t></a:r><a:r><a:rPr lang="ja-JP">'
        f"{faces}</a:rPr><a:t>both</a:t></a:r></a:p>"
    )
    deck = parts(sp("", body))
    deck["ppt/theme.xml"] = deck["ppt/theme.xml"].replace(
        b"<a:fmtScheme>", fonts.encode() + b"<a:fmtScheme>"
    )
    plain, both = of_parts(deck).slides[0].texts[0].paragraphs[0].runs
    assert (plain.font.name, plain.font.east_asian) == ("Body", "Gothic")
    assert plain.font.complex_script == "Naskh"
    assert (both.font.name, both.font.east_asian) == ("Head", "Mincho")
    assert (both.font.complex_script, both.sources["east_asian"]) == ("Naskh", "run")
