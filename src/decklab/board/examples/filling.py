"""A cloned slide filled: new texts in the looks of the old, items added or taken out, rest gone."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final

from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.text.text import _Paragraph
from pptx.util import Pt

from decklab.board.examples.choosing import ChosenSlide
from decklab.board.examples.item_texts import FilledItems, FilledText, respaced
from decklab.board.examples.slots import SlideScale, TextSlot
from decklab.board.languages import is_right_to_left
from decklab.board.native.markup import DECLARED, DECORATIVE
from decklab.board.templates.reading import look_of_paragraph
from decklab.core.geometry import Box
from decklab.deck.model.shapes import Paragraph, Spacing
from decklab.editing.finding import EditError, find_shape, placeholder_type, properties, shapes
from decklab.editing.motion import remove_animations
from decklab.editing.placing import delete_shape, emu_frame, put_frame
from decklab.ooxml.xml import EMU_PER_POINT, qn

_RUN_LINKS: Final = ("a:hlinkClick", "a:hlinkMouseOver", "a:extLst")
_AUTOFITS: Final = ("a:normAutofit", "a:spAutoFit", "a:noAutofit")
_LINKS: Final = ("a:hlinkClick", "a:hlinkHover", "a:hlinkMouseOver")


class SlideFiller:
    """Fills one slide of an open presentation, the clone of an example."""

    def __init__(self, prs: Presentation, number: int, scale: SlideScale) -> None:
        self.prs, self.number, self.scale = prs, number, scale
        self.slide: Slide = prs.slides[number - 1]
        self.kept: set[int] = set()

    def fill(self, chosen: ChosenSlide) -> None:
        """Put the texts and items in, and take out every slot that nothing fills.

        Pictures, charts and tables come after: see ``objects``.
        """
        remove_animations(self.prs, self.number)
        for filled in chosen.texts:
            self._put_text(filled.slot.id, filled)
            if filled.slot.room != filled.slot.box or filled.slot.body.autofit == "grow":
                self._settle_frame(filled)
            if filled.slot.box not in (one.box for one in _own_slots(chosen)):
                self._move(filled.slot.id, filled.slot.box)
        title = chosen.texts[0]
        if title.slot.placeholder is None and not self._has_title(title.slot.id):
            as_title(find_shape(self.prs, self.number, title.slot.id), title.slot)
        if chosen.items is not None:
            self._put_items(chosen.items)
        self._take_out(chosen)

    def _has_title(self, own: int) -> bool:
        held = find_shape(self.prs, self.number, own)
        grouped = held.getparent().tag == qn("p:grpSp")
        titles = [
            one for one in shapes(self.slide) if placeholder_type(one) in ("title", "ctrTitle")
        ]
        return bool(titles) or grouped

    def _put_text(self, id: int, filled: FilledText) -> None:
        body = find_shape(self.prs, self.number, id).find(qn("p:txBody"))
        write_text(body, filled, self.scale)
        self.kept.add(id)

    def _settle_frame(self, filled: FilledText) -> None:
        """Make a text box as high as its text where that grows beyond it."""
        slot = filled.slot
        needs = filled.height(self.scale) / self.scale.down
        box = slot.box
        if needs > box.height:
            self._move(slot.id, _higher(slot, needs + 1))

    def _move(self, id: int, box: Box) -> None:
        """Move a shape; where its group is turned it stays where it is."""
        place = (box.left, box.top, box.width, box.height)
        try:
            put_frame(self.prs, self.number, id, emu_frame(self.prs, place))
        except EditError:
            return

    def _put_items(self, filled: FilledItems) -> None:
        source = filled.source
        ids = [
            self._parts_of(source.items[place] if place < len(source.items) else None, filled)
            for place in range(len(filled.boxes))
        ]
        for place, (box, texts) in enumerate(zip(filled.boxes, filled.texts, strict=True)):
            model = source.items[min(place, len(source.items) - 1)]
            for at, (id, new) in enumerate(zip(ids[place], respaced(model, box), strict=True)):
                text = texts.get(at)
                place_of = new if text is None else text.slot.box
                if place_of != model.parts[at].box:
                    self._move(id, place_of)
                if text is not None:
                    self._put_text(id, text)
                    if not text.slot.filled:
                        self._settle_frame_of(id, text)
                elif model.parts[at].text is None:
                    self.kept.add(id)
                else:
                    delete_shape(self.prs, self.number, id)
        for item in source.items[len(filled.boxes) :]:
            for part in item.parts:
                delete_shape(self.prs, self.number, part.id)

    def _settle_frame_of(self, id: int, text: FilledText) -> None:
        needs = text.height(self.scale) / self.scale.down
        if needs > text.slot.box.height:
            box = text.slot.box
            self._move(id, box._replace(bottom=min(box.top + needs + 1, text.slot.room.bottom)))

    def _parts_of(self, item: Any, filled: FilledItems) -> list[int]:
        """The ids of an item's parts; for one beyond the example's, of copies of the last."""
        if item is not None:
            return [part.id for part in item.parts]
        return [self._copy(part.id) for part in filled.source.items[-1].parts]

    def _copy(self, id: int) -> int:
        """A copy of a shape, above it; its id."""
        element = find_shape(self.prs, self.number, id)
        fresh = deepcopy(element)
        new_id = max(int(properties(one).get("id") or 0) for one in shapes(self.slide)) + 1
        marks = properties(fresh)
        marks.set("id", str(new_id))
        marks.set("name", f"{(marks.get('name') or 'Shape').rstrip('0123456789 ')} {new_id}")
        for extensions in marks.findall(qn("a:extLst")):
            marks.remove(extensions)
        element.addnext(fresh)
        return new_id

    def _take_out(self, chosen: ChosenSlide) -> None:
        """Remove slots that nothing fills, and groups left empty."""
        example = chosen.example
        ids = [slot.id for slot in _own_slots(chosen)]
        used = None if chosen.items is None else chosen.items.source
        for one in example.lists:
            if one is not used:
                ids += [part.id for item in one.items for part in item.parts]
        held = None if chosen.placed is None else chosen.placed.slot
        ids += [slot.id for slot in example.objects if slot is not held]
        ids += [*example.left_over, *example.dates]
        for id in dict.fromkeys(ids):
            if id not in self.kept:
                self._delete(id)
        shown = (self.kept | self._in_use(chosen)) - self._moved(chosen)
        if held is not None:
            shown.add(held.id)
        for id, texts in example.attached:
            if not shown & set(texts):
                self._delete(id)
        self._empty_rest()

    def _in_use(self, chosen: ChosenSlide) -> set[int]:
        """Ids of the parts of items that stay as many as they are, also of parts taken out."""
        filled = chosen.items
        if filled is None or len(filled.boxes) != len(filled.source.items):
            return set()
        return {part.id for item in filled.source.items[: len(filled.boxes)] for part in item.parts}

    def _moved(self, chosen: ChosenSlide) -> set[int]:
        """Ids of texts that stand elsewhere now: their panels and icons would stay behind."""
        places = {slot.id: slot.box for slot in _own_slots(chosen)}
        moved = {
            filled.slot.id for filled in chosen.texts
            if filled.slot.box != places.get(filled.slot.id, filled.slot.box)
        }  # fmt: skip
        items = chosen.items
        if items is not None and len(items.boxes) != len(items.source.items):
            moved |= {part.id for item in items.source.items for part in item.parts}
        return moved

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

    def drop_links(self) -> None:
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

    def describe(self) -> None:
        """Take the example's alternative texts off what stays, and mark it as decoration."""
        for element in shapes(self.slide):
            marks = properties(element)
            for name in ("descr", "title"):
                marks.attrib.pop(name, None)
            if element.tag in _DRAWN and not (element.tag == qn("p:sp") and _has_words(element)):
                _mark_decorative(marks)


def _higher(slot: TextSlot, high: float) -> Box:
    """The box of a text made higher within its room, from where its text is anchored."""
    box, room = slot.box, slot.room
    more = high - box.height
    if slot.body.anchor == "bottom":
        top = max(box.top - more, room.top)
    elif slot.body.anchor == "middle":
        top = max(box.top - more / 2, room.top)
    else:
        top = box.top
    bottom = min(top + high, room.bottom)
    return Box(box.left, min(top, bottom - high) if top > room.top else top, room.right, bottom)


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


def _own_slots(chosen: ChosenSlide) -> Sequence[Any]:
    example = chosen.example
    return [slot for slot in (example.title, example.subtitle, *example.bodies) if slot]


def as_title(element: Any, slot: TextSlot) -> None:
    """Make a text box the title of its slide, for outlines and screen readers, in the same look.

    What it would take from the master's titles from now on is stated at the text itself.
    """
    marks = element.find(f"{qn('p:nvSpPr')}/{qn('p:nvPr')}")
    if marks is None or len(marks):
        return
    marks.append(marks.makeelement(qn("p:ph"), {"type": "title"}))
    kind = element.find(f"{qn('p:nvSpPr')}/{qn('p:cNvSpPr')}")
    kind.attrib.pop("txBox", None)
    body = element.find(qn("p:txBody"))
    settings, held = body.find(qn("a:bodyPr")), slot.body
    insets = (held.inset_left, held.inset_top, held.inset_right, held.inset_bottom)
    for name, value in zip(("lIns", "tIns", "rIns", "bIns"), insets, strict=True):
        settings.set(name, str(round(value * EMU_PER_POINT)))
    settings.set("anchor", _ANCHORS.get(held.anchor, "t"))
    look = slot.look(0).paragraph
    font = look.runs[0].font
    for paragraph in body.findall(qn("a:p")):
        paragraph.replace(*_stated(paragraph, look))
        for run in paragraph.findall(qn("a:r")):
            words = run.find(qn("a:rPr"))
            words.set("sz", words.get("sz") or str(round(font.size * 100)))
            for name, given in (("b", "bold"), ("i", "italic")):
                words.set(name, str(int(given in font.style)))
            words.set("cap", words.get("cap") or font.caps)
            if all(words.find(qn(name)) is None for name in _FILLS):
                fill = parse_xml(
                    f'<a:solidFill {DECLARED}><a:srgbClr val="{font.color.lstrip("#")}"/>'
                    "</a:solidFill>"
                )
                words.insert(int(words.find(qn("a:ln")) is not None), fill)
            if words.find(qn("a:latin")) is None:
                latin = words.makeelement(qn("a:latin"), {"typeface": font.name})
                after = [item for item in words if item.tag in _BEFORE_LATIN]
                words.insert(len(after), latin)


def _stated(paragraph: Any, look: Paragraph) -> tuple[Any, Any]:
    """The settings of a paragraph, and others that state all that its look has."""
    held = paragraph.find(qn("a:pPr"))
    if held is None:
        held = paragraph.makeelement(qn("a:pPr"))
        paragraph.insert(0, held)
    fresh = parse_xml(
        f'<a:pPr {DECLARED} marL="{round(look.margin_left * EMU_PER_POINT)}" '
        f'indent="{round(look.indent * EMU_PER_POINT)}" algn="{_ALIGNS.get(look.align, "l")}"'
        f"{' rtl=' + chr(34) + '1' + chr(34) if look.right_to_left else ''}>"
        f"{_spacing_xml('lnSpc', look.line_spacing)}{_spacing_xml('spcBef', look.space_before)}"
        f"{_spacing_xml('spcAft', look.space_after)}<a:buNone/></a:pPr>"
    )
    return held, fresh


def _spacing_xml(name: str, spacing: Spacing) -> str:
    share = spacing.unit == "share"
    inner = (
        f'<a:spcPct val="{round(spacing.value * 100_000)}"/>' if share
        else f'<a:spcPts val="{round(spacing.value * 100)}"/>'
    )  # fmt: skip
    return f"<a:{name}>{inner}</a:{name}>"


_ANCHORS: Final = {"top": "t", "middle": "ctr", "bottom": "b"}
_ALIGNS: Final = {"left": "l", "center": "ctr", "right": "r", "justify": "l"}
_FILLS: Final = ("a:noFill", "a:solidFill", "a:gradFill", "a:blipFill", "a:pattFill", "a:grpFill")
_BEFORE_LATIN: Final = tuple(
    qn(f"a:{name}") for name in (
        "ln", "noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "effectLst",
        "effectDag", "highlight", "uLnTx", "uLn", "uFillTx", "uFill",
    )
)  # fmt: skip


def write_text(body: Any, filled: FilledText, scale: SlideScale) -> None:
    """Give a text body new paragraphs, each in the look of the first of its level."""
    old = body.findall(qn("a:p"))
    slot = filled.slot
    fresh: list[Any] = []
    for text, level in filled.lines:
        look = slot.look(level)
        deeper = max(0, level - (len(slot.looks) - 1))
        model = old[min(look.index, len(old) - 1)]
        changed = slot.sized(level, scale, filled.factor) != look.size
        changed = changed or slot.body.autofit == "shrink"
        size = slot.sized(level, scale, filled.factor) if changed else None
        paragraph = _paragraph(model, text, deeper, size, scale.language)
        _turn(paragraph, look.paragraph, right_to_left=is_right_to_left(scale.language))
        if filled.air and fresh and not level:
            before = look_of_paragraph(look.paragraph, scale.least).before * filled.factor
            _Paragraph(paragraph, body).space_before = Pt(round(before + filled.air))
        fresh.append(paragraph)
    for paragraph in old:
        body.remove(paragraph)
    body.extend(fresh)
    settings = body.find(qn("a:bodyPr"))
    held = [item for name in _AUTOFITS for item in settings.findall(qn(name))]
    for item in held:
        item.getparent().replace(item, item.makeelement(qn("a:noAutofit")))
    if not held and slot.body.autofit != "none":
        index = 1 if settings.find(qn("a:prstTxWarp")) is not None else 0
        settings.insert(index, settings.makeelement(qn("a:noAutofit")))
    if settings.get("wrap") == "none":
        settings.set("wrap", "square")


def _turn(paragraph: Any, look: Paragraph, *, right_to_left: bool) -> None:
    """Set the direction of the deck's language, where the example is written the other way."""
    if look.right_to_left == right_to_left:
        return
    settings = paragraph.find(qn("a:pPr"))
    if settings is None:
        settings = paragraph.makeelement(qn("a:pPr"))
        paragraph.insert(0, settings)
    settings.set("rtl", str(int(right_to_left)))
    side = {"left": "r", "right": "l", "justify": "r" if right_to_left else "l"}.get(look.align)
    if side is not None:
        settings.set("algn", side)


def _paragraph(model: Any, text: str, deeper: int, size: float | None, language: str) -> Any:
    paragraph = model.makeelement(qn("a:p"))
    held = model.find(qn("a:pPr"))
    if held is not None or deeper:
        settings = deepcopy(held) if held is not None else model.makeelement(qn("a:pPr"))
        if deeper:
            settings.set("lvl", str(min(8, int(settings.get("lvl") or 0) + deeper)))
            if settings.get("marL"):
                settings.set("marL", str(int(settings.get("marL")) + 228_600 * deeper))
        if settings.get("algn") in ("just", "dist"):
            settings.set("algn", "l")
        for numbered in settings.findall(qn("a:buAutoNum")):
            numbered.attrib.pop("startAt", None)
        paragraph.append(settings)
    run = model.makeelement(qn("a:r"))
    source = next(
        (one for one in model.findall(qn("a:r")) if (one.findtext(qn("a:t")) or "").strip()),
        model.find(qn("a:r")),
    )
    look = None if source is None else source.find(qn("a:rPr"))
    look = model.makeelement(qn("a:rPr")) if look is None else deepcopy(look)
    if look.find(qn("a:hlinkClick")) is not None:  # what a link looks like is no look of a text
        look.attrib.pop("u", None)
        for item in look.findall(qn("a:solidFill")):
            look.remove(item)
    for name in _RUN_LINKS:
        for item in look.findall(qn(name)):
            look.remove(item)
    for name in ("err", "dirty", "smtClean", "bmk", "strike", "u", "baseline"):
        look.attrib.pop(name, None)
    look.set("lang", language)
    if size is not None:
        look.set("sz", str(round(size * 100)))
    run.append(look)
    run.append(model.makeelement(qn("a:t")))
    run[-1].text = text
    paragraph.append(run)
    return paragraph
