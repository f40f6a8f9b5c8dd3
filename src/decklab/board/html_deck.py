"""A composed deck as one HTML file: boxes and words of the .pptx, nothing from a network."""

import base64
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from decklab.board.boxes import (
    BULLET_INDENT,
    BoxParagraph,
    ChartBox,
    ComposedSlide,
    Connector,
    GroupBox,
    Item,
    PictureBox,
    Shape,
    TableBox,
    TextBox,
    row_fill,
)
from decklab.board.compose import Composed
from decklab.board.fitting import CELL_PADDING, Fitter
from decklab.board.html_charts import ChartDrawing
from decklab.board.themes import DesignTheme, font_stack
from decklab.board.typography import Face
from decklab.core.files import write_whole
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

_KINDS = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif", "BMP": "bmp", "TIFF": "tiff"}
_FLEX = {"top": "flex-start", "middle": "center", "bottom": "flex-end"}
_STYLE = """
* {{ box-sizing: border-box; margin: 0; padding: 0; }}
body {{ background: #8a8a8a; }}
section {{ position: relative; width: {width}px; height: {height}px; overflow: hidden;
  margin: 16px auto; font-family: {body}; }}
section > *, .group > * {{ position: absolute; }}
.text {{ display: flex; flex-direction: column; overflow-wrap: anywhere; }}
.heading {{ font-family: {heading}; }}
h2 {{ font: inherit; }}
.bullet, .number {{ position: relative; }}
.bullet::before, .number::before {{ position: absolute; color: {accent}; }}
.bullet::before {{ content: "\\2022"; inset-inline-start: calc(var(--in) - {indent}px); }}
.number::before {{ content: attr(data-number) "."; inset-inline-start: 0; }}
table {{ border-collapse: collapse; table-layout: fixed; }}
td, th {{ padding: {down}px {across}px; vertical-align: middle; }}
@media print {{ @page {{ size: {width}px {height}px; margin: 0; }}
  body {{ background: none; }} section {{ margin: 0; break-after: page; }} }}
"""


def write_html(composed: Composed, out: str | Path) -> Path:
    """Write a composed deck as one HTML file with all pictures in it, whole or not at all.

    Raises OSError where the file cannot be written.
    """
    target = Path(out)
    write_whole(target, html_text(composed).encode())
    return target


def html_text(composed: Composed) -> str:
    """The HTML of a composed deck; slides are ``section`` elements of 960 by 540 pixels."""
    plan, theme = composed.plan, composed.theme
    style = _STYLE.format(
        width=FRAME_WIDTH,
        height=FRAME_HEIGHT,
        accent=theme.colors.accent,
        body=font_stack(theme, theme.fonts.body),
        heading=font_stack(theme, theme.fonts.heading),
        indent=BULLET_INDENT,
        across=CELL_PADDING[0],
        down=CELL_PADDING[1],
    )
    writer = _HtmlWriter(theme, Fitter(theme, plan.language), right_to_left=plan.right_to_left)
    slides = "\n".join(
        writer.slide(slide, number) for number, slide in enumerate(composed.slides, start=1)
    )
    direction = "rtl" if plan.right_to_left else "ltr"
    return (
        f'<!DOCTYPE html>\n<html lang={quoteattr(plan.language)} dir="{direction}">\n<head>\n'
        f'<meta charset="utf-8">\n<title>{escape(plan.title)}</title>\n<style>{style}</style>\n'
        f"</head>\n<body>\n{slides}\n</body>\n</html>\n"
    )


class _HtmlWriter:
    def __init__(self, theme: DesignTheme, fitter: Fitter, *, right_to_left: bool) -> None:
        self.theme, self.fitter, self.right_to_left = theme, fitter, right_to_left

    def slide(self, slide: ComposedSlide, number: int) -> str:
        ground = self.theme.colors.value(slide.ground)
        inner = "".join(self._item(item) for item in (*slide.decor, *slide.items))
        notes = f"<aside hidden>{escape(slide.plan.notes)}</aside>" if slide.plan.notes else ""
        return (
            f'<section id="slide-{number}" data-layout="{slide.layout}" '
            f'style="background:{ground}">{inner}{notes}</section>'
        )

    def _item(self, item: Item) -> str:
        if isinstance(item, Shape):
            return f'<div aria-hidden="true" style="{_place(item.box)}{self._look(item)}"></div>'
        if isinstance(item, TextBox):
            return self._text(item)
        if isinstance(item, PictureBox):
            return _picture(item)
        if isinstance(item, ChartBox):
            face = Face(self.theme.fonts.body, language=self.fitter.language)
            chart = ChartDrawing(item, face, self.theme.colors).svg()
            return f'<div style="{_place(item.box)}">{chart}</div>'
        if isinstance(item, TableBox):
            return self._table(item)
        if isinstance(item, GroupBox):
            return "".join(self._item(member) for member in item.items)
        return self._connector(item)

    def _look(self, item: Shape | TextBox) -> str:
        colors = self.theme.colors
        look = f"background:{colors.value(item.fill)};" if item.fill else ""
        look += f"border:1px solid {colors.value(item.line)};" if item.line else ""
        radius = {"roundRect": "8px", "ellipse": "50%"}.get(item.geometry)
        return look + (f"border-radius:{radius};" if radius else "")

    def _text(self, item: TextBox) -> str:
        style = item.style
        heading = " heading" if style.heading else ""
        settings = (
            f"{_place(item.box)}{self._look(item)}padding:{item.inset:g}px;"
            f"justify-content:{_FLEX[style.anchor]};font-size:{style.size:g}px;"
            f"color:{self.theme.colors.value(style.color)};text-align:{style.align};"
            + ("font-weight:bold;" if style.bold else "")
            + ("font-style:italic;" if style.italic else "")
            + (
                f"font-family:'{self.theme.fonts.code}',monospace;white-space:pre-wrap;"
                if style.code
                else ""
            )
        )
        tag = "h2" if item.slot is not None and item.slot.kind == "title" else "p"
        inner = "".join(self._paragraphs(item, tag))
        return f'<div class="text{heading}" style="{settings}">{inner}</div>'

    def _paragraphs(self, item: TextBox, tag: str) -> Iterator[str]:
        count, last = item.style.first - 1, len(item.paragraphs) - 1
        for place, paragraph in enumerate(item.paragraphs):
            marks = item.style.marks if paragraph.marked else "none"
            hang = {"none": 0.0, "bullet": BULLET_INDENT, "number": 2 * BULLET_INDENT}[marks]
            indent = BULLET_INDENT * paragraph.level + hang
            style = self._changes(item, paragraph)
            style += f"padding-inline-start:{indent:g}px;--in:{indent:g}px;" if indent else ""
            if item.style.spacing and place < last:
                style += f"margin-bottom:{item.style.spacing:g}px;"
            count += marks == "number"
            mark = f' class="{marks}"' if marks != "none" else ""
            mark += f' data-number="{count}"' if marks == "number" else ""
            stated = f' style="{style}"' if style else ""
            yield f"<{tag}{mark}{stated}>{escape(paragraph.text)}</{tag}>"

    def _changes(self, item: TextBox, paragraph: BoxParagraph) -> str:
        style = f"font-size:{paragraph.size:g}px;" if paragraph.size else ""
        if paragraph.color:
            style += f"color:{self.theme.colors.value(paragraph.color)};"
        if paragraph.bold is not None:
            style += f"font-weight:{'bold' if paragraph.bold else 'normal'};"
        if paragraph.heading is not None and paragraph.heading != item.style.heading:
            fonts = self.theme.fonts
            family = fonts.heading if paragraph.heading else fonts.body
            style += f"font-family:{font_stack(self.theme, family)};"
        return style

    def _table(self, item: TableBox) -> str:
        colors = self.theme.colors
        widths = "".join(f'<col style="width:{width:.1f}px">' for width in item.widths)
        rows = []
        for number, (row, height) in enumerate(
            zip((item.table.header, *item.table.rows), item.heights, strict=True)
        ):
            tag = "th" if number == 0 else "td"
            look = f"border-bottom:1px solid {colors.line};"
            color = colors.background if number == 0 else colors.text
            fill = row_fill(number)
            look += f"background:{colors.value(fill)};" if fill else ""
            cells = "".join(
                self._cell(tag, text, numeric)
                for text, numeric in zip(row, item.numeric, strict=True)
            )
            rows.append(f'<tr style="height:{height:.1f}px;{look}color:{color}">{cells}</tr>')
        return (
            f'<table style="{_place(item.box)}font-size:{item.size:g}px">'
            f"<colgroup>{widths}</colgroup>{''.join(rows)}</table>"
        )

    def _cell(self, tag: str, text: str, numeric: bool) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        align = "end" if numeric else "start"
        return f'<{tag}{scope} style="text-align:{align}">{escape(text)}</{tag}>'

    def _connector(self, item: Connector) -> str:
        left, right = sorted((item.x1, item.x2))
        color = self.theme.colors.grey2
        if item.upright:
            place = _place(Box(left - 1, item.y1, left + 1, item.y2))
            return f'<div aria-hidden="true" style="{place}background:{color}"></div>'
        box = Box(left, item.y1 - 5, right, item.y1 + 5)
        head = ""
        wide = box.width
        if item.arrow:
            tip = "0,5 9,0 9,10" if item.x2 < item.x1 else f"{wide},5 {wide - 9},0 {wide - 9},10"
            head = f'<polygon points="{tip}" fill="{color}"/>'
        return (
            f'<svg aria-hidden="true" style="{_place(box)}" viewBox="0 0 {wide:g} 10">'
            f'<line x1="0" y1="5" x2="{wide:g}" y2="5" stroke="{color}" stroke-width="2"/>'
            f"{head}</svg>"
        )


def _place(box: Box) -> str:
    left, top, *_ = box
    return f"left:{left:g}px;top:{top:g}px;width:{box.width:g}px;height:{box.height:g}px;"


def _picture(item: PictureBox) -> str:
    from PIL import Image  # noqa: PLC0415 - slow to load

    data = Path(item.picture.path).read_bytes()
    with Image.open(item.picture.path) as image:
        kind = _KINDS.get(image.format or "", "png")
    source = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    left, top, right, bottom = item.crop
    wide = item.box.width / (1 - left - right)
    high = item.box.height / (1 - top - bottom)
    return (
        f'<div style="{_place(item.box)}overflow:hidden"><img alt={quoteattr(item.picture.alt)} '
        f'src="{source}" style="position:absolute;left:{-left * wide:g}px;top:{-top * high:g}px;'
        f'width:{wide:g}px;height:{high:g}px"></div>'
    )
