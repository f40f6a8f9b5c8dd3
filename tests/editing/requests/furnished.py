"""A deck with something of everything that requests name, and what reads it back."""

from pathlib import Path
from typing import Any

from PIL import Image
from pptx.util import Emu, Pt
from tests.editing.conftest import build

from decklab.editing.arranging import group_shapes
from decklab.editing.chart_parts import set_axis_title, set_legend, show_data_labels, show_gridlines
from decklab.editing.charts import add_series, set_chart_title
from decklab.editing.motion import add_animation, set_transition
from decklab.editing.placing import outline_shape, set_background
from decklab.editing.slides import add_section, hide_slide
from decklab.editing.tables import merge_cells
from decklab.editing.texts import set_footer, show_slide_numbers

TABLE = (("Region", "2024", "2025"), ("North", "3", "15 %"), ("South", "4", "17 %"))


def furnished(folder: Path, request: str) -> Path:
    """The deck of the editing tests with boxes, a full table, pictures beside it, and what a
    request takes away again."""
    deck = build()
    for place, name in enumerate(("Plan", "Do", "Check")):
        box = deck.slides[0].shapes.add_shape(
            1, Emu(914400 * (1 + 2 * place)), Emu(5486400 + 90000 * place),
            Emu(914400 + 90000 * place), Emu(457200),
        )  # fmt: skip
        box.name = name
    note = deck.slides[3].shapes.add_textbox(Emu(5486400), Emu(914400), Emu(1828800), Emu(457200))
    note.name, note.text_frame.text = "Picture note", "note here"
    note.text_frame.paragraphs[0].font.size = Pt(14)
    old = next(shape for shape in deck.slides[5].shapes if shape.has_table)
    frame = old.left, old.top, old.width, old.height
    old._element.getparent().remove(old._element)
    table = deck.slides[5].shapes.add_table(3, 3, *frame).table
    for row, texts in enumerate(TABLE):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    _put_in_what_goes(deck, request)
    Image.new("RGB", (40, 30), (200, 30, 30)).save(folder / "logo.png")
    Image.new("RGB", (60, 80), (1, 2, 200)).save(folder / "new.png")
    build().save(str(folder / "other.pptx"))
    deck.save(str(folder / "talk.pptx"))
    return folder / "talk.pptx"


def _put_in_what_goes(deck: Any, request: str) -> None:
    if "Pair" in request:
        group_shapes(deck, 1, ["Plan", "Do"], "Pair")
    if "section" in request and "add the section" not in request:
        add_section(deck, "Findings", 3)
    wanted = {
        "all transitions": lambda: set_transition(deck, "cut"),
        "all animations": lambda: add_animation(deck, 5, "Title 1"),
        "remove the footer": lambda: set_footer(deck, "Old"),
        "unhide": lambda: hide_slide(deck, 4),
        "remove slide numbers": lambda: show_slide_numbers(deck),
        "remove the background": lambda: set_background(deck, "red"),
        "remove the title of the chart": lambda: set_chart_title(deck, 6, "Old"),
        "remove the title of the value": lambda: set_axis_title(deck, 6, "value", "Old"),
        "hide the data labels": lambda: show_data_labels(deck, 6),
        "remove the legend": lambda: set_legend(deck, 6, "top"),
        "remove the series": lambda: add_series(deck, 6, "Second", [7, 8]),
        "show the gridlines": lambda: show_gridlines(deck, 6, False),
        "split cell": lambda: merge_cells(deck, 6, (1, 1), (1, 2)),
        "remove the border": lambda: outline_shape(deck, 4, "Picture 3", "red", 2),
    }
    for words, put in wanted.items():
        if words in request:
            put()
    if "outdent" in request:
        deck.slides[0].placeholders[1].text_frame.paragraphs[1].level = 1


def shape(deck: Any, number: int, name: str) -> Any:
    """A shape of a slide by its name; ``title``, ``body``, ``table`` and ``chart`` stand for it."""
    slide = deck.slides[number - 1]
    if name == "title":
        return slide.shapes.title
    if name == "body":
        return slide.placeholders[1]
    if name == "table":
        return next(one for one in slide.shapes if one.has_table).table
    if name == "chart":
        return next(one for one in slide.shapes if one.has_chart).chart
    return next(one for one in slide.shapes if one.name == name)


def lines(deck: Any, number: int) -> list[str]:
    """The lines of a slide's body."""
    return [line.text for line in shape(deck, number, "body").text_frame.paragraphs]


def cells(deck: Any) -> list[list[str]]:
    """The texts of the table on slide 6."""
    table = shape(deck, 6, "table")
    return [[cell.text for cell in row.cells] for row in table.rows]


def titles(deck: Any) -> list[str]:
    """The titles of all slides."""
    return [slide.shapes.title.text_frame.text for slide in deck.slides]


def runs(deck: Any, number: int, name: str) -> list[Any]:
    """The runs of a shape's text."""
    frame = shape(deck, number, name).text_frame
    return [run for line in frame.paragraphs for run in line.runs]


def words(deck: Any) -> str:
    """All words of titles, bodies and notes, one text a line."""
    texts = []
    for slide in deck.slides:
        texts += [one.text_frame.text for one in slide.shapes if one.has_text_frame]
        if slide.has_notes_slide:
            texts.append(slide.notes_slide.notes_text_frame.text)
    return "\n".join(texts)
