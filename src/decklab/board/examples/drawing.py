"""Charts and tables that an example has no place for, drawn by the browser in its colours."""

from collections.abc import Sequence
from dataclasses import dataclass, field
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
"""Points of the words of a table that is drawn new, at most."""


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
    ink = placed.ink
    font = "Arial" if ink is None else ink.look(0).paragraph.runs[0].font.name
    colors = {
        token: f'<a:srgbClr {DECLARED} val="{value[1:]}"/>' for token, value in values.items()
    }
    slots = {slot: values[token] for token, slot in SCHEME.items()}
    return PartLook(part_theme(values, font, font), ground, colors, PlainPalette(slots, font, font))


def is_drawn(chosen: ChosenSlide) -> bool:
    """Whether the object of a slide is made new: the example has none that takes its data."""
    placed, shown = chosen.placed, chosen.content.shown
    if chosen.content.drawn:
        return True
    if placed is None or not isinstance(shown, ChartPlan | TablePlan):
        return False
    if placed.slot is None or isinstance(shown, TablePlan):
        return placed.slot is None
    return shown.kind not in _EDITED or len(shown.series) > len(GREYS) + 1


@dataclass
class ObjectParts:
    """The parts that the browser draws for the slides of a plan, by their places in it."""

    plan: DeckPlan
    scale: SlideScale
    accents: tuple[str, ...]
    """The strong colours of the deck."""
    drawer: PartDrawer = field(init=False)
    drawn: dict[int, DrawnPart | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.drawer = PartDrawer(self.size, {})

    @property
    def size(self) -> tuple[float, float]:
        """Of the slides, in points."""
        return FRAME_WIDTH * self.scale.across, FRAME_HEIGHT * self.scale.down

    def prepare(self, chosen: Sequence[ChosenSlide]) -> None:
        """Draw what the examples of slides lack, all of one look at once."""
        groups: dict[str, dict[int, ChosenSlide]] = {}
        for place, choice in enumerate(chosen):
            if is_drawn(choice):
                theme = part_look(choice, self.accents).theme
                groups.setdefault(repr(theme), {})[place] = choice
        for group in groups.values():
            self._draw(group)

    def part(self, place: int, choice: ChosenSlide) -> DrawnPart | str:
        """The part of a slide; where there is none, why."""
        if place not in self.drawn:
            self._draw({place: choice})
        return self.drawn[place]

    def _draw(self, group: dict[int, ChosenSlide]) -> None:
        """Draw the parts of slides of one look; a chart that cannot be read becomes a table."""
        theme = part_look(next(iter(group.values())), self.accents).theme
        parts = {place: self._page(choice, _bare(choice)) for place, choice in group.items()}
        tables: dict[int, AreaPage] = {}
        for place, pages in draw_parts(self.plan, theme, parts).items():
            chart = group[place].plan.chart
            if not isinstance(pages, str) and len(pages) == 1:
                self.drawn[place] = pages[0]
                continue
            self.drawn[place] = pages if isinstance(pages, str) else "it needs several slides"
            if chart is not None and group[place].plan.table is None:
                change = {"chart": None, "table": chart_table(chart), "layout": "table",
                          "source": chart.source}  # fmt: skip
                bare = _bare(group[place]).model_copy(update=change)
                tables[place] = self._page(group[place], bare)
        for place, pages in draw_parts(self.plan, theme, tables).items() if tables else ():
            if not isinstance(pages, str) and len(pages) == 1:
                self.drawn[place] = pages[0]

    def _page(self, choice: ChosenSlide, bare: SlidePlan) -> AreaPage:
        assert choice.placed is not None, "only objects with a place are drawn"
        left, top, right, bottom = choice.placed.box
        across, down = self.scale.across, self.scale.down
        box = Box(left * across, top * down, right * across, bottom * down)
        ground = part_look(choice, self.accents).ground
        return area_page(bare, box, size=self.size, ground=ground, text=_TEXT * down)


def _bare(choice: ChosenSlide) -> SlidePlan:
    """What is drawn of a slide: its chart or table alone, or all but its title."""
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
