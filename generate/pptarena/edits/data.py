"""Edits of tables, charts and diagrams."""

from copy import deepcopy
from typing import Any

from pptx.enum.chart import XL_LEGEND_POSITION
from pptx.opc.oxml import serialize_part_xml
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.util import Pt

from generate.pptarena.edits.finding import Edit, rgb, shape_on
from generate.samples.charts import DatedChartData


def cell_text(slide: int, table: str, row: int, column: int, words: str) -> Edit:
    """Write into a cell, 1-based, in the type it has."""

    def edit(deck: Deck) -> None:
        _write(shape_on(deck, slide, table).table.cell(row - 1, column - 1), words)

    return edit


def cell_fill(slide: int, table: str, row: int, value: str) -> Edit:
    """Fill the cells of a row, 1-based, with a colour, ``RRGGBB``."""

    def edit(deck: Deck) -> None:
        for cell in shape_on(deck, slide, table).table.rows[row - 1].cells:
            cell.fill.solid()
            cell.fill.fore_color.rgb = rgb(value)

    return edit


def add_row(slide: int, table: str, before: int, *texts: str) -> Edit:
    """Put a row in before another, 1-based, that looks like the one above it."""

    def edit(deck: Deck) -> None:
        rows = shape_on(deck, slide, table).table
        above = rows.rows[before - 2]._tr
        new = deepcopy(above)
        for mark in new.iter(qn("a:extLst")):
            mark.getparent().remove(mark)
        above.addnext(new)
        for cell, words in zip(rows.rows[before - 1].cells, texts, strict=True):
            _write(cell, words)

    return edit


def remove_row(slide: int, table: str, row: int) -> Edit:
    """Take a row out, 1-based."""

    def edit(deck: Deck) -> None:
        element = shape_on(deck, slide, table).table.rows[row - 1]._tr
        element.getparent().remove(element)

    return edit


def _write(cell: Any, words: str) -> None:
    first, *others = cell.text_frame.paragraphs[0].runs
    first.text = words
    for run in others:
        run._r.getparent().remove(run._r)


def chart_values(slide: int, chart: str, **values: float) -> Edit:
    """Change values of the first series by category, ``_`` for spaces; the workbook as well."""

    def edit(deck: Deck) -> None:
        target = shape_on(deck, slide, chart).chart
        plot = target.plots[0]
        names = [str(name) for name in plot.categories]
        wanted = {name.replace("_", " "): value for name, value in values.items()}
        if missing := wanted.keys() - set(names):
            raise LookupError(f"chart {chart!r} has no category {sorted(missing)}")
        series = {one.name: list(one.values) for one in plot.series}
        first = next(iter(series))
        series[first] = [
            wanted.get(name, old) for name, old in zip(names, series[first], strict=True)
        ]
        data = DatedChartData(number_format="General")  # type: ignore[no-untyped-call]
        data.categories = names
        for name, numbers in series.items():
            data.add_series(name, numbers)  # type: ignore[no-untyped-call]
        target.replace_data(data)

    return edit


def chart_title(slide: int, chart: str, words: str) -> Edit:
    """Give a chart a title."""

    def edit(deck: Deck) -> None:
        target = shape_on(deck, slide, chart).chart
        target.has_title = True
        target.chart_title.text_frame.text = words

    return edit


def chart_legend(slide: int, chart: str, where: XL_LEGEND_POSITION) -> Edit:
    """Show the legend at a side, beside the plot."""

    def edit(deck: Deck) -> None:
        target = shape_on(deck, slide, chart).chart
        target.has_legend = True
        target.legend.position = where
        target.legend.include_in_layout = False
        target.legend.font.size = Pt(14)

    return edit


def chart_bars(slide: int, chart: str, direction: str) -> Edit:
    """Let bars lie (``bar``) or stand (``col``); axes change sides with them."""

    def edit(deck: Deck) -> None:
        space = shape_on(deck, slide, chart).chart._chartSpace
        space.find(f".//{qn('c:barDir')}").set("val", direction)
        sides = ("b", "l") if direction == "col" else ("l", "b")
        for axis, side in zip(("c:catAx", "c:valAx"), sides, strict=True):
            space.find(f".//{qn(axis)}/{qn('c:axPos')}").set("val", side)

    return edit


def diagram_text(slide: int, diagram: str, old: str, new: str) -> Edit:
    """Change the words of a SmartArt node, in its data and in the drawing kept of it."""

    def edit(deck: Deck) -> None:
        frame = shape_on(deck, slide, diagram)
        found = 0
        for relationship in frame.part.rels.values():
            if relationship.is_external or "diagrams/" not in str(
                relationship.target_part.partname
            ):
                continue
            part = relationship.target_part
            root = parse_xml(part.blob)
            for run in root.iter(qn("a:t")):
                if run.text == old:
                    run.text = new
                    found += 1
            part._blob = serialize_part_xml(root)
        if not found:
            raise LookupError(f"diagram {diagram!r} has no node {old!r}")

    return edit
