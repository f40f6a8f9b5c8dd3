"""Effective styles of shapes: area, line, effects, text, table cells, drawn diagrams."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decklab.deck.diagram_drawings import diagram_shapes
from decklab.deck.measures import flag
from decklab.deck.model.base import Effective, Origin
from decklab.deck.placeholders import placeholder_of
from decklab.deck.shapes import shape_elements
from decklab.deck.sheets import Sheet, Sheets
from decklab.deck.styles.backgrounds import effective_background
from decklab.deck.styles.bodies import read_body
from decklab.deck.styles.characters import reference_run
from decklab.deck.styles.fills import Fill, shape_fill
from decklab.deck.styles.inheritance import Overlay, Step
from decklab.deck.styles.lines import LineStyle, shape_effects, shape_line
from decklab.deck.styles.tables import StyledTable, TableContext, read_table
from decklab.deck.styles.text import StyledText, read_styled_text
from decklab.deck.styles.themes import Stated, style_reference
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, local_name, qn


@dataclass(frozen=True, slots=True)
class StyledShape:
    """A shape of a slide, layout or master, as it takes effect."""

    id: int
    name: str
    groups: tuple[int, ...]
    """Ids of the enclosing groups, outermost first."""
    placeholder: str | None
    """Placeholder type; None where it is no placeholder."""
    fill: Effective[Fill]
    line: LineStyle
    effects: Effective[tuple[str, ...]]
    """Names such as ``outerShdw``."""
    text: StyledText | None
    """None where the shape has no text body."""
    table: StyledTable | None
    diagram: tuple["StyledShape", ...]
    """Shapes of a SmartArt diagram as they were last drawn; empty for all other shapes."""


def read_styled_shapes(sheet: Sheet, sheets: Sheets) -> Iterator[StyledShape]:
    """The shapes of a sheet in drawing order, each group before its members.

    The order is that of ``decklab.deck.shapes.read_shapes``.
    """
    if sheet.tree is not None:
        yield from _read_all(shape_elements(sheet.tree), sheet, sheets, (), None)


def _read_all(
    elements: Iterator[Element],
    sheet: Sheet,
    sheets: Sheets,
    groups: tuple[int, ...],
    group_fill: Effective[Fill] | None,
) -> Iterator[StyledShape]:
    for element in elements:
        shape = read_styled_shape(element, sheet, sheets, groups, group_fill)
        yield shape
        if local_name(str(element.tag)) == "grpSp":
            inner = (*groups, shape.id)
            yield from _read_all(shape_elements(element), sheet, sheets, inner, shape.fill)


def read_styled_shape(
    element: Element,
    sheet: Sheet,
    sheets: Sheets,
    groups: tuple[int, ...] = (),
    group_fill: Effective[Fill] | None = None,
) -> StyledShape:
    """One shape element of a sheet; ``group_fill`` is what ``a:grpFill`` stands for."""
    behind = sheet.behind(element)
    look = sheet.look
    names = next(element.iter("{*}cNvPr"), None)
    table = element.find(f"{qn('a:graphic')}/{qn('a:graphicData')}/{qn('a:tbl')}")
    placeholder = placeholder_of(element)
    drawn = diagram_shapes(element, sheet.source)
    return StyledShape(
        id=(None if names is None else parse_int(names.get("id"))) or 0,
        name=(None if names is None else names.get("name")) or local_name(str(element.tag)),
        groups=groups,
        placeholder=None if placeholder is None else placeholder.type,
        fill=_fill(element, behind, sheet, group_fill),
        line=shape_line(behind, look, group_fill),
        effects=shape_effects(behind, look),
        text=_text(element, behind, sheet, sheets),
        table=None if table is None else read_table(table, _table_context(sheet, sheets)),
        diagram=tuple(_read_all(iter(drawn), sheet, sheets, (), None)),
    )


def _fill(
    element: Element, behind: Sequence[Stated], sheet: Sheet, group_fill: Effective[Fill] | None
) -> Effective[Fill]:
    if flag(element.get("useBgFill")):
        return Effective(effective_background(sheet).value, "shape")
    return shape_fill(behind, sheet.look, group_fill)


def _table_context(sheet: Sheet, sheets: Sheets) -> TableContext:
    return TableContext(sheet.inheritance, sheet.source, sheets.defaults, sheets.table_styles)


def _text(
    element: Element, behind: Sequence[Stated], sheet: Sheet, sheets: Sheets
) -> StyledText | None:
    body = _body(element)
    if body is None:
        return None
    layers: list[tuple[Element, Origin]] = []
    lists: list[Step] = []
    for item in behind:
        holder = _body(item.element)
        properties = None if holder is None else holder.find(qn("a:bodyPr"))
        if properties is not None:
            layers.append((properties, item.origin))
        styles = None if holder is None else holder.find(qn("a:lstStyle"))
        if styles is not None and len(styles):
            lists.append(Stated(styles, item.origin, item.source))
    chain = [*sheets.defaults, *sheet.text_style(element), *_font(behind, sheet), *reversed(lists)]
    return read_styled_text(body, read_body(layers), chain, sheet.inheritance, sheet.source)


def _font(behind: Sequence[Stated], sheet: Sheet) -> tuple[Overlay, ...]:
    """What the shape's reference to the theme's fonts states: over the master's text styles."""
    reference = style_reference(behind, "a:fontRef", sheet.look)
    if reference is None:
        return ()
    return (Overlay(("fontRef", reference), reference_run(reference, "shape")),)


def _body(shape: Element) -> Element | None:
    return next((c for c in shape if str(c.tag).endswith("}txBody")), None)
