"""Texts of shapes: the layout of the body, paragraphs and runs, links and actions; and tables:
cells with their text, fill and borders."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qs

from decklab.deck.frames import rounded
from decklab.deck.model.base import (
    Action,
    ActionKind,
    Align,
    Effective,
    Font,
    Origin,
    Sources,
    effective_values,
    places_of,
    stated_values,
)
from decklab.deck.model.shapes import Body, Border, Cell, Paragraph, Run, RunFont
from decklab.deck.part import Source, children
from decklab.deck.sheets import PlaceholderKey, Sheet
from decklab.deck.styles.characters import (
    DEFAULT_SIZE_PT,
    LEVELS,
    ChainLink,
    LevelStyles,
    Overlay,
    parse_points,
    reference_run,
    stated_paragraph,
    stated_run,
)
from decklab.deck.styles.fills import NO_FILL, Fill, fill_in, line_of, solid_fill, stated_line
from decklab.deck.styles.table_styles import (
    CellPlace,
    TableFlags,
    TableStyle,
    parts_at,
    style_border,
    style_fill,
    style_run,
)
from decklab.deck.styles.themes import MappedTheme, Stated, style_reference
from decklab.ooxml.xml import Element, flag, parse_emu, parse_int, qn, share

_SCHEME = "ppaction://"
_VERBS: dict[str, ActionKind] = {
    "hlinksldjump": "slide", "hlinkshowjump": "jump", "hlinkfile": "file", "hlinkpres": "file",
    "program": "program", "macro": "macro", "media": "media", "customshow": "show", "ole": "ole",
    "noaction": "none",
}  # fmt: skip


def click_of(properties: Element | None, sheet: Sheet) -> Action | None:
    """The action on a click, from a ``cNvPr`` or ``a:rPr``; None for nothing."""
    return _action(properties, ("a:hlinkClick",), sheet)


def hover_of(properties: Element | None, sheet: Sheet) -> Action | None:
    """The action when the pointer comes over, from a ``cNvPr`` or ``a:rPr``; None for nothing."""
    return _action(properties, ("a:hlinkHover", "a:hlinkMouseOver"), sheet)


def _action(properties: Element | None, tags: tuple[str, ...], sheet: Sheet) -> Action | None:
    if properties is None or len(properties) == 0:
        return None
    link = next((c for tag in tags if (c := properties.find(qn(tag))) is not None), None)
    if link is None:
        return None
    tooltip, action = link.get("tooltip") or "", link.get("action") or ""
    verb, _, query = action.removeprefix(_SCHEME).partition("?")
    if not action:
        return _address(link, tooltip, sheet)
    kind = _VERBS.get(verb.lower(), "unknown") if action.startswith(_SCHEME) else "unknown"
    target = _target(kind, query, link, sheet)
    detail = action if kind in ("unknown", "show", "ole") or (kind == "file" and query) else ""
    return Action(kind=kind, target=target, tooltip=tooltip, action=detail)


def _address(link: Element, tooltip: str, sheet: Sheet) -> Action:
    if (linked := sheet.source.link(link.get(qn("r:id")))) is None:
        return Action(kind="none", tooltip=tooltip)
    if (slide := sheet.reading.slide_ids.get(linked.target)) is not None and not linked.external:
        return Action(kind="slide", target=str(slide), tooltip=tooltip)
    return Action(kind="url" if linked.external else "file", target=linked.target, tooltip=tooltip)


def _target(kind: ActionKind, query: str, link: Element, sheet: Sheet) -> str:
    stated = {name: values[0] for name, values in parse_qs(query).items()}
    if kind == "jump":
        return stated.get("jump", "")
    if kind == "show":
        return stated.get("id", "")
    if kind == "macro":
        return stated.get("name", "")
    if (relation := sheet.source.link(link.get(qn("r:id")))) is None:
        return ""
    if kind == "slide":
        slide = sheet.reading.slide_ids.get(relation.target)
        return "" if slide is None else str(slide)
    return relation.target


RunKind = Literal["run", "field", "break", "math"]

LINE_BREAK = "\v"
"""A line break inside a paragraph (``a:br``), as PowerPoint puts it on the clipboard."""

_KINDS: dict[str, RunKind] = {
    qn("a:r"): "run",
    qn("a:fld"): "field",
    qn("a:br"): "break",
    qn("a14:m"): "math",
}
_ACTIONS = tuple(f"ppaction://{name}" for name in ("hlinkshowjump", "macro", "customshow", "ole"))
"""Actions that need no target; all others have a relationship with a target."""
_LINK_COLOR = qn("ahyp:hlinkClr")
_AUTOFITS = {qn("a:noAutofit"): "none", qn("a:normAutofit"): "shrink", qn("a:spAutoFit"): "grow"}
_ANCHORS = {"t": "top", "ctr": "middle", "b": "bottom", "just": "justify", "dist": "distribute"}
_INSETS = ("inset_left", "inset_top", "inset_right", "inset_bottom")
_SIDE_PT, _TOP_PT = 7.2, 3.6  # ISO/IEC 29500-1, 21.1.2.1.1: 91,440 and 45,720 EMU
_WEIGHT = 1000  # of a character against a run or paragraph that has none

_BODY_DEFAULTS = effective_values(
    "default", autofit="none", font_scale=1.0, line_reduction=0.0, wraps=True, direction="horz",
    anchor="top", anchor_center=False, inset_left=_SIDE_PT, inset_top=_TOP_PT, inset_right=_SIDE_PT,
    inset_bottom=_TOP_PT, columns=1,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StyledText:
    """The text of a shape or table cell, with its effective styles."""

    body: Body
    paragraphs: tuple[Paragraph, ...]
    typed_next: tuple[RunFont, Sources] | None = None
    """The font at the end of the first paragraph, and where its values are stated; None if
    there are runs, or no paragraphs."""

    @property
    def text(self) -> str:
        """All paragraphs, one a line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


def text_body(shape: Element) -> Element | None:
    """The ``txBody`` of a shape element, of slides and of drawn diagrams; None for a shape without
    text."""
    return next((c for c in shape if str(c.tag).endswith("}txBody")), None)


def shape_body(chain: Sequence[Stated]) -> Body:
    """The body of a shape's text: insets, anchor, autofit and so on.

    ``chain`` are the shape and the placeholders it inherits from, nearest first.
    """
    layers: list[tuple[Element, Origin]] = []
    for item in chain:
        holder = text_body(item.element)
        if (properties := None if holder is None else holder.find(qn("a:bodyPr"))) is not None:
            layers.append((properties, item.origin))
    return read_body(layers)


def read_body(layers: Sequence[tuple[Element, Origin]]) -> Body:
    """The body of a text, from ``a:bodyPr`` or ``a:tcPr`` elements, nearest first."""
    merged = dict(_BODY_DEFAULTS)
    for element, origin in reversed(layers):
        merged |= _stated_body(element, origin)
    values = {name: item.value for name, item in merged.items()}
    values |= {name: rounded(values[name]) for name in _INSETS}
    return Body(**values, sources=places_of(merged))


def _stated_body(element: Element, origin: Origin) -> dict[str, Effective[Any]]:
    cell = element.tag == qn("a:tcPr")
    names = ("marL", "marT", "marR", "marB") if cell else ("lIns", "tIns", "rIns", "bIns")
    insets = (parse_points(element.get(name)) for name in names)
    wrap = element.get("wrap")
    return stated_values(
        origin,
        wraps=None if wrap is None else wrap != "none",
        direction=element.get("vert"),
        anchor=_ANCHORS.get(element.get("anchor") or ""),
        anchor_center=flag(element.get("anchorCtr")),
        columns=parse_int(element.get("numCol")),
        **dict(zip(_INSETS, insets, strict=True)),
        **_autofit(element),
    )


def _autofit(element: Element) -> dict[str, Any]:
    """A body that states autofit states its scale too: a missing scale is 100 %."""
    if (fitting := next((child for child in element if child.tag in _AUTOFITS), None)) is None:
        return {}
    scale, reduction = share(fitting.get("fontScale")), share(fitting.get("lnSpcReduction"))
    return {
        "autofit": _AUTOFITS[str(fitting.tag)],
        "font_scale": 1.0 if scale is None or scale <= 0 else scale,
        "line_reduction": reduction or 0.0,
    }


def shape_text(
    holder: Element, body: Body, chain: Sequence[Stated], sheet: Sheet, key: PlaceholderKey | None
) -> StyledText:
    """The text of a shape of a sheet, from its ``txBody``.

    ``chain`` are the shape and the placeholders it inherits from, nearest first, ``placeholder``
    is the one that the shape is.
    """
    links: list[ChainLink] = [*sheet.reading.defaults, *sheet.text_style(key)]
    if (reference := style_reference(chain, "a:fontRef", sheet.look)) is not None:
        links.append(Overlay(("fontRef", reference), reference_run(reference, "shape")))
    for item in reversed(chain):
        links += list_style(text_body(item.element), item.origin, item.source)
    return read_text(holder, body, links, sheet)


def list_style(body: Element | None, origin: Origin, source: Source) -> tuple[Stated, ...]:
    """The list style of a ``txBody``, as a part of a chain; empty if it states nothing."""
    styles = None if body is None else body.find(qn("a:lstStyle"))
    return () if styles is None or len(styles) == 0 else (Stated(styles, origin, source),)


def read_text(holder: Element, body: Body, chain: Sequence[ChainLink], sheet: Sheet) -> StyledText:
    """The paragraphs of a ``txBody`` of a sheet, under what a chain of list styles states.

    ``chain`` ends with the body's own list style. Sizes and line spacing are those after the
    scale that autofit stored.
    """
    elements = holder.findall(qn("a:p"))
    paragraphs = tuple(_paragraph(item, body, chain, sheet) for item in elements)
    if not paragraphs or any(paragraph.runs for paragraph in paragraphs):
        return StyledText(body, paragraphs)
    mark = elements[0].find(qn("a:endParaRPr"))
    stated = {} if mark is None else stated_run(mark, "run", sheet.look, sheet.source)
    inherited = sheet.inheritance.at(chain, paragraphs[0].level)
    return StyledText(body, paragraphs, inherited.font(stated, body.font_scale))


def paragraph_text(paragraph: Element) -> str:
    """The plain text of an ``a:p``: runs, fields, formulas, and LINE_BREAK for line breaks."""
    return "".join(_text(child, kind) for child, kind in _pieces(paragraph))


def _pieces(paragraph: Element) -> Iterator[tuple[Element, RunKind]]:
    for child in children(paragraph):
        if (kind := _KINDS.get(str(child.tag))) is not None:
            yield child, kind


def _text(element: Element, kind: RunKind) -> str:
    if kind == "break":
        return LINE_BREAK
    if kind == "math":
        return "".join(text.text or "" for text in element.iter(qn("m:t")))
    return element.findtext(qn("a:t")) or ""


def _paragraph(element: Element, body: Body, chain: Sequence[ChainLink], sheet: Sheet) -> Paragraph:
    properties = element.find(qn("a:pPr"))
    level = 0 if properties is None else parse_int(properties.get("lvl")) or 0
    level = min(max(level, 0), LEVELS - 1)
    inherited = sheet.inheritance.at(chain, level)
    stated: dict[str, Effective[Any]] = {}
    if properties is not None:
        stated = stated_paragraph(properties, "paragraph", sheet.look, sheet.source)
    scale = body.font_scale
    runs = tuple(_run(*piece, inherited, scale, sheet) for piece in _pieces(element))
    return Paragraph(runs=runs, level=level, **inherited.fields(stated, body.line_reduction))


def _run(
    element: Element, kind: RunKind, inherited: LevelStyles, scale: float, sheet: Sheet
) -> Run:
    properties = next(element.iter(qn("a:rPr")), None)
    stated: dict[str, Effective[Any]] = {}
    if properties is not None:
        stated = stated_run(properties, "run", sheet.look, sheet.source)
        if (link := properties.find(qn("a:hlinkClick"))) is not None and _is_active(link):
            stated |= _link_style(link, sheet.look, stated)
    font, sources = inherited.font(stated, scale)
    return Run(
        text=_text(element, kind),
        kind=kind,
        field=element.get("type") if kind == "field" else None,
        font=font,
        click=click_of(properties, sheet),
        hover=hover_of(properties, sheet),
        sources=sources,
    )


def _is_active(link: Element) -> bool:
    """Whether a link has a target, or an action that needs none (ISO/IEC 29500-1, 21.1.2.3.5)."""
    return bool(link.get(qn("r:id"))) or (link.get("action") or "").startswith(_ACTIONS)


def _link_style(
    link: Element, look: MappedTheme, stated: dict[str, Effective[Any]]
) -> dict[str, Effective[Any]]:
    """Links are underlined, and painted in the theme's link colour whatever the run states.

    An extension of Office 2019 lets a link keep the colour of its text.
    """
    values: dict[str, Effective[Any]] = {}
    if (underline := stated.get("underline")) is None or underline.value == "none":
        values["underline"] = Effective("sng", "default")
    if (keeps := next(link.iter(_LINK_COLOR), None)) is None or keeps.get("val") != "tx":
        values["color"] = Effective(solid_fill(look.slot("hlink")), "theme")
    return values


def main_font(text: StyledText, look: MappedTheme) -> tuple[Font, Sources]:
    """The font of most characters, and where its values are stated.

    If there are no characters, the font at the end of the first paragraph, which is that of text
    typed next. Without a paragraph, the theme's body font at the default size.
    """
    counts: Counter[tuple[object, ...]] = Counter()
    fonts: dict[tuple[object, ...], tuple[RunFont, Sources]] = {}
    for run in (run for paragraph in text.paragraphs for run in paragraph.runs):
        font = run.font
        key = (font.name, font.size, font.style, font.color)
        fonts.setdefault(key, (font, run.sources))
        counts[key] += 1 + _WEIGHT * len(run.text.strip())
    most_used = fonts[counts.most_common(1)[0][0]] if counts else text.typed_next
    if most_used is None:
        name = look.theme.typeface("+mn-lt")
        return Font(name=name, size=DEFAULT_SIZE_PT, style=(), color=look.slot("tx1").hex), {}
    font, stated = most_used
    plain = Font(name=font.name, size=font.size, style=font.style, color=font.color)
    shown = ("name", "size", "bold", "italic", "underline", "color")
    return plain, {f"font.{name}": stated[name] for name in shown if name in stated}


def main_align(paragraphs: Sequence[Paragraph]) -> tuple[Align, Sources]:
    """The alignment of most characters, and where it is stated."""
    counts: Counter[Align] = Counter()
    for paragraph in paragraphs:
        counts[paragraph.align] += 1 + _WEIGHT * len(paragraph.text.strip())
    if not counts:
        return "left", {}
    align = counts.most_common(1)[0][0]
    for paragraph in paragraphs:
        if paragraph.align == align and "align" in paragraph.sources:
            return align, {"align": paragraph.sources["align"]}
    return align, {}


_FLAGS = {
    "first_row": "firstRow",
    "last_row": "lastRow",
    "first_column": "firstCol",
    "last_column": "lastCol",
    "row_bands": "bandRow",
    "column_bands": "bandCol",
}
_SIDES = {"left": "a:lnL", "top": "a:lnT", "right": "a:lnR", "bottom": "a:lnB"}


@dataclass(frozen=True)
class _Table:
    """Values for all cells of one table."""

    sheet: Sheet
    style: TableStyle | None
    fill: Effective[Fill] | None
    """The table's own fill, for cells that have none."""
    flags: TableFlags


def table_fields(element: Element, sheet: Sheet) -> dict[str, Any]:
    """The table in an ``a:tbl`` element of a sheet, by the names of the model's fields."""
    properties = element.find(qn("a:tblPr"))
    id = None if properties is None else properties.findtext(qn("a:tableStyleId"))
    id = (id or "").strip() or None
    own = fill_in(properties, sheet.look, sheet.source)
    style = _style(properties, id, sheet)
    table = _Table(
        sheet, style, None if own is None else Effective(own, "shape"), _flags(properties)
    )
    cells = tuple(tuple(row) for row in _rows(element, table))
    columns = element.iterfind(f"{qn('a:tblGrid')}/{qn('a:gridCol')}")
    rows = element.iterfind(qn("a:tr"))
    return {
        "cells": tuple(tuple("" if c.covered else c.text for c in row) for row in cells),
        "columns": tuple(sheet.reading.across(parse_emu(item.get("w")) or 0) for item in columns),
        "heights": tuple(sheet.reading.down(parse_emu(item.get("h")) or 0) for item in rows),
        "rows": cells,
        "style_id": id,
        **{name: getattr(table.flags, name) for name in _FLAGS},
    }


def _style(properties: Element | None, id: str | None, sheet: Sheet) -> TableStyle | None:
    inline = None if properties is None else properties.find(qn("a:tableStyle"))
    if inline is not None:
        return TableStyle.read(inline)
    return sheet.reading.table_styles.get(id) if id else None


def _flags(properties: Element | None) -> TableFlags:
    if properties is None:
        return TableFlags()
    return TableFlags(**{name: flag(properties.get(key)) is True for name, key in _FLAGS.items()})


def _rows(element: Element, table: _Table) -> Iterator[Iterator[Cell]]:
    rows = [row.findall(qn("a:tc")) for row in element.iterfind(qn("a:tr"))]
    columns = max((len(row) for row in rows), default=0)
    for number, row in enumerate(rows):
        yield (
            _cell(cell, _place(cell, number, column, len(rows), columns), table)
            for column, cell in enumerate(row)
        )


def _place(cell: Element, row: int, column: int, rows: int, columns: int) -> CellPlace:
    down, across = parse_int(cell.get("rowSpan")) or 1, parse_int(cell.get("gridSpan")) or 1
    return CellPlace(row, column, rows, columns, max(down, 1), max(across, 1))


def _cell(cell: Element, at: CellPlace, table: _Table) -> Cell:
    properties = cell.find(qn("a:tcPr"))
    parts = parts_at(at, table.flags)
    borders = {side: _border(side, properties, parts, at, table) for side in _SIDES}
    text = _cell_text(cell, properties, parts, table)
    fill = _fill(properties, parts, table)
    return Cell(
        text=text.text,
        paragraphs=text.paragraphs,
        body=text.body,
        fill=fill.value.hex,
        paint=fill.value.paint,
        row_span=at.row_span,
        column_span=at.column_span,
        covered=flag(cell.get("hMerge")) is True or flag(cell.get("vMerge")) is True,
        sources={} if fill.source == "default" else {"fill": fill.source},
        **borders,
    )


def _border(
    side: str, properties: Element | None, parts: Sequence[str], at: CellPlace, table: _Table
) -> Border:
    sheet, style = table.sheet, table.style
    styled = {} if style is None else style_border(style, parts, side, at, sheet.look)
    line = None if properties is None else properties.find(qn(_SIDES[side]))
    if line is None:
        return line_of(styled)
    return line_of(styled, stated_line(line, "shape", sheet.look, sheet.source))


def _fill(properties: Element | None, parts: Sequence[str], table: _Table) -> Effective[Fill]:
    if (own := fill_in(properties, table.sheet.look, table.sheet.source)) is not None:
        return Effective(own, "shape")
    styled = None if table.style is None else style_fill(table.style, parts, table.sheet.look)
    return styled or table.fill or Effective(NO_FILL, "default")


def _cell_text(
    cell: Element, properties: Element | None, parts: Sequence[str], table: _Table
) -> StyledText:
    sheet, style = table.sheet, table.style
    body = read_body([] if properties is None else [(properties, "shape")])
    if (holder := cell.find(qn("a:txBody"))) is None:
        return StyledText(body, ())
    chain: list[ChainLink] = list(sheet.reading.defaults)
    if style is not None:
        chain.append(Overlay((style, *parts), style_run(style, parts, sheet.look)))
    chain += list_style(holder, "shape", sheet.source)
    return read_text(holder, body, chain, sheet)
