"""A slide of an example cloned and filled: new words in the looks of the old, all else gone."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.board.blueprint import DeckPlan
from decklab.board.marked_text import spans_of
from decklab.board.native.markup import DECLARED, DECORATIVE
from decklab.board.slots.measuring import PlaceLine, PlaceText, look_of, set_size
from decklab.board.slots.parts import PartDrawer
from decklab.board.templates.margins import holds, inside
from decklab.board.templates.pages import FilledSlide
from decklab.board.templates.places import LevelLook
from decklab.board.templates.writing import SlideInTemplate
from decklab.core.errors import PlanError
from decklab.core.geometry import Box
from decklab.editing.finding import EditError, find_shape, placeholder_type, properties, shapes
from decklab.editing.motion import remove_animations
from decklab.editing.paragraphs import set_body_text
from decklab.editing.placing import delete_shape, put_frame
from decklab.editing.slides import clone_slide
from decklab.ooxml.xml import EMU_PER_POINT, qn

_LINKS: Final = ("a:hlinkClick", "a:hlinkHover", "a:hlinkMouseOver")
_OF_A_LINK: Final = ("a:hlinkClick", "a:hlinkMouseOver", "a:extLst")
_AUTOFITS: Final = ("a:normAutofit", "a:spAutoFit", "a:noAutofit")


class SlideLikeExample(SlideInTemplate):
    """Writes one slide as the clone of an example."""

    def __init__(
        self, prs: Presentation, filled: FilledSlide, plan: DeckPlan, drawer: PartDrawer, place: int
    ) -> None:
        self.prs, self.place = prs, place
        self.number = clone_slide(prs, filled.layout.slide, len(prs.slides) + 1)
        super().__init__(prs.slides[self.number - 1], filled, plan, drawer)
        self.kept: set[int] = set()

    def write(self) -> None:
        """Put everything in its place, and take out every shape that nothing fills.

        Raises PlanError where the example's shapes cannot be changed so.
        """
        root: Any = self.slide._element
        root.attrib.pop("show", None)
        for id, link in list(self.slide.part.rels.items()):
            if link.reltype.endswith("/notesSlide"):
                self.slide.part.rels.pop(id)
        self._describe()
        try:
            self._fill()
        except EditError as error:
            example = self.filled.layout.slide
            raise PlanError(f"the example {example}: {error}") from error
        self._drop_links()
        self._number_slide()
        self._finish()

    def _fill(self) -> None:
        filled = self.filled
        remove_animations(self.prs, self.number)
        for text in filled.texts:
            if text.place.id:
                self._put(text.place.id, text)
        title = filled.texts[0]
        if title.place.id and not self._has_title(title.place.id):
            self._move(title.place.id, title.box or title.place.box)
            _as_title(self._shape(title.place.id), title)
        self._take_out()
        first = self._next_id()
        boxes = [text for text in filled.texts if not text.place.id]
        for id, text in enumerate(boxes, start=first):
            self.tree.append(parse_xml(self._text(text, id)))
        if filled.drawing is not None:
            self.tree.extend(self._drawn(first + len(boxes)))

    def _shape(self, id: int) -> Any:
        return find_shape(self.prs, self.number, id)

    def _next_id(self) -> int:
        return max(int(properties(one).get("id") or 0) for one in shapes(self.slide)) + 1

    def _has_title(self, own: int) -> bool:
        grouped = self._shape(own).getparent().tag == qn("p:grpSp")
        return grouped or any(
            placeholder_type(one) in ("title", "ctrTitle") for one in shapes(self.slide)
        )

    def _put(self, id: int, text: PlaceText) -> None:
        """Words in a shape, each paragraph in the look of the first of its level."""
        body = self._shape(id).find(qn("p:txBody"))
        old = body.findall(qn("a:p"))
        fresh = [self._like(text, line, old) for line in text.lines]
        for paragraph in old:
            body.remove(paragraph)
        body.extend(fresh)
        _fix_size(body.find(qn("a:bodyPr")), top=self._is_moved(text))
        self.kept.add(id)
        if text.box is not None or text.place.moved:
            self._move(id, text.box or text.place.box)

    def _is_moved(self, text: PlaceText) -> bool:
        """Whether a box of running text is as large as its room now, and begins at its top."""
        place = text.place
        return place.moved and place.placeholder is None and place.kind != "title"

    def _like(self, text: PlaceText, line: PlaceLine, old: list[Any]) -> Any:
        """A paragraph set as one of the example's."""
        place = text.place
        look = look_of(place, line.level)
        model = old[min(look.index, len(old) - 1)]
        paragraph = model.makeelement(qn("a:p"))
        settings = _settings(model, max(0, line.level - (len(place.levels) - 1)))
        stated = self._paragraph(text, line)
        if stated:
            _state(settings, parse_xml(stated.replace("<a:pPr", f"<a:pPr {DECLARED}", 1)))
        paragraph.append(settings)
        font = _run_look(model)
        font.set("lang", self.plan.language)
        font.set("sz", str(round(set_size(look, text.factor) * 100)))
        if line.bold:
            font.set("b", "1")
        recolored = self._recolored(text, look)
        if recolored:
            _fill_font(font, recolored.replace("<a:solidFill", f"<a:solidFill {DECLARED}", 1))
        for span in spans_of(line.text):
            paragraph.append(self._run_like(span, font))
        return paragraph

    def _move(self, id: int, box: Box) -> None:
        """Move a shape; where its group is turned it stays where it is."""
        left, top, width, height = (
            round(side * EMU_PER_POINT) for side in (box.left, box.top, box.width, box.height)
        )
        try:
            put_frame(self.prs, self.number, id, (left, top, width, height))
        except EditError:
            return

    def _take_out(self) -> None:
        """Remove places that nothing fills, what belongs to them, and groups left empty."""
        layout, filled = self.filled.layout, self.filled
        ids = [place.id for place in layout.places]
        ids += [id for one in layout.lists for id in sorted(one.ids)]
        for id in dict.fromkeys((*ids, *layout.shapes.left_over)):
            if id not in self.kept:
                self._delete(id)
        moved = filled.texts[0].place.id if filled.assignment.title_box else 0
        shown = self.kept - {moved}
        if filled.held is not None:
            shown.add(filled.held.id)
        for id, texts in layout.shapes.attached:
            if not shown & set(texts):
                self._delete(id)
        if filled.part is not None:
            left, top, width, height = (side * self.scale for side in filled.part.area)
            area = Box(left, top, left + width, top + height)
            for id, box in layout.shapes.blocks:
                if holds(area, box):
                    self._delete(id)
        self._empty_rest()

    def _delete(self, id: int) -> None:
        try:
            delete_shape(self.prs, self.number, id)
        except EditError:
            return  # it went with its group, or stands twice, as an alternative of itself

    def _empty_rest(self) -> None:
        """Remove groups without members, and placeholders without words."""
        for element in list(shapes(self.slide)):
            members = [one for one in element.iterchildren() if one.tag in _MEMBERS]
            if element.tag == qn("p:grpSp") and not members:
                element.getparent().remove(element)
        for holder in list(self.slide.placeholders):
            empty: Any = holder._element
            kind = str(holder.placeholder_format.type)
            if any(one in kind for one in ("SLIDE_NUMBER", "FOOTER", "DATE")):
                continue
            if empty.tag == qn("p:sp") and not "".join(empty.itertext()).strip():
                empty.getparent().remove(empty)

    def _number_slide(self) -> None:
        """The number of the new slide, whether in fields or text boxes."""
        place = self.place
        for shape in self.slide.shapes:
            words = [
                words for field in shape._element.iter(qn("a:fld"))
                if field.get("type") == "slidenum" and (words := field.find(qn("a:t"))) is not None
            ]  # fmt: skip
            for one in words:
                one.text = str(place)
            if words and shape.is_placeholder:
                box = Box(shape.left, shape.top, shape.left + shape.width, shape.top + shape.height)
                box = box.scaled(1 / EMU_PER_POINT, 1 / EMU_PER_POINT)
                if box != (inner := inside(box, self.filled.layout.size)):
                    self._move(shape.shape_id, inner)
        for id in self.filled.layout.shapes.numbers:
            body = self._shape(id).find(qn("p:txBody"))
            old = "".join(item.text or "" for item in body.iter(qn("a:t")))
            set_body_text(body, _ordinal(old, place))

    def _drop_links(self) -> None:
        """Take links off shapes and words: they led where the example wanted."""
        root: Any = self.slide._element
        for tag in _LINKS:
            for link in list(root.iter(qn(tag))):
                link.getparent().remove(link)
        used = {str(value) for item in root.iter() for value in item.attrib.values()}
        for id, link in list(self.slide.part.rels.items()):
            kind = link.reltype.rsplit("/", 1)[-1]
            if kind in ("hyperlink", "slide", "audio", "video", "media") and id not in used:
                self.slide.part.rels.pop(id)
            elif kind in ("comments", "comment", "tags"):
                _drop_tags(root, id)
                self.slide.part.rels.pop(id)

    def _describe(self) -> None:
        """Take the example's alternative texts off what stays, and mark it as decoration."""
        for element in shapes(self.slide):
            marks = properties(element)
            for name in ("descr", "title"):
                marks.attrib.pop(name, None)
            if element.tag in _DRAWN and not (element.tag == qn("p:sp") and _has_words(element)):
                _mark_decorative(marks)


_MEMBERS: Final = tuple(
    qn(name) for name in (
        "p:sp", "p:pic", "p:graphicFrame", "p:cxnSp", "p:grpSp", "p:contentPart",
        "mc:AlternateContent",
    )
)  # fmt: skip


_DRAWN: Final = (qn("p:pic"), qn("p:sp"), qn("p:cxnSp"), qn("p:grpSp"))


def _has_words(element: Any) -> bool:
    return any((item.text or "").strip() for item in element.iter(qn("a:t")))


def _mark_decorative(marks: Any) -> None:
    """Say that a drawing has no meaning, so that screen readers pass over it."""
    held = marks.find(qn("a:extLst"))
    if held is None:
        marks.append(parse_xml(DECORATIVE.replace("<a:extLst>", f"<a:extLst {DECLARED}>", 1)))
        return
    if not any("decorative" in str(one.tag) for item in held for one in item):
        held.append(parse_xml(DECORATIVE.replace("<a:extLst>", f"<a:extLst {DECLARED}>", 1))[0])


def _drop_tags(root: Any, id: str) -> None:
    for item in list(root.iter(qn("p:tags"))):
        if item.get(qn("r:id")) == id:
            holder = item.getparent()
            holder.remove(item)
            if not len(holder):
                holder.getparent().remove(holder)


def _ordinal(pattern: str, number: int) -> str:
    """A number written as another one: ``03`` like ``01``, ``3.`` like ``1.``."""
    digits = pattern.strip().rstrip(".)")
    return str(number).zfill(len(digits)) + pattern.strip()[len(digits) :]


def _fix_size(settings: Any, *, top: bool) -> None:
    """The text never changes its size by itself, and stays in its shape."""
    held = [item for name in _AUTOFITS for item in settings.findall(qn(name))]
    for item in held:
        settings.remove(item)
    index = 1 if settings.find(qn("a:prstTxWarp")) is not None else 0
    settings.insert(index, settings.makeelement(qn("a:noAutofit")))
    if settings.get("wrap") == "none":
        settings.set("wrap", "square")
    if top:
        settings.set("anchor", "t")


def _settings(model: Any, deeper: int) -> Any:
    """The settings of a paragraph of the example, for one some levels deeper."""
    held = model.find(qn("a:pPr"))
    settings = deepcopy(held) if held is not None else model.makeelement(qn("a:pPr"))
    if deeper:
        settings.set("lvl", str(min(8, int(settings.get("lvl") or 0) + deeper)))
        if settings.get("marL"):
            settings.set("marL", str(int(settings.get("marL")) + 228_600 * deeper))
    if settings.get("algn") in ("just", "dist"):
        settings.set("algn", "l")
    for numbered in settings.findall(qn("a:buAutoNum")):
        numbered.attrib.pop("startAt", None)
    font, sign = settings.find(qn("a:buFont")), settings.find(qn("a:buChar"))
    if sign is not None and "\ue000" <= (sign.get("char") or "")[:1] <= "\uf8ff" and (
        font is None or font.get("typeface") not in _SIGNS
    ):  # fmt: skip
        sign.set("char", "•")
    return settings


_SIGNS: Final = ("Wingdings", "Wingdings 2", "Wingdings 3", "Webdings", "Symbol")
"""Fonts whose signs programs show where the font is not installed."""
_ORDER: Final = tuple(
    qn(f"a:{name}") for name in (
        "lnSpc", "spcBef", "spcAft", "buClrTx", "buClr", "buSzTx", "buSzPct", "buSzPts", "buFontTx",
        "buFont", "buNone", "buAutoNum", "buChar", "buBlip", "tabLst", "defRPr", "extLst",
    )
)  # fmt: skip


def _state(settings: Any, stated: Any) -> None:
    """Put what is stated of a paragraph over its settings; its level is the example's."""
    for name, value in stated.attrib.items():
        if name != "lvl":
            settings.set(name, value)
    marked = any("}bu" in item.tag for item in stated)
    for item in list(settings):
        bullet = marked and "}bu" in item.tag
        if bullet or any(item.tag == other.tag for other in stated):
            settings.remove(item)
    for item in sorted([*settings, *stated], key=lambda one: _ORDER.index(one.tag)):
        settings.append(item)


def _run_look(model: Any) -> Any:
    """The look of most words of a paragraph, without its links and marks."""
    runs = model.findall(qn("a:r"))
    source = max(runs, key=lambda one: len((one.findtext(qn("a:t")) or "").strip()), default=None)
    look = None if source is None else source.find(qn("a:rPr"))
    look = model.makeelement(qn("a:rPr")) if look is None else deepcopy(look)
    if look.find(qn("a:hlinkClick")) is not None:  # what a link looks like is no look of a text
        for item in look.findall(qn("a:solidFill")):
            look.remove(item)
    for name in _OF_A_LINK:
        for item in look.findall(qn(name)):
            look.remove(item)
    for name in ("err", "dirty", "smtClean", "bmk", "strike", "u", "baseline"):
        look.attrib.pop(name, None)
    return look


def _as_title(element: Any, text: PlaceText) -> None:
    """Make a text box the title of its slide, for outlines and screen readers, in the same look.

    What it would take from the master's titles from now on is stated at the text itself.
    """
    marks = element.find(f"{qn('p:nvSpPr')}/{qn('p:nvPr')}")
    if marks is None:
        return
    for mark in list(marks.findall(qn("p:ph"))):
        marks.remove(mark)
    marks.insert(0, marks.makeelement(qn("p:ph"), {"type": "title"}))
    element.find(f"{qn('p:nvSpPr')}/{qn('p:cNvSpPr')}").attrib.pop("txBox", None)
    body, place = element.find(qn("p:txBody")), text.place
    settings, look = body.find(qn("a:bodyPr")), look_of(place, 0)
    for name, value in zip(("lIns", "tIns", "rIns", "bIns"), place.insets, strict=True):
        settings.set(name, str(round(value * EMU_PER_POINT)))
    settings.set("anchor", settings.get("anchor") or _ANCHORS.get(place.anchor, "t"))
    for paragraph in body.findall(qn("a:p")):
        paragraph.replace(paragraph.find(qn("a:pPr")), _whole_settings(look))
        for words in paragraph.iter(qn("a:rPr")):
            _state_font(words, look)


def _whole_settings(look: LevelLook) -> Any:
    """Settings of a paragraph that state all of a look."""
    lines = (
        f'<a:spcPct val="{round(look.line_share * 100_000)}"/>' if look.line_share
        else f'<a:spcPts val="{round(look.line_points * 100)}"/>'
    )  # fmt: skip
    gaps = "".join(
        f'<a:{name}><a:spcPts val="{round(value * 100)}"/></a:{name}>'
        for name, value in (("spcBef", look.before), ("spcAft", look.after))
    )
    turned = ' rtl="1"' if look.right_to_left else ""
    return parse_xml(
        f'<a:pPr {DECLARED} marL="{round(look.margin * EMU_PER_POINT)}" '
        f'indent="{round(look.indent * EMU_PER_POINT)}" algn="{_ALIGNS.get(look.align, "l")}"'
        f"{turned}><a:lnSpc>{lines}</a:lnSpc>{gaps}<a:buNone/></a:pPr>"
    )


def _fill_font(font: Any, fill: str) -> None:
    """Give words another colour."""
    for item in [one for name in _FILLS for one in font.findall(qn(f"a:{name}"))]:
        font.remove(item)
    font.insert(len(font.findall(qn("a:ln"))), parse_xml(fill))


def _state_font(words: Any, look: LevelLook) -> None:
    """State all of a look at a run that has some of it."""
    for name, on in (("b", look.bold), ("i", look.italic)):
        words.set(name, words.get(name) or str(int(on)))
    if look.caps and words.get("cap") is None:
        words.set("cap", "all")
    inner: Mapping[str, str] = {
        "solidFill": f'<a:solidFill {DECLARED}><a:srgbClr val="{look.color[1:]}"/></a:solidFill>',
        "latin": f'<a:latin {DECLARED} typeface="{look.family}"/>',
    }
    for name, before in (("solidFill", ("ln",)), ("latin", _BEFORE_LATIN)):
        held = _FILLS if name == "solidFill" else ("latin",)
        if all(words.find(qn(f"a:{one}")) is None for one in held):
            after = [item for item in words if item.tag.rpartition("}")[2] in before]
            words.insert(len(after), parse_xml(inner[name]))


_ANCHORS: Final = {"top": "t", "middle": "ctr", "bottom": "b"}
_ALIGNS: Final = {"left": "l", "center": "ctr", "right": "r", "justify": "l"}
_FILLS: Final = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_BEFORE_LATIN: Final = (
    "ln", *_FILLS, "effectLst", "effectDag", "highlight", "uLnTx", "uLn", "uFillTx", "uFill",
)  # fmt: skip
