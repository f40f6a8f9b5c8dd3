"""Which words describe a picture, and which pictures are ornaments."""

from typing import Any

import pytest

from decklab.deck.model.base import Font
from decklab.deck.model.shapes import Chart, Image, Paragraph, Placeholder, Text
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.linting.fix_kinds import caption_of, missing_alt_texts, repeated_pictures

FONT = Font(name="Arial", size=14.0, style=(), color="#000000")


def image(x=100, y=100, w=300, h=200, *, id=2, z=2, sha256="1" * 64, **fields):
    return Image(
        id=id, z=z, name=f"Picture {id}", x=float(x), y=float(y), w=float(w), h=float(h),
        sha256=sha256, content_type="image/png", pixels=(10, 10), **fields,
    )  # fmt: skip


def text(words, x=100, y=304, w=300, h=30, *, id=9, z=9, kind=None, paragraphs=1, **fields):
    return Text(
        text=words, font=FONT, align="left", paragraphs=(Paragraph(),) * paragraphs,
        id=id, z=z, name=f"Text {id}", x=float(x), y=float(y), w=float(w), h=float(h),
        placeholder=None if kind is None else Placeholder(type=kind), **fields,
    )  # fmt: skip


def slide(*items, number=1):
    kinds: dict[str, Any] = {"texts": (), "images": (), "charts": ()}
    for item in items:
        kinds[f"{type(item).__name__.lower()}s"] += (item,)
    return SlideElements(background="#FFFFFF", number=number, **kinds)


def says(one, repeated=None):
    return [fix.says for fix in missing_alt_texts(one, repeated or {})]


CAPTION = "Wheat in July, near Kiel"


def test_the_text_right_under_a_picture_is_its_caption():
    (told,) = says(slide(image(), text("Wheat in July,\n near  Kiel")))
    assert told == f'Picture 2 (id 2) is described as "{CAPTION}", as its caption says'


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"y": 292}, True),  # the picture ends at 300
        ({"y": 291.9}, False),
        ({"y": 316}, True),
        ({"y": 316.1}, False),
        ({"x": 96, "w": 308}, True),  # within its width, and 4 px
        ({"x": 95, "w": 205}, False),  # beside it, and not in the middle: 197.5, not 250
        ({"x": 55, "w": 390}, True),  # in the middle, and 1.3 times as wide
        ({"x": 54, "w": 392}, False),
        ({"x": 85, "w": 390}, True),  # 30 px, a tenth of its width, off the middle
        ({"x": 86, "w": 390}, False),
        ({"kind": "title"}, False),
        ({"kind": "ftr"}, False),
        ({"kind": "body"}, True),
        ({"rotation": 10.0}, False),
        ({"hidden": True}, False),
        ({"paragraphs": 2}, True),
        ({"paragraphs": 3}, False),
    ],
)
def test_a_caption_stands_right_under_its_picture_and_is_short(fields, found):
    shown = image()
    caption = text(CAPTION, **fields)
    assert caption_of(shown, slide(shown, caption)) == (caption if found else None)


@pytest.mark.parametrize(
    ("words", "found"), [("x" * 140, True), ("x" * 141, False), ("abc", True), ("a b", True),
                         ("ab", False), ("  ", False)]
)  # fmt: skip
def test_a_caption_has_three_to_a_hundred_and_forty_characters(words, found):
    shown = image()
    assert (caption_of(shown, slide(shown, text(words))) is not None) is found


def test_two_texts_under_a_picture_or_two_pictures_over_a_text_decide_nothing():
    shown = image()
    two = slide(shown, text(CAPTION), text("Another", y=310, id=10))
    assert caption_of(shown, two) is None and says(two) == []
    behind = image(x=110, w=280, id=3)
    assert caption_of(shown, slide(shown, behind, text(CAPTION))) is None
    away = image(x=600, id=3)
    assert caption_of(shown, slide(shown, away, text(CAPTION))) is not None


def test_a_chart_is_described_by_its_own_title():
    chart = Chart(type="column", id=4, z=4, name="Chart 4", title=" Sales  by year ",
                  x=100.0, y=100.0, w=300.0, h=200.0)  # fmt: skip
    (told,) = says(slide(chart))
    assert 'is described as "Sales by year"' in told
    assert says(slide(chart.model_copy(update={"title": " "}))) == []


def test_what_has_a_text_or_is_decorative_needs_no_fix():
    assert says(slide(image(alt_text="Wheat"), text(CAPTION))) == []
    assert says(slide(image(decorative=True), text(CAPTION))) == []


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (image(w=39, h=39), "it is as small as an icon"),  # 1521 px of 1555.2
        (image(w=40, h=40), None),
        (image(0, 0, 960, 540), "it is the ground on which the slide's text stands"),
        (image(0, 0, 960, 514), "it is the ground on which the slide's text stands"),
        (image(0, 0, 960, 512), None),  # 0.948 of the slide
        (image(0, 0, 960, 540, z=20), None),  # in front of the text
    ],
)
def test_icons_and_grounds_are_ornaments(shown, told):
    found = says(slide(shown, text("Words on the slide", y=20)))
    assert found == ([] if told is None else [f"Picture 2 (id 2) is marked as decorative: {told}"])


def test_a_ground_without_words_in_front_may_be_content():
    assert says(slide(image(0, 0, 960, 540), text(" ", y=20))) == []


def deck(*slides):
    return DeckElements(size_pt=(960.0, 540.0), slides=slides, layouts=(), masters=(), themes=())


def test_a_picture_at_one_place_on_three_slides_is_an_ornament():
    slides = [slide(image(), number=number) for number in (1, 2, 3)]
    moved = slide(image(x=200), number=4)
    other = slide(image(sha256="2" * 64), number=5)
    unknown = [slide(image(y=300, sha256=None), number=number) for number in (6, 7, 8)]
    repeated = repeated_pictures(deck(*slides, moved, other, *unknown))
    (told,) = says(slides[0], repeated)
    assert told.endswith("decorative: it stands at this place on 3 slides")
    assert says(moved, repeated) == says(other, repeated) == says(unknown[0], repeated) == []
    assert says(slides[0], repeated_pictures(deck(*slides[:2]))) == []


def test_a_picture_twice_on_one_slide_is_on_one_slide():
    twice = slide(image(), image(id=3))
    assert set(repeated_pictures(deck(twice)).values()) == {1}


def test_words_of_a_caption_come_before_the_mark_of_an_ornament():
    (told,) = says(slide(image(w=39, h=39), text(CAPTION, y=140, w=39)))
    assert "is described as" in told
