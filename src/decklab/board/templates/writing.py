"""A filled deck as .pptx: the template's own masters and layouts, with new slides on them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from pptx.oxml import parse_xml
from pptx.slide import Slide

from decklab.board.boxes import ComposedSlide, Item, Slot, Token
from decklab.board.fitting import Fitter
from decklab.board.pptx_deck import SlideWriter, list_notes_master, write_sections
from decklab.board.pptx_text import DECLARED, TextWriter, named_xml, place_xml
from decklab.board.templates.areas import theme_of
from decklab.board.templates.emptying import added_slide, layouts_of, opened_template
from decklab.board.templates.filling import Filled
from decklab.board.templates.measuring import (
    PlaceLine,
    PlaceText,
    gap_of,
    look_of,
    margin_of,
    set_size,
)
from decklab.board.templates.pages import FilledSlide
from decklab.board.templates.palette import SlotColor, palette_of, recolor
from decklab.board.templates.places import LevelLook, levels_of
from decklab.board.templates.reading import mark_of
from decklab.board.themes import VISIBLE
from decklab.core.colors import contrast_ratio
from decklab.core.geometry import Box
from decklab.editing.opening import FIXED_DATE, save_undated, undated_workbook
from decklab.ooxml.xml import EMU_PER_POINT, qn

_FIELD = "{6F1C2B0A-5E34-4D8E-9F0B-3C7A9D2E1B55}"


def write_filled(filled: Filled, out: str | Path) -> Path:
    """Write a deck in its template, whole or not at all; equal input gives equal bytes.

    Nothing of the template's own slides is in it. Raises DeckError where the template cannot be
    read any more, OSError where the file cannot be written.
    """
    plan = filled.plan
    deck = opened_template(filled.template.path)
    layouts = [layout for _master, layout in layouts_of(deck)]
    for slide in filled.slides:
        added = added_slide(deck, layouts[slide.layout.number - 1])
        theme = theme_of(slide.layout)
        writer = TextWriter(theme, plan.language, right_to_left=plan.right_to_left)
        _SlideInTemplate(added, slide, writer, Fitter(theme, plan.language)).write()
    list_notes_master(deck)
    write_sections(deck, plan, [slide.plan for slide in filled.slides])
    core = deck.core_properties
    core.title, core.language = plan.title, plan.language
    core.author, core.last_modified_by, core.revision = "", "", 1
    core.created = core.modified = FIXED_DATE
    return save_undated(deck, Path(out), undated_workbook)


class _SlideInTemplate(SlideWriter):
    """Writes one slide: texts into placeholders, the rest as composed slides are written."""

    def __init__(
        self, slide: Slide, filled: FilledSlide, writer: TextWriter, fitter: Fitter
    ) -> None:
        notes = "\n".join((filled.plan.notes, *filled.more_notes)).strip()
        plan = filled.plan.model_copy(update={"notes": notes})
        shown = ComposedSlide(plan.layout, plan.shown_role, "background", (), filled.items, plan)
        super().__init__(slide, shown, {}, writer, fitter)
        self.filled = filled
        self.palette = palette_of(filled.layout)

    def write(self) -> None:
        """Put everything on the slide in reading order, and its sources in the notes."""
        parts = list(self._in_order())
        for part in parts:
            for name in _names(part):
                self.ids[name] = len(self.ids) + 2
        for part in parts:
            if isinstance(part, PlaceText):
                self.tree.append(parse_xml(self._placeholder(part)))
                continue
            element = self._item(part)
            recolor(element, self.palette)
            self.tree.append(element)
        for link in self.slide.part.rels.values():
            if link.reltype.endswith("/chart"):
                chart: Any = link.target_part
                recolor(chart._element, self.palette)
        self._notes()

    def _in_order(self) -> Iterator[PlaceText | Item]:
        """Title and subtitle, then the content as it stands, then source and footers."""
        texts = list(self.filled.texts)
        heads = [text for text in texts if text.place.kind in ("title", "subtitle")]
        feet = [text for text in texts if text.place.kind in ("footer", "number")]
        yield from heads
        rest = [text for text in texts if text not in heads and text not in feet]
        own = list(self.filled.items)
        lead = [item for item in own if getattr(item, "name", "") == "Subtitle"]
        source = [item for item in own if getattr(item, "name", "") == "Source"]
        own = [item for item in own if item not in lead and item not in source]
        yield from lead
        if own and rest and self._before(_left(own[0]), _left(rest[0])):
            yield from (*own, *rest)
        else:
            yield from (*rest, *own)
        yield from (*source, *feet)

    def _before(self, first: float, second: float) -> bool:
        return first > second if self.writer.right_to_left else first < second

    def _mark(self, slot: Slot | None) -> str:
        """The placeholder mark of the picture, chart or table that stands in one."""
        held = self.filled.held
        if held is None or slot is None or slot.kind not in ("picture", "chart", "table"):
            return ""
        return mark_of(dict(held.mark))

    def _placeholder(self, text: PlaceText) -> str:
        grown = text.place.kind not in ("title", "subtitle")
        box = text.box or (text.place.room if grown else None)
        place = "" if box is None else place_xml(box)
        lines = "".join(self._line(text, line) for line in text.lines)
        return (
            f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(self.ids[text.name], text.name)}"
            '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
            f"<p:nvPr>{mark_of(dict(text.place.mark))}</p:nvPr></p:nvSpPr>"
            f"<p:spPr>{place}</p:spPr><p:txBody>{self._settings(text)}<a:lstStyle/>{lines}"
            "</p:txBody></p:sp>"
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
            run = f"<a:r>{font}<a:t>{escape(line.text)}</a:t></a:r>"
        return (
            f"<a:p>{self._paragraph(text, line)}{run}{font.replace('a:rPr', 'a:endParaRPr')}</a:p>"
        )

    def _font(self, text: PlaceText, line: PlaceLine, look: LevelLook) -> str:
        """What differs from the layout; all of it in footers, which LibreOffice gives its own."""
        size = set_size(look, text.factor)
        footer = text.place.kind in ("footer", "number")
        stated = f" lang={quoteattr(self.writer.language)}"
        if abs(size - look.size) > 0.01 or not look.sized or footer:
            stated += f' sz="{round(size * 100)}"'
        if line.bold and not look.bold:
            stated += ' b="1"'
        inner = ""
        if footer:
            inner = _fill(look)
            if look.family:
                inner += f"<a:latin typeface={quoteattr(self._face(look))}/>"
        elif _is_lost(look, text.place.ground):
            inner = f"<a:solidFill>{self._readable(text.place.ground).xml()}</a:solidFill>"
        elif line.soft and text.place.ground is not None:
            inner = f"<a:solidFill>{self.palette['muted'].xml()}</a:solidFill>"
        return f"<a:rPr{stated}>{inner}</a:rPr>"

    def _readable(self, ground: str | None) -> SlotColor:
        """The colour for text that reads best on a ground, of the theme's for text."""
        return max(
            (self.palette[token] for token in _FOR_TEXT),
            key=lambda color: color.against(ground or "#FFFFFF"),
        )

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
        if line.number:
            margin, hang = margin_of(look, line)
            stated += f' marL="{round(margin * EMU_PER_POINT)}"'
            stated += f' indent="{round(hang * EMU_PER_POINT)}"'
            first = f' startAt="{line.number}"' if line.number > 1 else ""
            inner += '<a:buClrTx/><a:buSzPct val="100000"/><a:buFont typeface="+mj-lt"/>'
            inner += f'<a:buAutoNum type="arabicPeriod"{first}/>'
        elif line.bare and (look.bulleted or look.margin or look.indent):
            stated += ' marL="0" indent="0"'
            inner += "<a:buNone/>"
        if self.writer.right_to_left != look.right_to_left:
            side = {"left": "r", "right": "l"}.get(look.align)
            stated += f' algn="{side}"' if side else ""
            stated += f' rtl="{int(self.writer.right_to_left)}"'
        return f"<a:pPr{stated}>{inner}</a:pPr>" if stated or inner else ""

    def _notes(self) -> None:
        plan = self.composed.plan
        if not (plan.notes or plan.shown_source):
            return
        if self.slide.notes_slide.notes_text_frame is None:
            _add_notes_text(self.slide.notes_slide._element)
        super()._notes()


def _add_notes_text(notes: Any) -> None:
    """Give a notes page a place for text, where the template's master of notes has none."""
    tree = notes.cSld.spTree
    id = max(int(one.get("id") or 0) for one in tree.iter(qn("p:cNvPr"))) + 1
    tree.append(
        parse_xml(
            f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, 'Notes')}"
            '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" idx="1"/>'
            "</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>"
        )
    )


def _names(part: PlaceText | Item) -> list[str]:
    members = [member.name for member in getattr(part, "items", ())]
    return [part.name, *members]


_FOR_TEXT: Final[tuple[Token, ...]] = ("text", "background")
"""What the palette has for text, and for text on the opposite ground."""


def _is_lost(look: LevelLook, ground: str | None) -> bool:
    """Whether the template's own colour can hardly be seen on what is behind it."""
    return ground is not None and contrast_ratio(levels_of(look.color), levels_of(ground)) < VISIBLE


def _fill(look: LevelLook) -> str:
    """The colour of a level, by its slot where it is the theme's as it stands."""
    return f'<a:solidFill><a:srgbClr val="{look.color[1:]}"/></a:solidFill>'


def _left(part: Any) -> float:
    if isinstance(part, PlaceText):
        return (part.box or part.place.box).left
    box: Box | None = getattr(part, "box", None)
    return 0.0 if box is None else box.left
