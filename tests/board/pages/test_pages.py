"""Pages laid out by the browser: every word is there, sizes fit, long slides become several."""

import asyncio
import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation
from tests.board.pages.words import words_of
from tests.board.plans import every_layout, plan_of

from decklab.board.blueprint import DeckPlan
from decklab.board.pages.document import DeckPages, PageSizes
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.pages.writing import write_pages
from decklab.board.themes import THEMES
from decklab.core.errors import PlanError
from decklab.rendering.measured import TextItem


@pytest.fixture(scope="module")
def german(pictures: Path) -> LaidOutDeck:
    """Each layout once, with long words."""
    return lay_out_deck(every_layout("german", pictures), THEMES["light"])


@pytest.mark.parametrize("theme", list(THEMES))
def test_every_layout_shows_every_word_of_its_plan(theme: str, pictures: Path) -> None:
    plan = every_layout("short", pictures)
    pages = DeckPages(plan, THEMES[theme])
    shown = words_of(pages.html(plan.slides, [PageSizes()] * len(plan.slides)))
    for slide, words in zip(plan.slides, shown, strict=True):
        cells = [] if slide.table is None else [*slide.table.header, *slide.table.rows[0]]
        for text in (*re.split(": ", " ".join(slide.texts)), *cells):
            assert all(word in words for word in text.split()), (slide.layout, text)


def test_words_with_marks_of_html_stay_words() -> None:
    plan = plan_of({"title": "<b>", "slides": [
        {"layout": "body", "title": "a < b & c", "body": [{"text": "<script>x</script>"}]},
    ]})  # fmt: skip
    pages = DeckPages(plan, THEMES["light"])
    html = pages.html(plan.slides, [PageSizes()])
    assert "<script>" not in html and "a < b & c" in words_of(html)[0]


@pytest.mark.long
def test_sizes_fit_and_titles_take_two_lines(german: LaidOutDeck) -> None:
    assert all(12 <= size.text <= 28 for size in german.sizes)
    body = [size for slide, size in zip(german.slides, german.sizes, strict=True)
            if slide.shown_role == "body" and slide.layout != "statement"]  # fmt: skip
    assert all(24 <= size.title <= 32 and size.text <= size.title - 2 for size in body)
    assert list(german.places) == sorted(german.places)


def body(count: int, **more: object) -> dict[str, object]:
    points = [{"text": f"Point {number} says what the survey of the wells says"}
              for number in range(count)]  # fmt: skip
    return {"layout": "body", "title": "Wells", "body": points, **more}


@pytest.mark.long
def test_a_slide_with_many_points_becomes_several_with_all_of_them() -> None:
    plan = plan_of({"title": "T", "slides": [body(2), body(24, key=0, notes="Say it."), body(8)]})
    deck = lay_out_deck(plan, THEMES["light"])
    parts = [slide for slide, place in zip(deck.slides, deck.places, strict=True) if place == 1]
    count = len(parts)
    assert count > 1 and len(deck.slides) == count + 2
    assert [point for slide in parts for point in slide.body] == list(plan.slides[1].body)
    assert [slide.title for slide in parts] == [f"Wells ({at + 1}/{count})" for at in range(count)]
    assert [slide.notes for slide in parts] == ["Say it.", *[""] * (count - 1)]
    assert all(slide.key is None for slide in parts)
    sizes = [size.text for size in deck.sizes]
    assert sizes[0] == max(sizes) <= min(sizes) + 8 and min(sizes) >= 16


@pytest.mark.long
@pytest.mark.parametrize(
    ("slide", "problem"),
    [
        ({"layout": "body", "title": "water " * 60, "body": [{"text": "a"}]},
         "(body): the title takes more than two lines"),
        ({"layout": "quote", "title": "T", "quote": {"text": "word " * 600}},
         "(quote): the text does not fit at 12 pt"),
    ],
)  # fmt: skip
def test_what_no_size_holds_is_one_clear_line(slide: dict[str, object], problem: str) -> None:
    plan = plan_of({"title": "T", "slides": [body(1), slide]})
    with pytest.raises(PlanError, match=re.escape(f"slide 2 {problem}")):
        lay_out_deck(plan, THEMES["light"])


@pytest.mark.long
def test_a_large_title_does_not_end_in_one_short_word() -> None:
    title = "Clean water for every village by 2030"
    plan = plan_of({"title": "T", "slides": [{"layout": "title", "title": title}]})
    (page,) = lay_out_deck(plan, THEMES["playful"]).measured.slides
    (shown,) = [item for item in page.items if isinstance(item, TextItem) and item.text == title]
    first, second = (line.right - line.left for line in shown.lines)
    assert second > first / 2


@pytest.mark.long
def test_native_slides_have_the_layouts_words_charts_and_tables(
    german: LaidOutDeck, tmp_path: Path
) -> None:
    deck = Presentation(str(write_pages(german, tmp_path / "deck.pptx")))
    assert len(deck.slides) == len(german.slides)
    for slide, plan in zip(deck.slides, german.slides, strict=True):
        assert slide.shapes.title is not None and slide.shapes.title.text_frame.text == plan.title
        assert any(shape.has_chart for shape in slide.shapes) == (plan.chart is not None)
        assert any(shape.has_table for shape in slide.shapes) == (plan.table is not None)
    colors = THEMES["light"].colors
    theme = next(part for part in deck.part.package.iter_parts() if "theme" in str(part.partname))
    assert f'<a:accent1><a:srgbClr val="{colors.accent[1:]}"' in theme.blob.decode()
    again = write_pages(german, tmp_path / "again.pptx")
    assert again.read_bytes() == (tmp_path / "deck.pptx").read_bytes()


@pytest.mark.parametrize(
    ("data", "said"),
    [(None, "cannot be read: No such file"), (b"no picture", "cannot be read"), (b"", "cannot")],
)
def test_a_picture_that_cannot_be_read_is_one_line_that_names_the_slide(
    data: bytes | None, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "crane.png"
    if data is not None:
        path.write_bytes(data)
    shown = {"path": str(path), "alt": "A crane", "kind": "photograph"}
    plan = plan_of({"title": "T", "slides": [
        {"layout": "picture_full", "title": "T", "picture": shown}]})  # fmt: skip
    with pytest.raises(PlanError, match=r"^slide 1 \(picture_full\): picture .*" + said):
        lay_out_deck(plan, THEMES["light"])


def test_a_tiff_is_shown(tmp_path: Path) -> None:
    Image.new("CMYK", (8, 4), (0, 255, 255, 0)).save(tmp_path / "red.tiff")
    shown = {"path": str(tmp_path / "red.tiff"), "alt": "Red", "kind": "photograph"}
    plan = plan_of({"title": "T", "slides": [
        {"layout": "picture_full", "title": "T", "picture": shown}]})  # fmt: skip
    pages = lay_out_deck(plan, THEMES["light"])
    out = write_pages(pages, tmp_path / "deck.pptx")
    (picture,) = [
        shape for shape in Presentation(str(out)).slides[0].shapes if shape.shape_type == 13
    ]
    with Image.open(BytesIO(picture.image.blob)) as image:
        assert image.size == (8, 4) and image.convert("RGB").getpixel((0, 0)) == (255, 0, 0)


def test_an_empty_deck_is_no_plan() -> None:
    with pytest.raises(ValueError):
        DeckPlan(title="T", slides=())


@pytest.mark.long
def test_sections_and_notes_of_the_plan_are_those_of_the_deck_also_beside_an_event_loop(
    tmp_path: Path,
) -> None:
    slides = [
        {"layout": "section", "title": name, "section": name, "notes": f"Say {name}"}
        for name in ("Wells", "Pumps")
    ]
    plan = plan_of({"title": "T", "sections": ["Wells", "Pumps"], "slides": slides})

    async def laid_out() -> LaidOutDeck:
        return lay_out_deck(plan, THEMES["light"])

    out = write_pages(asyncio.run(laid_out()), tmp_path / "deck.pptx")
    deck = Presentation(str(out))
    listed = deck.part._element.xpath(".//*[local-name()='section']/@name")
    assert listed == ["Wells", "Pumps"]
    assert [slide.notes_slide.notes_text_frame.text for slide in deck.slides] == [
        "Say Wells", "Say Pumps",
    ]  # fmt: skip


@pytest.mark.chromium
@pytest.mark.parametrize("theme", ["light", "journal", "carbon"])
def test_long_numbers_stay_beside_each_other(theme: str) -> None:
    values = ("4.2 million euros", "18,000 containers", "4.3 million euros", "4 days")
    numbers = [{"value": value, "label": "in a year"} for value in values]
    plan = plan_of({"title": "T", "slides": [
        {"layout": "big_numbers", "title": "A", "numbers": numbers},
        {"layout": "number_wall", "title": "B", "numbers": [*numbers, numbers[0]]},
    ]})  # fmt: skip
    for page in lay_out_deck(plan, THEMES[theme]).measured.slides:
        shown = [item for item in page.items if isinstance(item, TextItem) and item.text in values]
        spans = [(min(line.left for line in item.lines), max(line.right for line in item.lines))
                 for item in shown]  # fmt: skip
        rows = [spans[:4]] if len(spans) == 4 else [spans[:3], spans[3:]]
        for row in rows:
            assert all(here[1] < there[0] for here, there in pairwise(row))
