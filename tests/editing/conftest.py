"""A deck with something of everything that can be edited, and what tests do with it."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt

from decklab.diffing.changes import Change
from decklab.diffing.decks import diff_packages
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate

TITLES = ("Agenda", "A cat and what we found", "The cat again", "A picture", "Links", "Numbers")


def _titled(deck: Any, title: str, body: str) -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = title
    slide.placeholders[1].text = body
    return slide


def _picture() -> BytesIO:
    held = BytesIO()
    Image.new("RGB", (40, 30), (200, 30, 30)).save(held, "PNG")
    held.seek(0)
    return held


def build() -> Any:
    """Six slides: texts, notes, a picture, links, a table and a chart."""
    deck = Presentation()
    bodies = ("Agenda of today\nDRAFT", "The study of art in Q3\nparty", "Second cat", "Below",
              "See our site", "Shares")  # fmt: skip
    for title, body in zip(TITLES, bodies, strict=True):
        _titled(deck, title, body)
    slides = deck.slides
    slides[2].notes_slide.notes_text_frame.text = "Say teh word."
    slides[1].placeholders[1].text_frame.paragraphs[0].runs[0].text = "The st"
    more = slides[1].placeholders[1].text_frame.paragraphs[0].add_run()
    more.text, more.font.bold = "udy of art in Q3", True
    picture = slides[3].shapes.add_picture(_picture(), Inches(1), Inches(4))
    picture.name = "Picture 3"
    picture._element.nvPicPr.cNvPr.set("descr", "red")
    run = slides[4].placeholders[1].text_frame.paragraphs[0].runs[0]
    run.text = "See "
    linked = slides[4].placeholders[1].text_frame.paragraphs[0].add_run()
    linked.text = "our site"
    linked.hyperlink.address = "https://example.com"
    table = slides[5].shapes.add_table(2, 3, Inches(1), Inches(4), Inches(4), Inches(1)).table
    table.cell(1, 2).text = "15 %"
    data = CategoryChartData()
    data.categories = ["North", "South"]
    data.add_series("2025", (3, 4))
    slides[5].shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(6), Inches(2), Inches(3), Inches(3), data
    )
    small = slides[2].placeholders[1].text_frame.paragraphs[0].runs[0].font
    small.size, small.name, small.italic = Pt(12), "Courier New", True
    return deck


@pytest.fixture
def deck() -> Any:
    """The deck, open in python-pptx."""
    return build()


@pytest.fixture(scope="session")
def deck_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The deck in a file; not to be changed."""
    path = tmp_path_factory.mktemp("deck") / "talk.pptx"
    build().save(str(path))
    return path


@pytest.fixture
def edited(deck_file: Path, tmp_path: Path) -> Callable[[Callable[[Any], object]], Any]:
    """Edit a copy with a function; gives the copy as python-pptx reads it back, the changes that
    decklab's diff sees kept in ``changes``. The copy has to be valid."""

    def run(edit: Callable[[Any], object]) -> "Edited":
        prs = Presentation(str(deck_file))
        edit(prs)
        path = tmp_path / "edited.pptx"
        prs.save(str(path))
        with Package.open(deck_file) as before, Package.open(path) as after:
            assert [one for one in validate(after) if one.severity == "error"] == []
            changes = diff_packages(before, after).edits
        return Edited(Presentation(str(path)), changes)

    return run


class Edited:
    """A deck after an edit."""

    def __init__(self, prs: Any, changes: tuple[Change, ...]) -> None:
        self.prs = prs
        self.changes = changes

    @property
    def seen(self) -> set[tuple[int | None, str, str]]:
        """Slide, kind and property of each change."""
        return {(one.slide, one.kind, one.property) for one in self.changes}
