"""Designs on pages: what a theme chooses is drawn, words keep clear of decoration, and decoration
is on the layouts of the native deck."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import ImageFont
from pptx import Presentation
from tests.board.plans import plan_of
from tests.board.test_themes import ratio

from decklab.board.boxes import Shape
from decklab.board.pages.document import DeckPages, PageSizes
from decklab.board.pages.layout import lay_out_deck
from decklab.board.pages.writing import write_pages
from decklab.board.themes import THEMES, DesignTheme, RoleStyle

PLAN = plan_of({"title": "Wells", "language": "en", "slides": [
    {"layout": "title", "title": "Clean water for every village", "subtitle": "Two years"},
    {"layout": "section", "title": "Where the wells stand today"},
    {"layout": "body", "title": "Pumps break", "body": [{"text": "Parts"}, {"text": "Boats"}]},
    {"layout": "section", "title": "What it costs"},
    {"layout": "table", "title": "Repairs", "table": {
        "header": ["District", "Days"], "rows": [["North", "27"], ["East", "61"]]}},
    {"layout": "closing", "title": "Begin with the pumps"},
]})  # fmt: skip


def covers(shape: Shape, x: float, y: float) -> bool:
    """Whether a filled shape covers a point: by hand, for rectangles, ellipses and polygons."""
    left, top, right, bottom = shape.box
    if shape.fill is None or not (left <= x <= right and top <= y <= bottom):
        return False
    if shape.geometry == "ellipse":
        across, down = (right - left) / 2, (bottom - top) / 2
        return ((x - left - across) / across) ** 2 + ((y - top - down) / down) ** 2 <= 1
    inside = not shape.points
    for (x1, y1), (x2, y2) in zip(shape.points, shape.points[1:] + shape.points[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def words_at(style: RoleStyle, display: float) -> Iterator[tuple[float, float]]:
    """Points where a large title and the lines below it may stand: two lines, or four in a narrow
    column."""
    wide = 74 * style.columns
    left = 480 - wide / 2 if style.align == "center" else style.inset
    lines = 4 if style.columns <= 8 else 2
    base = 48 + (296 if style.rise == "low" else 216)
    for x in range(int(left), int(min(left + wide, 912)), 6):
        for y in range(max(int(base - lines * 1.15 * display), 48), base + 72, 6):
            yield x, y


def grounds(theme: DesignTheme, style: RoleStyle, x: float, y: float) -> str:
    under = [shape for shape in style.decor if covers(shape, x, y)]
    return theme.colors.value(under[-1].fill if under and under[-1].fill else style.ground)


@pytest.mark.parametrize("role", ["opening", "section", "ending"])
@pytest.mark.parametrize("name", list(THEMES))
def test_words_of_covers_can_be_read_wherever_they_stand(name: str, role: str) -> None:
    theme = THEMES[name]
    style = theme.role(role)  # type: ignore[arg-type]
    ink = theme.colors.value(style.title)
    weak = [
        at for at in words_at(style, theme.scale.display)
        if ratio(ink, grounds(theme, style, *at)) < 4.5
    ]  # fmt: skip
    assert not weak, (weak[0], weak[-1])
    if style.numeral:
        ink = theme.colors.value(style.numeral)
        for x in range(48, 208, 8):
            for y in range(52, 180, 8):
                assert ratio(ink, grounds(theme, style, x, y)) >= 4.5


def test_sections_count_in_designs_with_numerals_only() -> None:
    for name in THEMES:
        html = DeckPages(PLAN, THEMES[name]).html(PLAN.slides, [PageSizes()] * len(PLAN.slides))
        counted = [number for number in ("01", "02", "03") if f">{number}</p>" in html]
        assert counted == (["01", "02"] if THEMES[name].role("section").numeral else [])


def test_a_title_whose_balanced_lines_hang_by_a_hair_is_not_balanced() -> None:
    """In letters of one width "every village by 2030" is as wide as "Clean water for every"."""
    plan = plan_of({"title": "T", "slides": [
        {"layout": "title", "title": "Clean water for every village by 2030"},
        {"layout": "section", "title": "Clean water for all villages by 2030"},
    ]})  # fmt: skip
    sizes = lay_out_deck(plan, THEMES["carbon"]).sizes
    assert [size.steady for size in sizes] == [False, True]


def test_boxes_of_fonts_with_tall_lines_have_room_too(tmp_path: Path) -> None:
    """Lines of Open Sans overlap: the box is wider than the longer line all the same, by Pillow."""
    plan = plan_of({"title": "T", "slides": [
        {"layout": "title", "title": "Clean water for every village by 2030"},
    ]})  # fmt: skip
    theme = THEMES["dark"]
    deck = lay_out_deck(plan, theme)
    native = Presentation(str(write_pages(deck, tmp_path / "deck.pptx")))
    font = ImageFont.truetype("OpenSans-Bold.ttf", 1000)
    size = deck.sizes[0].title / 1000
    longer = font.getlength("every village by 2030") * size
    one_more = font.getlength("Clean water for every") * size
    title = native.slides[0].shapes.title
    assert title is not None and longer * 1.01 < title.width.pt < one_more


@pytest.mark.long
@pytest.mark.parametrize("name", list(THEMES))
def test_decoration_is_on_layouts_and_words_are_on_slides(name: str, tmp_path: Path) -> None:
    theme = THEMES[name]
    deck = lay_out_deck(PLAN, theme)
    native = Presentation(str(write_pages(deck, tmp_path / "deck.pptx")))
    for slide, plan in zip(native.slides, PLAN.slides, strict=True):
        assert slide.shapes.title is not None and slide.shapes.title.text == plan.title
        bare = [s for s in slide.shapes if s.has_text_frame and not s.text_frame.text.strip()]
        assert not bare, plan.layout
        drawn = [shape for shape in slide.slide_layout.shapes if not shape.is_placeholder]
        assert len(drawn) >= len(theme.role(plan.shown_role).decor), plan.layout


def test_the_words_of_a_full_cover_end_above_the_band_below(tmp_path: Path) -> None:
    cover = {"layout": "title", "title": "Harrow Lane cold store", "byline": "Margit Obasi, May",
             "subtitle": "To close it in January and to rent pallet space " * 2}  # fmt: skip
    laid = lay_out_deck(plan_of({"title": "T", "slides": [cover]}), THEMES["academic"])
    (slide,) = Presentation(str(write_pages(laid, tmp_path / "deck.pptx"))).slides
    (rule,) = [shape.top for shape in slide.slide_layout.shapes if 0 < shape.height < 60_000
               and shape.top > 4_500_000]  # fmt: skip
    ends = [shape.top + shape.height for shape in slide.shapes if shape.has_text_frame]
    assert len(ends) == 3
    assert max(ends) < rule
