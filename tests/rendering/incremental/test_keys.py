"""Which keys an edit changes: those of the slides that look different, and no others."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Emu
from tests.rendering.incremental.decks import (
    CHART,
    DATE,
    LINK,
    NUMBER,
    PICTURE,
    TABLE,
    TITLE,
    ChangePart,
    picture_bytes,
    replacing,
    xml_change,
)

from decklab.core.errors import DeckError
from decklab.editing.slide_operations import clone_slide, delete_slide, move_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.parts import relationships_part
from decklab.rendering.slide_keys import SlideKeys

NOW = datetime(2024, 2, 29, 10, 30, tzinfo=UTC)
ALL = set(range(1, 9))
TRANSITION = '</p:clrMapOvr><p:transition spd="slow"><p:fade/></p:transition><p:timing/>'


def keys(path: Path, now: datetime = NOW, **facts: str) -> list[str]:
    with Package.open(path) as package:
        found = SlideKeys(package, facts, now=now)
        return [found.of(number) for number in range(1, len(found) + 1)]


def changed(before: Path, after: Path) -> set[int]:
    """Numbers of the slides, in the later deck, whose keys the earlier one does not know."""
    known = set(keys(before))
    return {number for number, key in enumerate(keys(after), start=1) if key not in known}


def part(path: Path, number: int, kind: str = "") -> str:
    """Name of a slide's part, or of the part of that kind that the slide refers to."""
    with Package.open(path) as package:
        slide = SlideKeys(package, {}).slides[number - 1]
        return package.related(slide, kind)[0] if kind else slide


def test_all_slides_that_look_different_have_keys_of_their_own(rich_deck: Path) -> None:
    assert len(set(keys(rich_deck))) == 8
    assert keys(rich_deck) == keys(rich_deck)


def test_saving_by_another_program_changes_no_key(rich_deck: Path, tmp_path: Path) -> None:
    Presentation(str(rich_deck)).save(str(tmp_path / "again.pptx"))
    assert changed(rich_deck, tmp_path / "again.pptx") == set()


@pytest.mark.parametrize("number", [TITLE, CHART, TABLE])
def test_a_text_edit_concerns_its_slide(
    rich_deck: Path, change_part: ChangePart, number: int
) -> None:
    edit = replacing(f"Slide {number}<", "Another title<")
    assert changed(rich_deck, change_part(rich_deck, part(rich_deck, number), edit)) == {number}


def test_what_is_not_drawn_changes_no_key(rich_deck: Path, change_part: ChangePart) -> None:
    picture, notes = part(rich_deck, PICTURE), part(rich_deck, TITLE, "notesSlide")
    edits = [
        (picture, replacing("</p:clrMapOvr>", TRANSITION)),
        (picture, replacing('descr="image.png"', 'descr="A red rectangle"')),
        (notes, replacing("not shown", "nor shown")),
        (relationships_part(part(rich_deck, LINK)), replacing("example.invalid", "other.invalid")),
        ("ppt/presentation.xml", replacing('name="All"', 'name="Every"')),
    ]
    for name, edit in edits:
        assert changed(rich_deck, change_part(rich_deck, name, edit)) == set(), name


def test_a_chart_counts_and_the_workbook_behind_it_does_not(
    rich_deck: Path, change_part: ChangePart
) -> None:
    chart = part(rich_deck, CHART, "chart")
    with Package.open(rich_deck) as package:
        (workbook,) = package.related(chart, "package")
    assert changed(rich_deck, change_part(rich_deck, workbook, lambda _: b"other")) == set()
    edit = replacing("<c:v>3.0</c:v>", "<c:v>2.0</c:v>")
    assert changed(rich_deck, change_part(rich_deck, chart, edit)) == {CHART}


def test_media_concern_the_slides_that_use_them(rich_deck: Path, change_part: ChangePart) -> None:
    image = part(rich_deck, PICTURE, "image")
    blue = change_part(rich_deck, image, lambda _: picture_bytes("blue"))
    assert changed(rich_deck, blue) == {PICTURE}


def test_a_layout_concerns_its_slides_and_who_follows_and_master_and_theme_all(
    rich_deck: Path, change_part: ChangePart
) -> None:
    layout = part(rich_deck, TITLE, "slideLayout")
    moved = xml_change(lambda root: root.find(".//{*}ph/../../../{*}spPr").clear())
    assert changed(rich_deck, change_part(rich_deck, layout, moved)) == {TITLE, NUMBER}
    with Package.open(rich_deck) as package:
        (master,) = package.related(layout, "slideMaster")
        (theme,) = package.related(master, "theme")
    for name in (master, theme):
        edit = xml_change(lambda root: root.set("edited", "1"))
        assert changed(rich_deck, change_part(rich_deck, name, edit)) == ALL


def test_a_new_layout_that_no_slide_uses_concerns_none(
    rich_deck: Path, change_part: ChangePart
) -> None:
    edit = replacing("</p:sldLayoutIdLst>", '<p:sldLayoutId id="2147483999"/></p:sldLayoutIdLst>')
    assert (
        changed(rich_deck, change_part(rich_deck, "ppt/slideMasters/slideMaster1.xml", edit))
        == set()
    )


def test_slide_size_and_text_defaults_concern_all(rich_deck: Path, change_part: ChangePart) -> None:
    for edit in (replacing('cx="9144000"', 'cx="9000000"'), replacing('sz="1800"', 'sz="2000"')):
        assert changed(rich_deck, change_part(rich_deck, "ppt/presentation.xml", edit)) == ALL


def test_table_styles_concern_slides_with_tables(rich_deck: Path, tmp_path: Path) -> None:
    deck = Presentation(str(rich_deck))
    (styles,) = [
        relation.target_part
        for relation in deck.part.rels.values()
        if relation.reltype.endswith("/tableStyles")
    ]
    styles._blob = styles.blob.replace(b"/>", b"> </a:tblStyleLst>")
    deck.save(str(tmp_path / "styled.pptx"))
    assert changed(rich_deck, tmp_path / "styled.pptx") == {TABLE}


def test_the_first_number_concerns_slides_that_show_theirs(
    rich_deck: Path, change_part: ChangePart
) -> None:
    edit = replacing('firstSlideNum="1"', 'firstSlideNum="7"')
    assert changed(rich_deck, change_part(rich_deck, "ppt/presentation.xml", edit)) == {NUMBER}


def test_a_moved_slide_takes_its_key_along(rich_deck: Path, tmp_path: Path) -> None:
    with Package.open(rich_deck) as package:
        draft = Draft(package)
        move_slide(draft, TABLE, PICTURE)
        draft.save(tmp_path / "moved.pptx")
    assert changed(rich_deck, tmp_path / "moved.pptx") == set()
    with Package.open(rich_deck) as package:
        draft = Draft(package)
        move_slide(draft, NUMBER, CHART)
        draft.save(tmp_path / "moved.pptx")
    # It shows another number now; and before the two it has passed there is no plain text any more.
    assert changed(rich_deck, tmp_path / "moved.pptx") == {NUMBER, PICTURE, CHART}


def test_added_and_deleted_slides_leave_the_others_known(rich_deck: Path, tmp_path: Path) -> None:
    with Package.open(rich_deck) as package:
        draft = Draft(package)
        delete_slide(draft, CHART)
        clone_slide(draft, PICTURE)
        draft.save(tmp_path / "other.pptx")
    assert changed(rich_deck, tmp_path / "other.pptx") == set()


def test_a_date_ties_its_slide_to_the_day(rich_deck: Path) -> None:
    today, tomorrow = keys(rich_deck), keys(rich_deck, now=NOW.replace(month=3))
    differ = {number for number in ALL if today[number - 1] != tomorrow[number - 1]}
    assert differ == {DATE}
    assert keys(rich_deck, now=NOW.replace(minute=31)) == today


def test_a_time_of_day_ties_its_slide_to_the_minute(
    rich_deck: Path, change_part: ChangePart
) -> None:
    clock = change_part(rich_deck, part(rich_deck, DATE), replacing("datetime1", "datetime10"))
    later = keys(clock, now=NOW.replace(minute=31))
    assert [one != other for one, other in zip(keys(clock), later, strict=True)].index(True) == 6


def test_what_draws_is_part_of_every_key(rich_deck: Path) -> None:
    assert not set(keys(rich_deck, engine="one")) & set(keys(rich_deck, engine="two"))


def test_text_that_shrinks_remembers_plain_text_before_it(tmp_path: Path) -> None:
    deck = Presentation()
    for _ in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = "Title"
    deck.save(str(tmp_path / "before.pptx"))
    box = deck.slides[0].shapes.add_textbox(Emu(0), Emu(0), Emu(999999), Emu(999999))
    box.text_frame.text = "plain"
    deck.save(str(tmp_path / "after.pptx"))
    assert changed(tmp_path / "before.pptx", tmp_path / "after.pptx") == {1, 2, 3}
    box.text_frame.text = "still plain"
    deck.save(str(tmp_path / "later.pptx"))
    assert changed(tmp_path / "after.pptx", tmp_path / "later.pptx") == {1}


def test_text_that_shrinks_remembers_the_layout_before_it(tmp_path: Path) -> None:
    deck = Presentation()
    for layout in (5, 5, 6, 5):
        slide = deck.slides.add_slide(deck.slide_layouts[layout])
        if slide.shapes.title is not None:
            slide.shapes.title.text = f"Title on {layout}, {len(deck.slides)}"
    deck.save(str(tmp_path / "before.pptx"))
    with Package.open(tmp_path / "before.pptx") as package:
        draft = Draft(package)
        delete_slide(draft, 3)
        draft.save(tmp_path / "after.pptx")
    assert changed(tmp_path / "before.pptx", tmp_path / "after.pptx") == {3}


def test_facts_about_the_file_concern_slides_that_show_them(
    rich_deck: Path, change_part: ChangePart
) -> None:
    facts = replacing("generated using", "made with")
    assert changed(rich_deck, change_part(rich_deck, "docProps/core.xml", facts)) == set()
    edit = replacing('type="slidenum"', 'type="author"')
    shown = change_part(rich_deck, part(rich_deck, NUMBER), edit, "shown.pptx")
    assert changed(shown, change_part(shown, "docProps/core.xml", facts)) == {NUMBER}


def test_a_deck_without_slides_has_no_keys(tmp_path: Path) -> None:
    Presentation().save(str(tmp_path / "empty.pptx"))
    assert keys(tmp_path / "empty.pptx") == []


def test_a_package_that_is_no_deck_is_named(tmp_path: Path) -> None:
    shutil.make_archive(str(tmp_path / "none"), "zip", tmp_path)
    with pytest.raises(DeckError, match=r"none\.zip"):
        keys(tmp_path / "none.zip")
