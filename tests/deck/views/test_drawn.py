"""Which element a drawn span belongs to."""

from dataclasses import dataclass
from itertools import product
from math import hypot
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.deck.model.base import Font
from decklab.deck.model.shapes import Table, Text
from decklab.deck.views.drawn import claim, match


@dataclass
class Drawn:
    text: str
    box: Box
    size_pt: float = 20.0
    color: str = "#000000"
    line: int = 0


def text(words, x, y):
    font = Font(name="A", size=20.0, style=(), color="#000000")
    return Text(x=x, y=y, w=200.0, h=40.0, text=words, font=font, align="left")


def drawn(words, x, y):
    return Drawn(words, Box(x, y, x + 40, y + 12))


def matched(elements, spans):
    claims: list[Any] = [claim(item) for item in elements]
    match(claims, spans)
    return [[span.box.left for span in item.spans] for item in claims]


def test_of_repeated_words_each_has_the_nearest_whatever_the_order():
    elements = [text("Name", 10.0, 10.0), text("Name", 400.0, 10.0), text("Name", 10.0, 300.0)]
    spans = [drawn("Name", 12, 305), drawn("Name", 410, 12), drawn("Name", 14, 14)]
    assert matched(elements, spans) == [[14], [410], [12]]


def test_a_cell_keeps_its_words_from_a_text_nearby():
    table = Table(x=300.0, y=10.0, w=200.0, h=40.0, cells=(("Total",),), rows=())
    found = matched([text("Total", 10.0, 10.0), table], [drawn("Total", 310, 15)])
    assert found == [[], [310]]


def test_a_short_word_of_a_cell_is_not_taken_from_the_seam_of_two_others():
    cells = tuple(tuple(f"{row}{column}" for column in range(4)) for row in range(4))
    table = Table(x=0.0, y=0.0, w=400.0, h=400.0, cells=cells, rows=())
    by_column = [(words, x, y) for x in range(4) for y in range(4) for words in [cells[y][x]]]
    spans = [drawn(words, 100.0 * x, 100.0 * y) for words, x, y in by_column]
    [found] = matched([table], spans)
    assert len(found) == 16


def test_a_drawn_number_before_a_line_is_left_aside():
    assert matched([text("First point", 10.0, 10.0)], [drawn("1. First point", 12, 12)]) == [[12]]
    assert matched([text("Words", 10.0, 10.0)], [drawn("  ", 12, 12)]) == [[]]


places = st.tuples(st.integers(-50, 900), st.integers(-50, 500))
words = st.text(alphabet="ab", min_size=1, max_size=3)


@given(
    st.lists(st.tuples(words, places), max_size=8), st.lists(st.tuples(words, places), max_size=8)
)
def test_nearer_pairs_come_first_and_each_character_goes_once(texts, spans):
    """Against the rule itself: all pairs in order of their distance."""
    elements = [text(held, float(x), float(y)) for held, (x, y) in texts]
    drawings = [drawn(shown, float(x), float(y)) for shown, (x, y) in spans]
    claims: list[Any] = [claim(item) for item in elements]
    pairs = []
    for (index, span), (rank, item) in product(enumerate(drawings), enumerate(claims)):
        x, y = span.box.left + 20, span.box.top + 6
        place = item.box
        across = max(place.left - x, 0, x - place.right)
        down = max(place.top - y, 0, y - place.bottom)
        centre = hypot(x - place.left - 100, y - place.top - 20)
        if span.text in item.words and hypot(across, down) <= 240:
            pairs.append((hypot(across, down), -len(span.text), centre, index, rank))
    left = [item.words for item in claims]
    expected: list[list[int]] = [[] for _ in claims]
    for *_order, index, rank in sorted(pairs):
        shown = drawings[index].text
        if shown in left[rank] and all(index not in found for found in expected):
            left[rank] = left[rank].replace(shown, "-" * len(shown), 1)
            expected[rank].append(index)
    match(claims, drawings)
    found = [[drawings.index(span) for span in item.spans] for item in claims]
    assert [[drawings[i] for i in sorted(group)] for group in expected] == [
        [drawings[i] for i in sorted(group)] for group in found
    ]
