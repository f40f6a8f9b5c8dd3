"""Single changes taken back; decks are made and read by python-pptx."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches, Pt

from decklab.editing.formatting import set_theme_color, set_theme_fonts
from decklab.editing.taking_back import CannotTakeBack, keyed_changes, take_back

Edit = Callable[[Any], None]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deck") / "old.pptx"
    deck = Presentation()
    for title in ("Harbour", "Costs", "Plan"):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "Two cranes\nOne quay"
    frame = deck.slides[2].shapes.add_table(2, 2, Inches(1), Inches(4), Inches(6), Inches(1))
    for row in range(2):
        for column in range(2):
            frame.table.cell(row, column).text = f"{row}{column}"
    deck.save(str(path))
    return path


def made(original: Path, folder: Path, *edits: Edit) -> Path:
    """The deck after some edits."""
    deck = Presentation(str(original))
    for edit in edits:
        edit(deck)
    path = folder / "new.pptx"
    deck.save(str(path))
    return path


def retitle(deck: Any) -> None:
    deck.slides[0].shapes.title.text = "Port"


def enlarge(deck: Any) -> None:
    deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.size = Pt(50)


def move(deck: Any) -> None:
    title = deck.slides[0].shapes.title
    title.left, title.top, title.width, title.height = (Inches(one) for one in (1, 2, 5, 1))


def fill(deck: Any) -> None:
    title = deck.slides[0].shapes.title
    title.fill.solid()
    title.fill.fore_color.rgb = RGBColor(200, 0, 0)


def boxed(deck: Any) -> None:
    box = deck.slides[0].shapes.add_textbox(Inches(1), Inches(6), Inches(3), Inches(1))
    box.text_frame.text = "New"


def recost(deck: Any) -> None:
    deck.slides[1].shapes.title.text = "Budget"


def cells(deck: Any) -> None:
    table = deck.slides[2].shapes[2].table
    table.cell(0, 0).text, table.cell(1, 1).text = "A", "B"


def drop_second(deck: Any) -> None:
    items = deck.slides._sldIdLst
    deck.part.drop_rel(items[1].rId)
    items.remove(items[1])


def append(deck: Any) -> None:
    deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = "More"


def key(original: Path, edited: Path, words: str) -> str:
    (found,) = [one.key for one in keyed_changes(original, edited) if words in one.words]
    return found


def titles(path: Path) -> list[str]:
    return [slide.shapes.title.text for slide in Presentation(str(path)).slides]


def test_text_position_and_fill_of_one_shape_go_back_one_by_one(
    original: Path, tmp_path: Path
) -> None:
    edited = made(original, tmp_path, retitle, move, fill)
    out = tmp_path / "out.pptx"
    taken = take_back(original, edited, [key(original, edited, "became")], out)
    title = Presentation(str(out)).slides[0].shapes.title
    assert (title.text, title.left) == ("Harbour", Inches(1))
    assert title.fill.fore_color.rgb == RGBColor(200, 0, 0)
    assert (len(taken.gone), taken.left) == (1, ())
    moved = [one.key for one in keyed_changes(original, edited) if one.change.kind == "geometry"]
    take_back(original, edited, moved, out)
    title = Presentation(str(out)).slides[0].shapes.title
    assert title._element.spPr.find("{*}xfrm") is None
    assert (title.text, title.fill.fore_color.rgb) == ("Port", RGBColor(200, 0, 0))
    filled = {one.key for one in keyed_changes(original, edited)} - {*moved}
    take_back(original, edited, filled - {key(original, edited, "became")}, out)
    title = Presentation(str(out)).slides[0].shapes.title
    assert (title.text, title.left, title.fill.type) == ("Port", Inches(1), None)


@pytest.mark.long
def test_keys_stay_while_other_changes_go(original: Path, tmp_path: Path) -> None:
    edited = made(original, tmp_path, retitle, move, boxed, recost, cells)
    changes = keyed_changes(original, edited)
    keys = [one.key for one in changes]
    assert len(set(keys)) == len(keys)
    out = tmp_path / "out.pptx"
    for gone in [one.key for one in changes if one.change.kind != "geometry"]:
        take_back(original, edited, [gone], out)
        assert [one.key for one in keyed_changes(original, out)] == [k for k in keys if k != gone]


def test_a_cell_goes_back_and_another_one_stays(original: Path, tmp_path: Path) -> None:
    edited = made(original, tmp_path, cells)
    take_back(original, edited, [key(original, edited, "row 2, column 2")], tmp_path / "out.pptx")
    table = Presentation(str(tmp_path / "out.pptx")).slides[2].shapes[2].table
    assert [table.cell(0, 0).text, table.cell(1, 1).text] == ["A", "11"]


def test_size_weight_and_colour_of_one_text_go_back_one_by_one(
    original: Path, tmp_path: Path
) -> None:
    def paint(deck: Any) -> None:
        font = deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font
        font.size, font.bold, font.color.rgb, font.name = Pt(50), True, RGBColor(9, 9, 9), "Georgia"

    edited = made(original, tmp_path, paint)
    found = {one.change.property: one.key for one in keyed_changes(original, edited)}
    assert set(found) == {"font.size", "font.bold", "font.color", "font.name"}
    stated = {"font.size": "size", "font.bold": "bold", "font.name": "name"}
    for gone, key in found.items():
        take_back(original, edited, [key], tmp_path / "out.pptx")
        title = Presentation(str(tmp_path / "out.pptx")).slides[0].shapes.title
        font = title.text_frame.paragraphs[0].runs[0].font
        left = {name for name, said in stated.items() if getattr(font, said) is not None}
        left |= {"font.color"} if font.color.type is not None else set()
        assert left == set(found) - {gone}


def test_an_added_shape_goes_and_a_whole_slide_goes_back(original: Path, tmp_path: Path) -> None:
    edited = made(original, tmp_path, retitle, boxed, recost)
    out = tmp_path / "out.pptx"
    take_back(original, edited, [key(original, edited, "was added")], out)
    assert [len(slide.shapes) for slide in Presentation(str(out)).slides] == [2, 2, 3]
    first = [one.key for one in keyed_changes(original, edited) if one.older == 1]
    assert len(first) == 2
    take_back(original, edited, first, out)
    assert titles(out) == ["Harbour", "Budget", "Plan"]


def test_added_and_removed_slides_go_and_come_back(original: Path, tmp_path: Path) -> None:
    edited = made(original, tmp_path, append, drop_second, retitle)
    out = tmp_path / "out.pptx"
    assert titles(edited) == ["Port", "Plan", "More"]
    take_back(original, edited, [key(original, edited, "slide was added")], out)
    assert titles(out) == ["Port", "Plan"]
    again = made(original, tmp_path, drop_second, retitle)
    take_back(original, again, [key(original, again, "slide was removed")], out)
    assert titles(out) == ["Port", "Costs", "Plan"]


def test_all_changes_taken_back_give_the_original(original: Path, tmp_path: Path) -> None:
    edited = made(original, tmp_path, retitle, enlarge, move, boxed, recost, cells)
    out = tmp_path / "out.pptx"
    take_back(original, edited, [one.key for one in keyed_changes(original, edited)], out)
    assert keyed_changes(original, out) == ()


def test_what_goes_only_with_another_change_says_so(original: Path, tmp_path: Path) -> None:
    edited = made(original, tmp_path, retitle, enlarge)
    with pytest.raises(CannotTakeBack, match=r"goes only together with: .*size"):
        take_back(original, edited, [key(original, edited, "became")], tmp_path / "out.pptx")
    assert not (tmp_path / "out.pptx").exists()
    with pytest.raises(CannotTakeBack, match="not there"):
        take_back(original, edited, ["f" * 16], tmp_path / "out.pptx")


def test_a_removed_slide_comes_back_while_an_added_one_stays(
    original: Path, tmp_path: Path
) -> None:
    edited = made(original, tmp_path, append, drop_second)
    gone = key(original, edited, "was removed")
    take_back(original, edited, [gone], tmp_path / "out.pptx")
    assert titles(tmp_path / "out.pptx") == ["Harbour", "Costs", "Plan", "More"]


def later(original: Path, folder: Path, edits: list[Edit], more: list[Edit]) -> tuple[Path, Path]:
    """The deck after some edits, and that deck after more."""
    once = made(original, folder, *edits).rename(folder / "once.pptx")
    return once, made(once, folder, *more).rename(folder / "twice.pptx")


def all_keys(before: Path, after: Path) -> list[str]:
    return [one.key for one in keyed_changes(before, after)]


def second_point(deck: Any) -> None:
    deck.slides[0].placeholders[1].text_frame.paragraphs[1].runs[0].text = "No quay"


def first_point(deck: Any) -> None:
    deck.slides[0].placeholders[1].text_frame.paragraphs[0].runs[0].text = "Three cranes"


def reword(deck: Any) -> None:
    """The title, with the looks that it has; python-pptx drops them where it sets a text."""
    deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].text = "Port"


def six_points(deck: Any) -> None:
    deck.slides[0].placeholders[1].text = "One\nTwo\nThree\nFour\nFive\nSix"


def bold(deck: Any) -> None:
    deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True


def painted(deck: Any) -> None:
    deck.slides[0].background.fill.solid()
    deck.slides[0].background.fill.fore_color.rgb = RGBColor(0, 0, 90)


def hide(deck: Any) -> None:
    deck.slides[0]._element.set("show", "0")


def themed(font: str) -> Edit:
    def edit(deck: Any) -> None:
        set_theme_fonts(deck, headings=font)

    return edit


def recolored(deck: Any) -> None:
    set_theme_color(deck, "accent1", "#00AA00")


def to_front(deck: Any) -> None:
    items = deck.slides._sldIdLst
    items.insert(0, items[-1])


@pytest.mark.by_day(6)
@pytest.mark.parametrize(
    ("edits", "more"),
    [
        ([reword], [enlarge, bold]),
        ([enlarge], [reword]),
        ([retitle, move], [fill, recost]),
        ([fill], [move, boxed]),
        ([boxed], [retitle]),
        ([first_point], [second_point]),
        ([drop_second], [retitle]),
        ([append], [retitle]),
        ([to_front], [append]),
        ([cells], [to_front]),
        ([painted], [hide]),
        ([hide], [painted]),
        ([themed("Georgia")], [recolored]),
    ],
)
def test_changes_go_from_a_later_deck_and_what_came_since_stays(
    original: Path, tmp_path: Path, edits: list[Edit], more: list[Edit]
) -> None:
    once, twice = later(original, tmp_path, edits, more)
    out = tmp_path / "out.pptx"
    taken = take_back(original, once, all_keys(original, once), out, onto=twice)
    assert taken.left == ()
    alone = made(original, tmp_path, *more)
    assert [one.change for one in keyed_changes(alone, out)] == []


def test_one_of_the_changes_goes_from_a_later_deck(original: Path, tmp_path: Path) -> None:
    once, twice = later(original, tmp_path, [retitle, move, recost], [fill, second_point])
    out = tmp_path / "out.pptx"
    taken = take_back(original, once, [key(original, once, "Port")], out, onto=twice)
    assert (len(taken.gone), taken.left, taken.slides) == (1, (), (1,))
    alone = made(original, tmp_path, move, recost, fill, second_point)
    assert keyed_changes(alone, out) == ()


@pytest.mark.parametrize(
    ("edits", "more", "said"),
    [
        ([retitle], [lambda deck: setattr(deck.slides[0].shapes.title, "text", "Quay")], "“Quay”"),
        ([boxed], [lambda deck: setattr(deck.slides[0].shapes[-1], "left", 0)], "position"),
        ([recost], [drop_second], "its slide is gone"),
        ([enlarge], [retitle], "from 50 to 44"),
        ([themed("Georgia")], [themed("Arial")], "Arial"),
        ([six_points], [first_point], "Three cranes"),
        ([append], [lambda deck: setattr(deck.slides[3].shapes.title, "text", "Even more")],
         "“Even more”"),
        ([enlarge], [lambda deck: setattr(
            deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font, "size", Pt(60)
        )], "60"),
    ],
)  # fmt: skip
def test_a_change_that_was_changed_again_is_named_and_nothing_is_lost(
    original: Path, tmp_path: Path, edits: list[Edit], more: list[Edit], said: str
) -> None:
    once, twice = later(original, tmp_path, edits, more)
    with pytest.raises(CannotTakeBack, match=said):
        take_back(original, once, all_keys(original, once), tmp_path / "out.pptx", onto=twice)
    assert not (tmp_path / "out.pptx").exists()


def test_of_several_changes_those_without_a_conflict_go(original: Path, tmp_path: Path) -> None:
    def again(deck: Any) -> None:
        deck.slides[0].shapes.title.text = "Quay"

    once, twice = later(original, tmp_path, [retitle, recost], [again])
    out = tmp_path / "out.pptx"
    taken = take_back(original, once, all_keys(original, once), out, onto=twice)
    assert titles(out) == ["Quay", "Costs", "Plan"]
    assert len(taken.gone) == 1
    (left,) = taken.left
    assert "it was changed again since" in left and "Quay" in left


def redden(deck: Any) -> None:
    for paragraph in deck.slides[0].placeholders[1].text_frame.paragraphs:
        paragraph.runs[0].font.color.rgb = RGBColor(200, 0, 0)


def repeat_point(deck: Any) -> None:
    last = deck.slides[0].placeholders[1].text_frame.paragraphs[-1]._p
    last.addnext(deepcopy(last))


def shrink_cells(deck: Any) -> None:
    for cell in deck.slides[2].shapes[-1].table.rows[1].cells:
        cell.text_frame.paragraphs[0].runs[0].font.size = Pt(9)


def repeat_row(deck: Any) -> None:
    last = deck.slides[2].shapes[-1].table._tbl.tr_lst[-1]
    last.addnext(deepcopy(last))


@pytest.mark.parametrize(
    ("style", "copy"), [(redden, repeat_point), (shrink_cells, repeat_row)], ids=["text", "row"]
)
def test_what_copied_a_style_since_keeps_it_and_is_named(
    original: Path, tmp_path: Path, style: Edit, copy: Edit
) -> None:
    once, twice = later(original, tmp_path, [style], [copy])
    out = tmp_path / "out.pptx"
    taken = take_back(original, once, all_keys(original, once), out, onto=twice)
    assert taken.gone
    assert all(line.endswith("what was added since keeps it") for line in taken.left)
    assert taken.left


def test_a_style_goes_without_a_word_where_the_text_that_came_has_its_own(
    original: Path, tmp_path: Path
) -> None:
    once, twice = later(original, tmp_path, [redden], [second_point])
    taken = take_back(original, once, all_keys(original, once), tmp_path / "out.pptx", onto=twice)
    assert (bool(taken.gone), taken.left) == (True, ())
