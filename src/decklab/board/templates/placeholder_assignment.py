"""For each slide the layouts of a template that can hold it, and which part goes where."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain as chained
from typing import Final

from decklab.board.blueprint import SlidePlan
from decklab.board.library import LayoutName
from decklab.board.templates.margins import (
    MOST_DRAWN,
    drawn_area,
    free_area,
    holds,
    on_ground,
    text_area,
    text_ink,
)
from decklab.board.templates.places import (
    ContentCell,
    DeckTemplate,
    LayoutPlace,
    PlaceKind,
    TemplateLayout,
    crosses,
)
from decklab.board.templates.uses import Use, UseTable, abreast
from decklab.core.geometry import Box

_MARGIN = 0.05
_TOP = 0.36
"""Share of the slide's height above which a title stands at the top."""
_ADRIFT = 0.25
"""Share of the slide's height from which on a subtitle does not belong to its title. Ours."""
_WIDE_TITLE = 0.4
_SAME_TITLE = 0.05
"""Share of the slide's height that titles of two layouts may be apart to be alike. Ours."""
_MARK = 0.1
"""Share of the slide up to which a drawing is a mark or a rule, which a slide can do without."""
_LEAST_AREA = 0.3
_OFF_GROUND = 0.05
"""Share of free content that a drawing is behind at most, but for one behind all of it."""
_MOST_CANDIDATES = 4

_NAMED: Final[dict[Use, str]] = {
    "title": "a title slide", "section": "a section", "closing": "an ending",
    "contents": "contents", "body": "text", "two_columns": "two columns",
    "three_columns": "three columns", "comparison": "a comparison", "quote": "a quotation",
    "picture_text": "a picture beside text", "picture": "a picture", "chart": "a chart",
    "table": "a table", "title_only": "a title alone", "blank": "nothing",
}  # fmt: skip


STANDING: Final[frozenset[LayoutName]] = frozenset(
    {"title", "section", "closing", "call_to_action"}
)
"""Layouts that are hardly more than a title."""
_COLUMNS: Final[frozenset[LayoutName]] = frozenset({"two_columns", "three_columns", "comparison"})
_THINGS: Final[frozenset[LayoutName]] = frozenset(
    {
        "picture_left",
        "picture_right",
        "picture_full",
        "picture_half",
        "chart",
        "chart_takeaways",
        "table",
    }
)
_TEXTS: Final[frozenset[LayoutName]] = frozenset({"body", "contents", "quote", "statement"})
"""Those whose content stands in placeholders; that of all others is drawn."""


@dataclass(frozen=True)
class Region:
    """Where something stands: in a placeholder, or free on the slide where there is none."""

    box: Box
    place: LayoutPlace | None = None


@dataclass(frozen=True)
class Missing:
    """Content for which a template has no place, the cause, and the substitute."""

    what: str
    why: str
    instead: str

    def __str__(self) -> str:
        return f"{self.what}: {self.why}; {self.instead}"


@dataclass(frozen=True)
class PlaceholderAssignment:
    """A layout for a slide, and which of its placeholders holds which part."""

    layout: TemplateLayout
    area: Box
    """Where content without a placeholder may stand."""
    texts: tuple[Region, ...] = ()
    headings: tuple[LayoutPlace | None, ...] = ()
    thing: Region | None = None
    """For the picture, chart or table."""
    title_box: Box | None = None
    """Where the title stands, if not where the layout has it."""
    hides_drawings: bool = False
    """Whether the marks and rules of the layout would run through the content, and are hidden."""
    missing: tuple[Missing, ...] = ()


def placeholder_assignments(
    plan: SlidePlan, template: DeckTemplate, table: UseTable, *, mirrored: bool = False
) -> list[PlaceholderAssignment]:
    """The layouts that can hold a slide, with its content assigned to their placeholders.

    The best first; never none.
    """
    assigner = _Assigner(template, table, mirrored)
    found = [*assigner.found(plan), *assigner.on_pages(plan)]
    found.sort(key=lambda way: not way.layout.slide)
    return found or [assigner.anywhere(plan)]


def free_assignment(
    template: DeckTemplate, table: UseTable, missing: Missing
) -> PlaceholderAssignment:
    """A layout on which all but the title stands free; ``missing`` says why."""
    assigner = _Assigner(template, table, False)
    return assigner.open((assigner.bare() or list(template.layouts))[0], missing)


@dataclass(frozen=True)
class _Assigner:
    template: DeckTemplate
    table: UseTable
    mirrored: bool

    def found(self, plan: SlidePlan) -> Iterator[PlaceholderAssignment]:
        if plan.layout in STANDING:
            yield from self._standing(plan)
        elif plan.layout in _COLUMNS:
            yield from self._columns(plan)
        elif plan.layout in _THINGS:
            yield from self._with_thing(plan)
        elif plan.layout in _TEXTS:
            yield from self._text(plan)
        else:
            yield from self._drawn()

    def _layouts(self, use: Use) -> tuple[TemplateLayout, ...]:
        return self.table.of_master(use)[:_MOST_CANDIDATES]

    def on_pages(self, plan: SlidePlan) -> Iterator[PlaceholderAssignment]:
        """Pages of an example on which a slide stands free, in the place for their content."""
        missing: tuple[Missing, ...] = ()
        for layout in self.bare() if plan.layout not in STANDING else ():
            if plan.layout in _THINGS:
                why = "no slide of the example has a place for it"
                missing = (Missing("the content", why, f"it stands free on {layout.shown_name}"),)
            if layout.slide:
                yield self.open(layout, *missing)

    def _standing(self, plan: SlidePlan) -> Iterator[PlaceholderAssignment]:
        """Slides with a title and hardly more; a title at the top comes down to the middle."""
        chains: dict[str, tuple[Use, ...]] = {
            "title": ("title", "section", "closing", "title_only", "body"),
            "section": ("section", "title", "title_only", "body"),
        }
        chain = chains.get(plan.layout, ("closing", "title", "section", "title_only", "body"))
        uses = [self.table.first(chain[at:])[:_MOST_CANDIDATES] for at in range(len(chain))]
        for layout in dict.fromkeys(chained.from_iterable(uses)):
            if layout.role == "body" and (layout.shapes.blocks or not _middle_of(layout)):
                continue
            missing: tuple[Missing, ...] = ()
            known = chain[:2] if chain[0] == "closing" else chain[:1]
            if not any(layout in self.table.layouts[use] for use in known):
                why = f"no layout for {_NAMED[chain[0]]}"
                missing = (Missing("the slide", why, f"it stands on {layout.shown_name}"),)
            yield PlaceholderAssignment(
                layout, self._area(layout), title_box=_middle_of(layout), missing=missing
            )

    def _text(self, plan: SlidePlan) -> Iterator[PlaceholderAssignment]:
        wanted: tuple[Use, ...] = ("body",)
        if plan.quote:
            wanted = ("quote", "body")
        elif plan.layout == "contents":
            wanted = ("contents", "body")
        if not (plan.body or plan.quote):
            wanted = ("title_only", "section", "body")
        for layout in self.table.first(wanted)[:_MOST_CANDIDATES]:
            cells = [cell for cell in layout.cells if cell.place.takes_text]
            texts = tuple(Region(cell.place.box, cell.place) for cell in cells[:1])
            yield PlaceholderAssignment(layout, self._area(layout), texts)
        if plan.body or plan.quote:
            yield from self._drawn()

    def _columns(self, plan: SlidePlan) -> Iterator[PlaceholderAssignment]:
        count = len(plan.columns)
        use: Use = "two_columns" if count == 2 else "three_columns"
        headed = any(column.heading for column in plan.columns)
        first = self._layouts("comparison") if headed and count == 2 else ()
        found = False
        tried = dict.fromkeys((*first, *self._layouts(use)))
        for layout in sorted(tried, key=lambda one: one.number in self.table.doubtful):
            cells = self._ordered(layout.cells)
            if len(cells) != count or not abreast(layout.cells):
                continue
            found = True
            texts = tuple(Region(cell.place.box, cell.place) for cell in cells)
            headings = tuple(cell.heading for cell in cells)
            yield PlaceholderAssignment(layout, self._area(layout), texts, headings)
        if not found:
            why = f"no layout for {_NAMED[use]}"
            yield from self._free("the columns", why, "they stand as text boxes")
        else:
            yield from self._drawn()

    def _drawn(self) -> Iterator[PlaceholderAssignment]:
        for layout in self.bare():
            yield self.open(layout)

    def open(self, layout: TemplateLayout, *missing: Missing) -> PlaceholderAssignment:
        """A layout for what stands free; a title that leaves no room for it moves to the top."""
        area, (width, height) = self._area(layout), layout.size
        title = layout.title
        roomy = area.area >= _LEAST_AREA * width * height
        if title is None or (roomy and area.bottom > title.box.bottom):
            return PlaceholderAssignment(layout, area, missing=missing)
        left, right = _MARGIN * width, (1 - _MARGIN) * width
        box = Box(left, _MARGIN * height, right, 0.2 * height)
        moved = Missing(
            "the title", f"{layout.shown_name} leaves no room below it", "it stands at the top"
        )
        area = on_ground(Box(left, 0.23 * height, right, 0.9 * height), layout)
        return PlaceholderAssignment(
            layout, area, title_box=box, hides_drawings=_only_marks(layout, (box, area)),
            missing=(*missing, moved),
        )  # fmt: skip

    def _with_thing(self, plan: SlidePlan) -> Iterator[PlaceholderAssignment]:
        kind: PlaceKind = "picture" if plan.picture else "chart" if plan.chart else "table"
        use: Use = "picture" if plan.picture else "chart" if plan.chart else "table"
        if plan.body:
            found = list(self._beside_text(plan, kind))
            why = f"no layout for a {kind} beside text that holds it"
            yield from found or self._free(f"the {kind} beside text", why, "both stand free")
            yield from self._drawn() if found else ()
            return
        for layout in self._layouts(use):
            place, area = layout.cells[0].place, self._area(layout)
            box = place.box if kind == "picture" else area if layout.slide else text_ink(place)
            yield PlaceholderAssignment(layout, area, thing=Region(box, place))
        if not self._layouts(use):
            why = f"no layout with a place for {_NAMED[use]}"
            yield from self._free(f"the {kind}", why, "it stands free")

    def _beside_text(self, plan: SlidePlan, kind: PlaceKind) -> Iterator[PlaceholderAssignment]:
        """A picture or chart beside points; columns of a table need more than half of a slide."""
        leading = plan.layout in ("picture_left", "chart_takeaways")
        for layout in self._layouts("picture_text") if kind != "table" else ():
            pair = self._pair(layout, kind, leading=leading)
            if pair is not None:
                thing, text = pair
                texts = (Region(text.box, text),)
                yield PlaceholderAssignment(
                    layout, self._area(layout), texts, thing=Region(thing.box, thing)
                )

    def _pair(
        self, layout: TemplateLayout, kind: PlaceKind, *, leading: bool
    ) -> tuple[LayoutPlace, LayoutPlace] | None:
        """The places for a thing and for text on a layout of two, the thing before if ``leading``.

        Where only one of them takes the thing, that one does.
        """
        first, second = (cell.place for cell in self._ordered(layout.cells))
        pairs = [(first, second), (second, first)]
        for thing, text in pairs if leading else pairs[::-1]:
            large = thing.box.area >= 0.9 * text.box.area or thing.kind == kind
            if thing.takes(kind) and text.takes_text and large:
                return thing, text
        return None

    def _free(self, what: str, why: str, instead: str) -> Iterator[PlaceholderAssignment]:
        for layout in self.bare():
            yield self.open(layout, Missing(what, why, f"{instead} on {layout.shown_name}"))

    def anywhere(self, plan: SlidePlan) -> PlaceholderAssignment:
        """An assignment where the template has nothing that fits: a layout with a title, or any."""
        layouts = self._with_title() or list(self.template.layouts)
        standing = plan.layout in STANDING
        layout = min(layouts, key=lambda one: one.clutter) if standing else layouts[0]
        missing = Missing(
            "the slide", f"no layout that a slide of kind {plan.layout!r} fits",
            f"it stands free on {layout.shown_name}",
        )  # fmt: skip
        if standing and (middle := _middle_of(layout)):
            return PlaceholderAssignment(
                layout, self._area(layout), title_box=middle, missing=(missing,)
            )
        return self.open(layout, missing)

    def bare(self) -> list[TemplateLayout]:
        """Layouts for what stands in no placeholder but its title, on the usual ground first."""
        texts = self._layouts("body")
        titled = self._with_title()
        candidates = [
            one for one in (*self._layouts("title_only"), *texts, *titled)
            if not one.slide or self._carries(one)
        ]  # fmt: skip
        usual = max(texts[:1] or titled, key=lambda layout: layout.shown_by, default=None)
        if usual is None:
            return candidates[:_MOST_CANDIDATES]
        ordered = sorted(
            candidates,
            key=lambda layout: (
                not layout.slide,
                _other_ground(layout, usual),
                not layout.slide and _other_title(layout, usual),
            ),
        )
        sound = [
            one for one in ordered
            if _has_wide_title(one) and not _other_ground(one, usual)
            and self.open(one).title_box is None
        ]  # fmt: skip
        return list(dict.fromkeys(sound or ordered))[:_MOST_CANDIDATES]

    def _carries(self, page: TemplateLayout) -> bool:
        """Whether free content stands below the title of an example's page, on one ground and on
        no drawing."""
        opened = self.open(page)
        area = opened.area
        return opened.title_box is None and all(
            one.intersection(area).area < _OFF_GROUND * area.area or holds(one, area)
            for one in (*page.grounds, *page.fixed)
        )

    def _with_title(self) -> list[TemplateLayout]:
        """Layouts with a title, those with a free area below it first."""
        found = [one for one in self.template.layouts if one.title and not one.title.vertical
                 and one.role in (None, "body")]  # fmt: skip
        slide = self.template.size[1]
        return sorted(
            found,
            key=lambda one: (
                one.master != self.table.master,
                one.title is not None and one.title.box.top > slide * 0.3,
                one.number,
            ),
        )

    def _ordered(self, cells: tuple[ContentCell, ...]) -> tuple[ContentCell, ...]:
        return cells[::-1] if self.mirrored else cells

    def _area(self, layout: TemplateLayout) -> Box:
        """Where content without a placeholder stands: as on the layout for text, if free; on a
        page of an example as on the page with the most room on the same ground."""
        areas = [
            on_ground(drawn_area(area, layout), layout)
            for other in (layout, *self._layouts("body"))
            if (area := text_area(other)) is not None and self._is_free(area, layout, other)
            and (other is layout or not layout.slide or _ground(other) == _ground(layout))
        ]  # fmt: skip
        if layout.slide and areas:
            return max(areas, key=lambda area: area.area)
        return areas[0] if areas else on_ground(free_area(layout), layout)

    def _is_free(self, box: Box, layout: TemplateLayout, usual: TemplateLayout) -> bool:
        """Whether the place for text on a usual layout is free on another one too."""
        title = layout.title
        taken = [] if title is None else [title.box]
        most = MOST_DRAWN * _slide(layout).area
        drawn = [one for one in layout.fixed if one.area < most and one not in usual.fixed]
        clear = all(box.intersection(one).area <= 0.02 * box.area for one in (*taken, *drawn))
        return clear and not any(crosses(one, box) for one in drawn)


def _ground(layout: TemplateLayout) -> tuple[str | None, str | None]:
    """What is behind a layout's slides."""
    return layout.ground, layout.shade


def _has_wide_title(layout: TemplateLayout) -> bool:
    """Whether a layout's title spans what stands below it, as the titles of captions do not."""
    return layout.title is None or layout.title.box.width > _WIDE_TITLE * layout.size[0]


def _other_ground(layout: TemplateLayout, usual: TemplateLayout) -> bool:
    """Whether a layout has a picture behind it, as covers have, unlike the one that decks use."""
    return layout.ground != usual.ground and layout.ground is None


def _other_title(layout: TemplateLayout, usual: TemplateLayout) -> bool:
    """Whether titles look or stand otherwise than on the layout that decks use."""
    if (
        layout.title is None
        or usual.title is None
        or not (layout.title.levels and usual.title.levels)
    ):
        return layout.title is not usual.title
    own, other = layout.title.levels[0], usual.title.levels[0]
    looks = [(look.size, look.bold, look.italic, look.caps, look.color) for look in (own, other)]
    apart = abs(layout.title.box.top - usual.title.box.top) > _SAME_TITLE * layout.size[1]
    return looks[0] != looks[1] or apart


def _only_marks(layout: TemplateLayout, boxes: tuple[Box, ...]) -> bool:
    """Whether small drawings of a layout stand in some boxes, and it has no large ones."""
    most = _MARK * _slide(layout).area
    small = all(one.area < most for one in layout.fixed)
    return small and any(one.grown(1).intersection(box).area for one in layout.fixed
                         for box in boxes)  # fmt: skip


def _slide(layout: TemplateLayout) -> Box:
    return Box(0.0, 0.0, *layout.size)


def _middle_of(layout: TemplateLayout) -> Box | None:
    """Where the title of a slide that has hardly more stands, if its layout has it at the top."""
    title, (width, height) = layout.title, layout.size
    subtitle = layout.first("subtitle")
    if title is None:
        return None
    middle = (title.box.top + title.box.bottom) / 2
    if (middle if layout.slide else title.box.bottom) > _TOP * height:
        return None
    below = None if layout.slide else subtitle
    if below is not None and below.box.top - title.box.bottom < _ADRIFT * height:
        return None
    if layout.role not in (None, "body", "opening"):
        return None
    if layout.role == "opening" and title.box.bottom > _TOP * height:
        return None
    if any(one.top > _TOP * height for one in _large_drawings(layout)):
        return None
    left, right = min(title.box.left, 0.1 * width), max(title.box.right, 0.9 * width)
    return Box(left, 0.3 * height, right, 0.58 * height)


def _large_drawings(layout: TemplateLayout) -> list[Box]:
    slide = _slide(layout)
    return [box for box in layout.fixed if 0.1 * slide.area < box.area < MOST_DRAWN * slide.area]
