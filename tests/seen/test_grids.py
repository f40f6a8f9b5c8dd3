"""Computed verdicts beside pictures that LibreOffice draws, on decks that a program lays out."""

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Emu, Pt
from tests.drawing import SharedOffice

from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer
from decklab.seen.drawn import AudienceView
from decklab.seen.reader import see
from decklab.seen.seen_slide import PART

pytestmark = [pytest.mark.office, pytest.mark.by_day(1)]

WORDS = "Harbour traffic doubled"
GROUNDS = ("FFFFFF", "000000", "808080", "FFC0CB", "2050A0", "FFFF99")
INKS = (
    "FFFFFF", "F4F4F4", "E0E0E0", "C8C8C8", "B4B4B4", "909090", "606060", "202020", "000000",
    "FF99CC", "FFFF00", "C00000", "208040",
)  # fmt: skip
SIZES = (8.0, 14.0, 24.0)
SCALES = (1.0, 0.6, 0.3, 0.1, 0.02)


def box(shapes: Any, place: tuple[int, int, int], points: float, color: str = "000000") -> Any:
    """A text box; its place is x, y and width in points."""
    x, y, w = place
    made = shapes.add_textbox(Emu(x * 12700), Emu(y * 12700), Emu(w * 12700), Emu(40 * 12700))
    made.text_frame.text = WORDS
    made.text_frame.word_wrap = True
    font = made.text_frame.paragraphs[0].runs[0].font
    font.size, font.color.rgb, font.name = Pt(points), RGBColor.from_string(color), "Carlito"
    return made


def contrasts(deck: Any) -> None:
    """A slide for each ground and size, with a text in each ink."""
    for ground, points in product(GROUNDS, SIZES):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = RGBColor.from_string(ground)
        for number, color in enumerate(INKS):
            place = 40 + 460 * (number % 2), 20 + 70 * (number // 2), 440
            box(slide.shapes, place, points, color)


def groups(deck: Any) -> None:
    """A slide for each depth, with a text in groups of each scale."""
    for depth in (1, 2, 3):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        for row, scale in enumerate(SCALES):
            group = slide.shapes.add_group_shape([box(slide.shapes, (60, 20 + 100 * row, 400), 16)])
            for _ in range(depth - 1):
                group = slide.shapes.add_group_shape([group])
            group.width = Emu(int(group.width * scale))
            group.height = Emu(int(group.height * scale))


Verdict = tuple[str, float | None, bool, bool]
"""Where it is, its size, and whether it is seen as computed and as drawn."""


def verdicts(fill: Callable[[Any], None], folder: Path, office: SharedOffice) -> Iterator[Verdict]:
    deck = Presentation()
    deck.slide_width, deck.slide_height = Pt(960), Pt(540)
    fill(deck)
    path = folder / "grid.pptx"
    deck.save(str(path))
    renderer = Renderer(office)
    with open_rendered(path, renderer=renderer, ocr=False) as drawn:
        view = AudienceView(path, drawn, renderer=renderer)
        for slide in see(path).slides:
            for piece in slide.pieces:
                sight = view.text(slide.number, piece.id, piece.text)
                place = f"slide {slide.number}, {piece.name}: {piece.reason}, {sight}"
                yield place, piece.size, piece.reason is None, sight.share >= PART


@pytest.mark.long
def test_ink_that_stands_off_as_computed_does_so_as_drawn(
    tmp_path: Path, office: SharedOffice
) -> None:
    """Of large text the drawing asks for more than the computation."""
    found = list(verdicts(contrasts, tmp_path, office))
    assert len(found) == len(GROUNDS) * len(SIZES) * len(INKS)
    assert [place for place, _, computed, drawn in found if drawn and not computed] == []
    # Thin strokes of small letters are drawn paler than their colour: 10 were apart, measured.
    small = [one for one in found if (one[1] or 0) < 18]
    apart = [place for place, _, computed, drawn in small if computed != drawn]
    assert len(apart) <= 0.08 * len(small), apart


def test_text_in_scaled_groups_is_seen_as_drawn_until_its_words_break(
    tmp_path: Path, office: SharedOffice
) -> None:
    """Programs keep the size of letters in a group that is drawn smaller: its shapes get narrow."""
    found = list(verdicts(groups, tmp_path, office))
    assert len(found) == 3 * len(SCALES)
    for number, (place, size, computed, drawn) in enumerate(found):
        assert size == pytest.approx(16)
        scale = SCALES[number % len(SCALES)]
        if scale >= 0.3:
            assert (computed, drawn) == (True, True), place
        elif scale <= 0.02:  # 8 px, which is no room for two letters between the margins
            assert not computed, place
