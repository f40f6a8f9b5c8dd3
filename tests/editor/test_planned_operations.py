"""Every operation, performed on a sample deck under a plan that names exactly what it does."""

from collections.abc import Callable, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from tests.editor.scripted import plan

from decklab.deck.deck import write_samples
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.diffing.changes import DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.editing import operations
from decklab.editing.opening import opened, saved
from decklab.editing.operations import operation_names
from decklab.editing.plan import IMPLIED_CHANGES, ImpliedChange, Plan
from decklab.editor.planning import PlannedChange, plan_of
from decklab.ooxml.package import Package

OPS: Any = operations  # mypy does not see the computed __all__
READING = {"get_notes", "geometry_of", "table_texts", "chart_data", "diagram_texts"}
SLIDES = 14


def _png() -> bytes:
    held = BytesIO()
    Image.new("RGB", (64, 48), (20, 90, 160)).save(held, "PNG")
    return held.getvalue()


def says(kinds: str, slides: tuple[int, ...] = (), **more: Any) -> dict[str, Any]:
    """A planned change by its kinds, in words between commas."""
    planned: dict[str, Any] = plan("it is done", kinds.split(", "), slides, **more)["changes"][0]
    return planned


Case = tuple[Callable[[Any], object], dict[str, Any]]
BOX = (60, 120, 240, 80)
PUMP = ["Heat pump box"]
WOOD, HEAT = "Wood and pellets", "Heat used in 2024"
CHART = {"shapes": ["Heat by source"]}
CASES: Mapping[str, Case] = {
    "add_slide": (lambda p: OPS.add_slide(p, 3, title="Next", body="Hire\nTrain"),
                  says("slide, text", (3,))),
    "clone_slide": (lambda p: OPS.clone_slide(p, 4), says("slide", (5,))),
    "delete_slide": (lambda p: OPS.delete_slide(p, 14), says("slide", (14,))),
    "move_slide": (lambda p: OPS.move_slide(p, 9, 2), says("slide", (2,))),
    "order_slides": (lambda p: OPS.order_slides(p, [1, 2, 3, 5, 4, *range(6, SLIDES + 1)]),
                     says("slide")),
    "hide_slide": (lambda p: OPS.hide_slide(p, 5), says("slide", (5,))),
    "apply_layout": (lambda p: OPS.apply_layout(p, 9, "Title only"), says("layout", (9,))),
    "rename_section": (lambda p: OPS.rename_section(p, "Opening", "Start"),
                       says("section", design=True)),
    "add_section": (lambda p: OPS.add_section(p, "Outlook", 9), says("section", design=True)),
    "delete_section": (lambda p: OPS.delete_section(p, "Opening"), says("section", design=True)),
    "change_case": (lambda p: OPS.change_case(p, 4, 4, "upper"), says("text", (4,), shapes=["4"])),
    "hide_marks": (lambda p: OPS.hide_marks(p, 4, 4), says("style", (4,), shapes=["4"])),
    "indent_bullet": (lambda p: OPS.indent_bullet(p, 4, 4, 2), says("style", (4,), shapes=["4"])),
    "set_line_spacing": (lambda p: OPS.set_line_spacing(p, 4, 4, 2.0),
                         says("style", (4,), shapes=["4"])),
    "set_list": (lambda p: OPS.set_list(p, 4, 4, "numbered"), says("style", (4,), shapes=["4"])),
    "set_title": (lambda p: OPS.set_title(p, 4, "Sales grew"),
                  says("text", (4,), shapes=["Title 1"], new_texts=["Sales grew"])),
    "set_body": (lambda p: OPS.set_body(p, 13, ["Costs fell", (1, "by 8 %"), "Prices stayed"]),
                 says("text", (13,), shapes=["Text Placeholder 2"])),
    "set_text": (lambda p: OPS.set_text(p, 4, 4, "First\nSecond"),
                 says("text", (4,), shapes=["4"])),
    "add_bullet": (lambda p: OPS.add_bullet(p, 4, 4, "One more"), says("text", (4,), shapes=["4"])),
    "delete_bullet": (lambda p: OPS.delete_bullet(p, 4, 4, 1), says("text", (4,), shapes=["4"])),
    "replace_text": (lambda p: OPS.replace_text(p, "heat", "WARMTH", match_case=False),
                     says("text, table")),
    "format_text": (lambda p: OPS.format_text(p, slides=[4], where="title", size=32, align="center",
                                              color="#1F4E79"),
                    says("style", (4,), shapes=["Title 1"])),
    "set_notes": (lambda p: OPS.set_notes(p, 2, "Story."), says("notes", (2,))),
    "add_notes": (lambda p: OPS.add_notes(p, 2, "Questions?"),
                  says("notes", (2,), shapes=["Title 1"])),
    "set_alt_text": (lambda p: OPS.set_alt_text(p, 4, 3, "Bars"),
                     says("alt text", (4,), shapes=["Heat by source"])),
    "set_link": (lambda p: OPS.set_link(p, 4, "https://example.org", text="Two"),
                 says("link", (4,), shapes=["Title 1"])),
    "remove_links": (lambda p: OPS.remove_links(p, 13),
                     says("link", (13,), shapes=["Assumptions button"])),
    "add_text_box": (lambda p: OPS.add_text_box(p, 2, BOX, "Source", size=14),
                     says("added, text", (2,), shapes=["Source box"])),
    "add_shape": (lambda p: OPS.add_shape(p, 2, BOX, "rounded rectangle", text="Plan"),
                  says("added, style", (2,))),
    "add_connector": (lambda p: OPS.add_connector(p, 7, 3, 34, kind="elbow"), says("added", (7,))),
    "delete_shape": (lambda p: OPS.delete_shape(p, 7, "Heat pump box"),
                     says("removed", (7,), shapes=PUMP)),
    "fill_shape": (lambda p: OPS.fill_shape(p, 7, "Heat pump box", "accent3"),
                   says("style", (7,), shapes=PUMP)),
    "outline_shape": (lambda p: OPS.outline_shape(p, 7, "Heat pump box", "#1F4E79"),
                      says("style", (7,), shapes=PUMP)),
    "set_geometry": (lambda p: OPS.set_geometry(p, 7, "Heat pump box", x=480, width=120, y=300),
                     says("geometry", (7,), shapes=PUMP)),
    "align_shapes": (lambda p: OPS.align_shapes(p, 7, [3, 9], "left"),
                     says("geometry", (7,), shapes=["3", "9"])),
    "distribute_shapes": (lambda p: OPS.distribute_shapes(p, 7, [3, 9, 34], "horizontally"),
                          says("geometry", (7,), shapes=["3", "9", "34"])),
    "order_shape": (lambda p: OPS.order_shape(p, 7, 3, "front"),
                    says("z-order", (7,), shapes=["Sea intake box"])),
    "group_shapes": (lambda p: OPS.group_shapes(p, 7, [3, 4], "Pair"), says("added", (7,))),
    "ungroup_shape": (lambda p: OPS.ungroup_shape(p, 2, "Card: 71 %"),
                      says("removed", (2,), shapes=["Card: 71 %"])),
    "add_picture": (lambda p: OPS.add_picture(p, 2, BOX, _png(), alt="Blue"), says("added", (2,))),
    "crop_picture": (lambda p: OPS.crop_picture(p, 10, 3, left=0.1, bottom=0.2),
                     says("picture", (10,), shapes=["3"])),
    "crop_more": (lambda p: OPS.crop_more(p, 10, 3, "left", 0.2),
                  says("picture", (10,), shapes=["3"])),
    "replace_picture": (lambda p: OPS.replace_picture(p, 10, 3, _png()),
                        says("picture", (10,), shapes=["3"])),
    "change_shape": (lambda p: OPS.change_shape(p, 7, "Heat pump box", "oval"),
                     says("style", (7,), shapes=PUMP)),
    "make_title": (lambda p: OPS.make_title(p, 7, "A text"), says("other, removed", (7,))),
    "format_words": (lambda p: OPS.format_words(p, 7, "Heat", bold=True, color="accent2"),
                     says("style", (7,))),
    "join_texts": (lambda p: OPS.join_texts(p, 2, [8, 9]),
                   says("text, removed, geometry", (2,))),
    "set_language": (lambda p: OPS.set_language(p, "de-DE", slides=[4]),
                     says("style, notes", (4,))),
    "add_table": (lambda p: OPS.add_table(p, 2, BOX, [["A", "B"], ["1", "2"]]),
                  says("added, table", (2,))),
    "set_cell": (lambda p: OPS.set_cell(p, 14, 2, 2, "17"), says("table", (14,), shapes=["3"])),
    "add_row": (lambda p: OPS.add_row(p, 14, ["a", "b"]),
                says("table", (14,), shapes=["Assumptions"])),
    "delete_row": (lambda p: OPS.delete_row(p, 14, 2), says("table", (14,))),
    "add_column": (lambda p: OPS.add_column(p, 14, ["x", "y"], after=1), says("table", (14,))),
    "delete_column": (lambda p: OPS.delete_column(p, 14, 1), says("table", (14,))),
    "merge_cells": (lambda p: OPS.merge_cells(p, 14, (2, 1), (2, 2)), says("table", (14,))),
    "sort_rows": (lambda p: OPS.sort_rows(p, 14, 2, descending=True), says("table", (14,))),
    "add_chart": (lambda p: OPS.add_chart(p, 2, BOX, "pie", categories=["A"], series={"B": [3]}),
                  says("added, chart", (2,))),
    "set_chart_data": (lambda p: OPS.set_chart_data(p, 4, ["a", "b"], {"N": [3, 4], "S": [1, 2]}),
                       says("chart", (4,), shapes=["Heat by source"])),
    "set_chart_title": (lambda p: OPS.set_chart_title(p, 4, "Revenue"), says("chart", (4,))),
    "set_chart_type": (lambda p: OPS.set_chart_type(p, 4, "line"), says("chart", (4,))),
    "set_chart_value": (lambda p: OPS.set_chart_value(p, 4, (WOOD, HEAT), 99),
                        says("chart", (4,), **CHART)),
    "set_axis_title": (lambda p: OPS.set_axis_title(p, 4, "value", "EUR"),
                       says("chart", (4,), **CHART)),
    "set_legend": (lambda p: OPS.set_legend(p, 4, "bottom"), says("chart", (4,), **CHART)),
    "show_data_labels": (lambda p: OPS.show_data_labels(p, 4, None), says("chart", (4,), **CHART)),
    "color_series": (lambda p: OPS.color_series(p, 4, HEAT, "#FF0000"),
                     says("style", (4,), **CHART)),
    "color_point": (lambda p: OPS.color_point(p, 4, (WOOD, None), "#FF0000"),
                    says("chart", (4,), **CHART)),
    "move_section": (lambda p: OPS.move_section(p, "Opening", end="end"),
                     says("section, slide", design=True)),
    "duplicate_shape": (lambda p: OPS.duplicate_shape(p, 7, "Heat pump box"), says("added", (7,))),
    "flip_shape": (lambda p: OPS.flip_shape(p, 7, "Heat pump box", "horizontally"),
                   says("geometry", (7,), shapes=PUMP)),
    "match_sizes": (lambda p: OPS.match_sizes(p, 7, [34, 3, 9], "width"),
                    says("geometry", (7,), shapes=["34", "3", "9"])),
    "move_bullet": (lambda p: OPS.move_bullet(p, 4, 4, 6, 1), says("text", (4,), shapes=["4"])),
    "set_paragraph_space": (lambda p: OPS.set_paragraph_space(p, 4, 4, "before", 12),
                            says("style", (4,), shapes=["4"])),
    "move_row": (lambda p: OPS.move_row(p, 14, 2, 4), says("table", (14,))),
    "move_column": (lambda p: OPS.move_column(p, 14, 1, 2), says("table", (14,))),
    "set_column_width": (lambda p: OPS.set_column_width(p, 14, 1, 2_000_000),
                         says("table", (14,))),
    "set_row_height": (lambda p: OPS.set_row_height(p, 14, 2, 700_000), says("table", (14,))),
    "fill_cells": (lambda p: OPS.fill_cells(p, 14, [(2, 1)], "#FFEE00"), says("style", (14,))),
    "split_cell": (lambda p: OPS.split_cell(p, 14, 2, 1), says("table", (14,))),
    "add_total_row": (lambda p: OPS.add_total_row(p, 14), says("table", (14,))),
    "add_category": (lambda p: OPS.add_category(p, 4, "Peat", [5]), says("chart", (4,), **CHART)),
    "delete_category": (lambda p: OPS.delete_category(p, 4, WOOD), says("chart", (4,), **CHART)),
    "add_series": (lambda p: OPS.add_series(p, 4, "2025", [5, 4, 3, 2, 1]),
                   says("chart", (4,), **CHART)),
    "delete_series": (lambda p: OPS.delete_series(p, 4, HEAT), says("chart", (4,), **CHART)),
    "set_axis_bound": (lambda p: OPS.set_axis_bound(p, 4, "value", "maximum", 400),
                       says("chart", (4,), **CHART)),
    "set_number_format": (lambda p: OPS.set_number_format(p, 4, decimals=1),
                          says("chart", (4,), **CHART)),
    "show_gridlines": (lambda p: OPS.show_gridlines(p, 4, False), says("chart", (4,), **CHART)),
    "set_diagram_text": (lambda p: OPS.set_diagram_text(p, 12, OPS.diagram_texts(p, 12)[0], "New"),
                         says("diagram", (12,), shapes=["Four phases"])),
    "set_background": (lambda p: OPS.set_background(p, "#F4F1EA", slides=[4]),
                       says("slide", (4,), shapes=["Title 1"])),
    "set_theme_color": (lambda p: OPS.set_theme_color(p, "accent1", "#0B6E4F"),
                        says("theme", design=True)),
    "set_theme_fonts": (lambda p: OPS.set_theme_fonts(p, headings="Georgia"),
                        says("theme", design=True, shapes=["Title 1"])),
    "format_master_text": (lambda p: OPS.format_master_text(p, "title", size=36),
                           says("master", design=True)),
    "normalise_fonts": (OPS.normalise_fonts, says("style", (4,))),
    "set_footer": (lambda p: OPS.set_footer(p, "Internal"), says("text")),
    "show_slide_numbers": (lambda p: OPS.show_slide_numbers(p, False),
                           says("removed", count=SLIDES - 1)),
    "set_transition": (lambda p: OPS.set_transition(p, "push", slides=[1, 8], seconds=0.7),
                       says("transition", (1, 8))),
    "add_animation": (lambda p: OPS.add_animation(p, 4, "Title 1", "fade"),
                      says("animation", (4,), shapes=["Title 1"])),
    "remove_animations": (lambda p: OPS.remove_animations(p, 4),
                          says("animation", (4,), count=7)),
}  # fmt: skip


def _without_title(prs: Any) -> None:
    """Slide 7 with an empty title, and a text that stands for one."""
    OPS.set_title(prs, 7, "")
    id = OPS.add_text_box(prs, 7, BOX, "Five steps")
    next(one for one in prs.slides[6].shapes if one.shape_id == id).name = "A text"


PREPARED: Mapping[str, Callable[[Any], object]] = {
    "normalise_fonts":
        lambda p: OPS.format_text(p, slides=[4], where="title", font="Georgia"),
    "make_title": _without_title,
    "match_sizes": lambda p: OPS.set_geometry(p, 7, 3, width=70),
    "split_cell": lambda p: OPS.merge_cells(p, 14, (2, 1), (2, 2)),
    "add_total_row": lambda p: [OPS.set_cell(p, 14, row, 2, "12") for row in range(2, 7)],
    "delete_series": lambda p: OPS.add_series(p, 4, "2025", [5, 4, 3, 2, 1]),
}  # fmt: skip
"""What is done to the deck before an operation is tried."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample decks; what is made of them."""
    place = tmp_path_factory.mktemp("planned")
    write_samples(place)
    for name, prepare in PREPARED.items():
        prs = opened(place / "rich.pptx")
        prepare(prs)
        saved(prs, place / f"{name}.pptx")
    return place


@cache
def _snapshot(deck: Path) -> Snapshot:
    return snapshot_of(deck)


def _edited(deck: Path, edit: Callable[[Any], object]) -> DeckDiff:
    prs = opened(deck)
    edit(prs)
    out = saved(prs, deck.with_name("edited.pptx"))
    with Package.open(deck) as before, Package.open(out) as after:
        return diff_packages(before, after, edited=True)


def _meant(deck: Path, *changes: dict[str, Any]) -> Plan:
    return plan_of([PlannedChange.model_validate(one) for one in changes], _snapshot(deck))


def _words(diff: DeckDiff) -> set[tuple[int | None, str, str]]:
    return {(one.slide, one.kind, one.property) for one in diff.edits}


def test_every_operation_has_a_case() -> None:
    listed = {name for names in operation_names().values() for name in names}
    assert listed >= READING
    assert set(CASES) == listed - READING


@pytest.mark.by_day(8)
@pytest.mark.parametrize("name", CASES)
def test_a_plan_that_names_an_operation_allows_it_and_one_that_does_not_tells_it(
    name: str, folder: Path
) -> None:
    edit, planned = CASES[name]
    deck = folder / (f"{name}.pptx" if name in PREPARED else "rich.pptx")
    diff = _edited(deck, edit)
    meant = _meant(deck, planned)
    assert diff.edits
    assert meant.unplanned(diff) == ()
    assert list(meant.missing(diff)) == []
    assert list(meant.missing(DeckDiff())) != []
    for other in (says("comment", (1,)), says("media")):
        without = _meant(deck, other)
        assert without.unplanned(diff) == diff.edits
        assert len(list(without.missing(diff))) == 1


def test_operations_that_read_change_nothing(folder: Path) -> None:
    def read(prs: Any) -> None:
        OPS.get_notes(prs, 2)
        OPS.geometry_of(prs, 7, 3)
        OPS.table_texts(prs, 14)
        OPS.chart_data(prs, 4)
        OPS.diagram_texts(prs, 12)

    assert _edited(folder / "rich.pptx", read).edits == ()


def _into_title(prs: Any) -> None:
    """Make the text box of slide 2 its title, as PowerPoint would: with type, name and lock."""
    box = next(one for one in prs.slides[1].shapes if one.name == "TextBox 2")._element
    box.nvSpPr.cNvPr.set("name", "Title 1")
    own = box.nvSpPr.find("{*}cNvSpPr")
    del own.attrib["txBox"]
    main = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
    own.append(own.makeelement(f"{main}spLocks", {"noGrp": "1"}))
    place = box.nvSpPr.find("{*}nvPr")
    place.append(place.makeelement(place.tag.replace("nvPr", "ph"), {"type": "title"}))


def test_a_text_box_that_becomes_the_title_brings_its_type_name_and_lock(folder: Path) -> None:
    deck = folder / "bad.pptx"
    diff = _edited(deck, _into_title)
    shape = Presentation(str(folder / "edited.pptx")).slides[1].shapes.title
    assert shape is not None and shape.name == "Title 1"
    meant = _meant(deck, says("other", (2,), shapes=["TextBox 2"]))
    assert (meant.unplanned(diff), list(meant.missing(diff))) == ((), [])
    assert len(diff.edits) == 3


@pytest.mark.parametrize(
    ("edit", "planned", "left"),
    [
        (lambda p: (OPS.set_cell(p, 14, 2, 2, "17"), OPS.set_geometry(p, 14, 3, height=400)),
         says("table", (14,)), {(14, "geometry", "size")}),
        (lambda p: (OPS.add_row(p, 14, ["a"]), OPS.set_geometry(p, 14, 2, height=40)),
         says("table", (14,)), {(14, "geometry", "size")}),
        (lambda p: (OPS.delete_slide(p, 14), OPS.hide_slide(p, 5)),
         says("slide", (14,)), {(5, "slide", "hidden")}),
        (lambda p: (OPS.set_text(p, 4, 4, "A\nB"), OPS.fill_shape(p, 4, 4, "accent1")),
         says("text", (4,)), {(4, "style", "fill")}),
        (lambda p: (OPS.apply_layout(p, 9, "Title only"), OPS.delete_shape(p, 9, 3)),
         says("layout", (9,)), {(9, "removed", "shape")}),
        (lambda p: (OPS.set_geometry(p, 7, "Heat pump box", x=480), OPS.fill_shape(p, 7, 3, None)),
         says("geometry", (7,), shapes=PUMP), {(7, "style", "fill")}),
    ],
)  # fmt: skip
def test_what_only_resembles_a_consequence_is_not_planned(
    edit: Callable[[Any], object],
    planned: dict[str, Any],
    left: set[tuple[int | None, str, str]],
    folder: Path,
) -> None:
    deck = folder / "rich.pptx"
    diff = _edited(deck, edit)
    assert _words(DeckDiff(changes=_meant(deck, planned).unplanned(diff))) == left


def test_every_consequence_has_a_reason() -> None:
    assert all(isinstance(one, ImpliedChange) and one.reason for one in IMPLIED_CHANGES)
    assert len({one.reason for one in IMPLIED_CHANGES}) == len(IMPLIED_CHANGES)
