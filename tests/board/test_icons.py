"""Icons: which words have one, where they stand, and that PPTX and HTML draw the same."""

import re
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from tests.board.plans import plan_of

from decklab.board.blueprint import DeckPlan
from decklab.board.boxes import IconBox
from decklab.board.compose import compose
from decklab.board.html_deck import write_html
from decklab.board.icons.library import SIDE, icon_for, icons
from decklab.board.icons.placing import with_icons
from decklab.board.pptx_deck import write_pptx
from decklab.board.themes import THEMES
from decklab.ooxml.validity.validating import validate_deck

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CARDS = [{"label": "Ships", "text": "More of them"}, {"label": "Risks", "text": "Fewer"}]


def deck(layout: str, items: list[dict[str, str]], language: str = "en") -> DeckPlan:
    name = "cards" if layout == "cards" else "steps"
    slide: dict[str, Any] = {"layout": layout, "title": "T", name: items}
    return plan_of({"title": "T", "language": language, "slides": [slide]})


def drawn(plan: DeckPlan, theme: str = "light") -> list[IconBox]:
    (slide,) = with_icons(compose(plan, theme)).slides
    return [item for item in slide.items if isinstance(item, IconBox)]


def test_every_outline_lies_on_its_square() -> None:
    assert 60 <= len(icons()) <= 140
    for icon in icons().values():
        steps = icon.steps
        assert steps[0][0] == "M", icon.name
        numbers = [number for _, points in steps for number in points]
        assert min(numbers) >= 0 and max(numbers) <= SIDE, icon.name
        counts = {"M": 2, "L": 2, "C": 6, "Q": 4, "Z": 0}
        assert all(len(points) == counts[command] for command, points in steps), icon.name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The new crane", "construction"), ("Training for all", "graduation-cap"),
        ("Ships", "ship"), ("We invest in recycling", "recycle"), ("Of it all", ""), ("", ""),
        ("New and old", ""), ("42 %", ""),
    ],
)  # fmt: skip
def test_words_that_have_an_icon(text: str, name: str) -> None:
    found = icon_for(text)
    assert (found.name if found else "") == name


def test_words_of_the_topic_choose_no_icon() -> None:
    found = icon_for("The harbour hired 12 people", topic="The harbour in 2025")
    assert found is not None and found.name == "user-plus"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("layout", ["cards", "process"])
def test_icons_stand_on_their_cards_beside_the_text(theme: str, layout: str) -> None:
    plan = deck(layout, CARDS)
    boxes = drawn(plan, theme)
    (slide,) = compose(plan, theme).slides
    assert len(boxes) in (0, 2)
    for box in boxes:
        assert any(
            item.box.left <= box.box.left and box.box.right <= item.box.right
            and item.box.top <= box.box.top and box.box.bottom <= item.box.bottom
            for item in slide.items
        )  # fmt: skip


@pytest.mark.parametrize(
    ("items", "language"),
    [
        ([*CARDS, {"label": "Nothing", "text": "of note"}], "en"),
        ([{"label": "Ships"}, {"label": "A fleet"}], "en"),
        (CARDS, "de"),
    ],
)
def test_a_row_has_all_icons_or_none(items: list[dict[str, str]], language: str) -> None:
    assert drawn(deck("cards", items, language)) == []
    assert len(drawn(deck("cards", CARDS))) == 2


def test_pptx_and_html_draw_the_same_outline(tmp_path: Path) -> None:
    composed = with_icons(compose(deck("cards", CARDS), "light"))
    path = write_pptx(composed, tmp_path / "deck.pptx")
    assert [one for one in validate_deck(path) if one.severity == "error"] == []
    shapes = [one for one in Presentation(str(path)).slides[0].shapes if "icon" in one.name]
    assert len(shapes) == 2
    write_html(composed, tmp_path / "deck.html")
    outlines = re.findall(r'<path d="(M[^"]+)"', (tmp_path / "deck.html").read_text())
    assert len(outlines) == 2
    for shape, outline in zip(shapes, outlines, strict=True):
        element = shape._element
        points = [
            (int(at.get("x")) / 1000, int(at.get("y")) / 1000) for at in element.iter(f"{A}pt")
        ]
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", outline)]
        assert points == list(zip(numbers[::2], numbers[1::2], strict=True))
        assert element.find(f".//{A}ln").find(f"{A}solidFill/{A}schemeClr").get("val") == "accent1"
        assert b"decorative" in etree.tostring(element)
