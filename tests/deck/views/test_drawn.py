"""Which element a drawn span belongs to."""

from dataclasses import dataclass

from decklab.deck.model.plain import Font
from decklab.deck.model.shapes import Table, Text
from decklab.deck.views.drawn import claim, match
from decklab.geometry import Box


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
    claims = [claim(item) for item in elements]
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


def test_a_drawn_number_before_a_line_is_left_aside():
    assert matched([text("First point", 10.0, 10.0)], [drawn("1. First point", 12, 12)]) == [[12]]
    assert matched([text("Words", 10.0, 10.0)], [drawn("  ", 12, 12)]) == [[]]
