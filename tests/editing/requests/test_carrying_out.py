"""What requests do on a deck that cannot be done, is unclear there, or is done in part."""

from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pptx import Presentation
from tests.editing.requests.furnished import cells, furnished, shape, titles
from tests.editing.requests.test_phrases import carried_out

from decklab.core.errors import DeckError
from decklab.editing.slides import add_section
from decklab.editor.edit import edit_with_commands


@pytest.mark.by_day(4)
@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ("replace 'nowhere' with 'x'", "“nowhere” stands nowhere on all slides"),
        ("replace 'rt' with 'x'", "“part of words”"),
        ("replace 'AGENDA' with 'x'", "2 “Agenda”"),
        ("replace 'cat' with 'dog\ncat'", "within a line"),
        (f"replace 'e' with '{'x' * 19_900}', part of words", "characters, more than 200,000"),
        ("delete slide 9", "there is no slide 9; the deck has 6"),
        ("delete slides 1-6", "cannot lose all"),
        ("keep only slides 1-6", "no other slides"),
        ("move slide 2 to position 2", "there already"),
        ("move slide 1 before slide 1", "among the slides that move"),
        ("swap slides 2, 3 and 4", "two slides are swapped"),
        ("hide slide 0", "no slide 0"),
        ("unhide slide 1", "it is so already"),
        ("set the font of the body text on slide 3 to 'Courier New'", "it is so already"),
        ("set the title of slide 1 to 'Agenda'", "it is so already"),
        ("remove all transitions", "already"),
        ("remove all notes on slide 1", "already"),
        ("set the alt text of the picture on slide 1 to 'x'", "no picture"),
        ("set the alt text of 'Logo' on slide 1 to 'x'", "there is no “Logo” on slide 1"),
        ("set row 9, column 1 of the table on slide 6 to 'x'", "3 rows, no row 9"),
        ("set row 'West', column 2 of the table to 'x'", "no row “West”, or several; it has"),
        ("set the size of the titles to 9999", "9999 pt"),
        ("link 'study' on slide 2 to 'example'", "no address"),
        ("link 'study' on slide 2 to slide 77", "no slide 77"),
        ("indent bullet 1 of slide 1; indent bullet 9 of slide 1", "no bullet 9"),
        ("outdent bullet 1 of slide 1", "there are 1 to 9"),
        ("set the line spacing of the titles to 99", "a line spacing of 99"),
        ("merge cell A1 and cell A1 on slide 6", "one cell cannot be merged"),
        ("set the title of the chart on slide 1 to 'x'", "no chart on slide 1"),
        ("add a section 'A' at slide 1; add a section 'B' at slide 1", "'A' begins at slide 1"),
        ("rename the section 'A' to 'B'", "the deck has no section 'A'"),
        ("add slide 9 of 'other.pptx'", "no slide 9"),
        ("add slide 1 of 'none.pptx'", "none.pptx"),
        (
            "insert the picture 'none.png' on slide 1 at 10, 10, 50 by 50",
            "“none.png” cannot be read",
        ),
        ("replace the picture on slide 4 with 'talk.pptx'", "none of PNG, JPEG"),
        ("add a table with 90 rows and 90 columns to slide 1 at 0, 0, 9 by 9", "1 to 400 cells"),
        ("add a text box 'x' to slide 2", "no free room; say where"),
        ("make 60 copies of slide 1", "up to 50"),
    ],
)
def test_what_cannot_be_done_is_told_and_nothing_is_written(
    request_: str, why: str, tmp_path: Path
) -> None:
    deck = furnished(tmp_path, "")
    before = deck.read_bytes()
    result = edit_with_commands(
        deck, request_, out=tmp_path / "out.pptx", draw=False, files=tmp_path
    )
    assert result.outcome in ("refused", "partly")
    assert any(why in line for line in result.undone)
    assert (result.outcome == "partly") == (tmp_path / "out.pptx").exists()
    assert deck.read_bytes() == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("request_", "reading"),
    [
        ("delete the rectangle", "delete the rectangle 'Plan' on slide 1"),
        ("make the title red", "make the title on slide 1 #FF0000"),
        ("make the title red", "make all titles #FF0000"),
        ("set the title to 'x'", "set the title to 'x' on slide 1"),
        ("add the bullet 'x'", "add the bullet 'x' on slide 1"),
        ("add the note 'x'", "add the note 'x' on slide 1"),
        ("italicize bullet 1", "italicize bullet 1 on slide 1"),
        ("add a text box 'x'", "add a text box 'x' on slide 1"),
    ],
)
def test_what_is_meant_is_asked_where_the_deck_has_several(
    request_: str, reading: str, tmp_path: Path
) -> None:
    asked, _deck = carried_out(request_, tmp_path)
    assert asked.outcome == "asked"
    assert reading in asked.readings[0]
    for one in asked.readings[0]:
        done, _deck = carried_out(one, tmp_path)
        assert done.outcome in ("done", "refused"), (one, done.undone)


def test_shapes_of_one_name_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    deck = Presentation(str(furnished(tmp_path, "")))
    for one in list(deck.slides[0].shapes)[2:]:
        one.name = "Box"
    deck.save(str(tmp_path / "twins.pptx"))
    ids = [one.shape_id for one in list(deck.slides[0].shapes)[2:]]
    asked = edit_with_commands(tmp_path / "twins.pptx", "delete the shape 'Box'", draw=False)
    texts = (f"delete the shape 'Box' with id {id} on slide 1" for id in ids)
    assert asked.readings == (tuple(texts),)
    done = edit_with_commands(tmp_path / "twins.pptx", asked.readings[0][1], draw=False)
    left = [one.shape_id for one in Presentation(str(done.output)).slides[0].shapes]
    assert set(ids) - set(left) == {ids[1]}


def test_shapes_to_choose_from_are_those_with_words_first_and_no_parts_of_groups(
    tmp_path: Path,
) -> None:
    deck = Presentation()
    shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
    group = shapes.add_group_shape()
    for number in range(3):
        group.shapes.add_shape(1, 0, 0, 99, 99).text_frame.text = f"Part {number}"
    for number in range(14):
        shapes.add_shape(1, 0, 0, 99, 99).name = f"Tile {number}"
    for number in (7, 13):
        shapes[number + 1].text_frame.text = f"Words {number}"
    deck.save(str(tmp_path / "many.pptx"))
    asked = edit_with_commands(tmp_path / "many.pptx", "delete the rectangle", draw=False)
    numbers = [7, 13, *range(7), 8, 9, 10]
    each = [f"delete the rectangle 'Tile {number}' on slide 1" for number in numbers]
    assert asked.readings == ((*each, "delete all rectangles"),)
    assert "(5 more are not listed)" in "".join(asked.undone)
    for tile in list(shapes)[1:]:
        tile._element.getparent().remove(tile._element)
    deck.save(str(tmp_path / "parts.pptx"))
    asked = edit_with_commands(tmp_path / "parts.pptx", "delete the rectangle", draw=False)
    assert len(asked.readings[0]) == 4


def test_a_step_that_fails_leaves_no_trace_and_the_others_are_done(tmp_path: Path) -> None:
    request = "delete slide 1; link 'study' on slide 1 to slide 77; hide slide 2; make it pop"
    done, _deck = carried_out(request, tmp_path)
    assert done.outcome == "partly"
    assert done.done == ("delete slide 1", "hide slide 2")
    assert len(done.undone) == 2
    assert {(c.slide, c.property) for c in done.changes.edits} == {(1, "removed"), (1, "hidden")}


def test_numbers_are_those_of_the_deck_before_the_request(tmp_path: Path) -> None:
    request = "delete slide 1; duplicate slide 2; set the title of slide 3 to 'Copy'"
    done, deck = carried_out(request, tmp_path)
    assert done.outcome == "done"
    assert titles(deck)[:3] == ["A cat and what we found", "A cat and what we found", "Copy"]


def test_a_slide_that_is_deleted_before_is_told(tmp_path: Path) -> None:
    done, _deck = carried_out("delete slide 2 then hide slide 2", tmp_path)
    assert done.outcome == "partly"
    assert "slide 2 is deleted by then" in done.undone[0]


def test_only_the_slides_that_may_be_edited_are(tmp_path: Path) -> None:
    deck, out = furnished(tmp_path, ""), tmp_path / "out.pptx"
    done = edit_with_commands(deck, "make all titles bold", out=out, slides=(2, 3), draw=False)
    assert {change.slide for change in done.changes.edits} == {2, 3}
    out.unlink()
    outside = edit_with_commands(deck, "hide slide 5", out=out, slides=(2, 3), draw=False)
    assert "slide 5 is not among the slides" in outside.undone[0]
    theme = edit_with_commands(
        deck, "set the theme's heading font to Georgia", out=out, slides=(2,), draw=False
    )
    assert "it is about all slides" in theme.undone[0]
    with pytest.raises(DeckError, match="no slide 7"):
        edit_with_commands(deck, "hide slide 5", out=out, slides=(7,), draw=False)


def test_files_are_read_only_where_they_may_be(tmp_path: Path) -> None:
    deck = furnished(tmp_path, "")
    request = "replace the picture on slide 4 with 'new.png'"
    refused = edit_with_commands(deck, request, out=tmp_path / "out.pptx", draw=False)
    assert refused.outcome == "refused"
    assert "requests made here cannot name files" in refused.undone[0]


def test_spellings_that_a_replacement_leaves_are_counted_and_named(tmp_path: Path) -> None:
    deck = Presentation(str(furnished(tmp_path, "")))
    deck.slides[1].placeholders[1].text_frame.text = "Agents and agents, AGENTS and Agents"
    deck.save(str(tmp_path / "agents.pptx"))
    done = edit_with_commands(
        tmp_path / "agents.pptx", "replace agents with helpers everywhere", draw=False
    )
    text = shape(Presentation(str(done.output)), 2, "body").text_frame.text
    assert text == "Agents and helpers, AGENTS and Agents"
    assert done.outcome == "done"
    assert "1 “AGENTS”, 2 “Agents”" in done.left_out[0]
    assert "replace 'A" in done.left_out[0]


def test_replaced_names_of_a_chart_are_in_its_workbook_too(tmp_path: Path) -> None:
    done, deck = carried_out("replace North with Nord everywhere", tmp_path)
    chart = shape(deck, 6, "chart")
    assert list(chart.plots[0].categories) == ["Nord", "South"]
    assert cells(deck)[1][0] == "Nord"
    assert done.outcome == "done"
    with ZipFile(BytesIO(chart.part.chart_workbook.xlsx_part.blob)) as book:
        assert b"Nord" in book.read("xl/sharedStrings.xml")


@pytest.mark.long
def test_new_things_take_the_free_room_of_a_slide(tmp_path: Path) -> None:
    request = "apply the layout 'Title Only' to slide 6"
    done, deck = carried_out(request, tmp_path)
    assert done.outcome == "done"
    deck.save(str(tmp_path / "next.pptx"))
    added = edit_with_commands(tmp_path / "next.pptx", "add a text box 'x' to slide 4", draw=False)
    if added.outcome == "done":
        slide = Presentation(str(added.output)).slides[3]
        new, *others = reversed(list(slide.shapes))
        for other in others:
            apart = (
                new.left >= other.left + other.width or other.left >= new.left + new.width
                or new.top >= other.top + other.height or other.top >= new.top + new.height
            )  # fmt: skip
            assert apart
    else:
        assert "no free room" in added.undone[0]


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    "look", ["bold", "italic", "underlined", "red", "accent2", "20 pt", "in Georgia", "not bold"]
)
def test_shapes_without_words_take_a_look_too(look: str, tmp_path: Path) -> None:
    request = f"make the title on slide 1 bold; make all text on slide 1 {look}"
    done, _deck = carried_out(request, tmp_path)
    assert [line for line in done.undone if "nobody asked" in line] == []


def test_a_transition_that_some_slides_have_is_set_on_the_others(tmp_path: Path) -> None:
    first, deck = carried_out("set the transition on slides 2-3 to fade", tmp_path)
    assert first.outcome == "done"
    deck.save(str(tmp_path / "some.pptx"))
    done = edit_with_commands(tmp_path / "some.pptx", "set the transition to fade", draw=False)
    assert (done.outcome, {change.slide for change in done.changes.edits}) == ("done", {1, 4, 5, 6})


def test_swapped_slides_change_their_sections_and_the_others_stay(tmp_path: Path) -> None:
    deck = Presentation(str(furnished(tmp_path, "")))
    for name, slide in (("One", 1), ("Two", 3), ("Three", 5)):
        add_section(deck, name, slide)
    before = sections(deck)
    deck.save(str(tmp_path / "sections.pptx"))
    done = edit_with_commands(tmp_path / "sections.pptx", "swap slides 2 and 6", draw=False)
    assert (done.outcome, done.undone) == ("done", ())
    swapped = {before["One"][1]: before["Three"][1], before["Three"][1]: before["One"][1]}
    assert sections(Presentation(str(done.output))) == {
        name: [swapped.get(id, id) for id in ids] for name, ids in before.items()
    }


def sections(deck: Any) -> dict[str, list[str]]:
    """The ids of the slides of each section."""
    spaces = {"p14": "http://schemas.microsoft.com/office/powerpoint/2010/main"}
    held = deck.part._element.findall(".//p14:section", spaces)
    return {one.get("name"): [item.get("id") for item in one.findall(".//p14:sldId", spaces)]
            for one in held}  # fmt: skip


def test_the_text_at_a_side_is_that_of_one_column(tmp_path: Path) -> None:
    deck = Presentation(str(furnished(tmp_path, "")))
    slide = deck.slides.add_slide(deck.slide_layouts[3])
    slide.placeholders[1].text, slide.placeholders[2].text = "One", "Two"
    deck.save(str(tmp_path / "columns.pptx"))
    done = edit_with_commands(
        tmp_path / "columns.pptx", "make the left text on slide 7 italic", draw=False
    )
    boxes = Presentation(str(done.output)).slides[6].placeholders
    looks = [boxes[place].text_frame.paragraphs[0].runs[0].font.italic for place in (1, 2)]
    assert looks == [True, None]


@pytest.mark.long
def test_the_text_of_a_slide_is_not_its_title_and_all_text_is(tmp_path: Path) -> None:
    for request, looks in (("make the text on slide 1 bold", [None, True]),
                           ("make all text on slide 1 bold", [True, True])):  # fmt: skip
        folder = tmp_path / request[5:8]
        folder.mkdir()
        done, deck = carried_out(request, folder)
        assert done.outcome == "done"
        assert [shape(deck, 1, name).text_frame.paragraphs[0].runs[0].font.bold
                for name in ("title", "body")] == looks  # fmt: skip


def test_a_new_row_stands_above_the_total(tmp_path: Path) -> None:
    deck = Presentation(str(furnished(tmp_path, "")))
    shape(deck, 6, "table").last_row = True
    deck.save(str(tmp_path / "total.pptx"))
    request = "add a row with West, 1, 2; add a row at the end with East, 1, 2"
    done = edit_with_commands(tmp_path / "total.pptx", request, draw=False)
    firsts = [row[0] for row in cells(Presentation(str(done.output)))]
    assert firsts == ["Region", "North", "West", "South", "East"]


@pytest.mark.long
def test_a_value_is_changed_only_from_what_it_is_said_to_be(tmp_path: Path) -> None:
    for request, why in (
        ("set cell B3 from 5 to 9", "is “4”, not “5”"),
        ("set 'North' in the chart on slide 6 from 9 to 6", "“North” is not 9"),
        ("set 'North' in the chart on slide 6 to 6%", "has no shares"),
    ):
        refused, _deck = carried_out(request, tmp_path)
        assert refused.outcome == "refused"
        assert why in refused.undone[0]


def test_a_bullet_is_found_by_its_words_on_its_slide(tmp_path: Path) -> None:
    done, deck = carried_out("delete the bullet party", tmp_path)
    assert (done.outcome, len(shape(deck, 2, "body").text_frame.paragraphs)) == ("done", 1)


def test_the_words_that_are_left_out_stay(tmp_path: Path) -> None:
    done, deck = carried_out("replace North with Nord except in the table", tmp_path)
    assert done.outcome == "done"
    assert list(shape(deck, 6, "chart").plots[0].categories) == ["Nord", "South"]
    assert cells(deck)[1][0] == "North"
