"""Icons: which words have one, where they stand, and that PPTX and HTML draw the same."""

import re
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from tests.board.plans import plan_of

from decklab.board.blueprint import DeckPlan
from decklab.board.icons.library import SIDE, icon_for, icons
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.pages.writing import write_pages
from decklab.board.themes import THEMES
from decklab.ooxml.validity.validating import validate_deck
from decklab.rendering.measured import MeasuredPage, PathItem, TextItem

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CARDS = [{"label": "Ships", "text": "More of them"}, {"label": "Risks", "text": "Fewer"}]


def deck(layout: str, items: list[dict[str, str]], language: str = "en") -> DeckPlan:
    names = {"cards": "cards", "big_numbers": "numbers"}
    slide: dict[str, Any] = {"layout": layout, "title": "T", names.get(layout, "steps"): items}
    return plan_of({"title": "T", "language": language, "slides": [slide]})


def laid_out(plan: DeckPlan, theme: str = "light") -> LaidOutDeck:
    return lay_out_deck(plan, THEMES[theme], icons=True)


def drawn(page: MeasuredPage) -> list[PathItem]:
    paths = [item for item in page.items if isinstance(item, PathItem)]
    return [item for item in paths if not re.search("decor|polyline", item.element)]


def test_every_outline_lies_on_its_square() -> None:
    assert 60 <= len(icons()) <= 140
    for icon in icons().values():
        found = re.findall(r"([MLCQZ])([^MLCQZ]*)", icon.path)
        steps = [(command, tuple(map(float, points.split()))) for command, points in found]
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
    pages = laid_out(deck(layout, CARDS), theme)
    (page,) = pages.measured.slides
    texts = [item.box for item in page.items if item.kind == "text"]
    found = drawn(page)
    assert len(found) == 2
    for icon in found:
        left, top, width, height = icon.box
        assert left > 24 and left + width < 936 and top > 108 and top + height < 496
        assert not any(
            left < x + wide and x < left + width and top < y + high and y < top + height
            for x, y, wide, high in texts
        )


def test_numbers_have_icons_too() -> None:
    numbers = [{"value": "42", "label": "Ships"}, {"value": "7 %", "label": "Risks"}]
    (page,) = laid_out(deck("big_numbers", numbers)).measured.slides
    assert len(drawn(page)) == 2


@pytest.mark.parametrize(
    ("items", "language"),
    [
        ([*CARDS, {"label": "Nothing", "text": "of note"}], "en"),
        ([{"label": "Ships"}, {"label": "A fleet"}], "en"),
        (CARDS, "de"),
    ],
)
def test_a_row_has_all_icons_or_none(items: list[dict[str, str]], language: str) -> None:
    (page,) = laid_out(deck("cards", items, language)).measured.slides
    assert drawn(page) == []


def test_full_cards_have_none_and_their_words_stay_as_large() -> None:
    full = [{**card, "text": "More ships than in the years before " * 9} for card in CARDS]
    plan = deck("cards", full)
    bare = lay_out_deck(plan, THEMES["light"])
    pages = laid_out(plan)
    assert pages.sizes[0].text == bare.sizes[0].text
    assert all(not drawn(page) for page in pages.measured.slides)


def test_pptx_and_html_draw_the_same_outline(tmp_path: Path) -> None:
    pages = laid_out(deck("cards", CARDS))
    path = write_pages(pages, tmp_path / "deck.pptx")
    assert [one for one in validate_deck(path) if one.severity == "error"] == []
    groups = [shape for shape in Presentation(str(path)).slides[0].shapes if shape.shape_type == 6]
    body = pages.html.partition("<section")[2]  # before it stands the head of arrows
    outlines = re.findall(r'<path d="(M[^"]+)"', body)
    assert len(groups) == len(outlines) == 2
    for group, outline in zip(groups, outlines, strict=True):
        (shape,) = group.shapes
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", outline)]
        wanted = list(zip(numbers[::2], numbers[1::2], strict=True))
        # In hundredths of a pixel; the square of 24 units has sides of 32 pixels.
        points = [
            (int(at.get("x")) * SIDE / 3200, int(at.get("y")) * SIDE / 3200)
            for at in shape._element.iter(f"{A}pt")
        ]
        for (x, y), (right, down) in zip(points, wanted, strict=True):
            assert x - points[0][0] == pytest.approx(right - wanted[0][0], abs=0.02)
            assert y - points[0][1] == pytest.approx(down - wanted[0][1], abs=0.02)
        line = shape._element.find(f".//{A}ln")
        assert line.find(f"{A}solidFill/{A}schemeClr").get("val") == "accent1"
        assert b"decorative" in etree.tostring(shape._element)


@pytest.mark.parametrize("theme", THEMES)
def test_no_mark_of_a_line_stands_on_its_words(theme: str) -> None:
    words = "Two scripts were written that were made for this server and nothing else"
    cards = [{"label": f"{number} {words}"} for number in range(3)]
    slide = {"layout": "cards", "title": "T", "cards": cards}
    laid = lay_out_deck(
        plan_of({"title": "T", "language": "en", "slides": [slide] * 4}), THEMES[theme]
    )
    for page in laid.measured.slides:
        marks = [item.box for item in page.items if item.element == "decklab-pseudo"]
        texts = [item.box for item in page.items if isinstance(item, TextItem)]
        for left, top, width, height in marks:
            beside = [box for box in texts if box[1] < top + height and top < box[1] + box[3]]
            assert all(box[0] >= left + width or box[0] + box[2] <= left for box in beside)
