"""One slide filled in one layout of a template, its texts fitted in the placeholders."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from decklab.board.blueprint import DeckPlan, Point, SlidePlan
from decklab.board.languages import quotation_marks
from decklab.board.marked_text import MarkedText
from decklab.board.pages.document import AreaPage
from decklab.board.slots.measuring import (
    PlaceLine,
    PlaceText,
    fitted,
    look_of,
    measured,
    plain_look,
    text_box,
)
from decklab.board.slots.measuring import fits as in_place
from decklab.board.slots.parts import DrawnPart, area_page, page_scale
from decklab.board.templates.margins import holds
from decklab.board.templates.palette import ground_of
from decklab.board.templates.placeholder_assignment import (
    STANDING,
    Missing,
    PlaceholderAssignment,
    Region,
)
from decklab.board.templates.places import LayoutPlace, TemplateLayout
from decklab.board.themes import LEAST_PT
from decklab.core.geometry import Box

_SHRUNK = 3.0
_MOST_SHRUNK = 1.2
"""Costs of text at no size at all, and the most for running text. Ours."""
_DRAWN_TEXT = 1.5
"""Cost of running text that a browser lays out although a place could hold it. Ours."""
_GAP, _CLOSE = 10.0, 0.1
"""Cost of the height of the slide between a title and what is drawn, and the share that is free.
Ours."""
_NEAR = 0.065
"""Share of the slide's height between the title of an example's page and its content. Ours."""
_UNEVEN, _EVEN = 1.5, 0.5
"""Cost of columns of which one has few words beside another, and the share that is enough. Ours."""
_ALL_BOLD = 2.0
"""Cost of running text that is bold throughout. Ours."""
_NARROW, _WIDE_TEXT, _WIDE_DRAWN = 20.0, 0.6, 0.75
_SMALL_THING, _LEAST_THING, _WIDE_THING = 20.0, 0.24, 0.65
"""Costs of text and of what is drawn, narrower than shares of the slide's width, of a picture,
chart or table on less than a share of the slide, and the width below which a lone table costs.
"""
_TITLE_LINES = 2
_NARROW_TITLE = 0.45
_BELOW_TITLE = 12.0
"""Points between a title and what is drawn below it."""
LEAST_TITLE: Final = 18.0
"""Points that titles have at least, where their place allows it."""
_RULE, _ABOVE_TITLE = (96.0, 6.0), 24.0
"""Width and height of the line on a bare cover, and how far it is above the title, in points. Ours.
"""
_TOP_MARGIN = 0.05
_MARKS = 0.08
"""Share of the slide that drawings of a bare cover take at most. Ours."""
_COVER_TITLE = 40.0
"""Points of a title that stands alone on a layout whose titles are headings."""
TYPED = re.compile(r"([1-9]\d?)[.)]\s+")
"""A number that was typed before a text."""
_STOCK = re.compile(
    r"\b(footer|click|fußzeile|pied de page|your|sample text|presentation title|add text)\b",
    re.IGNORECASE,
)
"""Words of footers that only ask for words."""


@dataclass(frozen=True)
class FilledSlide:
    """One slide in its layout: texts of placeholders, and what stands free or in one."""

    plan: SlidePlan
    assignment: PlaceholderAssignment
    texts: tuple[PlaceText, ...]
    part: AreaPage | None = None
    """Parts that the browser has to lay out."""
    drawing: DrawnPart | None = None
    """That part, laid out."""
    held: LayoutPlace | None = None
    """The place that the picture, chart or table is in."""
    missing: tuple[Missing, ...] = ()
    problems: tuple[str, ...] = ()
    more_notes: tuple[str, ...] = ()
    """Words in the notes that have no place on the slide."""
    rule: Box | None = None
    """A line in the accent colour, where a cover has nothing else but its words."""
    gap: float = 0.0
    """Share of the slide's height between the title and what is drawn below it."""
    of: int = 0
    """Which slide of the plan it shows or is a part of, counted from 0."""

    @property
    def layout(self) -> TemplateLayout:
        """The layout that it is on."""
        return self.assignment.layout

    @property
    def cost(self) -> float:
        """How much its texts had to shrink, and how much stays empty; 0 is best."""
        running = [text for text in self.texts if text.name.startswith(("Text", "Column"))]
        cost = sum(_SHRUNK * (1 - text.factor) for text in self.texts[:1])
        small = max((_SHRUNK * (1 - text.factor) for text in running), default=0.0)
        cost += min(small, _MOST_SHRUNK)
        boxes = [text.box or text.place.box for text in running]
        wide = sum(box.width for box in boxes) / self.layout.size[0] if boxes else 1.0
        thing = self.assignment.thing
        if self.part is not None and thing is None and self.layout.slide:
            share = self.part.area[2] * page_scale(self.layout.size) / self.layout.size[0]
            cost += _NARROW * max(0.0, _WIDE_DRAWN - share)
        if self.part is not None and self.plan.layout in ("body", "contents"):
            cost += _DRAWN_TEXT
        words = [sum(len(line.text) for line in text.lines) for text in self.texts
                 if text.name.startswith("Column")]  # fmt: skip
        cost += _UNEVEN * (bool(words) and min(words) < _EVEN * max(words))
        cost += _GAP * max(0.0, self.gap - _CLOSE)
        cost += _ALL_BOLD * any(text.place.levels[0].bold for text in running)
        if thing is not None:
            share = thing.box.area / (self.layout.size[0] * self.layout.size[1])
            cost += _SMALL_THING * max(0.0, _LEAST_THING - share)
            if self.plan.table is not None and not self.assignment.texts:
                cost += _NARROW * max(0.0, _WIDE_THING - thing.box.width / self.layout.size[0])
        else:
            cost += _NARROW * max(0.0, _WIDE_TEXT - wide)
        return cost


class PageInTemplate:
    """One slide in one layout while it is filled."""

    def __init__(
        self, plan: DeckPlan, slide: SlidePlan, assignment: PlaceholderAssignment, least: float
    ) -> None:
        self._deck, self._slide, self._assignment, self._least = plan, slide, assignment, least
        self._layout = assignment.layout
        self._texts: list[PlaceText] = []
        self._part: AreaPage | None = None
        self._gap = 0.0
        self._missing = list(assignment.missing)
        self._problems: list[str] = []
        self._more_notes: list[str] = []
        self._held: LayoutPlace | None = None
        self._area = assignment.area
        self._scale = page_scale(self._layout.size)

    def made(self) -> FilledSlide:
        """The slide with its texts at the sizes at which they fit, and what does not."""
        slide = self._slide
        self._title()
        if slide.layout in STANDING:
            self._standing()
        else:
            self._content()
            self._footers()
        return FilledSlide(
            slide, self._assignment, tuple(self._texts), self._part, None, self._held,
            tuple(self._missing), tuple(self._problems), tuple(self._more_notes), self._rule(),
            self._gap,
        )  # fmt: skip

    def _title(self) -> None:
        place, box = self._layout.title, self._assignment.title_box
        if place is None or place.vertical:
            box = self._own_title_box()
            look = plain_look(
                self._layout.heading_font, 28.0 * self._scale, bold=True, least=self._least_pt
            )
            inset = Box(0, 0, 0, 0)
            place = LayoutPlace("title", "Title", (("type", "title"),), box, inset, (look,))
            self._missing.append(
                Missing(
                    "the title", f"{self._layout.shown_name} has no title", "it stands on its own"
                )
            )
        most = _TITLE_LINES if place.box.width > _NARROW_TITLE * self._layout.size[0] else 4
        words = PlaceLine(self._slide.title, bare=look_of(place, 0).bulleted)
        text = PlaceText("Title", place, (words,), box=box)
        full = look_of(place, 0).size
        least = min(LEAST_TITLE * self._scale, full)
        if self._slide.layout in STANDING:
            least = min(least, 0.5 * full)
        room = self._cover_room(place) if self._slide.layout in STANDING else place.room
        if room is not None and box is None:
            made, fits = fitted(text, self._deck.language, least=0.8 * full, most_lines=most)
            text = text if fits else replace(text, box=room)
        standing = box is not None and self._slide.layout in STANDING
        start = max(_COVER_TITLE * self._scale / full, 1.0) if standing else 1.0
        made, fits = fitted(
            text, self._deck.language, least=least, most_lines=most + standing, start=start
        )
        if not fits:
            made, fits = fitted(text, self._deck.language)
        if not fits:
            self._missing.append(
                Missing("the title", f"longer than its place at {made.size:g} pt",
                        "it reaches over its place")
            )  # fmt: skip
        self._texts.append(made)
        if standing:
            left, _top, right, _bottom = made.box or made.place.box
            ink, inset = self._title_ink(), place.insets
            box = Box(left, ink.top - inset.top, right, ink.bottom + inset.bottom)
            self._texts[-1] = replace(made, box=box)

    def _cover_room(self, place: LayoutPlace) -> Box:
        """Where the title of a slide with hardly more may reach, from where its text stands."""
        left, top, right, bottom = place.box
        high = self._layout.size[1]
        others = [one.box.top for one in self._layout.places
                  if one.kind in ("subtitle", "text") and one.box.top >= bottom - 2]  # fmt: skip
        others += [one.top for one in self._layout.fixed
                   if one.top >= bottom - 2 and one.left < right and one.right > left]  # fmt: skip
        down = min([high * 0.92, *others]) - 8 * self._scale - bottom
        up, down = (max(min(way, place.box.height), 0.0) for way in (top - 0.08 * high, down))
        if place.anchor == "middle":
            up = down = min(up, down)
        return Box(left, top - up * (place.anchor != "top"), right,
                   bottom + down * (place.anchor != "bottom"))  # fmt: skip

    def _own_title_box(self) -> Box:
        """Where a title stands that its layout has no place for."""
        left, top, right, _bottom = self._area
        if self._slide.layout in STANDING:
            high = self._layout.size[1]
            return Box(left, 0.3 * high, right, 0.58 * high)
        self._area = self._area._replace(top=top + 72 * self._scale)
        return Box(left, top, right, top + 64 * self._scale)

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
        title = self._texts[0].place
        below = place is not None and place.box.bottom > self._title_ink().top
        if place is not None and below and self._assignment.title_box is None:
            self._put("Subtitle", Region(place.box, place), lines, self._least_pt)
            return
        self._free("Subtitle", self._off_drawings(lines), lines, 20.0,
                   align=look_of(title, 0).align)  # fmt: skip
        why = f"{self._layout.shown_name} has no subtitle"
        self._missing.append(Missing("the subtitle", why, "it stands in a text box"))

    def _off_drawings(self, lines: tuple[PlaceLine, ...]) -> Box:
        """Where a subtitle stands without a place: below the title, else above it where what is
        drawn below would be behind it."""
        below, unit = self._below_title(), self._scale
        drawn = [one for one in self._layout.fixed if not holds(one, self._title_ink())]
        place = text_box("Subtitle", below, self._layout, 20.0 * unit)
        high = measured(PlaceText("Subtitle", place, lines), self._deck.language)[0]
        bottom = self._title_ink().top - 12 * unit
        above = below._replace(top=bottom - high - 2, bottom=bottom)
        free = above.top > 0.04 * self._layout.size[1] and not any(_meet(above, x) for x in drawn)
        return above if free and any(_meet(below, one) for one in drawn) else below

    def _title_ink(self) -> Box:
        """Where the lines of the title stand in its place."""
        title = self._texts[0]
        room, high = title.room, measured(title, self._deck.language)[0]
        spare = room.height - high
        top = room.top + {"middle": spare / 2, "bottom": spare}.get(title.place.anchor, 0.0)
        return room._replace(top=top, bottom=top + high)

    def _below_title(self) -> Box:
        title, unit = self._texts[0], self._scale
        bottom = (title.box or title.place.box).bottom
        left, _top, right, _bottom = title.room
        if bottom + 40 * unit > self._lowest(Box(left, bottom, right, bottom)):
            bottom = self._title_ink().bottom
        top = bottom + 8 * unit
        room = min(self._layout.size[1] * 0.95, self._lowest(Box(left, top, right, top))) - top
        return Box(left, top, right, top + min(max(room, 24.0 * unit), 96.0 * unit))

    def _rule(self) -> Box | None:
        """The line above the title of a cover on which the template draws nothing."""
        layout, title = self._layout, self._texts[0]
        slide = Box(0, 0, *layout.size)
        drawn = sum(box.intersection(slide).area for box in layout.fixed) > _MARKS * slide.area
        if drawn or not layout.ground or self._slide.layout != "title" or title.place.vertical:
            return None
        ink, unit = self._title_ink(), self._scale
        wide, high = (side * unit for side in _RULE)
        spare = {"center": 0.5, "right": 1.0}.get(look_of(title.place, 0).align, 0.0)
        left = ink.left + spare * (ink.width - wide)
        top = ink.top - _ABOVE_TITLE * unit
        rule = Box(left, top, left + wide, top + high)
        marked = any(box.intersection(rule.grown(unit)).area for box in layout.fixed)
        return None if marked or top < _TOP_MARGIN * layout.size[1] else rule

    def _content(self) -> None:
        slide = self._slide
        if self._assignment.thing is not None:
            self._with_thing(self._assignment.thing)
        elif not self._assignment.texts:
            self._draw(slide, self._area)
        elif slide.columns:
            self._columns()
        else:
            self._body_text()

    def _body_text(self) -> None:
        region = self._assignment.texts[0]
        region = self._above_source(replace(region, box=self._raised(region.box)))
        first, title = self._title_ink().bottom + _BELOW_TITLE * self._scale, self._texts[0].room
        if title.top < region.box.top < first:
            region = replace(region, box=region.box._replace(top=first))
        self._put("Text", region, self._lead() + self._body_lines(), self._least)

    def _raised(self, box: Box) -> Box:
        """A box for content begun nearer to the title of an example's page, if all between goes."""
        layout, ink = self._layout, self._title_ink()
        top = ink.bottom + _NEAR * layout.size[1]
        between = Box(box.left, ink.bottom, box.right, box.top)
        drawn = any(one.grown(1).intersection(between).area for one in layout.fixed)
        free = layout.slide and layout.ground and ink.bottom < box.top and not drawn
        return box._replace(top=min(top, box.top)) if free else box

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
                "Subtitle", Region(place.box, place), (PlaceLine(words, bare=True),), self._least_pt
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
        heads, made = self._alike(heads, self._least_pt), self._alike(made, self._least)
        for text in made:
            heading = text.name.replace("Column", "Heading")
            self._texts += [head for head in heads if head.name == heading]
            self._texts.append(text)
        for line in lead:
            why = f"{self._layout.shown_name} has no place for it"
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

    def _with_thing(self, region: Region) -> None:
        """A picture, chart or table in its place, with text beside it."""
        slide = self._slide
        if self._assignment.texts and slide.body:
            self._put("Text", self._assignment.texts[0], self._body_lines(), self._least)
        layout = "picture_full" if slide.picture else "chart" if slide.chart else "table"
        self._draw(slide.model_copy(update={"body": (), "layout": layout}), region.box)
        self._held = region.place

    def _draw(self, slide: SlidePlan, area: Box) -> None:
        """Leave what is below the title of a slide to the browser."""
        lead = self._lead()
        words = lead[0].text if lead else None
        body = _without_bullets(slide.body) if slide.layout == "body" else slide.body
        slide = slide.model_copy(update={"subtitle": words, "body": body})
        layout, title = self._layout, self._texts[0]
        reach, area = self._title_ink().bottom, self._raised(area)
        if title.room.top < area.top < reach + _BELOW_TITLE * self._scale:
            area = area._replace(top=reach + _BELOW_TITLE * self._scale)
        self._gap = max(area.top - reach, 0.0) / layout.size[1]
        self._part = area_page(slide, area, size=layout.size, ground=ground_of(layout))

    def _above_source(self, region: Region, *, quiet: bool = False) -> Region:
        """Put the source line below a region, or in its foot; returns what is left of it."""
        words = self._slide.shown_source
        if not words:
            return region
        left, top, right, bottom = region.box
        inset = region.place.insets.left if region.place else 0.0
        line = (PlaceLine(words, soft=True),)
        room = Box(left + inset, 0, right, 600)
        text = PlaceText("Source", text_box("Source", room, self._layout, self._least_pt), line)
        high = measured(text, self._deck.language)[0] + 2
        free = self._lowest(region.box) - bottom
        below = Box(left, bottom + 4, right, bottom + 4 + high)
        inside = free < high + 4 or any(_meet(below, one) for one in self._layout.fixed)
        foot = bottom - high if inside else bottom + 4
        if not quiet:
            self._texts.append(replace(text, box=Box(left + inset, foot, right, foot + high)))
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
        whole = PlaceText(name, place, lines, box=box)
        if box is None and place.room is not None and not in_place(whole, self._deck.language):
            whole = replace(whole, box=place.room)
        text, fits = fitted(whole, self._deck.language, least=least)
        if not fits:
            self._problems.append(f"{name}: the text does not fit at {text.size:g} pt")
        self._texts.append(text)

    @property
    def _least_pt(self) -> float:
        return LEAST_PT * self._scale

    def _free(
        self, name: str, box: Box, lines: tuple[PlaceLine, ...], size: float, *, align: str
    ) -> None:
        """Text in a box of its own."""
        place = text_box(name, box, self._layout, size * self._scale)
        place = replace(place, levels=(replace(place.levels[0], align=align),))
        soft = tuple(replace(line, soft=True) for line in lines)
        text, fits = fitted(PlaceText(name, place, soft), self._deck.language)
        if not fits:
            self._problems.append(f"{name}: the text does not fit at {text.size:g} pt")
        self._texts.append(text)

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
    return "" if _STOCK.search(words) or words.islower() else words


def _lines(points: Iterable[Point], *, single: bool = True) -> tuple[PlaceLine, ...]:
    made = tuple(
        PlaceLine(
            point.ticked_text,
            point.level,
            bare=not point.mark,
            marked=bool(point.mark),
            number=_number_of(point),
        )
        for point in points
    )
    if single and [line.level for line in made].count(0) == 1:
        return (replace(made[0], bare=True, marked=False), *made[1:])
    return _with_numbers(made)


def _number_of(point: Point) -> int:
    """The number that is a point's mark; 0 for a bullet and for points below others."""
    number = point.mark.rstrip(".)")
    return int(number) if number.isdigit() and not point.level else 0


def _without_bullets(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Points that all begin with a number, without bullets before it."""
    outer = [point for point in points if not point.level]
    if len(outer) < 2 or not all(TYPED.match(point.text) for point in outer):
        return points
    return tuple(point if point.level else point.model_copy(update={"mark": ""})
                 for point in points)  # fmt: skip


def _with_numbers(lines: tuple[PlaceLine, ...]) -> tuple[PlaceLine, ...]:
    """Paragraphs that all begin with a number, numbered instead."""
    typed = {at: found for at, line in enumerate(lines)
             if not line.level and (found := TYPED.match(line.text))}  # fmt: skip
    if len(typed) < 2 or len(typed) < sum(not line.level for line in lines):
        return lines
    return tuple(
        replace(line, text=_cut(line.text, typed[at].end()), number=int(typed[at][1]))
        if at in typed else line
        for at, line in enumerate(lines)
    )  # fmt: skip


def _cut(text: str, first: int) -> str:
    """A text without its first characters, which have no marks."""
    if not isinstance(text, MarkedText):
        return text[first:]
    kept = []
    for span in text.spans:
        cut = min(first, len(span.text))
        first -= cut
        kept.append(replace(span, text=span.text[cut:]))
    return MarkedText(span for span in kept if span.text)


def _numbered(points: Iterable[Point], first: int) -> tuple[PlaceLine, ...]:
    return tuple(_counted(points, first))


def _counted(points: Iterable[Point], first: int) -> Iterator[PlaceLine]:
    number = first
    for point in points:
        yield PlaceLine(point.ticked_text, point.level, number=0 if point.level else number)
        number += point.level == 0
