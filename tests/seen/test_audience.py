"""What is left of slides without what cannot be seen."""

from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.util import Emu, Pt
from tests.seen.test_computed import WAYS, WORDS, chart, deck_of, font_of, hidden, say

from decklab.core.geometry import Box
from decklab.deck.deck import open_deck
from decklab.rendering.pictures import TextSpan
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


def span(text: str, top: float = 80.0) -> TextSpan:
    return TextSpan(text, Box(90, top, 200, top + 20), "Carlito", 12.0, "#000000", 0)


def test_of_drawn_words_those_are_missing_that_are_only_in_unseen_texts(tmp_path: Path) -> None:
    (slide,) = see(deck_of(tmp_path, two_runs)).slides
    drawn = [span(text) for text in ("Harbour traffic", "doubled", "in secret", "on the master")]
    assert [one.text for one in readable_spans(drawn, slide)] == [
        "Harbour traffic", "doubled", "on the master",
    ]  # fmt: skip


def test_of_a_slide_with_unseen_text_print_too_fine_to_read_is_missing(tmp_path: Path) -> None:
    (slide,) = see(deck_of(tmp_path, two_runs)).slides
    fine = TextSpan("Th e cran e co st", Box(90, 80, 200, 81), "Carlito", 1.0, "#000000", 0)
    assert readable_spans([fine], slide) == []


def test_of_two_texts_with_the_same_words_the_nearer_has_drawn_them(tmp_path: Path) -> None:
    def twice(slide: Any, _box: Any) -> None:
        below = say(slide)
        below.top = Emu(4_000_000)
        font_of(below).size = Pt(1)

    (slide,) = see(deck_of(tmp_path, twice)).slides
    places = [80.0, 315.0]  # 1 million EMU and 4 million are 79 and 315 px
    seen = readable_spans([span(WORDS, top) for top in places], slide)
    assert [one.box.top for one in seen] == [80.0]


def test_no_way_of_hiding_words_leaves_them_to_readers(tmp_path: Path) -> None:
    with open_deck(deck_of(tmp_path, *(way for _, way, _ in WAYS))) as deck:
        slides = audience_slides(deck.slides, seen_deck(deck).slides)
    left = [any(WORDS in text.text for text in slide.texts) for slide in slides]
    assert left == [reason is None for *_, reason in WAYS]
