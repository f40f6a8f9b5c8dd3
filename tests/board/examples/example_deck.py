"""Example decks built with python-pptx: what a company's old slides look like."""

from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches, Pt

FOOTER = "Acme internal use"
OLD_WORDS = "Zebra quarterly figures"


def photograph(width: int = 400, height: int = 300) -> BytesIO:
    """A JPEG picture without clear parts."""
    image = Image.effect_noise((width, height), 60).convert("RGB")
    file = BytesIO()
    image.save(file, "JPEG")
    file.seek(0)
    return file


def company_deck(path: Path) -> Path:
    """Title, section, bullets, two more like them, cards, chart, table, picture, thanks."""
    prs: Any = Presentation()
    titled(prs, 0, "Zebra strategy review", subtitle="Quarterly zebra board meeting")
    titled(prs, 2, "Zebra markets overview")
    for number in range(3):
        slide = titled(prs, 1, f"Zebra plan number {number}")
        frame = slide.placeholders[1].text_frame
        frame.text = "Zebra outer point"
        frame.paragraphs[0].runs[0].font.bold = True
        inner = frame.add_paragraph()
        inner.level, inner.text = 1, "Zebra inner point"
        inner.runs[0].font.color.rgb = RGBColor(0x11, 0x66, 0x22)
        if number == 1:
            note(slide, "Zebra loose remark", 6.5)
    cards(prs, 3)
    chart(prs)
    table(prs)
    slide = titled(prs, 5, "Zebra in a picture")
    picture = slide.shapes.add_picture(photograph(), Inches(1), Inches(2), Inches(5), Inches(4))
    picture._element.nvPicPr.cNvPr.set("descr", "Zebra standing in grass")
    titled(prs, 0, "Thank you zebra friends")
    for slide in prs.slides:
        box = slide.shapes.add_textbox(Inches(0.3), Inches(7), Inches(3), Inches(0.4))
        box.text_frame.text = FOOTER
        slide.notes_slide.notes_text_frame.text = "Zebra speaker notes here"
    prs.core_properties.title = OLD_WORDS
    prs.save(str(path))
    return path


def titled(prs: Any, layout: int, title: str, *, subtitle: str = "") -> Any:
    """A slide on a layout of python-pptx's own template."""
    slide = prs.slides.add_slide(prs.slide_layouts[layout])
    slide.shapes.title.text = title
    for holder in list(slide.placeholders):
        if subtitle and holder.placeholder_format.idx == 1:
            holder.text_frame.text = subtitle
            holder.text_frame.paragraphs[0].runs[0].hyperlink.address = "https://zebra.example"
    return slide


def note(slide: Any, text: str, top: float) -> None:
    """A small loose text."""
    box = slide.shapes.add_textbox(Inches(7), Inches(top), Inches(2), Inches(0.4))
    box.text_frame.text = text
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(14)


def cards(prs: Any, count: int) -> None:
    """Filled cards in a row, each with a heading and a text on it."""
    slide = titled(prs, 5, "Zebra services at a glance")
    for place in range(count):
        left = Inches(0.6 + place * 3)
        back = slide.shapes.add_shape(
            MSO_SHAPE.ROUNDED_RECTANGLE, left, Inches(2), Inches(2.7), Inches(3.4)
        )
        back.fill.solid()
        back.fill.fore_color.rgb = RGBColor(0xDD, 0xEE, 0xFF)
        for text, top, size, bold in (
            (f"Zebra card {place}", 2.2, 22, True), ("Zebra text of a card", 3.0, 16, False)
        ):  # fmt: skip
            box = slide.shapes.add_textbox(
                left + Inches(0.2), Inches(top), Inches(2.3), Inches(0.6)
            )
            box.text_frame.word_wrap = True
            box.text_frame.text = text
            font = box.text_frame.paragraphs[0].runs[0].font
            font.size, font.bold = Pt(size), bold


def chart(prs: Any) -> None:
    """A chart with titled axes, a fixed limit and dollars on its values."""
    slide = titled(prs, 5, "Zebra revenue by quarter")
    data: Any = CategoryChartData(number_format='"$"#,##0')
    data.categories = ["Zebra east", "Zebra west"]
    data.add_series("Zebra sales", (1000, 2000))
    frame = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1.8), Inches(8), Inches(4.8), data
    )
    native = frame.chart
    native.value_axis.maximum_scale = 2500
    native.value_axis.has_title = True
    native.value_axis.axis_title.text_frame.text = "Zebra dollars earned"
    series = native.plots[0].series[0]
    series.format.fill.solid()
    series.format.fill.fore_color.rgb = RGBColor(0xAA, 0x22, 0x33)


def table(prs: Any) -> None:
    """A table of three rows and two columns."""
    slide = titled(prs, 5, "Zebra costs by region")
    frame = slide.shapes.add_table(3, 2, Inches(1), Inches(1.8), Inches(8), Inches(2))
    for row in range(3):
        for column in range(2):
            frame.table.cell(row, column).text = f"Zebra cell {row} {column}"
