"""Effective styles of shapes: area, line, effects, text, table cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from decklab.deck.model.base import Effective, Origin
from decklab.deck.placeholders import PlaceholderKey
from decklab.deck.sheets import Sheet
from decklab.deck.styles.backgrounds import effective_background
from decklab.deck.styles.bodies import BodyStyle, read_body
from decklab.deck.styles.characters import reference_run
from decklab.deck.styles.fills import Fill, shape_fill
from decklab.deck.styles.inheritance import Overlay, Step
from decklab.deck.styles.lines import LineStyle, shape_effects, shape_line
from decklab.deck.styles.tables import StyledTable, TableContext, read_table
from decklab.deck.styles.text import StyledText, read_styled_text
from decklab.deck.styles.themes import Stated, style_reference
from decklab.ooxml.units import flag
from decklab.ooxml.xml import Element, qn


@dataclass(frozen=True, slots=True)
class StyledShape:
    """A shape of a slide, layout or master, as it takes effect."""

    fill: Effective[Fill]
    line: LineStyle
    effects: Effective[tuple[str, ...]]
    """Names such as ``outerShdw``."""
    text: StyledText | None
    """None where the shape has no text body."""
    table: StyledTable | None


def read_styled_shape(
    element: Element,
    chain: Sequence[Stated],
    sheet: Sheet,
    placeholder: PlaceholderKey | None,
    group_fill: Effective[Fill] | None,
) -> StyledShape:
    """One shape element of a sheet; ``chain`` are the shape and what it inherits from, nearest
    first, ``group_fill`` is what ``a:grpFill`` stands for."""
    look = sheet.look
    table = element.find(f"{qn('a:graphic')}/{qn('a:graphicData')}/{qn('a:tbl')}")
    return StyledShape(
        fill=_fill(element, chain, sheet, group_fill),
        line=shape_line(chain, look, group_fill),
        effects=shape_effects(chain, look),
        text=_text(element, chain, sheet, placeholder),
        table=None if table is None else read_table(table, _table_context(sheet)),
    )


def _fill(
    element: Element, chain: Sequence[Stated], sheet: Sheet, group_fill: Effective[Fill] | None
) -> Effective[Fill]:
    if flag(element.get("useBgFill")):
        return Effective(effective_background(sheet).value, "shape")
    return shape_fill(chain, sheet.look, group_fill)


def _table_context(sheet: Sheet) -> TableContext:
    reading = sheet.reading
    return TableContext(sheet.inheritance, sheet.source, reading.defaults, reading.table_styles)


def _text(
    element: Element, chain: Sequence[Stated], sheet: Sheet, placeholder: PlaceholderKey | None
) -> StyledText | None:
    body = text_body(element)
    if body is None:
        return None
    lists: list[Step] = []
    for item in chain:
        holder = text_body(item.element)
        styles = None if holder is None else holder.find(qn("a:lstStyle"))
        if styles is not None and len(styles):
            lists.append(Stated(styles, item.origin, item.source))
    steps: list[Step] = [*sheet.reading.defaults, *sheet.text_style(placeholder)]
    steps += [*_font(chain, sheet), *reversed(lists)]
    return read_styled_text(body, read_body_style(chain), steps, sheet.inheritance, sheet.source)


def _font(chain: Sequence[Stated], sheet: Sheet) -> tuple[Overlay, ...]:
    """What the shape's reference to the theme's fonts states: over the master's text styles."""
    reference = style_reference(chain, "a:fontRef", sheet.look)
    if reference is None:
        return ()
    return (Overlay(("fontRef", reference), reference_run(reference, "shape")),)


def read_body_style(chain: Sequence[Stated]) -> BodyStyle:
    """How the text of a shape stands in it; ``chain`` are the shape and what it inherits from."""
    layers: list[tuple[Element, Origin]] = []
    for item in chain:
        holder = text_body(item.element)
        properties = None if holder is None else holder.find(qn("a:bodyPr"))
        if properties is not None:
            layers.append((properties, item.origin))
    return read_body(layers)


def text_body(shape: Element) -> Element | None:
    """The ``txBody`` of a shape element, of slides and of drawn diagrams."""
    return next((c for c in shape if str(c.tag).endswith("}txBody")), None)
