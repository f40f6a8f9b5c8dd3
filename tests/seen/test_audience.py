"""What is left of slides without what cannot be seen."""

from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.util import Pt
from tests.seen.test_computed import WORDS, chart, deck_of, font_of, hidden

from decklab.deck.deck import open_deck
from decklab.seen.audience import audience_slides
from decklab.seen.reader import seen_deck


def two_runs(_slide: Any, box: Any) -> None:
    run = box.text_frame.paragraphs[0].add_run()
    run.text, run.font.size = " in secret", Pt(1)


def test_runs_and_shapes_that_cannot_be_seen_are_missing(tmp_path: Path) -> None:
    with open_deck(deck_of(tmp_path, two_runs, hidden, chart(1, 5_000_000))) as deck:
        runs, nothing, labels = audience_slides(deck.slides, seen_deck(deck).slides)
        assert deck.slides[0].texts[0].text == f"{WORDS} in secret"  # as it was read
    assert [text.text for text in runs.texts] == [WORDS]
    assert not nothing.texts
    (left,) = labels.charts
    assert left.series[0].values == (3.0, 4.0)
    assert left.series[0].categories == ("", "") and left.series[0].name is None


def test_a_title_that_cannot_be_seen_is_no_title(tmp_path: Path) -> None:
    deck = Presentation()
    for size in (30, 1):
        title = deck.slides.add_slide(deck.slide_layouts[5]).shapes.title
        title.text = "Ships"
        font_of(title).size = Pt(size)
    deck.save(str(tmp_path / "titles.pptx"))
    with open_deck(tmp_path / "titles.pptx") as opened:
        slides = audience_slides(opened.slides, seen_deck(opened).slides)
    assert [slide.title for slide in slides] == ["Ships", None]
