import numpy as np
import pytest
from pptx import Presentation

from decklab.geometry import Box
from decklab.ooxml.xml import serialize_xml
from decklab.scoring.probes.copies import write_copy
from decklab.scoring.probes.patching import Patch, add_patch, choose_patches, shows_patch

PATCH = Patch("layout", Box(90, 60, 120, 90), (1,))


def test_a_patch_avoids_what_stands_on_the_slides(draft, opened):
    slides = [draft.slide() for _ in range(2)]
    draft.text(slides[0], "left", (0, 0, 460, 540))
    draft.text(slides[1], "top", (0, 0, 960, 260))
    _, outline = opened(draft)
    (patch,) = choose_patches(outline, outline.slides)
    assert patch.slides == (1, 2)
    assert patch.box.left >= 460 and patch.box.top >= 260


def test_a_full_slide_picture_is_not_avoided(draft, opened, noise):
    draft.picture(draft.slide(), noise, (0, 0, 960, 540))
    _, outline = opened(draft)
    (patch,) = choose_patches(outline, outline.slides)
    assert patch.slides == (1,)


def test_slides_that_leave_no_room_are_not_asked_about(draft, opened):
    slide = draft.slide()
    draft.text(slide, "left", (0, 0, 500, 540))
    draft.text(slide, "right", (460, 0, 960, 540))
    _, outline = opened(draft)
    (patch,) = choose_patches(outline, outline.slides)
    assert patch.slides == ()


def test_the_patch_is_a_shape_of_the_layout_that_python_pptx_reads(draft, opened, tmp_path):
    draft.text(draft.slide(), "words", (0, 0, 500, 200))
    package, outline = opened(draft)
    (patch,) = choose_patches(outline, outline.slides)
    root = package.xml(patch.layout)
    add_patch(root, patch, outline.size_emu)
    target = write_copy(
        package, tmp_path / "copy.pptx", slides={outline.slides[0].part},
        replace={patch.layout: serialize_xml(root)},
    )  # fmt: skip
    shape = Presentation(target).slides[0].slide_layout.shapes[-1]
    assert shape.name == "Patch"
    assert (shape.left, shape.width) == (round(patch.box.left * 12700), 30 * 12700)


@pytest.mark.parametrize(("share", "seen"), [(1.0, True), (0.5, True), (0.1, False), (0.0, False)])
def test_a_patch_is_seen_where_enough_of_it_shows(share, seen):
    image = np.full((270, 480, 3), 255, np.uint8)
    image[30:45, 45 : 45 + round(15 * share)] = (255, 0, 254)
    assert shows_patch(image, PATCH) is seen


def test_a_patch_is_not_seen_in_other_colours():
    image = np.full((270, 480, 3), (200, 0, 254), np.uint8)
    assert not shows_patch(image, PATCH)
