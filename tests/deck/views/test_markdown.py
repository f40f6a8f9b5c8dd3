"""Slides as Markdown; markdown-it, another program, reads what was written."""

from typing import Any

import pytest
from markdown_it import MarkdownIt

from decklab.deck.deck import write_samples
from decklab.deck.model.shapes import (
    Bullet,
    Cell,
    Chart,
    Image,
    Paragraph,
    Placeholder,
    Run,
    RunFont,
    Series,
    Table,
    Text,
)
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.deck.views.markdown import deck_markdown, slide_markdown
from decklab.ooxml.package import Package

PLACE: dict[str, Any] = {"x": 0, "y": 0, "w": 100, "h": 100}
FONT = RunFont(name="Arial", size=18, style=(), color="#000000")
DOT = Bullet(kind="character", character="•")


def paragraph(text, level=0, bullet=None):
    return Paragraph(runs=(Run(text=text, font=FONT),), level=level, bullet=bullet)


def text(*paragraphs, **fields):
    words = "\n".join(item.text for item in paragraphs)
    return Text(**PLACE, text=words, font=FONT, align="left", paragraphs=paragraphs, **fields)


def slide(**fields):
    return SlideElements(number=1, title="T", background="#FFFFFF", **fields)


def read(markdown):
    return MarkdownIt("commonmark").enable("table").parse(markdown)


def contents(markdown, kind="inline"):
    """The words as a reader of Markdown gets them."""
    return [
        "".join(child.content for child in token.children or () if child.type == "text")
        for token in read(markdown)
        if token.type == kind
    ]


@pytest.mark.parametrize(
    "words",
    ["1. not a list", "# no heading", "- no item", "a | b", "*stars* [link](x) <b>", "a_b_c"],
)
def test_what_looks_like_markup_is_read_back_as_it_stood(words):
    assert contents(slide_markdown(slide(texts=(text(paragraph(words)),)))) == ["1. T", words]


def test_levels_become_nested_lists_however_deep_they_begin():
    written = slide_markdown(slide(texts=(text(
        paragraph("outer", 2, DOT), paragraph("inner", 5, DOT), paragraph("outer again", 2, DOT),
    ),)))  # fmt: skip
    depths = {token.content: token.level for token in read(written) if token.type == "inline"}
    assert depths["inner"] - depths["outer"] == 2
    assert depths["outer again"] == depths["outer"]
    assert "code_block" not in {token.type for token in read(written)}


def test_tables_and_charts_become_tables_with_all_their_cells():
    table = Table(
        **PLACE, cells=(("a", "b|c"), ("1", "2")),
        rows=((Cell(text="a"), Cell(text="b|c")), (Cell(text="1"), Cell(text="2"))),
    )  # fmt: skip
    chart = Chart(**PLACE, type="bar", title="Heat", series=(
        Series(name="2024", values=(1.5, None), categories=("Oil", "Gas")),
    ))  # fmt: skip
    found = contents(slide_markdown(slide(tables=(table,), charts=(chart,))))
    assert sorted(found[1:]) == sorted(
        ["a", "b|c", "1", "2", "[bar chart: Heat]", "", "2024", "Oil", "1.5", "Gas", ""]
    )


def test_hidden_shapes_decoration_and_footers_are_left_out():
    shown = Image(**PLACE, alt_text="A pump")
    written = slide_markdown(slide(
        texts=(text(paragraph("gone"), hidden=True),
               text(paragraph("7"), placeholder=Placeholder(type="sldNum"))),
        images=(shown, Image(**PLACE, alt_text="dots", decorative=True)),
    ))  # fmt: skip
    assert contents(written) == ["1. T", "[image: A pump]"]


def test_an_empty_slide_is_its_heading():
    assert slide_markdown(SlideElements(number=4, background="#FFFFFF")) == "## 4.\n"


def test_every_text_of_the_samples_is_there(tmp_path):
    for path in write_samples(tmp_path):
        with Package.open(path) as package:
            deck = read_elements(package)
        found = " ".join(contents(deck_markdown(deck)))
        for page in deck.slides:
            for item in page.texts:
                if not item.hidden and (
                    item.placeholder is None or item.placeholder.type == "body"
                ):
                    for part in item.paragraphs:
                        assert " ".join(part.text.split()) in found
