"""New words for paragraphs: what stays keeps its looks."""

from typing import Any

import pytest
from pptx import Presentation

from decklab.editing.paragraphs import paragraph_words, set_body_text


@pytest.fixture
def frame() -> Any:
    """Two lines: one of three runs, the middle bold, and a deeper one with a line break."""
    prs: Any = Presentation()
    frame = prs.slides.add_slide(prs.slide_layouts[1]).placeholders[1].text_frame
    frame.text = "One"
    for words, bold in ((" bold", True), (" end of it", None)):
        run = frame.paragraphs[0].add_run()
        run.text, run.font.bold = words, bold
    second = frame.add_paragraph()
    second.text, second.level = "Two\vhalf", 1
    return frame


def looks(frame: Any) -> list[tuple[int, list[tuple[str, bool | None]]]]:
    return [
        (line.level, [(run.text, run.font.bold) for run in line.runs]) for line in frame.paragraphs
    ]


@pytest.mark.parametrize(
    ("text", "first", "levels"),
    [
        ("One bold end of it\nNew\vhalf", [("One", None), (" bold", True), (" end of it", None)],
         [0, 1]),
        ("One bolder end of it\nTwo\vhalf",
         [("One", None), (" bolder", True), (" end of it", None)], [0, 1]),
        ("One end of it\nTwo\vhalf", [("One", None), (" ", True), ("end of it", None)], [0, 1]),
        ("So one bold end of it\nTwo\vhalf",
         [("So one", None), (" bold", True), (" end of it", None)], [0, 1]),
        ("Something else\nTwo\vhalf", [("Something else", None)], [0, 1]),
        ("One bold end of it\nBetween\nTwo\vhalf",
         [("One", None), (" bold", True), (" end of it", None)], [0, 0, 1]),
        ("One bold end of it\nTwo\vhalf\nLast",
         [("One", None), (" bold", True), (" end of it", None)], [0, 1, 1]),
        ("Two\vhalf", [("Two", None), ("half", None)], [1]),
    ],
)  # fmt: skip
def test_what_stays_keeps_its_looks(
    frame: Any, text: str, first: list[tuple[str, bool | None]], levels: list[int]
) -> None:
    set_body_text(frame._txBody, text)
    assert frame.text == text
    assert looks(frame)[0][1] == first
    assert [level for level, _ in looks(frame)] == levels


def test_a_text_can_go_and_come_again(frame: Any) -> None:
    set_body_text(frame._txBody, "")
    assert [paragraph_words(line._p) for line in frame.paragraphs] == [""]
    set_body_text(frame._txBody, "a\n\nb\vc")
    assert frame.text == "a\n\nb\vc"
