"""The operations as code in the sandbox finds them."""

from io import BytesIO
from pathlib import Path

from pptx import Presentation

from decklab.editor.steps import library_prelude
from decklab.sandbox.limits import CodeFailed
from decklab.sandbox.sandbox import Sandbox


def test_code_in_the_sandbox_edits_a_deck_with_it(deck_file: Path) -> None:
    prelude, data = library_prelude()
    code = (
        "prs = Presentation(deck)\n"
        "clone_slide(prs, 6)\n"
        "result = replace_text(prs, 'cat', 'dog', where='title')\n"
        "prs.save('out.pptx')\n"
    )
    with Sandbox(files={"in.pptx": deck_file}, prelude=prelude, data=data) as sandbox:
        done = sandbox.run(code, globals={"deck": sandbox.path("in.pptx")})
        left = sandbox.collect("out.pptx")
    assert done.value == 2
    deck = Presentation(BytesIO(left["out.pptx"]))
    assert len(deck.slides) == 7
    assert deck.slides[1].shapes.title.text_frame.text == "A dog and what we found"


def test_what_cannot_be_done_is_an_error_that_says_why(deck_file: Path) -> None:
    prelude, data = library_prelude()
    with Sandbox(files={"in.pptx": deck_file}, prelude=prelude, data=data) as sandbox:
        try:
            sandbox.run(
                "delete_slide(Presentation(deck), 9)",
                globals={"deck": sandbox.path("in.pptx")},
                result=None,
            )
        except CodeFailed as error:
            assert "there is no slide 9; the deck has 6" in str(error)
        else:
            raise AssertionError("it went through")
