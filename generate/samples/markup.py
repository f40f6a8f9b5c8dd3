"""Shapes as PresentationML text, for what python-pptx has no call: layouts, freeforms, groups.

All geometry is in points of a 960x540 slide, as ``(left, top, width, height)``. Colours are
theme names (``accent1``, ``tx1`` ...) or ``#RRGGBB``.
"""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

EMU_PER_POINT = 12700
_NO_TEXT = '<a:endParaRPr lang="en-GB"/>'

Frame = tuple[float, float, float, float]
"""Left, top, width and height, in points."""

NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)


def emu(points: float) -> int:
    """Points as English Metric Units, rounded.

    >>> emu(960)
    12192000
    """
    return round(points * EMU_PER_POINT)


def _color(name: str, alpha: int | None = None) -> str:
    inner = "" if alpha is None else f'<a:alpha val="{alpha * 1000}"/>'
    if name.startswith("#"):
        return f'<a:srgbClr val="{name[1:]}">{inner}</a:srgbClr>'
    return f'<a:schemeClr val="{name}">{inner}</a:schemeClr>'


def solid(color: str, alpha: int | None = None) -> str:
    """A solid fill; ``alpha`` is the opacity in percent."""
    return f"<a:solidFill>{_color(color, alpha)}</a:solidFill>"


def gradient(start: str, end: str, degrees: int) -> str:
    """A linear gradient fill from one colour to another, clockwise from left to right."""
    stops = f'<a:gs pos="0">{_color(start)}</a:gs><a:gs pos="100000">{_color(end)}</a:gs>'
    turn = f'<a:lin ang="{degrees * 60000}" scaled="0"/>'
    return f'<a:gradFill rotWithShape="1"><a:gsLst>{stops}</a:gsLst>{turn}</a:gradFill>'


def line(color: str | None, width: float = 1, alpha: int | None = None) -> str:
    """An outline of ``width`` points; no outline where the colour is None."""
    if color is None:
        return "<a:ln><a:noFill/></a:ln>"
    return f'<a:ln w="{emu(width)}">{solid(color, alpha)}</a:ln>'


def xfrm(frame: Frame, tag: str = "a:xfrm", inner: str = "") -> str:
    """A position element; ``inner`` follows offset and extent (a group's child frame)."""
    left, top, width, height = (emu(value) for value in frame)
    offset = f'<a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/>'
    return f"<{tag}>{offset}{inner}</{tag}>"


def text_style(
    level: int,
    size: float,
    color: str,
    *,
    bold: bool = False,
    bullet: str | None = None,
    bullet_color: str = "accent1",
    indent: float = 0,
    hang: float = 0,
    before: float = 0,
    spacing: int = 100,
    align: str = "l",
    font: str = "+mn-lt",
) -> str:
    """The style of one outline level, 1 to 9; sizes and distances in points.

    ``indent`` is where the text starts, ``hang`` how far left of it the bullet stands and
    ``spacing`` the line spacing in percent.
    """
    mark = "<a:buNone/>"
    if bullet is not None:
        paint = f"<a:buClr>{_color(bullet_color)}</a:buClr>"
        mark = f'{paint}<a:buFont typeface="Arial"/><a:buChar char={quoteattr(bullet)}/>'
    place = f'marL="{emu(indent)}" indent="{emu(-hang)}" algn="{align}"'
    rest = 'defTabSz="914400" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1"'
    faces = f'<a:latin typeface="{font}"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/>'
    run = f'lang="en-GB" sz="{round(size * 100)}" b="{int(bold)}" kern="1200"'
    return (
        f"<a:lvl{level}pPr {place} {rest}>"
        f'<a:lnSpc><a:spcPct val="{spacing * 1000}"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="{round(before * 100)}"/></a:spcBef>'
        f"{mark}<a:defRPr {run}>{solid(color)}{faces}</a:defRPr></a:lvl{level}pPr>"
    )


def placeholder(
    id: int,
    name: str,
    kind: str,
    idx: int | None = None,
    frame: Frame | None = None,
    *,
    prompt: str | None = None,
    styles: str = "",
    anchor: str | None = None,
    inset: tuple[float, float] | None = None,
    field: bool = False,
) -> str:
    """A placeholder of a layout or master, or (without a frame) one on a slide.

    ``styles`` are ``text_style`` levels, ``inset`` the side and top margins in points; with
    ``field`` the prompt is a slide number field.
    """
    mark = f'type="{kind}"' + ("" if idx is None else f' idx="{idx}"')
    where = "" if frame is None else xfrm(frame) + '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
    body = "" if anchor is None else f' anchor="{anchor}"'
    if inset is not None:
        side, top = (emu(value) for value in inset)
        body += f' lIns="{side}" tIns="{top}" rIns="{side}" bIns="{top}"'
    fit = "<a:normAutofit/>" if frame is not None and not field else ""
    run = "" if not prompt else f'<a:r><a:rPr lang="en-GB"/><a:t>{escape(prompt)}</a:t></a:r>'
    if field:
        run = (
            '<a:fld id="{5E2C6F5A-8D5E-4D0B-9B0D-7C2B1E6A4F10}" type="slidenum">'
            f'<a:rPr lang="en-GB"/><a:t>{escape(prompt or "")}</a:t></a:fld>'
        )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{id}" name={quoteattr(name)}/>'
        '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f"<p:nvPr><p:ph {mark}/></p:nvPr></p:nvSpPr><p:spPr>{where}</p:spPr>"
        f"<p:txBody><a:bodyPr{body}>{fit}</a:bodyPr><a:lstStyle>{styles}</a:lstStyle>"
        f"<a:p>{run or _NO_TEXT}</a:p></p:txBody></p:sp>"
    )


def _shape(id: int, name: str, geometry: str, paint: str, text: str = "") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{id}" name={quoteattr(name)}/><p:cNvSpPr/><p:nvPr/>'
        f"</p:nvSpPr><p:spPr>{geometry}{paint}</p:spPr>{text}</p:sp>"
    )


def preset(
    id: int,
    name: str,
    geometry: str,
    frame: Frame,
    fill: str,
    *,
    outline: str | None = None,
    text: str = "",
    style: str = "",
) -> str:
    """An autoshape such as ``rect`` or ``ellipse``; ``text`` is set in ``style`` (level 1)."""
    form = f'{xfrm(frame)}<a:prstGeom prst="{geometry}"><a:avLst/></a:prstGeom>'
    run = f'<a:r><a:rPr lang="en-GB"/><a:t>{escape(text)}</a:t></a:r>' if text else ""
    body = (
        '<p:txBody><a:bodyPr wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" anchor="ctr">'
        f"<a:normAutofit/></a:bodyPr><a:lstStyle>{style}</a:lstStyle><a:p>{run}</a:p></p:txBody>"
    )
    return _shape(id, name, form, fill + (outline or line(None)), body)


def freeform(
    id: int,
    name: str,
    frame: Frame,
    path: str,
    fill: str,
    *,
    grid: tuple[int, int] = (100, 100),
    outline: str | None = None,
) -> str:
    """A freeform drawn by ``path`` on a grid of whole units that fills the frame.

    The path knows the absolute commands M, L, C and Z of SVG, separated by spaces.
    """
    scale = 100
    size = f'w="{grid[0] * scale}" h="{grid[1] * scale}"'
    form = (
        f"{xfrm(frame)}<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/>"
        '<a:rect l="0" t="0" r="r" b="b"/>'
        f"<a:pathLst><a:path {size}>{_path(path.split(), scale)}</a:path></a:pathLst></a:custGeom>"
    )
    return _shape(id, name, form, fill + (outline or line(None)))


_COMMANDS = {"M": ("moveTo", 1), "L": ("lnTo", 1), "C": ("cubicBezTo", 3), "Z": ("close", 0)}


def _path(words: Sequence[str], scale: int) -> str:
    commands = []
    at = 0
    while at < len(words):
        tag, points = _COMMANDS[words[at]]
        numbers = [round(float(word) * scale) for word in words[at + 1 : at + 1 + 2 * points]]
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        inner = "".join(f'<a:pt x="{x}" y="{y}"/>' for x, y in pairs)
        commands.append(f"<a:{tag}>{inner}</a:{tag}>" if points else f"<a:{tag}/>")
        at += 1 + 2 * points
    return "".join(commands)


def group(id: int, name: str, frame: Frame, members: str, *, alt: str = "") -> str:
    """A group of shapes that are placed in slide coordinates; ``alt`` is its alt text."""
    left, top, width, height = (emu(value) for value in frame)
    child = f'<a:chOff x="{left}" y="{top}"/><a:chExt cx="{width}" cy="{height}"/>'
    said = f" descr={quoteattr(alt)}" if alt else ""
    return (
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{id}" name={quoteattr(name)}{said}/><p:cNvGrpSpPr/>'
        f"<p:nvPr/></p:nvGrpSpPr><p:grpSpPr>{xfrm(frame, inner=child)}</p:grpSpPr>"
        f"{members}</p:grpSp>"
    )
