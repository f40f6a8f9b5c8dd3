"""One slide filled in one layout of a template, its texts fitted in the placeholders."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from decklab.board.blueprint import DeckPlan, Point, SlidePlan
from decklab.board.boxes import BoxParagraph, GroupBox, Item, PictureBox, TextBox, TextStyle
from decklab.board.fitting import LEAST_PT, Fitter
from decklab.board.languages import quotation_marks
from decklab.board.layouts import lay_out_page
from decklab.board.pictures import placed_picture
from decklab.board.templates.areas import AreaPage, theme_of
from decklab.board.templates.measuring import PlaceLine, PlaceText, fitted, look_of
from decklab.board.templates.placeholder_assignment import Missing, PlaceholderAssignment, Region
from decklab.board.templates.places import LayoutPlace, LevelLook, TemplateLayout
from decklab.core.geometry import Box

_TITLE_LINES = 2
_NARROW_TITLE = 0.45
LEAST_TITLE: Final = 18.0
"""Points that titles have at least, where their place allows it."""
_STOCK = re.compile(
    r"\b(footer|click|fußzeile|pied de page|your|sample text|presentation title|add text)\b",
    re.IGNORECASE,
)
"""Words of footers that only ask for words."""
_FURNITURE = ("title", "subtitle", "footer", "number")


@dataclass(frozen=True)
class FilledSlide:
    """One slide in its layout: texts of placeholders, and items that stand free or in one."""

    plan: SlidePlan
    layout: TemplateLayout
    texts: tuple[PlaceText, ...]
    items: tuple[Item, ...]
    held: LayoutPlace | None = None
    """The placeholder that the picture, chart or table is in."""
    missing: tuple[Missing, ...] = ()
    problems: tuple[str, ...] = ()
    more_notes: tuple[str, ...] = ()
    """What stands in the notes for want of a place on the slide."""

    @property
    def text_size(self) -> float:
        """Least size of its body texts in points; large where it has none."""
        sizes = [text.size for text in self.texts if text.place.kind not in _FURNITURE]
        return min(sizes, default=1000.0)


class PageInTemplate:
    """One slide in one layout while it is filled."""

    def __init__(
        self, plan: DeckPlan, slide: SlidePlan, assignment: PlaceholderAssignment, least: float
    ) -> None:
        self._deck, self._slide, self._assignment, self._least = plan, slide, assignment, least
        self._layout = assignment.layout
        self._texts: list[PlaceText] = []
        self._items: list[Item] = []
        self._missing = list(assignment.missing)
        self._problems: list[str] = []
        self._more_notes: list[str] = []
        self._held: LayoutPlace | None = None
        self._area = assignment.area
        self._theme = theme_of(self._layout)
        self._fitter = Fitter(self._theme, plan.language)

    def made(self) -> FilledSlide:
        slide = self._slide
        self._title()
        if slide.layout in ("title", "section", "closing"):
            self._standing()
        else:
            self._content()
            self._footers()
        return FilledSlide(
            slide, self._layout, tuple(self._texts), tuple(self._items), self._held,
            tuple(self._missing), tuple(self._problems), tuple(self._more_notes),
        )  # fmt: skip

    def _title(self) -> None:
        place, box = self._layout.title, self._assignment.title_box
        if place is None or place.vertical:
            left, top, right, _bottom = self._area
            box = Box(left, top, right, top + 64)
            self._area = self._area._replace(top=top + 72)
            look = _plain_look(self._layout, 28.0)
            inset = Box(0, 0, 0, 0)
            place = LayoutPlace("title", "Title", (("type", "title"),), box, inset, (look,))
            self._missing.append(
                Missing("the title", f"{self._layout.name!r} has no title", "it stands on its own")
            )
        most = _TITLE_LINES if place.box.width > _NARROW_TITLE * self._layout.size[0] else 4
        text = PlaceText("Title", place, (PlaceLine(self._slide.title),), box=box)
        full = look_of(place, 0).size
        least = min(LEAST_TITLE, full)
        if place.room is not None and box is None:
            made, fits = fitted(text, self._deck.language, least=0.8 * full, most_lines=most)
            text = text if fits else replace(text, box=place.room)
        made, fits = fitted(text, self._deck.language, least=least, most_lines=most)
        if not fits:
            made, fits = fitted(text, self._deck.language)
        if not fits:
            self._missing.append(
                Missing("the title", f"longer than its place at {made.size:g} pt",
                        "it reaches over its place")
            )  # fmt: skip
        self._texts.append(made)

    def _standing(self) -> None:
        """Subtitle and lines of an opening, section or ending."""
        slide = self._slide
        words = [slide.subtitle, slide.byline, *(point.text for point in slide.body)]
        lines = tuple(PlaceLine(text, bare=True) for text in words if text)
        if not lines:
            return
        place = self._layout.subtitle or next(
            (one for one in self._layout.places if one.takes_text), None
        )
        if place is not None:
            self._put("Subtitle", Region(place.box, place), lines, LEAST_PT)
            return
        box = self._below_title()
        style = TextStyle(self._theme.scale.small, "muted", spacing=4)
        text = TextBox("Subtitle", box, tuple(BoxParagraph(line.text) for line in lines), style)
        self._free_text(text)
        why = f"{self._layout.name!r} has no subtitle"
        self._missing.append(Missing("the subtitle", why, "it stands in a text box"))

    def _below_title(self) -> Box:
        title = self._layout.title
        _width, height = self._layout.size
        if title is None:
            return self._area
        left, _top, right, bottom = title.box
        room = height * 0.95 - bottom - 8
        return Box(left, bottom + 8, right, bottom + 8 + min(max(room, 24.0), 96.0))

    def _content(self) -> None:
        slide = self._slide
        if slide.picture or slide.chart or slide.table:
            self._with_thing()
        elif slide.columns and self._assignment.texts:
            self._columns()
        elif slide.numbers or slide.steps or slide.cards or slide.columns or slide.code:
            self._drawn()
        else:
            self._body_text()

    def _body_text(self) -> None:
        lines = self._lead() + self._body_lines()
        if not lines:
            return
        if self._assignment.texts:
            region = self._above_source(self._assignment.texts[0])
            self._put("Text", region, lines, self._least)
            return
        box = self._above_source(Region(self._area)).box
        style = TextStyle(self._theme.scale.body, marks="bullet", spacing=8.0)
        paragraphs = tuple(
            BoxParagraph(line.text, line.level, marked=not line.bare) for line in lines
        )
        self._free_text(TextBox("Text", box, paragraphs, style))
        if not self._assignment.missing:
            why = f"{self._layout.name!r} has no place for text"
            self._missing.append(Missing("the text", why, "it stands in a text box"))

    def _body_lines(self) -> tuple[PlaceLine, ...]:
        slide = self._slide
        if slide.quote:
            marks = quotation_marks(self._deck.language)
            by = (PlaceLine(f"— {slide.quote.by}", bare=True, soft=True),) if slide.quote.by else ()
            return (PlaceLine(f"{marks[0]}{slide.quote.text}{marks[1]}", bare=True), *by)
        if slide.layout == "contents":
            return _numbered(slide.body, slide.first)
        return _lines(slide.body)

    def _lead(self) -> tuple[PlaceLine, ...]:
        """The subtitle: in its placeholder, else as the first paragraph."""
        words, place = self._slide.subtitle, self._layout.subtitle
        if not words:
            return ()
        if place is not None and not any(_meet(place.box, box) for box in self._content_boxes()):
            self._put(
                "Subtitle", Region(place.box, place), (PlaceLine(words, bare=True),), LEAST_PT
            )
            return ()
        return (PlaceLine(words, bare=True, soft=True),)

    def _content_boxes(self) -> list[Box]:
        """Where the content stands."""
        assignment = self._assignment
        boxes = [region.box for region in assignment.texts if region.place != self._layout.subtitle]
        boxes += [] if assignment.thing is None else [assignment.thing.box]
        return boxes or [self._area]

    def _columns(self) -> None:
        regions, headings = self._assignment.texts, self._assignment.headings
        lead = self._lead()
        made, heads = [], []
        for number, (column, region, place) in enumerate(
            zip(self._slide.columns, regions, headings, strict=True), start=1
        ):
            lines = _lines(column.points, single=bool(column.heading))
            if column.heading and place is None:
                lines = (PlaceLine(column.heading, bare=True, bold=True), *lines)
            elif column.heading and place is not None:
                heads.append(PlaceText(f"Heading {number}", place, (PlaceLine(column.heading),)))
            held = region.place
            assert held is not None, "columns stand in placeholders here"
            left = self._above_source(region, quiet=number > 1).box
            box = None if left == held.box else left
            made.append(PlaceText(f"Column {number}", held, lines, box=box))
        heads, made = self._alike(heads, LEAST_PT), self._alike(made, self._least)
        for text in made:
            heading = text.name.replace("Column", "Heading")
            self._texts += [head for head in heads if head.name == heading]
            self._texts.append(text)
        for line in lead:
            why = f"{self._layout.name!r} has no place for it"
            self._missing.append(Missing("the subtitle", why, "it stands in the notes"))
            self._more_notes.append(line.text)

    def _alike(self, texts: Sequence[PlaceText], least: float) -> list[PlaceText]:
        """Texts at one share of the template's sizes."""
        tried = [fitted(text, self._deck.language, least=least) for text in texts]
        self._problems += [
            f"{text.name}: the text does not fit at {text.size:g} pt"
            for text, fits in tried
            if not fits
        ]
        factor = min((text.factor for text, _fits in tried), default=1.0)
        return [replace(text, factor=factor) for text, _fits in tried]

    def _with_thing(self) -> None:
        slide, assignment = self._slide, self._assignment
        lead = self._lead()
        thing = assignment.thing
        body = self._body_lines() if slide.body else ()
        text = assignment.texts[0] if assignment.texts else None
        if thing is None:
            area = self._area
            thing = Region(area)
            if body:
                middle = area.left + area.width * 0.55
                thing = Region(area._replace(right=middle - 12))
                style = TextStyle(self._theme.scale.body, marks="bullet", spacing=8.0)
                paragraphs = tuple(BoxParagraph(line.text, line.level) for line in body)
                box = area._replace(left=middle + 12)
                self._free_text(TextBox("Text", box, paragraphs, style))
        if text is not None and body:
            self._put("Text", text, body, self._least)
        thing = self._above_source(thing)
        if lead:
            left, top, right, bottom = thing.box
            style = TextStyle(self._theme.scale.caption, "muted")
            end = self._caption("Subtitle", lead[0].text, Box(left, top, right, bottom), style)
            thing = Region(Box(left, end + 6, right, bottom), thing.place)
        self._put_thing(thing)

    def _put_thing(self, region: Region) -> None:
        slide = self._slide
        bare = slide.model_copy(update={"body": (), "subtitle": None, "source": None})
        if slide.picture:
            page = self._page(bare, region.box)
            items: list[Item] = [placed_picture(page, region.box)]
        else:
            layout = "chart" if slide.chart else "table"
            items = self._laid_out(bare.model_copy(update={"layout": layout}), region.box)
        self._items += items
        self._held = region.place

    def _drawn(self) -> None:
        """Numbers, steps, cards, and columns for which the template has no layout."""
        lead = self._lead()
        box = self._above_source(Region(self._area)).box
        if lead:
            style = TextStyle(self._theme.scale.small, "muted")
            end = self._caption("Subtitle", lead[0].text, box, style)
            box = box._replace(top=end + 12)
        self._items += self._laid_out(self._slide.model_copy(update={"subtitle": None}), box)

    def _caption(self, name: str, words: str, room: Box, style: TextStyle) -> float:
        """A line of text at the top of a room; returns where it ends."""
        text = TextBox(name, room, (BoxParagraph(words),), style)
        end = min(room.top + self._fitter.height(text) + 2, room.bottom)
        self._free_text(replace(text, box=room._replace(bottom=end)))
        return end

    def _laid_out(self, slide: SlidePlan, room: Box) -> list[Item]:
        page = self._page(slide, room)
        lay_out_page(page)
        self._problems += page.problems
        return [item for item in page.items if not _is_furniture(item)]

    def _page(self, slide: SlidePlan, room: Box) -> AreaPage:
        return AreaPage(
            slide, self._theme, self._fitter, self._theme.scale.title, LEAST_PT, room=room
        )

    def _above_source(self, region: Region, *, quiet: bool = False) -> Region:
        """Put the source line below a region, or in its foot; returns what is left of it."""
        words = self._slide.shown_source
        if not words:
            return region
        left, top, right, bottom = region.box
        inset = region.place.insets.left if region.place else 0.0
        style = TextStyle(self._theme.scale.caption, "muted", anchor="top")
        text = TextBox("Source", Box(left + inset, 0, right, 600), (BoxParagraph(words),), style)
        high = self._fitter.height(text) + 2
        free = self._lowest(region.box) - bottom
        below = Box(left, bottom + 4, right, bottom + 4 + high)
        inside = free < high + 4 or any(_meet(below, one) for one in self._layout.fixed)
        foot = bottom - high if inside else bottom + 4
        if not quiet:
            self._items.append(replace(text, box=Box(left + inset, foot, right, foot + high)))
        return replace(region, box=Box(left, top, right, foot - 6 if inside else bottom))

    def _lowest(self, box: Box) -> float:
        """The top of what stands below a box, or the slide's lower margin."""
        layout = self._layout
        taken = [place.box for place in layout.places if place.kind in ("footer", "number", "date")]
        taken += list(layout.fixed)
        below = [one.top for one in taken if one.top >= box.bottom - 2
                 and one.left < box.right and one.right > box.left]  # fmt: skip
        return min([*below, layout.size[1] * 0.97])

    def _put(self, name: str, region: Region, lines: tuple[PlaceLine, ...], least: float) -> None:
        """Text in a placeholder."""
        place = region.place
        assert place is not None, "text of a placeholder"
        box = None if region.box == place.box else region.box
        text, fits = fitted(PlaceText(name, place, lines, box=box), self._deck.language,
                            least=least)  # fmt: skip
        if not fits:
            self._problems.append(f"{name}: the text does not fit at {text.size:g} pt")
        self._texts.append(text)

    def _free_text(self, box: TextBox) -> None:
        fitted_boxes, fits = self._fitter.largest([box], LEAST_PT)
        if not fits:
            self._problems.append(f"{box.name}: the text does not fit at {LEAST_PT:g} pt")
        self._items += fitted_boxes

    def _footers(self) -> None:
        number, footer = self._layout.first("number"), self._layout.first("footer")
        words = _own_words(footer) or self._deck.footer
        if footer is not None and words:
            text = PlaceText("Footer", footer, (PlaceLine(words),))
            made, fits = fitted(text, self._deck.language)
            if fits:
                self._texts.append(made)
            else:
                why = "longer than its place"
                self._missing.append(Missing("the footer", why, "it is left out"))
        if number is not None:
            self._texts.append(PlaceText("Slide number", number, (PlaceLine("‹#›"),)))


def _meet(first: Box, second: Box) -> bool:
    shared = first.intersection(second)
    return shared.width > 1 and shared.height > 1


def _own_words(place: LayoutPlace | None) -> str:
    """The words that the template itself has in its footer, such as a mark of confidentiality."""
    if place is None or not place.prompt.strip():
        return ""
    words = " ".join(place.prompt.split())
    return "" if _STOCK.search(words) else words


def _lines(points: Iterable[Point], *, single: bool = True) -> tuple[PlaceLine, ...]:
    made = tuple(PlaceLine(point.text, point.level) for point in points)
    if len(made) == 1 and single:
        return (replace(made[0], bare=True),)
    return made


def _numbered(points: Iterable[Point], first: int) -> tuple[PlaceLine, ...]:
    return tuple(_counted(points, first))


def _counted(points: Iterable[Point], first: int) -> Iterator[PlaceLine]:
    number = first
    for point in points:
        yield PlaceLine(point.text, point.level, number=0 if point.level else number)
        number += point.level == 0


def _is_furniture(item: Item) -> bool:
    if isinstance(item, GroupBox):
        return False
    slot = getattr(item, "slot", None)
    return slot is not None and slot.kind in _FURNITURE and not isinstance(item, PictureBox)


def _plain_look(layout: TemplateLayout, size: float) -> LevelLook:
    """How a title is set where the layout has no placeholder for it."""
    return LevelLook(
        size=size, family=layout.heading_font, bold=True, caps=False, color="#000000", slot="tx1",
        bulleted=False, margin=0.0, indent=0.0, letter_spacing=0.0, line_share=1.0,
        line_points=0.0, before=0.0, after=0.0, sized=True,
    )  # fmt: skip
