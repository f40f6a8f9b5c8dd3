"""Slides of few words: larger text, the rows that suit it, boxes as high as their text."""

import pytest
from tests.board.plans import plan_of

from decklab.board.boxes import GroupBox, TableBox, TextBox
from decklab.board.compose import compose

SHORT = "The crane was paid from the reserve"
LONG = "The crane was paid from the reserve of the harbour, which had grown in each of the years"


def boxes(**slide: object) -> list[TextBox]:
    (made,) = compose(plan_of({"title": "T", "slides": [{"title": "T", **slide}]}), "light").slides
    items = [one for item in made.items
             for one in (item.items if isinstance(item, GroupBox) else (item,))]  # fmt: skip
    words = ("Card", "Column", "Text")
    return [item for item in items
            if isinstance(item, TextBox) and item.name.startswith(words)]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "size", "rows"), [(SHORT, 24.0, 3), (LONG[:86], 24.0, 1), (LONG * 2, 20.0, 3)]
)
def test_cards_stand_in_the_rows_in_which_their_text_is_largest(
    text: str, size: float, rows: int
) -> None:
    made = boxes(layout="cards", cards=[{"label": text}] * 3)
    assert {box.style.size for box in made} == {size}
    assert len({box.box.top for box in made}) == rows


def test_labels_stand_beside_longer_texts_in_rows_of_one_height() -> None:
    made = boxes(layout="cards", cards=[{"label": "Budget", "text": LONG}] * 3)
    labels, texts = made[::2], made[1::2]
    assert [box.paragraphs[0].text for box in labels] == ["Budget"] * 3
    for label, text in zip(labels, texts, strict=True):
        assert (label.box.top, label.box.bottom) == (text.box.top, text.box.bottom)
        assert label.box.right <= text.box.left
    assert len({box.box.height for box in made}) == 1


def test_columns_are_as_high_as_their_text_and_not_the_slide() -> None:
    columns = [{"heading": "Cost", "points": [{"text": SHORT}]}] * 2
    made = boxes(layout="two_columns", columns=columns)
    assert {box.style.size for box in made} == {24.0}
    assert all(box.box.bottom < 440 for box in made)


def test_a_small_table_has_body_text_and_a_long_one_small_text() -> None:
    sizes = []
    for rows in (3, 9):
        table = {"header": ["Name", "Price"], "rows": [["Crane", "4"]] * rows}
        slide = {"layout": "table", "title": "T", "table": table}
        (made,) = compose(plan_of({"title": "T", "slides": [slide]}), "light").slides
        sizes += [item.size for item in made.items if isinstance(item, TableBox)]
    assert sizes == [20.0, 16.0]
