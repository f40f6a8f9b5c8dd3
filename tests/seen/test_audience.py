"""What is left of slides without what cannot be seen."""

from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.util import Pt
from tests.seen.test_computed import WAYS, WORDS, chart, deck_of, font_of, hidden, say

from decklab.core.geometry import Box
from decklab.deck.deck import open_deck
from decklab.rendering.model import TextSpan
from decklab.seen.audience import audience_slides, readable_spans
from decklab.seen.reader import see, seen_deck


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


def test_of_drawn_words_those_are_missing_that_are_only_in_unseen_texts(tmp_path: Path) -> None:
    def span(text: str) -> TextSpan:
        return TextSpan(text, Box(0, 0, 9, 9), "Carlito", 12.0, "#000000", 0)

    def twice(slide: Any, box: Any) -> None:
        two_runs(slide, box)
        font_of(say(slide, "Harbour secret plan")).size = Pt(1)

    (slide,) = see(deck_of(tmp_path, twice)).slides
    drawn = [span(text) for text in ("Harbour traffic", "doubled", "in secret", "plan", "Harbour")]
    assert [one.text for one in readable_spans(drawn, slide)] == [
        "Harbour traffic", "doubled", "Harbour",
    ]  # fmt: skip


def test_no_way_of_hiding_words_leaves_them_to_readers(tmp_path: Path) -> None:
    with open_deck(deck_of(tmp_path, *(way for _, way, _ in WAYS))) as deck:
        slides = audience_slides(deck.slides, seen_deck(deck).slides)
    left = [any(WORDS in text.text for text in slide.texts) for slide in slides]
    assert left == [reason is None for *_, reason in WAYS]
