from pathlib import Path
from typing import Any

import pytest
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from tests.board.templates.conftest import Change, faulty, made, three_bodies, without

import decklab
from decklab.board.templates.reading import read_template
from decklab.board.templates.uses import use_table


def test_the_layouts_of_an_ordinary_template_are_told_apart(company: Path) -> None:
    found = decklab.check_template(company)
    names = {layout.number: layout.name for layout in found.layouts}
    chosen = {use: names[number] for use, number in found.chosen.items()}
    assert chosen["title"] == "Title Slide"
    assert chosen["section"] == "Section Header"
    assert chosen["body"] == chosen["chart"] == "Title and Content"
    assert chosen["two_columns"] == "Two Content"
    assert chosen["comparison"] == "Comparison"
    assert chosen["title_only"] == "Title Only"
    assert chosen["blank"] == "Blank"
    assert "three_columns" in {item.use for item in found.missing}
    assert found.slides == 2


def test_uses_follow_places_not_names(tmp_path: Path) -> None:
    template = read_template(made(tmp_path / "odd.pptx", three_bodies, slides=0))
    table = use_table(template)
    assert [layout.name for layout in table.layouts["three_columns"]] == ["Custom 4"]
    lefts = [cell.place.box.left for cell in table.layouts["three_columns"][0].cells]
    assert lefts == sorted(lefts)


def test_a_place_tells_how_much_it_holds(company: Path) -> None:
    found = decklab.check_template(company)
    body = next(layout for layout in found.layouts if layout.name == "Title and Content")
    room = next(place for place in body.places if place.kind == "object")
    # 356.4 pt less insets of 7.2 are 349.2: 8 lines of 32 pt at Carlito's 1.22 are 312, 9 are 352
    assert room.lines == 8
    assert room.words is not None and room.words > 30


def with_pitch(inner: str) -> Change:
    """The first level of the master's text with a line pitch."""

    def change(deck: Any) -> None:
        [level] = deck.slide_master._element.xpath("./p:txStyles/p:bodyStyle/a:lvl1pPr")
        level.insert(0, parse_xml(f"<a:lnSpc {nsdecls('a')}>{inner}</a:lnSpc>"))

    return change


@pytest.mark.parametrize(
    ("inner", "lines"),
    [
        ('<a:spcPct val="200000"/>', 4),  # 349.2 pt / (32 pt x 1.22 x 2) = 4.5
        ('<a:spcPct val="50000"/>', 17),  # 349.2 pt / (32 pt x 1.22 / 2) = 17.9
        ('<a:spcPts val="6000"/>', 5),  # 349.2 pt / 60 pt = 5.8
    ],
)
def test_wide_lines_leave_room_for_fewer(inner: str, lines: int, tmp_path: Path) -> None:
    found = decklab.check_template(made(tmp_path / "wide.pptx", with_pitch(inner), slides=0))
    body = next(layout for layout in found.layouts if layout.name == "Title and Content")
    assert next(place for place in body.places if place.kind == "object").lines == lines


def test_what_is_wrong_is_named_with_its_layout(tmp_path: Path) -> None:
    found = decklab.check_template(made(tmp_path / "faulty.pptx", faulty, slides=0))
    names = {layout.number: layout.name for layout in found.layouts}
    told = {(fault.code, names.get(fault.layout, "")) for fault in found.faults}
    assert ("off-slide", "Two Content") in told
    assert ("overlap", "Two Content") in told
    assert ("small-text", "Section Header") in told
    assert ("low-contrast", "Section Header") in told  # #898989 on white: 3.5:1
    assert ("sample-text", "Title Only") in told


def test_missing_uses_say_what_is_done_instead(tmp_path: Path) -> None:
    template = made(tmp_path / "few.pptx", without("Title Only", "Section Header"), slides=0)
    missing = {item.use: item.instead for item in decklab.check_template(template).missing}
    assert "title layout" in missing["section"]
    assert "layout for text" in missing["title_only"]
