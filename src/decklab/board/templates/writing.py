"""One filled slide on a layout of its template: placeholders, free texts and what was drawn."""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.slide import Slide

from decklab.board.blueprint import DeckPlan
from decklab.board.boxes import Token
from decklab.board.marked_text import TextSpan, spans_of
from decklab.board.native.lists import write_notes
from decklab.board.native.markup import DECLARED, named_xml
from decklab.board.slots.measuring import PlaceLine, PlaceText, gap_of, look_of, margin_of, set_size
from decklab.board.slots.parts import PartDrawer, page_scale, recolor
from decklab.board.templates.pages import FilledSlide
from decklab.board.templates.palette import AreaPalette, SlotColor, ground_of
from decklab.board.templates.places import LevelLook, levels_of
from decklab.board.templates.reading import mark_of
from decklab.board.themes import LEAST_PT, READABLE, VISIBLE
from decklab.core.colors import contrast_ratio
from decklab.core.geometry import Box
from decklab.deck.frames import Frame
from decklab.editing.building.drawing import xfrm
from decklab.ooxml.xml import EMU_PER_POINT, qn

_LARGE: Final = 24.0
"""Points from which on text is read at a lower contrast (WCAG 2.2, 1.4.3, as in our lint)."""
_PLATE = 6.0
"""Points of the area behind what is drawn around it. Ours."""
_FIELD = "{6F1C2B0A-5E34-4D8E-9F0B-3C7A9D2E1B55}"


class SlideInTemplate:
    """Writes one slide: texts into placeholders, and what the browser laid out."""

    def __init__(
        self, slide: Slide, filled: FilledSlide, plan: DeckPlan, drawer: PartDrawer
    ) -> None:
        self.slide, self.filled, self.plan, self.drawer = slide, filled, plan, drawer
        self.palette = AreaPalette.of(filled.layout)
        self.colors = self.palette.colors
        self.tree: Any = slide.shapes._spTree
        self.scale = page_scale(filled.layout.size)
        self.least = LEAST_PT * self.scale

    def write(self) -> None:
        """Put everything on the slide in reading order, and its sources in the notes."""
        for shape in list(self.slide.placeholders):
            shape._element.getparent().remove(shape._element)
        if self.filled.assignment.hides_drawings:
            root: Any = self.slide._element
            root.set("showMasterSp", "0")
        texts = self.filled.texts
        ids = {id(text): number for number, text in enumerate(texts, start=2)}
        drawn = self._drawn(len(texts) + 2)
        for part in self._in_order(drawn):
            if isinstance(part, PlaceText):
                self.tree.append(parse_xml(self._text(part, ids[id(part)])))
            else:
                self.tree.extend(part)
        self._finish()

    def _finish(self) -> None:
        """Charts in the colours of the deck, and the sources in the notes."""
        colors = {token: color.xml() for token, color in self.colors.items()}
        for link in self.slide.part.rels.values():
            if link.reltype.endswith("/chart"):
                chart: Any = link.target_part
                recolor(chart._element, colors)
        if self.filled.rule is not None:
            last = max(int(one.get("id") or 0) for one in self.tree.iter(qn("p:cNvPr")))
            accent = self.colors["accent"].xml()
            self.tree.append(_field_xml(last + 1, "Line", self.filled.rule, accent))
        plan = self.filled.plan
        words = (plan.notes.strip(), *self.filled.more_notes, plan.shown_source or "")
        write_notes(self.slide, words, self.plan.language)

    def _drawn(self, first: int) -> list[Any]:
        """The elements of the drawing, numbered from ``first``; one of them fills a placeholder."""
        drawing = self.filled.drawing
        if drawing is None:
            return []
        plate = [] if self.filled.layout.is_plain else [self._plate(first)]
        elements = self.drawer.shapes(drawing, self.slide, self.palette, first + len(plate))
        held = self.filled.held
        for element in elements if held is not None else ():
            if held is not None and held.mark and element.tag in _OBJECTS:
                mark = mark_of(dict(held.mark)).replace("<p:ph", f"<p:ph {DECLARED}", 1)
                next(element.iter(qn("p:nvPr"))).append(parse_xml(mark))
                break
        return [*plate, *elements]

    def _plate(self, id: int) -> Any:
        """An area behind what is drawn, where it would stand on a picture of many colours."""
        part = self.filled.part
        assert part is not None, "what is drawn has an area"
        left, top, width, height = (side * self.scale for side in part.area)
        box = Box(left, top, left + width, top + height).grown(_PLATE * self.scale)
        ground = ground_of(self.filled.layout)
        fill = f'<a:srgbClr val="{ground[1:]}"><a:alpha val="90000"/></a:srgbClr>'
        return _field_xml(id, "Area", box, fill)

    def _in_order(self, drawn: list[Any]) -> Iterator[PlaceText | list[Any]]:
        """Title and subtitle, then the content as it stands, then source and footers."""
        texts = list(self.filled.texts)
        heads = [text for text in texts if text.place.kind in ("title", "subtitle")]
        feet = [text for text in texts if text.name == "Source"]
        feet += [text for text in texts if text.place.kind in ("footer", "number")]
        rest = [text for text in texts if text not in heads and text not in feet]
        yield from heads
        area = self.filled.part
        if area is not None and rest and drawn:
            left = area.area[0] * page_scale(self.filled.layout.size)
            other = (rest[0].box or rest[0].place.box).left
            if left > other if self.plan.right_to_left else left < other:
                yield drawn
                drawn = []
        yield from rest
        yield drawn
        yield from feet

    def _text(self, text: PlaceText, id: int) -> str:
        if not text.place.mark:
            return self._text_box(text, id)
        grown = text.place.kind not in ("title", "subtitle")
        box = text.box or (text.place.room if grown else None)
        if box is None and text.place.moved:
            box = text.place.box
        place = "" if box is None else _place_xml(box)
        lines = "".join(self._line(text, line) for line in text.lines)
        return (
            f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, text.name)}"
            '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
            f"<p:nvPr>{mark_of(dict(text.place.mark))}</p:nvPr></p:nvSpPr>"
            f"<p:spPr>{place}</p:spPr><p:txBody>{self._settings(text)}<a:lstStyle/>{lines}"
            "</p:txBody></p:sp>"
        )

    def _text_box(self, text: PlaceText, id: int) -> str:
        """Text in a box of its own, where the layout has no placeholder for it."""
        place = _place_xml(text.box or text.place.box)
        lines = "".join(self._line(text, line) for line in text.lines)
        return (
            f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, text.name)}"
            f'<p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr>{place}'
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody>'
            '<a:bodyPr wrap="square" lIns="0" tIns="0" rIns="0" bIns="0"><a:noAutofit/></a:bodyPr>'
            f"<a:lstStyle/>{lines}</p:txBody></p:sp>"
        )

    def _settings(self, text: PlaceText) -> str:
        """The text never changes its size by itself; all else is as the layout has it."""
        fixed = text.place.kind not in ("footer", "number")
        return "<a:bodyPr><a:noAutofit/></a:bodyPr>" if fixed else "<a:bodyPr/>"

    def _line(self, text: PlaceText, line: PlaceLine) -> str:
        font = self._font(text, line, look_of(text.place, line.level))
        if text.place.kind == "number":
            run = (
                f'<a:fld id="{_FIELD}" type="slidenum">{font}<a:t>{escape(line.text)}</a:t></a:fld>'
            )
        else:
            run = "".join(self._run(span, font) for span in spans_of(line.text))
        return (
            f"<a:p>{self._paragraph(text, line)}{run}{font.replace('a:rPr', 'a:endParaRPr')}</a:p>"
        )

    def _run(self, span: TextSpan, font: str) -> str:
        """Characters with the marks that they have beyond the font of their line."""
        stated = "".join(f' {name}="{value}"' for name, value in _marks(span).items()
                         if f' {name}="' not in font)  # fmt: skip
        inner = font[font.index(">") + 1 : -len("</a:rPr>")]
        if span.code:
            inner = re.sub(r"<a:latin [^>]*/>", "", inner) + _CODE
        link = self._link(span)
        inner += f'<a:hlinkClick r:id="{link}"/>' if link else ""
        begin = font[: font.index(">")]
        return f"<a:r>{begin}{stated}>{inner}</a:rPr><a:t>{escape(span.words)}</a:t></a:r>"

    def _run_like(self, span: TextSpan, font: Any) -> Any:
        """The same for the look of words that the slide had, as an element."""
        run = parse_xml(f"<a:r {DECLARED}><a:t>{escape(span.words)}</a:t></a:r>")
        look, link = deepcopy(font), self._link(span)
        for name, value in _marks(span).items():
            look.set(name, value)
        for latin in look.findall(qn("a:latin")) if span.code else ():
            look.remove(latin)
        added = (_CODE if span.code else "") + (f'<a:hlinkClick r:id="{link}"/>' if link else "")
        look.extend(list(parse_xml(f"<a:rPr {DECLARED}>{added}</a:rPr>")))
        run.insert(0, look)
        return run

    def _link(self, span: TextSpan) -> str:
        """The relationship of characters that lead out of the deck; empty for others."""
        if not span.link or span.link.startswith("#"):
            return ""
        return self.slide.part.relate_to(span.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)

    def _font(self, text: PlaceText, line: PlaceLine, look: LevelLook) -> str:
        """Differences from the layout; the whole look in footers, for LibreOffice has its own."""
        size = set_size(look, text.factor)
        footer = text.place.kind in ("footer", "number")
        free = not text.place.mark
        stated = f" lang={quoteattr(self.plan.language)}"
        if abs(size - look.size) > 0.01 or not look.sized or footer or free:
            stated += f' sz="{round(size * 100)}"'
        if line.bold and not look.bold:
            stated += ' b="1"'
        inner = ""
        if free:
            color = self.colors["muted" if line.soft else "text"].xml()
            inner = f'<a:solidFill>{color}</a:solidFill><a:latin typeface="+mn-lt"/>'
        elif footer:
            inner = _fill(look)
            if _is_lost(look, size, text.place.ground):
                inner = f"<a:solidFill>{self._readable(text.place.ground).xml()}</a:solidFill>"
            if look.family:
                inner += f"<a:latin typeface={quoteattr(self._face(look))}/>"
        elif recolored := self._recolored(text, look):
            inner = recolored
        elif line.soft and text.place.ground is not None:
            inner = f"<a:solidFill>{self.colors['muted'].xml()}</a:solidFill>"
        return f"<a:rPr{stated}>{inner}</a:rPr>"

    def _recolored(self, text: PlaceText, look: LevelLook) -> str:
        """The fill of words whose own colour is lost on what is behind them; empty for others."""
        place = text.place
        size = _LARGE if place.kind == "title" else set_size(look, text.factor)
        if not _is_lost(look, size, place.ground):
            return ""
        return f"<a:solidFill>{self._readable(place.ground).xml()}</a:solidFill>"

    def _readable(self, ground: str | None) -> SlotColor:
        """The colour for text that reads best on a ground, of the theme's for text."""
        colors = [self.colors[token] for token in _FOR_TEXT]
        readable = (one for one in colors if one.against(ground or "#FFFFFF") >= READABLE)
        return next(readable, max(colors, key=lambda color: color.against(ground or "#FFFFFF")))

    def _face(self, look: LevelLook) -> str:
        layout = self.filled.layout
        fonts = {layout.body_font: "+mn-lt", layout.heading_font: "+mj-lt"}
        return fonts.get(look.family, look.family)

    def _paragraph(self, text: PlaceText, line: PlaceLine) -> str:
        """Paragraph properties that differ from those of the level."""
        look = look_of(text.place, line.level)
        stated = f' lvl="{line.level}"' if line.level else ""
        gap = gap_of(text, line)
        inner = f'<a:spcBef><a:spcPts val="{round(gap * 100)}"/></a:spcBef>' if gap else ""
        own_mark = line.marked and not (line.bare or look.bulleted)
        if line.number or own_mark:
            margin, hang = margin_of(text, line)
            stated += f' marL="{round(margin * EMU_PER_POINT)}"'
            stated += f' indent="{round(hang * EMU_PER_POINT)}"'
        if line.number:
            first = f' startAt="{line.number}"' if line.number > 1 else ""
            inner += '<a:buClrTx/><a:buSzPct val="100000"/><a:buFont typeface="+mj-lt"/>'
            inner += f'<a:buAutoNum type="arabicPeriod"{first}/>'
        elif own_mark:
            inner += f"<a:buClr>{self.colors['accent'].xml()}</a:buClr>{_BULLET}"
        elif line.bare and (look.bulleted or look.margin or look.indent):
            stated += ' marL="0" indent="0"'
            inner += "<a:buNone/>"
        if not text.place.mark and not text.place.id:
            usual = "r" if self.plan.right_to_left else "l"
            side = {"center": "ctr", "right": "r"}.get(look.align, usual)
            stated += f' algn="{side}"'
            stated += f' rtl="{int(self.plan.right_to_left)}"'
        elif self.plan.right_to_left != look.right_to_left:
            stated += {"left": ' algn="r"', "right": ' algn="l"'}.get(look.align, "")
            stated += f' rtl="{int(self.plan.right_to_left)}"'
        return f"<a:pPr{stated}>{inner}</a:pPr>" if stated or inner else ""


def _field_xml(id: int, name: str, box: Box, color: str) -> Any:
    """A plain filled rectangle; ``box`` is in points of the slide."""
    named = named_xml(id, name, decorative=True)
    return parse_xml(
        f"<p:sp {DECLARED}><p:nvSpPr>{named}<p:cNvSpPr/><p:nvPr/></p:nvSpPr>"
        f'<p:spPr>{_place_xml(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        f"<a:solidFill>{color}</a:solidFill><a:ln><a:noFill/></a:ln></p:spPr></p:sp>"
    )


def _place_xml(box: Box) -> str:
    """The place of a shape; ``box`` is in points of the slide."""
    left, top, width, height = (
        side * EMU_PER_POINT for side in (box.left, box.top, box.width, box.height)
    )
    return xfrm(Frame(left, top, width, height))


_CODE = '<a:latin typeface="Consolas"/>'
_BULLET = '<a:buFont typeface="Arial"/><a:buChar char="•"/>'


def _marks(span: TextSpan) -> dict[str, str]:
    """The attributes of characters that are marked."""
    looks = {"b": span.bold, "i": span.italic or span.formula, "u": span.underline,
             "strike": span.strike, "baseline": span.raised or span.lowered}  # fmt: skip
    values = {"u": "sng", "strike": "sngStrike", "baseline": "30000" if span.raised else "-25000"}
    return {name: values.get(name, "1") for name, on in looks.items() if on}


_OBJECTS: Final = (qn("p:pic"), qn("p:graphicFrame"))
_FOR_TEXT: Final[tuple[Token, ...]] = ("muted", "text", "background")
"""Purposes of the palette for text, and for text on the opposite ground."""


def _is_lost(look: LevelLook, size: float, ground: str | None) -> bool:
    """Whether text of a size cannot be read in the template's own colour on what is behind it."""
    if ground is None:
        return False
    large = size >= _LARGE * min(look.least / LEAST_PT, 1.0)
    ratio = contrast_ratio(levels_of(look.color), levels_of(ground))
    return ratio < (VISIBLE if large else READABLE)


def _fill(look: LevelLook) -> str:
    """The colour of a level, by its slot where it is the theme's as it stands."""
    return f'<a:solidFill><a:srgbClr val="{look.color[1:]}"/></a:solidFill>'
