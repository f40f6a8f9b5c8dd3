"""Text and drawings of composed slides as DrawingML; colours are those of the theme."""

from xml.sax.saxutils import escape, quoteattr

from decklab.board.boxes import BULLET_INDENT, BoxParagraph, Shape, TextBox, Token
from decklab.board.native.markup import DECLARED as DECLARED  # noqa: PLC0414 - read from here elsewhere
from decklab.board.native.markup import DECORATIVE as DECORATIVE  # noqa: PLC0414 - read from here elsewhere
from decklab.board.native.markup import emu as emu  # noqa: PLC0414 - read from here elsewhere
from decklab.board.native.markup import named_xml as named_xml  # noqa: PLC0414 - read from here elsewhere
from decklab.board.themes import SCHEME as SCHEME  # noqa: PLC0414 - read from here elsewhere
from decklab.board.themes import DesignTheme
from decklab.core.geometry import Box

_ANCHORS = {"top": "t", "middle": "ctr", "bottom": "b"}
_MARKS = {
    "bullet": '<a:buFont typeface="Arial"/><a:buChar char="•"/>',
    "number": '<a:buFont typeface="+mj-lt"/><a:buAutoNum type="arabicPeriod"/>',
}


def fill_xml(token: Token | None) -> str:
    """A fill with a colour of the theme; no fill for None."""
    if token is None:
        return "<a:noFill/>"
    return f'<a:solidFill><a:schemeClr val="{SCHEME[token]}"/></a:solidFill>'


def stroke_xml(token: Token | None, stroke: float = 1.0, more: str = "") -> str:
    """A line with a colour of the theme; none for None."""
    return f'<a:ln w="{emu(stroke)}">{fill_xml(token)}{more}</a:ln>'


def place_xml(box: Box, tag: str = "a:xfrm", flips: str = "") -> str:
    """The place of a shape."""
    return (
        f'<{tag}{flips}><a:off x="{emu(box.left)}" y="{emu(box.top)}"/>'
        f'<a:ext cx="{emu(box.width)}" cy="{emu(box.height)}"/></{tag}>'
    )


def geometry_xml(item: Shape | TextBox) -> str:
    """The outline of a shape; round corners have a radius of 8 pixels, whatever the size."""
    if item.geometry != "roundRect":
        return f'<a:prstGeom prst="{item.geometry}"><a:avLst/></a:prstGeom>'
    side = max(min(item.box.width, item.box.height), 1.0)
    radius = min(round(8 / side * 100_000), 50_000)
    return (
        '<a:prstGeom prst="roundRect"><a:avLst>'
        f'<a:gd name="adj" fmla="val {radius}"/></a:avLst></a:prstGeom>'
    )


class TextWriter:
    """Writes texts of one deck: its theme, language and direction."""

    def __init__(self, theme: DesignTheme, language: str, *, right_to_left: bool) -> None:
        self.theme = theme
        self.language = language
        self.right_to_left = right_to_left

    def body(self, box: TextBox, base: TextBox | None = None, tag: str = "p:txBody") -> str:
        """The text of a box. With ``base``, the box of its layout, only what differs is stated."""
        inner = "".join(self._paragraph(box, item, base) for item in box.paragraphs)
        settings = self.settings(box)
        if base is not None:
            moved = box.style.anchor != base.style.anchor
            anchor = f' anchor="{_ANCHORS[box.style.anchor]}"' if moved else ""
            settings = f"<a:bodyPr{anchor}><a:noAutofit/></a:bodyPr>"
        return f"<{tag}>{settings}<a:lstStyle/>{inner}</{tag}>"

    def settings(self, box: TextBox) -> str:
        """Insets, anchor and wrapping; the text never changes its size by itself."""
        inset = emu(box.inset)
        return (
            f'<a:bodyPr wrap="square" lIns="{inset}" tIns="{inset}" rIns="{inset}" '
            f'bIns="{inset}" rtlCol="{int(self.right_to_left)}" '
            f'anchor="{_ANCHORS[box.style.anchor]}"><a:noAutofit/></a:bodyPr>'
        )

    def levels(self, box: TextBox, count: int = 3) -> str:
        """The list style of a placeholder: what its paragraphs are by level."""
        return (
            "<a:lstStyle>"
            + "".join(
                self._properties(
                    box, level, f"a:lvl{level + 1}pPr", self._font(box, None, "a:defRPr")
                )
                for level in range(count)
            )
            + "</a:lstStyle>"
        )

    def _paragraph(self, box: TextBox, item: BoxParagraph, base: TextBox | None) -> str:
        if base is None:
            properties = self._properties(box, item.level, "a:pPr", "", marked=item.marked)
        else:
            properties = self._changes(box, item, base)
        font = self._font(box, item, "a:rPr", base)
        end = font.replace("<a:rPr", "<a:endParaRPr").replace("</a:rPr>", "</a:endParaRPr>")
        if box.slot is not None and box.slot.kind == "number":
            run = (
                '<a:fld id="{6F1C2B0A-5E34-4D8E-9F0B-3C7A9D2E1B55}" type="slidenum">'
                f"{font}<a:t>{escape(item.text)}</a:t></a:fld>"
            )
        else:
            run = f"<a:r>{font}<a:t>{escape(item.text)}</a:t></a:r>"
        return f"<a:p>{properties}{run}{end}</a:p>"

    def _changes(self, box: TextBox, item: BoxParagraph, base: TextBox) -> str:
        """Paragraph properties on a slide that its layout does not state."""
        level = f' lvl="{item.level}"' if item.level else ""
        bare = box.style.marks == "none" or not item.marked
        if base.style.marks != "none" and bare:
            return f'<a:pPr marL="0" indent="0"{level}><a:buNone/></a:pPr>'
        if not bare and (base.style.marks, base.style.first) != (box.style.marks, box.style.first):
            return self._properties(box, item.level, "a:pPr", "", marked=True)
        if base.style.spacing != box.style.spacing:
            after = round(box.style.spacing * 100)
            return f'<a:pPr{level}><a:spcAft><a:spcPts val="{after}"/></a:spcAft></a:pPr>'
        return f"<a:pPr{level}/>" if level else ""

    def _properties(
        self, box: TextBox, level: int, tag: str, font: str, *, marked: bool = True
    ) -> str:
        style = box.style
        marks = style.marks if marked else "none"
        hang = {"none": 0.0, "bullet": BULLET_INDENT, "number": 2 * BULLET_INDENT}[marks]
        left = BULLET_INDENT * level + hang
        start, end = ("r", "l") if self.right_to_left else ("l", "r")
        align = {"start": start, "center": "ctr", "end": end}[style.align]
        number = f' lvl="{level}"' if tag == "a:pPr" and level else ""
        mark = "<a:buNone/>"
        if marks != "none":
            mark = f'<a:buClr><a:schemeClr val="{SCHEME[self._mark_color(box)]}"/></a:buClr>'
            mark += _MARKS[marks]
        if marks == "number" and style.first > 1:
            mark = mark.replace("<a:buAutoNum", f'<a:buAutoNum startAt="{style.first}"')
        return (
            f'<{tag} marL="{emu(left)}"{number} indent="{emu(-hang)}" algn="{align}" '
            f'rtl="{int(self.right_to_left)}"><a:lnSpc><a:spcPct val="100000"/></a:lnSpc>'
            f'<a:spcBef><a:spcPts val="0"/></a:spcBef>'
            f'<a:spcAft><a:spcPts val="{round(style.spacing * 100)}"/></a:spcAft>'
            f"{mark}{font}</{tag}>"
        )

    def _mark_color(self, box: TextBox) -> Token:
        return "accent" if box.style.color != "background" else "background"

    def _font(
        self, box: TextBox, item: BoxParagraph | None, tag: str, base: TextBox | None = None
    ) -> str:
        """Character properties; those that the layout states already are left out."""
        style, item = box.style, item or BoxParagraph("")
        size, color = item.size or style.size, item.color or style.color
        bold = style.bold if item.bold is None else item.bold
        heading = style.heading if item.heading is None else item.heading
        known = None if base is None else base.style
        stated = "" if tag == "a:defRPr" else f" lang={quoteattr(self.language)}"
        if known is None or known.size != size:
            stated += f' sz="{round(size * 100)}"'
        if known is None or known.bold != bold:
            stated += f' b="{int(bold)}"'
        if known is None or known.italic != style.italic:
            stated += f' i="{int(style.italic)}"'
        inner = "" if known is not None and known.color == color else fill_xml(color)
        if style.code:
            inner += f"<a:latin typeface={quoteattr(self.theme.fonts.code)}/>"
        elif known is None or known.heading != heading:
            font = "mj" if heading else "mn"
            inner += "".join(
                f'<a:{script} typeface="+{font}-{name}"/>'
                for script, name in (("latin", "lt"), ("ea", "ea"), ("cs", "cs"))
            )
        return f"<{tag}{stated}>{inner}</{tag}>"
