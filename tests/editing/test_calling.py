"""Operations called by name: what they change is what they declare, or nothing is written."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches

from decklab.editing import calling
from decklab.editing.calling import OperationCall, make_calls
from decklab.editing.finding import EditError
from decklab.editing.phrasing import phrase


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    prs: Any = Presentation()
    for title in ("One", "Two", "Three"):
        slide = prs.slides.add_slide(prs.slide_layouts[1])
        slide.shapes.title.text = title
    table = prs.slides[1].shapes.add_table(1, 2, Inches(1), Inches(3), Inches(4), Inches(1)).table
    table.cell(0, 0).text = "a"
    prs.save(str(tmp_path / "deck.pptx"))
    return tmp_path / "deck.pptx"


def call(name: str, **arguments: object) -> OperationCall:
    return OperationCall(name, arguments)


def test_calls_are_made_together_in_their_order(deck: Path, tmp_path: Path) -> None:
    drawn: list[int] = []
    calls = [
        call("set_text", slide=1, shape=2, text="First"),
        call("move_slide", slide=1, position=3),
        call("set_cell", slide=1, row=1, column=2, text="b"),
        call("set_notes", slide=2, text="Say it."),
        call("clone_slide", slide=1),
    ]
    out = tmp_path / "out.pptx"
    checked = make_calls(deck, calls, out, made=drawn.extend)
    prs = Presentation(str(out))
    assert [slide.shapes.title.text for slide in prs.slides] == ["Two", "Two", "Three", "First"]
    assert [cell.text for cell in prs.slides[0].shapes[2].table.rows[0].cells] == ["a", "b"]
    assert prs.slides[2].notes_slide.notes_text_frame.text == "Say it."
    assert checked.passed and set(drawn) == {1, 2, 3, 4}


@pytest.mark.parametrize("slide", [1, 2, 3])
@pytest.mark.parametrize("position", [1, 2, 3])
def test_a_slide_moves_to_any_place(deck: Path, tmp_path: Path, slide: int, position: int) -> None:
    asked = [call("move_slide", slide=slide, position=position)]
    if slide == position:
        with pytest.raises(EditError, match="so already"):
            make_calls(deck, asked, tmp_path / "out.pptx")
        return
    make_calls(deck, asked, tmp_path / "out.pptx")
    order = ["One", "Two", "Three"]
    order.insert(position - 1, order.pop(slide - 1))
    prs = Presentation(str(tmp_path / "out.pptx"))
    assert [slide.shapes.title.text for slide in prs.slides] == order


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("set_text", {"slide": 1, "shape": 2, "text": "One"}, "it is so already"),
        ("set_text", {"slide": 9, "shape": 2, "text": "x"}, "there is no slide 9"),
        ("set_text", {"slide": 1, "shape": 99, "text": "x"}, "has no shape 99"),
        ("set_text", {"slide": 1, "shape": 2}, "text is missing"),
        ("set_text", {"slide": 1, "shape": 2, "text": "x", "y": 1}, "y is no argument"),
        ("set_text", {"slide": [1], "shape": 2, "text": "x"}, "does not fit"),
        ("set_text", {"slide": 1, "shape": 2, "text": "\x00"}, "cannot be"),
        ("chart_data", {"slide": 1}, "no operation 'chart_data'"),
        ("system", {"command": "ls"}, "no operation 'system'"),
        ("add_picture", {"slide": 1, "box": [1, 2, 3, 4], "picture": "/etc/passwd"}, "picture"),
    ],
)
def test_a_call_that_cannot_be_made_leaves_nothing(
    deck: Path, tmp_path: Path, name: str, arguments: dict[str, Any], said: str
) -> None:
    before = deck.read_bytes()
    calls = [OperationCall(name, arguments)]
    with pytest.raises(EditError, match=said):
        make_calls(deck, calls, tmp_path / "out.pptx")
    assert not (tmp_path / "out.pptx").exists()
    assert deck.read_bytes() == before


def test_none_and_too_many_calls_are_refused(deck: Path, tmp_path: Path) -> None:
    for calls in ([], [call("set_notes", slide=1, text="x")] * (calling.MOST_CALLS + 1)):
        with pytest.raises(EditError, match="operations are made together"):
            make_calls(deck, calls, tmp_path / "out.pptx")


def test_an_operation_that_changes_more_than_it_declares_is_not_kept(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @phrase("say {text}", example="say 'x'", changes="notes")
    def sly(prs: Any, slide: int, text: str) -> None:
        prs.slides[slide - 1].notes_slide.notes_text_frame.text = text
        prs.slides[0].shapes.title.text = "Sly"

    monkeypatch.setattr(calling, "named_operations", lambda: {"sly": sly})
    with pytest.raises(EditError, match="nobody asked for it: Slide 1"):
        make_calls(deck, [call("sly", slide=2, text="x")], tmp_path / "out.pptx")
    assert not (tmp_path / "out.pptx").exists()
