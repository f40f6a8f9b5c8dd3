from hashlib import sha256

from pptx import Presentation

from decklab.ooxml.package import Package
from decklab.scoring.relayout import light_media, write_copy


def test_a_copy_keeps_the_slides_asked_for_and_the_deck_untouched(draft, opened, tmp_path):
    for words in ("one", "two", "three"):
        draft.text(draft.slide(), words, (100, 100, 400, 150))
    package, outline = opened(draft)
    before = sha256(package.path.read_bytes()).digest()
    kept = {outline.slides[0].part, outline.slides[2].part}
    target = write_copy(package, tmp_path / "copy.pptx", slides=kept, replace={})
    texts = [slide.shapes[0].text_frame.text for slide in Presentation(str(target)).slides]
    assert texts == ["one", "three"]
    assert sha256(package.path.read_bytes()).digest() == before


def test_links_to_slides_that_are_gone_are_taken_out(draft, opened, tmp_path):
    first, second = draft.slide(), draft.slide()
    button = draft.text(first, "Next", (100, 100, 400, 150))
    button.click_action.target_slide = second
    package, outline = opened(draft)
    part = outline.slides[0].part
    assert b"hlinksldjump" in package.read(part)
    target = write_copy(package, tmp_path / "copy.pptx", slides={part}, replace={})
    with Package.open(target) as copy:
        assert b"hlinksldjump" not in copy.read(part)


def test_heavy_rasters_become_a_pixel_and_covering_ones_a_thumbnail(draft, opened, noise, flat):
    draft.picture(draft.slide(), noise, (0, 0, 960, 540))
    package, outline = opened(draft)
    picture = outline.slides[0].shapes[0].picture
    assert picture is not None and picture.part is not None
    light = light_media(package)
    assert list(light) == [picture.part] and len(light[picture.part]) < 100
    covering = light_media(package, {picture.part})
    assert len(light[picture.part]) < len(covering[picture.part]) < len(noise) / 10


def test_copies_are_the_same_bytes_every_time(draft, opened, tmp_path):
    draft.text(draft.slide(), "one", (100, 100, 400, 150))
    package, outline = opened(draft)
    kept = {outline.slides[0].part}
    one = write_copy(package, tmp_path / "a.pptx", slides=kept, replace={}).read_bytes()
    assert one == write_copy(package, tmp_path / "b.pptx", slides=kept, replace={}).read_bytes()
