"""Quality on slides made here: each flaw alone, whole decks, and ladders of damage."""

from dataclasses import replace
from math import exp

import pytest

from decklab.core.geometry import Box
from decklab.deck.deck import write_samples
from decklab.deck.model.base import Font
from decklab.deck.model.shapes import Image, Placeholder, Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.evals.perturb.constants import AXES
from decklab.evals.perturb.deck import perturb, taken_apart
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.metrics.quality import (
    DECK_WEIGHTS,
    PARTS,
    SLIDE_WEIGHTS,
    MeasuredSlide,
    deck_flaws,
    layout_flaws,
    quality_rows,
    slide_costs,
    style_flaws,
    unknown_quality_rows,
)
from decklab.ooxml.package import Package

FONT = Font(name="Arial", size=20.0, style=(), color="#222222")


def text(words, box=(96, 120, 700, 60), *, title=False, **font):
    x, y, w, h = map(float, box)
    return Text(
        x=x, y=y, w=w, h=h, text=words, font=FONT.model_copy(update=font), align="left",
        placeholder=Placeholder(type="title") if title else None,
    )  # fmt: skip


def slide(*texts, images=(), number=1):
    return SlideElements(number=number, background="#FFFFFF", texts=texts, images=images)


def seen(*texts, images=(), regions=(), **facts):
    return MeasuredSlide(slide(*texts, images=images), regions, **facts)


SOUND = (
    text("Visits grew in every season", (96, 40, 700, 60), title=True),
    text("The harbour opened a second pier", (96, 140, 700, 60)),
    text("Most guests came by train and on foot", (96, 220, 700, 60)),
    text("Winter was the slowest part of the year", (96, 300, 700, 60)),
)


def test_the_score_is_the_product_of_its_parts_by_hand():
    faint = seen(*SOUND, faint=0.5, english=True)
    rows = {row.metric: row.value for row in quality_rows({1: faint}) if row.slide is None}
    assert set(rows) == {"quality.score", *(f"quality.{part}" for part in PARTS)}
    product = 100.0
    for part in PARTS:
        product *= rows[f"quality.{part}"] / 100
    assert rows["quality.score"] == pytest.approx(product)
    costs = slide_costs(faint)
    assert costs["style.faint"] == pytest.approx(0.5 * SLIDE_WEIGHTS["style"]["faint"])
    style = sum(cost for name, cost in costs.items() if name.startswith("style."))
    assert rows["quality.style"] == pytest.approx(100 * exp(-style))


def test_gains_say_what_the_score_would_be_without_a_flaw():
    with_flaw = {1: seen(*SOUND, faint=0.8)}
    without = {1: seen(*SOUND)}
    (score, *_), (better, *_) = quality_rows(with_flaw), quality_rows(without)
    gain = score.evidence["gains"]["style.faint"]
    assert gain == pytest.approx(better.value - score.value, abs=0.06)
    assert list(score.evidence["gains"].values()) == sorted(
        score.evidence["gains"].values(), reverse=True
    )


@pytest.mark.parametrize("slides", [{}, {1: seen()}, {1: seen(text("", (0, 0, 0, 0)))}])
def test_degenerate_decks_have_a_score_or_a_reason(slides):
    score = quality_rows(slides)[0]
    if slides:
        assert 0 < score.value <= 100
    else:
        assert score.reason == "the deck has no slide that can be measured"
    assert all(row.value is None for row in unknown_quality_rows())


def test_a_stretched_picture_and_a_cramped_text_are_named():
    square = Image(x=96.0, y=120.0, w=400.0, h=100.0, pixels=(100, 100))
    assert layout_flaws(seen(images=(square,)))["stretched"] == 1
    words = " ".join(["word"] * 60)
    assert layout_flaws(seen(text(words, (96, 120, 300, 30))))["cramped"] > 0.7
    assert layout_flaws(seen(text("word", (96, 120, 300, 30))))["cramped"] == 0


def test_weights_of_one_family_are_one_typeface():
    two = seen(text("a", name="Segoe UI"), text("b", name="Segoe UI Semibold"))
    assert style_flaws(two)["typefaces"] == 0
    assert style_flaws(seen(text("a"), text("b", name="Georgia")))["typefaces"] > 0


def test_flaws_of_whole_decks():
    def page(place, words=3):
        body = text(" ".join(["word"] * words), (96, 200, 700, 200))
        return seen(text("A title", (*place, 700, 60), title=True), body)

    even = [page((96, 40)) for _ in range(4)]
    assert set(deck_flaws(even)) == set(DECK_WEIGHTS)
    assert deck_flaws(even)["titles_apart"] == 0
    apart = [page((96, 40)), page((96, 40)), page((300, 200)), page((30, 400))]
    assert deck_flaws(apart)["titles_apart"] == 0.5
    assert deck_flaws([*even, seen(text("no title"))])["untitled"] == pytest.approx(0.2)
    assert deck_flaws([page((96, 40), words=120)])["dense"] == 1
    assert deck_flaws([page((96, 40), words=20)])["only_text"] == 1


def test_spelling_counts_in_english_only():
    wrong = text("tje hqrbour opwned a secind pirr and wqs besutiful", (96, 120, 700, 60))
    assert slide_costs(seen(wrong, english=True))["words.misspelt"] > 0.1
    assert slide_costs(seen(wrong))["words.misspelt"] == 0
    known = frozenset(wrong.text.split())
    assert slide_costs(seen(wrong, english=True, known=known))["words.misspelt"] == 0


@pytest.fixture(scope="module")
def sample_slides(tmp_path_factory):
    path = write_samples(tmp_path_factory.mktemp("samples"))[1]
    with Package.open(path) as package:
        return [taken_apart(one) for one in read_elements(package).slides]


@pytest.mark.parametrize("axis", AXES)
def test_damage_lowers_the_score_at_every_severity(axis, sample_slides):
    """Ladders of paper 000 on a sample deck, judged from elements alone."""

    def score(severity):
        slides = {}
        for one in sample_slides:
            damaged = perturb(one, axis, severity, key=one.number)
            boxes = [(Box(t.x, t.y, t.x + t.w, t.y + t.h), t.text) for t in damaged.texts]
            regions = [TextRegion(box, words, box) for box, words in boxes]
            slides[one.number] = MeasuredSlide(damaged, regions, english=True)
        return quality_rows(slides)[0].value

    clean, *damaged = [score(severity) for severity in (0, 0.2, 0.4, 0.6, 0.8, 1)]
    assert all(worse < clean - 2 for worse in damaged)
    assert damaged[-1] < damaged[0]


def test_texts_on_top_of_each_other_crowd_a_slide_by_their_common_area():
    apart = (text("One", (0, 0, 400, 200)), text("Two", (500, 300, 400, 200)))
    assert layout_flaws(seen(*apart))["crowded"] == 0
    half = (text("One", (0, 0, 400, 200)), text("Two", (200, 0, 400, 200)))
    assert layout_flaws(seen(*half))["crowded"] == pytest.approx(200 * 200 / (960 * 540))
    three = (*half, text("Three", (0, 100, 400, 200)))
    common = 200 * 200 + 400 * 100 + 200 * 100  # one and two, one and three, two and three
    assert layout_flaws(seen(*three))["crowded"] == pytest.approx(common / (960 * 540))


def test_what_is_not_seen_makes_no_slide_better_and_hiding_flaws_mends_none():
    flawed = text("tiny words over each other", (96, 40, 700, 60), size=6.0)
    whole, bare = seen(*SOUND, flawed), seen(*SOUND)
    hidden_flaw = replace(bare, stated=whole)
    hidden_grace = replace(whole, stated=bare)
    worse, better = (sum(slide_costs(case).values()) for case in (whole, bare))
    assert worse > better > 0
    assert sum(slide_costs(hidden_flaw).values()) == pytest.approx(worse)
    assert sum(slide_costs(hidden_grace).values()) == pytest.approx(worse)
