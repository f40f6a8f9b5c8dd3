import pytest

from decklab.core.geometry import Box
from decklab.core.results import Finding
from decklab.pages.pictures import SlidePicture
from decklab.scoring.reports.deck_page import LEAST_WIDTH, SHAPE, crop_of

PNG = b"\x89PNG\r\n\x1a\n"
WIDE = {1: SlidePicture(PNG, 960, 540)}
SQUARE = {1: SlidePicture(PNG, 960, 720)}


def finding(box: Box | None, slide: int | None = 1) -> Finding:
    return Finding(rule="text.small", severity="info", message="", slide=slide, box=box)


def holds(outer: Box, inner: Box) -> bool:
    return outer.intersection(inner) == inner


@pytest.mark.parametrize(
    "box", [Box(0, 0, 30, 12), Box(930, 520, 960, 540), Box(300, 10, 340, 530), Box(0, 0, 960, 540)]
)
@pytest.mark.parametrize("pictures", [WIDE, SQUARE])
def test_a_cut_holds_its_mark_at_a_size_one_can_read(
    box: Box, pictures: dict[int, SlidePicture]
) -> None:
    cut = crop_of(finding(box), pictures)
    assert cut is not None and cut.mark is not None
    assert holds(cut.view, cut.mark)
    assert cut.view.width >= LEAST_WIDTH
    assert cut.view.width / cut.view.height == pytest.approx(SHAPE)


def test_a_mark_on_a_slide_of_another_shape_moves_with_it() -> None:
    cut = crop_of(finding(Box(0, 270, 96, 540)), SQUARE)
    assert cut is not None and cut.mark == Box(0, 360, 96, 720)


def test_a_small_mark_in_a_corner_is_cut_within_the_slide() -> None:
    cut = crop_of(finding(Box(940, 530, 955, 538)), WIDE)
    assert cut is not None and holds(Box(0, 0, 960, 540), cut.view)


@pytest.mark.parametrize("box", [None, Box(970, 0, 990, 20), Box(5, 5, 5, 5)])
def test_without_a_box_on_the_slide_the_whole_slide_is_shown(box: Box | None) -> None:
    cut = crop_of(finding(box), WIDE)
    assert cut is not None and (cut.mark, cut.view) == (None, Box(0, 0, 960, 540))


def test_there_is_no_cut_without_a_slide_or_its_picture() -> None:
    assert crop_of(finding(None, slide=None), WIDE) is None
    assert crop_of(finding(None, slide=2), WIDE) is None
