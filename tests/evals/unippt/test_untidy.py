"""Untidy copies of a deck: the words stay, and what is done can be seen in the file."""

import pytest
from pptx import Presentation

from decklab.board.blueprint import read_plan
from decklab.board.pages.writing import write_deck
from decklab.evals.unippt.tasks import write_untidy

PLAN = {
    "title": "Pumps",
    "slides": [
        {"layout": "title", "title": "Pumps"},
        {"layout": "body", "title": "First",
         "body": [{"text": "Four wells ran dry in May"}, {"text": "Rain came in June"}]},
        {"layout": "body", "title": "Second",
         "body": [{"text": "Sixteen pumps stood still"}, {"text": "Nine run again"}]},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def tidy(tmp_path_factory):
    path = tmp_path_factory.mktemp("untidy") / "tidy.pptx"
    write_deck(read_plan(PLAN), "light", path)
    return path


def runs(path):
    """Text, typeface, size and colour of each run, with the place of its shape."""
    return [
        (run.text, run.font.name, run.font.size, shape.left, shape.top)
        for slide in Presentation(str(path)).slides
        for shape in slide.shapes
        if shape.has_text_frame
        for paragraph in shape.text_frame.paragraphs
        for run in paragraph.runs
    ]


@pytest.mark.parametrize("look", ["careless", "broken"])
def test_the_words_stay(tidy, tmp_path, look):
    write_untidy(tidy, tmp_path / "made.pptx", look)
    said = {text for text, *_ in runs(tmp_path / "made.pptx")}
    assert {"Pumps", "First", "Four wells ran dry in May", "Sixteen pumps stood still"} <= said


def test_careless_slides_differ_from_each_other(tidy, tmp_path):
    write_untidy(tidy, tmp_path / "made.pptx", "careless")
    found = {text: rest for text, *rest in runs(tmp_path / "made.pptx")}
    first, second = found["Four wells ran dry in May"], found["Sixteen pumps stood still"]
    assert first[0] != second[0] and first[1] != second[1] and first[2] != second[2]


def test_broken_text_is_large_and_higher_up(tidy, tmp_path):
    write_untidy(tidy, tmp_path / "made.pptx", "broken")
    found = {text: rest for text, *rest in runs(tmp_path / "made.pptx")}
    _, size, _, top = found["Four wells ran dry in May"]
    assert size.pt > 40
    assert top < found["First"][3] + 914_400
