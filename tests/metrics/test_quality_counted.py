"""Which slides count: repeats and slides that show little never make a deck better."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.test_quality import SOUND, seen, text

from decklab.deck.model.shapes import Image
from decklab.metrics.quality import counted_slides, quality_rows

FLAWED = tuple(
    text(f"Every line {n} of this slide leans and shouts aloud", (96 + 9 * n, 40 + 90 * n, 700, 60),
         style=("italic",), size=11.0)
    for n in range(4)
)  # fmt: skip


def score(*slides):
    return quality_rows(dict(enumerate(slides, 1)))[0].value


def page(number):
    words = " ".join(f"word{number}x{n}" for n in range(12))
    return seen(text(words, style=("italic",) if number % 2 else ()))


def test_copies_of_the_better_slide_leave_the_score_as_it_is():
    good, bad = seen(*SOUND), seen(*FLAWED)
    once = score(good, bad)
    assert score(good) > once + 5
    assert score(good, bad, *[good] * 12) == pytest.approx(once)
    changed = seen(text("Visits fell in every season", title=True), *SOUND[1:])
    assert score(good, bad, *[changed] * 12) <= once


def test_of_a_slide_and_a_worse_copy_the_worse_one_counts():
    numbers = {1: seen(*SOUND), 2: seen(*SOUND)}
    assert counted_slides(numbers, {1: 0.2, 2: 0.9}) == (2,)


def test_blank_slides_and_bare_titles_do_not_raise_the_score():
    bad = seen(*FLAWED)
    bare = [seen(text(f"Part {n}", (96, 40, 700, 60), title=True)) for n in range(9)]
    assert score(bad, *[seen()] * 9) == pytest.approx(score(bad))
    assert score(bad, *bare) == pytest.approx(score(bad))


def test_a_bare_slide_that_is_worse_than_the_others_counts():
    loud = seen(text("Stop", (0, 0, 960, 10), style=("italic", "underscore"), color="#FF0000"))
    assert score(seen(*SOUND), loud) < score(seen(*SOUND)) - 1


def test_a_deck_of_bare_slides_is_scored_by_them():
    assert counted_slides({1: seen(), 2: seen(text("Part two"))}, {1: 0.0, 2: 0.1}) == (1, 2)


def test_pictures_tell_slides_of_few_words_apart():
    def photo(name):
        picture = Image(x=96.0, y=120.0, w=400.0, h=100.0, sha256=name * 64)
        return seen(text("Views of the quay"), images=(picture,))

    alike = {1: photo("a"), 2: photo("a"), 3: photo("b")}
    assert counted_slides(alike, dict.fromkeys(alike, 0.1)) == (1, 3)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_showing_slides_again_never_raises_the_score(numbers):
    unlike = sorted(set(numbers))
    once = score(*(page(number) for number in unlike))
    assert score(*(page(number) for number in numbers)) <= once + 1e-9
