"""Every documented request carried out: it changes something, and nothing that it does not say."""

from pathlib import Path

import pytest
from pptx import Presentation

from decklab.agents.editor.command_editor import edit_with_commands
from decklab.agents.editor.understanding import FORMS
from decklab.editing.footers import set_footer, show_slide_numbers
from decklab.editing.motion import add_animation, set_transition
from decklab.editing.slides import hide_slide
from decklab.errors import DeckError

EXAMPLES = [example for forms in FORMS.values() for form in forms for example in form.examples]
REMOVALS = ("transition", "animation", "remove the footer", "unhide", "slide numbers o")


def furnished(deck_file: Path, folder: Path, example: str) -> Path:
    """The deck with what requests take away again."""
    deck = Presentation(str(deck_file))
    set_transition(deck, "cut")
    set_footer(deck, "Old")
    hide_slide(deck, 4)
    add_animation(deck, 5, "Title 1")
    if "off" in example or "remove" in example:
        show_slide_numbers(deck)
    deck.save(str(folder / "furnished.pptx"))
    return folder / "furnished.pptx"


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_works_and_does_nothing_else(
    example: str, deck_file: Path, tmp_path: Path
) -> None:
    takes_away = any(word in example for word in REMOVALS)
    deck = furnished(deck_file, tmp_path, example) if takes_away else deck_file
    done = edit_with_commands(deck, example, out=tmp_path / "out.pptx", draw=False)
    assert (done.outcome, done.undone) == ("done", ())
    assert done.changes.edits
    assert done.best is not None and done.best.verification is not None
    assert done.best.verification.passed


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ("replace 'nowhere' with 'x'", "“nowhere” stands nowhere on all slides"),
        ("replace 'cat' with 'dog\ncat'", "within a line"),
        (f"replace 'e' with '{'x' * 19_900}'", "characters, more than 200,000"),
        ("delete slide 9", "there is no slide 9; the deck has 6"),
        ("delete slides 1-6", "cannot lose all"),
        ("move slide 2 to position 2", "is there already"),
        ("move slides 1-2 to the end", "one at a time"),
        ("hide slide 0", "no slide"),
        ("unhide slide 1", "shown already"),
        ("set the font of the body on slide 3 to 'Courier New'", "is so already"),
        ("make the titles bold on slides 5-3", "backwards"),
        ("remove all transitions", "already"),
        ("set the alt text of the picture on slide 1 to 'x'", "no picture"),
        ("set the alt text of 'Logo' on slide 1 to 'x'", "no shape 'Logo'"),
        ("set row 9, column 1 of the table on slide 6 to 'x'", "no cell 9, 1"),
        ("set the size of the titles to 9999", "9999 pt"),
        ("link 'study' on slide 2 to 'example'", "no address"),
    ],
)
def test_what_cannot_be_done_is_told_and_nothing_is_written(
    request_: str, why: str, deck_file: Path, tmp_path: Path
) -> None:
    before = deck_file.read_bytes()
    done = edit_with_commands(deck_file, request_, out=tmp_path / "out.pptx", draw=False)
    assert done.outcome == "refused"
    assert why in done.undone[0]
    assert list(tmp_path.iterdir()) == []
    assert deck_file.read_bytes() == before


def test_a_step_that_fails_leaves_no_trace_and_the_others_are_done(
    deck_file: Path, tmp_path: Path
) -> None:
    request = "delete slide 1; link 'study' on slide 1 to slide 77; hide slide 2; make it pop"
    done = edit_with_commands(deck_file, request, out=tmp_path / "out.pptx", draw=False)
    assert done.outcome == "partly"
    assert done.done == ("delete slide 1", "hide slide 2")
    assert [line[:8] for line in done.undone] == ["not done", "not unde"]
    assert {(c.slide, c.property) for c in done.changes.edits} == {(1, "removed"), (2, "hidden")}


def test_numbers_count_as_the_deck_then_stands(deck_file: Path, tmp_path: Path) -> None:
    request = "delete slide 1; duplicate slide 1; set the title of slide 2 to 'Copy'"
    done = edit_with_commands(deck_file, request, out=tmp_path / "out.pptx", draw=False)
    assert done.outcome == "done"
    titles = [s.shapes.title.text_frame.text for s in Presentation(str(done.output)).slides]
    assert titles[:3] == ["A cat and what we found", "Copy", "The cat again"]


def test_only_the_slides_that_may_be_edited_are(deck_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pptx"
    done = edit_with_commands(deck_file, "make the titles bold", out=out, slides=(2, 3), draw=False)
    assert {change.slide for change in done.changes.edits} == {2, 3}
    refused = edit_with_commands(deck_file, "delete slide 1", out=out, slides=(2, 3), draw=False)
    assert "slide 1 is not among" in refused.undone[0]
    whole = "set the theme font to 'Georgia'"
    refused = edit_with_commands(deck_file, whole, out=out, slides=(2,), draw=False)
    assert refused.outcome == "refused"
    with pytest.raises(DeckError, match="no slide 9"):
        edit_with_commands(deck_file, whole, out=out, slides=(9,), draw=False)
