"""A change is told beside another one of the same thing: neither hides the other."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from lxml import etree
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Emu, Inches
from tests.examples import examples

from decklab.diffing.changes import Change
from decklab.diffing.decks import diff_packages
from decklab.ooxml.package import Package

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_PX = 12_700 * 72 / 96 * 1280 / 960
"""EMU of a pixel of the 960x540 frame, on slides of 13.333 by 7.5 inches."""


def compared(before: Any, after: Any, folder: Path) -> list[Change]:
    """The edits between two decks of python-pptx."""
    paths = folder / "before.pptx", folder / "after.pptx"
    for deck, path in zip((before, after), paths, strict=True):
        deck.save(path)
    with Package.open(paths[0]) as old, Package.open(paths[1]) as new:
        return list(diff_packages(old, new).edits)


def blank_deck() -> Any:
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(13.333), Inches(7.5)
    deck.slides.add_slide(deck.slide_layouts[6])
    return deck


def twice(build: Callable[[], Any]) -> tuple[Any, Any]:
    return build(), build()


def table_deck() -> Any:
    deck = blank_deck()
    table = deck.slides[0].shapes.add_table(3, 2, 0, 0, Inches(6), Inches(2)).table
    for index, cell in enumerate(table.iter_cells()):
        cell.text = f"cell {index}"
    return deck


def test_a_new_row_does_not_hide_that_the_words_of_others_became_transparent(
    tmp_path: Path,
) -> None:
    before, after = twice(table_deck)
    table = after.slides[0].shapes[0].table
    run = table.cell(1, 0).text_frame.paragraphs[0].runs[0]._r.get_or_add_rPr()
    run.append(
        parse_xml(
            f'<a:solidFill xmlns:a="{_A}"><a:srgbClr val="000000"><a:alpha val="0"/>'
            "</a:srgbClr></a:solidFill>"
        )
    )
    row = deepcopy(table._tbl.tr_lst[2])
    row.findall(f".//{qn('a:t')}")[0].text = "new"
    table._tbl.append(row)
    told = {(one.kind, one.property) for one in compared(before, after, tmp_path)}
    assert told == {("table", "row added"), ("style", "font.color")}


def test_a_new_transition_does_not_hide_another_order_of_elements(tmp_path: Path) -> None:
    before, after = twice(blank_deck)
    slide = after.slides[0].element
    group = slide.find(f"{qn('p:cSld')}/{qn('p:spTree')}/{qn('p:grpSpPr')}")
    for deck in (before, after):
        holder = deck.slides[0].element.find(f"{qn('p:cSld')}/{qn('p:spTree')}/{qn('p:grpSpPr')}")
        frame = etree.SubElement(holder, qn("a:xfrm"))
        for name, keys in (("off", "xy"), ("ext", ("cx", "cy")), ("chOff", "xy")):
            etree.SubElement(frame, qn(f"a:{name}"), dict.fromkeys(keys, "0"))
        etree.SubElement(frame, qn("a:chExt"), {"cx": "0", "cy": "0"})
    frame = group[0]
    frame.insert(2, frame[3])
    slide.append(parse_xml(f'<p:transition xmlns:p="{_P}"><p:fade/></p:transition>'))
    found = compared(before, after, tmp_path)
    assert ("transition", "added") in {(one.kind, one.property) for one in found}
    (other,) = (one for one in found if one.kind != "transition")
    assert other.kind == "detail" and "chExt" in other.path


def test_an_indented_body_does_not_hide_that_its_placeholder_lost_its_place(tmp_path: Path) -> None:
    before, after = twice(blank_deck)
    master = after.slide_masters[0]
    level = master.element.find(f"{qn('p:txStyles')}/{qn('p:bodyStyle')}/{qn('a:lvl1pPr')}")
    level.set("marR", "400000")
    body = next(one for one in master.placeholders if "Text" in one.name)
    frame = body._element.spPr.find(qn("a:xfrm"))
    frame.getparent().remove(frame)
    told = {one.property for one in compared(before, after, tmp_path)}
    assert told == {"paragraph.margin_right", "placed"}


GROUP = (2_000_000, 1_000_000, 4_000_000, 3_000_000)


def grouped_deck() -> Any:
    """Three shapes in a group, one of them turned."""
    deck = blank_deck()
    group = deck.slides[0].shapes.add_group_shape()
    for number in range(3):
        member = group.shapes.add_shape(
            1, 2_000_000 + 1_200_000 * number, 1_000_000 + 900_000 * number, 1_600_000, 1_200_000
        )
        member.name = f"member {number}"
        member.rotation = 20.0 * number
    left, top, width, height = GROUP
    group.left, group.top, group.width, group.height = map(Emu, GROUP)
    frame = group._element.grpSpPr.find(qn("a:xfrm"))
    frame.find(qn("a:chOff")).attrib.update({"x": str(left), "y": str(top)})
    frame.find(qn("a:chExt")).attrib.update({"cx": str(width), "cy": str(height)})
    return deck


@pytest.mark.long
@examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    turn=st.integers(0, 359),
    flips=st.tuples(st.booleans(), st.booleans()),
    shift=st.tuples(st.integers(-5, 5), st.integers(-5, 5)),
    scale=st.sampled_from([(1.0, 1.0), (0.5, 0.5), (1.5, 0.75)]),
)
def test_members_go_with_their_group_however_it_is_turned_flipped_moved_and_scaled(
    turn: int,
    flips: tuple[bool, bool],
    shift: tuple[int, int],
    scale: tuple[float, float],
    tmp_path: Path,
) -> None:
    before, after = twice(grouped_deck)
    turned(after, turn, flips, shift, scale)
    assert {one.element.name for one in compared(before, after, tmp_path) if one.element} <= {
        after.slides[0].shapes[0].name
    }


def turned(
    deck: Any,
    turn: int,
    flips: tuple[bool, bool],
    shift: tuple[int, int] = (0, 0),
    scale: tuple[float, float] = (1.0, 1.0),
) -> None:
    group = deck.slides[0].shapes[0]
    frame = group._element.grpSpPr.find(qn("a:xfrm"))
    if turn:
        frame.set("rot", str(turn * 60_000))
    for name, flip in zip(("flipH", "flipV"), flips, strict=True):
        if flip:
            frame.set(name, "1")
    group.left, group.top = Emu(GROUP[0] + shift[0] * 100_000), Emu(GROUP[1] + shift[1] * 100_000)
    group.width, group.height = Emu(int(GROUP[2] * scale[0])), Emu(int(GROUP[3] * scale[1]))


@pytest.mark.parametrize(
    ("turn", "flips", "moved"),
    [(0, (True, False), (-50, 0)), (0, (False, True), (50, 0)), (90, (False, False), (0, 50)),
     (180, (False, False), (-50, 0)), (90, (True, False), (0, -50))],
)  # fmt: skip
def test_a_member_that_moved_by_itself_is_told_beside_its_group_that_turned(
    turn: int, flips: tuple[bool, bool], moved: tuple[int, int], tmp_path: Path
) -> None:
    """The member goes right by 50 px in its group: flipped first and then turned clockwise."""
    before, after = twice(grouped_deck)
    turned(after, turn, flips)
    carried = twice(grouped_deck)[0]
    turned(carried, turn, flips)
    member = after.slides[0].shapes[0].shapes[0]
    member.left = Emu(member.left + round(50 * _PX))
    found = compared(before, after, tmp_path)
    (told,) = (one for one in found if one.element and one.element.name == "member 0")
    assert told.property == "position"
    (alone,) = compared(carried, after, tmp_path)
    assert [alone.new[axis] - alone.old[axis] for axis in (0, 1)] == pytest.approx(moved, abs=0.1)
    assert told.new == alone.new


def test_a_fill_of_its_own_does_not_hide_another_style_of_the_theme(tmp_path: Path) -> None:
    before, after = twice(grouped_deck)
    for deck in (before, after):
        deck.slides[0].shapes.add_shape(1, 0, 0, 914_400, 914_400)
    shape = after.slides[0].shapes[1]
    shape.fill.background()
    shape._element.find(f".//{qn('a:fillRef')}")[0].set("val", "accent3")
    told = {one.property for one in compared(before, after, tmp_path)}
    assert told == {"fill", "theme_style"}


def test_a_new_description_does_not_hide_what_became_of_an_empty_cell(tmp_path: Path) -> None:
    before, after = twice(table_deck)
    for deck in (before, after):
        paragraph = deck.slides[0].shapes[0].table.cell(0, 0).text_frame.paragraphs[0]
        paragraph.runs[0]._r.getparent().remove(paragraph.runs[0]._r)
        etree.SubElement(paragraph._p, qn("a:endParaRPr"), {"lang": "tr-TR", "sz": "900"})
    frame = after.slides[0].shapes[0]
    frame._element.nvGraphicFramePr.cNvPr.set("descr", "Six cells")
    mark = frame._element.find(f".//{qn('a:endParaRPr')}")
    mark.getparent().remove(mark)
    found = compared(before, after, tmp_path)
    assert {one.kind for one in found} > {"alt text"}


def test_a_placeholder_that_is_none_any_more_is_told_of_decks_that_libreoffice_saved(
    tmp_path: Path,
) -> None:
    before, after = twice(blank_deck)
    for deck in (before, after):
        app = next(p for p in deck.part.package.iter_parts() if p.partname == "/docProps/app.xml")
        app._blob = app.blob.replace(b"Microsoft Macintosh PowerPoint", b"LibreOffice/7.4.7.2")
        assert b"LibreOffice" in app.blob
    title = after.slide_masters[0].placeholders[0]._element
    mark = title.find(f".//{qn('p:ph')}")
    mark.getparent().remove(mark)
    assert "placeholder" in {one.property for one in compared(before, after, tmp_path)}
