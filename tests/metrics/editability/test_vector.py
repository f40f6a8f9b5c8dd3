from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.editability.graphics import is_blurred, judge_vector, logos
from decklab.metrics.editability.verdict import PictureFacts

FULL = (0, 0, 960, 540)
HALF = (0, 0, 480, 540)


def fact(slide=1, box=HALF, kind="graphic", density=1.0, part="a.png"):
    return PictureFacts(slide, 7, "Picture", part, Box(*box), density, kind)


def judge(build, facts, *slides):
    return judge_vector(build.deck(*slides), lambda: facts)


def test_only_drawings_with_too_few_pixels_blur():
    assert is_blurred(fact(density=5.2))
    assert not is_blurred(fact(density=5.4))
    assert not is_blurred(fact(kind="photo"))
    assert not is_blurred(fact(kind="wash"))
    assert not is_blurred(fact(kind="vector", density=None))


def test_a_deck_of_screenshots_fails(build):
    slides = [build.slide(build.picture(HALF)) for _ in range(3)]
    gate = judge(build, [fact(n, part=f"{n}.png") for n in (1, 2, 3)], *slides)
    assert gate.outcome == "failed" and "3 of 3" in gate.summary
    assert gate.evidence[0].rule == "editability.raster-graphic"
    assert "5.3 times too few" in gate.evidence[0].message


def test_photographs_pass_unremarked(build):
    gate = judge(build, [fact(kind="photo")], build.slide(build.picture(HALF)))
    assert gate.outcome == "passed" and gate.evidence == ()


def test_native_drawings_outweigh_a_small_raster(build):
    small = (0, 0, 200, 120)
    slide = build.slide(build.picture(small), build.chart((400, 100, 900, 500)))
    gate = judge(build, [fact(box=small)], slide)
    assert gate.outcome == "passed"
    assert [item.severity for item in gate.evidence] == ["warning"]


def test_a_background_panel_does_not_outweigh_a_screenshot(build):
    slide = build.slide(build.shape(FULL), build.picture(HALF))
    assert judge(build, [fact()], slide).outcome == "failed"


def test_text_slides_count_as_slides_without_raster(build):
    text = [build.slide(build.title("Only words here")) for _ in range(4)]
    gate = judge(build, [fact()], build.slide(build.picture(HALF)), *text)
    assert gate.outcome == "passed" and "1 of 5 (20 %)" in gate.summary


def test_full_slide_drawings_fail_at_any_sharpness(build):
    slides = [
        build.slide(build.picture(FULL), build.text("Words over the drawing")) for _ in range(4)
    ]
    facts = [fact(n, FULL, density=9.0, part=f"{n}.png") for n in (1, 2, 3, 4)]
    gate = judge(build, facts, *slides)
    assert gate.outcome == "failed"
    assert {item.rule for item in gate.evidence} == {"editability.baked-slide"}


def test_one_background_on_all_slides_is_left_to_gate_3(build):
    slides = [build.slide(build.picture(FULL), build.text("Words")) for _ in range(5)]
    gate = judge(build, [fact(n, FULL, part="same.png") for n in range(1, 6)], *slides)
    assert gate.outcome == "passed"


def test_a_small_mark_at_one_place_is_a_logo():
    place, elsewhere = (10, 10, 110, 60), (500, 300, 600, 350)
    assert logos([fact(n, place) for n in (1, 2, 3)]) == {"a.png"}
    assert logos([fact(n, place) for n in (1, 2)]) == set()
    assert logos([fact(1, place), fact(2, place), fact(3, elsewhere)]) == set()
    assert logos([fact(n, HALF) for n in (1, 2, 3)]) == set()


def test_text_alone_has_nothing_to_zoom_into(build):
    assert judge(build, [], build.slide(build.title("Hi"))).outcome == "not_applicable"


def test_a_probe_that_failed_is_passed_on(build):
    gate = judge(build, NotScored("no pixels"), build.slide(build.shape()))
    assert gate.outcome == "not_scored" and "no pixels" in gate.summary
