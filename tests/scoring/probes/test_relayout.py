import pytest

from decklab.errors import RendererMissing
from decklab.rendering.office.office import RecordedOffice
from decklab.results import NotScored
from decklab.scoring.probes.relayout import relayout, tried_slides

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


@pytest.mark.office
def test_wrapped_text_stays_in_its_box_and_unwrapped_text_leaves_it(draft, opened, libreoffice):
    slide = draft.slide()
    wrapped = draft.text(slide, LONG, (100, 100, 500, 300))
    single = draft.text(slide, LONG, (100, 400, 500, 440), wraps=False)
    seen = relayout(*opened(draft), office=libreoffice)
    assert not isinstance(seen, NotScored)
    facts = {fact.shape: fact for fact in seen.reflow}
    inside, outside = facts[wrapped.shape_id], facts[single.shape_id]
    assert inside.lines >= 2 and outside.lines == 1
    assert inside.ink is not None and inside.ink.left > 95 and inside.ink.right < 505
    assert outside.ink is not None and outside.ink.width > 960


@pytest.mark.office
def test_a_patch_shows_on_a_plain_slide_and_not_under_a_picture(draft, opened, libreoffice, noise):
    draft.text(draft.slide(5), "words", (100, 200, 400, 300))
    draft.picture(draft.slide(6), noise, (0, 0, 960, 540))
    seen = relayout(*opened(draft), office=libreoffice)
    assert not isinstance(seen, NotScored)
    assert {fact.slide: fact.appeared for fact in seen.inheritance} == {1: True, 2: False}


@pytest.mark.office
def test_slides_that_hide_their_master_do_not_show_the_patch(draft, opened, libreoffice):
    slide = draft.slide()
    slide._element.set("showMasterSp", "0")
    draft.text(slide, "words", (100, 200, 400, 300))
    seen = relayout(*opened(draft), office=libreoffice)
    assert not isinstance(seen, NotScored)
    assert [fact.appeared for fact in seen.inheritance] == [False]


def test_a_drawing_that_fails_is_the_reason(draft, opened):
    draft.text(draft.slide(), LONG, (100, 100, 500, 300))
    seen = relayout(*opened(draft), office=RecordedOffice({}))
    assert seen == NotScored("no PDF was recorded for it")


def test_a_missing_renderer_is_the_reason(draft, opened):
    class Missing(RecordedOffice):
        def pdf(self, path):
            raise RendererMissing(path, "LibreOffice is not installed; apt install libreoffice")

    draft.text(draft.slide(), LONG, (100, 100, 500, 300))
    seen = relayout(*opened(draft), office=Missing({}))
    assert isinstance(seen, NotScored) and "apt install" in seen.reason
