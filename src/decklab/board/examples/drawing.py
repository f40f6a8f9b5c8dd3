"""Charts and tables that an example has no place for, drawn by the browser in its colours."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Final

from decklab.board.blueprint import ChartPlan, DeckPlan, SlidePlan, TablePlan
from decklab.board.boxes import Token
from decklab.board.chart_looks import GREYS, chart_table
from decklab.board.examples.choosing import ChosenSlide
from decklab.board.examples.colors import Areas, ground_of, readable, tokens_on
from decklab.board.examples.slots import SlideScale, TextSlot
from decklab.board.native.markup import DECLARED
from decklab.board.native.palette import Palette
from decklab.board.pages.document import AreaPage
from decklab.board.slots.parts import (
    DrawnPart,
    PartDrawer,
    PartTheme,
    area_page,
    draw_parts,
    part_theme,
)
from decklab.board.themes import SCHEME
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

_EDITED: Final = frozenset({"column", "bar", "line", "pie"})
"""Kinds of charts for which the example's own chart is given other data."""
_TEXT: Final = 16.0
"""Points of words that are drawn new, at most where the example has none beside them."""


@dataclass(frozen=True)
class PartLook:
    """How a part is drawn on a slide: its theme, and what becomes of its colours."""

    theme: PartTheme
    ground: str
    colors: dict[Token, str]
    """Elements of DrawingML by what they are for."""
    palette: "PlainPalette"


@dataclass(frozen=True)
class PlainPalette(Palette):
    """Colours and fonts that are written as they are, whatever the theme of the deck has."""

    def themed(self, xml: str, *, heading: bool = False) -> str:
        """The same."""
        return xml


def part_look(chosen: ChosenSlide, accents: Sequence[str]) -> PartLook:
    """The look of what is drawn on a slide, by the colours behind and the words beside it."""
    placed = chosen.placed
    assert placed is not None, "only objects with a place are drawn"
    ground = ground_of(standing(chosen), placed.box)
    values = tokens_on(ground, readable(ground, ink_colors(placed.ink)), accents)
    ink = placed.ink or chosen.texts[0].slot
    font = ink.look(0).paragraph.runs[0].font.name
    colors = {
        token: f'<a:srgbClr {DECLARED} val="{value[1:]}"/>' for token, value in values.items()
    }
    slots = {slot: values[token] for token, slot in SCHEME.items()}
    return PartLook(part_theme(values, font, font), ground, colors, PlainPalette(slots, font, font))


def is_drawn(chosen: ChosenSlide) -> bool:
    """Whether the object of a slide is made new: tables, and what the example has no object for."""
    placed, shown = chosen.placed, chosen.content.shown
    if chosen.content.drawn:
        return True
    if placed is None or not isinstance(shown, ChartPlan | TablePlan):
        return False
    if placed.slot is None or isinstance(shown, TablePlan):
        return True
    return shown.kind not in _EDITED or len(shown.series) > len(GREYS) + 1


@dataclass
class ObjectParts:
    """Draws parts for the slides of a plan."""

    plan: DeckPlan
    scale: SlideScale
    accents: tuple[str, ...]
    """The strong colours of the deck."""
    drawer: PartDrawer = field(init=False)

    def __post_init__(self) -> None:
        self.drawer = PartDrawer(self.size, {})

    @property
    def size(self) -> tuple[float, float]:
        """Of the slides, in points."""
        return FRAME_WIDTH * self.scale.across, FRAME_HEIGHT * self.scale.down

    def drawn(self, chosen: Sequence[list[ChosenSlide]]) -> list[list[ChosenSlide]]:
        """The slides with what their examples lack, all of one look laid out at once; a slide
        whose part takes several pages becomes as many."""
        flat = list(chain.from_iterable(chosen))
        groups: dict[str, dict[int, ChosenSlide]] = {}
        for number, choice in enumerate(flat):
            if is_drawn(choice):
                theme = part_look(choice, self.accents).theme
                groups.setdefault(repr(theme), {})[number] = choice
        made = {number: [choice] for number, choice in enumerate(flat)}
        for group in groups.values():
            made |= self._drawn(group)
        parts = iter(made[number] for number in range(len(flat)))
        return [list(chain.from_iterable(islice(parts, len(slides)))) for slides in chosen]

    def alone(self, choice: ChosenSlide) -> ChosenSlide:
        """A slide whose object the example does not take after all, with its part."""
        slides = self._drawn({0: choice})[0]
        return slides[0] if len(slides) == 1 else replace(choice, part="it needs several slides")

    def _drawn(self, group: dict[int, ChosenSlide]) -> dict[int, list[ChosenSlide]]:
        """Slides of one look with their parts; a chart that cannot be read becomes a table."""
        theme = part_look(next(iter(group.values())), self.accents).theme
        parts = {number: self._page(choice, _bare(choice)) for number, choice in group.items()}
        made: dict[int, list[ChosenSlide]] = {}
        tables: dict[int, AreaPage] = {}
        for number, pages in draw_parts(self.plan, theme, parts).items():
            choice = group[number]
            if not isinstance(pages, str):
                made[number] = _over(choice, pages)
                continue
            made[number] = [replace(choice, part=pages)]
            chart = choice.plan.chart
            if chart is not None and choice.plan.table is None:
                change = {"chart": None, "table": chart_table(chart), "layout": "table",
                          "source": chart.source}  # fmt: skip
                tables[number] = self._page(choice, _bare(choice).model_copy(update=change))
        for number, pages in draw_parts(self.plan, theme, tables).items() if tables else ():
            if not isinstance(pages, str):
                fact = "the chart cannot be read in its place: its numbers stand in a table"
                choice = replace(group[number], facts=(*group[number].facts, fact))
                made[number] = _over(choice, pages)
        return made

    def _page(self, choice: ChosenSlide, bare: SlidePlan) -> AreaPage:
        assert choice.placed is not None, "only objects with a place are drawn"
        left, top, right, bottom = choice.placed.box
        across, down = self.scale.across, self.scale.down
        box = Box(left * across, top * down, right * across, bottom * down)
        ground = part_look(choice, self.accents).ground
        ink = choice.placed.ink if choice.content.drawn and not bare.table else None
        text = _TEXT * down if ink is None else max(ink.size, _TEXT * down)
        return area_page(bare, box, size=self.size, ground=ground, text=text)


def _over(choice: ChosenSlide, pages: Sequence[DrawnPart]) -> list[ChosenSlide]:
    """A slide for each page; what stands beside the part is on the first."""
    if len(pages) == 1:
        return [replace(choice, part=pages[0])]
    slides = []
    for page in pages:
        plan = choice.plan.model_copy(update={"title": page.plan.title, "notes": page.plan.notes})
        title = replace(choice.texts[0], lines=((plan.title, 0),))
        beside = choice.texts[1:] if page is pages[0] else ()
        facts = choice.facts if page is pages[0] else ()
        slides.append(replace(choice, plan=plan, texts=(title, *beside), part=page, facts=facts))
    return slides


def _bare(choice: ChosenSlide) -> SlidePlan:
    """The part of a slide that is drawn: its chart or table alone, or all but its title."""
    change: dict[str, object] = {"subtitle": None}
    if not choice.content.drawn:
        change |= {"body": (), "layout": "chart" if choice.plan.chart else "table"}
    return choice.plan.model_copy(update=change)


def standing(chosen: ChosenSlide) -> Areas:
    """The areas of the example without the panels of texts that go, or that stand elsewhere now."""
    kept = {filled.slot.box for filled in chosen.texts}
    gone = {slot.box for slot in chosen.example.bodies if slot.filled} - kept
    return tuple((box, color) for box, color in chosen.example.areas if box not in gone)


def ink_colors(ink: TextSlot | None) -> tuple[str, ...]:
    return () if ink is None else (ink.look(0).paragraph.runs[0].font.color,)
