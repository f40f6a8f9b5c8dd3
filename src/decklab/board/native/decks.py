"""HTML decks as native presentations that look the same."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide, SlideLayout
from pptx.util import Emu

from decklab.board.native.carriers import Fitted, carriers, fitted
from decklab.board.native.charts import chart_frame, chart_plan
from decklab.board.native.equations import alternatives, equation_paragraph, equations_apart
from decklab.board.native.gluing import glue_lines
from decklab.board.native.grounds import SlideGround, grounds_of, on_ground
from decklab.board.native.inheritance import leave_to_layout, looks_of
from decklab.board.native.lists import describe, list_sections, write_notes
from decklab.board.native.markup import DECLARED, named_xml
from decklab.board.native.masters import (
    LayoutPlan,
    LayoutSlot,
    make_layouts,
    mark_xml,
    plan_layouts,
    set_up_master,
)
from decklab.board.native.paints import hex_of
from decklab.board.native.palette import Palette, Typeface, palette_of, typeface_of
from decklab.board.native.pictures import native_file, picture_of_chart, picture_xml
from decklab.board.native.placeholders import PlacedTexts, Role, place_texts
from decklab.board.native.reading import reading_order
from decklab.board.native.scale import PageSize, Scale
from decklab.board.native.shapes import DrawnShape, box_shapes, path_shape
from decklab.board.native.tables import table_frame
from decklab.board.native.texts import (
    NO_INSETS,
    NativeText,
    Typesetter,
    box_of,
    has_east_asian,
    paragraphs_of,
    text_blocks,
)
from decklab.core.files import check_file, output_file
from decklab.deck.model.base import Action
from decklab.deck.model.shapes import Paragraph, RunFont
from decklab.editing.building.drawing import body_xml, legal, xfrm
from decklab.editing.building.shapes import ImageStore, link_xml
from decklab.editing.motion import TRANSITIONS, set_transition
from decklab.editing.opening import save_undated, undated_workbook
from decklab.ooxml.xml import qn
from decklab.rendering.html import DEADLINE_SECONDS
from decklab.rendering.measured import (
    BoxItem,
    ChartItem,
    Item,
    MeasuredDeck,
    MeasuredPage,
    PathItem,
    PictureItem,
    Rectangle,
    Rgba,
    SolidFill,
    TableItem,
    TextItem,
    deck_pages,
    measure_deck,
)

_WINDOW = (1280.0, 720.0)
_FLATTEST, _TALLEST = 0.4, 2.5
"""Ours: proportions beyond which a height is that of the content, not of a slide."""
_TRANSITIONS = {"slide": "push", "convex": "push", "concave": "push", "none": ""}
_ROLE_NAMES: dict[Role, str] = {
    "title": "Title", "subtitle": "Subtitle", "body": "Text", "footer": "Footer",
    "source": "Source", "number": "Slide number",
}  # fmt: skip
_ADDRESS = re.compile(r"(https?|mailto|tel|ftp):", re.IGNORECASE)


@dataclass(frozen=True)
class Replaced:
    """Something of a slide that has no native form, and what became of it."""

    slide: int
    """1-based."""
    element: str
    """Tag, id and classes, such as ``canvas#sales``."""
    reason: str

    def __str__(self) -> str:
        return f"slide {self.slide}: {self.element}: {self.reason}"


@dataclass(frozen=True)
class ConvertedDeck:
    """A presentation that was made from an HTML deck."""

    path: Path
    slides: int
    replaced: tuple[Replaced, ...]
    """By slide, in reading order."""

    def as_json(self) -> dict[str, Any]:
        """Plain JSON: the file, its number of slides, and what has no native form, by slide."""
        return {
            "path": str(self.path),
            "slides": self.slides,
            "replaced": [asdict(item) for item in self.replaced],
        }


def convert(
    deck: str | Path, out: str | Path, *, scripts: bool = False, force: bool = False,
    deadline: float = DEADLINE_SECONDS,
) -> ConvertedDeck:  # fmt: skip
    """Make a native .pptx of an HTML deck, or of a folder of pages, that looks the same.

    The browser lays out each slide, without a network; ``scripts`` lets those of the deck run.
    Texts, lists, tables, shapes and pictures become native ones; what has no native form is a
    picture of that element alone, and is listed in ``replaced``. Equal input gives equal bytes.
    Raises DeckError for a missing file and for a deck that shows nothing, NameTaken for a file
    that exists unless ``force`` is given, FileExistsError for one of the deck's pages,
    RendererMissing without Playwright or Chromium.
    """
    check_file(out, inputs=deck_pages(Path(deck)), force=force)
    measured = measure_deck(deck, scripts=scripts, deadline=deadline)
    with output_file(out, force=force) as unfinished:
        replaced = write_native(measured, unfinished)
    return ConvertedDeck(Path(out), len(measured.slides), replaced)


def write_native(
    measured: MeasuredDeck, out: Path, palette: Palette | None = None
) -> tuple[Replaced, ...]:
    """Write a presentation from what was measured; returns what has no native form.

    ``palette`` is that of its theme, else the colours and fonts that the slides use most.
    """
    writer = _DeckWriter(measured, palette)
    writer.write()
    save_undated(writer.deck, out, undated_workbook)
    return tuple(writer.replaced)


def page_size(slides: Sequence[MeasuredPage]) -> PageSize:
    """The size of most slides; slides as high as their content get the window's proportions.

    >>> page_size([])
    PageSize(width=1280.0, height=720.0)
    """
    sizes = Counter((slide.width, slide.height) for slide in slides)
    if not sizes:
        return PageSize(*_WINDOW)
    (width, height), count = max(sizes.items(), key=lambda pair: (pair[1], pair[0]))
    uneven = count * 2 <= len(slides) and len(sizes) > 1
    if uneven or not _FLATTEST <= height / max(width, 1.0) <= _TALLEST:
        width = max(slide.width for slide in slides)
        return PageSize(width, width * _WINDOW[1] / _WINDOW[0])
    return PageSize(max(width, 1.0), max(height, 1.0))


class _DeckWriter:
    """Writes one deck: master and layouts first, then slide by slide."""

    def __init__(self, measured: MeasuredDeck, palette: Palette | None = None) -> None:
        self.slides = measured.slides
        self.typefaces: dict[int, Typeface] = {
            id: typeface_of(face) for id, face in measured.faces.items()
        }
        self.size = page_size(self.slides)
        self.placed = self._texts()
        self.grounds = grounds_of(self.slides)
        self.palette = palette or self._palette()
        self.replaced = [
            Replaced(number, item.element, item.reason)
            for number, slide in enumerate(self.slides, 1)
            for item in slide.substitutions
        ]
        self.store = ImageStore(
            {
                digest: file
                for digest, data in sorted(measured.pictures.items())
                if (file := data if _is_svg(data) else native_file(data)) is not None
            }
        )
        self.deck: Deck = Presentation()
        self.deck.slide_width, self.deck.slide_height = map(Emu, self.size.emu)

    def _texts(self) -> list[PlacedTexts]:
        return place_texts(self.slides)

    def _palette(self) -> Palette:
        blocks = filter(None, (placed.roles.get("title") for placed in self.placed))
        titles = [item for block in blocks for item in block.items]
        fills = (ground.fill for ground in self.grounds)
        plain = [hex_of(fill.color) for fill in fills if isinstance(fill, SolidFill)]
        palette = palette_of(self.slides, plain, self.typefaces, titles)
        charts = any(isinstance(item, ChartItem) for slide in self.slides for item in slide.items)
        return palette.for_charts() if charts else palette

    def scale(self, number: int) -> Scale:
        """How a page lies on its slide; slides are counted from 0."""
        slide = self.slides[number]
        return Scale.of(self.size, slide.width, slide.height)

    def write(self) -> None:
        """Fill the presentation."""
        plans = plan_layouts(self.grounds, self.placed, [slide.layout for slide in self.slides])
        for plan in plans:
            self._plan_slots(plan)
        set_up_master(self.deck, self.palette, plans)
        make_layouts(self.deck, self.palette, plans, self._decoration)
        by_slide = {number: plan for plan in plans for number in plan.slides}
        native = [
            self.deck.slides.add_slide(by_slide[number].layout)
            for number in range(len(self.slides))
        ]
        links = _Links(self.slides, native)
        for number, slide in enumerate(native):
            setter = self._setter(number, links.action)
            filler = _SlideFiller(self, number, slide, by_slide[number], setter, links)
            filler.fill()
            self._say_more(number, slide)
        self._sections()
        title = legal(self.slides[0].document or self._title(0))[:255]
        describe(self.deck, title, self.slides[0].lang)

    def _setter(self, number: int, action: Callable[[str], Action | None]) -> Typesetter:
        slide, ground = self.slides[number], self.grounds[number]

        def blend(item: TextItem | TableItem, color: Rgba) -> Rgba:
            return on_ground(color, item, slide.items, ground.fill)

        return Typesetter(self.scale(number), self.typefaces, action, slide.lang, blend)

    def _plan_slots(self, plan: LayoutPlan) -> None:
        """Placeholders of a layout, as they are on the first slide that has them."""
        for number in plan.slides:
            setter = self._setter(number, lambda _link: None)
            for role, block in self.placed[number].roles.items():
                if role not in plan.slots:
                    frame = setter.scale.frame(box_of(block))
                    body = parse_xml(self.body(block, role, setter, number, lambda *_: ""))
                    plan.slots[role] = LayoutSlot(frame, looks_of(body))

    def body(
        self, block: NativeText, role: Role | None, setter: Typesetter, number: int,
        link: Callable[[str, Action | None], str], *, place: Fitted | None = None,
    ) -> str:  # fmt: skip
        """The text body of a block, in the colours and fonts of the theme."""
        pitch = None if place is None else place.height
        paragraphs: Sequence[Paragraph] = paragraphs_of(block, setter, pitch)
        if role == "number":
            paragraphs = [_with_field(paragraph, number + 1) for paragraph in paragraphs]
        settings = NO_INSETS if place is None else place.body
        xml = body_xml(paragraphs, settings, lambda _digest: None, link)
        xml = xml.replace("<p:txBody>", f"<p:txBody {DECLARED}>", 1)
        if has_east_asian(block.text):  # LibreOffice hangs punctuation, and so takes fewer lines
            xml = xml.replace("<a:pPr ", '<a:pPr hangingPunct="0" ')
        return self.palette.themed(xml, heading=role == "title")

    def _decoration(self, layout: SlideLayout, items: Sequence[Item], first: int) -> list[Any]:
        drawer = _Drawer(self, self.scale(0), layout, first)
        return [shape for item in items for shape in drawer.drawn(item)]

    def _say_more(self, number: int, slide: Slide) -> None:
        """Notes, hiding and transition of a slide."""
        measured = self.slides[number]
        write_notes(slide, (legal(measured.notes),), measured.lang)
        if measured.hidden:
            slide._element.set("show", "0")
        stated = measured.transition.split(" ")[0].removesuffix("-in").removesuffix("-out")
        kind = _TRANSITIONS.get(stated, stated)
        if kind in TRANSITIONS:
            set_transition(self.deck, kind, slides=[number + 1])

    def _title(self, number: int) -> str:
        block = self.placed[number].roles.get("title")
        return " ".join(block.text.split()) if block else ""

    def _sections(self) -> None:
        """The sections that slides name, else one for each vertical stack, and for what is between
        two of them."""
        named = [slide.section or None for slide in self.slides]
        if any(named):
            list_sections(self.deck, named)
            return
        starts: list[str | None] = []
        names: list[str] = []
        stacks = [slide.stack for slide in self.slides]
        if not any(stack is not None for stack in stacks):
            return
        for number, stack in enumerate(stacks):
            starts.append(None)
            if number == 0 or stack != stacks[number - 1]:
                name = base = self._title(number) or f"Slide {number + 1}"
                at = 2
                while name in names:
                    name, at = f"{base} ({at})", at + 1
                names.append(legal(name))
                starts[-1] = names[-1]
        list_sections(self.deck, starts)


def _is_svg(data: bytes) -> bool:
    return data.lstrip()[:5] in (b"<svg ", b"<svg\n", b"<?xml") or data.lstrip()[:4] == b"<!--"


def _with_field(paragraph: Paragraph, number: int) -> Paragraph:
    """A paragraph whose first number is the slide's, as a field."""
    runs = list(paragraph.runs)
    for at, run in enumerate(runs):
        match = re.search(r"\d+", run.text)
        if match is None or int(match[0]) != number:
            continue
        pieces = [
            run.model_copy(update={"text": run.text[: match.start()]}),
            run.model_copy(update={"text": match[0], "kind": "field", "field": "slidenum"}),
            run.model_copy(update={"text": run.text[match.end() :]}),
        ]
        runs[at : at + 1] = [piece for piece in pieces if piece.text]
        break
    return paragraph.model_copy(update={"runs": tuple(runs)})


class _Links:
    """Where the links of a deck lead: to addresses, or to its slides by name and number."""

    def __init__(self, slides: Sequence[MeasuredPage], native: Sequence[Slide]) -> None:
        self.native = {slide.slide_id: slide for slide in native}
        self.names: dict[str, int] = {}
        ids = [slide.slide_id for slide in native]
        across, down, last = -1, 0, None
        for number, (slide, id) in enumerate(zip(slides, ids, strict=True), 1):
            fresh = slide.stack is None or slide.stack != last
            across, down, last = across + fresh, 0 if fresh else down + 1, slide.stack
            if slide.kind == "reveal":
                self.names.setdefault(f"/{across}/{down}", id)
                if not down:
                    self.names.setdefault(f"/{across}", id)
            self.names.setdefault(f"slide-{number}", id)
            for name in slide.names:
                self.names.setdefault(name, id)
                self.names.setdefault(f"/{name}", id)

    def action(self, link: str) -> Action | None:
        """The action of a link; None for one that leads nowhere."""
        if _ADDRESS.match(link):
            return Action(kind="url", target=link)
        _, mark, name = link.partition("#")
        if mark and name in self.names:
            return Action(kind="slide", target=str(self.names[name]))
        return None


def _painted(item: BoxItem | PathItem, scale: Scale, page: Rectangle) -> list[DrawnShape]:
    if isinstance(item, PathItem):
        return [path_shape(item, scale)]
    return list(box_shapes(item, scale, page))


class _Drawer:
    """Draws items without text on a slide or layout, in the colours of the theme."""

    def __init__(self, writer: _DeckWriter, scale: Scale, sheet: Any, first: int) -> None:
        self.writer, self.scale, self.sheet, self.id = writer, scale, sheet, first

    def next_id(self) -> int:
        """A number for the next shape."""
        self.id += 1
        return self.id - 1

    def embed(self, digest: str) -> str | None:
        """The relationship of a picture file with the sheet."""
        return self.writer.store.embed(self.sheet, digest)

    def drawn(self, item: Item, link: str = "") -> Iterator[Any]:
        """The shapes of an item."""
        page = (0.0, 0.0, self.writer.size.width, self.writer.size.height)
        if isinstance(item, BoxItem | PathItem):
            for shape in _painted(item, self.scale, page):
                yield parse_xml(self.writer.palette.themed(shape.xml(self.next_id())))
        elif isinstance(item, PictureItem):
            xml = picture_xml(item, self.next_id(), self.scale, self.embed, link)
            if xml is not None:
                yield parse_xml(xml)


@dataclass
class _SlideFiller:
    """Fills one slide."""

    writer: _DeckWriter
    number: int
    slide: Slide
    plan: LayoutPlan
    setter: Typesetter
    links: _Links
    carriers: dict[int, BoxItem | PathItem] = field(default_factory=dict)

    def fill(self) -> None:
        """Put everything on the slide that its layout does not have, in reading order."""
        tree: Any = self.slide.shapes._spTree
        for shape in list(self.slide.placeholders):
            shape._element.getparent().remove(shape._element)
        tree.extend(self.shapes(2))

    def shapes(self, first: int) -> list[Any]:
        """The elements of what is on the page, numbered from ``first``, in reading order."""
        self.drawer = _Drawer(self.writer, self.setter.scale, self.slide, first)
        made: Any = self.slide.shapes._spTree.makeelement(qn("p:spTree"))
        group: Any = None
        group_id: int | None = None
        for entry in self._entries():
            number = entry.items[0].group if isinstance(entry, NativeText) else entry.group
            if number is None:
                group_id = None
            elif number != group_id:
                label = entry.items[0].label if isinstance(entry, NativeText) else entry.label
                group, group_id = self._new_group(label), number
                made.append(group)
            holder = made if number is None else group
            for shape in self._shapes(entry):
                holder.append(shape)
        glue_lines(made, self.setter.scale)
        for group in made.findall(qn("p:grpSp")):
            _fit(group)
        equations_apart(made)
        return list(made)

    def _entries(self) -> list[Item | NativeText]:
        """Text boxes and other items, so that what covers others comes after them."""
        ground: SlideGround = self.writer.grounds[self.number]
        texts: PlacedTexts = self.writer.placed[self.number]
        rest: list[Item] = [item for item in ground.items if not isinstance(item, TextItem)]
        rest += [item for key, item in ground.shared.items() if key not in self.plan.decoration]
        measured = self.writer.slides[self.number]
        page = (0.0, 0.0, measured.width, measured.height)
        free = [block for block in texts.blocks if texts.role_of(block) is None]
        self.carriers = {
            order: box
            for order, box in carriers(texts.blocks, rest, page).items()
            if order in {block.order for block in free}
        }
        return reading_order(rest, texts.blocks, self.carriers)

    def _new_group(self, label: str) -> Any:
        name = named_xml(self.drawer.next_id(), legal(label) or "Drawing", legal(label))
        place = (
            '<a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/>'
            '<a:chExt cx="0" cy="0"/></a:xfrm>'
        )
        return parse_xml(
            f"<p:grpSp {DECLARED}><p:nvGrpSpPr>{name}<p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>"
            f"<p:grpSpPr>{place}</p:grpSpPr></p:grpSp>"
        )

    def _shapes(self, entry: Item | NativeText) -> Iterator[Any]:
        if isinstance(entry, NativeText):
            box = self.carriers.get(entry.order)
            if box is None:
                yield self._text(entry)
            else:
                yield from self._carried(entry, box)
        elif isinstance(entry, TableItem):
            xml = table_frame(entry, self.drawer.next_id(), self.setter, self._link)
            yield parse_xml(self.writer.palette.themed(xml))
        elif isinstance(entry, ChartItem):
            yield from self._chart(entry)
        elif isinstance(entry, PictureItem) and entry.formula:
            yield from self._equation(entry)
        elif isinstance(entry, PictureItem):
            link = self._link("a:hlinkClick", self.links.action(entry.link)) if entry.link else ""
            yield from self.drawer.drawn(entry, link)
        else:
            yield from self.drawer.drawn(entry)

    def _chart(self, item: ChartItem) -> Iterator[Any]:
        plan, scale = chart_plan(item), self.setter.scale
        if isinstance(plan, str):
            words = f"its chart is a picture: {plan}"
            self.writer.replaced.append(Replaced(self.number + 1, item.element, words))
            yield from self.drawer.drawn(picture_of_chart(item))
            return
        frame, size = scale.frame(item.box), scale.points(item.size)
        yield chart_frame(
            self.slide, item, plan, id=self.drawer.next_id(), frame=frame, size=size,
            palette=self.writer.palette, language=self.setter.language or "en",
        )  # fmt: skip

    def _equation(self, item: PictureItem) -> Iterator[Any]:
        """A formula on lines of its own, with its picture for programs that draw none."""
        scale, id = self.setter.scale, self.drawer.next_id()
        font = RunFont(name="Cambria Math", size=scale.points(item.size), style=(),
                       color=hex_of(item.color), alpha=item.color[3])  # fmt: skip
        place = f'{xfrm(scale.frame(item.box))}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        shape = parse_xml(self.writer.palette.themed(
            f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, f'Formula {id}', item.alt)}"
            f'<p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr>{place}<a:noFill/></p:spPr>'
            '<p:txBody><a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0" anchor="ctr"/>'
            f"<a:lstStyle/>{equation_paragraph(item.formula, font)}</p:txBody></p:sp>"
        ))  # fmt: skip
        for fallback in self.drawer.drawn(item):
            yield alternatives(shape, fallback)

    def _link(self, tag: str, action: Action | None) -> str:
        return link_xml(tag, action, self.slide, self.links.native)

    def _carried(self, block: NativeText, item: BoxItem | PathItem) -> Iterator[Any]:
        """A painted box with its text inside; below its text if it does not fit in."""
        measured = self.writer.slides[self.number]
        page = (0.0, 0.0, measured.width, measured.height)
        shapes = _painted(item, self.setter.scale, page)
        area = next((shape for shape in reversed(shapes) if shape.box is not None), None)
        place = None if area is None else fitted(block, area, self.setter.scale)
        for shape in shapes:
            body = ""
            if shape is area and place is not None:
                body = self.writer.body(
                    block, None, self.setter, self.number, self._link, place=place
                )
            yield parse_xml(self.writer.palette.themed(shape.xml(self.drawer.next_id(), body)))
        if place is None:
            yield self._text(block)

    def _text(self, block: NativeText) -> Any:
        role = self.writer.placed[self.number].role_of(block)
        box = box_of(block)
        frame = self.setter.scale.frame(box, block.turns)
        id = self.drawer.next_id()
        body = parse_xml(self.writer.body(block, role, self.setter, self.number, self._link))
        place = xfrm(frame) + '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/>'
        kind, mark, name = '<p:cNvSpPr txBox="1"/>', "", f"Text {id}"
        slot = None if role is None else self.plan.slots.get(role)
        if role is not None and slot is not None:
            kind = '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
            mark, name = mark_xml(role, self.plan.kind), f"{_ROLE_NAMES.get(role, 'Text')} {id}"
            place = "" if _same_place(frame, slot.frame) else xfrm(frame)
            leave_to_layout(body, slot.looks)
        shape = parse_xml(
            f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, name)}{kind}<p:nvPr>{mark}</p:nvPr>"
            f"</p:nvSpPr><p:spPr>{place}</p:spPr></p:sp>"
        )
        shape.append(body)
        return shape


class PageDrawer(_DeckWriter):
    """Draws measured pages on slides of a deck that has its own masters, layouts and theme.

    ``scale`` says how pages lie on these slides; ``palette`` names the colours and fonts of their
    theme. No text is a placeholder.
    """

    def __init__(self, measured: MeasuredDeck, palette: Palette, scale: Scale) -> None:
        super().__init__(measured, palette)
        self._scale = scale

    def _texts(self) -> list[PlacedTexts]:
        return [PlacedTexts(text_blocks(slide.items)) for slide in self.slides]

    def scale(self, number: int) -> Scale:
        """How a page lies on its slide: all pages do alike."""
        return self._scale

    def shapes(self, number: int, slide: Slide, first: int) -> list[Any]:
        """The elements of a page, counted from 0, for a slide: their ids count from ``first``."""
        links = _Links((), ())
        plan = LayoutPlan("blank", "", None, [], {}, [number])
        setter = self._setter(number, links.action)
        return _SlideFiller(self, number, slide, plan, setter, links).shapes(first)


def _same_place(first: Any, second: Any) -> bool:
    sides = ("left", "top", "width", "height")
    return not first.rotation and all(
        abs(getattr(first, side) - getattr(second, side)) < 1000 for side in sides
    )


def _fit(group: Any) -> None:
    """Give a group the place and size of what is in it."""
    boxes = []
    for place in group.iter(qn("a:xfrm")):
        if place.getparent() is group.find(qn("p:grpSpPr")):
            continue
        start, size = place.find(qn("a:off")), place.find(qn("a:ext"))
        left, top = int(start.get("x")), int(start.get("y"))
        boxes.append((left, top, left + int(size.get("cx")), top + int(size.get("cy"))))
    if not boxes:
        return
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    own = group.find(f"{qn('p:grpSpPr')}/{qn('a:xfrm')}")
    for name in ("a:off", "a:chOff"):
        own.find(qn(name)).attrib.update({"x": str(left), "y": str(top)})
    for name in ("a:ext", "a:chExt"):
        own.find(qn(name)).attrib.update({"cx": str(right - left), "cy": str(bottom - top)})
