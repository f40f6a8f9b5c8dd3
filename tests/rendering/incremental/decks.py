"""A deck in which every slide holds another thing that may change when a deck is drawn in part."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.util import Pt

from decklab.ooxml.xml import NAMESPACES, qn, serialize_xml

Change = Callable[[bytes], bytes]
ChangePart = Callable[..., Path]

TITLE, NUMBER, PICTURE, CHART, LINK, HIDDEN, DATE, TABLE = range(1, 9)
"""What each slide of the rich deck is there for."""

_SECTIONS = (
    '<p:extLst xmlns:p="{p}"><p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}">'
    '<p14:sectionLst xmlns:p14="{p14}"><p14:section name="All" '
    'id="{{7A1E4A08-0E43-4A0C-9D2E-0F6D0F2A7B11}}"><p14:sldIdLst>{slides}</p14:sldIdLst>'
    "</p14:section></p14:sectionLst></p:ext></p:extLst>"
)


def write_rich_deck(path: Path) -> Path:
    """Eight slides: title, number, picture, chart, link to the title, hidden, date, table."""
    deck = Presentation()
    slides = [
        _slide(deck, f"Slide {number}", 0 if number == TITLE else 1) for number in range(1, 9)
    ]
    _add_field(slides[NUMBER - 1], "slidenum", "99")
    _add_field(slides[DATE - 1], "datetime1", "1/1/2001")
    slides[PICTURE - 1].shapes.add_picture(_picture("red"), Pt(100), Pt(300), Pt(90), Pt(60))
    _add_chart(slides[CHART - 1])
    body = slides[LINK - 1].placeholders[1]
    body.click_action.target_slide = slides[TITLE - 1]
    jump = slides[LINK - 1].shapes.add_textbox(Pt(100), Pt(400), Pt(300), Pt(40))
    jump.text_frame.text = "to the start"
    run = jump.text_frame.paragraphs[0].runs[0]
    run.hyperlink.address = "https://example.invalid/"
    link = run._r.find(f"{qn('a:rPr')}/{qn('a:hlinkClick')}")
    link.set("action", "ppaction://hlinksldjump")
    link.set(qn("r:id"), body._element.find(f".//{qn('a:hlinkClick')}").get(qn("r:id")))
    slides[HIDDEN - 1]._element.set("show", "0")
    table = slides[TABLE - 1].shapes.add_table(2, 2, Pt(100), Pt(300), Pt(300), Pt(80)).table
    table.cell(0, 0).text = "cell"
    slides[TITLE - 1].notes_slide.notes_text_frame.text = "said, not shown"
    _add_sections(deck)
    deck.save(str(path))
    return path


def replacing(old: str, new: str) -> Change:
    """A change of text in a part."""
    return lambda data: data.replace(old.encode(), new.encode())


def picture_bytes(color: str) -> bytes:
    """A PNG of one colour."""
    out = BytesIO()
    Image.new("RGB", (12, 8), color).save(out, "PNG")
    return out.getvalue()


def _picture(color: str) -> BytesIO:
    return BytesIO(picture_bytes(color))


def _slide(deck: Deck, title: str, layout: int) -> Slide:
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    slide.shapes.title.text = title
    slide.placeholders[1].text = f"Body of {title}"
    return slide


def _add_field(slide: Slide, kind: str, text: str) -> None:
    box = slide.shapes.add_textbox(Pt(400), Pt(450), Pt(200), Pt(40))
    paragraph = box.text_frame.paragraphs[0]._p
    field = etree.SubElement(
        paragraph, qn("a:fld"), {"id": "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}", "type": kind}
    )
    etree.SubElement(field, qn("a:rPr"), {"lang": "en-US"})
    etree.SubElement(field, qn("a:t")).text = text


def _add_chart(slide: Slide) -> None:
    data: Any = CategoryChartData()
    data.categories = ["a", "b"]
    data.add_series("one", (1.0, 3.0))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Pt(350), Pt(250), Pt(250), Pt(200), data)


def _add_sections(deck: Deck) -> None:
    slides = "".join(f'<p14:sldId id="{slide.slide_id}"/>' for slide in deck.slides)
    root = deck.part._element
    for old in root.findall(qn("p:extLst")):
        root.remove(old)
    text = _SECTIONS.format(p=NAMESPACES["p"], p14=NAMESPACES["p14"], slides=slides)
    root.append(etree.fromstring(text))
    root.set("firstSlideNum", "1")


def xml_change(edit: Callable[[etree._Element], object]) -> Change:
    """A change made to the tree of a part."""

    def change(data: bytes) -> bytes:
        root = etree.fromstring(data)
        edit(root)
        return serialize_xml(root)

    return change
