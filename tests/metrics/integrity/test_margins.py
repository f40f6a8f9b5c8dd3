from decklab.metrics.integrity.findings import integrity_findings
from decklab.metrics.integrity.page import Page


def pages(build, gaps):
    """Slides with one text each, so many px from the left edge."""
    slides, drawn = [], []
    for number, gap in enumerate(gaps, start=1):
        text = build.text("Body of text", gap - 7, 200, 300, 40, autofit="grow")
        slides.append(build.slide(text, number=number))
        drawn.append(Page(number, [build.span("Body of text", gap, 205, gap + 90, 221)]))
    return integrity_findings(build.deck(*slides), drawn)


def test_text_against_the_edge_of_a_deck_with_margins(build):
    (found,) = pages(build, [60, 60, 60, 4])
    assert found.rule == "text.margin" and found.slide == 4
    assert found.measured == 4 and "usually keeps 60 px" in found.message


def test_a_deck_without_margins_has_none_to_keep(build):
    assert pages(build, [4, 3, 60, 4]) == []
    assert pages(build, [60, 60, 4]) == []
    assert pages(build, [60, 60, 60, 20]) == []
