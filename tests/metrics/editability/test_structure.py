from dataclasses import replace
from typing import Any

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.deck.model.outline import Background
from decklab.metrics.editability.structure import (
    complex_groups,
    inherits,
    is_pasted_background,
    judge_structure,
    keeps_position,
    loose_clusters,
    pasted_share,
    repeated_objects,
)
from decklab.metrics.editability.verdict import InheritanceFacts


def shown(*appeared):
    return lambda: [InheritanceFacts(n, "l", seen) for n, seen in enumerate(appeared, start=1)]


def scattered(build, count=20):
    return [build.shape((10 * n, 200, 10 * n + 10, 210)) for n in range(count)]


def test_placeholders_and_a_visible_master_pass(build):
    deck = build.deck(*(build.slide(build.title("x")) for _ in range(3)))
    gate = judge_structure(deck, shown(True, True, False))
    assert gate.outcome == "passed"
    assert "2 of 3 (67 %)" in gate.summary and "checked 3 of 3" in gate.summary
    assert [item.severity for item in gate.evidence] == ["info"]


def test_loose_text_on_blank_layouts_is_hardcoded(build, never):
    slides = [build.slide(build.text("Loose words"), layout=build.blank()) for _ in range(3)]
    gate = judge_structure(build.deck(*slides, build.slide(build.title("x"))), never)
    assert gate.outcome == "failed" and "3 of 4 (75 %)" in gate.summary
    assert gate.evidence[0].rule == "editability.hardcoded-layout"
    assert "“Blank”" in gate.evidence[0].message


def test_a_pasted_background_fails_though_titles_are_placeholders(build, never):
    full = (0, 0, 960, 540)
    slides = [build.slide(build.picture(full), build.title("x")) for _ in range(5)]
    gate = judge_structure(build.deck(*slides), never)
    assert gate.outcome == "failed"
    assert gate.evidence[0].rule == "editability.pasted-background"


def test_a_loose_graphic_fails_and_a_grouped_one_passes(build, never):
    loose = build.slide(build.title("x"), *scattered(build))
    gate = judge_structure(build.deck(loose), never)
    assert gate.outcome == "failed" and "1 of 1 are loose" in gate.summary
    grouped = [build.shape((10 * n, 200, 10 * n + 10, 210), groups=(99,)) for n in range(20)]
    deck = build.deck(build.slide(build.title("x"), *grouped))
    assert judge_structure(deck, shown(True)).outcome == "passed"


def test_one_loose_graphic_among_groups_is_only_named(build):
    grouped = [build.shape(groups=(99,)) for _ in range(5)]
    deck = build.deck(build.slide(build.title("x"), *grouped, *scattered(build)))
    gate = judge_structure(deck, shown(True))
    assert gate.outcome == "passed"
    assert [(item.rule, item.severity) for item in gate.evidence] == [
        ("editability.loose-shapes", "warning")
    ]


def test_a_hundred_loose_shapes_fail_whatever_is_grouped(build, never):
    pieces = [build.shape((9 * (n % 20), 9 * (n // 20), 9 * (n % 20) + 9, 9 * (n // 20) + 9))
              for n in range(100)]  # fmt: skip
    groups = [build.shape(groups=(900 + k,)) for k in range(3) for _ in range(5)]
    gate = judge_structure(build.deck(build.slide(build.title("x"), *pieces, *groups)), never)
    assert gate.outcome == "failed"


def test_a_master_that_does_not_show_fails(build):
    deck = build.deck(*(build.slide(build.title("x")) for _ in range(3)))
    gate = judge_structure(deck, shown(True, False, False))
    assert gate.outcome == "failed" and "not on slides 2 and 3" in gate.summary
    assert gate.evidence[0].rule == "editability.covered-layout"


def test_without_a_drawing_the_gate_is_not_scored(build):
    deck = build.deck(build.slide(build.title("x")))
    gate = judge_structure(deck, lambda: NotScored("LibreOffice is missing"))
    assert gate.outcome == "not_scored"


def test_blank_slides_have_no_structure(build, never):
    assert judge_structure(build.deck(build.slide()), never).outcome == "not_applicable"


def row(build, count, *, step=10, **fields):
    return [build.shape((step * n, 100, step * n + 10, 110), **fields) for n in range(count)]


def test_twenty_touching_shapes_are_a_loose_graphic(build):
    wide = [build.shape((40 * n, 100, 40 * n + 40, 110)) for n in range(20)]
    (cluster,) = loose_clusters(build.slide(*wide))
    assert len(cluster.pieces) == 20
    assert cluster.box == Box(0, 100, 800, 110)
    assert loose_clusters(build.slide(*wide[1:])) == []


def test_eight_pieces_close_together_are_a_loose_icon(build):
    assert len(loose_clusters(build.slide(*row(build, 8)))) == 1
    assert loose_clusters(build.slide(*row(build, 7))) == []


def test_pieces_all_over_the_slide_are_a_composition(build):
    pieces = [build.shape((90 * n, 55 * n, 90 * n + 95, 55 * n + 60))
              for n in range(9)]  # fmt: skip
    assert loose_clusters(build.slide(*pieces)) == []


def test_shapes_apart_are_no_cluster(build):
    assert loose_clusters(build.slide(*row(build, 25, step=15))) == []


def test_grouped_labelled_glued_and_large_shapes_are_no_pieces(build):
    for fields in ({"groups": (9,)}, {"placeholder": "pic"}, {"filled": False},
                   {"kind": "connector", "connects": (1, None)}):  # fmt: skip
        assert loose_clusters(build.slide(*row(build, 30, **fields))) == []
    words = [build.text("a", (10 * n, 100, 10 * n + 10, 110), filled=True) for n in range(30)]
    assert loose_clusters(build.slide(*words)) == []
    panel = build.shape((0, 0, 960, 540))
    apart = row(build, 25, step=15)
    assert loose_clusters(build.slide(panel, *apart)) == []


def test_a_hundred_pieces_fail_by_themselves(build):
    pieces = [build.shape((10 * (n % 10), 10 * (n // 10), 10 * (n % 10) + 10, 10 * (n // 10) + 10))
              for n in range(100)]  # fmt: skip
    (cluster,) = loose_clusters(build.slide(*pieces))
    assert cluster.hundreds


def test_groups_count_by_their_outermost_group(build):
    members = [build.shape(groups=(5, 6)) for _ in range(3)] + [build.shape(groups=(5,))] * 2
    assert complex_groups(build.slide(*members, build.shape(groups=(8,)))) == 1
    assert complex_groups(build.slide()) == 0


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
    kinds: tuple[tuple[Any, bool], ...] = (("picture", True), ("gradient", True), ("solid", False))
    for kind, expected in kinds:
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
    (found,) = repeated_objects(deck.slides)
    assert found.slides == (1, 2, 3, 4, 5)
    assert pasted_share([found]) == 1 and is_pasted_background([found])


def test_a_logo_is_pasted_but_no_background(build):
    logo = (850, 10, 950, 60)
    deck = build.deck(*(build.slide(build.picture(logo)) for _ in range(5)))
    found = repeated_objects(deck.slides)
    assert len(found) == 1 and not is_pasted_background(found)


def test_bars_at_two_edges_add_up(build):
    bars = [(0, 0, 960, 80), (0, 460, 960, 540)]
    deck = build.deck(*(build.slide(*(build.shape(bar) for bar in bars)) for _ in range(4)))
    assert is_pasted_background(repeated_objects(deck.slides))


def test_other_pictures_other_places_and_few_slides_are_not_pasted(build):
    different = [build.slide(build.picture(FULL, part=f"{n}.png")) for n in range(5)]
    moved = [build.slide(build.shape((20 * n, 0, 20 * n + 500, 500))) for n in range(5)]
    few = [build.slide(build.picture(FULL)) for _ in range(3)]
    for slides in (different, moved, few):
        assert repeated_objects(build.deck(*slides).slides) == []


def test_the_same_own_background_on_every_slide_is_pasted(build):
    background = build.picture_background()
    deck = build.deck(*(build.slide(build.title("x"), background=background) for _ in range(4)))
    (found,) = repeated_objects(deck.slides)
    assert found.label == "the slide's own background"


def test_titles_and_words_are_never_pasted_background(build):
    deck = build.deck(*(build.slide(build.title("x"), build.text("y")) for _ in range(5)))
    assert repeated_objects(deck.slides) == []


def test_a_placeholder_that_keeps_three_of_its_edges_has_moved(build):
    title = build.title("Words")
    left, top, right, bottom = title.box
    wider = replace(title, box=build.shape((left, top, right + 40, bottom)).box)
    deck = build.deck(build.slide(wider))
    assert not keeps_position(deck.slides[0], deck)


def test_an_icon_is_at_most_so_high_and_so_wide(build):
    """Eight pieces in a row or column that is longer than an icon are a composition."""
    wide = [build.shape((100 + 50 * n, 100, 150 + 50 * n, 110)) for n in range(8)]
    high = [build.shape((100, 100 + 40 * n, 110, 140 + 40 * n)) for n in range(8)]
    small = [build.shape((100, 100 + 10 * n, 110, 110 + 10 * n)) for n in range(8)]
    assert loose_clusters(build.slide(*wide)) == loose_clusters(build.slide(*high)) == []
    (found,) = loose_clusters(build.slide(*small))
    assert found.box == (100, 100, 110, 180)
