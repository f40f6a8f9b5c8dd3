"""Table cells: style parts, flags, own properties; and the styles built into PowerPoint."""

import pytest
from bench.styles_witness.styles import read_styles

from decklab.deck.model.base import Effective
from decklab.deck.model.shapes import NO_PAINT
from decklab.deck.styles.fills import NO_FILL, NO_LINE
from decklab.deck.styles.table_styles import (
    BUILTIN_TABLE_STYLES,
    CellPlace,
    TableFlags,
    TableStyle,
    builtin_table_style,
    parts_at,
    style_border,
)
from decklab.deck.styles.themes import MappedTheme
from decklab.ooxml.package import Package
from decklab.ooxml.xml import qn

MEDIUM_2 = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"
CELL = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody><a:tcPr{}</a:tc>"


def rows(*widths, properties="/>"):
    return "".join(
        f"<a:tr h='1'>{''.join(CELL.format(f'{r}{c}', properties) for c in range(width))}</a:tr>"
        for r, width in enumerate(widths)
    )


def style_id(id):
    return f"<a:tableStyleId>{id}</a:tableStyleId>"


@pytest.fixture
def first_run(stated):
    return lambda cell: stated(cell.paragraphs[0].runs[0])


@pytest.fixture
def table(shape, xml):
    """The rows of cells of a table."""

    def read(rows, properties="", inside="", **pieces):
        return shape(slide=xml.table(rows, properties, inside), **pieces).table

    return read


ALL = TableFlags(True, True, True, True, True, True)


@pytest.mark.parametrize(
    ("place", "flags", "parts"),
    [
        (CellPlace(1, 1, 3, 3), TableFlags(), ("wholeTbl",)),
        (CellPlace(0, 1, 3, 3), TableFlags(first_row=True), ("wholeTbl", "firstRow")),
        (CellPlace(0, 0, 3, 3), ALL, ("wholeTbl", "firstRow", "firstCol", "nwCell")),
        (CellPlace(2, 2, 3, 3), ALL, ("wholeTbl", "lastRow", "lastCol", "seCell")),
        (CellPlace(1, 1, 3, 3), ALL, ("wholeTbl", "band1V", "band1H")),
        (CellPlace(2, 1, 4, 4), ALL, ("wholeTbl", "band1V", "band2H")),
        (CellPlace(0, 0, 2, 2), TableFlags(row_bands=True), ("wholeTbl", "band1H")),
        (CellPlace(1, 0, 2, 2), TableFlags(row_bands=True), ("wholeTbl", "band2H")),
        (CellPlace(0, 0, 1, 1), ALL, ("wholeTbl", "firstRow", "firstCol", "nwCell")),
        (CellPlace(0, 0, 2, 3, 2, 3), TableFlags(last_row=True, last_column=True),
         ("wholeTbl", "lastRow", "lastCol", "seCell")),
    ],
)  # fmt: skip
def test_which_parts_of_a_style_hold_for_a_cell(place, flags, parts):
    assert parts_at(place, flags) == parts


def test_a_built_in_style_needs_no_definition(styles, first_run, xml):
    deck = styles(slide=xml.table(rows(2, 2, 2), 'firstRow="1" bandRow="1"', style_id(MEDIUM_2)))
    head, first, second = (row[0] for row in deck.slides[0].shapes[0].table)
    assert deck.unknown_table_styles == ()
    assert (head.fill, head.sources) == ("#4F81BD", {"fill": "table_style"})
    assert first_run(head).bold == Effective(True, "table_style")
    assert first_run(head).color.value == "#FFFFFF"
    assert first_run(first).bold == Effective(False, "default")
    assert first_run(first).slot.value == "dk1"
    # 4F81BD tinted to 40 and 20 % in linear light, by hand
    assert first.fill == "#D0D8E8"
    assert second.fill == "#E9EDF4"


def test_the_deck_s_own_definition_stands_over_the_built_in_one(table, first_run):
    definition = (
        f'<a:tblStyle styleId="{MEDIUM_2.lower()}" styleName="mine"><a:wholeTbl>'
        '<a:tcTxStyle i="on"><a:fontRef idx="major"><a:srgbClr val="00FF00"/></a:fontRef>'
        "</a:tcTxStyle><a:tcStyle><a:tcBdr/></a:tcStyle></a:wholeTbl></a:tblStyle>"
    )
    cell = table(rows(1), "", style_id(MEDIUM_2), table_styles=definition)[0][0]
    assert (cell.paint, cell.sources) == (NO_PAINT, {})
    assert first_run(cell).italic == Effective(True, "table_style")
    assert first_run(cell).name == Effective("Head", "table_style")
    assert first_run(cell).color.value == "#00FF00"


def test_a_style_that_nobody_defines_is_named(styles, xml):
    unknown = "{00000000-0000-0000-0000-000000000001}"
    deck = styles(slide=xml.table(rows(1), "", style_id(unknown)))
    assert deck.unknown_table_styles == (unknown,)


def test_a_cell_s_own_fill_borders_and_text_stand_over_the_style(table, stated, xml):
    own = f' anchor="ctr" marL="0"><a:lnT w="38100">{xml.solid("accent2")}</a:lnT>'
    own += xml.solid("accent3") + "</a:tcPr>"
    cell = table(rows(2, 2, properties=own), 'firstRow="1"', style_id(MEDIUM_2))[1][0]
    assert (cell.fill, cell.sources) == ("#9BBB59", {"fill": "shape"})
    assert stated(cell.top).strokeWidth == Effective(3.0, "shape")
    assert cell.top.stroke == "#C0504D"
    assert stated(cell.left).strokeWidth == Effective(1.0, "table_style")
    assert stated(cell.body).anchor == Effective("middle", "shape")
    assert stated(cell.body).inset_left == Effective(0.0, "shape")
    assert stated(cell.body).inset_right == Effective(7.2, "default")


def test_outer_and_inner_borders_of_a_part(table):
    light_1 = "{3B4B98B0-60AC-42C2-AFA5-B58CD77FA1E5}"
    grid = table(rows(2, 2, 2), 'firstRow="1"', style_id(light_1))
    assert grid[0][0].top.pen.paint.kind == "solid"
    assert grid[0][0].bottom.pen.paint.kind == "solid"
    assert grid[0][0].left == NO_LINE
    assert grid[1][0].bottom == NO_LINE
    assert grid[2][1].bottom.pen.paint.kind == "solid"
    builtin = builtin_table_style(light_1)
    assert builtin is not None
    style = TableStyle.read(builtin)
    for place, side in ((CellPlace(0, 0, 3, 2), "left"), (CellPlace(1, 0, 3, 2), "bottom")):
        parts = parts_at(place, TableFlags(first_row=True))
        border = style_border(style, parts, side, place, MappedTheme())
        assert border["stroke"] == Effective(NO_FILL, "table_style")


def test_a_table_without_a_style_has_plain_text(table, first_run):
    cell = table(rows(1), presentation=(
        '<p:defaultTextStyle><a:lvl1pPr><a:defRPr sz="1700"/></a:lvl1pPr></p:defaultTextStyle>'
    ))[0][0]  # fmt: skip
    assert first_run(cell).size == Effective(17.0, "presentation")
    assert (cell.paint, cell.sources) == (NO_PAINT, {})
    assert cell.top == NO_LINE


def test_a_table_s_own_fill_shows_behind_cells_that_have_none(table, xml):
    cell = table(rows(1), "", xml.solid("accent4"))[0][0]
    assert (cell.fill, cell.sources) == ("#8064A2", {"fill": "shape"})


def test_merged_cells_say_what_they_span_and_what_is_covered(table):
    row = (
        '<a:tr h="1"><a:tc gridSpan="2" rowSpan="1"><a:tcPr/></a:tc>'
        '<a:tc hMerge="1"><a:tcPr/></a:tc></a:tr>'
    )
    first, second = table(row)[0]
    assert (first.column_span, first.row_span, first.covered) == (2, 1, False)
    assert second.covered
    assert first.paragraphs == ()


def test_an_empty_table_has_no_rows(table):
    assert table("") == ()


@pytest.mark.long
def test_there_are_74_built_in_styles_and_all_can_be_read(styles, first_run, xml):
    assert len(BUILTIN_TABLE_STYLES) == 74
    for id in BUILTIN_TABLE_STYLES:
        shown = 'firstRow="1" firstCol="1" bandRow="1"'
        deck = styles(slide=xml.table(rows(3, 3, 3), shown, style_id(id)))
        assert deck.unknown_table_styles == ()
        for cell in (cell for row in deck.slides[0].shapes[0].table for cell in row):
            assert first_run(cell).alpha.value == 1.0
    assert builtin_table_style("{0}") is None


# Effective looks of cells, by what PowerPoint's gallery shows with the colours of Office 2007
@pytest.mark.parametrize(
    ("id", "row", "hex", "text"),
    [
        ("{125E5076-3810-47DD-B79F-674D7AD40C01}", 0, "#000000", "#FFFFFF"),  # Dark 1, accent 1
        ("{125E5076-3810-47DD-B79F-674D7AD40C01}", 2, "#4F81BD", "#FFFFFF"),
        ("{0660B408-B3CF-4A94-85FC-2B1E0A45F4A2}", 0, "#C0504D", "#FFFFFF"),  # Dark 2, accents 1/2
        ("{6E25E649-3F16-4E02-A733-19D2CDBF48F0}", 0, "#4F81BD", "#FFFFFF"),  # Medium 3, accent 1
        ("{6E25E649-3F16-4E02-A733-19D2CDBF48F0}", 2, "#FFFFFF", "#000000"),
        ("{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}", 0, "#000000", "#FFFFFF"),  # Medium 2
    ],
)
def test_looks_of_built_in_styles(table, id, row, hex, text):
    cell = table(rows(2, 2, 2), 'firstRow="1" bandRow="1"', style_id(id))[row][1]
    assert cell.paint.kind == "solid"
    assert (cell.fill, cell.paragraphs[0].runs[0].font.color) == (hex, text)


@pytest.mark.shared
def test_built_in_styles_are_those_that_powerpoint_writes_into_decks(shared, table):
    """Each definition of a built-in id in a deck gives the same cells as ours."""
    definitions = dict(_definitions(shared))
    assert len(definitions) >= 7
    flags = 'firstRow="1" lastRow="1" firstCol="1" lastCol="1" bandRow="1" bandCol="1"'
    for id, definition in definitions.items():
        for shown in (flags, 'firstRow="1" bandRow="1"', 'bandCol="1" lastCol="1"', ""):
            ours = table(rows(4, 4, 4, 4), shown, style_id(id))
            theirs = table(rows(4, 4, 4, 4), shown, style_id(id), table_styles=definition)
            assert ours == theirs, (id, shown)


def _definitions(shared):
    from lxml import etree

    for path in sorted((shared / "decks" / "features").glob("*.pptx")):
        with Package.open(path) as package:
            for part in package.related(package.main_part, "tableStyles"):
                for item in package.xml(part).iter(qn("a:tblStyle")):
                    if item.get("styleId") in BUILTIN_TABLE_STYLES:
                        yield item.get("styleId"), etree.tostring(item).decode()


@pytest.mark.shared
def test_no_table_of_the_feature_decks_is_without_its_style(shared):
    for path in sorted((shared / "decks" / "features").glob("*table*.pptx")):
        with Package.open(path) as package:
            deck = read_styles(package)
        assert deck.unknown_table_styles == ()
        assert any(shape.table for slide in deck.slides for shape in slide.shapes)
