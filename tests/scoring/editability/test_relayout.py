import numpy as np
import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.oxml import parse_xml
from tests.drawing import RecordedOffice

from decklab.core.errors import RendererMissing
from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.ooxml.xml import serialize_xml
from decklab.rendering.renderer import Renderer
from decklab.scoring.relayout import (
    LayoutPatch,
    add_patch,
    choose_patches,
    double_texts,
    relayout,
    shows_patch,
    tried_slides,
    write_copy,
)


def texts(root):
    """What python-pptx reads from the changed slide, paragraph by paragraph."""
    namespace = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
    tree = parse_xml(serialize_xml(root))
    return [
        "".join(t.text or "" for t in p.iter(f"{namespace}t")) for p in tree.iter(f"{namespace}p")
    ]


def doubled(draft, opened):
    package, outline = opened(draft)
    root = package.xml(outline.slides[0].part)
    return root, double_texts(root, outline.slides[0])


def test_the_longest_paragraph_is_doubled_and_the_others_stay(draft, opened):
    draft.text(draft.slide(), "short\nthe longest of the three\nlast", (100, 100, 500, 300))
    root, done = doubled(draft, opened)
    assert texts(root) == ["short", "the longest of the three the longest of the three", "last"]
    assert len(done) == 1


def test_all_runs_are_doubled_in_order(draft, opened):
    shape = draft.text(draft.slide(), "plain ", (100, 100, 500, 300))
    run = shape.text_frame.paragraphs[0].add_run()
    run.text, run.font.bold = "bold", True
    root, _ = doubled(draft, opened)
    assert texts(root) == ["plain bold plain bold"]
    assert serialize_xml(root).count(b'b="1"') == 2


def test_each_shape_gets_a_colour_of_its_own_instead_of_fill_and_link(draft, opened):
    slide = draft.slide()
    linked = draft.text(slide, "linked", (100, 100, 500, 200)).text_frame.paragraphs[0].runs[0]
    linked.hyperlink.address = "https://example.org"
    red = draft.text(slide, "red", (100, 300, 500, 400)).text_frame.paragraphs[0].runs[0]
    red.font.color.rgb = RGBColor(255, 0, 0)
    root, done = doubled(draft, opened)
    xml = serialize_xml(root)
    assert len({item.color for item in done}) == 2
    assert b"hlinkClick" not in xml and b"FF0000" not in xml
    for item in done:
        assert xml.count(item.color[1:].encode()) == 2


def test_empty_turned_and_vertical_text_is_left_alone(draft, opened):
    slide = draft.slide()
    draft.text(slide, "  ", (0, 0, 100, 50))
    draft.text(slide, "turned", (200, 0, 300, 50)).rotation = 90
    upright = draft.text(slide, "vertical", (400, 0, 500, 200))
    upright.text_frame._txBody.bodyPr.set("vert", "vert")
    root, done = doubled(draft, opened)
    assert done == [] and texts(root) == ["  ", "turned", "vertical"]


PATCH = LayoutPatch("layout", Box(90, 60, 120, 90), (1,))


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
    shape = Presentation(str(target)).slides[0].slide_layout.shapes[-1]
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


LONG = "A paragraph that is long enough to need a second line once it has been doubled"


def slides_of(draft, opened, count, layouts=(6,)):
    for n in range(count):
        draft.text(draft.slide(layouts[n % len(layouts)]), "words", (0, 0, 100, 50))
    return opened(draft)[1].slides


@pytest.mark.parametrize(("count", "tried"), [(0, 0), (1, 1), (6, 6), (7, 6), (30, 10), (99, 20)])
def test_a_third_of_the_slides_is_tried(draft, opened, count, tried):
    slides = slides_of(draft, opened, count)
    chosen = tried_slides(slides)
    assert len(chosen) == tried
    assert list(chosen) == sorted(set(chosen), key=lambda slide: slide.number)


def test_every_layout_is_tried(draft, opened):
    slides = slides_of(draft, opened, 22, layouts=tuple(range(11)))
    assert {slide.layout for slide in tried_slides(slides)} == {slide.layout for slide in slides}


@pytest.mark.long
@pytest.mark.office
def test_wrapped_text_stays_in_its_box_and_unwrapped_text_leaves_it(draft, opened, office):
    slide = draft.slide()
    wrapped = draft.text(slide, LONG, (100, 100, 500, 300))
    single = draft.text(slide, LONG, (100, 400, 500, 440), wraps=False)
    seen = relayout(*opened(draft), renderer=Renderer(office))
    assert not isinstance(seen, NotScored)
    facts = {fact.shape: fact for fact in seen.reflow}
    inside, outside = facts[wrapped.shape_id], facts[single.shape_id]
    assert inside.lines >= 2 and outside.lines == 1
    assert inside.ink is not None and inside.ink.left > 95 and inside.ink.right < 505
    assert outside.ink is not None and outside.ink.width > 960


@pytest.mark.office
def test_a_patch_shows_on_a_plain_slide_and_not_under_a_picture(draft, opened, office, noise):
    draft.text(draft.slide(5), "words", (100, 200, 400, 300))
    draft.picture(draft.slide(6), noise, (0, 0, 960, 540))
    seen = relayout(*opened(draft), renderer=Renderer(office))
    assert not isinstance(seen, NotScored)
    assert {fact.slide: fact.appeared for fact in seen.inheritance} == {1: True, 2: False}


@pytest.mark.office
def test_slides_that_hide_their_master_do_not_show_the_patch(draft, opened, office):
    slide = draft.slide()
    slide._element.set("showMasterSp", "0")
    draft.text(slide, "words", (100, 200, 400, 300))
    seen = relayout(*opened(draft), renderer=Renderer(office))
    assert not isinstance(seen, NotScored)
    assert [fact.appeared for fact in seen.inheritance] == [False]


def test_a_drawing_that_fails_is_the_reason(draft, opened):
    draft.text(draft.slide(), LONG, (100, 100, 500, 300))
    seen = relayout(*opened(draft), renderer=Renderer(RecordedOffice({})))
    assert seen == NotScored("no PDF was recorded for it")


def test_a_missing_renderer_is_the_reason(draft, opened):
    class Missing(RecordedOffice):
        def pdf(self, path):
            raise RendererMissing(path, "LibreOffice is not installed; apt install office")

    draft.text(draft.slide(), LONG, (100, 100, 500, 300))
    seen = relayout(*opened(draft), renderer=Renderer(Missing({})))
    assert isinstance(seen, NotScored) and "apt install" in seen.reason
