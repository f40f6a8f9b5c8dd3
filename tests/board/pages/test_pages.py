"""Pages laid out by the browser: every word is there, sizes fit, long slides become several."""

import asyncio
import re
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation
from tests.board.plans import every_layout, plan_of

from decklab.board.blueprint import LAYOUT_NAMES, DeckPlan
from decklab.board.pages.document import DeckPages, PageSizes
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.pages.writing import write_pages
from decklab.board.themes import THEMES
from decklab.core.errors import PlanError


class _Words(HTMLParser):
    """The words of each section, without styles and drawings."""

    def __init__(self) -> None:
        super().__init__()
        self.sections: list[str] = []
        self._skipped = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "section":
            self.sections.append("")
        self._skipped += tag in ("style", "svg", "title")

    def handle_endtag(self, tag: str) -> None:
        self._skipped -= tag in ("style", "svg", "title")

    def handle_data(self, data: str) -> None:
        if self.sections and not self._skipped:
            self.sections[-1] += data


def words_of(html: str) -> list[str]:
    parser = _Words()
    parser.feed(html)
    return parser.sections


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pictures")


@pytest.fixture(scope="module")
def german(pictures: Path) -> LaidOutDeck:
    """Each layout once, with long words."""
    return lay_out_deck(every_layout("german", pictures), THEMES["light"])


@pytest.mark.parametrize("theme", list(THEMES))
def test_every_layout_shows_every_word_of_its_plan(theme: str, pictures: Path) -> None:
    plan = every_layout("short", pictures)
    pages = DeckPages(plan, THEMES[theme])
    shown = words_of(pages.html(plan.slides, [PageSizes()] * len(plan.slides)))
    assert {slide.layout for slide in plan.slides} == set(LAYOUT_NAMES)
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
    assert all(12 <= size.text <= 24 for size in german.sizes)
    body = [size.title for slide, size in zip(german.slides, german.sizes, strict=True)
            if slide.shown_role == "body"]  # fmt: skip
    assert len(set(body)) == 1 and 20 <= body[0] <= 28
    assert list(german.places) == sorted(german.places)


@pytest.mark.long
def test_a_slide_with_many_points_becomes_several_with_all_of_them() -> None:
    points = [
        {"text": f"Point {number} says what the survey of the wells says"} for number in range(24)
    ]
    plan = plan_of({"title": "T", "slides": [{"layout": "body", "title": "Wells", "body": points}]})
    deck = lay_out_deck(plan, THEMES["light"])
    assert len(deck.slides) > 1 and set(deck.places) == {0}
    assert [point.text for slide in deck.slides for point in slide.body] == [
        point["text"] for point in points
    ]
    assert deck.slides[0].title == f"Wells (1/{len(deck.slides)})"


@pytest.mark.long
def test_a_title_that_no_size_holds_is_one_clear_line() -> None:
    plan = plan_of({"title": "T", "slides": [
        {"layout": "body", "title": "water " * 60, "body": [{"text": "a"}]}]})  # fmt: skip
    with pytest.raises(PlanError, match=r"slide 1 \(body\): the title takes more than two lines"):
        lay_out_deck(plan, THEMES["light"])


@pytest.mark.long
def test_native_slides_have_the_layouts_words_charts_and_tables(
    german: LaidOutDeck, tmp_path: Path
) -> None:
    deck = Presentation(str(write_pages(german, THEMES["light"], tmp_path / "deck.pptx")))
    assert len(deck.slides) == len(german.slides)
    for slide, plan in zip(deck.slides, german.slides, strict=True):
        assert slide.shapes.title is not None and slide.shapes.title.text_frame.text == plan.title
        assert any(shape.has_chart for shape in slide.shapes) == (plan.chart is not None)
        assert any(shape.has_table for shape in slide.shapes) == (plan.table is not None)
    colors = THEMES["light"].colors
    theme = next(part for part in deck.part.package.iter_parts() if "theme" in str(part.partname))
    assert f'<a:accent1><a:srgbClr val="{colors.accent[1:]}"' in theme.blob.decode()
    again = write_pages(german, THEMES["light"], tmp_path / "again.pptx")
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
    out = write_pages(pages, THEMES["light"], tmp_path / "deck.pptx")
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

    out = write_pages(asyncio.run(laid_out()), THEMES["light"], tmp_path / "deck.pptx")
    deck = Presentation(str(out))
    listed = deck.part._element.xpath(".//*[local-name()='section']/@name")
    assert listed == ["Wells", "Pumps"]
    assert [slide.notes_slide.notes_text_frame.text for slide in deck.slides] == [
        "Say Wells", "Say Pumps",
    ]  # fmt: skip
