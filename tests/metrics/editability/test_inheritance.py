from dataclasses import replace

from decklab.deck.model.outline import Background
from decklab.metrics.editability.inheritance import (
    inherits,
    is_pasted_background,
    keeps_position,
    pasted_objects,
    pasted_share,
)

FULL = (0, 0, 960, 540)


def test_a_filled_placeholder_with_a_counterpart_inherits(build):
    deck = build.deck(build.slide(build.title("Results")))
    assert inherits(deck.slides[0], deck)


def test_an_empty_or_stray_placeholder_does_not(build):
    empty = build.slide(build.title(" "), build.text("Loose words"))
    stray = build.slide(build.title("Words"), layout=build.blank())
    deck = build.deck(empty, stray)
    assert [inherits(slide, deck) for slide in deck.slides] == [False, False]


def test_a_dressed_master_reaches_slides_without_placeholders(build):
    slide = build.slide(build.text("Loose words"), layout=build.blank())
    assert inherits(slide, build.deck(slide, dressed=True))
    assert not inherits(slide, build.deck(slide))


def test_a_background_picture_of_the_layout_counts_and_a_plain_colour_does_not(build):
    slide = build.slide(build.text("Loose"), layout=build.blank())
    deck = build.deck(slide)
    for kind, expected in (("picture", True), ("gradient", True), ("solid", False)):
        layouts = tuple(replace(item, background=Background(kind, None)) for item in deck.layouts)
        assert inherits(slide, replace(deck, layouts=layouts)) is expected


def test_a_slide_without_layout_inherits_nothing(build):
    slide = build.slide(build.title("Words"), layout=None)
    deck = build.deck(slide, dressed=True)
    assert not inherits(slide, deck) and not keeps_position(slide, deck)


def test_a_moved_placeholder_still_inherits_but_not_its_place(build):
    moved = replace(build.title("Words"), box=build.shape((0, 0, 10, 10)).box)
    deck = build.deck(build.slide(moved), build.slide(build.title("Words")))
    assert inherits(deck.slides[0], deck)
    assert [keeps_position(slide, deck) for slide in deck.slides] == [False, True]


def test_a_picture_on_every_slide_is_a_pasted_background(build):
    deck = build.deck(*(build.slide(build.picture(FULL), build.title("x")) for _ in range(5)))
    (found,) = pasted_objects(deck.slides)
    assert found.slides == (1, 2, 3, 4, 5)
    assert pasted_share([found]) == 1 and is_pasted_background([found])


def test_a_logo_is_pasted_but_no_background(build):
    logo = (850, 10, 950, 60)
    deck = build.deck(*(build.slide(build.picture(logo)) for _ in range(5)))
    found = pasted_objects(deck.slides)
    assert len(found) == 1 and not is_pasted_background(found)


def test_bars_at_two_edges_add_up(build):
    bars = [(0, 0, 960, 80), (0, 460, 960, 540)]
    deck = build.deck(*(build.slide(*(build.shape(bar) for bar in bars)) for _ in range(4)))
    assert is_pasted_background(pasted_objects(deck.slides))


def test_other_pictures_other_places_and_few_slides_are_not_pasted(build):
    different = [build.slide(build.picture(FULL, part=f"{n}.png")) for n in range(5)]
    moved = [build.slide(build.shape((20 * n, 0, 20 * n + 500, 500))) for n in range(5)]
    few = [build.slide(build.picture(FULL)) for _ in range(3)]
    for slides in (different, moved, few):
        assert pasted_objects(build.deck(*slides).slides) == []


def test_the_same_own_background_on_every_slide_is_pasted(build):
    background = build.picture_background()
    deck = build.deck(*(build.slide(build.title("x"), background=background) for _ in range(4)))
    (found,) = pasted_objects(deck.slides)
    assert found.label == "the slide's own background"


def test_titles_and_words_are_never_pasted_background(build):
    deck = build.deck(*(build.slide(build.title("x"), build.text("y")) for _ in range(5)))
    assert pasted_objects(deck.slides) == []
