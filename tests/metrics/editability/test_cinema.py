import pytest

from decklab.metrics.editability.cinema import judge_cinema, reading_order_share


def test_a_static_show_fails(build):
    gate = judge_cinema(build.deck(build.slide(build.title("x"))))
    assert gate.outcome == "failed" and gate.summary.startswith("The show is static")


def test_transitions_or_animations_on_half_the_slides_pass(build):
    title = build.title("x")
    still, fades = build.slide(title), build.slide(title, transition="fade")
    builds = build.slide(title, animated=(title.id,))
    runs = build.slide(title, advances_after_ms=2000)
    for moving in (fades, builds, runs):
        assert judge_cinema(build.deck(moving, still)).outcome == "passed"
        assert judge_cinema(build.deck(moving, still, still)).outcome == "failed"


def test_hidden_slides_do_not_count(build):
    fades = build.slide(build.title("x"), transition="fade")
    hidden = [build.slide(build.title("x"), hidden=True)] * 3
    assert judge_cinema(build.deck(fades, *hidden)).outcome == "passed"


def test_linked_or_missing_media_fail_whatever_moves(build):
    for medium in (build.media(part=None, link="file:///C:/clip.mp4"), build.media(part=None)):
        gate = judge_cinema(build.deck(build.slide(medium, transition="fade")))
        assert gate.outcome == "failed"
        assert gate.evidence[0].rule == "editability.linked-media"
    embedded = judge_cinema(build.deck(build.slide(build.media(), transition="fade")))
    assert embedded.outcome == "passed" and "1 of 1 media files are embedded" in embedded.summary


def test_the_build_order_is_compared_with_the_reading_order(build):
    top, left, right = (build.text("x", box) for box in
                        ((0, 0, 10, 10), (0, 100, 10, 110), (500, 102, 510, 112)))  # fmt: skip
    read = build.slide(top, left, right, animated=(top.id, left.id, right.id))
    mixed = build.slide(top, left, right, animated=(left.id, right.id, top.id))
    assert reading_order_share(read) == 1
    assert reading_order_share(mixed) == pytest.approx(0.5)
    assert reading_order_share(build.slide(top, animated=(top.id,))) is None
    assert reading_order_share(build.slide(top, animated=(top.id, 777))) is None
