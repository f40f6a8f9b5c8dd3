import pytest

from decklab.scoring.probes.pictures import picture_facts


def test_each_picture_is_placed_measured_and_looked_at(draft, opened, noise, flat):
    slide = draft.slide()
    draft.picture(slide, noise, (0, 0, 320, 240))
    draft.picture(slide, flat, (400, 100, 720, 340))
    photo, graphic = picture_facts(*opened(draft))
    assert (photo.kind, graphic.kind) == ("photo", "graphic")
    assert photo.box == pytest.approx((0, 0, 320, 240))
    assert photo.density == pytest.approx(2.0) == graphic.density
    assert graphic.slide == 1 and graphic.label.startswith("Picture")


def test_boxes_are_clipped_to_the_slide_but_density_is_not(draft, opened, flat):
    draft.picture(draft.slide(), flat, (-320, 0, 320, 480))
    (fact,) = picture_facts(*opened(draft))
    assert fact.box == pytest.approx((0, 0, 320, 480))
    assert fact.density == pytest.approx(1.0)


def test_pictures_off_the_slide_and_hairlines_are_left_out(draft, opened, flat):
    slide = draft.slide()
    draft.picture(slide, flat, (1000, 0, 1300, 200))
    draft.picture(slide, flat, (0, 100, 960, 102))
    assert picture_facts(*opened(draft)) == ()


def test_bars_count_only_where_the_picture_is_large(draft, opened, flat):
    slide = draft.slide()
    draft.picture(slide, flat, (0, 0, 60, 45))
    (fact,) = picture_facts(*opened(draft))
    assert fact.bars == 0


def test_slides_without_pictures_have_no_facts(draft, opened):
    draft.text(draft.slide(), "Words", (0, 0, 100, 50))
    assert picture_facts(*opened(draft)) == ()
