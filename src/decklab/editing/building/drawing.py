"""Places, geometries, fills, lines and texts as DrawingML."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, copysign, cos, degrees, pi, radians, sin, sqrt
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.frames import Frame, GroupTransform
from decklab.deck.model.base import Action
from decklab.deck.model.shapes import (
    PATH_BOX,
    Body,
    Bullet,
    Cell,
    Crop,
    Element,
    Ending,
    Gradient,
    Line,
    Paint,
    Paragraph,
    Pattern,
    Pen,
    PictureFill,
    Run,
    RunFont,
    Solid,
    Spacing,
    Stop,
    Table,
)
from decklab.ooxml.xml import EMU_PER_POINT, ILLEGAL_CHARACTERS, NAMESPACES

_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_RISING = "lineInv"
_FLAT = 0.03
"""Px below which a line counts as horizontal or vertical: more than the rounding of ends and
rotation adds to a line as long as the slide is wide."""


@dataclass(frozen=True)
class FrameSize:
    """The size of the slides."""

    width: int
    """In EMU, as the next."""
    height: int

    @classmethod
    def of_points(cls, size_pt: tuple[float, float]) -> "FrameSize":
        """Slides of a size in points."""
        return cls(round(size_pt[0] * EMU_PER_POINT), round(size_pt[1] * EMU_PER_POINT))

    def across(self, px: float) -> int:
        """A horizontal length or place in EMU."""
        return round(px * self.width / FRAME_WIDTH)

    def down(self, px: float) -> int:
        """A vertical length or place in EMU."""
        return round(px * self.height / FRAME_HEIGHT)

    def frame(self, element: Element) -> Frame:
        """The frame of an element on the slide."""
        if isinstance(element, Line):
            return self._line(element)
        x, y, w, h = (getattr(element, name) for name in ("x", "y", "w", "h"))
        sides = self.across(x), self.down(y), self.across(w), self.down(h)
        return Frame(*sides, element.rotation, element.flip_h, element.flip_v)

    def _line(self, line: Line) -> Frame:
        """The ends of a line, turned back about its middle, give size and flips."""
        across, down = self.width / FRAME_WIDTH, self.height / FRAME_HEIGHT
        dx, dy = (line.x2 - line.x1) * across, (line.y2 - line.y1) * down
        turn = radians(-line.rotation)
        dx, dy = dx * cos(turn) - dy * sin(turn), dx * sin(turn) + dy * cos(turn)
        if line.geometry == _RISING:
            dy = -dy
        flat = _FLAT * max(across, down)
        flip_h = line.flip_h if abs(dx) < flat else dx < 0
        flip_v = line.flip_v if abs(dy) < flat else dy < 0
        width = 0.0 if abs(dx) < flat else abs(dx)
        height = 0.0 if abs(dy) < flat else abs(dy)
        x = (line.x1 + line.x2) / 2 * across - width / 2
        y = (line.y1 + line.y2) / 2 * down - height / 2
        return Frame(x, y, width, height, line.rotation, flip_h, flip_v)


def inside(frame: Frame, group: Frame) -> Frame:
    """A frame on the slide in the coordinates of a group that scales nothing.

    The rotation and flips of the group are undone: turned the other way, unless a flip has swapped
    that already.
    """
    swapped = group.rotation if group.flip_h != group.flip_v else -group.rotation
    upright = Frame(
        group.left, group.top, group.width, group.height, swapped % 360, group.flip_h, group.flip_v
    )
    return GroupTransform(upright, group.left, group.top, group.width, group.height).outward(frame)


def xfrm(frame: Frame, tag: str = "a:xfrm", more: str = "") -> str:
    """A position element, turned and flipped; ``more`` are its last child elements."""
    turned = f' rot="{round(frame.rotation % 360 * _ANGLE_UNIT)}"' if frame.rotation % 360 else ""
    flips = (' flipH="1"' if frame.flip_h else "") + (' flipV="1"' if frame.flip_v else "")
    return (
        f'<{tag}{turned}{flips}><a:off x="{round(frame.left)}" y="{round(frame.top)}"/>'
        f'<a:ext cx="{max(round(frame.width), 0)}" cy="{max(round(frame.height), 0)}"/>'
        f"{more}</{tag}>"
    )


Embed = Callable[[str | None], str | None]
"""From the hash of an image to the relationship id it has on the slide; None if its bytes are
not available."""

WHOLE = 100_000
"""100 % as an ST_Percentage: in thousandths of a percent."""
_JOINS = {"round": "<a:round/>", "bevel": "<a:bevel/>", "miter": '<a:miter lim="800000"/>'}
_NO_FILL = "<a:noFill/>"
_CUSTOM_DASH = '<a:custDash><a:ds d="400000" sp="300000"/></a:custDash>'


def color_xml(color: str, alpha: float = 1.0) -> str:
    """A colour element."""
    inner = "" if alpha >= 1 else f'<a:alpha val="{round(alpha * WHOLE)}"/>'
    return f'<a:srgbClr val="{color[1:]}">{inner}</a:srgbClr>'


def solid_xml(color: str | None, alpha: float = 1.0) -> str:
    """A fill of one colour; no fill for None."""
    return _NO_FILL if color is None else f"<a:solidFill>{color_xml(color, alpha)}</a:solidFill>"


def paint_xml(paint: Paint, embed: Embed) -> str:
    """A fill element; no fill for a picture whose bytes are not available."""
    if isinstance(paint, Solid):
        return solid_xml(paint.color, paint.alpha)
    if isinstance(paint, Gradient):
        return _gradient(paint)
    if isinstance(paint, Pattern):
        return (
            f"<a:pattFill prst={quoted(paint.preset)}>"
            f"<a:fgClr>{color_xml(paint.foreground)}</a:fgClr>"
            f"<a:bgClr>{color_xml(paint.ground)}</a:bgClr></a:pattFill>"
        )
    if isinstance(paint, PictureFill):
        return _picture(paint, embed)
    return _NO_FILL


def line_xml(stroke: str | None, width: float, pen: Pen, embed: Embed, tag: str = "a:ln") -> str:
    """A line element; a line without a stroke is stated as not drawn."""
    if stroke is None and pen.paint.kind == "none":
        return f"<{tag}>{_NO_FILL}</{tag}>"
    paint = solid_xml(stroke) if pen.paint.kind == "none" else paint_xml(pen.paint, embed)
    dash = f"<a:prstDash val={quoted(pen.dash)}/>" if pen.dash != "custom" else _CUSTOM_DASH
    return (
        f'<{tag} w="{round(width * EMU_PER_POINT)}" cap={quoted(pen.cap)} '
        f"cmpd={quoted(pen.compound)}>{paint}{dash}{_JOINS.get(pen.join, _JOINS['round'])}"
        f"{_ending('a:headEnd', pen.head)}{_ending('a:tailEnd', pen.tail)}</{tag}>"
    )


def crop_xml(crop: Crop) -> str:
    """The crop of an image as an element; empty for a whole image."""
    edges = (("l", crop.left), ("t", crop.top), ("r", crop.right), ("b", crop.bottom))
    cut = "".join(f' {name}="{round(value * WHOLE)}"' for name, value in edges if value)
    return f"<a:srcRect{cut}/>" if cut else ""


def _gradient(paint: Gradient) -> str:
    stops = "".join(_stop(stop) for stop in paint.stops)
    if paint.path is not None:
        way = (
            f"<a:path path={quoted(paint.path)}>"
            '<a:fillToRect l="50000" t="50000" r="50000" b="50000"/></a:path>'
        )
    else:
        way = f'<a:lin ang="{round((paint.angle or 0.0) * _ANGLE_UNIT)}" scaled="0"/>'
    return f'<a:gradFill rotWithShape="1"><a:gsLst>{stops}</a:gsLst>{way}</a:gradFill>'


def _stop(stop: Stop) -> str:
    return f'<a:gs pos="{round(stop.position * WHOLE)}">{color_xml(stop.color, stop.alpha)}</a:gs>'


def _picture(paint: PictureFill, embed: Embed) -> str:
    if (link := embed(paint.sha256)) is None:
        return _NO_FILL
    way = "<a:tile/>" if paint.tiled else STRETCHED
    blip = blip_xml(link, paint.alpha)
    return f"<a:blipFill>{blip}{crop_xml(paint.crop)}{way}</a:blipFill>"


STRETCHED = "<a:stretch><a:fillRect/></a:stretch>"


def blip_xml(link: str, alpha: float) -> str:
    """An image by its relationship id, with an opacity from 0 to 1."""
    faded = "" if alpha >= 1 else f'<a:alphaModFix amt="{round(alpha * WHOLE)}"/>'
    return f'<a:blip r:embed="{link}">{faded}</a:blip>'


def _ending(tag: str, end: Ending | None) -> str:
    if end is None:
        return f'<{tag} type="none"/>'
    return f"<{tag} type={quoted(end.shape)} w={quoted(end.width)} len={quoted(end.length)}/>"


_FINE = 100
"""Units of the written path per unit of the element's path, which has two decimals."""
_TAGS = {"M": "moveTo", "L": "lnTo", "C": "cubicBezTo", "Q": "quadBezTo"}

Point = tuple[float, float]


def preset_xml(name: str, adjustments: Mapping[str, int]) -> str:
    """A preset shape with its adjustments."""
    guides = "".join(
        f'<a:gd name={quoted(guide)} fmla="val {value}"/>' for guide, value in adjustments.items()
    )
    return f"<a:prstGeom prst={quoted(name)}><a:avLst>{guides}</a:avLst></a:prstGeom>"


def rounded_adjustment(rx: float, across: float, width_px: float, height_px: float) -> int:
    """The adjustment that gives a rounded rectangle its corner radius, which is px across.

    ``across`` is the length of one vertical px on the slide itself, in horizontal px.
    """
    shorter = min(width_px, height_px * across)
    return min(round(rx / shorter * WHOLE), WHOLE // 2) if shorter > 0 else 0


def freeform_xml(path: str) -> str:
    """A freeform from path data in a box of 1000 by 1000."""
    size = PATH_BOX * _FINE
    inner = "".join(_commands(path))
    return (
        "<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/>"
        '<a:rect l="0" t="0" r="r" b="b"/><a:pathLst>'
        f'<a:path w="{size}" h="{size}">{inner}</a:path></a:pathLst></a:custGeom>'
    )


def _commands(path: str) -> Iterator[str]:
    at: Point = (0.0, 0.0)
    command, numbers = "", list[float]()
    for word in [*path.split(), "end"]:
        if not word[0].isalpha():
            numbers.append(float(word))
            continue
        if command:
            yield _command(command, numbers, at)
            at = (numbers[-2], numbers[-1]) if len(numbers) > 1 else at
        command, numbers = word, []


def _command(command: str, numbers: list[float], at: Point) -> str:
    if command == "A":
        return _arc(numbers, at)
    if command not in _TAGS:
        return "<a:close/>"
    points = "".join(
        f'<a:pt x="{round(x * _FINE)}" y="{round(y * _FINE)}"/>'
        for x, y in zip(numbers[::2], numbers[1::2], strict=True)
    )
    return f"<a:{_TAGS[command]}>{points}</a:{_TAGS[command]}>"


def _arc(numbers: list[float], at: Point) -> str:
    """From the end of an arc to its angles (SVG 1.1, F.6.5, for unrotated ellipses)."""
    across, down, _rotation, large, turn, x, y = numbers
    if across <= 0 or down <= 0:
        return _command("L", [x, y], at)
    half_x, half_y = (at[0] - x) / 2 / across, (at[1] - y) / 2 / down
    reach = half_x**2 + half_y**2
    far = sqrt(max(1 / reach - 1, 0.0)) if reach else 0.0
    far = -far if large == turn else far
    center_x, center_y = far * half_y, -far * half_x
    start = atan2(half_y - center_y, half_x - center_x)
    sweep = (atan2(-half_y - center_y, -half_x - center_x) - start) % (2 * pi)
    if not turn:
        sweep -= 2 * pi
    sweep = copysign(sweep, 1 if turn else -1)
    return (
        f'<a:arcTo wR="{round(across * _FINE)}" hR="{round(down * _FINE)}" '
        f'stAng="{round(degrees(start) % 360 * _ANGLE_UNIT)}" '
        f'swAng="{round(degrees(sweep) * _ANGLE_UNIT)}"/>'
    )


def legal(text: str) -> str:
    r"""Text without the characters that XML cannot hold.

    >>> legal("a\x07b")
    'ab'
    """
    return ILLEGAL_CHARACTERS.sub("", text)


def quoted(text: str) -> str:
    r"""An attribute's value with its quotes, escaped, without what XML cannot hold.

    >>> quoted('5 < 7\x07')
    '"5 &lt; 7"'
    """
    return quoteattr(legal(text))


Link = Callable[[str, Action | None], str]
"""Takes a tag and an action; returns the link element, empty for no action or one that cannot be
written."""

_HUNDREDTHS = 100  # ST_TextFontSize and ST_TextSpacingPoint
_ALIGNS = {"left": "l", "center": "ctr", "right": "r", "justify": "just", "distributed": "dist"}
_STRIKES = {"none": "noStrike", "single": "sngStrike", "double": "dblStrike"}
_ANCHORS = {"top": "t", "middle": "ctr", "bottom": "b", "justify": "just", "distribute": "dist"}
"""Vertical anchors of text by their names in the file."""
_AUTOFITS = {"none": "<a:noAutofit/>", "grow": "<a:spAutoFit/>"}
_KEEP_COLOR = (
    '<a:extLst><a:ext uri="{A12FA001-AC4F-418D-AE19-62706E023703}"><ahyp:hlinkClr '
    'xmlns:ahyp="http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor" val="tx"/>'
    "</a:ext></a:extLst>"
)

_EQUATION_SPACES = " ".join(f'xmlns:{name}="{NAMESPACES[name]}"' for name in ("mc", "a14", "m"))


class EquationRun(Run):
    """A formula in a line: ``equation`` is an ``m:oMath``, ``instead`` are runs for programs that
    draw none."""

    equation: str
    instead: tuple[Run, ...] = ()


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
    if (line := item.line_spacing).unit == "share":
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
    if isinstance(run, EquationRun):
        instead = "".join(_run(other, body, embed, link) for other in run.instead)
        return (
            f'<mc:AlternateContent {_EQUATION_SPACES}><mc:Choice Requires="a14"><a14:m>'
            f"{run.equation}</a14:m></mc:Choice><mc:Fallback>{instead}</mc:Fallback>"
            "</mc:AlternateContent>"
        )
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
    paint = paint_xml(font.paint, embed) if font.paint else solid_xml(font.color, font.alpha)
    edge = "" if font.outline is None else f"<a:ln>{paint_xml(font.outline, embed)}</a:ln>"
    back = color_xml(font.highlight) if font.highlight else ""
    back = f"<a:highlight>{back}</a:highlight>" if back else ""
    return (
        f'<{tag}{language} sz="{size}" b="{int("bold" in font.style)}" '
        f'i="{int("italic" in font.style)}" u={quoted(underline)} '
        f'strike="{_STRIKES[font.strike]}" cap="{font.caps}" '
        f'spc="{round(font.spacing * _HUNDREDTHS)}" baseline="{round(font.baseline * WHOLE)}">'
        f"{edge}{paint}<a:effectLst/>{back}{_faces(font)}{links}</{tag}>"
    )


def _faces(font: RunFont) -> str:
    faces = (font.name, font.east_asian, font.complex_script, font.symbol)
    named = zip(("a:latin", "a:ea", "a:cs", "a:sym"), faces, strict=True)
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
    lines = ""
    for number, (row, height) in enumerate(zip(rows, heights, strict=False)):
        marks = (merged.get((number, column), "") for column in range(len(row)))
        cells = (_cell(cell, mark, embed, link) for cell, mark in zip(row, marks, strict=True))
        lines += f'<a:tr h="{slide_size.down(height)}">{"".join(cells)}</a:tr>'
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
        line_xml(border.stroke, border.strokeWidth, border.pen, embed, f"a:ln{side}")
        for side, border in zip("LRTB", (cell.left, cell.right, cell.top, cell.bottom), strict=True)
    )
    paint = paint_xml(cell.paint, embed)
    if cell.paint.kind == "none" and cell.fill is not None:
        paint = solid_xml(cell.fill)
    return (
        f'<a:tcPr {insets} vert="{body.direction}" anchor="{_ANCHORS[body.anchor]}" '
        f'anchorCtr="{int(body.anchor_center)}">{borders}{paint}</a:tcPr>'
    )
