import pytest

from decklab.linting.rules.every import integrity_findings
from decklab.linting.rules.page import Page
from decklab.seen.seen_slide import SeenPiece, SeenSlide

WORDS = "Nobody reads this"


def piece(text, reason, **fields):
    return SeenPiece("text", text.id, text.name, text=WORDS, reason=reason, **fields)


def findings(build, text, pieces, image=None, size_pt=20.0, **options):
    slide = build.slide(text)
    spans = [build.span(WORDS, text.x + 7, 110, text.x + 207, 130, size_pt=size_pt)]
    seen = SeenSlide(1, tuple(pieces), left_out=options.pop("left_out", ""))
    pages = [Page(1, spans, image)]
    return integrity_findings(build.deck(slide), pages, unscored=True, seen=[seen], **options)


@pytest.mark.parametrize("reason", ["upside down", "animation", "edge-on", "symbols"])
def test_a_text_that_is_not_seen_is_told_and_nothing_about_its_look(build, reason):
    text = build.text(WORDS)
    (found,) = findings(build, text, [piece(text, reason, detail="why")], size_pt=7.0)
    assert found.rule == "text.unseen" and found.severity == "warning"
    assert WORDS in found.message and "why" in found.message


def test_a_rule_that_says_why_a_text_is_not_seen_takes_its_place(build):
    text = build.text(WORDS, size=4.0)
    lost = [piece(text, "small", size=4.0)]
    assert [item.rule for item in findings(build, text, lost, size_pt=4.0)] == ["text.small"]
    image = build.inked([build.span(WORDS, text.x + 7, 110, text.x + 207, 130)])
    rules = [item.rule for item in findings(build, text, lost, image, size_pt=4.0)]
    assert "text.small" in rules and "text.unseen" not in rules


def test_what_is_seen_is_linted_as_before(build):
    text = build.text(WORDS)
    rules = [item.rule for item in findings(build, text, [piece(text, None)], size_pt=7.0)]
    assert rules == ["text.small"]


def test_a_run_that_is_seen_keeps_the_text(build):
    text = build.text(WORDS)
    pieces = [piece(text, "upside down"), piece(text, None)]
    assert [item.rule for item in findings(build, text, pieces, size_pt=7.0)] == ["text.small"]


def test_text_that_the_picture_shows_is_not_covered(build):
    text = build.text(WORDS)
    image = build.inked([build.span(WORDS, text.x + 7, 110, text.x + 207, 130)])
    partly = [piece(text, "covered", share=0.4)]
    assert "text.unseen" not in [one.rule for one in findings(build, text, partly, image)]
    wholly = [piece(text, "covered", share=0.0)]
    assert "text.unseen" in [one.rule for one in findings(build, text, wholly, image)]


def test_text_off_the_slide_and_hidden_shapes_are_meant(build):
    text = build.text(WORDS)
    assert findings(build, text, [piece(text, "off the slide")]) == []
    assert findings(build, text, [piece(text, "hidden")]) == []


def test_a_slide_out_of_the_show_is_linted(build):
    text = build.text(WORDS)
    found = findings(build, text, [piece(text, None)], left_out="the slide is hidden", size_pt=7.0)
    assert [item.rule for item in found] == ["text.small"]


def test_things_that_are_not_seen_have_no_look_either(build):
    picture = build.image(100, 100, 600, 300, pixels=(20, 10))
    lost = SeenPiece("graphic", picture.id, picture.name, reason="animation")
    slide = build.slide(picture)
    pages = [Page(1, [], None)]

    def rules(*pieces):
        seen = [SeenSlide(1, pieces)]
        found = integrity_findings(build.deck(slide), pages, unscored=True, seen=seen)
        return [item.rule for item in found]

    assert rules() == ["picture.coarse"]
    assert rules(lost) == []
