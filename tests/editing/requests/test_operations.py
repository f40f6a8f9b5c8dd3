"""Every documented request carried out: it changes something, and nothing that it does not say."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from pptx import Presentation

from decklab.core.errors import DeckError
from decklab.editing.footers import set_footer, show_slide_numbers
from decklab.editing.motion import add_animation, set_transition
from decklab.editing.requests.examples import EXAMPLES
from decklab.editing.slides import hide_slide
from decklab.editor.command_editor import edit_with_commands

EARLIER = (
    "replace 'Agenda' with 'Overview'",
    "replace 'cat' with 'dog' in titles on slides 2-4, whole word",
    "replace 'teh' with 'the' in notes, ignoring case",
    "replace the word 'art' with 'craft' on slide 2",
    "change 'Q3' to 'Q4' on slide 2",
    "delete the text 'DRAFT'",
    "set the title of slide 2 to 'What we found'",
    "set row 2, column 3 of the table on slide 6 to '17 %'",
    "set the font of the titles to 'Georgia'",
    "set the font on slides 2 and 3 to 'Arial'",
    "set the font of the body text on slide 2 to Georgia",
    "set the size of the titles to 32 pt",
    "set the font size on slide 3 to 20",
    "make the body text 18 pt on slides 2-3",
    "set the color of the titles to #1F4E79",
    "set the color of the body on slide 2 to accent2",
    "set the title color to accent1",
    "set the title size on slide 2 to 36 pt",
    "make the title red on slide 2",
    "make the titles bold",
    "make the body text not italic on slide 3",
    "underline the title on slide 3",
    "bold the titles on slides 2-3",
    "align the titles left",
    "align the body text on slide 3 to the right",
    "center the body text on slides 2-3",
    "justify the body text on slide 2",
    "normalise fonts",
    "normalise fonts on slides 2-4",
    "delete slide 3",
    "delete slides 2 and 4-5",
    "move slide 4 to position 2",
    "move slide 2 after slide 4",
    "move slide 3 to the end",
    "duplicate slide 2",
    "copy slide 1 to the end",
    "hide slide 3",
    "unhide slide 4",
    "show slide numbers",
    "add slide numbers on slides 2-4",
    "remove slide numbers on slide 1",
    "turn slide numbers on",
    "turn slide numbers off on slide 1",
    "set the footer to 'Internal'",
    "set the footer on slides 2-3 to 'Draft'",
    "add the footer 'Draft' to slide 2",
    "remove the footer on slide 1",
    "set the notes of slide 2 to 'Start with the story.'",
    "add the note 'Ask for questions.' to slide 2",
    "add 'Ask for questions.' to the notes of slide 3",
    "remove the notes on slide 3",
    "remove all notes",
    "set the alt text of 'Picture 3' on slide 4 to 'Sales by region'",
    "set the alt text of the picture on slide 4 to 'Sales by region'",
    "remove the alt text of 'Picture 3' on slide 4",
    "link 'study' on slide 2 to 'https://example.org'",
    "link 'study' on slide 2 to slide 4",
    "link the picture 'Picture 3' on slide 4 to 'https://example.org'",
    "link the shape 'Picture 3' on slide 4 to slide 1",
    "remove all links on slide 5",
    "remove the link on 'our site' on slide 5",
    "set the transition to fade",
    "set the transition on slides 2-3 to push, lasting 0.7 seconds",
    "add a wipe transition to slide 2",
    "remove all transitions",
    "remove the transition on slide 5",
    "remove all animations on slide 5",
    "set the theme's heading font to 'Georgia'",
    "set the theme font to 'Verdana'",
    "set the theme's accent1 to #0B6E4F",
)
"""Requests that were known before requests were read by slots: they go on working."""
DOCUMENTED = tuple(example for family in EXAMPLES.values() for example in family)
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


@pytest.mark.parametrize("example", dict.fromkeys((*EARLIER, *DOCUMENTED)))
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
        (f"replace 'e' with '{'x' * 19_900}', part of words", "characters, more than 200,000"),
        ("delete slide 9", "there is no slide 9; the deck has 6"),
        ("delete slides 1-6", "cannot lose all"),
        ("move slide 2 to position 2", "is there already"),
        ("move slide 1 before slide 1", "no such place"),
        ("replace 'rt' with 'x'", "inside of longer words; for these add “part of words”"),
        ("hide slide 0", "no slide"),
        ("unhide slide 1", "shown already"),
        ("set the font of the body on slide 3 to 'Courier New'", "is so already"),
        ("make the titles bold on slides 5-3", "backwards"),
        ("remove all transitions", "already"),
        ("set the alt text of the picture on slide 1 to 'x'", "no picture"),
        ("set the alt text of 'Logo' on slide 1 to 'x'", "there is no “Logo” on slide 1"),
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
    assert {(c.slide, c.property) for c in done.changes.edits} == {(1, "removed"), (1, "hidden")}


def test_numbers_are_those_of_the_deck_before_the_request(deck_file: Path, tmp_path: Path) -> None:
    request = "delete slide 1; duplicate slide 2; set the title of slide 3 to 'Copy'"
    done = edit_with_commands(deck_file, request, out=tmp_path / "out.pptx", draw=False)
    assert done.outcome == "done"
    titles = [s.shapes.title.text_frame.text for s in Presentation(str(done.output)).slides]
    assert titles[:3] == ["A cat and what we found", "A cat and what we found", "Copy"]


def test_a_slide_that_is_deleted_before_is_told(deck_file: Path, tmp_path: Path) -> None:
    request = "delete slide 2 and hide slide 2"
    done = edit_with_commands(deck_file, request, out=tmp_path / "out.pptx", draw=False)
    assert done.outcome == "partly"
    assert "slide 2 is deleted by then" in done.undone[0]


@pytest.mark.parametrize(
    ("request_", "reading"),
    [
        ("make it bigger", "the titles"),
        ("remove the title on slide 3", "delete the text of the title on slide 3"),
        ("move slide 3", "move slide 3 to the end"),
        ("make the titles larger", "make the titles 2 points larger"),
        ("make slide 2 red", "make the background #FF0000 on slide 2"),
        ("change the title on slide 3 to Red", "set the title on slide 3 to 'Red'"),
        ("change the title on slide 3 to something better", "… to 'something better'"),
        ("move slide 2 to slide 5", "… after slide 5"),
        ("set the title to 'x'", "the title on slide 1 …"),
        ("delete 'DRAFT'", "delete the text 'DRAFT' on all slides"),
    ],
)
def test_what_can_be_read_in_two_ways_is_asked_back(
    request_: str, reading: str, deck_file: Path, tmp_path: Path
) -> None:
    asked = edit_with_commands(deck_file, request_, out=tmp_path / "out.pptx", draw=False)
    assert asked.outcome == "asked"
    assert any(reading in one for one in asked.readings[0])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "request_",
    [
        "do not delete slide 3", "never hide slide 2", "make the titles bigger and smaller",
        "make the titles red and blue", "delete slide 3 unless it is hidden",
        "add a chart to slide 2",
        "replace the picture on slide 4 with a cat", "clear slide 2", "delete two slides",
        "make the table header 20% wider and bold", "add 'New' to the title of slide 2",
        "swap slides 2, 3 and 4", "make slide 4 more convincing", "set North to 7",
        "let the first bullet of slide 2 lead us on", "replace cat with dog ignoring the pictures",
        "turn off slide 2", "no pictures on slide 4", "add a row with to the table on slide 6",
        "unlink the picture", "make cell 2,3 bold", "set the last row of the table to A",
    ],
)  # fmt: skip
def test_what_is_beyond_is_not_half_done(request_: str, deck_file: Path, tmp_path: Path) -> None:
    result = edit_with_commands(deck_file, request_, out=tmp_path / "out.pptx", draw=False)
    assert result.outcome in ("refused", "asked")
    assert list(tmp_path.iterdir()) == []


def test_replaced_words_are_whole_and_everywhere(deck_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pptx"
    done = edit_with_commands(deck_file, "replace North with Nord everywhere", out=out, draw=False)
    chart = next(s.chart for s in Presentation(str(out)).slides[5].shapes if s.has_chart)
    assert list(chart.plots[0].categories) == ["Nord", "South"]
    assert done.outcome == "done"
    book = chart.part.chart_workbook.xlsx_part.blob
    with ZipFile(BytesIO(book)) as cells:
        assert b"Nord" in cells.read("xl/sharedStrings.xml")


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
