"""Text bodies and tables as DrawingML, with every effective value stated."""

import re
from collections.abc import Callable, Sequence
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape

from decklab.deck.model.base import Action
from decklab.deck.model.shapes import Cell, Table
from decklab.deck.model.text import Body, Bullet, Paragraph, Run, RunFont, Spacing
from decklab.editing.building.drawing import (
    WHOLE,
    Embed,
    FrameSize,
    color_xml,
    legal,
    line_xml,
    paint_xml,
    quoted,
    solid_xml,
)
from decklab.ooxml.units import EMU_PER_POINT

Link = Callable[[str, Action | None], str]
"""Takes a tag and an action; returns the link element, empty for no action or one that cannot be
written."""

_HUNDREDTHS = 100  # ST_TextFontSize and ST_TextSpacingPoint
_ALIGNS = {"left": "l", "center": "ctr", "right": "r", "justify": "just", "distributed": "dist"}
_STRIKES = {"none": "noStrike", "single": "sngStrike", "double": "dblStrike"}
_ANCHORS = {
    "top": "t", "middle": "ctr", "bottom": "b", "justify": "just", "distribute": "dist",
}  # fmt: skip
"""Vertical anchors of text by their names in the file."""
_AUTOFITS = {"none": "<a:noAutofit/>", "grow": "<a:spAutoFit/>"}
_KEEP_COLOR = (
    '<a:extLst><a:ext uri="{A12FA001-AC4F-418D-AE19-62706E023703}"><ahyp:hlinkClr '
    'xmlns:ahyp="http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor" val="tx"/>'
    "</a:ext></a:extLst>"
)


def body_xml(
    paragraphs: Sequence[Paragraph], body: Body, embed: Embed, link: Link, *,
    tag: str = "p:txBody", empty: RunFont | None = None,
) -> str:  # fmt: skip
    """A text body; ``a:txBody`` for table cells, whose properties stand on the cell.

    ``empty`` is the font of paragraphs without runs, for text typed there later.
    """
    settings = "<a:bodyPr/>" if tag == "a:txBody" else _body_properties(body)
    inner = "".join(_paragraph(item, body, embed, link, empty) for item in paragraphs)
    return f"<{tag}>{settings}<a:lstStyle/>{inner or '<a:p/>'}</{tag}>"


def plain_paragraphs(text: str, font: RunFont, align: str) -> tuple[Paragraph, ...]:
    """Paragraphs of a text that has only one font and alignment."""
    return tuple(
        Paragraph.model_validate({"runs": tuple(_pieces(line, font)), "align": align})
        for line in text.split("\n")
    )


def _pieces(line: str, font: RunFont) -> list[Run]:
    pieces: list[Run] = []
    for piece in re.split("(\v)", line):
        if piece:
            pieces.append(Run(text=piece, kind="break" if piece == "\v" else "run", font=font))
    return pieces


def _body_properties(body: Body) -> str:
    insets = _insets(body, left="lIns", top="tIns", right="rIns", bottom="bIns")
    return (
        f'<a:bodyPr vert={quoted(body.direction)} wrap="{"square" if body.wraps else "none"}" '
        f'{insets} numCol="{body.columns}" anchor="{_ANCHORS[body.anchor]}" '
        f'anchorCtr="{int(body.anchor_center)}">{_autofit(body)}</a:bodyPr>'
    )


def _insets(body: Body, **names: str) -> str:
    """The insets as attributes, by the names that they have for each side, in that order."""
    return " ".join(
        f'{name}="{round(getattr(body, f"inset_{side}") * EMU_PER_POINT)}"'
        for side, name in names.items()
    )


def _autofit(body: Body) -> str:
    if body.autofit in _AUTOFITS:
        return _AUTOFITS[body.autofit]
    scale = f' fontScale="{round(body.font_scale * WHOLE)}"' if body.font_scale != 1 else ""
    less = f' lnSpcReduction="{round(body.line_reduction * WHOLE)}"' if body.line_reduction else ""
    return f"<a:normAutofit{scale}{less}/>"


def _paragraph(item: Paragraph, body: Body, embed: Embed, link: Link, empty: RunFont | None) -> str:
    runs = "".join(_run(run, body, embed, link) for run in item.runs)
    last = item.runs[-1].font if item.runs else empty
    end = "" if last is None else _font("a:endParaRPr", last, body, embed, "")
    return f"<a:p>{_paragraph_properties(item, body, embed)}{runs}{end}</a:p>"


def _paragraph_properties(item: Paragraph, body: Body, embed: Embed) -> str:
    line = item.line_spacing
    if line.unit == "share":
        line = Spacing(value=line.value + body.line_reduction, unit="share")
    return (
        f'<a:pPr marL="{round(item.margin_left * EMU_PER_POINT)}" '
        f'marR="{round(item.margin_right * EMU_PER_POINT)}" lvl="{item.level}" '
        f'indent="{round(item.indent * EMU_PER_POINT)}" algn="{_ALIGNS[item.align]}" '
        f'rtl="{int(item.right_to_left)}">{_spacing("a:lnSpc", line)}'
        f"{_spacing('a:spcBef', item.space_before)}{_spacing('a:spcAft', item.space_after)}"
        f"{_bullet(item.bullet, embed)}</a:pPr>"
    )


def _spacing(tag: str, spacing: Spacing) -> str:
    if spacing.unit == "share":
        return f'<{tag}><a:spcPct val="{round(spacing.value * WHOLE)}"/></{tag}>'
    return f'<{tag}><a:spcPts val="{round(spacing.value * _HUNDREDTHS)}"/></{tag}>'


def _bullet(bullet: Bullet | None, embed: Embed) -> str:
    """No bullet for a picture whose image is not available."""
    picture = None if bullet is None else embed(bullet.sha256)
    if bullet is None or (bullet.kind == "picture" and picture is None):
        return "<a:buNone/>"
    color = "<a:buClrTx/>"
    if bullet.color is not None:
        color = f"<a:buClr>{color_xml(bullet.color)}</a:buClr>"
    font = "<a:buFontTx/>"
    if bullet.font is not None:
        font = f"<a:buFont typeface={quoted(bullet.font)}/>"
    mark = f"<a:buChar char={quoted(bullet.character)}/>"
    if bullet.kind == "number":
        mark = f'<a:buAutoNum type={quoted(bullet.scheme)} startAt="{bullet.start}"/>'
    if bullet.kind == "picture":
        mark = f'<a:buBlip><a:blip r:embed="{picture}"/></a:buBlip>'
    return f"{color}{_bullet_size(bullet.size)}{font}{mark}"


def _bullet_size(size: Spacing | None) -> str:
    if size is None:
        return "<a:buSzTx/>"
    if size.unit == "share":
        return f'<a:buSzPct val="{round(size.value * WHOLE)}"/>'
    return f'<a:buSzPts val="{round(size.value * _HUNDREDTHS)}"/>'


def _run(run: Run, body: Body, embed: Embed, link: Link) -> str:
    links = link("a:hlinkClick", run.click) + link("a:hlinkMouseOver", run.hover)
    links = links.replace("</a:hlinkClick>", f"{_KEEP_COLOR}</a:hlinkClick>")
    properties = _font("a:rPr", run.font, body, embed, links)
    if run.kind == "break":
        return f"<a:br>{properties}</a:br>"
    text = f"<a:t>{escape(legal(run.text))}</a:t>"
    if run.kind == "field" and run.field is not None:
        id = str(uuid5(NAMESPACE_URL, f"decklab:{run.field}")).upper()
        return f'<a:fld id="{{{id}}}" type={quoted(run.field)}>{properties}{text}</a:fld>'
    return f"<a:r>{properties}{text}</a:r>"


def _font(tag: str, font: RunFont, body: Body, embed: Embed, links: str) -> str:
    size = round(font.size / body.font_scale * _HUNDREDTHS)
    language = "" if font.language is None else f" lang={quoted(font.language)}"
    underline = font.underline
    if ("underscore" in font.style) != (underline != "none"):
        underline = "sng" if "underscore" in font.style else "none"
    paint = (
        solid_xml(font.color, font.alpha) if font.paint is None else paint_xml(font.paint, embed)
    )
    edge = "" if font.outline is None else f"<a:ln>{paint_xml(font.outline, embed)}</a:ln>"
    back = "" if font.highlight is None else (
        f"<a:highlight>{color_xml(font.highlight)}</a:highlight>"
    )  # fmt: skip
    return (
        f'<{tag}{language} sz="{size}" b="{int("bold" in font.style)}" '
        f'i="{int("italic" in font.style)}" u={quoted(underline)} '
        f'strike="{_STRIKES[font.strike]}" cap="{font.caps}" '
        f'spc="{round(font.spacing * _HUNDREDTHS)}" baseline="{round(font.baseline * WHOLE)}">'
        f"{edge}{paint}<a:effectLst/>{back}{_faces(font)}{links}</{tag}>"
    )


def _faces(font: RunFont) -> str:
    named = (
        ("a:latin", font.name), ("a:ea", font.east_asian),
        ("a:cs", font.complex_script), ("a:sym", font.symbol),
    )  # fmt: skip
    return "".join(f"<{tag} typeface={quoted(name)}/>" for tag, name in named if name)


_FLAGS = {
    "firstRow": "first_row", "firstCol": "first_column", "lastRow": "last_row",
    "lastCol": "last_column", "bandRow": "row_bands", "bandCol": "column_bands",
}  # fmt: skip
_PLAIN_FONT = RunFont(name="", size=14.0, style=(), color="#000000")
"""Font size of tables of plain texts. Ours: PowerPoint's 18 pt fills small tables at once."""


def table_xml(table: Table, slide_size: FrameSize, embed: Embed, link: Link) -> str:
    """The ``a:tbl`` of a table; a table without full cells gets cells with its texts."""
    rows = table.rows or tuple(tuple(_plain(text) for text in row) for row in table.cells)
    columns = max((len(row) for row in rows), default=0)
    widths = table.columns or (table.w / max(columns, 1),) * columns
    heights = table.heights or (table.h / max(len(rows), 1),) * len(rows)
    grid = "".join(f'<a:gridCol w="{slide_size.across(width)}"/>' for width in widths)
    merged = _merged(rows)
    lines = "".join(
        f'<a:tr h="{slide_size.down(height)}">'
        + "".join(
            _cell(cell, merged.get((number, column), ""), embed, link)
            for column, cell in enumerate(row)
        )
        + "</a:tr>"
        for number, (row, height) in enumerate(zip(rows, heights, strict=False))
    )
    flags = " ".join(f'{name}="1"' for name, key in _FLAGS.items() if getattr(table, key))
    style = ""
    if table.style_id is not None:
        style = f"<a:tableStyleId>{escape(table.style_id)}</a:tableStyleId>"
    return f"<a:tbl><a:tblPr {flags}>{style}</a:tblPr><a:tblGrid>{grid}</a:tblGrid>{lines}</a:tbl>"


def _plain(text: str) -> Cell:
    return Cell(text=text, paragraphs=plain_paragraphs(text, _PLAIN_FONT, "left"))


def _merged(rows: Sequence[Sequence[Cell]]) -> dict[tuple[int, int], str]:
    """Row and column of each covered cell, with the attributes that state it."""
    merged: dict[tuple[int, int], str] = {}
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            for down in range(cell.row_span):
                for across in range(cell.column_span):
                    marks = (' hMerge="1"' if across else "") + (' vMerge="1"' if down else "")
                    if marks and not cell.covered:
                        merged.setdefault((row + down, column + across), marks)
    return merged


def _cell(cell: Cell, merged: str, embed: Embed, link: Link) -> str:
    spans = merged
    if cell.row_span > 1:
        spans += f' rowSpan="{cell.row_span}"'
    if cell.column_span > 1:
        spans += f' gridSpan="{cell.column_span}"'
    text = body_xml(cell.paragraphs, cell.body, embed, link, tag="a:txBody")
    return f"<a:tc{spans}>{text}{_properties(cell, embed)}</a:tc>"


def _properties(cell: Cell, embed: Embed) -> str:
    body = cell.body
    insets = _insets(body, left="marL", right="marR", top="marT", bottom="marB")
    borders = "".join(
        line_xml(border.stroke, border.strokeWidth, border.pen, embed, tag)
        for tag, border in (
            ("a:lnL", cell.left), ("a:lnR", cell.right), ("a:lnT", cell.top),
            ("a:lnB", cell.bottom),
        )
    )  # fmt: skip
    paint = paint_xml(cell.paint, embed)
    if cell.paint.kind == "none" and cell.fill is not None:
        paint = solid_xml(cell.fill)
    return (
        f'<a:tcPr {insets} vert="{body.direction}" anchor="{_ANCHORS[body.anchor]}" '
        f'anchorCtr="{int(body.anchor_center)}">{borders}{paint}</a:tcPr>'
    )
