"""Effective styles against what LibreOffice draws of decks made with python-pptx."""

from typing import Any

import numpy as np
import pytest
from bench.styles_witness.styles import read_styles, shown_shapes
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches, Pt
from skimage.color import deltaE_ciede2000, rgb2lab

from decklab.deck.styles.table_styles import BUILTIN_TABLE_STYLES
from decklab.ooxml.package import Package
from decklab.ooxml.xml import qn
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer

DIFFERS = ("Light Style 1", "Dark Style 1")
"""Families whose text LibreOffice paints otherwise than the definitions PowerPoint writes."""


def apart(one, other):
    first, second = (
        rgb2lab(np.array([[[int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]]]))
        for text in (one, other)
    )
    return deltaE_ciede2000(first, second)[0, 0]


def compare(path, office):
    """Check every drawn span against the run of its text; the number of spans."""
    with Package.open(path) as package:
        deck = read_styles(package)
    count = 0
    with open_rendered(path, renderer=Renderer(office), ocr=False) as drawn:
        for slide, page in zip(deck.slides, drawn, strict=True):
            known = dict[Any, Any]()
            for _, shape in shown_shapes(deck, slide):
                cells = [cell for row in shape.table or () for cell in row]
                texts = cells + ([shape.text] if shape.text else [])
                for paragraph in (p for text in texts for p in text.paragraphs):
                    known |= {run.text: run.font for run in paragraph.runs}
            for span in page.spans:
                if span.text not in known:
                    continue
                font = known[span.text]
                assert span.size_pt == pytest.approx(font.size, abs=0.5), span
                assert apart(span.color, font.color) < 2, (span, font.color)
                count += 1
    return count


@pytest.mark.office
def test_placeholders_theme_colours_and_shape_styles(tmp_path, office):
    deck = Presentation()
    opening = deck.slides.add_slide(deck.slide_layouts[0])
    opening.shapes.title.text = "Heading"
    opening.placeholders[1].text = "Subheading"
    plain = deck.slides.add_slide(deck.slide_layouts[6])
    shape = plain.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(1), Inches(1), Inches(3), Inches(1))
    shape.text_frame.text = "OnAccent"
    box = plain.shapes.add_textbox(Inches(1), Inches(3), Inches(8), Inches(3)).text_frame
    for number, brightness in enumerate((-0.5, -0.25, 0.0, 0.4, 0.8)):
        run = box.add_paragraph().add_run()
        run.text = f"Shade{number}"
        run.font.size = Pt(20 + number)
        run.font.color.theme_color = MSO_THEME_COLOR.ACCENT_3
        run.font.color.brightness = brightness
    run = box.add_paragraph().add_run()
    run.text, run.font.color.rgb = "Stated", RGBColor(0x12, 0x80, 0xC0)
    path = tmp_path / "plain.pptx"
    deck.save(path)
    assert compare(path, office) == 9


@pytest.mark.office
def test_text_in_tables_of_built_in_styles(tmp_path, office):
    deck = Presentation()
    shown = [id for id, (family, _) in BUILTIN_TABLE_STYLES.items() if family not in DIFFERS]
    for id in shown[::3]:
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        frame = slide.shapes.add_table(3, 2, Inches(1), Inches(1), Inches(6), Inches(2))
        frame._element.find(f".//{qn('a:tableStyleId')}").text = id
        for row in range(3):
            for column in range(2):
                frame.table.cell(row, column).text = f"cell{row}x{column}"
    path = tmp_path / "tables.pptx"
    deck.save(path)
    assert compare(path, office) == 6 * len(shown[::3])
